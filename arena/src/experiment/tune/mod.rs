//! Finds rules that meet a designer's goals, with a certificate.
//!
//! A [`spec::TuneSpec`] is the only input. Its [`space`] has the rule sets to choose from, its [`goal`]s name [`quantity`]s of
//! balance runs. A search tries candidates on common deals; the best ones then play fresh deals, and only these are the
//! result. Every decision is a function of the spec and the counts, so a resumed run makes the same decisions.

mod certificate;
pub mod counts;
pub mod goal;
pub mod quantity;
pub mod results;
mod search;
mod simplify;
pub mod space;
pub mod spec;
mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use unolab_agents::registry::Registry;
use unolab_engine::spelling::{grouped, nearest};

use crate::experiment::balance::case::Case;
use crate::experiment::balance::error::{BalanceError, MAX_AGENTS};
use crate::run::error::RunError;
use crate::run::experiment::{Batch, Experiment, Play};
use crate::run::results::{Results, Tabulate};
use crate::run::shard::Shard;
use crate::schedule::contest::ContestError;
use crate::schedule::patience::Patience;
use crate::spec::Unit;
use crate::tables::describe;
use crate::tables::table::Tables;
use crate::tables::tune::{CandidateRow, ContributionRow, FrontRow, GoalRow};
use counts::{Job, Stage, TuneCounts};
use goal::{Goal, GoalError};
use quantity::{Quantity, TrialCounts};
use space::{Space, SpaceError};
use spec::TuneSpec;
use trial::{Phase, Trial};

/// Why a tuning run cannot start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TuneError {
    /// Keys that span no space.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A text that is not a goal.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// A goal that cannot be measured.
    #[error("--goal \"{goal}\": {problem}")]
    Unmeasured {
        /// The goal.
        goal: String,
        /// Why not.
        problem: String,
    },
    /// No goals.
    #[error("--goal: no goal is given; allowed: {}", goal::FORMS)]
    NoGoals,
    /// Too few rounds.
    #[error("--budget {}: is too small for these goals; allowed: at least {} rounds", grouped(*given), grouped(*least))]
    Budget {
        /// The rounds.
        given: u64,
        /// The least number.
        least: u64,
    },
    /// Too many agents.
    #[error("--agents names {0} agents; a field has at most {MAX_AGENTS}")]
    Agents(usize),
    /// Rules, agents and seats that are incompatible.
    #[error(transparent)]
    Balance(#[from] BalanceError),
}

/// A goal at one number of seats.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The number of the goal.
    pub goal: usize,
    /// The seats.
    pub seats: usize,
    /// The quantity.
    pub quantity: Quantity,
    /// The number of the trial that measures it.
    pub trial: usize,
}

/// A tuning run, ready to play.
#[derive(Debug)]
pub struct Tuning {
    spec: TuneSpec,
    registry: Registry,
    /// The goals.
    pub goals: Vec<Goal>,
    /// The goals at each of their numbers of seats.
    pub claims: Vec<Claim>,
    /// The games that measure them.
    pub trials: Vec<Trial>,
    /// The rule sets to choose from.
    pub space: Space,
    /// The cases in play, by part.
    cases: Mutex<BTreeMap<u64, CaseCell>>,
}

/// A run can play at least this number of deals in all, and fit the models of this number of rule sets.
const LEAST_SETS: f64 = 500.0;
const LEAST_PILOTS: f64 = 20.0;

/// A case that the first thread that needs it prepares.
type CaseCell = Arc<OnceLock<Result<Case, String>>>;

/// The counts of a batch, by arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedTrial(Vec<TrialCounts>);

impl Tuning {
    /// Loads the rules and agents, and checks every combination of keys, or a sample of a large space.
    ///
    /// # Errors
    /// If there is nothing to search, or a goal cannot be measured.
    pub fn prepare(spec: &TuneSpec, registry: &Registry) -> Result<Self, TuneError> {
        if spec.field.len() > MAX_AGENTS {
            return Err(TuneError::Agents(spec.field.len()));
        }
        if spec.goals.is_empty() {
            return Err(TuneError::NoGoals);
        }
        let goals: Vec<Goal> = spec.goals.iter().map(|goal| goal.parse()).collect::<Result<_, _>>()?;
        for (number, goal) in goals.iter().enumerate() {
            if goals[..number].iter().any(|other| other.text == goal.text) {
                let problem = "is given twice".into();
                return Err(TuneError::Unmeasured { goal: goal.text.clone(), problem });
            }
        }
        check_agents(spec, registry)?;
        let space = Space::of(spec)?;
        let mut tuning = Self {
            spec: spec.clone(),
            registry: registry.clone(),
            goals,
            claims: Vec::new(),
            trials: Vec::new(),
            space,
            cases: Mutex::default(),
        };
        tuning.add_claims()?;
        tuning.check_budget()?;
        Ok(tuning)
    }

