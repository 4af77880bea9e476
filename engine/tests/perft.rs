//! Path counts: tables of positions in `tests/perft`, whose numbers come from the naive reference model.
//!
//! A table consists of blocks separated by empty lines: TOML lines with the keys of a scenario (and `moves`, which are
//! applied before counting starts), then lines `perft DEPTH NUMBER`. The draw pile is exactly `draw`. A new position is
//! written with only `perft DEPTH`, and its numbers are computed by
//!
//! ```text
//! cargo test -p unolab-engine --test all -- --ignored write_perft_tables
//! ```

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::reference::{self, Code, Fate, Model, Move, Position, Variant, code};
use toml::{Table, Value};
use unolab_engine::color::Color;
use unolab_engine::perft::{divide, outcomes, perft};
use unolab_engine::rules::{Override, Rules, TableSize, VariantFiles, VariantText, load, presets};
use unolab_engine::seat::{Direction, Seat, SeatSet};
use unolab_engine::state::{RoundSetup, RoundState};

// ---- tables ----

struct Block {
    /// File and line, for messages.
    place: String,
    directory: PathBuf,
    position: Table,
    /// Depth and, if it is known, the number.
    counts: Vec<(u32, Option<u64>)>,
}

fn tables() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("the directory is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    files
}

fn read_blocks(file: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(file).expect("readable");
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while lines.peek().is_some() {
        let block: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| !line.is_empty()).collect();
        let (counts, position): (Vec<_>, Vec<_>) = block.iter().partition(|(_, line)| line.starts_with("perft "));
        let Some((number, _)) = counts.first() else { continue };
        let place = format!("{}:{}", file.display(), number + 1);
        let toml: Vec<&str> = position.into_iter().map(|(_, line)| line).collect();
        let position = toml.join("\n").parse().unwrap_or_else(|error| panic!("{place}: {error}"));
        let counts =
            counts.iter().map(|(_, line)| read_count(line).unwrap_or_else(|| panic!("{place}: {line}"))).collect();
        blocks.push(Block { place, directory: file.parent().expect("in a directory").into(), position, counts });
    }
    blocks
}

fn read_count(line: &str) -> Option<(u32, Option<u64>)> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[1..] {
        [depth] => Some((depth.parse().ok()?, None)),
        [depth, number] => Some((depth.parse().ok()?, Some(number.parse().ok()?))),
        _ => None,
    }
}

fn all_blocks() -> Vec<Block> {
    tables().iter().flat_map(|file| read_blocks(file)).collect()
}

impl Block {
    fn text(&self, key: &str) -> &str {
        self.position.get(key).map_or("", |value| value.as_str().unwrap_or_else(|| panic!("{}: {key}", self.place)))
    }

    fn number(&self, key: &str, otherwise: usize) -> usize {
        let read = |value: &Value| usize::try_from(value.as_integer().expect("an integer")).expect("a seat");
        self.position.get(key).map_or(otherwise, read)
    }

    fn list(&self, key: &str) -> Vec<&str> {
        let list = self.position.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        list.iter().map(|entry| entry.as_str().expect("a text")).collect()
    }

    fn set(&self) -> Table {
        self.position.get("set").and_then(Value::as_table).cloned().unwrap_or_default()
    }

    fn direction(&self) -> &str {
        if self.text("direction").is_empty() { "left" } else { self.text("direction") }
    }

    fn rules(&self) -> Rules {
        let size = TableSize::Seats(self.number("seats", 2));
        let loaded = load(self.text("variant"), &Override::all_in(&self.set()), size, self);
        loaded.unwrap_or_else(|error| panic!("{}: {error}", self.place)).rules
    }

