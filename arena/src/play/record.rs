//! The result of one game, as plain data.

use unolab_agents::agent::GameResult;
use unolab_agents::fault::FaultCause;
use unolab_engine::record::places_after_forfeit;
use unolab_engine::seat::{BySeat, Direction, MAX_SEATS, Seat, SeatSet};

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// By its rules, with a winner.
    Finished,
    /// Blocked: no player could move, and no player won; or all players have lost by a fault.
    Void,
    /// Truncated at the limit of decisions.
    Truncated,
}

impl Status {
    /// `finished`, `void` or `truncated`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Void => "void",
            Self::Truncated => "truncated",
        }
    }
}

/// The result of a game for one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeatResult {
    /// Points credited to it.
    pub points: u32,
    /// Its place in the finishing order: 1 for the first; equal seats share the better place. 0 only for an empty seat.
    pub place: u8,
    /// The fault of its agent, which ended its game.
    pub fault: Option<FaultCause>,
}

/// The result of one game. It does not contain the seating, which the schedule determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRecord {
    /// The number of seats.
    pub num_seats: usize,
    /// The number of seats that win and lose together: 2 for fixed partners, otherwise 1.
    pub team_size: usize,
    /// The end of the game.
    pub status: Status,
    /// The winners; several share the win, and a void or truncated game has none.
    pub winners: SeatSet,
    /// The result of each seat, by seat.
    pub by_seat: BySeat<SeatResult>,
    /// The seat of the first turn, after the start card's effect.
    pub first_seat: Seat,
    /// The direction of play at that turn.
    pub direction: Direction,
    /// Rounds dealt.
    pub rounds: u32,
    /// Turns of all seats.
    pub turns: u32,
    /// Decisions of all seats.
    pub decisions: u32,
    /// The number of reshuffles.
    pub reshuffles: u32,
    /// Checksum of the final state; 0 if none was computed.
    pub hash: u64,
}

/// One win, in the units in which wins are counted: any number of seats up to ten can share it without remainder.
pub const WIN: u64 = 2520;

/// The share of each seat in a win shared by this number of seats. A division for every game would take longer than counting
/// the game.
const WIN_AMONG: [u64; MAX_SEATS + 1] = {
    let mut among = [0; MAX_SEATS + 1];
    let mut seats = 1;
    while seats <= MAX_SEATS {
        among[seats] = WIN / seats as u64;
        seats += 1;
    }
    among
};

impl GameRecord {
    /// A game without a winner: all players have place 1, without points, and all counts are 0.
    #[must_use]
    #[inline]
    pub fn without_winner(num_seats: usize, team_size: usize, status: Status) -> Self {
        let first = SeatResult { place: 1, ..SeatResult::default() };
        let mut by_seat = BySeat::<SeatResult>::default();
        by_seat.iter_mut().take(num_seats).for_each(|result| *result = first);
        Self {
            num_seats,
            team_size,
            status,
            winners: SeatSet::EMPTY,
            by_seat,
            first_seat: Seat::new(0),
            direction: Direction::Left,
            rounds: 0,
            turns: 0,
            decisions: 0,
            reshuffles: 0,
            hash: 0,
        }
    }

    /// Sets the winners: these seats, with these points and places by seat.
    #[inline]
    pub(crate) fn finish(&mut self, winners: SeatSet, points: &BySeat<u32>, places: &BySeat<u8>) {
        self.status = Status::Finished;
        self.winners = winners;
        let by_seat = self.by_seat.iter_mut().zip(points.iter().zip(places)).take(self.num_seats);
        by_seat.for_each(|(result, (&points, &place))| *result = SeatResult { points, place, fault: None });
    }

    /// These seats have lost the game by a fault, together with their partners: they are last, without points, and the others
    /// move up. The first player has then won, even if the game had no winner, so that the win always goes to another player.
    pub(crate) fn forfeit(&mut self, offenders: SeatSet) {
        let teams = self.num_seats / self.team_size;
        let has_lost = |seat: Seat| offenders.iter().any(|other| other.index() % teams == seat.index() % teams);
        let places = places_after_forfeit(&self.by_seat.map(|result| result.place), self.num_seats, has_lost);
        for seat in self.seats() {
            let result = &mut self.by_seat[seat];
            result.place = places[seat];
            if has_lost(seat) {
                result.points = 0;
            }
        }
        self.winners = self.seats().filter(|&seat| !has_lost(seat) && places[seat] == 1).collect();
        if self.winners.is_empty() {
            self.status = Status::Void;
        }
    }

