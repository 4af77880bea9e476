//! Plays a contest on several threads. What comes out does not depend on how many there are.
//!
//! Work goes by blocks of whole sets, about a tenth of a second each. Blocks are cut as they are asked for and played by
//! whoever is free, but entered in their order: at any time the first so many sets are counted, and their rows written.
//! Nothing depends on where blocks are cut. What is kept does not grow with the number of games.

use std::cell::Cell;
use std::io::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use unolab_agents::offence::Offence;
use unolab_agents::stop::{Stopped, unless_stopped};
use unolab_engine::fast::{AllFeatures, BasicFeatures, FeatureSet};
use unolab_engine::fast::{Isa, Kernel, dispatch};

use crate::count::counter::SetCounter;
use crate::count::luck::tally::{LuckCounter, LuckTally};
use crate::count::offences::OffenceInGame;
use crate::count::tally::Tally;
use crate::experiment::ledger::{Block, Ledger, Pace, PlayedBlock, Progress, RunError, Snapshots};
use crate::experiment::part::Part;
use crate::experiment::recording::Recording;
use crate::play::Croupier;
use crate::play::fingerprint::Fingerprint;
use crate::play::guarded::{Guard, in_spite_of_panics};
use crate::play::record::GameRecord;
use crate::run::shard::Shard;
use crate::run::stretches::End;
use crate::schedule::Schedule;
use crate::schedule::contest::Contest;
use crate::tables::games::{GamesWriter, NumberedGame};

/// How a contest is played: nothing here changes a result.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct Conduct<'a> {
    /// How many threads play.
    pub threads: usize,
    /// Once it is set, no more blocks are begun, and games that are being thought about are left: their blocks are not
    /// counted.
    pub stop: &'a AtomicBool,
    /// Is told after each block.
    pub on_progress: &'a (dyn Fn(Progress) + Sync),
}

/// Which games are written out, and where.
#[expect(missing_debug_implementations, reason = "a stream of bytes has nothing to show")]
pub struct GamesSink<'a> {
    /// Takes the rows in the order of the games, without a header.
    pub out: &'a mut (dyn Write + Send),
    /// The games of every so-many-th set are written.
    pub every: u64,
}

/// What a run has counted.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The counts by section, in the order of the schedule.
    pub tallies: Vec<Tally>,
    /// Games played.
    pub games: u64,
    /// Whether that is all.
    pub end: End,
}

/// Plays all games of a contest, or as many as there is time for until it is stopped.
///
/// # Errors
/// If there are no threads to be had, or rows of games cannot be written.
pub fn play<'a>(
    contest: &'a Contest,
    conduct: &Conduct<'_>,
    games_sink: Option<GamesSink<'a>>,
) -> Result<Counted, RunError> {
    let part = play_on(contest, conduct, Part::new(contest, Shard::WHOLE), games_sink, None, None)?;
    Ok(Counted {
        games: part.games(contest.schedule()).done,
        end: if part.is_finished() { End::Finished } else { End::Stopped },
        tallies: part.sections.into_iter().map(|section| section.tally).collect(),
    })
}

/// Goes on with a part of a contest: plays what is not yet counted, or as much as there is time for until it is stopped.
///
/// # Errors
/// If there are no threads to be had, or rows or snapshots cannot be written.
pub fn play_on<'a>(
    contest: &'a Contest,
    conduct: &Conduct<'_>,
    part: Part,
    games_sink: Option<GamesSink<'a>>,
    recording: Option<Recording<'a>>,
    snapshots: Option<Snapshots<'a>>,
) -> Result<Part, RunError> {
    let threads = conduct.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| RunError::Threads { threads, reason: error.to_string() })?;
    let every = games_sink.as_ref().map(|sink| sink.every);
    let ledger = Ledger::new(contest, threads, part, games_sink.map(|sink| sink.out), recording, snapshots);
    let have_panicked = AtomicBool::new(false);
    let wanted = Wanted { games_every: every, recording };
    pool.broadcast(|_| work_through(contest, conduct, &ledger, wanted, &have_panicked));
    ledger.close()
}