    /// Whether any goal limits a metric.
    #[must_use]
    pub fn has_constraints(&self) -> bool {
        self.goals.iter().any(|goal| !goal.is_objective())
    }

    fn add_claims(&mut self) -> Result<(), TuneError> {
        for (number, goal) in self.goals.iter().enumerate() {
            let wrong = |problem: String| TuneError::Unmeasured { goal: goal.text.clone(), problem };
            if let Some(seats) = goal.seats.filter(|seats| !self.spec.seats.contains(seats)) {
                let all: Vec<String> = self.spec.seats.iter().map(ToString::to_string).collect();
                return Err(wrong(format!("{seats} seats are not among --seats {}", all.join(","))));
            }
            let quantity = Quantity::named(&goal.metric);
            if quantity.needs_turn_duration() && self.spec.turn_ms.is_none() {
                return Err(wrong(format!("{} needs the duration of a turn: add --seconds-per-turn", goal.metric)));
            }
            if quantity.needs_panel() && self.spec.panel.is_empty() {
                return Err(wrong(format!("{} needs a panel: leave out --panel none", goal.metric)));
            }
            let seats = self.spec.seats.iter().copied().filter(|&seats| goal.seats.is_none_or(|only| only == seats));
            for seats in seats {
                let key = (seats, quantity.unit, quantity.group());
                let trial = match self.trials.iter().position(|trial| trial.key() == key) {
                    Some(trial) => trial,
                    None => {
                        self.trials.push(Trial::new(&self.spec, &self.space, &self.goals, key, &self.registry)?);
                        self.trials.len() - 1
                    }
                };
                let names = self.trials[trial].names();
                if !names.contains(&goal.metric) {
                    let of_match = self.names_of_match(seats, &quantity);
                    let meant = meant_metric(&goal.metric, &names, &of_match);
                    let meant = meant.map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
                    let all = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                    return Err(wrong(format!(
                        "unknown metric `{}`; {meant}allowed: {all}, longer_share(TURNS), decisive_choice_share(SHARE), and `match_` \
                         before a metric of matches",
                        goal.metric
                    )));
                }
                self.trials[trial].add(&quantity);
                self.claims.push(Claim { goal: number, seats, quantity: quantity.clone(), trial });
            }
        }
        Ok(())
    }

    /// The names of the quantities of matches, for the error of an unknown metric.
    fn names_of_match(&self, seats: usize, quantity: &Quantity) -> BTreeSet<String> {
        let key = (seats, Unit::Match, quantity.group());
        let trial = Trial::new(&self.spec, &self.space, &self.goals, key, &self.registry);
        trial.map_or_else(|_| BTreeSet::new(), |trial| trial.names())
    }

    /// Checks that the budget is large enough for a search and a certificate.
    fn check_budget(&self) -> Result<(), TuneError> {
        let cost: f64 = self
            .trials
            .iter()
            .map(|trial| LEAST_SETS * trial.rounds_per_set(&[]) + LEAST_PILOTS * trial.pilot_rounds(Phase::Search))
            .sum();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and small")]
        let least = cost.ceil() as u64;
        let given = self.spec.budget;
        if given < least { Err(TuneError::Budget { given, least }) } else { Ok(()) }
    }

    /// The approximate number of rounds per second of one thread, from a short pilot of this duration that is not counted.
    ///
    /// # Errors
    /// If a game cannot be played.
    pub fn rounds_per_second(&self, time: Duration) -> Result<f64, RunError> {
        let (begin, mut rounds, mut set) = (Instant::now(), 0, 0);
        let have_panicked = std::sync::atomic::AtomicBool::new(false);
        while set == 0 || begin.elapsed() < time {
            for trial in 0..self.trials.len() {
                let part = self.part(Phase::Search, trial, &self.space.points[0]);
                let patience = Patience::default();
                let how = Play { games_every: None, have_panicked: &have_panicked, patience: &patience };
                let batch = Batch { part: usize::try_from(part).unwrap_or(usize::MAX), sets: set..set + 1 };
                rounds += self.play(&batch, how)?.0.iter().map(|arm| arm.rounds).sum::<u64>();
            }
            set += 1;
        }
        Ok(rounds as f64 / begin.elapsed().as_secs_f64().max(1e-9))
    }

