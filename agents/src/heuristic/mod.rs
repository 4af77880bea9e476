//! `heuristic`: a rule-based player for every decision of every variant.
//!
//! Each action gets a value: a sum of named terms with named [`Weights`]. The terms describe which cards the rest of the hand
//! can follow, which cards are better kept, which seat the card hits, and which seat acts next: how many cards it holds, and
//! how likely it has no playable card, given the cards that it can still hold ([`PossibleCards`]).

mod answers;
mod changed_hands;
mod chosen_option;
mod remaining_hand;
pub(crate) mod stateless;
mod turn;
mod weights;

use std::cell::Cell;
use std::hint::cold_path;
use std::marker::PhantomData;
use std::sync::Arc;

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::cpu::{Isa, Kernel, dispatch};
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rules::{KindTable, Rules, Scoring, Teams};
use unolab_engine::scoring::side_of;
use unolab_engine::seat::{Seat, SeatSet};

use crate::agent::{Agent, EventSubscription};
use crate::choices::{draw_or_what_is_left, may_keep};
use crate::goal::Goal;
use crate::in_turn::TurnDecision;
use crate::possible::{Bounds, PossibleCards, PossibleHand, SeatPossibleCards};
use remaining_hand::RemainingHand;
pub use weights::{TableWeights, Weights};

/// How an agent is configured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// Its goal.
    pub goal: Goal,
    /// The weights of the terms.
    pub weights: TableWeights,
}

impl Style {
    /// The default style of `heuristic`.
    pub const STANDARD: Self = Self { goal: Goal::Match, weights: TableWeights::STANDARD };
}

/// Plays by the value of the result of each action; see the module. It is deterministic: of equal actions it takes the first.
#[derive(Debug, Clone)]
pub struct Heuristic {
    style: Arc<Style>,
    /// Its own bounds, if it receives the events and does not read the table's bounds.
    possible: Option<Box<PossibleCards>>,
}

impl Heuristic {
    /// An agent for one game.
    #[must_use]
    pub const fn new(style: Arc<Style>) -> Self {
        Self { style, possible: None }
    }

    /// The same choice by bounds that the caller maintains.
    pub(crate) fn choose_by(&self, observation: &Observation<'_>, possible: &PossibleCards) -> Action {
        self.choice(observation, possible).make()
    }

    /// The same in a turn, also with the card just drawn; compiled for this instruction set.
    #[inline(always)]
    pub(crate) fn choose_in_turn<M: Isa>(&self, turn: &TurnDecision<'_>, possible: &PossibleCards) -> Action {
        obvious(turn).unwrap_or_else(|| {
            if M::IS_COMMON {
                M::outline_kernel(ChoiceAtTable { heuristic: self, turn, possible })
            } else {
                M::outline_kernel(PlayChoice::in_turn(self.choice(turn.observation, possible), turn))
            }
        })
    }

    /// The same at a decision that cannot be answered by a play.
    #[inline(always)]
    pub(crate) fn choose_answer<M: Isa>(&self, observation: &Observation<'_>, possible: &PossibleCards) -> Action {
        M::outline_kernel(Answer(self.choice(observation, possible)))
    }

    #[inline(always)]
    fn choice<'a>(&'a self, observation: &'a Observation<'a>, possible: &'a PossibleCards) -> Choice<'a> {
        Choice { observation, style: &self.style, remembers: Memory::Possible(possible) }
    }
}

impl Agent for Heuristic {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let mut possible = self.possible.take().unwrap_or_default();
        possible.settle(observation);
        let action = self.choose_by(observation, &possible);
        self.possible = Some(possible);
        action
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.possible.get_or_insert_default().begin(observation);
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.possible.get_or_insert_default().observe(seen, observation);
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Events
    }
}

/// An answer to any decision from only the open cards and the hand. Other agents use it for decisions that their definition
/// does not cover; agents without memory then answer identically at any table.
#[must_use]
pub fn choose(observation: &Observation<'_>) -> Action {
    Choice::stateless(observation).make()
}

