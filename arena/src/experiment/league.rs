//! A league: tiers of entrants, seasons, promotion and relegation by rating.
//!
//! Each season every tier plays a round robin, all on the same deals. Then the best entrant of each tier and the last entrant
//! of the tier above swap tiers. The pairings depend on the results, so a league has no fixed schedule.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use unolab_agents::registry::Registry;
use unolab_stats::interval::Coverage;
use unolab_stats::ratings::matches::{Evidence, RunEvidence};
use unolab_stats::ratings::plackett_luce::Strengths;

use super::luck_pilot::luck_model;
use super::tournament::{PlayedSets, Tournament};
use crate::count::evidence::{rate, run_evidence};
use crate::count::tally::Tally;
use crate::run::checkpoint::Counts;
use crate::run::error::RunError;
use crate::run::experiment::{Batch, Experiment, Play};
use crate::run::results::{Results, Tabulate};
use crate::run::shard::{RunProgress, Shard};
use crate::schedule::Section;
use crate::schedule::contest::{Contest, ContestError, check_odds_of_league, schedule_of};
use crate::schedule::patience::{Patience, TimeoutStreak};
use crate::spec::luck::{LuckAdjustment, LuckModel};
use crate::spec::{Command, Format, Spec};
use crate::tables::league::LeagueRow;
use crate::tables::ratings::rows_of;
use crate::tables::table::Tables;
use crate::tables::{PlayedSection, describe, readme};

/// The number of seasons.
pub const SEASONS: u64 = 4;

/// The smallest number of entrants of a planned tier, unless the tables are larger.
const TIER_SIZE: usize = 4;

/// Entrants by tier, the highest first; in each tier the best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiers(Vec<Vec<usize>>);

impl Tiers {
    /// Entrants in tiers of nearly equal size, of at most four entrants, or as many as a table has seats if that is more; the
    /// entrants named first are in the highest tier.
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

    /// Orders each tier by these ratings, by entrant; equally rated entrants keep their order.
    fn order_by_rating(&mut self, ratings: &[f64]) {
        for tier in &mut self.0 {
            tier.sort_by(|&a, &b| in_millionths(ratings[b]).total_cmp(&in_millionths(ratings[a])));
        }
    }

    /// Swaps the last entrant of each tier with the first entrant of the next tier. No entrant moves by two tiers.
    fn promote(&mut self) {
        let ends: Vec<(usize, usize)> =
            self.0.windows(2).map(|pair| (pair[0][pair[0].len() - 1], pair[1][0])).collect();
        for (upper, (down, up)) in ends.into_iter().enumerate() {
            // In a tier of one entrant, the first is also the last: it has already moved.
            if let (Some(last), Some(first)) =
                (self.0[upper].iter().position(|&e| e == down), self.0[upper + 1].iter().position(|&e| e == up))
            {
                (self.0[upper][last], self.0[upper + 1][first]) = (up, down);
            }
        }
    }
}

/// A rating rounded for comparison, because fits of equal entrants may differ in the last digits.
fn in_millionths(rating: f64) -> f64 {
    (rating * 1e6).round() + 0.0 // no negative zero
}

/// The end of a season for an entrant.
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

/// A played league of one variant at one number of seats.
#[derive(Debug, Clone)]
pub struct PlayedLeague {
    /// Season by season, tier by tier, the best first.
    pub standings: Vec<Standing>,
    /// The data of ratings from its games.
    pub evidence: Evidence,
    /// The counts of all its games.
    pub tally: Tally,
    /// The number of seats that win together.
    pub team_size: usize,
}

/// The counts of leagues: the seasons of tiers, in the order of play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeagueCounts {
    done: u64,
    of: u64,
    finished: Vec<Tally>,
    /// The season in progress.
    begun: Option<SeasonInProgress>,
}

/// An unfinished season of a tier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SeasonInProgress {
    /// The first set that is not counted.
    next: u64,
    /// The timeouts in a row of each entrant of the tier; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    timeouts_in_a_row: Vec<u64>,
    tally: Tally,
}

impl Counts for LeagueCounts {
    fn done(&self) -> RunProgress {
        RunProgress { done: self.done, of: self.of }
    }
}

/// The leagues of a spec: one for every variant and number of players, in order.
#[derive(Debug)]
pub struct Leagues<'a> {
    spec: &'a Spec,
    /// `None` if there are no agents, and so nothing is played.
    registry: Option<&'a Registry>,
    games_at_once: usize,
    /// By league; empty without luck adjustment.
    luck: Vec<LuckModel>,
    /// The season in progress of a tier, by its number in the run.
    now: Mutex<Option<(usize, Arc<Contest>)>>,
}

