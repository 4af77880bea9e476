//! [`Rollouts`]: plays states out with common random numbers.

use std::marker::PhantomData;

use unolab_engine::action::{Action, Call};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::chance::{Chance, TaskResult};
use unolab_engine::color::Color;
use unolab_engine::cpu::{Generic, Isa, Kernel};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{ButtonOdds, FeatureSet, Features, Rules};
use unolab_engine::seat::{BySeat, MAX_SEATS, Seat, SeatSet};
use unolab_engine::state::{Phase, RoundState};

use super::evaluator::StateEvaluator;
use super::policy::{Policies, Policy, PolicyPlayer};
use super::returns::Returns;
use crate::agent::Agent;
use crate::table::{Counts, Table};

/// How rounds are played out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolloutSettings {
    /// The policies of the other seats.
    pub others: Policies,
    /// The policy of the searching seat.
    pub own: Policy,
    /// The number of rollouts from the end of each trial.
    pub playouts: usize,
    /// The number of turns of every seat after which a rollout is cut and evaluated from the hands; 0: never. Rollouts
    /// are cut only if the goal is to win rounds and hands stay with their seats.
    pub laps: u32,
}

/// A playout with more decisions is truncated, so that a small budget never takes long: its hands are evaluated if `laps`
/// allows it, and otherwise it counts as an even round. Rollouts of the editions are shorter.
const MOST_DECISIONS: u32 = 2_000;

/// Plays rollouts for one decision.
#[derive(Debug)]
pub(crate) struct Rollouts<'a> {
    rules: &'a Rules,
    scores: &'a BySeat<u32>,
    returns: Returns<'a>,
    evaluator: StateEvaluator<'a>,
    /// The number of turns after which a rollout is cut.
    turns: u32,
    players: Vec<PolicyPlayer>,
    /// For each policy of the others, a player in every seat.
    casts: Vec<Vec<PolicyPlayer>>,
    casting: Rng,
    own: Seat,
    /// The players, with their streams at the beginning of each trial in this world.
    at_begin: Vec<PolicyPlayer>,
    cards: CommonCards,
}

impl<'a> Rollouts<'a> {
    pub(crate) fn new(
        RolloutSettings { others, own, playouts, laps }: RolloutSettings,
        returns: Returns<'a>,
        observation: &Observation<'a>,
        rng: &mut Rng,
    ) -> Self {
        let rules = observation.rules();
        let seats = 1 + observation.seats().iter().last().map_or(0, Seat::index);
        let at_table = observation.seats().len();
        let policy_of = |seat: usize| if seat == observation.seat().index() { own } else { others.first() };
        let player = |policy: Policy, rng: &mut Rng| policy.make(rules, at_table, rng.fork());
        let players: Vec<PolicyPlayer> = (0..seats).map(|seat| player(policy_of(seat), rng)).collect();
        let cards = CommonCards::new(playouts, rng);
        let mut casts = vec![players.clone()];
        casts.extend(others.iter().skip(1).map(|policy| (0..seats).map(|_| player(policy, rng)).collect()));
        Self {
            rules,
            scores: observation.scores(),
            returns,
            evaluator: StateEvaluator::new(rules),
            turns: if laps > 0 && returns.are_chances() && StateEvaluator::can_judge(rules) {
                laps * u32::try_from(observation.seats().len()).expect("at most ten seats")
            } else {
                u32::MAX
            },
            at_begin: players.clone(),
            players,
            casting: rng.fork(),
            casts,
            own: observation.seat(),
            cards,
        }
    }

    /// Begins a new world: its trials share the future cards and the streams of the players.
    pub(crate) fn begin_world(&mut self, world: &RoundState) {
        self.cards.begin_world(world);
        if let [_, _, ..] = self.casts[..] {
            for (seat, player) in self.players.iter_mut().enumerate().filter(|(seat, _)| *seat != self.own.index()) {
                let cast = self.casting.pick(&self.casts).expect("a policy at least");
                player.clone_from(&cast[seat]);
            }
        }
        self.at_begin.clone_from(&self.players);
    }

    /// Begins a trial from the beginning of this world.
    pub(crate) fn begin_trial(&mut self) {
        self.cards.begin_trial();
        self.players.clone_from(&self.at_begin);
    }

