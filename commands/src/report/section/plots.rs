//! The plots of a section for which there is data.

use std::collections::BTreeMap;

use unolab_arena::tables::balance::MetricsRow;
use unolab_arena::tables::ratings::RatingsRow;
use unolab_arena::tables::summary::SummaryRow;
use unolab_arena::words::{capital, counted, grouped};

use super::sketch::{Sketch, describe_rows};
use super::{MetricGroup, balance, measured};
use crate::report::glossary::meaning;
use crate::report::numbers::{decimal, magnitude_digits, percent, signed};
use crate::report::plot::Plot;
use crate::report::plot::distribution::{self, Quantiles};
use crate::report::plot::heat_map::{self, MOST_ENTRANTS, PairShare};
use crate::report::plot::intervals::{self, Axis, MeasuredValue, Reference};
use crate::report::plot::panels::{self, Axes, MOST_PANELS, Panel, PlaceValue};

/// The half-width of a 95% interval in standard errors, for many sets.
const REACH: f64 = 1.96;

pub(super) fn all(found: &MetricGroup<'_>, metrics: &[MetricsRow], title: &str, stem: &str) -> Vec<Plot> {
    let plots = [ratings(found), win_shares(found), pairs(found), seats(found)];
    let measured = measured::all(metrics).into_iter().chain(balance::all(found));
    let sketches = plots.into_iter().flatten().chain(distributions(found)).chain(measured);
    sketches.map(|sketch| sketch.plot(title, stem)).collect()
}

/// The meaning of the colors of intervals.
const SIDES: &str = "Blue is above the dashed line, orange below; gray is not significantly different.";

fn win_shares(found: &MetricGroup<'_>) -> Option<Sketch> {
    let lines = found.by_share();
    let in_percent = |share: Option<f64>| share.map(|share| 100.0 * share);
    let rows: Vec<MeasuredValue<'_>> = lines
        .iter()
        .map(|line| MeasuredValue {
            name: &line.entrant,
            value: in_percent(line.win_share),
            low: in_percent(line.ci_low),
            high: in_percent(line.ci_high),
        })
        .collect();
    let reference = found
        .fair_share()
        .map(|fair| Reference { value: 100.0 * fair, label: format!("fair share {}%", percent(fair)) });
    let axis = Axis { label: "games won (%)", reference, reaches: &[], write: decimal, digits: 2 };
    Some(Sketch {
        name: "win-share".into(),
        title: "Win share, with 95% intervals".into(),
        description: describe_rows(&rows, &axis),
        note: format!("Share of its games that each entrant won. {SIDES}"),
        drawing: intervals::draw(&rows, &axis)?,
    })
}

/// The ratings by the first method, which is the main one; the table has all methods.
fn ratings(found: &MetricGroup<'_>) -> Option<Sketch> {
    let method = found.methods().next()?;
    let mut lines: Vec<&RatingsRow> = found.rated_by(method).collect();
    lines.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let rows: Vec<MeasuredValue<'_>> = lines
        .iter()
        .map(|line| MeasuredValue { name: &line.entrant, value: Some(line.rating), low: line.low, high: line.high })
        .collect();
    let digits = magnitude_digits(rows.iter().filter_map(|row| row.value));
    let label = if method.starts_with("bradley-terry") || method.starts_with("plackett-luce") {
        "Elo points"
    } else {
        "rating"
    };
    let axis = Axis { label, reference: None, reaches: &[], write: decimal, digits };
    Some(Sketch {
        name: "ratings".into(),
        title: format!("Ratings: {method}"),
        description: describe_rows(&rows, &axis),
        note: format!("{} Other methods are in the table of ratings.", in_a_sentence(method)),
        drawing: intervals::draw(&rows, &axis)?,
    })
}

/// The meaning of a rating method in a sentence.
fn in_a_sentence(method: &str) -> String {
    meaning(&method.replace('-', " ")).map_or_else(|| "Strength by this method.".into(), |text| capital(text) + ".")
}

