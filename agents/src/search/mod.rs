//! Shared parts of the searching agents.
//!
//! A search judges a decision by many rollouts: it plays on from states that its seat considers possible (`determinizer`), with
//! a fast rule-based player in every seat ([`policy`], a better one for the searching seat), to the end of the round or until
//! the hands suffice for a judgment (`rollout`, `evaluator`). The agent's [`goal`](crate::goal) values the result.
//! `monte-carlo` does only that, `ismcts` first grows a [`tree`], and `clairvoyant` plays on from the true state. The actions
//! of others make some worlds more likely than others ([`belief`](crate::belief)). The value that the trained
//! [`net`](crate::net) gives an action counts as a number of prior trials, and an action that is too far behind is
//! dropped (`halving`). A win that can be proven ([`endgame`]) is taken without trials.
//!
//! Three known problems of this kind of search, and their remedies:
//!
//! - **Luck.** The outcome of a round is mostly chance. All actions are therefore tried in the same worlds, with the same
//!   cards to come and the same random numbers for the players (common random numbers), and what is compared is how
//!   they did there side by side.
//! - **Strategy fusion** (Frank and Basin, 1998): a search that solves each world for itself believes that it will know
//!   later which world it is in. Here no world is solved for itself. Rollout players see their own hand and what lies
//!   open, no more, and a tree has one node for all worlds that the searching seat cannot tell apart.
//! - **Knowledge leaks.** Worlds come from the observation alone, so nothing hidden reaches the search; and the players of
//!   a rollout do not have the searching seat's knowledge: each decides by its own seat's view.

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
