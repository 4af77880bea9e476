//! `games.csv` during a run.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write};
use std::path::PathBuf;

use super::checksum::WrittenRows;
use super::directory::{DirectoryError, RunDirectory};
use super::driver::GamesSink;
use super::error::{RunError, at_file};
use super::integrity::open;
use crate::tables::games::GameRow;
use crate::tables::{Row as _, header};

/// The file, with the games of every k-th set.
#[derive(Debug)]
pub(super) struct RowsFile {
    out: BufWriter<File>,
    every: u64,
}

impl RowsFile {
    /// Opens the file after these rows, which must exist; creates it if there are no rows.
    pub(super) fn open(directory: &RunDirectory, written: &[WrittenRows], every: u64) -> Result<Self, RunError> {
        let header = header::<GameRow>();
        if written.is_empty() {
            let mut out = BufWriter::new(directory.create(GameRow::FILE)?);
            out.write_all(&header).and_then(|()| out.flush()).map_err(RunError::Games)?;
            return Ok(Self { out, every });
        }
        let bytes = header.len() as u64 + written.iter().map(|rows| rows.bytes).sum::<u64>();
        // Nothing is truncated before all earlier rows are verified.
        if let Ok(earlier) = directory.read(GameRow::FILE)
            && earlier.metadata().map_err(RunError::Games)?.len() >= bytes
        {
            check_rows(earlier, directory, written)?;
        }
        Ok(Self { out: BufWriter::new(directory.write_on(GameRow::FILE, bytes)?), every })
    }

    /// Checks that the file of a finished run contains exactly the written rows, without additions by a program.
    pub(super) fn check_complete(directory: &RunDirectory, written: &[WrittenRows]) -> Result<(), RunError> {
        check_rows(directory.read(GameRow::FILE)?, directory, written)
    }

    /// A second handle for the file, to sync the flushed rows.
    pub(super) fn synced(&self) -> Result<File, RunError> {
        self.out.get_ref().try_clone().map_err(RunError::Games)
    }

    pub(super) fn sink(&mut self) -> GamesSink<'_> {
        GamesSink { out: &mut self.out, every: self.every }
    }
}

fn check_rows(file: File, directory: &RunDirectory, written: &[WrittenRows]) -> Result<(), RunError> {
    check(file, &header::<GameRow>(), written).map_err(RunError::Games)?.map_err(|reason| {
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

/// Joins the rows of the shards of a run, given by their directories, into the file of the whole run. Each section has the
/// rows of all shards in the order of the games.
pub(super) fn join(directory: &RunDirectory, parts: &[(PathBuf, Vec<WrittenRows>)]) -> Result<(), RunError> {
    let header = header::<GameRow>();
    let mut out = BufWriter::new(directory.create(GameRow::FILE)?);
    out.write_all(&header).map_err(RunError::Games)?;
    for section in 0..parts[0].1.len() {
        for (path, written) in parts {
            let path = path.join(GameRow::FILE);
            let from = header.len() as u64 + written[..section].iter().map(|rows| rows.bytes).sum::<u64>();
            let copied = open(&path).and_then(|mut file| {
                file.seek(SeekFrom::Start(from))?;
                written[section].check(&mut file, |bytes| out.write_all(bytes))
            });
            if let Err(reason) = copied.map_err(at_file(path.display()))? {
                return Err(at_file(path.display())(reason));
            }
        }
    }
    out.flush().map_err(RunError::Games)
}
