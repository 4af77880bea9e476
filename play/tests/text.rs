//! `unolab-play --text` with a script as its input.

use assert_cmd::Command;
use tempfile::TempDir;
use unolab::record::{Status, replay};
use unolab::rules::presets;

fn play(home: &TempDir, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab-play"));
    let output = command.current_dir(home.path()).arg("--text").args(arguments).write_stdin(input.to_owned()).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// With a small stack, too.
#[test]
#[cfg(unix)]
fn closed_pipe_ends_game_without_message() {
    let (reader, closed) = std::io::pipe().expect("a pipe");
    drop(reader);
    let play = assert_cmd::cargo::cargo_bin!("unolab-play").to_str().expect("a path");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -s 128 && exec \"$0\" --text --against greedy", play]).stdout(closed);
    let output = command.stderr(std::process::Stdio::piped()).spawn().and_then(|child| child.wait_with_output());
    let output = output.expect("a shell");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn round_in_every_edition_is_played_to_end() {
    for variant in presets::NAMES {
        let home = TempDir::new().expect("a directory");
        let arguments =
            ["--variant", variant, "--against", "greedy,heuristic", "--seed", "11", "--record", "game.jsonl"];
        let told = play(&home, &arguments, &"1\n".repeat(3000));
        assert!(told.contains("the game is over") && !told.contains('\u{1b}'), "{variant}: {told}");
        // The cards drawn by others are not printed, and neither are their hands.
        assert!(told.contains("seat 1: 7 cards") && !told.contains("seat 2 draws r"), "{variant}: {told}");
        let text = std::fs::read_to_string(home.path().join("game.jsonl")).expect("the record");
        assert_eq!(replay(&text, &mut |_| ()).expect("it fits").status, Status::Finished, "{variant}");
    }
}

#[test]
fn moves_are_undone_reviewed_and_rejected_with_text() {
    let home = TempDir::new().expect("a directory");
    let input = "play q9\n99\nhint\ndraw\nback\nmistake\nagain\nsave here.jsonl\nhelp\nquit\n";
    let told = play(&home, &["--against", "greedy", "--seed", "4", "--worlds", "20"], input);
    for part in
        ["q9", "is not", "% ", "behind the best by", "taken back", "saved in here.jsonl", "A number or an action"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    let text = std::fs::read_to_string(home.path().join("here.jsonl")).expect("the record");
    assert_eq!(replay(&text, &mut |_| ()).expect("it fits").status, Status::Truncated);
}

#[test]
fn judgment_marks_move_played() {
    let home = TempDir::new().expect("a directory");
    let told = play(&home, &["--against", "greedy", "--seed", "4", "--worlds", "20"], "draw\nmistake\nquit\n");
    let marked: Vec<&str> = told.lines().filter(|line| line.contains("<- yours")).collect();
    assert!(matches!(marked[..], [line] if line.contains("draw")), "{told}");
}

#[test]
fn new_game_has_next_seed() {
    let home = TempDir::new().expect("a directory");
    play(&home, &["--against", "greedy", "--seed", "4"], "new\nnew\nsave third.jsonl\nquit\n");
    let text = std::fs::read_to_string(home.path().join("third.jsonl")).expect("the record");
    assert_eq!(replay(&text, &mut |_| ()).expect("it fits").header.seed, 6);
}

#[test]
fn saved_game_is_resumed_where_it_stopped() {
    let home = TempDir::new().expect("a directory");
    let file = || std::fs::read_to_string(home.path().join("game.jsonl")).expect("the record");
    for (variant, unit) in [("classic", "match"), ("disney", "round"), ("wimpy-kid", "match")] {
        let arguments = [
            "--against",
            "greedy,heuristic",
            "--variant",
            variant,
            "--unit",
            unit,
            "--seed",
            "5",
            "--record",
            "game.jsonl",
        ];
        for moves in [0, 1, 7, 30] {
            play(&home, &arguments, &"1\n".repeat(moves));
            let saved = file();
            let told = play(&home, &["--resume", "game.jsonl"], "quit\n");
            assert!(told.contains("you"), "{told}");
            assert_eq!(file(), saved, "{variant}, {moves} moves: a resumed game is the saved one");
        }
        let told = play(&home, &["--resume", "game.jsonl"], &"1\n".repeat(9000));
        assert!(told.contains("the game is over"), "{variant}: {told}");
        assert_eq!(replay(&file(), &mut |_| ()).expect("it fits").status, Status::Finished, "{variant}");
    }
}

#[test]
fn record_that_cannot_be_resumed_is_rejected_with_reason() {
    let home = TempDir::new().expect("a directory");
    play(&home, &["--people", "Ada", "--against", "greedy", "--record", "game.jsonl"], "1\nquit\n");
    std::fs::write(home.path().join("not.jsonl"), "{}\n").expect("a file");
    for (arguments, wanted) in [
        (vec!["--resume", "game.jsonl"], "player Ada; name people with --people Ada"),
        (vec!["--resume", "none.jsonl"], "--resume none.jsonl"),
        (vec!["--resume", "not.jsonl"], "--resume not.jsonl"),
        (vec!["--resume", "game.jsonl", "--seed", "3"], "--seed"),
        (vec!["--people", "Ada,Ada"], "Ada is given twice"),
        (
            vec!["--resume", "game.jsonl", "--people", "Ada,Zoe"],
            "Zoe is not a player of the record; its players are Ada, greedy",
        ),
        (vec!["--people", "greedy", "--against", "greedy"], "greedy is the name of an agent of this game"),
        (vec!["--trust-bots"], "--resume"),
    ] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab-play"));
        let output = command.current_dir(home.path()).arg("--text").args(&arguments).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(wanted), "{arguments:?}: {said}");
    }
}

