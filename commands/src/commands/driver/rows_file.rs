//! `games.csv` during a run.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};

use anyhow::Context;
use unolab_arena::run::checksum::WrittenRows;
use unolab_arena::run::directory::{DirectoryError, RunDirectory};
use unolab_arena::run::driver::GamesSink;
use unolab_arena::tables::games::GameRow;
use unolab_arena::tables::{Row, header};

/// The file, with the games of every k-th set.
pub(super) struct RowsFile {
    out: BufWriter<File>,
    every: u64,
}

impl RowsFile {
    /// Opens the file after these rows, which must exist; creates it if there are no rows.
    pub(super) fn open(directory: &RunDirectory, written: &[WrittenRows], every: u64) -> anyhow::Result<Self> {
        let header = header::<GameRow>();
        if written.is_empty() {
            let mut out = BufWriter::new(directory.create(GameRow::FILE)?);
            out.write_all(&header).and_then(|()| out.flush()).context(GameRow::FILE)?;
            return Ok(Self { out, every });
        }
        let bytes = header.len() as u64 + written.iter().map(|rows| rows.bytes).sum::<u64>();
        // Nothing is truncated before all earlier rows are verified.
        if let Ok(kept) = directory.read(GameRow::FILE)
            && kept.metadata().context(GameRow::FILE)?.len() >= bytes
        {
            check_rows(kept, directory, written)?;
        }
        Ok(Self { out: BufWriter::new(directory.write_on(GameRow::FILE, bytes)?), every })
    }

    /// Checks that the file of a finished run holds exactly the written rows, and nothing from a program.
    pub(super) fn check_complete(directory: &RunDirectory, written: &[WrittenRows]) -> anyhow::Result<()> {
        check_rows(directory.read(GameRow::FILE)?, directory, written)
    }

    /// A second handle for the file, to sync the flushed rows.
    pub(super) fn synced(&self) -> anyhow::Result<File> {
        self.out.get_ref().try_clone().context(GameRow::FILE)
    }

    pub(super) fn sink(&mut self) -> GamesSink<'_> {
        GamesSink { out: &mut self.out, every: self.every }
    }
}

fn check_rows(file: File, directory: &RunDirectory, written: &[WrittenRows]) -> anyhow::Result<()> {
    check(file, &header::<GameRow>(), written).context(GameRow::FILE)?.map_err(|reason| {
        let reason = format!("{}: {reason}", GameRow::FILE);
        DirectoryError::Broken { path: directory.path().into(), reason }.into()
    })
}

/// Checks that the rows of the counted sets are the written rows.
fn check(file: File, header: &[u8], written: &[WrittenRows]) -> io::Result<Result<(), String>> {
    let (mut file, mut first) = (BufReader::new(file), vec![0; header.len()]);
    file.read_exact(&mut first)?;
    if first != header {
        return Ok(Err("its header differs".into()));
    }
    for rows in written {
        if let Err(reason) = rows.check(&mut file, |_| Ok(()))? {
            return Ok(Err(reason));
        }
    }
    Ok(Ok(()))
}
