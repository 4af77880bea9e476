//! Plots of the cards and rules of a balance run: the winner's points by card, the effect of a card, and differences between
//! rules; and the trajectory of a sequential test.

use unolab_arena::experiment::balance::spec::CONTROL;
use unolab_arena::tables::balance::{MetricsRow, SweepRow};
use unolab_arena::words::{capital, counted};

use super::MetricGroup;
use super::sketch::{Sketch, describe_rows};
use crate::balance_words::{self, DEALT, Unit};
use crate::report::input::OtherTable;
use crate::report::numbers::{decimal, magnitude_digits, signed};
use crate::report::plot::intervals::{self, Axis, MeasuredValue, Reference};
use crate::report::plot::trajectory::{self, TrajectoryPoint};

/// The most metrics that are drawn.
const MOST_METRICS: usize = 12;

/// The p-value, by Holm's method, below which a metric that is not always printed gets a plot.
const SIGNIFICANT: f64 = 0.05;

/// A row of a table, with its cells by the names of their columns.
#[derive(Clone, Copy)]
struct Line<'a> {
    table: &'a OtherTable,
    cells: &'a [String],
}

impl<'a> Line<'a> {
    fn text(self, column: &str) -> &'a str {
        self.table.column(column).map_or("", |column| &self.cells[column])
    }

    fn number(self, column: &str) -> Option<f64> {
        self.text(column).parse().ok().filter(|number: &f64| number.is_finite())
    }
}

fn lines<'a>(found: &MetricGroup<'a>, file: &str) -> Vec<Line<'a>> {
    let tables = found.others.iter().filter(|(table, _)| table.file == file);
    tables.flat_map(|&(table, ref rows)| rows.iter().map(move |&cells| Line { table, cells })).collect()
}

/// `name`, or `name, field` where the section has several fields of agents.
fn labels(lines: &[Line<'_>], name: impl Fn(Line<'_>) -> String) -> Vec<String> {
    let is_one_field = lines.iter().all(|line| line.text("field") == lines[0].text("field"));
    let label = |&line: &Line<'_>| {
        if is_one_field { name(line) } else { format!("{}, {}", name(line), line.text("field")) }
    };
    lines.iter().map(label).collect()
}

pub(super) fn all(found: &MetricGroup<'_>) -> Vec<Sketch> {
    let of_cards = points_by_card(found).into_iter().chain(worth_of_cards(found));
    of_cards.chain(differences(found)).chain(course_of_test(found)).collect()
}

/// The metrics of the section.
pub(super) fn metrics(found: &MetricGroup<'_>) -> Vec<MetricsRow> {
    let row = |line: &Line<'_>| MetricsRow {
        variant: line.text("variant").into(),
        seats: line.text("seats").parse().unwrap_or_default(),
        field: line.text("field").into(),
        metric: line.text("metric").into(),
        value: line.number("value"),
        se: line.number("se"),
        ci_low: line.number("ci_low"),
        ci_high: line.number("ci_high"),
        n: line.text("n").parse().ok(),
    };
    lines(found, "metrics.csv").iter().map(row).filter(|row| row.seats > 0).collect()
}

/// The comparisons with the base.
pub(super) fn sweep(found: &MetricGroup<'_>) -> Vec<SweepRow> {
    let row = |line: &Line<'_>| {
        Some(SweepRow {
            variant: line.text("variant").into(),
            seats: line.text("seats").parse().unwrap_or_default(),
            field: line.text("field").into(),
            arm: line.text("arm").into(),
            metric: line.text("metric").into(),
            value: line.number("value"),
            base: line.number("base"),
            difference: line.number("difference")?,
            se: line.number("se"),
            ci_low: line.number("ci_low"),
            ci_high: line.number("ci_high"),
            p: line.number("p"),
            p_holm: line.number("p_holm"),
            sets: line.text("sets").parse().unwrap_or_default(),
            unequal_sets: line.text("unequal_sets").parse().ok(),
        })
    };
    lines(found, "sweep.csv").iter().filter_map(row).collect()
}

/// The end of a sequential test.
fn course_of_test(found: &MetricGroup<'_>) -> Option<Sketch> {
    let lines = lines(found, "sprt.csv");
    let points: Vec<TrajectoryPoint> = lines
        .iter()
        .filter_map(|line| Some(TrajectoryPoint { sets: line.number("sets")?, llr: line.number("llr")? }))
        .collect();
    let (last, bounds) = (lines.last()?, [lines[0].number("lower")?, lines[0].number("upper")?]);
    let names = format!("{} against {}", last.text("a"), last.text("b"));
    let verdict = match last.text("verdict") {
        "accept_h1" => "it reached the upper bound: the alternative is accepted",
        "accept_h0" => "it reached the lower bound: the null hypothesis is accepted",
        _ => "it reached neither bound",
    };
    Some(Sketch {
        name: "course".into(),
        title: "The course of the test".into(),
        description: format!("{names}: after {} {verdict}.", counted(last.text("sets").parse().ok()?, "set")),
        note: format!("{names}: {verdict}. The dashed lines are the bounds at which the test ends."),
        drawing: trajectory::draw(&points, bounds)?,
    })
}

