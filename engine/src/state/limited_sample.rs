//! Redeals the unseen cards where the rules imply something about a hand: each card of a hand has a place, and places exclude kinds.

use super::phase::Phase;
use super::round_state::RoundState;
use super::sample::Unseen;
use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::implication::fitting_place;
use crate::rng::Rng;
use crate::rules::{AllFeatures, Features, Rules};
use crate::seat::Seat;

/// After this number of rejected deals the last resort is used, which is always within the limits but only nearly uniform.
const MOST_DEALS: u32 = 32;

/// A card of a hand that is not seen. The places of a hand are in the order in which the cards came.
#[derive(Debug, Clone, Copy)]
struct Place {
    seat: Seat,
    excluded: CardSet,
    held: Held,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Nothing,
    /// A card that was dealt here, and could be elsewhere.
    Dealt(Card),
    /// A card that is certain.
    Fixed(Card),
}

impl Place {
    const fn is_open(&self) -> bool {
        matches!(self.held, Held::Nothing)
    }

    const fn card(&self) -> Option<Card> {
        match self.held {
            Held::Nothing => None,
            Held::Dealt(card) | Held::Fixed(card) => Some(card),
        }
    }

    fn possible(&self, cards: Cards) -> Cards {
        cards.only(cards.distinct() - self.excluded)
    }
}

/// The places of the hands that are not seen, and the unseen cards without a place.
#[derive(Debug, Clone)]
struct Places {
    all: Vec<Place>,
    heap: Cards,
}

impl Places {
    /// A card that is certainly in this hand; it is not on the heap.
    fn fix(&mut self, seat: Seat, card: Card) {
        let excluded = |place: &Place| (place.seat == seat && place.is_open()).then_some(place.excluded);
        if let Some(place) = fitting_place(self.all.iter().map(excluded), card) {
            self.all[place].held = Held::Fixed(card);
        }
    }

    fn put(&mut self, place: usize, card: Card) {
        self.heap.remove(card);
        self.all[place].held = Held::Dealt(card);
    }

    /// Deals to the open places: each way to do so within the limits is equally likely.
    ///
    /// One place after the other gets a possible card, each copy equally likely. A deal then has the probability of the product of
    /// 1/n, where n is the number of cards that were possible for a place. This n depends on the cards dealt before, but is at most
    /// some number u; accepting a deal with the probability of the product of n/u makes all deals equally likely. If of two places
    /// one always allows what the other does, as in one hand mostly, n is u.
    fn deal_uniformly(&mut self, rng: &mut Rng) {
        let allowed = |places: &Self, place: usize| places.heap.distinct() - places.all[place].excluded;
        let mut order: Vec<usize> = (0..self.all.len()).filter(|&place| self.all[place].is_open()).collect();
        order.sort_by_key(|&place| self.heap.len_of(allowed(self, place)));
        let most_possible: Vec<u32> = order
            .iter()
            .enumerate()
            .map(|(rank, &place)| {
                let kinds = allowed(self, place);
                let certainly_fewer =
                    order[..rank].iter().filter(|&&before| (allowed(self, before) - kinds).is_empty());
                let fewer = u32::try_from(certainly_fewer.count()).expect("at most 512 cards");
                self.heap.len_of(kinds).saturating_sub(fewer)
            })
            .collect();
        for _ in 0..MOST_DEALS {
            let mut dealt = self.clone();
            let acceptance = dealt.try_deal(&order, &most_possible, rng);
            if acceptance >= 1.0 || acceptance > 0.0 && rng.unit() < acceptance {
                *self = dealt;
                return;
            }
        }
        self.deal_somehow(&order, rng);
    }

    /// Deals to the places in this order. Returns the probability with which to accept it; 0 if it came to an impossible place.
    fn try_deal(&mut self, order: &[usize], most_possible: &[u32], rng: &mut Rng) -> f64 {
        let mut acceptance = 1.0;
        for (&place, &most) in order.iter().zip(most_possible) {
            let possible = self.all[place].possible(self.heap);
            if possible.is_empty() {
                return 0.0;
            }
            acceptance *= f64::from(possible.len()) / f64::from(most.max(1));
            self.put(place, any_of(possible, rng));
        }
        acceptance
    }

    fn deal_somehow(&mut self, order: &[usize], rng: &mut Rng) {
        for &place in order {
            if !self.make_room(place, &mut vec![false; self.all.len()], rng) {
                // The limits contradict each other: a card has gone to another hand unseen.
                self.put(place, any_of(self.heap, rng));
            }
        }
    }

    /// Deals to a place: a card of the heap, or one of another place, which gets another one. Returns whether that is possible.
    fn make_room(&mut self, place: usize, is_tried: &mut [bool], rng: &mut Rng) -> bool {
        is_tried[place] = true;
        let possible = self.all[place].possible(self.heap);
        if !possible.is_empty() {
            self.put(place, any_of(possible, rng));
            return true;
        }
        for other in 0..self.all.len() {
            let Held::Dealt(card) = self.all[other].held else { continue };
            if !is_tried[other] && !self.all[place].excluded.contains(card) && self.make_room(other, is_tried, rng) {
                self.all[place].held = Held::Dealt(card);
                return true;
            }
        }
        false
    }

