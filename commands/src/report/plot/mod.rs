//! Plots as SVG, drawn for the width of a phone. They are side by side on a wide screen and below each other on a narrow one,
//! with the same font size. All lengths are in units of the drawing, which is 360 wide.

mod course;
pub(super) mod distribution;
pub(super) mod heat_map;
pub(super) mod intervals;
pub(super) mod learning;
pub(super) mod panels;
mod scale;
pub(super) mod scatter;
mod text;
pub(super) mod trajectory;

use maud::{Markup, PreEscaped, html};

use super::PlotFile;

/// The width of every plot.
const WIDTH: f64 = 360.0;

/// The top of the drawing, below the headings.
const TOP: f64 = 40.0;

/// A number on an axis that is nearer to the edge would be clipped.
const ROOM_OF_TICK: f64 = 22.0;

/// The style of a plot, both in the page and in files.
pub(super) const STYLE: &str = include_str!("plot.css");

/// A plot, ready to be shown.
pub(super) struct Plot {
    /// Its name among all plots of the page, and of its file.
    pub(super) name: String,
    /// The title.
    pub(super) title: String,
    /// The games.
    pub(super) subtitle: String,
    /// The description for screen readers.
    pub(super) description: String,
    /// The explanation below the plot in the page.
    pub(super) note: String,
    pub(super) height: f64,
    pub(super) drawing: Markup,
}

/// The place of a plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Page,
    File,
}

impl Plot {
    /// The plot as a part of the page.
    pub(super) fn in_page(&self) -> Markup {
        self.svg(Place::Page)
    }

    /// The plot as a separate file.
    pub(super) fn to_file(&self) -> PlotFile {
        PlotFile { name: format!("{}.svg", self.name), svg: self.svg(Place::File).into_string() + "\n" }
    }

    fn svg(&self, place: Place) -> Markup {
        let Self { name, title, subtitle, description, height, drawing, .. } = self;
        let is_file = place == Place::File;
        // The page has its own margins; a file does not.
        let margin = if is_file { 12.0 } else { 0.0 };
        let [left, across, down] = [-margin, WIDTH + 2.0 * margin, height + 2.0 * margin].map(px);
        html! {
            svg.plot xmlns="http://www.w3.org/2000/svg" viewBox={ (left) " " (left) " " (across) " " (down) } role="img"
                width=[is_file.then(|| px(2.0 * (WIDTH + 2.0 * margin)))] height=[is_file.then(|| px(2.0 * (height + 2.0 * margin)))]
                aria-labelledby={ (name) "-title " (name) "-text" } {
                title id={ (name) "-title" } { (subtitle) ": " (title) }
                desc id={ (name) "-text" } { (description) }
                @if is_file {
                    style { (PreEscaped(STYLE)) }
                    rect.ground x=(left) y=(left) width=(across) height=(down) {}
                }
                text.heading x="0" y="13" { (title) }
                text.aside x="0" y="29" { (text::fit(subtitle, WIDTH, text::SMALL)) }
                (drawing)
            }
        }
    }
}

/// A length, to a tenth of a unit.
fn px(length: f64) -> String {
    let text = format!("{length:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".into(),
        Some(whole) => whole.into(),
        None => text,
    }
}
