//! Luck adjustment on the command line: the same bytes for any division into parts, and no other change.

use super::{Home, names_in, rows};

const RUN: &str = "tournament --variant disney --seats 3 --sets 40 --luck --quiet";

#[test]
fn luck_is_independent_of_threads_shards_and_kills() {
    let home = Home::new();
    home.output(&format!("{RUN} --out whole --threads 1"));
    home.output(&format!("{RUN} --out again --threads 3"));
    for part in 1..=2 {
        home.output(&format!("{RUN} --shard {part}/2 --out part-{part}"));
    }
    home.output("merge part-2 part-1 --out joined --quiet");
    home.kill_on_its_way(RUN, "killed");
    let (message, _) = home.failure(&format!("{} --out killed --resume", RUN.replace("--luck ", "")), 2);
    assert!(message.contains("a run with --luck that is not finished"), "{message}");
    home.output(&format!("{RUN} --out killed --resume"));
    for other in ["again", "joined", "killed"] {
        assert_eq!(names_in(&home.path(other)), names_in(&home.path("whole")));
        assert_eq!(home.read(&format!("{other}/luck.csv")), home.read("whole/luck.csv"), "{other}");
    }
    assert!(home.output("verify whole").contains("no difference in 6 tables"));

    home.output(&format!("{} --out raw", RUN.replace("--luck ", "")));
    for table in names_in(&home.path("raw")).iter().filter(|name| name.ends_with(".csv")) {
        assert_eq!(home.read(&format!("raw/{table}")), home.read(&format!("whole/{table}")), "{table}");
    }
    let (message, _) = home.failure(&format!("{RUN} --out raw --resume"), 2);
    assert!(message.contains("holds a run without --luck"), "{message}");
}

#[test]
fn raw_and_adjusted_estimates_are_printed_together() {
    let home = Home::new();
    let text = home.output("match --agents heuristic,random --seats 2 --sets 200 --luck --tables parquet --out run");
    assert!(text.contains("luck-adjusted % [95%]"), "{text}");
    let (luck, summary) = (rows(&home.read("run/luck.csv")), rows(&home.read("run/summary.csv")));
    for (luck, summary) in luck.iter().zip(&summary) {
        for column in ["entrant", "sets", "games", "win_share", "se", "ci_low", "ci_high"] {
            assert_eq!(luck[column], summary[column]);
        }
        assert!(luck["relative_efficiency"].parse::<f64>().unwrap() > 1.1, "{luck:?}");
    }
    assert!(home.path("run/luck.parquet").exists());
    assert!(home.failure("match --agents heuristic,random --luck --out -", 2).0.contains("--luck needs a directory"));
    let (message, _) = home.failure("match --agents heuristic,random --luck --sets 1000000000000", 2);
    assert!(message.contains("too many to be summed exactly"), "{message}");
}
