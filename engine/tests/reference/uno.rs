//! Calls and catches. `open` lists the seats that hold one card, owe the call, and can still be caught.

use super::Fate;
use super::moves::Move;
use super::round::Model;

/// The events that affect windows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A card is played in answer to `turn`, `cheese`, `stack` or out of turn, or cards are taken at `cheese`, or a
    /// pass.
    BeginsAndPlays,
    /// `draw` as a turn.
    BeginsOnly,
    /// The drawn card is played or kept, or cannot be played and the turn ends.
    PlaysOnly,
}

impl Model {
    /// Closes the windows that this step of some player closes; always before the step's own effects. A forced draw, a
    /// challenge, or any other decision does not close windows.
    pub(super) fn close_windows(&mut self, step: Step) {
        let closes = match self.variant.uno_window.as_str() {
            "next_begins" | "next_draws" => step != Step::PlaysOnly,
            "next_plays" => step != Step::BeginsOnly, // CA-12
            _ => false,                               // HH-07: as long as the one card is held
        };
        if closes {
            self.open.clear();
        }
    }

    /// The letter of the sheets: a player who draws a card has begun a turn, also as a victim.
    pub(super) fn close_window_before(&mut self, drawer: usize) {
        if self.variant.uno_window == "next_draws" {
            let mut open = self.open.clone();
            open.retain(|seat| self.next_seat(*seat) != drawer);
            self.open = open;
        }
    }

    /// This seat has received its current hand in a way that makes it owe a call if the hand is one card.
    pub(super) fn judge_call(&mut self, seat: usize) {
        self.open.retain(|s| *s != seat); // SW-12: a call, made or owed, does not move with the hand
        if !self.variant.uno_explicit || self.hands[seat].len() != 1 {
            return;
        }
        self.owes_now.push(seat);
        if self.early_call != Some(seat) {
            self.open.push(seat);
        }
    }

    /// the others still answer, but players can no longer be caught.
    pub(super) fn close_all_if_somebody_is_out(&mut self, player: usize) {
        if self.hands[player].is_empty() || self.others(player).iter().any(|seat| self.hands[*seat].is_empty()) {
            self.open.clear();
        }
    }

    /// Called after every action: closes windows of seats without exactly one card.
    pub(super) fn tidy_windows(&mut self) {
        let hands = &self.hands;
        self.open.retain(|seat| hands[*seat].len() == 1);
    }

    /// `uno` alone: a late call.
    pub(super) fn may_call_late(&self, seat: usize) -> Result<(), String> {
        if !self.variant.self_catch || !self.open.contains(&seat) {
            return Err(format!("seat {seat} has nothing to call"));
        }
        Ok(())
    }

    pub(super) fn late_call(&mut self, seat: usize) {
        self.open.retain(|s| *s != seat);
    }

    /// `catch N`.
    pub(super) fn may_catch(&self, seat: usize, caught: usize) -> Result<(), String> {
        if seat == caught || !self.open.contains(&caught) {
            return Err(format!("seat {caught} cannot be caught"));
        }
        Ok(())
    }

    pub(super) fn catch(&mut self, caught: usize, fate: &mut dyn Fate) {
        self.open.retain(|s| *s != caught); // one penalty
        self.draw_cards(caught, self.variant.uno_penalty, fate);
        let settles_its_card = self.decision().is_some_and(|(seat, _)| seat == caught);
        if settles_its_card && self.hands[caught].len() == 1 {
            self.early_call = Some(caught); // it has already been caught for this card
        }
    }

    /// The actions of this seat out of turn: `uno`, `catch N`, a jump-in.
    pub fn interrupts(&self, seat: usize) -> Vec<Move> {
        let mut actions = Vec::new();
        if self.is_over() || !self.playing[seat] {
            return actions;
        }
        if self.open.contains(&seat) && self.variant.self_catch {
            actions.push(Move::Uno);
        }
        for other in &self.open {
            if *other != seat {
                actions.push(Move::Catch(*other)); // a partner too
            }
        }
        if self.may_jump_in(seat) {
            actions.push(Move::Play(self.top(), None));
        }
        actions.sort();
        actions
    }
}
