//! `league.csv`: how each season of a league ended.

use serde::Serialize;

use super::Row;

/// An entrant at the end of a season.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct LeagueRow {
    pub variant: String,
    pub seats: usize,
    pub season: u64,
    pub tier: usize,
    pub entrant: String,
    pub rating: f64,
    pub place: usize,
    pub next_tier: usize,
}

impl Row for LeagueRow {
    const FILE: &'static str = "league.csv";
    const ROW: &'static str = "an entrant at the end of a season (only with `--format league`)";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules played"),
        ("seats", "the number of seats"),
        ("season", "from 1; each plays a fourth of the sets"),
        ("tier", "its tier in the season, 1 for the highest"),
        ("entrant", "its name"),
        ("rating", "its strength in the season's games of its tier: Elo points, mean 0"),
        ("place", "its place in its tier"),
        ("next_tier", "its tier afterwards: the last of a tier and the best of the next change places"),
    ];
}
