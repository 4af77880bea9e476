//! How far a command has come, on a terminal's standard error; silent anywhere else.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar with rate and time left.
#[derive(Debug)]
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar for so many things of this name.
    pub(crate) fn of(number: u64, things: &'static str) -> Self {
        let template = "{bar:30} {percent:>3} % of {human_len} {msg}, {per_sec}, {elapsed} gone, {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(number), ProgressDrawTarget::stderr());
        Self(bar.with_style(style).with_message(things))
    }

    /// A bar that nobody sees.
    pub(crate) fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// So many are done.
    pub(crate) fn show(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Says something above the bar, where the bar is seen.
    pub(crate) fn say(&self, words: &str) {
        self.0.println(words);
    }

    /// Wipes the bar away.
    pub(crate) fn finish(self) {
        self.0.finish_and_clear();
    }
}
