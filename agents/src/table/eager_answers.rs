//! [`EagerAnswers`]: the fast path of a table through the answers of `greedy` to draw fours.

use std::marker::PhantomData;

use unolab_engine::chance::Chance;
use unolab_engine::fast::{FastTurn, FastTurns, FeatureSet, Isa, Kernel};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::rules::Rules;
use unolab_engine::seat::BySeat;
use unolab_engine::state::{Phase, RoundState};

use super::audience::Audience;
use super::counts::Counts;
use crate::greedy::Greedy;
use crate::player::{FastPath, TablePlayer};

/// The answers of `greedy` to one draw four, by a challenge or cards of protection, until another decision is asked for or
/// another agent.
pub(super) struct EagerAnswers<'t, P, A, T, C, F> {
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

impl<P, A, T, C, F> Kernel for EagerAnswers<'_, P, A, T, C, F>
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
        let mut sink = audience.sink_without_agents(rules, scores);
        let mut answers = FastTurns::<P, _, _>::from(state, rules, chance, &mut sink);
        // `greedy` does not remember what it has been shown; and while seats accept, no card is laid.
        let (knowledge, mut counted) = (Knowledge::default(), None);
        while let (Phase::Challenge(_) | Phase::Protect(_), Some(seat)) =
            (answers.state().phase(), answers.state().current_seat())
        {
            let Some(FastPath::Greedy(_)) = agents[seat.index()].fast_path() else { break };
            let answer = answers.answer_as(|state| {
                Greedy::answer_on::<M>(&Observation::of(rules, state, &knowledge, scores, seat), &mut counted)
            });
            if answer == FastTurn::Refused {
                break;
            }
            counts.decisions += answer.decisions();
            if counts.decisions >= MAX_DECISIONS || pause(answers.state(), &counts) {
                break;
            }
        }
        counts
    }
}
