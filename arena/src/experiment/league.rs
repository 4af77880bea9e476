//! A league: tiers of entrants, seasons, promotion and relegation by rating.
//!
//! Each season every tier plays a round robin of its own, all on the same deals. Then the best of each tier and the last of
//! the one above change places. Who meets whom depends on the results, so a league is no schedule that is known beforehand.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use unolab_stats::ratings::matches::{Evidence, RunEvidence};
use unolab_stats::ratings::plackett_luce::Strengths;

use crate::count::evidence::run_evidence;
use crate::count::tally::Tally;
use crate::run::shard::Done;
use crate::run::standing::Counts;
use crate::run::stretches::{End, in_stretches};
use crate::schedule::contest::{Contest, ContestError};
use crate::spec::{Command, Format, Spec};
use crate::tables::league::LeagueRow;

/// How many seasons the sets are cut into.
pub const SEASONS: u64 = 4;

/// The smallest number of entrants that a tier is planned for, unless the tables are larger.
const TIER_SIZE: usize = 4;

/// Entrants by tier, the highest first; in each tier the best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiers(Vec<Vec<usize>>);

impl Tiers {
    /// So many entrants in tiers as equal as can be, of four or as many as a table has seats; those named first are highest.
    #[must_use]
    pub fn new(num_entrants: usize, seats: usize) -> Self {
        let num_tiers = num_entrants.div_ceil(TIER_SIZE.max(seats)).max(1);
        let edge = |tier: usize| (num_entrants * tier).div_ceil(num_tiers);
        Self((0..num_tiers).map(|tier| (edge(tier)..edge(tier + 1)).collect()).collect())
    }

    /// The tiers, the highest first.
    #[must_use]
    pub fn tiers(&self) -> &[Vec<usize>] {
        &self.0
    }

    /// Orders each tier by these ratings, by entrant; equal ones keep their order.
    fn order_by(&mut self, ratings: &[f64]) {
        for tier in &mut self.0 {
            tier.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
        }
    }

    /// The last of each tier and the first of the next change places. Nobody moves by two tiers.
    fn promote(&mut self) {
        let ends: Vec<(usize, usize)> =
            self.0.windows(2).map(|pair| (pair[0][pair[0].len() - 1], pair[1][0])).collect();
        for (upper, (down, up)) in ends.into_iter().enumerate() {
            // A tier of one entrant has it as first and last: it has moved already.
            if let (Some(last), Some(first)) =
                (self.0[upper].iter().position(|&e| e == down), self.0[upper + 1].iter().position(|&e| e == up))
            {
                (self.0[upper][last], self.0[upper + 1][first]) = (up, down);
            }
        }
    }
}

/// How a season ended for an entrant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// The season, from 1.
    pub season: u64,
    /// Its tier in the season, from 1 for the highest.
    pub tier: usize,
    /// The entrant.
    pub entrant: usize,
    /// Its rating among its tier, in Elo points with a mean of 0.
    pub rating: f64,
    /// Its place in its tier.
    pub place: usize,
    /// Its tier afterwards.
    pub next_tier: usize,
}

/// A league of one variant at one number of seats, played.
#[derive(Debug, Clone)]
pub struct PlayedLeague {
    /// Season by season, tier by tier, the best first.
    pub standings: Vec<Standing>,
    /// What its games tell of all entrants.
    pub evidence: Evidence,
    /// The counts of all its games.
    pub tally: Tally,
    /// How many seats win together.
    pub team_size: usize,
}

/// What plays the sets of a contest's only section. None if it is stopped.
pub type PlaySets<'a, E> = dyn FnMut(&Contest, Range<u64>) -> Result<Option<Tally>, E> + 'a;

/// What has been counted of leagues: the seasons of tiers, in the order in which they are played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaguePart {
    done: u64,
    of: u64,
    finished: Vec<Tally>,
    /// The one that is being played.
    begun: Option<Begun>,
}

/// The season of a tier, begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Begun {
    /// The first set that is not counted.
    next: u64,
    tally: Tally,
}

