//! [`Weights`]: the file of a net.
//!
//! Little-endian: the eight letters `UNOLABN1`; the smallest and the largest number of players for which it was trained, one
//! byte each; its cards, one byte ([`Cards`]); the caution, one byte; the numbers of inputs, of both layers and of values,
//! two bytes each; the weights (two bytes) and biases (four bytes) of each layer; the SHA-256 of all that.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};
use thiserror::Error;
use unolab_engine::rules::{CardKind, Rules, Special};

use super::hidden_layers::{HiddenLayers, UnknownWidths};
use super::layout::INPUTS;
use super::network::{BIAS_MAX, Network, VALUES, WEIGHT_MAX};
use crate::named_file;

const MAGIC: &[u8; 8] = b"UNOLABN1";
const HEAD: usize = 20;
const DIGEST: usize = 32;

/// The cards that a net was trained for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cards {
    /// No wilds but Wild and Wild Draw Four, and no special colored cards.
    Plain,
    /// All cards.
    Special,
}

impl Cards {
    /// The kinds of cards in these rules.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        let is_plain = |kind: &CardKind| match kind {
            CardKind::Ordinary(..) => true,
            CardKind::Special(special) => matches!(special, Special::Wild | Special::WildDrawFour),
            CardKind::Custom(_) => false,
        };
        if rules.kinds().iter().all(|def| is_plain(&def.kind)) { Self::Plain } else { Self::Special }
    }

    /// `plain` or `special`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Special => "special",
        }
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A trained net, and the games for which it was trained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// The smallest number of players for which it was trained.
    pub seats_min: u8,
    /// The largest number of players for which it was trained.
    pub seats_max: u8,
    /// The cards.
    pub cards: Cards,
    /// The amount by which the log-odds to win of an action must exceed those of `heuristic`'s action, in hundredths. The
    /// net's values are inexact, and the action with the largest overestimate tends to have the highest value.
    pub caution: u8,
    /// The net.
    pub network: Network,
}

/// Why bytes are not valid weights.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file is not a weights file.
    #[error("is not a file of weights, as unolab train writes them: it does not begin with UNOLABN1")]
    Magic,
    /// The net has another shape.
    #[error("holds a net of another shape: {found}; this version of unolab plays with {wanted}")]
    Shape {
        /// The text found.
        found: String,
        /// The text required.
        wanted: String,
    },
    /// The file has the wrong length.
    #[error("has {found} bytes, and must have {wanted}")]
    Length {
        /// The length found; for [`file_content`] at most a mebibyte.
        found: usize,
        /// The length required.
        wanted: usize,
    },
    /// The digest differs.
    #[error("is damaged: its digest is another")]
    Digest,
    /// The content is invalid.
    #[error("is damaged: {0}")]
    Content(&'static str),
}

/// Why some nets have no mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MeanError {
    /// They were trained for different tables.
    #[error(
        "the nets are for different players or cards, or have different override margins; allowed: nets for the same tables"
    )]
    Tables,
    /// No net is that wide.
    #[error("no net is as wide as these nets together")]
    Widths(#[from] UnknownWidths),
}

/// The content of a file, at most its first mebibyte: weights files are shorter, and some files have no end.
///
/// # Errors
/// If the file cannot be read.
pub fn file_content(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    named_file::open(path)?.take(1 << 20).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Weights {
    /// Whether the weights are trained for these rules and this number of seats.
    #[must_use]
    pub fn fit(&self, rules: &Rules, seats: usize) -> bool {
        let is_for_cards = self.cards == Cards::Special || Cards::of(rules) == Cards::Plain;
        is_for_cards && (usize::from(self.seats_min)..=usize::from(self.seats_max)).contains(&seats)
    }

    /// The net whose values are the means of the values of these nets.
    ///
    /// # Errors
    /// If there are no nets, they were trained for different tables, or no net is as wide as all of them together.
    pub fn mean(nets: &[Self]) -> Result<Self, MeanError> {
        let [first, others @ ..] = nets else { return Err(MeanError::Tables) };
        let tables = |net: &Self| (net.seats_min, net.seats_max, net.cards, net.caution);
        if others.iter().any(|other| tables(other) != tables(first)) {
            return Err(MeanError::Tables);
        }
        let networks: Vec<&Network> = nets.iter().map(|net| &net.network).collect();
        Ok(Self { network: Network::mean(&networks)?, ..*first })
    }

    /// The content of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Network { first, first_bias, second, second_bias, third, third_bias, .. } = &self.network;
        let mut bytes = self.head();
        let layers: [(&[i16], &[i32]); 3] = [(first, first_bias), (second, second_bias), (third, third_bias)];
        for (weights, biases) in layers {
            weights.iter().for_each(|weight| bytes.extend(weight.to_le_bytes()));
            biases.iter().for_each(|bias| bytes.extend(bias.to_le_bytes()));
        }
        let digest = Sha256::digest(&bytes);
        bytes.extend(digest);
        bytes
    }

    fn head(&self) -> Vec<u8> {
        let mut head = MAGIC.to_vec();
        head.extend([self.seats_min, self.seats_max, u8::from(self.cards == Cards::Special), self.caution]);
        for size in shape_of(self.network.hidden()) {
            head.extend(size.to_le_bytes());
        }
        head
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    /// If the bytes are not valid weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        if !bytes.starts_with(MAGIC) {
            return Err(WeightsError::Magic);
        }
        let too_short = || WeightsError::Length { found: bytes.len(), wanted: length_of(HiddenLayers::default()) };
        let head = bytes.get(..HEAD).ok_or_else(too_short)?;
        let shape: Vec<u16> = head[12..].chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
        let Some(hidden) = HiddenLayers::ALL.into_iter().find(|&hidden| shape == shape_of(hidden)) else {
            let wanted = HiddenLayers::ALL.map(|hidden| describe_shape(&shape_of(hidden))).join(" or ");
            return Err(WeightsError::Shape { found: describe_shape(&shape), wanted });
        };
        let wanted = length_of(hidden);
        if bytes.len() != wanted {
            return Err(WeightsError::Length { found: bytes.len(), wanted });
        }
        let (content, digest) = bytes.split_at(wanted - DIGEST);
        if Sha256::digest(content).as_slice() != digest {
            return Err(WeightsError::Digest);
        }
        let mut reader = Reader(&content[HEAD..]);
        let mut network = Network::zero(hidden);
        network.first.iter_mut().for_each(|weight| *weight = reader.weight());
        network.first_bias.iter_mut().for_each(|bias| *bias = reader.bias());
        network.second.iter_mut().for_each(|weight| *weight = reader.weight());
        network.second_bias.iter_mut().for_each(|bias| *bias = reader.bias());
        network.third.iter_mut().for_each(|weight| *weight = reader.weight());
        network.third_bias.iter_mut().for_each(|bias| *bias = reader.bias());
        let later = network.second.iter().chain(&network.third);
        let biases = network.first_bias.iter().chain(&network.second_bias).chain(&network.third_bias);
        if later.copied().any(|weight| weight.abs() > WEIGHT_MAX) {
            return Err(WeightsError::Content("a weight of a later layer is too large"));
        }
        if biases.copied().any(|bias| bias.abs() > BIAS_MAX) {
            return Err(WeightsError::Content("a bias is too large"));
        }
        let (seats_min, seats_max) = (head[8], head[9]);
        if !(2..=10).contains(&seats_min) || !(seats_min..=10).contains(&seats_max) {
            return Err(WeightsError::Content("its numbers of seats are not from 2 to 10"));
        }
        let cards = match head[10] {
            0 => Cards::Plain,
            1 => Cards::Special,
            _ => return Err(WeightsError::Content("its kind of cards is neither 0 nor 1")),
        };
        Ok(Self { seats_min, seats_max, cards, caution: head[11], network })
    }
}

