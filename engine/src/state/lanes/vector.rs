//! Words side by side, one for each lane, and what is done with all of them at once.

use std::arch::x86_64::{
    __m512i, __mmask8, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_cmpeq_epi64_mask,
    _mm512_cmplt_epu64_mask, _mm512_mask_blend_epi64, _mm512_maskz_mov_epi64, _mm512_min_epu8, _mm512_min_epu64,
    _mm512_mul_epu32, _mm512_mullo_epi64, _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_permutexvar_epi8,
    _mm512_permutexvar_epi64, _mm512_popcnt_epi8, _mm512_popcnt_epi64, _mm512_rorv_epi32, _mm512_set1_epi64,
    _mm512_shuffle_epi8, _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_sub_epi64, _mm512_test_epi64_mask,
    _mm512_testn_epi64_mask, _mm512_xor_si512,
};

use crate::rng::{INCREMENT, MULTIPLIER, Rng};

/// A register of eight words.
pub(super) type Register = __m512i;
/// A word for each lane. Two registers, because the processor works on one while it waits for the other.
pub(super) type Vector = [Register; 2];

/// How many lanes a vector has.
pub(super) const WIDTH: usize = 16;

/// A set of lanes, a bit for each. The operators are those of sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mask([__mmask8; 2]);

impl Mask {
    pub(super) const NONE: Self = Self([0; 2]);

    pub(super) const fn of(lane: usize) -> Self {
        Self((1_u16 << lane).to_le_bytes())
    }

    pub(super) fn any(self) -> bool {
        self != Self::NONE
    }

    pub(super) fn contains(self, lane: usize) -> bool {
        (self & Self::of(lane)).any()
    }

    /// The lanes, lowest first.
    #[inline]
    pub(super) fn lanes(self) -> Lanes {
        Lanes(u16::from_le_bytes(self.0))
    }
}

/// The lanes of a set, lowest first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes(u16);

impl Iterator for Lanes {
    type Item = usize;
    #[inline]
    fn next(&mut self) -> Option<usize> {
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (lane < WIDTH).then_some(lane)
    }
}

impl std::ops::BitAnd for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, Self([c, d]): Self) -> Self {
        let [a, b] = self.0;
        Self([a & c, b & d])
    }
}

impl std::ops::BitOr for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, Self([c, d]): Self) -> Self {
        let [a, b] = self.0;
        Self([a | c, b | d])
    }
}

impl std::ops::BitXor for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, Self([c, d]): Self) -> Self {
        let [a, b] = self.0;
        Self([a ^ c, b ^ d])
    }
}

impl std::ops::Not for Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|half| !half))
    }
}

