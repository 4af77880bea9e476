//! The log of programs: all that they write to standard error and, on request, every line of the protocol.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::decision_times::DecisionTimes;
use crate::options::is_program;

/// The maximum number of bytes of standard error that are kept for a program.
const MOST_BYTES: u64 = 64 << 20;

/// A longer line on standard error is split into several.
const LONGEST_LINE: usize = 65_536;

/// The log of all programs of a run.
#[derive(Debug)]
pub struct RunLog {
    programs: Vec<(String, Arc<ProgramLog>)>,
}

/// An owner of processes that may still write to their standard error when they end.
pub(crate) trait StderrSource: Send + Sync {
    /// Ends idle processes.
    fn release(&self);
}

/// The log of one program, for all its processes.
pub(crate) struct ProgramLog {
    /// Its entrant's name.
    entrant: String,
    /// The name as a valid file name.
    name: String,
    times: Mutex<DecisionTimes>,
    errors: Mutex<Errors>,
    log: Option<PathBuf>,
    lost: Mutex<Lost>,
    processes: AtomicU32,
    /// Processes that may still write.
    watched: Mutex<Vec<Weak<dyn StderrSource>>>,
}

impl fmt::Debug for ProgramLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgramLog").field("name", &self.name).finish_non_exhaustive()
    }
}

impl ProgramLog {
    /// A new file for one more process. A resumed run finds the files of its first part here, and they stay.
    fn new_file_in(&self, directory: &Path) -> io::Result<File> {
        loop {
            let number = 1 + self.processes.fetch_add(1, Ordering::Relaxed);
            match File::create_new(directory.join(format!("{}.{number}.log", self.name))) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made,
            }
        }
    }

    /// Counts an answer that took this time.
    pub(crate) fn count_decision(&self, taken: Duration) {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).add(taken);
    }

    /// Registers a program whose processes write into it.
    pub(crate) fn watch(&self, program: &Arc<impl StderrSource + 'static>) {
        self.watched
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Arc::downgrade(program) as Weak<dyn StderrSource>);
    }

    /// Counts a line that could not be written: a full disk does not end a game, but is reported.
    fn count(&self, written: io::Result<()>) {
        if let Err(error) = written {
            let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
            lost.lines += 1;
            lost.first.get_or_insert(error);
        }
    }

    /// Ends idle processes, to read the rest of their standard error.
    fn collect_stderr(&self) {
        let watched = std::mem::take(&mut *self.watched.lock().unwrap_or_else(PoisonError::into_inner));
        watched.iter().filter_map(Weak::upgrade).for_each(|program| program.release());
    }
}

#[derive(Debug)]
struct Errors {
    file: File,
    bytes: u64,
}

/// Lines that could not be written.
#[derive(Debug, Default)]
struct Lost {
    lines: u64,
    first: Option<io::Error>,
}

