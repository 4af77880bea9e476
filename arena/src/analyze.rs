//! Values the decisions of game records by rollouts.
//!
//! A [`Valuation`] gets each choice between two or more legal actions as its seat saw it, without the hidden cards. Over many
//! decisions this gives the optimal-decision hit rate and the average decision rank at K legal actions (ODHR@K and ADR@K of UNO
//! Arena, arXiv 2406.16382).

use std::collections::BTreeMap;

use rayon::prelude::*;
use unolab_agents::search::valuation::{ActionValue, Judgement, Valuation};
use unolab_engine::action::Action;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::notation::Spoken;
use unolab_engine::observation::Observation;
use unolab_engine::record::{Happening, Header, ReplayError, replay};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::RoundState;
use unolab_stats::interval::Interval;

use crate::tables::decisions::DecisionRow;
use crate::tables::quality::QualityRow;

/// A choice that a record shows.
struct Choice {
    line: usize,
    round: u32,
    seat: Seat,
    player: Seat,
    chosen: Action,
    state: RoundState,
    knowledge: Knowledge,
    scores: BySeat<u32>,
}

/// Values every choice of a record that its agents made themselves: after a fault another one plays the seat. Equal seeds give
/// equal values.
///
/// # Errors
/// The first line that is not a line of a record or not what the rules give there.
pub fn analyze(name: &str, text: &str, valuation: Valuation, seed: u64) -> Result<Vec<DecisionRow>, ReplayError> {
    let mut choices = Vec::new();
    let mut round = 0;
    let mut player_at: BySeat<Seat> = BySeat::from_fn(|seat| seat);
    let mut have_lost = SeatSet::EMPTY;
    let replayed = replay(text, &mut |step| match step.what {
        Happening::Dealt { plan, .. } => {
            round += 1;
            player_at = plan.player_at;
        }
        Happening::Event { event: Event::Acted { seat, action, .. }, state, knowledge, scores, .. } => {
            let is_its_own = !have_lost.contains(player_at[seat]);
            let is_choice = is_its_own && state.current_seat() == Some(seat) && {
                let legal = state.legal_actions(step.rules);
                legal.len() > 1 && legal.contains(&action)
            };
            if is_choice {
                choices.push(Choice {
                    line: step.line,
                    round,
                    seat,
                    player: player_at[seat],
                    chosen: action,
                    state: *state,
                    knowledge: knowledge.clone(),
                    scores: player_at.map(|player| scores[player]),
                });
            }
        }
        // From here on another agent plays the seat.
        Happening::Fault { player, .. } => have_lost = have_lost.with(player),
        _ => {}
    })?;
    // By the names that they were given, where the record has them.
    let Header { agents, names, .. } = &replayed.header;
    let agents = if names.len() == agents.len() { names } else { agents };
    let (of_seed, of_set) = (replayed.header.seed, replayed.header.set);
    let value = |choice: &Choice| {
        let row = choice.value(name, &agents[choice.player.index()], &replayed.rules, valuation, seed);
        DecisionRow { seed: of_seed, set: of_set, ..row }
    };
    Ok(choices.par_iter().map(value).collect())
}

