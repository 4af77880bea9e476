//! Runs the scenario files of `tests/scenarios` on the naive reference model.
//!
//! The runner parses the notation itself and uses only the preset files of the engine, so that a scenario that the engine and
//! this model interpret differently fails in one of them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::reference::{Code, Deal, Fate, MatchModel, Model, Move, Position, Variant, code, color_of, cut_winners};
use crate::reference::{engine_dir, load_variant, read_table, set};
use toml::{Table, Value};

// ---- chance ----

/// Scripted draws and outcomes, followed by pseudorandom numbers.
#[derive(Clone)]
struct Script {
    draw: Vec<Code>,
    chance: Vec<String>,
    state: u64,
}

impl Script {
    fn random(&mut self, below: usize) -> usize {
        // Knuth's multiplier; the high bits are good enough here
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).expect("31 bits") % below
    }

    fn shuffle(&mut self, cards: &mut [Code]) {
        for i in (1..cards.len()).rev() {
            let j = self.random(i + 1);
            cards.swap(i, j);
        }
    }

    /// The words after the keyword of the next entry, if chance is scripted.
    fn next_chance(&mut self, keyword: &str) -> Option<String> {
        if self.chance.is_empty() {
            return None;
        }
        let entry = self.chance.remove(0);
        let rest = entry.strip_prefix(keyword);
        let rest = rest.unwrap_or_else(|| panic!("chance has {entry:?} where {keyword} is needed"));
        Some(rest.trim().to_string())
    }
}

impl Fate for Script {
    fn draw(&mut self, pile: &[Code]) -> usize {
        if self.draw.is_empty() {
            return self.random(pile.len());
        }
        let card = self.draw.remove(0);
        pile.iter().position(|c| *c == card).unwrap_or_else(|| panic!("{card} is not in the draw pile"))
    }

    fn card_of_hand(&mut self, hand: &[Code]) -> usize {
        match self.next_chance("card") {
            Some(card) => hand.iter().position(|c| *c == card).unwrap_or_else(|| panic!("{card} is not in the hand")),
            None => self.random(hand.len()),
        }
    }

    fn tinker(&mut self, weights: [f64; 4]) -> char {
        if let Some(color) = self.next_chance("tinker") {
            return color.chars().next().expect("a color");
        }
        // a color of weight 0 must never occur
        let mut left = f64::from(u16::try_from(self.random(10_000)).expect("below 10000")) / 10_000.0;
        for (color, weight) in ['r', 'y', 'g', 'b'].into_iter().zip(weights) {
            if left < weight {
                return color;
            }
            left -= weight;
        }
        panic!("the weights do not sum to 1")
    }

    fn task(&mut self, p: f64) -> bool {
        match self.next_chance("task") {
            Some(answer) => answer == "yes",
            None => f64::from(u16::try_from(self.random(10_000)).expect("below 10000")) / 10_000.0 < p,
        }
    }

    fn random_other(&mut self, seats: &[usize]) -> usize {
        // A scenario may leave it to the seed, even if it scripts other outcomes.
        if self.chance.first().is_some_and(|entry| entry.starts_with("seat")) {
            let scripted = self.next_chance("seat").expect("a seat").parse().expect("a number");
            assert!(seats.contains(&scripted), "seat {scripted} cannot be chosen");
            return scripted;
        }
        let place = self.random(seats.len());
        seats[place]
    }
}

// ---- reading ----

fn text<'a>(table: &'a Table, key: &str) -> &'a str {
    let value = table.get(key).unwrap_or_else(|| panic!("{key} is missing"));
    value.as_str().unwrap_or_else(|| panic!("{key} is not a text"))
}

fn number(value: &Value) -> i64 {
    value.as_integer().unwrap_or_else(|| panic!("{value} is not an integer"))
}

fn seat(value: &Value) -> usize {
    usize::try_from(number(value)).unwrap_or_else(|_| panic!("{value} is not a seat"))
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().unwrap_or_else(|| panic!("{value} is not a list"));
    list.iter().map(|entry| entry.as_str().expect("a text").to_string()).collect()
}

fn numbers(value: &Value) -> Vec<i64> {
    let list = value.as_array().unwrap_or_else(|| panic!("{value} is not a list"));
    list.iter().map(number).collect()
}

fn cards(text: &str) -> Vec<Code> {
    text.split_whitespace().map(code).collect()
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

/// Actions in the notation.
fn written(actions: Vec<Move>) -> Vec<String> {
    sorted(actions.iter().map(Move::to_string).collect())
}

fn color_name(color: Option<char>) -> &'static str {
    match color {
        Some('r') => "red",
        Some('y') => "yellow",
        Some('g') => "green",
        Some('b') => "blue",
        _ => "none",
    }
}

