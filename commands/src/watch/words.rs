//! Events in words. A seat is written as `<s2>` and a card as `<r5>`, so that a page can draw both and a terminal can name and
//! color them. A `<` of a name is written as `<lt>`.

use std::collections::BTreeMap;

use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, Face};
use unolab_engine::chance::TaskResult;
use unolab_engine::event::Event;
use unolab_engine::record::{Status, Unit};
use unolab_engine::rules::{CardKind, Rules, Special};
use unolab_engine::seat::Seat;
use unolab_engine::state::{Outcome, Phase, RoundState};

use super::table::Perspective;

/// The placeholder of a seat in words.
#[must_use]
pub fn seat(seat: Seat) -> String {
    format!("<s{seat}>")
}

/// The winners of a game, and the margin to the next player.
#[must_use]
pub fn result(unit: Unit, status: Status, players: &[String], points: &[u32], places: &[u8]) -> String {
    let unit_name = if unit == Unit::Match { "match" } else { "round" };
    match status {
        Status::Truncated => return format!("the {unit_name} is truncated"),
        Status::Void => return format!("the {unit_name} is blocked"),
        Status::Finished => {}
    }
    let winners: Vec<usize> = (0..players.len()).filter(|&player| places[player] == 1).collect();
    let name = |&player: &usize| match players.iter().filter(|other| **other == players[player]).count() {
        1 => players[player].clone(),
        _ => format!("{} · {player}", players[player]),
    };
    let names = winners.iter().map(name).collect::<Vec<_>>().join(" and ");
    let next = (0..players.len()).filter(|&player| places[player] > 1).min_by_key(|&player| places[player]);
    let by = match (unit, winners.first().map(|&winner| points[winner]), next) {
        (Unit::Match, Some(own), Some(next)) => format!(", {own} to {}", points[next]),
        // If the losers' points count against them, the winner of a round has none.
        (Unit::Round, Some(own), _) if own > 0 => format!(", {own} points"),
        _ => String::new(),
    };
    format!("{names} won{by}")
}

/// The placeholder of a card in words.
#[must_use]
pub fn card(rules: &Rules, card: Card) -> String {
    format!("<{}>", rules.code(card))
}

/// The readable name of a card: `red 7`, `Wild Draw Four`.
#[must_use]
pub fn card_name(rules: &Rules, card: Card) -> String {
    let def = rules.card_def(card);
    match &def.kind {
        CardKind::Ordinary(color, face) => format!("{color} {}", face_name(*face)),
        CardKind::Special(special) => special_name(*special).to_owned(),
        CardKind::Custom(custom) if custom.name.is_empty() => format!("Blank {}", custom.code),
        CardKind::Custom(custom) => match def.color {
            Some(color) => format!("{color} Blank \"{}\"", custom.name),
            None => format!("wild Blank \"{}\"", custom.name),
        },
    }
}

/// The names of Blank cards, by code: a page has the names of all other cards.
#[must_use]
pub fn names_of_blanks(rules: &Rules) -> BTreeMap<String, String> {
    rules.custom().iter().map(|it| (rules.code(it).to_owned(), card_name(rules, it))).collect()
}

fn face_name(face: Face) -> String {
    match face {
        Face::Number(number) => number.to_string(),
        Face::Skip => "Skip".into(),
        Face::Reverse => "Reverse".into(),
        Face::DrawTwo => "Draw Two".into(),
    }
}

const fn special_name(special: Special) -> &'static str {
    match special {
        Special::Wild => "Wild",
        Special::WildDrawFour => "Wild Draw Four",
        Special::VillainDrawFour => "Villain Draw 4",
        Special::CheeseTouch => "yellow Cheese Touch",
        Special::SwapHands => "Wild Swap Hands",
        Special::VictoryLap => "Victory Lap",
        Special::DiscardAll => "Wild Discard All",
    }
}

/// An action in words, without its seat; `phase` is the decision that it answers.
#[must_use]
pub fn action(rules: &Rules, phase: Phase, action: Action) -> String {
    let card = |it: Card| card(rules, it);
    match action {
        Action::Play(played) => format!("plays {}", card(played)),
        Action::PlayNaming(played, color) => format!("plays {} and chooses {color}", card(played)),
        Action::Draw => "draws".into(),
        Action::Keep => "keeps the card".into(),
        Action::Pass => "passes: nothing is left to draw".into(),
        Action::NameColor(color) => format!("chooses {color}"),
        Action::Challenge => "challenges".into(),
        Action::Accept => "does not challenge".into(),
        Action::Take => "takes two more".into(),
        Action::Swap(with) => format!("swaps hands with {}", seat(with)),
        Action::NoSwap => "keeps the hand".into(),
        Action::KeepHand => "keeps this hand".into(),
        Action::Rotate => "passes all hands on".into(),
        Action::Target(at) => format!("chooses {}", seat(at)),
        Action::DiscardAll(top) => format!("discards the whole color, {} on top", card(top)),
        Action::Choose(option) => match phase.options(rules).get(option.index()).map(|option| &option.name) {
            Some(name) => format!("chooses \"{}\"", name.replace('<', "<lt>")),
            None => format!("chooses option {option}"),
        },
        Action::DiscardNone => "discards nothing".into(),
        Action::Protect(laid) => format!("plays {} as protection", card(laid)),
        Action::Uno => "calls UNO late".into(),
        Action::Catch(at) => format!("catches {}, who has not called UNO", seat(at)),
        Action::Silent => "stays silent".into(),
    }
}

