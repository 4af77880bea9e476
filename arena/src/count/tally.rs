//! Counts the records of one section, set by set.
//!
//! A tally is a sum: tallies of different sets, added in any order, give exactly the same numbers.

use serde::{Deserialize, Serialize};
use unolab_agents::fault::FaultCause;
use unolab_stats::bootstrap::Groups;
use unolab_stats::histogram::Histogram;
use unolab_stats::ratings::matches;
use unolab_stats::set_totals::SetTotals;
use unolab_stats::share::Share;
use unolab_stats::sums::{GameSums, SetSums};
use unolab_stats::unequal::Stake;

use crate::count::faults::{FaultBook, FaultInGame};
use crate::count::luck::tally::LuckTally;
use crate::play::record::{GameRecord, Status, WIN};
use crate::schedule::seating::EntrantId;

/// Wins and points, counted by sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Results {
    /// Win shares, in units of 1/[`crate::play::record::WIN`].
    pub wins: GameSums,
    /// Points credited.
    pub points: GameSums,
}

/// Wins and points at one position in the order of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlaceResults {
    /// Win shares, in units of 1/[`crate::play::record::WIN`].
    pub wins: SetSums,
    /// Points credited in all games.
    pub points: u64,
}

/// The counts of one entrant. Every count is by seat-game: a game counts once for each seat of the entrant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntrantTally {
    /// Over all its seats.
    pub results: Results,
    /// By position in the turn order.
    pub by_order_of_play: Vec<PlaceResults>,
    /// Games without a winner.
    pub unfinished: u64,
    /// Rounds dealt.
    pub rounds: u64,
    /// Turns of all seats.
    pub turns: u64,
    /// Decisions of all seats.
    pub decisions: u64,
    /// The faults of the entrant's agents.
    pub faults: FaultCounts,
}

/// Faults of all games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FaultCounts {
    /// Agents that crashed.
    pub crashes: u64,
    /// Decisions that exceeded their time.
    pub timeouts: u64,
    /// Actions that were not legal.
    pub illegal: u64,
}

impl FaultCounts {
    /// The total number.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.crashes + self.timeouts + self.illegal
    }

    pub(super) const fn add(&mut self, fault: FaultCause) {
        match fault {
            FaultCause::Crash => self.crashes += 1,
            FaultCause::DecisionTime | FaultCause::GameTime => self.timeouts += 1,
            FaultCause::Malformed | FaultCause::Stale | FaultCause::Illegal | FaultCause::Flood => {
                self.illegal += 1;
            }
        }
    }

    pub(super) const fn merge(&mut self, other: &Self) {
        self.crashes += other.crashes;
        self.timeouts += other.timeouts;
        self.illegal += other.illegal;
    }
}

/// The counts of two entrants at the same tables, once for each pair of their seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PairTally {
    /// Sets in which they met.
    pub sets: u64,
    /// Comparisons: a seat of one entrant with a seat of the other in one game.
    pub comparisons: u64,
    /// How often the first finished ahead.
    pub a_ahead: u64,
    /// How often the second finished ahead.
    pub b_ahead: u64,
    /// Comparisons won by the first, and comparisons won by either, both in units of 1/[`WIN`].
    pub won: SetSums,
}

impl PairTally {
    /// The share of the first in the games that either has won; `stake` is the change of these comparisons by one game.
    #[must_use]
    pub fn share(&self, stake: Stake) -> Share {
        Share::of_games_won(&self.won, self.sets, WIN, stake)
    }

    /// Whether neither entrant was ahead or won more often than they were compared.
    fn adds_up(&self) -> bool {
        let ahead = self.a_ahead.checked_add(self.b_ahead);
        let won = &self.won;
        ahead.is_some_and(|ahead| ahead <= self.comparisons) && won.total <= won.games && won.are_possible()
    }
}

/// The distributions, counted once for each game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sizes {
    /// Turns of all seats.
    pub turns: Histogram,
    /// Decisions of all seats.
    pub decisions: Histogram,
    /// Rounds dealt.
    pub rounds: Histogram,
    /// Points credited to the winner, in finished games only. Winners who share a win have equal points.
    pub winner_points: Histogram,
}

impl Sizes {
    pub(super) fn add(&mut self, game: &GameSizes) {
        self.turns.add(game.turns);
        self.decisions.add(game.decisions);
        self.rounds.add(game.rounds);
        if let Some(points) = game.winner_points {
            self.winner_points.add(points);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.turns.merge(&other.turns);
        self.decisions.merge(&other.decisions);
        self.rounds.merge(&other.rounds);
        self.winner_points.merge(&other.winner_points);
    }
}

/// The size of one game.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameSizes {
    pub(super) turns: u32,
    pub(super) decisions: u32,
    pub(super) rounds: u32,
    pub(super) winner_points: Option<u32>,
}

