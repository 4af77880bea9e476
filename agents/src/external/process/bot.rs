//! A process of a program, with the rules that it has received.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::super::protocol::limits::MAX_LINE_BYTES;
use super::super::protocol::{Answer, AnswerError, DecisionRequest, KnownRules, Message, Question};
use super::child::Process;
use crate::fault::FaultCause;

/// A process of the program, and the rules that it has received.
pub(crate) struct Bot {
    pub(super) process: Process,
    known_rules: Option<Arc<KnownRules>>,
    decisions: u64,
}

impl Bot {
    pub(super) const fn new(process: Process) -> Self {
        Self { process, known_rules: None, decisions: 0 }
    }

    /// Whether it has received any question after its greeting.
    pub(super) const fn has_played(&self) -> bool {
        self.decisions > 0
    }

    /// Queues a message.
    pub(crate) fn queue(&mut self, message: &Message<'_>) {
        self.process.queue_line(&message.line());
    }

    /// Sends as much as the program can receive now.
    pub(crate) fn send_available(&mut self) {
        self.process.send_available();
    }

    /// Queues the rules, unless it has received them.
    pub(crate) fn learn(&mut self, rules: &Arc<KnownRules>) {
        if !self.known_rules.as_ref().is_some_and(|known| Arc::ptr_eq(known, rules)) {
            self.process.queue_line(&rules.line);
            self.known_rules = Some(Arc::clone(rules));
        }
    }

    /// Returns its answer and the time charged for it; `timed_out` is the fault if the time is over.
    pub(crate) fn ask(
        &mut self,
        question: Question<'_>,
        time: Duration,
        timed_out: impl FnOnce() -> AnswerError,
    ) -> Result<(Answer, Duration), AnswerError> {
        // The number is unique, so that answers cannot be confused.
        self.decisions += 1;
        let asked = DecisionRequest { decision: self.decisions, actions: question.actions.len() };
        self.process.write_line(|line| question.write(None, asked.decision, line));
        let answer = self.process.next_line(time, MAX_LINE_BYTES);
        let (line, taken) = answer.map_err(|failure| failure.into_wrong(timed_out))?;
        let answer = Answer::read(&line, asked)
            .map_err(|wrong| self.process.reject(&wrong.1).map_or(wrong, |flood| (FaultCause::Flood, flood)))?;
        self.process.pause();
        Ok((answer, taken))
    }
}

/// Locks a mutex: no panic can leave the locked state inconsistent.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
