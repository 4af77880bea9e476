//! Every command accepts a registered custom agent.

use std::path::Path;

use assert_cmd::Command;

fn own_bot(home: &Path, arguments: &str) -> String {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("own-bot"));
    let output = command.current_dir(home).args(arguments.split_whitespace()).assert().success().get_output().clone();
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn own_bot_is_listed_and_passes_check() {
    let home = tempfile::tempdir().expect("a directory for the test");
    assert!(own_bot(home.path(), "agents").contains("thrifty"));
    let checked = own_bot(home.path(), "check --agents thrifty --variant classic --seats 2,4 --rounds 2");
    assert!(checked.contains("passed"), "{checked}");
}

/// A guarded agent, as in a recorded game, is asked for each decision.
#[test]
fn turn_policy_plays_same_games_when_asked_for_each_decision() {
    let home = tempfile::tempdir().expect("a directory for the test");
    let checked = own_bot(home.path(), "check --agents highest --variant classic,disney --seats 2,4 --rounds 2");
    assert!(checked.contains("passed"), "{checked}");
    let games =
        |directory: &str| std::fs::read_to_string(home.path().join(directory).join("games.csv")).expect("games");
    for variant in ["classic", "cars"] {
        let run =
            format!("tournament --agents highest,greedy,mixbot --variant {variant} --seats 2-4 --sets 5 --games-csv");
        own_bot(home.path(), &format!("{run} --out {variant}-fast"));
        own_bot(home.path(), &format!("{run} --out {variant}-recorded --record {variant}-records --record-sets 5"));
        assert_eq!(games(&format!("{variant}-fast")), games(&format!("{variant}-recorded")));
    }
}

#[test]
fn own_bot_plays_in_every_command() {
    let home = tempfile::tempdir().expect("a directory for the test");
    for command in [
        "match --agents thrifty,greedy --seats 2 --sets 50",
        "tournament --agents thrifty,greedy,random --seats 3 --sets 10",
        "match --agents highest,thrifty --seats 2 --sets 20 --extra-cards highest=2",
        "tournament --format league --agents thrifty,greedy,random,mixbot --seats 2 --sets 8",
        "sprt --agents thrifty,random --nelo0 -400 --nelo1 -300 --max-sets 400",
        "balance --agents thrifty,greedy --variant classic --seats 2 --sets 4",
    ] {
        let directory = command.split_whitespace().take(3).collect::<Vec<_>>().join("-").replace("--", "");
        let printed = own_bot(home.path(), &format!("{command} --out {directory}"));
        assert!(printed.contains("thrifty") || command.starts_with("sprt"), "{command}: {printed}");
        let again = own_bot(home.path(), &format!("verify {directory}"));
        assert!(again.contains("no difference"), "{command}: {again}");
    }
}
