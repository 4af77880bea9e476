//! [`PlayableOn`]: the cards that can be played on each top card.

use super::card_def::{CardDef, CardKind, CustomCard, CustomMatch, set_of};
use super::parameters::{DrawFourLegality, Parameters};
use crate::card::{CardSet, MAX_KINDS};
use crate::color::Color;

/// The row for a top card whose symbol is dead: only its color can be matched (DI-29).
pub(crate) const COLOR_ONLY: usize = MAX_KINDS;

/// A row for each top card and one for [`COLOR_ONLY`], padded so that every `u8` is a row.
pub(crate) const ROWS: usize = 1 << u8::BITS;

/// The cards that can be played on each top card, by the color in force.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlayableOn {
    cards: [CardSet; COLUMNS],
    blocks_legitimate_draw_four: [CardSet; COLUMNS],
}

/// One column for each color and one for none, padded to a power of two.
const COLUMNS: usize = 8;

impl PlayableOn {
    /// All playable cards: by color, number, or symbol, and wilds.
    #[inline]
    pub(crate) const fn cards(&self, color: Option<Color>) -> CardSet {
        self.cards[column_of(color)]
    }

    /// The playable cards for each color in force.
    pub(crate) fn of_each_color(&self) -> [CardSet; 4] {
        Color::ALL.map(|color| self.cards(Some(color)))
    }

    /// The cards that make a draw four of their holder a bluff.
    #[inline]
    pub(crate) const fn blocks_legitimate_draw_four(&self, color: Option<Color>) -> CardSet {
        self.blocks_legitimate_draw_four[column_of(color)]
    }

    /// The rows of a variant.
    pub(crate) fn compile(parameters: &Parameters, kinds: &[CardDef]) -> Box<[Self; ROWS]> {
        let nothing = Self { cards: [CardSet::EMPTY; COLUMNS], blocks_legitimate_draw_four: [CardSet::EMPTY; COLUMNS] };
        let mut rows = Box::new([nothing; ROWS]);
        let tops = (0..).zip(kinds.iter().map(Some)).chain([(COLOR_ONLY, None)]);
        for (row, top) in tops {
            rows[row] = Self::on(top, parameters, kinds);
        }
        rows
    }

    /// The row of this top card; `None` if only its color can be matched.
    fn on(top: Option<&CardDef>, parameters: &Parameters, kinds: &[CardDef]) -> Self {
        let (mut cards, mut blocks_legitimate_draw_four) = ([CardSet::EMPTY; COLUMNS], [CardSet::EMPTY; COLUMNS]);
        // Without a color in force, which occurs only before a start card's color is named, the first color is used.
        let columns = Color::ALL.map(|color| (Some(color), color)).into_iter().chain([(None, Color::ALL[0])]);
        for (column, color) in columns.map(|(column, color)| (column_of(column), color)) {
            let follows = |played: &CardDef| {
                can_follow_color(played, color) || top.is_some_and(|top| can_follow_card(played, top))
            };
            cards[column] = set_of(kinds, follows);
            blocks_legitimate_draw_four[column] = match parameters.draw_four_legality {
                DrawFourLegality::Any => CardSet::EMPTY,
                DrawFourLegality::NoColor => set_of(kinds, |kind| kind.color == Some(color)),
                DrawFourLegality::NoMatch => cards[column] & set_of(kinds, |kind| kind.color.is_some()),
                // Draw fours themselves never prevent a draw four.
                DrawFourLegality::NoOtherPlayable => cards[column] - set_of(kinds, CardDef::is_draw_four),
            };
        }
        Self { cards, blocks_legitimate_draw_four }
    }
}

#[inline]
const fn column_of(color: Option<Color>) -> usize {
    match color {
        Some(color) => color.index(),
        None => Color::ALL.len(),
    }
}

/// Whether `played` can follow with this color in force, on any top card.
fn can_follow_color(played: &CardDef, in_force: Color) -> bool {
    match (&played.kind, played.color) {
        (CardKind::Custom(CustomCard { matches: CustomMatch::Any, .. }), _) => true,
        (CardKind::Custom(CustomCard { matches: CustomMatch::Face(_), .. }), None) => false,
        (_, Some(color)) => color == in_force,
        (_, None) => true,
    }
}

/// Whether `played` can follow this top card by number, symbol, or kind, in any color.
fn can_follow_card(played: &CardDef, top: &CardDef) -> bool {
    let same_face = played.face().is_some() && played.face() == top.face();
    let same_colored_kind = played.code == top.code; // two copies of one card always match; WK-04
    let same_symbol = played.symbol().is_some() && played.symbol() == top.symbol();
    same_face || same_colored_kind || same_symbol
}
