//! `unolab verify`: runs studies and finished runs again and compares every table with the stored one.

mod args;
mod compare;
mod difference;
mod finished_run;
mod study;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;
use unolab_agents::registry::Registry;
use unolab_arena::run::manifest::RUN_FILE;
use unolab_stats::reference_values::reference_values;

use super::driver::json::{one_table, print_json};
use crate::disk::existing_dir;
use crate::exit::Exit;
use crate::output::{print, warn};
use crate::study::{Form, STUDY_FILE};
pub(crate) use args::VerifyArgs;
use compare::{ComparedTable, Verdict};

pub(crate) fn run(args: &VerifyArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let form = if args.quick { Form::Quick } else { Form::Full };
    let (mut exit, mut rows) = (Exit::Done, Vec::new());
    for directory in &args.directories {
        existing_dir(directory, "the directory of a study or of a finished run, or one that holds studies")?;
        for subject in subjects_in(directory)? {
            let (directory, found) = match subject {
                Subject::Study(directory) if args.update => {
                    let changed = study::update(&directory, form, args.trust)?;
                    if !args.json {
                        print(&format!("{}: updated\n", directory.display()))?;
                    }
                    if form == Form::Quick && !changed.is_empty() {
                        warn(&format!(
                            "{0}: the quick tables have changed ({1}), so the full tables may be out of date; to compare them, run \
                             unolab verify {0}",
                            directory.display(),
                            changed.join(", ")
                        ));
                    }
                    continue;
                }
                Subject::Study(directory) => (directory.clone(), study::check(&directory, form, args.trust)?),
                Subject::Run(directory) if args.update || args.quick => {
                    bail!("{}: is a single run; --update and --quick are for studies", directory.display())
                }
                Subject::Run(directory) => (directory.clone(), finished_run::check(&directory, args, registry)?),
            };
            if found.verdict() == Verdict::Differs {
                exit = Exit::CheckFailed;
            }
            if args.json {
                rows.extend(found.0.iter().map(|ComparedTable { table, verdict, difference, words }| {
                    let (directory, table) = (directory.display().to_string(), table.display().to_string());
                    json!({
                        "directory": directory, "table": table, "same": *verdict == Verdict::Same, "message": words,
                        "cells": difference.map(|found| found.cells),
                        "largest_relative_difference": difference.map(|found| found.largest),
                    })
                }));
            } else {
                print(&found.describe(&directory))?;
            }
        }
    }
    if exit == Exit::CheckFailed {
        warn_about_arithmetic();
    }
    if args.json {
        let passed = [("passed".to_owned(), (exit == Exit::Done).into())].into_iter().collect();
        print_json("verify", passed, one_table("verify", rows))?;
    }
    Ok(exit)
}

/// Warns the user if the last digits of quantiles of this build differ from those in the published tables.
fn warn_about_arithmetic() {
    let values = reference_values();
    let differing: Vec<&str> = values.iter().filter(|value| !value.is_exact()).map(|value| value.name).collect();
    if let Some(first) = differing.first() {
        let (count, all) = (differing.len(), values.len());
        warn(&format!(
            "warning: {count} of {all} reference quantiles have other last digits in this build ({first}): it uses another C library"
        ));
    }
}

/// A directory that can be run again.
enum Subject {
    Study(PathBuf),
    Run(PathBuf),
}

/// The directory itself if it is a study or a run, otherwise the studies in it, by name.
fn subjects_in(directory: &Path) -> anyhow::Result<Vec<Subject>> {
    if directory.join(STUDY_FILE).exists() {
        return Ok(vec![Subject::Study(directory.into())]);
    }
    if directory.join(RUN_FILE).exists() {
        return Ok(vec![Subject::Run(directory.into())]);
    }
    let mut studies = Vec::new();
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let path = entry.with_context(|| directory.display().to_string())?.path();
        if path.join(STUDY_FILE).exists() {
            studies.push(path);
        }
    }
    if studies.is_empty() {
        bail!("{}: holds no {STUDY_FILE} and no {RUN_FILE}, and no directory with a {STUDY_FILE}", directory.display());
    }
    studies.sort();
    Ok(studies.into_iter().map(Subject::Study).collect())
}
