//! [`Training`]: a training run as an experiment. A set is a game; a batch has the games that do not depend on an earlier
//! result.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use unolab_agents::net::float_net::Samples;
use unolab_agents::net::weights::Weights;
use unolab_agents::registry::AgentSpec;

use super::counts::TrainCounts;
use super::course::{BatchPlayers, GAMES, TrainingLoop};
use super::games::{Score, are_possible};
use super::spec::TrainSpec;
use crate::run::digest::sha256;
use crate::run::directory::WEIGHTS_FILE;
use crate::run::error::RunError;
use crate::run::experiment::{Batch, Experiment, Play};
use crate::run::results::{Results, Tabulate};
use crate::run::shard::Shard;
use crate::tables::curve::CurveRow;
use crate::tables::describe;
use crate::tables::table::Tables;
use crate::tables::weights::WeightsRow;

/// The beginning of the README of its directory.
const README: &str = "# A training run of the agent net\n\n`weights.net` contains the weights; use it with \
                      `net:weights=weights.net`. `curve.svg` shows the learning curve, and `run.json` contains the spec. The \
                      same command produces the same files, with any number of threads.\n";

/// A training run that the driver can run.
#[derive(Debug)]
pub struct Training {
    spec: TrainSpec,
    course: TrainingLoop,
    /// The players of the current batch.
    batch_players: Mutex<Option<Arc<BatchPlayers>>>,
    /// The threads that learn. The threads that play wait for the next weights at that time, so they cannot take part.
    learners: OnceLock<Option<ThreadPool>>,
}

impl Training {
    /// The training run of a spec with this loop.
    #[must_use]
    pub const fn new(spec: TrainSpec, course: TrainingLoop) -> Self {
        Self { spec, course, batch_players: Mutex::new(None), learners: OnceLock::new() }
    }

    /// The result: the last champion, with the requested caution. `None` before there is one.
    #[must_use]
    pub fn weights(&self, counts: &TrainCounts) -> Option<Weights> {
        let champion = counts.progress.champion.as_deref()?;
        Some(Weights { caution: self.spec.plan.caution, ..champion.clone() })
    }

    /// As many threads as play; `None` if the system cannot create more threads.
    fn learners(&self) -> Option<&ThreadPool> {
        let new = || ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build().ok();
        self.learners.get_or_init(new).as_ref()
    }

    /// The size and the parameters of a training run.
    #[must_use]
    pub const fn course(&self) -> &TrainingLoop {
        &self.course
    }
}

impl Experiment for Training {
    type Spec = TrainSpec;
    type Counts = TrainCounts;
    type Played = (Samples, Score);

    fn spec(&self) -> &TrainSpec {
        &self.spec
    }

    fn games_at_once(&self) -> usize {
        self.course.field.iter().map(AgentSpec::games_at_once).fold(1, usize::max)
    }

    fn empty(&self, _shard: Shard) -> TrainCounts {
        TrainCounts::new(self.course.begin(), self.course.choices())
    }

    fn accepts(&self, counts: &TrainCounts, _shard: Shard) -> bool {
        counts.of == self.course.choices()
    }

    fn horizon(&self, counts: &TrainCounts) -> Result<Vec<Batch>, RunError> {
        if self.course.is_finished(&counts.progress) {
            return Ok(Vec::new());
        }
        let batch_players = Arc::new(self.course.batch_players(&counts.progress));
        *self.batch_players.lock().unwrap_or_else(PoisonError::into_inner) = Some(batch_players);
        let games = TrainingLoop::next_games(&counts.progress);
        Ok(vec![Batch { part: 0, sets: games.start + counts.pending_score.rounds..games.end }])
    }

    fn play(&self, batch: &Batch, _how: Play<'_>) -> Result<(Samples, Score), RunError> {
        let batch_players = self.batch_players.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let batch_players = batch_players.expect("a batch is within a horizon");
        let (mut samples, mut score) = (Samples::default(), Score::default());
        for number in batch.sets.clone() {
            let (own, result) = self.course.play(&batch_players, number);
            samples.append(&own);
            score.add(result);
        }
        Ok((samples, score))
    }

    fn can_be_of(&self, batch: &Batch, _how: Play<'_>, (samples, score): &(Samples, Score)) -> bool {
        let rounds = batch.sets.end - batch.sets.start;
        let most_seats = self.course.tables.iter().map(|&(_, seats)| seats as u64).max().unwrap_or_default();
        are_possible(samples) && score.can_be_of(rounds, most_seats)
    }

    fn merge(&self, counts: &mut TrainCounts, _batch: &Batch, (samples, score): (Samples, Score)) {
        counts.pending.append(&samples);
        counts.pending_score.add(score);
        if counts.pending_score.rounds == GAMES {
            let samples = std::mem::take(&mut counts.pending);
            let score = std::mem::take(&mut counts.pending_score);
            let mut learn = || self.course.learn_from(&mut counts.progress, &samples, score);
            match self.learners() {
                Some(learners) => learners.install(learn),
                None => learn(),
            }
        }
    }

    fn games(&self, counts: &TrainCounts) -> u64 {
        counts.progress.batches * GAMES + counts.pending_score.rounds
    }
}

