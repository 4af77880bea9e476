//! Means, errors, and intervals, computed from exact sums as the last step.
//!
//! Games of one deal are not independent, so the set is the unit: with x_s the mean of set s, x̄ their mean and S sets,
//! SE² = Σ(x_s − x̄)² / (S(S − 1)), and intervals are Student's with S − 1 degrees of freedom. The design effect is the
//! ratio of SE² to the SE² that games counted as independent would give (Kish, "Survey Sampling", 1965).
//!
//! If an entrant has different numbers of games in the sets, x̄ is the mean of games, and the error is the error of a
//! ratio (Cochran, "Sampling Techniques", 1977, 6.4): Σ(T_s − x̄ n_s)² replaces Σ(x_s − x̄)². For equal n_s both are the
//! same.
//!
//! An undefined number is `None`, and an empty cell in the tables.

#[cfg(doc)]
use crate::interval::FEW_SETS;
use crate::interval::{Coverage, Interval, few_sets_agree, student_likelihood_above};
use crate::sums::{GameSums, SetSums};
use crate::unequal::{Stake, UnequalSets};

/// A share below this, or above 1 minus this, has Wilson's interval on `n_eff` instead of Student's, which is symmetric and
/// would extend beyond 0 or 1.
pub const EXTREME_SHARE: f64 = 0.05;

/// A mean over seat-games, with its error by sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The number of sets.
    pub sets: u64,
    /// The number of seat-games.
    pub games: u64,
    /// The mean; `None` without games.
    pub value: Option<f64>,
    /// Its standard error; `None` for fewer than two sets.
    pub standard_error: Option<f64>,
    /// SE² by sets divided by SE² by games; `None` if games do not differ, or were not counted individually.
    pub design_effect: Option<f64>,
}

impl Mean {
    /// The mean of a quantity that was counted in whole units of 1/`unit`.
    #[must_use]
    pub fn of(sums: &GameSums, unit: u64) -> Self {
        let design_effect = match (variance_by_sets(&sums.by_sets), variance_by_games(sums)) {
            (Some(by_sets), Some(by_games)) if by_games > 0.0 => Some(by_sets / by_games),
            _ => None,
        };
        Self { design_effect, ..Self::of_sets(&sums.by_sets, unit) }
    }

    /// The mean of a quantity of which only sums over sets are known.
    #[must_use]
    pub fn of_sets(sums: &SetSums, unit: u64) -> Self {
        let (games, unit) = (sums.games as f64, unit as f64);
        Self {
            sets: sums.sets,
            games: sums.games,
            value: (sums.games > 0).then(|| sums.total as f64 / unit / games),
            standard_error: variance_by_sets(sums).map(|variance| variance.sqrt() / unit),
            design_effect: None,
        }
    }

    /// The number of independent games with the same error; `None` if the error is 0.
    #[must_use]
    pub fn n_eff(&self) -> Option<f64> {
        self.design_effect.filter(|&effect| effect > 0.0).map(|effect| self.games as f64 / effect)
    }
}

/// SE² of the mean in squared units, by sets.
fn variance_by_sets(sums: &SetSums) -> Option<f64> {
    if sums.sets < 2 {
        return None;
    }
    let (sets, games) = (sums.sets as f64, sums.games as f64);
    let squared_deviations = if sums.sets_are_equally_large() {
        // S ΣT² − (ΣT)² in integers, so that the error is exactly 0 if all sets tie.
        let total = u128::from(sums.total);
        (u128::from(sums.sets) * sums.totals_squared - total * total) as f64 / sets
    } else {
        let mean = sums.total as f64 / games;
        let cross = sums.games_times_totals as f64;
        (sums.totals_squared as f64 - 2.0 * mean * cross + mean * mean * sums.games_squared as f64).max(0.0)
    };
    Some(squared_deviations * sets / (sets - 1.0) / (games * games))
}

/// SE² of the mean in squared units, as if games were independent.
fn variance_by_games(&GameSums { by_sets: SetSums { games, total, .. }, squares }: &GameSums) -> Option<f64> {
    if games < 2 {
        return None;
    }
    let total = u128::from(total);
    let squared_deviations = (u128::from(games) * squares - total * total) as f64 / games as f64;
    let games = games as f64;
    Some(squared_deviations / (games - 1.0) / games)
}

/// A proportion over seat-games, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The proportion as a mean.
    pub mean: Mean,
    /// Its interval.
    pub interval: Option<Interval>,
    /// Its unequal sets, if they are few.
    pub unequal: Option<UnequalSets>,
}

impl Share {
    /// The share of a whole that was counted in these units: of a win, or of a comparison where a tie counts half. `stake` is
    /// the change of a set's total by one game, in whole units.
    #[must_use]
    pub fn of(sums: &GameSums, unit: u64, stake: Stake) -> Self {
        Self::of_mean(Mean::of(sums, unit), stake)
    }

