//! The editions that come with the engine, as data.

use crate::spelling::nearest;

/// Lists the presets: each name is a file in `engine/src/variants`.
macro_rules! presets {
    ($($name:literal),+ $(,)?) => {
        /// The presets, the plain game first.
        pub const NAMES: [&str; [$($name),+].len()] = [$($name),+];

        /// The variant files, in the same order.
        const TEXTS: [&str; NAMES.len()] = [$(include_str!(concat!("../variants/", $name, ".toml"))),+];
    };
}

presets!["classic", "wimpy-kid", "handheld", "swap-hands", "custom", "cars", "disney"];

/// The variant file of a preset.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    NAMES.iter().position(|&preset| preset == name).map(|number| TEXTS[number])
}

/// ``did you mean `classic`? `` for `clasic`; empty if no preset has a similar name.
#[must_use]
pub fn suggestion(name: &str) -> String {
    nearest(name, NAMES).map_or_else(String::new, |meant| format!("did you mean `{meant}`? "))
}

/// The name of a variant in tables: the preset's name, or the file's name without directory and extension.
#[must_use]
pub(super) fn short_name(variant: &str) -> String {
    let file = variant.rsplit(['/', '\\']).next().unwrap_or(variant);
    file.strip_suffix(".toml").unwrap_or(file).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{PresetsOnly, TableSize, load};

    #[test]
    fn every_preset_is_valid() {
        let errors =
            NAMES.map(|name| load(name, &[], TableSize::Any, &PresetsOnly).err().map(|error| error.to_string()));
        assert_eq!(errors, NAMES.map(|_| None));
    }
}
