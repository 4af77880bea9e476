//! [`winning_actions`]: actions that are proven to win the round.
//!
//! A proof is a worst-case search. It holds in every world that the observation allows, for all draws and all actions of
//! others. There are two kinds of proofs:
//!
//! - **A line without interruption**: every card keeps the turn, up to the last one. The cards that others hold or draw are
//!   irrelevant. Only a challenge may intervene, and must not change the result.
//! - **One answer**: another seat takes one turn, and for all unseen cards that it may hold, play, or draw, such a line
//!   follows. This is possible if few cards are unseen.
//!
//! Only the engine advances the states, so the proofs apply the actual rules. Any other dependence on chance or on unseen
//! cards ends the proof without a result.

use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::chance::{Chance, TaskResult};
use unolab_engine::color::Color;
use unolab_engine::cpu::{Generic, Isa};
use unolab_engine::event::Event;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{ButtonOdds, Features, Rules, Special};
use unolab_engine::scoring::are_partners;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{Dealing, EventSink, Outcome, Phase, RoundState};

/// The maximum number of actions in a proof.
const PATIENCE: u32 = 4_000;

/// The actions of a seat that certainly win the round for its side.
#[must_use]
pub fn winning_actions(observation: &Observation<'_>, actions: &[Action]) -> Vec<Action> {
    // This could discard the last card of an unseen hand.
    if observation.rules().makes_players_discard() {
        return Vec::new();
    }
    let world = observation.sample_state(&mut Rng::from_seed(0)); // which one it is makes no difference
    let prover = Prover { rules: observation.rules(), seat: observation.seat(), patience: PATIENCE };
    let wins = |&&action: &&Action| {
        let mut prover = prover;
        prover.leads_to_win(&world, action) || prover.wins_after_answer(observation, action)
    };
    actions.iter().filter(wins).copied().collect()
}

/// Searches for proofs for one seat.
#[derive(Debug, Clone, Copy)]
struct Prover<'a> {
    rules: &'a Rules,
    seat: Seat,
    patience: u32,
}

impl Prover<'_> {
    /// Whether an action of the seat leads to a line without interruption. Only the visible part of the state matters.
    fn leads_to_win(&mut self, state: &RoundState, action: Action) -> bool {
        self.after(state, self.seat, action, None).is_some_and(|next| self.is_won(&next))
    }

    fn is_won(&mut self, state: &RoundState) -> bool {
        let (rules, seat) = (self.rules, self.seat);
        match (state.outcome(), state.current_seat()) {
            (Some(Outcome::WentOut(winner)), _) => are_partners(rules.parameters().teams, winner, seat),
            (None, _) if rules.features().contains(Features::JUMP_IN) => false,
            (None, Some(to_act)) if to_act == seat => {
                state.legal_actions(rules).into_iter().any(|action| self.leads_to_win(state, action))
            }
            // The asked seat may accept or challenge, with any hand.
            (None, Some(to_act)) if self.is_plain_challenge(state) => {
                let mut answers = state.legal_actions(rules).into_iter();
                answers.all(|answer| self.after(state, to_act, answer, None).is_some_and(|next| self.is_won(&next)))
            }
            _ => false,
        }
    }

    fn is_plain_challenge(&self, state: &RoundState) -> bool {
        matches!(state.phase(), Phase::Challenge(_)) && !self.rules.features().contains(Features::STACKING)
    }

    /// Whether the round is won after one answer of another seat, regardless of its hand.
    fn wins_after_answer(&mut self, observation: &Observation<'_>, action: Action) -> bool {
        let rules = self.rules;
        // With other features, the legal actions depend on the rest of the hand.
        const JUDGED: Features = Features::CHALLENGES
            .with(Features::DRAWN_MUST_BE_PLAYED)
            .with(Features::STEPS)
            .with(Features::EXPLICIT_CALLS)
            .with(Features::MISSED_TURNS);
        if !JUDGED.contains(rules.features()) {
            return false;
        }
        let any_world = observation.sample_state(&mut Rng::from_seed(0));
        let Some(answering) = self.passes_turn(&any_world, action).and_then(|next| next.current_seat()) else {
            return false;
        };
        let unseen = observation.unseen().distinct();
        let mut withstands = |place: Place, answer: fn(&mut Self, &RoundState, Seat, Card) -> bool| {
            unseen.iter().all(|card| {
                let world = CardPlacement { card, place }.world(observation);
                self.passes_turn(&world, action).is_some_and(|next| answer(self, &next, answering, card))
            })
        };
        withstands(Place::HandOf(answering), Self::withstands_plays)
            && withstands(Place::DrawPile, Self::withstands_draw)
    }

    /// The state after an action that gives another seat an ordinary turn.
    fn passes_turn(&mut self, state: &RoundState, action: Action) -> Option<RoundState> {
        let next = self.after(state, self.seat, action, None)?;
        (next.current_seat() != Some(self.seat) && next.phase() == Phase::Turn).then_some(next)
    }

    /// Whether the proof holds if the seat plays this card, in case it is a hidden one.
    fn withstands_plays(&mut self, state: &RoundState, seat: Seat, _card: Card) -> bool {
        let mut plays = state.legal_actions(self.rules).into_iter().filter(|action| action.card().is_some());
        plays.all(|play| self.after(state, seat, play, None).is_some_and(|next| self.is_won(&next)))
    }

    /// Whether the proof holds if the seat draws this card, and plays it or not.
    fn withstands_draw(&mut self, state: &RoundState, seat: Seat, drawn: Card) -> bool {
        let mut others = state.legal_actions(self.rules).into_iter().filter(|action| action.card().is_none());
        others.all(|action| {
            let Some(next) = self.after(state, seat, action, Some(drawn)) else { return false };
            match next.phase() {
                Phase::Drawn(_) => next
                    .legal_actions(self.rules)
                    .into_iter()
                    .all(|action| self.after(&next, seat, action, None).is_some_and(|last| self.is_won(&last))),
                _ => self.is_won(&next),
            }
        })
    }

    /// The state after an action; `None` if it depends on information that the searching seat does not have.
    fn after(&mut self, state: &RoundState, seat: Seat, action: Action, drawn: Option<Card>) -> Option<RoundState> {
        self.patience = self.patience.checked_sub(1)?;
        if seat == self.seat && action == Action::Challenge {
            return None; // it depends on an unseen hand
        }
        let rules = self.rules;
        let mut next = *state;
        let call = if state.is_legal(rules, seat, action, Call::Uno) { Call::Uno } else { Call::Silent };
        let mut watch = Watch { rules, seat: self.seat, is_unsure: false };
        next.apply_action_unchecked(rules, seat, action, call, &mut ArbitraryChance { drawn }, &mut watch);
        (!watch.is_unsure).then_some(next)
    }
}

