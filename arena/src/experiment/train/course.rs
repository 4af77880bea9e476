//! [`TrainingLoop`]: the loop of a training run, batch by batch.
//!
//! First the net learns the results of `heuristic`'s choices. Then it plays training iterations against fixed opponents: the
//! named agents and the last champion. Each iteration ends with a test against the champion; a net that passes becomes the
//! champion. The net learns from outcomes of games or, depending on λ, from a mixture of outcomes and its own estimates of
//! its later choices ([`targets`](super::targets)). It does not learn from estimates of the best choices, because these can
//! reinforce its own errors.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use unolab_agents::net::float_net::{Adam, FloatNet, Gradient, Samples, SliceStep};
use unolab_agents::net::hidden_layers::HiddenLayers;
use unolab_agents::net::weights::{Cards, Weights};
use unolab_agents::registry::AgentSpec;
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;

use crate::tables::curve::CurveRow;

use super::games::{Score, Setting, Teacher};

/// Games between two states of the net.
pub const GAMES: u64 = 512;
/// Samples for one step.
const STEP: usize = 1_024;
/// The number of samples that one thread processes at a time; their gradients are summed separately.
const CHUNK: usize = 128;
/// The first number of the games of a test: these numbers are not used for learning.
const TESTS: u64 = 1 << 40;

/// The goal of a training run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrainingGoal {
    /// A player against any opponents: it also plays against its last champion, and the next champion must win at least as
    /// often as the last.
    #[default]
    Champion,
    /// A player only against the given opponents: the next champion must win at least as often against them as the last.
    Exploiter,
}

impl TrainingGoal {
    /// Whether it is the default, which is not serialized.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// The size and the parameters of a training run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The master seed.
    pub seed: u64,
    /// Training decisions of `heuristic`, in thousands.
    pub imitate: u64,
    /// The number of training iterations.
    pub rounds: u64,
    /// Training decisions in each iteration, in thousands.
    pub choices: u64,
    /// λ of TD(λ), from 0 to 1: the weight of the outcome in a training target; the rest is the net's estimate of its next
    /// choice.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub td_lambda: f64,
    /// The discount of a win, from 0 to 1, for each choice of the seat before it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub discount: f64,
    /// Random choices per thousand while `heuristic` plays.
    pub explore_permille: u64,
    /// Random choices of the net, per thousand.
    pub explore_own_permille: u64,
    /// See [`Weights::caution`].
    pub caution: u8,
    /// The hidden layers of a net with random initial weights.
    #[serde(default, skip_serializing_if = "HiddenLayers::is_usual")]
    pub hidden: HiddenLayers,
    /// Games of a test.
    pub test_games: u64,
    /// The goal of the training run.
    #[serde(default, skip_serializing_if = "TrainingGoal::is_usual")]
    pub aim: TrainingGoal,
}

/// The default λ, which uses only outcomes, and the default discount, with which late wins count as much as early ones.
const fn one() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_one(factor: &f64) -> bool {
    *factor >= one()
}

/// A training run, without its progress.
#[derive(Debug)]
pub struct TrainingLoop {
    /// The plan.
    pub plan: Plan,
    /// The tables: rules, and seats.
    pub tables: Vec<(Rules, usize)>,
    /// The opponents, without the champion.
    pub field: Vec<AgentSpec>,
    /// The initial net, which is the first champion; without it the initial weights are random.
    pub from: Option<Arc<Weights>>,
}

/// The progress of a training run.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// The net.
    pub net: FloatNet,
    /// The state of its optimizer.
    pub adam: Adam,
    /// The last net that passed a test; `None` before the first learning round.
    pub champion: Option<Arc<Weights>>,
    /// Batches played.
    pub batches: u64,
    /// The number of training decisions.
    pub choices: u64,
    /// The stage: 0 during imitation of `heuristic`, then the number of the iteration.
    pub stage: u64,
    /// The counts since the last point of the curve.
    pub since: CurveCounts,
    /// The learning curve.
    pub curve: Vec<CurveRow>,
}

/// The players of a batch of games.
#[derive(Debug, Clone)]
pub struct BatchPlayers {
    /// The teacher of the net.
    pub teacher: Teacher,
    /// The champion that it may meet in addition to the opponents.
    pub champion: Option<Arc<Weights>>,
    /// The probability of a random choice.
    pub explore: f64,
}

/// The counts between two points of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct CurveCounts {
    /// The sum of losses.
    pub loss: f64,
    /// The total weight.
    pub weight: f64,
    /// Rounds that the net played.
    pub rounds: u64,
    /// Its seats.
    pub seats: u64,
    /// Its wins.
    pub wins: u64,
    /// Rounds without a winner.
    pub unfinished: u64,
}

