//! `--control`: an agent against itself, with separate random numbers on the same deals.

use super::{Home, rows};

#[test]
fn agent_against_itself_shows_noise() {
    let home = Home::new();
    home.output("match --agents random --control --seats 2,4 --sets 400 --quiet --out run");
    let summary = rows(&home.read("run/summary.csv"));
    let names: Vec<&str> = summary.iter().map(|row| &*row["entrant"]).collect();
    assert_eq!(names, ["random", "control", "random", "control"]);
    for row in &summary {
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        let fair = 1.0 / number("seats");
        assert!(number("se") > 0.002 && (number("win_share") - fair).abs() < 4.0 * number("se"), "{row:?}");
    }
    // Without it equal agents tie to the last digit.
    home.output("match --agents random,random --seats 2 --sets 400 --quiet --out tied");
    assert!(rows(&home.read("tied/summary.csv")).iter().all(|row| row["se"] == "0.0"));
    home.output("match --agents random,random --control --seats 2 --sets 400 --quiet --out apart");
    let apart = rows(&home.read("apart/summary.csv"));
    assert!(apart.len() == 2 && apart.iter().all(|row| row["se"].parse::<f64>().unwrap() > 0.005), "{apart:?}");
}

#[test]
fn control_plays_same_deals_as_entrants() {
    let home = Home::new();
    home.output("match --agents random,heuristic --control --seats 3 --sets 50 --games-csv --quiet --out duel");
    let pairs = rows(&home.read("duel/pairs.csv"));
    let met: Vec<(&str, &str)> = pairs.iter().map(|row| (&*row["a"], &*row["b"])).collect();
    assert_eq!(met, [("random", "heuristic"), ("random", "control")]);
    home.output("tournament --agents random,heuristic --control --seats 2 --sets 50 --quiet --out field");
    assert_eq!(rows(&home.read("field/pairs.csv")).len(), 3);
    assert!(
        home.read("field/run.json").replace([' ', '\n'], "").contains("\"stream\":{\"apart\":1}"),
        "{}",
        home.read("field/run.json")
    );
    home.output("verify duel field");
    home.refuses("match", &[("--agents random,greedy,heuristic --control --seats 3", "choose tournament")]);
}
