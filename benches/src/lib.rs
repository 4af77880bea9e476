//! The workloads of the benches: a fixed corpus of [`positions`], [`rounds`], [`batches`] of rounds, and [`rollouts`].
//!
//! Everything is seeded, so every run of a bench does the same work. The result is [`Totals`], and each bench asserts that
//! they equal the totals of the same work done [`step_by_step`]. A learner's environment plays [`encoded`] rounds.

pub mod batches;
pub mod encoded;
pub mod positions;
pub mod rollouts;
pub mod rounds;
pub mod step_by_step;

use unolab_agents::registry::{AgentSpec, Registry};
use unolab_agents::table::Counts;
use unolab_engine::rng::mix;
use unolab_engine::rules::{PresetsOnly, Rules, TableSize, load};
use unolab_engine::state::RoundState;

/// The largest size of a state: search agents copy states by the million.
const _: () = assert!(size_of::<RoundState>() <= 512);

/// The seed of all workloads.
pub const SEED: u64 = 1;

/// The rules of a preset.
///
/// # Panics
/// If the preset is unknown.
#[must_use]
pub fn preset(name: &str) -> Rules {
    load(name, &[], TableSize::Any, &PresetsOnly).expect("a preset loads").rules
}

/// A built-in agent.
///
/// # Panics
/// If the agent is unknown.
#[must_use]
pub fn agent(name: &str) -> AgentSpec {
    Registry::default().configure(name).expect("a built-in agent")
}

/// The totals of the rounds that were played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// The number of rounds.
    pub rounds: u64,
    /// Turns of all seats in all rounds.
    pub turns: u64,
    /// Decisions of all seats in all rounds.
    pub decisions: u64,
    /// A checksum of the outcomes, in order.
    pub fingerprint: u64,
}

impl Totals {
    /// Adds a finished round.
    #[inline]
    pub fn add(&mut self, state: &RoundState, counts: Counts) {
        self.rounds += 1;
        self.turns += u64::from(counts.turns);
        self.decisions += u64::from(counts.decisions);
        let [left_to_draw, ..] = state.draw_pile().planes();
        self.fingerprint = mix(self.fingerprint ^ left_to_draw ^ u64::from(counts.decisions) << 32);
    }
}

#[cfg(test)]
mod tests {
    use unolab_agents::simd_batch::RoundBatch;
    use unolab_engine::cpu::{Generic, dispatch};
    use unolab_engine::rules::RulesKernel;

    use super::*;
    use crate::batches::Batch;
    use crate::encoded::EncodedRounds;
    use crate::positions::after_turns;
    use crate::rollouts::Rollouts;
    use crate::rounds::Rounds;

    #[test]
    fn bulk_rounds_equal_step_by_step_rounds_on_every_machine() {
        for (variant, name) in [("classic", "random"), ("classic", "greedy"), ("disney", "heuristic")] {
            let (rules, agents) = (preset(variant), &[agent(name)]);
            let rounds = Rounds { rules: &rules, agents, seats: 4, count: 50 };
            let expected = rounds.step_by_step();
            assert_eq!(expected.rounds, 50);
            assert_eq!(rounds.run_fitting::<Generic>(), expected, "{variant} {name}");
            assert_eq!(dispatch(rounds), expected, "{variant} {name}");
        }
    }

    #[test]
    fn batch_of_rounds_has_totals_of_its_rounds() {
        for variant in ["classic", "disney"] {
            let (rules, agents) = (preset(variant), &[agent("random")]);
            let expected = Rounds { rules: &rules, agents, seats: 4, count: 50 }.step_by_step();
            for make in [RoundBatch::new, RoundBatch::without_vectors] {
                let totals = dispatch(Batch { rules: &rules, seats: 4, first: 0, count: 50, make });
                let of = |totals: Totals| (totals.rounds, totals.turns, totals.decisions);
                assert_eq!(of(totals), of(expected), "{variant}");
            }
        }
    }

    #[test]
    fn encoded_rounds_are_equal_on_every_machine() {
        for variant in ["classic", "disney"] {
            let rounds = EncodedRounds { rules: &preset(variant), seats: 4, count: 50 };
            let expected = rounds.run_fitting::<Generic>();
            assert_eq!(expected.rounds, 50);
            assert_eq!(dispatch(rounds), expected, "{variant}");
        }
    }

    #[test]
    fn bulk_rollouts_equal_step_by_step_rollouts_on_every_machine() {
        for variant in ["classic", "disney"] {
            let (rules, agents) = (preset(variant), &[agent("random")]);
            let positions = after_turns(&rules, 4, 24, 50);
            let rollouts = Rollouts { rules: &rules, agents, positions: &positions };
            let expected = rollouts.step_by_step();
            assert_eq!(expected.rounds, 50);
            assert_eq!(rollouts.run_fitting::<Generic>(), expected, "{variant}");
            assert_eq!(dispatch(rollouts), expected, "{variant}");
        }
    }
}