/// Removes named cards from the rest of the deck.
fn take_out(rest: &mut Vec<Code>, named: &[Code]) {
    for card in named {
        let place = rest.iter().position(|c| c == card);
        let place = place.unwrap_or_else(|| panic!("the deck has too few {card}"));
        rest.remove(place);
    }
}

const KEYS: [&str; 17] = [
    "name",
    "variant",
    "set",
    "seats",
    "dealer",
    "direction",
    "to_act",
    "hands",
    "discard",
    "color",
    "draw",
    "draw_exact",
    "start",
    "chance",
    "scores",
    "seed",
    "steps",
];

// ---- one scenario ----

struct Runner {
    variant: Variant,
    seats: usize,
    round: Model,
    /// The round's points are recorded.
    entered: bool,
    game: MatchModel,
    fate: Script,
    /// The number of cards in play.
    total: usize,
}

impl Runner {
    fn set_up(scenario: &Table, directory: &Path) -> Self {
        for key in scenario.keys() {
            assert!(KEYS.contains(&key.as_str()), "unknown key {key}");
        }
        let mut rules = load_variant(text(scenario, "variant"), directory);
        if let Some(overrides) = scenario.get("set") {
            for (key, value) in overrides.as_table().expect("set is a table") {
                set(&mut rules, key, value);
            }
        }
        let variant = Variant::from_table(&rules);
        let seats = seat(scenario.get("seats").expect("seats is missing"));
        let list = |key: &str| scenario.get(key).map(texts).unwrap_or_default();
        let line = |key: &str| {
            let value = scenario.get(key).and_then(Value::as_str);
            cards(value.unwrap_or_default())
        };
        let mut fate = Script {
            draw: line("draw"),
            chance: list("chance"),
            state: scenario.get("seed").map_or(1, |value| number(value).unsigned_abs()),
        };
        let scores = scenario.get("scores").map_or(vec![0; seats], numbers);
        assert_eq!(scores.len(), seats, "a score for each seat");
        let mut dealer = scenario.get("dealer").map_or(0, seat);
        if let Some(cut_by) = cut(&variant, seats, &mut fate) {
            dealer = cut_by;
        }
        let game = MatchModel::new(&variant, seats, dealer, scores);
        let seats_in = game.seats_in();

        // Every card that is named leaves the rest of the deck.
        let start = line("start");
        let discard = line("discard");
        let mut rest = variant.deck.clone();
        let mut given = list("hands");
        assert!(given.len() <= seats, "more hands than seats");
        given.resize(seats, "_".to_string());
        for hand in &given {
            if hand != "_" {
                take_out(&mut rest, &cards(hand));
            }
        }
        take_out(&mut rest, &start);
        take_out(&mut rest, &discard);
        take_out(&mut rest, &fate.draw);
        fate.shuffle(&mut rest);
        let mut hands = Vec::new();
        for (seat, hand) in given.iter().enumerate() {
            if hand != "_" {
                hands.push(cards(hand));
            } else if seats_in.contains(&seat) {
                hands.push(rest.split_off(rest.len() - variant.hand_size));
            } else {
                hands.push(Vec::new());
            }
        }
        let mut draw = fate.draw.clone();
        let exact = scenario.get("draw_exact").and_then(Value::as_bool);
        if exact != Some(true) {
            draw.extend(rest);
        }

        let round = if start.is_empty() {
            let left = (1..=seats).map(|k| (dealer + k) % seats);
            let first = left.clone().find(|seat| seats_in.contains(seat)).expect("a player");
            let color = scenario.get("color").and_then(Value::as_str);
            let position = Position {
                seats,
                seats_in,
                dealer,
                direction: scenario
                    .get("direction")
                    .map_or("left", |value| value.as_str().expect("a direction"))
                    .to_string(),
                to_act: scenario.get("to_act").map_or(first, seat),
                hands,
                discard,
                color: color.map(|name| name.chars().next().expect("a color")),
                draw,
            };
            assert!(
                position.color.is_some() || color_of(position.discard.last().expect("a card")).is_some(),
                "color is needed on a wild"
            );
            Model::from_position(&variant, position)
        } else {
            for key in ["discard", "to_act", "color", "direction"] {
                assert!(!scenario.contains_key(key), "start excludes {key}");
            }
            let (up, returned) = start.split_last().expect("a start card");
            for card in returned {
                assert!(!variant.startable(card), "{card} is not returned");
                draw.push(*card);
            }
            let deal = Deal { seats, seats_in, dealer, hands, draw };
            Model::from_start(&variant, deal, up, &mut fate)
        };
        let mut runner = Self { variant, seats, round, entered: false, game, fate, total: 0 };
        runner.total = runner.cards_in_play();
        runner
    }

