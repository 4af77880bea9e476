//! Agents at a table: plays a round or a match and asks the seat that has to decide.

mod bulk;
mod counts;
mod event_routing;
mod listener;
mod shared_knowledge;

use std::marker::PhantomData;

use unolab_engine::action::{Action, Call};
use unolab_engine::chance::Chance;
use unolab_engine::cpu::{Isa, dispatch};
use unolab_engine::fast::{FastTurn, FastTurns};
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
pub use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::round::{DecisionKind, DecisionOrder, Move};
use unolab_engine::rules::{AllFeatures, FeatureSet, Features, Rules, RulesKernel};
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::{EventSink, Phase, RoundState};

use crate::agent::{Agent, EventSubscription};
use crate::player::{FastPath, Player, TablePlayer};
use crate::possible::PossibleCards;
use bulk::{BulkAnswers, BulkPlay, BulkTurns, GreedyAnswers, is_answered_fast};
pub use counts::Counts;
use event_routing::{EventRouting, ListenerAndKnowledge, ListenerOnly, Subscribers};
pub use listener::Listener;
use shared_knowledge::SharedKnowledge;

/// How the play of a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Finished,
    /// By the limit [`MAX_DECISIONS`].
    Truncated,
}

/// Plays without a pause. A closure would have a different type for each feature set.
const fn never(_: &RoundState, _: &Counts) -> bool {
    false
}

/// One table: the rules, and the agent of each seat.
#[derive(Debug)]
pub struct Table<'a, A> {
    /// The rules in force.
    pub rules: &'a Rules,
    /// The agent in each seat, by its number.
    pub agents: &'a mut [A],
    /// The match scores by seat, before the round.
    pub scores: &'a BySeat<u32>,
}

impl Table<'_, Player> {
    /// [`Table::play_round`] without a listener and with the fastest code for these rules and this processor. It is compiled
    /// here and not for each caller: it would be a large part of the binary. Choosing the code takes little time compared
    /// with a round.
    pub fn play_without_events(&mut self, state: &mut RoundState, chance: &mut Rng) -> (Counts, Ending) {
        dispatch(SilentPlay { table: self, state, chance })
    }

    /// [`Table::play_round`] with a listener. The listener takes more time than the play, so the same code is used for all
    /// rules, processors, and listeners: compiled for each of them, it would be a large part of the binary.
    pub fn play_with_events(
        &mut self,
        state: &mut RoundState,
        chance: &mut Rng,
        listener: &mut dyn EventSink,
    ) -> (Counts, Ending) {
        let mut counts = Counts::default();
        let ending = self.play_for(u32::MAX, state, chance, listener, &mut counts);
        (counts, ending.unwrap_or(Ending::Truncated))
    }

    /// Continues without a listener, for this many turns or to the end.
    pub fn play_turns(&mut self, state: &mut RoundState, chance: &mut Rng, turns: u32) {
        self.play_for(turns, state, chance, &mut (), &mut Counts::default());
    }

    fn play_for(
        &mut self,
        turns: u32,
        state: &mut RoundState,
        chance: &mut Rng,
        listener: &mut dyn EventSink,
        counts: &mut Counts,
    ) -> Option<Ending> {
        self.play_until::<AllFeatures>(state, chance, listener, counts, |_, counts| counts.turns >= turns)
    }
}

impl Table<'_, &mut dyn Agent> {
    /// Continues a round to its end or for this many decisions, with the same code for agents of any kind.
    pub fn play_with_any(&mut self, state: &mut RoundState, chance: &mut Rng, decisions: u32) -> Option<Ending> {
        let enough = |_: &RoundState, counts: &Counts| counts.decisions >= decisions;
        let no_listener: &mut dyn EventSink = &mut ();
        self.play_until::<AllFeatures>(state, chance, no_listener, &mut Counts::default(), enough)
    }
}

struct SilentPlay<'t, 'a> {
    table: &'t mut Table<'a, Player>,
    state: &'t mut RoundState,
    chance: &'t mut Rng,
}

impl RulesKernel for SilentPlay<'_, '_> {
    type Output = (Counts, Ending);

