//! Deals the unseen cards again. Only this module creates a full state from the knowledge of a seat.

use super::legal;
use super::phase::{BluffStatus, Phase};
use super::round_state::RoundState;
use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::cpu::isa::Isa;
use crate::rng::Rng;
use crate::rules::{AllFeatures, Features, Rules};
use crate::seat::{Seat, SeatSet};

/// Decides which unseen card goes to which hand.
pub trait Dealing {
    /// The next card for the hand of this seat: one of the `len` cards of the heap.
    fn next_card<M: Isa>(&mut self, seat: Seat, heap: Cards, len: u32, rng: &mut Rng) -> Card;

    /// Removes the card that [`Dealing::next_card`] chooses from the heap.
    #[inline(always)]
    fn take_next_card<M: Isa>(&mut self, seat: Seat, heap: &mut Cards, len: u32, rng: &mut Rng) -> Card {
        let card = self.next_card::<M>(seat, *heap, len, rng);
        debug_assert!(heap.contains(card), "only unseen cards can be dealt");
        heap.remove(card);
        card
    }
}

/// The hands that a seat does not see, and the cards that it knows to be in them.
pub(crate) struct Unseen<K> {
    /// The seats that hold them.
    pub(crate) seats: SeatSet,
    /// The cards that are certainly in the hand of a seat.
    pub(crate) known: K,
}

/// Every card on the heap is equally likely.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl Dealing for Uniform {
    #[inline(always)]
    fn next_card<M: Isa>(&mut self, _seat: Seat, heap: Cards, len: u32, rng: &mut Rng) -> Card {
        heap.nth_on::<M>(rng.below(len))
    }

    #[inline(always)]
    fn take_next_card<M: Isa>(&mut self, _seat: Seat, heap: &mut Cards, len: u32, rng: &mut Rng) -> Card {
        heap.take_nth_on::<M>(rng.below(len))
    }
}

impl RoundState {
    /// The state after the unseen cards, which are the draw pile and the hands that are not seen, are dealt again.
    ///
    /// Only what can be seen of this state goes into the result.
    #[inline(always)]
    pub(crate) fn with_unseen_cards_redealt<M: Isa>(
        &self,
        rules: &Rules,
        unseen: &Unseen<impl Fn(Seat) -> Cards>,
        dealing: &mut impl Dealing,
        rng: &mut Rng,
    ) -> Self {
        let (not_seen, known) = (unseen.seats, &unseen.known);
        let mut sampled = *self;
        // All hidden cards form one pool; certain cards are returned first.
        let mut heap = self.draw_pile;
        let mut heap_len = u32::from(self.draw_pile_len);
        for other in not_seen.iter() {
            heap = heap.plus(self.hand(other));
            heap_len += self.hand(other).len();
        }
        for other in not_seen.iter() {
            let certain = known(other);
            sampled.hands[other.index()] = certain;
            if !certain.is_empty() {
                heap = heap.minus(certain);
                heap_len -= certain.len();
            }
        }
        let mut take = |from: CardSet, rng: &mut Rng| -> Option<Card> {
            let open = heap.only(from);
            let len = open.len();
            if len == 0 {
                return None;
            }
            let card = open.nth(rng.below(len));
            heap.remove(card);
            heap_len -= 1;
            Some(card)
        };
        let mut drawn = None;
        // Another seat's pending decision implies something about its hand.
        if not_seen.contains(self.to_act)
            && let Some(needed) = sampled.cards_needed_for_decision(rules)
        {
            let is_drawn = matches!(self.phase, Phase::Drawn(_));
            // The known cards of the hand may forbid a draw four already.
            let needed =
                if is_drawn { sampled.playable_among::<AllFeatures>(rules, self.to_act, needed) } else { needed };
            let holds_one = (sampled.hand(self.to_act).distinct() & needed).any();
            // In the middle of an action, the card that the decision was about may have left the hand already.
            let has_room = sampled.hand(self.to_act).len() < self.hand(self.to_act).len();
            if (is_drawn || !holds_one)
                && has_room
                && let Some(card) = take(needed, rng)
            {
                sampled.hands[self.to_act.index()].add(card);
                if is_drawn {
                    sampled.phase = Phase::Drawn(card);
                    drawn = Some(card);
                }
            }
        }
        for other in not_seen.iter() {
            let mut hand = sampled.hand(other);
            let missing = self.hand(other).len() - hand.len();
            for _ in 0..missing {
                hand.add(dealing.take_next_card::<M>(other, &mut heap, heap_len, rng));
                heap_len -= 1;
            }
            sampled.hands[other.index()] = hand;
        }
        sampled.draw_pile = heap;
        if let Some(drawn) = drawn {
            sampled.redraw_if_forbidden(rules, drawn, known(self.to_act), rng);
        }
        sampled.reassess_bluff(rules, unseen, rng);
        sampled
    }

    /// Which cards, at least one of them, the seat to act must hold for its decision to be asked.
    pub(super) fn cards_needed_for_decision(&self, rules: &Rules) -> Option<CardSet> {
        match self.phase {
            Phase::Drawn(_) => Some(self.can_follow(rules)),
            Phase::Discard(color) => Some(rules.of_color(color)),
            Phase::Protect(protection) => Some(rules.of_color(protection.color)),
            Phase::Stack(_) => Some(self.all_stack_answers(rules)),
            _ => None,
        }
    }

    /// Whether a draw four that was drawn can be played may depend on the other cards of the hand. If they forbid it, another card
    /// was drawn: one that it holds and was not known to hold before, or one of the draw pile instead.
    fn redraw_if_forbidden(&mut self, rules: &Rules, drawn: Card, known: Cards, rng: &mut Rng) {
        let seat = self.to_act;
        if !rules.draw_fours().contains(drawn) || self.playable(rules, seat).contains(drawn) {
            return;
        }
        let others = self.can_follow(rules) - rules.draw_fours();
        let held = self.hand(seat).minus(known).only(others);
        if !held.is_empty() {
            self.phase = Phase::Drawn(held.nth(rng.below(held.len())));
            return;
        }
        let in_pile = self.draw_pile.only(others);
        if !in_pile.is_empty() {
            let other = in_pile.nth(rng.below(in_pile.len()));
            self.draw_pile.remove(other);
            self.draw_pile.add(drawn);
            self.hands[seat.index()].remove(drawn);
            self.hands[seat.index()].add(other);
            self.phase = Phase::Drawn(other);
        }
    }

    /// Whether a draw four was honest depends on a hand that only its player has seen.
    pub(super) fn reassess_bluff(&mut self, rules: &Rules, unseen: &Unseen<impl Fn(Seat) -> Cards>, rng: &mut Rng) {
        let Phase::Challenge(mut played) = self.phase else { return };
        if !unseen.seats.contains(played.by) {
            return;
        }
        let mut then = self.hand(played.by);
        // The known cards of the hand were there before.
        let mut perhaps_drawn_since = then.minus((unseen.known)(played.by));
        for _ in 0..u32::from(played.drawn_since).min(perhaps_drawn_since.len()) {
            let drawn = perhaps_drawn_since.nth(rng.below(perhaps_drawn_since.len()));
            perhaps_drawn_since.remove(drawn);
            then.remove(drawn);
        }
        let honest = rules.features().contains(Features::HONEST_DRAW_FOURS_ONLY)
            || legal::is_legitimate(rules, then.distinct(), played.match_row, Some(played.color_before));
        played.bluff_status = if honest { BluffStatus::Honest } else { BluffStatus::Bluff };
        self.phase = Phase::Challenge(played);
    }
}
