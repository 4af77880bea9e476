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

#[cfg(test)]
mod tests {
    use unolab_engine::event::Event;
    use unolab_engine::rules::Rules;
    use unolab_engine::seat::{BySeat, Seat, SeatSet};

    use super::*;

    #[derive(Default)]
    struct Hears {
        begins: Vec<RoundPlan>,
        ends: usize,
    }

    impl EventSink for Hears {
        fn on_event(&mut self, _: &RoundState, _: Event) {}
    }

    impl GameObserver for Hears {
        fn begin_round(&mut self, plan: &RoundPlan) {
            self.begins.push(plan.clone());
        }

        fn end_round(&mut self, _: &RoundState) {
            self.ends += 1;
        }
    }

    fn tell_a_round(mut observer: impl GameObserver, plan: &RoundPlan) {
        let rules = Rules::preset("classic");
        let mut rng = unolab_engine::rng::Rng::from_seed(1);
        observer.begin_round(plan);
        observer.end_round(&RoundState::deal(&rules, plan.seats, plan.dealer, &mut rng, &mut ()));
    }

    #[test]
    fn an_observer_that_is_lent_hears_of_each_round() {
        let seats: SeatSet = Seat::first(2).collect();
        let plan = RoundPlan { seats, player_at: BySeat::from_fn(|seat| seat), dealer: Seat::new(1) };
        let mut hears = Hears::default();
        tell_a_round(&mut hears, &plan);
        assert_eq!((hears.begins, hears.ends), (vec![plan], 1));
    }
}
