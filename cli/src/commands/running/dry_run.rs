//! `--dry-run`: what would be run, how long it would take, and where it would go.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration};
use unolab_arena::experiment::luck_pilot::pilot_games;
use unolab_arena::experiment::part::Part;
use unolab_arena::experiment::runner::{self, Conduct, GamesSink};
use unolab_arena::run::folder::Plan;
use unolab_arena::run::standing::{Counts, Job, Standing};
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::luck::LuckIs;
use unolab_arena::tables::games::Game;
use unolab_arena::tables::{PlayedSection, Row};
use unolab_arena::words::counted;

use super::{default_folder, make_sure_it_counts_for, request, tell_finished};
use crate::args::RunArgs;
use crate::exit::Exit;
use crate::output::print;

/// How long all sections are tried, about.
pub(crate) const PILOT: Duration = Duration::from_secs(2);

/// Says what a run would be, after a short pilot that leaves nothing behind.
pub(super) fn run(contest: &Contest, threads: usize, args: &RunArgs) -> anyhow::Result<Exit> {
    let shard = args.kept.shard()?;
    let anew = Standing::begin(Job::new(contest.spec(), shard, request::besides(args)), contest);
    let path = args.kept.out.clone().unwrap_or_else(|| default_folder(contest, shard));
    let plan = Plan::of(&path, &anew, args.kept.start(), &super::asked(args))?;
    if let Plan::GoOn(standing) = &plan {
        make_sure_it_counts_for(contest, standing, &path)?;
    }
    let Some((part, fate)) = left(plan, anew.part) else {
        return tell_finished(&path, &args.kept);
    };
    let (mut text, mut seconds, mut bytes) = (String::new(), 0.0, 0.0);
    let pilot = PILOT / u32::try_from(part.sections.len()).unwrap_or(u32::MAX);
    for number in 0..part.sections.len() {
        let pace = Pace::of(contest, &part, number, threads, args.games_csv, pilot)?;
        let (section, of) = (&part.sections[number], &contest.schedule().sections[number]);
        let (sets, games) = (section.sets.end - section.next, of.games_per_set());
        let played = PlayedSection { spec: contest.spec(), section: of, tally: &section.tally };
        let time = pace.seconds_a_set * sets as f64;
        seconds += time;
        bytes += section.rows as f64 + pace.bytes_a_set * sets as f64;
        text += &format!(
            "{}, {} seats: {}, {} a set, {}, {}, about {}\n",
            played.variant().name,
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
    text += &format!("{left} in all, about {} on {threads}", time_in_words(seconds));
    let sections = contest.schedule().sections.len() as u64;
    text += &fitted_on(request::besides(args).luck, sections * pilot_games(contest.spec().unit));
    if let Some(memory) = peak_memory() {
        text += &format!("; memory: about {}, whatever the number of games", HumanBytes(memory));
    }
    if args.games_csv.is_some() {
        text += &format!("; {}: about {}", Game::FILE, HumanBytes(whole(bytes)));
    }
    print(&format!("{text}\n{} {fate}\nnothing was run\n", path.display()))?;
    Ok(Exit::Done)
}

/// What is still to be played in a folder, and what becomes of it, in words; `None` if all is done.
pub(crate) fn left<S, C: Counts>(plan: Plan<S, C>, anew: C) -> Option<(C, String)> {
    Some(match plan {
        Plan::Begin => (anew, "is free".into()),
        Plan::Replace => (anew, "holds a finished run of the same spec and would be replaced".into()),
        Plan::GoOn(standing) => {
            let fate = format!("holds {} of it and would be gone on with", standing.part.done());
            (standing.part, fate)
        }
        Plan::Finished => return None,
    })
}

/// The games that are played besides where luck is taken off, at the end of a line.
pub(crate) fn fitted_on(luck: LuckIs, games: u64) -> String {
    match luck {
        LuckIs::LeftIn => String::new(),
        LuckIs::TakenOff => {
            format!("; before them {} on other seeds, to fit what luck is worth", counted(games, "game"))
        }
    }
}

/// How fast a section goes.
pub(crate) struct Pace {
    pub(crate) seconds_a_set: f64,
    bytes_a_set: f64,
}

impl Pace {
    /// Plays the first sets of a section that are left, about for this time.
    pub(crate) fn of(
        contest: &Contest,
        part: &Part,
        section: usize,
        threads: usize,
        games_csv: Option<u64>,
        time: Duration,
    ) -> anyhow::Result<Self> {
        let mut pilot = part.clone();
        for (number, other) in pilot.sections.iter_mut().enumerate() {
            if number != section {
                other.next = other.sets.end;
            }
        }
        let (first, rows) = (pilot.sections[section].next, pilot.sections[section].rows);
        let (stop, begin) = (AtomicBool::new(false), Instant::now());
        let stop_in_time = |_| {
            if begin.elapsed() >= time {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let conduct = Conduct { threads, stop: &stop, on_progress: &stop_in_time };
        let mut nowhere = io::sink();
        let out: &mut (dyn Write + Send) = &mut nowhere;
        let sink = games_csv.map(|every| GamesSink { out, every });
        let played = runner::play_on(contest, &conduct, pilot, sink, None, None)?;
        let played = &played.sections[section];
        // What the other threads had in hand when the time was over is not counted: half a set each.
        let sets = (played.next - first).max(1) as f64 + 0.5 * (threads - 1) as f64;
        Ok(Self {
            seconds_a_set: begin.elapsed().as_secs_f64() / sets,
            bytes_a_set: (played.rows - rows) as f64 / sets,
        })
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

/// The most memory that this process had, where the system tells: in bytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
