//! What the searching players share.
//!
//! A decision is judged by playing on from it many times: in states that may be the true one (`determinizer`), with a cheap
//! rule player in every seat ([`policy`], a better one for the searching seat), to the end of the round or until the hands
//! tell enough (`rollout`, `evaluator`). The result counts as the agent's [`goal`](crate::goal) says. `monte-carlo` only does
//! that; `ismcts` grows a [`tree`] first; `clairvoyant` does it in the true state. What others did makes some worlds
//! likelier than others ([`belief`](crate::belief)). What the trained [`net`](crate::net) thinks of each action counts as some trials
//! in advance, and an action that is behind for certain is tried no more (`halving`). A win that can be proven ([`endgame`]) needs no trials, and is taken.
//! Three well-known traps, and what is done about them:
//!
//! - **Luck.** The outcome of a round is mostly chance. All actions are therefore tried in the same worlds, with the same
//!   cards to come and the same random numbers for the players (common random numbers), and what is compared is how
//!   they did there side by side.
//! - **Strategy fusion** (Frank and Basin, 1998): a search that solves each world for itself believes that it will know
//!   later which world it is in. Here no world is solved for itself. Rollout players see their own hand and what lies
//!   open, no more, and a tree has one node for all worlds that the searching seat cannot tell apart.
//! - **Knowledge leaks.** Worlds come from the observation alone, so nothing hidden reaches the search; and the players of
//!   a rollout are not told what the searching seat knows: each decides by the view of its own seat.

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
