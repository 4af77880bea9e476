//! One round: the position, what is asked of whom, what is legal, and what an action does.

use std::rc::Rc;

use super::custom::{CustomRun, changes_own_hand};
use super::rules::{COLORS, Effect, Variant, color_of, is_wild};
use super::uno::Step;
use super::{Code, Fate, code};

/// A position to begin from.
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
    /// The order means nothing.
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
    /// What is left once the start card is up; the order means nothing.
    pub draw: Vec<Code>,
}

/// Why somebody chooses a player.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Why {
    DrawTwo,
    Seven,
    SwapHands,
    Start,
    Custom,
}

/// What the round waits for. The seat named is the one to act.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Phase {
    Turn(usize),
    /// This card was drawn and may be laid.
    Drawn(usize, Code),
    /// A start card: the colour is named; then, if it was Wild Swap Hands, the swap.
    StartColor(usize),
    LapColor(usize),
    /// The first seat of `poll` answers; `guilty` was settled when the card was laid (SW-14).
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
    Discard(usize, char),
    /// The first seat of `left` lays a protection card or draws.
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
    dealer: usize,
    pub(super) to_the_left: bool,
    pub(super) hands: Vec<Vec<Code>>,
    pub(super) draw: Vec<Code>,
    /// Bottom to top.
    pub(super) discard: Vec<Code>,
    pub(super) color: Option<char>,
    pub(super) phase: Phase,
    /// The top card is a protection card: its word is dead (DI-29).
    pub(super) dead_word: bool,
    /// Somebody laid a last card: the round is only being settled.
    pub(super) last_card_laid: bool,
    /// Turns each seat still has to miss (tinker.resume = after_player).
    pub(super) debts: Vec<usize>,
    /// Who has passed since anything was drawn or laid.
    passed: Vec<usize>,
    /// The top card was laid by a play, and no turn has been answered since.
    pub(super) fresh: bool,
    pub(super) custom: Option<CustomRun>,
    /// Seats that can be caught.
    pub(super) open: Vec<usize>,
    /// This seat called with a play whose outcome is not known yet (SW-10, CA-08, DI-24).
    pub(super) early_call: Option<usize>,
    /// Seats that came to owe a call by the action now applied.
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
        // Partners sit across from each other; where they change, they change seats.
        let teams = if variant.teams == "none" { Vec::new() } else { vec![vec![0, 2], vec![1, 3]] };
        Self {
            variant: Rc::new(variant.clone()),
            seats,
            playing,
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
            other => panic!("{other} is no direction"),
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
            // `plain`: no effect; but a wild, or one that names a colour, is named by the first player
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
                _ => self.press_for_draw_two(first, card, fate), // DI-01: the first player stands in
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

    /// The turn comes to a seat, which may have to miss it (finer points, tinker.resume).
    pub(super) fn turn_comes_to(&mut self, seat: usize) {
        let mut seat = seat;
        while self.debts[seat] > 0 {
            self.debts[seat] -= 1;
            seat = self.next_seat(seat);
        }
        self.phase = Phase::Turn(seat);
    }

    /// The round ends: somebody is out, or (None) it is blocked.
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
            Phase::StartColor(seat) | Phase::LapColor(seat) => Some((*seat, "color")),
            Phase::Challenge { poll, .. } => Some((poll[0], "challenge")),
            Phase::Cheese(seat) => Some((*seat, "cheese")),
            Phase::Swap(seat, _) => Some((*seat, "swap")),
            Phase::Lap { seat, .. } => Some((*seat, "lap")),
            Phase::Target(seat, _) => Some((*seat, "target")),
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
        self.discard.last().copied().expect("a card lies on the discard pile")
    }

    /// The colour in force; None after a last wild, and before the colour of a start card is named.
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

    /// Points credited for this round, by seat; with partners the team's number at both.
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
                    sum += value; // not those of the own partner
                }
            }
            for seat in winners {
                points[seat] = sum;
            }
            return points;
        }
        // running_lowest and elimination: everyone his own hand; a team those of both
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

    // ---- what is done ----

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
            && words[0] != "play"
            && changes_own_hand(&run.left)
        {
            return Ok(()); // what will be left is not known yet
        }
        if words[0] == "target" && self.custom.is_some() && self.judged_later(self.top()) && self.hands[seat].len() == 1
        {
            return Ok(()); // judged once more when the card is settled
        }
        if trial.owes_now.contains(&seat) && trial.hands[seat].len() == 1 {
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

/// Some chance or other, for trying out whether a call fits.
struct Whatever;

impl Fate for Whatever {
    fn draw(&mut self, _pile: &[Code]) -> usize {
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
