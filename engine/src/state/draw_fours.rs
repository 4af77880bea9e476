//! Draw fours: challenges, pending sums of cards, and the Villain's button.

use super::event_sink::EventSink;
use super::phase::{BluffStatus, DrawFour, Outcome, Phase, Protection, Stack};
use super::play::Table;
use crate::card::Card;
use crate::chance::Chance;
use crate::color::Color;
use crate::event::Event;
use crate::implication::Conclusion;
use crate::rules::{Challengers, FeatureSet, Features, WinnerTurn};
use crate::seat::{Seat, SeatSet};

impl<P: FeatureSet, C: Chance, E: EventSink> Table<'_, P, C, E> {
    pub(crate) fn play_draw_four(&mut self, seat: Seat, match_row: u8, color_before: Option<Color>, owed: u8) {
        let victim = self.state.next_seat(seat);
        let sum = owed.saturating_add(4);
        if owed == 0 && self.has(Features::CHALLENGES) {
            self.offer_challenge(seat, match_row, color_before, sum);
        } else if self.has(Features::STACKING) {
            self.require_stack_answer(victim, sum);
        } else {
            self.draw_and_skip(victim, u32::from(sum));
        }
    }

    fn offer_challenge(&mut self, by: Seat, match_row: u8, color_before: Option<Color>, sum: u8) {
        let color_before = color_before.unwrap_or(Color::Red); // never the first card of a round, so there was a color
        let bluff_status = self.state.bluff_status(self.rules, by, match_row, color_before);
        self.state.phase =
            Phase::Challenge(DrawFour { by, match_row, color_before, bluff_status, drawn_since: 0, sum });
        self.state.to_act = self.state.next_seat(by);
    }

    /// This seat must draw the pending sum, or answer with a draw card if it has one.
    pub(crate) fn require_stack_answer(&mut self, victim: Seat, sum: u8) {
        self.state.phase = Phase::Stack(Stack { sum });
        self.state.to_act = victim;
        if self.state.stack_answers(self.rules, victim).is_empty() {
            self.imply(victim, Conclusion::Lacks { since: 0 }, |table| table.state.all_stack_answers(table.rules));
            self.draw_and_skip(victim, u32::from(sum));
        }
    }

    pub(crate) fn challenge(&mut self, challenger: Seat) {
        let Phase::Challenge(draw_four) = self.state.phase else { return };
        let accused = draw_four.by;
        self.emit(Event::Showed { hand_of: accused, to: challenger });
        let guilty = draw_four.bluff_status == BluffStatus::Bluff;
        // All players see who draws.
        let since = draw_four.drawn_since;
        let conclusion = if guilty { Conclusion::Holds { since } } else { Conclusion::Lacks { since } };
        let (match_row, color) = (draw_four.match_row, Some(draw_four.color_before));
        self.imply(accused, conclusion, |table| table.blocking_draw_fours(match_row, color));
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
                let color = self.press_button(); // only sets the color (DI-13)
                self.state.color = Some(color);
                self.begin_turn_after(accused);
            }
            (true, false) => self.villain_strikes(accused, Some(challenger)),
            (false, true) if challenger == victim && parameters.winner_turn == WinnerTurn::Loses => {
                self.begin_turn_after(victim);
            }
            (false, true) => self.begin_turn_after(accused),
            (false, false) if challenger == victim => self.begin_turn_after(victim),
            (false, false) => self.draw_and_skip(victim, u32::from(draw_four.sum)),
        }
    }

    #[inline(always)]
    pub(crate) fn accept(&mut self, seat: Seat) {
        let Phase::Challenge(draw_four) = self.state.phase else { return };
        let next = self.state.next_seat(seat);
        if self.rules.parameters().challengers == Challengers::AnyOther && next != draw_four.by {
            self.state.to_act = next;
        } else {
            self.reborrow().settle_accepted(draw_four);
        }
    }

    /// Applies a draw four that no player challenges.
    fn settle_accepted(&mut self, draw_four: DrawFour) {
        if self.state.top_is_villain(self.rules) {
            self.villain_strikes(draw_four.by, None);
        } else {
            self.draw_and_skip(self.state.next_seat(draw_four.by), u32::from(draw_four.sum));
        }
    }

    pub(crate) fn play_villain(&mut self, seat: Seat, match_row: u8, color_before: Option<Color>) {
        if self.has(Features::CHALLENGES) {
            self.offer_challenge(seat, match_row, color_before, 4);
        } else {
            self.villain_strikes(seat, None);
        }
    }

    /// Presses the button: every other player plays a card of its color or draws four.
    pub(crate) fn villain_strikes(&mut self, by: Seat, exempt: Option<Seat>) {
        let color = self.press_button();
        self.state.color = Some(color); // DI-05
        self.ask_for_protection(by, Protection { by, color, exempt });
    }

    /// Continues with the seats after `seat`; stops at a seat that can play a card.
    #[inline(always)]
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
                self.imply(next, Conclusion::Lacks { since: 0 }, |table| table.rules.of_color(protection.color));
                self.draw(next, 4);
            }
            next = self.state.next_seat(next);
        }
        match self.first_empty_hand(protection.by) {
            Some(winner) => self.end_round(Outcome::WentOut(winner)), // DI-07, DI-08
            None => self.begin_turn_after(protection.by),             // DI-10
        }
    }

    #[inline(always)]
    pub(crate) fn protect(&mut self, seat: Seat, card: Card) {
        let Phase::Protect(protection) = self.state.phase else { return };
        self.play_without_effect(seat, card);
        if self.rules.tables.commands.contains(card) {
            #[expect(clippy::cast_possible_truncation, reason = "64")]
            let color_only = crate::rules::COLOR_ONLY as u8;
            self.state.match_row = color_only; // DI-29; numbers stay matchable (DI-31)
        }
        if self.has(Features::EXPLICIT_CALLS) {
            match self.first_empty_hand(protection.by) {
                Some(_) => self.state.uncalled = SeatSet::EMPTY, // a player has gone out
                None => self.settle_call(seat),
            }
        }
        self.ask_for_protection(seat, protection);
    }

    pub(crate) fn press_button(&mut self) -> Color {
        let color = self.chance.button(self.rules.button());
        self.emit(Event::Button(color));
        color
    }

    /// The first seat in order of play, from this one, without a card.
    pub(crate) fn first_empty_hand(&self, from: Seat) -> Option<Seat> {
        if self.state.hands[..self.state.in_round.end()].iter().all(|hand| !hand.is_empty()) {
            return None; // rarely is there one
        }
        let mut seat = from;
        while !self.state.hand(seat).is_empty() {
            seat = self.state.next_seat(seat);
            if seat == from {
                return None;
            }
        }
        Some(seat)
    }
}
