//! [`Seat`], sets of seats, the direction of play and the turn order.

use std::fmt;
use std::ops::{Index, IndexMut, Sub};

/// The most seats a table can have.
pub const MAX_SEATS: usize = 10;

/// A seat at the table, numbered from 0 to the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(SeatNumber);

/// An enum instead of an integer, so that the compiler knows that there is no other number, and does not check an index by seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
enum SeatNumber {
    S0,
    S1,
    S2,
    S3,
    S4,
    S5,
    S6,
    S7,
    S8,
    S9,
}

impl Seat {
    /// Every seat, by its number.
    const ALL: [Self; MAX_SEATS] = {
        use SeatNumber::{S0, S1, S2, S3, S4, S5, S6, S7, S8, S9};
        [Self(S0), Self(S1), Self(S2), Self(S3), Self(S4), Self(S5), Self(S6), Self(S7), Self(S8), Self(S9)]
    };

    /// The seat with this number.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_SEATS`].
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_SEATS, "a table has at most ten seats");
        Self::ALL[index]
    }

    /// The seat with this number, if there can be one.
    #[must_use]
    #[inline]
    pub const fn try_new(index: usize) -> Option<Self> {
        if index < MAX_SEATS { Some(Self::new(index)) } else { None }
    }

    /// The number of the seat, for indexing.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` seats, from 0.
    #[inline]
    pub fn first(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        Self::ALL[..count].iter().copied()
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Seat").field(&self.index()).finish()
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index().fmt(f)
    }
}

/// One value for each seat that a table can have, indexed by [`Seat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BySeat<T>([T; MAX_SEATS]);

impl<T> BySeat<T> {
    /// The value of each seat, by its number.
    #[must_use]
    pub const fn new(values: [T; MAX_SEATS]) -> Self {
        Self(values)
    }

    /// The result of `value` for each seat.
    #[must_use]
    pub fn from_fn(mut value: impl FnMut(Seat) -> T) -> Self {
        Self(std::array::from_fn(|index| value(Seat::new(index))))
    }

    /// The values by the number of the seat.
    #[must_use]
    #[inline]
    pub const fn as_array(&self) -> &[T; MAX_SEATS] {
        &self.0
    }

    /// The values of the first seats.
    ///
    /// # Panics
    /// If there are not as many seats.
    #[must_use]
    #[inline]
    pub fn first(&self, seats: usize) -> &[T] {
        &self.0[..seats]
    }

    /// The result of `value` for the value of each seat.
    #[must_use]
    #[inline]
    pub fn map<U>(self, value: impl FnMut(T) -> U) -> BySeat<U> {
        BySeat(self.0.map(value))
    }

    /// The values, seat 0 first.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Mutable values, seat 0 first.
    #[inline]
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

impl<T> From<[T; MAX_SEATS]> for BySeat<T> {
    fn from(values: [T; MAX_SEATS]) -> Self {
        Self(values)
    }
}

/// The values of the first seats; the others have the default.
impl<T: Default> FromIterator<T> for BySeat<T> {
    /// # Panics
    /// If there are more values than seats.
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut by_seat = Self(std::array::from_fn(|_| T::default()));
        values.into_iter().enumerate().for_each(|(seat, value)| by_seat[Seat::new(seat)] = value);
        by_seat
    }
}

impl<T> IntoIterator for BySeat<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, MAX_SEATS>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a mut BySeat<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<'a, T> IntoIterator for &'a BySeat<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The direction of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// From seat 0 to seat 1: the initial direction of every round.
    #[default]
    Left,
    /// From seat 1 to seat 0.
    Right,
}

impl Direction {
    /// The opposite direction.
    #[must_use]
    #[inline]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// The direction after a card, which may reverse it.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn turned(self, turn: DirectionChange) -> Self {
        match turn {
            DirectionChange::Keeps => self,
            DirectionChange::Reverses => self.reversed(),
        }
    }

    /// `left` or `right`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The direction with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Left, Self::Right].into_iter().find(|direction| direction.name() == name)
    }
}

/// Whether a card reverses the direction of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DirectionChange {
    Keeps,
    Reverses,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SeatSet(u16);

