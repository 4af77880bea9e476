//! The output of a balance run on a terminal.

use std::collections::BTreeSet;

use unolab_arena::experiment::balance::results::Tables;
use unolab_arena::experiment::balance::spec::CONTROL;
use unolab_arena::tables::balance::{FaultRow, SweepRow};
use unolab_arena::words::{counted, sets_that_differ};

use super::plain::plain_table;
use crate::balance_words::{self as words, ArmLine, Finding, GoodAndWeak};
use crate::output::wrapped;

/// All findings in sentences, at most this number of columns wide. For a sweep: the main metrics of each arm, significant or
/// not, and the number of chance differences of the control arm. The files have every number.
pub(crate) fn page(tables: &Tables, players: &GoodAndWeak, width: u16) -> String {
    let mut text = String::new();
    for rows in tables.metrics.chunk_by(|a, b| (&a.variant, a.seats) == (&b.variant, b.seats)) {
        let games = |metric: &str, game: &str| {
            let row = rows.iter().find(|row| row.metric == metric)?;
            Some(format!(", {}", counted(row.n?, game)))
        };
        let played = [games("turns", "round"), games("match_turns", "match")].into_iter().flatten().collect::<String>();
        text += &wrapped(
            "",
            &format!("{}, {} seats; players: {}{played}", rows[0].variant, rows[0].seats, rows[0].field),
            width,
        );
        for sentence in words::sentences(rows, players) {
            text += &wrapped("- ", &sentence, width);
        }
        text.push('\n');
    }
    if !tables.sweep.is_empty() {
        text += &sweep_page(&tables.sweep, width);
    }
    text + &faults_in_words(&tables.faults)
}

/// A line for each agent that lost games by faults, with one of them.
fn faults_in_words(faults: &[FaultRow]) -> String {
    let mut told = BTreeSet::new();
    let first = faults.iter().filter(|row| told.insert((&row.variant, row.seats, &row.entrant)));
    first
        .map(|FaultRow { variant, seats, entrant, arm, index, decision, what, .. }| {
            format!(
                "{entrant} in {variant} at {seats} seats lost games by faults, such as game {index} ({arm}), \
                 decision {decision}: {what}\n"
            )
        })
        .collect()
}

/// With fewer comparisons, small p-values of some of them are not informative.
const FEW: usize = 20;

/// On a narrower terminal only the differences are shown.
const WIDE: u16 = 78;

pub(crate) fn sweep_page(sweep: &[SweepRow], width: u16) -> String {
    let claims = sweep.iter().filter(|row| row.arm != CONTROL && row.p.is_some());
    let found = claims.clone().filter(|row| row.p_holm.is_some_and(|p| p < 0.05)).count();
    let control = || sweep.iter().filter(|row| row.arm == CONTROL && row.p.is_some());
    let by_chance = control().filter(|row| row.p.is_some_and(|p| p < 0.05)).count();
    let mut arms: Vec<Vec<&SweepRow>> = Vec::new();
    for row in sweep.iter().filter(|row| row.arm != CONTROL) {
        let is_of = |arm: &&mut Vec<&SweepRow>| {
            (&arm[0].variant, arm[0].seats, &arm[0].arm) == (&row.variant, row.seats, &row.arm)
        };
        match arms.iter_mut().find(is_of) {
            Some(arm) => arm.push(row),
            None => arms.push(vec![row]),
        }
    }
    let mut text = String::new();
    for arm in &arms {
        let SweepRow { arm: name, variant, seats, .. } = arm[0];
        let name = words::describe_arm(name);
        text +=
            &wrapped("", &format!("{name} compared with the unchanged {variant}, {seats} seats; * significant"), width);
        // A card dealt on purpose has only the difference.
        let has_values = arm.iter().any(|row| row.base.is_some() || row.value.is_some());
        let is_wide = width >= WIDE && has_values;
        let (same, lines): (Vec<ArmLine>, Vec<ArmLine>) =
            words::arm_lines(arm).into_iter().partition(|line| line.finding == Finding::NoSetDiffers);
        let is_open = !lines.is_empty();
        let few: Vec<String> = lines.iter().filter_map(ArmLine::few_sets_that_differ).collect();
        let cells = lines.into_iter().map(|line| {
            let [what, base, value, difference] = line.cells;
            let difference = difference + if line.finding == Finding::Different { " *" } else { "  " };
            if is_wide { vec![what, base, value, difference] } else { vec![what, difference] }
        });
        let header =
            if is_wide { vec!["what", "base", "arm", "difference [95%]"] } else { vec!["what", "difference [95%]"] };
        if is_open {
            text += &(plain_table(header, cells, width, 1) + "\n");
        }
        if !few.is_empty() {
            text += &wrapped("", &format!("wider intervals, because few sets differ: {}", few.join("; ")), width);
        }
        // Metrics of matches have fewer sets than those of rounds.
        for same in same.chunk_by(|a, b| a.sets == b.sets) {
            let what: Vec<&str> = same.iter().map(|ArmLine { cells: [what, ..], .. }| &**what).collect();
            text += &wrapped("", &format!("{}: {}", no_set_differs(same[0].sets), what.join("; ")), width);
        }
        if let Some(claim) = words::claim_about_skill(arm) {
            text += &wrapped("", &claim, width);
        }
        text.push('\n');
    }
    let claims = counted(claims.count() as u64, "comparison");
    let noise = match control().count() {
        0 => String::new(),
        of if of < FEW => {
            let of = counted(of as u64, "comparison");
            format!(
                "; noise check: the arm `control` (same rules, different random numbers) has only {of} with any noise"
            )
        }
        of => {
            format!(
                "; noise check: in the arm `control` (same rules, different random numbers), {by_chance} of {of} comparisons have p < 5%, where 1 in 20 is expected"
            )
        }
    };
    let sum = format!(
        "significantly different from the unchanged rules (Holm's correction, 5%): {found} of {claims}, all in sweep.csv{noise}"
    );
    text + &wrapped("", &sum, width)
}

