//! `random`: uniform choice, in three forms whose win shares differ by several percentage points.

use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::cpu::{Generic, Isa};
use unolab_engine::fast::{AnswerPolicy, Bluffs, TurnPolicy};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{DiscardChoice, Features, Rules};

use crate::agent::{Agent, EventSubscription};

/// The set over which a random agent is uniform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uniform {
    /// Distinct playable cards, then the color. Draws only if no card is playable, and plays a playable drawn card.
    Cards,
    /// The same, but each copy in hand counts.
    Copies,
    /// All legal actions of the engine, including voluntary draws and keeps.
    Actions,
}

/// Plays at random, including bluffs: every legal card counts as playable.
#[derive(Debug, Clone)]
pub struct Random {
    uniform: Uniform,
    rng: Rng,
    /// The color to name if the card just picked names one.
    color: Color,
}

impl Random {
    /// An agent with its own stream.
    #[must_use]
    pub const fn new(uniform: Uniform, rng: Rng) -> Self {
        Self { uniform, rng, color: Color::Red }
    }

    /// The current state of its stream.
    #[must_use]
    pub(crate) const fn stream(&self) -> &Rng {
        &self.rng
    }

    /// The same for an agent that has finished.
    #[inline(always)]
    pub(crate) fn into_stream(self) -> Rng {
        self.rng
    }

    /// The color chosen with the card that it has just picked.
    #[inline(always)]
    pub(crate) const fn color(&self) -> Color {
        self.color
    }

    /// Whether it is uniform over cards, and not over all actions.
    #[inline(always)]
    pub(crate) fn is_uniform_over_cards(&self) -> bool {
        self.uniform != Uniform::Actions
    }

    fn choose_turn(&mut self, observation: &Observation<'_>) -> Action {
        let playable = observation.playable();
        if playable.is_empty() {
            return if observation.can_draw() { Action::Draw } else { Action::Pass };
        }
        self.play_one_of(observation, playable)
    }

    fn play_one_of(&mut self, observation: &Observation<'_>, playable: CardSet) -> Action {
        let card = self.pick::<Generic>(observation.rules(), observation.hand(), playable);
        if observation.rules().names_color().contains(card) && !observation.hand().is_single() {
            Action::PlayNaming(card, self.color)
        } else {
            Action::Play(card)
        }
    }

    #[inline]
    fn any_color(&mut self) -> Color {
        Color::from_index(self.rng.below(4) as usize)
    }

    fn one_of(&mut self, actions: &[Action]) -> Action {
        actions[self.rng.choice(u32::try_from(actions.len()).expect("few actions")) as usize]
    }

    /// [`Random::choose_otherwise`] for the decisions of special cards, without a list of actions.
    #[inline(always)]
    fn choose_at_special_card(&mut self, observation: &Observation<'_>) -> Option<Action> {
        let of_color = |color| observation.hand().distinct() & observation.rules().of_color(color);
        Some(match observation.decision() {
            Decision::Target => {
                let others = observation.seats().without(observation.seat());
                let number = self.rng.choice(u32::try_from(others.len()).expect("at most ten seats"));
                Action::Target(others.iter().nth(number as usize)?)
            }
            Decision::Protect(color) => {
                let cards = of_color(color);
                Action::Protect(cards.nth(self.rng.choice(cards.len())))
            }
            Decision::Cheese => {
                let cards = of_color(Color::Yellow);
                let may_take = cards.is_empty() || observation.rules().parameters().cheese_may_refuse;
                match self.rng.choice(cards.len() + u32::from(may_take)) {
                    number if number == cards.len() => Action::Take,
                    number => self.play_one_of(observation, CardSet::of(cards.nth(number))),
                }
            }
            Decision::Discard(color) => {
                let cards = of_color(color);
                let may_not = observation.rules().parameters().discard_choice == DiscardChoice::AllOrNone;
                match self.rng.choice(cards.len() + u32::from(may_not)) {
                    number if number == cards.len() => Action::DiscardNone,
                    number => Action::DiscardAll(cards.nth(number)),
                }
            }
            Decision::Lap(_) => return self.answer_lap(),
            _ => return None,
        })
    }

