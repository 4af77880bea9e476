//! One round: the position and the decisions.

use std::rc::Rc;

use super::custom::CustomRun;
use super::rules::{Effect, Variant, color_of, is_wild};
use super::{Code, Fate, code};

/// An initial position.
#[derive(Clone, Debug)]
pub struct Position {
    pub seats: usize,
    /// Which seats take part (elimination); empty: all.
    pub seats_in: Vec<usize>,
    pub dealer: usize,
    /// `"left"` (0, 1, 2, ...) or `"right"`.
    pub direction: String,
    pub to_act: usize,
    pub hands: Vec<Vec<Code>>,
    /// Bottom to top.
    pub discard: Vec<Code>,
    /// `r`, `y`, `g`, `b`; needed only when the top card is wild.
    pub color: Option<char>,
    /// The order is irrelevant.
    pub draw: Vec<Code>,
}

/// Hands just dealt, before the start card.
#[derive(Clone, Debug)]
pub struct Deal {
    pub seats: usize,
    /// Which seats take part (elimination); empty: all.
    pub seats_in: Vec<usize>,
    pub dealer: usize,
    pub hands: Vec<Vec<Code>>,
    /// The remaining cards after the start card is turned up; the order is irrelevant.
    pub draw: Vec<Code>,
}

/// The reason for choosing a player.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Why {
    DrawTwo,
    Seven,
    SwapHands,
    Start,
    Custom,
}

/// The decision that the round waits for. The seat named is the one to act.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Phase {
    Turn(usize),
    /// This card was drawn and may be played.
    Drawn(usize, Code),
    /// A start card: the color is named; then, if it was Wild Swap Hands, the swap.
    StartColor(usize),
    LapColor(usize),
    /// An effect of the custom card lets this seat choose the color.
    EffectColor(usize),
    /// The first seat of `poll` answers; `guilty` was settled when the card was played (SW-14).
    Challenge {
        by: usize,
        card: Code,
        guilty: bool,
        poll: Vec<usize>,
    },
    Cheese(usize),
    Swap(usize, Why),
    /// `passes` so far, the compulsory first one included (CA-06).
    Lap {
        seat: usize,
        passes: usize,
    },
    Target(usize, Why),
    /// This seat chooses one of these lists of effects.
    Choice(usize, Vec<Vec<Effect>>),
    Discard(usize, char),
    /// The first seat of `left` plays a protection card or draws.
    Protect {
        by: usize,
        left: Vec<usize>,
    },
    Stack(usize, usize),
    Over,
}

/// One round of the game.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) variant: Rc<Variant>,
    pub(super) seats: usize,
    pub(super) playing: Vec<bool>,
    /// Seats that had too many cards.
    pub(super) out: Vec<usize>,
    dealer: usize,
    pub(super) to_the_left: bool,
    pub(super) hands: Vec<Vec<Code>>,
    pub(super) draw: Vec<Code>,
    /// Bottom to top.
    pub(super) discard: Vec<Code>,
    pub(super) color: Option<char>,
    pub(super) phase: Phase,
    /// The top card is a protection card: its symbol is dead (DI-29).
    pub(super) dead_word: bool,
    /// A player played a last card: only its effects remain.
    pub(super) last_card_laid: bool,
    /// Turns each seat still has to miss (tinker.resume = after_player).
    pub(super) debts: Vec<usize>,
    /// The seats that have passed since anything was drawn or played.
    pub(super) passed: Vec<usize>,
    /// The top card was played, and no turn has been decided since.
    pub(super) fresh: bool,
    pub(super) custom: Option<CustomRun>,
    /// Seats that can be caught.
    pub(super) open: Vec<usize>,
    /// This seat called with a play whose result is not known yet (SW-10, CA-08, DI-24).
    pub(super) early_call: Option<usize>,
    /// Seats that owe a call because of the current action.
    pub(super) owes_now: Vec<usize>,
    pub(super) known: Vec<Vec<Vec<Code>>>,
    went_out: Option<usize>,
    /// Partnerships of this round; none without teams.
    teams: Vec<Vec<usize>>,
}

