//! [`Observation`]: what one seat knows, and nothing else.
//!
//! The engine guarantees that two states that a seat cannot distinguish give equal observations, and equal samples for equal
//! seeds. Agents receive information only through the methods here, and none of them reveals more than the seat would know at
//! a real table.

use crate::action::{Action, Call};
use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::color::Color;
use crate::cpu::isa::{Generic, Isa};
use crate::event::{Event, VisibleEvent};
use crate::knowledge::Knowledge;
use crate::rng::Rng;
use crate::rules::{Features, Rules};
use crate::seat::{BySeat, Direction, MAX_SEATS, Seat, SeatSet};
use crate::state::{AfterColor, Cursor, Dealing, Phase, RoundState, Uniform, Unseen};

/// The view of one seat. It is cheap to create and to copy, because it only borrows.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    rules: &'a Rules,
    state: &'a RoundState,
    knowledge: &'a Knowledge,
    scores: &'a BySeat<u32>,
    seat: Seat,
}

/// The match scores outside a match.
pub const NO_SCORES: BySeat<u32> = BySeat::new([0; MAX_SEATS]);

/// The pending decision, as all seats see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Play, draw or pass.
    Turn,
    /// Play or keep the card just drawn, which only its owner can see.
    Drawn(Option<Card>),
    /// Name a color apart from a play.
    NameColor(AfterColor),
    /// Challenge or accept a draw four.
    Challenge {
        /// The seat that played it.
        by: Seat,
        /// The color that was in force.
        color_before: Color,
        /// The number of cards that the victim would draw.
        sum: u8,
    },
    /// Answer a Cheese Touch.
    Cheese,
    /// Swap hands, or decline.
    Swap,
    /// Keep this hand, or pass all hands on; the number of passes so far.
    Lap(u8),
    /// Choose the target.
    Target,
    /// Discard all of this color, or none.
    Discard(Color),
    /// Play a card of this color as protection.
    Protect(Color),
    /// Answer a draw card, or draw this sum.
    Stack(u8),
    /// Choose one of [`Cursor::options`].
    Choice(Cursor),
    /// The round is over.
    Over,
}

impl std::fmt::Debug for Observation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Observation")
            .field("seat", &self.seat)
            .field("decision", &self.decision())
            .field("hand", &self.rules.write_cards(self.hand()))
            .field("top", &self.rules.code(self.top()))
            .field("color", &self.color())
            .finish_non_exhaustive()
    }
}

/// The public counts of the cards that are not on the discard pile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndiscardedCards {
    /// The number of all these cards.
    pub cards: u32,
    /// The number of cards of the given kinds.
    pub cards_of_kinds: u32,
    /// The number of cards in the largest hand.
    pub most_of_a_seat: u32,
}

impl<'a> Observation<'a> {
    /// The view of `seat`. Only code with the full state can create an observation; agents receive it.
    #[must_use]
    #[inline]
    pub const fn of(
        rules: &'a Rules,
        state: &'a RoundState,
        knowledge: &'a Knowledge,
        scores: &'a BySeat<u32>,
        seat: Seat,
    ) -> Self {
        Self { rules, state, knowledge, scores, seat }
    }

