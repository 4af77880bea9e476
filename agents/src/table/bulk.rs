//! The fast path of a table: [`BulkPlay`] plays consecutive turns, or gives consecutive answers between turns.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use unolab_engine::chance::Chance;
use unolab_engine::cpu::{Isa, Kernel};
use unolab_engine::fast::{FastTurn, FastTurns};
use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::rules::FeatureSet;
use unolab_engine::seat::MAX_SEATS;
use unolab_engine::state::{Phase, RoundState};

use super::seats::{Counts, Table};
use crate::player::TablePlayer;
use crate::table_sink::TableSink;

/// A table in play, and when to pause.
pub(super) struct BulkPlay<'t, P, A, S, C, F> {
    pub(super) table: Table<'t, A, C>,
    pub(super) sink: S,
    pub(super) counts: Counts,
    pub(super) pause: &'t F,
    pub(super) features: PhantomData<P>,
}

/// Plays until an agent has no fast path for a decision, or to a pause.
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
    fn run<M: Isa>(mut self) -> Counts {
        loop {
            let next = match self.table.state.phase() {
                Phase::Turn | Phase::Drawn(_) => self.play_turns(),
                phase if is_answered_fast(phase) => M::outline_kernel(&mut self),
                _ => ControlFlow::Break(()),
            };
            if next.is_break() {
                return self.counts;
            }
        }
    }
}

/// Gives consecutive answers: a separate function, so that the loop of turns has all registers.
impl<P, A, S, C, F> Kernel for &mut BulkPlay<'_, P, A, S, C, F>
where
    P: FeatureSet,
    A: TablePlayer,
    S: TableSink,
    C: Chance,
    F: Fn(&RoundState, &Counts) -> bool,
{
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<M: Isa>(self) -> ControlFlow<()> {
        let BulkPlay { table, sink, counts, pause, .. } = self;
        let Table { rules, agents, scores, state, chance } = table.reborrow();
        let mut sink = sink.reborrow();
        let num_agents = agents.len().min(MAX_SEATS);
        let agents = &mut agents[..num_agents]; // a seat with an agent has a hand: that is not checked again
        let mut answers = FastTurns::<P, _, _>::from(state, rules, chance, &mut sink);
        let mut counted = None; // of the only draw four: a new one is played in a turn, which ends this loop
        while let (true, Some(seat)) = (is_answered_fast(answers.state().phase()), answers.state().current_seat()) {
            let answer = agents[seat.index()].answer(seat, &mut answers, scores, &mut counted);
            counts.decisions += answer.decisions();
            if answer == FastTurn::Refused || counts.decisions >= MAX_DECISIONS || pause(answers.state(), counts) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
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
    /// Plays consecutive turns.
    #[inline(always)]
    fn play_turns(&mut self) -> ControlFlow<()> {
        let Self { table, sink, counts, pause, .. } = self;
        let Table { rules, agents, scores, state, chance } = table.reborrow();
        let mut sink = sink.reborrow();
        let num_agents = agents.len().min(MAX_SEATS);
        let agents = &mut agents[..num_agents]; // as for answers
        let mut turns = FastTurns::<P, _, _>::from(state, rules, chance, &mut sink);
        while let (phase @ (Phase::Turn | Phase::Drawn(_)), Some(seat)) =
            (turns.state().phase(), turns.state().current_seat())
        {
            let turn = agents[seat.index()].play_turn(&mut turns, scores);
            if turn == FastTurn::Refused {
                return ControlFlow::Break(());
            }
            counts.decisions += turn.decisions();
            counts.turns += u32::from(phase == Phase::Turn);
            if counts.decisions >= MAX_DECISIONS || pause(turns.state(), counts) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
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
