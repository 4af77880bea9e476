//! The tables computed again in another language, by a script that shares no code with the program.

use std::path::Path;
use std::process::Command;

use super::Home;

/// The output of the script on a run, and whether it agreed. `None` without Python.
fn recomputed(home: &Home) -> Option<(bool, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recompute.py");
    let output = Command::new("python3").arg(script).arg(home.path("run")).output();
    let Ok(output) = output else {
        assert!(std::env::var_os("CI").is_none(), "there is no python3: the tables are not computed again");
        eprintln!("SKIPPED: there is no python3, the tables are not computed again");
        return None;
    };
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8(text).expect("text")))
}

fn assert_agrees(arguments: &str) {
    let home = Home::new();
    home.output(&format!("{arguments} --games-csv --quiet --out run"));
    if let Some((agrees, text)) = recomputed(&home) {
        assert!(agrees && text.contains("all agree"), "{arguments}: {text}");
    }
}

#[test]
fn recomputed_rounds_match_in_every_seating() {
    assert_agrees("tournament --agents random,greedy,mixbot --seats 2,4 --sets 60");
    assert_agrees("tournament --agents random,greedy,random --seats 3 --seating all --sets 40");
    assert_agrees("tournament --agents random,greedy,mixbot,first-legal --seats 4 --seating neighbor --sets 40");
    assert_agrees("tournament --agents greedy,random,mixbot --format gauntlet --seats 5 --sets 40");
}

#[test]
fn recomputed_matches_teams_and_extreme_shares_match() {
    assert_agrees("tournament --variant disney --unit match --agents random,greedy --seats 2,3 --sets 20");
    assert_agrees("match --agents greedy,random --seats 4 --unit match --set match.teams=fixed --sets 30");
    assert_agrees("match --agents random,mixbot --seats 10 --sets 30");
    assert_agrees("match --agents greedy,greedy --seats 2 --sets 1");
    // Versions that differ in few deals, and twins.
    assert_agrees(
        "tournament --agents heuristic,heuristic:hit_one=2,heuristic:hit_one=0,heuristic --seats 2 --sets 200",
    );
    assert_agrees("match --agents heuristic,heuristic:hit_one=2 --seats 4 --sets 50");
    // Few sets with equal results.
    assert_agrees(
        "tournament --agents greedy,random,mixbot,heuristic --seats 4 --set match.teams=fixed --unit match --sets 3",
    );
}

/// The script detects a count that is one too large, and a share that is wrong in the seventh digit.
#[test]
fn recomputation_finds_changed_cell() {
    let home = Home::new();
    home.output("match --agents greedy,random --seats 2 --sets 20 --games-csv --quiet --out run");
    let summary = home.read("run/summary.csv");
    let row = summary.lines().nth(1).unwrap();
    let share = row.split(',').nth(8).unwrap();
    let changed = format!("{:.7}1", share.parse::<f64>().unwrap());
    home.write("run/summary.csv", &summary.replacen(&format!(",{share},"), &format!(",{changed},"), 1));
    let Some((agrees, text)) = recomputed(&home) else { return };
    assert!(!agrees && text.contains("win_share") && text.contains("1 differ"), "{text}");
}
