//! The processor time of a program and its descendants, as the system counts it (Linux: `/proc`). Not available on other
//! systems.

use std::cell::RefCell;
use std::fs::{self, File};
use std::time::{Duration, Instant};

use rustix::io::pread;
use rustix::param::clock_ticks_per_second;
use rustix::process::Pid;

use super::guard;
use super::process_tree::{self, ProcessTag};

/// One reading: a program and its descendants.
pub(super) type Reading = Vec<ProcessUsage>;

/// The counters of a process since its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProcessUsage {
    pub(super) id: Pid,
    /// Its threads that have not ended.
    pub(super) threads: Vec<ThreadUsage>,
    /// The processor time of all its threads, in whole ticks: those that have ended are included.
    pub(super) ran: Duration,
    /// The processor time of its children that it has waited for, in whole ticks.
    pub(super) reaped: Duration,
    /// The page faults of its children that it has waited for: at least one for each child.
    pub(super) reaped_faults: u64,
}

/// The counters of a thread since its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadUsage {
    pub(super) id: Pid,
    /// Whether it runs or waits for a processor. This was read before the times, so if it did neither, `waited` is complete.
    pub(super) state: ThreadState,
    /// The time that it has run.
    pub(super) ran: Duration,
    /// The time that it has waited for a processor. A wait is added when it ends.
    pub(super) waited: Duration,
}

/// What a thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThreadState {
    /// It runs or waits for a processor: the system does not distinguish these.
    Runnable,
    /// It sleeps, waits for a disk, is stopped or has ended.
    Blocked,
}

/// A source of readings.
pub(super) trait UsageSource {
    /// Reads all counters now.
    fn read(&self) -> Reading;

    /// The time that the calling thread has waited for a processor, up to this time. A value up to [`SHORT`] old will do.
    fn own_wait(&self, now: Instant) -> Duration;
}

/// The time for which a value of the calling thread is kept.
const SHORT: Duration = Duration::from_millis(1);

/// A program with its descendants.
#[derive(Debug)]
pub(super) struct ProcessTreeUsage {
    pub(super) command: String,
    pub(super) program: Pid,
    pub(super) tag: ProcessTag,
}

impl UsageSource for ProcessTreeUsage {
    fn read(&self) -> Reading {
        let mut found = guard::adopted();
        found.retain(|&orphan| self.tag.is_on(orphan));
        found.push(self.program);
        let mut reading = Reading::new();
        while let Some(process) = found.pop() {
            // First the children: one that is missing here has been waited for, and the counters read next include it.
            found.extend(process_tree::children(process));
            reading.extend(ProcessUsage::of(process));
        }
        reading
    }

    fn own_wait(&self, now: Instant) -> Duration {
        thread_local! {
            static OWN: RefCell<ThreadWait> = RefCell::new(ThreadWait::open());
        }
        OWN.with_borrow_mut(|own| own.until(now))
    }
}

impl ProcessUsage {
    /// `None` if it has ended and was waited for, or where the system does not report it.
    fn of(process: Pid) -> Option<Self> {
        let stat = Stat::read(&format!("/proc/{process}/stat"))?;
        let threads = if stat.threads == 1 {
            vec![ThreadUsage::of(process, stat.state, &format!("/proc/{process}/schedstat"))]
        } else {
            process_tree::threads(process).into_iter().filter_map(|thread| ThreadUsage::read(process, thread)).collect()
        };
        let Stat { ran, reaped, reaped_faults, .. } = stat;
        Some(Self { id: process, threads, ran, reaped, reaped_faults })
    }
}

impl ThreadUsage {
    fn read(process: Pid, thread: Pid) -> Option<Self> {
        let directory = format!("/proc/{process}/task/{thread}");
        let state = Stat::read(&format!("{directory}/stat"))?.state;
        Some(Self::of(thread, state, &format!("{directory}/schedstat")))
    }

    fn of(id: Pid, state: ThreadState, schedstat: &str) -> Self {
        let [ran, waited] = schedule(&fs::read(schedstat).unwrap_or_default());
        Self { id, state, ran, waited }
    }
}

/// The times of a `schedstat` file: running and waiting for a processor.
fn schedule(text: &[u8]) -> [Duration; 2] {
    let mut fields = std::str::from_utf8(text).unwrap_or_default().split_ascii_whitespace();
    [(); 2].map(|()| Duration::from_nanos(fields.next().and_then(|field| field.parse().ok()).unwrap_or(0)))
}

/// The fields of a `stat` file that matter here.
struct Stat {
    state: ThreadState,
    threads: u64,
    ran: Duration,
    reaped: Duration,
    reaped_faults: u64,
}

