//! [`PossibleCards`]: how many of each kind another seat can hold at most, followed through the events of a round.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::event::{Event, Seen, Source};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::seat::{MAX_SEATS, Seat};

const EVERY_KIND: CardSet = CardSet(u64::MAX);

/// A number from 0 to 15 for each kind, bit-sliced as in [`Cards`]: all kinds are counted at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds([u64; 4]);

impl Bounds {
    /// The copies of each kind.
    #[must_use]
    pub const fn of(cards: Cards) -> Self {
        Self(cards.planes())
    }

    /// The number of one kind.
    #[must_use]
    pub fn count(self, card: Card) -> u32 {
        self.total(CardSet::of(card))
    }

    /// The numbers of these kinds in sum.
    #[must_use]
    #[inline(always)]
    pub fn total(self, kinds: CardSet) -> u32 {
        self.0.iter().rev().fold(0, |total, plane| 2 * total + (plane & kinds.0).count_ones())
    }

    /// One more of each of these, but never above 15.
    fn add_one(&mut self, kinds: CardSet) {
        let mut carry = kinds.0;
        for plane in &mut self.0 {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        self.0.iter_mut().for_each(|plane| *plane |= carry);
    }

    /// Takes one away, but never below 0.
    fn take_one(&mut self, card: Card) {
        let mut borrow = CardSet::of(card).0 & self.0.iter().fold(0, |any, plane| any | plane);
        for plane in &mut self.0 {
            (*plane, borrow) = (*plane ^ borrow, !*plane & borrow);
        }
    }

    fn clear(&mut self, kinds: CardSet) {
        self.0.iter_mut().for_each(|plane| *plane &= !kinds.0);
    }

    /// The smaller of both for each kind, found at the highest bit in which they differ.
    #[must_use]
    #[inline(always)]
    fn capped_by(self, cap: Self) -> Self {
        let (mut below, mut undecided) = (0, u64::MAX);
        for (own, other) in self.0.into_iter().zip(cap.0).rev() {
            below |= undecided & !own & other;
            undecided &= !(own ^ other);
        }
        Self(std::array::from_fn(|i| self.0[i] & below | cap.0[i] & !below))
    }
}

/// Upper bounds for one hand, its size, and in how many ways it can be.
#[derive(Debug, Clone, Copy)]
pub struct PossibleHand {
    bounds: Bounds,
    total: u32,
    drawn: u32,
    ways: f64,
}

impl PossibleHand {
    /// So many of the cards within these bounds.
    #[must_use]
    #[inline(always)]
    pub fn new(bounds: Bounds, hand_len: u32) -> Self {
        let total = bounds.total(EVERY_KIND);
        let drawn = hand_len.min(total);
        Self { bounds, total, drawn, ways: ways_to_draw(drawn, total) }
    }

    /// The chance that the hand can follow with nothing, if these kinds can follow and it is a random part of what it can
    /// be: with T cards possible, M of them matching, and a hand of d, the product over i < d of (T − M − i) / (T − i).
    #[must_use]
    #[inline(always)]
    pub fn chance_to_follow_nothing(&self, followers: CardSet) -> f64 {
        let others = self.total - self.bounds.total(followers);
        if self.total == 0 || others < self.drawn {
            return 0.0;
        }
        ways_to_draw(self.drawn, others) / self.ways
    }
}

/// In how many ways so many cards can be drawn one after the other, of so many; of larger hands than any table sees, the
/// first hundred cards: more factors could overflow.
#[inline(always)]
fn ways_to_draw(drawn: u32, of: u32) -> f64 {
    (0..drawn.min(100)).map(|i| f64::from(of - i)).product()
}

/// A seat has drawn instead of playing, and it is not settled yet whether it plays what it drew.
#[derive(Debug, Clone, Copy)]
struct Drawing {
    seat: Seat,
    /// What could have followed the top card.
    could_follow: CardSet,
    cards: u32,
}

/// Upper bounds by kind for the hands of the other seats:
///
/// - at first the deck without one's own hand and the discard pile;
/// - a seat plays a card: one less of that kind;
/// - it draws without playing: it holds nothing that could have followed, and perhaps one more of anything else;
/// - it draws and plays what it drew: it holds nothing that could have followed;
/// - it draws a penalty: perhaps so many more of any kind;
/// - always capped by the deck without one's own hand and the discard pile as they then are.
///
/// Where hands change places, the bounds begin anew.
///
/// Between two reshuffles nothing comes to what is out of sight. So it is enough to cap the bounds where they are read,
/// and before a reshuffle: to cap them in between would change nothing of that.
#[derive(Debug, Clone)]
pub struct PossibleCards {
    is_begun: bool,
    /// The deck without one's own hand and the discard pile.
    cap: Bounds,
    of_seat: [Bounds; MAX_SEATS],
    drawing: Option<Drawing>,
}

impl PossibleCards {
    /// Nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self { is_begun: false, cap: Bounds::default(), of_seat: [Bounds::default(); MAX_SEATS], drawing: None }
    }