impl Tabulate for Training {
    fn name(&self) -> &'static str {
        "train"
    }

    fn results(&self, counts: &TrainCounts) -> Result<Results, RunError> {
        let progress = &counts.progress;
        let weights = self.weights(counts).map(|champion| (champion.to_bytes(), champion));
        let row = weights.iter().map(|(bytes, champion)| WeightsRow {
            file: WEIGHTS_FILE.into(),
            bytes: bytes.len() as u64,
            sha256: sha256(bytes),
            cards: champion.cards.to_string(),
            seats_min: champion.seats_min,
            seats_max: champion.seats_max,
            caution: champion.caution,
            choices: progress.choices,
        });
        Ok(Results {
            tables: Tables::none().with(progress.curve.clone()).with(row.collect()),
            faults: Tables::none(),
            files: weights.iter().map(|(bytes, _)| (WEIGHTS_FILE.to_owned(), bytes.clone())).collect(),
            readme: [README.to_owned(), describe::<CurveRow>(), describe::<WeightsRow>()].join("\n"),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use unolab_agents::net::hidden_layers::HiddenLayers;
    use unolab_agents::registry::Registry;
    use unolab_engine::rules::Rules;

    use super::super::course::{Plan, TrainingGoal};
    use super::super::spec::{CommandWord, InitialWeights};
    use super::*;
    use crate::run::driver::{Checkpoints, RunOptions, run};
    use crate::spec::Variant;

    fn training() -> Training {
        let spec = TrainSpec {
            command: CommandWord::Train,
            variants: ["classic", "disney"].map(|name| Variant::of(&Rules::preset(name))).to_vec(),
            seats: vec![2, 3],
            field: vec!["mixbot".into()],
            from: None,
            plan: Plan {
                seed: 3,
                imitate: 20,
                rounds: 1,
                choices: 15,
                td_lambda: 0.5,
                discount: 0.99,
                explore_permille: 100,
                explore_own_permille: 50,
                caution: 5,
                hidden: HiddenLayers::default(),
                test_games: 100,
                aim: TrainingGoal::Champion,
            },
        };
        let course = spec.course(None, &Registry::default()).unwrap();
        Training::new(spec, course)
    }

    #[test]
    fn exploiter_rejects_other_opponents() {
        let Training { spec, .. } = training();
        let plan = Plan { imitate: 0, rounds: 3, choices: 4, aim: TrainingGoal::Exploiter, ..spec.plan };
        let variants = vec![Variant::of(&Rules::preset("classic"))];
        let spec = TrainSpec { variants, seats: vec![2], from: Some(InitialWeights::Published), plan, ..spec };
        let course = spec.course(None, &Registry::default()).unwrap();
        let begun = course.begin();
        assert!(begun.champion.is_some() && course.batch_players(&begun).champion.is_none());
        let training = Training::new(spec, course);
        let never = AtomicBool::new(false);
        let counts = run(&training, training.empty(Shard::WHOLE), RunOptions::new(1, &never)).unwrap();
        let tests: Vec<_> = counts.progress.curve.iter().filter(|row| !row.verdict.is_empty()).collect();
        assert_eq!(tests.len(), 3);
        assert!(tests.iter().all(|row| row.against_champion.is_none() && row.against_field.is_some()));
    }

    #[test]
    fn published_weights_without_common_net_are_rejected() {
        let Training { spec, .. } = training();
        let spec = TrainSpec { from: Some(InitialWeights::Published), ..spec };
        let refused = spec.course(None, &Registry::default()).map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("no net in common"), "{refused}");
    }

    #[test]
    fn weights_are_independent_of_threads_and_interruption() {
        let training = training();
        let never = AtomicBool::new(false);
        let one = run(&training, training.empty(Shard::WHOLE), RunOptions::new(1, &never)).unwrap();
        let two = run(&training, training.empty(Shard::WHOLE), RunOptions::new(2, &never)).unwrap();
        assert_eq!(one, two);
        // The run is stopped at each checkpoint, saved as text, and resumed.
        let (mut counts, mut stops) = (training.empty(Shard::WHOLE), 0);
        while !training.horizon(&counts).unwrap().is_empty() {
            let stop = AtomicBool::new(false);
            let take = |_: &TrainCounts| -> io::Result<()> {
                stop.store(true, Ordering::Relaxed);
                Ok(())
            };
            let checkpoints = Some(Checkpoints { interval: Duration::ZERO, take: &take });
            let options = RunOptions { checkpoints, ..RunOptions::new(2, &stop) };
            counts = run(&training, counts, options).unwrap();
            if counts.pending_score.rounds == 0 {
                let kept = serde_json::to_string(&counts).unwrap();
                counts = serde_json::from_str(&kept).unwrap();
                assert!(training.accepts(&counts, Shard::WHOLE));
                stops += 1;
            }
        }
        assert_eq!(counts, one);
        assert!(stops > 0, "{stops}");
        let curve = &one.progress.curve;
        let verdicts: Vec<&str> = curve.iter().map(|row| &*row.verdict).filter(|word| !word.is_empty()).collect();
        assert_eq!((verdicts.len(), verdicts[0]), (2, "champion"));
        // The recorded games and weights; machines differ in the last digits of a logarithm, and so in a few choices.
        let recorded = [(0, 14_846.0, 0.684), (0, 30_410.0, 0.661), (1, 37_135.0, 0.5)];
        assert_eq!(curve.len(), recorded.len());
        for (row, (stage, choices, loss)) in curve.iter().zip(recorded) {
            let is_near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.02;
            assert_eq!((row.stage, row.rounds), (stage, 512));
            assert!(is_near(row.choices as f64, choices) && is_near(row.loss, loss), "{row:?}");
        }
    }

    #[test]
    fn unresumable_input_is_rejected() {
        let text = serde_json::to_string(&training().empty(Shard::WHOLE)).unwrap();
        assert!(serde_json::from_str::<TrainCounts>(&text).is_ok());
        let short = text.replacen("\"numbers\":[[", "\"numbers\":[[1,", 1);
        assert!(serde_json::from_str::<TrainCounts>(&short).unwrap_err().to_string().contains("numbers"));
    }
}
