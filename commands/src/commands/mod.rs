//! The commands, one per file.

pub(crate) mod default_command;

pub(crate) mod tournament;

pub(crate) mod r#match;

pub(crate) mod league;

pub(crate) mod sprt;

pub(crate) mod balance;

pub(crate) mod tune;

pub(crate) mod train;

pub(crate) mod status;

pub(crate) mod rate;

pub(crate) mod compare;
pub(crate) mod coverage;
pub(crate) mod exploit;

mod driver;

pub(crate) mod scenario;

pub(crate) mod play;

pub(crate) mod replay;

pub(crate) mod analyze;

pub(crate) mod perft;

pub(crate) mod variants;

pub(crate) mod agents;

pub(crate) mod bot;

pub(crate) mod debug;

pub(crate) mod ladder;

pub(crate) mod spsa;

pub(crate) mod bench;

pub(crate) mod merge;

pub(crate) mod worker;

pub(crate) mod verify;

pub(crate) mod report;

pub(crate) mod check;

pub(crate) mod shell;
