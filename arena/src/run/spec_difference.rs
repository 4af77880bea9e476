//! The differences of two specs, in words.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

/// The maximum number of differences in a message.
const MOST: usize = 3;

/// The maximum length of a value in a message.
const LONGEST: usize = 40;

/// A spec of any kind, as text.
#[derive(Debug, Clone)]
pub(super) struct WrittenSpec {
    hash: String,
    content: Value,
}

impl WrittenSpec {
    pub(super) fn new(hash: String, content: &impl Serialize) -> Self {
        Self { hash, content: serde_json::to_value(content).unwrap_or_default() }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        self.hash == other.hash
    }

    /// The description of this spec relative to another: `of another spec (seed 7, not 1)`.
    pub(super) fn difference_from(&self, other: &Self) -> String {
        match &*differences(&self.content, &other.content) {
            "" => format!("of another spec ({}, not {})", self.hash, other.hash),
            differences => format!("of another spec ({differences})"),
        }
    }
}

/// The first differences of another spec from this one: `seed 7, not 1; sets 300, not 40`. Empty if the texts do not show a
/// difference.
fn differences(other: &Value, this: &Value) -> String {
    let mut found = Vec::new();
    collect("", other, this, &mut found);
    let more = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    if more > 0 {
        found.push(format!("{more} more"));
    }
    found.join("; ")
}

fn collect(path: &str, other: &Value, this: &Value, found: &mut Vec<String>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (other, this) {
        (other, this) if other == this => {}
        (Value::Object(others), Value::Object(ours)) => {
            let before = found.len();
            let keys: BTreeSet<&String> = others.keys().chain(ours.keys()).collect();
            // If a hash differs, so does the hashed text.
            for key in keys.into_iter().filter(|key| *key != "hash") {
                let at = |spec: &serde_json::Map<String, Value>| spec.get(key).cloned().unwrap_or_default();
                collect(&below(key), &at(others), &at(ours), found);
            }
            if found.len() == before {
                found.push(format!("{} {}, not {}", below("hash"), shown(&others["hash"]), shown(&ours["hash"])));
            }
        }
        (Value::Array(others), Value::Array(ours))
            if others.len() == ours.len() && others.iter().any(Value::is_object) =>
        {
            for (number, (other, this)) in others.iter().zip(ours).enumerate() {
                collect(&below(&(number + 1).to_string()), other, this, found);
            }
        }
        (Value::String(others), Value::String(ours)) => match (rules(others), rules(ours)) {
            (Some(others), Some(ours)) if others != ours => collect(path, &others, &ours, found),
            _ => found.push(format!("{path} {}, not {}", shown(other), shown(this))),
        },
        _ => found.push(format!("{path} {}, not {}", shown(other), shown(this))),
    }
}

/// The keys in the text of rules.
fn rules(text: &str) -> Option<Value> {
    let rules: toml::Table = text.contains('\n').then(|| text.parse().ok())??;
    serde_json::to_value(rules).ok()
}

/// A readable value, truncated.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::Null => "none".into(),
        Value::String(text) => text.clone(),
        Value::Array(values) => format!("[{}]", values.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Object(keys) => keys.get("name").map_or_else(|| value.to_string(), shown),
        _ => value.to_string(),
    };
    let text = text.replace('\n', " ");
    if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST - 1).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differing_keys_are_named_with_both_values() {
        let entrants = |second: &str| json!([{"name": "a", "agent": "greedy"}, {"name": "b", "agent": second}]);
        let rules = |wild: u8| format!("[deck]\nwild = {wild}\nskip = 2\n");
        for (other, this, words) in [
            (json!({"seed": 7, "sets": 300}), json!({"seed": 1, "sets": 40}), "seed 7, not 1; sets 300, not 40"),
            (json!({"seats": [2, 3]}), json!({"seats": [2]}), "seats [2, 3], not [2]"),
            (json!({"seal": "key"}), json!({}), "seal key, not none"),
            (json!({"entrants": entrants("x")}), json!({"entrants": entrants("y")}), "entrants.2.agent x, not y"),
            (
                json!({"entrants": entrants("x")}),
                json!({"entrants": [{"name": "a", "agent": "greedy"}]}),
                "entrants [a, b], not [a]",
            ),
            (
                json!({"variants": [{"rules": rules(4), "hash": "1"}]}),
                json!({"variants": [{"rules": rules(8), "hash": "2"}]}),
                "variants.1.rules.deck.wild 4, not 8",
            ),
            (json!({"rules": "short", "hash": "1"}), json!({"rules": "short", "hash": "2"}), "hash 1, not 2"),
            (
                json!({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}),
                json!({"a": 2, "b": 2, "c": 2, "d": 2, "e": 2}),
                "a 1, not 2; b 1, not 2; c 1, not 2; 2 more",
            ),
            (json!({"seed": 1}), json!({"seed": 1}), ""),
        ] {
            assert_eq!(differences(&other, &this), words);
        }
        let long = differences(&json!({"agent": "x".repeat(100)}), &json!({"agent": "\u{e9}".repeat(100)}));
        let shortened = |letter: &str| letter.repeat(LONGEST - 1) + "…";
        assert_eq!(long, format!("agent {}, not {}", shortened("x"), shortened("\u{e9}")));
    }
}
