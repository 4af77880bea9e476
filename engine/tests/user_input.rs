//! Everything that a user writes is rejected with a reason or can be played: variants, overrides, positions, scenarios,
//! records, cards and actions. Valid texts are altered by seed; `PROPTEST_CASES` sets the number of each kind, 256 by
//! default.

#![allow(missing_docs)]

use std::sync::LazyLock;

use crate::common::{self, below, one_of};
use crate::random_play;
use crate::user_bytes::{self, FILE, OneFile, mutate::mutated};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::notation::NotationError;
use unolab_engine::record::{Header, RecordWriter, Unit};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{Override, PresetsOnly, Rules, TableSize, VariantFiles, VariantText, load, presets};
use unolab_engine::scenario;
use unolab_engine::seat::{Direction, Seat, SeatSet};
use unolab_engine::state::{RoundSetup, RoundState, SetupError};

/// The number of decisions that are played from accepted input.
const MOST: usize = 150;

fn cases() -> u64 {
    std::env::var("PROPTEST_CASES").map_or(256, |text| text.parse().expect("PROPTEST_CASES is a number"))
}

/// The reasons for which a variant file is rejected.
fn refused(text: &str) -> String {
    match load(FILE, &[], TableSize::Any, &OneFile(text)) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    }
}

fn custom_card(effects: &str) -> String {
    format!(
        "base = \"classic\"\n[[custom]]\nname = \"long\"\ncode = \"rX\"\ncolor = \"red\"\nstart = \"plain\"\neffects = [{effects}]\n"
    )
}

// ---- what has a limit ----

#[test]
fn card_with_over_20_effects_including_tasks_is_rejected() {
    let draw = "{ draw = { who = \"next\", count = 20 } }, ";
    let reason = "user.toml:7: custom card \"long\": effects: 300 in all, those within tasks and options counted, are not allowed; allowed: at most 20";
    assert_eq!(refused(&custom_card(&draw.repeat(300))), reason);
    let task = format!("{{ task = {{ p = 0.0, fail = [{}] }} }}, ", draw.repeat(20));
    assert!(refused(&custom_card(&task.repeat(20))).contains("effects: 420 in all"));
    let mut nested = draw.to_string();
    for _ in 0..19 {
        nested = format!("{{ task = {{ p = 0.0, fail = [{nested}] }} }}");
    }
    assert!(user_bytes::variant(&custom_card(&nested), MOST));
    assert!(user_bytes::variant(&custom_card(&draw.repeat(20)), MOST));
    assert!(refused(&custom_card(&"{ skip = 10 }, ".repeat(40))).contains("effects: 40 in all"));
    assert!(user_bytes::variant(&custom_card(&"{ skip = 10 }, ".repeat(20)), MOST));
}

/// The maximum number of cards, each with the maximum number of effects.
#[test]
fn custom_cards_with_all_effects_are_accepted() {
    let mut text = String::from("base = \"classic\"\nseats.max = 2\n");
    for card in ["skip", "reverse", "draw_two", "wild", "wild_draw_four"] {
        text += &format!("deck.{card} = 0\n");
    }
    for letter in 'A'..='Z' {
        if "SRDCVLW".contains(letter) {
            continue;
        }
        text += &format!(
            "[[custom]]\nname = \"{letter}\"\ncode = \"W{letter}\"\ncolor = \"wild\"\ncopies = 8\neffects = [{}]\n",
            "{ draw = { who = \"others\", count = 1 } }, ".repeat(20)
        );
    }
    assert!(user_bytes::variant(&text, MOST));
}

/// If all cards had the same value, the cut would never end.
#[test]
fn cut_without_possible_winner_is_rejected() {
    let deck_of = |numbers: &[u32]| {
        let mut text = String::from("base = \"classic\"\nseats.max = 2\n");
        for card in ["skip", "reverse", "draw_two", "wild", "wild_draw_four"] {
            text += &format!("deck.{card} = 0\n");
        }
        for (color, number) in "rygb".chars().flat_map(|color| (0..10).map(move |number| (color, number))) {
            text += &format!("deck.{color}{number} = {}\n", 4 * u32::from(numbers.contains(&number)));
        }
        text
    };
    let message = refused(&(deck_of(&[5]) + "deal.dealer = \"cut\"\n"));
    assert!(message.contains("every card of the deck counts 5 with deal.cut_values = \"number\""), "{message}");
    assert!(user_bytes::variant(&deck_of(&[5]), MOST));
    assert!(user_bytes::variant(&(deck_of(&[5, 6]) + "deal.dealer = \"cut\"\n"), MOST));
}

