//! The effect of each card, and the decisions that follow from it.

use super::custom::changes_own_hand;
use super::round::{Model, Phase, Why};
use super::rules::{Effect, color_of, is_draw_four, is_wild};
use super::{Code, Fate};

impl Model {
    /// Removes one copy from the hand and puts it on the discard pile.
    pub(super) fn push_on_pile(&mut self, seat: usize, card: Code) {
        let place = self.hands[seat].iter().position(|c| *c == card).expect("the card is held");
        self.hands[seat].remove(place);
        self.discard.push(card);
    }

    /// Plays a card; `sum` cards are already stacked.
    pub(super) fn lay(
        &mut self,
        seat: usize,
        card: Code,
        color: Option<char>,
        sum: usize,
        drawn: bool,
        fate: &mut dyn Fate,
    ) {
        let answer = sum > 0;
        // SW-14: a bluff is judged now, by the color before the card
        let guilty = is_draw_four(card) && self.guilty(seat, card);
        self.push_on_pile(seat, card);
        if !drawn {
            // all seats know that a played drawn card is the one just drawn
            self.card_left(seat, card);
        }
        self.dead_word = false;
        if color.is_some() {
            self.color = color;
        } else if !is_wild(card) {
            self.color = color_of(card);
        }
        if self.hands[seat].is_empty() {
            self.play_last(seat, card, sum, fate);
            return;
        }
        if !self.judged_later(card) {
            self.judge_call(seat);
        }
        let next = self.next_seat(seat);
        if let Some(custom) = self.variant.custom(card) {
            let reverses = custom.effects.contains(&Effect::Reverse);
            match self.variant.stack_value(card) {
                Some(value) if self.variant.stacking == "equal_or_higher" => {
                    self.to_the_left ^= reverses;
                    self.stack_comes_to(self.next_seat(seat), sum + value, fate);
                }
                _ => self.start_custom(seat, card, false, fate),
            }
            return;
        }
        match card {
            "W" => self.turn_comes_to(next),
            "W4" => self.play_draw_four(seat, guilty, answer, sum, fate),
            "WV" => self.play_villain(seat, guilty, fate),
            "WS" => self.phase = Phase::Swap(seat, Why::SwapHands),
            "WL" => {
                // CA-06: the first pass is compulsory
                self.look_at_own_hands();
                self.open.clear();
                self.phase = Phase::Lap { seat, passes: 0 };
                self.lap_on(seat, fate);
            }
            "WA" => {
                let color = fate.tinker(self.variant.tinker_weights);
                self.color = Some(color); // DI-20
                if self.hands[seat].iter().any(|c| color_of(c) == Some(color)) {
                    self.phase = Phase::Discard(seat, color);
                } else {
                    self.judge_call(seat);
                    self.turn_comes_to(next);
                }
            }
            _ => match &card[1..] {
                "S" => self.turn_comes_to(self.seat_after(seat, 2)),
                "R" => {
                    if self.two_players() && self.variant.two_player_reverse == "skip" {
                        self.turn_comes_to(seat); // WK-14: as a Skip
                    } else {
                        self.to_the_left = !self.to_the_left;
                        self.turn_comes_to(self.next_seat(seat));
                    }
                }
                "D" => self.play_draw_two(seat, card, sum, fate),
                "C" => {
                    self.draw_cards(next, 2, fate);
                    if self.is_full(next) {
                        self.turn_comes_to(self.next_seat(next));
                    } else {
                        self.phase = Phase::Cheese(next);
                    }
                }
                "7" if self.variant.seven_zero => self.phase = Phase::Swap(seat, Why::Seven),
                "0" if self.variant.seven_zero => {
                    self.rotate_hands();
                    self.judge_all_players();
                    self.turn_comes_to(next);
                }
                _ => self.turn_comes_to(next),
            },
        }
    }

    /// Whether the call is judged only after the card's effect (SW-10, CA-08, DI-24), because the card changes its player's
    /// hand.
    pub(super) fn judged_later(&self, card: Code) -> bool {
        if let Some(custom) = self.variant.custom(card) {
            return changes_own_hand(&custom.effects);
        }
        if is_wild(card) {
            return card == "WS" || card == "WL" || card == "WA";
        }
        self.variant.seven_zero && (&card[1..] == "7" || &card[1..] == "0")
    }

