//! The layout of a row: where each part begins.

use serde::Serialize;

use super::history::EVENT_SIZE;

/// The kinds of decisions, in the order of the `decision` part of a row.
pub const DECISIONS: [&str; 15] = [
    "turn",
    "drawn",
    "color",
    "challenge",
    "cheese",
    "swap",
    "lap",
    "target",
    "discard",
    "protect",
    "stack",
    "over",
    "call",
    "window",
    "jump-in",
];

/// A part of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Its name.
    pub name: &'static str,
    /// Its first byte.
    pub offset: usize,
    /// The number of its bytes.
    pub len: usize,
}

/// Defines the parts of a row in their order, each with its length.
macro_rules! parts {
    (|$kinds:ident, $seats:ident, $num_events:ident| $($part:ident: $len:expr),+ $(,)?) => {
        /// The layout of a row: where each part begins.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Layout {
            kinds: usize,
            seats: usize,
            num_events: usize,
            size: usize,
            $(pub(super) $part: usize,)+
        }

        impl Layout {
            /// The layout for these numbers of kinds, seats and events.
            #[must_use]
            pub(super) fn new($kinds: usize, $seats: usize, $num_events: usize) -> Self {
                let mut size = 0;
                let mut next = |len: usize| {
                    size += len;
                    size - len
                };
                $(let $part = next($len);)+
                Self { $kinds, $seats, $num_events, size, $($part,)+ }
            }

            /// The parts in their order.
            #[must_use]
            pub fn blocks(&self) -> Vec<Block> {
                let (names, offsets) = ([$(stringify!($part)),+], [$(self.$part),+]);
                let ends = offsets.iter().skip(1).chain([&self.size]);
                let parts = names.into_iter().zip(offsets).zip(ends);
                parts.map(|((name, offset), end)| Block { name, offset, len: end - offset }).collect()
            }
        }
    };
}

parts! { |kinds, seats, num_events|
    hand: kinds,
    discard: kinds,
    known: kinds * (seats - 1),
    top: kinds,
    card: kinds,
    color: 5,
    decision: DECISIONS.len(),
    decision_color: 4,
    played_by: seats,
    to_act: seats,
    own_seat: seats,
    direction: 1,
    sum: 1,
    passes: 1,
    draw_pile: 1,
    reshuffles: 1,
    dead_word: 1,
    hand_len: seats,
    uncalled: seats,
    dealer: seats,
    partner: seats,
    passed: seats,
    missed_turns: seats,
    score: seats,
    history: num_events * EVENT_SIZE,
}

impl Layout {
    /// Bytes of a row.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Kinds of card.
    #[must_use]
    pub const fn kinds(&self) -> usize {
        self.kinds
    }

    /// Seats at the table.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats
    }

    /// Events in a row.
    #[must_use]
    pub const fn num_events(&self) -> usize {
        self.num_events
    }
}
