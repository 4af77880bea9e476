//! The checksum of `games.csv`, saved with the counts: CRC-32, which can be extended by more bytes, and combined with the
//! checksum of the next part.

use std::io::{self, Read};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

/// The size and the checksum of written rows of `games.csv`, which identify them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WrittenRows {
    /// The number of bytes.
    pub bytes: u64,
    /// The checksum of these bytes.
    pub checksum: u32,
}

impl WrittenRows {
    /// Extends the checksum by these bytes.
    pub fn add(&mut self, rows: &[u8]) {
        self.checksum = checksum_after(self.checksum, rows);
        self.bytes += rows.len() as u64;
    }

    /// Extends the checksum by the rows of the next part.
    pub fn join(&mut self, next: Self) {
        self.checksum = joined_checksum(self.checksum, next.checksum, next.bytes);
        self.bytes += next.bytes;
    }

    /// Reads these rows and passes on each piece.
    ///
    /// # Errors
    /// In words: there are fewer bytes, or they differ, or they cannot be read or passed on.
    pub fn check(
        self,
        from: &mut impl Read,
        pass_on: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<Result<(), String>> {
        Ok(match checksum_of(from, self.bytes, pass_on)? {
            Some(found) if found == self.checksum => Ok(()),
            Some(_) => Err("its rows have been changed".into()),
            None => Err("is shorter than what has been counted".into()),
        })
    }
}

/// Extends a checksum by more bytes.
fn checksum_after(checksum: u32, bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new_with_initial(checksum);
    hasher.update(bytes);
    hasher.finalize()
}

/// The checksum of two consecutive parts, the second of which has this length.
fn joined_checksum(first: u32, second: u32, length_of_second: u64) -> u32 {
    let mut hasher = Hasher::new_with_initial(first);
    hasher.combine(&Hasher::new_with_initial_len(second, length_of_second));
    hasher.finalize()
}

/// The checksum of the next bytes, each piece of which is passed on; `None` if there are fewer.
fn checksum_of(
    from: &mut impl Read,
    length: u64,
    mut pass_on: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<Option<u32>> {
    let (mut checksum, mut left, mut room) = (0, length, vec![0; 1 << 16]);
    while left > 0 {
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(room.len());
        let read = from.read(&mut room[..wanted])?;
        if read == 0 {
            return Ok(None);
        }
        checksum = checksum_after(checksum, &room[..read]);
        pass_on(&room[..read])?;
        left -= read as u64;
    }
    Ok(Some(checksum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_extend_and_concatenate() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|number| number.to_le_bytes()[0]).collect();
        let whole = checksum_after(0, &bytes);
        let (head, tail) = bytes.split_at(131_071);
        assert_eq!(checksum_after(checksum_after(0, head), tail), whole);
        assert_eq!(joined_checksum(checksum_after(0, head), checksum_after(0, tail), tail.len() as u64), whole);
        assert_eq!(joined_checksum(whole, 0, 0), whole);
        let mut passed = Vec::new();
        let keep = |piece: &[u8]| {
            passed.extend_from_slice(piece);
            Ok(())
        };
        assert_eq!(checksum_of(&mut &*bytes, 200_000, keep).unwrap(), Some(whole));
        assert_eq!(passed, bytes);
        assert_eq!(checksum_of(&mut &*bytes, 200_001, |_| Ok(())).unwrap(), None);
    }
}
