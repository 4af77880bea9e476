//! [`Group`]: rounds in the lanes of vectors, and how they are loaded and stored.

use super::super::vector::{Mask, ROWS, Row, Rows, Vector, WIDTH, words, words_mut, zero};
use super::tables::SimdTables;
use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::color::Color;
use crate::fast::simd::batch_round::BatchRound;
use crate::rng::Rng;
use crate::rules::COLOR_ONLY;
use crate::seat::{Direction, MAX_SEATS, Seat};
use crate::state::Phase;

/// Bits of the counts of each kind of card: the supported decks have at most seven copies.
pub(super) const PLANES: usize = 3;

/// Every seat has a row.
const _: () = assert!(MAX_SEATS <= ROWS);

/// Rounds, with one lane of every vector for each round.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// The lanes that hold a round.
    pub(super) in_play: Mask,
    /// The hand of each seat, bit-sliced as in [`Cards`], and the generator of its player.
    pub(super) seats: Rows,
    pub(super) pile: [Vector; PLANES],
    pub(super) pile_len: Vector,
    /// The generator of the cards.
    pub(super) chance: Vector,
    /// The seat whose turn it is, or whose turn it will be after the owed cards are drawn.
    pub(super) seat: Vector,
    /// The penalty cards still to be drawn, and the seat that draws them.
    pub(super) owed: Vector,
    pub(super) taker: Vector,
    /// The card just drawn, if it may be played: one bit or 0.
    pub(super) drawn: Vector,
    pub(super) top: Vector,
    pub(super) color: Vector,
    /// The cards that can follow the top card in any color.
    pub(super) follows_top: Vector,
    /// The lanes in which the word of the top card is dead.
    pub(super) top_is_dead: Mask,
    /// The lanes in which play goes to the right.
    pub(super) to_right: Mask,
    /// The lanes in which a draw four may be challenged, and in which it was a bluff.
    pub(super) challenge: Mask,
    pub(super) bluff: Mask,
    /// The lanes in which the button was pressed and then its color can be discarded, or a target must be chosen.
    pub(super) discard: Mask,
    pub(super) target: Mask,
    pub(super) deck: [Vector; PLANES],
    pub(super) reshuffles: Vector,
    pub(super) turns: Vector,
    pub(super) decisions: Vector,
}

impl Group {
    pub(super) const EMPTY: Self = Self {
        in_play: Mask::NONE,
        seats: [[Row([0; 4]); ROWS]; WIDTH],
        pile: [zero(); PLANES],
        pile_len: zero(),
        chance: zero(),
        seat: zero(),
        owed: zero(),
        taker: zero(),
        drawn: zero(),
        top: zero(),
        color: zero(),
        follows_top: zero(),
        top_is_dead: Mask::NONE,
        to_right: Mask::NONE,
        challenge: Mask::NONE,
        bluff: Mask::NONE,
        discard: Mask::NONE,
        target: Mask::NONE,
        deck: [zero(); PLANES],
        reshuffles: zero(),
        turns: zero(),
        decisions: zero(),
    };

    /// Refills the draw piles of lanes that need a card. Returns the lanes in which the player to act cannot draw. Penalties
    /// end if no card is left to draw.
    #[cold]
    pub(super) fn refill_dry(&mut self, dry: Mask) -> Mask {
        self.refill(dry);
        let mut stuck = Mask::NONE;
        for lane in dry.lanes().filter(|&lane| words(&self.pile_len)[lane] == 0) {
            match &mut words_mut(&mut self.owed)[lane] {
                0 => stuck = stuck | Mask::of(lane),
                owed => *owed = 0,
            }
        }
        stuck
    }

    /// Makes draw piles of the cards under the top cards.
    #[cold]
    pub(super) fn refill(&mut self, dry: Mask) {
        for lane in dry.lanes() {
            let hands = self.seats[lane].iter().map(|&row| hand_of(row));
            let mut rest = hands.fold(cards_of(&self.deck, lane), Cards::minus);
            rest.remove(self.top_of(lane));
            insert_cards(&mut self.pile, lane, rest);
            words_mut(&mut self.pile_len)[lane] = u64::from(rest.len());
            words_mut(&mut self.reshuffles)[lane] += u64::from(!rest.is_empty());
        }
    }

