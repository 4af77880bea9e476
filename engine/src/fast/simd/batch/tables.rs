//! The tables of a variant in a form that fits into vector registers.

use super::super::vector::Table;
use crate::card::{Card, CardSet, MAX_KINDS};
use crate::color::Color;
use crate::rules::{
    COLOR_ONLY, Challengers, DiscardChoice, DrawFourLegality, Features, Play, Row, Rules, Step, WinnerTurn,
};
use crate::seat::DirectionChange;

/// A table of words in two registers.
const CLASSES: usize = 16;

/// The lookup tables of the lanes.
#[derive(Debug, Clone)]
pub(super) struct SimdTables {
    pub(super) seats: usize,
    /// By kind: the number of its color, [`SimdTables::NAMED`] or [`SimdTables::LIT`].
    pub(super) color: Table,
    /// By kind: the effect of playing it, as the bits below.
    pub(super) effect: Table,
    /// By kind of the top card: its index in `follows_class`.
    pub(super) class: Table,
    /// The cards that can follow in any color, by number, symbol, or kind; and wilds.
    pub(super) follows_class: [Table; 2],
    /// The cards that can follow the color in force.
    pub(super) follows_color: Table,
    /// The kinds of each color.
    pub(super) of_color: Table,
    /// By color in force: the cards that make a draw four of their holder a bluff.
    pub(super) blocks_legitimate_draw_four: Table,
    /// Draw fours, if only honest ones can be played.
    pub(super) needs_honesty: CardSet,
    /// Kinds that lanes can play. The general code plays the others.
    pub(super) usual: CardSet,
    /// Whether any of them presses the button.
    pub(super) has_button: bool,
    /// 1 if a player may choose not to discard the cards of the button's color.
    pub(super) may_keep_all: u64,
    /// The smallest random bits for the second, third, and fourth color of the button.
    pub(super) button: [u64; 3],
    pub(super) guilty_draw: u64,
    pub(super) wrong_draw: u64,
    pub(super) winner_turn: WinnerTurn,
}

impl SimdTables {
    /// The player names the color.
    pub(super) const NAMED: u8 = 4;
    /// The button lights the color, and all cards of it are discarded.
    pub(super) const LIT: u8 = 8;

    /// Bits of an effect: the number of cards that the next player draws.
    pub(super) const DRAWS: u8 = 15;
    /// The next player loses the turn.
    pub(super) const SKIPS: u8 = 1 << 4;
    /// The direction is reversed.
    pub(super) const REVERSES: u8 = 1 << 5;
    /// The card may be challenged.
    pub(super) const DRAW_FOUR: u8 = 1 << 6;
    /// The button is pressed. If it lights the card's color, the player chooses the target; otherwise the other bits
    /// apply.
    pub(super) const BUTTON: u8 = 1 << 7;

    /// The features that a step was written for.
    const SUPPORTED: Features = Features::CHALLENGES
        .with(Features::HONEST_DRAW_FOURS_ONLY)
        .with(Features::LIMITED_DRAWING)
        .with(Features::DRAWN_MUST_BE_PLAYED)
        .with(Features::STEPS);

    /// The tables for these rules with a number of players; `None` if the lanes do not support them.
    pub(super) fn compile(rules: &Rules, seats: usize) -> Option<Self> {
        let features = rules.features();
        let [_, _, _, eights] = rules.deck().planes();
        if eights != 0 || !Self::SUPPORTED.contains(features) {
            return None;
        }
        let legality = rules.parameters().draw_four_legality;
        let judges = features.contains(Features::CHALLENGES) || features.contains(Features::HONEST_DRAW_FOURS_ONLY);
        let blocks_legitimate_draw_four = match legality {
            DrawFourLegality::NoColor => Color::ALL.map(|color| rules.of_color(color).0),
            DrawFourLegality::NoMatch | DrawFourLegality::NoOtherPlayable if judges => return None,
            DrawFourLegality::NoMatch | DrawFourLegality::NoOtherPlayable | DrawFourLegality::Any => [0; 4],
        };
        let (class, follows_class) = classes(rules)?;
        let mut tables = Self {
            seats,
            color: bytemuck::must_cast([0_u8; MAX_KINDS]),
            effect: bytemuck::must_cast([0_u8; MAX_KINDS]),
            class,
            follows_class,
            follows_color: by_color(rules.tables.playable_on[COLOR_ONLY].of_each_color().map(|set| set.0)),
            of_color: by_color(Color::ALL.map(|color| rules.of_color(color).0)),
            blocks_legitimate_draw_four: by_color(blocks_legitimate_draw_four),
            needs_honesty: CardSet::EMPTY,
            usual: CardSet::EMPTY,
            has_button: false,
            may_keep_all: u64::from(rules.parameters().discard_choice == DiscardChoice::AllOrNone),
            button: rules.tables.button.starts(),
            guilty_draw: u64::from(rules.parameters().guilty_draw.get()),
            wrong_draw: u64::from(rules.parameters().wrong_draw.get()),
            winner_turn: rules.parameters().winner_turn,
        };
        if features.contains(Features::HONEST_DRAW_FOURS_ONLY) {
            tables.needs_honesty = rules.draw_fours();
        }
        for card in rules.cards() {
            let color = match rules.color_of(card) {
                _ if rules.names_color().contains(card) => Some(Self::NAMED),
                None if steps(rules, card) == [Step::DiscardAll] => Some(Self::LIT),
                color => color.map(|color| color as u8),
            };
            if let (Some(color), Some(effect)) = (color, effect(rules, seats, card)) {
                tables.usual |= CardSet::of(card);
                tables.has_button |= effect & Self::BUTTON != 0;
                bytemuck::must_cast_mut::<_, [u8; MAX_KINDS]>(&mut tables.color)[card.index()] = color;
                bytemuck::must_cast_mut::<_, [u8; MAX_KINDS]>(&mut tables.effect)[card.index()] = effect;
            }
        }
        Some(tables)
    }

