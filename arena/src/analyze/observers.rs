//! [`Observers`]: one observer for every seat, with the view of this seat.

use unolab_agents::agent::Observer;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::{EventSink as _, RoundState};

/// The observers of a round. They receive every event, as agents at a table do.
pub(super) struct Observers<T> {
    seats: Vec<(Seat, T)>,
    has_begun: bool,
}

impl<T: Observer> Observers<T> {
    pub(super) const fn new() -> Self {
        Self { seats: Vec::new(), has_begun: false }
    }

    /// A round is dealt. Returns whether there is an observer for every seat.
    pub(super) fn begin_round(&mut self, seats: SeatSet, mut make: impl FnMut(Seat) -> Option<T>) -> bool {
        self.has_begun = false;
        self.seats = seats.iter().filter_map(|seat| Some((seat, make(seat)?))).collect();
        self.seats.len() == seats.len()
    }

    /// A seat acts; before the first action, the round begins for the observers.
    pub(super) fn round_has_begun(
        &mut self,
        rules: &Rules,
        state: &RoundState,
        knowledge: &Knowledge,
        scores: &BySeat<u32>,
    ) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        for (seat, observer) in &mut self.seats {
            observer.begin(&Observation::of(rules, state, knowledge, scores, *seat));
        }
    }

    /// An event that the seats have not observed yet.
    pub(super) fn observe(
        &mut self,
        rules: &Rules,
        state: &RoundState,
        knowledge: &Knowledge,
        scores: &BySeat<u32>,
        event: Event,
    ) {
        if !self.has_begun {
            return;
        }
        let mut knowledge = knowledge.clone();
        knowledge.on_event(state, event);
        for (seat, observer) in &mut self.seats {
            let observation = Observation::of(rules, state, &knowledge, scores, *seat);
            observer.receive(event, &observation);
        }
    }

    /// The observer of a seat.
    pub(super) fn at(&mut self, seat: Seat) -> Option<&mut T> {
        self.seats.iter_mut().find(|(of, _)| *of == seat).map(|(_, observer)| observer)
    }
}
