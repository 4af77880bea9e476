//! [`Candidates`]: the plays among which the tie-breaks choose.

use unolab_engine::card::{Card, CardSet};
use unolab_engine::color::Color;
use unolab_engine::rules::Rules;

/// One play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) card: Card,
    /// The colour it names with the play, if it names one.
    pub(super) names: Option<Color>,
}

/// What a play can name.
const NAMES: [Option<Color>; 5] =
    [Some(Color::ALL[0]), Some(Color::ALL[1]), Some(Color::ALL[2]), Some(Color::ALL[3]), None];

/// "Distinct playable cards within limits, each wild once for every colour": the cards by what they name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidates([CardSet; NAMES.len()]);

impl Candidates {
    const NONE: Self = Self([CardSet::EMPTY; NAMES.len()]);

    /// Plays of these cards, of which some name a colour.
    #[inline(always)]
    pub(super) fn of(cards: CardSet, names_color: CardSet) -> Self {
        let naming = cards & names_color;
        Self([naming, naming, naming, naming, cards - names_color])
    }

    #[inline(always)]
    fn cards(&self) -> CardSet {
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

    /// The cards of these colours, and wilds that name one of those or none; all, if there are none.
    #[inline(always)]
    pub(super) fn preferred(self, rules: &Rules, colors: [bool; 4], to_name: [bool; 4]) -> Self {
        let mut of_colors = CardSet::EMPTY;
        for color in Color::ALL {
            if colors[color.index()] {
                of_colors |= rules.of_color(color);
            }
        }
        let mut preferred = Self::NONE;
        for i in 0..NAMES.len() {
            let may_be_wild = NAMES[i].is_none_or(|color| to_name[color.index()]);
            let wilds = if may_be_wild { self.0[i] - rules.colored() } else { CardSet::EMPTY };
            preferred.0[i] = self.0[i] & of_colors | wilds;
        }
        if preferred.cards().is_empty() { self } else { preferred }
    }

    /// Those of the highest score, which is never below 0.
    #[inline(always)]
    pub(super) fn highest(self, mut score: impl FnMut(Candidate) -> f64) -> Self {
        let (mut tied, mut highest) = (Self::NONE, 0.0);
        for i in 0..NAMES.len() {
            for card in self.0[i] {
                let score = score(Candidate { card, names: NAMES[i] });
                if score > highest {
                    (tied, highest) = (Self::NONE, score);
                }
                if score >= highest {
                    tied.0[i] |= CardSet::of(card);
                }
            }
        }
        tied
    }

    /// The candidate at `index`, card by card and then by what they name.
    #[inline(always)]
    pub(super) fn nth(&self, index: u32) -> Candidate {
        let mut before = 0;
        for card in self.cards() {
            for i in 0..NAMES.len() {
                if self.0[i].contains(card) {
                    if before == index {
                        return Candidate { card, names: NAMES[i] };
                    }
                    before += 1;
                }
            }
        }
        unreachable!("an index below their number")
    }
}
