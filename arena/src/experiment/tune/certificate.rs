//! The certificate: the best candidates on fresh deals, and what each change of the recommended one contributes.
//!
//! The finalists are chosen before the fresh deals are played, and so is the number of these deals. All intervals of all goals of
//! all finalists hold together with 95% (Bonferroni), so the best of them may be named.

use unolab_engine::rng::{Purpose, Rng};
use unolab_stats::gaussian_process::{Joint, Prediction};
use unolab_stats::interval::Coverage;

use super::Tuning;
use super::counts::{Job, Reach, Tried, TuneCounts};
use super::quantity::{Reading, TrialCounts};
use super::search::{Outlook, SEARCH, Score, normal, probability_within, whole};
use super::space::Point;
use super::trial::Phase;

/// The part of the budget that is spent after the certificate; the contributions get the rest.
const CERTIFICATE: f64 = 0.85;

/// The number of finalists; with several objectives they span the front.
const FINALISTS: usize = 3;
const FINALISTS_OF_FRONT: usize = 7;

/// The rule sets among which finalists are chosen, and the draws by which they are compared.
const CONTENDERS: usize = 60;
const DRAWS: usize = 300;

/// A finalist plays at least this number of fresh deals.
const LEAST_SETS: u64 = 60;

/// A constraint gets this number of times the deals that would just decide it.
const RESERVE: f64 = 1.8;

/// The most deals of a trial.
const MOST_SETS: f64 = 1e8;

/// Random numbers for the choice of finalists.
const TO_CHOOSE: u32 = 903;

/// Finalists, and the mean of the best reward among them.
struct Choice {
    items: Vec<usize>,
    promise: f64,
}

/// Whether a goal is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The whole interval satisfies it.
    Met,
    /// The interval has values that satisfy it and others that do not.
    NotShown,
    /// No value of the interval satisfies it.
    NotMet,
}

impl Verdict {
    /// Its name in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::NotShown => "not_shown",
            Self::NotMet => "not_met",
        }
    }
}

impl Tuning {
    /// The coverage of the intervals of the certificate.
    #[must_use]
    pub fn coverage(&self, counts: &TuneCounts) -> Coverage {
        Coverage::Simultaneous(self.claims.len() * counts.finalists.len().max(1))
    }

    /// Chooses the finalists by what the search has found out.
    pub(super) fn choose_finalists(&self, counts: &mut TuneCounts) {
        let outlook = self.outlook(counts);
        counts.reach = Some(self.reach(&outlook));
        let most = self.number_of_finalists();
        // With fewer finalists each plays more deals, which may decide what three leave open.
        let least = if most == FINALISTS { 1 } else { most };
        let choices = (least..=most).rev().map(|number| self.choose(counts, &outlook, number));
        let best = choices.reduce(|best, next| if next.promise > best.promise { next } else { best });
        for item in best.map_or_else(Vec::new, |choice| choice.items) {
            let trials = vec![TrialCounts::default(); self.trials.len()];
            counts.finalists.push(Tried { point: outlook.points[item].clone(), trials });
        }
    }

    /// Plans the fresh deals of the finalists.
    pub(super) fn plan_certificate(&self, counts: &mut TuneCounts) -> Vec<Job> {
        let number = counts.finalists.len() as f64;
        let rounds = (CERTIFICATE * counts.budget as f64 - counts.rounds as f64).max(0.0) / number;
        let sets = self.sets_of_certificate(counts, rounds - self.pilot_cost(Phase::Certificate));
        let mut jobs = Vec::new();
        for (target, finalist) in counts.finalists.iter().enumerate() {
            let of_trial = sets.iter().enumerate();
            jobs.extend(
                of_trial.map(|(trial, &sets)| self.job(Phase::Certificate, trial, &finalist.point, target, 0..sets)),
            );
        }
        jobs
    }

