//! The editions that come with the engine, as data.

use crate::spelling::nearest;

/// The presets, the plain game first.
pub const NAMES: [&str; 7] = ["classic", "wimpy-kid", "handheld", "swap-hands", "custom", "cars", "disney"];

/// The variant file of a preset.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "classic" => include_str!("../variants/classic.toml"),
        "wimpy-kid" => include_str!("../variants/wimpy-kid.toml"),
        "handheld" => include_str!("../variants/handheld.toml"),
        "swap-hands" => include_str!("../variants/swap-hands.toml"),
        "custom" => include_str!("../variants/custom.toml"),
        "cars" => include_str!("../variants/cars.toml"),
        "disney" => include_str!("../variants/disney.toml"),
        _ => return None,
    })
}

/// `did you mean "classic"? ` for `clasic`; nothing where no preset is near.
#[must_use]
pub fn suggestion(name: &str) -> String {
    nearest(name, NAMES).map_or_else(String::new, |meant| format!("did you mean \"{meant}\"? "))
}

/// The name of a variant in tables: the preset's name, or the file's name without directory and ending.
#[must_use]
pub(super) fn short_name(variant: &str) -> String {
    let file = variant.rsplit(['/', '\\']).next().unwrap_or(variant);
    file.strip_suffix(".toml").unwrap_or(file).into()
}
