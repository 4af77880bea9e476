//! Legal actions. Every mask is named after its rule.

use super::phase::{BluffStatus, Phase, SwapFor};
use super::round_state::{JumpIn, RoundState};
use crate::action::{Action, Call, OptionNumber};
use crate::card::{Card, CardSet};
use crate::color::Color;
use crate::rules::{AllFeatures, DiscardChoice, DrawPermission, FeatureSet, Features, Rules, Special};
use crate::seat::Seat;

impl RoundState {
    /// The cards that can follow the top card from any hand: by color, number, or symbol, and wilds.
    #[inline]
    pub(crate) fn can_follow(&self, rules: &Rules) -> CardSet {
        rules.tables.playable_on[usize::from(self.match_row)].cards(self.color)
    }

    /// The distinct cards that a seat may play on its turn, including bluffs.
    #[must_use]
    #[inline]
    pub fn playable(&self, rules: &Rules, seat: Seat) -> CardSet {
        self.playable_for::<AllFeatures>(rules, seat)
    }

    /// [`RoundState::playable`], compiled for rules that the feature set fits.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn playable_for<P: FeatureSet>(&self, rules: &Rules, seat: Seat) -> CardSet {
        self.playable_among::<P>(rules, seat, self.hand(seat).distinct())
    }

    #[inline]
    pub(super) fn playable_among<P: FeatureSet>(&self, rules: &Rules, seat: Seat, cards: CardSet) -> CardSet {
        let can_follow = cards & self.can_follow(rules);
        let honest_only = P::MAY_HAVE.contains(Features::HONEST_DRAW_FOURS_ONLY)
            && rules.features().contains(Features::HONEST_DRAW_FOURS_ONLY);
        if honest_only && (can_follow & rules.draw_fours()).any() && !self.is_draw_four_legitimate(rules, seat) {
            return can_follow - rules.draw_fours();
        }
        can_follow
    }

    /// The cards that a seat may play without bluffing.
    #[must_use]
    #[inline]
    pub fn legitimately_playable(&self, rules: &Rules, seat: Seat) -> CardSet {
        self.legitimate_among(rules, seat, self.playable(rules, seat))
    }

    /// The cards among these playable ones that are not a bluff.
    #[inline]
    pub(crate) fn legitimate_among(&self, rules: &Rules, seat: Seat, playable: CardSet) -> CardSet {
        if (playable & rules.draw_fours()).any() && !self.is_draw_four_legitimate(rules, seat) {
            return playable - rules.draw_fours();
        }
        playable
    }

    /// Whether this seat may honestly play a draw four now.
    #[must_use]
    #[inline]
    pub fn is_draw_four_legitimate(&self, rules: &Rules, seat: Seat) -> bool {
        is_legitimate(rules, self.hand(seat).distinct(), self.match_row, self.color)
    }

    /// Whether the draw four just played is honest.
    pub(super) fn bluff_status(&self, rules: &Rules, by: Seat, match_row: u8, color_before: Color) -> BluffStatus {
        if is_legitimate(rules, self.hand(by).distinct(), match_row, Some(color_before)) {
            BluffStatus::Honest
        } else {
            BluffStatus::Bluff
        }
    }

    pub(super) fn top_is_villain(&self, rules: &Rules) -> bool {
        rules.of_special(Special::VillainDrawFour).contains(self.top)
    }

    /// Whether a card can be drawn, perhaps after a reshuffle.
    #[must_use]
    #[inline]
    pub fn can_draw(&self) -> bool {
        self.draw_pile_len > 0 || self.discard_pile_len() > 1
    }

    /// Whether the seat to act may draw instead of playing.
    #[must_use]
    #[inline]
    pub fn may_draw(&self, rules: &Rules) -> bool {
        let seat = self.to_act;
        let permitted = match rules.parameters().draw {
            DrawPermission::Always => true,
            DrawPermission::NoMatch => (self.playable(rules, seat) & rules.colored()).is_empty(),
            DrawPermission::NoPlayable => self.legitimately_playable(rules, seat).is_empty(),
        };
        permitted && self.can_draw()
    }

    /// The cards with which the seat can answer the pending draw cards. They do not have to match the color.
    pub(super) fn stack_answers(&self, rules: &Rules, seat: Seat) -> CardSet {
        self.hand(seat).distinct() & self.all_stack_answers(rules)
    }

    /// Every kind that answers the draw card on top.
    pub(super) fn all_stack_answers(&self, rules: &Rules) -> CardSet {
        rules.tables.stack_answers[self.top.index()]
    }

    /// The legal actions of the ordinary decision, in a fixed order; none when the round is over.
    #[must_use]
    pub fn legal_actions(&self, rules: &Rules) -> Vec<Action> {
        let mut actions = Vec::with_capacity(16);
        self.legal_actions_into(rules, &mut actions);
        actions
    }

    /// Writes [`RoundState::legal_actions`] into a list, which is cleared first.
    pub fn legal_actions_into(&self, rules: &Rules, actions: &mut Vec<Action>) {
        actions.clear();
        let seat = self.to_act;
        let hand = self.hand(seat);
        match self.phase {
            Phase::Turn => {
                self.push_plays(rules, seat, self.playable(rules, seat), actions);
                if self.may_draw(rules) {
                    actions.push(Action::Draw);
                } else if !self.can_draw() && self.legitimately_playable(rules, seat).is_empty() {
                    actions.push(Action::Pass);
                }
            }
            Phase::Drawn(card) => {
                self.push_plays(rules, seat, CardSet::of(card), actions);
                if !self.must_play_drawn(rules, card) {
                    actions.push(Action::Keep);
                }
            }
            Phase::NameColor(_) => actions.extend(Color::ALL.map(Action::NameColor)),
            Phase::Challenge(played) => {
                actions.extend([Action::Challenge, Action::Accept]);
                if rules.features().contains(Features::STACKING)
                    && seat == self.next_seat(played.by)
                    && !self.top_is_villain(rules)
                {
                    self.push_plays(rules, seat, self.stack_answers(rules, seat), actions);
                }
            }
            Phase::Cheese => {
                let yellow = hand.distinct() & rules.of_color(Color::Yellow);
                self.push_plays(rules, seat, yellow, actions);
                if yellow.is_empty() || rules.parameters().cheese_may_refuse {
                    actions.push(Action::Take);
                }
            }
            Phase::Swap(swap_for) => {
                actions.extend(self.others_by_number(seat).map(Action::Swap));
                if self.swap_is_optional(rules, swap_for) {
                    actions.push(Action::NoSwap);
                }
            }
            Phase::Lap(_) => actions.extend([Action::KeepHand, Action::Rotate]),
            Phase::Target(_) => actions.extend(self.others_by_number(seat).map(Action::Target)),
            Phase::Choice(cursor) => {
                actions.extend(OptionNumber::first(cursor.options(rules).len()).map(Action::Choose));
            }
            Phase::Discard(color) => {
                actions.extend((hand.distinct() & rules.of_color(color)).iter().map(Action::DiscardAll));
                if rules.parameters().discard_choice == DiscardChoice::AllOrNone {
                    actions.push(Action::DiscardNone);
                }
            }
            Phase::Protect(protection) => {
                actions.extend((hand.distinct() & rules.of_color(protection.color)).iter().map(Action::Protect));
            }
            Phase::Stack(_) => {
                self.push_plays(rules, seat, self.stack_answers(rules, seat), actions);
                actions.push(Action::Draw);
            }
            Phase::Over(_) => {}
        }
    }

    /// The legal actions of a seat out of turn: late calls, catches, jump-ins.
    #[must_use]
    pub fn legal_interruptions(&self, rules: &Rules, seat: Seat) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.may_call_late(rules, seat) {
            actions.push(Action::Uno);
        }
        actions.extend(self.seats().filter(|&other| self.may_catch(seat, other)).map(Action::Catch));
        if self.may_jump_in(rules, seat) {
            self.push_plays(rules, seat, CardSet::of(self.top), &mut actions);
        }
        actions
    }

    /// Whether this action with this call is legal for this seat now.
    #[must_use]
    #[inline]
    pub fn is_legal(&self, rules: &Rules, seat: Seat, action: Action, call: Call) -> bool {
        // By far the most common decision: a card, on the seat's turn or just drawn.
        if let (Action::Play(card) | Action::PlayNaming(card, _), Call::Silent) = (action, call)
            && let Some(playable) = self.plays_in_turn(rules)
            && seat == self.to_act
        {
            return playable.contains(card) && self.is_well_named(rules, seat, action);
        }
        if matches!((self.phase, action, call), (Phase::Turn, Action::Draw, Call::Silent)) && seat == self.to_act {
            return self.may_draw(rules);
        }
        self.is_allowed(rules, seat, action, call)
    }

    /// The cards that the seat to act may play on its turn, or just drawn; `None` at other decisions.
    #[inline]
    fn plays_in_turn(&self, rules: &Rules) -> Option<CardSet> {
        match self.phase {
            Phase::Turn => Some(self.playable(rules, self.to_act)),
            Phase::Drawn(drawn) => Some(CardSet::of(drawn)),
            _ => None,
        }
    }

    fn is_allowed(&self, rules: &Rules, seat: Seat, action: Action, call: Call) -> bool {
        let is_ordinary = seat == self.to_act;
        let allowed = match action {
            _ if self.is_terminal() || !self.in_round.contains(seat) => false,
            Action::Uno => self.may_call_late(rules, seat),
            Action::Catch(other) => self.may_catch(seat, other),
            Action::Silent => !self.uncalled.is_empty(),
            Action::Play(card) | Action::PlayNaming(card, _) if !is_ordinary => {
                card == self.top && self.may_jump_in(rules, seat) && self.is_well_named(rules, seat, action)
            }
            _ => is_ordinary && self.is_ordinary_action(rules, seat, action),
        };
        allowed && (call == Call::Silent || self.may_call_with(rules, seat, action))
    }

    /// Whether the action is among [`RoundState::legal_actions`], computed without a list; a test compares the two.
    fn is_ordinary_action(&self, rules: &Rules, seat: Seat, action: Action) -> bool {
        let hand = self.hand(seat);
        let holds_in = |card: Card, color: Color| hand.contains(card) && rules.of_color(color).contains(card);
        match (self.phase, action) {
            (Phase::Turn | Phase::Drawn(_), Action::Play(card) | Action::PlayNaming(card, _)) => {
                self.plays_in_turn(rules).is_some_and(|playable| playable.contains(card))
                    && self.is_well_named(rules, seat, action)
            }
            (Phase::Turn, Action::Draw) => self.may_draw(rules),
            (Phase::Turn, Action::Pass) => !self.can_draw() && self.legitimately_playable(rules, seat).is_empty(),
            (Phase::Drawn(drawn), Action::Keep) => !self.must_play_drawn(rules, drawn),
            (Phase::NameColor(_), Action::NameColor(_))
            | (Phase::Challenge(_), Action::Challenge | Action::Accept)
            | (Phase::Lap(_), Action::KeepHand | Action::Rotate)
            | (Phase::Stack(_), Action::Draw) => true,
            (Phase::Challenge(played), Action::Play(card) | Action::PlayNaming(card, _)) => {
                rules.features().contains(Features::STACKING)
                    && !self.top_is_villain(rules)
                    && seat == self.next_seat(played.by)
                    && self.stack_answers(rules, seat).contains(card)
                    && self.is_well_named(rules, seat, action)
            }
            (Phase::Stack(_), Action::Play(card) | Action::PlayNaming(card, _)) => {
                self.stack_answers(rules, seat).contains(card) && self.is_well_named(rules, seat, action)
            }
            (Phase::Cheese, Action::Play(card) | Action::PlayNaming(card, _)) => {
                holds_in(card, Color::Yellow) && self.is_well_named(rules, seat, action)
            }
            (Phase::Cheese, Action::Take) => {
                rules.parameters().cheese_may_refuse || (hand.distinct() & rules.of_color(Color::Yellow)).is_empty()
            }
            (Phase::Swap(_), Action::Swap(other)) | (Phase::Target(_), Action::Target(other)) => {
                other != seat && self.in_round.contains(other)
            }
            (Phase::Choice(cursor), Action::Choose(option)) => option.index() < cursor.options(rules).len(),
            (Phase::Swap(swap_for), Action::NoSwap) => self.swap_is_optional(rules, swap_for),
            (Phase::Discard(color), Action::DiscardAll(card)) => holds_in(card, color),
            (Phase::Discard(_), Action::DiscardNone) => rules.parameters().discard_choice == DiscardChoice::AllOrNone,
            (Phase::Protect(protection), Action::Protect(card)) => holds_in(card, protection.color),
            _ => false,
        }
    }

    /// A color is chosen exactly when the card names one and the round continues.
    fn is_well_named(&self, rules: &Rules, seat: Seat, action: Action) -> bool {
        match action {
            Action::Play(card) => !rules.names_color().contains(card) || self.hand(seat).is_single(),
            Action::PlayNaming(card, _) => rules.names_color().contains(card) && !self.hand(seat).is_single(),
            _ => true,
        }
    }

    fn push_plays(&self, rules: &Rules, seat: Seat, cards: CardSet, actions: &mut Vec<Action>) {
        let is_last_card = self.hand(seat).is_single();
        for card in cards {
            if rules.names_color().contains(card) && !is_last_card {
                actions.extend(Color::ALL.map(|color| Action::PlayNaming(card, color)));
            } else {
                actions.push(Action::Play(card));
            }
        }
    }

    fn must_play_drawn(&self, rules: &Rules, drawn: Card) -> bool {
        rules.features().contains(Features::DRAWN_MUST_BE_PLAYED)
            && self.legitimately_playable(rules, self.to_act).contains(drawn)
    }

    fn swap_is_optional(&self, rules: &Rules, swap_for: SwapFor) -> bool {
        use crate::rules::{Step, SwapRequirement};
        match swap_for {
            SwapFor::StartCard => rules.parameters().swap_optional,
            SwapFor::Effect(cursor) => {
                rules.steps_of(cursor.card)[usize::from(cursor.next) - 1] == Step::SwapHands(SwapRequirement::Optional)
            }
        }
    }

    fn others_by_number(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        self.seats().filter(move |&other| other != seat)
    }

    fn may_call_late(&self, rules: &Rules, seat: Seat) -> bool {
        self.uncalled.contains(seat) && self.hand(seat).is_single() && rules.parameters().uno_self_catch
    }

    fn may_catch(&self, seat: Seat, other: Seat) -> bool {
        seat != other && self.uncalled.contains(other) && self.hand(other).is_single() && self.in_round.contains(seat)
    }

    fn may_jump_in(&self, rules: &Rules, seat: Seat) -> bool {
        rules.features().contains(Features::JUMP_IN)
            && self.jump == JumpIn::Open
            && self.phase == Phase::Turn
            && seat != self.to_act
            && rules.colored().contains(self.top)
            && self.hand(seat).contains(self.top)
    }
}

/// Whether a draw four may honestly be played from this hand on that top card with that color in force.
#[inline]
pub(crate) fn is_legitimate(rules: &Rules, hand: CardSet, match_row: u8, color: Option<Color>) -> bool {
    (hand & rules.tables.playable_on[usize::from(match_row)].blocks_legitimate_draw_four(color)).is_empty()
}
