//! [`RulesBuilder`]: rules by name, with some keys changed.

use super::load::{LoadError, LoadedRules, Override, PresetsOnly, VariantFiles, load, problem_with};
use super::ruleset::Rules;
use super::table_size::TableSize;

/// Builds rules from a variant, changes to its keys, and a number of players.
///
/// ```
/// use unolab_engine::Rules;
///
/// let rules = Rules::builder("disney").set("points.villain_draw_four", "60")?.seats(4).build()?;
/// assert_eq!(rules.num_players(), 4);
///
/// let error = Rules::builder("classic").set("turn.drew", "always").unwrap_err();
/// assert!(error.to_string().contains("turn.draw"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is loaded before `build`"]
pub struct RulesBuilder {
    variant: String,
    overrides: Vec<Override>,
    size: TableSize,
}

/// A key that does not exist, or a value that the key does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {reason}")]
#[non_exhaustive]
pub struct SetError {
    /// The key that was to be set.
    pub key: String,
    /// The error, and the allowed values.
    pub reason: String,
}

impl Rules {
    /// Rules of this variant: the name of a preset ([`super::presets::NAMES`]), or with [`RulesBuilder::build_from`] a
    /// file.
    pub fn builder(variant: &str) -> RulesBuilder {
        RulesBuilder { variant: variant.into(), overrides: Vec::new(), size: TableSize::Any }
    }
}

impl RulesBuilder {
    /// Sets a rule key. The value is TOML; a bare word is a string, as on the command line.
    ///
    /// # Errors
    /// The key is unknown, or it does not allow this value.
    pub fn set(mut self, key: &str, value: &str) -> Result<Self, SetError> {
        let change = Override::new(key, value);
        if let Some(reason) = problem_with(&change) {
            return Err(SetError { key: key.into(), reason });
        }
        self.overrides.push(change);
        Ok(self)
    }

    /// Builds the rules for exactly this number of players. Without it the rules must be valid for every number that the
    /// variant allows.
    pub const fn seats(mut self, players: usize) -> Self {
        self.size = TableSize::Seats(players);
        self
    }

    /// The rules.
    ///
    /// # Errors
    /// The preset is unknown, or the keys contradict each other; all reasons together.
    pub fn build(&self) -> Result<Rules, LoadError> {
        self.build_from(&PresetsOnly).map(|loaded| loaded.rules)
    }

    /// The rules of a preset or a file, with warnings.
    ///
    /// # Errors
    /// The files cannot be read, or the rules cannot be used; all reasons together.
    pub fn build_from(&self, files: &dyn VariantFiles) -> Result<LoadedRules, LoadError> {
        load(&self.variant, &self.overrides, self.size, files)
    }
}
