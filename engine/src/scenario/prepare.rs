//! Prepares a scenario for play: loads its rules and parses its texts.

use std::collections::BTreeSet;

use super::document::{Expectation, ExpectedKnowledge, ScenarioDocument, StepDocument, ToAct};
use super::outcome::ScenarioError;
use crate::card::Card;
use crate::cards::Cards;
use crate::chance::TaskResult;
use crate::color::Color;
use crate::match_play::{MatchState, highest_cut};
use crate::notation::{ActionWithCall, NotationError, parse_color};
use crate::rng::{Purpose, Rng};
use crate::rules::{DealerChoice, Override, Rules, TableSize, Teams, VariantFiles, load, syntax_error};
use crate::scoring::are_partners;
use crate::script::{Outcome, Script};
use crate::seat::{BySeat, Direction, MAX_SEATS, Seat, SeatSet};
use crate::state::RoundSetup;

/// A scenario, ready to be played.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub(super) file: String,
    pub(super) name: String,
    pub(super) rules: Rules,
    pub(super) table: MatchState,
    pub(super) beginning: ScenarioStart,
    pub(super) script: Script,
    pub(super) seed: u64,
    pub(super) steps: Vec<Step>,
}

/// The beginning of the round.
#[derive(Debug, Clone)]
pub(super) enum ScenarioStart {
    /// A turn in the middle of the round.
    Position(Box<RoundSetup>),
    /// A start card is turned up.
    Start { deck: Cards, dealer: Seat, seats: SeatSet, hands: Box<BySeat<Cards>>, turned_up: Vec<Card> },
}

/// One step.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Act { seat: Seat, text: String, spoken: Option<ActionWithCall>, outcome: Expected },
    Expect(Box<Expectation>),
    Sees { sees: ExpectedKnowledge, hand: Cards },
    NextRound,
}

/// Whether an action should be accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Accepted,
    Refused,
}

/// Reads a scenario file.
///
/// # Errors
/// All errors in the file, with scenario and key.
pub fn parse(file: &str, text: &str, files: &dyn VariantFiles) -> Result<Vec<Scenario>, Vec<ScenarioError>> {
    let broken = |scenario: Option<&str>, reason: String| ScenarioError {
        file: file.into(),
        scenario: scenario.map(Into::into),
        reason,
    };
    let mut table: toml::Table =
        text.parse().map_err(|error| vec![broken(None, format!("line {}", syntax_error(text, &error)))])?;
    let Some(toml::Value::Array(documents)) = table.remove("scenario") else {
        return Err(vec![broken(None, "no [[scenario]] tables".into())]);
    };
    let mut errors: Vec<ScenarioError> =
        table.keys().map(|key| broken(None, format!("unknown key `{key}`; allowed: [[scenario]]"))).collect();
    let mut scenarios = Vec::new();
    let mut names = BTreeSet::new();
    for (i, document) in documents.into_iter().enumerate() {
        let name =
            document.get("name").and_then(toml::Value::as_str).map_or_else(|| format!("number {}", i + 1), Into::into);
        if !names.insert(name.clone()) {
            errors.push(broken(Some(&name), "name: another scenario of this file has the same".into()));
        }
        match serde_path_to_error::deserialize::<_, ScenarioDocument>(document) {
            Err(error) => errors.push(broken(Some(&name), wrong_value(&error))),
            Ok(document) => match prepare(file, document, files) {
                Ok(scenario) => scenarios.push(scenario),
                Err(reason) => errors.push(broken(Some(&name), reason)),
            },
        }
    }
    if errors.is_empty() { Ok(scenarios) } else { Err(errors) }
}

/// The key with an invalid value, and the allowed values.
fn wrong_value(error: &serde_path_to_error::Error<toml::de::Error>) -> String {
    let mut reason = error.inner().message().to_owned();
    for number in ["usize", "u32", "u64"] {
        reason = reason.replace(&format!("expected {number}"), "expected a whole number from 0");
    }
    let path = error.path().to_string();
    // The reason names an unknown or missing key; the path then names its table.
    let table =
        if reason.starts_with("unknown field") { path.rsplit_once('.').map_or("", |(of, _)| of) } else { &path };
    match table.trim_matches('.') {
        "" => reason,
        key => format!("{key}: {reason}"),
    }
}