/// The answer of `heuristic` in its usual style, without knowledge of earlier events.
pub(crate) fn choose_without_history(observation: &Observation<'_>) -> Action {
    Choice { observation, style: &Style::STANDARD, remembers: Memory::Shown }.make()
}

/// The player's memory of the round.
#[derive(Clone, Copy)]
enum Memory<'a> {
    /// No memory, not even of cards that it has been shown.
    Nothing,
    /// Only of cards that it has been shown.
    Shown,
    /// Of cards that it has been shown, and of the cards that others can hold given their actions.
    Possible(&'a PossibleCards),
}

/// A decision, with the knowledge and the style of the player.
#[derive(Clone, Copy)]
struct Choice<'a> {
    observation: &'a Observation<'a>,
    style: &'a Style,
    remembers: Memory<'a>,
}

impl<'a> Choice<'a> {
    /// In the usual style, by an agent without memory.
    #[inline(always)]
    fn stateless(observation: &'a Observation<'a>) -> Self {
        Self { observation, style: &Style::STANDARD, remembers: Memory::Nothing }
    }

    /// Chooses with code compiled for this instruction set, because it counts many bits. All code that counts must be
    /// compiled for it, so it is inlined. A closure, or code that is called through a closure, may not be inlined.
    fn make(self) -> Action {
        if !matches!(self.observation.decision(), Decision::Turn | Decision::Drawn(Some(_))) {
            let cards = self.answering_cards();
            return if cards.any() {
                dispatch(PlayChoice { choice: self, cards, instead: WildAlternative::Nothing })
            } else {
                dispatch(Answer(self))
            };
        }
        let turn = &TurnDecision::of(self.observation);
        obvious(turn).unwrap_or_else(|| dispatch(PlayChoice::in_turn(self, turn)))
    }
}

/// The action in a turn without a choice: a playable colored card is played.
#[inline(always)]
fn obvious(turn: &TurnDecision<'_>) -> Option<Action> {
    let rules = turn.observation.rules();
    match turn.plays.first() {
        None => Some(turn.draw_or_what_is_left()),
        Some(only) if turn.plays == CardSet::of(only) => {
            (rules.colored() - rules.names_color()).contains(only).then_some(Action::Play(only))
        }
        Some(_) => None,
    }
}

/// The choice of one of these cards to play.
struct PlayChoice<'a> {
    choice: Choice<'a>,
    cards: CardSet,
    instead: WildAlternative,
}

/// The alternatives to playing a wild that is better kept.
#[derive(Debug, Clone, Copy)]
enum WildAlternative {
    /// In a turn, to draw.
    Draw,
    /// To keep this card, just drawn.
    Keep(Card),
    /// In an answer, nothing.
    Nothing,
}

impl<'a> PlayChoice<'a> {
    #[inline(always)]
    fn in_turn(choice: Choice<'a>, turn: &TurnDecision<'_>) -> Self {
        Self { choice, cards: turn.plays, instead: turn.drawn.map_or(WildAlternative::Draw, WildAlternative::Keep) }
    }
}

impl Kernel for PlayChoice<'_> {
    type Output = Action;
    #[inline(always)]
    fn run<M: Isa>(self) -> Action {
        View::<M>::of(self.choice).choose_play(self.cards, self.instead)
    }
}

/// The same with the bounds that a table maintains; a specialized copy.
struct ChoiceAtTable<'a> {
    heuristic: &'a Heuristic,
    turn: &'a TurnDecision<'a>,
    possible: &'a PossibleCards,
}

impl Kernel for ChoiceAtTable<'_> {
    type Output = Action;
    #[inline(always)]
    fn run<M: Isa>(self) -> Action {
        let Self { heuristic, turn, possible } = self;
        PlayChoice::in_turn(heuristic.choice(turn.observation, possible), turn).run::<M>()
    }
}

/// Every decision except the turn and the card just drawn, if no play is an answer.
struct Answer<'a>(Choice<'a>);

impl Kernel for Answer<'_> {
    type Output = Action;
    #[inline(always)]
    fn run<M: Isa>(self) -> Action {
        View::<M>::of(self.0).answer()
    }
}