    fn hand(&self, seat: Seat) -> Cards {
        self.all.iter().filter(|place| place.seat == seat).filter_map(Place::card).collect()
    }
}

fn any_of(cards: Cards, rng: &mut Rng) -> Card {
    cards.nth(rng.below(cards.len()))
}

impl RoundState {
    /// [`RoundState::with_unseen_cards_redealt`] within the limits of the hands.
    #[cold]
    #[inline(never)]
    pub(crate) fn with_unseen_cards_redealt_within_limits<'k>(
        &self,
        rules: &Rules,
        unseen: &Unseen<impl Fn(Seat) -> Cards>,
        excluded: impl Fn(Seat) -> &'k [CardSet],
        rng: &mut Rng,
    ) -> Self {
        let mut sampled = *self;
        let mut places = Places { all: Vec::new(), heap: self.draw_pile };
        for seat in unseen.seats.iter() {
            let (hand, excluded) = (self.hand(seat), excluded(seat));
            debug_assert!(
                excluded.is_empty() || excluded.len() == hand.len() as usize,
                "seat {seat}: {hand:?} {excluded:?}"
            );
            places.heap = places.heap.plus(hand);
            places.all.extend((0..hand.len() as usize).map(|place| {
                let excluded = excluded.get(place).copied().unwrap_or_default();
                Place { seat, excluded, held: Held::Nothing }
            }));
        }
        for seat in unseen.seats.iter() {
            sampled.hands[seat.index()] = (unseen.known)(seat);
            places.heap = places.heap.minus(sampled.hand(seat));
        }
        // Another seat's pending decision implies something about its hand. The card just drawn came last.
        let needed = sampled.cards_needed_for_decision(rules).filter(|_| unseen.seats.contains(self.to_act));
        let is_drawn = matches!(self.phase, Phase::Drawn(_));
        if let Some(needed) = needed
            && is_drawn
        {
            sampled.fix_drawn(rules, needed, &mut places, rng);
        }
        for seat in unseen.seats.iter() {
            (unseen.known)(seat).iter().for_each(|card| places.fix(seat, card));
        }
        if let Some(needed) = needed
            && !is_drawn
        {
            sampled.fix_needed(needed, &mut places, rng);
        }
        places.deal_uniformly(rng);
        for seat in unseen.seats.iter() {
            sampled.hands[seat.index()] = places.hand(seat);
        }
        sampled.draw_pile = places.heap;
        sampled.reassess_bluff(rules, unseen, rng);
        sampled
    }

    /// Deals the card just drawn, one of those that can be played.
    fn fix_drawn(&mut self, rules: &Rules, can_follow: CardSet, places: &mut Places, rng: &mut Rng) {
        let seat = self.to_act;
        // The known cards of the hand may forbid a draw four already.
        let playable = self.playable_among::<AllFeatures>(rules, seat, can_follow);
        let Some(newest) = places.all.iter().rposition(|place| place.seat == seat) else { return };
        let possible = places.all[newest].possible(places.heap.only(playable));
        // In the middle of an action, the card may have left the hand already.
        let has_room = (self.hand(seat).len() as usize) < places.all.iter().filter(|place| place.seat == seat).count();
        if possible.is_empty() || !has_room {
            return;
        }
        let card = any_of(possible, rng);
        places.heap.remove(card);
        places.all[newest].held = Held::Fixed(card);
        self.phase = Phase::Drawn(card);
        // A draw four that must be honest can be played: no other card of the hand forbids it.
        if rules.features().contains(Features::HONEST_DRAW_FOURS_ONLY) && rules.draw_fours().contains(card) {
            let blocking =
                rules.tables.playable_on[usize::from(self.match_row)].blocks_legitimate_draw_four(self.color);
            let others = places.all.iter_mut().filter(|place| place.seat == seat && place.is_open());
            others.for_each(|place| place.excluded |= blocking);
        }
    }

    /// Deals a card that the decision of the seat to act needs, if none is certain.
    fn fix_needed(&self, needed: CardSet, places: &mut Places, rng: &mut Rng) {
        if (self.hand(self.to_act).distinct() & needed).any() {
            return;
        }
        let needed = places.heap.only(needed);
        let open = places.all.iter().filter(|place| place.seat == self.to_act && place.is_open());
        let kinds = open.fold(CardSet::EMPTY, |kinds, place| kinds | place.possible(needed).distinct());
        let possible = needed.only(kinds);
        if !possible.is_empty() {
            let card = any_of(possible, rng);
            places.heap.remove(card);
            places.fix(self.to_act, card);
        }
    }
}
