//! The value of a play: a sum of named terms.
#![expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a few cards; values need no more")]

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet, Face};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::fast::Isa;
use unolab_engine::rules::{CardKind, Effect, Special, Who};
use unolab_engine::seat::Seat;

use super::rest::Rest;
use super::{HiddenHand, Other, Situation, View, Weights};
use crate::kinds::{Group, KindTable};

/// An action with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Valued {
    pub(super) action: Action,
    pub(super) value: f32,
}

/// The best so far.
struct Best {
    found: Option<Action>,
    value: f32,
}

impl Best {
    #[inline(always)]
    fn is_as_good_as(&self, value: f32) -> bool {
        value <= self.value && self.found.is_some()
    }

    #[inline(always)]
    fn consider(&mut self, action: Action, value: f32) {
        if value > self.value || self.found.is_none() {
            *self = Self { found: Some(action), value };
        }
    }
}

/// The value of going out.
const WIN: f32 = 1_000.0;

impl<M: Isa> View<'_, M> {
    /// The best way to play one of these cards of the hand; the first of equals.
    #[inline(always)]
    pub(super) fn best_play(&self, situation: &Situation<'_>, cards: CardSet) -> Option<Valued> {
        let mut best = Best { found: None, value: f32::NEG_INFINITY };
        let mut further_on = None;
        for card in cards {
            self.consider(situation, card, &mut best, &mut further_on);
        }
        best.found.map(|action| Valued { action, value: best.value })
    }

    /// Is there a way to play this card that is better than the best so far? A seat `further_on` is looked at only once.
    #[inline(always)]
    fn consider(
        &self,
        situation: &Situation<'_>,
        card: Card,
        best: &mut Best,
        further_on: &mut Option<(Seat, HiddenHand)>,
    ) {
        if situation.hand.len == 1 {
            return best.consider(Action::Play(card), WIN);
        }
        let rest = &situation.hand.without(self.rules, card);
        let (own, next) = (self.observation.seat(), &situation.next);
        let seat = situation.kinds.next_to_act(self.observation, card);
        let to_act = match seat {
            seat if seat == next.seat => Some(*next),
            seat if seat == own => None, // the play gives the turn back
            seat => Some(self.other(seat)),
        };
        let apart = self.value_apart_from_color(situation, card, rest);
        let names_color = self.rules.names_color().contains(card);
        if names_color && best.is_as_good_as(apart + self.most_of_what_follows(rest, to_act)) {
            return; // in no colour
        }
        let hand = match *further_on {
            _ if seat == next.seat => &situation.hand_of_next,
            Some((looked_at, ref hand)) if looked_at == seat => hand,
            _ => {
                let hand = match to_act {
                    Some(other) => self.hidden_hand(&situation.sight, other),
                    None => situation.hand_of_next, // nobody's
                };
                &further_on.insert((seat, hand)).1
            }
        };
        let holder = to_act.map(|other| (other, hand));
        if names_color {
            for color in Color::ALL {
                let value = apart + self.value_of_what_follows(situation, card, Some(color), rest, holder);
                best.consider(Action::PlayNaming(card, color), value);
            }
        } else {
            let color = self.rules.color_of(card).or(self.observation.color());
            let value = apart + self.value_of_what_follows(situation, card, color, rest, holder);
            best.consider(Action::Play(card), value);
        }
    }

    /// The value of the next turn: its seat, and the cards that can follow.
    #[inline(always)]
    fn value_of_what_follows(
        &self,
        situation: &Situation<'_>,
        card: Card,
        color: Option<Color>,
        rest: &Rest,
        to_act: Option<(Other, &HiddenHand)>,
    ) -> f32 {
        let followers = self.rules.can_follow(card, color);
        let worth_of_rest = self.worth_of_rest(rest, followers, color);
        match to_act {
            Some((other, hand)) => worth_of_rest + self.worth_of_holding(other, hand, followers),
            // In this very turn: four cards are the most that are looked through.
            None if rest.len <= 4 && self.plays_out(situation.kinds, rest.cards, followers) => WIN,
            None if (rest.cards.distinct() & followers).any() => worth_of_rest + self.weights.run,
            None => worth_of_rest,
        }
    }

    /// No more than this comes of it in any colour.
    #[inline(always)]
    fn most_of_what_follows(&self, rest: &Rest, to_act: Option<Other>) -> f32 {
        let Some(other) = to_act else { return WIN };
        let Weights { follow_last, follow_two, follow_both, follow_three, follow_many, in_color, cover, .. } =
            *self.weights;
        let follow =
            [follow_last, follow_two + follow_both.max(0.0), follow_three, follow_many].into_iter().fold(0.0, f32::max);
        let in_colors = in_color.max(0.0) * rest.len as f32 + cover.max(0.0) * Color::ALL.len() as f32;
        follow + in_colors - other.holding.min(0.0)
    }

    #[inline(always)]
    fn value_apart_from_color(&self, situation: &Situation<'_>, card: Card, rest: &Rest) -> f32 {
        let worth_of_hit = self.worth_of_hit(situation, card);
        let worth_of_points = self.worth_of_points(situation.point, card);
        let mut value =
            worth_of_hit + worth_of_points - self.worth_in_hand(situation.kinds.group(Group::Number), card, rest);
        if situation.kinds.changes_hands().contains(card) {
            value += self.worth_of_changing_hands(card, rest);
        }
        if self.rules.draw_fours().contains(card) && !self.observation.honestly_playable().contains(card) {
            value -= self.cost_of_bluff(rest);
        }
        value
    }

    /// Drawing leaves the top card to the next player.
    #[inline(always)]
    pub(super) fn value_of_drawing(&self, situation: &Situation<'_>) -> f32 {
        self.value_of_leaving_the_top(situation) - self.weights.drawing * self.patience()
    }

    /// So does keeping the card just drawn.
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
            - self.weights.lag_drawing * coloreds_fewer_than_four(hand) * self.patience()
    }

    /// Can the rest be played out in this very turn, each card giving the next move and the next following it?
    fn plays_out(&self, kinds: &KindTable, rest: Cards, followers: CardSet) -> bool {
        (rest.distinct() & followers).iter().any(|card| {
            let mut left = rest;
            left.remove(card);
            let color = self.rules.color_of(card);
            left.is_empty()
                || color.is_some()
                    && kinds.next_to_act(self.observation, card) == self.observation.seat()
                    && self.plays_out(kinds, left, self.rules.can_follow(card, color))
        })
    }

    /// A hand that can follow the new top card will play on.
    #[inline(always)]
    pub(super) fn worth_of_rest(&self, rest: &Rest, followers: CardSet, color: Option<Color>) -> f32 {
        let weights = self.weights;
        // A wild follows whatever is played: it says nothing of this play, unless it is the last card.
        let follow = match (rest.len, rest.colored_among(self.rules, followers)) {
            (1, 0) if rest.colored == 0 => weights.follow_last,
            (_, 0) => 0.0,
            (1, _) => weights.follow_last,
            (2, 1) => weights.follow_two,
            (2, _) => weights.follow_two + weights.follow_both,
            (3, _) => weights.follow_three,
            _ => weights.follow_many,
        };
        let of_color = color.map_or(0, |color| rest.of_color(color));
        follow + weights.in_color * of_color as f32 + weights.cover * rest.colors as f32
    }

    /// Cards that are of use later are worth keeping, as long as the round will last.
    #[inline(always)]
    pub(super) fn worth_in_hand(&self, numbers: CardSet, card: Card, rest: &Rest) -> f32 {
        let weights = self.weights;
        let is = |special: Special| self.rules.of_special(special).contains(card);
        let worth = if numbers.contains(card) {
            return 0.0;
        } else if self.rules.colored().contains(card) {
            weights.keep_action
        } else if is(Special::Wild) {
            weights.keep_wild + weights.lag * coloreds_fewer_than_four(rest)
        } else if is(Special::WildDrawFour) {
            weights.keep_draw_four + weights.lag * coloreds_fewer_than_four(rest)
        } else if is(Special::VillainDrawFour) {
            weights.keep_villain
        } else {
            weights.keep_special
        };
        worth * self.patience()
    }

    /// How good it is that the next to act may have nothing to follow.
    #[inline(always)]
    pub(super) fn worth_of_holding(&self, to_act: Other, hand: &HiddenHand, followers: CardSet) -> f32 {
        let cannot = hand.chance_to_follow_nothing(followers);
        to_act.holding * (cannot as f32 - 1.0)
    }

    /// The value of the effect on the next player.
    #[inline(always)]
    fn worth_of_hit(&self, Situation { kinds, next, skip, hit, .. }: &Situation<'_>, card: Card) -> f32 {
        let draws = kinds.makes_draw().contains(card);
        let skips = draws
            || kinds.group(Group::Skip).contains(card)
            || kinds.group(Group::Reverse).contains(card) && self.observation.is_two_seats();
        next.side * (if skips { *skip } else { 0.0 } + if draws { *hit } else { 0.0 })
    }

    #[inline(always)]
    pub(super) fn worth_of_points(&self, point: f32, card: Card) -> f32 {
        point * self.rules.points(card) as f32
    }

    /// A caught bluff is paid for, and hits nobody. The more cards one holds, the less one is believed.
    #[inline(always)]
    fn cost_of_bluff(&self, rest: &Rest) -> f32 {
        let guilty_draw = self.rules.parameters().guilty_draw.get() as f32;
        let caught = (self.weights.caught * rest.len as f32).min(1.0);
        caught * (guilty_draw * self.weights.card + self.weights.hit_one)
    }

    /// The value of changes to the number of cards in hands by special cards.
    #[inline(always)]
    fn worth_of_changing_hands(&self, card: Card, rest: &Rest) -> f32 {
        let own = rest.len as f32;
        let others = self.observation.seats().len() - 1;
        let fewer_cards = match &self.rules.card_def(card).kind {
            // What can be declined is never a loss; a Victory Lap cannot, but goes once round.
            CardKind::Special(Special::SwapHands) if !self.rules.parameters().swap_optional => {
                own - self.shortest_hand()
            }
            CardKind::Special(Special::SwapHands | Special::VictoryLap) => (own - self.shortest_hand()).max(0.0),
            // The victim draws two, and two more if he has no yellow.
            CardKind::Special(Special::CheeseTouch) => 2.5 / others as f32,
            // The button lights one of four colours.
            CardKind::Special(Special::DiscardAll) => {
                let expected = rest.colored as f32 / 4.0;
                return self.weights.discarded * expected;
            }
            CardKind::Ordinary(_, Face::Number(7)) if self.rules.parameters().seven_zero => own - self.shortest_hand(),
            CardKind::Ordinary(_, Face::Number(0)) if self.rules.parameters().seven_zero => own - self.previous_hand(),
            CardKind::Custom(custom) => custom.effects.iter().map(|effect| self.fewer_cards_by(effect, rest)).sum(),
            _ => 0.0,
        };
        self.weights.card * fewer_cards
    }

    /// The number of cards of the other seat that has fewest.
    #[inline(always)]
    fn shortest_hand(&self) -> f32 {
        let mut shortest = u32::MAX;
        for seat in self.observation.seats().without(self.observation.seat()).iter() {
            shortest = shortest.min(self.observation.hand_len(seat));
        }
        shortest as f32
    }

    /// The number of cards of the seat before.
    #[inline(always)]
    fn previous_hand(&self) -> f32 {
        self.observation.hand_len(self.observation.previous_seat(self.observation.seat())) as f32
    }

    /// The number of cards by which a custom effect makes the hand smaller, compared with the others.
    fn fewer_cards_by(&self, effect: &Effect, rest: &Rest) -> f32 {
        let own = rest.len as f32;
        let others = self.observation.others().count() as f32;
        match effect {
            Effect::Draw { who: Who::Others, count } => f32::from(*count),
            Effect::Draw { who: Who::Next | Who::Chosen | Who::RandomOther | Who::SmallestHand, count } => {
                f32::from(*count) / others
            }
            Effect::Take { who, count } => -f32::from(*count) * cards_moved(*who, others),
            Effect::Give { who, count } => (f32::from(*count) * cards_moved(*who, others)).min(own),
            Effect::SwapHands => own - self.shortest_hand(),
            Effect::RotateHands => own - self.previous_hand(),
            Effect::Draw { who: Who::All, .. }
            | Effect::Skip(_)
            | Effect::Reverse
            | Effect::NameColor
            | Effect::Discard { .. }
            | Effect::Look { .. }
            | Effect::Task { .. } => 0.0,
        }
    }
}

/// The change of the hand size, relative to the others' average, for one card to or from each of these players.
fn cards_moved(who: Who, others: f32) -> f32 {
    match who {
        Who::Others | Who::All => others + 1.0,
        Who::Next | Who::Chosen | Who::RandomOther | Who::SmallestHand => 1.0 + 1.0 / others,
    }
}

#[inline(always)]
fn coloreds_fewer_than_four(hand: &Rest) -> f32 {
    4_u32.saturating_sub(hand.colored) as f32
}