    /// The number of a part: what is played, of which trial, under which rules.
    fn part(&self, phase: Phase, trial: usize, point: &[usize]) -> u64 {
        let number = self.space.number_of(point);
        (number * self.trials.len() as u64 + trial as u64) * Phase::NUMBER + phase as u64
    }

    /// The phase, the trial and the rule set of a part; `None` if no part has this number.
    fn of_part(&self, part: u64) -> Option<(Phase, usize, space::Point)> {
        let phase = Phase::ALL[usize::try_from(part % Phase::NUMBER).ok()?];
        let (rest, trials) = (part / Phase::NUMBER, self.trials.len() as u64);
        Some((phase, usize::try_from(rest % trials).ok()?, self.space.point_numbered(rest / trials)?))
    }

    /// The case of a part, prepared by the first thread that needs it.
    fn cell(&self, part: u64) -> CaseCell {
        let mut cases = self.cases.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cases.entry(part).or_default())
    }

    fn prepare_case(&self, part: u64) -> Result<Case, String> {
        let (phase, trial, point) = self.of_part(part).ok_or("is not a part of this run")?;
        let points: Vec<space::Point> = match phase {
            Phase::Search | Phase::Certificate => vec![point],
            Phase::Comparisons => self.simpler_versions(&point),
            Phase::Contributions => self.with_changes_reverted(&point).into_iter().map(|(_, point)| point).collect(),
        };
        self.trials[trial]
            .case(&self.spec, &self.space, &points, phase, &self.registry)
            .map_err(|error| error.to_string())
    }

    /// A rule set, and the same with each of its changes put back, if these rules can be played: the key and the rule set.
    #[must_use]
    pub fn with_changes_reverted(&self, point: &space::Point) -> Vec<(Option<usize>, space::Point)> {
        let hash = |point: &space::Point| self.space.rules(point).ok().map(|rules| rules.hash());
        let own = hash(point);
        let changed = self.space.changed(point).map(|key| (Some(key), self.space.with_key_of_base(point, key)));
        let changed = changed.filter(|(_, other)| hash(other).is_some_and(|other| Some(other) != own));
        std::iter::once((None, point.clone())).chain(changed).collect()
    }

    /// Plans the next jobs once all are played.
    fn advance(&self, counts: &mut TuneCounts) {
        while counts.current().is_none() && counts.stage != Stage::Finished {
            self.cases.lock().unwrap_or_else(PoisonError::into_inner).clear();
            match counts.stage {
                Stage::Screen => {
                    counts.inert = self.inert_keys(counts);
                    counts.stage = Stage::Search { step: 0 };
                    counts.jobs = self.plan_design(counts);
                }
                Stage::Search { step } if step + 1 < search::STEPS => {
                    counts.stage = Stage::Search { step: step + 1 };
                    counts.jobs = self.plan_search(counts);
                }
                Stage::Search { .. } => {
                    counts.stage = Stage::Simplify;
                    self.choose_finalists(counts);
                    let all: Vec<usize> = (0..counts.finalists.len()).collect();
                    counts.jobs = self.plan_comparisons(counts, &all);
                }
                Stage::Simplify => {
                    let simpler = self.simplify(counts);
                    counts.jobs = self.plan_comparisons(counts, &simpler);
                    if counts.jobs.is_empty() {
                        counts.stage = Stage::Certificate;
                        counts.jobs = self.plan_certificate(counts);
                    }
                }
                Stage::Certificate => {
                    counts.recommended = self.recommended(counts);
                    counts.stage = Stage::Contributions;
                    counts.jobs = self.plan_contributions(counts);
                }
                Stage::Contributions | Stage::Finished => {
                    counts.stage = Stage::Finished;
                    counts.jobs = Vec::new();
                }
            }
        }
    }

    /// A job of these sets.
    fn job(&self, phase: Phase, trial: usize, point: &[usize], target: usize, sets: std::ops::Range<u64>) -> Job {
        Job { part: self.part(phase, trial, point), next: sets.start, sets, target, trial }
    }
}

