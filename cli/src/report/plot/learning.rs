//! The course of a training: the share of rounds that the net wins, by the choices used for learning.

use maud::{Markup, html};
use unolab_arena::words::{counted, grouped};

use super::scale::Scale;
use super::{ROOM_OF_TICK, TOP, WIDTH, px};

/// The share of wins after a number of choices.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct Step {
    pub(in crate::report) choices: f64,
    pub(in crate::report) share: f64,
    /// Measured in a test, without random choices.
    pub(in crate::report) is_test: bool,
}

const LEFT: f64 = 34.0;
const HEIGHT: f64 = 150.0;
const RIGHT: f64 = WIDTH - ROOM_OF_TICK;

/// The drawing and its height. None without steps.
pub(in crate::report) fn draw(steps: &[Step]) -> Option<(Markup, f64)> {
    let last = steps.last()?;
    let bottom = TOP + HEIGHT;
    let x = Scale::new([0.0, last.choices], [LEFT, RIGHT]);
    let y = Scale::around(steps.iter().map(|step| 100.0 * step.share), [bottom, TOP])?;
    let (choices, _) = x.ticks(3);
    let (levels, digits) = y.ticks(5);
    let at = |step: &Step| (px(x.at(step.choices)), px(y.at(100.0 * step.share)));
    let drawing = html! {
        @for level in levels {
            @let height = px(y.at(level));
            line.grid x1=(px(LEFT)) x2=(px(RIGHT)) y1=(height) y2=(height) {}
            text.tick.end x=(px(LEFT - 5.0)) y=(px(y.at(level) + 3.5)) { (format!("{level:.digits$}")) }
        }
        polyline.course points={
            @for step in steps.iter().filter(|step| !step.is_test) { @let (x, y) = at(step); (x) "," (y) " " }
        } {}
        @for step in steps.iter().filter(|step| step.is_test) {
            @let (x, y) = at(step);
            g {
                title { (format!("{}: {:.1} %", counted(whole(step.choices), "choice"), 100.0 * step.share)) }
                circle.dot cx=(x) cy=(y) r="2.6" {}
            }
        }
        @for tick in choices {
            text.tick.middle x=(px(x.at(tick))) y=(px(bottom + 14.0)) { (grouped(whole(tick))) }
        }
        text.tick x="0" y=(px(bottom + 30.0)) { "across: choices used for learning; up: rounds won in %, points in tests" }
    };
    Some((drawing, bottom + 36.0))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of choices")]
const fn whole(choices: f64) -> u64 {
    choices as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_is_a_line_and_tests_are_points() {
        let step = |choices, share, is_test| Step { choices, share, is_test };
        let svg =
            draw(&[step(100.0, 0.4, false), step(200.0, 0.5, false), step(200.0, 0.55, true)]).unwrap().0.into_string();
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (1, 1), "{svg}");
        assert!(svg.contains("200 choices: 55.0 %"), "{svg}");
        assert!(draw(&[]).is_none());
    }
}
