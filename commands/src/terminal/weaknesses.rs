//! The kinds of decisions in which an agent's choices cost most, in sentences.

use std::fmt::Write as _;

use unolab_agents::goal::Goal;
use unolab_agents::printable::printable;
use unolab_arena::tables::decisions::DecisionRow;
use unolab_arena::tables::weaknesses::WeaknessRow;
use unolab_arena::words::{counted, grouped};

use super::plain::with_bounds;

/// The number of groups that a sentence names.
const NAMED: usize = 4;

/// The loss of each agent per game compared with `net`, by kind of decision and by situation.
#[must_use]
pub fn weakness_sentences(rows: &[WeaknessRow], goal: Goal, evaluator: &str) -> String {
    let mut text = String::new();
    for all in rows.iter().filter(|row| row.grouping == "all") {
        let WeaknessRow { agent, decisions, games, deals, .. } = all;
        let cost = with_bounds(Some(all.loss_per_game), all.ci_low, all.ci_high, |cost| amount(cost, goal));
        let counts = format!("{} in {}", counted(*decisions, "choice"), counted(*games, "game"));
        let _ = writeln!(
            text,
            "{} gives away {cost} {} per game compared with net in the same positions; heuristic would give away {} ({counts} of {}, evaluated by {evaluator}).",
            printable(agent),
            unit(goal),
            amount(all.heuristic_loss_per_game, goal),
            counted(*deals, "deal")
        );
        for (grouping, name) in [("kind", "By kind of decision"), ("situation", "By situation")] {
            let groups = rows.iter().filter(|row| row.agent == all.agent && row.grouping == grouping);
            let named: Vec<String> = groups
                .take(NAMED)
                .map(|row| {
                    format!("{} {} (n = {})", row.group, amount(row.loss_per_game, goal), grouped(row.decisions))
                })
                .collect();
            if !named.is_empty() {
                let _ = writeln!(text, "  {name}: {}.", named.join(", "));
            }
        }
    }
    text
}

/// The costliest choices, the worst first, each with the command that shows it.
#[must_use]
pub fn costliest_choices(rows: &[&DecisionRow], goal: Goal, command: impl Fn(&DecisionRow) -> String) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let _ = writeln!(
            text,
            "{:>2}. {}, move {}: {} costs {} {} against {}{}\n    {}",
            number + 1,
            printable(&row.agent),
            row.move_number,
            row.chosen,
            amount(row.regret, goal),
            unit(goal),
            row.best,
            if row.situations.is_empty() { String::new() } else { format!(" ({})", row.situations) },
            command(row),
        );
    }
    text
}

/// A cost in the unit of its goal.
fn amount(cost: f64, goal: Goal) -> String {
    match goal {
        Goal::Win | Goal::Match => format!("{:.2}", 100.0 * cost),
        Goal::Points => format!("{cost:.2}"),
    }
}

/// The unit of a cost.
const fn unit(goal: Goal) -> &'static str {
    match goal {
        Goal::Win => "percentage points of the chance to win the round",
        Goal::Match => "percentage points of the chance to win the match",
        Goal::Points => "points",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_costs_are_given_in_unit_of_goal() {
        let row = |grouping: &str, group: &str, cost| WeaknessRow {
            agent: "mine".into(),
            grouping: grouping.into(),
            group: group.into(),
            deals: 40,
            games: 80,
            decisions: 120,
            loss_per_game: cost,
            ci_low: Some(cost - 0.01),
            ci_high: Some(cost + 0.01),
            heuristic_loss_per_game: 0.015,
            ..WeaknessRow::default()
        };
        let rows = [row("all", "", 0.0625), row("kind", "play", 0.05), row("situation", "hand of one color", 0.02)];
        insta::assert_snapshot!(weakness_sentences(&rows, Goal::Win, "net"), @"
        mine gives away 6.25 [5.25, 7.25] percentage points of the chance to win the round per game compared with net in the same positions; heuristic would give away 1.50 (120 choices in 80 games of 40 deals, evaluated by net).
          By kind of decision: play 5.00 (n = 120).
          By situation: hand of one color 2.00 (n = 120).
        ");
        assert!(
            weakness_sentences(&rows, Goal::Points, "rollouts")
                .contains("gives away 0.06 [0.05, 0.07] points per game")
        );
    }
}