    /// Begins anew: everything that is out of sight is possible.
    #[cold]
    pub fn begin(&mut self, observation: &Observation<'_>) {
        self.is_begun = true;
        self.drawing = None;
        self.cap = Bounds::of(observation.unseen());
        self.of_seat = [self.cap; MAX_SEATS];
    }

    /// Takes note that it is one's own decision now: had a seat played what it drew, we would know.
    pub fn settle(&mut self, observation: &Observation<'_>) {
        self.begin_with_first(observation);
        self.settle_drawing(0);
        debug_assert_eq!(self.cap, Bounds::of(observation.unseen()));
    }

    /// What the seat can hold.
    #[must_use]
    #[inline(always)]
    pub fn of(&self, seat: Seat) -> Bounds {
        self.of_seat[seat.index()].capped_by(self.cap)
    }

    /// What a hand of so many cards can be.
    #[must_use]
    #[inline(always)]
    pub fn hand_of(&self, seat: Seat, len: u32) -> PossibleHand {
        PossibleHand::new(self.of(seat), len)
    }

    /// Something happened.
    #[inline]
    pub fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        self.begin_with_first(observation);
        match seen {
            Seen::Open(Event::Acted { seat, action, .. }) => self.note_action(seat, action, observation),
            Seen::Open(Event::Discarded { seat, card, from }) if seat != observation.seat() => {
                match from {
                    Source::Hand => self.of_seat[seat.index()].take_one(card),
                    Source::JustDrawn => self.settle_drawing(1),
                }
                self.cap.take_one(card);
            }
            Seen::Open(Event::Drew { card, .. }) => self.cap.take_one(card),
            Seen::HiddenDraw { seat } => match &mut self.drawing {
                Some(drawing) if drawing.seat == seat => drawing.cards += 1,
                _ => self.of_seat[seat.index()].add_one(EVERY_KIND), // a penalty
            },
            Seen::Open(Event::Reshuffled) => self.lift_the_cap(observation),
            Seen::Open(Event::Swapped(..) | Event::Rotated { .. }) => self.begin(observation),
            Seen::Open(_) => {}
        }
    }

    #[cold]
    fn lift_the_cap(&mut self, observation: &Observation<'_>) {
        self.of_seat = self.of_seat.map(|bounds| bounds.capped_by(self.cap));
        self.cap = Bounds::of(observation.unseen());
    }

    #[inline]
    fn begin_with_first(&mut self, observation: &Observation<'_>) {
        if !self.is_begun {
            self.begin(observation);
        }
    }

    /// Told before anything comes of the action.
    #[inline]
    fn note_action(&mut self, seat: Seat, action: Action, observation: &Observation<'_>) {
        if self.drawing.is_some() {
            let is_decided = !matches!(observation.decision(), Decision::Drawn(_)) || action == Action::Keep;
            if is_decided {
                self.settle_drawing(0);
            }
        }
        // Under stacking, to draw the sum is a penalty.
        if action == Action::Draw && seat != observation.seat() && observation.decision() == Decision::Turn {
            self.drawing = Some(Drawing { seat, could_follow: observation.can_follow(), cards: 0 });
        }
    }

    /// The seat that drew has played so many of the cards it drew, and kept the others.
    fn settle_drawing(&mut self, played: u32) {
        let Some(Drawing { seat, could_follow, cards }) = self.drawing.take() else { return };
        let bounds = &mut self.of_seat[seat.index()];
        bounds.clear(could_follow);
        for _ in played..cards {
            bounds.add_one(EVERY_KIND - could_follow);
        }
    }
}

impl Default for PossibleCards {
    fn default() -> Self {
        Self::new()
    }
}
