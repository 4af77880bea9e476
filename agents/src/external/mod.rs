//! `cmd`: a program in any language, over lines on its standard input and output. `PROTOCOL.md` has the protocol.
//!
//! A process plays one seat of one game after the other, or of several games at once if the program requests that (see
//! `process::shared`). It is started when it is first needed. After a fault the program loses the game, and no other player is
//! affected: the process is ended at once, [`Greedy`] plays the rest of the game, and the next game gets a new process.

pub mod descriptors;

mod diagnostics;

mod confinement;

mod protocol;

mod process;

use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::Duration;

use unolab_engine::action::{Action, Call};
use unolab_engine::event::VisibleEvent;
use unolab_engine::notation::ActionWithCall;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;

use crate::agent::{Agent, EventSubscription, GameResult};
use crate::fault::{Fault, FaultCause};
use crate::greedy::Greedy;
use crate::options::{OptionError, Options};
pub use confinement::{Confinement, Policy, ProgramSeed, ProgramStart, Sandbox, serve_as_launcher};
pub use diagnostics::RunLog;
use process::{Bot, Games, Program, SharedGame};
pub use process::{adopt_orphans, deny_memory_access};
#[cfg(feature = "fuzzing")]
pub use protocol::read_line_of_program;
use protocol::{Answer, AnswerError, EventMessage, KnownRules, Message, Question, View, program_seed};
pub use protocol::{MAX_NOTE_CHARS, limits};

/// Makes a player of a program for a seat under these rules, with its own stream.
type MakePlayer = dyn Fn(&Rules, Seat, Rng) -> Box<dyn Agent> + Send + Sync;

/// Starts the program that the options name. Returns its players, and the number of games that it plays at once.
pub(crate) fn configure(options: &mut Options, policy: &Policy) -> Result<(Arc<MakePlayer>, usize), OptionError> {
    let program = Arc::new(Program::configure(options, policy)?);
    let games_at_once = program.games_at_once();
    if let Some(run_log) = &program.run_log {
        run_log.watch(&program);
    }
    let make = move |rules: &Rules, seat, rng| {
        Box::new(External::new(Arc::clone(&program), rules, seat, rng)) as Box<dyn Agent>
    };
    Ok((Arc::new(make), games_at_once))
}

/// An external program in one seat of one game.
struct External {
    program: Arc<Program>,
    rules: Arc<KnownRules>,
    /// The thread that seated it, as it did the other seats of the game.
    thread: ThreadId,
    seat: Seat,
    /// The number of seats of the table; 0 until the first decision.
    seats: usize,
    /// The first number of the seat's stream. Its substitute has the others.
    from_stream: u32,
    /// Plays the rest of a game that is lost.
    substitute: Greedy,
    game: Game,
    /// The events that the seat has seen since its last decision, if the program wants them.
    events: Vec<EventMessage>,
    /// The program's note on its last answer.
    note: Option<String>,
    decisions: u32,
    time_left: Duration,
    /// The result of the game, once it is known.
    result: Option<GameResult>,
}

/// The program's state in its game.
enum Game {
    /// It has not been asked anything yet.
    NotBegun,
    /// It plays.
    Playing(Connection),
    /// It has lost the game.
    Lost(Fault),
}

/// The connection between a game and its process. Dropping it during the game ends a process that plays only this game.
enum Connection {
    /// The process plays only this game.
    Alone(Bot),
    /// The process also plays other games.
    Shared(SharedGame),
}

impl External {
    fn new(program: Arc<Program>, rules: &Rules, seat: Seat, mut rng: Rng) -> Self {
        let from_stream = rng.bits();
        Self {
            rules: program.message_of_rules(rules),
            thread: thread::current().id(),
            seat,
            seats: 0,
            from_stream,
            substitute: Greedy::new(rng),
            game: Game::NotBegun,
            events: Vec::new(),
            note: None,
            decisions: 0,
            time_left: program.limits.game,
            result: None,
            program,
        }
    }

    /// Asks the program for one of these actions; `None` if it has lost the game.
    fn ask(&mut self, kind: &str, observation: &Observation<'_>, actions: &[ActionWithCall]) -> Option<usize> {
        if matches!(self.game, Game::Lost(_)) {
            return None;
        }
        self.decisions += 1;
        self.note = None;
        match self.ask_program(kind, observation, actions) {
            Ok(answer) => {
                self.note = answer.note;
                Some(answer.action)
            }
            Err((kind, what)) => {
                self.events = Vec::new();
                // The connection has been dropped, which has ended a process that plays only this game.
                self.game = Game::Lost(Fault { seat: self.seat, decision: self.decisions, kind, what });
                None
            }
        }
    }

