//! [`FeatureTracker`]: the knowledge and the memory of a seat that uses the net.

use std::sync::Arc;

use unolab_engine::action::Action;
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;

use super::history::History;
use super::layout::KindSlots;
use crate::heuristic::{Heuristic, Style};
use crate::possible::PossibleCards;

/// The knowledge and the memory of a seat that uses the net.
#[derive(Debug, Clone)]
pub struct FeatureTracker {
    pub(super) kind_slots: KindSlots,
    heuristic: Heuristic,
    pub(super) possible: PossibleCards,
    pub(super) history: History,
}

impl FeatureTracker {
    /// A tracker for one game of these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            kind_slots: KindSlots::of(rules),
            heuristic: Heuristic::new(Arc::new(Style::STANDARD)),
            possible: PossibleCards::new(),
            history: History::default(),
        }
    }

    /// Starts a round.
    pub fn begin_round(&mut self, observation: &Observation<'_>) {
        self.possible.begin(observation);
        self.history = History::default();
    }

    /// Updates the memory by an event.
    pub fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.possible.observe(seen, observation);
        self.history.observe(seen, observation);
    }

    /// The action that `heuristic` would take.
    pub fn hint(&mut self, observation: &Observation<'_>) -> Action {
        self.possible.settle(observation);
        self.heuristic.choose_by(observation, &self.possible)
    }
}
