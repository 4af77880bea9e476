//! A running program: it answers lines with lines, each within limits of time and length, and is always ended.
//!
//! The program runs only while it has a question to answer: see [`super::turn`].
//!
//! Every program leads a separate process group, which Ctrl-C on the terminal does not reach. Ending it kills the group and
//! its [`process_tree`] and waits for the program. If this process ends at once, the [`guard`] ends them.

use std::io;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitIdStatus, waitid};

use super::super::confinement::{self, Launch, SandboxPolicy, inherited_environment};
use super::super::diagnostics::{ProcessLog, ProgramLog};
use super::super::protocol::limits::{MAX_LINE_BYTES, MAX_UNASKED_LINES};
use super::super::protocol::{AnswerError, NO_LINE_END};
use super::clock::{Clock, TimeSpent, TimeoutCause};
use super::guard;
use super::pipes::{PipeError, PipeTransfer, Pipes};
use super::process_tree::{self, ProcessTag, Starter, kill_group};
use super::turn::Turn;
use super::usage::ProcessTreeUsage;
use crate::fault::FaultCause;
use crate::stop;

/// The time that a program gets to end by itself after it has closed a pipe. On a busy machine, the system takes long to end a
/// program and its launcher; only a program that continues without its pipes waits for all of it.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// The longest wait before a run that is to stop is noticed.
pub(super) const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// The wait between two attempts to send the rest to a program that is to end.
const SEND_INTERVAL: Duration = Duration::from_millis(1);

/// The time to continue reading after an invalid line, to distinguish an error from a flood.
const FLOOD_INTERVAL: Duration = Duration::from_millis(20);

/// The number of lines of its standard error that are quoted if a program in the sandbox ends before its first line.
const QUOTED_AT_START: usize = 6;

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
    /// The system did not carry the lines, which is not the program's fault; why, in words.
    BySystem(String),
}

impl Failure {
    /// The fault; `timed_out` if the time is over. If the system has failed, the program is not at fault: the run is stopped.
    pub(super) fn into_wrong(self, timed_out: impl FnOnce() -> AnswerError) -> AnswerError {
        match self {
            Self::Ended(how) => (FaultCause::Crash, how),
            Self::Flood(what) => (FaultCause::Flood, what),
            Self::TimedOut => timed_out(),
            Self::Unfinished => {
                let (kind, what) = timed_out();
                (kind, format!("{what}: {NO_LINE_END}"))
            }
            Self::BySystem(what) => stop::fail(what),
        }
    }
}

/// A program that was started. When dropped, it is killed with its process group and all descendants, and waited for.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Its process group, until it is ended.
    group: Option<Pid>,
    tag: ProcessTag,
    /// The launch, if a launcher has started it.
    launch: Option<Box<Launch>>,
    pipes: Pipes,
    turn: Arc<Turn>,
    clock: Box<Clock<ProcessTreeUsage>>,
    /// The time charged for its last line.
    taken: Duration,
    /// The number of last lines of its standard error to quote if it ends.
    quoted: usize,
}

impl Process {
    /// Starts the program of the first word with the others as its arguments, in the sandbox if there is a policy for one.
    pub(super) fn start(
        words: &[String],
        sandbox: Option<&SandboxPolicy>,
        log: Option<&Arc<ProgramLog>>,
    ) -> io::Result<Self> {
        let (mut command, launch) = confinement::command(words, sandbox)?;
        let log = log.map(ProcessLog::of).transpose()?.map(Box::new);
        let tag = ProcessTag::new();
        command.env_clear().envs(inherited_environment()).env(process_tree::VARIABLE, tag.value());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = guard::spawn(&mut command, sandbox.filter(|_| launch.is_none()))?;
        let group = Pid::from_child(&child);
        let (launch, plan) = launch.map(|(launch, plan)| (Box::new(launch), plan)).unzip();
        let pipes = Pipes::new(&mut child, plan.unwrap_or_default(), log);
        let starter = if launch.is_some() { Starter::Launcher } else { Starter::Host };
        let turn = Turn::first(group, tag.clone(), starter);
        let clock = Box::new(Clock::new(
            ProcessTreeUsage { command: words.join(" "), program: group, tag: tag.clone() },
            Instant::now(),
        ));
        let quoted = if sandbox.is_some() { QUOTED_AT_START } else { 1 };
        let (group, taken) = (Some(group), Duration::ZERO);
        let process = Self { child, group, tag, launch, pipes, turn, clock, taken, quoted };
        process.pipes.set_nonblocking()?;
        Ok(process)
    }

