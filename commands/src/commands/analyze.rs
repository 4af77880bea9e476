//! `unolab analyze`: the decisions of game records, valued by search.

use anyhow::{Context, anyhow, bail};
use unolab_agents::search::policy::Policy;
use unolab_agents::search::valuation::Valuation;
use unolab_arena::analyze::{DecisionJudge, analyze, quality};
use unolab_arena::tables::decisions::DecisionRow;
use unolab_arena::tables::quality::QualityRow;
use unolab_arena::tables::{Row as _, to_csv};
use unolab_arena::words::counted;

use super::driver::json::{JsonObject, print_json, tables_of};
use super::driver::tables::Tables;
use crate::args::{AnalyzeArgs, JudgeArg};
use crate::disk::{record_text, records};
use crate::exit::Exit;
use crate::output::{print, width};
use crate::terminal::quality::{decisions_table, quality_table};

/// The default number of deals of the unseen cards in which rollouts are played.
const WORLDS: u32 = 400;

/// Choices of one deal are correlated: with fewer deals an interval is unreliable.
const ENOUGH_DEALS: u64 = 200;

/// Values every decision of all records; writes nothing if one of the records is invalid.
pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let _dir = args.export.make_dir()?;
    let judge = &judge(args)?;
    let mut decisions: Vec<DecisionRow> = Vec::new();
    let files = records(&args.files)?;
    for file in &files {
        let name = file.display().to_string();
        let text = record_text(file).map_err(|reason| anyhow!(reason))?;
        decisions.extend(analyze(&name, &text, judge).with_context(|| name.clone())?);
    }
    let quality = quality(&decisions);
    if args.json {
        let (all, by_agent) = (to_csv(&decisions), to_csv(&quality));
        let tables = tables_of(&[(DecisionRow::FILE, &*all), (QualityRow::FILE, &*by_agent)])?;
        Tables::none().with(decisions).with(quality).export(&args.export)?;
        print_json("analyze", JsonObject::new(), tables)?;
        return Ok(Exit::Done);
    }
    if args.show || files.len() == 1 {
        print(&decisions_table(&decisions, width()))?;
    }
    print(&quality_table(&quality, width()))?;
    let deals = quality.iter().map(|row| row.deals).max().unwrap_or(0);
    if deals < ENOUGH_DEALS {
        let deals = counted(deals, "deal");
        print(&format!(
            "\n{deals} only: an interval of the regret needs {ENOUGH_DEALS} (match --record-sets {ENOUGH_DEALS})\n"
        ))?;
    }
    if let Some(command) = command_to_watch(args, &decisions) {
        print(&format!("\nwatch the costliest choice: {command}\n"))?;
    }
    Tables::none().with(decisions).with(quality).export(&args.export)?;
    Ok(Exit::Done)
}

/// Returns the command that opens the costliest choice in the browser; `None` if no choice lost anything or a net judged.
fn command_to_watch(args: &AnalyzeArgs, decisions: &[DecisionRow]) -> Option<String> {
    let JudgeArg::Rollouts = args.judge else { return None };
    let worst = decisions.iter().max_by(|a, b| a.regret.total_cmp(&b.regret)).filter(|row| row.regret > 0.0)?;
    let worlds = args.worlds.unwrap_or(WORLDS);
    let words = ["unolab", "watch", &worst.record, "--worlds", &worlds.to_string(), "--player", &worst.agent];
    shlex::try_join(words).ok()
}

/// The method that values the actions. Rejects options of rollouts if there are none.
fn judge(args: &AnalyzeArgs) -> anyhow::Result<DecisionJudge> {
    match &args.judge {
        JudgeArg::Rollouts => {
            let (worlds, policy) = (args.worlds.unwrap_or(WORLDS), args.policy.unwrap_or(Policy::MixBot));
            let valuation = Valuation { worlds, policy, goal: args.goal };
            Ok(DecisionJudge::Rollouts(valuation, args.seed.unwrap_or(1)))
        }
        JudgeArg::Net(net) => {
            let given = [
                ("--worlds", args.worlds.is_some()),
                ("--policy", args.policy.is_some()),
                ("--seed", args.seed.is_some()),
            ];
            if let Some((flag, _)) = given.iter().find(|(_, is_given)| *is_given) {
                bail!("{flag}: a net uses no rollouts; use it with --judge rollouts");
            }
            Ok(DecisionJudge::Net(net.clone(), args.goal.try_into().context("--goal")?))
        }
    }
}
