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
    use crate::experiment::tournament::play;
    use crate::run::checkpoint::Counts as _;
    use crate::run::driver::RunOptions;
    use crate::schedule::contest::Contest;
    use crate::spec::tests::round_robin;
    use crate::spec::{AgentSeed, Allocation, Entrant, Spec, Variant};

    /// The sets that a race of these agents takes, each with separate random numbers.
    fn sets_of_race(agents: [&str; 2], seed: u64) -> u64 {
        let apart = |(copy, entrant)| Entrant { stream: AgentSeed::Independent(copy), ..entrant };
        let spec = Spec {
            entrants: (0..).zip(Entrant::name_all(agents)).map(apart).collect(),
            variants: vec![Variant::of(&Rules::preset("classic"))],
            sets: 600,
            seed,
            allocation: Allocation::Open,
            ..round_robin(&[], &[2])
        };
        let contest = Contest::of(spec, &Registry::default()).unwrap();
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
