//! [`Alternating`]: two rounds of `random` agents on one thread, one decision of each in turn.
//!
//! A turn is a chain of dependent steps, and its branches are hard to predict. While the processor waits for one round, it
//! works on the other.

use std::marker::PhantomData;
use std::mem;

use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::cpu::{Isa, Kernel};
use unolab_engine::fast::{BatchRound, Bluffs, FastTurn, FastTurns, MOST_DECISIONS, TurnPolicy};
use unolab_engine::rules::{FeatureSet, Rules};
use unolab_engine::state::Phase;

use crate::random::{Random, Uniform};

/// The number of rounds played alternately. Three or four are not faster.
pub(crate) const ROUNDS: usize = 2;

/// Plays decisions by the fast path, of each round in turn, until one of them needs the general code.
#[derive(Debug)]
pub(crate) struct Alternating<'r, P> {
    pub(crate) rules: &'r Rules,
    pub(crate) rounds: &'r mut [BatchRound; ROUNDS],
    /// The index of the round that moves first.
    pub(crate) first: usize,
    pub(crate) features: PhantomData<P>,
}

impl<P: FeatureSet> Alternating<'_, P> {
    /// Continues the rounds, in a separate function so that they have all registers. The attribute is here because the
    /// compiler drops `inline(never)` from functions with `target_feature`.
    #[inline(never)]
    pub(crate) fn continue_rounds(self) -> usize {
        P::Isa::outline_kernel(self)
    }
}

impl<P: FeatureSet> Kernel for Alternating<'_, P> {
    /// The round that is over, is very long, or has a decision that the fast path does not support.
    type Output = usize;

    #[inline(always)]
    fn run<M: Isa>(self) -> usize {
        let Self { rules, rounds, first: mut at, .. } = self;
        let [first, second] = rounds.each_mut().map(|round| PreparedRound::new::<P>(round, rules));
        let (mut next, mut other) = if at == 0 { (first, second) } else { (second, first) };
        loop {
            let BatchRound { state, chance, streams, turns, decisions } = &mut *next.round;
            let Some(seat) = state.current_seat() else { return at };
            if *decisions >= MOST_DECISIONS {
                return at;
            }
            let stream = &mut streams[seat.index()];
            let player = Random::new(Uniform::Cards, stream.clone());
            let mut no_events = ();
            if state.phase() == Phase::Turn {
                let mut player = RandomOnly(player);
                let turn = FastTurns::<P, _, _>::from(state, rules, chance, &mut no_events)
                    .play_knowing(next.playable, &mut player);
                if turn == FastTurn::Refused {
                    return at;
                }
                *stream = player.0.into_stream();
                *turns += 1;
                *decisions += turn.decisions();
            } else {
                let (answer, after) = P::Isa::outline(move || {
                    let mut player = player;
                    let answer = FastTurns::<P, _, _>::from(state, rules, chance, &mut no_events).answer(&mut player);
                    (answer, player.into_stream())
                });
                if answer == FastTurn::Refused {
                    return at;
                }
                *stream = after;
                *decisions += answer.decisions();
            }
            next.look_ahead::<P>(rules);
            mem::swap(&mut next, &mut other);
            at = (at + 1) % ROUNDS;
        }
    }
}

/// A round, and the playable cards of its next turn, if that is its next decision.
#[derive(Debug)]
struct PreparedRound<'r> {
    round: &'r mut BatchRound,
    /// Looked up before the turn of the other round.
    playable: CardSet,
}

impl<'r> PreparedRound<'r> {
    #[inline(always)]
    fn new<P: FeatureSet>(round: &'r mut BatchRound, rules: &Rules) -> Self {
        let mut ahead = Self { round, playable: CardSet::EMPTY };
        ahead.look_ahead::<P>(rules);
        ahead
    }

    #[inline(always)]
    fn look_ahead<P: FeatureSet>(&mut self, rules: &Rules) {
        let BatchRound { state, chance, .. } = &mut *self.round;
        self.playable = FastTurns::<P, _, _>::from(state, rules, chance, &mut ()).playable::<RandomOnly>();
    }
}

/// `random` at a table where every seat is `random`. It looks up the color together with the card, so the branch
/// predictor never mispredicts a wild. At a table, other agents in the loop would make this cost more instructions than
/// it saves.
struct RandomOnly(Random);

impl TurnPolicy for RandomOnly {
    const BLUFFS: Bluffs = Random::BLUFFS;

    #[inline(always)]
    fn pick<M: Isa>(&mut self, rules: &Rules, hand: Cards, playable: CardSet) -> Card {
        self.0.pick::<M>(rules, hand, playable)
    }

    #[inline(always)]
    fn name(&mut self, rules: &Rules, rest: Cards) -> Color {
        self.0.name(rules, rest)
    }

    #[inline(always)]
    fn chosen_color(&self) -> Option<Color> {
        Some(self.0.color())
    }
}
