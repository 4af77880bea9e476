//! The rules of a game in the form of a scenario.

use serde::Serialize;
use unolab_engine::rules::{Override, PresetsOnly, Rules, TableSize, load, presets};

/// The variant, and its changed keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScenarioHead {
    /// A preset, or the name under which the rules have to be saved.
    pub variant: String,
    /// Rule keys that differ from the preset's, with their values as TOML.
    pub set: Vec<(String, String)>,
    /// The complete rules, if a preset with changed keys cannot express them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl ScenarioHead {
    /// The head for these rules.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        let preset = presets::NAMES.into_iter().find(|name| *name == rules.name()).unwrap_or(presets::NAMES[0]);
        let set = differences(rules, &Rules::preset(preset));
        // The name of a variant is not a rule; without it, equal texts are equal rules.
        let loads_to_the_same = load(preset, &set, TableSize::Any, &PresetsOnly)
            .is_ok_and(|loaded| loaded.rules.to_toml() == rules.to_toml());
        if loads_to_the_same {
            let set = set.into_iter().map(|Override { key, value }| (key, value.to_string())).collect();
            Self { variant: preset.into(), set, file: None }
        } else {
            Self { variant: format!("{}.toml", rules.name()), set: Vec::new(), file: Some(rules.to_toml()) }
        }
    }
}

/// The keys to change in `base` to get `rules`.
fn differences(rules: &Rules, base: &Rules) -> Vec<Override> {
    let entries = |rules: &Rules| {
        let table: toml::Table = rules.to_toml().parse().expect("rules are written as TOML");
        Override::all_in(&table)
    };
    let base = entries(base);
    entries(rules).into_iter().filter(|entry| !base.contains(entry)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenario_rules_are_preset_with_overrides_or_file() {
        for preset in presets::NAMES {
            let head = ScenarioHead { variant: preset.into(), set: Vec::new(), file: None };
            assert_eq!(ScenarioHead::of(&Rules::preset(preset)), head);
        }
        let with = |preset, text: &str| {
            load(preset, &[text.parse().expect("an override")], TableSize::Any, &PresetsOnly).expect("good rules").rules
        };
        let jump_in = ScenarioHead::of(&with("disney", "house.jump_in=true"));
        assert_eq!(jump_in.set, [("house.jump_in".to_owned(), "true".to_owned())]);
        assert_eq!((&*jump_in.variant, jump_in.file), ("disney", None));
    }
}
