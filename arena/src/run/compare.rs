//! Compares two runs deal by deal.
//!
//! Both runs play the same cards, so the difference of a number between them has a much smaller error than either number
//! (common random numbers). A number is a ratio of two sums over deals. With the residuals of both ratios in each deal, d = e₂
//! − e₁, the error of the difference is SE² = Σd² / (S (S − 1)) over S common deals.

use std::collections::BTreeMap;
use std::io::Read;

use thiserror::Error;
use unolab_stats::hypothesis::{Comparison, holm};
use unolab_stats::unequal::UnequalSets;

use crate::spec::Spec;
use crate::tables::compare::CompareRow;
use crate::tables::games::GameRow;
use crate::tables::read::{ReadError, rows_of};

/// Why two runs cannot be compared.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CompareError {
    /// Their cards come from different seeds.
    #[error("they share no deals: --seed {first} and --seed {second}")]
    Seeds {
        /// Of the first run.
        first: u64,
        /// Of the second.
        second: u64,
    },
    /// Their cards come from different keys.
    #[error("they share no deals: they are sealed with different keys, or only one is sealed")]
    Seals,
    /// Rounds and matches.
    #[error("they share no deals: one plays rounds, the other matches (--unit)")]
    Units,
    /// No variant at the same number of seats.
    #[error("they share no deals: no variant at the same number of seats is in both")]
    Sections,
    /// Samples of games that have no deal in common.
    #[error("they share no deals: their games.csv files have games of different sets")]
    Sets,
    /// An invalid table.
    #[error("games.csv: {0}")]
    Games(String),
}

/// The compared columns of `games.csv`.
const COLUMNS: [&str; 12] = [
    "set",
    "variant",
    "seats",
    "entrants",
    "first_seat",
    "direction",
    "winner",
    "points",
    "places",
    "rounds",
    "turns",
    "decisions",
];

/// The compared numbers, in the order of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A measure of an entrant.
    Entrant(usize, Measure),
    /// The wins of an entrant at a place in the order of play.
    Seat(usize, usize),
    /// The wins of the first of two entrants.
    Pair(usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Measure {
    WinShare,
    PointsMean,
    TurnsMean,
    Rounds,
    Decisions,
}

impl Measure {
    const fn name(self) -> &'static str {
        match self {
            Self::WinShare => "win_share",
            Self::PointsMean => "points_mean",
            Self::TurnsMean => "turns_mean",
            Self::Rounds => "rounds",
            Self::Decisions => "decisions",
        }
    }
}

/// A total and the number of its games, deal by deal.
type ByDeal = BTreeMap<u64, [f64; 2]>;

/// The numbers of one variant at one number of seats.
type Numbers = BTreeMap<Key, ByDeal>;

/// The games of a run, summed up deal by deal.
#[derive(Debug)]
pub struct RunResults {
    spec: Spec,
    sections: BTreeMap<(String, usize), Numbers>,
}

impl RunResults {
    /// Sums up the `games.csv` of a run. `team_size` returns the number of seats of a variant that win together, by its
    /// name.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn read(spec: Spec, games: impl Read, team_size: impl Fn(&str) -> usize) -> Result<Self, CompareError> {
        let mut sections: BTreeMap<(String, usize), Numbers> = BTreeMap::new();
        let fail = |error: ReadError| CompareError::Games(error.to_string());
        for (number, row) in rows_of::<GameRow>(games, &COLUMNS).map_err(fail)?.enumerate() {
            let row = row.map_err(fail)?;
            let numbers = sections.entry((row.variant.clone(), row.seats)).or_default();
            add(numbers, &row, spec.entrants.len(), team_size(&row.variant))
                .ok_or_else(|| CompareError::Games(format!("row {} is broken", number + 1)))?;
        }
        Ok(Self { spec, sections })
    }
}

