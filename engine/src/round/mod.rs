//! [`Round`]: rules, state, and chance together, with an interface similar to a game of OpenSpiel.
//!
//! ```
//! use unolab_engine::{Rng, Round, Rules, rand::RngExt as _};
//!
//! let rules = Rules::builder("classic").seats(3).build()?;
//! let mut rng = Rng::from_seed(7);
//! let mut round = Round::deal(&rules, 1);
//! while let Some(decision) = round.decision() {
//!     let action = decision.actions[rng.random_range(0..decision.actions.len())];
//!     round.apply(action)?;
//! }
//! assert_eq!(round.returns().iter().sum::<f64>(), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod deal;
mod game;
mod history;
mod order;
mod record;

pub use deal::Deal;
pub use game::{ApplyError, Decision, MAX_DECISIONS, Round};
pub use order::{DecisionKind, DecisionOrder, Move, Question};
pub use record::RecordError;
