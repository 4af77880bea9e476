//! `unolab tournament --format league`: seasons of a league, of every variant at every number of seats.

mod dry_run;

use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, bail};
use unolab_agents::registry::Registry;
use unolab_arena::count::evidence::rate;
use unolab_arena::count::tally::Tally;
use unolab_arena::experiment::league::{LeaguePart, PlayedLeague, play_league, rows};
use unolab_arena::experiment::luck_pilot::with_luck_taken_off;
use unolab_arena::experiment::runner::tally_sets;
use unolab_arena::run::folder::Plan;
use unolab_arena::run::folder::{Claim, RunFolder};
use unolab_arena::run::manifest::{Machine, RUN_FILE, Run};
use unolab_arena::run::shard::Shard;
use unolab_arena::run::standing::{Besides, Counts, Job, Standing};
use unolab_arena::schedule::Section;
use unolab_arena::schedule::contest::{Contest, ContestError, schedule_of};
use unolab_arena::spec::luck::LuckIs;
use unolab_arena::spec::{Command, Format, Spec};
use unolab_arena::tables::ratings::{is_rated, rows_of};
use unolab_arena::tables::{PlayedSection, describe, league, luck, readme};
use unolab_stats::ratings::Ratings;

use super::running::dry_run::left;
use super::running::keeper::{Keeper, how_to_go_on, tell_stopped};
use super::running::leader::leader_of;
use super::running::tables::Tables;
use super::running::{
    Extras, Page, STOP, faults_in_words, folder_of, listen_for_ctrl_c, registry_for, request, tell_finished,
    write_report,
};
use crate::args::{AgentList, KeptArgs, RunArgs};
use crate::exit::Exit;
use crate::output::{print, width};
use crate::progress::Bar;
use crate::terminal::ratings::ratings_table;
use crate::terminal::{league_table, luck_table};

pub(crate) fn run(agents: Vec<AgentList>, args: &RunArgs, registry: &Registry) -> anyhow::Result<Exit> {
    for (flag, is_given) in [
        ("--games", args.games.is_some()),
        ("--games-csv", args.games_csv.is_some()),
        ("--record", args.record.is_some()),
        ("--power", args.power.is_some()),
        ("--shard", args.kept.shard.is_some()),
        ("--out -", args.kept.out.as_deref() == Some(Path::new("-"))),
    ] {
        if is_given {
            bail!("{flag} does not go with --format league: its tables depend on its results");
        }
    }
    let registry = &registry_for(&agents, args, registry)?;
    let command = Command::Tournament { format: Format::League };
    let spec = request::spec(command, agents, args)?;
    let page = if args.report { Page::Wanted } else { Page::NotAskedFor };
    run_spec(
        &spec,
        request::besides(args),
        &args.kept,
        Extras { tables: args.kept.tables, page },
        args.dry_run,
        registry,
    )
}

/// Plays the leagues of a spec.
pub(super) fn run_spec(
    spec: &Spec,
    besides: Besides,
    kept: &KeptArgs,
    extras: Extras,
    is_dry: bool,
    registry: &Registry,
) -> anyhow::Result<Exit> {
    let path = kept.out.clone().unwrap_or_else(|| folder_of("league", spec.hash(), Shard::WHOLE));
    make_sure_it_can_be_played(spec, registry)?;
    let job = Job::new(spec, Shard::WHOLE, besides);
    let anew = Standing { job, seconds: 0.0, part: LeaguePart::new(spec) };
    let asked = kept.asked().with("--report", extras.page == Page::Wanted);
    if is_dry {
        return match left(Plan::of(&path, &anew, kept.start(), &asked)?, anew.part) {
            Some((part, fate)) => dry_run::run(spec, besides.luck, &part, &path, &fate, kept.num_threads(), registry),
            None => tell_finished(&path, kept),
        };
    }
    let (folder, standing) = match RunFolder::open(&path, anew, kept.start(), asked)? {
        Claim::Play(folder, standing) => (folder, *standing),
        Claim::Finished => return tell_finished(&path, kept),
    };
    let Standing { job, seconds, mut part } = standing;
    listen_for_ctrl_c()?;
    let keeper = Keeper::new(&folder, job.clone(), seconds);
    let leagues =
        play(spec, besides.luck, kept, &keeper, &mut part, registry).with_context(|| how_to_go_on(&folder))?;
    let seconds = keeper.seconds();
    let Some(leagues) = leagues else {
        tell_stopped(&folder, part.done(), "set");
        return Ok(Exit::Stopped);
    };
    let rated: Vec<Ratings> = leagues.iter().map(|(_, league)| rate(&league.evidence, &is_rated)).collect();
    let sections = leagues.iter().map(|(section, league)| PlayedSection { spec, section, tally: &league.tally });
    let ratings = leagues.iter().zip(&rated).flat_map(|((_, league), rated)| rows_of(&league.evidence, rated));
    let standings = leagues.iter().flat_map(|(_, league)| rows(league));
    let tables = Tables::of(sections.clone(), ratings.collect()).with(standings.collect());
    tables.write(&folder, extras.tables)?;
    Tables::of_offences(sections.clone()).write(&folder, extras.tables)?;
    let named = tables.named();
    folder.write("README.md", readme() + "\n" + &describe::<league::LeagueRow>())?;
    let run = Run::of(spec.clone(), &named, Machine::this(kept.num_threads()), seconds).of_job(&job);
    if extras.page == Page::Wanted {
        write_report(&folder, &named, &run)?;
    }
    folder.write(RUN_FILE, Run { files: Some(folder.files()), ..run }.to_json())?;
    folder.publish()?;
    if !kept.quiet {
        let told = |((section, league), rated): (&(Section, PlayedLeague), &Ratings)| {
            league_table(&rows(league), width())
                + "\n"
                + &luck_table(&luck::rows(PlayedSection { spec, section, tally: &league.tally }), width())
                + &ratings_table(&league.evidence, rated, width())
                + "\n"
        };
        let text = leagues.iter().zip(&rated).map(told).collect::<String>() + &faults_in_words(sections);
        print(&format!("{text}tables in {}\n", path.display()))?;
    }
    Ok(Exit::Done)
}

