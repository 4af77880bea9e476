//! The effects of answers to cards: colors, swaps, targets, discards and laps.

use super::event_sink::EventSink;
use super::phase::{AfterColor, Cursor, Outcome, Phase, SwapFor, TargetFor};
use super::play::Table;
use crate::action::OptionNumber;
use crate::card::Card;
use crate::chance::Chance;
use crate::color::Color;
use crate::cpu::isa::Isa;
use crate::event::{Event, HandView};
use crate::implication::Conclusion;
use crate::rules::{FeatureSet, MissedLapCall, TinkerResume};
use crate::seat::Seat;

impl<P: FeatureSet, C: Chance, E: EventSink> Table<'_, P, C, E> {
    pub(crate) fn name_color(&mut self, seat: Seat, color: Color) {
        let Phase::NameColor(then) = self.state.phase else { return };
        self.state.color = Some(color);
        match then {
            AfterColor::OwnTurn => self.begin_turn(seat),
            AfterColor::OwnSwap => self.state.phase = Phase::Swap(SwapFor::StartCard),
            AfterColor::NextTurn => self.begin_turn_after(seat),
            AfterColor::Effect(cursor) => self.run_steps(cursor),
        }
    }

    pub(crate) fn swap(&mut self, seat: Seat, other: Option<Seat>) {
        let Phase::Swap(swap_for) = self.state.phase else { return };
        if let Some(other) = other {
            self.state.hands.swap(seat.index(), other.index());
            self.emit(Event::Swapped(seat, other));
            self.hand_was_exchanged(other, seat); // SW-11
        }
        self.settle_call(seat);
        match swap_for {
            SwapFor::StartCard => self.begin_turn(seat),
            SwapFor::Effect(cursor) => self.run_steps(cursor),
        }
    }

    pub(crate) fn target(&mut self, seat: Seat, victim: Seat) {
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

    pub(crate) fn choose_option(&mut self, seat: Seat, option: OptionNumber) {
        let Phase::Choice(cursor) = self.state.phase else { return };
        self.run_steps(Cursor { chooser: Some(seat), ..cursor.entering(self.rules, option) });
    }

    pub(crate) fn discard_all(&mut self, seat: Seat, top: Card) {
        let Phase::Discard(color) = self.state.phase else { return };
        let discarded = self.state.hand(seat).only(self.rules.of_color(color));
        let mut under_the_top = discarded;
        under_the_top.remove(top);
        under_the_top.iter().for_each(|card| self.play_without_effect(seat, card));
        self.play_without_effect(seat, top); // a command on top has no effect, but its symbol can be matched
        self.imply(seat, Conclusion::Lacks { since: 0 }, |table| table.rules.of_color(color));
        if self.state.hand(seat).is_empty() {
            return self.end_round(Outcome::WentOut(seat)); // DI-22, DI-25
        }
        self.settle_call(seat);
        self.begin_turn_after(seat);
    }

    /// The seat could have discarded cards of the color, or it would not have been asked.
    pub(crate) fn discard_none(&mut self, seat: Seat) {
        if let Phase::Discard(color) = self.state.phase {
            self.imply(seat, Conclusion::Holds { since: 0 }, |table| table.rules.of_color(color));
        }
        self.begin_turn_after(seat);
    }

    pub(crate) fn end_lap(&mut self, seat: Seat) {
        self.settle_call(seat);
        self.state.phase = Phase::NameColor(AfterColor::NextTurn);
        if self.rules.parameters().missed_lap_call == MissedLapCall::Penalty && self.owes_call(seat) {
            self.catch(seat); // CA-10
        }
    }

    /// Begins a Victory Lap after this seat has played the card.
    pub(crate) fn begin_lap(&mut self, seat: Seat) {
        self.state.to_act = seat;
        self.rotate_lap(seat);
    }

    pub(crate) fn rotate_lap(&mut self, seat: Seat) {
        let passes = match self.state.phase {
            Phase::Lap(passes) => passes,
            _ => 0,
        };
        let looked = if passes == 0 { HandView::EverySeat } else { HandView::Only(seat) };
        self.rotate_hands(seat, looked);
        self.only_calls_for(seat); // CA-07, CA-23
        self.state.phase = Phase::Lap(passes + 1);
        if usize::from(passes) + 1 == self.state.in_round.len() {
            self.end_lap(seat); // its own hand has returned
        }
    }

    /// Every hand moves one seat in the direction of play, by an action of this seat.
    pub(crate) fn rotate_hands(&mut self, seat: Seat, looked: HandView) {
        let table = self.reborrow();
        P::Isa::outline(move || {
            let state = &mut *table.state;
            state.ring.hand_on(&mut state.hands, seat, state.direction);
        });
        self.emit(Event::Rotated { direction: self.state.direction, looked });
    }
}
