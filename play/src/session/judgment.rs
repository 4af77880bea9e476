//! [`Judgment`]: the value of each action of a decision, by rollouts.

use std::sync::Arc;

use unolab::agents::goal::Goal;
use unolab::agents::search::policy::Policy;
use unolab::agents::search::valuation::{ActionValue, Valuation};
use unolab::rng::Purpose;
use unolab::seat::Seat;
use unolab::{Action, DecisionKind, Observation, Rng, Round, Rules};

use super::game::{Refusal, Session};

/// An evaluated decision.
#[derive(Debug, Clone)]
pub struct Judgment {
    /// Every legal action with its value, best first.
    pub values: Vec<(String, ActionValue)>,
    /// The chosen action, if a move was evaluated.
    pub chosen: Option<String>,
    /// The names of the options, if the decision is about options.
    pub options: Vec<String>,
}

impl Session {
    /// The value of each legal action of the current decision for the person who decides.
    ///
    /// # Errors
    /// No person has to decide, or a search cannot evaluate the decision.
    pub fn hint(&self) -> Result<Judgment, Refusal> {
        let Some((seat, kind)) = self.asked() else { return Err("no decision is pending".into()) };
        if kind.is_interruption() || matches!(kind, DecisionKind::Call { .. }) {
            return Err("there is no hint for calls, catches and jump-ins".into());
        }
        Ok(self.judged(self.round(), seat, None))
    }

    /// A hint for this player only.
    ///
    /// # Errors
    /// As [`Session::hint`], or it is another player's decision.
    pub fn hint_for(&self, player: Seat) -> Result<Judgment, Refusal> {
        match self.asked() {
            Some((seat, _)) if self.player_at(seat) == player => self.hint(),
            _ => Err("it is another player's decision".into()),
        }
    }

    /// Evaluates the last decision of this player with the information available at that time.
    ///
    /// # Errors
    /// The player has made no decision in this round.
    ///
    /// # Panics
    /// After more rounds than a match can have.
    pub fn judge_last(&self, player: Seat) -> Result<Judgment, Refusal> {
        let at = self.last_own(player).ok_or("there is no move of yours in this round to judge")?;
        let number = u32::try_from(self.rounds.len() - 1).expect("fewer rounds than that");
        let mut round = self.dealt(number);
        for answer in &self.answers[..at] {
            round.apply(answer.action).map_err(|error| error.to_string())?;
        }
        Ok(self.judged(&round, self.answers[at].seat, Some(self.answers[at].action)))
    }

    fn judged(&self, round: &Round<Arc<Rules>>, seat: Seat, chosen: Option<Action>) -> Judgment {
        let valuation = Valuation { worlds: self.setup.worlds, policy: Policy::MixBot, goal: Goal::Win };
        let mut rng = Rng::keyed(self.setup.seed, u64::from(round.decisions()), Purpose::Other(1));
        let knowledge = round.implied_knowledge();
        let observation = Observation::of(round.rules(), round.state(), &knowledge, round.scores(), seat);
        let mut values: Vec<(String, ActionValue)> = valuation
            .of(&observation, &mut rng)
            .into_iter()
            .map(|value| (self.setup.rules.display(value.action).to_string(), value))
            .collect();
        values.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
        let options = round.state().phase().options(&self.setup.rules);
        Judgment {
            values,
            chosen: chosen.map(|action| self.setup.rules.display(action).to_string()),
            options: options.iter().map(|option| option.name.to_string()).collect(),
        }
    }
}
