//! Applying actions: the turn of a player, and the piles.

use std::hint::select_unpredictable;
use std::marker::PhantomData;

use super::event_sink::EventSink;
use super::phase::{Cursor, DrawFour, Ending, Outcome, Phase, SkipCount, Stack};
use super::round_state::{JumpIn, RoundState};
use crate::action::{Action, Call};
use crate::card::{Card, CardSet};
use crate::chance::Chance;
use crate::color::Color;
use crate::cpu::isa::Isa;
use crate::event::{Event, Source};
use crate::implication::{Conclusion, Implication};
use crate::notation::ActionWithCall;
use crate::rules::{AllFeatures, DrawPermission, FeatureSet, Features, Play, Row, Rules, Step};
use crate::seat::{DirectionChange, Seat, SeatSet};

/// An action that is not legal in the current state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("seat {seat} may not `{text}` here; legal: {}", legal_text(.legal_texts))]
#[non_exhaustive]
pub struct IllegalAction {
    /// The seat.
    pub seat: Seat,
    /// The action.
    pub action: ActionWithCall,
    /// The legal actions of the seat; empty if it does not have to decide.
    pub legal: Vec<Action>,
    text: String,
    legal_texts: Vec<String>,
}

impl IllegalAction {
    pub(crate) fn new(rules: &Rules, seat: Seat, action: impl Into<ActionWithCall>, legal: &[Action]) -> Self {
        let action = action.into();
        let legal_texts = legal.iter().map(|&action| rules.display(action).to_string()).collect();
        Self { seat, action, legal: legal.to_vec(), text: rules.display(action).to_string(), legal_texts }
    }
}

fn legal_text(texts: &[String]) -> String {
    if texts.is_empty() { "nothing, the decision is another seat's".into() } else { texts.join(", ") }
}

impl RoundState {
    /// Applies an action if it is legal; otherwise the state stays as it was.
    ///
    /// # Errors
    /// The action is neither among [`RoundState::legal_actions`] nor a legal interruption of the seat.
    pub fn apply_action(
        &mut self,
        rules: &Rules,
        seat: Seat,
        action: Action,
        call: Call,
        chance: &mut dyn Chance,
        events: &mut dyn EventSink,
    ) -> Result<(), IllegalAction> {
        if self.is_legal(rules, seat, action, call) {
            self.apply_action_unchecked(rules, seat, action, call, chance, events);
            Ok(())
        } else {
            let ordinary = if self.current_seat() == Some(seat) { self.legal_actions(rules) } else { Vec::new() };
            let legal = [ordinary, self.legal_interruptions(rules, seat)].concat();
            Err(IllegalAction::new(rules, seat, ActionWithCall { action, call }, &legal))
        }
    }

    /// Applies an action that is known to be legal; see [`RoundState::apply_action`] for one that is not.
    ///
    /// Compiled once, for chance and events of any type. An illegal action leaves a meaningless state, but is memory-safe.
    ///
    /// # Panics
    /// In debug builds, if the action is not legal.
    pub fn apply_action_unchecked(
        &mut self,
        rules: &Rules,
        seat: Seat,
        action: Action,
        call: Call,
        mut chance: &mut dyn Chance,
        mut events: &mut dyn EventSink,
    ) {
        self.apply_action_for::<AllFeatures>(rules, seat, action, call, &mut chance, &mut events);
    }

    /// [`RoundState::apply_action_unchecked`], compiled for rules that the feature set fits and for this chance and sink.
    ///
    /// # Panics
    /// In debug builds, if the action is not legal or the rules do not fit.
    #[doc(hidden)]
    #[inline(always)]
    pub fn apply_action_for<P: FeatureSet>(
        &mut self,
        rules: &Rules,
        seat: Seat,
        action: Action,
        call: Call,
        chance: &mut impl Chance,
        events: &mut impl EventSink,
    ) {
        debug_assert!(P::fits(rules));
        debug_assert!(self.is_legal(rules, seat, action, call), "seat {seat}: {action:?}, {call:?}");
        let mut table: Table<'_, P, _, _> = Table { state: self, rules, chance, events, features: PhantomData };
        table.apply(seat, action, call);
    }
}

