//! The effects of actions.

use super::custom::changes_own_hand;
use super::moves::Move;
use super::round::{Model, Phase};
use super::rules::{Effect, contains, is_wild};
use super::uno::Step;
use super::{Code, Fate};

impl Model {
    /// Applies an action in the notation. An error leaves the model and chance unchanged.
    pub fn apply(&mut self, seat: usize, text: &str, fate: &mut dyn Fate) -> Result<(), String> {
        let (action, calls) = Move::read(text)?;
        self.act(seat, action, calls, fate)
    }

    /// Applies an action, possibly with a UNO call. An error leaves the model unchanged.
    pub fn act(&mut self, seat: usize, action: Move, calls: bool, fate: &mut dyn Fate) -> Result<(), String> {
        self.may(seat, action, calls)?;
        self.owes_now.clear();
        if calls {
            self.early_call = Some(seat);
            self.open.retain(|s| *s != seat);
        }
        self.perform(seat, action, fate);
        self.tidy_windows();
        // an early call waits only during the effect of its player's card
        let waiting =
            matches!(self.phase, Phase::Swap(..) | Phase::Lap { .. } | Phase::Discard(..) | Phase::Target(..));
        let settles = match (&self.phase, &self.custom) {
            (Phase::EffectColor(_) | Phase::Choice(..), Some(run)) => Some(run.player), // another seat decides for it
            _ if waiting => self.decision().map(|(seat, _)| seat),
            _ => None,
        };
        if settles.is_none() || settles != self.early_call {
            self.early_call = None;
        }
        Ok(())
    }

    /// Checks whether a seat may do this now.
    pub fn may(&self, seat: usize, action: Move, calls: bool) -> Result<(), String> {
        if seat >= self.seats || !self.playing[seat] {
            return Err(format!("seat {seat} does not take part"));
        }
        self.check(seat, action)?;
        if calls { self.check_call(seat, action) } else { Ok(()) }
    }

    /// Checks the action without its call.
    fn check(&self, seat: usize, action: Move) -> Result<(), String> {
        let Some((to_act, _)) = self.decision() else {
            return Err("the round is over".to_string());
        };
        match action {
            Move::Uno => return self.may_call_late(seat),
            Move::Catch(caught) => return self.may_catch(seat, caught),
            Move::Silent if self.interrupts(seat).is_empty() => return Err("nothing is asked".to_string()),
            Move::Silent => return Ok(()),
            _ => {}
        }
        // The color of a play is checked separately.
        let plain = if let Move::Play(card, _) = action { Move::Play(card, None) } else { action };
        let legal = if seat == to_act { self.legal() } else { self.interrupts(seat) };
        if !legal.contains(&plain) {
            return Err(format!("seat {seat} may not {action} now"));
        }
        if let Move::Play(card, color) = action {
            let last = self.hands[seat].len() == 1;
            let needed = self.variant.names_color(card) && !last;
            if needed != color.is_some() {
                return Err(format!("{action}: a color too many or too few"));
            }
        }
        Ok(())
    }

    /// Whether some outcome of a card that changes its player's hand leaves one card in it.
    fn may_come_to_one(&self, seat: usize, card: Code) -> bool {
        let kept = self.hands[seat].len() - 1;
        let from_other = self.others(seat).iter().any(|other| self.hands[*other].len() == 1);
        let only_swaps = |effects: &[Effect]| {
            let mut others = effects.iter().filter(|effect| **effect != Effect::NameColor);
            others.next() == Some(&Effect::SwapHands) && others.next().is_none()
        };
        let swaps = self.variant.custom(card).is_some_and(|custom| only_swaps(&custom.effects));
        if let Some(custom) = self.variant.custom(card)
            && !swaps
        {
            let effects: Vec<&Effect> = custom.effects.iter().filter(|effect| **effect != Effect::NameColor).collect();
            if effects == [&Effect::ShuffleHands] {
                // the player gets cards last, so none of those that remain
                let cards: usize = self.hands.iter().map(Vec::len).sum();
                return (cards - 1) / (1 + self.others(seat).len()) == 1;
            }
            return self.effects_may_come_to_one(kept, &custom.effects);
        }
        match card {
            "WA" => {
                let after = |color: char| {
                    let goes = |held: &&Code| !is_wild(held) && held.starts_with(color);
                    kept - self.hands[seat].iter().filter(goes).count()
                };
                kept == 1 || ['r', 'y', 'g', 'b'].into_iter().any(|color| after(color) == 1)
            }
            "WL" => kept == 1 || from_other,
            _ if swaps || card == "WS" => from_other || (self.variant.swap_optional && kept == 1),
            _ => from_other, // a seven: the swap is compulsory
        }
    }

