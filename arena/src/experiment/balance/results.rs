//! The estimates of a balance run, computed from its counts.

use std::collections::BTreeMap;

use unolab_stats::hypothesis::chi_squared_above;
use unolab_stats::interval::{Coverage, student_likelihood_above};
use unolab_stats::moments::{Estimate, Moments};
use unolab_stats::range::Range;

use super::case::{ArmCounts, Case, QUANTILES};
use super::faults;
use super::metric::{BINS, Metric, MetricKind, REFITS, RowCondition};
use super::spec::CONTROL;
use crate::spec::Unit;
use crate::tables::balance::{FaultRow, MetricsRow, PointsRow, SweepRow};

/// The tables of a balance run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tables {
    /// `metrics.csv`
    pub metrics: Vec<MetricsRow>,
    /// `sweep.csv`
    pub sweep: Vec<SweepRow>,
    /// `points.csv`
    pub points: Vec<PointsRow>,
    /// `faults.csv`
    pub faults: Vec<FaultRow>,
}

/// One played case.
#[derive(Debug)]
pub struct Results<'a> {
    /// The names of the agents.
    pub field: &'a str,
    /// The allowed distance of a seat from its fair share.
    pub margin: f64,
    /// The minutes of a turn, if they are known.
    pub minutes_per_turn: Option<f64>,
    /// The coverage of the intervals of its metrics.
    pub coverage: Coverage,
    /// The case.
    pub case: &'a Case,
    /// The counts, by arm.
    pub counted: &'a [ArmCounts],
}

impl Tables {
    /// Adds the rows of a case.
    pub fn add(&mut self, results: &Results<'_>) {
        self.metrics.extend(results.metrics());
        self.sweep.extend(results.sweep());
        self.points.extend(results.points());
        self.faults.extend(faults::rows(results.case, results.counted));
    }

    /// Holm's method over all claims of the sweep (Holm, "A simple sequentially rejective multiple test procedure",
    /// 1979).
    pub fn adjust_for_many_claims(&mut self) {
        let mut claims: Vec<&mut SweepRow> =
            self.sweep.iter_mut().filter(|row| row.arm != CONTROL && row.p.is_some()).collect();
        claims.sort_by(|a, b| a.p.unwrap_or(1.0).total_cmp(&b.p.unwrap_or(1.0)));
        let number = claims.len();
        let mut largest = 0.0_f64;
        for (rank, row) in claims.into_iter().enumerate() {
            largest = largest.max(row.p.unwrap_or(1.0) * (number - rank) as f64).min(1.0);
            row.p_holm = Some(largest);
        }
    }
}

