//! The goals of a designer: constraints on metrics, and objectives.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What the value of a metric shall be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// Within limits.
    Constraint(Limits),
    /// As large as possible.
    Maximize,
    /// As small as possible.
    Minimize,
}

/// The allowed values of a metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The lower limit, or minus infinity.
    pub low: f64,
    /// The upper limit, or infinity.
    pub high: f64,
    /// Whether the limits themselves are allowed.
    pub ends: Ends,
}

/// Whether limits are allowed values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// They are.
    Included,
    /// They are not.
    Excluded,
}

impl Limits {
    /// Whether a value is allowed.
    #[must_use]
    pub fn allow(&self, value: f64) -> bool {
        match self.ends {
            Ends::Included => (self.low..=self.high).contains(&value),
            Ends::Excluded => self.low < value && value < self.high,
        }
    }

    /// The distance of a value from the nearest allowed one; 0 for an allowed value.
    #[must_use]
    pub fn violation(&self, value: f64) -> f64 {
        (self.low - value).max(value - self.high).max(0.0)
    }

    /// The distance of a value from the nearest limit.
    #[must_use]
    pub fn margin(&self, value: f64) -> f64 {
        (value - self.low).abs().min((self.high - value).abs())
    }

    /// The limits without a strip of this width at each; nothing is allowed if the strips meet.
    #[must_use]
    pub fn narrowed(self, width: f64) -> Self {
        Self { low: self.low + width, high: self.high - width, ..self }
    }

    /// The same, but the middle stays allowed.
    #[must_use]
    pub fn cautious(self, width: f64) -> Self {
        self.narrowed(width.min(0.4 * (self.high - self.low)))
    }
}

/// One goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// The goal as it was given.
    pub text: String,
    /// The metric, as in metrics.csv, or one of the derived ones.
    pub metric: String,
    /// The only number of seats for which it holds; `None` for all.
    pub seats: Option<usize>,
    /// The aim.
    pub aim: Aim,
}

impl Goal {
    /// Whether it is an objective.
    #[must_use]
    pub const fn is_objective(&self) -> bool {
        matches!(self.aim, Aim::Maximize | Aim::Minimize)
    }