    /// Whether some outcome of these effects leaves one card in the player's hand, which has `kept` cards before them. A hand that
    /// only grows does if it has one card now and the piles are empty.
    fn effects_may_come_to_one(&self, kept: usize, effects: &[Effect]) -> bool {
        let own_shrinks = contains(effects, &|effect| match effect {
            Effect::Discard { who, .. } => who == "all" || who == "self",
            Effect::Give { .. } | Effect::ShuffleHands => true,
            _ => false,
        });
        let other_shrinks = contains(effects, &|effect| matches!(effect, Effect::Discard { .. } | Effect::Take { .. }));
        let gets_other_hand = contains(effects, &|effect| {
            matches!(effect, Effect::SwapHands | Effect::TradeHands { .. } | Effect::RotateHands)
        });
        let a_hand_has_one = self.hands.iter().any(|hand| hand.len() == 1);
        kept == 1 || own_shrinks || (gets_other_hand && (other_shrinks || a_hand_has_one))
    }

    /// The suffix ` uno` is rejected unless one card remains; it is kept if that is not known yet.
    fn check_call(&self, seat: usize, action: Move) -> Result<(), String> {
        if !self.variant.uno_explicit {
            return Err("calls are automatic".to_string());
        }
        if matches!(action, Move::Color(_)) {
            return Err("a call does not go with a color".to_string()); // 7.6: the hand of the seat has not changed
        }
        if matches!(action, Move::Choose(_)) && self.custom.as_ref().is_none_or(|run| run.player != seat) {
            return Err("only the player of the card calls with a choice".to_string()); // 7.6
        }
        let mut trial = self.clone();
        trial.owes_now.clear();
        trial.early_call = Some(seat); // 7.21: the penalty would change the hand
        trial.perform(seat, action, &mut ArbitraryFate);
        if let Move::Play(card, _) = action
            && self.hands[seat].len() > 1
        {
            // A hand that is known in advance is judged immediately, any other hand when it arrives.
            let only_rotates = match self.variant.custom(card) {
                Some(custom) => custom.effects == [Effect::RotateHands],
                None => !is_wild(card) && &card[1..] == "0",
            };
            if self.judged_later(card) && !only_rotates {
                if !self.may_come_to_one(seat, card) {
                    return Err(format!("seat {seat} cannot reach one card")); // 7.6
                }
                return Ok(()); // SW-10, CA-08, DI-24
            }
        }
        if let Some(run) = &self.custom
            && !run.last
            && matches!(action, Move::Swap(_) | Move::NoSwap | Move::Target(_) | Move::Choose(_))
            && (changes_own_hand(&run.left) || self.judged_later(self.top()))
        {
            if let (Move::Choose(option), Phase::Choice(_, options)) = (action, &self.phase) {
                let mut left = options[option].clone();
                left.extend(run.left.clone());
                if self.effects_may_come_to_one(self.hands[seat].len(), &left) {
                    return Ok(());
                }
                return Err(format!("seat {seat} cannot reach one card")); // 7.6
            }
            // The remaining hand is not known yet: the hand after the decision, and what may still happen to it.
            let (hand, left) = match (action, run.left.first()) {
                (Move::Swap(other), _) => (other, &run.left[..]),
                (Move::Target(other), Some(Effect::TradeHands { who })) if who == "chosen" => (other, &run.left[1..]),
                _ => (seat, &run.left[..]),
            };
            if self.effects_may_come_to_one(self.hands[hand].len(), left) {
                return Ok(());
            }
            return Err(format!("seat {seat} cannot reach one card")); // 7.6
        }
        // A player who keeps a single dealt card does not owe a call, but may make one, because the action leaves one card.
        let keeps_its_hand = action == Move::NoSwap;
        if (keeps_its_hand || trial.owes_now.contains(&seat)) && trial.hands[seat].len() == 1 {
            return Ok(());
        }
        Err(format!("seat {seat} does not reach one card"))
    }

