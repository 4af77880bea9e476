//! The ways to begin a round.

use std::borrow::Borrow;

use super::game::Round;
use super::history::{History, Origin};
use super::order::DecisionOrder;
use crate::card::Card;
use crate::cards::Cards;
use crate::chance::Chance;
use crate::knowledge::Knowledge;
use crate::match_play::{MatchState, RoundPlan, first_dealer};
use crate::rng::{Purpose, Rng};
use crate::rules::Rules;
use crate::seat::{BySeat, MAX_SEATS, Seat, SeatSet};
use crate::state::{RoundState, StartError};

/// The seats of a round, its dealer, and the match scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    /// The seats that take part.
    pub seats: SeatSet,
    /// The seat that deals, one of them.
    pub dealer: Seat,
    /// The match score of each seat before the round; zeros outside a match.
    pub scores: BySeat<u32>,
}

impl Deal {
    /// The first `seats` seats, with this dealer, without a match.
    ///
    /// # Panics
    /// If there are fewer than two seats or more than ten, or the dealer is not one of them.
    #[must_use]
    pub fn first(seats: usize, dealer: Seat) -> Self {
        assert!((2..=MAX_SEATS).contains(&seats), "{seats} seats; a round has 2 to 10");
        assert!(dealer.index() < seats, "seat {dealer} deals at a table of {seats}");
        Self { seats: SeatSet::first(seats), dealer, scores: BySeat::default() }
    }

    /// The next round of a match: the seats and the dealer of this plan, with the scores of the players.
    #[must_use]
    pub fn of_match(plan: &RoundPlan, table: &MatchState) -> Self {
        let scores = BySeat::from_fn(|seat| table.scores()[plan.player_at[seat]]);
        Self { seats: plan.seats, dealer: plan.dealer, scores }
    }
}

impl<R: Borrow<Rules>> Round<R> {
    /// Deals the first round of a match, with the dealer determined by the rules. Equal seeds give equal rounds.
    ///
    /// The number of players is that for which the rules were built (`Rules::builder(..).seats(..)`), otherwise the smallest
    /// that they allow.
    #[must_use]
    pub fn deal(rules: R, seed: u64) -> Self {
        let players = rules.borrow().num_players();
        let dealer = first_dealer(rules.borrow(), players, &mut Rng::keyed(seed, 0, Purpose::Dealer));
        let table = MatchState::new(players, dealer);
        let deal = Deal::of_match(&table.plan(rules.borrow()), &table);
        let mut round = Self::deal_at(rules, deal, Rng::keyed(seed, 0, Purpose::Cards { round: 0 }));
        if let Some(origin) = &mut round.origin {
            (origin.seed, origin.players, origin.first_dealer) = (seed, players, dealer);
        }
        round
    }

    /// Deals a round at this table with the cards of this stream.
    ///
    /// # Panics
    /// If the rules do not allow that number of seats.
    #[must_use]
    pub fn deal_at(rules: R, deal: Deal, rng: Rng) -> Self {
        check(rules.borrow(), deal);
        let mut chance = rng;
        let mut seen = History::default();
        let state = RoundState::deal(rules.borrow(), deal.seats, deal.dealer, &mut chance, &mut seen);
        Self::under_way(rules, state, deal, chance, seen)
    }
}

impl<R: Borrow<Rules>, C: Chance> Round<R, C> {
    /// Deals a round with your own source of chance, which draws every card of every hand. The cards differ from those of
    /// [`Round::deal_at`], which shuffles.
    ///
    /// # Panics
    /// If the rules do not allow that number of seats.
    #[must_use]
    pub fn deal_by(rules: R, deal: Deal, mut chance: C) -> Self {
        check(rules.borrow(), deal);
        let (hands, pile) = loop {
            let (hands, pile) = deal_hands(rules.borrow(), deal.seats, &mut chance);
            if rules.borrow().has_start_card(pile) {
                break (hands, pile);
            }
        };
        let mut turned_up = Vec::new();
        loop {
            let card = chance.draw(pile, pile.len());
            turned_up.push(card);
            if rules.borrow().can_start(card) {
                break;
            }
        }
        Self::begin(rules, deal, hands, &turned_up, chance).expect("these cards were drawn from the deck")
    }

    /// Begins a round with known hands and the cards turned up, in order; all except the last are returned to the deck.
    ///
    /// # Errors
    /// The deck does not have the cards, they cannot be turned up in this order, or the dealer does not take part.
    ///
    /// # Panics
    /// If no card is given as turned up.
    pub fn begin(
        rules: R,
        deal: Deal,
        hands: BySeat<Cards>,
        turned_up: &[Card],
        mut chance: C,
    ) -> Result<Self, StartError> {
        let mut seen = History::default();
        let state =
            RoundState::begin(rules.borrow(), deal.seats, deal.dealer, hands, turned_up, &mut chance, &mut seen)?;
        Ok(Self::under_way(rules, state, deal, chance, seen))
    }

    /// A round in progress. It has no record, and the seats' only knowledge of the past is `knowledge`. The state must belong
    /// to these rules.
    #[must_use]
    pub fn from_state(rules: R, state: RoundState, knowledge: Knowledge, scores: BySeat<u32>, chance: C) -> Self {
        let deal = Deal { seats: state.seat_set(), dealer: state.dealer(), scores };
        let seen = History::going_on(Vec::new(), knowledge, state);
        Self { origin: None, ..Self::under_way(rules, state, deal, chance, seen) }
    }

    fn under_way(rules: R, state: RoundState, deal: Deal, chance: C, mut seen: History) -> Self {
        let players = deal.seats.len();
        let origin = seen.take_hands().map(|hands| Origin { hands, seed: 0, players, first_dealer: deal.dealer });
        let mut round = Self {
            rules,
            state,
            chance,
            seen,
            scores: deal.scores,
            order: DecisionOrder::default(),
            asked: None,
            actions: Vec::with_capacity(16),
            decisions: 0,
            turns: 0,
            origin,
        };
        round.find_decision();
        round
    }
}

/// A hand for each seat, dealt card by card, and the remaining pile.
fn deal_hands(rules: &Rules, seats: SeatSet, chance: &mut impl Chance) -> (BySeat<Cards>, Cards) {
    let mut pile = rules.deck();
    let mut hands = BySeat::<Cards>::default();
    for seat in seats.iter() {
        for _ in 0..rules.parameters().hand_size.get() {
            let card = chance.draw(pile, pile.len());
            pile.remove(card);
            hands[seat].add(card);
        }
    }
    (hands, pile)
}

fn check(rules: &Rules, deal: Deal) {
    let cards = deal.seats.len() * rules.parameters().hand_size.get() as usize;
    assert!(deal.seats.len() >= 2, "a round has two seats at least");
    assert!(deal.seats.contains(deal.dealer), "seat {} deals but takes no part", deal.dealer);
    assert!(cards < rules.deck().len() as usize, "the deck is too small for {} seats", deal.seats.len());
}
