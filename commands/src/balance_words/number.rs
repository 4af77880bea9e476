//! Numbers of the tables in words: percentages, intervals, and ordinals.

use unolab_arena::tables::balance::MetricsRow;
use unolab_stats::interval::{Coverage, Interval};

pub(super) fn in_percent(row: &MetricsRow) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    with_interval(row, percent).map_or_else(String::new, |text| match text.split_once(' ') {
        Some((value, bounds)) => format!("{value}% {bounds}"),
        None => text + "%",
    })
}

/// A share, with an interval that holds together with those of all other seats (Bonferroni).
pub(super) fn simultaneous_percent(row: &MetricsRow, number: usize) -> String {
    let reach = |coverage: Coverage| coverage.normal_reach(u64::MAX);
    let factor = reach(Coverage::Simultaneous(number)) / reach(Coverage::Pointwise);
    let widened = |bound: Option<f64>| Some(row.value? + factor * (bound? - row.value?));
    let clamped = |bound: Option<f64>| widened(bound).map(|bound| bound.clamp(0.0, 1.0));
    let row = MetricsRow { ci_low: clamped(row.ci_low), ci_high: clamped(row.ci_high), ..row.clone() };
    in_percent(&row) + " (intervals of all seats together)"
}

pub(super) fn in_hundredths(row: &MetricsRow) -> String {
    with_interval(row, |value| format!("{value:.2}")).unwrap_or_default()
}

/// Percentage points.
pub(super) fn in_points(row: &MetricsRow) -> String {
    with_interval(row, |share| format!("{:.1}", 100.0 * share)).unwrap_or_default()
}

pub(super) fn in_numbers(row: &MetricsRow) -> String {
    with_interval(row, |value| format!("{value:.1}")).unwrap_or_default()
}

/// `35.4 [34.9, 35.9]`, or only the first number if there is no interval.
fn with_interval(row: &MetricsRow, write: impl Fn(f64) -> String) -> Option<String> {
    let value = write(row.value?);
    let bounds = row.ci_low.zip(row.ci_high).map(|(low, high)| Interval { low, high });
    // If all games have the same result, the error cannot be estimated, but Wilson's interval of a share is defined.
    let bounds = match (row.value?, row.n) {
        (share @ (0.0 | 1.0), Some(n)) if row.metric.contains("share") => Interval::wilson(share, n as f64),
        _ => bounds,
    };
    let bounds = bounds.map(|Interval { low, high }| format!(" [{}, {}]", write(low), write(high)));
    Some(value + &bounds.unwrap_or_default())
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// The player at this position in the turn order, counted from 0.
pub(crate) fn acting_position_text(place: u32) -> String {
    format!("the {} player", ordinal(place + 1))
}

fn ordinal(number: u32) -> String {
    match number {
        1 => "first".into(),
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        5 => "fifth".into(),
        6 => "sixth".into(),
        7 => "seventh".into(),
        8 => "eighth".into(),
        9 => "ninth".into(),
        10 => "tenth".into(),
        number => format!("{number}th"),
    }
}
