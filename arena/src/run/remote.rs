//! A run whose batches are played on other machines: requests and results, one JSON object per line.
//!
//! The run itself stays in one place: it cuts batches, counts them in order, saves checkpoints and writes the tables, so that
//! the tables have the same bytes as after a run on one machine. [`Remote`] sends requests and [`answer`] plays them. Any
//! transport can carry the lines, such as a pipe or a cluster. The transport may repeat a request whose answer is lost,
//! because a batch gives the same result everywhere; a second answer is ignored. Each answer has a digest of itself and of
//! the lines that request it, so a line that changes on the way ends the run.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use unolab_agents::stop::{self, unless_system_fails};

use super::checkpoint::Job;
use super::checksum::WrittenRows;
use super::digest::{sha256, with_digest, without_digest};
use super::error::RunError;
use super::experiment::{Batch, Experiment, Play};
use super::shard::{RunProgress, Shard};
use crate::schedule::patience::{Patience, TimeoutStreak, followed_by};

/// The approximate time of a batch for the requester, including the wait for a free machine.
const BATCH_TIME: Duration = Duration::from_secs(4);

/// The number of small batches that are sent as one.
const PIECES: u64 = 64;

/// The delay after which an awaited batch is abandoned when the run stops.
const WAIT: Duration = Duration::from_millis(50);

/// A line from a run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunMessage<S, C> {
    /// The job; the first line.
    Job(S),
    /// The counts at the beginning of a stage, on which its batches depend.
    Stage {
        /// Its number.
        number: u64,
        /// The counts.
        counts: C,
    },
    /// A batch to be played.
    Batch(WorkOrder),
    /// The progress of the run.
    Progress {
        /// Sets counted.
        done: u64,
        /// Sets in all.
        of: u64,
    },
}

/// A requested batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkOrder {
    number: u64,
    stage: u64,
    part: usize,
    sets: Range<u64>,
    #[serde(default, skip_serializing_if = "Patience::is_empty")]
    patience: Patience,
}

/// A result line, without its digest. `request` is the digest of the lines that request the batch.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer<P> {
    /// The results of a batch, in one or more pieces.
    Completed { number: u64, request: String, results: Vec<P> },
    /// The error that prevents a batch.
    Failed { number: u64, request: String, message: String },
}

/// The digest of the lines on which the results of a batch depend.
fn digest_of_request(job: &str, stage: &str, batch: &str) -> String {
    sha256([job, stage, batch].join("\n").as_bytes())
}

/// An experiment that requests its batches instead of playing them.
#[expect(missing_debug_implementations, reason = "a stream of bytes has nothing to show")]
pub struct Remote<'e, E: Experiment> {
    experiment: &'e E,
    /// The first line.
    job: String,
    /// The minimum number of batches of each part of a stage.
    at_least: u64,
    out: Mutex<Box<dyn Write + Send + 'e>>,
    queue: Mutex<WorkQueue<E::Played>>,
}

/// The requested batches and their receivers.
struct WorkQueue<P> {
    stage: u64,
    /// The line of the stage.
    stage_line: String,
    next: u64,
    waiting: HashMap<u64, AwaitedAnswer<P>>,
    /// The input has ended.
    is_closed: bool,
}

/// A requested batch without an answer.
struct AwaitedAnswer<P> {
    request: String,
    requester: Sender<Result<Pieces<P>, String>>,
}

/// A received batch.
#[derive(Debug, Serialize, Deserialize)]
pub struct Pieces<P> {
    pieces: Vec<P>,
    rows: Vec<u8>,
}

