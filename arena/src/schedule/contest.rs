//! A [`Spec`] that is ready to play, with compiled rules, configured agents, and scheduled games.
//!
//! The spec is the only input, so a saved spec can be played again anywhere.

use std::collections::BTreeSet;

use thiserror::Error;
use unolab_agents::options::is_program;
use unolab_agents::registry::{AgentSpec, Registry, SpecError};
use unolab_engine::rules::{HandLimit, LoadError, Rules, Teams};

use crate::schedule::patience::Patience;
use crate::schedule::{Schedule, ScheduleError, Section};
use crate::spec::luck::LuckModel;
use crate::spec::seal::SetStreams;
use crate::spec::variant::load_for_seats;
use crate::spec::{Entrant, Spec, Unit, Variant};
use crate::words::counted;

/// Why a spec cannot be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContestError {
    /// A variant that cannot be played at one of the numbers of seats, with every reason.
    #[error(transparent)]
    Rules(#[from] LoadError),
    /// An unknown agent, or invalid options.
    #[error("--agents")]
    Agent(#[from] SpecError),
    /// Entrants that cannot sit at a table.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// Luck-adjusted results that cannot be summed.
    #[error(transparent)]
    Luck(#[from] ScheduleTooLarge),
    /// A sealed run is played only with its key.
    #[error("the run is sealed: add --key-file with its key")]
    Sealed,
    /// A league moves entrants by rating.
    #[error(
        "--agents: {0} has no rating, by which a league moves its entrants; allowed: agents that see only their own hand \
         and are not tailored to one agent"
    )]
    NotRated(String),
    /// Odds that the rules do not allow.
    #[error(transparent)]
    Odds(#[from] OddsError),
    /// Eight players at two tables cannot play a single round.
    #[error("{variant}: match.teams = \"rotating_tables\" needs whole matches; add --unit match")]
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
    specs: Vec<AgentSpec>,
    schedule: Schedule,
    /// By section; empty without luck adjustment.
    luck_model: Vec<LuckModel>,
}

impl Contest {
    /// The random streams of a set of games.
    #[must_use]
    pub fn streams_of(&self, set: u64) -> SetStreams {
        self.spec.streams().of_set(set)
    }

    /// The contest of a spec, with the agents of this registry.
    ///
    /// # Errors
    /// If the rules, the agents and the seats are incompatible.
    pub fn of(spec: Spec, registry: &Registry) -> Result<Self, ContestError> {
        if spec.seal.as_ref().is_some_and(|seal| seal.key().is_none()) {
            return Err(ContestError::Sealed);
        }
        let rules = spec.variants.iter().map(|variant| rules_of(variant, &spec)).collect::<Result<Vec<_>, _>>()?;
        let specs = spec.entrants.iter().map(|entrant| entrant.configure(registry)).collect::<Result<_, _>>()?;
        let schedule = Schedule::of(&spec, &rules)?;
        check_odds(&spec, &rules, &schedule)?;
        Ok(Self { spec, rules, specs, schedule, luck_model: Vec::new() })
    }

    /// The contest with the first dealers of `base` ([`Rules::with_cut_values_of`]).
    #[must_use]
    pub fn with_cut_values_of(mut self, base: &Rules) -> Self {
        self.rules = self.rules.into_iter().map(|rules| rules.with_cut_values_of(base)).collect();
        self
    }

    /// The contest of a spec without its agents, to read counts: it cannot be played. No program is started.
    ///
    /// # Errors
    /// If its rules and seats are incompatible.
    pub fn without_agents(spec: Spec) -> Result<Self, ContestError> {
        let rules = spec.variants.iter().map(|variant| rules_of(variant, &spec)).collect::<Result<Vec<_>, _>>()?;
        let schedule = Schedule::of(&spec, &rules)?;
        Ok(Self { spec, rules, specs: Vec::new(), schedule, luck_model: Vec::new() })
    }

    /// The contest with the smallest number of sets that gives at least this number of games.
    ///
    /// # Errors
    /// If there are too many.
    pub fn with_games(mut self, games: u64) -> Result<Self, ContestError> {
        self.spec.sets = self.schedule.sets_for_games(games);
        self.schedule = self.schedule.with_sets(self.spec.sets)?;
        Ok(self)
    }

    /// Checks that all luck-adjusted games can be counted.
    ///
    /// # Errors
    /// If there are too many for exact sums.
    pub fn check_luck_room(&self) -> Result<(), ScheduleTooLarge> {
        check_room(&self.schedule, self.spec.entrants.len())
    }

    /// The contest with luck-adjusted results next to the raw ones, with this adjustment in each section.
    ///
    /// # Errors
    /// If there are too many games for exact sums.
    pub fn with_luck_model(mut self, worth: Vec<LuckModel>) -> Result<Self, ContestError> {
        self.check_luck_room()?;
        self.luck_model = worth;
        Ok(self)
    }

    /// The luck adjustment of this section, if there is one.
    #[must_use]
    pub fn luck_model(&self, section: usize) -> Option<&LuckModel> {
        self.luck_model.get(section)
    }

    /// The spec.
    #[must_use]
    pub const fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Its games.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The patience with its entrants after these timeouts in a row.
    #[must_use]
    pub fn patience(&self, timeouts_in_a_row: &[u64]) -> Patience {
        if !self.has_programs() {
            return Patience::default();
        }
        Patience::new(self.specs.iter().map(AgentSpec::games_at_once), timeouts_in_a_row)
    }

    /// The rules of a section.
    #[must_use]
    pub fn rules(&self, section: &Section) -> &Rules {
        &self.rules[section.variant]
    }

    /// The agents of the entrants, in their order.
    #[must_use]
    pub fn specs(&self) -> &[AgentSpec] {
        &self.specs
    }

    /// The names of the entrants that are not rated.
    #[must_use]
    pub fn unrated(&self) -> BTreeSet<String> {
        let entrants = self.spec.entrants.iter().zip(&self.specs).filter(|(_, agent)| !agent.is_contender());
        entrants.map(|(entrant, _)| entrant.name.clone()).collect()
    }

    /// Whether any of its agents is or contains a program, which may take too long.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        self.specs.iter().any(|agent| is_program(agent.text()))
    }

    /// The number of games that its agents play at once, from 1.
    #[must_use]
    pub fn games_at_once(&self) -> usize {
        self.specs.iter().map(AgentSpec::games_at_once).fold(1, usize::max)
    }
}

