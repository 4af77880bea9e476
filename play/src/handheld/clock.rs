//! The timed events of the machine.

use unolab::{Action, DecisionKind};

use super::machine::{DRAWN_CARD_MS, Handheld, IDLE_MS, OFF_MS, THINKING_MS, TimeBound};
use super::mode::Mode;
use super::sound::Sound;
use super::uno_race::{UnoPress, pass_windows};

/// The time for which the demo shows a finished round.
const DEMO_PAUSE_MS: u64 = 4_000;

/// An event of the machine without a button press.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DueEvent {
    /// An agent of the machine presses UNO.
    Press(UnoPress),
    /// An agent of the machine decides.
    Decide,
    /// A drawn card that was not played is kept (HH-16).
    KeepDrawn,
    /// The demo begins, or deals another round.
    Demo,
    /// The machine turns itself off (HH-22).
    TurnOff,
}

impl Handheld {
    /// Handles every event that is due, each at its own time, and sets the clock to now.
    pub(super) fn pass_time(&mut self, until: TimeBound) {
        let (now, last) = match until {
            TimeBound::Time(now) => (now, Some(now)),
            TimeBound::Press(now) => (now, now.checked_sub(1)),
        };
        self.settle();
        while let Some((at, due)) = self.next_due().filter(|&(at, _)| Some(at) <= last) {
            self.now = self.now.max(at);
            self.handle_due_event(due);
            self.settle();
        }
        self.now = self.now.max(now);
    }

    fn next_due(&self) -> Option<(u64, DueEvent)> {
        match self.mode {
            Mode::ChoosePlayers | Mode::ChooseLevel | Mode::MatchOver => {
                return Some((self.pressed_last.max(self.since) + IDLE_MS, DueEvent::Demo));
            }
            Mode::Off | Mode::RoundOver => return None,
            Mode::Demo if self.session.round_is_over() => {
                let is_idle = self.since >= self.pressed_last + OFF_MS;
                let next = if is_idle { DueEvent::TurnOff } else { DueEvent::Demo };
                return Some((self.since + DEMO_PAUSE_MS, next));
            }
            Mode::Demo | Mode::Play | Mode::ChooseColor(..) | Mode::HandOver(_) => {}
        }
        let press = self.races.next_machine().map(|(at, press)| (at, DueEvent::Press(press)));
        let turn = self.turn().and_then(|(seat, kind)| match kind {
            _ if !self.is_person(seat) => Some((self.since + THINKING_MS, DueEvent::Decide)),
            DecisionKind::Drawn if self.can(Action::Keep) => Some((self.since + DRAWN_CARD_MS, DueEvent::KeepDrawn)),
            _ => None,
        });
        press.into_iter().chain(turn).min_by_key(|&(at, _)| at)
    }

    fn handle_due_event(&mut self, due: DueEvent) {
        match due {
            DueEvent::Press(press) => {
                self.races.win(press);
                self.announce(press);
            }
            DueEvent::Decide => {
                pass_windows(&mut self.session);
                let cards_to_draw = self.session.round().state().draw_pile_len();
                self.session.step();
                let has_drawn = self.session.round().state().draw_pile_len() != cards_to_draw;
                self.sounds.push(if has_drawn { Sound::Draw } else { Sound::Card });
                self.since = self.now;
            }
            DueEvent::KeepDrawn => {
                self.mode = Mode::Play;
                self.take_turn(Action::Keep);
            }
            DueEvent::Demo => self.begin_demo(),
            DueEvent::TurnOff => self.turn_off(),
        }
    }
}
