//! The metrics of a balance run, each a ratio, and their positions in the counts.

use std::fmt;

use unolab_stats::moments::{Moments, Part};
use unolab_stats::range::Range;

use super::cards::Group;
use crate::play::record::WIN;
use crate::spec::luck::{self, CARD, FINE, NUM_CARD_CONTROLS};

/// Cells of equal width in which predictions are compared with outcomes.
pub const BINS: usize = 10;

/// The number of refits of the model, each without one part of the pilot.
pub const REFITS: usize = 8;

/// Fractions are counted in units of one over this.
pub const FRACTION: i64 = 1_000_000;

/// A quantity that is measured in every game: numerator / denominator, summed over sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Turns / games.
    Turns,
    /// Decisions / games.
    Decisions,
    /// Rounds / games.
    Rounds,
    /// Times the discard pile became the draw pile / games.
    Reshuffles,
    /// Games without a winner / games.
    Void,
    /// Games cut by the limit of decisions / games.
    Truncated,
    /// Legal actions / ordinary decisions.
    LegalActions,
    /// Decisions with more than one legal action / ordinary decisions.
    Choices,
    /// Points left in the other hands / rounds won.
    PointsTaken,
    /// Their squares / rounds won.
    PointsSquared,
    /// Changes of the later winner's chance, up and down / steps.
    Excitement,
    /// The changes by a model that was fitted without one part of the pilot.
    ExcitementRefit(usize),
    /// The part of the game after which the leader stayed the same / games.
    LastLeadChange,
    /// Changes of the leader / games.
    LeadChanges,
    /// Squared errors of the model's predictions / moments.
    Brier,
    /// Wins of a good player among weak ones / its games.
    GoodShare,
    /// The luck-adjusted share.
    GoodShareAdjusted,
    /// Wins of the seat at this place in the order of play / games.
    Seat(usize),
    /// The luck-adjusted share.
    SeatAdjusted(usize),
    /// Wins of an entrant of the field / its seat-games.
    Win(usize),
    /// The luck-adjusted share.
    WinAdjusted(usize),
    /// Points of an entrant / its seat-games.
    Points(usize),
    /// Points left in the other hands in cards of this group / all of them.
    PointsFrom(usize),
    /// Predicted minus real wins in this cell / predictions there.
    Calibration(usize),
    /// Luck of the first seat / games: the true value is 0.
    Control(usize),
    /// Wins of a search budget against the budget before / its games.
    Rung(usize),
    /// Wins with a card dealt minus wins with an ordinary one / games.
    DealtWin(usize),
    /// Points won, likewise.
    DealtPoints(usize),
    /// Points left in the hand of that seat, likewise.
    DealtLeft(usize),
    /// Points won minus points left in the player's hand, likewise.
    DealtNet(usize),
    /// Games that an agent lost by a fault / its seat-games.
    Faults(usize),
}

/// The metrics that occur once.
const SINGLE: [Metric; 16] = [
    Metric::Turns,
    Metric::Decisions,
    Metric::Rounds,
    Metric::Reshuffles,
    Metric::Void,
    Metric::Truncated,
    Metric::LegalActions,
    Metric::Choices,
    Metric::PointsTaken,
    Metric::PointsSquared,
    Metric::Excitement,
    Metric::LastLeadChange,
    Metric::LeadChanges,
    Metric::Brier,
    Metric::GoodShare,
    Metric::GoodShareAdjusted,
];

/// The metrics and their order.
#[derive(Debug, Clone, PartialEq, Eq)]
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
}

impl Layout {
    /// Every metric, in order.
    #[must_use]
    pub fn all(&self) -> Vec<Metric> {
        let mut all = SINGLE.to_vec();
        let mut put = |number: usize, metric: fn(usize) -> Metric| all.extend((0..number).map(metric));
        put(self.seats, Metric::Seat);
        put(self.seats, Metric::SeatAdjusted);
        put(self.entrants.len(), Metric::Win);
        put(self.entrants.len(), Metric::WinAdjusted);
        put(self.entrants.len(), Metric::Points);
        put(Group::ALL.len(), Metric::PointsFrom);
        put(BINS, Metric::Calibration);
        put(REFITS, Metric::ExcitementRefit);
        put(NUM_CARD_CONTROLS, Metric::Control);
        put(self.rungs.len(), Metric::Rung);
        put(self.dealt.len(), Metric::DealtWin);
        put(self.dealt.len(), Metric::DealtPoints);
        put(self.dealt.len(), Metric::DealtLeft);
        put(self.dealt.len(), Metric::DealtNet);
        put(self.agents.len(), Metric::Faults);
        all
    }

    /// The position of a metric in that order.
    #[must_use]
    pub fn place(&self, metric: Metric) -> usize {
        let (seats, entrants, rungs, dealt) = (self.seats, self.entrants.len(), self.rungs.len(), self.dealt.len());
        let seat = SINGLE.len();
        let win = seat + 2 * seats;
        let from = win + 3 * entrants;
        let rung = from + Group::ALL.len() + BINS + REFITS + NUM_CARD_CONTROLS;
        match metric {
            Metric::Seat(k) => seat + k,
            Metric::SeatAdjusted(k) => seat + seats + k,
            Metric::Win(e) => win + e,
            Metric::WinAdjusted(e) => win + entrants + e,
            Metric::Points(e) => win + 2 * entrants + e,
            Metric::PointsFrom(group) => from + group,
            Metric::Calibration(bin) => from + Group::ALL.len() + bin,
            Metric::ExcitementRefit(part) => from + Group::ALL.len() + BINS + part,
            Metric::Control(i) => from + Group::ALL.len() + BINS + REFITS + i,
            Metric::Rung(r) => rung + r,
            Metric::DealtWin(c) => rung + rungs + c,
            Metric::DealtPoints(c) => rung + rungs + dealt + c,
            Metric::DealtLeft(c) => rung + rungs + 2 * dealt + c,
            Metric::DealtNet(c) => rung + rungs + 3 * dealt + c,
            Metric::Faults(agent) => rung + rungs + 4 * dealt + agent,
            single => SINGLE.iter().position(|&other| other == single).unwrap_or_default(),
        }
    }

