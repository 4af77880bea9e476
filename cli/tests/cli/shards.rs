//! Runs in parts, and their parts merged.

use super::{Home, names_in};

const RUN: &str = "tournament --sets 50 --seats 2,3 --games-csv --quiet";

fn parts(home: &Home, of: u64) -> Vec<String> {
    let directory = |number| format!("part-{number}-of-{of}");
    (1..=of)
        .map(|number| {
            home.output(&format!("{RUN} --shard {number}/{of} --out {}", directory(number)));
            directory(number)
        })
        .collect()
}

#[test]
fn merged_shards_have_bytes_of_whole_run() {
    let home = Home::new();
    home.output(&format!("{RUN} --out whole"));
    // 60 parts: some of them are empty.
    for of in [1, 3, 60] {
        let mut parts = parts(&home, of);
        if of == 1 {
            assert!(home.path(&parts[0]).join("run.json").exists(), "1/1 is the whole run");
            continue;
        }
        assert_eq!(names_in(&home.path(&parts[0])), ["games.csv", "shard.json", "time.json"]);
        parts.reverse();
        home.output(&format!("merge {} --out joined-{of} --quiet", parts.join(" ")));
        let joined = names_in(&home.path(&format!("joined-{of}")));
        assert_eq!(joined, names_in(&home.path("whole")));
        for table in joined.iter().filter(|name| *name != "run.json") {
            assert_eq!(home.read(&format!("joined-{of}/{table}")), home.read(&format!("whole/{table}")), "{table}");
        }
    }
}

#[test]
fn shards_of_different_runs_are_rejected_by_name() {
    let home = Home::new();
    let thirds = parts(&home, 3);
    let halves = parts(&home, 2);
    home.output(&format!("{RUN} --out whole"));
    home.output(&format!("{RUN} --seed 2 --shard 3/3 --out other-seed"));
    home.output(&format!("{} --shard 3/3 --out without-games", RUN.replace("--games-csv ", "")));
    std::fs::create_dir(home.path("unfinished")).unwrap();
    home.write("unfinished/checkpoint.json", "{}");
    for (parts, reason) in [
        (vec![&*thirds[0], &thirds[2]], "shard 2/3 is missing"),
        (vec![&thirds[1], &thirds[2]], "shard 1/3 is missing"),
        (vec![&thirds[0], &thirds[1]], "shard 3/3 is missing"),
        (vec![&*thirds[1]], "shards 1/3, 3/3 are missing"),
        (vec![&halves[0], &thirds[2]], "sets 25 to 32 are missing: no shard has them"),
        (vec![&thirds[0], &thirds[1], &thirds[2], &thirds[1]], "sets 16 to 32 are in both part-2-of-3 and part-2-of-3"),
        (vec![&halves[0], &thirds[1], &thirds[2]], "sets 16 to 24 are in both part-1-of-2 and part-2-of-3"),
        (vec![&thirds[0], &thirds[1], "other-seed"], "other-seed: is a shard of another spec"),
        (vec![&thirds[0], &thirds[1], "without-games"], "without-games: is a shard without --games-csv"),
        (vec![&thirds[0], "unfinished"], "unfinished: is unfinished; finish it with --resume first"),
        (vec![&thirds[0], "whole"], "whole: holds a whole run"),
        (vec![&thirds[0], "nowhere"], "nowhere/shard.json: is not a shard, as --shard writes it: No such file"),
    ] {
        let (message, _) = home.failure(&format!("merge {} --out joined", parts.join(" ")), 2);
        assert!(message.contains(reason), "{parts:?}: {message}");
        assert!(!home.path("joined").exists(), "{parts:?}");
    }
    // Every change in a part is detected.
    let part = home.read("part-3-of-3/shard.json");
    let numbers = part.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at);
    for at in numbers.step_by(97) {
        let digit = if &part[at..=at] == "7" { "8" } else { "7" };
        home.write("part-3-of-3/shard.json", &format!("{}{digit}{}", &part[..at], &part[at + 1..]));
        let (message, _) = home.failure(&format!("merge {} --out joined", thirds.join(" ")), 2);
        assert!(message.contains("part-3-of-3/shard.json: it has been changed"), "{message}");
    }
    home.write("part-3-of-3/shard.json", &part);
    let rows = home.read("part-3-of-3/games.csv");
    home.write("part-3-of-3/games.csv", &rows.replacen("classic", "Classic", 1));
    let (message, _) = home.failure(&format!("merge {} --out joined", thirds.join(" ")), 2);
    assert!(message.contains("part-3-of-3/games.csv: its rows have been changed"), "{message}");
    home.write("part-3-of-3/games.csv", &rows[..rows.len() - 5]);
    let (message, _) = home.failure(&format!("merge {} --out joined", thirds.join(" ")), 2);
    assert!(message.contains("part-3-of-3/games.csv: is shorter"), "{message}");
    let (message, _) = home.failure(&format!("merge {} --out {}", halves.join(" "), halves[0]), 2);
    assert!(message.contains("--shard 1/2, not 1/1"), "{message}");
}

