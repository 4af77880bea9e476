//! `faults.csv`: what agents did wrong, by name.

use serde::Serialize;

use super::{PlayedSection, Row};

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct FaultRow {
    pub variant: String,
    pub seats: usize,
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
    const ROW: &'static str = "a fault that cost an agent a game (only if there are any): the first 100 of each \
                               entrant in a variant at a number of seats; summary.csv counts them all";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules played"),
        ("seats", "the number of seats"),
        ("entrant", "whose fault it is"),
        ("index", "the number of the game in the run, as in games.csv"),
        ("set", "the deal of the game"),
        ("seat", "the seat of the agent"),
        ("decision", "at which of its decisions in the game, from 1"),
        (
            "kind",
            "`crash` (counted in crashes), `decision-time`, `game-time` (timeouts), `malformed`, `stale`, `illegal` or \
             `flood` (illegal)",
        ),
        ("what", "what happened, in words"),
    ];
}

/// The rows of a section.
#[must_use]
pub fn rows(played: PlayedSection<'_>) -> Vec<FaultRow> {
    let of = played.tally.faults().iter();
    of.map(|(entrant, fault)| FaultRow {
        variant: played.variant().name.clone(),
        seats: played.section.seats,
        entrant: played.entrant(entrant).name.clone(),
        index: fault.index,
        set: fault.set,
        seat: fault.seat,
        decision: fault.decision,
        kind: fault.kind.name(),
        what: fault.what.clone(),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use unolab_agents::fault::FaultCause;

    use super::super::tests::{Played, assert_columns_are_the_fields};
    use super::*;
    use crate::count::faults::FaultInGame;
    use crate::schedule::seating::EntrantId;

    #[test]
    fn each_fault_stands_at_its_game() {
        let mut played = Played::new(&["random", "greedy"], &[2, 4]);
        let what = "slow, \"so\"".into();
        let fault = FaultInGame { index: 40, set: 2, seat: 3, decision: 7, kind: FaultCause::GameTime, what };
        played.tallies[1].note_fault(EntrantId::new(1), fault);
        let rows: Vec<FaultRow> = played.sections().flat_map(rows).collect();
        let [row] = &rows[..] else { panic!("one row") };
        assert_eq!((&*row.variant, row.seats, &*row.entrant, row.kind), ("classic", 4, "greedy", "game-time"));
        assert_columns_are_the_fields(row);
    }
}
