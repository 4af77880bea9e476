//! Ratings of earlier runs.

use super::{Home, rows};

const RUN: &str = "tournament --agents random,greedy,mixbot --seats 2,3 --sets 150 --quiet";

/// The error for an invalid cell names its file, row and column.
#[test]
fn impossible_cell_is_rejected() {
    let home = Home::new();
    home.output("tournament --agents random,greedy,mixbot --seats 2 --sets 40 --quiet --out run");
    home.forget_digests("run");
    for (table, column) in
        [("pairs", "share"), ("pairs", "se"), ("summary", "wins"), ("seats", "seat"), ("summary", "games")]
    {
        let file = format!("run/{table}.csv");
        let text = home.read(&file);
        let (header, rest) = text.split_once('\n').unwrap();
        let place = header.split(',').position(|name| name == column).unwrap();
        let (first, rest) = rest.split_once('\n').unwrap();
        let mut cells: Vec<&str> = rest.split_once('\n').unwrap().0.split(',').collect();
        let half = (column == "seat").then_some("0.5");
        for wrong in ["nan", "inf", "-1", "1e300", "much"].into_iter().chain(half) {
            cells[place] = wrong;
            let tail = rest.split_once('\n').unwrap().1;
            home.write(&file, &format!("{header}\n{first}\n{}\n{tail}", cells.join(",")));
            let (message, _) = home.failure("rate run", 2);
            let expected = format!("{table}.csv: row 2, column {column}: \"{wrong}\" is not allowed; allowed: ");
            assert!(message.contains(&expected), "{message}");
        }
        home.write(&file, &text);
    }
    home.output("rate run");
}

/// Every pair is kept, with its own entrants.
#[test]
fn missing_or_changed_pair_is_rejected() {
    let home = Home::new();
    home.output("tournament --agents random,greedy,mixbot --seats 2,3 --sets 40 --quiet --out run");
    home.forget_digests("run");
    let text = home.read("run/pairs.csv");
    let lines: Vec<&str> = text.lines().collect();
    let place_of = |column: &str| lines[0].split(',').position(|name| name == column).unwrap();
    for (column, wrong, part) in [
        ("share", "", "column share: \"\" is not allowed; allowed: 0."),
        ("a_wins", "2", "which is a_wins / (a_wins + b_wins)"),
        ("variant", "chess", "column variant: \"chess\" is not allowed; allowed: classic"),
        ("seats", "nan", "column seats: \"nan\" is not allowed; allowed: a whole number"),
        ("b", "stranger", "column b: \"stranger\" is not allowed; allowed: random, greedy, mixbot"),
        ("b", "mixbot", "the row of random and greedy in classic at 2 seats is missing"),
    ] {
        let mut cells: Vec<&str> = lines[1].split(',').collect();
        cells[place_of(column)] = wrong;
        let changed = cells.join(",");
        let others = lines[2..].join("\n");
        home.write("run/pairs.csv", &format!("{}\n{changed}\n{others}\n", lines[0]));
        home.refuses("rate", &[("run", part)]);
    }
    home.write("run/pairs.csv", &text);
    home.output("rate run");
}

/// Each game of games.csv counts once, and only with a possible result.
#[test]
fn impossible_game_is_rejected() {
    let home = Home::new();
    home.output("tournament --agents random,greedy --seats 2 --sets 3 --quiet --games-csv --out run");
    home.forget_digests("run");
    let text = home.read("run/games.csv");
    let lines: Vec<&str> = text.lines().collect();
    let place_of = |column: &str| lines[0].split(',').position(|name| name == column).unwrap();
    for (column, wrong, allowed) in [
        ("index", "0", "0 to 5, each once and in order"),
        ("index", "6", "0 to 5, each once"),
        ("entrants", "0 2", "2 whole numbers from 0 to 1"),
        ("places", "200 1", "2 whole numbers from 1 to 2"),
        ("places", "0 1", "2 whole numbers from 1 to 2"),
        ("winner", "stranger", "in place 1, or nothing"),
    ] {
        let mut cells: Vec<&str> = lines[2].split(',').collect();
        cells[place_of(column)] = wrong;
        let row = cells.join(",");
        let changed: Vec<&str> =
            lines.iter().enumerate().map(|(number, line)| if number == 2 { &*row } else { line }).collect();
        home.write("run/games.csv", &(changed.join("\n") + "\n"));
        let (message, _) = home.failure("rate run", 2);
        let expected = format!("games.csv: row 2, column {column}: \"{wrong}\" is not allowed; allowed: ");
        assert!(message.contains(&expected) && message.contains(allowed), "{message}");
    }
    // The columns are found by their names.
    let swapped: String = text
        .lines()
        .map(|line| {
            let mut cells: Vec<&str> = line.split(',').collect();
            cells.rotate_left(1);
            cells.join(",") + "\n"
        })
        .collect();
    home.write("run/games.csv", &swapped);
    assert_eq!(home.output("rate run --csv"), home.read("run/ratings.csv"));
}

