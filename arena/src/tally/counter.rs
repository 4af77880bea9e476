//! Counts the games of one set after the other.

use super::{AHEAD, FaultCounts, Tally, pair_index};
use crate::record::{GameRecord, Status};
use crate::seating::EntrantId;
use crate::sums::SetTotal;

#[derive(Debug, Clone, Copy, Default)]
struct ResultsOfSet {
    wins: SetTotal,
    points: SetTotal,
}

/// Counts games into a [`Tally`]. A set counts only once it is finished.
#[derive(Debug, Clone)]
pub struct SetCounter {
    num_entrants: usize,
    num_seats: usize,
    games: Vec<SizesOfGame>,
    /// For each entrant its places in the order of play, one after the other.
    by_order_of_play: Vec<ResultsOfSet>,
    by_entrant: Vec<CountsOfSet>,
    by_pair: Vec<ComparisonsOfSet>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct SizesOfGame {
    pub(super) turns: u32,
    pub(super) decisions: u32,
    pub(super) rounds: u32,
    pub(super) winner_points: Option<u32>,
}

impl SizesOfGame {
    fn of(record: &GameRecord) -> Self {
        let winner = if record.status == Status::Finished { record.winners.iter().next() } else { None };
        Self {
            turns: record.turns,
            decisions: record.decisions,
            rounds: record.rounds,
            winner_points: winner.map(|seat| record.result(seat).points),
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct CountsOfSet {
    rounds: u64,
    turns: u64,
    decisions: u64,
    faults: FaultCounts,
}

#[derive(Debug, Clone, Copy, Default)]
struct ComparisonsOfSet {
    a_ahead: u64,
    b_ahead: u64,
    comparisons: SetTotal,
}

impl SetCounter {
    /// A counter for the first set.
    #[must_use]
    pub fn new(num_entrants: usize, num_seats: usize) -> Self {
        Self {
            num_entrants,
            num_seats,
            games: Vec::new(),
            by_order_of_play: vec![ResultsOfSet::default(); num_entrants * num_seats],
            by_entrant: vec![CountsOfSet::default(); num_entrants],
            by_pair: vec![ComparisonsOfSet::default(); num_entrants * num_entrants.saturating_sub(1) / 2],
        }
    }

    /// Counts one game of the set, played at this seating.
    pub fn add_game(&mut self, record: &GameRecord, seating: &[EntrantId]) {
        debug_assert_eq!(record.num_seats, seating.len());
        self.games.push(SizesOfGame::of(record));
        let (sharing, share) = record.shared_win();
        for ((seat, result), &entrant) in record.seats().zip(&record.by_seat).zip(seating) {
            let here = &mut self.by_order_of_play[entrant.index() * self.num_seats + record.order_of_play(seat)];
            here.wins.add(if sharing.contains(seat) { share } else { 0 });
            here.points.add(u64::from(result.points));
            let counts = &mut self.by_entrant[entrant.index()];
            counts.rounds += u64::from(record.rounds);
            counts.turns += u64::from(record.turns);
            counts.decisions += u64::from(record.decisions);
            if let Some(offence) = result.offence {
                counts.faults.add(offence);
            }
        }
        if self.num_entrants > 1 {
            self.compare_all(record, seating);
        }
    }

    fn compare_all(&mut self, record: &GameRecord, seating: &[EntrantId]) {
        for (seat, &entrant) in record.seats().zip(seating) {
            for (other_seat, &other) in record.seats().zip(seating).skip(seat.index() + 1) {
                let places = [record.result(seat).place, record.result(other_seat).place];
                match entrant.cmp(&other) {
                    std::cmp::Ordering::Less => self.compare(entrant, other, places),
                    std::cmp::Ordering::Greater => self.compare(other, entrant, [places[1], places[0]]),
                    std::cmp::Ordering::Equal => {}
                }
            }
        }
    }

    fn compare(&mut self, a: EntrantId, b: EntrantId, [place_a, place_b]: [u8; 2]) {
        let pair = &mut self.by_pair[pair_index(a, b, self.num_entrants)];
        let (a_ahead, b_ahead) = (u64::from(place_a < place_b), u64::from(place_b < place_a));
        pair.a_ahead += a_ahead;
        pair.b_ahead += b_ahead;
        pair.comparisons.add(AHEAD / 2 + a_ahead - b_ahead);
    }

    /// Adds the finished set of this number to the tally, and begins the next one.
    pub fn finish_set(&mut self, set: u64, tally: &mut Tally) {
        self.games.drain(..).for_each(|game| tally.sizes.add(&game));
        let group = tally.groups.of_set(set);
        group.sets += 1;
        group.wins.resize(self.num_entrants, 0);
        group.ahead.resize(self.by_pair.len(), 0);
        for (entrant, counted) in tally.by_entrant.iter_mut().enumerate() {
            let mut whole = ResultsOfSet::default();
            let places = &mut self.by_order_of_play[entrant * self.num_seats..][..self.num_seats];
            for (sums, of_set) in counted.by_order_of_play.iter_mut().zip(places) {
                let ResultsOfSet { wins, points } = std::mem::take(of_set);
                sums.wins.add(wins);
                sums.points.add(points);
                whole.wins.join(wins);
                whole.points.join(points);
            }
            group.wins[entrant] += whole.wins.total;
            counted.results.wins.add(whole.wins);
            counted.results.points.add(whole.points);
            let counts = std::mem::take(&mut self.by_entrant[entrant]);
            counted.rounds += counts.rounds;
            counted.turns += counts.turns;
            counted.decisions += counts.decisions;
            counted.faults.merge(&counts.faults);
        }
        for (pair, (counted, of_set)) in tally.by_pair.iter_mut().zip(&mut self.by_pair).enumerate() {
            let ComparisonsOfSet { a_ahead, b_ahead, comparisons } = std::mem::take(of_set);
            counted.a_ahead += a_ahead;
            counted.b_ahead += b_ahead;
            group.ahead[pair] += comparisons.total;
            counted.comparisons.add(comparisons);
        }
    }
}
