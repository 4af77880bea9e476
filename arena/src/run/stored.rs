//! Reads the data of ratings from the directory of a finished run.

use std::io::{self, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;
use unolab_stats::bootstrap::GroupSums;
use unolab_stats::hypothesis::Comparison;
use unolab_stats::ratings::matches::{Evidence, RunEvidence, Sample};
use unolab_stats::unequal::UnequalSets;

use crate::count::counter::SetCounter;
use crate::count::evidence::{lineups, stake};
use crate::count::possible::games_per_set;
use crate::count::tally::{Tally, pairs};
use crate::play::record::{GameRecord, Status, WIN};
use crate::run::integrity::{self, TamperedTable};
use crate::run::manifest::{RUN_FILE, Run};
use crate::schedule::contest::schedule_of;
use crate::schedule::seating::EntrantId;
use crate::schedule::{Schedule, Section};
use crate::spec::seal::Seal;
use crate::spec::{Allocation, Command, Entrant, Format, Spec};
use crate::tables::Row;
use crate::tables::games::GameRow;
use crate::tables::pairs::PairsRow;
use crate::tables::read::{FileRow, rows_of};
use crate::tables::seats::SeatsRow;
use crate::tables::summary::SummaryRow;

/// Why a directory cannot be rated.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
#[non_exhaustive]
pub struct StoredError {
    /// The file or directory.
    pub path: PathBuf,
    /// The error.
    pub reason: String,
}

/// Why a league is rejected.
const OF_A_LEAGUE: &str = "is from a league, which has rated its entrants itself, in ratings.csv: its tables depend on its \
    results; allowed: a run of match, or of tournament with another --format";

/// A section of a stored run.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSection {
    /// The data of ratings of its entrants.
    pub evidence: Evidence,
    /// The hash of the rules: sections of different rules are never rated together.
    pub rules: String,
    /// The pairs that met, by names.
    pub pairs: Vec<StoredPair>,
}

/// A row of `pairs.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredPair {
    /// One entrant.
    pub a: String,
    /// The other.
    pub b: String,
    /// Comparisons in games that either entrant has won.
    pub decided: f64,
    /// The share of `a` minus one half; `None` without an error.
    pub lead: Option<Comparison>,
}

/// The data of a finished run that ratings need.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun {
    /// The hash of its spec.
    pub spec_hash: String,
    /// The source of its deals: runs with the same seed and key play the same deals.
    pub deals: (u64, Option<Seal>),
    /// The entrants.
    pub entrants: Vec<Entrant>,
    /// Variant by variant, each with every number of seats.
    pub sections: Vec<StoredSection>,
}

/// The cell of this column, if it is a finite number from `low` to `high`.
fn number<R: Row>(row: &FileRow<R>, column: &str, cell: f64, low: f64, high: f64) -> Result<f64, String> {
    let allowed = || row.not_allowed(column, &format!("a number from {low} to {high}"));
    if cell.is_finite() && (low..=high).contains(&cell) { Ok(cell) } else { Err(allowed()) }
}

/// The cell of this column, if it is empty or a share.
fn share<R: Row>(row: &FileRow<R>, column: &str, cell: Option<f64>) -> Result<Option<f64>, String> {
    cell.map(|cell| number(row, column, cell, 0.0, 1.0)).transpose()
}

/// The cell of this column, if it is a count.
fn count<R: Row>(row: &FileRow<R>, column: &str, cell: f64) -> Result<f64, String> {
    number(row, column, cell, 0.0, MOST)
}

/// Checks that the cell of this column is one of these words.
fn check_word<'a, R: Row>(
    row: &FileRow<R>,
    column: &str,
    cell: &str,
    words: impl Iterator<Item = &'a str>,
) -> Result<(), String> {
    let mut words: Vec<&str> = words.collect();
    words.dedup();
    if words.contains(&cell) { Ok(()) } else { Err(row.not_allowed(column, &words.join(", "))) }
}

/// The largest count: integers up to this number are exact as floats.
const MOST: f64 = 9_007_199_254_740_992.0;

