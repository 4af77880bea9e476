//! Programs that only a file names are not started, and the contents of files are checked.

use std::fs;

use serde_json::{Value, json};
use unolab::arena::run::manifest::Run;
use unolab::arena::spec::Spec;

use super::programs::{HEALTHY, SCRIPT, agent, home, unolab};
use super::{Home, rows};

/// Plays a different game each time, because it counts its games.
const FICKLE: &str = r#"count=$(cat COUNT 2>/dev/null || echo 0); echo $((count + 1)) > COUNT
    echo "{\"decision\":$n,\"action\":$((count % 2))}""#;

/// Plays a match of a program.
fn play(home: &Home, arguments: &str, program: &str) -> String {
    let agents = [agent(home, program, ",decision_ms=20000") + ",greedy"];
    let output = unolab(home, &format!("match --seats 2 --quiet {arguments}"), &agents).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{message}");
    message
}

/// A home with a fickle program.
fn fickle() -> Home {
    let home = home(&[]);
    let fickle = FICKLE.replace("COUNT", &home.path("count").display().to_string());
    home.write("fickle", &SCRIPT.replace("DO", &fickle));
    home
}

#[test]
fn compare_replays_no_changed_program() {
    let home = home(&[("bot", HEALTHY)]);
    play(&home, "--sets 6 --out old", "bot");
    play(&home, "--sets 6 --out same --games-csv", "bot");
    let compared = home.unolab("compare old same --csv --trust-bots --quiet").output().unwrap();
    assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stderr));
    let compared = home.unolab("compare old same --csv --trust-bots").output().unwrap();
    let compared = String::from_utf8(compared.stdout).unwrap();
    assert!(rows(&compared).iter().all(|row| row["difference"] == "0.0"), "{compared}");

    home.write("bot", &SCRIPT.replace("DO", "exit 3"));
    play(&home, "--sets 6 --out new --games-csv", "bot");
    let (message, output) = home.failure("compare old new --trust-bots", 2);
    let bot = home.path("bot").display().to_string();
    for part in ["old/run.json: changed since the run: ", &bot, "(SHA-256 ", ", was ", "--allow-changed-bots"] {
        assert!(message.contains(part) && output.is_empty(), "{message}{output}");
    }
    let (message, output) = home.failure("compare old new --trust-bots --allow-changed-bots", 2);
    assert!(message.contains("the replay has the result hash ") && output.is_empty(), "{message}{output}");
    // Stored games are compared without a replay.
    let compared = rows(&home.output("compare same new --csv"));
    assert!(compared.iter().any(|row| row["measure"] == "win_share" && row["difference"] != "0.0"), "{compared:?}");
}

#[test]
fn compare_notices_program_that_does_not_repeat_itself() {
    let home = fickle();
    play(&home, "--sets 4 --out one", "fickle");
    let (message, output) = home.failure("compare one one --trust-bots", 2);
    let told = message.contains("the replay has the result hash ") && message.contains("does not repeat its choices");
    assert!(told && output.is_empty(), "{message}{output}");
}

#[test]
fn replaced_run_with_other_result_is_reported() {
    let home = fickle();
    assert_eq!(play(&home, "--sets 4 --out run", "fickle"), "");
    let message = play(&home, "--sets 4 --out run", "fickle");
    assert!(message.contains("the run there is replaced, but the replay has the result hash "), "{message}");
}

#[test]
fn programs_of_received_files_start_only_if_trusted() {
    let home = home(&[]);
    let started = home.path("started");
    home.write("bot", &format!("touch {}\n{}", started.display(), SCRIPT.replace("DO", HEALTHY)));
    play(&home, "--sets 2 --out run", "bot");
    play(&home, "--sets 2 --out other --games-csv", "bot");
    for part in 1..=2 {
        play(&home, &format!("--sets 2 --shard {part}/2 --out part-{part}"), "bot");
    }
    let step = "match --agents greedy,cmd:./bot --seats 2 --sets 2";
    fs::create_dir(home.path("study")).unwrap();
    home.write("study/study.toml", &format!("[[step]]\nout = \"duel\"\ncommand = \"{step}\"\n"));
    fs::remove_file(&started).unwrap();
    for command in ["verify run", "verify study", "verify study --update", "verify study --quick", "compare run other"]
    {
        let (message, _) = home.failure(command, 2);
        let told = message.contains("` names a program, ") && message.contains("add --trust-bots");
        assert!(told && message.contains("/bot"), "{command}: {message}");
        assert!(!started.exists(), "{command}");
    }
    for command in ["rate run", "report run", "merge part-1 part-2 --out joined --quiet", "rate joined"] {
        home.output(command);
        assert!(!started.exists(), "{command}");
    }
    home.output("verify run --trust-bots");
    assert!(started.exists());
}

