//! [`Mark`]: a note or a fault of an agent.

use unolab::record::Fault;
use unolab::seat::Seat;

/// A note or a fault of an agent, and its place in the game: before this action of this round, both from 0.
#[derive(Debug, Clone)]
pub struct Mark {
    pub(super) round: usize,
    pub(super) action: usize,
    pub(super) what: MarkKind,
}

#[derive(Debug, Clone)]
pub(super) enum MarkKind {
    Note(String),
    Fault {
        player: Seat,
        fault: Fault,
        /// The description; empty if the game was resumed.
        reason: String,
    },
}

impl Mark {
    /// A note on this action.
    #[must_use]
    pub fn note(round: usize, action: usize, note: &str) -> Self {
        Self { round, action, what: MarkKind::Note(note.into()) }
    }

    /// A recorded fault of this player before this action.
    #[must_use]
    pub fn fault(round: usize, action: usize, player: Seat, fault: &Fault) -> Self {
        Self { round, action, what: MarkKind::Fault { player, fault: fault.clone(), reason: String::new() } }
    }
}
