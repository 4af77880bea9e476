//! A running program: lines to its standard input, lines from its standard output, each with limits of time and length, and a
//! certain end.
//!
//! The program runs only while it has a question to answer: see [`super::turn`].
//!
//! Every program leads a process group of its own, which Ctrl-C on the terminal does not reach. Ending it kills the group and
//! its [`process_tree`] and waits for the program. If this process ends at once, the [`guard`] ends them.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitIdStatus, waitid};

use super::clock::{Clock, Late, Spent};
use super::environment::handed_on;
use super::guard;
use super::limits::{MAX_LINE_BYTES, MAX_UNASKED_LINES};
use super::process_tree::{self, ProcessTag, Starter, kill_group};
use super::run_log::{ProcessLog, ProgramLog};
use super::sandbox::{self, Launch, SandboxPolicy};
use super::spawn_error::remedy_of_shortage;
use super::turn::Turn;
use super::usage::FamilyUsage;
use crate::printable::printable;
use crate::stop;

/// The time that a program gets to end by itself after it has closed its output.
const LAST_MOMENT: Duration = Duration::from_millis(100);

/// The longest wait before a run that is to stop is noticed.
pub(super) const STOP_LOOK: Duration = Duration::from_millis(100);

/// The time after which one looks again whether a program that is to end has read all.
const A_LITTLE: Duration = Duration::from_millis(1);

/// The time to read on after an invalid line, to distinguish a mistake from a flood.
const LISTEN_ON: Duration = Duration::from_millis(20);

/// The bytes for which there is room at least when it is read. Most lines are shorter; for longer ones there is soon more.
const LEAST_ROOM: usize = 1_000;

/// The number of bytes kept of its standard error.
const STDERR_BYTES: usize = 4096;

/// The number of lines of its standard error that are quoted if a program in the sandbox ends before its first line.
const LINES_OF_START: usize = 6;

/// The number of further pieces of that size that are read after the program has ended.
const MOST_LAST_WORDS: usize = 1_024;

/// Why there is no line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// It has ended; how, in words.
    Ended(String),
    /// The time is over.
    TimedOut,
    /// The time is over, and the program has written a line without its end.
    Unfinished,
    /// It has written too much, with a description.
    Flood(String),
    /// The system did not carry the lines, whatever the program did; why, in words.
    BySystem(String),
}

/// A program that was started. Dropped, it is killed with its whole process group and family, and waited for.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Its process group, until it is ended.
    group: Option<Pid>,
    mark: ProcessTag,
    /// The launch, if a launcher has started it.
    launch: Option<Box<Launch>>,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    turn: Arc<Turn>,
    clock: Box<Clock<FamilyUsage>>,
    /// The time charged for its last line.
    taken: Duration,
    /// The lines to be sent; empty once all is sent.
    outbox: String,
    /// The number of its bytes that are sent. A batch of many questions is longer than the pipe takes at a time.
    sent: usize,
    inbox: Vec<u8>,
    errors: Vec<u8>,
    /// The number of its last lines to quote if it ends.
    quoted: usize,
    /// The log, if there is one.
    run_log: Option<Box<ProcessLog>>,
}

