//! [`BulkPlay`]: decisions in a row by the fast path. The loop is a separate function, so that it has all registers.

use std::marker::PhantomData;

use unolab_engine::card::CardSet;
use unolab_engine::chance::Chance;
use unolab_engine::cpu::{Isa, Kernel};
use unolab_engine::fast::{FastTurn, FastTurns};
use unolab_engine::observation::Observation;
use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::rules::{FeatureSet, Rules};
use unolab_engine::seat::{BySeat, MAX_SEATS, Seat};
use unolab_engine::state::{EventSink, Phase, RoundState};

use super::counts::Counts;
use super::event_routing::{EventRouting, RoutedEvents};
use super::listener::Listener;
use super::shared_knowledge::SharedKnowledge;
use crate::in_turn::InTurn;
use crate::player::TablePlayer;

/// Decisions in a row, until the fast path supports the next one no longer, or a pause.
pub(super) struct BulkPlay<'t, 'k, P, A, L, C, F, const KEEPS_KNOWLEDGE: bool, const SENDS_EVENTS: bool> {
    pub(super) rules: &'t Rules,
    pub(super) scores: &'t BySeat<u32>,
    pub(super) agents: &'t mut [A],
    pub(super) state: &'t mut RoundState,
    pub(super) chance: &'t mut C,
    pub(super) routing: &'t mut EventRouting<'k, L, KEEPS_KNOWLEDGE, SENDS_EVENTS>,
    pub(super) counts: Counts,
    pub(super) pause: &'t F,
    pub(super) features: PhantomData<P>,
}

impl<P, A, L, C, F, const KEEPS_KNOWLEDGE: bool, const SENDS_EVENTS: bool> Kernel
    for BulkPlay<'_, '_, P, A, L, C, F, KEEPS_KNOWLEDGE, SENDS_EVENTS>
where
    P: FeatureSet,
    A: TablePlayer,
    L: Listener,
    C: Chance,
    F: Fn(&RoundState, &Counts) -> bool,
{
    type Output = Counts;

    #[inline(always)]
    fn run<M: Isa>(self) -> Counts {
        let Self { rules, scores, agents, state, chance, routing, mut counts, pause, .. } = self;
        let num_agents = agents.len().min(MAX_SEATS);
        let agents = &mut agents[..num_agents]; // a seat with an agent has a hand: that is not checked again
        let mut sink = routing.sink_without_subscribers::<A>(rules, scores);
        let mut turns = FastTurns::<P, _, _>::from(state, rules, chance, &mut sink);
        while let (phase, Some(seat)) = (turns.state().phase(), turns.state().current_seat()) {
            let is_turn = phase == Phase::Turn;
            let agent = &mut agents[seat.index()];
            let decided = if !matches!(phase, Phase::Turn | Phase::Drawn(_)) {
                M::outline_kernel(BulkAnswer { rules, scores, seat, agent, turns: turns.reborrow() })
            } else if is_turn && let Some(turn) = agent.play_fast_turn(&mut turns) {
                turn
            } else {
                // One decision after the other: play may pause before the decision about a card just drawn.
                turns.play_as(|state, sink| {
                    let SharedKnowledge { knowledge, possible } = sink.knowledge()?;
                    let possible = possible.as_mut()?;
                    let observation = Observation::of(rules, state, knowledge, scores, seat);
                    possible.settle_begun(&observation);
                    let (plays, drawn) = match phase {
                        Phase::Drawn(card) => (CardSet::of(card), Some(card)),
                        _ => (state.playable_for::<P>(rules, seat), None),
                    };
                    agent.choose_in_turn::<M>(&InTurn { observation: &observation, plays, drawn }, possible)
                })
            };
            if decided == FastTurn::Refused {
                break;
            }
            counts.decisions += decided.decisions();
            counts.turns += u32::from(is_turn);
            if counts.decisions >= MAX_DECISIONS || pause(turns.state(), &counts) {
                break;
            }
        }
        counts
    }
}

/// The answer to a decision other than a turn. A separate function, to leave the registers to turns.
struct BulkAnswer<'t, 's, P, A, C, E, const KEEPS_KNOWLEDGE: bool> {
    rules: &'t Rules,
    scores: &'t BySeat<u32>,
    seat: Seat,
    agent: &'t mut A,
    turns: FastTurns<'t, P, C, RoutedEvents<'s, E, A, KEEPS_KNOWLEDGE, false>>,
}

impl<P, A, C, E, const KEEPS_KNOWLEDGE: bool> Kernel for BulkAnswer<'_, '_, P, A, C, E, KEEPS_KNOWLEDGE>
where
    P: FeatureSet,
    A: TablePlayer,
    C: Chance,
    E: EventSink,
{
    type Output = FastTurn;

    #[inline(always)]
    fn run<M: Isa>(self) -> FastTurn {
        let Self { rules, scores, seat, agent, mut turns } = self;
        if let Some(answer) = agent.play_fast_answer(&mut turns) {
            return answer;
        }
        if !is_answered_fast(turns.state().phase()) {
            return FastTurn::Refused;
        }
        turns.answer_as(|state, sink| {
            let SharedKnowledge { knowledge, possible } = sink.knowledge()?;
            let possible = possible.as_mut()?;
            let observation = Observation::of(rules, state, knowledge, scores, seat);
            possible.settle_begun(&observation);
            agent.choose_answer::<M>(&observation, possible)
        })
    }
}

/// Whether this is a decision whose answers [`FastTurns::answer_as`] applies.
#[inline(always)]
const fn is_answered_fast(phase: Phase) -> bool {
    matches!(
        phase,
        Phase::Challenge(_)
            | Phase::Protect(_)
            | Phase::Target(_)
            | Phase::Discard(_)
            | Phase::Lap(_)
            | Phase::NameColor(_)
    )
}