/// The source of knowledge about other hands.
#[derive(Clone, Copy)]
enum HandSource<'a> {
    /// Every hand may hold all cards that are unseen now.
    Unseen(Bounds),
    /// Bounds from the events of the round.
    Possible(SeatPossibleCards<'a>),
}

/// A decision, and all data for its evaluation.
struct View<'a, M> {
    observation: &'a Observation<'a>,
    rules: &'a Rules,
    kinds: &'a KindTable,
    style: &'a Style,
    weights: &'a Weights,
    remembers: Memory<'a>,
    /// Computed only if a decision needs it.
    patience_found: Cell<Option<f32>>,
    machine: PhantomData<M>,
}

/// The data that all plays of a decision share.
struct Situation<'a> {
    hand: RemainingHand,
    sight: HandSource<'a>,
    next: Other,
    hand_of_next: HiddenHand,
    /// The weight of one point less in the hand.
    point: f32,
}

/// Another seat.
#[derive(Debug, Clone, Copy)]
struct Other {
    seat: Seat,
    hand_len: u32,
    /// 1 for opponents; negative for partners.
    side: f32,
    /// The value if it has no playable card when it acts next.
    holding: f32,
}

/// The cards that another seat may be unable to follow.
#[derive(Debug, Clone, Copy)]
struct HiddenHand {
    /// The cards that it certainly holds.
    known: CardSet,
    /// The possible rest of its hand.
    unknown: PossibleHand,
}

impl HiddenHand {
    /// The probability that no card of it can follow.
    #[inline(always)]
    fn chance_to_follow_nothing(&self, followers: CardSet) -> f64 {
        let can_surely_follow = (self.known & followers).any();
        if can_surely_follow { 0.0 } else { self.unknown.chance_to_follow_nothing(followers) }
    }
}

impl<'a, M: Isa> View<'a, M> {
    #[inline(always)]
    fn of(Choice { observation, style, remembers }: Choice<'a>) -> Self {
        let rules = observation.rules();
        Self {
            observation,
            rules,
            kinds: rules.kind_table(),
            style,
            weights: style.weights.of(observation),
            remembers,
            patience_found: Cell::new(None),
            machine: PhantomData,
        }
    }

    /// An estimate of the remaining length of the round: 1 while no other seat is near its end.
    #[inline(always)]
    fn patience(&self) -> f32 {
        if let Some(patience) = self.patience_found.get() {
            return patience;
        }
        let patience = match self.observation.fewest_cards_of_others_below(3) {
            1 => self.weights.patience_one,
            2 => self.weights.patience_two,
            _ => 1.0,
        };
        self.patience_found.set(Some(patience));
        patience
    }

    /// The weight of one point less in the hand.
    #[inline(always)]
    fn point(&self) -> f32 {
        worth_of_a_point(self.observation, self.style, self.weights)
    }

