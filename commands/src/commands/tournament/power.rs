//! `--power`: the number of sets that a run would need.

use anyhow::bail;
use unolab_arena::experiment::tournament::tally_sets;
use unolab_arena::play::record::WIN;
use unolab_arena::run::driver::on_threads;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::words::grouped;
use unolab_stats::elo::elo;
use unolab_stats::power::sets_needed;
use unolab_stats::share::{Mean, Share};
use unolab_stats::unequal::UnequalSets;

use crate::exit::Exit;
use crate::output::{print, width};
use crate::terminal::power::power_table;

/// The number of sets for estimating the standard deviation of a set.
const PILOT_SETS: u64 = 200;

/// Plays a few sets of each section and prints the number of sets that would detect an edge of this size. Writes no files.
pub(super) fn run(contest: &Contest, edge: f64, threads: usize) -> anyhow::Result<Exit> {
    if !(edge > 0.0 && edge < 0.5) {
        bail!("--power {edge}: must be a difference of win shares above 0 and below 0.5, such as 0.01 for one point");
    }
    let luck = if contest.luck_model(0).is_some() { ", luck-adjusted" } else { "" };
    let mut text = format!(
        "sets needed to detect a difference of {:.2} percentage points at 95%{luck}, from {PILOT_SETS} pilot sets\n\n",
        100.0 * edge
    );
    for (number, section) in contest.schedule().sections.iter().enumerate() {
        let tally = on_threads(threads, || tally_sets(contest, number, 0..PILOT_SETS))??;
        let mut adjusted = tally.luck().shares();
        let rows = contest.spec().entrants.iter().zip(tally.by_entrant()).map(|(entrant, tally)| {
            let raw = Mean::of(&tally.results.wins, WIN);
            let error = match adjusted.next() {
                Some(adjusted) => adjusted.and_then(|adjusted| adjusted.standard_error),
                None => raw.standard_error,
            };
            let unequal = Share::of(&tally.results.wins, WIN, section.stake(&contest.spec().entrants)).unequal;
            // Sets that tie in the pilot may differ later.
            let least = unequal.map_or(0.0, UnequalSets::largest_deviation);
            let deviation = error.map(|error| least.max(error * (raw.sets as f64).sqrt()));
            let needed = |power| deviation.map(|deviation| grouped(sets_needed(deviation, edge, power)));
            let games =
                deviation.map(|deviation| sets_needed(deviation, edge, 0.8).saturating_mul(section.games_per_set()));
            [
                entrant.name.clone(),
                deviation.map_or_else(String::new, |deviation| format!("{deviation:.4}")),
                needed(0.8).unwrap_or_default(),
                needed(0.9).unwrap_or_default(),
                games.map(grouped).unwrap_or_default(),
            ]
        });
        let as_elo = elo(section.fair_share() + edge, section.num_teams());
        let as_elo = as_elo.map_or_else(String::new, |elo| format!(", {elo:+.1} Elo from the fair share"));
        let variant = &contest.spec().variants[section.variant].name;
        text += &format!("{variant}, {} seats{as_elo}\n{}\n\n", section.seats, power_table(rows.collect(), width()));
    }
    print(&text)?;
    Ok(Exit::Done)
}
