//! The spec of a balance run as plain data, and its arms.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use unolab_engine::card::Card;
use unolab_engine::rules::{CardKind, LoadError, Override, Rules};
use unolab_engine::spelling::{whole_number, whole_range};

use super::cards::{Group, VoidError, without_effect};
use crate::run::checkpoint::RunSpec;
use crate::spec::seal::Seal;
use crate::spec::variant::load_for_seats;
use crate::spec::{AgentSeed, Entrant, SeatingPlan, SpecHash, Variant};

/// Everything that determines the tables of a balance run. Two equal specs give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceSpec {
    /// Always `balance`.
    pub command: CommandWord,
    /// The agents at the tables.
    pub field: Vec<Entrant>,
    /// The measured variants, one after the other.
    pub variants: Vec<Variant>,
    /// The numbers of seats.
    pub seats: Vec<usize>,
    /// Deals of single rounds.
    pub sets: u64,
    /// Deals of whole matches; 0 for none.
    pub matches: u64,
    /// The master seed.
    pub seed: u64,
    /// The seatings of each deal.
    pub seating: SeatingPlan,
    /// Rule keys with the values to try: every combination is an arm.
    pub sweep: Vec<Sweep>,
    /// Further arms: rule changes that are made together.
    pub arms: Vec<Vec<String>>,
    /// The cards to measure.
    pub worth: Vec<String>,
    /// The strong agent that measures skill.
    pub good: String,
    /// The weak agent that measures skill.
    pub weak: String,
    /// Increasing budgets of a search agent, each against the one before.
    pub ladder: Vec<String>,
    /// The largest distance of a seat from its fair share in a balanced game, in thousandths of a win.
    pub margin_permille: u32,
    /// The counted metrics.
    #[serde(default, skip_serializing_if = "MetricSet::is_core")]
    pub metrics: MetricSet,
    /// The weak players of the panel that measures skill.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panel: Vec<String>,
    /// The duration of a turn in milliseconds, to print minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_ms: Option<u32>,
    /// Lengths in turns; the share of longer rounds is measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lengths: Vec<u32>,
    /// The choice of a card matters if the chances to win with the best and the second-best card differ by more than this, in
    /// thousandths. `None` if such choices are not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive_permille: Option<u32>,
    /// Whole variants to compare with the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<Variant>,
    /// Whether the variants are compared with the first one.
    #[serde(default, skip_serializing_if = "VariantComparison::is_separate")]
    pub comparison: VariantComparison,
    /// The key of a sealed run, which enters all random numbers together with the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

/// The metrics of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MetricSet {
    /// The metrics of published tables.
    #[default]
    Core,
    /// Also waiting times, lost turns, drawn cards, choices between cards, the sting of cards, and quantiles of lengths.
    All,
}

impl MetricSet {
    fn is_core(&self) -> bool {
        *self == Self::Core
    }
}

/// Whether the variants of a run are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VariantComparison {
    /// Each is measured separately.
    #[default]
    Separate,
    /// The other variants are also arms of the first.
    WithFirst,
}

impl VariantComparison {
    fn is_separate(&self) -> bool {
        *self == Self::Separate
    }
}

/// The word `balance`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandWord {
    /// The only value.
    Balance,
}

/// A rule key and the values to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sweep {
    /// The key.
    pub key: String,
    /// The values, as they are written after `--set key=`.
    pub values: Vec<String>,
}

impl std::str::FromStr for Sweep {
    type Err = String;

