//! Figures as SVG: a metric by the number of seats, a point with its interval for each variant or arm.

use unolab_arena::experiment::balance::results::Tables;
use unolab_arena::words::capital;

use crate::balance_words::{Unit, metric_text};

/// The size of the figure and of the plot, in pixels: the legend is on the right, and a long one makes the figure higher.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 500.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 330.0;
/// The height of a line of the legend.
const LEGEND_LINE: f64 = 18.0;

/// Colors that most people can distinguish (Okabe and Ito, "Color universal design", 2008).
const COLORS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"];

/// A point with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    seats: usize,
    value: f64,
    low: f64,
    high: f64,
}

/// The points of one variant or arm.
#[derive(Debug, Clone, PartialEq)]
struct Series {
    name: String,
    points: Vec<Point>,
}

/// The figure of a metric: if there are arms, their differences from the base; otherwise the values of the variants.
/// `None` if the metric has no values. Shares are in percent, and their differences in percentage points.
#[must_use]
pub fn figure(tables: &Tables, metric: &str) -> Option<String> {
    let (words, unit) = metric_text(metric);
    let factor = if unit == Unit::Percent { 100.0 } else { 1.0 };
    let variants = tables.metrics.chunk_by(|a, b| a.variant == b.variant).count();
    let mut series: Vec<Series> = Vec::new();
    let mut put = |name: String, seats, value, low: Option<f64>, high: Option<f64>| {
        let [low, high] = [low, high].map(|bound| factor * bound.unwrap_or(value));
        let point = Point { seats, value: factor * value, low, high };
        match series.iter_mut().find(|other| other.name == name) {
            Some(other) => other.points.push(point),
            None => series.push(Series { name, points: vec![point] }),
        }
    };
    let is_difference = !tables.sweep.is_empty();
    if is_difference {
        for row in tables.sweep.iter().filter(|row| row.metric == metric) {
            let name = if variants > 1 { format!("{}: {}", row.variant, row.arm) } else { row.arm.clone() };
            put(name, row.seats, row.difference, row.ci_low, row.ci_high);
        }
    } else {
        for row in tables.metrics.iter().filter(|row| row.metric == metric) {
            // A value that is undefined at one number of seats may be defined at another.
            if let Some(value) = row.value {
                put(row.variant.clone(), row.seats, value, row.ci_low, row.ci_high);
            }
        }
    }
    let measure = match (is_difference, unit) {
        (true, Unit::Number) => ": difference from the base",
        (true, Unit::Percent) => ": difference from the base, percentage points",
        (false, Unit::Number) => "",
        (false, Unit::Percent) => ", percent",
    };
    (!series.is_empty()).then(|| draw(&format!("{}{measure}", capital(&words)), &series))
}

fn draw(title: &str, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|series| &series.points);
    let mut seats: Vec<usize> = points().map(|point| point.seats).collect();
    seats.sort_unstable();
    seats.dedup();
    let low = points().map(|point| point.low).fold(f64::INFINITY, f64::min);
    let high = points().map(|point| point.high).fold(f64::NEG_INFINITY, f64::max);
    let ticks = ticks(low, high);
    let (bottom, top) = (ticks[0], ticks[ticks.len() - 1]);
    let y = |value: f64| BOTTOM - (value - bottom) / (top - bottom) * (BOTTOM - TOP);
    let slot = (RIGHT - LEFT) / seats.len() as f64;

    let height = HEIGHT.max(TOP + LEGEND_LINE * series.len() as f64 + 10.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>\n",
        escaped(title)
    );
    let mut line = |text: String| svg += &(text + "\n");
    for &tick in &ticks {
        let (at, stroke) = (y(tick), if tick == 0.0 { "#555" } else { "#ddd" });
        line(format!("<path d=\"M{LEFT} {at:.1}H{RIGHT}\" stroke=\"{stroke}\"/>"));
        let label = LEFT - 8.0;
        line(format!("<text x=\"{label}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", at + 4.0, short(tick)));
    }
    for (place, number) in seats.iter().enumerate() {
        let at = LEFT + slot * (place as f64 + 0.5);
        line(format!("<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{number}</text>", BOTTOM + 20.0));
    }
    let middle = f64::midpoint(LEFT, RIGHT);
    line(format!("<text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">seats</text>", BOTTOM + 40.0));
    for (number, Series { name, points }) in series.iter().enumerate() {
        let color = COLORS[number % COLORS.len()];
        let offset = slot * 0.7 * ((number as f64 + 0.5) / series.len() as f64 - 0.5);
        for point in points {
            let place = seats.iter().position(|&seats| seats == point.seats).unwrap_or_default();
            let x = LEFT + slot * (place as f64 + 0.5) + offset;
            line(format!(
                "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke=\"{color}\" stroke-width=\"1.5\"/>\
                 <circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{color}\"/>",
                y(point.low),
                y(point.high),
                y(point.value)
            ));
        }
        let at = TOP + 8.0 + LEGEND_LINE * number as f64;
        let (dot, text) = (RIGHT + 18.0, RIGHT + 28.0);
        line(format!("<circle cx=\"{dot}\" cy=\"{at}\" r=\"4\" fill=\"{color}\"/>"));
        line(format!("<text x=\"{text}\" y=\"{}\" font-size=\"11\">{}</text>", at + 4.0, escaped(name)));
    }
    svg + "</svg>\n"
}

/// Round numbers from below the lowest to above the highest value, including 0 if it is between them.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(high.abs() * 1e-3).max(1e-9);
    let power = 10_f64.powf((span / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| span / step <= 6.0);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((low / step).floor(), (high / step).ceil().max((low / step).floor() + 1.0));
    let count = last - first;
    let mut ticks = vec![first * step];
    while (ticks.len() as f64) < count + 1.0 {
        // Prints a zero without a sign.
        ticks.push((first + ticks.len() as f64) * step + 0.0);
    }
    ticks
}

pub(super) fn short(number: f64) -> String {
    format!("{number:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use unolab_arena::tables::balance::MetricsRow;

    use super::*;

    #[test]
    fn ticks_are_round_and_cover_values() {
        assert_eq!(ticks(-0.4, 1.3), [-0.5, 0.0, 0.5, 1.0, 1.5]);
        assert_eq!(ticks(3.0, 3.0).len(), 2);
        assert_eq!([0.5, 10.0, -0.0].map(short), ["0.5", "10", "-0"]);
    }

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
        assert_eq!(svg.matches("r=\"3\"").count(), 3);
        assert!(svg.contains("a&lt;b") && svg.contains("cars") && svg.ends_with("</svg>\n"));
        assert!(svg.contains(">Wins of the first player, percent<") && svg.contains(">50<") && !svg.contains(">0.5<"));
        assert_eq!(figure(&tables, "joy"), None);
    }

    #[test]
    fn long_legend_makes_figure_higher() {
        let height = |count: usize| {
            let series = |number| Series {
                name: format!("arm {number}"),
                points: vec![Point { seats: 2, value: 1.0, low: 0.5, high: 1.5 }],
            };
            let svg = draw("turns", &(0..count).map(series).collect::<Vec<_>>());
            let height = svg.split("viewBox=\"0 0 1000 ").nth(1).and_then(|rest| rest.split('"').next());
            height.and_then(|height| height.parse::<f64>().ok()).expect("a height")
        };
        assert_eq!((height(3), height(18)), (HEIGHT, HEIGHT));
        assert!(height(40) > TOP + 40.0 * LEGEND_LINE);
    }
}
