//! SHA-256, and JSON files with a digest of their content at the end, which reveals changes and damage.

use std::io;

use sha2::{Digest, Sha256};

/// The text between the content and the digest: in one line, or with one line per key.
const KEYS: [&str; 2] = [",\"digest\":\"", ",\n  \"digest\": \""];

/// The SHA-256 of these bytes, in 64 hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-256 of the remaining content of a file.
///
/// # Errors
/// If it cannot be read.
pub fn sha256_of(mut file: impl io::Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut room = vec![0; 1 << 16];
    loop {
        match file.read(&mut room)? {
            0 => return Ok(hex(&hasher.finalize())),
            read => hasher.update(&room[..read]),
        }
    }
}

/// Each byte as two digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of an object with the digest of that text as its last key.
#[must_use]
pub(super) fn with_digest(object: &str) -> String {
    let content = object.strip_suffix('}').expect("an object ends with a brace");
    format!("{content}{}{}\"}}", KEYS[0], sha256(content.as_bytes()))
}

/// The same for an object with one line per key.
#[must_use]
pub(super) fn with_digest_in_lines(object: &str) -> String {
    let content = object.strip_suffix("\n}").expect("an object ends with a brace in a separate line");
    format!("{content}{}{}\"\n}}", KEYS[1], sha256(content.as_bytes()))
}

/// Checks that a text is unchanged.
///
/// # Errors
/// In words: there is no digest, or it does not match.
pub fn check_digest(text: &str) -> Result<(), String> {
    match matches_digest(text) {
        Some(true) => Ok(()),
        Some(false) => Err("it has been changed: its content does not match its digest".into()),
        None => Err("its last key is not \"digest\": it was cut off, or written by an earlier version".into()),
    }
}

/// The object of a text as [`with_digest`] writes it.
///
/// # Errors
/// As [`check_digest`].
pub(super) fn without_digest(text: &str) -> Result<String, String> {
    check_digest(text)?;
    let (content, _) = content_and_digest(text).expect("a text that matches its digest has one");
    Ok(format!("{content}}}"))
}

/// Whether a text is unchanged; `None` if it does not have a digest.
#[must_use]
pub fn matches_digest(text: &str) -> Option<bool> {
    content_and_digest(text).map(|(content, found)| sha256(content.as_bytes()) == found)
}

fn content_and_digest(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end().strip_suffix('}')?.trim_end().strip_suffix('"')?;
    let (content, found) = KEYS.iter().find_map(|key| text.rsplit_once(key))?;
    // A key with this name before other keys is not a digest.
    (!found.contains('"')).then_some((content, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_can_be_removed() {
        let object = "{\"part\":{\"wins\":17}}";
        assert_eq!(without_digest(&with_digest(object)), Ok(object.to_owned()));
        assert!(without_digest(&with_digest(object).replace("17", "18")).is_err());
        assert!(without_digest(object).is_err());
    }

    #[test]
    fn changed_byte_is_detected() {
        let in_lines = with_digest_in_lines("{\n  \"part\": {\n    \"wins\": 17\n  }\n}");
        for written in [with_digest("{\"part\":{\"wins\":17}}") + "\n", in_lines + "\n"] {
            assert_eq!(check_digest(&written), Ok(()));
            serde_json::from_str::<serde_json::Value>(&written).expect("JSON");
            for at in 0..written.trim_end().len() {
                let mut bytes = written.clone().into_bytes();
                bytes[at] ^= 1;
                let changed = String::from_utf8(bytes).expect("ASCII");
                let is_space =
                    changed.as_bytes()[at].is_ascii_whitespace() || written.as_bytes()[at].is_ascii_whitespace();
                assert!(check_digest(&changed).is_err() || is_space, "{changed}");
            }
            for length in 0..written.trim_end().len() {
                assert!(check_digest(&written[..length]).is_err(), "{length}");
            }
        }
    }
}
