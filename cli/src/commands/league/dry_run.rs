//! `tournament --format league --dry-run`: who meets whom depends on the results, how many games there are does not.

use std::path::Path;

use unolab_agents::registry::Registry;
use unolab_arena::experiment::league::{LeaguePart, SEASONS, Tiers, sets_of_season, spec_of_tier};
use unolab_arena::experiment::luck_pilot::pilot_games;
use unolab_arena::experiment::part::Part;
use unolab_arena::run::shard::Shard;
use unolab_arena::run::standing::Counts;
use unolab_arena::spec::Spec;
use unolab_arena::spec::luck::LuckIs;
use unolab_arena::words::counted;

use super::super::running::dry_run::{PILOT, Pace, fitted_on, time_in_words};
use super::Contests;
use crate::exit::Exit;
use crate::output::print;

/// Says what is left of the leagues of a spec, after a short pilot of each tier as it begins that leaves nothing behind.
pub(super) fn run(
    spec: &Spec,
    luck: LuckIs,
    part: &LeaguePart,
    path: &Path,
    fate: &str,
    threads: usize,
    registry: &Registry,
) -> anyhow::Result<Exit> {
    let leagues = (0..spec.variants.len()).flat_map(|variant| spec.seats.iter().map(move |&seats| (variant, seats)));
    let num_tiers = |seats| Tiers::new(spec.entrants.len(), seats).tiers().len();
    let all_tiers: usize = leagues.clone().map(|(_, seats)| num_tiers(seats)).sum();
    let pilot = PILOT / u32::try_from(all_tiers).unwrap_or(u32::MAX);
    let (mut text, mut done, mut all_games, mut all_seconds) = (String::new(), part.done().done, 0, 0.0);
    for (variant, seats) in leagues.clone() {
        let (contests, mut tiers) = (Contests::new(luck, registry), Vec::new());
        for members in Tiers::new(spec.entrants.len(), seats).tiers() {
            let contest = contests.of(spec_of_tier(spec, variant, seats, members))?;
            let pace = Pace::of(&contest, &Part::new(&contest, Shard::WHOLE), 0, threads, None, pilot)?;
            tiers.push((contest.schedule().sections[0].games_per_set(), pace.seconds_a_set));
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
    let to_fit = fitted_on(luck, leagues.count() as u64 * pilot_games(spec.unit));
    print(&format!(
        "{text}{games} in all, about {time} on {threads}{to_fit}\n\n{} {fate}\nnothing was run\n",
        path.display()
    ))?;
    Ok(Exit::Done)
}
