//! Standard output and standard error, without the panics of `println!`.

use std::io::{self, Write};

use anyhow::Context;

/// Writes a text to standard output, as it is.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    print_bytes(text.as_bytes())
}

/// Writes bytes to standard output.
pub(crate) fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).context("standard output")
}

/// Writes a line to standard error. Where nobody can hear it, nothing can be done.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// How many columns a table on standard output may have.
pub(crate) fn width() -> u16 {
    const WITHOUT_TERMINAL: u16 = 100;
    comfy_table::Table::new().width().unwrap_or(WITHOUT_TERMINAL).max(40)
}
