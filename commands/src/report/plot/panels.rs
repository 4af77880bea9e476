//! Values by place, such as the position in the turn order: a small panel for each name, all on one scale.

use maud::{Markup, html};

use super::scale::Scale;
use super::text::{SMALL, fit, in_two_lines, width};
use super::{TOP, WIDTH, px};

/// The maximum number of panels of a plot on a page.
pub(in crate::report) const MOST_PANELS: usize = 21;

/// The labels and the format of the axes.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct Axes<'a> {
    pub(in crate::report) across: &'a str,
    pub(in crate::report) up: &'a str,
    /// The noun before the number of a place.
    pub(in crate::report) place: &'a str,
    /// The middle of the vertical axis, a dashed line.
    pub(in crate::report) reference: Option<f64>,
    pub(in crate::report) write: fn(f64, usize) -> String,
}

/// The values of a name at each place.
#[derive(Debug, Clone)]
pub(in crate::report) struct Panel {
    pub(in crate::report) name: String,
    pub(in crate::report) places: Vec<PlaceValue>,
}

/// The value at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::report) struct PlaceValue {
    /// From 1, such as the seat that takes the first turn.
    pub(in crate::report) place: usize,
    pub(in crate::report) value: f64,
    /// The bounds of its interval.
    pub(in crate::report) bounds: Option<[f64; 2]>,
}

impl PlaceValue {
    /// A value with an interval of this half-width.
    pub(in crate::report) fn with_reach(place: usize, value: f64, reach: Option<f64>) -> Self {
        Self { place, value, bounds: reach.map(|reach| [value - reach, value + reach]) }
    }

    fn extent(&self) -> [f64; 2] {
        self.bounds.map_or([self.value; 2], |[low, high]| [low.min(self.value), high.max(self.value)])
    }
}

const LEFT: f64 = 30.0;
const GAP: f64 = 12.0;
const PANEL_HEIGHT: f64 = 56.0;
const LABEL_LINE: f64 = 13.0;

/// The number of panels up to which two per row leave room for long names.
const FEW_PANELS: usize = 12;

/// The arrangement of the panels.
struct Grid {
    columns: usize,
    panel_width: f64,
    /// The largest number of lines of a name.
    label_lines: usize,
}

impl Grid {
    /// Three panels per row, or two if a name needs more room.
    fn of(panels: &[Panel]) -> Self {
        let widest = panels.iter().map(|panel| width(&panel.name, SMALL)).fold(0.0, f64::max);
        let columns = if widest > panel_width(3) && panels.len() <= FEW_PANELS { 2 } else { 3 };
        let panel_width = panel_width(columns);
        let lines = |panel: &Panel| if columns == 2 { in_two_lines(&panel.name, panel_width, SMALL).len() } else { 1 };
        Self { columns, panel_width, label_lines: panels.iter().map(lines).max().unwrap_or(1) }
    }

    fn label(&self, name: &str) -> Vec<String> {
        let lines = if self.columns == 2 { in_two_lines(name, self.panel_width, SMALL) } else { vec![name.to_owned()] };
        lines.iter().map(|line| fit(line, self.panel_width, SMALL)).collect()
    }

    fn label_height(&self) -> f64 {
        LABEL_LINE * self.label_lines as f64 + 3.0
    }

    fn row(&self) -> f64 {
        PANEL_HEIGHT + self.label_height() + 20.0
    }

    /// The left edge and the top of a panel.
    fn corner(&self, number: usize) -> [f64; 2] {
        let (row, column) = (number / self.columns, number % self.columns);
        let left = LEFT + (self.panel_width + GAP) * column as f64;
        [left, TOP + self.row() * row as f64 + self.label_height()]
    }
}

fn panel_width(columns: usize) -> f64 {
    (WIDTH - LEFT - GAP * (columns - 1) as f64) / columns as f64
}

/// The drawing and its height. `None` without values.
pub(in crate::report) fn draw(panels: &[Panel], axes: Axes<'_>) -> Option<(Markup, f64)> {
    let values = || panels.iter().flat_map(|panel| &panel.places);
    let (first, last) = (values().map(|at| at.place).min()?, values().map(|at| at.place).max()?);
    let grid = Grid::of(panels);
    let bottom = TOP + grid.row() * panels.len().div_ceil(grid.columns) as f64;
    let vertical =
        |top: f64| scale_of(values().flat_map(PlaceValue::extent), axes.reference, [top + PANEL_HEIGHT, top]);
    let drawing = html! {
        @for (number, panel) in panels.iter().enumerate() {
            @let corner = grid.corner(number);
            @let [left, top] = corner;
            @let x = Scale::new([first as f64 - 0.5, last as f64 + 0.5], [left, left + grid.panel_width]);
            @let y = vertical(top);
            (frame(&panel.name, corner, &y, &grid, axes, number % grid.columns == 0))
            (draw_places(&panel.places, &x, &y, top + PANEL_HEIGHT, axes))
        }
        text.tick x="0" y=(px(bottom + 12.0)) { (axes.across) }
        text.tick x="0" y=(px(bottom + 26.0)) { (axes.up) }
    };
    Some((drawing, bottom + 32.0))
}

