//! The seal of a contest: a key in every random stream, so that programs cannot find the cards by trying seeds.
//!
//! A spec has the fingerprint of the key, so another key gives another spec. Until the run has ended, the key itself is only in
//! memory, and in a file on request.

use std::fmt;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use thiserror::Error;
use unolab_agents::named_file;
use unolab_engine::rng::{Purpose, Rng, SetKey};

/// The key of a sealed contest: 128 random bits. Only [`SealKey::to_hex`] reveals it, after the cards need no longer be
/// hidden.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SealKey([u8; 16]);

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealKey(of {})", self.fingerprint())
    }
}

/// The error that a text is not 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a key is 32 hexadecimal digits")]
pub struct KeyParseError;

impl FromStr for SealKey {
    type Err = KeyParseError;

    fn from_str(text: &str) -> Result<Self, KeyParseError> {
        let is_hex = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let key = u128::from_str_radix(text, 16).ok().filter(|_| is_hex).ok_or(KeyParseError)?;
        Ok(Self(key.to_be_bytes()))
    }
}

impl SealKey {
    /// A new random key.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        let mut key = [0; 16];
        getrandom::fill(&mut key)?;
        Ok(Self(key))
    }

    /// The key as 32 hexadecimal digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }

    /// A hash that identifies the key without revealing it.
    fn fingerprint(self) -> String {
        format!("{:016x}", u64::from_be_bytes(self.hash(&[b"unolab seal v1"])))
    }

    /// HMAC-SHA-256 (RFC 2104), its first eight bytes.
    fn hash(self, parts: &[&[u8]]) -> [u8; 8] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key may have any length");
        parts.iter().for_each(|part| mac.update(part));
        let hash: [u8; 32] = mac.finalize().into_bytes().into();
        hash[..8].try_into().expect("eight bytes")
    }

    fn stream(self, seed: u64, set: u64, purpose: Purpose) -> Rng {
        let (kind, number) = match purpose {
            Purpose::Cards { round } => (1, round),
            Purpose::Agent(seat) => (2, u32::try_from(seat.index()).expect("at most ten seats")),
            Purpose::Dealer => (3, 0),
            Purpose::Other(number) => (4, number),
            Purpose::Seating { table } => (5, table),
        };
        let place = [&seed.to_le_bytes()[..], &set.to_le_bytes(), &[kind], &number.to_le_bytes()];
        let [seed, set, kind, number] = place;
        Rng::from_seed(u64::from_le_bytes(self.hash(&[b"unolab stream v1", seed, set, kind, number])))
    }
}

/// The seal of a spec: the fingerprint of its key, and the key if it is known.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Seal {
    fingerprint: String,
    key: Option<SealKey>,
}

impl PartialEq for Seal {
    /// Whether both have the same key, even if it is unknown.
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Eq for Seal {}

impl From<String> for Seal {
    fn from(fingerprint: String) -> Self {
        Self { fingerprint, key: None }
    }
}

impl From<Seal> for String {
    fn from(seal: Seal) -> Self {
        seal.fingerprint
    }
}

impl From<SealKey> for Seal {
    fn from(key: SealKey) -> Self {
        Self { fingerprint: key.fingerprint(), key: Some(key) }
    }
}

impl Seal {
    /// The key, if it is known.
    #[must_use]
    pub const fn key(&self) -> Option<SealKey> {
        self.key
    }

    /// The seal with its key.
    ///
    /// # Errors
    /// If the key belongs to another contest.
    pub fn opened_by(&self, key: SealKey) -> Result<Self, WrongKey> {
        let seal = Self::from(key);
        if seal == *self { Ok(seal) } else { Err(WrongKey { of: self.fingerprint.clone(), given: seal.fingerprint }) }
    }
}

/// The key of another contest.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the key belongs to seal {given}, but the run has seal {of}")]
pub struct WrongKey {
    of: String,
    given: String,
}

/// The source of the random numbers of a run: the master seed, and the key if it is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streams {
    seed: u64,
    key: Option<SealKey>,
}

impl Streams {
    /// The streams of this master seed, under this key if there is one.
    #[must_use]
    pub const fn new(seed: u64, key: Option<SealKey>) -> Self {
        Self { seed, key }
    }

    /// The master seed.
    #[must_use]
    pub const fn seed(self) -> u64 {
        self.seed
    }

    /// The streams of one set of games.
    #[must_use]
    #[inline(always)]
    pub const fn of_set(self, set: u64) -> SetStreams {
        match self.key {
            None => SetStreams::Open(SetKey::of(self.seed, set)),
            Some(key) => SetStreams::Sealed { key, seed: self.seed, set },
        }
    }
}

/// The streams of one set of games.
#[derive(Debug, Clone, Copy)]
pub enum SetStreams {
    /// The seed and the set determine them.
    Open(SetKey),
    /// The key also determines them.
    Sealed {
        /// The key.
        key: SealKey,
        /// The master seed.
        seed: u64,
        /// The set.
        set: u64,
    },
}

impl SetStreams {
    /// The stream for this purpose.
    #[must_use]
    #[inline(always)]
    pub fn stream(self, purpose: Purpose) -> Rng {
        match self {
            Self::Open(key) => key.stream(purpose),
            Self::Sealed { key, seed, set } => key.stream(seed, set, purpose),
        }
    }
}

/// Whether a seal file may be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealFile {
    /// It is created if it is missing.
    MayBeMade,
    /// It must exist.
    MustExist,
}

/// Why a seal file has no valid key.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SealFileError {
    /// It is missing, and may not be created.
    #[error("file not found; --sealed creates it")]
    Missing,
    /// It is not a file.
    #[error("it is not a file")]
    NotAFile,
    /// Other users may read or write it, or own it.
    #[error("it must belong to you and be readable only by you (chmod 600)")]
    Open,
    /// It has other content.
    #[error("it must hold one line: {0}")]
    Content(KeyParseError),
    /// An error of the file system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The key in this file.
