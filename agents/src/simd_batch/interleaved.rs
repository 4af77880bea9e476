//! [`Interleaved`]: many rounds of `random` agents on one thread, which take the same step of a turn one after another.
//!
//! No processor can predict whether a player can play, or whether the drawn card is playable. Here, this decides which rounds take
//! the next step, instead of a branch.

use std::array;
use std::marker::PhantomData;

use unolab_engine::card::CardSet;
use unolab_engine::cpu::{Isa, Kernel};
use unolab_engine::fast::{BatchRound, FastTurn, FastTurns, MOST_DECISIONS, NextDecision, TurnPolicy};
use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::rules::{FeatureSet, Rules};
use unolab_engine::seat::MAX_SEATS;
use unolab_engine::state::Phase;

use crate::random::{Random, Uniform};

/// The number of rounds. With fewer, the ends of the loops are mispredicted more often.
pub(crate) const ROUNDS: usize = 64;

/// After this many sweeps, very long rounds are stopped. A sweep takes at most two decisions and an answer of each seat.
const SWEEPS_UNCHECKED: u32 = 64;
const _: () = assert!(SWEEPS_UNCHECKED as usize * (2 + MAX_SEATS) <= (MAX_DECISIONS - MOST_DECISIONS) as usize);

/// Rounds that are played together by the fast path. In each sweep, each of them plays one turn.
#[derive(Debug)]
pub(crate) struct Interleaved<'r, P> {
    rules: &'r Rules,
    pub(crate) rounds: [BatchRound; ROUNDS],
    /// The rounds that take part in the next sweep. Each is at the beginning of a turn.
    playing: RoundNumbers,
    /// The number of sweeps, which is not yet included in the turns and the decisions of the rounds.
    sweeps: u32,
    features: PhantomData<P>,
}

impl<'r, P: FeatureSet> Interleaved<'r, P> {
    #[inline(always)]
    pub(crate) fn new(rules: &'r Rules) -> Self {
        Self {
            rules,
            rounds: array::from_fn(|_| BatchRound::vacant(rules)),
            playing: RoundNumbers::NONE,
            sweeps: 0,
            features: PhantomData,
        }
    }

    /// Adds the round of this number, which is at the beginning of a turn.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: usize) {
        let BatchRound { turns, decisions, .. } = &mut self.rounds[at];
        *turns = turns.wrapping_sub(self.sweeps);
        *decisions = decisions.wrapping_sub(self.sweeps);
        self.playing.insert_if(true, at);
    }

    /// Plays until some rounds cannot continue: they are over, are very long, or have a decision that the fast path does not
    /// support. Removes and returns them. Returns none only if no round was left.
    ///
    /// A separate function, so that the loops have all registers. The attribute is here because the compiler drops
    /// `inline(never)` from functions with `target_feature`.
    #[inline(never)]
    pub(crate) fn play(&mut self) -> RoundNumbers {
        if self.playing == RoundNumbers::NONE {
            return RoundNumbers::NONE;
        }
        let stopped = P::Isa::outline_kernel(Sweeps(self));
        for at in stopped {
            let BatchRound { turns, decisions, .. } = &mut self.rounds[at];
            *turns = turns.wrapping_add(self.sweeps);
            *decisions = decisions.wrapping_add(self.sweeps);
        }
        self.playing = self.playing.without(stopped);
        stopped
    }
}

/// Sweeps until a round stops.
struct Sweeps<'i, 'r, P>(&'i mut Interleaved<'r, P>);

impl<P: FeatureSet> Kernel for Sweeps<'_, '_, P> {
    type Output = RoundNumbers;