impl Process {
    /// Starts the program of the first word with the others as its arguments, within walls or not.
    pub(super) fn start(
        words: &[String],
        walls: Option<&SandboxPolicy>,
        run_log: Option<&Arc<ProgramLog>>,
    ) -> io::Result<Self> {
        let (mut command, launch) = sandbox::command(words, walls)?;
        let run_log = run_log.map(ProcessLog::of).transpose()?.map(Box::new);
        let mark = ProcessTag::new();
        command.env_clear().envs(handed_on()).env(process_tree::VARIABLE, mark.value());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = guard::spawn(&mut command, walls.filter(|_| launch.is_none()))?;
        let group = Pid::from_child(&child);
        let stdin = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take().expect("it is piped"), child.stderr.take());
        let (launch, outbox) = launch.map(|(launch, plan)| (Box::new(launch), plan)).unzip();
        let outbox = outbox.unwrap_or_default();
        let (sent, inbox, errors) = (0, Vec::new(), Vec::new());
        let quoted = if walls.is_some() { LINES_OF_START } else { 1 };
        let starter = if launch.is_some() { Starter::Launcher } else { Starter::Host };
        let (turn, taken) = (Turn::first(group, mark.clone(), starter), Duration::ZERO);
        let clock = Box::new(Clock::new(FamilyUsage { program: group, mark: mark.clone() }, Instant::now()));
        let group = Some(group);
        let process = Self {
            child,
            group,
            mark,
            launch,
            stdin,
            stdout,
            stderr,
            turn,
            clock,
            taken,
            outbox,
            sent,
            inbox,
            errors,
            quoted,
            run_log,
        };
        // Only our ends: what the program has of the pipes is as it expects.
        process.stdin.as_ref().map(|pipe| ioctl_fionbio(pipe, true)).transpose()?;
        ioctl_fionbio(&process.stdout, true)?;
        process.stderr.as_ref().map(|pipe| ioctl_fionbio(pipe, true)).transpose()?;
        Ok(process)
    }

    /// Puts a line among those to be sent.
    pub(super) fn say(&mut self, line: &str) {
        self.write_line(|outbox| outbox.push_str(line));
    }

    /// Puts what this writes among the lines to be sent.
    pub(super) fn write_line(&mut self, write: impl FnOnce(&mut String)) {
        let begin = self.outbox.len();
        write(&mut self.outbox);
        if let Some(run_log) = &mut self.run_log {
            run_log.line("<-", &self.outbox.as_bytes()[begin..]);
        }
        self.outbox.push('\n');
    }

    /// Begins the program's turn: sends the lines to be sent and waits for the next line, of this many bytes at most. Returns it
    /// without its end, and the time charged for it.
    ///
    /// If the run is stopped meanwhile, this is left by unwinding. The answer is not needed any more, so the owner of the
    /// process drops it.
    pub(super) fn next_line(&mut self, limit: Duration, longest: usize) -> Result<(Vec<u8>, Duration), Failure> {
        self.clock.prepare(limit, Instant::now());
        // What is there already need not wake it a second time. A mistake shows again in the exchange.
        let _ = self.send();
        self.turn.begin();
        let mut now = Instant::now();
        self.clock.start(limit, now);
        let mut searched = 0;
        loop {
            let end = self.inbox[searched..].iter().position(|&byte| byte == b'\n').map(|end| searched + end);
            searched = end.unwrap_or(self.inbox.len());
            if self.outbox.is_empty()
                && let Some(end) = end
            {
                let rest = self.inbox.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.inbox, rest);
                line.truncate(end);
                if let Some(run_log) = &mut self.run_log {
                    run_log.line("->", &line);
                }
                self.quoted = 1;
                return match self.clock.answer(now) {
                    Ok(taken) => {
                        self.taken = taken;
                        Ok((line, taken))
                    }
                    Err(Late) => Err(self.timed_out(limit, now)),
                };
            }
            if self.inbox.len() > longest {
                let flood = format!("more than {longest} bytes that nobody asked for");
                self.log_end(&flood);
                return Err(Failure::Flood(flood));
            }
            let Some(wait) = self.clock.wait(now) else {
                return Err(if self.has_ended() {
                    self.ended("closed its output")
                } else {
                    self.timed_out(limit, now)
                });
            };
            let exchanged = self.exchange(wait.min(STOP_LOOK))?;
            now = Instant::now();
            // What it has started may hold its output open, and may even answer, unless the program itself has failed.
            if exchanged == Exchanged::Nothing && self.has_failed() {
                return Err(self.ended("closed its output"));
            }
            stop::check();
        }
    }

    /// Its turn is over.
    pub(super) fn pause(&mut self) {
        self.turn.end(self.taken);
    }

    /// The program is late: writes into the log how long it has taken.
    fn timed_out(&mut self, limit: Duration, now: Instant) -> Failure {
        let Spent { passed, ran } = self.clock.spent(now);
        let [limit, passed, ran] = [limit, passed, ran].map(|time| time.as_millis());
        let reason = format!("no answer within {limit} ms (waited {passed} ms, of which {ran} ms of processor time)");
        if self.inbox.is_empty() || self.inbox.contains(&b'\n') {
            self.log_end(&reason);
            return Failure::TimedOut;
        }
        self.log_end(&format!("{reason}; {} bytes arrived without a line end", self.inbox.len()));
        Failure::Unfinished
    }

    /// Writes into the log, as its last line, why the program is ended.
    fn log_end(&mut self, reason: &str) {
        if let Some(run_log) = &mut self.run_log {
            run_log.end(format!("ended by unolab: {reason}"));
        }
    }

    /// Ends the exchange after a wrong answer: writes this reason into the log. Returns what a flood is called, if it was one:
    /// listens for another moment to find out.
    pub(super) fn reject(&mut self, reason: &str) -> Option<String> {
        let flood = self.floods();
        self.log_end(flood.as_deref().unwrap_or(reason));
        flood
    }

    fn floods(&mut self) -> Option<String> {
        let until = Instant::now() + LISTEN_ON;
        while self.inbox.len() <= MAX_LINE_BYTES
            && self.exchange(left(until)) == Ok(Exchanged::Something)
            && Instant::now() < until
        {}
        let lines = 1 + self.inbox.iter().filter(|&&byte| byte == b'\n').count();
        (lines > MAX_UNASKED_LINES || self.inbox.len() > MAX_LINE_BYTES)
            .then(|| format!("{lines} lines or more in answer to one question"))
    }

    /// Sends what can be sent now, without waiting.
    pub(super) fn send_on(&mut self) {
        let _ = self.exchange(Duration::ZERO);
    }

    /// Sends the rest, if it reads it in time, and closes its input: it may end by itself.
    pub(super) fn close_input(&mut self, until: Instant) {
        self.turn.begin();
        self.send_on();
        while !self.outbox.is_empty() && Instant::now() < until && self.exchange(A_LITTLE).is_ok() {
            self.inbox.clear();
        }
        self.stdin = None;
    }

    /// Waits until it has closed its output.
    pub(super) fn wait_for_end(&mut self, until: Instant) {
        while self.exchange(left(until)) == Ok(Exchanged::Something) && Instant::now() < until {
            self.inbox.clear();
        }
    }

    /// Waits until a pipe is ready, for this long at most, and moves what can be moved. A signal ends the wait too, and
    /// counts as something that was moved, so that the caller reads the clock again.
    fn exchange(&mut self, longest: Duration) -> Result<Exchanged, Failure> {
        let mut exchanged = self.send().map_err(|error| self.lost(error, "closed its input"))?;
        let ready = match self.wait_for_pipes(longest) {
            Ok(ready) => ready,
            Err(Errno::INTR) => return Ok(Exchanged::Something),
            Err(error) => return Err(Failure::BySystem(format!("cannot wait for a program: {error}"))),
        };
        if ready.stdin {
            exchanged = Exchanged::Something; // now there is room
        }
        if ready.stderr {
            exchanged = Exchanged::Something;
            self.collect_errors();
        }
        if ready.stdout {
            exchanged = Exchanged::Something;
            self.inbox.reserve(LEAST_ROOM);
            match read(&self.stdout, spare_capacity(&mut self.inbox)) {
                Ok(0) => return Err(self.ended("closed its output")),
                Ok(_) | Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(self.lost(error, "closed its output")),
            }
        }
        Ok(exchanged)
    }

    /// Sends what the pipe has room for, mostly all.
    fn send(&mut self) -> Result<Exchanged, Errno> {
        let Some(stdin) = self.stdin.as_ref().filter(|_| !self.outbox.is_empty()) else {
            return Ok(Exchanged::Nothing);
        };
        match write(stdin, &self.outbox.as_bytes()[self.sent..]) {
            Ok(sent) => {
                self.sent += sent;
                if self.sent == self.outbox.len() {
                    self.outbox.clear();
                    self.sent = 0;
                }
                Ok(Exchanged::Something)
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(Exchanged::Nothing),
            Err(error) => Err(error),
        }
    }

    fn wait_for_pipes(&self, longest: Duration) -> Result<Ready, Errno> {
        let stdin = self.stdin.as_ref().filter(|_| !self.outbox.is_empty());
        // In the place of a pipe that is not asked: the end of the output is told in any case.
        let none = || PollFd::new(&self.stdout, PollFlags::empty());
        let mut pipes = [
            PollFd::new(&self.stdout, PollFlags::IN),
            self.stderr.as_ref().map_or_else(none, |pipe| PollFd::new(pipe, PollFlags::IN)),
            stdin.map_or_else(none, |pipe| PollFd::new(pipe, PollFlags::OUT)),
        ];
        // Mostly all is sent, and the last is none.
        let asked = if stdin.is_some() { &mut pipes[..] } else { &mut pipes[..2] };
        poll(asked, Some(&Timespec::try_from(longest).map_err(|_| Errno::INVAL)?))?;
        let [stdout, stderr, stdin] = pipes.map(|pipe| !pipe.revents().is_empty());
        Ok(Ready { stdout, stderr: stderr && self.stderr.is_some(), stdin: stdin && !self.outbox.is_empty() })
    }

    /// Keeps the end of what it says on standard error: there a program that fails says why. Was there anything?
    fn collect_errors(&mut self) -> bool {
        let Some(stderr) = &self.stderr else { return false };
        let mut bytes = [0; STDERR_BYTES];
        match read(stderr, &mut bytes) {
            Ok(0) => self.stderr = None,
            Ok(number) => {
                if let Some(run_log) = &mut self.run_log {
                    run_log.errors(&bytes[..number]);
                }
                self.errors.extend_from_slice(&bytes[..number]);
                self.errors.drain(..self.errors.len().saturating_sub(STDERR_BYTES));
                return true;
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => self.stderr = None,
        }
        false
    }

    /// Kills it with its whole group and family, and waits for it.
    fn end(&mut self) -> Option<ExitStatus> {
        let group = self.group.take();
        if let Some(group) = group {
            self.turn.leave();
            process_tree::end(group, &self.mark);
            kill_group(group);
            guard::forget(group);
        }
        let status = self.child.wait().ok();
        group.into_iter().for_each(guard::has_gone);
        // Its last words are still in the pipe. Whoever has got away from it may go on for ever.
        for _ in 0..MOST_LAST_WORDS {
            if !self.collect_errors() {
                break;
            }
        }
        status
    }

    /// How it has ended, if it has. It stays on the list of processes: its number is its own until it is ended for good.
    fn status(&self) -> Result<Option<WaitIdStatus>, Errno> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.group.map_or(Err(Errno::CHILD), |group| waitid(WaitId::Pid(group), look))
    }

    fn has_ended(&self) -> bool {
        !matches!(self.status(), Ok(None))
    }

    fn has_failed(&self) -> bool {
        matches!(self.status(), Ok(Some(status)) if status.exit_status() != Some(0))
    }

    /// Why the program has not been started, if its launcher reports it.
    pub(super) fn launch_error(&self) -> Option<io::Error> {
        self.launch.as_ref()?.failure_in(&self.errors)
    }

    /// A pipe carries nothing any more: the system is short of something, or the program has ended or `closed` it.
    fn lost(&mut self, error: Errno, closed: &str) -> Failure {
        let error = error.into();
        match remedy_of_shortage(&error) {
            Some(remedy) => Failure::BySystem(format!("cannot exchange lines with a program: {error}; {remedy}")),
            None => self.ended(closed),
        }
    }

    /// A pipe of it is closed: how it ended, or what it `closed` if it lives on, and its last words.
    fn ended(&mut self, closed: &str) -> Failure {
        let until = Instant::now() + LAST_MOMENT;
        while !self.has_ended() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        let ended_by_itself = self.has_ended();
        let how = match self.end() {
            Some(status) if ended_by_itself => in_words(status),
            _ => closed.into(),
        };
        if let Some(run_log) = &mut self.run_log {
            run_log.end(how.clone());
        }
        let errors = String::from_utf8_lossy(&self.errors);
        let lines: Vec<String> = errors.lines().map(str::trim).filter(|line| !line.is_empty()).map(shortened).collect();
        match &lines[lines.len().saturating_sub(self.quoted)..] {
            [] => Failure::Ended(how),
            quoted => Failure::Ended(format!("{how}: {}", quoted.join(" | "))),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let ended_by_itself = self.has_ended();
        let status = self.end().filter(|_| ended_by_itself);
        if let Some(run_log) = self.run_log.as_mut().filter(|run_log| !run_log.has_end()) {
            run_log.end(status.map_or_else(|| "ended by unolab".into(), in_words));
        }
    }
}

fn left(until: Instant) -> Duration {
    until.saturating_duration_since(Instant::now())
}

/// Which pipes have something for us.
struct Ready {
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

/// Whether anything was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exchanged {
    Nothing,
    Something,
}

fn in_words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit status {code}"),
        (_, Some(signal)) => format!("was ended by signal {signal}"),
        _ => "ended".into(),
    }
}

