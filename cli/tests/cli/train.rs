//! `unolab train`.

use std::fs;

use super::{Home, names_in, rows};

const TINY: &str =
    "train --variant classic,disney --seats 2,3 --pretrain 30 --rounds 2 --choices 15 --test-games 60 --quiet";

fn bytes(home: &Home, directory: &str) -> Vec<(String, Vec<u8>)> {
    let names = names_in(&home.path(directory)).into_iter().filter(|name| name != "run.json");
    names.map(|name| (name.clone(), fs::read(home.path(directory).join(name)).expect("a file"))).collect()
}

/// A net plays only where it was trained.
#[test]
fn missing_custom_weights_are_reported() {
    let home = Home::new();
    home.output("train --seats 2 --pretrain 1 --rounds 0 --test-games 2 --out mine --quiet");
    let told = |seats| {
        let command = "match --agents net:weights=mine/weights.net,greedy --sets 2";
        home.failure(&format!("{command} --out at-{seats} --seats {seats}"), 0).0
    };
    let message = told("2");
    assert!(!message.contains("warning"), "{message}");
    let message = told("2,4");
    assert!(message.contains("warning: mine/weights.net was not trained for classic at 4 seats"), "{message}");
}

#[test]
fn training_files_are_independent_of_threads_and_kills() {
    let home = Home::new();
    home.output(&format!("{TINY} --threads 1 --out one"));
    home.output(&format!("{TINY} --threads 2 --out two"));
    let one = bytes(&home, "one");
    assert!(one == bytes(&home, "two"));
    let names: Vec<&str> = one.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["README.md", "curve.csv", "curve.svg", "weights.csv", "weights.net"]);
    assert!(home.kill_after(2, &format!("{TINY} --threads 2"), "killed"));
    home.output(&format!("{TINY} --resume --out killed"));
    assert!(one == bytes(&home, "killed"));
    home.output(&format!("{TINY} --resume --out killed"));

    // It is identified by its content, plays, and can be trained further.
    let weights = &rows(&home.read("one/weights.csv"))[0];
    assert_eq!((&*weights["cards"], &*weights["seats_min"], &*weights["seats_max"]), ("special", "2", "3"));
    home.output("match --agents net:weights=one/weights.net,random --seats 2 --sets 20 --out match --quiet");
    assert!(home.read("match/run.json").contains(&*weights["sha256"]));
    home.output(
        "train --seats 2 --from one/weights.net --pretrain 0 --rounds 1 --choices 10 --test-games 20 --quiet --out on",
    );
    assert_eq!(rows(&home.read("on/curve.csv"))[0]["stage"], "1");

    // Nets are averaged without further training.
    let mean = "train --seats 2,3 --from one/weights.net --from two/weights.net --pretrain 0 --rounds 0 --quiet";
    home.output(&format!("{mean} --out mean"));
    assert_eq!(rows(&home.read("mean/weights.csv"))[0]["choices"], "0");
    home.output("match --agents net:weights=mean/weights.net,random --seats 2 --sets 20 --out with-mean --quiet");
    home.refuses(
        mean,
        &[
            ("--from one/weights.net", "--from: no net is as wide as these nets together: not the widths"),
            ("--from net", "--from net: "),
        ],
    );

    assert!(home.output("verify one").contains("no difference in 3 files"));
}