    /// Queues a line to be sent.
    pub(super) fn queue_line(&mut self, line: &str) {
        self.pipes.write_line(|outbox| outbox.push_str(line));
    }

    /// Queues the line that `write` appends.
    pub(super) fn write_line(&mut self, write: impl FnOnce(&mut String)) {
        self.pipes.write_line(write);
    }

    /// Begins the program's turn: sends the queued lines and waits for the next line, of this many bytes at most. Returns it
    /// without its end, and the time charged for it.
    ///
    /// If the run is stopped meanwhile, this is left by unwinding. The answer is not needed any more, so the owner of the
    /// process drops it.
    pub(super) fn next_line(&mut self, limit: Duration, longest: usize) -> Result<(Vec<u8>, Duration), Failure> {
        self.clock.prepare(limit, Instant::now());
        // If the question is in the pipe when the program resumes, it need not be woken again. An error occurs again in the
        // exchange.
        let _ = self.pipes.send();
        self.turn.begin();
        let mut now = Instant::now();
        self.clock.start(limit, now);
        loop {
            if let Some(line) = self.pipes.take_line() {
                if line.len() > longest {
                    return Err(self.flood(longest));
                }
                self.quoted = 1;
                return match self.clock.answer(now) {
                    Ok(taken) => {
                        self.taken = taken;
                        Ok((line, taken))
                    }
                    Err(cause) => Err(self.timeout(cause, limit, now)),
                };
            }
            if self.pipes.inbox().len() > longest {
                return Err(self.flood(longest));
            }
            let wait = match self.clock.wait(now) {
                Ok(wait) => wait,
                Err(_) if self.has_ended() => return Err(self.ended("closed its output")),
                Err(cause) => return Err(self.timeout(cause, limit, now)),
            };
            let exchanged = self.pipes.exchange(wait.min(STOP_INTERVAL)).map_err(|error| self.failure(error))?;
            now = Instant::now();
            // A descendant may hold its output open, and may even answer, unless the program itself has failed.
            if exchanged == PipeTransfer::Nothing && self.has_failed() {
                return Err(self.ended("closed its output"));
            }
            stop::check();
        }
    }

    /// A line is longer than this: writes the reason into the log.
    fn flood(&mut self, longest: usize) -> Failure {
        let flood = too_many_bytes(longest);
        self.log_end(&flood);
        Failure::Flood(flood)
    }

    /// Ends its turn.
    pub(super) fn pause(&mut self) {
        self.turn.end(self.taken);
    }

    /// There is no answer in time: writes into the log how long the program has taken.
    fn timeout(&mut self, cause: TimeoutCause, limit: Duration, now: Instant) -> Failure {
        let TimeSpent { passed, ran } = self.clock.spent(now);
        let seconds = passed.as_secs();
        let [limit, passed, ran] = [limit, passed, ran].map(|time| time.as_millis());
        if cause == TimeoutCause::Starved {
            let program = &self.clock.source.command;
            let reason = format!(
                "{program} waited {seconds} s for a processor, got {ran} ms, and has not used up its limit of {limit} ms: the \
                 machine is too busy; use fewer --threads, or end other programs"
            );
            self.log_end(&reason);
            return Failure::BySystem(reason);
        }
        let reason = format!("no answer within {limit} ms (waited {passed} ms, of which {ran} ms of processor time)");
        let inbox = self.pipes.inbox();
        if inbox.is_empty() || inbox.contains(&b'\n') {
            self.log_end(&reason);
            return Failure::TimedOut;
        }
        let reason = format!("{reason}; {} bytes arrived without a line end", inbox.len());
        self.log_end(&reason);
        Failure::Unfinished
    }

    /// Writes into the log, as its last line, why the program is ended.
    fn log_end(&mut self, reason: &str) {
        self.pipes.log_end(|| format!("ended by unolab: {reason}"));
    }

    /// Ends the exchange after a wrong answer: writes this reason into the log. Returns the description of a flood if it was
    /// one: reads on for a short time to find out.
    pub(super) fn reject(&mut self, reason: &str) -> Option<String> {
        let flood = self.floods();
        self.log_end(flood.as_deref().unwrap_or(reason));
        flood
    }

    fn floods(&mut self) -> Option<String> {
        let until = Instant::now() + FLOOD_INTERVAL;
        while self.pipes.inbox().len() <= MAX_LINE_BYTES
            && self.pipes.exchange(left(until)) == Ok(PipeTransfer::Something)
            && Instant::now() < until
        {}
        let inbox = self.pipes.inbox();
        let lines = 1 + inbox.iter().filter(|&&byte| byte == b'\n').count();
        // Without the number that has arrived, because it differs between runs.
        if lines > MAX_UNASKED_LINES {
            Some(format!("more than {MAX_UNASKED_LINES} lines in answer to one question"))
        } else {
            (inbox.len() > MAX_LINE_BYTES).then(|| too_many_bytes(MAX_LINE_BYTES))
        }
    }

