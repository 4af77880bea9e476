//! The table of a league.

use std::cmp::Ordering;

use unolab_agents::printable::printable;
use unolab_arena::tables::league::LeagueRow;
use unolab_arena::words::counted;

use super::plain::plain_table;

/// The final standings of the seasons of a league.
#[must_use]
pub fn league_table(rows: &[LeagueRow], width: u16) -> String {
    let Some(last) = rows.last() else { return String::new() };
    let moves = |row: &LeagueRow| match row.next_tier.cmp(&row.tier) {
        Ordering::Less => "promoted",
        Ordering::Equal => "",
        Ordering::Greater => "relegated",
    };
    let cells = |row: &LeagueRow| {
        let rating = format!("{:+.1}", row.rating);
        vec![row.season.to_string(), row.tier.to_string(), row.entrant.clone(), rating, moves(row).to_owned()]
    };
    let table = plain_table(vec!["season", "tier", "entrant", "Elo", ""], rows.iter().map(cells), width, 3);
    format!("{}, {} seats: {}\n{table}\n", printable(&last.variant), last.seats, counted(last.season, "season"))
}