impl Model {
    fn empty(variant: &Variant, seats: usize, seats_in: &[usize], dealer: usize) -> Self {
        let mut playing = vec![seats_in.is_empty(); seats];
        for seat in seats_in {
            playing[*seat] = true;
        }
        // Partners sit across from each other; if they change, they change seats.
        let teams = if variant.teams == "none" { Vec::new() } else { vec![vec![0, 2], vec![1, 3]] };
        Self {
            variant: Rc::new(variant.clone()),
            seats,
            playing,
            out: Vec::new(),
            dealer,
            to_the_left: true,
            hands: vec![Vec::new(); seats],
            draw: Vec::new(),
            discard: Vec::new(),
            color: None,
            phase: Phase::Over,
            dead_word: false,
            last_card_laid: false,
            debts: vec![0; seats],
            passed: Vec::new(),
            fresh: false,
            custom: None,
            open: Vec::new(), // notation: a seat that begins with one card counts as having called
            early_call: None,
            owes_now: Vec::new(),
            known: vec![vec![Vec::new(); seats]; seats],
            went_out: None,
            teams,
        }
    }

    /// A `turn` decision at `to_act`.
    pub fn from_position(variant: &Variant, position: Position) -> Self {
        let mut model = Self::empty(variant, position.seats, &position.seats_in, position.dealer);
        model.to_the_left = match position.direction.as_str() {
            "left" => true,
            "right" => false,
            other => panic!("unknown direction {other}"),
        };
        model.hands = position.hands;
        model.discard = position.discard;
        model.color = position.color.or(color_of(model.top()));
        model.draw = position.draw;
        model.phase = Phase::Turn(position.to_act);
        model
    }

    /// `start_card`, which must be startable, has just been turned up.
    pub fn from_start(variant: &Variant, deal: Deal, start_card: Code, fate: &mut dyn Fate) -> Self {
        assert!(variant.startable(start_card), "{start_card} is returned");
        let mut model = Self::empty(variant, deal.seats, &deal.seats_in, deal.dealer);
        model.hands = deal.hands;
        model.discard = vec![start_card];
        model.color = color_of(start_card);
        model.draw = deal.draw;
        model.begin(start_card, fate);
        model
    }

    /// The start card takes effect (section 1.3).
    fn begin(&mut self, card: Code, fate: &mut dyn Fate) {
        let first = self.next_seat(self.dealer);
        if self.variant.custom(card).is_some() {
            // `plain`: no effect; but a wild, or one that names a color, is named by the first player
            if is_wild(card) || self.variant.names_color(card) {
                self.phase = Phase::StartColor(first);
            } else {
                self.phase = Phase::Turn(first);
            }
            return;
        }
        if is_wild(card) {
            self.phase = Phase::StartColor(first); // WK-17, SW-01
            return;
        }
        match &card[1..] {
            "S" => self.turn_comes_to(self.next_seat(first)),
            "R" => {
                self.to_the_left = false;
                if self.variant.start_reverse == "dealer_first" {
                    self.turn_comes_to(self.dealer); // WK-24
                } else {
                    self.turn_comes_to(self.next_seat(self.dealer)); // the right of the dealer
                }
            }
            "D" => match self.variant.start_draw_two.as_str() {
                "draw_only" => {
                    self.draw_cards(first, 2, fate); // HH-04
                    self.turn_comes_to(first);
                }
                "draw_and_miss" => {
                    self.draw_cards(first, 2, fate);
                    self.turn_comes_to(self.next_seat(first));
                }
                _ => self.press_for_draw_two(first, card, fate), // DI-01: the first player is the victim
            },
            _ => self.turn_comes_to(first),
        }
    }

    // ---- the table ----

    /// The next seat that takes part, in the direction of play.
    pub(super) fn next_seat(&self, from: usize) -> usize {
        let mut seat = from;
        loop {
            seat = if self.to_the_left { (seat + 1) % self.seats } else { (seat + self.seats - 1) % self.seats };
            if self.playing[seat] {
                return seat;
            }
        }
    }

