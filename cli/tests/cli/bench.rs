//! `unolab bench` and `unolab perft`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Home;

#[test]
fn bench_json_has_documented_keys() {
    let home = Home::new();
    let output = home.output("bench --quick --json --variant handheld");
    let json: Value = serde_json::from_str(&output).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(keys(&json), set(&["unolab", "command", "tables"]));
    let results = json["tables"]["bench"].as_array().unwrap();
    let rounds =
        set(&["variant", "agent", "seats", "threads", "rounds_per_s", "turns_per_s", "ns_per_turn", "low", "high"]);
    let rollouts = set(&["variant", "agent", "seats", "threads", "rollouts_per_s", "low", "high"]);
    assert!(results.iter().all(|row| keys(row) == rounds || keys(row) == rollouts), "{output}");
    let measured = |agent: &str, seats: u64, threads: u64| {
        results.iter().filter(|row| row["agent"] == agent && row["seats"] == seats && row["threads"] == threads).count()
    };
    assert_eq!((measured("random", 2, 1), measured("random", 4, 1)), (2, 2), "rounds and rollouts");
    for row in results.iter().filter(|row| row["turns_per_s"].is_number()) {
        let [rounds, turns, ns] = ["rounds_per_s", "turns_per_s", "ns_per_turn"].map(|key| row[key].as_f64().unwrap());
        assert!((ns * turns / 1e9 - 1.0).abs() < 1e-3 && (15.0..200.0).contains(&(turns / rounds)), "{row}");
    }
    for agent in ["greedy", "mixbot", "heuristic"] {
        assert_eq!((measured(agent, 2, 1), measured(agent, 4, 1), measured(agent, 10, 1)), (1, 1, 0), "{agent}");
    }
}

#[test]
fn any_agents_are_measured() {
    let home = Home::new();
    let output = home.output("bench --quick --json --variant handheld --agents first-legal,ismcts:iterations=10");
    let json: Value = serde_json::from_str(&output).unwrap();
    let results = json["tables"]["bench"].as_array().unwrap();
    let measured: BTreeSet<&str> = results.iter().map(|row| row["agent"].as_str().unwrap()).collect();
    assert_eq!(measured, ["first-legal", "ismcts:iterations=10"].into());
    for row in results {
        let [low, rate, high] = ["low", "rounds_per_s", "high"].map(|key| row[key].as_f64().unwrap());
        assert!(0.0 < low && low <= rate && rate <= high, "{row}");
    }
    assert!(home.failure("bench --agents stranger", 2).0.contains("stranger"));
}

#[test]
fn bench_prints_table() {
    let output = Home::new().output("bench --quick --variant handheld");
    assert!(output.lines().next().unwrap().contains("rounds/s"), "{output}");
}

#[test]
fn perft_counts_and_divides() {
    let home = Home::new();
    let counted = home.output("perft --depth 2");
    let divided = home.output("perft --depth 2 --divide");
    let last = |line: &str| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
    let by_first_action: u64 = divided.lines().map(last).sum();
    assert_eq!(counted.lines().map(last).next_back(), Some(by_first_action));
}

/// The position of `engine/tests/perft/classic.perft` whose numbers the naive model gave.
#[test]
fn perft_accepts_position() {
    let home = Home::new();
    let position = "[[scenario]]\nname = \"x\"\nvariant = \"classic\"\nseats = 3\ndealer = 0\ndraw_exact = true\nsteps = []\n\
        hands = [\"r1 g2 bS\", \"r5 yR\", \"b5 b7 rD\"]\ndiscard = \"r9\"\ndraw = \"y1 y1 g4 b3\"\n";
    home.write("position.toml", position);
    let expected = "perft 1 4\nperft 2 30\nperft 3 69\nperft 4 124\nperft 5 353\n";
    assert_eq!(home.output("perft --position position.toml --depth 5"), expected);
}
