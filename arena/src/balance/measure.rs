//! Plays the battery: every arm on the same deals, counted set by set.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use unolab_agents::registry::Registry;
use unolab_engine::card::Card;
use unolab_engine::machine::{Job, Machine, on_best_machine};
use unolab_engine::rng::mix;
use unolab_engine::state::{Everything, Plain, Profile};

use super::BalanceError;
use super::frozen::Frozen;
use super::observer::Observer;
use super::quantities::{Layout, Parts, Quantity};
use super::spec::{Arm, BalanceSpec, Deals};
use crate::contest::Contest;
use crate::luck::worth::pilot_seed;
use crate::luck::{Luck, against_the_table};
use crate::moments::Moments;
use crate::play::Croupier;
use crate::record::{GameRecord, Status};
use crate::schedule::{Section, Table};
use crate::seating::{EntrantId, seatings};
use crate::spec::{Command, Entrant, Format, Spec, Unit, Variant};

/// Games that models and coefficients are fitted on: as many sets as are then played, within these bounds.
const LEAST_PILOT_GAMES: u64 = 500;
const MOST_PILOT_GAMES: u64 = 6_000;

/// Sets that one thread plays in one go, at most.
const MOST_SETS_PER_BLOCK: u64 = 8;

/// One variant at one number of seats in one unit, with everything that is played there.
#[derive(Debug)]
pub struct Case {
    /// The variant's name.
    pub variant: String,
    /// Seats.
    pub seats: usize,
    /// Rounds or matches.
    pub unit: Unit,
    /// What is measured.
    pub layout: Layout,
    /// The arms, the base first.
    pub arms: Vec<ReadyArm>,
    /// Deals.
    pub sets: u64,
    /// Fitted on the base and used in every arm: one yardstick for all.
    frozen: Frozen,
}

/// An arm ready to be played.
#[derive(Debug)]
pub struct ReadyArm {
    /// The arm.
    pub arm: Arm,
    contest: Contest,
    /// The same on the seeds of the pilot.
    pilot: Contest,
    tables: Tables,
}

/// Who sits together.
#[derive(Debug)]
struct Tables {
    field: Section,
    skill: Section,
    rungs: Vec<Section>,
    dealt: Vec<Card>,
}

/// What was counted of one arm.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counted {
    /// By quantity.
    pub moments: Vec<Moments>,
    /// How often so many points were taken.
    pub points: BTreeMap<u32, u64>,
}

impl Counted {
    pub(super) fn merge(&mut self, other: &Self) {
        self.moments.resize(self.moments.len().max(other.moments.len()), Moments::default());
        self.moments.iter_mut().zip(&other.moments).for_each(|(mine, theirs)| mine.merge(theirs));
        other.points.iter().for_each(|(&points, &times)| *self.points.entry(points).or_default() += times);
    }
}

/// The tables at which the field plays: its agents in turn until the seats are full, or every choice of so many agents.
fn field_tables(num_agents: usize, seats: usize) -> Vec<Vec<EntrantId>> {
    if num_agents <= seats {
        return vec![(0..seats).map(|seat| EntrantId::new(seat % num_agents)).collect()];
    }
    let choices = (0_u32..1 << num_agents).filter(|choice| choice.count_ones() as usize == seats);
    choices
        .map(|choice| (0..num_agents).filter(|agent| choice >> agent & 1 == 1).map(EntrantId::new).collect())
        .collect()
}

/// More agents would make more tables than anybody wants.
pub const MAX_AGENTS: usize = 12;