impl StoredRun {
    /// Reads `run.json`, `summary.csv`, `seats.csv` and `pairs.csv`, and `games.csv` if it holds every game: then the
    /// errors equal the tournament's; otherwise they are computed from the standard errors.
    ///
    /// # Errors
    /// If a file is missing or does not fit the spec.
    pub fn read(directory: &Path) -> Result<Self, StoredError> {
        let path = directory.join(RUN_FILE);
        let text = integrity::open(&path).and_then(io::read_to_string).map_err(|error| wrong(&path, &error))?;
        let run = Run::of_entrants(&text).map_err(|reason| wrong(&path, &reason))?;
        match run.spec.command {
            Command::Match | Command::Tournament { format: Format::RoundRobin | Format::Gauntlet } => {}
            Command::Tournament { format: Format::League } => return Err(wrong(&path, &OF_A_LEAGUE)),
            Command::Sprt(_) => return Err(wrong(&path, &Run::refusal_of(run.spec.command.name()))),
        }
        run.check_spec().map_err(|reason| wrong(&path, &reason))?;
        integrity::check_integrity(directory).map_err(|TamperedTable { path, reason }| StoredError { path, reason })?;
        let schedule = schedule_of(&run.spec).map_err(|error| wrong(&path, &error))?;
        let tables = Tables {
            summary: read_summary(directory)?,
            seats: read_table(directory, &["variant", "seats", "entrant", "seat", "wins"])?,
            pairs: read_table(
                directory,
                &["variant", "seats", "a", "b", "sets", "games", "a_wins", "b_wins", "share", "se"],
            )?,
        };
        tables.check_rows(&run.spec, &schedule).map_err(|reason| StoredError { path: directory.into(), reason })?;
        check_games(directory, &tables.summary, &run.spec, &schedule)?;
        let tallies = tallies_of_games(directory, &run.spec, &schedule)?;
        let stored = |(number, section): (usize, &Section)| {
            let tally = tallies.as_ref().map(|tallies| &tallies[number]);
            tables.section(&run.spec, section, tally).map_err(|reason| StoredError { path: directory.into(), reason })
        };
        let sections = schedule.sections.iter().enumerate().map(stored).collect::<Result<_, _>>()?;
        let deals = (run.spec.seed, run.spec.seal);
        Ok(Self { spec_hash: run.spec_hash, deals, entrants: run.spec.entrants, sections })
    }
}

/// Checks that the summary of a finished tournament or match has as many sets and games as its spec.
///
/// # Errors
/// If it has other numbers, or cannot be read.
pub fn check_summary(directory: &Path, spec: &Spec) -> Result<(), StoredError> {
    let fixed =
        matches!(spec.command, Command::Match | Command::Tournament { format: Format::RoundRobin | Format::Gauntlet });
    if !fixed {
        return Ok(());
    }
    let schedule = schedule_of(spec).map_err(|error| wrong(&directory.join(RUN_FILE), &error))?;
    check_games(directory, &read_summary(directory)?, spec, &schedule)
}

fn check_games(
    directory: &Path,
    summary: &[FileRow<SummaryRow>],
    spec: &Spec,
    schedule: &Schedule,
) -> Result<(), StoredError> {
    let fail = |reason: String| Err(StoredError { path: directory.into(), reason });
    for section in &schedule.sections {
        let (variant, seats) = (&spec.variants[section.variant].name, section.seats);
        let games_per_set = games_per_set(section, spec.entrants.len());
        for (entrant, games_per_set) in spec.entrants.iter().zip(games_per_set) {
            let is_its = |row: &&FileRow<SummaryRow>| {
                row.variant == *variant && row.seats == seats && row.entrant == entrant.name
            };
            let Some(row) = summary.iter().find(is_its) else {
                let who = format!("{} in {variant} at {seats} seats", entrant.name);
                return fail(format!("summary.csv: the row of {who} is missing"));
            };
            let most = if games_per_set == 0 { 0 } else { spec.sets };
            let least = if spec.allocation == Allocation::Open { 0 } else { most };
            if !(least..=most).contains(&row.sets) {
                let allowed =
                    if least == most { format!("{most}, as in {RUN_FILE}") } else { format!("at most {most}") };
                return fail(row.not_allowed("sets", &allowed));
            }
            let games = row.sets.saturating_mul(games_per_set);
            if row.games != games {
                return fail(row.not_allowed("games", &format!("{games}, {games_per_set} for each set")));
            }
        }
    }
    Ok(())
}

