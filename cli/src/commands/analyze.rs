//! `unolab analyze`: the decisions of game records, valued by search.

use anyhow::{Context, anyhow};
use unolab_agents::search::valuation::Valuation;
use unolab_arena::analyze::{analyze, quality};
use unolab_arena::tables::decisions::DecisionRow;

use super::running::tables::Tables;
use crate::args::AnalyzeArgs;
use crate::disk::{new_folder, read_text};
use crate::exit::Exit;
use crate::output::{print, width};
use crate::terminal::{decisions_table, quality_table};

/// Values every decision of all records; nothing is written if one of them does not hold.
pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    if let Some(folder) = &args.out {
        new_folder("--out", folder)?;
    }
    let valuation = Valuation { worlds: args.worlds, policy: args.policy, goal: args.goal };
    let mut decisions: Vec<DecisionRow> = Vec::new();
    for file in &args.files {
        let name = file.display().to_string();
        let text = read_text(file).map_err(|reason| anyhow!(reason))?;
        decisions.extend(analyze(&name, &text, valuation, args.seed).with_context(|| name.clone())?);
    }
    let quality = quality(&decisions);
    if args.show || args.files.len() == 1 {
        print(&decisions_table(&decisions, width()))?;
    }
    print(&quality_table(&quality, width()))?;
    if let Some(folder) = &args.out {
        Tables::none().with(decisions).with(quality).write_to(folder, args.tables)?;
    }
    Ok(Exit::Done)
}