/// The vertical scale: symmetric around the reference, or from the lowest to the highest value.
fn scale_of(ends: impl Iterator<Item = f64> + Clone, reference: Option<f64>, paper: [f64; 2]) -> Scale {
    let Some(reference) = reference else {
        return Scale::around(ends, paper).unwrap_or_else(|| Scale::new([0.0, 1.0], paper));
    };
    let largest = ends.map(|end| (end - reference).abs()).fold(0.0, f64::max);
    let reach = if largest > 0.0 { 1.08 * largest } else { 1.0 };
    Scale::new([reference - reach, reference + reach], paper)
}

fn frame(name: &str, [left, top]: [f64; 2], y: &Scale, grid: &Grid, axes: Axes<'_>, has_numbers: bool) -> Markup {
    // A single number on an axis does not show its scale.
    let steps = [4, 5].into_iter().find(|&most| y.ticks(most).0.len() > 1).unwrap_or(4);
    let (ticks, digits) = y.ticks(steps);
    let label = grid.label(name);
    html! {
        @for (above, line) in label.iter().rev().enumerate() {
            text.label.small x=(px(left)) y=(px(top - 4.0 - LABEL_LINE * above as f64)) { title { (name) } (line) }
        }
        @for tick in ticks {
            @let at = px(y.at(tick));
            @let class = if axes.reference == Some(tick) { "reference" } else { "grid" };
            line class=(class) x1=(px(left)) x2=(px(left + grid.panel_width)) y1=(at) y2=(at) {}
            @if has_numbers { text.tick.end x=(px(LEFT - 5.0)) y=(px(y.at(tick) + 3.5)) { ((axes.write)(tick, digits)) } }
        }
    }
}

fn draw_places(places: &[PlaceValue], x: &Scale, y: &Scale, bottom: f64, axes: Axes<'_>) -> Markup {
    let path: Vec<String> =
        places.iter().map(|at| format!("{},{}", px(x.at(at.place as f64)), px(y.at(at.value)))).collect();
    html! {
        polyline.course points=(path.join(" ")) {}
        @for at in places {
            @let middle = px(x.at(at.place as f64));
            g {
                title { (axes.place) " " (at.place) ": " ((axes.write)(at.value, 2)) }
                @if let Some([low, high]) = at.bounds {
                    line.whisker x1=(middle) x2=(middle) y1=(px(y.at(low))) y2=(px(y.at(high))) {}
                }
                circle.dot cx=(middle) cy=(px(y.at(at.value))) r="2.6" {}
            }
            @if places.len() <= 6 || at.place % 2 == 1 {
                text.tick.middle x=(middle) y=(px(bottom + 12.0)) { (at.place) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::numbers::signed;

    const AXES: Axes<'static> =
        Axes { across: "places", up: "points", place: "place", reference: Some(0.0), write: signed };

    #[test]
    fn each_entrant_has_panel_with_dot_per_position() {
        let at = |place, value| PlaceValue::with_reach(place, value, Some(0.5));
        let panel = |name: &str| Panel { name: name.into(), places: vec![at(1, 2.0), at(2, -2.0)] };
        let svg = draw(&[panel("greedy"), panel("random"), panel("first-legal")], AXES).unwrap().0.into_string();
        assert_eq!((svg.matches("<circle").count(), svg.matches("<polyline").count()), (6, 3), "{svg}");
        assert!(svg.contains("place 2: −2.00"), "{svg}");
        assert!(draw(&[Panel { name: "none".into(), places: Vec::new() }], AXES).is_none());
    }

    /// The largest difference fills the height, however small it is.
    #[test]
    fn axis_range_adapts_to_differences() {
        let dots = |difference: f64| {
            let places = [(1, difference), (2, -difference)];
            let places = places.map(|(place, difference)| PlaceValue::with_reach(place, difference, None));
            let panel = Panel { name: "greedy".into(), places: places.into() };
            let svg = draw(&[panel], AXES).unwrap().0.into_string();
            let heights = svg.split(" cy=\"").skip(1).filter_map(|rest| rest.split('"').next().map(str::to_owned));
            heights.collect::<Vec<_>>()
        };
        assert_eq!(dots(0.25), dots(4.0));
        assert!(dots(0.25)[0] != dots(0.25)[1] && dots(0.0)[0] == dots(0.0)[1]);
    }

    #[test]
    fn long_names_have_two_lines_in_wider_panels() {
        let panel = |name: &str| Panel { name: name.into(), places: vec![PlaceValue::with_reach(2, 1.0, None)] };
        let svg =
            draw(&[panel("turn.draw=no_playable turn.drawn_card=must"), panel("b")], AXES).unwrap().0.into_string();
        for line in ["</title>turn.draw=no_playable<", "</title>turn.drawn_card=must<", "</title>b<"] {
            assert!(svg.contains(line), "{svg}");
        }
    }
}