fn pairs(found: &MetricGroup<'_>) -> Option<Sketch> {
    let mut ahead = BTreeMap::new();
    for line in &found.pairs {
        let Some(share) = line.share else { continue };
        let bounds = line.ci_low.zip(line.ci_high).map(|(low, high)| [low, high]);
        ahead.insert((&*line.a, &*line.b), PairShare { share, bounds });
        let bounds = bounds.map(|[low, high]| [1.0 - high, 1.0 - low]);
        ahead.insert((&*line.b, &*line.a), PairShare { share: 1.0 - share, bounds });
    }
    let mut names: Vec<&str> = found.by_share().iter().map(|line| &*line.entrant).collect();
    for line in &found.pairs {
        for name in [&*line.a, &*line.b] {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let left_out = names.len().saturating_sub(MOST_ENTRANTS);
    let only = if left_out > 0 { format!(" Not shown: the last {left_out}.") } else { String::new() };
    Some(Sketch {
        name: "pairs".into(),
        title: "Who wins against whom".into(),
        description: format!(
            "Share of the games won by either of two that the entrant of the row won, for {}",
            counted(names.len() as u64, "entrant")
        ),
        note: format!(
            "Of the games at the same table that the entrant of the row or the column won, the share of the row. Bold: the 95% interval does not contain 50.{only}"
        ),
        drawing: heat_map::draw(&names, |row, column| ahead.get(&(names[row], names[column])).copied())?,
    })
}

fn seats<'a>(found: &MetricGroup<'a>) -> Option<Sketch> {
    let lines = found.by_share();
    let of_entrant = |&line: &&'a SummaryRow| {
        let own = line.win_share?;
        let places = found.seats.iter().filter(|seat| seat.entrant == line.entrant).filter_map(|seat| {
            let difference = 100.0 * (seat.win_share? - own);
            let reach = seat.se.map(|se| 100.0 * REACH * se);
            Some(PlaceValue::with_reach(seat.seat.saturating_add(1), difference, reach))
        });
        Some(Panel { name: line.entrant.clone(), places: places.collect() })
    };
    let entrants = lines.iter().filter_map(of_entrant);
    let panels: Vec<Panel> = all_entrants_panel(found).into_iter().chain(entrants).collect();
    let words = |at: &PlaceValue| format!("place {}: {}", at.place, signed(at.value, 2));
    let together = panels.first().map(|panel| panel.places.iter().map(words).collect::<Vec<_>>().join("; "));
    let left_out = panels.len().saturating_sub(MOST_PANELS);
    let only = if left_out > 0 {
        format!(" Not shown: {} at the end.", counted(left_out as u64, "entrant"))
    } else {
        String::new()
    };
    Some(Sketch {
        name: "seats".into(),
        title: "Effect of the turn order".into(),
        description: format!("Win share by position in the turn order, all entrants: {}", together.unwrap_or_default()),
        note: format!(
            "The change of the win share by position in the turn order. Whiskers: 1.96 standard errors to each side; none for all entrants together, whose games are not independent.{only}"
        ),
        drawing: panels::draw(
            &panels[..panels.len().min(MOST_PANELS)],
            Axes {
                across: "across: position in the turn order, 1 takes the first turn",
                up: "up: win share less the entrant's own, in percentage points",
                place: "place",
                reference: Some(0.0),
                write: signed,
            },
        )?,
    })
}

/// The effect of each position for all entrants together.
fn all_entrants_panel(found: &MetricGroup<'_>) -> Option<Panel> {
    let fair = found.fair_share()?;
    let mut by_place: BTreeMap<usize, (f64, u64)> = BTreeMap::new();
    for line in &found.seats {
        let (wins, games) = by_place.entry(line.seat.saturating_add(1)).or_default();
        (*wins, *games) = (*wins + line.wins, *games + line.games);
    }
    let at_place = |(place, (wins, games)): (usize, (f64, u64))| {
        PlaceValue::with_reach(place, 100.0 * (wins / games as f64 - fair), None)
    };
    let places = by_place.into_iter().filter(|(_, (_, games))| *games > 0).map(at_place);
    Some(Panel { name: "all entrants".into(), places: places.filter(|at| at.value.is_finite()).collect() })
}

fn distributions(found: &MetricGroup<'_>) -> Vec<Sketch> {
    let kinds = [
        ("turns", "Turns a game", "turn"),
        ("decisions", "Decisions a game", "decision"),
        ("rounds", "Rounds a game", "round"),
        ("winner_points", "Points of the winner", "point"),
    ];
    let sketch = |(what, title, unit): (&str, &str, &str)| {
        let bins = found.bins.get(what)?;
        let Quantiles { quarter, median, three_quarters, nineteen_of_twenty, largest } = Quantiles::of(bins)?;
        let [quarter, median, three_quarters, nineteen_of_twenty] =
            [quarter, median, three_quarters, nineteen_of_twenty].map(|size| grouped(size.into()));
        let largest = counted(largest.into(), unit);
        let words = format!(
            "Median {median}, middle half {quarter} to {three_quarters}, 95% up to {nineteen_of_twenty}, \
             all up to {largest}."
        );
        Some(Sketch {
            name: what.replace('_', "-"),
            title: title.into(),
            description: words.clone(),
            note: words,
            drawing: distribution::draw(bins, unit)?,
        })
    };
    kinds.into_iter().filter_map(sketch).collect()
}