    /// The cards that can follow this top card in any color.
    pub(super) fn follows_top(&self, top: Card) -> u64 {
        let class = bytemuck::must_cast_ref::<_, [u8; MAX_KINDS]>(&self.class)[top.index()];
        bytemuck::must_cast_ref::<_, [u64; CLASSES]>(&self.follows_class)[usize::from(class)]
    }
}

/// The effect of a card, if the batch supports it.
fn effect(rules: &Rules, seats: usize, card: Card) -> Option<u8> {
    let challenges = rules.features().contains(Features::CHALLENGES);
    match rules.tables.plays[card.index()] {
        Play::Row(Row { draws, skips, turn }) => {
            let reverse_skips = seats == 2 && rules.tables.reverse_skips_two;
            let (turn, skips) = match turn {
                DirectionChange::Reverses if reverse_skips => (DirectionChange::Keeps, skips + 1),
                turn => (turn, skips),
            };
            let reverses = if turn == DirectionChange::Reverses { SimdTables::REVERSES } else { 0 };
            let is_simple = draws <= SimdTables::DRAWS && skips <= 1;
            is_simple.then_some(draws | (skips * SimdTables::SKIPS) | reverses)
        }
        Play::DrawFour if !challenges => Some(4 | SimdTables::SKIPS),
        Play::DrawFour => (rules.parameters().challengers == Challengers::Victim).then_some(SimdTables::DRAW_FOUR),
        Play::Steps => match steps(rules, card) {
            [Step::ButtonDrawTwo] => Some(2 | SimdTables::SKIPS | SimdTables::BUTTON),
            [Step::DiscardAll] if rules.color_of(card).is_none() => Some(SimdTables::BUTTON),
            _ => None,
        },
        Play::VillainDrawFour | Play::StackDraw(_) => None,
    }
}

fn steps(rules: &Rules, card: Card) -> &[Step] {
    let (start, end) = rules.tables.steps_of[card.index()];
    &rules.tables.steps[usize::from(start)..usize::from(end)]
}

/// Splits the rows of cards that can follow: cards that follow by color, and one of a few sets that follow in any color.
/// Returns the number of the set of each kind, and the sets.
fn classes(rules: &Rules) -> Option<(Table, [Table; 2])> {
    let of_color = rules.tables.playable_on[COLOR_ONLY].of_each_color();
    let (mut class, mut sets) = ([0_u8; MAX_KINDS], Vec::new());
    for card in rules.cards() {
        let row = rules.tables.playable_on[card.index()].of_each_color();
        let whatever_the_color = row.iter().fold(!0, |all, set| all & set.0);
        if row.iter().zip(of_color).any(|(set, of_color)| set.0 != of_color.0 | whatever_the_color) {
            return None;
        }
        let known = sets.iter().position(|&set| set == whatever_the_color);
        let number = known.unwrap_or_else(|| {
            sets.push(whatever_the_color);
            sets.len() - 1
        });
        class[card.index()] = u8::try_from(number).ok()?;
    }
    sets.resize(CLASSES.max(sets.len()), 0);
    let sets: [u64; CLASSES] = sets.try_into().ok()?;
    Some((bytemuck::must_cast(class), bytemuck::must_cast(sets)))
}

fn by_color([red, yellow, green, blue]: [u64; 4]) -> Table {
    bytemuck::must_cast([red, yellow, green, blue, 0, 0, 0, 0])
}
