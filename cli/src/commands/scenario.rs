//! `unolab scenario`: the rules checked against scenario files.

use std::path::Path;

use unolab_engine::scenario::{Scenario, Verdict, parse};

use crate::args::ScenarioArgs;
use crate::disk::{Disk, read_text};
use crate::exit::Exit;
use crate::output::{complain, print};

/// How many scenarios came out how.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    passed: u64,
    failed: u64,
    broken: u64,
}

/// Runs every scenario that can be run, whatever is wrong with the others.
pub(crate) fn run(args: &ScenarioArgs) -> anyhow::Result<Exit> {
    let mut count = Count::default();
    for file in &args.files {
        match scenarios_in(file) {
            Ok(scenarios) => run_all(file, &scenarios, &mut count)?,
            Err(reasons) => {
                reasons.iter().for_each(|reason| complain(&format!("error: {reason}")));
                count.broken += 1;
            }
        }
    }
    let Count { passed, failed, broken } = count;
    print(&format!("{passed} passed, {failed} failed\n"))?;
    Ok(match (broken, failed) {
        (1.., _) => Exit::BadInput,
        (0, 1..) => Exit::CheckFailed,
        (0, 0) => Exit::Done,
    })
}

fn scenarios_in(file: &Path) -> Result<Vec<Scenario>, Vec<String>> {
    let text = read_text(file).map_err(|reason| vec![reason])?;
    parse(&file.display().to_string(), &text, &Disk).map_err(|errors| errors.iter().map(ToString::to_string).collect())
}

fn run_all(file: &Path, scenarios: &[Scenario], count: &mut Count) -> anyhow::Result<()> {
    for scenario in scenarios {
        match scenario.run() {
            Ok(Verdict::Passed) => count.passed += 1,
            Ok(Verdict::Failed { step, expected, found }) => {
                count.failed += 1;
                let (file, name) = (file.display(), scenario.name());
                print(&format!(
                    "{file}: scenario \"{name}\": step {step} failed\n  expected: {expected}\n  found:    {found}\n"
                ))?;
            }
            Err(error) => {
                count.broken += 1;
                complain(&format!("error: {error}"));
            }
        }
    }
    Ok(())
}