    /// The position in the engine.
    fn state(&self, rules: &Rules) -> RoundState {
        let cards = |text: &str| rules.parse_cards(text).unwrap_or_else(|error| panic!("{}: {error}", self.place));
        let (under, top) = self.text("discard").rsplit_once(' ').unwrap_or(("", self.text("discard")));
        let hands = self.list("hands");
        let setup = RoundSetup {
            seats: SeatSet::first(hands.len()),
            dealer: Seat::new(0),
            direction: Direction::from_name(self.direction()).expect("left or right"),
            to_act: Seat::new(self.number("to_act", 1)),
            hands: hands.iter().map(|hand| cards(hand)).collect(),
            top: rules.parse_card(top).expect("a card"),
            under_top: cards(under),
            color: Color::from_name(self.text("color")),
            draw_pile: cards(self.text("draw")),
        };
        let mut state =
            RoundState::from_setup(&setup, rules).unwrap_or_else(|errors| panic!("{}: {errors:?}", self.place));
        for text in self.list("moves") {
            let action = rules.parse_action(text).expect("an action").action;
            let after = outcomes(rules, &state, action).collect::<Vec<_>>();
            assert_eq!(after.len(), 1, "{}: chance must not matter in {text}", self.place);
            state = after[0];
        }
        state
    }

    /// The position in the naive model.
    fn model(&self) -> Model {
        let mut table = reference::load_variant(self.text("variant"), &self.directory);
        for (key, value) in self.set() {
            reference::set(&mut table, &key, &value);
        }
        let variant = Variant::from_table(&table);
        let cards = |text: &str| text.split_whitespace().map(code).collect::<Vec<Code>>();
        let hands: Vec<Vec<Code>> = self.list("hands").into_iter().map(cards).collect();
        let position = Position {
            seats: hands.len(),
            seats_in: Vec::new(),
            dealer: 0,
            direction: self.direction().into(),
            to_act: self.number("to_act", 1),
            hands,
            discard: cards(self.text("discard")),
            color: self.text("color").chars().next(),
            draw: cards(self.text("draw")),
        };
        let mut model = Model::from_position(&variant, position);
        for text in self.list("moves") {
            let seat = model.decision().expect("the round continues").0;
            model.apply(seat, text, &mut Wheels::default()).unwrap_or_else(|error| panic!("{}: {error}", self.place));
        }
        model
    }
}

impl VariantFiles for Block {
    fn read(&self, base: &str, _from: &str) -> Result<VariantText, String> {
        let text = std::fs::read_to_string(self.directory.join(base)).map_err(|error| format!("{base}: {error}"))?;
        Ok(VariantText { name: base.into(), text })
    }
}

// ---- counting in the naive model ----

/// Enumerates every outcome of every chance event.
#[derive(Default)]
struct Wheels {
    /// The current outcomes, and the numbers of possible outcomes.
    wheels: Vec<(usize, usize)>,
    asked: usize,
}

impl Wheels {
    fn answer(&mut self, count: usize) -> usize {
        if self.asked == self.wheels.len() {
            self.wheels.push((0, count));
        }
        self.asked += 1;
        self.wheels[self.asked - 1].0
    }

    fn turn(&mut self) -> bool {
        self.asked = 0;
        while let Some((shows, count)) = self.wheels.pop() {
            if shows + 1 < count {
                self.wheels.push((shows + 1, count));
                return true;
            }
        }
        false
    }
}

impl Fate for Wheels {
    fn draw(&mut self, pile: &[Code]) -> usize {
        let kinds: Vec<Code> = pile.iter().copied().collect::<BTreeSet<Code>>().into_iter().collect();
        let card = kinds[self.answer(kinds.len())];
        pile.iter().position(|c| *c == card).expect("it is there")
    }
    fn card_of_hand(&mut self, hand: &[Code]) -> usize {
        self.draw(hand)
    }
    fn tinker(&mut self, weights: [f64; 4]) -> char {
        let possible: Vec<char> = (0..4).filter(|i| weights[*i] > 0.0).map(|i| ['r', 'y', 'g', 'b'][i]).collect();
        possible[self.answer(possible.len())]
    }
    fn task(&mut self, p: f64) -> bool {
        if p <= 0.0 || p >= 1.0 { p >= 1.0 } else { self.answer(2) == 1 }
    }
    fn random_other(&mut self, seats: &[usize]) -> usize {
        seats[self.answer(seats.len())]
    }
}

