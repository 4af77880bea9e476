//! The table of luck-adjusted win shares.

use unolab_arena::tables::luck::LuckRow;

use super::InterimLooks;
use super::plain::{plain_table, with_bounds};

/// The raw and luck-adjusted win shares of a section, with the bounds for these looks; empty without adjustment. An anytime
/// interval is shown only for the adjusted share; the raw share's interval is in another table.
#[must_use]
pub fn luck_table(rows: &[LuckRow], looks: InterimLooks, width: u16) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let cells = |row: &LuckRow| {
        let (raw, [low, high]) = match looks {
            InterimLooks::One => ([row.ci_low, row.ci_high], [row.ci_low_adjusted, row.ci_high_adjusted]),
            InterimLooks::Any => ([None, None], [row.anytime_low_adjusted, row.anytime_high_adjusted]),
        };
        vec![
            row.entrant.clone(),
            with_bounds(row.win_share, raw[0], raw[1], percent),
            with_bounds(row.win_share_adjusted, low, high, percent),
            with_bounds(row.relative_efficiency, row.relative_efficiency_low, row.relative_efficiency_high, |ratio| {
                format!("{ratio:.2}")
            }),
        ]
    };
    let [share, adjusted] = match looks {
        InterimLooks::One => ["win share % [95%]", "luck-adjusted % [95%]"],
        InterimLooks::Any => ["win share %", "luck-adjusted % [95% at any time]"],
    };
    let header = ["entrant", share, adjusted, "gain in games [95%]"];
    let mut strongest_first: Vec<&LuckRow> = rows.iter().collect();
    strongest_first.sort_by(|a, b| b.win_share.unwrap_or(-1.0).total_cmp(&a.win_share.unwrap_or(-1.0)));
    plain_table(header.into(), strongest_first.into_iter().map(cells), width, 1) + "\n\n"
}
