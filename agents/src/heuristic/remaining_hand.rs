//! [`RemainingHand`]: a hand with counts that are used repeatedly.

use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::rules::Rules;

/// The cards that stay in hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct RemainingHand {
    pub(super) cards: Cards,
    /// The number of cards.
    pub(super) len: u32,
    /// The number of colors among them.
    pub(super) colors: u32,
}

impl RemainingHand {
    #[inline(always)]
    pub(super) fn of(rules: &Rules, cards: Cards) -> Self {
        let held = cards.distinct();
        let mut colors = 0;
        for color in Color::ALL {
            colors += u32::from((held & rules.of_color(color)).any());
        }
        Self { cards, len: cards.len(), colors }
    }

    /// The same without one copy of this card, which must be present.
    #[inline(always)]
    pub(super) fn without(&self, rules: &Rules, card: Card) -> Self {
        let mut rest = Self { len: self.len - 1, ..*self };
        rest.cards.take(card);
        if let Some(color) = rules.color_of(card) {
            let is_gone = (rest.cards.distinct() & rules.of_color(color)).is_empty();
            rest.colors -= u32::from(is_gone);
        }
        rest
    }

    /// The number of colored cards.
    #[inline(always)]
    pub(super) fn colored(&self, rules: &Rules) -> u32 {
        self.cards.len_of(rules.colored())
    }

    /// The number of colored cards of these kinds.
    #[inline(always)]
    pub(super) fn colored_among(&self, rules: &Rules, kinds: CardSet) -> u32 {
        self.cards.len_of(kinds & rules.colored())
    }

    /// The counts if this color is in force.
    #[inline(always)]
    pub(super) fn counts(&self, rules: &Rules, color: Option<Color>) -> Counts {
        let of_color = color.map_or(CardSet::EMPTY, |color| rules.of_color(color));
        Counts { len: self.len, of_color: self.cards.len_of(of_color), colors: self.colors }
    }
}

/// Numbers of cards in a hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    pub(super) len: u32,
    /// Of the color in force.
    pub(super) of_color: u32,
    /// Colors of which there is a card.
    pub(super) colors: u32,
}

impl Counts {
    /// The same without one card of the color in force.
    #[inline(always)]
    pub(super) fn without_one(self) -> Self {
        let of_color = self.of_color - 1;
        Self { len: self.len - 1, of_color, colors: self.colors - u32::from(of_color == 0) }
    }
}
