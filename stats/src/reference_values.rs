//! Quantiles and tail probabilities with their published bits.
//!
//! Published tables are reproduced byte by byte only if the last digit of every quantile is the same. That digit depends on
//! the logarithm, the exponential, and the power function of a build, and so on the C library and on the Cargo features of
//! other crates.

use crate::hypothesis::{Comparison, chi_squared_above};
use crate::interval::{Coverage, student_likelihood_above};
use crate::power::normal_quantile;

/// A value computed by this build, next to its published bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReferenceValue {
    /// The expression, for messages.
    pub name: &'static str,
    /// The value that this build computes.
    pub computed: f64,
    /// The value that published tables were computed with.
    pub published: f64,
}

impl ReferenceValue {
    /// Whether both have the same bits.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.computed.to_bits() == self.published.to_bits()
    }
}

/// Every reference value, as this build computes it.
#[must_use]
pub fn reference_values() -> Vec<ReferenceValue> {
    let reach = |coverage: Coverage, sets| coverage.student_reach(sets).unwrap_or(f64::NAN);
    let above = |errors, sets| student_likelihood_above(errors, sets).unwrap_or(f64::NAN);
    let chi = |value, degrees| chi_squared_above(value, degrees).unwrap_or(f64::NAN);
    let p_different = |difference, sets| {
        Comparison { difference, standard_error: 0.01, sets, unequal: None }.p_different().unwrap_or(f64::NAN)
    };
    [
        ("student quantile, 3 sets", reach(Coverage::Pointwise, 3), 0x4011_35ea_98e1_46bf),
        ("student quantile, 10 sets", reach(Coverage::Pointwise, 10), 0x4002_18e5_dac5_0b20),
        ("student quantile, 30 sets", reach(Coverage::Pointwise, 30), 0x4000_5ca1_5bce_25af),
        ("student quantile, 200 sets", reach(Coverage::Pointwise, 200), 0x3fff_8d22_4e2b_1474),
        ("student quantile, 4,000 sets", reach(Coverage::Pointwise, 4_000), 0x3fff_5e71_698f_20df),
        ("student quantile of 3 intervals, 10 sets", reach(Coverage::Simultaneous(3), 10), 0x4007_7772_9ea1_fd0e),
        ("student quantile of 28 intervals, 50 sets", reach(Coverage::Simultaneous(28), 50), 0x400a_6edc_1776_f2d5),
        ("student quantile of 6 intervals, 4,000 sets", reach(Coverage::Simultaneous(6), 4_000), 0x4005_1dd7_4d8a_575e),
        ("confidence sequence, 30 sets", reach(Coverage::Anytime, 30), 0x401d_43a1_5f7f_40a3),
        ("confidence sequence of 4, 150 sets", reach(Coverage::AnytimeTogether(4), 150), 0x4010_0fd5_60af_884a),
        ("confidence sequence, 4,000 sets", reach(Coverage::Anytime, 4_000), 0x4009_2057_29b4_14b7),
        ("student likelihood above 0.7, 10 sets", above(0.7, 10), 0x3fe7_f95e_5078_405a),
        ("student likelihood above -1.3, 50 sets", above(-1.3, 50), 0x3fb9_8f37_8494_c76c),
        ("student likelihood above 2.4, 4,000 sets", above(2.4, 4_000), 0x3fef_bca8_dd42_b794),
        ("p of 1.6 errors, 30 sets", p_different(0.016, 30), 0x3fbe_d505_1bcf_6e78),
        ("p of -4.1 errors, 3,000 sets", p_different(-0.041, 3_000), 0x3f06_3c73_b804_ce84),
        ("chi-squared above 2.5, 1 degree", chi(2.5, 1.0), 0x3fbd_2507_eeb5_9273),
        ("chi-squared above 14.2, 9 degrees", chi(14.2, 9.0), 0x3fbd_89f9_9e9d_c9b7),
        ("normal quantile of 0.8", normal_quantile(0.8), 0x3fea_ee8f_a73a_1335),
        ("normal quantile of 0.9995", normal_quantile(0.9995), 0x400a_52ff_add2_f906),
    ]
    .map(|(name, computed, bits)| ReferenceValue { name, computed, published: f64::from_bits(bits) })
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Run in the test build; `unolab verify` runs the same comparison in the build that a user has.
    #[test]
    fn reference_values_have_published_bits() {
        let all = reference_values();
        let differing: Vec<String> = all
            .iter()
            .filter(|value| !value.is_exact())
            .map(|value| format!("{}: 0x{:016x}", value.name, value.computed.to_bits()))
            .collect();
        assert_eq!((all.len(), differing.join("\n")), (20, String::new()));
    }

    #[test]
    fn reference_value_with_changed_last_bit_is_inexact() {
        let value = reference_values()[0];
        let published = f64::from_bits(value.published.to_bits() + 1);
        assert!(value.is_exact() && !ReferenceValue { published, ..value }.is_exact());
    }
}
