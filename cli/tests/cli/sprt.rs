//! The sequential test on the command line.

use super::{Home, names_in, rows};

#[test]
fn sprt_rejects_equal_hypotheses_and_undecidable_test() {
    let home = Home::new();
    let (message, _) = home.failure("sprt --agents heuristic,greedy --nelo1 200 --max-sets 20 --out few", 3);
    assert!(message.contains("warning: --max-sets 20: the first interim analysis is after 100 sets"), "{message}");
    home.refuses("sprt --agents heuristic,greedy", &[("--nelo1 1e-9", "must be above --nelo0 0, by 0.01 at least")]);
}

#[test]
fn sprt_accepts_stronger_and_rejects_weaker_agent() {
    let home = Home::new();
    let better = home.output("sprt --agents greedy,random --seats 2 --nelo1 20 --out better");
    assert!(better.contains("H1 accepted: greedy beats random\n"), "{better}");
    assert!(better.contains("trajectory in ") && better.contains("sprt.csv"), "{better}");
    let (_, worse) = home.failure("sprt --agents random,greedy --seats 4 --nelo1 20 --out worse", 1);
    assert!(worse.contains("H0 accepted: random does not beat greedy by more than 20 normalized Elo\n"), "{worse}");
    let looks = rows(&home.read("worse/sprt.csv"));
    let verdicts: Vec<&str> = looks.iter().map(|row| &*row["verdict"]).collect();
    assert_eq!(verdicts.last(), Some(&"accept_h0"));
    assert!(verdicts[..verdicts.len() - 1].iter().all(|&verdict| verdict == "open"));
    assert_eq!(names_in(&home.path("worse")), ["README.md", "run.json", "sprt.csv"]);
    // Run again, a finished test ends with the same status.
    home.output("sprt --agents greedy,random --seats 2 --nelo1 20 --out better --resume");
    home.failure("sprt --agents random,greedy --seats 4 --nelo1 20 --out worse --resume", 1);
}

#[test]
fn sprt_looks_are_independent_of_threads() {
    let csv = |threads: u32| {
        let home = Home::new();
        home.failure(
            &format!("sprt --agents mixbot,greedy --seats 3 --nelo0 15 --nelo1 17 --max-sets 400 --quiet --threads {threads} --out run"),
            3,
        );
        home.read("run/sprt.csv")
    };
    let one = csv(1);
    assert_eq!(one, csv(2));
    assert_eq!(one, csv(5));
}

#[test]
fn sprt_games_are_written_and_resumed() {
    let home = Home::new();
    let test = "sprt --agents greedy,random --seats 2 --nelo1 20 --games-csv --quiet";
    home.output(&format!("{test} --shard 1/1 --out run"));
    let looks = rows(&home.read("run/sprt.csv"));
    let games = rows(&home.read("run/games.csv"));
    assert_eq!(looks.last().unwrap()["games"], games.len().to_string());
    home.kill_on_its_way(test, "killed");
    home.output(&format!("{test} --out killed --resume --threads 3"));
    assert_eq!(home.read("killed/games.csv"), home.read("run/games.csv"));
    assert_eq!(home.read("killed/sprt.csv"), home.read("run/sprt.csv"));
}

/// Equal agents tie in every set: the null hypothesis is accepted without any variance.
#[test]
fn equal_agents_are_not_better() {
    let home = Home::new();
    let (_, text) = home.failure("sprt --agents greedy,greedy --seats 2 --nelo1 40", 1);
    assert!(text.contains("H0 accepted") && text.contains("50.00 [50.00, 50.00]\n"), "{text}");
    // Hypotheses equally far from it cannot be distinguished by any number of sets.
    let (_, text) = home.failure("sprt --agents greedy,greedy --seats 2 --nelo0 -10 --nelo1 10 --out level", 3);
    assert!(text.contains("undecided: every set ties"), "{text}");
}

