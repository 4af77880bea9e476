//! A variant measured: how fair, how long, how open, how much luck and how much skill, and what its cards are worth.
//!
//! A [`spec::BalanceSpec`] is the only input. Every [`spec::Arm`] plays the same deals; what is seen of a game is counted
//! as [`quantities`], each a ratio whose exact sums over sets ([`unolab_stats::moments`]) give errors and paired differences. Models
//! and coefficients are fitted on other seeds and frozen ([`unolab_stats::logit`], [`crate::count::luck`]).

pub mod cards;
pub mod case;
mod desk;
pub mod error;
mod frozen;
pub mod measure;
pub mod observer;
pub mod offences;
pub mod part;
pub mod quantities;
pub mod results;
pub mod spec;

use std::io;
use std::sync::atomic::AtomicBool;

use unolab_agents::registry::Registry;

use crate::run::shard::{Done, Shard};
use crate::run::stretches::{End, in_stretches};
use case::{Case, Counted};
use error::{BalanceError, MAX_AGENTS};
use part::{BalancePart, CasePart, cases_of};
use results::{Results, Tables};
use spec::BalanceSpec;

/// How a balance is played: nothing here changes a result.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct Conduct<'a> {
    /// How many threads play.
    pub threads: usize,
    /// Once it is set, it breaks off.
    pub stop: &'a AtomicBool,
    /// Is told how many more games were played, after each block.
    pub on_games: &'a (dyn Fn(u64) + Sync),
    /// Gets what has been counted, from time to time. An error ends it.
    pub keep: &'a dyn Fn(&BalancePart) -> io::Result<()>,
}

/// Everything that is to be played, ready.
#[derive(Debug)]
pub struct Balance {
    field: String,
    margin: f64,
    cases: Vec<Case>,
}

impl Balance {
    /// Loads rules and agents of this registry and freezes the models.
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
        Ok(Self { field: names.join(" "), margin: f64::from(spec.margin_permille) / 1000.0, cases })
    }

    /// How many games are counted, and to be played in all, without the pilots.
    #[must_use]
    pub fn games(&self, part: &BalancePart) -> Done {
        let with_games = || self.cases.iter().zip(&part.cases).map(|(case, part)| (case.games_per_set(), part));
        Done {
            done: with_games().map(|(games, part)| games * (part.next - part.sets.start)).sum(),
            of: with_games().map(|(games, part)| games * (part.sets.end - part.sets.start)).sum(),
        }
    }

    /// Whether this can be a part of it, made of so many sets. What was not written by this program is none.
    #[must_use]
    pub fn has_part(&self, spec: &BalanceSpec, part: &BalancePart, shard: Shard) -> bool {
        let empty = BalancePart::new(spec, shard);
        let fits = |(case, (part, empty)): (&Case, (&CasePart, &CasePart))| {
            let (arms, quantities) = (case.arms.len(), case.layout.all().len());
            let fits_arm = |counted: &Counted| {
                (counted.moments.is_empty() || counted.moments.len() == quantities)
                    && counted.offences.len() <= 1 + case.layout.dealt.len()
                    && counted.offences.iter().all(|book| book.is_of(case.layout.agents.len()))
            };
            part.sets == empty.sets
                && (part.sets.start..=part.sets.end).contains(&part.next)
                && (part.counted.is_empty() || part.counted.len() == arms)
                && part.counted.iter().all(fits_arm)
        };
        part.cases.len() == empty.cases.len() && self.cases.iter().zip(part.cases.iter().zip(&empty.cases)).all(fits)
    }

    /// Whether there may be a metric of this name.
    #[must_use]
    pub fn has_metric(&self, name: &str) -> bool {
        self.cases.iter().any(|case| case.metrics().any(|metric| metric == name))
    }

    /// What is played, case by case.
    #[must_use]
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Plays what is not yet counted, or as much as there is time for until it is stopped.
    ///
    /// # Errors
    /// If there are no threads to be had, a game panics that is not an agent's, or what has been counted cannot be kept.
    pub fn play_on(&self, conduct: &Conduct<'_>, part: &mut BalancePart) -> Result<End, BalanceError> {
        let threads = conduct.threads;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| BalanceError::Threads { threads, reason: error.to_string() })?;
        let have_panicked = AtomicBool::new(false);
        for (number, case) in self.cases.iter().enumerate() {
            let left = part.cases[number].next..part.cases[number].sets.end;
            let end = in_stretches(left, |sets| {
                let end = sets.end;
                let played = pool.install(|| case.play(sets, conduct.stop, &have_panicked, conduct.on_games))?;
                let Some(counted) = played else {
                    return Ok(End::Stopped);
                };
                let here = &mut part.cases[number];
                here.add(&counted);
                here.next = end;
                (conduct.keep)(part).map_err(BalanceError::Keep).map(|()| End::Finished)
            })?;
            if end == End::Stopped {
                return Ok(End::Stopped);
            }
        }
        Ok(End::Finished)
    }

    /// How the case that is being played stands, in a line; empty before there is an interval.
    #[must_use]
    pub fn leader(&self, part: &BalancePart) -> String {
        let mut begun = self.cases.iter().zip(&part.cases).filter(|(_, part)| !part.counted.is_empty());
        begun.next_back().map_or_else(String::new, |(case, part)| self.results(case, part).leader())
    }

    fn results<'a>(&'a self, case: &'a Case, part: &'a CasePart) -> Results<'a> {
        Results { field: &self.field, margin: self.margin, case, counted: &part.counted }
    }

    /// The tables of what has been counted.
    #[must_use]
    pub fn tables(&self, part: &BalancePart) -> Tables {
        let mut tables = Tables::default();
        for (case, part) in self.cases.iter().zip(&part.cases) {
            tables.add(&self.results(case, part));
        }
        tables.adjust_for_many_claims();
        tables
    }
}
