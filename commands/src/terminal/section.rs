//! The table of a section: the strength of each entrant.

use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, Table};
use unolab_agents::printable::printable;
use unolab_agents::registry::Registry;
use unolab_arena::tables::ratings::{RatingsRow, is_bound};
use unolab_arena::tables::summary::SummaryRow;
use unolab_arena::words::{counted, grouped};

use super::plain::{MIN_NAME, STYLE, shortened_name, with_bounds};
use super::ratings::FITTED_WITH_ALL;
use super::{ColorUse, InterimLooks, Screen};
use crate::output::wrapped;

/// The measure by which rows are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// All entrants have met.
    WinShare,
    /// Entrants had different opponents, so that win shares are not comparable.
    Rating,
}

/// The rows of one section with this fair share, the strongest first: win share and rating with their intervals, points,
/// games, if they fit. One mark shows a significant leader: no other entrant can be first, and the win share is significantly
/// above the fair share. Another mark shows an entrant outside the field. Ratings may be of all methods and sections; the
/// first of each entrant is shown, and none for a stopped run.
#[must_use]
pub fn section_table(
    rows: &[SummaryRow],
    ratings: &[RatingsRow],
    (fair_share, order): (f64, RowOrder),
    looks: InterimLooks,
    screen: Screen,
) -> String {
    let rating_of = |row: &SummaryRow| {
        let same = |rating: &&RatingsRow| {
            (&rating.variant, rating.seats, &rating.entrant) == (&row.variant, row.seats, &row.entrant)
        };
        ratings.iter().find(same)
    };
    let has_ratings = rows.iter().any(|row| rating_of(row).is_some());
    let mut strongest_first: Vec<&SummaryRow> = rows.iter().collect();
    let strength = |row: &SummaryRow| {
        let rating = rating_of(row).filter(|_| order == RowOrder::Rating).map_or(f64::NEG_INFINITY, |row| row.rating);
        (rating, row.win_share.unwrap_or(-1.0))
    };
    strongest_first.sort_by(|a, b| {
        let (a, b) = (strength(a), strength(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    let leads = |row: &SummaryRow| {
        rows.len() > 1
            && rating_of(row).is_some_and(|rating| rating.place_high == Some(1))
            && bounds_of(row, looks)[0].is_some_and(|low| low > fair_share)
    };
    let registry = Registry::default();
    let is_unrated = |row: &SummaryRow| has_ratings && rating_of(row).is_none() || is_bound(&row.agent, &registry);
    let name = |row: &SummaryRow| {
        let mark = if leads(row) {
            "* "
        } else if is_unrated(row) {
            "° "
        } else {
            ""
        };
        format!("{mark}{}", printable(&row.entrant))
    };
    let longest = rows.iter().map(|row| name(row).chars().count()).max().unwrap_or(0);
    let width_of = |table: &Table| table.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let table = |columns: &[Column], longest_name: usize, row_names: bool| {
        let mut table = Table::new();
        table.load_style(STYLE).force_no_tty().set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(std::iter::once("entrant").chain(columns.iter().map(|column| column.header(looks))));
        for row in &strongest_first {
            let name = if row_names { shortened_name(&name(row), longest_name) } else { String::new() };
            let cells =
                std::iter::once(name).chain(columns.iter().map(|column| column.cell(row, rating_of(row), looks)));
            let cell = |text: String| colored(Cell::new(text), bounds_of(row, looks), fair_share, leads(row));
            table.add_row(cells.map(cell).collect::<Vec<_>>());
        }
        for numbers in table.column_iter_mut().skip(1) {
            numbers.set_cell_alignment(CellAlignment::Right);
        }
        table
    };
    // The width for the names, if all columns are shown.
    let left = |columns: &[Column]| {
        (usize::from(screen.width) + "entrant".len()).saturating_sub(width_of(&table(columns, 0, false)))
    };
    let forms: Vec<Vec<Column>> = FORMS
        .iter()
        .map(|form| form.iter().copied().filter(|column| has_ratings || !column.is_rating()).collect())
        .collect();
    let fits = |columns: &&Vec<Column>| left(columns) >= longest.min(SHORT_NAME);
    let columns = forms.iter().find(fits).unwrap_or(&forms[forms.len() - 1]);
    let mut table = table(columns, left(columns).max(MIN_NAME), true);
    if screen.color == ColorUse::Allowed {
        table.enforce_styling();
    }
    let leader = match (has_ratings && rows.len() > 1, rows.iter().any(leads)) {
        (false, _) => "",
        (true, true) => "; * significantly ahead",
        (true, false) => "; no significant leader",
    };
    let fitted = if has_ratings { format!("; {FITTED_WITH_ALL}") } else { String::new() };
    let unrated = match rows.iter().any(is_unrated) {
        true => wrapped("° ", &format!("{UNRATED}{fitted}"), screen.width),
        false => String::new(),
    };
    format!("{}\n{}\n{unrated}", title(rows, fair_share, leader, screen.width), table.trim_fmt())
}

/// Why an entrant has no rating.
pub(super) const UNRATED: &str = "not rated: sees all cards, or is tailored to one agent";

/// The length to which names are shortened before a column is dropped; if that is not enough, [`MIN_NAME`].
const SHORT_NAME: usize = 20;

/// A column of the table of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Share,
    /// The share without its interval.
    PlainShare,
    Elo,
    /// The rating without its interval.
    PlainElo,
    Points,
    Games,
}

/// The forms of the table, the widest first.
const FORMS: [&[Column]; 6] = [
    &[Column::Share, Column::Elo, Column::Points, Column::Games],
    &[Column::Share, Column::Elo, Column::Points],
    &[Column::Share, Column::Elo],
    &[Column::Share, Column::PlainElo],
    &[Column::Share],
    &[Column::PlainShare],
];

impl Column {
    const fn header(self, looks: InterimLooks) -> &'static str {
        match (self, looks) {
            (Self::Share, InterimLooks::One) => "win share % [95%]",
            (Self::Share, InterimLooks::Any) => "win share % [95% at any time]",
            (Self::PlainShare, _) => "win share %",
            (Self::Elo, InterimLooks::One) => "Elo [95%]",
            (Self::Elo, InterimLooks::Any) => "Elo [95% at any time]",
            (Self::PlainElo, _) => "Elo",
            (Self::Points, _) => "points",
            (Self::Games, _) => "games",
        }
    }

    const fn is_rating(self) -> bool {
        matches!(self, Self::Elo | Self::PlainElo)
    }

    fn cell(self, row: &SummaryRow, rating: Option<&RatingsRow>, looks: InterimLooks) -> String {
        let percent = |share: f64| format!("{:.2}", 100.0 * share);
        // A zero has no sign, even for a small negative number.
        let points = |elo: f64| match elo.round() {
            0.0 => "0".to_owned(),
            whole => format!("{whole:+.0}"),
        };
        let [low, high] = bounds_of(row, looks);
        match self {
            Self::Share => with_bounds(row.win_share, low, high, percent),
            Self::PlainShare => with_bounds(row.win_share, None, None, percent),
            // If all sets have the same result, the bootstrap interval has zero width, but the error is not zero.
            Self::Elo => rating.map_or_else(String::new, |of| match of.low.zip(of.high) {
                Some((low, high)) if low < high => with_bounds(Some(of.rating), of.low, of.high, points),
                _ => with_bounds(Some(of.rating), None, None, points),
            }),
            Self::PlainElo => rating.map_or_else(String::new, |of| with_bounds(Some(of.rating), None, None, points)),
            Self::Points => row.points_mean.map_or_else(String::new, |points| format!("{points:.2}")),
            Self::Games => grouped(row.games),
        }
    }
}

/// The bounds for this kind of look.
const fn bounds_of(row: &SummaryRow, looks: InterimLooks) -> [Option<f64>; 2] {
    match looks {
        InterimLooks::One => [row.ci_low, row.ci_high],
        InterimLooks::Any => [row.anytime_low, row.anytime_high],
    }
}

/// Green if it is significantly above the fair share, red if it is significantly below; the leader is bold.
fn colored(cell: Cell, [low, high]: [Option<f64>; 2], fair_share: f64, leads: bool) -> Cell {
    let cell = if leads { cell.add_attribute(Attribute::Bold) } else { cell };
    match (low, high) {
        (Some(low), _) if low > fair_share => cell.fg(Color::Green),
        (_, Some(high)) if high < fair_share => cell.fg(Color::Red),
        _ => cell,
    }
}

/// `classic, 4 seats, 1,000 sets, fair share 25.00%; * significantly ahead`, in as many lines as needed.
fn title(rows: &[SummaryRow], fair_share: f64, leader: &str, width: u16) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let sets = counted(first.sets, "set");
    let fair = 100.0 * fair_share;
    let head = format!("{}, {} seats, {sets},", printable(&first.variant), first.seats);
    let tail = format!("fair share {fair:.2}%{leader}");
    let is_short = head.chars().count() + 1 + tail.chars().count() <= usize::from(width);
    format!("{head}{}{tail}", if is_short { ' ' } else { '\n' })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(width: u16) -> Screen {
        Screen { width, color: ColorUse::None }
    }

    fn printed(agents: &[&str; 3], screen: Screen) -> String {
        let results = [
            ([0.2062, 0.1428, 0.2697], [-43.0, -120.0, 18.0], 10.43),
            ([0.2688, 0.2472, 0.2903], [17.0, -3.0, 36.0], 13.82),
            ([0.325, 0.2825, 0.3675], [52.0, 20.0, 86.0], 14.38),
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
            place_high: Some(if *agent == "heuristic" { 1 } else { 3 }),
            ..RatingsRow::default()
        };
        let rows: Vec<SummaryRow> = agents.iter().zip(results).map(row).collect();
        let ratings: Vec<RatingsRow> = agents.iter().zip(results).map(rating).collect();
        section_table(&rows, &ratings, (0.25, RowOrder::WinShare), InterimLooks::One, screen)
    }

    #[test]
    fn three_entrants_fit_eighty_columns() {
        insta::assert_snapshot!(printed(&["random", "greedy", "heuristic"], screen(80)));
    }

    /// A stopped run prints anytime intervals, and no ratings.
    #[test]
    fn interrupted_run_prints_anytime_intervals() {
        let row = SummaryRow {
            win_share: Some(0.5),
            ci_low: Some(0.4),
            ci_high: Some(0.6),
            anytime_low: Some(0.3),
            anytime_high: Some(0.7),
            ..SummaryRow::default()
        };
        let text = section_table(&[row], &[], (0.5, RowOrder::WinShare), InterimLooks::Any, screen(80));
        assert!(text.contains("[30.00, 70.00]") && text.contains("at any time") && !text.contains("Elo"), "{text}");
    }

    /// The first place may be significant after few deals in which the others did worse; a leader must also exceed the
    /// fair share.
    #[test]
    fn leader_requires_interval_above_fair_share() {
        let of = |entrant: &str, low, high| SummaryRow {
            entrant: entrant.into(),
            win_share: Some((low + high) / 2.0),
            ci_low: Some(low),
            ci_high: Some(high),
            ..SummaryRow::default()
        };
        let rating = RatingsRow { entrant: "greedy".into(), place_high: Some(1), ..RatingsRow::default() };
        let text = |low| {
            let rows = [of("greedy", low, 1.0), of("random", 0.0, 1.0 - low)];
            section_table(
                &rows,
                std::slice::from_ref(&rating),
                (0.5, RowOrder::WinShare),
                InterimLooks::One,
                screen(80),
            )
        };
        assert!(text(0.49).contains("no significant leader"), "{}", text(0.49));
        assert!(text(0.51).contains("* significantly ahead") && text(0.51).contains("* greedy"), "{}", text(0.51));
    }

    /// An oracle is also marked in a stopped run, by its agent; otherwise a missing rating marks any oracle.
    #[test]
    fn unrated_entrant_is_marked() {
        let of = |entrant: &str, agent: &str| SummaryRow {
            entrant: entrant.into(),
            agent: agent.into(),
            win_share: Some(0.5),
            ..SummaryRow::default()
        };
        let rows = [of("x", "clairvoyant"), of("clairvoyant", "greedy"), of("own", "my-oracle")];
        let rating = RatingsRow { entrant: "clairvoyant".into(), ..RatingsRow::default() };
        let marked = |ratings: &[RatingsRow]| {
            let text = section_table(&rows, ratings, (0.5, RowOrder::WinShare), InterimLooks::One, screen(80));
            assert!(text.contains("\n° not rated: sees all cards, or is tailored to one agent"), "{text}");
            assert_eq!(text.contains("; ratings are"), !ratings.is_empty(), "{text}");
            ["° x", "° clairvoyant", "° own"].map(|name| text.contains(name))
        };
        assert_eq!((marked(&[]), marked(&[rating])), ([true, false, false], [true, false, true]));
    }

    #[test]
    fn rows_of_different_opponents_are_sorted_by_rating() {
        let of = |entrant: &str, share| SummaryRow {
            entrant: entrant.into(),
            win_share: Some(share),
            ..SummaryRow::default()
        };
        let rating = |entrant: &str, rating| RatingsRow { entrant: entrant.into(), rating, ..RatingsRow::default() };
        let rows = [of("mine", 0.42), of("strong", 0.68), of("weak", 0.48)];
        let ratings = [rating("mine", -10.0), rating("strong", 40.0), rating("weak", -30.0)];
        let order = |order| {
            let text = section_table(&rows, &ratings, (0.5, order), InterimLooks::One, screen(80));
            let mut names = ["mine", "strong", "weak"];
            names.sort_by_key(|name| text.find(name));
            names
        };
        assert_eq!(order(RowOrder::WinShare), ["strong", "weak", "mine"]);
        assert_eq!(order(RowOrder::Rating), ["strong", "mine", "weak"]);
    }

    #[test]
    fn three_entrants_fit_sixty_columns() {
        insta::assert_snapshot!(printed(
            &["random", "cmd:\"python3 bots/mine.py --level=3\"", "heuristic"],
            screen(60)
        ));
    }

    #[test]
    fn each_row_fits_one_terminal_line() {
        let long = "monte-carlo:rollouts=1000,policy=(forgetful:p=0.1,agent=(mixbot:counting=false))";
        for width in [40, 50, 60, 80, 120] {
            let text = printed(&["random", long, "heuristic"], screen(width));
            assert!(text.lines().all(|line| line.chars().count() <= usize::from(width)), "{width}:\n{text}");
            assert_eq!(text.lines().filter(|line| line.contains("26.88")).count(), 1, "{text}");
            assert!(text.lines().count() <= 9, "{width}:\n{text}");
        }
    }

    #[test]
    fn color_is_used_only_if_allowed() {
        let agents = ["random", "greedy", "heuristic"];
        assert!(!printed(&agents, screen(80)).contains('\u{1b}'));
        let text = printed(&agents, Screen { width: 80, color: ColorUse::Allowed });
        assert!(text.contains("\u{1b}[1m"), "the leader is bold: {text:?}");
    }
}
