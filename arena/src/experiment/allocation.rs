//! Racing: plays each section until the order of its entrants is significant, so that the remaining games are played in
//! undecided sections.
//!
//! The counts are checked after fixed numbers of sets, with anytime intervals, for all pairs of entrants together. So
//! frequent checks are valid, and so is ending a section by their result.

use unolab_stats::interval::Coverage;

use crate::count::tally::Tally;
use crate::schedule::Section;
use crate::spec::Entrant;

/// The number of sets before the first look; intervals of fewer sets are unreliable.
const FIRST_LOOK: u64 = 100;

/// The first look is after more than this number of sets; the interval between looks grows by a quarter.
#[must_use]
pub fn look_after(sets: u64) -> u64 {
    let mut look = FIRST_LOOK;
    while look <= sets {
        look += look / 4;
    }
    look
}

/// Whether a section has a look after this number of sets.
pub(super) fn is_look(sets: u64) -> bool {
    sets > 0 && look_after(sets - 1) == sets
}

/// Whether the order of every two entrants that have met is significant. All verdicts of a section together are correct in
/// 95% of runs.
pub(super) fn is_order_clear(section: &Section, tally: &Tally, entrants: &[Entrant]) -> bool {
    let met: Vec<_> = tally.by_pair().filter(|(_, _, pair)| pair.comparisons > 0).collect();
    let coverage = Coverage::AnytimeTogether(met.len());
    met.iter().all(|&(a, b, pair)| {
        let interval = pair.share(section.stake_of_pair(entrants, a, b)).interval_of(coverage);
        interval.is_some_and(|interval| interval.low > 0.5 || interval.high < 0.5)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use unolab_agents::registry::Registry;
    use unolab_engine::rules::Rules;

    use super::*;
    use crate::experiment::counts::TournamentCounts;
    use crate::experiment::tournament::{Tournament, play};
    use crate::run::checkpoint::Counts as _;
    use crate::run::driver::RunOptions;
    use crate::run::experiment::Experiment as _;
    use crate::run::shard::Shard;
    use crate::schedule::contest::Contest;
    use crate::spec::tests::round_robin;
    use crate::spec::{AgentSeed, Allocation, Entrant, Spec, Variant};

    /// A race of these agents, each with separate random numbers.
    fn race(agents: [&str; 2], seats: &[usize], seed: u64) -> Contest {
        let apart = |(copy, entrant)| Entrant { stream: AgentSeed::Independent(copy), ..entrant };
        let spec = Spec {
            entrants: (0..).zip(Entrant::name_all(agents)).map(apart).collect(),
            variants: vec![Variant::of(&Rules::preset("classic"))],
            sets: 600,
            seed,
            allocation: Allocation::Open,
            ..round_robin(&[], seats)
        };
        Contest::of(spec, &Registry::default()).unwrap()
    }

    /// The sets that a race takes.
    fn sets_of_race(agents: [&str; 2], seed: u64) -> u64 {
        let contest = race(agents, &[2], seed);
        let counts = play(&contest, RunOptions::new(1, &AtomicBool::new(false))).unwrap();
        assert!(counts.is_finished());
        counts.done().done
    }

    /// Equal agents are distinguished in at most five of a hundred races, for any number of looks.
    #[test]
    fn unequal_agents_are_separated_early_and_equal_ones_rarely() {
        let told_apart = (1..=200).filter(|&seed| sets_of_race(["random", "random"], seed) < 600).count();
        assert!(told_apart <= 16, "{told_apart} of 200");
        assert!((1..=20).all(|seed| sets_of_race(["random", "heuristic"], seed) <= 195));
    }

    /// Otherwise the rows of games of a resumed race would be in another order.
    #[test]
    fn section_ahead_waits_for_section_interrupted_before_its_look() {
        let contest = race(["random", "random"], &[2, 3, 4], 1);
        let horizon = |played: [u64; 3]| {
            let mut counts = TournamentCounts::new(&contest, Shard::WHOLE);
            counts.sections.iter_mut().zip(played).for_each(|(section, next)| section.next = next);
            let batches = Tournament::of(&contest).horizon(&counts).unwrap();
            batches.into_iter().map(|batch| (batch.part, batch.sets)).collect::<Vec<_>>()
        };
        assert_eq!(horizon([0, 0, 0]), [(0, 0..100), (1, 0..100), (2, 0..100)]);
        assert_eq!(horizon([100, 92, 0]), [(1, 92..100), (2, 0..100)]);
        assert_eq!(horizon([600, 100, 100]), [(1, 100..125), (2, 100..125)]);
        assert_eq!(horizon([600, 600, 592]), [(2, 592..600)]);
        assert_eq!(horizon([600, 600, 600]), []);
    }

    #[test]
    fn interim_looks_are_independent_of_start() {
        let mut look = 0;
        let looks: Vec<u64> = std::iter::repeat_with(|| {
            look = look_after(look);
            look
        })
        .take(6)
        .collect();
        assert_eq!(looks, [100, 125, 156, 195, 243, 303]);
        assert!(looks.windows(2).all(|two| (two[0]..two[1]).all(|sets| look_after(sets) == two[1])));
        assert_eq!((1..=303).filter(|&sets| is_look(sets)).collect::<Vec<_>>(), looks);
        assert!(!is_look(0));
    }
}
