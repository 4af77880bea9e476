//! `heuristic`: our own rule-based player, for every decision of every variant.
//!
//! What each action leads to is given a value: the sum of named terms with named [`Weights`]. The terms look at what the
//! rest of the hand can follow, at what is better kept for later, at whom the card hits, and at who acts next: how few
//! cards he holds, and how likely he has nothing to follow, by the cards he can still hold ([`PossibleCards`]).

mod answers;
mod turn;
mod weights;

use std::cell::OnceCell;
use std::sync::Arc;

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::event::Seen;
use unolab_engine::fast::{Isa, Kernel, dispatch};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rules::{Rules, Scoring};
use unolab_engine::scoring::side_of;
use unolab_engine::seat::{Seat, SeatSet};

use crate::agent::{Agent, Memory};
use crate::choices::{draw_or_what_is_left, may_keep};
use crate::goal::Goal;
use crate::kinds::KindTable;
use crate::possible::{Bounds, PossibleCards, PossibleHand};
pub use weights::{TableWeights, Weights};

/// How an agent is configured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// What it plays for.
    pub goal: Goal,
    /// What each term counts.
    pub weights: TableWeights,
}

impl Style {
    /// As `heuristic` plays if nothing is said.
    pub const STANDARD: Self = Self { goal: Goal::Match, weights: TableWeights::STANDARD };
}

/// Plays by the value of what each action leads to; see the module. It needs no randomness: of equals it takes the first.
#[derive(Debug, Clone)]
pub struct Heuristic {
    style: Arc<Style>,
    possible: PossibleCards,
}

impl Heuristic {
    /// An agent for one game.
    #[must_use]
    pub fn new(style: Arc<Style>) -> Self {
        Self { style, possible: PossibleCards::new() }
    }
}

impl Agent for Heuristic {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.possible.settle(observation);
        dispatch(Choice { observation, agent: self })
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.possible.begin(observation);
    }

    fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        self.possible.observe(seen, observation);
    }

    fn memory(&self) -> Memory {
        Memory::Events
    }
}

/// A sensible answer to any decision from what lies open alone. Other agents use it where their own definition is
/// silent; those that remember nothing then answer alike whoever else sits at the table.
#[must_use]
pub fn choose(observation: &Observation<'_>) -> Action {
    dispatch(OpenChoice(observation))
}

/// What there is to tell what others hold.
#[derive(Clone, Copy)]
enum Sight<'a> {
    /// Nothing that was seen is remembered: every hand can hold whatever is unseen now.
    WhatLiesOpen(Bounds),
    /// Cards that were shown, and what others did.
    WhatWasSeen(&'a PossibleCards),
}

/// A decision, and all there is to judge it by.
struct View<'a> {
    observation: &'a Observation<'a>,
    rules: &'a Rules,
    style: &'a Style,
    weights: &'a Weights,
    sight: Sight<'a>,
    // Not every decision needs these.
    kinds: OnceCell<KindTable>,
    next: OnceCell<Other>,
    patience: OnceCell<f32>,
    point: OnceCell<f32>,
}

/// Another seat, and what it may be unable to follow.
#[derive(Debug, Clone, Copy)]
struct Other {
    hand_len: u32,
    /// What it certainly holds.
    known: CardSet,
    /// What the rest of its hand can be.
    unknown: PossibleHand,
    /// 1 for opponents; what hurts a partner counts against.
    side: f32,
}

/// To choose, by the code for this machine: cards are counted all the time, for which some have an instruction.
struct Choice<'a> {
    observation: &'a Observation<'a>,
    agent: &'a Heuristic,
}

impl Kernel for Choice<'_> {
    type Output = Action;
    #[inline(always)]
    fn run<M: Isa>(self) -> Action {
        let Self { observation, agent: Heuristic { style, possible } } = self;
        View::of(observation, style, Sight::WhatWasSeen(possible)).choose()
    }
}

/// The same for somebody who remembers nothing.
struct OpenChoice<'a>(&'a Observation<'a>);

impl Kernel for OpenChoice<'_> {
    type Output = Action;
    #[inline(always)]
    fn run<M: Isa>(self) -> Action {
        let observation = self.0;
        let sight = Sight::WhatLiesOpen(Bounds::of(observation.unseen()));
        View::of(observation, &Style::STANDARD, sight).choose()
    }
}

