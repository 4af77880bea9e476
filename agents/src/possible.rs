//! [`PossibleCards`]: the largest number of cards of each kind that another seat can hold, followed through the events of a
//! round.

mod at_reshuffle;
mod bounds;

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::cpu::dispatch;
use unolab_engine::event::{Event, Source, VisibleEvent};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::seat::{MAX_SEATS, Seat};
use unolab_engine::state::RoundState;

use at_reshuffle::{PutDown, ReshuffleBounds};
pub use bounds::Bounds;

const EVERY_KIND: CardSet = CardSet(u64::MAX);

/// Upper bounds for one hand, and its number of possible draws.
#[derive(Debug, Clone, Copy)]
pub struct PossibleHand {
    bounds: Bounds,
    draws: Draws,
}

impl PossibleHand {
    /// A hand of this number of cards within these bounds.
    #[must_use]
    #[inline(always)]
    pub fn new(bounds: Bounds, hand_len: u32) -> Self {
        Self { bounds, draws: Draws::new(hand_len, bounds.total(EVERY_KIND)) }
    }

    /// The probability that the hand has none of these kinds, if it is a random sample of the cards that it can contain.
    #[must_use]
    #[inline(always)]
    pub fn chance_to_follow_nothing(&self, followers: CardSet) -> f64 {
        self.draws.chance_of_none(self.bounds.total(followers))
    }
}

/// The ways to draw a hand of this size from this number of cards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draws {
    total: u32,
    drawn: u32,
    ways: f64,
    /// The numbers of ways by the number of available cards, if the table contains all required numbers.
    looked_up: Option<&'static [f64; USUAL_DECK]>,
}

impl Draws {
    #[inline(always)]
    pub(crate) fn new(hand_len: u32, total: u32) -> Self {
        let drawn = hand_len.min(total);
        let usual = if (total as usize) < USUAL_DECK { WAYS_TO_DRAW.get(drawn as usize) } else { None };
        let ways = match usual {
            _ if total == 0 => f64::INFINITY, // no cards: the probability is 0
            Some(ways) => ways[total as usize],
            None => ways_to_draw_many(drawn, total),
        };
        Self { total, drawn, ways, looked_up: usual }
    }

    /// The probability that the hand has no matching card: with T cards to draw from, M of them matching, and a hand of d
    /// cards, the product over i < d of (T − M − i) / (T − i).
    #[inline(always)]
    pub(crate) fn chance_of_none(&self, matching: u32) -> f64 {
        let others = self.total - matching;
        let ways = match self.looked_up {
            Some(ways) => ways[others as usize % USUAL_DECK],
            None => ways_to_draw_many(self.drawn, others),
        };
        ways / self.ways
    }
}

/// Hands and decks below these sizes are looked up.
const USUAL_HAND: usize = 32;
const USUAL_DECK: usize = 128;

/// The number of ordered draws for usual sizes, by the number of drawn cards and of all cards; 0 if there are fewer cards
/// than drawn.
static WAYS_TO_DRAW: [[f64; USUAL_DECK]; USUAL_HAND] = {
    let mut ways = [[1.0; USUAL_DECK]; USUAL_HAND];
    let mut drawn = 1;
    while drawn < USUAL_HAND {
        let mut of = 0;
        while of < USUAL_DECK {
            let left = of.saturating_sub(drawn - 1);
            ways[drawn][of] = ways[drawn - 1][of] * left as f64;
            of += 1;
        }
        drawn += 1;
    }
    ways
};

/// The number of ordered draws of `drawn` cards from `of` cards. At most a hundred factors are multiplied, because more could
/// overflow; real hands are smaller.
#[cold]
#[inline(never)] // inlined at eleven places, it would use registers that the usual case needs
fn ways_to_draw_many(drawn: u32, of: u32) -> f64 {
    if of < drawn {
        return 0.0;
    }
    (0..drawn.min(100)).map(|i| f64::from(of - i)).product()
}

/// A seat has drawn instead of playing, and has not yet decided whether to play the drawn card.
#[derive(Debug, Clone, Copy)]
struct PendingDraw {
    seat: Seat,
    /// The cards that could have followed the top card.
    could_follow: CardSet,
    cards: u32,
}

/// Bounds by the number of the seat.
type BoundsOfSeats = [Bounds; MAX_SEATS];

