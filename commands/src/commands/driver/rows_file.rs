//! `games.csv` during a run.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};

use anyhow::Context;
use unolab_arena::run::checksum::WrittenRows;
use unolab_arena::run::directory::{DirectoryError, RunDirectory};
use unolab_arena::run::driver::GamesSink;
use unolab_arena::tables::games::Game;
use unolab_arena::tables::{Row, header};

/// The file, with the games of every so-many-th set.
pub(super) struct RowsFile {
    out: BufWriter<File>,
    every: u64,
}

impl RowsFile {
    /// After these rows, which must be there; anew where there are none.
    pub(super) fn open(directory: &RunDirectory, written: &[WrittenRows], every: u64) -> anyhow::Result<Self> {
        let header = header::<Game>();
        if written.is_empty() {
            let mut out = BufWriter::new(directory.create(Game::FILE)?);
            out.write_all(&header).and_then(|()| out.flush()).context(Game::FILE)?;
            return Ok(Self { out, every });
        }
        let bytes = header.len() as u64 + written.iter().map(|rows| rows.bytes).sum::<u64>();
        // Nothing is cut off before it is known that all before it is as it was written.
        if let Ok(kept) = directory.read(Game::FILE)
            && kept.metadata().context(Game::FILE)?.len() >= bytes
        {
            check_rows(kept, directory, written)?;
        }
        Ok(Self { out: BufWriter::new(directory.write_on(Game::FILE, bytes)?), every })
    }

    /// Makes sure that the file of a finished run holds what was written to it, and nothing that a program has.
    pub(super) fn check_complete(directory: &RunDirectory, written: &[WrittenRows]) -> anyhow::Result<()> {
        check_rows(directory.read(Game::FILE)?, directory, written)
    }

    /// A second hand on the file, to make sure that what was flushed stays.
    pub(super) fn synced(&self) -> anyhow::Result<File> {
        self.out.get_ref().try_clone().context(Game::FILE)
    }

    pub(super) fn sink(&mut self) -> GamesSink<'_> {
        GamesSink { out: &mut self.out, every: self.every }
    }
}

fn check_rows(file: File, directory: &RunDirectory, written: &[WrittenRows]) -> anyhow::Result<()> {
    check(file, &header::<Game>(), written).context(Game::FILE)?.map_err(|reason| {
        let reason = format!("{}: {reason}", Game::FILE);
        DirectoryError::Broken { path: directory.path().into(), reason }.into()
    })
}

/// Makes sure that the rows of what has been counted are those that were written.
fn check(file: File, header: &[u8], written: &[WrittenRows]) -> io::Result<Result<(), String>> {
    let (mut file, mut first) = (BufReader::new(file), vec![0; header.len()]);
    file.read_exact(&mut first)?;
    if first != header {
        return Ok(Err("its header is another".into()));
    }
    for rows in written {
        if let Err(reason) = rows.check(&mut file, |_| Ok(()))? {
            return Ok(Err(reason));
        }
    }
    Ok(Ok(()))
}