impl<'a> View<'a> {
    #[inline(always)]
    fn of(observation: &'a Observation<'a>, style: &'a Style, sight: Sight<'a>) -> Self {
        Self {
            observation,
            rules: observation.rules(),
            style,
            weights: style.weights.of(observation),
            sight,
            kinds: OnceCell::new(),
            next: OnceCell::new(),
            patience: OnceCell::new(),
            point: OnceCell::new(),
        }
    }

    #[inline(always)]
    fn kinds(&self) -> &KindTable {
        self.kinds.get_or_init(|| KindTable::of(self.rules))
    }

    /// How long the round will last: 1 as long as no other seat is near its end.
    #[inline(always)]
    fn patience(&self) -> f32 {
        *self.patience.get_or_init(|| {
            match self.observation.others().map(|seat| self.observation.hand_len(seat)).min() {
                Some(1) => self.weights.patience_one,
                Some(2) => self.weights.patience_two,
                _ => 1.0,
            }
        })
    }

    /// What a point less in the own hand counts.
    #[inline(always)]
    fn point(&self) -> f32 {
        *self.point.get_or_init(|| worth_of_a_point(self.observation, self.style, self.weights))
    }

    #[inline(always)]
    fn choose(&self) -> Action {
        match self.observation.decision() {
            Decision::Turn => self.choose_turn(),
            Decision::Drawn(Some(drawn)) => self.choose_drawn(drawn),
            Decision::NameColor(then) => Action::NameColor(self.best_color(then)),
            Decision::Challenge { by, color_before, sum } => self.answer_draw_four(by, color_before, sum),
            Decision::Cheese => self.answer_cheese(),
            Decision::Stack(_) => self.best_legal_play().unwrap_or(Action::Draw),
            Decision::Swap => self.choose_swap(),
            Decision::Lap(passes) => self.choose_lap(passes),
            Decision::Target => self.choose_target(),
            Decision::Discard(color) => self.choose_discard(color),
            Decision::Protect(color) => self.choose_protection(color),
            Decision::Drawn(None) | Decision::Over => draw_or_what_is_left(self.observation),
        }
    }

    #[inline(always)]
    fn choose_turn(&self) -> Action {
        let playable = self.observation.playable();
        let Some(best) = self.best_play(playable) else { return draw_or_what_is_left(self.observation) };
        // A coloured card that can be played is played; a wild may be better kept.
        let only_wilds = (playable & self.rules.colored()).is_empty();
        if only_wilds && best.value < self.value_of_drawing() && self.observation.may_draw() {
            return Action::Draw;
        }
        best.action
    }

    #[inline(always)]
    fn choose_drawn(&self, drawn: Card) -> Action {
        let best = self.best_play(CardSet::of(drawn)).expect("the drawn card");
        let is_wild = !self.rules.colored().contains(drawn);
        if is_wild && best.value < self.value_of_keeping() && may_keep(self.observation, drawn) {
            return Action::Keep;
        }
        best.action
    }

    #[inline(always)]
    fn other(&self, seat: Seat) -> Other {
        if seat == self.observation.next_seat(self.observation.seat()) { *self.next() } else { self.look_at(seat) }
    }

    #[inline(always)]
    fn next(&self) -> &Other {
        self.next.get_or_init(|| self.look_at(self.observation.next_seat(self.observation.seat())))
    }

    #[inline(always)]
    fn look_at(&self, seat: Seat) -> Other {
        let observation = self.observation;
        let hand_len = observation.hand_len(seat);
        let (known, bounds) = match self.sight {
            Sight::WhatLiesOpen(unseen) => (Cards::EMPTY, unseen),
            Sight::WhatWasSeen(possible) => (observation.known(seat), possible.of(seat)),
        };
        let unknown = PossibleHand::new(bounds, hand_len.saturating_sub(known.len()));
        Other { hand_len, known: known.distinct(), unknown, side: if self.side().contains(seat) { -1.0 } else { 1.0 } }
    }

    /// The own seat and those of partners.
    fn side(&self) -> SeatSet {
        side_of(self.rules.parameters().teams, self.observation.seat())
    }
}

/// What a point less in the own hand counts beside the round itself.
#[inline(always)]
fn worth_of_a_point(observation: &Observation<'_>, Style { goal, .. }: &Style, weights: &Weights) -> f32 {
    let everybody_is_charged = observation.rules().parameters().scoring != Scoring::WinnerTakes;
    let has_begun = || observation.scores().iter().any(|&score| score > 0);
    match goal {
        Goal::Win => 0.0,
        Goal::Points | Goal::Match if everybody_is_charged => weights.charge,
        Goal::Match if !has_begun() => 0.0,
        Goal::Points | Goal::Match => weights.point,
    }
}
