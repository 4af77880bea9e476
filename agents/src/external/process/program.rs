//! A configured program: its command, its time limits, and its idle processes.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use unolab_engine::rules::Rules;

use super::super::confinement::{Network, Policy, ProgramSeed, ProgramStart, SandboxPolicy};
use super::super::diagnostics::{ProgramLog, StderrSource, excerpt, shell_error_message, spawn_error_message};
use super::super::protocol::limits::{MAX_GAMES_AT_ONCE, MAX_LINE_BYTES};
use super::super::protocol::{AnswerError, Greeting, KnownRules, Message, NO_LINE_END, VERSION};
use super::bot::{Bot, lock};
use super::child::{Failure, Process};
use super::guard;
use super::shared::{SharedGame, SharedProcess};
use crate::fault::FaultCause;
use crate::named_file;
use crate::options::{OptionError, Options};
use crate::stop;

/// The time that all remaining processes together get to end by themselves.
const EXIT_TIME: Duration = Duration::from_millis(200);

/// The remedy for a program that ends at its start because it lacks a file.
const SANDBOX_HINT: &str = " (it ran in the sandbox: --allow-read PATH, --allow-write PATH)";

/// A program that plays.
pub(crate) struct Program {
    words: Vec<String>,
    /// The words that name files which could be read when the program was configured.
    files: Vec<String>,
    sandbox: Option<SandboxPolicy>,
    start: ProgramStart,
    pub(crate) program_seed: ProgramSeed,
    pub(crate) limits: Limits,
    pub(crate) games: Games,
    /// Whether it wants the events between its decisions.
    pub(crate) wants_events: bool,
    idle: Mutex<Vec<Bot>>,
    /// The processes that play several games at once.
    shared: Mutex<Shared>,
    known: Mutex<Vec<Arc<KnownRules>>>,
    pub(crate) run_log: Option<Arc<ProgramLog>>,
}

/// The processes that play several games at once.
#[derive(Default)]
struct Shared {
    processes: Vec<Arc<SharedProcess>>,
    /// When a process last could not be started, and why.
    failed: Option<(Instant, AnswerError)>,
}

/// Why a process of a program does not play.
enum StartFailure {
    /// The system did not start it; why, in words.
    BySystem(String),
    /// It was started, but its greeting was invalid.
    Faulty(AnswerError),
}

impl From<AnswerError> for StartFailure {
    fn from(wrong: AnswerError) -> Self {
        Self::Faulty(wrong)
    }
}

/// The time limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) decision: Duration,
    pub(crate) game: Duration,
    start: Duration,
}

/// The games that a process plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Games {
    /// One.
    One,
    /// One after the other.
    OneAfterTheOther,
    /// This number at once.
    AtOnce(usize),
}

impl Program {
    /// The program that the options name. It has been started and has answered, unless the policy does not start programs.
    pub(crate) fn configure(options: &mut Options, policy: &Policy) -> Result<Self, OptionError> {
        let network = if policy.network.contains(options.text()) { Network::Allowed } else { Network::Denied };
        let object = options.take_object().unwrap_or_default();
        let refuse = |reason: String| OptionError::Object { object: object.clone(), reason };
        let words = shlex::split(&object).ok_or_else(|| refuse("a quote in it is not closed".into()))?;
        if words.is_empty() {
            return Err(refuse("needs a program, such as cmd:\"python3 mybot.py\"".into()));
        }
        if let Some(reason) = shell_error_message(&words) {
            return Err(refuse(reason));
        }
        let limits = Limits {
            decision: milliseconds(options, "decision_ms", 1_000)?,
            game: milliseconds(options, "game_ms", 60_000)?,
            start: milliseconds(options, "start_ms", 10_000)?,
        };
        let fresh = options.take("fresh", "true or false")?.unwrap_or(false);
        let games = if fresh { Games::One } else { Games::OneAfterTheOther };
        if cfg!(feature = "fuzzing") {
            return Err(refuse("is not started: a fuzz target may have named anything".into()));
        }
        let sandbox = SandboxPolicy::for_program(&words, policy, network).map_err(refuse)?;
        let files = words.iter().filter(|word| unreadable_reason(word).is_none()).cloned().collect();
        let mut program = Self {
            words,
            files,
            sandbox,
            start: policy.start,
            program_seed: policy.program_seed,
            limits,
            games,
            wants_events: false,
            idle: Mutex::default(),
            shared: Mutex::default(),
            known: Mutex::default(),
            run_log: policy.run_log.as_ref().and_then(|run_log| run_log.of(options.text())),
        };
        if policy.start == ProgramStart::Refused {
            return Ok(program);
        }
        let (bot, greeting) = program.start().map_err(|spawn_error| match spawn_error {
            StartFailure::BySystem(what) | StartFailure::Faulty((_, what)) => refuse(what),
        })?;
        program.wants_events = greeting.events;
        match greeting.games {
            None => program.return_bot(bot),
            Some(_) if fresh => return Err(refuse("plays games at once, so fresh must be false".into())),
            Some(games) => {
                program.games = Games::AtOnce(games);
                lock(&program.shared).processes.push(Arc::new(SharedProcess::new(bot)));
            }
        }
        Ok(program)
    }

