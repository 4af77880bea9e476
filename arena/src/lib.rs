//! Seeded tournaments of card-playing agents, with errors one can trust.
//!
//! One flow: a [`spec::Spec`] holds everything that determines a result. [`schedule`] turns it, purely, into games;
//! a finished game is one immutable [`record::GameRecord`]; a [`tally`] counts records in whole numbers by sets of
//! games, so that any number of threads counts the same; [`statistics`] makes floats of the counts at the very end,
//! and [`tables`] turns them into bytes.

pub mod spec;

pub mod sprt;

pub mod agent_list;

pub mod seating;

pub mod schedule;

pub mod contest;

pub mod record;

pub mod play;

pub mod analysis;

pub mod sums;

pub mod moments;

mod linear;

pub mod luck;

pub mod groups;

pub mod histogram;

pub mod tally;

pub mod offences;

pub mod part;

pub mod runner;

pub mod standing;

pub mod joined;

pub mod stretches;

pub mod interval;

pub mod claims;

pub mod elo;

pub mod power;

pub mod sprt_simulation;

pub mod statistics;

pub mod ratings;

pub mod league;

pub mod tables;

pub mod terminal;

pub mod report;

pub mod examination;

pub mod run;

pub mod folder;

pub mod study;

pub mod balance;
