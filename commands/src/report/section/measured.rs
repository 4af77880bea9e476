//! Plots of a balance run: fairness, length, choice, excitement, luck against skill. The sentences next to these plots are
//! the same as on the terminal.

use unolab_arena::tables::balance::MetricsRow;
use unolab_arena::words::capital;

use super::sketch::{Sketch, describe_rows};
use crate::balance_words::acting_position_text;
use crate::report::numbers::{decimal, percent};
use crate::report::plot::intervals::{self, Axis, MeasuredValue, Reference};

pub(super) fn all(metrics: &[MetricsRow]) -> Vec<Sketch> {
    [
        seats(metrics, "", "rounds"),
        length_of_round(metrics),
        choice(metrics),
        excitement(metrics),
        last_change_of_lead(metrics),
        events_of_round(metrics),
        skill(metrics),
        field(metrics),
        ladder(metrics),
        seats(metrics, "match_", "matches"),
        length_of_match(metrics),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// One over the number of seats, in percent.
fn fair(metrics: &[MetricsRow]) -> Option<f64> {
    Some(100.0 / metrics.first()?.seats as f64)
}

fn fair_share(metrics: &[MetricsRow]) -> Option<Reference> {
    fair(metrics).map(|fair| Reference { value: fair, label: format!("fair, {}%", percent(fair / 100.0)) })
}

/// The metrics of this name with an argument in parentheses, each with the argument.
fn each<'m>(metrics: &'m [MetricsRow], name: &str) -> Vec<(&'m str, &'m MetricsRow)> {
    let begin = format!("{name}(");
    metrics.iter().filter_map(|row| Some((row.metric.strip_prefix(&begin)?.strip_suffix(')')?, row))).collect()
}

/// The available metrics of these names, each with its name in the plot.
fn of<'m>(metrics: &'m [MetricsRow], names: &[(&str, &str)]) -> Vec<(String, &'m MetricsRow)> {
    let found = |&(name, words): &(&str, &str)| {
        Some((words.to_owned(), metrics.iter().find(|row| row.metric == name && row.value.is_some())?))
    };
    names.iter().filter_map(found).collect()
}

fn row<'m>((name, row): &'m (String, &MetricsRow), factor: f64) -> MeasuredValue<'m> {
    let scaled = |number: Option<f64>| number.map(|number| factor * number);
    MeasuredValue { name, value: scaled(row.value), low: scaled(row.ci_low), high: scaled(row.ci_high) }
}

/// A plot of these rows, each times this factor. `None` without rows.
fn sketch(
    name: &str,
    title: &str,
    note: &str,
    rows: &[(String, &MetricsRow)],
    factor: f64,
    axis: &Axis<'_>,
) -> Option<Sketch> {
    let rows: Vec<MeasuredValue<'_>> = rows.iter().map(|named| row(named, factor)).collect();
    Some(Sketch {
        name: name.into(),
        title: title.into(),
        description: describe_rows(&rows, axis),
        note: note.into(),
        drawing: intervals::draw(&rows, axis)?,
    })
}

fn seats(metrics: &[MetricsRow], prefix: &str, games: &str) -> Option<Sketch> {
    let named = |(place, row): (&str, _)| Some((capital(&acting_position_text(place.parse().ok()?)), row));
    let rows: Vec<_> = each(metrics, &format!("{prefix}seat_share")).into_iter().filter_map(named).collect();
    let label = format!("{games} won (%)");
    let axis = Axis { label: &label, reference: fair_share(metrics), reaches: &[], write: decimal, digits: 2 };
    let note = format!(
        "The share of the {games} won from each position in the turn order, with 95% intervals. Blue is above the fair share, orange below; gray is not significantly different."
    );
    sketch(&format!("{prefix}seat-shares").replace('_', "-"), "Advantage of each seat", &note, &rows, 100.0, &axis)
}

fn length_of_round(metrics: &[MetricsRow]) -> Option<Sketch> {
    let rows = of(metrics, &[("turns", "turns"), ("decisions", "decisions of all seats")]);
    let axis = Axis { label: "per round", reference: None, reaches: &[0.0], write: decimal, digits: 1 };
    sketch("length", "Length of a round", "Means per round.", &rows, 1.0, &axis)
}

