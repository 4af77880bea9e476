//! Reads the value of a rule key from TOML, writes it back, and explains errors.

use std::borrow::Cow;
use std::fmt;

/// A type that can be the value of a rule key.
pub(crate) trait Value: Sized {
    /// The value, if the TOML is valid for the type.
    fn read(toml: &toml::Value) -> Option<Self>;
    /// The TOML from which this value is read back.
    fn write(&self) -> toml::Value;
    /// The allowed values, for error messages.
    fn allowed() -> String;
    /// The values with their meanings, if they are words.
    fn words() -> Vec<WordDoc> {
        Vec::new()
    }
    /// The value of a key that a file without a base leaves out; `None` if it must be given. Rules are written without it, so that
    /// a key that was added later changes no rules and no hash.
    fn if_left_out() -> Option<Self> {
        None
    }
}

/// A word that is the value of a rule key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordDoc {
    /// The word, as variant files write it.
    pub word: &'static str,
    /// The rule with this value.
    pub meaning: &'static str,
}

/// An integer from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BoundedInteger<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> BoundedInteger<MIN, MAX> {
    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl<const MIN: u32, const MAX: u32> Value for BoundedInteger<MIN, MAX> {
    fn read(toml: &toml::Value) -> Option<Self> {
        whole(toml).filter(|number| (MIN..=MAX).contains(number)).map(Self)
    }
    fn write(&self) -> toml::Value {
        toml::Value::Integer(i64::from(self.0))
    }
    fn allowed() -> String {
        format!("a whole number from {MIN} to {MAX}")
    }
}

impl Value for bool {
    fn read(toml: &toml::Value) -> Option<Self> {
        toml.as_bool()
    }
    fn write(&self) -> toml::Value {
        toml::Value::Boolean(*self)
    }
    fn allowed() -> String {
        "true or false".into()
    }
}

/// A list without repeats, at least one item.
impl<T: Value + PartialEq> Value for Vec<T> {
    fn read(toml: &toml::Value) -> Option<Self> {
        let items = toml.as_array()?.iter().map(T::read).collect::<Option<Self>>()?;
        let repeats = items.iter().enumerate().any(|(i, item)| items[..i].contains(item));
        (!items.is_empty() && !repeats).then_some(items)
    }
    fn write(&self) -> toml::Value {
        toml::Value::Array(self.iter().map(T::write).collect())
    }
    fn allowed() -> String {
        format!("a list, without repeats, of {}", T::allowed())
    }
    fn words() -> Vec<WordDoc> {
        T::words()
    }
}

/// Probabilities of the four colors, in the order red, yellow, green, blue; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColorWeights(pub [f64; 4]);

impl Value for ColorWeights {
    fn read(toml: &toml::Value) -> Option<Self> {
        let weights: Vec<f64> = toml.as_array()?.iter().map(number).collect::<Option<_>>()?;
        let weights: [f64; 4] = weights.try_into().ok()?;
        let is_distribution =
            weights.iter().all(|w| (0.0..=1.0).contains(w)) && (weights.iter().sum::<f64>() - 1.0).abs() < 1e-9;
        is_distribution.then_some(Self(weights))
    }
    fn write(&self) -> toml::Value {
        toml::Value::Array(self.0.iter().map(|&w| toml::Value::Float(w)).collect())
    }
    fn allowed() -> String {
        "four probabilities for red, yellow, green, blue that sum to 1".into()
    }
}

/// The number of cards that a player draws instead of playing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DrawCount {
    /// One.
    One,
    /// Cards until one can be played (house rule).
    UntilPlayable,
    /// A random number; the turn is then over.
    Random(DrawOdds),
}

/// The probabilities of drawing 0, 1, 2, ... cards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawOdds {
    probabilities: [f64; 21],
    len: usize,
}

impl DrawOdds {
    /// The probabilities of drawing 0, 1, 2, ... cards.
    #[must_use]
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities[..self.len]
    }
}

impl DrawCount {
    const WORDS: [(Self, WordDoc); 2] = [
        (Self::One, WordDoc { word: "one", meaning: "One." }),
        (
            Self::UntilPlayable,
            WordDoc { word: "until_playable", meaning: "Cards until one can be played (house rule)." },
        ),
    ];
}

impl Value for DrawCount {
    fn read(toml: &toml::Value) -> Option<Self> {
        if let Some(word) = toml.as_str() {
            return Self::WORDS.into_iter().find(|(_, doc)| doc.word == word).map(|(count, _)| count);
        }
        let list: Vec<f64> = toml.as_array()?.iter().map(number).collect::<Option<_>>()?;
        let mut probabilities = [0.0; 21];
        probabilities.get_mut(..list.len())?.copy_from_slice(&list);
        let is_distribution =
            list.iter().all(|p| (0.0..=1.0).contains(p)) && (list.iter().sum::<f64>() - 1.0).abs() < 1e-9;
        let draws_at_last =
            list.first().is_some_and(|none| *none <= 0.99) && list.last().is_some_and(|last| *last > 0.0);
        let odds = DrawOdds { probabilities, len: list.len() };
        (is_distribution && draws_at_last).then_some(Self::Random(odds))
    }
    fn write(&self) -> toml::Value {
        match self {
            Self::Random(odds) => {
                toml::Value::Array(odds.probabilities().iter().map(|&p| toml::Value::Float(p)).collect())
            }
            word => Self::WORDS.iter().find(|(count, _)| count == word).map_or("one", |(_, doc)| doc.word).into(),
        }
    }
    fn allowed() -> String {
        "\"one\", \"until_playable\", or the probabilities of 0, 1, 2, ... cards: up to 21 numbers that sum to 1, the first \
         at most 0.99, the last not 0"
            .into()
    }
    fn words() -> Vec<WordDoc> {
        Self::WORDS.map(|(_, doc)| doc).to_vec()
    }
}