#[test]
fn long_chain_of_bases_is_rejected() {
    struct Chain(usize);
    impl VariantFiles for Chain {
        fn read(&self, base: &str, _from: &str) -> Result<VariantText, String> {
            let number: usize = base.parse().map_err(|_| "not a number".to_string())?;
            let next = if number + 1 < self.0 { (number + 1).to_string() } else { "classic".into() };
            Ok(VariantText { name: base.into(), text: format!("base = \"{next}\"") })
        }
    }
    assert!(load("0", &[], TableSize::Any, &Chain(99)).is_ok()); // and the preset is the hundredth
    let error = load("0", &[], TableSize::Any, &Chain(20_000)).expect_err("too long").to_string();
    let reason =
        "99:1: base: 100 would be one file too many; allowed: at most 100 files, each the base of the one before";
    assert_eq!(error.lines().next(), Some(reason));
}

#[test]
fn long_and_deep_keys_are_rejected_quickly() {
    for key in ["x".repeat(1 << 20), "a.".repeat(1 << 15) + "b", "\"a\".".repeat(60) + "b"] {
        assert!(!refused(&format!("base = \"classic\"\n{key} = 1")).is_empty());
    }
    let deep = format!("base = {}1{}", "[".repeat(1 << 16), "]".repeat(1 << 16));
    assert!(!refused(&deep).is_empty());
    let nested = format!("{}\"reverse\"{}", "{ task = { p = 0, fail = [".repeat(5_000), "] } }".repeat(5_000));
    assert!(!refused(&custom_card(&nested)).is_empty());
    let cards: String = (0..3_000)
        .map(|number| {
            format!("[[custom]]\nname = \"{number}\"\ncode = \"rX\"\ncolor = \"red\"\neffects = [\"reverse\"]\n")
        })
        .collect();
    assert!(refused(&format!("base = \"classic\"\n{cards}")).contains("kinds of card; at most 64 are allowed"));
}

#[test]
fn excess_copies_of_card_are_rejected() {
    let rules = Rules::preset("classic");
    let red_seven = rules.parse_card("r7").expect("a card");
    assert_eq!(rules.parse_cards(&"r7 ".repeat(15)).map(Cards::len), Ok(15));
    for copies in [16, 17, 31, 32, 1_000] {
        assert_eq!(rules.parse_cards(&"r7 ".repeat(copies)), Err(NotationError::TooManyCopies("r7".into())));
    }
    let eight: Cards = [red_seven; 8].into_iter().collect();
    let hands = [eight, eight].into_iter().collect();
    let setup = RoundSetup {
        seats: SeatSet::first(2),
        dealer: Seat::new(0),
        direction: Direction::Left,
        to_act: Seat::new(1),
        hands,
        top: rules.parse_card("r5").expect("a card"),
        under_top: Cards::EMPTY,
        color: None,
        draw_pile: Cards::EMPTY,
    };
    let found = SetupError::TooManyCopies { card: red_seven, found: 16, deck: 2 };
    assert_eq!(RoundState::from_setup(&setup, &rules), Err(vec![found]));
    // A kind that these rules do not have.
    let foreign = Card::new(63);
    let errors = RoundState::from_setup(&RoundSetup { top: foreign, ..setup }, &rules).expect_err("impossible");
    assert!(errors.contains(&SetupError::TooManyCopies { card: foreign, found: 1, deck: 0 }));
    assert!(errors.iter().all(|error| !error.describe(&rules).is_empty()));
}

#[test]
fn impossible_scores_are_rejected() {
    let scenario = |score: u64| {
        format!(
            "[[scenario]]\nname = \"rich\"\nvariant = \"classic\"\nseats = 2\nscores = [{score}, 0]\nhands = [\"r1\", \"b5 b6\"]\n\
             discard = \"r5\"\nto_act = 0\nsteps = [{{ seat = 0, do = \"play r1\" }}]\n"
        )
    };
    assert!(user_bytes::scenario(&scenario(1_000_000_000), MOST));
    assert!(!user_bytes::scenario(&scenario(1_000_000_001), MOST));
    assert!(!user_bytes::scenario(&scenario(4_294_967_295), MOST));
}

