//! [`Knowledge`]: the cards that seats have seen in other seats' hands, and what the rules imply about the other cards.

mod implied;

use self::implied::Implied;
use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::event::{Event, HandView, Source};
use crate::implication::Implication;
use crate::seat::{BySeat, MAX_SEATS, Seat, SeatSet};
use crate::state::{EventSink, RoundState};

/// For each seat, the cards that it certainly knows in every other hand: cards that it was shown or formerly held, but not
/// those that it could deduce by counting. Nothing is allocated until a card of a hand is shown.
///
/// A knowledge [with implications](Knowledge::with_implications) also contains the kinds that the rules exclude for the other cards.
/// During play no seat has one, because updating it takes time; [`Round::implied_knowledge`](crate::round::Round::implied_knowledge) and the replay of
/// a [record](crate::record) provide it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Knowledge {
    shown: Option<Box<Shown>>,
    implied: Option<Box<Implied>>,
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
    /// No seat has been shown a card.
    pub const NONE: &Self = &Self { shown: None, implied: None };

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

    /// An empty knowledge that will also contain the implications of the rules. It must receive all events of a round.
    #[must_use]
    pub fn with_implications() -> Self {
        Self { shown: None, implied: Some(Box::default()) }
    }

    /// This knowledge; from now on it also receives the implications of the rules.
    #[must_use]
    pub(crate) fn following(mut self) -> Self {
        self.implied.get_or_insert_default();
        self
    }

    /// The known cards without the implications of the rules, which is the knowledge that agents have during play.
    #[must_use]
    pub fn without_implications(&self) -> Self {
        Self { shown: self.shown.clone(), implied: None }
    }

    /// Whether no card of any hand has been shown.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.shown.is_none()
    }

    /// Whether it contains implications of the rules.
    #[inline]
    pub(crate) const fn has_implications(&self) -> bool {
        self.implied.is_some()
    }

    /// For each card of a hand the kinds that it cannot be, as this seat can conclude; empty if nothing is implied, or if it does not
    /// contain implications. See [`Implication`].
    #[must_use]
    pub fn excluded(&self, by: Seat, of: Seat) -> &[CardSet] {
        self.implied.as_ref().map_or(&[], |implied| implied.limits(by, of))
    }

    /// Takes over what one seat can conclude, as what every seat can.
    pub(crate) fn conclude_as(&mut self, by: Seat, other: &Self) {
        self.implied = other.implied.as_ref().map(|implied| Box::new(implied.as_seen_by(by)));
    }

    /// Adds an implication about a hand of this state. From then on the knowledge receives all implications.
    #[cold]
    pub fn imply(&mut self, state: &RoundState, implication: Implication) {
        if implication.kinds.is_empty() {
            return;
        }
        let of = implication.seat;
        let known = self.known_to(of).map_or_else(BySeat::default, |known| known.cards);
        let implied = self.implied.get_or_insert_default();
        implied.begin(of, state.hand(of).len(), &known, state);
        implied.conclude(implication, state.deck().distinct());
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
    #[inline]
    pub fn show(&mut self, by: Seat, of: Seat, cards: Cards) {
        self.known_of(of).set(by, cards);
    }

    fn shown(&mut self) -> &mut Shown {
        self.shown.get_or_insert_default()
    }

    #[inline(always)]
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
        if let Some(implied) = &mut self.implied {
            implied.see_hand(of, to, state);
        }
    }

    /// A card has moved from one hand to another, and only these two seats have seen it.
    #[cold]
    fn move_card(&mut self, from: Seat, to: Seat, card: Card, state: &RoundState) {
        if let Some(implied) = &mut self.implied {
            let known = [from, to].map(|of| {
                let shown = self.shown.as_ref().and_then(|shown| shown[of.index()].as_ref());
                shown.map_or_else(BySeat::default, |known| known.cards)
            });
            implied.move_card(from, to, card, &known, state);
        }
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
        if let Some(implied) = &mut self.implied {
            implied.swap(a, b);
        }
        self.see_hand(b, a, state);
        self.see_hand(a, b, state);
    }

    /// All hands have been shuffled: no card of another hand is certain, except by counting.
    #[cold]
    fn forget_hands(&mut self) {
        self.shown = None;
        if let Some(implied) = &mut self.implied {
            **implied = Implied::default();
        }
    }

    /// Every hand has moved one seat. The entry of a seat about itself is its knowledge of the hand in front of it, which it
    /// has not seen during a Victory Lap.
    #[cold]
    fn rotate(&mut self, direction: crate::seat::Direction, looked: HandView, state: &RoundState) {
        let Some(first) = state.seats().next() else { return };
        state.ring().hand_on(self.shown(), first, direction);
        if let Some(implied) = &mut self.implied {
            implied.rotate(first, direction, state);
        }
        let mut look = |from: Seat| self.see_hand(state.ring().after(from, direction), from, state);
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
            Event::Discarded { seat, card, from } => {
                if from == Source::Hand {
                    self.forget(seat, card);
                }
                if let Some(implied) = &mut self.implied {
                    implied.lose(seat, card, from);
                }
            }
            Event::Drew { seat, .. } => {
                if let Some(implied) = &mut self.implied {
                    implied.draw(seat);
                }
            }
            Event::Showed { hand_of, to } => self.see_hand(hand_of, to, state),
            Event::Moved { from, to, card } => self.move_card(from, to, card, state),
            Event::Swapped(a, b) => self.swap(a, b, state),
            Event::Rotated { direction, looked } => self.rotate(direction, looked, state),
            Event::Redealt { .. } => self.forget_hands(),
            Event::Acted { .. }
            | Event::TurnedUp(_)
            | Event::Button(_)
            | Event::Task(_)
            | Event::Chosen(_)
            | Event::Reshuffled => {}
        }
    }

    #[inline(always)]
    fn receives_implications(&self) -> bool {
        self.implied.is_some()
    }

    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        if self.implied.is_some() {
            self.imply(state, implication);
        }
    }
}
