//! The first line of a record: the format, and the complete rules.

use super::header::{Header, VERSION};
use super::line::First;
use crate::rules::{Rules, TableSize, VariantFiles, VariantText, load};
use crate::seat::Seat;

/// Checks the version first, because the first line of another version may have any contents.
pub(super) fn check_version(text: &str) -> Result<(), String> {
    let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap_or_default()).unwrap_or_default();
    match line.get("record") {
        Some(version) if *version != VERSION => {
            Err(format!("format version {version} is not known; allowed: {VERSION}"))
        }
        _ => Ok(()),
    }
}

/// The header and the loaded rules of the first line.
pub(super) fn read(line: &First) -> Result<(Header, Rules), String> {
    /// The text in the record as the only variant file.
    struct EmbeddedVariant<'a>(&'a str);
    impl VariantFiles for EmbeddedVariant<'_> {
        fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
            match from {
                "" => Ok(VariantText { name: "rules".into(), text: self.0.into() }),
                _ => Err(format!("`{base}` is a file; a record must contain its rules as a whole")),
            }
        }
    }
    if line.seats != line.agents.len() {
        return Err(format!("agents: {} agents for {} seats", line.agents.len(), line.seats));
    }
    if !line.names.is_empty() && line.names.len() != line.seats {
        return Err(format!("names: {} names for {} seats", line.names.len(), line.seats));
    }
    if !line.extra_cards.is_empty() && line.extra_cards.len() != line.seats {
        return Err(format!("extra_cards: {} numbers for {} seats", line.extra_cards.len(), line.seats));
    }
    let Some(dealer) = Seat::try_new(line.dealer).filter(|_| line.dealer < line.seats) else {
        return Err(format!("dealer: {} is not allowed; allowed: 0 to {}", line.dealer, line.seats.saturating_sub(1)));
    };
    // A name with this extension never names a preset.
    let name = format!("{}.toml", line.variant);
    let rules = load(&name, &[], TableSize::Seats(line.seats), &EmbeddedVariant(&line.rules))
        .map_err(|error| error.to_string())?
        .rules;
    if rules.name() != line.variant {
        return Err(format!("variant: `{}` is not the name of a variant", line.variant));
    }
    if rules.hash() != line.rules_hash {
        return Err(format!("rules_hash: these rules have the hash {}, not {}", rules.hash(), line.rules_hash));
    }
    let (agents, names, extra_cards) = (line.agents.clone(), line.names.clone(), line.extra_cards.clone());
    let header = Header { unit: line.unit, seed: line.seed, set: line.set, dealer, agents, names, extra_cards };
    Ok((header, rules))
}
