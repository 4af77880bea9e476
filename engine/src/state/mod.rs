//! [`RoundState`]: one round, from the deal to the end.
//!
//! Plain data that is copied in tens of nanoseconds. The draw pile is a multiset without an order, because each draw chooses
//! a card at random. The cards under the top card are all cards that are not elsewhere. Each decision of the rules is a
//! [`Phase`].

// The parts of a round.
mod event_sink;
mod phase;
pub(crate) mod round_state;

// The sources of a round: a deal, a position, a text, or the view of one seat.
mod limited_sample;
mod sample;
mod setup;
mod start;
mod text;

// The legal actions.
mod legal;

// The effects of actions.
mod answers;
mod calls;
mod draw_fours;
mod hand_limit;
mod play;
mod steps;

pub use event_sink::EventSink;
pub(crate) use legal::is_legitimate;
pub use phase::{AfterColor, Cursor, DrawFour, Outcome, Phase, Protection, Stack, SwapFor, TargetFor};
pub use play::IllegalAction;
pub(crate) use play::Table;
pub use round_state::RoundState;
pub(crate) use sample::Unseen;
pub use sample::{Dealing, Uniform};
pub use setup::{RoundSetup, SetupError};
pub use start::StartError;
pub use text::TextError;