impl<'e, E: Experiment> Remote<'e, E> {
    /// Requests the batches of a run through this output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn new(
        experiment: &'e E,
        job: &Job<E::Spec>,
        at_least: u64,
        out: impl Write + Send + 'e,
    ) -> Result<Self, RunError> {
        let queue =
            WorkQueue { stage: 0, stage_line: String::new(), next: 0, waiting: HashMap::new(), is_closed: false };
        let job = line_of(&RunMessage::<_, ()>::Job(job))?;
        let remote = Self { experiment, job, at_least, out: Mutex::new(Box::new(out)), queue: Mutex::new(queue) };
        remote.send(&remote.job)?;
        Ok(remote)
    }

    /// Sends the progress of the run. A write error is reported with the next batch.
    pub fn send_progress(&self, RunProgress { done, of }: RunProgress) {
        let _ = line_of(&RunMessage::<(), ()>::Progress { done, of }).and_then(|line| self.send(&line));
    }

    /// Receives an answer.
    ///
    /// # Errors
    /// If it is invalid, or it or its request was changed on the way.
    pub fn take(&self, line: &str) -> Result<(), RunError> {
        let wrong = |reason: String| RunError::Remote(format!("cannot read an answer: {reason}"));
        let answer = without_digest(line).map_err(wrong)?;
        let (number, request, outcome) =
            match serde_json::from_str(&answer).map_err(|error| wrong(error.to_string()))? {
                Answer::Completed { number, request, results } => {
                    let rows = results.iter().flat_map(E::rows).copied().collect();
                    (number, request, Ok(Pieces { pieces: results, rows }))
                }
                Answer::Failed { number, request, message } => (number, request, Err(message)),
            };
        if let Some(awaited) = self.queue().waiting.remove(&number) {
            if request != awaited.request {
                return Err(RunError::Remote(format!(
                    "the answer to batch {number} is not to this run's request: the line of the job, the stage, or the \
                     batch was changed, or the answer is from another run"
                )));
            }
            // The requester may have stopped waiting.
            let _ = awaited.requester.send(outcome);
        }
        Ok(())
    }

    /// No more answers follow.
    pub fn close(&self) {
        let mut queue = self.queue();
        queue.is_closed = true;
        queue.waiting.clear();
    }

    fn send(&self, line: &str) -> Result<(), RunError> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let said = writeln!(out, "{line}").and_then(|()| out.flush());
        said.map_err(|error| RunError::Remote(format!("cannot write a request: {error}")))
    }

    fn queue(&self) -> MutexGuard<'_, WorkQueue<E::Played>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Experiment> Experiment for Remote<'_, E> {
    type Spec = E::Spec;
    type Counts = E::Counts;
    type Played = Pieces<E::Played>;

    const MOST_SETS: u64 = E::MOST_SETS.saturating_mul(PIECES);
    const BATCH_TIME: Duration = BATCH_TIME;

    fn spec(&self) -> &E::Spec {
        self.experiment.spec()
    }

    fn games_at_once(&self) -> usize {
        self.experiment.games_at_once()
    }

    fn empty(&self, shard: Shard) -> E::Counts {
        self.experiment.empty(shard)
    }

    fn accepts(&self, counts: &E::Counts, shard: Shard) -> bool {
        self.experiment.accepts(counts, shard)
    }

    fn horizon(&self, counts: &E::Counts) -> Result<Vec<Batch>, RunError> {
        let horizon = self.experiment.horizon(counts)?;
        if horizon.is_empty() {
            return Ok(horizon);
        }
        let line = {
            let mut queue = self.queue();
            queue.stage += 1;
            queue.stage_line = line_of(&RunMessage::<(), _>::Stage { number: queue.stage, counts })?;
            queue.stage_line.clone()
        };
        self.send(&line)?;
        let cut = |Batch { part, sets }: Batch| {
            let size = (sets.end - sets.start).div_ceil(self.at_least.max(1)).max(1);
            let starts = (0..).map(move |piece| sets.start + piece * size).take_while(move |&start| start < sets.end);
            starts.map(move |start| Batch { part, sets: start..(start + size).min(sets.end) })
        };
        Ok(horizon.into_iter().flat_map(cut).collect())
    }

    fn patience(&self, counts: &E::Counts, batch: &Batch) -> Patience {
        self.experiment.patience(counts, batch)
    }

    fn streaks(played: &Pieces<E::Played>) -> Vec<TimeoutStreak> {
        played.pieces.iter().fold(Vec::new(), |earlier, piece| followed_by(earlier, &E::streaks(piece)))
    }

    /// Requests the batch, and waits.
    fn play(&self, batch: &Batch, how: Play<'_>) -> Result<Pieces<E::Played>, RunError> {
        let over = || RunError::Remote("the input ended before the run".into());
        let (requester, answer) = channel();
        let (number, line) = {
            let mut queue = self.queue();
            if queue.is_closed {
                return Err(over());
            }
            queue.next += 1;
            let (number, stage, patience) = (queue.next, queue.stage, how.patience.clone());
            let order = WorkOrder { number, stage, part: batch.part, sets: batch.sets.clone(), patience };
            let line = line_of(&RunMessage::<(), ()>::Batch(order))?;
            let request = digest_of_request(&self.job, &queue.stage_line, &line);
            queue.waiting.insert(number, AwaitedAnswer { request, requester });
            (number, line)
        };
        self.send(&line)?;
        loop {
            match answer.recv_timeout(WAIT) {
                Ok(Ok(played)) if self.can_be_of(batch, how, &played) => return Ok(played),
                Ok(Ok(_)) => return Err(RunError::Remote(impossible(number, batch))),
                Ok(Err(words)) => return Err(RunError::Remote(words)),
                Err(RecvTimeoutError::Timeout) => stop::check(),
                Err(RecvTimeoutError::Disconnected) => return Err(over()),
            }
        }
    }

    fn can_be_of(&self, batch: &Batch, how: Play<'_>, played: &Pieces<E::Played>) -> bool {
        let sets: Vec<Range<u64>> = pieces::<E>(&batch.sets).collect();
        let batches = sets.iter().map(|sets| Batch { part: batch.part, sets: sets.clone() });
        sets.len() == played.pieces.len()
            && batches.zip(&played.pieces).all(|(batch, piece)| self.experiment.can_be_of(&batch, how, piece))
    }

    fn rows(played: &Pieces<E::Played>) -> &[u8] {
        &played.rows
    }

    fn written(&self, counts: &E::Counts) -> Vec<WrittenRows> {
        self.experiment.written(counts)
    }

    fn write(&self, played: &Pieces<E::Played>) -> Result<(), RunError> {
        played.pieces.iter().try_for_each(|piece| self.experiment.write(piece))
    }

    fn merge(&self, counts: &mut E::Counts, batch: &Batch, played: Pieces<E::Played>) {
        for (sets, piece) in pieces::<E>(&batch.sets).zip(played.pieces) {
            self.experiment.merge(counts, &Batch { part: batch.part, sets }, piece);
        }
    }

    fn games(&self, counts: &E::Counts) -> u64 {
        self.experiment.games(counts)
    }
}

