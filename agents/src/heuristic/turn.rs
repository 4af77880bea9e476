//! The value of a play: a sum of named terms.
#![expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a few cards; values need no more")]

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::cpu::Isa;
use unolab_engine::observation::Observation;
use unolab_engine::rules::{Group, Rules, Special};
use unolab_engine::seat::Seat;

use super::remaining_hand::{Counts, RemainingHand};
use super::{HiddenHand, Other, Situation, View, larger, smaller};
use crate::next_to_act::next_to_act;

/// An action with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValuedAction {
    pub(super) action: Action,
    pub(super) value: f32,
}

/// The best so far.
struct Best {
    card: Card,
    /// The color that it names.
    names: Option<Color>,
    value: f32,
}

impl Best {
    /// Whether this play is better. Of equal plays the one with the first card is better, independent of the order of
    /// comparison.
    #[inline(always)]
    fn is_beaten_by(&self, card: Card, value: f32) -> bool {
        value >= self.value && (value > self.value || card < self.card)
    }

    #[inline(always)]
    fn consider(&mut self, card: Card, names: Option<Color>, value: f32) {
        if self.is_beaten_by(card, value) {
            *self = Self { card, names, value };
        }
    }
}

/// The value of effects on the next player.
#[derive(Debug, Clone, Copy)]
struct AttackValue {
    /// The value of skipping it.
    to_skip: f32,
    /// The value of making it draw and lose its turn.
    to_draw: f32,
}

/// The value of going out.
const WIN: f32 = 1_000.0;

