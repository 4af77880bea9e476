//! [`Knowledge`]: the cards that seats have seen in other seats' hands.

use crate::card::Card;
use crate::cards::Cards;
use crate::event::{Event, HandView, Source};
use crate::seat::{BySeat, MAX_SEATS, Seat, SeatSet};
use crate::state::{EventSink, RoundState};

/// For each seat, the cards that it certainly knows in every other hand: cards that it was shown or formerly held, but not
/// those that it could deduce by counting. Nothing is allocated until a card of a hand is shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Knowledge {
    shown: Option<Box<Shown>>,
}

/// The knowledge about each hand, by the seat whose hand it is.
type Shown = [Option<Box<HandKnowledge>>; MAX_SEATS];

/// The knowledge about one hand.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct HandKnowledge {
    /// The seats that know a card of it, usually few.
    seats: SeatSet,
    /// The knowledge of each seat about it.
    cards: BySeat<Cards>,
}

impl HandKnowledge {
    #[inline]
    fn set(&mut self, by: Seat, cards: Cards) {
        self.cards[by] = cards;
        self.seats = if cards.is_empty() { self.seats.without(by) } else { self.seats.with(by) };
    }

    /// Removes a card from the knowledge of a seat.
    #[inline]
    fn take(&mut self, by: Seat, card: Card) {
        self.cards[by].remove(card);
        if self.cards[by].is_empty() {
            self.seats = self.seats.without(by);
        }
    }
}

impl Knowledge {
    /// Cards that `by` knows to be in the hand of `of`.
    #[must_use]
    #[inline]
    pub fn of(&self, by: Seat, of: Seat) -> Cards {
        match self.known_to(of) {
            Some(known) if by != of => known.cards[by],
            _ => Cards::EMPTY,
        }
    }

    /// Cards that `seat` knows in the hand in front of it. During a Victory Lap, a seat has not seen this hand.
    #[must_use]
    pub(crate) fn of_hand_before(&self, seat: Seat) -> Cards {
        self.known_to(seat).map_or(Cards::EMPTY, |known| known.cards[seat])
    }

    /// Whether no card of any hand has been shown.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.shown.is_none()
    }

    /// Whether a seat knows any card of this hand.
    #[must_use]
    #[inline]
    pub fn has_been_shown(&self, of: Seat, to: Seat) -> bool {
        self.known_to(of).is_some_and(|known| known.seats.contains(to))
    }

    #[inline]
    fn known_to(&self, of: Seat) -> Option<&HandKnowledge> {
        self.shown.as_ref()?[of.index()].as_deref()
    }

    /// Adds these cards of another hand to the knowledge of a seat.
    pub fn show(&mut self, by: Seat, of: Seat, cards: Cards) {
        self.known_of(of).set(by, cards);
    }

    fn shown(&mut self) -> &mut Shown {
        self.shown.get_or_insert_default()
    }

    fn known_of(&mut self, of: Seat) -> &mut HandKnowledge {
        self.shown()[of.index()].get_or_insert_default()
    }

    #[inline(always)]
    fn forget(&mut self, of: Seat, card: Card) {
        if let Some(shown) = &mut self.shown
            && let Some(known) = &mut shown[of.index()]
        {
            forget_card(known, card);
        }
    }

    #[cold]
    fn see_hand(&mut self, of: Seat, to: Seat, state: &RoundState) {
        self.show(to, of, state.hand(of));
    }

    /// A card has moved from one hand to another, and only these two seats have seen it.
    #[cold]
    fn move_card(&mut self, from: Seat, to: Seat, card: Card) {
        let known = self.known_of(to);
        let mut cards = known.cards[from];
        cards.add(card);
        known.set(from, cards);
        let Some(known) = &mut self.shown()[from.index()] else { return };
        for by in known.seats.without(from).iter() {
            if by == to {
                known.take(by, card);
            } else {
                // It may have been any of the known cards, so one copy fewer of each kind is certain.
                known.cards[by].distinct().into_iter().for_each(|kind| known.take(by, kind));
            }
        }
    }

    /// The two hands have been swapped; each of the two seats knows the cards that it gave away.
    #[cold]
    fn swap(&mut self, a: Seat, b: Seat, state: &RoundState) {
        self.shown().swap(a.index(), b.index());
        self.show(a, b, state.hand(b));
        self.show(b, a, state.hand(a));
    }

    /// Every hand has moved one seat. The entry of a seat about itself is its knowledge of the hand in front of it, which it
    /// has not seen during a Victory Lap.
    #[cold]
    fn rotate(&mut self, direction: crate::seat::Direction, looked: HandView, state: &RoundState) {
        let Some(first) = state.seats().next() else { return };
        state.ring().hand_on(self.shown(), first, direction);
        let mut look = |from: Seat| {
            let to = state.ring().after(from, direction);
            self.show(from, to, state.hand(to));
        };
        match looked {
            HandView::EverySeat => state.seats().for_each(look),
            HandView::Only(looker) => look(looker),
        }
    }
}

fn forget_card(known: &mut HandKnowledge, card: Card) {
    for by in known.seats.iter() {
        known.take(by, card);
    }
}

impl EventSink for Knowledge {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        match event {
            Event::Discarded { seat, card, from: Source::Hand } => self.forget(seat, card),
            Event::Showed { hand_of, to } => self.see_hand(hand_of, to, state),
            Event::Moved { from, to, card } => self.move_card(from, to, card),
            Event::Swapped(a, b) => self.swap(a, b, state),
            Event::Rotated { direction, looked } => self.rotate(direction, looked, state),
            Event::Acted { .. }
            | Event::Discarded { from: Source::JustDrawn, .. }
            | Event::Drew { .. }
            | Event::TurnedUp(_)
            | Event::Button(_)
            | Event::Task(_)
            | Event::Chosen(_)
            | Event::Reshuffled => {}
        }
    }
}
