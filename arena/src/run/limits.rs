//! The limits of the system on a run with programs.

use unolab_agents::options::is_program;

use super::checkpoint::RunSpec as _;
use super::error::RunError;
use super::experiment::Experiment;
use super::shard::Shard;
use crate::schedule::patience::Blocks;
use crate::words::counted;

/// Whether programs play. A program that is not confined can write to any file.
pub(super) fn has_programs<E: Experiment>(experiment: &E) -> bool {
    experiment.spec().agents().into_iter().any(is_program)
}

/// Checks that a run with programs fits this system, before anything is played.
pub(super) fn check_limits<E: Experiment>(experiment: &E, threads: usize, shard: Shard) -> Result<(), RunError> {
    if !has_programs(experiment) {
        return Ok(());
    }
    // A shard has whole blocks, because the count of timeouts begins with each block.
    if shard.number_of_shards() > Blocks::NUMBER {
        let most = Blocks::NUMBER;
        return Err(RunError::System(format!("--shard {shard}: a run with programs has at most {most} shards")));
    }
    check_descriptors(experiment, threads)
}

/// Each thread may need one process of each program at a time, and each process needs open files.
#[cfg(unix)]
fn check_descriptors<E: Experiment>(experiment: &E, threads: usize) -> Result<(), RunError> {
    use unolab_agents::external::descriptors;

    let programs = experiment.spec().agents().into_iter().filter(|agent| is_program(agent)).count() as u64;
    let Some(limit) = descriptors::limit() else { return Ok(()) };
    // A program that plays several games at once has a process for several threads.
    let processes = threads.div_ceil(experiment.games_at_once()) as u64;
    let needed = descriptors::OWN + processes * programs * descriptors::PER_PROCESS;
    if needed <= limit {
        return Ok(());
    }
    let per_thread = programs * descriptors::PER_PROCESS;
    let fewer = limit.saturating_sub(descriptors::OWN) / per_thread * experiment.games_at_once() as u64;
    let or_fewer = if fewer > 0 { format!(", or use --threads {fewer} or fewer") } else { String::new() };
    Err(RunError::System(format!(
        "--threads {threads}: {} with {} of up to {} open files each, and {} for unolab, make {needed}; the limit is {limit}: raise \
         it with `ulimit -n {needed}`{or_fewer}",
        counted(processes, "thread"),
        counted(programs, "program"),
        descriptors::PER_PROCESS,
        descriptors::OWN,
    )))
}

#[cfg(not(unix))]
const fn check_descriptors<E: Experiment>(_: &E, _: usize) -> Result<(), RunError> {
    Ok(())
}
