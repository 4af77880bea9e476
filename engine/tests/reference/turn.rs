//! What an action does.

use super::custom::changes_own_hand;
use super::round::{Model, Phase};
use super::rules::{COLORS, Effect, is_wild};
use super::uno::Step;
use super::{Code, Fate, code};

impl Model {
    /// A seat acts. An error leaves the model unchanged (and has asked nothing of chance).
    pub fn apply(&mut self, seat: usize, action: &str, fate: &mut dyn Fate) -> Result<(), String> {
        if seat >= self.seats || !self.playing[seat] {
            return Err(format!("seat {seat} does not take part"));
        }
        let words: Vec<&str> = action.split_whitespace().collect();
        let text = words.join(" ");
        let mut after = self.clone();
        after.owes_now.clear();
        if let Some(plain) = text.strip_suffix(" uno") {
            self.check_suffix(seat, plain)?;
            after.early_call = Some(seat);
            after.open.retain(|s| *s != seat);
            after.perform(seat, plain, fate)?;
        } else {
            after.perform(seat, &text, fate)?;
        }
        after.tidy_windows();
        // an early call waits only as long as its player's own card is being settled
        let waiting =
            matches!(after.phase, Phase::Swap(..) | Phase::Lap { .. } | Phase::Discard(..) | Phase::Target(..));
        if !waiting || after.decision().map(|(seat, _)| seat) != after.early_call {
            after.early_call = None;
        }
        *self = after;
        Ok(())
    }

    /// The suffix ` uno` is refused unless one card results; only where that is not known yet it is kept.
    fn check_suffix(&self, seat: usize, plain: &str) -> Result<(), String> {
        if !self.variant.uno_explicit {
            return Err("calls are automatic".to_string());
        }
        let mut trial = self.clone();
        trial.owes_now.clear();
        trial.perform(seat, plain, &mut Whatever)?;
        let words: Vec<&str> = plain.split(' ').collect();
        if words[0] == "play" && self.hands[seat].len() > 1 {
            // A hand that is known beforehand is judged at once; one that is not, when it has come.
            let card = code(words[1]);
            let only_rotates = match self.variant.custom(card) {
                Some(custom) => custom.effects == [Effect::RotateHands],
                None => !is_wild(card) && &card[1..] == "0",
            };
            if self.judged_later(card) && !only_rotates {
                return Ok(()); // SW-10, CA-08, DI-24
            }
        }
        if let Some(run) = &self.custom
            && !run.last
            && ["swap", "no-swap", "target"].contains(&words[0])
            && changes_own_hand(&run.left)
        {
            return Ok(()); // what will be left is not known yet
        }
        if words[0] == "target" && self.custom.is_some() && self.judged_later(self.top()) && self.hands[seat].len() == 1
        {
            return Ok(()); // judged once more when the card is settled
        }
        // Who keeps one card that was dealt owes nothing, but may say so: the action leaves that seat with one card.
        let keeps_its_hand = words[0] == "no-swap";
        if (keeps_its_hand || trial.owes_now.contains(&seat)) && trial.hands[seat].len() == 1 {
            return Ok(());
        }
        Err(format!("seat {seat} does not come to hold one card"))
    }

