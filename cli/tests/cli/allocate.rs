//! `--adaptive`: games are played in sections whose order is open.

use super::{Home, rows};

const RACE: &str = "tournament --agents random,greedy,heuristic,heuristic --seats 2,3 --sets 400 --adaptive --quiet";

#[test]
fn significant_order_ends_section_and_open_order_does_not() {
    let home = Home::new();
    home.output("tournament --agents random,heuristic --seats 2,4 --sets 3000 --adaptive --quiet --out clear");
    for row in rows(&home.read("clear/summary.csv")) {
        let sets: u64 = row["sets"].parse().unwrap();
        assert!([100, 125, 156, 195, 243, 303, 378].contains(&sets), "{row:?}");
    }
    for row in rows(&home.read("clear/pairs.csv")) {
        assert!(row["anytime_high"].parse::<f64>().unwrap() < 0.5, "{row:?}");
    }
    // Copies tie exactly: their order is never significant.
    home.output(&format!("{RACE} --games-csv --out open"));
    assert!(rows(&home.read("open/summary.csv")).iter().all(|row| row["sets"] == "400"));
    let games = rows(&home.read("open/games.csv")).len();
    assert_eq!(games, 400 * (6 * 2 + 4 * 3));

    // The sections may reach a significant order at different times.
    home.output("tournament --agents greedy,mixbot --seats 2-6 --sets 1500 --adaptive --games-csv --quiet --out race");
    let sets: Vec<u64> = rows(&home.read("race/summary.csv")).iter().map(|row| row["sets"].parse().unwrap()).collect();
    assert!(sets.iter().any(|&sets| sets < 1500) && sets.iter().max() > sets.iter().min(), "{sets:?}");
    let seat_games: u64 =
        rows(&home.read("race/summary.csv")).iter().map(|row| row["games"].parse::<u64>().unwrap()).sum();
    let seats: u64 = rows(&home.read("race/games.csv")).iter().map(|row| row["seats"].parse::<u64>().unwrap()).sum();
    assert_eq!(seat_games, seats);
}

#[test]
fn allocated_race_is_deterministic_and_a_regular_run() {
    let home = Home::new();
    let race = "tournament --agents random,greedy,mixbot --seats 2,3 --sets 1000 --adaptive --quiet";
    home.output(&format!("{race} --threads 1 --out one"));
    home.output(&format!("{race} --threads 3 --games-csv --out three"));
    for table in ["summary.csv", "pairs.csv", "ratings.csv", "seats.csv"] {
        assert_eq!(home.read(&format!("one/{table}")), home.read(&format!("three/{table}")), "{table}");
    }
    home.output("verify one");
    // Anytime ratings have wider intervals than the ratings of a run with this fixed number of sets.
    let width = |directory: &str| {
        let rows = rows(&home.read(&format!("{directory}/ratings.csv")));
        rows[0]["high"].parse::<f64>().unwrap() - rows[0]["low"].parse::<f64>().unwrap()
    };
    let sets = &rows(&home.read("one/summary.csv"))[0]["sets"];
    home.output(&format!("tournament --agents random,greedy,mixbot --seats 2 --sets {sets} --quiet --out even"));
    assert!((1.4..1.9).contains(&(width("one") / width("even"))), "{} {}", width("one"), width("even"));
    home.output("rate three");
    home.output("compare one three");
    home.output("report one");
    let told = home.output("tournament --agents random,greedy --seats 2 --sets 1000 --adaptive --out shown");
    assert!(told.contains("at any time"), "{told}");
    let dry = home.output("tournament --agents random,greedy --sets 1000 --adaptive --dry-run --out dry");
    assert!(dry.contains("at most"), "{dry}");
}

#[test]
fn invalid_adaptive_request_is_rejected() {
    let home = Home::new();
    home.refuses(
        "tournament --agents random,greedy --sets 100 --adaptive",
        &[
            ("--shard 1/2", "--shard"),
            ("--control", "--control"),
            ("--format league", "--adaptive cannot be used with"),
        ],
    );
}

/// The sections of a race take turns, so the rows of one section are not consecutive.
#[test]
fn killed_race_with_rows_of_games_is_resumed() {
    let home = Home::new();
    let race = "tournament --agents random,greedy,mixbot --seats 2,3 --sets 300 --adaptive --games-csv --quiet";
    home.output(&format!("{race} --out whole"));
    for checkpoints in [2, 5, 9] {
        let directory = format!("killed-{checkpoints}");
        assert!(home.kill_after(checkpoints, race, &directory), "{checkpoints}");
        home.output(&format!("{race} --out {directory} --resume"));
        for table in ["games.csv", "summary.csv", "pairs.csv"] {
            assert_eq!(home.read(&format!("{directory}/{table}")), home.read(&format!("whole/{table}")), "{table}");
        }
    }
}

#[cfg(unix)]
#[test]
fn race_of_program_writes_rows_of_games() {
    let home = Home::new();
    home.output("bot new python mine");
    let agent = "cmd:python3 mine/bot.py";
    let words = "match --seats 2,3 --sets 110 --adaptive --games-csv --threads 1 --quiet --out run";
    let output = home.unolab(words).args(["--agents", &format!("{agent},random")]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(rows(&home.read("run/games.csv")).len() >= 2 * 100);
}
