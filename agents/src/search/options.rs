//! The options of the searching agents, and their defaults.

use std::str::FromStr;
use std::time::Duration;

use super::budget::Budget;
use super::policy::{Policies, Policy};
use super::rollout::RolloutSettings;
use super::searcher::{Inference, Settings};
use super::tree::Growth;
use crate::goal::Goal;
use crate::net::published::Size;
use crate::options::{OptionError, Options};

type Meaning = (&'static str, &'static str);

const ROLLOUTS: Meaning = ("rollouts", "rollouts per decision, default 1000");
const ITERATIONS: Meaning = (
    "iterations",
    "worlds (sampled deals of the unseen cards) per decision, default 1000; each tries every remaining action",
);
const TIME: Meaning = ("time", "milliseconds per decision instead of a number; such games cannot be repeated");
const POLICY: Meaning = (
    "policy",
    "the policy of the other seats in rollouts: random, greedy, card-ranking, mixbot, heuristic or net, or several joined by +; default mixbot",
);
const OWN: Meaning = ("own", "the policy of the searching seat in rollouts, default heuristic");
const GOAL: Meaning = ("goal", "win (the round), points, or match (win the match, given the scores); default win");
const BELIEF: Meaning = ("belief", "uniform, or inferred from the plays of others; default inferred");
const BIAS: Meaning = ("bias", "prior wins for the action of heuristic, if no net is used; default 3");
const NET: Meaning =
    ("net", "weight of the net's value as a prior, in trials; with goal=win, if a net fits the table; default 300");
const SIZE: Meaning =
    ("size", "the size of this net: small, or large, which exists only for two players and plain decks; default small");
const SURE: Meaning =
    ("sure", "standard errors by which an action may be behind before it is dropped; 0: never drop; default 3");
const PLAYOUTS: Meaning =
    ("playouts", "rounds played out from the end of each descent; default 2 for ismcts, 1 for clairvoyant");
const LAPS: Meaning = (
    "laps",
    "turns of every seat after which a rollout is truncated and evaluated from the hands; 0: play to the end; default 10",
);
const TREES: Meaning = ("trees", "number of trees, searched in turn; default 1");
const EXPLORE: Meaning = ("explore", "the weight of exploration in the trees; default 0.1");
const PRIOR: Meaning =
    ("prior", "prior wins, at each node of a tree, for the action of the rollout policy; default 50");

/// The options of `monte-carlo`.
pub(crate) const MONTE_CARLO: &[Meaning] = &[ROLLOUTS, TIME, POLICY, OWN, LAPS, GOAL, BELIEF, BIAS, NET, SIZE, SURE];
/// The options of `ismcts`.
pub(crate) const ISMCTS: &[Meaning] =
    &[ITERATIONS, TIME, POLICY, OWN, LAPS, GOAL, BELIEF, BIAS, NET, SIZE, SURE, PLAYOUTS, TREES, EXPLORE, PRIOR];
/// The options of `exploiter`.
pub(crate) const EXPLOITER: &[Meaning] = &[
    (
        "of",
        "the agent to which it is tailored, default heuristic; for a search: random, greedy, card-ranking, mixbot, heuristic, or net",
    ),
    ("weights", "a weights file from unolab train --exploit: a net plays, without search"),
    ITERATIONS,
    TIME,
];
/// The options of `clairvoyant`.
pub(crate) const CLAIRVOYANT: &[Meaning] = &[ITERATIONS, TIME, POLICY, LAPS, GOAL, PLAYOUTS, EXPLORE, PRIOR];

/// The default number of laps. Fewer give the evaluation of hands too much weight, above all in editions with special cards;
/// more only take time.
const USUAL_LAPS: u32 = 10;

const NO_TREES: Growth = Growth { trees: 0, explore: 0.0, bias: 0.0 };

/// `monte-carlo`: every legal action is tried in rollouts.
pub(crate) fn monte_carlo(options: &mut Options) -> Result<Settings, OptionError> {
    Ok(Settings {
        budget: budget(options, "rollouts", Budget::Trials)?,
        playing: playing(options, 1)?,
        goal: choice(options, "goal", Goal::NAMES, Goal::Win)?,
        inference: choice(options, "belief", Inference::NAMES, Inference::Inferred)?,
        bias: number(options, "bias", 3.0)?,
        net: number(options, "net", 300.0)?,
        size: choice(options, "size", Size::NAMES, Size::Small)?,
        sure: number(options, "sure", 3.0)?,
        growth: NO_TREES,
    })
}

/// `ismcts`: trees grow below every legal action.
pub(crate) fn ismcts(options: &mut Options) -> Result<Settings, OptionError> {
    let (playouts, trees) = (count(options, "playouts", 2, 1_000)?, count(options, "trees", 1, 1_000)?);
    Ok(Settings {
        budget: budget(options, "iterations", Budget::Worlds)?,
        playing: playing(options, playouts)?,
        growth: growth(options, trees)?,
        ..monte_carlo(options)?
    })
}

