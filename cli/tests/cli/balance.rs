//! `unolab balance` on the command line.

use super::{Home, names_in};

#[test]
fn balance_run_writes_tables_figure_and_page() {
    let home = Home::new();
    let arguments = "balance --variant cars --seats 2,3 --sets 20 --agents greedy,random --card-effect victory_lap \
                     --sweep points.wild=20,50 --arm deck.wild=2;uno.penalty=4 --plot turns --seed 3";
    let page = home.output(&format!("{arguments} --out run"));
    assert!(page.contains("cars, 3 seats; players: greedy random, ") && page.contains("noise check:"), "{page}");
    let names = names_in(&home.path("run"));
    assert_eq!(names, ["README.md", "metrics.csv", "points.csv", "run.json", "sweep.csv", "turns.svg"]);
    let sweep = home.read("run/sweep.csv");
    for arm in ["points.wild=20,", "deck.wild=2 uno.penalty=4,", "void:victory_lap,", "dealt:victory_lap,", "control,"]
    {
        assert!(sweep.contains(arm), "{arm}");
    }
    home.output(&format!("{arguments} --out paged --quiet --report"));
    let page = home.read("paged/report.html");
    assert!(
        page.contains("A round takes ") && page.contains("Luck against skill"),
        "the page has the terminal's sentences"
    );
    // A repetition in the same directory gives the same; another spec is refused.
    home.output(&format!("{arguments} --out run --quiet --threads 1"));
    assert_eq!(home.read("run/sweep.csv"), sweep);
    let (message, _) = home.failure("balance --sets 5 --out run", 2);
    assert!(message.contains("another spec"), "{message}");
}

/// `heuristic` does not weigh points within a round: with the dealer of the base, every deal is played in the same way.
#[test]
fn arms_with_other_points_where_points_cut_for_the_deal_have_the_deals_of_the_base() {
    let home = Home::new();
    for variant in ["disney", "swap-hands", "custom"] {
        home.output(&format!(
            "balance --variant {variant} --seats 4 --sets 60 --matches 0 --arm points.draw_two=0 --out {variant} --quiet"
        ));
        let sweep = home.read(&format!("{variant}/sweep.csv"));
        let differences: Vec<&str> = sweep
            .lines()
            .map(|row| row.split(',').collect::<Vec<_>>())
            .filter(|row| row[3] == "points.draw_two=0" && ["turns", "lead_changes", "seat_share(0)"].contains(&row[4]))
            .map(|row| row[7])
            .collect();
        assert_eq!(differences, ["0.0"; 3], "{variant}");
    }
}

#[test]
fn unmeasurable_request_is_rejected() {
    let home = Home::new();
    home.write("file", "precious");
    home.refuses(
        "balance",
        &[
            ("--out -", "standard output"),
            ("--out file", "is a file"),
            ("--out /proc/unolab", "--out /proc"),
            ("--sweep points.wild", "key=value,value"),
            ("--sweep points.wild=5000", "0 to 1000"),
            ("--arm points.wlid=5", "points.wild"),
            ("--card-effect joker", "there are number, skip"),
            ("--card-effect cheese_touch", "no such card"),
            ("--budget-scaling greedy", "whole number"),
            ("--agents nobody", "nobody"),
            ("--strong nope", "--strong: agent `nope`"),
            ("--weak nope", "--weak: agent `nope`"),
            ("--budget-scaling ismcts:iterations=900000000", "--budget-scaling: agent `ismcts:iterations="),
            ("--set match.teams=fixed --seats 4", "match.teams must be \"none\""),
            ("--seats 4,4", "4 twice"),
            ("--plot joy --sets 2", "unknown metric"),
            ("--plot win_share --sets 2 --matches 0", "unknown metric in the metrics.csv of this run"),
            ("--plot match_turns --sets 2 --matches 0", "unknown metric in the metrics.csv of this run"),
            ("--plot tuns --sets 2 --matches 0", "did you mean `turns`?"),
            (
                "--plot seat_share_adjusted(0) --sets 2 --sweep points.wild=5",
                "unknown metric in the sweep.csv of this run",
            ),
            ("--card-effect r7,b2,r7", "--card-effect r7: is given twice"),
            ("--card-effect wild,W", "--card-effect W: is given twice, before as wild"),
            ("--arm points.wild=5 --arm points.wild=5", "--arm points.wild=5: is given twice"),
            ("--sweep points.wild=5,5", "--sweep points.wild=5: is given twice"),
        ],
    );
    assert_eq!((home.names(), home.read("file")), (vec!["file".to_owned()], "precious".to_owned()));
}

/// Whether any agent loses by a fault is known only at the end: then the tables exist, and the figure is missing.
#[test]
fn missing_metric_figure_does_not_lose_tables() {
    let home = Home::new();
    let balance = "balance --seats 2 --sets 2 --matches 0 --quiet";
    let faults = format!("{balance} --plot fault_share(random) --plot turns");
    let output = home.unolab(&format!("{faults} --out run")).assert().success().get_output().stderr.clone();
    let warning = "warning: --plot fault_share(random): this run has no values of it, so there is no figure\n";
    assert_eq!(String::from_utf8(output).unwrap(), warning);
    assert_eq!(
        names_in(&home.path("run")),
        ["README.md", "metrics.csv", "points.csv", "run.json", "sweep.csv", "turns.svg"]
    );
    home.output(&format!("{balance} --card-effect r7 --plot win_share --out dealt"));
    assert!(home.path("dealt/win_share.svg").exists());
}

/// The message is the same as for a page or for tables in another format.
#[test]
fn missing_figure_of_finished_run_is_reported() {
    let home = Home::new();
    let balance = "balance --seats 2 --sets 2 --matches 0 --quiet --out run";
    home.output(&format!("{balance} --plot turns"));
    home.output(&format!("{balance} --plot turns --resume"));
    let missed = |flag: &str| format!("--out run: holds a run without {flag}; choose another directory or remove it");
    for flag in ["--plot decisions", "--plot turns --plot decisions", "--report", "--tables parquet"] {
        let told = missed(flag.trim_start_matches("--plot turns "));
        home.refuses(balance, &[(&format!("{flag} --resume"), &told)]);
    }
    home.refuses(balance, &[("--plot decisions --resume --dry-run", &missed("--plot decisions"))]);
}
