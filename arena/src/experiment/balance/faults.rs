//! `faults.csv` of a balance run: the faults of agents.

use unolab_agents::printable::printable;

use super::case::{ArmCounts, Case};
use crate::tables::balance::FaultRow;

/// The rows of a case with these counts, by arm.
pub(super) fn rows(case: &Case, counted: &[ArmCounts]) -> Vec<FaultRow> {
    let Case { variant, seats, layout, arms, .. } = case;
    let mut rows = Vec::new();
    for (ready, counted) in arms.iter().zip(counted) {
        let with_a_card = (0..layout.dealt.len()).map(|number| layout.dealt_arm(number));
        let names = std::iter::once(ready.arm.name.clone()).chain(with_a_card);
        for (arm, book) in names.zip(&counted.faults) {
            rows.extend(book.iter().map(|(agent, fault)| FaultRow {
                variant: variant.clone(),
                seats: *seats,
                unit: case.unit_name().into(),
                arm: arm.clone(),
                entrant: layout.agents[agent.index()].clone(),
                index: fault.index,
                set: fault.set,
                seat: fault.seat,
                decision: fault.decision,
                kind: fault.kind.name().into(),
                what: printable(&fault.what),
            }));
        }
    }
    rows
}
