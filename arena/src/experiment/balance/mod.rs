//! Measures a variant: fairness, length, excitement, luck and skill, and the effect of its cards.
//!
//! A [`spec::BalanceSpec`] is the only input. Every [`spec::Arm`] plays the same deals. Games are counted as [`metric`]s:
//! each is a ratio whose exact sums over sets ([`unolab_stats::moments`]) give errors and paired differences. Models and
//! coefficients are fitted on other seeds and then fixed ([`unolab_stats::logit`], [`crate::count::luck`]).

mod arm_player;
pub mod cards;
pub mod case;
pub mod choice_values;
pub mod counts;
pub mod error;
pub mod experience;
pub mod faults;
mod fitted_model;
pub mod measure;
pub mod metric;
pub mod observer;
mod possible;
pub mod results;
pub mod scope;
pub mod spec;

use std::collections::BTreeSet;
use std::time::Duration;

use unolab_agents::registry::Registry;
use unolab_stats::interval::Coverage;

use super::pilot;
use crate::run::error::RunError;
use crate::run::experiment::{Batch, Experiment, Play};
use crate::run::results::{self as published, Tabulate};
use crate::run::shard::Shard;
use crate::schedule::patience::{Patience, TimeoutStreak};
use crate::tables::balance::{FaultRow, MetricsRow, PointsRow, SweepRow};
use crate::tables::{self, describe};
use case::{ArmCounts, Case};
use counts::{BalanceCounts, CaseCounts, cases_of};
use error::{BalanceError, MAX_AGENTS};
use results::{Results, Tables};
use spec::BalanceSpec;

/// A balance run, ready to play.
#[derive(Debug)]
pub struct Balance {
    spec: BalanceSpec,
    field: String,
    margin: f64,
    cases: Vec<Case>,
}

impl Balance {
    /// Loads the rules and the agents of this registry and fits the models.
    ///
    /// # Errors
    /// If the spec cannot be played.
    pub fn prepare(spec: &BalanceSpec, registry: &Registry) -> Result<Self, BalanceError> {
        if spec.field.len() > MAX_AGENTS {
            return Err(BalanceError::Agents(spec.field.len()));
        }
        let mut cases: Vec<Case> = Vec::new();
        for (variant, seats, unit, _) in cases_of(spec) {
            let first_game = cases.last().map_or(0, Case::end);
            cases.push(Case::prepare(spec, &spec.variants[variant], seats, unit, first_game, registry)?);
        }
        let names: Vec<&str> = spec.field.iter().map(|entrant| &*entrant.name).collect();
        Ok(Self { spec: spec.clone(), field: names.join(" "), margin: f64::from(spec.margin_permille) / 1000.0, cases })
    }

    /// The names of all metrics that may be in metrics.csv, each once.
    #[must_use]
    pub fn metrics(&self) -> BTreeSet<String> {
        self.cases.iter().flat_map(Case::metrics).collect()
    }

    /// The names of all metrics that may be in sweep.csv, each once; none without arms and dealt cards.
    #[must_use]
    pub fn compared(&self) -> BTreeSet<String> {
        self.cases.iter().flat_map(Case::compared).collect()
    }

    /// The cases.
    #[must_use]
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// The time of a game of this case, from a pilot of about this time on its first remaining sets.
    ///
    /// # Errors
    /// If the games cannot be played.
    pub fn seconds_per_game(
        &self,
        counts: &BalanceCounts,
        case: usize,
        threads: usize,
        time: Duration,
    ) -> Result<f64, RunError> {
        let mut first = counts.clone();
        for (_, other) in first.cases.iter_mut().enumerate().filter(|(other, _)| *other != case) {
            other.next = other.sets.end;
        }
        let games_before = self.games(&first);
        let (played, seconds) = pilot::play(self, first, None, threads, time)?;
        Ok(seconds / (self.games(&played) - games_before).max(1) as f64)
    }

    /// The standings of the current case, in a line; empty before there is an interval.
    #[must_use]
    pub fn leader(&self, part: &BalanceCounts) -> String {
        let mut begun = self.cases.iter().zip(&part.cases).filter(|(_, part)| !part.counted.is_empty());
        begun.next_back().map_or_else(String::new, |(case, part)| self.results(case, part).leader())
    }

    fn has_programs(&self) -> bool {
        self.cases.iter().any(Case::has_programs)
    }

