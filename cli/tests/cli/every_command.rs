//! The first contact with the program: the bare command, help, completions, numbers, names.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::{Home, names_in, rows};

#[test]
fn bare_command_announces_work_and_directory() {
    let home = Home::new();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab"));
    let mut child = command.current_dir(home.0.path()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let said = [lines.next().unwrap(), lines.next().unwrap()];
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(
        said,
        [
            "unolab plays the default tournament: random, greedy, heuristic against each other, classic at 2 and 4 seats, 60,000 \
             deals, 1,080,000 rounds.",
            "The tables go to runs/tournament-81a8bec87c2b0e1f. Ctrl-C stops it; `unolab --help` lists all commands.",
        ]
    );
}

#[test]
fn command_help_ends_with_examples() {
    let home = Home::new();
    for command in ["", "tournament", "match", "sprt", "balance", "variants", "check", "completions", "man"] {
        let help = home.output(&format!("{command} --help"));
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{command}: {help}"));
        assert!(examples.lines().count() >= 2 && examples.contains("  unolab"), "{examples}");
    }
}

/// The parser of the options alone needs more than this stack.
#[test]
#[cfg(unix)]
fn command_with_small_stack_limit_runs() {
    let home = Home::new();
    for words in [
        "--help",
        "agents",
        "variants check classic",
        "match --agents greedy,ismcts:iterations=20 --seats 2 --sets 2 --quiet --record games --out run",
        "balance --seats 2 --sets 10 --matches 2 --quiet --out balance",
        "tournament --agents greedy,random,net --seats 2 --sets 2 --quiet --out tournament",
        "rate run",
        "analyze games --worlds 2",
        "verify run",
        "report tournament",
    ] {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "ulimit -s 128 && exec \"$0\" \"$@\"",
            assert_cmd::cargo::cargo_bin!("unolab").to_str().unwrap(),
        ]);
        let output = command.args(words.split(' ')).current_dir(home.0.path()).output().unwrap();
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
    let home = Home::new();
    for (shell, part) in [("bash", "complete -F"), ("zsh", "#compdef unolab"), ("fish", "complete -c unolab")] {
        let script = home.output(&format!("completions {shell}"));
        assert!(script.contains(part) && script.contains("tournament") && script.contains("--agents"), "{shell}");
    }
    let bash = home.output("completions bash");
    assert!(["mixbot", "uno.penalty=", "wimpy-kid"].iter().all(|value| bash.contains(value)), "values too");
    home.refuses("completions", &[("tcsh", "bash, elvish, fish, powershell, zsh")]);
    home.output("man pages");
    assert!(!names_in(&home.path("pages")).iter().any(|name| name.contains("help")), "its words are in every page");
    for page in ["unolab.1", "unolab-match.1", "unolab-variants-keys.1", "unolab-sprt.1"] {
        assert!(home.read(&format!("pages/{page}")).contains(".TH "), "{page}");
    }
    let page = home.read("pages/unolab-match.1");
    let (_, examples) = page.split_once(".SH EXAMPLES\n").expect("a section of examples");
    assert!(examples.contains("\\fBunolab match \\-\\-agents") && !page.contains("EXTRA"), "{examples}");
    home.refuses("man", &[("/dev/null/pages", "/dev/null/pages")]);
}

#[test]
fn human_readable_numbers_are_read() {
    let home = Home::new();
    home.output("match --agents greedy,random --sets 1_0 --seats 2-3 --quiet --out a");
    home.output("match --agents greedy,random --sets 1e1 --seats 2,3 --quiet --out b");
    assert_eq!(home.read("a/summary.csv"), home.read("b/summary.csv"));
    home.output("match --agents ismcts:iterations=2e1,greedy --seats 2 --sets 2 --quiet --out c");
    home.output("match --agents ismcts:iterations=20,greedy --seats 2 --sets 2 --quiet --out d");
    assert_eq!(home.read("c/seats.csv").replace("2e1", "20"), home.read("d/seats.csv"), "options of agents too");
    assert_eq!(
        home.output("variants show classic --set points.wild=1e2"),
        home.output("variants show classic --set points.wild=1_00")
    );
    home.output("balance --agents greedy --seats 2 --sets 2 --matches 0 --sweep deal.hand_size=5-6 --quiet --out e");
    let sweep = home.read("e/sweep.csv");
    assert!(sweep.contains("deal.hand_size=5,") && sweep.contains("deal.hand_size=6,"), "{sweep}");
    home.refuses(
        "match --agents greedy,random",
        &[
            (
                "--sets ten",
                "ten is not a whole number; allowed: whole numbers from 1 to 1000000000000, such as 1000, 1_000 or 1e3",
            ),
            ("--sets -5", "-5 is not a whole number"),
            ("--seed -1", "-1 is not a whole number"),
            ("--seats two", "two is not a number of seats; allowed: 2 to 10, or a range such as 2-4"),
            ("--seats 4-2", "a range begins with the smaller number"),
            ("--power many", "many is not a share; allowed: a number such as 0.01, or 1%"),
        ],
    );
}

