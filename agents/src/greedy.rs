//! `greedy`: the playable card with the highest points.

use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::machine::{Baseline, Machine};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::state::{Bluffs, EagerPlayer};

use crate::agent::{Agent, Eager, Memory};
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
        let card = self.pick::<Baseline>(observation.rules(), observation.hand(), playable);
        play_naming(observation, card, &mut self.rng, most_frequent_color)
    }
}

impl EagerPlayer for Greedy {
    const BLUFFS: Bluffs = Bluffs::Never;

    #[inline(always)]
    fn pick<M: Machine>(&mut self, rules: &Rules, _hand: Cards, playable: CardSet) -> Card {
        let highest = rules.highest_of(playable);
        highest.nth_on::<M>(self.rng.below(highest.len()))
    }

    fn name(&mut self, rules: &Rules, rest: Cards) -> Color {
        most_frequent_color(rules, rest, &mut self.rng)
    }
}

impl Agent for Greedy {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        match observation.decision() {
            Decision::Turn => match observation.honestly_playable() {
                CardSet::EMPTY => draw_or_what_is_left(observation),
                playable => self.play_one_of(observation, playable),
            },
            Decision::Drawn(Some(card)) => match keep_dishonest(observation, card) {
                Some(keep) => keep,
                None => self.play_one_of(observation, CardSet::of(card)),
            },
            _ => heuristic::choose(observation, &mut self.rng),
        }
    }

    #[inline(always)]
    fn eager(&mut self) -> Option<Eager<'_>> {
        Some(Eager::Greedy(self))
    }

    fn call(&mut self, _observation: &Observation<'_>, _action: Action) -> Call {
        Call::Uno
    }

    fn memory(&self) -> Memory {
        Memory::Nothing
    }
}

/// Nothing may honestly be played: draw; where there is nothing to draw, whatever is left, a pass before a bluff.
pub(crate) fn draw_or_what_is_left(observation: &Observation<'_>) -> Action {
    if observation.may_draw() {
        return Action::Draw;
    }
    *observation.legal_actions().last().expect("there is always a legal action")
}

/// Keeps a drawn draw four that would be a bluff, where it may be kept.
pub(crate) fn keep_dishonest(observation: &Observation<'_>, drawn: Card) -> Option<Action> {
    let is_bluff = !observation.honestly_playable().contains(drawn);
    (is_bluff && observation.legal_actions().contains(&Action::Keep)).then_some(Action::Keep)
}

/// Plays the card; if it names a colour, the one that `choose_color` says for the hand without it.
pub(crate) fn play_naming(
    observation: &Observation<'_>,
    card: Card,
    rng: &mut Rng,
    choose_color: impl Fn(&Rules, Cards, &mut Rng) -> Color,
) -> Action {
    let mut rest = observation.hand();
    rest.remove(card);
    if observation.rules().names_color().contains(card) && !rest.is_empty() {
        Action::PlayNaming(card, choose_color(observation.rules(), rest, rng))
    } else {
        Action::Play(card)
    }
}

/// The colour most frequent among the coloured cards of the hand; any, if there are none.
pub(crate) fn most_frequent_color(rules: &Rules, hand: Cards, rng: &mut Rng) -> Color {
    let counts = Color::ALL.map(|color| hand.only(rules.of_color(color)).len());
    let most = counts.into_iter().max().unwrap_or(0);
    let tied = Color::ALL.into_iter().filter(|color| counts[color.index()] == most);
    #[expect(clippy::cast_possible_truncation, reason = "at most four")]
    let number = tied.clone().count() as u32;
    tied.clone().nth(rng.choice(number) as usize).expect("one of the tied")
}
