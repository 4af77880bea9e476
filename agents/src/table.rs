//! Agents at a table: a round or a match is played by asking whoever has to decide.

use unolab_engine::action::{Action, Call};
use unolab_engine::chance::Chance;
use unolab_engine::event::{Event, Events};
use unolab_engine::fast::Isa;
use unolab_engine::fast::{FastTurn, FastTurns, FeatureSet};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
pub use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::round::{DecisionKind, DecisionOrder, Move};
use unolab_engine::rules::{Features, Rules};
use unolab_engine::seat::{MAX_SEATS, Seat, SeatSet};
use unolab_engine::state::{Phase, RoundState};

use crate::agent::{Agent, Memory};
use crate::player::{FastPath, TablePlayer};

/// What was counted while a round was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Turns of all seats: a turn begins with a `turn` decision; a missed one is none.
    pub turns: u32,
    /// Decisions of all seats, forced ones too.
    pub decisions: u32,
}

/// How the play of a round came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Finished,
    /// By our limit, [`MAX_DECISIONS`].
    Truncated,
}

/// One table: the rules, and who sits in each seat.
#[derive(Debug)]
pub struct Table<'a, A> {
    /// The rules in force.
    pub rules: &'a Rules,
    /// The agent in each seat, by its number.
    pub agents: &'a mut [A],
    /// The match scores by seat, before the round.
    pub scores: &'a [u32; MAX_SEATS],
}

