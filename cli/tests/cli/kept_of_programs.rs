//! The data of a run about its programs: records, logs, and versions.

use super::programs::{HEALTHY, SCRIPT, agent, home, unolab};
use super::{names_in, rows};

/// A program that plays a different game each time: it stores the number of its games.
const FICKLE: &str = r#"count=$(cat COUNT 2>/dev/null || echo 0); echo $((count + 1)) > COUNT
    echo "{\"decision\":$n,\"action\":$((count % 2)),\"note\":\"asked $count times\"}""#;

/// The recorded game is the counted one, regardless of the program's next run.
#[test]
fn record_matches_counted_game() {
    let home = home(&[]);
    let fickle = FICKLE.replace("COUNT", &home.path("count").display().to_string());
    home.write("fickle", &SCRIPT.replace("DO", &fickle));
    let arguments = "match --seats 2 --sets 4 --games-csv --out run --record records --record-sets 4 --quiet";
    let agents = [agent(&home, "fickle", ",decision_ms=20000"), "greedy".to_owned()];
    let agents = [agents.join(",")];
    let output = unolab(&home, arguments, &agents).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let games = rows(&home.read("run/games.csv"));
    assert_eq!(games.len(), 8);
    let mut faults = 0;
    for game in &games {
        let name = format!("records/game-{}.jsonl", game["index"]);
        let record = home.read(&name);
        let replayed = home.output(&format!("replay {name}"));
        let counted = if record.contains("\"fault\":") { "counted " } else { "" };
        faults += usize::from(!counted.is_empty());
        for column in ["points", "places"] {
            let expected = format!("{counted}{column} {},", game[column]);
            assert!(replayed.contains(&expected), "{replayed}, expected {expected}");
        }
        assert!(record.contains("\"note\":\"asked "), "{record}");
    }
    // With one legal action there is no other answer.
    assert!(faults > 0, "no fault in 8 games");
}

/// Without a sandbox a program can write into the run; its files are not published.
#[test]
fn games_changed_by_program_are_not_published() {
    let home = home(&[]);
    let vandal = r#"find RUN -name games.csv -exec sh -c 'echo changed >"$1"' sh {} \;
    echo "{\"decision\":$n,\"action\":0}""#;
    home.write("vandal", &SCRIPT.replace("DO", &vandal.replace("RUN", &home.path("run").display().to_string())));
    let agents = [[agent(&home, "vandal", ",decision_ms=20000"), "greedy".to_owned()].join(",")];
    let output = unolab(&home, "match --seats 2 --sets 2 --games-csv --out run --quiet", &agents).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("games.csv"), "{message}");
    assert!(!home.path("run/run.json").exists());
}

