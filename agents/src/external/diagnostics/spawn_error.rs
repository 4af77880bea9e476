//! Why a program could not be started.

use std::path::Path;
use std::{env, io};

use rustix::io::Errno;

/// The file that was looked for, and a remedy.
pub(crate) fn spawn_error_message(program: &str, error: &io::Error) -> String {
    const EXEC_FORMAT: i32 = 8;
    let interpreted = format!("name what runs it, such as cmd:\"python3 {program}\"");
    let file = Path::new(program);
    if let Some(remedy) = remedy_of_shortage(error) {
        return format!("{program} cannot be started: {error}; {remedy}");
    }
    match error.kind() {
        io::ErrorKind::NotFound if !program.contains('/') && file.is_file() => {
            format!(
                "program {program} not found in the directories of PATH, only as a file here: write ./{program}, or {interpreted}"
            )
        }
        io::ErrorKind::NotFound if !program.contains('/') => format!(
            "program {program} not found in the directories of PATH; for a file write its path, such as ./{program}, or {interpreted}"
        ),
        io::ErrorKind::NotFound if file.exists() => {
            format!("{program} names an interpreter in its first line that does not exist; {interpreted}")
        }
        io::ErrorKind::NotFound => {
            let here = env::current_dir().map_or_else(|_| ".".into(), |directory| directory.display().to_string());
            format!("file {program} not found (working directory: {here})")
        }
        io::ErrorKind::PermissionDenied if file.is_dir() => format!("{program} is a directory, not a program"),
        io::ErrorKind::PermissionDenied => {
            format!("{program} may not be run as a program: `chmod +x {program}` allows it, or {interpreted}")
        }
        _ if error.raw_os_error() == Some(EXEC_FORMAT) => {
            format!(
                "{program} is not a program of this system, and its first line (#!) names no interpreter; {interpreted}"
            )
        }
        _ => format!("{program} cannot be started: {error}"),
    }
}

/// The remedy for an error that means that the system is short of something.
pub(crate) fn remedy_of_shortage(error: &io::Error) -> Option<&'static str> {
    match Errno::from_io_error(error)? {
        Errno::MFILE => Some("raise the limit of open files (`ulimit -n`), or use fewer --threads"),
        Errno::NFILE => Some("the whole system has too many open files: close other programs, or use fewer --threads"),
        Errno::AGAIN => Some("raise the limit of processes (`ulimit -u`), or use fewer --threads"),
        Errno::NOMEM => Some("close other programs, or use fewer --threads"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_errors_are_reworded_where_known() {
        let told = |error: i32| spawn_error_message("./bot", &io::Error::from_raw_os_error(error));
        assert_eq!(
            told(8),
            "./bot is not a program of this system, and its first line (#!) names no interpreter; name what runs it, such as \
             cmd:\"python3 ./bot\""
        );
        assert_eq!(
            told(Errno::MFILE.raw_os_error()),
            "./bot cannot be started: Too many open files (os error 24); raise the limit of open files (`ulimit -n`), or use \
             fewer --threads"
        );
        for shortage in [Errno::NFILE, Errno::AGAIN, Errno::NOMEM] {
            let told = told(shortage.raw_os_error());
            assert!(told.starts_with("./bot cannot be started: ") && told.ends_with(" fewer --threads"), "{told}");
        }
        assert!(told(7).starts_with("./bot cannot be started: Argument list too long"), "{}", told(7));
    }
}
