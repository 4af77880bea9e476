//! The answer of a tuning run in sentences, and its variant file.

use unolab_arena::experiment::tune::Tuning;
use unolab_arena::experiment::tune::counts::{Stage, TuneCounts};
use unolab_arena::experiment::tune::results::{Outcome, Verdict};
use unolab_arena::experiment::tune::space::Extent;
use unolab_arena::tables::tune::{ContributionRow, FrontRow, GoalRow};
use unolab_arena::words::{counted, grouped};

use crate::output::{width, wrapped};
use crate::tune_words::{goal_in_words, number, with_interval};

/// `3 keys, 72 rule sets; 12 of 84 combinations are not valid`.
pub(super) fn space_in_words(tuning: &Tuning) -> String {
    let space = &tuning.space;
    let keys = counted(space.keys.len() as u64, "key");
    let sets = counted(space.points.len() as u64, "rule set");
    match space.extent {
        Extent::Enumerated => {
            let rejected = match space.rejected {
                0 => String::new(),
                rejected => format!("; {} of {} rejected", grouped(rejected), counted(space.size, "combination")),
            };
            format!("{keys}, {sets}{rejected}")
        }
        Extent::Sampled => {
            let drawn = grouped(space.points.len() as u64 + space.rejected);
            format!(
                "{keys}, {}, too many to list: {drawn} drawn, {} of them rejected",
                counted(space.size, "combination"),
                grouped(space.rejected)
            )
        }
    }
}

/// The answer, or the progress of the search.
pub(super) fn page(tuning: &Tuning, counts: &TuneCounts) -> String {
    let width = width();
    let head = format!(
        "{}; {} tried, {}",
        space_in_words(tuning),
        counted(counts.candidates.len() as u64, "rule set"),
        counted(counts.rounds, "round")
    );
    let mut text = wrapped("", &head, width);
    let Some(outcome) = tuning.outcome(counts) else {
        let best = tuning.best_so_far(counts).filter(|_| matches!(counts.stage, Stage::Screen | Stage::Search { .. }));
        if let Some(best) = best {
            text +=
                &wrapped("", &format!("not finished; best in the search so far, without fresh deals: {best}"), width);
        }
        return text;
    };
    let goals = tuning.goal_rows(counts);
    text += &wrapped("", verdict(tuning, outcome), width);
    for change in changes(tuning, counts) {
        text += &wrapped("  ", &change, width);
    }
    text += "\ngoals on fresh deals, with intervals that hold together with 95%:\n";
    for line in goal_lines(tuning, counts, &goals) {
        text += &wrapped("- ", &line, width);
    }
    if outcome != Outcome::Met {
        for line in limits_of_space(tuning, counts, outcome) {
            text += &wrapped("", &line, width);
        }
    }
    let contributions = tuning.contribution_rows(counts);
    if !contributions.is_empty() {
        text += "\nwhat each change adds, compared with the base value on the same deals (* significant):\n";
        for line in contribution_lines(&contributions, has_many_seats(tuning)) {
            text += &wrapped("- ", &line, width);
        }
    }
    text + &front_lines(tuning, counts, &tuning.front_rows(counts), width) + "\n"
}

fn verdict(tuning: &Tuning, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Met if !tuning.has_constraints() => "the best rule set that was found:",
        Outcome::Met => "every constraint is met by this rule set:",
        Outcome::NotShown => "nearest rule set; whether it meets every constraint is not shown:",
        Outcome::NotMet => "no rule set was found that meets every constraint; the nearest one:",
        Outcome::Infeasible => "infeasible: no rule set of this space meets every constraint; the nearest one:",
    }
}

/// The recommended rule set as a difference from the base.
fn changes(tuning: &Tuning, counts: &TuneCounts) -> Vec<String> {
    let Some(point) = tuning.recommended_point(counts) else { return Vec::new() };
    let space = &tuning.space;
    let line = |key: usize| {
        let (name, value) = (&space.keys[key].key, &space.keys[key].values[point[key]]);
        format!("{name} = {value} (base: {})", space.value_of_base(key))
    };
    let changed: Vec<String> = space.changed(point).map(line).collect();
    if changed.is_empty() { vec!["the unchanged base".into()] } else { changed }
}

fn has_many_seats(tuning: &Tuning) -> bool {
    tuning.claims.iter().any(|claim| claim.seats != tuning.claims[0].seats)
}

/// The goals with their verdicts, and the number of deals that would decide undecided goals.
fn goal_lines(tuning: &Tuning, counts: &TuneCounts, rows: &[GoalRow]) -> Vec<String> {
    let mut lines = Vec::new();
    for row in rows {
        let mut line = goal_in_words(row, has_many_seats(tuning));
        if row.verdict == "not_shown" {
            let is_own = |claim: &usize| {
                let claim = &tuning.claims[*claim];
                tuning.goals[claim.goal].text == row.goal && claim.seats.to_string() == row.seats
            };
            let claim = (0..tuning.claims.len()).find(is_own);
            line += &match claim.and_then(|claim| tuning.deals_to_decide(counts, claim)) {
                Some(deals) => format!("; about {} would decide it", counted(rounded(deals), "deal")),
                None => "; no number of deals decides it".into(),
            };
        }
        lines.push(line);
    }
    lines
}

/// An estimate has only two significant digits.
const fn rounded(deals: u64) -> u64 {
    let mut unit = 1;
    while deals / unit >= 100 {
        unit *= 10;
    }
    deals.div_ceil(unit) * unit
}