    /// The share of the first of two entrants in the games that either has won: the totals are its wins, and the counted
    /// games are the wins of both, in the same unit. Sets without a win of either count as sets.
    ///
    /// Its `n_eff` is the number of independent games that would have the same error, share (1 − share) / SE².
    #[must_use]
    pub fn of_games_won(won: &SetSums, sets: u64, unit: u64, stake: Stake) -> Self {
        let ratio = Mean::of_sets(&SetSums { sets, ..*won }, 1);
        Self::of_proportion(Mean { games: won.games / unit, ..ratio }, stake)
    }

    /// The share of a whole of which only sums over sets are known. Its `n_eff` is the number of independent games that would
    /// have the same error, share (1 − share) / SE².
    #[must_use]
    pub fn of_set_sums(sums: &SetSums, unit: u64, stake: Stake) -> Self {
        Self::of_proportion(Mean::of_sets(sums, unit), stake)
    }

    fn of_proportion(mean: Mean, stake: Stake) -> Self {
        let design_effect = match (mean.value, mean.standard_error) {
            (Some(share), Some(error)) if share > 0.0 && share < 1.0 => {
                Some(error * error * mean.games as f64 / (share * (1.0 - share)))
            }
            _ => None,
        };
        Self::of_mean(Mean { design_effect, ..mean }, stake)
    }

    fn of_mean(mean: Mean, stake: Stake) -> Self {
        let change = stake.in_set_of(mean.games as f64 / mean.sets as f64);
        let unequal = mean.standard_error.and_then(|error| UnequalSets::behind(error, mean.sets, change));
        let mut share = Self { mean, interval: None, unequal };
        share.interval = share.interval_of(Coverage::Pointwise);
        share
    }

    /// The interval of the true value, with this coverage: Student's, wider where [few sets are unequal](crate::unequal), or
    /// Wilson's on `n_eff` near 0 and 1. `None` for fewer than two sets.
    #[must_use]
    pub fn interval_of(&self, coverage: Coverage) -> Option<Interval> {
        let mean = &self.mean;
        let (share, standard_error) = (mean.value?, mean.standard_error?);
        if !coverage.has_begun(mean.sets) {
            return Some(Interval::ANY_SHARE);
        }
        let interval = if (EXTREME_SHARE..=1.0 - EXTREME_SHARE).contains(&share) {
            let reach = self.unequal.map_or(0.0, |unequal| unequal.reach(coverage));
            let student = Interval::of_mean(share, standard_error, mean.sets, coverage);
            student.map(|interval| interval.reaching_at_least(share, reach))
        } else {
            // Without an error, n_eff is undefined; each set then counts as at most one game.
            let trials = mean.n_eff().unwrap_or(mean.sets as f64);
            let wilson = Interval::wilson_reaching(share, trials, coverage.normal_reach(mean.sets));
            wilson.map(|interval| interval.with_exact_ends(share))
        };
        interval.map(Interval::clamped_to_share)
    }