/// The standings of a league.
struct Standings {
    league: PlayedLeague,
    /// The next tournament, and its sets; `None` when the league is over.
    next: Option<(Contest, Range<u64>)>,
}

impl<'a> Leagues<'a> {
    /// The leagues of a spec, with the agents of this registry. The luck adjustment is the same for all tiers and seasons
    /// of a league, and is fitted once, on the available threads.
    ///
    /// # Errors
    /// If rules, agents and seats are incompatible, or an agent has no rating.
    pub fn new(spec: &'a Spec, luck: LuckAdjustment, registry: &'a Registry) -> Result<Self, ContestError> {
        let mut games_at_once = 1;
        for entrant in &spec.entrants {
            let agent = entrant.configure(registry)?;
            games_at_once = games_at_once.max(agent.games_at_once());
            if !agent.is_contender() {
                return Err(ContestError::NotRated(entrant.name.clone()));
            }
        }
        let command = Command::Tournament { format: Format::RoundRobin };
        schedule_of(&Spec { command, entrants: spec.entrants[..1].to_vec(), ..spec.clone() })?;
        check_odds_of_league(spec)?;
        let mut leagues =
            Self { spec, registry: Some(registry), games_at_once, luck: Vec::new(), now: Mutex::new(None) };
        if luck == LuckAdjustment::On {
            let worth = |league| {
                let contest = leagues.first_tiers(league)?.swap_remove(0);
                contest.check_luck_room()?;
                luck_model(contest.spec(), &contest.schedule().sections[0])
            };
            leagues.luck = (0..leagues.len()).map(worth).collect::<Result<_, ContestError>>()?;
        }
        Ok(leagues)
    }

    /// The leagues of a spec without its agents, to read counts: they cannot be played. No program is started.
    #[must_use]
    pub const fn without_agents(spec: &'a Spec) -> Self {
        Self { spec, registry: None, games_at_once: 1, luck: Vec::new(), now: Mutex::new(None) }
    }

    /// The number of leagues.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.spec.variants.len() * self.spec.seats.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The variant, by its index in the spec, and the number of seats.
    #[must_use]
    pub fn table(&self, league: usize) -> (usize, usize) {
        (league / self.spec.seats.len(), self.spec.seats[league % self.spec.seats.len()])
    }

    /// The number of entrants of each tier of a league, the highest first.
    fn tier_sizes(&self, league: usize) -> Vec<usize> {
        Tiers::new(self.spec.entrants.len(), self.table(league).1).tiers().iter().map(Vec::len).collect()
    }

    /// The number of seasons with any sets.
    fn num_seasons(&self) -> usize {
        (0..SEASONS).filter(|&season| !sets_of_season(self.spec.sets, season).is_empty()).count()
    }

    /// For each season of a tier, in the order of play: its league, and its number of entrants.
    fn tiers(&self) -> impl Iterator<Item = (usize, usize)> {
        let of_league = move |league| {
            (0..self.num_seasons()).flat_map(move |_| self.tier_sizes(league)).map(move |size| (league, size))
        };
        (0..self.len()).flat_map(of_league)
    }

    /// The contests of the tiers of a league as it begins.
    ///
    /// # Errors
    /// If rules, agents and seats are incompatible.
    pub fn first_tiers(&self, league: usize) -> Result<Vec<Contest>, ContestError> {
        let tiers = Tiers::new(self.spec.entrants.len(), self.table(league).1);
        tiers.tiers().iter().map(|members| self.contest(league, members)).collect()
    }

    fn contest(&self, league: usize, members: &[usize]) -> Result<Contest, ContestError> {
        let (variant, seats) = self.table(league);
        let spec = spec_of_tier(self.spec, variant, seats, members);
        let contest = match self.registry {
            Some(registry) => Contest::of(spec, registry)?,
            None => Contest::without_agents(spec)?,
        };
        match self.luck.get(league) {
            None => Ok(contest),
            Some(worth) => contest.with_luck_model(vec![worth.clone()]),
        }
    }

    /// The played part of a league.
    fn standings(&self, league: usize, counts: &LeagueCounts) -> Result<Standings, ContestError> {
        let before = self.tiers().take_while(|&(of, _)| of < league).count();
        let mut finished = counts.finished.iter().skip(before);
        let mut next = None;
        let league = self.play_through(league, &mut |contest, sets| {
            let tally = finished.next();
            if tally.is_none() {
                next = Some((contest, sets));
                return None;
            }
            Some((contest, tally?))
        })?;
        Ok(Standings { league, next })
    }