    fn cards_in_play(&self) -> usize {
        let mut total = self.round.draw_pile().len() + self.round.discard_pile().len();
        for hand in self.round.hands() {
            total += hand.len();
        }
        total
    }

    fn step(&mut self, step: &Table) -> Result<(), String> {
        if let Some(expected) = step.get("expect") {
            only(step, &["expect"]);
            return self.expect(expected.as_table().expect("expect is a table"));
        }
        if let Some(sees) = step.get("sees") {
            only(step, &["sees"]);
            return self.sees(sees.as_table().expect("sees is a table"));
        }
        if step.contains_key("next_round") {
            only(step, &["next_round"]);
            if !self.round.is_over() || self.game.is_over() {
                return Err("no next round is due".to_string());
            }
            self.deal();
            return Ok(());
        }
        only(step, &["seat", "do", "error"]);
        let who = seat(step.get("seat").expect("seat is missing"));
        let action = text(step, "do");
        let refused = step.get("error").and_then(Value::as_bool) == Some(true);
        let before = format!("{:?}", self.round);
        let result = self.round.apply(who, action, &mut self.fate);
        if self.cards_in_play() != self.total {
            return Err(format!("{action}: cards were lost or made"));
        }
        if refused {
            if result.is_ok() {
                return Err(format!("{action} by {who}: expected to be refused"));
            }
            if before != format!("{:?}", self.round) {
                return Err(format!("{action} by {who}: refused, but the state changed"));
            }
            return Ok(());
        }
        result?;
        if self.round.is_over() && !self.entered {
            self.game.finish_round(&self.round);
            self.entered = true;
        }
        Ok(())
    }

    /// The next round: shuffle, deal, turn up cards until one stays.
    fn deal(&mut self) {
        let mut deck = self.variant.deck.clone();
        self.fate.draw.clear();
        let seats_in = self.game.seats_in();
        let mut hands = vec![Vec::new(); self.seats];
        self.fate.shuffle(&mut deck);
        for seat in &seats_in {
            hands[*seat] = deck.split_off(deck.len() - self.variant.hand_size);
        }
        while !self.variant.startable(deck[deck.len() - 1]) {
            self.fate.shuffle(&mut deck);
        }
        let up = deck.pop().expect("a start card");
        let dealer = self.game.dealer();
        let deal = Deal { seats: self.seats, seats_in, dealer, hands, draw: deck };
        self.round = Model::from_start(&self.variant, deal, up, &mut self.fate);
        self.entered = false;
        self.total = self.cards_in_play();
    }

    fn sees(&self, sees: &Table) -> Result<(), String> {
        only(sees, &["by", "seat", "hand", "exact"]);
        let by = seat(sees.get("by").expect("by is missing"));
        let of = seat(sees.get("seat").expect("seat is missing"));
        let wanted = sorted(cards(text(sees, "hand")));
        let found = sorted(self.round.known(by, of).to_vec());
        let mut left = found.clone();
        for card in &wanted {
            match left.iter().position(|c| c == card) {
                Some(place) => {
                    left.remove(place);
                }
                None => return Err(format!("sees: expected {wanted:?}, found {found:?}")),
            }
        }
        let exact = sees.get("exact").and_then(Value::as_bool) == Some(true);
        if exact && !left.is_empty() {
            return Err(format!("sees: expected exactly {wanted:?}, found {found:?}"));
        }
        Ok(())
    }

