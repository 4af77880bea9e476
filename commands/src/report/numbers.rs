//! Numbers in a readable format.

use unolab_arena::words::grouped;

/// A number with this number of digits after the point, and a true minus sign; zero has no sign.
pub(super) fn decimal(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|digit| matches!(digit, '0' | '.')) => zero.into(),
        Some(positive) => format!("−{positive}"),
        None => text,
    }
}

/// The number with a plus sign if it is positive.
pub(super) fn signed(number: f64, digits: usize) -> String {
    let text = decimal(number, digits);
    let is_above_zero = !text.starts_with('−') && text.chars().any(|digit| matches!(digit, '1'..='9'));
    if is_above_zero { format!("+{text}") } else { text }
}

/// A number rounded to an integer: `1,234`.
pub(super) fn rounded(number: f64) -> String {
    decimal(number, 0).parse::<u64>().map_or_else(|_| decimal(number, 0), grouped)
}

/// The number of decimals that shows about three significant figures of the largest of these numbers.
pub(super) fn magnitude_digits(numbers: impl Iterator<Item = f64>) -> usize {
    match numbers.map(f64::abs).fold(0.0, f64::max) {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        _ => 4,
    }
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    decimal(100.0 * share, 2)
}

/// A cell of an unknown table: integers with thousands separators, other numbers with about five significant digits.
pub(super) fn of_any_kind(cell: &str) -> Option<String> {
    if let Ok(whole) = cell.parse::<u64>() {
        return Some(grouped(whole));
    }
    cell.parse::<f64>().ok().filter(|number| number.is_finite()).map(of_any_size)
}

/// A number with about five significant digits.
pub(super) fn of_any_size(number: f64) -> String {
    let digits = match number.abs() {
        size if size >= 10_000.0 => 0,
        size if size >= 100.0 => 2,
        size if size >= 1.0 => 3,
        _ => 5,
    };
    decimal(number, digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_matches_value_and_zero_has_none() {
        assert_eq!([-1.25, -0.001, 0.0, 3.0].map(|number| decimal(number, 1)), ["−1.2", "0.0", "0.0", "3.0"]);
        assert_eq!([-1.25, -0.001, 0.04, 3.0].map(|number| signed(number, 1)), ["−1.2", "0.0", "0.0", "+3.0"]);
    }

    #[test]
    fn cells_of_any_kind_are_formatted() {
        let cells = ["1234567", "0.123456789", "-12.34567", "123456.78", "NaN", "greedy", ""];
        let texts = cells.map(of_any_kind);
        let expected = [Some("1,234,567"), Some("0.12346"), Some("−12.346"), Some("123457"), None, None, None];
        assert_eq!(texts, expected.map(|text| text.map(str::to_owned)));
    }
}