impl GameSizes {
    pub(super) fn of(record: &GameRecord) -> Self {
        let winner = if record.status == Status::Finished { record.winners.iter().next() } else { None };
        Self {
            turns: record.turns,
            decisions: record.decisions,
            rounds: record.rounds,
            winner_points: winner.map(|seat| record.result(seat).points),
        }
    }
}

/// The counts of one section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    num_seats: usize,
    pub(super) sizes: Sizes,
    pub(super) by_entrant: Vec<EntrantTally>,
    /// In the order of [`pairs`].
    pub(super) by_pair: Vec<PairTally>,
    /// The data of ratings, with their errors.
    pub(super) groups: Groups,
    /// For two entrants: how often the wins of the first in a set had each total. A sequential test uses it.
    #[serde(default, skip_serializing_if = "SetTotals::is_empty")]
    pub(super) set_totals: SetTotals,
    faults: FaultBook,
    #[serde(default, skip_serializing_if = "LuckTally::is_empty")]
    pub(crate) luck: LuckTally,
}

impl Tally {
    /// An empty tally for these numbers of entrants and seats.
    #[must_use]
    pub fn new(num_entrants: usize, num_seats: usize) -> Self {
        let nothing = EntrantTally {
            results: Results::default(),
            by_order_of_play: vec![PlaceResults::default(); num_seats],
            unfinished: 0,
            rounds: 0,
            turns: 0,
            decisions: 0,
            faults: FaultCounts::default(),
        };
        let num_pairs = num_entrants * num_entrants.saturating_sub(1) / 2;
        Self {
            num_seats,
            by_entrant: vec![nothing; num_entrants],
            by_pair: vec![PairTally::default(); num_pairs],
            groups: Groups::default(),
            sizes: Sizes::default(),
            set_totals: SetTotals::default(),
            faults: FaultBook::default(),
            luck: LuckTally::default(),
        }
    }

    /// The faults of agents.
    #[must_use]
    pub const fn faults(&self) -> &FaultBook {
        &self.faults
    }

    /// The luck-adjusted results.
    #[must_use]
    pub const fn luck(&self) -> &LuckTally {
        &self.luck
    }

    /// Counts a fault of this entrant.
    pub fn note_fault(&mut self, entrant: EntrantId, fault: FaultInGame) {
        self.faults.add(entrant, fault);
    }

    /// For two entrants: how often the wins of the first in a set, in units of 1/[`WIN`], had each total; empty
    /// otherwise.
    #[must_use]
    pub const fn set_totals(&self) -> &SetTotals {
        &self.set_totals
    }

    /// The sizes of the games.
    #[must_use]
    pub const fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// The counts of each entrant.
    #[must_use]
    pub fn by_entrant(&self) -> &[EntrantTally] {
        &self.by_entrant
    }

    /// The counts of each pair of entrants; `a` is the entrant named first.
    pub fn by_pair(&self) -> impl Iterator<Item = (EntrantId, EntrantId, &PairTally)> {
        pairs(self.by_entrant.len()).zip(&self.by_pair).map(|((a, b), tally)| (a, b, tally))
    }

    /// Whether it has the same numbers of entrants and seats.
    #[must_use]
    pub fn has_shape_of(&self, other: &Self) -> bool {
        let places = |tally: &Self| tally.by_entrant.iter().map(|of| of.by_order_of_play.len()).collect::<Vec<_>>();
        self.num_seats == other.num_seats
            && places(self) == places(other)
            && self.by_pair.len() == other.by_pair.len()
            && self.by_entrant.iter().all(EntrantTally::adds_up)
            && self.by_pair.iter().all(PairTally::adds_up)
            && self.luck.fits(other.by_entrant.len())
            && self.faults.is_of(other.by_entrant.len())
            && self.groups.have_shape(other.by_entrant.len(), other.by_pair.len())
    }

    /// The sums by groups of sets.
    #[must_use]
    pub const fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Adds the counts of other sets of the same section.
    ///
    /// # Panics
    /// In debug builds, if the other tally is of another section.
    pub fn merge(&mut self, other: &Self) {
        debug_assert_eq!((self.num_seats, self.by_entrant.len()), (other.num_seats, other.by_entrant.len()));
        self.by_entrant.iter_mut().zip(&other.by_entrant).for_each(|(mine, theirs)| mine.merge(theirs));
        self.by_pair.iter_mut().zip(&other.by_pair).for_each(|(mine, theirs)| mine.merge(theirs));
        self.groups.merge(&other.groups);
        self.sizes.merge(&other.sizes);
        self.set_totals.merge(&other.set_totals);
        self.faults.merge(&other.faults);
        self.luck.merge(&other.luck);
    }

