//! Where a version decides differently from the version before, and what that is worth.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use unolab_agents::registry::Registry;
use unolab_arena::analyze::{AnalyzeError, OtherChoices, other_choices};
use unolab_arena::words::{counted, grouped};
use unolab_stats::interval::{Coverage, Interval};

use super::versions::Update;
use crate::disk::{record_text, write_whole};

/// The choices in the records, beside them.
const CHOICES_FILE: &str = "choices.json";

/// The choices of the new version in the recorded positions of the version before, in words; `None` without records. The
/// choices are stored beside the records, so that the program is asked once.
pub(super) fn in_words(update: &Update, games: &Path, registry: &Registry) -> anyhow::Result<Option<String>> {
    let stored = games.join(CHOICES_FILE);
    let games = match fs::read(&stored).ok().and_then(|text| serde_json::from_slice(&text).ok()) {
        Some(games) => games,
        None => {
            let Some(games) = choices(update, games, registry)? else { return Ok(None) };
            write_whole(&stored, serde_json::to_vec(&games)?)?;
            games
        }
    };
    Ok(Some(sentence(&games)))
}

/// Asks the new version for the choices in the records; `None` if there are no records or no values.
fn choices(update: &Update, games: &Path, registry: &Registry) -> anyhow::Result<Option<Vec<OtherChoices>>> {
    let Ok(entries) = fs::read_dir(games) else { return Ok(None) };
    let mut files: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let agent = registry.configure(&update.now.agent)?;
    let mut games = Vec::new();
    for file in files {
        let text = record_text(&file).map_err(|reason| anyhow!(reason))?;
        match other_choices(&text, &update.before.name, &agent) {
            Ok(choices) => games.push(choices),
            // Partners: the net has no values.
            Err(AnalyzeError::NoNet) => return Ok(None),
            Err(error) => return Err(error).with_context(|| file.display().to_string()),
        }
    }
    Ok((!games.is_empty()).then_some(games))
}

fn sentence(games: &[OtherChoices]) -> String {
    let mut by_kind: BTreeMap<&str, u64> = BTreeMap::new();
    let mut by_deal: BTreeMap<u64, (u64, f64)> = BTreeMap::new();
    let mut choices = 0;
    for game in games {
        choices += game.choices;
        let (games, gain) = by_deal.entry(game.set).or_default();
        *games += 1;
        for changed in &game.changed {
            *by_kind.entry(&changed.kind).or_default() += 1;
            *gain += changed.gain;
        }
    }
    let changed: u64 = by_kind.values().sum();
    let of = format!("{} of the version before", counted(choices, "recorded choice"));
    let faults = match games.iter().filter(|game| game.has_fault).count() {
        0 => String::new(),
        faults => format!(
            "; it has a fault in {} of {}, and its choices from then on are not counted",
            grouped(faults as u64),
            counted(games.len() as u64, "recorded game")
        ),
    };
    if changed == 0 {
        return format!("it makes the same choices in {of}{faults}");
    }
    let mut kinds: Vec<(&str, u64)> = by_kind.into_iter().collect();
    kinds.sort_by_key(|&(_, number)| std::cmp::Reverse(number));
    let kinds: Vec<String> = kinds.iter().map(|(kind, number)| format!("{kind} {}", grouped(*number))).collect();
    let gains: Vec<f64> = by_deal.values().map(|&(games, gain)| 100.0 * gain / games as f64).collect();
    let (mean, standard_error) = mean_and_error(&gains);
    let interval = Interval::of_mean(mean, standard_error, gains.len() as u64, Coverage::Pointwise);
    let bounds = interval.map_or_else(String::new, |Interval { low, high }| format!(" [{low:+.2}, {high:+.2}]"));
    format!(
        "it changes {} of {of} ({}); by the values of net, the changes are worth {mean:+.2}{bounds} percentage points of the chance \
         to win per game{faults}",
        grouped(changed),
        kinds.join(", ")
    )
}

/// The mean and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let number = values.len() as f64;
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (number - 1.0).max(1.0) / number).sqrt())
}

#[cfg(test)]
mod tests {
    use unolab_arena::analyze::ChangedChoice;

    use super::*;

    #[test]
    fn changes_are_counted_by_kind_and_valued_per_game() {
        let game = |set, gains: &[f64]| OtherChoices {
            set,
            choices: 10,
            has_fault: false,
            changed: gains
                .iter()
                .map(|&gain| ChangedChoice { kind: if gain > 0.0 { "color".into() } else { "play".into() }, gain })
                .collect(),
        };
        assert_eq!(sentence(&[game(0, &[])]), "it makes the same choices in 10 recorded choices of the version before");
        // Means by deal: 3 and 1 percentage points.
        let text = sentence(&[game(0, &[0.04, 0.04]), game(0, &[-0.02]), game(1, &[0.01])]);
        assert_eq!(
            text,
            "it changes 4 of 30 recorded choices of the version before (color 3, play 1); by the values of net, the changes are \
             worth +2.00 [-10.71, +14.71] percentage points of the chance to win per game"
        );
        let faulty = OtherChoices { has_fault: true, ..game(1, &[]) };
        assert_eq!(
            sentence(&[game(0, &[]), faulty]),
            "it makes the same choices in 20 recorded choices of the version before; it has a fault in 1 of 2 recorded games, and \
             its choices from then on are not counted"
        );
    }
}