impl Case {
    /// Loads rules and agents, and freezes models and coefficients on other seeds.
    ///
    /// # Errors
    /// If rules, agents and seats do not go together.
    pub fn prepare(spec: &BalanceSpec, variant: &Variant, seats: usize, unit: Unit) -> Result<Self, BalanceError> {
        let is_round = unit == Unit::Round;
        let sets = if is_round { spec.sets } else { spec.matches };
        let mut dealt_names = Vec::new();
        let mut arms = Vec::new();
        for arm in spec.arms(variant, seats)? {
            let is_base = arms.is_empty();
            let (contest, pilot) = contests(spec, &arm, seats, unit)?;
            let rules = contest.rules(&contest.schedule().sections[0]);
            if rules.parameters().teams != unolab_engine::rules::Teams::None {
                return Err(BalanceError::Teams { variant: variant.name.clone() });
            }
            let cards = spec.dealt_cards(rules);
            // Only the base deals cards on purpose, and climbs the ladder: another arm may not have the card.
            let dealt = if is_base && is_round { cards? } else { Vec::new() };
            if is_base {
                dealt_names = dealt.iter().map(|(name, _)| name.clone()).collect();
            }
            let num_rungs = if is_base && is_round { spec.ladder.len().saturating_sub(1) } else { 0 };
            let tables = Tables {
                field: section(spec, seats, field_tables(spec.field.len(), seats)),
                skill: section(spec, seats, vec![one_among(spec.field.len(), spec.field.len() + 1, seats)]),
                rungs: (0..num_rungs)
                    .map(|rung| spec.field.len() + 2 + rung)
                    .map(|lower| section(spec, seats, vec![one_among(lower + 1, lower, seats)]))
                    .collect(),
                dealt: dealt.into_iter().map(|(_, card)| card).collect(),
            };
            arms.push(ReadyArm { arm, contest, pilot, tables });
        }
        let layout = Layout {
            seats,
            entrants: spec.field.iter().map(|entrant| entrant.name.clone()).collect(),
            rungs: if is_round { spec.ladder.iter().skip(1).cloned().collect() } else { Vec::new() },
            dealt: dealt_names,
        };
        let frozen = arms[0].play_pilot(sets);
        Ok(Self { frozen, variant: variant.name.clone(), seats, unit, layout, arms, sets })
    }

    /// Games that a set has over all arms.
    #[must_use]
    pub fn games_per_set(&self) -> u64 {
        self.arms.iter().map(|ready| ready.tables.games_per_set(self.seats as u64)).sum()
    }

    /// Plays these sets on the threads of the pool at hand and counts them by arm. None once `stop` is set. `on_block` is
    /// told how many games were played.
    pub(super) fn play(
        &self,
        sets: Range<u64>,
        stop: &AtomicBool,
        on_block: &(dyn Fn(u64) + Sync),
    ) -> Option<Vec<Counted>> {
        let block = ((sets.end - sets.start) / (8 * rayon::current_num_threads() as u64)).clamp(1, MOST_SETS_PER_BLOCK);
        let blocks = (sets.end - sets.start).div_ceil(block);
        let nothing = || vec![Counted::default(); self.arms.len()];
        (0..blocks)
            .into_par_iter()
            .map(|number| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let begin = sets.start + number * block;
                let sets = begin..sets.end.min(begin + block);
                let games = (sets.end - sets.start) * self.games_per_set();
                let mut counted = nothing();
                self.play_block(sets, &mut counted);
                on_block(games);
                Some(counted)
            })
            .try_reduce(nothing, |mut sum, counted| {
                sum.iter_mut().zip(&counted).for_each(|(sum, part)| sum.merge(part));
                Some(sum)
            })
    }

    fn play_block(&self, sets: Range<u64>, counted: &mut [Counted]) {
        let mut base: Vec<Parts<'_>> = Vec::new();
        for (ready, counted) in self.arms.iter().zip(counted) {
            let job = ArmJob { case: self, ready, sets: sets.clone(), points: &mut counted.points };
            let parts = on_best_machine(job);
            if base.is_empty() {
                base.clone_from(&parts);
            }
            counted.moments.resize(self.layout.all().len(), Moments::default());
            parts.iter().zip(&base).for_each(|(own, base)| own.count(base, &mut counted.moments));
        }
    }
}

