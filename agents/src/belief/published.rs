//! What the search agents infer in the published studies.
//!
//! The studies were played when every seat received the event that another seat kept a drawn card, and when samples ignored what the
//! rules imply about earlier actions. To make search agents infer as everything else does, delete this module, and replay the studies.

use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::cpu::Isa;
use unolab_engine::rng::Rng;
use unolab_engine::seat::Seat;
use unolab_engine::state::{Dealing, LimitUse};

use crate::agent::EventSubscription;

/// The events of search agents, and of the information sets of exact solutions. To be replaced by [`EventSubscription::Events`].
pub const SUBSCRIPTION: EventSubscription = EventSubscription::EventsWithKeptCards;

/// Deals that ignore what the rules imply. To be replaced by the dealing itself.
pub(crate) struct WithoutImplications<D>(pub(crate) D);

impl<D: Dealing> Dealing for WithoutImplications<D> {
    fn use_of_limits(&self) -> LimitUse {
        LimitUse::None
    }

    #[inline]
    fn next_card<M: Isa>(&mut self, seat: Seat, heap: Cards, len: u32, rng: &mut Rng) -> Card {
        self.0.next_card::<M>(seat, heap, len, rng)
    }
}
