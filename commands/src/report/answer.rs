//! The main result in a few sentences, at the top of the page.

use unolab_arena::tables::Row as _;
use unolab_arena::tables::tune::GoalRow;

use super::section::Section;
use crate::tune_words::goal_in_words;

/// The number of sections of a balance run with sentences at the top of the page.
const MOST_TOLD: usize = 8;

/// The main results of a run.
pub(super) fn sentences(sections: &[Section<'_>]) -> Vec<String> {
    leaders(sections).into_iter().chain(measured(sections)).chain(goals(sections)).collect()
}

/// The goals of a tuning run with their verdicts.
fn goals(sections: &[Section<'_>]) -> Vec<String> {
    let tables = sections.iter().flat_map(|section| &section.found.others);
    let mut rows: Vec<GoalRow> = Vec::new();
    for (table, of_table) in tables.filter(|(table, _)| table.file == GoalRow::FILE) {
        let of_row =
            |row: &[String], name: &str| table.column(name).map_or_else(String::new, |column| row[column].clone());
        rows.extend(of_table.iter().map(|row| GoalRow {
            goal: of_row(row, "goal"),
            metric: of_row(row, "metric"),
            seats: of_row(row, "seats"),
            value: of_row(row, "value").parse().ok(),
            ci_low: of_row(row, "ci_low").parse().ok(),
            ci_high: of_row(row, "ci_high").parse().ok(),
            verdict: of_row(row, "verdict"),
            deals: of_row(row, "deals").parse().unwrap_or(0),
        }));
    }
    let has_many_seats = rows.iter().any(|row| row.seats != rows[0].seats);
    rows.iter().map(|row| goal_in_words(row, has_many_seats) + ".").collect()
}

/// The main findings of a balance run.
fn measured(sections: &[Section<'_>]) -> Vec<String> {
    let measured: Vec<&Section<'_>> = sections.iter().filter(|section| !section.metrics.is_empty()).collect();
    match measured[..] {
        [only] => only.in_short.clone(),
        ref several => several
            .iter()
            .take(MOST_TOLD)
            .map(|section| format!("{}: {}", section.title, section.in_short.join(" ")))
            .collect(),
    }
}

/// The leaders of the sections.
fn leaders(sections: &[Section<'_>]) -> Vec<String> {
    let mut leaders: Vec<(&str, Vec<&Section<'_>>)> = Vec::new();
    for section in sections {
        let Some(first) = section.found.field().first().copied() else { continue };
        match leaders.iter_mut().find(|(name, _)| *name == first.entrant) {
            Some((_, led)) => led.push(section),
            None => leaders.push((&first.entrant, vec![section])),
        }
    }
    let num_sections: usize = leaders.iter().map(|(_, led)| led.len()).sum();
    leaders.sort_by_key(|(_, led)| usize::MAX - led.len());
    match &leaders[..] {
        [] => Vec::new(),
        [(name, led)] if num_sections == 1 => vec![format!("{name} leads: {}", at(led[0]))],
        [(name, led)] => {
            let most = strongest(led);
            let all =
                if num_sections == 2 { "both sections".to_owned() } else { format!("all {num_sections} sections") };
            vec![format!("{name} leads in {all}. Most clearly in {}: {}", most.title, at(most))]
        }
        several => {
            let said = |(name, led): &(&str, Vec<&Section<'_>>)| match &led[..] {
                [only] => format!("{name} leads in {}: {}", only.title, at(only)),
                led => {
                    let most = strongest(led);
                    format!(
                        "{name} leads in {} of {num_sections} sections, most clearly in {}: {}",
                        led.len(),
                        most.title,
                        at(most)
                    )
                }
            };
            several.iter().map(said).collect()
        }
    }
}

/// The section in which the leader is farthest ahead of the next player, in widths of their intervals: these are proportional
/// to standard errors.
fn strongest<'s, 'a>(led: &[&'s Section<'a>]) -> &'s Section<'a> {
    let lead = |section: &Section<'_>| match section.found.field()[..] {
        [first, next, ..] => {
            let gap = first.win_share.unwrap_or(0.0) - next.win_share.unwrap_or(0.0);
            let widths = [first, next].map(|line| line.ci_low.zip(line.ci_high).map(|(low, high)| high - low));
            match widths {
                [Some(a), Some(b)] if a.hypot(b) > 0.0 => gap / a.hypot(b),
                _ => gap,
            }
        }
        _ => 0.0,
    };
    led.iter().copied().max_by(|a, b| lead(a).total_cmp(&lead(b))).unwrap_or(led[0])
}

/// `71.6% of the wins [71.4, 71.8], where 50.0% is fair; the next, greedy, has 47.0%.`
fn at(section: &Section<'_>) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let field = section.found.field();
    let Some(first) = field.first() else { return String::new() };
    let mut text = format!("{}% of the wins", first.win_share.map(percent).unwrap_or_default());
    if let (Some(low), Some(high)) = (first.ci_low, first.ci_high) {
        text += &format!(" [{}, {}]", percent(low), percent(high));
    }
    if let Some(fair) = section.found.fair_share() {
        text += &format!(", where {}% is fair", percent(fair));
    }
    if let Some(next) = field.get(1) {
        text += &format!("; the next, {}, has {}%", next.entrant, next.win_share.map(percent).unwrap_or_default());
        if first.ci_low.zip(next.ci_high).is_some_and(|(low, high)| low <= high) {
            text += ", so the difference is not significant";
        }
    }
    text + "."
}
