//! A round played by the book: every action is chosen from an observation, checked, and applied by the code for all
//! rules, and everybody is told everything. Slow, and the measure of everything faster.

use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::player::Player;
use unolab_agents::table::Counts;
use unolab_engine::action::Call;
use unolab_engine::event::{Event, EventSink};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{Features, Rules};
use unolab_engine::state::{Phase, RoundState};

/// How far a round is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// To its end.
    Over,
    /// To its end, but no further than before the turn that has so many before it.
    Turns(u32),
}

/// Plays a round on from this state.
///
/// # Panics
/// If an agent chooses what is not legal, or the rules ask seats out of turn, which nothing in here does.
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
        let mut everybody = Everybody { rules, agents, knowledge };
        let applied = state.apply_action(rules, seat, action, Call::Silent, chance, &mut everybody);
        applied.expect("agents choose legal actions");
    }
    counts
}

/// Tells each agent what its seat sees, and keeps what has been shown.
struct Everybody<'a> {
    rules: &'a Rules,
    agents: &'a mut [Player],
    knowledge: &'a mut Knowledge,
}

impl EventSink for Everybody<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        for seat in state.seats() {
            let agent = &mut self.agents[seat.index()];
            if agent.subscription() == EventSubscription::Events {
                let observation = Observation::of(self.rules, state, self.knowledge, &NO_SCORES, seat);
                agent.observe(observation.sees(event), &observation);
            }
        }
    }
}
