//! [`Rollouts`]: states played out with common random numbers.

use unolab_engine::action::{Action, Call};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::chance::{Chance, TaskResult};
use unolab_engine::color::Color;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{ButtonOdds, Features, Rules};
use unolab_engine::seat::{MAX_SEATS, Seat, SeatSet};
use unolab_engine::state::{Profile, RoundState};

use super::goal::Returns;
use super::policy::{Policy, PolicyPlayer};
use crate::table::Table;

/// Plays states out for one decision.
#[derive(Debug)]
pub(crate) struct Rollouts<'a> {
    rules: &'a Rules,
    scores: &'a [u32; MAX_SEATS],
    seat: Seat,
    returns: Returns<'a>,
    players: Vec<PolicyPlayer>,
    /// The players with their streams as they are at the beginning of each rollout in this world.
    at_begin: Vec<PolicyPlayer>,
    cards: CommonCards,
}

impl<'a> Rollouts<'a> {
    pub(crate) fn new(policy: Policy, observation: &Observation<'a>, returns: Returns<'a>, rng: &mut Rng) -> Self {
        let rules = observation.rules();
        let seats = 1 + observation.seats().iter().last().map_or(0, Seat::index);
        let players: Vec<PolicyPlayer> = (0..seats).map(|_| policy.make(rules, rng.fork())).collect();
        Self {
            rules,
            scores: observation.scores(),
            seat: observation.seat(),
            returns,
            at_begin: players.clone(),
            players,
            cards: CommonCards::new(rng.fork()),
        }
    }

    /// A new world: the rollouts from here on share its cards to come, and their players the same streams.
    pub(crate) fn begin_world(&mut self, world: &RoundState) {
        self.cards.begin_world(world);
        self.at_begin.clone_from(&self.players);
    }

    /// Does this first in the world, plays the round on, and values its end. `Silent` does nothing.
    #[inline(always)]
    pub(crate) fn play_out<P: Profile>(&mut self, world: &RoundState, action: Action) -> f64 {
        let mut state = *world;
        self.cards.begin_rollout();
        self.players.clone_from(&self.at_begin);
        if action != Action::Silent {
            let call = best_call(self.rules, &state, self.seat, action);
            state.apply_action::<P>(self.rules, self.seat, action, call, &mut self.cards, &mut ());
        }
        let mut table = Table { rules: self.rules, agents: &mut self.players, scores: self.scores };
        table.play_round::<P>(&mut state, &mut self.cards, &mut ());
        self.returns.of(&state)
    }
}

/// Calls UNO wherever that is possible.
pub(crate) fn best_call(rules: &Rules, state: &RoundState, seat: Seat, action: Action) -> Call {
    let may_call =
        rules.features().contains(Features::EXPLICIT_CALLS) && state.is_legal(rules, seat, action, Call::Uno);
    if may_call { Call::Uno } else { Call::Silent }
}

/// Cards to come in one world. The order of its draw pile is made up as far as it is needed, and is the same in all
/// rollouts there, though they draw more or fewer cards.
#[derive(Debug)]
struct CommonCards {
    order: Vec<Card>,
    /// The part of the draw pile that has no place in the order yet.
    rest: Cards,
    rest_len: u32,
    ordering: Rng,
    /// How many cards this rollout has drawn.
    drawn: usize,
    /// Everything else that is left to chance, and draws after a reshuffle.
    other: Rng,
    other_at_begin: Rng,
}

impl CommonCards {
    fn new(mut rng: Rng) -> Self {
        let (ordering, other) = (rng.fork(), rng.fork());
        let other_at_begin = other.clone();
        Self { order: Vec::new(), rest: Cards::EMPTY, rest_len: 0, ordering, drawn: 0, other, other_at_begin }
    }

    fn begin_world(&mut self, world: &RoundState) {
        self.order.clear();
        self.rest = world.draw_pile();
        self.rest_len = world.draw_pile_len();
        self.other_at_begin = self.ordering.fork();
    }

    fn begin_rollout(&mut self) {
        self.drawn = 0;
        self.other = self.other_at_begin.clone();
    }
}

impl Chance for CommonCards {
    #[inline]
    fn draw(&mut self, pile: Cards, len: u32) -> Card {
        let card = if let Some(&card) = self.order.get(self.drawn) {
            card
        } else if self.rest_len > 0 {
            let card = self.rest.nth(self.ordering.below(self.rest_len));
            self.rest.remove(card);
            self.rest_len -= 1;
            self.order.push(card);
            card
        } else {
            return self.other.draw(pile, len);
        };
        self.drawn += 1;
        card
    }

    fn button(&mut self, odds: &ButtonOdds) -> Color {
        self.other.button(odds)
    }

    fn task(&mut self, success: f64) -> TaskResult {
        self.other.task(success)
    }

    fn seat(&mut self, seats: SeatSet) -> Seat {
        self.other.seat(seats)
    }
}