    /// The one-sided confidence that the true share is above one half. `None` for fewer than two sets, and for an exact tie
    /// or few sets without an error.
    #[must_use]
    pub fn likelihood_of_superiority(&self) -> Option<f64> {
        let standard_error = self.mean.standard_error?;
        let lead = self.mean.value? - 0.5;
        let standard_errors = lead / standard_error;
        if standard_errors.is_nan() || few_sets_agree(standard_error, self.mean.sets) {
            return None;
        }
        let likelihood = student_likelihood_above(standard_errors, self.mean.sets)?;
        let one_sided = self.unequal.map_or(0.0, |unequal| unequal.p_value(lead) / 2.0);
        Some(if lead > 0.0 { likelihood.min(1.0 - one_sided) } else { likelihood.max(one_sided) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random as _;
    use crate::random::tests::Pcg;
    use crate::sums::SetTotal;

    /// Parts of a win: a number that any count of winners up to ten divides.
    const WIN: u64 = 2520;
    const AHEAD: u64 = 2;

    /// Sums of sets of games, each game's value in whole units.
    fn sums(sets: &[&[u64]]) -> GameSums {
        let mut sums = GameSums::default();
        for values in sets {
            let mut set = SetTotal::default();
            values.iter().for_each(|&value| set.add(value));
            sums.add(set, values.iter().map(|&value| u128::from(value) * u128::from(value)).sum());
        }
        sums
    }

    fn assert_close(found: Option<f64>, expected: f64) {
        let found = found.expect("a number");
        assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "found {found}, expected {expected}");
    }

    /// Set means 1, 1/2, 0, 1/2: mean 1/2, squared deviations 1/4 + 0 + 1/4 + 0 = 1/2, SE² = (1/2)/(4·3) = 1/24.
    /// Games 1 1 0 1 0 0 1 0: squared deviations 8/4 = 2, SE²_iid = 2/(8·7) = 1/28. Design effect 28/24 = 7/6,
    /// n_eff = 8·6/7 = 48/7.
    #[test]
    fn mean_and_error_match_hand_computation() {
        let mean = Mean::of(&sums(&[&[1, 1], &[0, 1], &[0, 0], &[1, 0]]), 1);
        assert_close(mean.value, 0.5);
        assert_close(mean.standard_error, (1.0_f64 / 24.0).sqrt());
        assert_close(mean.design_effect, 7.0 / 6.0);
        assert_close(mean.n_eff(), 48.0 / 7.0);
    }

    /// The same in units of 1/2520: only the unit changes.
    #[test]
    fn share_is_independent_of_units() {
        let in_wins = Mean::of(&sums(&[&[WIN, WIN], &[0, WIN], &[0, 0], &[WIN, 0]]), WIN);
        assert_close(in_wins.standard_error, (1.0_f64 / 24.0).sqrt());
        assert_close(in_wins.design_effect, 7.0 / 6.0);
    }

    /// Totals 3 of 3 games, 0 of 1 and 1 of 2: ratio 4/6; residuals 3 − 2, 0 − 2/3, 1 − 4/3, squared
    /// 1 + 4/9 + 1/9 = 14/9; SE² = (3/2)(14/9)/36 = 7/108.
    #[test]
    fn error_for_unequal_set_sizes_is_ratio_error() {
        let mean = Mean::of(&sums(&[&[1, 1, 1], &[0], &[0, 1]]), 1);
        assert_close(mean.value, 2.0 / 3.0);
        assert_close(mean.standard_error, (7.0_f64 / 108.0).sqrt());
    }

    #[test]
    fn sets_tied_by_construction_have_zero_error() {
        let ties = Share::of(&sums(&[&[WIN, 0][..]; 1000]), WIN, Stake::NONE);
        assert_eq!(ties.mean.value, Some(0.5));
        assert_eq!(ties.mean.standard_error, Some(0.0));
        assert_eq!(ties.mean.design_effect, Some(0.0));
        assert_eq!(ties.mean.n_eff(), None);
        assert_eq!(ties.interval, Some(Interval { low: 0.5, high: 0.5 }));
        assert_eq!(ties.likelihood_of_superiority(), None);
    }

    /// One win of two in each of S sets. The expected number of unequal sets is at most S (1 − 0.05^(1/S)), each of them a change
    /// of 1/2: 0.6316 of three sets, and nearly 3 of a thousand.
    #[test]
    fn sets_tied_by_chance_follow_rule_of_three() {
        for (sets, reach) in [(3, 0.315_798_4), (10, 0.129_432_8), (1000, 0.001_495_6)] {
            let share = Share::of(&sums(&vec![&[WIN, 0][..]; sets]), WIN, Stake::WIN);
            let interval = share.interval.unwrap();
            assert!((interval.high - 0.5 - reach).abs() < 1e-7, "{sets}: {interval:?}");
            assert!((interval.low + interval.high - 1.0).abs() < 1e-12, "{sets}: {interval:?}");
            let anytime = share.interval_of(Coverage::Anytime).unwrap();
            assert!(if sets < 10 { anytime == Interval::ANY_SHARE } else { anytime.high > interval.high });
        }
    }

    #[test]
    fn undefined_share_is_none() {
        let nothing = Share::of(&GameSums::default(), WIN, Stake::WIN);
        assert_eq!((nothing.mean.value, nothing.mean.standard_error, nothing.interval), (None, None, None));
        let one_set = Share::of(&sums(&[&[WIN, 0]]), WIN, Stake::WIN);
        assert_eq!(one_set.mean.value, Some(0.5));
        assert_eq!(
            (one_set.mean.standard_error, one_set.interval, one_set.likelihood_of_superiority()),
            (None, None, None)
        );
    }

    /// Student with 3 degrees of freedom: t = 3.182446305284; share 1/2, SE sqrt(1/24): the bounds are beyond 0 and 1
    /// and are cut there. With forty such sets, SE² = 5/(40·39), t(39) = 2.022690920037.
    #[test]
    fn ordinary_share_has_student_interval() {
        let four: [&[u64]; 4] = [&[WIN, WIN], &[0, WIN], &[0, 0], &[WIN, 0]];
        assert_eq!(Share::of(&sums(&four), WIN, Stake::WIN).interval, Some(Interval { low: 0.0, high: 1.0 }));
        let interval = Share::of(&sums(&four.repeat(10)), WIN, Stake::WIN).interval.unwrap();
        assert!((interval.high - 0.5 - 2.022_690_920_037 * (5.0_f64 / 1560.0).sqrt()).abs() < 1e-9);
    }

    /// Never a win in ten sets: Wilson on ten trials (see there), although there were twenty games.
    #[test]
    fn extreme_share_has_wilson_interval() {
        let interval = Share::of(&sums(&[&[0, 0][..]; 10]), WIN, Stake::WIN).interval.unwrap();
        assert!(interval.low.abs() < 1e-15);
        assert!((interval.high - 0.277_532_8).abs() < 1e-7);
    }

    /// One has won 3 of 4 games won by either, 0 of 1, and neither a game of the third set: ratio 3/5, residuals 3 − 12/5 and
    /// 0 − 3/5, SE² = (3/2)(9/25 + 9/25)/25 = 27/625; n_eff = (6/25)/(27/625) = 50/9.
    #[test]
    fn share_of_decided_games_matches_hand_computation() {
        let mut won = SetSums::default();
        for (total, games) in [(3, 4), (0, 1), (0, 0)] {
            won.add(SetTotal { games: WIN * games, total: WIN * total });
        }
        let share = Share::of_games_won(&won, 3, WIN, Stake::WIN);
        assert_close(share.mean.value, 0.6);
        assert_close(share.mean.standard_error, (27.0_f64 / 625.0).sqrt());
        assert_close(share.mean.n_eff(), 50.0 / 9.0);
        assert_eq!((share.mean.sets, share.mean.games), (3, 5));
        assert_eq!(Share::of_games_won(&SetSums::default(), 7, WIN, Stake::WIN).mean.value, None);
    }

    /// The number of simulated runs whose interval misses the true value at some look: with pointwise intervals, and with
    /// anytime intervals.
    fn misses(seats: u64, probability: f64, runs: u32) -> [u32; 2] {
        let mut misses = [0; 2];
        for run in 0..runs {
            let (mut rng, mut sums, mut next) = (Pcg::numbered(run), SetSums::default(), 50);
            let mut has_missed = [false; 2];
            for set in 1..=3000_u64 {
                // The deal changes the probability in all games of a set, so that they are correlated.
                let chance = probability * if rng.chance(0.5) { 1.4 } else { 0.6 };
                let mut total = SetTotal::default();
                (0..seats).for_each(|_| total.add(if rng.chance(chance) { WIN } else { 0 }));
                sums.add(total);
                if set == next {
                    next += next / 20;
                    let share = Share::of_set_sums(&sums, WIN, Stake::WIN);
                    for (missed, coverage) in has_missed.iter_mut().zip([Coverage::Pointwise, Coverage::Anytime]) {
                        let interval = share.interval_of(coverage).unwrap();
                        *missed |= probability < interval.low || interval.high < probability;
                    }
                }
            }
            misses.iter_mut().zip(has_missed).for_each(|(misses, missed)| *misses += u32::from(missed));
        }
        misses
    }

    /// With repeated looks, some pointwise interval misses in far more than 5% of runs; the confidence sequence holds at all
    /// looks together. 15 of 300 runs plus three standard deviations may miss.
    #[test]
    fn confidence_sequence_holds_at_every_look() {
        for (seats, probability) in [(2, 0.5), (4, 0.25), (4, 0.02), (8, 0.4)] {
            let [for_one_look, at_any_time] = misses(seats, probability, 300);
            assert!(for_one_look > 45 && at_any_time <= 26, "{seats} {probability}: {for_one_look} {at_any_time}");
        }
    }

    /// Share 3/4 of comparisons in sets 1, 1/2: SE = 1/4, one standard error above one half: Cauchy, 3/4.
    #[test]
    fn likelihood_of_superiority_matches_hand_computation() {
        let share = Share::of(&sums(&[&[AHEAD, AHEAD], &[AHEAD, 0]]), AHEAD, Stake::WIN);
        assert_close(share.likelihood_of_superiority(), 0.75);
        let always =
            |sets: usize| Share::of(&sums(&vec![&[AHEAD][..]; sets]), AHEAD, Stake::WIN).likelihood_of_superiority();
        assert_eq!(always(9), None);
        // In an even match, at least half of the sets would be unequal; if none of ten is, the probability is 1 / 2^10 for
        // each side.
        assert_close(always(10), 1.0 - 0.5_f64.powi(11));
    }

    /// The error by sets is then that by games.
    #[test]
    fn sets_of_one_game_have_no_design_effect() {
        assert_close(Mean::of(&sums(&[&[1], &[0]]), 1).design_effect, 1.0);
    }

    #[test]
    fn equal_games_have_no_design_effect() {
        for value in [0, WIN] {
            let sums = sums(&[&[value, value][..]; 10]);
            assert_eq!(Mean::of(&sums, WIN).design_effect, None);
            assert_eq!(Share::of_set_sums(&sums.by_sets, WIN, Stake::WIN).mean.design_effect, None);
        }
    }
}
