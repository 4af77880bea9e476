//! Rank and select in a machine word, and its bits as bytes.

/// A word with its bits counted, for [`Counted::count`] and [`Counted::select`].
///
/// Without branches: counts halves, quarters, and bytes of the word, as in Vigna, "Broadword implementation of rank/select
/// queries" (2008). This is fast on the x86-64 baseline, which has neither `popcnt` nor `pdep`.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    word: u64,
    /// Byte i counts the set bits of bytes 0..=i.
    sums: u64,
}

const ONES: u64 = 0x0101_0101_0101_0101;

impl Counted {
    #[inline]
    pub(crate) const fn of(word: u64) -> Self {
        let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
        let sums = ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
        Self { word, sums }
    }

    /// How many bits are set.
    #[inline]
    pub(crate) const fn count(self) -> u32 {
        (self.sums >> 56) as u32
    }

    /// The index of the set bit that has exactly `rank` set bits below it.
    #[inline]
    pub(crate) fn select(self, rank: u32) -> u8 {
        const HIGH: u64 = 0x8080_8080_8080_8080;
        let Self { word, sums } = self;
        debug_assert!(rank < self.count());
        // Bytes whose sum is at most `rank` are entirely below the requested bit.
        let spread = u64::from(rank).wrapping_mul(ONES);
        let below = ((spread | HIGH) - sums) & HIGH;
        let byte_shift = (((below >> 7).wrapping_mul(ONES) >> 56) * 8) & 63;
        let rank_in_byte = u64::from(rank).wrapping_sub(((sums << 8) >> byte_shift) & 0xff);
        let byte = ((word >> byte_shift) & 0xff) as usize;
        let base = byte_shift as u8;
        base + SELECT_IN_BYTE[(rank_in_byte & 7) as usize][byte]
    }
}

/// `SELECT_IN_BYTE[rank][byte]`: the position of the set bit of that rank in the byte.
static SELECT_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[rank][byte] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The bits of `word` as bytes of 0 and 1, the lowest bit first.
#[inline]
pub(crate) fn spread(word: u64) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (bytes, byte) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(word.to_le_bytes()) {
        *bytes = SPREAD[usize::from(byte)];
    }
    bytes
}

/// By byte: its bits as bytes of 0 and 1, the lowest first.
static SPREAD: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1 == 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn select_slowly(word: u64, rank: u32) -> u8 {
        (0..64).filter(|bit| word >> bit & 1 == 1).nth(rank as usize).unwrap()
    }

    #[test]
    fn select_finds_every_set_bit() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..2_000_u64 {
            word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(round);
            for sample in [word, word & word.rotate_left(17), word | word.rotate_left(9), 1 << (round % 64), u64::MAX] {
                assert_eq!(Counted::of(sample).count(), sample.count_ones());
                for rank in 0..sample.count_ones() {
                    assert_eq!(Counted::of(sample).select(rank), select_slowly(sample, rank), "{sample:x} {rank}");
                }
            }
        }
    }
}
