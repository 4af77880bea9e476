//! [`UnoRaces`]: races to press UNO first for a seat that has one card and has not called.
//!
//! A race lasts as long as its seat has that one card and has not called (HH-07); meanwhile play continues. The first press
//! wins (HH-08).

use unolab::seat::{Seat, SeatSet};
use unolab::{Action, DecisionKind, Rng};

use super::level::Level;
use crate::session::Session;

/// The open races, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct UnoRaces(Vec<UnoRace>);

/// The race for one seat.
#[derive(Debug, Clone)]
struct UnoRace {
    /// The seat with one card.
    holder: Seat,
    /// The time at which each machine presses, unless the race is over by then.
    machines: Vec<(Seat, u64)>,
    /// The seat that pressed first.
    winner: Option<Seat>,
}

/// A press of UNO: the pressing seat, and the seat with one card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnoPress {
    pub(super) by: Seat,
    pub(super) holder: Seat,
}

impl UnoPress {
    pub(super) fn action(self) -> Action {
        if self.by == self.holder { Action::Uno } else { Action::Catch(self.holder) }
    }
}

impl UnoRaces {
    /// The seats with one card for which UNO can be pressed.
    pub(super) fn holders(&self) -> impl Iterator<Item = Seat> + '_ {
        self.0.iter().filter(|race| race.winner.is_none()).map(|race| race.holder)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Ends the races of seats that can no longer be caught, and begins races for new seats. The time of each machine's
    /// press is drawn from the range of its level (HH-08).
    pub(super) fn follow(&mut self, uncalled: SeatSet, machines: SeatSet, level: Level, now: u64, rng: &mut Rng) {
        self.0.retain(|race| uncalled.contains(race.holder));
        for holder in uncalled.iter() {
            if self.0.iter().all(|race| race.holder != holder) {
                let (shortest, longest) = level.reaction_ms();
                let spread = u32::try_from(longest - shortest).unwrap_or(u32::MAX - 1);
                let machines =
                    machines.iter().map(|seat| (seat, now + shortest + u64::from(rng.below(spread + 1)))).collect();
                self.0.push(UnoRace { holder, machines, winner: None });
            }
        }
    }

    /// Handles a press: it counts in the seat's own race, or else in the oldest one; `None` without a race.
    pub(super) fn press(&mut self, by: Seat) -> Option<UnoPress> {
        let holder = self.holders().find(|&holder| holder == by).or_else(|| self.holders().next())?;
        let press = UnoPress { by, holder };
        self.win(press);
        Some(press)
    }

    /// The first press of a machine, and its time.
    pub(super) fn next_machine(&self) -> Option<(u64, UnoPress)> {
        let open = self.0.iter().filter(|race| race.winner.is_none());
        let presses =
            open.flat_map(|race| race.machines.iter().map(|&(by, at)| (at, UnoPress { by, holder: race.holder })));
        presses.min_by_key(|&(at, _)| at)
    }

    /// Records this press as the first of its race.
    pub(super) fn win(&mut self, press: UnoPress) {
        self.0.iter_mut().filter(|race| race.holder == press.holder).for_each(|race| race.winner = Some(press.by));
    }

    /// Applies the first press of a decided race to the round at once, even if other windows were passed over before.
    /// False if no race has been decided.
    pub(super) fn apply_winner(&self, session: &mut Session) -> bool {
        let Some(press) = self.0.iter().find_map(|race| Some(UnoPress { by: race.winner?, holder: race.holder }))
        else {
            return false;
        };
        session.ask_windows_again();
        while let Some(asked) = window(session) {
            if asked == press {
                session.answer_for_current_seat(press.action());
                return true;
            }
            session.answer_for_current_seat(Action::Silent);
        }
        false
    }
}

/// Declines all open windows for now. After the next action the round offers them to all seats again.
pub(super) fn pass_windows(session: &mut Session) {
    while window(session).is_some() {
        session.answer_for_current_seat(Action::Silent);
    }
}

/// The open window and the seat that may use it.
fn window(session: &Session) -> Option<UnoPress> {
    let decision = session.round().decision()?;
    match decision.kind {
        DecisionKind::Window { holder } => Some(UnoPress { by: decision.seat, holder }),
        _ => None,
    }
}
