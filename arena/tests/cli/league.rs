//! Leagues from the outside.

use super::{Home, names_in, rows};

const AGENTS: &str = "first-legal,random,diversity,greedy,mixbot,heuristic";

/// The strongest are named last and begin in the lower tier; they rise by one a season.
#[test]
fn the_strong_rise_and_the_weak_fall() {
    let home = Home::new();
    let text =
        home.output(&format!("tournament --format league --agents {AGENTS} --seats 2 --sets 400 --report --out run"));
    assert!(text.contains("promoted") && text.contains("relegated") && text.contains("ratings [95 %]"), "{text}");
    let league = rows(&home.read("run/league.csv"));
    assert_eq!(league.len(), 4 * 6);
    let tier = |season: &str, entrant: &str| {
        let row = league.iter().find(|row| row["season"] == season && row["entrant"] == entrant).unwrap();
        (row["tier"].clone(), row["next_tier"].clone())
    };
    assert_eq!(tier("1", "heuristic"), ("2".into(), "1".into()));
    assert_eq!(tier("4", "heuristic").0, "1");
    assert_eq!(tier("4", "first-legal").0, "2");
    for pair in league.chunks(6).collect::<Vec<_>>().windows(2) {
        for row in pair[0] {
            let next = pair[1].iter().find(|next| next["entrant"] == row["entrant"]).unwrap();
            assert_eq!(next["tier"], row["next_tier"], "who rises is there in the next season");
        }
    }
    let files = names_in(&home.path("run"));
    for file in [
        "distributions.csv",
        "league.csv",
        "pairs.csv",
        "report.html",
        "ratings.csv",
        "run.json",
        "seats.csv",
        "summary.csv",
    ] {
        assert!(files.contains(&file.to_owned()), "{files:?}");
    }
    // Each season plays 100 deals; an entrant of a tier of three meets two others at two seatings: 1600 games.
    assert!(rows(&home.read("run/summary.csv")).iter().all(|row| row["games"] == "1600" && row["sets"] == "400"));
}

#[test]
fn a_league_is_the_same_with_any_number_of_threads() {
    let csv = |threads: u32| {
        let home = Home::new();
        let league = "tournament --format league --quiet --seats 3 --sets 40 --out run";
        home.output(&format!("{league} --agents {AGENTS} --threads {threads}"));
        home.read("run/league.csv") + &home.read("run/ratings.csv") + &home.read("run/summary.csv")
    };
    assert_eq!(csv(1), csv(3));
}

#[test]
fn what_needs_a_schedule_is_refused() {
    let home = Home::new();
    for flag in [
        "--games 100",
        "--games-csv",
        "--power 0.01",
        "--luck",
        "--record games",
        "--shard 1/2",
        "--dry-run",
        "--out -",
    ] {
        let (message, _) = home.failure(&format!("tournament --format league {flag}"), 2);
        assert!(message.contains("does not go with --format league"), "{message}");
    }
    home.output(&format!("tournament --format league --agents {AGENTS} --seats 2 --sets 8 --quiet --out run"));
    assert!(home.failure("rate run", 2).0.contains("the tables of a league depend on its results"));
}
