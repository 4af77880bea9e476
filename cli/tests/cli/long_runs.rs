//! Balance runs, sequential tests and leagues that are killed and resumed, or played in parts.

use super::{Home, names_in};

const BALANCE: &str = "balance --variant disney --agents heuristic --seats 2,3 --sets 60 --matches 7 \
                       --sweep points.villain_draw_four=25,50 --card-effect wild --quiet";
const SPRT: &str = "sprt --agents heuristic,mixbot --nelo0 -0.2 --nelo1 0.2 --quiet";
const LEAGUE: &str = "tournament --format league --agents first-legal,random,diversity,greedy,mixbot,heuristic \
                      --seats 2,3 --sets 240 --quiet";

/// Everything in run.json except the fields that may differ.
fn assert_same_files(home: &Home, found: &str, expected: &str) {
    let names = names_in(&home.path(expected));
    assert_eq!(names_in(&home.path(found)), names);
    for name in names.iter().filter(|name| *name != "run.json") {
        assert_eq!(home.read(&format!("{found}/{name}")), home.read(&format!("{expected}/{name}")), "{found}/{name}");
    }
}

#[test]
fn killed_and_resumed_runs_have_same_bytes() {
    let home = Home::new();
    for (run, name) in [(BALANCE, "balance"), (SPRT, "sprt"), (LEAGUE, "league")] {
        home.output(&format!("{run} --out {name} --threads 2"));
        let killed = format!("{name}-killed");
        home.kill_on_its_way(&format!("{run} --threads 1"), &killed);
        let status = home.output(&format!("status {killed}"));
        assert!(status.starts_with(&format!("{killed}: interrupted ({name}); ")), "{status}");
        let (message, _) = home.failure(&format!("{run} --out {killed}"), 2);
        assert!(message.contains("holds an unfinished run of the same spec ("), "{message}");
        let (message, _) = home.failure(&format!("{run} --out {killed} --resume --seed 9"), 2);
        assert!(message.contains("a run of another spec") && message.contains("that is not finished"), "{message}");
        home.output(&format!("{run} --out {killed} --resume --threads 3"));
        assert_same_files(&home, &killed, name);
        // The run is finished: nothing to do.
        home.output(&format!("{run} --out {killed} --resume"));
        assert_same_files(&home, &killed, name);
    }
}

#[test]
fn stored_progress_of_other_spec_is_rejected() {
    let home = Home::new();
    for (run, name, what, other) in [
        (BALANCE, "balance", r#""end":60"#, r#""end":61"#),
        (SPRT, "sprt", r#""most_sets":1000000000000"#, r#""most_sets":1000000000001"#),
        (LEAGUE, "league", r#""num_seats":2"#, r#""num_seats":3"#),
    ] {
        home.kill_on_its_way(run, name);
        home.change_sealed(&format!("{name}/checkpoint.json"), what, other);
        let (message, _) = home.failure(&format!("{run} --out {name} --resume"), 2);
        assert!(message.contains("belong to"), "{message}");
    }
}

#[test]
fn sharded_balance_merges_to_same_bytes() {
    let home = Home::new();
    home.output(&format!("{BALANCE} --out whole"));
    for part in 1..=3 {
        home.output(&format!("{BALANCE} --shard {part}/3 --out part-{part}"));
        assert_eq!(names_in(&home.path(&format!("part-{part}"))), ["shard.json", "time.json"]);
    }
    home.output("merge part-3 part-1 part-2 --out joined --quiet");
    assert_same_files(&home, "joined", "whole");
    home.output(&format!("{BALANCE} --seed 2 --shard 3/3 --out other-seed"));
    for (parts, reason) in [
        ("part-1 part-3", "shard 2/3 is missing"),
        ("part-1 part-2 part-3 part-2", "are in both part-2 and part-2"),
        ("part-1 part-2 other-seed", "other-seed: is a shard of another spec"),
    ] {
        let (message, _) = home.failure(&format!("merge {parts} --out nothing"), 2);
        assert!(message.contains(reason) && !home.path("nothing").exists(), "{parts}: {message}");
    }
}

#[test]
fn unshardable_command_is_rejected_with_reason() {
    let home = Home::new();
    for (run, reason) in [
        (SPRT, "a sequential test has no shards"),
        (LEAGUE, "--shard cannot be used with --format league: its tables depend on its results"),
    ] {
        let (message, _) = home.failure(&format!("{run} --shard 1/2"), 2);
        assert!(message.contains(reason), "{message}");
    }
    assert!(home.names().is_empty());
}
