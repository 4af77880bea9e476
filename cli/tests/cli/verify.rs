//! Repeated studies.

use std::path::Path;

use super::{Home, names_in};

/// A study with a separate variant file and two steps.
fn study() -> Home {
    let home = Home::new();
    std::fs::create_dir_all(home.path("results/mine")).unwrap();
    home.write("results/mine/gentle.toml", "base = \"classic\"\npoints.wild = 40\n");
    home.write(
        "results/mine/study.toml",
        "[[step]]\nout = \"rounds\"\ncommand = \"tournament --variant gentle.toml --seats 2 --sets 20 --games-csv\"\n\
         quick = \"--sets 3\"\nexclude = [\"games.csv\"]\n\n\
         [[step]]\nout = \"duel\"\ncommand = \"match --agents greedy,random --seats 2 --sets 4\"\n",
    );
    home.output("verify results --update");
    home.output("verify results/mine --update --quick");
    home
}

#[test]
fn changed_study_table_is_reported_with_line() {
    let home = study();
    let kept = names_in(&home.path("results/mine/rounds"));
    assert!(kept.contains(&"run.json".to_owned()) && !kept.contains(&"games.csv".to_owned()), "{kept:?}");
    let quick = names_in(&home.path("results/mine/quick/rounds"));
    assert!(quick.iter().all(|name| Path::new(name).extension().unwrap() == "csv"), "{quick:?}");
    for form in ["", "--quick"] {
        let output = home.output(&format!("verify results {form}"));
        assert!(output.contains("summary.csv: same, SHA-256 ") && output.contains("no difference in "), "{output}");
    }
    assert_eq!(home.names(), ["results"], "and nothing is left behind");

    let changed = home.read("results/mine/duel/pairs.csv").replacen("greedy", "greedier", 1);
    home.write("results/mine/duel/pairs.csv", &changed);
    std::fs::remove_file(home.path("results/mine/rounds/seats.csv")).unwrap();
    home.write("results/mine/rounds/extra.csv", "a\n1\n");
    let (_, output) = home.failure("verify results/mine", 1);
    assert!(output.contains("duel/pairs.csv: differs from line 2:\n  kept: classic,2,greedier,"), "{output}");
    assert!(output.contains("rounds/seats.csv: was written, but is not kept"), "{output}");
    assert!(output.contains("rounds/extra.csv: is kept, but the step no longer writes it"), "{output}");
    assert!(output.contains("3 of "), "{output}");
    home.output("verify results/mine --quick");
}

#[test]
fn update_replaces_only_run_files() {
    let home = study();
    std::fs::create_dir(home.path("results/mine/rounds/bots")).unwrap();
    for own in ["notes.txt", "quick.csv", "bots/mine.py"] {
        home.write(&format!("results/mine/rounds/{own}"), "mine");
    }
    let kept = home.read("results/mine/rounds/summary.csv");
    home.write("results/mine/rounds/summary.csv", "changed");
    home.write("results/mine/rounds/luck.csv", "of an earlier form of the step");
    home.output("verify results/mine --update");
    assert_eq!(home.read("results/mine/rounds/summary.csv"), kept);
    assert!(!home.path("results/mine/rounds/luck.csv").exists());
    for own in ["notes.txt", "quick.csv", "bots/mine.py"] {
        assert_eq!(home.read(&format!("results/mine/rounds/{own}")), "mine", "{own}");
    }
}