impl RunLog {
    /// A log for these entrants, each with its agent's text and its name. The protocol lines go into this directory, which
    /// is created.
    ///
    /// # Errors
    /// A file cannot be made.
    pub fn new<'a>(entrants: impl IntoIterator<Item = (&'a str, &'a str)>, log: Option<&Path>) -> io::Result<Self> {
        log.map(fs::create_dir_all).transpose()?;
        let mut programs: Vec<(String, Arc<ProgramLog>)> = Vec::new();
        for (agent, name) in entrants {
            let agent = agent.trim();
            if !is_program(agent) || programs.iter().any(|(other, _)| other == agent) {
                continue;
            }
            let (entrant, plain) = (name, file_name(name));
            let is_taken = |name: &str| programs.iter().any(|(_, other)| other.name == name);
            let mut name = plain.clone();
            for number in 2.. {
                if !is_taken(&name) {
                    break;
                }
                name = format!("{plain}-{number}");
            }
            let errors = Mutex::new(Errors { file: tempfile::tempfile()?, bytes: 0 });
            let log = log.map(Path::to_owned);
            let (lost, processes, watched) = (Mutex::default(), AtomicU32::new(0), Mutex::default());
            let (entrant, times) = (entrant.to_owned(), Mutex::default());
            let run_log = ProgramLog { entrant, name, times, errors, log, lost, processes, watched };
            programs.push((agent.to_owned(), Arc::new(run_log)));
        }
        Ok(Self { programs })
    }

    /// The log of the program of this agent.
    pub(crate) fn of(&self, agent: &str) -> Option<Arc<ProgramLog>> {
        self.programs.iter().find(|(other, _)| other == agent.trim()).map(|(_, run_log)| Arc::clone(run_log))
    }

    /// The standard error of each program that wrote any, by a file name made of its entrant's name. Idle processes are
    /// ended first.
    ///
    /// # Errors
    /// It cannot be read back.
    pub fn errors(&self) -> io::Result<BTreeMap<String, Vec<u8>>> {
        let mut all = BTreeMap::new();
        for (_, program) in &self.programs {
            program.collect_stderr();
            let mut errors = program.errors.lock().unwrap_or_else(PoisonError::into_inner);
            let mut bytes = Vec::new();
            errors.file.seek(SeekFrom::Start(0))?;
            errors.file.read_to_end(&mut bytes)?;
            if !bytes.is_empty() {
                all.insert(program.name.clone(), bytes);
            }
        }
        Ok(all)
    }

    /// The times of the decisions of each program that answered any, by its entrant.
    pub fn times(&self) -> impl Iterator<Item = (&str, DecisionTimes)> {
        let all = self.programs.iter().map(|(_, program)| {
            (&*program.entrant, program.times.lock().unwrap_or_else(PoisonError::into_inner).clone())
        });
        all.filter(|(_, times)| times.decisions() > 0)
    }

    /// What is missing in the log, in words: one sentence for each program some of whose lines could not be written.
    pub fn gaps(&self) -> impl Iterator<Item = String> {
        self.programs.iter().filter_map(|(_, program)| {
            let Lost { lines, first } = &*program.lost.lock().unwrap_or_else(PoisonError::into_inner);
            let reason = first.as_ref()?;
            let are = if *lines == 1 { "1 line is" } else { &*format!("{lines} lines are") };
            Some(format!("{are} missing in the log of {}: {reason}", program.name))
        })
    }
}

/// The name with letters, digits, `-`, `_`, and `.`; each other character becomes `_`.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    let name: String = name.chars().map(plain).take(80).collect();
    if name.starts_with('.') { format!("_{name}") } else { name }
}

/// The log of one process.
#[derive(Debug)]
pub(crate) struct ProcessLog {
    program: Arc<ProgramLog>,
    /// The begun line on standard error.
    begun: Vec<u8>,
    log: Option<Log>,
    /// How the process has ended: the last line.
    end: Option<String>,
}

#[derive(Debug)]
struct Log {
    file: File,
    begin: Instant,
}

impl ProcessLog {
    /// The log of one more process.
    pub(crate) fn of(program: &Arc<ProgramLog>) -> io::Result<Self> {
        let log = match &program.log {
            Some(directory) => Some(Log { file: program.new_file_in(directory)?, begin: Instant::now() }),
            None => None,
        };
        Ok(Self { program: Arc::clone(program), begun: Vec::new(), log, end: None })
    }

    /// A line of the protocol: `<-` to the program, `->` from it, `!!` on standard error, `==` about it.
    pub(crate) fn line(&mut self, mark: &str, line: &[u8]) {
        if let Some(Log { file, begin }) = &mut self.log {
            let head = format!("{:>10.3} {mark} ", 1e3 * begin.elapsed().as_secs_f64());
            let whole = [head.as_bytes(), line, b"\n"].concat();
            self.program.count(file.write_all(&whole));
        }
    }

    /// Sets the last line: how the process has ended, or why it is ended.
    pub(crate) fn end(&mut self, how: String) {
        self.end = Some(how);
    }

    /// Whether the end of the process is recorded.
    pub(crate) const fn has_end(&self) -> bool {
        self.end.is_some()
    }

    /// Adds output on standard error. Only whole lines are written, so that lines of several processes are not mixed.
    pub(crate) fn errors(&mut self, bytes: &[u8]) {
        self.begun.extend_from_slice(bytes);
        while let Some(end) = self.begun.iter().position(|&byte| byte == b'\n') {
            let rest = self.begun.split_off(end + 1);
            let line = std::mem::replace(&mut self.begun, rest);
            self.keep(&line);
        }
        if self.begun.len() > LONGEST_LINE {
            let line = std::mem::take(&mut self.begun);
            self.keep(&line);
        }
    }

