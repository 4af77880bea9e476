//! Reads the common parts: seats, colors, directions.

use super::error::TextError;
use crate::color::Color;
use crate::rules::Rules;
use crate::seat::{Direction, Seat, SeatSet};

/// The value, or the first error.
pub(super) type Read<T> = Result<T, TextError>;

/// Reads under these rules, with these seats in the round.
pub(super) struct Reader<'a> {
    pub(super) rules: &'a Rules,
    pub(super) seats: SeatSet,
    /// The seats that are out of the round.
    pub(super) out: SeatSet,
}

impl Reader<'_> {
    pub(super) fn seat(&self, key: &str, number: usize) -> Read<Seat> {
        seat_among(self.seats, key, number)
    }

    /// A seat that was dealt cards, even if it is out of the round.
    pub(super) fn dealt_seat(&self, key: &str, number: usize) -> Read<Seat> {
        seat_among(self.seats.union(self.out), key, number)
    }

    pub(super) fn other_seat(&self, key: &str, number: usize, than: Seat) -> Read<Seat> {
        match self.seat(key, number)? {
            seat if seat == than => Err(TextError::new(key, format_args!("{seat} is the seat that decides"))),
            seat => Ok(seat),
        }
    }

    pub(super) fn seat_list(&self, key: &str, numbers: &[usize]) -> Read<SeatSet> {
        numbers.iter().map(|&number| self.seat(key, number)).collect()
    }
}

fn seat_among(seats: SeatSet, key: &str, number: usize) -> Read<Seat> {
    Seat::try_new(number).filter(|&seat| seats.contains(seat)).ok_or_else(|| {
        let allowed: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
        not_allowed(key, number, &allowed.join(", "))
    })
}

pub(super) fn color(key: &str, name: &str) -> Read<Color> {
    Color::from_name(name).ok_or_else(|| not_allowed(key, name, "red, yellow, green, blue"))
}

pub(super) fn direction(key: &str, name: &str) -> Read<Direction> {
    Direction::from_name(name).ok_or_else(|| not_allowed(key, name, "left, right"))
}

pub(super) fn not_allowed(key: &str, found: impl std::fmt::Display, allowed: &str) -> TextError {
    TextError::new(key, format_args!("{found} is not allowed; allowed: {allowed}"))
}
