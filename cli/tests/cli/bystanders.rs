//! Pipes that close, signals, and silence.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::Home;
#[cfg(unix)]
use super::{interruptible, send_signal};

#[test]
fn quiet_run_prints_nothing() {
    assert_eq!(Home::new().output("tournament --sets 2 --quiet"), "");
}

/// A closed output is not an error, and does not change the result.
#[cfg(unix)]
#[test]
fn closed_pipe_does_not_change_exit_status() {
    let home = Home::new();
    let closed = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        writer
    };
    let start = |arguments: &str| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab"));
        command.args(arguments.split(' ')).current_dir(home.path("."));
        command
    };
    for (arguments, code) in [
        ("variants show disney", 0),
        ("--help", 0),
        ("sprt --agents random,greedy --seats 2 --nelo1 100 --seed 9", 1),
        ("sprt --agents random,random:copies=true --seats 2 --max-sets 64 --seed 9", 3),
    ] {
        let output = start(arguments).stdout(closed()).stderr(Stdio::piped()).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
        assert!(!message.contains("error"), "{arguments}: {message}");
    }
    for arguments in ["--nosuch", "match --tables xml", "match --agents greedy"] {
        let status = start(arguments).stdout(Stdio::null()).stderr(closed()).status().unwrap();
        assert_eq!(status.code(), Some(2), "{arguments}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_standard_output_is_error() {
    let home = Home::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(assert_cmd::cargo::cargo_bin!("unolab"))
        .args(["variants", "list"])
        .current_dir(home.path("."))
        .stdout(full)
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("standard output"), "{message}");
}

/// As `nohup` and a script's `&` start a process.
#[cfg(target_os = "linux")]
#[test]
fn ignored_signals_do_not_stop_run() {
    for _ in 0..100 {
        let home = Home::new();
        let ignoring = r#"trap "" HUP INT TERM; exec "$0" "$@""#;
        let mut child = Command::new("sh")
            .args(["-c", ignoring, assert_cmd::cargo::cargo_bin!("unolab").to_str().unwrap()])
            .args("tournament --sets 20000 --seats 2 --quiet --out run".split(' '))
            .current_dir(home.path("."))
            .spawn()
            .unwrap();
        let checkpoint = home.path("run/checkpoint.json");
        while !checkpoint.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        for signal in ["HUP", "INT", "TERM"] {
            Command::new("kill").args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
        let is_met = checkpoint.exists();
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert!(!checkpoint.exists() && home.path("run/summary.csv").exists());
        if is_met {
            return;
        }
    }
    panic!("the run is always too quick");
}

#[cfg(unix)]
#[test]
fn hangup_and_termination_stop_resumable_run() {
    for (signal, send) in
        [("HUP", (|child| send_signal("HUP", child)) as fn(&mut Child)), ("TERM", |child| send_signal("TERM", child))]
    {
        let home = Home::new();
        let run = "tournament --sets 1000000000 --seats 2 --quiet";
        assert_eq!(home.interrupt(run, signal, |_| true, send).code(), Some(130), "{signal}");
    }
}

/// A program has the default for a signal that this process handles.
#[cfg(target_os = "linux")]
#[test]
fn program_over_file_size_limit_is_ended() {
    let home = Home::new();
    home.write("bot.sh", "kill -s XFSZ $$\nexit 7\n");
    let mut run = home.unolab("match --seats 2 --sets 1 --quiet --agents");
    let output = run.arg("mine=cmd:\"sh bot.sh\",greedy").output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("was ended by signal 25, before it answered hello"), "{message}");
}

/// Every long command ends the same way, with the tables of what it has counted.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_run_with_partial_tables() {
    let commands = [
        ("tournament --sets 1000000000 --seats 2 --games-csv=1000", "classic, 2 seats, "),
        (
            "sprt --agents heuristic,heuristic:goal=points --seats 2 --nelo0 -0.1 --nelo1 0.1 --games-csv=1000",
            "undecided so far",
        ),
        ("tournament --format league --agents random,greedy,mixbot --sets 1000000000 --seats 2", "classic, 2 seats"),
        ("balance --agents greedy --seats 2 --sets 1000000000", "classic"),
    ];
    for (command, told) in commands {
        let home = Home::new();
        let child = interruptible()
            .args(command.split(' '))
            .args(["--out", "run"])
            .current_dir(home.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let checkpoint = || std::fs::read(home.path("run/checkpoint.json")).ok();
        let mut first = None;
        while first.is_none() || checkpoint() == first {
            first = first.or_else(checkpoint);
            std::thread::sleep(Duration::from_millis(5));
        }
        send_signal("INT", &child);
        let output = child.wait_with_output().unwrap();
        let (printed, message) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(130), "{command}: {message}");
        assert!(message.starts_with("stopped after "), "{command}: {message}");
        assert!(printed.contains(told), "{command}: {printed}");
        assert!(message.contains(" can be resumed: add --resume"), "{command}: {message}");
    }
}
