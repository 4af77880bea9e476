//! Seeded experiments with card-playing agents, with errors one can trust.
//!
//! Read in this order; each room knows only those before it. A [`spec`] says what is asked. A [`schedule`] turns it, purely,
//! into games; [`play`] makes each game one immutable record; [`count`] adds records up in whole numbers by sets of games,
//! so that any number of threads counts the same; [`tables`] turns counts into rows and bytes. [`run`] is any long work and
//! its folder; [`experiment`] is each kind of it. [`check`] tries agents, [`analyze`] values decisions, [`debug`] puts
//! them to an agent again, [`words`] counts
//! things in English, and [`random`] lends the engine's random numbers to statistics.

pub mod spec;

pub mod schedule;

pub mod play;

pub mod count;

pub mod tables;

pub mod run;

pub mod experiment;

pub mod check;

pub mod analyze;

pub mod debug;

pub mod words;

pub mod random;
