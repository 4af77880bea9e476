//! Plays a balance run: every arm on the same deals, counted set by set.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use unolab_agents::registry::Registry;
use unolab_stats::moments::Moments;

use super::arm_player::ArmJob;
use super::case::{ArmCounts, Case, ReadyArm, Tables};
use super::error::BalanceError;
use super::experience::card_name;
use super::fitted_model::{FittedModel, PilotData, PilotGame};
use super::metric::{Layout, Parts, REFITS};
use super::observer::Observer;
use super::scope::{Detail, Scope, TableGroup};
use super::spec::{Arm, BalanceSpec, Choices, MetricSet};
use crate::count::luck::against_the_table;
use crate::experiment::luck_pilot::pilot_seed;
use crate::play::Dealer;
use crate::play::guarded::{Guard, catch_panics};
use crate::run::error::RunError;
use crate::run::experiment::Play;
use crate::schedule::contest::Contest;
use crate::schedule::patience::{Blocks, Patience, TimeoutStreak};
use crate::schedule::seating::EntrantId;
use crate::schedule::{Section, Table};
use crate::spec::{Allocation, Command, Entrant, Format, Spec, Unit, Variant};

/// The number of games for fitting models and coefficients: as many sets as are then played, within these bounds.
const LEAST_PILOT_GAMES: u64 = 500;
const MOST_PILOT_GAMES: u64 = 6_000;

/// The number of sets of the pilot, even if they are more games: the jackknife leaves out a part of the sets.
const LEAST_PILOT_SETS: u64 = 2 * REFITS as u64;

/// The tables of the field: its agents in turn until the seats are full, or every combination of agents.
fn field_tables(num_agents: usize, seats: usize) -> Vec<Vec<EntrantId>> {
    if num_agents <= seats {
        return vec![(0..seats).map(|seat| EntrantId::new(seat % num_agents)).collect()];
    }
    let choices = (0_u32..1 << num_agents).filter(|choice| choice.count_ones() as usize == seats);
    choices
        .map(|choice| (0..num_agents).filter(|agent| choice >> agent & 1 == 1).map(EntrantId::new).collect())
        .collect()
}

impl Case {
    /// Loads rules and agents, and fits models and coefficients on other seeds, which takes this number of additional
    /// games.
    ///
    /// # Errors
    /// If rules, agents and seats are incompatible.
    pub fn prepare(
        spec: &BalanceSpec,
        variant: &Variant,
        seats: usize,
        unit: Unit,
        first_game: u64,
        registry: &Registry,
    ) -> Result<Self, BalanceError> {
        let arms = spec.arms(variant, seats)?;
        let case = Self::of_arms(spec, arms, seats, unit, Scope::ALL, registry)?;
        Ok(Self { first_game, ..case })
    }

