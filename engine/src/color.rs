//! The four colors.

use std::fmt;

/// A color of the game. A wild card has none; its player names one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Red, `r`.
    Red,
    /// Yellow, `y`.
    Yellow,
    /// Green, `g`.
    Green,
    /// Blue, `b`.
    Blue,
}

impl Color {
    /// Every color, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Red, Self::Yellow, Self::Green, Self::Blue];

    /// Its index in [`Color::ALL`].
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The color at this index of [`Color::ALL`], modulo four.
    #[must_use]
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        // Not a lookup, which the compiler would not recognize as the identity.
        match index % 4 {
            0 => Self::Red,
            1 => Self::Yellow,
            2 => Self::Green,
            _ => Self::Blue,
        }
    }

    /// Its letter in card codes.
    #[must_use]
    pub const fn letter(self) -> char {
        ['r', 'y', 'g', 'b'][self as usize]
    }

    /// The color with this letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|color| color.letter() == letter)
    }

    /// Its name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["red", "yellow", "green", "blue"][self as usize]
    }

    /// The color with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|color| color.name() == name)
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
