//! Standard output and standard error, without the panics of `println!`.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use anyhow::Context;

use crate::printable::{printable, printable_lines};

/// Writes a text to standard output, as it is.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    print_bytes(text.as_bytes())
}

/// Writes bytes to standard output. A reader that has closed it, as `head` does, is no error: the command goes on, and its
/// exit status is that of its result.
pub(crate) fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("standard output"),
    }
}

/// Writes a line to standard error. Where nobody can hear it, nothing can be done.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable_lines(line));
}

/// A path for people, without what a terminal would obey.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// A text after a lead, such as `- `, wrapped to this number of columns with a hanging indent.
pub(crate) fn wrapped(lead: &str, text: &str, width: u16) -> String {
    let indent = lead.chars().count();
    let (mut wrapped, mut line) = (String::new(), lead.to_owned());
    let mut is_begun = false;
    for word in text.split(' ') {
        if is_begun && line.chars().count() + 1 + word.chars().count() > usize::from(width) {
            wrapped += line.trim_end();
            wrapped.push('\n');
            line = " ".repeat(indent);
            is_begun = false;
        }
        if is_begun {
            line.push(' ');
        }
        line += word;
        is_begun = true;
    }
    wrapped + line.trim_end() + "\n"
}

/// A text wrapped to this number of columns.
pub(crate) fn fitted(text: &str, width: u16) -> String {
    text.lines().map(|line| wrapped("", line, width)).collect()
}

/// The width of a line on standard output; unlimited if it is not a terminal.
pub(crate) fn line_width() -> u16 {
    comfy_table::Table::new().width().map_or(u16::MAX, |width| width.max(40))
}

/// The width of a table on standard output.
pub(crate) fn width() -> u16 {
    const WITHOUT_TERMINAL: u16 = 100;
    comfy_table::Table::new().width().unwrap_or(WITHOUT_TERMINAL).max(40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hang_below_the_text_and_fit() {
        assert_eq!(wrapped("- ", "one two three", 9), "- one two\n  three\n");
        assert_eq!(wrapped("name  ", "a-long-word-alone", 9), "name  a-long-word-alone\n");
        assert_eq!(wrapped("- ", "short", u16::MAX), "- short\n");
        assert_eq!(fitted("one two\n a  b\n", 6), "one\ntwo\n a  b\n");
    }
}