#[test]
fn record_names_faulty_and_remaining_players() {
    let leaves = format!("[ $n -gt 3 ] && exit 1; {HEALTHY}");
    let home = home(&[("leaves", &leaves)]);
    let arguments = "match --seats 2 --sets 1 --games-csv --out run --record records --record-only fault --quiet";
    let agents = [agent(&home, "leaves", ",decision_ms=20000,fresh=true") + ",heuristic"];
    let output = unolab(&home, arguments, &agents).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let status: serde_json::Value = serde_json::from_str(&home.output("status run --json")).unwrap();
    let lost: Vec<_> = status["lost_by_faults"].as_object().unwrap().values().collect();
    assert_eq!(lost, [2], "{status}");
    let game = &rows(&home.read("run/games.csv"))[0];
    let record = home.read("records/game-0.jsonl");
    let fault = &rows(&home.read("run/faults.csv"))[0];
    assert_eq!((&*fault["index"], &*fault["seat"]), ("0", "0"));
    let fault = format!(r#"{{"seat":0,"fault":"crash","decision":{},"by":"greedy"}}"#, fault["decision"]);
    assert!(record.lines().any(|line| line == fault), "{record}");
    let replayed = home.output("replay --show records/game-0.jsonl");
    assert!(replayed.contains("seat 0 has lost the game: crash at its decision"), "{replayed}");
    let counted = format!("counted points {}, counted places {},", game["points"], game["places"]);
    assert!(replayed.contains(&counted) && game["places"] == "2 1", "{replayed}, expected {counted}");
    // The actions of its substitute are not its own.
    home.output("analyze records/game-0.jsonl --worlds 2 --policy random --out analysis");
    let line = 1 + record.lines().position(|line| line == fault).unwrap();
    let decisions = rows(&home.read("analysis/decisions.csv"));
    let lines_of = |seat: &str| -> Vec<usize> {
        decisions.iter().filter(|row| row["seat"] == seat).map(|row| row["line"].parse().unwrap()).collect()
    };
    assert!(lines_of("0").iter().all(|&other| other < line), "{fault}, line {line}");
    assert!(lines_of("1").iter().any(|&other| other > line), "the other one plays on");
}

/// The run stores neither a key nor a log: the following command runs and finds its files.
#[test]
fn dry_run_writes_nothing_and_resume_keeps_logs() {
    let home = home(&[("bot", HEALTHY)]);
    let agents = [agent(&home, "bot", ",decision_ms=20000") + ",random"];
    let command = "match --seats 2 --sets 6 --quiet --out run --bot-log log --sealed --key-file key --sandbox off";
    let run = |more: &str| unolab(&home, &format!("{command} {more}"), &agents).output().unwrap();
    let dry = run("--dry-run");
    assert!(dry.status.success(), "{}", String::from_utf8_lossy(&dry.stderr));
    assert!(["run", "log", "key"].iter().all(|name| !home.path(name).exists()));
    let mut killed = unolab(&home, command, &agents);
    assert!(!killed.env("UNOLAB_STOP_AFTER_CHECKPOINTS", "1").output().unwrap().status.success());
    let logs = || {
        let names = names_in(&home.path("log")).into_iter();
        names.map(|name| (name.clone(), home.read(&format!("log/{name}")))).collect::<Vec<_>>()
    };
    let before = logs();
    let resumed = run("--resume");
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    let after = logs();
    assert!(!before.is_empty() && after.len() > before.len());
    assert!(before.iter().all(|log| after.contains(log)), "{before:?} {after:?}");
    home.write("log/notes.txt", "mine");
    let other = unolab(&home, &format!("{command} --resume").replace("run", "other"), &agents).output().unwrap();
    let message = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(other.status.code() == Some(2) && message.contains("has other files than logs"), "{message}");
}

/// Times are in the log only: the table of faults is the same in every run.
#[test]
fn bot_log_ends_with_reason_and_faults_have_no_times() {
    let unfinished = r#"printf '{"decision":%s,"action":0}' "$n"; SLEEP"#;
    let lies = HEALTHY.replace(":0}", ":999}");
    let home = home(&[
        ("healthy", HEALTHY),
        ("mute", "SLEEP"),
        ("unfinished", unfinished),
        ("lies", &lies),
        ("crashes", "exit 3"),
    ]);
    let advice = "its answer has no line end; end each answer with a newline and flush";
    for (name, limit, end, fault) in [
        ("healthy", 20_000, "== ended with exit status 0", None),
        ("mute", 100, "of processor time)", Some("no answer within 100 ms".into())),
        (
            "unfinished",
            100,
            "of processor time); 25 bytes arrived without a line end",
            Some(format!("no answer within 100 ms: {advice}")),
        ),
        ("lies", 20_000, "", None),
        ("crashes", 20_000, "== ended with exit status 3", Some("ended with exit status 3".into())),
    ] {
        let agents = [format!("{name}={}", agent(&home, name, &format!(",decision_ms={limit}"))), "greedy".into()];
        let arguments = format!("match --seats 2 --sets 1 --quiet --threads 1 --out run-{name} --bot-log log-{name}");
        assert!(unolab(&home, &arguments, &agents).output().unwrap().status.success());
        let log = home.read(&format!("log-{name}/{name}.1.log"));
        let last = log.lines().last().unwrap();
        assert!(last.ends_with(end) && log.matches(" == ").count() == 1, "{name}: {log}");
        match limit {
            100 => assert!(last.contains("== ended by unolab: no answer within 100 ms (waited "), "{name}: {last}"),
            _ if name == "lies" => {
                assert!(last.contains("== ended by unolab: chose action 999; allowed: 0"), "{name}: {last}");
            }
            _ => {}
        }
        if let Some(fault) = fault {
            let faults = rows(&home.read(&format!("run-{name}/faults.csv")));
            assert!(
                faults.len() == 2 && faults.iter().all(|row| row["what"].starts_with(&fault)),
                "{name}: {faults:?}"
            );
        }
    }
}

/// The behavior of a program can change between two parts, between two runs, and before a run is resumed. An error names the
/// program.
#[test]
fn changed_program_is_rejected_unless_accepted() {
    let home = home(&[("bot", HEALTHY)]);
    let script = home.read("bot");
    let agents = [agent(&home, "bot", ",decision_ms=20000") + ",random"];
    let run = |arguments: &str| {
        let command = format!("match --seats 2 --sets 6 --quiet {arguments}");
        let output = unolab(&home, &command, &agents).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run("--out whole").0, Some(0));
    assert_eq!(run("--out part-1 --shard 1/2").0, Some(0));
    let mut killed = unolab(&home, "match --seats 2 --sets 6 --quiet --out killed", &agents);
    assert!(!killed.env("UNOLAB_STOP_AFTER_CHECKPOINTS", "1").output().unwrap().status.success());
    let names = home.read("whole/run.json");
    assert!(names.contains("/bot\"") && names.contains("\"sha256\""), "{names}");

    home.write("bot", &format!("# another one\n{script}"));
    let bot = home.path("bot").display().to_string();
    for arguments in ["--out whole", "--out whole --dry-run", "--out killed --resume"] {
        let (status, message) = run(arguments);
        assert_eq!(status, Some(2), "{message}");
        assert!(message.contains(&bot) && message.contains("accept it with --allow-changed-bots"), "{message}");
    }
    let before = home.read("killed/checkpoint.json");
    assert_eq!(home.read("whole/run.json"), names);
    let (status, message) = run("--out killed --resume --allow-changed-bots");
    assert_eq!(status, Some(0), "{message}");
    assert!(message.contains("changed during the run") && !before.contains("changed_programs"), "{message}");
    assert!(home.read("killed/run.json").contains("\"changed_programs\""));
    assert_eq!(run("--out whole --allow-changed-bots").0, Some(0));
    assert_ne!(home.read("whole/run.json"), names);

    assert_eq!(run("--out part-2 --shard 2/2").0, Some(0));
    let (message, _) = home.failure("merge part-1 part-2 --out joined", 2);
    assert!(
        message.contains("part-2: was played by different programs than part-1") && message.contains(&bot),
        "{message}"
    );
    home.output("merge part-1 part-2 --out joined --quiet --allow-changed-bots");
    assert!(home.read("joined/run.json").contains("\"changed_programs\""));
}
