//! The compact protocol of Thrift, in which Parquet writes its metadata: only the parts that Parquet needs.

/// The output, and the fields of the open structures.
#[derive(Debug, Default)]
pub(super) struct Thrift {
    bytes: Vec<u8>,
    last_field: u8,
}

/// The type of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    I32 = 5,
    I64 = 6,
    Binary = 8,
    List = 9,
    Struct = 12,
}

impl Thrift {
    /// A standalone structure, with the fields that this writes.
    pub(super) fn of(write: impl FnOnce(&mut Self)) -> Vec<u8> {
        let mut thrift = Self::default();
        thrift.element(write);
        thrift.bytes
    }

    pub(super) fn i32(&mut self, field: u8, value: i32) {
        self.begin(field, Kind::I32);
        self.item(value.into());
    }

    pub(super) fn i64(&mut self, field: u8, value: i64) {
        self.begin(field, Kind::I64);
        self.item(value);
    }

    pub(super) fn text(&mut self, field: u8, text: &str) {
        self.begin(field, Kind::Binary);
        self.text_item(text);
    }

    /// A structure as a field. Its own fields count from 0 again.
    pub(super) fn structure(&mut self, field: u8, write: impl FnOnce(&mut Self)) {
        self.begin(field, Kind::Struct);
        self.element(write);
    }

    /// Begins a list; the caller writes its items next.
    pub(super) fn list(&mut self, field: u8, items: usize, kind: Kind) {
        self.begin(field, Kind::List);
        match u8::try_from(items) {
            Ok(few @ 0..15) => self.bytes.push(few << 4 | kind as u8),
            _ => {
                self.bytes.push(0xf0 | kind as u8);
                varint(&mut self.bytes, items as u64);
            }
        }
    }

    /// A whole number in a list.
    pub(super) fn item(&mut self, value: i64) {
        varint(&mut self.bytes, (value << 1 ^ value >> 63).cast_unsigned());
    }

    /// A text in a list.
    pub(super) fn text_item(&mut self, text: &str) {
        varint(&mut self.bytes, text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A structure in a list.
    pub(super) fn element(&mut self, write: impl FnOnce(&mut Self)) {
        let outside = std::mem::take(&mut self.last_field);
        write(self);
        self.bytes.push(0);
        self.last_field = outside;
    }

    /// Fields are numbered in rising order, at most fifteen apart.
    fn begin(&mut self, field: u8, kind: Kind) {
        self.bytes.push((field - self.last_field) << 4 | kind as u8);
        self.last_field = field;
    }
}

/// Seven bits per byte, the lowest first; all bytes except the last have the highest bit.
pub(super) fn varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}