/// Identified by the agent, not by the name: in the run, in its ratings, and on the page.
#[test]
fn renamed_oracle_has_no_rating() {
    let home = Home::new();
    let agents = "x=clairvoyant:iterations=8,clairvoyant=greedy,random";
    let run = format!("tournament --agents {agents} --seats 2 --sets 3 --report --out run");
    let output = home.unolab(&run).assert().success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("° x") && text.contains("\n° not rated: sees all cards"), "{text}");
    for csv in [home.read("run/ratings.csv"), home.output("rate run --csv")] {
        let rated: Vec<String> = rows(&csv).iter().map(|row| row["entrant"].clone()).collect();
        assert!(rated.contains(&"clairvoyant".to_owned()) && !rated.contains(&"x".to_owned()), "{csv}");
    }
    let told = home.output("rate run");
    assert!(told.contains("not rated: x; ratings are fitted with these games too"), "{told}");
    assert!(told.contains("bradley") && told.contains("nash"), "a column for each method: {told}");
    let page = home.read("run/report.html");
    assert!(page.contains("ratings are fitted with these games too"), "{page}");
    assert!(page.contains(" leads: ") && !page.contains(">x leads: ") && page.contains("(not rated)"), "{page}");
}

#[test]
fn rate_of_all_games_matches_tournament_ratings() {
    let home = Home::new();
    home.output(&format!("{RUN} --out run --games-csv"));
    assert_eq!(home.output("rate run --csv"), home.read("run/ratings.csv"));
}

/// Errors as large as the values themselves: no entrant can have won more games than there were.
#[test]
fn tables_of_few_sets_contain_valid_shares() {
    let home = Home::new();
    for seats in [2, 3] {
        home.output(&format!("match --agents heuristic,random --sets 10 --seats {seats} --quiet --out run-{seats}"));
        let ratings = rows(&home.output(&format!("rate run-{seats} --csv")));
        for row in &ratings {
            let bounds = ["rating", "low", "high"].map(|column| row[column].parse::<f64>().unwrap());
            let is_share = ["total-score", "nash-share", "alpha-rank", "instant-run-off"].contains(&&*row["method"]);
            let allowed = if is_share { 0.0..=1.0 } else { -1e6..=1e6 };
            assert!(bounds.iter().all(|bound| allowed.contains(bound)), "{row:?}");
        }
    }
}

/// Totals with their errors give the same ratings, and intervals of about the same width.
#[test]
fn ratings_from_tables_match_with_approximate_intervals() {
    let home = Home::new();
    home.output(&format!("{RUN} --out run"));
    let (by_sets, by_errors) = (rows(&home.read("run/ratings.csv")), rows(&home.output("rate run --csv")));
    assert_eq!(by_sets.len(), by_errors.len());
    for (one, other) in by_sets.iter().zip(&by_errors) {
        let number =
            |row: &std::collections::BTreeMap<String, String>, column: &str| -> f64 { row[column].parse().unwrap() };
        assert!((number(one, "rating") - number(other, "rating")).abs() < 1e-6, "{one:?} {other:?}");
        let width = |row| number(row, "high") - number(row, "low");
        if ["bradley-terry", "plackett-luce", "total-score"].contains(&&*one["method"]) {
            assert!((0.7..1.4).contains(&(width(one) / width(other))), "{one:?} {other:?}");
        }
    }
}

