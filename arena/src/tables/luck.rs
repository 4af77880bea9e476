//! `luck.csv`: the raw and luck-adjusted results of each entrant.

use unolab_stats::interval::{Coverage, Interval};
use unolab_stats::share::Share;

use super::{PlayedSection, bounds, row};
use crate::play::record::WIN;

row! {
    /// The results of one entrant in one section, raw and adjusted.
    pub struct LuckRow in "luck.csv",
        "one entrant in one variant at one number of seats, with raw and luck-adjusted results (only with `--luck`)" {
        /// its name
        entrant: String,
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// deals
        sets: u64,
        /// its seat-games
        games: u64,
        /// as in summary.csv
        win_share: Option<f64>,
        /// as in summary.csv
        se: Option<f64>,
        /// as in summary.csv
        ci_low: Option<f64>,
        /// as in summary.csv
        ci_high: Option<f64>,
        /// the luck-adjusted win share: for each drawn card, the change of every seat's probability of winning is compared
        /// with the changes that other cards would have made (AIVAT; control variates). Model and coefficients were fitted on
        /// games of other seeds. It has the same expectation as win_share; it may be below 0 or above 1
        win_share_adjusted: Option<f64>,
        /// its standard error, over sets
        se_adjusted: Option<f64>,
        /// lower bound of its 95% interval, Student's with sets − 1 degrees of freedom; if few sets are unequal, at least as
        /// wide as the interval of win_share
        ci_low_adjusted: Option<f64>,
        /// upper bound
        ci_high_adjusted: Option<f64>,
        /// lower bound that is valid at every number of sets, as after a sequential test
        anytime_low_adjusted: Option<f64>,
        /// upper bound that is valid at every number of sets
        anytime_high_adjusted: Option<f64>,
        /// how many times as many games the raw win share needs for the same error: (se / se_adjusted)²
        relative_efficiency: Option<f64>,
        /// lower bound of its 95% interval, for a ratio of two variances of the same sets (Pitman and Morgan)
        relative_efficiency_low: Option<f64>,
        /// upper bound
        relative_efficiency_high: Option<f64>,
    }
}

/// The rows of a section; none without luck adjustment.
#[must_use]
pub fn rows(played: PlayedSection<'_>) -> Vec<LuckRow> {
    let stake = played.section.stake(&played.spec.entrants);
    let with_luck = played.tally.by_entrant().iter().zip(played.tally.luck().shares());
    with_luck
        .zip(&played.spec.entrants)
        .map(|((tally, adjusted), entrant)| {
            let raw = Share::of(&tally.results.wins, WIN, stake);
            let se_adjusted = adjusted.and_then(|adjusted| adjusted.standard_error);
            let errors = raw.mean.standard_error.zip(se_adjusted).filter(|&(_, adjusted)| adjusted > 0.0);
            let relative_efficiency = errors.map(|(raw, adjusted)| (raw / adjusted).powi(2));
            let efficiency_interval =
                relative_efficiency.and_then(|ratio| interval_of_efficiency(ratio, raw.mean.sets));
            let (relative_efficiency_low, relative_efficiency_high) = bounds(efficiency_interval);
            // Sets that tie do so after the adjustment too.
            let interval_of = |coverage: Coverage| {
                let reach = raw.unequal.map_or(0.0, |unequal| unequal.reach(coverage));
                adjusted.and_then(|of| Some(of.interval_of(coverage)?.reaching_at_least(of.value, reach)))
            };
            let (interval, anytime) = (interval_of(Coverage::Pointwise), interval_of(Coverage::Anytime));
            let (anytime_low_adjusted, anytime_high_adjusted) = bounds(anytime);
            LuckRow {
                entrant: entrant.name.clone(),
                variant: played.variant().name.clone(),
                seats: played.section.seats,
                sets: raw.mean.sets,
                games: raw.mean.games,
                win_share: raw.mean.value,
                se: raw.mean.standard_error,
                ci_low: raw.interval.map(|interval| interval.low),
                ci_high: raw.interval.map(|interval| interval.high),
                win_share_adjusted: adjusted.map(|adjusted| adjusted.value),
                se_adjusted,
                ci_low_adjusted: interval.map(|interval| interval.low),
                ci_high_adjusted: interval.map(|interval| interval.high),
                anytime_low_adjusted,
                anytime_high_adjusted,
                relative_efficiency,
                relative_efficiency_low,
                relative_efficiency_high,
            }
        })
        .collect()
}