/// A win of a team counts for two seats.
#[test]
fn teams_are_tested_by_the_share_of_their_wins() {
    let home = Home::new();
    let run = "sprt --agents greedy,random --set match.teams=fixed --seats 4 --nelo1 20 --games-csv --out run --json";
    let result: serde_json::Value = serde_json::from_str(&home.output(run)).unwrap();
    let games = rows(&home.read("run/games.csv"));
    let entrants_of_winners = games.iter().map(|game| {
        let places: Vec<&str> = game["places"].split_whitespace().collect();
        let entrants: Vec<&str> = game["entrants"].split_whitespace().collect();
        entrants[places.iter().position(|&place| place == "1").unwrap()].to_owned()
    });
    let won = entrants_of_winners.filter(|entrant| entrant == "0").count();
    let share = result["win_share"].as_f64().unwrap();
    assert!((share - won as f64 / games.len() as f64).abs() < 1e-9, "{share}: {won} of {}", games.len());
    let bounds = ["anytime_low", "anytime_high"].map(|bound| result[bound].as_f64().unwrap());
    assert!(0.0 < bounds[0] && bounds[0] < share && share < bounds[1] && bounds[1] < 1.0, "{bounds:?}");
    // Equal teams tie.
    home.failure("sprt --agents greedy,greedy --set match.teams=fixed --seats 4 --nelo1 40 --out equal", 1);
}

#[test]
fn undecided_test_has_distinct_exit_status() {
    let home = Home::new();
    let (_, text) = home.failure("sprt --agents mixbot,heuristic --seats 2 --nelo0 -1 --nelo1 1 --max-sets 100", 3);
    assert!(text.contains("undecided"), "{text}");
    // A limit before the first interim analysis is the only one.
    home.failure("sprt --agents mixbot,heuristic --seats 2 --nelo0 -1 --nelo1 1 --max-sets 50 --out few", 3);
    let looks = rows(&home.read("few/sprt.csv"));
    assert_eq!(looks.iter().map(|row| &*row["sets"]).collect::<Vec<_>>(), ["50"]);
}

#[test]
fn sprt_json_contains_result() {
    let home = Home::new();
    let text = home.output("sprt --agents greedy,random --seats 2 --nelo1 20 --out run --json");
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&result["accepted"], &result["verdict"], &result["a"]),
        (&"H1".into(), &"accept_h1".into(), &"greedy".into())
    );
    let number = |name: &str| result[name].as_f64().unwrap();
    assert!(number("llr") >= number("upper"));
    assert!(number("anytime_low") < number("win_share") && number("win_share") < number("anytime_high"));
    assert!(number("nelo_low") < number("nelo") && number("nelo") < number("nelo_high"));
    let (_, worse) = home.failure("sprt --agents random,greedy --seats 2 --nelo1 20 --out worse --json --quiet", 1);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&worse).unwrap()["accepted"], "H0");
    let last = rows(&home.read("run/sprt.csv")).pop().unwrap();
    assert!((last["nelo_low"].parse::<f64>().unwrap() - number("nelo_low")).abs() < 1e-9);
}

/// Far from zero, where results are skewed: `random` among heuristics is at about -119 normalized Elo.
#[test]
fn resampled_tests_have_nominal_error_rates() {
    let home = Home::new();
    home.output("sprt --simulate 400 --agents random,heuristic --seats 4 --nelo0 0 --nelo1 20 --out errors --quiet");
    let truths = rows(&home.read("errors/sprt_errors.csv"));
    let number = |row: usize, column: &str| truths[row][column].parse::<f64>().unwrap();
    assert!((-132.0..-102.0).contains(&number(1, "nelo")), "{}", number(1, "nelo"));
    assert!(
        (number(1, "nelo0") - number(1, "nelo")).abs() < 1e-9 && (number(3, "nelo1") - number(3, "nelo")).abs() < 1e-9
    );
    // Of 400 tests 20 may be wrong, and three standard deviations more.
    assert!(number(1, "accept_h1") <= 33.0 && number(3, "accept_h0") <= 33.0, "{truths:?}");
    assert!(truths.iter().all(|row| row["undecided"] == "0"));
}

