//! The rules of UNO-like card games, exactly as their sheets say and fast.
//!
//! This crate knows rules and nothing else: no files, no threads, no clock, no agent. [`Rules`] are loaded by name or
//! from a variant file, and a [`Round`] is played by them:
//!
//! ```
//! use unolab_engine::{Rng, Round, Rules, rand::RngExt as _};
//!
//! let rules = Rules::builder("disney").set("points.villain_draw_four", "50")?.seats(4).build()?;
//! let mut rng = Rng::from_seed(7);
//! let mut round = Round::deal(&rules, 1);
//! while let Some(decision) = round.decision() {
//!     let action = decision.actions[rng.random_range(0..decision.actions.len())];
//!     println!("seat {} {}", decision.seat, rules.display(action));
//!     round.apply(action)?;
//! }
//! println!("{:?} {:?}", round.returns(), round.points());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Observation`] holds everything a seat knows; pass nothing else to the agent that decides for it:
//!
//! ```
//! use unolab_engine::{Round, Rules};
//!
//! let rules = Rules::builder("classic").seats(2).build()?;
//! let round = Round::deal(&rules, 1);
//! let decision = round.decision().expect("the round has just begun");
//! let observation = round.observation(decision.seat);
//! println!("{} on {}", rules.display(observation.hand()), rules.display(observation.top()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What happened is written down as JSON Lines, and checked by playing it again:
//!
//! ```
//! use unolab_engine::{Round, Rules, record};
//!
//! let rules = Rules::builder("wimpy-kid").seats(3).build()?;
//! let mut round = Round::deal(&rules, 1);
//! while let Some(decision) = round.decision() {
//!     round.apply(decision.actions[0])?;
//! }
//! let replayed = record::replay(&round.record()?, &mut |_| {})?;
//! assert_eq!(replayed.points, round.points());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Randomness from a key, and the hashes behind it.
pub mod hash;
pub mod seat;

pub mod rng;

// The processor: instruction sets, bits, and vectors.
pub mod cpu;

// Colors, kinds of card, and cards by number.
pub mod card;
pub mod cards;
pub mod color;
pub mod spelling;

// A variant: its file, its keys, and the tables that a round looks up.
pub mod rules;

// What players do and chance decides, and how it is written.
pub mod action;
pub mod chance;
pub mod event;
pub mod notation;

// One round: what may be done, what happens then, and what each seat sees of it.
pub mod state;

pub mod knowledge;
pub mod observation;

// Results of rounds, and matches.
pub mod scoring;

pub mod match_play;

// Rounds in bytes: scripted chance, tensors, records, and scenarios.
pub mod script;

pub mod encoding;
pub mod record;
pub mod scenario;

// The front door: a round with its rules and its chance, and who is asked what, and when.
pub mod round;

// Every way a round can go: each with its probability, and counted to compare with another engine.
pub mod chance_enumerator;
pub mod perft;

// The same rounds, faster.
pub mod fast;

pub use rand;

pub use action::{Action, Call};
pub use card::{Card, CardSet};
pub use cards::Cards;
pub use chance::Chance;
pub use color::Color;
pub use event::{Event, VisibleEvent};
pub use notation::ActionWithCall;
pub use observation::Observation;
pub use rng::Rng;
pub use round::{Decision, DecisionKind, Round};
pub use rules::Rules;
pub use seat::{BySeat, Seat, SeatSet};
pub use state::{EventSink, RoundState};
