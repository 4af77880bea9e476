//! The files of a run: the files that it has written, and so may replace or remove. All other files in the directory belong to
//! the user.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path};

use super::error::{DirectoryError, at};
use crate::run::checkpoint::{OutputOptions, SHARD_FILE};
use crate::run::manifest::{RESULT_TABLES, RUN_FILE};
use crate::run::shard::Shard;
use crate::spec::luck::LuckAdjustment;
use crate::tables::table::TableFormat;

/// The tables that do not belong to the result.
const OTHER_TABLES: [&str; 2] = ["games", "faults"];

/// The time that a shard took. `shard.json` does not contain it, so that its bytes do not depend on interruptions.
pub const TIME_FILE: &str = "time.json";

/// The weights from a training run.
pub const WEIGHTS_FILE: &str = "weights.net";

/// The plot of the learning curve of a training run, which is always written.
pub const CURVE_PICTURE: &str = "curve.svg";

/// The recommended rule set of a tuning run, a variant file.
pub const BEST_FILE: &str = "best.toml";

/// The plot of the front of a tuning run, which is always written.
pub const FRONT_PICTURE: &str = "front.svg";

/// Whether a run may write a file of this name, a path relative to its directory. Files with other names are never
/// touched.
#[must_use]
pub fn is_name_of_a_run(name: &str) -> bool {
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    is_plain
        && match name.rsplit_once('.') {
            Some((table, "csv" | "parquet")) => RESULT_TABLES.iter().chain(&OTHER_TABLES).any(|other| *other == table),
            Some((_, "stderr")) => is_log(name),
            Some((plot, "svg")) => !plot.strip_prefix("plots/").unwrap_or(plot).contains('/'),
            _ => [RUN_FILE, SHARD_FILE, TIME_FILE, WEIGHTS_FILE, BEST_FILE, "README.md", "report.html"].contains(&name),
        }
}

/// Whether this is the standard error of a program.
fn is_log(name: &str) -> bool {
    let program = name.strip_prefix("bots/").and_then(|file| file.strip_suffix(".stderr"));
    program.is_some_and(|name| !name.contains('/'))
}

/// Whether a finished run is incomplete without this file: pages, figures, and tables in other formats can be generated
/// again, and results do not depend on logs or times.
pub(super) fn is_needed(name: &str) -> bool {
    let is_optional = Outputs::tables_only(OutputOptions::default()).missing_flag(name).is_some();
    name.ends_with(".csv") || !(is_optional || is_log(name) || name == TIME_FILE)
}

/// Whether `run.json` has a digest of this file: of every file with numbers that other commands read.
pub(super) fn has_digest(name: &str) -> bool {
    name.ends_with(".csv") || name == WEIGHTS_FILE
}

/// The name of a metric's figure.
#[must_use]
pub fn figure_file(metric: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    format!("{}.svg", metric.chars().map(plain).collect::<String>().trim_end_matches('-'))
}

/// The files of a run apart from its tables as CSV.
#[derive(Debug, Clone)]
pub struct Outputs {
    /// The tables of single games and of luck, and the options stored with the spec.
    pub options: OutputOptions,
    /// The format of the tables.
    pub tables: TableFormat,
    /// Whether an HTML report is written.
    pub page: Page,
    /// The metrics with figures.
    pub figures: Vec<String>,
}

/// Whether a run writes an HTML report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// `report.html` and its plots.
    Wanted,
    /// Only the tables.
    NotRequested,
}

impl Outputs {
    /// Only tables as CSV.
    #[must_use]
    pub const fn tables_only(options: OutputOptions) -> Self {
        Self { options, tables: TableFormat::Csv, page: Page::NotRequested, figures: Vec::new() }
    }

    /// The flag that a run without this file lacks; `None` if these outputs include the file, or no flag requests it.
    pub(super) fn missing_flag(&self, name: &str) -> Option<String> {
        let (flag, is_requested) = match name.rsplit_once('.')? {
            (_, "parquet") => ("--tables parquet", self.tables == TableFormat::Parquet),
            ("games", _) => ("--games-csv", self.options.games_csv.is_some()),
            ("luck", _) => ("--luck", self.options.luck == LuckAdjustment::On),
            ("report", _) => ("--report", self.page == Page::Wanted),
            (plot, "svg") if plot.starts_with("plots/") => ("--report", self.page == Page::Wanted),
            (metric, "svg") if ![CURVE_PICTURE, FRONT_PICTURE].contains(&name) => {
                let is_requested = self.figures.iter().any(|figure| figure_file(figure) == name);
                return (!is_requested).then(|| format!("--plot {metric}"));
            }
            _ => return None,
        };
        (!is_requested).then(|| flag.into())
    }
}

