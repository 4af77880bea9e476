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
        io::ErrorKind::NotFound if is_assignment(program) => {
            format!("{program} is not a program; to set a variable, write cmd:\"env {program} ...\"")
        }
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

/// Whether this looks like a variable assignment of a shell.
fn is_assignment(program: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    program.split_once('=').is_some_and(|(name, _)| is_name(name))
}

/// Why a command that is meant for a shell cannot be run, if it is one.
pub(crate) fn shell_error_message(words: &[String]) -> Option<String> {
    const OF_SHELLS: [&str; 12] = ["|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>>", "2>&1", "&>"];
    if let Some(word) = words.iter().find(|word| OF_SHELLS.contains(&word.as_str())) {
        return Some(format!("no shell runs it, so `{word}` would be an argument; write cmd:\"sh -c '...'\""));
    }
    let home = words.iter().find(|word| *word == "~" || word.starts_with("~/"))?;
    Some(format!("no shell runs it, so `~` is not the home directory in `{home}`; write the whole path"))
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
    fn commands_of_shells_name_their_remedy() {
        let refused = |command: &str| shell_error_message(&shlex::split(command).unwrap()).unwrap_or_default();
        assert_eq!(
            refused("python3 bot.py | tee log"),
            "no shell runs it, so `|` would be an argument; write cmd:\"sh -c '...'\""
        );
        assert!(refused("python3 bot.py 2>&1").contains("so `2>&1` would be an argument"));
        assert!(refused("~/bot.py").contains("write the whole path"));
        for good in ["sh -c 'python3 bot.py | tee log'", "python3 'my bot.py' --a=b", "./a~b"] {
            assert_eq!(refused(good), "");
        }
        let not_found = |program: &str| spawn_error_message(program, &io::ErrorKind::NotFound.into());
        assert_eq!(not_found("X=1"), "X=1 is not a program; to set a variable, write cmd:\"env X=1 ...\"");
        assert!(not_found("no-such=program").contains("not found in the directories"));
    }

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
