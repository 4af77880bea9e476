//! [`Book`]: data kept once for a whole table.

use unolab_engine::event::{Event, EventSink as _};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::MAX_SEATS;
use unolab_engine::state::RoundState;

use crate::possible::PossibleCards;

/// What the seats of a table know beyond what lies open.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// What each has been shown.
    pub(super) knowledge: Knowledge,
    /// What each can tell of the others by what they did, if anybody wants to know.
    pub(super) possible: Option<PossibleCards>,
}

impl Book {
    #[inline(always)]
    pub(super) fn note(&mut self, rules: &Rules, scores: &[u32; MAX_SEATS], state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        if let Some(possible) = &mut self.possible {
            let observation = Observation::of(rules, state, &self.knowledge, scores, state.dealer());
            possible.observe_for_all(event, state, &observation);
        }
    }
}