/// Detects dependence on chance or on hidden cards.
struct Watch<'a> {
    rules: &'a Rules,
    seat: Seat,
    is_unsure: bool,
}

impl EventSink for Watch<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        let by_chance_or_unseen = matches!(
            event,
            Event::Button(_)
                | Event::Task(_)
                | Event::Chosen(_)
                | Event::Moved { .. }
                | Event::Swapped(..)
                | Event::Rotated { .. }
                | Event::Redealt { .. }
        );
        self.is_unsure |= match event {
            Event::Drew { seat, .. } if seat == self.seat => true,
            // A seat with a suitable card could have answered instead of drawing.
            Event::Drew { .. } => {
                self.rules.features().contains(Features::STACKING)
                    || self.rules.of_special(Special::VillainDrawFour).contains(state.top())
            }
            _ => by_chance_or_unseen,
        };
    }
}

/// Draws arbitrary cards, except the first one.
struct ArbitraryChance {
    drawn: Option<Card>,
}

impl Chance for ArbitraryChance {
    fn draw(&mut self, pile: Cards, _len: u32) -> Card {
        self.drawn.take().filter(|&card| pile.contains(card)).unwrap_or_else(|| pile.nth(0))
    }
    fn card_of_hand(&mut self, hand: Cards, _len: u32) -> Card {
        hand.nth(0)
    }
    fn button(&mut self, _odds: &ButtonOdds) -> Color {
        Color::Red
    }
    fn task(&mut self, _success: f64) -> TaskResult {
        TaskResult::Done
    }
    fn seat(&mut self, seats: SeatSet) -> Seat {
        seats.iter().next().expect("one of the seats")
    }
}

/// Places as many copies of a card as possible.
#[derive(Debug, Clone, Copy)]
struct CardPlacement {
    card: Card,
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    HandOf(Seat),
    DrawPile,
}

impl CardPlacement {
    fn world(mut self, observation: &Observation<'_>) -> RoundState {
        observation.sample_state_dealt::<Generic>(&mut self, &mut Rng::from_seed(0))
    }
}

impl Dealing for CardPlacement {
    fn next_card<M: Isa>(&mut self, seat: Seat, heap: Cards, _len: u32, _rng: &mut Rng) -> Card {
        let card = CardSet::of(self.card);
        let wanted = if self.place == Place::HandOf(seat) { card } else { heap.distinct() - card };
        let open = heap.only(wanted);
        if open.is_empty() { heap.nth(0) } else { open.nth(0) }
    }
}