    pub(super) fn judge_all_players(&mut self) {
        for seat in self.seats_in() {
            self.judge_call(seat);
        }
    }

    /// Going out (section 1.9): no decisions and no color; only draws still happen.
    fn play_last(&mut self, seat: usize, card: Code, sum: usize, fate: &mut dyn Fate) {
        self.last_card_laid = true;
        if is_wild(card) {
            self.color = None;
        }
        let next = self.next_seat(seat);
        if self.variant.custom(card).is_some() {
            match self.variant.stack_value(card) {
                Some(value) if self.variant.stacking == "equal_or_higher" => {
                    self.draw_cards(next, value + sum, fate);
                    self.end(Some(seat));
                }
                _ => self.start_custom(seat, card, true, fate),
            }
            return;
        }
        match card {
            "W4" => self.draw_cards(next, 4 + sum, fate),
            "WV" if self.variant.villain_last_card == "full" => {
                // The button and protections, without a challenge. The round continues until every player has answered
                // (DI-08, X-07).
                self.last_card_laid = false;
                self.close_all_if_somebody_is_out(seat);
                self.press_for_villain(seat, None, fate);
                return;
            }
            "WV" => self.draw_cards(next, 4, fate), // DI-16
            _ if is_wild(card) => {}                // SW-09, CA-03, DI-23
            _ if &card[1..] == "D" => self.draw_cards(next, 2 + sum, fate), // DI-17: no button
            _ if &card[1..] == "C" && self.variant.cheese_last_card == "draw" => {
                self.draw_cards(next, 2, fate);
            }
            _ => {} // X-16, WK-11
        }
        self.end(Some(seat));
    }

    // ---- Draw Two ----

    fn play_draw_two(&mut self, seat: usize, card: Code, sum: usize, fate: &mut dyn Fate) {
        let next = self.next_seat(seat);
        if self.variant.draw_two_target == "tinker" {
            self.press_for_draw_two(seat, card, fate);
        } else if self.variant.stacking != "off" {
            self.stack_comes_to(next, sum + 2, fate);
        } else {
            self.draw_cards(next, 2, fate);
            self.turn_comes_to(self.next_seat(next));
        }
    }

    /// The button after a Draw Two of `player`, or of the first player for a start card (DI-01).
    pub(super) fn press_for_draw_two(&mut self, player: usize, card: Code, fate: &mut dyn Fate) {
        let button = fate.tinker(self.variant.tinker_weights);
        if Some(button) == color_of(card) {
            self.phase = Phase::Target(player, Why::DrawTwo);
        } else {
            self.draw_two_hits(player, self.next_seat(player), fate);
        }
    }

    fn draw_two_hits(&mut self, player: usize, victim: usize, fate: &mut dyn Fate) {
        self.draw_cards(victim, 2, fate);
        if self.variant.tinker_resume == "after_victim" {
            self.turn_comes_to(self.next_seat(victim)); // DI-03
        } else {
            self.debts[victim] += 1;
            self.turn_comes_to(self.next_seat(player));
        }
    }

    pub(super) fn target(&mut self, seat: usize, chosen: usize, fate: &mut dyn Fate) {
        if self.phase == Phase::Target(seat, Why::Custom) {
            let mut run = self.custom.take().expect("a custom card is being settled");
            run.chosen = Some(chosen);
            self.run_custom(run, fate);
        } else {
            self.draw_two_hits(seat, chosen, fate);
        }
    }

    // ---- Wild Draw Four, stacking ----

    fn play_draw_four(&mut self, seat: usize, guilty: bool, answer: bool, sum: usize, fate: &mut dyn Fate) {
        let next = self.next_seat(seat);
        let poll = self.challengers(seat);
        if !answer && !poll.is_empty() {
            self.phase = Phase::Challenge { by: seat, card: "W4", guilty, poll };
        } else if self.variant.stacking != "off" {
            self.stack_comes_to(next, sum + 4, fate);
        } else {
            self.draw_cards(next, 4, fate);
            self.turn_comes_to(self.next_seat(next));
        }
    }