/// What is wrong with the spec is told before anything is written.
fn make_sure_it_can_be_played(spec: &Spec, registry: &Registry) -> anyhow::Result<()> {
    let command = Command::Tournament { format: Format::RoundRobin };
    let entrants = spec.entrants.iter().map(|entrant| registry.configure(&entrant.agent));
    entrants.collect::<Result<Vec<_>, _>>().context("--agents")?;
    Ok(schedule_of(&Spec { command, entrants: spec.entrants[..1].to_vec(), ..spec.clone() }).map(drop)?)
}

/// The contests of one league. What luck is worth is the same for all its tiers and seasons, and fitted once.
struct Contests<'a> {
    registry: &'a Registry,
    luck: LuckIs,
    first: OnceCell<Contest>,
}

impl<'a> Contests<'a> {
    const fn new(luck: LuckIs, registry: &'a Registry) -> Self {
        Self { registry, luck, first: OnceCell::new() }
    }

    /// That of the spec of a tier.
    fn of(&self, spec: Spec) -> Result<Contest, ContestError> {
        let contest = Contest::of(spec, self.registry)?;
        match (self.luck, self.first.get()) {
            (LuckIs::LeftIn, _) => Ok(contest),
            (LuckIs::TakenOff, Some(first)) => {
                contest.with_luck_worth(first.worth_of_luck(0).into_iter().copied().collect())
            }
            (LuckIs::TakenOff, None) => {
                let contest = with_luck_taken_off(contest)?;
                Ok(self.first.get_or_init(|| contest).clone())
            }
        }
    }
}

/// The leagues of every variant at every number of seats, as far as they are not counted yet. None if it was stopped.
fn play(
    spec: &Spec,
    luck: LuckIs,
    kept: &KeptArgs,
    keeper: &Keeper<'_, Spec>,
    part: &mut LeaguePart,
    registry: &Registry,
) -> anyhow::Result<Option<Vec<(Section, PlayedLeague)>>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(kept.num_threads()).build().context("--threads")?;
    let bar = if kept.quiet { Bar::hidden() } else { Bar::of(part.done().of, "set") };
    bar.begin_at(part.done().done);
    let mut number = 0;
    let mut season = |contest: &Contest, sets: Range<u64>| -> anyhow::Result<Option<Tally>> {
        if !part.fits(number, &sets, contest) {
            bail!("what was kept does not belong to this league; remove the folder and begin again");
        }
        let play = |sets| pool.install(|| tally_sets(contest, 0, sets, &STOP));
        let keep = |part: &LeaguePart| {
            bar.show(part.done().done);
            if let Some(tally) = part.under_way() {
                let section = &contest.schedule().sections[0];
                bar.lead(&leader_of(PlayedSection { spec: contest.spec(), section, tally }));
            }
            keeper.keep(part)
        };
        let tally = part.season(number, sets, contest, play, keep)?;
        keeper.keep(part)?;
        number += 1;
        Ok(tally)
    };
    let mut leagues = Vec::new();
    for variant in 0..spec.variants.len() {
        for &seats in &spec.seats {
            let contests = Contests::new(luck, registry);
            let Some(league) = play_league(spec, variant, seats, &|spec| contests.of(spec), &mut season)? else {
                keeper.keep_at_once(part)?;
                return Ok(None);
            };
            let section = Section { variant, seats, team_size: league.team_size, tables: Vec::new() };
            leagues.push((section, league));
        }
    }
    bar.finish();
    Ok(Some(leagues))
}
