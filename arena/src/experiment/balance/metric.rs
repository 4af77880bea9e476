//! The metrics of a balance run, each a ratio, and their positions in the counts.

use std::fmt;

use unolab_stats::moments::{Moments, Part};
use unolab_stats::range::Range;

use super::cards::Group;
use super::spec::MetricSet;
use crate::play::record::WIN;
use crate::spec::luck::{self, CARD, FINE, NUM_CARD_CONTROLS};

/// Cells of equal width in which predictions are compared with outcomes.
pub const BINS: usize = 10;

/// The number of refits of the model, each without one part of the pilot.
pub const REFITS: usize = 8;

/// Fractions are counted in units of 1 divided by this.
pub const FRACTION: i64 = 1_000_000;

/// The metrics of a definition: their number and their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Members {
    /// One, without a name in parentheses.
    One,
    /// One, except if only the metrics of published tables are counted.
    Full,
    /// One per place in the order of play.
    Seats,
    /// One per agent of the field.
    Entrants,
    /// One per group of cards.
    Groups,
    /// One per cell of predictions.
    Bins,
    /// One per refit of the model.
    Refits,
    /// One per card and refit of the model.
    CardRefits,
    /// One per control variate of luck.
    Controls,
    /// One per step of the ladder.
    Rungs,
    /// One per card that is dealt on purpose.
    Dealt,
    /// One per agent that plays.
    Agents,
    /// One per weak player of the panel.
    Panel,
    /// One per length in turns whose excess is counted.
    Lengths,
    /// One, if turns are counted in which the choice of the card matters.
    Decisive,
    /// One per group of built-in cards and one per custom card.
    Cards,
}

/// Whether a metric is compared between arms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArmComparison {
    Compared,
    /// Only the first of its family.
    FirstOnly,
    /// It is not compared, because it only describes the method.
    NotCompared,
}

/// When a metric has a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowCondition {
    Always,
    /// If anything was counted.
    Counted,
    /// If the numerator of the base is not zero.
    NotZero,
    /// If the numerator of any arm is not zero.
    NotZeroInAnyArm,
    /// Never: other rows are computed from it.
    Never,
}

/// The definition of a metric or of a family of metrics.
#[derive(Debug)]
pub struct MetricDef {
    name: &'static str,
    members: Members,
    /// The values that it can have in a game.
    pub range: Range,
    /// The unit of the numerator, as a fraction of one.
    pub unit: i64,
    between_arms: ArmComparison,
    pub(super) row_if: RowCondition,
}

