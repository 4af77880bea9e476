//! `--extra-cards`: odds in cards for entrants.

use super::{Home, names_in, rows};

const ODDS: &str = "match --agents a=greedy,b=greedy,random --seats 3 --extra-cards b=2 --extra-cards random=1";

#[test]
fn odds_give_same_bytes_with_any_threads_and_after_resume() {
    let home = Home::new();
    let text = home.output(&format!("{ODDS} --sets 300 --games-csv --threads 1 --out whole"));
    assert!(text.starts_with("odds: b with 2 extra cards, random with 1 extra card\n"), "{text}");
    let entrants =
        &serde_json::from_str::<serde_json::Value>(&home.read("whole/run.json")).unwrap()["spec"]["entrants"];
    assert_eq!((&entrants[0]["extra_cards"], &entrants[1]["extra_cards"]), (&serde_json::Value::Null, &2.into()));
    let others = ["--threads 2", "--threads 8", "--threads 2 --luck", "--threads 2 --record records --record-sets 5"];
    for (number, flags) in others.into_iter().enumerate() {
        home.output(&format!("{ODDS} --sets 300 --games-csv --quiet {flags} --out run-{number}"));
        for table in ["summary.csv", "pairs.csv", "games.csv"] {
            assert!(home.read(&format!("run-{number}/{table}")) == home.read(&format!("whole/{table}")), "{flags}");
        }
    }
    for record in names_in(&home.path("records")) {
        let header = home.read(&format!("records/{record}")).lines().next().unwrap().to_owned();
        assert!(header.contains("\"extra_cards\":["), "{header}");
        let shown = home.output(&format!("replay --show records/{record}"));
        assert!(shown.contains("\nodds: ") && shown.contains(": fits, "), "{shown}");
    }
    home.kill_on_its_way(&format!("{ODDS} --games-csv --quiet --threads 2 --sets 12000"), "killed");
    home.output(&format!("{ODDS} --games-csv --quiet --threads 3 --sets 12000 --out killed --resume"));
    home.output(&format!("{ODDS} --games-csv --quiet --threads 1 --sets 12000 --out long"));
    assert!(home.read("killed/games.csv") == home.read("long/games.csv"), "other bytes after --resume");
    assert!(home.output("verify whole").contains("no difference"));
}

#[test]
fn extra_cards_lower_win_share_of_their_entrant() {
    let home = Home::new();
    for (number, (arguments, fair)) in [
        ("match --agents a=random,b=random --seats 2", 0.5),
        ("match --agents a=random,b=random --seats 2 --unit match --set match.target=200", 0.5),
        ("match --agents a=greedy,b=greedy --seats 4 --variant disney", 0.25),
        ("match --agents a=greedy,b=greedy --seats 4 --set match.teams=fixed --unit match --set match.target=200", 0.5),
        ("tournament --agents a=random,b=random --seats 3 --format gauntlet --set house.jump_in=true", 1.0 / 3.0),
    ]
    .into_iter()
    .enumerate()
    {
        home.output(&format!("{arguments} --sets 200 --extra-cards a=6 --quiet --out run-{number}"));
        let summary = rows(&home.read(&format!("run-{number}/summary.csv")));
        let of_a = summary.iter().find(|row| row["entrant"] == "a").unwrap();
        let share: f64 = of_a["win_share"].parse().unwrap();
        assert!(share < 0.9 * fair, "{arguments}: {share} of {fair}");
    }
    let text = home.output("sprt --agents a=random,b=random --extra-cards b=3 --nelo1 20 --max-sets 20000 --out test");
    assert!(text.contains("odds: b with 3 extra cards\n") && text.contains("H1 accepted: a beats b"), "{text}");
}

#[test]
fn impossible_odds_are_refused() {
    let home = Home::new();
    home.refuses(
        "match --agents mine=greedy,random --seats 10 --sets 1",
        &[
            ("--extra-cards mine=0", "0` is not a number of extra cards; allowed: a whole number from 1 to 255"),
            ("--extra-cards mine", "expected NAME=CARDS, such as mine=2"),
            ("--extra-cards me=2", "--extra-cards me=2: unknown entrant; entrants: mine, random"),
            ("--extra-cards mine=2 --extra-cards mine=3", "--extra-cards names `mine` twice"),
            ("--extra-cards mine=38", "a table of classic at 10 seats would get 38 extra cards; allowed: at most 37"),
            ("--extra-cards random=5", "would get 45 extra cards; allowed: at most 37"),
            ("--set house.hand_limit=12 --extra-cards mine=5", "house.hand_limit = 12 of classic; allowed: at most 4"),
        ],
    );
    home.refuses(
        "tournament --format league --agents greedy,random,mixbot,diversity,net --seats 2 --sets 8 --out league",
        &[("--extra-cards net=94", "a table of classic at 2 seats would get 94 extra cards; allowed: at most 93")],
    );
    assert!(!home.path("league").exists());
    // The same agent with and without odds cannot share a rating.
    home.output("match --agents greedy,random --seats 2 --sets 10 --quiet --out without");
    home.output("match --agents greedy,random --seats 2 --sets 10 --seed 2 --extra-cards greedy=2 --quiet --out with");
    home.refuses("rate without with", &[("", "greedy has 2 extra cards, but in without it has 0 extra cards")]);
}
