//! [`Group`]: rounds in the lanes of vectors, and the step they take at once.

use super::tables::LaneTables;
use super::vector::{
    Mask, Register, Vector, add, all, and, are_equal, are_less, are_zero, below, bit, bits, byte_of, choose, count,
    for_avx512, meet, only_in, or, select, shift_left, shift_right, sub, without, word_of, word_of_two, words,
    words_mut, wrap, xor, zero,
};
use super::{LaneRound, MOST_DECISIONS};
use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::color::Color;
use crate::rng::Rng;
use crate::rules::{COLOR_ONLY, WinnerTurn};
use crate::seat::{Direction, MAX_SEATS, Seat};
use crate::state::Phase;

/// Bits of the counts of each kind of card: no deck of theirs has more than seven copies.
const PLANES: usize = 3;

/// Whether rules have cards that press the button. A step is compiled for both.
pub(super) trait Buttons {
    const ARE_PRESSED: bool;
}

/// They have.
pub(super) struct Pressed;
/// They have not.
pub(super) struct NotPressed;

impl Buttons for Pressed {
    const ARE_PRESSED: bool = true;
}

impl Buttons for NotPressed {
    const ARE_PRESSED: bool = false;
}

/// Rounds, a lane of every vector each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// Lanes that hold a round.
    in_play: Mask,
    /// By seat; bit-sliced as in [`Cards`].
    hands: [[Vector; PLANES]; MAX_SEATS],
    /// Generators of the players, by seat.
    streams: [Vector; MAX_SEATS],
    pile: [Vector; PLANES],
    pile_len: Vector,
    /// The generator of the cards.
    chance: Vector,
    /// Whose turn it is, or will be once no card is owed.
    seat: Vector,
    /// Penalty cards still to be drawn, and by whom.
    owed: Vector,
    taker: Vector,
    /// The card just drawn that may be played; a bit or nothing.
    drawn: Vector,
    top: Vector,
    color: Vector,
    /// What can follow the top card whatever the colour.
    follows_top: Vector,
    /// Where the word of the top card is dead.
    top_is_dead: Mask,
    /// Where play goes to the right.
    to_right: Mask,
    /// Where a draw four may be challenged, and where it was a bluff.
    challenge: Mask,
    bluff: Mask,
    /// Where the button has been pressed, and a hand is to be rid of its colour, or somebody is to be chosen who draws.
    discard: Mask,
    target: Mask,
    deck: [Vector; PLANES],
    reshuffles: Vector,
    turns: Vector,
    decisions: Vector,
}

