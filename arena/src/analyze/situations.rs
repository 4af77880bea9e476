//! The kind of a decision, and the situations in which it was made.

use unolab_engine::action::Action;
use unolab_engine::observation::Observation;

/// A draw pile of at most this many cards is at its end.
const END_OF_DRAW_PILE: u32 = 10;

/// A critical position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Situation {
    /// Another player has a single card.
    OpponentAtOne,
    /// The seat has two cards, so the next play leaves a single card.
    TwoCards,
    /// All cards of the hand that have a color have the same color, and there are at least two of them.
    OneColor,
    /// The draw pile has at most ten cards.
    EndOfDrawPile,
}

impl Situation {
    /// All situations.
    pub const ALL: [Self; 4] = [Self::OpponentAtOne, Self::TwoCards, Self::OneColor, Self::EndOfDrawPile];

    /// The word in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::OpponentAtOne => "opponent at one card",
            Self::TwoCards => "two cards in hand",
            Self::OneColor => "hand of one color",
            Self::EndOfDrawPile => "end of the draw pile",
        }
    }

    /// Whether this position is in the situation.
    #[must_use]
    pub fn holds(self, observation: &Observation<'_>) -> bool {
        match self {
            Self::OpponentAtOne => observation.others().any(|seat| observation.hand_len(seat) == 1),
            Self::TwoCards => observation.hand().len() == 2,
            Self::OneColor => {
                let mut colors = observation.hand().iter().filter_map(|card| observation.rules().color_of(card));
                colors.next().is_some_and(|first| colors.clone().next().is_some() && colors.all(|color| color == first))
            }
            Self::EndOfDrawPile => observation.draw_pile_len() <= END_OF_DRAW_PILE,
        }
    }
}

/// The situations of a position, as a table names them.
pub(super) fn situations(observation: &Observation<'_>) -> String {
    let held = Situation::ALL.into_iter().filter(|situation| situation.holds(observation));
    held.map(Situation::word).collect::<Vec<_>>().join("; ")
}

/// The kind of a choice: the notation's word for the decision, but `play` or `draw` for a turn, `keep` or `play drawn` for a
/// drawn card, and `color` also where the best action plays the same card with another color.
pub(super) fn kind(decision: &'static str, chosen: Action, best: Action) -> &'static str {
    match (decision, chosen, best) {
        (_, Action::PlayNaming(card, color), Action::PlayNaming(other, better)) if card == other && color != better => {
            "color"
        }
        ("turn", Action::Draw, _) => "draw",
        ("turn", ..) => "play",
        ("drawn", Action::Keep, _) => "keep",
        ("drawn", ..) => "play drawn",
        _ => decision,
    }
}