/// A text of a program as a table can show it: short, and without invisible characters.
pub(super) fn shortened(text: &str) -> String {
    printable(&cut(text, 160))
}

/// The first characters of a text.
pub(super) fn cut(text: &str, longest: usize) -> String {
    let mut short: String = text.chars().take(longest).collect();
    if text.chars().nth(longest).is_some() {
        short.push('…');
    }
    short
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn sh(script: &str) -> Process {
        Process::start(&["sh".into(), "-c".into(), script.into()], None, None).expect("sh starts")
    }

    fn line(process: &mut Process) -> String {
        String::from_utf8(process.next_line(LONG, MAX_LINE_BYTES).expect("a line").0).expect("text")
    }

    /// The states of these processes: `T` for one that is stopped.
    fn states(processes: &[String]) -> String {
        let stat = |process: &String| fs::read_to_string(format!("/proc/{process}/stat")).expect("it is there");
        processes.iter().filter_map(|process| stat(process).rsplit_once(") ")?.1.chars().next()).collect()
    }

    fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
        let until = Instant::now() + LONG;
        while !holds() {
            assert!(Instant::now() < until, "{what}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The processor time of these processes, in ticks.
    fn ticks(processes: &[String]) -> Vec<String> {
        let stat = |process: &String| fs::read_to_string(format!("/proc/{process}/stat")).expect("it is there");
        processes.iter().map(|process| stat(process).split(' ').skip(13).take(2).collect()).collect()
    }

    #[test]
    fn between_its_turns_a_program_and_all_that_it_has_started_get_no_processor() {
        // Twelve of its group that are always busy, and one that has left it.
        let busy = "while :; do :; done";
        let mut bot = sh(&format!(
            "i=0; while [ $i -lt 12 ]; do ({busy}) & p=\"$p $!\"; i=$((i+1)); done
            setsid sh -c 'echo $$; {busy}' & read -r go; echo $$ $p; read -r go; echo again; read -r go"
        ));
        let away = line(&mut bot);
        bot.say("go");
        let process_tree: Vec<String> = line(&mut bot).split(' ').map(str::to_owned).chain([away]).collect();
        assert_eq!(process_tree.len(), 14);
        bot.pause();
        wait_for("all are stopped", || states(&process_tree) == "T".repeat(14));
        // Who is stopped uses nothing, but for what is counted late.
        wait_for("nobody uses anything", || {
            let used = ticks(&process_tree);
            std::thread::sleep(Duration::from_millis(50));
            ticks(&process_tree) == used
        });
        assert_eq!(states(&process_tree), "T".repeat(14));
        bot.say("go");
        assert_eq!(line(&mut bot), "again");
        wait_for("all go on", || !states(&process_tree).contains('T'));
        bot.pause();
        wait_for("all are stopped again", || states(&process_tree) == "T".repeat(14));
        drop(bot);
        wait_for("all have gone", || !process_tree.iter().any(|member| fs::exists(format!("/proc/{member}")).unwrap()));
    }

    /// Who is started in one turn is stopped after it, though those of the turns before are known.
    #[test]
    fn late_child_process_is_stopped() {
        let busy = "while :; do :; done";
        let mut bot = sh(&format!(
            "while read -r what; do case $what in start) setsid sh -c 'echo $$; {busy}' & ;; *) echo $$ ;; esac; done"
        ));
        let mut process_tree = Vec::new();
        for turn in 0..12 {
            bot.say(if turn % 4 == 3 { "start" } else { "wait" });
            let process = line(&mut bot);
            if !process_tree.contains(&process) {
                process_tree.push(process);
            }
            bot.pause();
            wait_for("all are stopped", || states(&process_tree) == "T".repeat(process_tree.len()));
        }
        assert_eq!(process_tree.len(), 4);
    }

    /// Asked again at once, a program has nothing to be stopped for; with others that it has started it is stopped all the same.
    #[test]
    fn program_with_children_is_stopped_at_once() {
        let mut alone = sh("while read -r go; do echo $$; done");
        let mut with_others = sh("sleep 600 & while read -r go; do echo $$; done");
        for (bot, is_stopped) in [(&mut alone, false), (&mut with_others, true)] {
            bot.say("go");
            let process = [line(bot)];
            bot.pause();
            wait_for("it is stopped", || states(&process) == "T");
            bot.say("go");
            line(bot);
            bot.pause();
            assert_eq!(bot.turn.is_stopped_at_once(), is_stopped);
            if is_stopped {
                wait_for("it is stopped again", || states(&process) == "T");
            }
        }
    }

    #[test]
    fn who_closed_what_is_said() {
        // `exec 0<&-` closes what it reads from; it goes on living.
        let mut deaf = sh("exec 0<&-; echo ready; sleep 600");
        assert_eq!(line(&mut deaf), "ready");
        deaf.say("a question");
        assert_eq!(deaf.next_line(LONG, MAX_LINE_BYTES), Err(Failure::Ended("closed its input".into())));
        let mut mute = sh("exec 1>&-; sleep 600");
        assert_eq!(mute.next_line(LONG, MAX_LINE_BYTES), Err(Failure::Ended("closed its output".into())));
        let mut gone = sh("echo why >&2; exit 7");
        assert_eq!(gone.next_line(LONG, MAX_LINE_BYTES), Err(Failure::Ended("ended with exit status 7: why".into())));
    }
}