/// Defines the metrics, in the order of their rows.
macro_rules! metrics {
    ($($(#[doc = $doc:literal])+ $kind:ident: $name:literal, $members:ident, $range:expr, $unit:expr, $between:ident, $row:ident;)+) => {
        /// A quantity that is measured in every game, as numerator / denominator, summed over sets.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum MetricKind { $($(#[doc = $doc])+ $kind),+ }

        impl MetricKind {
            const ALL: &[Self] = &[$(Self::$kind),+];
        }

        const METRICS: &[MetricDef] = &[$(MetricDef {
            name: $name,
            members: Members::$members,
            range: $range,
            unit: $unit,
            between_arms: ArmComparison::$between,
            row_if: RowCondition::$row,
        }),+];
    };
}

const WINS: i64 = WIN as i64;
const ADJUSTED: i64 = WIN as i64 * FINE * CARD;
const COUNT: Range = Range::CountFrom(0);

metrics! {
    /// Turns / games.
    Turns: "turns", One, Range::Any, 1, Compared, Always;
    /// Decisions / games.
    Decisions: "decisions", One, Range::Any, 1, Compared, Always;
    /// Rounds / games.
    Rounds: "rounds", One, Range::CountFrom(1), 1, Compared, Always;
    /// Times the discard pile became the draw pile / games.
    Reshuffles: "reshuffles", One, COUNT, 1, Compared, Counted;
    /// Games without a winner / games.
    Void: "void_share", One, Range::Share, 1, Compared, Always;
    /// Games cut by the limit of decisions / games.
    Truncated: "truncated_share", One, Range::Share, 1, Compared, Always;
    /// Legal actions / ordinary decisions.
    LegalActions: "legal_actions", One, Range::Any, 1, Compared, Counted;
    /// Decisions with more than one legal action / ordinary decisions.
    Choices: "choice_share", One, Range::Share, 1, Compared, Counted;
    /// Points left in the other hands / rounds won.
    PointsTaken: "points_a_round", One, Range::Any, 1, Compared, Counted;
    /// Their squares / rounds won.
    PointsSquared: "points_squared", One, Range::Any, 1, Compared, Never;
    /// Changes of the later winner's chance, up and down / steps.
    Excitement: "excitement", One, Range::Share, FRACTION, Compared, Counted;
    /// The part of the game after which the leader stayed the same / games.
    LastLeadChange: "last_lead_change", One, Range::Share, FRACTION, Compared, Counted;
    /// Changes of the leader / games.
    LeadChanges: "lead_changes", One, COUNT, 1, Compared, Counted;
    /// Squared errors of the model's predictions / moments.
    Brier: "model_brier", One, Range::Any, FRACTION, NotCompared, Counted;
    /// Wins of a good player among weak ones / its games.
    GoodShare: "good_share", One, Range::Share, WINS, Compared, Counted;
    /// The luck-adjusted share.
    GoodShareAdjusted: "good_share_adjusted", One, Range::AdjustedShare, ADJUSTED, NotCompared, Counted;
    /// Wins of the seat at this place in the order of play / games.
    Seat: "seat_share", Seats, Range::Share, WINS, FirstOnly, Counted;
    /// The luck-adjusted share.
    SeatAdjusted: "seat_share_adjusted", Seats, Range::AdjustedShare, ADJUSTED, NotCompared, Counted;
    /// Wins of an entrant of the field / its seat-games.
    Win: "win_share", Entrants, Range::Share, WINS, Compared, Always;
    /// The luck-adjusted share.
    WinAdjusted: "win_share_adjusted", Entrants, Range::AdjustedShare, ADJUSTED, NotCompared, Always;
    /// Points of an entrant / its seat-games.
    Points: "points_mean", Entrants, Range::Any, 1, Compared, Counted;
    /// Points left in the other hands in cards of this group / all of them.
    PointsFrom: "points_from", Groups, Range::Share, 1, Compared, NotZero;
    /// Predicted minus real wins in this cell / predictions there.
    Calibration: "model_calibration", Bins, Range::Any, FRACTION, NotCompared, Never;
    /// The excitement by a model that was fitted without one part of the pilot.
    ExcitementRefit: "excitement_refit", Refits, Range::Any, FRACTION, NotCompared, Never;
    /// Luck of the first seat / games: the true value is 0.
    Control: "control_mean", Controls, Range::Any, CARD, NotCompared, Counted;
    /// Wins of a search budget against the budget before / its games.
    Rung: "ladder", Rungs, Range::Share, WINS, NotCompared, Counted;
    /// Wins with a card dealt minus wins with an ordinary one / games.
    DealtWin: "dealt_win_share", Dealt, Range::Any, WINS, Compared, Never;
    /// Points won, likewise.
    DealtPoints: "dealt_points", Dealt, Range::Any, 1, Compared, Never;
    /// Points left in the hand of that seat, likewise.
    DealtLeft: "dealt_points_left", Dealt, Range::Any, 1, Compared, Never;
    /// Points won minus points left in the player's hand, likewise.
    DealtNet: "dealt_points_net", Dealt, Range::Any, 1, Compared, Never;
    /// Games that an agent lost by a fault / its seat-games.
    Faults: "fault_share", Agents, Range::Share, 1, Compared, NotZeroInAnyArm;
    /// Wins of the good player among copies of a weak player of the panel / its games.
    PanelShare: "good_share", Panel, Range::Share, WINS, Compared, Counted;
    /// Games with more turns than this / games.
    Longer: "longer_share", Lengths, Range::Share, 1, Compared, Counted;
    /// Turns of others between two turns of a player / pairs of such turns.
    WaitingTurns: "waiting_turns", Full, COUNT, 1, Compared, Counted;
    /// Turns that a player loses / players and rounds.
    TurnsLost: "turns_lost", Full, COUNT, 1, Compared, Counted;
    /// Turns without a card played / turns.
    IdleTurns: "idle_turn_share", Full, Range::Share, 1, Compared, Counted;
    /// Cards drawn after the deal / players and rounds.
    CardsDrawn: "cards_drawn", Full, COUNT, 1, Compared, Counted;
    /// The largest hand of the round / rounds.
    LargestHand: "largest_hand", Full, Range::Any, 1, Compared, Counted;
    /// Turns with at least two different cards to play / turns.
    CardChoices: "card_choice_share", Full, Range::Share, 1, Compared, Counted;
    /// Turns in which the choice of the card matters / turns.
    DecisiveChoices: "decisive_choice_share", Decisive, Range::Share, 1, Compared, Counted;
    /// The fall of the victim's chance to win when a card is played / plays of the card.
    Sting: "sting", Cards, Range::Any, FRACTION, Compared, Counted;
    /// The sting by a model that was fitted without one part of the pilot.
    StingRefit: "sting_refit", CardRefits, Range::Any, FRACTION, NotCompared, Never;
}

/// A metric: its definition, and its number in the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// The definition.
    pub kind: MetricKind,
    /// The number of the member; 0 for a metric without a family.
    pub member: usize,
}

impl MetricKind {
    /// The member of the family with this number.
    #[must_use]
    pub const fn of(self, member: usize) -> Metric {
        Metric { kind: self, member }
    }

    /// Its definition.
    #[must_use]
    pub const fn def(self) -> &'static MetricDef {
        &METRICS[self as usize]
    }
}

