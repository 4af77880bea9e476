//! The search: which rule sets play which deals.
//!
//! First, keys that change no result are found and left alone: on common deals equal rules give equal games. The first candidates fill
//! the space of the other keys. From their results a Gaussian process per claim predicts every rule set. Then, step by
//! step, rule sets are drawn by the chance that they are best (Thompson sampling under constraints: D. Eriksson and M. Poloczek,
//! "Scalable constrained Bayesian optimization", AISTATS 2021): each draw takes a possible value of every claim, and chooses the
//! rule set with the best objective among those that satisfy all constraints, or else the one that misses them least. So a
//! promising rule set gets more deals, and a poor one gets none.

use std::collections::{BTreeMap, HashSet};

use unolab_engine::rng::{Purpose, Rng};
use unolab_stats::gaussian_process::{Levels, Observation, Prediction, Process};
use unolab_stats::interval::Coverage;

use super::Tuning;
use super::counts::{Job, Stage, Tried, TuneCounts};
use super::goal::Aim;
use super::quantity::{Reading, TrialCounts};
use super::space::{Extent, Point};
use super::trial::Phase;

/// The number of steps, with the first design.
pub(super) const STEPS: u32 = 15;

/// The part of the budget that is spent at the end of the first design, and of the search.
const DESIGN: f64 = 0.18;
pub(super) const SEARCH: f64 = 0.65;

/// The most rule sets of the first design.
const MOST_IN_DESIGN: usize = 200;

/// The screen changes each key in this number of rule sets, to at most this number of other values, on this number of deals, and
/// may take this part of the budget.
const SCREENED: usize = 4;
const MOST_SCREENED_VALUES: usize = 3;
const SCREEN_SETS: u64 = 12;
const SCREEN: f64 = 0.04;

/// The search stays away from limits by this part of the width of the certificate's intervals.
const CAUTION: f64 = 0.6;

/// A candidate plays at least this number of deals.
const LEAST_SETS: u64 = 20;

/// A rule set of the first design plays this number of deals, if there are enough rounds.
const SETS_IN_DESIGN: f64 = 150.0;

/// The draws of a step.
const DRAWS: usize = 10;

/// The most rule sets that are predicted.
const MOST_PREDICTED: usize = 3_000;

/// Random numbers for the search, by their purpose.
const TO_FILL: u32 = 901;
const TO_SCREEN: u32 = 904;
const TO_DRAW: u32 = 902;

/// Rule sets with the predictions of every claim.
pub(super) struct Outlook {
    pub(super) points: Vec<Point>,
    /// By claim; none if nothing is known of it.
    pub(super) processes: Vec<Option<Process>>,
    /// By claim and rule set.
    pub(super) predicted: Vec<Vec<Prediction>>,
    /// By claim: the spread of the predicted means.
    scale: Vec<f64>,
}

/// How good a rule set is: those that miss constraints less come first, then those with the better objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Score {
    pub(super) violation: f64,
    pub(super) objective: f64,
}

impl Score {
    pub(super) fn is_better_than(self, other: Self) -> bool {
        (self.violation, -self.objective) < (other.violation, -other.objective)
    }
}

impl Tuning {
    /// The rounds of a set in all trials.
    pub(super) fn rounds_per_set(&self, counts: &TuneCounts) -> f64 {
        (0..self.trials.len()).map(|trial| self.cost(counts, trial)).sum()
    }

    /// The rounds of a set in one trial.
    pub(super) fn cost(&self, counts: &TuneCounts, trial: usize) -> f64 {
        let of_trial: Vec<&TrialCounts> = counts.candidates.iter().map(|tried| &tried.trials[trial]).collect();
        self.trials[trial].rounds_per_set(&of_trial)
    }

    /// The rounds of a set of this rule set in one trial, by the sets that it has played. `None` if it has played none.
    pub(super) fn cost_of(&self, counts: &TuneCounts, trial: usize, point: &Point) -> Option<f64> {
        let tried = counts.candidates.iter().chain(&counts.finalists).filter(|tried| tried.point == *point);
        let own: Vec<&TrialCounts> = tried.map(|tried| &tried.trials[trial]).filter(|own| own.sets > 0).collect();
        (!own.is_empty()).then(|| self.trials[trial].rounds_per_set(&own))
    }

    /// The rounds of the pilots of a rule set.
    pub(super) fn pilot_cost(&self, phase: Phase) -> f64 {
        self.trials.iter().map(|trial| trial.pilot_rounds(phase)).sum()
    }