    /// What the search has found out about the constraints.
    fn reach(&self, outlook: &Outlook) -> Reach {
        let p = |claim: usize, item: usize| {
            self.goals[self.claims[claim].goal]
                .limits()
                .map_or(1.0, |limits| probability_within(outlook.predicted[claim][item], limits.low, limits.high))
        };
        let items = || 0..outlook.points.len();
        let each = (0..self.claims.len()).map(|claim| items().map(|item| p(claim, item)).fold(0.0, f64::max));
        let all = |item: usize| (0..self.claims.len()).map(|claim| p(claim, item)).product::<f64>();
        let in_millionths = |p: f64| u32::try_from(whole(1e6 * p)).unwrap_or(u32::MAX);
        Reach { each: each.map(in_millionths).collect(), together: in_millionths(items().map(all).fold(0.0, f64::max)) }
    }

    /// The largest number of finalists: with several objectives they span the front.
    pub(super) fn number_of_finalists(&self) -> usize {
        let has_front = self.goals.iter().filter(|goal| goal.is_objective()).count() > 1;
        if has_front { FINALISTS_OF_FRONT } else { FINALISTS }
    }

    /// The expected standard error of each claim on the fresh deals of one of this number of finalists, if each trial gets the same part of its rounds,
    /// and how many of them an interval reaches.
    pub(super) fn expected_errors(&self, counts: &TuneCounts, number: usize) -> (Vec<f64>, f64) {
        let rounds =
            (CERTIFICATE - SEARCH) * counts.budget as f64 / number as f64 - self.pilot_cost(Phase::Certificate);
        let deviation = |claim: usize| {
            let readings = counts.candidates.iter().filter_map(|tried| self.reading(&tried.trials, claim));
            self.variance_per_set(&readings.collect::<Vec<_>>()).sqrt()
        };
        let error = |claim: usize| {
            let trial = self.claims[claim].trial;
            let sets = rounds / self.trials.len() as f64 / self.cost(counts, trial);
            deviation(claim) / sets.max(LEAST_SETS as f64).sqrt()
        };
        let reach = Coverage::Simultaneous(self.claims.len() * number).normal_reach(1_000);
        ((0..self.claims.len()).map(error).collect(), reach)
    }

