//! `unolab analyze`: evaluates the decisions of game records.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use unolab_agents::goal::Goal;
use unolab_agents::net::player::NetSettings;
use unolab_agents::search::policy::Policy;
use unolab_agents::search::valuation::Valuation;
use unolab_arena::analyze::{DecisionEvaluator, analyze, quality, weaknesses};
use unolab_arena::run::driver;
use unolab_arena::run::execution::all_cores;
use unolab_arena::tables::decisions::DecisionRow;
use unolab_arena::tables::table::Tables;
use unolab_arena::words::counted;

use super::driver::json::{JsonObject, print_json, tables_of};
use super::driver::tables::export;
use crate::args::{EvaluatorArg, ExportArgs, any_number, number, parse_evaluator, parse_goal, parse_policy};
use crate::disk::{record_text, records};
use crate::exit::Exit;
use crate::output::{print, width};
use crate::terminal::decisions::decisions_table;
use crate::terminal::weaknesses::{costliest_choices, weakness_sentences};

/// Game records, and how to evaluate their decisions.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// Game records (JSON Lines), as --record writes them, or directories that contain records
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Evaluate the actions by the trained net (net: takes a second, but no interval reflects its errors), by rollouts, or by
    /// the net in a file written by unolab train [default: net, or rollouts if one of their options is given]
    #[arg(long, alias = "judge", value_name = "NAME|FILE", value_parser = parse_evaluator)]
    pub(crate) evaluator: Option<EvaluatorArg>,
    /// Evaluate only the decisions of this player, by its name in the records
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// With rollouts: the number of sampled deals of the unseen cards in which every legal action is played out [default:
    /// 400]
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=1_000_000))]
    pub(crate) worlds: Option<u32>,
    /// The agent that plays the rollouts: random, greedy, card-ranking, mixbot, heuristic, or net [default: mixbot]
    #[arg(long, value_name = "NAME", value_parser = parse_policy)]
    pub(crate) policy: Option<Policy>,
    /// The value of a finished round: win, points, or match
    #[arg(long, value_name = "NAME", default_value = "win", value_parser = parse_goal)]
    pub(crate) goal: Goal,
    /// The seed of the rollouts [default: 1]
    #[arg(long, value_name = "N", value_parser = any_number)]
    pub(crate) seed: Option<u64>,
    /// Print every decision; the default for a single record
    #[arg(long)]
    pub(crate) show: bool,
    /// The destination of the tables.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
    /// Print the result as one JSON object
    #[arg(long, conflicts_with_all = ["show"])]
    pub(crate) json: bool,
}

/// The default number of deals of the unseen cards in which rollouts are played.
const WORLDS: u32 = 400;

/// The number of choices that are listed.
const COSTLIEST: usize = 10;

/// With fewer deals an interval is unreliable, because choices of one deal are correlated.
const ENOUGH_DEALS: u64 = 200;

/// Evaluates every decision of all records; does not write anything if one of the records is invalid.
pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let _dir = args.export.make_dir()?;
    let evaluator = &evaluator(args)?;
    let mut decisions: Vec<DecisionRow> = Vec::new();
    let files = records(&args.files)?;
    let pool = driver::pool(all_cores())?;
    let never = AtomicBool::new(false);
    for file in &files {
        let name = file.display().to_string();
        let text = record_text(file).map_err(|reason| anyhow!(reason))?;
        decisions.extend(pool.install(|| analyze(&name, &text, evaluator, &never)).with_context(|| name.clone())?);
    }
    if let Some(player) = &args.player {
        retain_player(&mut decisions, player)?;
    }
    let (quality, weaknesses) = (quality(&decisions), weaknesses(&decisions));
    if args.json {
        let tables = Tables::none().with(decisions).with(quality).with(weaknesses);
        export(&tables, &args.export)?;
        print_json("analyze", JsonObject::new(), tables_of(&tables))?;
        return Ok(Exit::Done);
    }
    if args.show {
        print(&decisions_table(&decisions, width()))?;
    }
    print(&weakness_sentences(&weaknesses, args.goal, evaluator_word(evaluator)))?;
    let costliest = costliest(&decisions);
    if !costliest.is_empty() {
        print(&format!(
            "\nCostliest choices:\n{}",
            costliest_choices(&costliest, args.goal, |row| watch(row, evaluator))
        ))?;
    }
    let deals = quality.iter().map(|row| row.deals).max().unwrap_or(0);
    if deals < ENOUGH_DEALS {
        let deals = counted(deals, "deal");
        print(&format!(
            "\n{deals} only: an interval of the regret needs {ENOUGH_DEALS} (match --record-sets {ENOUGH_DEALS})\n"
        ))?;
    }
    if let DecisionEvaluator::Net(..) = evaluator {
        print(
            "\nThe net evaluated the actions. For values with standard errors, also on the page, use --evaluator rollouts.\n",
        )?;
    }
    export(&Tables::none().with(decisions).with(quality).with(weaknesses), &args.export)?;
    Ok(Exit::Done)
}