impl Stat {
    fn read(path: &str) -> Option<Self> {
        let stat = fs::read_to_string(path).ok()?;
        // The name, in parentheses, may contain any characters; the next field is number 3.
        let (_, after_name) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
        let number = |field: usize| fields.get(field - 3).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        let state = if fields.first() == Some(&"R") { ThreadState::Runnable } else { ThreadState::Blocked };
        let (ran, reaped) = (ticks(number(14) + number(15)), ticks(number(16) + number(17)));
        Some(Self { state, threads: number(20), ran, reaped, reaped_faults: number(11) + number(13) })
    }
}

fn ticks(number: u64) -> Duration {
    Duration::from_nanos(number.saturating_mul(1_000_000_000 / clock_ticks_per_second().max(1)))
}

/// The processor time of a process, and of its children that it has waited for.
pub(super) fn processor_time(process: Pid) -> Duration {
    Stat::read(&format!("/proc/{process}/stat")).map_or(Duration::ZERO, |stat| stat.ran + stat.reaped)
}

/// The waits of a thread for a processor, read by the thread itself.
struct ThreadWait {
    schedstat: Option<File>,
    read: Option<Instant>,
    waited: Duration,
}

impl ThreadWait {
    fn open() -> Self {
        Self { schedstat: File::open("/proc/thread-self/schedstat").ok(), read: None, waited: Duration::ZERO }
    }

    fn until(&mut self, now: Instant) -> Duration {
        if self.read.is_none_or(|read| now.saturating_duration_since(read) > SHORT)
            && let Some(schedstat) = &self.schedstat
        {
            let mut bytes = [0; 64];
            let number = pread(schedstat, &mut bytes, 0).unwrap_or(0);
            [_, self.waited] = schedule(&bytes[..number]);
            self.read = Some(now);
        }
        self.waited
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Child, Command};

    use super::*;

    fn sh(script: &str) -> (Child, ProcessTreeUsage) {
        let child = Command::new("sh").args(["-c", script]).spawn().expect("sh starts");
        let program = Pid::from_child(&child);
        (child, ProcessTreeUsage { command: String::new(), program, tag: ProcessTag::new() })
    }

    fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
        let until = Instant::now() + Duration::from_secs(60);
        while !holds() {
            assert!(Instant::now() < until, "{what}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn ran(reading: &Reading) -> Duration {
        reading.iter().flat_map(|process| &process.threads).map(|thread| thread.ran).sum()
    }

    #[test]
    fn busy_process_is_runnable_with_bounded_usage() {
        let begin = Instant::now();
        let (mut child, usage) = sh("while :; do :; done");
        wait_for("it runs", || ran(&usage.read()) >= Duration::from_millis(30));
        let (reading, passed) = (usage.read(), begin.elapsed());
        child.kill().and_then(|()| child.wait()).expect("it is ended");
        assert_eq!(reading[0].threads[0].state, ThreadState::Runnable);
        assert!(ran(&reading) <= passed, "{reading:?} in {passed:?}");
        assert!(reading[0].ran <= passed + Duration::from_millis(20), "{reading:?} in {passed:?}");
        assert_eq!(usage.read(), []);
    }

    #[test]
    fn sleeping_process_is_blocked() {
        let (mut child, usage) = sh("exec sleep 600");
        wait_for("it sleeps", || matches!(&usage.read()[..], [one] if one.threads[0].state == ThreadState::Blocked));
        child.kill().and_then(|()| child.wait()).expect("it is ended");
    }

    #[test]
    fn children_are_measured_while_running_and_then_by_parent() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("end");
        let (mut child, usage) = sh(&format!("(until [ -e {} ]; do :; done); exec sleep 600", file.display()));
        wait_for("its child runs", || usage.read().len() == 2 && ran(&usage.read()) > Duration::from_millis(60));
        fs::write(file, "").expect("a file");
        wait_for("its child has ended", || usage.read().len() == 1);
        let reading = usage.read();
        child.kill().and_then(|()| child.wait()).expect("it is ended");
        assert!(reading[0].reaped > Duration::ZERO && reading[0].reaped_faults > 0, "{reading:?}");
        assert!(reading[0].reaped > reading[0].ran, "{reading:?}");
    }

    #[test]
    fn every_thread_is_measured() {
        let usage =
            ProcessTreeUsage { command: String::new(), program: rustix::process::getpid(), tag: ProcessTag::new() };
        let is_done = std::sync::Barrier::new(3);
        std::thread::scope(|scope| {
            (0..2).for_each(|_| drop(scope.spawn(|| is_done.wait())));
            let reading = usage.read();
            let process = reading.iter().find(|process| process.id == usage.program).expect("this process");
            assert!(process.threads.len() >= 3, "{process:?}");
            is_done.wait();
        });
    }

    #[test]
    fn schedstat_is_parsed_and_other_text_is_rejected() {
        let ns = Duration::from_nanos;
        assert_eq!(schedule(b"38285963 17122824 118\n"), [ns(38_285_963), ns(17_122_824)]);
        assert_eq!(schedule(b""), [Duration::ZERO; 2]);
        assert_eq!(schedule(b"\xff"), [Duration::ZERO; 2]);
    }
}
