//! Intervals of the regret of choices.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use unolab_agents::goal::Goal;
use unolab_agents::registry::Registry;
use unolab_agents::search::policy::Policy;
use unolab_agents::search::valuation::Valuation;
use unolab_arena::analyze::{DecisionEvaluator, analyze, quality};
use unolab_arena::play::Dealer;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::Spec;

use super::{Estimate, Estimates, SimulatedRuns, each_run, spec_of};

/// The records of all games of a match.
fn records_of(contest: &Contest) -> Vec<String> {
    let section = &contest.schedule().sections[0];
    let mut dealer = Dealer::new(contest, section);
    let mut records = Vec::new();
    for set in 0..contest.spec().sets {
        for (_, seating) in section.games(contest.streams_of(set)) {
            records.push(dealer.write_down(set, &seating));
        }
    }
    records
}

/// Plays this number of matches and values every choice in this number of worlds.
pub(super) fn simulated(spec: &Spec, runs: u64, worlds: u32, registry: &Registry) -> anyhow::Result<SimulatedRuns> {
    let valuation = Valuation { worlds, policy: Policy::Greedy, goal: Goal::Win };
    let played = each_run(runs, |run| {
        let contest = Contest::of(spec_of(spec, run), registry)?;
        let seed = contest.spec().seed;
        let evaluator = DecisionEvaluator::Rollouts(valuation, seed);
        let mut decisions = Vec::new();
        for record in records_of(&contest) {
            decisions.extend(analyze("", &record, &evaluator, &AtomicBool::new(false))?);
        }
        Ok(quality(&decisions).into_iter().filter(|row| row.actions.is_none()).collect::<Vec<_>>())
    })?;
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for row in played.iter().flatten() {
        let (regret, choices) = sums.entry(&row.agent).or_default();
        *regret += row.mean_regret * row.decisions as f64;
        *choices += row.decisions as f64;
    }
    let put = |agent: &str, estimate| (("mean_regret".to_owned(), agent.to_owned()), estimate);
    let truth = |(agent, (regret, choices)): (&&str, &(f64, f64))| {
        put(agent, Estimate::pointwise(Some(regret / choices), None, None))
    };
    let truths = sums.iter().map(truth).collect();
    let estimates = |rows: &Vec<_>| -> Estimates {
        let estimate = |row: &unolab_arena::tables::quality::QualityRow| {
            put(&row.agent, Estimate::pointwise(Some(row.mean_regret), row.ci_low, row.ci_high))
        };
        rows.iter().map(estimate).collect()
    };
    Ok(SimulatedRuns { runs: played.iter().map(|rows| vec![estimates(rows)]).collect(), truths })
}
