//! The directory of a finished run, read back for `rate` and `compare`. Each file follows a line `== name`.

#![no_main]

use std::fs;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use unolab_arena::count::evidence::rate;
use unolab_arena::run::compare::{RunResults, compare};
use unolab_arena::run::manifest::{RUN_FILE, Run};
use unolab_arena::run::stored::StoredRun;
use unolab_arena::schedule::contest::schedule_of;
use unolab_arena::tables::ratings::rows_of;
use unolab_arena::tables::to_csv;
use unolab_fuzz::text;

const FILES: [&str; 5] = [RUN_FILE, "summary.csv", "seats.csv", "pairs.csv", "games.csv"];

static DIR: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().expect("a directory for temporary files"));

fuzz_target!(|bytes: &[u8]| {
    let Some(text) = text(bytes) else { return };
    let directory = DIR.path();
    let mut texts = FILES.map(|_| None);
    for part in text.split("== ") {
        let Some((name, content)) = part.split_once('\n') else { continue };
        if let Some(file) = FILES.iter().position(|file| *file == name) {
            texts[file] = Some(content);
        }
    }
    for (name, content) in FILES.iter().zip(texts) {
        match content {
            Some(content) => fs::write(directory.join(name), content).expect("a file is written"),
            None => drop(fs::remove_file(directory.join(name))),
        }
    }
    if let Ok(run) = StoredRun::read(directory) {
        for section in run.sections {
            drop(to_csv(&rows_of(&section.evidence, &rate(&section.evidence, &|_| true, None))));
        }
    }
    let Some(Ok(run)) = texts[0].map(serde_json::from_str::<Run>) else { return };
    if schedule_of(&run.spec).is_err() {
        return;
    }
    let results = || RunResults::read(run.spec.clone(), texts[4].unwrap_or_default().as_bytes(), |_| 1);
    if let (Ok(one), Ok(other)) = (results(), results())
        && let Ok(rows) = compare(&one, &other)
    {
        drop(to_csv(&rows));
    }
});
