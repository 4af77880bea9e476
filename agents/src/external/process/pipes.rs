//! The pipes of a running program: lines to its standard input, lines from its standard output, and the end of its standard
//! error. Every call has a maximum waiting time.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};

use super::super::diagnostics::{ProcessLog, excerpt, remedy_of_shortage};

/// The minimum free space in the buffer before each read. Most lines are shorter.
const MIN_READ_BYTES: usize = 1_000;

/// The number of bytes kept of the standard error.
const STDERR_BYTES: usize = 4_096;

/// The largest number of chunks of [`STDERR_BYTES`] that are read after the program has ended: a descendant may still write.
const MAX_FINAL_CHUNKS: usize = 1_024;

/// The ends of a program's pipes in this process.
#[derive(Debug)]
pub(super) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    /// The lines to be sent; empty once all is sent.
    outbox: String,
    /// The number of its bytes that are sent. A batch of many questions is longer than the pipe takes at a time.
    sent: usize,
    inbox: Vec<u8>,
    /// The number of bytes of the inbox that are known to hold no line end.
    searched: usize,
    errors: Vec<u8>,
    log: Option<Box<ProcessLog>>,
}

/// The reason why a pipe cannot be used any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PipeError {
    /// The program has ended, or has closed the named pipe.
    Closed(&'static str),
    /// The system lacks something; the message names it.
    BySystem(String),
}

/// Whether anything was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PipeTransfer {
    Nothing,
    Something,
}

/// The pipes that are ready.
struct ReadyPipes {
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

impl Pipes {
    /// The pipes of a program that was just started, with the text to send first.
    pub(super) fn new(child: &mut Child, outbox: String, log: Option<Box<ProcessLog>>) -> Self {
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let stdout = child.stdout.take().expect("the standard output is a pipe");
        let (sent, inbox, searched, errors) = (0, Vec::new(), 0, Vec::new());
        Self { stdin, stdout, stderr, outbox, sent, inbox, searched, errors, log }
    }

    /// Makes the ends in this process nonblocking. The ends of the program stay blocking, as it expects.
    ///
    /// # Errors
    /// If the system refuses it.
    pub(super) fn set_nonblocking(&self) -> io::Result<()> {
        self.stdin.as_ref().map(|pipe| ioctl_fionbio(pipe, true)).transpose()?;
        ioctl_fionbio(&self.stdout, true)?;
        self.stderr.as_ref().map(|pipe| ioctl_fionbio(pipe, true)).transpose()?;
        Ok(())
    }

    /// Queues the line that `write` appends.
    pub(super) fn write_line(&mut self, write: impl FnOnce(&mut String)) {
        let begin = self.outbox.len();
        write(&mut self.outbox);
        if let Some(log) = &mut self.log {
            log.line("<-", &self.outbox.as_bytes()[begin..]);
        }
        self.outbox.push('\n');
    }

    /// Takes the next complete line, without its end, once all queued lines are sent.
    pub(super) fn take_line(&mut self) -> Option<Vec<u8>> {
        let end = self.inbox[self.searched..].iter().position(|&byte| byte == b'\n').map(|end| self.searched + end);
        self.searched = end.unwrap_or(self.inbox.len());
        if !self.outbox.is_empty() {
            return None;
        }
        let rest = self.inbox.split_off(end? + 1);
        let mut line = std::mem::replace(&mut self.inbox, rest);
        line.pop();
        self.searched = 0;
        if let Some(log) = &mut self.log {
            log.line("->", &line);
        }
        Some(line)
    }

    /// The bytes that have arrived and are not taken.
    pub(super) fn inbox(&self) -> &[u8] {
        &self.inbox
    }

    /// Discards what has arrived.
    pub(super) fn clear_inbox(&mut self) {
        self.inbox.clear();
        self.searched = 0;
    }

    /// Whether all queued lines are sent.
    pub(super) const fn is_all_sent(&self) -> bool {
        self.outbox.is_empty()
    }

