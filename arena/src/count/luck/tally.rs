//! Luck-adjusted results, counted set by set.

use serde::{Deserialize, Serialize};
use unolab_engine::rng::Purpose;
use unolab_stats::moments::{Estimate, Moments, Part};

use super::against_the_table;
use super::observer::LuckObserver;
use super::resampling::Redraws;
use crate::play::record::{GameRecord, WIN};
use crate::schedule::Section;
use crate::schedule::contest::Contest;
use crate::schedule::seating::EntrantId;
use crate::spec::luck::{CARD, Coefficients, FINE, Luck, LuckModel};

/// The random numbers for repeated actions.
const REDRAWS: Purpose = Purpose::Other(2);

/// The luck-adjusted counts of each entrant; empty without adjustment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LuckTally(Vec<Moments>);

impl LuckTally {
    /// Whether nothing is counted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The luck-adjusted win share of each entrant. `None` for an entrant without games.
    pub fn shares(&self) -> impl Iterator<Item = Option<Estimate>> {
        let unit = 1.0 / (WIN as i64 * FINE * CARD) as f64;
        self.0.iter().map(move |moments| moments.estimate().map(|estimate| estimate.scaled(unit, 0.0)))
    }

    /// Adds the counts of other sets.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), Moments::default());
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| mine.merge(theirs));
    }

    /// Adds the counts of sets that only some entrants played, given their numbers here.
    pub(crate) fn merge_part(&mut self, other: &Self, numbers: &[usize], num_entrants: usize) {
        if !other.is_empty() {
            self.0.resize(num_entrants, Moments::default());
        }
        numbers.iter().zip(&other.0).for_each(|(&number, theirs)| self.0[number].merge(theirs));
    }

    /// Whether these are possible counts of this number of sets. `games_per_set` has the number of games of each
    /// entrant per set.
    pub(crate) fn can_be_of(&self, sets: u64, games_per_set: &[u64]) -> bool {
        let is_of = |(moments, &games): (&Moments, &u64)| {
            let sets = if games == 0 { 0 } else { sets };
            moments.can_be_of(sets) && moments.have_denominator(i128::from(games))
        };
        self.0.len() == games_per_set.len() && self.0.iter().zip(games_per_set).all(is_of)
    }

    /// Whether it is empty or has counts of this number of entrants.
    pub(crate) fn fits(&self, num_entrants: usize) -> bool {
        self.0.is_empty() || self.0.len() == num_entrants
    }
}

/// Subtracts the luck from the games of a section and counts the rest.
#[derive(Debug)]
pub struct LuckCounter<'a> {
    contest: &'a Contest,
    coefficients: &'a Coefficients,
    /// Observes a game while it is played.
    pub observer: LuckObserver<'a>,
    /// The sums of the current set, by entrant.
    parts: Vec<Part>,
}

impl<'a> LuckCounter<'a> {
    /// A counter for games of this section of a contest, with this luck adjustment.
    #[must_use]
    pub fn new(contest: &'a Contest, section: &Section, worth: &'a LuckModel) -> Self {
        let rules = contest.rules(section);
        let observer = LuckObserver::new(rules);
        let observer = match &worth.model {
            Some(model) => observer.with(Redraws::new(rules, model)),
            None => observer,
        };
        let parts = vec![Part::default(); contest.spec().entrants.len()];
        Self { contest, coefficients: &worth.coefficients, observer, parts }
    }

    /// The observer of the next game, of a set at a seating.
    pub fn begin_game(&mut self, set: u64, seating: &[EntrantId]) -> &mut LuckObserver<'a> {
        let specs = self.contest.specs();
        let players = seating.iter().map(|entrant| &specs[entrant.index()]);
        self.observer.begin_game();
        // The same random numbers at every seating, so that equal agents are equally lucky.
        self.observer.seat(players, self.contest.streams_of(set).stream(REDRAWS));
        &mut self.observer
    }

    /// Counts the observed game.
    pub fn add_game(&mut self, record: &GameRecord, seating: &[EntrantId]) {
        for ((seat, entrant), luck) in record.seats().zip(seating).zip(self.luck(record)) {
            self.parts[entrant.index()].add(self.coefficients.adjust(record.win_of(seat), &luck), 1);
        }
    }

    /// The luck of the observed game, by player.
    #[must_use]
    pub fn luck(&self, record: &GameRecord) -> Vec<Luck> {
        against_the_table(&self.observer.by_player, record.num_seats, record.team_size)
    }

    /// Adds the finished set to the tally.
    pub fn finish_set(&mut self, tally: &mut LuckTally) {
        tally.0.resize(self.parts.len(), Moments::default());
        for (moments, part) in tally.0.iter_mut().zip(&mut self.parts) {
            let part = std::mem::take(part);
            if part.y > 0 {
                moments.add(part, Part::default());
            }
        }
    }
}