impl<M: Isa> View<'_, M> {
    /// The best way to play one of these cards of the hand; the first of equals.
    #[inline(always)]
    pub(super) fn best_play(&self, situation: &Situation<'_>, cards: CardSet) -> Option<ValuedAction> {
        let first = cards.first()?;
        if situation.hand.len == 1 {
            return Some(ValuedAction { action: Action::Play(first), value: WIN });
        }
        // The first card of each group is handled before its loop, because there are usually one or two cards, and a loop is
        // optimized for many.
        let mut best = Best { card: first, names: None, value: f32::NEG_INFINITY };
        let plain = self.kinds.plain();
        let mut plains = (cards & plain).iter();
        if let Some(card) = plains.next() {
            best = Best { card, names: None, value: self.value_of_plain_card(situation, card) };
            for card in plains {
                let value = self.value_of_plain_card(situation, card);
                if value > best.value {
                    best = Best { card, names: None, value };
                }
            }
        }
        let hit = self.worth_of_hits(situation.next);
        let mut looked_at = (situation.next.seat, situation.hand_of_next);
        let mut others = (cards - plain).iter();
        if let Some(card) = others.next() {
            self.consider(situation, card, hit, &mut best, &mut looked_at);
            for card in others {
                self.consider(situation, card, hit, &mut best, &mut looked_at);
            }
        }
        let Best { card, names, value } = best;
        let action = names.map_or(Action::Play(card), |color| Action::PlayNaming(card, color));
        Some(ValuedAction { action, value })
    }

    /// Handles most cards: they do not affect a player, are not worth keeping, and pass the turn to the next seat.
    #[inline(always)]
    fn value_of_plain_card(&self, situation: &Situation<'_>, card: Card) -> f32 {
        let hand = &situation.hand;
        let color = self.rules.color_of(card);
        let followers = self.rules.can_follow(card, color);
        // The card itself is one of those that can follow.
        let among_rest = hand.colored_among(self.rules, followers) - 1;
        self.worth_of_points(situation.point, card)
            + (self.worth_of_counts(&hand.counts(self.rules, color).without_one(), among_rest)
                + self.worth_of_holding(situation.next, &situation.hand_of_next, followers))
    }

    /// Whether this card can be played in a better way than the best so far. The hand that is `looked_at` is kept for the
    /// next card, which often needs the same one.
    #[inline(always)]
    fn consider(
        &self,
        situation: &Situation<'_>,
        card: Card,
        hit: AttackValue,
        best: &mut Best,
        looked_at: &mut (Seat, HiddenHand),
    ) {
        let apart = self.value_apart_from_color(situation, card, hit);
        let names_color = self.rules.names_color().contains(card);
        if names_color && !best.is_beaten_by(card, apart + self.most_of_what_follows(&situation.hand, card)) {
            return; // in no color
        }
        let rest = &situation.hand.without(self.rules, card);
        let to_act = self.to_act_after(situation.next, card);
        if names_color {
            self.look_at(situation, to_act, looked_at);
            for color in Color::ALL {
                let followers = self.rules.can_follow(card, Some(color));
                let worth_of_rest = self.worth_of_rest(rest, followers, Some(color));
                let value = apart + self.value_of_what_follows(worth_of_rest, rest, followers, to_act, &looked_at.1);
                best.consider(card, Some(color), value);
            }
        } else {
            let color = self.rules.color_of(card).or(self.observation.color());
            let followers = self.rules.can_follow(card, color);
            let worth_of_rest = self.worth_of_rest(rest, followers, color);
            if let Some(other) = to_act
                && !best.is_beaten_by(card, apart + (worth_of_rest - smaller(other.holding, 0.0)))
            {
                return; // regardless of that seat's hand
            }
            self.look_at(situation, to_act, looked_at);
            let value = apart + self.value_of_what_follows(worth_of_rest, rest, followers, to_act, &looked_at.1);
            best.consider(card, None, value);
        }
    }

    /// The seat that acts next after this card; `None` if it is the agent's seat.
    #[inline(always)]
    fn to_act_after(&self, next: Other, card: Card) -> Option<Other> {
        if !self.kinds.moves_turn().contains(card) {
            return Some(next);
        }
        match next_to_act(self.observation, card) {
            seat if seat == next.seat => Some(next),
            seat if seat == self.observation.seat() => None,
            seat => Some(self.other(seat)),
        }
    }

    /// Evaluates the hand of another seat, unless it was the last one evaluated.
    #[inline(always)]
    fn look_at(&self, situation: &Situation<'_>, seat: Option<Other>, looked_at: &mut (Seat, HiddenHand)) {
        if let Some(other) = seat
            && other.seat != looked_at.0
        {
            let is_next = other.seat == situation.next.seat;
            let hand = if is_next { situation.hand_of_next } else { self.hidden_hand(&situation.sight, other) };
            *looked_at = (other.seat, hand);
        }
    }

    /// The value of the next turn: its seat, and the cards that can follow.
    #[inline(always)]
    fn value_of_what_follows(
        &self,
        worth_of_rest: f32,
        rest: &RemainingHand,
        followers: CardSet,
        to_act: Option<Other>,
        hand: &HiddenHand,
    ) -> f32 {
        match to_act {
            Some(other) => worth_of_rest + self.worth_of_holding(other, hand, followers),
            // Within this turn: at most four cards are searched.
            None if rest.len <= 4 && plays_out(self.observation, rest.cards, followers) => WIN,
            None if (rest.cards.distinct() & followers).any() => worth_of_rest + self.weights.run,
            None => worth_of_rest,
        }
    }

    /// An upper bound on the value of playing this card of the hand in any color.
    #[inline(always)]
    fn most_of_what_follows(&self, hand: &RemainingHand, card: Card) -> f32 {
        let may_give_the_turn_back = self.observation.is_two_seats() || self.rules.custom().contains(card);
        if may_give_the_turn_back && self.kinds.moves_turn().contains(card) {
            return WIN;
        }
        let weights = self.weights;
        let follow = match hand.len - 1 {
            1 => weights.follow_last,
            2 => weights.follow_two + larger(weights.follow_both, 0.0),
            3 => weights.follow_three,
            _ => weights.follow_many,
        };
        // Summed in the same order as the bounded value, so that rounding cannot reverse the comparison.
        let in_color = larger(weights.in_color, 0.0) * hand.colored(self.rules) as f32;
        larger(follow, 0.0) + in_color + larger(weights.cover, 0.0) * hand.colors as f32 - self.least_holding()
    }

    #[inline(always)]
    fn value_apart_from_color(&self, situation: &Situation<'_>, card: Card, hit: AttackValue) -> f32 {
        let hand = &situation.hand;
        let worth_of_hit = self.worth_of_hit(hit, card);
        let worth_of_points = self.worth_of_points(situation.point, card);
        let mut value =
            worth_of_hit + worth_of_points - self.worth_in_hand(self.kinds.group(Group::Number), card, hand);
        if self.kinds.changes_hands().contains(card) {
            value += self.weights.worth_of_changing_hands(self.observation, card, &hand.without(self.rules, card));
        }
        if self.rules.draw_fours().contains(card) && !self.observation.legitimately_playable().contains(card) {
            value -= self.cost_of_bluff(hand.len - 1);
        }
        value
    }

    /// Drawing leaves the top card to the next player.
    #[inline(always)]
    pub(super) fn value_of_drawing(&self, situation: &Situation<'_>) -> f32 {
        self.value_of_leaving_the_top(situation) - self.weights.drawing * self.patience()
    }

    /// Keeping the card just drawn leaves it too.
    #[inline(always)]
    pub(super) fn value_of_keeping(&self, situation: &Situation<'_>) -> f32 {
        self.value_of_leaving_the_top(situation) - self.weights.keeping * self.patience()
    }

    #[inline(always)]
    fn value_of_leaving_the_top(&self, situation: &Situation<'_>) -> f32 {
        let Situation { hand, next, hand_of_next, .. } = situation;
        let followers = self.observation.can_follow();
        self.worth_of_rest(hand, followers, self.observation.color())
            + self.worth_of_holding(*next, hand_of_next, followers)
            - self.weights.lag_drawing * coloreds_fewer_than_four(self.rules, hand) * self.patience()
    }

    /// The value of a hand that can follow the new top card.
    #[inline(always)]
    pub(super) fn worth_of_rest(&self, rest: &RemainingHand, followers: CardSet, color: Option<Color>) -> f32 {
        self.worth_of_counts(&rest.counts(self.rules, color), rest.colored_among(self.rules, followers))
    }

    /// The same by the number of cards, and of colored cards that can follow.
    #[inline(always)]
    fn worth_of_counts(&self, rest: &Counts, can_follow: u32) -> f32 {
        let weights = self.weights;
        // A wild follows any card: it does not depend on this play, unless it is the last card.
        let follow = match (rest.len, can_follow) {
            (1, 0) if rest.colors == 0 => weights.follow_last,
            (_, 0) => 0.0,
            (1, _) => weights.follow_last,
            (2, 1) => weights.follow_two,
            (2, _) => weights.follow_two + weights.follow_both,
            (3, _) => weights.follow_three,
            _ => weights.follow_many,
        };
        follow + weights.in_color * rest.of_color as f32 + weights.cover * rest.colors as f32
    }

    /// The value of keeping useful cards, as long as the round will last.
    #[inline(always)]
    pub(super) fn worth_in_hand(&self, numbers: CardSet, card: Card, rest: &RemainingHand) -> f32 {
        let weights = self.weights;
        let is = |special: Special| self.rules.of_special(special).contains(card);
        let worth = if numbers.contains(card) {
            return 0.0;
        } else if self.rules.colored().contains(card) {
            weights.keep_action
        } else if is(Special::Wild) {
            weights.keep_wild + weights.lag * coloreds_fewer_than_four(self.rules, rest)
        } else if is(Special::WildDrawFour) {
            weights.keep_draw_four + weights.lag * coloreds_fewer_than_four(self.rules, rest)
        } else if is(Special::VillainDrawFour) {
            weights.keep_villain
        } else {
            weights.keep_special
        };
        worth * self.patience()
    }

    /// The value of the case that the next seat has no playable card.
    #[inline(always)]
    pub(super) fn worth_of_holding(&self, to_act: Other, hand: &HiddenHand, followers: CardSet) -> f32 {
        let cannot = hand.chance_to_follow_nothing(followers);
        to_act.holding * (cannot as f32 - 1.0)
    }

    /// The value of the effects on the next player, which is larger near the player's end.
    #[inline(always)]
    fn worth_of_hits(&self, next: Other) -> AttackValue {
        let (skip, draw) = match next.hand_len {
            1 => (self.weights.skip_one, self.weights.hit_one),
            2 => (self.weights.skip_two, self.weights.hit_two),
            _ => (0.0, self.weights.hit),
        };
        AttackValue { to_skip: next.side * skip, to_draw: next.side * (skip + draw) }
    }

    /// The value of this card's effects on the next player.
    #[inline(always)]
    fn worth_of_hit(&self, hit: AttackValue, card: Card) -> f32 {
        let skips = || {
            self.kinds.group(Group::Skip).contains(card)
                || self.kinds.group(Group::Reverse).contains(card) && self.observation.is_two_seats()
        };
        if self.kinds.makes_draw().contains(card) {
            hit.to_draw
        } else if skips() {
            hit.to_skip
        } else {
            0.0
        }
    }

    #[inline(always)]
    pub(super) fn worth_of_points(&self, point: f32, card: Card) -> f32 {
        point * self.rules.points(card) as f32
    }

    /// A caught bluff penalizes its player and no other player. The more cards a player holds, the likelier a challenge.
    #[inline(always)]
    fn cost_of_bluff(&self, cards_left: u32) -> f32 {
        let guilty_draw = self.rules.parameters().guilty_draw.get() as f32;
        let caught = (self.weights.caught * cards_left as f32).min(1.0);
        caught * (guilty_draw * self.weights.card + self.weights.hit_one)
    }
}

#[inline(always)]
fn coloreds_fewer_than_four(rules: &Rules, hand: &RemainingHand) -> f32 {
    4_u32.saturating_sub(hand.colored(rules)) as f32
}

/// Whether the rest can be played out in this turn: each card keeps the turn, and the next card can follow it.
fn plays_out(observation: &Observation<'_>, rest: Cards, followers: CardSet) -> bool {
    let rules = observation.rules();
    (rest.distinct() & followers).iter().any(|card| {
        let mut left = rest;
        left.take(card);
        let color = rules.color_of(card);
        left.is_empty()
            || color.is_some()
                && next_to_act(observation, card) == observation.seat()
                && plays_out(observation, left, rules.can_follow(card, color))
    })
}