    /// Sends what can be sent now, without waiting.
    pub(super) fn send_available(&mut self) {
        let _ = self.pipes.exchange(Duration::ZERO);
    }

    /// Sends the rest, if the program reads it in time, and closes its input: it may end by itself.
    pub(super) fn close_input(&mut self, until: Instant) {
        self.turn.begin();
        self.send_available();
        while !self.pipes.is_all_sent() && Instant::now() < until && self.pipes.exchange(SEND_INTERVAL).is_ok() {
            self.pipes.clear_inbox();
        }
        self.pipes.close_input();
    }

    /// Waits until it has closed its output and ended. The system closes the output of a program a moment before its end.
    pub(super) fn wait_for_end(&mut self, until: Instant) {
        while self.pipes.exchange(left(until)) == Ok(PipeTransfer::Something) && Instant::now() < until {
            self.pipes.clear_inbox();
        }
        self.wait_until_ended(until);
    }

    fn wait_until_ended(&self, until: Instant) {
        while !self.has_ended() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills it with its process group and all descendants, and waits for it.
    fn end(&mut self) -> Option<ExitStatus> {
        let group = self.group.take();
        if let Some(group) = group {
            self.turn.leave();
            process_tree::end(group, &self.tag);
            kill_group(group);
            guard::forget(group);
        }
        let status = self.child.wait().ok();
        group.into_iter().for_each(guard::has_gone);
        self.pipes.collect_final_errors();
        status
    }

    /// How it has ended, if it has. It stays on the list of processes: its number stays valid until [`Self::end`].
    fn status(&self) -> Result<Option<WaitIdStatus>, Errno> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.group.map_or(Err(Errno::CHILD), |group| waitid(WaitId::Pid(group), options))
    }

    fn has_ended(&self) -> bool {
        !matches!(self.status(), Ok(None))
    }

    fn has_failed(&self) -> bool {
        matches!(self.status(), Ok(Some(status)) if status.exit_status() != Some(0))
    }

    /// Why the program has not been started, if its launcher reports it.
    pub(super) fn launch_error(&self) -> Option<io::Error> {
        self.launch.as_ref()?.failure_in(self.pipes.errors())
    }

    fn failure(&mut self, error: PipeError) -> Failure {
        match error {
            PipeError::Closed(closed) => self.ended(closed),
            PipeError::BySystem(what) => Failure::BySystem(what),
        }
    }

    /// One of its pipes is closed: how it ended, or what it `closed` if it still runs, and the end of its standard error.
    fn ended(&mut self, closed: &str) -> Failure {
        self.wait_until_ended(Instant::now() + EXIT_GRACE);
        let ended_by_itself = self.has_ended();
        let how = match self.end() {
            Some(status) if ended_by_itself => describe_status(status),
            _ => closed.into(),
        };
        self.pipes.log_end(|| how.clone());
        match &self.pipes.last_error_lines(self.quoted)[..] {
            [] => Failure::Ended(how),
            quoted => Failure::Ended(format!("{how}: {}", quoted.join(" | "))),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let ended_by_itself = self.has_ended();
        let status = self.end().filter(|_| ended_by_itself);
        self.pipes.log_end_if_missing(|| status.map_or_else(|| "ended by unolab".into(), describe_status));
    }
}

fn left(until: Instant) -> Duration {
    until.saturating_duration_since(Instant::now())
}

fn too_many_bytes(longest: usize) -> String {
    format!("more than {longest} bytes in answer to one question")
}

fn describe_status(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit status {code}"),
        (_, Some(signal)) => format!("was ended by signal {signal}"),
        _ => "ended".into(),
    }
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
    fn program_and_descendants_are_stopped_between_turns() {
        // Twelve processes of its group that are always busy, and one that has left the group.
        let busy = "while :; do :; done";
        let mut bot = sh(&format!(
            "i=0; while [ $i -lt 12 ]; do ({busy}) & p=\"$p $!\"; i=$((i+1)); done
            setsid sh -c 'echo $$; {busy}' & read -r go; echo $$ $p; read -r go; echo again; read -r go"
        ));
        let away = line(&mut bot);
        bot.queue_line("go");
        let process_tree: Vec<String> = line(&mut bot).split(' ').map(str::to_owned).chain([away]).collect();
        assert_eq!(process_tree.len(), 14);
        bot.pause();
        wait_for("all are stopped", || states(&process_tree) == "T".repeat(14));
        // A stopped process uses no processor time, except time that is counted late.
        wait_for("no process uses processor time", || {
            let used = ticks(&process_tree);
            std::thread::sleep(Duration::from_millis(50));
            ticks(&process_tree) == used
        });
        assert_eq!(states(&process_tree), "T".repeat(14));
        bot.queue_line("go");
        assert_eq!(line(&mut bot), "again");
        wait_for("all are resumed", || !states(&process_tree).contains('T'));
        bot.pause();
        wait_for("all are stopped again", || states(&process_tree) == "T".repeat(14));
        drop(bot);
        wait_for("all have ended", || {
            !process_tree.iter().any(|member| fs::exists(format!("/proc/{member}")).unwrap())
        });
    }

