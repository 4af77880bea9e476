//! A fast implementation of UNO-like card games, exactly by their rule sheets.
//!
//! This crate contains only rules: it does not use files, threads, clocks, or agents. [`Rules`] are loaded by name or from a
//! variant file, and a [`Round`] is played with them:
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
//! An [`Observation`] contains everything that a seat knows. Pass only this to the agent that decides for the seat:
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
//! A round is recorded as JSON Lines, and a replay checks the record:
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

// Keyed random streams, and their hash functions.
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

// Actions, chance, and their notation.
pub mod action;
pub mod chance;
pub mod event;
pub mod implication;
pub mod notation;

// One round: the legal actions, their effects, and the view of each seat.
pub mod state;

pub mod knowledge;
pub mod observation;

// Results of rounds, and matches.
pub mod scoring;

pub mod match_play;

// Serialized rounds: scripted chance, tensors, records, and scenarios.
pub mod script;

pub mod encoding;
pub mod record;
pub mod scenario;

// The main interface: a round with its rules and its chance, and the order of decisions.
pub mod round;

// All outcomes of chance with their probabilities, and path counts for comparison with other engines.
pub mod chance_enumerator;
pub mod perft;

// Fast paths for the same rounds.
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
