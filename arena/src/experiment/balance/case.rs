//! One variant at one number of seats, ready to play, and its counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unolab_engine::card::Card;
use unolab_engine::rules::{Rules, Scoring};
use unolab_stats::moments::Moments;

use super::cards::Group;
use super::fitted_model::FittedModel;
use super::metric::{Layout, Metric, MetricKind, RowCondition};
use super::scope::{Scope, TableGroup};
use super::spec::{Arm, MetricSet};
use crate::count::faults::FaultBook;
use crate::play::record::GameRecord;
use crate::schedule::Section;
use crate::schedule::contest::Contest;
use crate::schedule::patience::{Blocks, Patience, TimeoutStreak};
use crate::spec::Unit;

/// One variant at one number of seats in one unit, with all its games.
#[derive(Debug)]
pub struct Case {
    /// The variant's name.
    pub variant: String,
    /// Seats.
    pub seats: usize,
    /// Rounds or matches.
    pub unit: Unit,
    /// The metrics.
    pub layout: Layout,
    /// The arms, the base first.
    pub arms: Vec<ReadyArm>,
    /// Deals.
    pub sets: u64,
    /// The games that are played, and the detail of their counts.
    pub(super) scope: Scope,
    /// The number in the run of its first game.
    pub(super) first_game: u64,
    /// The agent of the layout for each entrant.
    pub(super) agent_of: Vec<usize>,
    /// Fitted on the base and used in every arm, so that all arms are measured with the same model.
    pub(super) fitted: FittedModel,
}

/// An arm ready to be played.
#[derive(Debug)]
pub struct ReadyArm {
    /// The arm.
    pub arm: Arm,
    pub(super) contest: Contest,
    /// The contest on the seeds of the pilot.
    pub(super) pilot: Contest,
    pub(super) tables: Tables,
}

/// The tables.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) field: Section,
    pub(super) skill: Section,
    /// The weak player's number in the panel, if it is a member.
    pub(super) weak_in_panel: Option<usize>,
    /// The other members of the panel by their numbers.
    pub(super) panel: Vec<(usize, Section)>,
    pub(super) rungs: Vec<Section>,
    pub(super) dealt: Vec<Card>,
}

/// A metric of the cards that are dealt on purpose, by their number, and its name in sweep.csv.
pub(super) type DealtMetric = (MetricKind, &'static str);

/// The quantiles of lengths, in percent.
pub(super) const QUANTILES: [u64; 3] = [10, 50, 90];

/// The counts of one arm.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ArmCounts {
    /// By metric.
    pub moments: Vec<Moments>,
    /// The number of rounds by points taken.
    pub points: BTreeMap<u32, u64>,
    /// The lengths of the games; empty if they are not counted.
    #[serde(default, skip_serializing_if = "Lengths::is_empty")]
    pub lengths: Lengths,
    /// The faults of agents, by their numbers in the layout: in the unchanged arm, then with each dealt card.
    pub faults: Vec<FaultBook>,
    /// The streaks of timeouts of each entrant in sets that were just played; empty without programs, and in sums.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub streaks: Vec<TimeoutStreak>,
    /// The number of rounds that were just played; none in saved counts.
    #[serde(skip)]
    pub rounds: u64,
}

/// The number of games by length.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lengths {
    /// By turns.
    pub turns: BTreeMap<u32, u64>,
    /// By rounds.
    pub rounds: BTreeMap<u32, u64>,
}

impl Lengths {
    pub(crate) fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Counts a game.
    pub(super) fn add(&mut self, record: &GameRecord) {
        *self.turns.entry(record.turns).or_default() += 1;
        *self.rounds.entry(record.rounds).or_default() += 1;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        other.turns.iter().for_each(|(&turns, &times)| *self.turns.entry(turns).or_default() += times);
        other.rounds.iter().for_each(|(&rounds, &times)| *self.rounds.entry(rounds).or_default() += times);
    }
}

