//! The progress of a command, on standard error if it is a terminal.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use indicatif::{HumanDuration, HumanFloatCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use terminal_size::{Width, terminal_size_of};
use unolab_arena::words::{counted, grouped};

type Listener = Box<dyn Fn(u64) + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// For programs that run the command as a library and show progress themselves: from now on this function gets the number
/// done, with or without a terminal. The first listener stays.
pub fn listen(listener: impl Fn(u64) + Send + Sync + 'static) {
    let _ = LISTENER.set(Box::new(listener));
}

/// A bar with rate and time left, in a line that fits the terminal.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    leader: Arc<Mutex<String>>,
}

impl Bar {
    /// A progress bar for this number of things.
    pub(crate) fn of(number: u64, thing: &str) -> Self {
        Self::in_words(number, counted(number, thing))
    }

    /// The same, where fewer may do.
    pub(crate) fn at_most(number: u64, thing: &str) -> Self {
        Self::in_words(number, format!("at most {}", counted(number, thing)))
    }

    /// For as many of these things as it takes.
    pub(crate) fn without_end(things: &str) -> Self {
        Self::with_length(None, things.to_owned())
    }

    fn in_words(number: u64, words: String) -> Self {
        Self::with_length(Some(number), words)
    }

    fn with_length(number: Option<u64>, words: String) -> Self {
        let leader = Arc::new(Mutex::new(String::new()));
        let style = ProgressStyle::with_template("{line}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let leads = Arc::clone(&leader);
        let style = style.with_key("line", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let rate = state.per_sec();
            let rounded = if rate < 10.0 { (10.0 * rate).round() / 10.0 } else { rate.round() };
            let line = Line {
                done: number.map(|_| f64::from(state.fraction())),
                number: state.pos(),
                of: &words,
                rate: HumanFloatCount(rounded).to_string(),
                left: HumanDuration(state.eta()).to_string(),
                leader: &leads.lock().unwrap_or_else(PoisonError::into_inner),
            };
            let _ = out.write_str(&line.fitting(columns()));
        });
        let bar = ProgressBar::with_draw_target(number, ProgressDrawTarget::stderr());
        Self { bar: bar.with_style(style), leader }
    }

    /// A bar that nobody sees.
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), leader: Arc::default() }
    }

    /// So many were done before: they say nothing about the rate.
    pub(crate) fn begin_at(&self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// Shows the leader or the standing at the end of the line.
    pub(crate) fn lead(&self, leader: &str) {
        leader.clone_into(&mut self.leader.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// So many are done.
    pub(crate) fn show(&self, done: u64) {
        // Threads report in any order; what was shown before stays.
        let done = done.max(self.bar.position());
        self.bar.set_position(done);
        if let Some(tell) = LISTENER.get() {
            tell(done);
        }
    }

    /// Says something above the bar, where the bar is seen.
    pub(crate) fn say(&self, words: &str) {
        self.bar.println(words);
    }

    /// Wipes the bar away.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// The width of the line: one column less than the terminal, for the cursor.
fn columns() -> usize {
    terminal_size_of(io::stderr()).map_or(79, |(Width(columns), _)| usize::from(columns).saturating_sub(1))
}

/// The content of the line.
struct Line<'a> {
    /// From 0 to 1; none if nobody knows where it ends.
    done: Option<f64>,
    /// The number done.
    number: u64,
    of: &'a str,
    rate: String,
    left: String,
    leader: &'a str,
}

impl Line<'_> {
    /// As much of it as fits, the most important first; never more columns than there are.
    fn fitting(&self, columns: usize) -> String {
        let Self { of, rate, left, .. } = self;
        let percent = match self.done {
            Some(done) => format!("{:.0} %", (100.0 * done).floor()),
            None => format!("{} {of}", grouped(self.number)),
        };
        let leader = self.leader.trim_start_matches("; ");
        // `heuristic leads at 2 seats: 71.91 [71.45, 72.37] %` without its interval.
        let shorter = leader.split_once(" [").map_or(leader, |(head, _)| head);
        let with_leader = |text: String, leader: &str| {
            if leader.is_empty() { text } else { format!("{text}; {leader}") }
        };
        let (whole, timed) = match self.done {
            Some(_) => (format!("{percent} of {of}, {rate} a second, {left} left"), format!("{percent}, {left} left")),
            None => (format!("{percent}, {rate} a second"), percent.clone()),
        };
        let bar = self.done.map_or_else(String::new, |done| drawn(done, 20) + " ");
        let forms = [
            with_leader(bar + &whole, leader),
            with_leader(whole, leader),
            with_leader(timed, leader),
            with_leader(percent.clone(), leader),
            with_leader(percent.clone(), shorter),
        ];
        let fits = |form: &&String| form.chars().count() <= columns;
        forms.iter().find(fits).cloned().unwrap_or_else(|| percent.chars().take(columns).collect())
    }
}

/// A bar of this number of columns.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of few columns")]
fn drawn(share: f64, columns: usize) -> String {
    let full = ((share.clamp(0.0, 1.0) * columns as f64) as usize).min(columns);
    "█".repeat(full) + &"░".repeat(columns - full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_the_terminal_and_no_number_is_cut() {
        let leader = "; heuristic leads at 2 seats: 71.91 [71.45, 72.37] %";
        let line = |leader| Line {
            done: Some(0.456),
            number: 54_720,
            of: "120,000 sets",
            rate: "12,345".into(),
            left: "3 minutes".into(),
            leader,
        };
        for columns in 0..200 {
            for leader in [leader, "", "; a bot whose name is as long as a line of some poem: 50.00 [49.00, 51.00] %"] {
                let text = line(leader).fitting(columns);
                assert!(text.chars().count() <= columns, "{columns}: {text}");
            }
        }
        assert_eq!(
            line(leader).fitting(79),
            "45 %, 3 minutes left; heuristic leads at 2 seats: 71.91 [71.45, 72.37] %"
        );
        assert_eq!(line(leader).fitting(59), "45 %; heuristic leads at 2 seats: 71.91 [71.45, 72.37] %");
        assert_eq!(line(leader).fitting(45), "45 %; heuristic leads at 2 seats: 71.91");
        let endless = Line { done: None, number: 54_720, of: "sets", ..line("") };
        assert_eq!(endless.fitting(79), "54,720 sets, 12,345 a second");
        assert!(line(leader).fitting(160).starts_with("█████████░░░░░░░░░░░ 45 % of 120,000 sets, 12,345 a second"));
    }
}
