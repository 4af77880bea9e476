//! The quantities that goals name: the metrics of a balance run, and a few derived from them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unolab_stats::interval::{Coverage, Interval};
use unolab_stats::moments::{Estimate, Moments};
use unolab_stats::range::Range;

use crate::experiment::balance::case::{ArmCounts, Case, Lengths};
use crate::experiment::balance::metric::{BINS, Layout, Metric, MetricKind, REFITS};
use crate::experiment::balance::results::{Results, number_at};
use crate::experiment::balance::scope::{Detail, TableGroup};
use crate::spec::Unit;

/// A quantity in one unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// Its name without the prefix of the unit.
    name: String,
    /// Rounds or matches.
    pub unit: Unit,
}

/// What is known of a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// Its value.
    pub value: f64,
    /// The standard error; none for a statistic without one.
    pub error: Option<f64>,
    /// The interval of the true value.
    pub interval: Option<Interval>,
    /// Deals.
    pub sets: u64,
}

/// The derived quantities; all others are metrics of a balance run.
pub const DERIVED: [&str; 2] = ["first_player_edge", "skill"];

/// What is counted for some quantities of one trial.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TrialCounts {
    /// Deals.
    pub sets: u64,
    /// Rounds.
    pub rounds: u64,
    /// By needed metric.
    pub moments: Vec<Moments>,
    /// The lengths of games, if a quantile of them is needed.
    #[serde(default, skip_serializing_if = "Lengths::is_empty")]
    pub lengths: Lengths,
}

impl TrialCounts {
    /// Adds other sets.
    pub fn merge(&mut self, other: &Self) {
        self.sets += other.sets;
        self.rounds += other.rounds;
        self.moments.resize(self.moments.len().max(other.moments.len()), Moments::default());
        self.moments.iter_mut().zip(&other.moments).for_each(|(mine, theirs)| mine.merge(theirs));
        self.lengths.merge(&other.lengths);
    }
}

