//! Statistics of exact sums over sets of games, with their errors. This crate is independent of cards, agents, and files.
//!
//! Read in this order. [`sums`] and [`set_totals`] store exact integer sums over millions of games; [`histogram`] and
//! [`bootstrap`] store their distribution. [`share`] computes estimates from them, with [`interval`]s; [`range`] has intervals
//! of rare events, and [`unequal`] intervals of rare differences. [`hypothesis`] corrects for multiple comparisons;
//! [`moments`] are exact sums of ratios and compare the arms of a sweep; [`elo`] expresses the size of a difference, and [`power`] computes the number of sets to detect it.
//! [`control_variates`] adjusts for luck, [`logit`] predicts winners, and [`gaussian_process`] predicts results that were not
//! measured. [`sprt`] is a sequential test, [`spsa`] tunes numbers by comparisons, and [`ratings`] measure strength.
//! [`reference_values`] checks that a build computes quantiles bit by bit as published.

pub mod sums;

pub mod set_totals;

pub mod interval;

pub mod range;

pub mod histogram;

pub mod bootstrap;

pub mod unequal;

pub mod share;

pub mod hypothesis;

pub mod moments;

pub mod elo;

pub mod power;

mod linear;

pub mod control_variates;

pub mod logit;

pub mod gaussian_process;

pub mod random;

pub mod sprt;

pub mod spsa;

pub mod ratings;

pub mod reference_values;