/// Seats that are missing in a list would never be checked.
#[test]
fn expectation_has_entry_per_seat() {
    let scenario = |expected: &str| {
        format!(
            "[[scenario]]\nname = \"short\"\nvariant = \"classic\"\nseats = 3\nhands = [\"r1 b1\", \"b5 b6\", \"g1\"]\n\
             discard = \"r5\"\nto_act = 0\nsteps = [{{ seat = 0, do = \"play r1\" }}, {{ expect = {{ {expected} }} }}]\n"
        )
    };
    for (full, short) in [
        ("hands = [\"b1\", \"_\", \"_\"]", "hands = [\"b1\"]"),
        ("hand_sizes = [1, -1, 1]", "hand_sizes = [1, -1]"),
        ("scores = [0, 0, 0]", "scores = [0, 0]"),
    ] {
        assert!(user_bytes::scenario(&scenario(full), MOST), "{full}");
        let errors = scenario::parse("mine", &scenario(short), &PresetsOnly).expect_err(short);
        assert!(errors[0].to_string().contains("entries for 3 seats"), "{}", errors[0]);
    }
    let below = scenario::parse("mine", &scenario("hand_sizes = [1, -2, 1]"), &PresetsOnly).expect_err("-2 cards");
    assert!(below[0].to_string().contains("hand_sizes: -2 is not allowed"), "{}", below[0]);
}

/// A seat is expected to know at least these cards, or exactly these.
#[test]
fn unexpected_seat_knowledge_is_reported() {
    let found = |sees: &str| {
        let text = format!(
            "[[scenario]]\nname = \"sees\"\nvariant = \"classic\"\nseats = 2\nhands = [\"W4 r1 r2\", \"b5 b6 g1\"]\n\
             discard = \"y5\"\nto_act = 0\nsteps = [{{ seat = 0, do = \"play W4 r\" }}, {{ seat = 1, do = \"challenge\" }}, {{ sees = {{ {sees} }} }}]\n"
        );
        let scenarios = scenario::parse("mine", &text, &PresetsOnly).expect("it can be played");
        match scenarios[0].run().expect("it is played") {
            scenario::Verdict::Passed => String::new(),
            scenario::Verdict::Failed { expected, found, .. } => format!("{expected}, not {found}"),
        }
    };
    assert_eq!(found("by = 1, seat = 0, hand = \"r1\""), "");
    assert_eq!(found("by = 1, seat = 0, hand = \"r1 r2\", exact = true"), "");
    assert_eq!(
        found("by = 1, seat = 0, hand = \"r1\", exact = true"),
        "seat 1 knows exactly \"r1\" of seat 0's hand, not \"r1 r2\""
    );
    assert_eq!(
        found("by = 1, seat = 0, hand = \"r1 g7\""),
        "seat 1 knows at least \"r1 g7\" of seat 0's hand, not \"r1 r2\""
    );
}

// ---- altered at random ----

/// Alters texts, and counts the accepted ones; not all can be accepted.
fn altered(sort: &str, texts: &[String], mut accepts: impl FnMut(&str, &mut Rng) -> bool) {
    let mut accepted = 0;
    for seed in 0..cases() {
        let mut rng = Rng::from_seed(seed);
        let good = &texts[below(&mut rng, texts.len())];
        let text = mutated(good, texts, &mut rng);
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| accepts(&text, &mut rng)));
        accepted += u64::from(outcome.unwrap_or_else(|_| panic!("{sort}, seed {seed}:\n{text}")));
    }
    println!("{sort}: {accepted} of {} accepted", cases());
    assert!(accepted < cases() * 99 / 100, "{sort}: {accepted} accepted");
}

/// Complete variants, short variants with a base, and variants with random custom cards.
static VARIANTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut texts: Vec<String> = presets::NAMES.map(|name| Rules::preset(name).to_toml()).to_vec();
    texts.extend(common::custom_variants().iter().map(common::Sheet::text));
    let mut rng = Rng::from_seed(1);
    for _ in 0..60 {
        let base = one_of(&mut rng, &presets::NAMES);
        let set: Vec<String> =
            common::random_settings(&mut rng).iter().filter_map(|setting| toml_line(setting)).collect();
        texts.push(format!("base = \"{base}\"\n{}\n{}", set.join("\n"), common::random_custom_cards(&mut rng)));
    }
    texts
});