impl Choice {
    fn value(&self, record: &str, agent: &str, rules: &Rules, valuation: Valuation, seed: u64) -> DecisionRow {
        let observation = Observation::of(rules, &self.state, &self.knowledge, &self.scores, self.seat);
        let mut rng = Rng::keyed(seed, self.line as u64, Purpose::Agent(self.seat));
        let Judgement { values, noise_floor } = valuation.judge(&observation, &mut rng);
        let chosen = values.iter().find(|value| value.action == self.chosen).expect("a legal action was chosen");
        let best = values.iter().min_by(|a, b| a.regret.total_cmp(&b.regret)).expect("there are legal actions");
        let write = |action: Action| rules.write_action(Spoken::from(action));
        DecisionRow {
            record: record.to_owned(),
            line: self.line,
            round: self.round,
            seat: self.seat.index(),
            agent: agent.to_owned(),
            actions: values.len(),
            chosen: write(self.chosen),
            value: chosen.value,
            rank: rank(chosen, &values),
            regret: chosen.fair_regret,
            regret_se: chosen.fair_regret_se,
            noise_floor,
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

/// How well each agent chose: at each number of legal actions, and over all of them.
#[must_use]
pub fn quality(decisions: &[DecisionRow]) -> Vec<QualityRow> {
    let mut groups: BTreeMap<(&str, Option<usize>), Vec<&DecisionRow>> = BTreeMap::new();
    for decision in decisions {
        for actions in [None, Some(decision.actions)] {
            groups.entry((&decision.agent, actions)).or_default().push(decision);
        }
    }
    groups
        .into_iter()
        .map(|((agent, actions), decisions)| {
            let count = decisions.len() as f64;
            let mean = |of: fn(&DecisionRow) -> f64| decisions.iter().map(|decision| of(decision)).sum::<f64>() / count;
            let (deals, se) = deals_and_error(&decisions);
            let mean_regret = mean(|decision| decision.regret);
            let interval = se.and_then(|se| Interval::student(mean_regret, se, deals));
            QualityRow {
                agent: agent.to_owned(),
                actions,
                deals,
                decisions: decisions.len() as u64,
                hit_rate: mean(|decision| f64::from(u8::from(decision.rank == 1))),
                level_rate: mean(|decision| {
                    f64::from(u8::from(decision.regret <= NOT_TOLD_APART * decision.regret_se))
                }),
                mean_rank: mean(|decision| decision.rank as f64),
                mean_regret,
                se,
                ci_low: interval.map(|interval| interval.low),
                ci_high: interval.map(|interval| interval.high),
                noise_floor: mean(|decision| decision.noise_floor),
            }
        })
        .collect()
}

/// A regret at most this number of standard errors above 0 is not significant.
const NOT_TOLD_APART: f64 = 1.96;

/// The number of deals, and the error of the mean regret over them: that of a ratio, because deals have different numbers
/// of choices. None for a single deal.
fn deals_and_error(decisions: &[&DecisionRow]) -> (u64, Option<f64>) {
    let mut by_deal: BTreeMap<(u64, u64), [f64; 2]> = BTreeMap::new();
    for decision in decisions {
        let of_deal = by_deal.entry((decision.seed, decision.set)).or_default();
        of_deal[0] += decision.regret;
        of_deal[1] += 1.0;
    }
    let (deals, choices) = (by_deal.len() as f64, decisions.len() as f64);
    let mean = by_deal.values().map(|[regret, _]| regret).sum::<f64>() / choices;
    let squares: f64 = by_deal.values().map(|[regret, choices]| (regret - mean * choices).powi(2)).sum();
    (by_deal.len() as u64, (deals > 1.0).then(|| (squares * deals / (deals - 1.0)).sqrt() / choices))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(agent: &str, actions: usize, rank: usize, regret: f64) -> DecisionRow {
        DecisionRow {
            record: "a.jsonl".into(),
            seed: 1,
            set: 0,
            line: 7,
            round: 1,
            seat: 0,
            agent: agent.into(),
            actions,
            chosen: "draw".into(),
            value: 0.5 - regret,
            rank,
            regret,
            regret_se: 0.01,
            noise_floor: 0.125,
            best: "play r7".into(),
            best_value: 0.5,
            values: "draw = 0.4; play r7 = 0.5".into(),
        }
    }

    #[test]
    fn hits_and_ranks_are_counted_at_each_number_of_actions_and_over_all() {
        let decisions =
            [decision("b", 2, 1, 0.0), decision("a", 3, 3, 0.5), decision("a", 2, 1, 0.0), decision("a", 2, 2, 0.25)];
        let rows = quality(&decisions);
        let of = |agent: &str, actions| rows.iter().find(|row| row.agent == agent && row.actions == actions).unwrap();
        assert_eq!((of("a", Some(2)).hit_rate, of("a", Some(2)).mean_rank), (0.5, 1.5));
        assert_eq!((of("a", None).decisions, of("a", None).mean_rank, of("a", None).mean_regret), (3, 2.0, 0.25));
        assert!(of("b", None).hit_rate >= 1.0);
        assert_eq!((of("a", None).deals, of("a", None).se, of("a", None).noise_floor), (1, None, 0.125));
        assert_eq!(rows.len(), 5);
    }

    /// Deals with regrets 0.1 and 0.3 (mean 0.2 of two), and 0.5: mean 0.3 over three choices; residuals 0.4 − 0.6 and
    /// 0.5 − 0.3, so SE² = 2 (0.04 + 0.04) / 9.
    #[test]
    fn errors_are_over_deals() {
        let of_set = |set, regret| DecisionRow { set, ..decision("a", 2, 2, regret) };
        let rows = quality(&[of_set(0, 0.1), of_set(0, 0.3), of_set(1, 0.5)]);
        assert_eq!((rows[0].deals, rows[0].decisions), (2, 3));
        assert!((rows[0].se.unwrap() - (0.16_f64 / 9.0).sqrt()).abs() < 1e-12, "{rows:?}");
        assert!(rows[0].ci_low.unwrap() < rows[0].mean_regret && rows[0].mean_regret < rows[0].ci_high.unwrap());
    }
}