impl LeaguePart {
    /// Nothing counted yet of the leagues of a spec.
    #[must_use]
    pub fn new(spec: &Spec) -> Self {
        let tiers = spec.seats.iter().map(|&seats| Tiers::new(spec.entrants.len(), seats).tiers().len() as u64);
        let of = tiers.sum::<u64>() * spec.variants.len() as u64 * spec.sets;
        Self { done: 0, of, finished: Vec::new(), begun: None }
    }

    /// What is counted of the season of a tier that is being played.
    #[must_use]
    pub fn under_way(&self) -> Option<&Tally> {
        self.begun.as_ref().map(|begun| &begun.tally)
    }

    /// Whether what is counted of the season of this number may be these sets of a contest. What was not written by this
    /// program may not.
    #[must_use]
    pub fn fits(&self, number: usize, sets: &Range<u64>, contest: &Contest) -> bool {
        let empty = Tally::new(contest.spec().entrants.len(), contest.schedule().sections[0].seats);
        match (self.finished.get(number), &self.begun) {
            (Some(tally), _) => tally.has_shape_of(&empty),
            (None, Some(Begun { next, tally })) => (sets.start..=sets.end).contains(next) && tally.has_shape_of(&empty),
            (None, None) => true,
        }
    }

    /// The counts of the season of this number: those that there are, or of the sets played now, stretch by stretch, with
    /// everything kept in between. None if it is stopped.
    ///
    /// # Errors
    /// What `keep` has.
    pub fn season<E>(
        &mut self,
        number: usize,
        sets: Range<u64>,
        contest: &Contest,
        mut play: impl FnMut(Range<u64>) -> Option<Tally>,
        mut keep: impl FnMut(&Self) -> Result<(), E>,
    ) -> Result<Option<Tally>, E> {
        if let Some(tally) = self.finished.get(number) {
            return Ok(Some(tally.clone()));
        }
        let empty = Tally::new(contest.spec().entrants.len(), contest.schedule().sections[0].seats);
        let next = self.begun.get_or_insert(Begun { next: sets.start, tally: empty.clone() }).next;
        let end = in_stretches(next..sets.end, |stretch| {
            let (begin, end) = (stretch.start, stretch.end);
            let Some(more) = play(stretch) else { return Ok(End::Stopped) };
            if let Some(begun) = &mut self.begun {
                begun.tally.merge(&more);
                begun.next = end;
            }
            self.done += end - begin;
            keep(self).map(|()| End::Finished)
        })?;
        if end == End::Stopped {
            return Ok(None);
        }
        let tally = self.begun.take().map_or(empty, |begun| begun.tally);
        self.finished.push(tally.clone());
        Ok(Some(tally))
    }
}

impl Counts for LeaguePart {
    fn done(&self) -> Done {
        Done { done: self.done, of: self.of }
    }
}

/// What these members of a tier play in a season, or over all seasons: a tournament of their own, in the order in which they
/// were named, so that pairs stay the same way round.
#[must_use]
pub fn spec_of_tier(spec: &Spec, variant: usize, seats: usize, members: &[usize]) -> Spec {
    Spec {
        command: Command::Tournament { format: Format::RoundRobin },
        entrants: members.iter().map(|&member| spec.entrants[member].clone()).collect(),
        variants: vec![spec.variants[variant].clone()],
        seats: vec![seats],
        ..spec.clone()
    }
}

/// The sets of a season, from 0, of so many in all.
#[must_use]
pub const fn sets_of_season(sets: u64, season: u64) -> Range<u64> {
    sets * season / SEASONS..sets * (season + 1) / SEASONS
}

