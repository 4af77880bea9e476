//! [`HiddenLayers`]: the widths of the hidden layers of a net.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The hidden layers of a net. The code of each pair of widths is compiled separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum HiddenLayers {
    /// 64 and 32 units.
    #[default]
    Of64And32,
    /// 128 and 32 units.
    Of128And32,
    /// 128 and 64 units.
    Of128And64,
    /// 256 and 32 units.
    Of256And32,
    /// 256 and 64 units.
    Of256And64,
    /// 512 and 32 units.
    Of512And32,
}

/// Evaluates the expression with both widths as constants of these names.
macro_rules! with_widths {
    ($hidden:expr, $first:ident, $second:ident => $value:expr) => {
        with_widths!(@ $hidden, $first, $second, $value; Of64And32 64 32, Of128And32 128 32, Of128And64 128 64,
            Of256And32 256 32, Of256And64 256 64, Of512And32 512 32)
    };
    (@ $hidden:expr, $first:ident, $second:ident, $value:expr; $($layers:ident $width:literal $width_of_second:literal),*) => {
        match $hidden {
            $($crate::net::hidden_layers::HiddenLayers::$layers => {
                const $first: usize = $width;
                const $second: usize = $width_of_second;
                $value
            })*
        }
    };
}
pub(super) use with_widths;

impl HiddenLayers {
    /// All pairs of widths.
    pub const ALL: [Self; 6] =
        [Self::Of64And32, Self::Of128And32, Self::Of128And64, Self::Of256And32, Self::Of256And64, Self::Of512And32];

    /// The layers of these widths.
    ///
    /// # Errors
    /// If no net has these widths.
    pub fn of(widths: [usize; 2]) -> Result<Self, UnknownWidths> {
        Self::ALL.into_iter().find(|hidden| hidden.widths() == widths).ok_or(UnknownWidths)
    }

    /// The widths of the first and of the second hidden layer.
    #[must_use]
    pub const fn widths(self) -> [usize; 2] {
        with_widths!(self, FIRST, SECOND => [FIRST, SECOND])
    }

    /// Whether it is the default, which is not serialized.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for HiddenLayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.widths();
        write!(f, "{first},{second}")
    }
}

/// The error that no net has these widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not the widths of hidden layers; allowed: {}", HiddenLayers::ALL.map(|hidden| hidden.to_string()).join(" or "))]
pub struct UnknownWidths;

impl FromStr for HiddenLayers {
    type Err = UnknownWidths;

    fn from_str(text: &str) -> Result<Self, UnknownWidths> {
        Self::ALL.into_iter().find(|hidden| hidden.to_string() == text).ok_or(UnknownWidths)
    }
}

impl TryFrom<String> for HiddenLayers {
    type Error = UnknownWidths;

    fn try_from(text: String) -> Result<Self, UnknownWidths> {
        text.parse()
    }
}

impl From<HiddenLayers> for String {
    fn from(hidden: HiddenLayers) -> Self {
        hidden.to_string()
    }
}
