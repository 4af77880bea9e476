//! Run directories with a changed file: every command that reads them prints an error or a result, in bounded time, and removes
//! nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use unolab::Rng;

use super::Home;

const RUN: &str = "tournament --agents random,greedy,mixbot --seats 2,3 --sets 20 --games-csv --quiet";

/// The number of changes.
const CHANGES: u32 = 200;

/// No command on so small a run takes longer, even on a busy machine.
const LONGEST: Duration = Duration::from_secs(300);

/// Replacements for a piece of a file.
const PIECES: [&[u8]; 16] = [
    b"",
    b"\0",
    b"\xff\xfe",
    b"nan",
    b"-1",
    b"1e999",
    b"99999999999999999999999999",
    b"18446744073709551615",
    b"\"",
    b"{",
    b"]]]]",
    b",,,,",
    b"\n",
    b"null",
    "\u{202e}\u{1f0cf}".as_bytes(),
    b"=1+1",
];

fn below(rng: &mut Rng, bound: usize) -> usize {
    rng.below(u32::try_from(bound).expect("small")) as usize
}

/// The bytes with a small change somewhere.
fn changed(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    if bytes.is_empty() {
        return PIECES[below(rng, PIECES.len())].to_vec();
    }
    let at = below(rng, bytes.len());
    let end = (at + 1 + below(rng, 40)).min(bytes.len());
    let mut made = bytes.to_vec();
    match rng.below(7) {
        0 => made[at] ^= 1 << rng.below(8),
        1 => made.truncate(at),
        2 => drop(made.drain(at..end)),
        3 => drop(made.splice(end..end, bytes[at..end].iter().copied())),
        4 => {
            let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
            let (a, b) = (below(rng, lines.len()), below(rng, lines.len()));
            lines.swap(a, b);
            made = lines.concat();
        }
        5 => {
            // A number becomes another one: a change that keeps the form is the hardest to detect.
            let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            if !digits.is_empty() {
                let at = digits[below(rng, digits.len())];
                made[at] = b'0' + (made[at] - b'0' + 1 + u8::try_from(rng.below(9)).expect("a digit")) % 10;
            }
        }
        _ => drop(made.splice(at..end, PIECES[below(rng, PIECES.len())].iter().copied())),
    }
    made
}

/// Every file below a directory with its content.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(next) = directories.pop() {
        for entry in fs::read_dir(next).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else {
                let name = path.strip_prefix(directory).expect("below it").display().to_string();
                found.insert(name, fs::read(path).expect("a file"));
            }
        }
    }
    found
}

/// Numbers that are possible but false, and input that never ends.
#[test]
fn changed_number_in_finished_run_is_detected() {
    let home = Home::new();
    home.output(&format!("{RUN} --out other --set points.wild=40"));
    home.output(&format!("{RUN} --out run"));
    let again = format!("{RUN} --out run --resume");
    let readers = ["rate run", "report run --out -", "compare run other", &again];
    for table in ["summary", "pairs", "seats", "games"] {
        let file = format!("run/{table}.csv");
        let text = home.read(&file);
        let doubled = text.split_inclusive('\n').flat_map(|line| [line; 2]).skip(1).collect::<String>();
        for wrong in [doubled, text.replacen(",2,", ",3,", 1), text[..text.len() / 2].to_owned()] {
            home.write(&file, &wrong);
            for reader in readers {
                let (message, output) = home.failure(reader, 2);
                let is_named =
                    message.contains(&format!("{table}.csv")) && message.contains("was changed after the run");
                assert!(is_named && output.is_empty(), "{reader}: {message}{output}");
            }
        }
        home.write(&file, &text);
    }
    for reader in readers {
        home.failure(reader, 0);
    }
}

