//! A process that plays several games at once, because it has asked for that. What its games ask at about the same time goes
//! to it in one line, and so do its answers: a neural net looks at many positions in one pass, and a program that asks a
//! distant server waits for many answers at a time.
//!
//! Every game runs on a thread of its own. The first that has a question speaks for all: it waits until every game has asked,
//! or until no more questions come, and hands the answers out. An answer depends on its game alone, so no result depends on
//! which questions come together.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::answer::{Answer, Asked, Wrong};
use super::limits::MAX_LINE_BYTES;
use super::message::{GameNumber, Message, Question, batch};
use super::program::{Bot, KnownRules};
use crate::fault::FaultCause;
use crate::stop;

/// The time after the last question in which another one may come.
const MOMENT: Duration = Duration::from_micros(150);

/// The longest wait before a run that is to stop is noticed.
const STOP_LOOK: Duration = Duration::from_millis(100);

/// A process and the games that it plays, all by the same rules.
pub(super) struct SharedProcess {
    state: Mutex<State>,
    /// A question has come.
    has_asked: Condvar,
    /// Answers have come, or none will come any more.
    has_answered: Condvar,
}

struct State {
    line: Line,
    /// The rules that it was told last.
    rules: Option<Arc<KnownRules>>,
    /// The number of games that it plays.
    games: usize,
    last_game: GameNumber,
    last_decision: u64,
    /// What it is told with the next questions.
    unsent: Vec<String>,
    questions: Vec<Pending>,
    /// By decision.
    answers: HashMap<u64, Result<TimedAnswer, Wrong>>,
}

/// The line to the process.
enum Line {
    Free(Bot),
    /// A thread speaks with it.
    Busy,
    /// It has gone: every game that it still played is lost for this.
    Gone(Wrong),
}

/// A question that has not been sent yet.
struct Pending {
    asked: Asked,
    text: String,
    time: Duration,
}

/// An answer, and the time that it has taken.
pub(super) type TimedAnswer = (Answer, Duration);

/// A game of a [`SharedProcess`].
pub(super) struct SharedGame {
    process: Arc<SharedProcess>,
    number: GameNumber,
    /// Whether the process knows that it is over.
    is_over: bool,
}

impl SharedProcess {
    pub(super) fn new(bot: Bot) -> Self {
        let state = State {
            line: Line::Free(bot),
            rules: None,
            games: 0,
            last_game: 0,
            last_decision: 0,
            unsent: Vec::new(),
            questions: Vec::new(),
            answers: HashMap::new(),
        };
        Self { state: Mutex::new(state), has_asked: Condvar::new(), has_answered: Condvar::new() }
    }

    pub(super) fn has_gone(&self) -> bool {
        matches!(self.lock().line, Line::Gone(_))
    }

    /// A game by these rules; none if it has gone, plays `many` games already, or plays games by other rules.
    pub(super) fn begin_game(self: &Arc<Self>, rules: &Arc<KnownRules>, many: usize) -> Option<SharedGame> {
        let mut state = self.lock();
        if matches!(state.line, Line::Gone(_)) || state.games >= many {
            return None;
        }
        if !state.rules.as_ref().is_some_and(|known| Arc::ptr_eq(known, rules)) {
            if state.games > 0 {
                return None;
            }
            state.unsent.push(rules.line.clone());
            state.rules = Some(Arc::clone(rules));
        }
        state.games += 1;
        state.last_game += 1;
        Some(SharedGame { process: Arc::clone(self), number: state.last_game, is_over: false })
    }

    /// The process itself, which plays no more games here; none if it has gone or somebody speaks with it.
    pub(super) fn take(&self) -> Option<Bot> {
        let gone = Line::Gone((FaultCause::Crash, "the run is over".into()));
        match mem::replace(&mut self.lock().line, gone) {
            Line::Free(bot) => Some(bot),
            Line::Busy | Line::Gone(_) => None,
        }
    }