/// A bot that plays its first action with a note, and ends at its third decision.
const ENDING_BOT: &str = r#"
import json, sys
count = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["type"] == "decide":
        count += 1
        if count == 3:
            sys.exit(7)
        print(json.dumps({"decision": message["decision"], "action": 0, "note": f"note {count}"}), flush=True)
"#;

#[test]
fn notes_and_fault_of_bot_are_recorded_and_resumed() {
    let home = TempDir::new().expect("a directory");
    std::fs::write(home.path().join("bot.py"), ENDING_BOT).expect("a file");
    let file = || std::fs::read_to_string(home.path().join("game.jsonl")).expect("the record");
    let arguments = ["--against", "cmd:\"python3 bot.py\"", "--seed", "5", "--record", "game.jsonl"];
    let told = play(&home, &arguments, &"draw\n1\n".repeat(12));
    assert!(
        told.contains("has a fault (") && told.contains("greedy plays in its place, and it loses the game"),
        "{told}"
    );
    let saved = file();
    for part in ["\"note\":\"note 1\"", "\"note\":\"note 2\"", "\"fault\":\"crash\",\"decision\":3,\"by\":\"greedy\""] {
        assert_eq!(saved.matches(part).count(), 1, "{part}: {saved}");
    }
    // Only the record names the program.
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab-play"));
    command.current_dir(home.path()).args(["--text", "--resume", "game.jsonl"]);
    let output = command.write_stdin("quit\n").output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("if you trust it, add --trust-bots"), "{said}");
    play(&home, &["--resume", "game.jsonl", "--trust-bots"], "quit\n");
    assert_eq!(file(), saved);
    // It loses even if its seat goes out.
    let told = play(&home, &["--resume", "game.jsonl", "--trust-bots"], &"1\n".repeat(500));
    assert!(told.contains("  1. you") && told.contains("  2. cmd:"), "{told}");
    assert_eq!(file().matches("\"fault\":").count(), 1);
    assert_eq!(replay(&file(), &mut |_| ()).expect("it fits").status, Status::Finished);
}

#[test]
fn fault_is_gone_when_its_move_is_taken_back() {
    let home = TempDir::new().expect("a directory");
    std::fs::write(home.path().join("bot.py"), ENDING_BOT).expect("a file");
    let arguments = ["--against", "cmd:\"python3 bot.py\"", "--seed", "5"];
    let told = play(&home, &arguments, &("draw\n1\n".repeat(12) + "again\nsave game.jsonl\nquit\n"));
    assert!(told.contains("has a fault ("), "{told}");
    let saved = std::fs::read_to_string(home.path().join("game.jsonl")).expect("the record");
    assert!(!saved.contains("\"fault\""), "{saved}");
}

