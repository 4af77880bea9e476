//! The games that measure some quantities of a rule set: one number of seats, one unit, one group of tables.

use std::collections::BTreeSet;

use unolab_agents::registry::Registry;
use unolab_stats::interval::Coverage;
use unolab_stats::moments::Estimate;

use super::goal::Goal;
use super::quantity::{DERIVED, Quantity, Reading, TrialCounts, counted_of};
use super::space::{Point, Space};
use super::spec::TuneSpec;
use crate::experiment::balance::case::{ArmCounts, Case, Lengths};
use crate::experiment::balance::error::BalanceError;
use crate::experiment::balance::metric::{Metric, MetricKind};
use crate::experiment::balance::results::Results;
use crate::experiment::balance::scope::{Detail, Scope, TableGroup};
use crate::experiment::balance::spec::{Arm, BASE, BalanceSpec, Choices, CommandWord, MetricSet, VariantComparison};
use crate::spec::{Unit, Variant};

/// The part of a run to which games belong. Comparisons are made on the deals of the search, and contributions are measured on
/// the fresh deals of the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Search,
    Comparisons,
    Certificate,
    Contributions,
}

impl Phase {
    pub(super) const ALL: [Self; 4] = [Self::Search, Self::Comparisons, Self::Certificate, Self::Contributions];
    pub(super) const NUMBER: u64 = Self::ALL.len() as u64;

    /// The number of sets by which the pilot of a model is sized.
    const fn pilot_sets(self) -> u64 {
        match self {
            Self::Search | Self::Comparisons => 1,
            Self::Certificate | Self::Contributions => 2_000,
        }
    }
}

/// A match has about this number of rounds, before any is played.
const ROUNDS_PER_MATCH: f64 = 12.0;

/// The games of one number of seats, one unit and one group of tables.
#[derive(Debug)]
pub struct Trial {
    /// The number of seats.
    pub seats: usize,
    /// Rounds or matches.
    pub unit: Unit,
    group: TableGroup,
    detail: Detail,
    /// The numbers in the names of metrics.
    numbers: MetricNumbers,
    /// A case that has the metrics of every candidate; it is never played.
    prototype: Case,
    minutes_per_turn: Option<f64>,
    /// The names of the agents of the field.
    field: String,
    /// The stored metrics.
    needed: Vec<Metric>,
    has_quantile: bool,
}

impl Trial {
    pub(super) fn new(
        spec: &TuneSpec,
        space: &Space,
        goals: &[Goal],
        (seats, unit, group): (usize, Unit, TableGroup),
        registry: &Registry,
    ) -> Result<Self, BalanceError> {
        let numbers = MetricNumbers::of(goals);
        let spec_of_case = balance_spec(spec, &spec.panel, &numbers, Phase::Search);
        let scope = Scope { tables: Some(group), detail: Detail::Result };
        let arms = variants_with_every_card(spec, space).into_iter().map(arm).collect();
        let prototype = Case::of_arms(&spec_of_case, arms, seats, unit, scope, registry)?;
        let names: Vec<&str> = spec.field.iter().map(|entrant| &*entrant.name).collect();
        Ok(Self {
            seats,
            unit,
            group,
            detail: Detail::Result,
            numbers,
            prototype,
            minutes_per_turn: spec.turn_ms.map(|ms| f64::from(ms) / 60_000.0),
            field: names.join(" "),
            needed: Vec::new(),
            has_quantile: false,
        })
    }

    pub(super) fn key(&self) -> (usize, Unit, TableGroup) {
        (self.seats, self.unit, self.group)
    }

