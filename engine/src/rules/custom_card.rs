//! Reads a custom card. Each field is read separately, so that all errors are reported together and in the terms of the file.

use super::card_def::CustomCard;
use super::effect::{Effect, Who};
use super::effect_problems;
use crate::cards::MAX_COPIES;
use crate::color::Color;
use crate::spelling::nearest;

/// The allowed values of each field of a card.
const FIELDS: [(&str, &str); 10] = [
    ("name", "a text"),
    ("code", "a text such as \"rX\" or \"WZ\""),
    ("color", "\"red\", \"yellow\", \"green\", \"blue\", \"wild\""),
    ("colors", "a list of different colors, instead of color; then code is only a capital letter"),
    ("symbol", "a text"),
    ("copies", "0 to 15"),
    ("points", "0 to 1000"),
    ("match", "\"color\", \"any\", \"0\" to \"9\", \"skip\", \"reverse\", \"draw_two\""),
    ("start", "\"plain\", \"return\""),
    ("effects", "a list of effects"),
];

/// The effects as written, each with its allowed contents.
const EFFECTS: [(&str, &str, &str); 15] = [
    (
        "draw",
        "{ draw = { who = \"next\", count = 2 } }",
        "; count: 1 to 20, or { from = 0, to = 10 } or { turns = 1 }; instead of count, until: \"named_color\", \"playable\", \"any\"",
    ),
    ("skip", "{ skip = 1 }", ", up to 10, or { skip = \"all\" }"),
    ("reverse", "\"reverse\"", ""),
    ("name_color", "\"name_color\"", ""),
    ("choose_color", "{ choose_color = { who = \"next\" } }", ""),
    ("discard", "{ discard = { who = \"others\", cards = \"wilds\" } }", "; cards: \"wilds\", \"named_color\""),
    ("swap_hands", "\"swap_hands\"", ""),
    ("trade_hands", "{ trade_hands = { who = \"smallest_hand\" } }", ""),
    ("rotate_hands", "\"rotate_hands\"", ""),
    ("shuffle_hands", "\"shuffle_hands\"", ""),
    ("look", "{ look = { who = \"chosen\" } }", ""),
    ("take", "{ take = { who = \"chosen\", count = 1 } }", "; count: 1 to 20"),
    ("give", "{ give = { who = \"chosen\", count = 1 } }", "; count: 1 to 20"),
    ("task", "{ task = { p = 0.7, fail = [{ draw = { who = \"next\", count = 3 } }] } }", "; p: 0 to 1"),
    (
        "choice",
        "{ choice = { who = \"next\", options = [{ name = \"draw\", effects = [{ draw = { who = \"chooser\", count = 4 } }] }, \
         { name = \"miss a turn\", effects = [{ skip = 1 }] }] } }",
        "; options: 2 to 4",
    ),
];

