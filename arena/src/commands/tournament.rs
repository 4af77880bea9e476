//! `unolab tournament`: agents against each other at all tables of a size.

use unolab_arena::spec::Command;

use super::running;
use crate::cli::TournamentArgs;
use crate::exit::Exit;

pub(crate) fn run(TournamentArgs { agents, format, run }: TournamentArgs) -> anyhow::Result<Exit> {
    running::run(Command::Tournament { format }, agents, &run)
}