    /// Closes the standard input of the program.
    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits until a pipe is ready, for this long at most, and moves what can be moved. A signal ends the wait too, and
    /// counts as something that was moved, so that the caller reads the clock again.
    pub(super) fn exchange(&mut self, longest: Duration) -> Result<PipeTransfer, PipeError> {
        let mut exchanged = self.send().map_err(|error| broken(error, "closed its input"))?;
        let ready = match self.wait_for_pipes(longest) {
            Ok(ready) => ready,
            Err(Errno::INTR) => return Ok(PipeTransfer::Something),
            Err(error) => return Err(PipeError::BySystem(format!("cannot wait for a program: {error}"))),
        };
        if ready.stdin {
            exchanged = PipeTransfer::Something; // now there is space
        }
        if ready.stderr {
            exchanged = PipeTransfer::Something;
            self.collect_errors();
        }
        if ready.stdout {
            exchanged = PipeTransfer::Something;
            self.inbox.reserve(MIN_READ_BYTES);
            match read(&self.stdout, spare_capacity(&mut self.inbox)) {
                Ok(0) => return Err(PipeError::Closed("closed its output")),
                Ok(_) | Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(broken(error, "closed its output")),
            }
        }
        Ok(exchanged)
    }

    /// Sends as much as the pipe can hold, usually everything.
    pub(super) fn send(&mut self) -> Result<PipeTransfer, Errno> {
        let Some(stdin) = self.stdin.as_ref().filter(|_| !self.outbox.is_empty()) else {
            return Ok(PipeTransfer::Nothing);
        };
        match write(stdin, &self.outbox.as_bytes()[self.sent..]) {
            Ok(sent) => {
                self.sent += sent;
                if self.sent == self.outbox.len() {
                    self.outbox.clear();
                    self.sent = 0;
                }
                Ok(PipeTransfer::Something)
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(PipeTransfer::Nothing),
            Err(error) => Err(error),
        }
    }

    fn wait_for_pipes(&self, longest: Duration) -> Result<ReadyPipes, Errno> {
        let stdin = self.stdin.as_ref().filter(|_| !self.outbox.is_empty());
        // A placeholder for a pipe that is not polled: the end of the output is reported in any case.
        let none = || PollFd::new(&self.stdout, PollFlags::empty());
        let mut pipes = [
            PollFd::new(&self.stdout, PollFlags::IN),
            self.stderr.as_ref().map_or_else(none, |pipe| PollFd::new(pipe, PollFlags::IN)),
            stdin.map_or_else(none, |pipe| PollFd::new(pipe, PollFlags::OUT)),
        ];
        // Usually all is sent, and the last is a placeholder.
        let polled = if stdin.is_some() { &mut pipes[..] } else { &mut pipes[..2] };
        poll(polled, Some(&Timespec::try_from(longest).map_err(|_| Errno::INVAL)?))?;
        let [stdout, stderr, stdin] = pipes.map(|pipe| !pipe.revents().is_empty());
        Ok(ReadyPipes { stdout, stderr: stderr && self.stderr.is_some(), stdin: stdin && !self.outbox.is_empty() })
    }

    /// Reads the standard error and keeps its end, because a failing program usually reports the reason there. Returns
    /// whether there was any output.
    fn collect_errors(&mut self) -> bool {
        let Some(stderr) = &self.stderr else { return false };
        let mut bytes = [0; STDERR_BYTES];
        match read(stderr, &mut bytes) {
            Ok(0) => self.stderr = None,
            Ok(number) => {
                if let Some(log) = &mut self.log {
                    log.errors(&bytes[..number]);
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

    /// Reads what an ended program has left on its standard error.
    pub(super) fn collect_final_errors(&mut self) {
        let mut chunks = 0;
        while chunks < MAX_FINAL_CHUNKS && self.collect_errors() {
            chunks += 1;
        }
    }

    /// The end of the standard error.
    pub(super) fn errors(&self) -> &[u8] {
        &self.errors
    }

    /// The last lines of the standard error, as a table can show them.
    pub(super) fn last_error_lines(&self, number: usize) -> Vec<String> {
        let errors = String::from_utf8_lossy(&self.errors);
        let lines: Vec<&str> = errors.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(number)..].iter().map(|line| excerpt(line)).collect()
    }

    /// Sets the last line of the log: how the program has ended, or why it is ended.
    pub(super) fn log_end(&mut self, reason: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.end(reason());
        }
    }

    /// Sets the last line of the log unless there is one.
    pub(super) fn log_end_if_missing(&mut self, reason: impl FnOnce() -> String) {
        if let Some(log) = self.log.as_mut().filter(|log| !log.has_end()) {
            log.end(reason());
        }
    }
}

/// A pipe carries nothing more: the system lacks something, or the program has ended or `closed` it.
fn broken(error: Errno, closed: &'static str) -> PipeError {
    let error = error.into();
    match remedy_of_shortage(&error) {
        Some(remedy) => PipeError::BySystem(format!("cannot exchange lines with a program: {error}; {remedy}")),
        None => PipeError::Closed(closed),
    }
}
