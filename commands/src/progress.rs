//! The progress of a command on standard error: a bar on a terminal, elsewhere a line from time to time.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal as _};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;
use anyhow::anyhow;
use indicatif::{HumanDuration, HumanFloatCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use terminal_size::{Width, terminal_size_of};
use unolab_arena::words::{counted, grouped};
use unolab_engine::spelling::whole_number;

use crate::output::warn;

type Listener = Box<dyn Fn(u64) + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Registers a function that receives the number done, with or without a terminal, for programs that run the command as a
/// library and show progress themselves. Only the first registration has an effect.
pub fn listen(listener: impl Fn(u64) + Send + Sync + 'static) {
    let _ = LISTENER.set(Box::new(listener));
}

/// The time until the first line without a terminal. Each following line comes when the time has doubled.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// The longest time between two lines.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// The variable with another time between two lines, in seconds; 0 for a line after each batch.
const INTERVAL: &str = "UNOLAB_PROGRESS_INTERVAL";

/// The largest value of [`INTERVAL`].
const MOST_SECONDS: u64 = 1_000_000;

/// The value of [`INTERVAL`], if it is set.
static ASKED_INTERVAL: LazyLock<Result<Option<Duration>, String>> =
    LazyLock::new(|| env::var_os(INTERVAL).map(|text| interval_of(&text.to_string_lossy())).transpose());

fn interval_of(text: &str) -> Result<Duration, String> {
    let seconds = whole_number(text).filter(|&seconds| seconds <= MOST_SECONDS);
    let refused = || format!("{INTERVAL}: {text} is not allowed; allowed: 0 to {MOST_SECONDS} seconds");
    seconds.map(Duration::from_secs).ok_or_else(refused)
}

/// Checks the variable that sets the time between two lines of progress.
///
/// # Errors
/// If it is not a number of seconds.
pub(crate) fn check_interval() -> anyhow::Result<()> {
    ASKED_INTERVAL.as_ref().map(|_| ()).map_err(|reason| anyhow!(reason.clone()))
}

/// When the lines are due.
#[derive(Debug)]
struct Lines {
    begin: Instant,
    /// The number that was done at the beginning.
    done_before: u64,
    /// The time from the beginning to the next line.
    due: Duration,
    /// The time between two lines, if it was set.
    interval: Option<Duration>,
}

impl Lines {
    fn begin(done_before: u64, interval: Option<Duration>) -> Self {
        Self { begin: Instant::now(), done_before, due: interval.unwrap_or(FIRST_LINE), interval }
    }

    /// Whether a line is due after this time; if so, schedules the next one.
    fn are_due(&mut self, elapsed: Duration) -> bool {
        if elapsed < self.due {
            return false;
        }
        self.due = match self.interval {
            Some(interval) => elapsed + interval,
            None => {
                let mut due = self.due;
                while due <= elapsed {
                    due += due.min(LONGEST_PAUSE);
                }
                due
            }
        };
        true
    }
}

/// A bar with rate and time left, in a line that fits the terminal.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    work: Work,
    standing: Arc<Mutex<Standing>>,
    /// The lines in place of the bar, if there is no terminal.
    lines: Option<Mutex<Lines>>,
}

/// The amount of work.
#[derive(Debug, Clone, Default)]
struct Work {
    /// The total number; `None` if the end is not known.
    number: Option<u64>,
    /// The total, or the unit, in words.
    words: String,
}

/// The standing of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// The leader in words, or nothing.
    pub(crate) leader: String,
    /// The entrants that lost games by faults, in words, or nothing.
    pub(crate) faults: String,
}

impl Bar {
    /// A progress bar for this number of items.
    pub(crate) fn of(number: u64, thing: &str) -> Self {
        Self::with_text(number, counted(number, thing))
    }

    /// A progress bar for at most this number of items.
    pub(crate) fn at_most(number: u64, thing: &str) -> Self {
        Self::with_text(number, format!("at most {}", counted(number, thing)))
    }

    /// A progress bar for an unknown number of these items.
    pub(crate) fn without_end(things: &str) -> Self {
        Self::with_length(None, things.to_owned())
    }

    fn with_text(number: u64, words: String) -> Self {
        Self::with_length(Some(number), words)
    }

