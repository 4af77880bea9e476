//! The viewer's page in a browser: every frame as in the terminal, in light and dark, on a phone and a screen.

use std::fs;
use std::path::Path;

use crate::chromium::{Chromium, VisibleEvent};
use crate::{home, unolab};

/// The lines of the probe, and the console output.
fn probed(chromium: &Chromium, directory: &Path) -> Vec<String> {
    let frame = "<!DOCTYPE html><meta charset=\"utf-8\"><style>iframe{border:0}</style>\
                 <iframe src=\"page.html\" width=\"390\" height=\"844\"></iframe>\
                 <iframe src=\"page.html\" width=\"1280\" height=\"800\"></iframe>\
                 <iframe src=\"page.html#move=3.7&game=1.5\" width=\"1366\" height=\"768\"></iframe>\
                 <iframe src=\"page.html#move=x\" width=\"640\" height=\"400\"></iframe><pre id=\"found\"></pre><script>";
    let probe = format!("{frame}{}</script>", include_str!("viewer_probe.js"));
    fs::write(directory.join("probe.html"), probe).expect("a page of the test");
    let VisibleEvent { page, console } = chromium.open(&directory.join("probe.html"));
    let (_, found) = page.split_once("<pre id=\"found\">").unwrap_or_else(|| panic!("no findings: {page}"));
    let found = found.split_once("</pre>").expect("the end of the findings").0;
    assert!(found.ends_with("done"), "the probe broke off: {found}\n{console:?}");
    assert!(console.is_empty(), "{console:#?}");
    found.lines().map(|line| line.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).collect()
}

/// The output of a command.
fn output(home: &Path, arguments: &str) -> String {
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("unolab"));
    let output =
        command.current_dir(home).args(arguments.split_whitespace()).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text")
}

/// The numbers of cards after each move, as `replay --show` prints them.
fn counts_told(home: &Path, arguments: &str) -> Vec<String> {
    let text = output(home, arguments);
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("cards "));
    lines.map(|line| line.split(" · ").take(3).collect::<Vec<_>>().join(" · ")).collect()
}

#[test]
fn viewer_frames_match_terminal_text() {
    let Some(chromium) = Chromium::found() else { return };
    for (variant, more) in [
        ("classic", "--seats 4 --set uno.calls=explicit --set house.jump_in=true --set house.seven_zero=true"),
        ("wimpy-kid", "--seats 3"),
        ("swap-hands", "--seats 5"),
        ("cars", "--seats 10"),
        ("disney", "--seats 2 --unit match --set match.target=150"),
    ] {
        let home = home();
        let home = home.path();
        let play =
            format!("match --agents random,mixbot --variant {variant} --sets 1 --quiet --out run --record rec {more}");
        unolab(home, &play);
        for seat in ["", "--seat 1"] {
            let record = "rec/game-0.jsonl";
            unolab(home, &format!("replay {record} --html page.html --worlds 2 --policy greedy {seat}"));
            let told = counts_told(home, &format!("replay {record} --show {seat}"));
            let found = probed(&chromium, home);
            let shown: Vec<String> =
                found.iter().filter_map(|line| line.strip_prefix("counts: ")).map(str::to_owned).collect();
            assert_eq!(shown, told, "{variant} {seat}");
            let wrong: Vec<&String> = found.iter().filter(|line| line.starts_with("wrong:")).collect();
            assert!(wrong.is_empty(), "{variant} {seat}: {wrong:#?}");
            if seat.is_empty() {
                let scenarios: Vec<&str> = found.iter().filter_map(|line| line.strip_prefix("scenario: ")).collect();
                assert!(scenarios.len() > 3, "{variant}: {}", scenarios.len());
                let count = |what: &str| found.iter().filter(|line| line.starts_with(what)).count();
                assert!(
                    count("clauses: ") > 5 && count("judged: ") > 3 && count("worst: ") == 1 && count("player: ") == 2,
                    "{variant}: {found:#?}"
                );
                fs::write(home.join("copied.toml"), scenarios.join("\n").replace('\u{1}', "\n")).expect("a file");
                unolab(home, "scenario copied.toml");
            }
        }
    }
}

