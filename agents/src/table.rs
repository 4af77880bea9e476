//! Agents at a table: plays a round or a match and asks the seat that has to decide.

mod bulk;
mod seats;

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
use crate::player::{Player, TablePlayer};
use crate::possible::PossibleCards;
pub use crate::table_sink::TableSink;
use crate::table_sink::{KnowledgeSink, SharedKnowledge, SubscriberSink};
use bulk::{BulkPlay, is_answered_fast};
pub use seats::{Counts, Table};

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

impl Table<'_, Player, Rng> {
    /// [`Table::play_round`] without a listener and with the fastest code for these rules and this processor. It is compiled
    /// here and not for each caller: it would be a large part of the binary. Choosing the code takes little time compared
    /// with a round.
    pub fn play_without_events(&mut self) -> (Counts, Ending) {
        dispatch(self)
    }

    /// [`Table::play_round`] with a listener. The listener takes more time than the play, so the same code is used for all
    /// rules, processors, and listeners: compiled for each of them, it would be a large part of the binary.
    pub fn play_with_events(&mut self, listener: &mut dyn EventSink) -> (Counts, Ending) {
        let mut counts = Counts::default();
        let ending = self.play_for(u32::MAX, listener, &mut counts);
        (counts, ending.unwrap_or(Ending::Truncated))
    }

    /// Continues without a listener, for this many turns or to the end.
    pub fn play_turns(&mut self, turns: u32) {
        self.play_for(turns, &mut (), &mut Counts::default());
    }

    fn play_for(&mut self, turns: u32, listener: &mut dyn EventSink, counts: &mut Counts) -> Option<Ending> {
        self.play_until::<AllFeatures>(listener, counts, |_, counts| counts.turns >= turns)
    }
}

impl Table<'_, &mut dyn Agent, Rng> {
    /// Continues a round to its end or for this many decisions, with the same code for agents of any kind.
    pub fn play_with_any(&mut self, decisions: u32) -> Option<Ending> {
        let enough = |_: &RoundState, counts: &Counts| counts.decisions >= decisions;
        let no_listener: &mut dyn EventSink = &mut ();
        self.play_until::<AllFeatures>(no_listener, &mut Counts::default(), enough)
    }
}

/// Play to the end of the round without a listener.
impl RulesKernel for &mut Table<'_, Player, Rng> {
    type Output = (Counts, Ending);

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Self::Output {
        if P::Isa::IS_COMMON { self.play_round::<P>(()) } else { self.play_with_events(&mut ()) }
    }
}

