//! Match play: rounds to a target score, eliminations, and partnerships.

use crate::card::Card;
use crate::cpu::isa::{Isa, Kernel, dispatch};
use crate::rng::Rng;
use crate::rules::{DealerChoice, Rules, Scoring, Teams};
use crate::scoring::round_points;
use crate::seat::{BySeat, Direction, MAX_SEATS, Ring, Seat, SeatSet};
use crate::state::{Outcome, RoundState};

/// A match in progress: the scores, the remaining players and the next dealer.
///
/// Players are numbered by the seat they begin in. If partners change, they change seats too, so that partners always
/// face each other; [`RoundPlan::player_at`] gives the seats of the next round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchState {
    players: SeatSet,
    still_in: SeatSet,
    scores: BySeat<u32>,
    extra_cards: BySeat<u8>,
    dealer: Seat,
    /// Rounds that count; blocked rounds are dealt again.
    rounds: u32,
    winners: Option<SeatSet>,
}

/// The players of the seats in a round, and the dealer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundPlan {
    /// The seats at the table that take part.
    pub seats: SeatSet,
    /// The player in each seat.
    pub player_at: BySeat<Seat>,
    /// The seat that deals.
    pub dealer: Seat,
    /// The cards that each seat is dealt in addition to the other hands, as odds: see
    /// [`RoundState::deal_with_extra_cards`].
    pub extra_cards: BySeat<u8>,
}

/// A whist tournament for eight players: each player partners every other once and meets every other twice as an opponent.
/// Each line has two tables; partners are adjacent.
const WHIST_OF_EIGHT: [[[usize; 4]; 2]; 7] = [
    [[7, 0, 1, 3], [2, 6, 4, 5]],
    [[7, 1, 2, 4], [3, 0, 5, 6]],
    [[7, 2, 3, 5], [4, 1, 6, 0]],
    [[7, 3, 4, 6], [5, 2, 0, 1]],
    [[7, 4, 5, 0], [6, 3, 1, 2]],
    [[7, 5, 6, 1], [0, 4, 2, 3]],
    [[7, 6, 0, 2], [1, 5, 3, 4]],
];

/// The partnerships of four players, with partners adjacent: first the players who face each other at the start.
const PARTNERSHIPS_OF_FOUR: [[usize; 4]; 3] = [[0, 2, 1, 3], [0, 1, 2, 3], [0, 3, 2, 1]];

impl MatchState {
    /// A match before its first round.
    #[must_use]
    #[inline]
    pub fn new(players: usize, dealer: Seat) -> Self {
        let players = SeatSet::first(players);
        Self {
            players,
            still_in: players,
            scores: BySeat::new([0; MAX_SEATS]),
            extra_cards: BySeat::new([0; MAX_SEATS]),
            dealer,
            rounds: 0,
            winners: None,
        }
    }

    /// The match in which each player is dealt this number of extra cards in every round, as odds.
    #[must_use]
    pub const fn with_extra_cards(mut self, extra_cards: BySeat<u8>) -> Self {
        self.extra_cards = extra_cards;
        self
    }

    /// A match with these scores, before its next round.
    #[must_use]
    pub fn with_scores(rules: &Rules, players: usize, dealer: Seat, scores: BySeat<u32>) -> Self {
        let mut at = Self { scores, ..Self::new(players, dealer) };
        if rules.parameters().scoring == Scoring::Elimination {
            at.still_in = at.below_target(rules);
        }
        at
    }

    /// The match scores, by player.
    #[must_use]
    pub const fn scores(&self) -> &BySeat<u32> {
        &self.scores
    }

    /// The players that are still in the match.
    #[must_use]
    pub const fn still_in(&self) -> SeatSet {
        self.still_in
    }

    /// Rounds played that counted.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The winners, if the match is over.
    #[must_use]
    pub const fn winners(&self) -> Option<SeatSet> {
        self.winners
    }

