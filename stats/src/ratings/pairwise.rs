//! Ratings from the table of pairs. They reflect cycles, which a single strength cannot represent.
//!
//! D. Balduzzi, K. Tuyls, J. Pérolat, T. Graepel, "Re-evaluating Evaluation" (NeurIPS 2018); S. Omidshafiei and others,
//! "α-Rank: Multi-Agent Evaluation by Evolution" (Scientific Reports 9, 2019; arXiv 1903.01373).

use super::matches::{Totals, pairs};
use crate::linear::solve;

/// A table of all pairs of entrants.
#[derive(Debug, Clone, PartialEq)]
pub struct PairTable(Vec<Vec<f64>>);

impl PairTable {
    /// The log-odds (natural) of `row` against `column`, in games that one of the two wins. `None` if some pair never met.
    ///
    /// Half a win is added to each side, so that they are finite (Haldane 1956).
    #[must_use]
    pub fn log_odds(totals: &Totals) -> Option<Self> {
        let num_entrants = totals.wins.len();
        let mut table = vec![vec![0.0; num_entrants]; num_entrants];
        for ((a, b), (&[of_a, of_b], &meetings)) in pairs(num_entrants).zip(totals.won.iter().zip(&totals.meetings)) {
            if meetings <= 0.0 {
                return None;
            }
            let odds = ((of_a + 0.5) / (of_b + 0.5)).ln();
            (table[a][b], table[b][a]) = (odds, -odds);
        }
        Some(Self(table))
    }

    fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.0.iter().map(|row| dot(row, vector)).collect()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn largest(&self) -> f64 {
        self.0.iter().flatten().fold(0.0, |largest, entry| entry.abs().max(largest))
    }

    /// The part of the table that strengths do not explain: with the row means r, the sum of squares of the log-odds minus
    /// r_i − r_j, divided by the sum of squares of the log-odds (Balduzzi 2018, section 2: the cyclic part of the Hodge
    /// decomposition). 0 without cycles, 1 with only cycles; `None` if all pairs are even.
    #[must_use]
    pub fn intransitive_share(&self) -> Option<f64> {
        let means: Vec<f64> = self.0.iter().map(|row| row.iter().sum::<f64>() / self.len() as f64).collect();
        let (mut cyclic, mut all) = (0.0, 0.0);
        for (row, mean) in self.0.iter().zip(&means) {
            for (odds, other) in row.iter().zip(&means) {
                cyclic += (odds - (mean - other)).powi(2);
                all += odds * odds;
            }
        }
        (all > 0.0).then(|| cyclic / all)
    }

    /// The maximum-entropy Nash equilibrium of the game in which two players choose entrants and the log-odds are paid.
    ///
    /// It is the limit for temperatures t → 0 of the entropy-regularized equilibrium, p ∝ exp(A p / t), which is unique and
    /// depends smoothly on t: Newton's method follows this path.
    #[must_use]
    pub fn maxent_nash(&self) -> Vec<f64> {
        const LOWEST_TEMPERATURE: f64 = 1e-8;
        const COOLING: f64 = 0.5;
        if let Some(best) = self.beats_everyone() {
            let part = |entrant| if entrant == best { 1.0 } else { 0.0 };
            return (0..self.len()).map(part).collect();
        }
        let scale = self.largest();
        let mut logits = vec![0.0; self.len()];
        if scale > 0.0 {
            let mut temperature = 1.0;
            while temperature > LOWEST_TEMPERATURE {
                temperature *= COOLING;
                // Along the path the logits are approximately proportional to 1/t.
                self.equilibrate(&mut logits, temperature * scale);
            }
        }
        softmax(&logits)
    }

    /// The entrant that is ahead of every other, if there is one; it alone is then the equilibrium.
    fn beats_everyone(&self) -> Option<usize> {
        let beats_others =
            |&entrant: &usize| (0..self.len()).all(|other| other == entrant || self.0[entrant][other] > 0.0);
        (0..self.len()).find(beats_others)
    }

