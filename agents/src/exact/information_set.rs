//! [`InformationSet`]: a hash of everything that a seat has seen and chosen.

use std::hash::{Hash, Hasher};

use unolab_engine::hash::mix;

/// A 128-bit hash of everything that a seat has seen and chosen in a round, in order: its information set, with perfect
/// recall. Two different histories of a game small enough to enumerate have the same hash with a probability below 10^-20.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InformationSet {
    lanes: [u64; 2],
}

impl InformationSet {
    /// A history that begins with this entry.
    pub(super) fn beginning(with: impl Hash) -> Self {
        Self { lanes: [0, 1] }.and(with)
    }

    /// The history extended by this entry.
    #[must_use]
    pub(super) fn and(self, next: impl Hash) -> Self {
        let mut hasher = TwoLanes(self.lanes);
        next.hash(&mut hasher);
        Self { lanes: hasher.0 }
    }

    /// The seed of a random stream for this history.
    pub(super) const fn seed(self) -> u64 {
        self.lanes[0]
    }
}

/// Hashes integers of any width as 64 bits, so that derived hashes are the same on machines of any word size.
struct TwoLanes([u64; 2]);

impl Hasher for TwoLanes {
    fn write_u64(&mut self, number: u64) {
        let [first, second] = self.0;
        self.0 = [mix(first ^ number), mix(second.wrapping_mul(3).wrapping_add(number))];
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut padded = [0; 8];
            padded[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(padded));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    /// Hashes the discriminant of an enum.
    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0[0]
    }
}
