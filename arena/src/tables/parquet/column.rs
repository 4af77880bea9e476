//! [`Column`]: the cells of a column, and how Parquet writes a chunk of them.

use std::collections::HashMap;

use serde_json::Value;

use super::error::ParquetError;
use super::thrift::{Kind, Thrift, varint};
use crate::tables::row::{self, Cells};

/// A cell: as text, or as JSON.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'a> {
    Read(&'a str),
    Of(&'a Value),
}

impl Cell<'_> {
    fn is_empty(self) -> bool {
        match self {
            Self::Read(text) => text.is_empty(),
            Self::Of(value) => value.is_null(),
        }
    }

    /// The bytes of its value in the format; `None` if it does not have this type.
    fn bytes(self, cells: Cells) -> Option<Vec<u8>> {
        let text = |text: &str| Some([&u32::try_from(text.len()).ok()?.to_le_bytes(), text.as_bytes()].concat());
        match (self, cells) {
            (Self::Read(cell), Cells::Whole) => Some(cell.parse::<i64>().ok()?.to_le_bytes().to_vec()),
            (Self::Read(cell), Cells::Real) => Some(cell.parse::<f64>().ok()?.to_le_bytes().to_vec()),
            (Self::Read(cell), Cells::Text) => text(cell),
            (Self::Of(cell), Cells::Whole) => Some(cell.as_i64()?.to_le_bytes().to_vec()),
            (Self::Of(cell), Cells::Real) => Some(cell.as_f64()?.to_le_bytes().to_vec()),
            (Self::Of(cell), Cells::Text) => text(cell.as_str()?),
        }
    }
}

/// The part of a column that is in memory.
#[derive(Debug)]
pub(super) struct Column {
    name: &'static str,
    cells: Cells,
    /// For each cell, whether it has a value.
    is_filled: Vec<bool>,
    /// For each cell with a value, the number of the value.
    numbers: Vec<u32>,
    /// The encoded values, by their numbers.
    values: Vec<Vec<u8>>,
    number_of: HashMap<Vec<u8>, u32>,
}

/// The position of a column chunk in the file.
#[derive(Debug)]
pub(super) struct Chunk {
    cells: usize,
    encoding: Encoding,
    begin: usize,
    /// The position of the cells, after the dictionary of values.
    data: usize,
    end: usize,
}

/// The numbers of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// Each cell as its value.
    Plain = 0,
    /// Runs of numbers of a few bits.
    Rle = 3,
    /// Each cell as the number of its value.
    Dictionary = 8,
}

/// The numbers of the format.
enum Page {
    Data = 0,
    Dictionary = 2,
}

impl Column {
    pub(super) fn new(&row::Column { name, cells, .. }: &row::Column) -> Self {
        let (is_filled, numbers, values, number_of) = Default::default();
        Self { name, cells, is_filled, numbers, values, number_of }
    }

