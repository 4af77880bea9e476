//! The beginning of a round: the deal, the start card, and its effect.

use std::marker::PhantomData;

use super::event_sink::EventSink;
use super::phase::{AfterColor, Phase};
use super::play::Table;
use super::round_state::RoundState;
use crate::card::{Card, Face};
use crate::cards::{Cards, MAX_CARDS};
use crate::chance::Chance;
use crate::cpu::isa::{Generic, Isa, dispatch};
use crate::cpu::simd::shuffle_front;
use crate::event::Event;
use crate::rng::Rng;
use crate::rules::{AllFeatures, CardKind, FeatureSet, Rules, RulesKernel, Special, StartDrawTwo, StartReverse};
use crate::seat::{BySeat, Seat, SeatSet};

/// The reason why a round cannot begin with these cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Hands and start card need more copies of a card than the deck has.
    #[error("more copies of kind {} than the deck has", .0.index())]
    TooManyCopies(Card),
    /// The last card turned up cannot be a start card, or one before it can.
    #[error("kind {} does not fit as a start card here", .0.index())]
    NotAStartCard(Card),
    /// The dealer is not one of the seats that take part.
    #[error("seat {} deals but takes no part", .0.index())]
    DealerNotInRound(Seat),
    /// The deck is too small for the hands.
    #[error("the deck is too small for these hands")]
    DeckTooSmall,
}

impl StartError {
    /// The reason in the notation of these rules.
    #[must_use]
    pub fn describe(&self, rules: &Rules) -> String {
        match self {
            Self::TooManyCopies(card) => {
                format!(
                    "more copies of {} than the deck has ({})",
                    rules.card_def(*card).code,
                    rules.deck().count(*card)
                )
            }
            Self::NotAStartCard(card) => {
                format!(
                    "{} does not fit as a start card here: those returned come first, then one that stays",
                    rules.card_def(*card).code
                )
            }
            Self::DealerNotInRound(dealer) => format!("seat {dealer} deals but takes no part"),
            Self::DeckTooSmall => "the deck is too small for these hands".into(),
        }
    }
}

struct Redeal<'a> {
    state: &'a mut RoundState,
    rules: &'a Rules,
    seats: SeatSet,
    dealer: Seat,
    rng: &'a mut Rng,
}

impl RulesKernel for Redeal<'_> {
    type Output = ();

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) {
        let Self { state, rules, seats, dealer, rng } = self;
        state.redeal_for::<P>(rules, seats, dealer, rng, &mut ());
    }
}

impl RoundState {
    /// Deals a round and turns up its start card.
    ///
    /// # Panics
    /// If the deck is too small for these seats, which is impossible if their number is in `rules.seats()`.
    #[must_use]
    pub fn deal(rules: &Rules, seats: SeatSet, dealer: Seat, rng: &mut Rng, mut events: &mut dyn EventSink) -> Self {
        Self::deal_for::<AllFeatures>(rules, seats, dealer, rng, &mut events)
    }

    /// [`RoundState::deal`], compiled for rules that the feature set fits.
    ///
    /// # Panics
    /// As [`RoundState::deal`].
    #[doc(hidden)]
    #[inline(always)]
    pub fn deal_for<P: FeatureSet>(
        rules: &Rules,
        seats: SeatSet,
        dealer: Seat,
        rng: &mut Rng,
        events: &mut impl EventSink,
    ) -> Self {
        let mut state = Self::empty(seats, dealer, Card::new(0), rules.deck());
        state.redeal_for::<P>(rules, seats, dealer, rng, events);
        state
    }

    /// [`RoundState::deal`] without events, with the fastest code for these rules and this processor. It is compiled here and
    /// not for each caller.
    ///
    /// # Panics
    /// As [`RoundState::deal`].
    #[must_use]
    pub fn deal_without_events(rules: &Rules, seats: SeatSet, dealer: Seat, rng: &mut Rng) -> Self {
        let mut state = Self::empty(seats, dealer, Card::new(0), rules.deck());
        state.redeal(rules, seats, dealer, rng);
        state
    }

