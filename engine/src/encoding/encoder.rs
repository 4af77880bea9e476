//! [`Encoding`]: the layout of rows and the table of actions for a variant and a number of players.

use serde_json::{Value, json};

use super::actions::ActionTable;
use super::history;
use super::layout::{DECISIONS, Layout};
use crate::action::Action;
use crate::rng::GENERATOR_ID;
use crate::rules::Rules;

/// The name of this layout. It changes with every change of a byte.
pub const LAYOUT_ID: &str = "unolab-obs-v1";

/// The kind of a seat's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodedDecision {
    /// The ordinary decision of the observation.
    Ordinary,
    /// Whether to call UNO with this action, which the seat has chosen.
    Call(Action),
    /// Whether to call late or to catch, while a window is open.
    Window,
    /// Whether to play an identical card out of turn.
    JumpIn,
}

/// Encodes the observations of a variant with a given number of players as bytes.
#[derive(Debug, Clone)]
pub struct Encoding {
    pub(super) layout: Layout,
    pub(super) actions: ActionTable,
}

impl Encoding {
    /// The encoding of these rules for a number of players, with the last `history` events in each row.
    #[must_use]
    pub fn new(rules: &Rules, seats: usize, history: usize) -> Self {
        let copies = rules.cards().map(|card| rules.deck().count(card)).max().unwrap_or(0);
        let copies = u8::try_from(copies).unwrap_or(u8::MAX);
        let decisions = DECISIONS.len() - usize::from(rules.most_options() == 0);
        let layout = Layout::new(rules.kinds().len(), copies, seats, decisions, history);
        Self { layout, actions: ActionTable::new(rules, seats) }
    }

    /// Bytes of a row.
    #[must_use]
    pub const fn obs_size(&self) -> usize {
        self.layout.size()
    }

    /// The number of actions; their ids are the numbers below it.
    #[must_use]
    pub const fn num_actions(&self) -> usize {
        self.actions.len()
    }

    /// The actions by their ids.
    #[must_use]
    pub const fn actions(&self) -> &ActionTable {
        &self.actions
    }

    /// The parts of a row.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Everything that determines the meaning of the bytes, with keys in alphabetical order: the layout, the actions, the
    /// rules.
    #[must_use]
    pub fn spec(&self, rules: &Rules) -> Value {
        let cards: Vec<&str> = rules.cards().map(|card| rules.code(card)).collect();
        json!({
            "layout": LAYOUT_ID,
            "blocks": self.layout.blocks(),
            "events": history::spec(rules.kinds().len(), self.layout.seats(), rules.most_options()),
            "obs_size": self.obs_size(),
            "decisions": self.layout.decisions(),
            "cards": cards,
            "actions": self.actions.names(rules),
            "seats": self.layout.seats(),
            "history": self.layout.num_events(),
            "variant": rules.name(),
            "rules": rules.to_toml(),
            "rules_hash": rules.hash(),
            "generator": GENERATOR_ID,
        })
    }
}
