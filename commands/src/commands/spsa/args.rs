//! The options of `unolab spsa`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{EachArgs, any_number, number};

/// An agent with numbers to tune.
#[derive(Debug, Args)]
pub(crate) struct SpsaArgs {
    /// The agent, with {NAME} in place of each tuned number: 'heuristic:keep_wild={wild}', or 'cmd:"python3 bot.py --bonus={bonus}"'
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: String,
    /// A number to tune, with its bounds, and its change in the last step [default: a twentieth of the range]; whole numbers stay
    /// whole; may be repeated
    #[arg(long, value_name = "NAME=LOW..HIGH[:STEP]", required = true, value_parser = parse_tuned)]
    pub(crate) vary: Vec<TunedNumber>,
    /// The value of a number at the beginning [default: the middle of its range]; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_start)]
    pub(crate) start: Vec<(String, f64)>,
    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = number::<u64>(1..=1_000_000))]
    pub(crate) steps: u64,
    /// New deals for each step; both variations play each deal in every seat
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number::<u64>(1..=1_000_000_000))]
    pub(crate) sets: u64,
    /// How far a win share of 100% moves a number in the last step, in units of its STEP
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    pub(crate) gain: f64,
    /// Edition, or path of a variant file
    #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
    pub(crate) variant: String,
    /// The number of seats; one variation plays against copies of the other
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(2..=10))]
    pub(crate) seats: u8,
    /// The master seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// The number of threads; no result depends on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The directory of the steps. The same command continues an unfinished directory
    #[arg(long, value_name = "DIR", default_value = "spsa")]
    pub(crate) directory: PathBuf,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Options for all programs.
    #[command(flatten)]
    pub(crate) each: EachArgs,
}

/// A number to tune.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TunedNumber {
    pub(crate) name: String,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) step: f64,
    /// Whether its values are whole numbers, because its bounds are written so.
    pub(crate) is_whole: bool,
}

fn parse_tuned(text: &str) -> Result<TunedNumber, String> {
    let form = || format!("{text} is not of the form NAME=LOW..HIGH or NAME=LOW..HIGH:STEP, such as bonus=0..40:2");
    let (name, range) = text.split_once('=').ok_or_else(form)?;
    let (low, rest) = range.split_once("..").ok_or_else(form)?;
    let (high, step) = rest.split_once(':').map_or((rest, None), |(high, step)| (high, Some(step)));
    let is_whole = [Some(low), Some(high), step].into_iter().flatten().all(|number| !number.contains('.'));
    let read = |number: &str| number.trim().parse::<f64>().ok().filter(|number| number.abs() <= 1e9).ok_or_else(form);
    let (low, high) = (read(low)?, read(high)?);
    let usual = (high - low) / 20.0;
    let step = match step {
        Some(step) => read(step)?,
        None if is_whole => usual.max(1.0).round(),
        None => usual,
    };
    let is_name = !name.trim().is_empty() && name.trim().chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if !is_name || low >= high || step <= 0.0 || step > high - low {
        return Err(format!("{}; allowed: LOW below HIGH, and STEP from above 0 to HIGH - LOW", form()));
    }
    Ok(TunedNumber { name: name.trim().into(), low, high, step, is_whole })
}

fn parse_start(text: &str) -> Result<(String, f64), String> {
    let read =
        text.split_once('=').and_then(|(name, value)| Some((name.trim().to_owned(), value.trim().parse().ok()?)));
    read.ok_or_else(|| format!("{text} is not of the form NAME=VALUE, such as bonus=10"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuned_number_has_a_usual_step_and_may_be_whole() {
        let number = |low, high, step, is_whole| TunedNumber { name: "x".into(), low, high, step, is_whole };
        assert_eq!(parse_tuned("x=0..40:3"), Ok(number(0.0, 40.0, 3.0, true)));
        assert_eq!(parse_tuned("x=-5..5"), Ok(number(-5.0, 5.0, 1.0, true)));
        assert_eq!(parse_tuned("x=0.5..1"), Ok(number(0.5, 1.0, 0.025, false)));
        for wrong in ["x", "x=3", "x=4..3", "=0..1", "x=0..1:0", "x=0..1:2", "x=a..b", "x y=0..1", "x=0..inf"] {
            assert!(parse_tuned(wrong).unwrap_err().contains("NAME=LOW..HIGH"), "{wrong}");
        }
    }
}
