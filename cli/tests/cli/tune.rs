//! `unolab tune` on the command line.

use std::collections::{BTreeMap, BTreeSet};

use super::{Home, names_in, rows};

/// A deck without action cards: only the size of the hands sets the length of a round.
const PLAIN: &str = "base = \"classic\"\ndeck.skip = 0\ndeck.reverse = 0\ndeck.draw_two = 0\ndeck.wild = 0\n\
                     deck.wild_draw_four = 0\n";

/// `unolab` with these words; goals have spaces.
fn words<'a>(arguments: &'a str, goals: &[&'a str]) -> Vec<&'a str> {
    let goals = goals.iter().flat_map(|goal| ["--goal", goal]);
    ["tune"].into_iter().chain(arguments.split_whitespace()).chain(goals).collect()
}

/// The exit status and the output of a tuning run.
fn tune(home: &Home, arguments: &str, goals: &[&str]) -> (i32, String) {
    let output = home.unolab("").args(words(arguments, goals)).output().expect("unolab starts");
    let status = output.status.code().expect("an exit status");
    let text = String::from_utf8(output.stdout).expect("text");
    (status, text + &String::from_utf8(output.stderr).expect("text"))
}

/// The value of a key in the recommended rule set.
fn recommended(home: &Home, directory: &str, key: &str) -> String {
    let candidates = rows(&home.read(&format!("{directory}/candidates.csv")));
    let row = candidates.iter().find(|row| row["status"] == "recommended").expect("a recommended rule set");
    let value = row["rules"].split(' ').find_map(|pair| pair.strip_prefix(&format!("{key}=")));
    value.expect(key).to_owned()
}

/// Every file but `run.json`, which has the machine.
fn files(home: &Home, directory: &str) -> BTreeMap<String, String> {
    let names = names_in(&home.path(directory)).into_iter().filter(|name| name != "run.json");
    names.map(|name| (name.clone(), home.read(&format!("{directory}/{name}")))).collect()
}

const SMALL: &str = "--variant plain.toml --seats 2 --agents greedy --vary deal.hand_size=3..9 --vary uno.penalty=2,4 \
                     --budget 12000";

#[test]
fn run_writes_its_files_with_their_columns() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    let goals = ["turns in 5..200", "minimize turns"];
    let (status, text) = tune(&home, &format!("{SMALL} --out run"), &goals);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("every constraint is met") && text.contains("deal.hand_size = 3 (base: 7)"), "{text}");
    let names = [
        "README.md",
        "best.toml",
        "candidates.csv",
        "contributions.csv",
        "front.csv",
        "front.svg",
        "goals.csv",
        "report.html",
        "run.json",
    ];
    assert_eq!(names_in(&home.path("run")), names);
    let goals_csv = home.read("run/goals.csv");
    assert!(goals_csv.starts_with("goal,metric,seats,value,ci_low,ci_high,verdict,deals\n"), "{goals_csv}");
    let found: Vec<[String; 4]> = rows(&goals_csv)
        .iter()
        .map(|row| ["goal", "metric", "seats", "verdict"].map(|column| row[column].clone()))
        .collect();
    let expected = [[goals[0], "turns", "2", "met"], [goals[1], "turns", "2", ""]];
    assert_eq!(found, expected.map(|row| row.map(str::to_owned)));
    assert!(home.read("run/report.html").contains("turns in 5..200: met, "));
    // The file loads, and has the recommended rules.
    assert!(home.read("run/best.toml").starts_with("# unolab tune: every constraint is met"));
    assert!(home.output("variants show run/best.toml").contains("hand_size = 3"));
    home.output("balance --variant run/best.toml --seats 2 --sets 5 --matches 0 --quiet --out checked");
    // The budget includes the certificate, and `uno.penalty` changes no round between such agents.
    let run: serde_json::Value = serde_json::from_str(&home.read("run/run.json")).expect("JSON");
    assert_eq!(run["spec"]["budget"], 12_000);
    let contributions = rows(&home.read("run/contributions.csv"));
    let keys: BTreeSet<&str> = contributions.iter().map(|row| &*row["key"]).collect();
    assert_eq!(keys, ["deal.hand_size"].into());
    assert!(contributions[0]["difference"].parse::<f64>().expect("a number") < 0.0, "{contributions:?}");
    assert!(home.output("verify run").contains("run"));
    assert!(home.output("status run").contains("(tune)"));
    // Finished: nothing is played, and the exit status is the same.
    assert_eq!(tune(&home, &format!("{SMALL} --out run --resume --quiet"), &goals), (0, String::new()));
}

