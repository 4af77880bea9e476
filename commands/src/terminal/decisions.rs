//! The table of decisions.

use unolab_arena::tables::decisions::DecisionRow;

use super::plain::plain_table;

/// Every decision with the chosen action, its rank, and the best action.
#[must_use]
pub fn decisions_table(rows: &[DecisionRow], width: u16) -> String {
    let cells = |row: &DecisionRow| {
        let better = if row.rank == 1 { String::new() } else { format!("{} ({:.3})", row.best, row.best_value) };
        vec![
            row.agent.clone(),
            format!("{} ({:.3})", row.chosen, row.value),
            better,
            format!("{} of {}", row.rank, row.actions),
            format!("{:.3}", row.regret),
            row.seat.to_string(),
            row.line.to_string(),
        ]
    };
    let header = vec!["agent", "chosen (value)", "better (value)", "rank", "regret", "seat", "line"];
    plain_table(header, rows.iter().map(cells), width, 3)
}