/// The consequences of an action from this point of view; `state` is the state after it. Consecutive cards that one seat draws or
/// is dealt are one sentence.
#[derive(Debug, Default)]
pub struct Consequences {
    words: Vec<String>,
    drawing: Option<Drawing>,
}

/// The cards that a seat draws, or is dealt when all hands are shuffled.
#[derive(Debug)]
struct Drawing {
    seat: Seat,
    verb: &'static str,
    cards: Vec<Option<Card>>,
}

impl Consequences {
    /// An event that is not an action.
    pub fn on_event(&mut self, rules: &Rules, state: &RoundState, event: Event, eyes: Perspective) {
        let (seat, card, verb) = match event {
            Event::Drew { seat, card } => (seat, card, "draws"),
            Event::Redealt { seat, card } => (seat, card, "is dealt"),
            _ => {
                self.end_drawing(rules);
                return self.words.extend(followed(rules, state, event, eyes));
            }
        };
        let seen = eyes.see_hand(seat).then_some(card);
        match &mut self.drawing {
            Some(drawing) if drawing.seat == seat && drawing.verb == verb => drawing.cards.push(seen),
            _ => {
                self.end_drawing(rules);
                self.drawing = Some(Drawing { seat, verb, cards: vec![seen] });
            }
        }
    }

    /// All cards.
    #[must_use]
    pub fn finish(mut self, rules: &Rules) -> Vec<String> {
        self.end_drawing(rules);
        self.words
    }

    fn end_drawing(&mut self, rules: &Rules) {
        let Some(Drawing { seat: by, verb, cards }) = self.drawing.take() else { return };
        let open: Option<Vec<String>> = cards.iter().map(|seen| seen.map(|it| card(rules, it))).collect();
        let what = match (open, cards.len()) {
            (Some(open), _) => open.join(" "),
            (None, 1) => "a card".into(),
            (None, count) => format!("{count} cards"),
        };
        self.words.push(format!("{} {verb} {what}", seat(by)));
    }
}

fn followed(rules: &Rules, state: &RoundState, event: Event, eyes: Perspective) -> Option<String> {
    Some(match event {
        Event::Acted { .. } | Event::Drew { .. } | Event::Redealt { .. } => return None,
        Event::Discarded { card: it, .. } if it == state.top() => return None,
        Event::Discarded { seat: by, card: it, .. } => {
            format!("{} puts {} under the top card", seat(by), card(rules, it))
        }
        Event::TurnedUp(it) if rules.can_start(it) => format!("{} is turned up", card(rules, it)),
        Event::TurnedUp(it) => format!("{} is turned up and returned to the deck", card(rules, it)),
        Event::Button(color) => format!("the button lights {color}"),
        Event::Task(TaskResult::Done) => "the task is done".into(),
        Event::Task(TaskResult::Failed) => "the task is not done".into(),
        Event::Chosen(at) => format!("chance selects {}", seat(at)),
        Event::Reshuffled => format!("the discard pile becomes a draw pile of {} cards", state.draw_pile_len()),
        Event::Showed { hand_of, to } => {
            let sees = matches!(eyes, Perspective::All) || eyes.see_hand(to) || eyes.see_hand(hand_of);
            let hand: Vec<String> = state.hand(hand_of).iter().map(|it| card(rules, it)).collect();
            let cards = if sees { format!(": {}", hand.join(" ")) } else { String::new() };
            format!("{} shows {} the hand{cards}", seat(hand_of), seat(to))
        }
        Event::Moved { from, to, card: it } => {
            let sees = matches!(eyes, Perspective::All) || eyes.see_hand(from) || eyes.see_hand(to);
            let moved = if sees { card(rules, it) } else { "a card".into() };
            format!("{moved} goes from {} to {}", seat(from), seat(to))
        }
        Event::Swapped(a, b) => format!("{} and {} swap hands", seat(a), seat(b)),
        Event::Rotated { direction, .. } => format!("all hands move one seat to the {}", direction.name()),
    })
}

/// The action of a seat, with its call; `phase` is the decision that it answers.
#[must_use]
pub fn acted(rules: &Rules, phase: Phase, by: Seat, what: Action, call: Call) -> String {
    let call = if call == Call::Uno { " and calls UNO" } else { "" };
    format!("{} {}{call}", seat(by), action(rules, phase, what))
}

/// The outcome of a round; `None` means that it was truncated.
#[must_use]
pub fn over(outcome: Option<Outcome>, points: &[u32]) -> String {
    match outcome {
        Some(Outcome::WentOut(winner)) => {
            let all: Vec<String> = Seat::first(points.len())
                .filter(|at| points[at.index()] > 0)
                .map(|at| format!("{} {}", seat(at), points[at.index()]))
                .collect();
            let points = if all.is_empty() { "no points".into() } else { format!("points: {}", all.join(", ")) };
            format!("{} has gone out; {points}", seat(winner))
        }
        Some(Outcome::Void) => "the round is blocked: no player can move, no player scores".into(),
        None => "the round is truncated here".into(),
    }
}
