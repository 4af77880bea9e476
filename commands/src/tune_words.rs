//! The findings of a tuning run in words, for the terminal and the page.

use unolab_arena::tables::tune::GoalRow;
use unolab_arena::words::counted;

/// `9.81 [9.7, 9.92]`, or `not defined`.
pub(crate) fn with_interval(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    match (value, low.zip(high)) {
        (None, _) => "not defined".into(),
        (Some(value), None) => number(value),
        (Some(value), Some((low, high))) => format!("{} [{}, {}]", number(value), number(low), number(high)),
    }
}

/// A number with four significant digits, and no more than are needed.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{}", value + 0.0);
    }
    #[expect(clippy::cast_possible_truncation, reason = "the logarithm of a number is small")]
    let magnitude = value.abs().log10().floor() as i32;
    let digits = usize::try_from((3 - magnitude).clamp(0, 9)).unwrap_or(0);
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A verdict as it is read aloud.
pub(crate) fn verdict_in_words(verdict: &str) -> &str {
    match verdict {
        "not_met" => "not met",
        "not_shown" => "not shown",
        other => other,
    }
}

/// `minutes in 8..12: met, 9.81 [9.7, 9.92], over 20,000 deals`; with the seats if there are several.
pub(crate) fn goal_in_words(row: &GoalRow, has_many_seats: bool) -> String {
    let seats = if has_many_seats { format!(" at {} seats", row.seats.replace(' ', " and ")) } else { String::new() };
    let verdict = verdict_in_words(&row.verdict);
    let verdict = if verdict.is_empty() { String::new() } else { format!("{verdict}, ") };
    let value = with_interval(row.value, row.ci_low, row.ci_high);
    format!("{}{seats}: {verdict}{value}, over {}", row.goal, counted(row.deals, "deal"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_at_most() {
        let written = [0.0, 9.8125, 1234.56, 0.012_345_6, -0.5, 123_456.0, 1e-7].map(number);
        assert_eq!(written, ["0", "9.812", "1235", "0.01235", "-0.5", "123456", "0.0000001"]);
    }

    #[test]
    fn goal_names_verdict_value_and_deals() {
        let row = GoalRow {
            goal: "minutes in 8..12".into(),
            seats: "4".into(),
            value: Some(9.81),
            ci_low: Some(9.7),
            ci_high: Some(9.92),
            verdict: "not_shown".into(),
            deals: 20_000,
            ..GoalRow::default()
        };
        assert_eq!(goal_in_words(&row, false), "minutes in 8..12: not shown, 9.81 [9.7, 9.92], over 20,000 deals");
        assert_eq!(
            goal_in_words(&GoalRow { value: None, verdict: String::new(), deals: 1, ..row }, true),
            "minutes in 8..12 at 4 seats: not defined, over 1 deal"
        );
    }
}