#[test]
fn runs_of_same_rules_are_rated_together() {
    let home = Home::new();
    home.output("tournament --agents random,greedy --seats 2 --sets 100 --quiet --out one");
    home.output("tournament --agents mixbot,greedy --seats 2 --sets 100 --quiet --out two");
    let text = home.output("rate one two");
    assert!(text.contains("classic, 2 seats: ratings") && text.contains("Holm-corrected over all pairs"), "{text}");
    let ratings = rows(&home.output("rate one two --csv"));
    let rated: Vec<&str> = ratings.iter().map(|row| &*row["entrant"]).collect();
    assert_eq!(rated, ["random", "greedy", "mixbot"].repeat(2), "random and mixbot never met: no table of pairs");
    assert_eq!((&*ratings[0]["method"], &*ratings[3]["method"]), ("bradley-terry", "total-score"));
    let place = |entrant: &str| ratings.iter().find(|row| row["entrant"] == entrant).unwrap()["place"].clone();
    assert_eq!([place("mixbot"), place("greedy"), place("random")], ["1", "2", "3"]);
    let text = home.output("rate one two --anchor greedy");
    assert!(text.contains("Elo or %; Elo relative to greedy = 0"), "{text}");
    let anchored = rows(&home.output("rate one two --csv --anchor greedy=1500"));
    let of = |rows: &[std::collections::BTreeMap<String, String>], entrant: usize| -> f64 {
        rows[entrant]["rating"].parse().unwrap()
    };
    assert_eq!((of(&anchored, 1), &*anchored[1]["low"]), (1500.0, ""));
    let difference = of(&anchored, 2) - of(&anchored, 1);
    assert!((difference - (of(&ratings, 2) - of(&ratings, 1))).abs() < 1e-6);
    home.refuses(
        "rate one two --anchor",
        &[
            ("gredy", "--anchor gredy: unknown entrant; entrants: greedy, mixbot, random"),
            ("greedy=high", "--anchor greedy=high: high is not a rating; allowed: a number from -10000 to 10000"),
        ],
    );
}

/// Games of the same deals are not independent, and a name identifies one agent.
#[test]
fn games_count_once_and_agents_stay_distinct() {
    let home = Home::new();
    for (out, agents, more) in [
        ("one", "heuristic,greedy", "--sets 30"),
        ("again", "heuristic,greedy", "--sets 29"),
        ("three", "heuristic,greedy,random", "--sets 30"),
        ("seeded", "heuristic,greedy", "--sets 30 --seed 2"),
        ("others", "heuristic,mixbot", "--sets 30"),
        ("named", "heuristic,greedy=first-legal", "--sets 30 --seed 3"),
    ] {
        home.output(&format!("tournament --agents {agents} --seats 2 {more} --quiet --out {out}"));
    }
    for second in ["again", "three"] {
        let told = format!("{second}: greedy and heuristic meet in classic at 2 seats, on the deals of one (--seed 1)");
        home.refuses("rate one", &[(second, &told)]);
    }
    home.refuses("rate one", &[("named", "named: greedy is first-legal, but in one it is greedy")]);
    home.output("rate one seeded others");
}

#[test]
fn unratable_input_is_rejected() {
    let home = Home::new();
    home.output("tournament --agents random,greedy --seats 2 --sets 3 --quiet --out run");
    home.output("tournament --agents random,greedy --seats 2 --sets 3 --quiet --out copy");
    home.output("tournament --agents random --seats 2 --sets 3 --quiet --out alone");
    assert!(home.failure("rate run copy", 2).0.contains("copy: another directory holds the same games"));
    assert!(home.failure("rate alone", 2).0.contains("fewer than two entrants"));
    assert!(home.failure("rate nowhere", 2).0.contains("nowhere: directory not found"));
    assert!(home.failure("rate run --margin 0.7", 2).0.contains("--margin 0.7: must be between 0 and 0.5"));
    home.output("balance --seats 2 --sets 2 --matches 0 --quiet --out measured");
    home.failure("sprt --agents greedy,random --nelo0 1 --nelo1 2 --max-sets 100 --seats 2 --quiet --out test", 3);
    for (directory, command) in [("measured", "balance"), ("test", "sprt")] {
        let told = format!(
            "{directory}/run.json: is from `{command}`, not from a match between entrants; allowed: a run of tournament or match"
        );
        home.refuses("rate", &[(directory, &told)]);
    }
    home.forget_digests("run");
    let seats = home.read("run/seats.csv").replace("win_share", "share").replace(",wins,", ",won,");
    home.write("run/seats.csv", &seats);
    assert!(home.failure("rate run", 2).0.contains("the column `wins` is missing"));
}
