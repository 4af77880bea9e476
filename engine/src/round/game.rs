//! A round in progress: decisions, answers, and queries.

use std::borrow::Borrow;

use super::history::{History, Origin};
use super::order::{DecisionKind, DecisionOrder, Move, Question};
use crate::action::Action;
use crate::chance::Chance;
use crate::event::VisibleEvent;
use crate::implication::Implication;
use crate::knowledge::Knowledge;
use crate::observation::Observation;
use crate::rng::Rng;
use crate::rules::{AllFeatures, Rules};
use crate::scoring::RoundResult;
use crate::seat::{BySeat, Seat};
use crate::state::{EventSink, IllegalAction, RoundState};

/// The number of decisions after which a round is truncated and counts as void. Only a faulty agent causes a round of this
/// length.
pub const MAX_DECISIONS: u32 = 10_000;

/// A round in progress: rules, state, the knowledge of each seat, and chance.
///
/// Get the [`decision`](Self::decision) and [`apply`](Self::apply) one of its actions, until there is no decision. Calls,
/// catches, and jump-ins are decisions too and come in the order of the rules, if the rules have them.
///
/// The rules may be borrowed (`Round<&Rules>`), shared (`Round<Arc<Rules>>`) or owned (`Round<Rules>`). Chance is an [`Rng`]
/// by default; see [`Round::deal_by`] for another source.
#[derive(Debug, Clone)]
pub struct Round<R, C = Rng> {
    pub(super) rules: R,
    pub(super) state: RoundState,
    pub(super) chance: C,
    pub(super) seen: History,
    pub(super) scores: BySeat<u32>,
    pub(super) order: DecisionOrder,
    pub(super) asked: Option<Question>,
    /// The possible answers.
    pub(super) actions: Vec<Action>,
    pub(super) decisions: u32,
    pub(super) turns: u32,
    pub(super) origin: Option<Origin>,
}

/// The decision that a round waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision<'a> {
    /// The seat that decides.
    pub seat: Seat,
    /// Its kind.
    pub kind: DecisionKind,
    /// The legal actions in the order of the engine, at least one. For a call they are [`Action::Uno`] and
    /// [`Action::Silent`]; out of turn the last one is [`Action::Silent`].
    pub actions: &'a [Action],
}

/// Why an action was not applied. The round is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// It is not one of the legal actions of the decision.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
    /// The round is over.
    #[error("{action}: the round is over")]
    Over {
        /// The action in the notation.
        action: String,
    },
}

impl<R: Borrow<Rules>, C: Chance> Round<R, C> {
    /// The seat that decides; `None` when the round is over.
    #[must_use]
    pub fn current_seat(&self) -> Option<Seat> {
        self.asked.map(|question| question.seat)
    }