    fn rules(&self) -> &Rules {
        self.table.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Self::Output {
        let Self { table, state, chance } = self;
        if P::Isa::IS_COMMON {
            table.play_round::<P>(state, chance, ())
        } else {
            table.play_with_events(state, chance, &mut ())
        }
    }
}

impl<A: TablePlayer> Table<'_, A> {
    /// Plays a round from this state to its end. `listener` receives every event.
    #[inline(always)]
    pub fn play_round<P: FeatureSet>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        listener: impl Listener,
    ) -> (Counts, Ending) {
        let mut counts = Counts::default();
        let ending = self.play_until::<P>(state, chance, listener, &mut counts, never);
        (counts, ending.unwrap_or(Ending::Truncated))
    }

    /// Continues from this state for at least one decision, until `pause` returns true or to the end; returns how it ended,
    /// if it did. Adds the counts to `counts`.
    ///
    /// Agents with another subscription than [`EventSubscription::Nothing`] do not receive earlier events.
    #[inline(always)]
    pub fn play_until<P: FeatureSet>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        mut listener: impl Listener,
        counts: &mut Counts,
        pause: impl Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        let (mut subscription, mut uses_possible_cards) = (EventSubscription::Nothing, false);
        let (mut subscribers, mut without_kept_cards) = (SeatSet::EMPTY, SeatSet::EMPTY);
        for seat in state.seats() {
            let agent = &self.agents[seat.index()];
            let of_agent = agent.subscription();
            subscription = subscription.max(of_agent);
            if of_agent.has_events() {
                let reads_possible_cards = agent.reads_possible_cards();
                uses_possible_cards |= reads_possible_cards;
                subscribers = if reads_possible_cards { subscribers } else { subscribers.with(seat) };
            }
            if of_agent == EventSubscription::Events {
                without_kept_cards = without_kept_cards.with(seat);
            }
        }
        let mut shared = SharedKnowledge::default();
        let shared = &mut shared;
        if subscription == EventSubscription::Nothing {
            return self.play::<P, _>(state, chance, &mut ListenerOnly { shared, listener }, counts, pause);
        }
        if uses_possible_cards {
            let SharedKnowledge { knowledge, possible } = &mut *shared;
            let observation = Observation::of(self.rules, state, knowledge, self.scores, state.dealer());
            possible.insert(PossibleCards::new()).begin(&observation);
        }
        if subscribers.is_empty() {
            return self.play::<P, _>(state, chance, &mut ListenerAndKnowledge { shared, listener }, counts, pause);
        }
        let listener = &mut listener.sink();
        let mut routing = Subscribers { shared, listener, subscribers, without_kept_cards };
        self.play_with_subscribers(state, chance, &mut routing, counts, &pause)
    }

    /// Plays with agents that receive events. They take more time than the rules, so the same code is used for all feature
    /// sets and listeners.
    #[inline(never)]
    fn play_with_subscribers(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        routing: &mut Subscribers<'_>,
        counts: &mut Counts,
        pause: &dyn Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        for seat in routing.subscribers.iter() {
            let observation = Observation::of(self.rules, state, &routing.shared.knowledge, self.scores, seat);
            self.agents[seat.index()].begin_round(&observation);
        }
        self.play::<AllFeatures, _>(state, chance, routing, counts, pause)
    }

    #[inline(always)]
    fn play<P: FeatureSet, T: EventRouting>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        routing: &mut T,
        counts: &mut Counts,
        pause: impl Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        let decisions_before = counts.decisions;
        let mut order = DecisionOrder::default();
        let interruptions = Features::EXPLICIT_CALLS.with(Features::JUMP_IN);
        let may_interrupt = P::MAY_HAVE.contains(interruptions) && DecisionOrder::has_interruptions(self.rules);
        let has_fast_path = FastTurn::supports(self.rules);
        let allows_bulk = !T::SENDS_EVENTS && has_fast_path;
        while let Some(seat) = state.current_seat() {
            if counts.decisions >= MAX_DECISIONS {
                return Some(Ending::Truncated);
            }
            let is_asked_already = may_interrupt && !order.is_at_beginning();
            if counts.decisions > decisions_before && !is_asked_already && pause(state, counts) {
                return None;
            }
            if may_interrupt {
                self.ask_in_order::<P, T>(state, chance, routing, &mut order, counts);
                continue;
            }
            if allows_bulk {
                let went_on = match (self.agents[seat.index()].fast_path(), state.phase()) {
                    (None, _) if routing.shared_knowledge().possible.is_none() => false,
                    (_, Phase::Turn) => self.play_bulk_turns::<P, T>(state, chance, routing, counts, &pause),
                    (Some(FastPath::Random(_)), _) => {
                        self.play_random_answer::<P, T>(state, seat, chance, routing, counts)
                    }
                    (Some(FastPath::Turns(..)), _) => false,
                    (_, phase) if !is_answered_fast(phase) => false,
                    (Some(FastPath::Greedy(_)), _) => {
                        self.play_greedy_answers::<P, T>(state, chance, routing, counts, &pause)
                    }
                    (None, _) => self.play_bulk_answers::<P, T>(state, chance, routing, counts, &pause),
                };
                if went_on {
                    continue;
                }
            }
            counts.decisions += 1;
            counts.turns += u32::from(matches!(state.phase(), Phase::Turn));
            let action = self.choose(state, routing.shared_knowledge(), seat);
            let is_fast = has_fast_path && matches!(state.phase(), Phase::Turn | Phase::Drawn(_));
            let path = if is_fast { Path::Fast } else { Path::General };
            self.apply::<P, T>(path, state, Move { seat, action, call: Call::Silent }, chance, routing);
        }
        Some(Ending::Finished)
    }

    /// The answer to a seat's own decision.
    #[inline(never)]
    fn choose(
        &mut self,
        state: &RoundState,
        SharedKnowledge { knowledge, possible }: &mut SharedKnowledge,
        seat: Seat,
    ) -> Action {
        let observation = Observation::of(self.rules, state, knowledge, self.scores, seat);
        let agent = &mut self.agents[seat.index()];
        if let Some(possible) = possible
            && agent.reads_possible_cards()
        {
            possible.settle_begun(&observation);
            return agent.choose_by(&observation, possible);
        }
        match agent.perfect_information() {
            None => agent.choose(&observation),
            Some(seeing) => seeing.choose_with_perfect_information(state, &observation),
        }
    }

    /// Asks the next seat if seats may call, catch, or jump in.
    #[cold]
    fn ask_in_order<P: FeatureSet, T: EventRouting>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        routing: &mut T,
        order: &mut DecisionOrder,
        counts: &mut Counts,
    ) {
        let Some(question) = order.question(self.rules, state) else { return };
        counts.decisions += 1;
        counts.turns += u32::from(question.kind == DecisionKind::Turn);
        let shared = routing.shared_knowledge();
        let observation = Observation::of(self.rules, state, &shared.knowledge, self.scores, question.seat);
        let agent = &mut self.agents[question.seat.index()];
        let answer = match question.kind {
            DecisionKind::Call { with } => match agent.call(&observation, with) {
                Call::Uno => Action::Uno,
                Call::Silent => Action::Silent,
            },
            kind if kind.is_interruption() => {
                let mut options = Vec::with_capacity(4);
                DecisionOrder::options_into(self.rules, state, question, &mut options);
                options.pop(); // agents answer `Silent` without being offered it
                agent.interrupt(&observation, &options)
            }
            _ => self.choose(state, shared, question.seat),
        };
        if let Some(chosen) = order.answer(self.rules, state, question, answer) {
            self.apply::<P, T>(Path::General, state, chosen, chance, routing);
        }
    }

    #[inline(always)]
    fn bulk<'t, P, T, C, F>(
        &'t mut self,
        state: &'t mut RoundState,
        chance: &'t mut C,
        routing: &'t mut T,
        counts: Counts,
        pause: &'t F,
    ) -> BulkPlay<'t, P, A, T, C, F> {
        let Self { rules, agents, scores } = self;
        BulkPlay { rules, scores, agents, state, chance, routing, counts, pause, features: PhantomData }
    }

    /// Plays consecutive turns by the fast path. Returns whether there was one.
    #[inline(always)]
    fn play_bulk_turns<P: FeatureSet, T: EventRouting>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        routing: &mut T,
        counts: &mut Counts,
        pause: &impl Fn(&RoundState, &Counts) -> bool,
    ) -> bool {
        let play = self.bulk(state, chance, routing, *counts, pause);
        let now = P::Isa::outline_kernel(BulkTurns::<P, _, _, _, _>(play));
        let was_one = now.turns > counts.turns;
        *counts = now;
        was_one
    }

    /// Plays an answer of `random` by the fast path. Returns whether there was one.
    #[inline(always)]
    fn play_random_answer<P: FeatureSet, T: EventRouting>(
        &mut self,
        state: &mut RoundState,
        seat: Seat,
        chance: &mut impl Chance,
        routing: &mut T,
        counts: &mut Counts,
    ) -> bool {
        let (rules, scores) = (self.rules, self.scores);
        let Some(FastPath::Random(player)) = self.agents[seat.index()].fast_path() else { return false };
        let answer = P::Isa::outline(move || {
            let mut sink = routing.sink_without_agents(rules, scores);
            FastTurns::<P, _, _>::from(state, rules, chance, &mut sink).answer(player)
        });
        counts.decisions += answer.decisions();
        answer != FastTurn::Refused
    }

    /// Plays consecutive answers of `greedy` by the fast path. Returns whether there was one.
    #[inline(always)]
    fn play_greedy_answers<P: FeatureSet, T: EventRouting>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        routing: &mut T,
        counts: &mut Counts,
        pause: &impl Fn(&RoundState, &Counts) -> bool,
    ) -> bool {
        let play = self.bulk(state, chance, routing, *counts, pause);
        let now = P::Isa::outline_kernel(GreedyAnswers::<P, _, _, _, _>(play));
        let was_one = now.decisions > counts.decisions;
        *counts = now;
        was_one
    }

    /// Plays consecutive answers of agents that read the shared knowledge. Returns whether there was one.
    #[inline(always)]
    fn play_bulk_answers<P: FeatureSet, T: EventRouting>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        routing: &mut T,
        counts: &mut Counts,
        pause: &impl Fn(&RoundState, &Counts) -> bool,
    ) -> bool {
        let play = self.bulk(state, chance, routing, *counts, pause);
        let now = P::Isa::outline_kernel(BulkAnswers::<P, _, _, _, _>(play));
        let was_one = now.decisions > counts.decisions;
        *counts = now;
        was_one
    }

    /// Lets the seats call, catch and jump in after an action that did not come from this table, until no seat wants to
    /// do so.
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
        let mut no_listener = ListenerOnly { shared: &mut SharedKnowledge::default(), listener: () };
        let mut order = DecisionOrder::after(after);
        let counts = &mut Counts::default();
        while order.question(self.rules, state).is_some_and(|question| {
            question.kind.is_interruption() || matches!(question.kind, DecisionKind::Call { .. })
        }) {
            self.ask_in_order::<P, _>(state, chance, &mut no_listener, &mut order, counts);
        }
    }

    #[inline(always)]
    fn apply<P: FeatureSet, T: EventRouting>(
        &mut self,
        path: Path,
        state: &mut RoundState,
        made: Move,
        chance: &mut impl Chance,
        routing: &mut T,
    ) {
        let mut sink = routing.sink(self.rules, self.agents, self.scores);
        if T::SENDS_EVENTS {
            // They take more time than the rules, so all of them share the code.
            let mut sink: &mut dyn EventSink = &mut sink;
            apply::<P>(path, self.rules, state, made, chance, &mut sink);
        } else {
            apply::<P>(path, self.rules, state, made, chance, &mut sink);
        }
    }
}

/// How an action is applied.
#[derive(Debug, Clone, Copy)]
enum Path {
    /// As an action of a turn, under rules that have the fast path.
    Fast,
    General,
}

#[inline(always)]
fn apply<P: FeatureSet>(
    path: Path,
    rules: &Rules,
    state: &mut RoundState,
    Move { seat, action, call }: Move,
    chance: &mut impl Chance,
    sink: &mut impl EventSink,
) {
    match path {
        Path::Fast => FastTurns::<P, _, _>::from(state, rules, chance, sink).apply(action),
        Path::General => state.apply_action_for::<P>(rules, seat, action, call, chance, sink),
    }
}