/// Plays a league of one variant at one number of seats, both named by their place in the spec. None if it is stopped.
///
/// # Errors
/// If rules, agents and seats do not go together, or `play` has one.
pub fn play_league<E: From<ContestError>>(
    spec: &Spec,
    variant: usize,
    seats: usize,
    contest_of: &dyn Fn(Spec) -> Result<Contest, ContestError>,
    play: &mut PlaySets<'_, E>,
) -> Result<Option<PlayedLeague>, E> {
    let num_entrants = spec.entrants.len();
    let mut tiers = Tiers::new(num_entrants, seats);
    let evidence = Evidence {
        variant: spec.variants[variant].name.clone(),
        seats,
        entrants: spec.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
        runs: Vec::new(),
    };
    let mut league =
        PlayedLeague { standings: Vec::new(), evidence, tally: Tally::new(num_entrants, seats), team_size: 1 };
    for season in 0..SEASONS {
        let sets = sets_of_season(spec.sets, season);
        if sets.is_empty() {
            continue;
        }
        let mut ratings = vec![0.0; num_entrants];
        for tier in tiers.tiers() {
            let mut members = tier.clone();
            members.sort_unstable();
            let contest = contest_of(spec_of_tier(spec, variant, seats, &members))?;
            let Some(tally) = play(&contest, sets.clone())? else { return Ok(None) };
            let section = &contest.schedule().sections[0];
            league.team_size = section.team_size;
            let run = run_evidence(section, &tally);
            let of_tier = Evidence {
                entrants: members.iter().map(|&member| spec.entrants[member].name.clone()).collect(),
                runs: vec![run.clone()],
                ..league.evidence.clone()
            };
            let elo = Strengths::fit(&of_tier.design(), &of_tier.totals()).elo();
            members.iter().zip(elo).for_each(|(&member, elo)| ratings[member] = elo);
            league.tally.merge_part(&tally, &members);
            league.evidence.runs.push(RunEvidence { entrants: members, ..run });
        }
        tiers.order_by(&ratings);
        let played = tiers.clone();
        tiers.promote();
        let tier_of = |tiers: &Tiers, entrant| {
            tiers.tiers().iter().position(|tier| tier.contains(&entrant)).map_or(0, |tier| tier + 1)
        };
        for tier in played.tiers() {
            let standing = |(index, &entrant): (usize, &usize)| Standing {
                season: season + 1,
                tier: tier_of(&played, entrant),
                entrant,
                rating: ratings[entrant],
                place: index + 1,
                next_tier: tier_of(&tiers, entrant),
            };
            league.standings.extend(tier.iter().enumerate().map(standing));
        }
    }
    Ok(Some(league))
}

/// The rows of a league in `league.csv`.
#[must_use]
pub fn rows(league: &PlayedLeague) -> Vec<LeagueRow> {
    let row = |standing: &Standing| LeagueRow {
        variant: league.evidence.variant.clone(),
        seats: league.evidence.seats,
        season: standing.season,
        tier: standing.tier,
        entrant: league.evidence.entrants[standing.entrant].clone(),
        rating: standing.rating,
        place: standing.place,
        next_tier: standing.next_tier,
    };
    league.standings.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_are_as_equal_as_can_be() {
        let sizes = |entrants, seats| Tiers::new(entrants, seats).tiers().iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(4, 2), [4]);
        assert_eq!(sizes(5, 2), [3, 2]);
        assert_eq!(sizes(12, 4), [4, 4, 4]);
        assert_eq!(sizes(12, 6), [6, 6]);
        assert_eq!(sizes(1, 6), [1]);
        for entrants in 1..60 {
            assert_eq!(Tiers::new(entrants, 3).tiers().concat(), (0..entrants).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_best_rise_and_the_last_fall_by_one_tier() {
        let mut tiers = Tiers(vec![vec![0, 1, 2], vec![3, 4, 5], vec![6, 7]]);
        tiers.order_by(&[1.0, 3.0, 2.0, 9.0, 9.0, 1.0, 0.0, 5.0]);
        assert_eq!(tiers.tiers(), [vec![1, 2, 0], vec![3, 4, 5], vec![7, 6]]);
        tiers.promote();
        assert_eq!(tiers.tiers(), [vec![1, 2, 3], vec![0, 4, 7], vec![5, 6]]);
    }
}