    /// Newton's method for logits = A softmax(logits) / temperature.
    fn equilibrate(&self, logits: &mut [f64], temperature: f64) {
        const MOST_STEPS: usize = 100;
        let residual = |logits: &[f64]| -> Vec<f64> {
            self.times(&softmax(logits)).iter().zip(logits).map(|(gain, logit)| logit - gain / temperature).collect()
        };
        let norm = |vector: &[f64]| vector.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        for _ in 0..MOST_STEPS {
            let rest = residual(logits);
            if norm(&rest) < 1e-9 * norm(logits).max(1.0) {
                return;
            }
            let Some(step) = solve(self.jacobian(&softmax(logits), temperature), rest.clone()) else { return };
            let mut length = 1.0;
            let stepped = |length: f64| -> Vec<f64> {
                logits.iter().zip(&step).map(|(logit, step)| logit - length * step).collect()
            };
            while length > 1e-6 && norm(&residual(&stepped(length))) > norm(&rest) {
                length *= 0.5;
            }
            let new = stepped(length);
            logits.copy_from_slice(&new);
        }
    }

    /// I − A (diag p − p pᵀ) / temperature.
    fn jacobian(&self, p: &[f64], temperature: f64) -> Vec<Vec<f64>> {
        let gains = self.times(p);
        let entry = |row: usize, column: usize| {
            let diagonal = if row == column { 1.0 } else { 0.0 };
            diagonal - p[column] * (self.0[row][column] - gains[row]) / temperature
        };
        (0..self.len()).map(|row| (0..self.len()).map(|column| entry(row, column)).collect()).collect()
    }

