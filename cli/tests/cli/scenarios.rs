//! `unolab scenario`.

use super::Home;

const GOOD: &str = r#"
[[scenario]]
name = "a Skip skips"
variant = "classic"
seats = 3
dealer = 0
hands = ["b4 b5", "rS b1", "g2 g3"]
discard = "b9 r5"
to_act = 1
steps = [{ seat = 1, do = "play rS" }, { expect = { to_act = 0 } }]
"#;

fn wrong() -> String {
    GOOD.replace("a Skip skips", "a Skip does nothing").replace("to_act = 0", "to_act = 2")
}

#[test]
fn passing_scenarios_are_counted() {
    let home = Home::new();
    home.write("a.toml", GOOD);
    home.write("b.toml", GOOD);
    assert_eq!(home.output("scenario a.toml b.toml"), "2 passed, 0 failed\n");
    home.write("none.toml", "");
    // A file without scenarios has nothing to count.
    assert_eq!(home.failure("scenario none.toml", 2).1, "");
}

#[test]
fn failed_expectation_reports_step_expected_and_found() {
    let home = Home::new();
    home.write("a.toml", &(GOOD.to_owned() + &wrong()));
    let (message, output) = home.failure("scenario a.toml", 1);
    assert_eq!(message, "");
    insta::assert_snapshot!(output);
}

/// A list has only ordinary decisions. The color of a play can be omitted; one that is given must be legal.
#[test]
fn listed_actions_are_legal_with_their_color_and_without_call() {
    let home = Home::new();
    let with = |hand: &str, expectation: &str| {
        let expected = GOOD.replace("rS b1", hand).replace("{ seat = 1, do = \"play rS\" }, ", "");
        home.write("list.toml", &expected.replace("to_act = 0", expectation));
        home.unolab("scenario list.toml").output().expect("unolab starts").status.success()
    };
    for (hand, expectation, holds) in [
        ("W b1", "legal_has = [\"play W\", \"play W g\"]", true),
        ("W b1", "legal = [\"play W g\", \"draw\"]", true),
        ("W b1", "legal_not = [\"play W g\"]", false),
        // The round ends with it, so it names no color.
        ("W", "legal_has = [\"play W\"], legal_not = [\"play W g\"]", true),
        ("W", "legal_has = [\"play W g\"]", false),
        ("rS b1", "legal_not = [\"play rS g\", \"play rS uno\"]", true),
        ("rS b1", "legal_has = [\"play rS g\"]", false),
        ("rS b1", "legal = [\"play rS uno\", \"draw\"]", false),
    ] {
        assert_eq!(with(hand, expectation), holds, "{hand}: {expectation}");
    }
}

#[test]
fn broken_files_are_rejected_and_others_still_run() {
    let home = Home::new();
    let broken = GOOD.replace("r5\"", "r5 r5 r5\"")
        + &GOOD.replace("a Skip skips", "unknown key").replace("dealer", "deeler")
        + &GOOD.replace("a Skip skips", "unknown card").replace("rS b1", "qS b1")
        + &GOOD.replace("a Skip skips", "below none").replace("dealer = 0", "dealer = -1")
        + &GOOD.replace("a Skip skips", "half a seat").replace("{ to_act = 0 }", "{ to_act = 1.5 }")
        + &GOOD.replace("a Skip skips", "less than none").replace("to_act = 0 }", "hand_sizes = [-2, 1, 1] }");
    home.write("broken.toml", &broken);
    home.write("unused.toml", &GOOD.replace("seats = 3", "seats = 3\nchance = [\"tinker r\"]"));
    home.write("text.toml", "this is not TOML");
    home.write("good.toml", &(GOOD.to_owned() + &wrong()));
    home.write("alone.toml", GOOD);
    assert_eq!(home.failure("scenario text.toml alone.toml", 2).1, "1 passed, 0 failed\n");
    let (message, output) = home.failure("scenario broken.toml unused.toml text.toml missing.toml good.toml", 2);
    assert!(output.ends_with("1 passed, 1 failed\n"), "{output}");
    for part in [
        "broken.toml: scenario \"unknown key\": unknown field `deeler`",
        "broken.toml: scenario \"unknown card\"",
        "broken.toml: scenario \"below none\": dealer: invalid value: integer `-1`, expected a whole number from 0",
        "broken.toml: scenario \"half a seat\": steps[1].expect.to_act: expected a seat or \"none\"",
        "broken.toml: scenario \"less than none\": steps[1]: expect.hand_sizes: -2 is not allowed; allowed: numbers of cards",
        "unused.toml: scenario \"a Skip skips\": chance",
        "text.toml: ",
        "missing.toml: No such file",
    ] {
        assert!(message.contains(part), "{part:?} is missing in:\n{message}");
    }
}