#[test]
fn wrong_input_is_refused() {
    let home = Home::new();
    home.refuses(
        "sprt",
        &[
            ("--agents greedy", "two agents, A,B, not 1"),
            ("--agents a,b,c", "two agents, A,B, not 3"),
            ("--agents greedy,random --nelo0 5 --nelo1 5", "--nelo1 5 must be above --nelo0 5"),
            ("--agents greedy,random --nelo1 1e308", "--nelo1 1e308 is not allowed; allowed: -10000 to 10000"),
            ("--agents greedy,random --nelo0=-inf", "--nelo0 -inf is not allowed; allowed: -10000 to 10000"),
            ("--agents greedy,random --max-sets 0", "0 is not allowed; allowed: 1 to"),
            ("--agents greedy,random --alpha 0.7 --beta 0.5", "together below 1"),
            ("--agents greedy,random --variant classic,disney", "one variant, not 2"),
            ("--agents greedy,random --out -", "standard output"),
            ("--agents greedy,random --out /proc/unolab", "--out /proc"),
            ("--agents greedy,random --shard 1/2", "has no shards"),
            ("--simulate 10 --out -", "standard output"),
            ("--simulate 10 --luck", "cannot be used with"),
            ("--simulate 10 --agents greedy", "two agents, A,B, not 1"),
        ],
    );
    assert!(home.names().is_empty());
}

#[test]
fn simulated_tests_are_counted_and_written() {
    let home = Home::new();
    let text = home.output("sprt --simulate 40 --seats 4 --nelo1 80 --out errors");
    assert!(text.contains("+0.0 or +80.0"), "{text}");
    let truths = rows(&home.read("errors/sprt_errors.csv"));
    let accepted: Vec<u32> = truths.iter().map(|row| row["accept_h1"].parse().unwrap()).collect();
    assert_eq!(truths.iter().map(|row| &*row["nelo"]).collect::<Vec<_>>(), ["-40.0", "0.0", "40.0", "80.0", "120.0"]);
    assert!(accepted.is_sorted() && accepted[0] <= 3 && accepted[4] >= 37, "{accepted:?}");
    assert!(home.failure("sprt --simulate 40 --out errors", 2).0.contains("is not empty"));
}

#[test]
fn dry_run_prints_estimates_and_writes_nothing() {
    let home = Home::new();
    let command = "sprt --agents greedy,random --seats 4 --nelo1 20 --max-sets 5000";
    let text = home.output(&format!("{command} --dry-run --threads 1"));
    // 1.8 ln(19) / (20 / 347.4)² = 1,599.5 games, and ln(19)² / (20 / 347.4)² = 2,616.2 half way, with four games per
    // set.
    for part in [
        "greedy against random, classic, 4 seats: H0 is a gain of 0 normalized Elo, H1 a gain of 20; ",
        "if it is 0: 399 sets, 1,596 games, about ",
        "if it is 10: 654 sets, 2,616 games, about ",
        "if it is 20: 399 sets, 1,596 games, about ",
        "at most 5,000 sets, 20,000 games, about ",
        "is free\nnothing was played",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(home.names().is_empty());
    home.output(&format!("{command} --out run"));
    assert!(home.output(&format!("{command} --out run --dry-run")).contains("would be replaced"));
    assert_eq!(home.output(&format!("{command} --out run --dry-run --resume")), "run is finished\n");
    assert!(home.failure("sprt --agents greedy,heuristic --out run --dry-run", 2).0.contains("another spec"));
    assert!(home.failure("sprt --simulate 10 --dry-run", 2).0.contains("cannot be used with"));
}

#[test]
fn sprt_with_luck_decides_by_wins() {
    let home = Home::new();
    let command = "sprt --agents heuristic,random --seats 3 --nelo1 100 --max-sets 100000";
    home.output(&format!("{command} --out raw"));
    let text = home.output(&format!("{command} --luck --out run"));
    assert!(text.contains("luck-adjusted % [95% at any time]") && text.contains("accepted"), "{text}");
    assert_eq!(home.read("run/sprt.csv"), home.read("raw/sprt.csv"));
    let (luck, looks) = (rows(&home.read("run/luck.csv")), rows(&home.read("run/sprt.csv")));
    assert_eq!(luck.iter().map(|row| &*row["entrant"]).collect::<Vec<_>>(), ["heuristic", "random"]);
    assert_eq!(
        (&luck[0]["sets"], &luck[0]["win_share"]),
        (&looks.last().unwrap()["sets"], &looks.last().unwrap()["win_share"])
    );
    assert!(luck.iter().all(|row| row["relative_efficiency"].parse::<f64>().unwrap() > 1.0), "{luck:?}");
    assert!(home.failure(&format!("{command} --luck --out raw --resume"), 2).0.contains("a run without --luck"));
}
