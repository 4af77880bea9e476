//! The table that people read on a terminal.

pub mod balance;
pub mod ratings;

use std::cmp::Ordering;

use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, LineStyle, Row, Table, TableStyle};
use unolab_arena::tables::compare::CompareRow;
use unolab_arena::tables::decisions::DecisionRow;
use unolab_arena::tables::league::LeagueRow;
use unolab_arena::tables::luck::LuckRow;
use unolab_arena::tables::quality::QualityRow;
use unolab_arena::tables::ratings::RatingsRow;
use unolab_arena::tables::sprt_errors::SprtErrorsRow;
use unolab_arena::tables::summary::SummaryRow;
use unolab_arena::words::{counted, grouped};
use unolab_stats::interval::Interval;

const STYLE: TableStyle = TableStyle::new()
    .top_border(LineStyle::none().fill('─').junction('─'))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// Whether a run has all its sets, so that its intervals are those of one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// It was looked at once, at the end.
    One,
    /// It was stopped: by somebody who may have looked at it.
    Any,
}

/// The rows of one section, whose fair share is given, at most so many columns wide: win share and rating with their
/// intervals, points, games. The highest win share is marked. Ratings may be of all methods and sections; the first of each
/// entrant is shown, and of a stopped run none.
#[must_use]
pub fn section_table(rows: &[SummaryRow], ratings: &[RatingsRow], fair_share: f64, looks: Looks, width: u16) -> String {
    let leading_share = rows.iter().filter_map(|row| row.win_share).fold(0.0, f64::max);
    let leads = |row: &SummaryRow| row.win_share.is_some_and(|share| share >= leading_share);
    let rating_of = |row: &SummaryRow| {
        let same = |rating: &&RatingsRow| {
            (&rating.variant, rating.seats, &rating.entrant) == (&row.variant, row.seats, &row.entrant)
        };
        ratings.iter().find(same)
    };
    let share = match looks {
        Looks::One => "win share % [95 %]",
        Looks::Any => "win share % [95 % at any time]",
    };
    let mut header = vec!["entrant", share, "Elo [95 %]", "points", "games"];
    let has_ratings = rows.iter().any(|row| rating_of(row).is_some());
    if !has_ratings {
        header.remove(2);
    }
    let cells = |row: &SummaryRow| cells(row, has_ratings.then(|| rating_of(row)), looks);
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(header)
        .add_rows(rows.iter().map(|row| if leads(row) { leading(cells(row)) } else { Row::from(cells(row)) }));
    for numbers in table.column_iter_mut().skip(1) {
        numbers.set_cell_alignment(CellAlignment::Right);
    }
    format!("{}\n{}\n", title(rows, fair_share), table.trim_fmt())
}

/// The win shares of a section with luck left in and taken off; empty where it was left in.
#[must_use]
pub fn luck_table(rows: &[LuckRow], width: u16) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let cells = |row: &LuckRow| {
        vec![
            row.entrant.clone(),
            with_bounds(row.win_share, row.ci_low, row.ci_high, percent),
            with_bounds(row.win_share_adjusted, row.ci_low_adjusted, row.ci_high_adjusted, percent),
            row.gain.map_or_else(String::new, |gain| format!("{gain:.2}")),
        ]
    };
    let header = ["entrant", "win share % [95 %]", "luck taken off % [95 %]", "worth so many times the games"];
    plain_table(header.into(), rows.iter().map(cells), width, 1) + "\n\n"
}

/// Who needs how many sets: name, deviation, sets for two powers, games.
#[must_use]
pub fn power_table(rows: Vec<[String; 5]>, width: u16) -> String {
    let header = ["entrant", "deviation of a set", "sets, power 80 %", "sets, power 90 %", "games, power 80 %"];
    plain_table(header.into(), rows.into_iter().map(Vec::from), width, 1)
}

/// How simulated sequential tests decided, by the true effect.
#[must_use]
pub fn sprt_errors_table(rows: &[SprtErrorsRow], width: u16) -> String {
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let cells = |row: &SprtErrorsRow| {
        vec![
            format!("{:+.1}", row.nelo),
            format!("{:+.1} or {:+.1}", row.nelo0, row.nelo1),
            grouped(row.tests),
            with_bounds(Some(row.share_h1), row.ci_low, row.ci_high, percent),
            percent(row.accept_h0 as f64 / row.tests as f64),
            percent(row.undecided as f64 / row.tests as f64),
            format!("{:.0}", row.sets_mean),
        ]
    };
    let Some(first) = rows.first() else { return String::new() };
    let SprtErrorsRow { seats, alpha, beta, .. } = first;
    let header = ["true nElo", "tested", "tests", "accept h1 % [95 %]", "accept h0 %", "undecided %", "sets a test"];
    let table = plain_table(header.into(), rows.iter().map(cells), width, 0);
    format!("{seats} seats, alpha {alpha}, beta {beta}\n{table}\n")
}

