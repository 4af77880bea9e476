//! The points and places of a finished round.

use crate::cpu::isa::{Isa, Kernel, dispatch};
use crate::rules::{HandLimit, Rules, Scoring, Teams};
use crate::seat::{BySeat, MAX_SEATS, Seat, SeatSet};
use crate::state::{Outcome, RoundState};

/// The result of a round, by seat. An unfinished round has no points and no places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoundResult {
    /// Points credited; all 0 for a blocked round.
    ///
    /// Under `winner_takes`, the player who went out and the partner score the points in the opponents' hands. Otherwise,
    /// every player scores the points in the remaining hand, and partners those in both hands.
    pub points: BySeat<u32>,
    /// Places from 1: the player who went out, then by points left in hand, fewest first. Equal points share the better
    /// place, and so do partners. In a blocked round all players are first; the place of a seat that does not take part is 0.
    pub places: BySeat<u8>,
}

impl RoundResult {
    /// The result of a round.
    #[must_use]
    #[inline(always)]
    pub fn of(rules: &Rules, state: &RoundState) -> Self {
        let mut result = Self::default();
        match state.outcome() {
            None => {}
            Some(Outcome::Void) => state.dealt_seats().iter().for_each(|seat| result.places[seat] = 1),
            Some(Outcome::WentOut(winner)) => result.count(rules, state, winner),
        }
        result
    }

    /// [`RoundResult::of`] with the fastest code for this processor, which counts bits. It is compiled here and not for each
    /// caller.
    #[must_use]
    pub fn counted(rules: &Rules, state: &RoundState) -> Self {
        dispatch(RoundScoring { rules, state })
    }

    #[inline(always)]
    fn count(&mut self, rules: &Rules, state: &RoundState, winner: Seat) {
        let (parameters, seats) = (rules.parameters(), state.dealt_seats());
        let mut left = state.points_left(rules);
        if let HandLimit::Cards { points, .. } = parameters.hand_limit {
            left[winner] = 0; // the last player left still holds cards
            state.out().iter().for_each(|seat| left[seat] = points);
        }
        let mut taken: u32 = left.iter().sum();
        if parameters.teams != Teams::None {
            left = by_side(parameters.teams, state, &left);
        }
        taken -= left[winner];
        // The player who went out holds no cards, but others may hold none either (DI-08); the winner is first.
        let mut ranks = [u32::MAX; MAX_SEATS];
        for seat in seats.iter() {
            let won = are_partners(parameters.teams, seat, winner);
            let held = if state.out().contains(seat) { u32::MAX - 2 } else { left[seat] };
            ranks[seat.index()] = if won { 0 } else { 1 + held };
            self.points[seat] = match parameters.scoring {
                Scoring::WinnerTakes if won => taken,
                Scoring::WinnerTakes => 0,
                Scoring::RunningLowest | Scoring::Elimination => left[seat],
            };
        }
        for seat in seats.iter() {
            let rank = ranks[seat.index()];
            let ahead = ranks.iter().map(|&other| u32::from(other < rank)).sum::<u32>();
            self.places[seat] = 1 + u8::try_from(ahead).expect("at most ten seats");
        }
    }
}

struct RoundScoring<'a> {
    rules: &'a Rules,
    state: &'a RoundState,
}

impl Kernel for RoundScoring<'_> {
    type Output = RoundResult;

    #[inline(always)]
    fn run<M: Isa>(self) -> RoundResult {
        RoundResult::of(self.rules, self.state)
    }
}

/// Points of each seat, including its partner's points.
#[inline]
fn by_side(teams: Teams, state: &RoundState, points: &BySeat<u32>) -> BySeat<u32> {
    BySeat::from_fn(|seat| {
        let side = state.seats().filter(|&other| are_partners(teams, seat, other));
        side.map(|other| points[other]).sum()
    })
}

/// Points credited to each seat for a finished round; see [`RoundResult::points`].
#[must_use]
pub fn round_points(rules: &Rules, state: &RoundState) -> BySeat<u32> {
    RoundResult::of(rules, state).points
}

/// The place of each seat in a finished round; see [`RoundResult::places`].
#[must_use]
pub fn round_places(rules: &Rules, state: &RoundState) -> BySeat<u8> {
    RoundResult::of(rules, state).places
}

/// The seats of the team of this seat, including itself, whether or not they take part: partners sit across from each other.
#[must_use]
#[inline]
pub const fn side_of(teams: Teams, seat: Seat) -> SeatSet {
    match teams {
        Teams::None => SeatSet::of(seat),
        Teams::Fixed | Teams::Rotating | Teams::RotatingTables => SeatSet::across(seat),
    }
}

/// Whether the two seats are partners. Each seat is its own partner.
#[must_use]
#[inline]
pub const fn are_partners(teams: Teams, a: Seat, b: Seat) -> bool {
    side_of(teams, a).contains(b)
}