/// The contest of an arm, and the same on the seeds of its pilot. Tables are made apart: only rules, agents and seeds
/// count here.
fn contests(spec: &BalanceSpec, arm: &Arm, seats: usize, unit: Unit) -> Result<(Contest, Contest), BalanceError> {
    let others = [&spec.good, &spec.weak].into_iter().chain(&spec.ladder);
    let agents = spec.field.iter().map(|entrant| &entrant.agent).chain(others);
    let seed = match arm.deals {
        Deals::Same => spec.seed,
        Deals::Other => mix(mix(spec.seed) ^ 1),
    };
    let of_seed = |seed| {
        let spec = Spec {
            command: Command::Tournament { format: Format::Gauntlet },
            entrants: Entrant::name_all(agents.clone()),
            variants: vec![arm.variant.clone()],
            seats: vec![seats],
            sets: 1,
            seed,
            seating: spec.seating,
            unit,
        };
        Contest::of(spec, &Registry::default())
    };
    Ok((of_seed(seed)?, of_seed(pilot_seed(seed))?))
}

fn section(spec: &BalanceSpec, seats: usize, tables: Vec<Vec<EntrantId>>) -> Section {
    let with_seatings = |entrants: Vec<EntrantId>| Table { seatings: seatings(&entrants, spec.seating), entrants };
    Section { variant: 0, seats, team_size: 1, tables: tables.into_iter().map(with_seatings).collect() }
}

fn one_among(one: usize, others: usize, seats: usize) -> Vec<EntrantId> {
    std::iter::once(one).chain(std::iter::repeat_n(others, seats - 1)).map(EntrantId::new).collect()
}

impl Tables {
    fn games_per_set(&self, seats: u64) -> u64 {
        let rungs: u64 = self.rungs.iter().map(Section::games_per_set).sum();
        self.field.games_per_set() + self.skill.games_per_set() + rungs + self.dealt.len() as u64 * seats
    }
}

impl ReadyArm {
    /// Plays the field on other seeds, and fits on what is seen there.
    fn play_pilot(&self, sets: u64) -> Frozen {
        let per_set = self.tables.field.games_per_set();
        let sets = MOST_PILOT_GAMES.div_ceil(per_set).min(sets.max(LEAST_PILOT_GAMES.div_ceil(per_set)));
        let seen: Vec<_> =
            (0..sets).into_par_iter().map(|set| on_best_machine(PilotJob { ready: self, set })).collect();
        Frozen::fit(seen.into_iter().flatten(), self.contest.spec().unit, self.tables.field.seats)
    }

    fn fits_plain<M: Machine>(&self) -> bool {
        Plain::<M>::fits(self.contest.rules(&self.tables.field))
    }
}

/// A game of the pilot.
pub(super) type PilotGame = (GameRecord, Box<Observed>);

/// What the pilot keeps of a game.
pub(super) struct Observed {
    pub(super) sights: Vec<[super::model::Features; unolab_engine::seat::MAX_SEATS]>,
    pub(super) luck: Vec<Luck>,
}

/// A set of the pilot.
struct PilotJob<'a> {
    ready: &'a ReadyArm,
    set: u64,
}

impl Job for PilotJob<'_> {
    type Output = Vec<PilotGame>;

    fn run<M: Machine>(self) -> Vec<PilotGame> {
        if self.ready.fits_plain::<M>() { self.play::<Plain<M>>() } else { self.play::<Everything<M>>() }
    }
}

impl PilotJob<'_> {
    fn play<P: Profile>(&self) -> Vec<PilotGame> {
        let ReadyArm { pilot, tables, .. } = self.ready;
        let section = &tables.field;
        let mut croupier: Croupier<'_, P> = Croupier::new(pilot, section);
        let mut observer = Observer::new(pilot.rules(section), pilot.spec().unit);
        let mut play = |seating: &Vec<EntrantId>| {
            observer.begin_game();
            let record = croupier.play_witnessed(self.set, seating, &mut observer);
            let luck = against_the_table(&observer.luck.by_player, section.seats, 1);
            (record, Box::new(Observed { sights: observer.sights.clone(), luck }))
        };
        section.games().map(|(_, seating)| play(seating)).collect()
    }
}

