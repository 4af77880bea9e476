//! `diversity`: plays the colored card that the most kinds in hand could follow.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;

use crate::agent::{Agent, EventSubscription};
use crate::choices::{any_of, play_whenever_possible};
use crate::heuristic;

/// Plays the colored card that the most distinct colored kinds in hand could follow, itself counted. A wild counts 0,
/// so it is played only when no colored card can be.
#[derive(Debug, Clone)]
pub struct Diversity {
    rng: Rng,
}

impl Diversity {
    /// An agent with its own stream.
    #[must_use]
    pub const fn new(rng: Rng) -> Self {
        Self { rng }
    }
}

impl Agent for Diversity {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let rules = observation.rules();
        let colored_in_hand = observation.hand().distinct() & rules.colored();
        let could_follow = |card: Card| match rules.color_of(card) {
            Some(color) => (colored_in_hand & rules.can_follow(card, Some(color))).len(),
            None => 0,
        };
        let answer = play_whenever_possible(observation, &mut self.rng, |playable, rng| {
            any_of(most_by(playable, could_follow), rng)
        });
        answer.unwrap_or_else(|| heuristic::choose(observation))
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}

/// The cards for which `count` is highest.
fn most_by(cards: CardSet, count: impl Fn(Card) -> u32) -> CardSet {
    let (mut most, mut best) = (0, CardSet::EMPTY);
    for card in cards {
        let number = count(card);
        if number > most || best.is_empty() {
            (most, best) = (number, CardSet::of(card));
        } else if number == most {
            best |= CardSet::of(card);
        }
    }
    best
}
