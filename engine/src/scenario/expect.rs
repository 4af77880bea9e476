//! Checks the expectations of a scenario.

use std::collections::BTreeSet;

use super::document::{Expectation, ExpectedKnowledge, ToAct};
use super::play::{Difference, Play};
use crate::action::{Action, Call};
use crate::cards::Cards;
use crate::notation::ActionWithCall;
use crate::rules::Rules;
use crate::scoring::round_points;
use crate::seat::Seat;
use crate::state::{Outcome, RoundState};

/// The names of the decisions.
pub(super) const DECISIONS: [&str; 12] =
    ["turn", "drawn", "color", "challenge", "cheese", "swap", "lap", "target", "discard", "protect", "stack", "choice"];

/// The pending decision in words.
pub(super) fn describe_decision(rules: &Rules, state: &RoundState) -> String {
    match state.current_seat() {
        None => "the round is over".into(),
        Some(seat) => format!(
            "seat {seat} has the decision `{}` and may: {}",
            state.phase().decision().unwrap_or("none"),
            legal_texts(rules, state).into_iter().collect::<Vec<_>>().join(", ")
        ),
    }
}

/// The legal actions as a scenario writes them: a play that names a color appears once, without the color.
fn legal_texts(rules: &Rules, state: &RoundState) -> BTreeSet<String> {
    state.legal_actions(rules).into_iter().map(|action| rules.write_action(without_color(action).into())).collect()
}

const fn without_color(action: Action) -> Action {
    match action {
        Action::PlayNaming(card, _) => Action::Play(card),
        other => other,
    }
}

/// The action of the file if it is legal, as [`legal_texts`] writes it. The color of a play can be omitted; one that is given must
/// be legal. No action in a list has the suffix `uno`.
fn legal_text(rules: &Rules, state: &RoundState, text: &str) -> Option<String> {
    let ActionWithCall { action, call } = rules.parse_action(text).ok()?;
    let is_legal = |legal: Action| legal == action || without_color(legal) == action;
    let is_legal = call == Call::Silent && state.legal_actions(rules).into_iter().any(is_legal);
    is_legal.then(|| rules.write_action(without_color(action).into()))
}

/// Whether every expectation holds.
pub(super) fn check(rules: &Rules, play: &Play, expectation: &Expectation) -> Result<(), Difference> {
    check_decision(rules, &play.state, expectation)?;
    check_cards(rules, &play.state, expectation)?;
    check_result(rules, play, expectation)
}

fn check_decision(rules: &Rules, state: &RoundState, expectation: &Expectation) -> Result<(), Difference> {
    if let Some(to_act) = &expectation.to_act {
        let expected = match to_act {
            ToAct::Seat(seat) => seat.to_string(),
            ToAct::Word(word) => word.clone(),
        };
        compare("to_act", expected, state.current_seat().map_or_else(|| "none".into(), |seat| seat.to_string()))?;
    }
    if let Some(expected) = &expectation.decision {
        compare("decision", expected.clone(), state.phase().decision().unwrap_or("none").to_string())?;
    }
    let legal = legal_texts(rules, state);
    let listed = |texts: &BTreeSet<String>| texts.iter().cloned().collect::<Vec<_>>().join(", ");
    if let Some(expected) = &expectation.legal {
        let written = |text: &String| legal_text(rules, state, text).unwrap_or_else(|| text.clone());
        compare("legal", listed(&expected.iter().map(written).collect()), listed(&legal))?;
    }
    for text in expectation.legal_has.iter().flatten() {
        if legal_text(rules, state, text).is_none() {
            return Err(Difference { expected: format!("legal_has {text}"), found: listed(&legal) });
        }
    }
    for text in expectation.legal_not.iter().flatten() {
        if legal_text(rules, state, text).is_some() {
            return Err(Difference { expected: format!("legal_not {text}"), found: listed(&legal) });
        }
    }
    Ok(())
}