/// A setting of the command line as a line of a variant file.
fn toml_line(setting: &str) -> Option<String> {
    let Override { key, value } = setting.parse().ok()?;
    Some(format!("{key} = {value}"))
}

#[test]
fn altered_variant_is_rejected_or_playable() {
    altered("variants", &VARIANTS, |text, _| user_bytes::variant(text, MOST));
}

/// Custom cards of every kind, with effects at and beyond their limits.
#[test]
fn custom_card_at_or_beyond_limit_is_rejected_or_playable() {
    let mut accepted = 0;
    for seed in 0..cases() {
        let mut rng = Rng::from_seed(seed);
        let effects: Vec<String> = (0..one_of(&mut rng, &[1, 2, 3, 19, 20, 21])).map(|_| effect(&mut rng, 2)).collect();
        let set: Vec<String> =
            common::random_settings(&mut rng).iter().filter_map(|setting| toml_line(setting)).collect();
        let text = format!(
            "base = \"{}\"\n{}\n[[custom]]\nname = \"any\"\ncode = \"{}\"\ncolor = \"{}\"\ncopies = {}\npoints = {}\nmatch = \"{}\"\n\
             start = \"plain\"\neffects = [{}]\n",
            one_of(&mut rng, &presets::NAMES),
            set.join("\n"),
            one_of(&mut rng, &["WX", "rX"]),
            one_of(&mut rng, &["wild", "red"]),
            one_of(&mut rng, &[1, 7, 8, 8, 9]),
            one_of(&mut rng, &[0, 999, 1_000, 1_001]),
            one_of(&mut rng, &["any", "color", "7", "draw_two"]),
            effects.join(", "),
        );
        accepted += u64::from(user_bytes::variant(&text, 2 * MOST));
    }
    println!("{accepted} of {} accepted", cases());
    assert!(accepted > cases() / 100);
}

fn effect(rng: &mut Rng, depth: usize) -> String {
    let who = one_of(rng, &["next", "others", "all", "chosen", "random_other"]);
    match below(rng, if depth > 0 { 9 } else { 8 }) {
        0 | 1 => {
            format!("{{ draw = {{ who = \"{who}\", count = {} }} }}", one_of(rng, &[1, 2, 19, 20, 20, 20, 20, 21]))
        }
        2 => format!("{{ skip = {} }}", one_of(rng, &["1", "9", "10", "10", "10", "\"all\"", "11"])),
        3 => "\"reverse\"".into(),
        4 => "\"name_color\"".into(),
        5 => format!("{{ discard = {{ who = \"{who}\", cards = \"{}\" }} }}", one_of(rng, &["wilds", "named_color"])),
        6 => "\"swap_hands\"".into(),
        7 => "\"rotate_hands\"".into(),
        _ => {
            let fail: Vec<String> = (0..=below(rng, 3)).map(|_| effect(rng, depth - 1)).collect();
            format!("{{ task = {{ p = {}, fail = [{}] }} }}", one_of(rng, &["0", "0.5", "1.0", "1.1"]), fail.join(", "))
        }
    }
}

#[test]
fn altered_override_is_rejected_or_playable() {
    let mut rng = Rng::from_seed(2);
    let texts: Vec<String> = (0..80)
        .map(|_| format!("{}\n{}", one_of(&mut rng, &presets::NAMES), common::random_settings(&mut rng).join("\n")))
        .collect();
    altered("overrides", &texts, |text, _| user_bytes::overrides(text, MOST));
}

#[test]
fn altered_position_is_rejected_or_playable() {
    let mut texts = Vec::new();
    let tables: Vec<(Rules, usize)> =
        random_play::all_rules().into_iter().chain(random_play::random_rules(40)).collect();
    for (place, (rules, seats)) in tables.iter().enumerate() {
        let rngs = [&mut Rng::from_seed(3), &mut Rng::from_seed(place as u64)];
        let mut met = 0;
        random_play::play_round(rules, SeatSet::first(*seats), Seat::new(0), rngs, &mut (), |state| {
            met += 1;
            if met % 7 == 1 && met < 200 {
                texts.push((place, state.to_text(rules)));
            }
        });
    }
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..4 * cases() {
        let mut rng = Rng::from_seed(seed);
        let (place, good) = &texts[below(&mut rng, texts.len())];
        let others: Vec<String> =
            texts.iter().filter(|(other, _)| other == place).map(|(_, text)| text.clone()).collect();
        let text = mutated(good, &others, &mut rng);
        let rules = &tables[*place].0;
        let outcome = std::panic::catch_unwind(|| user_bytes::position(rules, &text, MOST));
        match outcome.unwrap_or_else(|_| panic!("seed {seed}, {}:\n{text}", rules.name())) {
            true => accepted += 1,
            false => refused += 1,
        }
    }
    println!("positions: {accepted} accepted, {refused} refused");
    assert!(accepted > cases() / 10 && refused > cases() / 10);
}

