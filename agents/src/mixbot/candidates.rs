//! [`Candidates`]: the plays among which the tie-breaks choose.

use unolab_engine::card::{Card, CardSet};
use unolab_engine::color::Color;
use unolab_engine::rules::Rules;

/// One play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) card: Card,
    /// The color it names with the play, if it names one.
    pub(super) names: Option<Color>,
}

/// The colors that a play can name.
pub(super) const NAMES_OF_PLAYS: [Option<Color>; 5] =
    [None, Some(Color::ALL[0]), Some(Color::ALL[1]), Some(Color::ALL[2]), Some(Color::ALL[3])];

/// The number of these if no play names a color.
pub(super) const NAMELESS: usize = 1;

/// The number of these if some plays name a color.
pub(super) const ANY: usize = NAMES_OF_PLAYS.len();

/// "Distinct playable cards within limits, each wild once for every color": the cards by the color that they name, for the
/// first of [`NAMES_OF_PLAYS`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidates<const NAMES: usize>(pub(super) [CardSet; NAMES]);

impl<const NAMES: usize> Candidates<NAMES> {
    /// No play.
    pub(super) const NONE: Self = Self([CardSet::EMPTY; NAMES]);

    /// Plays of these cards, of which some name a color.
    #[inline(always)]
    pub(super) fn of(cards: CardSet, names_color: CardSet) -> Self {
        let mut candidates = Self([cards & names_color; NAMES]);
        candidates.0[0] = cards - names_color;
        candidates
    }

    /// The cards, with any named color.
    #[inline(always)]
    pub(super) fn cards(&self) -> CardSet {
        let mut cards = CardSet::EMPTY;
        for of_name in self.0 {
            cards |= of_name;
        }
        cards
    }

    #[inline(always)]
    pub(super) fn len(&self) -> u32 {
        let mut len = 0;
        for of_name in self.0 {
            len += of_name.len();
        }
        len
    }

    /// The cards of these colors, and wilds that name one of these colors or none; all candidates if there are none.
    #[inline(always)]
    pub(super) fn preferred(self, rules: &Rules, colors: [bool; 4], to_name: [bool; 4]) -> Self {
        let mut of_colors = CardSet::EMPTY;
        for color in Color::ALL {
            if colors[color.index()] {
                of_colors |= rules.of_color(color);
            }
        }
        let mut preferred = Self::NONE;
        for ((kept, cards), names) in preferred.0.iter_mut().zip(self.0).zip(NAMES_OF_PLAYS) {
            let may_be_wild = names.is_none_or(|color| to_name[color.index()]);
            let wilds = if may_be_wild { cards - rules.colored() } else { CardSet::EMPTY };
            *kept = cards & of_colors | wilds;
        }
        if preferred.cards().is_empty() { self } else { preferred }
    }

    /// The candidate at `index`, in the order of cards and then of named colors.
    #[inline(always)]
    pub(super) fn nth(&self, index: u32) -> Candidate {
        let mut before = 0;
        for card in self.cards() {
            for (cards, names) in self.0.into_iter().zip(NAMES_OF_PLAYS) {
                if cards.contains(card) {
                    if before == index {
                        return Candidate { card, names };
                    }
                    before += 1;
                }
            }
        }
        unreachable!("an index below their number")
    }
}