    /// `key=v1,v2`; commas in brackets do not split, `5-7` and `5..7` mean 5, 6 and 7, and `20..80:10` means 20, 30, and so on to 80.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not of the form key=value,value");
        let (key, list) = text.split_once('=').ok_or_else(wrong)?;
        let (mut values, mut depth) = (vec![String::new()], 0_usize);
        for character in list.chars() {
            match character {
                ',' if depth == 0 => values.push(String::new()),
                _ => {
                    depth = match character {
                        '[' | '{' => depth + 1,
                        ']' | '}' => depth.saturating_sub(1),
                        _ => depth,
                    };
                    values.last_mut().expect("one at least").push(character);
                }
            }
        }
        if key.trim().is_empty() || values.iter().any(|value| value.trim().is_empty()) {
            return Err(wrong());
        }
        let mut all = Vec::new();
        for value in values.iter().map(|value| value.trim()) {
            let (range, step) = match value.split_once(':') {
                Some((range, step)) if whole_range(range).is_some() => (range, step),
                _ => (value, "1"),
            };
            let step = whole_number(step).and_then(|step| usize::try_from(step).ok()).filter(|&step| step > 0);
            match (whole_range(range), step) {
                (None, _) => all.push(value.to_owned()),
                (Some(_), None) => return Err(format!("{value} has no step; a step is a whole number from 1")),
                (Some(range), _) if range.is_empty() => {
                    return Err(format!("{value} is an empty range; a range begins with the smaller number"));
                }
                (Some(range), Some(step)) => {
                    let numbers = range.step_by(step).take(MOST_VALUES + 1);
                    let before = all.len();
                    all.extend(numbers.map(|number| number.to_string()));
                    if all.len() - before > MOST_VALUES {
                        return Err(format!("{value} has more than {MOST_VALUES} values"));
                    }
                }
            }
        }
        Ok(Self { key: key.trim().into(), values: all })
    }
}

/// The maximum number of values of one range.
const MOST_VALUES: usize = 10_000;

/// Why a balance run cannot start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArmError {
    /// A change that gives invalid rules.
    #[error(transparent)]
    Rules(#[from] LoadError),
    /// Not `key=value`.
    #[error("--arm {0}")]
    Change(String),
    /// An unknown card.
    #[error("--card-effect {card}: {variant} has no such card; {allowed}")]
    Card {
        /// The card.
        card: String,
        /// The variant.
        variant: String,
        /// The existing names.
        allowed: String,
    },
    /// The one card that can be turned up at the start cannot be dealt to a seat.
    #[error(
        "--card-effect {0}: no other card of the deck can be turned up as the start card, so this one cannot be dealt to a player"
    )]
    OnlyStart(String),
    /// An effect that cannot be removed.
    #[error("--card-effect")]
    Void(#[from] VoidError),
    /// A value, a key, an arm or a card twice, after its flag.
    #[error("{0}: is given twice")]
    Twice(String),
    /// A card twice, under two names.
    #[error("--card-effect {name}: is given twice, before as {before}")]
    SameCard {
        /// The second name.
        name: String,
        /// The first.
        before: String,
    },
    /// Too many arms.
    #[error("--sweep makes {0} arms; at most {MAX_ARMS} are allowed")]
    TooMany(usize),
}

/// The maximum number of arms; more would take too much memory and time.
pub const MAX_ARMS: usize = 200;

/// The random numbers of the agents of an arm. The deals are always the base's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choices {
    /// The same as in the base.
    AsInTheBase,
    /// Different ones, under the same rules: all differences are noise.
    DrawnAnew,
}

/// Rules to compare with the base.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// `base`, the changes such as `points.wild=0`, `void:wild_draw_four` or `control`.
    pub name: String,
    /// The rules.
    pub variant: Variant,
    /// The random numbers of its agents.
    pub choices: Choices,
}

/// The name of the arm with which all others are compared.
pub const BASE: &str = "base";
/// The name of the arm that measures the noise.
pub const CONTROL: &str = AgentSeed::CONTROL;

impl RunSpec for BalanceSpec {
    fn hash(&self) -> SpecHash {
        self.hash()
    }

    fn agents(&self) -> Vec<&str> {
        let field = self.field.iter().map(|entrant| &*entrant.agent);
        let others = self.ladder.iter().chain(&self.panel).map(|agent| &**agent);
        field.chain([&*self.good, &*self.weak]).chain(others).collect()
    }

    fn seal(&self) -> Option<&Seal> {
        self.seal.as_ref()
    }
}

impl BalanceSpec {
    /// The hash that identifies this spec.
    ///
    /// # Panics
    /// Never: the data is plain.
    #[must_use]
    pub fn hash(&self) -> SpecHash {
        SpecHash::of(&serde_json::to_string(self).expect("plain data can be written"))
    }

