//! The actions of the person who holds the machine.

use unolab::observation::Decision;
use unolab::seat::Seat;
use unolab::{Action, Card, Color, DecisionKind};

use super::button::Button;
use super::machine::{FALSE_PRESS_MS, Handheld, MESSAGE_MS};
use super::mode::Mode;
use super::sound::Sound;
use super::uno_race::pass_windows;

impl Handheld {
    /// The seat and the kind of the pending decision, apart from races for UNO.
    pub(super) fn turn(&self) -> Option<(Seat, DecisionKind)> {
        let state = self.session.round().state();
        Some((state.current_seat()?, DecisionKind::of(state.phase())?))
    }

    /// The decision of the person who holds the machine.
    pub(super) fn asked(&self) -> Option<DecisionKind> {
        let is_in_play = matches!(self.mode, Mode::Play | Mode::ChooseColor(..));
        self.turn().filter(|(seat, _)| is_in_play && Some(*seat) == self.holder).map(|(_, kind)| kind)
    }

    pub(super) fn can(&self, action: Action) -> bool {
        self.session.round().state().legal_actions(&self.session.setup().rules).contains(&action)
    }

    /// The cards of the person who holds the machine, in the order of the screen.
    fn hand(&self) -> Vec<Card> {
        self.holder.map_or_else(Vec::new, |person| self.session.round().observation(person).hand().iter().collect())
    }

    fn highlighted(&self) -> Option<Card> {
        self.hand().get(self.highlight).copied()
    }

    pub(super) fn press_in_play(&mut self, button: Button) {
        let count = self.hand().len().max(1);
        // A drawn card is the only one that may be played.
        let is_fixed = matches!(self.asked(), Some(DecisionKind::Drawn));
        match (button, self.asked()) {
            (Button::Uno, _) => self.holder.into_iter().for_each(|person| self.call_uno(person)),
            (Button::Left, _) if !is_fixed => self.highlight = (self.highlight + count - 1) % count,
            (Button::Right, _) if !is_fixed => self.highlight = (self.highlight + 1) % count,
            (Button::Draw, Some(DecisionKind::Turn)) => {
                self.take_turn(if self.can(Action::Draw) { Action::Draw } else { Action::Pass });
            }
            (Button::Enter, Some(_)) => self.play_highlighted(),
            _ => self.sounds.push(Sound::Refused),
        }
        // The call holds only for the card in the highlight (HH-09).
        if matches!(button, Button::Left | Button::Right) && self.called_for != self.highlighted() {
            self.called_for = None;
        }
    }

    fn play_highlighted(&mut self) {
        let card = match (self.asked(), self.highlighted()) {
            (Some(DecisionKind::NameColor), _) => {
                // The start card was a Wild.
                self.mode = Mode::ChooseColor(self.session.round().state().top(), 0);
                return;
            }
            (Some(_), Some(card)) => card,
            _ => return self.sounds.push(Sound::Refused),
        };
        if self.can(Action::Play(card)) {
            self.take_turn(Action::Play(card));
        } else if self.can(Action::PlayNaming(card, Color::Red)) {
            self.mode = Mode::ChooseColor(card, 0);
        } else {
            self.show_message("That card cannot be played");
            self.sounds.push(Sound::Refused);
        }
    }

    /// UNO: in a race the clock decides, and the person's own race comes first; with two cards it is also an early call
    /// (HH-09). A false call costs no card, but it blocks the button, so that pressing it all the time wins no race (HH-21).
    pub(super) fn call_uno(&mut self, person: Seat) {
        if self.now < self.uno_blocked_until[person] {
            return self.refuse_uno(person);
        }
        let press = self.races.press(person);
        press.into_iter().for_each(|press| self.announce(press));
        let is_turn =
            Some(person) == self.holder && matches!(self.asked(), Some(DecisionKind::Turn | DecisionKind::Drawn));
        let card = self.highlighted().filter(|_| is_turn && self.hand().len() == 2);
        let playable =
            card.filter(|&card| self.can(Action::Play(card)) || self.can(Action::PlayNaming(card, Color::Red)));
        if playable.is_some() {
            self.called_for = playable;
            self.show_message("UNO!");
            self.sounds.push(Sound::Uno);
        } else if press.is_none() {
            self.refuse_uno(person);
        }
    }

    fn refuse_uno(&mut self, person: Seat) {
        self.uno_blocked_until[person] = self.now + FALSE_PRESS_MS;
        self.sounds.push(Sound::Refused);
    }

    pub(super) fn show_message(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), self.now + MESSAGE_MS));
    }

    /// Applies an action of the person to act. Pending races for UNO continue.
    pub(super) fn take_turn(&mut self, action: Action) {
        if !self.can(action) {
            return self.sounds.push(Sound::Refused);
        }
        if action.card().is_none() {
            // A call made early lapses when a card is drawn (HH-09).
            self.called_for = None;
        }
        pass_windows(&mut self.session);
        self.session.answer_for_current_seat(action);
        self.since = self.now;
        self.sounds.extend(Sound::of(action));
    }

    /// Hands the machine to the person whose turn it is, and highlights a drawn card.
    pub(super) fn find_holder(&mut self) {
        let Some((seat, kind)) = self.turn().filter(|&(seat, _)| self.is_person(seat)) else { return };
        if self.holder != Some(seat) {
            (self.mode, self.holder) = (Mode::HandOver(seat), None);
        }
        let hand = self.hand();
        self.highlight = self.highlight.min(hand.len().saturating_sub(1));
        if let (DecisionKind::Drawn, Decision::Drawn(Some(drawn))) =
            (kind, self.session.round().observation(seat).decision())
        {
            self.highlight = hand.iter().position(|&card| card == drawn).unwrap_or(0);
        }
    }
}
