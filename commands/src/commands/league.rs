//! `unolab tournament --format league`: seasons of a league, of every variant at every number of seats.

mod dry_run;

use std::path::Path;

use anyhow::bail;
use unolab_agents::registry::Registry;
use unolab_arena::count::evidence::rate;
use unolab_arena::experiment::league::{LeagueCounts, Leagues, rows};
use unolab_arena::run::checkpoint::OutputOptions;
use unolab_arena::run::driver::on_threads;
use unolab_arena::run::experiment::Experiment;
use unolab_arena::run::results::Results;
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::{Command, Format};
use unolab_arena::tables::{PlayedSection, luck};

use super::driver::leader::leader_of;
use super::driver::tournament::{invocation, odds_of, printed};
use super::driver::{ExperimentCommand, FaultsSoFar, drive, faults_in_words, request};
use crate::args::{AgentList, RunArgs};
use crate::exit::Exit;
use crate::output::width;
use crate::terminal::ratings::ratings_table;
use crate::terminal::{InterimLooks, league::league_table, luck::luck_table};

pub(crate) fn run(agents: Vec<AgentList>, args: &RunArgs, registry: &Registry) -> anyhow::Result<Exit> {
    for (flag, is_given) in [
        ("--games", args.games.is_some()),
        ("--adaptive", args.adaptive),
        ("--games-csv", args.games_csv.is_some()),
        ("--record", args.record.is_some()),
        ("--power", args.power.is_some()),
        ("--shard", args.common.shard.is_some_and(|shard| shard != Shard::WHOLE)),
        ("--out -", args.common.out.as_deref() == Some(Path::new("-"))),
    ] {
        if is_given {
            bail!("{flag} cannot be used with --format league: its tables depend on its results");
        }
    }
    let agents = request::agents(agents, args)?;
    let texts = agents.iter().flat_map(|AgentList(agents)| agents);
    let registry = &args.common.registry_for(registry, texts, args.record.clone(), args.intent())?;
    let command = Command::Tournament { format: Format::League };
    let spec = request::spec(command, agents, args)?;
    let invocation = invocation(args, registry)?;
    let (luck, threads) = (invocation.outputs.options.luck, invocation.num_threads());
    let leagues = on_threads(threads, || Leagues::new(&spec, luck, registry))??;
    drive(&leagues, &invocation)
}

impl ExperimentCommand for Leagues<'_> {
    fn leader(&self, counts: &LeagueCounts) -> String {
        self.under_way(counts).map_or_else(String::new, |(contest, tally)| {
            let section = &contest.schedule().sections[0];
            leader_of(PlayedSection { spec: contest.spec(), section, tally }, &contest.unrated())
        })
    }

    /// In the season of the tier that is being played.
    fn faults(&self, counts: &LeagueCounts) -> FaultsSoFar {
        self.under_way(counts).map_or_else(FaultsSoFar::default, |(contest, tally)| {
            let (spec, section) = (contest.spec(), &contest.schedule().sections[0]);
            FaultsSoFar::of(std::iter::once(PlayedSection { spec, section, tally }))
        })
    }

    fn text(&self, counts: &LeagueCounts, _results: &Results) -> anyhow::Result<String> {
        let (leagues, spec) = (self.played(counts)?, self.spec());
        let mut text = odds_of(spec);
        let sections = leagues.iter().map(|(section, league)| PlayedSection { spec, section, tally: &league.tally });
        for (played, (_, league)) in sections.clone().zip(&leagues) {
            let rated = rate(&league.evidence, &|_| true, None);
            text += &(league_table(&rows(league), width()) + "\n");
            text += &(luck_table(&luck::rows(played), InterimLooks::One, width())
                + &ratings_table(&league.evidence, &rated, None, width())
                + "\n");
        }
        // Of a stopped run: the season of the tier in progress.
        text += &self.under_way(counts).map_or_else(String::new, |(contest, tally)| {
            let section = &contest.schedule().sections[0];
            printed(PlayedSection { spec: contest.spec(), section, tally }, &[], InterimLooks::Any).unwrap_or_default()
        });
        Ok(text + &faults_in_words(sections))
    }

    fn dry_run(&self, left: &LeagueCounts, outputs: OutputOptions, threads: usize) -> anyhow::Result<String> {
        dry_run::of_leagues(self, left, outputs.luck, threads)
    }
}
