//! Tournaments and matches: all games of a schedule may be played at any time.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use unolab_agents::fault::Fault;

use super::allocation::{is_look, is_order_clear, look_after};
use super::counts::TournamentCounts;
use super::records::Records;
use crate::count::counter::SetCounter;
use crate::count::faults::FaultInGame;
use crate::count::luck::tally::{LuckCounter, LuckTally};
use crate::count::tally::Tally;
use crate::play::fingerprint::Fingerprint;
use crate::play::guarded::{Guard, catch_panics};
use crate::play::record::GameRecord;
use crate::play::{Dealer, GameObserver};
use crate::run::checksum::WrittenRows;
use crate::run::driver::{self, RunOptions};
use crate::run::error::RunError;
use crate::run::experiment::{Batch, Experiment, Play};
use crate::run::remote::as_text;
use crate::run::results::{Results, Tabulate};
use crate::run::shard::Shard;
use crate::schedule::Schedule;
use crate::schedule::contest::Contest;
use crate::schedule::patience::{Blocks, Patience, TimeoutStreak};
use crate::spec::{Allocation, Spec};
use crate::tables::games::{GamesWriter, NumberedGame, are_rows_of};
use crate::tables::table::Tables;
use crate::tables::{PlayedSection, ratings, readme};

/// All games of a contest.
#[derive(Debug, Clone, Copy)]
pub struct Tournament<'a> {
    /// The contest.
    pub contest: &'a Contest,
    /// The records of its games, if any are written.
    pub records: Option<&'a Records>,
}

impl<'a> Tournament<'a> {
    /// All games of a contest, without recording.
    #[must_use]
    pub const fn of(contest: &'a Contest) -> Self {
        Self { contest, records: None }
    }

    /// The blocks of sets in which an entrant that takes too long is not asked again.
    const fn blocks(&self) -> Blocks {
        Blocks::of(self.contest.schedule().sets)
    }
}

