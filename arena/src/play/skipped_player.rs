//! An agent that has taken too long in too many games, and is not asked again: `greedy` plays its seat, and the game is lost.

use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::fault::{Fault, FaultCause};
use unolab_agents::greedy::Greedy;
use unolab_agents::player::Player;
use unolab_engine::action::{Action, Call};
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::seat::Seat;

struct SkippedAgent {
    substitute: Greedy,
    seat: Seat,
    most: u64,
    /// The fault, from its first decision on.
    fault: Option<Fault>,
}

/// The player in this seat, with the stream of its agent, which has lost `most` games in a row by a timeout.
pub(super) fn skipped_player(seat: Seat, stream: Rng, most: u64) -> Player {
    let mut rng = stream.clone();
    // A program uses the first number, so the game is the same as if the program were late in its first decision.
    rng.bits();
    Player::of(Box::new(SkippedAgent { substitute: Greedy::new(rng), seat, most, fault: None }), seat, stream)
}

impl SkippedAgent {
    fn lose(&mut self) -> &mut Greedy {
        let Self { seat, most, .. } = *self;
        self.fault.get_or_insert_with(|| {
            let what = format!("not asked again after {most} games in a row lost by taking too long");
            Fault { seat, decision: 1, kind: FaultCause::DecisionTime, what }
        });
        &mut self.substitute
    }
}

impl Agent for SkippedAgent {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.lose().choose(observation)
    }

    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        self.lose().call(observation, action)
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        self.lose().interrupt(observation, options)
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
