//! Intervals of the metrics of a balance run.

use std::sync::atomic::AtomicBool;

use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::Balance;
use unolab_arena::experiment::balance::counts::BalanceCounts;
use unolab_arena::experiment::balance::spec::{BalanceSpec, CommandWord, MetricSet, VariantComparison};
use unolab_arena::run::experiment::{Batch, Experiment, Play};
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::Spec;

use super::{Estimate, Estimates, SimulatedRuns, each_run, spec_of};

/// The balance of a run, with as many deals of matches as of rounds.
fn balance_of(spec: &Spec, run: u64) -> BalanceSpec {
    let Spec { entrants, variants, seats, sets, seed, seating, .. } = spec_of(spec, run);
    BalanceSpec {
        command: CommandWord::Balance,
        field: entrants,
        variants,
        seats,
        sets,
        matches: sets,
        seed,
        seating,
        sweep: Vec::new(),
        arms: Vec::new(),
        worth: Vec::new(),
        good: "heuristic".into(),
        weak: "random".into(),
        ladder: Vec::new(),
        metrics: MetricSet::All,
        panel: Vec::new(),
        turn_ms: None,
        lengths: Vec::new(),
        decisive_permille: None,
        rivals: Vec::new(),
        comparison: VariantComparison::Separate,
        margin_permille: 10,
        seal: None,
    }
}

fn estimates(balance: &Balance, counts: &BalanceCounts) -> Estimates {
    let metrics = balance.tables(counts).metrics.into_iter();
    let with_interval = metrics.filter(|row| row.ci_low.is_some());
    with_interval
        .map(|row| ((row.metric, String::new()), Estimate::pointwise(row.value, row.ci_low, row.ci_high)))
        .collect()
}

/// Plays this number of balance runs, each with its own models.
pub(super) fn simulated(spec: &Spec, runs: u64, registry: &Registry) -> anyhow::Result<SimulatedRuns> {
    let have_panicked = AtomicBool::new(false);
    let played = each_run(runs, |run| {
        let balance = Balance::prepare(&balance_of(spec, run), registry)?;
        let mut counts = balance.empty(Shard::WHOLE);
        while let Some(Batch { part, sets }) = balance.horizon(&counts)?.into_iter().next() {
            let batch = Batch { part, sets: sets.start..sets.end.min(sets.start + Balance::MOST_SETS) };
            let patience = balance.patience(&counts, &batch);
            let how = Play { games_every: None, have_panicked: &have_panicked, patience: &patience };
            let played = balance.play(&batch, how)?;
            balance.merge(&mut counts, &batch, played);
        }
        let estimates = estimates(&balance, &counts);
        Ok((counts, estimates))
    })?;
    let balance = Balance::prepare(&balance_of(spec, 0), registry)?;
    let mut together = balance.empty(Shard::WHOLE);
    played.iter().for_each(|(counts, _)| together.add(counts));
    let truths = estimates(&balance, &together);
    Ok(SimulatedRuns { runs: played.into_iter().map(|(_, estimates)| vec![estimates]).collect(), truths })
}