    pub(super) fn seat_after(&self, from: usize, steps: usize) -> usize {
        let mut seat = from;
        for _ in 0..steps {
            seat = self.next_seat(seat);
        }
        seat
    }

    /// All other seats in order of play, from the next one on.
    pub(super) fn others(&self, from: usize) -> Vec<usize> {
        let mut seats = Vec::new();
        let mut seat = self.next_seat(from);
        while seat != from {
            seats.push(seat);
            seat = self.next_seat(seat);
        }
        seats
    }

    pub(super) fn two_players(&self) -> bool {
        self.playing.iter().filter(|playing| **playing).count() == 2
    }

    /// Begins a seat's turn, which the seat may have to miss (finer points, tinker.resume).
    pub(super) fn turn_comes_to(&mut self, seat: usize) {
        let mut seat = seat;
        if self.variant.hand_limit.is_some() {
            match self.knock_out(seat) {
                Some(next) => seat = next,
                None => return,
            }
        }
        while self.debts[seat] > 0 {
            self.debts[seat] -= 1;
            seat = self.next_seat(seat);
        }
        self.phase = Phase::Turn(seat);
    }

    /// Whether this seat has as many cards as put a player out of the round.
    pub(super) fn is_full(&self, seat: usize) -> bool {
        self.variant.hand_limit.is_some_and(|(most, _)| self.hands[seat].len() >= most)
    }

    /// House rule: between two turns, a player with too many cards leaves the round; the cards go under the top card.
    /// Returns the next seat to play, from `seat` on; none if the round is over.
    fn knock_out(&mut self, seat: usize) -> Option<usize> {
        let mut leaving = Vec::new();
        for other in self.seats_in() {
            if self.is_full(other) {
                leaving.push(other);
            }
        }
        if leaving.len() == self.seats_in().len() {
            self.end(None);
            return None;
        }
        let mut next = seat;
        while leaving.contains(&next) {
            next = self.next_seat(next);
        }
        for other in leaving {
            let top = self.discard.pop().expect("a card is on top");
            for card in std::mem::take(&mut self.hands[other]) {
                self.discard.push(card);
                self.card_left(other, card);
            }
            self.discard.push(top);
            self.playing[other] = false;
            self.out.push(other);
            self.debts[other] = 0;
            self.passed.retain(|seat| *seat != other);
            self.open.retain(|seat| *seat != other);
        }
        if self.seats_in().len() == 1 {
            self.end(Some(next));
            return None;
        }
        Some(next)
    }

    /// The round ends: a player is out, or (None) it is blocked.
    pub(super) fn end(&mut self, winner: Option<usize>) {
        self.phase = Phase::Over;
        self.went_out = winner;
        self.open.clear();
        self.custom = None;
    }

    // ---- what is to be seen ----

    /// The seat with the ordinary decision and the decision's name; None when the round is over.
    pub fn decision(&self) -> Option<(usize, &'static str)> {
        match &self.phase {
            Phase::Turn(seat) => Some((*seat, "turn")),
            Phase::Drawn(seat, _) => Some((*seat, "drawn")),
            Phase::StartColor(seat) | Phase::LapColor(seat) | Phase::EffectColor(seat) => Some((*seat, "color")),
            Phase::Challenge { poll, .. } => Some((poll[0], "challenge")),
            Phase::Cheese(seat) => Some((*seat, "cheese")),
            Phase::Swap(seat, _) => Some((*seat, "swap")),
            Phase::Lap { seat, .. } => Some((*seat, "lap")),
            Phase::Target(seat, _) => Some((*seat, "target")),
            Phase::Choice(seat, _) => Some((*seat, "choice")),
            Phase::Discard(seat, _) => Some((*seat, "discard")),
            Phase::Protect { left, .. } => Some((left[0], "protect")),
            Phase::Stack(seat, _) => Some((*seat, "stack")),
            Phase::Over => None,
        }
    }

    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    pub fn hands(&self) -> &[Vec<Code>] {
        &self.hands
    }