///
/// # Errors
/// If it is missing and may not be created, may be read by other users, or has no key.
pub fn key_of_file(path: &Path, file: SealFile) -> Result<SealKey, SealFileError> {
    match (read_key(path), file) {
        (Err(SealFileError::Missing), SealFile::MayBeMade) => {
            make_key_file(path)?;
            read_key(path) // another process has created it
        }
        (read, _) => read,
    }
}

fn read_key(path: &Path) -> Result<SealKey, SealFileError> {
    let mut file = match named_file::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(SealFileError::Missing),
        opened => opened?,
    };
    let facts = file.metadata()?;
    if !facts.is_file() {
        return Err(SealFileError::NotAFile);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if facts.mode() & 0o077 != 0 || facts.uid() != rustix::process::geteuid().as_raw() {
            return Err(SealFileError::Open);
        }
    }
    let mut text = String::new();
    let read = (&mut file).take(64).read_to_string(&mut text);
    match read {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(SealFileError::Content(KeyParseError)),
        read => {
            read?;
            text.trim_end().parse().map_err(SealFileError::Content)
        }
    }
}

/// Creates a file with a new key, unless another process has created it in the meantime. It appears atomically.
fn make_key_file(path: &Path) -> io::Result<()> {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    // A temporary file of this kind is readable only by its owner.
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    writeln!(file, "{}", SealKey::random()?.to_hex())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use unolab_engine::seat::Seat;

    use super::*;

    const KEY: SealKey = SealKey([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);

    #[test]
    fn stream_seeds_are_hmac_sha_256_of_their_purpose() {
        // As Python computes it: hmac.new(bytes(range(16)), b"unolab stream v1" + struct.pack("<QQBI", 1, 7, 2, 3), "sha256")
        let stream = Streams::new(1, Some(KEY)).of_set(7).stream(Purpose::Agent(Seat::new(3)));
        assert_eq!(stream, Rng::from_seed(15_125_250_991_052_629_052));
        assert_eq!(KEY.fingerprint(), "4d0aa38be1dbbcde");
        let open = Streams::new(1, None).of_set(7).stream(Purpose::Dealer);
        assert_eq!(open, Rng::keyed(1, 7, Purpose::Dealer));
    }

    #[test]
    fn stream_seed_depends_on_every_coordinate() {
        let other = SealKey([1; 16]);
        let mut streams: Vec<u32> = [KEY, other]
            .into_iter()
            .flat_map(|key| [(1, 1), (1, 2), (2, 1)].map(|(seed, set)| Streams::new(seed, Some(key)).of_set(set)))
            .flat_map(|set| {
                let seats = Seat::first(10).map(Purpose::Agent);
                let rounds = (0..5).map(|round| Purpose::Cards { round });
                let all: Vec<Purpose> = seats.chain(rounds).chain([Purpose::Dealer, Purpose::Other(0)]).collect();
                all.into_iter().map(move |purpose| set.stream(purpose).bits())
            })
            .collect();
        let all = streams.len();
        streams.sort_unstable();
        streams.dedup();
        assert_eq!(streams.len(), all);
    }

    #[test]
    #[cfg(unix)]
    fn non_text_key_file_is_rejected() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("key");
        for bytes in [&[0xff; 32][..], b"a word"] {
            fs::write(&path, bytes).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            assert!(matches!(read_key(&path), Err(SealFileError::Content(KeyParseError))), "{bytes:?}");
        }
        assert!(read_key(&home.path().join("none")).is_err());
    }

    #[test]
    fn seal_is_serialized_without_key() {
        let seal = Seal::from(KEY);
        let text = serde_json::to_string(&seal).unwrap();
        assert_eq!(text, "\"4d0aa38be1dbbcde\"");
        assert!(!format!("{seal:?}").contains(&KEY.to_hex()));
        let read: Seal = serde_json::from_str(&text).unwrap();
        assert_eq!((read.key(), read == seal), (None, true));
        assert_eq!(read.opened_by(KEY).unwrap().key(), Some(KEY));
        assert!(read.opened_by(SealKey([1; 16])).is_err());
        assert_eq!(KEY.to_hex().parse(), Ok(KEY));
        for text in ["", "00", "+0000000000000000000000000000001", "zz0102030405060708090a0b0c0d0e0f"] {
            assert_eq!(text.parse::<SealKey>(), Err(KeyParseError));
        }
    }

    #[cfg(unix)]
    #[test]
    fn seal_file_is_created_once_and_must_be_private() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("keys/contest");
        assert!(matches!(key_of_file(&path, SealFile::MustExist), Err(SealFileError::Missing)));
        let key = key_of_file(&path, SealFile::MayBeMade).unwrap();
        assert_eq!(key_of_file(&path, SealFile::MustExist).unwrap(), key);
        assert_eq!(key_of_file(&path, SealFile::MayBeMade).unwrap(), key);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for (mode, content, reason) in [
            (0o640, format!("{}\n", key.to_hex()), "readable only by you"),
            (0o604, format!("{}\n", key.to_hex()), "readable only by you"),
            (0o600, "secret".into(), "32 hexadecimal digits"),
            (0o600, format!("{}\n{}\n", key.to_hex(), key.to_hex()), "32 hexadecimal digits"),
        ] {
            fs::write(&path, content).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let message = key_of_file(&path, SealFile::MayBeMade).unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        }
        let directory = key_of_file(home.path(), SealFile::MayBeMade).unwrap_err();
        assert!(matches!(directory, SealFileError::NotAFile), "{directory}");
    }
}
