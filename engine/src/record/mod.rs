//! Game records: a round or a whole match as JSON Lines, written while it is played and played again to check it.
//!
//! | line | says |
//! |---|---|
//! | `{"record":1,"unit":"match",…,"rules":"…"}` | first: format version, seeds, dealer, agents, the whole rules and their hash |
//! | `{"round":1,"dealer":0,"players":[0,1],"deal":["r5 …","g7 …"]}` | a round is dealt: who sits in each seat, each seat's hand |
//! | `{"start":"gD"}` | a card is turned up; the last one stays |
//! | `{"seat":1,"do":"play r7"}` | an action; with a `note` where its agent had something to say |
//! | `{"seat":1,"fault":"crash","decision":17,"by":"greedy"}` | the agent in this seat has lost the game by a crash, a timeout or an illegal answer to this decision of the agent, counted from 1; from here on `by` plays its seat |
//! | `{"seat":1,"draws":"r7"}` | a card from the draw pile |
//! | `{"tinker":"r"}`, `{"task":"yes"}`, `{"chosen":2}` | the button, a task, a seat named by chance |
//! | `{"reshuffle":41}` | the discard pile became a draw pile of this many cards |
//! | `{"round_over":"finished","went_out":1,"points":[0,34],"scores":[0,34],"checksum":"…"}` | points by seat, match scores by player, the checksum of the state |
//! | `{"ended":"finished","rounds":1,"points":[0,34],"places":[2,1],"checksum":"…","lines":"…"}` | last: points and places by player, the checksum of the rounds' checksums, and the checksum of the lines above; after a fault also `counted_points` and `counted_places` |
//!
//! [`RecordWriter`] receives the events; [`replay`] rejects a record at the first line that does not follow from the rules.

mod describe;
mod fault;
mod first;
mod header;
mod line;
mod outcomes;
mod replay;
mod step;
mod tally;
mod writer;

pub use describe::describe;
pub use fault::{Fault, FaultKind, places_after_forfeit};
pub use header::{Header, Status, Unit, VERSION};
pub use replay::{ReplayedRecord, replay};
pub use step::{ReplayError, ReplayEvent, ReplayStep};
pub use tally::match_places;
pub use writer::RecordWriter;
