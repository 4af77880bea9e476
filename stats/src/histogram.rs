//! Counts of sizes in a bounded number of bins: small sizes are exact, large ones are accurate to 1/64.
//!
//! The bins are as in HdrHistogram (Gil Tene): each power of two from [`EXACT_BELOW`] on has the same number of bins. Bins
//! are nested, so that they can be merged exactly into wider bins.

use serde::{Deserialize, Serialize};

/// Sizes below this have a bin each.
pub const EXACT_BELOW: u32 = 1 << EXACT_BITS;

const EXACT_BITS: u32 = 7;

/// The number of bins, up to the largest number.
const BINS: usize = bin_of(u32::MAX) + 1;

/// The number of bins of each power of two, from [`EXACT_BELOW`] on.
const BINS_PER_OCTAVE: u32 = EXACT_BELOW / 2;

/// Counts of sizes. Histograms of different games, added in any order, give the same counts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Histogram {
    /// Up to the bin of the largest counted size: at most [`BINS`].
    counts: Vec<u64>,
}

/// Sizes that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bin {
    /// The smallest.
    pub low: u32,
    /// The largest.
    pub high: u32,
    /// How often they occurred.
    pub count: u64,
}

impl Histogram {
    /// Counts one occurrence of this size.
    #[inline]
    pub fn add(&mut self, size: u32) {
        let bin = bin_of(size);
        if bin >= self.counts.len() {
            self.counts.resize(bin + 1, 0);
        }
        self.counts[bin] += 1;
    }

    /// Adds the counts of other games.
    pub fn merge(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
    }

    /// The number of counted sizes; `None` if a bin does not exist or a count is too large.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        let mut counts = self.counts.iter();
        if self.counts.len() > BINS { None } else { counts.try_fold(0_u64, |sum, &count| sum.checked_add(count)) }
    }

    /// Bounds of the sum of the counted sizes.
    #[must_use]
    pub fn sum_bounds(&self) -> (u128, u128) {
        self.bins().fold((0, 0), |(least, most), bin| {
            let times = u128::from(bin.count);
            (least + times * u128::from(bin.low), most + times * u128::from(bin.high))
        })
    }

    /// The nonempty bins, in ascending order.
    pub fn bins(&self) -> impl Iterator<Item = Bin> {
        (0..).zip(&self.counts).filter(|&(_, &count)| count > 0).map(|(bin, &count)| {
            let low = lowest_in(bin);
            Bin { low, high: low + (width_of(bin) - 1), count }
        })
    }
}

const fn bin_of(size: u32) -> usize {
    if size < EXACT_BELOW {
        return size as usize;
    }
    let octave = size.ilog2() - EXACT_BITS;
    // The leading bit of `size >> shift` represents the octave's own share of bins.
    let shift = octave + 1;
    (EXACT_BELOW + octave * BINS_PER_OCTAVE + ((size >> shift) - BINS_PER_OCTAVE)) as usize
}

const fn width_of(bin: u32) -> u32 {
    if bin < EXACT_BELOW { 1 } else { 2 << ((bin - EXACT_BELOW) / BINS_PER_OCTAVE) }
}

const fn lowest_in(bin: u32) -> u32 {
    if bin < EXACT_BELOW { bin } else { ((bin - EXACT_BELOW) % BINS_PER_OCTAVE + BINS_PER_OCTAVE) * width_of(bin) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sizes: &[u32]) -> Histogram {
        let mut histogram = Histogram::default();
        sizes.iter().for_each(|&size| histogram.add(size));
        histogram
    }

    #[test]
    fn bins_are_contiguous_and_bounded() {
        let last = bin_of(u32::MAX);
        assert_eq!((last, BINS), (1727, 1728));
        let mut next = 0;
        for bin in 0..=u32::try_from(last).unwrap() {
            let (low, width) = (lowest_in(bin), width_of(bin));
            assert_eq!(low, next, "bin {bin}");
            let high = low + (width - 1);
            assert_eq!((bin_of(low), bin_of(high)), (bin as usize, bin as usize));
            assert!(width == 1 || low / width >= 64, "to within 1/64");
            next = high.wrapping_add(1);
        }
        assert_eq!(next, 0, "up to the largest number");
    }

    #[test]
    fn size_is_counted_in_its_bin() {
        let bins: Vec<Bin> = of(&[0, 3, 3, 127, 128, 129, 130, 1000]).bins().collect();
        let expected = [(0, 0, 1), (3, 3, 2), (127, 127, 1), (128, 129, 2), (130, 131, 1), (1000, 1007, 1)];
        assert_eq!(bins, expected.map(|(low, high, count)| Bin { low, high, count }));
    }

    #[test]
    fn sum_of_sizes_is_between_sums_of_bin_ends() {
        assert_eq!(of(&[3, 3, 127]).sum_bounds(), (133, 133));
        assert_eq!(of(&[3, 129, 1000]).sum_bounds(), (3 + 128 + 1000, 3 + 129 + 1007));
    }

    #[test]
    fn total_requires_counted_sizes() {
        assert_eq!(of(&[0, 3, 3, u32::MAX]).total(), Some(4));
        assert_eq!(Histogram { counts: vec![0; BINS + 1] }.total(), None);
        assert_eq!(Histogram { counts: vec![u64::MAX, 1] }.total(), None);
    }

    #[test]
    fn counting_and_merging_are_order_independent() {
        let mut parts = of(&[500]);
        parts.merge(&of(&[2, 2]));
        parts.merge(&Histogram::default());
        assert_eq!(parts, of(&[2, 500, 2]));
    }
}
