//! Plots across sections: changes with the variant and the number of seats.

use unolab_arena::words::counted;

use super::Section;
use super::sketch::{Sketch, describe_rows};
use crate::report::numbers::{decimal, signed};
use crate::report::plot::Plot;
use crate::report::plot::intervals::{self, Axis, MeasuredValue, Reference};
use crate::report::plot::panels::{self, Axes, MOST_PANELS, Panel, PlaceValue};

/// The maximum number of sections that fit next to each other.
const MOST_SECTIONS: usize = 40;

/// The plots, if there is more than one section.
pub(in crate::report) fn all(sections: &[Section<'_>]) -> Vec<Plot> {
    if !(2..=MOST_SECTIONS).contains(&sections.len()) {
        return Vec::new();
    }
    let sketches = entrants(sections).into_iter().chain(measures(sections));
    sketches.map(|sketch| sketch.plot("All sections", "00-all")).collect()
}

/// The win share minus the fair share of each entrant in each section.
fn entrants(sections: &[Section<'_>]) -> Option<Sketch> {
    let mut names: Vec<&str> = Vec::new();
    for line in sections.iter().flat_map(|section| section.found.by_share()) {
        if !names.contains(&&*line.entrant) {
            names.push(&line.entrant);
        }
    }
    let at = |name: &str, (number, section): (usize, &Section<'_>)| {
        let line = section.found.summary.iter().find(|line| line.entrant == name)?;
        let (share, fair) = (line.win_share?, section.found.fair_share()?);
        let reach = line.ci_low.zip(line.ci_high).map(|(low, high)| 50.0 * (high - low));
        Some(PlaceValue::with_reach(number, 100.0 * (share - fair), reach))
    };
    let places = |name: &str| (1..).zip(sections).filter_map(|of| at(name, of)).collect();
    let panels: Vec<Panel> = names.iter().map(|&name| Panel { name: name.into(), places: places(name) }).collect();
    let left_out = panels.len().saturating_sub(MOST_PANELS);
    let only = if left_out > 0 {
        format!(" Not shown: {} at the end.", counted(left_out as u64, "entrant"))
    } else {
        String::new()
    };
    let numbered: Vec<String> =
        (1..).zip(sections).map(|(number, section)| format!("{number} {}", section.title)).collect();
    let axes = Axes {
        across: "across: section",
        up: "up: win share minus the fair share, in percentage points",
        place: "section",
        reference: Some(0.0),
        write: signed,
    };
    Some(Sketch {
        name: "win-shares".into(),
        title: "Win shares across the sections".into(),
        description: format!(
            "Win share minus the fair share of {}, by section",
            counted(names.len() as u64, "entrant")
        ),
        note: format!(
            "Win share minus the fair share of each entrant in each section, with 95% intervals. {}.{only}",
            numbered.join("; ")
        ),
        drawing: panels::draw(&panels[..panels.len().min(MOST_PANELS)], axes)?,
    })
}

/// The metrics of a balance run in each section.
fn measures(sections: &[Section<'_>]) -> Vec<Sketch> {
    let fair = |section: &Section<'_>| section.metrics.first().map(|row| 1.0 / row.seats as f64);
    let of = |metric: &'static str, factor: f64, less_fair: bool| {
        let value = move |section: &Section<'_>, number: Option<f64>| {
            let fair = if less_fair { fair(section)? } else { 0.0 };
            number.map(|number| factor * (number - fair))
        };
        let measured = move |section| -> Option<MeasuredValue<'_>> {
            let section: &Section<'_> = section;
            let row = section.metrics.iter().find(|row| row.metric == metric)?;
            let [value, low, high] = [row.value, row.ci_low, row.ci_high].map(|number| value(section, number));
            Some(MeasuredValue { name: &section.title, value, low, high })
        };
        sections.iter().filter_map(measured).collect::<Vec<_>>()
    };
    let no_difference = Reference { value: 0.0, label: "fair".into() };
    let sketch = |name: &str, title: &str, note: &str, rows: Vec<MeasuredValue<'_>>, axis: Axis<'_>| {
        if rows.len() < 2 {
            return None;
        }
        Some(Sketch {
            name: name.into(),
            title: title.into(),
            description: describe_rows(&rows, &axis),
            note: note.into(),
            drawing: intervals::draw(&rows, &axis)?,
        })
    };
    let axis = |label| Axis { label, reference: None, reaches: &[0.0], write: decimal, digits: 1 };
    [
        sketch(
            "first-seat",
            "The advantage of acting first",
            "Share of the rounds won by the first player, minus the fair share.",
            of("seat_share(0)", 100.0, true),
            Axis {
                reference: Some(no_difference),
                reaches: &[],
                write: signed,
                digits: 2,
                ..axis("percentage points")
            },
        ),
        sketch("turns", "Length of a round", "Turns per round.", of("turns", 1.0, false), axis("turns")),
        sketch(
            "skill",
            "Luck against skill",
            "A strong agent's share of the rounds on a scale from luck alone (0) to skill alone (100).",
            of("skill", 100.0, false),
            axis("of a hundred"),
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}