/// Known from the rules of the game: larger hands give longer rounds.
#[test]
fn planted_optimum_is_found_with_every_seed() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    for seed in 1..=6 {
        let arguments = format!("{SMALL} --seed {seed} --quiet");
        for (goal, best) in [("maximize turns", "9"), ("minimize turns", "3")] {
            let directory = format!("{best}-{seed}");
            let (status, text) = tune(&home, &format!("{arguments} --out {directory}"), &[goal]);
            assert_eq!((status, &*recommended(&home, &directory, "deal.hand_size")), (0, best), "{seed}: {text}");
        }
    }
}

/// A round of two players has at least as many turns as a hand has cards.
#[test]
fn planted_infeasible_goal_is_infeasible_with_every_seed() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    for seed in 1..=6 {
        let arguments = format!("{SMALL} --seed {seed} --out run-{seed}");
        let (status, text) = tune(&home, &arguments, &["turns < 3", "minimize decisions"]);
        assert_eq!(status, 1, "{text}");
        assert!(
            text.contains("infeasible: no rule set of this space") && text.contains("the binding constraint is"),
            "{text}"
        );
        assert_eq!(recommended(&home, &format!("run-{seed}"), "deal.hand_size"), "3", "the nearest");
        let goals = rows(&home.read(&format!("run-{seed}/goals.csv")));
        assert_eq!([&*goals[0]["verdict"], &*goals[1]["verdict"]], ["not_met", ""]);
    }
}

#[test]
fn undecided_constraint_is_not_shown_with_deals_that_would_decide() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    // The first player's edge is a few percentage points, and few deals determine it only to a few points.
    let arguments = "--variant plain.toml --seats 2 --agents random --vary deal.hand_size=7,8 --budget 2000 --out run";
    let (status, text) = tune(&home, arguments, &["abs(first_player_edge) < 1pp"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("not shown, ") && text.contains(" would decide it"), "{text}");
}

#[test]
fn any_number_of_threads_and_interruptions_give_the_same_bytes() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    let goals = ["turns in 10..40", "maximize good_share"];
    let arguments = |rest: &str| format!("{SMALL} --weak random --quiet {rest}");
    tune(&home, &arguments("--threads 1 --out one"), &goals);
    for threads in [2, 8] {
        tune(&home, &arguments(&format!("--threads {threads} --out run-{threads}")), &goals);
        assert!(files(&home, "one") == files(&home, &format!("run-{threads}")), "{threads} threads");
    }
    let mut kills = 0;
    for (run, checkpoint) in [1_u64, 3, 7, 2, 5, 40].into_iter().enumerate() {
        let directory = format!("killed-{}", run % 2);
        let threads = [1, 3, 2][run % 3];
        let more = arguments(&format!("--threads {threads} --resume --out {directory}"));
        let mut unolab = home.unolab("");
        unolab.args(words(&more, &goals)).env("UNOLAB_STOP_AFTER_CHECKPOINTS", checkpoint.to_string());
        unolab.output().expect("unolab starts");
        kills += u32::from(home.path(&directory).join("checkpoint.json").exists());
    }
    assert!(kills >= 2, "{kills} kills");
    for run in 0..2 {
        tune(&home, &arguments(&format!("--resume --out killed-{run}")), &goals);
        assert!(files(&home, "one") == files(&home, &format!("killed-{run}")), "run {run}");
    }
}

#[test]
fn seats_and_objectives_have_their_rows() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    let arguments = "--variant plain.toml --seats 2,3 --agents greedy --vary deal.hand_size=3..8 --budget 30000 --out run \
                     --seconds-per-turn 6 --json";
    let goals = [
        "turns in 3..900",
        "minutes@2 in 0..90",
        "maximize turns",
        "minimize decisions",
        "abs(first_player_edge@3) < 90pp",
    ];
    let (status, text) = tune(&home, arguments, &goals);
    assert_eq!(status, 0, "{text}");
    let found: Vec<(String, String)> =
        rows(&home.read("run/goals.csv")).iter().map(|row| (row["goal"].clone(), row["seats"].clone())).collect();
    let expected = [(0, "2"), (0, "3"), (1, "2"), (2, "2 3"), (3, "2 3"), (4, "3")];
    assert_eq!(found, expected.map(|(goal, seats)| (goals[goal].to_owned(), seats.to_owned())));
    // Long rounds with few decisions: a trade-off.
    let front = rows(&home.read("run/front.csv"));
    let on_front: BTreeSet<&str> = front.iter().map(|row| &*row["candidate"]).collect();
    assert!(on_front.len() > 1 && front.iter().any(|row| !row["cost"].is_empty()), "{front:?}");
    let object: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(object["tables"]["outcome"][0]["outcome"], "met");
    assert_eq!(object["tables"]["goals"].as_array().map(Vec::len), Some(6));
}

