//! A seat's actions, and their notation.

use std::fmt;

use super::rules::COLORS;
use super::{Code, code};

/// An action, without a call of UNO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    /// A card, and the color that is named with it.
    Play(Code, Option<char>),
    Draw,
    Keep,
    Pass,
    Color(char),
    Challenge,
    Accept,
    Take,
    Swap(usize),
    NoSwap,
    KeepHand,
    Rotate,
    Target(usize),
    DiscardAll(Code),
    DiscardNone,
    Protect(Code),
    Choose(usize),
    /// A late call.
    Uno,
    Catch(usize),
    Silent,
}

impl Move {
    /// Reads an action and whether ` uno` follows it.
    pub fn read(text: &str) -> Result<(Self, bool), String> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let calls = words.len() > 1 && words.last() == Some(&"uno");
        if calls {
            words.pop();
        }
        let action = match words[..] {
            ["play", card] => Self::Play(code(card), None),
            ["play", card, color] => Self::Play(code(card), Some(read_color(color)?)),
            ["draw"] => Self::Draw,
            ["keep"] => Self::Keep,
            ["pass"] => Self::Pass,
            ["color", color] => Self::Color(read_color(color)?),
            ["challenge"] => Self::Challenge,
            ["accept"] => Self::Accept,
            ["take"] => Self::Take,
            ["swap", seat] => Self::Swap(read_seat(seat)?),
            ["no-swap"] => Self::NoSwap,
            ["keep-hand"] => Self::KeepHand,
            ["rotate"] => Self::Rotate,
            ["target", seat] => Self::Target(read_seat(seat)?),
            ["discard-all", card] => Self::DiscardAll(code(card)),
            ["discard-none"] => Self::DiscardNone,
            ["protect", card] => Self::Protect(code(card)),
            ["choose", option] => Self::Choose(option.parse().map_err(|_| format!("{option} is not an option"))?),
            ["uno"] => Self::Uno,
            ["catch", seat] => Self::Catch(read_seat(seat)?),
            ["silent"] => Self::Silent,
            _ => return Err(format!("unknown action {text}")),
        };
        Ok((action, calls))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(card, None) => write!(f, "play {card}"),
            Self::Play(card, Some(color)) => write!(f, "play {card} {color}"),
            Self::Draw => f.write_str("draw"),
            Self::Keep => f.write_str("keep"),
            Self::Pass => f.write_str("pass"),
            Self::Color(color) => write!(f, "color {color}"),
            Self::Challenge => f.write_str("challenge"),
            Self::Accept => f.write_str("accept"),
            Self::Take => f.write_str("take"),
            Self::Swap(seat) => write!(f, "swap {seat}"),
            Self::NoSwap => f.write_str("no-swap"),
            Self::KeepHand => f.write_str("keep-hand"),
            Self::Rotate => f.write_str("rotate"),
            Self::Target(seat) => write!(f, "target {seat}"),
            Self::DiscardAll(card) => write!(f, "discard-all {card}"),
            Self::DiscardNone => f.write_str("discard-none"),
            Self::Protect(card) => write!(f, "protect {card}"),
            Self::Choose(option) => write!(f, "choose {option}"),
            Self::Uno => f.write_str("uno"),
            Self::Catch(seat) => write!(f, "catch {seat}"),
            Self::Silent => f.write_str("silent"),
        }
    }
}

fn read_seat(word: &str) -> Result<usize, String> {
    word.parse().map_err(|_| format!("{word} is not a seat"))
}

fn read_color(word: &str) -> Result<char, String> {
    for color in COLORS {
        if word == color.to_string() {
            return Ok(color);
        }
    }
    Err(format!("{word} is not a color"))
}
