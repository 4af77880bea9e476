//! The time that a program takes for an answer, without the time that it waits for a processor.
//!
//! Charged are the processor time of the program with all its descendants, and the time in which it waits for anything other
//! than a processor. Linux reports how long each thread has run and waited for a processor, so the charge is the time that
//! has passed less the waits, but never less than the processor time. On other systems all time counts.
//!
//! Uncertainties are resolved in favor of the program:
//! - A wait is reported when it ends. The wait of a thread that is still runnable has begun at the earliest after the last
//!   reading before its counters changed: all that time may be a wait, so it does not count yet.
//! - The answer may arrive long before this process gets a processor to read it. Once an answer has arrived, only processor
//!   time makes it late.
//! - A program is late only if it has not answered a [`grace`] after a reading that shows it late.
//! - If this process is stopped or frozen, the programs may be too: the time of such a [`STALL`] does not count.
//!
//! A program that does not get a processor at all is not late either. After a long wait the run ends, because the machine is
//! too busy for it: see [`TimeoutCause::Starved`].
//!
//! Waits are subtracted only while all processor time is known. A descendant that ends without being waited for takes its
//! counters along, so the whole time between the two readings counts.
//!
//! Quick answers are not examined; their whole time counts.

use std::time::{Duration, Instant};

use super::ledger::Ledger;
use super::usage::UsageSource;

/// The part of the limit after which a program is examined for the first time.
const FIRST_LOOK: u32 = 8;

/// The number of readings in a limit, and the shortest and the longest time between two.
const LOOKS: u32 = 32;
const SHORTEST_WAIT: Duration = Duration::from_millis(2);
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// The time between two readings for each thread of the program. A reading takes less than a tenth of it.
const WAIT_PER_THREAD: Duration = Duration::from_micros(100);

/// The time for each thread up to which an answer is quick.
const QUICK_PER_THREAD: Duration = Duration::from_millis(1);

/// The part of the limit that quick answers may take together until the counters are read again.
const BEHIND: u32 = 16;

/// The longest wait for a program, as a multiple of its limit, and at least this time.
const PATIENCE: u32 = 100;
const LEAST_PATIENCE: Duration = Duration::from_secs(60);

/// A program is starved if its waits for a processor are at least the elapsed time divided by this.
const STARVED: u32 = 4;

/// If a reading is later than planned by more than this, this process was stopped or frozen.
const STALL: Duration = Duration::from_millis(500);

/// The clock of a program.
#[derive(Debug)]
pub(super) struct Clock<S> {
    pub(super) source: S,
    ledger: Ledger,
    /// The time that answers have taken since the last reading before this question.
    behind: Duration,
    limit: Duration,
    begin: Instant,
    next_look: Instant,
    /// When a reading first showed that the program is late.
    late_since: Option<Instant>,
    /// The time that this thread had waited for a processor when it last found no answer.
    own_wait: Duration,
    /// The time in which this process did not run.
    stalled: Duration,
}

/// Why there is no answer in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeoutCause {
    /// The program has used up its limit.
    Late,
    /// The program has not used up its limit, and has waited for a processor for at least a quarter of a long time.
    Starved,
}

/// The time since the question, and the processor time used for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeSpent {
    pub(super) passed: Duration,
    pub(super) ran: Duration,
}

impl<S: UsageSource> Clock<S> {
    /// The clock of a program that has just been started.
    pub(super) fn new(source: S, now: Instant) -> Self {
        let (ledger, begin, next_look, late_since) = (Ledger::new(now), now, now, None);
        let [behind, limit, own_wait, stalled] = [Duration::ZERO; 4];
        Self { source, ledger, behind, limit, begin, next_look, late_since, own_wait, stalled }
    }

    /// Prepares for a question with this limit. Call it before the question is sent.
    pub(super) fn prepare(&mut self, limit: Duration, now: Instant) {
        if self.behind > limit / BEHIND {
            self.read(now);
            self.behind = Duration::ZERO;
        }
    }

    /// Starts: the question has been sent.
    pub(super) fn start(&mut self, limit: Duration, now: Instant) {
        self.ledger.restart(now, self.behind);
        (self.limit, self.begin, self.next_look) = (limit, now, now + limit / FIRST_LOOK);
        (self.late_since, self.stalled) = (None, Duration::ZERO);
        self.own_wait = self.source.own_wait(now);
    }

