//! `tournament` and `match`: their options, and their results in words.

use serde_json::{Value, json};
use unolab_agents::printable::printable;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::luck_pilot::pilot_games;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::run::checkpoint::OutputOptions;
use unolab_arena::run::directory::Page;
use unolab_arena::run::results::Results;
use unolab_arena::spec::{Allocation, Command, Format, Spec};
use unolab_arena::tables::match_result::MatchResult;
use unolab_arena::tables::ratings::RatingsRow;
use unolab_arena::tables::summary::SummaryRow;
use unolab_arena::tables::{PlayedSection, luck, pairs, summary};
use unolab_arena::words::{counted, grouped, sets_that_differ};
use unolab_engine::round::MAX_DECISIONS;

use super::json::{JsonObject, one_table};
use super::{ExperimentCommand, FaultsSoFar, Invocation, dry_run, faults_in_words, leader, request};
use crate::args::{PlayMode, RunArgs};
use crate::output::{width, wrapped};
use crate::terminal::luck::luck_table;
use crate::terminal::match_result::{match_lines, match_title, opponents_table, unrated_lines};
use crate::terminal::section::{RowOrder, section_table};
use crate::terminal::{InterimLooks, Screen};

/// The options of a tournament, match or league apart from its spec.
pub(in crate::commands) fn invocation(args: &RunArgs, registry: &Registry) -> anyhow::Result<Invocation> {
    let page = if args.report { Page::Wanted } else { Page::NotRequested };
    let invocation = Invocation::new(&args.common, request::output_options(args), PlayMode::of(args.dry_run))?;
    Ok(invocation.with_page(page, Vec::new())?.with_programs(registry))
}

impl ExperimentCommand for Tournament<'_> {
    fn leader(&self, counts: &TournamentCounts) -> String {
        leader::line(self.contest, counts)
    }

    fn faults(&self, counts: &TournamentCounts) -> FaultsSoFar {
        let spec = self.contest.spec();
        let sections = self.contest.schedule().sections.iter().zip(&counts.sections);
        FaultsSoFar::of(sections.map(|(section, part)| PlayedSection { spec, section, tally: &part.tally }))
    }

    fn games_in_all(&self, counts: &TournamentCounts) -> Option<u64> {
        Some(counts.games(self.contest.schedule()).of)
    }

    fn text(&self, counts: &TournamentCounts, results: &Results) -> anyhow::Result<String> {
        let tallies = counts.tallies();
        let sections = PlayedSection::all(self.contest.spec(), self.contest.schedule(), &tallies);
        let looks = match (counts.is_finished(), self.contest.spec().allocation) {
            (true, Allocation::Even) => InterimLooks::One,
            (true, Allocation::Open) | (false, _) => InterimLooks::Any,
        };
        let ratings = results.tables.rows::<RatingsRow>();
        let printed = sections.clone().filter_map(|played| printed(played, ratings, looks)).collect::<String>();
        let odds = if printed.is_empty() { String::new() } else { odds_of(self.contest.spec()) };
        Ok(odds + &printed + &faults_in_words(sections))
    }

    fn tables_without_file(&self, counts: &TournamentCounts) -> JsonObject {
        let tallies = counts.tallies();
        unequal_sets(PlayedSection::all(self.contest.spec(), self.contest.schedule(), &tallies))
    }

    fn dry_run(&self, left: &TournamentCounts, outputs: OutputOptions, threads: usize) -> anyhow::Result<String> {
        let sections = self.contest.schedule().sections.len() as u64;
        let fitted = dry_run::fitted_on(outputs.luck, sections * pilot_games(self.contest.spec().unit));
        dry_run::of_tournament(self.contest, left, outputs.games_csv, threads, &fitted)
    }
}

/// The extra cards of the entrants of a spec, if there are any.
pub(in crate::commands) fn odds_of(spec: &Spec) -> String {
    let (names, extra_cards): (Vec<String>, Vec<u8>) =
        spec.entrants.iter().map(|entrant| (printable(&entrant.name), entrant.extra_cards)).unzip();
    odds_in_words(&names, &extra_cards)
}

