//! `--record` and `unolab replay`.

use super::{Home, names_in, rows};

#[test]
fn records_replay_and_match_run() {
    for arguments in [
        "--seats 2,5",
        "--variant cars --seats 3 --unit match",
        "--unit match --seats 5 --set match.scoring=elimination",
        "--unit match --set match.teams=fixed --set uno.calls=explicit",
        "--seats 4 --set match.teams=fixed",
        "--unit match --set match.teams=rotating --set match.scoring=running_lowest",
        "--unit match --set match.teams=rotating_tables --agents greedy,random",
    ] {
        let home = Home::new();
        home.output(&format!("tournament --sets 1 --quiet --out run --games-csv --record records {arguments}"));
        let games = rows(&home.read("run/games.csv"));
        let names = names_in(&home.path("records"));
        assert_eq!(names.len(), games.len().min(100), "{arguments}");
        for name in names {
            let index: usize = name.strip_prefix("game-").unwrap().strip_suffix(".jsonl").unwrap().parse().unwrap();
            let output = home.output(&format!("replay records/{name}"));
            let game = &games[index];
            let expected = format!(
                "records/{name}: fits, rounds {}, points {}, places {},",
                game["rounds"], game["points"], game["places"]
            );
            assert!(output.starts_with(&expected), "{arguments}: {output}, expected {expected}");
        }
    }
}

/// The indices of the records in a directory.
fn indices(home: &Home, directory: &str) -> Vec<usize> {
    let names = names_in(&home.path(directory));
    let index = |name: &String| name.strip_prefix("game-")?.strip_suffix(".jsonl")?.parse().ok();
    let mut indices: Vec<usize> = names.iter().map(|name| index(name).expect(name)).collect();
    indices.sort_unstable();
    indices
}

/// Losers, faults, every k-th game: of the whole run, by default. The tables do not change.
#[test]
fn records_are_selected_by_result_or_number() {
    let home = Home::new();
    let run = "tournament --agents greedy,random --sets 40 --seats 3 --quiet --games-csv";
    home.output(&format!("{run} --luck --out all"));
    let games = rows(&home.read("all/games.csv"));
    let has_lost = |game: &usize| {
        let game = &games[*game];
        game["entrants"].split(' ').any(|entrant| entrant == "0")
            && !game["winner"].is_empty()
            && game["winner"].split(';').all(|winner| winner != "greedy")
    };
    let lost: Vec<usize> = (0..games.len()).filter(has_lost).collect();
    assert!(lost.len() > 20 && lost.len() < games.len() - 20);
    for (number, (flags, expected)) in [
        ("--record-only lost:greedy", lost),
        ("--record-only every:7", (0..games.len()).step_by(7).collect()),
        ("--record-only fault", Vec::new()),
    ]
    .into_iter()
    .enumerate()
    {
        let (out, records) = (format!("run-{number}"), format!("records-{number}"));
        home.output(&format!("{run} --luck --threads 2 --out {out} --record {records} {flags}"));
        assert_eq!(indices(&home, &records), expected, "{flags}");
        for table in ["games.csv", "luck.csv", "summary.csv"] {
            assert_eq!(home.read(&format!("{out}/{table}")), home.read(&format!("all/{table}")), "{flags}: {table}");
        }
    }
    for (only, is_told) in [("fault", true), ("every:1", false)] {
        let match_of_two = "match --agents greedy,random --seats 2 --sets 2";
        let output =
            home.unolab(&format!("{match_of_two} --out two-{only} --record of-{only} --record-only {only}")).output();
        let message = String::from_utf8(output.unwrap().stderr).unwrap();
        assert_eq!(message.contains("no game was recorded"), is_told, "{only}: {message}");
    }
    for index in indices(&home, "records-0").into_iter().step_by(9) {
        let output = home.output(&format!("replay records-0/game-{index}.jsonl"));
        let expected = format!("points {}, places {},", games[index]["points"], games[index]["places"]);
        assert!(output.contains(&expected), "{output}, expected {expected}");
    }
    home.refuses(
        run,
        &[
            ("--record-only fault", "--record"),
            ("--record new --record-only lost:stranger", "unknown entrant; allowed: greedy, random"),
            ("--record new --record-only every:0", "0 is not a number of games"),
            ("--record new --record-only won:greedy", "allowed: lost:NAME"),
            ("--record /proc/nowhere/games --out never", "--record /proc/nowhere/games"),
            ("--record records-0 --out never", "is not empty"),
        ],
    );
    assert!(!home.path("never").exists() && !home.path("new").exists(), "refused before anything is played");
}

