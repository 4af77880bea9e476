//! `tournament --format league --dry-run`: the pairings depend on the results, but the number of games does not.

use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::league::{LeagueCounts, Leagues, SEASONS, sets_of_season};
use unolab_arena::experiment::luck_pilot::pilot_games;
use unolab_arena::experiment::pilot::SetCost;
use unolab_arena::run::checkpoint::Counts;
use unolab_arena::run::experiment::Experiment;
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::luck::LuckAdjustment;
use unolab_arena::words::counted;

use super::super::driver::dry_run::{PILOT, fitted_on, time_in_words};

/// The remaining work of leagues, after a short pilot of each tier that writes nothing.
pub(super) fn of_leagues(
    leagues: &Leagues<'_>,
    part: &LeagueCounts,
    luck: LuckAdjustment,
    threads: usize,
) -> anyhow::Result<String> {
    let spec = leagues.spec();
    let first_tiers = (0..leagues.len()).map(|league| leagues.first_tiers(league)).collect::<Result<Vec<_>, _>>()?;
    let pilot = PILOT / u32::try_from(first_tiers.iter().map(Vec::len).sum::<usize>()).unwrap_or(u32::MAX);
    let (mut text, mut done, mut all_games, mut all_seconds) = (String::new(), part.done().done, 0, 0.0);
    for (league, contests) in first_tiers.iter().enumerate() {
        let ((variant, seats), mut tiers) = (leagues.table(league), Vec::new());
        for contest in contests {
            let counts = TournamentCounts::new(contest, Shard::WHOLE);
            let cost = SetCost::of_section(contest, &counts, 0, None, threads, pilot)?;
            tiers.push((contest.schedule().sections[0].games_per_set(), cost.seconds));
        }
        let (mut sets, mut games, mut seconds) = (0, 0, 0.0);
        for season in 0..SEASONS {
            let of_season = sets_of_season(spec.sets, season);
            for &(games_a_set, seconds_a_set) in &tiers {
                let before = done.min(of_season.end - of_season.start);
                let left = of_season.end - of_season.start - before;
                done -= before;
                sets += left;
                games += left * games_a_set;
                seconds += left as f64 * seconds_a_set;
            }
        }
        text += &format!(
            "{}, {seats} seats: {}, {}, {}, {}, about {}\n",
            spec.variants[variant].name,
            counted(tiers.len() as u64, "tier"),
            counted(SEASONS, "season"),
            counted(sets, "set"),
            counted(games, "game"),
            time_in_words(seconds),
        );
        all_games += games;
        all_seconds += seconds;
    }
    let (games, threads, time) =
        (counted(all_games, "game"), counted(threads as u64, "thread"), time_in_words(all_seconds));
    let to_fit = fitted_on(luck, leagues.len() as u64 * pilot_games(spec.unit));
    Ok(format!("{text}{games} in all, about {time} on {threads}{to_fit}\n"))
}
