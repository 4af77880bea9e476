//! `greedy`: the playable card with the highest points.

use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::cpu::{Generic, Isa};
use unolab_engine::fast::{Bluffs, TurnPolicy};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;

use crate::agent::{Agent, EventSubscription};
use crate::choices::{draw_or_what_is_left, most_frequent_color, play_naming};
use crate::heuristic;

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