#[test]
fn round_end_opens_hands_and_match_lists_scores() {
    let home = TempDir::new().expect("a directory");
    let arguments = ["--against", "greedy", "--seed", "3", "--unit", "match", "--set", "match.target=500"];
    let told = play(&home, &arguments, &"1\n".repeat(9000));
    let ends = told.matches("the round is over; cards left:").count();
    assert!(ends > 1 && told.matches(", total ").count() == 2 * ends, "{told}");
    assert!(told.contains("none, 0 points; scored ") && told.contains("the game is over"), "{told}");
}

#[test]
fn record_does_not_replace_another_file() {
    let home = TempDir::new().expect("a directory");
    let path = |name: &str| home.path().join(name);
    std::fs::write(path("notes.txt"), "mine\n").expect("a file");
    std::fs::write(path("game.part"), "mine, too\n").expect("a file");
    std::fs::create_dir(path("directory")).expect("a directory");
    for (file, part) in [
        ("notes.txt", "--record: notes.txt: exists, and is not a record"),
        ("directory", "--record: directory: is a directory"),
        ("nowhere/game.jsonl", "--record: nowhere/game.jsonl: directory nowhere not found"),
    ] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab-play"));
        command.current_dir(home.path()).args(["--text", "--record", file]);
        let output = command.write_stdin("quit\n").output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(part), "{file}: {said}");
    }
    let told = play(&home, &["--record", "game.jsonl"], "save notes.txt\nsave nowhere/x\nquit\n");
    assert!(
        told.contains("save: notes.txt: exists, and is not") && told.contains("save: nowhere/x: directory"),
        "{told}"
    );
    let read = |name: &str| std::fs::read_to_string(path(name)).expect("a file");
    assert_eq!((&*read("notes.txt"), &*read("game.part")), ("mine\n", "mine, too\n"));
    assert!(read("game.jsonl").starts_with("{\"record\":"));
}

#[test]
fn line_that_is_not_utf8_is_rejected_as_command() {
    let home = TempDir::new().expect("a directory");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab-play"));
    let output = command.current_dir(home.path()).arg("--text").write_stdin(b"\xff\nhelp\nquit\n".to_vec()).output();
    let output = output.expect("it runs");
    assert!(
        output.status.success() && String::from_utf8_lossy(&output.stdout).contains("A number or an action"),
        "{output:?}"
    );
}

#[test]
fn end_of_input_ends_game() {
    let home = TempDir::new().expect("a directory");
    let told = play(&home, &["--seed", "4"], "");
    assert!(told.contains("the input has ended"), "{told}");
}

#[test]
fn unplayable_request_is_rejected_with_reason() {
    let home = TempDir::new().expect("a directory");
    for (arguments, part) in [
        ("--against stranger", "unknown agent"),
        ("--against clairvoyant", "sees all hands"),
        ("--variant nothing.toml", "nothing.toml"),
        ("--people a,b,c,d,e,f,g,h,i,j", "2 to 10"),
        ("--people Ada,\u{202e}neB", "invisible character"),
        ("--people =1+1", "formula"),
        ("--handheld", "cannot be played with --text"),
    ] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab-play"));
        let output =
            command.current_dir(home.path()).arg("--text").args(arguments.split(' ')).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(part), "{arguments}: {said}");
    }
}

/// Any number of people, with and without agents.
#[test]
fn game_without_agents_is_played_to_end() {
    let home = TempDir::new().expect("a directory");
    let people = "a,b,c,d,e,f,g,h,i,j";
    let told = play(&home, &["--people", people, "--against", "none", "--seed", "2"], &"1\n".repeat(5000));
    assert!(told.contains("the game is over"), "{told}");
    assert!(people.split(',').all(|name| told.contains(&format!("===== for {name} ====="))), "{told}");
}

/// The handheld has its own rules, so options for other rules are rejected.
#[test]
fn handheld_with_rule_options_is_rejected() {
    let home = TempDir::new().expect("a directory");
    for arguments in
        ["--variant cars", "--set uno.window=next_begins", "--against greedy", "--unit round", "--lan", "--worlds 5"]
    {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab-play"));
        let output =
            command.current_dir(home.path()).arg("--handheld").args(arguments.split(' ')).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains("cannot be used with"), "{arguments}: {said}");
    }
}