/// Marks functions that only code compiled for AVX-512 may call.
macro_rules! for_avx512 {
    ($($(#[$attribute:meta])* $visibility:vis fn $name:ident $arguments:tt $(-> $output:ty)? $body:block)*) => {$(
        $(#[$attribute])*
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512bitalg,avx512vpopcntdq")]
        $visibility fn $name $arguments $(-> $output)? $body
    )*};
}
pub(super) use for_avx512;

/// No card, no number, in every lane.
pub(super) const fn zero() -> Vector {
    bytemuck::must_cast([0_u64; WIDTH])
}

/// The words of a vector.
#[inline]
pub(super) fn words(vector: &Vector) -> &[u64; WIDTH] {
    bytemuck::must_cast_ref(vector)
}

/// The words of a vector, to be changed one by one.
#[inline]
pub(super) fn words_mut(vector: &mut Vector) -> &mut [u64; WIDTH] {
    bytemuck::must_cast_mut(vector)
}

for_avx512! {
    /// The same word in every lane.
    pub(super) fn all(word: u64) -> Vector {
        [_mm512_set1_epi64(word.cast_signed()); 2]
    }

    pub(super) fn and(a: Vector, b: Vector) -> Vector {
        [_mm512_and_si512(a[0], b[0]), _mm512_and_si512(a[1], b[1])]
    }

    pub(super) fn or(a: Vector, b: Vector) -> Vector {
        [_mm512_or_si512(a[0], b[0]), _mm512_or_si512(a[1], b[1])]
    }

    pub(super) fn xor(a: Vector, b: Vector) -> Vector {
        [_mm512_xor_si512(a[0], b[0]), _mm512_xor_si512(a[1], b[1])]
    }

    /// What is in `a` and not in `b`.
    pub(super) fn without(a: Vector, b: Vector) -> Vector {
        [_mm512_andnot_si512(b[0], a[0]), _mm512_andnot_si512(b[1], a[1])]
    }

    pub(super) fn add(a: Vector, b: Vector) -> Vector {
        [_mm512_add_epi64(a[0], b[0]), _mm512_add_epi64(a[1], b[1])]
    }

    pub(super) fn sub(a: Vector, b: Vector) -> Vector {
        [_mm512_sub_epi64(a[0], b[0]), _mm512_sub_epi64(a[1], b[1])]
    }

    pub(super) fn shift_left(a: Vector, bits: u64) -> Vector {
        shift_left_by(a, all(bits))
    }

    pub(super) fn shift_right(a: Vector, bits: u64) -> Vector {
        shift_right_by(a, all(bits))
    }

    pub(super) fn shift_left_by(a: Vector, bits: Vector) -> Vector {
        [_mm512_sllv_epi64(a[0], bits[0]), _mm512_sllv_epi64(a[1], bits[1])]
    }

    pub(super) fn shift_right_by(a: Vector, bits: Vector) -> Vector {
        [_mm512_srlv_epi64(a[0], bits[0]), _mm512_srlv_epi64(a[1], bits[1])]
    }

    /// The low halves of the products.
    fn multiply(a: Vector, b: Vector) -> Vector {
        [_mm512_mullo_epi64(a[0], b[0]), _mm512_mullo_epi64(a[1], b[1])]
    }

    /// How many bits are set.
    pub(super) fn count(a: Vector) -> Vector {
        [_mm512_popcnt_epi64(a[0]), _mm512_popcnt_epi64(a[1])]
    }

    /// The word with just this bit.
    pub(super) fn bit(index: Vector) -> Vector {
        shift_left_by(all(1), index)
    }

    /// `b` in these lanes, `a` in the others.
    pub(super) fn choose(Mask(lanes): Mask, a: Vector, b: Vector) -> Vector {
        [_mm512_mask_blend_epi64(lanes[0], a[0], b[0]), _mm512_mask_blend_epi64(lanes[1], a[1], b[1])]
    }

    /// `a` in these lanes, 0 in the others.
    pub(super) fn only_in(Mask(lanes): Mask, a: Vector) -> Vector {
        [_mm512_maskz_mov_epi64(lanes[0], a[0]), _mm512_maskz_mov_epi64(lanes[1], a[1])]
    }

    pub(super) fn are_equal(a: Vector, b: Vector) -> Mask {
        Mask([_mm512_cmpeq_epi64_mask(a[0], b[0]), _mm512_cmpeq_epi64_mask(a[1], b[1])])
    }

    pub(super) fn are_less(a: Vector, b: Vector) -> Mask {
        Mask([_mm512_cmplt_epu64_mask(a[0], b[0]), _mm512_cmplt_epu64_mask(a[1], b[1])])
    }

    /// Where the two have a bit in common.
    pub(super) fn meet(a: Vector, b: Vector) -> Mask {
        Mask([_mm512_test_epi64_mask(a[0], b[0]), _mm512_test_epi64_mask(a[1], b[1])])
    }

    /// Where there is no bit.
    pub(super) fn are_zero(a: Vector) -> Mask {
        Mask([_mm512_testn_epi64_mask(a[0], a[0]), _mm512_testn_epi64_mask(a[1], a[1])])
    }

    /// `a` counted modulo `end`, for `a` below twice `end`.
    pub(super) fn wrap(a: Vector, end: Vector) -> Vector {
        let wrapped = sub(a, end);
        [_mm512_min_epu64(a[0], wrapped[0]), _mm512_min_epu64(a[1], wrapped[1])]
    }

    /// The entry of a table of bytes at each index below 64.
    pub(super) fn byte_of(table: Register, index: Vector) -> Vector {
        and([_mm512_permutexvar_epi8(index[0], table), _mm512_permutexvar_epi8(index[1], table)], all(0xff))
    }

    /// The entry of a table of words at each index below 8.
    pub(super) fn word_of(table: Register, index: Vector) -> Vector {
        [_mm512_permutexvar_epi64(index[0], table), _mm512_permutexvar_epi64(index[1], table)]
    }

    /// The entry of a table of words at each index below 16.
    pub(super) fn word_of_two([low, high]: [Register; 2], index: Vector) -> Vector {
        [_mm512_permutex2var_epi64(low, index[0], high), _mm512_permutex2var_epi64(low, index[1], high)]
    }

    /// The lowest byte of each word, in all its bytes.
    fn spread(a: Vector) -> Vector {
        const LOWEST: [u8; 64] = {
            let mut from = [0; 64];
            let mut byte = 0;
            while byte < 64 {
                from[byte] = if byte & 8 == 0 { 0 } else { 8 };
                byte += 1;
            }
            from
        };
        let from = bytemuck::must_cast(LOWEST);
        [_mm512_shuffle_epi8(a[0], from), _mm512_shuffle_epi8(a[1], from)]
    }

    /// How many of the eight bytes, each a rising sum of at most 64, are at most `rank`.
    fn sums_up_to(sums: Vector, rank: Vector) -> Vector {
        let high = all(0x8080_8080_8080_8080);
        count(and(sub(or(spread(rank), high), sums), high))
    }

    /// The index of the set bit of each word that has exactly `rank` set bits below it: what [`crate::bits`] does in one
    /// word, first over bytes, then over the bits of one.
    pub(super) fn select(word: Vector, rank: Vector) -> Vector {
        let sum_up = all(0x0101_0101_0101_0101);
        let counts = [_mm512_popcnt_epi8(word[0]), _mm512_popcnt_epi8(word[1])];
        let sums = multiply(counts, sum_up);
        let byte_start = shift_left(sums_up_to(sums, rank), 3);
        let below = and(shift_right_by(shift_left(sums, 8), byte_start), all(0xff));
        let byte = spread(shift_right_by(word, byte_start));
        let bits = and(byte, all(0x8040_2010_0804_0201));
        let bits = [_mm512_min_epu8(bits[0], sum_up[0]), _mm512_min_epu8(bits[1], sum_up[1])];
        add(byte_start, sums_up_to(multiply(bits, sum_up), sub(rank, below)))
    }

    /// [`Rng::bits`] in each lane: the numbers, and the states of the generators after them.
    pub(super) fn bits(states: Vector) -> (Vector, Vector) {
        let folded = shift_right(xor(shift_right(states, 18), states), 27);
        let turns = shift_right(states, 59);
        let turned = [_mm512_rorv_epi32(folded[0], turns[0]), _mm512_rorv_epi32(folded[1], turns[1])];
        let after = add(multiply(states, all(MULTIPLIER)), all(INCREMENT));
        (and(turned, all(LOW_HALF)), after)
    }

    /// [`Rng::below`] in each lane: the numbers, and the states of the generators after them.
    pub(super) fn below(states: Vector, bounds: Vector) -> (Vector, Vector) {
        let (bits, after) = bits(states);
        let products = [_mm512_mul_epu32(bits[0], bounds[0]), _mm512_mul_epu32(bits[1], bounds[1])];
        if are_less(and(products, all(LOW_HALF)), bounds).any() {
            return below_one_by_one(states, bounds);
        }
        (shift_right(products, 32), after)
    }
}

const LOW_HALF: u64 = 0xffff_ffff;

/// [`below`] where a number may have to be thrown away.
#[cold]
fn below_one_by_one(mut states: Vector, bounds: Vector) -> (Vector, Vector) {
    let mut numbers = zero();
    for lane in 0..WIDTH {
        let mut rng = Rng::from_state(words(&states)[lane]);
        if let Ok(bound @ 1..) = u32::try_from(words(&bounds)[lane]) {
            words_mut(&mut numbers)[lane] = u64::from(rng.below(bound));
        }
        words_mut(&mut states)[lane] = rng.state();
    }
    (numbers, states)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Avx512;
    use crate::rng::mix;

    for_avx512! {
        fn select_and_below(words: Vector, ranks: Vector, bounds: Vector) -> (Vector, Vector, Vector) {
            let (numbers, states) = below(words, bounds);
            (select(words, ranks), numbers, states)
        }
    }

    #[test]
    #[expect(unsafe_code, reason = "the processor is asked first")]
    fn every_lane_does_what_one_word_does() {
        if Avx512::detect().is_none() {
            return;
        }
        for test in 0..20_000_u64 {
            let word = |lane: usize| mix(test << 4 | lane as u64) & mix(test % 7) | 1 << (test % 64);
            let rank = |lane: usize| mix(test) % u64::from(word(lane).count_ones());
            // Large bounds throw away often.
            let bound = |lane: usize| 1 + (mix(test ^ lane as u64) >> (32 + test % 32));
            let vector =
                |of: &dyn Fn(usize) -> u64| -> Vector { bytemuck::must_cast(std::array::from_fn::<_, WIDTH, _>(of)) };
            // SAFETY: the processor has just said that it has AVX-512.
            let (selected, numbers, states) = unsafe { select_and_below(vector(&word), vector(&rank), vector(&bound)) };
            for lane in 0..WIDTH {
                let mut rng = Rng::from_state(word(lane));
                let number = rng.below(u32::try_from(bound(lane)).unwrap());
                assert_eq!(words(&numbers)[lane], u64::from(number));
                assert_eq!(words(&states)[lane], rng.state());
                let index = crate::bits::select(word(lane), u32::try_from(rank(lane)).unwrap());
                assert_eq!(words(&selected)[lane], u64::from(index), "{:x} {}", word(lane), rank(lane));
            }
        }
    }
}
