//! `offences.csv`: what agents did wrong, by name.

use serde::Serialize;

use super::{PlayedSection, Row};

/// One offence.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct OffenceRow {
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

impl Row for OffenceRow {
    const FILE: &'static str = "offences.csv";
    const ROW: &'static str = "an offence that cost an agent a game (only if there are any): the first 100 of each \
                               entrant in a variant at a number of seats; summary.csv counts them all";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules played"),
        ("seats", "the number of seats"),
        ("entrant", "whose offence it is"),
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
pub fn rows(played: PlayedSection<'_>) -> Vec<OffenceRow> {
    let of = played.tally.offences().iter();
    of.map(|(entrant, offence)| OffenceRow {
        variant: played.variant().name.clone(),
        seats: played.section.seats,
        entrant: played.entrant(entrant).name.clone(),
        index: offence.index,
        set: offence.set,
        seat: offence.seat,
        decision: offence.decision,
        kind: offence.kind.name(),
        what: offence.what.clone(),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use unolab_agents::offence::OffenceKind;

    use super::super::tests::{Played, assert_columns_are_the_fields};
    use super::*;
    use crate::count::offences::OffenceInGame;
    use crate::schedule::seating::EntrantId;

    #[test]
    fn each_offence_stands_at_its_game() {
        let mut played = Played::new(&["random", "greedy"], &[2, 4]);
        let what = "slow, \"so\"".into();
        let offence = OffenceInGame { index: 40, set: 2, seat: 3, decision: 7, kind: OffenceKind::GameTime, what };
        played.tallies[1].note_offence(EntrantId::new(1), offence);
        let rows: Vec<OffenceRow> = played.sections().flat_map(rows).collect();
        let [row] = &rows[..] else { panic!("one row") };
        assert_eq!((&*row.variant, row.seats, &*row.entrant, row.kind), ("classic", 4, "greedy", "game-time"));
        assert_columns_are_the_fields(row);
    }
}