/// The counts of these sets of a section, played on the threads of the pool at hand. None if it was stopped.
///
/// It has no ledger and no files: for those who look at some sets before they go on.
///
/// # Panics
/// If a game does, and not in an agent.
#[must_use]
pub fn tally_sets(contest: &Contest, section: usize, sets: Range<u64>, stop: &AtomicBool) -> Option<Tally> {
    let len = sets.end - sets.start;
    let blocks = (8 * rayon::current_num_threads() as u64).min(len);
    let have_panicked = AtomicBool::new(false);
    let empty = || Tally::new(contest.spec().entrants.len(), contest.schedule().sections[section].seats);
    (0..blocks)
        .into_par_iter()
        .map(|part| {
            let edge = |part: u64| sets.start + len * part / blocks;
            let block = Block { section, sets: edge(part)..edge(part + 1) };
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            match BlockJob::new(contest, &block, Wanted::NOTHING).play_unless_stopped(stop, &have_panicked) {
                Ok(Ok(played)) => Some(played.tally),
                Ok(Err(error)) => panic!("{error}"),
                Err(Stopped) => None,
            }
        })
        .try_reduce(empty, |mut sum, tally| {
            sum.merge(&tally);
            Some(sum)
        })
}

/// What one thread does: block after block.
fn work_through(
    contest: &Contest,
    conduct: &Conduct<'_>,
    ledger: &Ledger<'_>,
    wanted: Wanted<'_>,
    have_panicked: &AtomicBool,
) {
    let mut pace = Pace::UNKNOWN;
    while !conduct.stop.load(Ordering::Relaxed)
        && let Some(work) = ledger.next_work(pace)
    {
        let begin = Instant::now();
        let block = &work.block;
        let job = BlockJob::new(contest, block, wanted);
        let played = match job.play_unless_stopped(conduct.stop, have_panicked) {
            Ok(Ok(played)) => played,
            Ok(Err(error)) => return ledger.break_off(error),
            Err(Stopped) => return ledger.leave(),
        };
        let sets = block.sets.end - block.sets.start;
        pace = Pace { section: block.section, sets, time: begin.elapsed(), rows: played.rows.len() as u64 };
        let progress = ledger.hand_in(&work, played);
        (conduct.on_progress)(progress);
    }
}

/// What is written of the games of a block, besides counting them.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    /// The rows of every so-many-th set.
    games_every: Option<u64>,
    /// The records of some games.
    recording: Option<Recording<'a>>,
}

impl Wanted<'_> {
    const NOTHING: Self = Self { games_every: None, recording: None };
}

impl<'a> BlockJob<'a> {
    const fn new(contest: &'a Contest, block: &'a Block, wanted: Wanted<'a>) -> Self {
        Self { contest, block, wanted, guarded: None }
    }

    /// The same, but once the flag is set the block is left.
    fn play_unless_stopped(
        self,
        stop: &AtomicBool,
        have_panicked: &AtomicBool,
    ) -> Result<Result<PlayedBlock, RunError>, Stopped> {
        unless_stopped(stop, || self.play_in_spite_of_panics(have_panicked))
    }

    /// Plays the block; an agent that panics has lost its game.
    fn play_in_spite_of_panics(self, have_panicked: &AtomicBool) -> Result<PlayedBlock, RunError> {
        let under_way = Cell::new((0, 0));
        let play = |guard| dispatch(BlockJob { guarded: (guard == Guard::On).then_some(&under_way), ..self });
        in_spite_of_panics(have_panicked, play).map_err(|words| {
            let ((index, set), seed) = (under_way.get(), self.contest.spec().seed);
            RunError::BrokeOff { index, set, seed, words }
        })
    }
}

/// Playing a block, with the code for this machine and for what its rules have: chosen once for all of its games.
#[derive(Clone, Copy)]
struct BlockJob<'a> {
    contest: &'a Contest,
    block: &'a Block,
    wanted: Wanted<'a>,
    /// If its agents are guarded, it keeps here the number and the set of the game that is under way.
    guarded: Option<&'a Cell<(u64, u64)>>,
}

impl Kernel for BlockJob<'_> {
    type Output = PlayedBlock;

    #[inline(always)]
    fn run<M: Isa>(self) -> PlayedBlock {
        let rules = self.contest.rules(&self.contest.schedule().sections[self.block.section]);
        if BasicFeatures::<M>::fits(rules) {
            play_block::<BasicFeatures<M>>(self)
        } else {
            play_block::<AllFeatures<M>>(self)
        }
    }
}