impl ArmCounts {
    pub(super) fn merge(&mut self, other: &Self) {
        self.moments.resize(self.moments.len().max(other.moments.len()), Moments::default());
        self.moments.iter_mut().zip(&other.moments).for_each(|(mine, theirs)| mine.merge(theirs));
        other.points.iter().for_each(|(&points, &times)| *self.points.entry(points).or_default() += times);
        self.lengths.merge(&other.lengths);
        self.faults.resize(self.faults.len().max(other.faults.len()), FaultBook::default());
        self.faults.iter_mut().zip(&other.faults).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

impl Case {
    /// Games per set over all arms.
    #[must_use]
    pub fn games_per_set(&self) -> u64 {
        self.games_per_set_of_arms().sum()
    }

    /// Games per set, arm by arm.
    pub(super) fn games_per_set_of_arms(&self) -> impl Iterator<Item = u64> {
        self.arms.iter().map(|ready| ready.tables.games_per_set(self.scope, self.seats as u64))
    }

    /// The same with the metrics of another case that has all of its metrics.
    pub(crate) fn with_layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// Games per set of the base.
    pub(crate) fn games_per_set_of_base(&self) -> u64 {
        self.arms[0].tables.games_per_set(self.scope, self.seats as u64)
    }

    /// The number of games on which models are fitted before this number of sets.
    pub(crate) fn pilot_games_before(&self, sets: u64) -> u64 {
        let base = &self.arms[0];
        base.pilot_sets(sets) * base.tables.field.games_per_set()
    }

    /// The number of games that its agents play at once.
    pub(crate) fn games_at_once(&self) -> usize {
        self.arms.iter().map(|arm| arm.contest.games_at_once()).fold(1, usize::max)
    }

    /// Whether any of its agents is a program.
    pub(crate) fn has_programs(&self) -> bool {
        self.arms.iter().any(|arm| arm.contest.has_programs())
    }

    /// The number of games on which models and coefficients are fitted.
    #[must_use]
    pub fn pilot_games(&self) -> u64 {
        self.pilot_games_before(self.sets)
    }

    /// The patience with the entrants of all arms after these timeouts in a row, arm by arm.
    pub(super) fn patience(&self, timeouts_in_a_row: &[u64]) -> Patience {
        let in_arm = |(number, ready): (usize, &ReadyArm)| {
            let num_entrants = ready.contest.specs().len();
            let of_arm = timeouts_in_a_row.get(number * num_entrants..).unwrap_or_default();
            ready.contest.patience(of_arm)
        };
        Patience::of_all(self.arms.iter().enumerate().map(in_arm))
    }

    /// The blocks of sets in which an entrant that takes too long is not asked again.
    pub(super) const fn blocks(&self) -> Blocks {
        Blocks::of(self.sets)
    }

    /// The rules of the base.
    fn rules(&self) -> &Rules {
        let base = &self.arms[0];
        base.contest.rules(&base.tables.field)
    }

    /// The number in the run of the first game of the next case.
    #[must_use]
    pub(super) fn end(&self) -> u64 {
        self.first_game + self.sets * self.games_per_set()
    }
}

impl Tables {
    pub(super) fn games_per_set(&self, scope: Scope, seats: u64) -> u64 {
        let rungs: u64 = self.rungs.iter().map(Section::games_per_set).sum();
        let panel: u64 = self.panel.iter().map(|(_, section)| section.games_per_set()).sum();
        let games = |is_played: bool, games: u64| if is_played { games } else { 0 };
        games(scope.plays(TableGroup::Field), self.field.games_per_set() + self.dealt.len() as u64 * seats + rungs)
            + games(self.plays_weak(scope), self.skill.games_per_set())
            + games(scope.plays(TableGroup::Panel), panel)
    }

    /// Whether the good player meets the weak one, who may also be a member of the panel.
    pub(super) fn plays_weak(&self, scope: Scope) -> bool {
        let is_of_panel = scope.plays(TableGroup::Panel) && self.weak_in_panel.is_some();
        is_of_panel || scope.plays(TableGroup::Weak)
    }
}

impl Case {
    /// The prefix of every metric.
    pub(crate) const fn prefix(&self) -> &'static str {
        match self.unit {
            Unit::Round => "",
            Unit::Match => "match_",
        }
    }

    /// The name of a game's unit.
    pub(super) const fn unit_name(&self) -> &'static str {
        match self.unit {
            Unit::Round => "round",
            Unit::Match => "match",
        }
    }

