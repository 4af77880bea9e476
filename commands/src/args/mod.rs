//! The options that several commands share, and the values of options.

mod contest;
pub(crate) mod examples;
mod mode;
mod numbers;
mod odds;
mod parse;
mod programs;
mod runs;
pub(crate) mod values;

pub(crate) use contest::{opened, registry_for_replay};
pub(crate) use mode::PlayMode;
pub(crate) use numbers::{Seats, any_number, fraction, number, seats, share, steps};
pub(crate) use odds::OddsArgs;
pub(crate) use parse::{
    AgentList, EvaluatorArg, PANEL, parse_agents, parse_evaluator, parse_goal, parse_panel, parse_policy, parse_sweep,
    parse_turn_ms,
};
#[cfg(unix)]
pub(crate) use programs::run_log;
pub(crate) use programs::{EachArgs, LogDirectory, ProgramArgs, SealMode, TrustArgs};
pub(crate) use runs::{
    CommonRunArgs, ComputingArgs, ExportArgs, MOST_SETS, OverrideArgs, RecordOnly, RulesArgs, RunArgs,
};