impl SeatSet {
    /// No seat.
    pub const EMPTY: Self = Self(0);

    /// The first `count` seats.
    #[must_use]
    pub const fn first(count: usize) -> Self {
        Self((1 << count) - 1)
    }

    /// The set that contains only this seat.
    #[must_use]
    #[inline]
    pub const fn of(seat: Seat) -> Self {
        Self(1 << seat.index())
    }

    /// This seat and every second seat from it, in both directions.
    #[must_use]
    #[inline]
    pub const fn across(seat: Seat) -> Self {
        const EVEN: u16 = 0b01_0101_0101;
        Self(EVEN << (seat.index() % 2))
    }

    /// One more than the highest seat number, which is the length of an array indexed by these seats; 0 for the empty set.
    #[must_use]
    #[inline]
    pub const fn end(self) -> usize {
        (u16::BITS - self.0.leading_zeros()) as usize
    }

    /// Whether the seat is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.index() & 1 == 1
    }

    /// The set with this seat added.
    #[must_use]
    #[inline]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat.index())
    }

    /// The set without this seat.
    #[must_use]
    #[inline]
    pub const fn without(self, seat: Seat) -> Self {
        Self(self.0 & !(1 << seat.index()))
    }

    /// The seats of either set.
    #[must_use]
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of seats in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let lowest = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            Seat::try_new(lowest)
        })
    }
}

impl Sub for SeatSet {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::index)).finish()
    }
}

/// The seats that take part in a round, in a circle.
///
/// A table contains the seat that follows each seat. So eliminated seats are skipped without a loop (SW-33). All rounds with the same
/// seats share the table, because rounds that are played together should fit into the cache.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ring(&'static Circle);

/// The table of a [`Ring`].
#[derive(PartialEq, Eq, Hash)]
struct Circle {
    /// By seat: the next seat to the left and to the right, and the second seat to the left and to the right.
    following: [[Seat; Self::CELLS]; 4],
    seats: RingSeats,
}

/// Whether a [`Ring`] has two seats, for which some cards have another effect. As a number, it is an offset in a table that has one
/// part for each case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum RingSeats {
    Other = 0,
    Two = 64,
}

/// Which seat has the next turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TurnChange {
    /// The next seat.
    Next,
    /// The next seat in the other direction.
    Reverse,
    /// The seat after the next.
    Skip,
}

/// The circle of each set of seats, by its bits. That of no seats is not used.
static CIRCLES: [Circle; 1 << MAX_SEATS] = {
    let mut circles = [const { Circle::of(SeatSet::first(1)) }; 1 << MAX_SEATS];
    let mut seats = SeatSet::first(1);
    while seats.0 < 1 << MAX_SEATS {
        circles[seats.0 as usize] = Circle::of(seats);
        seats.0 += 1;
    }
    circles
};

impl Circle {
    /// A power of two, so that an index is computed with a shift.
    const CELLS: usize = MAX_SEATS.next_power_of_two();

    const fn of(seats: SeatSet) -> Self {
        let mut following = [[Seat::ALL[0]; Self::CELLS]; 4];
        // From the highest seat down. To the left of the highest seat, the circle begins again.
        let mut next = Seat::ALL[seats.0.trailing_zeros() as usize];
        let mut index = MAX_SEATS;
        while index > 0 {
            index -= 1;
            (following[0][index], following[1][index]) = (next, next);
            if seats.contains(Seat::ALL[index]) {
                following[1][next.index()] = Seat::ALL[index];
                next = Seat::ALL[index];
            }
        }
        following[1][next.index()] = Seat::ALL[seats.end() - 1];
        while index < MAX_SEATS {
            following[2][index] = following[0][following[0][index].index()];
            following[3][index] = following[1][following[1][index].index()];
            index += 1;
        }
        let seats = if seats.len() == 2 { RingSeats::Two } else { RingSeats::Other };
        Self { following, seats }
    }
}