#[test]
fn several_records_share_page_with_list() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    let home = home.path();
    unolab(
        home,
        "match --agents greedy,greedy,random --seats 3 --sets 2 --quiet --out run --record rec --record-sets 2",
    );
    unolab(home, "replay rec/game-0.jsonl rec/game-1.jsonl rec/game-2.jsonl --html page.html");
    let found = probed(&chromium, home);
    assert!(found.iter().any(|line| line == "games: 3"), "{found:#?}");
    assert!(!found.iter().any(|line| line.starts_with("wrong:")), "{found:#?}");
}

/// The rules allow a jump-in only after the play of the same card.
#[test]
fn copied_jump_ins_pass() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    let home = home.path();
    unolab(
        home,
        "match --agents greedy,heuristic --seats 4 --sets 1 --seed 71 --set house.jump_in=true --quiet --record rec --out run",
    );
    unolab(home, "replay rec/game-0.jsonl --html page.html");
    let found = probed(&chromium, home);
    assert!(fs::read_to_string(home.join("page.html")).expect("a page").contains("21.9"), "there is a jump-in");
    let scenarios: Vec<&str> = found.iter().filter_map(|line| line.strip_prefix("scenario: ")).collect();
    assert!(scenarios.len() > 10, "{}", scenarios.len());
    fs::write(home.join("copied.toml"), scenarios.join("\n").replace('\u{1}', "\n")).expect("a file");
    unolab(home, "scenario copied.toml");
}

/// A random other player chooses one of two options.
const QUESTION: &str = r#"
base = "classic"
[[custom]]
name = "Question"
code = "WX"
color = "wild"
copies = 15
points = 50
effects = ["name_color", { choice = { who = "random_other", options = [
  { name = "less < 3 > more", effects = [{ draw = { who = "random_other", count = 1 } }] },
  { name = "<r5>", effects = [] },
] } }]
"#;

#[test]
fn options_are_named_and_copied() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    let home = home.path();
    fs::write(home.join("question.toml"), QUESTION).expect("a file");
    unolab(
        home,
        "match --agents random,greedy --variant question.toml --seats 4 --sets 1 --seed 2 --quiet --record rec --out run",
    );
    unolab(home, "replay rec/game-0.jsonl --html page.html --worlds 2 --policy random");
    let told = output(home, "replay --show rec/game-0.jsonl --worlds 2 --policy random");
    let found = probed(&chromium, home);
    let lines = |what: &str| -> Vec<&str> { found.iter().filter_map(|line| line.strip_prefix(what)).collect() };
    assert!(lines("wrong:").is_empty(), "{found:#?}");
    for name in ["less < 3 > more", "<r5>"] {
        assert!(lines("option: ").contains(&&*format!("choose \"{name}\"")), "{found:#?}");
        assert!(lines("said: ").iter().any(|said| said.contains(&format!("chooses \"{name}\""))), "{found:#?}");
        assert!(
            told.contains(&format!("chooses \"{name}\"")) && told.contains(&format!("choose \"{name}\" ")),
            "{told}"
        );
    }
    let scenarios = lines("scenario: ");
    assert!(scenarios.iter().any(|text| text.contains("chance = [\"seat ")), "{scenarios:#?}");
    fs::write(home.join("copied.toml"), scenarios.join("\n").replace('\u{1}', "\n")).expect("a file");
    unolab(home, "scenario copied.toml");
}

#[test]
fn curves_have_letters_of_their_players() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    let home = home.path();
    unolab(home, "match --agents random,greedy --seats 3 --sets 1 --seed 2 --quiet --record rec --out run");
    unolab(home, "replay rec/game-0.jsonl --html page.html --worlds 2 --policy random");
    let VisibleEvent { page, .. } = chromium.open(&home.join("page.html#move=9"));
    let (_, chart) = page.split_once("id=\"chart\"").expect("the chart");
    for (player, letter) in ["A", "B", "C"].into_iter().enumerate() {
        let curve = chart.split(&format!("\"letter line-{player}\"")).nth(1).expect("a letter at the curve");
        assert!(curve.split("</text>").next().is_some_and(|text| text.ends_with(&format!(">{letter}"))), "{chart}");
        assert!(chart.contains(&format!("</i>{letter} ")), "the letter in the key: {chart}");
    }
}