/// `0 of 100 sets differ (in all deals at most 2.95%, with 95% confidence)`, by the binomial probability of no such set.
fn no_set_differs(sets: u64) -> String {
    let most = 1.0 - 0.05_f64.powf(1.0 / sets as f64);
    format!("{} (in all deals at most {:.2}%, with 95% confidence)", sets_that_differ(0, sets), 100.0 * most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of sets and the bound: 1 − 0.05^(1/100) = 0.0295.
    #[test]
    fn metric_without_unequal_sets_has_bound_instead_of_interval() {
        let row = SweepRow {
            arm: "points.wild=20".into(),
            variant: "classic".into(),
            seats: 2,
            metric: "turns".into(),
            se: Some(0.0),
            sets: 100,
            ..SweepRow::default()
        };
        let page = sweep_page(&[row], 200);
        assert!(page.contains("0 of 100 sets differ (in all deals at most 2.95%, with 95% confidence): "), "{page}");
    }

    #[test]
    fn metric_with_few_unequal_sets_is_named() {
        let row = |metric: &str, unequal| SweepRow {
            arm: "points.wild=20".into(),
            variant: "classic".into(),
            seats: 2,
            metric: metric.into(),
            base: Some(9.0),
            value: Some(9.5),
            difference: 0.5,
            se: Some(0.1),
            sets: 2_000,
            unequal_sets: Some(unequal),
            ..SweepRow::default()
        };
        let page = sweep_page(&[row("turns", 400), row("match_rounds", 7)], 200);
        let line = page.lines().find(|line| line.contains("few sets differ")).unwrap();
        assert!(line.contains("(7 of 2,000 sets differ)") && !line.contains("400"), "{page}");
    }

    /// The control arm is not a claim: its small p-values are reported as noise.
    #[test]
    fn significant_differences_exclude_control_arm() {
        let row = |arm: &str, p, p_holm| SweepRow {
            arm: arm.into(),
            variant: "classic".into(),
            seats: 2,
            metric: "turns".into(),
            p,
            p_holm,
            ..SweepRow::default()
        };
        let mut rows = vec![
            row("house.jump_in=true", Some(0.0001), Some(0.0003)),
            row("house.jump_in=true", Some(0.04), Some(0.08)),
            row("house.jump_in=true", Some(0.5), Some(0.5)),
            row("house.jump_in=true", None, None),
            row(CONTROL, Some(0.01), None),
        ];
        // Lines can be broken at any space.
        let page = |rows: &[SweepRow]| sweep_page(rows, 80).split_whitespace().collect::<Vec<_>>().join(" ");
        let few = page(&rows);
        assert!(few.contains("unchanged rules (Holm's correction, 5%): 1 of 3 comparisons"), "{few}");
        assert!(few.contains("has only 1 comparison with any noise"), "{few}");
        assert!(!page(&rows[..4]).contains("noise"));
        rows.extend((0..20).map(|_| row(CONTROL, Some(0.5), None)));
        let many = page(&rows);
        assert!(many.contains("different random numbers), 1 of 21 comparisons have p < 5%"), "{many}");
    }
}
