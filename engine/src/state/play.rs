//! Applying actions: the turn of a player, and what each answer does.

use std::fmt;
use std::marker::PhantomData;

use super::{
    AfterColor, Cursor, DrawFour, Ending, Honesty, JumpIn, Outcome, Phase, Protection, RoundState, SkipCount, Stack,
    SwapFor, TargetFor,
};
use crate::action::{Action, Call};
use crate::card::{Card, CardSet};
use crate::chance::Chance;
use crate::color::Color;
use crate::event::{Event, Events, Looked, Source};
use crate::machine::{Baseline, Machine};
use crate::rules::{Challengers, Features, Play, Rules, TinkerResume, Turning, WinnerTurn};
use crate::seat::{Seat, SeatSet};

/// Which features the code is compiled for. What a profile cannot have costs nothing; the rules are the same text for
/// all. Choose one for a batch of games: [`Plain`] wherever [`Profile::fits`], [`Everything`] elsewhere.
pub trait Profile: Copy + fmt::Debug + Default + Send + Sync + 'static {
    /// The features that rules played under this profile may have.
    const MAY_HAVE: Features;
    /// The machine it is compiled for.
    type Machine: Machine;

    /// Can these rules be played under this profile?
    #[must_use]
    fn fits(rules: &Rules) -> bool {
        Self::MAY_HAVE.contains(rules.features())
    }
}

/// The plain game: no card with several steps, no house rule, calls made by themselves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain<M = Baseline>(PhantomData<M>);

impl<M: Machine> Profile for Plain<M> {
    const MAY_HAVE: Features = Features::CHALLENGES;
    type Machine = M;
}

/// Every rule there is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Everything<M = Baseline>(PhantomData<M>);

impl<M: Machine> Profile for Everything<M> {
    const MAY_HAVE: Features = Features::ALL;
    type Machine = M;
}

/// An action that the rules do not allow there and then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalAction {
    /// Who asked.
    pub seat: Seat,
    /// For what.
    pub action: Action,
    /// Whether UNO was called with it.
    pub call: Call,
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {} may not do that now: {:?}, call {:?}", self.seat, self.action, self.call)
    }
}

impl std::error::Error for IllegalAction {}

impl RoundState {
    /// Applies an action if it is legal; otherwise the state stays as it was.
    ///
    /// # Errors
    /// The action is not among [`RoundState::legal_actions`], nor an interruption that is open to the seat.
    pub fn try_apply_action(
        &mut self,
        rules: &Rules,
        seat: Seat,
        action: Action,
        call: Call,
        chance: &mut impl Chance,
        events: &mut impl Events,
    ) -> Result<(), IllegalAction> {
        if self.is_legal(rules, seat, action, call) {
            self.apply_action::<Everything>(rules, seat, action, call, chance, events);
            Ok(())
        } else {
            Err(IllegalAction { seat, action, call })
        }
    }

    /// Applies an action that is known to be legal; see [`RoundState::try_apply_action`] for one that is not.
    ///
    /// An illegal action leaves a state that means nothing, but is safe.
    ///
    /// # Panics
    /// In debug builds, if the action is not legal or the rules do not fit the profile.
    #[inline(always)]
    pub fn apply_action<P: Profile>(
        &mut self,
        rules: &Rules,
        seat: Seat,
        action: Action,
        call: Call,
        chance: &mut impl Chance,
        events: &mut impl Events,
    ) {
        debug_assert!(P::fits(rules));
        debug_assert!(self.is_legal(rules, seat, action, call), "{:?}", IllegalAction { seat, action, call });
        let mut table: Table<'_, P, _, _> = Table { state: self, rules, chance, events, profile: PhantomData };
        table.apply(seat, action, call);
    }
}

/// A state with what is needed to move it on.
pub(super) struct Table<'a, P, C, E> {
    pub(super) state: &'a mut RoundState,
    pub(super) rules: &'a Rules,
    pub(super) chance: &'a mut C,
    pub(super) events: &'a mut E,
    pub(super) profile: PhantomData<P>,
}

