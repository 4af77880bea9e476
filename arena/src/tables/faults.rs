//! `faults.csv`: the faults of agents.

use unolab_agents::printable::printable;

use super::{PlayedSection, row};

row! {
    /// One fault.
    pub struct FaultRow in "faults.csv",
        "a fault that lost an agent a game (the file exists only if there are any): the first 100 of each entrant per \
         variant and number of seats; summary.csv counts all of them" {
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// the entrant at fault
        entrant: String,
        /// the number of the game in the run, as in games.csv
        index: u64,
        /// the deal of the game
        set: u64,
        /// the seat of the agent
        seat: usize,
        /// the number of the decision among the agent's decisions in the game, from 1
        decision: u32,
        /// `crash` (counted in crashes), `decision-time`, `game-time` (timeouts), `malformed`, `stale`, `illegal`, or `flood`
        /// (illegal)
        kind: String,
        /// a description of the fault
        what: String,
    }
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
        kind: fault.kind.name().into(),
        what: printable(&fault.what),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use unolab_agents::fault::FaultCause;

    use super::super::tests::Played;
    use super::*;
    use crate::count::faults::FaultInGame;
    use crate::schedule::seating::EntrantId;

    #[test]
    fn fault_row_names_its_game() {
        let mut played = Played::new(&["random", "greedy"], &[2, 4]);
        let what = "slow, \"so\"".into();
        let fault = FaultInGame { index: 40, set: 2, seat: 3, decision: 7, kind: FaultCause::GameTime, what };
        played.tallies[1].note_fault(EntrantId::new(1), fault);
        let rows: Vec<FaultRow> = played.sections().flat_map(rows).collect();
        let [row] = &rows[..] else { panic!("one row") };
        assert_eq!((&*row.variant, row.seats, &*row.entrant, &*row.kind), ("classic", 4, "greedy", "game-time"));
    }
}
