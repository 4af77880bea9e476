//! Registers of eight words, and the operations of AVX-512 on them.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_cmpeq_epi64_mask, _mm512_cmplt_epu64_mask,
    _mm512_mask_blend_epi64, _mm512_maskz_mov_epi64, _mm512_min_epu8, _mm512_min_epu64, _mm512_mul_epu32,
    _mm512_mullo_epi64, _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_permutexvar_epi8, _mm512_permutexvar_epi64,
    _mm512_popcnt_epi8, _mm512_popcnt_epi64, _mm512_rorv_epi32, _mm512_set1_epi64, _mm512_shuffle_epi8,
    _mm512_shuffle_i64x2, _mm512_sllv_epi64, _mm512_srlv_epi64, _mm512_sub_epi64, _mm512_test_epi64_mask,
    _mm512_testn_epi64_mask, _mm512_xor_si512,
};

use crate::cpu::isa::for_avx512;

/// Eight words.
pub(crate) type Register = __m512i;
/// Sixty-four bytes, or eight words, to look up.
pub(crate) type Table = Register;

for_avx512! {
    pub(super) fn all(word: u64) -> Register {
        _mm512_set1_epi64(word.cast_signed())
    }

    pub(super) fn and(a: Register, b: Register) -> Register {
        _mm512_and_si512(a, b)
    }

    pub(super) fn or(a: Register, b: Register) -> Register {
        _mm512_or_si512(a, b)
    }

    pub(super) fn xor(a: Register, b: Register) -> Register {
        _mm512_xor_si512(a, b)
    }

    pub(super) fn without(a: Register, b: Register) -> Register {
        _mm512_andnot_si512(b, a)
    }

    pub(super) fn add(a: Register, b: Register) -> Register {
        _mm512_add_epi64(a, b)
    }

    pub(super) fn sub(a: Register, b: Register) -> Register {
        _mm512_sub_epi64(a, b)
    }

    pub(super) fn shift_left_by(a: Register, bits: Register) -> Register {
        _mm512_sllv_epi64(a, bits)
    }

    pub(super) fn shift_right_by(a: Register, bits: Register) -> Register {
        _mm512_srlv_epi64(a, bits)
    }

    pub(super) fn rotate_low_half_right(a: Register, bits: Register) -> Register {
        _mm512_rorv_epi32(a, bits)
    }

    pub(super) fn multiply(a: Register, b: Register) -> Register {
        _mm512_mullo_epi64(a, b)
    }

    pub(super) fn multiply_low_halves(a: Register, b: Register) -> Register {
        _mm512_mul_epu32(a, b)
    }

    pub(super) fn count(a: Register) -> Register {
        _mm512_popcnt_epi64(a)
    }

    pub(super) fn count_bytes(a: Register) -> Register {
        _mm512_popcnt_epi8(a)
    }

    /// In each byte, the sum of the bytes up to and including it.
    pub(super) fn rising_sums(a: Register) -> Register {
        multiply(a, all(0x0101_0101_0101_0101))
    }

    /// 1 in each byte that is not zero.
    pub(super) fn non_zero_bytes(a: Register) -> Register {
        _mm512_min_epu8(a, all(0x0101_0101_0101_0101))
    }

    /// The lowest byte of each word, repeated in all its bytes.
    pub(super) fn spread(a: Register) -> Register {
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

    pub(super) fn choose(lanes: u8, a: Register, b: Register) -> Register {
        _mm512_mask_blend_epi64(lanes, a, b)
    }

    pub(super) fn only_in(lanes: u8, a: Register) -> Register {
        _mm512_maskz_mov_epi64(lanes, a)
    }

    pub(super) fn are_equal(a: Register, b: Register) -> u8 {
        _mm512_cmpeq_epi64_mask(a, b)
    }

    pub(super) fn are_less(a: Register, b: Register) -> u8 {
        _mm512_cmplt_epu64_mask(a, b)
    }

    pub(super) fn meet(a: Register, b: Register) -> u8 {
        _mm512_test_epi64_mask(a, b)
    }

    pub(super) fn are_zero(a: Register) -> u8 {
        _mm512_testn_epi64_mask(a, a)
    }

    /// `a` if it is below `end`, otherwise `a - end`.
    pub(super) fn wrap(a: Register, end: Register) -> Register {
        _mm512_min_epu64(a, sub(a, end))
    }

    pub(super) fn byte_of(table: &Table, index: Register) -> Register {
        and(_mm512_permutexvar_epi8(index, *table), all(0xff))
    }

    /// The word at each index below 8.
    pub(super) fn word_of(table: &Table, index: Register) -> Register {
        _mm512_permutexvar_epi64(index, *table)
    }

    /// The word at each index below 16.
    pub(super) fn word_of_two([low, high]: &[Table; 2], index: Register) -> Register {
        _mm512_permutex2var_epi64(*low, index, *high)
    }

    /// The columns of eight rows.
    pub(super) fn columns_of(rows: [[u64; 4]; 8]) -> [Register; 4] {
        let [a, b, c, d]: [Register; 4] = bytemuck::must_cast(rows);
        let [first_two, last_two] = CORNERS.map(bytemuck::must_cast);
        let (top, bottom) = (
            [_mm512_permutex2var_epi64(a, first_two, b), _mm512_permutex2var_epi64(a, last_two, b)],
            [_mm512_permutex2var_epi64(c, first_two, d), _mm512_permutex2var_epi64(c, last_two, d)],
        );
        [
            _mm512_shuffle_i64x2::<LOW_HALVES>(top[0], bottom[0]),
            _mm512_shuffle_i64x2::<HIGH_HALVES>(top[0], bottom[0]),
            _mm512_shuffle_i64x2::<LOW_HALVES>(top[1], bottom[1]),
            _mm512_shuffle_i64x2::<HIGH_HALVES>(top[1], bottom[1]),
        ]
    }

    /// The rows of four columns.
    pub(super) fn rows_of([a, b, c, d]: [Register; 4]) -> [[u64; 4]; 8] {
        let [first_two, last_two] = CORNERS.map(bytemuck::must_cast);
        let top = [_mm512_shuffle_i64x2::<LOW_HALVES>(a, b), _mm512_shuffle_i64x2::<LOW_HALVES>(c, d)];
        let bottom = [_mm512_shuffle_i64x2::<HIGH_HALVES>(a, b), _mm512_shuffle_i64x2::<HIGH_HALVES>(c, d)];
        bytemuck::must_cast([
            _mm512_permutex2var_epi64(top[0], first_two, top[1]),
            _mm512_permutex2var_epi64(top[0], last_two, top[1]),
            _mm512_permutex2var_epi64(bottom[0], first_two, bottom[1]),
            _mm512_permutex2var_epi64(bottom[0], last_two, bottom[1]),
        ])
    }
}

/// Two registers with two rows of four words each are a matrix of four by four: the indices of its first two columns, and of
/// its last two.
const CORNERS: [[u64; 8]; 2] = [[0, 4, 8, 12, 1, 5, 9, 13], [2, 6, 10, 14, 3, 7, 11, 15]];
/// The low half of each of two registers.
const LOW_HALVES: i32 = 0b01_00_01_00;
/// The high half of each of two registers.
const HIGH_HALVES: i32 = 0b11_10_11_10;
