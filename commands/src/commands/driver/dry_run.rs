//! `--dry-run`: the games, the time and the directory of a run.

use std::time::Duration;

use indicatif::{HumanBytes, HumanDuration};
use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::pilot::SetCost;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::Allocation;
use unolab_arena::spec::luck::LuckAdjustment;
use unolab_arena::tables::Row;
use unolab_arena::tables::games::GameRow;
use unolab_arena::words::counted;

/// The approximate time of the pilots of all sections.
pub(crate) const PILOT: Duration = Duration::from_secs(2);

/// The remaining work of a tournament, after a short pilot that writes nothing.
pub(in crate::commands) fn of_tournament(
    contest: &Contest,
    part: &TournamentCounts,
    games_csv: Option<u64>,
    threads: usize,
    fitted: &str,
) -> anyhow::Result<String> {
    let (mut text, mut seconds, mut bytes) = (String::new(), 0.0, 0.0);
    let pilot = PILOT / u32::try_from(part.sections.len()).unwrap_or(u32::MAX);
    for number in 0..part.sections.len() {
        let cost = SetCost::of_section(contest, part, number, games_csv, threads, pilot)?;
        let (section, of) = (&part.sections[number], &contest.schedule().sections[number]);
        let (sets, games) = (section.sets.end - section.next, of.games_per_set());
        let time = cost.seconds * sets as f64;
        seconds += time;
        bytes += section.rows.bytes as f64 + cost.bytes * sets as f64;
        text += &format!(
            "{}, {} seats: {}, {} per set, {}, {}, about {}\n",
            contest.spec().variants[of.variant].name,
            of.seats,
            counted(of.tables.len() as u64, "table"),
            counted(games, "game"),
            counted(sets, "set"),
            counted(sets * games, "game"),
            time_in_words(time),
        );
    }
    let games = part.games(contest.schedule());
    let (left, threads) = (counted(games.of - games.done, "game"), counted(threads as u64, "thread"));
    let most = match contest.spec().allocation {
        Allocation::Even => "",
        Allocation::Open => "at most ",
    };
    text += &format!("{most}{left} in all, about {} on {threads}{fitted}", time_in_words(seconds));
    if let Some(memory) = peak_memory() {
        text += &format!("; memory: about {}, for any number of games", HumanBytes(memory));
    }
    if games_csv.is_some() {
        text += &format!("; {}: about {}", GameRow::FILE, HumanBytes(whole(bytes)));
    }
    Ok(text)
}

/// The additional games that fit the luck adjustment, at the end of a line.
pub(crate) fn fitted_on(luck: LuckAdjustment, games: u64) -> String {
    match luck {
        LuckAdjustment::Off => String::new(),
        LuckAdjustment::On => {
            format!("; before them {} on other seeds, to fit the luck adjustment", counted(games, "game"))
        }
    }
}

/// `3 minutes`.
pub(crate) fn time_in_words(seconds: f64) -> String {
    if seconds < 1.0 {
        return "a second".into();
    }
    HumanDuration(Duration::from_secs(whole(seconds))).to_string()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate, never negative")]
pub(crate) const fn whole(number: f64) -> u64 {
    number as u64
}

/// The peak memory of this process in bytes, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
