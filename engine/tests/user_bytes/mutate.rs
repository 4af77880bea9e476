//! Texts as careless or hostile users would write them: valid texts with one to four changes.

use unolab_engine::rng::Rng;

use super::{below, one_of};

/// Numbers at and beyond the limits of keys.
const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "8",
    "9",
    "10",
    "11",
    "20",
    "21",
    "64",
    "255",
    "256",
    "1000",
    "65536",
    "1000001",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "1e308",
    "nan",
];

/// Words that have a meaning to one of the readers.
const WORDS: [&str; 24] = [
    "\"\"",
    "true",
    "[]",
    "{}",
    "inf",
    "\"all\"",
    "=",
    "[[custom]]",
    "\"any\"",
    "none",
    "W4",
    "r7",
    "_",
    "\"classic\"",
    "seat",
    "uno",
    "\"\\u0000\"",
    "é",
    "\u{202e}",
    "'''",
    "\n",
    "0x7f",
    "a.b.c",
    "play",
];

/// The text with a few changes, which may use words and lines of other texts of the same kind.
pub fn mutated(text: &str, others: &[String], rng: &mut Rng) -> String {
    let mut text = text.to_string();
    for _ in 0..=below(rng, 4) {
        text = altered(&text, others, rng);
    }
    text
}

fn altered(text: &str, others: &[String], rng: &mut Rng) -> String {
    let other = &others[below(rng, others.len())];
    let lines: Vec<&str> = text.lines().collect();
    let at = below(rng, lines.len().max(1));
    match below(rng, 14) {
        0 => [&lines[..at], &lines[(at + 1).min(lines.len())..]].concat().join("\n"),
        1 => [&lines[..at], &vec![lines.get(at).copied().unwrap_or(""); 1 + below(rng, 40)], &lines[at..]]
            .concat()
            .join("\n"),
        2 => {
            let lent: Vec<&str> = other.lines().collect();
            let line = lent.get(below(rng, lent.len().max(1))).copied().unwrap_or("");
            [&lines[..at], &[line], &lines[at..]].concat().join("\n")
        }
        3 => {
            let mut cut = below(rng, text.len() + 1);
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            text[..cut].into()
        }
        10.. => exchanged(text, rng),
        4..7 => with_word(text, one_of(rng, &NUMBERS), |word| word.bytes().all(|c| c.is_ascii_digit()), rng),
        7 => with_word(text, one_of(rng, &WORDS), |_| true, rng),
        _ => {
            let lent = words(other);
            let word = lent.get(below(rng, lent.len().max(1))).map_or("", |&(start, end)| &other[start..end]);
            with_word(text, word, |_| true, rng)
        }
    }
}

/// Swaps two words, so that the numbers of cards are unchanged.
fn exchanged(text: &str, rng: &mut Rng) -> String {
    let found = words(text);
    if found.len() < 2 {
        return text.into();
    }
    let (a, b) = (one_of(rng, &found), one_of(rng, &found));
    let (first, second) = (a.min(b), a.max(b));
    if first == second {
        return text.into();
    }
    [&text[..first.0], &text[second.0..second.1], &text[first.1..second.0], &text[first.0..first.1], &text[second.1..]]
        .concat()
}

/// Replaces one of the words that are `wanted`.
fn with_word(text: &str, word: &str, wanted: impl Fn(&str) -> bool, rng: &mut Rng) -> String {
    let places: Vec<(usize, usize)> =
        words(text).into_iter().filter(|&(start, end)| wanted(&text[start..end])).collect();
    if places.is_empty() {
        return format!("{text}{word}");
    }
    let (start, end) = one_of(rng, &places);
    format!("{}{word}{}", &text[..start], &text[end..])
}

/// The beginnings and ends of the words of a text.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_alphanumeric() || c == '_', start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}
