//! Vectors with one word per lane, and their operations.

use super::for_instructions;
use super::registers::{self, Register};
use crate::cpu::simd::LaneNumbers;
use crate::rng::{INCREMENT, MULTIPLIER, Rng};

pub(crate) use super::registers::Table;

/// A word for each lane. With several registers, the processor works on others while it waits for one: with AVX-512, whole
/// rounds took about 5% less time with four registers than with two, and about 17% more with one.
pub(crate) type Vector = [Register; REGISTERS];

const REGISTERS: usize = 4;

/// Four words of a lane, which are read and written together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct Row(pub(crate) [u64; 4]);

/// The rows of each lane.
pub(crate) type Rows = [[Row; ROWS]; WIDTH];

/// A power of two, so that no index has to be checked.
pub(crate) const ROWS: usize = 16;

/// The number of lanes of a vector.
pub(crate) const WIDTH: usize = 8 * REGISTERS;

/// A set of lanes, a bit for each. The operators are those of sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mask([u8; REGISTERS]);

impl Mask {
    pub(crate) const NONE: Self = Self([0; REGISTERS]);

    pub(crate) const fn of(lane: usize) -> Self {
        Self((1_u32 << lane).to_le_bytes())
    }

    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        self.bits() != 0
    }

    pub(crate) fn contains(self, lane: usize) -> bool {
        (self & Self::of(lane)).any()
    }

    /// The lanes, lowest first.
    #[inline]
    pub(crate) fn lanes(self) -> LaneNumbers {
        LaneNumbers(self.bits())
    }

    #[inline(always)]
    const fn bits(self) -> u32 {
        u32::from_le_bytes(self.0)
    }
}

impl std::ops::BitAnd for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(each_two(self.0, other.0, |a, b| a & b))
    }
}

impl std::ops::BitOr for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(each_two(self.0, other.0, |a, b| a | b))
    }
}

impl std::ops::BitXor for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(each_two(self.0, other.0, |a, b| a ^ b))
    }
}

impl std::ops::Not for Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(each(self.0, |lanes| !lanes))
    }
}

/// Applies a function to each register. (Written out, because functions for arrays of any length are not always inlined.)
#[inline(always)]
fn each<A, R>([a, b, c, d]: [A; REGISTERS], f: impl Fn(A) -> R) -> [R; REGISTERS] {
    [f(a), f(b), f(c), f(d)]
}

/// Applies a function to each pair of registers.
#[inline(always)]
fn each_two<A, B, R>([a, b, c, d]: [A; REGISTERS], others: [B; REGISTERS], f: impl Fn(A, B) -> R) -> [R; REGISTERS] {
    let [e, g, h, i] = others;
    [f(a, e), f(b, g), f(c, h), f(d, i)]
}

/// 0 in every lane.
pub(crate) const fn zero() -> Vector {
    bytemuck::must_cast([0_u64; WIDTH])
}

/// The rows of the eight lanes from this one on. (Written out: as a loop, it made a turn 25% slower.)
#[inline(always)]
fn rows_at(rows: &Rows, at: &[u64; WIDTH], first: usize) -> [[u64; 4]; 8] {
    let row = |place: usize| {
        let lane = first + place;
        rows[lane][row_of(at[lane])].0
    };
    [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)]
}

/// The position of the row with this index.
#[expect(clippy::cast_possible_truncation, reason = "an index is small")]
#[inline(always)]
const fn row_of(index: u64) -> usize {
    index as usize % ROWS
}

/// The words of a vector.
#[inline]
pub(crate) fn words(vector: &Vector) -> &[u64; WIDTH] {
    bytemuck::must_cast_ref(vector)
}

/// The words of a vector, to be changed one by one.
#[inline]
pub(crate) fn words_mut(vector: &mut Vector) -> &mut [u64; WIDTH] {
    bytemuck::must_cast_mut(vector)
}