/// What is printed is what decides: on the reported values no rule set of the front beats another, and costs follow from them.
#[test]
fn front_is_undominated_and_has_recommended_rule_set() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    for seed in [1, 4] {
        let out = format!("run{seed}");
        tune(
            &home,
            &format!("{SMALL} --seed {seed} --quiet --out {out}"),
            &["maximize last_lead_change", "minimize turns"],
        );
        let candidates = rows(&home.read(&format!("{out}/candidates.csv")));
        let best = &candidates.iter().find(|row| row["status"] == "recommended").expect("a rule set")["candidate"];
        let front = rows(&home.read(&format!("{out}/front.csv")));
        let value = |row: &BTreeMap<String, String>| row["value"].parse::<f64>().expect("a number");
        let gains: Vec<[f64; 2]> = front.chunks(2).map(|of_one| [value(&of_one[0]), -value(&of_one[1])]).collect();
        assert!(gains.len() > 2 && front.iter().any(|row| row["candidate"] == *best), "{front:?}");
        for (of_one, pair) in front.chunks(2).zip(gains.windows(2)) {
            let [lost, gained] = [pair[0][0] - pair[1][0], pair[1][1] - pair[0][1]];
            assert!(lost > 0.0 && gained > 0.0, "{pair:?}");
            let cost: f64 = of_one[1]["cost"].parse().expect("a cost");
            assert!((cost - lost / gained).abs() < 1e-9, "{cost} {pair:?}");
        }
    }
}

#[test]
fn first_player_ratio_has_value_and_verdict() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    let (status, text) = tune(&home, &format!("{SMALL} --out run"), &["first_player_ratio < 1.9"]);
    assert_eq!(status, 0, "{text}");
    let goal = &rows(&home.read("run/goals.csv"))[0];
    let [low, value, high] =
        ["ci_low", "value", "ci_high"].map(|column| goal[column].parse::<f64>().expect("a number"));
    assert!(0.5 < low && low < value && value < high && high < 1.9 && goal["verdict"] == "met", "{goal:?}");
}

#[test]
fn share_of_decisive_choices_is_a_goal_as_in_balance() {
    let home = Home::new();
    let arguments = "--seats 2 --agents greedy --vary deal.hand_size=7 --panel none --budget 3e3 --quiet --out run";
    assert_eq!(tune(&home, arguments, &["decisive_choice_share(0.05) in 0.01..0.9"]), (0, String::new()));
    let goal = &rows(&home.read("run/goals.csv"))[0];
    assert_eq!((&*goal["metric"], &*goal["verdict"]), ("decisive_choice_share(0.05)", "met"));
    let (status, told) = tune(&home, arguments, &["decisive_choice_share(2) < 1"]);
    assert!(status == 2 && told.contains("decisive_choice_share(SHARE)"), "{told}");
}

#[test]
fn constraints_that_contradict_each_other_are_named_with_their_distance() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    let arguments = "--variant plain.toml --seats 2 --agents random --vary deal.hand_size=3..7 --budget 24e3 --out run";
    let (status, told) = tune(&home, arguments, &["turns > 29", "turns < 25"]);
    assert_eq!(status, 1, "{told}");
    let told = told.replace('\n', " ");
    let nearest = told.split("by itself, but not all together; the nearest rule set misses ").nth(1).expect(&told);
    assert!(nearest.starts_with("\"turns > 29\" by ") && nearest.contains(" and \"turns < 25\" by "), "{told}");
    let contributions = told.split("instead of 7: ").nth(1).expect("contributions");
    assert_eq!(contributions.matches("turns ").count(), 1, "{told}");
}

/// A quantile is not a mean, so its differences have no error.
#[test]
fn contributions_to_quantiles_have_values() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    let arguments =
        "--variant plain.toml --seats 2 --agents random --vary deal.hand_size=3..7 --budget 12e3 --quiet --out run";
    assert_eq!(tune(&home, arguments, &["turns_q90 < 500", "minimize turns_q50"]).0, 0);
    let contributions = rows(&home.read("run/contributions.csv"));
    let metrics: Vec<&str> = contributions.iter().map(|row| &*row["metric"]).collect();
    assert_eq!(metrics, ["turns_q90", "turns_q50"]);
    for row in &contributions {
        assert!(row["difference"].parse::<f64>().expect("a number") < 0.0 && row["se"].is_empty(), "{row:?}");
    }
}

