//! Win shares by pair: rows and columns are entrants.

use maud::{Markup, html};

use super::text::{NORMAL, fit, width};
use super::{TOP, WIDTH, px};
use crate::report::numbers::{decimal, percent};

/// The maximum number of entrants that fit.
pub(in crate::report) const MOST_ENTRANTS: usize = 24;

/// The share of the row's entrant in the games that it or the column's entrant has won.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::report) struct PairShare {
    pub(in crate::report) share: f64,
    /// Its interval, if any.
    pub(in crate::report) bounds: Option<[f64; 2]>,
}

/// The largest deviations from one half that the colors can represent.
const RANGES: [f64; 6] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5];

/// The number of colors to each side of the middle.
const LEVELS: i8 = 5;

/// The drawing and its height. `None` if no two of them met.
pub(in crate::report) fn draw(
    names: &[&str],
    ahead: impl Fn(usize, usize) -> Option<PairShare>,
) -> Option<(Markup, f64)> {
    let names = &names[..names.len().min(MOST_ENTRANTS)];
    let pairs = (0..names.len()).flat_map(|row| (0..names.len()).map(move |column| (row, column)));
    let deviations = pairs.filter_map(|(row, column)| Some((ahead(row, column)?.share - 0.5).abs()));
    let widest = deviations.reduce(f64::max)?;
    let range = RANGES.into_iter().find(|&range| widest <= range).unwrap_or(0.5);

    let numbered: Vec<String> = (1..).zip(names).map(|(number, name)| format!("{number} {name}")).collect();
    let longest = numbered.iter().map(|name| width(name, NORMAL)).fold(0.0, f64::max);
    let left = (longest + 8.0).min(130.0);
    let cell = ((WIDTH - left) / names.len() as f64).min(56.0);
    let row_height = cell.clamp(20.0, 30.0);
    let top = TOP + 18.0;
    let place = |number: usize, size: f64, from: f64| from + size * number as f64;
    let bottom = place(names.len(), row_height, top);
    let drawing = html! {
        @for column in 0..names.len() {
            text.tick.middle x=(px(place(column, cell, left) + cell / 2.0)) y=(px(top - 6.0)) { (column + 1) }
        }
        @for (row, name) in numbered.iter().enumerate() {
            @let y = place(row, row_height, top);
            text.label x="0" y=(px(y + row_height / 2.0 + 4.0)) {
                title { (name) }
                (fit(name, left - 6.0, NORMAL))
            }
            @for column in 0..names.len() {
                @if let Some(ahead) = ahead(row, column) {
                    @let x = place(column, cell, left);
                    (draw_cell(ahead, range, [x, y], [cell, row_height], [names[row], names[column]]))
                }
            }
        }
        (legend(range, bottom + 10.0))
    };
    Some((drawing, bottom + 38.0))
}

fn draw_cell(
    ahead: PairShare,
    range: f64,
    [x, y]: [f64; 2],
    [cell, row_height]: [f64; 2],
    [row, column]: [&str; 2],
) -> Markup {
    let PairShare { share, bounds } = ahead;
    let is_clear = bounds.is_some_and(|[low, high]| low > 0.5 || high < 0.5);
    html! {
        g class=(level(share, range)) {
            title {
                (row) " ahead of " (column) ": " (percent(share)) "%"
                @if let Some([low, high]) = bounds { " [" (percent(low)) ", " (percent(high)) "]" }
            }
            rect.cell x=(px(x + 0.5)) y=(px(y + 0.5)) width=(px(cell - 1.0)) height=(px(row_height - 1.0)) rx="2" {}
            @if cell >= 20.0 {
                text.in-cell.clear[is_clear] x=(px(x + cell / 2.0)) y=(px(y + row_height / 2.0 + 4.0)) {
                    (decimal(100.0 * share, 0))
                }
            }
        }
    }
}

/// A class for the color: `cold-5` far below one half, `even`, `warm-5` far above.
fn level(share: f64, range: f64) -> String {
    let steps = ((share - 0.5) / range * f64::from(LEVELS)).round();
    match (1..=LEVELS).rev().find(|&level| steps.abs() >= f64::from(level)) {
        None => "even".into(),
        Some(level) if steps > 0.0 => format!("ahead-{level}"),
        Some(level) => format!("behind-{level}"),
    }
}

fn legend(range: f64, top: f64) -> Markup {
    let percent = |deviation: f64| decimal(100.0 * (0.5 + deviation), 0);
    html! {
        @for step in -LEVELS..=LEVELS {
            @let deviation = range * f64::from(step) / f64::from(LEVELS);
            g class=(level(0.5 + deviation, range)) {
                rect.cell x=(px(95.0 + 15.0 * f64::from(step + LEVELS))) y=(px(top)) width="15" height="9" {}
            }
        }
        text.tick.end x="90" y=(px(top + 9.0)) { "behind " (percent(-range)) }
        text.tick x="265" y=(px(top + 9.0)) { (percent(range)) " ahead" }
        text.tick.middle x="177.5" y=(px(top + 23.0)) { "row ahead of column, % (ties count half)" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn color_scale_is_neutral_in_middle_and_ends_at_range() {
        let levels = [0.5, 0.505, 0.52, 0.6, 0.9, 0.4, 0.0].map(|share| level(share, 0.1));
        assert_eq!(levels, ["even", "even", "ahead-1", "ahead-5", "ahead-5", "behind-5", "behind-5"]);
    }

    #[test]
    fn only_pairs_that_met_have_cells() {
        let ahead = |row, column| match (row, column) {
            (0, 1) => Some(PairShare { share: 0.6, bounds: Some([0.55, 0.65]) }),
            (1, 0) => Some(PairShare { share: 0.4, bounds: Some([0.35, 0.45]) }),
            _ => None,
        };
        let svg = draw(&["a", "b", "c"], ahead).unwrap().0.into_string();
        assert!(svg.contains("a ahead of b: 60.00% [55.00, 65.00]"), "{svg}");
        assert_eq!(svg.matches(r#"class="in-cell clear""#).count(), 2, "{svg}");
        assert!(draw(&["a", "b"], |_, _| None).is_none());
    }
}