impl Ring {
    /// The circle of these seats. Any other seat is followed, in both directions, by the next seat to its left that is in it.
    ///
    /// # Panics
    /// If there are none.
    #[must_use]
    #[inline]
    pub const fn of(seats: SeatSet) -> Self {
        assert!(!seats.is_empty(), "at least one seat takes part");
        Self(&CIRCLES[seats.0 as usize])
    }

    /// The next seat after `seat`, and the new direction.
    #[inline(always)]
    pub(crate) fn turn_after(self, seat: Seat, direction: Direction, change: TurnChange) -> (Seat, Direction) {
        // Without branches, because a card is unpredictable.
        let row = direction as usize
            ^ match change {
                TurnChange::Next => 0,
                TurnChange::Reverse => 1,
                TurnChange::Skip => 2,
            };
        (self.0.following[row][seat.index()], if row.is_multiple_of(2) { Direction::Left } else { Direction::Right })
    }

    /// The seat that follows `seat` in that direction.
    #[must_use]
    #[inline]
    pub const fn after(self, seat: Seat, direction: Direction) -> Seat {
        self.0.following[direction as usize][seat.index()]
    }

    /// Each seat's value moves to the seat that follows it; `from` is one of them.
    #[inline(always)]
    pub(crate) fn hand_on<T>(self, values: &mut [T; MAX_SEATS], from: Seat, direction: Direction) {
        let mut seat = self.after(from, direction);
        while seat != from {
            values.swap(from.index(), seat.index()); // the value in transit is where the swap began
            seat = self.after(seat, direction);
        }
    }

    /// The number of its seats.
    #[inline]
    pub(crate) const fn seats(self) -> RingSeats {
        self.0.seats
    }

    /// Whether exactly two seats take part.
    #[must_use]
    #[inline]
    pub const fn is_two_seats(self) -> bool {
        matches!(self.0.seats, RingSeats::Two)
    }
}

impl fmt::Debug for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [to_the_left, to_the_right, ..] = self.0.following.map(|following| following.map(Seat::index));
        f.debug_struct("Ring").field("to_the_left", &to_the_left).field("to_the_right", &to_the_right).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seat_circle_wraps_and_skips_missing_seats() {
        let ring = Ring::of([0, 2, 5].map(Seat::new).into_iter().collect());
        for (from, left, right) in [(0, 2, 5), (2, 5, 0), (5, 0, 2)] {
            assert_eq!(ring.after(Seat::new(from), Direction::Left), Seat::new(left));
            assert_eq!(ring.after(Seat::new(from), Direction::Right), Seat::new(right));
        }
        assert!(!ring.is_two_seats());
        assert!(Ring::of(SeatSet::first(2)).is_two_seats());
    }

    #[test]
    fn seat_outside_circle_is_followed_by_seat_in_it() {
        let set = |seats: &[usize]| seats.iter().map(|&seat| Seat::new(seat)).collect::<SeatSet>();
        let ring = Ring::of(set(&[1, 3]));
        for (from, next) in [(0, 1), (1, 3), (2, 3), (3, 1), (4, 1), (9, 1)] {
            for direction in [Direction::Left, Direction::Right] {
                assert_eq!(ring.after(Seat::new(from), direction), Seat::new(next));
            }
        }
        assert!(ring.is_two_seats());
    }

    #[test]
    fn set_difference_removes_other_set() {
        let set = |seats: &[usize]| seats.iter().map(|&seat| Seat::new(seat)).collect::<SeatSet>();
        assert_eq!(set(&[0, 2, 5]) - set(&[2, 3]), set(&[0, 5]));
    }

    #[test]
    fn ten_seats_fit() {
        let ring = Ring::of(SeatSet::first(10));
        for (change, next) in [(TurnChange::Next, 1), (TurnChange::Reverse, 9), (TurnChange::Skip, 2)] {
            assert_eq!(ring.turn_after(Seat::new(0), Direction::Left, change).0, Seat::new(next));
            assert_eq!(ring.turn_after(Seat::new(0), Direction::Right, change).0, Seat::new((10 - next) % 10));
        }
        assert_eq!(ring.after(Seat::new(9), Direction::Left), Seat::new(0));
        assert_eq!(ring.after(Seat::new(0), Direction::Right), Seat::new(9));
    }
}
