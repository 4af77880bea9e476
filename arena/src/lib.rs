//! Seeded experiments with card-playing agents, with confidence intervals.
//!
//! Read in this order; each module uses only the modules before it. A [`spec`] is the input. A [`schedule`] turns it into
//! games, [`play`] creates one record of each game, and [`count`] adds up records in integers by sets of games, so that the
//! counts do not depend on the number of threads. [`tables`] turns counts into rows and bytes. [`run`] drives any experiment
//! and manages its directory; [`experiment`] has each kind. [`check`] tests agents, [`analyze`] values decisions, [`debug`]
//! requests decisions from an agent again, [`rollouts`] measures the speed of rollouts, [`words`] has English plurals, and
//! [`random`] connects the engine's random numbers to the statistics.

pub mod words;

pub mod random;

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

pub mod rollouts;