/// The number of cards that puts a player out of the round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandLimit {
    /// No player is ever out.
    None,
    /// This number of cards.
    Cards {
        /// The number.
        cards: u32,
        /// The points that a player counts who is out.
        points: u32,
    },
}

impl Value for HandLimit {
    fn read(toml: &toml::Value) -> Option<Self> {
        if toml.as_str() == Some("none") {
            return Some(Self::None);
        }
        let (cards, points) = match toml.as_table() {
            None => (whole(toml)?, 0),
            Some(table) if table.len() == 2 => (whole(table.get("cards")?)?, Points::read(table.get("points")?)?.get()),
            Some(_) => return None,
        };
        (2..=100).contains(&cards).then_some(Self::Cards { cards, points })
    }
    fn write(&self) -> toml::Value {
        match *self {
            Self::None => "none".into(),
            Self::Cards { cards, points: 0 } => toml::Value::Integer(i64::from(cards)),
            Self::Cards { cards, points } => {
                let entries = [("cards", cards), ("points", points)];
                let entry = |(key, number): (&str, u32)| (key.to_owned(), toml::Value::Integer(i64::from(number)));
                toml::Value::Table(entries.into_iter().map(entry).collect())
            }
        }
    }
    fn allowed() -> String {
        "\"none\", a whole number from 2 to 100, or such a number with the points of a player who is out, 0 to 1000: \
         { cards = 25, points = 250 }"
            .into()
    }
    fn if_left_out() -> Option<Self> {
        Some(Self::None)
    }
}

/// An integer; `1e2` is also an integer.
fn whole(toml: &toml::Value) -> Option<u32> {
    match toml {
        toml::Value::Float(number) => {
            let is_whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and in range")]
            is_whole.then_some(*number as u32)
        }
        _ => u32::try_from(toml.as_integer()?).ok(),
    }
}

fn number(toml: &toml::Value) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "only 0 and 1 are in range")]
    toml.as_float().or_else(|| toml.as_integer().map(|whole| whole as f64))
}

/// The points of number cards: their face value, or one number for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberPoints {
    /// A 7 counts 7.
    Face,
    /// Every number card counts this many points.
    Flat(u32),
}

impl Value for NumberPoints {
    fn read(toml: &toml::Value) -> Option<Self> {
        if toml.as_str() == Some("face") {
            return Some(Self::Face);
        }
        Points::read(toml).map(|points| Self::Flat(points.get()))
    }
    fn write(&self) -> toml::Value {
        match self {
            Self::Face => "face".into(),
            Self::Flat(points) => toml::Value::Integer(i64::from(*points)),
        }
    }
    fn allowed() -> String {
        format!("\"face\" or {}", Points::allowed())
    }
}

/// Points of a card.
pub type Points = BoundedInteger<0, 1000>;
/// Copies of a card.
pub type Copies = BoundedInteger<0, 15>;

/// Defines an enum whose values are words in a variant file.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $(#[doc = $meaning:literal] $variant:ident = $word:literal),+ $(,)? } $(left_out = $left_out:ident)?) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $(#[doc = $meaning] $variant),+ }

        impl $name {
            /// Every value, in the order of the rules document.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its word in variant files.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl $crate::rules::value::Value for $name {
            fn read(toml: &toml::Value) -> Option<Self> {
                let word = toml.as_str()?;
                Self::ALL.iter().copied().find(|value| value.word() == word)
            }
            fn write(&self) -> toml::Value {
                self.word().into()
            }
            fn allowed() -> String {
                Self::ALL.iter().map(|value| format!("\"{}\"", value.word())).collect::<Vec<_>>().join(", ")
            }
            fn words() -> Vec<$crate::rules::value::WordDoc> {
                vec![$($crate::rules::value::WordDoc { word: $word, meaning: $meaning.trim() }),+]
            }
            $(fn if_left_out() -> Option<Self> {
                Some(Self::$left_out)
            })?
        }
    };
}
pub(crate) use words;

/// A rule key that has no value, a wrong one, or is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyProblem {
    /// The key is unknown.
    Unknown {
        /// The key of the nearest spelling, if one is near.
        nearest: Option<Cow<'static, str>>,
    },
    /// The value is not one of those allowed.
    Value {
        /// The given value.
        found: String,
        /// The allowed values.
        allowed: String,
    },
    /// A key of a custom card that the card does not have, or a value that it cannot have.
    CustomCard(String),
    /// The key is not given and has no default.
    Missing {
        /// The allowed values.
        allowed: String,
    },
}

impl fmt::Display for KeyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { nearest: Some(nearest) } => write!(f, "unknown key; did you mean `{nearest}`?"),
            Self::Unknown { nearest: None } => {
                write!(f, "unknown key; `unolab variants keys` lists all")
            }
            Self::Value { found, allowed } => write!(f, "{found} is not allowed; allowed: {allowed}"),
            Self::CustomCard(problem) => f.write_str(problem),
            Self::Missing { allowed } => {
                write!(f, "not given, and there is no `base` to take it from; allowed: {allowed}")
            }
        }
    }
}