#[test]
fn exploiter_trains_against_one_agent_and_is_unrated() {
    let home = Home::new();
    let tiny = "--seats 2 --from net --pretrain 0 --rounds 2 --choices 10 --test-games 40 --quiet";
    home.output(&format!("train --exploit mixbot {tiny} --out made"));
    let curve = rows(&home.read("made/curve.csv"));
    assert!(curve.iter().all(|row| row["against_champion"].is_empty()), "it meets no other opponent");
    assert!(home.output("verify made").contains("no difference in 3 files"));
    for (out, exploiter) in
        [("net", "exploiter:of=mixbot,weights=made/weights.net"), ("search", "exploiter:of=net,iterations=1")]
    {
        let rated = format!("tournament --agents {exploiter} --agents mixbot,random --seats 2 --sets 2");
        home.output(&format!("{rated} --out {out} --quiet"));
        let ratings = rows(&home.read(&format!("{out}/ratings.csv")));
        let rated: Vec<&str> = ratings.iter().map(|row| &*row["entrant"]).collect();
        assert!(rated.contains(&"mixbot") && !rated.iter().any(|name| name.starts_with("exploiter")), "{rated:?}");
    }
    let sha256 = &rows(&home.read("made/weights.csv"))[0]["sha256"];
    assert!(home.read("net/run.json").contains(&**sha256));
    home.refuses(
        "tournament --sets 2 --seats 2",
        &[
            ("--agents exploiter:of=ismcts,random", "any agent with weights"),
            ("--agents exploiter:weights=made/weights.net,iterations=5,random", "none with weights"),
        ],
    );
}

/// The behavior of a finished tournament.
#[test]
fn repeated_training_replaces_finished_run_of_same_files() {
    let home = Home::new();
    let run = "train --seats 2 --pretrain 4 --rounds 1 --choices 2 --test-games 8 --quiet --out run";
    home.output(run);
    let whole = bytes(&home, "run");
    home.output(run);
    assert!(whole == bytes(&home, "run"));
    for (file, _) in &whole {
        fs::remove_file(home.path("run").join(file)).unwrap();
        let (message, _) = home.failure(&format!("{run} --resume"), 2);
        assert!(message.contains(&format!("holds a finished run, but its file {file} is gone")), "{message}");
        home.output(run);
        assert!(whole == bytes(&home, "run"), "{file}");
    }
    let changed = |file: &str| {
        let path = home.path("run").join(file);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(path, bytes).unwrap();
    };
    for file in ["curve.csv", "weights.csv", "weights.net"] {
        changed(file);
        let (message, _) = home.failure(&format!("{run} --resume"), 2);
        assert!(message.contains(&format!("its file {file} was changed after the run")), "{message}");
        let (_, told) = home.failure("verify run", 1);
        assert!(told.contains(&format!("run/{file}: differs")) && told.contains("in 1 of 3 files"), "{told}");
        home.output(run);
    }
    // From before its weights had a digest.
    let mut old: serde_json::Value = serde_json::from_str(&home.read("run/run.json")).unwrap();
    old["digests"].as_object_mut().unwrap().remove("weights.net").unwrap();
    home.write("run/run.json", &old.to_string());
    home.output(&format!("{run} --resume"));
    home.output(run);
    assert!(whole == bytes(&home, "run"));
}

#[test]
fn sealed_training_is_rejected() {
    let home = Home::new();
    home.refuses(
        "train --seats 2 --pretrain 1 --rounds 0 --test-games 2",
        &[
            ("--sealed", "--sealed: a training run cannot be sealed"),
            ("--key-file key", "--key-file: a training run cannot be sealed"),
            ("--sealed --key-file key", "--sealed: a training run cannot be sealed"),
        ],
    );
    assert!(home.names().is_empty());
    assert!(!home.output("train --help").contains("seal"));
}

#[test]
fn invalid_training_request_is_rejected() {
    let home = Home::new();
    home.write("notes.txt", "no weights");
    home.refuses(
        "train",
        &[
            ("--from nothing.net", "--from nothing.net"),
            ("--from notes.txt", "UNOLABN1"),
            ("--pretrain 0", "needs --from"),
            ("--seats 2,4 --from net", "no net in common"),
            ("--exploit mixbot --opponents random", "cannot be used with"),
            ("--from /dev/zero", "UNOLABN1"),
            ("--opponents stranger", "--opponents: agent `stranger`"),
            ("--exploit stranger", "--exploit: agent `stranger`"),
            ("--opponents clairvoyant", "--opponents: agent `clairvoyant`: sees all hands"),
            ("--variant handheld --seats 7", "none of the variants"),
            ("--variant classic --set match.teams=fixed --seats 4", "without partners"),
            ("--seats 2,2", "twice"),
            ("--shard 1/2", "no shards"),
        ],
    );
    assert_eq!(home.names(), ["notes.txt"]);
}
