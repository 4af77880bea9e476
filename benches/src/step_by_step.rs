//! The reference loop: every action is chosen from an observation, checked, and applied by the code for all rules, and every
//! agent receives every event. It is slow; faster code is compared with it.

use unolab_agents::agent::{Agent, Observer as _};
use unolab_agents::player::Player;
use unolab_agents::table::Counts;
use unolab_engine::action::Call;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{Features, Rules};
use unolab_engine::state::{EventSink, Phase, RoundState};

/// When to stop a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// At its end.
    Over,
    /// After this number of turns, or at its end.
    Turns(u32),
}

/// Plays a round on from this state.
///
/// # Panics
/// If an agent chooses an illegal action, or the rules have decisions out of turn, which this loop does not support.
pub fn play_on(
    rules: &Rules,
    state: &mut RoundState,
    agents: &mut [Player],
    chance: &mut Rng,
    knowledge: &mut Knowledge,
    until: Until,
) -> Counts {
    let out_of_turn = [Features::EXPLICIT_CALLS, Features::JUMP_IN];
    assert!(!out_of_turn.into_iter().any(|feature| rules.features().contains(feature)));
    let mut counts = Counts::default();
    while let Some(seat) = state.current_seat() {
        if state.phase() == Phase::Turn {
            if until == Until::Turns(counts.turns) {
                break;
            }
            counts.turns += 1;
        }
        counts.decisions += 1;
        let action = agents[seat.index()].choose(&Observation::of(rules, state, knowledge, &NO_SCORES, seat));
        let mut observers = AllObservers { rules, agents, knowledge };
        let applied = state.apply_action(rules, seat, action, Call::Silent, chance, &mut observers);
        applied.expect("agents choose legal actions");
    }
    counts
}

/// Passes each event to each agent as its seat sees it, and updates the knowledge.
struct AllObservers<'a> {
    rules: &'a Rules,
    agents: &'a mut [Player],
    knowledge: &'a mut Knowledge,
}

impl EventSink for AllObservers<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        for seat in state.seats() {
            let agent = &mut self.agents[seat.index()];
            if agent.subscription().has_events() {
                let observation = Observation::of(self.rules, state, self.knowledge, &NO_SCORES, seat);
                agent.receive(event, &observation);
            }
        }
    }
}