    /// Adds the counts of sets that only some entrants played, given their numbers here, in ascending order. Groups of
    /// sets are omitted: they are for all entrants.
    pub fn merge_part(&mut self, other: &Self, numbers: &[usize]) {
        for (&number, theirs) in numbers.iter().zip(&other.by_entrant) {
            self.by_entrant[number].merge(theirs);
        }
        for (a, b, theirs) in other.by_pair() {
            let [a, b] = [a, b].map(|entrant| EntrantId::new(numbers[entrant.index()]));
            let pair = pair_index(a, b, self.by_entrant.len());
            self.by_pair[pair].merge(theirs);
        }
        self.sizes.merge(&other.sizes);
        self.luck.merge_part(&other.luck, numbers, self.by_entrant.len());
        for (entrant, fault) in other.faults.iter() {
            self.faults.add(EntrantId::new(numbers[entrant.index()]), fault.clone());
        }
    }
}

impl EntrantTally {
    /// Whether its sums are consistent.
    fn adds_up(&self) -> bool {
        let Results { wins, points } = &self.results;
        wins.are_possible() && points.are_possible() && self.by_order_of_play.iter().all(|at| at.wins.are_possible())
    }

    fn merge(&mut self, other: &Self) {
        self.results.merge(&other.results);
        let places = self.by_order_of_play.iter_mut().zip(&other.by_order_of_play);
        places.for_each(|(mine, theirs)| mine.merge(theirs));
        self.unfinished += other.unfinished;
        self.rounds += other.rounds;
        self.turns += other.turns;
        self.decisions += other.decisions;
        self.faults.merge(&other.faults);
    }
}

impl Results {
    fn merge(&mut self, other: &Self) {
        self.wins.merge(&other.wins);
        self.points.merge(&other.points);
    }
}

impl PlaceResults {
    fn merge(&mut self, other: &Self) {
        self.wins.merge(&other.wins);
        self.points += other.points;
    }
}

impl PairTally {
    fn merge(&mut self, other: &Self) {
        self.sets += other.sets;
        self.comparisons += other.comparisons;
        self.a_ahead += other.a_ahead;
        self.b_ahead += other.b_ahead;
        self.won.merge(&other.won);
    }
}

/// All pairs of entrants, in the order in which they are named.
pub fn pairs(num_entrants: usize) -> impl Iterator<Item = (EntrantId, EntrantId)> {
    matches::pairs(num_entrants).map(|(a, b)| (EntrantId::new(a), EntrantId::new(b)))
}

/// The position of a pair in the order of [`pairs`].
const fn pair_index(a: EntrantId, b: EntrantId, num_entrants: usize) -> usize {
    matches::pair_number(a.index(), b.index(), num_entrants)
}

#[cfg(test)]
mod tests {
    use unolab_engine::seat::{Seat, SeatSet};
    use unolab_stats::sums::SetTotal;

    use super::*;
    use crate::count::counter::SetCounter;
    use crate::play::record::tests::finished;

    fn ids<const N: usize>(entrants: [usize; N]) -> [EntrantId; N] {
        entrants.map(EntrantId::new)
    }

    fn counts_by_size(histogram: &Histogram) -> Vec<(u32, u64)> {
        histogram.bins().map(|bin| (bin.low, bin.count)).collect()
    }

    #[test]
    fn pair_numbers_follow_pair_order() {
        for num_entrants in [1, 2, 3, 7] {
            for (index, (a, b)) in pairs(num_entrants).enumerate() {
                assert_eq!(pair_index(a, b, num_entrants), index);
            }
        }
    }

    #[test]
    fn impossible_pair_counts_are_rejected() {
        let empty = Tally::new(2, 2);
        let is_possible = |change: &dyn Fn(&mut PairTally)| {
            let mut tally = empty.clone();
            let pair = &mut tally.by_pair[0];
            (pair.comparisons, pair.a_ahead, pair.b_ahead) = (5, 3, 2);
            pair.won.add(SetTotal { games: 3, total: 3 });
            change(pair);
            tally.has_shape_of(&empty)
        };
        assert!(is_possible(&|_| {}));
        assert!(!is_possible(&|pair| pair.won.totals_squared = 8));
        assert!(!is_possible(&|pair| pair.a_ahead = 4));
        assert!(!is_possible(&|pair| pair.b_ahead = u64::MAX));
        assert!(!is_possible(&|pair| pair.won.total = 4));
    }