    /// Applies an action that [`Model::may`] allows.
    fn perform(&mut self, seat: usize, action: Move, fate: &mut dyn Fate) {
        let answers_turn = matches!(self.phase, Phase::Turn(_) | Phase::Drawn(..));
        let covers_it = matches!(self.phase, Phase::Protect { .. } | Phase::Discard(..));
        let out_of_turn = matches!(action, Move::Uno | Move::Catch(_) | Move::Silent);
        if (answers_turn || covers_it) && !out_of_turn && action != Move::DiscardNone {
            self.fresh = false;
        }
        match action {
            Move::Play(card, color) => self.play(seat, card, color, fate),
            Move::Draw => {
                if let Phase::Stack(_, sum) = self.phase {
                    self.draw_cards(seat, sum, fate);
                    self.turn_comes_to(self.next_seat(seat));
                } else {
                    self.draw_as_turn(seat, fate);
                }
            }
            Move::Keep => {
                self.close_windows(Step::PlaysOnly);
                self.turn_comes_to(self.next_seat(seat));
            }
            Move::Pass => self.pass(seat),
            Move::Color(color) => {
                self.color = Some(color);
                self.color_was_named(seat, fate);
            }
            Move::Challenge => self.challenge(seat, fate),
            Move::Accept => self.accept(fate),
            Move::Take => {
                self.close_windows(Step::BeginsAndPlays);
                self.draw_cards(seat, 2, fate);
                self.turn_comes_to(self.next_seat(seat)); // WK-09
            }
            Move::Swap(other) => self.chosen_swap(seat, Some(other), fate),
            Move::NoSwap => self.chosen_swap(seat, None, fate),
            Move::KeepHand => self.end_lap(seat, fate),
            Move::Rotate => self.lap_on(seat, fate),
            Move::Target(chosen) => self.target(seat, chosen, fate),
            Move::Choose(option) => self.choose_option(seat, option, fate),
            Move::DiscardAll(card) => self.discard_all(seat, card),
            Move::DiscardNone => {
                self.judge_call(seat);
                self.turn_comes_to(self.next_seat(seat)); // DI-20
            }
            Move::Protect(card) => self.protect(seat, card, fate),
            Move::Uno => self.late_call(seat),
            Move::Catch(caught) => self.catch(caught, fate),
            Move::Silent => {}
        }
    }

    fn play(&mut self, seat: usize, card: Code, color: Option<char>, fate: &mut dyn Fate) {
        let mut sum = 0;
        let mut drawn = false;
        match &self.phase {
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
        self.passed.clear();
        self.fresh = true;
        self.lay(seat, card, color, sum, drawn, fate);
    }

    fn draw_as_turn(&mut self, seat: usize, fate: &mut dyn Fate) {
        self.close_windows(Step::BeginsOnly);
        self.passed.clear();
        if self.variant.draw_count == "random" {
            self.draw_as_on_turn(seat, fate);
            self.close_windows(Step::PlaysOnly); // CA-12: the turn ends
            self.turn_comes_to(self.next_seat(seat));
            return;
        }
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
            Some(card) if self.playable(seat, card) && !self.is_full(seat) => self.phase = Phase::Drawn(seat, card),
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

/// Arbitrary chance, for checking whether an action is accepted.
pub struct ArbitraryFate;

impl Fate for ArbitraryFate {
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
