//! The metrics of a balance, each a ratio, and their places in the counts.

use std::fmt;

use unolab_stats::moments::{Moments, Part};
use unolab_stats::range::Range;

use super::cards::Group;
use crate::play::record::WIN;
use crate::spec::luck::{self, CARD, FINE, NUM_CARD_CONTROLS};

/// Cells of equal width in which predictions are compared with what came.
pub const BINS: usize = 10;

/// The number of refits of the model, each without one part of the pilot.
pub const REFITS: usize = 8;

/// Parts of one in which numbers that are not whole are counted.
pub const FRACTION: i64 = 1_000_000;

/// Something that is measured of every game: above / below, summed over sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
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
    /// The same by a model that was fitted without one part of the pilot.
    ExcitementRefit(usize),
    /// The part of the game after which the leader stayed the same / games.
    LastLeadChange,
    /// Changes of the leader / games.
    LeadChanges,
    /// Squared errors of the model's predictions / moments.
    Brier,
    /// Wins of a good player among weak ones / its games.
    GoodShare,
    /// The same with luck taken off.
    GoodShareAdjusted,
    /// Wins of the seat at this place in the order of play / games.
    Seat(usize),
    /// The same with luck taken off.
    SeatAdjusted(usize),
    /// Wins of an entrant of the field / its seat-games.
    Win(usize),
    /// The same with luck taken off.
    WinAdjusted(usize),
    /// Points of an entrant / its seat-games.
    Points(usize),
    /// Points left in the other hands in cards of this group / all of them.
    PointsFrom(usize),
    /// Predicted less real wins in this cell / predictions there.
    Calibration(usize),
    /// Luck of the first seat / games: 0 in truth.
    Control(usize),
    /// Wins of a search budget against the budget before / its games.
    Rung(usize),
    /// Wins with a card dealt less wins with an ordinary one / games.
    DealtWin(usize),
    /// Points won, likewise.
    DealtPoints(usize),
    /// Points left in the hand of that seat, likewise.
    DealtLeft(usize),
    /// Points won less points left in the player's hand, likewise.
    DealtNet(usize),
    /// Games that an agent lost by a fault / its seat-games.
    Faults(usize),
}

use Quantity as Q;

/// Those that there is only one of.
const SINGLE: [Quantity; 16] = [
    Q::Turns,
    Q::Decisions,
    Q::Rounds,
    Q::Reshuffles,
    Q::Void,
    Q::Truncated,
    Q::LegalActions,
    Q::Choices,
    Q::PointsTaken,
    Q::PointsSquared,
    Q::Excitement,
    Q::LastLeadChange,
    Q::LeadChanges,
    Q::Brier,
    Q::GoodShare,
    Q::GoodShareAdjusted,
];

