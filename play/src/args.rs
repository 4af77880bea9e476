//! The command line.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use unolab::record::Unit;
use unolab::rules::{Override, OverrideError};
use unolab::spelling::whole_number;

/// Play against agents, in the browser or in the terminal.
///
/// Examples:
///   unolab play
///   unolab play --against heuristic,ismcts --variant disney --unit match
///   unolab play --people Ada,Ben --against mixbot --lan
///   unolab play --text --against greedy --seed 7
///   unolab play --record game.jsonl --unit match
///   unolab play --resume game.jsonl
///   unolab play --handheld
///   unolab play --handheld --people Ada,Ben
#[derive(Debug, Clone, Parser)]
#[command(name = "unolab-play", version, verbatim_doc_comment)]
pub struct Args {
    /// Agents to play against (see `unolab agents`), separated by commas: name:option=value,option=value; may be repeated;
    /// `none` for human players only
    #[arg(long, value_name = "LIST", default_value = "heuristic")]
    pub against: Vec<String>,
    /// Names of the people, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "you")]
    pub people: Vec<String>,
    /// Edition (see `unolab variants`), or path of a variant file; whenever the file is saved, the cards are dealt again with
    /// the new rules
    #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
    pub variant: String,
    /// Override a rule value of the variant; may be repeated. UNO calls are explicit unless uno.calls=auto is set
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_override)]
    pub set: Vec<Override>,
    /// The unit of the game
    #[arg(long, value_enum, default_value_t = PlayedUnit::Round)]
    pub unit: PlayedUnit,
    /// The seed of the cards [default: a new one each time]
    #[arg(long, value_name = "N", value_parser = |text: &str| number::<u64>(text, 0..=u64::MAX))]
    pub seed: Option<u64>,
    /// The number of sampled deals of the unseen cards in which a hint plays out each action
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = |text: &str| number::<u32>(text, 2..=100_000))]
    pub worlds: u32,
    /// Save the game in this file after every move
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Continue the game saved in this file, with its players and rules; --people names the human players
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["against", "variant", "set", "unit", "seed", "handheld"])]
    pub resume: Option<PathBuf>,
    /// Start the bots that the record of --resume names; by default, only the command line can name a bot to start
    #[arg(long, requires = "resume")]
    pub trust_bots: bool,
    /// Play in the terminal, line by line
    #[arg(long)]
    pub text: bool,
    /// Play the handheld electronic game, with its rules, levels, UNO button, and high score; up to four people share it
    #[arg(long, conflicts_with_all = ["against", "variant", "set", "unit", "worlds"])]
    pub handheld: bool,
    /// The source of the handheld's clock
    #[arg(long, value_enum, default_value_t = ClockKind::Real, requires = "handheld")]
    pub clock: ClockKind,
    /// Let phones and computers in the local network take part; each person gets an address
    #[arg(long, conflicts_with_all = ["text", "handheld"])]
    pub lan: bool,
    /// The port [default: any free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = |text: &str| number::<u16>(text, 0..=65_535))]
    pub port: u16,
    /// Do not open the browser
    #[arg(long)]
    pub no_open: bool,
}

impl Args {
    /// The file in which the game is saved: a resumed game stays in its own file.
    #[must_use]
    pub fn record_file(&self) -> Option<&PathBuf> {
        self.record.as_ref().or(self.resume.as_ref())
    }
}

/// The unit of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlayedUnit {
    /// One round
    Round,
    /// Rounds until the match is over
    Match,
}

/// The source of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClockKind {
    /// The time of the system
    Real,
    /// A script: the clock advances only by a POST to ADDRESS/clock
    Script,
}

impl From<PlayedUnit> for Unit {
    fn from(unit: PlayedUnit) -> Self {
        match unit {
            PlayedUnit::Round => Self::Round,
            PlayedUnit::Match => Self::Match,
        }
    }
}

fn parse_override(text: &str) -> Result<Override, String> {
    text.parse().map_err(|error: OverrideError| error.to_string())
}

/// Parses a number in this range.
fn number<T: TryFrom<u64>>(text: &str, range: RangeInclusive<u64>) -> Result<T, String> {
    let number = whole_number(text).filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("{text} is not allowed; allowed: {} to {}", range.start(), range.end()))
}
