//! Plays a scenario.

use super::expect;
use super::outcome::{ScenarioError, Verdict};
use super::play::{Difference, Play};
use super::prepare::{Expected, Scenario, ScenarioStart, Step};
use crate::chance::TaskResult;
use crate::knowledge::Knowledge;
use crate::notation::ActionWithCall;
use crate::rng::{Purpose, Rng};
use crate::rules::Rules;
use crate::script::{Mismatch, Outcome};
use crate::state::{RoundState, SetupError};

impl Scenario {
    /// Its name within the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its rules and its initial state.
    ///
    /// # Errors
    /// The position is impossible, or a scripted outcome does not fit.
    pub fn beginning(&self) -> Result<(&Rules, RoundState), ScenarioError> {
        let play = self.begin().map_err(|reason| self.broken(reason))?;
        Ok((&self.rules, play.state))
    }

    /// Plays the scenario.
    ///
    /// # Errors
    /// The position is impossible, or a scripted outcome is not used or does not fit.
    pub fn run(&self) -> Result<Verdict, ScenarioError> {
        let broken = |reason: String| self.broken(reason);
        let mut play = self.begin().map_err(broken)?;
        for (i, step) in self.steps.iter().enumerate() {
            if let Err(Difference { expected, found }) = self.do_step(&mut play, step) {
                return Ok(Verdict::Failed { step: i + 1, expected, found });
            }
            if let Some(mismatch) = play.script.mismatch() {
                return Err(broken(format!("steps[{i}]: {}", self.describe_mismatch(mismatch))));
            }
        }
        match play.script.unused_outcomes() {
            0 => Ok(Verdict::Passed),
            unused => Err(broken(format!("chance: {unused} entries at the end are not used"))),
        }
    }

    fn describe_mismatch(&self, mismatch: Mismatch) -> String {
        match mismatch {
            Mismatch::Card(card) => format!("draw: {} is not in the draw pile", self.rules.code(card)),
            Mismatch::Outcome(outcome) => {
                let entry = match outcome {
                    Outcome::Button(color) => format!("tinker {}", color.letter()),
                    Outcome::Task(TaskResult::Done) => "task yes".into(),
                    Outcome::Task(TaskResult::Failed) => "task no".into(),
                    Outcome::Chosen(seat) => format!("seat {seat}"),
                    Outcome::CardOfHand(card) => format!("card {}", self.rules.code(card)),
                };
                format!("chance: something else happens by chance here than `{entry}`")
            }
        }
    }

    fn broken(&self, reason: String) -> ScenarioError {
        ScenarioError { file: self.file.clone(), scenario: Some(self.name.clone()), reason }
    }

    fn begin(&self) -> Result<Play, String> {
        let (mut script, mut knowledge) = (self.script.clone(), Knowledge::default());
        let state = match &self.beginning {
            ScenarioStart::Position(setup) => RoundState::from_setup(setup, &self.rules).map_err(|errors| {
                let reason = |error: &SetupError| format!("{}: {}", key_of(error), error.describe(&self.rules));
                errors.iter().map(reason).collect::<Vec<_>>().join("; ")
            })?,
            ScenarioStart::Start { deck, dealer, seats, hands, turned_up } => {
                let who = (*seats, *dealer);
                RoundState::begin_with_deck(&self.rules, *deck, who, **hands, turned_up, &mut script, &mut knowledge)
                    .map_err(|error| format!("start: {}", error.describe(&self.rules)))?
            }
        };
        if let Some(mismatch) = script.mismatch() {
            return Err(format!("start: {}", self.describe_mismatch(mismatch)));
        }
        let plan = self.table.plan(&self.rules);
        Ok(Play { state, knowledge, table: self.table.clone(), plan, script, rounds_dealt: 1 })
    }

    fn do_step(&self, play: &mut Play, step: &Step) -> Result<(), Difference> {
        match step {
            Step::Expect(expectation) => expect::check(&self.rules, play, expectation),
            Step::Sees { sees, hand } => expect::check_sees(&self.rules, play, sees, *hand),
            Step::NextRound => self.deal_next_round(play),
            Step::Act { seat, text, spoken, outcome } => {
                let mut accepted = false;
                if let Some(ActionWithCall { action, call }) = spoken {
                    let before = play.state;
                    let Play { state, script, knowledge, .. } = &mut *play;
                    accepted = state.apply_action(&self.rules, *seat, *action, *call, script, knowledge).is_ok();
                    debug_assert!(accepted || before == play.state);
                }
                if accepted && play.state.is_terminal() {
                    play.table.count_round(&self.rules, &play.plan, &play.state);
                }
                match (outcome, accepted) {
                    (Expected::Accepted, true) | (Expected::Refused, false) => Ok(()),
                    (Expected::Refused, true) => Err(Difference {
                        expected: format!("seat {seat} is refused `{text}`"),
                        found: "it was allowed".into(),
                    }),
                    (Expected::Accepted, false) => Err(Difference {
                        expected: format!("seat {seat} may `{text}`"),
                        found: format!("it was refused; {}", expect::describe_decision(&self.rules, &play.state)),
                    }),
                }
            }
        }
    }

    fn deal_next_round(&self, play: &mut Play) -> Result<(), Difference> {
        let refused = |found: &str| Err(Difference { expected: "the next round is dealt".into(), found: found.into() });
        if !play.state.is_terminal() {
            return refused("the round is not over");
        }
        if play.table.winners().is_some() {
            return refused("the match is over");
        }
        play.plan = play.table.plan(&self.rules);
        let mut rng = Rng::keyed(self.seed, 0, Purpose::Cards { round: play.rounds_dealt });
        play.rounds_dealt += 1;
        play.script.forget_cards();
        play.knowledge = Knowledge::default();
        // The deal uses the seed; the button for the start card may be scripted.
        play.state = RoundState::deal_with(
            &self.rules,
            play.plan.seats,
            play.plan.dealer,
            &mut rng,
            &mut play.script,
            &mut play.knowledge,
        );
        Ok(())
    }
}

/// The key of a scenario that makes a position impossible.
const fn key_of(error: &SetupError) -> &'static str {
    match error {
        SetupError::TooFewSeats => "scores",
        SetupError::SeatNotInRound(_) => "to_act",
        SetupError::EmptyHand(_) | SetupError::HandOutsideRound(_) => "hands",
        SetupError::TooManyCopies { .. } => "hands, discard and draw",
        SetupError::ColorMissing | SetupError::ColorContradictsTop(_) => "color",
    }
}