    /// The name of the arm of a card dealt on purpose.
    #[must_use]
    pub fn dealt_arm(&self, number: usize) -> String {
        format!("dealt:{}", self.dealt[number])
    }

    /// A metric's name in the tables.
    #[must_use]
    pub fn name(&self, metric: Metric) -> String {
        match metric {
            Metric::Turns => "turns".into(),
            Metric::Decisions => "decisions".into(),
            Metric::Rounds => "rounds".into(),
            Metric::Reshuffles => "reshuffles".into(),
            Metric::Void => "void_share".into(),
            Metric::Truncated => "truncated_share".into(),
            Metric::LegalActions => "legal_actions".into(),
            Metric::Choices => "choice_share".into(),
            Metric::PointsTaken => "points_a_round".into(),
            Metric::PointsSquared => "points_squared".into(),
            Metric::Excitement => "excitement".into(),
            Metric::ExcitementRefit(part) => format!("excitement_refit({part})"),
            Metric::LastLeadChange => "last_lead_change".into(),
            Metric::LeadChanges => "lead_changes".into(),
            Metric::Brier => "model_brier".into(),
            Metric::GoodShare => "good_share".into(),
            Metric::GoodShareAdjusted => "good_share_adjusted".into(),
            Metric::Seat(k) => format!("seat_share({k})"),
            Metric::SeatAdjusted(k) => format!("seat_share_adjusted({k})"),
            Metric::Win(e) => format!("win_share({})", self.entrants[e]),
            Metric::WinAdjusted(e) => format!("win_share_adjusted({})", self.entrants[e]),
            Metric::Points(e) => format!("points_mean({})", self.entrants[e]),
            Metric::PointsFrom(group) => format!("points_from({})", Group::ALL[group]),
            Metric::Calibration(bin) => format!("model_calibration({bin})"),
            Metric::Control(i) => format!("control_mean({})", luck::NAMES[i]),
            Metric::Rung(r) => format!("ladder({})", self.rungs[r]),
            Metric::DealtWin(c) => format!("dealt_win_share({})", self.dealt[c]),
            Metric::DealtPoints(c) => format!("dealt_points({})", self.dealt[c]),
            Metric::DealtLeft(c) => format!("dealt_points_left({})", self.dealt[c]),
            Metric::DealtNet(c) => format!("dealt_points_net({})", self.dealt[c]),
            Metric::Faults(agent) => format!("fault_share({})", self.agents[agent]),
        }
    }
}

impl Metric {
    /// The values that it can have in a game.
    #[must_use]
    pub const fn range(self) -> Range {
        match self {
            Self::Void
            | Self::Truncated
            | Self::Choices
            | Self::Excitement
            | Self::LastLeadChange
            | Self::GoodShare
            | Self::GoodShareAdjusted
            | Self::Seat(_)
            | Self::SeatAdjusted(_)
            | Self::Win(_)
            | Self::WinAdjusted(_)
            | Self::PointsFrom(_)
            | Self::Rung(_)
            | Self::Faults(_) => Range::Share,
            Self::Reshuffles | Self::LeadChanges => Range::CountFrom(0),
            Self::Rounds => Range::CountFrom(1),
            _ => Range::Any,
        }
    }

    /// Whether it is compared between arms: not if it only describes the method.
    pub(super) const fn is_compared(self) -> bool {
        !matches!(
            self,
            Self::Brier
                | Self::ExcitementRefit(_)
                | Self::GoodShareAdjusted
                | Self::SeatAdjusted(_)
                | Self::WinAdjusted(_)
                | Self::Control(_)
                | Self::Rung(_)
                | Self::Seat(1..)
        )
    }

    /// The unit of the numerator, as a fraction of one.
    #[must_use]
    pub const fn unit(self) -> i64 {
        match self {
            Self::Seat(_) | Self::Win(_) | Self::GoodShare | Self::Rung(_) | Self::DealtWin(_) => WIN as i64,
            Self::SeatAdjusted(_) | Self::WinAdjusted(_) | Self::GoodShareAdjusted => WIN as i64 * FINE * CARD,
            Self::Control(_) => CARD,
            Self::Excitement | Self::ExcitementRefit(_) | Self::LastLeadChange | Self::Brier | Self::Calibration(_) => {
                FRACTION
            }
            _ => 1,
        }
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
        Self { layout, parts: vec![Part::default(); layout.all().len()] }
    }

    /// Adds to the numerator and the denominator of a metric.
    #[inline]
    pub fn add(&mut self, metric: Metric, above: i64, below: i64) {
        self.parts[self.layout.place(metric)].add(above, below);
    }

    /// Counts them all as one set, paired with the base's.
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
    fn every_metric_has_its_own_place_and_name() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let layout = Layout {
            seats: 3,
            entrants: names(&["a", "b"]),
            rungs: names(&["x"]),
            dealt: names(&["wild", "r7"]),
            agents: names(&["a", "b", "x"]),
        };
        let all = layout.all();
        assert!(all.iter().enumerate().all(|(place, &metric)| layout.place(metric) == place));
        assert_eq!(all.iter().map(|&metric| layout.name(metric)).collect::<BTreeSet<_>>().len(), all.len());
    }
}