    #[test]
    fn impossible_sums_are_rejected() {
        let empty = Tally::new(2, 2);
        let mut tally = empty.clone();
        assert!(tally.has_shape_of(&empty));
        tally.by_entrant[1].results.points.add(SetTotal { games: 2, total: 40 }, 1600);
        assert!(tally.has_shape_of(&empty));
        tally.by_entrant[1].results.points.squares = 799;
        assert!(!tally.has_shape_of(&empty));
    }

    #[test]
    fn set_of_two_games_matches_hand_computation() {
        let (mut counter, mut tally) = (SetCounter::new(2, 3), Tally::new(2, 3));
        // One A, two Bs. A wins the first game; the second game's first turn is seat 1's, and one B wins it.
        counter.add_game(&finished(&[40, 0, 0], &[1, 2, 3]), &ids([0, 1, 1]));
        let second = GameRecord { first_seat: Seat::new(1), ..finished(&[25, 0, 0], &[1, 2, 2]) };
        counter.add_game(&second, &ids([1, 0, 1]));
        assert_eq!(tally, Tally::new(2, 3), "an unfinished set does not count");
        counter.finish_set(0, &mut tally);

        let [a, b] = tally.by_entrant() else { panic!("two entrants") };
        assert_eq!(
            (a.results.wins.by_sets.sets, a.results.wins.by_sets.games, a.results.wins.by_sets.total),
            (1, 2, WIN)
        );
        assert_eq!((b.results.wins.by_sets.games, b.results.wins.by_sets.total), (4, WIN));
        assert_eq!((a.results.points.by_sets.total, b.results.points.by_sets.total), (40, 25));
        assert_eq!((a.turns, b.turns, a.rounds, b.rounds), (100, 200, 2, 4));
        // A took the first turn in both games.
        assert_eq!(a.by_order_of_play.iter().map(|results| results.wins.games).collect::<Vec<_>>(), [2, 0, 0]);
        // The B that won sat last in the order of play.
        assert_eq!(b.by_order_of_play.iter().map(|results| results.wins.total).collect::<Vec<_>>(), [0, 0, WIN]);

        let (_, _, pair) = tally.by_pair().next().unwrap();
        // Four pairs of seats: A ahead of both Bs, then behind one and level with the other.
        assert_eq!((pair.a_ahead, pair.b_ahead, pair.comparisons, pair.sets), (2, 1, 4, 1));
        // The game that A won counts against both seats of B; a B's win counts once.
        assert_eq!((pair.won.total, pair.won.games), (2 * WIN, 3 * WIN));
        assert_eq!(counts_by_size(&tally.sizes().turns), [(50, 2)]);
        assert_eq!(counts_by_size(&tally.sizes().winner_points), [(25, 1), (40, 1)]);
    }

    #[test]
    fn game_without_winner_is_shared_equally() {
        let (mut counter, mut tally) = (SetCounter::new(2, 4), Tally::new(2, 4));
        let void = GameRecord { status: Status::Void, winners: SeatSet::EMPTY, ..finished(&[0; 4], &[1; 4]) };
        counter.add_game(&void, &ids([0, 0, 1, 0]));
        counter.finish_set(0, &mut tally);
        assert_eq!(
            tally.by_entrant().iter().map(|entrant| entrant.results.wins.by_sets.total).collect::<Vec<_>>(),
            [1890, 630]
        );
        assert_eq!(tally.by_entrant().iter().map(|entrant| entrant.unfinished).collect::<Vec<_>>(), [3, 1]);
        let (_, _, pair) = tally.by_pair().next().unwrap();
        assert_eq!(
            (pair.sets, pair.comparisons, pair.won, pair.share(Stake::WIN).mean.value),
            (1, 3, SetSums::default(), None)
        );
        assert_eq!(counts_by_size(&tally.sizes().decisions), [(60, 1)]);
        assert_eq!(counts_by_size(&tally.sizes().winner_points), [], "no player won points");
    }

    #[test]
    fn tallies_of_parts_add_up_to_whole() {
        let seating = ids([2, 0, 1]);
        let game = |number: u32| GameRecord {
            first_seat: Seat::new(number as usize % 3),
            ..finished(&[number, 0, number / 2], &[1 + (number % 2) as u8, 2 - (number % 2) as u8, 3])
        };
        let count = |sets: &[u32]| {
            let (mut counter, mut tally) = (SetCounter::new(3, 3), Tally::new(3, 3));
            for &set in sets {
                (0..4).for_each(|number| counter.add_game(&game(set + number), &seating));
                counter.finish_set(u64::from(set), &mut tally);
            }
            tally
        };
        let whole = count(&[1, 2, 3, 4, 5]);
        let mut parts = count(&[5, 1]);
        parts.merge(&count(&[]));
        parts.merge(&count(&[3, 4, 2]));
        assert_eq!(parts, whole);
    }
}