    /// The jobs of the screen: some rule sets, and the same with each key changed by itself. None if they would take too long.
    pub(super) fn plan_screen(&self, counts: &mut TuneCounts) -> Vec<Job> {
        let changes = |len: usize| (len - 1).min(MOST_SCREENED_VALUES) as f64;
        let per_reference: f64 = 1.0 + self.space.keys.iter().map(|key| changes(key.values.len())).sum::<f64>();
        let cost = per_reference * SCREEN_SETS as f64 * self.rounds_per_set(counts);
        let affordable = whole(SCREEN * counts.budget as f64 / cost);
        let number = usize::try_from(affordable).unwrap_or(SCREENED).min(SCREENED);
        // A pilot for each rule set would cost more than the screen saves.
        if number < 2 || self.pilot_cost(Phase::Search) > 0.0 {
            return Vec::new();
        }
        let mut random = Rng::keyed(self.spec.seed, 0, Purpose::Other(TO_SCREEN));
        let usual: Point = (0..self.space.keys.len()).map(|key| self.space.usual_value(key)).collect();
        let mut references: Vec<Point> = self.space.rules(&usual).is_ok().then_some(usual).into_iter().collect();
        references.extend(random.pick(&self.space.points).cloned());
        while references.len() < number {
            references.extend(random.pick(&self.space.points).cloned());
        }
        let mut points: Vec<Point> = Vec::new();
        for reference in references.into_iter().take(number) {
            for key in 0..reference.len() {
                let last = self.space.keys[key].values.len() - 1;
                let mut values = vec![0, last, last / 2, usize::from(last > 0), last.saturating_sub(1)];
                values.retain(|&value| value != reference[key]);
                let mut known = HashSet::new();
                values.retain(|&value| known.insert(value));
                for value in values.into_iter().take(MOST_SCREENED_VALUES) {
                    let mut changed = reference.clone();
                    changed[key] = value;
                    if self.space.rules(&changed).is_ok() {
                        points.push(changed);
                    }
                }
            }
            points.push(reference);
        }
        let mut known = HashSet::new();
        points.retain(|point| known.insert(point.clone()));
        let mut jobs = Vec::new();
        for point in points {
            let (target, _) = self.candidate(counts, &point);
            let trials = 0..self.trials.len();
            jobs.extend(trials.map(|trial| self.job(Phase::Search, trial, &point, target, 0..SCREEN_SETS)));
        }
        jobs
    }

    /// The keys that have changed no deal of the screen; none if all are.
    pub(super) fn inert_keys(&self, counts: &TuneCounts) -> Vec<usize> {
        let only_difference = |a: &Point, b: &Point| {
            let mut different = (0..a.len()).filter(|&key| a[key] != b[key]);
            different.next().filter(|_| different.next().is_none())
        };
        let mut ties = vec![(0_u32, 0_u32); self.space.keys.len()];
        for (number, tried) in counts.candidates.iter().enumerate() {
            for other in &counts.candidates[..number] {
                if let Some(key) = only_difference(&tried.point, &other.point) {
                    ties[key].0 += u32::from(tried.trials == other.trials);
                    ties[key].1 += 1;
                }
            }
        }
        let inert: Vec<usize> = (0..ties.len()).filter(|&key| ties[key].1 > 0 && ties[key].0 == ties[key].1).collect();
        let has_points = || !self.space.points_without(&inert).is_empty();
        if inert.len() < self.space.keys.len() && has_points() { inert } else { Vec::new() }
    }

    /// A combination without its inert keys, as the surrogate sees it.
    pub(super) fn without_inert(&self, counts: &TuneCounts, point: &[usize]) -> Vec<usize> {
        (0..point.len()).filter(|key| !counts.inert.contains(key)).map(|key| point[key]).collect()
    }

