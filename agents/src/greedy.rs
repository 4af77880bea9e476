//! `greedy`: the playable card with the highest points.

use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::cpu::{Generic, Isa};
use unolab_engine::fast::{Bluffs, TurnPolicy};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{FeatureSet, Features, Rules};
use unolab_engine::state::Phase;

use crate::agent::{Agent, EventSubscription};
use crate::choices::{draw_or_what_is_left, most_frequent_color, play_naming};
use crate::heuristic;
use crate::heuristic::stateless::{self, DrawFourCounts};

/// Plays the highest card; see the module.
#[derive(Debug, Clone)]
pub struct Greedy {
    rng: Rng,
}

impl Greedy {
    /// An agent with its own stream.
    #[must_use]
    pub const fn new(rng: Rng) -> Self {
        Self { rng }
    }

    /// The answer to a draw four that cannot be answered by a card, or to a special card; `None` at other decisions. The
    /// counts are reused for the seats that answer the same draw four.
    #[inline(always)]
    pub(crate) fn choose_answer<P: FeatureSet>(
        &mut self,
        phase: Phase,
        observation: &Observation<'_>,
        counted: &mut Option<DrawFourCounts>,
    ) -> Option<Action> {
        match phase {
            Phase::Challenge(_) if counted.is_some_and(|counted| counted.is_unchallenged) => Some(Action::Accept),
            Phase::Challenge(draw_four) => stateless::answer_draw_four_on::<P::Isa>(observation, &draw_four, counted),
            _ if !P::MAY_HAVE.contains(Features::STEPS) => None, // there is neither a Villain nor a button
            Phase::Protect(protection) => Some(stateless::protect_on::<P::Isa>(observation, protection.color)),
            Phase::Target(_) | Phase::Discard(_) => P::Isa::outline_kernel(stateless::AnswerToButton(observation)),
            Phase::Lap(passes) => Some(stateless::choose_lap_on::<P::Isa>(observation, passes)),
            Phase::NameColor(_) => {
                Some(Action::NameColor(P::Isa::outline(|| self.name(observation.rules(), observation.hand()))))
            }
            _ => None,
        }
    }

    fn play_one_of(&mut self, observation: &Observation<'_>, playable: CardSet) -> Action {
        let card = self.pick::<Generic>(observation.rules(), observation.hand(), playable);
        play_naming(observation, card, |rest| most_frequent_color(observation.rules(), rest, &mut self.rng))
    }

    #[inline(never)] // turns use the fast path; answers to draw fours remain
    fn choose_as_defined(&mut self, observation: &Observation<'_>) -> Action {
        match observation.decision() {
            Decision::Drawn(Some(drawn)) => match observation.legitimately_playable() & CardSet::of(drawn) {
                CardSet::EMPTY => Action::Keep,
                playable => self.play_one_of(observation, playable),
            },
            Decision::NameColor(_) => {
                Action::NameColor(most_frequent_color(observation.rules(), observation.hand(), &mut self.rng))
            }
            _ => match observation.legitimately_playable() {
                CardSet::EMPTY => draw_or_what_is_left(observation),
                playable => self.play_one_of(observation, playable),
            },
        }
    }
}

impl TurnPolicy for Greedy {
    const BLUFFS: Bluffs = Bluffs::Never;

    #[inline(always)]
    fn pick<M: Isa>(&mut self, rules: &Rules, _hand: Cards, playable: CardSet) -> Card {
        let highest = rules.highest_of(playable);
        highest.nth_on::<M>(self.rng.below(highest.len()))
    }

    #[inline(always)]
    fn name(&mut self, rules: &Rules, rest: Cards) -> Color {
        most_frequent_color(rules, rest, &mut self.rng)
    }
}

impl Agent for Greedy {
    #[inline]
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        match observation.decision() {
            Decision::Turn | Decision::Drawn(_) | Decision::NameColor(_) => self.choose_as_defined(observation),
            _ => heuristic::choose(observation),
        }
    }

    fn call(&mut self, _observation: &Observation<'_>, _action: Action) -> Call {
        Call::Uno
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}