    /// The pending decision; `None` when the round is over.
    #[must_use]
    pub fn decision(&self) -> Option<Decision<'_>> {
        let Question { seat, kind } = self.asked?;
        Some(Decision { seat, kind, actions: &self.actions })
    }

    /// The legal actions of the decision, in the order of the engine; none when the round is over.
    #[must_use]
    pub fn legal_actions(&self) -> &[Action] {
        &self.actions
    }

    /// Answers the decision. If UNO may be called with the action, the decision whether to call comes next, and the action
    /// happens after it.
    ///
    /// # Errors
    /// The action is not one of the legal ones, or the round is over. Nothing has changed then.
    pub fn apply(&mut self, action: Action) -> Result<(), ApplyError> {
        self.check(action)?;
        self.answer(action, &mut ());
        Ok(())
    }

    /// [`Round::apply`] with an [`EventSink`], which receives every event with the state after it.
    ///
    /// # Errors
    /// As [`Round::apply`].
    pub fn apply_with_events(&mut self, action: Action, mut events: &mut dyn EventSink) -> Result<(), ApplyError> {
        self.check(action)?;
        self.answer(action, &mut events);
        Ok(())
    }

    /// Answers the decision with an action that is known to be legal. An illegal action leaves a meaningless round, but is
    /// memory-safe. After the end it has no effect.
    ///
    /// # Panics
    /// In debug builds, if the action is not legal.
    pub fn apply_unchecked(&mut self, action: Action) {
        debug_assert!(self.actions.contains(&action), "{action:?} is not legal");
        self.answer(action, &mut ());
    }

    fn check(&self, action: Action) -> Result<(), ApplyError> {
        let rules = self.rules.borrow();
        let Some(Question { seat, .. }) = self.asked else {
            return Err(ApplyError::Over { action: rules.display(action).to_string() });
        };
        if !self.actions.contains(&action) {
            return Err(IllegalAction::new(rules, seat, action, &self.actions).into());
        }
        Ok(())
    }

    fn answer(&mut self, action: Action, events: &mut impl EventSink) {
        let Some(question) = self.asked else { return };
        let rules = self.rules.borrow();
        self.decisions += 1;
        self.turns += u32::from(question.kind == DecisionKind::Turn);
        if let Some(Move { seat, action, call }) = self.order.answer(rules, &self.state, question, action) {
            let mut sink = (&mut self.seen, events);
            self.state.apply_action_for::<AllFeatures>(rules, seat, action, call, &mut self.chance, &mut sink);
        }
        self.find_decision();
    }

    /// Asks all seats about the open windows for UNO calls again. Needed for play in real time: a seat that was silent before
    /// may call now, and the first call takes effect before any action.
    pub fn ask_windows_again(&mut self) {
        if self.asked.is_some() {
            self.order.ask_windows_again();
            self.find_decision();
        }
    }

    /// Finds the next decision.
    pub(super) fn find_decision(&mut self) {
        let rules = self.rules.borrow();
        self.asked = if self.decisions < MAX_DECISIONS { self.order.question(rules, &self.state) } else { None };
        match self.asked {
            Some(question) => DecisionOrder::options_into(rules, &self.state, question, &mut self.actions),
            None => self.actions.clear(),
        }
    }

    /// The observation of a seat.
    #[must_use]
    pub fn observation(&self, seat: Seat) -> Observation<'_> {
        Observation::of(self.rules.borrow(), &self.state, self.seen.knowledge(), &self.scores, seat)
    }

    /// Everything that this seat has seen, in order, from the first card turned up.
    ///
    /// In a round made by [`Round::sample`], earlier draws of other seats are hidden from all seats.
    pub fn history(&self, seat: Seat) -> impl Iterator<Item = VisibleEvent> + '_ {
        self.seen.events().iter().filter_map(move |seen| seen.as_seen_by(seat))
    }

    /// The number of events so far, including those that only some seats notice.
    #[must_use]
    pub fn num_events(&self) -> usize {
        self.seen.events().len()
    }

    /// Adds an implication of a restriction that is not a rule, such as
    /// [`VoluntaryDraw::Hidden`](crate::encoding::VoluntaryDraw). Later samples agree with it.
    pub fn imply(&mut self, implication: Implication) {
        self.seen.note(implication);
    }

    /// Whether the round has ended, by the rules or by [`MAX_DECISIONS`].
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        self.asked.is_none()
    }

    /// Whether the round has been truncated at [`MAX_DECISIONS`]. It then counts as void.
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        self.asked.is_none() && !self.state.is_terminal()
    }

    /// Each seat's share of the win; zeros before the end. Partners share a win equally, and without a winner all seats do.
    /// The sum is 1.
    #[must_use]
    pub fn returns(&self) -> Vec<f64> {
        let seats = self.state.dealt_seats();
        let mut shares = vec![0.0; seats.end()];
        if self.is_terminal() {
            let places = self.result().places;
            let has_won = |seat: &Seat| self.is_truncated() || places[*seat] == 1;
            let winners: Vec<Seat> = seats.iter().filter(has_won).collect();
            winners.iter().for_each(|seat| shares[seat.index()] = 1.0 / winners.len() as f64);
        }
        shares
    }

    /// The points credited to each seat; zeros before the end and in a void round.
    #[must_use]
    pub fn points(&self) -> Vec<u32> {
        self.result().points.first(self.state.dealt_seats().end()).to_vec()
    }

    /// Points and places; zeros before the end and in a truncated round.
    #[must_use]
    pub fn result(&self) -> RoundResult {
        RoundResult::of(self.rules.borrow(), &self.state)
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.rules.borrow()
    }

    /// The state of the round, including hidden cards. It does not include an action that is chosen but waits for its call.
    #[must_use]
    pub const fn state(&self) -> &RoundState {
        &self.state
    }

    /// The cards that the seats have seen in each other's hands. See [`Round::implied_knowledge`] for what the rules imply.
    #[must_use]
    pub const fn knowledge(&self) -> &Knowledge {
        self.seen.knowledge()
    }

    /// The match scores by seat, before the round.
    #[must_use]
    pub const fn scores(&self) -> &BySeat<u32> {
        &self.scores
    }

    /// Decisions so far, forced ones too.
    #[must_use]
    pub const fn decisions(&self) -> u32 {
        self.decisions
    }

    /// The turns of all seats so far, without missed turns.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// A round that this seat cannot distinguish from this one: the unseen cards are redealt as
    /// [`Observation::sample_state`] does with [all that the rules imply](Round::implied_knowledge), and chance continues with `rng`.
    /// A seat with a jump-in decision holds the card. The sample has no record, and its history is the view of this seat.
    #[must_use]
    pub fn sample(&self, seat: Seat, rng: &mut Rng) -> Round<R>
    where
        R: Clone,
    {
        let mut order = self.order;
        let mut must_hold = None;
        match self.asked {
            // An action that another seat has chosen but not yet done is hidden from all other seats.
            Some(Question { seat: asked, .. }) if asked != seat => {
                order = order.before_choice();
                if order.asks_for_jump_in() {
                    must_hold = Some((asked, self.state.top()));
                }
            }
            _ => {}
        }
        let knowledge = self.implied_knowledge();
        let observation = Observation::of(self.rules.borrow(), &self.state, &knowledge, &self.scores, seat);
        let state = observation.sample_state_where(must_hold, rng);
        let mut sampled = Round {
            rules: self.rules.clone(),
            state,
            chance: rng.fork(),
            seen: History::going_on(self.history(seat).collect(), observation.knowledge(), state),
            scores: self.scores,
            order,
            asked: None,
            actions: Vec::new(),
            decisions: self.decisions,
            turns: self.turns,
            origin: None,
        };
        if !self.is_terminal() {
            sampled.find_decision();
        }
        sampled
    }
}

impl<R: Borrow<Rules>, C> std::fmt::Display for Round<R, C> {
    /// The position as [`RoundState::to_text`] writes it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.state.to_text(self.rules.borrow()))
    }
}