/// Checks that every agent is known.
fn check_agents(spec: &TuneSpec, registry: &Registry) -> Result<(), TuneError> {
    let field = spec.field.iter().map(|entrant| entrant.configure(registry));
    let others = [&spec.good, &spec.weak].into_iter().chain(&spec.panel).map(|agent| registry.configure(agent));
    for agent in field.chain(others) {
        agent.map_err(|error| BalanceError::Contest(ContestError::Agent(error)))?;
    }
    Ok(())
}

impl Experiment for Tuning {
    type Spec = TuneSpec;
    type Counts = TuneCounts;
    type Played = PlayedTrial;

    fn spec(&self) -> &TuneSpec {
        &self.spec
    }

    fn games_at_once(&self) -> usize {
        self.trials.iter().map(Trial::games_at_once).fold(1, usize::max)
    }

    fn empty(&self, _shard: Shard) -> TuneCounts {
        let mut counts = TuneCounts {
            budget: self.spec.budget,
            rounds: 0,
            stage: Stage::Screen,
            jobs: Vec::new(),
            candidates: Vec::new(),
            inert: Vec::new(),
            finalists: Vec::new(),
            recommended: None,
            versions: Vec::new(),
            reach: None,
        };
        counts.jobs = self.plan_screen(&mut counts);
        self.advance(&mut counts);
        counts
    }

    fn accepts(&self, counts: &TuneCounts, _shard: Shard) -> bool {
        let is_tried = |tried: &counts::Tried| {
            tried.point.len() == self.space.keys.len()
                && tried.point.iter().zip(&self.space.keys).all(|(&value, key)| value < key.values.len())
                && self.are_counts(&tried.trials)
        };
        let versions = match counts.stage {
            Stage::Simplify | Stage::Certificate => counts.finalists.len(),
            Stage::Contributions | Stage::Finished => 1,
            Stage::Screen | Stage::Search { .. } => 0,
        };
        let are_versions = |of_target: &Vec<Vec<TrialCounts>>| {
            let are_arms = |(arms, trial): (&Vec<TrialCounts>, &Trial)| {
                arms.len() <= 1 + self.space.keys.len() && arms.iter().all(|arm| trial.is_count(arm))
            };
            of_target.len() == self.trials.len() && of_target.iter().zip(&self.trials).all(are_arms)
        };
        let is_job = |job: &Job| {
            let targets = match counts.stage {
                Stage::Screen | Stage::Search { .. } => counts.candidates.len(),
                Stage::Simplify | Stage::Certificate => counts.finalists.len(),
                Stage::Contributions | Stage::Finished => 1,
            };
            let part = self.of_part(job.part);
            (job.sets.start..=job.sets.end).contains(&job.next)
                && job.target < targets
                && part.is_some_and(|(_, trial, _)| trial == job.trial)
        };
        counts.budget == self.spec.budget
            && counts.candidates.iter().chain(&counts.finalists).all(is_tried)
            && counts.recommended.is_none_or(|number| number < counts.finalists.len())
            && (counts.recommended.is_some() || !matches!(counts.stage, Stage::Contributions | Stage::Finished))
            && counts.versions.len() == versions
            && counts.versions.iter().all(are_versions)
            && counts.reach.as_ref().is_none_or(|reach| reach.each.len() == self.claims.len())
            && counts.inert.iter().all(|&key| key < self.space.keys.len())
            && counts.jobs.iter().all(is_job)
    }

    fn horizon(&self, counts: &TuneCounts) -> Result<Vec<Batch>, RunError> {
        let left = counts.jobs.iter().filter(|job| job.next < job.sets.end);
        let batch =
            |job: &Job| Batch { part: usize::try_from(job.part).unwrap_or(usize::MAX), sets: job.next..job.sets.end };
        Ok(left.map(batch).collect())
    }

