//! The result of a tuning run, computed from its counts.

use unolab_stats::hypothesis::holm;
use unolab_stats::interval::{Coverage, Interval};

use super::Tuning;
pub use super::certificate::Verdict;
use super::counts::TuneCounts;
use super::goal::Aim;
use super::quantity::Reading;
use super::space::Point;
use crate::tables::tune::{CandidateRow, ContributionRow, FrontRow, GoalRow};

/// An answer to the question whether some rule set meets all constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The recommended rule set meets them all.
    Met,
    /// That is not shown.
    NotShown,
    /// The recommended rule set misses one, but another rule set of the space may meet all.
    NotMet,
    /// No rule set of the space meets them all, by the evidence of the search.
    Infeasible,
}

impl Outcome {
    /// Its name in the output for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::NotShown => "not_shown",
            Self::NotMet => "not_met",
            Self::Infeasible => "infeasible",
        }
    }
}

/// A rule set whose chance to meet all constraints is smaller than this, in millionths, does not count as feasible.
const HARDLY_POSSIBLE: u32 = 10_000;

impl Tuning {
    /// The recommended rule set; none before the certificate.
    #[must_use]
    pub fn recommended_point<'a>(&self, counts: &'a TuneCounts) -> Option<&'a Point> {
        Some(&counts.finalists[counts.recommended?].point)
    }

    /// The answer; none before the certificate.
    #[must_use]
    pub fn outcome(&self, counts: &TuneCounts) -> Option<Outcome> {
        let verdict = self.worst_verdict(counts, counts.recommended?);
        let has_chance = counts.reach.as_ref().is_some_and(|reach| reach.together >= HARDLY_POSSIBLE);
        let all_missed =
            (0..counts.finalists.len()).all(|finalist| self.worst_verdict(counts, finalist) == Verdict::NotMet);
        Some(match verdict {
            Verdict::Met => Outcome::Met,
            Verdict::NotShown => Outcome::NotShown,
            Verdict::NotMet if all_missed && !has_chance => Outcome::Infeasible,
            Verdict::NotMet => Outcome::NotMet,
        })
    }

    /// The claims that some rule set meets by itself, or else not: those that bind.
    #[must_use]
    pub fn is_out_of_reach(&self, counts: &TuneCounts, claim: usize) -> bool {
        counts.reach.as_ref().is_some_and(|reach| reach.each[claim] < HARDLY_POSSIBLE)
    }

    /// The claims of a goal.
    pub fn claims_of(&self, goal: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.claims.len()).filter(move |&claim| self.claims[claim].goal == goal)
    }

    /// An objective of a finalist, averaged over the numbers of seats. The interval has the mean bounds: seats share deals.
    #[must_use]
    pub fn objective(&self, counts: &TuneCounts, finalist: usize, goal: usize) -> Option<Reading> {
        let readings: Option<Vec<Reading>> =
            self.claims_of(goal).map(|claim| self.certified(counts, finalist, claim)).collect();
        let readings = readings?;
        let number = readings.len() as f64;
        let mean = |of: &dyn Fn(&Reading) -> Option<f64>| {
            let all: Option<Vec<f64>> = readings.iter().map(of).collect();
            all.map(|all| all.iter().sum::<f64>() / number)
        };
        let low = mean(&|reading| Some(reading.interval?.low));
        let high = mean(&|reading| Some(reading.interval?.high));
        Some(Reading {
            value: mean(&|reading| Some(reading.value))?,
            error: mean(&|reading| reading.error),
            interval: low.zip(high).map(|(low, high)| Interval { low, high }),
            sets: readings.iter().map(|reading| reading.sets).min()?,
        })
    }

    /// The rows of goals.csv; none before the certificate.
    #[must_use]
    pub fn goal_rows(&self, counts: &TuneCounts) -> Vec<GoalRow> {
        let Some(finalist) = counts.recommended else { return Vec::new() };
        let mut rows = Vec::new();
        for (number, goal) in self.goals.iter().enumerate() {
            let row = |seats: String, reading: Option<Reading>, verdict: Option<Verdict>, deals: u64| GoalRow {
                goal: goal.text.clone(),
                metric: goal.metric.clone(),
                seats,
                value: reading.map(|reading| reading.value),
                ci_low: reading.and_then(|reading| reading.interval).map(|interval| interval.low),
                ci_high: reading.and_then(|reading| reading.interval).map(|interval| interval.high),
                verdict: verdict.map_or_else(String::new, |verdict| verdict.name().into()),
                deals,
            };
            let deals = |claim: usize| counts.finalists[finalist].trials[self.claims[claim].trial].sets;
            if goal.is_objective() {
                let seats: Vec<String> =
                    self.claims_of(number).map(|claim| self.claims[claim].seats.to_string()).collect();
                let deals = self.claims_of(number).map(deals).min().unwrap_or(0);
                rows.push(row(seats.join(" "), self.objective(counts, finalist, number), None, deals));
            } else {
                for claim in self.claims_of(number) {
                    let reading = self.certified(counts, finalist, claim);
                    let verdict = self.verdict(claim, reading.as_ref());
                    rows.push(row(self.claims[claim].seats.to_string(), reading, verdict, deals(claim)));
                }
            }
        }
        rows
    }

    /// The number of deals that would probably decide a claim, in all; none if no number would.
    #[must_use]
    pub fn deals_to_decide(&self, counts: &TuneCounts, claim: usize) -> Option<u64> {
        let limits = self.goals[self.claims[claim].goal].limits()?;
        let reading = self.certified(counts, counts.recommended?, claim)?;
        let interval = reading.interval?;
        let (margin, half) = (limits.margin(reading.value), (interval.high - interval.low) / 2.0);
        let deals = 1.2 * reading.sets as f64 * (half / margin).powi(2);
        (deals.is_finite() && deals < 1e12).then(|| super::search::whole(deals).max(reading.sets + 1))
    }

    /// The number of the candidate of a rule set, from 1.
    fn number_of_candidate(&self, counts: &TuneCounts, point: &Point) -> u64 {
        let place = counts.candidates.iter().position(|tried| tried.point == *point);
        // A finalist that was never tried comes after the candidates.
        let later = || {
            let untried =
                counts.finalists.iter().filter(|one| counts.candidates.iter().all(|tried| tried.point != one.point));
            counts.candidates.len() + untried.take_while(|one| one.point != *point).count()
        };
        place.unwrap_or_else(later) as u64 + 1
    }

    /// The rows of candidates.csv.
    #[must_use]
    pub fn candidate_rows(&self, counts: &TuneCounts) -> Vec<CandidateRow> {
        let recommended = self.recommended_point(counts);
        let status = |point: &Point| {
            if Some(point) == recommended {
                "recommended"
            } else if counts.finalists.iter().any(|finalist| finalist.point == *point) {
                "finalist"
            } else {
                "tried"
            }
        };
        let mut rows = Vec::new();
        for (phase, all) in [("search", &counts.candidates), ("certificate", &counts.finalists)] {
            for tried in all {
                for (number, claim) in self.claims.iter().enumerate() {
                    let reading = self.reading(&tried.trials, number);
                    rows.push(CandidateRow {
                        candidate: self.number_of_candidate(counts, &tried.point),
                        rules: self.space.in_words(&tried.point),
                        phase: phase.into(),
                        status: status(&tried.point).into(),
                        goal: self.goals[claim.goal].text.clone(),
                        metric: self.goals[claim.goal].metric.clone(),
                        seats: claim.seats,
                        deals: tried.trials[claim.trial].sets,
                        value: reading.map(|reading| reading.value),
                        se: reading.and_then(|reading| reading.error),
                    });
                }
            }
        }
        rows
    }

    /// The rows of contributions.csv.
    #[must_use]
    pub fn contribution_rows(&self, counts: &TuneCounts) -> Vec<ContributionRow> {
        let Some(point) = self.recommended_point(counts) else { return Vec::new() };
        let mut rows = Vec::new();
        for (arm, (key, _)) in self.with_changes_reverted(point).into_iter().enumerate() {
            let Some(key) = key else { continue };
            for claim in &self.claims {
                let of_trial = counts.versions.first().map_or(&[][..], |trials| &trials[claim.trial]);
                let (Some(base), Some(with_key_back)) = (of_trial.first(), of_trial.get(arm)) else { continue };
                let trial = &self.trials[claim.trial];
                let Some(change) = trial.difference(&claim.quantity, with_key_back, base) else { continue };
                let (added, p) = (change.scaled(-1.0, 0.0), change.p_different());
                let interval = p.and_then(|_| added.interval());
                let goal = &self.goals[claim.goal];
                rows.push(ContributionRow {
                    key: self.space.keys[key].key.clone(),
                    recommended: self.space.keys[key].values[point[key]].clone(),
                    base: self.space.value_of_base(key),
                    goal: goal.text.clone(),
                    metric: goal.metric.clone(),
                    seats: claim.seats,
                    difference: added.value + 0.0,
                    se: added.standard_error,
                    ci_low: interval.map(|interval| interval.low + 0.0),
                    ci_high: interval.map(|interval| interval.high + 0.0),
                    p,
                    p_holm: None,
                    deals: base.sets,
                });
            }
        }
        let p_values: Vec<f64> = rows.iter().filter_map(|row| row.p).collect();
        let adjusted = holm(&p_values);
        rows.iter_mut().filter(|row| row.p.is_some()).zip(adjusted).for_each(|(row, p)| row.p_holm = Some(p));
        rows
    }

    /// The recommended finalist, and the finalists with as good a verdict that no other beats in every objective on fresh deals, by
    /// the first objective from its best value on. A finalist that beats the recommended one is left out: it is farther from meeting
    /// the constraints, or, with one objective, worse over all its deals.
    #[must_use]
    pub fn front(&self, counts: &TuneCounts) -> Vec<usize> {
        let Some(recommended) = counts.recommended else { return Vec::new() };
        let objectives = self.objectives();
        if objectives.is_empty() {
            return vec![recommended];
        }
        let gains = |finalist: usize| -> Vec<f64> {
            objectives.iter().map(|&goal| self.gain(counts, finalist, goal).unwrap_or(f64::NEG_INFINITY)).collect()
        };
        let beats = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a >= b) && a.iter().zip(b).any(|(a, b)| a > b);
        let (verdict, of_recommended) = (self.worst_verdict(counts, recommended), gains(recommended));
        let eligible: Vec<(usize, Vec<f64>)> = (0..counts.finalists.len())
            .filter(|&finalist| self.worst_verdict(counts, finalist) == verdict)
            .map(|finalist| (finalist, gains(finalist)))
            .filter(|(_, gains)| !beats(gains, &of_recommended))
            .collect();
        let mut front: Vec<&(usize, Vec<f64>)> =
            eligible.iter().filter(|own| !eligible.iter().any(|other| beats(&other.1, &own.1))).collect();
        front.sort_by(|a, b| b.1[0].total_cmp(&a.1[0]));
        front.into_iter().map(|(finalist, _)| *finalist).collect()
    }

    /// The goals that are objectives.
    fn objectives(&self) -> Vec<usize> {
        (0..self.goals.len()).filter(|&goal| self.goals[goal].is_objective()).collect()
    }

    /// The value of an objective of a finalist on fresh deals, with the sign that makes larger values better.
    fn gain(&self, counts: &TuneCounts, finalist: usize, goal: usize) -> Option<f64> {
        let value = self.objective(counts, finalist, goal)?.value;
        Some(if self.goals[goal].aim == Aim::Minimize { -value } else { value })
    }

    /// The two goals by which rule sets are compared in a plot: the first objectives, then the constraints.
    #[must_use]
    pub fn axes(&self) -> [String; 2] {
        let mut goals: Vec<&super::goal::Goal> = self.goals.iter().collect();
        goals.sort_by_key(|goal| !goal.is_objective());
        [0, 1].map(|axis: usize| goals[axis.min(goals.len() - 1)].text.clone())
    }

    /// The rows of front.csv.
    #[must_use]
    pub fn front_rows(&self, counts: &TuneCounts) -> Vec<FrontRow> {
        let front = self.front(counts);
        let objectives = self.objectives();
        let mut rows = Vec::new();
        for (place, &finalist) in front.iter().enumerate() {
            let point = &counts.finalists[finalist].point;
            for &goal in &objectives {
                let reading = self.objective(counts, finalist, goal);
                let next = front.get(place + 1).filter(|_| goal != objectives[0]);
                let cost = next.and_then(|&next| {
                    let gained =
                        |goal: usize| Some(self.gain(counts, next, goal)? - self.gain(counts, finalist, goal)?);
                    let (lost, gained) = (-gained(objectives[0])?, gained(goal)?);
                    // With three objectives, the next rule set may be worse in two.
                    (gained > 0.0).then(|| lost / gained)
                });
                rows.push(FrontRow {
                    candidate: self.number_of_candidate(counts, point),
                    rules: self.space.in_words(point),
                    constraints: self.worst_verdict(counts, finalist).name().into(),
                    goal: self.goals[goal].text.clone(),
                    metric: self.goals[goal].metric.clone(),
                    value: reading.map(|reading| reading.value),
                    ci_low: reading.and_then(|reading| reading.interval).map(|interval| interval.low),
                    ci_high: reading.and_then(|reading| reading.interval).map(|interval| interval.high),
                    cost,
                });
            }
        }
        rows
    }

    /// The candidate of the search that has the best score so far, for the status line; none before anything is counted.
    #[must_use]
    pub fn best_so_far(&self, counts: &TuneCounts) -> Option<String> {
        let values = |trials: &[super::quantity::TrialCounts]| -> Option<Vec<f64>> {
            let value = |claim: usize| {
                let own = &self.claims[claim];
                Some(self.trials[own.trial].read(&own.quantity, &trials[own.trial], Coverage::Pointwise)?.value)
            };
            (0..self.claims.len()).map(value).collect()
        };
        let read: Vec<(&Point, Vec<f64>)> =
            counts.candidates.iter().filter_map(|tried| Some((&tried.point, values(&tried.trials)?))).collect();
        let scale = |claim: usize| {
            let of_claim = read.iter().map(|(_, values)| values[claim]);
            let (low, high) =
                of_claim.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
            (high - low).max(1e-9)
        };
        let scales: Vec<f64> = (0..self.claims.len()).map(scale).collect();
        let weights = vec![1.0; self.goals.len()];
        let scored = read.iter().map(|(point, values)| (point, self.score(|claim| values[claim], &scales, &weights)));
        let best = scored.reduce(|best, next| if next.1.is_better_than(best.1) { next } else { best });
        best.map(|(point, _)| self.space.in_words(point))
    }
}
