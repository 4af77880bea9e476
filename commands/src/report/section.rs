//! The sections of a report: each variant at each number of seats, with its plots and tables.

pub(super) mod across;
mod balance;
mod measured;
mod plots;
mod sketch;
mod tables;

use std::collections::BTreeMap;

use unolab_agents::registry::Registry;
use unolab_arena::tables::balance::MetricsRow;
use unolab_arena::tables::distributions::DistributionsRow;
use unolab_arena::tables::pairs::PairsRow;
use unolab_arena::tables::ratings::{RatingsRow, is_bound};
use unolab_arena::tables::seats::SeatsRow;
use unolab_arena::tables::summary::SummaryRow;
use unolab_arena::words::counted;

use super::input::{Input, OtherTable};
use super::numbers::signed;
use super::plot::Plot;
use super::plot::distribution::{Bar, Quantiles};
use super::table::{Cell, Table};
use crate::balance_words::{self, GoodAndWeak};

/// One variant at one number of seats.
pub(super) struct Section<'a> {
    /// Its anchor in the page.
    pub(super) anchor: String,
    pub(super) title: String,
    pub(super) found: MetricGroup<'a>,
    /// The metrics of a balance run.
    pub(super) metrics: Vec<MetricsRow>,
    /// The metrics, and their changes with the rules, in sentences.
    pub(super) said: Vec<String>,
    /// The sentences at the top of the page.
    pub(super) in_short: Vec<String>,
    pub(super) plots: Vec<Plot>,
    /// The results of the entrants.
    pub(super) summary: Option<Table>,
    /// Other tables, each with its title.
    pub(super) details: Vec<(String, Table)>,
}

/// The rows of a section.
#[derive(Default)]
pub(super) struct MetricGroup<'a> {
    pub(super) summary: Vec<&'a SummaryRow>,
    pub(super) seats: Vec<&'a SeatsRow>,
    pub(super) pairs: Vec<&'a PairsRow>,
    /// The distributions by their quantity.
    pub(super) bins: BTreeMap<&'a str, Vec<Bar>>,
    pub(super) ratings: Vec<&'a RatingsRow>,
    pub(super) others: Vec<(&'a OtherTable, Vec<&'a [String]>)>,
}

/// A variant at a number of seats, if the table has these columns.
type Key<'a> = (&'a str, Option<usize>);

/// The sections, in the order in which the tables name them.
pub(super) fn all(input: &Input) -> Vec<Section<'_>> {
    let mut sections = Sections::default();
    for line in &input.summary {
        sections.of((&line.variant, Some(line.seats))).summary.push(line);
    }
    for line in &input.seats {
        sections.of((&line.variant, Some(line.seats))).seats.push(line);
    }
    for line in &input.pairs {
        sections.of((&line.variant, Some(line.seats))).pairs.push(line);
    }
    for DistributionsRow { variant, seats, what, bin_low, bin_high, count } in &input.distributions {
        let bins = &mut sections.of((variant, Some(*seats))).bins;
        bins.entry(what).or_default().push(Bar { low: *bin_low, high: *bin_high.max(bin_low), count: *count });
    }
    for line in &input.ratings {
        sections.of((&line.variant, Some(line.seats))).ratings.push(line);
    }
    for table in &input.others {
        sections.add_other(table);
    }
    let players = input.good_and_weak();
    (1..).zip(sections.0).map(|(number, (key, found))| Section::of(number, key, found, &players)).collect()
}

#[derive(Default)]
struct Sections<'a>(Vec<(Key<'a>, MetricGroup<'a>)>);

