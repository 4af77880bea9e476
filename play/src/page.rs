//! The pages of the server, in the style of the viewer.

use unolab::watch::{TABLE_SCRIPT, TABLE_STYLE, digest, fill};

/// The page of a table and its content policy.
pub(crate) fn table() -> (String, String) {
    page(include_str!("page/play.html"), include_str!("page/play.css"), include_str!("page/play.js"))
}

/// The page of the handheld machine and its content policy.
pub(crate) fn handheld() -> (String, String) {
    page(include_str!("page/handheld.html"), include_str!("page/handheld.css"), include_str!("page/handheld.js"))
}

fn page(frame: &str, style: &str, script: &str) -> (String, String) {
    let style = format!("{TABLE_STYLE}{style}");
    let script = format!("{TABLE_SCRIPT}{}{script}", include_str!("page/sound.js"));
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; connect-src 'self'; img-src data:; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        digest(&style),
        digest(&script)
    );
    (fill(frame, &[("{{style}}", style), ("{{script}}", script)]), policy)
}