    fn perform(&mut self, seat: usize, text: &str, fate: &mut dyn Fate) -> Result<(), String> {
        let words: Vec<&str> = text.split(' ').collect();
        let Some((to_act, _)) = self.decision() else {
            return Err("the round is over".to_string());
        };
        if text == "uno" {
            return self.late_call(seat);
        }
        if text == "silent" {
            return if self.interrupts(seat).is_empty() { Err("nothing is asked".to_string()) } else { Ok(()) };
        }
        if words[0] == "catch" {
            return self.catch(seat, number(&words)?, fate);
        }
        // The colour of a play is checked apart.
        let mut plain = text.to_string();
        let mut color = None;
        if words[0] == "play" && words.len() == 3 {
            plain = format!("play {}", words[1]);
            color = Some(read_color(words[2])?);
        }
        let jump = words[0] == "play" && seat != to_act;
        let legal = if jump { self.interrupts(seat) } else { self.legal() };
        if (!jump && seat != to_act) || !legal.contains(&plain) {
            return Err(format!("seat {seat} may not {text} now"));
        }
        if words[0] == "play" {
            let last = self.hands[seat].len() == 1;
            let needed = self.variant.names_color(words[1]) && !last;
            if needed != color.is_some() {
                return Err(format!("{text}: a colour too many or too few"));
            }
        }
        let phase = self.phase.clone();
        let answers_turn = matches!(phase, Phase::Turn(_) | Phase::Drawn(..));
        let covers_it = matches!(phase, Phase::Protect { .. } | Phase::Discard(..));
        if (answers_turn || covers_it) && text != "discard-none" {
            self.fresh = false;
        }
        match words[0] {
            "play" => self.play(seat, code(words[1]), color, jump, fate),
            "draw" => {
                if let Phase::Stack(_, sum) = phase {
                    self.draw_cards(seat, sum, fate);
                    self.turn_comes_to(self.next_seat(seat));
                } else {
                    self.draw_as_turn(seat, fate);
                }
            }
            "keep" => {
                self.close_windows(Step::PlaysOnly);
                self.turn_comes_to(self.next_seat(seat));
            }
            "pass" => self.pass(seat),
            "color" => {
                self.color = Some(read_color(words[1])?);
                self.color_was_named(seat);
            }
            "challenge" => self.challenge(seat, fate),
            "accept" => self.accept(fate),
            "take" => {
                self.close_windows(Step::BeginsAndPlays);
                self.draw_cards(seat, 2, fate);
                self.turn_comes_to(self.next_seat(seat)); // WK-09
            }
            "swap" => self.chosen_swap(seat, Some(number(&words)?), fate),
            "no-swap" => self.chosen_swap(seat, None, fate),
            "keep-hand" => self.end_lap(seat),
            "rotate" => self.lap_on(seat),
            "target" => self.target(seat, number(&words)?, fate),
            "discard-all" => self.discard_all(seat, code(words[1])),
            "discard-none" => {
                self.judge_call(seat);
                self.turn_comes_to(self.next_seat(seat)); // DI-20
            }
            "protect" => self.protect(seat, code(words[1]), fate),
            _ => return Err(format!("{text} is no action")),
        }
        Ok(())
    }

    fn play(&mut self, seat: usize, card: Code, color: Option<char>, jump: bool, fate: &mut dyn Fate) {
        let phase = self.phase.clone();
        let mut sum = 0;
        let mut drawn = false;
        match &phase {
            Phase::Drawn(..) => drawn = true,
            Phase::Stack(_, so_far) => sum = *so_far,
            Phase::Challenge { .. } => sum = 4,
            _ => {}
        }
        if drawn {
            self.close_windows(Step::PlaysOnly);
        } else {
            self.close_windows(Step::BeginsAndPlays);
        }
        debug_assert!(!jump || !drawn);
        self.passed.clear();
        self.fresh = true;
        self.lay(seat, card, color, sum, drawn, fate);
    }

    fn draw_as_turn(&mut self, seat: usize, fate: &mut dyn Fate) {
        self.close_windows(Step::BeginsOnly);
        self.passed.clear();
        let mut drawn = self.draw_card(seat, fate);
        if self.variant.draw_count == "until_playable" {
            while let Some(card) = drawn {
                if self.playable(seat, card) {
                    break;
                }
                drawn = self.draw_card(seat, fate);
            }
        }
        match drawn {
            Some(card) if self.playable(seat, card) => self.phase = Phase::Drawn(seat, card),
            _ => {
                self.close_windows(Step::PlaysOnly); // CA-12: the turn ends
                self.turn_comes_to(self.next_seat(seat));
            }
        }
    }

    fn pass(&mut self, seat: usize) {
        self.close_windows(Step::BeginsAndPlays);
        self.passed.push(seat);
        let all_passed = (0..self.seats).all(|s| !self.playing[s] || self.passed.contains(&s));
        if all_passed {
            self.end(None); // blocked
        } else {
            self.turn_comes_to(self.next_seat(seat));
        }
    }
}

fn number(words: &[&str]) -> Result<usize, String> {
    if words.len() != 2 {
        return Err("one seat is needed".to_string());
    }
    words[1].parse().map_err(|_| format!("{} is no seat", words[1]))
}

fn read_color(word: &str) -> Result<char, String> {
    for color in COLORS {
        if word == color.to_string() {
            return Ok(color);
        }
    }
    Err(format!("{word} is no colour"))
}

/// Some chance or other, for trying out whether an action is accepted.
pub struct Whatever;

impl Fate for Whatever {
    fn draw(&mut self, _pile: &[Code]) -> usize {
        0
    }
    fn card_of_hand(&mut self, _hand: &[Code]) -> usize {
        0
    }
    fn tinker(&mut self, _weights: [f64; 4]) -> char {
        'r'
    }
    fn task(&mut self, _p: f64) -> bool {
        true
    }
    fn random_other(&mut self, seats: &[usize]) -> usize {
        seats[0]
    }
}