    fn top_of(&self, lane: usize) -> Card {
        Card::new((words(&self.top)[lane] & 63) as usize)
    }

    #[inline]
    pub(super) fn put(&mut self, lane: usize, round: &BatchRound, tables: &SimdTables) {
        let BatchRound { state, chance, streams, turns, decisions } = round;
        for (row, (hand, stream)) in self.seats[lane].iter_mut().zip(state.hands.iter().zip(streams)).take(tables.seats)
        {
            let [ones, twos, fours, _] = hand.planes();
            *row = Row([ones, twos, fours, stream.state()]);
        }
        insert_cards(&mut self.pile, lane, state.draw_pile);
        insert_cards(&mut self.deck, lane, state.deck);
        let is_dead = usize::from(state.match_row) == COLOR_ONLY;
        let follows_top = if is_dead { 0 } else { tables.follows_top(state.top) };
        for (vector, word) in [
            (&mut self.pile_len, u64::from(state.draw_pile_len)),
            (&mut self.chance, chance.state()),
            (&mut self.seat, state.to_act.index() as u64),
            (&mut self.owed, 0),
            (&mut self.drawn, 0),
            (&mut self.top, state.top.index() as u64),
            (&mut self.color, state.color.map_or(0, |color| color.index() as u64)),
            (&mut self.follows_top, follows_top),
            (&mut self.reshuffles, u64::from(state.reshuffles)),
            (&mut self.turns, u64::from(*turns)),
            (&mut self.decisions, u64::from(*decisions)),
        ] {
            words_mut(vector)[lane] = word;
        }
        let this = Mask::of(lane);
        set(&mut self.in_play, this, true);
        set(&mut self.top_is_dead, this, is_dead);
        set(&mut self.to_right, this, state.direction == Direction::Right);
        for answers in [&mut self.challenge, &mut self.discard, &mut self.target] {
            set(answers, this, false);
        }
    }

    #[inline]
    pub(super) fn take(&mut self, lane: usize, round: &mut BatchRound, tables: &SimdTables) {
        let BatchRound { state, chance, streams, turns, decisions } = round;
        self.in_play = self.in_play & !Mask::of(lane);
        let word = |vector: &Vector| words(vector)[lane];
        for (&row, (hand, stream)) in
            self.seats[lane].iter().zip(state.hands.iter_mut().zip(streams)).take(tables.seats)
        {
            let Row([.., generator]) = row;
            *hand = hand_of(row);
            *stream = Rng::from_state(generator);
        }
        state.draw_pile = cards_of(&self.pile, lane);
        *chance = Rng::from_state(word(&self.chance));
        state.phase = CardSet(word(&self.drawn)).first().map_or(Phase::Turn, Phase::Drawn);
        state.top = self.top_of(lane);
        let to_right = self.to_right.contains(lane);
        state.direction = if to_right { Direction::Right } else { Direction::Left };
        let top_is_dead = self.top_is_dead.contains(lane);
        #[expect(clippy::cast_possible_truncation, reason = "all of them were as small when they were put in")]
        {
            state.to_act = Seat::new(word(&self.seat) as usize);
            state.color = Some(Color::from_index(word(&self.color) as usize));
            state.match_row = if top_is_dead { COLOR_ONLY as u8 } else { state.top.index() as u8 };
            state.draw_pile_len = word(&self.pile_len) as u16;
            state.reshuffles = word(&self.reshuffles) as u16;
            *turns = word(&self.turns) as u32;
            *decisions = word(&self.decisions) as u32;
        }
    }
}

fn set(mask: &mut Mask, lane: Mask, to: bool) {
    *mask = if to { *mask | lane } else { *mask & !lane };
}

#[inline]
fn hand_of(Row([ones, twos, fours, _]): Row) -> Cards {
    Cards::of_planes([ones, twos, fours, 0])
}

#[inline]
fn cards_of(planes: &[Vector; PLANES], lane: usize) -> Cards {
    let [ones, twos, fours] = planes.each_ref().map(|plane| words(plane)[lane]);
    Cards::of_planes([ones, twos, fours, 0])
}

#[inline]
fn insert_cards(planes: &mut [Vector; PLANES], lane: usize, cards: Cards) {
    for (plane, word) in planes.iter_mut().zip(cards.planes()) {
        words_mut(plane)[lane] = word;
    }
}