    #[inline(always)]
    fn run<M: Isa>(self) -> RoundNumbers {
        let Interleaved { rules, rounds, playing, sweeps, .. } = self.0;
        let (rules, playing) = (*rules, *playing);
        let mut playable = [CardSet::EMPTY; ROUNDS];
        let mut stopped = RoundNumbers::NONE;
        while stopped == RoundNumbers::NONE {
            *sweeps = sweeps.wrapping_add(1);
            let (mut plays, mut at_answers) = (RoundNumbers::NONE, RoundNumbers::NONE);
            for at in playing {
                let BatchRound { state, chance, .. } = &mut rounds[at];
                playable[at] = FastTurns::<P, _, _>::from(state, rules, chance, &mut ()).playable::<Random>();
                plays.insert_if(playable[at].any(), at);
            }
            for at in playing.without(plays) {
                let BatchRound { state, chance, turns, decisions, .. } = &mut rounds[at];
                if let Some(drawn) = FastTurns::<P, _, _>::from(state, rules, chance, &mut ()).draw::<Random>() {
                    playable[at] = drawn;
                    plays.insert_if(drawn.any(), at);
                    *decisions = decisions.wrapping_add(u32::from(drawn.any()));
                } else {
                    // This round does not take part in this sweep.
                    *turns = turns.wrapping_sub(1);
                    *decisions = decisions.wrapping_sub(1);
                    stopped.insert_if(true, at);
                }
            }
            for at in plays {
                let BatchRound { state, chance, streams, .. } = &mut rounds[at];
                let mut no_events = ();
                let mut table = FastTurns::<P, _, _>::from(state, rules, chance, &mut no_events);
                let seat = table.seat();
                let stream = &mut streams[seat.index()];
                let mut player = Random::new(Uniform::Cards, stream.clone());
                let card = player.pick::<M>(rules, table.hand(), playable[at]);
                let color = player.color();
                *stream = player.into_stream();
                match table.play_card(seat, card, color) {
                    NextDecision::Turn => {}
                    NextDecision::Any => at_answers.insert_if(true, at),
                }
            }
            for at in at_answers {
                stopped.insert_if(answer::<P>(&mut rounds[at], rules) == AnswerResult::Stopped, at);
            }
            if sweeps.is_multiple_of(SWEEPS_UNCHECKED) {
                for at in playing {
                    stopped.insert_if(rounds[at].decisions.wrapping_add(*sweeps) >= MOST_DECISIONS, at);
                }
            }
        }
        stopped
    }
}

/// Whether a round is at its next turn after answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerResult {
    AtTurn,
    Stopped,
}

/// Answers until the next turn, or until the fast path cannot continue.
#[inline(always)]
fn answer<P: FeatureSet>(round: &mut BatchRound, rules: &Rules) -> AnswerResult {
    let BatchRound { state, chance, streams, decisions, .. } = round;
    while let Some(seat) = state.current_seat() {
        if state.phase() == Phase::Turn {
            return AnswerResult::AtTurn;
        }
        let stream = &mut streams[seat.index()];
        let player = Random::new(Uniform::Cards, stream.clone());
        let (state, chance) = (&mut *state, &mut *chance);
        let (answer, after) = P::Isa::outline(move || {
            let (mut player, mut no_events) = (player, ());
            let answer = FastTurns::<P, _, _>::from(state, rules, chance, &mut no_events).answer(&mut player);
            (answer, player.into_stream())
        });
        if answer == FastTurn::Refused {
            break;
        }
        *stream = after;
        *decisions = decisions.wrapping_add(answer.decisions());
    }
    AnswerResult::Stopped
}

/// A set of rounds by their numbers, and an iterator over it, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoundNumbers(u64);

impl RoundNumbers {
    pub(crate) const NONE: Self = Self(0);

    #[inline(always)]
    pub(crate) fn insert_if(&mut self, condition: bool, number: usize) {
        self.0 |= u64::from(condition) << number;
    }

    #[inline(always)]
    pub(crate) const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }
}

impl Iterator for RoundNumbers {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let Self(numbers) = self;
        (*numbers != 0).then(|| {
            let first = numbers.trailing_zeros() as usize % ROUNDS; // without the remainder, each use would check it
            *numbers &= *numbers - 1;
            first
        })
    }
}