    /// The leagues with any counts, each with its section, in order.
    ///
    /// # Errors
    /// If rules, agents and seats are incompatible.
    pub fn played(&self, counts: &LeagueCounts) -> Result<Vec<(Section, PlayedLeague)>, ContestError> {
        let begun = |&league: &usize| self.tiers().take_while(|&(of, _)| of < league).count() < counts.finished.len();
        let played = |league| {
            let (variant, seats) = self.table(league);
            let league = self.standings(league, counts)?.league;
            Ok((Section { variant, seats, team_size: league.team_size, tables: Vec::new() }, league))
        };
        (0..self.len()).take_while(begun).map(played).collect()
    }

    /// The season in progress of a tier.
    fn current_contest(&self) -> Option<Arc<Contest>> {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.as_ref().map(|(_, contest)| Arc::clone(contest))
    }

    /// The season in progress of a tier, with its counts.
    #[must_use]
    pub fn under_way<'c>(&self, counts: &'c LeagueCounts) -> Option<(Arc<Contest>, &'c Tally)> {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, contest) = now.as_ref().filter(|(number, _)| *number == counts.finished.len())?;
        Some((Arc::clone(contest), &counts.begun.as_ref()?.tally))
    }
}

impl Experiment for Leagues<'_> {
    type Spec = Spec;
    type Counts = LeagueCounts;
    type Played = PlayedSets;

    fn spec(&self) -> &Spec {
        self.spec
    }

    fn games_at_once(&self) -> usize {
        self.games_at_once
    }

    fn empty(&self, _shard: Shard) -> LeagueCounts {
        let tiers = (0..self.len()).map(|league| self.tier_sizes(league).len() as u64).sum::<u64>();
        LeagueCounts { done: 0, of: tiers * self.spec.sets, finished: Vec::new(), begun: None }
    }

    fn accepts(&self, counts: &LeagueCounts, shard: Shard) -> bool {
        let begun = counts.begun.as_ref().map(|begun| &begun.tally);
        let mut tiers = self.tiers();
        let fits = |tally: &Tally| {
            let Some((league, size)) = tiers.next() else { return false };
            tally.has_shape_of(&Tally::new(size, self.table(league).1))
        };
        let next_fits = counts.begun.as_ref().is_none_or(|begun| begun.next <= self.spec.sets);
        counts.of == self.empty(shard).of && next_fits && counts.finished.iter().chain(begun).all(fits)
    }

    /// Continues to the end of the season of a tier.
    fn horizon(&self, counts: &LeagueCounts) -> Result<Vec<Batch>, RunError> {
        let number = counts.finished.len();
        let Some((league, _)) = self.tiers().nth(number) else { return Ok(Vec::new()) };
        let Some((contest, sets)) = self.standings(league, counts)?.next else { return Ok(Vec::new()) };
        let next = counts.begun.as_ref().map_or(sets.start, |begun| begun.next);
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = Some((number, Arc::new(contest)));
        Ok(vec![Batch { part: number, sets: next..sets.end }])
    }

    fn patience(&self, counts: &LeagueCounts, _batch: &Batch) -> Patience {
        let in_a_row = counts.begun.as_ref().map_or(&[][..], |begun| &begun.timeouts_in_a_row);
        self.current_contest().map_or_else(Patience::default, |contest| contest.patience(in_a_row))
    }

    fn streaks(played: &PlayedSets) -> Vec<TimeoutStreak> {
        played.streaks.clone()
    }

    fn play(&self, batch: &Batch, how: Play<'_>) -> Result<PlayedSets, RunError> {
        let contest = self.current_contest().expect("there is a horizon");
        Tournament::of(&contest).play(&Batch { part: 0, sets: batch.sets.clone() }, Play { games_every: None, ..how })
    }

    fn can_be_of(&self, batch: &Batch, _how: Play<'_>, played: &PlayedSets) -> bool {
        let batch = Batch { part: 0, sets: batch.sets.clone() };
        self.current_contest().is_some_and(|contest| played.can_be_of(&contest, &batch, None))
    }

    fn merge(&self, counts: &mut LeagueCounts, batch: &Batch, PlayedSets { tally, streaks, .. }: PlayedSets) {
        let timeouts_in_a_row = self.patience(counts, batch).after(&streaks).in_a_row();
        let Batch { sets, .. } = batch;
        counts.done += sets.end - sets.start;
        let begun = match &mut counts.begun {
            Some(begun) => {
                begun.tally.merge(&tally);
                begun.next = sets.end;
                begun.timeouts_in_a_row = timeouts_in_a_row;
                begun
            }
            none => none.insert(SeasonInProgress { next: sets.end, timeouts_in_a_row, tally }),
        };
        let is_over = (0..SEASONS).any(|season| {
            let of_season = sets_of_season(self.spec.sets, season);
            !of_season.is_empty() && of_season.end == begun.next
        });
        if is_over {
            counts.finished.extend(counts.begun.take().map(|begun| begun.tally));
        }
    }

    fn games(&self, counts: &LeagueCounts) -> u64 {
        let tallies = counts.finished.iter().chain(counts.begun.as_ref().map(|begun| &begun.tally));
        tallies.flat_map(|tally| tally.sizes().turns.bins()).map(|bin| bin.count).sum()
    }
}

