//! Eight words side by side, one for each lane, and what is done with all of them at once.

use std::arch::x86_64::{
    __m512i, __mmask8, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_cmpeq_epi64_mask,
    _mm512_cmplt_epu64_mask, _mm512_mask_blend_epi64, _mm512_maskz_mov_epi64, _mm512_min_epu8, _mm512_min_epu64,
    _mm512_mul_epu32, _mm512_mullo_epi64, _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_permutexvar_epi8,
    _mm512_permutexvar_epi64, _mm512_popcnt_epi8, _mm512_popcnt_epi64, _mm512_rorv_epi32, _mm512_set1_epi64,
    _mm512_shuffle_epi8, _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_sub_epi64, _mm512_test_epi64_mask,
    _mm512_testn_epi64_mask, _mm512_xor_si512,
};

use crate::rng::{INCREMENT, MULTIPLIER, Rng};

/// A word for each lane.
pub(super) type Vector = __m512i;
/// A set of lanes, a bit for each.
pub(super) type Mask = __mmask8;

/// How many lanes a vector has.
pub(super) const WIDTH: usize = 8;

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

/// The lanes of a set, lowest first.
pub(super) fn lanes(mask: Mask) -> impl Iterator<Item = usize> {
    (0..WIDTH).filter(move |lane| mask >> lane & 1 == 1)
}

for_avx512! {
    /// The same word in every lane.
    pub(super) fn all(word: u64) -> Vector {
        _mm512_set1_epi64(word.cast_signed())
    }

    pub(super) fn and(a: Vector, b: Vector) -> Vector {
        _mm512_and_si512(a, b)
    }

    pub(super) fn or(a: Vector, b: Vector) -> Vector {
        _mm512_or_si512(a, b)
    }

    pub(super) fn xor(a: Vector, b: Vector) -> Vector {
        _mm512_xor_si512(a, b)
    }

    /// What is in `a` and not in `b`.
    pub(super) fn without(a: Vector, b: Vector) -> Vector {
        _mm512_andnot_si512(b, a)
    }

    pub(super) fn add(a: Vector, b: Vector) -> Vector {
        _mm512_add_epi64(a, b)
    }

    pub(super) fn sub(a: Vector, b: Vector) -> Vector {
        _mm512_sub_epi64(a, b)
    }

    pub(super) fn shift_left(a: Vector, bits: u64) -> Vector {
        _mm512_sllv_epi64(a, all(bits))
    }

    pub(super) fn shift_right(a: Vector, bits: u64) -> Vector {
        _mm512_srlv_epi64(a, all(bits))
    }

    /// How many bits are set.
    pub(super) fn count(a: Vector) -> Vector {
        _mm512_popcnt_epi64(a)
    }

    /// The word with just this bit.
    pub(super) fn bit(index: Vector) -> Vector {
        _mm512_sllv_epi64(all(1), index)
    }

    /// `b` in these lanes, `a` in the others.
    pub(super) fn choose(lanes: Mask, a: Vector, b: Vector) -> Vector {
        _mm512_mask_blend_epi64(lanes, a, b)
    }

    /// `a` in these lanes, 0 in the others.
    pub(super) fn only_in(lanes: Mask, a: Vector) -> Vector {
        _mm512_maskz_mov_epi64(lanes, a)
    }

    pub(super) fn are_equal(a: Vector, b: Vector) -> Mask {
        _mm512_cmpeq_epi64_mask(a, b)
    }

    pub(super) fn are_less(a: Vector, b: Vector) -> Mask {
        _mm512_cmplt_epu64_mask(a, b)
    }

    /// Where the two have a bit in common.
    pub(super) fn meet(a: Vector, b: Vector) -> Mask {
        _mm512_test_epi64_mask(a, b)
    }

    /// Where there is no bit.
    pub(super) fn are_zero(a: Vector) -> Mask {
        _mm512_testn_epi64_mask(a, a)
    }

    /// `a` counted modulo `end`, for `a` below twice `end`.
    pub(super) fn wrap(a: Vector, end: Vector) -> Vector {
        _mm512_min_epu64(a, sub(a, end))
    }

    /// The entry of a table of bytes at each index below 64.
    pub(super) fn byte_of(table: Vector, index: Vector) -> Vector {
        and(_mm512_permutexvar_epi8(index, table), all(0xff))
    }

    /// The entry of a table of words at each index below 8.
    pub(super) fn word_of(table: Vector, index: Vector) -> Vector {
        _mm512_permutexvar_epi64(index, table)
    }

    /// The entry of a table of words at each index below 16.
    pub(super) fn word_of_two([low, high]: [Vector; 2], index: Vector) -> Vector {
        _mm512_permutex2var_epi64(low, index, high)
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
        _mm512_shuffle_epi8(a, bytemuck::must_cast(LOWEST))
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
        let sums = _mm512_mullo_epi64(_mm512_popcnt_epi8(word), sum_up);
        let byte_start = shift_left(sums_up_to(sums, rank), 3);
        let below = and(_mm512_srlv_epi64(shift_left(sums, 8), byte_start), all(0xff));
        let byte = spread(_mm512_srlv_epi64(word, byte_start));
        let bits = _mm512_min_epu8(and(byte, all(0x8040_2010_0804_0201)), sum_up);
        let sums = _mm512_mullo_epi64(bits, sum_up);
        add(byte_start, sums_up_to(sums, sub(rank, below)))
    }

    /// [`Rng::bits`] in each lane: the numbers, and the states of the generators after them.
    pub(super) fn bits(states: Vector) -> (Vector, Vector) {
        let folded = shift_right(xor(shift_right(states, 18), states), 27);
        let turned = _mm512_rorv_epi32(folded, shift_right(states, 59));
        let after = add(_mm512_mullo_epi64(states, all(MULTIPLIER)), all(INCREMENT));
        (and(turned, all(LOW_HALF)), after)
    }

    /// [`Rng::below`] in each lane: the numbers, and the states of the generators after them.
    pub(super) fn below(states: Vector, bounds: Vector) -> (Vector, Vector) {
        let (bits, after) = bits(states);
        let products = _mm512_mul_epu32(bits, bounds);
        if are_less(and(products, all(LOW_HALF)), bounds) != 0 {
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
            let word = |lane: usize| mix(test << 3 | lane as u64) & mix(test % 7) | 1 << (test % 64);
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
