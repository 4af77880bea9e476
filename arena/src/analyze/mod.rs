//! Values the decisions of game records.
//!
//! A [`DecisionEvaluator`] gets each choice between two or more legal actions as its seat saw it, without the hidden cards: it plays
//! out all actions in many deals of these cards, or evaluates a net. Over many decisions this gives the optimal-decision hit rate
//! and the average decision rank at K legal actions (ODHR@K and ADR@K of UNO Arena, arXiv 2406.16382).

mod observers;
mod quality;
mod situations;
mod weaknesses;

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use unolab_agents::agent::Agent as _;
use unolab_agents::net::judge::{Judge, RoundValue};
use unolab_agents::net::player::NetSettings;
use unolab_agents::player::Player;
use unolab_agents::registry::{AgentSpec, Registry};
use unolab_agents::search::valuation::{ActionValue, Judgment, Valuation};
use unolab_agents::stop::{Stopped, unless_stopped};
use unolab_engine::action::Action;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::notation::ActionWithCall;
use unolab_engine::observation::Observation;
use unolab_engine::record::{Header, ReplayError, ReplayEvent, ReplayedRecord, replay};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::RoundState;

use crate::tables::decisions::DecisionRow;
use observers::Observers;
pub use quality::quality;
pub use situations::Situation;
pub use weaknesses::weaknesses;

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
    /// The caller stopped the analysis.
    #[error("stopped")]
    Stopped,
}

/// A choice that a record shows.
struct Choice {
    line: usize,
    move_number: usize,
    round: u32,
    seat: Seat,
    player: Seat,
    chosen: Action,
    /// The notation's word for the decision.
    decision: &'static str,
    situations: String,
    /// The choices of the players for comparison, except those with a fault.
    compared: Vec<Action>,
    judged: EvaluationProgress,
}

/// Its evaluation so far.
enum EvaluationProgress {
    Already(Judgment),
    /// The position, for rollouts on any thread.
    ToBe(Box<(RoundState, Knowledge, BySeat<u32>)>),
}

/// The players with which each choice is compared. They choose with the same information.
pub const COMPARED: [&str; 2] = ["heuristic", "net"];

/// Values every choice that the record's agents made themselves, because after a fault another agent plays the seat. Equal
/// seeds give equal values. The analysis stops when `stop` is set.
///
/// # Errors
/// The first line that is not a line of a record or differs from the result of the rules; a table that the net does not
/// support; or [`AnalyzeError::Stopped`].
///
/// # Panics
/// Never: the players for comparison are registered.
pub fn analyze(
    name: &str,
    text: &str,
    evaluator: &DecisionEvaluator,
    stop: &AtomicBool,
) -> Result<Vec<DecisionRow>, AnalyzeError> {
    let compared = COMPARED.map(|name| Registry::default().configure(name).expect("a registered agent"));
    let (replayed, choices) = choices(text, evaluator, &compared, &|_| true)?;
    let agents = player_names(&replayed.header);
    let (of_seed, of_set) = (replayed.header.seed, replayed.header.set);
    let value = |choice: Choice| {
        let row = choice.row(name, &agents[choice.player.index()], &replayed.rules, evaluator);
        DecisionRow { seed: of_seed, set: of_set, ..row }
    };
    let rows = choices.into_par_iter().map(|choice| unless_stopped(stop, || value(choice)));
    rows.collect::<Result<_, Stopped>>().map_err(|Stopped| AnalyzeError::Stopped)
}

/// The choices of another agent in the positions of a player of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OtherChoices {
    /// The number of the deal.
    pub set: u64,
    /// The number of the player's choices that the other agent also made, before a fault if it had one.
    pub choices: u64,
    /// Whether the other agent had a fault, after which another agent answers for it.
    pub has_fault: bool,
    /// Those that the other agent makes differently, in order.
    pub changed: Vec<ChangedChoice>,
}

/// A choice that another agent makes differently.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedChoice {
    /// The kind of the choice, as in [`DecisionRow`].
    pub kind: String,
    /// The value of the other agent's action minus the value of the recorded one, by the published net: a probability of
    /// winning the round.
    pub gain: f64,
}

