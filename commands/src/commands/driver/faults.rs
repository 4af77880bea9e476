//! The faults of agents in words.

use std::fmt::Write as _;

use unolab_arena::tables::faults::{self, FaultRow};
use unolab_arena::tables::{PlayedSection, summary};
use unolab_arena::words::{counted, grouped};

/// A line for each entrant that has lost games by faults: how many, and the first.
pub(in crate::commands) fn faults_in_words<'a>(sections: impl Iterator<Item = PlayedSection<'a>> + Clone) -> String {
    let faults: Vec<FaultRow> = sections.clone().flat_map(faults::rows).collect();
    let mut text = String::new();
    for row in sections.flat_map(summary::rows).filter(|row| row.crashes + row.timeouts + row.illegal > 0) {
        text += &format!(
            "{} in {} at {} seats lost games by {}, {}, {}",
            row.entrant,
            row.variant,
            row.seats,
            counted(row.crashes, "crash"),
            counted(row.timeouts, "timeout"),
            counted(row.illegal, "illegal answer")
        );
        let is_its = |fault: &&FaultRow| {
            (&fault.entrant, &fault.variant, fault.seats) == (&row.entrant, &row.variant, row.seats)
        };
        if let Some(first) = faults.iter().find(is_its) {
            text += &format!("; first in game {}, decision {}: {}", first.index, first.decision, first.what);
        }
        text.push('\n');
    }
    text
}

/// The faults of a run in progress.
#[derive(Debug, Default)]
pub(in crate::commands) struct FaultsSoFar {
    /// The number of games that each entrant has lost by faults, of those that have lost any.
    pub(in crate::commands) lost: Vec<(String, u64)>,
    /// The first faults of each entrant in each section.
    pub(in crate::commands) first: Vec<FaultRow>,
}

impl FaultsSoFar {
    /// The faults in these sections.
    pub(in crate::commands) fn of<'a>(sections: impl Iterator<Item = PlayedSection<'a>>) -> Self {
        let mut so_far = Self::default();
        for played in sections {
            for (entrant, tally) in played.spec.entrants.iter().zip(played.tally.by_entrant()) {
                let games = tally.faults.total();
                match so_far.lost.iter_mut().find(|(name, _)| *name == entrant.name) {
                    _ if games == 0 => {}
                    Some((_, all)) => *all += games,
                    None => so_far.lost.push((entrant.name.clone(), games)),
                }
            }
            so_far.first.extend(faults::rows(played));
        }
        so_far
    }

    /// `games lost by faults: mine 12, other 3`; empty if there are none.
    pub(super) fn in_short(&self) -> String {
        let mut text = String::new();
        for (number, (entrant, games)) in self.lost.iter().enumerate() {
            let lead = if number == 0 { "games lost by faults:" } else { "," };
            let _ = write!(text, "{lead} {entrant} {}", grouped(*games));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_games_are_listed_by_entrant() {
        assert_eq!(FaultsSoFar::default().in_short(), "");
        let lost = vec![("mine".to_owned(), 1_200), ("other".to_owned(), 3)];
        let so_far = FaultsSoFar { lost, ..FaultsSoFar::default() };
        assert_eq!(so_far.in_short(), "games lost by faults: mine 1,200, other 3");
    }
}
