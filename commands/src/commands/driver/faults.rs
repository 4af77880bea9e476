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

/// The number of games that each entrant has lost by faults, of those that have lost any.
pub(in crate::commands) fn lost_by_faults<'a>(sections: impl Iterator<Item = PlayedSection<'a>>) -> Vec<(String, u64)> {
    let mut lost: Vec<(String, u64)> = Vec::new();
    for played in sections {
        for (entrant, tally) in played.spec.entrants.iter().zip(played.tally.by_entrant()) {
            let games = tally.faults.total();
            match lost.iter_mut().find(|(name, _)| *name == entrant.name) {
                _ if games == 0 => {}
                Some((_, all)) => *all += games,
                None => lost.push((entrant.name.clone(), games)),
            }
        }
    }
    lost
}

/// `games lost by faults: mine 12, other 3`; empty if there are none.
pub(super) fn lost_summary(lost: &[(String, u64)]) -> String {
    let mut text = String::new();
    for (number, (entrant, games)) in lost.iter().enumerate() {
        let lead = if number == 0 { "games lost by faults:" } else { "," };
        let _ = write!(text, "{lead} {entrant} {}", grouped(*games));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_games_are_listed_by_entrant() {
        assert_eq!(lost_summary(&[]), "");
        let lost = [("mine".to_owned(), 1_200), ("other".to_owned(), 3)];
        assert_eq!(lost_summary(&lost), "games lost by faults: mine 1,200, other 3");
    }
}