impl Experiment for Tournament<'_> {
    type Spec = Spec;
    type Counts = TournamentCounts;
    type Played = PlayedSets;

    fn spec(&self) -> &Spec {
        self.contest.spec()
    }

    fn games_at_once(&self) -> usize {
        self.contest.games_at_once()
    }

    fn empty(&self, shard: Shard) -> TournamentCounts {
        TournamentCounts::new(self.contest, shard)
    }

    fn accepts(&self, counts: &TournamentCounts, shard: Shard) -> bool {
        counts.is_of(self.contest, shard)
    }

    /// All remaining sets; in a race, up to the next look. A section that is ahead waits, so that the rows of a resumed race
    /// have the same order.
    fn horizon(&self, counts: &TournamentCounts) -> Result<Vec<Batch>, RunError> {
        let sections = counts.sections.iter().enumerate();
        let left = sections.map(|(part, section)| Batch { part, sets: section.next..section.sets.end });
        let mut left: Vec<Batch> = left.filter(|batch| !batch.sets.is_empty()).collect();
        if self.spec().allocation == Allocation::Open
            && let Some(look) = left.iter().map(|batch| look_after(batch.sets.start)).min()
        {
            left.retain(|batch| batch.sets.start < look);
            left.iter_mut().for_each(|batch| batch.sets.end = batch.sets.end.min(look));
        }
        if !self.contest.has_programs() {
            return Ok(left);
        }
        let blocks = self.blocks();
        Ok(left
            .into_iter()
            .flat_map(|Batch { part, sets }| blocks.cut(sets).map(move |sets| Batch { part, sets }))
            .collect())
    }

    fn patience(&self, counts: &TournamentCounts, batch: &Batch) -> Patience {
        let section = &counts.sections[batch.part];
        let is_same_block = batch.sets.start < self.blocks().end_of_block_of(section.next);
        self.contest.patience(if is_same_block { &section.timeouts_in_a_row } else { &[] })
    }

    fn streaks(played: &PlayedSets) -> Vec<TimeoutStreak> {
        played.streaks.clone()
    }

    /// Plays sets of a section, which is the part of the run. An agent that panics has lost its game.
    fn play(&self, batch: &Batch, how: Play<'_>) -> Result<PlayedSets, RunError> {
        let (contest, spec, schedule) = (self.contest, self.contest.spec(), self.contest.schedule());
        let section = &schedule.sections[batch.part];
        let (num_entrants, num_seats) = (spec.entrants.len(), section.seats);
        let (first_index, games_per_set) = (first_index(schedule, batch.part), section.games_per_set());
        let games_of = |set: u64| (0_u64..).zip(section.games(contest.streams_of(set)));
        let fingerprint = if how.games_every.is_some() { Fingerprint::BLANK } else { Fingerprint::LeftOut };
        let luck_model = contest.luck_model(batch.part);
        let records = self.records.filter(|records| records.concern(&batch.sets));
        // The number and the set of the current game.
        let under_way = Cell::new((first_index, batch.sets.start));
        let play = |guard: Guard| {
            let mut tally = Tally::new(num_entrants, num_seats);
            let mut counter = SetCounter::new(num_entrants, num_seats);
            let mut writer = GamesWriter::new(spec, section, first_index);
            let (mut rows, mut recorded) = (Vec::new(), Vec::new());
            let mut scheduled = batch.sets.clone().flat_map(|set| games_of(set).map(move |game| (set, game)));
            let mut count = |record: &GameRecord, faults: &[Fault]| {
                let (set, (number, (game, seating))) = scheduled.next().expect("as many records as games");
                for fault in faults {
                    let index = first_index + set * games_per_set + number;
                    tally.note_fault(seating[fault.seat.index()], FaultInGame::of(fault, index, set));
                }
                counter.add_game(record, &seating);
                if how.games_every.is_some_and(|every| set.is_multiple_of(every)) {
                    writer.write(&mut rows, NumberedGame { set, number, game }, &seating, record);
                }
                if number + 1 == games_per_set {
                    counter.finish_set(set, &mut tally);
                }
            };
            let mut dealer = Dealer::new(contest, section)
                .with(guard)
                .with_fingerprint(fingerprint)
                .with_patience(how.patience.clone());
            let mut luck = LuckTally::default();
            let mut luck_counter = luck_model.map(|model| LuckCounter::new(contest, section, model));
            let is_plain = guard == Guard::Off && records.is_none() && luck_model.is_none();
            if is_plain && dealer.plays_in_simd_batch(section) {
                dealer.play_in_simd_batch(batch.sets.clone(), games_per_set, |record| count(record, &[]));
                return PlayedSets { tally, rows, streaks: dealer.streaks(), records: recorded };
            }
            for set in batch.sets.clone() {
                let mut deal = None;
                for (number, (_, seating)) in games_of(set) {
                    let index = first_index + set * games_per_set + number;
                    under_way.set((index, set));
                    let luck_observer = luck_counter.as_mut().map(|counter| counter.begin_game(set, &seating));
                    let observer = luck_observer.map(|observer| observer as &mut dyn GameObserver);
                    let record = if let Some(records) = records {
                        let mode = records.before(set, number, index, &seating);
                        let (record, text) = dealer.play_recorded(set, &seating, mode, observer);
                        recorded.extend(text.filter(|_| records.after(&record, &seating)).map(|text| (index, text)));
                        record
                    } else if let Some(observer) = observer {
                        dealer.play_observed(set, &seating, observer)
                    } else {
                        let deal = deal.get_or_insert_with(|| dealer.deal(set));
                        dealer.play(deal, &seating)
                    };
                    if let Some(luck_counter) = &mut luck_counter {
                        luck_counter.add_game(&record, &seating);
                    }
                    count(&record, dealer.faults());
                }
                if let Some(luck_counter) = &mut luck_counter {
                    luck_counter.finish_set(&mut luck);
                }
            }
            tally.luck = luck;
            PlayedSets { tally, rows, streaks: dealer.streaks(), records: recorded }
        };
        catch_panics(how.have_panicked, play).map_err(|words| {
            let ((index, set), seed) = (under_way.get(), spec.seed);
            RunError::BrokeOff { game: format!("game {index} (set {set}, --seed {seed})"), words }
        })
    }

    fn can_be_of(&self, batch: &Batch, how: Play<'_>, played: &PlayedSets) -> bool {
        played.can_be_of(self.contest, batch, how.games_every)
    }

    fn rows(played: &PlayedSets) -> &[u8] {
        &played.rows
    }

    fn written(&self, counts: &TournamentCounts) -> Vec<WrittenRows> {
        counts
            .rows_of_race
            .map_or_else(|| counts.sections.iter().map(|section| section.rows).collect(), |all| vec![all])
    }

    fn begin(&self, counts: &TournamentCounts) -> Result<(), RunError> {
        let Some(records) = self.records else { return Ok(()) };
        records.begin(self.contest, counts).map_err(|error| RunError::RecordsDirectory(error.into()))
    }

    fn write(&self, played: &PlayedSets) -> Result<(), RunError> {
        let Some(records) = self.records else { return Ok(()) };
        let mut recorded = played.records.iter();
        recorded.try_for_each(|(index, text)| records.write(*index, text)).map_err(RunError::Record)
    }

    fn merge(&self, counts: &mut TournamentCounts, batch: &Batch, played: PlayedSets) {
        let PlayedSets { tally, rows, streaks, .. } = played;
        let patience = self.patience(counts, batch).after(&streaks);
        let section = &mut counts.sections[batch.part];
        let ends_block = self.blocks().is_begin(batch.sets.end);
        section.timeouts_in_a_row = if ends_block { Vec::new() } else { patience.in_a_row() };
        debug_assert_eq!(section.next, batch.sets.start, "batches are committed in their order");
        section.tally.merge(&tally);
        section.rows.add(&rows);
        counts.rows_of_race.iter_mut().for_each(|all| all.add(&rows));
        section.next = batch.sets.end;
        let played = &self.contest.schedule().sections[batch.part];
        let is_looked_at = self.spec().allocation == Allocation::Open && is_look(section.next);
        if is_looked_at && is_order_clear(played, &section.tally, &self.spec().entrants) {
            section.sets.end = section.next;
        }
    }

    fn games(&self, counts: &TournamentCounts) -> u64 {
        counts.games(self.contest.schedule()).done
    }
}