    /// The same for these arms, the base first, and only for these games.
    ///
    /// # Errors
    /// If rules, agents and seats are incompatible.
    pub(crate) fn of_arms(
        spec: &BalanceSpec,
        compared: Vec<Arm>,
        seats: usize,
        unit: Unit,
        scope: Scope,
        registry: &Registry,
    ) -> Result<Self, BalanceError> {
        let is_round = unit == Unit::Round;
        let sets = if is_round { spec.sets } else { spec.matches };
        let variant = compared[0].variant.name.clone();
        let mut dealt_names = Vec::new();
        let mut arms: Vec<ReadyArm> = Vec::new();
        for arm in compared {
            let is_base = arms.is_empty();
            let (mut contest, mut pilot) = contests(spec, &arm, seats, unit, registry)?;
            // Arms that differ in points have the deals of the base even if points decide the cut for the deal.
            if let Some(base) = arms.first() {
                let base = base.contest.rules(&base.contest.schedule().sections[0]);
                (contest, pilot) = (contest.with_cut_values_of(base), pilot.with_cut_values_of(base));
            }
            let rules = contest.rules(&contest.schedule().sections[0]);
            if rules.parameters().teams != unolab_engine::rules::Teams::None {
                return Err(BalanceError::Teams { variant });
            }
            let cards = spec.dealt_cards(rules);
            // Only the base deals cards on purpose and has the ladder: another arm may not have the card. In a match
            // the card is dealt in the first round.
            let dealt = if is_base { cards? } else { Vec::new() };
            if is_base {
                dealt_names = dealt.iter().map(|(name, _)| name.clone()).collect();
            }
            let num_rungs = if is_base && is_round { spec.ladder.len().saturating_sub(1) } else { 0 };
            let first_of_panel = spec.field.len() + 2 + spec.ladder.len();
            let members = spec.panel.iter().enumerate().filter(|(_, member)| **member != spec.weak);
            let tables = Tables {
                field: section(spec, seats, field_tables(spec.field.len(), seats)),
                skill: section(spec, seats, vec![one_among_copies(spec.field.len(), spec.field.len() + 1, seats)]),
                weak_in_panel: spec.panel.iter().position(|member| *member == spec.weak),
                panel: members
                    .map(|(number, _)| (number, one_among_copies(spec.field.len(), first_of_panel + number, seats)))
                    .map(|(number, table)| (number, section(spec, seats, vec![table])))
                    .collect(),
                rungs: (0..num_rungs)
                    .map(|rung| spec.field.len() + 2 + rung)
                    .map(|lower| section(spec, seats, vec![one_among_copies(lower + 1, lower, seats)]))
                    .collect(),
                dealt: dealt.into_iter().map(|(_, card)| card).collect(),
            };
            arms.push(ReadyArm { arm, contest, pilot, tables });
        }
        let playing: Vec<&String> = agents_of(spec).collect();
        let mut agents: Vec<String> = Vec::new();
        for &agent in &playing {
            if !agents.contains(agent) {
                agents.push(agent.clone());
            }
        }
        let agent_of = playing.iter().filter_map(|&agent| agents.iter().position(|other| other == agent)).collect();
        let layout = Layout {
            seats,
            entrants: spec.field.iter().map(|entrant| entrant.name.clone()).collect(),
            rungs: if is_round { spec.ladder.iter().skip(1).cloned().collect() } else { Vec::new() },
            dealt: dealt_names,
            agents,
            panel: spec.panel.clone(),
            lengths: if is_round { spec.lengths.clone() } else { Vec::new() },
            decisive_permille: spec.decisive_permille,
            cards: if is_round && spec.metrics == MetricSet::All { card_names(&arms) } else { Vec::new() },
            set: spec.metrics,
            ..Layout::default()
        }
        .indexed();
        let fitted = match scope.detail {
            Detail::Models => arms[0].play_pilot(sets)?,
            Detail::Result | Detail::Turns => FittedModel::default(),
        };
        Ok(Self { fitted, agent_of, variant, seats, unit, layout, arms, sets, scope, first_game: 0 })
    }

    /// Plays these sets on this thread and counts them by arm.
    ///
    /// # Errors
    /// If a game panics, and not in an agent.
    pub(crate) fn play(&self, sets: Range<u64>, how: Play<'_>) -> Result<Vec<ArmCounts>, RunError> {
        let counted = catch_panics(how.have_panicked, |guard| {
            let mut counted = vec![ArmCounts::default(); self.arms.len()];
            self.play_batch(sets.clone(), guard, how.patience, &mut counted);
            counted
        });
        counted.map_err(|words| interrupted_error(&self.variant, self.seats, words))
    }

    fn play_batch(&self, sets: Range<u64>, guard: Guard, patience: &Patience, counted: &mut [ArmCounts]) {
        let mut base: Vec<Parts<'_>> = Vec::new();
        let (mut first_game, mut first_entrant) = (self.first_game, 0);
        for ((ready, games_per_set), counted) in self.arms.iter().zip(self.games_per_set_of_arms()).zip(counted) {
            let ArmCounts { points, lengths, faults, streaks, rounds, .. } = counted;
            // `tune` compares quantiles between arms; `balance` only measures the base.
            let are_needed = base.is_empty() || self.scope.tables.is_some();
            let has_lengths = are_needed && self.layout.set == MetricSet::All && self.scope.plays(TableGroup::Field);
            let lengths = has_lengths.then_some(lengths);
            let entrants = first_entrant..first_entrant + ready.contest.specs().len();
            first_entrant = entrants.end;
            let (sets, patience) = (sets.clone(), patience.part(entrants));
            let job = ArmJob {
                case: self,
                ready,
                sets,
                first_game,
                guard,
                points,
                lengths,
                faults,
                rounds,
                patience,
                streaks,
            };
            let parts = job.play();
            first_game += games_per_set;
            if base.is_empty() {
                base.clone_from(&parts);
            }
            counted.moments.resize(self.layout.len(), Moments::default());
            parts.iter().zip(&base).for_each(|(own, base)| own.count(base, &mut counted.moments));
        }
    }
}

