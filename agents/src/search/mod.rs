//! Shared parts of the searching agents.
//!
//! A search evaluates the actions of a decision by many rollouts. A rollout starts from a state that the seat considers
//! possible (`determinizer`), with a fast rule-based player in every seat ([`policy`], a better one for the searching seat).
//! It ends with the round, or earlier with an evaluation of the hands (`rollout`, `evaluator`). The agent's
//! [`goal`](crate::goal) values the result. `monte-carlo` uses only rollouts, `ismcts` first grows a [`tree`], and
//! `clairvoyant` starts from the true state. Worlds are weighted by the actions of others ([`belief`](crate::belief)). The
//! value that the trained [`net`](crate::net) gives an action counts as a number of prior trials, and an action that is too
//! far behind is dropped (`halving`). A provable win ([`endgame`]) is chosen without trials.
//!
//! Three known problems of this kind of search, and their remedies:
//!
//! - **Luck.** The outcome of a round is mostly chance. All actions are therefore tried in the same worlds, with the same
//!   future cards and the same random numbers for the players (common random numbers), and compared in pairs.
//! - **Strategy fusion** (Frank and Basin, 1998): a search that solves each world separately assumes that it will know later
//!   which world is the true one. Here worlds are not solved separately. Rollout players see only their own hands and the
//!   open cards, and a tree has one node for all worlds that the searching seat cannot distinguish.
//! - **Information leaks.** Worlds are sampled only from the observation, so the search has no hidden information. The
//!   players of a rollout do not have the searching seat's knowledge: each decides from its own seat's view.

pub mod endgame;
pub mod policy;
pub mod searcher;
pub mod tree;
pub mod valuation;

pub(crate) mod budget;
pub(crate) mod determinizer;
pub(crate) mod evaluator;
pub(crate) mod halving;
pub(crate) mod options;
pub(crate) mod returns;
pub(crate) mod rollout;

pub use budget::Budget;
