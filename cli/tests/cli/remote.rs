//! A run whose batches are played by workers has the bytes of one that plays them itself.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::{Home, names_in};

/// A process that is talked to by lines.
struct Talk {
    process: Child,
    to: Option<ChildStdin>,
    from: Lines<BufReader<ChildStdout>>,
}

impl Talk {
    fn begin(home: &Home, words: &str) -> Self {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin!("unolab"))
            .args(words.split(' '))
            .current_dir(home.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()).lines());
        Self { process, to, from }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.to.as_mut().unwrap(), "{line}").unwrap();
    }

    fn hear(&mut self) -> Option<String> {
        self.from.next().map(|line| line.unwrap())
    }

    fn end(mut self) -> i32 {
        self.to = None;
        self.process.wait().unwrap().code().unwrap()
    }
}

/// Runs a command, and plays what it asks for with workers of which each dies with its sixth batch in its hands. Gives the
/// exit status, and how many have died.
fn play_with_mortal_workers(home: &Home, words: &str) -> (i32, usize) {
    let mut run = Talk::begin(home, words);
    let (mut job, mut horizon) = (String::new(), String::new());
    let (mut worker, mut batches, mut deaths): (Option<Talk>, usize, usize) = (None, 0, 0);
    while let Some(line) = run.hear() {
        if line.starts_with("{\"job\"") {
            job = line;
        } else if line.starts_with("{\"horizon\"") {
            worker.iter_mut().for_each(|worker| worker.say(&line));
            horizon = line;
        } else if line.starts_with("{\"batch\"") {
            batches += 1;
            if let Some(mut dying) = worker.take_if(|_| batches.is_multiple_of(6)) {
                dying.say(&line);
                dying.process.kill().unwrap();
                dying.process.wait().unwrap();
                deaths += 1;
            }
            let worker = worker.get_or_insert_with(|| {
                let mut worker = Talk::begin(home, "worker");
                worker.say(&job);
                worker.say(&horizon);
                worker
            });
            worker.say(&line);
            run.say(&worker.hear().unwrap());
        } else {
            assert!(line.starts_with("{\"progress\""), "{line}");
        }
    }
    assert_eq!(worker.map(Talk::end), Some(0));
    (run.end(), deaths)
}

#[test]
fn what_workers_have_played_has_the_bytes_of_a_run_alone_though_they_die() {
    for (words, status) in [
        ("tournament --agents greedy,random,heuristic --sets 60 --seats 2,3 --games-csv=7 --luck", 0),
        ("sprt --agents greedy,random --nelo1 60 --max-sets 3000", 0),
        ("tournament --format league --agents greedy,random,heuristic,mixbot,greedy --seats 2 --sets 40", 0),
        ("balance --seats 2 --sets 40 --sweep house.stacking=off,any_draw", 0),
        ("train --imitate 20 --rounds 1 --choices 15 --test-games 100", 0),
    ] {
        let home = Home::new();
        home.output(&format!("{words} --out alone --quiet"));
        let (ended, deaths) = play_with_mortal_workers(&home, &format!("{words} --out shared --remote=7 --threads 1"));
        assert_eq!(ended, status, "{words}");
        assert!(deaths > 0, "{words}");
        let names = names_in(&home.path("alone"));
        assert_eq!(names_in(&home.path("shared")), names, "{words}");
        for name in names.iter().filter(|name| *name != "run.json") {
            let read = |folder: &str| fs::read(home.path(folder).join(name)).unwrap();
            assert!(read("shared") == read("alone"), "{words}: {name}");
        }
    }
}

#[test]
fn what_cannot_be_played_elsewhere_is_told() {
    let home = Home::new();
    home.refuses(
        "match --sets 5 --remote",
        &[
            ("--agents cmd:true,random", "programs are not sent to other machines"),
            ("--agents greedy,random --record games", "--record"),
            ("--agents greedy,random --dry-run", "--dry-run"),
        ],
    );
    // Nobody answers.
    let mut run = Talk::begin(&home, "match --agents greedy,random --sets 5 --remote --out silent");
    run.to = None;
    assert_eq!(run.end(), 2);
    // A worker that is asked for nonsense.
    for line in ["nonsense", "{\"batch\":{\"number\":1,\"horizon\":1,\"part\":0,\"sets\":{\"start\":0,\"end\":1}}}"] {
        let mut worker = Talk::begin(&home, "worker");
        worker.say(line);
        assert_eq!(worker.end(), 2, "{line}");
    }
}