/// The choices of another agent in the positions of a player, who is named in the record.
///
/// # Errors
/// As [`analyze`].
///
/// # Panics
/// Never: the net values the legal actions, and every answer is one of them.
pub fn other_choices(text: &str, player: &str, other: &AgentSpec) -> Result<OtherChoices, AnalyzeError> {
    let names = player_names(&replay(text, &mut |_| {})?.header).to_vec();
    let evaluator = DecisionEvaluator::Net(NetSettings::published(), RoundValue::ChanceToWin);
    let is_asked = |seat: Seat| names[seat.index()] == player;
    let (replayed, choices) = choices(text, &evaluator, std::slice::from_ref(other), &is_asked)?;
    let mut found = OtherChoices { set: replayed.header.set, choices: 0, has_fault: false, changed: Vec::new() };
    for Choice { player, chosen, decision, compared, judged, .. } in choices {
        let ([answer], EvaluationProgress::Already(Judgment { values, .. })) = (&compared[..], judged) else {
            found.has_fault |= is_asked(player);
            continue;
        };
        found.choices += 1;
        if *answer != chosen {
            let value = |action: Action| {
                values.iter().find(|value| value.action == action).expect("a legal action was chosen").value
            };
            let kind = situations::kind(decision, chosen, *answer).to_owned();
            found.changed.push(ChangedChoice { kind, gain: value(*answer) - value(chosen) });
        }
    }
    Ok(found)
}

/// The choices of a record, each with the choices of the compared agents in the positions of the players that are asked.
fn choices(
    text: &str,
    evaluator: &DecisionEvaluator,
    compared: &[AgentSpec],
    is_asked: &dyn Fn(Seat) -> bool,
) -> Result<(ReplayedRecord, Vec<Choice>), AnalyzeError> {
    let mut choices = Vec::new();
    let mut round = 0;
    // The number of deals and actions before this one.
    let mut move_number = 0;
    let mut player_at: BySeat<Seat> = BySeat::from_fn(|seat| seat);
    let mut have_lost = SeatSet::EMPTY;
    let mut nets = Observers::<Judge>::new();
    let mut players: Vec<Observers<Player>> = compared.iter().map(|_| Observers::new()).collect();
    let mut has_net = true;
    let replayed = replay(text, &mut |step| match step.what {
        ReplayEvent::Dealt { plan, .. } => {
            round += 1;
            move_number += 1;
            player_at = plan.player_at;
            for (players, agent) in players.iter_mut().zip(compared) {
                players.begin_round(plan.seats, |seat| {
                    is_asked(plan.player_at[seat]).then(|| compared_player(agent, step.rules, seat))
                });
            }
            if let DecisionEvaluator::Net(net, _) = evaluator {
                has_net &= nets.begin_round(plan.seats, |_| net.judge(step.rules, plan.seats.len()));
            }
        }
        ReplayEvent::Event { event, state, knowledge, scores, .. } => {
            let scores = player_at.map(|player| scores[player]);
            let in_play = &knowledge.without_implications();
            if let Event::Acted { seat, action, .. } = event {
                nets.round_has_begun(step.rules, state, in_play, &scores);
                for players in &mut players {
                    players.round_has_begun(step.rules, state, in_play, &scores);
                }
                let is_its_own = !have_lost.contains(player_at[seat]);
                let legal = state.legal_actions(step.rules);
                let is_choice =
                    is_its_own && state.current_seat() == Some(seat) && legal.len() > 1 && legal.contains(&action);
                if is_choice {
                    let observation = Observation::of(step.rules, state, in_play, &scores, seat);
                    let judged = match evaluator {
                        DecisionEvaluator::Net(_, value) => {
                            let Some(net) = nets.at(seat) else { return };
                            EvaluationProgress::Already(judgment(net, *value, &observation, &legal))
                        }
                        DecisionEvaluator::Rollouts(..) => {
                            EvaluationProgress::ToBe(Box::new((*state, knowledge.clone(), scores)))
                        }
                    };
                    let answers = players.iter_mut().filter_map(|players| own_choice(players.at(seat)?, &observation));
                    choices.push(Choice {
                        line: step.line,
                        move_number,
                        round,
                        seat,
                        player: player_at[seat],
                        chosen: action,
                        decision: observation.decision_word().unwrap_or_default(),
                        situations: situations::situations(&observation),
                        compared: answers.collect(),
                        judged,
                    });
                }
                move_number += 1;
            }
            nets.observe(step.rules, state, in_play, &scores, event);
            for players in &mut players {
                players.observe(step.rules, state, in_play, &scores, event);
            }
        }
        // From here on another agent plays the seat.
        ReplayEvent::Fault { player, .. } => have_lost = have_lost.with(player),
        _ => {}
    })?;
    if has_net { Ok((replayed, choices)) } else { Err(AnalyzeError::NoNet) }
}