/// Which quantities there are, and their order.
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
    /// Every quantity, in order.
    #[must_use]
    pub fn all(&self) -> Vec<Quantity> {
        let mut all = SINGLE.to_vec();
        let mut put = |number: usize, quantity: fn(usize) -> Quantity| all.extend((0..number).map(quantity));
        put(self.seats, Q::Seat);
        put(self.seats, Q::SeatAdjusted);
        put(self.entrants.len(), Q::Win);
        put(self.entrants.len(), Q::WinAdjusted);
        put(self.entrants.len(), Q::Points);
        put(Group::ALL.len(), Q::PointsFrom);
        put(BINS, Q::Calibration);
        put(REFITS, Q::ExcitementRefit);
        put(NUM_CARD_CONTROLS, Q::Control);
        put(self.rungs.len(), Q::Rung);
        put(self.dealt.len(), Q::DealtWin);
        put(self.dealt.len(), Q::DealtPoints);
        put(self.dealt.len(), Q::DealtLeft);
        put(self.dealt.len(), Q::DealtNet);
        put(self.agents.len(), Q::Faults);
        all
    }

    /// The place of a quantity in that order.
    #[must_use]
    pub fn place(&self, quantity: Quantity) -> usize {
        let (seats, entrants, rungs, dealt) = (self.seats, self.entrants.len(), self.rungs.len(), self.dealt.len());
        let seat = SINGLE.len();
        let win = seat + 2 * seats;
        let from = win + 3 * entrants;
        let rung = from + Group::ALL.len() + BINS + REFITS + NUM_CARD_CONTROLS;
        match quantity {
            Q::Seat(k) => seat + k,
            Q::SeatAdjusted(k) => seat + seats + k,
            Q::Win(e) => win + e,
            Q::WinAdjusted(e) => win + entrants + e,
            Q::Points(e) => win + 2 * entrants + e,
            Q::PointsFrom(group) => from + group,
            Q::Calibration(bin) => from + Group::ALL.len() + bin,
            Q::ExcitementRefit(part) => from + Group::ALL.len() + BINS + part,
            Q::Control(i) => from + Group::ALL.len() + BINS + REFITS + i,
            Q::Rung(r) => rung + r,
            Q::DealtWin(c) => rung + rungs + c,
            Q::DealtPoints(c) => rung + rungs + dealt + c,
            Q::DealtLeft(c) => rung + rungs + 2 * dealt + c,
            Q::DealtNet(c) => rung + rungs + 3 * dealt + c,
            Q::Faults(agent) => rung + rungs + 4 * dealt + agent,
            single => SINGLE.iter().position(|&other| other == single).unwrap_or_default(),
        }
    }

    /// The name of the arm of a card dealt on purpose.
    #[must_use]
    pub fn dealt_arm(&self, number: usize) -> String {
        format!("dealt:{}", self.dealt[number])
    }

    /// A quantity's name in the tables.
    #[must_use]
    pub fn name(&self, quantity: Quantity) -> String {
        match quantity {
            Q::Turns => "turns".into(),
            Q::Decisions => "decisions".into(),
            Q::Rounds => "rounds".into(),
            Q::Reshuffles => "reshuffles".into(),
            Q::Void => "void_share".into(),
            Q::Truncated => "truncated_share".into(),
            Q::LegalActions => "legal_actions".into(),
            Q::Choices => "choice_share".into(),
            Q::PointsTaken => "points_a_round".into(),
            Q::PointsSquared => "points_squared".into(),
            Q::Excitement => "excitement".into(),
            Q::ExcitementRefit(part) => format!("excitement_refit({part})"),
            Q::LastLeadChange => "last_lead_change".into(),
            Q::LeadChanges => "lead_changes".into(),
            Q::Brier => "model_brier".into(),
            Q::GoodShare => "good_share".into(),
            Q::GoodShareAdjusted => "good_share_adjusted".into(),
            Q::Seat(k) => format!("seat_share({k})"),
            Q::SeatAdjusted(k) => format!("seat_share_adjusted({k})"),
            Q::Win(e) => format!("win_share({})", self.entrants[e]),
            Q::WinAdjusted(e) => format!("win_share_adjusted({})", self.entrants[e]),
            Q::Points(e) => format!("points_mean({})", self.entrants[e]),
            Q::PointsFrom(group) => format!("points_from({})", Group::ALL[group]),
            Q::Calibration(bin) => format!("model_calibration({bin})"),
            Q::Control(i) => format!("control_mean({})", luck::NAMES[i]),
            Q::Rung(r) => format!("ladder({})", self.rungs[r]),
            Q::DealtWin(c) => format!("dealt_win_share({})", self.dealt[c]),
            Q::DealtPoints(c) => format!("dealt_points({})", self.dealt[c]),
            Q::DealtLeft(c) => format!("dealt_points_left({})", self.dealt[c]),
            Q::DealtNet(c) => format!("dealt_points_net({})", self.dealt[c]),
            Q::Faults(agent) => format!("fault_share({})", self.agents[agent]),
        }
    }
}

impl Quantity {
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

    /// The unit of the numerator, as parts of one.
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
    /// Nothing yet.
    #[must_use]
    pub fn new(layout: &'a Layout) -> Self {
        Self { layout, parts: vec![Part::default(); layout.all().len()] }
    }

    /// Adds to a quantity, above and below.
    #[inline]
    pub fn add(&mut self, quantity: Quantity, above: i64, below: i64) {
        self.parts[self.layout.place(quantity)].add(above, below);
    }

    /// Counts them all as one set, beside the base's.
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
    fn every_quantity_has_its_own_place_and_name() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let layout = Layout {
            seats: 3,
            entrants: names(&["a", "b"]),
            rungs: names(&["x"]),
            dealt: names(&["wild", "r7"]),
            agents: names(&["a", "b", "x"]),
        };
        let all = layout.all();
        assert!(all.iter().enumerate().all(|(place, &quantity)| layout.place(quantity) == place));
        assert_eq!(all.iter().map(|&quantity| layout.name(quantity)).collect::<BTreeSet<_>>().len(), all.len());
    }
}
