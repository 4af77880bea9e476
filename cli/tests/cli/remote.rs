//! A run whose batches are played by workers has the same bytes as a local run.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write, read_to_string};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use unolab::arena::run::digest::sha256;

use super::{Home, names_in};

/// A process that communicates by lines.
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
            .stderr(Stdio::piped())
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

    fn end(self) -> i32 {
        let (code, words) = self.end_with_words();
        eprint!("{words}");
        code
    }

    /// Its exit status, and its message.
    fn end_with_words(mut self) -> (i32, String) {
        self.to = None;
        let words = read_to_string(self.process.stderr.take().unwrap()).unwrap();
        (self.process.wait().unwrap().code().unwrap(), words)
    }
}

/// Runs a command, and answers its requests with workers that each die during their sixth batch. Returns the exit
/// status, and the number of workers that died.
fn play_with_mortal_workers(home: &Home, words: &str) -> (i32, usize) {
    let mut run = Talk::begin(home, words);
    let (mut job, mut stage) = (String::new(), String::new());
    let (mut worker, mut batches, mut deaths): (Option<Talk>, usize, usize) = (None, 0, 0);
    while let Some(line) = run.hear() {
        if line.starts_with("{\"job\"") {
            job = line;
        } else if line.starts_with("{\"stage\"") {
            worker.iter_mut().for_each(|worker| worker.say(&line));
            stage = line;
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
                worker.say(&stage);
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
fn run_with_dying_workers_has_same_bytes() {
    for (words, status) in [
        ("tournament --agents greedy,random,heuristic --sets 30 --seats 2 --games-csv=7 --luck", 0),
        ("sprt --agents greedy,random --nelo1 60 --max-sets 3000", 0),
        ("tournament --format league --agents greedy,random,heuristic,mixbot,greedy --seats 2 --sets 40", 0),
        ("balance --seats 2 --sets 40 --sweep house.stacking=off,any_draw", 0),
        ("train --pretrain 20 --rounds 1 --choices 15 --test-games 100", 0),
    ] {
        let home = Home::new();
        home.output(&format!("{words} --out alone --quiet"));
        let (ended, deaths) = play_with_mortal_workers(&home, &format!("{words} --out shared --remote=7 --threads 1"));
        assert_eq!(ended, status, "{words}");
        assert!(deaths > 0, "{words}");
        let names = names_in(&home.path("alone"));
        assert_eq!(names_in(&home.path("shared")), names, "{words}");
        for name in names.iter().filter(|name| *name != "run.json") {
            let read = |directory: &str| fs::read(home.path(directory).join(name)).unwrap();
            assert!(read("shared") == read("alone"), "{words}: {name}");
        }
    }
}

#[test]
fn shard_played_by_workers_has_same_bytes() {
    for words in ["match --agents greedy,random --seats 2,3 --sets 20 --games-csv", "balance --seats 2 --sets 40"] {
        let home = Home::new();
        let shard = format!("{words} --shard 2/3");
        home.output(&format!("{shard} --out alone --quiet"));
        let (ended, _) = play_with_mortal_workers(&home, &format!("{shard} --out shared --remote --threads 1"));
        assert_eq!(ended, 0, "{words}");
        let names = names_in(&home.path("alone"));
        assert_eq!(names_in(&home.path("shared")), names, "{words}");
        for name in names.iter().filter(|name| *name != "time.json") {
            assert_eq!(home.read(&format!("shared/{name}")), home.read(&format!("alone/{name}")), "{words}: {name}");
        }
    }
}

/// Its answers would be signed as answers to the second job, but be games of the first.
#[test]
fn worker_with_second_job_is_rejected() {
    let home = Home::new();
    let job = |seed| {
        let job = job_of(&home, &format!("match --agents greedy,random --sets 5 --seed {seed} --remote --out run"));
        fs::remove_dir_all(home.path("run")).unwrap();
        job
    };
    let jobs = [job(1), job(2)];
    for (second, code) in [(&jobs[0], 0), (&jobs[1], 2)] {
        let mut worker = Talk::begin(&home, "worker");
        worker.say(&jobs[0]);
        worker.say(second);
        let (ended, message) = worker.end_with_words();
        assert_eq!(ended, code, "{message}");
        assert_eq!(message.contains("request 2 is another job"), code == 2, "{message}");
    }
}

#[test]
fn remote_training_starts_from_published_net_only() {
    let home = Home::new();
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../agents/src/net/published/plain-2.net");
    fs::copy(weights, home.path("mine.net")).unwrap();
    let train = "train --pretrain 1 --rounds 1 --choices 1 --test-games 20 --remote --threads 1 --out run --from";
    home.refuses(train, &[("mine.net", "--from mine.net: weights are not sent to other machines")]);
    assert_eq!(play_with_mortal_workers(&home, &format!("{train} net")).0, 0);
}

#[test]
fn unsupported_remote_run_is_rejected() {
    let home = Home::new();
    home.refuses(
        "match --sets 5 --remote",
        &[
            ("--agents cmd:true,random", "programs are not sent to other machines"),
            ("--agents greedy,random --record games", "--record"),
            ("--agents greedy,random --dry-run", "--dry-run"),
        ],
    );
    // No worker answers.
    let mut run = Talk::begin(&home, "match --agents greedy,random --sets 5 --remote --out silent");
    run.to = None;
    assert_eq!(run.end(), 2);
    // A worker that receives an invalid request.
    for line in ["nonsense", "{\"batch\":{\"number\":1,\"stage\":1,\"part\":0,\"sets\":{\"start\":0,\"end\":1}}}"] {
        let mut worker = Talk::begin(&home, "worker");
        worker.say(line);
        assert_eq!(worker.end(), 2, "{line}");
    }
}

/// The first line of a run for workers.
fn job_of(home: &Home, words: &str) -> String {
    let mut run = Talk::begin(home, words);
    let job = run.hear().unwrap();
    run.process.kill().unwrap();
    run.process.wait().unwrap();
    job
}

#[test]
fn worker_starts_no_program() {
    let home = Home::new();
    for words in [
        "match --agents greedy,random --seats 2 --sets 5",
        "sprt --agents greedy,random",
        "balance --agents greedy --seats 2 --sets 5",
        "train --opponents greedy --pretrain 1 --rounds 0",
    ] {
        let job = job_of(&home, &format!("{words} --remote --out run"));
        fs::remove_dir_all(home.path("run")).unwrap();
        for program in ["cmd:\\\"touch started\\\"", "cmd : touch", "forgetful:p=0.1,agent=(cmd:touch)"] {
            let job = job.replace("\"greedy\"", &format!("\"{program}\""));
            assert!(job.contains(program), "{job}");
            let mut worker = Talk::begin(&home, "worker");
            worker.say(&job);
            let (code, message) = worker.end_with_words();
            assert!(code == 2 && message.contains("programs are not sent to other machines"), "{words}: {message}");
            assert!(home.names().is_empty(), "it was started");
        }
    }
}

#[test]
fn worker_with_other_weights_is_rejected() {
    let home = Home::new();
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../agents/src/net/published/special-2.net");
    fs::copy(weights, home.path("mine.net")).unwrap();
    let job = job_of(
        &home,
        "match --agents net:weights=mine.net,random --variant disney --seats 2 --sets 5 --remote --out run",
    );
    let answer_to = |job: &str| {
        let mut worker = Talk::begin(&home, "worker");
        worker.say(job);
        worker.end_with_words()
    };
    assert_eq!(answer_to(&job), (0, String::new()));
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/../agents/src/net/published/plain-2.net");
    fs::copy(other, home.path("mine.net")).unwrap();
    let (code, message) = answer_to(&job);
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("the job was begun with other files than those here: mine.net (SHA-256 "), "{message}");
}

/// A wrong answer to the second batch, made from the right answers to the first two.
type Change = fn(&str, &str) -> String;

/// Runs a command whose requests are changed on the way to the worker, and whose second answer is changed on the way back.
/// Returns the exit status and the message.
fn answered_wrongly(
    home: &Home,
    words: &str,
    request: impl Fn(&str) -> String,
    change: impl Fn(&str, &str) -> String,
) -> (i32, String) {
    let (mut run, mut worker) = (Talk::begin(home, words), Talk::begin(home, "worker"));
    let mut answers: Vec<String> = Vec::new();
    while let Some(line) = run.hear() {
        if !line.starts_with("{\"progress\"") {
            worker.say(&request(&line));
        }
        if line.starts_with("{\"batch\"") && answers.len() < 2 {
            let answer = worker.hear().unwrap();
            answers.push(answers.first().map_or(answer.clone(), |first| change(&answer, first)));
            run.say(&answers[answers.len() - 1]);
        }
    }
    assert_eq!(worker.end(), 0);
    run.end_with_words()
}

/// An answer that was changed by someone who knows its format: with its digest, and the request of the true answer.
fn forged(changed: &str, answer: &str) -> String {
    let content = |line: &str| line.rsplit_once(",\"digest\":").unwrap().0.to_owned();
    let request = |line: &str| line.split_once("\"request\":\"").unwrap().1[..64].to_owned();
    let changed = content(changed).replacen(&request(changed), &request(answer), 1);
    format!("{changed},\"digest\":\"{}\"}}", sha256(changed.as_bytes()))
}

/// The answer with its results changed.
fn with_results(answer: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut answer: Value = serde_json::from_str(answer).unwrap();
    change(&mut answer["completed"]["results"]);
    answer.to_string()
}

fn add(number: &mut Value) {
    *number = json!(number.as_u64().unwrap() + 1);
}

/// By the false field.
mod wrong {
    use super::{add, with_results};
    use serde_json::json;

    pub(super) fn nothing(answer: &str, _: &str) -> String {
        with_results(answer, |results| *results = json!([]))
    }

    pub(super) fn twice(answer: &str, _: &str) -> String {
        with_results(answer, |results| *results = json!([results[0], results[0]]))
    }

    pub(super) fn sets(_: &str, first: &str) -> String {
        first.replacen("\"number\":1", "\"number\":2", 1)
    }

    pub(super) fn no_rows(answer: &str, _: &str) -> String {
        with_results(answer, |results| results[0]["rows"] = json!(""))
    }

    pub(super) fn rows(answer: &str, _: &str) -> String {
        with_results(answer, |results| results[0]["rows"] = json!("1,2\n"))
    }

    pub(super) fn words(answer: &str, _: &str) -> String {
        with_results(answer, |results| {
            results[0]["rows"] = json!(results[0]["rows"].as_str().unwrap().replacen("finished", "\u{1b}[2J", 1));
        })
    }

    pub(super) fn wins(answer: &str, _: &str) -> String {
        with_results(answer, |results| {
            add(&mut results[0]["tally"]["by_entrant"][0]["results"]["wins"]["by_sets"]["total"]);
        })
    }

    pub(super) fn games(answer: &str, _: &str) -> String {
        with_results(answer, |results| add(&mut results[0]["tally"]["sizes"]["turns"]["counts"][0]))
    }

    pub(super) fn sets_at_place(answer: &str, _: &str) -> String {
        with_results(answer, |results| {
            results[0]["tally"]["by_entrant"][0]["by_order_of_play"][0]["wins"]["sets"] = json!(1_u64 << 32);
        })
    }

    pub(super) fn squares(answer: &str, _: &str) -> String {
        with_results(answer, |results| {
            results[0]["tally"]["by_entrant"][0]["results"]["wins"]["by_sets"]["totals_squared"] = json!(u64::MAX);
        })
    }

    pub(super) fn turns(answer: &str, _: &str) -> String {
        with_results(answer, |results| add(&mut results[0]["tally"]["by_entrant"][0]["turns"]))
    }

    // Some sums of a balance run are too large for a `Value`.
    pub(super) fn sets_of_metric(answer: &str, _: &str) -> String {
        answer.replacen("\"sets\":", "\"sets\":1", 1)
    }

    pub(super) fn games_of_metric(answer: &str, _: &str) -> String {
        answer.replacen("\"y\":", "\"y\":1", 1)
    }

    pub(super) fn rounds(answer: &str, _: &str) -> String {
        with_results(answer, |results| add(&mut results[0][1]["rounds"]))
    }

    pub(super) fn input(answer: &str, _: &str) -> String {
        with_results(answer, |results| results[0][0]["inputs"][0] = json!(65_535))
    }

    pub(super) fn outcome(answer: &str, _: &str) -> String {
        with_results(answer, |results| results[0][0]["samples"][0]["win"] = json!(7.0))
    }
}

/// Without a digest many of these changes would give a plausible answer, such as other wins or the games of another seed.
#[test]
fn line_changed_on_the_way_ends_run_without_loss() {
    let words = "tournament --agents greedy,random,mixbot --seats 2 --sets 30";
    let home = Home::new();
    home.output(&format!("{words} --out alone --quiet"));
    let same = |answer: &str, _: &str| answer.to_owned();
    let outcomes = [
        answered_wrongly(&home, &format!("{words} --remote=3 --threads 1 --out seed"), changed_seed, same),
        answered_wrongly(&home, &format!("{words} --remote=3 --threads 1 --out sets"), changed_sets, same),
        answered_wrongly(&home, &format!("{words} --remote=3 --threads 1 --out digit"), str::to_owned, |answer, _| {
            // The last digit of the results.
            let at =
                answer.rfind("]}").and_then(|end| answer[..end].rfind(|byte: char| byte.is_ascii_digit())).unwrap();
            let other = if &answer[at..=at] == "1" { "2" } else { "1" };
            format!("{}{other}{}", &answer[..at], &answer[at + 1..])
        }),
        answered_wrongly(&home, &format!("{words} --remote=3 --threads 1 --out other"), str::to_owned, |_, first| {
            // The answer to the first batch, as one to the second.
            let content = first.rsplit_once(",\"digest\":").unwrap().0.replacen("\"number\":1", "\"number\":2", 1);
            format!("{content},\"digest\":\"{}\"}}", sha256(content.as_bytes()))
        }),
    ];
    let of_request = "is not to this run's request";
    let parts = [of_request, of_request, "its content does not match its digest", of_request];
    for ((out, (code, message)), part) in ["seed", "sets", "digit", "other"].iter().zip(outcomes).zip(parts) {
        assert!(code == 2 && message.contains(part) && message.contains("add --resume"), "{out}: {message}");
        home.output(&format!("{words} --out {out} --resume --quiet"));
        assert_eq!(home.read(&format!("{out}/pairs.csv")), home.read("alone/pairs.csv"), "{out}");
    }
}

fn changed_seed(request: &str) -> String {
    request.replacen("\"seed\":1", "\"seed\":2", 1)
}

/// The second batch, one set later.
fn changed_sets(request: &str) -> String {
    let Ok(mut message) = serde_json::from_str::<Value>(request) else { return request.to_owned() };
    if message["batch"]["number"] != 2 {
        return request.to_owned();
    }
    ["start", "end"].into_iter().for_each(|end| add(&mut message["batch"]["sets"][end]));
    message.to_string()
}

#[test]
fn impossible_worker_answer_ends_run_without_loss() {
    let of_a_tally: [Change; 5] = [wrong::nothing, wrong::twice, wrong::sets, wrong::wins, wrong::games];
    let of_metrics: [Change; 3] = [wrong::nothing, wrong::sets_of_metric, wrong::games_of_metric];
    let of_a_training: [Change; 4] = [wrong::nothing, wrong::rounds, wrong::input, wrong::outcome];
    for (words, changes) in [
        ("match --agents greedy,random --seats 2 --sets 30 --games-csv", &[wrong::no_rows as Change, wrong::words][..]),
        ("match --agents greedy,random --seats 2 --sets 30", &of_a_tally),
        (
            "tournament --agents greedy,random,mixbot --seats 3 --sets 30",
            &[wrong::wins, wrong::rows, wrong::sets_at_place, wrong::squares, wrong::turns],
        ),
        ("sprt --agents greedy,random --nelo1 60 --max-sets 3000", &of_a_tally),
        ("tournament --format league --agents greedy,random,mixbot --seats 2 --sets 60", &[wrong::wins, wrong::rows]),
        ("balance --seats 2 --sets 40 --matches 0", &of_metrics),
        ("train --pretrain 4 --rounds 0 --test-games 8", &of_a_training),
    ] {
        let home = Home::new();
        home.output(&format!("{words} --out alone --quiet"));
        for (number, change) in changes.iter().enumerate() {
            let out = format!("run-{number}");
            let command = format!("{words} --remote=3 --threads 1 --out {out}");
            let forge = |answer: &str, first: &str| forged(&change(answer, first), answer);
            let (code, message) = answered_wrongly(&home, &command, str::to_owned, forge);
            let told = "the answer to batch 2 cannot be the games of set";
            assert!(code == 2 && message.contains(told), "{words}: {message}");
            assert!(message.contains("add --resume"), "{words}: {message}");
            home.output(&format!("{words} --out {out} --resume --quiet"));
            for name in names_in(&home.path("alone")).iter().filter(|name| *name != "run.json") {
                let read = |directory: &str| fs::read(home.path(directory).join(name)).unwrap();
                assert!(read("alone") == read(&out), "{words}: {name}");
            }
        }
    }
}