    /// [`RoundState::deal_without_events`] in place of another round, because copying a large state takes time.
    ///
    /// # Panics
    /// As [`RoundState::deal`].
    pub fn redeal(&mut self, rules: &Rules, seats: SeatSet, dealer: Seat, rng: &mut Rng) {
        dispatch(Redeal { state: self, rules, seats, dealer, rng });
    }

    /// [`RoundState::deal_for`] in place of another round, because copying a large state takes time.
    ///
    /// # Panics
    /// As [`RoundState::deal`].
    #[doc(hidden)]
    #[inline(always)]
    pub fn redeal_for<P: FeatureSet>(
        &mut self,
        rules: &Rules,
        seats: SeatSet,
        dealer: Seat,
        rng: &mut Rng,
        events: &mut impl EventSink,
    ) {
        self.deal_hands::<P::Isa>(rules, seats, dealer, rng);
        let start = self.turn_up::<P>(rules, rng, events);
        self.begin_with::<P>(rules, start, rng, events);
    }

    /// [`RoundState::deal`] with extra cards for some seats, as odds. All hands are dealt as without them. Then each seat draws
    /// its extra cards from the rest of the deck, in the order of the seats, and the start card is turned up. So the same
    /// stream gives the same hands and the same extra cards for any choice of the seats with odds.
    ///
    /// # Panics
    /// If the deck is too small: a card must be left that can be the start card.
    #[must_use]
    pub fn deal_with_extra_cards(
        rules: &Rules,
        seats: SeatSet,
        dealer: Seat,
        extra_cards: &BySeat<u8>,
        rng: &mut Rng,
        mut events: &mut dyn EventSink,
    ) -> Self {
        let mut state = Self::empty(seats, dealer, Card::new(0), rules.deck());
        loop {
            state.deal_any_hands::<Generic>(rules, seats, dealer, rng);
            for seat in seats.iter() {
                for _ in 0..extra_cards[seat] {
                    let card = rng.draw(state.draw_pile, u32::from(state.draw_pile_len));
                    state.draw_pile.remove(card);
                    state.draw_pile_len -= 1;
                    state.hands[seat.index()].add(card);
                }
            }
            if rules.has_start_card(state.draw_pile) {
                break;
            }
        }
        state.called = seats.iter().filter(|&seat| state.hand(seat).is_single()).collect();
        let start = state.turn_up::<AllFeatures>(rules, rng, &mut events);
        state.begin_with::<AllFeatures>(rules, start, rng, &mut events);
        state
    }

    /// [`RoundState::deal`] with another source of chance for the effect of the start card.
    pub fn deal_with(
        rules: &Rules,
        seats: SeatSet,
        dealer: Seat,
        rng: &mut Rng,
        mut chance: &mut dyn Chance,
        mut events: &mut dyn EventSink,
    ) -> Self {
        Self::deal_with_for::<AllFeatures>(rules, seats, dealer, rng, &mut chance, &mut events)
    }

    /// [`RoundState::deal_with`], compiled for rules that the feature set fits.
    #[doc(hidden)]
    pub fn deal_with_for<P: FeatureSet>(
        rules: &Rules,
        seats: SeatSet,
        dealer: Seat,
        rng: &mut Rng,
        chance: &mut impl Chance,
        events: &mut impl EventSink,
    ) -> Self {
        let mut state = Self::empty(seats, dealer, Card::new(0), rules.deck());
        state.deal_hands::<P::Isa>(rules, seats, dealer, rng);
        let start = state.turn_up::<P>(rules, rng, events);
        state.begin_with::<P>(rules, start, chance, events);
        state
    }

    /// Deals hands again until they leave a card that can start.
    #[inline(always)]
    fn deal_hands<M: Isa>(&mut self, rules: &Rules, seats: SeatSet, dealer: Seat, rng: &mut Rng) {
        loop {
            self.deal_any_hands::<M>(rules, seats, dealer, rng);
            if rules.has_start_card(self.draw_pile) {
                return;
            }
        }
    }