    /// The limits of a constraint.
    #[must_use]
    pub const fn limits(&self) -> Option<Limits> {
        match self.aim {
            Aim::Constraint(limits) => Some(limits),
            Aim::Maximize | Aim::Minimize => None,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A text that is not a goal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("--goal \"{text}\": {problem}; allowed: {FORMS}")]
pub struct GoalError {
    text: String,
    problem: String,
}

/// The forms of a goal.
pub const FORMS: &str = "METRIC in LOW..HIGH, METRIC < X, METRIC > X, abs(METRIC) < X, maximize METRIC, and minimize METRIC, such as \
                         \"minutes in 8..12\"; METRIC@N for N seats only";

impl FromStr for Goal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Self, GoalError> {
        let wrong = |problem: String| GoalError { text: text.to_owned(), problem };
        let (metric, aim) = parts(text.trim()).map_err(wrong)?;
        let (metric, seats) = match metric.rsplit_once('@') {
            None => (metric, None),
            Some((metric, seats)) => {
                let number = seats.trim().parse().ok().filter(|number| (2..=10).contains(number));
                (metric, Some(number.ok_or_else(|| wrong(format!("{seats} is not a number of seats from 2 to 10")))?))
            }
        };
        let metric = metric.trim();
        if metric.is_empty() || metric.contains(char::is_whitespace) {
            return Err(wrong("it does not name one metric".into()));
        }
        Ok(Self { text: text.trim().to_owned(), metric: metric.to_owned(), seats, aim })
    }
}

/// The metric, with its number of seats, and the aim.
fn parts(text: &str) -> Result<(&str, Aim), String> {
    for (verb, aim) in [("maximize", Aim::Maximize), ("minimize", Aim::Minimize)] {
        if let Some(metric) = text.strip_prefix(verb).filter(|rest| rest.starts_with(char::is_whitespace)) {
            return Ok((metric, aim));
        }
    }
    if let Some((metric, range)) = text.split_once(" in ") {
        let (low, high) = range.split_once("..").ok_or("a range is written LOW..HIGH")?;
        let (low, high) = (number(low)?, number(high.trim_start_matches('='))?);
        if low > high {
            return Err("a range begins with the smaller number".into());
        }
        check_plain(metric)?;
        return Ok((metric, Aim::Constraint(Limits { low, high, ends: Ends::Included })));
    }
    let at = text.find(['<', '>']).ok_or("it has no aim")?;
    let (metric, rest) = (text[..at].trim(), &text[at + 1..]);
    let (rest, ends) = match rest.strip_prefix('=') {
        Some(rest) => (rest, Ends::Included),
        None => (rest, Ends::Excluded),
    };
    let value = number(rest)?;
    let (metric, limits) = match (text[at..].starts_with('<'), absolute(metric)) {
        (true, Some(metric)) if value > 0.0 => (metric, Limits { low: -value, high: value, ends }),
        (true, Some(_)) => return Err("the limit of abs(METRIC) must be more than 0".into()),
        (false, Some(_)) => return Err("abs(METRIC) has only an upper limit".into()),
        (true, None) => (metric, Limits { low: f64::NEG_INFINITY, high: value, ends }),
        (false, None) => (metric, Limits { low: value, high: f64::INFINITY, ends }),
    };
    Ok((metric, Aim::Constraint(limits)))
}

/// The metric in `abs(METRIC)`, if it has this form.
fn absolute(text: &str) -> Option<&str> {
    text.strip_prefix("abs(")?.strip_suffix(')')
}

fn check_plain(metric: &str) -> Result<(), String> {
    match absolute(metric.trim()) {
        None => Ok(()),
        Some(metric) => Err(format!("abs({metric}) has no range; write abs({metric}) < X")),
    }
}

/// A number; `pp` and `%` divide it by a hundred.
fn number(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (digits, unit) = match text.strip_suffix("pp").or_else(|| text.strip_suffix('%')) {
        Some(digits) => (digits.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let number: Option<f64> = digits.parse().ok().filter(|number: &f64| number.is_finite());
    number
        .map(|number| number / unit)
        .ok_or_else(|| format!("{text} is not a number; a number is written 8, 0.5, 1pp, or 1%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_of_every_form_are_read() {
        let within = |low, high, ends| Aim::Constraint(Limits { low, high, ends });
        let (least, most) = (f64::NEG_INFINITY, f64::INFINITY);
        for (text, metric, seats, aim) in [
            ("minutes in 8..12", "minutes", None, within(8.0, 12.0, Ends::Included)),
            ("minutes@2 in 10..15", "minutes", Some(2), within(10.0, 15.0, Ends::Included)),
            ("abs(first_player_edge) < 1pp", "first_player_edge", None, within(-0.01, 0.01, Ends::Excluded)),
            ("abs(first_player_edge@4)<0.5%", "first_player_edge", Some(4), within(-0.005, 0.005, Ends::Excluded)),
            ("turns < 50", "turns", None, within(least, 50.0, Ends::Excluded)),
            ("good_share(card-ranking) >= 30pp", "good_share(card-ranking)", None, within(0.3, most, Ends::Included)),
            ("turns>1e1", "turns", None, within(10.0, most, Ends::Excluded)),
            ("first_player_edge in -1pp..1pp", "first_player_edge", None, within(-0.01, 0.01, Ends::Included)),
            ("  maximize skill@3 ", "skill", Some(3), Aim::Maximize),
            ("minimize match_minutes", "match_minutes", None, Aim::Minimize),
        ] {
            let expected = Goal { text: text.trim().into(), metric: metric.into(), seats, aim };
            assert_eq!(text.parse::<Goal>(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn malformed_goal_names_its_problem_and_the_forms() {
        for (text, part) in [
            ("minutes", "it has no aim"),
            ("minutes in 8", "LOW..HIGH"),
            ("minutes in 12..8", "begins with the smaller number"),
            ("minutes < many", "many is not a number"),
            ("minutes@1 < 5", "1 is not a number of seats"),
            ("abs(edge) > 1", "only an upper limit"),
            ("abs(edge) < 0", "more than 0"),
            ("abs(edge) in 0..1", "has no range"),
            ("maximize", "it has no aim"),
            ("maximize turns skill", "does not name one metric"),
            (" < 4", "does not name one metric"),
        ] {
            let message = text.parse::<Goal>().unwrap_err().to_string();
            assert!(message.contains(part) && message.contains("maximize METRIC"), "{text}: {message}");
        }
    }

    #[test]
    fn limits_measure_distances() {
        let limits = Limits { low: 8.0, high: 12.0, ends: Ends::Included };
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(
            close(limits.violation(7.0), 1.0)
                && close(limits.violation(10.0), 0.0)
                && close(limits.violation(14.0), 2.0)
        );
        assert!(close(limits.margin(9.0), 1.0) && close(limits.margin(12.0), 0.0));
        assert!(limits.allow(12.0) && !Limits { ends: Ends::Excluded, ..limits }.allow(12.0));
        assert!(
            !limits.narrowed(1.0).allow(8.5) && limits.narrowed(1.0).allow(9.0) && !limits.narrowed(3.0).allow(10.0)
        );
        assert!(limits.cautious(3.0).allow(10.0) && !limits.cautious(3.0).allow(9.0));
    }
}