fn line_of(message: &impl Serialize) -> Result<String, RunError> {
    serde_json::to_string(message).map_err(|error| RunError::Remote(error.to_string()))
}

/// The error that the answer to a batch is invalid, in words.
fn impossible(number: u64, Batch { part, sets }: &Batch) -> String {
    let sets = if sets.end == sets.start + 1 {
        format!("set {}", sets.start)
    } else {
        format!("sets {} to {}", sets.start, sets.end - 1)
    };
    format!("the answer to batch {number} cannot be the games of {sets} of part {part}")
}

/// The batches in which sets are played.
fn pieces<E: Experiment>(sets: &Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let (mut start, end) = (sets.start, sets.end);
    std::iter::from_fn(move || {
        let piece = start..end.min(start.saturating_add(E::MOST_SETS));
        start = piece.end;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Plays the requests of these lines, the first of which is the job of this shard, until the input ends.
///
/// # Errors
/// If a line is not a request, or is another job, or the answers cannot be written.
pub fn answer<E: Experiment>(
    experiment: &E,
    shard: Shard,
    games_every: Option<u64>,
    lines: impl BufRead,
    mut out: impl Write,
) -> Result<(), RunError> {
    let have_panicked = AtomicBool::new(false);
    let how = Play { games_every, have_panicked: &have_panicked, patience: &Patience::default() };
    let wrong = |words: String| RunError::Remote(words);
    let mut now: Option<(u64, Vec<Batch>)> = None;
    let (mut job_line, mut stage_line) = (String::new(), String::new());
    for (place, line) in (1u64..).zip(lines.lines()) {
        let line = line.map_err(|error| wrong(format!("request {place}: {error}")))?;
        let ask: RunMessage<IgnoredAny, E::Counts> =
            serde_json::from_str(&line).map_err(|error| wrong(format!("request {place} cannot be read: {error}")))?;
        let asked = match ask {
            RunMessage::Progress { .. } => continue,
            RunMessage::Job(_) if job_line.is_empty() || job_line == line => {
                job_line = line;
                continue;
            }
            RunMessage::Job(_) => {
                let reason = "is another job; a worker plays one job: start another worker for this one";
                return Err(wrong(format!("request {place} {reason}")));
            }
            RunMessage::Stage { number, counts } => {
                if !experiment.accepts(&counts, shard) {
                    return Err(wrong(format!("stage {number}: its counts do not belong to the job")));
                }
                now = Some((number, experiment.horizon(&counts)?));
                stage_line = line;
                continue;
            }
            RunMessage::Batch(asked) => asked,
        };
        let (number, request) = (asked.number, digest_of_request(&job_line, &stage_line, &line));
        let played = unless_system_fails(|| play(experiment, &asked, now.as_ref(), how));
        let answer = match played.map_err(RunError::from).flatten() {
            Ok(results) => Answer::Completed { number, request, results },
            Err(error) => Answer::Failed { number, request, message: error.to_string() },
        };
        let answer = with_digest(&line_of(&answer)?);
        writeln!(out, "{answer}").and_then(|()| out.flush()).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(())
}

fn play<E: Experiment>(
    experiment: &E,
    asked: &WorkOrder,
    now: Option<&(u64, Vec<Batch>)>,
    how: Play<'_>,
) -> Result<Vec<E::Played>, RunError> {
    let WorkOrder { stage, part, ref sets, .. } = *asked;
    let Some((_, within)) = now.filter(|(number, _)| *number == stage) else {
        return Err(RunError::Remote(format!("the batch belongs to stage {stage}, which is not the last one sent")));
    };
    let holds = |whole: &Batch| whole.part == part && whole.sets.start <= sets.start && sets.end <= whole.sets.end;
    if !within.iter().any(holds) {
        return Err(RunError::Remote(format!("sets {sets:?} of part {part} are not in stage {stage}")));
    }
    let mut patience = asked.patience.clone();
    let play = |sets| {
        let played = experiment.play(&Batch { part, sets }, Play { patience: &patience, ..how })?;
        patience = patience.after(&E::streaks(&played));
        Ok(played)
    };
    pieces::<E>(sets).map(play).collect()
}

/// Serializes text as text, not as a list of numbers.
pub(crate) mod as_text {
    use serde::{Deserialize as _, Deserializer, Serializer, ser};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(std::str::from_utf8(bytes).map_err(ser::Error::custom)?)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        String::deserialize(from).map(String::into_bytes)
    }
}