    /// The finalists: rule sets that together promise the best certificate. Draws possible true values and possible results of
    /// the fresh deals, and adds the rule set that improves the mean of the best reward most.
    fn choose(&self, counts: &TuneCounts, outlook: &Outlook, number: usize) -> Choice {
        let mut random = Rng::keyed(self.spec.seed, 0, Purpose::Other(TO_CHOOSE));
        let scales = self.scales(outlook);
        let (errors, reach) = self.expected_errors(counts, number);
        let objectives: Vec<usize> = (0..self.goals.len()).filter(|&goal| self.goals[goal].is_objective()).collect();
        let even = vec![1.0 / objectives.len().max(1) as f64; self.goals.len()];
        // A draw for each mixture of objectives, or for the one objective.
        let mixtures: Vec<Vec<f64>> =
            if objectives.len() > 1 { self.mixtures(&objectives, number) } else { vec![even.clone()] };
        let contenders = self.contenders(outlook, &scales, &mixtures);
        // The values of similar rule sets are wrong together, so the draws are joint.
        let points: Vec<Vec<usize>> =
            contenders.iter().map(|&item| self.without_inert(counts, &outlook.points[item])).collect();
        let joint: Vec<Option<Joint>> =
            outlook.processes.iter().map(|process| Some(process.as_ref()?.joint(&points))).collect();
        let mut rewards: Vec<Vec<Vec<f64>>> = Vec::new();
        for mixture in &mixtures {
            let mut of_mixture = vec![Vec::with_capacity(DRAWS); contenders.len()];
            for _ in 0..DRAWS / mixtures.len() {
                let mut draw = |joint: &Option<Joint>| match joint {
                    Some(joint) => joint.draw(|| normal(&mut random)),
                    None => points.iter().map(|_| normal(&mut random)).collect(),
                };
                let drawn: Vec<Vec<f64>> = joint.iter().map(&mut draw).collect();
                for (place, of_item) in of_mixture.iter_mut().enumerate() {
                    let values: Vec<f64> = drawn.iter().map(|of_claim| of_claim[place]).collect();
                    let found: Vec<f64> =
                        values.iter().zip(&errors).map(|(value, error)| value + error * normal(&mut random)).collect();
                    let widths: Vec<f64> = errors.iter().map(|error| reach * error).collect();
                    let reward = self.reward(&values, &found, &widths, &scales, mixture);
                    of_item.push(reward + self.thrift(&outlook.points[contenders[place]]));
                }
            }
            rewards.push(of_mixture);
        }
        let draws = DRAWS / mixtures.len();
        let mut chosen: Vec<usize> = Vec::new();
        let mut best = vec![vec![f64::NEG_INFINITY; draws]; mixtures.len()];
        while chosen.len() < number.min(contenders.len()) {
            let gain = |contender: usize| {
                let of_mixture = |mixture: usize| {
                    let own = rewards[mixture][contender].iter().zip(&best[mixture]);
                    own.map(|(own, best)| own.max(*best)).sum::<f64>()
                };
                (0..mixtures.len()).map(of_mixture).sum::<f64>()
            };
            let left = (0..contenders.len()).filter(|contender| !chosen.contains(contender));
            let gains = left.map(|contender| (contender, gain(contender)));
            // The first of equals is the one with more promise.
            let Some((next, _)) = gains.reduce(|best, next| if next.1 > best.1 { next } else { best }) else { break };
            for (mixture, best) in best.iter_mut().enumerate() {
                best.iter_mut().zip(&rewards[mixture][next]).for_each(|(best, own)| *best = best.max(*own));
            }
            chosen.push(next);
        }
        let promise = best.iter().flatten().sum::<f64>() / (draws * mixtures.len()).max(1) as f64;
        Choice { items: chosen.into_iter().map(|contender| contenders[contender]).collect(), promise }
    }

    /// Evenly spaced mixtures of the first two objectives, or of every two in turn.
    fn mixtures(&self, objectives: &[usize], number: usize) -> Vec<Vec<f64>> {
        let steps = number.saturating_sub(1).max(1);
        let mut mixtures = Vec::new();
        for (place, &one) in objectives.iter().enumerate() {
            for &other in &objectives[place + 1..] {
                for step in 0..=steps {
                    let part = step as f64 / steps as f64;
                    let mut weights = vec![0.0; self.goals.len()];
                    // A corner is not blind to the other objective.
                    weights[one] = (1.0 - part).max(0.02);
                    weights[other] = part.max(0.02);
                    mixtures.push(weights);
                }
            }
        }
        mixtures
    }

    /// The rule sets with the best expected scores under each mixture.
    fn contenders(&self, outlook: &Outlook, scales: &[f64], mixtures: &[Vec<f64>]) -> Vec<usize> {
        let mut contenders: Vec<usize> = Vec::new();
        for mixture in mixtures {
            let value = |item: usize| self.expected(outlook, item, scales, mixture);
            let mut items: Vec<(usize, f64)> = (0..outlook.points.len()).map(|item| (item, value(item))).collect();
            items.sort_by(|a, b| b.1.total_cmp(&a.1));
            let of_mixture = items.iter().take(CONTENDERS.div_ceil(mixtures.len()));
            contenders.extend(of_mixture.map(|(item, _)| *item));
        }
        let mut known = std::collections::HashSet::new();
        contenders.retain(|item| known.insert(*item));
        contenders
    }

    /// The objective of a rule set by the predicted means, less what its constraints are likely to miss.
    fn expected(&self, outlook: &Outlook, item: usize, scales: &[f64], weights: &[f64]) -> f64 {
        let mut feasible = 1.0_f64;
        for (claim, of_claim) in self.claims.iter().zip(&outlook.predicted) {
            if let Some(limits) = self.goals[claim.goal].limits() {
                feasible *= probability_within(of_claim[item], limits.low, limits.high);
            }
        }
        let score = self.score(|claim| outlook.predicted[claim][item].mean, scales, weights);
        score.objective + self.thrift(&outlook.points[item]) + feasible.max(1e-12).ln() - 20.0 * score.violation
    }