impl Quantity {
    /// The quantity with this name: `match_turns` is of matches.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name.strip_prefix("match_") {
            Some(name) => Self { name: name.into(), unit: Unit::Match },
            None => Self { name: name.into(), unit: Unit::Round },
        }
    }

    /// The name before parentheses, and whether it has any.
    fn family(&self) -> (&str, bool) {
        self.name.split_once('(').map_or((&*self.name, false), |(family, _)| (family, true))
    }

    /// The length of a quantile, and its percentage.
    fn quantile(&self) -> Option<(&str, u64)> {
        let (length, percent) = self.name.rsplit_once("_q")?;
        Some((length, percent.parse().ok()?))
    }

    /// Whether it is a quantile of lengths.
    #[must_use]
    pub fn has_lengths(&self) -> bool {
        self.quantile().is_some()
    }

    /// Whether it needs the duration of a turn.
    #[must_use]
    pub fn needs_turn_duration(&self) -> bool {
        self.name == "minutes" || self.name.starts_with("minutes_q")
    }

    /// Whether it compares the members of a panel.
    #[must_use]
    pub fn needs_panel(&self) -> bool {
        matches!(&*self.name, "skill" | "skill_low" | "skill_high")
    }

    /// The length whose excess it counts, for `longer_share(N)`.
    #[must_use]
    pub fn length(&self) -> Option<u32> {
        self.name.strip_prefix("longer_share(")?.strip_suffix(')')?.parse().ok()
    }

    /// The least difference in thousandths between the best two choices, for `decisive_choice_share(X)`.
    #[must_use]
    pub fn decisive_permille(&self) -> Option<u32> {
        let text = self.name.strip_prefix("decisive_choice_share(")?.strip_suffix(')')?;
        (1..=500).find(|&permille| (f64::from(permille) / 1_000.0).to_string() == text)
    }

    /// The tables on which it is measured.
    #[must_use]
    pub fn group(&self) -> TableGroup {
        match self.family() {
            ("good_share_adjusted" | "good_share_gain" | "skill_variance", _) | ("good_share", false) => {
                TableGroup::Weak
            }
            ("good_share" | "skill" | "skill_low" | "skill_high", _) => TableGroup::Panel,
            _ => TableGroup::Field,
        }
    }

    /// What must be counted for it.
    #[must_use]
    pub fn detail(&self) -> Detail {
        let (family, _) = self.family();
        if family.ends_with("_adjusted") || family.ends_with("_gain") {
            return Detail::Models;
        }
        match family {
            "excitement" | "sting" | "model_brier" | "model_calibration_error" => Detail::Models,
            "turns"
            | "decisions"
            | "rounds"
            | "minutes"
            | "reshuffles"
            | "void_share"
            | "truncated_share"
            | "good_share"
            | "skill"
            | "skill_low"
            | "skill_high"
            | "skill_variance"
            | "seat_share"
            | "win_share"
            | "points_mean"
            | "fault_share"
            | "longer_share"
            | "first_player_edge"
            | "first_player_ratio"
            | "seat_max_difference"
            | "seat_chi_squared"
            | "seat_chi_squared_p"
            | "seat_equivalence_p" => Detail::Result,
            _ if self.quantile().is_some() => Detail::Result,
            _ => Detail::Turns,
        }
    }

    /// The metrics from which it is computed.
    #[must_use]
    pub fn needed(&self, layout: &Layout) -> Vec<Metric> {
        let all = |kind: MetricKind, number: usize| (0..number).map(|member| kind.of(member)).collect::<Vec<_>>();
        let own = || layout.all().filter(|&metric| layout.name(metric) == self.name).collect::<Vec<_>>();
        match self.family() {
            ("minutes", _) => vec![MetricKind::Turns.into()],
            ("first_player_edge" | "first_player_ratio", _) => vec![MetricKind::Seat.of(0)],
            ("seat_max_difference" | "seat_chi_squared" | "seat_chi_squared_p" | "seat_equivalence_p", _) => {
                all(MetricKind::Seat, layout.seats)
            }
            ("skill" | "skill_low" | "skill_high", false) => all(MetricKind::PanelShare, layout.panel.len()),
            ("skill", true) => {
                let share = self.name.replacen("skill", "good_share", 1);
                layout.all().filter(|&metric| layout.name(metric) == share).collect()
            }
            ("skill_variance", _) => vec![MetricKind::GoodShare.into()],
            ("good_share_gain", _) => vec![MetricKind::GoodShare.into(), MetricKind::GoodShareAdjusted.into()],
            ("seat_share_gain", _) => vec![MetricKind::Seat.of(0), MetricKind::SeatAdjusted.of(0)],
            ("win_share_gain", _) => {
                let number = layout.entrants.len();
                [all(MetricKind::Win, number), all(MetricKind::WinAdjusted, number)].concat()
            }
            ("model_calibration_error", _) => all(MetricKind::Calibration, BINS),
            _ => {
                let of_fit = |&metric: &Metric| (0..REFITS).filter_map(move |part| metric.without_part(part));
                own().iter().flat_map(|metric| std::iter::once(*metric).chain(of_fit(metric))).collect()
            }
        }
    }

    /// The metrics on which its value depends: of the members of a panel only those that may give the least skill.
    #[must_use]
    pub fn deciding(&self, results: &Results<'_>) -> Vec<Metric> {
        let mut metrics = self.needed(&results.case.layout);
        if let ("skill" | "skill_low" | "skill_high", false) = self.family() {
            let sign = if self.name == "skill_high" { -1.0 } else { 1.0 };
            let read = |metric: Metric| {
                let share = read_metric(results, metric)?;
                if sign < 0.0 { share.mirrored() } else { share }.interval
            };
            let most = metrics.iter().filter_map(|&metric| read(metric)).map(|interval| interval.high);
            let most = most.fold(f64::INFINITY, f64::min);
            metrics.retain(|&metric| read(metric).is_none_or(|interval| interval.low <= most));
        }
        metrics
    }

    /// What these counts of a case tell about it, with an interval of this coverage; none if it is not defined.
    #[must_use]
    pub fn read(&self, results: &Results<'_>) -> Option<Reading> {
        let Results { case, counted, .. } = results;
        let (layout, counted) = (&case.layout, &counted[0]);
        if let Some((length, percent)) = self.quantile() {
            return quantile(results, length, percent);
        }
        let fair = 1.0 / case.seats as f64;
        match &*self.name {
            "first_player_edge" => Some(read_metric(results, MetricKind::Seat.of(0))?.scaled(1.0, -fair)),
            // Not by `read_row`: the rows of seats need the shares of all seats.
            "first_player_ratio" => Some(read_metric(results, MetricKind::Seat.of(0))?.scaled(case.seats as f64, 0.0)),
            "seat_max_difference" => largest_difference(results),
            "skill" | "skill_low" | "skill_high" => {
                let members = layout.panel.len();
                let shares = (0..members).map(|member| MetricKind::PanelShare.of(member));
                let skills = |coverage| {
                    let results = &Results { coverage, ..*results };
                    let skill =
                        |metric| Some(read_metric(results, metric)?.scaled(1.0 / (1.0 - fair), -fair / (1.0 - fair)));
                    shares.clone().map(skill).collect::<Option<Vec<Reading>>>()
                };
                let (each, together) = (skills(results.coverage)?, skills(at_once(results.coverage, members))?);
                extreme(&each, &together, if self.name == "skill_high" { -1.0 } else { 1.0 })
            }
            _ => {
                let own = layout.all().find(|&metric| layout.name(metric) == self.name);
                match own {
                    Some(metric) => read_metric(results, metric),
                    None => read_row(results, &self.name, counted),
                }
            }
        }
    }
}

