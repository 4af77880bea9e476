//! The rules as data: a variant file is read, checked completely, and compiled into tables by kind.
//!
//! [`load`] reads a variant; [`Rules`] are the rules of a round.

mod builder;
mod card_def;
mod card_keys;
mod check;
mod compile;
mod custom_card;
mod effect;
mod effect_problems;
mod feature_set;
mod kind_table;
mod lines;
mod load;
mod parameters;
mod playable_on;
pub mod presets;
mod ruleset;
mod table_size;
mod value;

pub use builder::{RulesBuilder, SetError};
pub(crate) use card_def::is_built_in_code;
pub use card_def::{CardDef, CardKind, CustomCard, CustomColor, CustomMatch, CustomStart, Special};
pub use compile::{ButtonOdds, Features};
pub(crate) use compile::{Play, Row, names_color_at_start};
pub use effect::{All, Amount, DiscardedCards, Draw, Effect, EffectOption, Skip, SwapRequirement, Until, Who};
pub(crate) use effect::{LastCard, OwnHand, Step, options_of_choice};
pub(crate) use effect_problems::MOST_OPTIONS;
pub use feature_set::{AllFeatures, BasicFeatures, FeatureSet, RulesKernel};
pub use kind_table::{Group, KindTable};
pub use lines::syntax_error;
pub use load::{
    LoadError, LoadedRules, Override, OverrideError, PresetsOnly, VariantDraft, VariantFiles, VariantText, load,
};
pub use parameters::*;
pub(crate) use playable_on::COLOR_ONLY;
pub use ruleset::Rules;
pub use table_size::TableSize;
pub use value::{BoundedInteger, ColorWeights, Copies, DrawCount, DrawOdds, HandLimit, NumberPoints, Points, WordDoc};
