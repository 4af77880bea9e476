//! An observation as a row of bytes.

use super::encoder::{EncodedDecision, Encoding};
use super::history::{self, EVENT_SIZE};
use crate::card::{Card, MAX_KINDS};
use crate::cards::Cards;
use crate::color::Color;
use crate::cpu::isa::{Generic, Isa};
use crate::event::VisibleEvent;
use crate::observation::{Decision, NO_SCORES, Observation};
use crate::rules::Features;
use crate::scoring::are_partners;
use crate::seat::{Direction, MAX_SEATS, Seat};

/// Seats in order of play, then those that are out of the round.
struct TurnOrder {
    seats: [Seat; MAX_SEATS],
    len: usize,
    places: [u8; MAX_SEATS],
}

impl TurnOrder {
    #[inline(always)]
    fn of(observation: &Observation<'_>) -> Self {
        let first = observation.seat();
        let mut order = Self { seats: [first; MAX_SEATS], len: 1, places: [0; MAX_SEATS] };
        for (place, seat) in (1_u8..).zip(observation.others()) {
            order.seats[usize::from(place)] = seat;
            order.places[seat.index()] = place;
            order.len += 1;
        }
        if !observation.out().is_empty() {
            order.append_seats_out(observation);
        }
        order
    }

    /// Seats that are out of the round (`house.hand_limit`) come last, so that each place in front of them is followed by the
    /// next player.
    #[cold]
    fn append_seats_out(&mut self, observation: &Observation<'_>) {
        for seat in observation.out().without(observation.seat()).iter() {
            self.seats[self.len] = seat;
            self.places[seat.index()] = byte(u32::try_from(self.len).expect("at most ten seats"));
            self.len += 1;
        }
    }

