//! [`Tree`]: the game tree of a round of two seats.

use std::cell::RefCell;
use std::collections::HashMap;

use unolab_engine::action::Action;
use unolab_engine::chance_enumerator::ChanceEnumerator;
use unolab_engine::event::Event;
use unolab_engine::round::{Deal, DecisionKind, Round};
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;
use unolab_engine::state::{EventSink, RoundState};

use super::information_set::InformationSet;
use crate::belief::published;

/// A round whose chance outcomes the tree enumerates.
pub type TreeRound<'a> = Round<&'a Rules, &'a RefCell<ChanceEnumerator>>;

/// The two seats.
pub const SEATS: [Seat; 2] = [Seat::new(0), Seat::new(1)];

/// The maximum number of deals, which are all held in memory.
const MOST_DEALS: usize = 20_000;

/// The game tree of a round of two seats. Seat 0 deals. A round is truncated after `turns` turns: each seat then gets half of
/// the win.
#[derive(Debug)]
pub struct Tree<'a> {
    rules: &'a Rules,
    turns: u32,
    odometer: &'a RefCell<ChanceEnumerator>,
    limit: u64,
    visited: u64,
}

/// Why a tree cannot be enumerated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The number of seats is not two.
    #[error("the rules are for {seats} seats; exact values are for 2")]
    Seats {
        /// The number of seats.
        seats: usize,
    },
    /// A card is returned to the deck when it is turned up, so deals could repeat without end.
    #[error("{card} cannot be the start card; allowed: decks in which every card can be the start card")]
    CannotStart {
        /// The card in the notation.
        card: String,
    },
    /// Too many deals.
    #[error("more than {MOST_DEALS} deals; allowed: a deck of a few kinds and hands of two or three cards")]
    TooManyDeals,
    /// Too many positions.
    #[error(
        "more than {limit} positions; allowed: a smaller deck, smaller hands (deal.hand_size), fewer turns, or a higher limit"
    )]
    TooManyPositions {
        /// The limit.
        limit: u64,
    },
}

/// A path of the tree, with its probability by chance and by the followed policies.
#[derive(Debug, Clone)]
pub struct WeightedRound<'a> {
    /// The current round.
    pub round: TreeRound<'a>,
    /// The probability.
    pub weight: f64,
    /// The events that each seat has seen and its choices.
    pub stories: [InformationSet; 2],
}

/// The end of a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TreeEnd {
    /// By the rules, with this share of the win for each seat.
    Shares([f64; 2]),
    /// It was truncated.
    Cut,
}

impl<'a> Tree<'a> {
    /// The tree of these rules; one traversal may visit `limit` positions.
    ///
    /// # Errors
    /// The rules are for more seats than two, or a card of the deck cannot be a start card.
    pub fn new(
        rules: &'a Rules,
        turns: u32,
        limit: u64,
        odometer: &'a RefCell<ChanceEnumerator>,
    ) -> Result<Self, TreeError> {
        let seats = rules.num_players();
        if seats != SEATS.len() {
            return Err(TreeError::Seats { seats });
        }
        if let Some(card) = rules.deck().distinct().into_iter().find(|&card| !rules.can_start(card)) {
            return Err(TreeError::CannotStart { card: rules.code(card).to_string() });
        }
        Ok(Self { rules, turns, odometer, limit, visited: 0 })
    }

    /// The positions visited since the last [`Tree::deals`].
    #[must_use]
    pub const fn visited(&self) -> u64 {
        self.visited
    }

    /// Every deal, with its probability.
    ///
    /// # Errors
    /// There are too many.
    pub fn deals(&mut self) -> Result<Vec<WeightedRound<'a>>, TreeError> {
        self.visited = 0;
        let mut deals: Vec<WeightedRound<'_>> = Vec::new();
        let mut by_stories: HashMap<[InformationSet; 2], usize> = HashMap::new();
        self.odometer.replace(ChanceEnumerator::default());
        loop {
            // Cards are dealt one by one; orders with the same hands are one deal.
            let round = Round::deal_by(self.rules, Deal::first(SEATS.len(), SEATS[0]), self.odometer);
            let weight = self.odometer.borrow().probability();
            let stories = SEATS.map(|seat| {
                let beginning = InformationSet::beginning((seat, round.state().hand(seat)));
                round.history(seat).fold(beginning, |story, seen| story.and(seen))
            });
            match by_stories.get(&stories) {
                Some(&same) => deals[same].weight += weight,
                None if deals.len() == MOST_DEALS => return Err(TreeError::TooManyDeals),
                None => {
                    by_stories.insert(stories, deals.len());
                    deals.push(WeightedRound { round, weight, stories });
                }
            }
            self.count()?;
            if !self.odometer.borrow_mut().advance() {
                return Ok(deals);
            }
        }
    }

    /// The worlds after this answer to the decision, one for each chance outcome. Their weights do not include the
    /// probability of the answer.
    ///
    /// # Errors
    /// Too many positions have been visited.
    ///
    /// # Panics
    /// If the answer is not legal.
    pub fn after(
        &mut self,
        world: &WeightedRound<'a>,
        action: Action,
        probability: f64,
    ) -> Result<Vec<WeightedRound<'a>>, TreeError> {
        let actor = world.round.current_seat();
        let mut worlds = Vec::new();
        loop {
            let mut round = world.round.clone();
            let mut events = Events::default();
            round.apply_with_events(action, &mut events).expect("the answer is legal");
            let weight = world.weight * probability * self.odometer.borrow().probability();
            let mut stories = world.stories;
            let is_hand_seen = events
                .0
                .iter()
                .any(|event| matches!(event, Event::Showed { .. } | Event::Swapped(..) | Event::Rotated { .. }));
            for (seat, story) in SEATS.into_iter().zip(&mut stories) {
                if actor == Some(seat) {
                    *story = story.and(action.id().index());
                }
                let seen = events.0.iter().filter_map(|&event| published::SUBSCRIPTION.received(event, seat));
                *story = seen.fold(*story, |story, seen| story.and(seen));
                if is_hand_seen {
                    // The event does not contain the cards of the hand, but the seat sees them.
                    let observation = round.observation(seat);
                    *story =
                        story.and(SEATS.map(|of| if of == seat { observation.hand() } else { observation.known(of) }));
                }
            }
            worlds.push(WeightedRound { round, weight, stories });
            self.count()?;
            if !self.odometer.borrow_mut().advance() {
                return Ok(worlds);
            }
        }
    }

    /// The end of the round of this world; `None` if it is not over.
    pub(super) fn end(&self, world: &WeightedRound<'a>) -> Option<TreeEnd> {
        match world.round.decision() {
            None => {
                let returns = world.round.returns();
                Some(TreeEnd::Shares([returns[0], returns[1]]))
            }
            Some(decision) if decision.kind == DecisionKind::Turn && world.round.turns() >= self.turns => {
                Some(TreeEnd::Cut)
            }
            Some(_) => None,
        }
    }

    fn count(&mut self) -> Result<(), TreeError> {
        self.visited += 1;
        if self.visited <= self.limit {
            return Ok(());
        }
        self.odometer.replace(ChanceEnumerator::default());
        Err(TreeError::TooManyPositions { limit: self.limit })
    }
}

#[derive(Default)]
struct Events(Vec<Event>);

impl EventSink for Events {
    fn on_event(&mut self, _state: &RoundState, event: Event) {
        self.0.push(event);
    }
}