/// The choice of a player; `None` after a fault, because another agent then chooses.
fn own_choice(player: &mut Player, observation: &Observation<'_>) -> Option<Action> {
    let choice = player.choose(observation);
    player.fault().is_none().then_some(choice)
}

/// The given names of the players, or their agents if the record has no names.
fn player_names(Header { agents, names, .. }: &Header) -> &[String] {
    if names.len() == agents.len() { names } else { agents }
}

/// A player for comparison, from the beginning of a round. Its random numbers decide only between actions of equal value.
fn compared_player(agent: &AgentSpec, rules: &Rules, seat: Seat) -> Player {
    agent.make(rules, seat, Rng::keyed(0, 0, Purpose::Agent(seat)))
}

/// The values of the legal actions, by a net. They are not sampled, so they have no error.
fn judgment(net: &mut Judge, value: RoundValue, observation: &Observation<'_>, legal: &[Action]) -> Judgment {
    let values = net.worths(observation, legal, value);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let of_action = |(&action, value)| {
        let regret = highest - value;
        ActionValue { action, value, regret, regret_se: 0.0, fair_regret: regret, fair_regret_se: 0.0 }
    };
    Judgment { values: legal.iter().zip(values).map(of_action).collect(), noise_floor: 0.0 }
}

impl Choice {
    fn row(&self, record: &str, agent: &str, rules: &Rules, evaluator: &DecisionEvaluator) -> DecisionRow {
        let rolled_out;
        let Judgment { values, noise_floor } = match (&self.judged, evaluator) {
            (EvaluationProgress::ToBe(position), DecisionEvaluator::Rollouts(valuation, seed)) => {
                let (state, knowledge, scores) = &**position;
                let observation = Observation::of(rules, state, knowledge, scores, self.seat);
                let mut rng = Rng::keyed(*seed, self.line as u64, Purpose::Agent(self.seat));
                rolled_out = valuation.judge(&observation, &mut rng);
                &rolled_out
            }
            (EvaluationProgress::Already(judgment), _) => judgment,
            (EvaluationProgress::ToBe(_), DecisionEvaluator::Net(..)) => {
                unreachable!("a net judges while the record is read")
            }
        };
        let of =
            |action: Action| values.iter().find(|value| value.action == action).expect("a legal action was chosen");
        let chosen = of(self.chosen);
        let best = values.iter().min_by(|a, b| a.regret.total_cmp(&b.regret)).expect("there are legal actions");
        let write = |action: Action| rules.write_action(ActionWithCall::from(action));
        DecisionRow {
            record: record.to_owned(),
            line: self.line,
            move_number: self.move_number,
            round: self.round,
            seat: self.seat.index(),
            agent: agent.to_owned(),
            kind: situations::kind(self.decision, self.chosen, best.action).to_owned(),
            situations: self.situations.clone(),
            actions: values.len(),
            chosen: write(self.chosen),
            value: chosen.value,
            rank: rank(chosen, values),
            regret: chosen.regret,
            unbiased_regret: chosen.fair_regret,
            unbiased_regret_se: chosen.fair_regret_se,
            heuristic: write(self.compared[0]),
            heuristic_value: of(self.compared[0]).value,
            net: write(self.compared[1]),
            net_value: of(self.compared[1]).value,
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
