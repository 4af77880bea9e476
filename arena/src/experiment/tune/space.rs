//! The rule sets to choose from: every combination of the values of some keys.

use std::collections::HashSet;

use rayon::prelude::*;
use thiserror::Error;
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{LoadError, Override, Rules, Teams};
use unolab_stats::gaussian_process::Levels;

use super::spec::TuneSpec;
use crate::experiment::balance::spec::Sweep;
use crate::spec::Variant;
use crate::spec::variant::load_for_seats;

/// A combination: the number of the value of each key. The number after the last value leaves the key as in the base.
pub type Point = Vec<usize>;

/// A space with more combinations is sampled.
pub const MOST_ENUMERATED: u64 = 20_000;

/// The number of combinations that are drawn from a larger space.
const SAMPLED: usize = 6_000;

/// Of a key with more values, only some are listed as neighbors.
const MOST_NEIGHBORS: usize = 40;

/// Larger spaces have no numbers for their combinations.
const MOST_COMBINATIONS: u64 = 1 << 48;

/// Why a space cannot be searched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// No keys.
    #[error("--vary: no key is varied; allowed: KEY=VALUES, such as deal.hand_size=5..9; may be repeated")]
    Empty,
    /// A key or a value twice.
    #[error("--vary {0}: is given twice")]
    Twice(String),
    /// Too many combinations.
    #[error("--vary: the keys have more than {MOST_COMBINATIONS} combinations; vary fewer keys or values")]
    TooLarge,
    /// A value that is wrong with every combination of the other keys.
    #[error("--vary {key}: no value can be used: {reason}")]
    Key {
        /// The key.
        key: String,
        /// Why its first value is rejected.
        reason: String,
    },
    /// A word that is not a value of its key. It would only reduce the space.
    #[error("--vary {0}")]
    Word(String),
    /// No valid combination.
    #[error("--vary: none of {checked} combinations gives rules that can be played; the first is rejected: {reason}")]
    NoneValid {
        /// How many were checked.
        checked: u64,
        /// The reason of the first.
        reason: String,
    },
}

/// How the combinations are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All are listed.
    Enumerated,
    /// Some were drawn; there are more.
    Sampled,
}

/// The rule sets to choose from.
#[derive(Debug, Clone)]
pub struct Space {
    base: Variant,
    seats: Vec<usize>,
    /// The keys with their values.
    pub keys: Vec<Sweep>,
    /// The value that each key has in the base, by its number; as many as there are values if it has another one.
    pub of_base: Point,
    /// The valid combinations that are known.
    pub points: Vec<Point>,
    /// Whether these are all.
    pub extent: Extent,
    /// The number of combinations that were rejected.
    pub rejected: u64,
    /// The number of combinations, valid or not.
    pub size: u64,
}

impl Space {
    /// The space of a spec. Checks its combinations on the threads of the current pool.
    ///
    /// # Errors
    /// If it has no valid combination.
    pub fn of(spec: &TuneSpec) -> Result<Self, SpaceError> {
        let mut space = Self {
            base: spec.base.clone(),
            seats: spec.seats.clone(),
            keys: spec.vary.clone(),
            of_base: spec.vary.iter().map(|key| key.values.len()).collect(),
            points: Vec::new(),
            extent: Extent::Enumerated,
            rejected: 0,
            size: 0,
        };
        space.size = space.checked_size()?;
        space.find_values_of_base()?;
        let drawn = if space.size <= MOST_ENUMERATED {
            (0..space.size).map(|number| space.point_of(number, 0)).collect()
        } else {
            space.extent = Extent::Sampled;
            space.draw(&mut Rng::keyed(spec.seed, 0, Purpose::Other(TO_SAMPLE)))
        };
        let problems: Vec<Option<String>> = drawn.par_iter().map(|point| space.rules(point).err()).collect();
        space.rejected = problems.iter().flatten().count() as u64;
        let checked = drawn.len() as u64;
        let first = problems.iter().flatten().next().cloned();
        let valid = drawn.into_iter().zip(&problems).filter(|(_, problem)| problem.is_none());
        space.points = valid.map(|(point, _)| point).collect();
        match first {
            Some(reason) if space.points.is_empty() => Err(SpaceError::NoneValid { checked, reason }),
            _ => Ok(space),
        }
    }

    /// The number of combinations, if the keys are correct.
    fn checked_size(&self) -> Result<u64, SpaceError> {
        if self.keys.is_empty() {
            return Err(SpaceError::Empty);
        }
        let mut size = 1_u64;
        let mut with_base = 1_u64;
        for (number, Sweep { key, values }) in self.keys.iter().enumerate() {
            if self.keys[..number].iter().any(|other| other.key == *key) {
                return Err(SpaceError::Twice(key.clone()));
            }
            if let Some(twice) = (1..values.len()).find(|&place| values[..place].contains(&values[place])) {
                return Err(SpaceError::Twice(format!("{key}={}", values[twice])));
            }
            size = size.saturating_mul(values.len() as u64);
            with_base = with_base.saturating_mul(values.len() as u64 + 1);
        }
        if with_base > MOST_COMBINATIONS { Err(SpaceError::TooLarge) } else { Ok(size) }
    }

