//! [`Player`]: an agent at the table, with checked answers.
//!
//! The engine checks actions only in test builds, and would otherwise continue from an impossible state. So every answer of
//! every agent is checked here, in every build. As for programs, an illegal answer loses the game: `greedy` plays the seat
//! from there on, and the game counts as lost.

use std::fmt;

use unolab_engine::action::{Action, Call};
use unolab_engine::card::CardSet;
use unolab_engine::chance::Chance;
use unolab_engine::cpu::Isa;
use unolab_engine::event::VisibleEvent;
use unolab_engine::fast::{FastTurn, FastTurns};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{FeatureSet, Features};
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::{Phase, RoundState};

use crate::agent::PerfectInformationAgent;
use crate::agent::{Agent, EventSubscription, GameResult};
use crate::fault::{Fault, FaultCause};
use crate::first_legal::FirstLegal;
use crate::greedy::Greedy;
use crate::heuristic::Heuristic;
use crate::heuristic::stateless::DrawFourCounts;
use crate::in_turn::TurnDecision;
use crate::mixbot::MixBot;
use crate::possible::PossibleCards;
use crate::random::Random;
use crate::stop;
use crate::table_sink::TableSink;
use crate::turn_player::TurnPlayer;

/// The interface between an agent and a [`Table`](crate::table::Table). An empty `impl` suffices for any agent.
pub trait TablePlayer: Agent {
    /// Whether the agent uses events only for the cards that others can hold. A table keeps these once for all seats
    /// ([`PossibleCards`]), sends the agent no events, and calls [`TablePlayer::choose_by`]. A caller of
    /// [`Agent::choose`] sends the events, because the subscription is [`EventSubscription::Events`], and gets the same
    /// choice.
    fn reads_possible_cards(&self) -> bool {
        false
    }

    /// [`Agent::choose`] with the bounds that the table maintains.
    fn choose_by(&mut self, observation: &Observation<'_>, _possible: &PossibleCards) -> Action {
        self.choose(observation)
    }

    // The following methods are only for agents of this crate, in code that is compiled for them and for the processor. The result is
    // the same as that of `Agent::choose`, but much faster. They are therefore undocumented; `crate::turn_player` opens them to other
    // crates.

    // Whether `play_turn` or `answer` can play without the bounds that a table maintains.
    #[doc(hidden)]
    #[inline(always)]
    fn has_fast_path(&self) -> bool {
        false
    }

    // Plays its turn, or the decision about the card just drawn.
    #[doc(hidden)]
    #[inline(always)]
    fn play_turn<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        _turns: &mut FastTurns<'_, P, C, S>,
        _scores: &BySeat<u32>,
    ) -> FastTurn {
        FastTurn::Refused
    }

    // Answers another decision, if no play is an answer. `counted` remembers counts for the next answers to the same draw four.
    #[doc(hidden)]
    #[inline(always)]
    fn answer<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        _seat: Seat,
        _answers: &mut FastTurns<'_, P, C, S>,
        _scores: &BySeat<u32>,
        _counted: &mut Option<DrawFourCounts>,
    ) -> FastTurn {
        FastTurn::Refused
    }
}

impl TablePlayer for dyn Agent + '_ {}

impl TablePlayer for &mut (dyn Agent + '_) {}

impl TablePlayer for Random {
    #[inline(always)]
    fn has_fast_path(&self) -> bool {
        self.is_uniform_over_cards()
    }

    #[inline(always)]
    fn play_turn<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        turns: &mut FastTurns<'_, P, C, S>,
        _: &BySeat<u32>,
    ) -> FastTurn {
        if self.is_uniform_over_cards() && turns.state().phase() == Phase::Turn {
            turns.play(self)
        } else {
            FastTurn::Refused
        }
    }

    #[inline(always)]
    fn answer<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        _: Seat,
        answers: &mut FastTurns<'_, P, C, S>,
        _: &BySeat<u32>,
        _: &mut Option<DrawFourCounts>,
    ) -> FastTurn {
        if self.is_uniform_over_cards() { answers.answer(self) } else { FastTurn::Refused }
    }
}

impl TablePlayer for Greedy {
    #[inline(always)]
    fn has_fast_path(&self) -> bool {
        true
    }

    #[inline(always)]
    fn play_turn<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        turns: &mut FastTurns<'_, P, C, S>,
        _: &BySeat<u32>,
    ) -> FastTurn {
        if turns.state().phase() == Phase::Turn { turns.play(self) } else { FastTurn::Refused }
    }

    #[inline(always)]
    fn answer<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        seat: Seat,
        answers: &mut FastTurns<'_, P, C, S>,
        scores: &BySeat<u32>,
        counted: &mut Option<DrawFourCounts>,
    ) -> FastTurn {
        let rules = answers.rules();
        answers.answer_as(|state, _| {
            // It does not remember cards that it has been shown.
            let observation = Observation::of(rules, state, Knowledge::NONE, scores, seat);
            self.choose_answer::<P>(state.phase(), &observation, counted)
        })
    }
}