/// To open a named pipe would wait for another process.
#[cfg(unix)]
#[test]
fn named_pipe_in_place_of_file_is_rejected() {
    let home = Home::new();
    for directory in ["run", "other"] {
        home.output(&format!("{RUN} --out {directory}"));
    }
    let pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(home.path(name)).status();
        assert!(made.expect("mkfifo starts").success());
    };
    let refuse = |command: &str, named: &str| {
        let output = home.unolab(command).timeout(LONGEST).output().expect("it ends");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains(named), "{command}: {message}");
    };
    pipe("pipe");
    for command in [
        "variants check pipe",
        "scenario pipe",
        "replay pipe",
        "analyze pipe",
        "agents check net:weights=pipe",
        "match --agents greedy,random --variant pipe",
        "match --agents greedy,random --sealed --key-file pipe",
        "train --from pipe",
        "report run --out pipe",
    ] {
        refuse(command, "is a named pipe");
    }
    refuse("agents check cmd:./pipe", "pipe");
    for name in ["run.json", "summary.csv", "games.csv", ".lock"] {
        let (file, kept) = (home.path("run").join(name), home.path("kept"));
        let was_there = fs::rename(&file, &kept).is_ok();
        pipe(&format!("run/{name}"));
        let again = format!("{RUN} --out run --resume");
        for command in
            ["report run --out -", "rate run", "compare run other", "verify run", "status run --json", &again]
        {
            let output = home.unolab(command).timeout(LONGEST).output().expect("it ends");
            assert!(matches!(output.status.code(), Some(0..=2)), "{name}, {command}: {output:?}");
        }
        fs::remove_file(&file).expect("the pipe");
        if was_there {
            fs::rename(&kept, &file).expect("the file");
        }
    }
}

#[test]
fn changed_run_directory_is_read_or_rejected_without_loss() {
    let home = Home::new();
    for (directory, more) in
        [("whole", ""), ("other", "--seed 2"), ("part-1", "--shard 1/2"), ("part-2", "--shard 2/2")]
    {
        home.output(&format!("{RUN} {more} --out {directory}"));
        home.write(&format!("{directory}/notes.txt"), "precious");
    }
    // With digests nearly every change would be rejected before anything is read.
    home.forget_digests("whole");
    home.kill_on_its_way(&RUN.replace("--sets 20", "--sets 4000"), "unfinished");
    home.write("unfinished/notes.txt", "precious");
    let resumed = format!("{} --resume --out unfinished", RUN.replace("--sets 20", "--sets 4000"));
    let merged = "merge part-1 part-2 --quiet --out merged".to_owned();
    let readers = |directory: &str| -> Vec<String> {
        match directory {
            "whole" => {
                ["rate whole", "report whole", "compare whole other", "verify whole"].map(str::to_owned).to_vec()
            }
            "unfinished" => vec![resumed.clone()],
            _ => vec![merged.clone()],
        }
    };
    let mut rng = Rng::from_seed(13);
    let mut refused = 0;
    for number in 0..CHANGES {
        let directory = ["whole", "part-1", "part-2", "unfinished"][below(&mut rng, 4)];
        let before = files(&home.path(directory));
        let names: Vec<&String> = before.keys().filter(|name| *name != "notes.txt").collect();
        let name = names[below(&mut rng, names.len())].clone();
        let file = home.path(directory).join(&name);
        match rng.below(20) {
            0 => fs::remove_file(&file).expect("a file"),
            1 => {
                fs::remove_file(&file).expect("a file");
                fs::create_dir(&file).expect("a directory");
            }
            _ => fs::write(&file, changed(&before[&name], &mut rng)).expect("a file"),
        }
        let left = files(&home.path(directory));
        let commands = readers(directory);
        let command = &commands[below(&mut rng, commands.len())];
        let output = home.unolab(command).timeout(LONGEST).output().expect("it ends");
        let message = String::from_utf8_lossy(&output.stderr);
        let told = format!("change {number} of {directory}/{name}, {command}: {message}");
        assert!(matches!(output.status.code(), Some(0..=2)) && !message.contains("panicked"), "{told}");
        if output.status.code() == Some(2) {
            refused += 1;
            assert!(message.starts_with("error: "), "{told}");
            assert!(!home.path("merged").exists(), "{told}");
        }
        let after = files(&home.path(directory));
        assert_eq!(after.get("notes.txt").map(Vec::as_slice), Some(&b"precious"[..]), "{told}");
        // A resumed run writes its own files; commands that only read change nothing.
        if directory != "unfinished" {
            let lost: Vec<&String> = left.keys().filter(|name| left.get(*name) != after.get(*name)).collect();
            assert!(lost.is_empty(), "{told}: {lost:?}");
        }
        let _ = fs::remove_dir_all(home.path("merged"));
        fs::remove_dir_all(home.path(directory)).expect("a directory");
        for (name, bytes) in &before {
            let path = home.path(directory).join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, bytes).expect("a file");
        }
    }
    assert!(refused > CHANGES / 4, "{refused}");
}
