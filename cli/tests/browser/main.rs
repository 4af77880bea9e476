//! Report pages in a real browser: headless Chromium.
//!
//! A page is opened unchanged in two frames of a test page: as wide as a phone, and as wide as a screen. The test's script
//! (`probe.js`) examines both and reports its findings. Without Chromium the tests are skipped with a message, except if `CI` is
//! "true": then it is required.

mod chromium;
mod viewer;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use chromium::{Chromium, VisibleEvent};

fn home() -> TempDir {
    tempfile::tempdir().expect("a directory for the test")
}

/// The errors of the report in this directory, and the number of checks.
fn probed(chromium: &Chromium, directory: &Path) -> (Vec<String>, usize) {
    fs::write(
        directory.join("probe.html"),
        include_str!("probe.html").replace("/* probe.js */", include_str!("probe.js")),
    )
    .expect("a page of the test");
    let VisibleEvent { page, console } = chromium.open(&directory.join("probe.html"));
    let (_, found) = page.split_once("<pre id=\"found\">").unwrap_or_else(|| panic!("no findings: {page}"));
    let found = found.split_once("</pre>").expect("the end of the findings").0;
    assert!(found.ends_with("done"), "the probe broke off: {found}\n{console:?}");
    let wrong = found.lines().filter(|line| line.starts_with("wrong:")).map(str::to_owned);
    (wrong.chain(console).collect(), found.lines().filter(|line| line.starts_with("right:")).count())
}

fn unolab(home: &Path, arguments: &str) {
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("unolab"));
    command.current_dir(home).args(arguments.split_whitespace()).assert().success();
}

#[test]
fn tournament_report_matches_snapshot() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    unolab(home.path(), "tournament --sets 30 --seats 2,4 --variant classic,disney --quiet --report --out run");
    let (wrong, right) = probed(&chromium, &home.path().join("run"));
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Four sections of seven plots each, in two frames, with several checks each.
    assert!(right > 4 * 7 * 2, "only {right} checks");
}

/// Leagues with luck adjustment, a balance run, and a sequential test.
#[test]
fn reports_of_league_balance_and_sprt_match_snapshots() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    let league =
        "--format league --agents random,greedy,mixbot,heuristic,diversity --seats 2,3 --sets 60 --luck --report";
    unolab(home.path(), &format!("tournament {league} --quiet --out league"));
    unolab(
        home.path(),
        "balance --variant disney --seats 2,4 --sets 40 --sweep deal.hand_size=5,9 --card-effect wild --quiet --out balance",
    );
    unolab(home.path(), "sprt --agents greedy,random --seats 3 --nelo1 20 --luck --quiet --out test");
    unolab(home.path(), "report balance --plots");
    unolab(home.path(), "report test");
    for directory in ["league", "balance", "test"] {
        let (wrong, right) = probed(&chromium, &home.path().join(directory));
        assert!(wrong.is_empty() && right > 40, "{directory}: {right} checks; {wrong:#?}");
    }
}

/// Ten entrants with names as hostile and as long as names can be, at ten seats.
#[test]
fn report_of_ten_entrants_escapes_names() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    let names: Vec<String> = (0..10)
        .map(|number| match number {
            0 => "cmd:\"<script>console.error('run')</script><img src=x onerror=console.error(1)>\"".to_owned(),
            1 => "</title></style></svg><b onmouseover=alert(1)>".to_owned(),
            2 => format!("monte-carlo:{}", "rollouts=1000,".repeat(20)),
            3 => "大貧民".repeat(20),
            _ => format!("heuristic:weight={number}"),
        })
        .collect();
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    let mut summary = String::from("entrant,variant,seats,sets,games,wins,win_share,ci_low,ci_high\n");
    let mut seats = String::from("variant,seats,entrant,seat,games,wins,win_share,se\n");
    let mut pairs = String::from("variant,seats,a,b,games,share,ci_low,ci_high,los\n");
    for (number, name) in (0_u32..).zip(&quoted) {
        let share = 0.055 + 0.01 * f64::from(number);
        summary +=
            &format!("{name},classic,10,100,1000,{},{share},{},{}\n", 1000.0 * share, share - 0.01, share + 0.02);
        for seat in 0..10 {
            let here = share + 0.002 * f64::from(seat) - 0.009;
            seats += &format!("classic,10,{name},{seat},100,{},{here},0.01\n", 100.0 * here);
        }
        for other in &quoted[number as usize + 1..] {
            pairs += &format!("classic,10,{name},{other},1000,0.4{number},0.39,0.49,0.01\n");
        }
    }
    let directory = home.path().join("run");
    fs::create_dir(&directory).expect("a directory");
    for (file, text) in [("summary.csv", summary), ("seats.csv", seats), ("pairs.csv", pairs)] {
        fs::write(directory.join(file), text).expect("a table");
    }
    unolab(home.path(), "report run --plots");
    let (wrong, right) = probed(&chromium, &directory);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(right > 4 * 2, "only {right} checks");
    for plot in fs::read_dir(directory.join("plots")).expect("plots") {
        let VisibleEvent { page, console } = chromium.open(&plot.expect("a plot").path());
        assert!(page.contains("<svg") && !page.contains("parsererror") && console.is_empty(), "{console:?} {page}");
    }
}

/// The tests above can fail.
#[test]
fn page_errors_are_detected() {
    let Some(chromium) = Chromium::found() else { return };
    let home = home();
    let page = "<!DOCTYPE html><body><h1 style='width:2000px'>unolab</h1><script>undefined_function()</script>\
                <table class=sortable><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table>";
    fs::write(home.path().join("report.html"), page).expect("a page");
    let (wrong, _) = probed(&chromium, home.path());
    for part in ["undefined_function", "as wide as 360 pixels", "is a button", "there are plots"] {
        assert!(wrong.iter().any(|line| line.contains(part)), "{part}: {wrong:#?}");
    }
}