/// Points of the curve in each stage.
const POINTS: u64 = 20;

impl TrainingLoop {
    /// The initial state.
    #[must_use]
    pub fn begin(&self) -> Progress {
        let random = || FloatNet::random(self.plan.hidden, &mut Rng::keyed(self.plan.seed, 0, Purpose::Other(1)));
        let net = self.from.as_ref().map_or_else(random, |from| FloatNet::of(&from.network));
        Progress {
            adam: Adam::new(net.hidden()),
            net,
            champion: self.from.clone(),
            batches: 0,
            choices: 0,
            stage: u64::from(self.plan.imitate == 0),
            since: CurveCounts::default(),
            curve: Vec::new(),
        }
    }

    /// The number of training decisions until the end of this stage.
    fn end_of(&self, stage: u64) -> u64 {
        1_000 * (self.plan.imitate + stage * self.plan.choices)
    }

    /// The total number of training decisions.
    #[must_use]
    pub fn choices(&self) -> u64 {
        self.end_of(self.plan.rounds)
    }

    /// Whether the training run is finished.
    #[must_use]
    pub const fn is_finished(&self, progress: &Progress) -> bool {
        progress.stage > self.plan.rounds
    }

    /// The current net.
    ///
    /// # Panics
    /// Never: there are two to ten seats.
    #[must_use]
    pub fn weights(&self, net: &FloatNet) -> Weights {
        let seats = || self.tables.iter().map(|&(_, seats)| u8::try_from(seats).expect("at most ten seats"));
        let is_special = self.tables.iter().any(|(rules, _)| Cards::of(rules) == Cards::Special);
        Weights {
            seats_min: seats().min().unwrap_or(2),
            seats_max: seats().max().unwrap_or(10),
            cards: if is_special { Cards::Special } else { Cards::Plain },
            caution: self.plan.caution,
            network: net.to_network(),
        }
    }

    /// The learning rate: it decreases to a final value during imitation, and again over all training iterations.
    fn rate(&self, progress: &Progress) -> f64 {
        let share = |from: u64, to: u64| {
            ((progress.choices.saturating_sub(from)) as f64 / (to - from).max(1) as f64).clamp(0.0, 1.0)
        };
        let imitated = self.end_of(0);
        if progress.stage == 0 {
            0.002 * (1.0 - 0.8 * share(0, imitated))
        } else {
            0.001 * (1.0 - share(imitated, self.choices())) + 0.000_02
        }
    }

    /// The players of the next batch of games.
    #[must_use]
    pub fn batch_players(&self, progress: &Progress) -> BatchPlayers {
        let is_taught = progress.stage == 0;
        let permille = if is_taught { self.plan.explore_permille } else { self.plan.explore_own_permille };
        BatchPlayers {
            teacher: if is_taught { Teacher::Heuristic } else { Teacher::Net(Arc::new(self.weights(&progress.net))) },
            champion: progress.champion.clone().filter(|_| self.plan.aim == TrainingGoal::Champion),
            explore: permille as f64 / 1_000.0,
        }
    }

    /// The numbers of the games of the next batch.
    #[must_use]
    pub const fn next_games(progress: &Progress) -> Range<u64> {
        progress.batches * GAMES..(progress.batches + 1) * GAMES
    }

    /// Plays the game of this number.
    #[must_use]
    pub fn play(&self, batch_players: &BatchPlayers, number: u64) -> (Samples, Score) {
        self.play_against(&self.field, batch_players, number)
    }

    fn play_against(&self, field: &[AgentSpec], batch_players: &BatchPlayers, number: u64) -> (Samples, Score) {
        let BatchPlayers { teacher, champion, explore } = batch_players;
        let (rules, seats) = self.table(number);
        let Plan { seed, td_lambda, discount, .. } = self.plan;
        let (seats, champion, explore) = (*seats, champion.as_ref(), *explore);
        Setting { rules, seats, teacher, field, champion, explore, td_lambda, discount }.play(seed, number)
    }

    /// The table of the game with this number.
    fn table(&self, number: u64) -> &(Rules, usize) {
        let mut lots = Rng::keyed(self.plan.seed, number, Purpose::Other(2));
        lots.pick(&self.tables).expect("a table at least")
    }

    /// Learns from all games of a batch, in order; a stage ends with a test.
    pub fn learn_from(&self, progress: &mut Progress, samples: &Samples, score: Score) {
        progress.since.count(score);
        self.learn(progress, samples);
        progress.batches += 1;
        progress.choices += samples.samples.len() as u64;
        self.draw_curve(progress);
    }

