//! Exact sums of a quantity over sets of games.
//!
//! All sums are integers, so they do not depend on the order in which threads add them. [`crate::share`] turns them into
//! floating-point numbers once.

use serde::{Deserialize, Serialize};

/// The contribution of one set of games to [`SetSums`]: the total of the quantity, and the number of seat-games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SetTotal {
    /// Seat-games in the set.
    pub games: u64,
    /// Sum of the quantity over them.
    pub total: u64,
}

impl SetTotal {
    /// Counts one more seat-game.
    #[inline]
    pub const fn add(&mut self, value: u64) {
        self.games += 1;
        self.total += value;
    }
}

/// Sums over sets, enough for a mean and its error by sets.
///
/// Sums of products of two 64-bit numbers are held in 128 bits: they have room for 2^64 sets of any size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetSums {
    /// Sets with at least one game: S.
    pub sets: u64,
    /// Seat-games: the sum of the sets' n.
    pub games: u64,
    /// Sum of n² over sets.
    pub games_squared: u128,
    /// The quantity summed over all games: the sum of the sets' totals T.
    pub total: u64,
    /// Sum of T² over sets.
    pub totals_squared: u128,
    /// Sum of n·T over sets.
    pub games_times_totals: u128,
}

impl SetSums {
    /// Counts one finished set. A set without a game is not counted.
    #[inline]
    pub fn add(&mut self, set: SetTotal) {
        if set.games == 0 {
            return;
        }
        let (games, total) = (u128::from(set.games), u128::from(set.total));
        self.sets += 1;
        self.games += set.games;
        self.games_squared += games * games;
        self.total += set.total;
        self.totals_squared += total * total;
        self.games_times_totals += games * total;
    }

    /// Adds the sums of other sets.
    pub fn merge(&mut self, other: &Self) {
        self.sets += other.sets;
        self.games += other.games;
        self.games_squared += other.games_squared;
        self.total += other.total;
        self.totals_squared += other.totals_squared;
        self.games_times_totals += other.games_times_totals;
    }

    /// Whether these can be the sums of any sets. By Cauchy and Schwarz (ΣT)² is at most S ΣT²; the same holds for n. Sums
    /// that are too large for another addition are also rejected.
    #[must_use]
    pub fn are_possible(&self) -> bool {
        is_possible(self.games, self.sets, self.games_squared)
            && is_possible(self.total, self.sets, self.totals_squared)
    }

    /// Whether all sets have equally many games.
    #[must_use]
    pub const fn sets_are_equally_large(&self) -> bool {
        // By Cauchy and Schwarz (sum n)² <= S · sum n², with equality only if all n are equal.
        self.games as u128 * self.games as u128 == self.sets as u128 * self.games_squared
    }
}

/// Whether this many numbers can have this sum and this sum of squares. Sums near the maximum of the type are rejected, so
/// that a few others can be added without an overflow.
fn is_possible(sum: u64, number: u64, of_squares: u128) -> bool {
    const ROOM: u32 = 8;
    let most = u128::from(number).checked_mul(of_squares).filter(|&most| most <= u128::MAX >> ROOM);
    sum.max(number) <= u64::MAX >> ROOM && most.is_some_and(|most| u128::from(sum) * u128::from(sum) <= most)
}

/// Whether this many whole numbers, each at most `most`, can have this sum and this sum of squares. The sum of squares is
/// smallest if the numbers are as equal as possible, and largest if they are as unequal as possible; a square has the parity
/// of its number.
#[must_use]
pub fn squares_can_be_of(of_squares: u128, parts: impl IntoIterator<Item = NumbersWithSum>, most: u64) -> bool {
    let (mut least, mut largest, mut odd) = (0_u128, 0_u128, 0);
    for NumbersWithSum { number, sum } in parts {
        if u128::from(sum) > u128::from(number) * u128::from(most) {
            return false;
        }
        if sum > 0 {
            let square = |number: u64| u128::from(number) * u128::from(number);
            let (share, larger) = (sum / number, sum % number);
            least += u128::from(number - larger) * square(share) + u128::from(larger) * square(share + 1);
            largest += u128::from(sum / most) * square(most) + square(sum % most);
        }
        odd ^= sum % 2;
    }
    (least..=largest).contains(&of_squares) && of_squares % 2 == u128::from(odd)
}

