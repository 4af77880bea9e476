//! Suggestions for unknown words, and human-readable numbers.

use std::ops::RangeInclusive;

/// Words at this distance or farther are not suggested.
const FAR: usize = 3;

/// The known word with the nearest spelling, if it is near enough: case is ignored, and half of a short word must match.
///
/// ```
/// use unolab_engine::spelling::nearest;
///
/// assert_eq!(nearest("hueristic", ["random", "greedy", "heuristic"]), Some("heuristic"));
/// assert_eq!(nearest("chess", ["random", "greedy", "heuristic"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_within(FAR, word, known)
}

/// [`nearest`], but at most at this distance.
pub(crate) fn nearest_within<'a>(most: usize, word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.trim().to_lowercase();
    let far = most.min(word.chars().count() / 2);
    let alike_in_length = known.into_iter().filter(|known| word.len().abs_diff(known.len()) <= far);
    let nearest = alike_in_length.map(|known| (edit_distance(&word, &known.to_lowercase()), known)).min();
    nearest.filter(|(distance, _)| *distance <= far).map(|(_, known)| known)
}

/// The Levenshtein distance, with a transposition of adjacent letters counted once.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let mut distance = (row[j] + usize::from(a[i] != b[j])).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && (a[i], a[i - 1]) == (b[j - 1], b[j]) {
                distance = distance.min(before[j - 1] + 1);
            }
            next.push(distance);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

/// An integer in human-readable form: `1000`, `1_000`, `1,000`, `1e3`, `1.5e6`, `2k`, `3M`.
///
/// ```
/// use unolab_engine::spelling::whole_number;
///
/// assert_eq!(whole_number("1.5e6"), Some(1_500_000));
/// assert_eq!(whole_number("ten"), None);
/// ```
#[must_use]
pub fn whole_number(text: &str) -> Option<u64> {
    let mut digits: String = text.trim().replace('_', "");
    if let Some(grouped) = ungrouped(&digits) {
        digits = grouped;
    }
    if let Ok(number) = digits.parse() {
        return Some(number);
    }
    match digits.char_indices().next_back()? {
        (at, 'k' | 'K') => shifted(&digits[..at], 3),
        (at, 'm' | 'M') => shifted(&digits[..at], 6),
        _ => {
            let (number, zeros) = digits.split_once(['e', 'E'])?;
            shifted(number, zeros.parse().ok()?)
        }
    }
}

/// A range of integers, inclusive: `2-4`, `2..4`, `2..=4`. Empty if the first number is larger.
#[must_use]
pub fn whole_range(text: &str) -> Option<RangeInclusive<u64>> {
    let (first, last) = text.split_once("..").or_else(|| text.split_once('-'))?;
    Some(whole_number(first)?..=whole_number(last.trim_start_matches('='))?)
}

/// `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let head = (digits.len() - 1) % 3 + 1;
    let tail = digits.as_bytes()[head..].chunks(3).map(|three| String::from_utf8_lossy(three));
    tail.fold(digits[..head].to_owned(), |text, three| text + "," + &three)
}

/// Removes the commas from a number with a comma before every three digits.
fn ungrouped(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let is_number = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let fits = !rest.is_empty() && is_number(first) && first.len() <= 3;
    (fits && rest.iter().all(|group| group.len() == 3 && is_number(group))).then(|| text.replace(',', ""))
}

/// A decimal number times a power of ten, if the result is an integer.
fn shifted(number: &str, zeros: u32) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let more = usize::try_from(zeros).ok()?.checked_sub(fraction.len()).filter(|&zeros| zeros <= 20)?;
    let digits = format!("{whole}{fraction}{}", "0".repeat(more));
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn human_readable_integers_are_parsed() {
        for (text, number) in [
            ("1000", 1_000),
            ("1_000", 1_000),
            ("1,000", 1_000),
            ("1e3", 1_000),
            ("1.5e6", 1_500_000),
            ("2k", 2_000),
            ("3M", 3_000_000),
            (" 7 ", 7),
            ("0", 0),
            ("18446744073709551615", u64::MAX),
            ("1,234,567", 1_234_567),
        ] {
            assert_eq!(whole_number(text), Some(number), "{text}");
        }
        for text in [
            "", "-1", "1.5", "1.25e1", "1,00", "1,0000", "1,000,00", "1,00,000", ",100", "1e30", "ten", "1e", "e3",
            "1 000", "0x10", "1e-3",
        ] {
            assert_eq!(whole_number(text), None, "{text}");
        }
        assert_eq!([whole_range("2-4"), whole_range("1e1..=2_0")], [Some(2..=4), Some(10..=20)]);
        for text in ["2-", "-3", "any_draw", "7"] {
            assert_eq!(whole_range(text), None, "{text}");
        }
    }

    #[test]
    fn near_spelling_is_suggested_and_far_spelling_is_not() {
        let agents = ["random", "greedy", "heuristic", "mixbot", "net"];
        for (word, meant) in [
            ("Heuristic", Some("heuristic")),
            ("heurstic", Some("heuristic")),
            ("mxibot", Some("mixbot")),
            ("gredy", Some("greedy")),
            ("nte", Some("net")),
            ("xyz", None),
            ("", None),
            ("python3 bot.py", None),
        ] {
            assert_eq!(nearest(word, agents), meant, "{word}");
        }
        assert_eq!(
            [edit_distance("gaol", "goal"), edit_distance("ab", ""), edit_distance("stack", "stock")],
            [1, 2, 1]
        );
    }
}
