//! The rules of UNO-like card games, to the letter and at bit level.
//!
//! This crate knows rules and nothing else: no files, no threads, no clock, no agent. Read it in this order.

pub mod card;
pub mod color;
pub mod seat;

mod bits;
pub mod cards;
pub mod machine;
pub mod rng;

pub mod rules;

pub mod action;
pub mod chance;
pub mod event;
pub mod knowledge;
pub mod observation;
pub mod state;

pub mod encoding;

pub mod match_play;
pub mod notation;
pub mod perft;
pub mod record;
pub mod scenario;
pub mod scoring;
pub mod script;