/// Upper bounds by kind for the hand of each seat, as another seat can know them:
///
/// - at first the deck without this seat's hand and the discard pile;
/// - a seat plays a card: one less of that kind;
/// - it draws without playing: it holds no card that could have followed, and possibly one more of any other kind;
/// - it draws and plays the drawn card: it holds no card that could have followed;
/// - it draws a penalty: possibly as many more of any kind;
/// - always capped by the deck without this seat's current hand and the current discard pile.
///
/// When hands are swapped, moved, or shuffled, the bounds are reset.
///
/// Everything except the cap is public. So a table stores the bounds once without the cap, and each seat applies its cap when
/// it reads them: [`SeatPossibleCards`]. Until a reshuffle no card becomes hidden again, so earlier capping would not change
/// the result.
///
/// A reshuffle lifts the cap; before it, each reader's bounds are recorded. The later value of such a bound `x` follows from
/// the values for the bounds 0 and `copies` (all copies in the deck), which are updated as `least` and `most`: it is the
/// larger of `least` and `most − (copies − x)`.
#[derive(Debug, Clone)]
pub struct PossibleCards {
    is_begun: bool,
    /// Every card of the round.
    deck: Cards,
    /// All cards outside the discard pile.
    hidden: Cards,
    /// Upper bounds of all copies, since the beginning or the last reshuffle.
    most: BoundsOfSeats,
    /// Lower bounds of all copies, since the last reshuffle.
    least: BoundsOfSeats,
    /// The bounds at the last reshuffle, if there has been one.
    at_reshuffle: Option<ReshuffleBounds>,
    drawing: Option<PendingDraw>,
}

