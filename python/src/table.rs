//! A table: the rules, the seats, and their encoding as bytes.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use unolab_agents::named_file;
use unolab_engine::Rules;
use unolab_engine::encoding::{Encoding, VoluntaryDraw};
use unolab_engine::match_play::MatchState;
use unolab_engine::rules::{LoadError, Override, TableSize, VariantFiles, VariantText, load, presets};
use unolab_engine::seat::{Seat, SeatSet};

/// Rules for this number of seats.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) rules: Arc<Rules>,
    pub(crate) seats: usize,
    pub(crate) encoding: Encoding,
    pub(crate) draw: VoluntaryDraw,
}

/// The arguments of a table.
#[derive(PartialEq, Eq)]
struct TableKey {
    variant: String,
    seats: usize,
    overrides: Vec<String>,
    draw: VoluntaryDraw,
}

/// An error in the caller's arguments: a `ValueError` in Python.
#[derive(Debug)]
pub(crate) struct ArgumentError(pub(crate) String);

impl ArgumentError {
    /// The error for rules that cannot be loaded. The `--set` of the command line is called `overrides` here.
    pub(crate) fn rules(error: &LoadError) -> Self {
        Self(error.to_string().replace("--set ", "overrides: "))
    }
}

impl From<ArgumentError> for PyErr {
    fn from(wrong: ArgumentError) -> Self {
        PyValueError::new_err(wrong.0)
    }
}

/// Variant files on disk, with paths relative to the file that names them.
pub(crate) struct Disk;

impl VariantFiles for Disk {
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(base);
        let text = named_file::open(&path).and_then(io::read_to_string).map_err(|error| {
            format!("`{base}` is neither an edition ({}) nor a readable file: {error}", presets::NAMES.join(", "))
        })?;
        Ok(VariantText { name: path.display().to_string(), text })
    }
}

/// A single variant file with this text.
struct InlineVariant<'a>(&'a str);

impl VariantFiles for InlineVariant<'_> {
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
        match from {
            "" => Ok(VariantText { name: "rules".into(), text: self.0.into() }),
            _ => Err(format!("`{base}`: these rules must be a single text")),
        }
    }
}

impl Table {
    /// The table of a preset or a variant file, with changes written `key=value`.
    pub(crate) fn new(
        variant: &str,
        seats: usize,
        overrides: &[String],
        draw: VoluntaryDraw,
        history: usize,
    ) -> Result<Self, ArgumentError> {
        let overrides: Vec<Override> = overrides
            .iter()
            .map(|text| text.parse().map_err(|error| ArgumentError(format!("overrides: {error}"))))
            .collect::<Result<_, _>>()?;
        Self::load(variant, seats, &overrides, &Disk, draw, history)
    }

    /// As [`Table::new`], without history. If the last call was for the same table of an edition, returns that table again.
    pub(crate) fn shared(
        variant: &str,
        seats: usize,
        overrides: Vec<String>,
        draw: VoluntaryDraw,
    ) -> Result<Arc<Self>, ArgumentError> {
        static LAST: Mutex<Option<(TableKey, Arc<Table>)>> = Mutex::new(None);
        let key = TableKey { variant: variant.into(), seats, overrides, draw };
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, table)) = &*last
            && *of == key
        {
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(Self::new(variant, seats, &key.overrides, draw, 0)?);
        if presets::NAMES.contains(&variant) {
            // Not for a file, which may change.
            *last = Some((key, Arc::clone(&table)));
        }
        Ok(table)
    }

    /// Restores a table from the output of [`Table::rules_text`].
    pub(crate) fn from_rules_text(
        name: &str,
        text: &str,
        seats: usize,
        draw: VoluntaryDraw,
    ) -> Result<Self, ArgumentError> {
        // With this file extension the name cannot be a preset.
        Self::load(&format!("{name}.toml"), seats, &[], &InlineVariant(text), draw, 0)
    }

    fn load(
        variant: &str,
        seats: usize,
        overrides: &[Override],
        files: &dyn VariantFiles,
        draw: VoluntaryDraw,
        history: usize,
    ) -> Result<Self, ArgumentError> {
        const MOST_EVENTS: usize = 4_096;
        if history > MOST_EVENTS {
            return Err(ArgumentError(format!("history: {history} events; allowed: 0 to {MOST_EVENTS}")));
        }
        let loaded =
            load(variant, overrides, TableSize::Seats(seats), files).map_err(|error| ArgumentError::rules(&error))?;
        let rules = loaded.rules;
        let at_table = MatchState::new(seats, Seat::new(0)).plan(&rules).seats;
        if at_table != SeatSet::first(seats) {
            let found = at_table.len();
            return Err(ArgumentError(format!("seats: {seats} players sit at tables of {found} here (match.teams)")));
        }
        let encoding = Encoding::new(&rules, seats, history);
        Ok(Self { rules: Arc::new(rules), seats, encoding, draw })
    }

    /// The same table with observations that have no history.
    pub(crate) fn without_history(&self) -> Self {
        let (rules, seats) = (Arc::clone(&self.rules), self.seats);
        Self { encoding: Encoding::new(&rules, seats, 0), rules, seats, draw: self.draw }
    }

    /// The seat of this number.
    pub(crate) fn seat(&self, seat: i64) -> Result<Seat, ArgumentError> {
        let found = usize::try_from(seat).ok().filter(|&seat| seat < self.seats).and_then(Seat::try_new);
        found.ok_or_else(|| ArgumentError(format!("seat: {seat}; allowed: 0 to {}", self.seats - 1)))
    }

    /// The whole rules as text.
    pub(crate) fn rules_text(&self) -> String {
        self.rules.to_toml()
    }

    /// The actions in the notation, by their ids.
    pub(crate) fn action_names(&self) -> Vec<String> {
        self.encoding.actions().names(&self.rules)
    }

    /// Everything that determines the meaning of the arrays, as canonical JSON: keys sorted, no spaces. Without observations
    /// it omits their layout.
    pub(crate) fn spec(&self, options: Map<String, Value>, obs_size: usize) -> String {
        let mut spec = self.encoding.spec(&self.rules);
        if let Value::Object(fields) = &mut spec {
            if obs_size == 0 {
                fields.insert("blocks".into(), Value::Array(Vec::new()));
                fields.insert("obs_size".into(), 0.into());
            }
            let mut all = options;
            all.insert("voluntary_draw".into(), (self.draw == VoluntaryDraw::Offered).into());
            fields.insert("options".into(), all.into());
            fields.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        }
        spec.to_string()
    }
}

/// The SHA-256 of a text, in hexadecimal digits.
pub(crate) fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether drawing is offered when a card can be played.
pub(crate) const fn voluntary(offered: bool) -> VoluntaryDraw {
    if offered { VoluntaryDraw::Offered } else { VoluntaryDraw::Hidden }
}