#[test]
fn entrant_name_appears_in_every_table() {
    let home = Home::new();
    let agents = "mine=heuristic:goal=win,ref=mixbot,greedy";
    let run = "--seats 2 --sets 20 --record games --record-sets 1 --out run";
    let text = home.output(&format!("tournament --agents {agents} {run}"));
    assert!(text.contains(" mine ") && text.contains(" ref "), "{text}");
    let summary = rows(&home.read("run/summary.csv"));
    let named = |row: &std::collections::BTreeMap<String, String>| (row["entrant"].clone(), row["agent"].clone());
    let named: Vec<(String, String)> = summary.iter().map(named).collect();
    let expected = [("mine", "heuristic:goal=win"), ("ref", "mixbot"), ("greedy", "greedy")];
    assert_eq!(named, expected.map(|(name, agent)| (name.to_owned(), agent.to_owned())));
    let pairs = rows(&home.read("run/pairs.csv"));
    assert!(pairs.iter().any(|row| row["a"] == "mine" && row["b"] == "ref"), "{pairs:?}");
    let record = home.read("games/game-0.jsonl");
    assert!(record.contains("\"mine\"") && record.contains("\"ref\""), "{record}");
    home.output(
        "match --agents mine=greedy,random --seats 2 --sets 5 --record lost --record-only lost:mine --quiet --out m",
    );
    home.output("sprt --agents mine=greedy,other=random --nelo1 60 --quiet --out s");
    assert!(home.read("s/sprt.csv").contains(",mine,other,"));
    home.output("check --agents mine=greedy --variant classic --seats 2 --rounds 1");
    home.refuses(
        "tournament",
        &[
            ("--agents mine=greedy,mine=random", "two entrants are called `mine`"),
            ("--agents mine=gredy", "did you mean `greedy`?"),
        ],
    );
}

#[test]
fn misspelled_value_suggests_correct_one() {
    let home = Home::new();
    home.refuses(
        "",
        &[
            ("tournament --agents hueristic", "did you mean `heuristic`?"),
            ("tournament --agents Heuristic", "did you mean `heuristic`?"),
            ("tournament --agents heuristic:gaol=win", "did you mean `goal`?"),
            ("tournament --agents bots/mine.py", "for a program write cmd:\"bots/mine.py\""),
            ("tournament --agents ismcts:1000", "did you mean `iterations=1000`?"),
            ("tournament --agent greedy", "'--agents'"),
            ("turnament", "'tournament'"),
            ("tournament --variant clasic", "did you mean `classic`?"),
            ("tournament --set uno.penalti=3", "did you mean `uno.penalty`?"),
            ("tournament --set deck.wyld=3", "did you mean `deck.wild`?"),
            ("tournament --seating rotat", "'rotate'"),
        ],
    );
}

#[test]
fn agent_against_itself_is_warned_about() {
    let home = Home::new();
    for (agents, part) in [
        ("heuristic", "warning: heuristic plays only against itself"),
        ("greedy,greedy", "warning: all entrants are the same agent, greedy"),
    ] {
        let output =
            home.unolab(&format!("tournament --agents {agents} --seats 2 --sets 2 --out {agents}")).output().unwrap();
        assert!(output.status.success() && String::from_utf8(output.stderr).unwrap().contains(part), "{agents}");
    }
    home.output("tournament --agents heuristic --seats 2 --sets 2 --quiet --out quiet");
}

/// A card with everything wrong.
const STORM: &str = r#"base = "classic"
[[custom]]
name = "Storm"
code = "rX"
color = "purple"
copies = 40
points = "lots"
effects = [{ rotate_hands = 1 }, { draw = { who = "leader", count = 2 } }, { task = { p = 0.5, penalty = [] } }, { draw = { who = "next", count = 500 } }]
"#;