    /// The first candidates.
    pub(super) fn plan_design(&self, counts: &mut TuneCounts) -> Vec<Job> {
        let rounds = DESIGN * counts.budget as f64 - counts.rounds as f64;
        let all = self.space.points_without(&counts.inert);
        let (per_set, pilot) = (self.rounds_per_set(counts), self.pilot_cost(Phase::Search));
        let affordable = |sets: f64| (rounds / (pilot + sets * per_set)).max(1.0);
        // Enough to know every value of every key twice, even if each candidate then has few deals.
        let twice = 2.0 * self.space.keys.iter().map(|key| key.values.len() as f64 - 1.0).sum::<f64>() + 4.0;
        let number = affordable(SETS_IN_DESIGN).max(twice).min(affordable(LEAST_SETS as f64));
        let number = whole(number).clamp(1, MOST_IN_DESIGN as u64).min(all.len() as u64);
        let mut random = Rng::keyed(self.spec.seed, 0, Purpose::Other(TO_FILL));
        let number = usize::try_from(number).unwrap_or(MOST_IN_DESIGN);
        let points = self.space.filling(&all, &counts.inert, number, &mut random);
        let sets = whole((rounds / points.len() as f64 - pilot) / per_set).max(LEAST_SETS);
        let mut jobs = Vec::new();
        for point in points {
            let (target, _) = self.candidate(counts, &point);
            for trial in 0..self.trials.len() {
                let before = counts.candidates[target].trials[trial].sets;
                jobs.push(self.job(Phase::Search, trial, &point, target, before..sets.max(before)));
            }
        }
        jobs
    }