/// Drops the decisions of the other players.
fn retain_player(decisions: &mut Vec<DecisionRow>, player: &str) -> anyhow::Result<()> {
    let names: BTreeSet<String> = decisions.iter().map(|row| row.agent.clone()).collect();
    if !names.contains(player) {
        let allowed = names.into_iter().collect::<Vec<_>>().join(", ");
        bail!("--player {player}: no decisions of this player; allowed: {allowed}");
    }
    decisions.retain(|row| row.agent == player);
    Ok(())
}

/// The choices that cost most, the worst first.
fn costliest(decisions: &[DecisionRow]) -> Vec<&DecisionRow> {
    let mut rows: Vec<&DecisionRow> = decisions.iter().filter(|row| row.rank > 1).collect();
    rows.sort_by(|a, b| b.regret.total_cmp(&a.regret));
    rows.truncate(COSTLIEST);
    rows
}

/// The command that shows a choice, with the same values; the page has no values of a net.
fn watch(row: &DecisionRow, evaluator: &DecisionEvaluator) -> String {
    let number = row.move_number.to_string();
    let shown = ["unolab", "watch", &row.record, "--player", &row.agent, "--move", &number].map(str::to_owned);
    let valued = match evaluator {
        DecisionEvaluator::Rollouts(Valuation { worlds, policy, goal }, seed) => {
            format!("--worlds {worlds} --policy {} --goal {} --seed {seed}", policy.name(), goal.name())
        }
        DecisionEvaluator::Net(..) => String::new(),
    };
    let words: Vec<&str> = shown.iter().map(String::as_str).chain(valued.split_whitespace()).collect();
    shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
}

const fn evaluator_word(evaluator: &DecisionEvaluator) -> &'static str {
    match evaluator {
        DecisionEvaluator::Rollouts(..) => "rollouts",
        DecisionEvaluator::Net(..) => "net",
    }
}

/// The method that values the actions. Rejects options of rollouts if there are none.
fn evaluator(args: &AnalyzeArgs) -> anyhow::Result<DecisionEvaluator> {
    let rollouts =
        [("--worlds", args.worlds.is_some()), ("--policy", args.policy.is_some()), ("--seed", args.seed.is_some())];
    let given = rollouts.iter().find(|(_, is_given)| *is_given);
    let evaluator = match &args.evaluator {
        Some(evaluator) => evaluator.clone(),
        None if given.is_some() || args.goal == Goal::Match => EvaluatorArg::Rollouts,
        None => EvaluatorArg::Net(NetSettings::published()),
    };
    match evaluator {
        EvaluatorArg::Rollouts => {
            let (worlds, policy) = (args.worlds.unwrap_or(WORLDS), args.policy.unwrap_or(Policy::MixBot));
            let valuation = Valuation { worlds, policy, goal: args.goal };
            Ok(DecisionEvaluator::Rollouts(valuation, args.seed.unwrap_or(1)))
        }
        EvaluatorArg::Net(net) => {
            if let Some((flag, _)) = given {
                bail!("{flag}: a net uses no rollouts; use it with --evaluator rollouts");
            }
            Ok(DecisionEvaluator::Net(net, args.goal.try_into().context("--goal")?))
        }
    }
}