impl<A: TablePlayer, C: Chance> Table<'_, A, C> {
    /// Plays the round from its state to its end. `listener` receives every event.
    #[inline(always)]
    pub fn play_round<P: FeatureSet>(&mut self, listener: impl TableSink) -> (Counts, Ending) {
        let mut counts = Counts::default();
        let ending = self.play_until::<P>(listener, &mut counts, never);
        (counts, ending.unwrap_or(Ending::Truncated))
    }

    /// Continues from the state for at least one decision, until `pause` returns true or to the end; returns how it ended,
    /// if it did. Adds the counts to `counts`.
    ///
    /// Agents with another subscription than [`EventSubscription::Nothing`] do not receive earlier events.
    #[inline(always)]
    pub fn play_until<P: FeatureSet>(
        &mut self,
        listener: impl TableSink,
        counts: &mut Counts,
        pause: impl Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        let (rules, scores, state) = (self.rules, self.scores, &*self.state);
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
            return self.play_without_subscribers::<P>(listener, counts, pause);
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
        self.play::<P>(sink, subscribers, counts, pause)
    }

    /// [`Table::play_until`] if no agent subscribes to anything. What subscribers need is not compiled.
    #[inline(always)]
    pub(crate) fn play_without_subscribers<P: FeatureSet>(
        &mut self,
        listener: impl TableSink,
        counts: &mut Counts,
        pause: impl Fn(&RoundState, &Counts) -> bool,
    ) -> Option<Ending> {
        debug_assert!(
            self.state.seats().all(|seat| self.agents[seat.index()].subscription() == EventSubscription::Nothing)
        );
        self.play::<P>(listener, SeatSet::EMPTY, counts, pause)
    }

    #[inline(always)]
    fn play<P: FeatureSet>(
        &mut self,
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
        while let Some(seat) = self.state.current_seat() {
            if counts.decisions >= MAX_DECISIONS {
                return Some(Ending::Truncated);
            }
            let is_asked_already = may_interrupt && !order.is_at_beginning();
            if counts.decisions > decisions_before && !is_asked_already && pause(self.state, counts) {
                return None;
            }
            if !may_interrupt && allows_bulk && self.play_in_bulk::<P>(seat, &mut sink, counts, &pause) {
                continue;
            }
            let shared = sink.shared_knowledge().unwrap_or((Knowledge::NONE, &mut unbounded));
            let made = if may_interrupt {
                let Some(made) = self.ask_in_order(shared, &mut order, counts) else { continue };
                made
            } else {
                counts.decisions += 1;
                counts.turns += u32::from(matches!(self.state.phase(), Phase::Turn));
                Move { seat, action: self.choose(shared, seat), call: Call::Silent }
            };
            self.apply::<P>(made, &mut sink, subscribers);
        }
        Some(Ending::Finished)
    }

    /// Plays consecutive decisions by the fast path, the first one of this seat. Returns whether there was one.
    #[inline(always)]
    fn play_in_bulk<P: FeatureSet>(
        &mut self,
        seat: Seat,
        sink: &mut impl TableSink,
        counts: &mut Counts,
        pause: &impl Fn(&RoundState, &Counts) -> bool,
    ) -> bool {
        let before = counts.decisions;
        let phase = self.state.phase();
        let may_play = self.agents[seat.index()].has_fast_path()
            || sink.shared_knowledge().is_some_and(|(_, possible)| possible.is_some());
        if may_play && (phase == Phase::Turn || is_answered_fast(phase)) {
            let (table, features) = (self.reborrow(), PhantomData::<P>);
            let play = BulkPlay { table, sink: sink.reborrow(), counts: *counts, pause, features };
            *counts = P::Isa::outline_kernel(play);
        }
        counts.decisions > before
    }

    /// The action of a seat that decides in turn.
    #[inline(never)]
    fn choose(&mut self, (knowledge, possible): SharedKnowledge<'_>, seat: Seat) -> Action {
        let observation = Observation::of(self.rules, self.state, knowledge, self.scores, seat);
        let agent = &mut self.agents[seat.index()];
        if let Some(possible) = possible
            && agent.reads_possible_cards()
        {
            possible.settle_begun(&observation);
            return agent.choose_by(&observation, possible);
        }
        match agent.perfect_information() {
            None => agent.choose(&observation),
            Some(seeing) => seeing.choose_with_perfect_information(self.state, &observation),
        }
    }

    /// The move after the next question, if seats may call, catch, or jump in; `None` if there is none yet.
    #[cold]
    fn ask_in_order(
        &mut self,
        (knowledge, possible): SharedKnowledge<'_>,
        order: &mut DecisionOrder,
        counts: &mut Counts,
    ) -> Option<Move> {
        let question = order.question(self.rules, self.state)?;
        counts.decisions += 1;
        counts.turns += u32::from(question.kind == DecisionKind::Turn);
        let observation = Observation::of(self.rules, self.state, knowledge, self.scores, question.seat);
        let agent = &mut self.agents[question.seat.index()];
        let answer = match question.kind {
            DecisionKind::Call { with } => match agent.call(&observation, with) {
                Call::Uno => Action::Uno,
                Call::Silent => Action::Silent,
            },
            kind if kind.is_interruption() => {
                let mut options = Vec::with_capacity(4);
                DecisionOrder::options_into(self.rules, self.state, question, &mut options);
                options.pop(); // agents answer `Silent` without being offered it
                agent.interrupt(&observation, &options)
            }
            _ => self.choose((knowledge, possible), question.seat),
        };
        order.answer(self.rules, self.state, question, answer)
    }

    /// Lets the seats call, catch and jump in after an action that did not come from this table, until no seat wants to
    /// do so.
    #[inline(always)]
    pub fn settle_interruptions<P: FeatureSet>(&mut self, after: Action) {
        if !DecisionOrder::has_interruptions(self.rules) {
            return;
        }
        let (mut order, counts) = (DecisionOrder::after(after), &mut Counts::default());
        while order.question(self.rules, self.state).is_some_and(|question| {
            question.kind.is_interruption() || matches!(question.kind, DecisionKind::Call { .. })
        }) {
            if let Some(made) = self.ask_in_order((Knowledge::NONE, &mut None), &mut order, counts) {
                let Move { seat, action, call } = made;
                self.state.apply_action_for::<P>(self.rules, seat, action, call, self.chance, &mut ());
            }
        }
    }

    #[inline(always)]
    fn apply<P: FeatureSet>(
        &mut self,
        Move { seat, action, call }: Move,
        sink: &mut impl TableSink,
        subscribers: SeatSet,
    ) {
        let Table { rules, agents, scores, state, chance } = self.reborrow();
        let mut sink = sink.reborrow();
        if sink.shared_knowledge().is_some() && !subscribers.is_empty() {
            // They take more time than the rules, so all of them share the code.
            let mut sink = SubscriberSink { rules, agents, scores, subscribers, sink };
            state.apply_action_unchecked(rules, seat, action, call, chance, &mut sink);
        } else if FastTurn::supports(rules) && matches!(state.phase(), Phase::Turn | Phase::Drawn(_)) {
            FastTurns::<P, _, _>::from(state, rules, chance, &mut sink).apply(action);
        } else {
            state.apply_action_for::<P>(rules, seat, action, call, chance, &mut sink);
        }
    }
}