struct Tables {
    summary: Vec<FileRow<SummaryRow>>,
    seats: Vec<FileRow<SeatsRow>>,
    pairs: Vec<FileRow<PairsRow>>,
}

impl Tables {
    /// Checks that every row is of a variant, a number of seats, and entrants of the spec.
    fn check_rows(&self, spec: &Spec, schedule: &Schedule) -> Result<(), String> {
        let names = || spec.entrants.iter().map(|entrant| &*entrant.name);
        self.summary.iter().try_for_each(|row| check_section(row, &row.variant, row.seats, spec, schedule))?;
        for row in &self.seats {
            check_section(row, &row.variant, row.seats, spec, schedule)?;
            check_word(row, "entrant", &row.entrant, names())?;
        }
        for row in &self.pairs {
            check_section(row, &row.variant, row.seats, spec, schedule)?;
            check_word(row, "a", &row.a, names())?;
            check_word(row, "b", &row.b, names())?;
        }
        Ok(())
    }

    fn section(&self, spec: &Spec, section: &Section, games: Option<&Tally>) -> Result<StoredSection, String> {
        let variant = &spec.variants[section.variant];
        let names: Vec<String> = spec.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let is_here = |of: &str, seats: usize| of == variant.name && seats == section.seats;
        let summary: Vec<_> = self.summary.iter().filter(|row| is_here(&row.variant, row.seats)).collect();
        let seats = self.seats.iter().filter(|row| is_here(&row.variant, row.seats));
        let pair_rows: Vec<_> = self.pairs.iter().filter(|row| is_here(&row.variant, row.seats)).collect();
        if summary.len() != names.len() || summary.iter().zip(&names).any(|(row, name)| row.entrant != *name) {
            return Err(format!("summary.csv: does not hold the entrants of {RUN_FILE} in their order"));
        }

        let teams = section.num_teams();
        let mut wins_by_place = vec![0; teams];
        for row in seats {
            if row.seat >= section.seats {
                return Err(row.not_allowed("seat", &format!("a whole number from 0 to {}", section.seats - 1)));
            }
            let wins: &mut u64 = &mut wins_by_place[row.seat % teams];
            *wins = wins.saturating_add(in_units(count(row, "wins", row.wins)?, WIN));
        }
        let sets = summary.first().map_or(0, |row| row.sets);
        let mut sums = GroupSums { sets, wins: Vec::new(), won: Vec::new() };
        let mut errors = Vec::new();
        for row in summary {
            sums.wins.push(in_units(count(row, "wins", row.wins)?, WIN));
            let error = share(row, "se", row.se)?.unwrap_or_default();
            errors.push(error * row.games as f64 / section.team_size as f64);
        }
        let (mut met, mut meetings_per_set, mut pair_errors) = (Vec::new(), Vec::new(), Vec::new());
        let lineups = lineups(section);
        for (first, second) in pairs(names.len()) {
            let (a, b) = (&names[first.index()], &names[second.index()]);
            let row = pair_rows.iter().find(|row| row.a == *a && row.b == *b);
            let Some(row) = row else {
                if lineups.iter().any(|lineup| lineup.contains(&first.index()) && lineup.contains(&second.index())) {
                    let (variant, seats) = (&variant.name, section.seats);
                    return Err(format!("pairs.csv: the row of {a} and {b} in {variant} at {seats} seats is missing"));
                }
                sums.won.push([0; 2]);
                meetings_per_set.push(0);
                pair_errors.push(0.0);
                continue;
            };
            let wins = [count(row, "a_wins", row.a_wins)?, count(row, "b_wins", row.b_wins)?];
            let (share, error) = (share(row, "share", row.share)?, share(row, "se", row.se)?);
            let sets = row.sets;
            sums.won.push(wins.map(|wins| in_units(wins, WIN)));
            meetings_per_set.push(row.games / sets.max(1));
            let decided = wins[0] + wins[1];
            let expected = (decided > 0.0).then(|| wins[0] / decided);
            if share.is_some() != expected.is_some()
                || share.zip(expected).is_some_and(|(share, expected)| (share - expected).abs() > 1e-9)
            {
                let expected = expected.map_or_else(|| "nothing".into(), |share| share.to_string());
                return Err(row.not_allowed("share", &format!("{expected}, which is a_wins / (a_wins + b_wins)")));
            }
            pair_errors.push(error.unwrap_or_default() * decided);
            let stake = section.stake_of_pair(&spec.entrants, first, second);
            let lead = share.zip(error);
            // Then the p-value is 5% if an anytime interval ends at one half, and smaller p-values are conservative.
            let error_of = |error: f64| error * spec.allocation.coverage().times_as_wide(sets);
            let lead = lead.map(|(share, error)| Comparison {
                difference: share - 0.5,
                standard_error: error_of(error),
                sets,
                unequal: UnequalSets::behind(error, sets, stake.in_set_of(decided / sets as f64)),
            });
            met.push(StoredPair { a: a.clone(), b: b.clone(), decided, lead });
        }
        let sample = match games {
            Some(tally) => Sample::Groups(tally.groups().iter().cloned().collect()),
            None => Sample::Errors { totals: sums, wins: errors, won: pair_errors },
        };
        let run = RunEvidence {
            entrants: (0..names.len()).collect(),
            lineups,
            win: WIN * section.team_size as u64,
            stake: stake(section, &spec.entrants),
            wins_by_place,
            win_of_pair: WIN,
            meetings_per_set,
            sample,
        };
        let coverage = spec.allocation.coverage();
        let evidence = Evidence {
            variant: variant.name.clone(),
            seats: section.seats,
            entrants: names,
            runs: vec![run],
            coverage,
        };
        Ok(StoredSection { evidence, rules: variant.hash.clone(), pairs: met })
    }
}

