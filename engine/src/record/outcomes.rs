//! The chance outcomes in a record, scripted before the action that needs them.

use super::line::{Line, ParsedLine};
use super::step::ReplayError;
use crate::card::Card;
use crate::cards::Cards;
use crate::chance::TaskResult;
use crate::notation::parse_color;
use crate::rules::Rules;
use crate::script::{Outcome, Script};
use crate::seat::{BySeat, Seat};

/// The cards turned up from line `from` (counted from 0) on; the last one stays.
pub(super) fn turned_up(
    rules: &Rules,
    lines: &[ParsedLine],
    from: usize,
    hands: &BySeat<Cards>,
) -> Result<Vec<Card>, ReplayError> {
    let left = hands.iter().fold(rules.deck(), |left, hand| left.minus(*hand));
    let mut turned_up = Vec::new();
    loop {
        let at = from + turned_up.len();
        let error = |reason: String| ReplayError { line: at + 1, reason };
        let card = match lines.get(at) {
            Some(Ok(Line::TurnedUp(line))) => {
                rules.parse_card(&line.start).map_err(|reason| error(format!("start: {reason}")))?
            }
            Some(Err(reason)) => return Err(error(reason.clone())),
            _ => return Err(error("a card is turned up here".into())),
        };
        if !left.contains(card) {
            return Err(error(format!("start: every {} is in a hand", rules.code(card))));
        }
        turned_up.push(card);
        if rules.can_start(card) {
            return Ok(turned_up);
        }
    }
}

/// The recorded chance outcomes from line `from` (counted from 0) to the next line of another kind.
pub(super) fn script(rules: &Rules, lines: &[ParsedLine], from: usize) -> Result<Script, ReplayError> {
    let (mut cards, mut outcomes) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter().enumerate().skip(from) {
        let error = |reason: String| ReplayError { line: at + 1, reason };
        match line {
            Ok(Line::Draw(line)) => {
                cards.push(rules.parse_card(&line.draws).map_err(|reason| error(format!("draws: {reason}")))?);
            }
            Ok(Line::Button(line)) => {
                let color =
                    parse_color(&line.tinker.to_string()).map_err(|reason| error(format!("tinker: {reason}")))?;
                if !rules.button().can_light(color) {
                    return Err(error(format!("tinker: the button never lights {color}")));
                }
                outcomes.push(Outcome::Button(color));
            }
            Ok(Line::Task(line)) => outcomes.push(Outcome::Task(match line.task.as_str() {
                "yes" => TaskResult::Done,
                "no" => TaskResult::Failed,
                other => return Err(error(format!("task: \"{other}\" is not allowed; allowed: \"yes\", \"no\""))),
            })),
            Ok(Line::Chosen(line)) => {
                let seat = Seat::try_new(line.chosen)
                    .ok_or_else(|| error(format!("chosen: there is no seat {}", line.chosen)))?;
                outcomes.push(Outcome::Chosen(seat));
            }
            Ok(Line::Move(line)) => {
                let card = rules.parse_card(&line.moves).map_err(|reason| error(format!("moves: {reason}")))?;
                outcomes.push(Outcome::CardOfHand(card));
            }
            Ok(Line::Redeal(line)) => {
                let card = rules.parse_card(&line.deals).map_err(|reason| error(format!("deals: {reason}")))?;
                outcomes.push(Outcome::CardOfHand(card));
            }
            Ok(Line::Reshuffle(_)) => {}
            _ => break,
        }
    }
    Ok(Script::new(cards, outcomes, 0))
}