    fn with_length(number: Option<u64>, words: String) -> Self {
        let standing = Arc::new(Mutex::new(Standing::default()));
        let style = ProgressStyle::with_template("{line}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let work = Work { number, words };
        let (shown, of) = (Arc::clone(&standing), work.clone());
        let style = style.with_key("line", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let line = Line::of(&of, state.pos(), state.per_sec(), state.eta(), locked(&shown).clone());
            let _ = out.write_str(&line.fitting(columns()));
        });
        let bar = ProgressBar::with_draw_target(number, ProgressDrawTarget::stderr());
        let has_lines = !io::stderr().is_terminal() && LISTENER.get().is_none();
        let interval = ASKED_INTERVAL.as_ref().ok().copied().flatten();
        let lines = has_lines.then(|| Mutex::new(Lines::begin(0, interval)));
        Self { bar: bar.with_style(style), work, standing, lines }
    }

    /// A hidden bar.
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), work: Work::default(), standing: Arc::default(), lines: None }
    }

    /// Sets the number done by an earlier run, which does not count for the rate.
    pub(crate) fn begin_at(&self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
        if let Some(lines) = &self.lines {
            let mut lines = locked(lines);
            *lines = Lines::begin(done, lines.interval);
        }
    }

    /// Shows the standing at the end of the line.
    pub(crate) fn set_standing(&self, standing: Standing) {
        *locked(&self.standing) = standing;
    }

    /// Sets the number done.
    pub(crate) fn show(&self, done: u64) {
        // Threads report in any order; the bar never goes backwards.
        let done = done.max(self.bar.position());
        self.bar.set_position(done);
        if let Some(tell) = LISTENER.get() {
            tell(done);
        }
        if let Some(lines) = &self.lines {
            let mut lines = locked(lines);
            let elapsed = lines.begin.elapsed();
            if lines.are_due(elapsed) {
                warn(&self.line(done, lines.done_before, elapsed));
            }
        }
    }

    /// The line without a terminal.
    fn line(&self, done: u64, done_before: u64, elapsed: Duration) -> String {
        let rate = done.saturating_sub(done_before) as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = self.work.number.map_or(0, |number| number.saturating_sub(done));
        let left = Duration::try_from_secs_f64(left as f64 / rate).unwrap_or(Duration::MAX);
        let line = Line::of(&self.work, done, rate, left, locked(&self.standing).clone());
        format!("progress: {}", line.whole())
    }

    /// Prints a text above the bar, or in place of a line of progress; nothing if the bar is hidden.
    pub(crate) fn print(&self, text: &str) {
        match self.lines {
            Some(_) => warn(&strip_str(text).to_string()),
            None => self.bar.println(text),
        }
    }

    /// Prints a line above the bar, if the bar is visible.
    pub(crate) fn print_message(&self, words: &str) {
        self.bar.println(words);
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The width of the line: one column less than the terminal, for the cursor.
fn columns() -> usize {
    terminal_size_of(io::stderr()).map_or(79, |(Width(columns), _)| usize::from(columns).saturating_sub(1))
}

/// The content of the line.
struct Line<'a> {
    /// From 0 to 1; `None` if the end is not known.
    done: Option<f64>,
    /// The number done.
    number: u64,
    of: &'a str,
    rate: String,
    left: String,
    standing: Standing,
}

impl<'a> Line<'a> {
    fn of(work: &'a Work, number: u64, rate: f64, left: Duration, standing: Standing) -> Self {
        let rounded = if rate < 10.0 { (10.0 * rate).round() / 10.0 } else { rate.round() };
        Self {
            done: work.number.map(|of| number as f64 / of.max(1) as f64),
            number,
            of: &work.words,
            rate: HumanFloatCount(rounded).to_string(),
            left: if rate <= 0.0 || left == Duration::MAX {
                "unknown time".into()
            } else {
                HumanDuration(left).to_string()
            },
            standing,
        }
    }

    /// The percentage or number done.
    fn percent(&self) -> String {
        match self.done {
            Some(done) => format!("{:.0}%", (100.0 * done).floor()),
            None => format!("{} {}", grouped(self.number), self.of),
        }
    }

    /// The whole line.
    fn whole(&self) -> String {
        let Self { of, rate, left, .. } = self;
        let text = match self.done {
            Some(_) => format!("{} of {of}, {rate} per second, {left} left", self.percent()),
            None => format!("{}, {rate} per second", self.percent()),
        };
        joined(&[&text, &self.standing.faults, self.leader()])
    }

    fn leader(&self) -> &str {
        self.standing.leader.trim_start_matches("; ")
    }

