//! Reads the data of ratings from the directory of a finished run.

use std::collections::BTreeMap;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};

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

/// A row of a table.
#[derive(Debug, Clone)]
struct CsvRow {
    file: &'static str,
    /// Its number below the header, from 1.
    number: usize,
    cells: BTreeMap<String, String>,
}

impl CsvRow {
    fn get(&self, column: &str) -> Option<&String> {
        self.cells.get(column)
    }

    /// A cell that holds a number from `low` to `high`.
    fn number(&self, column: &str, low: f64, high: f64) -> Result<f64, String> {
        self.read(column, &format!("a number from {low} to {high}"), |cell| {
            cell.parse::<f64>().ok().filter(|value| value.is_finite() && (low..=high).contains(value))
        })
    }

    /// A cell, parsed by `read`.
    fn read<T>(&self, column: &str, allowed: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, String> {
        let Self { file, number, .. } = self;
        let Some(cell) = self.get(column) else { return Err(format!("{file}: the column `{column}` is missing")) };
        read(cell).ok_or_else(|| format!("{file}: {}", not_allowed(*number, column, cell, allowed)))
    }

    /// A cell that holds one of these words.
    fn one_of<'a>(&self, column: &str, words: impl Iterator<Item = &'a str>) -> Result<&'a str, String> {
        let mut words: Vec<&str> = words.collect();
        words.dedup();
        let allowed = words.join(", ");
        self.read(column, &allowed, |cell| words.into_iter().find(|word| *word == cell))
    }

    /// A count in this column.
    fn count(&self, column: &str) -> Result<f64, String> {
        self.number(column, 0.0, MOST)
    }

    /// A count in this column; `None` if the cell is empty.
    fn number_or_none(&self, column: &str, low: f64, high: f64) -> Result<Option<f64>, String> {
        if self.get(column).is_some_and(String::is_empty) { Ok(None) } else { self.number(column, low, high).map(Some) }
    }
}

/// The largest count: whole numbers up to here are exact as floats.
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
            summary: read_table(directory, "summary.csv")?,
            seats: read_table(directory, "seats.csv")?,
            pairs: read_table(directory, "pairs.csv")?,
        };
        tables.check_rows(&run.spec, &schedule).map_err(|reason| StoredError { path: directory.into(), reason })?;
        check_games(directory, &tables.summary, &run.spec, &schedule)?;
        let tallies = tallies_of_games(&directory.join("games.csv"), &run.spec, &schedule)?;
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
    check_games(directory, &read_table(directory, "summary.csv")?, spec, &schedule)
}

fn check_games(directory: &Path, summary: &[CsvRow], spec: &Spec, schedule: &Schedule) -> Result<(), StoredError> {
    let fail = |reason: String| StoredError { path: directory.into(), reason };
    for section in &schedule.sections {
        let (variant, seats) = (&spec.variants[section.variant].name, section.seats.to_string());
        let games_per_set = games_per_set(section, spec.entrants.len());
        for (entrant, games_per_set) in spec.entrants.iter().zip(games_per_set) {
            let is_its = |row: &&CsvRow| {
                let cell = |column, value: &String| row.get(column) == Some(value);
                cell("variant", variant) && cell("seats", &seats) && cell("entrant", &entrant.name)
            };
            let Some(row) = summary.iter().find(is_its) else {
                let who = format!("{} in {variant} at {seats} seats", entrant.name);
                return Err(fail(format!("summary.csv: the row of {who} is missing")));
            };
            let most = if games_per_set == 0 { 0 } else { spec.sets };
            let least = if spec.allocation == Allocation::Open { 0 } else { most };
            let whole =
                |allowed: Range<u64>| move |cell: &str| cell.parse::<u64>().ok().filter(|n| allowed.contains(n));
            let of_spec =
                || if least == most { format!("{most}, as in {RUN_FILE}") } else { format!("at most {most}") };
            let sets = row.read("sets", &of_spec(), whole(least..most + 1)).map_err(fail)?;
            let games = sets.saturating_mul(games_per_set);
            let allowed = format!("{games}, {games_per_set} for each set");
            row.read("games", &allowed, whole(games..games.saturating_add(1))).map_err(fail)?;
        }
    }
    Ok(())
}

struct Tables {
    summary: Vec<CsvRow>,
    seats: Vec<CsvRow>,
    pairs: Vec<CsvRow>,
}

