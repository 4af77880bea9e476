//! The arms of a balance run compared with the base.

use unolab_arena::experiment::balance::spec::CONTROL;
use unolab_arena::tables::balance::SweepRow;
use unolab_arena::words::sets_that_differ;
use unolab_stats::unequal::are_few;

use super::metric::{Unit, is_detail, is_headline, metric_text};

/// The prefix of the arms in which a card is dealt on purpose; the card's name follows.
pub(crate) const DEALT: &str = "dealt:";

/// A sentence for each arm with its significant differences from the base.
pub(crate) fn arms(rows: &[SweepRow]) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.arm != CONTROL) {
        if !names.contains(&&*row.arm) {
            names.push(&row.arm);
        }
    }
    let said = |name: &&str| {
        let of_arm: Vec<&SweepRow> = rows.iter().filter(|row| row.arm == **name).collect();
        let shown: Vec<String> = arm_lines(&of_arm)
            .into_iter()
            .filter(|line| line.finding == Finding::Different)
            .map(|ArmLine { cells: [what, _, _, difference], unit, .. }| match unit {
                Unit::Number => format!("{what} {difference}"),
                Unit::Percent => format!("{what} {difference} percentage points"),
            })
            .collect();
        if shown.is_empty() {
            format!("{}: no metric differs from the base significantly.", describe_arm(name))
        } else {
            format!("{} compared with the base: {}.", describe_arm(name), shown.join("; "))
        }
    };
    names.iter().map(said).collect()
}

/// A readable name of an arm.
pub(crate) fn describe_arm(arm: &str) -> String {
    match arm.split_once(':') {
        Some(("dealt", card)) => format!("{} dealt in place of another card", card.replace('_', " ")),
        Some(("void", card)) => format!("{} without its effect", card.replace('_', " ")),
        _ => arm.to_owned(),
    }
}

/// The result of a comparison of an arm with the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finding {
    /// A significant difference.
    Different,
    /// No significant difference.
    Open,
    /// The values are equal in every deal.
    NoSetDiffers,
}

impl Finding {
    fn of(row: &SweepRow) -> Self {
        if row.p_holm.is_some_and(|p| p < 0.05) {
            Self::Different
        } else if row.difference == 0.0 && row.se == Some(0.0) {
            Self::NoSetDiffers
        } else {
            Self::Open
        }
    }
}

/// A line of the table of an arm: metric, base, arm, difference with its interval, and the result of the comparison.
pub(crate) struct ArmLine {
    pub(crate) cells: [String; 4],
    pub(crate) unit: Unit,
    pub(crate) finding: Finding,
    pub(crate) sets: u64,
    pub(crate) unequal_sets: Option<u64>,
}

impl ArmLine {
    /// `turns (7 of 2,000 sets differ)`, if few do.
    pub(crate) fn few_sets_that_differ(&self) -> Option<String> {
        let unequal = self.unequal_sets.filter(|&unequal| are_few(unequal, self.sets))?;
        Some(format!("{} ({})", self.cells[0], sets_that_differ(unequal, self.sets)))
    }
}

/// Every requested metric of an arm, different or not, and every other metric that differs.
pub(crate) fn arm_lines(rows: &[&SweepRow]) -> Vec<ArmLine> {
    let is_dealt = rows.first().is_some_and(|row| row.arm.starts_with(DEALT));
    let told = |row: &&&SweepRow| {
        is_dealt || is_headline(&row.metric) || (Finding::of(row) == Finding::Different && !is_detail(&row.metric))
    };
    rows.iter().filter(told).map(|row| line(row)).collect()
}

/// The effect of an arm on skill, if it was measured against a panel: a claim must hold against every weak agent.
pub(crate) fn claim_about_skill(rows: &[&SweepRow]) -> Option<String> {
    let of_panel: Vec<(&str, &SweepRow)> = rows
        .iter()
        .filter_map(|row| Some((row.metric.strip_prefix("good_share(")?.strip_suffix(')')?, *row)))
        .collect();
    let all = |is_wanted: fn(f64) -> bool| {
        of_panel.iter().all(|(_, row)| is_wanted(row.difference) && Finding::of(row) == Finding::Different)
    };
    if of_panel.is_empty() {
        return None;
    }
    if all(|difference| difference > 0.0) {
        return Some("skill: the strong agent wins more against every weak agent of the panel".into());
    }
    if all(|difference| difference < 0.0) {
        return Some("skill: the strong agent wins less against every weak agent of the panel".into());
    }
    let member = |(agent, row): &(&str, &SweepRow)| {
        let star = if Finding::of(row) == Finding::Different { " *" } else { "" };
        format!("{agent} {:+.1}{star}", 100.0 * row.difference)
    };
    let members: Vec<String> = of_panel.iter().map(member).collect();
    Some(format!(
        "skill: no claim, because the change depends on the weak agent, in percentage points: {}",
        members.join(", ")
    ))
}

fn line(row: &SweepRow) -> ArmLine {
    let (words, unit) = metric_text(&row.metric);
    let write = |value: f64| match unit {
        Unit::Number => format!("{value:.2}"),
        Unit::Percent => format!("{:.2}%", 100.0 * value),
    };
    let signed = |value: f64| match unit {
        Unit::Number => format!("{value:+.2}"),
        Unit::Percent => format!("{:+.2}", 100.0 * value),
    };
    let bounds = row.ci_low.zip(row.ci_high).map(|(low, high)| format!(" [{}, {}]", signed(low), signed(high)));
    let value = |value: Option<f64>| value.map_or_else(String::new, write);
    ArmLine {
        cells: [words, value(row.base), value(row.value), signed(row.difference) + &bounds.unwrap_or_default()],
        unit,
        finding: Finding::of(row),
        sets: row.sets,
        unequal_sets: row.unequal_sets,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arm_without_difference_is_shown() {
        let row = |metric: &str, difference, p_holm| SweepRow {
            arm: "house.jump_in=true".into(),
            metric: metric.into(),
            base: Some(0.5),
            value: Some(0.5 + difference),
            difference,
            ci_low: Some(difference - 0.01),
            ci_high: Some(difference + 0.01),
            p_holm: Some(p_holm),
            ..SweepRow::default()
        };
        let all = [
            row("good_share", -0.002, 1.0),
            row("points_from(wild)", 0.2, 0.0),
            row("reshuffles", 0.3, 0.0),
            row("excitement_refit(1)", 0.1, 0.0),
        ];
        let lines = arm_lines(&all.iter().collect::<Vec<_>>());
        assert_eq!(lines.len(), 3);
        assert_eq!((&*lines[1].cells[0], lines[1].unit), ("points in wild", Unit::Percent));
        assert_eq!(lines[0].cells, ["rounds won by the strong agent", "50.00%", "49.80%", "-0.20 [-1.20, +0.80]"]);
        assert_eq!([0, 2].map(|line| lines[line].finding), [Finding::Open, Finding::Different]);
        assert_eq!(lines[2].cells[0], "reshuffles");
        let same = SweepRow { se: Some(0.0), p_holm: None, ..row("turns", 0.0, 1.0) };
        assert_eq!(arm_lines(&[&same])[0].finding, Finding::NoSetDiffers);
        let dealt = SweepRow {
            arm: "dealt:W".into(),
            metric: "points_net".into(),
            base: None,
            value: None,
            ..row("", 0.9, 0.7)
        };
        let lines = arm_lines(&[&dealt]);
        assert_eq!(lines[0].cells, ["points credited less points left", "", "", "+0.90 [+0.89, +0.91]"]);
    }
}
