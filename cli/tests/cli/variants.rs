//! `unolab variants` and `unolab agents`.

use unolab_engine::rules::presets;

use super::Home;

#[test]
fn every_preset_is_listed() {
    let home = Home::new();
    let list = home.output("variants list");
    assert_eq!(list.lines().map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>(), presets::NAMES);
    assert_eq!(home.output("variants"), list);
}

#[test]
fn shown_variant_loads_to_same_rules() {
    let home = Home::new();
    for preset in presets::NAMES {
        let shown = home.output(&format!("variants show {preset}"));
        home.write(&format!("{preset}.toml"), &shown);
        assert_eq!(home.output(&format!("variants show {preset}.toml")), shown);
        let hash = shown.lines().next().unwrap().rsplit(' ').next().unwrap();
        assert_eq!(
            home.output(&format!("variants check {preset}.toml")),
            format!("{preset}.toml: valid, rules hash {hash}\n")
        );
    }
}

#[test]
fn shown_variant_explains_each_key() {
    let home = Home::new();
    let shown = home.output("variants show classic");
    let above = |key: &str| {
        let at = shown.lines().position(|line| line.starts_with(key)).unwrap_or_else(|| panic!("{key} in {shown}"));
        shown.lines().nth(at - 1).unwrap().to_owned()
    };
    assert!(above("penalty = ").starts_with("# The number of cards that a player draws when caught without a call."));
    assert!(above("stacking = ").contains("Allowed: \"off\", "));
    assert_eq!(
        shown.lines().filter(|line| line.starts_with("# ") && line.contains(" Allowed: ")).count(),
        unolab_engine::rules::Rules::preset("classic").parameters().entries_to_write().len()
    );
}

#[test]
fn deck_by_colors_and_numbers_is_accepted() {
    let home = Home::new();
    home.write("base.toml", "base = \"classic\"\ndeck.r7 = 5\ndeck.bS = 4\n");
    home.write(
        "mine.toml",
        "base = \"base.toml\"\ndeal.hand_size = 3\n[deck]\nb7 = 3\nblue = 1\nnumbers = 0\nskip = 2\n0 = 2\nrS = 1\n",
    );
    let shown = home.output("variants show mine.toml");
    home.write("shown.toml", &shown);
    assert_eq!(home.output("variants show shown.toml").lines().skip(1).count(), shown.lines().count() - 1);
    let rules: toml::Table = shown.parse().unwrap();
    let deck = rules["deck"].as_table().unwrap();
    let copies = |code: &str| deck.get(code).and_then(toml::Value::as_integer);
    // All numbers are removed, except the zeros in two copies, and blue with one of each; the blue seven is named
    // separately.
    for (code, expected) in
        [("r7", 0), ("y3", 0), ("r0", 2), ("b0", 2), ("b4", 1), ("b7", 3), ("bS", 2), ("rS", 1), ("yS", 2), ("bR", 1)]
    {
        let usual = match &code[1..] {
            "S" => copies("skip").unwrap(),
            "R" => copies("reverse").unwrap(),
            _ => 2,
        };
        assert_eq!(copies(code).unwrap_or(usual), expected, "{code} in {deck}");
    }
    home.refuses("variants check", &[("wrong.toml", "wrong.toml")]);
    home.write("wrong.toml", "base = \"classic\"\ndeck.bleu = 1\ndeck.numbers = 99\n");
    let (message, _) = home.failure("variants check wrong.toml", 2);
    assert!(message.contains("wrong.toml:2: deck.bleu: unknown key; did you mean `deck.blue`?"), "{message}");
    assert!(message.contains("wrong.toml:3: deck.numbers: 99 is not allowed; allowed: "), "{message}");
    home.write("wrong.toml", "# mine\nbase = \"clasic\"\nscoring = 1\n[match]\nseats = 3\n");
    let (message, _) = home.failure("variants check wrong.toml", 2);
    let expected = [
        "wrong.toml:2: base: `clasic` is neither an edition (did you mean `classic`? editions: ",
        "wrong.toml:3: scoring: unknown key; did you mean `match.scoring`?",
        "wrong.toml:5: match.seats: unknown key; did you mean `seats.min`?",
    ];
    expected.iter().for_each(|part| assert!(message.contains(part), "{part}: {message}"));
}

#[test]
fn custom_card_errors_are_reported_with_line() {
    let home = Home::new();
    home.write(
        "mine.toml",
        "base = \"classic\"\n\n[[custom]]\nname = \"Storm\"\ncode = \"rX\"\ncolor = \"purple\"\ncopies = 40\neffects = [\n  \
         { rotate_hands = {} },\n  { draw = { who = \"leader\", count = 2 } },\n]\n[[custom]]\ncode = \"bX\"\ncolor = \"blue\"\n",
    );
    let (message, _) = home.failure("variants check mine.toml", 2);
    for part in [
        "mine.toml:6: custom card \"Storm\": color = \"purple\" is not allowed",
        "mine.toml:7: custom card \"Storm\": copies = 40 is not allowed; allowed: 0 to 15",
        "mine.toml:9: custom card \"Storm\": rotate_hands: takes no value",
        "mine.toml:10: custom card \"Storm\": draw: who = \"leader\" is not allowed; allowed: \"self\"",
    ] {
        assert!(message.contains(part), "{part} is missing in:\n{message}");
    }
    home.write("broken.toml", "base = \"classic\"\nuno.penalty = \nhouse.jump_in = [1\n");
    let (message, _) = home.failure("variants check broken.toml", 2);
    assert!(message.contains("broken.toml:2: ") && message.contains("broken.toml:"), "{message}");
}

