//! `unolab report`: writes the page of a run from its tables.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde_json::Value;
use unolab_arena::experiment::any_spec::AnySpec;
use unolab_arena::run::integrity::check_integrity;
use unolab_arena::run::manifest::{RUN_FILE, Run};
use unolab_arena::run::stored::check_summary;

use crate::disk::{check_not_run_file, existing_dir, read_text, write_whole};
use crate::exit::Exit;
use crate::output::{print, shown};
use crate::report::{FILES, GENERATOR, PAGE_FILE, PLOTS_DIR, Report};

/// A run to show.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The directory of a run
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// The page to write, or - for standard output [default: report.html in the run directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Also write the plots as SVG files, in a directory "plots" next to the page
    #[arg(long)]
    pub(crate) plots: bool,
}

pub(crate) fn run(ReportArgs { directory, out, plots }: &ReportArgs) -> anyhow::Result<Exit> {
    let report = report_of(directory)?;
    let page = match out {
        Some(page) => page.clone(),
        None => page_of(directory)?,
    };
    if page == Path::new("-") {
        if *plots {
            bail!("--plots: needs a file for the page, not --out -");
        }
        print(&report.html)?;
        return Ok(Exit::Done);
    }
    check_not_run_file("--out", &page)?;
    let plots_dir = page.with_file_name(PLOTS_DIR);
    if *plots && !is_in(&page, directory) {
        report.plots.iter().try_for_each(|plot| check_not_run_file("--plots", &plots_dir.join(&plot.name)))?;
    }
    write_whole(&page, &report.html)?;
    if *plots {
        fs::create_dir_all(&plots_dir).with_context(|| plots_dir.display().to_string())?;
        report.plots.iter().try_for_each(|plot| write_whole(&plots_dir.join(&plot.name), &plot.svg))?;
    }
    print(&format!("report in {}\n", shown(&page)))?;
    Ok(Exit::Done)
}

/// Whether a page is in the directory of its run, whose plots may be replaced.
fn is_in(page: &Path, directory: &Path) -> bool {
    let parent = page.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    parent.canonicalize().ok().zip(directory.canonicalize().ok()).is_some_and(|(parent, directory)| parent == directory)
}

/// The default path of the page, unless it is another file.
fn page_of(directory: &Path) -> anyhow::Result<PathBuf> {
    let page = directory.join(PAGE_FILE);
    if page.exists() && !read_text(&page).is_ok_and(|text| text.contains(GENERATOR)) {
        bail!("{}: is not a page of unolab; move it, or choose another file with --out", page.display());
    }
    Ok(page)
}

fn report_of(directory: &Path) -> anyhow::Result<Report> {
    let mut files = Vec::new();
    existing_dir(directory, "the directory of a run")?;
    check_integrity(directory)?;
    check_run(directory)?;
    for name in FILES {
        let file = directory.join(name);
        if file.try_exists().with_context(|| file.display().to_string())? {
            files.push((name, read_text(&file).map_err(|reason| anyhow!(reason))?));
        }
    }
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    Report::of(&files).with_context(|| directory.display().to_string())
}

/// Checks the spec in `run.json` against its hash, and against the tables.
fn check_run(directory: &Path) -> anyhow::Result<()> {
    let path = directory.join(RUN_FILE);
    // The report names a file that does not describe a run.
    let Ok(text) = read_text(&path) else { return Ok(()) };
    if serde_json::from_str::<Run<Value>>(&text).is_err() {
        return Ok(());
    }
    let run: Run<AnySpec> =
        serde_json::from_str(&text).with_context(|| format!("{}: is not the run.json of a run", path.display()))?;
    run.check_spec().map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
    if let AnySpec::Contest(spec) = &run.spec {
        check_summary(directory, spec)?;
    }
    Ok(())
}