    /// What the candidates so far tell about the rule sets that may be tried next.
    pub(super) fn outlook(&self, counts: &TuneCounts) -> Outlook {
        let points = self.points_to_predict(counts);
        let levels = self.space.levels().into_iter().enumerate();
        let levels: Vec<Levels> =
            levels.filter(|(key, _)| !counts.inert.contains(key)).map(|(_, levels)| levels).collect();
        let (mut predicted, mut processes) = (Vec::new(), Vec::new());
        for claim in 0..self.claims.len() {
            let process = Process::fit(&levels, self.observations(counts, claim));
            let unknown = Prediction { mean: 0.0, deviation: 1.0 };
            let predict = |point: &Point| {
                let point = self.without_inert(counts, point);
                process.as_ref().map_or(unknown, |process| process.predict(&point))
            };
            predicted.push(points.iter().map(predict).collect::<Vec<_>>());
            processes.push(process);
        }
        let spread = |of_claim: &Vec<Prediction>| {
            let means = of_claim.iter().map(|prediction| prediction.mean);
            let (low, high) =
                means.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| (low.min(mean), high.max(mean)));
            (high - low).max(1e-9)
        };
        let scale = predicted.iter().map(spread).collect();
        Outlook { points, processes, predicted, scale }
    }

    /// The candidates first, then others: all of a small space.
    fn points_to_predict(&self, counts: &TuneCounts) -> Vec<Point> {
        let is_usual = |point: &Point| counts.inert.iter().all(|&key| point[key] == self.space.usual_value(key));
        let tried = counts.candidates.iter().map(|tried| &tried.point).filter(|point| is_usual(point));
        let mut points: Vec<Point> = tried.cloned().collect();
        let mut known: HashSet<Point> = points.iter().cloned().collect();
        let all = self.space.points_without(&counts.inert);
        let mut others: Vec<usize> = (0..all.len()).collect();
        if others.len() > MOST_PREDICTED {
            let mut random = self.random_of_step(counts, TO_FILL);
            random.shuffle_front(&mut others, MOST_PREDICTED);
            others.truncate(MOST_PREDICTED);
        }
        let others = others.into_iter().map(|number| all[number].clone());
        points.extend(others.filter(|point| known.insert(point.clone())));
        if self.space.extent == Extent::Sampled || all.len() > MOST_PREDICTED {
            // Of the candidates with the most deals, which were drawn most often.
            let mut best: Vec<&Tried> = counts.candidates.iter().filter(|tried| is_usual(&tried.point)).collect();
            best.sort_by_key(|tried| std::cmp::Reverse(tried.trials.iter().map(|trial| trial.rounds).sum::<u64>()));
            for tried in best.iter().take(6) {
                let neighbors = self.space.neighbors(&tried.point, &counts.inert);
                points.extend(neighbors.into_iter().filter(|point| known.insert(point.clone())));
            }
        }
        points
    }

    fn random_of_step(&self, counts: &TuneCounts, purpose: u32) -> Rng {
        let step = match counts.stage {
            Stage::Screen => 0,
            Stage::Search { step } => u64::from(step),
            Stage::Simplify | Stage::Certificate | Stage::Contributions | Stage::Finished => u64::from(STEPS),
        };
        Rng::keyed(self.spec.seed, 1 + step, Purpose::Other(purpose))
    }

    /// The readings of a claim, with errors that are shared where a candidate has few deals.
    fn observations(&self, counts: &TuneCounts, claim: usize) -> Vec<Observation> {
        let readings = counts.candidates.iter().filter_map(|tried| Some((tried, self.reading(&tried.trials, claim)?)));
        let readings: Vec<(&Tried, Reading)> = readings.collect();
        let per_set = self.variance_per_set(&readings.iter().map(|(_, reading)| *reading).collect::<Vec<_>>());
        let observe = |(tried, reading): (&Tried, Reading)| {
            let sets = reading.sets as f64;
            let own = reading.error.map_or(per_set, |error| error * error * sets);
            let weight = sets / (sets + 50.0);
            let variance = (weight * own + (1.0 - weight) * per_set) / sets;
            Observation { point: self.without_inert(counts, &tried.point), value: reading.value, variance }
        };
        readings.into_iter().map(observe).collect()
    }

    /// The mean variance of one set.
    pub(super) fn variance_per_set(&self, readings: &[Reading]) -> f64 {
        let own: Vec<f64> = readings.iter().filter_map(|read| Some(read.error?.powi(2) * read.sets as f64)).collect();
        if own.is_empty() {
            let most = readings.iter().map(|reading| reading.value.abs()).fold(1e-6, f64::max);
            return (0.1 * most).powi(2);
        }
        (own.iter().sum::<f64>() / own.len() as f64).max(1e-12)
    }

    /// What these counts tell about a claim, without regard to other claims.
    pub(super) fn reading(&self, trials: &[TrialCounts], claim: usize) -> Option<Reading> {
        let claim = &self.claims[claim];
        self.trials[claim.trial].read(&claim.quantity, &trials[claim.trial], Coverage::Pointwise)
    }

    /// The score of these values of the claims: distances and objectives are measured on these scales, and several objectives
    /// are added with these weights.
    pub(super) fn score(&self, values: impl Fn(usize) -> f64, scale: &[f64], weights: &[f64]) -> Score {
        self.cautious_score(values, scale, weights, &vec![0.0; self.claims.len()])
    }

    /// The same with limits that are narrower by these widths.
    fn cautious_score(&self, values: impl Fn(usize) -> f64, scale: &[f64], weights: &[f64], caution: &[f64]) -> Score {
        let (mut violation, mut objective) = (0.0, 0.0);
        for (number, claim) in self.claims.iter().enumerate() {
            let value = values(number);
            match self.goals[claim.goal].aim {
                Aim::Constraint(limits) => {
                    violation += limits.cautious(caution[number]).violation(value) / scale[number];
                }
                Aim::Maximize => objective += weights[claim.goal] * value / scale[number],
                Aim::Minimize => objective -= weights[claim.goal] * value / scale[number],
            }
        }
        Score { violation, objective }
    }

    /// Without objectives, rule sets with fewer changes of the base are better.
    pub(super) fn thrift(&self, point: &[usize]) -> f64 {
        let has_objective = self.goals.iter().any(super::goal::Goal::is_objective);
        if has_objective { 0.0 } else { -0.1 * self.space.changed(point).count() as f64 }
    }

    /// The scales of claims: of the claims of one objective the same, so that their mean counts.
    pub(super) fn scales(&self, outlook: &Outlook) -> Vec<f64> {
        let of_goal = |goal: usize| {
            let own =
                self.claims.iter().zip(&outlook.scale).filter(|(claim, _)| claim.goal == goal).map(|(_, &scale)| scale);
            own.fold(1e-9, f64::max)
        };
        self.claims.iter().map(|claim| of_goal(claim.goal)).collect()
    }

    /// The weights of the objectives of a draw: any mixture of them (ParEGO: J. Knowles, IEEE Transactions on Evolutionary
    /// Computation 10, 2006).
    fn weights(&self, random: &mut Rng) -> Vec<f64> {
        let weights: Vec<f64> = self.goals.iter().map(|_| -(1.0 - random.unit()).ln()).collect();
        let objectives = self.goals.iter().zip(&weights).filter(|(goal, _)| goal.is_objective());
        let sum: f64 = objectives.map(|(_, weight)| weight).sum();
        weights.into_iter().map(|weight| weight / sum.max(1e-9)).collect()
    }

    /// The jobs of the next step of the search.
    pub(super) fn plan_search(&self, counts: &mut TuneCounts) -> Vec<Job> {
        let Stage::Search { step } = counts.stage else { return Vec::new() };
        let end = counts.budget as f64 * (DESIGN + (SEARCH - DESIGN) * f64::from(step) / f64::from(STEPS - 1));
        let rounds = end - counts.rounds as f64;
        if rounds < LEAST_SETS as f64 * self.rounds_per_set(counts) {
            return Vec::new();
        }
        let outlook = self.outlook(counts);
        let scales = self.scales(&outlook);
        let caution = self.caution(counts);
        let mut drawn: BTreeMap<usize, usize> = BTreeMap::new();
        let mut random = self.random_of_step(counts, TO_DRAW);
        for _ in 0..DRAWS {
            let weights = self.weights(&mut random);
            let mut best: Option<(usize, Score)> = None;
            for item in 0..outlook.points.len() {
                let values: Vec<f64> =
                    outlook.predicted.iter().map(|of_claim| drawn_value(of_claim[item], &mut random)).collect();
                let mut score = self.cautious_score(|claim| values[claim], &scales, &weights, &caution);
                score.objective += self.thrift(&outlook.points[item]);
                if best.is_none_or(|(_, best)| score.is_better_than(best)) {
                    best = Some((item, score));
                }
            }
            if let Some((item, _)) = best {
                *drawn.entry(item).or_default() += 1;
            }
        }
        let share = rounds / DRAWS as f64;
        let mut jobs = Vec::new();
        for (item, times) in drawn {
            let point = &outlook.points[item];
            let (target, is_new) = self.candidate(counts, point);
            let rounds = share * times as f64 - if is_new { self.pilot_cost(Phase::Search) } else { 0.0 };
            let urgency = self.urgency(&outlook, item);
            for (trial, part) in urgency.iter().enumerate() {
                let cost = self.cost_of(counts, trial, point).unwrap_or_else(|| self.cost(counts, trial));
                let sets = whole(rounds * part / cost);
                let least = if is_new { LEAST_SETS } else { 1 };
                let before = counts.candidates[target].trials[trial].sets;
                jobs.push(self.job(Phase::Search, trial, point, target, before..before + sets.max(least)));
            }
        }
        jobs
    }

    /// By claim: how far a value must be from its limits, so that the certificate will probably show that it is within them.
    fn caution(&self, counts: &TuneCounts) -> Vec<f64> {
        let (errors, reach) = self.expected_errors(counts, self.number_of_finalists());
        errors.iter().map(|error| CAUTION * reach * error).collect()
    }

    /// The number of a candidate, and whether it is new.
    fn candidate(&self, counts: &mut TuneCounts, point: &Point) -> (usize, bool) {
        let known = counts.candidates.iter().position(|tried| tried.point == *point);
        let number = known.unwrap_or_else(|| {
            counts
                .candidates
                .push(Tried { point: point.clone(), trials: vec![TrialCounts::default(); self.trials.len()] });
            counts.candidates.len() - 1
        });
        (number, known.is_none())
    }

    /// The parts of its rounds that a rule set spends on each trial: a constraint that is almost decided needs none.
    fn urgency(&self, outlook: &Outlook, item: usize) -> Vec<f64> {
        let mut urgency = vec![0.02_f64; self.trials.len()];
        for (claim, of_claim) in self.claims.iter().zip(&outlook.predicted) {
            let own = match self.goals[claim.goal].limits() {
                None => 1.0,
                Some(limits) => {
                    let p = probability_within(of_claim[item], limits.low, limits.high);
                    4.0 * p * (1.0 - p)
                }
            };
            urgency[claim.trial] = urgency[claim.trial].max(own);
        }
        let all: f64 = urgency.iter().sum();
        urgency.into_iter().map(|part| part / all).collect()
    }
}

/// A possible value.
fn drawn_value(Prediction { mean, deviation }: Prediction, random: &mut Rng) -> f64 {
    mean + deviation * normal(random)
}

/// A normal random number (G. E. P. Box and M. E. Muller, 1958).
pub(super) fn normal(random: &mut Rng) -> f64 {
    let (length, angle) = (1.0 - random.unit(), random.unit());
    (-2.0 * length.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// The probability that the true value is between these.
pub(super) fn probability_within(Prediction { mean, deviation }: Prediction, low: f64, high: f64) -> f64 {
    let below = |limit: f64| match limit {
        f64::INFINITY => 1.0,
        f64::NEG_INFINITY => 0.0,
        limit => unolab_stats::power::normal_below((limit - mean) / deviation),
    };
    (below(high) - below(low)).clamp(0.0, 1.0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut to a whole number from 0")]
pub(super) const fn whole(number: f64) -> u64 {
    number as u64
}