    /// A child that is started in a late turn is stopped after it, though earlier children are known.
    #[test]
    fn late_child_process_is_stopped() {
        let busy = "while :; do :; done";
        let mut bot = sh(&format!(
            "while read -r what; do case $what in start) setsid sh -c 'echo $$; {busy}' & ;; *) echo $$ ;; esac; done"
        ));
        let mut process_tree = Vec::new();
        for turn in 0..12 {
            bot.queue_line(if turn % 4 == 3 { "start" } else { "wait" });
            let process = line(&mut bot);
            if !process_tree.contains(&process) {
                process_tree.push(process);
            }
            bot.pause();
            wait_for("all are stopped", || states(&process_tree) == "T".repeat(process_tree.len()));
        }
        assert_eq!(process_tree.len(), 4);
    }

    /// A program that receives its next question at once is not stopped, unless it has started others.
    #[test]
    fn program_with_children_is_stopped_at_once() {
        let mut alone = sh("while read -r go; do echo $$; done");
        let mut with_others = sh("sleep 600 & while read -r go; do echo $$; done");
        for (bot, is_stopped) in [(&mut alone, false), (&mut with_others, true)] {
            bot.queue_line("go");
            let process = [line(bot)];
            bot.pause();
            wait_for("it is stopped", || states(&process) == "T");
            bot.queue_line("go");
            line(bot);
            bot.pause();
            assert_eq!(bot.turn.is_stopped_at_once(), is_stopped);
            if is_stopped {
                wait_for("it is stopped again", || states(&process) == "T");
            }
        }
    }

    /// In one read or in several: `sleep` and the size of the reads do not decide.
    #[test]
    fn longer_line_is_flood_even_if_it_arrives_with_its_end() {
        for (length, is_flood) in [(1_000, false), (1_001, true), (30_000, true)] {
            for pause in ["", "sleep 0.02;"] {
                let zeros = |number: usize| format!("head -c {number} /dev/zero;");
                let mut bot = sh(&format!("{} {pause} {} echo; sleep 600", zeros(900), zeros(length - 900)));
                let line = bot.next_line(LONG, 1_000).map(|(line, _)| line.len());
                let flood = Failure::Flood("more than 1000 bytes in answer to one question".into());
                assert_eq!(line, if is_flood { Err(flood) } else { Ok(length) });
            }
        }
    }

    #[test]
    fn flood_is_described_without_the_number_that_has_arrived() {
        let flood = "more than 16 lines in answer to one question";
        for (lines, expected) in [(99, Some(flood)), (9, None)] {
            // One write, so that all lines arrive together.
            let mut bot = sh(&format!("lines=$(seq {lines}); echo \"$lines\"; sleep 600"));
            line(&mut bot);
            assert_eq!(bot.reject("wrong").as_deref(), expected);
        }
    }

    #[test]
    fn failure_names_closed_pipe_or_exit_status() {
        // `exec 0<&-` closes its input; it keeps running.
        let mut deaf = sh("exec 0<&-; echo ready; sleep 600");
        assert_eq!(line(&mut deaf), "ready");
        deaf.queue_line("a question");
        assert_eq!(deaf.next_line(LONG, MAX_LINE_BYTES), Err(Failure::Ended("closed its input".into())));
        let mut mute = sh("exec 1>&-; sleep 600");
        assert_eq!(mute.next_line(LONG, MAX_LINE_BYTES), Err(Failure::Ended("closed its output".into())));
        let mut gone = sh("echo why >&2; exit 7");
        assert_eq!(gone.next_line(LONG, MAX_LINE_BYTES), Err(Failure::Ended("ended with exit status 7: why".into())));
    }
}
