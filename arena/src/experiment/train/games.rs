//! The games from which a net learns: the players, the recorded choices and their results.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::goal::Goal;
use unolab_agents::heuristic::{Heuristic, Style};
use unolab_agents::net::INPUTS;
use unolab_agents::net::float_net::{Sample, Samples};
use unolab_agents::net::judge::Judge;
use unolab_agents::net::player::{NetPlayer, NetSettings};
use unolab_agents::net::weights::Weights;
use unolab_agents::player::Player;
use unolab_agents::registry::AgentSpec;
use unolab_agents::table::Table;
use unolab_engine::action::{Action, Call};
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{Rules, Scoring};
use unolab_engine::scoring::RoundResult;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{Outcome, RoundState};

use super::targets::{lambda_returns, returns};

/// Longer rounds are truncated and lost by all seats.
const MOST_DECISIONS: u32 = 2_000;

/// The samples of one seat in one game have at most this total weight, so that a very long round counts as one round.
const MOST_WEIGHT: f32 = 40.0;

/// The maximum points of a round in a training target, in hundreds.
const MOST_HUNDREDS: f32 = 3.0;

/// The result of one round for the net.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Score {
    /// The number of seats of the net.
    pub seats: u64,
    /// The number of rounds that it won.
    pub wins: u64,
    /// Rounds without a winner.
    pub unfinished: u64,
    /// Rounds.
    pub rounds: u64,
}

impl Score {
    /// Adds the result of other rounds.
    pub const fn add(&mut self, other: Self) {
        self.seats += other.seats;
        self.wins += other.wins;
        self.unfinished += other.unfinished;
        self.rounds += other.rounds;
    }

    /// Whether this is a possible result of this number of rounds, in each of which the net has from one to
    /// `most_seats` seats.
    pub(super) fn can_be_of(self, rounds: u64, most_seats: u64) -> bool {
        let Self { seats, wins, unfinished, rounds: found } = self;
        let won = wins.checked_add(unfinished);
        found == rounds && (rounds..=rounds * most_seats).contains(&seats) && won.is_some_and(|won| won <= rounds)
    }
}

/// Whether these are possible samples of games. A target is between an outcome and the estimates.
pub(super) fn are_possible(samples: &Samples) -> bool {
    const ROUNDED: f32 = 1e-3;
    let mut begin = 0;
    let mut follows = |sample: &Sample| {
        let (first, end) = sample.inputs;
        let follows = first == begin && end >= first;
        begin = end;
        follows
    };
    let has_numbers = |&Sample { win, points, weight, .. }: &Sample| {
        (-ROUNDED..=1.0 + ROUNDED).contains(&win)
            && points.abs() <= MOST_HUNDREDS + ROUNDED
            && weight > 0.0
            && weight <= 1.0
    };
    samples.samples.iter().all(|sample| follows(sample) && has_numbers(sample))
        && begin as usize == samples.inputs.len()
        && samples.inputs.iter().all(|&input| usize::from(input) < INPUTS)
}

/// The teacher of the net.
#[derive(Debug, Clone)]
pub enum Teacher {
    /// `heuristic` plays every seat; the net learns the outcomes of its choices.
    Heuristic,
    /// The current net plays one seat.
    Net(Arc<Weights>),
}

/// The settings of a table.
#[derive(Debug)]
pub struct Setting<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The seats.
    pub seats: usize,
    /// The teacher of the net.
    pub teacher: &'a Teacher,
    /// The other agents; a game has one or several of them.
    pub field: &'a [AgentSpec],
    /// An additional opponent: the last champion.
    pub champion: Option<&'a Arc<Weights>>,
    /// The probability of a random choice.
    pub explore: f64,
    /// See [`Plan::td_lambda`](super::course::Plan::td_lambda).
    pub td_lambda: f64,
    /// See [`Plan::discount`](super::course::Plan::discount).
    pub discount: f64,
}

