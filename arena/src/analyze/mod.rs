//! Values the decisions of game records.
//!
//! A [`DecisionEvaluator`] gets each choice between two or more legal actions as its seat saw it, without the hidden cards: it plays
//! out all actions in many deals of these cards, or evaluates a net. Over many decisions this gives the optimal-decision hit rate
//! and the average decision rank at K legal actions (ODHR@K and ADR@K of UNO Arena, arXiv 2406.16382).

mod net_evaluators;
mod quality;

use rayon::prelude::*;
use unolab_agents::net::judge::RoundValue;
use unolab_agents::net::player::NetSettings;
use unolab_agents::search::valuation::{ActionValue, Judgment, Valuation};
use unolab_engine::action::Action;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::notation::ActionWithCall;
use unolab_engine::observation::Observation;
use unolab_engine::record::{Header, ReplayError, ReplayEvent, replay};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::RoundState;

use crate::tables::decisions::DecisionRow;
use net_evaluators::NetEvaluators;
pub use quality::quality;

/// The method that values the actions of a decision.
#[derive(Debug, Clone)]
pub enum DecisionEvaluator {
    /// Rollouts, with this seed.
    Rollouts(Valuation, u64),
    /// A net, in one forward pass.
    Net(NetSettings, RoundValue),
}

/// Why a record cannot be analyzed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzeError {
    /// The record is invalid.
    #[error(transparent)]
    Record(#[from] ReplayError),
    /// The net does not support partners.
    #[error("a net cannot evaluate a table of partners; allowed: rollouts")]
    NoNet,
}

/// A choice that a record shows.
struct Choice {
    line: usize,
    round: u32,
    seat: Seat,
    player: Seat,
    chosen: Action,
    judged: Judged,
}

/// Its evaluation so far.
enum Judged {
    Already(Judgment),
    /// The position, for rollouts on any thread.
    ToBe(Box<(RoundState, Knowledge, BySeat<u32>)>),
}

/// Values every choice of a record that its agents made themselves: after a fault another agent plays the seat. Equal
/// seeds give equal values.
///
/// # Errors
/// The first line that is not a line of a record or differs from the result of the rules; or a table that the net does
/// not support.
pub fn analyze(name: &str, text: &str, judge: &DecisionEvaluator) -> Result<Vec<DecisionRow>, AnalyzeError> {
    let mut choices = Vec::new();
    let mut round = 0;
    let mut player_at: BySeat<Seat> = BySeat::from_fn(|seat| seat);
    let mut have_lost = SeatSet::EMPTY;
    let mut onlookers = match judge {
        DecisionEvaluator::Rollouts(..) => None,
        DecisionEvaluator::Net(net, value) => Some(NetEvaluators::new(net, *value)),
    };
    let mut has_net = true;
    let replayed = replay(text, &mut |step| match step.what {
        ReplayEvent::Dealt { plan, .. } => {
            round += 1;
            player_at = plan.player_at;
            has_net &= onlookers.as_mut().is_none_or(|onlookers| onlookers.sit_down(step.rules, plan.seats));
        }
        ReplayEvent::Event { event, state, knowledge, scores, .. } => {
            let scores = player_at.map(|player| scores[player]);
            if let Event::Acted { seat, action, .. } = event {
                if let Some(onlookers) = &mut onlookers {
                    onlookers.round_has_begun(step.rules, state, knowledge, &scores);
                }
                let is_its_own = !have_lost.contains(player_at[seat]);
                let legal = state.legal_actions(step.rules);
                let is_choice =
                    is_its_own && state.current_seat() == Some(seat) && legal.len() > 1 && legal.contains(&action);
                if is_choice {
                    let judged = match &mut onlookers {
                        Some(onlookers) => {
                            let observation = Observation::of(step.rules, state, knowledge, &scores, seat);
                            let Some(judgment) = onlookers.judge(&observation, &legal) else { return };
                            Judged::Already(judgment)
                        }
                        None => Judged::ToBe(Box::new((*state, knowledge.clone(), scores))),
                    };
                    let (line, player) = (step.line, player_at[seat]);
                    choices.push(Choice { line, round, seat, player, chosen: action, judged });
                }
            }
            if let Some(onlookers) = &mut onlookers {
                onlookers.observe(step.rules, state, knowledge, &scores, event);
            }
        }
        // From here on another agent plays the seat.
        ReplayEvent::Fault { player, .. } => have_lost = have_lost.with(player),
        _ => {}
    })?;
    if !has_net {
        return Err(AnalyzeError::NoNet);
    }
    // By the given names, if the record has them.
    let Header { agents, names, .. } = &replayed.header;
    let agents = if names.len() == agents.len() { names } else { agents };
    let (of_seed, of_set) = (replayed.header.seed, replayed.header.set);
    let value = |choice: Choice| {
        let row = choice.row(name, &agents[choice.player.index()], &replayed.rules, judge);
        DecisionRow { seed: of_seed, set: of_set, ..row }
    };
    Ok(choices.into_par_iter().map(value).collect())
}

impl Choice {
    fn row(&self, record: &str, agent: &str, rules: &Rules, judge: &DecisionEvaluator) -> DecisionRow {
        let rolled_out;
        let Judgment { values, noise_floor } = match (&self.judged, judge) {
            (Judged::ToBe(position), DecisionEvaluator::Rollouts(valuation, seed)) => {
                let (state, knowledge, scores) = &**position;
                let observation = Observation::of(rules, state, knowledge, scores, self.seat);
                let mut rng = Rng::keyed(*seed, self.line as u64, Purpose::Agent(self.seat));
                rolled_out = valuation.judge(&observation, &mut rng);
                &rolled_out
            }
            (Judged::Already(judgment), _) => judgment,
            (Judged::ToBe(_), DecisionEvaluator::Net(..)) => unreachable!("a net judges while the record is read"),
        };
        let chosen = values.iter().find(|value| value.action == self.chosen).expect("a legal action was chosen");
        let best = values.iter().min_by(|a, b| a.regret.total_cmp(&b.regret)).expect("there are legal actions");
        let write = |action: Action| rules.write_action(ActionWithCall::from(action));
        DecisionRow {
            record: record.to_owned(),
            line: self.line,
            round: self.round,
            seat: self.seat.index(),
            agent: agent.to_owned(),
            actions: values.len(),
            chosen: write(self.chosen),
            value: chosen.value,
            rank: rank(chosen, values),
            regret: chosen.fair_regret,
            regret_se: chosen.fair_regret_se,
            noise_floor: *noise_floor,
            best: write(best.action),
            best_value: best.value,
            values: values
                .iter()
                .map(|value| format!("{} = {:?}", write(value.action), value.value))
                .collect::<Vec<_>>()
                .join("; "),
            ..DecisionRow::default()
        }
    }
}

/// 1 for the best; equal values share the better rank.
fn rank(chosen: &ActionValue, values: &[ActionValue]) -> usize {
    1 + values.iter().filter(|value| value.value > chosen.value).count()
}