#[test]
fn rule_keys_are_listed_with_allowed_values() {
    let home = Home::new();
    let keys = home.output("variants keys");
    let listed: Vec<&str> = keys.lines().filter(|line| !line.starts_with(' ') && !line.is_empty()).collect();
    assert_eq!(listed.len(), unolab_engine::rules::KEYS.len());
    let some = home.output("variants keys uno.p --variant swap-hands");
    assert_eq!(
        some,
        "uno.penalty: The number of cards that a player draws when caught without a call.\n    \
         allowed: a whole number from 0 to 10\n    in swap-hands: 4\n"
    );
    let deck = home.output("variants keys deck.w");
    assert!(deck.contains("deck.wild_draw_four: Copies of Wild Draw Four.\n    allowed: 0 to 15"), "{deck}");
    let (message, _) = home.failure("variants keys uon", 2);
    assert!(message.contains("did you mean `uno`?") && message.contains("deck, "), "{message}");
    let (message, _) = home.failure("variants keys uno.penalti", 2);
    assert!(message.contains("no rule key begins with `uno.penalti`"), "{message}");
}

#[test]
fn file_errors_are_reported_together() {
    let home = Home::new();
    home.write("mine.toml", "base = \"disney\"\nuno.penalti = 3\nuno.penalty = 99\ndeal.dealer = \"stranger\"\n");
    home.write("good.toml", "base = \"mine-too.toml\"\npoints.wild = 40\n");
    home.write("mine-too.toml", "base = \"classic\"\npoints.cheese_touch = 7\n");
    let (message, output) = home.failure("variants check mine.toml missing.toml good.toml", 2);
    for part in ["mine.toml:2: uno.penalti", "mine.toml:3: uno.penalty", "mine.toml:4: deal.dealer", "`missing.toml`"] {
        assert!(message.contains(part), "{part} is missing in:\n{message}");
    }
    assert!(message.contains("warning: mine-too.toml:2: points.cheese_touch: no effect"), "{message}");
    assert!(output.starts_with("good.toml: valid, rules hash "), "{output}");
}

/// Contradictory keys are reported at the line of the later one, together with all other errors; consequences of an
/// error are not reported.
#[test]
fn contradictory_keys_are_reported_with_location() {
    let home = Home::new();
    let base = "base = \"classic\"\n";
    let card = |code: &str| {
        format!("[[custom]]\ncode = \"{code}\"\nname = \"{code}\"\ncolor = \"red\"\neffects = [{{ skip = 1 }}]\n")
    };
    let cases = [
        (
            "seats.min = 8\nseats.max = 4\nuno.penalty = 99\n".into(),
            vec!["mine.toml:3: seats.min = 8 is above seats.max = 4\n", "mine.toml:4: uno.penalty"],
        ),
        (
            "challenge.who = \"none\"\n".into(),
            vec!["mine.toml:2: draw_four.enforcement = \"bluff\" makes no sense with challenge.who = \"none\""],
        ),
        (card("rX") + &card("rX"), vec!["mine.toml:8: custom card \"rX\": two cards have the code rX"]),
        (card("rS"), vec!["mine.toml:3: custom card \"rS\": two cards have the code rS"]),
        ("deal.hand_size = 20\nseats.max = 10\n".into(), vec!["mine.toml:3: 108 cards are too few"]),
    ];
    for (text, parts) in cases {
        home.write("mine.toml", &format!("{base}{text}"));
        let (message, _) = home.failure("variants check mine.toml", 2);
        assert!(parts.iter().all(|part| message.contains(part)), "{text}{message}");
        assert_eq!(message.trim_end().lines().count(), parts.len(), "{message}");
    }
    // A contradiction to an invalid key is not reported.
    home.write("mine.toml", &format!("{base}challenge.who = \"none\"\ndraw_four.enforcement = \"engin\"\n"));
    let (message, _) = home.failure("variants check mine.toml", 2);
    assert!(
        message.starts_with("error: mine.toml:3: draw_four.enforcement") && !message.contains("no sense"),
        "{message}"
    );
    let (message, _) = home.failure("tournament --set challenge.who=none --dry-run", 2);
    assert!(message.contains("--set challenge.who: draw_four.enforcement = \"bluff\" makes no sense"), "{message}");
}

#[test]
fn custom_variant_file_is_played_and_named_after_file() {
    let home = Home::new();
    std::fs::create_dir(home.path("rules")).unwrap();
    home.write("rules/harsh.toml", "base = \"wimpy-kid\"\npoints.wild = 80\nseats.max = 6\n");
    home.output("tournament --variant classic,rules/harsh.toml --seats 6 --sets 2 --quiet --out run");
    let summary = home.read("run/summary.csv");
    assert!(summary.contains("random,random,harsh,6,2,"), "{summary}");
    let (message, _) = home.failure("tournament --variant rules/harsh.toml --seats 7", 2);
    assert!(message.contains("7 seats are not allowed; allowed: 2 to 6"), "{message}");
}

#[test]
fn agents_are_listed_and_checked() {
    let home = Home::new();
    let list = home.output("agents");
    for part in ["first-legal", "greedy", "copies=", "uniform="] {
        assert!(list.contains(part), "{list}");
    }
    let one = home.output("agents heuristic");
    assert!(one.starts_with("heuristic ") && one.contains("goal=") && !one.contains("first-legal"), "{one}");
    assert_eq!(home.output("agents check random:copies=true,greedy"), "random:copies=true: good\ngreedy: good\n");
    let (message, output) = home.failure("agents check random:copies=maybe,stranger,greedy:x=1,greedy", 2);
    assert_eq!(output, "greedy: good\n");
    for part in
        ["copies=maybe is not allowed; allowed: true or false", "unknown agent `stranger`", "unknown option `x`"]
    {
        assert!(message.contains(part), "{message}");
    }
}
