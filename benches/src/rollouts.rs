//! Rollouts, which a search does by the million: a position is copied, its unseen cards are dealt again, and the round is
//! played to its end.

use unolab_agents::player::Player;
use unolab_agents::registry::AgentSpec;
use unolab_agents::table::Table;
use unolab_engine::cpu::{Generic, Isa};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::NO_SCORES;
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{FeatureSet, Rules, RulesKernel};
use unolab_engine::seat::Seat;
use unolab_engine::state::RoundState;

use crate::positions::Position;
use crate::rounds::seat_agents;
use crate::step_by_step::{Until, play_on};
use crate::{SEED, Totals};

/// One rollout from each position.
#[derive(Debug, Clone, Copy)]
pub struct Rollouts<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The agents that play on, in order of the seats.
    pub agents: &'a [AgentSpec],
    /// The starting positions.
    pub positions: &'a [Position],
}

impl RulesKernel for Rollouts<'_> {
    type Output = Totals;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Totals {
        let mut totals = Totals::default();
        let mut agents = Vec::new();
        for (number, position) in (0..).zip(self.positions) {
            let (mut state, mut cards) = self.begin::<P::Isa>(number, position, &mut agents);
            let mut table = Table {
                rules: self.rules,
                agents: &mut agents,
                scores: &NO_SCORES,
                state: &mut state,
                chance: &mut cards,
            };
            let (counts, _) = table.play_round::<P>(());
            totals.add(&state, counts);
        }
        totals
    }
}

impl Rollouts<'_> {
    /// The same rollouts, step by step.
    #[must_use]
    pub fn step_by_step(self) -> Totals {
        let mut totals = Totals::default();
        let mut agents = Vec::new();
        for (number, position) in (0..).zip(self.positions) {
            let (mut state, mut cards) = self.begin::<Generic>(number, position, &mut agents);
            let mut knowledge = Knowledge::default();
            let counts = play_on(self.rules, &mut state, &mut agents, &mut cards, &mut knowledge, Until::Over);
            totals.add(&state, counts);
        }
        totals
    }

    /// A sampled state for the seat to act, its random stream, and agents to play on.
    #[inline(always)]
    fn begin<M: Isa>(&self, number: u64, position: &Position, agents: &mut Vec<Player>) -> (RoundState, Rng) {
        let mut chance = Rng::keyed(SEED, number, Purpose::Other(0));
        let state = position.observation(self.rules).sample_state_on::<M>(&mut chance);
        let seats = 1 + state.seats().last().map_or(0, Seat::index);
        seat_agents(agents, self.rules, self.agents, seats, SEED, number);
        (state, chance)
    }
}
