//! UNO calls and catches: a window opens when a seat is left with one card (`uno.calls = "explicit"`).

use super::event_sink::EventSink;
use super::phase::{AfterColor, Cursor, Ending, Phase, SwapFor, TargetFor};
use super::play::Table;
use super::round_state::RoundState;
use crate::action::{Action, Call};
use crate::card::Card;
use crate::cards::Cards;
use crate::chance::Chance;
use crate::color::Color;
use crate::rules::{FeatureSet, Features, OwnHand, Rules, Step, SwapRequirement, UnoWindow, Who};
use crate::seat::{Seat, SeatSet};

impl<P: FeatureSet, C: Chance, E: EventSink> Table<'_, P, C, E> {
    /// An action that closes windows closes them before it opens new ones.
    pub(super) fn close_windows_before(&mut self, action: Action) {
        let phase = self.state.phase;
        let lays_a_card = matches!(action, Action::Play(_) | Action::PlayNaming(..));
        // windows close at the first voluntary action, not at forced draws, challenges, or answers to effects.
        let begins_a_turn = lays_a_card
            || matches!(
                (phase, action),
                (Phase::Turn, Action::Draw | Action::Pass)
                    | (Phase::Drawn(_), Action::Keep)
                    | (Phase::Cheese, Action::Take)
            );
        let ends_a_turn = lays_a_card || matches!(action, Action::Keep | Action::Pass | Action::Take);
        let closes = match self.rules.parameters().uno_window {
            UnoWindow::NextBegins | UnoWindow::NextDraws => begins_a_turn,
            UnoWindow::NextPlays => ends_a_turn,
            UnoWindow::WhileOneCard => false,
        };
        if closes {
            self.state.uncalled = SeatSet::EMPTY;
        }
        self.forget_calls_of_changed_hands();
    }

    /// The turn ended because the drawn card cannot be played. The windows are those after a card that was kept: other seats must
    /// not learn from them which it was.
    pub(super) fn close_windows_at_end_of_turn(&mut self) {
        if self.rules.parameters().uno_window == UnoWindow::NextPlays {
            self.state.uncalled = SeatSet::EMPTY;
        }
        self.forget_calls_of_changed_hands();
    }

    /// This seat has drawn cards without a choice: the other reading of X-20 closes the window of the player before it.
    #[cold]
    pub(super) fn close_window_of_player_before(&mut self, drawer: Seat) {
        if self.rules.parameters().uno_window == UnoWindow::NextDraws {
            let state = &mut *self.state;
            state.uncalled = state.uncalled.iter().filter(|&seat| state.next_seat(seat) != drawer).collect();
        }
    }

    /// A call together with an action counts if one card remains.
    pub(super) fn note_call(&mut self, seat: Seat, call: Call) {
        if call == Call::Uno {
            self.state.called = self.state.called.with(seat);
            // A player who has called cannot be caught while another seat decides about the rest of the card's effect.
            self.state.uncalled = self.state.uncalled.without(seat);
        }
    }

    /// The hand of this seat has changed: if one card is left and the seat has not called, it can be caught.
    #[inline]
    pub(super) fn settle_call(&mut self, seat: Seat) {
        if !self.has(Features::EXPLICIT_CALLS) {
            return;
        }
        let owes = self.state.hand(seat).is_single() && !self.state.called.contains(seat);
        self.state.uncalled = if owes { self.state.uncalled.with(seat) } else { self.state.uncalled.without(seat) };
    }

    /// The play of `player` replaced this seat's hand: earlier calls do not apply to the new hand (SW-11, SW-12), but a call
    /// with this play does (SW-10).
    pub(super) fn hand_was_exchanged(&mut self, seat: Seat, player: Seat) {
        if self.has(Features::EXPLICIT_CALLS) {
            if seat != player {
                self.state.called = self.state.called.without(seat);
            }
            self.settle_call(seat);
        }
    }

    /// Whether this seat owes a call for the one card that it holds.
    pub(super) fn owes_call(&self, seat: Seat) -> bool {
        self.state.uncalled.contains(seat) && self.state.hand(seat).is_single()
    }

    /// An effect took cards from this seat: if one card is left, the seat owes a call (SW-37).
    pub(super) fn hand_was_reduced(&mut self, seat: Seat, cards_before: u32) {
        if self.has(Features::EXPLICIT_CALLS) && self.state.hand(seat).len() < cards_before {
            self.state.called = self.state.called.without(seat);
            self.settle_call(seat);
        }
    }

    /// All hands have moved, but only this seat owes a call for its new hand.
    pub(super) fn only_calls_for(&mut self, seat: Seat) {
        let early_call = self.state.called.contains(seat);
        self.state.called = if early_call { SeatSet::of(seat) } else { SeatSet::EMPTY };
        self.state.uncalled = SeatSet::EMPTY;
    }

    pub(super) fn late_call(&mut self, seat: Seat) {
        self.state.called = self.state.called.with(seat);
        self.state.uncalled = self.state.uncalled.without(seat);
    }

    pub(super) fn catch(&mut self, caught: Seat) {
        self.state.uncalled = self.state.uncalled.without(caught);
        let penalty = self.rules.parameters().uno_penalty.get();
        let before = self.state.hand(caught).len();
        self.draw(caught, penalty);
        let drawn = self.state.hand(caught).len() - before;
        if self.state.hand(caught).is_single() {
            // No card was drawn, but the catch counts: the seat is not caught again while the card's effect is in progress
            //
            self.state.called = self.state.called.with(caught);
        }
        if let Phase::Challenge(played) = &mut self.state.phase
            && played.by == caught
        {
            played.drawn_since += u8::try_from(drawn).expect("at most ten");
        }
    }

    /// A call applies only to the card for which it was made.
    fn forget_calls_of_changed_hands(&mut self) {
        // An early call waits until the player's hand is known (SW-10).
        let undecided = match self.state.phase {
            Phase::Swap(_) | Phase::Lap(_) | Phase::Discard(_) | Phase::Target(_) => Some(self.state.to_act),
            Phase::NameColor(AfterColor::Effect(cursor)) | Phase::Choice(cursor) => Some(cursor.player),
            _ => None,
        };
        for seat in self.state.seats() {
            if !self.state.hand(seat).is_single() && undecided != Some(seat) {
                self.state.called = self.state.called.without(seat);
                self.state.uncalled = self.state.uncalled.without(seat);
            }
        }
    }
}