    #[inline(always)]
    fn situation(&self, hand: Cards) -> Situation<'a> {
        let sight = self.sight(hand);
        let next = self.other(self.observation.next_seat(self.observation.seat()));
        let (hand_of_next, point) = (self.hidden_hand(&sight, next), self.point());
        Situation { hand: RemainingHand::of(self.rules, hand), sight, next, hand_of_next, point }
    }

    /// Every decision except the turn and the card just drawn, if no play is an answer.
    #[inline(always)]
    fn answer(&self) -> Action {
        match self.observation.decision() {
            Decision::NameColor(then) => Action::NameColor(self.best_color(then)),
            Decision::Challenge { by, color_before, sum } => self.answer_draw_four(by, color_before, sum),
            Decision::Cheese => Action::Take,
            Decision::Stack(_) => Action::Draw,
            Decision::Swap => self.choose_swap(),
            Decision::Lap(passes) => self.choose_lap(passes),
            Decision::Target => self.choose_target(),
            Decision::Discard(color) => self.choose_discard(color),
            Decision::Protect(color) => self.choose_protection(color),
            Decision::Choice(cursor) => chosen_option::choose_option(self.observation, cursor),
            Decision::Turn | Decision::Drawn(_) | Decision::Over => draw_or_what_is_left(self.observation),
        }
    }

    /// Plays one of these cards, or does something instead.
    #[inline(always)]
    fn choose_play(&self, cards: CardSet, instead: WildAlternative) -> Action {
        let situation = self.situation(self.observation.hand_in_turn());
        let best = self.best_play(&situation, cards).expect("one of the cards");
        if (cards & self.rules.colored()).any() {
            return best.action;
        }
        match instead {
            WildAlternative::Draw if best.value < self.value_of_drawing(&situation) && self.observation.may_draw() => {
                Action::Draw
            }
            WildAlternative::Keep(drawn)
                if best.value < self.value_of_keeping(&situation) && may_keep(self.observation, drawn) =>
            {
                Action::Keep
            }
            _ => best.action,
        }
    }

    /// A lower bound on the value of leaving any seat without a playable card, at most 0.
    #[inline(always)]
    fn least_holding(&self) -> f32 {
        let weights = self.weights;
        let holds = [weights.hold, weights.hold_two, weights.hold_one];
        let least = holds.into_iter().fold(0.0, smaller);
        if self.has_partners() { smaller(least, -holds.into_iter().fold(0.0, larger)) } else { least }
    }

    #[inline(always)]
    fn has_partners(&self) -> bool {
        self.rules.parameters().teams != Teams::None
    }

    /// The bounds on the other hands, with this own hand.
    #[inline(always)]
    fn sight(&self, hand: Cards) -> HandSource<'a> {
        match self.remembers {
            Memory::Nothing | Memory::Shown => HandSource::Unseen(Bounds::of(self.observation.unseen())),
            Memory::Possible(possible) => HandSource::Possible(possible.for_hand(self.observation.seat(), hand)),
        }
    }

    #[inline(always)]
    fn other(&self, seat: Seat) -> Other {
        let side = if self.has_partners() && self.side().contains(seat) { -1.0 } else { 1.0 };
        let hand_len = self.observation.hand_len(seat);
        let holding = match hand_len {
            1 => self.weights.hold_one,
            2 => self.weights.hold_two,
            _ => self.weights.hold,
        };
        Other { seat, hand_len, side, holding: side * holding }
    }

    #[inline(always)]
    fn hidden_hand(&self, sight: &HandSource<'_>, Other { seat, hand_len, .. }: Other) -> HiddenHand {
        let bounds = match sight {
            HandSource::Unseen(unseen) => *unseen,
            HandSource::Possible(possible) => possible.of(seat),
        };
        let (known, unknown_len) = match self.remembers {
            Memory::Shown | Memory::Possible(_) if self.observation.has_been_shown(seat) => {
                cold_path();
                let known = self.observation.known(seat);
                (known.distinct(), hand_len.saturating_sub(known.len()))
            }
            _ => (CardSet::EMPTY, hand_len),
        };
        HiddenHand { known, unknown: PossibleHand::new(bounds, unknown_len) }
    }

    /// The agent's seat and those of partners.
    #[inline(always)]
    fn side(&self) -> SeatSet {
        side_of(self.rules.parameters().teams, self.observation.seat())
    }
}

/// The weight of one point less in the hand, relative to winning the round.
#[inline(always)]
fn worth_of_a_point(observation: &Observation<'_>, Style { goal, .. }: &Style, weights: &Weights) -> f32 {
    let all_are_charged = observation.rules().parameters().scoring != Scoring::WinnerTakes;
    let has_begun = || observation.scores().iter().fold(0, |any, &score| any | score) > 0;
    match goal {
        Goal::Win => 0.0,
        Goal::Points | Goal::Match if all_are_charged => weights.charge,
        Goal::Match if !has_begun() => 0.0,
        Goal::Points | Goal::Match => weights.point,
    }
}

/// The larger of two numbers, in one instruction: [`f32::max`] also checks for NaN.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller of two numbers.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
