//! `unolab scenario`: checks the rules against scenario files.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use unolab_engine::scenario::{Scenario, Verdict, parse};

use super::driver::json::{one_table, print_json};
use crate::disk::{Disk, read_text};
use crate::exit::Exit;
use crate::output::{print, warn};

/// Scenario files to run.
#[derive(Debug, Args)]
pub(crate) struct ScenarioArgs {
    /// Scenario files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// The numbers of passed and failed scenarios, and a row for each.
#[derive(Debug, Default)]
struct Count {
    passed: u64,
    failed: u64,
    broken: u64,
    rows: Vec<Value>,
}

/// Runs every scenario that can be run, regardless of errors in others.
pub(crate) fn run(args: &ScenarioArgs) -> anyhow::Result<Exit> {
    let mut count = Count::default();
    for file in &args.files {
        match scenarios_in(file) {
            Ok(scenarios) => run_all(file, &scenarios, args, &mut count)?,
            Err(reasons) => {
                reasons.iter().for_each(|reason| warn(&format!("error: {reason}")));
                count.broken += 1;
            }
        }
    }
    let Count { passed, failed, broken, rows } = count;
    if !args.json && passed + failed + u64::from(broken == 0) > 0 {
        print(&format!("{passed} passed, {failed} failed\n"))?;
    } else if broken == 0 {
        let passed = [("passed".to_owned(), (failed == 0).into())].into_iter().collect();
        print_json("scenario", passed, one_table("scenarios", rows))?;
    }
    Ok(match (broken, failed) {
        (1.., _) => Exit::BadInput,
        (0, 1..) => Exit::CheckFailed,
        (0, 0) => Exit::Done,
    })
}

/// The scenarios of a file, or all errors in it.
pub(super) fn scenarios_in(file: &Path) -> Result<Vec<Scenario>, Vec<String>> {
    let text = read_text(file).map_err(|reason| vec![reason])?;
    parse(&file.display().to_string(), &text, &Disk).map_err(|errors| errors.iter().map(ToString::to_string).collect())
}

fn run_all(path: &Path, scenarios: &[Scenario], args: &ScenarioArgs, count: &mut Count) -> anyhow::Result<()> {
    let file = path.display().to_string();
    for scenario in scenarios {
        let name = scenario.name();
        match scenario.run() {
            Ok(Verdict::Passed) => {
                count.passed += 1;
                count.rows.push(json!({ "file": file, "name": name, "passed": true }));
            }
            Ok(Verdict::Failed { step, expected, found }) => {
                count.failed += 1;
                if !args.json {
                    print(&format!(
                        "{file}: scenario \"{name}\": step {step} failed\n  expected: {expected}\n  found:    {found}\n"
                    ))?;
                }
                count.rows.push(json!({
                    "file": file, "name": name, "passed": false, "step": step,
                    "expected": expected.to_string(), "found": found.to_string(),
                }));
            }
            Err(error) => {
                count.broken += 1;
                warn(&format!("error: {error}"));
            }
        }
    }
    Ok(())
}
