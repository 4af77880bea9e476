//! Numbers only: what exact sums over sets of games say, with their errors. It knows no cards, no agents and no files.
//!
//! Read in this order. [`sums`], [`set_totals`] and [`moments`] keep whole numbers of millions of games; [`histogram`] and [`bootstrap`]
//! keep how they are spread. [`share`] makes floats of them, with the [`interval`]s that belong to them; [`hypothesis`]
//! says what may be claimed of many comparisons, [`elo`] and [`power`] how large a difference is and how many sets it
//! takes to see it. [`control_variates`] takes luck off, [`logit`] predicts winners. [`sprt`] stops when the answer is
//! clear, and [`ratings`] says who is how strong.

pub mod sums;

pub mod set_totals;

pub mod moments;

pub mod histogram;

pub mod bootstrap;

pub mod interval;

pub mod share;

pub mod hypothesis;

pub mod elo;

pub mod power;

mod linear;

pub mod control_variates;

pub mod logit;

pub mod random;

pub mod sprt;

pub mod ratings;