    /// The names of all quantities of this unit, in order.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let prefix = self.prototype.prefix();
        let derived = DERIVED.into_iter().map(|name| format!("{prefix}{name}"));
        let mut names: BTreeSet<String> = self.prototype.metrics().chain(derived).collect();
        // The margin is an option, not a result.
        names.remove(&format!("{prefix}seat_equivalence_margin"));
        // In a tuning run `skill` is the lowest skill of the panel.
        if self.prototype.layout.panel.is_empty() {
            names.remove(&format!("{prefix}skill"));
        }
        names
    }

    /// Makes it measure this quantity, too.
    pub(super) fn add(&mut self, quantity: &Quantity) {
        self.detail = self.detail.max(quantity.detail());
        for metric in quantity.needed(&self.prototype.layout) {
            if !self.needed.contains(&metric) {
                self.needed.push(metric);
            }
        }
        if quantity.has_lengths() {
            self.has_quantile = true;
            let turns = MetricKind::Turns.into();
            if !self.needed.contains(&turns) {
                self.needed.push(turns);
            }
        }
    }

    pub(super) fn games_at_once(&self) -> usize {
        self.prototype.games_at_once()
    }

    /// The case of these rule sets, the first of which is the base of the others.
    pub(super) fn case(
        &self,
        spec: &TuneSpec,
        space: &Space,
        points: &[Point],
        phase: Phase,
        registry: &Registry,
    ) -> Result<Case, BalanceError> {
        let broken = |reason: String| {
            let error = unolab_engine::rules::LoadError { reasons: vec![reason] };
            BalanceError::Contest(error.into())
        };
        let variants =
            points.iter().map(|point| space.variant(point)).collect::<Result<Vec<_>, _>>().map_err(broken)?;
        let panel = if self.group == TableGroup::Panel { &spec.panel[..] } else { &[] };
        let spec = balance_spec(spec, panel, &self.numbers, phase);
        let scope = Scope { tables: Some(self.group), detail: self.detail };
        let case =
            Case::of_arms(&spec, variants.into_iter().map(arm).collect(), self.seats, self.unit, scope, registry)?;
        // With the metrics of all candidates, so that those of each are in the same places.
        Ok(case.with_layout(self.prototype.layout.clone()))
    }

    /// What is kept of the counts of an arm over this number of sets.
    pub(super) fn stored(&self, counted: ArmCounts, sets: u64) -> TrialCounts {
        let layout = &self.prototype.layout;
        let moments = self.needed.iter().map(|&metric| counted.moments[layout.place(metric)]).collect();
        let lengths = if self.has_quantile { counted.lengths } else { Lengths::default() };
        TrialCounts { sets, rounds: counted.rounds, moments, lengths }
    }

    /// Whether these are possible counts.
    pub(super) fn is_count(&self, counts: &TrialCounts) -> bool {
        let are_moments = counts.moments.len() == self.needed.len()
            && counts.moments.iter().all(|moments| moments.can_be_of(counts.sets));
        (counts.sets == 0 && counts.moments.is_empty()) || are_moments
    }

    /// The rounds of a set, by these counts of matches.
    pub(super) fn rounds_per_set(&self, counts: &[&TrialCounts]) -> f64 {
        let (sets, rounds) = counts.iter().fold((0, 0), |(sets, rounds), one| (sets + one.sets, rounds + one.rounds));
        let games = self.prototype.games_per_set_of_base() as f64;
        match self.unit {
            Unit::Round => games,
            Unit::Match if sets > 0 => rounds as f64 / sets as f64,
            Unit::Match => ROUNDS_PER_MATCH * games,
        }
    }

    /// The factor by which sets may have more rounds than expected. Only matches differ in length.
    pub(super) const fn safety_factor(&self) -> f64 {
        match self.unit {
            Unit::Round => 1.0,
            Unit::Match => 1.1,
        }
    }

    /// The rounds of the pilot of a rule set.
    pub(super) fn pilot_rounds(&self, phase: Phase) -> f64 {
        if self.detail != Detail::Models {
            return 0.0;
        }
        let games = self.prototype.pilot_games_before(phase.pilot_sets()) as f64;
        match self.unit {
            Unit::Round => games,
            Unit::Match => ROUNDS_PER_MATCH * games,
        }
    }

    /// What these counts tell about a quantity; none if it is not defined, or nothing is counted.
    #[must_use]
    pub fn read(&self, quantity: &Quantity, counts: &TrialCounts, coverage: Coverage) -> Option<Reading> {
        if counts.sets == 0 {
            return None;
        }
        let counted = [counted_of(&self.prototype, &self.needed, counts)];
        quantity.read(&self.results(&counted, coverage)).filter(|reading| reading.value.is_finite())
    }

    /// By how much the quantity is larger in an arm than in the base of its case.
    #[must_use]
    pub fn difference(&self, quantity: &Quantity, arm: &TrialCounts, base: &TrialCounts) -> Option<Estimate> {
        let counted = [arm, base].map(|counts| counted_of(&self.prototype, &self.needed, counts));
        quantity.difference(&self.results(&counted, Coverage::Pointwise))
    }

    /// Whether the quantity has the same value in both arms of a case on every deal. The known counts decide which metrics matter.
    pub(super) fn is_equal(
        &self,
        quantity: &Quantity,
        arm: &TrialCounts,
        base: &TrialCounts,
        known: &TrialCounts,
    ) -> bool {
        let counted = [arm, base, known].map(|counts| counted_of(&self.prototype, &self.needed, counts));
        let deciding = quantity.deciding(&self.results(&counted[2..], Coverage::Pointwise));
        let is_tie = |metric: &Metric| {
            let [own, base] = [0, 1].map(|arm: usize| &counted[arm].moments[self.prototype.layout.place(*metric)]);
            own.difference(base).is_some_and(|change| change.value == 0.0 && change.standard_error == Some(0.0))
                || (own.denominator(), base.denominator()) == (0, 0)
        };
        deciding.iter().all(is_tie) && (!quantity.has_lengths() || arm.lengths == base.lengths)
    }

    fn results<'a>(&'a self, counted: &'a [ArmCounts], coverage: Coverage) -> Results<'a> {
        Results {
            field: &self.field,
            margin: f64::from(MARGIN_PERMILLE) / 1000.0,
            minutes_per_turn: self.minutes_per_turn,
            coverage,
            case: &self.prototype,
            counted,
        }
    }
}