    /// Applies this action, and all out-of-turn actions that follow it. `Silent` has no effect.
    #[inline(always)]
    pub(crate) fn act<P: FeatureSet>(&mut self, state: &mut RoundState, seat: Seat, action: Action) {
        if action != Action::Silent {
            let call = self.best_call(state, seat, action);
            state.apply_action_for::<P>(self.rules, seat, action, call, &mut self.cards, &mut ());
        }
        let mut table =
            Table { rules: self.rules, agents: &mut self.players, scores: self.scores, state, chance: &mut self.cards };
        table.settle_interruptions::<P>(action);
    }

    /// Calls UNO wherever that is possible.
    fn best_call(&self, state: &RoundState, seat: Seat, action: Action) -> Call {
        let may_call = self.rules.features().contains(Features::EXPLICIT_CALLS)
            && state.is_legal(self.rules, seat, action, Call::Uno);
        if may_call { Call::Uno } else { Call::Silent }
    }

    /// The action of the rule-based player in this seat, by its hand and the open cards.
    pub(crate) fn policy_action(&mut self, state: &RoundState, seat: Seat) -> Action {
        let knowledge = Knowledge::default();
        let observation = Observation::of(self.rules, state, &knowledge, self.scores, seat);
        self.players[seat.index()].choose(&observation)
    }

    /// Plays the round out from here, and returns its mean value for each of these seats over all playouts.
    #[inline(always)]
    pub(crate) fn play_out<P: FeatureSet>(&mut self, from: &RoundState, seats: SeatSet) -> [f64; MAX_SEATS] {
        P::Isa::outline_kernel(PlayOut::<P> { rollouts: self, from, seats, features: PhantomData })
    }
}

/// Plays a round out. A separate function, so that searching and valuation share it.
struct PlayOut<'r, 'a, P> {
    rollouts: &'r mut Rollouts<'a>,
    from: &'r RoundState,
    seats: SeatSet,
    features: PhantomData<P>,
}

impl<P: FeatureSet> Kernel for PlayOut<'_, '_, P> {
    type Output = [f64; MAX_SEATS];

    #[inline(always)]
    fn run<M: Isa>(self) -> [f64; MAX_SEATS] {
        let Self {
            rollouts: Rollouts { rules, scores, returns, evaluator, turns, players, cards, .. },
            from,
            seats,
            ..
        } = self;
        let mut values = [0.0; MAX_SEATS];
        let playouts = cards.lanes.len();
        let turns = *turns;
        let is_cut = |state: &RoundState, counts: &Counts| {
            counts.turns >= turns && state.phase() == Phase::Turn || counts.decisions >= MOST_DECISIONS
        };
        for playout in 0..playouts {
            let mut state = *from;
            cards.take_lane(playout);
            let mut table = Table { rules, agents: players, scores, state: &mut state, chance: cards };
            table.play_without_subscribers::<P>((), &mut Counts::default(), is_cut);
            if turns < u32::MAX && !state.is_terminal() {
                let chances = evaluator.chances(&state, seats);
                values.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += chance);
            } else {
                seats.iter().for_each(|seat| values[seat.index()] += returns.of(&state, seat));
            }
        }
        values.map(|sum| sum / playouts as f64)
    }
}

/// The future cards of one world. The order of its draw pile is generated on demand, and is the same in all its trials,
/// although they draw different numbers of cards. Each further playout of a trial has a different order.
#[derive(Debug)]
struct CommonCards {
    lanes: Vec<Lane>,
    /// The lane in use.
    lane: usize,
    /// The used part of its order.
    used: usize,
    /// All other chance events, and draws after a reshuffle.
    other: Rng,
    other_at_begin: Rng,
    ordering: Rng,
}

/// An order of the draw pile.
#[derive(Debug, Clone, Default)]
struct Lane {
    order: Vec<Card>,
    /// The cards that are not yet in the order.
    rest: Cards,
    rest_len: u32,
}

impl CommonCards {
    fn new(playouts: usize, rng: &mut Rng) -> Self {
        let (ordering, other) = (rng.fork(), rng.fork());
        let lanes = vec![Lane::default(); playouts];
        Self { lanes, lane: 0, used: 0, other_at_begin: other.clone(), other, ordering }
    }

    fn begin_world(&mut self, world: &RoundState) {
        for lane in &mut self.lanes {
            lane.order.clear();
            lane.rest = world.draw_pile();
            lane.rest_len = world.draw_pile_len();
        }
        self.other_at_begin = self.ordering.fork();
    }

