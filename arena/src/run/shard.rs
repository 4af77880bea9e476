//! Shards of a run, and progress.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::schedule::patience::Blocks;

/// One of several parts of a run, with about the same number of sets of each section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    number: u64,
    of: u64,
}

/// The error that a text is not a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected i/n with i from 1 to n, and n at most {}, such as 3/8", Shard::MOST)]
pub struct ShardParseError;

impl Shard {
    /// The whole run, as a single part.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// The largest number of shards.
    pub const MOST: u64 = 1_000_000;

    /// The part of these sets.
    pub(crate) const fn sets(self, of: u64) -> Range<u64> {
        self.cut(self.number - 1, of)..self.cut(self.number, of)
    }

    /// Its part of these sets in whole [`Blocks`].
    pub(crate) const fn blocks(self, of: u64) -> Range<u64> {
        let blocks = Blocks::of(of);
        blocks.begin(self.cut(self.number - 1, Blocks::NUMBER))..blocks.begin(self.cut(self.number, Blocks::NUMBER))
    }

    /// The number of shards.
    #[must_use]
    pub const fn number_of_shards(self) -> u64 {
        self.of
    }

    /// The end of a shard, for this number of sets.
    #[expect(clippy::cast_possible_truncation, reason = "no more than the number of sets")]
    const fn cut(self, part: u64, sets: u64) -> u64 {
        (sets as u128 * part as u128 / self.of as u128) as u64
    }

    /// The shards that are not among these; `None` if they do not all divide the run into the same number of shards.
    pub(super) fn missing_among(shards: &[Self]) -> Option<Vec<Self>> {
        let of = shards.first()?.of;
        let numbers: BTreeSet<u64> = shards.iter().map(|shard| shard.number).collect();
        let missing = (1..=of).filter(|number| !numbers.contains(number)).map(|number| Self { number, of });
        shards.iter().all(|shard| shard.of == of).then(|| missing.collect())
    }

    /// `3-of-8`: for the names of directories.
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
    type Err = ShardParseError;

    fn from_str(text: &str) -> Result<Self, ShardParseError> {
        let (number, of) = text.split_once('/').ok_or(ShardParseError)?;
        let shard =
            Self { number: number.parse().map_err(|_| ShardParseError)?, of: of.parse().map_err(|_| ShardParseError)? };
        if (1..=shard.of).contains(&shard.number) && shard.of <= Self::MOST { Ok(shard) } else { Err(ShardParseError) }
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardParseError;

    fn try_from(text: String) -> Result<Self, ShardParseError> {
        text.parse()
    }
}

/// Progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunProgress {
    /// The amount done.
    pub done: u64,
    /// The total amount.
    pub of: u64,
}

impl fmt::Display for RunProgress {
    /// `37%`, never 100 before the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", u128::from(self.done) * 100 / u128::from(self.of.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shard_round_trips_as_text() {
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
        for wrong in ["", "3", "0/8", "9/8", "1/0", "-1/2", "1/1000001", "a/b", "1/2/3"] {
            assert_eq!(wrong.parse::<Shard>(), Err(ShardParseError), "{wrong}");
        }
    }

    #[test]
    fn missing_shards_belong_to_same_division() {
        let all = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<Shard>>();
        assert_eq!(Shard::missing_among(&all(&["3/4", "1/4"])), Some(all(&["2/4", "4/4"])));
        assert_eq!(Shard::missing_among(&all(&["1/2", "2/2", "2/2"])), Some(Vec::new()));
        assert_eq!(Shard::missing_among(&all(&["1/2", "2/3"])), None);
        assert_eq!(Shard::missing_among(&[]), None);
    }

    #[test]
    fn shards_of_blocks_cover_run_and_start_at_block() {
        for (sets, of) in [(10, 3), (640, 7), (641, 64), (7, 1), (1_000_000, 50)] {
            let blocks = Blocks::of(sets);
            let shards: Vec<Range<u64>> = (1..=of).map(|number| Shard { number, of }.blocks(sets)).collect();
            assert_eq!((shards[0].start, shards[shards.len() - 1].end), (0, sets));
            assert!(shards.windows(2).all(|two| two[0].end == two[1].start && blocks.is_begin(two[1].start)));
        }
        for of in [1_u64, 2, 4, 8, 16, 32, 64] {
            let shard = Shard { number: of.div_ceil(2), of };
            assert_eq!(shard.blocks(1_000), shard.sets(1_000));
        }
    }

    #[test]
    fn shards_cover_run_in_equal_parts() {
        for (sets, of) in [(10, 3), (2, 5), (1_000_000_000_000, 1_000_000), (7, 1)] {
            let shards: Vec<Range<u64>> = (1..=of).map(|number| Shard { number, of }.sets(sets)).collect();
            assert_eq!((shards[0].start, shards[shards.len() - 1].end), (0, sets));
            assert!(shards.windows(2).all(|two| two[0].end == two[1].start));
            assert!(shards.iter().all(|shard| (shard.end - shard.start).abs_diff(sets / of) <= 1));
        }
    }
}
