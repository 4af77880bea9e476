//! [`weaknesses`]: the kinds of decisions in which an agent's choices cost most.

use std::collections::{BTreeMap, BTreeSet};

use unolab_stats::interval::Interval;

use super::quality::ratio;
use super::situations::Situation;
use crate::tables::decisions::DecisionRow;
use crate::tables::weaknesses::WeaknessRow;

/// The loss of each agent per game compared with `net` in the same positions: over all its choices, by kind, and by
/// situation. The groups of an agent are sorted by cost, largest first.
#[must_use]
pub fn weaknesses(decisions: &[DecisionRow]) -> Vec<WeaknessRow> {
    let agents: BTreeSet<&str> = decisions.iter().map(|decision| &*decision.agent).collect();
    let mut rows = Vec::new();
    for agent in agents {
        let own: Vec<&DecisionRow> = decisions.iter().filter(|decision| decision.agent == agent).collect();
        let kinds: BTreeSet<&str> = own.iter().map(|decision| &*decision.kind).collect();
        let by_kind = kinds.into_iter().map(|kind| weakness(&own, "kind", kind, |decision| decision.kind == kind));
        let by_situation = Situation::ALL.into_iter().map(Situation::word).map(|word| {
            weakness(&own, "situation", word, |decision| decision.situations.split("; ").any(|held| held == word))
        });
        rows.push(weakness(&own, "all", "", |_| true));
        for mut group in [by_kind.collect::<Vec<_>>(), by_situation.collect()] {
            group.retain(|row| row.decisions > 0);
            group.sort_by(|a, b| b.loss_per_game.total_cmp(&a.loss_per_game));
            rows.extend(group);
        }
    }
    rows
}

fn weakness(own: &[&DecisionRow], grouping: &str, group: &str, is_in: impl Fn(&DecisionRow) -> bool) -> WeaknessRow {
    let mut games: BTreeMap<(u64, u64), BTreeSet<&str>> = BTreeMap::new();
    for decision in own {
        games.entry((decision.seed, decision.set)).or_default().insert(&decision.record);
    }
    let mut losses: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    let (mut count, mut of_heuristic) = (0, 0.0);
    for decision in own.iter().filter(|decision| is_in(decision)) {
        *losses.entry((decision.seed, decision.set)).or_default() += decision.net_value - decision.value;
        count += 1;
        of_heuristic += decision.net_value - decision.heuristic_value;
    }
    let deals = games.len() as u64;
    let num_games: usize = games.values().map(BTreeSet::len).sum();
    let by_deal = games.iter().map(|(deal, games)| (losses.get(deal).copied().unwrap_or(0.0), games.len() as f64));
    let (mean, se) = ratio(by_deal);
    let interval = se.and_then(|se| Interval::student(mean, se, deals));
    WeaknessRow {
        agent: own[0].agent.clone(),
        grouping: grouping.to_owned(),
        group: group.to_owned(),
        deals,
        games: num_games as u64,
        decisions: count,
        loss_per_game: mean,
        se,
        ci_low: interval.map(|interval| interval.low),
        ci_high: interval.map(|interval| interval.high),
        heuristic_loss_per_game: of_heuristic / num_games as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(record: &str, set: u64, kind: &str, situations: &str, loss: f64) -> DecisionRow {
        DecisionRow {
            record: record.into(),
            set,
            agent: "a".into(),
            kind: kind.into(),
            situations: situations.into(),
            value: 0.5 - loss,
            net_value: 0.5,
            heuristic_value: 0.5 - loss / 2.0,
            ..DecisionRow::default()
        }
    }

    /// Two deals, the first played twice: 0.6 in two games and 0.3 in one, so 0.3 per game; the residuals of both are 0.
    #[test]
    fn costs_are_sums_per_game_with_the_costliest_group_first() {
        let decisions = [
            decision("1", 0, "play", "", 0.1),
            decision("1", 0, "draw", "opponent at one card; hand of one color", 0.4),
            decision("2", 0, "play", "", 0.1),
            decision("3", 1, "draw", "hand of one color", 0.3),
        ];
        let rows = weaknesses(&decisions);
        let of = |group: &str| rows.iter().find(|row| row.group == group).unwrap();
        let groups: Vec<&str> = rows.iter().map(|row| &*row.group).collect();
        assert_eq!(groups, ["", "draw", "play", "hand of one color", "opponent at one card"]);
        assert!((of("").loss_per_game - 0.3).abs() < 1e-12 && of("").se.unwrap() < 1e-12, "{rows:?}");
        assert!((of("").heuristic_loss_per_game - 0.15).abs() < 1e-12, "{rows:?}");
        assert!((of("draw").loss_per_game - 0.7 / 3.0).abs() < 1e-12, "{rows:?}");
        assert!((of("opponent at one card").loss_per_game - 0.4 / 3.0).abs() < 1e-12, "{rows:?}");
        assert_eq!((of("draw").decisions, of("draw").games, of("draw").deals), (2, 3, 2));
    }
}