    fn results<'a>(&'a self, case: &'a Case, part: &'a CaseCounts) -> Results<'a> {
        let minutes_per_turn = self.spec.turn_ms.map(|ms| f64::from(ms) / 60_000.0);
        let coverage = Coverage::Pointwise;
        Results { field: &self.field, margin: self.margin, minutes_per_turn, coverage, case, counted: &part.counted }
    }

    /// The tables of the counts.
    #[must_use]
    pub fn tables(&self, part: &BalanceCounts) -> Tables {
        let mut tables = Tables::default();
        for (case, part) in self.cases.iter().zip(&part.cases).filter(|(_, part)| !part.counted.is_empty()) {
            tables.add(&self.results(case, part));
        }
        tables.adjust_for_many_claims();
        tables
    }
}

impl Experiment for Balance {
    type Spec = BalanceSpec;
    type Counts = BalanceCounts;
    type Played = Vec<ArmCounts>;

    /// All parts of a set are stored until the set is counted.
    const MOST_SETS: u64 = 8;

    fn spec(&self) -> &BalanceSpec {
        &self.spec
    }

    fn games_at_once(&self) -> usize {
        self.cases.iter().map(Case::games_at_once).fold(1, usize::max)
    }

    fn empty(&self, shard: Shard) -> BalanceCounts {
        BalanceCounts::new(&self.spec, shard)
    }

    fn accepts(&self, counts: &BalanceCounts, shard: Shard) -> bool {
        let empty = self.empty(shard);
        let fits = |(case, (part, empty)): (&Case, (&CaseCounts, &CaseCounts))| {
            let counted = part.sets.start..part.next;
            part.sets == empty.sets
                && (part.sets.start..=part.sets.end).contains(&part.next)
                && if counted.is_empty() { part.counted.is_empty() } else { case.can_be_of(&part.counted, &counted) }
        };
        counts.cases.len() == empty.cases.len()
            && self.cases.iter().zip(counts.cases.iter().zip(&empty.cases)).all(fits)
    }

    /// All remaining sets, because the models are already fitted.
    fn horizon(&self, counts: &BalanceCounts) -> Result<Vec<Batch>, RunError> {
        let cases = counts.cases.iter().enumerate();
        let left = cases.map(|(part, case)| Batch { part, sets: case.next..case.sets.end });
        let left = left.filter(|batch| !batch.sets.is_empty());
        if !self.has_programs() {
            return Ok(left.collect());
        }
        let blocks = |Batch { part, sets }| self.cases[part].blocks().cut(sets).map(move |sets| Batch { part, sets });
        Ok(left.flat_map(blocks).collect())
    }

    fn patience(&self, counts: &BalanceCounts, batch: &Batch) -> Patience {
        let (case, counted) = (&self.cases[batch.part], &counts.cases[batch.part]);
        let is_same_block = batch.sets.start < case.blocks().end_of_block_of(counted.next);
        case.patience(if is_same_block { &counted.timeouts_in_a_row } else { &[] })
    }

    fn streaks(played: &Vec<ArmCounts>) -> Vec<TimeoutStreak> {
        played.iter().flat_map(|arm| arm.streaks.iter().copied()).collect()
    }

    fn play(&self, batch: &Batch, how: Play<'_>) -> Result<Vec<ArmCounts>, RunError> {
        self.cases[batch.part].play(batch.sets.clone(), how)
    }

    fn can_be_of(&self, batch: &Batch, _how: Play<'_>, played: &Vec<ArmCounts>) -> bool {
        self.cases[batch.part].can_be_batch_of(played, &batch.sets)
    }

    fn merge(&self, counts: &mut BalanceCounts, batch: &Batch, played: Vec<ArmCounts>) {
        let patience = self.patience(counts, batch).after(&Self::streaks(&played));
        let ends_block = self.cases[batch.part].blocks().is_begin(batch.sets.end);
        let case = &mut counts.cases[batch.part];
        case.timeouts_in_a_row = if ends_block { Vec::new() } else { patience.in_a_row() };
        case.add(&played);
        case.next = batch.sets.end;
    }

    fn games(&self, counts: &BalanceCounts) -> u64 {
        let cases = self.cases.iter().zip(&counts.cases);
        cases.map(|(case, part)| case.games_per_set() * (part.next - part.sets.start)).sum()
    }
}

impl Tabulate for Balance {
    fn name(&self) -> &'static str {
        "balance"
    }

    fn results(&self, counts: &BalanceCounts) -> Result<published::Results, RunError> {
        let Tables { metrics, sweep, points, faults } = self.tables(counts);
        let tables = tables::table::Tables::none().with(metrics).with(sweep).with(points);
        let readme = [
            include_str!("readme.md").to_owned(),
            describe::<MetricsRow>(),
            describe::<SweepRow>(),
            describe::<PointsRow>(),
            describe::<FaultRow>(),
        ];
        Ok(published::Results {
            tables,
            faults: tables::table::Tables::none().with_any(faults),
            files: Vec::new(),
            readme: readme.join("\n"),
        })
    }
}