impl Tables {
    /// Every row is of a variant, a number of seats and entrants of the spec.
    fn check_rows(&self, spec: &Spec, schedule: &Schedule) -> Result<(), String> {
        let of_variant = |section: &Section| &*spec.variants[section.variant].name;
        let names = || spec.entrants.iter().map(|entrant| &*entrant.name);
        for row in self.summary.iter().chain(&self.seats).chain(&self.pairs) {
            let variant = row.one_of("variant", schedule.sections.iter().map(of_variant))?;
            let seats = schedule.sections.iter().filter(|section| of_variant(section) == variant);
            let seats: Vec<String> = seats.map(|section| section.seats.to_string()).collect();
            row.one_of("seats", seats.iter().map(String::as_str))?;
        }
        self.seats.iter().try_for_each(|row| row.one_of("entrant", names()).map(drop))?;
        self.pairs.iter().try_for_each(|row| ["a", "b"].iter().try_for_each(|who| row.one_of(who, names()).map(drop)))
    }

    fn section(&self, spec: &Spec, section: &Section, games: Option<&Tally>) -> Result<StoredSection, String> {
        let variant = &spec.variants[section.variant];
        let names: Vec<String> = spec.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let is_here = |row: &&CsvRow| {
            row.get("variant") == Some(&variant.name) && row.get("seats") == Some(&section.seats.to_string())
        };
        let rows = |table: &'_ [CsvRow]| -> Vec<CsvRow> { table.iter().filter(is_here).cloned().collect() };
        let (summary, seats, pair_rows) = (rows(&self.summary), rows(&self.seats), rows(&self.pairs));
        if summary.len() != names.len()
            || summary.iter().zip(&names).any(|(row, name)| row.get("entrant") != Some(name))
        {
            return Err(format!("summary.csv: does not hold the entrants of {RUN_FILE} in their order"));
        }

        let teams = section.num_teams();
        let mut wins_by_place = vec![0; teams];
        for row in &seats {
            let allowed = format!("a whole number from 0 to {}", section.seats - 1);
            let place =
                row.read("seat", &allowed, |cell| cell.parse().ok().filter(|&seat: &usize| seat < section.seats))?;
            let wins: &mut u64 = &mut wins_by_place[place % teams];
            *wins = wins.saturating_add(in_units(row.count("wins")?, WIN));
        }
        let sets = summary.first().map_or(Ok(0.0), |row| row.count("sets"))?;
        let mut sums = GroupSums { sets: in_units(sets, 1), wins: Vec::new(), won: Vec::new() };
        let mut errors = Vec::new();
        for row in &summary {
            sums.wins.push(in_units(row.count("wins")?, WIN));
            let error = row.number_or_none("se", 0.0, 1.0)?.unwrap_or_default();
            errors.push(error * row.count("games")? / section.team_size as f64);
        }
        let (mut met, mut meetings_per_set, mut pair_errors) = (Vec::new(), Vec::new(), Vec::new());
        let lineups = lineups(section);
        for (first, second) in pairs(names.len()) {
            let (a, b) = (&names[first.index()], &names[second.index()]);
            let row = pair_rows.iter().find(|row| row.get("a") == Some(a) && row.get("b") == Some(b));
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
            let wins = [row.count("a_wins")?, row.count("b_wins")?];
            let (share, error) = (row.number_or_none("share", 0.0, 1.0)?, row.number_or_none("se", 0.0, 1.0)?);
            let sets = in_units(row.count("sets")?, 1);
            sums.won.push(wins.map(|wins| in_units(wins, WIN)));
            meetings_per_set.push(in_units(row.count("games")?, 1) / sets.max(1));
            let decided = wins[0] + wins[1];
            let expected = (decided > 0.0).then(|| wins[0] / decided);
            if share.is_some() != expected.is_some()
                || share.zip(expected).is_some_and(|(share, expected)| (share - expected).abs() > 1e-9)
            {
                let expected = expected.map_or_else(|| "nothing".into(), |share| share.to_string());
                let allowed = format!("{expected}, which is a_wins / (a_wins + b_wins)");
                let cell = row.get("share").map_or("", String::as_str);
                return Err(format!("pairs.csv: {}", not_allowed(row.number, "share", cell, &allowed)));
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

/// The counts of all games, by section; `None` if games.csv is missing, or has only a sample.
fn tallies_of_games(path: &Path, spec: &Spec, schedule: &Schedule) -> Result<Option<Vec<Tally>>, StoredError> {
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
    // By section: the next possible game. A race plays a part of one section after the other.
    let mut least = vec![0; schedule.sections.len()];
    let file = integrity::open(path).map_err(|error| wrong(path, &error))?;
    let mut reader = csv::Reader::from_reader(BufReader::new(file));
    let columns = GameColumns::of(reader.headers().map_err(|error| wrong(path, &error))?)
        .map_err(|reason| StoredError { path: path.into(), reason })?;
    for cells in reader.into_records() {
        let cells = cells.map_err(|error| wrong(path, &error))?;
        rows += 1;
        let fail = |(column, at, allowed): (&str, usize, String)| StoredError {
            path: path.into(),
            reason: not_allowed(rows, column, cells.get(at).unwrap_or_default(), &allowed),
        };
        let index = cells.get(columns.index).and_then(|index| index.parse::<u64>().ok());
        let scheduled = index.and_then(|index| Some((index, schedule.game(index)?)));
        let Some((index, scheduled)) = scheduled.filter(|(index, game)| *index >= least[game.section]) else {
            let last = schedule.num_games().saturating_sub(1);
            let allowed = format!("0 to {last}, each once and in order within a variant and number of seats");
            return Err(fail(("index", columns.index, allowed)));
        };
        least[scheduled.section] = index + 1;
        let section = &schedule.sections[scheduled.section];
        let (record, seating) = record_of(&cells, &columns, section, &names).map_err(fail)?;
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

/// The positions of the columns of `games.csv` that ratings need.
struct GameColumns {
    index: usize,
    entrants: usize,
    winner: usize,
    places: usize,
}

impl GameColumns {
    fn of(header: &csv::StringRecord) -> Result<Self, String> {
        let column = |name: &str| {
            let found = header.iter().position(|column| column == name);
            found.ok_or_else(|| format!("the column `{name}` is missing"))
        };
        Ok(Self {
            index: column("index")?,
            entrants: column("entrants")?,
            winner: column("winner")?,
            places: column("places")?,
        })
    }
}

/// The seating, the winner and the places of a game: the data of ratings. The error is a column with its position, and
/// the allowed values.
fn record_of(
    cells: &csv::StringRecord,
    columns: &GameColumns,
    section: &Section,
    names: &[&str],
) -> Result<(GameRecord, Vec<EntrantId>), (&'static str, usize, String)> {
    let seats = section.seats;
    let list = |name: &'static str, column: usize, allowed: Range<usize>| {
        let cell = cells.get(column).unwrap_or_default();
        let numbers: Option<Vec<usize>> = cell.split_whitespace().map(|number| number.parse().ok()).collect();
        let fits = |list: &Vec<usize>| list.len() == seats && list.iter().all(|number| allowed.contains(number));
        let last = allowed.end.saturating_sub(1);
        numbers
            .filter(fits)
            .ok_or_else(|| (name, column, format!("{seats} whole numbers from {} to {last}", allowed.start)))
    };
    let entrants = list("entrants", columns.entrants, 0..names.len())?;
    let places = list("places", columns.places, 1..seats + 1)?;
    let mut record = GameRecord::without_winner(seats, section.team_size, Status::Finished);
    for (result, place) in record.by_seat.iter_mut().zip(places) {
        result.place = u8::try_from(place).expect("at most ten seats");
    }
    let winners = cells.get(columns.winner).unwrap_or_default();
    if !winners.is_empty() {
        record.winners = record.seats().filter(|&seat| record.result(seat).place == 1).collect();
        let in_place_1: Vec<&str> = record.winners.iter().map(|seat| names[entrants[seat.index()]]).collect();
        if winners != in_place_1.join(";") {
            let allowed = format!("{}, in place 1, or nothing", in_place_1.join(";"));
            return Err(("winner", columns.winner, allowed));
        }
    }
    Ok((record, entrants.into_iter().map(EntrantId::new).collect()))
}

/// `row 2, column places: "1 9" is not allowed; allowed: ...`.
fn not_allowed(row: usize, column: &str, cell: &str, allowed: &str) -> String {
    format!("row {row}, column {column}: \"{cell}\" is not allowed; allowed: {allowed}")
}

fn read_table(directory: &Path, file: &'static str) -> Result<Vec<CsvRow>, StoredError> {
    let path = directory.join(file);
    let mut reader = csv::Reader::from_reader(integrity::open(&path).map_err(|error| wrong(&path, &error))?);
    let row = |(number, cells): (usize, Result<_, csv::Error>)| {
        Ok(CsvRow { file, number: number + 1, cells: cells.map_err(|error| wrong(&path, &error))? })
    };
    reader.deserialize().enumerate().map(row).collect()
}

/// Numbers in the tables are quotients of whole numbers by a unit.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded, and never negative in a table")]
fn in_units(value: f64, unit: u64) -> u64 {
    (value * unit as f64).round() as u64
}

fn wrong(path: &Path, error: &dyn std::fmt::Display) -> StoredError {
    StoredError { path: path.into(), reason: error.to_string() }
}
