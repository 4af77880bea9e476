//! How far a command has come, on a terminal's standard error; silent anywhere else.

use std::fmt;

use indicatif::{HumanFloatCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use unolab_arena::words::counted;

/// A bar with rate and time left.
#[derive(Debug)]
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar for so many of these things.
    pub(crate) fn of(number: u64, thing: &str) -> Self {
        Self::in_words(number, counted(number, thing))
    }

    /// The same, where fewer may do.
    pub(crate) fn at_most(number: u64, thing: &str) -> Self {
        Self::in_words(number, format!("at most {}", counted(number, thing)))
    }

    /// For as many of these things as it takes.
    pub(crate) fn without_end(things: &str) -> Self {
        let template = "{human_pos} {prefix}, {rate} a second, {elapsed} gone{msg}";
        Self(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style(template)))
            .named(things.to_owned())
    }

    fn in_words(number: u64, words: String) -> Self {
        let template = "{bar:20} {percent:>3} % of {prefix}, {rate} a second, {elapsed} gone, {eta} left{msg}";
        let bar = ProgressBar::with_draw_target(Some(number), ProgressDrawTarget::stderr());
        Self(bar.with_style(style(template))).named(words)
    }

    fn named(self, words: String) -> Self {
        Self(self.0.with_prefix(words))
    }

    /// A bar that nobody sees.
    pub(crate) fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// So many were done before: they say nothing about the rate.
    pub(crate) fn begin_at(&self, done: u64) {
        self.0.set_position(done);
        self.0.reset_eta();
    }

    /// Who leads, or how it stands, at the end of the line.
    pub(crate) fn lead(&self, leader: &str) {
        self.0.set_message(leader.to_owned());
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

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
        let rate = state.per_sec();
        let rounded = if rate < 10.0 { (10.0 * rate).round() / 10.0 } else { rate.round() };
        let _ = write!(out, "{}", HumanFloatCount(rounded));
    })
}