/// An interval of the ratio of the two variances. Their logarithms differ with the error 2 √((1 − ρ²) / (n − 2)), where ρ
/// is the correlation of the raw result with the adjusted one (E. J. G. Pitman and W. A. Morgan, Biometrika 31, 1939).
/// The adjustment is nearly uncorrelated with the adjusted result, so ρ² is the reciprocal of the relative efficiency, or the
/// efficiency itself if it is below one.
fn interval_of_efficiency(efficiency: f64, sets: u64) -> Option<Interval> {
    let unexplained = 1.0 - efficiency.min(efficiency.recip());
    let error = 2.0 * (unexplained / sets.checked_sub(2).filter(|&sets| sets > 0)? as f64).sqrt();
    let log = Interval::of_mean(efficiency.ln(), error, sets, Coverage::Pointwise)?;
    Some(Interval { low: log.low.exp(), high: log.high.exp() })
}

#[cfg(test)]
mod tests {
    use crate::spec::seal::Streams;
    use unolab_agents::registry::Registry;
    use unolab_engine::rules::Rules;

    use super::super::tests::Played;
    use super::*;
    use crate::count::luck::tally::LuckCounter;
    use crate::play::record::tests::finished;
    use crate::schedule::contest::Contest;
    use crate::spec::luck::{Coefficients, LuckModel};
    use crate::spec::{Spec, Variant};

    #[test]
    fn estimates_without_luck_model_are_equal() {
        let mut played = Played::new(&["random", "greedy"], &[2]).tied();
        assert_eq!(played.sections().flat_map(rows).count(), 0, "nothing was asked for");
        let variants = vec![Variant::of(&Rules::preset("classic"))];
        let contest = Contest::of(Spec { variants, ..played.spec.clone() }, &Registry::default()).unwrap();
        let worthless = LuckModel { model: None, coefficients: Coefficients::default() };
        let section = &played.schedule.sections[0];
        let mut counter = LuckCounter::new(&contest, section, &worthless);
        for (set, winner) in (0..).zip([0, 1, 0]) {
            for (_, seating) in section.games(Streams::new(1, None).of_set(set)) {
                let places = if winner == 0 { [1, 2] } else { [2, 1] };
                counter.add_game(&finished(&[7, 0], &places), &seating);
            }
            counter.finish_set(&mut played.tallies[0].luck);
        }
        let rows: Vec<LuckRow> = played.sections().flat_map(rows).collect();
        assert_eq!((rows.len(), rows[0].win_share_adjusted, rows[0].se_adjusted), (2, Some(0.5), Some(0.0)));
        let interval = |row: &LuckRow| (row.ci_low_adjusted, row.ci_high_adjusted);
        assert!(
            rows.iter().all(|row| interval(row) == (row.ci_low, row.ci_high) && row.ci_low < row.ci_high),
            "by chance"
        );
        assert!(
            rows.iter().all(|row| (row.relative_efficiency, row.relative_efficiency_low, row.relative_efficiency_high)
                == (None, None, None)),
            "no error, no efficiency"
        );
    }

    /// Half the variance in 402 sets: the error of the logarithm is 2 √(0.5 / 400) = 0.0707.
    #[test]
    fn gain_has_interval() {
        let interval = interval_of_efficiency(2.0, 402).unwrap();
        let half = 1.966 * 0.070_71;
        assert!((interval.low.ln() - (2.0_f64.ln() - half)).abs() < 1e-3, "{interval:?}");
        assert!((interval.high.ln() - (2.0_f64.ln() + half)).abs() < 1e-3, "{interval:?}");
        assert_eq!(interval_of_efficiency(2.0, 2), None);
    }
}