    /// The arms for a variant at one number of seats: the base, every change, and, if there are changes, the control
    /// arm.
    ///
    /// # Errors
    /// If a change gives no playable rules or is given twice, or a card does not exist.
    pub fn arms(&self, base: &Variant, seats: usize) -> Result<Vec<Arm>, ArmError> {
        let rules = load_text(base, &[], seats)?;
        let mut arms = vec![Arm { name: BASE.into(), variant: base.clone(), choices: Choices::AsInTheBase }];
        let mut put = |name: String, rules: &Rules| {
            let variant = Variant { name: base.name.clone(), ..Variant::of(rules) };
            if arms.iter().all(|arm: &Arm| arm.variant.hash != variant.hash) {
                arms.push(Arm { name, variant, choices: Choices::AsInTheBase });
            }
        };
        let swept = self.grid()?.into_iter().map(|changes| ("--sweep", changes));
        let mut given: Vec<Vec<Override>> = Vec::new();
        for (flag, changes) in swept.chain(self.arms.iter().cloned().map(|changes| ("--arm", changes))) {
            let overrides: Result<Vec<Override>, _> = changes.iter().map(|change| change.parse()).collect();
            let overrides = overrides.map_err(|error| ArmError::Change(error.to_string()))?;
            let is_twice =
                |(at, change): &(usize, &Override)| overrides[..*at].iter().any(|other| other.key == change.key);
            if let Some((_, twice)) = overrides.iter().enumerate().find(is_twice) {
                return Err(ArmError::Change(format!("{}: sets {} twice", changes.join(";"), twice.key)));
            }
            if flag == "--arm" {
                if given.iter().any(|earlier| are_the_same(earlier, &overrides)) {
                    return Err(ArmError::Twice(format!("--arm {}", changes.join(";"))));
                }
                given.push(overrides.clone());
            }
            let named_by_flag = |error: LoadError| LoadError {
                reasons: error.reasons.iter().map(|reason| reason.replacen("--set ", &format!("{flag} "), 1)).collect(),
            };
            put(changes.join(" "), &load_text(base, &overrides, seats).map_err(named_by_flag)?);
        }
        for group in self.worth.iter().filter_map(|name| Group::named(name)) {
            let Some(example) = group.example(&rules) else { continue };
            if !matches!(group, Group::Custom) && rules.points(example) > 0 {
                let key = format!("points.{group}");
                let nothing = Override { key: key.clone(), value: 0.into() };
                put(format!("{key}=0"), &load_text(base, &[nothing], seats)?);
            }
            match without_effect(&rules, group) {
                Ok(text) => {
                    let variant = Variant { name: base.name.clone(), rules: text, hash: String::new() };
                    put(format!("void:{group}"), &load_text(&variant, &[], seats)?);
                }
                Err(VoidError::NoEffect(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let of_run: &[Variant] = match self.comparison {
            VariantComparison::WithFirst if self.variants.first() == Some(base) => &self.variants[1..],
            _ => &[],
        };
        for rival in of_run.iter().chain(&self.rivals) {
            put(rival.name.clone(), &load_text(rival, &[], seats)?);
        }
        if arms.len() > 1 {
            arms.push(Arm { name: CONTROL.into(), variant: base.clone(), choices: Choices::DrawnAnew });
        }
        Ok(arms)
    }

    /// The cards to deal into a hand, with their requested names.
    ///
    /// # Errors
    /// If one is not in the deck, is given twice, or is the only card that can start.
    pub fn dealt_cards(&self, rules: &Rules) -> Result<Vec<(String, Card)>, ArmError> {
        let find = |name: &String| {
            let by_group = Group::named(name).and_then(|group| group.example(rules));
            let card = by_group.or_else(|| rules.card(name)).ok_or_else(|| {
                let groups = Group::ALL.into_iter().filter(|group| group.example(rules).is_some());
                let groups: Vec<String> = groups.map(|group| group.to_string()).collect();
                let own = rules.kinds().iter().filter(|def| matches!(def.kind, CardKind::Custom(_)));
                let codes: Vec<&str> = ["r7"].into_iter().chain(own.map(|def| &*def.code)).collect();
                ArmError::Card {
                    card: name.clone(),
                    variant: rules.name().into(),
                    allowed: format!("there are {}, and codes such as {}", groups.join(", "), codes.join(", ")),
                }
            })?;
            let mut others = rules.deck();
            others.remove(card);
            if rules.has_start_card(others) { Ok((name.clone(), card)) } else { Err(ArmError::OnlyStart(name.clone())) }
        };
        let dealt: Vec<(String, Card)> = self.worth.iter().map(find).collect::<Result<_, _>>()?;
        for (number, (name, card)) in dealt.iter().enumerate() {
            match dealt[..number].iter().find(|(_, other)| other == card) {
                Some((before, _)) if before == name => return Err(ArmError::Twice(format!("--card-effect {name}"))),
                Some((before, _)) => {
                    return Err(ArmError::SameCard { name: name.clone(), before: before.clone() });
                }
                None => {}
            }
        }
        Ok(dealt)
    }

    /// Every combination of the values of all sweeps.
    fn grid(&self) -> Result<Vec<Vec<String>>, ArmError> {
        if self.sweep.is_empty() {
            return Ok(Vec::new());
        }
        let number = self.sweep.iter().fold(1_usize, |number, sweep| number.saturating_mul(sweep.values.len()));
        if number > MAX_ARMS {
            return Err(ArmError::TooMany(number));
        }
        let mut grid = vec![Vec::new()];
        for (number, Sweep { key, values }) in self.sweep.iter().enumerate() {
            if self.sweep[..number].iter().any(|earlier| earlier.key == *key) {
                return Err(ArmError::Twice(format!("--sweep {key}")));
            }
            if let Some(twice) = values.iter().enumerate().find(|&(place, value)| values[..place].contains(value)) {
                return Err(ArmError::Twice(format!("--sweep {key}={}", twice.1)));
            }
            grid = grid
                .iter()
                .flat_map(|changes: &Vec<String>| {
                    values.iter().map(move |value| {
                        changes.iter().cloned().chain([format!("{key}={value}")]).collect::<Vec<String>>()
                    })
                })
                .collect();
        }
        Ok(grid)
    }
}

/// Whether two arms make the same changes, in any order.
fn are_the_same(one: &[Override], other: &[Override]) -> bool {
    one.len() == other.len() && one.iter().all(|change| other.contains(change))
}

/// The rules of a variant of a spec with these changes, at one number of seats.
///
/// # Errors
/// If they cannot be played.
pub fn load_text(variant: &Variant, overrides: &[Override], seats: usize) -> Result<Rules, LoadError> {
    Ok(load_for_seats(&format!("spec/{}", variant.name), overrides, &[seats], variant)?.rules)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small spec for the tests of this module.
    pub(crate) fn small(agents: &[&str], preset: &str, seats: usize, sets: u64) -> BalanceSpec {
        BalanceSpec {
            command: CommandWord::Balance,
            field: Entrant::name_all(agents.iter().copied()),
            variants: vec![Variant::of(&Rules::preset(preset))],
            seats: vec![seats],
            sets,
            matches: 0,
            seed: 1,
            seating: SeatingPlan::Rotate,
            sweep: Vec::new(),
            arms: Vec::new(),
            worth: Vec::new(),
            good: "heuristic".into(),
            weak: "random".into(),
            ladder: Vec::new(),
            metrics: MetricSet::All,
            panel: Vec::new(),
            turn_ms: None,
            lengths: Vec::new(),
            decisive_permille: None,
            rivals: Vec::new(),
            comparison: VariantComparison::Separate,
            margin_permille: 20,
            seal: None,
        }
    }

    fn names(spec: &BalanceSpec) -> Vec<String> {
        spec.arms(&spec.variants[0], spec.seats[0]).unwrap().into_iter().map(|arm| arm.name).collect()
    }

    #[test]
    fn grid_has_every_combination_except_base() {
        let sweep = ["points.wild=50,0", "uno.penalty=2,4"].map(|text| text.parse().unwrap()).to_vec();
        let spec = BalanceSpec { sweep, ..small(&["random"], "classic", 2, 1) };
        let expected = [
            "base",
            "points.wild=50 uno.penalty=4",
            "points.wild=0 uno.penalty=2",
            "points.wild=0 uno.penalty=4",
            "control",
        ];
        assert_eq!(names(&spec), expected);
        assert_eq!(names(&small(&["random"], "classic", 2, 1)), ["base"]);
    }

    #[test]
    fn card_effect_adds_its_arms() {
        let spec =
            BalanceSpec { worth: vec!["wild_draw_four".into(), "r7".into()], ..small(&["random"], "cars", 4, 1) };
        assert_eq!(names(&spec), ["base", "points.wild_draw_four=0", "void:wild_draw_four", "control"]);
        let rules = Rules::preset("cars");
        assert_eq!(spec.dealt_cards(&rules).unwrap().len(), 2);
        let wrong = BalanceSpec { worth: vec!["joker".into()], ..spec };
        let message = wrong.dealt_cards(&rules).unwrap_err().to_string();
        assert!(message.contains("joker") && message.contains("victory_lap"), "{message}");
    }

    /// Duplicate rows would be duplicate claims, and increase the p-values of all others.
    #[test]
    fn duplicate_argument_in_any_form_is_rejected() {
        let rules = Rules::preset("classic");
        let worth = |cards: &[&str]| {
            let worth = cards.iter().map(|&card| card.into()).collect();
            BalanceSpec { worth, ..small(&["random"], "classic", 2, 1) }.dealt_cards(&rules).map(|cards| cards.len())
        };
        let told = |cards: &[&str]| worth(cards).unwrap_err().to_string();
        assert_eq!(told(&["r7", "b2", "r7"]), "--card-effect r7: is given twice");
        assert_eq!(told(&["wild", "W"]), "--card-effect W: is given twice, before as wild");
        assert_eq!(worth(&["r7", "b7", "wild"]).unwrap(), 3);
        let arms = |arms: &[&[&str]]| {
            let arms = arms.iter().map(|changes| changes.iter().map(|&change| change.into()).collect()).collect();
            let spec = BalanceSpec { arms, ..small(&["random"], "classic", 2, 1) };
            spec.arms(&spec.variants[0], 2).map(|arms| arms.len())
        };
        let told = |given: &[&[&str]]| arms(given).unwrap_err().to_string();
        assert_eq!(told(&[&["points.wild=5"], &["points.wild=5"]]), "--arm points.wild=5: is given twice");
        let turned = told(&[&["points.wild=5", "uno.penalty=4"], &["uno.penalty=4", "points.wild = 5"]]);
        assert_eq!(turned, "--arm uno.penalty=4;points.wild = 5: is given twice");
        assert_eq!(arms(&[&["points.wild=5"], &["points.wild=5", "uno.penalty=4"]]).unwrap(), 4);
    }

    #[test]
    fn unplayable_changes_are_reported() {
        for (sweep, part) in [("points.wild=4000", "4000"), ("points.wlid=4", "points.wild")] {
            let spec = BalanceSpec { sweep: vec![sweep.parse().unwrap()], ..small(&["random"], "classic", 2, 1) };
            let message = spec.arms(&spec.variants[0], 2).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        assert!("points.wild=".parse::<Sweep>().is_err() && "points.wild".parse::<Sweep>().is_err());
        let sizes: Sweep = "deal.hand_size=5-7,1e1".parse().unwrap();
        assert_eq!(sizes.values, ["5", "6", "7", "1e1"]);
        let points: Sweep = "points.wild=20..80:30,5..6".parse().unwrap();
        assert_eq!(points.values, ["20", "50", "80", "5", "6"]);
        assert!("points.wild=20..80:0".parse::<Sweep>().unwrap_err().contains("a step is a whole number from 1"));
        assert!("points.wild=0..1e6".parse::<Sweep>().unwrap_err().contains("more than 10000 values"));
        assert!("deal.hand_size=7-5".parse::<Sweep>().unwrap_err().contains("begins with the smaller number"));
        let grid = |first: &str, second: &str| {
            let sweep = [first, second].map(|text| text.parse().unwrap()).to_vec();
            BalanceSpec { sweep, ..small(&["random"], "classic", 2, 1) }.grid()
        };
        assert_eq!(grid("a=1-20", "b=1-10").unwrap().len(), MAX_ARMS);
        assert!(matches!(grid("a=1-3", "b=1-67"), Err(ArmError::TooMany(201))));
        let nested: Sweep = "a=[{b = [1,2]},3],4".parse().unwrap();
        assert_eq!(nested.values, ["[{b = [1,2]},3]", "4"]);
        let weights: Sweep = "tinker.weights=[1,0,0,0],[0.25,0.25,0.25,0.25]".parse().unwrap();
        assert_eq!(weights.values, ["[1,0,0,0]", "[0.25,0.25,0.25,0.25]"]);
    }
}