    /// The number of seats between the first seat and this one.
    #[inline(always)]
    const fn place(&self, seat: Seat) -> usize {
        self.places[seat.index()] as usize
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (usize, Seat)> {
        self.seats[..self.len].iter().copied().enumerate()
    }
}

/// Used if a row has so few kinds that it is shorter than the longest possible part.
#[cold]
#[inline(never)]
fn write_few(part: &mut [u8], counts: &[u8; MAX_KINDS]) {
    let len = part.len();
    part.copy_from_slice(&counts[..len]);
}

/// A number as a byte, at most 255.
#[inline(always)]
fn byte(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

impl Encoding {
    /// Writes an observation; the part for events stays empty.
    ///
    /// # Panics
    /// If the length of the row is not [`Encoding::obs_size`], or the observation has other rules.
    #[inline]
    pub fn write_row(&self, observation: &Observation<'_>, asked: EncodedDecision, row: &mut [u8]) {
        row.fill(0);
        self.write_cleared_row_on::<Generic>(observation, observation.discard_pile(), asked, row);
    }

    /// [`Encoding::write_row`] into a row of zeros, compiled for this instruction set. The caller keeps track of the discard
    /// pile: computing it from the other cards takes a quarter of the time of a row.
    ///
    /// # Panics
    /// As [`Encoding::write_row`]; in debug builds also if the row is not all zeros or the discard pile has another top card.
    #[inline(always)]
    pub fn write_cleared_row_on<M: Isa>(
        &self,
        observation: &Observation<'_>,
        discard_pile: Cards,
        asked: EncodedDecision,
        row: &mut [u8],
    ) {
        debug_assert_eq!(discard_pile, observation.discard_pile());
        let at = &self.layout;
        assert_eq!(row.len(), at.size(), "a row of this encoding");
        debug_assert!(row.iter().all(|&byte| byte == 0), "a row of zeros");
        let order = TurnOrder::of(observation);
        // A part may write zeros behind itself, so the parts are written from front to back.
        Self::write_counts(row, at.hand, observation.hand().counts_on::<M>());
        Self::write_counts(row, at.discard, discard_pile.counts_on::<M>());
        if !observation.has_no_known_cards() {
            for (place, seat) in order.iter().skip(1) {
                let known = observation.known(seat);
                if !known.is_empty() {
                    Self::write_counts(row, at.known + (place - 1) * at.kinds(), known.counts_on::<M>());
                }
            }
        }
        row[at.top + observation.top().index()] = 1;
        row[at.color + observation.color().map_or(4, Color::index)] = 1;
        self.write_decision(row, observation, asked, &order);
        if let Some(seat) = observation.current_seat() {
            row[at.to_act + order.place(seat)] = 1;
        }
        row[at.own_seat + observation.seat().index()] = 1;
        row[at.direction] = u8::from(observation.direction() == Direction::Right);
        row[at.draw_pile] = byte(observation.draw_pile_len());
        row[at.reshuffles] = byte(observation.reshuffles());
        row[at.dead_word] = u8::from(observation.is_top_symbol_inactive());
        self.write_seats(row, observation, &order);
    }

    /// Writes the last events into their part of a row, the newest first, as many as fit.
    ///
    /// # Panics
    /// If the length of the row is not [`Encoding::obs_size`].
    pub fn write_history(
        &self,
        observation: &Observation<'_>,
        newest_first: impl Iterator<Item = VisibleEvent>,
        row: &mut [u8],
    ) {
        let order = TurnOrder::of(observation);
        let part = row[self.layout.history..self.layout.size()].chunks_exact_mut(EVENT_SIZE);
        for (bytes, seen) in part.zip(newest_first) {
            bytes.copy_from_slice(&history::encode(seen, |seat| order.places[seat.index()]));
        }
    }

    /// Writes the number of copies of each kind, and zeros behind them, which later parts overwrite.
    #[inline(always)]
    fn write_counts(row: &mut [u8], at: usize, counts: [u8; MAX_KINDS]) {
        let Some(part) = row[at..].first_chunk_mut() else {
            return write_few(&mut row[at..], &counts);
        };
        *part = counts;
    }

    #[inline(always)]
    fn write_decision(&self, row: &mut [u8], observation: &Observation<'_>, asked: EncodedDecision, order: &TurnOrder) {
        let at = &self.layout;
        let mut put_card = |card: Option<Card>| {
            if let Some(card) = card {
                row[at.card + card.index()] = 1;
            }
        };
        let decision = match observation.decision() {
            Decision::Turn => 0,
            Decision::Drawn(card) => {
                put_card(card);
                1
            }
            Decision::NameColor(_) => 2,
            Decision::Challenge { by, color_before, sum } => {
                row[at.played_by + order.place(by)] = 1;
                row[at.decision_color + color_before.index()] = 1;
                row[at.sum] = sum;
                3
            }
            Decision::Cheese => 4,
            Decision::Swap => 5,
            Decision::Lap(passes) => {
                row[at.passes] = passes;
                6
            }
            Decision::Target => 7,
            Decision::Discard(color) => {
                row[at.decision_color + color.index()] = 1;
                8
            }
            Decision::Protect(color) => {
                row[at.decision_color + color.index()] = 1;
                9
            }
            Decision::Stack(sum) => {
                row[at.sum] = sum;
                10
            }
            Decision::Over => 11,
            Decision::Choice(cursor) => {
                row[at.played_by + order.place(cursor.player)] = 1;
                row[at.sum] = byte(u32::try_from(cursor.choice_number(observation.rules())).expect("at most 20"));
                15
            }
        };
        let asked = match asked {
            EncodedDecision::Ordinary => decision,
            EncodedDecision::Call(action) => {
                if let Some(card) = action.card() {
                    row[at.card + card.index()] = 1;
                }
                12
            }
            EncodedDecision::Window => 13,
            EncodedDecision::JumpIn => 14,
        };
        row[at.decision + asked] = 1;
    }

    #[inline(always)]
    fn write_seats(&self, row: &mut [u8], observation: &Observation<'_>, order: &TurnOrder) {
        let at = &self.layout;
        for (place, seat) in order.iter() {
            row[at.hand_len + place] = byte(observation.hand_len(seat));
        }
        row[at.dealer + order.place(observation.dealer())] = 1;
        for seat in observation.uncalled().iter() {
            row[at.uncalled + order.place(seat)] = 1;
        }
        for seat in observation.passed().iter() {
            row[at.passed + order.place(seat)] = 1;
        }
        if observation.rules().features().contains(Features::MISSED_TURNS) {
            for (place, seat) in order.iter() {
                row[at.missed_turns + place] = observation.missed_turns(seat);
            }
        }
        let parameters = observation.rules().parameters();
        if parameters.teams != crate::rules::Teams::None {
            for (place, seat) in order.iter().skip(1) {
                row[at.partner + place] = u8::from(are_partners(parameters.teams, observation.seat(), seat));
            }
        }
        if *observation.scores() != NO_SCORES {
            let target = u64::from(parameters.target.get().max(1));
            for (place, seat) in order.iter() {
                let share = 255 * u64::from(observation.scores()[seat]) / target;
                row[at.score + place] = u8::try_from(share).unwrap_or(u8::MAX);
            }
        }
    }
}
