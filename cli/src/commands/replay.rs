//! `unolab replay`: game records played again.

use unolab_engine::record::{Replayed, replay};

use crate::args::ReplayArgs;
use crate::disk::read_text;
use crate::exit::Exit;
use crate::output::{complain, print};

/// Replays every record, whatever is wrong with the others.
pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    for file in &args.files {
        let mut shown = String::new();
        let replayed = read_text(file).and_then(|text| {
            replay(&text, &mut |step| {
                if args.show
                    && let Some(words) = step.describe()
                {
                    shown += &words;
                    shown.push('\n');
                }
            })
            .map_err(|error| format!("{}: {error}", file.display()))
        });
        print(&shown)?;
        match replayed {
            Ok(Replayed { rounds, points, places, counted, checksum, .. }) => {
                let counted = counted.map_or_else(String::new, |(points, places)| {
                    format!(", counted points {}, counted places {}", spaced(&points), spaced(&places))
                });
                let (file, points, places) = (file.display(), spaced(&points), spaced(&places));
                print(&format!(
                    "{file}: fits, rounds {rounds}, points {points}, places {places}{counted}, checksum {checksum}\n"
                ))?;
            }
            Err(reason) => {
                complain(&format!("error: {reason}"));
                exit = Exit::BadInput;
            }
        }
    }
    Ok(exit)
}

fn spaced(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
