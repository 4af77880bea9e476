//! Programs of a process that also has other children.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{played, spec};

/// Leaves a process behind, outside its group and without a parent, and chooses the first action.
const SCRIPT: &str = r#"
(setsid sh -c 'echo $$ > "$0"; exec sleep 300' "$1" > /dev/null 2>&1 &)
while ! [ -s "$1" ]; do sleep 0.01; done
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo '{"protocol":1}';;
        *'"type":"decide"'*) n=${line#*'"decision":'}; echo "{\"decision\":${n%%,*},\"action\":0}";;
    esac
done
"#;

#[test]
fn leftover_processes_are_ended_and_no_others() {
    let directory = tempfile::tempdir().unwrap();
    let (bot, left) = (directory.path().join("bot"), directory.path().join("left"));
    fs::write(&bot, SCRIPT).unwrap();
    let mut own_child = Command::new("setsid").args(["sleep", "300"]).spawn().unwrap();
    let agent = format!("cmd:\"sh {} {}\",decision_ms=20000", bot.display(), left.display());
    let (contest, counted, _) = played(spec(&[&agent, "greedy"], &[2], 3));
    assert_eq!(counted.tallies[0].faults().iter().count(), 0);
    let is_there = || {
        let state = fs::read_to_string(format!("/proc/{}/stat", fs::read_to_string(&left).unwrap().trim()));
        state.is_ok_and(|state| !state.contains(") Z "))
    };
    assert!(is_there(), "as long as the program is there");
    drop(contest);
    let until = Instant::now() + Duration::from_secs(5);
    while is_there() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    let (is_there, has_ended) = (is_there(), own_child.try_wait().unwrap());
    own_child.kill().unwrap();
    own_child.wait().unwrap();
    assert_eq!((is_there, has_ended), (false, None));
}
