//! The time that a program takes, on a clock that other processes do not affect: a busy machine costs nobody a game.
//!
//! Time in which a program was ready to run while others used the processor does not count. Linux reports it
//! (`/proc/PID/task/TID/schedstat`: the nanoseconds that a thread waited for a processor). It is subtracted, but never below
//! the processor time of the program with all processes that it has started, so a program gains nothing by blocking itself. On
//! other systems all time counts.
//!
//! Only slow answers are examined: an answer in the first part of its time limit costs nothing.

use std::fs;
use std::time::{Duration, Instant};

use rustix::param::clock_ticks_per_second;
use rustix::process::Pid;

use super::family;

/// The part of its time after which a program is first examined.
const FIRST_LOOK: u32 = 8;

/// The shortest time between two looks.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

/// The longest wait for a program, as a multiple of its time limit, on any busy machine.
const PATIENCE: u32 = 20;

/// The clock of one decision.
#[derive(Debug)]
pub(super) struct Clock {
    program: Option<Pid>,
    limit: Duration,
    begin: Instant,
    /// When it was first looked at, and what it had used until then.
    first: Option<(Instant, Usage)>,
    next_look: Instant,
}

impl Clock {
    /// A clock that begins then.
    pub(super) fn start(program: Option<Pid>, limit: Duration, begin: Instant) -> Self {
        Self { program, limit, begin, first: None, next_look: begin + limit / FIRST_LOOK }
    }

    /// The time for which to wait from now before reading the clock again; none if the time is over.
    pub(super) fn waits_for(&mut self, now: Instant) -> Option<Duration> {
        if now < self.next_look {
            return Some(self.next_look - now);
        }
        let left = self.limit.saturating_sub(self.taken_by(now));
        if left.is_zero() || now >= self.begin + self.limit * PATIENCE {
            return None;
        }
        if self.first.is_none() {
            self.first = self.program.map(|program| (now, Usage::of(program)));
        }
        let wait = left.max(SHORTEST_WAIT);
        self.next_look = now + wait;
        Some(wait)
    }

    /// The time that the program has used until now.
    pub(super) fn taken_by(&self, now: Instant) -> Duration {
        match (&self.first, self.program) {
            (Some((looked, before)), Some(program)) => {
                (*looked - self.begin) + Usage::of(program).since(before).counted(now - *looked)
            }
            _ => now - self.begin,
        }
    }
}

/// The processor use of a program and its descendants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Usage {
    /// The time that they have run.
    running: Duration,
    /// The time that they waited for a processor.
    waiting: Duration,
}

impl Usage {
    fn of(program: Pid) -> Self {
        let mut family = vec![program];
        let mut usage = Self::default();
        while let Some(process) = family.pop() {
            family.extend(family::children(process));
            usage.running += processor_time(process);
            usage.waiting += family::threads(process).into_iter().map(|thread| waiting(process, thread)).sum();
        }
        usage
    }

    /// The use since then. Processes that have ended take theirs along.
    fn since(&self, before: &Self) -> Self {
        Self {
            running: self.running.saturating_sub(before.running),
            waiting: self.waiting.saturating_sub(before.waiting),
        }
    }

    /// The part of the passed time that counts.
    fn counted(&self, passed: Duration) -> Duration {
        passed - self.waiting.min(passed.saturating_sub(self.running))
    }
}

/// The processor time of a process, and of its children that it has waited for.
pub(super) fn processor_time(process: Pid) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name, in parentheses, may hold anything; the times are fields 14 to 17, and the next after the name is 3.
    let after_name = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: u64 = after_name.split_whitespace().skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_nanos(ticks.saturating_mul(1_000_000_000 / clock_ticks_per_second().max(1)))
}

/// The time that a thread has waited for a processor.
fn waiting(process: Pid, thread: Pid) -> Duration {
    let schedstat = fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat")).unwrap_or_default();
    let waiting = schedstat.split_whitespace().nth(1).and_then(|field| field.parse().ok());
    Duration::from_nanos(waiting.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_others_is_not_charged_and_who_waits_for_itself_is() {
        for (passed, running, waiting, counted) in [
            (250, 250, 0, 250),     // thinks
            (250, 0, 0, 250),       // sleeps
            (250, 40, 210, 40),     // others have the processor
            (250, 40, 100, 150),    // sleeps, and others have the processor
            (250, 500, 2_500, 250), // twelve children of its own have both processors
            (250, 240, 2_500, 240), // and if others leave them one: that one is their own
            (250, 0, 9_999, 0),
        ] {
            let ms = Duration::from_millis;
            let usage = Usage { running: ms(running), waiting: ms(waiting) };
            assert_eq!(usage.counted(ms(passed)), ms(counted), "{usage:?}");
        }
    }

    #[test]
    fn an_answer_in_time_is_never_looked_at_and_a_clock_without_a_program_counts_all() {
        let begin = Instant::now();
        let mut clock = Clock::start(None, Duration::from_secs(3_600), begin);
        assert!(clock.waits_for(begin).is_some() && clock.first.is_none());
        let mut clock = Clock::start(None, Duration::ZERO, begin);
        assert_eq!(clock.waits_for(begin), None);
        assert_eq!(clock.taken_by(begin + Duration::from_secs(1)), Duration::from_secs(1));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_time_of_a_process_is_seen() {
        let this = rustix::process::getpid();
        let before = Usage::of(this);
        let until = Instant::now() + Duration::from_secs(20);
        while Usage::of(this).since(&before).running < Duration::from_millis(20) {
            assert!(Instant::now() < until, "it has run, and nothing was counted");
        }
    }

    /// Of one thread, but for what is counted by whole ticks.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_does_not_run_longer_than_it_is_there() {
        let begin = Instant::now();
        let mut busy = std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("it starts");
        let mut seen = Duration::ZERO;
        while seen < Duration::from_millis(50) && begin.elapsed() < Duration::from_secs(20) {
            seen = processor_time(Pid::from_child(&busy));
        }
        let there = begin.elapsed();
        busy.kill().and_then(|()| busy.wait()).expect("it is ended");
        assert!((50..=there.as_millis() + 20).contains(&seen.as_millis()), "{seen:?} in {there:?}");
    }
}
