//! The value of a play: a sum of named terms.
#![expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a few cards; values need no more")]

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet, Face};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::rules::{Design, Effect, Special, Who};
use unolab_engine::seat::Seat;

use super::{Other, View, Weights};
use crate::kinds::Group;

/// An action with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Valued {
    pub(super) action: Action,
    pub(super) value: f32,
}

/// The value of going out.
const WIN: f32 = 1_000.0;

impl View<'_> {
    /// The best way to play one of these cards; the first of equals.
    #[inline(always)]
    pub(super) fn best_play(&self, cards: CardSet) -> Option<Valued> {
        let mut best: Option<Valued> = None;
        let consider = |best: &mut Option<Valued>, action, value| {
            if best.is_none_or(|best| value > best.value) {
                *best = Some(Valued { action, value });
            }
        };
        let any_color = Color::ALL.map(Some);
        for card in cards {
            let mut rest = self.observation.hand();
            rest.remove(card);
            if rest.is_empty() {
                consider(&mut best, Action::Play(card), WIN);
                continue;
            }
            let names_color = self.rules.names_color().contains(card);
            let color_of_it = [self.rules.color_of(card).or(self.observation.color())];
            let to_act = self.next_to_act(card);
            let apart = self.value_apart_from_color(card, rest);
            let most = apart + self.most_of_what_follows(rest, &to_act);
            if names_color && best.is_some_and(|best| most <= best.value) {
                continue; // no colour can make it better
            }
            for &color in if names_color { &any_color[..] } else { &color_of_it } {
                let action = match color {
                    Some(color) if names_color => Action::PlayNaming(card, color),
                    _ => Action::Play(card),
                };
                consider(&mut best, action, apart + self.value_of_what_follows(card, color, rest, &to_act));
            }
        }
        best
    }

    /// Who acts after the play; nobody else, if it gives the turn back.
    #[inline(always)]
    fn next_to_act(&self, card: Card) -> Option<Other> {
        let seat = self.kinds().next_to_act(self.observation, card);
        (seat != self.observation.seat()).then(|| self.other(seat))
    }

    /// What can follow the play, and whose turn that is.
    #[inline(always)]
    fn value_of_what_follows(&self, card: Card, color: Option<Color>, rest: Cards, to_act: &Option<Other>) -> f32 {
        let followers = self.rules.can_follow(card, color);
        let worth_of_rest = self.worth_of_rest(rest, followers, color);
        match to_act {
            Some(other) => worth_of_rest + self.worth_of_holding(other, followers),
            None if self.plays_out(rest, followers) => WIN,
            None if (rest.distinct() & followers).any() => worth_of_rest + self.weights.run,
            None => worth_of_rest,
        }
    }

    /// No more than this comes of it in any colour.
    #[inline(always)]
    fn most_of_what_follows(&self, rest: Cards, to_act: &Option<Other>) -> f32 {
        let Some(other) = to_act else { return WIN };
        let Weights { follow_last, follow_two, follow_both, follow_three, follow_many, in_color, cover, .. } =
            *self.weights;
        let follow =
            [follow_last, follow_two + follow_both.max(0.0), follow_three, follow_many].into_iter().fold(0.0, f32::max);
        let in_colors = in_color.max(0.0) * rest.len() as f32 + cover.max(0.0) * Color::ALL.len() as f32;
        follow + in_colors - self.weight_of_holding(other).min(0.0)
    }

    #[inline(always)]
    fn value_apart_from_color(&self, card: Card, rest: Cards) -> f32 {
        let mut value = self.worth_of_hit(card) + self.worth_of_points(card) - self.worth_in_hand(card, rest);
        if self.kinds().changes_hands().contains(card) {
            value += self.worth_of_changing_hands(card, rest);
        }
        if self.rules.draw_fours().contains(card) && !self.observation.honestly_playable().contains(card) {
            value -= self.cost_of_bluff(rest);
        }
        value
    }

    /// Drawing leaves the top card to the next player.
    #[inline(always)]
    pub(super) fn value_of_drawing(&self) -> f32 {
        self.value_of_leaving_the_top() - self.weights.drawing * self.patience()
    }

    /// So does keeping the card just drawn.
    #[inline(always)]
    pub(super) fn value_of_keeping(&self) -> f32 {
        self.value_of_leaving_the_top() - self.weights.keeping * self.patience()
    }

    #[inline(always)]
    fn value_of_leaving_the_top(&self) -> f32 {
        let (hand, followers) = (self.observation.hand(), self.observation.can_follow());
        self.worth_of_rest(hand, followers, self.observation.color()) + self.worth_of_holding(self.next(), followers)
            - self.weights.lag_drawing * self.coloreds_fewer_than_four(hand) * self.patience()
    }

    /// Can the rest be played out in this very turn, each card giving the next move and the next following it?
    fn plays_out(&self, rest: Cards, followers: CardSet) -> bool {
        if rest.len() > 4 {
            return false;
        }
        (rest.distinct() & followers).iter().any(|card| {
            let mut left = rest;
            left.remove(card);
            let color = self.rules.color_of(card);
            left.is_empty()
                || color.is_some()
                    && self.kinds().next_to_act(self.observation, card) == self.observation.seat()
                    && self.plays_out(left, self.rules.can_follow(card, color))
        })
    }

    /// A hand that can follow the new top card will play on.
    #[inline(always)]
    pub(super) fn worth_of_rest(&self, rest: Cards, followers: CardSet, color: Option<Color>) -> f32 {
        let weights = self.weights;
        // A wild follows whatever is played: it says nothing of this play, unless it is the last card.
        let colored = rest.only(self.rules.colored());
        let follow = match (rest.len(), colored.only(followers).len()) {
            (1, 0) if colored.is_empty() => weights.follow_last,
            (_, 0) => 0.0,
            (1, _) => weights.follow_last,
            (2, 1) => weights.follow_two,
            (2, _) => weights.follow_two + weights.follow_both,
            (3, _) => weights.follow_three,
            _ => weights.follow_many,
        };
        let of_color = color.map_or(0, |color| rest.only(self.rules.of_color(color)).len());
        let held = rest.distinct();
        let colors = Color::ALL.into_iter().filter(|&color| (held & self.rules.of_color(color)).any()).count();
        follow + weights.in_color * of_color as f32 + weights.cover * colors as f32
    }

    /// Cards that are of use later are worth keeping, as long as the round will last.
    #[inline(always)]
    pub(super) fn worth_in_hand(&self, card: Card, rest: Cards) -> f32 {
        let weights = self.weights;
        let card_is = |special: Special| self.rules.kind(card).as_special() == Some(special);
        let worth = if self.kinds().group(Group::Number).contains(card) {
            return 0.0;
        } else if self.rules.colored().contains(card) {
            weights.keep_action
        } else if card_is(Special::Wild) {
            weights.keep_wild + weights.lag * self.coloreds_fewer_than_four(rest)
        } else if card_is(Special::WildDrawFour) {
            weights.keep_draw_four + weights.lag * self.coloreds_fewer_than_four(rest)
        } else if card_is(Special::VillainDrawFour) {
            weights.keep_villain
        } else {
            weights.keep_special
        };
        worth * self.patience()
    }

    #[inline(always)]
    fn coloreds_fewer_than_four(&self, hand: Cards) -> f32 {
        4_u32.saturating_sub(hand.only(self.rules.colored()).len()) as f32
    }

    /// How good it is that the next to act may have nothing to follow.
    #[inline(always)]
    pub(super) fn worth_of_holding(&self, to_act: &Other, followers: CardSet) -> f32 {
        let can_surely_follow = (to_act.known & followers).any();
        let cannot = if can_surely_follow { 0.0 } else { to_act.unknown.chance_to_follow_nothing(followers) };
        self.weight_of_holding(to_act) * (cannot as f32 - 1.0)
    }

    #[inline(always)]
    fn weight_of_holding(&self, to_act: &Other) -> f32 {
        let weight = match to_act.hand_len {
            1 => self.weights.hold_one,
            2 => self.weights.hold_two,
            _ => self.weights.hold,
        };
        to_act.side * weight
    }

    /// A next player near his end is worth skipping and hitting.
    #[inline(always)]
    fn worth_of_hit(&self, card: Card) -> f32 {
        let weights = self.weights;
        let is = |group: Group| self.kinds().group(group).contains(card);
        let draws = is(Group::DrawTwo) || is(Group::DrawFour);
        let skips = draws || is(Group::Skip) || is(Group::Reverse) && self.observation.is_two_seats();
        let (skip, hit) = match self.next().hand_len {
            1 => (weights.skip_one, weights.hit_one),
            2 => (weights.skip_two, weights.hit_two),
            _ => (0.0, weights.hit),
        };
        self.next().side * (if skips { skip } else { 0.0 } + if draws { hit } else { 0.0 })
    }

    #[inline(always)]
    pub(super) fn worth_of_points(&self, card: Card) -> f32 {
        self.point() * self.rules.points(card) as f32
    }

    /// A caught bluff is paid for, and hits nobody. The more cards one holds, the less one is believed.
    fn cost_of_bluff(&self, rest: Cards) -> f32 {
        let guilty_draw = self.rules.parameters().guilty_draw.get() as f32;
        let caught = (self.weights.caught * rest.len() as f32).min(1.0);
        caught * (guilty_draw * self.weights.card + self.weights.hit_one)
    }

    /// What cards beyond the plain game do to the number of cards in hands.
    fn worth_of_changing_hands(&self, card: Card, rest: Cards) -> f32 {
        let own = rest.len() as f32;
        let len = |seat: Seat| self.observation.hand_len(seat) as f32;
        let shortest = self.observation.others().map(len).fold(f32::INFINITY, f32::min);
        let previous = self.observation.others().last().map_or(own, len);
        let fewer_cards = match &self.rules.kind(card).design {
            // What can be declined is never a loss; a Victory Lap cannot, but goes once round.
            Design::Special(Special::SwapHands) if !self.rules.parameters().swap_optional => own - shortest,
            Design::Special(Special::SwapHands | Special::VictoryLap) => (own - shortest).max(0.0),
            // The victim draws two, and two more if he has no yellow.
            Design::Special(Special::CheeseTouch) => 2.5 / self.observation.others().count() as f32,
            // The button lights one of four colours.
            Design::Special(Special::DiscardAll) => {
                let expected = rest.only(self.rules.colored()).len() as f32 / 4.0;
                return self.weights.discarded * expected;
            }
            Design::Ordinary(_, Face::Number(7)) if self.rules.parameters().seven_zero => own - shortest,
            Design::Ordinary(_, Face::Number(0)) if self.rules.parameters().seven_zero => own - previous,
            Design::Custom(custom) => custom.effects.iter().map(|effect| self.fewer_cards_by(effect, rest)).sum(),
            _ => 0.0,
        };
        self.weights.card * fewer_cards
    }

    /// How many cards fewer one has by a custom effect, compared with the others.
    fn fewer_cards_by(&self, effect: &Effect, rest: Cards) -> f32 {
        let own = rest.len() as f32;
        let len = |seat: Seat| self.observation.hand_len(seat) as f32;
        let others = self.observation.others().count() as f32;
        match effect {
            Effect::Draw { who: Who::Others, count } => f32::from(*count),
            Effect::Draw { who: Who::Next | Who::Chosen | Who::RandomOther, count } => f32::from(*count) / others,
            Effect::SwapHands => own - self.observation.others().map(len).fold(f32::INFINITY, f32::min),
            Effect::RotateHands => own - self.observation.others().last().map_or(own, len),
            Effect::Draw { who: Who::All, .. }
            | Effect::Skip(_)
            | Effect::Reverse
            | Effect::NameColor
            | Effect::Discard { .. }
            | Effect::Task { .. } => 0.0,
        }
    }
}
