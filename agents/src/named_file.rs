//! Files that a user or a foreign directory names.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Opens a file to read it.
///
/// # Errors
/// If it cannot be opened, or is a named pipe.
pub fn open(path: &Path) -> io::Result<File> {
    check_no_pipe(path)?;
    File::open(path)
}

/// Checks that a file is not a named pipe: opening one would wait for another process, possibly forever. The pipes of a
/// shell, such as `/dev/fd/63`, are allowed.
///
/// # Errors
/// If it is a named pipe.
pub fn check_no_pipe(path: &Path) -> io::Result<()> {
    let is_of_shell = ["/dev", "/proc"].iter().any(|directory| path.starts_with(directory));
    if !is_of_shell && fs::metadata(path).is_ok_and(|metadata| is_pipe(&metadata)) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "is a named pipe"));
    }
    Ok(())
}

#[cfg(unix)]
fn is_pipe(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
const fn is_pipe(_: &fs::Metadata) -> bool {
    false
}
