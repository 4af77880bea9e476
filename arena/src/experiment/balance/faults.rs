//! `faults.csv` of a balance run: the faults of agents.

use serde::Serialize;
use unolab_agents::printable::printable;

use super::case::{Case, Counted};
use crate::tables::row;

row! {
    /// One fault.
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
    pub struct FaultRow in "faults.csv",
        "a fault that lost an agent a game (the file exists only if there are any): the first 100 of each agent in an \
         arm; `fault_share` counts the faults of the base and its `dealt:CARD` in metrics.csv, and the faults of another \
         arm in sweep.csv" {
        /// the rules of the base
        variant: String,
        /// the number of seats
        seats: usize,
        /// whether the game is a single round or a match
        unit: &'static str,
        /// `base`, or the changed rules, as in sweep.csv
        arm: String,
        /// the agent at fault, in any seat
        entrant: String,
        /// the number of the game in the run: set by set, arm by arm
        index: u64,
        /// the deal of the game
        set: u64,
        /// the seat of the agent
        seat: usize,
        /// the number of the decision among the agent's decisions in the game, from 1
        decision: u32,
        /// `crash`, `decision-time`, `game-time`, `malformed`, `stale`, `illegal`, or `flood`
        kind: &'static str,
        /// a description of the fault
        what: String,
    }
}

/// The rows of a case with these counts, by arm.
pub(super) fn rows(case: &Case, counted: &[Counted]) -> Vec<FaultRow> {
    let Case { variant, seats, layout, arms, .. } = case;
    let mut rows = Vec::new();
    for (ready, counted) in arms.iter().zip(counted) {
        let with_a_card = (0..layout.dealt.len()).map(|number| layout.dealt_arm(number));
        let names = std::iter::once(ready.arm.name.clone()).chain(with_a_card);
        for (arm, book) in names.zip(&counted.faults) {
            rows.extend(book.iter().map(|(agent, fault)| FaultRow {
                variant: variant.clone(),
                seats: *seats,
                unit: case.unit_name(),
                arm: arm.clone(),
                entrant: layout.agents[agent.index()].clone(),
                index: fault.index,
                set: fault.set,
                seat: fault.seat,
                decision: fault.decision,
                kind: fault.kind.name(),
                what: printable(&fault.what),
            }));
        }
    }
    rows
}