#[test]
fn position_of_arbitrary_parts_is_rejected_or_playable() {
    let tables = random_play::all_rules();
    let mut accepted = 0;
    for seed in 0..4 * cases() {
        let mut rng = Rng::from_seed(seed);
        let mut bytes: Vec<u8> = (0..150).map(|_| u8::try_from(below(&mut rng, 256)).expect("a byte")).collect();
        if below(&mut rng, 2) == 0 {
            // Few cards, each of a kind in the deck: most such positions are possible.
            bytes.iter_mut().skip(2).for_each(|byte| *byte %= 60);
        }
        let (rules, _) = &tables[below(&mut rng, tables.len())];
        accepted += u64::from(user_bytes::setup(rules, &bytes, MOST));
    }
    println!("setups: {accepted} of {} accepted", 4 * cases());
}

/// Each scenario of the project as a separate file.
fn scenario_texts() -> Vec<String> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios");
    let mut texts = Vec::new();
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .expect("the directory is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "toml")) {
        let text = std::fs::read_to_string(path).expect("readable");
        texts.extend(text.split("[[scenario]]").skip(1).map(|one| format!("[[scenario]]{one}")));
    }
    texts
}

#[test]
fn altered_scenario_is_rejected_or_playable() {
    let texts = scenario_texts();
    altered("scenarios", &texts, |text, _| user_bytes::scenario(text, MOST));
}

/// Records of rounds under rules of every kind, except long ones.
fn record_texts() -> Vec<String> {
    let mut texts = Vec::new();
    for (seed, (rules, seats)) in (0..).zip(random_play::all_rules()) {
        let header = Header {
            unit: Unit::Round,
            seed,
            set: 0,
            dealer: Seat::new(0),
            agents: vec!["someone".into(); seats],
            names: Vec::new(),
            extra_cards: Vec::new(),
        };
        let mut writer = RecordWriter::new(&rules, &header);
        let rngs = [&mut Rng::from_seed(seed), &mut Rng::from_seed(seed + 1)];
        let end = random_play::play_round(&rules, SeatSet::first(seats), Seat::new(0), rngs, &mut writer, |_| {});
        writer.end_round(&end);
        texts.push(writer.finish());
    }
    texts.retain(|text| text.len() < 40_000);
    texts
}

#[test]
fn altered_record_is_rejected_or_replays() {
    let texts = record_texts();
    texts.iter().for_each(|text| assert!(user_bytes::record(text)));
    altered("records", &texts, |text, _| user_bytes::record(text));
}

#[test]
fn altered_card_or_action_is_rejected_or_round_trips() {
    let rules = Rules::preset("disney");
    let texts: Vec<String> =
        ["r7 r7 gS", "play r7 uno", "play W g", "swap 3", "discard-all WA", "catch 9", "", "target 0", "protect y0"]
            .map(String::from)
            .to_vec();
    altered("cards and actions", &texts, |text, _| user_bytes::cards_and_actions(&rules, text));
}

/// A hundred thousand bytes of repeated text, for recursion in nested input and for quadratic comparisons.
const LONG: [(&str, &str); 8] = [
    ("variant", "a.{a=[("),
    ("variant", "deck.a = 1\n"),
    ("scenario", "[[scenario]]\n"),
    ("overrides", "uno.penalty=[{\n"),
    ("cards", "r7 "),
    ("record", "{\"a\":["),
    ("agent_spec", "!="),
    ("agent_spec", "forgetful:agent="),
];

fn long(part: &str) -> String {
    part.repeat(100_000 / part.len())
}

