//! Two runs of the same deals, compared.

use std::collections::BTreeMap;

use super::{Home, rows};

type Row = BTreeMap<String, String>;

fn row<'a>(rows: &'a [Row], table: &str, a: &str, measure: &str) -> &'a Row {
    let is_it = |row: &&Row| row["table"] == table && row["a"] == a && row["measure"] == measure && row["seats"] == "4";
    rows.iter().find(is_it).expect("a row")
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

/// Also with partners: an entrant whose side wins has won.
#[test]
fn partners_are_compared_by_wins_of_side() {
    let home = Home::new();
    home.write("partners.toml", "base = \"classic\"\nmatch.teams = \"fixed\"\n");
    let sets =
        "--variant classic,partners.toml --unit match --seats 4 --sets 4 --set match.target=100 --seed 5 --quiet";
    home.output(&format!("match --agents heuristic,random {sets} --games-csv --out first"));
    home.output(&format!("match --agents mixbot,random {sets} --games-csv --out second"));
    home.output("compare first second --out compared");
    let compared = rows(&home.read("compared/compare.csv"));
    for (file, agent, column) in [("first", "heuristic", "first"), ("second", "mixbot", "second")] {
        let summary = rows(&home.read(&format!("{file}/summary.csv")));
        for row in summary.iter().filter(|row| row["entrant"] == agent) {
            let is_its = |other: &&Row| {
                (&other["variant"], &*other["measure"]) == (&row["variant"], "win_share")
                    && other["table"] == "summary.csv"
                    && other["a"].contains("heuristic")
            };
            let found = compared.iter().find(is_its).unwrap_or_else(|| panic!("{row:?} in {compared:?}"));
            assert!((number(found, column) - number(row, "win_share")).abs() < 1e-9, "{found:?} {row:?}");
        }
    }
}

/// The compared numbers are the numbers of both runs' tables, whether a run has its games or is played again.
#[test]
fn paired_differences_match_tables_with_smaller_errors() {
    let home = Home::new();
    let sets = "--seats 2,4 --sets 300 --seed 5 --quiet";
    home.output(&format!("match --agents heuristic,random {sets} --games-csv --out first"));
    home.output(&format!("match --agents heuristic:suspicion=0.3,random {sets} --out second"));
    let text = home.output("compare first second --out compared");
    assert!(text.contains("300 common deals") && text.contains("heuristic →"), "{text}");
    let compared = rows(&home.read("compared/compare.csv"));
    for (file, who) in [("first", "first"), ("second", "second")] {
        for (summary, seats) in rows(&home.read(&format!("{file}/summary.csv"))).iter().zip(["2", "2", "4", "4"]) {
            let same = |row: &&Row| {
                let name = if who == "first" { &row["a"] } else { &row["b"] };
                row["table"] == "summary.csv" && *name == summary["entrant"] && row["seats"] == seats
            };
            for measure in ["win_share", "points_mean", "turns_mean"] {
                let row = compared.iter().filter(same).find(|row| row["measure"] == measure).unwrap();
                assert!((number(row, who) - number(summary, measure)).abs() < 1e-9, "{row:?} {summary:?}");
            }
        }
    }
    let wins = row(&compared, "summary.csv", "heuristic", "win_share");
    assert!((number(wins, "difference") - number(wins, "second") + number(wins, "first")).abs() < 1e-12);
    assert!(number(wins, "relative_efficiency") > 2.0, "{wins:?}");
    let apart: f64 = rows(&home.read("first/summary.csv"))[2]["se"].parse().unwrap();
    assert!(number(wins, "se") < apart, "{wins:?}");
    let pair = row(&compared, "pairs.csv", "heuristic against random", "share");
    assert_eq!((&*pair["b"], &*pair["sets"]), ("heuristic:suspicion=0.3 against random", "300"));
}

/// Samples of different sets have few deals in common, but the runs have many.
#[test]
fn games_csv_sample_is_not_used_as_all_games() {
    let home = Home::new();
    let sets = "--seats 2 --sets 60 --seed 5 --quiet";
    for (out, flag) in
        [("all", "--games-csv"), ("fifties", "--games-csv=50"), ("sevens", "--games-csv=7"), ("none", "")]
    {
        home.output(&format!("match --agents heuristic,random {sets} {flag} --out {out}"));
    }
    home.output(&format!("match --agents heuristic:suspicion=0.3,random {sets} --games-csv=7 --out other"));
    let expected = home.output("compare none other --csv");
    assert!(rows(&expected).iter().all(|row| row["sets"] == "60"), "{expected}");
    for run in ["all", "fifties", "sevens"] {
        assert_eq!(home.output(&format!("compare {run} other --csv")), expected, "{run}");
    }
}

#[test]
fn run_compared_with_itself_or_fewer_deals_has_no_difference() {
    let home = Home::new();
    home.output("tournament --agents random,greedy,heuristic --seats 3 --sets 40 --quiet --games-csv --out run");
    home.output("tournament --agents heuristic,random,greedy --seats 3 --sets 25 --quiet --games-csv --out fewer");
    let csv = rows(&home.output("compare run run --csv"));
    assert!(csv.iter().all(|row| row["difference"] == "0.0" && row["se"] == "0.0" && row["p"].is_empty()));
    let csv = rows(&home.output("compare run fewer --csv"));
    assert!(csv.iter().all(|row| row["sets"] == "25"), "{csv:?}");
    assert!(csv.iter().filter(|row| row["table"] == "summary.csv").all(|row| row["a"] == row["b"]));
}

#[test]
fn runs_without_common_deals_are_rejected_with_reason() {
    let home = Home::new();
    let play = |arguments: &str, out: &str| {
        home.output(&format!("match --agents greedy,random --sets 5 --quiet {arguments} --out {out}"));
    };
    play("--seats 2 --seed 1", "one");
    play("--seats 2 --seed 2", "other");
    play("--seats 3 --seed 1", "three");
    play("--seats 2 --seed 1 --unit match", "match");
    home.failure("sprt --agents greedy,random --nelo0 1 --nelo1 2 --max-sets 100 --quiet --out test", 3);
    home.output("balance --seats 2 --sets 2 --matches 0 --quiet --out measured");
    for (runs, reason) in [
        ("one other", "they share no deals: --seed 1 and --seed 2"),
        ("one three", "they share no deals: no variant at the same number of seats"),
        ("one match", "they share no deals: one plays rounds"),
        ("one test", "only tournaments and matches are compared"),
        ("one nothing", "nothing"),
        ("one measured", "measured/run.json: is from `balance`, not from a match between entrants"),
    ] {
        let (message, _) = home.failure(&format!("compare {runs}"), 2);
        assert!(message.contains(reason), "{runs}: {message}");
    }
}
