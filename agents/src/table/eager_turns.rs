//! [`EagerTurns`]: the fast path of a table through turns in a row.

use std::marker::PhantomData;

use unolab_engine::card::CardSet;
use unolab_engine::chance::Chance;
use unolab_engine::fast::{FastTurn, FastTurns, FeatureSet, Isa, Kernel};
use unolab_engine::observation::Observation;
use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, MAX_SEATS};
use unolab_engine::state::{Phase, RoundState};

use super::audience::{Audience, WithBook as _};
use super::book::Book;
use super::counts::Counts;
use crate::in_turn::InTurn;
use crate::player::{FastPath, TablePlayer};

/// Turns in a row, until another decision is asked for or an agent has no fast path. In a function of its own it has the
/// registers to itself.
pub(super) struct EagerTurns<'t, P, A, T, C, F> {
    pub(super) rules: &'t Rules,
    pub(super) scores: &'t BySeat<u32>,
    pub(super) agents: &'t mut [A],
    pub(super) state: &'t mut RoundState,
    pub(super) chance: &'t mut C,
    pub(super) audience: &'t mut T,
    pub(super) counts: Counts,
    pub(super) pause: &'t F,
    pub(super) features: PhantomData<P>,
}

impl<P, A, T, C, F> Kernel for EagerTurns<'_, P, A, T, C, F>
where
    P: FeatureSet,
    A: TablePlayer,
    T: Audience,
    C: Chance,
    F: Fn(&RoundState, &Counts) -> bool,
{
    type Output = Counts;

    #[inline(always)]
    fn run<M: Isa>(self) -> Counts {
        let Self { rules, scores, agents, state, chance, audience, mut counts, pause, .. } = self;
        let num_agents = agents.len().min(MAX_SEATS);
        let agents = &mut agents[..num_agents]; // a seat with an agent has a hand: that is not checked again
        let mut sink = audience.sink_without_agents(rules, scores);
        let mut turns = FastTurns::<P, _, _>::from(state, rules, chance, &mut sink);
        while let (phase @ (Phase::Turn | Phase::Drawn(_)), Some(seat)) =
            (turns.state().phase(), turns.state().current_seat())
        {
            let is_turn = phase == Phase::Turn;
            let agent = &mut agents[seat.index()];
            let turn = match agent.fast_path() {
                Some(FastPath::Random(player)) if is_turn => turns.play(player),
                Some(FastPath::Greedy(player)) if is_turn => turns.play(player),
                Some(_) => FastTurn::Refused,
                // One decision after the other: play may pause before what becomes of a card just drawn.
                None => turns.play_as(|state, sink| {
                    let Book { knowledge, possible } = sink.book()?;
                    let possible = possible.as_mut()?;
                    let observation = Observation::of(rules, state, knowledge, scores, seat);
                    possible.settle_begun(&observation);
                    let (plays, drawn) = match phase {
                        Phase::Drawn(card) => (CardSet::of(card), Some(card)),
                        _ => (state.playable_for::<P>(rules, seat), None),
                    };
                    agent.choose_in_turn::<M>(&InTurn { observation: &observation, plays, drawn }, possible)
                }),
            };
            if turn == FastTurn::Refused {
                break;
            }
            counts.decisions += turn.decisions();
            counts.turns += u32::from(is_turn);
            if counts.decisions >= MAX_DECISIONS || pause(turns.state(), &counts) {
                break;
            }
        }
        counts
    }
}
