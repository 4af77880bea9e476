//! The resolved rules of a spec, loaded again from their own text.

use serde::{Deserialize, Serialize};
use unolab_engine::rules::{
    LoadError, LoadedRules, Override, Rules, TableSize, VariantDraft, VariantFiles, VariantText,
};

/// Resolved rules, which do not need any file outside the spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// Its name in the tables.
    pub name: String,
    /// Its complete rules as a variant file, without a base.
    pub rules: String,
    /// The hash of those rules.
    pub hash: String,
}

/// Loads a variant and checks that it can be played at each of these numbers of seats.
///
/// # Errors
/// All reasons why it cannot be played.
pub fn load_for_seats(
    variant: &str,
    overrides: &[Override],
    seats: &[usize],
    files: &dyn VariantFiles,
) -> Result<LoadedRules, LoadError> {
    let draft = VariantDraft::read(variant, overrides, files);
    let mut result = draft.rules(sizes(seats).next().unwrap_or(TableSize::Any));
    for size in sizes(seats).skip(1) {
        match (&mut result, draft.check(size)) {
            (_, Ok(())) => {}
            (Ok(_), Err(refused)) => result = Err(refused),
            (Err(all), Err(LoadError { reasons })) => {
                all.reasons.extend(reasons);
                all.reasons.sort();
                all.reasons.dedup();
            }
        }
    }
    result
}

fn sizes(seats: &[usize]) -> impl Iterator<Item = TableSize> {
    seats.iter().map(|&seats| TableSize::Seats(seats))
}

impl Variant {
    /// These rules, as a part of a spec.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        Self { name: rules.name().into(), rules: rules.to_toml(), hash: rules.hash() }
    }

    /// The pseudo path of the rules' text, which is not the name of a preset.
    pub(crate) fn path_of_text(&self) -> String {
        format!("spec/{}", self.name)
    }
}

/// The text of a variant in a spec is its only file.
impl VariantFiles for Variant {
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
        if from.is_empty() {
            Ok(VariantText { name: self.name.clone() + " (in the spec)", text: self.rules.clone() })
        } else {
            Err(format!("`{base}` is a file; a spec must contain its rules as a whole"))
        }
    }
}