    fn ask_program(
        &mut self,
        kind: &str,
        observation: &Observation<'_>,
        actions: &[ActionWithCall],
    ) -> Result<Answer, AnswerError> {
        // The connection is returned only with a valid answer. After a fault, or if the run is stopped, it is dropped.
        let mut connection = match std::mem::replace(&mut self.game, Game::NotBegun) {
            Game::Playing(connection) => connection,
            Game::NotBegun | Game::Lost(_) => self.begin(observation)?,
        };
        let limits = self.program.limits;
        let time = limits.decision.min(self.time_left);
        let timed_out = || match time < limits.decision {
            true => (FaultCause::GameTime, format!("used up the {} ms of the game", limits.game.as_millis())),
            false => (FaultCause::DecisionTime, format!("no answer within {} ms", time.as_millis())),
        };
        let view = View { observation, seats: self.seats };
        let events = self.program.wants_events.then_some(&self.events[..]);
        let question = Question { kind, actions, view, events };
        let (answer, taken) = match &mut connection {
            Connection::Alone(bot) => {
                bot.ask(question, time, timed_out).map_err(|wrong| self.with_remedy_at_first_answer(wrong))
            }
            Connection::Shared(_) if time.is_zero() => Err(timed_out()),
            Connection::Shared(game) => game.ask(question, time),
        }?;
        self.game = Game::Playing(connection);
        self.events.clear();
        self.time_left = self.time_left.saturating_sub(taken);
        if let Some(run_log) = &self.program.run_log {
            run_log.count_decision(taken);
        }
        Ok(answer)
    }

    /// A fault in the first answer of a game may come from the end of the game that the process played before. Whether it has
    /// played one depends on the threads, but the message must not. So it names both causes in any process.
    fn with_remedy_at_first_answer(&self, (kind, what): AnswerError) -> AnswerError {
        let remedy = match kind {
            _ if self.decisions > 1 || self.program.games != Games::OneAfterTheOther => return (kind, what),
            FaultCause::Crash => "no answer in this game yet: a program that ends after each game needs fresh=true",
            FaultCause::Malformed | FaultCause::Stale | FaultCause::Flood => {
                "the first answer of the game: a line printed after game_over counts as an answer in the next game"
            }
            FaultCause::DecisionTime | FaultCause::GameTime | FaultCause::Illegal => return (kind, what),
        };
        (kind, format!("{what} ({remedy})"))
    }

    /// Stores an event for the next question, if the program wants events.
    fn remember(&mut self, happened: impl FnOnce() -> EventMessage) {
        if self.program.wants_events && !matches!(self.game, Game::Lost(_)) {
            self.events.push(happened());
        }
    }

    fn begin(&mut self, observation: &Observation<'_>) -> Result<Connection, AnswerError> {
        self.seats = observation.seats().iter().last().map_or(0, |seat| seat.index() + 1);
        let (seat, seats) = (observation.seat().index(), self.seats);
        let seed = match self.program.program_seed {
            ProgramSeed::FirstView => program_seed(&self.rules, View { observation, seats }),
            ProgramSeed::AgentSeed => self.from_stream,
        };
        if let Games::AtOnce(many) = self.program.games {
            // The player's initial seat: if partners change, the current seat differs between rounds.
            let game = self.program.begin_shared_game(&self.rules, many, (self.thread, self.seat.index()))?;
            game.begin(seat, seats, seed);
            return Ok(Connection::Shared(game));
        }
        let mut bot = self.program.take()?;
        bot.learn(&self.rules);
        bot.queue(&Message::NewGame { game: None, seat, seats, seed });
        Ok(Connection::Alone(bot))
    }
}

impl Agent for External {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let actions = observation.legal_actions();
        let spoken: Vec<ActionWithCall> = actions.iter().copied().map(ActionWithCall::from).collect();
        match self.ask(observation.decision_word().unwrap_or_default(), observation, &spoken) {
            Some(chosen) => actions[chosen],
            None => self.substitute.choose(observation),
        }
    }

    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        let calls = [Call::Uno, Call::Silent];
        self.ask("call", observation, &calls.map(|call| ActionWithCall { action, call }))
            .map_or_else(|| self.substitute.call(observation, action), |chosen| calls[chosen])
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let actions: Vec<Action> = options.iter().copied().chain([Action::Silent]).collect();
        let spoken: Vec<ActionWithCall> = actions.iter().copied().map(ActionWithCall::from).collect();
        match self.ask("interrupt", observation, &spoken) {
            Some(chosen) => actions[chosen],
            None => self.substitute.interrupt(observation, options),
        }
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.remember(|| EventMessage::dealt(observation));
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.remember(|| EventMessage::of(seen, observation));
    }

    fn subscription(&self) -> EventSubscription {
        if self.program.wants_events { EventSubscription::Events } else { EventSubscription::Shown }
    }

    fn take_note(&mut self) -> Option<String> {
        self.note.take()
    }

    fn game_over(&mut self, result: &GameResult) {
        self.result = Some(result.clone());
    }

    fn fault(&self) -> Option<&Fault> {
        match &self.game {
            Game::Lost(fault) => Some(fault),
            Game::NotBegun | Game::Playing(_) => None,
        }
    }
}

impl Drop for External {
    /// The game is over: the program may play another.
    fn drop(&mut self) {
        let Game::Playing(connection) = std::mem::replace(&mut self.game, Game::NotBegun) else { return };
        let (result, seat) = (self.result.take(), self.seat.index());
        let message = Message::GameOver {
            game: match &connection {
                Connection::Alone(_) => None,
                Connection::Shared(game) => Some(game.number()),
            },
            points: result.as_ref().map(|result| &result.points[..]),
            places: result.as_ref().map(|result| &result.places[..]),
            win_share: result.as_ref().and_then(|result| result.win_shares.get(seat)).copied(),
            events: self.program.wants_events.then_some(&self.events[..]),
        };
        match connection {
            Connection::Alone(mut bot) => {
                bot.queue(&message);
                bot.send_available();
                self.program.return_bot(bot);
            }
            Connection::Shared(game) => game.end(&message),
        }
    }
}
