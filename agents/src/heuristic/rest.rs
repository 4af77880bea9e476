//! [`Rest`]: a hand with counts that are used repeatedly.

use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::rules::Rules;

use crate::choices::color_counts;

/// The cards that stay in hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest {
    pub(super) cards: Cards,
    /// The number of cards.
    pub(super) len: u32,
    /// The number of coloured cards.
    pub(super) colored: u32,
    of_color: [u32; 4],
    /// The number of colours among them.
    pub(super) colors: u32,
}

impl Rest {
    #[inline(always)]
    pub(super) fn of(rules: &Rules, cards: Cards) -> Self {
        let of_color = color_counts(rules, cards);
        let colored = of_color[0] + of_color[1] + of_color[2] + of_color[3];
        let mut colors = 0;
        for count in of_color {
            colors += u32::from(count > 0);
        }
        Self { cards, len: cards.len(), colored, of_color, colors }
    }

    /// The same without this card, of which there is one at least.
    #[inline(always)]
    pub(super) fn without(&self, rules: &Rules, card: Card) -> Self {
        let mut rest = *self;
        rest.cards.remove(card);
        rest.len -= 1;
        if let Some(color) = rules.color_of(card) {
            let left = &mut rest.of_color[color.index()];
            *left -= 1;
            rest.colors -= u32::from(*left == 0);
            rest.colored -= 1;
        }
        rest
    }

    /// The number of cards of this colour.
    #[inline(always)]
    pub(super) const fn of_color(&self, color: Color) -> u32 {
        self.of_color[color.index()]
    }

    /// The number of coloured cards of these kinds.
    #[inline(always)]
    pub(super) fn colored_among(&self, rules: &Rules, kinds: CardSet) -> u32 {
        self.cards.len_of(kinds & rules.colored())
    }
}
