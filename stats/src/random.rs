//! The source of random numbers, which the caller of a bootstrap or a simulation provides.

/// A stream of random numbers.
pub trait Random {
    /// A uniform integer below `bound`, which is not 0.
    fn below(&mut self, bound: u32) -> u32;

    /// A uniform number from 0, inclusive, to 1, exclusive.
    fn unit(&mut self) -> f64;

    /// True with this probability.
    fn chance(&mut self, probability: f64) -> bool;
}

#[cfg(test)]
pub(crate) mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg32;

    use super::Random;

    /// A stream for the tests of this crate.
    pub(crate) struct Pcg(Pcg32);

    impl Pcg {
        pub(crate) fn numbered(number: u32) -> Self {
            Self(Pcg32::seed_from_u64(u64::from(number)))
        }
    }

    impl Random for Pcg {
        fn below(&mut self, bound: u32) -> u32 {
            self.0.random_range(0..bound)
        }

        fn unit(&mut self) -> f64 {
            self.0.random()
        }

        fn chance(&mut self, probability: f64) -> bool {
            self.unit() < probability
        }
    }
}