    /// The seats that took part.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone + use<> {
        Seat::first(self.num_seats)
    }

    /// The result of this seat.
    #[must_use]
    pub fn result(&self, seat: Seat) -> &SeatResult {
        &self.by_seat[seat]
    }

    /// The seats that share the win, and the share of each in units of 1/[`WIN`]. A win shared by k counts 1/k, and
    /// partners win it together; without a winner all seats get equal shares.
    #[must_use]
    #[inline]
    pub fn shared_win(&self) -> (SeatSet, u64) {
        let sharing = if self.winners.is_empty() { SeatSet::first(self.num_seats) } else { self.winners };
        (sharing, WIN_AMONG[sharing.len()] * self.team_size as u64)
    }

    /// The seat's share of the win, in units of 1/[`WIN`].
    #[must_use]
    pub fn win_of(&self, seat: Seat) -> i64 {
        let (sharing, share) = self.shared_win();
        if sharing.contains(seat) { share as i64 } else { 0 }
    }

    /// The result by seat, as agents receive it.
    pub(super) fn result_by_seat(&self) -> GameResult {
        GameResult {
            points: self.seats().map(|seat| self.result(seat).points).collect(),
            places: self.seats().map(|seat| self.result(seat).place).collect(),
            win_shares: self.seats().map(|seat| self.win_of(seat) as f64 / WIN as f64).collect(),
        }
    }

    /// The seat's position in the order of play: 0 for the seat of the first turn, then in the direction of play.
    #[must_use]
    pub fn order_of_play(&self, seat: Seat) -> usize {
        let (seat, first) = (seat.index(), self.first_seat.index());
        let (from, to) = match self.direction {
            Direction::Left => (first, seat),
            Direction::Right => (seat, first),
        };
        if to >= from { to - from } else { to + self.num_seats - from }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A finished game with these points and places by seat; the seats in first place won.
    pub(crate) fn finished(points: &[u32], places: &[u8]) -> GameRecord {
        let mut by_seat = BySeat::<SeatResult>::default();
        for (seat, result) in by_seat.iter_mut().enumerate().take(points.len()) {
            *result = SeatResult { points: points[seat], place: places[seat], fault: None };
        }
        GameRecord {
            winners: Seat::first(points.len()).filter(|seat| places[seat.index()] == 1).collect(),
            by_seat,
            rounds: 1,
            turns: 50,
            decisions: 60,
            hash: 0xabc,
            ..GameRecord::without_winner(points.len(), 1, Status::Finished)
        }
    }

    fn shares(record: &GameRecord) -> Vec<u64> {
        let (sharing, share) = record.shared_win();
        record.seats().map(|seat| if sharing.contains(seat) { share } else { 0 }).collect()
    }

    #[test]
    fn win_shares_of_game_sum_to_one() {
        assert_eq!(shares(&finished(&[30, 0, 0], &[1, 2, 3])), [WIN, 0, 0]);
        assert_eq!(shares(&finished(&[30, 0, 30], &[1, 3, 1])), [1260, 0, 1260]);
        for num_seats in 2..=MAX_SEATS {
            let without_winner =
                GameRecord { winners: SeatSet::EMPTY, ..finished(&vec![0; num_seats], &vec![1; num_seats]) };
            assert_eq!(shares(&without_winner).iter().sum::<u64>(), WIN);
        }
    }

    #[test]
    fn partners_win_together() {
        let partners = |points, places| GameRecord { team_size: 2, ..finished(points, places) };
        assert_eq!(shares(&partners(&[30, 0, 30, 0], &[1, 3, 1, 3])), [WIN, 0, WIN, 0]);
        assert_eq!(shares(&partners(&[30; 4], &[1; 4])), [WIN / 2; 4]);
        assert_eq!(shares(&GameRecord::without_winner(4, 2, Status::Void)), [WIN / 2; 4]);
    }

    #[test]
    fn forfeiting_player_is_last_and_others_move_up() {
        let forfeited = |record: GameRecord, seats: &[usize]| {
            let mut record = record;
            record.forfeit(seats.iter().copied().map(Seat::new).collect());
            let by_seat = record.seats().map(|seat| *record.result(seat));
            let (points, places): (Vec<u32>, Vec<u8>) = by_seat.map(|result| (result.points, result.place)).unzip();
            (shares(&record), points, places)
        };
        let game = finished(&[0, 40, 0, 0], &[2, 1, 3, 3]);
        assert_eq!(forfeited(game, &[1]), (vec![WIN, 0, 0, 0], vec![0; 4], vec![1, 4, 2, 2]));
        assert_eq!(forfeited(game, &[2]), (vec![0, WIN, 0, 0], vec![0, 40, 0, 0], vec![2, 1, 4, 3]));
        assert_eq!(forfeited(game, &[0, 1]), (vec![0, 0, WIN / 2, WIN / 2], vec![0; 4], vec![3, 3, 1, 1]));
        let cut = GameRecord::without_winner(3, 1, Status::Truncated);
        assert_eq!(forfeited(cut, &[0]), (vec![0, WIN / 2, WIN / 2], vec![0; 3], vec![3, 1, 1]));
        assert_eq!(forfeited(cut, &[0, 1, 2]), (vec![WIN / 3; 3], vec![0; 3], vec![1; 3]));
        let partners = GameRecord { team_size: 2, ..finished(&[30, 0, 30, 0], &[1, 3, 1, 3]) };
        assert_eq!(forfeited(partners, &[2]), (vec![0, WIN, 0, WIN], vec![0; 4], vec![3, 1, 3, 1]));
    }

    #[test]
    fn play_order_follows_direction() {
        let orders = |first, direction| {
            let record = GameRecord { first_seat: Seat::new(first), direction, ..finished(&[0; 4], &[1, 2, 3, 4]) };
            record.seats().map(|seat| record.order_of_play(seat)).collect::<Vec<_>>()
        };
        assert_eq!(orders(1, Direction::Left), [3, 0, 1, 2]);
        assert_eq!(orders(1, Direction::Right), [1, 0, 3, 2]);
    }
}
