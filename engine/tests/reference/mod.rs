//! A deliberately naive model of the rules, for differential testing.
//!
//! It is written only from the rule documents and does not share code with the engine, so that an error in the engine causes
//! a difference. Cards are text (`r7`, `W4`), seats are numbers, and everything else is vectors and loops. It is slow and
//! meant to be read next to the rule sheets; the ids in comments (X-06, DI-13, ...) refer to the table of rulings.
//!
//! * [`rules`]: the variant as plain fields, the cards and their values
//! * [`piles`]: drawing and refilling
//! * * [`round`]: one round: the position and the decisions
//! * * [`moves`]: the actions and their notation
//! * * [`turn`]: the effects of actions
//! * [`legal`]: playable cards and legal actions
//! * * [`cards`]: the effects of cards
//! * [`custom`]: the effects of custom cards
//! * * [`uno`]: calls, catches, and their windows
//! * [`knowledge`]: each seat's certain knowledge of the other hands
//! * [`match_play`]: scores, dealers, elimination, partners
//! * [`files`]: variant files

#![allow(dead_code, missing_docs, unreachable_pub, unused_imports)]

use std::collections::BTreeSet;
use std::sync::Mutex;

mod cards;
mod custom;
mod files;
mod knowledge;
mod legal;
mod match_play;
mod moves;
mod piles;
mod round;
mod rules;
mod turn;
mod uno;

pub use files::{engine_dir, load_variant, merge, read_table, set};
pub use match_play::{MatchModel, cut_winners};
pub use moves::Move;
pub use round::{Deal, Model, Position};
pub use rules::{Custom, Effect, Variant, color_of};
pub use turn::ArbitraryFate;

/// A card by its code, such as `r7`: text that is never freed, so that copying a model is cheap.
pub type Code = &'static str;

/// The code in this text.
pub fn code(text: &str) -> Code {
    static KNOWN: Mutex<BTreeSet<Code>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().expect("no thread panics here");
    if let Some(code) = known.get(text) {
        return code;
    }
    let code: Code = Box::leak(text.to_string().into_boxed_str());
    known.insert(code);
    code
}

/// Chance, answered by the caller.
pub trait Fate {
    /// The card that is drawn next: an index into `pile`, whose order is irrelevant.
    fn draw(&mut self, pile: &[Code]) -> usize;
    /// The card that moves to another hand: an index into `hand`.
    fn card_of_hand(&mut self, hand: &[Code]) -> usize;
    /// The color of the Tinker Bell button: `r`, `y`, `g` or `b`.
    fn tinker(&mut self, weights: [f64; 4]) -> char;
    /// Whether a physical task of success probability `p` was done.
    fn task(&mut self, p: f64) -> bool;
    /// One of these seats, which are in order of play from the next one on.
    fn random_other(&mut self, seats: &[usize]) -> usize;
}
