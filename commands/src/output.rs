//! Standard output and standard error, without the panics of `println!`.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use anyhow::Context;
use unolab_agents::printable::printable;

/// Writes a text to standard output, unchanged.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    print_bytes(text.as_bytes())
}

/// Writes bytes to standard output. A reader that has closed it, as `head` does, is not an error: the command
/// continues, and its exit status reflects only its result.
pub(crate) fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("standard output"),
    }
}

/// The longest line, and the longest message, that is printed whole, in characters: a rejected value may be as long as its file.
const LONGEST_LINE: usize = 4_000;
const LONGEST_MESSAGE: usize = 3 * LONGEST_LINE;

/// Writes a message to standard error. An error here is ignored, because it cannot be reported.
pub(crate) fn warn(message: &str) {
    let lines: Vec<String> = message.lines().map(|line| printable(&shortened(&plain(line), LONGEST_LINE))).collect();
    let _ = writeln!(io::stderr().lock(), "{}", shortened(&lines.join("\n"), LONGEST_MESSAGE));
}

/// Whether a message is short enough to be printed whole.
pub(crate) fn is_readable(message: &str) -> bool {
    message.len() <= LONGEST_MESSAGE && message.lines().all(|line| line.len() <= LONGEST_LINE)
}

/// A message of the system without its number, and without the name of a temporary file: `No space left on device`, not `No space
/// left on device (os error 28) at path "/tmp/.tmpQ1"`.
pub(crate) fn plain(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" (os error ") {
        words += before;
        rest = match after.split_once(')') {
            Some((number, tail)) if number.bytes().all(|byte| byte.is_ascii_digit()) => without_temporary_path(tail),
            _ => {
                words += " (os error ";
                after
            }
        };
    }
    words + rest
}

fn without_temporary_path(text: &str) -> &str {
    let quoted = text.strip_prefix(" at path \"").and_then(|rest| rest.split_once('"'));
    quoted.filter(|(path, _)| path.contains("/.tmp")).map_or(text, |(_, after)| after)
}

/// A text without the middle of an overlong value; the allowed values at the end are kept.
fn shortened(text: &str, longest: usize) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= longest {
        return text.into();
    }
    let half = longest / 2;
    let begin: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(length - half).collect();
    format!("{begin} ... {} characters more ... {end}", length - 2 * half).into()
}

/// A printable path, without terminal control characters.
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
    fn number_and_temporary_file_of_system_error_are_omitted() {
        for (text, shown) in [
            ("a: No such file (os error 2): and (os error x) b (os error 13)", "a: No such file: and (os error x) b"),
            ("a: Full (os error 28) at path \"/a b/.tmp8sd\"; more", "a: Full; more"),
            ("a: Full (os error 28) at path \"/a b/c\"", "a: Full at path \"/a b/c\""),
            ("nothing", "nothing"),
        ] {
            assert_eq!(plain(text), shown);
        }
    }

    #[test]
    fn long_line_is_shortened_in_middle() {
        let long = format!("error: {}: allowed: 1 to 9", "ä".repeat(1_000_000));
        let told = shortened(&long, LONGEST_LINE);
        assert_eq!(told.chars().count(), LONGEST_LINE + " ... 996024 characters more ... ".len());
        assert!(told.starts_with("error: ää") && told.ends_with("ä: allowed: 1 to 9"));
        assert!(told.contains("ä ... 996024 characters more ... ä"));
        assert_eq!(shortened("short", LONGEST_LINE), "short");
        assert!(is_readable("short\nshort") && !is_readable(&long) && !is_readable(&"short\n".repeat(LONGEST_LINE)));
    }

    #[test]
    fn wrapped_lines_are_indented_and_fit() {
        assert_eq!(wrapped("- ", "one two three", 9), "- one two\n  three\n");
        assert_eq!(wrapped("name  ", "a-long-word-alone", 9), "name  a-long-word-alone\n");
        assert_eq!(wrapped("- ", "short", u16::MAX), "- short\n");
        assert_eq!(fitted("one two\n a  b\n", 6), "one\ntwo\n a  b\n");
    }
}
