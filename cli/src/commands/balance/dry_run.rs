//! `balance --dry-run`: what would be played, how long it would take, and where it would go.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use unolab_arena::experiment::balance::case::Case;
use unolab_arena::experiment::balance::part::BalancePart;
use unolab_arena::experiment::balance::{Balance, Conduct};
use unolab_arena::spec::Unit;
use unolab_arena::words::counted;

use super::super::running::dry_run::{PILOT, time_in_words};
use crate::exit::Exit;
use crate::output::print;

/// Says what is left of a balance, after a short pilot of each case that leaves nothing behind.
pub(super) fn run(
    balance: &Balance,
    part: &BalancePart,
    path: &Path,
    fate: &str,
    threads: usize,
) -> anyhow::Result<Exit> {
    let (mut text, mut seconds) = (String::new(), 0.0);
    for (number, case) in balance.cases().iter().enumerate() {
        let sets = part.cases[number].sets.end - part.cases[number].next;
        let games = sets * case.games_per_set();
        let time = seconds_a_game(balance, part, number, threads)? * games as f64;
        seconds += time;
        let unit = match case.unit {
            Unit::Round => "rounds",
            Unit::Match => "matches",
        };
        text += &format!(
            "{}, {} seats, {unit}: {} a set, {}, {}, about {}\n",
            case.variant,
            case.seats,
            counted(case.games_per_set(), "game"),
            counted(sets, "set"),
            counted(games, "game"),
            time_in_words(time),
        );
    }
    let all = balance.games(part);
    let (left, threads, time) =
        (counted(all.of - all.done, "game"), counted(threads as u64, "thread"), time_in_words(seconds));
    let fitted_on = counted(balance.cases().iter().map(Case::pilot_games).sum(), "game");
    let text = format!(
        "{text}{left} in all, about {time} on {threads}; before them {fitted_on} on other seeds, to fit \
         the models\n\n"
    );
    print(&format!("{text}{} {fate}\nnothing was run\n", path.display()))?;
    Ok(Exit::Done)
}

/// How long a game of this case takes.
fn seconds_a_game(balance: &Balance, part: &BalancePart, number: usize, threads: usize) -> anyhow::Result<f64> {
    let mut pilot = part.clone();
    let num_cases = u32::try_from(pilot.cases.len()).unwrap_or(u32::MAX);
    for (_, other) in pilot.cases.iter_mut().enumerate().filter(|(other, _)| *other != number) {
        other.next = other.sets.end;
    }
    let (stop, games, begin) = (AtomicBool::new(false), AtomicU64::new(0), Instant::now());
    let on_games = |more| {
        games.fetch_add(more, Ordering::Relaxed);
        stop.store(begin.elapsed() >= PILOT / num_cases, Ordering::Relaxed);
    };
    balance.play_on(&Conduct { threads, stop: &stop, on_games: &on_games, keep: &|_| Ok(()) }, &mut pilot)?;
    Ok(begin.elapsed().as_secs_f64() / games.into_inner().max(1) as f64)
}
