//! The faults of agents in words.

use unolab_arena::tables::faults::{self, FaultRow};
use unolab_arena::tables::{PlayedSection, summary};
use unolab_arena::words::counted;

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