    /// Starts another process. A process could be started when the program was configured. So if the system does not start
    /// another, or the program's files can no longer be read, the program is not at fault: the run ends.
    fn start_again(&self) -> Result<Bot, AnswerError> {
        let reason = match self.start() {
            Ok((bot, _)) => return Ok(bot),
            Err(StartFailure::BySystem(what)) => what,
            Err(StartFailure::Faulty(wrong)) => {
                let unreadable =
                    |file: &String| Some(format!("{file} cannot be read any more: {}", unreadable_reason(file)?));
                self.files.iter().find_map(unreadable).ok_or(wrong)?
            }
        };
        lock(&self.idle).clear(); // the results so far can be saved, which also needs files
        stop::fail(reason)
    }

    /// Starts a process, and waits for its greeting.
    fn start(&self) -> Result<(Bot, Greeting), StartFailure> {
        if self.start == ProgramStart::Refused {
            return Err((FaultCause::Crash, "is not started: nothing is played here".into()).into());
        }
        let hint = if self.sandbox.is_some() { SANDBOX_HINT } else { "" };
        let spawn_error = |error| StartFailure::BySystem(spawn_error_message(&self.words[0], &error));
        let started = Process::start(&self.words, self.sandbox.as_ref(), self.run_log.as_ref());
        let mut process = started.map_err(spawn_error)?;
        process.queue_line(
            &Message::Hello {
                protocol: VERSION,
                unolab: env!("CARGO_PKG_VERSION"),
                decision_ms: whole_milliseconds(self.limits.decision),
                game_ms: whole_milliseconds(self.limits.game),
            }
            .line(),
        );
        let (line, _) = process.next_line(self.limits.start, MAX_LINE_BYTES).map_err(|failure| match failure {
            Failure::Ended(how) => match process.launch_error() {
                Some(error) => spawn_error(error),
                None => (FaultCause::Crash, format!("{how}, before it answered hello{hint}")).into(),
            },
            Failure::TimedOut => {
                let what = format!("no answer to hello within {} ms", self.limits.start.as_millis());
                (FaultCause::DecisionTime, what).into()
            }
            Failure::Unfinished => {
                let limit = self.limits.start.as_millis();
                let what = format!("no answer to hello within {limit} ms: {NO_LINE_END}");
                (FaultCause::DecisionTime, what).into()
            }
            Failure::Flood(what) => (FaultCause::Flood, format!("{what}, instead of an answer to hello")).into(),
            Failure::BySystem(what) => StartFailure::BySystem(what),
        })?;
        let greeting = Greeting::read(&line).map_err(|reason| {
            let line = excerpt(&String::from_utf8_lossy(&line));
            let what = format!("answered hello with `{line}`, not with {{\"protocol\": {VERSION}}}: {reason}");
            (FaultCause::Malformed, what)
        })?;
        if greeting.protocol != VERSION {
            let what = format!("speaks version {} of the protocol; allowed: {VERSION}", greeting.protocol);
            return Err((FaultCause::Malformed, what).into());
        }
        if let Some(games) = greeting.games
            && !(1..=MAX_GAMES_AT_ONCE).contains(&games)
        {
            let what = format!("wants to play {games} games at once; allowed: 1 to {MAX_GAMES_AT_ONCE}");
            return Err((FaultCause::Malformed, what).into());
        }
        process.pause();
        Ok((Bot::new(process), greeting))
    }