impl<A: TablePlayer + ?Sized> TablePlayer for Box<A> {
    fn reads_possible_cards(&self) -> bool {
        (**self).reads_possible_cards()
    }

    fn choose_by(&mut self, observation: &Observation<'_>, possible: &PossibleCards) -> Action {
        (**self).choose_by(observation, possible)
    }
}

/// An agent in a seat.
pub struct Player {
    agent: AnyAgent,
    seat: Seat,
    /// The number of its answers in this game, without turns of `random` and `greedy` on the fast path.
    decisions: u32,
    /// The stream from which its substitute begins.
    stream: Rng,
    fault: Option<Box<Fault>>,
}

/// The agents that play most games are called directly; the others are boxed.
#[repr(u8)] // read in every turn: a separate byte is faster to read than a packed value
pub(crate) enum AnyAgent {
    Random(Random),
    FirstLegal(FirstLegal),
    Greedy(Greedy),
    Heuristic(Heuristic),
    MixBot(MixBot),
    Turns(TurnPlayer),
    Boxed(Box<dyn Agent>),
    PerfectInformation(Box<dyn PerfectInformationAgent>),
}

/// Calls the same method of the contained agent.
macro_rules! of_each {
    ($player:expr, $agent:ident => $call:expr) => {
        match $player {
            AnyAgent::Random($agent) => $call,
            AnyAgent::FirstLegal($agent) => $call,
            AnyAgent::Greedy($agent) => $call,
            AnyAgent::Heuristic($agent) => $call,
            AnyAgent::MixBot($agent) => $call,
            AnyAgent::Turns($agent) => $call,
            AnyAgent::Boxed($agent) => $call,
            AnyAgent::PerfectInformation($agent) => $call,
        }
    };
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.agent {
            AnyAgent::Random(_) => "Random",
            AnyAgent::FirstLegal(_) => "FirstLegal",
            AnyAgent::Greedy(_) => "Greedy",
            AnyAgent::Heuristic(_) => "Heuristic",
            AnyAgent::MixBot(_) => "MixBot",
            AnyAgent::Turns(_) => "Turns",
            AnyAgent::Boxed(_) => "Boxed",
            AnyAgent::PerfectInformation(_) => "PerfectInformation",
        })
    }
}

impl Player {
    #[inline]
    pub(crate) const fn new(agent: AnyAgent, seat: Seat, stream: Rng) -> Self {
        Self { agent, seat, decisions: 0, stream, fault: None }
    }

    /// A player for any agent in this seat. `stream` is the agent's stream; a substitute would use it from its start.
    #[must_use]
    pub fn of(agent: Box<dyn Agent>, seat: Seat, stream: Rng) -> Self {
        Self::new(AnyAgent::Boxed(agent), seat, stream)
    }

    /// The same for an agent with perfect information.
    #[must_use]
    pub fn of_perfect_information(agent: Box<dyn PerfectInformationAgent>, seat: Seat, stream: Rng) -> Self {
        Self::new(AnyAgent::PerfectInformation(agent), seat, stream)
    }