#[test]
fn changed_quick_tables_give_warning_on_full_tables() {
    let home = study();
    let update = || {
        let output = home.unolab("verify results --quick --update").output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(update(), "");
    home.write("results/mine/quick/duel/pairs.csv", "a\n1\n");
    let warning = update();
    assert!(warning.contains("results/mine: the quick tables have changed (duel), so the full tables"), "{warning}");
    assert!(warning.contains("unolab verify results/mine"), "{warning}");
}

#[test]
fn failing_study_step_is_named_with_reason() {
    let home = study();
    let study = home.read("results/mine/study.toml").replace("greedy,random", "greedy,stranger");
    home.write("results/mine/study.toml", &study);
    let (message, _) = home.failure("verify results/mine", 2);
    assert!(message.contains("results/mine: step `duel`") && message.contains("stranger"), "{message}");
    let (message, _) = home.failure("verify results/mine/rounds --quick", 2);
    assert!(message.contains("results/mine/rounds: is a single run"), "{message}");
}

#[test]
fn finished_run_is_verified_from_its_spec() {
    let home = Home::new();
    home.output("tournament --sets 5 --seats 2,3 --seed 3 --games-csv=2 --out a --quiet");
    home.output("match --agents greedy,random --sets 5 --seats 2 --out b --quiet");
    let output = home.output("verify a b");
    assert!(output.contains("a/games.csv: same, SHA-256 ") && output.contains("b/seats.csv: same"), "{output}");
    let games = home.read("a/games.csv");
    home.write("a/games.csv", &games[..games.len() - 9]);
    let (_, output) = home.failure("verify a b", 1);
    assert!(output.contains("a/games.csv: differs from line 28"), "{output}");
    assert!(
        output.contains("a: differences in 1 of 6 tables: ") && output.contains("b: no difference in 5 tables\n"),
        "{output}"
    );
}

/// A changed last digit, as with another logarithm, and a changed count, as with another game.
#[test]
fn verify_reports_changed_cells_and_games() {
    let home = Home::new();
    home.output("match --agents greedy,random --sets 5 --seats 2 --seed 3 --out a --quiet");
    let table = home.read("a/summary.csv");
    let share = table.lines().nth(1).unwrap().split(',').find(|cell| cell.len() > 15).unwrap();
    let other = format!("{}{}", &share[..share.len() - 1], if share.ends_with('1') { '2' } else { '1' });
    home.write("a/summary.csv", &table.replacen(share, &other, 1));
    let (_, output) = home.failure("verify a", 1);
    assert!(output.contains("a: differences in 1 of 5 tables: 1 cell, largest relative difference "), "{output}");
    assert!(output.contains("; no game differs\n"), "{output}");
    home.write("a/summary.csv", &table.replacen(",10,", ",11,", 1));
    let (_, output) = home.failure("verify a --json", 1);
    let rows: serde_json::Value = serde_json::from_str(&output).unwrap();
    let row = rows["tables"]["verify"].as_array().unwrap().iter().find(|row| row["same"] == false).unwrap();
    assert_eq!(row["cells"].as_u64(), Some(1));
    assert!((row["largest_relative_difference"].as_f64().unwrap() - 1.0 / 11.0).abs() < 1e-12, "{row}");
}

#[test]
fn inconsistent_run_manifest_is_rejected() {
    let home = Home::new();
    home.output("match --agents random,greedy --seats 2 --sets 3 --quiet --out run");
    let run = home.read("run/run.json");
    let told: serde_json::Value = serde_json::from_str(&run).unwrap();
    for (old, new, part) in [
        (told["spec_hash"].as_str().unwrap(), "0123456789abcdef", "its spec_hash is 0123456789abcdef"),
        (told["result_hash"].as_str().unwrap(), "0123456789abcdef", "run.json: was changed after the run"),
        ("\"unolab\": \"", "\"unolab\": \"9.", "was run by unolab 9."),
    ] {
        home.write("run/run.json", &run.replacen(old, new, 1));
        let (message, _) = home.failure("verify run", 2);
        assert!(message.contains(part), "{message}");
    }
    home.write("run/run.json", &run);
    home.change_sealed("run/run.json", told["result_hash"].as_str().unwrap(), "0123456789abcdef");
    let (message, _) = home.failure("verify run", 2);
    assert!(
        message.contains("the replay has the result hash ") && message.contains(", not 0123456789abcdef"),
        "{message}"
    );
    home.write("run/run.json", &run.replacen("\"sets\": 3", "\"sets\": 2", 1));
    for command in ["verify run", "rate run", "compare run run"] {
        let (message, _) = home.failure(command, 2);
        assert!(message.contains("its spec_hash is "), "{command}: {message}");
    }
}

#[test]
fn verify_repeats_runs_of_every_command() {
    let home = Home::new();
    home.output("sprt --agents greedy,random --seats 2 --nelo1 60 --luck --quiet --out test");
    home.output("tournament --format league --sets 8 --seats 2 --luck --quiet --out league");
    home.output("balance --seats 2 --sets 4 --matches 0 --sweep points.wild=3 --plot turns --quiet --out balance");
    home.output("match --agents greedy,random --seats 3 --sets 8 --games-csv=2 --quiet --out match");
    for (directory, tables) in [("test", 2), ("league", 7), ("balance", 3), ("match", 6)] {
        let text = home.output(&format!("verify {directory}"));
        assert!(text.contains(&format!("{directory}: no difference in {tables} tables")), "{text}");
    }
    home.write("balance/sweep.csv", "other");
    assert!(home.failure("verify balance", 1).1.contains("differences in 1 of 3 tables"));
    home.write("test/run.json", "{}");
    assert!(home.failure("verify test", 2).0.contains("test/run.json: is not the run.json of a run"));
}