    fn play(&self, batch: &Batch, how: Play<'_>) -> Result<PlayedTrial, RunError> {
        let part = batch.part as u64;
        let failed = |words: String| RunError::BrokeOff { game: format!("part {part} of the run"), words };
        let (_, trial, _) = self.of_part(part).ok_or_else(|| failed("is not a part of this run".into()))?;
        let cell = self.cell(part);
        let case = cell.get_or_init(|| self.prepare_case(part)).as_ref().map_err(|words| failed(words.clone()))?;
        let trial = &self.trials[trial];
        let mut played: Vec<TrialCounts> = Vec::new();
        // Whether a program that takes too long is asked in a set depends on no other set.
        let step = if case.has_programs() { 1 } else { batch.sets.end - batch.sets.start };
        let mut begin = batch.sets.start;
        while begin < batch.sets.end {
            let end = (begin + step).min(batch.sets.end);
            let patience = Patience::default();
            let counted = case.play(begin..end, Play { patience: &patience, ..how })?;
            played.resize(counted.len(), TrialCounts::default());
            played.iter_mut().zip(counted).for_each(|(all, arm)| all.merge(&trial.stored(arm, end - begin)));
            begin = end;
        }
        Ok(PlayedTrial(played))
    }

    fn can_be_of(&self, batch: &Batch, _how: Play<'_>, played: &PlayedTrial) -> bool {
        let Some((phase, trial, point)) = self.of_part(batch.part as u64) else { return false };
        let arms = match phase {
            Phase::Search | Phase::Certificate => 1,
            Phase::Comparisons => self.simpler_versions(&point).len(),
            Phase::Contributions => self.with_changes_reverted(&point).len(),
        };
        let sets = batch.sets.end - batch.sets.start;
        let fits = |arm: &TrialCounts| arm.sets == sets && self.trials[trial].is_count(arm);
        played.0.len() == arms && played.0.iter().all(fits)
    }

    fn merge(&self, counts: &mut TuneCounts, batch: &Batch, played: PlayedTrial) {
        let Some(current) = counts.current() else { return };
        let job = &mut counts.jobs[current];
        job.next = batch.sets.end;
        let (trial, target, is_first) = (job.trial, job.target, batch.sets.start == 0);
        counts.rounds += played.0.iter().map(|arm| arm.rounds).sum::<u64>();
        match counts.stage {
            Stage::Screen | Stage::Search { .. } => counts.candidates[target].trials[trial].merge(&played.0[0]),
            Stage::Certificate => counts.finalists[target].trials[trial].merge(&played.0[0]),
            Stage::Simplify | Stage::Contributions | Stage::Finished => {
                let arms = &mut counts.versions[target][trial];
                arms.resize(played.0.len(), TrialCounts::default());
                arms.iter_mut().zip(&played.0).for_each(|(arm, played)| arm.merge(played));
            }
        }
        if is_first {
            let phase = self.of_part(batch.part as u64).map_or(Phase::Search, |(phase, ..)| phase);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of games")]
            let pilot = self.trials[trial].pilot_rounds(phase) as u64;
            counts.rounds += pilot;
        }
        self.advance(counts);
    }

    fn games(&self, counts: &TuneCounts) -> u64 {
        counts.rounds
    }
}

impl Tuning {
    fn are_counts(&self, trials: &[TrialCounts]) -> bool {
        trials.len() == self.trials.len()
            && self.trials.iter().zip(trials).all(|(trial, counts)| trial.is_count(counts))
    }
}

impl Tabulate for Tuning {
    fn name(&self) -> &'static str {
        "tune"
    }

    fn results(&self, counts: &TuneCounts) -> Result<Results, RunError> {
        let tables = Tables::none()
            .with(self.goal_rows(counts))
            .with(self.candidate_rows(counts))
            .with(self.contribution_rows(counts))
            .with(self.front_rows(counts));
        let readme = [
            include_str!("readme.md").to_owned(),
            describe::<GoalRow>(),
            describe::<CandidateRow>(),
            describe::<ContributionRow>(),
            describe::<FrontRow>(),
        ];
        Ok(Results { tables, faults: Tables::none(), files: Vec::new(), readme: readme.join("\n") })
    }
}

/// The metric that an unknown one probably means: of a match, with a similar name, or with another argument.
fn meant_metric<'a>(unknown: &str, names: &'a BTreeSet<String>, of_match: &'a BTreeSet<String>) -> Option<&'a str> {
    let family = unknown.split_once('(').map(|(family, _)| format!("{family}("));
    let is_of_family = |name: &&str| family.as_deref().is_some_and(|family| name.starts_with(family));
    let known = || names.iter().map(String::as_str);
    let of_match = of_match.get(&format!("match_{unknown}")).map(String::as_str);
    of_match.or_else(|| nearest(unknown, known())).or_else(|| known().find(is_of_family))
}