    /// The seats that may challenge, in order of play; empty if a bluff is impossible.
    fn challengers(&self, by: usize) -> Vec<usize> {
        if self.variant.draw_four_enforcement == "engine" {
            return Vec::new();
        }
        match self.variant.challenge_who.as_str() {
            "none" => Vec::new(),
            "victim" => vec![self.next_seat(by)],
            _ => self.others(by), // DI-11
        }
    }

    /// The victim must draw the sum, and is asked only if an answer is possible.
    fn stack_comes_to(&mut self, victim: usize, sum: usize, fate: &mut dyn Fate) {
        if self.stack_answers(victim).is_empty() {
            self.draw_cards(victim, sum, fate);
            self.turn_comes_to(self.next_seat(victim));
        } else {
            self.phase = Phase::Stack(victim, sum);
        }
    }

    // ---- challenges ----

    pub(super) fn accept(&mut self, fate: &mut dyn Fate) {
        let Phase::Challenge { by, card, guilty, mut poll } = self.phase.clone() else {
            panic!("no challenge is open");
        };
        poll.remove(0);
        if !poll.is_empty() {
            self.phase = Phase::Challenge { by, card, guilty, poll };
        } else if card == "W4" {
            self.draw_four_hits(by, fate);
        } else {
            self.press_for_villain(by, None, fate);
        }
    }

    fn draw_four_hits(&mut self, by: usize, fate: &mut dyn Fate) {
        let victim = self.next_seat(by);
        self.draw_cards(victim, 4, fate);
        self.turn_comes_to(self.next_seat(victim));
    }

    pub(super) fn challenge(&mut self, challenger: usize, fate: &mut dyn Fate) {
        let Phase::Challenge { by, card, guilty, .. } = self.phase.clone() else {
            panic!("no challenge is open");
        };
        let victim = self.next_seat(by);
        self.shown(challenger, by);
        if guilty {
            self.draw_cards(by, self.variant.guilty_draw, fate);
            if card == "WV" {
                // DI-13: no other player draws; the button only sets the color
                self.color = Some(fate.tinker(self.variant.tinker_weights));
                self.turn_comes_to(victim);
            } else if challenger == victim && self.variant.winner_turn == "loses" {
                self.turn_comes_to(self.next_seat(victim));
            } else {
                self.turn_comes_to(victim); // X-12; WK-18: the named color stands
            }
            return;
        }
        self.draw_cards(challenger, self.variant.wrong_draw, fate);
        if card == "WV" {
            self.press_for_villain(by, Some(challenger), fate); // DI-14: instead of the four cards
        } else if challenger == victim {
            self.turn_comes_to(self.next_seat(victim));
        } else {
            self.draw_four_hits(by, fate);
        }
    }

    // ---- Villain Draw 4 ----

    fn play_villain(&mut self, seat: usize, guilty: bool, fate: &mut dyn Fate) {
        let poll = self.challengers(seat);
        if poll.is_empty() {
            self.press_for_villain(seat, None, fate);
        } else {
            // DI-15: before the button
            self.phase = Phase::Challenge { by: seat, card: "WV", guilty, poll };
        }
    }

    fn press_for_villain(&mut self, by: usize, exempt: Option<usize>, fate: &mut dyn Fate) {
        self.color = Some(fate.tinker(self.variant.tinker_weights)); // DI-05
        let mut left = self.others(by); // DI-32
        left.retain(|seat| Some(*seat) != exempt);
        self.protect_on(by, left, fate);
    }

    /// One seat after the other plays a card of the color, or draws four if it has none.
    fn protect_on(&mut self, by: usize, left: Vec<usize>, fate: &mut dyn Fate) {
        let mut left = left;
        while !left.is_empty() {
            let seat = left[0];
            if self.hands[seat].iter().any(|card| color_of(card) == self.color) {
                self.phase = Phase::Protect { by, left };
                return;
            }
            self.draw_cards(seat, 4, fate);
            left.remove(0);
        }
        if self.hands[by].is_empty() {
            self.end(Some(by)); // villain_draw_four.last_card = full: this player is first
            return;
        }
        for seat in self.others(by) {
            if self.hands[seat].is_empty() {
                self.end(Some(seat)); // DI-07, DI-08
                return;
            }
        }
        self.turn_comes_to(self.next_seat(by)); // DI-10
    }

