//! Errors in rules are reported in full, settings without effect cause warnings, and correct rules cause neither.
#![allow(missing_docs)]

use crate::user_bytes::{FILE, OneFile};
use unolab_engine::rules::{
    LoadedRules, Override, PresetsOnly, Rules, TableSize, VariantDraft, VariantFiles, VariantText, load, presets,
};

fn loaded(preset: &str, settings: &[&str], size: TableSize) -> Result<LoadedRules, String> {
    let overrides: Vec<Override> = settings.iter().map(|text| text.parse().expect("key=value")).collect();
    load(preset, &overrides, size, &PresetsOnly).map_err(|error| error.to_string())
}

/// Each row: a preset, settings, and a part of the reason why they are invalid; empty if they are valid.
#[test]
fn contradictory_keys_are_rejected() {
    for (preset, settings, reason) in [
        ("classic", &["match.teams=fixed", "seats.max=3"][..], "match.teams = \"fixed\" needs 4 seats"),
        ("classic", &["match.teams=rotating", "seats.min=5"], "match.teams = \"rotating\" needs 4 seats"),
        ("classic", &["match.teams=rotating_tables", "seats.max=7"], "match.teams = \"rotating_tables\" needs 8 seats"),
        ("classic", &["match.teams=rotating_tables", "seats.max=8"], ""),
        ("classic", &["match.teams=rotating_tables", "seats.max=8", "deck.numbers=0"], ""), // 32 cards, 29 at each table
        (
            "classic",
            &["match.teams=rotating_tables", "seats.max=8", "deck.numbers=0", "deck.wild=0"],
            "28 cards are too few for 4 seats",
        ),
        ("classic", &["match.teams=fixed", "match.scoring=elimination"], "is not offered with partners"),
        ("classic", &["match.scoring=elimination"], ""),
        ("classic", &["draw_four.enforcement=engine"], "there is no bluff to challenge"),
        ("classic", &["challenge.who=none"], "no player could object"),
        ("classic", &["challenge.who=none", "draw_four.enforcement=engine"], ""),
        ("classic", &["house.stacking=any_draw", "draw_two.target=tinker"], "only a Draw Two on the next player"),
        ("classic", &["seats.min=4", "seats.max=3"], "seats.min = 4 is above seats.max = 3"),
        ("classic", &["deal.hand_size=20", "seats.max=10"], "108 cards are too few"),
        (
            "classic",
            &["match.allowed_teams=[\"none\"]", "match.teams=fixed"],
            "match.teams = \"fixed\" is not in this edition",
        ),
    ] {
        match (loaded(preset, settings, TableSize::Any), reason) {
            (Ok(_), "") => {}
            (Ok(_), _) => panic!("{settings:?} are taken"),
            (Err(error), _) => assert!(!reason.is_empty() && error.contains(reason), "{settings:?}: {error}"),
        }
    }
    let at_five = loaded("classic", &["match.teams=fixed"], TableSize::Seats(5)).expect_err("partners sit across");
    assert!(at_five.contains("needs 4 seats"), "{at_five}");
    let too_many = loaded("classic", &["seats.max=6"], TableSize::Seats(7)).expect_err("one too many");
    assert!(too_many.contains("7 seats are not allowed; allowed: 2 to 6"), "{too_many}");
    assert!(loaded("classic", &["seats.max=6"], TableSize::Seats(6)).is_ok());
    // Without a number of seats, partnerships determine it.
    let players = |teams: &str| loaded("classic", &[teams], TableSize::Any).map(|loaded| loaded.rules.num_players());
    assert_eq!(players("match.teams=none"), Ok(2));
    assert_eq!(players("match.teams=fixed"), Ok(4));
    assert_eq!(players("match.teams=rotating_tables"), Ok(8));
    // 72 cards are enough for ten.
    let eleven = loaded("classic", &["deck.numbers=1"], TableSize::Seats(11)).expect_err("one too many");
    assert_eq!(eleven.lines().count(), 1, "{eleven}");
}

