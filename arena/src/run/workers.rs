//! A run whose batches are played by workers: writes requests to standard output and reads the results from standard input.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::checkpoint::Job;
use super::driver::{self, GamesSink, Progress, RunOptions};
use super::error::RunError;
use super::experiment::Experiment;
use super::remote::Remote;

/// Runs an experiment by requesting its batches.
pub(super) fn run<E: Experiment>(
    experiment: &E,
    job: &Job<E::Spec>,
    at_least: u64,
    counts: E::Counts,
    options: RunOptions<'_, E::Counts>,
) -> Result<E::Counts, RunError> {
    let RunOptions { threads, stop, on_progress: send_progress, games, checkpoints } = options;
    let remote = Remote::new(experiment, job, at_least, io::stdout())?;
    let (sender, lines) = channel();
    // A blocking read cannot be interrupted, so this thread ends only with the process.
    let read = move || io::stdin().lines().try_for_each(|line| sender.send(line).map_err(|_| ()));
    let not_started = |error: io::Error| RunError::Threads { threads, reason: error.to_string() };
    thread::Builder::new().spawn(read).map_err(not_started)?;
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (remote, is_over) = (&remote, &is_over);
        let listening = thread::Builder::new().spawn_scoped(scope, move || {
            let heard = loop {
                match lines.recv_timeout(Duration::from_millis(20)) {
                    // Lines after the last awaited answer are ignored.
                    _ if is_over.load(Ordering::Relaxed) => break Ok(()),
                    Ok(Ok(line)) => {
                        if let Err(error) = remote.take(&line) {
                            break Err(error);
                        }
                    }
                    Ok(Err(error)) => break Err(RunError::Remote(error.to_string())),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                }
            };
            remote.close();
            heard
        });
        let listening = listening.map_err(not_started)?;
        let on_progress = |progress: Progress| {
            remote.send_progress(progress.sets);
            send_progress(progress);
        };
        let games = games.map(|GamesSink { out, every }| GamesSink { out, every });
        let options = RunOptions { threads, stop, on_progress: &on_progress, games, checkpoints };
        let counts = driver::run(remote, counts, options);
        is_over.store(true, Ordering::Relaxed);
        let heard = listening.join().unwrap_or(Ok(()));
        // An invalid answer is a better reason than missing answers.
        heard.and(counts)
    })
}