/// The binding constraints, and the nearest values in the space.
fn limits_of_space(tuning: &Tuning, counts: &TuneCounts, outcome: Outcome) -> Vec<String> {
    let Some(finalist) = counts.recommended else { return Vec::new() };
    let name = |claim: usize| {
        let claim = &tuning.claims[claim];
        let seats = if has_many_seats(tuning) { format!(" at {} seats", claim.seats) } else { String::new() };
        format!("\"{}\"{seats}", tuning.goals[claim.goal].text)
    };
    let constraints = (0..tuning.claims.len()).filter(|&claim| !tuning.goals[tuning.claims[claim].goal].is_objective());
    let out_of_reach: Vec<usize> = constraints.clone().filter(|&claim| tuning.is_out_of_reach(counts, claim)).collect();
    let mut lines = Vec::new();
    for &claim in &out_of_reach {
        let reading = tuning.certified(counts, finalist, claim);
        let limits = tuning.goals[tuning.claims[claim].goal].limits();
        if let (Some(reading), Some(limits)) = (reading, limits) {
            lines.push(format!(
                "the binding constraint is {}: the nearest rule set has {} and misses it by {}",
                name(claim),
                number(reading.value),
                number(limits.violation(reading.value))
            ));
        }
    }
    if out_of_reach.is_empty() && matches!(outcome, Outcome::Infeasible | Outcome::NotMet) {
        let (mut missed, mut close) = (Vec::new(), Vec::new());
        for claim in constraints {
            let reading = tuning.certified(counts, finalist, claim);
            let limits = tuning.goals[tuning.claims[claim].goal].limits();
            let violation = reading.zip(limits).map(|(reading, limits)| limits.violation(reading.value));
            match violation {
                _ if tuning.verdict(claim, reading.as_ref()) == Some(Verdict::Met) => {}
                Some(violation) if violation > 0.0 => missed.push(format!("{} by {}", name(claim), number(violation))),
                Some(_) => close.push(name(claim)),
                None => missed.push(name(claim)),
            }
        }
        let of_nearest = [("misses", missed), ("is too close to the limit to show", close)];
        let of_nearest = of_nearest.into_iter().filter(|(_, constraints)| !constraints.is_empty());
        let of_nearest = of_nearest.map(|(verb, constraints)| format!("{verb} {}", constraints.join(" and ")));
        let together = if outcome == Outcome::Infeasible { ", but not all together" } else { "" };
        lines.push(format!(
            "each constraint can be met by itself{together}; the nearest rule set {}",
            of_nearest.collect::<Vec<_>>().join(", and ")
        ));
    }
    lines
}

/// One line for each change.
fn contribution_lines(rows: &[ContributionRow], has_many_seats: bool) -> Vec<String> {
    let by_key = rows.chunk_by(|a, b| a.key == b.key);
    let line = |of_key: &[ContributionRow]| {
        // Two goals may have the same metric.
        let is_first = |&(place, row): &(usize, &ContributionRow)| {
            !of_key[..place].iter().any(|other| (&other.metric, other.seats) == (&row.metric, row.seats))
        };
        let effects: Vec<String> = of_key
            .iter()
            .enumerate()
            .filter(is_first)
            .map(|(_, row)| {
                let mark = if row.p_holm.is_some_and(|p| p < 0.05) { " *" } else { "" };
                let seats = if has_many_seats { format!("@{}", row.seats) } else { String::new() };
                let sign = if row.difference > 0.0 { "+" } else { "" };
                format!(
                    "{}{seats} {sign}{}{mark}",
                    row.metric,
                    with_interval(Some(row.difference), row.ci_low, row.ci_high)
                )
            })
            .collect();
        let ContributionRow { key, recommended, base, .. } = &of_key[0];
        format!("{key}={recommended} instead of {base}: {}", effects.join("; "))
    };
    by_key.map(line).collect()
}

/// The front, and the cost of each step along it.
fn front_lines(tuning: &Tuning, counts: &TuneCounts, rows: &[FrontRow], width: u16) -> String {
    let objectives = tuning.goals.iter().filter(|goal| goal.is_objective()).count();
    if objectives < 2 || counts.recommended.is_none() {
        return String::new();
    }
    let mut text = "\nthe trade-off, on fresh deals:\n".to_owned();
    for of_one in rows.chunk_by(|a, b| a.candidate == b.candidate) {
        let values: Vec<String> = of_one
            .iter()
            .map(|row| format!("{} {}", row.metric, with_interval(row.value, row.ci_low, row.ci_high)))
            .collect();
        let costs = of_one.iter().filter_map(|row| {
            let cost = row.cost?;
            Some(format!("; to the next, one unit of {} costs {} of {}", row.metric, number(cost), of_one[0].metric))
        });
        let line = format!("{}: {}{}", of_one[0].rules, values.join(", "), costs.collect::<String>());
        text += &wrapped("- ", &line, width);
    }
    text
}

/// The recommended rule set as a variant file, with the result in its first lines.
pub(super) fn best_file(tuning: &Tuning, counts: &TuneCounts) -> Result<String, String> {
    let point = tuning.recommended_point(counts).ok_or("no rule set is recommended yet")?;
    let rules = tuning.space.rules(point)?;
    let outcome = tuning.outcome(counts).ok_or("no rule set is recommended yet")?;
    let mut lines = vec![format!("unolab tune: {}", verdict(tuning, outcome).trim_end_matches(':'))];
    lines.push("changes:".into());
    lines.extend(changes(tuning, counts).into_iter().map(|change| format!("  {change}")));
    lines.push("goals on fresh deals, with intervals that hold together with 95%:".into());
    lines.extend(goal_lines(tuning, counts, &tuning.goal_rows(counts)).into_iter().map(|line| format!("  {line}")));
    let comment: String = lines.iter().map(|line| format!("# {}\n", line.replace(['\n', '\r'], " "))).collect();
    Ok(comment + "\n" + &rules.to_toml())
}
