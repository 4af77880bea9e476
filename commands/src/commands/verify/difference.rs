//! The differences between two versions of a table, cell by cell.

use std::fmt::{self, Display, Formatter};

use csv::{ByteRecord, ReaderBuilder};
use unolab_arena::words::counted;

/// The largest relative difference that rounding explains. A single game in a billion sets changes a mean by more.
const ROUNDING: f64 = 1e-9;

/// The cells that differ between two versions of a table, or of several tables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Difference {
    /// The number of cells that differ.
    pub(super) cells: u64,
    /// The largest relative difference between two numbers in the same cell; 0 if only text differs.
    pub(super) largest: f64,
    /// The implication of the differences.
    pub(super) extent: Extent,
}

/// The implications of differing cells, least serious first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    /// Only rounding differs: the same games, computed with other arithmetic.
    Rounding,
    /// Cells of text differ, and numbers by no more than rounding.
    Text,
    /// A count or an estimate differs.
    Games,
    /// The tables have other rows or columns.
    Shape,
}

impl Difference {
    /// Compares two versions of a CSV table. `None` if their cells are equal.
    pub(super) fn between(kept: &[u8], made: &[u8]) -> Option<Self> {
        let (mut kept, mut made) = (records(kept), records(made));
        let mut found = Self { cells: 0, largest: 0.0, extent: Extent::Rounding };
        loop {
            match (kept.next(), made.next()) {
                (None, None) => return (found.cells > 0).then_some(found),
                (Some(Ok(kept)), Some(Ok(made))) => found.add_row(&kept, &made),
                (Some(row), None) | (None, Some(row)) => found.add_shape(row.map_or(1, |row| row.len())),
                (Some(_), Some(_)) => found.add_shape(1),
            }
        }
    }

    fn add_row(&mut self, kept: &ByteRecord, made: &ByteRecord) {
        if kept.len() != made.len() {
            return self.add_shape(kept.len().abs_diff(made.len()));
        }
        for (kept, made) in kept.iter().zip(made).filter(|(kept, made)| kept != made) {
            self.cells += 1;
            let relative = relative_difference(kept, made);
            self.largest = self.largest.max(relative.unwrap_or(0.0));
            self.extent = self.extent.max(match relative {
                None => Extent::Text,
                Some(relative) if relative <= ROUNDING => Extent::Rounding,
                Some(_) => Extent::Games,
            });
        }
    }

    fn add_shape(&mut self, cells: usize) {
        self.cells += cells as u64;
        self.extent = Extent::Shape;
    }

    /// The combined difference.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            cells: self.cells + other.cells,
            largest: self.largest.max(other.largest),
            extent: self.extent.max(other.extent),
        }
    }
}

impl Display for Difference {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}, largest relative difference {:.1e}; ", counted(self.cells, "cell"), self.largest)?;
        out.write_str(match self.extent {
            Extent::Rounding => "no game differs",
            Extent::Text => "text differs, no number by more than rounding",
            Extent::Games => "games differ",
            Extent::Shape => "rows or columns differ",
        })
    }
}

fn records(table: &[u8]) -> impl Iterator<Item = csv::Result<ByteRecord>> {
    ReaderBuilder::new().has_headers(false).flexible(true).from_reader(table).into_byte_records()
}

/// The difference between two cells relative to the larger one. `None` unless both are finite numbers.
fn relative_difference(kept: &[u8], made: &[u8]) -> Option<f64> {
    let number = |cell: &[u8]| std::str::from_utf8(cell).ok()?.parse::<f64>().ok().filter(|value| value.is_finite());
    let (kept, made) = (number(kept)?, number(made)?);
    let larger = kept.abs().max(made.abs());
    Some(if larger > 0.0 { (kept - made).abs() / larger } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(kept: &str, made: &str) -> Option<(u64, Extent)> {
        Difference::between(kept.as_bytes(), made.as_bytes()).map(|found| (found.cells, found.extent))
    }

    #[test]
    fn differing_cells_have_extent() {
        let kept = "entrant,games,share\nmine,40,28.43359011160577\n";
        assert_eq!(between(kept, kept), None);
        for (made, expected) in [
            ("entrant,games,share\nmine,40,28.433590111605763\n", (1, Extent::Rounding)),
            ("entrant,games,share\nyours,40,28.433590111605763\n", (2, Extent::Text)),
            ("entrant,games,share\nmine,41,28.43359011160577\n", (1, Extent::Games)),
            ("entrant,games,share\nmine,40,28.4336\n", (1, Extent::Games)),
            ("entrant,games,share\nmine,40,\n", (1, Extent::Text)),
            ("entrant,games\nmine,40\n", (2, Extent::Shape)),
            ("entrant,games,share\n", (3, Extent::Shape)),
        ] {
            assert_eq!(between(kept, made), Some(expected), "{made}");
        }
    }

    /// 28.43359011160577 and 28.433590111605763 differ by two units of 3.6e-15.
    #[test]
    fn differences_of_two_tables_add_up() {
        let rounding = Difference::between(b"28.43359011160577\n", b"28.433590111605763\n").unwrap();
        assert!((1e-16..1e-15).contains(&rounding.largest), "{rounding:?}");
        let games = Difference::between(b"1,2\n", b"1,4\n").unwrap();
        let both = rounding.and(games);
        assert_eq!(both, Difference { cells: 2, largest: 0.5, extent: Extent::Games });
        assert_eq!(both.to_string(), "2 cells, largest relative difference 5.0e-1; games differ");
    }
}