/// The card, or all errors in its fields, each with its position in the card (`effects.1`).
pub(super) fn read(card: &toml::Value) -> Result<CustomCard, Vec<(String, String)>> {
    let Some(table) = card.as_table() else {
        return Err(vec![(String::new(), "is not a table; a card begins with [[custom]]".into())]);
    };
    let mut problems = Vec::new();
    for (field, value) in table {
        match FIELDS.iter().find(|(known, _)| known == field) {
            None => problems.push((field.clone(), unknown("field", field, &FIELDS.map(|(known, _)| known)))),
            Some(("effects", _)) => effects("effects", value, &mut problems),
            Some((_, allowed)) if !is_good(field, value) => {
                let meant = value.as_str().and_then(|word| nearest(word, allowed.split('"').skip(1).step_by(2)));
                let hint = meant.map_or_else(String::new, |meant| format!("did you mean \"{meant}\"? "));
                problems.push((field.clone(), format!("{field} = {value} is not allowed; {hint}allowed: {allowed}")));
            }
            Some(_) => {}
        }
    }
    for required in ["code", "color"] {
        if !table.contains_key(required) {
            problems.push((String::new(), format!("{required} is missing; allowed: {}", allowed(required))));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    card.clone().try_into().map_err(|error: toml::de::Error| vec![(String::new(), error.message().to_owned())])
}

/// The cards of a definition: one for each of its `colors`, all with the same symbol; otherwise the card itself.
pub(super) fn in_each_color(card: &toml::Value) -> Result<Vec<toml::Value>, (String, String)> {
    let Some(colors) = card.get("colors") else { return Ok(vec![card.clone()]) };
    let error = |field: &str, value: &toml::Value| {
        (field.to_owned(), format!("{field} = {value} is not allowed; allowed: {}", allowed(field)))
    };
    let names: Vec<&str> = colors.as_array().into_iter().flatten().filter_map(toml::Value::as_str).collect();
    let letters: Option<Vec<char>> = names
        .iter()
        .map(|name| Color::ALL.into_iter().find(|color| color.name() == *name).map(Color::letter))
        .collect();
    let is_list = colors.as_array().is_some_and(|list| list.len() == names.len() && !list.is_empty());
    let letters = letters.filter(|letters| {
        is_list && (1..letters.len()).all(|i| !letters[..i].contains(&letters[i])) && card.get("color").is_none()
    });
    let Some(letters) = letters else { return Err(error("colors", colors)) };
    let code = card.get("code").cloned().unwrap_or_else(|| "".into());
    let Some(symbol) = code.as_str().filter(|code| code.len() == 1) else { return Err(error("colors", colors)) };
    let mut cards = Vec::new();
    for (name, letter) in names.into_iter().zip(letters) {
        let mut table = card.as_table().cloned().unwrap_or_default();
        table.remove("colors");
        table.insert("color".into(), name.into());
        table.insert("code".into(), format!("{letter}{symbol}").into());
        table.entry("symbol").or_insert_with(|| symbol.into());
        cards.push(toml::Value::Table(table));
    }
    Ok(cards)
}

fn allowed(field: &str) -> &'static str {
    FIELDS.iter().find(|(known, _)| *known == field).map_or("", |(_, allowed)| allowed)
}

/// Whether this value is valid for the field, in a card whose other fields are valid.
fn is_good(field: &str, value: &toml::Value) -> bool {
    let most = match field {
        "copies" => 0..=15,
        "points" => 0..=1000,
        _ => i64::MIN..=i64::MAX,
    };
    if value.as_integer().is_some_and(|number| !most.contains(&number)) {
        return false;
    }
    let mut card = toml::Table::new();
    card.insert("code".into(), "rX".into());
    card.insert("color".into(), "red".into());
    card.insert(field.into(), value.clone());
    toml::Value::Table(card).try_into::<CustomCard>().is_ok()
}

/// Reads a list of effects at this position.
fn effects(place: &str, value: &toml::Value, problems: &mut Vec<(String, String)>) {
    let Some(list) = value.as_array() else {
        return problems
            .push((place.into(), format!("{value} is not a list; allowed: effects = [...], even of one effect")));
    };
    for (number, effect) in list.iter().enumerate() {
        let place = format!("{place}.{number}");
        if let Some(what) = wrong_with(effect) {
            problems.push((place.clone(), what));
        } else if let Some(fail) = effect.get("task").and_then(|task| task.get("fail")) {
            effects(&format!("{place}.task.fail"), fail, problems);
        } else if let Some(list) = options_of(effect.get("choice")) {
            for (number, option) in list.iter().enumerate() {
                if let Some(nested) = option.get("effects") {
                    effects(&format!("{place}.choice.options.{number}.effects"), nested, problems);
                }
            }
        }
    }
}

/// The options of a choice, if they are a list.
fn options_of(choice: Option<&toml::Value>) -> Option<&Vec<toml::Value>> {
    choice?.get("options")?.as_array()
}

/// The error in an effect, not counting nested effects.
fn wrong_with(effect: &toml::Value) -> Option<String> {
    let (name, inner) = match effect {
        toml::Value::String(word) => (word, None),
        toml::Value::Table(table) if table.len() == 1 => table.iter().next().map(|(key, inner)| (key, Some(inner)))?,
        other => {
            return Some(format!("{other} is not an effect; an effect is a word or a table with one key: {}", names()));
        }
    };
    let Some((_, written, more)) = EFFECTS.iter().find(|(known, ..)| known == name) else {
        return Some(unknown("effect", name, &EFFECTS.map(|(known, ..)| known)));
    };
    let must = |problem: &str| Some(format!("{name}: {problem}; write it as {written}{more}"));
    let is_word = written.starts_with('"');
    let Some(inner) = inner else {
        return if is_word { None } else { must("a word alone says too little") };
    };
    if is_word {
        return must("takes no value");
    }
    if !inner.is_table() && written.contains("= {") && written.matches('=').count() > 1 {
        return must(&format!("{inner} is not a table"));
    }
    // The effects nested in a task or in options are checked separately.
    let mut judged = inner.clone();
    let clear = |list: Option<&mut toml::Value>| {
        if let Some(list) = list.filter(|list| list.is_array()) {
            *list = toml::Value::Array(Vec::new());
        }
    };
    clear(judged.get_mut("fail"));
    let options = judged.get_mut("options").and_then(toml::Value::as_array_mut);
    options.into_iter().flatten().for_each(|option| clear(option.get_mut("effects")));
    let players = Who::ALL.map(Who::word);
    if let Some(who) = judged.get("who").filter(|who| who.as_str().is_none_or(|word| !players.contains(&word))) {
        let meant = who.as_str().and_then(|word| nearest(word, players));
        let hint = meant.map_or_else(String::new, |meant| format!("did you mean \"{meant}\"? "));
        return Some(format!("{name}: who = {who} is not allowed; {hint}allowed: {}", quoted(&players)));
    }
    let mut table = toml::Table::new();
    table.insert(name.clone(), judged);
    match toml::Value::Table(table).try_into::<Effect>() {
        Ok(_) => None,
        Err(error) => {
            let message = error.message();
            let count = inner.get("count").filter(|_| message.starts_with("data did not match"));
            must(&count.map_or_else(|| plain_message(message), |count| format!("count = {count} is not allowed")))
        }
    }
}

fn names() -> String {
    EFFECTS.map(|(name, ..)| name).join(", ")
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let hint =
        nearest(name, known.iter().copied()).map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
    format!("unknown {what} `{name}`; {hint}allowed: {}", known.join(", "))
}

/// A message of serde in the terms of a variant file.
fn plain_message(message: &str) -> String {
    let mut words = message.split('`').skip(1).step_by(2);
    let found = words.next().unwrap_or_default();
    if message.starts_with("missing field") {
        return format!("{found} is missing");
    }
    if message.starts_with("unknown field") || message.starts_with("unknown variant") {
        let meant = nearest(found, words).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        return format!("`{found}` is not known here{meant}");
    }
    if message.starts_with("invalid value") || message.starts_with("data did not match") {
        return if found.is_empty() { "is not allowed".into() } else { format!("{found} is not allowed") };
    }
    message.to_owned()
}

/// The errors in a card with readable fields, each with its field.
pub(super) fn problems(card: &CustomCard) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&str, String)> =
        effect_problems::problems(&card.effects).into_iter().map(|problem| ("effects", problem)).collect();
    let expected = card.color.color().map_or('W', Color::letter);
    let mut letters = card.code.chars();
    let well_formed = letters.next() == Some(expected)
        && letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
        && letters.next().is_none();
    if !well_formed {
        let what = format!("code = \"{}\" is not allowed; allowed: `{expected}` and a capital letter", card.code);
        found.push(("code", what));
    }
    if usize::from(card.copies) > MAX_COPIES {
        found.push(("copies", format!("copies = {} is not allowed; allowed: 0 to {MAX_COPIES}", card.copies)));
    }
    if card.points > 1000 {
        found.push(("points", format!("points = {} is not allowed; allowed: 0 to 1000", card.points)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_with(card: &str) -> Vec<String> {
        let table: toml::Table = card.parse().expect("TOML");
        match read(&toml::Value::Table(table)) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.into_iter().map(|(place, what)| format!("{place}|{what}")).collect(),
        }
    }

    #[test]
    fn card_errors_are_reported_together() {
        assert_eq!(problems_with("code = \"rX\"\ncolor = \"red\"\neffects = [\"reverse\"]"), Vec::<String>::new());
        let found = problems_with(
            "code = 7\ncolor = \"purple\"\ncopies = 400\npoints = \"lots\"\nmacth = \"any\"\nstart = \"retrun\"\n\
             effects = [\n  { draw = { who = \"leader\", count = 500 } },\n  { rotate_hands = {} },\n  \"swap_hand\",\n  \
             { task = { p = 0.5, penalty = [], fail = [] } },\n  { task = { p = 0.5, fail = [\"skip\", \"reverse\"] } },\n  \
             { draw = { who = \"next\" } },\n  { draw = { who = \"next\", count = 500 } },\n]\n",
        );
        for part in [
            "code|code = 7 is not allowed; allowed: a text",
            "color|color = \"purple\" is not allowed; allowed: \"red\", ",
            "copies|copies = 400 is not allowed; allowed: 0 to 15",
            "points|points = \"lots\" is not allowed; allowed: 0 to 1000",
            "macth|unknown field `macth`; did you mean `match`?",
            "start|start = \"retrun\" is not allowed; did you mean \"return\"?",
            "effects.0|draw: who = \"leader\" is not allowed; allowed: \"self\", \"next\", \"previous\"",
            "effects.1|rotate_hands: takes no value; write it as \"rotate_hands\"",
            "effects.2|unknown effect `swap_hand`; did you mean `swap_hands`?",
            "effects.3|task: `penalty` is not known here",
            "effects.4.task.fail.0|skip: a word alone says too little; write it as { skip = 1 }",
            "effects.5|draw: count is missing; write it as { draw = { who = \"next\", count = 2 } }; count: 1 to 20",
            "effects.6|draw: count = 500 is not allowed; write it as",
        ] {
            assert!(found.iter().any(|problem| problem.contains(part)), "{part} is missing in:\n{}", found.join("\n"));
        }
        assert_eq!(found.len(), 13, "{found:#?}");
        assert_eq!(problems_with("name = \"x\"").len(), 2);
    }

    #[test]
    fn documented_effects_match_parser() {
        for (name, written, _) in EFFECTS {
            let table: toml::Table = format!("effect = {written}").parse().expect("TOML");
            assert_eq!(wrong_with(&table["effect"]), None, "{name}");
        }
    }
}