/// Adds a game; `None` if its row is invalid.
fn add(numbers: &mut Numbers, row: &GameRow, num_entrants: usize, team_size: usize) -> Option<()> {
    let list = |cell: &str| -> Option<Vec<usize>> { cell.split(' ').map(|number| number.parse().ok()).collect() };
    let (entrants, points, places) = (list(&row.entrants)?, list(&row.points)?, list(&row.places)?);
    let seats = row.seats;
    let is_whole = [entrants.len(), points.len(), places.len()] == [seats; 3]
        && row.first_seat < seats
        && entrants.iter().all(|&entrant| entrant < num_entrants);
    if !is_whole {
        return None;
    }
    let has_winner = !row.winner.is_empty();
    let sharing = places.iter().filter(|&&place| place == 1 || !has_winner).count();
    let share = |seat: usize| {
        let shares = places[seat] == 1 || !has_winner;
        if shares { team_size as f64 / sharing as f64 } else { 0.0 }
    };
    let mut count = |key: Key, total: f64, games: f64| {
        let sums = numbers.entry(key).or_default().entry(row.set).or_default();
        sums[0] += total;
        sums[1] += games;
    };
    for (seat, &entrant) in entrants.iter().enumerate() {
        for (measure, value) in [
            (Measure::WinShare, share(seat)),
            (Measure::PointsMean, points[seat] as f64),
            (Measure::TurnsMean, f64::from(row.turns)),
            (Measure::Rounds, f64::from(row.rounds)),
            (Measure::Decisions, f64::from(row.decisions)),
        ] {
            count(Key::Entrant(entrant, measure), value, 1.0);
        }
        let (from, to) = if row.direction < 0 { (seat, row.first_seat) } else { (row.first_seat, seat) };
        count(Key::Seat(entrant, (to + seats - from) % seats), share(seat), 1.0);
        for (other_seat, &other) in entrants.iter().enumerate().filter(|&(_, &other)| entrant < other) {
            let decided = if has_winner { [share(seat), share(other_seat)] } else { [0.0; 2] };
            count(Key::Pair(entrant, other), decided[0], decided[0] + decided[1]);
        }
    }
    Some(())
}

/// The differences of the second run from the first, over the deals that both have played.
///
/// # Errors
/// If they share no deals.
pub fn compare(first: &RunResults, second: &RunResults) -> Result<Vec<CompareRow>, CompareError> {
    let specs = [&first.spec, &second.spec];
    let [one, other] = specs;
    if one.seed != other.seed {
        return Err(CompareError::Seeds { first: one.seed, second: other.seed });
    }
    if one.seal != other.seal {
        return Err(CompareError::Seals);
    }
    if one.unit != other.unit {
        return Err(CompareError::Units);
    }
    let one_variant_each = specs.iter().all(|spec| spec.variants.len() == 1);
    let matched = match_entrants(one, other);
    let plays = Equivalence::of(one, other);
    let (mut rows, mut any_section) = (Vec::new(), false);
    for ((variant, seats), numbers) in in_order_of(&first.spec, &first.sections) {
        let same = second.sections.iter().find(|((name, at), _)| at == seats && (name == variant || one_variant_each));
        let Some(((name, _), others)) = same else { continue };
        any_section = true;
        let variant = if name == variant { name.clone() } else { format!("{variant} against {name}") };
        for (&key, deals) in numbers {
            let Some((other_key, is_swapped)) = matched_key(key, &matched) else { continue };
            let Some(other_deals) = others.get(&other_key) else { continue };
            let swapped =
                is_swapped.then(|| other_deals.iter().map(|(&set, &[won, of])| (set, [of - won, of])).collect());
            let row = difference(deals, swapped.as_ref().unwrap_or(other_deals), plays);
            rows.push(CompareRow {
                variant: variant.clone(),
                seats: *seats,
                ..named(key, other_key, is_swapped, specs, row)
            });
        }
    }
    if !any_section {
        return Err(CompareError::Sections);
    }
    if rows.iter().all(|row| row.sets == 0) {
        return Err(CompareError::Sets);
    }
    let tested: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].p.is_some()).collect();
    let adjusted = holm(&tested.iter().filter_map(|&row| rows[row].p).collect::<Vec<_>>());
    tested.into_iter().zip(adjusted).for_each(|(row, p)| rows[row].p_holm = Some(p));
    Ok(rows)
}

/// Whether the second run can have other results than the first in the same deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Equivalence {
    /// The same agents play with the same rules: all results are equal by construction.
    Alike,
    /// Something differs.
    Otherwise,
}

impl Equivalence {
    fn of(one: &Spec, other: &Spec) -> Self {
        let twins = one.entrants.iter().zip(&other.entrants).all(|(one, other)| one.is_twin_of(other));
        let same_tables = (one.entrants.len(), one.seating) == (other.entrants.len(), other.seating);
        if twins && same_tables && one.variants == other.variants { Self::Alike } else { Self::Otherwise }
    }
}

type Section<'a> = (&'a (String, usize), &'a Numbers);

