//! `balance --dry-run`: the games, the time and the directory of a balance run.

use unolab_arena::experiment::balance::Balance;
use unolab_arena::experiment::balance::case::Case;
use unolab_arena::experiment::balance::counts::BalanceCounts;
use unolab_arena::spec::Unit;
use unolab_arena::words::counted;

use super::super::driver::dry_run::{PILOT, time_in_words};

/// The remaining work of a balance run, after a short pilot of each case that writes nothing.
pub(super) fn of_balance(balance: &Balance, part: &BalanceCounts, threads: usize) -> anyhow::Result<String> {
    let (mut text, mut seconds, mut all_games) = (String::new(), 0.0, 0);
    let pilot = PILOT / u32::try_from(part.cases.len()).unwrap_or(u32::MAX);
    for (number, case) in balance.cases().iter().enumerate() {
        let sets = part.cases[number].sets.end - part.cases[number].next;
        let games = sets * case.games_per_set();
        let time = balance.seconds_per_game(part, number, threads, pilot)? * games as f64;
        seconds += time;
        all_games += games;
        let unit = match case.unit {
            Unit::Round => "rounds",
            Unit::Match => "matches",
        };
        text += &format!(
            "{}, {} seats, {unit}: {} per set, {}, {}, about {}\n",
            case.variant,
            case.seats,
            counted(case.games_per_set(), "game"),
            counted(sets, "set"),
            counted(games, "game"),
            time_in_words(time),
        );
    }
    let (left, threads, time) = (counted(all_games, "game"), counted(threads as u64, "thread"), time_in_words(seconds));
    let fitted_on = counted(balance.cases().iter().map(Case::pilot_games).sum(), "game");
    Ok(format!(
        "{text}{left} in all, about {time} on {threads}; before them {fitted_on} on other seeds, to fit the models\n"
    ))
}
