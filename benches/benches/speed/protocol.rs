//! A question to a bot over the line protocol, a bare exchange of lines with the same program for comparison, and a batch
//! of questions from many games. This program is also the bot: it takes the first action and parses as little as it can.

use std::env;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Instant;

use criterion::Criterion;
use unolab_agents::agent::Agent;
use unolab_agents::registry::Registry;
use unolab_engine::action::{Action, Call};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::RoundState;

/// The argument that starts this program as the bot.
pub(super) const BOT: &str = "play-first";

const GREETING: &str = r#"{"type":"hello""#;
const QUESTION: &str = r#"{"type":"decide","decision":"#;
const BATCH: &str = r#"{"type":"batch""#;
const DECISION: &str = r#""decision":"#;
/// The number of games played at the same time.
const GAMES: usize = 64;
/// As long as the question of the measured decision, which is in the middle of a round.
const LENGTH: usize = 684;

pub(super) fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("protocol");
    let program = env::current_exe().expect("this program has a path");

    group.bench_function("ping-pong", |bencher| {
        let mut bot = Bare::start(Command::new(&program).arg(BOT));
        let question = format!("{QUESTION}7,{}}}\n", "x".repeat(LENGTH));
        assert_eq!(bot.ask(&question), "{\"decision\":7,\"action\":0}\n");
        bencher.iter(|| bot.ask(&question).len());
    });

    let rules = Rules::preset("classic");
    let (state, knowledge) = middle_of_a_round(&rules);
    let seat = state.current_seat().expect("the round is not over");
    let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, seat);
    let legal = observation.legal_actions();
    assert!(legal.len() > 1, "a program is not asked where there is no choice");
    let configured = |arguments: &str| {
        let text = format!("cmd:\"'{}' {arguments}\",decision_ms=60000,game_ms=86400000", program.display());
        Registry::default().configure(&text).unwrap_or_else(|error| panic!("{error}"))
    };

    group.bench_function("decision", |bencher| {
        let mut bot = configured(BOT).make(&rules, seat, Rng::from_seed(1));
        bot.begin_round(&observation);
        assert_eq!(bot.choose(&observation), legal[0]);
        bencher.iter(|| bot.choose(&observation));
        assert_eq!(bot.fault(), None);
    });

    // Each game asks one question; this is the time for all of them.
    group.bench_function(format!("batch of {GAMES}"), |bencher| {
        let bot = configured(&format!("{BOT} {GAMES}"));
        bencher.iter_custom(|iterations| {
            let play = || {
                let mut bot = bot.make(&rules, seat, Rng::from_seed(1));
                bot.begin_round(&observation);
                assert!((0..iterations).all(|_| bot.choose(&observation) == legal[0]));
                assert_eq!(bot.fault(), None);
            };
            let begin = Instant::now();
            thread::scope(|scope| (0..GAMES).for_each(|_| drop(scope.spawn(play))));
            begin.elapsed()
        });
    });
    group.finish();
}

/// A round in which 40 cards have been played, by seats that keep at least eight.
fn middle_of_a_round(rules: &Rules) -> (RoundState, Knowledge) {
    let (mut rng, mut knowledge) = (Rng::from_seed(1), Knowledge::default());
    let mut state = RoundState::deal(rules, SeatSet::first(2), Seat::new(0), &mut rng, &mut knowledge);
    while state.discard_pile().len() < 40 {
        let seat = state.current_seat().expect("every seat has cards");
        let actions = state.legal_actions(rules);
        let draws = actions.contains(&Action::Draw) && state.hand(seat).len() < 8;
        let action = if draws { Action::Draw } else { actions[0] };
        state.apply_action_unchecked(rules, seat, action, Call::Silent, &mut rng, &mut knowledge);
    }
    (state, knowledge)
}

/// The bot: reads lines, and answers those that ask. Its second argument is the number of games that it plays at once.
pub(super) fn be_the_bot() {
    let games = env::args().nth(2).map_or(String::new(), |games| format!(",\"games\":{games}"));
    let mut answers = stdout().lock();
    let first_action = |rest: &str| {
        let decision = rest.split(',').next().unwrap_or_default();
        format!("{{\"decision\":{decision},\"action\":0}}")
    };
    for line in stdin().lock().lines().map_while(Result::ok) {
        let answer = if let Some(rest) = line.strip_prefix(QUESTION) {
            first_action(rest) + "\n"
        } else if line.starts_with(BATCH) {
            let answers: Vec<String> = line.split(DECISION).skip(1).map(first_action).collect();
            format!("{{\"answers\":[{}]}}\n", answers.join(","))
        } else if line.starts_with(GREETING) {
            format!("{{\"protocol\":1{games}}}\n")
        } else {
            continue;
        };
        if answers.write_all(answer.as_bytes()).and_then(|()| answers.flush()).is_err() {
            return;
        }
    }
}

/// A program that only exchanges lines.
struct Bare {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    line: String,
}

impl Bare {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        Self { child, to, from: BufReader::new(from), line: String::new() }
    }

    fn ask(&mut self, question: &str) -> &str {
        self.to.write_all(question.as_bytes()).expect("it reads");
        self.line.clear();
        self.from.read_line(&mut self.line).expect("it answers");
        &self.line
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