fn count_naively(variant: &Variant, model: &Model, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let Some((seat, _)) = model.decision() else { return 0 };
    let mut count = 0;
    for action in model.legal() {
        let named = match action {
            Move::Play(card, _) if variant.names_color(card) && model.hands()[seat].len() > 1 => {
                ['r', 'y', 'g', 'b'].map(|color| Move::Play(card, Some(color))).to_vec()
            }
            _ => vec![action],
        };
        for action in named {
            let mut wheels = Wheels::default();
            loop {
                let mut after = model.clone();
                after.act(seat, action, false, &mut wheels).expect("a legal action");
                count += count_naively(variant, &after, depth - 1);
                if !wheels.turn() {
                    break;
                }
            }
        }
    }
    count
}

// ---- tests ----

#[test]
fn engine_counts_match_tables() {
    for block in all_blocks() {
        let rules = block.rules();
        let state = block.state(&rules);
        for (depth, number) in &block.counts {
            let number = number.unwrap_or_else(|| panic!("{}: depth {depth} has no number yet", block.place));
            let found = perft(&rules, &state, *depth);
            if found != number {
                let mut parts = String::new();
                for (action, count) in divide(&rules, &state, *depth) {
                    let _ = writeln!(parts, "  {}: {count}", rules.write_action(action.into()));
                }
                panic!("{}: depth {depth}: expected {number}, found {found}\n{parts}", block.place);
            }
        }
    }
}

#[test]
fn naive_model_counts_are_stable() {
    let mut counted = 0;
    for block in all_blocks() {
        let model = block.model();
        for (depth, number) in &block.counts {
            let number = number.unwrap_or_else(|| panic!("{}: depth {depth} has no number yet", block.place));
            if number <= 20_000 {
                assert_eq!(count_naively(model.variant(), &model, *depth), number, "{}: depth {depth}", block.place);
                counted += 1;
            }
        }
    }
    assert!(counted > 100, "only {counted} numbers were counted again");
}

#[test]
fn divided_counts_add_up() {
    for block in all_blocks() {
        let rules = block.rules();
        let state = block.state(&rules);
        assert!(divide(&rules, &state, 0).is_empty());
        assert_eq!(divide(&rules, &state, 2).iter().map(|(_, count)| count).sum::<u64>(), perft(&rules, &state, 2));
    }
}

/// Every preset has a table, and together the tables begin at every kind of decision.
#[test]
fn protocol_tables_cover_presets_and_decisions() {
    let names: BTreeSet<String> =
        tables().iter().map(|file| file.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    let presets = presets::NAMES.iter().map(ToString::to_string).collect();
    assert_eq!(names, presets, "tests/perft has a table for each preset; the head of tests/perft.rs describes it");
    let decisions: BTreeSet<&str> =
        all_blocks().iter().filter_map(|block| block.model().decision()).map(|(_, name)| name).collect();
    let every =
        ["turn", "drawn", "color", "challenge", "cheese", "swap", "lap", "target", "discard", "protect", "stack"];
    assert_eq!(decisions, every.into_iter().collect());
}

/// Counts every number again with the naive model and writes the tables.
#[test]
#[ignore = "writes the tables"]
fn write_perft_tables() {
    for file in tables() {
        let mut blocks = read_blocks(&file).into_iter();
        let mut text = String::new();
        let mut current: Option<(Block, Model)> = None;
        for line in std::fs::read_to_string(&file).expect("readable").lines() {
            if line.is_empty() {
                current = None;
            }
            if !line.starts_with("perft ") {
                let _ = writeln!(text, "{line}");
                continue;
            }
            let (_, model) = current.get_or_insert_with(|| {
                let block = blocks.next().expect("as many blocks as were read");
                let model = block.model();
                (block, model)
            });
            let (depth, _) = read_count(line).expect("perft DEPTH");
            let _ = writeln!(text, "perft {depth} {}", count_naively(model.variant(), model, depth));
        }
        std::fs::write(&file, text).expect("writable");
    }
}
