//! The certain knowledge of each seat about every other hand: cards seen or formerly held, without deductions by counting.

use super::Code;
use super::round::Model;

impl Model {
    /// The certain knowledge of `by` about the hand of `of`, in any order.
    pub fn known(&self, by: usize, of: usize) -> &[Code] {
        if by == of { &self.hands[of] } else { &self.known[by][of] }
    }

    /// `by` is shown the whole hand of `of`.
    pub(super) fn shown(&mut self, by: usize, of: usize) {
        self.known[by][of] = self.hands[of].clone();
    }

    /// A card has left a hand in view of every player.
    pub(super) fn card_left(&mut self, of: usize, card: Code) {
        for by in 0..self.seats {
            if let Some(place) = self.known[by][of].iter().position(|c| *c == card) {
                self.known[by][of].remove(place);
            }
        }
    }

    /// A card has moved from one hand to another; the two seats saw it. For every other player it may have been any card of
    /// the hand, so of every card known there one copy fewer is certain.
    pub(super) fn card_moved(&mut self, from: usize, to: usize, card: Code) {
        for by in 0..self.seats {
            if by == from {
                self.known[by][to].push(card);
            } else if by == to {
                if let Some(place) = self.known[by][from].iter().position(|c| *c == card) {
                    self.known[by][from].remove(place);
                }
            } else {
                let mut certain = Vec::new();
                let mut left_out = Vec::new();
                for known in &self.known[by][from] {
                    if left_out.contains(known) {
                        certain.push(*known);
                    } else {
                        left_out.push(*known);
                    }
                }
                self.known[by][from] = certain;
            }
        }
    }

    /// All hands were shuffled: no card of another hand is certain.
    pub(super) fn forget_all_hands(&mut self) {
        for known_by in &mut self.known {
            for known in known_by {
                known.clear();
            }
        }
    }

    /// Every player looks at the hand in front of them.
    pub(super) fn look_at_own_hands(&mut self) {
        for seat in 0..self.seats {
            self.known[seat][seat] = self.hands[seat].clone();
        }
    }

    /// The hands move: `moves` lists (from, to). Knowledge of a hand moves with it. Before a move every player, except during
    /// a lap, has looked at the hand, and so knows it in its new place.
    pub(super) fn move_hands(&mut self, moves: &[(usize, usize)]) {
        let hands = self.hands.clone();
        let known = self.known.clone();
        for (from, to) in moves {
            self.hands[*to] = hands[*from].clone();
            for (by, known_by) in known.iter().enumerate() {
                self.known[by][*to] = known_by[*from].clone();
            }
        }
    }

    /// Two seats exchange hands, and look at their new hands.
    pub(super) fn swap_hands(&mut self, one: usize, other: usize) {
        self.look_at_own_hands();
        self.move_hands(&[(one, other), (other, one)]);
        self.look_at_own_hands();
    }

    /// All hands move one seat in the direction of play; no player has looked at them yet.
    pub(super) fn pass_hands_on(&mut self) {
        let mut moves = Vec::new();
        for seat in 0..self.seats {
            if self.playing[seat] {
                moves.push((seat, self.next_seat(seat)));
            }
        }
        self.move_hands(&moves);
    }

    /// A rotation of all hands, which all players look at.
    pub(super) fn rotate_hands(&mut self) {
        self.look_at_own_hands();
        self.pass_hands_on();
        self.look_at_own_hands();
    }
}