/// The games of a spec, for any agents.
///
/// # Errors
/// If its rules and seats are incompatible.
pub fn schedule_of(spec: &Spec) -> Result<Schedule, ContestError> {
    let rules = spec.variants.iter().map(|variant| rules_of(variant, spec)).collect::<Result<Vec<_>, _>>()?;
    Ok(Schedule::of(spec, &rules)?)
}

/// The rules of a variant of a spec, checked for every number of seats.
fn rules_of(variant: &Variant, spec: &Spec) -> Result<Rules, ContestError> {
    let rules = load_for_seats(&variant.path_of_text(), &[], &spec.seats, variant)?.rules;
    if rules.parameters().teams == Teams::RotatingTables && spec.unit == Unit::Round {
        return Err(ContestError::RoundAtTwoTables { variant: variant.name.clone() });
    }
    Ok(rules)
}

/// Extra cards that cannot be dealt.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OddsError {
    /// The deck has too few cards.
    #[error(
        "--extra-cards: a table of {variant} at {seats} seats would get {}; allowed: at most {left}, because the hands and the \
         start card need the rest of the deck",
        counted(*cards as u64, "extra card")
    )]
    DeckTooSmall {
        /// The variant.
        variant: String,
        /// The number of seats.
        seats: usize,
        /// The number of extra cards of a table.
        cards: usize,
        /// The largest number that can be dealt.
        left: usize,
    },
    /// A hand that would put its player out of the round at once.
    #[error(
        "--extra-cards {entrant}={cards}: the hand would reach house.hand_limit = {limit} of {variant}; allowed: at most {}",
        limit.saturating_sub(hand_size + 1)
    )]
    HandLimit {
        /// The entrant.
        entrant: String,
        /// Its extra cards.
        cards: u8,
        /// The variant.
        variant: String,
        /// The hand limit.
        limit: u32,
        /// The size of the other hands.
        hand_size: u32,
    },
}

