//! The engine's random numbers for statistics.

use unolab_engine::rng::Rng;
use unolab_stats::random::Random;

/// A stream of the engine.
#[derive(Debug, Clone)]
pub struct Stream(pub Rng);

impl Random for Stream {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.below(bound)
    }

    fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.0.chance(probability)
    }
}