impl PossibleCards {
    /// The bounds before a round.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            is_begun: false,
            deck: Cards::EMPTY,
            hidden: Cards::EMPTY,
            most: [Bounds::of(Cards::EMPTY); MAX_SEATS],
            least: [Bounds::of(Cards::EMPTY); MAX_SEATS],
            at_reshuffle: None,
            drawing: None,
        }
    }

    /// Resets: all unseen cards are possible.
    #[cold]
    pub fn begin(&mut self, observation: &Observation<'_>) {
        self.is_begun = true;
        self.deck = observation.deck();
        self.hidden = observation.not_discarded();
        self.forget();
    }

    fn forget(&mut self) {
        self.drawing = None;
        self.at_reshuffle = None;
        self.begin_with_the_deck();
    }

    fn begin_with_the_deck(&mut self) {
        self.most = [Bounds::of(self.deck); MAX_SEATS];
        self.least = [Bounds::default(); MAX_SEATS];
    }

    /// Records that this seat has to decide now, so another seat has not played its drawn card.
    #[inline]
    pub fn settle(&mut self, observation: &Observation<'_>) {
        self.begin_with_first(observation);
        self.settle_begun(observation);
    }

    /// The same at a table, which has initialized the bounds.
    #[inline(always)]
    pub(crate) fn settle_begun(&mut self, observation: &Observation<'_>) {
        if self.drawing.is_some_and(|drawing| drawing.seat != observation.seat()) {
            self.settle_drawing(0);
        }
        debug_assert_eq!(self.hidden.minus(observation.hand()), observation.unseen());
    }

    /// The bounds for this seat.
    #[must_use]
    #[inline(always)]
    pub fn for_seat(&self, observation: &Observation<'_>) -> SeatPossibleCards<'_> {
        let cap = Bounds::of(self.hidden.minus(observation.hand()));
        SeatPossibleCards { possible: self, reader: observation.seat(), cap }
    }

    /// The same for the seat with this hand, after initialization: its cards are then among the hidden cards.
    #[inline(always)]
    pub(crate) fn for_hand(&self, reader: Seat, hand: Cards) -> SeatPossibleCards<'_> {
        SeatPossibleCards { possible: self, reader, cap: Bounds::of(self.hidden.without(hand)) }
    }

    /// Updates the bounds by an event as this seat sees it. After a reshuffle no other seat can read the bounds.
    #[inline]
    pub fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.begin_with_first(observation);
        let reader = (observation.seat(), observation.hand());
        self.note(seen, observation, |possible| possible.record_readers(std::iter::once(reader)));
    }

    /// Updates the bounds by an event at a table, which has initialized them; every seat can read the bounds. Any seat's
    /// observation can be passed.
    #[inline(always)]
    pub(crate) fn observe_for_all(&mut self, event: Event, state: &RoundState, observation: &Observation<'_>) {
        self.note(VisibleEvent::Open(event), observation, |possible| {
            possible.record_readers(state.seats().map(|reader| (reader, state.hand(reader))));
        });
    }

    /// Updates the bounds by a public event; before a reshuffle, calls `record_readers`.
    #[inline(always)]
    fn note(&mut self, seen: VisibleEvent, observation: &Observation<'_>, record_readers: impl FnOnce(&mut Self)) {
        match seen {
            VisibleEvent::Open(Event::Acted { seat, action, .. }) => self.note_action(seat, action, observation),
            VisibleEvent::Open(Event::Discarded { seat, card, from }) => {
                match from {
                    Source::Hand => self.take_one(seat, card),
                    Source::JustDrawn => self.settle_drawing(1),
                }
                self.hidden.take(card);
            }
            VisibleEvent::HiddenDraw { seat } | VisibleEvent::Open(Event::Drew { seat, .. }) => match &mut self.drawing
            {
                Some(drawing) if drawing.seat == seat => drawing.cards += 1,
                _ => self.add_one(seat, EVERY_KIND), // a penalty
            },
            VisibleEvent::Open(Event::Reshuffled) => {
                record_readers(self);
                self.begin_with_the_deck();
                self.hidden = self.deck;
                self.hidden.remove(observation.top());
            }
            VisibleEvent::HiddenMove { .. }
            | VisibleEvent::HiddenRedeal { .. }
            | VisibleEvent::Open(
                Event::Moved { .. } | Event::Swapped(..) | Event::Rotated { .. } | Event::Redealt { .. },
            ) => {
                self.forget();
            }
            VisibleEvent::Open(_) => {}
        }
    }

    /// Records the bounds of readers with these hands at a reshuffle.
    #[cold]
    fn record_readers(&mut self, readers: impl Iterator<Item = (Seat, Cards)>) {
        let deck = Bounds::of(self.deck);
        let rows = self.at_reshuffle.get_or_insert_with(|| ReshuffleBounds::everything(deck));
        dispatch(PutDown { rows, deck, most: &self.most, least: &self.least, hidden: self.hidden, readers });
    }

    #[inline(always)]
    fn without_cap(&self, reader: Seat, seat: Seat) -> Bounds {
        match &self.at_reshuffle {
            None => self.most[seat.index()],
            Some(rows) => self.since_reshuffle(rows.of(reader, seat), seat),
        }
    }

    /// The current value of a bound that was recorded at the last reshuffle.
    #[cold]
    #[inline(never)]
    fn since_reshuffle(&self, bound: Bounds, seat: Seat) -> Bounds {
        bound.changed(Bounds::of(self.deck), self.most[seat.index()], self.least[seat.index()])
    }

    #[inline]
    fn begin_with_first(&mut self, observation: &Observation<'_>) {
        if !self.is_begun {
            self.begin(observation);
        }
    }

    /// Must be called before the consequences of the action.
    #[inline(always)]
    fn note_action(&mut self, seat: Seat, action: Action, observation: &Observation<'_>) {
        if self.drawing.is_some() {
            let is_decided = !matches!(observation.decision(), Decision::Drawn(_)) || matches!(action, Action::Keep);
            if is_decided {
                self.settle_drawing(0);
            }
        }
        // With stacking, drawing the sum is a penalty.
        if matches!((action, observation.decision()), (Action::Draw, Decision::Turn)) {
            self.drawing = Some(PendingDraw { seat, could_follow: observation.playable_if_drawn(), cards: 0 });
        }
    }

    /// Records that the seat that drew has played this number of the drawn cards and kept the others.
    #[inline(always)]
    fn settle_drawing(&mut self, played: u32) {
        let Some(PendingDraw { seat, could_follow, cards }) = self.drawing.take() else { return };
        let settle = |bounds: &mut Bounds| {
            bounds.clear(could_follow);
            for _ in played..cards {
                bounds.add_one(EVERY_KIND - could_follow);
            }
        };
        settle(&mut self.most[seat.index()]);
        if self.at_reshuffle.is_some() {
            settle(&mut self.least[seat.index()]);
        }
    }

    // Lower bounds begin with the first reshuffle.

    #[inline(always)]
    fn take_one(&mut self, seat: Seat, card: Card) {
        self.most[seat.index()].take_one(card);
        if self.at_reshuffle.is_some() {
            self.least[seat.index()].take_one(card);
        }
    }

    #[inline(always)]
    fn add_one(&mut self, seat: Seat, kinds: CardSet) {
        self.most[seat.index()].add_one(kinds);
        if self.at_reshuffle.is_some() {
            self.least[seat.index()].add_one(kinds);
        }
    }
}

impl Default for PossibleCards {
    fn default() -> Self {
        Self::new()
    }
}

/// [`PossibleCards`] with the cap of one seat.
#[derive(Debug, Clone, Copy)]
pub struct SeatPossibleCards<'a> {
    possible: &'a PossibleCards,
    reader: Seat,
    /// The deck without the reader's hand and the discard pile.
    cap: Bounds,
}

impl SeatPossibleCards<'_> {
    /// The bounds of another seat's hand.
    #[must_use]
    #[inline(always)]
    pub fn of(&self, seat: Seat) -> Bounds {
        self.possible.without_cap(self.reader, seat).capped_by(self.cap)
    }

    /// The possible hands of this number of cards.
    #[must_use]
    #[inline(always)]
    pub fn hand_of(&self, seat: Seat, len: u32) -> PossibleHand {
        PossibleHand::new(self.of(seat), len)
    }
}
