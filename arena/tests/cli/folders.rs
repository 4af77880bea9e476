//! What a run leaves behind, and what it leaves alone.

use super::{Home, names_in, rows};

const SMALL: &str = "tournament --sets 3 --seats 2 --quiet";

#[test]
fn the_folder_is_named_after_the_spec() {
    let home = Home::new();
    home.output(SMALL);
    home.output(&format!("{SMALL} --threads 1"));
    home.output(&format!("{SMALL} --seed 2"));
    home.output("match --agents random,greedy --sets 3 --seats 2 --quiet");
    let names = names_in(&home.path("runs"));
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names[0].starts_with("match-") && names[1].starts_with("tournament-"), "{names:?}");
    let files = names_in(&home.path(&format!("runs/{}", names[1])));
    assert_eq!(
        files,
        ["README.md", "distributions.csv", "pairs.csv", "ratings.csv", "run.json", "seats.csv", "summary.csv"]
    );
}

#[test]
fn a_finished_run_of_the_same_spec_is_replaced_and_any_other_refused() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out mine --games-csv"));
    home.output(&format!("{SMALL} --out mine"));
    assert!(!names_in(&home.path("mine")).contains(&"games.csv".to_owned()), "replaced as a whole");
    let before = home.read("mine/summary.csv");
    let (message, _) = home.failure(&format!("{SMALL} --out mine --seed 2"), 2);
    assert!(message.contains("--out mine: holds a run of another spec"), "{message}");
    std::fs::create_dir(home.path("thesis")).unwrap();
    home.write("thesis/chapter-1.txt", "precious");
    let (message, _) = home.failure(&format!("{SMALL} --out thesis"), 2);
    assert!(message.contains("not a finished run of unolab"), "{message}");
    assert_eq!((home.read("mine/summary.csv"), home.read("thesis/chapter-1.txt")), (before, "precious".into()));
    assert_eq!(home.names(), ["mine", "thesis"]);
}

/// A column that is renamed, moved or dropped breaks the scripts of others.
#[test]
fn the_headers_of_all_tables() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out run --games-csv"));
    let header = |file| format!("{file}: {}\n", home.read(&format!("run/{file}")).lines().next().unwrap());
    let headers: String =
        ["summary.csv", "seats.csv", "pairs.csv", "ratings.csv", "distributions.csv", "games.csv"].map(header).concat();
    insta::assert_snapshot!(headers);
}

#[test]
fn games_can_be_sampled_by_set() {
    let home = Home::new();
    home.output("tournament --sets 10 --seats 2 --quiet --out all --games-csv");
    home.output("tournament --sets 10 --seats 2 --quiet --out some --games-csv=4");
    let (all, some) = (rows(&home.read("all/games.csv")), rows(&home.read("some/games.csv")));
    assert_eq!(all.len(), 60);
    assert_eq!(some, all.into_iter().filter(|row| ["0", "4", "8"].contains(&&*row["set"])).collect::<Vec<_>>());
    assert_eq!(home.read("all/summary.csv"), home.read("some/summary.csv"));
}

#[test]
fn games_are_rounded_up_to_whole_sets() {
    let home = Home::new();
    home.output("tournament --games 50 --seats 2,4 --quiet --out run");
    let sets: Vec<String> = rows(&home.read("run/summary.csv")).into_iter().map(|row| row["sets"].clone()).collect();
    assert_eq!(sets, ["3"; 6], "18 games a deal");
}