impl From<MetricKind> for Metric {
    fn from(kind: MetricKind) -> Self {
        kind.of(0)
    }
}

impl Metric {
    /// The metric by the model that was fitted without this part of the pilot. `None` if it does not depend on the model, or only
    /// describes it.
    pub(crate) const fn without_part(self, part: usize) -> Option<Self> {
        match self.kind {
            MetricKind::Excitement => Some(MetricKind::ExcitementRefit.of(part)),
            MetricKind::Sting => Some(MetricKind::StingRefit.of(self.member * REFITS + part)),
            _ => None,
        }
    }

    /// Whether it is compared between arms.
    pub(super) const fn is_compared(self) -> bool {
        match self.kind.def().between_arms {
            ArmComparison::Compared => true,
            ArmComparison::FirstOnly => self.member == 0,
            ArmComparison::NotCompared => false,
        }
    }
}

/// The metrics and their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// Seats at the table.
    pub seats: usize,
    /// Names of the entrants of the field.
    pub entrants: Vec<String>,
    /// Names of the search budgets that are compared with the one before.
    pub rungs: Vec<String>,
    /// Names of the cards that are dealt on purpose.
    pub dealt: Vec<String>,
    /// All agents that play, each once.
    pub agents: Vec<String>,
    /// The weak players of the panel.
    pub panel: Vec<String>,
    /// Lengths in turns.
    pub lengths: Vec<u32>,
    /// The choice of a card matters if the chances to win with the best and the second-best card differ by more than this, in
    /// thousandths. `None` if such choices are not counted.
    pub decisive_permille: Option<u32>,
    /// Names of the cards whose sting is measured.
    pub cards: Vec<String>,
    /// Whether all metrics are counted.
    pub set: MetricSet,
    /// The position of the first metric of each definition.
    pub(super) begins: Vec<usize>,
}

impl Layout {
    /// The layout with the positions of its metrics.
    #[must_use]
    pub fn indexed(mut self) -> Self {
        let mut place = 0;
        let begins = MetricKind::ALL.iter().map(|&kind| {
            place += self.number_of(kind);
            place - self.number_of(kind)
        });
        self.begins = begins.collect();
        self
    }

