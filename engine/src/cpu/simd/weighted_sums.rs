//! Weighted sums of bit-sliced counts: word `i` of four holds bit `i` of each count, at the bit of its kind.

#[cfg(native_x86_64)]
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_popcnt_epi64, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_sllv_epi64,
};

#[cfg(native_x86_64)]
use crate::cpu::isa::{Avx512, call_avx512, for_avx512};

/// The sum of the counts, each multiplied by the weight of its kind. For each bit of the weights, `weight_bits` contains the
/// kinds whose weight has this bit.
#[inline(always)]
pub(crate) fn weighted_sum(weight_bits: &[u64], [ones, twos, fours, eights]: [u64; 4]) -> u32 {
    let mut sum = 0;
    for (bit, &with_bit) in weight_bits.iter().enumerate() {
        sum += ((ones & with_bit).count_ones() + 2 * (twos & with_bit).count_ones()) << bit;
    }
    if fours | eights != 0 {
        // A count of four or more is rare.
        for (bit, &with_bit) in weight_bits.iter().enumerate() {
            sum += (4 * (fours & with_bit).count_ones() + 8 * (eights & with_bit).count_ones()) << bit;
        }
    }
    sum
}

/// The number of rows of counts in two registers.
#[cfg(native_x86_64)]
const ROWS: usize = 4;

/// [`weighted_sum`] of the first `len` rows of counts, of which there are at least `N`; with AVX-512 if the processor has it.
/// The time does not depend on the counts then.
#[inline(always)]
pub(crate) fn weighted_sums<const N: usize>(
    weight_bits: &[u64],
    len: usize,
    row: impl Fn(usize) -> [u64; 4],
) -> [u32; N] {
    let mut sums = [0; N];
    #[cfg(native_x86_64)]
    if let Some(has_avx512) = Avx512::detect() {
        let row = |number: usize| if number < N { row(number) } else { [0; 4] };
        for (group, sums) in sums.chunks_mut(ROWS).enumerate().take(len.div_ceil(ROWS)) {
            let rows = std::array::from_fn(|place| row(ROWS * group + place));
            let sums_of_rows = call_avx512!(has_avx512, sums_of_four(weight_bits, &rows));
            sums.copy_from_slice(&sums_of_rows[..sums.len()]);
        }
        return sums;
    }
    sums.iter_mut().enumerate().take(len).for_each(|(number, sum)| *sum = weighted_sum(weight_bits, row(number)));
    sums
}

#[cfg(native_x86_64)]
for_avx512! {
    /// For each bit of the weights, from the highest: doubles the sum and adds one for each copy of the kinds that have the
    /// bit.
    fn sums_of_four(weight_bits: &[u64], rows: &[[u64; 4]; ROWS]) -> [u32; ROWS] {
        // One word at a time, so that the sums stay in registers even if the compiler does not unroll the loop.
        let [of_two, of_others]: [__m512i; 2] = bytemuck::must_cast(*rows);
        let (mut sum, mut sum_of_others) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for &with_bit in weight_bits.iter().rev() {
            let with_bit = _mm512_set1_epi64(with_bit.cast_signed());
            let copies = _mm512_popcnt_epi64(_mm512_and_si512(of_two, with_bit));
            sum = _mm512_add_epi64(_mm512_add_epi64(sum, sum), copies);
            let copies = _mm512_popcnt_epi64(_mm512_and_si512(of_others, with_bit));
            sum_of_others = _mm512_add_epi64(_mm512_add_epi64(sum_of_others, sum_of_others), copies);
        }
        // A count in the second word is worth two, and so on.
        let by_word: __m512i = bytemuck::must_cast([0_u64, 1, 2, 3, 0, 1, 2, 3]);
        let of_rows: [[u64; 4]; ROWS] = bytemuck::must_cast([
            _mm512_sllv_epi64(sum, by_word),
            _mm512_sllv_epi64(sum_of_others, by_word),
        ]);
        #[expect(clippy::cast_possible_truncation, reason = "the sum of a hand fits 32 bits")]
        let sums = of_rows.map(|[ones, twos, fours, eights]| (ones + twos + fours + eights) as u32);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_sums_match_scalar_sums() {
        let weights: [u64; 64] = std::array::from_fn(|kind| (kind * 37 % 101) as u64);
        let weight_bits: Vec<u64> =
            (0..7).map(|bit| (0..64).map(|kind| (weights[kind] >> bit & 1) << kind).sum()).collect();
        let rows: [[u64; 4]; 10] =
            std::array::from_fn(|row| std::array::from_fn(|word| crate::hash::mix((4 * row + word) as u64)));
        let expected = rows.map(|row| {
            let count = |kind: usize| (0..4).map(|word| (row[word] >> kind & 1) << word).sum::<u64>();
            u32::try_from((0..64).map(|kind| weights[kind] * count(kind)).sum::<u64>()).unwrap()
        });
        assert_eq!(rows.map(|row| weighted_sum(&weight_bits, row)), expected);
        for len in 0..=10 {
            assert_eq!(weighted_sums::<10>(&weight_bits, len, |row| rows[row])[..len], expected[..len]);
        }
    }
}
