//! Sealed contests, and the information of programs: spies fail, and no key is left in a file.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use super::{Home, rows};

/// Plays its first action, and records its seeds.
const LISTENER: &str = r#"
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo '{"protocol":1}';;
        *'"type":"new_game"'*) echo "$line" >> "$1";;
        *'"type":"decide"'*) n=${line#*'"decision":'}; echo "{\"decision\":${n%%,*},\"action\":0}";;
    esac
done
"#;

const PLAY: &str = "match --agents greedy,random --seats 2 --sets 20 --games-csv --quiet";

/// The tables of this run, and its record.
fn tables(home: &Home, directory: &str) -> (String, serde_json::Value) {
    let run = serde_json::from_str(&home.read(&format!("{directory}/run.json"))).unwrap();
    (home.read(&format!("{directory}/summary.csv")) + &home.read(&format!("{directory}/games.csv")), run)
}

#[test]
fn sealed_run_repeats_only_with_its_key() {
    let home = Home::new();
    for out in ["one", "two"] {
        home.output(&format!("{PLAY} --sealed --out {out}"));
    }
    home.output(&format!("{PLAY} --out open"));
    let ((one, run), (two, _), (open, of_open)) = (tables(&home, "one"), tables(&home, "two"), tables(&home, "open"));
    assert!(one != two && one != open);
    assert_eq!((of_open.get("seal_key"), of_open["spec"].get("seal"), of_open.get("sandbox")), (None, None, None));
    // The `run.json` of the finished run is enough to repeat it.
    assert!(home.output("verify one").contains("same"));
    let key = run["seal_key"].as_str().unwrap();
    assert_eq!(key.len(), 32);
    home.write("key", &format!("{key}\n"));
    home.refuses(PLAY, &[("--key-file key", "key: it must belong to you and be readable only by you (chmod 600)")]);
    make_private(&home, "key");
    home.output(&format!("{PLAY} --key-file key --out again"));
    assert_eq!(tables(&home, "again").0, one);
    // A different key makes a different run.
    home.output(&format!("{PLAY} --sealed --key-file other --out elsewhere"));
    home.refuses(PLAY, &[("--key-file other --resume --out again", "of another spec")]);
}

fn make_private(home: &Home, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(home.path(name), fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn every_sealable_run_is_resumed_and_merged() {
    let home = Home::new();
    for (kind, command) in [
        ("tournament", "tournament --agents greedy,random,mixbot --seats 2,3 --sets 6"),
        ("league", "tournament --format league --agents greedy,random,mixbot --seats 2 --sets 24"),
        ("sprt", "sprt --agents greedy,random --nelo1 40"),
        ("balance", "balance --seats 2 --sets 20 --matches 0 --agents random --strong greedy"),
    ] {
        for out in ["a", "b"] {
            let begun = home.unolab(&format!("{command} --sealed --key-file key --quiet --out {kind}-{out}")).output();
            assert!(matches!(begun.unwrap().status.code(), Some(0 | 1)), "{command}");
        }
        let run = |out: &str| -> serde_json::Value {
            serde_json::from_str(&home.read(&format!("{kind}-{out}/run.json"))).unwrap()
        };
        assert_eq!(run("a")["result_hash"], run("b")["result_hash"], "{kind}");
        assert_eq!(run("a")["seal_key"], home.read("key").trim(), "{kind}");
        assert!(home.output(&format!("verify {kind}-a")).contains("same"), "{kind}");
    }
    // Shards do not contain the key, and are merged with it.
    for shard in ["1/2", "2/2"] {
        let out = shard.replace('/', "-");
        home.output(&format!("{PLAY} --key-file key --shard {shard} --out part-{out}"));
        assert!(!home.read(&format!("part-{out}/shard.json")).contains(home.read("key").trim()));
    }
    home.refuses("merge part-1-2 part-2-2 --out whole", &[("", "sealed run: add --key-file")]);
    home.output("merge part-1-2 part-2-2 --out whole --key-file key --quiet");
    home.output(&format!("{PLAY} --key-file key --out at-once"));
    assert_eq!(tables(&home, "whole").0, tables(&home, "at-once").0);
    assert_eq!(tables(&home, "whole").1["seal_key"], home.read("key").trim());
}

#[test]
fn unsealable_run_is_rejected_before_play() {
    let home = Home::new();
    home.write("text", "secret");
    make_private(&home, "text");
    fs::create_dir(home.path("directory")).unwrap();
    home.refuses(
        PLAY,
        &[
            ("--sealed --resume", "--resume: a sealed run needs its own key: add --key-file"),
            ("--sealed --shard 1/2", "--shard: all shards of a sealed run need one key: add --key-file"),
            ("--key-file nowhere", "--key-file nowhere: file not found; --sealed creates it"),
            ("--key-file text", "it must hold one line: a key is 32 hexadecimal digits"),
            ("--key-file directory --sealed", "--key-file directory: it is not a file"),
            ("--sandbox never", "require, auto, off"),
            ("--allow-read text", "are for programs in a sandbox: add --sandbox auto or require"),
            ("--sandbox auto --allow-network bob", "--allow-network bob: unknown entrant; entrants: greedy, random"),
        ],
    );
    assert_eq!(home.names(), ["directory", "text"]);
}

/// The seeds that a program receives in a run.
fn told(home: &Home, out: &str, arguments: &str) -> Vec<String> {
    home.write("bot", LISTENER);
    let agent = format!("cmd:\"sh {} {}\",decision_ms=20000", home.path("bot").display(), home.path("told").display());
    let command = format!("match --seats 2 --sets 6 --threads 1 --sandbox off --quiet --out {out} {arguments}");
    let _ = fs::remove_file(home.path("told"));
    home.unolab(&command).args(["--agents", &agent, "--agents", "greedy"]).assert().success();
    let seed = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{} {}", message["seat"], message["seed"])
    };
    home.read("told").lines().map(seed).collect()
}

#[test]
fn program_seed_does_not_reveal_deal() {
    use unolab::rng::{Purpose, Rng};
    use unolab::seat::Seat;
    let home = Home::new();
    let first = told(&home, "a", "");
    assert_eq!(first.len(), 12);
    assert_eq!(told(&home, "b", ""), first, "a repetition sends the same");
    let streams: BTreeMap<String, (u64, u64)> = (0..60)
        .flat_map(|master| (0..60).map(move |set| (master, set)))
        .flat_map(|(master, set)| {
            Seat::first(2).map(move |seat| {
                let bits = Rng::keyed(master, set, Purpose::Agent(seat)).bits();
                (format!("{} {bits}", seat.index()), (master, set))
            })
        })
        .collect();
    for seed in &first {
        assert_eq!(streams.get(seed), None, "{seed}");
    }
    let sealed = told(&home, "c", "--sealed --key-file key");
    assert_eq!(told(&home, "d", "--key-file key"), sealed);
    assert!(sealed.iter().all(|seed| !first.contains(seed) && !streams.contains_key(seed)));
}

#[test]
fn open_descriptors_and_environment_are_not_inherited() {
    let home = Home::new();
    // At its greeting it lists its open files.
    home.write(
        "bot",
        "ls /proc/self/fd > fds; env > env; read -r line; echo '{\"protocol\":1}'
        while read -r line; do case $line in *decide*) n=${line#*'\"decision\":'}; echo \"{\\\"decision\\\":${n%%,*},\\\"action\\\":0}\";; esac; done",
    );
    home.write("secret", "x");
    let unolab = assert_cmd::cargo::cargo_bin!("unolab").display().to_string();
    let script = format!(
        "exec 7<secret 9<secret; exec {unolab} match --agents 'cmd:\"sh bot\",decision_ms=20000' --agents greedy --seats 2 --sets 1 \
         --quiet --out run"
    );
    let status = Command::new("sh").args(["-c", &script]).current_dir(home.path(".")).env("MY_SECRET", "x").status();
    assert!(status.unwrap().success());
    // Its three pipes, and the directory that `ls` itself reads.
    assert_eq!(home.read("fds").split_whitespace().collect::<Vec<_>>(), ["0", "1", "2", "3"]);
    let env = home.read("env");
    assert!(env.contains("PATH=") && !env.contains("MY_SECRET"), "{env}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_unreadable_while_programs_play() {
    let home = Home::new();
    // A process whose memory may be read owns its entries in `/proc`; the entries of other processes belong to user 0.
    // So only a user with another number can see the difference; the limits of core dumps show it for all.
    home.write(
        "bot",
        "read -r line; echo '{\"protocol\":1}'
        while read -r line; do case $line in *decide*) stat -c %u /proc/$PPID/mem >> owner; n=${line#*'\"decision\":'}; echo \"{\\\"decision\\\":${n%%,*},\\\"action\\\":0}\";; esac; done",
    );
    let arguments = ["--agents", "cmd:\"sh bot\",decision_ms=20000", "--agents", "greedy"];
    home.unolab("match --seats 2 --sets 1 --quiet --out run").args(arguments).assert().success();
    assert!(home.read("owner").lines().all(|owner| owner == "0"), "{}", home.read("owner"));
    assert_eq!(rows(&home.read("run/summary.csv"))[0]["crashes"], "0");
}
