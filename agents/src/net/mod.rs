//! `net`: a trained player without search.
//!
//! It evaluates the result of each legal action from the view of its seat, and plays the action of highest value.
//! [`feature_tracker`] is the memory of a seat, [`inputs`] encodes the results of its actions as binary inputs, [`network`]
//! evaluates them in integers, [`weights`] is the file format of the parameters, [`judge`] evaluates the actions of a seat,
//! [`published`] has the included nets, and [`player`] is the agent. `unolab train` trains the net in [`float_net`].

mod afterstate;
mod decision_view;
pub mod feature_tracker;
pub mod float_net;
pub mod hidden_layers;
mod history;
pub mod inputs;
pub mod judge;
mod layout;
pub mod network;
pub mod player;
pub mod published;
pub mod weights;

pub use layout::INPUTS;
