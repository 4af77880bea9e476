//! `--out -` and `--dry-run`.

use super::Home;

#[test]
fn out_dash_prints_table_and_writes_no_files() {
    let home = Home::new();
    let summary = home.output("tournament --sets 20 --seats 2,4 --out -");
    let games = home.output("tournament --sets 20 --seats 2,4 --out - --games-csv");
    assert!(home.names().is_empty());
    home.output("tournament --sets 20 --seats 2,4 --out run --games-csv --quiet");
    assert_eq!((summary, games), (home.read("run/summary.csv"), home.read("run/games.csv")));
    let (message, _) = home.failure("tournament --out - --resume", 2);
    assert!(message.contains("--out -") && message.contains("need a directory"), "{message}");
}

/// A dry run succeeds if the run itself would.
#[test]
fn dry_run_to_standard_output_needs_no_directory() {
    let home = Home::new();
    for (flag, table) in [("", "summary.csv"), ("--games-csv", "games.csv")] {
        let told = home.output(&format!("match --agents greedy,random --seats 2 --sets 10 --out - --dry-run {flag}"));
        assert!(told.contains("10 sets, 20 games, about "), "{told}");
        let end = format!("\n{table} would go to standard output, and no file would be written\nnothing was played\n");
        assert!(told.ends_with(&end), "{told}");
    }
    assert!(home.names().is_empty());
}

#[test]
fn dry_run_prints_games_and_writes_nothing() {
    let home = Home::new();
    let output = home.output("tournament --seats 2,4 --sets 1000000 --games-csv --dry-run --out mine");
    for part in [
        "classic, 2 seats: 3 tables, 6 games per set, 1,000,000 sets, 6,000,000 games, about ",
        "classic, 4 seats: ",
        "18,000,000 games in all, about ",
        "games.csv: about ",
        "mine is free\nnothing was played\n",
    ] {
        assert!(output.contains(part), "{part:?} is missing in: {output}");
    }
    assert!(home.names().is_empty());
    home.output("tournament --seats 2 --sets 10 --out mine --quiet");
    let output = home.output("tournament --seats 2 --sets 10 --out mine --dry-run");
    assert!(output.contains("would be replaced"), "{output}");
    let (message, _) = home.failure("tournament --seats 2 --sets 11 --out mine --dry-run", 2);
    assert!(message.contains("another spec"), "{message}");
    let balance = home.output("balance --variant classic,cars --agents random --seats 2 --sets 60 --dry-run");
    assert!(
        balance.lines().any(|line| line.starts_with("cars, 2 seats, matches: ") && line.contains(", 3 sets, ")),
        "{balance}"
    );
    let of_cases = balance
        .lines()
        .filter_map(|line| line.split(", ").find(|part| part.ends_with(" games") && !part.contains("set")));
    let games = |text: &str| -> u64 { text.trim_end_matches(" games").replace(',', "").parse().unwrap() };
    let all: u64 = of_cases.map(games).sum();
    let last = balance.lines().find(|line| line.contains(" games in all, about ")).unwrap();
    assert_eq!(games(last.split(" in all").next().unwrap()), all, "{balance}");
    let half = home.output("tournament --seats 2 --sets 1000 --shard 1/2 --dry-run");
    assert!(half.contains("3,000 games in all"), "{half}");
    for (run, games) in [
        ("tournament --seats 2,3 --variant classic,cars --sets 10", "7,200"),
        ("match --agents greedy,random --seats 2 --unit match --set match.target=100 --sets 10", "130"),
        ("sprt --agents greedy,random", "1,800"),
    ] {
        let to_fit = format!("; before them {games} games on other seeds, to fit the luck adjustment");
        assert!(home.output(&format!("{run} --luck --dry-run")).contains(&to_fit), "{run}");
        assert!(!home.output(&format!("{run} --dry-run")).contains("other seeds"), "{run}");
    }
}

#[test]
fn balance_dry_run_prints_games_and_writes_nothing() {
    let home = Home::new();
    let balance = "balance --seats 2 --sets 200 --matches 10 --agents greedy --set points.wild=40";
    let output = home.output(&format!("{balance} --out mine --dry-run"));
    for part in [
        "classic, 2 seats, rounds: ",
        " games per set, 200 sets, ",
        " games per set, 10 sets, ",
        // At least 500 games of each unit.
        "; before them 1,000 games on other seeds, to fit the models\n",
        "mine is free\nnothing was played\n",
    ] {
        assert!(output.contains(part), "{part:?} is missing in: {output}");
    }
    assert!(home.names().is_empty());
    let half = home.output(&format!("{balance} --shard 1/2 --dry-run"));
    assert!(half.contains(" games per set, 100 sets, "), "{half}");
}
