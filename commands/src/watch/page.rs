//! The page of games: one self-contained file.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::clauses;
use super::game::Game;

const FRAME: &str = include_str!("page/page.html");
/// The style of cards and the table.
pub const TABLE_STYLE: &str = include_str!("page/table.css");
const VIEWER_STYLE: &str = include_str!("page/viewer.css");
/// Draws cards and a table.
pub const TABLE_SCRIPT: &str = include_str!("page/table.js");
const VIEWER_SCRIPT: &str = concat!(
    include_str!("page/viewer.js"),
    include_str!("page/chart.js"),
    include_str!("page/copy.js"),
    include_str!("page/player.js"),
    include_str!("page/controls.js"),
);

/// The page that shows these games, the first one first.
///
/// # Panics
/// Never: games are plain data.
#[must_use]
pub fn page(games: &[Game]) -> String {
    let data = serde_json::json!({
        "games": games.iter().map(small).collect::<Vec<_>>(),
        "clauses": clauses_of(games),
    });
    // A closing tag in a name would end the data element.
    let data = data.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let style = format!("{TABLE_STYLE}{VIEWER_STYLE}");
    let script = format!("{TABLE_SCRIPT}{VIEWER_SCRIPT}");
    let title = match games {
        [game] => format!("{} · {}", game.players.join(", "), game.variant),
        _ => format!("{} games", games.len()),
    };
    let parts = [
        ("{{policy}}", policy(&style, &script)),
        ("{{title}}", escape(&title)),
        ("{{style}}", style),
        ("{{script}}", script),
        ("{{data}}", data),
    ];
    fill(FRAME, &parts)
}

/// Inserts each part at its place, once; the parts themselves are not changed.
#[must_use]
pub fn fill(frame: &str, parts: &[(&str, String)]) -> String {
    let mut places: Vec<(usize, &str, &str)> =
        parts.iter().filter_map(|(mark, part)| Some((frame.find(mark)?, *mark, part.as_str()))).collect();
    places.sort_unstable();
    let (mut page, mut from) = (String::new(), 0);
    for (at, mark, part) in places {
        page += &frame[from..at];
        page += part;
        from = at + mark.len();
    }
    page + &frame[from..]
}

/// Allows only this style and this script, and nothing external.
fn policy(style: &str, script: &str) -> String {
    format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        digest(style),
        digest(script)
    )
}

/// The digest of a style or a script for a content security policy.
#[must_use]
pub fn digest(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// A text as HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A game without unchanged hands, which would be most of the page.
fn small(game: &Game) -> Value {
    let mut game = serde_json::to_value(game).expect("a game is plain data");
    let mut last: Vec<Value> = Vec::new();
    for frame in game["frames"].as_array_mut().into_iter().flatten() {
        if let Some(hands) = frame["table"]["hands"].as_array_mut() {
            let full = hands.clone();
            for (hand, before) in hands.iter_mut().zip(&last) {
                if hand == before {
                    *hand = Value::Bool(true);
                }
            }
            last = full;
        }
    }
    game
}

/// The text of each clause that one of the games shows.
fn clauses_of(games: &[Game]) -> Value {
    let shown = games.iter().flat_map(|game| &game.frames).flat_map(|frame| &frame.clauses);
    shown
        .map(|clause| ((*clause).to_owned(), Value::from(clauses::TEXTS.get(clause).cloned().unwrap_or_default())))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