    /// The time to wait for an answer before the next call. Call it only if no answer has arrived.
    ///
    /// # Errors
    /// If the program does not get more time.
    pub(super) fn wait(&mut self, now: Instant) -> Result<Duration, TimeoutCause> {
        if now < self.next_look {
            return Ok(self.next_look - now);
        }
        if self.limit.is_zero() {
            return Err(TimeoutCause::Late);
        }
        self.read(now);
        self.own_wait = self.source.own_wait(now);
        let delay = now - self.next_look;
        if delay > STALL {
            self.stalled += delay;
        }
        let has_patience = now < self.begin + self.stalled + (self.limit * PATIENCE).max(LEAST_PATIENCE);
        let left = if has_patience { self.limit.saturating_sub(self.charge()) } else { Duration::ZERO };
        let wait = if left.is_zero() {
            // If its answer has arrived since, it is read next, and the program is not late.
            let late_since = *self.late_since.get_or_insert(now);
            let grace = grace(self.limit).saturating_sub(now - late_since);
            if grace.is_zero() {
                return Err(self.timeout_cause(now));
            }
            grace
        } else {
            self.late_since = None;
            let often = (self.limit / LOOKS).clamp(SHORTEST_WAIT, LONGEST_WAIT);
            left.clamp(SHORTEST_WAIT, often.max(WAIT_PER_THREAD * self.ledger.threads()))
        };
        self.next_look = now + wait;
        Ok(wait)
    }

    fn timeout_cause(&self, now: Instant) -> TimeoutCause {
        let is_starved = self.charge() < self.limit && self.ledger.queued() >= (now - self.begin) / STARVED;
        if is_starved { TimeoutCause::Starved } else { TimeoutCause::Late }
    }

    /// The time charged up to the last reading.
    fn charge(&self) -> Duration {
        let ran = self.ledger.ran().min(self.ledger.passed());
        self.ledger.charge().saturating_sub(self.stalled).max(ran)
    }

    /// The time charged for an answer that has arrived.
    ///
    /// # Errors
    /// If the program had used more processor time than its limit.
    pub(super) fn answer(&mut self, now: Instant) -> Result<Duration, TimeoutCause> {
        let passed = now - self.begin;
        if passed <= (QUICK_PER_THREAD * self.ledger.threads().max(1)).min(self.limit / FIRST_LOOK) {
            self.behind += passed;
            return Ok(passed);
        }
        let waited_to_read = self.source.own_wait(now).saturating_sub(self.own_wait);
        self.read(now);
        self.behind = Duration::ZERO;
        let ran = self.ledger.ran().min(passed);
        if ran > self.limit {
            return Err(TimeoutCause::Late);
        }
        Ok(self.charge().saturating_sub(waited_to_read).clamp(ran, self.limit))
    }

    /// The time spent up to this time, by the last reading.
    pub(super) fn spent(&self, now: Instant) -> TimeSpent {
        TimeSpent { passed: now - self.begin, ran: self.ledger.ran() }
    }

    fn read(&mut self, now: Instant) {
        self.ledger.add(&self.source.read(), now);
    }
}