    /// Nash averaging: the mean payoff of each entrant against the maximum-entropy equilibrium, which is at most 0.
    #[must_use]
    pub fn nash_average(&self, nash: &[f64]) -> Vec<f64> {
        self.times(nash)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn softmax(logits: &[f64]) -> Vec<f64> {
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logits.iter().map(|logit| (logit - largest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// α-Rank: the share of time that a population spends with each entrant, if rare mutants spread according to their payoff.
/// `None` if some pair never met.
///
/// The payoff of an entrant against another is its share of the games that either has won. With ranking intensity α = 100 and populations of
/// m = 50, the values of the authors' own code in `OpenSpiel`.
#[must_use]
pub fn alpha_rank(totals: &Totals) -> Option<Vec<f64>> {
    const INTENSITY: f64 = 100.0;
    const POPULATION: f64 = 50.0;
    let num_entrants = totals.wins.len();
    let mut log_rates = vec![vec![f64::NEG_INFINITY; num_entrants]; num_entrants];
    for (resident, row) in log_rates.iter_mut().enumerate() {
        for (mutant, rate) in row.iter_mut().enumerate().filter(|&(mutant, _)| mutant != resident) {
            let advantage = 2.0 * totals.share(mutant, resident)? - 1.0;
            *rate = log_fixation(INTENSITY * advantage, POPULATION);
        }
    }
    Some(stationary(log_rates))
}

/// The log-probability that a single mutant with this advantage x takes over a population of m: (1 − e^−x) / (1 − e^−mx), or
/// 1/m without advantage.
///
/// Against a much stronger resident the probability underflows, so only its logarithm is computed.
fn log_fixation(advantage: f64, population: f64) -> f64 {
    if advantage == 0.0 {
        return -population.ln();
    }
    let log_one_minus_exp = |x: f64| (-(-x.abs()).exp_m1()).ln();
    let ratio = log_one_minus_exp(advantage) - log_one_minus_exp(population * advantage);
    // For a disadvantage both sides of the fraction are multiplied by their exponentials: (e^|x| − 1) / (e^m|x| − 1).
    if advantage > 0.0 { ratio } else { ratio - (population - 1.0) * advantage.abs() }
}

/// The stationary distribution of a Markov chain with these logarithms of rates; rates from a state to itself are ignored.
///
/// W. K. Grassmann, M. I. Taksar, D. P. Heyman, "Regenerative analysis and steady state distributions for Markov chains"
/// (1985): without subtraction, so it is accurate to the last digits, and in logarithms, so that no rate underflows.
fn stationary(mut log_rates: Vec<Vec<f64>>) -> Vec<f64> {
    let len = log_rates.len();
    for last in (1..len).rev() {
        let out = log_sum_exp(log_rates[last][..last].iter().copied());
        for from in 0..last {
            log_rates[from][last] -= out;
            for to in (0..last).filter(|&to| to != from) {
                let around = log_rates[from][last] + log_rates[last][to];
                log_rates[from][to] = log_sum_exp([log_rates[from][to], around]);
            }
        }
    }
    let mut log_weights = vec![0.0; len];
    for state in 1..len {
        log_weights[state] = log_sum_exp((0..state).map(|from| log_weights[from] + log_rates[from][state]));
    }
    softmax(&log_weights)
}

/// The logarithm of the sum of the exponentials.
fn log_sum_exp(logs: impl IntoIterator<Item = f64, IntoIter: Clone>) -> f64 {
    let logs = logs.into_iter();
    let largest = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    largest + logs.map(|log| (log - largest).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Totals of a million comparisons per pair, with these shares in the order of pairs.
    fn shares(num_entrants: usize, shares: &[f64]) -> Totals {
        Totals {
            sets: vec![1.0],
            wins: vec![1.0; num_entrants],
            wins_by_place: vec![],
            won: shares.iter().map(|share| [share * 1e12, (1.0 - share) * 1e12]).collect(),
            meetings: vec![1e12; shares.len()],
        }
    }

    fn nash(totals: &Totals) -> Vec<f64> {
        PairTable::log_odds(totals).unwrap().maxent_nash()
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5);
        assert!(near && found.len() == expected.len(), "found {found:?}, expected {expected:?}");
    }

    /// Rock, paper, scissors: paper beats rock, scissors beat paper, and rock beats scissors, with equal probability.
    const CYCLE: [f64; 3] = [0.2, 0.8, 0.2];

    #[test]
    fn cycle_is_fully_intransitive() {
        let totals = shares(3, &CYCLE);
        let table = PairTable::log_odds(&totals).unwrap();
        assert!((table.intransitive_share().unwrap() - 1.0).abs() < 1e-12);
        assert_close(&table.maxent_nash(), &[1.0 / 3.0; 3]);
        assert_close(&table.nash_average(&table.maxent_nash()), &[0.0; 3]);
        assert_close(&alpha_rank(&totals).unwrap(), &[1.0 / 3.0; 3]);
    }

    /// Odds given by strengths 4 : 2 : 1.
    #[test]
    fn transitive_strengths_have_strongest_as_equilibrium() {
        let totals = shares(3, &[2.0 / 3.0, 4.0 / 5.0, 2.0 / 3.0]);
        let table = PairTable::log_odds(&totals).unwrap();
        assert!(table.intransitive_share().unwrap() < 1e-12);
        let nash = table.maxent_nash();
        assert_close(&nash, &[1.0, 0.0, 0.0]);
        assert_close(&table.nash_average(&nash), &[0.0, -(2.0_f64.ln()), -(4.0_f64.ln())]);
        let rank = alpha_rank(&totals).unwrap();
        assert_close(&rank, &[1.0, 0.0, 0.0]);
    }

    /// The third property of Balduzzi 2018: a copy of an entrant does not affect the others; by maximum entropy the two
    /// copies share its probability.
    #[test]
    fn copies_share_weight_without_changing_others() {
        // Rock, paper, scissors, and another rock: pairs 01 02 03 12 13 23.
        let totals = shares(4, &[0.2, 0.8, 0.5, 0.2, 0.8, 0.2]);
        let table = PairTable::log_odds(&totals).unwrap();
        let nash = table.maxent_nash();
        assert_close(&nash, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0]);
        assert_close(&table.nash_average(&nash), &[0.0; 4]);
    }

    /// A cycle of log-odds a (rock over paper), b (paper over scissors), c (scissors over rock) has the equilibrium b : c :
    /// a: each entrant is weighted by the log-odds between the other two. A fourth entrant that all beat has the weight 0.
    #[test]
    fn uneven_cycle_with_bystander_matches_hand_computation() {
        let share = |odds: f64| 1.0 / (1.0 + (-odds).exp());
        let (a, b, c) = (1.0, 2.0, 0.5);
        let totals = shares(4, &[share(a), share(-c), share(1.5), share(b), share(0.9), share(2.0)]);
        assert_close(&nash(&totals), &[b / 3.5, c / 3.5, a / 3.5, 0.0]);
    }

    #[test]
    fn equal_entrants_have_no_ranking() {
        let totals = shares(3, &[0.5; 3]);
        let table = PairTable::log_odds(&totals).unwrap();
        assert_eq!(table.intransitive_share(), None);
        assert_close(&table.maxent_nash(), &[1.0 / 3.0; 3]);
        assert_close(&alpha_rank(&totals).unwrap(), &[1.0 / 3.0; 3]);
    }

    #[test]
    fn table_with_unmet_pairs_is_undefined() {
        let totals = Totals { meetings: vec![1.0, 0.0, 1.0], ..shares(3, &[0.0; 3]) };
        assert_eq!((PairTable::log_odds(&totals), alpha_rank(&totals)), (None, None));
    }

    /// Two states with rates p and q: q : p.
    #[test]
    fn two_state_chain_matches_hand_computation() {
        let none = f64::NEG_INFINITY;
        assert_close(&stationary(vec![vec![none, 0.3_f64.ln()], vec![0.1_f64.ln(), none]]), &[0.25, 0.75]);
    }

    /// Eight entrants in strict order, each far stronger than the next: rates of e^-4900 between neighbors.
    #[test]
    fn tiny_rates_are_accepted() {
        let totals = shares(8, &[0.995; 28]);
        let rank = alpha_rank(&totals).unwrap();
        assert_close(&rank, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert!(rank.iter().all(|weight| weight.is_finite()), "{rank:?}");
    }

    /// By the definition, computed directly without underflow.
    #[test]
    fn takeover_probabilities_match_definition() {
        for advantage in [-3.0, -0.1, -1e-6, 1e-6, 0.1, 3.0_f64] {
            let direct = (1.0 - (-advantage).exp()) / (1.0 - (-50.0 * advantage).exp());
            let found = log_fixation(advantage, 50.0).exp();
            assert!((found / direct - 1.0).abs() < 1e-8, "{advantage}: {found} and {direct}");
        }
        assert!((log_fixation(0.0, 50.0).exp() - 0.02).abs() < 1e-15);
    }

    /// Also by ten of a trillion games, where others lose nearly all.
    #[test]
    fn dominant_entrant_is_whole_equilibrium() {
        assert_eq!(nash(&shares(3, &[0.5 - 1e-11, 0.99, 0.99])), [0.0, 1.0, 0.0]);
    }

    /// The same cycle with payoffs divided by ten and by a thousand: the equilibrium does not depend on the scale of payoffs.
    #[test]
    fn equilibrium_is_invariant_to_payoff_units() {
        for unit in [0.1, 0.001] {
            let share = |odds: f64| 1.0 / (1.0 + (-odds * unit).exp());
            let totals = shares(3, &[share(1.0), share(-0.5), share(2.0)]);
            assert_close(&nash(&totals), &[2.0 / 3.5, 0.5 / 3.5, 1.0 / 3.5]);
        }
    }

    /// Half a win is added to either side.
    #[test]
    fn pair_that_met_once_has_odds() {
        let totals = Totals { won: vec![[1.0, 0.0]], meetings: vec![1.0], ..shares(2, &[0.5]) };
        assert_close(&PairTable::log_odds(&totals).unwrap().0.concat(), &[0.0, 3.0_f64.ln(), -(3.0_f64.ln()), 0.0]);
    }

    /// By the trees that lead to a state (Kirchhoff): 3·1 + 1·1 + 2·3 to the first, 1·2 + 2·2 + 1·1, 2·1 + 1·1 + 3·2.
    #[test]
    fn three_state_chain_matches_hand_computation() {
        let rates = [[0.0_f64, 1.0, 2.0], [3.0, 0.0, 1.0], [1.0, 2.0, 0.0]];
        let logs = rates.map(|row| row.map(f64::ln).to_vec()).to_vec();
        assert_close(&stationary(logs), &[10.0 / 26.0, 7.0 / 26.0, 9.0 / 26.0]);
    }
}