impl Setting<'_> {
    /// Plays the game of this number and returns the samples of the net.
    #[must_use]
    pub fn play(&self, seed: u64, number: u64) -> (Samples, Score) {
        let mut chance = Rng::keyed(seed, number, Purpose::Cards { round: 0 });
        let mut lots = Rng::keyed(seed, number, Purpose::Other(0));
        let mut participants = self.seat_all(seed, number, &mut lots);
        #[expect(clippy::cast_possible_truncation, reason = "at most ten seats")]
        let dealer = Seat::new(lots.below(self.seats as u32) as usize);
        let mut state = RoundState::deal(self.rules, SeatSet::first(self.seats), dealer, &mut chance, &mut ());
        let mut agents: Vec<&mut dyn Agent> = participants.iter_mut().map(|participant| participant as _).collect();
        let mut table = Table {
            rules: self.rules,
            agents: &mut agents,
            scores: &NO_SCORES,
            state: &mut state,
            chance: &mut chance,
        };
        // The nets take most of the time, and their code is compiled for the instruction set.
        table.play_with_any(MOST_DECISIONS);
        self.collect_results(&state, participants)
    }

    fn seat_all(&self, seed: u64, number: u64, lots: &mut Rng) -> Vec<Participant> {
        #[expect(clippy::cast_possible_truncation, reason = "at most ten seats")]
        let own = Seat::new(lots.below(self.seats as u32) as usize);
        // In every third game each opponent is drawn separately; otherwise all are the same agent.
        let is_mixed = lots.below(3) == 0;
        let choices = u32::try_from(self.field.len()).expect("a few agents") + u32::from(self.champion.is_some());
        let mut chosen = lots.choice(choices) as usize;
        let mut participants = Vec::with_capacity(self.seats);
        for seat in Seat::first(self.seats) {
            let rng = Rng::keyed(seed, number, Purpose::Agent(seat));
            if is_mixed {
                chosen = lots.choice(choices) as usize;
            }
            let plays_along = matches!(self.teacher, Teacher::Heuristic) && (!is_mixed || lots.below(2) == 0);
            participants.push(if seat == own || plays_along {
                Participant::Learner(Box::new(Learner::new(self.teacher, self.rules, self.explore, rng)))
            } else {
                Participant::Other(Box::new(match (self.field.get(chosen), self.champion) {
                    (Some(agent), _) => agent.make(self.rules, seat, rng),
                    (None, Some(champion)) => {
                        let settings = NetSettings::with(Arc::clone(champion));
                        Player::of(Box::new(NetPlayer::new(settings)), seat, rng)
                    }
                    (None, None) => Player::of(Box::new(Heuristic::new(Arc::new(Style::STANDARD))), seat, rng),
                }))
            });
        }
        participants
    }

    fn collect_results(&self, state: &RoundState, participants: Vec<Participant>) -> (Samples, Score) {
        let winner = match state.outcome() {
            Some(Outcome::WentOut(winner)) => Some(winner),
            Some(Outcome::Void) | None => None,
        };
        let points = RoundResult::of(self.rules, state).points;
        let mut score = Score { rounds: 1, unfinished: u64::from(winner.is_none()), ..Score::default() };
        let mut all = Samples::default();
        for (seat, sitter) in Seat::first(self.seats).zip(participants) {
            let Participant::Learner(learner) = sitter else { continue };
            let has_won = winner == Some(seat);
            score.seats += 1;
            score.wins += u64::from(has_won);
            let number = learner.ends.len() as f32;
            let mut own = Samples { inputs: learner.inputs, samples: Vec::with_capacity(learner.ends.len()) };
            let mut begin = 0;
            #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
            let (lambda, discount) = (self.td_lambda as f32, self.discount as f32);
            let wins = lambda_returns(if has_won { 1.0 } else { 0.0 }, &learner.estimates, lambda, discount);
            let points = self.hundreds(points[seat], winner);
            // Lost points have no discount; otherwise the net would learn to delay a loss.
            let discount_of_points = if points > 0.0 { discount } else { 1.0 };
            let points = returns(points, wins.len(), discount_of_points);
            for ((end, win), points) in learner.ends.into_iter().zip(wins).zip(points) {
                own.samples.push(Sample { inputs: (begin, end), win, points, weight: (MOST_WEIGHT / number).min(1.0) });
                begin = end;
            }
            all.append(&own);
        }
        (all, score)
    }

    /// The points of a round for a seat, in hundreds.
    fn hundreds(&self, points: u32, winner: Option<Seat>) -> f32 {
        let hundreds = (points as f32 / 100.0).min(MOST_HUNDREDS);
        match (self.rules.parameters().scoring, winner) {
            (Scoring::WinnerTakes, _) => hundreds,
            (Scoring::RunningLowest | Scoring::Elimination, Some(_)) => -hundreds,
            (Scoring::RunningLowest | Scoring::Elimination, None) => -MOST_HUNDREDS,
        }
    }
}