for_instructions! {
    /// The same word in every lane.
    pub(crate) fn all(word: u64) -> Vector {
        [registers::all(word); REGISTERS]
    }

    pub(crate) fn and(a: Vector, b: Vector) -> Vector {
        each_two(a, b, |a, b| registers::and(a, b))
    }

    pub(crate) fn or(a: Vector, b: Vector) -> Vector {
        each_two(a, b, |a, b| registers::or(a, b))
    }

    pub(crate) fn xor(a: Vector, b: Vector) -> Vector {
        each_two(a, b, |a, b| registers::xor(a, b))
    }

    /// The bits of `a` without those of `b`.
    pub(crate) fn without(a: Vector, b: Vector) -> Vector {
        each_two(a, b, |a, b| registers::without(a, b))
    }

    pub(crate) fn add(a: Vector, b: Vector) -> Vector {
        each_two(a, b, |a, b| registers::add(a, b))
    }

    pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
        each_two(a, b, |a, b| registers::sub(a, b))
    }

    pub(crate) fn shift_left(a: Vector, bits: u64) -> Vector {
        shift_left_by(a, all(bits))
    }

    pub(crate) fn shift_right(a: Vector, bits: u64) -> Vector {
        shift_right_by(a, all(bits))
    }

    pub(crate) fn shift_left_by(a: Vector, bits: Vector) -> Vector {
        each_two(a, bits, |a, bits| registers::shift_left_by(a, bits))
    }

    pub(crate) fn shift_right_by(a: Vector, bits: Vector) -> Vector {
        each_two(a, bits, |a, bits| registers::shift_right_by(a, bits))
    }

    /// The low halves of the products.
    pub(crate) fn multiply(a: Vector, b: Vector) -> Vector {
        each_two(a, b, |a, b| registers::multiply(a, b))
    }

    /// The number of set bits.
    pub(crate) fn count(a: Vector) -> Vector {
        each(a, |a| registers::count(a))
    }

    /// The word with only this bit set.
    pub(crate) fn bit(index: Vector) -> Vector {
        shift_left_by(all(1), index)
    }

    /// `b` in these lanes, `a` in the others.
    pub(crate) fn choose(Mask(lanes): Mask, a: Vector, b: Vector) -> Vector {
        let pairs = each_two(a, b, |a, b| (a, b));
        each_two(lanes, pairs, |lanes, (a, b)| registers::choose(lanes, a, b))
    }

    /// `a` in these lanes, 0 in the others.
    pub(crate) fn only_in(Mask(lanes): Mask, a: Vector) -> Vector {
        each_two(lanes, a, |lanes, a| registers::only_in(lanes, a))
    }

    pub(crate) fn are_equal(a: Vector, b: Vector) -> Mask {
        Mask(each_two(a, b, |a, b| registers::are_equal(a, b)))
    }

    pub(crate) fn are_less(a: Vector, b: Vector) -> Mask {
        Mask(each_two(a, b, |a, b| registers::are_less(a, b)))
    }

    /// The lanes in which both have a common bit.
    pub(crate) fn meet(a: Vector, b: Vector) -> Mask {
        Mask(each_two(a, b, |a, b| registers::meet(a, b)))
    }

    /// The lanes with the word 0.
    pub(crate) fn are_zero(a: Vector) -> Mask {
        Mask(each(a, |a| registers::are_zero(a)))
    }

    /// `a` modulo `end`, for `a` below twice `end`.
    pub(crate) fn wrap(a: Vector, end: Vector) -> Vector {
        each_two(a, end, |a, end| registers::wrap(a, end))
    }

    /// The entry in the row of each lane at its index below [`ROWS`], column by column. It is compiled for each kind of step:
    /// a function with one caller is inlined, and a call would pass vectors in memory.
    pub(crate) fn columns_at<const HAS_BUTTON: bool>(rows: &Rows, at: Vector) -> [Vector; 4] {
        let at = words(&at);
        let of = |first: usize| registers::columns_of(rows_at(rows, at, first));
        let [[a, b, c, d], [e, f, g, h], [i, j, k, l], [m, n, o, p]] = [of(0), of(8), of(16), of(24)];
        [[a, e, i, m], [b, f, j, n], [c, g, k, o], [d, h, l, p]]
    }

    /// Writes these columns at the indices. (Not inlined: it used registers that steps with a button need, and a turn of
    /// `disney` took 10% longer.)
    pub(crate) fn scatter_columns(rows: &mut Rows, at: Vector, columns: [Vector; 4]) {
        let at = words(&at);
        let [[a, e, i, m], [b, f, j, n], [c, g, k, o], [d, h, l, p]] = columns;
        for (register, columns) in [[a, b, c, d], [e, f, g, h], [i, j, k, l], [m, n, o, p]].into_iter().enumerate() {
            for (place, row) in registers::rows_of(columns).into_iter().enumerate() {
                let lane = 8 * register + place;
                rows[lane][row_of(at[lane])] = Row(row);
            }
        }
    }

    /// The entry of a table of bytes at each index below 64.
    pub(crate) fn byte_of(table: &Table, index: Vector) -> Vector {
        each(index, |index| registers::byte_of(table, index))
    }

    /// The entry of a table of words at each index below 8.
    pub(crate) fn word_of(table: &Table, index: Vector) -> Vector {
        each(index, |index| registers::word_of(table, index))
    }

    /// The entry of a table of words at each index below 16.
    pub(crate) fn word_of_two(tables: &[Table; 2], index: Vector) -> Vector {
        each(index, |index| registers::word_of_two(tables, index))
    }

    /// The lowest byte of each word, repeated in all its bytes.
    fn spread(a: Vector) -> Vector {
        each(a, |a| registers::spread(a))
    }

    /// The number of bytes that are at most `rank`; the eight bytes are rising sums of at most 64.
    fn sums_up_to(sums: Vector, rank: Vector) -> Vector {
        let high = all(0x8080_8080_8080_8080);
        count(and(sub(or(spread(rank), high), sums), high))
    }

    /// The index of the set bit of each word that has exactly `rank` set bits below it. Like [`crate::cpu::bits`], it
    /// searches first the bytes of the word and then the bits of one byte.
    pub(crate) fn select(word: Vector, rank: Vector) -> Vector {
        let sums = each(word, |word| registers::rising_sums(registers::count_bytes(word)));
        let byte_start = shift_left(sums_up_to(sums, rank), 3);
        let below = and(shift_right_by(shift_left(sums, 8), byte_start), all(0xff));
        let byte = spread(shift_right_by(word, byte_start));
        let bits = and(byte, all(0x8040_2010_0804_0201));
        let sums = each(bits, |bits| registers::rising_sums(registers::non_zero_bytes(bits)));
        add(byte_start, sums_up_to(sums, sub(rank, below)))
    }

    /// [`Rng::bits`] in each lane: the numbers, and the states of the generators after them.
    pub(crate) fn bits(states: Vector) -> (Vector, Vector) {
        let folded = shift_right(xor(shift_right(states, 18), states), 27);
        let turns = shift_right(states, 59);
        let turned = each_two(folded, turns, |folded, turns| registers::rotate_low_half_right(folded, turns));
        let after = add(multiply(states, all(MULTIPLIER)), all(INCREMENT));
        (and(turned, all(LOW_HALF)), after)
    }

    /// [`Rng::below`] in each lane: the numbers, and the states of the generators after them.
    pub(crate) fn below(states: Vector, bounds: Vector) -> (Vector, Vector) {
        let (bits, after) = bits(states);
        match scaled_unless_unfair(bits, bounds) {
            Some(numbers) => (numbers, after),
            None => below_one_by_one(states, bounds),
        }
    }

    fn scaled_unless_unfair(bits: Vector, bounds: Vector) -> Option<Vector> {
        let products = each_two(bits, bounds, |bits, bounds| registers::multiply_low_halves(bits, bounds));
        let may_be_unfair = are_less(and(products, all(LOW_HALF)), bounds).any();
        (!may_be_unfair).then(|| shift_right(products, 32))
    }
}

