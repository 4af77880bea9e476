//! A question to a program, as `PROTOCOL.md` describes it.
//!
//! It is appended to a reused line, because it is sent with every decision. Numbers, codes of cards, actions, and keys do not
//! contain characters that JSON would have to escape.

use std::fmt::Write as _;

use serde_json::Value;
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::notation::{ActionWithCall, Notation as _};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;

use super::message::{EventMessage, GameNumber};

/// What a program is asked.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) kind: &'a str,
    pub(crate) actions: &'a [ActionWithCall],
    pub(crate) view: View<'a>,
    /// The events since the last decision; none for a program that does not want them.
    pub(crate) events: Option<&'a [EventMessage]>,
}

impl Question<'_> {
    /// Writes it as the message of this decision.
    pub(crate) fn write(&self, game: Option<GameNumber>, decision: u64, line: &mut String) {
        line.push_str(r#"{"type":"decide""#);
        if let Some(game) = game {
            line.push_str(r#","game":"#);
            number(line, game);
        }
        line.push_str(r#","decision":"#);
        number(line, decision);
        line.push_str(r#","kind":""#);
        line.push_str(self.kind);
        line.push_str(r#"","actions":"#);
        let rules = self.view.observation.rules();
        list(line, self.actions, |line, &action| {
            line.push('"');
            let _ = action.write(rules, line); // writing to a String cannot fail
            line.push('"');
        });
        line.push_str(r#","observation":"#);
        self.view.write(line);
        if let Some(events) = self.events {
            line.push_str(r#","events":"#);
            line.push_str(&serde_json::to_string(events).expect("plain data can be written"));
        }
        line.push('}');
    }
}

/// An observation: all that the seat knows.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) observation: &'a Observation<'a>,
    /// The number of seats of the table.
    pub(crate) seats: usize,
}

impl View<'_> {
    pub(crate) fn write(&self, line: &mut String) {
        let observation = self.observation;
        let rules = observation.rules();
        let table = || Seat::first(self.seats);
        line.push_str(r#"{"seat":"#);
        seat(line, observation.seat());
        line.push_str(r#","seats":"#);
        list(line, observation.seats().iter(), seat);
        line.push_str(r#","dealer":"#);
        seat(line, observation.dealer());
        line.push_str(r#","direction":""#);
        line.push_str(observation.direction().name());
        line.push_str(r#"","to_act":"#);
        match observation.current_seat() {
            Some(current) => seat(line, current),
            None => line.push_str("null"),
        }
        line.push_str(r#","waits_for":"#);
        word_or_null(line, observation.decision_word());
        self.write_details(line);
        line.push_str(r#","hand":"#);
        codes(line, rules, observation.hand());
        line.push_str(r#","hand_sizes":"#);
        list(line, table(), |line, seat| {
            let plays = observation.seats().contains(seat);
            number(line, if plays { observation.hand_len(seat).into() } else { 0 });
        });
        line.push_str(r#","top":""#);
        line.push_str(rules.code(observation.top()));
        line.push_str(r#"","color":"#);
        word_or_null(line, observation.color().map(Color::name));
        line.push_str(r#","draw_pile":"#);
        number(line, observation.draw_pile_len().into());
        line.push_str(r#","discard_pile":"#);
        codes(line, rules, observation.discard_pile());
        line.push_str(r#","bluffs":"#);
        codes(line, rules, bluffs(observation));
        line.push_str(r#","known":"#);
        self.write_known(line, |other| observation.known(other));
        line.push_str(r#","known_by":"#);
        self.write_known(line, |other| observation.known_by(other));
        line.push_str(r#","uncalled":"#);
        list(line, observation.uncalled().iter(), seat);
        line.push_str(r#","scores":"#);
        list(line, observation.scores().first(self.seats), |line, &score| number(line, score.into()));
        line.push_str(r#","passed":"#);
        list(line, observation.passed().iter(), seat);
        line.push_str(r#","missed_turns":"#);
        list(line, table(), |line, seat| number(line, observation.missed_turns(seat).into()));
        line.push_str(r#","word_is_dead":"#);
        line.push_str(if observation.is_top_symbol_inactive() { "true" } else { "false" });
        line.push_str(r#","reshuffles":"#);
        number(line, observation.reshuffles().into());
        line.push('}');
    }

    /// The details of the pending decision, if it has any.
    fn write_details(&self, line: &mut String) {
        match self.observation.decision() {
            Decision::Drawn(Some(card)) => {
                line.push_str(r#","about":{"card":""#);
                line.push_str(self.observation.rules().code(card));
                line.push_str(r#""}"#);
            }
            Decision::Challenge { by, color_before, sum } => {
                line.push_str(r#","about":{"by":"#);
                seat(line, by);
                line.push_str(r#","color_before":""#);
                line.push_str(color_before.name());
                line.push_str(r#"","sum":"#);
                number(line, sum.into());
                line.push('}');
            }
            Decision::Lap(passes) => {
                line.push_str(r#","about":{"passes":"#);
                number(line, passes.into());
                line.push('}');
            }
            Decision::Discard(color) | Decision::Protect(color) => {
                line.push_str(r#","about":{"color":""#);
                line.push_str(color.name());
                line.push_str(r#""}"#);
            }
            Decision::Stack(sum) => {
                line.push_str(r#","about":{"sum":"#);
                number(line, sum.into());
                line.push('}');
            }
            Decision::Choice(cursor) => {
                line.push_str(r#","about":{"by":"#);
                seat(line, cursor.player);
                line.push_str(r#","options":"#);
                list(line, cursor.options(self.observation.rules()), |line, option| {
                    line.push_str(&Value::from(option.name.as_str()).to_string()); // any text
                });
                line.push('}');
            }
            Decision::Turn
            | Decision::Drawn(None)
            | Decision::NameColor(_)
            | Decision::Cheese
            | Decision::Swap
            | Decision::Target
            | Decision::Over => {}
        }
    }

    /// The cards of every other seat of the round, by its number; without empty lists.
    fn write_known(&self, line: &mut String, cards: impl Fn(Seat) -> Cards) {
        let others = self.observation.seats().iter().filter(|&other| other != self.observation.seat());
        let known = others.map(|other| (other, cards(other))).filter(|(_, cards)| !cards.is_empty());
        line.push('{');
        separated(line, known, |line, (other, cards)| {
            line.push('"');
            seat(line, other);
            line.push_str("\":");
            codes(line, self.observation.rules(), cards);
        });
        line.push('}');
    }
}

/// The cards that may be played, but only as a bluff.
fn bluffs(observation: &Observation<'_>) -> Cards {
    match observation.decision() {
        Decision::Turn | Decision::Drawn(Some(_)) => {
            (observation.playable() - observation.legitimately_playable()).iter().collect()
        }
        _ => Cards::EMPTY,
    }
}

fn list<I: IntoIterator>(line: &mut String, items: I, write: impl FnMut(&mut String, I::Item)) {
    line.push('[');
    separated(line, items, write);
    line.push(']');
}

fn separated<I: IntoIterator>(line: &mut String, items: I, mut write: impl FnMut(&mut String, I::Item)) {
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            line.push(',');
        }
        write(line, item);
    }
}

fn codes(line: &mut String, rules: &Rules, cards: Cards) {
    list(line, cards.iter(), |line, card| {
        line.push('"');
        // For two or three letters this is faster than copying a whole string, and a question has many codes.
        rules.code(card).chars().for_each(|letter| line.push(letter));
        line.push('"');
    });
}

fn word_or_null(line: &mut String, word: Option<&str>) {
    match word {
        Some(word) => {
            line.push('"');
            line.push_str(word);
            line.push('"');
        }
        None => line.push_str("null"),
    }
}

fn seat(line: &mut String, seat: Seat) {
    number(line, seat.index() as u64);
}

/// Most numbers are those of seats, or small.
fn number(line: &mut String, number: u64) {
    match u8::try_from(number) {
        Ok(digit @ 0..=9) => line.push(char::from(b'0' + digit)),
        _ => {
            let _ = write!(line, "{number}"); // writing to a String cannot fail
        }
    }
}

#[cfg(test)]
mod tests {
    use unolab_engine::action::Call;
    use unolab_engine::knowledge::Knowledge;
    use unolab_engine::observation::NO_SCORES;
    use unolab_engine::rng::Rng;
    use unolab_engine::rules::presets;
    use unolab_engine::seat::SeatSet;
    use unolab_engine::state::RoundState;

    use super::*;

    /// Checks the details of this decision in the message, in a round of random actions.
    fn assert_is_told(rules: &Rules, state: &RoundState, knowledge: &Knowledge, seats: usize) -> Vec<ActionWithCall> {
        let current = state.current_seat().expect("a seat decides");
        let observation = Observation::of(rules, state, knowledge, &NO_SCORES, current);
        let actions: Vec<ActionWithCall> = observation.legal_actions().into_iter().map(ActionWithCall::from).collect();
        let events = [EventMessage::dealt(&observation)];
        let view = View { observation: &observation, seats };
        let mut line = String::from("before it");
        Question { kind: "turn", actions: &actions, view, events: Some(&events) }.write(Some(12), 345, &mut line);
        let told: Value =
            serde_json::from_str(line.strip_prefix("before it").expect("what was there stays")).expect(&line);
        let text = |value: &Value| value.as_str().expect(&line).to_owned();
        let texts = |value: &Value| value.as_array().expect(&line).iter().map(text).collect::<Vec<_>>();
        let codes = |cards: Cards| cards.iter().map(|card| rules.code(card).to_owned()).collect::<Vec<_>>();
        assert_eq!((&told["game"], &told["decision"], &told["kind"]), (&12.into(), &345.into(), &"turn".into()));
        assert_eq!(
            texts(&told["actions"]),
            actions.iter().map(|&action| rules.write_action(action)).collect::<Vec<_>>()
        );
        assert_eq!(told["events"].as_array().map(Vec::len), Some(1));
        let seen = &told["observation"];
        assert_eq!(seen["to_act"], current.index());
        assert_eq!(texts(&seen["hand"]), codes(observation.hand()));
        assert_eq!(texts(&seen["discard_pile"]), codes(observation.discard_pile()));
        assert_eq!(seen["draw_pile"], observation.draw_pile_len());
        assert_eq!(seen["hand_sizes"].as_array().map(Vec::len), Some(seats));
        for (key, known) in [("known", Observation::known as fn(&_, _) -> _), ("known_by", Observation::known_by)] {
            for other in Seat::first(seats).filter(|&other| other != current) {
                let told = seen[key].get(other.to_string()).map_or_else(Vec::new, texts);
                assert_eq!(told, codes(known(&observation, other)), "{line}");
            }
        }
        actions
    }

    #[test]
    fn decide_message_is_json_observation() {
        for (number, name) in presets::NAMES.into_iter().enumerate() {
            let (rules, seats) = (Rules::preset(name), 2 + number % 3);
            let (mut rng, mut knowledge) = (Rng::from_seed(number as u64), Knowledge::default());
            let mut state = RoundState::deal(&rules, SeatSet::first(seats), Seat::new(0), &mut rng, &mut knowledge);
            for _ in 0..150 {
                let Some(current) = state.current_seat() else { break };
                let actions = assert_is_told(&rules, &state, &knowledge, seats);
                let ActionWithCall { action, .. } = actions[rng.bits() as usize % actions.len()];
                state.apply_action_unchecked(&rules, current, action, Call::Silent, &mut rng, &mut knowledge);
            }
        }
    }
}