    /// As many parts as fit into the columns, the most important first.
    fn fitting(&self, columns: usize) -> String {
        let (percent, leader, faults) = (self.percent(), self.leader(), &*self.standing.faults);
        // `heuristic leads at 2 seats: 71.91% [71.45, 72.37]` without its interval.
        let shorter = leader.split_once(" [").map_or(leader, |(head, _)| head);
        let timed = match self.done {
            Some(_) => format!("{percent}, {} left", self.left),
            None => percent.clone(),
        };
        let bar = self.done.map_or_else(String::new, |done| drawn(done, 20) + " ");
        let forms = [
            bar + &self.whole(),
            self.whole(),
            joined(&[&timed, faults, leader]),
            joined(&[&percent, faults, leader]),
            joined(&[&percent, faults, shorter]),
            joined(&[&percent, faults]),
        ];
        let fits = |form: &&String| form.chars().count() <= columns;
        forms.iter().find(fits).cloned().unwrap_or_else(|| percent.chars().take(columns).collect())
    }
}

/// These parts of a line, without the empty ones.
fn joined(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
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
    fn lines_fit_terminal_without_cut_numbers() {
        let leader = "; heuristic leads at 2 seats: 71.91% [71.45, 72.37]";
        let line = |leader: &str, faults: &str| Line {
            done: Some(0.456),
            number: 54_720,
            of: "120,000 sets",
            rate: "12,345".into(),
            left: "3 minutes".into(),
            standing: Standing { leader: leader.into(), faults: faults.into() },
        };
        let faults = "games lost by faults: mine 12";
        for columns in 0..200 {
            for leader in [leader, "", "; a bot whose name is as long as a line of some poem: 50.00% [49.00, 51.00]"] {
                for faults in ["", faults] {
                    let text = line(leader, faults).fitting(columns);
                    assert!(text.chars().count() <= columns, "{columns}: {text}");
                }
            }
        }
        let without = line(leader, "");
        assert_eq!(without.fitting(79), "45%, 3 minutes left; heuristic leads at 2 seats: 71.91% [71.45, 72.37]");
        assert_eq!(without.fitting(59), "45%; heuristic leads at 2 seats: 71.91% [71.45, 72.37]");
        assert_eq!(without.fitting(45), "45%; heuristic leads at 2 seats: 71.91%");
        assert_eq!(line(leader, faults).fitting(45), "45%; games lost by faults: mine 12");
        let endless = Line { done: None, number: 54_720, of: "sets", ..line("", "") };
        assert_eq!(endless.fitting(79), "54,720 sets, 12,345 per second");
        assert!(without.fitting(160).starts_with("█████████░░░░░░░░░░░ 45% of 120,000 sets, 12,345 per second"));
        assert_eq!(
            line(leader, faults).whole(),
            "45% of 120,000 sets, 12,345 per second, 3 minutes left; games lost by faults: mine 12; heuristic leads at 2 \
             seats: 71.91% [71.45, 72.37]"
        );
    }

    #[test]
    fn progress_lines_come_at_doubled_times_and_every_ten_minutes() {
        let due = |interval: Option<u64>, looks: &[u64]| {
            let mut lines = Lines::begin(0, interval.map(Duration::from_secs));
            looks.iter().copied().filter(|&look| lines.are_due(Duration::from_secs(look))).collect::<Vec<_>>()
        };
        let every_second: Vec<u64> = (0..3_000).collect();
        assert_eq!(due(None, &every_second), [10, 20, 40, 80, 160, 320, 640, 1240, 1840, 2440]);
        // Batches that take long.
        assert_eq!(due(None, &[5, 35, 39, 40, 5_000, 5_400, 5_450]), [35, 40, 5_000, 5_450]);
        assert_eq!(due(Some(60), &every_second[..200]), [60, 120, 180]);
        assert_eq!(due(Some(0), &[0, 0, 1]), [0, 0, 1]);
    }

    #[test]
    fn rate_excludes_earlier_processes() {
        let work = Work { number: Some(1_000), words: "1,000 sets".into() };
        let bar = Bar { work, ..Bar::hidden() };
        let text = bar.line(500, 400, Duration::from_secs(20));
        assert_eq!(text, "progress: 50% of 1,000 sets, 5 per second, 2 minutes left");
        assert_eq!(
            bar.line(400, 400, Duration::from_secs(20)),
            "progress: 40% of 1,000 sets, 0 per second, unknown time left"
        );
        let (work, standing) = (Work { number: Some(10), words: "10 sets".into() }, Standing::default());
        assert_eq!(Line::of(&work, 0, 0.0, Duration::ZERO, standing).left, "unknown time");
    }

    #[test]
    fn progress_interval_is_parsed_as_seconds() {
        assert_eq!(interval_of("60"), Ok(Duration::from_secs(60)));
        let refused = "UNOLAB_PROGRESS_INTERVAL: soon is not allowed; allowed: 0 to 1000000 seconds";
        assert_eq!(interval_of("soon"), Err(refused.to_owned()));
    }
}