/// The names of the cards of all arms, each once.
fn card_names(arms: &[ReadyArm]) -> Vec<String> {
    let kinds = arms.iter().flat_map(|arm| arm.contest.rules(&arm.tables.field).kinds());
    let mut names: Vec<String> = Vec::new();
    for name in kinds.map(card_name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// All agents, in the order of their numbers: the field, the strong and the weak agent, the ladder, and the panel.
fn agents_of(spec: &BalanceSpec) -> impl Iterator<Item = &String> {
    let others = [&spec.good, &spec.weak].into_iter().chain(&spec.ladder).chain(&spec.panel);
    spec.field.iter().map(|entrant| &entrant.agent).chain(others)
}

fn interrupted_error(variant: &str, seats: usize, words: String) -> RunError {
    RunError::BrokeOff { game: format!("a game of {variant} at {seats} seats"), words }
}

/// The contest of an arm, and the contest on the seeds of its pilot. Only rules, agents, and seeds matter here, because
/// tables are built separately.
fn contests(
    spec: &BalanceSpec,
    arm: &Arm,
    seats: usize,
    unit: Unit,
    registry: &Registry,
) -> Result<(Contest, Contest), BalanceError> {
    let entrants = Entrant::name_all(agents_of(spec));
    let entrants = match arm.choices {
        Choices::AsInTheBase => entrants,
        Choices::DrawnAnew => Entrant::apart(entrants),
    };
    let of_seed = |seed| {
        let spec = Spec {
            command: Command::Tournament { format: Format::Gauntlet },
            entrants: entrants.clone(),
            variants: vec![arm.variant.clone()],
            seats: vec![seats],
            sets: 1,
            allocation: Allocation::Even,
            seed,
            seating: spec.seating,
            unit,
            seal: spec.seal.clone(),
        };
        Contest::of(spec, registry)
    };
    Ok((of_seed(spec.seed)?, of_seed(pilot_seed(spec.seed))?))
}

fn section(spec: &BalanceSpec, seats: usize, tables: Vec<Vec<EntrantId>>) -> Section {
    let tables = tables.iter().map(|entrants| Table::of(entrants, 1, spec.seating)).collect();
    Section { variant: 0, seats, team_size: 1, tables }
}

fn one_among_copies(one: usize, others: usize, seats: usize) -> Vec<EntrantId> {
    std::iter::once(one).chain(std::iter::repeat_n(others, seats - 1)).map(EntrantId::new).collect()
}

impl ReadyArm {
    /// The number of sets for fitting the models, before this number of sets.
    pub(super) fn pilot_sets(&self, sets: u64) -> u64 {
        let per_set = self.tables.field.games_per_set();
        let by_games = MOST_PILOT_GAMES.div_ceil(per_set).min(sets.max(LEAST_PILOT_GAMES.div_ceil(per_set)));
        by_games.max(LEAST_PILOT_SETS)
    }

    /// Plays the field on other seeds, and fits the models on these games.
    fn play_pilot(&self, sets: u64) -> Result<FittedModel, RunError> {
        let sets = self.pilot_sets(sets);
        let (have_panicked, seats) = (AtomicBool::new(false), self.tables.field.seats);
        let (mut seen, mut patience) = (Vec::new(), self.pilot.patience(&[]));
        for together in Blocks::of(sets).cut(0..sets) {
            let play = |set| {
                let played = catch_panics(&have_panicked, |guard| self.play_pilot_set(set, guard, &patience));
                played.map_err(|words| interrupted_error(&self.arm.variant.name, seats, words))
            };
            let played = together.into_par_iter().map(play).collect::<Result<Vec<_>, _>>()?;
            for (games, streaks) in played {
                seen.push(games);
                patience = patience.after(&streaks);
            }
        }
        Ok(FittedModel::fit(seen, self.contest.spec().unit, seats))
    }

    /// The games of a set, and the streaks of timeouts of the entrants in it.
    fn play_pilot_set(&self, set: u64, guard: Guard, patience: &Patience) -> (Vec<PilotGame>, Vec<TimeoutStreak>) {
        let Self { pilot, tables, .. } = self;
        let section = &tables.field;
        let mut dealer = Dealer::new(pilot, section).with(guard).with_patience(patience.clone());
        let mut observer = Observer::new(pilot.rules(section), pilot.spec().unit);
        let mut play = |seating: &Vec<EntrantId>| {
            observer.begin_game();
            let record = dealer.play_observed(set, seating, &mut observer);
            let luck = against_the_table(&observer.luck.by_player, section.seats, 1);
            (record, Box::new(PilotData { sights: observer.sights.clone(), luck }))
        };
        let games = section.games(pilot.streams_of(set)).map(|(_, seating)| play(&seating)).collect();
        (games, dealer.streaks())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_tables_seat_expected_entrants() {
        let indices = |agents, seats| -> Vec<Vec<usize>> {
            let tables = field_tables(agents, seats);
            tables.iter().map(|table| table.iter().map(|entrant| entrant.index()).collect()).collect()
        };
        assert_eq!(indices(1, 3), [[0, 0, 0]]);
        assert_eq!(indices(3, 5), [[0, 1, 2, 0, 1]]);
        assert_eq!(indices(3, 2), [[0, 1], [0, 2], [1, 2]]);
    }
}
