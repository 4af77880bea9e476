//! The observers of a game.

use unolab_engine::match_play::RoundPlan;
use unolab_engine::state::{EventSink, RoundState};

/// Receives every event of a game, and the end of each round.
pub trait GameObserver: EventSink {
    /// A round is about to be dealt, with the players in these seats.
    fn begin_round(&mut self, _plan: &RoundPlan) {}

    /// A round is over or truncated.
    fn end_round(&mut self, state: &RoundState);
}
