//! The layout of a row: where each part begins.

use serde::Serialize;

use super::history::EVENT_SIZE;

/// The kinds of decisions, in the order of the `decision` part of a row. The last occurs only if a custom card lets a player choose.
pub const DECISIONS: [&str; 16] = [
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
    "choice",
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
    /// What a byte counts or marks.
    pub meaning: &'static str,
    /// The largest value of a byte.
    pub max: u8,
    /// What the bytes refer to, in their order.
    pub order: &'static str,
}

/// The largest value of a byte.
#[derive(Debug, Clone, Copy)]
enum ByteMaximum {
    /// 1: the byte is a mark.
    Mark,
    /// The largest number of copies of a kind in the deck.
    Copies,
    /// 255: larger numbers are clamped.
    Number,
}

const CARDS: &str = "cards";
const PLAY: &str = "seats in order of play, the observing seat first";
const ONE: &str = "a single byte";

/// Defines the parts of a row in their order, each with its length.
macro_rules! parts {
    (|$kinds:ident, $seats:ident, $decisions:ident, $num_events:ident| $($part:ident: $len:expr, $max:ident, $order:expr, $meaning:expr);+ $(;)?) => {
        /// The layout of a row: where each part begins.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Layout {
            kinds: usize,
            copies: u8,
            seats: usize,
            decisions: usize,
            num_events: usize,
            size: usize,
            $(pub(super) $part: usize,)+
        }

        impl Layout {
            /// The layout for these numbers of kinds, copies of a kind, seats, kinds of decisions, and events.
            #[must_use]
            pub(super) fn new($kinds: usize, copies: u8, $seats: usize, $decisions: usize, $num_events: usize) -> Self {
                let mut size = 0;
                let mut next = |len: usize| {
                    size += len;
                    size - len
                };
                $(let $part = next($len);)+
                Self { $kinds, copies, $seats, $decisions, $num_events, size, $($part,)+ }
            }

            /// The parts in their order.
            #[must_use]
            pub fn blocks(&self) -> Vec<Block> {
                let block = |name, offset, max, order, meaning| {
                    let max = match max {
                        ByteMaximum::Mark => 1,
                        ByteMaximum::Copies => self.copies,
                        ByteMaximum::Number => u8::MAX,
                    };
                    Block { name, offset, len: 0, meaning, max, order }
                };
                let mut blocks =
                    vec![$(block(stringify!($part), self.$part, ByteMaximum::$max, $order, $meaning)),+];
                let mut end = self.size;
                for block in blocks.iter_mut().rev() {
                    block.len = end - block.offset;
                    end = block.offset;
                }
                blocks
            }
        }
    };
}

parts! { |kinds, seats, decisions, num_events|
    hand: kinds, Copies, CARDS, "copies in the observing seat's hand";
    discard: kinds, Copies, CARDS, "copies on the discard pile, top card included";
    known: kinds * (seats - 1), Copies, "cards, for each other seat in order of play",
        "copies that the observing seat knows to be in that hand";
    top: kinds, Mark, CARDS, "the top card";
    card: kinds, Mark, CARDS, "the card to decide about: just drawn, or chosen when a UNO call is asked for";
    color: 5, Mark, "red, yellow, green, blue, none", "the color in force";
    decision: decisions, Mark, "decisions", "the kind of decision";
    decision_color: 4, Mark, "red, yellow, green, blue",
        "the color before the challenged draw four, or of a discard or a protection";
    played_by: seats, Mark, PLAY, "the seat that played the draw four to challenge, or the card of the choice";
    to_act: seats, Mark, PLAY, "the seat that decides";
    own_seat: seats, Mark, "seats by number", "the observing seat";
    direction: 1, Mark, ONE, "1 if the seat numbers fall in order of play, 0 if they rise";
    sum: 1, Number, ONE, "cards to draw, at a challenge or with stacking; at a choice, the number of earlier choices on the card";
    passes: 1, Number, ONE, "hands passed on in a Victory Lap";
    draw_pile: 1, Number, ONE, "cards in the draw pile, at most 255";
    reshuffles: 1, Number, ONE, "reshuffles so far, at most 255";
    dead_word: 1, Mark, ONE, "the symbol of the top card has no effect";
    hand_len: seats, Number, PLAY, "cards in hand, at most 255";
    uncalled: seats, Mark, PLAY, "the seat may be caught without a UNO call";
    dealer: seats, Mark, PLAY, "the dealer";
    partner: seats, Mark, PLAY, "partners of the observing seat";
    passed: seats, Mark, PLAY, "the seat has passed on its hand in this Victory Lap";
    missed_turns: seats, Number, PLAY, "turns that the seat has still to miss";
    score: seats, Number, PLAY, "match score in 255ths of the target score";
    history: num_events * EVENT_SIZE, Number, "events, the newest first", "bytes of an event, as in `events`";
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

    /// The kinds of decisions in these rows: [`DECISIONS`], without the last if no card asks for such a choice.
    #[must_use]
    pub fn decisions(&self) -> &'static [&'static str] {
        &DECISIONS[..self.decisions]
    }

    /// Events in a row.
    #[must_use]
    pub const fn num_events(&self) -> usize {
        self.num_events
    }
}