    /// A player with an agent that wraps this one, in the same seat and with the same information.
    #[must_use]
    pub fn wrapped<A: PerfectInformationAgent + 'static>(self, wrap: impl FnOnce(Self) -> A) -> Self {
        let (seat, stream, sees_everything) = (self.seat, self.stream.clone(), self.sees_everything());
        let agent = Box::new(wrap(self));
        Self::new(
            if sees_everything { AnyAgent::PerfectInformation(agent) } else { AnyAgent::Boxed(agent) },
            seat,
            stream,
        )
    }

    /// Whether the agent receives the result of the game. The fast built-in agents do not.
    #[must_use]
    pub const fn wants_result(&self) -> bool {
        matches!(self.agent, AnyAgent::Boxed(_) | AnyAgent::PerfectInformation(_))
    }

    /// Whether the agent is shown the true state.
    #[must_use]
    pub const fn sees_everything(&self) -> bool {
        matches!(self.agent, AnyAgent::PerfectInformation(_))
    }

    /// The answer, if it is legal; otherwise the game is lost, and the substitute answers.
    #[inline(always)]
    fn checked(
        &mut self,
        observation: &Observation<'_>,
        ask: impl FnOnce(&mut AnyAgent) -> Action,
        is_legal: impl FnOnce(Action) -> bool,
    ) -> Result<Action, &mut AnyAgent> {
        stop::check();
        self.decisions += 1;
        let action = ask(&mut self.agent);
        if is_legal(action) { Ok(action) } else { Err(self.lose(observation, action)) }
    }

    /// After an illegal answer to its own decision.
    #[cold]
    fn answer_of_substitute(&mut self, observation: &Observation<'_>, illegal: Action) -> Action {
        let substitute = self.lose(observation, illegal);
        of_each!(substitute, agent => agent.choose(observation))
    }

    #[cold]
    fn lose(&mut self, observation: &Observation<'_>, action: Action) -> &mut AnyAgent {
        debug_assert!(self.fault.is_none(), "greedy answers legally");
        let rules = observation.rules();
        let what = match action.card() {
            Some(card) if card.index() >= rules.kinds().len() => "a card that is not in the deck".into(),
            _ => format!("`{}` is not legal", rules.write_action(action.into())),
        };
        // If a wrapped agent had an earlier fault, that fault lost the game.
        let fault = self.agent_fault().cloned().unwrap_or(Fault {
            seat: self.seat,
            decision: self.decisions,
            kind: FaultCause::Illegal,
            what,
        });
        self.fault = Some(Box::new(fault));
        self.agent = AnyAgent::Greedy(Greedy::new(self.stream.clone()));
        &mut self.agent
    }

    fn agent_fault(&self) -> Option<&Fault> {
        of_each!(&self.agent, agent => agent.fault())
    }
}

#[deny(clippy::missing_trait_methods)]
impl Agent for Player {
    #[inline]
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let answer = self.checked(
            observation,
            |agent| of_each!(agent, agent => agent.choose(observation)),
            |action| observation.may(action),
        );
        answer.unwrap_or_else(|substitute| of_each!(substitute, agent => agent.choose(observation)))
    }

    fn perfect_information(&mut self) -> Option<&mut dyn PerfectInformationAgent> {
        if self.sees_everything() { Some(self) } else { None }
    }

    // Both answers are always legal here.
    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        self.decisions += 1;
        of_each!(&mut self.agent, agent => agent.call(observation, action))
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let answer = self.checked(
            observation,
            |agent| of_each!(agent, agent => agent.interrupt(observation, options)),
            |action| action == Action::Silent || options.contains(&action),
        );
        answer.unwrap_or_else(|substitute| of_each!(substitute, agent => agent.interrupt(observation, options)))
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        of_each!(&mut self.agent, agent => agent.begin_round(observation));
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        of_each!(&mut self.agent, agent => agent.observe(seen, observation));
    }

    fn subscription(&self) -> EventSubscription {
        of_each!(&self.agent, agent => agent.subscription())
    }

    fn take_note(&mut self) -> Option<String> {
        of_each!(&mut self.agent, agent => agent.take_note())
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_deref().or_else(|| self.agent_fault())
    }

    fn game_over(&mut self, result: &GameResult) {
        of_each!(&mut self.agent, agent => agent.game_over(result));
    }
}

impl PerfectInformationAgent for Player {
    fn choose_with_perfect_information(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action {
        let ask = |agent: &mut AnyAgent| match agent {
            AnyAgent::PerfectInformation(agent) => agent.choose_with_perfect_information(truth, observation),
            other => of_each!(other, agent => agent.choose(observation)),
        };
        let answer = self.checked(observation, ask, |action| observation.may(action));
        answer.unwrap_or_else(|substitute| of_each!(substitute, agent => agent.choose(observation)))
    }
}

impl TablePlayer for Player {
    #[inline]
    fn reads_possible_cards(&self) -> bool {
        match &self.agent {
            AnyAgent::Heuristic(_) => true,
            AnyAgent::MixBot(agent) => agent.counts(),
            _ => false,
        }
    }

    fn choose_by(&mut self, observation: &Observation<'_>, possible: &PossibleCards) -> Action {
        let answer = self.checked(
            observation,
            |agent| match agent {
                AnyAgent::Heuristic(agent) => agent.choose_by(observation, possible),
                AnyAgent::MixBot(agent) => agent.choose_by(observation, agent.counts().then_some(possible)),
                other => of_each!(other, agent => agent.choose(observation)),
            },
            |action| observation.may(action),
        );
        answer.unwrap_or_else(|substitute| of_each!(substitute, agent => agent.choose(observation)))
    }

    #[inline(always)]
    fn has_fast_path(&self) -> bool {
        match &self.agent {
            AnyAgent::Random(agent) => agent.has_fast_path(),
            AnyAgent::Greedy(_) | AnyAgent::Turns(_) => true,
            _ => false,
        }
    }