fn prepare(file: &str, document: ScenarioDocument, files: &dyn VariantFiles) -> Result<Scenario, String> {
    if !(2..=MAX_SEATS).contains(&document.seats) {
        return Err(format!("seats: {} is not allowed; allowed: 2 to 10", document.seats));
    }
    let overrides = Override::all_in(&document.set);
    let seats = document.seats;
    let rules = load_from(file, &document.variant, &overrides, seats, files)?;
    if rules.parameters().teams == Teams::RotatingTables {
        return Err("set: match.teams = \"rotating_tables\" has two tables; a scenario shows one: use \"rotating\" or \"fixed\"".into());
    }
    let mut chance = parse_chance(&rules, seats, &document.chance)?;
    let dealer = match document.dealer {
        Some(dealer) => seat("dealer", dealer, seats)?,
        None => cut_for_dealer(&rules, seats, &mut chance)?,
    };
    let scores = scores(&document, seats)?;
    let teams = rules.parameters().teams;
    let partner_of = |seat: Seat| Seat::first(seats).filter(move |&other| are_partners(teams, seat, other));
    if teams == Teams::Fixed
        && let Some(seat) = Seat::first(seats).find(|&seat| partner_of(seat).any(|other| scores[other] != scores[seat]))
    {
        return Err(format!(
            "scores: seat {seat} and the partner have different scores; allowed: the team's score at both"
        ));
    }
    let table = MatchState::with_scores(&rules, seats, dealer, scores);
    let in_round = table.still_in();
    if in_round.len() < 2 {
        return Err("scores: fewer than two seats are left in the match".into());
    }
    if !in_round.contains(dealer) {
        return Err(format!("dealer: seat {dealer} is out of the match"));
    }
    let known_draws = cards("draw", &document.draw, &rules)?;
    let mut rng = Rng::keyed(document.seed, 0, Purpose::Other(0));
    let parts = Parts { rules: &rules, document: &document, dealer, in_round, known_draws: &known_draws };
    let beginning = match (&document.start, &document.discard) {
        (Some(start), None) => parts.start(start, &mut rng)?,
        (None, Some(discard)) => parts.position(discard, &mut rng)?,
        (Some(_), Some(_)) => return Err("start excludes discard".into()),
        (None, None) => return Err("one of start and discard is required".into()),
    };
    let outcomes = chance.into_iter().map(|entry| match entry {
        ChanceEntry::Outcome(outcome) => Ok(outcome),
        ChanceEntry::Cut(_) => {
            Err("chance: the cut is not used: no cut for dealer is due here (the variant has none, the dealer is \
                 given, or one seat has cut the highest card)"
                .to_string())
        }
    });
    let outcomes: Vec<Outcome> = outcomes.collect::<Result<_, _>>()?;
    let steps = document
        .steps
        .into_iter()
        .enumerate()
        .map(|(i, step)| prepare_step(step, &rules, seats).map_err(|reason| format!("steps[{i}]: {reason}")))
        .collect::<Result<_, _>>()?;
    Ok(Scenario {
        file: file.into(),
        name: document.name,
        script: Script::new(known_draws, outcomes, rng.bits().into()),
        rules,
        table,
        beginning,
        seed: document.seed,
        steps,
    })
}

fn load_from(
    file: &str,
    variant: &str,
    overrides: &[Override],
    seats: usize,
    files: &dyn VariantFiles,
) -> Result<Rules, String> {
    /// Paths are relative to the scenario file.
    struct RelativeFiles<'a>(&'a dyn VariantFiles, &'a str);
    impl VariantFiles for RelativeFiles<'_> {
        fn read(&self, base: &str, from: &str) -> Result<crate::rules::VariantText, String> {
            self.0.read(base, if from.is_empty() { self.1 } else { from })
        }
    }
    match load(variant, overrides, TableSize::Seats(seats), &RelativeFiles(files, file)) {
        Ok(loaded) => Ok(loaded.rules),
        Err(error) => Err(format!("variant: {}", error.first_reasons().join("; ")).replace("--set ", "set: ")),
    }
}

/// The parts of a position.
struct Parts<'a> {
    rules: &'a Rules,
    document: &'a ScenarioDocument,
    dealer: Seat,
    in_round: SeatSet,
    known_draws: &'a [Card],
}