    fn keep(&mut self, line: &[u8]) {
        self.line("!!", line.strip_suffix(b"\n").unwrap_or(line));
        let mut errors = self.program.errors.lock().unwrap_or_else(PoisonError::into_inner);
        if errors.bytes < MOST_BYTES {
            errors.bytes += line.len() as u64;
            self.program.count(errors.file.write_all(line));
            if errors.bytes >= MOST_BYTES {
                self.program.count(errors.file.write_all(b"\n... more was said, and is not kept\n"));
            }
        }
    }
}

impl Drop for ProcessLog {
    fn drop(&mut self) {
        if !self.begun.is_empty() {
            self.errors(b"\n");
        }
        if let Some(how) = self.end.take() {
            self.line("==", how.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concurrent_log_lines_stay_whole_in_one_file_per_program() {
        let entrants = [("cmd:a", "mine"), ("greedy", "greedy"), ("cmd:b", "cmd:b"), ("cmd:c", "cmd_b")];
        let run_log = RunLog::new(entrants, None).unwrap();
        assert!(run_log.of("greedy").is_none() && run_log.errors().unwrap().is_empty());
        let mut one = ProcessLog::of(&run_log.of("cmd:a").unwrap()).unwrap();
        let mut two = ProcessLog::of(&run_log.of(" cmd:a").unwrap()).unwrap();
        one.errors(b"first ");
        two.errors(b"second\nthird");
        one.errors(b"line\n");
        drop(two);
        ProcessLog::of(&run_log.of("cmd:c").unwrap()).unwrap().errors(b"x\n");
        let errors = run_log.errors().unwrap();
        assert_eq!(errors["mine"], b"second\nfirst line\nthird\n");
        assert_eq!(errors.keys().collect::<Vec<_>>(), ["cmd_b-2", "mine"]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn log_lines_lost_on_full_disk_are_reported() {
        let directory = tempfile::tempdir().unwrap();
        let run_log = RunLog::new([("cmd:a", "mine"), ("cmd:b", "other")], Some(directory.path())).unwrap();
        for program in ["cmd:a", "cmd:b"] {
            let mut one = ProcessLog::of(&run_log.of(program).unwrap()).unwrap();
            if program == "cmd:a" {
                one.log.as_mut().unwrap().file = File::options().write(true).open("/dev/full").unwrap();
            }
            one.line("<-", b"{}");
            one.errors(b"heard\n");
        }
        let gaps: Vec<String> = run_log.gaps().collect();
        assert_eq!(gaps.len(), 1, "{gaps:?}");
        assert!(gaps[0].starts_with("2 lines are missing in the log of mine: No space left"), "{gaps:?}");
        assert_eq!(run_log.errors().unwrap()["mine"], b"heard\n");
    }

    #[test]
    fn log_beyond_limit_is_truncated_with_notice() {
        let run_log = RunLog::new([("cmd:a", "mine")], None).unwrap();
        let mut one = ProcessLog::of(&run_log.of("cmd:a").unwrap()).unwrap();
        one.errors(b"first\n");
        one.program.errors.lock().unwrap().bytes = MOST_BYTES - 7;
        one.errors(b"second\nthird\n");
        assert_eq!(run_log.errors().unwrap()["mine"], b"first\nsecond\n\n... more was said, and is not kept\n");
    }

    #[test]
    fn existing_logs_are_preserved() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("mine.1.log"), "of before").unwrap();
        let run_log = RunLog::new([("cmd:a", "mine")], Some(directory.path())).unwrap();
        ProcessLog::of(&run_log.of("cmd:a").unwrap()).unwrap().line("<-", b"{}");
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
        assert_eq!(read("mine.1.log"), "of before");
        assert!(read("mine.2.log").contains("<- {}"));
    }

    #[test]
    fn log_names_are_valid_file_names() {
        assert_eq!(file_name("cmd:\"python3 ../a b.py\""), "cmd__python3_.._a_b.py_");
        assert_eq!(file_name("../x"), "_.._x");
    }
}
