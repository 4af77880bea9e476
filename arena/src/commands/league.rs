//! `unolab tournament --format league`: seasons of a league, of every variant at every number of seats.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use unolab_agents::registry::Registry;
use unolab_arena::contest::Contest;
use unolab_arena::folder::RunFolder;
use unolab_arena::league::{PlayedLeague, play_league};
use unolab_arena::ratings::{Ratings, rate};
use unolab_arena::run::{Machine, RUN_FILE, Run};
use unolab_arena::runner::tally_sets;
use unolab_arena::schedule::Section;
use unolab_arena::spec::{Command, Format, Spec};
use unolab_arena::tables::ratings::{is_rated, rows_of};
use unolab_arena::tables::{PlayedSection, describe, league, readme};
use unolab_arena::terminal::league_table;
use unolab_arena::terminal::ratings::ratings_table;

use super::running::tables::Tables;
use super::running::{STOP, listen_for_ctrl_c, request, write_report};
use crate::cli::{AgentList, RunArgs};
use crate::exit::Exit;
use crate::output::{complain, print, width};

pub(crate) fn run(agents: Vec<AgentList>, args: &RunArgs) -> anyhow::Result<Exit> {
    for (flag, is_given) in [
        ("--games", args.games.is_some()),
        ("--games-csv", args.games_csv.is_some()),
        ("--luck", args.luck),
        ("--record", args.record.is_some()),
        ("--power", args.power.is_some()),
        ("--resume", args.resume),
        ("--shard", args.shard.is_some()),
        ("--dry-run", args.dry_run),
        ("--out -", args.out.as_deref() == Some(Path::new("-"))),
    ] {
        if is_given {
            bail!("{flag} does not go with --format league: its tables depend on its results");
        }
    }
    let command = Command::Tournament { format: Format::League };
    let spec = request::spec(command, agents, args)?;
    let threads = args.threads.map_or_else(request::all_cores, usize::from);
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("runs/league-{}", spec.hash())));
    let folder = RunFolder::claim(&path, spec.hash())?;
    listen_for_ctrl_c()?;

    let begin = Instant::now();
    let Some(leagues) = play(&spec, threads)? else {
        complain(&format!("stopped; nothing was written to {}", path.display()));
        return Ok(Exit::Stopped);
    };
    let rated: Vec<Ratings> = leagues.iter().map(|(_, league)| rate(&league.evidence, &is_rated)).collect();
    let sections = leagues.iter().map(|(section, league)| PlayedSection { spec: &spec, section, tally: &league.tally });
    let ratings = leagues.iter().zip(&rated).flat_map(|((_, league), rated)| rows_of(&league.evidence, rated));
    let standings = leagues.iter().flat_map(|(_, league)| league::rows(league));
    let tables = Tables::of(sections.clone(), ratings.collect()).with(standings.collect());
    tables.write(&folder, args.tables)?;
    Tables::of_offences(sections).write(&folder, args.tables)?;
    let named = tables.named();
    folder.write("README.md", readme() + "\n" + &describe::<league::LeagueRow>())?;
    let run = Run::of(spec.clone(), &named, Machine::this(threads), begin.elapsed().as_secs_f64());
    if args.report {
        write_report(&folder, &named, &run)?;
    }
    folder.write(RUN_FILE, run.to_json())?;
    folder.publish()?;
    if !args.quiet {
        let told = |((_, league), rated): (&(Section, PlayedLeague), &Ratings)| {
            league_table(&league::rows(league), width())
                + "\n"
                + &ratings_table(&league.evidence, rated, width())
                + "\n"
        };
        let text: String = leagues.iter().zip(&rated).map(told).collect();
        print(&format!("{text}tables in {}\n", path.display()))?;
    }
    Ok(Exit::Done)
}

/// The leagues of every variant at every number of seats. None if it was stopped.
fn play(spec: &Spec, threads: usize) -> anyhow::Result<Option<Vec<(Section, PlayedLeague)>>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("--threads")?;
    let registry = Registry::default();
    let mut leagues = Vec::new();
    for variant in 0..spec.variants.len() {
        for &seats in &spec.seats {
            let contest_of = |spec: Spec| Contest::of(spec, &registry);
            let play = |contest: &Contest, sets| pool.install(|| tally_sets(contest, 0, sets, &STOP));
            let Some(league) = play_league(spec, variant, seats, &contest_of, &play)? else { return Ok(None) };
            let section = Section { variant, seats, team_size: league.team_size, tables: Vec::new() };
            leagues.push((section, league));
        }
    }
    Ok(Some(leagues))
}
