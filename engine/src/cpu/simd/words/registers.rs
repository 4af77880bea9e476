//! Registers of eight words, and the AVX-512 operations on them, written word by word.

/// Eight words.
pub(crate) type Register = [u64; 8];
/// Sixty-four bytes, or eight words, to look up.
pub(crate) type Table = Register;

fn each(a: Register, f: impl Fn(u64) -> u64) -> Register {
    a.map(f)
}

fn each_two(a: Register, b: Register, f: impl Fn(u64, u64) -> u64) -> Register {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

fn lanes_where(a: Register, b: Register, f: impl Fn(u64, u64) -> bool) -> u8 {
    (0..8).map(|lane| u8::from(f(a[lane], b[lane])) << lane).sum()
}

/// Applies a function to each byte of a word.
fn bytes(word: u64, f: impl Fn(u8) -> u8) -> u64 {
    u64::from_le_bytes(word.to_le_bytes().map(f))
}

pub(super) fn all(word: u64) -> Register {
    [word; 8]
}

pub(super) fn and(a: Register, b: Register) -> Register {
    each_two(a, b, |a, b| a & b)
}

pub(super) fn or(a: Register, b: Register) -> Register {
    each_two(a, b, |a, b| a | b)
}

pub(super) fn xor(a: Register, b: Register) -> Register {
    each_two(a, b, |a, b| a ^ b)
}

pub(super) fn without(a: Register, b: Register) -> Register {
    each_two(a, b, |a, b| a & !b)
}

pub(super) fn add(a: Register, b: Register) -> Register {
    each_two(a, b, u64::wrapping_add)
}

pub(super) fn sub(a: Register, b: Register) -> Register {
    each_two(a, b, u64::wrapping_sub)
}

/// A shift by 64 or more gives 0.
pub(super) fn shift_left_by(a: Register, bits: Register) -> Register {
    each_two(a, bits, |a, bits| if bits < 64 { a << bits } else { 0 })
}

/// A shift by 64 or more gives 0.
pub(super) fn shift_right_by(a: Register, bits: Register) -> Register {
    each_two(a, bits, |a, bits| if bits < 64 { a >> bits } else { 0 })
}

/// The result in the high halves is unspecified.
pub(super) fn rotate_low_half_right(a: Register, bits: Register) -> Register {
    each_two(a, bits, |a, bits| (a << 32 | a & 0xffff_ffff) >> (bits & 31))
}

pub(super) fn multiply(a: Register, b: Register) -> Register {
    each_two(a, b, u64::wrapping_mul)
}

pub(super) fn multiply_low_halves(a: Register, b: Register) -> Register {
    each_two(a, b, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff))
}

pub(super) fn count(a: Register) -> Register {
    each(a, |a| u64::from(a.count_ones()))
}

pub(super) fn count_bytes(a: Register) -> Register {
    each(a, |a| bytes(a, |byte| (0..8).map(|bit| byte >> bit & 1).sum()))
}

/// In each byte, the sum of the bytes up to and including it.
pub(super) fn rising_sums(a: Register) -> Register {
    multiply(a, all(0x0101_0101_0101_0101))
}

/// 1 in each byte that is not zero.
pub(super) fn non_zero_bytes(a: Register) -> Register {
    each(a, |a| bytes(a, |byte| byte.min(1)))
}

/// The lowest byte of each word, repeated in all its bytes.
pub(super) fn spread(a: Register) -> Register {
    each(a, |a| (a & 0xff) * 0x0101_0101_0101_0101)
}

pub(super) fn choose(lanes: u8, a: Register, b: Register) -> Register {
    std::array::from_fn(|number| if lanes >> number & 1 == 0 { a[number] } else { b[number] })
}

pub(super) fn only_in(lanes: u8, a: Register) -> Register {
    choose(lanes, all(0), a)
}

pub(super) fn are_equal(a: Register, b: Register) -> u8 {
    lanes_where(a, b, |a, b| a == b)
}

pub(super) fn are_less(a: Register, b: Register) -> u8 {
    lanes_where(a, b, |a, b| a < b)
}

pub(super) fn meet(a: Register, b: Register) -> u8 {
    lanes_where(a, b, |a, b| a & b != 0)
}

pub(super) fn are_zero(a: Register) -> u8 {
    are_equal(a, all(0))
}

/// `a` if it is below `end`, otherwise `a - end`.
pub(super) fn wrap(a: Register, end: Register) -> Register {
    each_two(a, end, |a, end| if a < end { a } else { a - end })
}

/// The byte at each index modulo 64.
pub(super) fn byte_of(table: &Table, index: Register) -> Register {
    let table: &[u8; 64] = bytemuck::must_cast_ref(table);
    each(index, |index| u64::from(table[(index & 63) as usize]))
}

/// The word at each index modulo 8.
pub(super) fn word_of(table: &Table, index: Register) -> Register {
    each(index, |index| table[(index & 7) as usize])
}

/// The word at each index modulo 16.
pub(super) fn word_of_two(tables: &[Table; 2], index: Register) -> Register {
    let words: &[u64; 16] = bytemuck::must_cast_ref(tables);
    each(index, |index| words[(index & 15) as usize])
}

/// The columns of eight rows.
pub(super) fn columns_of(rows: [[u64; 4]; 8]) -> [Register; 4] {
    std::array::from_fn(|column| rows.map(|row| row[column]))
}

/// The rows of four columns.
pub(super) fn rows_of(columns: [Register; 4]) -> [[u64; 4]; 8] {
    std::array::from_fn(|row| columns.map(|column| column[row]))
}
