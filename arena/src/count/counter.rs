//! Counts the games, set by set.

use unolab_stats::sums::SetTotal;

use crate::count::tally::{FaultCounts, GameSizes, Tally, pairs};
use crate::play::record::GameRecord;
use crate::schedule::seating::EntrantId;

/// The results of an entrant at one position in the turn order.
#[derive(Debug, Clone, Copy, Default)]
struct PlaceInSet {
    games: u64,
    wins: u64,
    points: u64,
}

/// Counts games into a [`Tally`]. A set counts only once it is finished.
#[derive(Debug, Clone)]
pub struct SetCounter {
    num_entrants: usize,
    num_seats: usize,
    games: Vec<GameSizes>,
    /// The positions in the order of play of each entrant, one entrant after the other.
    by_order_of_play: Vec<PlaceInSet>,
    by_entrant: Vec<SetCounts>,
    /// The meetings of each entrant with all entrants, including itself, one entrant after the other.
    meetings: Vec<HeadToHead>,
}

#[derive(Debug, Clone, Copy, Default)]
struct SetCounts {
    wins_squared: u128,
    points_squared: u128,
    unfinished: u64,
    rounds: u64,
    turns: u64,
    decisions: u64,
    faults: FaultCounts,
}

/// The number of meetings of one entrant with another seated after it, once for each pair of their seats; and how often it
/// was ahead and how often it won, in any seats.
#[derive(Debug, Clone, Copy, Default)]
struct HeadToHead {
    games: u64,
    ahead: u64,
    won: u64,
}

impl SetCounter {
    /// A counter for the first set.
    #[must_use]
    pub fn new(num_entrants: usize, num_seats: usize) -> Self {
        Self {
            num_entrants,
            num_seats,
            games: Vec::new(),
            by_order_of_play: vec![PlaceInSet::default(); num_entrants * num_seats],
            by_entrant: vec![SetCounts::default(); num_entrants],
            meetings: vec![HeadToHead::default(); num_entrants * num_entrants],
        }
    }

    /// Counts one game of the set, played at this seating.
    #[inline(always)]
    pub fn add_game(&mut self, record: &GameRecord, seating: &[EntrantId]) {
        debug_assert_eq!(record.num_seats, seating.len());
        self.games.push(GameSizes::of(record));
        let (sharing, share) = record.shared_win();
        let unfinished = u64::from(record.winners.is_empty());
        for ((seat, result), &entrant) in record.seats().zip(&record.by_seat).zip(seating) {
            let here = &mut self.by_order_of_play[entrant.index() * self.num_seats + record.order_of_play(seat)];
            let (win, points) = (if sharing.contains(seat) { share } else { 0 }, u64::from(result.points));
            here.games += 1;
            here.wins += win;
            here.points += points;
            let counts = &mut self.by_entrant[entrant.index()];
            counts.wins_squared += u128::from(win * win);
            counts.points_squared += u128::from(points * points);
            counts.unfinished += unfinished;
            counts.rounds += u64::from(record.rounds);
            counts.turns += u64::from(record.turns);
            counts.decisions += u64::from(record.decisions);
            if let Some(fault) = result.fault {
                counts.faults.add(fault);
            }
        }
        if self.num_entrants > 1 {
            self.compare_all(record, seating);
        }
    }

    #[inline(always)]
    fn compare_all(&mut self, record: &GameRecord, seating: &[EntrantId]) {
        let num_entrants = self.num_entrants;
        let at = |a: EntrantId, b: EntrantId| a.index() * num_entrants + b.index();
        let by_seat = record.by_seat.as_array();
        for (seat, &a) in seating.iter().enumerate() {
            let place = by_seat[seat].place;
            for (other, &b) in by_seat[seat + 1..].iter().zip(&seating[seat + 1..]) {
                self.meetings[at(a, b)].games += 1;
                self.meetings[at(a, b)].ahead += u64::from(place < other.place);
                self.meetings[at(b, a)].ahead += u64::from(other.place < place);
            }
        }
        let (_, share) = record.shared_win();
        for winner in record.winners.iter() {
            for &other in seating {
                self.meetings[at(seating[winner.index()], other)].won += share;
            }
        }
    }

    /// Adds the finished set of this number to the tally, and begins the next one.
    #[inline(always)]
    pub fn finish_set(&mut self, set: u64, tally: &mut Tally) {
        self.games.drain(..).for_each(|game| tally.sizes.add(&game));
        let group = tally.groups.of_set(set);
        group.sets += 1;
        group.wins.resize(self.num_entrants, 0);
        group.won.resize(tally.by_pair.len(), [0; 2]);
        for (entrant, counted) in tally.by_entrant.iter_mut().enumerate() {
            let mut whole = PlaceInSet::default();
            let places = &mut self.by_order_of_play[entrant * self.num_seats..][..self.num_seats];
            for (sums, of_set) in counted.by_order_of_play.iter_mut().zip(places) {
                let PlaceInSet { games, wins, points } = std::mem::take(of_set);
                sums.wins.add(SetTotal { games, total: wins });
                sums.points += points;
                whole.games += games;
                whole.wins += wins;
                whole.points += points;
            }
            let PlaceInSet { games, wins, points } = whole;
            let counts = std::mem::take(&mut self.by_entrant[entrant]);
            group.wins[entrant] += wins;
            if entrant == 0 && self.num_entrants == 2 {
                tally.set_totals.add(wins);
            }
            counted.results.wins.add(SetTotal { games, total: wins }, counts.wins_squared);
            counted.results.points.add(SetTotal { games, total: points }, counts.points_squared);
            counted.unfinished += counts.unfinished;
            counted.rounds += counts.rounds;
            counted.turns += counts.turns;
            counted.decisions += counts.decisions;
            counted.faults.merge(&counts.faults);
        }
        for ((a, b), (counted, won)) in pairs(self.num_entrants).zip(tally.by_pair.iter_mut().zip(&mut group.won)) {
            let [of_a, of_b] = [(a, b), (b, a)]
                .map(|(a, b)| std::mem::take(&mut self.meetings[a.index() * self.num_entrants + b.index()]));
            let games = of_a.games + of_b.games;
            counted.sets += u64::from(games > 0);
            counted.comparisons += games;
            counted.a_ahead += of_a.ahead;
            counted.b_ahead += of_b.ahead;
            counted.won.add(SetTotal { games: of_a.won + of_b.won, total: of_a.won });
            won[0] += of_a.won;
            won[1] += of_b.won;
        }
    }
}
