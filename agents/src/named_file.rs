//! Files that a user or a foreign directory names.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
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

/// Writes a file whole or not at all. Follows a link and writes its file; writes directly to a special file, such as a device.
///
/// # Errors
/// If the path has no name or no directory, is a directory or a named pipe, or cannot be written.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let invalid = |reason: String| Err(io::Error::new(ErrorKind::InvalidInput, reason));
    if path.file_name().is_none() {
        return invalid("needs the name of a file".into());
    }
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !directory.is_dir() {
        return invalid(format!("directory {} not found", directory.display()));
    }
    if path.exists() && !path.is_file() {
        check_no_pipe(path)?;
        return fs::write(path, content);
    }
    let mut builder = tempfile::Builder::new();
    // The permissions of a new file, according to the user's mask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.tempfile_in(directory)?;
    part.write_all(content.as_ref())?;
    part.persist(path)?;
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
