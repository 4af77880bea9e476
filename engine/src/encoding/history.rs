//! Events as bytes, as one seat saw them.
//!
//! | byte | holds |
//! |---|---|
//! | 0 | what happened, as an index into [`EVENTS`]: 0 nothing yet, 1 to 20 and 33 an action, 21 to 32 another event |
//! | 1 | who: 1 is the observing seat, 2 the next in order of play; 0 no seat |
//! | 2 | which card: its number + 1; 0 none, or hidden |
//! | 3 | which color: its number + 1; 0 none |
//! | 4 | the other seat, counted as who |
//! | 5 | 1 where UNO was called, a card just drawn was discarded, a task was done, hands went to the right; the number of the option chosen |

use serde_json::{Value, json};

use crate::action::{Action, Call};
use crate::card::Card;
use crate::chance::TaskResult;
use crate::color::Color;
use crate::event::{Event, HandView, Source, VisibleEvent};
use crate::seat::{Direction, Seat};

/// Bytes of an event.
pub const EVENT_SIZE: usize = 6;

/// The kinds of events, by the number in their first byte. The last occurs only if a custom card lets a player choose.
pub const EVENTS: [&str; 34] = [
    "none",
    "play",
    "play and choose a color",
    "draw",
    "keep",
    "pass",
    "choose a color",
    "challenge",
    "accept",
    "take",
    "swap",
    "no swap",
    "keep hand",
    "rotate",
    "target",
    "discard all",
    "discard none",
    "protect",
    "uno",
    "catch",
    "silent",
    "drew",
    "discarded",
    "turned up",
    "button",
    "task",
    "chosen",
    "reshuffled",
    "showed",
    "swapped",
    "rotated",
    "moved",
    "redealt",
    "choose an option",
];

/// The meaning of each byte of an event, with at most this number of options in a choice.
pub(super) fn spec(kinds: usize, seats: usize, options: usize) -> Value {
    let events = &EVENTS[..EVENTS.len() - usize::from(options == 0)];
    let (most, numbers, meaning) = if options == 0 {
        (1, "0 or 1", "UNO called; card just drawn; task done; or hands moved to the right")
    } else {
        (
            options - 1,
            "0, 1, or the number of the option",
            "UNO called; card just drawn; task done; hands moved to the right; or the option chosen",
        )
    };
    let seat = "0 none, 1 the observing seat, 2 the next in order of play";
    let byte = |name, max: usize, order, meaning| json!({"name": name, "max": max, "order": order, "meaning": meaning});
    let mut kind = byte("kind", events.len() - 1, "kinds", "the kind of event");
    kind["kinds"] = json!(events);
    json!([
        kind,
        byte("seat", seats, seat, "the seat that acts, or whose hand is shown or moves"),
        byte("card", kinds, "0 none or hidden, otherwise the number of the card in `cards` plus 1", "the card"),
        byte("color", 4, "0 none, 1 red, 2 yellow, 3 green, 4 blue", "the color chosen"),
        byte("other", seats, seat, "the other seat"),
        byte("flag", most, numbers, meaning),
    ])
}

/// The number of the first event that is not an action.
const DREW: u8 = 21;

/// The event as bytes; `place` returns the distance of a seat from the observing seat in order of play.
#[must_use]
pub(super) fn encode(seen: VisibleEvent, place: impl Fn(Seat) -> u8) -> [u8; EVENT_SIZE] {
    let who = |seat: Seat| 1 + place(seat);
    let plain = |kind: u8| [kind, 0, 0, 0, 0, 0];
    let event = match seen {
        VisibleEvent::HiddenDraw { seat } => return [DREW, who(seat), 0, 0, 0, 0],
        VisibleEvent::HiddenMove { from, to } => return [DREW + 10, who(from), 0, 0, who(to), 0],
        VisibleEvent::HiddenRedeal { seat } => return [DREW + 11, who(seat), 0, 0, 0, 0],
        VisibleEvent::Open(event) => event,
    };
    match event {
        Event::Acted { seat, action, call } => {
            let (kind, color, other) = parts(action);
            let flag = match action {
                Action::Choose(option) => u8::try_from(option.index()).expect("below 4"),
                _ => u8::from(call == Call::Uno),
            };
            [kind, who(seat), card(action.card()), color_of(color), other.map_or(0, who), flag]
        }
        Event::Drew { seat, card: drawn } => [DREW, who(seat), card(Some(drawn)), 0, 0, 0],
        Event::Discarded { seat, card: laid, from } => {
            [DREW + 1, who(seat), card(Some(laid)), 0, 0, u8::from(from == Source::JustDrawn)]
        }
        Event::TurnedUp(start) => [DREW + 2, 0, card(Some(start)), 0, 0, 0],
        Event::Button(color) => [DREW + 3, 0, 0, color_of(Some(color)), 0, 0],
        Event::Task(result) => [DREW + 4, 0, 0, 0, 0, u8::from(result == TaskResult::Done)],
        Event::Chosen(seat) => [DREW + 5, 0, 0, 0, who(seat), 0],
        Event::Reshuffled => plain(DREW + 6),
        Event::Showed { hand_of, to } => [DREW + 7, who(hand_of), 0, 0, who(to), 0],
        Event::Moved { from, to, card: moved } => [DREW + 10, who(from), card(Some(moved)), 0, who(to), 0],
        Event::Swapped(a, b) => [DREW + 8, who(a), 0, 0, who(b), 0],
        Event::Rotated { direction, looked } => {
            let looker = match looked {
                HandView::EverySeat => 0,
                HandView::Only(seat) => who(seat),
            };
            [DREW + 9, looker, 0, 0, 0, u8::from(direction == Direction::Right)]
        }
        Event::Redealt { seat, card: dealt } => [DREW + 11, who(seat), card(Some(dealt)), 0, 0, 0],
    }
}

fn card(card: Option<Card>) -> u8 {
    card.map_or(0, |card| 1 + u8::try_from(card.index()).expect("below 64"))
}

fn color_of(color: Option<Color>) -> u8 {
    color.map_or(0, |color| 1 + u8::try_from(color.index()).expect("below 4"))
}

/// The number of the action's type, and the color and the seat that it names.
const fn parts(action: Action) -> (u8, Option<Color>, Option<Seat>) {
    match action {
        Action::Play(_) => (1, None, None),
        Action::PlayNaming(_, color) => (2, Some(color), None),
        Action::Draw => (3, None, None),
        Action::Keep => (4, None, None),
        Action::Pass => (5, None, None),
        Action::NameColor(color) => (6, Some(color), None),
        Action::Challenge => (7, None, None),
        Action::Accept => (8, None, None),
        Action::Take => (9, None, None),
        Action::Swap(seat) => (10, None, Some(seat)),
        Action::NoSwap => (11, None, None),
        Action::KeepHand => (12, None, None),
        Action::Rotate => (13, None, None),
        Action::Target(seat) => (14, None, Some(seat)),
        Action::DiscardAll(_) => (15, None, None),
        Action::DiscardNone => (16, None, None),
        Action::Protect(_) => (17, None, None),
        Action::Uno => (18, None, None),
        Action::Catch(seat) => (19, None, Some(seat)),
        Action::Silent => (20, None, None),
        Action::Choose(_) => (33, None, None),
    }
}