#[test]
fn verify_accepts_changed_program_only_with_option() {
    let home = home(&[("bot", HEALTHY)]);
    play(&home, "--sets 2 --out run", "bot");
    home.output("verify run --trust-bots");
    home.write("bot", &(home.read("bot") + "# another version\n"));
    let (message, _) = home.failure("verify run --trust-bots", 2);
    assert!(message.contains("run.json: changed since the run: "), "{message}");
    let verified = home.unolab("verify run --trust-bots --allow-changed-bots").output().unwrap();
    let message = String::from_utf8(verified.stderr).unwrap();
    let told = message.contains("warning: run/run.json: changed since the run: ");
    assert!(verified.status.success() && told, "{message}");
}

#[test]
fn changed_run_file_is_rejected() {
    let home = Home::new();
    let run = "match --agents greedy,random --seats 2 --sets 40 --quiet --out run";
    home.output(run);
    let text = home.read("run/run.json");
    let resumed = format!("{run} --resume");
    let commands = ["report run", "rate run", "compare run run", "status run", &resumed];
    for (old, new) in [
        ("\"threads\": ", "\"threads\": 1"),
        ("\"generator\": \"", "\"generator\": \"x"),
        ("\"seconds\": ", "\"seconds\": 1"),
    ] {
        home.write("run/run.json", &text.replacen(old, new, 1));
        for command in commands {
            let (message, _) = home.failure(command, 2);
            let told = message.contains("run.json") && message.contains("was changed after the run");
            assert!(told, "{command}: {message}");
        }
    }
    // A forged digest can be right; the tables still have as many sets as were played.
    let run: Run = serde_json::from_str(&text).unwrap();
    let spec = Spec { sets: 4_000_000, ..run.spec.clone() };
    let forged = Run { spec_hash: spec.hash().to_string(), spec, ..run.clone() };
    home.write("run/run.json", &forged.to_json());
    for command in ["report run", "rate run"] {
        let (message, _) = home.failure(command, 2);
        assert!(message.contains("column sets: \"40\" is not allowed; allowed: 4000000"), "{command}: {message}");
    }
    let unknown = json!({ "command": "duel", "sets": 4_000_000 });
    home.write("run/run.json", &Run { spec: unknown, ..run_with_any_spec(&text) }.to_json());
    for command in &commands[..4] {
        let (message, output) = home.failure(command, 2);
        assert!(message.contains("run.json") && output.is_empty(), "{command}: {message}");
    }
    let forged = Run { result_hash: "0123456789abcdef".into(), ..run };
    home.write("run/run.json", &forged.to_json());
    for command in commands {
        let (message, _) = home.failure(command, 2);
        assert!(message.contains("its result_hash is 0123456789abcdef"), "{command}: {message}");
    }
}

fn run_with_any_spec(text: &str) -> Run<Value> {
    serde_json::from_str(text).expect("a run")
}

#[test]
fn long_text_is_rejected_with_short_message() {
    let home = Home::new();
    let keys: String = (0..50_000).map(|number| format!("key{number} = 1\n")).collect();
    home.write("keys.toml", &format!("base = \"classic\"\n{keys}"));
    let many = "classic,".repeat(12_000) + "classic";
    let cases: &[(&[&str], String, &str)] = &[
        (&["agents", "check"], "!=".repeat(40_000), "the text has 80000 bytes; allowed: at most 16384"),
        (&["agents", "check"], "!=".repeat(8_000), "; agents: random, "),
        (&["agents", "check"], "forgetful:agent=".repeat(1_000) + "greedy", "nested too deeply"),
        (&["agents", "check"], "forgetful:agent=(".repeat(900), "not closed"),
        (&["match", "--agents"], "greedy,random,".repeat(7_000) + "mixbot", "seats are not allowed"),
        (&["match", "--agents"], format!("greedy,cmd:{}", "\"a".repeat(60_000)), "bytes; allowed"),
        (&["tournament", "--variant"], many.clone(), "--variant names `classic` twice"),
        (&["check", "--agents", "greedy", "--variant"], many.clone(), "--variant names `classic` twice"),
        (&["balance", "--variant"], many, "--variant names `classic` twice"),
        (&["tournament", "--set"], "a.".repeat(50_000) + "a=1", "--set a."),
        (&["tournament", "--set"], "uno.penalty=".to_owned() + &"[".repeat(60_000), "uno.penalty"),
        (&["balance", "--arm"], "a=1;".repeat(20_000) + "a=1", "--arm "),
        (&["balance", "--sweep"], "uno.penalty=".to_owned() + &"4,".repeat(40_000) + "4", "arms"),
        (&["variants", "check"], "keys.toml".into(), "and 49,990 more"),
        (&["match", "--agents", "greedy,random", "--tables"], "x=1,\n".repeat(25_000), "possible values: csv, parquet"),
    ];
    for (words, text, part) in cases {
        let output = home.unolab("").args(*words).arg(text).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        let start: String = message.chars().take(300).collect();
        assert_eq!(output.status.code(), Some(2), "{words:?} {part}: {start}");
        assert!(message.contains(part) && message.len() < 20_000, "{words:?} {part}: {start}");
    }
}
