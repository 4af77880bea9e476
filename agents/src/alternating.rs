//! [`Alternating`]: two rounds of `random` agents on one thread, one decision of each in turn.
//!
//! A turn is a chain of steps that wait for one another, and its branches are hard to guess. While the processor waits for
//! one round, it works on the other.

use std::marker::PhantomData;

use unolab_engine::fast::{BatchRound, FastTurn, FastTurns, FeatureSet, Isa, Kernel, MOST_DECISIONS};
use unolab_engine::rules::Rules;
use unolab_engine::state::Phase;

use crate::random::{Random, Uniform};

/// How many rounds go on at once. Three or four are no faster.
pub(crate) const ROUNDS: usize = 2;

/// Decisions by the fast path, of each round in turn, until one of them needs the general code.
#[derive(Debug)]
pub(crate) struct Alternating<'r, P> {
    pub(crate) rules: &'r Rules,
    pub(crate) rounds: &'r mut [BatchRound; ROUNDS],
    /// Which round is the first to go on.
    pub(crate) first: usize,
    pub(crate) features: PhantomData<P>,
}

impl<P: FeatureSet> Alternating<'_, P> {
    /// Lets them go on, in a function of its own: the rounds need the registers for themselves. It is said here and not where
    /// they are compiled for the processor, since the compiler lets `inline(never)` drop beside `target_feature`.
    #[inline(never)]
    pub(crate) fn go_on(self) -> usize {
        P::Isa::outline_kernel(self)
    }
}

impl<P: FeatureSet> Kernel for Alternating<'_, P> {
    /// Which round it is: it is over, is a very long one, or has a decision that the fast path refuses.
    type Output = usize;

    #[inline(always)]
    fn run<M: Isa>(self) -> usize {
        let Self { rules, rounds, first: mut at, .. } = self;
        let mut nobody = ();
        loop {
            let BatchRound { state, chance, streams, turns, decisions } = &mut rounds[at];
            let Some(seat) = state.current_seat() else { return at };
            if *decisions >= MOST_DECISIONS {
                return at;
            }
            let is_turn = state.phase() == Phase::Turn;
            let mut player = Random::new(Uniform::Cards, streams[seat.index()].clone());
            let mut fast = FastTurns::<P, _, _>::from(state, rules, chance, &mut nobody);
            let (done, stream) = if is_turn {
                (fast.play(&mut player), player.into_stream())
            } else {
                P::Isa::outline(move || (fast.answer(&mut player), player.into_stream()))
            };
            if done == FastTurn::Refused {
                return at;
            }
            streams[seat.index()] = stream;
            *turns += u32::from(is_turn);
            *decisions += done.decisions();
            at = (at + 1) % ROUNDS;
        }
    }
}
