//! Tables of any rows, as wide as the terminal.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};
use unolab_agents::printable::printable;
use unolab_stats::interval::Interval;

pub(super) const STYLE: TableStyle = TableStyle::new()
    .top_border(LineStyle::none().fill('─').junction('─'))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// The shortest form of a name.
pub(super) const MIN_NAME: usize = 8;

/// A table whose first columns are names, and the others numbers. If they do not fit side by side, it is split into
/// several tables of the same rows, one below the other. A cell is never broken.
pub(super) fn plain_table(
    header: Vec<&str>,
    rows: impl Iterator<Item = Vec<String>>,
    width: u16,
    names: usize,
) -> String {
    // The part of a narrow table that a name may take.
    let part = match (header.len(), names) {
        (..=2, _) => 2,
        (_, ..=2) => 3,
        (_, names) => names + 2,
    };
    let longest = (usize::from(width) / part).max(MIN_NAME);
    let short = |(at, text): (usize, String)| {
        let text = printable(&text);
        if at < names { shortened_name(&text, longest) } else { text }
    };
    let rows: Vec<Vec<String>> = rows.map(|cells| cells.into_iter().enumerate().map(short).collect()).collect();
    // As wide as its cells and the longest word of its heading.
    let width_of = |column: usize| -> usize {
        let words = header[column].split(' ').map(|word| word.chars().count());
        words.chain(rows.iter().map(|row| row[column].chars().count())).max().unwrap_or(0) + PADDING
    };
    let key: Vec<usize> = (0..names.max(1)).collect();
    let mut parts: Vec<Vec<usize>> = vec![key.clone()];
    for column in key.len()..header.len() {
        let last = &parts[parts.len() - 1];
        // One column separates two cells.
        let taken: usize = last.iter().chain([&column]).map(|&column| width_of(column) + 1).sum();
        if taken > usize::from(width) + 1 && last.len() > key.len() {
            parts.push(key.clone());
        }
        parts.last_mut().expect("one part at least").push(column);
    }
    let drawn = |columns: &Vec<usize>| {
        let mut table = Table::new();
        table.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        table.set_header(columns.iter().map(|&column| header[column]));
        table.add_rows(rows.iter().map(|row| columns.iter().map(|&column| &row[column]).collect::<Vec<_>>()));
        for (place, column) in columns.iter().enumerate() {
            let Some(drawn) = table.column_mut(place) else { continue };
            let least = u16::try_from(width_of(*column)).unwrap_or(width);
            drawn.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
            if *column >= names {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.trim_fmt()
    };
    parts.iter().map(drawn).collect::<Vec<_>>().join("\n")
}

/// A space to each side of a cell.
const PADDING: usize = 2;

/// The beginning and the end of a name that is too long: `cmd:"pytho…mybot.py"`.
pub(super) fn shortened_name(name: &str, longest: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= longest {
        return name.to_owned();
    }
    let kept = longest.saturating_sub(1);
    let (head, tail) = (kept - kept / 2, kept / 2);
    letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect()
}

/// `52.10 [51.80, 52.40]`, without undefined values.
pub(super) fn with_bounds(
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    write: impl Fn(f64) -> String,
) -> String {
    let value = value.map_or_else(String::new, &write);
    match low.zip(high).map(|(low, high)| Interval { low, high }) {
        Some(Interval { low, high }) => format!("{value} [{}, {}]", write(low), write(high)),
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_table_continues_below() {
        let header = || vec!["entrant", "win share % [95%]", "luck-adjusted % [95%]", "games"];
        let rows = || {
            [["greedy", "50.00 [49.00, 51.00]", "50.00 [49.50, 50.50]", "1000"].map(str::to_owned).to_vec()].into_iter()
        };
        let wide = plain_table(header(), rows(), 100, 1);
        assert_eq!(wide.matches("greedy").count(), 1, "{wide}");
        for width in [40, 50, 60] {
            let narrow = plain_table(header(), rows(), width, 1);
            assert!(narrow.matches("greedy").count() > 1, "{width}:\n{narrow}");
            assert!(narrow.lines().all(|line| line.chars().count() <= usize::from(width)), "{width}:\n{narrow}");
            for cell in ["50.00 [49.00, 51.00]", "50.00 [49.50, 50.50]", "1000"] {
                assert!(narrow.contains(cell), "a cell is not broken: {width}:\n{narrow}");
            }
        }
    }
}
