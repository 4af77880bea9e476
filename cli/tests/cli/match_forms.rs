//! Every form of a match, and its tables.

use std::collections::{BTreeMap, BTreeSet};

use super::{Home, rows};

struct Run {
    summary: Vec<BTreeMap<String, String>>,
    games: Vec<BTreeMap<String, String>>,
    printed: String,
}

fn run(arguments: &str) -> Run {
    let home = Home::new();
    let printed = home.output(&format!("{arguments} --out run --games-csv"));
    Run { summary: rows(&home.read("run/summary.csv")), games: rows(&home.read("run/games.csv")), printed }
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

fn list(row: &BTreeMap<String, String>, column: &str) -> Vec<u32> {
    row[column].split_whitespace().map(|number| number.parse().expect("a number")).collect()
}

impl Run {
    /// Every seat-game is counted, and all shares add up to the number of wins.
    fn assert_adds_up(&self, fair_share: f64) {
        let seat_games: f64 = self.summary.iter().map(|row| number(row, "games")).sum();
        let seats: f64 = self.games.iter().map(|row| number(row, "seats")).sum();
        assert!((seat_games - seats).abs() < 0.5, "{seat_games} of {seats}");
        let wins: f64 = self.summary.iter().map(|row| number(row, "wins")).sum();
        assert!((wins / seat_games - fair_share).abs() < 1e-9, "{wins} of {seat_games}");
        let fair = format!("fair share {:.2}%", 100.0 * fair_share);
        assert!(self.printed.contains(&fair), "{}", self.printed);
        assert!(self.games.iter().all(|game| game["status"] == "finished"));
    }
}

#[test]
fn winner_takes_match_ends_at_target() {
    let run = run("tournament --unit match --seats 3 --sets 4");
    run.assert_adds_up(1.0 / 3.0);
    for game in &run.games {
        let (points, places) = (list(game, "points"), list(game, "places"));
        let best = *points.iter().max().unwrap();
        assert!(best >= 500 && points.iter().filter(|&&points| points >= 500).count() == 1);
        assert_eq!(points.iter().position(|&points| points == best), places.iter().position(|&place| place == 1));
        assert!(number(game, "rounds") > 1.0 && number(game, "turns") < number(game, "decisions"));
    }
}

#[test]
fn running_lowest_match_ends_at_target() {
    let run = run("tournament --unit match --seats 3 --sets 4 --set match.scoring=running_lowest");
    run.assert_adds_up(1.0 / 3.0);
    for game in &run.games {
        let (points, places) = (list(game, "points"), list(game, "places"));
        assert!(points.iter().any(|&points| points >= 500));
        let lowest = points.iter().min();
        assert!(points.iter().zip(&places).all(|(points, &place)| (place == 1) == (Some(points) == lowest)));
    }
}

#[test]
fn elimination_match_leaves_one_player() {
    let run = run("tournament --unit match --seats 5 --sets 2 --set match.scoring=elimination");
    run.assert_adds_up(0.2);
    for game in &run.games {
        let (points, places) = (list(game, "points"), list(game, "places"));
        // All players except the winner exceeded the target, and the winner stayed below unless the last hand
        // eliminated all players.
        assert!(points.iter().filter(|&&points| points >= 500).count() >= 4, "{game:?}");
        let entrants = list(game, "entrants");
        let winners: BTreeSet<u32> =
            entrants.iter().zip(&places).filter(|(_, place)| **place == 1).map(|(&entrant, _)| entrant).collect();
        assert_eq!(winners.len(), game["winner"].split(';').count());
    }
    // Places are not just the order of the totals: a player who was out early may have fewer points than one who was
    // out late.
    let by_total = |game: &BTreeMap<String, String>| {
        let (points, places) = (list(game, "points"), list(game, "places"));
        let mut order: Vec<(u32, u32)> = places.into_iter().zip(points).collect();
        order.sort_unstable();
        order.is_sorted_by_key(|&(_, points)| points)
    };
    assert!(!run.games.iter().all(by_total));
}

#[test]
fn fixed_partners_share_entrant_and_win() {
    for unit in ["round", "match"] {
        let run = run(&format!("tournament --unit {unit} --set match.teams=fixed --sets 6"));
        run.assert_adds_up(0.5);
        assert_eq!(run.games.len(), 6 * 3 * 2, "three pairs of entrants, each at both sides");
        for game in &run.games {
            let (entrants, points, places) = (list(game, "entrants"), list(game, "points"), list(game, "places"));
            for partners in [&entrants, &points, &places] {
                assert!(partners[0] == partners[2] && partners[1] == partners[3], "{game:?}");
            }
            assert!(
                game["winner_seat"].is_empty() && places.iter().filter(|&&place| place == 1).count() == 2,
                "{game:?}"
            );
        }
    }
}

#[test]
fn two_entrants_meet_as_fixed_partners() {
    let run = run("match --agents greedy,random --set match.teams=fixed --sets 20 --unit match");
    run.assert_adds_up(0.5);
    assert!(number(&run.summary[0], "win_share") > 0.7, "{:?}", run.summary);
    // A side that wins every match has no Elo, but bounds.
    assert!(number(&run.summary[0], "share_elo_low") > 0.0 && number(&run.summary[1], "share_elo_high") < 0.0);
}

#[test]
fn rotating_partners_are_separate_players() {
    let run =
        run("tournament --unit match --set match.teams=rotating --agents random,greedy,heuristic,first-legal --sets 4");
    run.assert_adds_up(0.25);
    for game in &run.games {
        assert_eq!(game["rounds"], "12", "three partnerships of four hands; {game:?}");
        // A hand's points are credited to two players.
        assert_eq!(list(game, "points").iter().sum::<u32>() % 2, 0);
    }
}

#[test]
fn eight_players_share_two_tables() {
    let run = run("match --unit match --set match.teams=rotating_tables --agents greedy,random --sets 2");
    run.assert_adds_up(0.125);
    for game in &run.games {
        assert_eq!((&*game["seats"], &*game["rounds"]), ("8", "56"), "28 hands a player at two tables");
        assert_eq!(list(game, "points").len(), 8);
    }
}

#[test]
fn match_of_two_names_seats_one_against_copies() {
    let run = run("match --agents random,greedy --seats 4 --sets 5");
    run.assert_adds_up(0.25);
    let seatings: Vec<&str> = run.games.iter().take(4).map(|game| &*game["entrants"]).collect();
    assert_eq!(seatings, ["0 1 1 1", "1 0 1 1", "1 1 0 1", "1 1 1 0"]);
    assert_eq!(run.summary.iter().map(|row| &*row["games"]).collect::<Vec<_>>(), ["20", "60"]);
    // Only the entrant among three copies is so far above them.
    let share = number(&run.summary[0], "win_share");
    assert!((number(&run.summary[0], "share_elo") - 400.0 * (3.0 * share / (1.0 - share)).log10()).abs() < 1e-9);
    assert_eq!(&*run.summary[1]["share_elo"], "");
}

#[test]
fn match_of_several_names_is_one_table() {
    let run = run("match --agents random,greedy,heuristic --seats 3 --sets 5");
    assert_eq!(run.games.len(), 15);
    // Each deal draws one of the two orders around the table, and plays it from every seat.
    let seatings: BTreeSet<&str> = run.games.iter().map(|game| &*game["entrants"]).collect();
    assert_eq!(seatings, BTreeSet::from(["0 1 2", "2 0 1", "1 2 0", "0 2 1", "1 0 2", "2 1 0"]));
    for deal in run.games.chunks(3) {
        let first: BTreeSet<char> = deal.iter().filter_map(|game| game["entrants"].chars().next()).collect();
        assert_eq!(first, BTreeSet::from(['0', '1', '2']));
    }
}

#[test]
fn match_of_two_prints_one_result_and_a_gauntlet_its_opponents() {
    let home = Home::new();
    let text = home.output("match --agents greedy,random --seats 2,4 --sets 50 --out two");
    for seats in ["2", "4"] {
        assert!(
            text.contains(&format!("greedy against random, classic, {seats} seats, 50 sets, fair share ")),
            "{text}"
        );
    }
    for part in [
        "  Elo difference [95%] ",
        "  normalized Elo [95%] ",
        "  100 games ",
        "  200 games ",
        " tied, ",
        "  sets by number of wins ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let summary = rows(&home.read("two/summary.csv"));
    let elo = number(&summary[0], "share_elo");
    assert!(text.contains(&format!("{elo:+.0} [")) && !text.contains("entrant"), "{elo}: {text}");
    let text =
        home.output("tournament --format gauntlet --agents greedy,heuristic,random --seats 2 --sets 50 --out many");
    assert!(text.contains("greedy against each opponent ") && text.contains(" entrant "), "{text}");
    let opponents = text.split_once("opponent ").unwrap().1;
    assert!(opponents.find(" heuristic ") < opponents.find(" random "), "{text}");
}

#[test]
fn spec_of_a_run_is_played_again_and_may_be_edited() {
    let home = Home::new();
    home.output("match --agents one=greedy,random --seats 2,3 --sets 20 --quiet --out first");
    home.output("match --spec first/run.json --quiet --out again");
    assert_eq!(home.read("first/summary.csv"), home.read("again/summary.csv"));
    let edited = home.read("first/run.json").replace("\"seed\": 1,", "\"seed\": 2,");
    assert_ne!(edited, home.read("first/run.json"));
    home.write("edited.json", &edited);
    home.output("match --spec edited.json --quiet --out second");
    home.output("match --agents one=greedy,random --seats 2,3 --sets 20 --seed 2 --quiet --out expected");
    assert_eq!(home.read("second/summary.csv"), home.read("expected/summary.csv"));
    home.output("match --spec first/run.json --sets 30 --seed 2 --quiet --out more");
    home.output("match --agents one=greedy,random --seats 2,3 --sets 30 --seed 2 --quiet --out expected-more");
    assert_eq!(home.read("more/summary.csv"), home.read("expected-more/summary.csv"));
    home.output("match --spec first/run.json --games 50 --quiet --out games");
    home.output("match --agents one=greedy,random --seats 2,3 --games 50 --quiet --out expected-games");
    assert_eq!(home.read("games/summary.csv"), home.read("expected-games/summary.csv"));
    home.output("tournament --agents random,greedy --format gauntlet --seats 2 --sets 5 --quiet --out gauntlet");
    home.output("tournament --spec gauntlet/run.json --quiet --out gauntlet-again");
    assert_eq!(home.read("gauntlet/summary.csv"), home.read("gauntlet-again/summary.csv"));

    home.write("program.json", &edited.replace("\"random\"", "\"cmd:./nowhere\""));
    home.write("no-sets.json", &edited.replace("\"sets\": 20", "\"sets\": 0"));
    home.write("twice.json", &edited.replace("\"name\": \"random\"", "\"name\": \"one\""));
    home.write("empty.json", "{}");
    let mut document: serde_json::Value = serde_json::from_str(&edited).unwrap();
    let mut change = |name: &str, path: &str, value: serde_json::Value| {
        let before = document.clone();
        let (object, key) = path.rsplit_once('/').unwrap();
        document.pointer_mut(object).unwrap()[key] = value;
        home.write(name, &document.to_string());
        document = before;
    };
    change("no-seats.json", "/spec/seats", serde_json::json!([]));
    change("seats.json", "/spec/seats", serde_json::json!([2, 2]));
    change("no-variants.json", "/spec/variants", serde_json::json!([]));
    change("key.json", "/spec/seting", serde_json::json!("all"));
    change("odds.json", "/spec/entrants/1/extra", serde_json::json!(2));
    change("agent.json", "/spec/entrants/0/agent", serde_json::json!("greedi"));
    change("many.json", "/spec/seats", serde_json::json!([11]));
    change("known.json", "/spec/entrants/1/extra_cards", serde_json::json!(0));
    home.output("match --spec known.json --quiet --out known");
    home.refuses(
        "match --spec",
        &[
            ("program.json", "if you trust it, add --trust-bots"),
            ("no-sets.json", "no-sets.json: sets is 0; allowed: 1 to 1000000000000"),
            ("twice.json", "twice.json: two entrants are called `one`"),
            ("no-seats.json", "no-seats.json: seats is an empty list; allowed: at least one"),
            ("no-variants.json", "no-variants.json: variants is an empty list"),
            ("seats.json", "seats.json: seats names 2 twice"),
            ("key.json", "key.json: spec.seting: unknown key"),
            ("odds.json", "odds.json: spec.entrants.1.extra: unknown key"),
            ("agent.json", "agent.json: --agents: agent `one=greedi`: unknown agent `greedi`; did you mean `greedy`?"),
            ("many.json", "many.json: classic (in the spec):"),
            ("empty.json", "empty.json: has no spec of a tournament or a match"),
            ("gauntlet/run.json", "is the spec of `unolab tournament`; use `unolab tournament --spec`"),
            ("first/run.json --seats 2", "cannot be used with"),
            ("first/run.json --extra-cards one=2", "cannot be used with"),
            ("first/run.json --agents greedy,random", "cannot be used with"),
            ("nowhere.json", "nowhere.json"),
        ],
    );
    home.refuses("tournament --spec", &[("first/run.json", "use `unolab match --spec`")]);
}