    /// Shuffles only the cards that are dealt; the rest stays a multiset.
    #[inline(always)]
    fn deal_any_hands<M: Isa>(&mut self, rules: &Rules, seats: SeatSet, dealer: Seat, rng: &mut Rng) {
        *self = Self::empty(seats, dealer, Card::new(0), rules.deck());
        let deck = &rules.tables.deck_list;
        let hand_size = rules.parameters().hand_size.get() as usize;
        let dealt = seats.len() * hand_size;
        let mut shuffled = [Card::new(0); MAX_CARDS as usize];
        shuffled[..deck.len()].copy_from_slice(deck);
        shuffle_front::<_, M>(rng, &mut shuffled[..deck.len()], dealt);
        let mut dealt_to = seats.iter();
        let mut cards = &shuffled[..];
        // Four at a time in vectors. For one or two hands, that would take longer.
        while M::IS_COMMON && dealt_to.clone().nth(2).is_some() {
            let hands = Cards::four_hands(std::array::from_fn(|hand| &cards[hand * hand_size..][..hand_size]));
            for (hand, seat) in hands.into_iter().zip(&mut dealt_to) {
                self.hands[seat.index()] = hand;
                self.draw_pile.take_hand(hand);
            }
            cards = &cards[4 * hand_size..];
        }
        for (seat, cards) in dealt_to.zip(cards.chunks_exact(hand_size)) {
            let hand: Cards = cards.iter().copied().collect();
            self.hands[seat.index()] = hand;
            self.draw_pile.take_hand(hand);
        }
        self.draw_pile_len = u16::try_from(deck.len() - dealt).expect("a deck has at most 512 cards");
        self.called = if hand_size == 1 { seats } else { SeatSet::EMPTY };
    }

    /// Turns cards up until one can stay.
    #[inline(always)]
    fn turn_up<P: FeatureSet>(&self, rules: &Rules, chance: &mut impl Chance, events: &mut impl EventSink) -> Card {
        loop {
            let mut pile = self.draw_pile;
            let card = chance.draw_from::<P::Isa>(&mut pile, u32::from(self.draw_pile_len));
            events.on_event(self, Event::TurnedUp(card));
            // a card that cannot start is returned to the deck, which is shuffled.
            if rules.can_start(card) {
                return card;
            }
        }
    }

    /// Begins a round with given hands and the cards turned up, in order; all except the last are returned to the deck.
    ///
    /// # Errors
    /// The deck does not have the cards, they cannot be turned up in this order, or the dealer does not take part.
    ///
    /// # Panics
    /// If no card is given as turned up.
    pub fn begin(
        rules: &Rules,
        seats: SeatSet,
        dealer: Seat,
        hands: BySeat<Cards>,
        turned_up: &[Card],
        chance: &mut dyn Chance,
        events: &mut dyn EventSink,
    ) -> Result<Self, StartError> {
        Self::begin_with_deck(rules, rules.deck(), (seats, dealer), hands, turned_up, chance, events)
    }

    /// [`RoundState::begin`] with some cards of the deck out of the round.
    pub(crate) fn begin_with_deck(
        rules: &Rules,
        deck: Cards,
        (seats, dealer): (SeatSet, Seat),
        hands: BySeat<Cards>,
        turned_up: &[Card],
        mut chance: &mut dyn Chance,
        mut events: &mut dyn EventSink,
    ) -> Result<Self, StartError> {
        let (&start, returned) = turned_up.split_last().expect("a start card");
        if !seats.contains(dealer) {
            return Err(StartError::DealerNotInRound(dealer));
        }
        let mut state = Self::empty(seats, dealer, start, deck);
        for seat in state.seats() {
            state.hands[seat.index()] = hands[seat];
            for card in hands[seat].iter() {
                if !state.draw_pile.contains(card) {
                    return Err(StartError::TooManyCopies(card));
                }
                state.draw_pile.remove(card);
                state.draw_pile_len -= 1;
            }
        }
        for &card in turned_up {
            if !state.draw_pile.contains(card) {
                return Err(StartError::TooManyCopies(card));
            }
        }
        if let Some(&card) = returned.iter().find(|&&card| rules.can_start(card)) {
            return Err(StartError::NotAStartCard(card));
        }
        if !rules.can_start(start) {
            return Err(StartError::NotAStartCard(start));
        }
        for &card in turned_up {
            events.on_event(&state, Event::TurnedUp(card));
        }
        state.called = state.seats().filter(|&seat| state.hand(seat).is_single()).collect();
        state.begin_with::<AllFeatures>(rules, start, &mut chance, &mut events);
        Ok(state)
    }

