//! [`Budget`]: the limit of a search, in trials or in time.

use std::time::{Duration, Instant};

/// The budget of a search for a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// This number of trials of an action: the same seed gives the same game.
    Trials(u32),
    /// This number of worlds, in each of which every remaining action is tried: the same seed gives the same game.
    Worlds(u32),
    /// This time; results depend on the machine.
    Time(Duration),
}

/// A budget that is being spent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meter {
    budget: Budget,
    begin: Instant,
    spent: u32,
}

impl Meter {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { budget, begin: Instant::now(), spent: 0 }
    }

    /// Counts a world with this number of trials.
    pub(crate) const fn spend_world(&mut self, trials: u32) {
        self.spent += match self.budget {
            Budget::Trials(_) => trials,
            Budget::Worlds(_) | Budget::Time(_) => 1,
        };
    }

    /// Whether less than this part of the budget is spent, from 0 to 1.
    pub(crate) fn is_below(&self, part: f64) -> bool {
        match self.budget {
            Budget::Trials(number) | Budget::Worlds(number) => f64::from(self.spent) < part * f64::from(number),
            Budget::Time(time) => self.begin.elapsed() < time.mul_f64(part),
        }
    }
}
