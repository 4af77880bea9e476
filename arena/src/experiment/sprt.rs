//! A sequential test as an experiment: its counts and its looks.

use serde::{Deserialize, Serialize};
use unolab_stats::set_totals::SetTotals;
use unolab_stats::sprt::{Hypotheses, State, Verdict, next_look};

use super::tournament::{PlayedSets, Tournament};
use crate::count::evidence::set_unit;
use crate::count::tally::Tally;
use crate::run::checkpoint::Counts;
use crate::run::checksum::WrittenRows;
use crate::run::error::RunError;
use crate::run::experiment::{Batch, Experiment, Play};
use crate::run::results::{Results, Tabulate};
use crate::run::shard::{RunProgress, Shard};
use crate::schedule::contest::Contest;
use crate::schedule::patience::{Patience, TimeoutStreak};
use crate::spec::Spec;
use crate::tables::faults::FaultRow;
use crate::tables::games::GameRow;
use crate::tables::luck::LuckRow;
use crate::tables::sprt::{Duel, SprtRow};
use crate::tables::table::Tables;
use crate::tables::{PlayedSection, describe};

/// The beginning of the README of its directory.
const README: &str = "# A sequential test\n\n`unolab sprt` wrote these tables from the spec in `run.json`: the same spec gives \
                      the same bytes. A test stops when it is sure, so its win share is biased; its intervals are valid, because \
                      they hold at every number of sets at once.\n\n";

/// The counts of a test so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SprtCounts {
    /// The maximum number of sets.
    pub most_sets: u64,
    /// The wins of the first agent by sets, over all sets until each look.
    pub looks: Vec<SetTotals>,
    /// The rows of the counted sets in games.csv.
    pub rows: WrittenRows,
    /// The timeouts in a row of each entrant; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    timeouts_in_a_row: Vec<u64>,
    /// All counts.
    tally: Tally,
}

impl SprtCounts {
    /// Zero counts of a test that may take all sets of a contest.
    #[must_use]
    pub fn new(contest: &Contest) -> Self {
        let (spec, schedule) = (contest.spec(), contest.schedule());
        let tally = Tally::new(spec.entrants.len(), schedule.sections[0].seats);
        Self {
            most_sets: schedule.sets,
            looks: Vec::new(),
            rows: WrittenRows::default(),
            timeouts_in_a_row: Vec::new(),
            tally,
        }
    }

    /// All counts.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The counted sets.
    #[must_use]
    pub fn sets(&self) -> u64 {
        self.tally.set_totals().sets()
    }

    /// The end of the next stretch of play, at the next look; `None` once the sets are used up.
    #[must_use]
    pub fn next_look(&self) -> Option<u64> {
        self.look_after(self.looks.last().map_or(0, SetTotals::sets))
    }

    fn look_after(&self, sets: u64) -> Option<u64> {
        (sets < self.most_sets).then(|| next_look(sets).min(self.most_sets))
    }

    /// Whether this is a possible part of a test that may take all sets of this contest. Counts from other programs are
    /// invalid.
    #[must_use]
    pub fn is_of(&self, contest: &Contest) -> bool {
        let empty = Self::new(contest);
        let before = std::iter::once(0).chain(self.looks.iter().map(SetTotals::sets));
        let last = self.looks.last().cloned().unwrap_or_default();
        let num_counted = self.timeouts_in_a_row.len();
        self.most_sets == empty.most_sets
            && (num_counted == 0 || num_counted == contest.specs().len())
            && self.looks.iter().zip(before).all(|(totals, before)| self.look_after(before) == Some(totals.sets()))
            && self.tally.has_shape_of(&empty.tally)
            && match self.sets() {
                sets if sets == last.sets() => *self.tally.set_totals() == last,
                sets => sets > last.sets() && self.next_look().is_some_and(|look| sets < look),
            }
    }

    /// Adds the counts of sets, and looks if the next look is due after them.
    fn add(&mut self, tally: &Tally) {
        self.tally.merge(tally);
        if self.next_look() == Some(self.sets()) {
            self.looks.push(self.tally.set_totals().clone());
        }
    }
}

/// A test of the first entrant of a contest.
#[derive(Debug, Clone, Copy)]
pub struct SequentialTest<'a> {
    /// The contest.
    pub contest: &'a Contest,
    /// The hypotheses.
    pub hypotheses: Hypotheses,
}

