//! A process that plays several games at once, because its greeting requests that. Questions that its games ask at about the
//! same time are sent in one line, and so are its answers: a neural net evaluates many positions in one pass, and a program
//! that queries a distant server waits for many answers at a time.
//!
//! Every game runs on a separate thread. The first thread with a question sends all of them: it waits until every game has a
//! question, or until no more arrive, and distributes the answers. An answer depends only on its game, so no result depends on
//! which questions are sent together.
//!
//! Two seats of one game are never in the same process: it would see both hands. One thread seats all agents of a game, so a
//! process plays games of a thread in one seat only.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

use super::super::protocol::limits::MAX_LINE_BYTES;
use super::super::protocol::{Answer, AnswerError, DecisionRequest, GameNumber, KnownRules, Message, Question, batch};
use super::bot::Bot;
use super::child::STOP_INTERVAL;
use crate::fault::FaultCause;
use crate::stop;

/// The time to wait for another question after each one.
const BATCH_INTERVAL: Duration = Duration::from_micros(150);

/// A process and the games that it plays, all by the same rules.
pub(crate) struct SharedProcess {
    state: Mutex<State>,
    /// A question has arrived, or a game that will not ask one has ended.
    has_asked: Condvar,
    /// Answers have arrived, or no more answers will arrive.
    has_answered: Condvar,
}

struct State {
    line: Line,
    /// The rules that were sent to it last.
    rules: Option<Arc<KnownRules>>,
    /// The games that it plays, by the thread that has seated it.
    games: HashMap<ThreadId, ThreadGames>,
    last_game: GameNumber,
    last_decision: u64,
    /// The lines to send with the next questions.
    unsent: Vec<String>,
    questions: Vec<Pending>,
    /// By decision.
    answers: HashMap<u64, Result<TimedAnswer, AnswerError>>,
}

/// The games of a thread.
struct ThreadGames {
    seat: usize,
    number: usize,
}

/// The line to the process.
enum Line {
    Free(Bot),
    /// A thread exchanges lines with it.
    Busy,
    /// It has ended: every game that it still played is lost by this fault.
    Ended(AnswerError),
    /// It has ended because the run is stopped: no game that it still played counts.
    Stopped,
}

/// A question that has not been sent yet.
struct Pending {
    game: GameNumber,
    asked: DecisionRequest,
    text: String,
    time: Duration,
}

/// An answer, and the time that it has taken.
pub(crate) type TimedAnswer = (Answer, Duration);

/// A game of a [`SharedProcess`].
pub(crate) struct SharedGame {
    process: Arc<SharedProcess>,
    number: GameNumber,
    thread: ThreadId,
    /// Whether the process has been notified of its end.
    is_over: bool,
}

