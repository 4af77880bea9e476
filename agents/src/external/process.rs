//! A running program: lines to its standard input, lines from its standard output, each in limited time and length, and
//! an end that is certain.
//!
//! Every program leads a process group of its own, which Ctrl-C on the terminal does not reach. Ending it kills the
//! group and its [`family`] and waits for the program, so nothing is left behind; what ends this process at once ends
//! them through the [`guard`].

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::family::{self, Mark};
use super::{MAX_LINE_BYTES, MAX_UNASKED_LINES, guard};

/// How long a program that has closed its output may take to end by itself.
const LAST_MOMENT: Duration = Duration::from_millis(100);

/// How long a program that has said something wrong is listened to, to tell a slip from a flood.
const LISTEN_ON: Duration = Duration::from_millis(20);

/// How much of what it writes to standard error is kept.
const STDERR_BYTES: usize = 4096;

/// Why there is no line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// It has ended; how, in words.
    Ended(String),
    /// The time is over.
    TimedOut,
    /// It has written more than anybody asked for; what, in words.
    Flood(String),
}

pub(super) fn kill_group(group: Pid) {
    // It can only fail because there is nobody left to kill.
    let _ = kill_process_group(group, Signal::KILL);
}

/// A program that was started. Dropped, it is killed with its whole process group and family, and waited for.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Its process group, until it is ended.
    group: Option<Pid>,
    mark: Mark,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    unsent: Vec<u8>,
    inbox: Vec<u8>,
    errors: Vec<u8>,
}