    /// The number of the type of its cells in the format.
    const fn type_number(&self) -> i32 {
        match self.cells {
            Cells::Whole => 2,
            Cells::Real => 5,
            Cells::Text => 6,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.is_filled.len()
    }

    /// Adds a cell.
    ///
    /// # Errors
    /// If its type differs from the column's.
    pub(super) fn push(&mut self, cell: Cell<'_>) -> Result<(), ParquetError> {
        self.is_filled.push(!cell.is_empty());
        if cell.is_empty() {
            return Ok(());
        }
        let Some(value) = cell.bytes(self.cells) else {
            let cell = match cell {
                Cell::Read(text) => text.to_owned(),
                Cell::Of(value) => value.to_string(),
            };
            return Err(ParquetError::Cell { column: self.name, cell });
        };
        let number = match self.number_of.get(&value) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(self.values.len()).expect("a row group is shorter");
                self.number_of.insert(value.clone(), number);
                self.values.push(value);
                number
            }
        };
        self.numbers.push(number);
        Ok(())
    }

    /// Appends the held cells to these bytes of a file, which begin at `offset`, and clears them.
    pub(super) fn write(&mut self, file: &mut Vec<u8>, offset: usize) -> Chunk {
        let cells = self.len();
        let bits = usize::BITS - self.values.len().saturating_sub(1).leading_zeros();
        let len_of = |number: &u32| self.values[*number as usize].len();
        let by_numbers = self.values.iter().map(Vec::len).sum::<usize>() + self.numbers.len() * bits as usize / 8;
        let encoding =
            if by_numbers < self.numbers.iter().map(len_of).sum() { Encoding::Dictionary } else { Encoding::Plain };
        let mut levels = Vec::new();
        runs(&mut levels, self.is_filled.iter().map(|&is_filled| is_filled.into()), 1);
        let len = u32::try_from(levels.len()).expect("a row group is shorter");
        let mut page = [&len.to_le_bytes()[..], &levels].concat();
        let begin = offset + file.len();
        if encoding == Encoding::Dictionary {
            let values = self.values.concat();
            file.extend(header(Page::Dictionary, values.len(), |thrift| {
                thrift.structure(7, |thrift| {
                    thrift.i32(1, whole(self.values.len()));
                    thrift.i32(2, Encoding::Plain as i32);
                });
            }));
            file.extend(values);
            page.push(bits.to_le_bytes()[0]);
            runs(&mut page, self.numbers.iter().copied(), bits);
        } else {
            self.numbers.iter().for_each(|&number| page.extend_from_slice(&self.values[number as usize]));
        }
        let data = offset + file.len();
        file.extend(header(Page::Data, page.len(), |thrift| {
            thrift.structure(5, |thrift| {
                thrift.i32(1, whole(cells));
                thrift.i32(2, encoding as i32);
                thrift.i32(3, Encoding::Rle as i32);
                thrift.i32(4, Encoding::Rle as i32);
            });
        }));
        file.extend(page);
        self.is_filled.clear();
        self.numbers.clear();
        self.values.clear();
        self.number_of.clear();
        Chunk { cells, encoding, begin, data, end: offset + file.len() }
    }

    /// The column in the footer: a leaf of the schema.
    pub(super) fn describe(&self, thrift: &mut Thrift) {
        const OPTIONAL: i32 = 1;
        const UTF8: i32 = 0;
        thrift.i32(1, self.type_number());
        thrift.i32(3, OPTIONAL);
        thrift.text(4, self.name);
        if self.cells == Cells::Text {
            thrift.i32(6, UTF8);
            thrift.structure(10, |logical| logical.structure(1, |_string| {}));
        }
    }

    /// A chunk of it in the footer.
    pub(super) fn locate(&self, chunk: &Chunk, thrift: &mut Thrift) {
        let len = wide(chunk.end - chunk.begin);
        thrift.i64(2, wide(chunk.begin));
        thrift.structure(3, |thrift| {
            thrift.i32(1, self.type_number());
            let encodings: &[_] = match chunk.encoding {
                Encoding::Dictionary => &[Encoding::Plain, Encoding::Rle, Encoding::Dictionary],
                _ => &[Encoding::Plain, Encoding::Rle],
            };
            thrift.list(2, encodings.len(), Kind::I32);
            encodings.iter().for_each(|&encoding| thrift.item(encoding as i64));
            thrift.list(3, 1, Kind::Binary);
            thrift.text_item(self.name);
            thrift.i32(4, 0); // not compressed
            thrift.i64(5, wide(chunk.cells));
            thrift.i64(6, len);
            thrift.i64(7, len);
            thrift.i64(9, wide(chunk.data));
            if chunk.encoding == Encoding::Dictionary {
                thrift.i64(11, wide(chunk.begin));
            }
        });
    }
}

impl Chunk {
    /// Its number of bytes.
    pub(super) const fn len(&self) -> usize {
        self.end - self.begin
    }

    /// Its number of cells.
    pub(super) const fn cells(&self) -> usize {
        self.cells
    }
}

/// The header of a page; `len` is the number of bytes after it.
fn header(page: Page, len: usize, write: impl FnOnce(&mut Thrift)) -> Vec<u8> {
    Thrift::of(|thrift| {
        thrift.i32(1, page as i32);
        thrift.i32(2, whole(len));
        thrift.i32(3, whole(len));
        write(thrift);
    })
}

/// Writes numbers of `bits` bits as a run: if all are the same, their count and the number; otherwise packed, the lowest bit first,
/// in groups of eight.
fn runs(bytes: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u32> + Clone, bits: u32) {
    let (len, mut rest) = (numbers.len(), numbers.clone());
    let Some(first) = rest.next() else { return };
    if rest.all(|number| number == first) {
        varint(bytes, (len as u64) << 1);
        bytes.extend_from_slice(&first.to_le_bytes()[..bits.div_ceil(8) as usize]);
        return;
    }
    varint(bytes, (len.div_ceil(8) as u64) << 1 | 1);
    let (mut held, mut in_held) = (0_u64, 0);
    let padding = std::iter::repeat_n(0, len.next_multiple_of(8) - len);
    for number in numbers.chain(padding) {
        held |= u64::from(number) << in_held;
        in_held += bits;
        while in_held >= 8 {
            bytes.push(held.to_le_bytes()[0]);
            held >>= 8;
            in_held -= 8;
        }
    }
}

fn whole(number: usize) -> i32 {
    i32::try_from(number).expect("a row group is shorter")
}

pub(super) fn wide(number: usize) -> i64 {
    i64::try_from(number).expect("no file is longer")
}
