//! A [`Spec`] made ready to be played: its rules compiled, its agents configured, its games scheduled.
//!
//! Nothing but the spec goes in, so a spec that was written down can be played again anywhere.

use thiserror::Error;
use unolab_agents::registry::{Blueprint, Registry, SpecError};
use unolab_engine::rules::{LoadError, Loaded, Override, Rules, TableSize, Teams, VariantFiles, VariantText, load};

use crate::luck::Coefficients;
use crate::luck::tally::{TooLarge, make_sure_there_is_room};
use crate::luck::worth::worth_of_luck;
use crate::schedule::{Schedule, ScheduleError, Section};
use crate::spec::{Spec, Unit, Variant};

/// Why a spec cannot be played.
#[derive(Debug, Error)]
pub enum ContestError {
    /// A variant that cannot be played at one of the numbers of seats, with every reason.
    #[error(transparent)]
    Rules(#[from] LoadError),
    /// An agent that does not exist, or not like this.
    #[error("--agents")]
    Agent(#[from] SpecError),
    /// Entrants that make no tables.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// Results with the luck taken off that cannot be summed.
    #[error(transparent)]
    Luck(#[from] TooLarge),
    /// Eight players at two tables have no round of their own.
    #[error("{variant}: match.teams = \"rotating_tables\" is a form of whole matches; add --unit match")]
    RoundAtTwoTables {
        /// The variant.
        variant: String,
    },
}

/// Everything that is needed to play a spec.
#[derive(Debug, Clone)]
pub struct Contest {
    spec: Spec,
    rules: Vec<Rules>,
    blueprints: Vec<Blueprint>,
    schedule: Schedule,
    /// By section; empty where luck is left in.
    worth_of_luck: Vec<Coefficients>,
}

impl Contest {
    /// The contest of a spec, with the agents of this registry.
    ///
    /// # Errors
    /// If rules, agents and seats do not go together.
    pub fn of(spec: Spec, registry: &Registry) -> Result<Self, ContestError> {
        let rules = spec.variants.iter().map(|variant| rules_of(variant, &spec)).collect::<Result<Vec<_>, _>>()?;
        let blueprints =
            spec.entrants.iter().map(|entrant| registry.configure(&entrant.agent)).collect::<Result<_, _>>()?;
        let schedule = Schedule::of(&spec, &rules)?;
        Ok(Self { spec, rules, blueprints, schedule, worth_of_luck: Vec::new() })
    }

    /// The same with as few sets as make at least so many games in all.
    ///
    /// # Errors
    /// If they are too many.
    pub fn with_games(mut self, games: u64) -> Result<Self, ContestError> {
        self.spec.sets = self.schedule.sets_for_games(games);
        self.schedule = self.schedule.with_sets(self.spec.sets)?;
        Ok(self)
    }

    /// The same, with the luck of deal and draw taken off the results beside the results as they are. What luck is worth
    /// is fitted on other seeds.
    ///
    /// # Errors
    /// If there are too many games for exact sums.
    pub fn with_luck_taken_off(mut self) -> Result<Self, ContestError> {
        make_sure_there_is_room(&self.schedule, self.spec.entrants.len())?;
        let sections = self.schedule.sections.iter();
        self.worth_of_luck = sections.map(|section| worth_of_luck(&self.spec, section)).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// The same, with luck taken off for what it is worth in the first section of another contest. That must have the same
    /// rules, seats, unit and seed.
    ///
    /// # Errors
    /// If there are too many games for exact sums.
    pub fn with_luck_worth_as_in(mut self, other: &Self) -> Result<Self, ContestError> {
        make_sure_there_is_room(&self.schedule, self.spec.entrants.len())?;
        self.worth_of_luck = vec![other.worth_of_luck[0]; self.schedule.sections.len()];
        Ok(self)
    }

    /// What luck is worth in this section, if it is to be taken off.
    #[must_use]
    pub fn worth_of_luck(&self, section: usize) -> Option<&Coefficients> {
        self.worth_of_luck.get(section)
    }

    /// What it was made of.
    #[must_use]
    pub const fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Its games.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The rules of a section.
    #[must_use]
    pub fn rules(&self, section: &Section) -> &Rules {
        &self.rules[section.variant]
    }

    /// The agents of the entrants, in their order.
    #[must_use]
    pub fn blueprints(&self) -> &[Blueprint] {
        &self.blueprints
    }
}

/// The games of a spec, whoever its agents may be.
///
/// # Errors
/// If its rules and seats do not go together.
pub fn schedule_of(spec: &Spec) -> Result<Schedule, ContestError> {
    let rules = spec.variants.iter().map(|variant| rules_of(variant, spec)).collect::<Result<Vec<_>, _>>()?;
    Ok(Schedule::of(spec, &rules)?)
}

/// The rules of a variant of a spec, found good for every number of seats.
fn rules_of(variant: &Variant, spec: &Spec) -> Result<Rules, ContestError> {
    let rules = load_for_seats(&variant.path_of_text(), &[], &spec.seats, variant)?.rules;
    if rules.parameters().teams == Teams::RotatingTables && spec.unit == Unit::Round {
        return Err(ContestError::RoundAtTwoTables { variant: variant.name.clone() });
    }
    Ok(rules)
}

/// Loads a variant and makes sure that it can be played at each of these numbers of seats.
///
/// # Errors
/// Every reason why it cannot.
pub fn load_for_seats(
    variant: &str,
    overrides: &[Override],
    seats: &[usize],
    files: &dyn VariantFiles,
) -> Result<Loaded, LoadError> {
    let mut result = load(variant, overrides, sizes(seats).next().unwrap_or(TableSize::Any), files);
    for size in sizes(seats).skip(1) {
        match (&mut result, load(variant, overrides, size, files)) {
            (_, Ok(_)) => {}
            (Ok(_), refused) => result = refused,
            (Err(all), Err(LoadError { reasons })) => {
                all.reasons.extend(reasons);
                all.reasons.sort();
                all.reasons.dedup();
            }
        }
    }
    result
}

fn sizes(seats: &[usize]) -> impl Iterator<Item = TableSize> {
    seats.iter().map(|&seats| TableSize::Seats(seats))
}

impl Variant {
    /// These rules, as a part of a spec.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        Self { name: rules.name().into(), rules: rules.to_toml(), hash: rules.hash() }
    }

    /// Where the text of the rules is, seen from outside: no preset has such a name.
    fn path_of_text(&self) -> String {
        format!("spec/{}", self.name)
    }
}

/// The only file that there is for a variant of a spec is its own text.
impl VariantFiles for Variant {
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
        if from.is_empty() {
            Ok(VariantText { name: self.name.clone() + " (in the spec)", text: self.rules.clone() })
        } else {
            Err(format!("\"{base}\" is a file; the rules of a spec stand in it as a whole"))
        }
    }
}