    /// Whether the metric may get a row here: not if it cannot occur, or is constant by definition.
    pub(super) fn can_report(&self, metric: Metric) -> bool {
        let Metric { kind, member } = metric;
        kind.def().row_if != RowCondition::Never
            && match kind {
                MetricKind::Rounds => self.unit == Unit::Match,
                MetricKind::Win | MetricKind::WinAdjusted => self.layout.entrants.len() > 1,
                MetricKind::PointsFrom => Group::ALL[member].example(self.rules()).is_some(),
                _ => true,
            }
    }

    /// The metrics of every card dealt on purpose, with their names in sweep.csv.
    pub(super) fn reported_dealt_metrics(&self) -> &'static [DealtMetric] {
        static ALL: [DealtMetric; 4] = [
            (MetricKind::DealtWin, "win_share"),
            (MetricKind::DealtPoints, "points_mean"),
            (MetricKind::DealtLeft, "points_left"),
            (MetricKind::DealtNet, "points_net"),
        ];
        match (self.unit, self.rules().parameters().scoring) {
            (Unit::Round, Scoring::WinnerTakes) => &ALL,
            // Players are charged with their own points, so no points can be won.
            (Unit::Round, Scoring::RunningLowest | Scoring::Elimination) => &ALL[..3],
            // A match has many rounds, and the card was dealt in the first.
            (Unit::Match, _) => &ALL[..2],
        }
    }

    /// The names of all metrics that may have a row in metrics.csv.
    pub(crate) fn metrics(&self) -> impl Iterator<Item = String> {
        const OTHERS: [&str; 11] = [
            "skill",
            "skill_variance",
            "good_share_gain",
            "seat_share_gain(0)",
            "seat_max_difference",
            "first_player_ratio",
            "seat_chi_squared",
            "seat_chi_squared_p",
            "seat_equivalence_margin",
            "seat_equivalence_p",
            "model_calibration_error",
        ];
        let entrants = self.layout.entrants.iter().filter(|_| self.layout.entrants.len() > 1);
        let others =
            OTHERS.into_iter().map(str::to_owned).chain(entrants.map(|name| format!("win_share_gain({name})")));
        let of_panel = self.layout.panel.iter().map(|agent| format!("skill({agent})"));
        let of_panel = of_panel.chain(["skill_low", "skill_high"].map(String::from));
        let of_panel = of_panel.filter(|_| !self.layout.panel.is_empty());
        let quantiles = QUANTILES
            .into_iter()
            .flat_map(|percent| ["turns", "rounds", "minutes"].map(|length| format!("{length}_q{percent}")));
        let lengths = quantiles.chain(["minutes".into()]).filter(|_| self.layout.set == MetricSet::All);
        let all = self.named(|_| true).chain(others).chain(of_panel).chain(lengths);
        all.map(|name| format!("{}{name}", self.prefix()))
    }

    /// The names of all metrics that may have a row in sweep.csv.
    pub(super) fn compared(&self) -> impl Iterator<Item = String> {
        let between_arms = self.named(Metric::is_compared).filter(|_| self.arms.len() > 1);
        let dealt = self.reported_dealt_metrics().iter().filter(|_| !self.layout.dealt.is_empty());
        between_arms.chain(dealt.map(|(_, name)| (*name).to_owned())).map(|name| format!("{}{name}", self.prefix()))
    }

    /// The names of the counted metrics that may get a row and are requested.
    fn named(&self, is_wanted: fn(Metric) -> bool) -> impl Iterator<Item = String> {
        let told = self.layout.all().filter(move |&metric| self.can_report(metric) && is_wanted(metric));
        told.map(|metric| self.layout.name(metric))
    }
}