/// The parts of the state before a card was played on which its effect depends.
#[derive(Debug, Clone, Copy)]
struct PrePlayState {
    /// The top card, as a row of the table of playable cards.
    match_row: u8,
    /// The color in force.
    color: Option<Color>,
    /// The number of cards that its player would have had to draw, if it answers draw cards.
    owed: u8,
}

impl PrePlayState {
    /// The parts before a card that does not answer a draw card.
    #[inline(always)]
    const fn of(state: &RoundState) -> Self {
        Self { match_row: state.match_row, color: state.color, owed: 0 }
    }
}

/// A state with everything that is needed to advance it.
pub(crate) struct Table<'a, P, C, E> {
    pub(crate) state: &'a mut RoundState,
    pub(crate) rules: &'a Rules,
    pub(crate) chance: &'a mut C,
    pub(crate) events: &'a mut E,
    pub(crate) features: PhantomData<P>,
}

impl<P: FeatureSet, C: Chance, E: EventSink> Table<'_, P, C, E> {
    /// Whether the rules have this feature. Without cost if the code is compiled without it.
    #[inline(always)]
    pub(crate) fn has(&self, feature: Features) -> bool {
        P::MAY_HAVE.contains(feature) && self.rules.features().contains(feature)
    }

    /// The same table, for a separate function. The caller need not reload values that this function only borrows.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> Table<'_, P, C, E> {
        Table { state: self.state, rules: self.rules, chance: self.chance, events: self.events, features: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn emit(&mut self, event: Event) {
        self.events.on_event(self.state, event);
    }

    /// The rules imply this about the hand of a seat, as it is now. The kinds are worked out only if the sink receives them.
    #[inline(always)]
    pub(crate) fn imply(&mut self, seat: Seat, conclusion: Conclusion, kinds: impl FnOnce(&Self) -> CardSet) {
        if self.events.receives_implications() {
            let kinds = kinds(self);
            self.events.on_implication(self.state, Implication { seat, conclusion, kinds });
        }
    }

    #[inline(always)]
    fn apply(&mut self, seat: Seat, action: Action, call: Call) {
        self.emit(Event::Acted { seat, action, call });
        if self.has(Features::EXPLICIT_CALLS) {
            self.close_windows_before(action);
            self.note_call(seat, call);
        }
        let answers_turn = matches!(self.state.phase, Phase::Turn | Phase::Drawn(_));
        if self.has(Features::JUMP_IN) && answers_turn && matches!(action, Action::Draw | Action::Pass | Action::Keep) {
            self.state.jump = JumpIn::Closed;
        }
        match action {
            Action::Play(card) => self.play(seat, card, None),
            Action::PlayNaming(card, color) => self.play(seat, card, Some(color)),
            Action::Draw => self.draw_instead_of_playing(seat),
            Action::Keep => self.keep(seat),
            Action::Pass => self.pass(seat),
            Action::NameColor(color) => self.name_color(seat, color),
            Action::Challenge => self.challenge(seat),
            Action::Accept => self.accept(seat),
            Action::Take => {
                if !self.rules.parameters().cheese_may_refuse {
                    self.imply(seat, Conclusion::Lacks { since: 0 }, |table| table.rules.of_color(Color::Yellow));
                }
                self.draw(seat, 2);
                self.begin_turn_after(seat);
            }
            Action::Swap(other) => self.swap(seat, Some(other)),
            Action::NoSwap => self.swap(seat, None),
            Action::KeepHand => self.end_lap(seat),
            Action::Rotate => self.rotate_lap(seat),
            Action::Target(victim) => self.target(seat, victim),
            Action::DiscardAll(top) => self.discard_all(seat, top),
            Action::DiscardNone => {
                self.settle_call(seat);
                self.discard_none(seat);
            }
            Action::Protect(card) => self.protect(seat, card),
            Action::Choose(option) => self.choose_option(seat, option),
            Action::Uno => self.late_call(seat),
            Action::Catch(caught) => self.catch(caught),
            Action::Silent => {}
        }
    }

    // --- the turn ---------------------------------------------------------------------------------------------------

    /// Plays a card: moves it from the hand to the discard pile and applies its effect.
    pub(crate) fn play(&mut self, seat: Seat, card: Card, named: Option<Color>) {
        let owed = match self.state.phase {
            Phase::Stack(Stack { sum }) | Phase::Challenge(DrawFour { sum, .. }) if self.has(Features::STACKING) => sum,
            _ => 0,
        };
        let from = if matches!(self.state.phase, Phase::Drawn(_)) { Source::JustDrawn } else { Source::Hand };
        let before = PrePlayState { owed, ..PrePlayState::of(self.state) };
        self.state.hands[seat.index()].remove(card);
        self.state.passed = SeatSet::EMPTY;
        self.place_on_top(card, self.color_after(card, named));
        self.emit(Event::Discarded { seat, card, from });
        if self.has(Features::JUMP_IN) {
            self.state.jump = JumpIn::Open;
        }
        if self.state.hands[seat.index()].is_empty() {
            return self.play_last_card(seat, card, owed);
        }
        if self.has(Features::EXPLICIT_CALLS) && !self.rules.tables.changes_own_hand.contains(card) {
            self.settle_call(seat);
        }
        let rules = self.rules;
        match &rules.tables.plays[card.index()] {
            Play::Row(row) => self.take_row_effect(seat, row),
            effect => self.take_effect(seat, card, effect, before),
        }
    }

    /// Plays a card whose effect is more than one row of the table.
    #[inline]
    fn take_effect(&mut self, seat: Seat, card: Card, effect: &Play, before: PrePlayState) {
        let PrePlayState { match_row, color, owed } = before;
        match effect {
            Play::Row(row) => self.take_row_effect(seat, row),
            Play::DrawFour => {
                if owed == 0 {
                    self.imply_honesty(seat, before);
                }
                self.play_draw_four(seat, match_row, color, owed);
            }
            Play::VillainDrawFour => {
                self.imply_honesty(seat, before);
                self.play_villain(seat, match_row, color);
            }
            &Play::StackDraw(Row { draws, turn, .. }) => {
                self.state.direction = self.state.direction.turned(turn);
                self.require_stack_answer(self.state.next_seat(seat), owed.saturating_add(draws));
            }
            // A button or a lap is often the whole effect of a card, and does not need the list of steps.
            Play::Steps => match self.rules.steps_of(card) {
                [Step::ButtonDrawTwo] => self.press_button_for_draw_two(seat),
                [Step::DiscardAll] => self.press_button_to_discard(seat),
                [Step::VictoryLap] => self.begin_lap(seat),
                _ => self.run_steps(Self::cursor(seat, card, Ending::GoesOn)),
            },
        }
    }

    /// The color in force after this card.
    #[inline(always)]
    pub(crate) fn color_after(&self, card: Card, named: Option<Color>) -> Option<Color> {
        let depends = || named.or(self.rules.color_of(card)).or(self.state.color);
        self.rules.tables.sets_color[card.index()].or_else(depends)
    }

    /// Makes the card the top card, and this color the color in force.
    #[inline(always)]
    pub(crate) fn place_on_top(&mut self, card: Card, color: Option<Color>) {
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let row = card.index() as u8;
        self.state.top = card;
        self.state.match_row = row;
        self.state.color = color;
    }

    /// Plays a card whose whole effect is one row of the table.
    #[inline(always)]
    pub(crate) fn take_row_effect(&mut self, seat: Seat, &Row { draws, skips, turn }: &Row) {
        let (turn, skips) = self.adjusted_for_two_seats(turn, skips);
        self.state.direction = self.state.direction.turned(turn);
        let next = self.state.next_seat(seat);
        if draws > 0 {
            self.draw(next, u32::from(draws));
        }
        let mut last = if skips > 0 { next } else { seat };
        for _ in 1..skips {
            last = self.state.next_seat(last);
        }
        self.begin_turn_after(last);
    }

    /// With two seats a Reverse works as a Skip, unless the rules are literal.
    #[inline(always)]
    fn adjusted_for_two_seats(&self, turn: DirectionChange, skips: u8) -> (DirectionChange, u8) {
        if !self.state.ring.is_two_seats() {
            return (turn, skips);
        }
        // Without a branch, because the card is unpredictable.
        let skips_instead = self.rules.tables.reverse_skips_two & (turn == DirectionChange::Reverses);
        (select_unpredictable(skips_instead, DirectionChange::Keeps, turn), skips + u8::from(skips_instead))
    }

    /// Reverses the direction of play. Returns the seat after which play continues: with two seats a Reverse works as a Skip.
    pub(crate) fn reverse(&mut self, seat: Seat) -> Seat {
        let (turn, skips) = self.adjusted_for_two_seats(DirectionChange::Reverses, 0);
        self.state.direction = self.state.direction.turned(turn);
        if skips > 0 { self.state.next_seat(seat) } else { seat }
    }

    #[inline(always)]
    pub(crate) fn draw_instead_of_playing(&mut self, seat: Seat) {
        if self.has(Features::STACKING)
            && let Phase::Stack(Stack { sum }) = self.state.phase
        {
            self.imply(seat, Conclusion::Holds { since: 0 }, |table| table.state.all_stack_answers(table.rules));
            return self.draw_and_skip(seat, u32::from(sum));
        }
        self.state.passed = SeatSet::EMPTY;
        self.imply_may_draw(seat);
        if self.has(Features::RANDOM_DRAWS) {
            self.draw_as_on_turn(seat);
            return self.end_turn_after_drawing(seat);
        }
        loop {
            let Some(card) = self.draw_one(seat) else {
                return self.end_turn_after_drawing(seat);
            };
            if self.has_too_many_cards(seat) {
                return self.end_turn_after_drawing(seat);
            }
            let playable = self.state.playable_among::<P>(self.rules, seat, CardSet::of(card));
            if playable.any() {
                self.state.phase = Phase::Drawn(card);
                return;
            }
            if !self.has(Features::DRAWS_UNTIL_PLAYABLE) {
                return self.end_turn_after_drawing(seat);
            }
            if self.events.receives_implications() && self.state.can_draw() {
                self.imply(seat, Conclusion::NewestIsNot, |table| table.state.can_follow(table.rules));
            }
        }
    }

    /// The seat draws in its turn, so it may.
    #[inline(always)]
    pub(crate) fn imply_may_draw(&mut self, seat: Seat) {
        if self.has(Features::LIMITED_DRAWING) {
            self.imply(seat, Conclusion::Lacks { since: 0 }, |table| {
                let could_follow = table.state.can_follow(table.rules);
                match table.rules.parameters().draw {
                    DrawPermission::Always => CardSet::EMPTY,
                    DrawPermission::NoMatch => could_follow & table.rules.colored(),
                    // Draw fours too: each card that makes one dishonest could be played itself.
                    DrawPermission::NoPlayable => could_follow,
                }
            });
        }
    }

    /// The seat does not play the card that it has drawn last. The others do not see whether it could have.
    #[inline(always)]
    fn imply_drawn_stays(&mut self, seat: Seat) {
        // Of random draws no card is offered, nor the last card of a player who is out of the round.
        if !self.events.receives_implications() || self.has(Features::RANDOM_DRAWS) || self.has_too_many_cards(seat) {
            return;
        }
        let must_play = self.has(Features::DRAWN_MUST_BE_PLAYED);
        let draws_on = self.has(Features::DRAWS_UNTIL_PLAYABLE) && self.state.can_draw();
        if !must_play && !draws_on {
            return;
        }
        let could_follow = self.state.can_follow(self.rules);
        let PrePlayState { match_row, color, .. } = PrePlayState::of(self.state);
        match (must_play, draws_on) {
            // A draw four that would be a bluff is the only playable card that may be kept. Here it is left out: it is rare, and the
            // limits are of each card, not of several.
            (true, false) => self.imply(seat, Conclusion::NewestIsNot, |_| could_follow),
            // It is playable, or the seat would have drawn another; but it was not played, and so it is such a draw four.
            (true, true) => {
                self.imply(seat, Conclusion::NewestIs, |table| table.rules.draw_fours());
                self.imply(seat, Conclusion::Holds { since: 1 }, |table| table.blocking_draw_fours(match_row, color));
            }
            (false, _) => {
                // Whether a draw four is playable then depends on the rest of the hand.
                let honest_only = self.has(Features::HONEST_DRAW_FOURS_ONLY);
                let never = if honest_only { self.rules.draw_fours() } else { CardSet::EMPTY };
                self.imply(seat, Conclusion::NewestIs, |_| could_follow - never);
            }
        }
    }

    /// A draw four was played where bluffs are not legal.
    #[inline]
    fn imply_honesty(&mut self, seat: Seat, PrePlayState { match_row, color, .. }: PrePlayState) {
        if self.has(Features::HONEST_DRAW_FOURS_ONLY) {
            self.imply(seat, Conclusion::Lacks { since: 0 }, |table| table.blocking_draw_fours(match_row, color));
        }
    }

    /// The kinds whose holder does not play a draw four honestly on this top card.
    pub(super) fn blocking_draw_fours(&self, match_row: u8, color: Option<Color>) -> CardSet {
        self.rules.tables.playable_on[usize::from(match_row)].blocks_legitimate_draw_four(color)
    }

    #[inline]
    pub(crate) fn keep(&mut self, seat: Seat) {
        self.imply_drawn_stays(seat);
        self.begin_turn_after(seat);
    }

    /// Ends the turn without a decision, because the drawn card cannot be played.
    #[inline]
    fn end_turn_after_drawing(&mut self, seat: Seat) {
        self.imply_drawn_stays(seat);
        if self.has(Features::EXPLICIT_CALLS) {
            self.close_windows_at_end_of_turn();
        }
        self.begin_turn_after(seat);
    }

    pub(crate) fn pass(&mut self, seat: Seat) {
        self.imply(seat, Conclusion::Lacks { since: 0 }, |table| table.state.can_follow(table.rules));
        self.state.passed = self.state.passed.with(seat);
        if self.state.passed == self.state.in_round {
            self.end_round(Outcome::Void);
        } else {
            self.begin_turn_after(seat);
        }
    }

    /// The next player after `seat` begins a turn.
    #[inline(always)]
    pub(crate) fn begin_turn_after(&mut self, seat: Seat) {
        let mut next = self.state.next_seat(seat);
        if self.has(Features::HAND_LIMIT) {
            return self.begin_turn_of_seat_left(next);
        }
        if self.has(Features::MISSED_TURNS) {
            next = self.pass_over_missed_turns(next);
        }
        self.set_turn(next);
    }

    #[inline(always)]
    pub(crate) fn pass_over_missed_turns(&mut self, seat: Seat) -> Seat {
        let mut next = seat;
        while self.state.missed_turns[next.index()] > 0 {
            self.state.missed_turns[next.index()] -= 1;
            next = self.state.next_seat(next);
        }
        next
    }

    #[inline]
    pub(crate) fn begin_turn(&mut self, seat: Seat) {
        if self.has(Features::HAND_LIMIT) {
            return self.begin_turn_of_seat_left(seat);
        }
        self.set_turn(seat);
    }

    #[inline(always)]
    pub(super) fn set_turn(&mut self, seat: Seat) {
        self.state.to_act = seat;
        self.state.phase = Phase::Turn;
    }

    /// Whether a seat is about to be out of the round: it draws no more (21.15).
    #[inline(always)]
    pub(super) fn has_too_many_cards(&self, seat: Seat) -> bool {
        self.has(Features::HAND_LIMIT) && self.state.is_at_limit(self.rules, seat)
    }

    /// Lets a seat draw a penalty and lose its turn.
    pub(crate) fn draw_and_skip(&mut self, seat: Seat, count: u32) {
        self.draw(seat, count);
        self.begin_turn_after(seat);
    }

    pub(crate) fn end_round(&mut self, outcome: Outcome) {
        self.state.phase = Phase::Over(outcome);
        self.state.uncalled = SeatSet::EMPTY;
    }

    // --- the piles --------------------------------------------------------------------------------------------------

    /// Draws this number of cards, or as many as there are.
    #[inline]
    pub(crate) fn draw(&mut self, seat: Seat, count: u32) {
        if self.has(Features::DRAW_CONSEQUENCES) {
            return self.draw_with_consequences(seat, count);
        }
        let mut table = self.reborrow();
        P::Isa::outline(move || {
            let cards = table.state.draw_pile_len;
            if count < u32::from(cards) {
                #[expect(clippy::cast_possible_truncation, reason = "below the number of cards")]
                for left in (cards - count as u16..cards).rev() {
                    table.draw_from_pile(seat, left); // no reshuffle in between
                }
                return;
            }
            for _ in 0..count {
                if table.draw_one(seat).is_none() {
                    break;
                }
            }
        });
    }

    /// [`Table::draw`] if cards that a player draws may close a window or put the player out of the round.
    #[cold]
    fn draw_with_consequences(&mut self, seat: Seat, count: u32) {
        let cards_before = self.state.hand(seat).len();
        for _ in 0..count {
            if self.has_too_many_cards(seat) || self.draw_one(seat).is_none() {
                break;
            }
        }
        if self.state.hand(seat).len() > cards_before {
            self.close_window_of_player_before(seat);
        }
    }

    #[inline(always)]
    pub(crate) fn draw_one(&mut self, seat: Seat) -> Option<Card> {
        if self.state.draw_pile_len == 0 && !self.reborrow().refill() {
            return None;
        }
        let card = self.draw_from_pile(seat, self.state.draw_pile_len - 1);
        if self.state.draw_pile_len == 0 {
            self.reborrow().refill_at_once();
        }
        Some(card)
    }

    /// Draws one card from a pile that is not empty, and leaves this number of cards. After the last card, the pile stays empty.
    #[inline(always)]
    pub(crate) fn draw_from_pile(&mut self, seat: Seat, left: u16) -> Card {
        let state = &mut *self.state;
        let card = self.chance.draw_from::<P::Isa>(&mut state.draw_pile, u32::from(left) + 1);
        state.draw_pile_len = left; // not read for the next card: the processor would wait for the write
        state.hands[seat.index()].add(card);
        self.emit(Event::Drew { seat, card });
        card
    }

    /// reshuffles; if a player has gone out, only if another card is needed.
    #[cold]
    fn refill_at_once(&mut self) {
        if !self.state.is_terminal() {
            self.refill();
        }
    }

    /// Makes a draw pile of the cards under the top card. Returns whether there were any.
    #[cold]
    pub(crate) fn refill(&mut self) -> bool {
        let mut rest = self.state.discard_pile();
        rest.remove(self.state.top);
        self.state.draw_pile = rest;
        self.state.draw_pile_len = u16::try_from(rest.len()).expect("at most 512 cards");
        if rest.is_empty() {
            return false;
        }
        self.state.reshuffles = self.state.reshuffles.saturating_add(1);
        self.emit(Event::Reshuffled);
        true
    }

    /// Moves a card from a hand to the top of the discard pile, without an effect.
    #[inline(always)]
    pub(crate) fn play_without_effect(&mut self, seat: Seat, card: Card) {
        self.state.hands[seat.index()].take(card);
        self.state.top = card;
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let row = card.index() as u8;
        self.state.match_row = row;
        self.state.jump = JumpIn::Closed;
        self.emit(Event::Discarded { seat, card, from: Source::Hand });
    }

    #[inline]
    pub(crate) fn cursor(player: Seat, card: Card, ending: Ending) -> Cursor {
        Cursor { player, card, next: 0, target: None, chooser: None, skips: SkipCount::Next(0), ending }
    }
}
