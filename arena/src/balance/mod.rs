//! A variant measured: how fair, how long, how open, how much luck and how much skill, and what its cards are worth.
//!
//! A [`spec::BalanceSpec`] is the only input. Every [`spec::Arm`] plays the same deals; what is seen of a game is counted
//! as [`quantities`], each a ratio whose exact sums over sets ([`crate::moments`]) give errors and paired differences. Models
//! and coefficients are fitted on other seeds and frozen ([`model`], [`crate::luck`]).

pub mod cards;
pub mod figure;
mod frozen;
pub mod measure;
pub mod model;
pub mod observer;
pub mod page;
pub mod quantities;
pub mod results;
pub mod spec;

use std::sync::atomic::AtomicBool;

use thiserror::Error;

use crate::contest::ContestError;
use crate::spec::Unit;
use measure::{Case, MAX_AGENTS};
use results::{Results, Tables};
use spec::{ArmError, BalanceSpec};

/// Why there is no balance.
#[derive(Debug, Error)]
pub enum BalanceError {
    /// Arms that cannot be.
    #[error(transparent)]
    Arm(#[from] ArmError),
    /// Rules, agents and seats that do not go together.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// Partners.
    #[error("{variant}: balance measures every seat for itself; match.teams must be \"none\"")]
    Teams {
        /// The variant.
        variant: String,
    },
    /// Too many agents.
    #[error("--agents names {0} agents; a field has at most {MAX_AGENTS}")]
    Agents(usize),
    /// The system refused threads.
    #[error("--threads {threads}: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
}

/// How a balance is played: nothing here changes a result.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct Conduct<'a> {
    /// How many threads play.
    pub threads: usize,
    /// Once it is set, it breaks off.
    pub stop: &'a AtomicBool,
    /// Is told how many more games were played, after each block.
    pub on_games: &'a (dyn Fn(u64) + Sync),
}

/// Everything that is to be played, ready.
#[derive(Debug)]
pub struct Balance {
    field: String,
    margin: f64,
    cases: Vec<Case>,
}

impl Balance {
    /// Loads rules and agents and freezes the models.
    ///
    /// # Errors
    /// If the spec cannot be played.
    pub fn prepare(spec: &BalanceSpec) -> Result<Self, BalanceError> {
        if spec.field.len() > MAX_AGENTS {
            return Err(BalanceError::Agents(spec.field.len()));
        }
        let mut cases = Vec::new();
        for variant in &spec.variants {
            for &seats in &spec.seats {
                cases.push(Case::prepare(spec, variant, seats, Unit::Round)?);
                if spec.matches > 0 {
                    cases.push(Case::prepare(spec, variant, seats, Unit::Match)?);
                }
            }
        }
        let names: Vec<&str> = spec.field.iter().map(|entrant| &*entrant.name).collect();
        Ok(Self { field: names.join(" "), margin: f64::from(spec.margin_permille) / 1000.0, cases })
    }

    /// How many games it will play, without the pilots.
    #[must_use]
    pub fn num_games(&self) -> u64 {
        self.cases.iter().map(|case| case.sets * case.games_per_set()).sum()
    }

    /// Plays it all. None once it was stopped.
    ///
    /// # Errors
    /// If there are no threads to be had.
    pub fn play(&self, conduct: &Conduct<'_>) -> Result<Option<Tables>, BalanceError> {
        let mut tables = Tables::default();
        for case in &self.cases {
            let Some(counted) = case.play(conduct.threads, conduct.stop, conduct.on_games)? else { return Ok(None) };
            tables.add(&Results { field: &self.field, margin: self.margin, case, counted: &counted });
        }
        tables.adjust_for_many_claims();
        Ok(Some(tables))
    }
}
