//! Runs the tests. First it runs each test by itself, to record which mutants it reaches and how long it takes. Then, for each
//! mutant, it runs the tests that reach it until one fails, first the quick tests that reach few other mutants. The results are
//! stored next to the list of mutants, so that an interrupted run can continue.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::build::Binary;

/// A test, and its behavior in unaltered code.
struct Test<'a> {
    binary: &'a Binary,
    name: String,
    seconds: f64,
    met: BTreeSet<u32>,
}

impl Test<'_> {
    /// Its position in the order of execution.
    fn order(&self) -> f64 {
        self.seconds * (1.0 + self.met.len() as f64)
    }

    /// Its name in tables: the file or crate, and the test.
    fn label(&self) -> String {
        match self.name.split_once("::") {
            Some((file, name)) if self.binary.has_many_files => format!("{file}: {name}"),
            _ => format!("{}: {}", self.binary.name, self.name),
        }
    }
}

enum Outcome {
    Passes,
    Fails,
    HasNoEnd,
}

/// Runs the tests and prints a table: number, place, change, and the test that detected it.
pub fn run(list: &Path, binaries: &[Binary], only: &[u32]) {
    let processes = number("UNOLAB_MUTANTS_PROCESSES", 2);
    let text = fs::read_to_string(list).expect("LIST");
    let mutants =
        text.lines().filter_map(|line| line.split_once('\t')).map(|(number, mutant)| (parsed(number), mutant));
    let mutants: Vec<(u32, &str)> = mutants.filter(|(number, _)| only.is_empty() || only.contains(number)).collect();
    let mut tests = baseline(&list.with_extension("tests"), binaries, processes);
    tests.sort_by(|a, b| a.order().total_cmp(&b.order()));
    eprintln!("{} tests, {:.0} seconds", tests.len(), tests.iter().map(|test| test.seconds).sum::<f64>());
    let seen = list.with_extension("noticed");
    let before = fs::read_to_string(&seen).unwrap_or_default();
    let before: BTreeMap<u32, &str> =
        before.lines().filter_map(|line| line.split_once('\t')).map(|(number, by)| (parsed(number), by)).collect();
    let noticed = on_threads(processes, &mutants, |&(number, mutant)| {
        let by = before.get(&number).map_or_else(|| noticed_by(number, &tests), ToString::to_string);
        if !before.contains_key(&number) {
            append(&seen, &format!("{number}\t{by}\n"));
            eprintln!("{number}\t{mutant}\t{by}");
        }
        by
    });
    println!("number,place,what,noticed_by");
    for ((number, mutant), by) in mutants.iter().zip(&noticed) {
        println!("{number},{},{by}", mutant.replace('\t', ","));
    }
    eprintln!("{} of {} survived", noticed.iter().filter(|by| by.starts_with("nothing")).count(), noticed.len());
}

fn parsed(text: &str) -> u32 {
    text.parse().expect("a number")
}

fn append(file: &Path, line: &str) {
    let file = fs::OpenOptions::new().append(true).create(true).open(file);
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the file can be written");
}

/// All tests, measured in unaltered code; results of an earlier run are read from `seen`.
fn baseline<'a>(seen: &Path, binaries: &'a [Binary], processes: u64) -> Vec<Test<'a>> {
    let before = fs::read_to_string(seen).unwrap_or_default();
    let before: BTreeMap<&str, Vec<&str>> =
        before.lines().map(|line| line.split('\t').collect::<Vec<_>>()).map(|parts| (parts[0], parts)).collect();
    let names: Vec<(&Binary, String)> = binaries.iter().flat_map(names).collect();
    let tests = on_threads(processes, &names, |(binary, name)| {
        let label = format!("{} {name}", binary.name);
        if let Some([_, seconds, met]) = before.get(&*label).map(Vec::as_slice) {
            let met = met.split(' ').filter(|number| !number.is_empty()).map(parsed).collect();
            return Some(Test { binary, name: name.clone(), seconds: seconds.parse().expect("seconds"), met });
        }
        let test = try_alone(binary, name)?;
        let met: Vec<String> = test.met.iter().map(u32::to_string).collect();
        append(seen, &format!("{label}\t{}\t{}\n", test.seconds, met.join(" ")));
        Some(test)
    });
    tests.into_iter().flatten().collect()
}

