//! [`Knowledge`]: the cards that seats have seen in each other's hands.

use crate::card::Card;
use crate::cards::Cards;
use crate::event::{Event, EventSink, Looked, Source};
use crate::seat::{MAX_SEATS, Seat};
use crate::state::RoundState;

/// The cards that each seat certainly knows in each other seat's hand: cards that it was shown or formerly held (not
/// those that it could deduce by counting). Nothing is stored or copied until a card is shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Knowledge {
    shown: Option<Box<[[Cards; MAX_SEATS]; MAX_SEATS]>>,
}

impl Knowledge {
    /// Cards that `by` knows to be in the hand of `of`.
    #[must_use]
    #[inline]
    pub fn of(&self, by: Seat, of: Seat) -> Cards {
        match &self.shown {
            Some(shown) if by != of => shown[by.index()][of.index()],
            _ => Cards::EMPTY,
        }
    }

    /// Has nothing been shown to anybody?
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.shown.is_none()
    }

    /// Lets a seat know these cards of another's hand.
    pub fn show(&mut self, by: Seat, of: Seat, cards: Cards) {
        self.table()[by.index()][of.index()] = cards;
    }

    fn table(&mut self) -> &mut [[Cards; MAX_SEATS]; MAX_SEATS] {
        self.shown.get_or_insert_default()
    }

    #[inline(always)]
    fn forget(&mut self, of: Seat, card: Card, state: &RoundState) {
        if self.shown.is_some() {
            self.forget_what_was_shown(of, card, state);
        }
    }

    fn forget_what_was_shown(&mut self, of: Seat, card: Card, state: &RoundState) {
        let Some(shown) = &mut self.shown else { return };
        for by in state.seats() {
            let known = &mut shown[by.index()][of.index()];
            if known.contains(card) {
                known.remove(card);
            }
        }
    }

    #[cold]
    fn see_hand(&mut self, of: Seat, to: Seat, state: &RoundState) {
        self.show(to, of, state.hand(of));
    }

    /// A card has gone from one hand to another, and only these two seats have seen which.
    #[cold]
    fn move_card(&mut self, from: Seat, to: Seat, card: Card, state: &RoundState) {
        for by in state.seats() {
            let known = &mut self.table()[by.index()];
            if by == from {
                known[to.index()].add(card);
            } else if by == to {
                if known[from.index()].contains(card) {
                    known[from.index()].remove(card);
                }
            } else {
                // It may have been any of them: of each kind one card fewer is certain.
                known[from.index()].distinct().into_iter().for_each(|kind| known[from.index()].remove(kind));
            }
        }
    }

    /// The two hands have changed places; the two seats remember what they gave away.
    #[cold]
    fn swap(&mut self, a: Seat, b: Seat, state: &RoundState) {
        for by in state.seats() {
            let known = &mut self.table()[by.index()];
            known.swap(a.index(), b.index());
        }
        self.show(a, b, state.hand(b));
        self.show(b, a, state.hand(a));
    }

    /// Every hand has moved on. The entry of a seat about itself is what it knows of the hand in front of it, which it
    /// has not taken up while the hands are on a lap.
    #[cold]
    fn rotate(&mut self, direction: crate::seat::Direction, looked: Looked, state: &RoundState) {
        for by in state.seats() {
            let before = self.table()[by.index()];
            for from in state.seats() {
                let to = state.ring().after(from, direction);
                let looked_at_it = match looked {
                    Looked::Everybody => from == by,
                    Looked::Only(looker) => from == by && by == looker,
                };
                self.table()[by.index()][to.index()] = if looked_at_it { state.hand(to) } else { before[from.index()] };
            }
        }
    }
}

impl EventSink for Knowledge {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        match event {
            Event::Discarded { seat, card, from: Source::Hand } => self.forget(seat, card, state),
            Event::Showed { hand_of, to } => self.see_hand(hand_of, to, state),
            Event::Moved { from, to, card } => self.move_card(from, to, card, state),
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