/// The share of each kind of card in the winners' points.
fn points_by_card(found: &MetricGroup<'_>) -> Option<Sketch> {
    let card =
        |line: Line<'_>| Some(line.text("statistic").strip_prefix("share(")?.strip_suffix(')')?.replace('_', " "));
    let mut lines = lines(found, "points.csv");
    lines.retain(|&line| line.text("arm") == "base" && line.text("unit") != "match" && card(line).is_some());
    let value = |line: &Line<'_>| line.number("value").unwrap_or(f64::NEG_INFINITY);
    lines.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let names = labels(&lines, |line| card(line).unwrap_or_default());
    let rows: Vec<MeasuredValue<'_>> =
        names.iter().zip(&lines).map(|(name, &line)| measured(name, line, "value", 100.0)).collect();
    let axis = Axis { label: "share of all points (%)", reference: None, reaches: &[0.0], write: decimal, digits: 1 };
    Some(Sketch {
        name: "points-by-card".into(),
        title: "The points by card".into(),
        description: describe_rows(&rows, &axis),
        note: "The share of each kind of card in the points that a winner takes from the other hands.".into(),
        drawing: intervals::draw(&rows, &axis)?,
    })
}

/// The change of wins and points with a dealt card: a plot for each metric.
fn worth_of_cards(found: &MetricGroup<'_>) -> Vec<Sketch> {
    let lines = lines(found, "sweep.csv");
    let told = [
        ("points_net", "net points", 1.0, "points won less points left"),
        ("win_share", "wins", 100.0, "percentage points"),
    ];
    let sketch = |&(metric, words, factor, label): &(&str, &str, f64, &str)| {
        let is_of = |line: &&Line<'_>| line.text("metric") == metric && line.text("arm").starts_with(DEALT);
        let lines: Vec<Line<'_>> = lines.iter().filter(is_of).copied().collect();
        let names = labels(&lines, |line| line.text("arm").trim_start_matches(DEALT).into());
        let rows: Vec<MeasuredValue<'_>> =
            names.iter().zip(&lines).map(|(name, &line)| measured(name, line, "difference", factor)).collect();
        let axis = axis_of_base(label, "no difference", &rows);
        Some(Sketch {
            name: format!("worth-{}", metric.replace('_', "-")),
            title: format!("Effect of a dealt card: {words}"),
            description: describe_rows(&rows, &axis),
            note: format!(
                "The change when this card is dealt to a hand in place of its first card.{}",
                pointwise_note(rows.len())
            ),
            drawing: intervals::draw(&rows, &axis)?,
        })
    };
    told.iter().filter_map(sketch).collect()
}

/// A note on the control arm.
const CONTROL_NOTE: &str = " The arm called control has the same rules but different random numbers for the agents, so its \
                            differences are noise.";

/// A note on several intervals in one plot.
fn pointwise_note(intervals: usize) -> String {
    if intervals < 2 {
        return String::new();
    }
    format!(
        " Each of the {intervals} intervals is pointwise, so some may miss the true value; p_holm in the table accounts for all of them together."
    )
}

fn axis_of_base<'a>(label: &'a str, same: &str, rows: &[MeasuredValue<'_>]) -> Axis<'a> {
    let reference = Some(Reference { value: 0.0, label: same.into() });
    Axis { label, reference, reaches: &[], write: signed, digits: digits_for(rows) }
}

/// The differences between the arms of a sweep: a plot for each metric that is always printed, and for others with a
/// significant arm.
fn differences(found: &MetricGroup<'_>) -> Vec<Sketch> {
    let mut lines = lines(found, "sweep.csv");
    lines.retain(|line| !line.text("arm").starts_with(DEALT));
    let is_clear =
        |line: &Line<'_>| line.text("arm") != CONTROL && line.number("p_holm").is_some_and(|p| p < SIGNIFICANT);
    let is_drawn = |line: &&Line<'_>| {
        let metric = line.text("metric");
        balance_words::is_headline(metric) || (is_clear(line) && !balance_words::is_detail(metric))
    };
    let mut metrics: Vec<&str> = Vec::new();
    for line in lines.iter().filter(is_drawn) {
        if !metrics.contains(&line.text("metric")) {
            metrics.push(line.text("metric"));
        }
    }
    let sketch = |(number, metric): (usize, &str)| {
        let lines: Vec<Line<'_>> = lines.iter().copied().filter(|line| line.text("metric") == metric).collect();
        let names = labels(&lines, |line| line.text("arm").into());
        let (words, unit) = balance_words::metric_text(metric);
        let (factor, label) = match unit {
            Unit::Number => (1.0, "difference from the base"),
            Unit::Percent => (100.0, "difference, percentage points"),
        };
        let rows: Vec<MeasuredValue<'_>> =
            names.iter().zip(&lines).map(|(name, &line)| measured(name, line, "difference", factor)).collect();
        let axis = axis_of_base(label, "no difference", &rows);
        // The notes on all figures of differences are printed once, under the first.
        let common = if number == 1 { format!("{CONTROL_NOTE}{}", pointwise_note(rows.len())) } else { String::new() };
        Some(Sketch {
            name: format!("sweep-{number}"),
            title: capital(&words),
            description: describe_rows(&rows, &axis),
            note: format!("The difference of {words} from the base on the same deals.{common}"),
            drawing: intervals::draw(&rows, &axis)?,
        })
    };
    (1..).zip(metrics).take(MOST_METRICS).filter_map(sketch).collect()
}

fn measured<'a>(name: &'a str, line: Line<'_>, column: &str, factor: f64) -> MeasuredValue<'a> {
    let number = |column| line.number(column).map(|number| factor * number);
    MeasuredValue { name, value: number(column), low: number("ci_low"), high: number("ci_high") }
}

/// The number of decimals that the largest value needs.
fn digits_for(rows: &[MeasuredValue<'_>]) -> usize {
    magnitude_digits(rows.iter().filter_map(|row| row.value))
}