/// The extra cards of these players, if there are any: `odds: mine with 2 extra cards`.
pub(in crate::commands) fn odds_in_words(names: &[String], extra_cards: &[u8]) -> String {
    let with_odds = names.iter().zip(extra_cards).filter(|(_, cards)| **cards > 0);
    let of_each = with_odds.map(|(name, cards)| format!("{name} with {}", counted(u64::from(*cards), "extra card")));
    match of_each.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        some => wrapped("", &format!("odds: {some}"), width()),
    }
}

/// The unequal sets of each section of two entrants, as a table.
fn unequal_sets<'a>(sections: impl Iterator<Item = PlayedSection<'a>>) -> JsonObject {
    let row = |played: PlayedSection<'_>| {
        let (variant, sets) = (&played.variant().name, played.tally.set_totals().sets());
        let unequal_sets = played.unequal_sets()?;
        Some(json!({ "variant": variant, "seats": played.section.seats, "sets": sets, "unequal_sets": unequal_sets }))
    };
    let rows: Vec<Value> = sections.filter_map(row).collect();
    if rows.is_empty() { JsonObject::new() } else { one_table("unequal_sets", rows) }
}

/// The number of sets of a section of two entrants that do not tie.
fn unequal_in_words(played: PlayedSection<'_>) -> String {
    let sets = played.tally.set_totals().sets();
    played.unequal_sets().map_or_else(String::new, |unequal| sets_that_differ(unequal, sets) + "\n")
}

/// The number of games of a section without a winner, if any: they count as a fair share for all.
fn unfinished_in_words(rows: &[SummaryRow]) -> String {
    let seats = rows.first().map_or(1, |row| row.seats as u64);
    let of_all = |count: fn(&SummaryRow) -> u64| rows.iter().map(count).sum::<u64>() / seats;
    match of_all(|row| row.unfinished) {
        0 => String::new(),
        unfinished => format!(
            "{} of {} without a winner: blocked, or truncated after {} decisions per round\n",
            grouped(unfinished),
            counted(of_all(|row| row.games), "game"),
            grouped(MAX_DECISIONS.into())
        ),
    }
}

/// The result of a section, if any of its sets were played.
pub(in crate::commands) fn printed(
    played: PlayedSection<'_>,
    ratings: &[RatingsRow],
    looks: InterimLooks,
) -> Option<String> {
    let rows = summary::rows(played);
    let any = rows.iter().any(|row| row.sets > 0);
    any.then(|| {
        let of_two = MatchResult::of(played, looks.coverage());
        let text = match &of_two {
            Some(result) => {
                let unrated = unrated_lines(&played.spec.entrants, width());
                match_title(result, width()) + &match_lines(result, looks, width()) + &unrated
            }
            None => table_of_entrants(played, &rows, ratings, looks) + &unequal_in_words(played),
        };
        text + &unfinished_in_words(&rows) + "\n" + &luck_in_words(played, of_two.as_ref(), looks)
    })
}

/// The table of a section of several entrants, and the opponents of a gauntlet.
fn table_of_entrants(
    played: PlayedSection<'_>,
    rows: &[SummaryRow],
    ratings: &[RatingsRow],
    looks: InterimLooks,
) -> String {
    let is_gauntlet = played.spec.command == Command::Tournament { format: Format::Gauntlet };
    let order = if is_gauntlet { RowOrder::Rating } else { RowOrder::WinShare };
    let screen = Screen::of_standard_output();
    let table = section_table(rows, ratings, (played.section.fair_share(), order), looks, screen);
    match &played.spec.entrants[..] {
        [hero, _, _, ..] if is_gauntlet => {
            table + &opponents_table(&hero.name, &pairs::rows(played), looks, screen.width)
        }
        _ => table,
    }
}

/// The luck-adjusted win shares; of a match of two only the share of the first.
pub(in crate::commands) fn luck_in_words(
    played: PlayedSection<'_>,
    of_two: Option<&MatchResult>,
    looks: InterimLooks,
) -> String {
    let mut rows = luck::rows(played);
    if let Some(MatchResult { a, .. }) = of_two {
        rows.retain(|row| row.entrant == *a);
    }
    luck_table(&rows, looks, width())
}
