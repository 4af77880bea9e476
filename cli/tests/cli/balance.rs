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
    // A repetition in the same directory gives the same result; another spec is rejected.
    home.output(&format!("{arguments} --out run --quiet --threads 1"));
    assert_eq!(home.read("run/sweep.csv"), sweep);
    let (message, _) = home.failure("balance --sets 5 --out run", 2);
    assert!(message.contains("another spec"), "{message}");
}

/// `heuristic` does not weigh points within a round: with the dealer of the base, every deal is played in the same way.
#[test]
fn point_arms_keep_base_deals_if_dealer_is_cut_by_points() {
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

/// A variant as an arm, as the second of two variants, and as a second run: the same comparison on the same deals.
#[test]
fn variants_are_compared_on_common_deals() {
    let home = Home::new();
    home.write("a.toml", "base = \"classic\"\n");
    home.write("b.toml", "base = \"classic\"\npoints.wild = 20\n");
    let balance = "balance --seats 2 --sets 10 --matches 0 --agents greedy --panel none --quiet";
    home.output(&format!("{balance} --variant a.toml --arm b.toml --out arm"));
    home.output(&format!("{balance} --variant a.toml,b.toml --out both"));
    let compared = home.read("arm/sweep.csv");
    assert!(compared.lines().any(|row| row.starts_with("a,2,greedy,b,points_a_round,")), "{compared}");
    assert_eq!(home.read("both/sweep.csv"), compared);
    home.output(&format!("{balance} --variant a.toml,b.toml --separate --out separate"));
    assert_eq!(home.read("separate/sweep.csv").lines().count(), 1, "only the header");
    assert_eq!(home.read("separate/metrics.csv"), home.read("both/metrics.csv"));
    home.output(&format!("{balance} --variant b.toml --out b"));
    home.output(&format!("{balance} --variant a.toml --out a"));
    assert_eq!(home.output("compare a b --csv"), compared);
    for (command, reason) in [
        ("compare a separate", "measures 2 variants"),
        ("compare a arm", "both measure the same rules"),
        ("balance --arm c.toml", "--arm c.toml: neither key=value nor a variant"),
        ("balance --panel greedy,greedy", "--panel names greedy twice"),
        ("balance --longer-than 5,5", "--longer-than names 5 twice"),
        ("balance --seconds-per-turn 0", "allowed: 0.001 to 3600 seconds"),
    ] {
        let (message, _) = home.failure(command, 2);
        assert!(message.contains(reason), "{command}: {message}");
    }
}

#[test]
fn experience_panel_and_lengths_have_rows() {
    let home = Home::new();
    let balance = "balance --seats 3 --sets 10 --matches 2 --agents greedy --quiet";
    home.output(&format!(
        "{balance} --panel random,greedy --seconds-per-turn 5 --longer-than 40 --decisive-choice 0.02 --card-effect skip --out all"
    ));
    home.output(&format!("{balance} --panel none --metrics core --out core"));
    let rows = |run: &str| -> Vec<(String, String)> {
        let table = home.read(&format!("{run}/metrics.csv"));
        let cells = table.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect::<Vec<_>>());
        cells.map(|cells| (cells[3].clone(), cells[4..].join(","))).collect()
    };
    let (all, core) = (rows("all"), rows("core"));
    let value = |metric: &str| -> f64 {
        let row = all.iter().find(|(name, _)| name == metric).unwrap_or_else(|| panic!("{metric} has no row"));
        row.1.split(',').next().and_then(|value| value.parse().ok()).expect("a value")
    };
    assert!(core.iter().all(|row| all.contains(row)), "the metrics of before are unchanged");
    assert!((value("minutes") - value("turns") * 5.0 / 60.0).abs() < 1e-9);
    assert!(value("turns_q10") <= value("turns_q50") && value("turns_q50") <= value("turns_q90"));
    assert!((value("skill(random)") - value("skill")).abs() < 1e-12, "the weak player is in the panel");
    assert!(value("skill_low") <= value("skill_high"));
    assert!(value("decisive_choice_share(0.02)") < value("card_choice_share"));
    for (metric, low, high) in [
        ("longer_share(40)", 0.0, 1.0),
        ("waiting_turns", 1.0, 2.0),
        ("turns_lost", 0.5, 10.0),
        ("idle_turn_share", 0.05, 0.8),
        ("cards_drawn", 1.0, 40.0),
        ("largest_hand", 7.0, 60.0),
        ("card_choice_share", 0.05, 0.95),
        ("decisive_choice_share(0.02)", 0.01, 0.9),
        ("sting(wild_draw_four)", 0.0, 1.0),
        ("match_rounds_q50", 1.0, 100.0),
        ("match_minutes", 1.0, 1000.0),
    ] {
        assert!((low..=high).contains(&value(metric)), "{metric}: {}", value(metric));
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
            ("--agents stranger", "stranger"),
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