impl<A: TablePlayer> Table<'_, A> {
    /// Plays a round from this state to its end. `listener` is told every event.
    #[inline(always)]
    pub fn play_round<P: FeatureSet>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        listener: &mut impl Events,
    ) -> (Counts, Ending) {
        let mut counts = Counts::default();
        let ending = self.play_until::<P>(state, chance, listener, &mut counts, |_, _| false);
        (counts, ending.unwrap_or(Ending::Truncated))
    }

    /// Plays on from this state, at least one decision, until `pause` says so or to the end; gives how it ended, if it
    /// did. What is counted is added to `counts`.
    ///
    /// Agents that need to be told more than [`Memory::Nothing`] are told nothing of what was before.
    #[inline(always)]
    pub fn play_until<P: FeatureSet>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        listener: &mut impl Events,
        counts: &mut Counts,
        pause: impl Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        let memory = self.agents.iter().map(Agent::memory).max().unwrap_or(Memory::Nothing);
        let mut knowledge = Knowledge::default();
        match memory {
            Memory::Nothing => self.play::<P, _>(state, chance, &mut Quiet { knowledge, listener }, counts, pause),
            Memory::Shown | Memory::Events => {
                let told = state.seats().filter(|seat| self.agents[seat.index()].memory() == Memory::Events).collect();
                self.tell_of_the_beginning(told, state, &knowledge);
                let mut told = Told { knowledge: &mut knowledge, listener, told };
                self.play::<P, _>(state, chance, &mut told, counts, pause)
            }
        }
    }

    fn tell_of_the_beginning(&mut self, told: SeatSet, state: &RoundState, knowledge: &Knowledge) {
        for seat in told.iter() {
            let observation = Observation::of(self.rules, state, knowledge, self.scores, seat);
            self.agents[seat.index()].begin_round(&observation);
        }
    }

    #[inline(always)]
    fn play<P: FeatureSet, T: Telling>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        telling: &mut T,
        counts: &mut Counts,
        pause: impl Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        let decisions_before = counts.decisions;
        let mut order = DecisionOrder::default();
        let interruptions = Features::EXPLICIT_CALLS.with(Features::JUMP_IN);
        let may_interrupt = P::MAY_HAVE.contains(interruptions) && DecisionOrder::has_interruptions(self.rules);
        let allows_eager = T::ALLOWS_EAGER && FastTurn::supports(self.rules);
        while let Some(seat) = state.current_seat() {
            if counts.decisions >= MAX_DECISIONS {
                return Some(Ending::Truncated);
            }
            let is_asked_already = may_interrupt && !order.is_at_beginning();
            if counts.decisions > decisions_before && !is_asked_already && pause(state, counts) {
                return None;
            }
            if may_interrupt {
                self.ask_in_order::<P, T>(state, chance, telling, &mut order, counts);
                continue;
            }
            if allows_eager {
                let went_on = match state.phase() {
                    Phase::Turn => self.eager_turns::<P, T>(state, chance, telling, counts, &pause),
                    _ => self.eager_answer::<P, T>(state, seat, chance, telling, counts),
                };
                if went_on {
                    continue;
                }
            }
            counts.decisions += 1;
            counts.turns += u32::from(matches!(state.phase(), Phase::Turn));
            let observation = Observation::of(self.rules, state, telling.knowledge(), self.scores, seat);
            let agent = &mut self.agents[seat.index()];
            let action = match agent.oracle() {
                None => agent.choose(&observation),
                Some(oracle) => oracle.choose_seeing(state, &observation),
            };
            self.apply::<P, T>(state, Move { seat, action, call: Call::Silent }, chance, telling);
        }
        Some(Ending::Finished)
    }

    /// Asks whoever comes next where seats may call, catch or jump in.
    #[cold]
    fn ask_in_order<P: FeatureSet, T: Telling>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        telling: &mut T,
        order: &mut DecisionOrder,
        counts: &mut Counts,
    ) {
        let Some(question) = order.question(self.rules, state) else { return };
        counts.decisions += 1;
        counts.turns += u32::from(question.kind == DecisionKind::Turn);
        let observation = Observation::of(self.rules, state, telling.knowledge(), self.scores, question.seat);
        let agent = &mut self.agents[question.seat.index()];
        let answer = match question.kind {
            DecisionKind::Call { with } => match agent.call(&observation, with) {
                Call::Uno => Action::Uno,
                Call::Silent => Action::Silent,
            },
            kind if kind.is_interruption() => {
                let mut options = Vec::with_capacity(4);
                DecisionOrder::options_into(self.rules, state, question, &mut options);
                options.pop(); // agents answer `Silent` without being told that they may
                agent.interrupt(&observation, &options)
            }
            _ => match agent.oracle() {
                None => agent.choose(&observation),
                Some(oracle) => oracle.choose_seeing(state, &observation),
            },
        };
        if let Some(chosen) = order.answer(self.rules, state, question, answer) {
            self.apply::<P, T>(state, chosen, chance, telling);
        }
    }

    /// Turns by the short way, as many in a row as there are. Says whether there was one.
    #[inline(always)]
    fn eager_turns<P: FeatureSet, T: Telling>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        telling: &mut T,
        counts: &mut Counts,
        pause: &impl Fn(&RoundState, &Counts) -> bool,
    ) -> bool {
        let (rules, agents, now) = (self.rules, &mut *self.agents, *counts);
        // In a function of its own it has the registers to itself.
        let now = P::Isa::outline(move || {
            let (num_agents, mut now) = (agents.len().min(MAX_SEATS), now);
            let agents = &mut agents[..num_agents]; // a seat with an agent has a hand: that is not checked again
            let mut turns = FastTurns::<P, _, _>::from(state, rules, chance, telling.listener());
            while let (Phase::Turn, Some(seat)) = (turns.state().phase(), turns.state().current_seat()) {
                let turn = match agents[seat.index()].fast_path() {
                    Some(FastPath::Random(player)) => turns.play(player),
                    Some(FastPath::Greedy(player)) => turns.play(player),
                    None => FastTurn::Refused,
                };
                if turn == FastTurn::Refused {
                    break;
                }
                now.decisions += turn.decisions();
                now.turns += 1;
                if now.decisions >= MAX_DECISIONS || pause(turns.state(), &now) {
                    break;
                }
            }
            now
        });
        let was_one = now.turns > counts.turns;
        *counts = now;
        was_one
    }

    /// An answer by the short way. Says whether there was one.
    #[inline(always)]
    fn eager_answer<P: FeatureSet, T: Telling>(
        &mut self,
        state: &mut RoundState,
        seat: Seat,
        chance: &mut impl Chance,
        telling: &mut T,
        counts: &mut Counts,
    ) -> bool {
        let rules = self.rules;
        let Some(FastPath::Random(player)) = self.agents[seat.index()].fast_path() else { return false };
        let answer = P::Isa::outline(move || {
            FastTurns::<P, _, _>::from(state, rules, chance, telling.listener()).answer(player)
        });
        counts.decisions += answer.decisions();
        answer != FastTurn::Refused
    }

    /// Lets the seats call, catch and jump in after an action that did not come from this table, until nobody wants to
    /// any more.
    #[inline(always)]
    pub fn settle_interruptions<P: FeatureSet>(
        &mut self,
        state: &mut RoundState,
        after: Action,
        chance: &mut impl Chance,
    ) {
        if !DecisionOrder::has_interruptions(self.rules) {
            return;
        }
        let mut telling = Quiet { knowledge: Knowledge::default(), listener: &mut () };
        let mut order = DecisionOrder::after(after);
        let counts = &mut Counts::default();
        while order.question(self.rules, state).is_some_and(|question| {
            question.kind.is_interruption() || matches!(question.kind, DecisionKind::Call { .. })
        }) {
            self.ask_in_order::<P, _>(state, chance, &mut telling, &mut order, counts);
        }
    }

    #[inline(always)]
    fn apply<P: FeatureSet, T: Telling>(
        &mut self,
        state: &mut RoundState,
        Move { seat, action, call }: Move,
        chance: &mut impl Chance,
        telling: &mut T,
    ) {
        let mut sink = telling.sink(self.rules, self.agents, self.scores);
        state.apply_action_for::<P>(self.rules, seat, action, call, chance, &mut sink);
    }
}

