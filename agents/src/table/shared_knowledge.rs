//! [`SharedKnowledge`]: knowledge that a table stores once for all seats.

use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::BySeat;
use unolab_engine::state::{EventSink as _, RoundState};

use crate::possible::PossibleCards;

/// The knowledge of the seats of a table beyond the open cards.
#[derive(Debug, Default)]
pub(super) struct SharedKnowledge {
    /// The cards that each seat has seen.
    pub(super) knowledge: Knowledge,
    /// The bounds of each hand by the actions so far, if an agent uses them.
    pub(super) possible: Option<PossibleCards>,
}

impl SharedKnowledge {
    /// Adds the information of an event.
    #[inline(always)]
    pub(super) fn update(&mut self, rules: &Rules, scores: &BySeat<u32>, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        if let Some(possible) = &mut self.possible {
            let observation = Observation::of(rules, state, &self.knowledge, scores, state.dealer());
            possible.observe_for_all(event, state, &observation);
        }
    }
}
