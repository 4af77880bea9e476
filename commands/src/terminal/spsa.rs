//! The numbers of a tuned agent.

use unolab_arena::tables::row;

use super::plain::plain_table;

row! {
    /// A tuned number.
    pub struct SpsaRow in "spsa.csv", "one tuned number" {
        /// its name
        option: String,
        /// its value at the beginning
        start: String,
        /// its mean over the last quarter of the steps
        tuned: String,
        /// its lower bound
        low: String,
        /// its upper bound
        high: String,
    }
}

/// The tuned numbers, with the size of the work in the title.
#[must_use]
pub fn spsa_table(rows: &[SpsaRow], work: &str, width: u16) -> String {
    let cells = |row: &SpsaRow| {
        let range = format!("{} to {}", row.low, row.high);
        vec![row.option.clone(), row.start.clone(), row.tuned.clone(), range]
    };
    let table = plain_table(vec!["option", "start", "tuned", "allowed"], rows.iter().map(cells), width, 1);
    format!("{work}\n{table}\n")
}
