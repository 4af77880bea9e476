//! [`Event`]: an event of a round, for observers, records and agents.

use crate::action::{Action, Call};
use crate::card::Card;
use crate::chance::TaskResult;
use crate::color::Color;
use crate::seat::{Direction, Seat};

/// An event of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)] // as for actions: a separate byte for the kind is quicker to read
pub enum Event {
    /// A seat acted. This event comes before its consequences.
    Acted {
        /// The seat.
        seat: Seat,
        /// The action.
        action: Action,
        /// Whether UNO was called with it.
        call: Call,
    },
    /// A seat took a card from the draw pile.
    Drew {
        /// The seat.
        seat: Seat,
        /// The card, which only the seat itself may see.
        card: Card,
    },
    /// A card was played from a hand to the discard pile, which all seats see.
    Discarded {
        /// The hand that the card leaves.
        seat: Seat,
        /// Which card.
        card: Card,
        /// Where the card comes from, as all seats can see.
        from: Source,
    },
    /// A card was turned up as the start card; the last one stays.
    TurnedUp(Card),
    /// The button lit a color.
    Button(Color),
    /// A task was done, or not.
    Task(TaskResult),
    /// Chance named a seat.
    Chosen(Seat),
    /// The discard pile became the draw pile; the top card stayed.
    Reshuffled,
    /// A hand was shown to one seat only.
    Showed {
        /// The seat whose hand is shown.
        hand_of: Seat,
        /// The seat that sees it.
        to: Seat,
    },
    /// Chance moved a card from one hand to another; only these two seats see which.
    Moved {
        /// The hand that the card leaves.
        from: Seat,
        /// To whose hand.
        to: Seat,
        /// Which card.
        card: Card,
    },
    /// Two seats swapped hands.
    Swapped(Seat, Seat),
    /// Every hand moved one seat on.
    Rotated {
        /// The direction.
        direction: Direction,
        /// Which seats have seen the hands that moved.
        looked: HandView,
    },
    /// All hands were shuffled together, and this card was dealt to this seat, which alone sees it. All cards are dealt before the
    /// first of these events.
    Redealt {
        /// The seat.
        seat: Seat,
        /// Which card.
        card: Card,
    },
}

/// The visible source of a discarded card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// From the hand.
    Hand,
    /// It is the card just drawn, so none of the cards that were in the hand before.
    JustDrawn,
}

/// Which seats have seen the hands that move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandView {
    /// Each player has seen the hand that it passes on, which was its own.
    EverySeat,
    /// During a Victory Lap: only this player has seen the hand that it passes on.
    Only(Seat),
}

/// An event as one seat sees it: a card stays hidden if another seat draws it or is dealt it, or if it moves between two other seats.
/// Another seat's [`Action::Keep`] is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VisibleEvent {
    /// All of the event is visible.
    Open(Event),
    /// Another seat drew a card.
    HiddenDraw {
        /// The seat.
        seat: Seat,
    },
    /// A card moved between two other seats.
    HiddenMove {
        /// The hand that the card leaves.
        from: Seat,
        /// To whose hand.
        to: Seat,
    },
    /// All hands were shuffled together, and another seat was dealt a card.
    HiddenRedeal {
        /// The seat.
        seat: Seat,
    },
}

impl Event {
    /// The event as this seat sees it; `None` if the seat does not notice it. A player who keeps a drawn card does nothing that
    /// the others see: they do not learn whether the card could have been played.
    #[must_use]
    #[inline]
    pub fn as_seen_by(self, by: Seat) -> Option<VisibleEvent> {
        match self {
            Self::Acted { seat, action: Action::Keep, .. } if seat != by => None,
            Self::Drew { seat, .. } if seat != by => Some(VisibleEvent::HiddenDraw { seat }),
            Self::Moved { from, to, .. } if from != by && to != by => Some(VisibleEvent::HiddenMove { from, to }),
            Self::Redealt { seat, .. } if seat != by => Some(VisibleEvent::HiddenRedeal { seat }),
            open => Some(VisibleEvent::Open(open)),
        }
    }
}

impl VisibleEvent {
    /// The event as this seat sees it; `None` if the seat does not notice it.
    #[must_use]
    pub fn as_seen_by(self, by: Seat) -> Option<Self> {
        match self {
            Self::Open(event) => event.as_seen_by(by),
            hidden @ (Self::HiddenDraw { .. } | Self::HiddenMove { .. } | Self::HiddenRedeal { .. }) => Some(hidden),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_drawn_and_passed_by_others_are_hidden() {
        let [drawer, giver, taker] = [0, 1, 2].map(Seat::new);
        let drew = Event::Drew { seat: drawer, card: Card::new(3) };
        let moved = Event::Moved { from: giver, to: taker, card: Card::new(4) };
        let seen = |event: Event| [drawer, giver, taker].map(|seat| event.as_seen_by(seat));
        let hidden = Some(VisibleEvent::HiddenDraw { seat: drawer });
        let open = |event| Some(VisibleEvent::Open(event));
        assert_eq!(seen(drew), [open(drew), hidden, hidden]);
        let dealt = Event::Redealt { seat: giver, card: Card::new(5) };
        let hidden_deal = Some(VisibleEvent::HiddenRedeal { seat: giver });
        assert_eq!(seen(dealt), [hidden_deal, open(dealt), hidden_deal]);
        assert_eq!(seen(moved), [Some(VisibleEvent::HiddenMove { from: giver, to: taker }), open(moved), open(moved)]);
        assert_eq!(seen(Event::Reshuffled), [open(Event::Reshuffled); 3]);
    }

    #[test]
    fn kept_cards_are_noticed_by_their_own_seat_only() {
        let [keeper, other] = [0, 1].map(Seat::new);
        let acted = |action| Event::Acted { seat: keeper, action, call: Call::Silent };
        assert_eq!(acted(Action::Keep).as_seen_by(keeper), Some(VisibleEvent::Open(acted(Action::Keep))));
        assert_eq!(acted(Action::Keep).as_seen_by(other), None);
        assert_eq!(acted(Action::Draw).as_seen_by(other), Some(VisibleEvent::Open(acted(Action::Draw))));
    }
}