/// The time in which a program that seems to be late may still answer.
fn grace(limit: Duration) -> Duration {
    (limit / 16).clamp(Duration::from_millis(2), Duration::from_millis(10))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use rustix::process::Pid;

    use super::super::usage::{ProcessUsage, Reading, ThreadState, ThreadUsage};
    use super::TimeoutCause::{Late, Starved};
    use super::*;

    const fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    /// What a thread does for this number of milliseconds.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Step {
        Runs(u64),
        Queues(u64),
        Sleeps(u64),
    }
    use Step::{Queues, Runs, Sleeps};

    impl Step {
        fn time(self) -> Duration {
            let (Runs(time) | Queues(time) | Sleeps(time)) = self;
            ms(time)
        }
    }

    fn time(steps: &[Step]) -> Duration {
        steps.iter().map(|step| step.time()).sum()
    }

    fn time_of(steps: &[Step], kind: fn(u64) -> Step) -> Duration {
        steps
            .iter()
            .filter(|step| **step == kind(u64::try_from(step.time().as_millis()).unwrap()))
            .map(|step| step.time())
            .sum()
    }

    /// The counters of a thread that has taken these steps up to this time, and then sleeps. As in Linux, the running time grows
    /// every 4 ms, and a wait is added when it ends.
    fn thread(id: i32, steps: &[Step], mut left: Duration) -> ThreadUsage {
        let (mut ran, mut waited) = (Duration::ZERO, Duration::ZERO);
        let mut state = ThreadState::Blocked;
        for step in steps {
            let is_complete = left >= step.time();
            let part = left.min(step.time());
            match step {
                Runs(_) if is_complete => ran += part,
                Runs(_) => ran += part - Duration::from_nanos(u64::try_from(part.as_nanos()).unwrap() % 4_000_000),
                Queues(_) if is_complete => waited += part,
                Queues(_) | Sleeps(_) => {}
            }
            if !is_complete {
                if !matches!(step, Sleeps(_)) {
                    state = ThreadState::Runnable;
                }
                break;
            }
            left -= part;
        }
        ThreadUsage { id: Pid::from_raw(id).unwrap(), state, ran, waited }
    }

    fn process(threads: Vec<ThreadUsage>) -> ProcessUsage {
        let ran: Duration = threads.iter().map(|thread| thread.ran).sum();
        let ran = ms(u64::try_from(ran.as_millis()).unwrap() / 10 * 10);
        ProcessUsage { id: threads[0].id, threads, ran, reaped: Duration::ZERO, reaped_faults: 0 }
    }

    /// A machine whose time moves only when the test moves it.
    struct Machine {
        begin: Instant,
        passed: Cell<Duration>,
        own_wait: Cell<Duration>,
        readings: Cell<u32>,
        read: Box<dyn Fn(Duration) -> Reading>,
    }

    impl Machine {
        fn new(read: impl Fn(Duration) -> Reading + 'static) -> Rc<Self> {
            let (passed, own_wait, readings) = (Cell::default(), Cell::default(), Cell::default());
            Rc::new(Self { begin: Instant::now(), passed, own_wait, readings, read: Box::new(read) })
        }

        /// A program of one thread.
        fn of(steps: &[Step]) -> Rc<Self> {
            let steps = steps.to_vec();
            Self::new(move |passed| vec![process(vec![thread(1, &steps, passed)])])
        }

        fn now(&self) -> Instant {
            self.begin + self.passed.get()
        }

        fn pass(&self, time: Duration) {
            self.passed.set(self.passed.get() + time);
        }

        /// This process waits for a processor.
        fn delay(&self, time: Duration) {
            self.pass(time);
            self.own_wait.set(self.own_wait.get() + time);
        }

        /// Asks, and waits for the answer, which arrives after this time. Before each look at the pipe and after it, this process
        /// is delayed.
        fn ask(self: &Rc<Self>, limit: Duration, answers: Duration, delays: &[u64]) -> Result<Duration, TimeoutCause> {
            let mut clock = Clock::new(Rc::clone(self), self.now());
            clock.prepare(limit, self.now());
            self.ask_with(&mut clock, limit, answers, delays)
        }

        fn ask_with(
            self: &Rc<Self>,
            clock: &mut Clock<Rc<Self>>,
            limit: Duration,
            answers: Duration,
            delays: &[u64],
        ) -> Result<Duration, TimeoutCause> {
            let mut delays = delays.iter().copied().cycle().map(ms);
            let mut delay = || self.delay(delays.next().unwrap_or_default());
            let until = self.passed.get() + answers;
            clock.start(limit, self.now());
            loop {
                let wait = clock.wait(self.now())?;
                self.pass(wait.min(until.saturating_sub(self.passed.get())));
                delay();
                let has_answered = self.passed.get() >= until;
                delay();
                if has_answered {
                    return clock.answer(self.now());
                }
            }
        }
    }

    impl UsageSource for Rc<Machine> {
        fn read(&self) -> Reading {
            self.readings.set(self.readings.get() + 1);
            (self.read)(self.passed.get())
        }

        fn own_wait(&self, _: Instant) -> Duration {
            self.own_wait.get()
        }
    }

    fn ask(limit: u64, steps: &[Step], delays: &[u64]) -> Result<Duration, TimeoutCause> {
        Machine::of(steps).ask(ms(limit), time(steps), delays)
    }

    #[test]
    fn only_waiting_for_processor_is_not_charged() {
        for (steps, charged) in [
            (vec![Runs(70)], Ok(ms(70))),
            (vec![Runs(130)], Err(Late)),
            (vec![Sleeps(130)], Err(Late)),
            (vec![Queues(1_500), Runs(70)], Ok(ms(70))),
            (vec![Runs(10), Queues(1_500), Runs(60), Queues(300)], Ok(ms(70))),
            (vec![Queues(1_500), Runs(130)], Err(Late)),
            (vec![Queues(50), Sleeps(40), Queues(200), Runs(30)], Ok(ms(70))),
            (vec![Queues(50), Sleeps(80), Queues(200), Runs(40)], Err(Late)),
            (vec![Runs(9), Queues(40), Runs(9), Queues(40), Runs(9), Queues(40), Runs(9)], Ok(ms(36))),
        ] {
            assert_eq!(ask(100, &steps, &[0]), charged, "{steps:?}");
        }
    }

    #[test]
    fn program_without_processor_is_starved_after_minute_or_hundred_limits() {
        assert_eq!(ask(100, &[Queues(59_900), Runs(1)], &[0]), Ok(ms(1)));
        assert_eq!(ask(1_000, &[Queues(99_900), Runs(1)], &[0]), Ok(ms(1)));
        for steps in [
            vec![Queues(70_000), Runs(1)],
            vec![Runs(60), Queues(30_000), Runs(20), Queues(40_000)],
            vec![Queues(59_980), Sleeps(80), Runs(1)],
            [Queues(400), Runs(1)].repeat(90).into_iter().chain([Queues(40_000)]).collect(),
        ] {
            assert_eq!(ask(100, &steps, &[0]), Err(Starved), "{steps:?}");
        }
        assert_eq!(ask(1_000, &[Queues(100_100), Runs(1)], &[0]), Err(Starved));
    }

    /// Its parent waits for the children, which do not get a processor.
    #[test]
    fn program_with_children_without_processor_is_starved() {
        let read = |passed: Duration| {
            let number = u32::try_from(passed.as_millis() / 500).expect("small");
            let child = process(vec![thread(
                2 + number.cast_signed(),
                &[Queues(499), Runs(1)],
                passed - 500 * ms(number.into()),
            )]);
            let main = process(vec![thread(1, &[Sleeps(90_000)], passed)]);
            vec![ProcessUsage { reaped: ms(number.into()), reaped_faults: number.into(), ..main }, child]
        };
        assert_eq!(Machine::new(read).ask(ms(200), ms(90_000), &[0]), Err(Starved));
    }

    /// Five hundred threads wake at the same time: all their waits together are longer than the time that has passed.
    #[test]
    fn sleep_after_parallel_waits_of_threads_is_late() {
        let read = |passed: Duration| {
            let burst = |number: u64| [Queues(number), Runs(1), Sleeps(200_000)];
            vec![process(
                (0..500).map(|number| thread(1 + number, &burst(number.unsigned_abs().into()), passed)).collect(),
            )]
        };
        assert_eq!(Machine::new(read).ask(ms(600), ms(90_000), &[0]), Err(Late));
    }

    /// This process and the program are stopped, and this process resumes first.
    #[test]
    fn stop_of_this_process_is_not_charged() {
        let ask = |limit, steps: &[Step]| {
            let machine = Machine::of(steps);
            let mut clock = Clock::new(Rc::clone(&machine), machine.now());
            clock.start(ms(limit), machine.now());
            machine.pass(clock.wait(machine.now()).expect("time is left") + ms(300_000));
            let until = time(steps);
            while machine.passed.get() < until {
                let wait = clock.wait(machine.now())?;
                machine.pass(wait.min(until.saturating_sub(machine.passed.get())));
            }
            clock.answer(machine.now())
        };
        let charged = ask(1_000, &[Sleeps(300_500), Runs(50)]).expect("in time");
        assert!((ms(50)..=ms(1_000)).contains(&charged), "{charged:?}");
        assert_eq!(ask(1_000, &[Sleeps(302_000)]), Err(Late));
        assert_eq!(ask(1_000, &[Runs(301_500)]), Err(Late));
    }

    /// The answer is there, but this process gets no processor to read it; a stopped run is the extreme.
    #[test]
    fn delay_in_reading_an_answer_is_not_charged() {
        assert_eq!(ask(80, &[Runs(50)], &[300]), Ok(ms(50)));
        assert_eq!(ask(80, &[Runs(50)], &[60_000]), Ok(ms(50)));
        assert_eq!(ask(80, &[Runs(30), Sleeps(20)], &[0, 40]), Ok(ms(50)));
        // How much of the delay was before the answer is not known.
        assert_eq!(ask(80, &[Runs(30), Sleeps(20)], &[40]), Ok(ms(30)));
        assert_eq!(ask(80, &[Runs(90)], &[300]), Err(Late));
    }

    #[test]
    fn program_without_measurements_is_charged_all_time() {
        let machine = Machine::new(|_| Vec::new());
        assert_eq!(machine.ask(ms(100), ms(90), &[0]), Ok(ms(90)));
        assert_eq!(machine.ask(ms(100), ms(120), &[0]), Err(Late));
        assert_eq!(machine.ask(Duration::ZERO, ms(0), &[0]), Err(Late));
    }

    #[test]
    fn quick_answers_are_rarely_measured_without_later_effect() {
        let machine = Machine::of(&[Runs(600)]);
        let mut clock = Clock::new(Rc::clone(&machine), machine.now());
        for _ in 0..1_000 {
            clock.prepare(ms(160), machine.now());
            let answer = machine.ask_with(&mut clock, ms(160), Duration::from_micros(500), &[0]);
            assert_eq!(answer, Ok(Duration::from_micros(500)));
        }
        // In 500 ms, one each time that a sixteenth of the limit has passed.
        assert!((1..=50).contains(&machine.readings.get()), "{}", machine.readings.get());
        clock.prepare(ms(160), machine.now());
        assert_eq!(machine.ask_with(&mut clock, ms(160), ms(100), &[0]), Ok(ms(100)));
    }

    #[test]
    fn slow_answer_is_charged_from_question() {
        let steps = [Runs(90), Sleeps(1_000), Runs(90), Queues(500), Sleeps(5), Runs(130)];
        let machine = Machine::of(&steps);
        let mut clock = Clock::new(Rc::clone(&machine), machine.now());
        assert_eq!(machine.ask_with(&mut clock, ms(100), ms(90), &[0]), Ok(ms(90)));
        machine.pass(ms(1_000)); // not its turn
        clock.prepare(ms(100), machine.now());
        assert_eq!(machine.ask_with(&mut clock, ms(100), ms(590), &[0]), Ok(ms(90)));
        machine.pass(ms(5));
        assert_eq!(machine.ask_with(&mut clock, ms(100), ms(130), &[0]), Err(Late));
        let TimeSpent { passed, ran } = clock.spent(machine.now());
        assert!(passed > ms(100) && ran > ms(95) && ran <= passed, "{passed:?} {ran:?}");
    }

    /// A program whose main thread queues on the processor on which one child after the other runs for 8 ms.
    fn with_short_children(reaped: impl Fn(u64) -> (Duration, u64) + 'static) -> Rc<Machine> {
        Machine::new(move |passed| {
            let number = u64::try_from(passed.as_millis()).unwrap() / 8;
            let child = thread(100 + i32::try_from(number).unwrap(), &[Runs(8)], passed - ms(8 * number));
            let mut main = process(vec![thread(1, &[Queues(5), Runs(1)].repeat(10_000), passed)]);
            (main.reaped, main.reaped_faults) = reaped(number);
            vec![main, process(vec![child])]
        })
    }

    #[test]
    fn lost_time_of_children_is_not_counted_as_waiting() {
        let all_lost = with_short_children(|_| (Duration::ZERO, 0));
        assert_eq!(all_lost.ask(ms(250), ms(500), &[0]), Err(Late));
        let one_in_four_is_waited_for = with_short_children(|number| (ms(number / 4 * 8 / 10 * 10), 30 * (number / 4)));
        assert_eq!(one_in_four_is_waited_for.ask(ms(250), ms(500), &[0]), Err(Late));
    }

    #[test]
    fn processor_time_of_awaited_children_is_charged() {
        let machine = || with_short_children(|number| (ms(number * 8 / 10 * 10), 30 * number));
        // A sixth of the time runs the main thread as well.
        let charged = machine().ask(ms(1_000), ms(400), &[0]).expect("in time");
        assert!((ms(380)..=ms(400)).contains(&charged), "{charged:?}");
        assert_eq!(machine().ask(ms(300), ms(400), &[0]), Err(Late));
        // The child waits for others' processes, and its parent for the child.
        let honest = Machine::new(|passed| {
            let main = process(vec![thread(1, &[Runs(10), Sleeps(590), Runs(10)], passed)]);
            let child = |passed| process(vec![thread(2, &[Queues(280), Runs(20), Queues(260), Runs(30)], passed)]);
            match passed.checked_sub(ms(10)) {
                Some(passed) if passed < ms(590) => vec![main, child(passed)],
                Some(_) => vec![ProcessUsage { reaped: ms(50), reaped_faults: 90, ..main }],
                None => vec![main],
            }
        });
        let charged = honest.ask(ms(100), ms(610), &[0]).expect("in time");
        assert!((ms(65)..=ms(80)).contains(&charged), "{charged:?}");
    }

    #[test]
    fn time_of_ended_threads_is_charged() {
        let machine = |limit| {
            let read = |passed: Duration| {
                let main = thread(1, &[Sleeps(300)], passed);
                let worker = thread(2, &[Queues(200), Runs(90)], passed);
                let threads = if passed < ms(290) { vec![main, worker] } else { vec![main] };
                vec![ProcessUsage {
                    ran: ms(u64::try_from(worker.ran.as_millis()).unwrap() / 10 * 10),
                    ..process(threads)
                }]
            };
            Machine::new(read).ask(ms(limit), ms(300), &[0])
        };
        let charged = machine(110).expect("in time");
        assert!((ms(70)..=ms(110)).contains(&charged), "{charged:?}");
        assert_eq!(machine(50), Err(Late));
    }

    fn steps(sleeps: bool) -> impl Strategy<Value = Vec<Step>> {
        let step = move |(kind, time): (u8, u64)| match kind {
            0 => Runs(time),
            1 if sleeps => Sleeps(time),
            _ => Queues(time),
        };
        vec((0_u8..3, 1_u64..60).prop_map(step), 0..30)
    }

    /// These steps, and in the end as much of this kind as brings its time to this.
    fn filled(mut steps: Vec<Step>, kind: fn(u64) -> Step, goal: Duration) -> Vec<Step> {
        let mut left = u64::try_from(goal.as_millis()).unwrap();
        for step in &mut steps {
            let time = u64::try_from(step.time().as_millis()).unwrap();
            if *step == kind(time) {
                *step = kind(time.min(left));
                left -= time.min(left);
            }
        }
        steps.push(kind(left));
        steps
    }

    proptest! {
        #[test]
        fn program_waiting_only_for_processors_is_never_late(
            limit in 20_u64..1_000, part in 0_u64..=95, steps in steps(false), delays in vec(0_u64..80, 1..6)
        ) {
            let steps = filled(steps, Runs, ms(limit * part / 100));
            let charged = ask(limit, &steps, &delays);
            // A quick answer is charged its whole time, and the answer may arrive in a delay after the last look at the pipe.
            let (ran, delay) = (time_of(&steps, Runs), delays.iter().max().copied().unwrap_or_default());
            let most = ran + ms(delay.max(1));
            prop_assert!(charged.is_ok_and(|charged| charged <= most), "{:?} {:?}", charged, steps);
            prop_assert!(charged.is_ok_and(|charged| charged >= ran), "{:?} {:?}", charged, steps);
        }

        #[test]
        fn program_running_beyond_limit_is_always_late(
            limit in 20_u64..1_000, part in 105_u64..300, steps in steps(true), delays in vec(0_u64..80, 1..6)
        ) {
            let steps = filled(steps, Runs, ms(1 + limit * part / 100));
            prop_assert_eq!(ask(limit, &steps, &delays), Err(Late), "{:?}", steps);
        }

        #[test]
        fn program_sleeping_beyond_limit_is_always_late(
            limit in 20_u64..1_000, part in 105_u64..300, steps in steps(true)
        ) {
            // A reading and the grace later, at the latest.
            let steps = filled(steps, Sleeps, ms(70 + limit * part / 100));
            prop_assert_eq!(ask(limit, &steps, &[0]), Err(Late), "{:?}", steps);
        }
    }
}
