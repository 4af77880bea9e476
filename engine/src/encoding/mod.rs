//! [`Encoding`]: observations, legal actions and events as bytes, for learners.
//!
//! Its only input is an [`Observation`], so no byte can depend on hidden information. The rules and the number of seats
//! determine every size. Seats are in order of play from the observing seat, so that one network can play every seat. Actions
//! name a seat by its number, which the row contains.
//!
//! | part of the row | bytes | holds |
//! |---|---|---|
//! | `hand`, `discard` | kinds each | copies in the hand of the observing seat; copies on the discard pile, top card included |
//! | `known` | kinds for each other seat | copies that are certainly in that seat's hand |
//! | `top`, `card` | kinds each | the top card; the observer's card that the decision is about: just drawn, or chosen when a call is asked for |
//! | `color` | 5 | the color in force, the last for none |
//! | `decision` | 15 or 16 | what is decided, in the order of [`DECISIONS`]; the last only if a custom card lets a player choose |
//! | `decision_color` | 4 | the color before a draw four, of a discard, of a protection |
//! | `played_by`, `to_act`, `own_seat` | seats each | who played the draw four, who decides, both in order of play; the observing seat by its number |
//! | `direction`, `sum`, `passes`, `draw_pile`, `reshuffles`, `dead_word` | 1 each | 1 to the right; cards to draw; hands passed on in a lap; numbers end at 255 |
//! | `hand_len`, `uncalled`, `dealer`, `partner`, `passed`, `missed_turns`, `score` | seats each | in order of play; the score in 255ths of the target |
//! | `history` | 6 for each event | the last events as the seat saw them, the newest first; see [`history`] |
//!
//! ```
//! use unolab_engine::encoding::{Encoding, EncodedDecision, VoluntaryDraw};
//! use unolab_engine::knowledge::Knowledge;
//! use unolab_engine::observation::{NO_SCORES, Observation};
//! use unolab_engine::rng::Rng;
//! use unolab_engine::rules::Rules;
//! use unolab_engine::seat::{Seat, SeatSet};
//! use unolab_engine::state::RoundState;
//!
//! let rules = Rules::preset("classic");
//! let encoding = Encoding::new(&rules, 2, 0);
//! let mut knowledge = Knowledge::default();
//! let mut rng = Rng::from_seed(1);
//! let state = RoundState::deal(&rules, SeatSet::first(2), Seat::new(0), &mut rng, &mut knowledge);
//! let seat = state.current_seat().unwrap();
//! let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, seat);
//!
//! let mut row = vec![0; encoding.obs_size()];
//! encoding.write_row(&observation, EncodedDecision::Ordinary, &mut row);
//! assert_eq!(row[..54].iter().map(|&count| u32::from(count)).sum::<u32>(), observation.hand().len());
//!
//! let (mut mask, mut ids) = (vec![0; encoding.num_actions()], vec![0; encoding.num_actions()]);
//! let offered = encoding.write_legal(&observation, VoluntaryDraw::Offered, &mut mask, &mut ids);
//! assert!(ids[..offered.len()].iter().all(|&id| mask[usize::try_from(id).unwrap()] == 1));
//! ```

// The layout.
mod actions;
pub mod history;
mod layout;

// The encoding of a variant.
mod encoder;
mod legal;
mod row;

// The discard pile, kept up to date by the events of a round, for callers that write many rows of it.
mod discard_pile;

pub use actions::ActionTable;
pub use discard_pile::DiscardPile;
pub use encoder::{EncodedDecision, Encoding, LAYOUT_ID};
pub use layout::{Block, DECISIONS, Layout};
pub use legal::{LegalActionIds, VoluntaryDraw};

#[cfg(doc)]
use crate::observation::Observation;
