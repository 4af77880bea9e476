//! The tables of the quality of choices.

use unolab_arena::tables::decisions::DecisionRow;
use unolab_arena::tables::quality::QualityRow;
use unolab_arena::words::grouped;

use super::plain::{plain_table, with_bounds};

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
            format!("{:.3} ± {:.3}", row.regret, row.regret_se),
            row.seat.to_string(),
            row.line.to_string(),
        ]
    };
    let header = vec!["agent", "chosen (value)", "better (value)", "rank", "regret ± se", "seat", "line"];
    plain_table(header, rows.iter().map(cells), width, 3)
}

/// The quality of each agent's choices, over all of them and at each number of legal actions.
#[must_use]
pub fn quality_table(rows: &[QualityRow], width: u16) -> String {
    let cells = |row: &QualityRow| {
        vec![
            row.agent.clone(),
            row.actions.map_or_else(|| "any".to_owned(), |actions| actions.to_string()),
            grouped(row.decisions),
            grouped(row.deals),
            format!("{:.1}", 100.0 * row.hit_rate),
            format!("{:.1}", 100.0 * row.tie_rate),
            format!("{:.2}", row.mean_rank),
            with_bounds(Some(row.mean_regret), row.ci_low, row.ci_high, |regret| format!("{regret:.4}")),
            format!("{:.4}", row.noise_floor),
        ]
    };
    let header =
        vec!["agent", "K", "choices", "deals", "ODHR@K %", "tie %", "ADR@K", "mean regret [95%]", "noise floor"];
    plain_table(header, rows.iter().map(cells), width, 1)
}