/// Invalid command lines, and the required parts of the message: the error, and the allowed or probable values.
const MISTAKES: &[(&str, &[&str])] = &[
    ("tournament --agents hueristic,greedy", &["unknown agent `hueristic`", "did you mean `heuristic`?"]),
    (
        "tournament --agents heuristic:gaol=win,greedy",
        &["unknown option `gaol`", "did you mean `goal`?", "`unolab agents`"],
    ),
    ("tournament --agents heuristic:color_of_money=1,greedy", &["unknown option `color_of_money`", "options: goal, "]),
    ("tournament --agents forgetful:agent=(greedy", &["an opening parenthesis is not closed"]),
    (
        "tournament --agents cmd:\"no-such-program\",greedy",
        &["program no-such-program not found in the directories of PATH", "cmd:\"python3 no-such-program\""],
    ),
    ("tournament --sets 1e30", &["1e30 is not a whole number", "1000, 1_000 or 1e3"]),
    ("tournament --sets 1.5", &["1.5 is not a whole number"]),
    ("tournament --threads -1", &["-1 is not a whole number"]),
    ("match --agents heuristic,mixbot --power lots", &["lots is not a share", "0.01, or 1%"]),
    ("sprt --agents heuristic,mixbot --alpha 2", &["alpha"]),
    ("sprt --agents heuristic", &["a test needs two agents"]),
    ("sprt --agents heuristic,mixbot --variant classic,disney", &["needs one variant, not 2"]),
    (
        "balance --sweep points.skip=a,b",
        &["error: --sweep points.skip: \"a\" is not allowed; allowed: a whole number from 0 to 1000\n"],
    ),
    ("balance --sweep points.skipp=1,2", &["--sweep points.skipp", "did you mean `points.skip`?"]),
    ("balance --arm house.stacking=any_draw;house.stacking=same_kind", &["--arm", "sets house.stacking twice"]),
    ("balance --card-effect WX", &["no such card; there are number, skip"]),
    ("balance --out -", &["needs a directory"]),
    ("variants check empty.toml", &["empty.toml: has no base", "begin with `base = \"classic\"`"]),
    ("variants show klassik", &["did you mean `classic`?"]),
    ("variants keys stack", &["no rule key begins with `stack`", "`unolab variants keys`"]),
    ("replay empty.toml", &["line 1: is not a line of a game record"]),
    ("analyze empty", &["empty: a directory without records"]),
    ("watch nothing.jsonl", &["nothing.jsonl: file not found; a record is a file *.jsonl"]),
    ("analyze nothing", &["nothing: file not found; a record is a file *.jsonl"]),
    ("debug nothing.jsonl --seat 0 -- greedy", &["nothing.jsonl"]),
    ("status empty", &["empty: is not the directory of a run"]),
    ("rate empty", &["empty: is not the directory of a finished run"]),
    ("merge empty empty", &["is not a shard, as --shard writes it"]),
    ("report empty", &["holds none of the tables of a run"]),
    ("verify empty", &["holds no study.toml and no run.json"]),
    ("scenario empty.toml", &["no [[scenario]] tables"]),
    ("perft --depth many", &["many is not a whole number"]),
    ("bot new perl mybot", &["python, javascript, rust"]),
    ("ladder --agents greedy", &["name at least two agents"]),
    ("ply", &["'play'"]),
    ("tournament --sets 1e6x", &["1e6x is not a whole number", "1000, 1_000 or 1e3"]),
    ("tournament --seats two", &["two is not a number of seats", "a range such as 2-4"]),
    ("tournament --seed -1", &["-1 is not a whole number; allowed: whole numbers from 0"]),
    ("tournament --sets -5", &["-5 is not a whole number; allowed: whole numbers from 1 to"]),
    ("match --agents greedy,random --power 1%%", &["1%% is not a share; allowed: a number such as 0.01, or 1%"]),
    ("tournament --agents Heuristic,greedy", &["did you mean `heuristic`?"]),
    ("tournament --agents mine.py,greedy", &["for a program write cmd:\"mine.py\""]),
    ("tournament --agents mine=./mine.py,greedy", &["mine=./mine.py", "for a program write cmd:\"./mine.py\""]),
    ("tournament --agents ismcts:1000,greedy", &["did you mean `iterations=1000`?"]),
    ("tournament --agents ismcts:iterations=many,greedy", &["a whole number from 1 to"]),
    ("tournament --agents cmd:,greedy", &["needs a program, such as cmd:\"python3 mybot.py\""]),
    ("tournament --agent greedy", &["'--agents'"]),
    ("tournament --set uno.penalti=2", &["--set uno.penalti", "did you mean `uno.penalty`?"]),
    ("tournament --set uno.penalty=many", &["\"many\" is not allowed; allowed: a whole number from 0 to 10"]),
    ("tournament --set points.wild=1.5", &["1.5 is not allowed; allowed: a whole number from 0 to 1000"]),
    ("tournament --set deck.wild=99", &["99 is not allowed; allowed: a whole number from 0 to 15"]),
    ("tournament --set penalty", &["expected key=value, such as uno.penalty=4"]),
    ("balance --sweep deal.hand_size=7-5", &["7-5 is an empty range; a range begins with the smaller number"]),
    ("sprt --agents heuristic,greedy --out -", &["needs a directory"]),
    ("agents heuristc", &["unknown agent `heuristc`; did you mean `heuristic`?"]),
    ("variants keys zno", &["did you mean `uno`?"]),
    (
        "variants check typo.toml",
        &["typo.toml:1: deck.blu", "`deck.blue`", "typo.toml:2: house.stackin", "`house.stacking`"],
    ),
    (
        "variants check storm.toml",
        &[
            "storm.toml:5: custom card \"Storm\": color = \"purple\" is not allowed; allowed: \"red\"",
            "storm.toml:6: custom card \"Storm\": copies = 40 is not allowed; allowed: 0 to 15",
            "storm.toml:7: custom card \"Storm\": points = \"lots\" is not allowed; allowed: 0 to 1000",
            "rotate_hands: takes no value; write it as \"rotate_hands\"",
            "who = \"leader\" is not allowed; allowed: \"self\", \"next\"",
            "`penalty` is not known here; write it as { task = ",
            "count: 1 to 20",
        ],
    ),
    ("perft --depth 99", &["99 is not allowed; allowed: 0 to 30"]),
    ("perft --variant stram", &["`stram` is neither an edition (editions: classic, "]),
    ("compare empty empty", &["is not the directory of a finished run"]),
    (
        "balance --plot fun --sets 4 --matches 0",
        &["--plot fun: unknown metric in the metrics.csv of this run; ", "turns"],
    ),
    ("report nofolder", &["nofolder: directory not found; allowed: the directory of a run"]),
    ("rate nofolder", &["nofolder: directory not found; allowed: the directory of a finished run"]),
    ("verify empty.toml", &["empty.toml: is a file; allowed: the directory of a study"]),
    ("match --agents greedy,random --sets 2 --bot-log log", &["--bot-log: no entrant is a program"]),
    ("coverage --agents greedy,random --worlds 4", &["--worlds", "--of results", "use it with --of regret"]),
    ("completions tcsh", &["bash, elvish, fish, powershell, zsh"]),
    ("tournament --variants classic", &["'--variant'"]),
];