#[test]
fn long_text_is_rejected_or_parsed() {
    let rules = Rules::preset("disney");
    let single = "([{<\"'=.,:;-+ \\\n\ta1rWé".chars().map(|letter| letter.to_string());
    for part in LONG.iter().map(|(_, part)| (*part).to_owned()).chain(single) {
        let text = long(&part);
        user_bytes::variant(&text, MOST);
        user_bytes::variant(&format!("base = \"classic\"\nuno.penalty = {text}"), MOST);
        user_bytes::overrides(&text, MOST);
        user_bytes::scenario(&text, MOST);
        user_bytes::record(&text);
        user_bytes::position(&rules, &text, MOST);
        user_bytes::cards_and_actions(&rules, &text);
    }
}

/// A preset keeps its name and rules, regardless of the name of the user's file.
#[test]
fn presets_only_reads_no_files() {
    let error = load("no such file", &[], TableSize::Any, &PresetsOnly).expect_err("no file").to_string();
    assert!(error.contains("no such file") && error.contains("classic"), "{error}");
}

/// Writes the seeds of the fuzz targets into `fuzz/seeds`: `cargo test -p unolab-engine --test all -- --ignored seeds`.
#[test]
#[ignore = "writes into the tree"]
fn write_seeds_of_fuzz_targets() {
    let directory = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds"));
    let write = |target: &str, number: usize, bytes: &[u8]| {
        let directory = directory.join(target);
        std::fs::create_dir_all(&directory).expect("a directory");
        std::fs::write(directory.join(format!("{number:03}")), bytes).expect("a file");
    };
    VARIANTS.iter().enumerate().for_each(|(number, text)| write("variant", number, text.as_bytes()));
    let settings = common::all_settings();
    for (number, some) in settings.chunks(8).enumerate() {
        let preset = presets::NAMES[number % presets::NAMES.len()];
        write("overrides", number, format!("{preset}\n{}", some.concat().join("\n")).as_bytes());
    }
    let mut scenarios = scenario_texts();
    scenarios.retain(|text| !text.contains(".toml"));
    scenarios.iter().step_by(9).enumerate().for_each(|(number, text)| write("scenario", number, text.as_bytes()));
    record_texts().iter().enumerate().for_each(|(number, text)| write("record", number, text.as_bytes()));
    for (place, letter) in user_bytes::letters().enumerate() {
        let rules = user_bytes::rules_of(letter);
        let rngs = [&mut Rng::from_seed(3), &mut Rng::from_seed(u64::from(letter))];
        let mut positions = std::collections::BTreeMap::new();
        random_play::play_round(rules, SeatSet::first(3), Seat::new(0), rngs, &mut (), |state| {
            positions.entry(state.phase().decision()).or_insert_with(|| state.to_text(rules));
        });
        for (number, text) in positions.values().enumerate() {
            write("position", 20 * place + number, format!("{}{text}", char::from(letter)).as_bytes());
        }
        let bytes: Vec<u8> = (0..120).map(|byte: u8| byte.wrapping_mul(7).wrapping_add(letter) % 60).collect();
        write("setup", place, &[&[letter], bytes.as_slice()].concat());
        let card = rules.code(Card::new(place % rules.kinds().len()));
        for (number, text) in
            ["play CARD uno", "CARD CARD", "play CARD g", "swap 3", "discard-all CARD"].iter().enumerate()
        {
            write(
                "cards",
                5 * place + number,
                format!("{}{}", char::from(letter), text.replace("CARD", card)).as_bytes(),
            );
        }
    }
    let specs = ["random", "mixbot", "greedy:goal=points", "monte-carlo:rollouts=3,belief=inferred", "ismcts:time=0.1"];
    let nested = [
        "forgetful:p=0.5,agent=mixbot",
        "diversity",
        "oracle:bias=0.5",
        "me=ismcts:iterations=20000",
        "cmd:bot,decision_ms=5",
    ];
    specs.iter().chain(&nested).enumerate().for_each(|(number, text)| write("agent_spec", number, text.as_bytes()));
    for (number, (target, part)) in LONG.iter().enumerate() {
        write(target, 900 + number, long(part).as_bytes());
    }
    let lines = [
        r#"{"protocol": 1, "events": true}"#,
        r#"{"decision": 7, "action": 0}"#,
        r#"{"decision": 7, "action": 4, "note": "I \u001b hold"}"#,
        r#"{"decision": 6, "action": 99}"#,
    ];
    lines.iter().enumerate().for_each(|(number, text)| write("answer", number, text.as_bytes()));
}
