//! [`quality`]: the quality of each agent's choices.

use std::collections::BTreeMap;

use unolab_stats::interval::Interval;

use crate::tables::decisions::DecisionRow;
use crate::tables::quality::QualityRow;

/// The quality of each agent's choices: at each number of legal actions, and over all of them.
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
            let mean_regret = mean(|decision| decision.unbiased_regret);
            let interval = se.and_then(|se| Interval::student(mean_regret, se, deals));
            QualityRow {
                agent: agent.to_owned(),
                actions,
                deals,
                decisions: decisions.len() as u64,
                hit_rate: mean(|decision| f64::from(u8::from(decision.rank == 1))),
                tie_rate: mean(|decision| {
                    f64::from(u8::from(decision.unbiased_regret <= NOT_TOLD_APART * decision.unbiased_regret_se))
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

/// The number of deals, and the standard error of the mean regret over them: the error of a ratio, because deals have
/// different numbers of choices. `None` for a single deal.
fn deals_and_error(decisions: &[&DecisionRow]) -> (u64, Option<f64>) {
    let mut by_deal: BTreeMap<(u64, u64), [f64; 2]> = BTreeMap::new();
    for decision in decisions {
        let of_deal = by_deal.entry((decision.seed, decision.set)).or_default();
        of_deal[0] += decision.unbiased_regret;
        of_deal[1] += 1.0;
    }
    (by_deal.len() as u64, ratio(by_deal.values().map(|&[regret, choices]| (regret, choices))).1)
}

/// The ratio of the sums of two numbers by deal, and its standard error. `None` for a single deal.
pub(super) fn ratio(by_deal: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, Option<f64>) {
    let (deals, sum, of) =
        by_deal.clone().fold((0.0, 0.0, 0.0), |(deals, sum, of), (x, y)| (deals + 1.0, sum + x, of + y));
    let mean = sum / of;
    let squares: f64 = by_deal.map(|(x, y): (f64, f64)| (x - mean * y).powi(2)).sum();
    (mean, (deals > 1.0).then(|| (squares * deals / (deals - 1.0)).sqrt() / of))
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
            unbiased_regret: regret,
            unbiased_regret_se: 0.01,
            noise_floor: 0.125,
            best: "play r7".into(),
            best_value: 0.5,
            values: "draw = 0.4; play r7 = 0.5".into(),
            ..DecisionRow::default()
        }
    }

    #[test]
    fn hits_and_ranks_are_counted_by_number_of_actions_and_in_total() {
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
    fn standard_errors_are_computed_over_deals() {
        let of_set = |set, regret| DecisionRow { set, ..decision("a", 2, 2, regret) };
        let rows = quality(&[of_set(0, 0.1), of_set(0, 0.3), of_set(1, 0.5)]);
        assert_eq!((rows[0].deals, rows[0].decisions), (2, 3));
        assert!((rows[0].se.unwrap() - (0.16_f64 / 9.0).sqrt()).abs() < 1e-12, "{rows:?}");
        assert!(rows[0].ci_low.unwrap() < rows[0].mean_regret && rows[0].mean_regret < rows[0].ci_high.unwrap());
    }
}
