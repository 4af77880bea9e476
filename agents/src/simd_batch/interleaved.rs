//! [`Interleaved`]: many rounds of `random` agents on one thread, which take the same step of a turn one after another.
//!
//! No processor can predict whether a player can play, whether the drawn card is playable, or which card is chosen. Here, this decides
//! which rounds take the next step, instead of a branch.

use std::array;
use std::hint::cold_path;
use std::marker::PhantomData;

use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::cpu::{Isa, Kernel};
use unolab_engine::fast::{BatchRound, DrawResult, FastTurn, FastTurns, MOST_DECISIONS, TurnPolicy};
use unolab_engine::rng::Rng;
use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::rules::{FeatureSet, Rules};
use unolab_engine::seat::MAX_SEATS;
use unolab_engine::state::Phase;

use crate::random::{Random, Uniform};

/// The number of rounds. With fewer, the ends of the loops are mispredicted more often; more do not fit into a cache of 32 KiB.
pub(crate) const ROUNDS: usize = 32;

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
    /// By round: the cards that the player to act can play.
    playable: [CardSet; ROUNDS],
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
            playable: [CardSet::EMPTY; ROUNDS],
            sweeps: 0,
            features: PhantomData,
        }
    }

    /// Adds the round of this number, which is at the beginning of a turn.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: usize) {
        let round = &mut self.rounds[at];
        round.turns = round.turns.wrapping_sub(self.sweeps);
        round.decisions = round.decisions.wrapping_sub(self.sweeps);
        self.playing.insert_if(true, at);
        self.playable[at] = turn::<P>(round, self.rules, &mut ()).playable::<Random>();
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
        let Interleaved { rules, rounds, playing, playable, sweeps, .. } = self.0;
        let (rules, playing) = (*rules, *playing);
        let mut stopped = RoundNumbers::NONE;
        let (mut cards, mut colors) = ([Card::new(0); ROUNDS], [Color::Red; ROUNDS]);
        while stopped == RoundNumbers::NONE {
            *sweeps = sweeps.wrapping_add(1);
            let mut plays = playing.only(RoundNumbers::with_cards(playable));
            for at in playing.without(plays) {
                let round = &mut rounds[at];
                let mut drawn = turn::<P>(round, rules, &mut ()).draw::<Random>();
                if drawn.is_none() {
                    cold_path();
                    drawn = P::Isa::outline_kernel(GeneralDraw::<P> { round, rules, features: PhantomData });
                }
                if let Some(drawn) = drawn {
                    playable[at] = drawn.playable;
                    plays.insert_if(drawn.is_playable, at);
                    round.decisions = round.decisions.wrapping_add(u32::from(drawn.is_playable));
                } else {
                    // This round does not take part in this sweep.
                    round.turns = round.turns.wrapping_sub(1);
                    round.decisions = round.decisions.wrapping_sub(1);
                    stopped.insert_if(true, at);
                }
            }
            // No branch of this loop depends on the chosen card, so the processor overlaps the choices of several rounds.
            let mut plain = RoundNumbers::NONE;
            for at in plays {
                let round = &mut rounds[at];
                let seat = turn::<P>(round, rules, &mut ()).seat();
                let stream = &mut round.streams[seat.index()];
                let mut player = Random::new(Uniform::Cards, stream.clone());
                let card = player.pick::<M>(rules, Cards::EMPTY, playable[at]); // it does not read the hand
                (cards[at], colors[at]) = (card, player.color());
                *stream = player.into_stream();
                plain.insert_if(rules.plain_cards().contains(card), at);
            }
            let mut others = plays.without(plain);
            for at in plays.only(plain) {
                let round = &mut rounds[at];
                if turn::<P>(round, rules, &mut ()).play_plain(cards[at], colors[at]) == FastTurn::OneDecision {
                    playable[at] = turn::<P>(round, rules, &mut ()).playable::<Random>();
                } else {
                    cold_path();
                    others.insert_if(true, at);
                }
            }
            for at in others {
                let (round, card, color) = (&mut rounds[at], cards[at], colors[at]);
                let play = GeneralPlay::<P> { round, rules, card, color, features: PhantomData };
                match P::Isa::outline_kernel(play) {
                    Some(of_next) => playable[at] = of_next,
                    None => stopped.insert_if(true, at),
                }
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

/// The turn of a round, for one step.
#[inline(always)]
fn turn<'a, P: FeatureSet>(
    BatchRound { state, chance, .. }: &'a mut BatchRound,
    rules: &'a Rules,
    no_events: &'a mut (),
) -> FastTurns<'a, P, Rng, ()> {
    FastTurns::from(state, rules, chance, no_events)
}

/// The draw of any card, also the last one of the pile. A separate function, so that the loop of the others has all registers.
struct GeneralDraw<'r, P> {
    round: &'r mut BatchRound,
    rules: &'r Rules,
    features: PhantomData<P>,
}

impl<P: FeatureSet> Kernel for GeneralDraw<'_, P> {
    type Output = Option<DrawResult>;

    #[inline(always)]
    fn run<M: Isa>(self) -> Option<DrawResult> {
        turn::<P>(self.round, self.rules, &mut ()).draw_any::<Random>()
    }
}

/// The play of any card, and all answers to it.
struct GeneralPlay<'r, P> {
    round: &'r mut BatchRound,
    rules: &'r Rules,
    card: Card,
    color: Color,
    features: PhantomData<P>,
}

/// Returns the cards that are playable in the next turn. `None` if there is none, or if a decision comes before it that the fast path
/// does not support.
impl<P: FeatureSet> Kernel for GeneralPlay<'_, P> {
    type Output = Option<CardSet>;

    #[inline(always)]
    fn run<M: Isa>(self) -> Option<CardSet> {
        let Self { round, rules, card, color, .. } = self;
        turn::<P>(round, rules, &mut ()).play_any(card, color);
        while let Some(seat) = round.state.current_seat() {
            if round.state.phase() == Phase::Turn {
                return Some(turn::<P>(round, rules, &mut ()).playable::<Random>());
            }
            let mut player = Random::new(Uniform::Cards, round.streams[seat.index()].clone());
            let answer = turn::<P>(round, rules, &mut ()).answer(&mut player);
            if answer == FastTurn::Refused {
                break;
            }
            round.streams[seat.index()] = player.into_stream();
            round.decisions = round.decisions.wrapping_add(answer.decisions());
        }
        None
    }
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

    #[inline(always)]
    const fn only(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// The rounds with at least one card.
    #[inline(always)]
    fn with_cards(cards: &[CardSet; ROUNDS]) -> Self {
        Self(cards.iter().enumerate().fold(0, |numbers, (number, cards)| numbers | u64::from(cards.any()) << number))
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