    /// Finds which value of each key the base has, and checks that a key has a meaning.
    fn find_values_of_base(&mut self) -> Result<(), SpaceError> {
        let unchanged = self.of_base.clone();
        let base = self.rules(&unchanged).ok().map(|rules| rules.hash());
        for number in 0..self.keys.len() {
            let values = self.keys[number].values.len();
            let mut reasons = Vec::new();
            for value in 0..values {
                let mut point = unchanged.clone();
                point[number] = value;
                match self.rules(&point) {
                    Ok(rules) if Some(rules.hash()) == base => self.of_base[number] = value,
                    Ok(_) => {}
                    Err(reason) => {
                        let word = &self.keys[number].values[value];
                        if reason.contains(&format!("\"{word}\" is not allowed; allowed: ")) {
                            return Err(SpaceError::Word(reason));
                        }
                        reasons.push(reason);
                    }
                }
            }
            // Some keys are valid only together with others, but an unknown key never is.
            if reasons.len() == values && reasons[0].contains("unknown key") {
                return Err(SpaceError::Key { key: self.keys[number].key.clone(), reason: reasons.swap_remove(0) });
            }
        }
        Ok(())
    }

    /// Combinations of a space that is too large to list, each once.
    fn draw(&self, random: &mut Rng) -> Vec<Point> {
        let mut drawn = HashSet::new();
        let mut points = Vec::new();
        for _ in 0..2 * SAMPLED {
            let point = self.random_point(random);
            if points.len() < SAMPLED && drawn.insert(point.clone()) {
                points.push(point);
            }
        }
        points
    }

    /// Any combination, valid or not.
    fn random_point(&self, random: &mut Rng) -> Point {
        let value = |key: &Sweep| random.below(u32::try_from(key.values.len()).unwrap_or(u32::MAX)) as usize;
        self.keys.iter().map(value).collect()
    }

    /// The value of a key that has no effect: the base's value if it is listed, otherwise the first one.
    #[must_use]
    pub fn usual_value(&self, key: usize) -> usize {
        if self.of_base[key] < self.keys[key].values.len() { self.of_base[key] } else { 0 }
    }

    /// The known valid combinations in which these keys have their usual values.
    #[must_use]
    pub fn points_without(&self, inert: &[usize]) -> Vec<Point> {
        if inert.is_empty() {
            return self.points.clone();
        }
        let is_usual = |point: &Point| inert.iter().all(|&key| point[key] == self.usual_value(key));
        if self.extent == Extent::Enumerated {
            return self.points.iter().filter(|point| is_usual(point)).cloned().collect();
        }
        let mut known = HashSet::new();
        let mut usual = |point: &Point| {
            let mut point = point.clone();
            inert.iter().for_each(|&key| point[key] = self.usual_value(key));
            (known.insert(point.clone()) && self.rules(&point).is_ok()).then_some(point)
        };
        self.points.iter().filter_map(&mut usual).collect()
    }

    /// Valid combinations that fill the space of these points: each value of a key occurs about equally often (a Latin
    /// hypercube: M. D. McKay, R. J. Beckman and W. J. Conover, Technometrics 21, 1979). Inert keys have their usual values.
    /// Fewer if there are not this many.
    #[must_use]
    pub fn filling(&self, of: &[Point], inert: &[usize], number: usize, random: &mut Rng) -> Vec<Point> {
        if self.extent == Extent::Enumerated && number >= of.len() {
            return of.to_vec();
        }
        let mut columns: Vec<Vec<usize>> = Vec::new();
        for (place, key) in self.keys.iter().enumerate() {
            let value =
                |row: usize| if inert.contains(&place) { self.usual_value(place) } else { row % key.values.len() };
            let mut column: Vec<usize> = (0..number).map(value).collect();
            random.shuffle_front(&mut column, number);
            columns.push(column);
        }
        let mut taken = HashSet::new();
        let mut points: Vec<Point> = Vec::new();
        let rows = (0..number).map(|row| columns.iter().map(|column| column[row]).collect::<Point>());
        let valid: HashSet<&Point> = match self.extent {
            Extent::Enumerated => of.iter().collect(),
            Extent::Sampled => HashSet::new(),
        };
        for point in rows {
            let is_valid = match self.extent {
                Extent::Enumerated => valid.contains(&point),
                Extent::Sampled => self.rules(&point).is_ok(),
            };
            if is_valid && taken.insert(point.clone()) {
                points.push(point);
            }
        }
        let mut others: Vec<usize> = (0..of.len()).collect();
        let count = others.len();
        random.shuffle_front(&mut others, count);
        for other in others {
            let point = &of[other];
            if points.len() < number && taken.insert(point.clone()) {
                points.push(point.clone());
            }
        }
        points
    }

