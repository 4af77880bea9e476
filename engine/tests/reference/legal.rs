//! Playable cards and legal actions.

use super::Code;
use super::moves::Move;
use super::round::{Model, Phase, Why};
use super::rules::{COLORS, color_of, is_draw_four, is_draw_two, is_wild};

impl Model {
    /// Whether a card matches the top card, ignoring the condition of draw fours (section 1.4).
    fn fits(&self, card: Code) -> bool {
        if let Some(custom) = self.variant.custom(card) {
            if custom.matches == "any" || (is_wild(card) && custom.matches == "color") {
                return true;
            }
        } else if is_wild(card) {
            return true;
        }
        if !is_wild(card) && color_of(card) == self.color {
            return true;
        }
        for face in self.variant.faces(self.top()) {
            let is_digit = face.parse::<usize>().is_ok();
            if self.dead_word && !is_digit {
                continue; // DI-29: dead after a protection; DI-31: but not a number
            }
            if self.variant.faces(card).any(|own| own == face) {
                return true;
            }
        }
        false
    }

    /// Whether a draw four may honestly be played, with `rest` the hand without it.
    fn draw_four_is_honest(&self, rest: &[Code]) -> bool {
        match self.variant.draw_four_legality.as_str() {
            "any" => true,
            "no_color" => {
                // the color in force; X-11: wilds don't matter; WK-02: Cheese Touch is yellow
                !rest.iter().any(|card| !is_wild(card) && color_of(card) == self.color)
            }
            "no_match" => !rest.iter().any(|card| !is_wild(card) && self.fits(card)),
            _ => !rest.iter().any(|card| !is_draw_four(card) && self.fits(card)),
        }
    }

    fn without(&self, seat: usize, card: Code) -> Vec<Code> {
        let mut rest = self.hands[seat].clone();
        let place = rest.iter().position(|c| *c == card).expect("the card is held");
        rest.remove(place);
        rest
    }

    /// Whether the card matches without a bluff.
    fn legitimately_playable(&self, seat: usize, card: Code) -> bool {
        if !self.fits(card) {
            return false;
        }
        !is_draw_four(card) || self.draw_four_is_honest(&self.without(seat, card))
    }

    /// Whether the card may be played, possibly as a bluff.
    pub(super) fn playable(&self, seat: usize, card: Code) -> bool {
        self.may_bluff_with(card) || self.legitimately_playable(seat, card)
    }

    fn may_bluff_with(&self, card: Code) -> bool {
        is_draw_four(card) && self.variant.draw_four_enforcement == "bluff"
    }

    pub(super) fn guilty(&self, seat: usize, card: Code) -> bool {
        !self.draw_four_is_honest(&self.without(seat, card))
    }

    /// The cards of the hand that may answer the draw card on top (house.stacking).
    pub(super) fn stack_answers(&self, seat: usize) -> Vec<Code> {
        let mut answers = Vec::new();
        for card in &self.hands[seat] {
            if self.variant.stacking == "equal_or_higher" {
                let asked = self.variant.stack_value(self.top()).expect("a draw card is on top");
                if self.variant.stack_value(card).is_some_and(|value| value >= asked) {
                    answers.push(*card);
                }
                continue;
            }
            let draw_card = is_draw_two(card) || *card == "W4";
            let same_kind = is_draw_two(card) == is_draw_two(self.top());
            if draw_card && (same_kind || self.variant.stacking == "any_draw") {
                answers.push(*card);
            }
        }
        answers
    }

    fn turn_actions(&self, seat: usize) -> Vec<Move> {
        let mut actions = Vec::new();
        let mut honest = false;
        let mut match_held = false;
        for card in &self.hands[seat] {
            let honestly = self.legitimately_playable(seat, card);
            if honestly || self.may_bluff_with(card) {
                actions.push(Move::Play(card, None));
            }
            if honestly {
                honest = true;
                if !is_wild(card) {
                    match_held = true;
                }
            }
        }
        if !self.can_draw() {
            if !honest {
                actions.push(Move::Pass);
            }
            return actions;
        }
        let may_draw = match self.variant.turn_draw.as_str() {
            "always" => true,
            "no_match" => !match_held, // DI-26: wilds never have to be played
            _ => !honest,
        };
        if may_draw {
            actions.push(Move::Draw);
        }
        actions
    }

