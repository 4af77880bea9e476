//! The counts of a run so far, and their sets: plain data that can be saved, resumed, and merged.
//!
//! A run plays all sets of each section, or a [`Shard`] of them. Each section counts its sets in order, so one number records
//! which sets are done.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::count::tally::Tally;
use crate::run::checkpoint::{Checkpoint, Counts, Sharded};
use crate::run::checksum::WrittenRows;
use crate::run::shard::{RunProgress, Shard};
use crate::schedule::Schedule;
use crate::schedule::contest::Contest;
use crate::spec::{Allocation, Spec};

/// The counts of one section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionCounts {
    /// The sets to be played; in a race, their maximum.
    pub sets: Range<u64>,
    /// The first of them that is not yet counted.
    pub next: u64,
    /// The rows of the counted sets in games.csv.
    pub rows: WrittenRows,
    /// The timeouts in a row of each entrant in the block of the next set; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeouts_in_a_row: Vec<u64>,
    /// The counts.
    pub tally: Tally,
}

/// The counts of a run, section by section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentCounts {
    /// In the order of the schedule. Except in a race, all sets of a section come before the sets of the next one.
    pub sections: Vec<SectionCounts>,
    /// In a race, whose sections take turns: the rows of all sections, in the order of games.csv.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_of_race: Option<WrittenRows>,
}

impl TournamentCounts {
    /// Zero counts of a shard of this contest.
    #[must_use]
    pub fn new(contest: &Contest, shard: Shard) -> Self {
        let (schedule, num_entrants) = (contest.schedule(), contest.spec().entrants.len());
        let sets = if contest.has_programs() { shard.blocks(schedule.sets) } else { shard.sets(schedule.sets) };
        let section = |seats| SectionCounts {
            sets: sets.clone(),
            next: sets.start,
            rows: WrittenRows::default(),
            timeouts_in_a_row: Vec::new(),
            tally: Tally::new(num_entrants, seats),
        };
        let rows_of_race = (contest.spec().allocation == Allocation::Open).then(WrittenRows::default);
        Self { sections: schedule.sections.iter().map(|of| section(of.seats)).collect(), rows_of_race }
    }

    /// Whether this is a possible part of that contest's shard. Counts from other programs are invalid.
    #[must_use]
    pub fn is_of(&self, contest: &Contest, shard: Shard) -> bool {
        let empty = Self::new(contest, shard);
        let (num_entrants, sections) = (contest.spec().entrants.len(), &contest.schedule().sections);
        let fits = |(number, (part, empty)): (usize, (&SectionCounts, &SectionCounts))| {
            let is_counted = (part.sets.start..=part.sets.end).contains(&part.next);
            let are_sets_right = match contest.spec().allocation {
                Allocation::Even => part.sets == empty.sets,
                Allocation::Open => part.sets.start == 0 && part.sets.end <= empty.sets.end,
            };
            let num_counted = part.timeouts_in_a_row.len();
            let are_timeouts_right = num_counted == 0 || num_counted == contest.specs().len();
            let has_luck = part.next > part.sets.start && contest.luck_model(number).is_some();
            are_sets_right
                && is_counted
                && are_timeouts_right
                && part.tally.luck.is_empty() != has_luck
                && part.tally.can_be_of(&sections[number], num_entrants, &(part.sets.start..part.next))
        };
        self.sections.len() == empty.sections.len() && self.sections.iter().zip(&empty.sections).enumerate().all(fits)
    }

    /// Whether the game with this index in the run is counted.
    #[must_use]
    pub fn counts(&self, schedule: &Schedule, index: u64) -> bool {
        self.set_of(schedule, index).is_some_and(|(part, set)| (part.sets.start..part.next).contains(&set))
    }

    /// The set of the game with this index in the run, if the set is in this shard and not yet counted.
    #[must_use]
    pub fn to_play(&self, schedule: &Schedule, index: u64) -> Option<u64> {
        let (part, set) = self.set_of(schedule, index)?;
        (part.next..part.sets.end).contains(&set).then_some(set)
    }

    fn set_of(&self, schedule: &Schedule, index: u64) -> Option<(&SectionCounts, u64)> {
        let mut first = 0;
        for (part, section) in self.sections.iter().zip(&schedule.sections) {
            let games = section.games_per_set();
            if index < first + games * schedule.sets {
                return Some((part, (index - first) / games));
            }
            first += games * schedule.sets;
        }
        None
    }

    /// The counts of each section.
    #[must_use]
    pub fn tallies(&self) -> Vec<Tally> {
        self.sections.iter().map(|section| section.tally.clone()).collect()
    }

    /// Whether every set is counted.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.sections.iter().all(|section| section.next == section.sets.end)
    }

    /// The numbers of counted games and of all games.
    #[must_use]
    pub fn games(&self, schedule: &Schedule) -> RunProgress {
        let with_games = || self.sections.iter().zip(&schedule.sections).map(|(part, of)| (part, of.games_per_set()));
        let done = with_games().map(|(part, games)| (part.next - part.sets.start) * games).sum();
        RunProgress { done, of: with_games().map(|(part, games)| (part.sets.end - part.sets.start) * games).sum() }
    }
}

/// The checkpoint of a tournament or match.
pub type TournamentCheckpoint = Checkpoint<Spec, TournamentCounts>;

impl Counts for TournamentCounts {
    /// A deal counts once for each section.
    fn done(&self) -> RunProgress {
        let done = self.sections.iter().map(|section| section.next - section.sets.start).sum();
        RunProgress { done, of: self.sections.iter().map(|section| section.sets.end - section.sets.start).sum() }
    }
}

impl Sharded for TournamentCounts {
    fn sets(&self) -> Vec<Range<u64>> {
        self.sections.iter().map(|section| section.sets.clone()).collect()
    }

    fn join(&mut self, other: &Self) {
        for (all, part) in self.sections.iter_mut().zip(&other.sections) {
            all.tally.merge(&part.tally);
            all.rows.join(part.rows);
            all.next += part.sets.end - part.sets.start;
        }
    }
}