    /// Uniform over legal actions in which a play counts once, regardless of the color it names.
    fn choose_otherwise(&mut self, observation: &Observation<'_>) -> Action {
        let mut actions = observation.legal_actions();
        actions.dedup_by(|a, b| a.card().is_some() && a.card() == b.card());
        match self.one_of_by_copies(observation, &actions) {
            Action::Play(card) | Action::PlayNaming(card, _) => self.play_one_of(observation, CardSet::of(card)),
            other => other,
        }
    }

    fn one_of_by_copies(&mut self, observation: &Observation<'_>, actions: &[Action]) -> Action {
        if self.uniform != Uniform::Copies {
            return self.one_of(actions);
        }
        let hand = observation.hand();
        let weighted: Vec<Action> = actions
            .iter()
            .flat_map(|&action| {
                let weight = action.card().map_or(1, |card| hand.count(card).max(1) as usize);
                std::iter::repeat_n(action, weight)
            })
            .collect();
        self.one_of(&weighted)
    }
}

impl TurnPolicy for Random {
    const BLUFFS: Bluffs = Bluffs::Freely;

    /// One random number determines card and color together, whether the color is needed or not.
    #[inline(always)]
    fn pick<M: Isa>(&mut self, _rules: &Rules, hand: Cards, playable: CardSet) -> Card {
        if self.uniform == Uniform::Copies {
            let copies = hand.only(playable);
            let choice = self.rng.below(4 * copies.len());
            self.color = Color::from_index(choice as usize);
            return copies.nth_on::<M>(choice / 4);
        }
        playable.choose_on::<M>(|len| {
            let choice = self.rng.below(4 * len);
            self.color = Color::from_index(choice as usize);
            choice / 4
        })
    }

    #[inline(always)]
    fn name(&mut self, _rules: &Rules, _rest: Cards) -> Color {
        self.color
    }
}

impl AnswerPolicy for Random {
    #[inline(always)]
    fn answer_draw_four(&mut self, rules: &Rules) -> Option<Action> {
        let has_other_answers = rules.features().contains(Features::STACKING);
        (!has_other_answers).then(|| if self.rng.below(2) == 0 { Action::Challenge } else { Action::Accept })
    }

    #[inline(always)]
    fn protect<M: Isa>(&mut self, shields: CardSet) -> Option<Card> {
        (self.uniform == Uniform::Cards).then(|| shields.nth_on::<M>(self.rng.choice(shields.len())))
    }

    #[inline(always)]
    fn answer_lap(&mut self) -> Option<Action> {
        Some(if self.rng.choice(2) == 0 { Action::KeepHand } else { Action::Rotate })
    }

    #[inline(always)]
    fn name_color(&mut self) -> Option<Color> {
        Some(self.any_color())
    }
}

impl Agent for Random {
    #[inline(always)]
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        if self.uniform == Uniform::Actions {
            return self.one_of(&observation.legal_actions());
        }
        match observation.decision() {
            Decision::Turn => self.choose_turn(observation),
            Decision::Drawn(Some(card)) => self.play_one_of(observation, CardSet::of(card)),
            Decision::Challenge { .. } if !observation.rules().features().contains(Features::STACKING) => {
                if self.rng.below(2) == 0 { Action::Challenge } else { Action::Accept }
            }
            Decision::NameColor(_) => Action::NameColor(self.any_color()),
            _ if self.uniform == Uniform::Cards => {
                let by_list = cfg!(debug_assertions).then(|| self.clone().choose_otherwise(observation));
                match self.choose_at_special_card(observation) {
                    Some(action) => {
                        debug_assert!(by_list.is_none_or(|expected| expected == action));
                        action
                    }
                    None => self.choose_otherwise(observation),
                }
            }
            _ => self.choose_otherwise(observation),
        }
    }

    fn call(&mut self, _observation: &Observation<'_>, _action: Action) -> Call {
        if self.rng.below(2) == 0 { Call::Silent } else { Call::Uno }
    }

    fn interrupt(&mut self, _observation: &Observation<'_>, options: &[Action]) -> Action {
        let choice = self.rng.below(u32::try_from(options.len()).expect("few options") + 1) as usize;
        options.get(choice).copied().unwrap_or(Action::Silent)
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}
