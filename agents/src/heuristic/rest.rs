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
    pub(super) of_colors: ColorCounts,
}

impl Rest {
    #[inline(always)]
    pub(super) fn of(rules: &Rules, cards: Cards) -> Self {
        Self { cards, len: cards.len(), of_colors: ColorCounts::of_cards(rules, cards) }
    }

    /// The same without this card, of which there is one at least.
    #[inline(always)]
    pub(super) fn without(&self, rules: &Rules, card: Card) -> Self {
        let mut cards = self.cards;
        cards.take(card);
        Self { cards, len: self.len - 1, of_colors: self.of_colors.without(rules.color_of(card)) }
    }

    /// The number of coloured cards of these kinds.
    #[inline(always)]
    pub(super) fn colored_among(&self, rules: &Rules, kinds: CardSet) -> u32 {
        self.cards.len_of(kinds & rules.colored())
    }
}

/// The number of cards of each colour, in sixteen bits each: so all fit into a register.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColorCounts(u64);

impl ColorCounts {
    /// One of each colour.
    const ONE_EACH: u64 = 0x0001_0001_0001_0001;

    #[inline(always)]
    fn of_cards(rules: &Rules, cards: Cards) -> Self {
        let counts = color_counts(rules, cards);
        let mut packed = 0;
        for color in Color::ALL {
            packed |= u64::from(counts[color.index()]) << Self::shift(color);
        }
        Self(packed)
    }

    #[inline(always)]
    const fn shift(color: Color) -> usize {
        16 * color.index()
    }

    /// The number of cards of this colour.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "sixteen bits")]
    pub(super) const fn of(self, color: Color) -> u32 {
        (self.0 >> Self::shift(color)) as u16 as u32
    }

    /// One less of this colour, if it is one.
    #[inline(always)]
    pub(super) const fn without(self, color: Option<Color>) -> Self {
        match color {
            Some(color) => Self(self.0 - (1 << Self::shift(color))),
            None => self,
        }
    }

    /// The number of cards of all colours.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "sixteen bits")]
    pub(super) const fn sum(self) -> u32 {
        (self.0.wrapping_mul(Self::ONE_EACH) >> 48) as u32
    }

    /// The number of colours of which there is a card.
    #[inline(always)]
    pub(super) const fn colors(self) -> u32 {
        const HIGHEST_BITS: u64 = 0x8000 * ColorCounts::ONE_EACH;
        // No count is as large as a highest bit, and adding one less than that sets it where the count is not 0.
        ((self.0 + (HIGHEST_BITS - Self::ONE_EACH)) & HIGHEST_BITS).count_ones()
    }
}
