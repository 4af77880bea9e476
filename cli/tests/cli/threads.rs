//! The same bytes with any number of threads.

use super::{Home, names_in};

fn bytes_with_threads(arguments: &str, threads: u32) -> Vec<(String, String)> {
    let home = Home::new();
    home.output(&format!("{arguments} --games-csv --quiet --threads {threads} --out run"));
    let files = names_in(&home.path("run")).into_iter().filter(|name| name != "run.json");
    files.map(|name| (name.clone(), home.read(&format!("run/{name}")))).collect()
}

fn assert_same_bytes(arguments: &str) {
    let with_one = bytes_with_threads(arguments, 1);
    let names: Vec<&str> = with_one.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        ["README.md", "distributions.csv", "games.csv", "pairs.csv", "ratings.csv", "seats.csv", "summary.csv"]
    );
    for threads in [2, 7] {
        assert!(bytes_with_threads(arguments, threads) == with_one, "{threads} threads: {arguments}");
    }
}

#[test]
fn classic_rounds_are_independent_of_threads() {
    assert_same_bytes("tournament --seats 2,4 --sets 400");
}

#[test]
fn disney_matches_are_independent_of_threads() {
    assert_same_bytes("tournament --variant disney --unit match --seats 4 --sets 12");
}

#[test]
fn run_without_command_is_tournament() {
    let home = Home::new();
    assert_eq!(home.output("--sets 5"), home.output("tournament --sets 5"));
    assert_eq!(names_in(&home.path("runs")).len(), 1, "and has the same directory");
}
