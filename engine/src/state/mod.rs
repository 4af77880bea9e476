//! [`RoundState`]: one round, from the deal until a player goes out.
//!
//! Plain data that copies in tens of nanoseconds. The draw pile is a set until a card is drawn, and the cards under the top
//! card are those that are nowhere else, so neither needs an order. Each decision of the rules is a [`Phase`].

// The parts of a round, and what is done with them.
mod event_sink;
mod phase;
pub(crate) mod round_state;

// Where a round comes from: a deal, a position, a text, or what one seat has seen of it.
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
mod play;
mod steps;

pub use event_sink::EventSink;
pub(crate) use legal::is_legitimate;
pub use phase::{AfterColor, Cursor, DrawFour, Outcome, Phase, Protection, Stack, SwapFor, TargetFor};
pub use play::IllegalAction;
pub(crate) use play::{PrePlayState, Table};
pub use round_state::RoundState;
pub use sample::{Dealing, Uniform};
pub use setup::{RoundSetup, SetupError};
pub use start::StartError;
pub use text::TextError;
