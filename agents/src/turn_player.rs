//! [`TurnPlayer`]: an agent whose turns follow a [`TurnPolicy`], on the engine's fast path.

use std::fmt;

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::cpu::Generic;
use unolab_engine::fast::{Bluffs, TurnPolicy};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rules::Rules;
use unolab_engine::state::{Phase, RoundState};

use crate::agent::{Agent, EventSubscription};
use crate::choices::draw_or_what_is_left;
use crate::heuristic;

/// A policy that plays whole turns. It sees only its hand, and a table plays it faster than an agent that is asked with an
/// [`Observation`]; the games are the same. [`AgentFactory::turns`] registers it.
///
/// ```
/// use unolab_agents::registry::{AgentFactory, AgentRegistration, Registry};
/// use unolab_agents::turn_player::TurnAgent;
/// use unolab_engine::Rules;
/// use unolab_engine::card::{Card, CardSet};
/// use unolab_engine::cards::Cards;
/// use unolab_engine::color::Color;
/// use unolab_engine::cpu::Isa;
/// use unolab_engine::fast::{Bluffs, TurnPolicy};
///
/// /// Plays the card with the most points.
/// struct Highest;
///
/// impl TurnPolicy for Highest {
///     const BLUFFS: Bluffs = Bluffs::Never;
///
///     fn pick<M: Isa>(&mut self, rules: &Rules, _hand: Cards, playable: CardSet) -> Card {
///         playable.iter().max_by_key(|&card| rules.points(card)).expect("a playable card")
///     }
///
///     fn name(&mut self, rules: &Rules, rest: Cards) -> Color {
///         Color::ALL.into_iter().max_by_key(|&color| rest.len_of(rules.of_color(color))).expect("four colors")
///     }
/// }
///
/// impl TurnAgent for Highest {}
///
/// let registry = Registry::default().with(AgentRegistration {
///     name: "highest",
///     summary: "the card with the most points",
///     options: &[],
///     configure: |_, _| Ok(AgentFactory::turns(|_, _, _| Highest)),
/// });
/// assert!(registry.configure("highest").is_ok());
/// ```
///
/// [`AgentFactory::turns`]: crate::registry::AgentFactory::turns
pub trait TurnAgent: TurnPolicy + Send {
    /// The answer to a decision that is not about a turn, a card just drawn, or a color: one of the observation's legal
    /// actions. By default it is the answer of `heuristic`, which `greedy` also gives.
    fn answer(&mut self, observation: &Observation<'_>) -> Action {
        heuristic::choose(observation)
    }
}

/// Plays the turns of a [`TurnAgent`], and checks each card that it picks.
pub struct TurnPlayer {
    policy: Box<dyn AnyTurnAgent>,
    /// An illegal choice on the fast path, which becomes the answer to the next question.
    illegal: Option<Action>,
}

/// A [`TurnAgent`] of any type.
trait AnyTurnAgent: Send {
    /// The play in this turn; `None` if there is no card that it would play.
    fn play(&mut self, turn: &Turn<'_>) -> Option<Action>;

    fn name_color(&mut self, rules: &Rules, hand: Cards) -> Color;

    fn answer_otherwise(&mut self, observation: &Observation<'_>) -> Action;
}

/// The decision of a turn, or about the card just drawn.
struct Turn<'a> {
    rules: &'a Rules,
    hand: Cards,
    /// The cards that may be played, including bluffs.
    legal: CardSet,
    /// The cards that may be played without bluffing.
    honest: CardSet,
    drawn: Option<Card>,
}

impl<A: TurnAgent> AnyTurnAgent for A {
    fn play(&mut self, turn: &Turn<'_>) -> Option<Action> {
        let allowed = match A::BLUFFS {
            Bluffs::Freely => turn.legal,
            Bluffs::Never => turn.honest,
        };
        let playable = allowed & turn.drawn.map_or(allowed, CardSet::of);
        if playable.is_empty() {
            return None;
        }
        let card = self.pick::<Generic>(turn.rules, turn.hand, playable);
        if !turn.may_play(card) {
            return Some(Action::Play(card));
        }
        let mut rest = turn.hand;
        rest.remove(card);
        if !turn.rules.names_color().contains(card) || rest.is_empty() {
            return Some(Action::Play(card));
        }
        Some(Action::PlayNaming(card, self.name(turn.rules, rest)))
    }

    fn name_color(&mut self, rules: &Rules, hand: Cards) -> Color {
        self.name(rules, hand)
    }

    fn answer_otherwise(&mut self, observation: &Observation<'_>) -> Action {
        self.answer(observation)
    }
}

impl Turn<'_> {
    fn may_play(&self, card: Card) -> bool {
        self.legal.contains(card) && self.drawn.is_none_or(|drawn| drawn == card)
    }
}

impl TurnPlayer {
    /// The player of a policy.
    pub fn new(policy: impl TurnAgent + 'static) -> Self {
        Self { policy: Box::new(policy), illegal: None }
    }

    /// The action of the seat to act in its turn or with the card just drawn, if it is legal. After `None`, the player is
    /// asked with an observation.
    #[inline(never)] // the code of built-in players around it stays small
    pub(crate) fn choose_fast(&mut self, rules: &Rules, state: &RoundState) -> Option<Action> {
        if self.illegal.is_some() {
            return None;
        }
        let seat = state.current_seat()?;
        let legal = state.playable(rules, seat);
        let bluffs = legal & rules.draw_fours();
        let honest =
            if bluffs.is_empty() || state.is_draw_four_legitimate(rules, seat) { legal } else { legal - bluffs };
        let drawn = match state.phase() {
            Phase::Drawn(card) => Some(card),
            _ => None,
        };
        let turn = Turn { rules, hand: state.hand(seat), legal, honest, drawn };
        match self.policy.play(&turn) {
            Some(action) if action.card().is_some_and(|card| turn.may_play(card)) => Some(action),
            Some(illegal) => {
                self.illegal = Some(illegal);
                None
            }
            None if drawn.is_some() => Some(Action::Keep),
            None => state.can_draw().then_some(Action::Draw),
        }
    }
}

impl Agent for TurnPlayer {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        if let Some(illegal) = self.illegal.take() {
            return illegal;
        }
        let rules = observation.rules();
        let drawn = match observation.decision() {
            Decision::Turn => None,
            Decision::Drawn(Some(card)) => Some(card),
            Decision::NameColor(_) => return Action::NameColor(self.policy.name_color(rules, observation.hand())),
            _ => return self.policy.answer_otherwise(observation),
        };
        let [legal, honest] = [observation.playable(), observation.legitimately_playable()];
        let turn = Turn { rules, hand: observation.hand(), legal, honest, drawn };
        match (self.policy.play(&turn), drawn) {
            (Some(action), _) => action,
            (None, Some(_)) => Action::Keep,
            (None, None) => draw_or_what_is_left(observation),
        }
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}

impl fmt::Debug for TurnPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnPlayer").field("illegal", &self.illegal).finish_non_exhaustive()
    }
}