impl RoundState {
    /// Whether UNO may be called together with this action of an ordinary decision.
    pub(super) fn may_call_with(&self, rules: &Rules, seat: Seat, action: Action) -> bool {
        if !rules.features().contains(Features::EXPLICIT_CALLS) {
            return false;
        }
        let hand = self.hand(seat);
        match action {
            // The remaining hand is known: it is the hand that moves to this seat.
            Action::Play(card) if rules.only_rotates_hands(card) => hand.len() > 1 && self.single_card_comes_to(seat),
            // SW-10, DI-24: the remaining hand is not known yet, and an early call is allowed.
            Action::Play(card) | Action::PlayNaming(card, _) if rules.tables.changes_own_hand.contains(card) => {
                hand.len() > 1 && self.may_leave_one_card(rules, seat, card)
            }
            Action::Play(_) | Action::PlayNaming(..) | Action::Protect(_) => hand.len() == 2,
            Action::DiscardAll(_) => match self.phase() {
                Phase::Discard(color) => hand.len() == hand.only(rules.of_color(color)).len() + 1,
                _ => false,
            },
            Action::Target(other) => match self.phase() {
                Phase::Target(TargetFor::Effect(cursor)) if rules.tables.changes_own_hand.contains(cursor.card) => {
                    let steps = remaining_steps(rules, cursor);
                    match &*steps {
                        [Step::TradeHands { who: Who::Chosen }, later @ ..] => {
                            self.may_come_to_one(self.hand(other), later)
                        }
                        steps => self.may_come_to_one(hand, steps),
                    }
                }
                _ => false,
            },
            Action::Choose(option) => match self.phase() {
                Phase::Choice(cursor) if seat == cursor.player => {
                    rules.tables.changes_own_hand.contains(cursor.card)
                        && self.may_come_to_one(hand, &remaining_steps(rules, cursor.entering(rules, option)))
                }
                _ => false,
            },
            Action::Swap(other) => self.may_come_to_one(self.hand(other), &self.steps_after_swap(rules)),
            Action::NoSwap => self.may_come_to_one(hand, &self.steps_after_swap(rules)),
            Action::KeepHand | Action::DiscardNone => hand.is_single(),
            // CA-08: depends on the hand that is finally kept, so only if the lap ends with this pass.
            Action::Rotate => match self.phase() {
                Phase::Lap(passes) => usize::from(passes) + 1 == self.in_round.len() && self.single_card_comes_to(seat),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a card that changes its player's hand in addition to the play can leave one card in it (7.6).
    fn may_leave_one_card(&self, rules: &Rules, seat: Seat, card: Card) -> bool {
        let mut rest = self.hand(seat);
        rest.remove(card);
        let other_hand_is_single = || self.others(seat).any(|other| self.hand(other).is_single());
        match rules.steps_of(card) {
            [Step::SwapHands(swap)] => {
                other_hand_is_single() || (*swap == SwapRequirement::Optional && rest.is_single())
            }
            [Step::VictoryLap] => rest.is_single() || other_hand_is_single(),
            [Step::DiscardAll] => {
                let left_without = |color: Color| rest.len() - rest.only(rules.of_color(color)).len();
                rest.is_single() || Color::ALL.into_iter().any(|color| left_without(color) == 1)
            }
            // The player is dealt to last.
            [Step::ShuffleHands] => {
                let cards = self.seats().map(|of| self.hand(of).len()).sum::<u32>() - 1;
                cards / u32::try_from(self.in_round.len()).expect("at most ten") == 1
            }
            steps => self.may_come_to_one(rest, steps),
        }
    }

    /// Whether the player of a card can have one card after these steps, with this hand before them: if the hand has one card (the
    /// piles may be empty), if it may lose cards, or if it may be replaced and a hand has one card or may lose cards.
    fn may_come_to_one(&self, own: Cards, steps: &[Step]) -> bool {
        let may = |change: OwnHand| steps.iter().any(|step| step.traits().own_hand == change);
        let others_lose = || steps.iter().any(|step| matches!(step, Step::Take { .. } | Step::Discard { .. }));
        own.is_single()
            || may(OwnHand::Loses)
            || may(OwnHand::Moves) && (others_lose() || self.seats().any(|of| self.hand(of).is_single()))
    }

    /// The steps after the swap that the player decides about; none if nothing follows.
    fn steps_after_swap(&self, rules: &Rules) -> Vec<Step> {
        match self.phase {
            Phase::Swap(SwapFor::Effect(cursor)) => remaining_steps(rules, cursor),
            _ => Vec::new(),
        }
    }

    /// Whether this seat receives a hand of one card if all hands move one seat on.
    fn single_card_comes_to(&self, seat: Seat) -> bool {
        self.seats().any(|from| self.next_seat(from) == seat && self.hand(from).is_single())
    }
}

/// The steps of a card that may still be executed.
fn remaining_steps(rules: &Rules, cursor: Cursor) -> Vec<Step> {
    let mut left = match cursor.ending {
        Ending::GoesOn => &rules.steps_of(cursor.card)[usize::from(cursor.next)..],
        Ending::GoesOut => &[],
    };
    let (mut remaining, mut open_options) = (Vec::new(), 0);
    while let [step, rest @ ..] = left {
        left = match *step {
            Step::Choice { options, .. } => {
                open_options = options;
                rest
            }
            // Another option was chosen.
            Step::Option { steps } if open_options == 0 => &rest[usize::from(steps)..],
            Step::Option { .. } => {
                open_options -= 1;
                rest
            }
            _ => {
                remaining.push(*step);
                rest
            }
        };
    }
    remaining
}

impl Rules {
    /// Whether this card moves all hands one seat, and does nothing else.
    fn only_rotates_hands(&self, card: Card) -> bool {
        self.steps_of(card) == [Step::RotateHands]
    }
}
