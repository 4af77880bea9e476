//! The result of a match of two: one entrant against copies of the other.

use unolab_stats::elo::{elo, elo_bounds};
use unolab_stats::interval::Coverage;
use unolab_stats::sprt::Effect;

use super::{PlayedSection, bounds};
use crate::count::evidence::set_unit;
use crate::schedule::seating::EntrantId;

/// One entrant, `a`, against copies of another, `b`, in one variant at one number of seats. All numbers are about `a`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatchResult {
    /// The rules.
    pub variant: String,
    /// The number of seats.
    pub seats: usize,
    /// The entrant with one side of each table.
    pub a: String,
    /// The entrant with all other sides.
    pub b: String,
    /// Deals.
    pub sets: u64,
    /// Games: deals times seatings.
    pub games: u64,
    /// The share of an equal entrant.
    pub fair_share: f64,
    /// Games won; a win shared by k counts 1/k.
    pub wins: f64,
    /// Games won by `b`.
    pub losses: f64,
    /// Games without a winner, which count as a fair share.
    pub unfinished: u64,
    /// Wins per game, with its interval.
    pub win_share: [Option<f64>; 3],
    /// The Elo difference from `b`, with its interval; none where the share is 0 or 1.
    pub elo: [Option<f64>; 3],
    /// The difference in normalized Elo, with its interval.
    pub nelo: [Option<f64>; 3],
    /// The likelihood of superiority.
    pub los: Option<f64>,
    /// Sets with more wins than the fair share.
    pub sets_won: u64,
    /// Sets with fewer wins than the fair share.
    pub sets_lost: u64,
    /// The number of sets with each number of wins, fewest wins first.
    pub sets_by_wins: Vec<(f64, u64)>,
    /// Card points per game of `a` and of `b`.
    pub points: [Option<f64>; 2],
}

impl MatchResult {
    /// The result of a section, with intervals of this coverage; `None` if it is not one entrant against copies of another, or
    /// if nothing was played.
    #[must_use]
    pub fn of(played: PlayedSection<'_>, coverage: Coverage) -> Option<Self> {
        let (section, entrants) = (played.section, &played.spec.entrants);
        let [a, b] = &entrants[..] else { return None };
        let totals = played.tally.set_totals();
        let is_alone = section.alone_against_copies().contains(&EntrantId::new(0));
        if !is_alone || totals.is_empty() {
            return None;
        }
        let unit = set_unit(section, entrants);
        let Effect { sets, games, mean, mean_interval, nelo, nelo_interval, .. } = unit.effect(totals, coverage);
        let [of_a, of_b] = [0, 1].map(|entrant: usize| &played.tally.by_entrant()[entrant]);
        let unfinished = of_a.unfinished / section.team_size as u64;
        let total: u64 = totals.iter().map(|(total, sets)| total * sets).sum();
        let wins = total as f64 / unit.win as f64 - unfinished as f64 * unit.fair_share;
        let fair_total = u128::from(unit.win * unit.games);
        let sides = section.num_teams() as u128;
        let sets_where = |accepts: &dyn Fn(std::cmp::Ordering) -> bool| -> u64 {
            let accepted = totals.iter().filter(|&(total, _)| accepts((u128::from(total) * sides).cmp(&fair_total)));
            accepted.map(|(_, sets)| sets).sum()
        };
        let pair = played.tally.by_pair().next();
        let los = pair
            .and_then(|(a, b, tally)| tally.share(section.stake_of_pair(entrants, a, b)).likelihood_of_superiority());
        let with_bounds = |value: Option<f64>, (low, high): (Option<f64>, Option<f64>)| [value, low, high];
        let elo_interval = mean_interval.map_or((None, None), |interval| elo_bounds(interval, section.num_teams()));
        let points = |tally: &crate::count::tally::EntrantTally| {
            let points = tally.results.points.by_sets;
            (points.games > 0).then(|| points.total as f64 / points.games as f64)
        };
        Some(Self {
            variant: played.variant().name.clone(),
            seats: section.seats,
            a: a.name.clone(),
            b: b.name.clone(),
            sets,
            games,
            fair_share: unit.fair_share,
            wins,
            losses: (games - unfinished) as f64 - wins,
            unfinished,
            win_share: with_bounds(Some(mean), bounds(mean_interval)),
            elo: with_bounds(elo(mean, section.num_teams()), elo_interval),
            nelo: with_bounds(nelo, bounds(nelo_interval)),
            los,
            sets_won: sets_where(&|order| order.is_gt()),
            sets_lost: sets_where(&|order| order.is_lt()),
            sets_by_wins: totals.iter().map(|(total, sets)| (total as f64 / unit.win as f64, sets)).collect(),
            points: [points(of_a), points(of_b)],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::summary;
    use super::super::tests::Played;
    use super::*;

    fn assert_close(found: Option<f64>, expected: Option<f64>) {
        let (found, expected) = (found.unwrap(), expected.unwrap());
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn match_of_two_agrees_with_its_rows() {
        let played = Played::new(&["random", "greedy"], &[2]);
        let section = played.sections().next().unwrap();
        let result = MatchResult::of(section, Coverage::Pointwise).unwrap();
        let row = summary::rows(section).remove(0);
        assert_eq!((result.sets, result.games, result.unfinished), (10, 20, 0));
        for (found, expected) in result.win_share.into_iter().zip([row.win_share, row.ci_low, row.ci_high]) {
            assert_close(found, expected);
        }
        for (found, expected) in result.elo.into_iter().zip([row.share_elo, row.share_elo_low, row.share_elo_high]) {
            assert_close(found, expected);
        }
        assert!((result.wins - row.wins).abs() < 1e-9 && (result.wins + result.losses - 20.0).abs() < 1e-9);
        assert_eq!(Some(result.sets_won + result.sets_lost), section.unequal_sets());
        assert_eq!(result.sets_by_wins.iter().map(|(_, sets)| sets).sum::<u64>(), 10);
        let wins: f64 = result.sets_by_wins.iter().map(|&(wins, sets)| wins * sets as f64).sum();
        assert!((wins - result.wins).abs() < 1e-9);
        let [Some(nelo), Some(low), Some(high)] = result.nelo else { panic!("{:?}", result.nelo) };
        assert!(low < nelo && nelo < high);
        let anytime = MatchResult::of(section, Coverage::Anytime).unwrap();
        assert!(anytime.nelo[1].unwrap() < low && anytime.win_share[1] < result.win_share[1]);
    }

    #[test]
    fn only_one_against_copies_of_one_other_is_a_match_of_two() {
        for (agents, seats) in [(&["random", "greedy", "first-legal"][..], 2), (&["random", "greedy"], 4)] {
            let played = Played::new(agents, &[seats]);
            assert_eq!(MatchResult::of(played.sections().next().unwrap(), Coverage::Pointwise), None, "{agents:?}");
        }
    }
}
