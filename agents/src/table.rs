//! Agents at a table: plays a round or a match and asks the seat that has to decide.

mod bulk;
mod seats;
mod sink;

use std::marker::PhantomData;

use unolab_engine::action::{Action, Call};
use unolab_engine::chance::Chance;
use unolab_engine::cpu::{Isa, dispatch};
use unolab_engine::fast::{FastTurn, FastTurns};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
pub use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::round::{DecisionKind, DecisionOrder, Move};
use unolab_engine::rules::{AllFeatures, FeatureSet, Features, Rules, RulesKernel};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{EventSink, Phase, RoundState};

use crate::agent::{Agent, EventSubscription};
use crate::player::{FastPath, Player, TablePlayer};
use crate::possible::PossibleCards;
use bulk::{BulkPlay, is_answered_fast};
pub use seats::{Counts, Table};
pub use sink::TableSink;
use sink::{KnowledgeSink, SharedKnowledge, SubscriberSink};

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
        listener: impl TableSink,
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
        listener: impl TableSink,
        counts: &mut Counts,
        pause: impl Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        let Self { rules, scores, .. } = *self;
        let (mut subscription, mut uses_possible_cards) = (EventSubscription::Nothing, false);
        let mut subscribers = SeatSet::EMPTY;
        for seat in state.seats() {
            let agent = &self.agents[seat.index()];
            let of_agent = agent.subscription();
            subscription = subscription.max(of_agent);
            if of_agent.has_events() {
                let reads_possible_cards = agent.reads_possible_cards();
                uses_possible_cards |= reads_possible_cards;
                subscribers = if reads_possible_cards { subscribers } else { subscribers.with(seat) };
            }
        }
        if subscription == EventSubscription::Nothing {
            return self.play_without_subscribers::<P>(state, chance, listener, counts, pause);
        }
        let (knowledge, possible) = (&mut Knowledge::default(), &mut None);
        if uses_possible_cards {
            let observation = Observation::of(rules, state, knowledge, scores, state.dealer());
            possible.insert(PossibleCards::new()).begin(&observation);
        }
        for seat in subscribers.iter() {
            self.agents[seat.index()].begin_round(&Observation::of(rules, state, knowledge, scores, seat));
        }
        let sink = KnowledgeSink { rules, scores, knowledge, possible, listener };
        self.play::<P>(state, chance, sink, subscribers, counts, pause)
    }

    /// [`Table::play_until`] if no agent subscribes to anything. What subscribers need is not compiled.
    #[inline(always)]
    pub(crate) fn play_without_subscribers<P: FeatureSet>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        listener: impl TableSink,
        counts: &mut Counts,
        pause: impl Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        debug_assert!(state.seats().all(|seat| self.agents[seat.index()].subscription() == EventSubscription::Nothing));
        self.play::<P>(state, chance, listener, SeatSet::EMPTY, counts, pause)
    }

    #[inline(always)]
    fn play<P: FeatureSet>(
        &mut self,
        state: &mut RoundState,
        chance: &mut impl Chance,
        mut sink: impl TableSink,
        subscribers: SeatSet,
        counts: &mut Counts,
        pause: impl Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        let mut unbounded = None; // for agents that read no knowledge
        let decisions_before = counts.decisions;
        let mut order = DecisionOrder::default();
        let interruptions = Features::EXPLICIT_CALLS.with(Features::JUMP_IN);
        let may_interrupt = P::MAY_HAVE.contains(interruptions) && DecisionOrder::has_interruptions(self.rules);
        let allows_bulk = FastTurn::supports(self.rules) && subscribers.is_empty();
        while let Some(seat) = state.current_seat() {
            if counts.decisions >= MAX_DECISIONS {
                return Some(Ending::Truncated);
            }
            let is_asked_already = may_interrupt && !order.is_at_beginning();
            if counts.decisions > decisions_before && !is_asked_already && pause(state, counts) {
                return None;
            }
            if !may_interrupt && allows_bulk && self.play_in_bulk::<P>(state, seat, chance, &mut sink, counts, &pause) {
                continue;
            }
            let shared = sink.shared_knowledge().unwrap_or((Knowledge::NONE, &mut unbounded));
            let made = if may_interrupt {
                let Some(made) = self.ask_in_order(state, shared, &mut order, counts) else { continue };
                made
            } else {
                counts.decisions += 1;
                counts.turns += u32::from(matches!(state.phase(), Phase::Turn));
                Move { seat, action: self.choose(state, shared, seat), call: Call::Silent }
            };
            self.apply::<P>(state, made, chance, &mut sink, subscribers);
        }
        Some(Ending::Finished)
    }

    /// Plays consecutive decisions by the fast path, the first one of this seat. Returns whether there was one.
    #[inline(always)]
    fn play_in_bulk<P: FeatureSet>(
        &mut self,
        state: &mut RoundState,
        seat: Seat,
        chance: &mut impl Chance,
        sink: &mut impl TableSink,
        counts: &mut Counts,
        pause: &impl Fn(&RoundState, &Counts) -> bool,
    ) -> bool {
        let before = counts.decisions;
        match (self.agents[seat.index()].fast_path(), state.phase()) {
            (None, _) if sink.shared_knowledge().is_none_or(|(_, possible)| possible.is_none()) => {}
            (Some(FastPath::Random(player)), phase) if phase != Phase::Turn => {
                let (rules, mut sink) = (self.rules, sink.reborrow());
                let answer =
                    P::Isa::outline(move || FastTurns::<P, _, _>::from(state, rules, chance, &mut sink).answer(player));
                counts.decisions += answer.decisions();
            }
            (Some(FastPath::Turns(..)), phase) if phase != Phase::Turn => {}
            (_, phase) if phase == Phase::Turn || is_answered_fast(phase) => {
                let table = Table { rules: self.rules, agents: self.agents, scores: self.scores };
                let (sink, features) = (sink.reborrow(), PhantomData::<P>);
                let play = BulkPlay { table, state, chance, sink, counts: *counts, pause, features };
                *counts = P::Isa::outline_kernel(play);
            }
            _ => {}
        }
        counts.decisions > before
    }

    /// The action of a seat that decides in turn.
    #[inline(never)]
    fn choose(&mut self, state: &RoundState, (knowledge, possible): SharedKnowledge<'_>, seat: Seat) -> Action {
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

    /// The move after the next question, if seats may call, catch, or jump in; `None` if there is none yet.
    #[cold]
    fn ask_in_order(
        &mut self,
        state: &RoundState,
        (knowledge, possible): SharedKnowledge<'_>,
        order: &mut DecisionOrder,
        counts: &mut Counts,
    ) -> Option<Move> {
        let question = order.question(self.rules, state)?;
        counts.decisions += 1;
        counts.turns += u32::from(question.kind == DecisionKind::Turn);
        let observation = Observation::of(self.rules, state, knowledge, self.scores, question.seat);
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
            _ => self.choose(state, (knowledge, possible), question.seat),
        };
        order.answer(self.rules, state, question, answer)
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
        let (mut order, counts) = (DecisionOrder::after(after), &mut Counts::default());
        while order.question(self.rules, state).is_some_and(|question| {
            question.kind.is_interruption() || matches!(question.kind, DecisionKind::Call { .. })
        }) {
            if let Some(made) = self.ask_in_order(state, (Knowledge::NONE, &mut None), &mut order, counts) {
                let Move { seat, action, call } = made;
                state.apply_action_for::<P>(self.rules, seat, action, call, chance, &mut ());
            }
        }
    }

    #[inline(always)]
    fn apply<P: FeatureSet>(
        &mut self,
        state: &mut RoundState,
        Move { seat, action, call }: Move,
        chance: &mut impl Chance,
        sink: &mut impl TableSink,
        subscribers: SeatSet,
    ) {
        let (rules, mut sink) = (self.rules, sink.reborrow());
        if sink.shared_knowledge().is_some() && !subscribers.is_empty() {
            // They take more time than the rules, so all of them share the code.
            let mut sink = SubscriberSink { table: self, subscribers, sink };
            state.apply_action_unchecked(rules, seat, action, call, chance, &mut sink);
        } else if FastTurn::supports(rules) && matches!(state.phase(), Phase::Turn | Phase::Drawn(_)) {
            FastTurns::<P, _, _>::from(state, rules, chance, &mut sink).apply(action);
        } else {
            state.apply_action_for::<P>(rules, seat, action, call, chance, &mut sink);
        }
    }
}