/// The sections in the order of the spec.
fn in_order_of<'a>(
    spec: &'a Spec,
    sections: &'a BTreeMap<(String, usize), Numbers>,
) -> impl Iterator<Item = Section<'a>> {
    let keys = spec.variants.iter().flat_map(|variant| spec.seats.iter().map(|&seats| (variant.name.clone(), seats)));
    keys.filter_map(|key| sections.get_key_value(&key))
}

/// For each entrant of the first run the entrant of the second to compare with: the one of the same name, or, among
/// equally many remaining entrants, the one at the same place.
fn match_entrants(first: &Spec, second: &Spec) -> Vec<Option<usize>> {
    let place = |spec: &Spec, name: &str| spec.entrants.iter().position(|entrant| entrant.name == name);
    let mut matched: Vec<Option<usize>> = first.entrants.iter().map(|entrant| place(second, &entrant.name)).collect();
    let left = |taken: &[Option<usize>]| {
        (0..second.entrants.len()).filter(|of| !taken.contains(&Some(*of))).collect::<Vec<_>>()
    };
    let (others, alone) = (left(&matched), matched.iter().filter(|of| of.is_none()).count());
    if others.len() == alone {
        let mut others = others.into_iter();
        matched.iter_mut().filter(|of| of.is_none()).for_each(|of| *of = others.next());
    }
    matched
}

/// The same number in the other run, and whether its pair is reversed.
fn matched_key(key: Key, matched: &[Option<usize>]) -> Option<(Key, bool)> {
    Some(match key {
        Key::Entrant(entrant, measure) => (Key::Entrant(matched[entrant]?, measure), false),
        Key::Seat(entrant, seat) => (Key::Seat(matched[entrant]?, seat), false),
        Key::Pair(a, b) => match (matched[a]?, matched[b]?) {
            (a, b) if a < b => (Key::Pair(a, b), false),
            (a, b) => (Key::Pair(b, a), true),
        },
    })
}

fn named(key: Key, other: Key, is_swapped: bool, specs: [&Spec; 2], row: CompareRow) -> CompareRow {
    let name = |spec: &Spec, key: Key, is_swapped: bool| {
        let of = |entrant: usize| spec.entrants[entrant].name.clone();
        match key {
            Key::Entrant(entrant, _) | Key::Seat(entrant, _) => of(entrant),
            Key::Pair(a, b) if is_swapped => format!("{} against {}", of(b), of(a)),
            Key::Pair(a, b) => format!("{} against {}", of(a), of(b)),
        }
    };
    let (table, seat, measure) = match key {
        Key::Entrant(_, measure) => ("summary.csv", None, measure.name()),
        Key::Seat(_, seat) => ("seats.csv", Some(seat), "win_share"),
        Key::Pair(..) => ("pairs.csv", None, "share"),
    };
    CompareRow {
        table: table.into(),
        a: name(specs[0], key, false),
        b: name(specs[1], other, is_swapped),
        seat,
        measure: measure.into(),
        ..row
    }
}

/// Whether two sums are equal, except for the last digits, which depend on the order of addition.
fn same(one: [f64; 2], other: [f64; 2]) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() <= 1e-12 * one.abs())
}

