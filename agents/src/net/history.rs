//! [`History`]: the net's memory of the other players' actions, in addition to the cards that they can hold.

use unolab_engine::action::Action;
use unolab_engine::color::Color;
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::observation::Observation;
use unolab_engine::seat::{MAX_SEATS, Seat};

/// The actions of one seat in this round.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SeatHistory {
    /// The color that it named last.
    pub(super) named: Option<Color>,
    /// The number of cards of each color that it played.
    pub(super) played: [u8; 4],
}

/// The actions of every seat with its current hand.
#[derive(Debug, Clone, Default)]
pub(super) struct History([SeatHistory; MAX_SEATS]);

impl History {
    pub(super) fn of(&self, seat: Seat) -> &SeatHistory {
        &self.0[seat.index()]
    }

    pub(super) fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        match seen {
            VisibleEvent::Open(Event::Acted { seat, action, .. }) => {
                let seat_history = &mut self.0[seat.index()];
                if let Action::PlayNaming(_, color) | Action::NameColor(color) = action {
                    seat_history.named = Some(color);
                }
                if let Action::Play(card) = action
                    && let Some(color) = observation.rules().color_of(card)
                {
                    let played = &mut seat_history.played[color.index()];
                    *played = played.saturating_add(1);
                }
            }
            // The seats have other hands, without recorded actions.
            VisibleEvent::HiddenRedeal { .. }
            | VisibleEvent::Open(Event::Swapped(..) | Event::Rotated { .. } | Event::Redealt { .. }) => {
                *self = Self::default();
            }
            VisibleEvent::Open(_) | VisibleEvent::HiddenDraw { .. } | VisibleEvent::HiddenMove { .. } => {}
        }
    }
}
