//! Differences by position, such as the position in the turn order: a small panel for each entrant, all on one scale.

use maud::{Markup, html};

use super::scale::Scale;
use super::text::{SMALL, fit};
use super::{TOP, WIDTH, px};
use crate::report::numbers::signed;

/// The maximum number of panels of a plot.
pub(in crate::report) const MOST_PANELS: usize = 21;

/// The labels of the two axes.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct Axes {
    pub(in crate::report) across: &'static str,
    pub(in crate::report) up: &'static str,
}

/// The results of an entrant at each place.
#[derive(Debug, Clone)]
pub(in crate::report) struct Panel<'a> {
    pub(in crate::report) name: &'a str,
    pub(in crate::report) places: Vec<PlaceValue>,
}

/// A place, such as one in the order of play.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct PlaceValue {
    /// From 1, the seat that takes the first turn.
    pub(in crate::report) place: usize,
    /// The win share there minus the reference, in percentage points.
    pub(in crate::report) difference: f64,
    /// The half-width of the interval.
    pub(in crate::report) reach: Option<f64>,
}

const LEFT: f64 = 30.0;
const GAP: f64 = 12.0;
const PANELS_A_ROW: usize = 3;
const PANEL_WIDTH: f64 = (WIDTH - LEFT - 2.0 * GAP) / 3.0;
const PANEL_HEIGHT: f64 = 56.0;
const ROW: f64 = PANEL_HEIGHT + 36.0;

/// The drawing and its height. `None` if there is nothing to compare.
pub(in crate::report) fn draw(panels: &[Panel<'_>], axes: Axes) -> Option<(Markup, f64)> {
    let panels = &panels[..panels.len().min(MOST_PANELS)];
    let places = panels.iter().flat_map(|panel| &panel.places);
    let last_place = places.clone().map(|at| at.place).max().filter(|&last| last > 1)?;
    let largest = places.map(|at| at.difference.abs() + at.reach.unwrap_or(0.0)).reduce(f64::max)?;
    let reach = if largest > 0.0 { 1.08 * largest } else { 1.0 };
    let rows = panels.len().div_ceil(PANELS_A_ROW);
    let bottom = TOP + ROW * rows as f64;
    let drawing = html! {
        @for (number, panel) in panels.iter().enumerate() {
            @let (row, column) = (number / PANELS_A_ROW, number % PANELS_A_ROW);
            @let (top, left) = (TOP + ROW * row as f64 + 16.0, LEFT + (PANEL_WIDTH + GAP) * column as f64);
            @let x = Scale::new([0.5, last_place as f64 + 0.5], [left, left + PANEL_WIDTH]);
            @let y = Scale::new([-reach, reach], [top + PANEL_HEIGHT, top]);
            (frame(panel.name, [left, top], &y, column == 0))
            (draw_places(&panel.places, &x, &y, top + PANEL_HEIGHT))
        }
        text.tick x="0" y=(px(bottom + 12.0)) { (axes.across) }
        text.tick x="0" y=(px(bottom + 26.0)) { (axes.up) }
    };
    Some((drawing, bottom + 32.0))
}

fn frame(name: &str, [left, top]: [f64; 2], y: &Scale, has_labels: bool) -> Markup {
    let (ticks, digits) = y.ticks(4);
    html! {
        text.label.small x=(px(left)) y=(px(top - 4.0)) { title { (name) } (fit(name, PANEL_WIDTH, SMALL)) }
        @for tick in ticks {
            @let at = px(y.at(tick));
            @let class = if tick == 0.0 { "reference" } else { "grid" };
            line class=(class) x1=(px(left)) x2=(px(left + PANEL_WIDTH)) y1=(at) y2=(at) {}
            @if has_labels { text.tick.end x=(px(LEFT - 5.0)) y=(px(y.at(tick) + 3.5)) { (signed(tick, digits)) } }
        }
    }
}

fn draw_places(places: &[PlaceValue], x: &Scale, y: &Scale, bottom: f64) -> Markup {
    let path: Vec<String> =
        places.iter().map(|at| format!("{},{}", px(x.at(at.place as f64)), px(y.at(at.difference)))).collect();
    html! {
        polyline.course points=(path.join(" ")) {}
        @for at in places {
            @let middle = px(x.at(at.place as f64));
            g {
                title { "place " (at.place) ": " (signed(at.difference, 2)) }
                @if let Some(reach) = at.reach {
                    line.whisker x1=(middle) x2=(middle)
                        y1=(px(y.at(at.difference - reach))) y2=(px(y.at(at.difference + reach))) {}
                }
                circle.dot cx=(middle) cy=(px(y.at(at.difference))) r="2.6" {}
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

    #[test]
    fn each_entrant_has_panel_with_dot_per_position() {
        let at = |place, difference| PlaceValue { place, difference, reach: Some(0.5) };
        let panel = |name| Panel { name, places: vec![at(1, 2.0), at(2, -2.0)] };
        let axes = Axes { across: "places", up: "points" };
        let svg = draw(&[panel("greedy"), panel("random"), panel("first-legal")], axes).unwrap().0.into_string();
        assert_eq!((svg.matches("<circle").count(), svg.matches("<polyline").count()), (6, 3), "{svg}");
        assert!(svg.contains("place 2: −2.00"), "{svg}");
        assert!(draw(&[Panel { name: "alone", places: vec![at(1, 0.0)] }], axes).is_none());
    }

    /// The largest difference fills the height, however small it is.
    #[test]
    fn axis_range_adapts_to_differences() {
        let dots = |difference: f64| {
            let places = [(1, difference), (2, -difference)];
            let places = places.map(|(place, difference)| PlaceValue { place, difference, reach: None });
            let panel = Panel { name: "greedy", places: places.into() };
            let svg = draw(&[panel], Axes { across: "places", up: "points" }).unwrap().0.into_string();
            let heights = svg.split(" cy=\"").skip(1).filter_map(|rest| rest.split('"').next().map(str::to_owned));
            heights.collect::<Vec<_>>()
        };
        assert_eq!(dots(0.25), dots(4.0));
        assert!(dots(0.25)[0] != dots(0.25)[1] && dots(0.0)[0] == dots(0.0)[1]);
    }
}
