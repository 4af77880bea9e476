//! Points by two values.

use maud::{Markup, html};

use super::course::Course;
use super::text::{SMALL, fit};
use super::{WIDTH, px};
use crate::report::numbers::decimal;

/// A point with its name.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::report) struct ScatterPoint<'a> {
    pub(in crate::report) at: [f64; 2],
    pub(in crate::report) name: &'a str,
    pub(in crate::report) emphasis: Emphasis,
}

/// How much a point stands out; the order in which points are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::report) enum Emphasis {
    /// Gray and small.
    Low,
    /// Blue.
    Normal,
    /// Orange and large.
    High,
}

impl Emphasis {
    const fn class_and_radius(self) -> (&'static str, &'static str) {
        match self {
            Self::Low => ("level", "2"),
            Self::Normal => ("", "3"),
            Self::High => ("below", "4.5"),
        }
    }
}

/// The drawing and its height. `None` without points.
pub(in crate::report) fn draw(points: &[ScatterPoint<'_>], captions: &[String]) -> Option<(Markup, f64)> {
    let mut points: Vec<&ScatterPoint<'_>> = points.iter().collect();
    points.sort_by_key(|point| point.emphasis);
    let course = Course::between(points.iter().map(|point| point.at[0]), points.iter().map(|point| point.at[1]))?;
    let within = html! {
        @for ScatterPoint { at: [x, y], name, emphasis } in points {
            @let (class, radius) = emphasis.class_and_radius();
            g class=(class) {
                title { (name) }
                circle.dot cx=(px(course.x.at(*x))) cy=(px(course.y.at(*y))) r=(radius) {}
            }
        }
    };
    let captions: Vec<String> = captions.iter().map(|caption| fit(caption, WIDTH, SMALL)).collect();
    Some(course.around(&within, [decimal, decimal], &captions.iter().map(String::as_str).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_of_high_emphasis_is_drawn_last() {
        let point = |name, emphasis| ScatterPoint { at: [0.1, 2.0], name, emphasis };
        let points = [point("high", Emphasis::High), point("a<b", Emphasis::Low)];
        let svg = draw(&points, &["across: x".into(), "up: y".into()]).unwrap().0.into_string();
        assert!(svg.find("a&lt;b").unwrap() < svg.find("high").unwrap() && svg.contains("up: y"), "{svg}");
        assert!(draw(&[], &[]).is_none());
    }
}
