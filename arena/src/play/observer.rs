//! The observers of a game.

use unolab_engine::event::EventSink;
use unolab_engine::match_play::RoundPlan;
use unolab_engine::state::RoundState;

/// Receives every event of a game, and the end of each round.
pub trait GameObserver: EventSink {
    /// A round is about to be dealt, and the players sit like this.
    #[inline(always)]
    fn begin_round(&mut self, _plan: &RoundPlan) {}

    /// A round is over, or was cut.
    fn end_round(&mut self, state: &RoundState);
}

impl<O: GameObserver + ?Sized> GameObserver for &mut O {
    fn begin_round(&mut self, plan: &RoundPlan) {
        (**self).begin_round(plan);
    }

    fn end_round(&mut self, state: &RoundState) {
        (**self).end_round(state);
    }
}

/// Nobody, which costs nothing.
impl GameObserver for () {
    #[inline(always)]
    fn end_round(&mut self, _state: &RoundState) {}
}
