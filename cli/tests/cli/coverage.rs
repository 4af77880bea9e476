//! Many runs, and how often their intervals contain the true value.

use super::{Home, rows};

#[test]
fn intervals_have_nominal_coverage() {
    let home = Home::new();
    let command = "coverage --agents greedy,random --seats 2,3 --runs 60 --sets 40";
    let text = home.output(&format!("{command} --out run"));
    assert!(text.contains("classic, 2 seats, 60 runs of 40 sets"), "{text}");
    let table = rows(&home.read("run/coverage.csv"));
    for row in &table {
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        assert!((number("covered") / number("runs") - number("coverage")).abs() < 1e-12);
        // Of 60 95% intervals, more than 12 very rarely fail; anytime intervals are wider.
        let is_mean = ["win_share", "points_mean", "share"].contains(&&*row["quantity"]);
        assert!(!is_mean || number("covered") >= 48.0 && number("half_width") > 0.0, "{row:?}");
    }
    for quantity in ["win_share", "points_mean", "share"] {
        let of = |seats: &str| table.iter().filter(|row| row["quantity"] == quantity && row["seats"] == seats).count();
        assert!(of("2") > 0 && of("2") == of("3"), "{quantity}");
    }
    home.output(&format!("{command} --out again --threads 1 --quiet"));
    assert_eq!(home.read("run/coverage.csv"), home.read("again/coverage.csv"));
}

/// With separate random numbers an agent plays differently from its copy, with the same strength.
#[test]
fn agent_against_itself_has_fair_share() {
    let home = Home::new();
    home.output("coverage --agents random,random --seats 4 --runs 40 --sets 30 --quiet --out run");
    let table = rows(&home.read("run/coverage.csv"));
    let row = table.iter().find(|row| row["quantity"] == "win_share").unwrap();
    assert!((row["truth"].parse::<f64>().unwrap() - 0.25).abs() < 0.03, "{row:?}");
    assert!(row["half_width"].parse::<f64>().unwrap() > 0.01, "they do not tie in every set: {row:?}");
    assert!(home.failure("coverage --agents random", 2).0.contains("two or more are needed"));
}

/// Metrics with their fits, and the regret of choices: every run has an interval of each, around the mean of all runs.
#[test]
fn metrics_and_regret_are_simulated() {
    let home = Home::new();
    for (of, quantity, who) in [
        ("metrics", "turns", ""),
        ("metrics", "excitement", ""),
        ("metrics", "sting(draw_two)", ""),
        ("regret --worlds 4", "mean_regret", "random"),
    ] {
        let out = quantity;
        home.output(&format!(
            "coverage --of {of} --agents greedy,random --seats 2 --runs 12 --sets 20 --set match.target=100 --quiet --out {out}"
        ));
        let table = rows(&home.read(&format!("{out}/coverage.csv")));
        let row = table.iter().find(|row| row["quantity"] == quantity && row["of"] == who).expect(quantity);
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        assert!(number("runs") >= 12.0 && number("covered") >= 6.0, "{row:?}");
        // The mean of the runs is near the true value, and the intervals are not wider than necessary.
        let (mean, truth, half) = (number("mean"), number("truth"), number("half_width"));
        assert!((mean - truth).abs() < half && half < truth.abs(), "{row:?}");
    }
    let (message, _) = home.failure("coverage --of regret --agents greedy,random --luck", 2);
    assert!(message.contains("--luck: luck adjustment applies to results, not to --of regret"), "{message}");
}