impl Quantity {
    /// By how much it is larger in the first arm than in the second, over the same deals. Without an error if it is not a mean.
    #[must_use]
    pub fn difference(&self, results: &Results<'_>) -> Option<Estimate> {
        let Results { case, counted, .. } = results;
        let layout = &case.layout;
        let fair = 1.0 / case.seats as f64;
        let paired = |metric: Metric, factor: f64| {
            let [own, base] = [0, 1].map(|arm: usize| &counted[arm].moments[layout.place(metric)]);
            Some(own.difference(base)?.scaled(factor / metric.kind.def().unit as f64, 0.0))
        };
        match (self.family(), &self.needed(layout)[..]) {
            (("minutes", _), &[turns]) => paired(turns, results.minutes_per_turn?),
            (("first_player_edge", _), &[share]) => paired(share, 1.0),
            (("first_player_ratio", _), &[share]) => paired(share, case.seats as f64),
            (("skill", true), &[share]) => paired(share, 1.0 / (1.0 - fair)),
            // Against the member of the panel that gives its value in the base.
            (("skill" | "skill_low" | "skill_high", false), shares) => {
                let of_base = Results { counted: &counted[1..], ..*results };
                let skill = |metric: &Metric| read_metric(&of_base, *metric).map_or(f64::NAN, |share| share.value);
                let by_skill = |a: &&Metric, b: &&Metric| skill(a).total_cmp(&skill(b));
                let highest = self.name == "skill_high";
                let member = if highest { shares.iter().max_by(by_skill) } else { shares.iter().min_by(by_skill) };
                paired(*member?, 1.0 / (1.0 - fair))
            }
            (_, &[metric]) if layout.name(metric) == self.name => paired(metric, 1.0),
            _ => {
                let [own, base] =
                    [&counted[..1], &counted[1..]].map(|counted| self.read(&Results { counted, ..*results }));
                let (own, base) = (own?, base?);
                let value = own.value - base.value;
                Some(Estimate { value, standard_error: None, sets: own.sets, unequal: None })
            }
        }
    }
}

impl Reading {
    fn scaled(self, factor: f64, shift: f64) -> Self {
        Self {
            value: factor * self.value + shift,
            error: self.error.map(|error| error * factor.abs()),
            interval: self.interval.map(|interval| interval.scaled(factor, shift)),
            ..self
        }
    }
}