/// Checks that the extra cards of the entrants can be dealt at each table.
fn check_odds(spec: &Spec, rules: &[Rules], schedule: &Schedule) -> Result<(), OddsError> {
    if spec.entrants.iter().all(|entrant| entrant.extra_cards == 0) {
        return Ok(()); // also with millions of tables
    }
    for section in &schedule.sections {
        let rules = &rules[section.variant];
        check_hand_limit(spec, rules)?;
        for table in &section.tables {
            let cards = table.entrants.iter().map(|entrant| spec.entrants[entrant.index()].extra_cards.into());
            check_deck(rules, section.seats, cards.collect())?;
        }
    }
    Ok(())
}

/// Checks that the extra cards of the entrants can be dealt at any table that a league may have.
///
/// # Errors
/// If they cannot be dealt at a table of the entrants with the most extra cards.
pub fn check_odds_of_league(spec: &Spec) -> Result<(), ContestError> {
    for variant in &spec.variants {
        let rules = rules_of(variant, spec)?;
        check_hand_limit(spec, &rules)?;
        for &seats in &spec.seats {
            let mut cards: Vec<usize> = spec.entrants.iter().map(|entrant| entrant.extra_cards.into()).collect();
            // An entrant has several seats only if there are fewer entrants than seats.
            let copies = seats.saturating_sub(cards.len());
            cards.extend(vec![cards.iter().copied().max().unwrap_or(0); copies]);
            cards.sort_unstable();
            check_deck(&rules, seats, cards.split_off(cards.len() - seats))?;
        }
    }
    Ok(())
}

fn check_hand_limit(spec: &Spec, rules: &Rules) -> Result<(), OddsError> {
    let hand_size = rules.parameters().hand_size.get();
    let HandLimit::Cards { cards: limit, .. } = rules.parameters().hand_limit else { return Ok(()) };
    match spec.entrants.iter().find(|entrant| hand_size + u32::from(entrant.extra_cards) >= limit) {
        Some(Entrant { name, extra_cards, .. }) => {
            let (entrant, cards, variant) = (name.clone(), *extra_cards, rules.name().into());
            Err(OddsError::HandLimit { entrant, cards, variant, limit, hand_size })
        }
        None => Ok(()),
    }
}

/// Checks that the deck has the extra cards of the seats of a table.
fn check_deck(rules: &Rules, seats: usize, mut cards: Vec<usize>) -> Result<(), OddsError> {
    // Each table of a match for eight at two tables seats four, which may be any of them.
    let dealt_seats = if rules.parameters().teams == Teams::RotatingTables { 4 } else { seats };
    cards.sort_unstable();
    let cards: usize = cards.iter().rev().take(dealt_seats).sum();
    let dealt = dealt_seats * rules.parameters().hand_size.get() as usize + 1;
    let left = (rules.deck().len() as usize).saturating_sub(dealt);
    if cards <= left {
        return Ok(());
    }
    Err(OddsError::DeckTooSmall { variant: rules.name().into(), seats, cards, left })
}

/// A run too large for the exact sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "--luck: {} of an entrant in each of {} are too many to be summed exactly; play fewer sets",
    counted(*seat_games, "game"),
    counted(*sets, "set")
)]
pub struct ScheduleTooLarge {
    seat_games: u64,
    sets: u64,
}

/// Luck-adjusted results are squared in units of about 10^-12 of a win: the largest number of sets times the square of
/// their size.
const MOST_SQUARES: u128 = 400_000_000_000;

/// Checks that all games of a schedule can be counted.
///
/// # Errors
/// If they cannot.
fn check_room(schedule: &Schedule, num_entrants: usize) -> Result<(), ScheduleTooLarge> {
    for section in &schedule.sections {
        let mut seat_games = vec![0_u64; num_entrants];
        for table in &section.tables {
            table.entrants.iter().for_each(|entrant| seat_games[entrant.index()] += table.num_seatings() as u64);
        }
        let (sets, seat_games) = (schedule.sets, seat_games.into_iter().max().unwrap_or(0));
        if u128::from(sets) * u128::from(seat_games).pow(2) > MOST_SQUARES {
            return Err(ScheduleTooLarge { seat_games, sets });
        }
    }
    Ok(())
}
