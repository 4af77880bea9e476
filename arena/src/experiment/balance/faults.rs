//! `faults.csv` of a balance: what agents did wrong, by name.

use serde::Serialize;

use super::case::{Case, Counted};
use crate::tables::Row;

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct FaultRow {
    pub variant: String,
    pub seats: usize,
    pub unit: &'static str,
    pub arm: String,
    pub entrant: String,
    pub index: u64,
    pub set: u64,
    pub seat: usize,
    pub decision: u32,
    pub kind: &'static str,
    pub what: String,
}

impl Row for FaultRow {
    const FILE: &'static str = "faults.csv";
    const ROW: &'static str = "a fault that cost an agent a game (only if there are any): the first 100 of each agent in \
                               an arm; `fault_share` counts those of the base and its `dealt:CARD` in metrics.csv, those \
                               of another arm in sweep.csv";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules of the base"),
        ("seats", "the number of seats"),
        ("unit", "whether the game is a single round or a match"),
        ("arm", "`base`, or what is different, as in sweep.csv"),
        ("entrant", "whose fault it is: the agent, wherever it sits"),
        ("index", "the number of the game in the run: set by set, arm by arm"),
        ("set", "the deal of the game"),
        ("seat", "the seat of the agent"),
        ("decision", "at which of its decisions in the game, from 1"),
        ("kind", "`crash`, `decision-time`, `game-time`, `malformed`, `stale`, `illegal` or `flood`"),
        ("what", "what happened, in words"),
    ];
}

/// The rows of a case, of which this was counted by arm.
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
                what: fault.what.clone(),
            }));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::tests::assert_columns_are_the_fields;

    #[test]
    fn columns_are_the_fields() {
        assert_columns_are_the_fields(&FaultRow::default());
    }
}
