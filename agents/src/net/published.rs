//! The nets that are included in unolab.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use unolab_engine::rules::{Rules, Teams};

use super::weights::Weights;

/// The size of an included net.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Size {
    /// Hidden layers of 64 and 32 units.
    #[default]
    Small,
    /// The mean of two nets with hidden layers of 128 and 32 units. It exists only for two players and plain decks.
    Large,
}

impl Size {
    /// The names, for messages.
    pub const NAMES: &str = "small or large";
}

impl FromStr for Size {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "small" => Ok(Self::Small),
            "large" => Ok(Self::Large),
            _ => Err(()),
        }
    }
}

/// The file of an included net.
#[derive(Debug, Clone, Copy)]
pub struct PublishedFile {
    /// The name of the file.
    pub name: &'static str,
    /// The size of the net.
    pub size: Size,
    /// Its content.
    pub bytes: &'static [u8],
}

/// The files, the larger nets first.
pub const PUBLISHED_FILES: [PublishedFile; 5] = [
    file("plain-2-large.net", Size::Large, include_bytes!("published/plain-2-large.net")),
    file("plain-2.net", Size::Small, include_bytes!("published/plain-2.net")),
    file("plain-3-10.net", Size::Small, include_bytes!("published/plain-3-10.net")),
    file("special-2.net", Size::Small, include_bytes!("published/special-2.net")),
    file("special-3-10.net", Size::Small, include_bytes!("published/special-3-10.net")),
];

const fn file(name: &'static str, size: Size, bytes: &'static [u8]) -> PublishedFile {
    PublishedFile { name, size, bytes }
}

/// The nets of the files, in the same order. A file is read when a table may need it.
static NETS: [OnceLock<Arc<Weights>>; PUBLISHED_FILES.len()] = [const { OnceLock::new() }; PUBLISHED_FILES.len()];

/// The largest included net of at most this size for a table; `None` with partners, for which no net was trained.
///
/// # Panics
/// Never: the files of the project are whole.
#[must_use]
pub fn published_for(rules: &Rules, seats: usize, size: Size) -> Option<Arc<Weights>> {
    if rules.parameters().teams != Teams::None {
        return None;
    }
    let read = |bytes| Arc::new(Weights::from_bytes(bytes).expect("the files of the project are whole"));
    let files = PUBLISHED_FILES.iter().zip(&NETS).filter(|(file, _)| file.size <= size);
    let mut nets = files.map(|(file, net)| net.get_or_init(|| read(file.bytes)));
    nets.find(|net| net.fit(rules, seats)).cloned()
}
