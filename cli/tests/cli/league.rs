//! Leagues on the command line.

use super::{Home, names_in, rows};

const AGENTS: &str = "first-legal,random,diversity,greedy,mixbot,heuristic";

/// The strongest are named last and begin in the lower tier; they rise by one tier per season.
#[test]
fn strong_agents_rise_and_weak_agents_fall() {
    let home = Home::new();
    let text =
        home.output(&format!("tournament --format league --agents {AGENTS} --seats 2 --sets 400 --report --out run"));
    assert!(text.contains("promoted") && text.contains("relegated") && text.contains("ratings [95%]"), "{text}");
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
fn league_with_any_threads_has_same_bytes() {
    let csv = |threads: u32| {
        let home = Home::new();
        let league = "tournament --format league --quiet --seats 3 --sets 40 --out run";
        home.output(&format!("{league} --agents {AGENTS} --threads {threads}"));
        home.read("run/league.csv") + &home.read("run/ratings.csv") + &home.read("run/summary.csv")
    };
    assert_eq!(csv(1), csv(3));
}

/// Six entrants are two tiers of three, each with three tables of two and so six games per set.
#[test]
fn dry_run_prints_games_and_writes_nothing() {
    let home = Home::new();
    let league = format!("tournament --format league --agents {AGENTS} --seats 2 --variant classic,cars --sets 42");
    let output = home.output(&format!("{league} --out run --dry-run"));
    for part in [
        "classic, 2 seats: 2 tiers, 4 seasons, 84 sets, 504 games, about ",
        "cars, 2 seats: 2 tiers, 4 seasons, 84 sets, 504 games, about ",
        "1,008 games in all, about ",
        "run is free\nnothing was played\n",
    ] {
        assert!(output.contains(part), "{part:?} is missing in: {output}");
    }
    assert!(home.names().is_empty());
    // The luck adjustment is fitted once for each league, for any number of tiers and seasons.
    let to_fit = "; before them 3,600 games on other seeds, to fit the luck adjustment";
    assert!(!output.contains("other seeds") && home.output(&format!("{league} --luck --dry-run")).contains(to_fit));
    home.output(&format!("{league} --quiet --out run"));
    let games = rows(&home.read("run/summary.csv")).iter().map(|row| row["games"].parse::<u64>().unwrap()).sum::<u64>();
    assert_eq!(games, 2 * 1_008, "two seats in every game");
    assert!(home.output(&format!("{league} --out run --dry-run --resume")).contains("run is finished"));
}

/// Also when it is killed and resumed.
#[test]
fn league_with_luck_writes_luck_table() {
    let home = Home::new();
    let league = format!("tournament --format league --agents {AGENTS} --seats 2 --sets 48");
    let text = home.output(&format!("{league} --luck --out run"));
    assert!(text.contains("luck-adjusted % [95%]"), "{text}");
    let (luck, summary) = (rows(&home.read("run/luck.csv")), rows(&home.read("run/summary.csv")));
    assert_eq!(luck.len(), 6);
    for (luck, summary) in luck.iter().zip(&summary) {
        for column in ["entrant", "seats", "sets", "games", "win_share", "se"] {
            assert_eq!(luck[column], summary[column]);
        }
        let number = |column: &str| luck[column].parse::<f64>().unwrap();
        assert!((number("win_share") - number("win_share_adjusted")).abs() < 3.0 * number("se"), "{luck:?}");
        assert!(number("relative_efficiency") > 0.6, "{luck:?}");
    }
    let ratios: f64 = luck.iter().map(|row| row["relative_efficiency"].parse::<f64>().unwrap()).sum();
    assert!(ratios > luck.len() as f64, "{luck:?}");
    home.output(&format!("{league} --quiet --out raw"));
    for table in ["league.csv", "summary.csv", "ratings.csv"] {
        assert_eq!(home.read(&format!("raw/{table}")), home.read(&format!("run/{table}")), "{table}");
    }
    assert!(home.failure(&format!("{league} --luck --out raw --resume"), 2).0.contains("a run without --luck"));
    home.kill_on_its_way(&format!("{league} --luck --quiet"), "killed");
    home.output(&format!("{league} --luck --quiet --out killed --resume --threads 3"));
    assert_eq!(home.read("killed/luck.csv"), home.read("run/luck.csv"));
}

#[test]
fn batch_request_needing_schedule_is_rejected() {
    let home = Home::new();
    let cases = ["--games 100", "--games-csv", "--power 0.01", "--record games", "--shard 1/2", "--out -"]
        .map(|flag| (flag, "cannot be used with --format league"));
    home.refuses("tournament --format league", &cases);
    home.output(&format!("tournament --format league --agents {AGENTS} --seats 2 --sets 8 --quiet --out run"));
    assert!(home.failure("rate run", 2).0.contains(
        "run/run.json: is from a league, which has rated its entrants itself, in ratings.csv: its tables depend on its results"
    ));
}
