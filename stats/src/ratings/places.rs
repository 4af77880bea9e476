//! Bounds of the true place of each entrant.

use super::matches::pairs;
use crate::interval::{CONFIDENCE, bootstrap_stretch};

/// The best and the worst place that an entrant may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// 1 plus the number of entrants that are significantly better.
    pub best: usize,
    /// The last place minus the number of entrants that are significantly worse.
    pub worst: usize,
}

/// Values closer than this count as equal: equal entrants may differ in the last digits of a fit.
const EQUAL: f64 = 1e-9;

/// The places by value, the largest first; equal values share the better place.
pub(super) fn places(values: &[f64]) -> Vec<usize> {
    values.iter().map(|value| 1 + values.iter().filter(|&other| *other > value + EQUAL).count()).collect()
}

/// Confidence sets of the places. With probability [`CONFIDENCE`] all of them are correct: they follow from simultaneous
/// intervals of all differences (M. Mogstad, J. Romano, A. Shaikh, D. Wilhelm, "Inference for ranks with applications to
/// mobility across neighborhoods and academic achievement across countries", Review of Economic Studies 91, 2024). The
/// quantile of the largest studentized difference comes from the replicates of a bootstrap over `groups` independent groups,
/// and is multiplied by `times_as_wide`. A difference must also keep its sign in all `shifted` values, at the bounds of rare
/// differences. `None` without replicates, or for fewer than two groups.
pub(super) fn place_sets(
    values: &[f64],
    replicates: &[&[f64]],
    shifted: &[&[f64]],
    groups: u64,
    times_as_wide: f64,
) -> Option<Vec<Places>> {
    let stretch = bootstrap_stretch(groups)? * times_as_wide;
    if replicates.is_empty() {
        return None;
    }
    let difference = |values: &[f64], (a, b): (usize, usize)| values[a] - values[b];
    let deviation = |pair| {
        let squares = replicates.iter().map(|drawn| (difference(drawn, pair) - difference(values, pair)).powi(2));
        (squares.sum::<f64>() / replicates.len() as f64).sqrt()
    };
    let pairs: Vec<((usize, usize), f64)> = pairs(values.len()).map(|pair| (pair, deviation(pair))).collect();
    let largest = |drawn: &&[f64]| {
        let varying = pairs.iter().filter(|(_, deviation)| *deviation > EQUAL);
        let studentized =
            varying.map(|&(pair, deviation)| (difference(drawn, pair) - difference(values, pair)).abs() / deviation);
        studentized.fold(0.0, f64::max)
    };
    let mut largest: Vec<f64> = replicates.iter().map(largest).collect();
    largest.sort_by(f64::total_cmp);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the list")]
    let quantile = largest[(CONFIDENCE * (largest.len() - 1) as f64).ceil() as usize];
    let mut places = vec![Places { best: 1, worst: values.len() }; values.len()];
    for &(pair, deviation) in &pairs {
        let lead = difference(values, pair);
        let keeps_its_sign = shifted.iter().all(|values| difference(values, pair) * lead > 0.0);
        if lead.abs() > (quantile * stretch * deviation).max(EQUAL) && keeps_its_sign {
            let (better, worse) = if lead > 0.0 { pair } else { (pair.1, pair.0) };
            places[better].worst -= 1;
            places[worse].best += 1;
        }
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::random::tests::Pcg;

    /// Values that each replicate moves by up to one to either side.
    fn of(values: &[f64]) -> Vec<(usize, usize)> {
        let mut rng = Pcg::numbered(1);
        let drawn: Vec<Vec<f64>> =
            (0..1000).map(|_| values.iter().map(|value| value + 2.0 * rng.unit() - 1.0).collect()).collect();
        let drawn: Vec<&[f64]> = drawn.iter().map(Vec::as_slice).collect();
        let sets = place_sets(values, &drawn, &[], 1_000_000, 1.0).unwrap();
        sets.into_iter().map(|Places { best, worst }| (best, worst)).collect()
    }

    #[test]
    fn distant_entrants_have_one_place_and_close_ones_several() {
        assert_eq!(of(&[0.0, 10.0, 20.0]), [(3, 3), (2, 2), (1, 1)]);
        assert_eq!(of(&[0.1, 0.0, 20.0, -0.1]), [(2, 4), (2, 4), (1, 1), (2, 4)]);
        assert_eq!(of(&[5.0]), [(1, 1)]);
    }

    #[test]
    fn constant_difference_is_significant_and_tie_is_not() {
        let same: Vec<&[f64]> = vec![&[1.0, 0.0, 1.0]; 5];
        let sets = place_sets(&[1.0, 0.0, 1.0], &same, &[], 10, 1.0).unwrap();
        assert_eq!(sets[0], Places { best: 1, worst: 2 });
        assert_eq!((sets[1], sets[2]), (Places { best: 3, worst: 3 }, sets[0]));
        assert_eq!((place_sets(&[1.0], &[], &[], 10, 1.0), place_sets(&[1.0], &same[..1], &[], 1, 1.0)), (None, None));
    }

    /// Ten equal entrants whose estimates vary: in 95 of 100 tables every entrant may have every place. The test would fail
    /// if each pair were tested separately.
    #[test]
    fn equal_entrants_are_rarely_separated() {
        let mut rng = Pcg::numbered(2);
        let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
        let mut tables_with_an_error = 0;
        for _ in 0..200 {
            let values: Vec<f64> = (0..10).map(|_| normal()).collect();
            let drawn: Vec<Vec<f64>> =
                (0..200).map(|_| values.iter().map(|value| value + normal()).collect()).collect();
            let drawn: Vec<&[f64]> = drawn.iter().map(Vec::as_slice).collect();
            let sets = place_sets(&values, &drawn, &[], 1_000_000, 1.0).unwrap();
            tables_with_an_error += u32::from(sets.iter().any(|set| (set.best, set.worst) != (1, 10)));
        }
        assert!(tables_with_an_error <= 20, "{tables_with_an_error} of 200");
    }

    /// Whether a lead of 1 is significant if one of this number of replicates is far off and all others equal the estimates.
    fn is_sure(replicates: usize, times_as_wide: f64) -> bool {
        let mut drawn: Vec<&[f64]> = vec![&[1.0, 0.0]; replicates];
        drawn[0] = &[11.0, 0.0];
        place_sets(&[1.0, 0.0], &drawn, &[], 1_000_000, times_as_wide).unwrap()[0].worst == 1
    }

    /// One of twenty is 5%, one of a hundred is less.
    #[test]
    fn place_in_95_of_100_replicates_is_significant() {
        assert!(!is_sure(20, 1.0) && is_sure(100, 1.0));
    }

    #[test]
    fn wider_intervals_allow_more_places() {
        let mut rng = Pcg::numbered(3);
        let drawn: Vec<[f64; 2]> = (0..1000).map(|_| [2.0 * rng.unit() + 1.0, 2.0 * rng.unit() - 1.0]).collect();
        let drawn: Vec<&[f64]> = drawn.iter().map(<[f64; 2]>::as_slice).collect();
        let worst = |times_as_wide| place_sets(&[2.0, 0.0], &drawn, &[], 1_000_000, times_as_wide).unwrap()[0].worst;
        assert_eq!((worst(1.0), worst(3.0)), (1, 2));
    }
}
