//! Values with their intervals, one per row, the best first.

use maud::{Markup, html};

use super::scale::Scale;
use super::text::{NORMAL, SMALL, fit, width};
use super::{ROOM_OF_TICK, TOP, WIDTH, px};

/// A value with its interval; an open bound reaches to the edge.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct MeasuredValue<'a> {
    pub(in crate::report) name: &'a str,
    pub(in crate::report) value: Option<f64>,
    pub(in crate::report) low: Option<f64>,
    pub(in crate::report) high: Option<f64>,
}

/// The reference of the values.
#[derive(Debug, Clone)]
pub(in crate::report) struct Reference {
    pub(in crate::report) value: f64,
    pub(in crate::report) label: String,
}

/// The format of the values.
pub(in crate::report) struct Axis<'a> {
    /// Their name and unit.
    pub(in crate::report) label: &'a str,
    pub(in crate::report) reference: Option<Reference>,
    /// The axis includes at least these values.
    pub(in crate::report) reaches: &'a [f64],
    pub(in crate::report) write: fn(f64, usize) -> String,
    /// Digits after the point of a value written out.
    pub(in crate::report) digits: usize,
}

const ROW: f64 = 34.0;

/// The height of the labels of a row.
const LABELS: f64 = 16.0;

/// The drawing and its height. `None` without rows.
pub(in crate::report) fn draw(rows: &[MeasuredValue<'_>], axis: &Axis<'_>) -> Option<(Markup, f64)> {
    let reference = axis.reference.as_ref();
    let values = rows.iter().flat_map(|row| [row.value, row.low, row.high]).flatten();
    values.clone().next()?;
    let others = reference.map(|reference| reference.value).into_iter().chain(axis.reaches.iter().copied());
    let scale = Scale::around(values.chain(others), [4.0, WIDTH - 4.0])?;
    let bottom = TOP + ROW * rows.len() as f64 + 4.0;
    let (ticks, digits) = scale.ticks(6);
    let drawing = html! {
        @for &tick in &ticks {
            path.grid d=(beside_labels(scale.at(tick), rows.len())) {}
            @if (ROOM_OF_TICK..=WIDTH - ROOM_OF_TICK).contains(&scale.at(tick)) {
                text.tick.middle x=(px(scale.at(tick))) y=(px(bottom + 13.0)) { ((axis.write)(tick, digits)) }
            }
        }
        @if let Some(Reference { value, .. }) = reference {
            path.reference d=(beside_labels(scale.at(*value), rows.len())) {}
        }
        @for (number, row) in (0_u32..).zip(rows) {
            (draw_row(row, axis, &scale, TOP + ROW * f64::from(number)))
        }
        text.tick x="4" y=(px(bottom + 28.0)) { (axis.label) }
        @if let Some(Reference { label, .. }) = reference {
            text.tick.end x=(px(WIDTH - 4.0)) y=(px(bottom + 28.0)) { "dashed: " (label) }
        }
    };
    Some((drawing, bottom + 34.0))
}

/// A vertical line at this place through the bars of all rows, which leaves out the labels.
fn beside_labels(x: f64, rows: usize) -> String {
    let tops = (0..rows).map(|row| TOP + ROW * row as f64);
    tops.map(|top| format!("M{} {}V{}", px(x), px(top + LABELS), px(top + ROW))).collect()
}

fn draw_row(row: &MeasuredValue<'_>, axis: &Axis<'_>, scale: &Scale, top: f64) -> Markup {
    let numbers = numbers(row, axis);
    let room = WIDTH - width(&numbers, SMALL) - 14.0;
    let (middle, side) = (top + 24.0, side_of_reference(row, axis.reference.as_ref()));
    let ends = [row.low, row.high].map(|bound| bound.map(|bound| scale.at(bound)));
    html! {
        g class=(side) {
            title { (row.name) ": " (numbers) }
            text.label x="4" y=(px(top + 12.0)) { (fit(row.name, room, NORMAL)) }
            text.value.end x=(px(WIDTH - 4.0)) y=(px(top + 12.0)) { (numbers) }
            @if let Some(value) = row.value {
                @if row.low.is_some() || row.high.is_some() {
                    @let (from, to) = (ends[0].unwrap_or(0.0), ends[1].unwrap_or(WIDTH));
                    rect.interval x=(px(from)) y=(px(middle - 4.0)) width=(px((to - from).max(0.5))) height="8" rx="2" {}
                }
                circle.dot cx=(px(scale.at(value))) cy=(px(middle)) r="3.5" {}
            }
        }
    }
}

/// `51.20 [50.10, 52.30]`.
pub(in crate::report) fn numbers(row: &MeasuredValue<'_>, axis: &Axis<'_>) -> String {
    let write = |number| (axis.write)(number, axis.digits);
    match (row.value, row.low, row.high) {
        (Some(value), Some(low), Some(high)) => format!("{} [{}, {}]", write(value), write(low), write(high)),
        (Some(value), _, _) => write(value),
        (None, _, _) => "not defined".into(),
    }
}

/// An exact tie has no error, and its Elo may differ from zero by the last digit.
const ROUNDING: f64 = 1e-9;

/// The class of an interval: the side of the reference on which it is.
fn side_of_reference(row: &MeasuredValue<'_>, reference: Option<&Reference>) -> &'static str {
    match (reference, row.low, row.high) {
        (Some(Reference { value, .. }), Some(low), _) if low > *value + ROUNDING => "above",
        (Some(Reference { value, .. }), _, Some(high)) if high < *value - ROUNDING => "below",
        (Some(_), _, _) => "level",
        (None, _, _) => "above",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::numbers::decimal;

    const AXIS: Axis<'static> = Axis { label: "share (%)", reference: None, reaches: &[], write: decimal, digits: 1 };

    #[test]
    fn side_of_reference_depends_only_on_interval() {
        let reference = Reference { value: 0.5, label: "fair".into() };
        let side =
            |low, high| side_of_reference(&MeasuredValue { name: "a", value: Some(0.6), low, high }, Some(&reference));
        assert_eq!(side(Some(0.55), Some(0.65)), "above");
        assert_eq!(side(Some(0.35), Some(0.45)), "below");
        assert_eq!(side(Some(0.45), Some(0.75)), "level");
        assert_eq!(side(None, None), "level");
        assert_eq!(side(Some(0.5 - 1e-15), Some(0.5 - 1e-15)), "level", "an exact tie");
    }

    #[test]
    fn lines_leave_out_labels() {
        let value = MeasuredValue { name: "a", value: Some(2.0), low: Some(1.0), high: Some(3.0) };
        let (drawing, _) = draw(&[value, value], &AXIS).unwrap();
        let svg = drawing.into_string();
        let y_of = |line: &str| line.split(['V', '"']).next().and_then(|y| y.parse::<f64>().ok()).unwrap();
        let begins: Vec<f64> =
            svg.split("M").skip(1).filter_map(|part| part.split_once(' ')).map(|(_, y)| y_of(y)).collect();
        assert!(!svg.contains("<line") && begins.len() >= 4, "{svg}");
        for baseline in [TOP + 12.0, TOP + ROW + 12.0] {
            assert!(svg.contains(&format!("y=\"{}\"", px(baseline))), "{svg}");
            assert!(begins.iter().all(|&begin| begin > baseline + 3.0 || begin < baseline), "{svg}");
        }
    }

    #[test]
    fn undefined_value_is_marked_and_open_bound_reaches_edge() {
        let open = MeasuredValue { name: "open", value: Some(2.0), low: None, high: Some(3.0) };
        let undefined = MeasuredValue { name: "undefined", value: None, low: None, high: None };
        let (drawing, _) = draw(&[open, undefined], &AXIS).unwrap();
        let svg = drawing.into_string();
        assert!(svg.contains(r#"<rect class="interval" x="0""#), "{svg}");
        assert!(svg.contains("undefined: not defined") && svg.matches("<circle").count() == 1, "{svg}");
        assert!(draw(&[undefined], &AXIS).is_none());
    }
}