fn check_cards(rules: &Rules, state: &RoundState, expectation: &Expectation) -> Result<(), Difference> {
    for (seat, expected) in Seat::first(10).zip(expectation.hands.iter().flatten()) {
        if expected != "_" {
            let expected = rules.write_cards(rules.parse_cards(expected).unwrap_or_default());
            compare(&format!("hands of seat {seat}"), expected, rules.write_cards(state.hand(seat)))?;
        }
    }
    for (seat, &expected) in Seat::first(10).zip(expectation.hand_sizes.iter().flatten()) {
        if expected >= 0 {
            compare(&format!("hand_sizes of seat {seat}"), expected, i64::from(state.hand(seat).len()))?;
        }
    }
    check_one("top", &expectation.top, || rules.code(state.top()).to_string())?;
    check_one("color", &expectation.color, || state.color().map_or("none", |color| color.name()).to_string())?;
    check_one("direction", &expectation.direction, || state.direction().name().to_string())?;
    check_one("draw_pile", &expectation.draw_pile, || state.draw_pile_len())?;
    check_one("discard_pile", &expectation.discard_pile, || state.discard_pile_len())?;
    check_one("dealer", &expectation.dealer, || state.dealer().index())
}

fn check_result(rules: &Rules, play: &Play, expectation: &Expectation) -> Result<(), Difference> {
    let state = &play.state;
    check_one("round_over", &expectation.round_over, || state.is_terminal())?;
    check_one("void", &expectation.void, || state.outcome() == Some(Outcome::Void))?;
    if let Some(expected) = expectation.went_out {
        let found = match state.outcome() {
            Some(Outcome::WentOut(seat)) => seat.to_string(),
            _ => "none".into(),
        };
        compare("went_out", expected.to_string(), found)?;
    }
    if let Some(expected) = &expectation.points {
        if !state.is_terminal() {
            return Err(Difference { expected: format!("points {expected:?}"), found: "the round is not over".into() });
        }
        compare("points", expected.clone(), round_points(rules, state).first(expected.len()).to_vec())?;
    }
    if let Some(expected) = &expectation.scores {
        compare("scores", expected.clone(), play.table.scores().first(expected.len()).to_vec())?;
    }
    check_one("match_over", &expectation.match_over, || play.table.winners().is_some())?;
    if let Some(expected) = &expectation.match_winners {
        let expected: BTreeSet<usize> = expected.iter().copied().collect();
        let found = play.table.winners().into_iter().flat_map(|set| set.iter().collect::<Vec<_>>()).map(Seat::index);
        compare("match_winners", expected, found.collect())?;
    }
    Ok(())
}

/// Whether the seat has the expected knowledge of that hand.
pub(super) fn check_sees(rules: &Rules, play: &Play, sees: &ExpectedKnowledge, hand: Cards) -> Result<(), Difference> {
    let (by, of) = (Seat::new(sees.by), Seat::new(sees.seat));
    let known = if by == of { play.state.hand(of) } else { play.knowledge.of(by, of) };
    let holds = if sees.exact { known == hand } else { known.contains_all(hand) };
    if holds {
        return Ok(());
    }
    let how = if sees.exact { "exactly" } else { "at least" };
    Err(Difference {
        expected: format!("seat {by} knows {how} \"{}\" of seat {of}'s hand", rules.write_cards(hand)),
        found: format!("\"{}\"", rules.write_cards(known)),
    })
}

fn check_one<T: PartialEq + Clone + std::fmt::Debug>(
    key: &str,
    expected: &Option<T>,
    found: impl FnOnce() -> T,
) -> Result<(), Difference> {
    expected.as_ref().map_or(Ok(()), |expected| compare(key, expected.clone(), found()))
}

fn compare<T: PartialEq + std::fmt::Debug>(key: &str, expected: T, found: T) -> Result<(), Difference> {
    if expected == found {
        return Ok(());
    }
    Err(Difference { expected: format!("{key} = {expected:?}"), found: format!("{found:?}") })
}
