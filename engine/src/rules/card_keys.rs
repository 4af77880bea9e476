//! The keys of custom cards: `deck.CODE`, `points.CODE`, and `custom.CODE.PATH`, where PATH is a position in the card as its
//! variant file writes it, such as `effects.0.draw.count`.

use super::card_def::{CustomCard, is_built_in_code};
use super::custom_card;
use super::value::KeyProblem;
use crate::spelling::nearest;

/// The code and the path of a key that can only be the key of a custom card.
pub(super) fn of_custom_card(key: &str) -> Option<(&str, &str)> {
    match key.split_once('.')? {
        ("custom", rest) => Some(rest.split_once('.').unwrap_or((rest, ""))),
        ("deck", code) if is_custom_code(code) => Some((code, "copies")),
        ("points", code) if is_custom_code(code) => Some((code, "points")),
        _ => None,
    }
}

/// Whether the key can name a value of a custom card, which only its variant defines.
pub(super) fn may_name_custom_card(key: &str) -> bool {
    of_custom_card(key).is_some()
}

/// The code and the path of the key of a custom card.
pub(super) fn parse<'k>(key: &'k str, cards: &[CustomCard]) -> Option<(&'k str, &'k str)> {
    let is_there = |code: &str| cards.iter().any(|card| card.code == code);
    match key.split_once('.')? {
        ("deck", code) if is_there(code) => Some((code, "copies")),
        ("points", code) if is_there(code) => Some((code, "points")),
        _ => of_custom_card(key),
    }
}

fn is_custom_code(code: &str) -> bool {
    let mut letters = code.chars();
    letters.next().is_some_and(|color| "rygbW".contains(color))
        && letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
        && letters.next().is_none()
        && !is_built_in_code(code)
}

/// Sets the value at a path of the card with this code; the card must stay valid.
pub(super) fn set(cards: &mut [CustomCard], code: &str, path: &str, value: &toml::Value) -> Result<(), KeyProblem> {
    let codes: Vec<String> = cards.iter().map(|card| card.code.clone()).collect();
    let Some(card) = cards.iter_mut().find(|card| card.code == code) else {
        let allowed = if codes.is_empty() { "the variant has no custom cards".into() } else { codes.join(", ") };
        return Err(KeyProblem::CustomCard(format!("no custom card has the code {code}; allowed: {allowed}")));
    };
    let mut written = toml::Value::try_from(&*card).expect("a custom card can be written");
    let Some(place) = at(&mut written, path) else {
        return Err(KeyProblem::CustomCard(unknown_path(card, path)));
    };
    *place = whole(value);
    let changed = custom_card::read(&written)
        .map_err(|problems| problems.into_iter().map(|(_, what)| what).next().unwrap_or_default())
        .and_then(|changed| match custom_card::problems(&changed).into_iter().next() {
            Some((_, what)) => Err(what),
            None => Ok(changed),
        });
    *card = changed.map_err(KeyProblem::CustomCard)?;
    Ok(())
}

/// Converts a number without a fraction, such as `1e1`, to an integer.
fn whole(value: &toml::Value) -> toml::Value {
    match value {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and small")]
        toml::Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e9 => {
            toml::Value::Integer(*number as i64)
        }
        other => other.clone(),
    }
}

/// The value at a path; in a list, a number from 0 names the item.
fn at<'v>(value: &'v mut toml::Value, path: &str) -> Option<&'v mut toml::Value> {
    path.split('.').try_fold(value, |value, step| match value {
        toml::Value::Table(table) => table.get_mut(step),
        toml::Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    })
}

fn unknown_path(card: &CustomCard, path: &str) -> String {
    let keys: Vec<String> = number_keys(card).into_iter().map(|(key, _)| key).collect();
    let key = format!("custom.{}.{path}", card.code);
    let meant = nearest(&key, keys.iter().map(String::as_str));
    let hint = meant.map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
    format!("the card has no such value; {hint}its numbers: {}", keys.join(", "))
}

/// The keys of the copies and points of a card and of every number in its effects, with their values.
pub(super) fn number_keys(card: &CustomCard) -> Vec<(String, toml::Value)> {
    let code = &card.code;
    let mut keys = vec![
        (format!("deck.{code}"), i64::from(card.copies).into()),
        (format!("points.{code}"), i64::from(card.points).into()),
    ];
    let written = toml::Value::try_from(card).expect("a custom card can be written");
    if let Some(effects) = written.get("effects") {
        numbers_within(&format!("custom.{code}.effects"), effects, &mut keys);
    }
    keys
}

fn numbers_within(path: &str, value: &toml::Value, keys: &mut Vec<(String, toml::Value)>) {
    match value {
        toml::Value::Table(table) => {
            table.iter().for_each(|(key, value)| numbers_within(&format!("{path}.{key}"), value, keys));
        }
        toml::Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(number, value)| numbers_within(&format!("{path}.{number}"), value, keys));
        }
        toml::Value::Integer(_) | toml::Value::Float(_) => keys.push((path.to_owned(), value.clone())),
        _ => {}
    }
}