/// Checks that the variant and the number of seats of a row are a section of the schedule.
fn check_section<R: Row>(
    row: &FileRow<R>,
    variant: &str,
    seats: usize,
    spec: &Spec,
    schedule: &Schedule,
) -> Result<(), String> {
    let of_variant = |section: &Section| &*spec.variants[section.variant].name;
    check_word(row, "variant", variant, schedule.sections.iter().map(of_variant))?;
    let sections = schedule.sections.iter().filter(|section| of_variant(section) == variant);
    let all: Vec<String> = sections.map(|section| section.seats.to_string()).collect();
    check_word(row, "seats", &seats.to_string(), all.iter().map(String::as_str))
}

/// The counts of all games, by section; `None` if games.csv is missing, or has only a sample.
fn tallies_of_games(directory: &Path, spec: &Spec, schedule: &Schedule) -> Result<Option<Vec<Tally>>, StoredError> {
    let path = directory.join(GameRow::FILE);
    if !path.exists() {
        return Ok(None);
    }
    let num_entrants = spec.entrants.len();
    let mut tallies: Vec<Tally> =
        schedule.sections.iter().map(|section| Tally::new(num_entrants, section.seats)).collect();
    let mut counters: Vec<SetCounter> =
        schedule.sections.iter().map(|section| SetCounter::new(num_entrants, section.seats)).collect();
    let names: Vec<&str> = spec.entrants.iter().map(|entrant| &*entrant.name).collect();
    let mut rows = 0;
    // By section: the next possible game. A race alternates between parts of the sections.
    let mut least = vec![0; schedule.sections.len()];
    let file = BufReader::new(integrity::open(&path).map_err(|error| wrong(&path, &error))?);
    let fail = |reason: String| StoredError { path: directory.into(), reason };
    for row in
        rows_of::<GameRow>(file, &["index", "entrants", "winner", "places"]).map_err(|error| wrong(&path, &error))?
    {
        let row = row.map_err(|error| wrong(&path, &error))?;
        rows += 1;
        let scheduled = schedule.game(row.index).filter(|game| row.index >= least[game.section]);
        let Some(scheduled) = scheduled else {
            let last = schedule.num_games().saturating_sub(1);
            let allowed = format!("0 to {last}, each once and in order within a variant and number of seats");
            return Err(fail(row.not_allowed("index", &allowed)));
        };
        least[scheduled.section] = row.index + 1;
        let section = &schedule.sections[scheduled.section];
        let (record, seating) = record_of(&row, section, &names).map_err(fail)?;
        counters[scheduled.section].add_game(&record, &seating);
        let in_set = scheduled.game;
        let is_last_of_set = in_set.table + 1 == section.tables.len()
            && in_set.seating + 1 == section.tables[in_set.table].num_seatings();
        if is_last_of_set {
            counters[scheduled.section].finish_set(scheduled.set, &mut tallies[scheduled.section]);
        }
    }
    Ok((rows as u64 == schedule.num_games()).then_some(tallies))
}