#[test]
fn options_of_a_file_are_those_of_the_command_line() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    home.write(
        "goals.toml",
        "variant = \"plain.toml\"\nseats = [2]\nagents = [\"greedy\"]\nbudget = 6e3\ngoal = [\"minimize turns\"]\n\
         [vary]\n\"deal.hand_size\" = \"3..6\"\n",
    );
    home.output("tune goals.toml --quiet --out file");
    let flags =
        "--variant plain.toml --seats 2 --agents greedy --budget 6e3 --vary deal.hand_size=3..6 --quiet --out flags";
    assert_eq!(tune(&home, flags, &["minimize turns"]), (0, String::new()));
    assert!(files(&home, "file") == files(&home, "flags"));
    let dry = home.output("tune goals.toml --budget 9000 --dry-run");
    assert!(dry.contains("1 key, 4 rule sets") && dry.contains("9,000 of 9,000 rounds, about "), "{dry}");
    home.write("wrong.toml", "goul = [\"minimize turns\"]\n");
    home.refuses(
        "tune",
        &[("wrong.toml", "wrong.toml: unknown option `goul`; did you mean `goal`?"), ("missing.toml", "missing.toml")],
    );
}

/// A match has 2 to 100 rounds, depending on the rule set.
#[test]
fn matches_of_different_lengths_stay_within_budget() {
    let home = Home::new();
    let arguments = "--variant classic --seats 2 --agents greedy --vary match.target=50,100,500,2000 \
                     --vary deal.hand_size=3..9 --budget 60000 --out run";
    let (_, text) = tune(&home, arguments, &["match_rounds > 25", "minimize match_reshuffles"]);
    let rounds =
        text.split_once(" rule sets tried, ").and_then(|(_, rest)| rest.split_once(" rounds")).expect("rounds");
    let rounds: u64 = rounds.0.replace(',', "").parse().expect("a number");
    assert!((45_000..=60_000).contains(&rounds), "{text}");
}

/// A budget of two minutes becomes a number of rounds in the spec, which a resumed run keeps.
#[test]
fn time_is_converted_to_rounds_once() {
    let home = Home::new();
    home.write("plain.toml", PLAIN);
    let arguments =
        "--variant plain.toml --seats 2 --agents random --vary deal.hand_size=3,4 --budget 1s --quiet --out run";
    assert_eq!(tune(&home, arguments, &["minimize turns"]).0, 0);
    let run: serde_json::Value = serde_json::from_str(&home.read("run/run.json")).expect("JSON");
    assert!(run["spec"]["budget"].as_u64().is_some_and(|rounds| rounds > 100), "{run}");
    assert_eq!(tune(&home, &format!("{arguments} --resume"), &["minimize turns"]), (0, String::new()));
}

