//! Figures as SVG: a metric by the number of seats, a panel for each variant or arm.

use unolab_arena::experiment::balance::results::Tables;
use unolab_arena::run::directory::figure_file;
use unolab_arena::words::capital;

use super::numbers::{decimal, signed};
use super::plot::Plot;
use super::plot::panels::{Axes, Panel, PlaceValue, draw};
use crate::balance_words::{Unit, describe_arm, metric_text};

/// The figure of a metric: if there are arms, their differences from the base; otherwise the values of the variants.
/// `None` if the metric has no values.
#[must_use]
pub fn figure(tables: &Tables, metric: &str) -> Option<String> {
    let variants = tables.metrics.chunk_by(|a, b| a.variant == b.variant).count();
    let (words, unit) = metric_text(metric);
    let factor = if unit == Unit::Percent { 100.0 } else { 1.0 };
    let mut series: Vec<(String, Vec<PlaceValue>)> = Vec::new();
    let mut add = |name: String, seats, value: f64, low: Option<f64>, high: Option<f64>| {
        let bounds = low.zip(high).map(|(low, high)| [factor * low, factor * high]);
        let point = PlaceValue { place: seats, value: factor * value, bounds };
        match series.iter_mut().find(|(other, _)| *other == name) {
            Some((_, points)) => points.push(point),
            None => series.push((name, vec![point])),
        }
    };
    let is_difference = !tables.sweep.is_empty();
    if is_difference {
        for row in tables.sweep.iter().filter(|row| row.metric == metric) {
            let arm = describe_arm(&row.arm);
            let name = if variants > 1 { format!("{}: {arm}", row.variant) } else { arm };
            add(name, row.seats, row.difference, row.ci_low, row.ci_high);
        }
    } else {
        for row in tables.metrics.iter().filter(|row| row.metric == metric) {
            // A value that is undefined at one number of seats may be defined at another.
            if let Some(value) = row.value {
                add(row.variant.clone(), row.seats, value, row.ci_low, row.ci_high);
            }
        }
    }
    let (subtitle, up, reference, write): (_, _, _, fn(f64, usize) -> String) = match (is_difference, unit) {
        (true, Unit::Number) => ("difference from the base", "difference", Some(0.0), signed),
        (true, Unit::Percent) => ("difference from the base", "percentage points", Some(0.0), signed),
        (false, Unit::Number) => ("by the number of seats", "value", None, decimal),
        (false, Unit::Percent) => ("by the number of seats", "percent", None, decimal),
    };
    let up = format!("up: {up}, with 95% intervals");
    let axes = Axes { across: "across: number of seats", up: &up, place: "seats", reference, write };
    let panels: Vec<Panel> = series.into_iter().map(|(name, places)| Panel { name, places }).collect();
    let (drawing, height) = draw(&panels, axes)?;
    let file = figure_file(metric);
    let names: Vec<&str> = panels.iter().map(|panel| &*panel.name).collect();
    let plot = Plot {
        name: file.trim_end_matches(".svg").to_owned(),
        title: capital(&words),
        subtitle: subtitle.into(),
        description: format!("{}, {subtitle}: {}", capital(&words), names.join("; ")),
        note: String::new(),
        height,
        drawing,
    };
    Some(plot.to_file().svg)
}

#[cfg(test)]
mod tests {
    use unolab_arena::tables::balance::{MetricsRow, SweepRow};

    use super::*;

    #[test]
    fn figure_contains_every_variant_with_points() {
        let row = |variant: &str, seats, value: f64| MetricsRow {
            variant: variant.into(),
            seats,
            field: "random".into(),
            metric: "seat_share(0)".into(),
            value: Some(value),
            se: Some(0.01),
            ci_low: Some(value - 0.02),
            ci_high: Some(value + 0.02),
            n: None,
        };
        let metrics = vec![row("a<b", 2, 0.5), row("a<b", 4, 0.26), row("cars", 2, 0.52)];
        let tables = Tables { metrics, ..Tables::default() };
        let svg = figure(&tables, "seat_share(0)").unwrap();
        assert_eq!((svg.matches("<circle").count(), svg.matches("<line class=\"whisker\"").count()), (3, 3), "{svg}");
        assert!(svg.contains("a&lt;b") && svg.contains("cars") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(svg.contains("Wins of the first player") && svg.contains("seats 4: 26.00"), "{svg}");
        assert_eq!(figure(&tables, "joy"), None);
    }

    #[test]
    fn figure_of_arms_has_differences_in_report_style() {
        let row = |arm: &str, difference: f64| SweepRow {
            arm: arm.into(),
            seats: 4,
            metric: "good_share".into(),
            difference,
            ci_low: Some(difference - 0.01),
            ci_high: Some(difference + 0.01),
            ..SweepRow::default()
        };
        let tables = Tables { sweep: vec![row("void:skip", 0.02), row("dealt:wild", -0.02)], ..Tables::default() };
        let svg = figure(&tables, "good_share").unwrap();
        assert!(svg.contains(super::super::plot::STYLE) && svg.contains("class=\"reference\""), "{svg}");
        for words in ["skip without its effect", "seats 4: +2.00", "seats 4: −2.00", "up: percentage points"] {
            assert!(svg.contains(words), "{words}: {svg}");
        }
    }
}