/// A block of sets in one arm.
struct ArmJob<'a> {
    case: &'a Case,
    ready: &'a ReadyArm,
    sets: Range<u64>,
    points: &'a mut BTreeMap<u32, u64>,
}

impl<'a> Job for ArmJob<'a> {
    type Output = Vec<Parts<'a>>;

    fn run<M: Machine>(self) -> Vec<Parts<'a>> {
        if self.ready.fits_plain::<M>() { self.play::<Plain<M>>() } else { self.play::<Everything<M>>() }
    }
}

impl<'a> ArmJob<'a> {
    fn play<P: Profile>(self) -> Vec<Parts<'a>> {
        let ReadyArm { contest, tables, .. } = self.ready;
        let mut desk = Desk {
            croupier: Croupier::<'_, P>::new(contest, &tables.field),
            observer: Observer::new(contest.rules(&tables.field), contest.spec().unit),
            unit: contest.spec().unit,
            tables,
            frozen: &self.case.frozen,
        };
        let play_set = |set| {
            let mut parts = Parts::new(&self.case.layout);
            desk.play_field(set, &mut parts, self.points);
            desk.play_skill(set, &mut parts);
            desk.play_ladder(set, &mut parts);
            desk.play_dealt(set, &mut parts);
            parts
        };
        self.sets.map(play_set).collect()
    }
}

/// What it takes to play sets of one arm.
struct Desk<'a, P> {
    croupier: Croupier<'a, P>,
    observer: Observer<'a>,
    unit: Unit,
    tables: &'a Tables,
    frozen: &'a Frozen,
}