    /// The player who deals next; with two tables, the seat that deals at both.
    #[must_use]
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// The seats and the dealer of the next round.
    #[must_use]
    #[inline]
    pub fn plan(&self, rules: &Rules) -> RoundPlan {
        let parameters = rules.parameters();
        let at_own_seats = BySeat::from_fn(|seat| seat);
        match parameters.teams {
            Teams::None | Teams::Fixed => {
                let extra_cards = self.extra_cards;
                RoundPlan { seats: self.still_in, player_at: at_own_seats, dealer: self.dealer, extra_cards }
            }
            Teams::Rotating => {
                let partnership = self.rounds / parameters.hands_per_partnership.get();
                let player_at = facing(PARTNERSHIPS_OF_FOUR[partnership as usize % 3]);
                let dealer = Seat::first(4).find(|&seat| player_at[seat] == self.dealer).unwrap_or(self.dealer);
                RoundPlan { seats: SeatSet::first(4), player_at, dealer, extra_cards: self.extra_cards_at(&player_at) }
            }
            Teams::RotatingTables => {
                let (hand, table) = (self.rounds / 2, self.rounds as usize % 2);
                let line = hand / parameters.hands_per_partnership_tables.get();
                let player_at = facing(WHIST_OF_EIGHT[line as usize % 7][table]);
                let extra_cards = self.extra_cards_at(&player_at);
                RoundPlan { seats: SeatSet::first(4), player_at, dealer: self.dealer, extra_cards }
            }
        }
    }

    /// The extra cards of the players in these seats.
    fn extra_cards_at(&self, player_at: &BySeat<Seat>) -> BySeat<u8> {
        player_at.map(|player| self.extra_cards[player])
    }

    /// Counts a finished round. A blocked round changes nothing: the same dealer deals again.
    pub fn count_round(&mut self, rules: &Rules, plan: &RoundPlan, round: &RoundState) {
        if round.outcome() == Some(Outcome::Void) {
            return;
        }
        let points = round_points(rules, round);
        for seat in plan.seats.iter() {
            let score = &mut self.scores[plan.player_at[seat]];
            *score = score.saturating_add(points[seat]);
        }
        self.rounds += 1;
        self.winners = self.find_winners(rules);
        if self.winners.is_none() && rules.parameters().scoring == Scoring::Elimination {
            self.still_in = self.below_target(rules);
        }
        // X-03, SW-33: to the left, skipping players who are out. With two tables, the same seat deals a hand at both.
        let deals = match rules.parameters().teams {
            Teams::RotatingTables if !self.rounds.is_multiple_of(2) => return,
            Teams::RotatingTables => SeatSet::first(4),
            Teams::None | Teams::Fixed | Teams::Rotating => self.still_in.with(self.dealer),
        };
        self.dealer = Ring::of(deals).after(self.dealer, Direction::Left);
    }

    fn below_target(&self, rules: &Rules) -> SeatSet {
        let target = rules.parameters().target.get();
        self.players.iter().filter(|&player| self.scores[player] < target).collect()
    }

    fn find_winners(&self, rules: &Rules) -> Option<SeatSet> {
        let parameters = rules.parameters();
        let rounds_planned = match parameters.teams {
            Teams::None | Teams::Fixed => None,
            Teams::Rotating => Some(3 * parameters.hands_per_partnership.get()),
            Teams::RotatingTables => Some(2 * 7 * parameters.hands_per_partnership_tables.get()),
        };
        let below = self.below_target(rules);
        match (rounds_planned, parameters.scoring) {
            (Some(planned), _) if self.rounds < planned => return None,
            // SW-30: all players that reach the target are out at the same time. The player who went out gets no points, so
            // one is left.
            (None, Scoring::Elimination) => return (below.len() <= 1).then_some(below),
            (None, _) if below == self.players => return None,
            _ => {}
        }
        let totals = self.players.iter().map(|player| self.scores[player]);
        let best = match parameters.scoring {
            Scoring::WinnerTakes => totals.max(),
            Scoring::RunningLowest | Scoring::Elimination => totals.min(),
        };
        Some(self.players.iter().filter(|&player| Some(self.scores[player]) == best).collect())
    }
}

