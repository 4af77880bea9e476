//! [`KindTable`]: the kinds of cards by effect.

use super::card_def::Special;
use super::compile::Tables;
use super::parameters::Parameters;
use crate::card::{CardSet, Face};

/// The groups in which the published bots rank cards. Other kinds are assigned to these groups: a Villain Draw 4 is a draw
/// four, a Cheese Touch a draw two, every other wild a wild, and a colored custom card a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Number cards.
    Number,
    /// Skips.
    Skip,
    /// Reverses.
    Reverse,
    /// Draw Twos.
    DrawTwo,
    /// Draw fours of both sorts.
    DrawFour,
    /// Wilds that make no player draw.
    Wild,
}

/// Sets of kinds of one variant.
#[derive(Debug, Clone)]
pub struct KindTable {
    groups: [CardSet; 6],
    /// Draw Twos and draw fours.
    makes_draw: CardSet,
    /// Skip, Draw Two and Wild Draw Four: the next player loses the turn.
    skip_next: CardSet,
    changes_hands: CardSet,
    moves_turn: CardSet,
    /// Colored cards without any effect.
    plain: CardSet,
}

impl KindTable {
    pub(super) fn compile(tables: &Tables, parameters: &Parameters) -> Self {
        let of_face = |face: Face| tables.of_face[face.index()];
        let of_special = |special: Special| tables.of_special[special as usize];
        let Tables { colored, custom, draw_fours, names_color, .. } = *tables;
        let [skips, reverses, draw_twos] = [Face::Skip, Face::Reverse, Face::DrawTwo].map(of_face);
        let cheese_touch = of_special(Special::CheeseTouch);
        let numbers = colored - skips - reverses - draw_twos - cheese_touch;
        // In the order of `Group`.
        let groups = [
            numbers,
            skips,
            reverses,
            draw_twos | cheese_touch,
            draw_fours,
            tables.deck.distinct() - colored - draw_fours,
        ];
        let [sevens, zeros] = [7, 0].map(|number| of_face(Face::Number(number)));
        let by_house_rule = if parameters.seven_zero { sevens | zeros } else { CardSet::EMPTY };
        let beyond_the_plain_game =
            [Special::CheeseTouch, Special::SwapHands, Special::VictoryLap, Special::DiscardAll]
                .into_iter()
                .fold(custom | by_house_rule, |cards, special| cards | of_special(special));
        let skip_next = skips | draw_twos | of_special(Special::WildDrawFour);
        Self {
            makes_draw: draw_twos | cheese_touch | draw_fours,
            groups,
            skip_next,
            moves_turn: skip_next | reverses | custom,
            changes_hands: beyond_the_plain_game,
            plain: numbers - beyond_the_plain_game - names_color - draw_fours,
        }
    }

    /// The kinds of a group.
    #[must_use]
    #[inline]
    pub const fn group(&self, group: Group) -> CardSet {
        self.groups[group as usize]
    }

    /// The kinds that make a player draw: Draw Twos and draw fours.
    #[must_use]
    #[inline]
    pub const fn makes_draw(&self) -> CardSet {
        self.makes_draw
    }

    /// The kinds that affect hands more than Draw Twos and draw fours do.
    #[must_use]
    #[inline]
    pub const fn changes_hands(&self) -> CardSet {
        self.changes_hands
    }

    /// The kinds after which the turn may go to another seat than the next.
    #[must_use]
    #[inline]
    pub const fn moves_turn(&self) -> CardSet {
        self.moves_turn
    }

    /// Colored cards without effect: the turn goes to the next seat.
    #[must_use]
    #[inline]
    pub const fn plain(&self) -> CardSet {
        self.plain
    }

    /// The kinds after which the next player loses the turn, unless it answers or challenges.
    #[must_use]
    #[inline]
    pub const fn skip_next(&self) -> CardSet {
        self.skip_next
    }
}