impl Results<'_> {
    fn base(&self) -> &ArmCounts {
        &self.counted[0]
    }

    fn moments<'c>(&self, counted: &'c ArmCounts, metric: impl Into<Metric>) -> &'c Moments {
        &counted.moments[self.case.layout.place(metric.into())]
    }

    pub(crate) fn estimate(&self, counted: &ArmCounts, metric: impl Into<Metric>) -> Option<Estimate> {
        let metric = metric.into();
        let estimate = self.moments(counted, metric).estimate()?;
        let estimate = estimate.scaled(1.0 / metric.kind.def().unit as f64, 0.0);
        Some(with_error_of_fit(estimate, metric, |refit| self.moments(counted, refit).estimate()))
    }

    /// The leader so far, with the interval, in words; for a field of one agent, the first player's share. Empty before
    /// there is an interval.
    pub(super) fn leader(&self) -> String {
        let names = &self.case.layout.entrants;
        let shares =
            (0..names.len()).filter_map(|e| Some((&*names[e], self.estimate(self.base(), MetricKind::Win.of(e))?)));
        let leader = match names.len() {
            1 => self.estimate(self.base(), MetricKind::Seat.of(0)).map(|share| ("the first player wins", share)),
            _ => shares.max_by(|a, b| a.1.value.total_cmp(&b.1.value)),
        };
        let told = leader.and_then(|(name, share)| {
            let interval = share.interval_in(Range::Share)?;
            let [value, low, high] = [share.value, interval.low, interval.high].map(|share| 100.0 * share);
            let leads = if names.len() > 1 { " leads" } else { "" };
            let (variant, seats) = (&self.case.variant, self.case.seats);
            Some(format!("; {name}{leads} in {variant} at {seats} seats: {value:.2}% [{low:.2}, {high:.2}]"))
        });
        told.unwrap_or_default()
    }

    /// Whether the metric gets a row: not if it never occurred, or cannot have one.
    fn is_reported(&self, metric: Metric) -> bool {
        let has_occurred = || match metric.kind.def().row_if {
            RowCondition::Always => true,
            RowCondition::Counted => self.moments(self.base(), metric).denominator() != 0,
            RowCondition::NotZero => self.moments(self.base(), metric).numerator() != 0,
            RowCondition::NotZeroInAnyArm => self.counted.iter().any(|arm| self.moments(arm, metric).numerator() != 0),
            RowCondition::Never => false,
        };
        self.case.can_report(metric) && has_occurred()
    }

    fn prefix(&self) -> &'static str {
        self.case.prefix()
    }

    /// The rows of metrics.csv.
    pub(crate) fn metrics(&self) -> Vec<MetricsRow> {
        let mut rows = Vec::new();
        for metric in self.case.layout.all().filter(|&metric| self.is_reported(metric)) {
            let Some(estimate) = self.estimate(self.base(), metric) else { continue };
            let n = u64::try_from(self.moments(self.base(), metric).denominator()).ok();
            let name = self.case.layout.name(metric);
            rows.push(match metric.kind {
                // The estimate is of this model, not of a true quantity.
                MetricKind::Brier => MetricsRow { n, ..self.plain(&name, Some(estimate.value)) },
                _ => self.metric(&name, Some(estimate), metric.kind.def().range, n),
            });
            match metric.kind {
                MetricKind::GoodShare => {
                    let skill = self.skill("skill", estimate, n);
                    let variance = self.skill_variance(&skill);
                    rows.extend([skill, variance]);
                }
                MetricKind::PanelShare => {
                    let name = format!("skill({})", self.case.layout.panel[metric.member]);
                    rows.push(self.skill(&name, estimate, n));
                }
                MetricKind::GoodShareAdjusted => rows.push(self.gain(MetricKind::GoodShare, metric, "good_share_gain")),
                MetricKind::SeatAdjusted if metric.member == 0 => {
                    rows.push(self.gain(MetricKind::Seat, metric, "seat_share_gain(0)"));
                }
                MetricKind::WinAdjusted => {
                    let name = format!("win_share_gain({})", self.case.layout.entrants[metric.member]);
                    rows.push(self.gain(MetricKind::Win.of(metric.member), metric, &name));
                }
                _ => {}
            }
        }
        rows.extend(self.extremes_of_skill());
        rows.extend(self.lengths());
        rows.extend(self.seat_tests());
        rows.push(self.calibration_error());
        rows
    }

    fn metric(&self, name: &str, estimate: Option<Estimate>, range: Range, n: Option<u64>) -> MetricsRow {
        let interval = estimate.and_then(|estimate| estimate.interval_in_of(range, self.coverage));
        MetricsRow {
            variant: self.case.variant.clone(),
            seats: self.case.seats,
            field: self.field.into(),
            metric: format!("{}{name}", self.prefix()),
            value: estimate.map(|estimate| estimate.value),
            se: estimate.and_then(|estimate| estimate.standard_error),
            ci_low: interval.map(|interval| interval.low),
            ci_high: interval.map(|interval| interval.high),
            n,
        }
    }

    /// The good player's share on a scale from 0, its fair share, to 1.
    fn skill(&self, name: &str, share: Estimate, n: Option<u64>) -> MetricsRow {
        let fair = 1.0 / self.case.seats as f64;
        self.scaled(name, share, [1.0 / (1.0 - fair), -fair / (1.0 - fair)], n)
    }

    /// The lowest and the highest skill against a member of the panel.
    fn extremes_of_skill(&self) -> Vec<MetricsRow> {
        let members = (0..self.case.layout.panel.len()).map(|member| MetricKind::PanelShare.of(member));
        let shares = members.filter_map(|metric| {
            let n = u64::try_from(self.moments(self.base(), metric).denominator()).ok();
            Some((self.estimate(self.base(), metric)?, n))
        });
        let mut shares: Vec<(Estimate, Option<u64>)> = shares.collect();
        shares.sort_by(|a, b| a.0.value.total_cmp(&b.0.value));
        let [Some(low), Some(high)] = [shares.first(), shares.last()] else { return Vec::new() };
        [("skill_low", low), ("skill_high", high)].map(|(name, &(share, n))| self.skill(name, share, n)).into()
    }

    /// The mean length in minutes, and quantiles of the lengths.
    fn lengths(&self) -> Vec<MetricsRow> {
        let lengths = &self.base().lengths;
        let mut rows = Vec::new();
        if let (Some(minutes), Some(turns)) = (self.minutes_per_turn, self.estimate(self.base(), MetricKind::Turns)) {
            let n = u64::try_from(self.moments(self.base(), MetricKind::Turns).denominator()).ok();
            rows.push(self.metric("minutes", Some(turns.scaled(minutes, 0.0)), Range::Any, n));
        }
        for percent in QUANTILES {
            let turns = quantile(&lengths.turns, percent);
            let minutes = turns.zip(self.minutes_per_turn).map(|(turns, minutes)| turns * minutes);
            let rounds = quantile(&lengths.rounds, percent).filter(|_| self.case.unit == Unit::Match);
            for (name, value) in [("turns", turns), ("rounds", rounds), ("minutes", minutes)] {
                rows.extend(value.map(|value| self.plain(&format!("{name}_q{percent}"), Some(value))));
            }
        }
        rows
    }

    /// A share on another scale: `factor` × share + `shift`.
    fn scaled(&self, name: &str, share: Estimate, [factor, shift]: [f64; 2], n: Option<u64>) -> MetricsRow {
        let interval = share.interval_in_of(Range::Share, self.coverage).map(|interval| interval.scaled(factor, shift));
        MetricsRow {
            ci_low: interval.map(|interval| interval.low),
            ci_high: interval.map(|interval| interval.high),
            ..self.metric(name, Some(share.scaled(factor, shift)), Range::Any, n)
        }
    }

    /// The share of the variance of winning that skill explains: the square of skill, and of its bounds.
    fn skill_variance(&self, skill: &MetricsRow) -> MetricsRow {
        let bounds = skill.ci_low.zip(skill.ci_high).map(|(low, high)| {
            let least = if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
            (least * least, low.abs().max(high.abs()).powi(2).min(1.0))
        });
        MetricsRow {
            metric: format!("{}skill_variance", self.prefix()),
            value: skill.value.map(|skill| skill * skill),
            se: skill.value.zip(skill.se).map(|(skill, error)| 2.0 * skill.abs() * error),
            ci_low: bounds.map(|(low, _)| low),
            ci_high: bounds.map(|(_, high)| high),
            ..skill.clone()
        }
    }

    fn plain(&self, name: &str, value: Option<f64>) -> MetricsRow {
        MetricsRow { value, ..self.metric(name, None, Range::Any, None) }
    }

    /// The factor by which the luck-adjusted metric needs fewer games.
    fn gain(&self, raw: impl Into<Metric>, adjusted: Metric, name: &str) -> MetricsRow {
        let error = |metric: Metric| self.estimate(self.base(), metric).and_then(|estimate| estimate.standard_error);
        let gain = error(raw.into()).zip(error(adjusted)).filter(|&(_, adjusted)| adjusted > 0.0);
        self.plain(name, gain.map(|(raw, adjusted)| (raw / adjusted).powi(2)))
    }

    /// Tests of fairness to every seat: χ² divided by its design effect (Rao and Scott, 1981), and two one-sided tests for
    /// each seat, of which the largest p-value counts (Schuirmann, 1987).
    fn seat_tests(&self) -> Vec<MetricsRow> {
        let fair = 1.0 / self.case.seats as f64;
        let shares: Option<Vec<Estimate>> =
            (0..self.case.seats).map(|place| self.estimate(self.base(), MetricKind::Seat.of(place))).collect();
        let Some(shares) = shares else { return Vec::new() };
        let games = self.moments(self.base(), MetricKind::Seat.of(0)).denominator() as f64;
        let difference = shares.iter().map(|share| (share.value - fair).abs()).fold(0.0, f64::max);
        let mut rows = vec![self.plain("seat_max_difference", Some(difference))];
        rows.push(self.scaled("first_player_ratio", shares[0], [self.case.seats as f64, 0.0], None));
        let errors: Option<Vec<f64>> = shares.iter().map(|share| share.standard_error.filter(|&se| se > 0.0)).collect();
        let Some(errors) = errors else { return rows };
        let independent = |share: &Estimate| share.value * (1.0 - share.value) / games;
        let effects = shares.iter().zip(&errors).map(|(share, error)| error * error / independent(share));
        let effect = effects.sum::<f64>() / shares.len() as f64;
        let chi_squared: f64 =
            shares.iter().map(|share| games * (share.value - fair).powi(2) / fair).sum::<f64>() / effect;
        let freedom = self.case.seats as f64 - 1.0;
        let p = chi_squared_above(chi_squared, freedom);
        rows.push(self.plain("seat_chi_squared", Some(chi_squared)));
        rows.push(self.plain("seat_chi_squared_p", p));
        let tost = |(share, error): (&Estimate, &f64)| {
            let inside = (self.margin - (share.value - fair).abs()) / error;
            Some(1.0 - student_likelihood_above(inside, share.sets)?)
        };
        let worst: Option<Vec<f64>> = shares.iter().zip(&errors).map(tost).collect();
        rows.push(self.plain("seat_equivalence_margin", Some(self.margin)));
        rows.push(self.plain("seat_equivalence_p", worst.map(|all| all.into_iter().fold(0.0, f64::max))));
        rows
    }

    /// The mean distance of predictions from outcomes, over cells of equal width.
    fn calibration_error(&self) -> MetricsRow {
        let cells = || (0..BINS).map(|bin| self.moments(self.base(), MetricKind::Calibration.of(bin)));
        let (above, below) = cells().fold((0.0, 0.0), |(above, below), cell| {
            (above + (cell.numerator() as f64).abs(), below + cell.denominator() as f64)
        });
        let unit = MetricKind::Calibration.def().unit as f64;
        self.plain("model_calibration_error", (below > 0.0).then(|| above / below / unit))
    }

    fn sweep(&self) -> Vec<SweepRow> {
        let mut rows = Vec::new();
        let layout = &self.case.layout;
        for (counted, ready) in self.counted.iter().zip(&self.case.arms).skip(1) {
            for metric in layout.all().filter(|&metric| self.is_reported(metric) && metric.is_compared()) {
                let own = self.moments(counted, metric);
                let Some(difference) = own.difference(self.moments(self.base(), metric)) else { continue };
                let (unit, sets) = (1.0 / metric.kind.def().unit as f64, difference.sets);
                let by_model = |refit| self.moments(counted, refit).difference(self.moments(self.base(), refit));
                let difference = with_error_of_fit(difference.scaled(unit, 0.0), metric, by_model);
                let value = |counted| self.estimate(counted, metric).map(|estimate| estimate.value);
                rows.push(SweepRow {
                    value: value(counted),
                    base: value(self.base()),
                    sets,
                    unequal_sets: Some(own.unequal_sets()),
                    ..self.claim(&ready.arm.name, &layout.name(metric), difference)
                });
            }
        }
        for number in 0..layout.dealt.len() {
            let arm = layout.dealt_arm(number);
            for &(metric, name) in self.case.reported_dealt_metrics() {
                let estimate = self.estimate(self.base(), metric.of(number));
                rows.extend(estimate.map(|estimate| self.claim(&arm, name, estimate)));
            }
        }
        rows
    }

    fn claim(&self, arm: &str, metric: &str, difference: Estimate) -> SweepRow {
        let interval = difference.p_different().and_then(|_| difference.interval());
        SweepRow {
            variant: self.case.variant.clone(),
            seats: self.case.seats,
            field: self.field.into(),
            arm: arm.into(),
            metric: format!("{}{metric}", self.prefix()),
            value: None,
            base: None,
            difference: difference.value,
            se: difference.standard_error,
            ci_low: interval.map(|interval| interval.low),
            ci_high: interval.map(|interval| interval.high),
            p: difference.p_different(),
            p_holm: None,
            sets: difference.sets,
            unequal_sets: None,
        }
    }

    fn points(&self) -> Vec<PointsRow> {
        self.counted
            .iter()
            .zip(&self.case.arms)
            .flat_map(|(counted, ready)| self.points_of(&ready.arm.name, counted))
            .collect()
    }

    fn points_of(&self, arm: &str, counted: &ArmCounts) -> Vec<PointsRow> {
        let rounds = counted.points.values().sum();
        let row = |statistic: String, value: Option<f64>, estimate: Option<(Estimate, Range)>, n| {
            let interval = estimate.and_then(|(estimate, range)| estimate.interval_in(range));
            PointsRow {
                variant: self.case.variant.clone(),
                seats: self.case.seats,
                field: self.field.into(),
                unit: self.case.unit_name().into(),
                arm: arm.into(),
                statistic,
                value,
                se: estimate.and_then(|(estimate, _)| estimate.standard_error),
                ci_low: interval.map(|interval| interval.low),
                ci_high: interval.map(|interval| interval.high),
                n,
            }
        };
        let told = |statistic: String, metric: Metric, n| {
            let estimate = self.estimate(counted, metric);
            let value = estimate.map(|estimate| estimate.value);
            row(statistic, value, estimate.map(|estimate| (estimate, metric.kind.def().range)), n)
        };
        let mut rows = vec![told("mean".into(), MetricKind::PointsTaken.into(), rounds)];
        let mean_and_square =
            [MetricKind::PointsTaken, MetricKind::PointsSquared].map(|metric| self.estimate(counted, metric));
        let deviation = match mean_and_square {
            [Some(mean), Some(square)] => Some((square.value - mean.value * mean.value).max(0.0).sqrt()),
            _ => None,
        };
        rows.push(row("sd".into(), deviation, None, rounds));
        for percent in [5, 25, 50, 75, 95] {
            rows.push(row(format!("q{percent:02}"), quantile(&counted.points, percent), None, rounds));
        }
        for (place, group) in super::cards::Group::ALL.iter().enumerate() {
            let moments = self.moments(counted, MetricKind::PointsFrom.of(place));
            if moments.numerator() != 0 {
                let points = u64::try_from(moments.denominator()).unwrap_or(u64::MAX);
                rows.push(told(format!("share({group})"), MetricKind::PointsFrom.of(place), points));
            }
        }
        rows
    }
}

