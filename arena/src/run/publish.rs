//! Fills a run directory with tables, figures, the page, and finally `run.json`.

use std::error::Error;
use std::io;

use serde_json::Value;

use super::checkpoint::{Checkpoint, RunSpec};
use super::directory::RunDirectory;
use super::error::{RunError, at_file};
use super::execution::Page;
use super::integrity::open;
use super::manifest::{Machine, RUN_FILE, Run, result_hash};
use super::results::Results;
use crate::tables::Row as _;
use crate::tables::games::GameRow;
use crate::tables::parquet::games_to_parquet;
use crate::tables::table::{TableFormat, Tables, parquet_name};

/// Draws the page of a run from its tables and `run.json`, by their names: the files of the page.
pub type DrawPage<'a> = &'a dyn Fn(&[(&str, &[u8])]) -> Result<Vec<(String, Vec<u8>)>, Box<dyn Error + Send + Sync>>;

/// The output of a run, and its format.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct Publication<'a> {
    /// The results.
    pub results: &'a Results,
    /// The format of the tables.
    pub tables: TableFormat,
    /// Whether there is a page.
    pub page: Page,
    /// Draws the page.
    pub draw_page: DrawPage<'a>,
    /// The machine that played.
    pub machine: Machine,
}

impl Publication<'_> {
    /// Writes the results of a whole run into its directory, and publishes it. Returns a warning if they replace a
    /// different result of the same programs. The spec has the key of its seal, which the checkpoint does not have.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn publish<S: RunSpec, C>(
        self,
        spec: &S,
        directory: RunDirectory,
        Checkpoint { job, seconds, .. }: &Checkpoint<S, C>,
    ) -> Result<Option<String>, RunError> {
        let Results { tables, faults, files, readme } = self.results;
        if self.tables == TableFormat::Parquet && job.outputs.games_csv.is_some() {
            let mut csv = directory.read(GameRow::FILE)?;
            let mut parquet = directory.create(&parquet_name(GameRow::FILE))?;
            games_to_parquet(&mut csv, &mut parquet).map_err(at_file(GameRow::FILE))?;
        }
        let in_format = |tables: &Tables| tables.files(self.tables).map_err(|(file, error)| at_file(file)(error));
        let readme = ("README.md".to_owned(), readme.clone().into_bytes());
        directory.write_all(&[in_format(tables)?, in_format(faults)?, files.clone(), vec![readme]].concat())?;
        let tables = tables.named();
        let run = Run::of(spec.clone(), &tables, self.machine, *seconds).of_job(job);
        let warning = warning_of_other_result(&directory, &tables, &run);
        if self.page == Page::Wanted {
            let run = run.to_json();
            let mut named: Vec<(&str, &[u8])> = tables.iter().map(|(name, bytes)| (*name, &**bytes)).collect();
            named.push((RUN_FILE, run.as_bytes()));
            let page = (self.draw_page)(&named).map_err(RunError::Page)?;
            directory.write_all(&page)?;
        }
        let digests = directory.digests()?;
        directory.write(RUN_FILE, Run { files: Some(directory.files()), digests, ..run }.to_json())?;
        directory.publish()?;
        Ok(warning)
    }
}

/// The warning that the new run replaces a different result of the same programs, if it does.
fn warning_of_other_result<S>(directory: &RunDirectory, tables: &[(&str, Vec<u8>)], run: &Run<S>) -> Option<String> {
    let path = directory.path().join(RUN_FILE);
    let text = open(&path).and_then(io::read_to_string).ok()?;
    let replaced: Run<Value> = serde_json::from_str(&text).ok()?;
    let files = replaced.files.as_ref()?;
    if !replaced.is_of_this_version() || replaced.played_with != run.played_with {
        return None;
    }
    // A table that exists only in the new run is not a different result.
    let both: Vec<_> = tables.iter().filter(|(name, _)| files.iter().any(|file| file == name)).cloned().collect();
    let error = replaced.check_after_replay(&result_hash(&both)).err()?;
    Some(format!("{}: the run there is replaced, but {error}", path.display()))
}