/// `exploiter`: `ismcts` that assumes that the other players are the agent to which it is tailored.
pub(crate) fn exploiter(options: &mut Options) -> Result<Settings, OptionError> {
    let of = choice(
        options,
        "of",
        "random, greedy, card-ranking, mixbot, heuristic or net, or any agent with weights",
        Policy::Heuristic,
    )?;
    let settings = ismcts(options)?;
    Ok(Settings { playing: RolloutSettings { others: Policies::one(of), ..settings.playing }, ..settings })
}

/// `clairvoyant`: a tree in the true world.
pub(crate) fn clairvoyant(options: &mut Options) -> Result<Settings, OptionError> {
    let playouts = count(options, "playouts", 1, 1_000)?;
    let playing = playing(options, playouts)?;
    Ok(Settings {
        budget: budget(options, "iterations", Budget::Worlds)?,
        playing: RolloutSettings { own: playing.others.first(), ..playing },
        goal: choice(options, "goal", Goal::NAMES, Goal::Win)?,
        inference: Inference::Uniform,
        bias: 0.0,
        net: 0.0,
        size: Size::Small,
        sure: 0.0,
        growth: growth(options, 1)?,
    })
}

fn growth(options: &mut Options, trees: usize) -> Result<Growth, OptionError> {
    Ok(Growth { trees, explore: number(options, "explore", 0.1)?, bias: number(options, "prior", 50.0)? })
}

impl FromStr for Inference {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "uniform" => Ok(Self::Uniform),
            "inferred" => Ok(Self::Inferred),
            _ => Err(()),
        }
    }
}

impl Inference {
    const NAMES: &str = "uniform or inferred";
}

fn refuse<T>(option: &'static str, value: impl ToString, allowed: &str) -> Result<T, OptionError> {
    Err(OptionError::Value { option, value: value.to_string(), allowed: allowed.into() })
}

fn playing(options: &mut Options, playouts: usize) -> Result<RolloutSettings, OptionError> {
    let others = choice(options, "policy", Policies::NAMES, Policies::one(Policy::MixBot))?;
    let own = choice(options, "own", Policy::NAMES, Policy::Heuristic)?;
    let allowed = "a whole number from 0 to 1000";
    match options.take("laps", allowed)?.unwrap_or(USUAL_LAPS) {
        laps @ 0..=1_000 => Ok(RolloutSettings { others, own, playouts, laps }),
        laps => refuse("laps", laps, allowed),
    }
}

/// A number of trials or worlds, or `time`.
fn budget(options: &mut Options, name: &'static str, of: fn(u32) -> Budget) -> Result<Budget, OptionError> {
    let number = "a whole number from 1 to 100000000";
    let milliseconds = "milliseconds from 1 to 3600000, without a number of trials";
    let (given, time) = (options.take::<u32>(name, number)?, options.take::<u64>("time", milliseconds)?);
    match (given, time) {
        (None, None) => Ok(of(1_000)),
        (Some(given @ 1..=100_000_000), None) => Ok(of(given)),
        (Some(given), None) => refuse(name, given, number),
        (None, Some(time @ 1..=3_600_000)) => Ok(Budget::Time(Duration::from_millis(time))),
        (_, Some(time)) => refuse("time", time, milliseconds),
    }
}

fn choice<T: FromStr>(options: &mut Options, name: &'static str, allowed: &str, usual: T) -> Result<T, OptionError> {
    Ok(options.take(name, allowed)?.unwrap_or(usual))
}

/// An integer from 1 to `most`.
fn count(options: &mut Options, name: &'static str, usual: usize, most: usize) -> Result<usize, OptionError> {
    let allowed = format!("a whole number from 1 to {most}");
    match options.take::<usize>(name, &allowed)?.unwrap_or(usual) {
        count if (1..=most).contains(&count) => Ok(count),
        count => refuse(name, count, &allowed),
    }
}

/// A number that is not negative.
fn number(options: &mut Options, name: &'static str, usual: f64) -> Result<f64, OptionError> {
    let allowed = "a number from 0 to 1000000";
    match options.take::<f64>(name, allowed)?.unwrap_or(usual) {
        number if (0.0..=1e6).contains(&number) => Ok(number),
        number => refuse(name, number, allowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Read = fn(&mut Options) -> Result<Settings, OptionError>;

    /// A change of a default would change the published agents.
    #[test]
    fn omitted_options_have_documented_defaults() {
        let shared = "policy=mixbot,laps=10,goal=win";
        let sampling = "own=heuristic,belief=inferred,bias=3,net=300,size=small,sure=3";
        let trees = "iterations=1000,explore=0.1,prior=50";
        for (read, all) in [
            (monte_carlo as Read, format!("rollouts=1000,{shared},{sampling}")),
            (ismcts, format!("{trees},trees=1,playouts=2,{shared},{sampling}")),
            (clairvoyant, format!("{trees},playouts=1,{shared}")),
        ] {
            let settings = |text: &str| read(&mut text.parse().expect("options")).expect("settings");
            assert_eq!(settings("any"), settings(&format!("any:{all}")), "{all}");
        }
    }
}