/// Each row: a preset, settings, and a part of the warning about the last of them; empty if it has an effect.
#[test]
fn only_keys_without_effect_are_warned_about() {
    let weights = "tinker.weights=[0.1, 0.2, 0.3, 0.4]";
    for (preset, settings, warning) in [
        ("classic", &["points.wild=40"][..], ""),
        ("classic", &["points.wild_draw_four=40"], ""),
        ("classic", &["deck.wild=0", "points.wild=40"], "the deck has no W"),
        ("classic", &["points.cheese_touch=40"], "the deck has no yC"),
        ("wimpy-kid", &["points.cheese_touch=40"], ""),
        ("classic", &["cheese_touch.last_card=draw"], "the deck has no yC"),
        ("classic", &["points.swap_hands=40"], "the deck has no WS"),
        ("swap-hands", &["points.swap_hands=40"], ""),
        ("classic", &["swap_hands.optional=true"], "no card swaps hands"),
        ("swap-hands", &["swap_hands.optional=true"], ""),
        ("classic", &[weights], "no card in play presses the button"),
        ("disney", &[weights], ""),
        ("disney", &["draw_two.target=next", "start.draw_two=draw_only", "deck.discard_all=0", weights], ""),
        ("disney", &["draw_two.target=next", "start.draw_two=draw_only", "deck.villain_draw_four=0", weights], ""),
        ("classic", &["draw_two.target=tinker", weights], ""),
        ("classic", &["draw_two.target=tinker", "deck.draw_two=0", weights], "no card in play presses the button"),
        ("classic", &["start.draw_two=tinker", weights], ""),
        ("classic", &["challenge.guilty_draw=5"], ""),
        ("classic", &["deck.wild_draw_four=0", "challenge.guilty_draw=5"], "the deck has no draw four"),
        ("disney", &["challenge.guilty_draw=5"], ""),
        (
            "classic",
            &["challenge.who=none", "draw_four.enforcement=engine", "challenge.guilty_draw=5"],
            "no player may challenge",
        ),
        ("classic", &["points.number=1"], ""),
        ("classic", &["seats.max=4", "deck.numbers=0", "points.number=1"], "the deck has no number card"),
        ("classic", &["points.skip=5"], ""),
        ("classic", &["deck.skip=0", "points.skip=5"], "the deck has no Skip"),
        ("classic", &["points.reverse=5"], ""),
        ("classic", &["deck.reverse=0", "points.reverse=5"], "the deck has no Reverse"),
        ("classic", &["deck.reverse=0", "start.reverse=mirror_first"], "the deck has no Reverse"),
        ("classic", &["two_player.reverse=literal"], ""),
        ("classic", &["deck.reverse=0", "two_player.reverse=literal"], "no card reverses the direction"),
        ("classic", &["points.draw_two=5"], ""),
        ("classic", &["deck.draw_two=0", "points.draw_two=5"], "the deck has no Draw Two"),
        ("classic", &["deck.draw_two=0", "start.draw_two=draw_only"], "the deck has no Draw Two"),
        ("classic", &["deck.draw_two=0", "draw_two.target=tinker"], "the deck has no Draw Two"),
        ("classic", &["start.wild=return"], ""),
        ("classic", &["deck.wild=0", "start.wild=return"], "no start card names a color"),
        ("swap-hands", &["deck.wild=0", "start.wild=return"], ""),
        ("classic", &["deck.draw_two=0", "house.stacking=same_kind"], ""),
        (
            "classic",
            &["deck.draw_two=0", "deck.wild_draw_four=0", "house.stacking=same_kind"],
            "no draw card that can be answered",
        ),
        ("classic", &["deck.7=0", "house.seven_zero=true"], ""),
        ("classic", &["deck.7=0", "deck.0=0", "house.seven_zero=true"], "neither a 7 nor a 0"),
        ("classic", &["match.hands_per_partnership=3"], "match.teams is not \"rotating\""),
        ("classic", &["match.teams=rotating", "match.hands_per_partnership=3"], ""),
        ("classic", &["match.hands_per_partnership_tables=3"], "match.teams is not \"rotating_tables\""),
        ("classic", &["match.teams=rotating_tables", "match.hands_per_partnership_tables=3"], ""),
    ] {
        let LoadedRules { warnings, .. } = loaded(preset, settings, TableSize::Any).expect("good rules");
        let last = settings.last().expect("a setting").split('=').next().expect("a key");
        let place = format!("--set {last}: ");
        let found: Vec<&str> = warnings.iter().filter_map(|text| text.strip_prefix(&place)).collect();
        match found[..] {
            [] => assert!(warning.is_empty(), "{preset} {settings:?}: there is no warning"),
            [one] => assert!(!warning.is_empty() && one.contains(warning), "{preset} {settings:?}: {one}"),
            _ => panic!("{found:?}"),
        }
    }
}

