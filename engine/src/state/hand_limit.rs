//! The limit to the number of cards in a hand: a player who reaches it is out of the round (`house.hand_limit`).

use super::event_sink::EventSink;
use super::phase::Outcome;
use super::play::Table;
use super::round_state::RoundState;
use crate::chance::Chance;
use crate::event::{Event, Source};
use crate::rules::{FeatureSet, Features, HandLimit, Rules};
use crate::seat::{Seat, SeatSet};

impl RoundState {
    /// Whether this seat is out of the round before the next turn.
    pub(super) fn is_at_limit(&self, rules: &Rules, seat: Seat) -> bool {
        match rules.parameters().hand_limit {
            HandLimit::None => false,
            HandLimit::Cards { cards, .. } => self.hand(seat).len() >= cards,
        }
    }
}

impl<P: FeatureSet, C: Chance, E: EventSink> Table<'_, P, C, E> {
    /// Begins the turn of this seat, or of the next seat that is neither out of the round nor has to miss its turn.
    #[cold]
    pub(super) fn begin_turn_of_seat_left(&mut self, seat: Seat) {
        let Some(mut next) = self.remove_seats_at_limit(seat) else { return };
        if self.has(Features::MISSED_TURNS) {
            next = self.pass_over_missed_turns(next);
        }
        self.set_turn(next);
    }

    /// Returns the first seat from this one on that is left; `None` if the round is over.
    fn remove_seats_at_limit(&mut self, seat: Seat) -> Option<Seat> {
        let out: SeatSet = self.state.seats().filter(|&seat| self.state.is_at_limit(self.rules, seat)).collect();
        if out.is_empty() {
            return Some(seat);
        }
        if out == self.state.in_round {
            self.end_round(Outcome::Void);
            return None;
        }
        let mut next = seat;
        while out.contains(next) {
            next = self.state.next_seat(next);
        }
        for seat in out.iter() {
            // One by one: the hand holds the cards that are still to come.
            for card in self.state.hand(seat).iter() {
                self.state.hands[seat.index()].remove(card);
                self.emit(Event::Discarded { seat, card, from: Source::Hand });
            }
        }
        self.state.leave(out);
        if self.state.in_round.len() == 1 {
            self.state.to_act = next;
            self.end_round(Outcome::WentOut(next));
            return None;
        }
        Some(next)
    }
}
