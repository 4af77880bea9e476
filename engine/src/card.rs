//! Cards: [`Face`], [`Card`] and sets of cards.
//!
//! A [`Card`] is a *kind*, a printed face: two red sevens are one kind. Kinds are numbered within a variant, colored
//! ones first; the number of a kind is its bit in a [`CardSet`].

use std::fmt;

use crate::cpu::isa::{BitCount as _, Generic, Isa};

/// The most kinds of card a variant may have: one bit each in a word.
pub const MAX_KINDS: usize = 64;

/// The face of an ordinary colored card, by which other cards may match it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Face {
    /// A number from 0 to 9.
    Number(u8),
    /// The next player loses the turn.
    Skip,
    /// The direction of play is reversed.
    Reverse,
    /// The next player draws two.
    DrawTwo,
}

impl Face {
    /// Every face, numbers first.
    pub const ALL: [Self; 13] = [
        Self::Number(0),
        Self::Number(1),
        Self::Number(2),
        Self::Number(3),
        Self::Number(4),
        Self::Number(5),
        Self::Number(6),
        Self::Number(7),
        Self::Number(8),
        Self::Number(9),
        Self::Skip,
        Self::Reverse,
        Self::DrawTwo,
    ];

    /// Its place in [`Face::ALL`].
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Number(n) => n as usize,
            Self::Skip => 10,
            Self::Reverse => 11,
            Self::DrawTwo => 12,
        }
    }

    /// Its digit or capital in card codes.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Number(n) => (b'0' + n) as char,
            Self::Skip => 'S',
            Self::Reverse => 'R',
            Self::DrawTwo => 'D',
        }
    }

    /// Its name in variant files: a digit, `skip`, `reverse` or `draw_two`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Number(n) => n.to_string(),
            Self::Skip => "skip".into(),
            Self::Reverse => "reverse".into(),
            Self::DrawTwo => "draw_two".into(),
        }
    }

    /// The face of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|face| face.name() == name)
    }
}

/// A kind of card, by its number within the variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The kind with this number.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_KINDS`].
    #[must_use]
    #[inline]
    #[track_caller]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_KINDS, "a variant has at most 64 kinds of card");
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        Self(index as u8)
    }

    /// The kind of this bit of a [`CardSet`].
    #[inline(always)]
    pub(crate) const fn of_bit(bit: u8) -> Self {
        Self(bit & 63) // so that the compiler knows that it is below 64
    }

    /// Its number, for indexing.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }
}

/// A set of kinds. The operators are those of sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CardSet(pub u64);

impl CardSet {
    /// No card.
    pub const EMPTY: Self = Self(0);

    /// The set that contains only this kind.
    #[must_use]
    #[inline]
    pub const fn of(card: Card) -> Self {
        Self(1 << card.index())
    }

    /// Whether the kind is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Whether the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set is not empty.
    #[must_use]
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// The number of kinds in the set.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The kind of lowest number, if there is one.
    #[must_use]
    #[inline]
    pub const fn first(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card::new(self.0.trailing_zeros() as usize)) }
    }

    /// The set that contains only the kind with the lowest number; empty if this set is empty.
    #[must_use]
    #[inline]
    pub const fn lowest(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
    }

    /// The kind with exactly `rank` lower kinds in the set.
    ///
    /// # Panics
    /// In debug builds, if the set has no more than `rank` kinds.
    #[must_use]
    #[inline]
    pub fn nth(self, rank: u32) -> Card {
        self.nth_on::<Generic>(rank)
    }

    /// [`CardSet::nth`], compiled for this instruction set.
    #[must_use]
    #[inline(always)]
    pub fn nth_on<M: Isa>(self, rank: u32) -> Card {
        debug_assert!(rank < self.len());
        Card(M::select(self.0, rank))
    }

    /// The kind at the rank that `rank_of` returns for the number of kinds in the set.
    #[must_use]
    #[inline(always)]
    pub fn choose_on<M: Isa>(self, rank_of: impl FnOnce(u32) -> u32) -> Card {
        let counted = M::Counted::of(self.0);
        Card::of_bit(counted.select(rank_of(counted.count())))
    }

    /// The kinds, lowest number first.
    #[must_use]
    pub const fn iter(self) -> CardSetIter {
        CardSetIter(self.0)
    }
}

impl std::ops::BitOr for CardSet {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::ops::BitAnd for CardSet {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl std::ops::Sub for CardSet {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl std::ops::BitOrAssign for CardSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, |set, card| set | Self::of(card))
    }
}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = CardSetIter;
    fn into_iter(self) -> CardSetIter {
        self.iter()
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Card::index)).finish()
    }
}

/// Iterates over a [`CardSet`], lowest kind first.
#[derive(Debug, Clone)]
pub struct CardSetIter(u64);

impl Iterator for CardSetIter {
    type Item = Card;
    #[inline]
    fn next(&mut self) -> Option<Card> {
        let card = CardSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(card)
    }
}
