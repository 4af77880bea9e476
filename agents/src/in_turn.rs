//! [`TurnDecision`]: the decision of a turn, or about the card just drawn, with the playable cards.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::observation::Observation;

use crate::choices::draw_or_what_is_left;

/// The decision of a turn. The playable cards are looked up once, for the choice and for the check of the answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TurnDecision<'a> {
    pub(crate) observation: &'a Observation<'a>,
    /// The playable cards, bluffs included.
    pub(crate) plays: CardSet,
    /// The card just drawn, if the decision is about it.
    pub(crate) drawn: Option<Card>,
}

impl<'a> TurnDecision<'a> {
    /// The turn of the seat to act, or the card that it has just drawn.
    #[inline(always)]
    pub(crate) fn of(observation: &'a Observation<'a>) -> Self {
        let drawn = observation.drawn();
        let plays = drawn.map_or_else(|| observation.playable(), CardSet::of);
        Self { observation, plays, drawn }
    }

    /// The answer if no card can be played, or only as a bluff: drawing is then allowed, if a card can be drawn.
    #[inline(always)]
    pub(crate) fn draw_or_what_is_left(&self) -> Action {
        debug_assert_eq!(self.observation.may_draw(), self.observation.can_draw());
        if self.observation.can_draw() { Action::Draw } else { draw_or_what_is_left(self.observation) }
    }

    /// Whether this is one of the usual legal answers: a play that names a color exactly if the card asks for one and is not
    /// the last, or a draw if no card can be played.
    #[inline(always)]
    pub(crate) fn is_usual(&self, action: Action) -> bool {
        let names_color = self.observation.rules().names_color();
        match action {
            Action::Play(card) => (self.plays - names_color).contains(card),
            Action::PlayNaming(card, _) => {
                (self.plays & names_color).contains(card) && !self.observation.hand_in_turn().is_single()
            }
            Action::Draw => self.plays.is_empty() && self.observation.can_draw(),
            _ => false,
        }
    }
}