    fn expect(&self, expected: &Table) -> Result<(), String> {
        let round = &self.round;
        for (key, value) in expected {
            let (wanted, found) = match key.as_str() {
                "to_act" => {
                    let found = match round.decision() {
                        Some((seat, _)) => seat.to_string(),
                        None => "\"none\"".to_string(),
                    };
                    (value.to_string(), found)
                }
                "decision" => {
                    let found = round.decision().map_or("none", |(_, name)| name);
                    (value.as_str().expect("a word").to_string(), found.to_string())
                }
                "legal" => (format!("{:?}", sorted(texts(value))), format!("{:?}", written(round.legal()))),
                "legal_has" | "legal_not" => {
                    let legal = written(round.legal());
                    for action in texts(value) {
                        if legal.contains(&action) != (key == "legal_has") {
                            return Err(format!("{key}: {action}; legal is {legal:?}"));
                        }
                    }
                    continue;
                }
                "hands" => {
                    let mut wanted = Vec::new();
                    let mut found = Vec::new();
                    for (seat, hand) in texts(value).iter().enumerate() {
                        if hand != "_" {
                            wanted.push((seat, sorted(cards(hand))));
                            found.push((seat, sorted(round.hands()[seat].clone())));
                        }
                    }
                    (format!("{wanted:?}"), format!("{found:?}"))
                }
                "hand_sizes" => {
                    let mut wanted = Vec::new();
                    let mut found = Vec::new();
                    for (seat, size) in numbers(value).iter().enumerate() {
                        if *size != -1 {
                            wanted.push((seat, size.to_string()));
                            found.push((seat, round.hands()[seat].len().to_string()));
                        }
                    }
                    (format!("{wanted:?}"), format!("{found:?}"))
                }
                "top" => (value.as_str().expect("a card").to_string(), round.top().to_string()),
                "color" => (value.as_str().expect("a color").to_string(), color_name(round.color()).to_string()),
                "direction" => (value.as_str().expect("a direction").to_string(), round.direction().to_string()),
                "draw_pile" => (value.to_string(), round.draw_pile().len().to_string()),
                "discard_pile" => (value.to_string(), round.discard_pile().len().to_string()),
                "round_over" => (value.to_string(), round.is_over().to_string()),
                "went_out" => (value.to_string(), round.went_out().map_or("none".to_string(), |seat| seat.to_string())),
                "void" => (value.to_string(), round.void().to_string()),
                "dealer" => (value.to_string(), round.dealer().to_string()),
                "points" => (format!("{:?}", numbers(value)), format!("{:?}", round.points())),
                "scores" => (format!("{:?}", numbers(value)), format!("{:?}", self.game.scores())),
                "match_over" => (value.to_string(), self.game.is_over().to_string()),
                "match_winners" => (format!("{:?}", numbers(value)), format!("{:?}", self.game.winners())),
                _ => panic!("unknown key {key}"),
            };
            if wanted != found {
                return Err(format!("{key}: expected {wanted}, found {found}"));
            }
        }
        Ok(())
    }
}

fn only(table: &Table, keys: &[&str]) {
    for key in table.keys() {
        assert!(keys.contains(&key.as_str()), "unknown key {key} in a step");
    }
}

/// `cut ...` entries determine the dealer: one card per seat; tied seats cut again.
fn cut(variant: &Variant, seats: usize, fate: &mut Script) -> Option<usize> {
    let mut tied: Vec<usize> = (0..seats).collect();
    let mut cut = false;
    while fate.chance.first().is_some_and(|entry| entry.starts_with("cut ")) {
        cut = true;
        assert_eq!(variant.dealer, "cut", "this variant has no cut");
        assert!(tied.len() > 1, "the cut was settled already");
        let drawn = cards(&fate.next_chance("cut").expect("a cut"));
        let mut by_seat = Vec::new();
        for (place, seat) in tied.iter().enumerate() {
            // a re-cut lists the tied seats only, or again a card for each seat
            let place = if drawn.len() == seats { *seat } else { place };
            by_seat.push((*seat, drawn[place]));
        }
        tied = cut_winners(variant, &by_seat);
    }
    if cut {
        assert_eq!(tied.len(), 1, "the cut is still tied");
        Some(tied[0])
    } else {
        None
    }
}

fn run(scenario: &Table, directory: &Path) -> Result<(), String> {
    let mut runner = Runner::set_up(scenario, directory);
    let steps = scenario.get("steps").expect("steps is missing");
    for (place, step) in steps.as_array().expect("steps is a list").iter().enumerate() {
        let step = step.as_table().expect("a step is a table");
        runner.step(step).map_err(|message| format!("step {}: {message}", place + 1))?;
    }
    if !runner.fate.chance.is_empty() {
        return Err(format!("chance left over: {:?}", runner.fate.chance));
    }
    Ok(())
}

fn scenario_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display())) {
        let path = entry.expect("a directory entry").path();
        if path.is_dir() {
            scenario_files(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "toml") && read_table(&path).contains_key("scenario")
        {
            files.push(path);
        }
    }
    files.sort();
}

#[test]
fn scenarios() {
    let mut files = Vec::new();
    scenario_files(&engine_dir().join("tests/scenarios"), &mut files);
    let mut passed = 0;
    let mut failures = Vec::new();
    for file in files {
        let table = read_table(&file);
        let directory = file.parent().expect("a file has a directory").to_path_buf();
        for scenario in table["scenario"].as_array().expect("a list of scenarios") {
            let scenario = scenario.as_table().expect("a scenario is a table");
            let name = text(scenario, "name");
            let outcome = std::panic::catch_unwind(|| run(scenario, &directory));
            let message = match outcome {
                Ok(Ok(())) => {
                    passed += 1;
                    continue;
                }
                Ok(Err(message)) => message,
                Err(_) => "a panic, printed above".to_string(),
            };
            failures.push(format!("{}: {name}: {message}", file.display()));
        }
    }
    for failure in &failures {
        println!("{failure}");
    }
    println!("{passed} passed, {} failed", failures.len());
    assert!(failures.is_empty(), "{} scenarios failed", failures.len());
    assert!(passed > 0, "no scenarios in tests/scenarios");
}