    /// A game of a process that plays several at once, in this seat and seated by this thread.
    pub(crate) fn begin_shared_game(
        &self,
        rules: &Arc<KnownRules>,
        many: usize,
        seated: (ThreadId, usize),
    ) -> Result<SharedGame, AnswerError> {
        guard::reap_orphans();
        let begin = Instant::now();
        // Other threads wait while this one starts a process, because the process may also play their games.
        let mut shared = lock(&self.shared);
        stop::check(); // the others need not start processes if the run is stopped meanwhile
        shared.processes.retain(|process| !process.has_ended());
        if let Some(game) = shared.processes.iter().find_map(|process| process.begin_game(rules, many, seated)) {
            return Ok(game);
        }
        if let Some((_, wrong)) = shared.failed.as_ref().filter(|(when, _)| *when > begin) {
            return Err(wrong.clone()); // nor if the process for which they waited could not be started
        }
        let process = match self.start_again() {
            Ok(bot) => Arc::new(SharedProcess::new(bot)),
            Err(wrong) => {
                shared.failed = Some((Instant::now(), wrong.clone()));
                return Err(wrong);
            }
        };
        let game = process.begin_game(rules, many, seated).expect("it plays no game yet");
        shared.processes.push(process);
        Ok(game)
    }

    /// The number of games that it plays at once.
    pub(crate) const fn games_at_once(&self) -> usize {
        match self.games {
            Games::One | Games::OneAfterTheOther => 1,
            Games::AtOnce(many) => many,
        }
    }

    /// Returns a process for a game.
    pub(crate) fn take(&self) -> Result<Bot, AnswerError> {
        let idle = lock(&self.idle).pop();
        match idle {
            Some(bot) => Ok(bot),
            None => self.start_again(),
        }
    }

    /// Takes a process back after a game.
    pub(crate) fn return_bot(&self, mut bot: Bot) {
        match self.games {
            // A process that has only received the greeting has not played yet.
            Games::One if bot.has_played() => {
                let until = Instant::now() + EXIT_TIME;
                bot.process.close_input(until);
                bot.process.wait_for_end(until);
            }
            Games::One | Games::OneAfterTheOther | Games::AtOnce(_) => {
                guard::reap_orphans();
                lock(&self.idle).push(bot);
            }
        }
    }

    /// The message with these rules.
    pub(crate) fn message_of_rules(&self, rules: &Rules) -> Arc<KnownRules> {
        let mut known = lock(&self.known);
        if let Some(found) = known.iter().find(|known| known.are(rules)) {
            return Arc::clone(found);
        }
        let new = Arc::new(KnownRules::new(rules));
        known.push(Arc::clone(&new));
        new
    }
}

impl StderrSource for Program {
    /// Idle processes end by themselves, or are ended.
    fn release(&self) {
        let mut idle = std::mem::take(&mut *lock(&self.idle));
        idle.extend(lock(&self.shared).processes.drain(..).filter_map(|process| process.take()));
        let until = Instant::now() + EXIT_TIME;
        idle.iter_mut().for_each(|bot| bot.process.close_input(until));
        idle.iter_mut().for_each(|bot| bot.process.wait_for_end(until));
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.release();
    }
}

/// Why a file cannot be read, if it cannot.
fn unreadable_reason(file: &str) -> Option<String> {
    match named_file::open(Path::new(file)) {
        Err(error) => Some(error.to_string()),
        Ok(_) if !Path::new(file).is_file() => Some("not a file".into()),
        Ok(_) => None,
    }
}

fn milliseconds(options: &mut Options, option: &'static str, usual: u64) -> Result<Duration, OptionError> {
    const MOST: u64 = 86_400_000;
    let allowed = "milliseconds, 1 to 86400000";
    match options.take(option, allowed)?.unwrap_or(usual) {
        given @ 1..=MOST => Ok(Duration::from_millis(given)),
        given => Err(OptionError::Value { option, value: given.to_string(), allowed: allowed.into() }),
    }
}

fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