impl SharedProcess {
    pub(crate) fn new(bot: Bot) -> Self {
        let state = State {
            line: Line::Free(bot),
            rules: None,
            games: HashMap::new(),
            last_game: 0,
            last_decision: 0,
            unsent: Vec::new(),
            questions: Vec::new(),
            answers: HashMap::new(),
        };
        Self { state: Mutex::new(state), has_asked: Condvar::new(), has_answered: Condvar::new() }
    }

    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.lock().line, Line::Ended(_) | Line::Stopped)
    }

    /// A game by these rules in this seat, seated by this thread; `None` if the process has ended, plays `many` games already,
    /// plays by other rules, or may play another seat of the same game.
    pub(crate) fn begin_game(
        self: &Arc<Self>,
        rules: &Arc<KnownRules>,
        many: usize,
        (thread, seat): (ThreadId, usize),
    ) -> Option<SharedGame> {
        let mut state = self.lock();
        let is_full = state.games.values().map(|of_thread| of_thread.number).sum::<usize>() >= many;
        let is_in_another_seat = state.games.get(&thread).is_some_and(|of_thread| of_thread.seat != seat);
        if matches!(state.line, Line::Ended(_) | Line::Stopped) || is_full || is_in_another_seat {
            return None;
        }
        if !state.rules.as_ref().is_some_and(|known| Arc::ptr_eq(known, rules)) {
            if !state.games.is_empty() {
                return None;
            }
            state.unsent.push(rules.line.clone());
            state.rules = Some(Arc::clone(rules));
        }
        state.games.entry(thread).or_insert(ThreadGames { seat, number: 0 }).number += 1;
        state.last_game += 1;
        Some(SharedGame { process: Arc::clone(self), number: state.last_game, thread, is_over: false })
    }

    /// The process itself, which plays no more games here; `None` if it has ended or a thread exchanges lines with it. Unsent
    /// lines, such as the results of its last games, are sent with its next line.
    pub(crate) fn take(&self) -> Option<Bot> {
        let mut state = self.lock();
        match mem::replace(&mut state.line, Line::Stopped) {
            Line::Free(mut bot) => {
                state.unsent.drain(..).for_each(|line| bot.process.queue_line(&line));
                Some(bot)
            }
            other => {
                state.line = other;
                None
            }
        }
    }

    /// Sends all questions, waits for the answers, and stores them for the threads of their games.
    fn exchange<'a>(&'a self, mut state: MutexGuard<'a, State>, mut bot: Bot) -> MutexGuard<'a, State> {
        // A thread asks one question at a time.
        while state.questions.len() < state.games.len() {
            let (locked, waited) =
                self.has_asked.wait_timeout(state, BATCH_INTERVAL).unwrap_or_else(PoisonError::into_inner);
            state = locked;
            if waited.timed_out() {
                break;
            }
        }
        let (told, questions) = (mem::take(&mut state.unsent), mem::take(&mut state.questions));
        drop(state);
        let guard = ExchangeGuard(self);
        let answered = bot.ask_all(&told, &questions);
        mem::forget(guard);
        let line = match &answered {
            Ok(_) => Line::Free(bot),
            Err(wrong) => {
                drop(bot); // which ends it
                Line::Ended(wrong.clone())
            }
        };
        let mut state = self.lock();
        state.line = line;
        let answers = answered.unwrap_or_default();
        state.answers.extend(questions.iter().map(|question| question.asked.decision).zip(answers));
        self.has_answered.notify_all();
        state
    }

    /// No panic can leave the locked state inconsistent.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedGame {
    /// Queues the message that its game begins.
    pub(crate) fn begin(&self, seat: usize, seats: usize, seed: u32) {
        self.send(&Message::NewGame { game: Some(self.number), seat, seats, seed });
    }

    /// Asks it, and waits for its answer and the answers to questions that are sent together with it. The limit is the sum of
    /// the limits of these questions, and each is charged an equal part of the time taken.
    pub(crate) fn ask(&self, question: Question<'_>, time: Duration) -> Result<TimedAnswer, AnswerError> {
        let decision = {
            let mut state = self.process.lock();
            state.last_decision += 1;
            state.last_decision
        };
        let mut text = String::new();
        question.write(Some(self.number), decision, &mut text);
        let asked = DecisionRequest { decision, actions: question.actions.len() };
        let mut state = self.process.lock();
        state.questions.push(Pending { game: self.number, asked, text, time });
        self.process.has_asked.notify_one();
        loop {
            if let Some(answer) = state.answers.remove(&decision) {
                return answer;
            }
            state = match mem::replace(&mut state.line, Line::Busy) {
                Line::Free(bot) => self.process.exchange(state, bot),
                Line::Ended(wrong) => {
                    state.line = Line::Ended(wrong.clone());
                    return Err(wrong);
                }
                Line::Stopped => {
                    state.line = Line::Stopped;
                    drop(state);
                    stop::check();
                    stop::fail("the game that asked for several was left".into());
                }
                Line::Busy => {
                    let waited = self.process.has_answered.wait_timeout(state, STOP_INTERVAL);
                    drop(waited.unwrap_or_else(PoisonError::into_inner));
                    stop::check();
                    self.process.lock()
                }
            };
        }
    }

    /// Queues the message that its game has ended.
    pub(crate) fn end(mut self, message: &Message<'_>) {
        self.send(message);
        self.is_over = true;
    }

    pub(crate) const fn number(&self) -> GameNumber {
        self.number
    }

    fn send(&self, message: &Message<'_>) {
        self.process.lock().unsent.push(message.line());
    }
}