/// Who is told what happens, chosen once a round by what the agents need.
trait Telling {
    /// Only where nobody but the listener is told can turns go the short way.
    const ALLOWS_EAGER: bool;
    type Listener: Events;
    fn listener(&mut self) -> &mut Self::Listener;
    type Sink<'s, A: Agent + 's>: Events
    where
        Self: 's;
    fn knowledge(&self) -> &Knowledge;
    fn sink<'s, A: Agent>(
        &'s mut self,
        rules: &'s Rules,
        agents: &'s mut [A],
        scores: &'s [u32; MAX_SEATS],
    ) -> Self::Sink<'s, A>;
}

/// Only the listener.
struct Quiet<'l, L> {
    knowledge: Knowledge,
    listener: &'l mut L,
}

impl<L: Events> Telling for Quiet<'_, L> {
    const ALLOWS_EAGER: bool = true;
    type Listener = L;
    #[inline(always)]
    fn listener(&mut self) -> &mut L {
        self.listener
    }
    type Sink<'s, A: Agent + 's>
        = &'s mut L
    where
        Self: 's;
    #[inline]
    fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }
    #[inline]
    fn sink<'s, A: Agent>(&'s mut self, _: &'s Rules, _: &'s mut [A], _: &'s [u32; MAX_SEATS]) -> &'s mut L {
        self.listener
    }
}

/// The listener, and the agents that want to be told, if any; what seats have been shown is kept.
struct Told<'l, L> {
    knowledge: &'l mut Knowledge,
    listener: &'l mut L,
    told: SeatSet,
}

/// Tells each agent what its seat sees.
struct ToAgents<'s, A, L> {
    knowledge: &'s mut Knowledge,
    listener: &'s mut L,
    rules: &'s Rules,
    agents: &'s mut [A],
    told: SeatSet,
    scores: &'s [u32; MAX_SEATS],
}

impl<A: Agent, L: Events> Events for ToAgents<'_, A, L> {
    fn tell(&mut self, state: &RoundState, event: Event) {
        self.listener.tell(state, event);
        self.knowledge.tell(state, event);
        for seat in self.told.iter() {
            let observation = Observation::of(self.rules, state, self.knowledge, self.scores, seat);
            self.agents[seat.index()].observe(observation.sees(event), &observation);
        }
    }
}

impl<L: Events> Telling for Told<'_, L> {
    const ALLOWS_EAGER: bool = false;
    type Listener = L;
    #[inline(always)]
    fn listener(&mut self) -> &mut L {
        self.listener
    }
    type Sink<'s, A: Agent + 's>
        = ToAgents<'s, A, L>
    where
        Self: 's;
    fn knowledge(&self) -> &Knowledge {
        self.knowledge
    }
    fn sink<'s, A: Agent>(
        &'s mut self,
        rules: &'s Rules,
        agents: &'s mut [A],
        scores: &'s [u32; MAX_SEATS],
    ) -> ToAgents<'s, A, L> {
        ToAgents { knowledge: self.knowledge, listener: self.listener, rules, agents, told: self.told, scores }
    }
}