const LOW_HALF: u64 = 0xffff_ffff;

/// [`below`] if a number may have to be rejected.
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
    use super::super::{Instructions, call_compiled};
    use super::*;
    use crate::hash::mix;

    for_instructions! {
        fn select_and_below(words: Vector, ranks: Vector, bounds: Vector) -> (Vector, Vector, Vector) {
            let (numbers, states) = below(words, bounds);
            (select(words, ranks), numbers, states)
        }
    }

    #[test]
    fn every_lane_matches_scalar_word() {
        let Some(has_them) = Instructions::detect() else { return eprintln!("SKIPPED: this processor has no AVX-512") };
        for test in 0..20_000_u64 {
            let word = |lane: usize| mix(test << 4 | lane as u64) & mix(test % 7) | 1 << (test % 64);
            let rank = |lane: usize| mix(test) % u64::from(word(lane).count_ones());
            // Large bounds cause many rejections.
            let bound = |lane: usize| 1 + (mix(test ^ lane as u64) >> (32 + test % 32));
            let vector =
                |of: &dyn Fn(usize) -> u64| -> Vector { bytemuck::must_cast(std::array::from_fn::<_, WIDTH, _>(of)) };
            let (selected, numbers, states) =
                call_compiled!(has_them, select_and_below(vector(&word), vector(&rank), vector(&bound)));
            for lane in 0..WIDTH {
                let mut rng = Rng::from_state(word(lane));
                let number = rng.below(u32::try_from(bound(lane)).unwrap());
                assert_eq!(words(&numbers)[lane], u64::from(number));
                assert_eq!(words(&states)[lane], rng.state());
                let index = crate::cpu::bits::Counted::of(word(lane)).select(u32::try_from(rank(lane)).unwrap());
                assert_eq!(words(&selected)[lane], u64::from(index), "{:x} {}", word(lane), rank(lane));
            }
        }
    }
}
