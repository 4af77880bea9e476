//! [`Implication`]: what the rules imply about a hand. `HandLimits`: the kinds that each of its cards cannot be.

use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::seat::Seat;

/// What the rules imply about a hand: an action was legal, or a decision was not asked, only because of the hand. Every seat can
/// conclude it from what it has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Implication {
    /// The seat that holds the hand.
    pub seat: Seat,
    /// The conclusion.
    pub conclusion: Conclusion,
    /// The kinds of card of the conclusion.
    pub kinds: CardSet,
}

/// A conclusion about the cards of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conclusion {
    /// No card is of these kinds, except perhaps the newest cards.
    Lacks {
        /// The number of newest cards that are excepted.
        since: u8,
    },
    /// At least one card is of these kinds, not counting the newest cards.
    Holds {
        /// The number of newest cards that are not counted.
        since: u8,
    },
    /// The newest card is of none of these kinds.
    NewestIsNot,
    /// The newest card is of one of these kinds.
    NewestIs,
}

/// A place for each card of a hand, with the kinds that the card there cannot be. The places are in the order in which the cards
/// came, except that a card that must be of certain kinds comes first.
///
/// Which card of the hand was played is not seen, so it is taken to be one for which most remains possible for the others. Every
/// deal within the limits is possible, but in rare cases not every possible deal is within the limits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct HandLimits(Vec<CardSet>);

impl HandLimits {
    /// A hand of this size, of which nothing is concluded.
    pub(crate) fn none(hand_len: u32) -> Self {
        Self(vec![CardSet::EMPTY; hand_len as usize])
    }

    /// A hand of this size that contains these cards.
    pub(crate) fn containing(known: Cards, hand_len: u32, deck: CardSet) -> Self {
        let mut limits: Vec<CardSet> = known.iter().map(|card| deck - CardSet::of(card)).collect();
        limits.resize(hand_len as usize, CardSet::EMPTY);
        Self(limits)
    }

    /// The excluded kinds of each place.
    pub(crate) fn places(&self) -> &[CardSet] {
        &self.0
    }

    pub(crate) fn is_none(&self) -> bool {
        self.0.iter().all(|excluded| excluded.is_empty())
    }

    /// Applies a conclusion; `deck` are all kinds.
    pub(crate) fn conclude(&mut self, conclusion: Conclusion, kinds: CardSet, deck: CardSet) {
        let older = |since: u8| self.0.len().saturating_sub(since.into());
        match conclusion {
            Conclusion::Lacks { since } => {
                let older = older(since);
                self.0[..older].iter_mut().for_each(|excluded| exclude(excluded, kinds, deck));
            }
            Conclusion::Holds { since } => {
                let older = older(since);
                let places = &mut self.0[..older];
                if places.iter().any(|&excluded| (deck - excluded - kinds).is_empty()) {
                    return; // it follows from earlier conclusions
                }
                // The card that can be most of these kinds is one of them; of several, the oldest.
                let place = (0..places.len()).rev().max_by_key(|&place| (kinds - places[place]).len());
                if let Some(place) = place {
                    exclude(&mut places[place], deck - kinds, deck);
                    places[..=place].rotate_right(1);
                }
            }
            Conclusion::NewestIsNot => self.0.last_mut().into_iter().for_each(|it| exclude(it, kinds, deck)),
            Conclusion::NewestIs => self.0.last_mut().into_iter().for_each(|it| exclude(it, deck - kinds, deck)),
        }
    }

    /// A card enters the hand that is of none of these kinds.
    pub(crate) fn gain(&mut self, excluded: CardSet) {
        self.0.push(excluded);
    }

    /// The newest card leaves. Returns the kinds that it could not be.
    pub(crate) fn lose_newest(&mut self) -> CardSet {
        self.0.pop().unwrap_or_default()
    }

    /// A card of this kind leaves.
    pub(crate) fn lose(&mut self, card: Card) {
        if let Some(place) = fitting_place(self.0.iter().map(|&excluded| Some(excluded)), card) {
            self.0.remove(place);
        }
    }
}

/// Excludes more kinds. If no kind would be left, an earlier conclusion was about a card that has left the hand unseen; what is
/// certain of a card stays.
fn exclude(excluded: &mut CardSet, kinds: CardSet, deck: CardSet) {
    if (deck - *excluded - kinds).any() {
        *excluded |= kinds;
    } else if (deck - *excluded).len() > 1 {
        *excluded = kinds;
    }
}

/// Of these places, the first for this card that excludes no fewer kinds than any other: that leaves most possible for the others. If
/// all exclude the card, the one that excludes fewest kinds. `None` is a place that is taken.
pub(crate) fn fitting_place(excluded: impl Iterator<Item = Option<CardSet>> + Clone, card: Card) -> Option<usize> {
    let open = excluded.enumerate().filter_map(|(place, excluded)| Some((place, excluded?)));
    let fitting = open.clone().filter(|(_, excluded)| !excluded.contains(card));
    let excludes_more = |other: CardSet, excluded: CardSet| other != excluded && (excluded - other).is_empty();
    let is_first =
        |(_, excluded): &(usize, CardSet)| !fitting.clone().any(|(_, other)| excludes_more(other, *excluded));
    let place = fitting.clone().find(is_first).or_else(|| open.min_by_key(|(_, excluded)| excluded.len()));
    place.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECK: CardSet = CardSet(0b1_1111);

    fn limits(places: &[u64]) -> HandLimits {
        HandLimits(places.iter().map(|&kinds| CardSet(kinds)).collect())
    }

    #[test]
    fn conclusions_exclude_kinds_of_their_places() {
        let concluded = |conclusion, kinds| {
            let mut of = limits(&[0b1, 0, 0]);
            of.conclude(conclusion, CardSet(kinds), DECK);
            of
        };
        assert_eq!(concluded(Conclusion::Lacks { since: 0 }, 0b110), limits(&[0b111, 0b110, 0b110]));
        assert_eq!(concluded(Conclusion::Lacks { since: 1 }, 0b110), limits(&[0b111, 0b110, 0]));
        assert_eq!(concluded(Conclusion::NewestIsNot, 0b110), limits(&[0b1, 0, 0b110]));
        assert_eq!(concluded(Conclusion::NewestIs, 0b110), limits(&[0b1, 0, 0b1_1001]));
        // The second card can be both kinds, the first only one of them.
        assert_eq!(concluded(Conclusion::Holds { since: 0 }, 0b011), limits(&[0b1_1100, 0b1, 0]));
        assert_eq!(concluded(Conclusion::Holds { since: 2 }, 0b110), limits(&[0b1_1001, 0, 0]));
        assert_eq!(concluded(Conclusion::Holds { since: 0 }, 0b1_1110), limits(&[0b1, 0, 0]), "the first is one");
    }

    #[test]
    fn played_card_leaves_the_place_with_most_excluded_kinds() {
        let mut of = limits(&[0, 0b10, 0b110, 0b1]);
        of.lose(Card::new(0));
        assert_eq!(of, limits(&[0, 0b10, 0b1]));
        of.lose(Card::new(1));
        assert_eq!(of, limits(&[0, 0b10]));
        of.lose(Card::new(1));
        assert_eq!(of, limits(&[0b10]));
    }

    #[test]
    fn contradiction_keeps_the_later_conclusion_and_certain_cards() {
        let mut of = limits(&[0b111, 0b1_1110]);
        of.conclude(Conclusion::Lacks { since: 0 }, CardSet(0b1_1001), DECK);
        assert_eq!(of, limits(&[0b1_1001, 0b1_1110]));
    }
}
