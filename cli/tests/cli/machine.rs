//! `--json`: one object in one line, of the same form for every command.

use serde_json::Value;

use super::{Home, names_in, rows};

impl Home {
    /// The object that a command prints, which must be its whole output.
    fn json(&self, arguments: &str) -> Value {
        self.json_of(&self.output(&format!("{arguments} --json")), arguments)
    }

    fn json_of(&self, text: &str, arguments: &str) -> Value {
        assert_eq!(text.matches('\n').count(), 1, "{arguments}: {text}");
        let object: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{arguments}: {error}: {text}"));
        let command = arguments.split(' ').next().unwrap();
        let is_league = arguments.contains("--format league");
        assert_eq!(object["command"], if is_league { "league" } else { command });
        assert!(object["unolab"].is_string());
        for table in object["tables"].as_object().unwrap().values() {
            assert!(table.as_array().unwrap().iter().all(Value::is_object), "{arguments}: {table}");
        }
        object
    }
}

/// The rows of a JSON table equal the rows of the CSV file, number by number.
fn assert_same_rows(table: &Value, csv: &str) {
    let (table, csv) = (table.as_array().unwrap(), rows(csv));
    assert!(!csv.is_empty() && table.len() == csv.len());
    for (object, row) in table.iter().zip(&csv) {
        assert_eq!(object.as_object().unwrap().len(), row.len());
        for (column, cell) in row {
            match &object[column] {
                Value::Null => assert!(cell.is_empty(), "{column}: {cell}"),
                Value::String(text) => assert_eq!(text, cell, "{column}"),
                Value::Number(number) => {
                    // The test's reader of JSON may be off in the last digit.
                    let (found, expected) = (number.as_f64().unwrap(), cell.parse::<f64>().unwrap());
                    assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{column}: {found} {expected}");
                }
                other => panic!("{column}: {other}"),
            }
        }
    }
}

#[test]
fn json_output_contains_tables_of_every_command() {
    let home = Home::new();
    let runs = [
        (
            "tournament --agents greedy,random,mixbot --seats 2,3 --sets 20",
            &["summary", "seats", "pairs", "ratings", "distributions"][..],
        ),
        ("match --agents 7=greedy,random --seats 2 --sets 20 --luck", &["summary", "pairs", "luck"]),
        (
            "tournament --format league --agents greedy,random,mixbot,diversity --seats 2 --sets 8",
            &["summary", "league"],
        ),
        (
            "balance --agents greedy --seats 2 --sets 10 --matches 0 --sweep points.wild=20,50",
            &["metrics", "sweep", "points"],
        ),
    ];
    for (number, (arguments, tables)) in runs.into_iter().enumerate() {
        let object = home.json(&format!("{arguments} --out run-{number}"));
        assert_eq!(object["directory"], format!("run-{number}"));
        assert_eq!(object["spec_hash"].as_str().unwrap().len(), 16);
        for table in tables {
            assert_same_rows(&object["tables"][table], &home.read(&format!("run-{number}/{table}.csv")));
        }
        // A finished run prints the same, except the counts that no file holds.
        let mut stored = object.clone();
        stored["tables"].as_object_mut().unwrap().remove("unequal_sets");
        assert_eq!(home.json(&format!("{arguments} --out run-{number} --resume")), stored, "{arguments}");
    }
    assert_eq!(
        home.json("match --agents 7=greedy,random --seats 2 --sets 20 --out again")["tables"]["summary"][0]["entrant"],
        "7"
    );
}

#[test]
fn json_output_of_reading_and_checking_commands_is_valid() {
    let home = Home::new();
    for (name, seed) in [("a", "greedy,random"), ("b", "mixbot,random")] {
        home.output(&format!("match --agents {seed} --seats 2 --sets 30 --out {name} --quiet"));
    }
    let rated = home.json("rate a b");
    assert_eq!(rated["runs"], serde_json::json!(["a", "b"]));
    assert_same_rows(&rated["tables"]["ratings"], &home.output("rate a b --csv"));
    assert_eq!(rated["tables"]["claims"].as_array().unwrap().len(), 2);
    // Runs without games.csv are played again, which is reported on standard error if that is a terminal.
    let (_, compared) = home.failure("compare a b --json", 0);
    let (_, csv) = home.failure("compare a b --csv", 0);
    assert_same_rows(&home.json_of(&compared, "compare")["tables"]["compare"], &csv);

    let checked = home.json("check --agents greedy,random --variant classic --seats 2-3 --rounds 2");
    assert_eq!(checked["passed"], true);
    let rows = checked["tables"]["check"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[1]["entrant"], &rows[0]["seats"]), (2, &"random".into(), &serde_json::json!([2, 3])));
    assert_eq!(rows[0]["rounds"], 4);
}