impl Process {
    /// Starts the program of the first word with the others as its arguments.
    pub(super) fn start(words: &[String]) -> io::Result<Self> {
        let [program, arguments @ ..] = words else { return Err(io::ErrorKind::InvalidInput.into()) };
        let mut command = Command::new(program);
        let mark = Mark::new();
        command.args(arguments).env(family::VARIABLE, mark.value());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = guard::spawn(&mut command)?;
        let group = Pid::from_child(&child);
        let stdin = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take().expect("it is piped"), child.stderr.take());
        let (unsent, inbox, errors) = (Vec::new(), Vec::new(), Vec::new());
        let process = Self { child, group: Some(group), mark, stdin, stdout, stderr, unsent, inbox, errors };
        // Only our ends: what the program has of the pipes is as it expects.
        process.stdin.as_ref().map(|pipe| ioctl_fionbio(pipe, true)).transpose()?;
        ioctl_fionbio(&process.stdout, true)?;
        process.stderr.as_ref().map(|pipe| ioctl_fionbio(pipe, true)).transpose()?;
        Ok(process)
    }

    /// Puts a line among those to be sent.
    pub(super) fn say(&mut self, line: &str) {
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
    }

    /// Sends what there is to send and waits for the next line, without its end.
    pub(super) fn next_line(&mut self, until: Instant) -> Result<Vec<u8>, Failure> {
        loop {
            if self.unsent.is_empty()
                && let Some(end) = self.inbox.iter().position(|&byte| byte == b'\n')
            {
                let rest = self.inbox.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.inbox, rest);
                line.truncate(end);
                return Ok(line);
            }
            if self.inbox.len() > MAX_LINE_BYTES {
                return Err(Failure::Flood(format!("more than {MAX_LINE_BYTES} bytes that nobody asked for")));
            }
            if self.exchange(until)? == Exchanged::Nothing || Instant::now() >= until {
                return Err(Failure::TimedOut);
            }
        }
    }

    /// It has said something wrong: is that a flood? Listens for another moment to find out.
    pub(super) fn floods(&mut self) -> Option<String> {
        let until = Instant::now() + LISTEN_ON;
        while self.inbox.len() <= MAX_LINE_BYTES
            && self.exchange(until) == Ok(Exchanged::Something)
            && Instant::now() < until
        {}
        let lines = 1 + self.inbox.iter().filter(|&&byte| byte == b'\n').count();
        (lines > MAX_UNASKED_LINES || self.inbox.len() > MAX_LINE_BYTES)
            .then(|| format!("{lines} lines or more in answer to one question"))
    }

    /// Sends what can be sent now, without waiting.
    pub(super) fn send_on(&mut self) {
        let _ = self.exchange(Instant::now());
    }

    /// Closes its input: it may end by itself.
    pub(super) fn close_input(&mut self) {
        self.send_on();
        self.stdin = None;
    }

    /// Waits until it has closed its output.
    pub(super) fn wait_for_end(&mut self, until: Instant) {
        while self.exchange(until) == Ok(Exchanged::Something) && Instant::now() < until {
            self.inbox.clear();
        }
    }

    /// Waits until a pipe is ready, and moves what can be moved.
    fn exchange(&mut self, until: Instant) -> Result<Exchanged, Failure> {
        let ready = self.wait_for_pipes(until)?;
        let mut exchanged = Exchanged::Nothing;
        if ready.stderr {
            exchanged = Exchanged::Something;
            self.keep_errors();
        }
        if ready.stdin
            && let Some(stdin) = &self.stdin
        {
            exchanged = Exchanged::Something;
            match write(stdin, &self.unsent) {
                Ok(sent) => drop(self.unsent.drain(..sent)),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => return Err(self.ended("closed its input")),
            }
        }
        if ready.stdout {
            exchanged = Exchanged::Something;
            let mut bytes = [0; 8192];
            match read(&self.stdout, &mut bytes) {
                Ok(0) => return Err(self.ended("closed its output")),
                Ok(number) => self.inbox.extend_from_slice(&bytes[..number]),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => return Err(self.ended("closed its output")),
            }
        }
        Ok(exchanged)
    }

    fn wait_for_pipes(&self, until: Instant) -> Result<Ready, Failure> {
        let mut pipes = vec![PollFd::new(&self.stdout, PollFlags::IN)];
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        pipes.extend(stdin.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        pipes.extend(self.stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let timeout = Timespec::try_from(left).map_err(|_| Failure::TimedOut)?;
            match poll(&mut pipes, Some(&timeout)) {
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(Failure::Ended(error.to_string())),
            }
        }
        let is_ready = |pipe: Option<&PollFd<'_>>| pipe.is_some_and(|pipe| !pipe.revents().is_empty());
        Ok(Ready {
            stdout: is_ready(pipes.first()),
            stdin: stdin.is_some() && is_ready(pipes.get(1)),
            stderr: self.stderr.is_some() && is_ready(pipes.last()),
        })
    }

    /// Keeps the end of what it says on standard error: there a program that fails says why.
    fn keep_errors(&mut self) {
        let Some(stderr) = &self.stderr else { return };
        let mut bytes = [0; STDERR_BYTES];
        match read(stderr, &mut bytes) {
            Ok(0) => self.stderr = None,
            Ok(number) => {
                self.errors.extend_from_slice(&bytes[..number]);
                self.errors.drain(..self.errors.len().saturating_sub(STDERR_BYTES));
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => self.stderr = None,
        }
    }

    /// Kills it with its whole group and family, and waits for it.
    fn end(&mut self) -> Option<ExitStatus> {
        let group = self.group.take();
        if let Some(group) = group {
            family::end(group, &self.mark);
            kill_group(group);
            guard::forget(group);
        }
        let status = self.child.wait().ok();
        group.into_iter().for_each(guard::has_gone);
        status
    }

    /// A pipe of it is closed: how it ended, or what it `closed` if it lives on, and its last words.
    fn ended(&mut self, closed: &str) -> Failure {
        let until = Instant::now() + LAST_MOMENT;
        let has_ended = || {
            // Looks without taking it off the list of processes: its number stays its own until it is ended for good.
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            self.group.is_none_or(|group| matches!(waitid(WaitId::Pid(group), look), Ok(Some(_)) | Err(_)))
        };
        while !has_ended() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        let ended_by_itself = has_ended();
        let how = match self.end() {
            Some(status) if ended_by_itself => in_words(status),
            _ => closed.into(),
        };
        let mut length = usize::MAX;
        while self.stderr.is_some() && self.errors.len() != length {
            length = self.errors.len();
            self.keep_errors();
        }
        let errors = String::from_utf8_lossy(&self.errors);
        match errors.lines().map(str::trim).rfind(|line| !line.is_empty()) {
            Some(last_words) => Failure::Ended(format!("{how}: {}", shortened(last_words))),
            None => Failure::Ended(how),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
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

/// A text of a program as it may stand in a table: short, and without control characters.
pub(super) fn shortened(text: &str) -> String {
    cut(text, 160)
}

/// The first so many characters of a text, and no control characters.
pub(super) fn cut(text: &str, longest: usize) -> String {
    let mut short: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(longest).collect();
    if text.chars().nth(longest).is_some() {
        short.push('…');
    }
    short
}