/// This coverage for this number of intervals in place of each.
const fn at_once(coverage: Coverage, number: usize) -> Coverage {
    match coverage {
        Coverage::Simultaneous(intervals) => Coverage::Simultaneous(intervals * number),
        Coverage::Pointwise => Coverage::Simultaneous(number),
        Coverage::AnytimeTogether(intervals) => Coverage::AnytimeTogether(intervals * number),
        Coverage::Anytime => Coverage::AnytimeTogether(number),
    }
}

fn read_metric(results: &Results<'_>, metric: Metric) -> Option<Reading> {
    let estimate = results.estimate(&results.counted[0], metric)?;
    let interval = estimate.interval_in_of(metric.kind.def().range, results.coverage);
    Some(Reading { value: estimate.value, error: estimate.standard_error, interval, sets: estimate.sets })
}

/// A number of metrics.csv that is computed from metrics.
fn read_row(results: &Results<'_>, name: &str, counted: &ArmCounts) -> Option<Reading> {
    let name = format!("{}{name}", results.case.prefix());
    let row = results.metrics().into_iter().find(|row| row.metric == name)?;
    let interval = row.ci_low.zip(row.ci_high).map(|(low, high)| Interval { low, high });
    let sets = counted.moments.iter().filter_map(|moments| Some(moments.estimate()?.sets)).max()?;
    Some(Reading { value: row.value?, error: row.se, interval, sets })
}

/// The least of several quantities, or the largest for a sign of -1. The least is below every one of them, and at least the
/// least of their lower bounds.
fn extreme(each: &[Reading], together: &[Reading], sign: f64) -> Option<Reading> {
    let flipped = |reading: &Reading| if sign < 0.0 { reading.mirrored() } else { *reading };
    let (each, together): (Vec<Reading>, Vec<Reading>) =
        (each.iter().map(flipped).collect(), together.iter().map(flipped).collect());
    let least = each.iter().min_by(|a, b| a.value.total_cmp(&b.value))?;
    let lows: Option<Vec<f64>> = each.iter().map(|reading| Some(reading.interval?.low)).collect();
    let highs: Option<Vec<f64>> = together.iter().map(|reading| Some(reading.interval?.high)).collect();
    let interval = lows.zip(highs).map(|(lows, highs)| Interval {
        low: lows.into_iter().fold(f64::INFINITY, f64::min),
        high: highs.into_iter().fold(f64::INFINITY, f64::min),
    });
    Some(flipped(&Reading { interval, ..*least }))
}

impl Reading {
    fn mirrored(&self) -> Self {
        let interval = self.interval.map(|Interval { low, high }| Interval { low: -high, high: -low });
        Self { value: -self.value, interval, ..*self }
    }
}

/// The largest difference between a seat's share and the fair share.
fn largest_difference(results: &Results<'_>) -> Option<Reading> {
    let seats = results.case.seats;
    let results = &Results { coverage: at_once(results.coverage, seats), ..*results };
    let fair = 1.0 / seats as f64;
    let shares = (0..seats).map(|seat| Some(read_metric(results, MetricKind::Seat.of(seat))?.scaled(1.0, -fair)));
    let shares: Vec<Reading> = shares.collect::<Option<_>>()?;
    let largest = shares.iter().max_by(|a, b| a.value.abs().total_cmp(&b.value.abs()))?;
    // The least and the largest distance from 0 within an interval.
    let least = |Interval { low, high }: Interval| low.max(-high).max(0.0);
    let most = |Interval { low, high }: Interval| high.max(-low);
    let bound =
        |of: &dyn Fn(Interval) -> f64| shares.iter().filter_map(|share| share.interval.map(of)).fold(0.0, f64::max);
    let interval = largest.interval.map(|_| Interval { low: bound(&least), high: bound(&most) });
    Some(Reading { value: largest.value.abs(), interval, ..*largest })
}