    /// The reward of a rule set with these true values, whose fresh deals give these values with intervals that reach this far: its
    /// objective if its constraints are shown as met, less if they are only met, and less than nothing if they are not.
    fn reward(&self, values: &[f64], found: &[f64], widths: &[f64], scales: &[f64], weights: &[f64]) -> f64 {
        let score = self.score(|claim| values[claim], scales, weights);
        let is_shown = |claim: usize| {
            let limits = self.goals[self.claims[claim].goal].limits();
            limits.is_none_or(|limits| limits.narrowed(widths[claim]).allow(found[claim]))
        };
        let are_shown = (0..self.claims.len()).all(is_shown);
        // A missed constraint, and one that is not shown, cost more than any objective can give back.
        match (score.violation > 0.0, are_shown) {
            (true, _) => score.objective - 6.0 - 10.0 * score.violation.min(10.0),
            (false, false) => score.objective - 2.0,
            (false, true) => score.objective,
        }
    }

    /// The number of fresh deals of each trial, for finalists that may play this number of rounds each. Constraints get what
    /// decides them, objectives the rest.
    fn sets_of_certificate(&self, counts: &TuneCounts, rounds: f64) -> Vec<u64> {
        let outlook = self.outlook(counts);
        let reach = self.coverage(counts).normal_reach(1_000);
        let mut wanted = vec![LEAST_SETS as f64; self.trials.len()];
        let mut has_objective = vec![false; self.trials.len()];
        for (number, claim) in self.claims.iter().enumerate() {
            let Some(limits) = self.goals[claim.goal].limits() else {
                has_objective[claim.trial] = true;
                continue;
            };
            let readings = counts.candidates.iter().filter_map(|tried| self.reading(&tried.trials, number));
            let variance = self.variance_per_set(&readings.collect::<Vec<_>>());
            for finalist in &counts.finalists {
                let Some(process) = &outlook.processes[number] else { continue };
                let Prediction { mean, deviation } = process.predict(&self.without_inert(counts, &finalist.point));
                let margin = (limits.margin(mean) - deviation).max(0.25 * limits.margin(mean)).max(1e-9);
                let sets = RESERVE * variance * (reach / margin).powi(2);
                wanted[claim.trial] = wanted[claim.trial].max(sets.min(MOST_SETS));
            }
        }
        let mean_cost = |trial: usize| {
            let average = self.cost(counts, trial);
            let own = |finalist: &Tried| self.cost_of(counts, trial, &finalist.point).unwrap_or(average);
            counts.finalists.iter().map(own).sum::<f64>() / counts.finalists.len() as f64
        };
        let costs: Vec<f64> = (0..self.trials.len()).map(mean_cost).collect();
        let any_objective = has_objective.iter().any(|&has| has);
        limit(&mut wanted, &costs, if any_objective { 0.7 * rounds } else { rounds });
        let spent: f64 = wanted.iter().zip(&costs).map(|(sets, cost)| sets * cost).sum();
        let gets_more = |trial: usize| !any_objective || has_objective[trial];
        let number = (0..self.trials.len()).filter(|&trial| gets_more(trial)).count().max(1) as f64;
        for trial in (0..self.trials.len()).filter(|&trial| gets_more(trial)) {
            wanted[trial] += (rounds - spent).max(0.0) / number / costs[trial];
        }
        wanted.into_iter().map(|sets| whole(sets).max(LEAST_SETS)).collect()
    }