/// Keys of a file without effect cause a warning at their lines; keys of its base, and keys required without a base, do
/// not.
#[test]
fn keys_without_effect_are_warned_about_with_line() {
    let warnings = |text: String| -> Vec<String> {
        let files: &[_] = Box::leak(Box::new([("mine", &*Box::leak(text.into_boxed_str()))]));
        load("mine", &[], TableSize::Any, &Files(files)).expect("good rules").warnings
    };
    let found = warnings("base = \"classic\"\n[points]\nwild = 40\ncheese_touch = 40\n".into());
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("mine:4: points.cheese_touch: no effect: the deck has no yC"), "{found:?}");
    let in_full = loaded("classic", &[], TableSize::Any).expect("good rules").rules.to_toml();
    assert!(in_full.contains("cheese_touch") && warnings(in_full).is_empty());
}

/// A contradiction is reported at the last place that sets one of its keys.
#[test]
fn contradictory_keys_are_reported_with_line() {
    let on_the_line = loaded("classic", &["seats.min=4", "seats.max=3"], TableSize::Any).expect_err("none between");
    assert!(on_the_line.starts_with("--set seats.max"), "{on_the_line}");
    let card = "\n[[custom]]\nname = \"one\"\ncode = \"WX\"\ncolor = \"wild\"\ncopies = 2\nmatch = \"any\"\n";
    let effects = "effects = [\"name_color\"]\n";
    let files = |text: String| -> &'static [(&'static str, &'static str)] {
        Box::leak(Box::new([("mine", &*Box::leak(text.into_boxed_str()))]))
    };
    let other = card.replace("WX", "WZ");
    let twice = reasons(files(format!("base = \"classic\"{card}{effects}{card}{effects}{other}{effects}")));
    assert!(twice[0].starts_with("mine:12: ") && twice[0].contains("two cards have the code WX"), "{twice:?}");
    assert!(twice[0].ends_with("a capital that no other card has, such as WY"), "{twice:?}");
    let within =
        "effects = [\"name_color\", { task = { p = 0.5, fail = [{ draw = { who = \"all\", count = 0 } }] } }]\n";
    let inside = reasons(files(format!("base = \"classic\"{card}{within}")));
    assert!(inside[0].starts_with("mine:8: ") && inside[0].contains("task.fail"), "{inside:?}");
}

/// The last base has to be complete; missing keys are named.
#[test]
fn missing_card_counts_are_named() {
    let whole = loaded("classic", &[], TableSize::Any).expect("good rules").rules.to_toml();
    let lacks: String =
        whole.lines().filter(|line| !line.starts_with("skip = ")).map(|line| format!("{line}\n")).collect();
    let files: &[_] =
        Box::leak(Box::new([("mine", "base = \"other\"\n"), ("other", &*Box::leak(lacks.into_boxed_str()))]));
    let found = reasons(files);
    assert!(found.len() == 2 && found[0].contains("deck.skip"), "{found:?}");
}

#[test]
fn integers_and_probabilities_are_validated() {
    for (setting, is_good) in [
        ("points.wild=0.0", true),
        ("points.wild=1e1", true),
        ("points.wild=0.5", false),
        ("tinker.weights=[0.5, 0.5, 0, 0]", true),
        ("tinker.weights=[0.5, 0.25, 0, 0]", false),
        ("tinker.weights=[0.5, 0.5, 0.5, 0]", false),
    ] {
        assert_eq!(loaded("disney", &[setting], TableSize::Any).is_ok(), is_good, "{setting}");
    }
}