#[test]
fn record_names_entrants_and_deal() {
    let home = Home::new();
    let run = "match --agents greedy,greedy,random --seats 3 --sets 1 --quiet --out run";
    home.output(&format!("{run} --record run/records"));
    let record = home.read("run/records/game-0.jsonl");
    let lines: Vec<serde_json::Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = lines[0]["names"].as_array().unwrap().iter().filter_map(|name| name.as_str()).collect();
    let entrants: Vec<String> =
        rows(&home.read("run/summary.csv")).into_iter().map(|row| row["entrant"].clone()).collect();
    assert!(names.len() == 3 && names.iter().all(|name| entrants.contains(&(*name).to_owned())), "{names:?}");
    assert!(lines[1]["deal"].as_array().unwrap().len() == 3 && lines[1]["dealer"].is_u64());
    assert!(lines.last().unwrap()["points"].is_array());
    // Records in the run directory belong to the user: they stay.
    home.output(run);
    assert_eq!(home.read("run/records/game-0.jsonl"), record);
}

#[test]
fn changed_record_is_rejected_at_line() {
    let home = Home::new();
    home.output("match --agents random,greedy --seats 2 --sets 1 --quiet --out run --record records");
    let record = home.read("records/game-0.jsonl");
    let (head, _) = record.split_at(record.rfind("{\"ended\"").unwrap());
    home.write("short.jsonl", head);
    let (message, output) = home.failure("replay short.jsonl records/game-1.jsonl", 2);
    let line = head.lines().count() + 1;
    assert!(message.contains(&format!("short.jsonl: line {line}: ")), "{message}");
    assert!(output.contains("records/game-1.jsonl: fits"), "{output}");
}

/// A page never replaces a record, and an option without effect is rejected.
#[test]
fn page_options_require_page_and_preserve_records() {
    let home = Home::new();
    home.output("match --agents random,greedy --seats 2 --sets 1 --quiet --out run --record records");
    let record = home.read("records/game-0.jsonl");
    home.write("page.txt", &record);
    home.write("broken", "{}\n");
    home.refuses(
        "replay",
        &[
            (
                "records/game-0.jsonl --html records/game-0.jsonl",
                "--html records/game-0.jsonl: is the name of a game record",
            ),
            ("--html records/game-0.jsonl records/game-1.jsonl", "--html records/game-0.jsonl"),
            ("page.txt --html run/../page.txt", "--html run/../page.txt: is the name of a game record"),
            ("records --html new.jsonl", "allowed: the name of a page"),
            ("records --seat 1", "--seat: changes what is shown; add --show, --step or --html FILE"),
            ("records --worlds 9 --policy greedy", "--worlds: changes what is shown"),
        ],
    );
    assert_eq!([home.read("records/game-0.jsonl"), home.read("page.txt")], [record.clone(), record]);
    for (arguments, part) in [
        ("records broken --html new.html", "broken: line 1"),
        ("records --html none/new.html", "none/new.html: directory none not found"),
    ] {
        let (message, _) = home.failure(&format!("replay {arguments}"), 2);
        assert!(message.contains(part), "{message}");
    }
    assert!(!home.path("new.html").exists());
    assert!(
        home.failure("replay --show --seat 5 records/game-0.jsonl", 2)
            .0
            .contains("--seat 5: this game has seats 0 to 1")
    );
}

