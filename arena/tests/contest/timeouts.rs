//! The games in which an entrant that takes too long is asked depend only on the order of the games.

use std::io::{self, BufRead as _, BufReader, PipeWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::fault::{Fault, FaultCause};
use unolab_agents::greedy::Greedy;
use unolab_agents::options::OptionError;
use unolab_agents::registry::{AgentFactory, AgentRegistration, Registry};
use unolab_arena::experiment::balance::Balance;
use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::play::Dealer;
use unolab_arena::run::checkpoint::{Counts, Job, Sharded};
use unolab_arena::run::driver::{self, Progress, RunOptions};
use unolab_arena::run::experiment::Experiment;
use unolab_arena::run::remote::{self, Remote};
use unolab_arena::run::shard::Shard;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::schedule::patience::Blocks;
use unolab_arena::spec::Spec;
use unolab_engine::action::Action;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::seat::Seat;

use super::spec;

/// Its fault, if it is asked again after ten timeouts in a row.
const LATE: &str = "no answer within 1 ms";
const NOT_ASKED: &str = "not asked again after 10 games in a row lost by taking too long";

/// Plays like `greedy`. In some games, which its stream determines, it is late in its first decision.
struct Late {
    plays: Greedy,
    seat: Seat,
    is_late: bool,
    fault: Option<Fault>,
}

impl Agent for Late {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        if self.is_late && self.fault.is_none() {
            let (kind, what) = (FaultCause::DecisionTime, LATE.to_owned());
            self.fault = Some(Fault { seat: self.seat, decision: 1, kind, what });
        }
        self.plays.choose(observation)
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}

/// Here `cmd:"0.9"` is late in nine games of ten.
fn registry_of_those_who_are_late() -> Registry {
    let entry = AgentRegistration {
        name: "cmd",
        summary: "for this test",
        options: &[],
        configure: |_, options| {
            let object = options.take_object().unwrap_or_default();
            let how_often: f64 =
                object.parse().map_err(|_| OptionError::Object { object, reason: "is not a probability".into() })?;
            Ok(AgentFactory::boxed(move |_, seat, mut rng: Rng| {
                let is_late = rng.clone().fork().chance(how_often);
                rng.bits(); // as a program does
                Box::new(Late { plays: Greedy::new(rng), seat, is_late, fault: None })
            }))
        },
    };
    Registry::default().with(entry)
}

/// A round robin in which one entrant is always late, and one usually. A block has at most ten sets.
fn contest(sets: u64) -> Contest {
    let spec = spec(&["greedy", "cmd:\"1.0\"", "cmd:\"0.9\""], &[2, 3], sets);
    Contest::of(spec, &registry_of_those_who_are_late()).expect("a spec that can be played")
}

/// The counts of an experiment that is interrupted after about this number of sets, saved as text, and resumed.
fn played<E: Experiment>(experiment: &E, shard: Shard, threads: usize, sets_at_a_time: u64) -> E::Counts {
    let mut counts = experiment.empty(shard);
    while !experiment.horizon(&counts).expect("it can be played").is_empty() {
        let (stop, before) = (AtomicBool::new(false), counts.done().done);
        let on_progress = |progress: Progress| {
            if progress.sets.done - before >= sets_at_a_time {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let options = RunOptions { on_progress: &on_progress, ..RunOptions::new(threads, &stop) };
        counts = driver::run(experiment, counts, options).expect("it is played");
        counts = serde_json::from_str(&text(&counts)).expect("counts");
        assert!(experiment.accepts(&counts, shard));
    }
    counts
}

fn text(counts: &impl serde::Serialize) -> String {
    serde_json::to_string(counts).expect("plain data")
}

/// The descriptions of the first faults of an entrant in a section, found without batches: each game is played separately,
/// and the timeouts are counted from the beginning of each block.
fn expected_faults(contest: &Contest, section: usize, entrant: usize) -> Vec<(u64, &'static str)> {
    let schedule = contest.schedule();
    let (of_section, blocks) = (&schedule.sections[section], Blocks::of(schedule.sets));
    let mut index =
        schedule.sections[..section].iter().map(|earlier| earlier.games_per_set() * schedule.sets).sum::<u64>();
    let mut faults = Vec::new();
    let mut in_a_row = 0;
    for set in 0..schedule.sets {
        if (0..Blocks::NUMBER).any(|number| blocks.begin(number) == set) {
            in_a_row = 0;
        }
        let mut dealer = Dealer::new(contest, of_section);
        let deal = dealer.deal(set);
        for (_, seating) in of_section.games(contest.streams_of(set)) {
            if seating.iter().any(|other| other.index() == entrant) {
                dealer.play(&deal, &seating);
                let of_game =
                    dealer.faults().iter().filter(|fault| seating[fault.seat.index()].index() == entrant).count();
                let is_asked = in_a_row < 10;
                if of_game > 0 || !is_asked {
                    faults.push((index, if is_asked { LATE } else { NOT_ASKED }));
                    in_a_row += 1;
                } else {
                    in_a_row = 0;
                }
            }
            index += 1;
        }
    }
    faults
}

#[test]
fn skipped_games_are_independent_of_threads_and_interruption() {
    let contest = contest(400);
    let tournament = Tournament::of(&contest);
    let whole = played(&tournament, Shard::WHOLE, 1, u64::MAX);
    for section in 0..2 {
        for entrant in [1, 2] {
            let expected = expected_faults(&contest, section, entrant);
            let words = |what| expected.iter().take(100).filter(|(_, words)| *words == what).count();
            assert!(words(LATE) > 0 && words(NOT_ASKED) > 0, "both must be among the first");
            let tally = &whole.sections[section].tally;
            let of_entrant = tally.faults().iter().filter(|(of, _)| of.index() == entrant);
            let found: Vec<(u64, &str)> = of_entrant.map(|(_, fault)| (fault.index, &*fault.what)).collect();
            assert_eq!(found, expected[..100]);
            assert_eq!(tally.by_entrant()[entrant].faults.timeouts, expected.len() as u64);
        }
    }
    for (threads, sets_at_a_time) in [(2, u64::MAX), (4, u64::MAX), (1, 1), (1, 7), (2, 3), (4, 20)] {
        let counts = played(&tournament, Shard::WHOLE, threads, sets_at_a_time);
        assert_eq!(text(&counts), text(&whole), "{threads} threads, interrupted after {sets_at_a_time} sets");
    }
}

#[test]
fn skipped_games_are_equal_in_shards_and_whole_run() {
    let contest = contest(400);
    let tournament = Tournament::of(&contest);
    let whole = played(&tournament, Shard::WHOLE, 2, u64::MAX);
    for of in [2, 3, 7, 64] {
        let mut joined = TournamentCounts::new(&contest, Shard::WHOLE);
        for number in 1..=of {
            let shard = format!("{number}/{of}").parse().expect("a shard");
            joined.join(&played(&tournament, shard, 2, 30));
        }
        assert_eq!(joined.tallies(), whole.tallies(), "{of} shards");
    }
}

#[test]
fn skipped_games_of_other_commands_are_independent_of_threads() {
    let registry = registry_of_those_who_are_late();
    let spec = unolab_arena::experiment::balance::spec::BalanceSpec {
        sweep: vec!["uno.penalty=4".parse().expect("a key")],
        ..super::balance::spec(&["greedy", "cmd:\"0.97\""], "classic", 2, 960)
    };
    let balance = Balance::prepare(&spec, &registry).expect("a spec that can be played");
    let whole = played(&balance, Shard::WHOLE, 1, u64::MAX);
    let has_been_given_up = |counts: &str| counts.contains(NOT_ASKED);
    assert!(has_been_given_up(&text(&whole)));
    for (threads, sets_at_a_time) in [(2, u64::MAX), (4, 20)] {
        assert_eq!(text(&played(&balance, Shard::WHOLE, threads, sets_at_a_time)), text(&whole));
    }
}

/// The end of a pipe that several threads share.
#[derive(Clone)]
struct Closable(Arc<Mutex<Option<PipeWriter>>>);

impl Write for Closable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").as_mut().map_or(Ok(bytes.len()), |pipe| pipe.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A worker plays a batch with the patience in the request.
#[test]
fn skipped_games_are_equal_with_workers() {
    let contest = contest(200);
    let tournament = Tournament::of(&contest);
    let whole = played(&tournament, Shard::WHOLE, 1, u64::MAX);
    let (requests, to_worker) = io::pipe().expect("a pipe");
    let (answers, from_worker) = io::pipe().expect("a pipe");
    let job: Job<Spec> = Job::new(contest.spec(), Shard::WHOLE, Default::default());
    let (stop, to_worker) = (AtomicBool::new(false), Closable(Arc::new(Mutex::new(Some(to_worker)))));
    let remote = Remote::new(&tournament, &job, 7, to_worker.clone()).expect("it can be written to");
    let counts = thread::scope(|scope| {
        scope.spawn(|| remote::answer(&tournament, Shard::WHOLE, None, BufReader::new(requests), from_worker));
        scope.spawn(|| {
            BufReader::new(answers).lines().for_each(|line| remote.take(&line.expect("a line")).expect("an answer"));
            remote.close();
        });
        let counts = driver::run(&remote, remote.empty(Shard::WHOLE), RunOptions::new(3, &stop));
        to_worker.0.lock().expect("no panic").take();
        counts.expect("it is played")
    });
    assert_eq!(text(&counts), text(&whole));
}