/// The numbers of inputs, of both hidden layers, and of values.
fn shape_of(hidden: HiddenLayers) -> [u16; 4] {
    let [first, second] = hidden.widths();
    [INPUTS, first, second, VALUES].map(|size| u16::try_from(size).expect("a few hundred"))
}

/// The number of bytes of a file.
const fn length_of(hidden: HiddenLayers) -> usize {
    let [first, second] = hidden.widths();
    let weights = INPUTS * first + first * second + second * VALUES;
    HEAD + 2 * weights + 4 * (first + second + VALUES) + DIGEST
}

fn describe_shape(shape: &[u16]) -> String {
    let numbers: Vec<String> = shape.iter().map(ToString::to_string).collect();
    numbers.join("-")
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn weight(&mut self) -> i16 {
        let (two, rest) = self.0.split_first_chunk().expect("the length is checked");
        self.0 = rest;
        // The smallest number has no negation.
        i16::from_le_bytes(*two).max(-i16::MAX)
    }

    fn bias(&mut self) -> i32 {
        let (four, rest) = self.0.split_first_chunk().expect("the length is checked");
        self.0 = rest;
        i32::from_le_bytes(*four).clamp(-i32::MAX, i32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(hidden: HiddenLayers) -> Weights {
        let mut network = Network::zero(hidden);
        network
            .first
            .iter_mut()
            .zip((0_i16..30_000).cycle())
            .for_each(|(weight, i)| *weight = i.wrapping_mul(77).max(-i16::MAX));
        network.second[200] = -WEIGHT_MAX;
        network.third_bias[1] = -7;
        Weights { seats_min: 2, seats_max: 4, cards: Cards::Plain, caution: 20, network }
    }

    #[test]
    fn weights_of_every_shape_round_trip() {
        for hidden in HiddenLayers::ALL {
            let weights = some(hidden);
            let bytes = weights.to_bytes();
            assert!(bytes.len() <= 600_000, "{hidden}: {}", bytes.len());
            assert_eq!(Weights::from_bytes(&bytes), Ok(weights));
        }
    }

    #[test]
    fn invalid_weights_are_explained() {
        let bytes = some(HiddenLayers::default()).to_bytes();
        let error = |bytes: &[u8]| Weights::from_bytes(bytes).unwrap_err().to_string();
        assert!(error(b"notes").contains("UNOLABN1"));
        assert!(error(&bytes[..100]).contains("100 bytes"));
        assert!(error(&bytes[..bytes.len() - 1]).contains("must have"));
        let with = |at: usize, byte: u8| {
            let mut other = bytes.clone();
            other[at] = byte;
            other
        };
        assert!(error(&with(13, 9)).contains("another shape"));
        assert!(error(&with(500, bytes[500] ^ 1)).contains("digest"));
        let sealed = |mut bytes: Vec<u8>| {
            let end = bytes.len() - DIGEST;
            let digest = Sha256::digest(&bytes[..end]);
            bytes[end..].copy_from_slice(&digest);
            bytes
        };
        assert!(error(&sealed(with(9, 11))).contains("from 2 to 10"));
        assert!(error(&sealed(with(10, 7))).contains("neither 0 nor 1"));
    }
}
