//! `net`: a trained player without search.
//!
//! It values the position that each legal action leads to, as its seat sees it, and plays the action of highest value.
//! [`feature_tracker`] is what a seat remembers, [`inputs`] turns what its actions lead to into yes-or-no inputs, [`network`] values them in
//! whole numbers, [`weights`] is the file format of what was learned, [`judge`] values the actions of a seat, [`player`] is the agent.
//! `unolab train` learns, with [`float_net`].

mod afterstate;
mod decision_view;
pub mod feature_tracker;
pub mod float_net;
mod history;
pub mod inputs;
pub mod judge;
mod layout;
pub mod network;
pub mod player;
pub mod weights;

pub use layout::INPUTS;