    /// Sends all questions, waits for the answers, and leaves them to those who have asked.
    fn speak<'a>(&'a self, mut state: MutexGuard<'a, State>, mut bot: Bot) -> MutexGuard<'a, State> {
        while state.questions.len() < state.games {
            let (locked, waited) = self.has_asked.wait_timeout(state, MOMENT).unwrap_or_else(PoisonError::into_inner);
            state = locked;
            if waited.timed_out() {
                break;
            }
        }
        let (told, questions) = (mem::take(&mut state.unsent), mem::take(&mut state.questions));
        drop(state);
        let speaker = Speaker(self);
        let answered = bot.ask_all(&told, &questions);
        mem::forget(speaker);
        let line = match &answered {
            Ok(_) => Line::Free(bot),
            Err(wrong) => {
                drop(bot); // which ends it
                Line::Gone(wrong.clone())
            }
        };
        let mut state = self.lock();
        state.line = line;
        let answers = answered.unwrap_or_default();
        state.answers.extend(questions.iter().map(|question| question.asked.decision).zip(answers));
        self.has_answered.notify_all();
        state
    }

    /// Nothing that is locked here can be left half done.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedGame {
    /// Tells it of its new game.
    pub(super) fn begin(&self, seat: usize, seats: usize, seed: u32) {
        self.say(&Message::NewGame { game: Some(self.number), seat, seats, seed });
    }

    /// Asks it, and waits for its answer and those of the other games that ask at the same time. The time of all their questions
    /// together is the limit, and each is charged the same part of what they have taken.
    pub(super) fn ask(&self, question: Question<'_>, time: Duration) -> Result<TimedAnswer, Wrong> {
        let decision = {
            let mut state = self.process.lock();
            state.last_decision += 1;
            state.last_decision
        };
        let text = Message::Decide { game: Some(self.number), decision, question }.line();
        let asked = Asked { decision, actions: question.actions.len() };
        let mut state = self.process.lock();
        state.questions.push(Pending { asked, text, time });
        self.process.has_asked.notify_one();
        loop {
            if let Some(answer) = state.answers.remove(&decision) {
                return answer;
            }
            state = match mem::replace(&mut state.line, Line::Busy) {
                Line::Free(bot) => self.process.speak(state, bot),
                Line::Gone(wrong) => {
                    state.line = Line::Gone(wrong.clone());
                    drop(state);
                    stop::check(); // then it has gone for that, and the game is not counted
                    return Err(wrong);
                }
                Line::Busy => {
                    let waited = self.process.has_answered.wait_timeout(state, STOP_LOOK);
                    drop(waited.unwrap_or_else(PoisonError::into_inner));
                    stop::check();
                    self.process.lock()
                }
            };
        }
    }

    /// Tells it how its game has ended.
    pub(super) fn end(mut self, message: &Message<'_>) {
        self.say(message);
        self.is_over = true;
    }

    pub(super) const fn number(&self) -> GameNumber {
        self.number
    }

    fn say(&self, message: &Message<'_>) {
        self.process.lock().unsent.push(message.line());
    }
}

impl Drop for SharedGame {
    fn drop(&mut self) {
        if !self.is_over {
            self.say(&Message::game_over(Some(self.number)));
        }
        self.process.lock().games -= 1;
    }
}

/// The thread that speaks with a process. If it leaves without an answer, because the run is stopped, the process has gone.
struct Speaker<'a>(&'a SharedProcess);

impl Drop for Speaker<'_> {
    fn drop(&mut self) {
        self.0.lock().line = Line::Gone((FaultCause::Crash, "the run was stopped".into()));
    }
}

impl Bot {
    /// Tells it this, asks it these questions, and gives its answers in their order.
    fn ask_all(&mut self, told: &[String], questions: &[Pending]) -> Result<Vec<Result<TimedAnswer, Wrong>>, Wrong> {
        told.iter().for_each(|line| self.process.say(line));
        self.process.say(&batch(questions.iter().map(|question| &*question.text)));
        let time = questions.iter().map(|question| question.time).sum();
        let (line, taken) = self.process.next_line(time, MAX_LINE_BYTES * questions.len()).map_err(|failure| {
            failure.into_wrong(|| {
                let what = format!("no answer to a batch of {} within {} ms", questions.len(), time.as_millis());
                (FaultCause::DecisionTime, what)
            })
        })?;
        let asked: Vec<Asked> = questions.iter().map(|question| question.asked).collect();
        let answers = Answer::read_batch(&line, &asked)
            .map_err(|wrong| self.process.floods().map_or(wrong, |flood| (FaultCause::Flood, flood)))?;
        self.process.pause();
        let each = taken / u32::try_from(questions.len()).unwrap_or(u32::MAX);
        Ok(answers.into_iter().map(|answer| answer.map(|answer| (answer, each))).collect())
    }
}