/// The files that a finished run or shard has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Manifest {
    /// The listed files.
    Listed(BTreeSet<String>),
    /// Its run.json has no list: every file named like a file of a run.
    ByName,
}

impl Manifest {
    /// The list in run.json, in which only names of runs count.
    pub(super) fn listed(names: Option<Vec<String>>) -> Self {
        match names {
            Some(names) => Self::Listed(names.into_iter().filter(|name| is_name_of_a_run(name)).collect()),
            None => Self::ByName,
        }
    }

    /// The files of a finished part, in a directory with these files. It does not have a list; logs of programs belong to it.
    pub(super) fn of_part(with_games: bool, there: impl IntoIterator<Item = String>) -> Self {
        let games = with_games.then(|| "games.csv".to_owned());
        let logs = there.into_iter().filter(|name| is_log(name));
        let always = [SHARD_FILE, TIME_FILE].map(str::to_owned);
        Self::Listed(games.into_iter().chain(always).chain(logs).collect())
    }

    /// Whether the run has written this file.
    pub(super) fn has(&self, name: &str) -> bool {
        match self {
            Self::Listed(names) => names.contains(name),
            Self::ByName => is_name_of_a_run(name),
        }
    }
}

/// The file that identifies a finished run or shard: it is written last.
pub(super) fn last_file(shard: Shard) -> &'static str {
    if shard == Shard::WHOLE { RUN_FILE } else { SHARD_FILE }
}

/// The temporary name of a file that will replace another.
pub(super) fn new_file(name: &str) -> String {
    format!("{name}.new")
}

/// The final name of this file.
pub(super) fn written_as(name: &str) -> &str {
    name.strip_suffix(".new").unwrap_or(name)
}

/// The files of a directory and of the run's subdirectories, by relative path.
pub(super) fn files_in(directory: &Path) -> Result<Vec<String>, DirectoryError> {
    let mut files = Vec::new();
    for within in ["", "bots/", "plots/"] {
        let here = directory.join(within);
        let entries = match fs::read_dir(&here) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) if error.kind() == ErrorKind::NotADirectory && !within.is_empty() => continue,
            Err(error) => return Err(at(&here)(error)),
        };
        for entry in entries {
            let entry = entry.map_err(at(&here))?;
            // A file whose name is not Unicode is not a file of a run.
            if let Ok(name) = entry.file_name().into_string()
                && !entry.path().is_dir()
            {
                files.push(format!("{within}{name}"));
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_owns_only_known_file_names() {
        for name in ["run.json", "summary.csv", "games.parquet", "plots/win-share.svg", "turns.svg", "report.html"] {
            assert!(is_name_of_a_run(name), "{name}");
        }
        for name in [
            "curve.csv",
            "curve.svg",
            "weights.csv",
            "weights.net",
            "weights.parquet",
            "goals.csv",
            "best.toml",
            "front.svg",
        ] {
            assert!(is_name_of_a_run(name) && (is_needed(name) || name.ends_with("parquet")), "{name}");
        }
        for name in [
            "notes.txt",
            "../summary.csv",
            "/summary.csv",
            "mine/summary.csv",
            "own.csv",
            "own.net",
            "plots/../a/b.svg",
            "",
        ] {
            assert!(!is_name_of_a_run(name), "{name}");
        }
        let names = ["summary.csv", "../precious.csv", "notes.txt"].map(String::from).to_vec();
        assert_eq!(Manifest::listed(Some(names)), Manifest::Listed(["summary.csv".to_owned()].into()));
    }

    #[test]
    fn figure_has_plain_name_and_flag() {
        assert_eq!(figure_file("seat_share(0)"), "seat_share-0.svg");
        let outputs =
            Outputs { figures: vec!["seat_share(0)".into()], ..Outputs::tables_only(OutputOptions::default()) };
        assert_eq!(outputs.missing_flag("seat_share-0.svg"), None);
    }

    #[test]
    fn missing_file_is_reported_with_its_flag() {
        let outputs = Outputs::tables_only(OutputOptions { luck: LuckAdjustment::On, ..OutputOptions::default() });
        for name in ["luck.csv", "summary.csv", "curve.svg", "front.svg"] {
            assert_eq!(outputs.missing_flag(name), None, "{name}");
        }
        for (name, flag) in [
            ("games.csv", "--games-csv"),
            ("plots/elo.svg", "--report"),
            ("report.html", "--report"),
            ("turns.svg", "--plot turns"),
            ("luck.parquet", "--tables parquet"),
        ] {
            assert_eq!(outputs.missing_flag(name).as_deref(), Some(flag), "{name}");
        }
    }
}