fn number(variable: &str, otherwise: u64) -> u64 {
    env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// The time limit for the tests of a mutant, measured in unaltered code.
fn seconds_of_a_mutant() -> f64 {
    number("UNOLAB_MUTANTS_SECONDS", 120) as f64
}

/// The results of `work` for every item, in order.
fn on_threads<T: Sync, R: Send>(threads: u64, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let at = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(item) = items.get(at)
                {
                    let result = work(item);
                    done.lock().expect("no thread panics").push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn names(binary: &Binary) -> Vec<(&Binary, String)> {
    let listed =
        Command::new(&binary.executable).args(["--list", "--format", "terse"]).output().expect("it lists its tests");
    let text = String::from_utf8(listed.stdout).expect("text");
    text.lines().filter_map(|line| Some((binary, line.strip_suffix(": test")?.to_owned()))).collect()
}

/// Runs a test in unaltered code. A test that fails, or takes longer than the limit for a mutant, is left out.
fn try_alone<'a>(binary: &'a Binary, name: &str) -> Option<Test<'a>> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let unique = format!("unolab-met-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let file = env::temp_dir().join(unique);
    let begin = Instant::now();
    let outcome = outcome(binary, name, 0, Some(&file), seconds_of_a_mutant());
    let seconds = begin.elapsed().as_secs_f64();
    let met = fs::read_to_string(&file).unwrap_or_default();
    let _ = fs::remove_file(&file);
    let met = met.lines().map(|line| line.parse().expect("a number")).collect();
    let test = Test { binary, name: name.to_owned(), seconds, met };
    let passes = matches!(outcome, Outcome::Passes);
    if !passes {
        let why = if matches!(outcome, Outcome::Fails) { "fails without a mutant" } else { "takes too long" };
        eprintln!("left out, for it {why}: {}", test.label());
    }
    passes.then_some(test)
}

/// The first test that fails under this mutant, if one does within the time for a mutant.
fn noticed_by(mutant: u32, tests: &[Test]) -> String {
    let mut seconds = seconds_of_a_mutant();
    let mut meet_it = tests.iter().filter(|test| test.met.contains(&mutant)).peekable();
    if meet_it.peek().is_none() {
        return "nothing: no test meets it".into();
    }
    for test in meet_it {
        if seconds < 0.0 {
            break;
        }
        seconds -= test.seconds;
        match outcome(test.binary, &test.name, mutant, None, 10.0 + 10.0 * test.seconds) {
            Outcome::Passes => {}
            Outcome::Fails => return test.label(),
            Outcome::HasNoEnd => return format!("{} has no end", test.label()),
        }
    }
    "nothing".into()
}

/// Runs a test. It is stopped when it has used `seconds` of processor time, or when twice that and 20 seconds have passed. It runs in
/// a separate process namespace, so that a mutant of code that ends processes cannot end others.
fn outcome(binary: &Binary, test: &str, mutant: u32, met: Option<&Path>, seconds: f64) -> Outcome {
    let alone = ["--pid", "--fork", "--kill-child", "--mount-proc"];
    let mut command = Command::new("unshare");
    command.args(alone).args(["sh", "-c", r#"ulimit -t "$1" && shift && exec "$@""#, "sh", &format!("{seconds:.0}")]);
    command.arg(&binary.executable).args(["--exact", test, "--test-threads=1"]).current_dir(&binary.directory);
    command.env("UNOLAB_MUTANT", mutant.to_string()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(met) = met {
        command.env("UNOLAB_MUTANTS_MET", met);
    }
    let mut child = command.spawn().expect("unshare is there");
    let end = Instant::now() + Duration::from_secs_f64(2.0 * seconds + 20.0);
    loop {
        match child.try_wait().expect("a child") {
            Some(status) if status.success() => return Outcome::Passes,
            Some(status) if matches!(status.code(), Some(137 | 152)) => return Outcome::HasNoEnd,
            Some(_) => return Outcome::Fails,
            None if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                return Outcome::HasNoEnd;
            }
            None => thread::sleep(Duration::from_millis(10)),
        }
    }
}
