//! The trajectory of a sequential test from no evidence to one of its bounds.

use maud::{Markup, html};
use unolab_arena::words::counted;

use super::course::{Course, count, whole};
use super::px;
use crate::report::numbers::signed;

/// The state of the test after a number of sets.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct TrajectoryPoint {
    pub(in crate::report) sets: f64,
    /// Logarithm of the likelihood ratio.
    pub(in crate::report) llr: f64,
}

/// The drawing and its height. `None` without points.
pub(in crate::report) fn draw(trajectory: &[TrajectoryPoint], bounds: [f64; 2]) -> Option<(Markup, f64)> {
    let last = trajectory.last()?;
    let course = Course::new(last.sets, trajectory.iter().map(|point| point.llr).chain(bounds))?;
    let at = |point: &TrajectoryPoint| (px(course.x.at(point.sets)), px(course.y.at(point.llr)));
    let path = |point: &TrajectoryPoint| format!("{},{}", at(point).0, at(point).1);
    let start = path(&TrajectoryPoint { sets: 0.0, llr: 0.0 });
    let within = html! {
        @for bound in bounds { (course.across("reference", bound)) }
        polyline.course points={ (start) @for point in trajectory { " " (path(point)) } } {}
        g {
            title { (format!("{}: {}", counted(whole(last.sets), "set"), signed(last.llr, 2))) }
            @let (x, y) = at(last);
            circle.dot cx=(x) cy=(y) r="2.6" {}
        }
    };
    Some(course.around(&within, [count, signed], &["across: deals so far; up: logarithm of the likelihood ratio"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sprt_course_plot_spans_zero_to_last_look() {
        let point = |sets, llr| TrajectoryPoint { sets, llr };
        let svg = draw(&[point(100.0, 1.0), point(110.0, -3.1)], [-2.944, 2.944]).unwrap().0.into_string();
        assert_eq!((svg.matches("class=\"reference\"").count(), svg.matches("<polyline").count()), (2, 1), "{svg}");
        let points = svg.split_once("points=\"").unwrap().1.split_once('"').unwrap().0;
        assert_eq!(points.split(' ').count(), 3, "{points}");
        assert!(svg.contains("110 sets: −3.10"), "{svg}");
        assert!(draw(&[], [-1.0, 1.0]).is_none());
    }
}