impl Parts<'_> {
    fn start(&self, start: &str, rng: &mut Rng) -> Result<ScenarioStart, String> {
        for (key, given) in [
            ("to_act", self.document.to_act.is_some()),
            ("color", self.document.color.is_some()),
            ("direction", self.document.direction.is_some()),
        ] {
            if given {
                return Err(format!("start excludes {key}"));
            }
        }
        let turned_up = cards("start", start, self.rules)?;
        let Some((last, returned)) = turned_up.split_last() else {
            return Err("start: no card".into());
        };
        // Returned cards are in the draw pile again, so `draw` may name them.
        let mut rest = self.rest_after(&[*last])?;
        for card in returned {
            if *card == *last && self.rules.deck().count(*card) < 2 {
                return Err(format!("start: more copies of {} than the deck has", self.rules.code(*card)));
            }
        }
        // A card may be turned up and returned any number of times, but at most its number of copies is held back.
        let mut held_back = Cards::EMPTY;
        for &card in returned {
            if held_back.count(card) < self.rules.deck().count(card) {
                held_back.add(card);
            }
        }
        held_back = held_back.minus(self.known_draws.iter().copied().collect());
        let hands = self.hands(&mut rest, held_back, rng)?;
        let deck = if self.document.draw_exact {
            // a card that was turned up and returned is in the draw pile, whether `draw` names it or not.
            let pile = self.known_draws.iter().copied().collect::<Cards>().plus(held_back);
            let mut deck = self.in_round.iter().fold(pile, |all, seat| all.plus(hands[seat]));
            deck.add(*last);
            deck
        } else {
            self.rules.deck()
        };
        Ok(ScenarioStart::Start { deck, dealer: self.dealer, seats: self.in_round, hands: Box::new(hands), turned_up })
    }

    fn position(&self, discard: &str, rng: &mut Rng) -> Result<ScenarioStart, String> {
        let pile = cards("discard", discard, self.rules)?;
        let Some((&top, under)) = pile.split_last() else {
            return Err("discard: no card".into());
        };
        let mut rest = self.rest_after(&pile)?;
        let hands = self.hands(&mut rest, Cards::EMPTY, rng)?;
        let known: Cards = self.known_draws.iter().copied().collect();
        let setup = RoundSetup {
            seats: self.in_round,
            dealer: self.dealer,
            direction: match &self.document.direction {
                None => Direction::Left,
                Some(name) => direction(name)?,
            },
            to_act: match self.document.to_act {
                Some(to_act) => seat("to_act", to_act, self.document.seats)?,
                None => crate::seat::Ring::of(self.in_round).after(self.dealer, Direction::Left),
            },
            hands,
            top,
            under_top: under.iter().copied().collect(),
            color: self.document.color.as_deref().map(color).transpose()?,
            draw_pile: if self.document.draw_exact { known } else { known.plus(rest) },
        };
        Ok(ScenarioStart::Position(Box::new(setup)))
    }

    /// The deck without the cards that the scenario names.
    fn rest_after(&self, others: &[Card]) -> Result<Cards, String> {
        let mut rest = self.rules.deck();
        let mut take = |card: Card| {
            if !rest.contains(card) {
                let (code, deck) = (self.rules.code(card), self.rules.deck().count(card));
                return Err(format!("hands, discard, draw, start: more copies of {code} than the deck has ({deck})"));
            }
            rest.remove(card);
            Ok(())
        };
        others.iter().chain(self.known_draws).copied().try_for_each(&mut take)?;
        for hand in self.document.hands.iter().filter(|hand| hand.as_str() != "_") {
            cards("hands", hand, self.rules)?.into_iter().try_for_each(&mut take)?;
        }
        Ok(rest)
    }

    /// The hands; missing hands are dealt from `rest`, except the cards held back.
    fn hands(&self, rest: &mut Cards, held_back: Cards, rng: &mut Rng) -> Result<BySeat<Cards>, String> {
        let given = &self.document.hands;
        if given.len() > self.document.seats {
            return Err(format!("hands: {} hands for {} seats", given.len(), self.document.seats));
        }
        let mut hands = BySeat::<Cards>::default();
        for seat in self.in_round.iter() {
            match given.get(seat.index()).map(String::as_str) {
                None | Some("_") => {
                    for _ in 0..self.rules.parameters().hand_size.get() {
                        let open = rest.minus(held_back);
                        if open.is_empty() {
                            return Err("hands: the deck has too few cards for the hands that are not given".into());
                        }
                        let card = open.nth(rng.below(open.len()));
                        rest.remove(card);
                        hands[seat].add(card);
                    }
                }
                Some(text) => hands[seat] = cards("hands", text, self.rules)?.into_iter().collect(),
            }
            if hands[seat].is_empty() {
                return Err(format!("hands: seat {seat} has no card: the round would be over"));
            }
        }
        Ok(hands)
    }
}

/// An entry of `chance`.
enum ChanceEntry {
    Outcome(Outcome),
    Cut(Vec<Card>),
}