impl SequentialTest<'_> {
    /// The state of the test from the wins of the first entrant.
    #[must_use]
    pub fn state(&self, totals: &SetTotals) -> State {
        let section = &self.contest.schedule().sections[0];
        self.hypotheses.state(totals, set_unit(section, &self.contest.spec().entrants))
    }

    /// Whether it is decided, or cannot be decided by any number of sets.
    fn is_finished_test(&self, counts: &SprtCounts) -> bool {
        counts.looks.last().is_some_and(|totals| {
            let state = self.state(totals);
            self.hypotheses.verdict(&state) != Verdict::Open || self.hypotheses.is_hopeless(&state)
        })
    }

    /// The verdict after the last look.
    #[must_use]
    pub fn verdict(&self, part: &SprtCounts) -> Verdict {
        part.looks.last().map_or(Verdict::Open, |totals| self.hypotheses.verdict(&self.state(totals)))
    }
}

impl Experiment for SequentialTest<'_> {
    type Spec = Spec;
    type Counts = SprtCounts;
    type Played = PlayedSets;

    fn spec(&self) -> &Spec {
        self.contest.spec()
    }

    fn games_at_once(&self) -> usize {
        self.contest.games_at_once()
    }

    fn empty(&self, _shard: Shard) -> SprtCounts {
        SprtCounts::new(self.contest)
    }

    fn accepts(&self, counts: &SprtCounts, _shard: Shard) -> bool {
        counts.is_of(self.contest)
    }

    /// Returns the sets up to the next look.
    fn horizon(&self, counts: &SprtCounts) -> Result<Vec<Batch>, RunError> {
        let next = if self.is_finished_test(counts) { None } else { counts.next_look() };
        Ok(next.map(|look| Batch { part: 0, sets: counts.sets()..look }).into_iter().collect())
    }

    fn patience(&self, counts: &SprtCounts, _batch: &Batch) -> Patience {
        self.contest.patience(&counts.timeouts_in_a_row)
    }

    fn streaks(played: &PlayedSets) -> Vec<TimeoutStreak> {
        played.streaks.clone()
    }

    fn play(&self, batch: &Batch, how: Play<'_>) -> Result<PlayedSets, RunError> {
        Tournament::of(self.contest).play(batch, how)
    }

    fn can_be_of(&self, batch: &Batch, how: Play<'_>, played: &PlayedSets) -> bool {
        played.can_be_of(self.contest, batch, how.games_every)
    }

    fn rows(played: &PlayedSets) -> &[u8] {
        &played.rows
    }

    fn written(&self, counts: &SprtCounts) -> Vec<WrittenRows> {
        vec![counts.rows]
    }

    fn merge(&self, counts: &mut SprtCounts, batch: &Batch, played: PlayedSets) {
        let PlayedSets { tally, rows, streaks, .. } = played;
        counts.timeouts_in_a_row = self.patience(counts, batch).after(&streaks).in_a_row();
        counts.rows.add(&rows);
        counts.add(&tally);
    }

    fn games(&self, counts: &SprtCounts) -> u64 {
        counts.sets() * self.contest.schedule().sections[0].games_per_set()
    }
}

impl Counts for SprtCounts {
    fn done(&self) -> RunProgress {
        RunProgress { done: self.sets(), of: self.most_sets }
    }
}

impl SequentialTest<'_> {
    /// The section of the test with its counts.
    #[must_use]
    pub fn played<'c>(&'c self, counts: &'c SprtCounts) -> PlayedSection<'c> {
        let (spec, section) = (self.contest.spec(), &self.contest.schedule().sections[0]);
        PlayedSection { spec, section, tally: counts.tally() }
    }

    /// The table and the agents of the test.
    #[must_use]
    pub fn duel(&self) -> Duel<'_> {
        let spec = self.contest.spec();
        let (a, b) = (&*spec.entrants[0].name, &*spec.entrants[1].name);
        Duel { variant: &spec.variants[0].name, seats: spec.seats[0], a, b }
    }
}

impl Tabulate for SequentialTest<'_> {
    fn name(&self) -> &'static str {
        "sprt"
    }

    fn results(&self, counts: &SprtCounts) -> Result<Results, RunError> {
        let (played, duel) = (self.played(counts), self.duel());
        let looks = counts.looks.iter().map(|totals| SprtRow::of(duel, &self.hypotheses, &self.state(totals)));
        let readme = README.to_owned() + &describe::<SprtRow>();
        Ok(Results {
            tables: Tables::of_test(looks.collect(), played),
            faults: Tables::of_faults(std::iter::once(played)),
            files: Vec::new(),
            readme: [readme, describe::<GameRow>(), describe::<LuckRow>(), describe::<FaultRow>()].join("\n"),
        })
    }
}