/// The player of a seat.
enum Participant {
    Learner(Box<Learner>),
    Other(Box<Player>),
}

/// A seat whose choices are recorded.
struct Learner {
    /// Whether `heuristic` or the net plays.
    is_taught: bool,
    judge: Judge,
    explore: f64,
    rng: Rng,
    inputs: Vec<u16>,
    ends: Vec<u32>,
    /// The net's estimated winning probability of each choice; empty during imitation.
    estimates: Vec<Option<f32>>,
}

impl Learner {
    fn new(teacher: &Teacher, rules: &Rules, explore: f64, rng: Rng) -> Self {
        let (is_taught, weights) = match teacher {
            Teacher::Heuristic => (true, None),
            Teacher::Net(weights) => (false, Some(Arc::clone(weights))),
        };
        let (judge, inputs, ends) = (Judge::new(weights, rules), Vec::new(), Vec::new());
        Self { is_taught, judge, explore, rng, inputs, ends, estimates: Vec::new() }
    }
}

impl Agent for Learner {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let actions = observation.legal_actions();
        if actions.len() == 1 {
            return actions[0];
        }
        let random = if self.rng.chance(self.explore) { self.rng.pick(&actions).copied() } else { None };
        let given = random.or_else(|| self.is_taught.then(|| self.judge.tracker().hint(observation)));
        // The index of the choice among the evaluated actions, and the choice.
        let (number, action) = match given {
            Some(action) => {
                self.judge.values(observation, &[action]);
                (0, action)
            }
            None => {
                let best = self.judge.best(observation, &actions, Goal::Win);
                (best, actions[best])
            }
        };
        self.judge.inputs().on(number, &mut self.inputs);
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
        self.estimates.push(self.judge.estimate(number).map(|value| value.chance_to_win() as f32));
        self.ends.push(u32::try_from(self.inputs.len()).expect("a game has a few thousand inputs"));
        action
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.judge.tracker().begin_round(observation);
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.judge.tracker().observe(seen, observation);
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Events
    }
}

/// Calls the same method of either variant.
macro_rules! of_either {
    ($sitter:expr, $agent:ident => $call:expr) => {
        match $sitter {
            Participant::Learner($agent) => $call,
            Participant::Other($agent) => $call,
        }
    };
}

impl Agent for Participant {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        of_either!(self, agent => agent.choose(observation))
    }
    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        of_either!(self, agent => agent.call(observation, action))
    }
    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        of_either!(self, agent => agent.interrupt(observation, options))
    }
    fn begin_round(&mut self, observation: &Observation<'_>) {
        of_either!(self, agent => agent.begin_round(observation));
    }
    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        of_either!(self, agent => agent.observe(seen, observation));
    }
    fn subscription(&self) -> EventSubscription {
        of_either!(self, agent => agent.subscription())
    }
}
