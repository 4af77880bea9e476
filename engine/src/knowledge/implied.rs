//! [`Implied`]: what each seat can conclude about the cards of each hand.

use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::event::Source;
use crate::implication::{HandLimits, Implication};
use crate::seat::{BySeat, Direction, MAX_SEATS, Seat, SeatSet};
use crate::state::RoundState;

/// The limits of each hand, as the seats can conclude them. They are the same for all seats until a seat sees a card.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Implied {
    /// By the seat that holds the hand; empty if nothing is implied about it.
    hands: [Vec<View>; MAX_SEATS],
}

/// The limits of a hand for some seats. Each seat is in one view of a hand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct View {
    seats: SeatSet,
    limits: HandLimits,
}

impl Implied {
    pub(super) fn limits(&self, by: Seat, of: Seat) -> &[CardSet] {
        let view = self.hands[of.index()].iter().find(|view| view.seats.contains(by));
        view.map_or(&[], |view| view.limits.places())
    }

    /// What one seat can conclude, for all seats.
    pub(super) fn as_seen_by(&self, by: Seat) -> Self {
        let mut seen = Self::default();
        for (seen, views) in seen.hands.iter_mut().zip(&self.hands) {
            let all = views.iter().flat_map(|view| view.seats.iter()).collect();
            let own = views.iter().find(|view| view.seats.contains(by));
            seen.extend(own.map(|own| View { seats: all, limits: own.limits.clone() }));
        }
        seen
    }

    /// Begins the limits of a hand of this size; `known` are the cards that each seat knows to be in it.
    pub(super) fn begin(&mut self, of: Seat, hand_len: u32, known: &BySeat<Cards>, state: &RoundState) {
        let views = &mut self.hands[of.index()];
        if views.is_empty() {
            views.push(View { seats: state.dealt_seats(), limits: HandLimits::none(hand_len) });
            for by in state.dealt_seats().iter().filter(|&by| !known[by].is_empty()) {
                *apart(views, by) = HandLimits::containing(known[by], hand_len, state.deck().distinct());
            }
        }
    }

    pub(super) fn conclude(&mut self, Implication { seat, conclusion, kinds }: Implication, deck: CardSet) {
        self.hands[seat.index()].iter_mut().for_each(|view| view.limits.conclude(conclusion, kinds, deck));
    }

    #[cold]
    #[inline(never)]
    pub(super) fn draw(&mut self, seat: Seat) {
        self.hands[seat.index()].iter_mut().for_each(|view| view.limits.gain(CardSet::EMPTY));
    }

    #[cold]
    #[inline(never)]
    pub(super) fn lose(&mut self, seat: Seat, card: Card, from: Source) {
        let views = &mut self.hands[seat.index()];
        for view in &mut *views {
            match from {
                Source::Hand => view.limits.lose(card),
                Source::JustDrawn => _ = view.limits.lose_newest(),
            }
        }
        if views.iter().all(|view| view.limits.is_none()) {
            views.clear();
        }
    }

    /// A seat sees the whole hand of another.
    pub(super) fn see_hand(&mut self, of: Seat, to: Seat, state: &RoundState) {
        let (views, hand) = (&mut self.hands[of.index()], state.hand(of));
        if !views.is_empty() {
            *apart(views, to) = HandLimits::containing(hand, hand.len(), state.deck().distinct());
        }
    }

    pub(super) fn swap(&mut self, a: Seat, b: Seat) {
        self.hands.swap(a.index(), b.index());
    }

    pub(super) fn rotate(&mut self, first: Seat, direction: Direction, state: &RoundState) {
        state.ring().hand_on(&mut self.hands, first, direction);
    }

    /// A card has gone from one hand to another. Only these two seats know which; the others take it to be the newest one. `known` are
    /// the cards that each seat knew to be in the two hands.
    pub(super) fn move_card(
        &mut self,
        from: Seat,
        to: Seat,
        card: Card,
        [known_from, known_to]: &[BySeat<Cards>; 2],
        state: &RoundState,
    ) {
        if self.hands[from.index()].is_empty() && self.hands[to.index()].is_empty() {
            return;
        }
        self.begin(from, state.hand(from).len() + 1, known_from, state);
        self.begin(to, state.hand(to).len() - 1, known_to, state);
        for by in state.dealt_seats().iter() {
            let left = apart(&mut self.hands[from.index()], by);
            let moved = if by == from || by == to {
                left.lose(card);
                state.deck().distinct() - CardSet::of(card)
            } else {
                left.lose_newest()
            };
            apart(&mut self.hands[to.index()], by).gain(moved);
        }
    }
}

/// The limits for this seat, which differ from those for the others from now on.
fn apart(views: &mut Vec<View>, by: Seat) -> &mut HandLimits {
    let place = views.iter().position(|view| view.seats.contains(by)).expect("each seat is in a view");
    let own = if views[place].seats == SeatSet::of(by) {
        place
    } else {
        views[place].seats = views[place].seats.without(by);
        let limits = views[place].limits.clone();
        views.push(View { seats: SeatSet::of(by), limits });
        views.len() - 1
    };
    &mut views[own].limits
}
