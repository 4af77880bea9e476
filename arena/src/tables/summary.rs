//! `summary.csv`: the results of each entrant.

use unolab_stats::elo::{elo, elo_bounds};
use unolab_stats::interval::Coverage;
use unolab_stats::share::{Mean, Share};

use super::{PlayedSection, bounds, row};
use crate::count::tally::EntrantTally;
use crate::play::record::WIN;
use crate::schedule::seating::EntrantId;
use crate::spec::Entrant;

row! {
    /// The results of one entrant in one section.
    pub struct SummaryRow in "summary.csv", "one entrant in one variant at one number of seats, in the order of `--agents`" {
        /// its name; a second entrant with the same agent is `agent#2`
        entrant: String,
        /// the agent and its options, as given to `--agents`
        agent: String,
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// deals
        sets: u64,
        /// its seat-games
        games: u64,
        /// games won; a win shared by k counts 1/k, and a blocked or truncated game counts 1/seats for every seat. Fixed
        /// partners win together, so the win counts for both seats of a team
        wins: f64,
        /// its seat-games without a winner: blocked, truncated, or lost by every player
        unfinished: u64,
        /// wins / games
        win_share: Option<f64>,
        /// standard error of the win share, over sets
        se: Option<f64>,
        /// lower bound of the win share: Student's interval with sets − 1 degrees of freedom, limited to 0 and 1, or the
        /// exact bound of a rare event if it is wider and few sets are unequal (fewer than 25, and at most a tenth). Below
        /// 0.05 or above 0.95 it is Wilson's interval for n_eff games (for the number of sets if n_eff is not defined)
        ci_low: Option<f64>,
        /// upper bound of the win share
        ci_high: Option<f64>,
        /// lower bound that is valid for all entrants of the variant and number of seats together: as ci_low, with
        /// Bonferroni's correction
        simultaneous_low: Option<f64>,
        /// upper bound that is valid for all entrants together
        simultaneous_high: Option<f64>,
        /// lower bound that is valid at every number of sets, so that you may read or stop the run at any time: an asymptotic
        /// confidence sequence (Waudby-Smith and others 2024)
        anytime_low: Option<f64>,
        /// upper bound that is valid at every number of sets
        anytime_high: Option<f64>,
        /// the number of independent games with the same error: games / design_effect
        n_eff: Option<f64>,
        /// squared standard error over sets / squared standard error of independent games
        design_effect: Option<f64>,
        /// if the entrant plays against copies of one other entrant in all other seats: its Elo difference from the other,
        /// 400 log10(s (seats − 1) / (1 − s)) for its win share s; with fixed partners, teams replace seats. Empty in a mixed
        /// field; see ratings.csv
        share_elo: Option<f64>,
        /// the same for ci_low
        share_elo_low: Option<f64>,
        /// the same for ci_high
        share_elo_high: Option<f64>,
        /// mean card points per seat-game: the points that the winner scores, with losses as 0; if every player is charged
        /// for their own hand, these are penalty points, and fewer are better
        points_mean: Option<f64>,
        /// its standard error, over sets
        points_se: Option<f64>,
        /// rounds dealt in its seat-games
        rounds: u64,
        /// turns of all seats per game
        turns_mean: Option<f64>,
        /// decisions of all seats in its seat-games
        decisions: u64,
        /// its games lost by a crash
        crashes: u64,
        /// its games lost by a timeout
        timeouts: u64,
        /// its games lost by an illegal answer
        illegal: u64,
    }
}

/// The rows of a section.
#[must_use]
pub fn rows(played: PlayedSection<'_>) -> Vec<SummaryRow> {
    let (seats, teams) = (played.section.seats, played.section.num_teams());
    let alone = played.section.alone_against_copies();
    let together = Coverage::Simultaneous(played.spec.entrants.len());
    let stake = played.section.stake(&played.spec.entrants);
    let row = |((number, tally), entrant): ((usize, &EntrantTally), &Entrant)| {
        let share = Share::of(&tally.results.wins, WIN, stake);
        let points = Mean::of(&tally.results.points, 1);
        let games = share.mean.games;
        let is_alone = alone.contains(&EntrantId::new(number));
        let elo_interval = share.interval.filter(|_| is_alone);
        let (share_elo_low, share_elo_high) = elo_interval.map_or((None, None), |interval| elo_bounds(interval, teams));
        let (simultaneous_low, simultaneous_high) = bounds(share.interval_of(together));
        let (anytime_low, anytime_high) = bounds(share.interval_of(Coverage::Anytime));
        SummaryRow {
            entrant: entrant.name.clone(),
            agent: entrant.agent.clone(),
            variant: played.variant().name.clone(),
            seats,
            sets: share.mean.sets,
            games,
            wins: tally.results.wins.by_sets.total as f64 / WIN as f64,
            unfinished: tally.unfinished,
            win_share: share.mean.value,
            se: share.mean.standard_error,
            ci_low: share.interval.map(|interval| interval.low),
            ci_high: share.interval.map(|interval| interval.high),
            simultaneous_low,
            simultaneous_high,
            anytime_low,
            anytime_high,
            n_eff: share.mean.n_eff(),
            design_effect: share.mean.design_effect,
            share_elo: share.mean.value.filter(|_| is_alone).and_then(|share| elo(share, teams)),
            share_elo_low,
            share_elo_high,
            points_mean: points.value,
            points_se: points.standard_error,
            rounds: tally.rounds,
            turns_mean: (games > 0).then(|| tally.turns as f64 / games as f64),
            decisions: tally.decisions,
            crashes: tally.faults.crashes,
            timeouts: tally.faults.timeouts,
            illegal: tally.faults.illegal,
        }
    };
    played.tally.by_entrant().iter().enumerate().zip(&played.spec.entrants).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::Played;
    use super::*;

    #[test]
    fn single_game_has_turn_count() {
        let played = Played::new(&["random", "greedy", "first-legal"], &[2]).only_one_game();
        let turns: Vec<_> = played.sections().flat_map(rows).map(|row| (row.games, row.turns_mean)).collect();
        assert_eq!(turns, [(1, Some(50.0)), (1, Some(50.0)), (0, None)]);
    }

    #[test]
    fn rows_are_ordered_by_variant_seats_and_entrant() {
        let played = Played::new(&["random", "greedy", "random"], &[2, 4]);
        let rows: Vec<SummaryRow> = played.sections().flat_map(rows).collect();
        let heads: Vec<(&str, usize)> = rows.iter().map(|row| (&*row.entrant, row.seats)).collect();
        let expected = [("random", 2), ("greedy", 2), ("random#2", 2), ("random", 4), ("greedy", 4), ("random#2", 4)];
        assert_eq!(heads, expected);
        // At two seats each of three entrants meets two others, at two seatings, ten times.
        assert_eq!((rows[0].games, rows[0].sets, rows[0].rounds, rows[0].decisions), (40, 10, 40, 2400));
        assert!((rows.iter().take(3).map(|row| row.wins).sum::<f64>() - 60.0).abs() < 1e-12);
        assert_eq!(rows[0].turns_mean, Some(50.0));
    }
}