#[test]
fn sprt_reports_last_look_and_all_looks() {
    let home = Home::new();
    let object = home.json("sprt --agents greedy,random --seats 2 --nelo1 20 --out run");
    let looks = object["tables"]["sprt"].as_array().unwrap();
    assert_eq!((&object["accepted"], &object["llr"]), (&"H1".into(), &looks.last().unwrap()["llr"]));
    assert_same_rows(&object["tables"]["sprt"], &home.read("run/sprt.csv"));
}

#[test]
fn shard_announces_its_directory() {
    let home = Home::new();
    let shard = home.json("match --agents greedy,random --seats 2 --sets 20 --shard 1/2 --out one");
    assert_eq!((&shard["shard"], shard["tables"].as_object().unwrap().len()), (&"1/2".into(), 0));
    home.refuses(
        "match --agents greedy,random --seats 2 --sets 20 --json",
        &[("--dry-run", "--dry-run"), ("--out -", "--json"), ("--power 0.1", "cannot be used with")],
    );
    home.refuses("rate one --json --csv", &[("", "cannot be used with")]);
    assert_eq!(names_in(&home.path("")), ["one"]);
}

#[test]
fn tool_lists_rules_agents_and_records() {
    let home = Home::new();
    home.write("good.toml", "base = \"classic\"\ndeal.hand_size = 5\n");
    home.write(
        "scenarios.toml",
        "[[scenario]]\nname = \"a\"\nvariant = \"classic\"\nseats = 2\nto_act = 0\nhands = [\"r1 b1\", \"g1 g2\"]\n\
         discard = \"r9\"\nsteps = [{ seat = 0, do = \"play r1\" }, { expect = { to_act = 1 } }]\n",
    );
    let rows = |arguments: &str, table: &str| home.json(arguments)["tables"][table].as_array().unwrap().clone();
    assert_eq!(rows("variants list", "variants")[0]["name"], "classic");
    assert_eq!(home.json("variants show good.toml")["rules"]["deal"]["hand_size"], 5);
    let keys = rows("variants keys uno.calls", "keys");
    assert!(keys[0]["key"] == "uno.calls" && keys[0]["words"].as_array().unwrap().len() > 1, "{keys:?}");
    assert_eq!(rows("variants check good.toml", "files")[0]["file"], "good.toml");
    assert_eq!(rows("agents greedy", "agents")[0]["name"], "greedy");
    assert!(rows("agents", "agents").len() > 8);
    assert_eq!(rows("perft --depth 1", "perft")[0]["depth"], 1);
    let divided: u64 = rows("perft --depth 2 --divide", "perft").iter().map(|row| row["paths"].as_u64().unwrap()).sum();
    assert_eq!(rows("perft --depth 2", "perft")[1]["paths"], divided);
    let checked = home.json("scenario scenarios.toml");
    assert_eq!((&checked["passed"], &checked["tables"]["scenarios"][0]["name"]), (&true.into(), &"a".into()));

    home.output("match --agents greedy,random --seats 2 --sets 2 --record games --record-sets 2 --quiet --out run");
    let replayed = rows("replay games", "replay");
    assert!(replayed.len() == 4 && replayed[0]["points"].as_array().unwrap().len() == 2, "{replayed:?}");
    let analyzed = home.json("analyze games/game-0.jsonl --worlds 2 --out judged");
    assert_same_rows(&analyzed["tables"]["decisions"], &home.read("judged/decisions.csv"));
    assert_same_rows(&analyzed["tables"]["quality"], &home.read("judged/quality.csv"));
    let verified = home.json("verify run");
    assert!(verified["passed"] == true && verified["tables"]["verify"][0]["same"] == true, "{verified}");
    home.write("run/pairs.csv", "other\n");
    let (_, differs) = home.failure("verify run --json", 1);
    assert_eq!(home.json_of(&differs, "verify")["passed"], false);
    for shard in [1, 2] {
        home.output(&format!(
            "match --agents greedy,random --seats 2 --sets 20 --shard {shard}/2 --quiet --out {shard}"
        ));
    }
    let asked = home.json_of(&home.output("debug games/game-0.jsonl --seat 0 --json -- greedy"), "debug");
    let decisions = asked["tables"]["decisions"].as_array().unwrap();
    assert_eq!((&asked["passed"], &asked["name"]), (&true.into(), &"greedy".into()));
    assert!(decisions.iter().all(|row| row["same"] == true && row["answer"] == row["recorded"]), "{decisions:?}");
    let merged = home.json("merge 1 2 --out whole");
    assert_same_rows(&merged["tables"]["summary"], &home.read("whole/summary.csv"));
    let (ladder, _) = home.failure("ladder --agents greedy,random --sets 5 --json", 0);
    assert!(ladder.contains("1 pair played now"), "{ladder}");
    let (_, told) = home.failure("ladder --agents greedy,random --sets 5 --json", 0);
    assert_eq!(home.json_of(&told, "ladder")["tables"]["ratings"].as_array().unwrap().len() % 2, 0);
}