/// The tournament of these members of a tier in a season, or over all seasons, in the order of `--agents`, so that the
/// order of pairs is kept.
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

/// The sets of a season, counted from 0.
#[must_use]
pub const fn sets_of_season(sets: u64, season: u64) -> Range<u64> {
    sets * season / SEASONS..sets * (season + 1) / SEASONS
}

/// The counts of the season of a tier, if it has been played, with its contest.
type TallyOf<'t, 'c> = dyn FnMut(Contest, Range<u64>) -> Option<(Contest, &'t Tally)> + 'c;

impl Leagues<'_> {
    /// Enumerates the seasons of a league that have counts.
    fn play_through(&self, league: usize, tally_of: &mut TallyOf<'_, '_>) -> Result<PlayedLeague, ContestError> {
        let (spec, number) = (self.spec, league);
        let (variant, seats) = self.table(league);
        let num_entrants = spec.entrants.len();
        let mut tiers = Tiers::new(num_entrants, seats);
        let evidence = Evidence {
            variant: spec.variants[variant].name.clone(),
            seats,
            entrants: spec.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            runs: Vec::new(),
            coverage: Coverage::Pointwise,
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
                let contest = self.contest(number, &members)?;
                let Some((contest, tally)) = tally_of(contest, sets.clone()) else { return Ok(league) };
                let section = &contest.schedule().sections[0];
                league.team_size = section.team_size;
                let run = run_evidence(section, tally, &contest.spec().entrants);
                let of_tier = Evidence {
                    entrants: members.iter().map(|&member| spec.entrants[member].name.clone()).collect(),
                    runs: vec![run.clone()],
                    ..league.evidence.clone()
                };
                let elo = Strengths::fit(&of_tier.design(), &of_tier.totals()).elo();
                members.iter().zip(elo).for_each(|(&member, elo)| ratings[member] = elo);
                league.tally.merge_part(tally, &members);
                league.evidence.runs.push(RunEvidence { entrants: members, ..run });
            }
            tiers.order_by_rating(&ratings);
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
        Ok(league)
    }
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

impl Tabulate for Leagues<'_> {
    fn name(&self) -> &'static str {
        "league"
    }

    fn results(&self, counts: &LeagueCounts) -> Result<Results, RunError> {
        let (leagues, spec) = (self.played(counts)?, self.spec());
        let sections = leagues.iter().map(|(section, league)| PlayedSection { spec, section, tally: &league.tally });
        let rated = |league: &PlayedLeague| rows_of(&league.evidence, &rate(&league.evidence, &|_| true, None));
        let ratings = leagues.iter().flat_map(|(_, league)| rated(league)).collect();
        let standings = leagues.iter().flat_map(|(_, league)| rows(league)).collect();
        Ok(Results {
            tables: Tables::of(sections.clone(), ratings).with::<LeagueRow>(standings),
            faults: Tables::of_faults(sections),
            files: Vec::new(),
            readme: readme() + "\n" + &describe::<LeagueRow>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_have_nearly_equal_sizes() {
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
    fn best_are_promoted_and_last_relegated_by_one_tier() {
        let mut tiers = Tiers(vec![vec![0, 1, 2], vec![3, 4, 5], vec![6, 7]]);
        tiers.order_by_rating(&[1.0, 3.0, 2.0, 9.0, 9.0 + 2e-14, 1.0, 0.0, 5.0]);
        assert_eq!(tiers.tiers(), [vec![1, 2, 0], vec![3, 4, 5], vec![7, 6]]);
        tiers.promote();
        assert_eq!(tiers.tiers(), [vec![1, 2, 3], vec![0, 4, 7], vec![5, 6]]);
    }
}