    /// The seat of this view.
    #[must_use]
    #[inline]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The rules, known to all.
    #[must_use]
    #[inline]
    pub const fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// The match score of each seat before this round; zeros outside a match.
    #[must_use]
    #[inline]
    pub const fn scores(&self) -> &'a BySeat<u32> {
        self.scores
    }

    /// The decision that the round waits for.
    #[must_use]
    #[inline(always)]
    pub fn decision(&self) -> Decision {
        match self.state.phase() {
            Phase::Turn => Decision::Turn,
            Phase::Drawn(card) => Decision::Drawn(self.is_to_act().then_some(card)),
            Phase::NameColor(then) => Decision::NameColor(then),
            Phase::Challenge(played) => {
                Decision::Challenge { by: played.by, color_before: played.color_before, sum: played.sum }
            }
            Phase::Cheese => Decision::Cheese,
            Phase::Swap(_) => Decision::Swap,
            Phase::Lap(passes) => Decision::Lap(passes),
            Phase::Target(_) => Decision::Target,
            Phase::Discard(color) => Decision::Discard(color),
            Phase::Protect(protection) => Decision::Protect(protection.color),
            Phase::Stack(stack) => Decision::Stack(stack.sum),
            Phase::Choice(cursor) => Decision::Choice(cursor),
            Phase::Over(_) => Decision::Over,
        }
    }

    /// The card that this seat has just drawn and may play.
    #[must_use]
    #[inline]
    pub fn drawn(&self) -> Option<Card> {
        match self.state.phase() {
            Phase::Drawn(card) if self.is_to_act() => Some(card),
            _ => None,
        }
    }

    /// The word of the notation for the decision; `None` when the round is over.
    #[must_use]
    pub const fn decision_word(&self) -> Option<&'static str> {
        self.state.phase().decision()
    }

    /// The seat that has to decide.
    #[must_use]
    #[inline]
    pub const fn current_seat(&self) -> Option<Seat> {
        self.state.current_seat()
    }

    fn is_to_act(&self) -> bool {
        self.state.current_seat() == Some(self.seat)
    }

    /// The hand of this seat. While another seat decides during a Victory Lap, the cards that this seat knows in the hand in
    /// front of it, which it has not seen (CA-16).
    #[must_use]
    #[inline]
    pub fn hand(&self) -> Cards {
        if self.has_not_taken_up_hand() {
            return self.knowledge.of_hand_before(self.seat);
        }
        self.state.hand(self.seat)
    }

    /// [`Observation::hand`] outside a Victory Lap, as in a turn. It does not check for one.
    ///
    /// # Panics
    /// In debug builds, if a Victory Lap is in progress and this seat has not seen its hand.
    #[must_use]
    #[inline(always)]
    pub fn hand_in_turn(&self) -> Cards {
        debug_assert!(!self.has_not_taken_up_hand());
        self.state.hand(self.seat)
    }

    #[inline]
    fn has_not_taken_up_hand(&self) -> bool {
        matches!(self.state.phase(), Phase::Lap(_)) && !self.is_to_act()
    }

    /// The seats whose cards this seat does not see.
    #[inline]
    fn seats_not_seen(&self) -> SeatSet {
        if self.has_not_taken_up_hand() { self.seats() } else { self.seats().without(self.seat) }
    }

    /// Cards that are certainly in a hand that this seat does not see.
    #[inline]
    fn certain(&self, of: Seat) -> Cards {
        if of == self.seat { self.hand() } else { self.known(of) }
    }

    /// The number of cards of a seat.
    #[must_use]
    #[inline(always)]
    pub const fn hand_len(&self, seat: Seat) -> u32 {
        self.state.hand(seat).len()
    }

    /// Whether a seat holds exactly one card. Faster than [`Observation::hand_len`].
    #[must_use]
    #[inline]
    pub const fn holds_one_card(&self, seat: Seat) -> bool {
        self.state.hand(seat).is_single()
    }

    /// The number of cards in the smallest other hand, at most `len`. Faster than [`Observation::hand_len`], because hands
    /// with enough different kinds are not counted.
    #[must_use]
    #[inline(always)]
    pub fn fewest_cards_of_others_below(&self, len: u32) -> u32 {
        let (mut fewest, others) = (len, self.seats().without(self.seat));
        for (seat, hand) in Seat::first(self.seats().end()).zip(&self.state.hands) {
            if hand.odd().len() < fewest && others.contains(seat) {
                fewest = fewest.min(hand.len());
            }
        }
        fewest
    }

    /// Cards that are certainly in another seat's hand: shown, or formerly in the hand of this seat.
    #[must_use]
    #[inline]
    pub fn known(&self, of: Seat) -> Cards {
        self.knowledge.of(self.seat, of)
    }

    /// Whether this seat knows any card of that hand for certain. If not, [`Observation::known`] is empty.
    #[must_use]
    #[inline]
    pub fn has_been_shown(&self, of: Seat) -> bool {
        self.knowledge.has_been_shown(of, self.seat)
    }

    /// Whether no card has been shown to any seat.
    #[must_use]
    #[inline]
    pub const fn has_no_known_cards(&self) -> bool {
        self.knowledge.is_empty()
    }

    /// The cards of this hand that another seat certainly knows.
    #[must_use]
    pub fn known_by(&self, by: Seat) -> Cards {
        if self.has_not_taken_up_hand() { Cards::EMPTY } else { self.knowledge.of(by, self.seat) }
    }

    /// The knowledge of hands in states that the seat cannot distinguish from this one ([samples](Observation::sample_state)).
    #[must_use]
    pub fn knowledge(&self) -> Knowledge {
        let mut knowledge = Knowledge::default();
        for other in self.others() {
            knowledge.show(self.seat, other, self.known(other));
            knowledge.show(other, self.seat, self.known_by(other));
        }
        if self.has_not_taken_up_hand() {
            knowledge.show(self.seat, self.seat, self.hand());
        }
        knowledge.conclude_as(self.seat, self.knowledge);
        knowledge
    }

    /// The top card.
    #[must_use]
    #[inline]
    pub const fn top(&self) -> Card {
        self.state.top()
    }

    /// The color in force, if one is.
    #[must_use]
    #[inline]
    pub const fn color(&self) -> Option<Color> {
        self.state.color()
    }

    /// The direction of play.
    #[must_use]
    #[inline]
    pub const fn direction(&self) -> Direction {
        self.state.direction()
    }

    /// The seats in the round, without those that are out.
    #[must_use]
    #[inline]
    pub const fn seats(&self) -> SeatSet {
        self.state.seat_set()
    }

    /// The seats that are out of the round because they held too many cards (`house.hand_limit`).
    #[must_use]
    #[inline]
    pub const fn out(&self) -> SeatSet {
        self.state.out()
    }

    /// The seats that were dealt cards, whether or not they are out.
    #[must_use]
    pub const fn dealt_seats(&self) -> SeatSet {
        self.state.dealt_seats()
    }

    /// The seat after this one in the direction of play.
    #[must_use]
    #[inline]
    pub const fn next_seat(&self, seat: Seat) -> Seat {
        self.state.next_seat(seat)
    }

    /// The seat before this one in the direction of play.
    #[must_use]
    #[inline]
    pub const fn previous_seat(&self, seat: Seat) -> Seat {
        self.state.ring().after(seat, self.direction().reversed())
    }

    /// The other seats in order of play.
    pub fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        self.state.others(self.seat)
    }

    /// Whether exactly two seats play.
    #[must_use]
    #[inline]
    pub const fn is_two_seats(&self) -> bool {
        self.state.ring().is_two_seats()
    }

    /// The dealer.
    #[must_use]
    pub const fn dealer(&self) -> Seat {
        self.state.dealer()
    }

    /// The number of cards before the next reshuffle.
    #[must_use]
    pub const fn draw_pile_len(&self) -> u32 {
        self.state.draw_pile_len()
    }

    /// The number of reshuffles.
    #[must_use]
    pub const fn reshuffles(&self) -> u32 {
        self.state.reshuffles()
    }

    /// Whether the word of the top card is dead, so that only its color can be followed (DI-29).
    #[must_use]
    pub const fn is_top_symbol_inactive(&self) -> bool {
        self.state.is_top_symbol_inactive()
    }

    /// Seats that have passed since anything was last drawn or played.
    #[must_use]
    pub const fn passed(&self) -> SeatSet {
        self.state.passed()
    }

    /// Turns that a seat still has to miss.
    #[must_use]
    pub const fn missed_turns(&self, seat: Seat) -> u8 {
        self.state.missed_turns(seat)
    }

    /// All cards of the discard pile, which are public.
    #[must_use]
    #[inline(always)]
    pub fn discard_pile(&self) -> Cards {
        self.state.discard_pile()
    }

    /// The cards that are not on the discard pile: the draw pile and all hands. Every seat can count them.
    #[must_use]
    #[inline(always)]
    pub fn not_discarded(&self) -> Cards {
        self.state.not_discarded()
    }

    /// The number of cards that are [not discarded](Observation::not_discarded), how many of them are of these kinds, and the size of the
    /// largest hand.
    #[must_use]
    #[inline(always)]
    pub fn count_not_discarded(&self, kinds: CardSet) -> UndiscardedCards {
        let cards_of_kinds = self.state.draw_pile().len_of(kinds);
        let mut counted = UndiscardedCards { cards: self.draw_pile_len(), cards_of_kinds, most_of_a_seat: 0 };
        // A seat that does not take part has no cards.
        for hand in &self.state.hands[..self.seats().end()] {
            let (cards, cards_of_kinds) = hand.len_and_len_of(kinds);
            counted.cards += cards;
            counted.cards_of_kinds += cards_of_kinds;
            counted.most_of_a_seat = counted.most_of_a_seat.max(cards);
        }
        counted
    }

    /// Every card in this round.
    #[must_use]
    pub const fn deck(&self) -> Cards {
        self.state.deck()
    }

    /// Cards in unseen hands and in the draw pile, including cards that are known to be in other hands.
    #[must_use]
    #[inline(always)]
    pub fn unseen(&self) -> Cards {
        let mut unseen = self.state.draw_pile();
        for seat in self.seats_not_seen().iter() {
            unseen = unseen.plus_hand(self.state.hand(seat));
        }
        if self.has_not_taken_up_hand() { unseen.minus(self.hand()) } else { unseen }
    }

    /// Seats that have one card, have not called UNO, and can be caught.
    #[must_use]
    pub const fn uncalled(&self) -> SeatSet {
        self.state.uncalled()
    }

    /// The distinct cards that the seat may play in its turn, including bluffs.
    #[must_use]
    #[inline]
    pub fn playable(&self) -> CardSet {
        if self.has_not_taken_up_hand() { CardSet::EMPTY } else { self.state.playable(self.rules, self.seat) }
    }

    /// The distinct cards that may be played without bluffing.
    #[must_use]
    #[inline]
    pub fn legitimately_playable(&self) -> CardSet {
        if self.has_not_taken_up_hand() {
            CardSet::EMPTY
        } else {
            self.state.legitimately_playable(self.rules, self.seat)
        }
    }

    /// The playable cards among these that may be played without bluffing.
    #[must_use]
    #[inline]
    pub fn legitimate_among(&self, playable: CardSet) -> CardSet {
        self.state.legitimate_among(self.rules, self.seat, playable)
    }

    /// The cards that could be played now from any hand, including draw fours.
    #[must_use]
    #[inline]
    pub fn can_follow(&self) -> CardSet {
        self.state.can_follow(self.rules)
    }

    /// The cards that a player could play after drawing them instead of playing: none if the turn ends with the draw
    /// (`turn.draw_count`).
    #[must_use]
    #[inline]
    pub fn playable_if_drawn(&self) -> CardSet {
        if self.rules.features().contains(Features::RANDOM_DRAWS) { CardSet::EMPTY } else { self.can_follow() }
    }

    /// Whether a card can be drawn, perhaps after a reshuffle.
    #[must_use]
    #[inline]
    pub fn can_draw(&self) -> bool {
        self.state.can_draw()
    }

    /// Whether the seat may draw instead of playing.
    #[must_use]
    #[inline]
    pub fn may_draw(&self) -> bool {
        self.is_to_act() && self.state.phase() == Phase::Turn && self.state.may_draw(self.rules)
    }

    /// The legal actions, if this seat has to decide.
    #[must_use]
    pub fn legal_actions(&self) -> Vec<Action> {
        if self.is_to_act() { self.state.legal_actions(self.rules) } else { Vec::new() }
    }

    /// Whether this action is among [`Observation::legal_actions`].
    #[must_use]
    #[inline]
    pub fn may(&self, action: Action) -> bool {
        let is_out_of_turn = matches!(action, Action::Uno | Action::Catch(_) | Action::Silent);
        self.is_to_act() && !is_out_of_turn && self.state.is_legal(self.rules, self.seat, action, Call::Silent)
    }

    /// The legal actions out of turn.
    #[must_use]
    pub fn legal_interruptions(&self) -> Vec<Action> {
        self.state.legal_interruptions(self.rules, self.seat)
    }

    /// An event as this seat sees it; `None` if the seat does not notice it.
    #[must_use]
    #[inline]
    pub fn sees(&self, event: Event) -> Option<VisibleEvent> {
        event.as_seen_by(self.seat)
    }

    /// A possible full state: the unseen cards are dealt again, so that all deals that agree with the certain cards are
    /// equally likely. It does not use beliefs about how other players play. If the knowledge of this observation is [with
    /// implications](Knowledge::with_implications), the state satisfies what the rules imply about the past: no hand holds a card
    /// that would have made an earlier action illegal, or that its seat would have been asked about. All deals in which each card
    /// could have been in its hand since it came are then equally likely. Two facts are ignored: a call of UNO with a Discard All
    /// implies few other colors, and cards of shuffled hands are not in the draw pile. See [`crate::implication::Implication`].
    ///
    /// If another seat's decision implies something about its hand, that card is dealt first. The card just drawn is any
    /// playable card, each copy equally likely; a draw four that the rest of the hand forbids is redrawn. A seat that can answer
    /// a stack, protect itself or discard a color gets one suitable card, each copy equally likely; so hands with several such
    /// cards are more frequent than among all hands with at least one. A draw four is judged by the dealt hand.
    /// During an event the round is in the middle of an action: the hands are current, but the decision may already be
    /// answered. Play can continue from a sample only if the seat has a decision to make.
    #[must_use]
    pub fn sample_state(&self, rng: &mut Rng) -> RoundState {
        if self.knowledge.has_implications() {
            return self.sample_state_where(None, rng);
        }
        self.sample_state_dealt::<Generic>(&mut Uniform, rng)
    }

    /// [`Observation::sample_state`], given that a seat must hold this card.
    pub(crate) fn sample_state_where(&self, must_hold: Option<(Seat, Card)>, rng: &mut Rng) -> RoundState {
        let known = |of: Seat| {
            let mut known = self.certain(of);
            if let Some((holder, card)) = must_hold
                && holder == of
                && !known.contains(card)
            {
                known.add(card);
            }
            known
        };
        let unseen = Unseen { seats: self.seats_not_seen(), known };
        let excluded = |seat| self.knowledge.excluded(self.seat, seat);
        if unseen.seats.iter().any(|seat| !excluded(seat).is_empty()) {
            return self.state.with_unseen_cards_redealt_within_limits(self.rules, &unseen, excluded, rng);
        }
        self.state.with_unseen_cards_redealt::<Generic>(self.rules, &unseen, &mut Uniform, rng)
    }

    /// [`Observation::sample_state`] without what the rules imply about the past, compiled for this instruction set.
    #[must_use]
    #[inline(always)]
    pub fn sample_state_on<M: Isa>(&self, rng: &mut Rng) -> RoundState {
        self.sample_state_dealt::<M>(&mut Uniform, rng)
    }

    /// [`Observation::sample_state_on`] with beliefs: `dealing` decides which unseen cards each hand gets.
    #[must_use]
    #[inline(always)]
    pub fn sample_state_dealt<M: Isa>(&self, dealing: &mut impl Dealing, rng: &mut Rng) -> RoundState {
        let unseen = Unseen { seats: self.seats_not_seen(), known: |seat| self.certain(seat) };
        self.state.with_unseen_cards_redealt::<M>(self.rules, &unseen, dealing, rng)
    }

    /// Writes all knowledge of this seat as bytes; states that the seat cannot distinguish give equal bytes.
    pub fn write_into(&self, bytes: &mut Vec<u8>) {
        let mut put = |cards: Cards| cards.planes().iter().for_each(|plane| bytes.extend(plane.to_le_bytes()));
        put(self.hand());
        put(self.unseen());
        put(self.deck());
        self.seats().iter().for_each(|seat| put(self.known(seat)));
        self.seats().iter().for_each(|seat| put(self.known_by(seat)));
        let sizes = self.seats().iter().map(|seat| self.hand_len(seat));
        let numbers = [u32::from(self.state.is_top_symbol_inactive()), self.draw_pile_len(), self.state.reshuffles()];
        sizes.chain(numbers).chain(*self.scores.as_array()).for_each(|number| bytes.extend(number.to_le_bytes()));
        let places = (self.seat, self.dealer(), self.current_seat(), self.direction());
        let open = (self.decision(), self.top(), self.color(), self.uncalled(), self.passed());
        bytes.extend(format!("{places:?}{open:?}").into_bytes());
        bytes.extend(self.seats().iter().map(|seat| self.missed_turns(seat)));
        if !self.out().is_empty() {
            bytes.extend(format!("{:?}", self.out()).into_bytes());
        }
    }
}
