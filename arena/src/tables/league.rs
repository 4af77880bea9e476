//! `league.csv`: the result of each season of a league.

use super::row;

row! {
    /// An entrant at the end of a season.
    pub struct LeagueRow in "league.csv", "an entrant at the end of a season (only with `--format league`)" {
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// the number of the season, from 1; each season plays a fourth of the sets
        season: u64,
        /// its tier in the season, 1 for the highest
        tier: usize,
        /// its name
        entrant: String,
        /// its strength in the season's games of its tier: Elo points, mean 0
        rating: f64,
        /// its place in its tier
        place: usize,
        /// its tier after the season: the last of a tier and the best of the next tier trade places
        next_tier: usize,
    }
}
