//! Fast paths for the same rounds. This module does not define rules, and the files that define rules do not import it.
//!
//! - [`FastTurns`]: a whole turn of a player who always plays if possible, without a list of actions;
//! - [`SimdBatch`]: many rounds of random players in parallel, in the lanes of [`Vectors`].
//!
//! Each fast path lists the rules that it *supports*; the general code plays all others. Tests of this crate compare every
//! fast path with the general code, move by move.
//!
//! Your own [`TurnPolicy`] plays turns on the fast path, for example in the rollouts of a search:
//!
//! ```
//! use unolab_engine::action::Call;
//! use unolab_engine::card::{Card, CardSet};
//! use unolab_engine::cards::Cards;
//! use unolab_engine::color::Color;
//! use unolab_engine::cpu::Isa;
//! use unolab_engine::fast::{Bluffs, FastTurn, FastTurns, TurnPolicy};
//! use unolab_engine::rules::AllFeatures;
//! use unolab_engine::seat::{Seat, SeatSet};
//! use unolab_engine::state::{Phase, RoundState};
//! use unolab_engine::{Rng, Rules};
//!
//! /// Plays the card with the most points.
//! struct Highest;
//!
//! impl TurnPolicy for Highest {
//!     const BLUFFS: Bluffs = Bluffs::Never;
//!
//!     fn pick<M: Isa>(&mut self, rules: &Rules, _hand: Cards, playable: CardSet) -> Card {
//!         playable.iter().max_by_key(|&card| rules.points(card)).expect("a playable card")
//!     }
//!
//!     fn name(&mut self, rules: &Rules, rest: Cards) -> Color {
//!         Color::ALL.into_iter().max_by_key(|&color| rest.len_of(rules.of_color(color))).expect("four colors")
//!     }
//! }
//!
//! let rules = Rules::builder("disney").seats(3).build()?;
//! assert!(FastTurn::supports(&rules));
//! let mut chance = Rng::from_seed(7);
//! let mut state = RoundState::deal_without_events(&rules, SeatSet::first(3), Seat::new(0), &mut chance);
//! let mut no_events = ();
//! let mut turns = 0;
//! while let Some(seat) = state.current_seat() {
//!     let is_turn = state.phase() == Phase::Turn;
//!     let mut table = FastTurns::<AllFeatures, _, _>::from(&mut state, &rules, &mut chance, &mut no_events);
//!     if is_turn && table.play(&mut Highest) != FastTurn::Refused {
//!         turns += 1;
//!     } else {
//!         // A decision that is not a turn.
//!         let action = state.legal_actions(&rules)[0];
//!         state.apply_action(&rules, seat, action, Call::Silent, &mut chance, &mut no_events)?;
//!     }
//! }
//! assert!(state.is_terminal() && turns > 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod simd;
mod turn;

pub use crate::cpu::simd::LaneNumbers;
pub use simd::{BatchRound, MOST_DECISIONS, SimdBatch, Vectors};
pub use turn::{AnswerPolicy, Bluffs, DrawResult, FastTurn, FastTurns, TurnPolicy};