#[test]
fn rejected_combinations_are_counted_and_bad_input_is_named() {
    let home = Home::new();
    // 108 cards are too few for two hands of sixty.
    let dry =
        "--seats 2 --vary deal.hand_size=5..60 --vary turn.draw_count=one,until_playable --budget 20000 --dry-run";
    let (status, text) = tune(&home, dry, &["minimize turns"]);
    assert!(status == 0 && text.contains(" of 112 combinations rejected"), "{text}");
    let wrong = |arguments: &str, goals: &[&str], part: &str| {
        let (status, text) = tune(&home, &format!("{arguments} --out run"), goals);
        assert!(status == 2 && text.contains(part), "{arguments}: {text}");
        assert!(!home.path("run").exists(), "{arguments}: nothing is written");
    };
    let vary = "--seats 2 --vary deal.hand_size=5..7";
    wrong(vary, &["trns < 5"], "unknown metric `trns`; did you mean `turns`?");
    wrong(vary, &["rounds > 3"], "unknown metric `rounds`; did you mean `match_rounds`? allowed: ");
    wrong(
        vary,
        &["points_from(X) > 0"],
        "unknown metric `points_from(X)`; did you mean `points_from(draw_two)`? allowed: ",
    );
    wrong(vary, &["seat_equivalence_margin > 0"], "unknown metric `seat_equivalence_margin`");
    wrong(vary, &["minutes in 8..12"], "minutes needs the duration of a turn: add --seconds-per-turn");
    wrong(vary, &["match_minutes in 8..12"], "add --seconds-per-turn");
    wrong(&format!("{vary} --panel none"), &["skill > 0"], "skill needs a panel: leave out --panel none");
    wrong(vary, &["turns@4 < 5"], "4 seats are not among --seats 2");
    wrong(vary, &["turns"], "it has no aim");
    wrong(vary, &["turns < 5", "turns < 5"], "is given twice");
    wrong(vary, &[], "--goal: no goal is given");
    wrong("--seats 2", &["turns < 5"], "--vary: no key is varied");
    wrong("--seats 2 --vary deal.hnd_size=5..7", &["turns < 5"], "did you mean `deal.hand_size`?");
    wrong(
        "--seats 2 --vary deal.hand_size=900,901",
        &["turns < 5"],
        "none of 2 combinations gives rules that can be played",
    );
    wrong(
        "--seats 2 --vary turn.draw_count=one,until_playble",
        &["turns < 5"],
        "turn.draw_count: \"until_playble\" is not allowed; allowed: \"one\"",
    );
    wrong("--seats 2 --vary deal.hand_size=5,5", &["turns < 5"], "--vary deal.hand_size=5: is given twice");
    wrong(
        &format!("{vary} --budget 10"),
        &["turns < 5"],
        "--budget 10: is too small for these goals; allowed: at least ",
    );
    wrong(&format!("{vary} --budget soon"), &["turns < 5"], "soon is not a budget");
    wrong(&format!("{vary} --shard 1/2"), &["turns < 5"], "--shard: a tuning run has no shards");
    wrong(&format!("{vary} --set deal.hand_size=5"), &["turns < 5"], "is also set with --set");
}

/// Points decide which cards `card-ranking` keeps, but `mixbot`, against which skill is least, ignores them. So all values of
/// this key are equal, and the base value is the one without a change.
#[test]
fn change_without_effect_on_goals_is_put_back() {
    let home = Home::new();
    for seed in 1..=3 {
        let arguments = format!(
            "--seats 2 --panel mixbot,card-ranking --vary deal.hand_size=5,9 --vary points.wild=20,80,50 --budget 60000 \
             --seed {seed} --quiet --out run-{seed}"
        );
        let (status, text) = tune(&home, &arguments, &["maximize skill"]);
        let candidates = rows(&home.read(&format!("run-{seed}/candidates.csv")));
        let values = |phase: &str| -> BTreeSet<String> {
            let of_phase = candidates.iter().filter(|row| row["phase"] == phase);
            of_phase.filter_map(|row| row["rules"].split_once("points.wild=")).map(|(_, value)| value.into()).collect()
        };
        assert_eq!((status, values("search").len()), (0, 3), "the key affects some games: {text}");
        assert_eq!(values("certificate"), ["50".to_owned()].into(), "seed {seed}");
    }
}

#[test]
fn without_objectives_the_rule_set_with_fewest_changes_is_recommended() {
    let home = Home::new();
    let arguments =
        "--seats 2 --agents greedy --vary deal.hand_size=5..9 --vary deck.draw_two=0..4 --budget 20000 --out run";
    let (status, text) = tune(&home, arguments, &["turns in 5..200"]);
    assert!(status == 0 && text.contains("the unchanged base"), "{text}");
}

/// Metrics of every kind: of turns, of a model, of matches, quantiles, and of the panel.
#[test]
fn goals_may_name_any_metric() {
    let home = Home::new();
    let arguments = "--variant classic --seats 2 --agents greedy --panel random,greedy --vary deal.hand_size=5..7 --budget 400000 \
                     --seconds-per-turn 5 --out run --quiet";
    let goals = [
        "lead_changes > 0",
        "excitement > 0",
        "match_rounds > 1",
        "turns_q90 < 500",
        "minutes_q50 < 90",
        "skill > -1",
        "good_share(random) > 0",
        "seat_max_difference < 50pp",
        "longer_share(200) < 90%",
        "sting(draw_two) > -1",
        "skill_variance < 1",
        "maximize match_minutes",
    ];
    let (status, text) = tune(&home, arguments, &goals);
    let table = home.read("run/goals.csv");
    assert_eq!(status, 0, "{text}{table}");
    let found = rows(&table);
    assert!(found.iter().all(|row| !row["value"].is_empty() && !row["ci_low"].is_empty()), "{table}");
}