impl Group {
    pub(super) const EMPTY: Self = Self {
        in_play: Mask::NONE,
        hands: [[zero(); PLANES]; MAX_SEATS],
        streams: [zero(); MAX_SEATS],
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

    for_avx512! {
        /// One step of every lane but those that have to be taken out, which are given.
        pub(super) fn step<B: Buttons>(&mut self, tables: &LaneTables) -> Mask {
            let owes = !are_zero(self.owed);
            let (discard, target) = if B::ARE_PRESSED { (self.discard, self.target) } else { (Mask::NONE, Mask::NONE) };
            let answers = self.challenge | discard | target;
            let turn = self.in_play & !owes & !answers;
            let too_long = turn & !are_less(self.decisions, all(MOST_DECISIONS as u64));
            let turn = turn & !too_long;
            let actor = choose(owes, self.seat, self.taker);
            let (hand, stream) = self.hand_and_stream(actor, tables.seats);
            let held = or(or(hand[0], hand[1]), hand[2]);

            let mut can_follow = or(self.follows_top, word_of(tables.follows_color, self.color));
            let shames = word_of(tables.shames, self.color);
            let would_bluff = meet(held, shames);
            can_follow = without(can_follow, only_in(would_bluff, all(tables.needs_honesty.0)));
            let mut playable = and(held, can_follow);
            if B::ARE_PRESSED {
                playable = choose(discard, playable, and(held, word_of(tables.of_color, self.color)));
            }
            let can_play = turn & meet(playable, playable);
            let draws = owes | (turn & !can_play);

            let more_than_one = or(or(hand[1], hand[2]), and(hand[0], sub(hand[0], all(1))));
            let last_card = can_play & are_zero(more_than_one);
            let dry = draws & are_zero(self.pile_len);
            if dry.any() {
                return self.refill_dry(dry);
            }

            let num_playable = count(playable);
            let mut choices = choose(self.challenge, shift_left(num_playable, 2), all(2));
            if B::ARE_PRESSED {
                choices = choose(discard, choices, add(num_playable, all(tables.may_keep_all)));
                choices = choose(target, choices, all(tables.seats as u64 - 1));
            }
            let bound = choose(draws, choices, self.pile_len);
            let (number, generator) = below(choose(draws, stream, self.chance), bound);

            let (plane, rank) = self.nth_of_pile(number);
            let word = choose(draws, playable, plane);
            let number_of_card = choose(discard, shift_right(number, 2), number);
            let index = select(word, choose(draws, number_of_card, rank));
            let card = bit(index);

            let printed = byte_of(tables.color, index);
            let effect = byte_of(tables.effect, index);
            let mut unusual = last_card | (can_play & !meet(card, all(tables.usual.0)));
            let mut chance = choose(draws, self.chance, generator);
            let named = meet(printed, all(LaneTables::NAMED as u64));
            let mut color = choose(named, printed, and(number, all(3)));
            let (mut will_discard, mut will_target) = (Mask::NONE, Mask::NONE);
            if B::ARE_PRESSED {
                let (lit, after) = self.press_button(tables);
                let lights = meet(printed, all(LaneTables::LIT as u64));
                color = choose(lights, color, lit);
                let of_lit = word_of(tables.of_color, lit);
                let goes_out = lights & are_zero(without(without(held, of_lit), card)); // or nearly so
                unusual = unusual | (can_play & goes_out);
                let presses = can_play & !unusual & meet(effect, all(LaneTables::BUTTON as u64));
                chance = choose(presses, chance, after);
                will_discard = presses & lights & meet(held, of_lit);
                will_target = presses & are_equal(lit, printed); // DI-03
            }
            let plays = can_play & !unusual;
            let discards = discard & are_less(number, num_playable);
            let lays = plays | discards;
            let chooses = plays | self.challenge | ((discard | target) & !are_equal(bound, all(1)));
            let mut moved = moved_card(hand, only_in(draws | plays, card), only_in(plays, all(!0)));
            if B::ARE_PRESSED {
                for (moved, plane) in moved.iter_mut().zip(hand) {
                    *moved = choose(discards, *moved, and(plane, word_of(tables.of_color, self.color)));
                }
            }
            self.change(actor, tables.seats, moved, only_in(chooses, xor(stream, generator)));
            self.chance = chance;
            let taken = moved_card(self.pile, only_in(draws, card), all(!0));
            for (plane, change) in self.pile.iter_mut().zip(taken) {
                *plane = xor(*plane, change);
            }
            self.pile_len = sub(self.pile_len, only_in(draws, all(1)));

            let begins = turn & are_zero(self.drawn);
            let draws_or_plays = draws | plays;
            self.turns = add(self.turns, only_in(begins & draws_or_plays, all(1)));
            self.decisions = add(self.decisions, only_in((turn & draws_or_plays) | answers, all(1)));
            let fits = turn & draws & meet(card, can_follow);
            self.drawn = choose(unusual, only_in(fits, card), self.drawn);
            let misses = turn & draws & !fits;

            let effect = only_in(plays & !will_target, effect);
            self.color = choose(plays, self.color, color);
            self.top = choose(lays, self.top, index);
            self.top_is_dead = self.top_is_dead & !lays;
            let class = byte_of(tables.class, index);
            self.follows_top = choose(lays, self.follows_top, word_of_two(tables.follows_class, class));

            let left = or(or(xor(hand[0], moved[0]), xor(hand[1], moved[1])), xor(hand[2], moved[2]));
            let bluffs = meet(left, shames);
            let convicted = self.challenge & self.bluff & are_zero(number);
            let wrong = self.challenge & !self.bluff & are_zero(number);
            let accepted_or_wrong = self.challenge & !convicted;

            self.to_right = self.to_right ^ meet(effect, all(LaneTables::REVERSES as u64));
            let end = all(tables.seats as u64);
            let ahead = choose(self.to_right, all(1), all(tables.seats as u64 - 1));
            let victim = add(number, only_in(!are_less(number, self.seat), all(1)));
            let next = wrap(add(choose(target, self.seat, victim), ahead), end);
            let over_next = wrap(add(next, ahead), end);
            let before = wrap(add(self.seat, sub(end, ahead)), end);
            let skips = meet(effect, all(LaneTables::SKIPS as u64));
            let after_conviction = if tables.winner_turn == WinnerTurn::Loses { convicted } else { Mask::NONE };
            let moves_on = plays & !(will_discard | will_target) | misses | accepted_or_wrong | after_conviction;
            let moves_on = moves_on | discard | target;

            let by_challenge = choose(convicted, choose(wrong, all(4), all(tables.wrong_draw)), all(tables.guilty_draw));
            let by_answer = choose(target, by_challenge, all(2));
            let owed = choose(self.challenge | target, and(effect, all(LaneTables::DRAWS as u64)), by_answer);
            self.owed = choose(owes, owed, sub(self.owed, all(1)));
            let to_take = choose(self.challenge, next, choose(convicted, self.seat, before));
            let to_take = choose(target, to_take, victim);
            self.taker = choose(owes, to_take, self.taker);
            self.seat = choose(moves_on, self.seat, choose(skips, next, over_next));
            self.challenge = meet(effect, all(LaneTables::DRAW_FOUR as u64));
            self.bluff = bluffs;
            (self.discard, self.target) = (will_discard, will_target);

            let emptied = draws & are_zero(self.pile_len);
            if emptied.any() {
                self.refill(emptied);
            }
            unusual | too_long
        }

        /// What the seat of each lane holds, and its generator.
        fn hand_and_stream(&self, actor: Vector, seats: usize) -> ([Vector; PLANES], Vector) {
            let (mut hand, mut stream) = ([zero(); PLANES], zero());
            for ((&is_seat, of_seat), &stream_of_seat) in IS_SEAT.iter().zip(&self.hands).zip(&self.streams).take(seats) {
                let is_actor = word_of_two(is_seat, actor);
                for (plane, &of_seat) in hand.iter_mut().zip(of_seat) {
                    *plane = or(*plane, and(is_actor, of_seat));
                }
                stream = or(stream, and(is_actor, stream_of_seat));
            }
            (hand, stream)
        }

        /// Changes these bits of them.
        fn change(&mut self, actor: Vector, seats: usize, hand: [Vector; PLANES], stream: Vector) {
            let of_seats = self.hands.iter_mut().zip(&mut self.streams);
            for (&is_seat, (hand_of_seat, stream_of_seat)) in IS_SEAT.iter().zip(of_seats).take(seats) {
                let is_actor = word_of_two(is_seat, actor);
                for (plane, change) in hand_of_seat.iter_mut().zip(hand) {
                    *plane = xor(*plane, and(is_actor, change));
                }
                *stream_of_seat = xor(*stream_of_seat, and(is_actor, stream));
            }
        }

        /// The number of the colour that the button lights if it is pressed, and the generator of the cards after that.
        fn press_button(&self, tables: &LaneTables) -> (Vector, Vector) {
            let (number, after) = bits(self.chance);
            let past = tables.button.map(|end| only_in(!are_less(number, all(end)), all(1)));
            (add(add(past[0], past[1]), past[2]), after)
        }

        /// Where the card of this number is in the draw pile, as [`Cards::nth`] counts: in which plane, and at what rank.
        fn nth_of_pile(&self, number: Vector) -> (Vector, Vector) {
            let [ones, twos, fours] = self.pile;
            let ones_end = count(ones);
            let above_ones = sub(number, ones_end);
            let twos_end = shift_left(count(twos), 1);
            let above_twos = sub(above_ones, twos_end);
            let in_ones = are_less(number, ones_end);
            let in_twos = are_less(above_ones, twos_end);
            let plane = choose(in_ones, choose(in_twos, fours, twos), ones);
            let rank = choose(in_twos, shift_right(above_twos, 2), shift_right(above_ones, 1));
            (plane, choose(in_ones, rank, number))
        }
    }

    /// Refills the draw piles of lanes that need a card; gives those whose turn it is and who get none. Penalties end
    /// where there is nothing to draw.
    #[cold]
    fn refill_dry(&mut self, dry: Mask) -> Mask {
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

    /// Makes draw piles of what lies under the top cards.
    #[cold]
    fn refill(&mut self, dry: Mask) {
        for lane in dry.lanes() {
            let hands = self.hands.iter().map(|hand| cards_of(hand, lane));
            let mut rest = hands.fold(cards_of(&self.deck, lane), Cards::minus);
            rest.remove(self.top_of(lane));
            put_cards(&mut self.pile, lane, rest);
            words_mut(&mut self.pile_len)[lane] = u64::from(rest.len());
            words_mut(&mut self.reshuffles)[lane] += u64::from(!rest.is_empty());
        }
    }

    fn top_of(&self, lane: usize) -> Card {
        Card::new((words(&self.top)[lane] & 63) as usize)
    }

    #[inline]
    pub(super) fn put(&mut self, lane: usize, round: &LaneRound, tables: &LaneTables) {
        let LaneRound { state, chance, streams, turns, decisions } = round;
        for (seat, stream) in Seat::first(tables.seats).zip(streams) {
            put_cards(&mut self.hands[seat.index()], lane, state.hand(seat));
            words_mut(&mut self.streams[seat.index()])[lane] = stream.state();
        }
        put_cards(&mut self.pile, lane, state.draw_pile);
        put_cards(&mut self.deck, lane, state.deck);
        let is_dead = usize::from(state.followed) == COLOR_ONLY;
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
        set(&mut self.challenge, this, false);
        set(&mut self.discard, this, false);
        set(&mut self.target, this, false);
    }

    #[inline]
    pub(super) fn take(&mut self, lane: usize, round: &mut LaneRound, tables: &LaneTables) {
        let LaneRound { state, chance, streams, turns, decisions } = round;
        self.in_play = self.in_play & !Mask::of(lane);
        let word = |vector: &Vector| words(vector)[lane];
        for (seat, stream) in Seat::first(tables.seats).zip(streams) {
            state.hands[seat.index()] = cards_of(&self.hands[seat.index()], lane);
            *stream = Rng::from_state(word(&self.streams[seat.index()]));
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
            state.followed = if top_is_dead { COLOR_ONLY as u8 } else { state.top.index() as u8 };
            state.draw_pile_len = word(&self.pile_len) as u16;
            state.reshuffles = word(&self.reshuffles) as u16;
            *turns = word(&self.turns) as u32;
            *decisions = word(&self.decisions) as u32;
        }
    }
}

/// By seat: all ones at its number, to look up. (What a comparison gives would be stored by a masked store, from which
/// a load that follows cannot be forwarded.)
static IS_SEAT: [[Register; 2]; MAX_SEATS] = {
    let mut tables: [[Register; 2]; MAX_SEATS] = [bytemuck::must_cast([0_u64; 16]); MAX_SEATS];
    let mut seat = 0;
    while seat < MAX_SEATS {
        let mut is_seat = [0; 16];
        is_seat[seat] = !0_u64;
        tables[seat] = bytemuck::must_cast(is_seat);
        seat += 1;
    }
    tables
};

for_avx512! {
    /// Which bits change when a card goes into a hand, or out of it where `out` is all ones; no card changes nothing.
    fn moved_card(hand: [Vector; PLANES], card: Vector, out: Vector) -> [Vector; PLANES] {
        let [ones, twos, _] = hand;
        let to_twos = and(xor(ones, out), card);
        [card, to_twos, and(xor(twos, out), to_twos)]
    }
}

fn set(mask: &mut Mask, lane: Mask, to: bool) {
    *mask = if to { *mask | lane } else { *mask & !lane };
}

#[inline]
fn cards_of(planes: &[Vector; PLANES], lane: usize) -> Cards {
    let [ones, twos, fours] = planes.each_ref().map(|plane| words(plane)[lane]);
    Cards::of_planes([ones, twos, fours, 0])
}

#[inline]
fn put_cards(planes: &mut [Vector; PLANES], lane: usize, cards: Cards) {
    for (plane, word) in planes.iter_mut().zip(cards.planes()) {
        words_mut(plane)[lane] = word;
    }
}
