//! The step that all rounds of a [`Group`] take at once.

use super::super::vector::{
    Mask, Vector, add, all, and, are_equal, are_less, are_zero, below, bit, bits, byte_of, choose, columns_at, count,
    meet, only_in, or, scatter_columns, select, shift_left, shift_right, sub, without, word_of, word_of_two, wrap, xor,
};
use super::group::{Group, PLANES};
use super::tables::SimdTables;

use super::super::for_instructions;
use crate::fast::simd::batch_round::MOST_DECISIONS;
use crate::rules::WinnerTurn;

impl Group {
    for_instructions! {
        /// One step of every lane except those that have to be taken out, which are returned. It is compiled for rules with
        /// cards that press the button, and for rules without such cards.
        pub(super) fn step<const HAS_BUTTON: bool>(&mut self, tables: &SimdTables) -> Mask {
            // The lanes by their next action, and the playable cards.
            let owes = !are_zero(self.owed);
            let (discard, target) = if HAS_BUTTON { (self.discard, self.target) } else { (Mask::NONE, Mask::NONE) };
            let answers = self.challenge | discard | target;
            let turn = self.in_play & !owes & !answers;
            let too_long = turn & !are_less(self.decisions, all(MOST_DECISIONS as u64));
            let turn = turn & !too_long;
            let actor = choose(owes, self.seat, self.taker);
            let [ones, twos, fours, stream] = columns_at::<HAS_BUTTON>(&self.seats, actor);
            let hand = [ones, twos, fours];
            let held = or(or(hand[0], hand[1]), hand[2]);

            let mut can_follow = or(self.follows_top, word_of(&tables.follows_color, self.color));
            let blocks_legitimate_draw_four = word_of(&tables.blocks_legitimate_draw_four, self.color);
            let would_bluff = meet(held, blocks_legitimate_draw_four);
            can_follow = without(can_follow, only_in(would_bluff, all(tables.needs_honesty.0)));
            let mut playable = and(held, can_follow);
            if HAS_BUTTON {
                playable = choose(discard, playable, and(held, word_of(&tables.of_color, self.color)));
            }
            let can_play = turn & meet(playable, playable);
            let draws = owes | (turn & !can_play);

            let more_than_one = or(or(hand[1], hand[2]), and(hand[0], sub(hand[0], all(1))));
            let last_card = can_play & are_zero(more_than_one);
            let dry = draws & are_zero(self.pile_len);
            if dry.any() {
                return self.refill_dry(dry);
            }

            // One random number: the card of the draw pile, the playable card, or the answer.
            let num_playable = count(playable);
            let mut choices = choose(self.challenge, shift_left(num_playable, 2), all(2));
            if HAS_BUTTON {
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

            // The printed effect, and the color of the button.
            let printed = byte_of(&tables.color, index);
            let effect = byte_of(&tables.effect, index);
            let mut unusual = last_card | (can_play & !meet(card, all(tables.usual.0)));
            let mut chance = choose(draws, self.chance, generator);
            let named = meet(printed, all(SimdTables::NAMED as u64));
            let mut color = choose(named, printed, and(number, all(3)));
            let (mut will_discard, mut will_target) = (Mask::NONE, Mask::NONE);
            if HAS_BUTTON {
                let (lit, after) = self.press_button(tables);
                let lights = meet(printed, all(SimdTables::LIT as u64));
                color = choose(lights, color, lit);
                let of_lit = word_of(&tables.of_color, lit);
                let goes_out = lights & are_zero(without(without(held, of_lit), card)); // or almost over
                unusual = unusual | (can_play & goes_out);
                let presses = can_play & !unusual & meet(effect, all(SimdTables::BUTTON as u64));
                chance = choose(presses, chance, after);
                will_discard = presses & lights & meet(held, of_lit);
                will_target = presses & are_equal(lit, printed); // DI-03
            }
            // Move the cards.
            let plays = can_play & !unusual;
            let discards = discard & are_less(number, num_playable);
            let lays = plays | discards;
            let chooses = plays | self.challenge | ((discard | target) & !are_equal(bound, all(1)));
            let mut moved = moved_card(hand, only_in(draws | plays, card), only_in(plays, all(!0)));
            if HAS_BUTTON {
                for (moved, plane) in moved.iter_mut().zip(hand) {
                    *moved = choose(discards, *moved, and(plane, word_of(&tables.of_color, self.color)));
                }
            }
            let [ones, twos, fours] = [xor(hand[0], moved[0]), xor(hand[1], moved[1]), xor(hand[2], moved[2])];
            scatter_columns(&mut self.seats, actor, [ones, twos, fours, choose(chooses, stream, generator)]);
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
            let class = byte_of(&tables.class, index);
            self.follows_top = choose(lays, self.follows_top, word_of_two(&tables.follows_class, class));

            // The next turn, and the seat that draws.
            let bluffs = meet(or(or(ones, twos), fours), blocks_legitimate_draw_four);
            let convicted = self.challenge & self.bluff & are_zero(number);
            let wrong = self.challenge & !self.bluff & are_zero(number);
            let accepted_or_wrong = self.challenge & !convicted;

            self.to_right = self.to_right ^ meet(effect, all(SimdTables::REVERSES as u64));
            let end = all(tables.seats as u64);
            let ahead = choose(self.to_right, all(1), all(tables.seats as u64 - 1));
            let victim = add(number, only_in(!are_less(number, self.seat), all(1)));
            let next = wrap(add(choose(target, self.seat, victim), ahead), end);
            let over_next = wrap(add(next, ahead), end);
            let before = wrap(add(self.seat, sub(end, ahead)), end);
            let skips = meet(effect, all(SimdTables::SKIPS as u64));
            let after_conviction = if tables.winner_turn == WinnerTurn::Loses { convicted } else { Mask::NONE };
            let moves_on = plays & !(will_discard | will_target) | misses | accepted_or_wrong | after_conviction;
            let moves_on = moves_on | discard | target;

            let by_challenge = choose(convicted, choose(wrong, all(4), all(tables.wrong_draw)), all(tables.guilty_draw));
            let by_answer = choose(target, by_challenge, all(2));
            let owed = choose(self.challenge | target, and(effect, all(SimdTables::DRAWS as u64)), by_answer);
            self.owed = choose(owes, owed, sub(self.owed, all(1)));
            let to_take = choose(self.challenge, next, choose(convicted, self.seat, before));
            let to_take = choose(target, to_take, victim);
            self.taker = choose(owes, to_take, self.taker);
            self.seat = choose(moves_on, self.seat, choose(skips, next, over_next));
            self.challenge = meet(effect, all(SimdTables::DRAW_FOUR as u64));
            self.bluff = bluffs;
            (self.discard, self.target) = (will_discard, will_target);

            let emptied = draws & are_zero(self.pile_len);
            if emptied.any() {
                self.refill(emptied);
            }
            unusual | too_long
        }

        /// The number of the color that the button lights if it is pressed, and the generator of the cards after that.
        fn press_button(&self, tables: &SimdTables) -> (Vector, Vector) {
            let (number, after) = bits(self.chance);
            let past = tables.button.map(|end| only_in(!are_less(number, all(end)), all(1)));
            (add(add(past[0], past[1]), past[2]), after)
        }

        /// The position of the card of this number in the draw pile, as [`Cards::nth`] counts: its plane and its rank.
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
}

for_instructions! {
    /// The bits that change when a card enters a hand, or leaves it if `out` is all ones. Without a card, no bit changes.
    fn moved_card(hand: [Vector; PLANES], card: Vector, out: Vector) -> [Vector; PLANES] {
        let [ones, twos, _] = hand;
        let to_twos = and(xor(ones, out), card);
        [card, to_twos, and(xor(twos, out), to_twos)]
    }
}
