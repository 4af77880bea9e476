//! `unolab perft`: counts action sequences from a position, to check all rules together.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};
use unolab_engine::match_play::{MatchState, first_dealer};
use unolab_engine::notation::ActionWithCall;
use unolab_engine::perft::Counter;
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{Rules, TableSize, load};
use unolab_engine::scenario::Scenario;
use unolab_engine::state::RoundState;

use super::driver::json::{JsonObject, one_table, print_json};
use super::scenario::scenarios_in;
use crate::args::{OverrideArgs, any_number, number};
use crate::disk::Disk;
use crate::exit::Exit;
use crate::output::{print, warn};

/// A position, and the depth of the count.
#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// Edition, or path of a variant file
    #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
    pub(crate) variant: String,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    /// Number of seats
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(2..=10))]
    pub(crate) seats: u8,
    /// The number of actions to look ahead
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u32>(0..=30))]
    pub(crate) depth: u32,
    /// Reject a count that would visit more positions than this
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = any_number)]
    pub(crate) limit: u64,
    /// The seed of the deal
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// Count from the first position of the first scenario in this file, instead of a deal
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "set", "seats", "seed"])]
    pub(crate) position: Option<PathBuf>,
    /// Print the count for each first action
    #[arg(long)]
    pub(crate) divide: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    let (rules, state) = match &args.position {
        Some(file) => match scenarios_in(file) {
            Ok(scenarios) => position_in(file, &scenarios)?,
            Err(reasons) => {
                reasons.iter().for_each(|reason| warn(&format!("error: {reason}")));
                return Ok(Exit::BadInput);
            }
        },
        None => deal(args)?,
    };
    let mut counter = Counter::new(args.limit);
    let too_many = "perft: too many paths; choose a smaller --depth or a larger --limit";
    let mut rows = Vec::new();
    let mut report = |line: String, row: Value| {
        rows.push(row);
        if args.json { Ok(()) } else { print(&line) }
    };
    match (args.divide, args.depth.checked_sub(1)) {
        (true, Some(rest)) => {
            for action in state.legal_actions(&rules) {
                let paths = counter.paths_after(&rules, &state, action, rest).context(too_many)?;
                let action = rules.write_action(ActionWithCall::from(action)).to_string();
                report(format!("{action} {paths}\n"), json!({ "action": action, "paths": paths }))?;
            }
        }
        _ => {
            for depth in 1..=args.depth {
                let paths = counter.paths(&rules, &state, depth).context(too_many)?;
                report(format!("perft {depth} {paths}\n"), json!({ "depth": depth, "paths": paths }))?;
            }
        }
    }
    if args.json {
        print_json("perft", JsonObject::new(), one_table("perft", rows))?;
    }
    Ok(Exit::Done)
}

/// The first deal of the seed.
fn deal(args: &PerftArgs) -> anyhow::Result<(Rules, RoundState)> {
    let seats = usize::from(args.seats);
    let loaded = load(&args.variant, &args.overrides.set, TableSize::Seats(seats), &Disk)?;
    loaded.warnings.iter().for_each(|warning| warn(&format!("warning: {warning}")));
    let rules = loaded.rules;
    let keyed = |purpose| Rng::keyed(args.seed, 0, purpose);
    let plan = MatchState::new(seats, first_dealer(&rules, seats, &mut keyed(Purpose::Dealer))).plan(&rules);
    let mut cards = keyed(Purpose::Cards { round: 0 });
    let state = RoundState::deal(&rules, plan.seats, plan.dealer, &mut cards, &mut ());
    Ok((rules, state))
}

fn position_in(file: &Path, scenarios: &[Scenario]) -> anyhow::Result<(Rules, RoundState)> {
    let first = scenarios.first().with_context(|| format!("{}: no [[scenario]] tables", file.display()))?;
    let (rules, state) = first.beginning()?;
    Ok((rules.clone(), state))
}
