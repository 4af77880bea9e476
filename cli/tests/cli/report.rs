//! `unolab report` and `--report`: the page of a run.

use std::fs;

use super::{Home, names_in, rows};

const SMALL: &str = "tournament --sets 3 --seats 2,3 --quiet";

#[test]
fn run_with_any_threads_writes_report_and_plots() {
    let home = Home::new();
    home.output(&format!("{SMALL} --report --threads 1 --out one"));
    home.output(&format!("{SMALL} --report --threads 3 --out three"));
    assert_eq!(home.read("one/report.html"), home.read("three/report.html"));
    let plots = names_in(&home.path("one/plots"));
    assert!(plots.contains(&"02-classic-3-seats-win-share.svg".to_owned()), "{plots:?}");
    assert_eq!(home.read("one/report.html").matches("<svg").count(), plots.len());
    assert!(plots.iter().all(|plot| home.read(&format!("one/plots/{plot}")).starts_with("<svg")));
}

#[test]
fn report_of_stored_tables_equals_page_of_run() {
    let home = Home::new();
    home.output(&format!("{SMALL} --report --out run"));
    let page = home.read("run/report.html");
    assert_eq!(home.output("report run --out - "), page);
    assert_eq!(home.output("report run --plots --out copy.html"), "report in copy.html\n");
    assert_eq!(home.read("copy.html"), page);
    assert_eq!(names_in(&home.path("plots")), names_in(&home.path("run/plots")));
    fs::remove_file(home.path("run/report.html")).unwrap();
    for _ in 0..2 {
        home.output("report run");
        assert_eq!(home.read("run/report.html"), page);
    }
    home.write("run/report.html", "my own");
    home.refuses("report", &[("run", "run/report.html: is not a page of unolab")]);
    assert_eq!(home.read("run/report.html"), "my own");
    // Without run.json and most tables there is less to show, but the existing tables are shown.
    for file in ["run.json", "pairs.csv", "distributions.csv", "seats.csv"] {
        fs::remove_file(home.path(&format!("run/{file}"))).unwrap();
    }
    assert!(home.output("report run --out -").contains("classic, 3 seats"));
}

#[test]
fn one_sentence_names_leader_of_all_sections() {
    let home = Home::new();
    home.output("tournament --agents heuristic,random --sets 40 --seats 2,3 --quiet --report --out run");
    let page = home.read("run/report.html");
    assert!(page.contains("heuristic leads in both sections. Most clearly in "), "{page}");
}

#[test]
fn balance_table_of_contents_lists_measures() {
    let home = Home::new();
    home.output("balance --agents greedy,random --seats 2,3 --sets 20 --matches 0 --quiet --report --out run");
    let page = home.read("run/report.html");
    let contents = page.split("id=\"contents\"").nth(1).and_then(|rest| rest.split("</table>").next()).unwrap();
    let metrics = rows(&home.read("run/metrics.csv"));
    for (metric, shown) in [("turns", 1.0), ("choice_share", 100.0), ("skill", 100.0)] {
        for row in metrics.iter().filter(|row| row["metric"] == metric) {
            let (value, digits) = (shown * row["value"].parse::<f64>().unwrap(), if metric == "turns" { 1 } else { 2 });
            let cell = format!("{value:.digits$}").replace('-', "\u{2212}");
            assert!(contents.contains(&cell), "{metric} {cell}: {contents}");
        }
    }
}

/// A page replaces only an earlier page.
#[test]
#[cfg(unix)]
fn report_page_preserves_other_files_and_links() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out run"));
    home.write("page.html.part", "mine");
    home.output("report run --out page.html");
    assert_eq!(home.read("page.html.part"), "mine");
    home.write("real.html", "old");
    std::os::unix::fs::symlink("real.html", home.path("link.html")).unwrap();
    home.output("report run --out link.html");
    assert!(home.path("link.html").is_symlink());
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(home.path("page.html")).unwrap().permissions());
    assert_eq!(mode & 0o111, 0, "a page is not executable");
    assert_eq!(home.read("real.html"), home.read("page.html"));
    assert_eq!(home.names(), ["link.html", "page.html", "page.html.part", "real.html", "run"]);
}

/// A page that replaced a table would destroy the run.
#[test]
fn page_over_run_file_is_rejected() {
    let home = Home::new();
    home.output(&format!("{SMALL} --record games --out run"));
    home.output("tournament --sets 3 --seats 2 --seed 2 --quiet --report --out other");
    home.output(&format!("{SMALL} --shard 1/2 --out part"));
    let record = names_in(&home.path("games"))[0].clone();
    let all = |home: &Home| -> Vec<String> {
        let directories = ["run", "other", "other/plots", "part"].into_iter();
        let files = directories.flat_map(|directory| {
            let names = names_in(&home.path(directory)).into_iter();
            names.map(move |name| format!("{directory}/{name}")).filter(|file| home.path(file).is_file())
        });
        files.map(|file| format!("{file}\n{}", home.read(&file))).collect()
    };
    let before = all(&home);
    for file in ["run/run.json", "run/metrics.csv", "run/README.md", "other/plots/elo.svg", "part/shard.json"] {
        let name = file.split_once('/').unwrap().1;
        let told = format!("{file}: {name} is the name of a file of the run in ");
        home.refuses("report run", &[(&format!("--out {file}"), &told), (&format!("--plots --out {file}"), &told)]);
        home.refuses(&format!("replay games/{record}"), &[(&format!("--html {file}"), &told)]);
    }
    let plots = "is the name of a file of the run in ";
    home.refuses("report run", &[("--plots --out other/page.html", plots)]);
    assert_eq!(all(&home), before, "nothing is written");
    // A page may be in the directory, and replace the page.
    home.output("report run --plots --out run/page.html");
    home.output("report run --out run/report.html");
    home.output(&format!("replay games/{record} --html run/game.html"));
    assert_eq!(home.output("report run --out -"), home.read("run/report.html"));
}

#[test]
fn directory_without_run_is_rejected_unchanged() {
    let home = Home::new();
    fs::create_dir(home.path("empty")).unwrap();
    fs::create_dir(home.path("broken")).unwrap();
    home.write("broken/summary.csv", "entrant,variant\ngreedy,classic\n");
    home.output(&format!("{SMALL} --out run"));
    home.refuses(
        "report",
        &[
            ("nowhere", "nowhere"),
            ("empty", "empty: holds none of the tables of a run"),
            ("broken", "broken: summary.csv: "),
            ("broken/summary.csv", "broken/summary.csv"),
            ("run --out - --plots", "--plots"),
            ("run --out missing/page.html", "missing/page.html"),
        ],
    );
    assert_eq!(names_in(&home.path("broken")), ["summary.csv"]);
    assert_eq!(names_in(&home.path("empty")), [] as [&str; 0]);
}