fn parse_chance(
    rules: &Rules,
    seats: usize,
    entries: &[String],
) -> Result<std::collections::VecDeque<ChanceEntry>, String> {
    entries
        .iter()
        .map(|entry| {
            let words: Vec<&str> = entry.split_whitespace().collect();
            match words.as_slice() {
                ["tinker", letter] => parse_color(letter)
                    .map(|color| ChanceEntry::Outcome(Outcome::Button(color)))
                    .map_err(|error| format!("chance: {error}")),
                ["task", "yes"] => Ok(ChanceEntry::Outcome(Outcome::Task(TaskResult::Done))),
                ["task", "no"] => Ok(ChanceEntry::Outcome(Outcome::Task(TaskResult::Failed))),
                ["card", code] => rules
                    .parse_card(code)
                    .map(|card| ChanceEntry::Outcome(Outcome::CardOfHand(card)))
                    .map_err(|error| format!("chance: {error}")),
                ["seat", number] => match number.parse() {
                    Ok(number) => seat("chance: seat", number, seats)
                        .map(|seat| ChanceEntry::Outcome(Outcome::Chosen(seat))),
                    Err(_) => Err(format!("chance: \"{entry}\" is not allowed; allowed: seat 0 to seat {}", seats - 1)),
                },
                ["cut", ..] => cards("chance: cut", &words[1..].join(" "), rules).map(ChanceEntry::Cut),
                _ => Err(format!(
                    "chance: \"{entry}\" is not allowed; allowed: tinker COLOR, task yes, task no, card CARD, seat N, cut CARDS"
                )),
            }
        })
        .collect()
}

/// The cut at the beginning of `chance` determines the dealer; without a cut it is seat 0.
fn cut_for_dealer(
    rules: &Rules,
    seats: usize,
    chance: &mut std::collections::VecDeque<ChanceEntry>,
) -> Result<Seat, String> {
    let is_cut = rules.parameters().dealer == DealerChoice::Cut && matches!(chance.front(), Some(ChanceEntry::Cut(_)));
    if !is_cut {
        return Ok(Seat::new(0));
    }
    let mut contenders = SeatSet::first(seats);
    while contenders.len() > 1 {
        let Some(ChanceEntry::Cut(cut)) = chance.pop_front() else {
            return Err("chance: the cut is a tie and is not cut again".into());
        };
        // A second cut has a card for each tied seat, or for all seats; then the cards of the others are ignored.
        let cutting = if cut.len() == contenders.len() { contenders } else { SeatSet::first(seats) };
        if cut.len() != cutting.len() {
            return Err(format!("chance: cut has {} cards for {} seats", cut.len(), contenders.len()));
        }
        let drawn: Cards = cut.iter().copied().collect();
        if !rules.deck().contains_all(drawn) {
            return Err("chance: the cut has more copies of a card than the deck".into());
        }
        let by_seat: Vec<(Seat, Card)> =
            cutting.iter().zip(cut).filter(|(seat, _)| contenders.contains(*seat)).collect();
        contenders = highest_cut(rules, &by_seat);
    }
    Ok(contenders.iter().next().expect("someone has the highest card"))
}

fn prepare_step(step: StepDocument, rules: &Rules, seats: usize) -> Result<Step, String> {
    match step {
        StepDocument { seat: Some(by), action: Some(text), error, expect: None, sees: None, next_round: None } => {
            let spoken = match rules.parse_action(&text) {
                Ok(spoken) => Some(spoken),
                Err(NotationError::NotInDeck(_)) => None, // a card of another edition is rejected like any card that is not held
                Err(error) => return Err(format!("do: {error}")),
            };
            let outcome = if error { Expected::Refused } else { Expected::Accepted };
            Ok(Step::Act { seat: seat("seat", by, seats)?, text, spoken, outcome })
        }
        StepDocument { seat: None, action: None, error: false, expect: Some(expect), sees: None, next_round: None } => {
            check_expectation(&expect, rules, seats)?;
            Ok(Step::Expect(Box::new(expect)))
        }
        StepDocument { seat: None, action: None, error: false, expect: None, sees: Some(sees), next_round: None } => {
            seat("sees.by", sees.by, seats)?;
            seat("sees.seat", sees.seat, seats)?;
            let hand = rules.parse_cards(&sees.hand).map_err(|error| format!("sees.hand: {error}"))?;
            Ok(Step::Sees { sees, hand })
        }
        StepDocument { seat: None, action: None, error: false, expect: None, sees: None, next_round: Some(true) } => {
            Ok(Step::NextRound)
        }
        _ => Err("a step is exactly one of: `seat` with `do` (and perhaps `error = true`), `expect`, `sees`, `next_round = true`".into()),
    }
}

