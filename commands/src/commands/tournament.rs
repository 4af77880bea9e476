//! `unolab tournament`: plays agents against each other, in every combination.

use unolab_agents::registry::Registry;
use unolab_arena::spec::{Command, Format};

use super::{driver, league};
use crate::args::TournamentArgs;
use crate::exit::Exit;

pub(crate) fn run(TournamentArgs { agents, format, run }: TournamentArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let format = run.spec.as_deref().map_or(Ok(format), driver::request::format_in_file)?;
    match format {
        Format::League => league::run(agents, &run, registry),
        Format::RoundRobin | Format::Gauntlet => {
            driver::tournament::run(Command::Tournament { format }, agents, &run, registry)
        }
    }
}