    pub(super) fn protect(&mut self, seat: usize, card: Code, fate: &mut dyn Fate) {
        let Phase::Protect { by, mut left } = self.phase.clone() else {
            panic!("no protection is expected");
        };
        self.push_on_pile(seat, card);
        self.card_left(seat, card);
        self.dead_word = true; // DI-29, DI-36
        self.judge_call(seat); // DI-09
        self.close_all_if_somebody_is_out(by);
        left.remove(0);
        self.protect_on(by, left, fate);
    }

    // ---- Wild Discard All ----

    pub(super) fn discard_all(&mut self, seat: usize, top: Code) {
        let color = color_of(top);
        let mut cards = Vec::new();
        for card in self.hands[seat].clone() {
            if color_of(card) == color {
                cards.push(card);
            }
        }
        let place = cards.iter().position(|card| *card == top).expect("the card is held");
        cards.remove(place);
        cards.push(top);
        for card in cards {
            self.push_on_pile(seat, card);
            self.card_left(seat, card);
        }
        if self.hands[seat].is_empty() {
            self.end(Some(seat)); // DI-22, DI-25: commands have no effect
            return;
        }
        self.judge_call(seat); // DI-24
        self.turn_comes_to(self.next_seat(seat));
    }

    // ---- hands that change places ----

    pub(super) fn chosen_swap(&mut self, seat: usize, other: Option<usize>, fate: &mut dyn Fate) {
        let Phase::Swap(_, why) = self.phase.clone() else {
            panic!("no swap is expected");
        };
        if let Some(other) = other {
            self.swap_hands(seat, other);
            self.judge_call(seat);
            self.judge_call(other); // SW-11
        } else if why != Why::Start {
            self.judge_call(seat); // SW-10
        }
        match why {
            Why::Custom => {
                let mut run = self.custom.take().expect("a custom card is being settled");
                run.judged = true;
                self.run_custom(run, fate);
            }
            Why::Start => self.turn_comes_to(seat),        // SW-06
            _ => self.turn_comes_to(self.next_seat(seat)), // SW-35
        }
    }

    /// Victory Lap: all hands move one seat (CA-20: in the direction of play); the player of the card looks at the new hand.
    pub(super) fn lap_on(&mut self, seat: usize, fate: &mut dyn Fate) {
        let Phase::Lap { passes, .. } = self.phase.clone() else {
            panic!("no lap is on");
        };
        let passes = passes + 1;
        self.pass_hands_on();
        self.known[seat][seat] = self.hands[seat].clone(); // CA-17
        if passes == self.seats_in().len() {
            self.end_lap(seat, fate); // the player's own hand has returned
        } else {
            self.phase = Phase::Lap { seat, passes };
        }
    }

    pub(super) fn end_lap(&mut self, seat: usize, fate: &mut dyn Fate) {
        self.look_at_own_hands();
        self.judge_call(seat); // CA-07: only this player; CA-11: also for the original single card
        self.phase = Phase::LapColor(seat);
        if self.variant.lap_penalty && self.open.contains(&seat) {
            self.open.retain(|s| *s != seat); // CA-10: without a catch
            self.draw_cards(seat, self.variant.uno_penalty, fate);
        }
    }

    pub(super) fn color_was_named(&mut self, seat: usize, fate: &mut dyn Fate) {
        match self.phase {
            Phase::StartColor(_) if self.top() == "WS" => self.phase = Phase::Swap(seat, Why::Start),
            Phase::StartColor(_) => self.turn_comes_to(seat),
            Phase::EffectColor(_) => {
                let run = self.custom.take().expect("a custom card is being settled");
                self.run_custom(run, fate);
            }
            _ => self.turn_comes_to(self.next_seat(seat)),
        }
    }
}
