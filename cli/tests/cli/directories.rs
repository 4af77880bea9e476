//! The files that a run writes, and the files that it does not touch.

use super::{Home, names_in, rows};

const SMALL: &str = "tournament --sets 3 --seats 2 --quiet";

#[test]
fn directory_name_contains_spec_hash() {
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
fn finished_run_of_same_spec_is_replaced_and_other_rejected() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out mine"));
    home.write("mine/summary.csv", "changed");
    home.output(&format!("{SMALL} --out mine --report"));
    assert!(home.read("mine/summary.csv").starts_with("entrant,"), "written again");
    // A file that would no longer belong to the run is neither lost nor left behind.
    let (message, _) = home.failure(&format!("{SMALL} --out mine"), 2);
    assert!(message.contains("has the file ") && message.contains("add --report"), "{message}");
    home.output(&format!("{SMALL} --out mine --report"));
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

/// Notes, directories and tables of the user; also with links.
#[test]
fn user_files_in_run_directory_are_preserved() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out mine --games-csv"));
    home.write("mine/notes.txt", "precious");
    home.write("mine/own.csv", "a,b\n");
    std::fs::create_dir(home.path("mine/thesis")).unwrap();
    home.write("mine/thesis/summary.csv", "precious");
    let before = names_in(&home.path("mine"));
    let games = home.read("mine/games.csv");
    home.output(&format!("{SMALL} --out mine --games-csv"));
    assert_eq!(names_in(&home.path("mine")), before);
    assert_eq!(
        (home.read("mine/notes.txt"), home.read("mine/thesis/summary.csv")),
        ("precious".into(), "precious".into())
    );
    // Files that the run does not write are not overwritten; files that it no longer writes are not lost.
    home.write("mine/luck.csv", "mine");
    for (flags, part) in [
        ("--games-csv --luck", "unexpected file luck.csv, which its run did not write"),
        ("", "has the file games.csv, which this command does not write; add --games-csv"),
    ] {
        for how in ["", "--dry-run"] {
            let (message, _) = home.failure(&format!("{SMALL} --out mine {flags} {how}"), 2);
            assert!(message.contains(part), "{message}");
        }
    }
    assert_eq!((home.read("mine/luck.csv"), home.read("mine/games.csv")), ("mine".into(), games));
}

#[test]
fn older_run_directory_without_list_uses_file_names() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out mine --luck"));
    let mut run: serde_json::Value = serde_json::from_str(&home.read("mine/run.json")).unwrap();
    let files: Vec<String> = serde_json::from_value(run["files"].take()).unwrap();
    assert_eq!(files, names_in(&home.path("mine")), "all are listed");
    run.as_object_mut().unwrap().remove("files");
    home.write("mine/run.json", &run.to_string());
    home.write("mine/notes.txt", "precious");
    assert!(home.failure(&format!("{SMALL} --out mine"), 2).0.contains("add --luck"));
    home.output(&format!("{SMALL} --out mine --luck"));
    assert_eq!(home.read("mine/notes.txt"), "precious");
}

#[test]
#[cfg(unix)]
fn directory_symlink_is_preserved() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out mine"));
    std::os::unix::fs::symlink("mine", home.path("link")).unwrap();
    home.write("mine/summary.csv", "changed");
    home.output(&format!("{SMALL} --out link"));
    assert!(home.path("link").is_symlink());
    assert!(home.read("mine/summary.csv").starts_with("entrant,"), "it is written through the link");
    assert_eq!(home.names(), ["link", "mine"]);
}

/// Killed with half of a run written, and with all of it.
#[test]
fn leftovers_of_killed_rerun_are_removed_by_next() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out mine"));
    let before = names_in(&home.path("mine"));
    for resume in ["", "--resume"] {
        std::fs::create_dir(home.path("mine/.staged")).unwrap();
        home.write("mine/.staged/summary.csv", "half");
        home.write("mine/.lock", "");
        home.output(&format!("{SMALL} --out mine {resume}"));
        assert_eq!(names_in(&home.path("mine")), before);
        assert!(home.read("mine/summary.csv").starts_with("entrant,"));
    }
    home.output(&format!("{SMALL} --out again"));
    std::fs::rename(home.path("again"), home.path("mine/.publishing")).unwrap();
    home.write("mine/summary.csv", "not yet replaced");
    home.output(&format!("{SMALL} --out mine --resume"));
    assert_eq!(names_in(&home.path("mine")), before);
    assert!(home.read("mine/summary.csv").starts_with("entrant,"));
    assert_eq!(home.names(), ["mine"]);
}

/// A directory with the name of a run's directory that also has other files.
#[test]
fn foreign_files_in_staging_directory_are_preserved() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out mine"));
    for (directory, file) in [(".staged", "notes.txt"), (".staged/own", "notes.txt"), (".publishing/plots", "plan.png")]
    {
        std::fs::create_dir_all(home.path(&format!("mine/{directory}"))).unwrap();
        home.write(&format!("mine/{directory}/{file}"), "mine");
        home.refuses(
            SMALL,
            &[("--out mine", &format!("unexpected file {directory}/{file}, which its run did not write"))],
        );
        assert_eq!(home.read(&format!("mine/{directory}/{file}")), "mine");
        let ours = directory.split('/').next().unwrap();
        std::fs::remove_dir_all(home.path(&format!("mine/{ours}"))).unwrap();
    }
    assert!(!home.path("mine/.lock").exists());
}

/// A renamed, moved or dropped column breaks users' scripts.
#[test]
fn table_headers_match_snapshot() {
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
    assert_eq!(sets, ["3"; 6], "18 games per deal");
}
