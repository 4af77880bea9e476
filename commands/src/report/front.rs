//! `front.svg`: the rule sets of a tuning run by two of its goals.

use unolab_arena::tables::tune::CandidateRow;

use super::figure::{escaped, short, ticks};

/// The size of the plot and its parts.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 370.0;

/// A candidate at its two values.
struct Dot<'a> {
    rules: &'a str,
    at: [f64; 2],
    status: &'a str,
}

/// The plot of the candidates by these two goals, each by its text; with one goal twice, every candidate is on the diagonal.
/// Finalists are at their values on fresh deals.
#[must_use]
pub fn front_plot(rows: &[CandidateRow], axes: [&str; 2]) -> String {
    let dots = dots(rows, axes);
    let scale = |axis: usize| {
        let values = || dots.iter().map(|dot| dot.at[axis]);
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        if low <= high { ticks(low, high) } else { vec![0.0, 1.0] }
    };
    let [across, up] = [scale(0), scale(1)];
    let place = |value: f64, ticks: &[f64], from: f64, to: f64| {
        let (low, high) = (ticks[0], ticks[ticks.len() - 1]);
        from + (value - low) / (high - low) * (to - from)
    };
    let x = |value: f64| place(value, &across, LEFT, RIGHT);
    let y = |value: f64| place(value, &up, BOTTOM, TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\" role=\"img\">\n<title>Rule sets by {} and {}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n",
        escaped(axes[0]),
        escaped(axes[1])
    );
    let mut line = |text: String| svg += &(text + "\n");
    for &tick in &up {
        let (at, label) = (y(tick), LEFT - 8.0);
        line(format!("<path d=\"M{LEFT} {at:.1}H{RIGHT}\" stroke=\"#ddd\"/>"));
        line(format!("<text x=\"{label}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", at + 4.0, short(tick)));
    }
    for &tick in &across {
        let at = x(tick);
        line(format!("<path d=\"M{at:.1} {TOP}V{BOTTOM}\" stroke=\"#ddd\"/>"));
        line(format!("<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>", BOTTOM + 20.0, short(tick)));
    }
    let middle = f64::midpoint(LEFT, RIGHT);
    line(format!("<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>", BOTTOM + 42.0, escaped(axes[0])));
    line(format!("<text x=\"{LEFT}\" y=\"22\">{}</text>", escaped(axes[1])));
    for Dot { rules, at: [across, up], status } in &dots {
        let (radius, fill) = match *status {
            "recommended" => (7, "#d55e00"),
            "finalist" => (5, "#0072b2"),
            _ => (3, "#999999"),
        };
        line(format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{fill}\" fill-opacity=\"0.8\"><title>{}</title></circle>",
            x(*across),
            y(*up),
            escaped(rules)
        ));
    }
    let mut at = LEFT;
    for (name, fill) in [("recommended", "#d55e00"), ("finalist", "#0072b2"), ("tried in the search", "#999999")] {
        let (dot, text, foot) = (at + 6.0, at + 16.0, HEIGHT - 6.0);
        line(format!("<circle cx=\"{dot}\" cy=\"{}\" r=\"5\" fill=\"{fill}\"/>", foot - 4.0));
        line(format!("<text x=\"{text}\" y=\"{foot}\">{name}</text>"));
        at += 140.0;
    }
    svg + "</svg>\n"
}

/// The candidates that have both values, each once; the most important last, so that it is drawn on top.
fn dots<'a>(rows: &'a [CandidateRow], axes: [&str; 2]) -> Vec<Dot<'a>> {
    let mut dots: Vec<Dot<'a>> = Vec::new();
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
            dots.push(Dot { rules: &own[0].rules, at: [across, up], status: &own[0].status });
        }
    }
    let order = |dot: &Dot<'_>| ["tried", "finalist", "recommended"].iter().position(|status| *status == dot.status);
    dots.sort_by_key(order);
    dots
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
        let dots = dots(&rows, ["a", "b<c"]);
        assert_eq!(dots.iter().map(|dot| dot.at).collect::<Vec<_>>(), [[0.5, 0.5], [0.8, 0.8]]);
        let svg = front_plot(&rows, ["a", "b<c"]);
        assert!(svg.contains("b&lt;c") && svg.find("key=2") < svg.find("key=1") && svg.ends_with("</svg>\n"));
        assert!(front_plot(&[], ["a", "a"]).ends_with("</svg>\n"));
    }
}