#[inline(always)]
fn play_block<P: FeatureSet>(BlockJob { contest, block, wanted, guarded }: BlockJob<'_>) -> PlayedBlock {
    let Wanted { games_every, recording } = wanted;
    let (spec, schedule) = (contest.spec(), contest.schedule());
    let section = &schedule.sections[block.section];
    let (num_entrants, num_seats) = (spec.entrants.len(), section.seats);
    let (mut tally, mut counter) = (Tally::new(num_entrants, num_seats), SetCounter::new(num_entrants, num_seats));
    let fingerprint = if games_every.is_some() { Fingerprint::BLANK } else { Fingerprint::LeftOut };
    let mut croupier: Croupier<'_, P> = Croupier::new(contest, section)
        .with(if guarded.is_some() { Guard::On } else { Guard::Off })
        .telling_apart_by(fingerprint);
    let first_index = first_index(schedule, block.section);
    let mut writer = GamesWriter::new(spec, section, first_index);
    let mut rows = Vec::new();
    let games_per_set = section.games_per_set();
    let games_of = |set: u64| (0_u64..).zip(section.games(contest.streams_of(set)));
    let mut scheduled = block.sets.clone().flat_map(|set| games_of(set).map(move |game| (set, game)));
    let mut count = |record: &GameRecord, offences: &[Offence]| {
        P::Isa::outline(|| {
            let (set, (number, (game, seating))) = scheduled.next().expect("as many records as games");
            for offence in offences {
                let index = first_index + set * games_per_set + number;
                tally.note_offence(seating[offence.seat.index()], OffenceInGame::of(offence, index, set));
            }
            counter.add_game(record, &seating);
            if games_every.is_some_and(|every| set.is_multiple_of(every)) {
                writer.write(&mut rows, NumberedGame { set, number, game }, &seating, record);
            }
            if number + 1 == games_per_set {
                counter.finish_set(set, &mut tally);
            }
        });
    };
    let tell_game = |set: u64, number: u64| {
        if let Some(under_way) = guarded {
            under_way.set((first_index + set * games_per_set + number, set));
        }
    };
    let (mut luck, mut records) = (LuckTally::default(), Vec::new());
    if let Some(recording) = recording.filter(|recording| recording.concerns(&block.sets)) {
        let mut scribe: Croupier<'_, AllFeatures> = Croupier::new(contest, section).telling_apart_by(fingerprint);
        let worth = contest.worth_of_luck(block.section);
        let mut counter = worth.map(|worth| LuckCounter::new(contest.rules(section), worth, num_entrants));
        for set in block.sets.clone() {
            for (number, (_, seating)) in games_of(set) {
                tell_game(set, number);
                let index = first_index + set * games_per_set + number;
                let witness = counter.as_mut().map(|counter| &mut counter.witness);
                let writing = recording.before(set, number, index, &seating);
                let (record, text) = scribe.play_and_write(set, &seating, writing, witness);
                if let Some(counter) = &mut counter {
                    counter.add_game(&record, &seating);
                }
                records.extend(text.filter(|_| recording.after(&record, &seating)).map(|text| (index, text)));
                count(&record, scribe.offences());
            }
            if let Some(counter) = &mut counter {
                counter.finish_set(&mut luck);
            }
        }
    } else if let Some(worth) = contest.worth_of_luck(block.section) {
        let mut counter = LuckCounter::new(contest.rules(section), worth, num_entrants);
        for set in block.sets.clone() {
            for (number, (_, seating)) in games_of(set) {
                tell_game(set, number);
                let record = croupier.play_witnessed(set, &seating, &mut counter.witness);
                counter.add_game(&record, &seating);
                count(&record, croupier.offences());
            }
            counter.finish_set(&mut luck);
        }
    } else if guarded.is_none() && croupier.plays_in_lockstep(section) {
        croupier.play_in_lockstep(block.sets.clone(), games_per_set, |record| count(record, &[]));
    } else {
        for set in block.sets.clone() {
            let deal = croupier.deal(set);
            for (number, (_, seating)) in games_of(set) {
                tell_game(set, number);
                let record = croupier.play(&deal, &seating);
                count(&record, croupier.offences());
            }
        }
    }
    tally.luck = luck;
    PlayedBlock { tally, rows, records }
}

/// The running number of the first game of a section.
fn first_index(schedule: &Schedule, section: usize) -> u64 {
    schedule.sections[..section].iter().map(|earlier| earlier.games_per_set() * schedule.sets).sum()
}