    /// Makes one pass over the samples, in random order.
    fn learn(&self, progress: &mut Progress, samples: &Samples) {
        let mut order: Vec<u32> = (0..u32::try_from(samples.samples.len()).expect("a few thousand")).collect();
        let number = order.len();
        let mut lots = Rng::keyed(self.plan.seed, progress.batches, Purpose::Other(3));
        lots.shuffle_front(&mut order, number);
        let rate = self.rate(progress);
        for step in order.chunks(STEP) {
            let net = &progress.net;
            let gradients: Vec<Gradient> = step.par_chunks(CHUNK).map(|chunk| net.gradient(samples, chunk)).collect();
            // Sums are computed in the order of the chunks, so the weights do not depend on the number of threads.
            progress.since.loss += gradients.iter().map(|gradient| gradient.loss).sum::<f64>();
            progress.since.weight += gradients.iter().map(|gradient| gradient.weight).sum::<f64>();
            let slices = progress.adam.step_in_slices(&mut progress.net, &gradients, rate);
            slices.into_par_iter().for_each(SliceStep::run);
        }
    }

    fn draw_curve(&self, progress: &mut Progress) {
        let stage = progress.stage;
        let begin = if stage == 0 { 0 } else { self.end_of(stage - 1) };
        let points = progress.curve.iter().filter(|point| point.stage == stage).count() as u64;
        let next = begin + (points + 1) * (self.end_of(stage) - begin) / POINTS;
        let is_over = progress.choices >= self.end_of(stage);
        if progress.choices < next && !is_over {
            return;
        }
        let CurveCounts { loss, weight, rounds, seats, wins, unfinished } = std::mem::take(&mut progress.since);
        let share = |part: f64, of: f64| if of > 0.0 { part / of } else { 0.0 };
        let mut point = CurveRow {
            stage,
            choices: progress.choices,
            rounds,
            loss: share(loss, weight),
            win_share: (stage > 0).then(|| share(wins as f64, seats as f64)),
            unfinished,
            ..CurveRow::default()
        };
        if is_over {
            self.test(progress, &mut point);
            progress.stage += 1;
        }
        progress.curve.push(point);
    }

    /// Plays the net against the champion and against the opponents, on separate deals. It becomes the champion if the sum of
    /// both win shares is at least the last champion's, which has the fair share against itself. The first net has no
    /// champion to beat. An exploiter does not meet the last champion: on the same deals it must win at least as often
    /// against the opponents.
    fn test(&self, progress: &mut Progress, row: &mut CurveRow) {
        let net = Arc::new(self.weights(&progress.net));
        let games = self.plan.test_games;
        let begin = TESTS + progress.stage * games * 2;
        let batch_players = |net: &Arc<Weights>, champion| BatchPlayers {
            teacher: Teacher::Net(Arc::clone(net)),
            champion,
            explore: 0.0,
        };
        let against_field = |net| self.share(&self.field, &batch_players(net, None), begin..begin + games);
        let own_share = against_field(&net);
        row.against_field = Some(own_share);
        let is_accepted = match (&progress.champion, self.plan.aim) {
            (None, _) => true,
            (Some(champion), TrainingGoal::Exploiter) => own_share >= against_field(champion),
            (Some(champion), TrainingGoal::Champion) => {
                let games = begin + games..begin + 2 * games;
                let share = self.share(&[], &batch_players(&net, Some(Arc::clone(champion))), games.clone());
                row.against_champion = Some(share);
                let count = (games.end - games.start) as f64;
                let fair = games.map(|number| 1.0 / self.table(number).1 as f64).sum::<f64>() / count;
                own_share + share >= against_field(champion) + fair
            }
        };
        row.verdict = if is_accepted { "champion" } else { "refused" }.into();
        if is_accepted {
            progress.champion = Some(net);
        }
    }

    /// The share of these games that the net wins.
    fn share(&self, field: &[AgentSpec], batch_players: &BatchPlayers, games: Range<u64>) -> f64 {
        // Results are collected in the order of the list.
        let games: Vec<u64> = games.collect();
        let play = |&number: &u64| self.play_against(field, batch_players, number).1;
        let scores: Vec<Score> = games.par_iter().with_min_len(8).map(play).collect();
        let mut all = Score::default();
        scores.into_iter().for_each(|score| all.add(score));
        all.wins as f64 / all.seats.max(1) as f64
    }
}

impl CurveCounts {
    const fn count(&mut self, score: Score) {
        self.rounds += score.rounds;
        self.seats += score.seats;
        self.wins += score.wins;
        self.unfinished += score.unfinished;
    }
}