/// How the seasons of a league ended.
#[must_use]
pub fn league_table(rows: &[LeagueRow], width: u16) -> String {
    let Some(last) = rows.last() else { return String::new() };
    let moves = |row: &LeagueRow| match row.next_tier.cmp(&row.tier) {
        Ordering::Less => "promoted",
        Ordering::Equal => "",
        Ordering::Greater => "relegated",
    };
    let cells = |row: &LeagueRow| {
        let rating = format!("{:+.1}", row.rating);
        vec![row.season.to_string(), row.tier.to_string(), row.entrant.clone(), rating, moves(row).to_owned()]
    };
    let table = plain_table(vec!["season", "tier", "entrant", "Elo", ""], rows.iter().map(cells), width, 3);
    format!("{}, {} seats: {}\n{table}\n", last.variant, last.seats, counted(last.season, "season"))
}

/// The differences between two runs; seats are left to the file.
#[must_use]
pub fn compare_table(rows: &[CompareRow], width: u16) -> String {
    let mut text = String::new();
    for section in rows.chunk_by(|a, b| (&a.variant, a.seats) == (&b.variant, b.seats)) {
        let cells = |row: &CompareRow| {
            let is_share = row.measure.contains("share");
            let write = |value: f64| if is_share { format!("{:.2}", 100.0 * value) } else { format!("{value:.2}") };
            let signed = |value: f64| format!("{}{}", if value > 0.0 { "+" } else { "" }, write(value));
            let whose = if row.a == row.b { row.a.clone() } else { format!("{} → {}", row.a, row.b) };
            vec![
                whose,
                if is_share { format!("{} %", row.measure) } else { row.measure.clone() },
                row.first.map_or_else(String::new, write),
                row.second.map_or_else(String::new, write),
                with_bounds(row.difference, row.ci_low, row.ci_high, signed),
                row.p_holm.map_or_else(String::new, |p| format!("{p:.4}")),
                row.gain.map_or_else(String::new, |gain| format!("{gain:.1}")),
            ]
        };
        let header = vec!["entrant", "measure", "first", "second", "difference [95 %]", "p (Holm)", "gain"];
        let shown = section.iter().filter(|row| row.seat.is_none());
        let table = plain_table(header, shown.map(cells), width, 2);
        let Some(first) = section.first() else { continue };
        let deals = counted(section.iter().map(|row| row.sets).max().unwrap_or(0), "common deal");
        text += &format!("{}, {} seats, {deals}\n{table}\n\n", first.variant, first.seats);
    }
    text
}