/// The margin of `seat_equivalence_p`, as by default in a balance run.
const MARGIN_PERMILLE: u32 = 20;

fn arm(variant: Variant) -> Arm {
    Arm { name: BASE.into(), variant, choices: Choices::AsInTheBase }
}

/// A valid rule set, and others if they have other cards.
fn variants_with_every_card(spec: &TuneSpec, space: &Space) -> Vec<Variant> {
    let mut variants = vec![spec.base.clone()];
    let mut codes = BTreeSet::new();
    for number in 0..space.keys.len() {
        for value in 0..space.keys[number].values.len() {
            let Some(point) = space.points.iter().find(|point| point[number] == value) else { continue };
            let Ok(rules) = space.rules(point) else { continue };
            let own: BTreeSet<String> = rules.kinds().iter().map(|kind| kind.code.clone()).collect();
            if codes.insert(own) {
                variants.push(Variant { name: spec.base.name.clone(), ..Variant::of(&rules) });
            }
        }
    }
    variants
}

/// The numbers in the names of the goals' metrics.
#[derive(Debug)]
struct MetricNumbers {
    /// The lengths whose excess is counted.
    lengths: Vec<u32>,
    /// How large a difference makes a choice decisive. Only one is counted.
    decisive_permille: Option<u32>,
}

impl MetricNumbers {
    fn of(goals: &[Goal]) -> Self {
        let quantities: Vec<Quantity> = goals.iter().map(|goal| Quantity::named(&goal.metric)).collect();
        let mut lengths: Vec<u32> = quantities.iter().filter_map(Quantity::length).collect();
        lengths.sort_unstable();
        lengths.dedup();
        Self { lengths, decisive_permille: quantities.iter().find_map(Quantity::decisive_permille) }
    }
}

fn balance_spec(spec: &TuneSpec, panel: &[String], numbers: &MetricNumbers, phase: Phase) -> BalanceSpec {
    BalanceSpec {
        command: CommandWord::Balance,
        field: spec.field.clone(),
        variants: vec![spec.base.clone()],
        seats: spec.seats.clone(),
        sets: phase.pilot_sets(),
        matches: phase.pilot_sets(),
        seed: match phase {
            Phase::Search | Phase::Comparisons => spec.seed,
            Phase::Certificate | Phase::Contributions => spec.fresh_seed(),
        },
        seating: spec.seating,
        sweep: Vec::new(),
        arms: Vec::new(),
        worth: Vec::new(),
        good: spec.good.clone(),
        weak: spec.weak.clone(),
        ladder: Vec::new(),
        margin_permille: MARGIN_PERMILLE,
        metrics: MetricSet::All,
        panel: panel.to_vec(),
        turn_ms: spec.turn_ms,
        lengths: numbers.lengths.clone(),
        decisive_permille: numbers.decisive_permille,
        rivals: Vec::new(),
        comparison: VariantComparison::Separate,
        seal: spec.seal.clone(),
    }
}
