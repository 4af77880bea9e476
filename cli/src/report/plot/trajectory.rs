//! The course of a sequential test from no evidence to one of its bounds.

use maud::{Markup, html};
use unolab_arena::words::{counted, grouped};

use super::scale::Scale;
use super::{ROOM_OF_TICK, TOP, WIDTH, px};
use crate::report::numbers::signed;

/// The state of the test after a number of sets.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct Look {
    pub(in crate::report) sets: f64,
    /// Logarithm of the likelihood ratio.
    pub(in crate::report) llr: f64,
}

const LEFT: f64 = 34.0;
const HEIGHT: f64 = 150.0;
const RIGHT: f64 = WIDTH - ROOM_OF_TICK;

/// The drawing and its height. None without looks.
pub(in crate::report) fn draw(looks: &[Look], bounds: [f64; 2]) -> Option<(Markup, f64)> {
    let last = looks.last()?;
    let bottom = TOP + HEIGHT;
    let x = Scale::new([0.0, last.sets], [LEFT, RIGHT]);
    let y = Scale::around(looks.iter().map(|look| look.llr).chain(bounds), [bottom, TOP])?;
    let (sets, _) = x.ticks(3);
    let (levels, digits) = y.ticks(5);
    let path = |look: &Look| format!("{},{}", px(x.at(look.sets)), px(y.at(look.llr)));
    let start = path(&Look { sets: 0.0, llr: 0.0 });
    let drawing = html! {
        @for level in levels {
            @let at = px(y.at(level));
            line.grid x1=(px(LEFT)) x2=(px(RIGHT)) y1=(at) y2=(at) {}
            text.tick.end x=(px(LEFT - 5.0)) y=(px(y.at(level) + 3.5)) { (signed(level, digits)) }
        }
        @for bound in bounds {
            @let at = px(y.at(bound));
            line.reference x1=(px(LEFT)) x2=(px(RIGHT)) y1=(at) y2=(at) {}
        }
        polyline.course points={ (start) @for look in looks { " " (path(look)) } } {}
        g {
            title { (format!("{}: {}", counted(whole(last.sets), "set"), signed(last.llr, 2))) }
            circle.dot cx=(px(x.at(last.sets))) cy=(px(y.at(last.llr))) r="2.6" {}
        }
        @for tick in sets {
            text.tick.middle x=(px(x.at(tick))) y=(px(bottom + 14.0)) { (grouped(whole(tick))) }
        }
        text.tick x="0" y=(px(bottom + 30.0)) { "across: deals so far; up: logarithm of the likelihood ratio" }
    };
    Some((drawing, bottom + 36.0))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of sets")]
const fn whole(sets: f64) -> u64 {
    sets as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_from_zero_to_the_last_look_between_two_bounds() {
        let look = |sets, llr| Look { sets, llr };
        let svg = draw(&[look(100.0, 1.0), look(110.0, -3.1)], [-2.944, 2.944]).unwrap().0.into_string();
        assert_eq!((svg.matches("class=\"reference\"").count(), svg.matches("<polyline").count()), (2, 1), "{svg}");
        let points = svg.split_once("points=\"").unwrap().1.split_once('"').unwrap().0;
        assert_eq!(points.split(' ').count(), 3, "{points}");
        assert!(svg.contains("110 sets: −3.10"), "{svg}");
        assert!(draw(&[], [-1.0, 1.0]).is_none());
    }
}