/// Checks that every string and number of an expectation is valid; whether the expectation is met is checked later.
fn check_expectation(expect: &Expectation, rules: &Rules, seats: usize) -> Result<(), String> {
    match &expect.to_act {
        Some(ToAct::Seat(number)) => drop(seat("expect.to_act", *number, seats)?),
        Some(ToAct::Word(word)) if word != "none" => {
            return Err(format!("expect.to_act: \"{word}\" is not allowed; allowed: a seat or \"none\""));
        }
        _ => {}
    }
    if let Some(word) = &expect.decision
        && word != "none"
        && !super::expect::DECISIONS.contains(&word.as_str())
    {
        return Err(format!(
            "expect.decision: \"{word}\" is not allowed; allowed: {}, none",
            super::expect::DECISIONS.join(", ")
        ));
    }
    for (key, list) in [("legal", &expect.legal), ("legal_has", &expect.legal_has), ("legal_not", &expect.legal_not)] {
        for text in list.iter().flatten() {
            match rules.parse_action(text) {
                Ok(_) | Err(NotationError::NotInDeck(_)) => {}
                Err(error) => return Err(format!("expect.{key}: {error}")),
            }
        }
    }
    for hand in expect.hands.iter().flatten().filter(|hand| hand.as_str() != "_") {
        rules.parse_cards(hand).map_err(|error| format!("expect.hands: {error}"))?;
    }
    if let Some(top) = &expect.top {
        rules.parse_card(top).map_err(|error| format!("expect.top: {error}"))?;
    }
    if let Some(name) = &expect.color {
        color(name).map_err(|error| format!("expect.{error}"))?;
    }
    if let Some(name) = &expect.direction {
        direction(name).map_err(|error| format!("expect.{error}"))?;
    }
    for (key, numbers) in [
        ("expect.went_out", expect.went_out.as_slice()),
        ("expect.dealer", expect.dealer.as_slice()),
        ("expect.match_winners", expect.match_winners.as_deref().unwrap_or_default()),
    ] {
        numbers.iter().try_for_each(|&number| seat(key, number, seats).map(drop))?;
    }
    if let Some(size) = expect.hand_sizes.iter().flatten().find(|&&size| size < -1) {
        return Err(format!(
            "expect.hand_sizes: {size} is not allowed; allowed: numbers of cards, and -1 to leave one out"
        ));
    }
    let lengths = [
        ("hands", expect.hands.as_ref().map(Vec::len)),
        ("hand_sizes", expect.hand_sizes.as_ref().map(Vec::len)),
        ("points", expect.points.as_ref().map(Vec::len)),
        ("scores", expect.scores.as_ref().map(Vec::len)),
    ];
    // A seat that is missing in a list would never be checked.
    for (key, length) in lengths {
        if let Some(length) = length.filter(|&length| length != seats) {
            let skip = match key {
                "hands" => "; \"_\" leaves a seat out",
                "hand_sizes" => "; -1 leaves a seat out",
                _ => "",
            };
            return Err(format!("expect.{key}: {length} entries for {seats} seats{skip}"));
        }
    }
    Ok(())
}

/// Far above the highest target, and far below an overflow of the sum of points.
const MAX_SCORE: u32 = 1_000_000_000;

fn scores(document: &ScenarioDocument, seats: usize) -> Result<BySeat<u32>, String> {
    if !document.scores.is_empty() && document.scores.len() != seats {
        return Err(format!("scores: {} scores for {seats} seats", document.scores.len()));
    }
    if let Some(score) = document.scores.iter().find(|&&score| score > MAX_SCORE) {
        return Err(format!("scores: {score} is not allowed; allowed: 0 to {MAX_SCORE}"));
    }
    let mut scores = [0; MAX_SEATS];
    scores[..document.scores.len()].copy_from_slice(&document.scores);
    Ok(BySeat::new(scores))
}

fn seat(key: &str, number: usize, seats: usize) -> Result<Seat, String> {
    if number < seats {
        Ok(Seat::new(number))
    } else {
        Err(format!("{key}: there is no seat {number}; allowed: 0 to {}", seats - 1))
    }
}

fn cards(key: &str, text: &str, rules: &Rules) -> Result<Vec<Card>, String> {
    rules.parse_card_list(text).map_err(|error| format!("{key}: {error}"))
}

fn color(name: &str) -> Result<Color, String> {
    Color::from_name(name).ok_or_else(|| format!("color: \"{name}\" is not allowed; allowed: red, yellow, green, blue"))
}

fn direction(name: &str) -> Result<Direction, String> {
    Direction::from_name(name).ok_or_else(|| format!("direction: \"{name}\" is not allowed; allowed: left, right"))
}
