//! The native part of the Python package `unolab`: batches of environments, and rounds. The other parts of the package are
//! written in Python.

mod table;

mod reward;

mod policy;

mod information_state_text;

mod setting;

mod seen_events;

mod game;

mod arrays;

mod batch;

mod py_round;

mod py_batch;

mod builtin;

mod adviser;

mod tournament;

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use unolab::progress;

/// Writes the number of finished sets to standard output, at most ten times per second.
fn follow() {
    let told = Mutex::new((None::<Instant>, 0));
    progress::listen(move |done| {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let (when, most) = *told;
        if done > most && when.is_none_or(|when| when.elapsed() >= Duration::from_millis(100)) {
            *told = (Some(Instant::now()), done);
            // A closed pipe is not a reason to stop.
            let _ = writeln!(io::stdout(), "{done}").and_then(|()| io::stdout().flush());
        }
    });
}

/// `unolab._native`.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    use pyo3::pyfunction;
    use unolab_agents::registry::Registry;
    use unolab_engine::rules::presets;

    #[pymodule_export]
    use crate::adviser::Adviser;
    #[pymodule_export]
    use crate::builtin::BuiltIn;
    #[pymodule_export]
    use crate::py_batch::Batch;
    #[pymodule_export]
    use crate::py_round::Round;
    #[pymodule_export]
    use crate::tournament::{analyze_record, play};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "a name of Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// The editions that come with the package.
    #[pyfunction]
    fn variants() -> Vec<&'static str> {
        presets::NAMES.to_vec()
    }

    /// The names of the agents.
    #[pyfunction]
    fn agents() -> Vec<&'static str> {
        Registry::default().entries().map(|entry| entry.name).collect()
    }

    /// A summary of an agent in one line, and its options.
    #[pyfunction]
    fn describe_agent(name: &str) -> Option<(&'static str, Vec<(&'static str, &'static str)>)> {
        let registry = Registry::default();
        let entry = registry.entries().find(|entry| entry.name == name)?;
        Some((entry.summary, entry.options.to_vec()))
    }

    /// Runs the command `unolab` with these arguments, the name of the program first, and returns its exit status. If it is
    /// followed, each progress update is one line on standard output with the number of finished sets.
    #[pyfunction]
    fn command(py: pyo3::Python<'_>, arguments: Vec<std::ffi::OsString>, is_followed: bool) -> u8 {
        if is_followed {
            crate::follow();
        }
        py.detach(|| unolab::run_with(arguments, Registry::default()))
    }

    /// The file of this module, which identifies its build.
    #[pyfunction]
    fn built_as(file: std::path::PathBuf) {
        unolab_arena::run::programs::built_as(file);
    }

    /// The SHA-256 of a text, in hexadecimal digits.
    #[pyfunction]
    fn sha256(text: &str) -> String {
        crate::table::sha256(text)
    }
}