    /// The verdict on a claim, and what its interval is based on; none for an objective.
    #[must_use]
    pub fn verdict(&self, claim: usize, reading: Option<&Reading>) -> Option<Verdict> {
        let limits = self.goals[self.claims[claim].goal].limits()?;
        let interval = reading.and_then(|reading| reading.interval).filter(|interval| !interval.low.is_nan());
        Some(match interval {
            None => Verdict::NotShown,
            Some(interval) if limits.allow(interval.low) && limits.allow(interval.high) => Verdict::Met,
            Some(interval) => {
                let (low, high) = (interval.low, interval.high);
                let is_below = high < limits.low || (high <= limits.low && !limits.allow(limits.low));
                let is_above = low > limits.high || (low >= limits.high && !limits.allow(limits.high));
                if is_below || is_above { Verdict::NotMet } else { Verdict::NotShown }
            }
        })
    }

    /// What the fresh deals of a finalist tell about a claim.
    #[must_use]
    pub fn certified(&self, counts: &TuneCounts, finalist: usize, claim: usize) -> Option<Reading> {
        let tried = &counts.finalists[finalist];
        let claim = &self.claims[claim];
        self.trials[claim.trial].read(&claim.quantity, &tried.trials[claim.trial], self.coverage(counts))
    }

    /// The worst verdict on the constraints of a finalist; met if there are none.
    #[must_use]
    pub fn worst_verdict(&self, counts: &TuneCounts, finalist: usize) -> Verdict {
        let verdict = |claim: usize| self.verdict(claim, self.certified(counts, finalist, claim).as_ref());
        (0..self.claims.len()).filter_map(verdict).max().unwrap_or(Verdict::Met)
    }

    /// The finalist to recommend: one whose constraints are all met, with the best objective; otherwise the one that is nearest to
    /// meeting them. A single objective is compared over all deals, because more deals choose better. Several are compared on the
    /// fresh deals, on which the front is reported: otherwise a rule set of the front could beat the recommended one.
    pub(super) fn recommended(&self, counts: &TuneCounts) -> Option<usize> {
        let all = 0..counts.finalists.len();
        let readings: Vec<Vec<Option<Reading>>> = all
            .clone()
            .map(|finalist| (0..self.claims.len()).map(|claim| self.certified(counts, finalist, claim)).collect())
            .collect();
        let spread = |goal: usize| {
            let claims = (0..self.claims.len()).filter(|&claim| self.claims[claim].goal == goal);
            let values =
                claims.flat_map(|claim| readings.iter().filter_map(move |of| of[claim].map(|read| read.value)));
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
            if high > low { high - low } else { 1.0 }
        };
        let scales: Vec<f64> = self.claims.iter().map(|claim| spread(claim.goal)).collect();
        let weights = vec![1.0; self.goals.len()];
        let has_one_objective = self.goals.iter().filter(|goal| goal.is_objective()).count() == 1;
        let score = |finalist: usize| {
            let value = |claim: usize| {
                let is_objective = self.goals[self.claims[claim].goal].is_objective();
                let value = if is_objective && has_one_objective {
                    self.on_all_deals(counts, finalist, claim)
                } else {
                    readings[finalist][claim].map(|reading| reading.value)
                };
                value.unwrap_or(f64::NAN)
            };
            let score = self.score(value, &scales, &weights);
            Score { objective: score.objective + self.thrift(&counts.finalists[finalist].point), ..score }
        };
        let key = |finalist: usize| {
            let score = score(finalist);
            let met = self.worst_verdict(counts, finalist) == Verdict::Met;
            let violation = if met { -1.0 } else { score.violation };
            (violation, -score.objective, self.shortfall(&readings[finalist]))
        };
        // Of those that are not shown, the one that is most likely within its limits.
        let order = |a: &usize, b: &usize| {
            let (a, b) = (key(*a), key(*b));
            let first = a.0.total_cmp(&b.0);
            let ties = if a.0 == 0.0 && b.0 == 0.0 { a.2.total_cmp(&b.2) } else { a.1.total_cmp(&b.1) };
            first.then(ties)
        };
        all.min_by(order)
    }