/// Follows the protocol, sends notes, and ends at its fourth decision.
#[cfg(unix)]
const TALKER: &str = r#"
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo '{"protocol":1}';;
        *'"type":"decide"'*)
            n=${line#*'"decision":'}; n=${n%%,*}
            [ "$n" -gt 3 ] && exit 1
            echo "{\"decision\":$n,\"action\":0,\"note\":\"choice $n: <b>bold</b> & \\\"sure\\\"\"}";;
    esac
done
"#;

/// In rotating teams a player has another seat in each round.
#[test]
#[cfg(unix)]
fn fault_stays_with_player_who_changes_seat() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    let home = home.path();
    fs::write(home.join("talker"), TALKER).expect("a program");
    let agents = format!(
        "talker=cmd:\"sh {}\",decision_ms=60000,start_ms=60000,greedy,heuristic,random",
        home.join("talker").display()
    );
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("unolab"));
    let game =
        ["--unit", "match", "--set", "match.teams=rotating", "--set", "match.target=150", "--sets", "1", "--seed", "4"];
    let kept = ["--record", "rec", "--quiet", "--out", "run"];
    command.current_dir(home).args(["match", "--agents", &agents]).args(game).args(kept).assert().success();
    unolab(home, "replay rec/game-0.jsonl --html page.html");
    let told = output(home, "replay rec/game-0.jsonl --show");
    let deals: Vec<&str> =
        told.lines().filter_map(|line| line.strip_prefix('#')?.split_once("  round ")).map(|it| it.0).collect();
    assert!(deals.len() > 2, "{told}");
    for deal in &deals[1..] {
        let VisibleEvent { page, .. } = chromium.open(&home.join(format!("page.html#move={deal}")));
        let (table, _) = page.split_once("id=\"said\"").expect("the table");
        let plates: Vec<&str> = table.split("class=\"plate\"").filter(|plate| plate.contains("tag fault")).collect();
        assert!(plates.len() == 1 && plates[0].contains("title=\"talker\""), "{plates:#?}");
    }
}

/// A bot's notes are next to its decisions, and its fault is at its move; the decisions of its substitute are not
/// judged as its own.
#[test]
#[cfg(unix)]
fn notes_and_faults_are_shown_at_their_decision() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    let home = home.path();
    fs::write(home.join("talker"), TALKER).expect("a program");
    let agents =
        format!("talker=cmd:\"sh {}\",decision_ms=60000,start_ms=60000,heuristic", home.join("talker").display());
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("unolab"));
    let game = ["--seats", "2", "--sets", "1", "--seed", "5", "--record", "rec", "--quiet", "--out", "run"];
    command.current_dir(home).args(["match", "--agents", &agents]).args(game).assert().success();
    unolab(home, "replay rec/game-0.jsonl --html page.html --worlds 2 --policy greedy");
    let told = output(home, "replay --show rec/game-0.jsonl");
    let found = probed(&chromium, home);
    let lines = |what: &str| -> Vec<&str> { found.iter().filter_map(|line| line.strip_prefix(what)).collect() };
    let wrong = lines("wrong:");
    assert!(wrong.is_empty(), "{wrong:#?}");
    // The terminal prints a note below the line with the number of its move.
    let mut number = "";
    let mut said = Vec::new();
    for line in told.lines() {
        if let Some((first, _)) = line.split_once(' ').filter(|(first, _)| first.starts_with('#')) {
            number = first;
        } else if let Some((_, note)) = line.split_once("  says: ") {
            said.push(format!("{number} {note}"));
        }
    }
    assert_eq!(lines("note: "), said);
    assert!(said.len() >= 3 && said[0].contains("<b>bold</b> & \"sure\""), "{said:?}");
    let [fault] = lines("fault: ")[..] else { panic!("one fault: {found:#?}") };
    assert!(
        fault.contains("talker has lost the game: crash at its decision") && fault.ends_with("greedy plays on."),
        "{fault}"
    );
    assert!(told.contains("has lost the game: crash at its decision"), "{told}");
    let at: usize = fault.split([' ', '#']).nth(1).and_then(|number| number.parse().ok()).expect("a number");
    let judged: Vec<usize> = lines("judged: #").iter().map(|number| number.parse().expect("a number")).collect();
    let by_seat_0 = |number: &usize| {
        told.lines().any(|line| line.starts_with(&format!("#{number} ")) && line.contains("  talker  "))
    };
    assert!(judged.iter().any(|number| number > &at), "the other seat is still judged");
    assert!(!judged.iter().any(|number| number >= &at && by_seat_0(number)), "{judged:?}");
}
