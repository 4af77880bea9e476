//! The line of each key in a variant file.

use std::collections::BTreeMap;

use serde::Deserialize as _;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer};

/// Lines by the path of a key: `uno.penalty`, `custom.0.effects.1`.
#[derive(Debug, Default)]
pub(super) struct Lines(BTreeMap<String, usize>);

impl Lines {
    /// The lines of this text and its keys with their values, or all TOML errors, each with its line.
    pub(super) fn parse(text: &str) -> Result<(Self, toml::Table), Vec<String>> {
        let (table, mut errors) = DeTable::parse_recoverable(text);
        let ends = LineEnds::of(text);
        if !errors.is_empty() {
            errors.sort_by_key(|error| error.span().map(|span| span.start));
            // Several errors in a line usually have one cause; the first is enough.
            errors.dedup_by_key(|error| error.span().map(|span| ends.line_of(span.start)));
            return Err(errors.iter().map(|error| ends.syntax_error(error)).collect());
        }
        let mut lines = Self::default();
        lines.read_table("", &ends, table.get_ref());
        let table =
            toml::Table::deserialize(Deserializer::from(table)).map_err(|error| vec![ends.syntax_error(&error)])?;
        Ok((lines, table))
    }

    fn read_table(&mut self, prefix: &str, ends: &LineEnds, table: &DeTable<'_>) {
        for (key, value) in table.iter() {
            let path = joined(prefix, key.get_ref());
            self.0.insert(path.clone(), ends.line_of(key.span().start));
            self.read_value(&path, ends, value);
        }
    }

    fn read_value(&mut self, path: &str, ends: &LineEnds, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Table(table) => self.read_table(path, ends, table),
            DeValue::Array(array) => self.read_array(path, ends, array),
            _ => {}
        }
    }

    fn read_array(&mut self, prefix: &str, ends: &LineEnds, array: &DeArray<'_>) {
        for (number, value) in array.iter().enumerate() {
            let path = joined(prefix, &number.to_string());
            self.0.insert(path.clone(), ends.line_of(value.span().start));
            self.read_value(&path, ends, value);
        }
    }

    /// The file with the line of a key, or of its table: `mine.toml:7`.
    pub(super) fn place(&self, file: &str, path: &str) -> String {
        let mut path = path;
        loop {
            if let Some(line) = self.0.get(path) {
                return format!("{file}:{line}");
            }
            match path.rsplit_once('.') {
                Some((whole, _)) => path = whole,
                None => return file.to_owned(),
            }
        }
    }
}

/// The line that a reason names after its file; 0 if it does not name a line.
pub(super) fn line_in(reason: &str, file: &str) -> usize {
    let line = || reason.strip_prefix(file)?.strip_prefix(':')?.split(':').next()?.parse().ok();
    line().unwrap_or(0)
}

fn joined(prefix: &str, key: &str) -> String {
    if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") }
}

/// The TOML error of a text in one line that begins with the line number: `3: invalid number`.
#[must_use]
pub fn syntax_error(text: &str, error: &toml::de::Error) -> String {
    LineEnds::of(text).syntax_error(error)
}

/// The positions of the line breaks of a text, in order.
struct LineEnds(Vec<usize>);

impl LineEnds {
    fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at).collect())
    }

    /// The line of a byte, from 1.
    fn line_of(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|&end| end < byte)
    }

    fn syntax_error(&self, error: &toml::de::Error) -> String {
        let place = error.span().map_or_else(String::new, |span| format!("{}: ", self.line_of(span.start)));
        let message = match error.message() {
            too_large if too_large.contains("i128") => format!("the number is too large; allowed: up to {}", i64::MAX),
            message => message.lines().collect::<Vec<_>>().join("; "),
        };
        format!("{place}{message}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_located_in_any_toml_form() {
        let text = "base = \"classic\"\nuno.penalty = 4\n\n[house]\njump_in = true\n\n[[custom]]\ncode = \"rX\"\n\
                    effects = [\n  \"reverse\",\n  { skip = 1 },\n]\n[[custom]]\ncode = \"bX\"\n";
        let (lines, table) = Lines::parse(text).unwrap();
        assert_eq!(table, text.parse().unwrap());
        for (path, place) in [
            ("base", "f:1"),
            ("uno.penalty", "f:2"),
            ("house.jump_in", "f:5"),
            ("custom.0", "f:7"),
            ("custom.0.code", "f:8"),
            ("custom.0.effects.1.skip", "f:11"),
            ("custom.0.points", "f:7"),
            ("custom.0.effects.0.skip", "f:10"),
            ("custom.1.points", "f:13"),
            ("custom.1.code", "f:14"),
            ("points.wild", "f"),
        ] {
            assert_eq!(lines.place("f", path), place, "{path}");
        }
        let wrong = Lines::parse("a = 1\nb = \nc = 3\nd = [1\n").unwrap_err();
        assert!(wrong.len() >= 2 && wrong[0].starts_with("2: "), "{wrong:?}");
        let large = "a = 1\nb = 99999999999999999999999999\n";
        let wrong = Lines::parse(large).unwrap_err();
        assert_eq!(wrong, ["2: the number is too large; allowed: up to 9223372036854775807"]);
    }
}