    fn begin_trial(&mut self) {
        self.lane = 0;
        self.used = 0;
        self.other = self.other_at_begin.clone();
    }

    /// The first lane continues from its position; every other lane begins here.
    const fn take_lane(&mut self, lane: usize) {
        if lane > 0 {
            self.lane = lane;
            self.used = 0;
        }
    }
}

impl Chance for CommonCards {
    fn draw(&mut self, mut pile: Cards, len: u32) -> Card {
        self.draw_from::<Generic>(&mut pile, len)
    }

    #[inline(always)]
    fn draw_from<M: Isa>(&mut self, pile: &mut Cards, len: u32) -> Card {
        let lane = &mut self.lanes[self.lane];
        loop {
            let card = match lane.order.get(self.used) {
                Some(&card) => card,
                None if lane.rest_len == 0 => return self.other.draw_from::<M>(pile, len),
                None => {
                    let card = lane.rest.take_nth_on::<M>(self.ordering.below(lane.rest_len));
                    lane.rest_len -= 1;
                    lane.order.push(card);
                    card
                }
            };
            self.used += 1;
            // A card may have been drawn already before this lane was used.
            if pile.contains(card) {
                pile.remove(card);
                return card;
            }
        }
    }

    fn card_of_hand(&mut self, hand: Cards, len: u32) -> Card {
        self.other.draw(hand, len)
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

#[cfg(test)]
mod tests {
    use unolab_engine::rules::{AllFeatures, PresetsOnly, TableSize, load};

    use super::*;

    #[test]
    fn same_action_in_same_world_is_deterministic() {
        let rules = load("classic", &[], TableSize::Seats(3), &PresetsOnly).unwrap().rules;
        let mut rng = Rng::from_seed(1);
        let mut wins = 0;
        for _ in 0..20 {
            let seats = SeatSet::first(3);
            let world = RoundState::deal(&rules, seats, Seat::new(0), &mut rng, &mut ());
            let seat = world.current_seat().unwrap();
            let (knowledge, scores) = (Knowledge::default(), BySeat::default());
            let observation = Observation::of(&rules, &world, &knowledge, &scores, seat);
            let playing =
                RolloutSettings { others: Policies::one(Policy::Random), own: Policy::Random, playouts: 1, laps: 0 };
            let returns = Returns::new(crate::goal::Goal::Win, &observation);
            let mut rollouts = Rollouts::new(playing, returns, &observation, &mut rng);
            rollouts.begin_world(&world);
            let mut win_of_each = || {
                let mut state = world;
                rollouts.begin_trial();
                rollouts.act::<AllFeatures>(&mut state, seat, world.legal_actions(&rules)[0]);
                rollouts.play_out::<AllFeatures>(&state, seats).map(|value| value > 0.5)
            };
            let values = win_of_each();
            for _ in 0..5 {
                assert_eq!(win_of_each(), values, "cards to come and players are the same each time");
            }
            wins += u32::from(values[seat.index()]);
        }
        assert!(wins > 0 && wins < 20, "another world may have another result");
    }

    #[test]
    fn trials_of_a_world_share_future_cards() {
        let rules = load("classic", &[], TableSize::Seats(2), &PresetsOnly).unwrap().rules;
        let mut rng = Rng::from_seed(1);
        let world = RoundState::deal(&rules, SeatSet::first(2), Seat::new(0), &mut rng, &mut ());
        let mut cards = CommonCards::new(2, &mut rng);
        cards.begin_world(&world);
        let mut draw_all = |lane: usize, first: usize| {
            let (mut pile, mut drawn) = (world.draw_pile(), Vec::new());
            cards.begin_trial();
            while !pile.is_empty() {
                if drawn.len() == first {
                    cards.take_lane(lane);
                }
                let card = cards.draw(pile, pile.len());
                assert!(pile.contains(card));
                pile.remove(card);
                drawn.push(card);
            }
            drawn
        };
        let order = draw_all(0, 0);
        assert_eq!(draw_all(0, 0), order);
        let branched = draw_all(1, 5);
        assert_eq!(branched[..5], order[..5]);
        assert_ne!(branched, order);
        assert_eq!(branched.into_iter().collect::<Cards>(), order.into_iter().collect::<Cards>());
    }
}
