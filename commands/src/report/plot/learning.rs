//! The learning curve of a training run: the share of rounds that the net wins, by the number of training decisions used for learning.

use maud::{Markup, html};
use unolab_arena::words::counted;

use super::course::{Course, count, whole};
use super::px;
use crate::report::numbers::decimal;

/// The share of wins after a number of choices.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct Step {
    pub(in crate::report) choices: f64,
    pub(in crate::report) share: f64,
    /// Measured in a test, without random choices.
    pub(in crate::report) is_test: bool,
}

/// The drawing and its height. `None` without steps.
pub(in crate::report) fn draw(steps: &[Step]) -> Option<(Markup, f64)> {
    let last = steps.last()?;
    let course = Course::new(last.choices, steps.iter().map(|step| 100.0 * step.share))?;
    let at = |step: &Step| (px(course.x.at(step.choices)), px(course.y.at(100.0 * step.share)));
    let within = html! {
        polyline.course points={
            @for step in steps.iter().filter(|step| !step.is_test) { @let (x, y) = at(step); (x) "," (y) " " }
        } {}
        @for step in steps.iter().filter(|step| step.is_test) {
            @let (x, y) = at(step);
            g {
                title { (format!("{}: {:.1}%", counted(whole(step.choices), "choice"), 100.0 * step.share)) }
                circle.dot cx=(x) cy=(y) r="2.6" {}
            }
        }
    };
    Some(course.around(
        &within,
        [count, decimal],
        &["across: training decisions; up: rounds won in %, points in tests"],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selfplay_is_line_and_tests_are_points() {
        let step = |choices, share, is_test| Step { choices, share, is_test };
        let svg =
            draw(&[step(100.0, 0.4, false), step(200.0, 0.5, false), step(200.0, 0.55, true)]).unwrap().0.into_string();
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (1, 1), "{svg}");
        assert!(svg.contains("200 choices: 55.0%"), "{svg}");
        assert!(draw(&[]).is_none());
    }
}
