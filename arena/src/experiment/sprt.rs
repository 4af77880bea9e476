//! A sequential test as long work: what it has counted, and where it looks next.

use serde::{Deserialize, Serialize};
use unolab_stats::sprt::next_look;
use unolab_stats::sums::GameSums;

use crate::count::tally::Tally;
use crate::run::shard::Done;
use crate::run::standing::Counts;
use crate::schedule::contest::Contest;

/// What a test has counted so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SprtPart {
    /// The most sets that it may take.
    pub most_sets: u64,
    /// The wins of the first agent, over all sets until each look.
    pub looks: Vec<GameSums>,
    /// All that is counted of these sets.
    tally: Tally,
}

impl SprtPart {
    /// Nothing counted yet of a test that may take all sets of a contest.
    #[must_use]
    pub fn new(contest: &Contest) -> Self {
        let (spec, schedule) = (contest.spec(), contest.schedule());
        let tally = Tally::new(spec.entrants.len(), schedule.sections[0].seats);
        Self { most_sets: schedule.sets, looks: Vec::new(), tally }
    }

    /// All that is counted.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The sets that are counted.
    #[must_use]
    pub fn sets(&self) -> u64 {
        self.looks.last().map_or(0, |wins| wins.by_sets.sets)
    }

    /// Until where it plays before it looks again; none once the sets are used up.
    #[must_use]
    pub fn next_look(&self) -> Option<u64> {
        let sets = self.sets();
        self.look_after(sets)
    }

    fn look_after(&self, sets: u64) -> Option<u64> {
        (sets < self.most_sets).then(|| next_look(sets).min(self.most_sets))
    }

    /// Whether it can be a part of a test that may take all sets of this contest. What was not written by this program is
    /// none.
    #[must_use]
    pub fn is_of(&self, contest: &Contest) -> bool {
        let empty = Self::new(contest);
        let before = std::iter::once(0).chain(self.looks.iter().map(|wins| wins.by_sets.sets));
        self.most_sets == empty.most_sets
            && self.looks.iter().zip(before).all(|(wins, before)| self.look_after(before) == Some(wins.by_sets.sets))
            && self.tally.has_shape_of(&empty.tally)
            && self.tally.by_entrant()[0].results.wins == self.looks.last().copied().unwrap_or_default()
    }

    /// Adds the counts of the sets until the next look.
    pub fn look(&mut self, tally: &Tally) {
        self.tally.merge(tally);
        self.looks.push(self.tally.by_entrant()[0].results.wins);
    }
}

impl Counts for SprtPart {
    fn done(&self) -> Done {
        Done { done: self.sets(), of: self.most_sets }
    }
}
