//! [`DecisionView`]: one decision from the view of the seat that uses the net.

use unolab_engine::action::Action;
use unolab_engine::card::CardSet;
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{MAX_SEATS, Seat};

use super::feature_tracker::FeatureTracker;
use crate::possible::{Bounds, PossibleHand};

/// One decision.
pub(super) struct DecisionView<'a> {
    pub(super) tracker: &'a FeatureTracker,
    pub(super) observation: &'a Observation<'a>,
    pub(super) rules: &'a Rules,
    pub(super) hint: Action,
    pub(super) decision: Decision,
    pub(super) honest: CardSet,
    pub(super) unseen: Cards,
    /// The colors by number of cards in hand, most frequent first.
    by_number: [Color; 4],
    hands: [PossibleHand; MAX_SEATS],
}

impl<'a> DecisionView<'a> {
    pub(super) fn new(tracker: &'a FeatureTracker, observation: &'a Observation<'a>, hint: Action) -> Self {
        let rules = observation.rules();
        let hand = observation.hand();
        let mut by_number = Color::ALL;
        by_number.sort_by_key(|&color| std::cmp::Reverse(hand.len_of(rules.of_color(color))));
        let nothing = PossibleHand::new(Bounds::default(), 0);
        let mut hands = [nothing; MAX_SEATS];
        let possible = tracker.possible.for_seat(observation);
        for seat in observation.others() {
            let unknown = observation.hand_len(seat).saturating_sub(observation.known(seat).len());
            hands[seat.index()] = possible.hand_of(seat, unknown);
        }
        Self {
            tracker,
            observation,
            rules,
            hint,
            decision: observation.decision(),
            honest: observation.legitimately_playable(),
            unseen: observation.unseen(),
            by_number,
            hands,
        }
    }

    /// The probability that a seat has none of these, as a level.
    pub(super) fn lacks(&self, seat: Seat, kinds: CardSet) -> f64 {
        if (self.observation.known(seat).distinct() & kinds).any() {
            return 0.0;
        }
        self.hands[seat.index()].chance_to_follow_nothing(kinds)
    }

    /// The colors by slot.
    pub(super) fn slots(&self, first: Option<Color>) -> [Color; 4] {
        let mut slots = self.by_number;
        if let Some(place) = slots.iter().position(|&color| Some(color) == first) {
            slots[..=place].rotate_right(1);
        }
        slots
    }
}
