//! Scenarios: a position, actions, and expectations. They are the rule tests of this project and of its users.
//!
//! [`parse`] reads a file; [`Scenario::run`] plays a scenario.

mod document;
mod expect;
mod outcome;
mod play;
mod prepare;
mod run;

pub use outcome::{ScenarioError, Verdict};
pub use prepare::{Scenario, parse};