impl<'a> Sections<'a> {
    fn of(&mut self, key: Key<'a>) -> &mut MetricGroup<'a> {
        // Lines of a section are contiguous, so it is usually the last one.
        let known = self.0.iter().rposition(|(known, _)| *known == key);
        let at = known.unwrap_or_else(|| {
            self.0.push((key, MetricGroup::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }

    fn add_other(&mut self, table: &'a OtherTable) {
        let variant = table.column("variant");
        // A table of the whole run may also have a column of seats.
        let seats = variant.and(table.column("seats"));
        for row in &table.rows {
            let cell = |column: Option<usize>| column.map_or("", |column| &*row[column]);
            let others = &mut self.of((cell(variant), cell(seats).parse().ok())).others;
            match others.last_mut() {
                Some((last, rows)) if last.file == table.file => rows.push(row),
                _ => others.push((table, vec![row])),
            }
        }
    }
}

impl<'a> Section<'a> {
    fn of(number: usize, key: Key<'a>, mut found: MetricGroup<'a>, players: &GoodAndWeak) -> Self {
        found.bins.values_mut().for_each(|bins| bins.sort_by_key(|bin| bin.low));
        let (title, stem) = (title(key), format!("{number:02}-{}", slug(key)));
        let metrics = balance::metrics(&found);
        let in_short = balance_words::summary_sentences(&metrics, players);
        let of_arms = balance_words::arms(&balance::sweep(&found));
        let said = balance_words::sentences(&metrics, players).into_iter().chain(of_arms).collect();
        let plots = plots::all(&found, &metrics, &title, &stem);
        let summary = tables::summary(&found, &title);
        let details = tables::details(&found, &title);
        Self { anchor: format!("section-{number}"), title, found, metrics, said, in_short, plots, summary, details }
    }

    /// `1,000 sets, 12,000 games, fair share 25.00%`.
    pub(super) fn size(&self) -> String {
        let sets = self.found.summary.iter().map(|line| line.sets).max();
        let games = self.found.num_games().map(|games| counted(games, "game"));
        let fair = self.found.fair_share().map(|fair| format!("fair share {}%", super::numbers::percent(fair)));
        sets.map(|sets| counted(sets, "set")).into_iter().chain(games).chain(fair).collect::<Vec<_>>().join(", ")
    }
}

impl<'a> MetricGroup<'a> {
    /// The mean of all shares, which an average entrant would win. The shares of each game sum to one, so the counts give
    /// it for every form of game.
    pub(super) fn fair_share(&self) -> Option<f64> {
        let (wins, games) =
            self.summary.iter().fold((0.0, 0), |(wins, games), line| (wins + line.wins, games + line.games));
        (games > 0).then(|| wins / games as f64).filter(|fair| fair.is_finite())
    }

    /// Games of all entrants, each once.
    pub(super) fn num_games(&self) -> Option<u64> {
        let counted = self.bins.get("turns").map(|bins| bins.iter().map(|bin| bin.count).sum());
        let by_seats = || {
            let seat_games: u64 = self.summary.iter().map(|line| line.games).sum();
            seat_games.checked_div(self.summary.first()?.seats as u64)
        };
        counted.or_else(by_seats)
    }

    /// The entrants, the best first.
    pub(super) fn by_share(&self) -> Vec<&'a SummaryRow> {
        let mut lines = self.summary.clone();
        let share = |line: &SummaryRow| line.win_share.unwrap_or(f64::NEG_INFINITY);
        lines.sort_by(|a, b| share(b).total_cmp(&share(a)));
        lines
    }

    /// The rated entrants, the best first; the others are bounds for comparison.
    pub(super) fn field(&self) -> Vec<&'a SummaryRow> {
        self.by_share().into_iter().filter(|line| self.is_rated(line)).collect()
    }

    /// Whether an entrant competes for a rating.
    pub(super) fn is_rated(&self, line: &SummaryRow) -> bool {
        let has_rating = self.ratings.is_empty() || self.ratings.iter().any(|rating| rating.entrant == line.entrant);
        has_rating && !is_bound(&line.agent, &Registry::default())
    }

    /// The methods by which entrants are rated, in the order of the table.
    pub(super) fn methods(&self) -> impl Iterator<Item = &'a str> {
        let is_first = |at: usize| self.ratings[..at].iter().all(|line| line.method != self.ratings[at].method);
        (0..self.ratings.len()).filter(move |&at| is_first(at)).map(|at| &*self.ratings[at].method)
    }

    /// The rating of an entrant in Elo points, if any: by the first method, Bradley and Terry's or Plackett and Luce's.
    pub(super) fn elo(&self, entrant: &str) -> Cell {
        let line = self.ratings.iter().find(|line| line.entrant == entrant);
        let bounds = line.map_or([None; 2], |line| [line.low, line.high]);
        Cell::with_bounds(line.map(|line| line.rating), bounds, |elo| signed(elo, 0))
    }

    /// The ratings of one method.
    pub(super) fn rated_by(&self, method: &str) -> impl Iterator<Item = &'a RatingsRow> {
        self.ratings.iter().copied().filter(move |line| line.method == method)
    }

    /// A distribution in numbers.
    pub(super) fn quantiles(&self, what: &str) -> Option<Quantiles> {
        Quantiles::of(self.bins.get(what)?)
    }
}

fn title((variant, seats): Key<'_>) -> String {
    match (variant, seats) {
        ("", None) => "The whole run".into(),
        (variant, None) => variant.into(),
        (variant, Some(seats)) => format!("{variant}, {seats} seats"),
    }
}

/// A valid part of a file name, for any variant name.
fn slug((variant, seats): Key<'_>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let variant: String = variant.chars().map(plain).take(40).collect();
    match seats {
        Some(seats) => format!("{variant}-{seats}-seats"),
        None => variant,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain() {
        assert_eq!(slug(("classic (set key=\"x/y\")", Some(4))), "classic--set-key--x-y---4-seats");
        assert_eq!(title(("classic", Some(4))), "classic, 4 seats");
    }
}