/// Seats for two pairs, so that partners face each other.
fn facing([a, partner_of_a, b, partner_of_b]: [usize; 4]) -> BySeat<Seat> {
    let at_first_seats = [a, b, partner_of_a, partner_of_b].map(Seat::new);
    BySeat::from_fn(|seat| *at_first_seats.get(seat.index()).unwrap_or(&seat))
}

/// Finds the dealer of the first round as the variant says.
///
/// # Panics
/// If there are more than ten players, or none.
#[must_use]
pub fn first_dealer(rules: &Rules, players: usize, rng: &mut Rng) -> Seat {
    dispatch(FirstDealer { rules, players, rng })
}

struct FirstDealer<'a> {
    rules: &'a Rules,
    players: usize,
    rng: &'a mut Rng,
}

impl Kernel for FirstDealer<'_> {
    type Output = Seat;

    #[inline(always)]
    fn run<M: Isa>(self) -> Seat {
        first_dealer_on::<M>(self.rules, self.players, self.rng)
    }
}

/// [`first_dealer`], compiled for this instruction set.
///
/// # Panics
/// As [`first_dealer`].
#[must_use]
#[inline(always)]
pub fn first_dealer_on<M: Isa>(rules: &Rules, players: usize, rng: &mut Rng) -> Seat {
    let players = if rules.parameters().teams == Teams::RotatingTables { 4 } else { players };
    let all = SeatSet::first(players);
    match rules.parameters().dealer {
        DealerChoice::Fixed => Seat::new(0),
        DealerChoice::Random => {
            let number = u32::try_from(players).expect("at most ten seats");
            Seat::new(rng.below(number) as usize)
        }
        DealerChoice::Cut => {
            let mut contenders = all;
            while contenders.len() > 1 {
                // All cut cards are returned before the deal; each cut is from the whole deck.
                let (mut deck, mut len) = (rules.deck(), rules.tables.deck_list.len());
                let mut cut = [(Seat::new(0), Card::new(0)); MAX_SEATS];
                for (place, seat) in cut.iter_mut().zip(contenders.iter()) {
                    let card = deck.nth_on::<M>(rng.below(u32::try_from(len).expect("at most 512 cards")));
                    deck.take(card);
                    len -= 1;
                    *place = (seat, card);
                }
                contenders = highest_cut(rules, &cut[..contenders.len()]);
            }
            contenders.iter().next().expect("someone has the highest card")
        }
    }
}

/// The seats that cut the highest card. If there are several, they cut again.
#[must_use]
#[inline]
pub fn highest_cut(rules: &Rules, cut: &[(Seat, Card)]) -> SeatSet {
    let value = |card: Card| rules.tables.cut_values[card.index()];
    let highest = cut.iter().map(|&(_, card)| value(card)).max();
    let with_highest = |set: SeatSet, &(seat, card): &(Seat, Card)| {
        if Some(value(card)) == highest { set.with(seat) } else { set }
    };
    cut.iter().fold(SeatSet::EMPTY, with_highest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn whist_tournament_pairs_partners_once_and_opponents_twice() {
        let (mut partners, mut opponents) = (BTreeMap::new(), BTreeMap::new());
        for table in WHIST_OF_EIGHT.iter().flatten() {
            let [a, b, c, d] = *table;
            for pair in [[a, b], [c, d]] {
                *partners.entry((pair[0].min(pair[1]), pair[0].max(pair[1]))).or_insert(0) += 1;
            }
            for (x, y) in [(a, c), (a, d), (b, c), (b, d)] {
                *opponents.entry((x.min(y), x.max(y))).or_insert(0) += 1;
            }
        }
        assert_eq!(partners.len(), 28);
        assert!(partners.values().all(|&times| times == 1));
        assert!(opponents.len() == 28 && opponents.values().all(|&times| times == 2));
    }

    #[test]
    fn partners_face_each_other() {
        for [a, b, c, d] in PARTNERSHIPS_OF_FOUR {
            let at = facing([a, b, c, d]);
            assert_eq!((at[Seat::new(0)], at[Seat::new(2)]), (Seat::new(a), Seat::new(b)));
            assert_eq!((at[Seat::new(1)], at[Seat::new(3)]), (Seat::new(c), Seat::new(d)));
        }
    }
}