/// The estimate of a metric, or of its difference, with the error of the fitted model included: (K − 1)/K Σ(θ_k − θ̄)²
/// over the K models that were each fitted without one part of the pilot, whose estimates `by_model` returns.
/// Pilot and games are independent, so the variances add up, and their degrees of freedom combine as in B. L. Welch, "The
/// generalization of Student's problem when several different population variances are involved", Biometrika 34 (1947).
fn with_error_of_fit(estimate: Estimate, metric: Metric, by_model: impl Fn(Metric) -> Option<Estimate>) -> Estimate {
    let unit = metric.kind.def().unit as f64;
    let refits: Vec<f64> =
        (0..REFITS).filter_map(|part| Some(by_model(metric.without_part(part)?)?.value / unit)).collect();
    let count = refits.len() as f64;
    let mean = refits.iter().sum::<f64>() / count;
    let squares: f64 = refits.iter().map(|refit| (refit - mean).powi(2)).sum();
    match estimate.standard_error {
        // If all sets are equal or only one contributes, their error is unknown, and the error of the fit is only a part.
        Some(error) if error > 0.0 && squares > 0.0 => {
            let [of_sets, of_fit] = [error * error, (count - 1.0) / count * squares];
            let both = of_sets + of_fit;
            let per_degree = of_sets * of_sets / (estimate.sets as f64 - 1.0) + of_fit * of_fit / (count - 1.0);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive number of sets")]
            let sets = 1 + (both * both / per_degree) as u64;
            Estimate { standard_error: Some(both.sqrt()), sets, ..estimate }
        }
        _ => estimate,
    }
}