impl<P: Profile> Desk<'_, P> {
    fn play(&mut self, set: u64, seating: &[EntrantId]) -> GameRecord {
        self.observer.begin_game();
        self.croupier.play_witnessed(set, seating, &mut self.observer)
    }

    fn play_field(&mut self, set: u64, parts: &mut Parts<'_>, points: &mut BTreeMap<u32, u64>) {
        let tables = self.tables;
        for (_, seating) in tables.field.games() {
            let record = self.play(set, seating);
            self.count_lengths(&record, parts);
            self.count_points(parts, points);
            self.frozen.count_course(&record, &self.observer.sights, self.unit, parts);
            let luck = against_the_table(&self.observer.luck.by_player, record.num_seats, 1);
            luck[0].iter().enumerate().for_each(|(i, &luck)| parts.add(Quantity::Control(i), luck, 1));
            for (seat, entrant) in record.seats().zip(seating) {
                let (place, entrant) = (record.order_of_play(seat), entrant.index());
                let win = record.win_of(seat);
                let adjusted = self.frozen.coefficients.take_off(win, &luck[seat.index()]);
                parts.add(Quantity::Seat(place), win, 1);
                parts.add(Quantity::SeatAdjusted(place), adjusted, 1);
                parts.add(Quantity::Win(entrant), win, 1);
                parts.add(Quantity::WinAdjusted(entrant), adjusted, 1);
                parts.add(Quantity::Points(entrant), i64::from(record.result(seat).points), 1);
            }
        }
    }

    fn count_lengths(&self, record: &GameRecord, parts: &mut Parts<'_>) {
        let seen = &self.observer;
        parts.add(Quantity::Turns, i64::from(record.turns), 1);
        parts.add(Quantity::Decisions, i64::from(record.decisions), 1);
        parts.add(Quantity::Rounds, i64::from(record.rounds), 1);
        parts.add(Quantity::Reshuffles, i64::from(record.reshuffles), 1);
        parts.add(Quantity::Void, i64::from(record.status == Status::Void), 1);
        parts.add(Quantity::Truncated, i64::from(record.status == Status::Truncated), 1);
        parts.add(Quantity::LegalActions, seen.legal_actions, seen.decisions);
        parts.add(Quantity::Choices, seen.choices, seen.decisions);
    }

    fn count_points(&self, parts: &mut Parts<'_>, points: &mut BTreeMap<u32, u64>) {
        let seen = &self.observer;
        for &taken in &seen.points_taken {
            *points.entry(taken).or_default() += 1;
            parts.add(Quantity::PointsTaken, i64::from(taken), 1);
            parts.add(Quantity::PointsSquared, i64::from(taken) * i64::from(taken), 1);
        }
        let all: i64 = seen.points_from.iter().sum();
        seen.points_from.iter().enumerate().for_each(|(i, &from)| parts.add(Quantity::PointsFrom(i), from, all));
    }

    fn play_skill(&mut self, set: u64, parts: &mut Parts<'_>) {
        let tables = self.tables;
        let good = tables.skill.tables[0].entrants[0];
        for (_, seating) in tables.skill.games() {
            let record = self.play(set, seating);
            let luck = against_the_table(&self.observer.luck.by_player, record.num_seats, 1);
            for (seat, _) in record.seats().zip(seating).filter(|&(_, &entrant)| entrant == good) {
                let win = record.win_of(seat);
                parts.add(Quantity::GoodShare, win, 1);
                let adjusted = self.frozen.coefficients.take_off(win, &luck[seat.index()]);
                parts.add(Quantity::GoodShareAdjusted, adjusted, 1);
            }
        }
    }

    fn play_ladder(&mut self, set: u64, parts: &mut Parts<'_>) {
        let tables = self.tables;
        for (rung, section) in tables.rungs.iter().enumerate() {
            let upper = section.tables[0].entrants[0];
            for (_, seating) in section.games() {
                let record = self.play(set, seating);
                let seats = record.seats().zip(seating).filter(|&(_, &entrant)| entrant == upper);
                seats.for_each(|(seat, _)| parts.add(Quantity::Rung(rung), record.win_of(seat), 1));
            }
        }
    }

    /// Each seat in turn gets each card, at the first seating of the field.
    fn play_dealt(&mut self, set: u64, parts: &mut Parts<'_>) {
        let tables = self.tables;
        if tables.dealt.is_empty() {
            return;
        }
        let seating = &tables.field.tables[0].seatings[0];
        let ordinary = self.play(set, seating);
        let ordinary_left = self.observer.points_left;
        for (number, &card) in tables.dealt.iter().enumerate() {
            for seat in ordinary.seats() {
                let deal = self.croupier.deal_with_card(set, seat, card);
                self.observer.begin_game();
                let record = self.croupier.play_before(&deal, seating, &mut self.observer);
                let [points, before] = [&record, &ordinary].map(|record| i64::from(record.result(seat).points));
                let [left, left_before] =
                    [&self.observer.points_left, &ordinary_left].map(|left| i64::from(left[seat.index()]));
                parts.add(Quantity::DealtWin(number), record.win_of(seat) - ordinary.win_of(seat), 1);
                parts.add(Quantity::DealtPoints(number), points - before, 1);
                parts.add(Quantity::DealtLeft(number), left - left_before, 1);
                parts.add(Quantity::DealtNet(number), points - before - (left - left_before), 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sits_at_the_tables_of_a_field() {
        let indices = |agents, seats| -> Vec<Vec<usize>> {
            let tables = field_tables(agents, seats);
            tables.iter().map(|table| table.iter().map(|entrant| entrant.index()).collect()).collect()
        };
        assert_eq!(indices(1, 3), [[0, 0, 0]]);
        assert_eq!(indices(3, 5), [[0, 1, 2, 0, 1]]);
        assert_eq!(indices(3, 2), [[0, 1], [0, 2], [1, 2]]);
    }
}