    /// The card stays as the start card and takes effect.
    #[inline(always)]
    fn begin_with<P: FeatureSet>(
        &mut self,
        rules: &Rules,
        card: Card,
        chance: &mut impl Chance,
        events: &mut impl EventSink,
    ) {
        self.draw_pile.remove(card);
        self.draw_pile_len -= 1;
        self.top = card;
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let row = card.index() as u8;
        self.match_row = row;
        self.color = rules.color_of(card);
        let mut table: Table<'_, P, _, _> = Table { state: self, rules, chance, events, features: PhantomData };
        table.start_card_takes_effect(card);
        self.first_seat = self.to_act;
        self.first_direction = self.direction;
    }
}

impl Rules {
    /// Whether this pile has a card that can be the start card. If all such cards are in hands, cards would be turned up
    /// forever, so the hands are redealt.
    #[must_use]
    #[inline]
    pub fn has_start_card(&self, pile: Cards) -> bool {
        (pile.distinct() & self.tables.can_start).any()
    }

    /// Whether this card can be the start card; otherwise it is returned.
    #[must_use]
    #[inline]
    pub fn can_start(&self, card: Card) -> bool {
        self.tables.can_start.contains(card)
    }
}

impl<P: FeatureSet, C: Chance, E: EventSink> Table<'_, P, C, E> {
    #[inline(always)]
    fn start_card_takes_effect(&mut self, card: Card) {
        if self.rules.tables.starts_plainly.contains(card) {
            return self.begin_turn(self.state.next_seat(self.state.dealer));
        }
        self.special_card_starts(card);
    }

    fn special_card_starts(&mut self, card: Card) {
        let dealer = self.state.dealer;
        let first = self.state.next_seat(dealer);
        match &self.rules.card_def(card).kind {
            CardKind::Ordinary(_, Face::Skip) => self.begin_turn_after(first),
            CardKind::Ordinary(_, Face::Reverse) => {
                self.state.direction = self.state.direction.reversed();
                // literally, also with two seats.
                match self.rules.parameters().start_reverse {
                    StartReverse::DealerFirst => self.begin_turn(dealer),
                    StartReverse::MirrorFirst => self.begin_turn_after(dealer),
                }
            }
            CardKind::Ordinary(_, Face::DrawTwo) => match self.rules.parameters().start_draw_two {
                StartDrawTwo::DrawAndMiss => self.draw_and_skip(first, 2),
                StartDrawTwo::DrawOnly => {
                    self.draw(first, 2);
                    self.begin_turn(first);
                }
                StartDrawTwo::Tinker => self.press_button_for_draw_two(first), // DI-01
            },
            CardKind::Special(Special::SwapHands) => self.ask_for_color(first, AfterColor::OwnSwap),
            CardKind::Special(Special::Wild) => self.ask_for_color(first, AfterColor::OwnTurn),
            CardKind::Custom(card) if crate::rules::names_color_at_start(card) => {
                self.ask_for_color(first, AfterColor::OwnTurn);
            }
            // Numbers and cards without effect as the start card: a Cheese Touch (WK-01), a custom card without a color to
            // name.
            CardKind::Ordinary(_, Face::Number(_)) | CardKind::Special(_) | CardKind::Custom(_) => {
                self.begin_turn(first);
            }
        }
    }

    fn ask_for_color(&mut self, seat: Seat, then: AfterColor) {
        self.state.to_act = seat;
        self.state.phase = Phase::NameColor(then);
    }
}
