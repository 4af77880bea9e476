//! The learning target of each choice: the outcome of the round, mixed with the net's own estimates of the choices that follow.

/// The targets of a seat's choices in one round, in their order: λ-returns (Sutton, 1988).
///
/// The target of a choice is λ times the target of the next choice plus 1 − λ times the estimate of the next choice; the
/// target of the last choice is the outcome. An estimate has less variance than an outcome, which depends on later luck.
/// Estimates are of the choices that were made, not of the best ones, so the net does not confirm its own errors. With λ = 1,
/// or without estimates, every target is the outcome. Each target before the last is multiplied by the discount once more, so
/// of two equally likely ways to win the shorter one has the higher value.
pub(super) fn lambda_returns(outcome: f32, estimates: &[Option<f32>], lambda: f32, discount: f32) -> Vec<f32> {
    let mut targets = vec![outcome; estimates.len()];
    for (choice, estimate) in estimates.iter().enumerate().skip(1).rev() {
        let later = targets[choice];
        targets[choice - 1] = discount * estimate.map_or(later, |estimate| lambda * later + (1.0 - lambda) * estimate);
    }
    targets
}

/// The targets from only the outcome.
pub(super) fn returns(outcome: f32, choices: usize, discount: f32) -> Vec<f32> {
    lambda_returns(outcome, &vec![None; choices], 1.0, discount)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ESTIMATES: [Option<f32>; 3] = [Some(0.25), Some(0.5), Some(0.75)];

    #[test]
    fn target_with_lambda_one_is_outcome() {
        assert_eq!(lambda_returns(1.0, &ESTIMATES, 1.0, 1.0), [1.0; 3]);
        assert_eq!(lambda_returns(0.0, &[None; 3], 0.5, 1.0), [0.0; 3]);
        assert!(lambda_returns(1.0, &[], 0.5, 1.0).is_empty());
    }

    #[test]
    fn target_with_lambda_zero_is_next_estimate() {
        assert_eq!(lambda_returns(1.0, &ESTIMATES, 0.0, 1.0), [0.5, 0.75, 1.0]);
    }

    #[test]
    fn target_with_lambda_between_is_mixture() {
        // The second: half of 0, half of 0.75. The first: half of that, half of 0.5.
        assert_eq!(lambda_returns(0.0, &ESTIMATES, 0.5, 1.0), [0.4375, 0.375, 0.0]);
    }

    #[test]
    fn later_outcome_is_discounted() {
        assert_eq!(returns(1.0, 3, 0.5), [0.25, 0.5, 1.0]);
        assert_eq!(lambda_returns(1.0, &ESTIMATES, 0.0, 0.5), [0.25, 0.375, 1.0]);
    }
}
