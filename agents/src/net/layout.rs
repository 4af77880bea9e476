//! The meaning of each input of the net: consecutive blocks of binary inputs.
//!
//! Colors are slots: slot 0 is the color in force after the action, followed by the colors by number of cards in hand. So
//! positions that differ only by a permutation of colors have the same inputs.

use unolab_engine::card::{Card, Face, MAX_KINDS};
use unolab_engine::rules::{CardKind, Rules, Special};

/// Colors, in the order described above.
pub(super) const SLOTS: usize = 4;
/// The faces of [`Face::ALL`], then special colored cards: the first kind of them, and all others.
pub(super) const FACES: usize = 15;
/// Kinds of wilds: the six built-in ones, then the first custom one, and all others.
pub(super) const WILDS: usize = 8;
/// Seats with separate inputs: the next to act, the two after it, and the last to act. The others are only counted.
pub(super) const PLACES: usize = 4;
/// Levels of a probability.
pub(super) const LEVELS: usize = 8;
/// Levels for later seats.
pub(super) const COARSE: usize = 3;

/// A group of related inputs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    first: usize,
    len: usize,
}

impl Block {
    const fn at_beginning(len: usize) -> Self {
        Self { first: 0, len }
    }

    const fn then(self, len: usize) -> Self {
        Self { first: self.first + self.len, len }
    }

    /// The input with this number within the block.
    #[inline(always)]
    pub(super) fn input(self, number: usize) -> u16 {
        debug_assert!(number < self.len, "{number} of {self:?}");
        #[expect(clippy::cast_possible_truncation, reason = "a few hundred inputs")]
        let input = (self.first + number) as u16;
        input
    }

    /// The input for this number, the last of the block for all larger ones.
    #[inline(always)]
    pub(super) fn capped(self, number: usize) -> u16 {
        self.input(number.min(self.len - 1))
    }
}

/// Colored cards that remain in hand: by slot and face, whether there is one, and whether there are two.
pub(super) const HELD: Block = Block::at_beginning(SLOTS * FACES * 2);
/// Wilds that remain in hand: by kind, one, two, three.
pub(super) const WILD: Block = HELD.then(WILDS * 3);
/// The number of cards that remain in hand.
pub(super) const LEN: Block = WILD.then(13);
/// The number of cards of each slot that remain in hand.
pub(super) const OF_SLOT: Block = LEN.then(SLOTS * 6);
/// The top card.
pub(super) const TOP: Block = OF_SLOT.then(FACES + WILDS);
/// The number of other players who act before this seat's next turn.
pub(super) const WAIT: Block = TOP.then(6);
/// The cards of the seat at each place.
pub(super) const SIZE: Block = WAIT.then(PLACES * 10);
/// The probability that the next seat has no playable card, by its number of cards: one, two, three, more.
pub(super) const STUCK: Block = SIZE.then(4 * LEVELS);
/// The same for the other places.
pub(super) const STUCK_LATER: Block = STUCK.then((PLACES - 1) * LEVELS);
/// The probability that the next seat has no card of each slot.
pub(super) const LACKS: Block = STUCK_LATER.then(SLOTS * LEVELS);
/// The same for the other places.
pub(super) const LACKS_LATER: Block = LACKS.then((PLACES - 1) * SLOTS * COARSE);
/// Unseen cards of each slot.
pub(super) const UNSEEN: Block = LACKS_LATER.then(SLOTS * 6);
/// Unseen wilds.
pub(super) const UNSEEN_WILDS: Block = UNSEEN.then(9);
/// The slot of the color that the next seat has named last, if any.
pub(super) const NAMED: Block = UNSEEN_WILDS.then(SLOTS + 1);
/// Cards of each slot that the next seat has played.
pub(super) const PLAYED: Block = NAMED.then(SLOTS * 3);
/// The kind of the action.
pub(super) const ACTION: Block = PLAYED.then(24);
/// Kinds that could follow, by the number of remaining cards: one, two, three, more.
pub(super) const FOLLOWERS: Block = ACTION.then(4 * 4);
/// Remaining colors, by the number of remaining cards: one, two, three, more.
pub(super) const COLORS: Block = FOLLOWERS.then(4 * 5);
/// The probability that a draw four was a bluff, for each answer.
pub(super) const BLUFF: Block = COLORS.then(3 * LEVELS);
/// The number of cards to draw.
pub(super) const SUM: Block = BLUFF.then(5);
/// Seats at the table.
pub(super) const SEATS: Block = SUM.then(9);
/// The number of players without a separate place who hold one card, or two.
pub(super) const FEW: Block = SEATS.then(2 * 4);
/// The seat that the action names: when it acts.
pub(super) const CHOSEN: Block = FEW.then(5);
/// The seat that the action names: its cards.
pub(super) const CHOSEN_SIZE: Block = CHOSEN.then(10);
/// Cards of this seat that the next player to act knows.
pub(super) const KNOWN: Block = CHOSEN_SIZE.then(3);

/// Whether it is the action of `heuristic`.
pub(super) const HINT: Block = KNOWN.then(1);

/// The number of inputs.
pub const INPUTS: usize = HINT.first + HINT.len;

/// The slot of a kind of card: a face of a color, or a wild.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KindSlot {
    /// A colored card.
    Face(usize),
    /// A wild card.
    Wild(usize),
}

/// The slot of each kind of these rules.
#[derive(Debug, Clone)]
pub(super) struct KindSlots([KindSlot; MAX_KINDS]);

impl KindSlots {
    pub(super) fn of(rules: &Rules) -> Self {
        let mut slots = [KindSlot::Wild(WILDS - 1); MAX_KINDS];
        let (mut faces, mut wilds) = (Face::ALL.len(), Special::ALL.len() - 1);
        for (def, slot) in rules.kinds().iter().zip(&mut slots) {
            let own = match (def.as_special(), def.color) {
                (Some(special), None) => KindSlot::Wild(printed_wild(special)),
                (None, Some(_)) if matches!(def.kind, CardKind::Ordinary(..)) => {
                    KindSlot::Face(def.face().map_or(FACES - 1, Face::index))
                }
                (_, Some(_)) => {
                    let face = faces.min(FACES - 1);
                    faces += 1;
                    KindSlot::Face(face)
                }
                (None, None) => {
                    let wild = wilds.min(WILDS - 1);
                    wilds += 1;
                    KindSlot::Wild(wild)
                }
            };
            *slot = own;
        }
        Self(slots)
    }

    #[inline(always)]
    pub(super) fn of_card(&self, card: Card) -> KindSlot {
        self.0[card.index()]
    }
}

/// The number of a built-in wild.
fn printed_wild(special: Special) -> usize {
    let wilds = Special::ALL.into_iter().filter(|special| special.color().is_none());
    wilds.into_iter().position(|other| other == special).unwrap_or(WILDS - 1)
}