/// Plays all games of a contest, until the end or until it is stopped.
///
/// # Errors
/// If threads cannot be started, or rows of games cannot be written.
pub fn play(contest: &Contest, options: RunOptions<'_, TournamentCounts>) -> Result<TournamentCounts, RunError> {
    driver::run(&Tournament::of(contest), TournamentCounts::new(contest, Shard::WHOLE), options)
}

/// The counts of these sets of a section, played on the current thread pool, without files.
///
/// # Errors
/// If a game panics outside an agent.
pub fn tally_sets(contest: &Contest, section: usize, sets: Range<u64>) -> Result<Tally, RunError> {
    /// The number of sets that are played without the timeouts of earlier sets.
    const TOGETHER: u64 = 64;
    let have_panicked = AtomicBool::new(false);
    let mut patience = contest.patience(&[]);
    let mut tally = Tally::new(contest.spec().entrants.len(), contest.schedule().sections[section].seats);
    let mut left = sets;
    while !left.is_empty() {
        let together = left.start..left.end.min(left.start + TOGETHER);
        left.start = together.end;
        let how = Play { games_every: None, have_panicked: &have_panicked, patience: &patience };
        let play = |set| Tournament::of(contest).play(&Batch { part: section, sets: set..set + 1 }, how);
        let played = together.into_par_iter().map(play).collect::<Result<Vec<_>, _>>()?;
        for of_set in &played {
            tally.merge(&of_set.tally);
            patience = patience.after(&of_set.streaks);
        }
    }
    Ok(tally)
}

/// Sets of a section that were played.
#[derive(Debug, Serialize, Deserialize)]
pub struct PlayedSets {
    /// The counts.
    pub tally: Tally,
    /// The rows of `games.csv`.
    #[serde(with = "as_text")]
    pub rows: Vec<u8>,
    /// The streaks of timeouts of each entrant; empty without programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub streaks: Vec<TimeoutStreak>,
    /// The records of games, each with its index; they are written where they are played.
    #[serde(skip)]
    pub records: Vec<(u64, String)>,
}

impl PlayedSets {
    /// Whether these are possible sets of a section of a contest, which is the part of the run, with the rows of every
    /// k-th set.
    pub(super) fn can_be_of(&self, contest: &Contest, batch: &Batch, games_every: Option<u64>) -> bool {
        let schedule = contest.schedule();
        let section = &schedule.sections[batch.part];
        let (first, games_per_set) = (first_index(schedule, batch.part), section.games_per_set());
        let written = batch.sets.clone().filter(|set| games_every.is_some_and(|every| set.is_multiple_of(every)));
        let games =
            written.flat_map(|set| (0..games_per_set).map(move |game| (first + set * games_per_set + game, set)));
        let num_games = games_per_set * (batch.sets.end - batch.sets.start);
        let num_streaks = if contest.has_programs() { contest.specs().len() } else { 0 };
        self.tally.can_be_of(section, contest.spec().entrants.len(), &batch.sets)
            && self.streaks.len() == num_streaks
            && self.streaks.iter().all(|streak| streak.can_be_of(num_games))
            && self.tally.luck.is_empty() == contest.luck_model(batch.part).is_none()
            && are_rows_of(&self.rows, games)
    }
}

/// The running number of the first game of a section.
fn first_index(schedule: &Schedule, section: usize) -> u64 {
    schedule.sections[..section].iter().map(|earlier| earlier.games_per_set() * schedule.sets).sum()
}

impl Tabulate for Tournament<'_> {
    fn name(&self) -> &'static str {
        self.spec().command.name()
    }

    /// The results include ratings only for a finished run.
    fn results(&self, counts: &TournamentCounts) -> Result<Results, RunError> {
        let tallies = counts.tallies();
        let sections = PlayedSection::all(self.spec(), self.contest.schedule(), &tallies);
        let unrated = self.contest.unrated();
        let ratings = match counts.is_finished() {
            true => sections.clone().flat_map(|played| ratings::rows_without(played, &unrated)).collect(),
            false => Vec::new(),
        };
        let faults = Tables::of_faults(sections.clone());
        Ok(Results { tables: Tables::of(sections, ratings), faults, files: Vec::new(), readme: readme() })
    }
}