    /// The valid combinations that differ from this one in one key that is not inert. Of a key with many values, only those at
    /// distances that double.
    #[must_use]
    pub fn neighbors(&self, point: &Point, inert: &[usize]) -> Vec<Point> {
        let mut neighbors = Vec::new();
        for (number, key) in self.keys.iter().enumerate().filter(|(number, _)| !inert.contains(number)) {
            let is_listed = |value: usize| {
                let distance = value.abs_diff(point[number]);
                distance > 0 && (key.values.len() <= MOST_NEIGHBORS || distance.is_power_of_two())
            };
            for value in (0..key.values.len()).filter(|&value| is_listed(value)) {
                let mut other = point.clone();
                other[number] = value;
                if self.rules(&other).is_ok() {
                    neighbors.push(other);
                }
            }
        }
        neighbors
    }

    /// The rules of a combination, checked at every number of seats.
    ///
    /// # Errors
    /// In words, if they cannot be played.
    pub fn rules(&self, point: &[usize]) -> Result<Rules, String> {
        let overrides = self.overrides(point);
        let in_words = |error: LoadError| error.to_string().replace("--set ", "");
        let name = self.base.path_of_text();
        let rules = load_for_seats(&name, &overrides, &self.seats, &self.base).map_err(in_words)?.rules;
        if rules.parameters().teams != Teams::None {
            return Err("match.teams must be \"none\": every seat is measured for itself".into());
        }
        Ok(rules)
    }

    /// The rules of a combination as a part of a spec.
    ///
    /// # Errors
    /// In words, if they cannot be played.
    pub fn variant(&self, point: &[usize]) -> Result<Variant, String> {
        Ok(Variant { name: self.base.name.clone(), ..Variant::of(&self.rules(point)?) })
    }

    fn overrides(&self, point: &[usize]) -> Vec<Override> {
        let set = self.keys.iter().zip(point).filter_map(|(key, &value)| Some((key, key.values.get(value)?)));
        set.map(|(Sweep { key, .. }, value)| Override::new(key, value)).collect()
    }

    /// `deal.hand_size=7 turn.draw_count=one`: every key with its value.
    #[must_use]
    pub fn in_words(&self, point: &[usize]) -> String {
        let set = self.keys.iter().zip(point).filter_map(|(key, &value)| Some((key, key.values.get(value)?)));
        set.map(|(Sweep { key, .. }, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// The numbers of the keys that a combination changes in the base.
    pub fn changed<'a>(&'a self, point: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
        (0..self.keys.len()).filter(move |&key| point[key] != self.of_base[key])
    }

    /// A combination with one key as in the base.
    #[must_use]
    pub fn with_key_of_base(&self, point: &[usize], key: usize) -> Point {
        let mut other = point.to_vec();
        other[key] = self.keys[key].values.len();
        other
    }

    /// The value of a key in the base: the number in `values`, or what the rules of the base have.
    #[must_use]
    pub fn value_of_base(&self, key: usize) -> String {
        let Sweep { key: name, values } = &self.keys[key];
        if let Some(value) = values.get(self.of_base[key]) {
            return value.clone();
        }
        let of_rules = |rules: Rules| {
            let entries = rules.parameters().entries().into_iter().map(|(key, value)| (key.to_owned(), value));
            let mut all = entries.chain(rules.custom_card_keys());
            let found = all.find(|(other, _)| other == name).map(|(_, value)| value);
            let copies = || {
                let table = rules.to_toml().parse::<toml::Table>().ok()?;
                table.get("deck")?.get(name.strip_prefix("deck.")?).cloned()
            };
            found.or_else(copies)
        };
        let found = self.rules(&vec![usize::MAX; self.keys.len()]).ok().and_then(of_rules);
        match found {
            Some(toml::Value::String(word)) => word,
            Some(value) => value.to_string(),
            None => "as in the base".into(),
        }
    }

    /// The keys as the surrogate sees them.
    #[must_use]
    pub fn levels(&self) -> Vec<Levels> {
        let levels = |key: &Sweep| {
            let numbers: Option<Vec<f64>> = key.values.iter().map(|value| value.parse().ok()).collect();
            numbers.map_or(Levels::Categories(key.values.len()), Levels::Numbers)
        };
        self.keys.iter().map(levels).collect()
    }

    /// The number of a combination, in which keys may be as in the base.
    #[must_use]
    pub fn number_of(&self, point: &[usize]) -> u64 {
        let digits = self.keys.iter().zip(point);
        digits.fold(0, |number, (key, &value)| {
            number * (key.values.len() as u64 + 1) + value.min(key.values.len()) as u64
        })
    }

    /// The combination with this number, in which keys may be as in the base; none if the number is too large.
    #[must_use]
    pub fn point_numbered(&self, number: u64) -> Option<Point> {
        let point = self.point_of(number, 1);
        (self.number_of(&point) == number).then_some(point)
    }

    /// The combination with this number, with this many more digits per key than values.
    #[expect(clippy::cast_possible_truncation, reason = "smaller than the number of values")]
    fn point_of(&self, mut number: u64, more: u64) -> Point {
        let mut point = vec![0; self.keys.len()];
        for (value, key) in point.iter_mut().zip(&self.keys).rev() {
            let base = key.values.len() as u64 + more;
            *value = (number % base) as usize;
            number /= base;
        }
        point
    }
}

/// The random numbers that sample a large space.
const TO_SAMPLE: u32 = 900;