/// The difference of two ratios over common deals.
fn difference(first: &ByDeal, second: &ByDeal, plays: Equivalence) -> CompareRow {
    let common: Vec<([f64; 2], [f64; 2])> =
        first.iter().filter_map(|(set, &mine)| Some((mine, *second.get(set)?))).collect();
    let sets = common.len() as f64;
    let sum = |sum: [f64; 2], of: [f64; 2]| [sum[0] + of[0], sum[1] + of[1]];
    let ratio = |[total, games]: [f64; 2]| (games > 0.0).then(|| total / games);
    let sum1 = common.iter().map(|deal| deal.0).fold([0.0; 2], sum);
    let sum2 = common.iter().map(|deal| deal.1).fold([0.0; 2], sum);
    let (value1, value2) = (ratio(sum1), ratio(sum2));
    let row = CompareRow { first: value1, second: value2, sets: common.len() as u64, ..CompareRow::default() };
    let (Some(value1), Some(value2)) = (value1, value2) else { return row };
    let difference = if same(sum1, sum2) { 0.0 } else { value2 - value1 };
    let row = CompareRow { difference: Some(difference), ..row };
    if common.len() < 2 {
        return row;
    }
    let residual =
        |[total, games]: [f64; 2], value: f64, games_in_all: f64| (total - value * games) / (games_in_all / sets);
    let (mut squares1, mut squares2, mut squares) = (0.0, 0.0, 0.0);
    let (mut unequal, mut squares_of_unequal) = (0, 0.0);
    for &(mine, theirs) in &common {
        let (e1, e2) = (residual(mine, value1, sum1[1]), residual(theirs, value2, sum2[1]));
        // Equal results differ by exactly 0, not by the last digits of two ratios.
        let d = if same(mine, theirs) && same(sum1, sum2) { 0.0 } else { e2 - e1 };
        squares1 += e1 * e1;
        squares2 += e2 * e2;
        squares += d * d;
        if !same(mine, theirs) {
            unequal += 1;
            squares_of_unequal += (theirs[0] / sum2[1] - mine[0] / sum1[1]).powi(2) * sets * sets;
        }
    }
    let error = (squares / (sets * (sets - 1.0))).sqrt();
    // A deal with other play is assumed to differ like two unrelated deals, until there are data.
    let unrelated = (squares1 + squares2) / sets;
    let change = ((squares_of_unequal + unrelated) / (unequal + 1) as f64).sqrt();
    let few = UnequalSets::counted(unequal, row.sets, change).filter(|_| plays == Equivalence::Otherwise);
    let comparison = Comparison { difference, standard_error: error, sets: row.sets, unequal: few };
    let interval = comparison.interval();
    CompareRow {
        unequal_sets: Some(unequal),
        se: Some(error),
        ci_low: interval.map(|interval| interval.low),
        ci_high: interval.map(|interval| interval.high),
        // A number that is equal in every deal is not a claim.
        p: (squares > 0.0).then(|| comparison.p_different()).flatten(),
        relative_efficiency: (squares > 0.0).then_some((squares1 + squares2) / squares),
        ..row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::tests::round_robin;

    /// Pairs of games of two agents: the winner of each, deal by deal.
    fn run(agents: &[&str], seed: u64, winners: &[[usize; 2]]) -> RunResults {
        let mut csv = String::from(
            "set,variant,seats,entrants,first_seat,direction,winner,points,places,rounds,turns,decisions\n",
        );
        for (set, games) in winners.iter().enumerate() {
            for (game, &winner) in games.iter().enumerate() {
                let entrants = if game == 0 { "0 1" } else { "1 0" };
                let places = if (winner == 0) == (game == 0) { "1 2" } else { "2 1" };
                csv += &format!("{set},classic,2,{entrants},0,1,x,9 0,{places},1,20,30\n");
            }
        }
        RunResults::read(Spec { seed, ..round_robin(agents, &[2]) }, csv.as_bytes(), |_| 1).unwrap()
    }

    fn row<'a>(rows: &'a [CompareRow], table: &str, a: &str, measure: &str) -> &'a CompareRow {
        rows.iter().find(|row| (&*row.table, &*row.a, &*row.measure) == (table, a, measure)).unwrap()
    }

    #[test]
    fn seat_out_of_range_is_rejected() {
        let games = |first_seat: usize| {
            format!(
                "set,variant,seats,entrants,first_seat,direction,winner,points,places,rounds,turns,decisions\n\
                 0,classic,2,0 1,{first_seat},1,x,9 0,1 2,1,20,30\n"
            )
        };
        let read = |first_seat| {
            RunResults::read(round_robin(&["x", "y"], &[2]), games(first_seat).as_bytes(), |_| 1)
                .map(|_| ())
                .map_err(|error| error.to_string())
        };
        assert_eq!(read(1), Ok(()));
        assert!(read(2).is_err_and(|message| message.contains("row 1 is broken")));
    }

    /// Set means 1, 1/2, 0, 1/2 and 1, 1, 0, 1/2: differences 0, 1/2, 0, 0 with mean 1/8 and SE² = (3/4 · 1/4 · 1/4)... by hand
    /// squares of deviations 3 (1/8)² + (3/8)² = 12/64, SE² = 12/64/12 = 1/64.
    #[test]
    fn difference_matches_hand_computation() {
        let first = run(&["x", "y"], 1, &[[0, 0], [0, 1], [1, 1], [1, 0]]);
        let second = run(&["z", "y"], 1, &[[0, 0], [0, 0], [1, 1], [1, 0]]);
        let rows = compare(&first, &second).unwrap();
        let wins = row(&rows, "summary.csv", "x", "win_share");
        assert_eq!((wins.first, wins.second, wins.difference, wins.sets), (Some(0.5), Some(0.625), Some(0.125), 4));
        assert!((wins.se.unwrap() - 0.125).abs() < 1e-12 && wins.b == "z", "{wins:?}");
        // Unpaired, the squares are 1/2 and 11/16: the sum over 3/16.
        assert!((wins.relative_efficiency.unwrap() - (0.5 + 0.6875) / 0.1875).abs() < 1e-12);
        let pair = row(&rows, "pairs.csv", "x against y", "share");
        assert_eq!((pair.difference, pair.se, &*pair.b), (wins.difference, wins.se, "z against y"));
        assert!(row(&rows, "summary.csv", "x", "turns_mean").p.is_none(), "nothing differs");
        assert!(wins.p_holm.unwrap() >= wins.p.unwrap());
    }

    /// None of forty deals differs, so at most 40 (1 − 0.05^(1/40)) = 2.886 are expected; the change of one is the deviation of two
    /// unrelated deals, √(1/4 + 1/4) here, half of whose sets each side wins.
    #[test]
    fn difference_of_tied_deals_is_undecided() {
        let wins: Vec<[usize; 2]> = (0..40).map(|set| if set % 2 == 0 { [0, 0] } else { [1, 1] }).collect();
        let first = run(&["x", "y"], 1, &wins);
        let rows = compare(&first, &run(&["z", "y"], 1, &wins)).unwrap();
        let wins_of_x = row(&rows, "summary.csv", "x", "win_share");
        assert_eq!((wins_of_x.difference, wins_of_x.unequal_sets, wins_of_x.p), (Some(0.0), Some(0), None));
        let reach = (1.0 - 0.05_f64.powf(1.0 / 40.0)) * 0.5_f64.sqrt();
        assert!((wins_of_x.ci_high.unwrap() - reach).abs() < 1e-6, "{wins_of_x:?}");
        assert_eq!(wins_of_x.ci_low.map(|low| -low), wins_of_x.ci_high);
        let same = compare(&first, &run(&["x", "y"], 1, &wins)).unwrap();
        let wins_of_x = row(&same, "summary.csv", "x", "win_share");
        assert_eq!((wins_of_x.ci_low, wins_of_x.ci_high), (Some(0.0), Some(0.0)), "the same agents");
    }

    /// Student's p of four deals of a hundred that all differ to one side is 0.045; a sign test has 2 / 2^4 = 0.125.
    #[test]
    fn difference_in_few_deals_is_not_significant() {
        let with = |changed: usize| -> Vec<[usize; 2]> {
            (0..100).map(|set| if set < changed { [0, 0] } else { [0, 1] }).collect()
        };
        let first = run(&["x", "y"], 1, &with(0));
        let p = |changed: usize| {
            let rows = compare(&first, &run(&["z", "y"], 1, &with(changed))).unwrap();
            let wins = row(&rows, "summary.csv", "x", "win_share");
            assert_eq!(wins.unequal_sets, Some(changed as u64));
            assert_eq!(wins.ci_low.unwrap() > 0.0, wins.p.unwrap() < 0.05);
            wins.p.unwrap()
        };
        assert!(p(4) > 0.05 && p(8) < 0.05, "{} {}", p(4), p(8));
    }

    /// Entrants in another order are matched by their names, and a pair in reverse order is reversed.
    #[test]
    fn entrants_are_found_by_name() {
        let first = run(&["x", "y"], 1, &[[0, 0], [0, 1], [0, 1]]);
        let turned = run(&["y", "x"], 1, &[[1, 1], [1, 0], [1, 0]]);
        let rows = compare(&first, &turned).unwrap();
        assert!(
            rows.iter()
                .filter(|row| row.measure != "points_mean" && row.table != "seats.csv")
                .all(|row| row.difference == Some(0.0))
        );
        assert_eq!(row(&rows, "pairs.csv", "x against y", "share").b, "x against y");
    }

    #[test]
    fn runs_without_common_deals_are_rejected() {
        let wins: &[[usize; 2]] = &[[0, 0], [0, 1]];
        let first = run(&["x", "y"], 1, wins);
        let message = |second: &RunResults| compare(&first, second).unwrap_err().to_string();
        assert!(message(&run(&["x", "y"], 2, wins)).contains("share no deals: --seed 1 and --seed 2"));
        let mut elsewhere = run(&["x", "y"], 1, wins);
        elsewhere.sections = elsewhere.sections.into_iter().map(|((name, _), numbers)| ((name, 4), numbers)).collect();
        assert!(message(&elsewhere).contains("no variant at the same number of seats"));
    }
}