    /// The value of a claim over the deals of the search and the fresh deals of a finalist. It ranks finalists, whose intervals hold
    /// together, and is never the result.
    fn on_all_deals(&self, counts: &TuneCounts, finalist: usize, claim: usize) -> Option<f64> {
        let finalist = &counts.finalists[finalist];
        let trial = self.claims[claim].trial;
        let mut all = finalist.trials[trial].clone();
        if let Some(tried) = counts.candidates.iter().find(|tried| tried.point == finalist.point) {
            all.merge(&tried.trials[trial]);
        }
        let reading = self.trials[trial].read(&self.claims[claim].quantity, &all, Coverage::Pointwise);
        reading.map(|reading| reading.value)
    }

    /// By how many standard errors the values of a finalist are too near to their limits, at most.
    fn shortfall(&self, readings: &[Option<Reading>]) -> f64 {
        let of_claim = |(claim, reading): (&super::Claim, &Option<Reading>)| {
            let limits = self.goals[claim.goal].limits()?;
            let Some(reading) = reading else { return Some(f64::INFINITY) };
            Some(-limits.margin(reading.value) / reading.error.unwrap_or(1.0).max(1e-12))
        };
        self.claims.iter().zip(readings).filter_map(of_claim).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The recommended rule set against itself with one change put back at a time, on the fresh deals.
    pub(super) fn plan_contributions(&self, counts: &mut TuneCounts) -> Vec<Job> {
        counts.versions = vec![vec![Vec::new(); self.trials.len()]];
        let Some(recommended) = counts.recommended else { return Vec::new() };
        let point = counts.finalists[recommended].point.clone();
        let arms = self.with_changes_reverted(&point);
        if arms.len() == 1 {
            return Vec::new();
        }
        let rounds = counts.budget as f64 - counts.rounds as f64 - self.pilot_cost(Phase::Contributions);
        let per_trial = rounds / self.trials.len() as f64;
        let mut jobs = Vec::new();
        for trial in 0..self.trials.len() {
            let average = self.cost(counts, trial);
            let of_unknown = self.cost_of(counts, trial, &point).map_or(average, |own| own.max(average));
            let of_arm = |(_, arm): &(_, Point)| self.cost_of(counts, trial, arm).unwrap_or(of_unknown);
            let cost: f64 = arms.iter().map(of_arm).sum();
            let sets = whole(per_trial / (cost * self.trials[trial].safety_factor()));
            if sets >= 2 {
                jobs.push(self.job(Phase::Contributions, trial, &point, 0, 0..sets));
            }
        }
        jobs
    }
}

/// Limits the sets of trials with these costs to this number of rounds in all. All trials may get the same number of rounds, and
/// what one does not need goes to the others. So a constraint that hardly any number of deals decides does not take them from one
/// that needs few.
fn limit(sets: &mut [f64], costs: &[f64], mut rounds: f64) {
    let mut by_need: Vec<usize> = (0..sets.len()).collect();
    by_need.sort_by(|&a, &b| (sets[a] * costs[a]).total_cmp(&(sets[b] * costs[b])));
    for (place, &trial) in by_need.iter().enumerate() {
        let part = rounds.max(0.0) / (by_need.len() - place) as f64;
        sets[trial] = sets[trial].min(part / costs[trial]);
        rounds -= sets[trial] * costs[trial];
    }
}

#[cfg(test)]
mod tests {
    use super::limit;

    #[test]
    fn deals_are_first_given_to_trials_that_need_few() {
        for (needed, rounds, given) in [
            ([100.0, 50.0, 1e8], 2_000.0, [100.0, 50.0, 925.0]),
            ([100.0, 50.0, 200.0], 2_000.0, [100.0, 50.0, 200.0]),
            ([400.0, 500.0, 600.0], 300.0, [100.0, 100.0, 50.0]),
        ] {
            let mut sets = needed;
            limit(&mut sets, &[1.0, 1.0, 2.0], rounds);
            assert!(sets.iter().zip(&given).all(|(a, b): (&f64, &f64)| (a - b).abs() < 1e-9), "{sets:?}");
        }
    }
}
