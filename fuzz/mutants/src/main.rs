//! Mutation testing with all mutants in one build: `UNOLAB_MUTANT=17` selects the 17th mutant. A mutant that no test detects is a
//! gap in the tests.
//!
//! ```text
//! unolab-mutants alter DIR SEED COUNT|COUNT/file PLACE...
//! unolab-mutants refused DIR
//! unolab-mutants run LIST
//! ```
//!
//! `alter` writes mutants into the crates of the tree in DIR and prints one line for each. PLACE is a crate, or a directory or file of
//! its `src` (`engine/state`). `UNOLAB_MUTANTS_WITHOUT='3|17'` leaves out the mutants with these numbers. It overwrites the files:
//! run it on a copy, as `fuzz/mutants/run.sh` does. `refused` and `run` read Cargo's output of the test build from standard input:
//! `refused` prints the numbers of the mutants that do not compile, and `run` runs the tests.

mod alter;
mod build;
mod run;

use std::path::Path;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["alter", directory, seed, count, places @ ..] => {
            let places: Vec<String> = places.iter().map(ToString::to_string).collect();
            let (seed, count) = (seed.parse().expect("SEED"), alter::Count::parse(count));
            print!("{}", alter::alter(Path::new(directory), &places, seed, &count, &numbers("UNOLAB_MUTANTS_WITHOUT")));
        }
        ["refused", directory] => build::print_refused(Path::new(directory), std::io::stdin().lines()),
        ["run", list] => {
            let tests = build::tests(std::io::stdin().lines());
            run::run(Path::new(list), &tests, &numbers("UNOLAB_MUTANTS"));
        }
        _ => panic!("usage: unolab-mutants alter DIR SEED COUNT PLACE..., or refused DIR, or run LIST"),
    }
}

/// The numbers in an environment variable, in the form `3|17`.
fn numbers(variable: &str) -> Vec<u32> {
    let text = std::env::var(variable).unwrap_or_default();
    text.split('|').filter(|number| !number.is_empty()).map(|number| number.parse().expect("numbers")).collect()
}