    #[inline(always)]
    fn play_turn<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        turns: &mut FastTurns<'_, P, C, S>,
        scores: &BySeat<u32>,
    ) -> FastTurn {
        let rules = turns.rules();
        match &mut self.agent {
            AnyAgent::Random(agent) => agent.play_turn(turns, scores),
            AnyAgent::Greedy(agent) => agent.play_turn(turns, scores),
            AnyAgent::Turns(agent) => {
                let turn = turns.play_as(|state, _| agent.choose_fast(rules, state));
                self.decisions += turn.decisions();
                turn
            }
            // One decision at a time, because play may pause before the decision about a card just drawn.
            _ => turns.play_as(|state, sink| {
                let (knowledge, possible) = sink.shared_knowledge()?;
                let (possible, seat) = (possible.as_mut()?, state.current_seat()?);
                let observation = Observation::of(rules, state, knowledge, scores, seat);
                possible.settle_begun(&observation);
                let (plays, drawn) = match state.phase() {
                    Phase::Drawn(card) => (CardSet::of(card), Some(card)),
                    _ => (state.playable_for::<P>(rules, seat), None),
                };
                self.choose_in_turn::<P::Isa>(&TurnDecision { observation: &observation, plays, drawn }, possible)
            }),
        }
    }

    #[inline(always)]
    fn answer<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        seat: Seat,
        answers: &mut FastTurns<'_, P, C, S>,
        scores: &BySeat<u32>,
        counted: &mut Option<DrawFourCounts>,
    ) -> FastTurn {
        let rules = answers.rules();
        match &mut self.agent {
            AnyAgent::Random(agent) => agent.answer(seat, answers, scores, counted),
            AnyAgent::Greedy(agent) => agent.answer(seat, answers, scores, counted),
            AnyAgent::Turns(_) => FastTurn::Refused,
            _ => answers.answer_as(|state, sink| {
                let (knowledge, possible) = sink.shared_knowledge()?;
                let possible = possible.as_mut()?;
                let observation = Observation::of(rules, state, knowledge, scores, seat);
                possible.settle_begun(&observation);
                self.choose_answer::<P::Isa>(&observation, possible)
            }),
        }
    }
}

impl Player {
    /// The choice of an agent that reads the table's bounds, in a turn or about the card just drawn; `None` for others.
    #[inline(always)]
    fn choose_in_turn<M: Isa>(&mut self, turn: &TurnDecision<'_>, possible: &PossibleCards) -> Option<Action> {
        // The decision is counted before the choice: after it, the count would take more instructions.
        let action = match &mut self.agent {
            AnyAgent::Heuristic(agent) => {
                self.decisions += 1;
                agent.choose_in_turn::<M>(turn, possible)
            }
            AnyAgent::MixBot(agent) if agent.counts() => {
                self.decisions += 1;
                agent.choose_in_turn::<M>(turn, possible)
            }
            _ => return None,
        };
        let is_legal = turn.is_usual(action) || turn.observation.may(action);
        Some(if is_legal { action } else { self.answer_of_substitute(turn.observation, action) })
    }

    /// The same at other decisions if no play is an answer; `None` if a play could be one.
    #[inline(always)]
    fn choose_answer<M: Isa>(&mut self, observation: &Observation<'_>, possible: &PossibleCards) -> Option<Action> {
        if observation.rules().features().contains(Features::STACKING) {
            return None;
        }
        let action = match &mut self.agent {
            AnyAgent::Heuristic(agent) => agent.choose_answer::<M>(observation, possible),
            AnyAgent::MixBot(agent) if agent.counts() => agent.choose_by(observation, Some(possible)),
            _ => return None,
        };
        self.decisions += 1;
        let is_legal = is_usual_answer(observation, action) || observation.may(action);
        Some(if is_legal { action } else { self.answer_of_substitute(observation, action) })
    }
}

/// Whether this is one of the usual legal answers of the seat to act: one that is always legal, or a card of
/// protection.
#[inline(always)]
fn is_usual_answer(observation: &Observation<'_>, action: Action) -> bool {
    match (observation.decision(), action) {
        (Decision::Challenge { .. }, Action::Challenge | Action::Accept)
        | (Decision::Lap(_), Action::KeepHand | Action::Rotate)
        | (Decision::NameColor(_), Action::NameColor(_)) => true,
        (Decision::Protect(color), Action::Protect(card)) => {
            (observation.hand().distinct() & observation.rules().of_color(color)).contains(card)
        }
        _ => false,
    }
}
