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
fn what_is_shown_loads_again_to_the_same_rules() {
    let home = Home::new();
    for preset in presets::NAMES {
        let shown = home.output(&format!("variants show {preset}"));
        home.write(&format!("{preset}.toml"), &shown);
        assert_eq!(home.output(&format!("variants show {preset}.toml")), shown);
        let hash = shown.lines().next().unwrap().rsplit(' ').next().unwrap();
        assert_eq!(
            home.output(&format!("variants check {preset}.toml")),
            format!("{preset}.toml: good, rules hash {hash}\n")
        );
    }
}

#[test]
fn every_rule_key_is_listed_with_what_it_allows() {
    let home = Home::new();
    let keys = home.output("variants keys");
    let listed: Vec<&str> = keys.lines().filter(|line| !line.starts_with(' ') && !line.is_empty()).collect();
    assert_eq!(listed.len(), unolab_engine::rules::KEYS.len());
    let some = home.output("variants keys uno.p --variant swap-hands");
    assert_eq!(
        some,
        "uno.penalty: Cards that a player draws who is caught without a call.\n    \
         allowed: a whole number from 0 to 10\n    in swap-hands: 4\n"
    );
    let (message, _) = home.failure("variants keys uno.penalti", 2);
    assert!(message.contains("no rule key begins with \"uno.penalti\""), "{message}");
}

#[test]
fn everything_wrong_with_a_file_is_told_at_once() {
    let home = Home::new();
    home.write("mine.toml", "base = \"disney\"\nuno.penalti = 3\nuno.penalty = 99\ndeal.dealer = \"nobody\"\n");
    home.write("good.toml", "base = \"mine-too.toml\"\npoints.wild = 40\n");
    home.write("mine-too.toml", "base = \"classic\"\npoints.cheese_touch = 7\n");
    let (message, output) = home.failure("variants check mine.toml missing.toml good.toml", 2);
    for part in ["mine.toml: uno.penalti", "mine.toml: uno.penalty", "mine.toml: deal.dealer", "\"missing.toml\""] {
        assert!(message.contains(part), "{part} is missing in:\n{message}");
    }
    assert!(message.contains("warning: mine-too.toml: points.cheese_touch: no effect"), "{message}");
    assert!(output.starts_with("good.toml: good, rules hash "), "{output}");
}

#[test]
fn a_file_of_ones_own_is_played_and_named_after_itself() {
    let home = Home::new();
    std::fs::create_dir(home.path("rules")).unwrap();
    home.write("rules/harsh.toml", "base = \"wimpy-kid\"\nuno.penalty = 8\nseats.max = 6\n");
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
    assert_eq!(home.output("agents check random:copies=true,greedy"), "random:copies=true: good\ngreedy: good\n");
    let (message, output) = home.failure("agents check random:copies=maybe,nobody,greedy:x=1,greedy", 2);
    assert_eq!(output, "greedy: good\n");
    for part in ["copies=maybe is not allowed; allowed: true or false", "no agent \"nobody\"", "no option x"] {
        assert!(message.contains(part), "{message}");
    }
}