/// The smallest number that at least this percentage of the counted games does not exceed.
fn quantile(counted: &BTreeMap<u32, u64>, percent: u64) -> Option<f64> {
    let rounds: u64 = counted.values().sum();
    number_at((rounds * percent).div_ceil(100), counted)
}

/// The counted number at this rank, from 1; the last for a larger rank.
pub(crate) fn number_at(place: u64, counted: &BTreeMap<u32, u64>) -> Option<f64> {
    let rounds: u64 = counted.values().sum();
    let mut left = place.clamp(1, rounds.max(1));
    counted.iter().find_map(|(&points, &times)| {
        if times >= left {
            return Some(f64::from(points));
        }
        left -= times;
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of eight refits half give 0.1, half 0.3: mean 0.2, squares 8 · 0.01, variance 7/8 · 0.08 = 0.07, with seven degrees of
    /// freedom. With an error of 0.3 over ten sets the whole is the root of 0.09 + 0.07. With one of 0.2 it has 0.11² /
    /// (0.04²/9 + 0.07²/7) = 13.8 degrees of freedom, and with one of 0.05 it has 0.0725² / (0.0025²/9 + 0.07²/7) = 7.5.
    #[test]
    fn fit_error_is_added_to_sampling_error() {
        let unit = MetricKind::Excitement.def().unit as f64;
        let estimate = |value: f64, error| Estimate { value, standard_error: Some(error), sets: 10, unequal: None };
        let by_model =
            |refit: Metric| Some(estimate(unit * if refit.member.is_multiple_of(2) { 0.1 } else { 0.3 }, 0.0));
        for metric in [MetricKind::Excitement.into(), MetricKind::Sting.of(1)] {
            let whole = with_error_of_fit(estimate(0.2, 0.3), metric, by_model);
            assert!((whole.standard_error.unwrap() - 0.4).abs() < 1e-12, "{whole:?}");
            assert!((whole.value - 0.2).abs() < 1e-12, "{whole:?}");
            let sets = |error| with_error_of_fit(estimate(0.2, error), metric, by_model).sets;
            assert_eq!([sets(0.2), sets(0.05)], [14, 8]);
            assert_eq!(with_error_of_fit(estimate(0.2, 0.3), metric, |_| None), estimate(0.2, 0.3));
            assert_eq!(with_error_of_fit(estimate(0.2, 0.0), metric, by_model), estimate(0.2, 0.0));
        }
        let turns = with_error_of_fit(estimate(0.2, 0.3), MetricKind::Turns.into(), by_model);
        assert_eq!(turns.standard_error, Some(0.3), "it does not use the model");
    }

    #[test]
    fn quantiles_match_hand_computation() {
        let counted = [(10, 5), (20, 4), (90, 1)].into();
        let quantiles = [5, 50, 75, 95].map(|percent| quantile(&counted, percent));
        assert_eq!(quantiles, [Some(10.0), Some(10.0), Some(20.0), Some(90.0)]);
        assert_eq!(quantile(&BTreeMap::new(), 50), None);
    }

    /// p-values 0.01, 0.02, 0.04 of three claims: 0.03, 0.04, 0.04 (Holm); the control arm is not a claim.
    #[test]
    fn holm_correction_matches_hand_computation() {
        let row = |arm: &str, p: f64| SweepRow {
            variant: "v".into(),
            seats: 2,
            field: "f".into(),
            arm: arm.into(),
            metric: "m".into(),
            value: None,
            base: None,
            difference: 0.0,
            se: None,
            ci_low: None,
            ci_high: None,
            p: Some(p),
            p_holm: None,
            sets: 2,
            unequal_sets: None,
        };
        let sweep = vec![row("a", 0.04), row(CONTROL, 0.001), row("b", 0.01), row("c", 0.02)];
        let mut tables = Tables { sweep, ..Tables::default() };
        tables.adjust_for_many_claims();
        let found: Vec<Option<f64>> = tables.sweep.iter().map(|row| row.p_holm).collect();
        let close = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
        assert!(close(found[0], 0.04) && found[1].is_none() && close(found[2], 0.03) && close(found[3], 0.04));
    }
}