fn length_of_match(metrics: &[MetricsRow]) -> Option<Sketch> {
    let rows = of(metrics, &[("match_rounds", "rounds")]);
    let axis = Axis { label: "per match", reference: None, reaches: &[0.0], write: decimal, digits: 1 };
    sketch(
        "match-length",
        "Length of a match",
        "The mean number of rounds until a player wins the match.",
        &rows,
        1.0,
        &axis,
    )
}

fn events_of_round(metrics: &[MetricsRow]) -> Option<Sketch> {
    let rows = of(metrics, &[("lead_changes", "changes of the lead"), ("reshuffles", "reshuffles")]);
    let axis = Axis { label: "per round", reference: None, reaches: &[0.0], write: decimal, digits: 1 };
    let note = "Means per round. The lead changes when another seat holds the fewest cards.";
    sketch("events", "Changes of the lead, and reshuffles", note, &rows, 1.0, &axis)
}

fn choice(metrics: &[MetricsRow]) -> Option<Sketch> {
    let rows = of(metrics, &[("choice_share", "decisions with a choice")]);
    let axis =
        Axis { label: "of all decisions (%)", reference: None, reaches: &[0.0, 100.0], write: decimal, digits: 1 };
    let actions = metrics.iter().find(|row| row.metric == "legal_actions").and_then(|row| row.value);
    let actions =
        actions.map_or_else(String::new, |actions| format!(" On average {} actions are legal.", decimal(actions, 1)));
    let note = format!(
        "The share of decisions with more than one legal action; calls, catches, and jump-ins are not counted.{actions}"
    );
    sketch("choice", "Choice", &note, &rows, 100.0, &axis)
}

fn excitement(metrics: &[MetricsRow]) -> Option<Sketch> {
    let rows = of(metrics, &[("excitement", "per turn")]);
    let axis = Axis { label: "percentage points", reference: None, reaches: &[0.0], write: decimal, digits: 1 };
    let note = "The mean change of the eventual winner's chance to win from one turn to the next.";
    sketch("excitement", "Excitement", note, &rows, 100.0, &axis)
}

fn last_change_of_lead(metrics: &[MetricsRow]) -> Option<Sketch> {
    let rows = of(metrics, &[("last_lead_change", "last change")]);
    let axis = Axis { label: "of the round (%)", reference: None, reaches: &[0.0, 100.0], write: decimal, digits: 1 };
    let note = "The mean time of the last change of the lead; 100 is the last turn.";
    sketch("last-lead", "Last change of the lead", note, &rows, 100.0, &axis)
}

fn skill(metrics: &[MetricsRow]) -> Option<Sketch> {
    let rows = of(metrics, &[("good_share", "rounds"), ("match_good_share", "matches")]);
    let reference = fair(metrics).map(|fair| Reference { value: fair, label: "luck alone".into() });
    let axis = Axis { label: "won by the strong agent (%)", reference, reaches: &[100.0], write: decimal, digits: 1 };
    let note = "The share of rounds that one strong agent wins among weak ones: the fair share if only luck decided, 100 if only skill decided.";
    sketch("skill", "Luck against skill", note, &rows, 100.0, &axis)
}

fn field(metrics: &[MetricsRow]) -> Option<Sketch> {
    let rows: Vec<_> = each(metrics, "win_share").into_iter().map(|(agent, row)| (agent.to_owned(), row)).collect();
    let axis =
        Axis { label: "rounds won (%)", reference: fair_share(metrics), reaches: &[], write: decimal, digits: 2 };
    sketch("field", "Wins of each agent", "The share of rounds that each agent wins.", &rows, 100.0, &axis)
}

fn ladder(metrics: &[MetricsRow]) -> Option<Sketch> {
    let rows: Vec<_> = each(metrics, "ladder").into_iter().map(|(rung, row)| (rung.to_owned(), row)).collect();
    let axis =
        Axis { label: "rounds won (%)", reference: fair_share(metrics), reaches: &[], write: decimal, digits: 1 };
    let note = "The win share of a search agent against players with half its budget: if it is above the fair share, a larger budget helps.";
    sketch("ladder", "The gain of a larger budget", note, &rows, 100.0, &axis)
}