/// A table whose first columns are names, and the others numbers.
fn plain_table(header: Vec<&str>, rows: impl Iterator<Item = Vec<String>>, width: u16, names: usize) -> String {
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table.set_header(header).add_rows(rows);
    for numbers in table.column_iter_mut().skip(names) {
        numbers.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

/// `classic, 4 seats, 1,000 sets, fair share 25.00 %; * leads`.
fn title(rows: &[SummaryRow], fair_share: f64) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let sets = counted(first.sets, "set");
    let fair = 100.0 * fair_share;
    format!("{}, {} seats, {sets}, fair share {fair:.2} %; * leads", first.variant, first.seats)
}

fn cells(row: &SummaryRow, rating: Option<Option<&RatingsRow>>, looks: Looks) -> Vec<String> {
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    // A zero has no sign, least of all the minus of a small negative number.
    let points = |elo: f64| match elo.round() {
        0.0 => "0".to_owned(),
        whole => format!("{whole:+.0}"),
    };
    let (low, high) = match looks {
        Looks::One => (row.ci_low, row.ci_high),
        Looks::Any => (row.anytime_low, row.anytime_high),
    };
    let mut cells = vec![row.entrant.clone(), with_bounds(row.win_share, low, high, percent)];
    if let Some(rating) = rating {
        cells.push(rating.map_or_else(String::new, |of| with_bounds(Some(of.rating), of.low, of.high, points)));
    }
    cells.push(row.points_mean.map_or_else(String::new, |points| format!("{points:.2}")));
    cells.push(grouped(row.games));
    cells
}

fn leading(mut cells: Vec<String>) -> Row {
    cells[0].insert_str(0, "* ");
    cells.into_iter().map(|text| Cell::new(text).add_attribute(Attribute::Bold)).collect::<Vec<_>>().into()
}

/// `52.10 [51.80, 52.40]`, with what is not defined left out.
fn with_bounds(value: Option<f64>, low: Option<f64>, high: Option<f64>, write: impl Fn(f64) -> String) -> String {
    let value = value.map_or_else(String::new, &write);
    match low.zip(high).map(|(low, high)| Interval { low, high }) {
        Some(Interval { low, high }) => format!("{value} [{}, {}]", write(low), write(high)),
        None => value,
    }
}

/// Every decision with what was chosen, its rank, and what would have been better.
#[must_use]
pub fn decisions_table(rows: &[DecisionRow], width: u16) -> String {
    let cells = |row: &DecisionRow| {
        let better = if row.rank == 1 { String::new() } else { format!("{} ({:.3})", row.best, row.best_value) };
        vec![
            row.agent.clone(),
            format!("{} ({:.3})", row.chosen, row.value),
            better,
            format!("{} of {}", row.rank, row.actions),
            format!("{:.3} ± {:.3}", row.regret, row.regret_se),
            row.seat.to_string(),
            row.line.to_string(),
        ]
    };
    let header = vec!["agent", "chosen (value)", "better (value)", "rank", "regret ± se", "seat", "line"];
    plain_table(header, rows.iter().map(cells), width, 3)
}

/// How well each agent chose, over all its choices and at each number of legal actions.
#[must_use]
pub fn quality_table(rows: &[QualityRow], width: u16) -> String {
    let cells = |row: &QualityRow| {
        vec![
            row.agent.clone(),
            row.actions.map_or_else(|| "any".to_owned(), |actions| actions.to_string()),
            grouped(row.decisions),
            format!("{:.1}", 100.0 * row.hit_rate),
            format!("{:.2}", row.mean_rank),
            format!("{:.4}", row.mean_regret),
        ]
    };
    let header = vec!["agent", "K", "choices", "ODHR@K %", "ADR@K", "mean regret"];
    plain_table(header, rows.iter().map(cells), width, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(agents: &[&str; 3], width: u16) -> String {
        let results = [
            ([0.2062, 0.1428, 0.2697], [-43.0, -120.0, 18.0], 10.43),
            ([0.2688, 0.2472, 0.2903], [17.0, -3.0, 36.0], 13.82),
            ([0.275, 0.2225, 0.3275], [22.0, -26.0, 66.0], 14.38),
        ];
        let row = |(agent, (shares, _, points)): (&&str, ([f64; 3], [f64; 3], f64))| {
            let [win_share, ci_low, ci_high] = shares.map(Some);
            SummaryRow {
                entrant: (*agent).into(),
                variant: "classic".into(),
                seats: 4,
                sets: 10,
                games: 160,
                points_mean: Some(points),
                win_share,
                ci_low,
                ci_high,
                ..SummaryRow::default()
            }
        };
        let rating = |(agent, (_, [rating, low, high], _)): (&&str, ([f64; 3], [f64; 3], f64))| RatingsRow {
            entrant: (*agent).into(),
            variant: "classic".into(),
            seats: 4,
            rating,
            low: Some(low),
            high: Some(high),
            ..RatingsRow::default()
        };
        let rows: Vec<SummaryRow> = agents.iter().zip(results).map(row).collect();
        let ratings: Vec<RatingsRow> = agents.iter().zip(results).map(rating).collect();
        section_table(&rows, &ratings, 0.25, Looks::One, width)
    }

    #[test]
    fn three_entrants_at_eighty_columns() {
        insta::assert_snapshot!(printed(&["random", "greedy", "heuristic"], 80));
    }

    /// Of a stopped run the intervals are those that may be looked at, and there are no ratings.
    #[test]
    fn a_stopped_run_has_intervals_for_any_time() {
        let row = SummaryRow {
            win_share: Some(0.5),
            ci_low: Some(0.4),
            ci_high: Some(0.6),
            anytime_low: Some(0.3),
            anytime_high: Some(0.7),
            ..SummaryRow::default()
        };
        let text = section_table(&[row], &[], 0.5, Looks::Any, 80);
        assert!(text.contains("[30.00, 70.00]") && text.contains("at any time") && !text.contains("Elo"), "{text}");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let long = "monte-carlo:rollouts=1000,policy=(forgetful:p=0.1,agent=(mixbot:counting=false))";
        for width in [80, 120] {
            let text = printed(&["random", long, "heuristic"], width);
            assert!(text.lines().all(|line| line.chars().count() <= usize::from(width)), "{text}");
        }
    }
}
