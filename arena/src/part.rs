//! What a run has counted so far, and of which sets: plain data that can be kept, taken up again and joined.
//!
//! A run plays all sets of each section, or a [`Shard`] of them. In each section the sets are entered in their order,
//! so that a single number says which of them are done.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::contest::Contest;
use crate::schedule::Schedule;
use crate::standing::{Counts, Sharded};
use crate::tally::Tally;

/// One of several parts of a run: of each section about as many sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    number: u64,
    of: u64,
}

/// A text that names no shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected i/n with i from 1 to n, and n at most {}, such as 3/8", Shard::MOST)]
pub struct NoShard;

impl Shard {
    /// The whole run, as a single part.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// In how many parts a run can be cut.
    pub const MOST: u64 = 1_000_000;

    /// Its part of so many sets.
    pub(crate) const fn sets(self, of: u64) -> Range<u64> {
        self.cut(self.number - 1, of)..self.cut(self.number, of)
    }

    /// Where a part ends, of so many sets.
    #[expect(clippy::cast_possible_truncation, reason = "no more than the number of sets")]
    const fn cut(self, part: u64, sets: u64) -> u64 {
        (sets as u128 * part as u128 / self.of as u128) as u64
    }

    /// `3-of-8`: for the names of folders.
    #[must_use]
    pub fn file_name(self) -> String {
        format!("{}-of-{}", self.number, self.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (number, of) = text.split_once('/').ok_or(NoShard)?;
        let shard = Self { number: number.parse().map_err(|_| NoShard)?, of: of.parse().map_err(|_| NoShard)? };
        if (1..=shard.of).contains(&shard.number) && shard.of <= Self::MOST { Ok(shard) } else { Err(NoShard) }
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = NoShard;

    fn try_from(text: String) -> Result<Self, NoShard> {
        text.parse()
    }
}

/// What has been counted of one section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionPart {
    /// The sets to be played.
    pub sets: Range<u64>,
    /// The first of them that is not yet counted.
    pub next: u64,
    /// How many bytes the rows of the counted sets take in games.csv.
    pub rows: u64,
    /// The counts.
    pub tally: Tally,
}

/// What has been counted of a run, section by section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// In the order of the schedule. All sets of a section are counted before those of the next.
    pub sections: Vec<SectionPart>,
}

impl Part {
    /// Nothing counted yet of a shard of this contest.
    #[must_use]
    pub fn new(contest: &Contest, shard: Shard) -> Self {
        let (schedule, num_entrants) = (contest.schedule(), contest.spec().entrants.len());
        let sets = shard.sets(schedule.sets);
        let section = |seats| SectionPart {
            sets: sets.clone(),
            next: sets.start,
            rows: 0,
            tally: Tally::new(num_entrants, seats),
        };
        Self { sections: schedule.sections.iter().map(|of| section(of.seats)).collect() }
    }

    /// Whether this can be a part of that contest's shard. What was not written by this program is none.
    #[must_use]
    pub fn is_of(&self, contest: &Contest, shard: Shard) -> bool {
        let empty = Self::new(contest, shard);
        let fits = |(part, empty): (&SectionPart, &SectionPart)| {
            let is_counted = (part.sets.start..=part.sets.end).contains(&part.next);
            part.sets == empty.sets && is_counted && part.tally.has_shape_of(&empty.tally)
        };
        self.sections.len() == empty.sections.len() && self.sections.iter().zip(&empty.sections).all(fits)
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

    /// Sets counted, and to be played in all. A deal counts once for each section.
    #[must_use]
    pub fn sets(&self) -> Done {
        let done = self.sections.iter().map(|section| section.next - section.sets.start).sum();
        Done { done, of: self.sections.iter().map(|section| section.sets.end - section.sets.start).sum() }
    }

    /// Games counted, and to be played in all.
    #[must_use]
    pub fn games(&self, schedule: &Schedule) -> Done {
        let with_games = || self.sections.iter().zip(&schedule.sections).map(|(part, of)| (part, of.games_per_set()));
        let done = with_games().map(|(part, games)| (part.next - part.sets.start) * games).sum();
        Done { done, of: with_games().map(|(part, games)| (part.sets.end - part.sets.start) * games).sum() }
    }

    /// How many bytes all rows take in games.csv.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.sections.iter().map(|section| section.rows).sum()
    }
}

impl Counts for Part {
    fn done(&self) -> Done {
        self.sets()
    }
}

impl Sharded for Part {
    fn sets(&self) -> Vec<Range<u64>> {
        self.sections.iter().map(|section| section.sets.clone()).collect()
    }

    fn join(&mut self, other: &Self) {
        for (all, part) in self.sections.iter_mut().zip(&other.sections) {
            all.tally.merge(&part.tally);
            all.rows += part.rows;
            all.next += part.sets.end - part.sets.start;
        }
    }
}

/// How much of something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Done {
    /// So much.
    pub done: u64,
    /// Of so much.
    pub of: u64,
}

impl fmt::Display for Done {
    /// `37 %`, never 100 before the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", u128::from(self.done) * 100 / u128::from(self.of.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_written() {
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
        for wrong in ["", "3", "0/8", "9/8", "1/0", "-1/2", "1/1000001", "a/b", "1/2/3"] {
            assert_eq!(wrong.parse::<Shard>(), Err(NoShard), "{wrong}");
        }
    }

    #[test]
    fn shards_make_up_the_whole_and_are_equally_large() {
        for (sets, of) in [(10, 3), (2, 5), (1_000_000_000_000, 1_000_000), (7, 1)] {
            let shards: Vec<Range<u64>> = (1..=of).map(|number| Shard { number, of }.sets(sets)).collect();
            assert_eq!((shards[0].start, shards[shards.len() - 1].end), (0, sets));
            assert!(shards.windows(2).all(|two| two[0].end == two[1].start));
            assert!(shards.iter().all(|shard| (shard.end - shard.start).abs_diff(sets / of) <= 1));
        }
    }
}