/// A quantile of the lengths, with the interval of its rank. The games of a deal may all be alike, so only deals count.
fn quantile(results: &Results<'_>, length: &str, percent: u64) -> Option<Reading> {
    let ArmCounts { lengths, moments, .. } = &results.counted[0];
    let lengths: &BTreeMap<u32, u64> = if length == "rounds" { &lengths.rounds } else { &lengths.turns };
    let games: u64 = lengths.values().sum();
    let sets = moments.iter().filter_map(|moments| Some(moments.estimate()?.sets)).max()?;
    let unit = if length == "minutes" { results.minutes_per_turn? } else { 1.0 };
    let share = percent as f64 / 100.0;
    let bounds = Range::Share.interval_of(share, (share * (1.0 - share) / sets as f64).sqrt(), sets, results.coverage);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the order of the games")]
    let at = |share: f64| Some(unit * number_at((share * games as f64).ceil() as u64, lengths)?);
    let interval = bounds.and_then(|Interval { low, high }| Some(Interval { low: at(low)?, high: at(high)? }));
    let reach = results.coverage.normal_reach(sets);
    let error = interval.map(|Interval { low, high }| ((high - low) / (2.0 * reach)).max(unit * 1e-3));
    Some(Reading { value: at(share)?, error, interval, sets })
}

/// The counts of a case from what is stored of its needed metrics.
#[must_use]
pub fn counted_of(case: &Case, needed: &[Metric], stored: &TrialCounts) -> ArmCounts {
    let mut counted = ArmCounts { lengths: stored.lengths.clone(), ..ArmCounts::default() };
    counted.moments.resize(case.layout.len(), Moments::default());
    for (metric, moments) in needed.iter().zip(&stored.moments) {
        counted.moments[case.layout.place(*metric)] = *moments;
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_name_their_tables_and_detail() {
        for (name, unit, group, detail) in [
            ("turns", Unit::Round, TableGroup::Field, Detail::Result),
            ("match_minutes", Unit::Match, TableGroup::Field, Detail::Result),
            ("skill", Unit::Round, TableGroup::Panel, Detail::Result),
            ("match_skill_low", Unit::Match, TableGroup::Panel, Detail::Result),
            ("good_share", Unit::Round, TableGroup::Weak, Detail::Result),
            ("good_share(random)", Unit::Round, TableGroup::Panel, Detail::Result),
            ("good_share_adjusted", Unit::Round, TableGroup::Weak, Detail::Models),
            ("turns_q90", Unit::Round, TableGroup::Field, Detail::Result),
            ("lead_changes", Unit::Round, TableGroup::Field, Detail::Turns),
            ("sting(wild)", Unit::Round, TableGroup::Field, Detail::Models),
        ] {
            let quantity = Quantity::named(name);
            assert_eq!((quantity.unit, quantity.group(), quantity.detail()), (unit, group, detail), "{name}");
        }
        assert_eq!(Quantity::named("longer_share(80)").length(), Some(80));
        for (name, permille) in [("0.05", Some(50)), ("0.001", Some(1)), ("0", None), ("2", None), ("x", None)] {
            let quantity = Quantity::named(&format!("match_decisive_choice_share({name})"));
            assert_eq!(quantity.decisive_permille(), permille, "{name}");
        }
        assert!(Quantity::named("match_minutes_q90").needs_turn_duration());
    }

    /// Two members at 0.2 ± 0.1 and 0.5 ± 0.1; together ± 0.15.
    #[test]
    fn least_skill_is_below_every_member() {
        let reading = |value: f64, reach: f64| {
            let interval = Some(Interval { low: value - reach, high: value + reach });
            Reading { value, error: Some(reach / 2.0), interval, sets: 100 }
        };
        let (each, together) = ([reading(0.2, 0.1), reading(0.5, 0.1)], [reading(0.2, 0.15), reading(0.5, 0.15)]);
        let low = extreme(&each, &together, 1.0).unwrap();
        let Interval { low: least, high: most } = low.interval.unwrap();
        assert!((low.value - 0.2).abs() < 1e-12 && (least - 0.1).abs() < 1e-12 && (most - 0.35).abs() < 1e-12);
        let high = extreme(&each, &together, -1.0).unwrap();
        let Interval { low: least, high: most } = high.interval.unwrap();
        assert!((high.value - 0.5).abs() < 1e-12 && (least - 0.35).abs() < 1e-12 && (most - 0.6).abs() < 1e-12);
    }
}
