//! The options of the searching players, read from their texts.

use std::str::FromStr;
use std::time::Duration;

use super::budget::Budget;
use super::goal::Goal;
use super::policy::Policy;
use crate::monte_carlo::Settings;
use crate::options::{OptionError, Options};

const POLICY: (&str, &str) = ("policy", "who plays the rollouts: random, greedy, card-ranking, mixbot or heuristic");
const GOAL: (&str, &str) = ("goal", "win (of the round), points, or match (to win it, from the scores)");
const TIME: (&str, &str) = ("time", "milliseconds a decision, instead of a number: games can then not be repeated");

/// Of `monte-carlo`.
pub(crate) const MONTE_CARLO: &[(&str, &str)] = &[
    ("rollouts", "how many a decision, 1000 if not given"),
    TIME,
    POLICY,
    GOAL,
    ("bias", "won rollouts given in advance to the answer of heuristic"),
];

/// Of `clairvoyant`.
pub(crate) const CLAIRVOYANT: &[(&str, &str)] =
    &[("rollouts", "how many a decision, 1000 if not given"), TIME, POLICY, GOAL];

pub(crate) fn monte_carlo(options: &mut Options) -> Result<Settings, OptionError> {
    Ok(Settings { bias: number(options, "bias", 0.0, 3.0)?, ..clairvoyant(options)? })
}

pub(crate) fn clairvoyant(options: &mut Options) -> Result<Settings, OptionError> {
    Ok(Settings {
        budget: budget(options, "rollouts")?,
        policy: choice(options, "policy", Policy::NAMES, Policy::MixBot)?,
        goal: choice(options, "goal", "win, points or match", Goal::Win)?,
        bias: 0.0,
    })
}

/// A number of rollouts, or `time`.
fn budget(options: &mut Options, count: &'static str) -> Result<Budget, OptionError> {
    let refuse =
        |option, value: String, allowed: &str| Err(OptionError::Value { option, value, allowed: allowed.into() });
    let number = "a whole number from 1 to 100000000";
    let milliseconds = "milliseconds from 1 to 3600000, without a number of rollouts";
    let rollouts = options.take::<u32>(count, number)?;
    let time = options.take::<u64>("time", milliseconds)?;
    match (rollouts, time) {
        (None, None) => Ok(Budget::Rollouts(1_000)),
        (Some(rollouts @ 1..=100_000_000), None) => Ok(Budget::Rollouts(rollouts)),
        (Some(rollouts), None) => refuse(count, rollouts.to_string(), number),
        (None, Some(time @ 1..=3_600_000)) => Ok(Budget::Time(Duration::from_millis(time))),
        (_, Some(time)) => refuse("time", time.to_string(), milliseconds),
    }
}

fn choice<T: FromStr>(
    options: &mut Options,
    option: &'static str,
    allowed: &str,
    default: T,
) -> Result<T, OptionError> {
    Ok(options.take(option, allowed)?.unwrap_or(default))
}

/// A number that is at least `least`.
fn number(options: &mut Options, option: &'static str, least: f64, default: f64) -> Result<f64, OptionError> {
    let allowed = format!("a number from {least}");
    match options.take::<f64>(option, &allowed)? {
        None => Ok(default),
        Some(value) if value.is_finite() && value >= least => Ok(value),
        Some(value) => Err(OptionError::Value { option, value: value.to_string(), allowed }),
    }
}