/// Several integers with a known sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumbersWithSum {
    /// The number of integers.
    pub number: u64,
    /// Their sum.
    pub sum: u64,
}

/// Sums over sets and over single games, which also determine the error that independent games would have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GameSums {
    /// Over sets.
    pub by_sets: SetSums,
    /// Sum of the quantity's squares over single games.
    pub squares: u128,
}

impl GameSums {
    /// Counts one finished set, in whose games the quantity has this sum of squares.
    #[inline]
    pub fn add(&mut self, set: SetTotal, squares: u128) {
        self.by_sets.add(set);
        self.squares += squares;
    }

    /// Whether these can be the sums of any sets of games.
    #[must_use]
    pub fn are_possible(&self) -> bool {
        self.by_sets.are_possible() && is_possible(self.by_sets.total, self.by_sets.games, self.squares)
    }

    /// Adds the sums of other sets.
    pub fn merge(&mut self, other: &Self) {
        self.by_sets.merge(&other.by_sets);
        self.squares += other.squares;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sums_of_numbers_are_possible() {
        let mut sums = GameSums::default();
        assert!(sums.are_possible());
        for values in [&[3, 4][..], &[0, 0, 9], &[5]] {
            sums.add(set(values), values.iter().map(|&value| u128::from(value * value)).sum());
            assert!(sums.are_possible());
        }
        let by_sets = sums.by_sets;
        let with = |by_sets: SetSums| GameSums { by_sets, ..sums };
        assert!(!with(SetSums { totals_squared: 146, ..by_sets }).are_possible(), "3 sets with a sum of 21");
        assert!(!with(SetSums { games_squared: 11, ..by_sets }).are_possible(), "3 sets with 6 games");
        assert!(!GameSums { squares: 73, ..sums }.are_possible(), "6 games with a sum of 21");
        assert!(!with(SetSums { totals_squared: u128::MAX, ..by_sets }).are_possible());
        assert!(!with(SetSums { sets: u64::MAX, ..by_sets }).are_possible());
    }

    #[test]
    fn sums_of_squares_are_possible_only_for_integers() {
        let possible = |squares, parts: &[(u64, u64)], most| {
            let parts = parts.iter().map(|&(number, sum)| NumbersWithSum { number, sum });
            squares_can_be_of(squares, parts, most)
        };
        // Three numbers up to 4 with the sum 7: 2 2 3, 1 2 4, 0 3 4, 1 3 3.
        let of_three: Vec<u128> = (0..40).filter(|&squares| possible(squares, &[(3, 7)], 4)).collect();
        assert_eq!(of_three, [17, 19, 21, 23, 25]);
        assert!(possible(9 + 16, &[(1, 3), (1, 4)], 4) && !possible(23, &[(1, 3), (1, 4)], 4));
        assert!(!possible(25, &[(1, 5)], 4) && possible(0, &[(0, 0)], 4) && !possible(1, &[(0, 1)], 4));
    }

    fn set(values: &[u64]) -> SetTotal {
        let mut set = SetTotal::default();
        values.iter().for_each(|&value| set.add(value));
        set
    }

    #[test]
    fn set_order_and_merging_do_not_matter() {
        let sets = [set(&[3, 0, 2]), set(&[1]), set(&[]), set(&[5, 5])];
        let mut forwards = SetSums::default();
        sets.iter().for_each(|&set| forwards.add(set));
        let (mut late, mut early) = (SetSums::default(), SetSums::default());
        sets[..2].iter().rev().for_each(|&set| early.add(set));
        sets[2..].iter().rev().for_each(|&set| late.add(set));
        late.merge(&early);
        assert_eq!(late, forwards);
        let expected = SetSums {
            sets: 3,
            games: 6,
            games_squared: 9 + 1 + 4,
            total: 16,
            totals_squared: 25 + 1 + 100,
            games_times_totals: 15 + 1 + 20,
        };
        assert_eq!(forwards, expected);
    }

    #[test]
    fn sets_of_different_size_are_detected() {
        let mut sums = SetSums::default();
        sums.add(set(&[1, 2]));
        sums.add(set(&[0, 0]));
        assert!(sums.sets_are_equally_large());
        sums.add(set(&[0]));
        assert!(!sums.sets_are_equally_large());
    }
}
