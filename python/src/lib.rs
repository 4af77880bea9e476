//! The native part of the Python package `unolab`: batches of environments and rounds. Everything that needs no speed is
//! written in Python above it.

mod batch;
mod game;
mod policy;
mod py_batch;
mod py_round;
mod reward;
mod story;
mod table;
mod tournament;

/// `unolab._native`.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    use pyo3::pyfunction;
    use unolab_agents::registry::Registry;
    use unolab_engine::rules::presets;

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

    /// The agents that can be named.
    #[pyfunction]
    fn agents() -> Vec<&'static str> {
        Registry::default().entries().map(|entry| entry.name).collect()
    }

    /// What an agent plays, in one line, and its options.
    #[pyfunction]
    fn describe_agent(name: &str) -> Option<(&'static str, Vec<(&'static str, &'static str)>)> {
        let registry = Registry::default();
        let entry = registry.entries().find(|entry| entry.name == name)?;
        Some((entry.summary, entry.options.to_vec()))
    }

    /// The command `unolab` with these arguments, the name of the program first; gives its exit status.
    #[pyfunction]
    fn command(py: pyo3::Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| unolab::run_with(arguments, Registry::default()))
    }

    /// The SHA-256 of a text, in hexadecimal digits.
    #[pyfunction]
    fn sha256(text: &str) -> String {
        crate::table::sha256(text)
    }
}