    pub fn top(&self) -> Code {
        self.discard.last().copied().expect("the discard pile has a card")
    }

    /// The color in force; None after a last wild, and before the color of a start card is named.
    pub fn color(&self) -> Option<char> {
        self.color
    }

    pub fn direction(&self) -> &'static str {
        if self.to_the_left { "left" } else { "right" }
    }

    pub fn draw_pile(&self) -> &[Code] {
        &self.draw
    }

    /// The whole discard pile, bottom to top.
    pub fn discard_pile(&self) -> &[Code] {
        &self.discard
    }

    pub fn dealer(&self) -> usize {
        self.dealer
    }

    pub fn seats(&self) -> usize {
        self.seats
    }

    pub fn seats_in(&self) -> Vec<usize> {
        (0..self.seats).filter(|seat| self.playing[*seat]).collect()
    }

    pub fn went_out(&self) -> Option<usize> {
        self.went_out
    }

    /// A blocked round.
    pub fn void(&self) -> bool {
        self.is_over() && self.went_out.is_none()
    }

    pub fn teams(&self) -> &[Vec<usize>] {
        &self.teams
    }

    /// Points credited for this round, by seat; with partners, both have the team's points.
    pub fn points(&self) -> Vec<i64> {
        let mut points = vec![0; self.seats];
        let Some(winner) = self.went_out else {
            return points;
        };
        let mut held = vec![0; self.seats];
        for (seat, hand) in self.hands.iter().enumerate() {
            for card in hand {
                held[seat] += self.variant.points_of(card);
            }
        }
        held[winner] = 0;
        for seat in &self.out {
            held[*seat] = self.variant.hand_limit.map_or(0, |(_, points)| points);
        }
        if self.variant.scoring == "winner_takes" {
            let mut winners = vec![winner];
            for team in &self.teams {
                if team.contains(&winner) {
                    winners = team.clone();
                }
            }
            let mut sum = 0;
            for (seat, value) in held.iter().enumerate() {
                if !winners.contains(&seat) {
                    sum += value; // not the partner's cards
                }
            }
            for seat in winners {
                points[seat] = sum;
            }
            return points;
        }
        // running_lowest and elimination: each player's own hand; a team has the points of both hands
        points.clone_from(&held);
        for team in &self.teams {
            let mut sum = 0;
            for seat in team {
                sum += held[*seat];
            }
            for seat in team {
                points[*seat] = sum;
            }
        }
        points
    }

    /// The place of each seat, from 1; 0 for seats that do not take part.
    pub fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.seats];
        let mut dealt = self.seats_in();
        dealt.extend(&self.out);
        for &seat in &dealt {
            places[seat] = 1;
            for &other in &dealt {
                if self.comes_in_before(other, seat) {
                    places[seat] += 1;
                }
            }
        }
        places
    }

    /// The player who went out and the partner are first (DI-08: others may also hold no card); then the players with the
    /// fewest points in hand.
    fn comes_in_before(&self, one: usize, other: usize) -> bool {
        let Some(winner) = self.went_out else {
            return false; // a blocked round has no order
        };
        let won = |seat: usize| self.side(seat).contains(&winner);
        if won(one) || won(other) {
            return won(one) && !won(other);
        }
        if self.out.contains(&one) || self.out.contains(&other) {
            return !self.out.contains(&one); // the last places, shared
        }
        let held = |seat: usize| {
            let mut sum = 0;
            for member in self.side(seat) {
                for card in &self.hands[member] {
                    sum += self.variant.points_of(card);
                }
            }
            sum
        };
        held(one) < held(other)
    }

    /// A seat and its partner, if it has one.
    fn side(&self, seat: usize) -> Vec<usize> {
        for team in &self.teams {
            if team.contains(&seat) {
                return team.clone();
            }
        }
        vec![seat]
    }
}
