//! The frame of a line plot: counts from left to right, values from bottom to top.

use maud::{Markup, html};
use unolab_arena::words::grouped;

use super::scale::Scale;
use super::{ROOM_OF_TICK, TOP, WIDTH, px};

const LEFT: f64 = 34.0;
const RIGHT: f64 = WIDTH - ROOM_OF_TICK;
const BOTTOM: f64 = TOP + 150.0;
const CAPTION_LINE: f64 = 14.0;

/// The scales of a line plot.
pub(super) struct Course {
    pub(super) x: Scale,
    pub(super) y: Scale,
}

impl Course {
    /// Scales from zero to the last count, with all of these values. `None` without a value.
    pub(super) fn new(last: f64, values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        Some(Self { x: Scale::new([0.0, last], [LEFT, RIGHT]), y: Scale::around(values, [BOTTOM, TOP])? })
    }

    /// Scales from the lowest to the highest values in both directions. `None` without a value.
    pub(super) fn between(
        across: impl Iterator<Item = f64> + Clone,
        up: impl Iterator<Item = f64> + Clone,
    ) -> Option<Self> {
        Some(Self { x: Scale::around(across, [LEFT, RIGHT])?, y: Scale::around(up, [BOTTOM, TOP])? })
    }

    /// A horizontal line at this value.
    pub(super) fn across(&self, class: &str, value: f64) -> Markup {
        let height = px(self.y.at(value));
        html! { line class=(class) x1=(px(LEFT)) x2=(px(RIGHT)) y1=(height) y2=(height) {} }
    }

    /// The axes around the drawing, and the height. Numbers have the digits that they need, in the format of their direction:
    /// from left to right, from bottom to top.
    pub(super) fn around(
        &self,
        within: &Markup,
        [write_across, write_up]: [fn(f64, usize) -> String; 2],
        captions: &[&str],
    ) -> (Markup, f64) {
        let (numbers, digits_across) = self.x.ticks(3);
        let (levels, digits) = self.y.ticks(5);
        let drawing = html! {
            @for level in levels {
                (self.across("grid", level))
                text.tick.end x=(px(LEFT - 5.0)) y=(px(self.y.at(level) + 3.5)) { (write_up(level, digits)) }
            }
            (within)
            @for tick in numbers {
                text.tick.middle x=(px(self.x.at(tick))) y=(px(BOTTOM + 14.0)) { (write_across(tick, digits_across)) }
            }
            @for (line, caption) in captions.iter().enumerate() {
                text.tick x="0" y=(px(BOTTOM + 30.0 + CAPTION_LINE * line as f64)) { (caption) }
            }
        };
        (drawing, BOTTOM + 36.0 + CAPTION_LINE * captions.len().saturating_sub(1) as f64)
    }
}

/// A count with separators.
pub(super) fn count(count: f64, _digits: usize) -> String {
    grouped(whole(count))
}

/// A count, as a whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
pub(super) const fn whole(count: f64) -> u64 {
    count as u64
}
