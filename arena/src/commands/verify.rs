//! `unolab verify`: runs published studies again and compares every table with what they keep.

mod compare;
mod study;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use unolab_arena::study::{Form, STUDY_FILE};

use crate::cli::VerifyArgs;
use crate::exit::Exit;
use crate::output::print;
use compare::Verdict;

pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<Exit> {
    let form = if args.reduced { Form::Reduced } else { Form::Full };
    let mut exit = Exit::Done;
    for folder in &args.folders {
        for study in studies_in(folder)? {
            if args.renew {
                study::renew(&study, form)?;
                print(&format!("{}: renewed\n", study.display()))?;
                continue;
            }
            match study::check(&study, form)? {
                Verdict::Same => {}
                Verdict::Differs => exit = Exit::CheckFailed,
            }
        }
    }
    Ok(exit)
}

/// The folder itself if it is a study, otherwise the studies in it, by name.
fn studies_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if folder.join(STUDY_FILE).exists() {
        return Ok(vec![folder.into()]);
    }
    let mut studies = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry.with_context(|| folder.display().to_string())?.path();
        if path.join(STUDY_FILE).exists() {
            studies.push(path);
        }
    }
    if studies.is_empty() {
        bail!("{}: holds no {STUDY_FILE}, and no folder that does", folder.display());
    }
    studies.sort();
    Ok(studies)
}