impl Drop for SharedGame {
    fn drop(&mut self) {
        let mut state = self.process.lock();
        // If the run is stopped its question may still be queued, but no thread waits for the answer.
        state.questions.retain(|question| question.game != self.number);
        if !self.is_over {
            state.unsent.push(Message::game_over(Some(self.number)).line());
        }
        if let Entry::Occupied(mut of_thread) = state.games.entry(self.thread) {
            of_thread.get_mut().number -= 1;
            if of_thread.get().number == 0 {
                of_thread.remove();
            }
        }
        drop(state);
        self.process.has_asked.notify_one();
    }
}

/// Marks a process as stopped if the thread that exchanges lines with it unwinds, because the run is stopped or the system has
/// failed.
struct ExchangeGuard<'a>(&'a SharedProcess);

impl Drop for ExchangeGuard<'_> {
    fn drop(&mut self) {
        self.0.lock().line = Line::Stopped;
        self.0.has_answered.notify_all();
    }
}

impl Bot {
    /// Sends these lines and questions, and returns the answers in their order.
    fn ask_all(
        &mut self,
        told: &[String],
        questions: &[Pending],
    ) -> Result<Vec<Result<TimedAnswer, AnswerError>>, AnswerError> {
        told.iter().for_each(|line| self.process.queue_line(line));
        self.process.queue_line(&batch(questions.iter().map(|question| &*question.text)));
        let time = questions.iter().map(|question| question.time).sum();
        let (line, taken) = self.process.next_line(time, MAX_LINE_BYTES * questions.len()).map_err(|failure| {
            failure.into_wrong(|| {
                // Without numbers, because the questions of a batch differ between runs.
                (FaultCause::DecisionTime, "no answer to a batch of questions within the sum of their limits".into())
            })
        })?;
        let asked: Vec<DecisionRequest> = questions.iter().map(|question| question.asked).collect();
        let answers = Answer::read_batch(&line, &asked)
            .map_err(|wrong| self.process.reject(&wrong.1).map_or(wrong, |flood| (FaultCause::Flood, flood)))?;
        self.process.pause();
        let each = taken / u32::try_from(questions.len()).unwrap_or(u32::MAX);
        Ok(answers.into_iter().map(|answer| answer.map(|answer| (answer, each))).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Instant;

    use tempfile::TempDir;
    use unolab_engine::action::Action;
    use unolab_engine::knowledge::Knowledge;
    use unolab_engine::notation::ActionWithCall;
    use unolab_engine::observation::{NO_SCORES, Observation};
    use unolab_engine::rng::Rng;
    use unolab_engine::rules::Rules;
    use unolab_engine::seat::{Seat, SeatSet};
    use unolab_engine::state::RoundState;

    use super::super::super::confinement::Policy;
    use super::super::super::protocol::View;
    use super::super::program::Program;
    use super::*;
    use crate::options::Options;

    const MANY: usize = 8;

    /// Records its input, waits in its first batch until the test resumes it, and always takes the first action.
    const SCRIPT: &str = r#"cd "${0%/*}"
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo '{"protocol":1,"games":8}'; continue;;
    esac
    printf '%s\n' "$line" >> told
    case $line in
        *'"type":"batch"'*)
            touch thinks
            while ! [ -f go ]; do sleep 0.01; done
            printf '%s\n' "$line" | grep -o '"decision":[0-9]*' | sed 's/.*/{&,"action":0}/' | paste -sd, | sed 's/.*/{"answers":[&]}/';;
    esac
done
"#;

    struct Fixture {
        directory: TempDir,
        program: Program,
        rules: Arc<KnownRules>,
    }

    impl Fixture {
        fn new() -> Self {
            let directory = tempfile::tempdir().expect("a directory");
            let script = directory.path().join("bot");
            fs::write(&script, SCRIPT).expect("a script");
            let text = format!("cmd:\"sh {}\",decision_ms=600000", script.display());
            let mut options: Options = text.parse().expect("an agent");
            let program = Program::configure(&mut options, &Policy::default()).expect("it starts");
            let rules = program.message_of_rules(&Rules::preset("classic"));
            Self { directory, program, rules }
        }

        /// A game of this thread.
        fn begin(&self) -> SharedGame {
            self.begin_in(0)
        }

        fn begin_in(&self, seat: usize) -> SharedGame {
            let seated = (thread::current().id(), seat);
            let game = self.program.begin_shared_game(&self.rules, MANY, seated).expect("it begins");
            game.begin(seat, 2, 1);
            game
        }

        fn thinks(&self) -> bool {
            self.directory.path().join("thinks").exists()
        }

        fn resume(&self) {
            fs::write(self.directory.path().join("go"), "").expect("a file");
        }

        /// The lines that it has received; batches by their number of questions.
        fn told(&self) -> Vec<String> {
            let told = fs::read_to_string(self.directory.path().join("told")).expect("what it was told");
            told.lines().map(str::to_owned).collect()
        }
    }

    fn ask(game: &SharedGame) -> Result<TimedAnswer, AnswerError> {
        let rules = Rules::preset("classic");
        let state = RoundState::deal(&rules, SeatSet::first(2), Seat::new(0), &mut Rng::from_seed(1), &mut ());
        let knowledge = Knowledge::default();
        let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, Seat::new(0));
        let (actions, view) =
            ([Action::Draw, Action::Keep].map(ActionWithCall::from), View { observation: &observation, seats: 2 });
        let question = Question { kind: "turn", actions: &actions, view, events: None };
        game.ask(question, Duration::from_secs(600))
    }

    fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
        let until = Instant::now() + Duration::from_secs(60);
        while !holds() {
            assert!(Instant::now() < until, "{what}");
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn num_pending(process: &SharedProcess) -> usize {
        process.lock().questions.len()
    }

    fn questions_in(line: &str) -> usize {
        line.matches("\"type\":\"decide\"").count()
    }

    #[test]
    fn questions_during_thinking_form_one_batch() {
        let scene = Fixture::new();
        let process = Arc::clone(&scene.begin().process);
        let play = || ask(&scene.begin()).expect("an answer").0.action;
        thread::scope(|scope| {
            let first = scope.spawn(play);
            wait_for("the first question is there", || scene.thinks());
            let others: Vec<_> = (0..5).map(|_| scope.spawn(play)).collect();
            wait_for("all others have asked", || num_pending(&process) == 5);
            scene.resume();
            assert!(others.into_iter().chain([first]).all(|thread| thread.join().is_ok_and(|action| action == 0)));
        });
        let told = scene.told();
        let batches: Vec<usize> = told.iter().map(|line| questions_in(line)).filter(|&number| number > 0).collect();
        assert_eq!(batches, [1, 5]);
        assert!(
            told[0].starts_with("{\"type\":\"rules\"") && told[1].starts_with("{\"type\":\"new_game\",\"game\":1,")
        );
        assert_eq!(told.iter().filter(|line| line.contains("\"type\":\"rules\"")).count(), 1, "{told:?}");
    }

    #[test]
    fn process_plays_one_seat_and_one_rule_set() {
        let scene = Fixture::new();
        let is_same = |a: &SharedGame, b: &SharedGame| Arc::ptr_eq(&a.process, &b.process);
        let (one, two) = (scene.begin_in(0), scene.begin_in(1));
        assert!(!is_same(&one, &two));
        assert!(is_same(&scene.begin_in(0), &one) && is_same(&scene.begin_in(1), &two));
        thread::scope(|scope| {
            let other = scope.spawn(|| is_same(&scene.begin_in(1), &one));
            assert!(other.join().expect("a game"));
        });
        let known = scene.program.message_of_rules(&Rules::preset("disney"));
        let begin = || scene.program.begin_shared_game(&known, MANY, (thread::current().id(), 0)).expect("it begins");
        thread::scope(|scope| {
            let other = scope.spawn(|| !is_same(&begin(), &one) && !is_same(&begin(), &two));
            assert!(other.join().expect("a third process"));
        });
        let process = Arc::clone(&one.process);
        drop(one);
        assert!(Arc::ptr_eq(&begin().process, &process), "it plays by other rules once its games are over");
    }

    #[test]
    fn full_process_accepts_no_further_game() {
        let scene = Fixture::new();
        let process = Arc::clone(&scene.begin().process);
        let all_have_begun = std::sync::Barrier::new(MANY + 2);
        thread::scope(|scope| {
            let play = || {
                let game = scene.begin();
                all_have_begun.wait();
                Arc::ptr_eq(&game.process, &process)
            };
            let threads: Vec<_> = (0..MANY + 2).map(|_| scope.spawn(play)).collect();
            let there = threads.into_iter().map(|thread| thread.join().expect("a game")).filter(|&it| it).count();
            assert_eq!(there, MANY);
        });
    }

    #[test]
    fn abandoned_game_cancels_its_question() {
        let scene = Fixture::new();
        let process = Arc::clone(&scene.begin().process);
        let flag = AtomicBool::new(false);
        thread::scope(|scope| {
            let first = scope.spawn(|| ask(&scene.begin()));
            wait_for("it thinks", || scene.thinks());
            let left = scope.spawn(|| stop::unless_stopped(&flag, || ask(&scene.begin())));
            wait_for("the other has asked", || num_pending(&process) == 1);
            flag.store(true, Ordering::Relaxed);
            assert_eq!(left.join().expect("no panic"), Err(stop::Stopped));
            assert_eq!(num_pending(&process), 0);
            scene.resume();
            assert_eq!(first.join().expect("no panic").expect("an answer").0.action, 0);
        });
        ask(&scene.begin()).expect("an answer");
        // Games 1 to 4: the first did not ask a question, the third was abandoned.
        let told = scene.told();
        let of_third: Vec<&String> = told.iter().filter(|line| line.contains("\"game\":3")).collect();
        assert_eq!(of_third.len(), 2, "{told:?}");
        assert_eq!(*of_third[1], "{\"type\":\"game_over\",\"game\":3}");
    }

    #[test]
    fn ended_reader_thread_means_process_ended() {
        let scene = Fixture::new();
        let process = Arc::clone(&scene.begin().process);
        let flag = AtomicBool::new(false);
        thread::scope(|scope| {
            let speaks = scope.spawn(|| stop::unless_stopped(&flag, || ask(&scene.begin())));
            wait_for("it thinks", || scene.thinks());
            let waits = scope.spawn(|| stop::unless_system_fails(|| ask(&scene.begin())));
            wait_for("the other has asked", || num_pending(&process) == 1);
            flag.store(true, Ordering::Relaxed);
            assert_eq!(speaks.join().expect("no panic"), Err(stop::Stopped));
            let left = stop::SystemFailure("the game that asked for several was left".into());
            assert_eq!(waits.join().expect("no panic"), Err(left), "the program is not at fault");
        });
        assert!(process.has_ended() && num_pending(&process) == 0);
        scene.resume();
        let game = scene.begin();
        assert!(!Arc::ptr_eq(&game.process, &process));
        assert_eq!(ask(&game).expect("an answer").0.action, 0);
    }
}