#[test]
fn invalid_value_is_rejected_with_allowed_values() {
    let home = Home::new();
    home.write("empty.toml", "points.skip = 40\n");
    home.write("typo.toml", "deck.blu = 3\nhouse.stackin = \"any_draw\"\n");
    home.write("storm.toml", STORM);
    std::fs::create_dir(home.path("empty")).unwrap();
    for (arguments, parts) in MISTAKES {
        let (message, _) = home.failure(arguments, 2);
        for part in *parts {
            assert!(message.contains(part), "{arguments}: {part:?} is missing in: {message}");
        }
        assert!(!message.contains("warning"), "{arguments}: {message}");
        let lines: Vec<u32> =
            message.lines().filter_map(|line| line.split(".toml:").nth(1)?.split(':').next()?.parse().ok()).collect();
        assert!(lines.is_sorted(), "{arguments}: the mistakes of a file from above: {message}");
    }
    assert_eq!(home.names(), ["empty", "empty.toml", "storm.toml", "typo.toml"], "nothing was left behind");
}

#[test]
fn directory_of_records_expands_to_all_records() {
    let home = Home::new();
    home.output("match --agents greedy,random --seats 2 --sets 6 --record games --record-sets 6 --quiet --out run");
    let replayed = home.output("replay games");
    let files: Vec<&str> = replayed.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(files.len(), 12);
    assert_eq!((files[2], files[11]), ("games/game-2.jsonl", "games/game-11.jsonl"));
    assert!(home.output("analyze games --worlds 2").contains("gives away"));
}

#[test]
fn run_manifest_records_command_line() {
    let home = Home::new();
    home.output("match --agents greedy,random --seats 2 --sets 2 --quiet --out run");
    let run: serde_json::Value = serde_json::from_str(&home.read("run/run.json")).unwrap();
    let words: Vec<&str> =
        run["machine"]["command_line"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(words.join(" "), "match --agents greedy,random --seats 2 --sets 2 --quiet --out run");
}