/// The seating, the winner and the places of a game: the data of ratings.
fn record_of(
    row: &FileRow<GameRow>,
    section: &Section,
    names: &[&str],
) -> Result<(GameRecord, Vec<EntrantId>), String> {
    let seats = section.seats;
    let list = |column: &str, cell: &str, allowed: Range<usize>| {
        let numbers: Option<Vec<usize>> = cell.split_whitespace().map(|number| number.parse().ok()).collect();
        let fits = |list: &Vec<usize>| list.len() == seats && list.iter().all(|number| allowed.contains(number));
        let last = allowed.end.saturating_sub(1);
        let expected = || row.not_allowed(column, &format!("{seats} whole numbers from {} to {last}", allowed.start));
        numbers.filter(fits).ok_or_else(expected)
    };
    let entrants = list("entrants", &row.entrants, 0..names.len())?;
    let places = list("places", &row.places, 1..seats + 1)?;
    let mut record = GameRecord::without_winner(seats, section.team_size, Status::Finished);
    for (result, place) in record.by_seat.iter_mut().zip(places) {
        result.place = u8::try_from(place).expect("at most ten seats");
    }
    if !row.winner.is_empty() {
        record.winners = record.seats().filter(|&seat| record.result(seat).place == 1).collect();
        let in_place_1: Vec<&str> = record.winners.iter().map(|seat| names[entrants[seat.index()]]).collect();
        if row.winner != in_place_1.join(";") {
            return Err(row.not_allowed("winner", &format!("{}, in place 1, or nothing", in_place_1.join(";"))));
        }
    }
    Ok((record, entrants.into_iter().map(EntrantId::new).collect()))
}

fn read_summary(directory: &Path) -> Result<Vec<FileRow<SummaryRow>>, StoredError> {
    read_table(directory, &["variant", "seats", "entrant", "sets", "games", "wins", "se"])
}

/// All rows of a table that has these columns.
fn read_table<R: Row + DeserializeOwned>(directory: &Path, needed: &[&str]) -> Result<Vec<FileRow<R>>, StoredError> {
    let path = directory.join(R::FILE);
    let file = integrity::open(&path).map_err(|error| wrong(&path, &error))?;
    rows_of(file, needed).and_then(Iterator::collect).map_err(|error| wrong(&path, &error))
}

/// Numbers in the tables are integers divided by a unit.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded, and never negative in a table")]
fn in_units(value: f64, unit: u64) -> u64 {
    (value * unit as f64).round() as u64
}

fn wrong(path: &Path, error: &dyn std::fmt::Display) -> StoredError {
    StoredError { path: path.into(), reason: error.to_string() }
}
