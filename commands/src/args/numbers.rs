//! Numbers in human-readable form: `1e6`, `1_000`, `1,000`, `2-4`, `1%`.

use std::ops::RangeInclusive;

use clap::builder::TypedValueParser;
use unolab_engine::spelling::whole_number;

/// An integer in this range.
pub(crate) fn number<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    range: RangeInclusive<u64>,
) -> impl TypedValueParser<Value = T> {
    move |text: &str| {
        let number = whole_number(text).ok_or_else(|| {
            let examples = if range.contains(&1_000) { ", such as 1000, 1_000 or 1e3" } else { "" };
            format!("{text} is not a whole number; allowed: whole numbers {}{examples}", describe_range(&range))
        })?;
        let number = in_range(number, &range)?;
        T::try_from(number).map_err(|_| format!("{number} is too large"))
    }
}

/// Any number from 0, such as a seed.
pub(crate) fn any_number(text: &str) -> Result<u64, String> {
    let allowed = "whole numbers from 0 to 2^64 - 1, such as 1000, 1_000 or 1e3";
    whole_number(text).ok_or_else(|| format!("{text} is not a whole number; allowed: {allowed}"))
}

/// A share: `0.05`, or `5%`.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let trimmed = text.trim();
    let (number, unit) = match trimmed.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 0.01),
        None => (trimmed, 1.0),
    };
    let number: Result<f64, _> = number.parse();
    match number {
        Ok(number) if number.is_finite() => Ok(number * unit),
        _ => Err(format!("{text} is not a share; allowed: a number such as 0.01, or 1%")),
    }
}

/// A number from 0 to 1.
pub(crate) fn fraction(text: &str) -> Result<f64, String> {
    match share(text) {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err(format!("{text} is not a fraction; allowed: a number from 0 to 1, such as 0.5, or 50%")),
    }
}

/// A fraction in steps of one `per_unit`th, as the number of steps. Earlier versions took the number of steps itself, which is now an
/// error that names the fraction.
pub(crate) fn steps<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    per_unit: u64,
    range: RangeInclusive<u64>,
) -> impl TypedValueParser<Value = T> {
    move |text: &str| {
        let as_fraction = |steps: u64| steps as f64 / per_unit as f64;
        let (least, most) = (as_fraction(*range.start()), as_fraction(*range.end()));
        let allowed = format!("allowed: {least} to {most} in steps of {}", as_fraction(1));
        let number = share(text).map_err(|_| format!("{text} is not a number; {allowed}"))?;
        let is_meant = |&steps: &u64| (number * per_unit as f64 - steps as f64).abs() < 1e-6;
        if let Some(steps) = range.clone().find(is_meant) {
            return T::try_from(steps).map_err(|_| format!("{text} is too large"));
        }
        match whole_number(text).filter(|steps| range.contains(steps)) {
            Some(old) => {
                Err(format!("{text} is too large: if {old} steps are meant, write {}; {allowed}", as_fraction(old)))
            }
            None => Err(format!("{text} is not allowed; {allowed}")),
        }
    }
}

/// Numbers of seats: one, or a range of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seats(RangeInclusive<u8>);

/// `4`, or `2-4`.
pub(crate) fn seats(text: &str) -> Result<Seats, String> {
    let number = |text: &str| -> Result<u8, String> {
        let number = whole_number(text)
            .ok_or_else(|| format!("{text} is not a number of seats; allowed: 2 to 10, or a range such as 2-4"))?;
        in_range(number, &(2..=10))?;
        u8::try_from(number).map_err(|_| format!("{number} is too large"))
    };
    let range = match text
        .split_once("..")
        .or_else(|| text.trim_start().split_once('-').filter(|(first, _)| !first.is_empty()))
    {
        Some((first, last)) => number(first)?..=number(last.trim_start_matches('='))?,
        None => {
            let only = number(text)?;
            only..=only
        }
    };
    if range.is_empty() {
        return Err(format!("{text} is an empty range; a range begins with the smaller number"));
    }
    Ok(Seats(range))
}

impl Seats {
    /// All requested numbers, in order.
    pub(crate) fn all(asked: &[Self]) -> Vec<usize> {
        asked.iter().flat_map(|Self(range)| range.clone()).map(usize::from).collect()
    }
}

fn in_range(number: u64, range: &RangeInclusive<u64>) -> Result<u64, String> {
    if range.contains(&number) {
        return Ok(number);
    }
    match range.end() {
        &u64::MAX => Err(format!("{number} is not allowed; allowed: whole numbers {}", describe_range(range))),
        last => Err(format!("{number} is not allowed; allowed: {} to {last}", range.start())),
    }
}

fn describe_range(range: &RangeInclusive<u64>) -> String {
    match (range.start(), range.end()) {
        (first, &u64::MAX) => format!("from {first}"),
        (first, last) => format!("from {first} to {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_accept_numbers_and_ranges() {
        let all = |texts: &[&str]| Seats::all(&texts.iter().map(|text| seats(text).expect(text)).collect::<Vec<_>>());
        assert_eq!(all(&["2-4", "6"]), [2, 3, 4, 6]);
        assert_eq!(all(&["2..4", "8..=10"]), [2, 3, 4, 8, 9, 10]);
        for (text, part) in [
            ("two", "allowed: 2 to 10, or a range such as 2-4"),
            ("11", "11 is not allowed; allowed: 2 to 10"),
            ("4-2", "begins with the smaller number"),
            ("2-", "not a number of seats"),
            ("-3", "not a number of seats"),
        ] {
            let message = seats(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn steps_require_fraction_on_grid() {
        let command =
            clap::Command::new("test").arg(clap::Arg::new("margin").value_parser(steps::<u32>(1_000, 1..=500)));
        let parsed = |text: &str| match command.clone().try_get_matches_from(["test", text]) {
            Ok(found) => Ok(*found.get_one::<u32>("margin").unwrap()),
            Err(error) => Err(error.to_string()),
        };
        for (text, steps) in [("0.02", 20), ("2%", 20), ("0.5", 500), ("0.001", 1), ("0.115", 115)] {
            assert_eq!(parsed(text), Ok(steps), "{text}");
        }
        for (text, part) in [
            ("20", "20 is too large: if 20 steps are meant, write 0.02; allowed: 0.001 to 0.5 in steps of 0.001"),
            ("0.0005", "0.0005 is not allowed; allowed: 0.001 to 0.5"),
            ("0", "0 is not allowed"),
            ("0.6", "0.6 is not allowed"),
            ("2000", "2000 is not allowed"),
            ("x", "x is not a number; allowed: 0.001 to 0.5"),
        ] {
            let message = parsed(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn shares_accept_percent() {
        assert_eq!((share("0.05"), share("5%"), share("5%")), (Ok(0.05), Ok(0.05), Ok(0.05)));
        assert!(share("five").unwrap_err().contains("1%") && share("inf").is_err());
    }
}