    fn drawn_actions(&self, seat: usize, card: Code) -> Vec<Move> {
        let mut actions = vec![Move::Play(card, None)];
        // a draw four that could only be played as a bluff never has to be played
        if self.variant.drawn_card == "may" || !self.legitimately_playable(seat, card) {
            actions.push(Move::Keep);
        }
        actions
    }

    /// The legal actions of the ordinary decision, sorted; a play that names a color appears once, without the color.
    pub fn legal(&self) -> Vec<Move> {
        let mut actions = Vec::new();
        match &self.phase {
            Phase::Turn(seat) => actions = self.turn_actions(*seat),
            Phase::Drawn(seat, card) => actions = self.drawn_actions(*seat, card),
            Phase::StartColor(_) | Phase::LapColor(_) | Phase::EffectColor(_) => {
                for color in COLORS {
                    actions.push(Move::Color(color));
                }
            }
            Phase::Challenge { by, card, poll, .. } => {
                actions.push(Move::Challenge);
                actions.push(Move::Accept);
                // stacking: only the victim may also answer
                if self.variant.stacking != "off" && *card == "W4" && poll[0] == self.next_seat(*by) {
                    for answer in self.stack_answers(poll[0]) {
                        actions.push(Move::Play(answer, None));
                    }
                }
            }
            Phase::Cheese(seat) => {
                for card in &self.hands[*seat] {
                    if color_of(card) == Some('y') {
                        actions.push(Move::Play(card, None)); // WK-05, WK-06, WK-07
                    }
                }
                if actions.is_empty() || self.variant.cheese_may_refuse {
                    actions.push(Move::Take); // WK-08
                }
            }
            Phase::Swap(seat, why) => {
                for other in self.others(*seat) {
                    actions.push(Move::Swap(other)); // SW-13: the partner too
                }
                if *why != Why::Seven && self.variant.swap_optional {
                    actions.push(Move::NoSwap); // SW-07
                }
            }
            Phase::Lap { .. } => {
                actions.push(Move::KeepHand);
                actions.push(Move::Rotate);
            }
            Phase::Target(seat, _) => {
                for other in self.others(*seat) {
                    actions.push(Move::Target(other)); // DI-02
                }
            }
            Phase::Choice(_, options) => {
                for option in 0..options.len() {
                    actions.push(Move::Choose(option));
                }
            }
            Phase::Discard(seat, color) => {
                for card in &self.hands[*seat] {
                    if color_of(card) == Some(*color) {
                        actions.push(Move::DiscardAll(card)); // DI-19: this one on top
                    }
                }
                if self.variant.discard_all_choice == "all_or_none" {
                    actions.push(Move::DiscardNone); // DI-18
                }
            }
            Phase::Protect { left, .. } => {
                for card in &self.hands[left[0]] {
                    if color_of(card) == self.color {
                        actions.push(Move::Protect(card)); // DI-06, DI-35
                    }
                }
            }
            Phase::Stack(seat, _) => {
                for answer in self.stack_answers(*seat) {
                    actions.push(Move::Play(answer, None));
                }
                actions.push(Move::Draw);
            }
            Phase::Over => {}
        }
        actions.sort();
        actions.dedup();
        actions
    }

    /// House rule: an identical colored card out of turn, while the turn after a play is open and unanswered.
    pub(super) fn may_jump_in(&self, seat: usize) -> bool {
        let Phase::Turn(to_act) = &self.phase else {
            return false;
        };
        let top = self.top();
        self.variant.jump_in
            && self.fresh
            && seat != *to_act
            && self.playing[seat]
            && !is_wild(top)
            && self.hands[seat].contains(&top)
    }
}