/// If all players lose by faults, there is no winner, as in games.csv.
#[test]
#[cfg(unix)]
fn game_lost_by_all_has_no_winner() {
    let home = Home::new();
    let script =
        "while read -r line; do case $line in *decide*) exit 1;; *hello*) echo '{\"protocol\":1}';; esac; done\n";
    home.write("quits", script);
    let agent = format!("cmd:\"sh {}\",start_ms=60000", home.path("quits").display());
    let mut run = home.unolab("match --seats 2 --sets 1 --quiet --games-csv --out run --record records");
    run.args(["--agents", &format!("a={agent}"), "--agents", &format!("b={agent}")]).assert().success();
    let games = rows(&home.read("run/games.csv"));
    assert_eq!((&*games[0]["status"], &*games[0]["winner"]), ("void", ""));
    home.output("replay records/game-0.jsonl --html page.html");
    assert!(home.read("page.html").contains("no winner: all players have lost by faults"));
}

#[test]
fn record_text_is_human_readable() {
    let home = Home::new();
    home.output("match --agents random,greedy --seats 2 --sets 1 --quiet --out run --record records");
    let shown = home.output("replay --show records/game-0.jsonl");
    assert!(shown.contains("seat 1 plays ") && shown.contains(" is turned up"), "{shown}");
}

/// Enter shows the next move, `q` stops, and without a user the rest is printed at once.
#[test]
fn replay_prints_record_step_by_step() {
    let home = Home::new();
    home.output("match --agents random,greedy --seats 2 --sets 1 --quiet --out run --record records");
    let moves = |input: &str| {
        let output = home.unolab("replay --step records/game-0.jsonl").write_stdin(input).assert().success();
        let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        assert!(text.contains(": fits, rounds 1,"), "{text}");
        text.lines().filter(|line| line.starts_with('#')).count()
    };
    let all = home.output("replay --show records/game-0.jsonl").lines().filter(|line| line.starts_with('#')).count();
    assert!(all > 5);
    assert_eq!((moves("q\n"), moves("\nq\n"), moves("\n\n\nq\n"), moves(""), moves("\n")), (1, 2, 4, all, all));
}

/// Cards are colored only if requested; every move has the sizes of hands and piles, and a seat with one card calls UNO
/// or can be caught.
#[test]
fn replay_prints_colors_counts_and_uno() {
    let home = Home::new();
    let calls = "--set uno.calls=explicit --agents greedy,heuristic --seats 2 --sets 1";
    home.output(&format!("match {calls} --quiet --out run --record records --record-sets 1"));
    let told = |name: &str| {
        let output = home.unolab("replay --show records/game-0.jsonl").env(name, "1").assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let (plain, colored) = (told("NO_COLOR"), told("CLICOLOR_FORCE"));
    assert!(!plain.contains('\u{1b}') && home.output("replay --show records/game-0.jsonl") == plain);
    for (color, code) in [('r', "91"), ('y', "93"), ('g', "92"), ('b', "94")] {
        assert!(colored.contains(&format!("\u{1b}[{code}m{color}")), "{colored}");
    }
    let mut stripped = String::new();
    for (index, part) in colored.split('\u{1b}').enumerate() {
        stripped += if index == 0 { part } else { part.split_once('m').expect("a color code").1 };
    }
    assert_eq!(stripped, plain);
    assert!(plain.starts_with("classic: 0 "), "{plain}");
    let record = home.read("records/game-0.jsonl");
    let moves = plain.lines().filter(|line| line.starts_with('#')).count();
    assert_eq!(moves, 1 + record.lines().filter(|line| line.contains("\"do\":")).count());
    let counts: Vec<&str> = plain.lines().filter(|line| line.trim().starts_with("cards ")).collect();
    assert_eq!(counts.len(), moves);
    for line in &counts[..counts.len() - 1] {
        let (hands, rest) = line.trim().strip_prefix("cards ").unwrap().split_once(" · draw pile ").unwrap();
        let hands: Vec<usize> = hands.split(' ').map(|count| count.parse().unwrap()).collect();
        let draw: usize = rest.split(' ').next().unwrap().parse().unwrap();
        let laid: usize = rest.split("discard pile ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert_eq!(hands.iter().sum::<usize>() + draw + laid, 108, "{line}");
        for (seat, &cards) in hands.iter().enumerate() {
            let uno = [format!("seat {seat} has one card"), format!("seat {seat} has not called UNO")];
            assert_eq!(uno.iter().any(|uno| line.contains(uno.as_str())), cards == 1, "{line}");
        }
    }
}
