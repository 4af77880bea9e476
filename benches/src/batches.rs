//! Rounds of `random` agents, many at a time.

use std::marker::PhantomData;

use unolab_agents::simd_batch::{Exhausted, RoundBatch, Rounds};
use unolab_agents::table::{Counts, Ending};
use unolab_engine::fast::BatchRound;
use unolab_engine::rng::{Purpose, SetKey};
use unolab_engine::rules::{FeatureSet, Rules, RulesKernel};

use crate::rounds::redeal;
use crate::{SEED, Totals};

/// Consecutive rounds of `random` agents, as a tournament plays them if no other agent takes part.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The number of seats.
    pub seats: usize,
    /// The first round.
    pub first: u64,
    /// The number of rounds.
    pub count: u64,
    /// [`RoundBatch::new`] or [`RoundBatch::without_vectors`].
    pub make: fn(&'a Rules, usize) -> RoundBatch<'a>,
}

impl RulesKernel for Batch<'_> {
    type Output = Totals;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Totals {
        let mut course = Course::<P> { batch: self, totals: Totals::default(), features: PhantomData };
        (self.make)(self.rules, self.seats).play_all::<P>(&mut course);
        course.totals
    }
}

struct Course<'a, P> {
    batch: Batch<'a>,
    totals: Totals,
    features: PhantomData<P>,
}

impl<P: FeatureSet> Rounds for Course<'_, P> {
    #[inline(always)]
    fn begin(&mut self, number: usize, round: &mut BatchRound) -> Result<(), Exhausted> {
        let number = number as u64;
        if number == self.batch.count {
            return Err(Exhausted);
        }
        let Batch { rules, seats, first, .. } = self.batch;
        let set = first + number;
        let cards = redeal::<P>(&mut round.state, rules, seats, set, &mut ());
        let key = SetKey::of(SEED, set);
        round.begin(cards, |seat| key.stream(Purpose::Agent(seat)));
        Ok(())
    }

    #[inline(always)]
    fn finish(&mut self, _number: usize, round: &BatchRound, _ending: Ending) {
        let mut alone = Totals::default();
        alone.add(&round.state, Counts { turns: round.turns, decisions: round.decisions });
        self.totals.rounds += alone.rounds;
        self.totals.turns += alone.turns;
        self.totals.decisions += alone.decisions;
        self.totals.fingerprint ^= alone.fingerprint; // rounds end in any order
    }
}
