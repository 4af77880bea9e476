//! The fast path of a table: [`BulkPlay`] plays consecutive turns, or gives consecutive answers between turns.

use std::marker::PhantomData;

use unolab_engine::card::CardSet;
use unolab_engine::chance::Chance;
use unolab_engine::cpu::{Isa, Kernel};
use unolab_engine::fast::{FastTurn, FastTurns};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::rules::FeatureSet;
use unolab_engine::seat::MAX_SEATS;
use unolab_engine::state::{Phase, RoundState};

use super::seats::{Counts, Table};
use super::sink::TableSink;
use crate::in_turn::TurnDecision;
use crate::player::{FastPath, TablePlayer};

/// A table in play, and when to pause.
pub(super) struct BulkPlay<'t, P, A, S, C, F> {
    pub(super) table: Table<'t, A>,
    pub(super) state: &'t mut RoundState,
    pub(super) chance: &'t mut C,
    pub(super) sink: S,
    pub(super) counts: Counts,
    pub(super) pause: &'t F,
    pub(super) features: PhantomData<P>,
}

impl<P, A, S, C, F> Kernel for BulkPlay<'_, P, A, S, C, F>
where
    P: FeatureSet,
    A: TablePlayer,
    S: TableSink,
    C: Chance,
    F: Fn(&RoundState, &Counts) -> bool,
{
    type Output = Counts;

    #[inline(always)]
    fn run<M: Isa>(self) -> Counts {
        if self.state.phase() == Phase::Turn { self.turns::<M>() } else { self.answers::<M>() }
    }
}

impl<P, A, S, C, F> BulkPlay<'_, P, A, S, C, F>
where
    P: FeatureSet,
    A: TablePlayer,
    S: TableSink,
    C: Chance,
    F: Fn(&RoundState, &Counts) -> bool,
{
    /// Consecutive turns, until another decision is pending or an agent has no fast path.
    #[inline(always)]
    fn turns<M: Isa>(self) -> Counts {
        let Self { table: Table { rules, agents, scores }, state, chance, mut sink, mut counts, pause, .. } = self;
        let num_agents = agents.len().min(MAX_SEATS);
        let agents = &mut agents[..num_agents]; // a seat with an agent has a hand: that is not checked again
        let mut turns = FastTurns::<P, _, _>::from(state, rules, chance, &mut sink);
        while let (phase @ (Phase::Turn | Phase::Drawn(_)), Some(seat)) =
            (turns.state().phase(), turns.state().current_seat())
        {
            let is_turn = phase == Phase::Turn;
            let agent = &mut agents[seat.index()];
            let turn = match agent.fast_path() {
                Some(FastPath::Random(player)) if is_turn => turns.play(player),
                Some(FastPath::Greedy(player)) if is_turn => turns.play(player),
                Some(FastPath::Turns(player, decisions)) => {
                    let turn = turns.play_as(|state, _| player.choose_fast(rules, state));
                    *decisions += turn.decisions();
                    turn
                }
                Some(_) => FastTurn::Refused,
                // One decision at a time, because play may pause before the decision about a card just drawn.
                None => turns.play_as(|state, sink| {
                    let (knowledge, possible) = sink.shared_knowledge()?;
                    let possible = possible.as_mut()?;
                    let observation = Observation::of(rules, state, knowledge, scores, seat);
                    possible.settle_begun(&observation);
                    let (plays, drawn) = match phase {
                        Phase::Drawn(card) => (CardSet::of(card), Some(card)),
                        _ => (state.playable_for::<P>(rules, seat), None),
                    };
                    agent.choose_in_turn::<M>(&TurnDecision { observation: &observation, plays, drawn }, possible)
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

    /// Consecutive answers of `greedy`, and of agents that read the shared knowledge.
    #[inline(always)]
    fn answers<M: Isa>(self) -> Counts {
        let Self { table: Table { rules, agents, scores }, state, chance, mut sink, mut counts, pause, .. } = self;
        let num_agents = agents.len().min(MAX_SEATS);
        let agents = &mut agents[..num_agents]; // as for turns
        let mut answers = FastTurns::<P, _, _>::from(state, rules, chance, &mut sink);
        let mut counted = None; // of the only draw four: a new one is played in a turn, which ends this loop
        while let (true, Some(seat)) = (is_answered_fast(answers.state().phase()), answers.state().current_seat()) {
            let agent = &mut agents[seat.index()];
            let answer = answers.answer_as(|state, sink| match agent.fast_path() {
                Some(FastPath::Greedy(greedy)) => {
                    // It does not remember cards that it has been shown.
                    let observation = Observation::of(rules, state, Knowledge::NONE, scores, seat);
                    greedy.choose_answer::<P, M>(state.phase(), &observation, &mut counted)
                }
                Some(_) => None,
                None => {
                    let (knowledge, possible) = sink.shared_knowledge()?;
                    let possible = possible.as_mut()?;
                    let observation = Observation::of(rules, state, knowledge, scores, seat);
                    possible.settle_begun(&observation);
                    agent.choose_answer::<M>(&observation, possible)
                }
            });
            counts.decisions += answer.decisions();
            if answer == FastTurn::Refused || counts.decisions >= MAX_DECISIONS || pause(answers.state(), &counts) {
                break;
            }
        }
        counts
    }
}

/// Whether this is a decision whose answers [`FastTurns::answer_as`] applies.
#[inline(always)]
pub(super) const fn is_answered_fast(phase: Phase) -> bool {
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