impl<P: Profile, C: Chance, E: Events> Table<'_, P, C, E> {
    /// Do the rules have this feature? Free where the profile cannot have it.
    #[inline(always)]
    pub(super) fn has(&self, feature: Features) -> bool {
        P::MAY_HAVE.contains(feature) && self.rules.features().contains(feature)
    }

    #[inline(always)]
    pub(super) fn tell(&mut self, event: Event) {
        self.events.tell(self.state, event);
    }

    #[inline(always)]
    fn apply(&mut self, seat: Seat, action: Action, call: Call) {
        self.tell(Event::Acted { seat, action, call });
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
            Action::Keep => self.begin_turn_after(seat),
            Action::Pass => self.pass(seat),
            Action::NameColor(color) => self.name_color(seat, color),
            Action::Challenge => self.challenge(seat),
            Action::Accept => self.accept(seat),
            Action::Take => {
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
                self.begin_turn_after(seat);
            }
            Action::Protect(card) => self.protect(seat, card),
            Action::Uno => self.late_call(seat),
            Action::Catch(caught) => self.catch(caught),
            Action::Silent => {}
        }
    }

    // --- the turn ---------------------------------------------------------------------------------------------------

    /// A card leaves the hand, lies on top, and does what it does.
    pub(super) fn play(&mut self, seat: Seat, card: Card, named: Option<Color>) {
        let owed = match self.state.phase {
            Phase::Stack(Stack { sum }) | Phase::Challenge(DrawFour { sum, .. }) if self.has(Features::STACKING) => sum,
            _ => 0,
        };
        let from = if matches!(self.state.phase, Phase::Drawn(_)) { Source::JustDrawn } else { Source::Hand };
        let (followed, color_before) = (self.state.followed, self.state.color);
        self.state.hands[seat.index()].remove(card);
        self.state.passed = SeatSet::EMPTY;
        self.lay(card, named);
        self.tell(Event::Discarded { seat, card, from });
        if self.has(Features::JUMP_IN) {
            self.state.jump = JumpIn::Open;
        }
        if self.state.hands[seat.index()].is_empty() {
            return self.play_last_card(seat, card, owed);
        }
        if self.has(Features::EXPLICIT_CALLS) && !self.rules.tables.changes_own_hand.contains(card) {
            self.settle_call(seat);
        }
        match self.rules.tables.plays[card.index()] {
            Play::Row { .. } => self.take_row_effect(seat, card),
            Play::DrawFour => self.play_draw_four(seat, followed, color_before, owed),
            Play::VillainDrawFour => self.play_villain(seat, followed, color_before),
            Play::StackDrawTwo => self.demand(self.state.next_seat(seat), owed.saturating_add(2)),
            Play::Steps => self.run_steps(self.cursor(seat, card, Ending::GoesOn)),
        }
    }

    /// The card lies on top, and its colour or the named one is in force.
    #[inline(always)]
    pub(super) fn lay(&mut self, card: Card, named: Option<Color>) {
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let row = card.index() as u8;
        self.state.top = card;
        self.state.followed = row;
        self.state.color = named.or(self.rules.color_of(card)).or(self.state.color);
    }

    /// A card whose whole effect is one row of the table.
    #[inline(always)]
    pub(super) fn take_row_effect(&mut self, seat: Seat, card: Card) {
        let Play::Row { draws, skips, turn } = self.rules.tables.plays[card.index()] else { return };
        let (turn, skips) = self.with_two_seats_in_mind(turn, skips);
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
    fn with_two_seats_in_mind(&self, turn: Turning, skips: u8) -> (Turning, u8) {
        let reverse_skips = self.state.ring.is_two_seats() && self.rules.tables.reverse_skips_two;
        match turn {
            Turning::Reverses if reverse_skips => (Turning::Keeps, skips + 1),
            turn => (turn, skips),
        }
    }

    /// Turns the direction of play. Gives the seat after which play goes on: with two seats a Reverse works as a Skip.
    pub(super) fn reverse(&mut self, seat: Seat) -> Seat {
        let (turn, skips) = self.with_two_seats_in_mind(Turning::Reverses, 0);
        self.state.direction = self.state.direction.turned(turn);
        if skips > 0 { self.state.next_seat(seat) } else { seat }
    }

    #[inline(always)]
    fn draw_instead_of_playing(&mut self, seat: Seat) {
        if self.has(Features::STACKING)
            && let Phase::Stack(Stack { sum }) = self.state.phase
        {
            return self.suffer(seat, u32::from(sum));
        }
        self.state.passed = SeatSet::EMPTY;
        loop {
            let Some(card) = self.draw_one(seat) else {
                return self.end_turn_after_drawing(seat);
            };
            let playable = self.state.playable_among::<P>(self.rules, seat, CardSet::of(card));
            if playable.any() {
                self.state.phase = Phase::Drawn(card);
                return;
            }
            if !self.has(Features::DRAWS_UNTIL_PLAYABLE) {
                return self.end_turn_after_drawing(seat);
            }
        }
    }

    /// The drawn card cannot be played: the turn is over without a decision.
    #[inline]
    fn end_turn_after_drawing(&mut self, seat: Seat) {
        if self.has(Features::EXPLICIT_CALLS) {
            self.close_windows_at_end_of_turn();
        }
        self.begin_turn_after(seat);
    }

    fn pass(&mut self, seat: Seat) {
        self.state.passed = self.state.passed.with(seat);
        if self.state.passed == self.state.in_round {
            self.end_round(Outcome::Void);
        } else {
            self.begin_turn_after(seat);
        }
    }

    /// The next player after `seat` begins a turn.
    #[inline(always)]
    pub(super) fn begin_turn_after(&mut self, seat: Seat) {
        let mut next = self.state.next_seat(seat);
        if self.has(Features::MISSED_TURNS) {
            while self.state.missed_turns[next.index()] > 0 {
                self.state.missed_turns[next.index()] -= 1;
                next = self.state.next_seat(next);
            }
        }
        self.begin_turn(next);
    }

    #[inline]
    pub(super) fn begin_turn(&mut self, seat: Seat) {
        self.state.to_act = seat;
        self.state.phase = Phase::Turn;
    }

    /// Draws a penalty and misses the turn.
    pub(super) fn suffer(&mut self, seat: Seat, count: u32) {
        self.draw(seat, count);
        self.begin_turn_after(seat);
    }

    pub(super) fn end_round(&mut self, outcome: Outcome) {
        self.state.phase = Phase::Over(outcome);
        self.state.uncalled = SeatSet::EMPTY;
    }

    // --- the piles --------------------------------------------------------------------------------------------------

    /// Draws so many cards, or as many as there are.
    #[inline]
    pub(super) fn draw(&mut self, seat: Seat, count: u32) {
        P::Machine::apart(|| {
            for _ in 0..count {
                if self.draw_one(seat).is_none() {
                    break;
                }
            }
        });
    }

    #[inline(always)]
    pub(super) fn draw_one(&mut self, seat: Seat) -> Option<Card> {
        if self.state.draw_pile_len == 0 && !self.refill() {
            return None;
        }
        let state = &mut *self.state;
        let card = self.chance.draw_on::<P::Machine>(state.draw_pile, u32::from(state.draw_pile_len));
        state.draw_pile.take(card);
        state.draw_pile_len -= 1;
        state.hands[seat.index()].add(card);
        self.tell(Event::Drew { seat, card });
        if self.state.draw_pile_len == 0 {
            self.refill_at_once();
        }
        Some(card)
    }

    /// unless someone has gone out; then only if another card is needed.
    #[cold]
    fn refill_at_once(&mut self) {
        if !self.state.is_terminal() {
            self.refill();
        }
    }

    /// Makes a draw pile of what lies under the top card. Says whether there was anything.
    #[cold]
    pub(super) fn refill(&mut self) -> bool {
        let mut rest = self.state.discard_pile();
        rest.remove(self.state.top);
        self.state.draw_pile = rest;
        self.state.draw_pile_len = u16::try_from(rest.len()).expect("at most 512 cards");
        if rest.is_empty() {
            return false;
        }
        self.state.reshuffles = self.state.reshuffles.saturating_add(1);
        self.tell(Event::Reshuffled);
        true
    }

    // --- draw fours -------------------------------------------------------------------------------------------------

    fn play_draw_four(&mut self, seat: Seat, followed: u8, color_before: Option<Color>, owed: u8) {
        let victim = self.state.next_seat(seat);
        let sum = owed.saturating_add(4);
        if owed == 0 && self.has(Features::CHALLENGES) {
            self.offer_challenge(seat, followed, color_before, sum);
        } else if self.has(Features::STACKING) {
            self.demand(victim, sum);
        } else {
            self.suffer(victim, u32::from(sum));
        }
    }

    fn offer_challenge(&mut self, by: Seat, followed: u8, color_before: Option<Color>, sum: u8) {
        let color_before = color_before.unwrap_or(Color::Red); // never the first card of a round, so there was one
        let honesty = self.state.honesty(self.rules, by, followed, color_before);
        self.state.phase = Phase::Challenge(DrawFour { by, followed, color_before, honesty, drawn_since: 0, sum });
        self.state.to_act = self.state.next_seat(by);
    }

    /// A sum of cards waits for this seat: it may answer with a draw card, if it has one.
    pub(super) fn demand(&mut self, victim: Seat, sum: u8) {
        self.state.phase = Phase::Stack(Stack { sum });
        self.state.to_act = victim;
        if self.state.stack_answers(self.rules, victim).is_empty() {
            self.suffer(victim, u32::from(sum));
        }
    }

    fn challenge(&mut self, challenger: Seat) {
        let Phase::Challenge(draw_four) = self.state.phase else { return };
        let accused = draw_four.by;
        self.tell(Event::Showed { hand_of: accused, to: challenger });
        let guilty = draw_four.honesty == Honesty::Bluff;
        let parameters = self.rules.parameters();
        let is_villain = self.state.top_is_villain(self.rules);
        if guilty {
            self.draw(accused, parameters.guilty_draw.get());
        } else {
            self.draw(challenger, parameters.wrong_draw.get());
        }
        let victim = self.state.next_seat(accused);
        match (is_villain, guilty) {
            (true, true) => {
                let color = self.press_button(); // only sets the colour (DI-13)
                self.state.color = Some(color);
                self.begin_turn_after(accused);
            }
            (true, false) => self.villain_strikes(accused, Some(challenger)),
            (false, true) if challenger == victim && parameters.winner_turn == WinnerTurn::Loses => {
                self.begin_turn_after(victim);
            }
            (false, true) => self.begin_turn_after(accused),
            (false, false) if challenger == victim => self.begin_turn_after(victim),
            (false, false) => self.suffer(victim, u32::from(draw_four.sum)),
        }
    }

    fn accept(&mut self, seat: Seat) {
        let Phase::Challenge(draw_four) = self.state.phase else { return };
        let next = self.state.next_seat(seat);
        if self.rules.parameters().challengers == Challengers::AnyOther && next != draw_four.by {
            self.state.to_act = next;
        } else if self.state.top_is_villain(self.rules) {
            self.villain_strikes(draw_four.by, None);
        } else {
            self.suffer(self.state.next_seat(draw_four.by), u32::from(draw_four.sum));
        }
    }

    fn play_villain(&mut self, seat: Seat, followed: u8, color_before: Option<Color>) {
        if self.has(Features::CHALLENGES) {
            self.offer_challenge(seat, followed, color_before, 4);
        } else {
            self.villain_strikes(seat, None);
        }
    }

    /// The button is pressed and everybody else lays a card of its colour or draws four.
    pub(super) fn villain_strikes(&mut self, by: Seat, exempt: Option<Seat>) {
        let color = self.press_button();
        self.state.color = Some(color); // DI-05
        self.ask_for_protection(by, Protection { by, color, exempt });
    }

    /// Goes on with the seats after `seat`; stops where one has a card to lay.
    fn ask_for_protection(&mut self, seat: Seat, protection: Protection) {
        let mut next = self.state.next_seat(seat);
        while next != protection.by {
            if protection.exempt != Some(next) {
                let shields = self.state.hand(next).distinct() & self.rules.of_color(protection.color);
                if shields.any() {
                    self.state.phase = Phase::Protect(protection);
                    self.state.to_act = next;
                    return;
                }
                self.draw(next, 4);
            }
            next = self.state.next_seat(next);
        }
        match self.first_empty_hand(protection.by) {
            Some(winner) => self.end_round(Outcome::WentOut(winner)), // DI-07, DI-08
            None => self.begin_turn_after(protection.by),             // DI-10
        }
    }

    fn protect(&mut self, seat: Seat, card: Card) {
        let Phase::Protect(protection) = self.state.phase else { return };
        self.lay_without_effect(seat, card);
        if self.rules.tables.commands.contains(card) {
            #[expect(clippy::cast_possible_truncation, reason = "64")]
            let colour_only = crate::rules::COLOR_ONLY as u8;
            self.state.followed = colour_only; // DI-29; numbers stay matchable (DI-31)
        }
        self.settle_call(seat);
        self.ask_for_protection(seat, protection);
    }

    /// A card goes from a hand to the top of the discard pile and does nothing.
    fn lay_without_effect(&mut self, seat: Seat, card: Card) {
        self.state.hands[seat.index()].remove(card);
        self.state.top = card;
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let row = card.index() as u8;
        self.state.followed = row;
        self.state.jump = JumpIn::Closed;
        self.tell(Event::Discarded { seat, card, from: Source::Hand });
    }

    pub(super) fn press_button(&mut self) -> Color {
        let color = self.chance.button(self.rules.button());
        self.tell(Event::Button(color));
        color
    }

    /// The first seat in order of play, from this one, without a card.
    pub(super) fn first_empty_hand(&self, from: Seat) -> Option<Seat> {
        std::iter::once(from).chain(self.state.others(from)).find(|&seat| self.state.hand(seat).is_empty())
    }

    // --- other answers ----------------------------------------------------------------------------------------------

    fn name_color(&mut self, seat: Seat, color: Color) {
        let Phase::NameColor(then) = self.state.phase else { return };
        self.state.color = Some(color);
        match then {
            AfterColor::OwnTurn => self.begin_turn(seat),
            AfterColor::OwnSwap => self.state.phase = Phase::Swap(SwapFor::StartCard),
            AfterColor::NextTurn => self.begin_turn_after(seat),
        }
    }

    fn swap(&mut self, seat: Seat, other: Option<Seat>) {
        let Phase::Swap(swap_for) = self.state.phase else { return };
        if let Some(other) = other {
            self.state.hands.swap(seat.index(), other.index());
            self.tell(Event::Swapped(seat, other));
            self.hand_was_exchanged(other, seat); // SW-11
        }
        self.settle_call(seat);
        match swap_for {
            SwapFor::StartCard => self.begin_turn(seat),
            SwapFor::Effect(cursor) => self.run_steps(cursor),
        }
    }

    fn target(&mut self, seat: Seat, victim: Seat) {
        let Phase::Target(target_for) = self.state.phase else { return };
        match target_for {
            TargetFor::ButtonDrawTwo => {
                self.draw(victim, 2);
                match self.rules.parameters().tinker_resume {
                    TinkerResume::AfterVictim => self.begin_turn_after(victim), // DI-03
                    TinkerResume::AfterPlayer => {
                        let owed = &mut self.state.missed_turns[victim.index()];
                        *owed = owed.saturating_add(1);
                        self.begin_turn_after(seat);
                    }
                }
            }
            TargetFor::Effect(cursor) => self.run_steps(Cursor { target: Some(victim), ..cursor }),
        }
    }

    fn discard_all(&mut self, seat: Seat, top: Card) {
        let Phase::Discard(color) = self.state.phase else { return };
        let discarded = self.state.hand(seat).only(self.rules.of_color(color));
        let mut under_the_top = discarded;
        under_the_top.remove(top);
        under_the_top.iter().for_each(|card| self.lay_without_effect(seat, card));
        self.lay_without_effect(seat, top); // a command on top is void, but its word can be matched
        if self.state.hand(seat).is_empty() {
            return self.end_round(Outcome::WentOut(seat)); // DI-22, DI-25
        }
        self.settle_call(seat);
        self.begin_turn_after(seat);
    }

    fn end_lap(&mut self, seat: Seat) {
        self.settle_call(seat);
        self.state.phase = Phase::NameColor(AfterColor::NextTurn);
    }

    pub(super) fn rotate_lap(&mut self, seat: Seat) {
        let passes = match self.state.phase {
            Phase::Lap(passes) => passes,
            _ => 0,
        };
        let looked = if passes == 0 { Looked::Everybody } else { Looked::Only(seat) };
        self.rotate_hands(looked);
        self.only_calls_for(seat); // CA-07, CA-23
        self.state.phase = Phase::Lap(passes + 1);
        if usize::from(passes) + 1 == self.state.in_round.len() {
            self.end_lap(seat); // the own hand is back
        }
    }

    /// Every hand moves one seat in the direction of play.
    pub(super) fn rotate_hands(&mut self, looked: Looked) {
        let before = self.state.hands;
        for seat in self.state.seats() {
            self.state.hands[self.state.next_seat(seat).index()] = before[seat.index()];
        }
        self.tell(Event::Rotated { direction: self.state.direction, looked });
    }

    #[inline]
    pub(super) fn cursor(&self, player: Seat, card: Card, ending: Ending) -> Cursor {
        let next = self.rules.tables.steps_of[card.index()].0;
        Cursor { player, card, next, target: None, skips: SkipCount::Next(0), ending }
    }
}