/// Files by name.
struct Files(&'static [(&'static str, &'static str)]);

impl VariantFiles for Files {
    fn read(&self, base: &str, _from: &str) -> Result<VariantText, String> {
        let found = self.0.iter().find(|(name, _)| *name == base).ok_or_else(|| format!("no file {base}"))?;
        Ok(VariantText { name: base.into(), text: found.1.into() })
    }
}

#[test]
fn draft_is_checked_for_each_number_of_seats() {
    let files = Files(&[("mine", "base = \"classic\"\n[seats]\nmax = 4\n")]);
    let draft = VariantDraft::read("mine", &[], &files);
    let key = |loaded: LoadedRules| (loaded.rules.hash(), loaded.rules.num_players());
    for seats in 2..=10 {
        let size = TableSize::Seats(seats);
        let loaded = load("mine", &[], size, &files).map(key);
        assert_eq!(loaded.is_ok(), seats <= 4, "{seats} seats");
        assert_eq!(draft.check(size), loaded.clone().map(drop), "{seats} seats");
        assert_eq!(draft.rules(size).map(key), loaded, "{seats} seats");
    }
}

/// The reasons why `mine` cannot be loaded, line by line.
#[track_caller]
fn reasons(files: &'static [(&'static str, &'static str)]) -> Vec<String> {
    let error = load("mine", &[], TableSize::Any, &Files(files)).expect_err("something is wrong").to_string();
    error.lines().map(str::to_owned).collect()
}

#[test]
fn file_errors_are_reported_in_line_order() {
    let wrong = "seats.max = 3\n[match]\nteams = \"fixed\"\ntarget = \"much\"\n[uno]\npenalti = 2\n";
    let files: &[_] =
        Box::leak(Box::new([("mine", &*Box::leak(format!("base = \"classic\"\n{wrong}").into_boxed_str()))]));
    let found = reasons(files);
    for (reason, expected) in found.iter().zip(["mine:4: ", "mine:5: match.target", "mine:7: uno.penalti"]) {
        assert!(reason.starts_with(expected), "{expected} is not in {found:#?}");
    }
    assert_eq!(found.len(), 3, "{found:#?}");
}

#[test]
fn unreadable_base_is_reported_with_location() {
    assert_eq!(reasons(&[("mine", "\nbase = \"other\"\n")]), ["mine:2: base: no file other"]);
    assert_eq!(
        reasons(&[("mine", "base = \"other\"\n"), ("other", "# first\nbase = \"mine\"\n")]),
        ["other:2: base: the file is its own base, over mine, other"]
    );
    let number = reasons(&[("mine", "base = 7\n")]);
    assert!(number[0].starts_with("mine:1: base: 7 is not allowed"), "{number:?}");
    let none = reasons(&[("mine", "seats.max = 4\n")]);
    assert!(none[0].starts_with("mine: has no base and does not set deck.skip; set every key"), "{none:?}");
    assert!(reasons(&[("mine", "base = \"classic\"\nseats.max = \n")])[0].starts_with("mine:2: "));
}

#[test]
fn empty_table_follows_rules_and_keys_are_unique() {
    let empty = reasons(&[("mine", "base = \"classic\"\n[hosue]\n[uno.penality]\n[house]\n[deck]\n")]);
    assert!(empty[0].starts_with("mine:2: hosue") && empty[1].starts_with("mine:3: uno.penality"), "{empty:?}");
    assert_eq!(empty.len(), 2, "{empty:?}");
    let twice = reasons(&[("mine", "base = \"classic\"\nuno.penalty = 4\n\"uno.penalty\" = 3\n")]);
    assert!(twice.len() == 1 && twice[0].contains("uno.penalty is there twice"), "{twice:?}");
}

/// The deck after loading: the copies of these cards.
fn copies(deck: &'static str, settings: &[&str], cards: &[&str]) -> Vec<u32> {
    let overrides: Vec<Override> = settings.iter().map(|text| text.parse().expect("key=value")).collect();
    let files: &[_] = Box::leak(Box::new([("mine", deck)]));
    let rules = load("mine", &overrides, TableSize::Any, &Files(files)).expect("good rules").rules;
    cards.iter().map(|code| rules.parse_card(code).map_or(0, |card| rules.deck().count(card))).collect()
}

/// In any order of the lines, keys for fewer cards override keys for more; a later file overrides an earlier one.
#[test]
fn smallest_deck_matches_its_keys() {
    let deck = "base = \"classic\"\n[deck]\nr7 = 5\n7 = 4\nred = 3\nskip = 6\nrS = 7\nnumbers = 1\n";
    assert_eq!(copies(deck, &[], &["r7", "b7", "r3", "b3", "r0", "bS", "rS", "rR", "bR"]), [5, 4, 3, 1, 3, 6, 7, 3, 2]);
    let over = &["deck.numbers=2", "deck.skip=1"];
    assert_eq!(copies(deck, over, &["r7", "b7", "r3", "b3", "bS", "rS", "rR"]), [2, 2, 2, 2, 1, 1, 3]);
    let wilds: &[_] = &[("mine", "base = \"one\"\ndeck.wild = 6\n"), ("one", "base = \"classic\"\ndeck.W = 1\n")];
    let rules = load("mine", &[], TableSize::Any, &Files(wilds)).expect("good rules").rules;
    assert_eq!(rules.deck().count(rules.parse_card("W").expect("a wild")), 6);
    assert_eq!(copies("base = \"classic\"\ndeck.wild = 0\ndeck.W = 1\n", &[], &["W"]), [1]);
    // Also on the command line, in any order.
    let over = &["deck.r7=5", "deck.7=4", "deck.skip=6", "deck.red=3", "deck.numbers=1"];
    assert_eq!(
        copies("base = \"classic\"\n", over, &["r7", "b7", "r3", "b3", "bS", "rS", "rR"]),
        [5, 4, 3, 1, 6, 6, 3]
    );
    assert_eq!(copies("base = \"classic\"\n", &["deck.wild=0", "deck.b0=8"], &["W", "b0", "r0", "r1"]), [0, 8, 1, 2]);
}

/// The text of rules names groups of cards, and single cards where they differ from their group: it never changes, because
/// hashes are computed from it.
#[test]
fn rules_text_names_cards_differing_from_group() {
    let deck = |settings: &[&str]| -> Vec<String> {
        let text = loaded("classic", settings, TableSize::Any).expect("good rules").rules.to_toml();
        let lines = text.lines().skip_while(|line| *line != "[deck]").skip(1).take_while(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    let usual = deck(&[]);
    let codes = usual.iter().filter(|line| line.split(' ').next().is_some_and(|key| key.len() == 2)).count();
    assert_eq!(codes, 0, "{usual:?}");
    let changed: Vec<String> = deck(&["deck.r0=2", "deck.g7=5", "deck.yS=3", "deck.rR=4"])
        .into_iter()
        .filter(|line| !usual.contains(line))
        .collect();
    assert_eq!(changed, ["bR = 2", "g7 = 5", "gR = 2", "r0 = 2", "reverse = 4", "yR = 2", "yS = 3"]);
}

/// A key is checked when it is set: errors are reported before anything is built.
#[test]
fn builder_rejects_invalid_key_in_set() {
    let set = |key: &str, value: &str| Rules::builder("classic").set(key, value);
    for (key, value, reason) in [
        ("house.jumpin", "true", "did you mean `house.jump_in`?"),
        ("deal.jump_in", "true", "did you mean `house.jump_in`?"),
        ("turn.hand_size", "5", "did you mean `deal.hand_size`?"),
        ("deal.hand_size", "0", "allowed: a whole number from 1"),
    ] {
        let error = set(key, value).expect_err(key);
        assert_eq!(error.key, key);
        assert!(error.reason.contains(reason), "{key}: {}", error.reason);
    }
    let rules = set("deal.hand_size", "5").and_then(|rules| rules.set("house.jump_in", "true"));
    let rules = rules.expect("good keys").seats(3).build().expect("good rules");
    assert_eq!((rules.parameters().hand_size.get(), rules.num_players()), (5, 3));
}

#[test]
fn misspelled_preset_suggests_closest_name() {
    let reason = load("clasic", &[], TableSize::Any, &PresetsOnly).expect_err("no such preset").to_string();
    assert!(reason.contains("did you mean `classic`?"), "{reason}");
    assert_eq!(
        (presets::suggestion("disny"), presets::suggestion("poker")),
        ("did you mean `disney`? ".into(), String::new())
    );
}

#[test]
fn custom_card_with_unknown_effects_is_rejected() {
    let card = |fields: &'static str| {
        reasons_of(&format!(
            "base = \"classic\"\n[[custom]]\nname = \"mine\"\ncode = \"rX\"\ncolor = \"red\"\n{fields}\n"
        ))
    };
    let no_effect = card("effects = [7]");
    assert!(no_effect.contains("a word or a table with one key: draw, skip, reverse, name_color"), "{no_effect}");
    for (effect, reason) in [
        ("{ take = { who = \"self\", count = 1 } }", "take.who = \"self\" is not allowed; allowed: other players"),
        (
            "{ trade_hands = { who = \"others\" } }",
            "trade_hands.who = \"others\" is not allowed; allowed: one other player",
        ),
        ("{ choose_color = { who = \"all\" } }", "choose_color.who = \"all\" is not allowed; allowed: one player"),
        ("{ draw = { who = \"next\", count = { from = 3, to = 3 } } }", "allowed: from below to, to at most 20"),
        ("{ draw = { who = \"next\", count = { from = 3, to = 21 } } }", "allowed: from below to, to at most 20"),
        ("{ draw = { who = \"next\", count = 1, until = \"playable\" } }", "count and until exclude each other"),
        ("{ draw = { who = \"next\", until = \"red\" } }", "draw: "),
        ("{ draw = { who = \"partner\", count = 1 } }", "who = \"partner\" needs partners"),
    ] {
        let error = reasons_of(&format!(
            "base = \"classic\"\n[[custom]]\ncode = \"rX\"\ncolor = \"red\"\neffects = [{effect}]\n"
        ));
        assert!(error.contains(reason), "{effect}: {error}");
    }
    assert_eq!(card("effects = []"), "");
    assert_eq!(card("effects = [\"reverse\"]"), "");
}

/// The errors in a variant file; empty if it can be played.
fn reasons_of(text: &str) -> String {
    let loaded = load(FILE, &[], TableSize::Any, &OneFile(text));
    loaded.map_or_else(|error| error.to_string(), |_| String::new())
}

/// A file with two cards, one of them without copies.
const CARDS: &str = r#"base = "classic"
[[custom]]
name = "Storm"
code = "WX"
color = "wild"
copies = 2
points = 40
effects = ["name_color", { draw = { who = "next", count = 4 } }, { task = { p = 0.5, fail = [{ skip = 1 }] } }]

[[custom]]
code = "rE"
color = "red"
copies = 0
effects = [{ draw = { who = "others", count = 1 } }]
"#;

fn loaded_from(text: &str, settings: &[&str]) -> Result<LoadedRules, String> {
    let overrides: Vec<Override> = settings.iter().map(|text| text.parse().expect("key=value")).collect();
    load(FILE, &overrides, TableSize::Any, &OneFile(text)).map_err(|error| error.to_string())
}

#[test]
fn custom_card_values_are_keys() {
    let base = loaded_from(CARDS, &[]).expect("valid").rules;
    assert!(base.card("rE").is_none(), "no copies");
    let keys: Vec<String> = base.custom_card_keys().into_iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(
        keys,
        [
            "deck.rE=0",
            "points.rE=0",
            "custom.rE.effects.0.draw.count=1",
            "deck.WX=2",
            "points.WX=40",
            "custom.WX.effects.1.draw.count=4",
            "custom.WX.effects.2.task.fail.0.skip=1",
            "custom.WX.effects.2.task.p=0.5",
        ]
    );
    let settings = [
        "deck.rE=3",
        "points.WX=1e1",
        "custom.WX.effects.1.draw.count=6",
        "custom.WX.effects.2.task.p=1",
        "custom.rE.effects.0.draw.who=all",
    ];
    let changed = loaded_from(CARDS, &settings).expect("valid").rules;
    let written = CARDS
        .replace("copies = 0", "copies = 3")
        .replace("points = 40", "points = 10")
        .replace("count = 4", "count = 6")
        .replace("p = 0.5", "p = 1.0")
        .replace("\"others\"", "\"all\"");
    assert_eq!(changed.to_toml(), loaded_from(&written, &[]).expect("valid").rules.to_toml());
    // Resolved rules keep a card without copies, so that it can be added.
    let resolved = base.to_toml();
    let again = load(FILE, &[], TableSize::Any, &OneFile(&resolved)).expect("resolved rules load").rules;
    assert_eq!(again.hash(), base.hash());
    let added = |text: &str| loaded_from(text, &["deck.rE=3"]).expect("valid").rules.hash();
    assert_eq!(added(&resolved), added(CARDS));
}

#[test]
fn hand_limit_changes_rules_only_where_it_is_set() {
    let rules = |set: &str| {
        let overrides: Vec<Override> = Vec::from_iter((!set.is_empty()).then(|| set.parse().expect("key=value")));
        load("classic", &overrides, TableSize::Any, &PresetsOnly).map(|loaded| loaded.rules)
    };
    let classic = rules("").expect("valid");
    assert!(!classic.to_toml().contains("hand_limit"));
    assert_eq!(rules("house.hand_limit=none").expect("valid").hash(), classic.hash());
    for set in ["house.hand_limit=25", "house.hand_limit={cards=25,points=250}"] {
        let limited = rules(set).expect("valid");
        assert_ne!(limited.hash(), classic.hash());
        let again = load(FILE, &[], TableSize::Any, &OneFile(&limited.to_toml())).expect("valid").rules;
        assert_eq!(again.parameters(), limited.parameters());
    }
    for (set, reason) in [
        ("house.hand_limit=7", "house.hand_limit = 7 is not allowed; allowed: more than deal.hand_size = 7"),
        ("house.hand_limit=101", "101 is not allowed; allowed: \"none\", a whole number from 2 to 100"),
        ("house.hand_limit={cards=25}", "is not allowed; allowed: \"none\""),
        ("house.hand_limit={cards=25,points=1001}", "is not allowed; allowed: \"none\""),
    ] {
        let error = rules(set).expect_err(set).to_string();
        assert!(error.contains(reason), "{set}: {error}");
    }
}

#[test]
fn wrong_card_colors_are_rejected() {
    for (fields, reason) in [
        ("code = \"X\"\ncolors = [\"red\", \"red\"]", "colors = [\"red\", \"red\"] is not allowed; allowed: a list"),
        ("code = \"X\"\ncolors = [\"wild\"]", "colors = [\"wild\"] is not allowed"),
        ("code = \"X\"\ncolors = []", "colors = [] is not allowed"),
        ("code = \"rX\"\ncolors = [\"red\"]", "colors = [\"red\"] is not allowed"),
        ("code = \"X\"\ncolors = [\"red\"]\ncolor = \"red\"", "colors = [\"red\"] is not allowed"),
    ] {
        let error = reasons_of(&format!("base = \"classic\"\n[[custom]]\n{fields}\n"));
        assert!(error.contains(reason), "{fields}: {error}");
    }
    assert_eq!(reasons_of("base = \"classic\"\n[[custom]]\ncode = \"X\"\ncolors = [\"red\", \"blue\"]\n"), "");
}

#[test]
fn effects_without_consequence_are_warned_about() {
    for (effects, warning) in [
        ("{ skip = \"all\" }, { skip = 1 }", "`skip` has no effect with skip = \"all\""),
        ("{ skip = 10 }", "skip = 10 in all: with at most 10 players, no more than 9 lose a turn"),
        ("\"reverse\", \"reverse\"", "`reverse` twice has no effect"),
        ("\"reverse\", \"reverse\", { skip = 1 }", "`reverse` twice has no effect"),
        ("\"reverse\", { skip = 1 }, \"reverse\"", "`reverse` twice has no effect"),
        ("\"reverse\", { draw = { who = \"chosen\", count = 1 } }, \"reverse\"", "`reverse` twice has no effect"),
        ("\"rotate_hands\", \"shuffle_hands\"", "has no effect directly before `shuffle_hands`"),
        (
            "{ trade_hands = { who = \"next\" } }, { trade_hands = { who = \"next\" } }",
            "`trade_hands` twice has no effect",
        ),
        ("\"name_color\", { choose_color = { who = \"next\" } }", "the color is chosen more than once"),
        ("{ task = { p = 1.0, fail = [\"reverse\"] } }", "`task` has no effect"),
        ("{ draw = { who = \"next\", until = \"any\" } }", "draw.until = \"any\" works as draw.count = 1"),
    ] {
        let text = format!("base = \"classic\"\n[[custom]]\ncode = \"rX\"\ncolor = \"red\"\neffects = [{effects}]\n");
        let warnings = load(FILE, &[], TableSize::Any, &OneFile(&text)).expect("valid").warnings;
        assert!(warnings.len() == 1 && warnings[0].contains(warning), "{effects}: {warnings:?}");
    }
}

#[test]
fn effects_that_depend_on_their_order_are_not_warned_about() {
    for effects in [
        "\"reverse\", { draw = { who = \"next\", count = 1 } }, \"reverse\"",
        "\"reverse\", { skip = 1 }",
        "\"shuffle_hands\", \"rotate_hands\"",
        "{ trade_hands = { who = \"random_other\" } }, { trade_hands = { who = \"random_other\" } }",
    ] {
        let text = format!("base = \"classic\"\n[[custom]]\ncode = \"rX\"\ncolor = \"red\"\neffects = [{effects}]\n");
        let warnings = load(FILE, &[], TableSize::Any, &OneFile(&text)).expect("valid").warnings;
        assert!(warnings.is_empty(), "{effects}: {warnings:?}");
    }
}

#[test]
fn keys_without_effect_under_other_keys_are_warned_about() {
    for (settings, warning) in [
        (&["uno.window=next_draws"][..], "uno.window: no effect: uno.calls is \"auto\""),
        (&["uno.window=next_draws", "uno.calls=explicit"], ""),
        (
            &["victory_lap.missed_call=penalty", "uno.calls=explicit"],
            "victory_lap.missed_call: no effect: the deck has no WL",
        ),
        (
            &["turn.drawn_card=must", "turn.draw_count=[0.5, 0.5]"],
            "turn.drawn_card: no effect: with this turn.draw_count",
        ),
        (&["deal.cut_values=points", "deal.dealer=random"], "deal.cut_values: no effect: deal.dealer is not \"cut\""),
        (&["match.target=300", "match.teams=rotating"], "match.target: no effect: with changing partners"),
        (&["house.hand_limit=100", "deck.numbers=1"], "house.hand_limit: no effect: the deck has only 72 cards"),
        (&["house.hand_limit=100"], ""),
    ] {
        let overrides: Vec<Override> = settings.iter().map(|text| text.parse().expect("key=value")).collect();
        let found = load("classic", &overrides, TableSize::Any, &PresetsOnly).expect("valid").warnings;
        let expected = !warning.is_empty();
        assert!(found.len() == usize::from(expected) && found.iter().all(|one| one.contains(warning)), "{found:?}");
    }
}

#[test]
fn wrong_custom_card_keys_are_rejected() {
    for (setting, reason) in [
        ("deck.rF=1", "--set deck.rF: no custom card has the code rF; allowed: WX, rE"),
        ("deck.WX=16", "copies = 16 is not allowed; allowed: 0 to 15"),
        ("points.WX=1001", "points = 1001 is not allowed; allowed: 0 to 1000"),
        ("custom.WX.effects.1.draw.count=30", "effects[1].draw.count = 30 is not allowed; allowed: 1 to 20"),
        ("custom.WX.effects.1.draw.count=many", "draw: "),
        (
            "custom.WX.effects.7.draw.count=3",
            "the card has no such value; did you mean `custom.WX.effects.1.draw.count`?",
        ),
        ("custom.WX", "the card has no such value"),
    ] {
        let setting = if setting.contains('=') { setting.to_owned() } else { format!("{setting}=1") };
        let error = loaded_from(CARDS, &[&setting]).expect_err("refused");
        assert!(error.contains(reason), "{setting}: {error}");
    }
    let none = loaded("classic", &["custom.rX.points=3"], TableSize::Any).expect_err("refused");
    assert!(none.contains("no custom card has the code rX; allowed: the variant has no custom cards"), "{none}");
    let warnings = loaded_from(CARDS, &["points.rE=5"]).expect("valid").warnings;
    assert_eq!(warnings, ["--set points.rE: no effect: the deck has no rE"]);
}

#[test]
fn fault_of_deck_is_not_blamed_on_custom_card() {
    let few = CARDS.replace("base = \"classic\"\n", "base = \"classic\"\ndeck.numbers = 0\ndeal.hand_size = 5\n");
    let error = loaded_from(&few, &[]).expect_err("34 cards");
    assert_eq!(
        error,
        format!(
            "{FILE}:3: 34 cards are too few for 10 seats with deal.hand_size = 5 and a start card; lower deal.hand_size or seats.max"
        )
    );
}

#[test]
fn table_under_key_of_one_value_names_key() {
    let text = "base = \"classic\"\nturn.draw = { min = 0, max = 10 }\n";
    let error = loaded_from(text, &[]).expect_err("not a table");
    assert!(error.starts_with(&format!("{FILE}:2: turn.draw: {{ ")), "{error}");
    assert!(error.ends_with("is not allowed; allowed: \"always\", \"no_match\", \"no_playable\""), "{error}");
}