    fn number_of(&self, kind: MetricKind) -> usize {
        match kind.def().members {
            Members::One => 1,
            Members::Full => usize::from(self.set == MetricSet::All),
            Members::Seats => self.seats,
            Members::Entrants => self.entrants.len(),
            Members::Groups => Group::ALL.len(),
            Members::Bins => BINS,
            Members::Refits => REFITS,
            Members::CardRefits => self.cards.len() * REFITS,
            Members::Controls => NUM_CARD_CONTROLS,
            Members::Rungs => self.rungs.len(),
            Members::Dealt => self.dealt.len(),
            Members::Agents => self.agents.len(),
            Members::Panel => self.panel.len(),
            Members::Lengths => self.lengths.len(),
            Members::Decisive => usize::from(self.decisive_permille.is_some()),
            Members::Cards => self.cards.len(),
        }
    }

    /// Every metric, in order.
    pub fn all(&self) -> impl Iterator<Item = Metric> + '_ {
        MetricKind::ALL.iter().flat_map(|&kind| (0..self.number_of(kind)).map(move |member| kind.of(member)))
    }

    /// The number of metrics.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all().count()
    }

    /// Always false: every layout has metrics.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position of a metric in that order.
    #[must_use]
    pub fn place(&self, metric: Metric) -> usize {
        self.begins[metric.kind as usize] + metric.member
    }

    /// The name of the arm of a card dealt on purpose.
    #[must_use]
    pub fn dealt_arm(&self, number: usize) -> String {
        format!("dealt:{}", self.dealt[number])
    }

    /// A metric's name in the tables.
    #[must_use]
    pub fn name(&self, metric: Metric) -> String {
        let MetricDef { name, members, .. } = metric.kind.def();
        match self.member(*members, metric.member) {
            Some(member) => format!("{name}({member})"),
            None => (*name).into(),
        }
    }

    fn member(&self, members: Members, number: usize) -> Option<String> {
        Some(match members {
            Members::One | Members::Full => return None,
            Members::Seats | Members::Bins | Members::Refits => number.to_string(),
            Members::Entrants => self.entrants[number].clone(),
            Members::Groups => Group::ALL[number].to_string(),
            Members::Controls => luck::NAMES[number].into(),
            Members::Rungs => self.rungs[number].clone(),
            Members::Dealt => self.dealt[number].clone(),
            Members::Agents => self.agents[number].clone(),
            Members::Panel => self.panel[number].clone(),
            Members::Lengths => self.lengths[number].to_string(),
            Members::Decisive => (f64::from(self.decisive_permille?) / 1_000.0).to_string(),
            Members::Cards => self.cards[number].clone(),
            Members::CardRefits => format!("{} {}", self.cards[number / REFITS], number % REFITS),
        })
    }
}

/// The contribution of one set of games to every metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts<'a> {
    layout: &'a Layout,
    parts: Vec<Part>,
}

impl<'a> Parts<'a> {
    /// No contribution.
    #[must_use]
    pub fn new(layout: &'a Layout) -> Self {
        Self { layout, parts: vec![Part::default(); layout.len()] }
    }

    /// Adds to the numerator and the denominator of a metric.
    #[inline]
    pub fn add(&mut self, metric: impl Into<Metric>, above: i64, below: i64) {
        self.parts[self.layout.place(metric.into())].add(above, below);
    }

    /// Counts all contributions as one set, paired with the base.
    pub fn count(&self, base: &Self, moments: &mut [Moments]) {
        for ((moments, &own), &base) in moments.iter_mut().zip(&self.parts).zip(&base.parts) {
            moments.add(own, base);
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.entrants.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn metrics_have_distinct_positions_and_names() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let layout = Layout {
            seats: 3,
            entrants: names(&["a", "b"]),
            rungs: names(&["x"]),
            dealt: names(&["wild", "r7"]),
            agents: names(&["a", "b", "x"]),
            panel: names(&["greedy"]),
            lengths: vec![50, 100],
            decisive_permille: Some(20),
            cards: names(&["skip", "rX"]),
            set: MetricSet::All,
            ..Layout::default()
        }
        .indexed();
        let all: Vec<Metric> = layout.all().collect();
        assert!(all.iter().enumerate().all(|(place, &metric)| layout.place(metric) == place));
        assert_eq!(all.iter().map(|&metric| layout.name(metric)).collect::<BTreeSet<_>>().len(), all.len());
    }
}
