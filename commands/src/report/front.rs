//! `front.svg`: the rule sets of a tuning run by two of its goals.

use unolab_arena::tables::tune::CandidateRow;

use super::plot::Plot;
use super::plot::scatter::{Emphasis, ScatterPoint, draw};

/// The plot of the candidates by these two goals, each by its text; with one goal twice, every candidate is on the diagonal.
/// Finalists are at their values on fresh deals. `None` if no candidate has both values.
#[must_use]
pub fn front_plot(rows: &[CandidateRow], axes: [&str; 2]) -> Option<String> {
    let [across, up] = axes;
    let points = points(rows, axes);
    let colors = "orange: recommended; blue: finalist; gray: tried in the search";
    let captions = [format!("across: {across}"), format!("up: {up}"), colors.to_owned()];
    let (drawing, height) = draw(&points, &captions)?;
    let plot = Plot {
        name: "front".into(),
        title: "Rule sets by two goals".into(),
        subtitle: "finalists on fresh deals".into(),
        description: format!("Rule sets by {across} and {up}"),
        note: String::new(),
        height,
        drawing,
    };
    Some(plot.to_file().svg)
}

/// The candidates that have both values, each once.
fn points<'a>(rows: &'a [CandidateRow], axes: [&str; 2]) -> Vec<ScatterPoint<'a>> {
    let mut points = Vec::new();
    let mut candidates: Vec<u64> = rows.iter().map(|row| row.candidate).collect();
    candidates.sort_unstable();
    candidates.dedup();
    for candidate in candidates {
        let own: Vec<&CandidateRow> = rows.iter().filter(|row| row.candidate == candidate).collect();
        let has_certificate = own.iter().any(|row| row.phase == "certificate");
        let phase = if has_certificate { "certificate" } else { "search" };
        let mean = |goal: &str| {
            let values: Option<Vec<f64>> =
                own.iter().filter(|row| row.goal == goal && row.phase == phase).map(|row| row.value).collect();
            let values = values.filter(|values| !values.is_empty())?;
            Some(values.iter().sum::<f64>() / values.len() as f64)
        };
        if let (Some(across), Some(up)) = (mean(axes[0]), mean(axes[1])) {
            let emphasis = match &*own[0].status {
                "recommended" => Emphasis::High,
                "finalist" => Emphasis::Normal,
                _ => Emphasis::Low,
            };
            points.push(ScatterPoint { at: [across, up], name: &own[0].rules, emphasis });
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recommended_rule_set_is_drawn_last_at_its_fresh_values() {
        let row = |candidate, phase: &str, status: &str, goal: &str, value| CandidateRow {
            candidate,
            phase: phase.into(),
            status: status.into(),
            goal: goal.into(),
            rules: format!("key={candidate}"),
            value: Some(value),
            ..CandidateRow::default()
        };
        let mut rows = Vec::new();
        for goal in ["a", "b<c"] {
            rows.push(row(1, "search", "recommended", goal, 0.9));
            rows.push(row(2, "search", "tried", goal, 0.5));
            rows.push(row(1, "certificate", "recommended", goal, 0.8));
        }
        let points = points(&rows, ["a", "b<c"]);
        assert_eq!(points.iter().map(|point| point.at).collect::<Vec<_>>(), [[0.8, 0.8], [0.5, 0.5]]);
        let svg = front_plot(&rows, ["a", "b<c"]).unwrap();
        assert!(svg.contains("b&lt;c") && svg.find("key=2") < svg.find("key=1") && svg.ends_with("</svg>\n"));
        assert_eq!(front_plot(&[], ["a", "a"]), None);
    }
}
