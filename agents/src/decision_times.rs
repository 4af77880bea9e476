//! Statistics of decision times: number, mean, quantiles, and maximum.

use std::time::Duration;

/// The times of decisions. A quantile is at most an eighth above its exact value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionTimes {
    decisions: u64,
    total: Duration,
    slowest: Duration,
    /// The number of times in each bin.
    bins: [u64; BINS],
}

/// The number of bins per power of two of nanoseconds.
const BINS_PER_OCTAVE: u32 = 8;

/// Enough for any number of nanoseconds.
const BINS: usize = (u64::BITS * BINS_PER_OCTAVE) as usize;

impl Default for DecisionTimes {
    fn default() -> Self {
        Self { decisions: 0, total: Duration::ZERO, slowest: Duration::ZERO, bins: [0; BINS] }
    }
}

impl DecisionTimes {
    /// Counts one decision that took this time.
    pub fn add(&mut self, time: Duration) {
        self.decisions += 1;
        self.total += time;
        self.slowest = self.slowest.max(time);
        self.bins[bin_of(time)] += 1;
    }

    /// Adds the times of other decisions.
    pub fn merge(&mut self, other: &Self) {
        self.decisions += other.decisions;
        self.total += other.total;
        self.slowest = self.slowest.max(other.slowest);
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, more)| *bin += more);
    }

    /// The number of decisions.
    #[must_use]
    pub const fn decisions(&self) -> u64 {
        self.decisions
    }

    /// The mean time; zero without decisions.
    #[must_use]
    pub fn mean(&self) -> Duration {
        self.total.div_f64(self.decisions.max(1) as f64)
    }

    /// The longest time; zero without decisions.
    #[must_use]
    pub const fn slowest(&self) -> Duration {
        self.slowest
    }

    /// An upper bound of this quantile, such as 0.99, at most an eighth above the exact value; zero without decisions.
    #[must_use]
    pub fn quantile(&self, part: f64) -> Duration {
        let mut counted = 0;
        for (bin, count) in self.bins.iter().enumerate() {
            counted += count;
            if *count > 0 && counted as f64 >= part * self.decisions as f64 {
                return highest_in(bin).min(self.slowest);
            }
        }
        self.slowest
    }
}

/// The logarithm of the nanoseconds, in parts of an octave.
fn bin_of(time: Duration) -> usize {
    let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1);
    let octave = nanoseconds.ilog2();
    // The three bits after the first.
    let part = if octave < 3 { (nanoseconds << (3 - octave)) & 7 } else { (nanoseconds >> (octave - 3)) & 7 };
    octave as usize * BINS_PER_OCTAVE as usize + usize::try_from(part).expect("three bits")
}

/// The longest time of a bin.
fn highest_in(bin: usize) -> Duration {
    let (octave, part) = (bin / BINS_PER_OCTAVE as usize, bin % BINS_PER_OCTAVE as usize);
    let above = ((9 + part as u128) << octave).div_ceil(8);
    Duration::from_nanos(u64::try_from(above - 1).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_bounds_within_an_eighth() {
        let mut times = DecisionTimes::default();
        assert_eq!((times.quantile(0.99), times.mean()), (Duration::ZERO, Duration::ZERO));
        for microseconds in 1..=1_000 {
            times.add(Duration::from_micros(microseconds));
        }
        assert_eq!((times.decisions(), times.slowest()), (1_000, Duration::from_millis(1)));
        assert_eq!(times.mean(), Duration::from_nanos(500_500));
        for part in [0.01, 0.5, 0.9, 0.99, 1.0] {
            let (exact, found) = (part * 1_000.0, times.quantile(part).as_nanos() as f64 / 1e3);
            assert!((exact..=1.13 * exact).contains(&found), "{part}: {found}");
        }
        let mut twice = times.clone();
        twice.merge(&times);
        assert_eq!((twice.decisions(), twice.mean(), twice.quantile(0.5)), (2_000, times.mean(), times.quantile(0.5)));
    }

    #[test]
    fn bins_contain_their_times() {
        for nanoseconds in (1..5_000).chain([u64::MAX / 3, u64::MAX]) {
            let time = Duration::from_nanos(nanoseconds);
            let bin = bin_of(time);
            assert!(
                time <= highest_in(bin) && (bin == 0 || nanoseconds < 16 || time > highest_in(bin - 1)),
                "{nanoseconds}"
            );
        }
    }
}