#[test]
fn shard_default_directory_is_distinct() {
    let home = Home::new();
    home.output(&format!("{RUN} --shard 2/3"));
    let names = names_in(&home.path("runs"));
    assert!(names.len() == 1 && names[0].ends_with("-shard-2-of-3"), "{names:?}");
    home.output(&format!("{RUN} --shard 2/3"));
    home.output(&format!("{RUN} --shard 2/3 --resume"));
    assert_eq!(names_in(&home.path("runs")), names);
}

/// The time that a shard takes is in a separate file.
#[test]
fn resumed_shard_has_bytes_of_uninterrupted_shard() {
    let home = Home::new();
    let shard = "tournament --sets 4000 --seats 2,3 --quiet --shard";
    home.output(&format!("{shard} 1/2 --out whole"));
    home.kill_on_its_way(&format!("{shard} 1/2"), "resumed");
    home.output(&format!("{shard} 1/2 --out resumed --resume"));
    assert_eq!(home.read("resumed/shard.json"), home.read("whole/shard.json"));
    home.output(&format!("{shard} 2/2 --out rest"));
    home.output("merge resumed rest --out joined --quiet");
    let run: serde_json::Value = serde_json::from_str(&home.read("joined/run.json")).unwrap();
    assert!(run["seconds"].as_f64().unwrap() > 0.0, "{run}");
}

/// Anyone who forges a shard can write its digest, too; then its counts must still be possible.
#[test]
fn shard_with_impossible_counts_is_rejected() {
    let home = Home::new();
    let run = "match --agents greedy,random,heuristic --seats 3 --sets 40 --quiet";
    for part in 1..=2 {
        home.output(&format!("{run} --shard {part}/2 --out part-{part}"));
    }
    let whole = home.read("part-1/shard.json");
    let tally = "/counts/sections/0/tally";
    let mut merged = Vec::new();
    for path in [
        "by_entrant/0/by_order_of_play/0/wins/sets",
        "by_entrant/0/by_order_of_play/1/wins/games_squared",
        "by_entrant/1/results/wins/by_sets/totals_squared",
        "by_entrant/1/results/wins/squares",
        "by_entrant/1/results/points/by_sets/totals_squared",
        "by_entrant/2/turns",
        "by_entrant/2/decisions",
        "by_entrant/0/rounds",
        "by_entrant/0/unfinished",
        "by_entrant/0/faults/crashes",
        "by_pair/0/won/sets",
        "by_pair/1/won/games_times_totals",
        "by_pair/2/sets",
        "groups/3/wins/1",
        "sizes/turns/counts/20",
        "sizes/winner_points/counts/9",
    ] {
        for change in [|_| u64::MAX, |number: u64| number ^ 1 << 32, |number: u64| number + 1] {
            let mut shard: serde_json::Value = serde_json::from_str(&whole).unwrap();
            shard.as_object_mut().unwrap().remove("digest").unwrap();
            let number = shard.pointer_mut(&format!("{tally}/{path}")).unwrap_or_else(|| panic!("{path}"));
            *number = change(number.as_u64().unwrap()).into();
            home.write("part-1/shard.json", &sealed(&shard.to_string()));
            let output = home.unolab("merge part-1 part-2 --out joined --quiet").output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            if output.status.code() != Some(2) || !message.contains("its counts do not belong to its spec") {
                merged.push(format!("{path}: {message}"));
            }
        }
    }
    assert!(merged.is_empty(), "{merged:#?}");
    // Nothing else was wrong with it.
    home.write("part-1/shard.json", &whole);
    home.output("merge part-1 part-2 --out joined --quiet");
}

/// An object with its digest as the last key.
fn sealed(object: &str) -> String {
    use sha2::Digest as _;

    let content = object.strip_suffix('}').unwrap();
    let digest: String = sha2::Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{content},\"digest\":\"{digest}\"}}\n")
}
