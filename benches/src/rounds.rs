//! Whole rounds between one agent or several.

use unolab_agents::player::Player;
use unolab_agents::registry::AgentSpec;
use unolab_agents::table::{Ending, Table};
use unolab_engine::fast::BatchRound;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::match_play::first_dealer_on;
use unolab_engine::observation::NO_SCORES;
use unolab_engine::rng::{Purpose, Rng, SetKey};
use unolab_engine::rules::{AllFeatures, FeatureSet, Rules, RulesKernel};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

use crate::step_by_step::{Until, play_on};
use crate::{SEED, Totals};

/// Consecutive rounds, on the code path of tournaments.
#[derive(Debug, Clone, Copy)]
pub struct Rounds<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The agents. They fill the seats in order, and move one seat further in each round.
    pub agents: &'a [AgentSpec],
    /// The number of seats.
    pub seats: usize,
    /// The number of rounds.
    pub count: u64,
}

impl RulesKernel for Rounds<'_> {
    type Output = Totals;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Totals {
        let Self { rules, agents: specs, seats, count } = self;
        let mut totals = Totals::default();
        let mut agents = Vec::with_capacity(seats);
        let mut state = BatchRound::vacant(rules).state;
        for set in 0..count {
            let mut cards = redeal::<P>(&mut state, rules, seats, set, &mut ());
            seat_agents(&mut agents, rules, specs, seats, SEED, set);
            let mut table =
                Table { rules, agents: &mut agents, scores: &NO_SCORES, state: &mut state, chance: &mut cards };
            let (counts, ending) = table.play_round::<P>(());
            debug_assert_eq!(ending, Ending::Finished);
            totals.add(&state, counts);
        }
        totals
    }
}

impl Rounds<'_> {
    /// The same rounds, step by step.
    #[must_use]
    pub fn step_by_step(self) -> Totals {
        let Self { rules, agents: specs, seats, count } = self;
        let mut totals = Totals::default();
        let mut agents = Vec::new();
        for set in 0..count {
            let mut knowledge = Knowledge::default();
            let (mut state, mut cards) = deal::<AllFeatures>(rules, seats, set, &mut knowledge);
            seat_agents(&mut agents, rules, specs, seats, SEED, set);
            let counts = play_on(rules, &mut state, &mut agents, &mut cards, &mut knowledge, Until::Over);
            totals.add(&state, counts);
        }
        totals
    }
}

/// A round of this set, and its random stream.
#[inline(always)]
pub fn deal<P: FeatureSet>(rules: &Rules, seats: usize, set: u64, events: &mut impl EventSink) -> (RoundState, Rng) {
    let mut state = BatchRound::vacant(rules).state;
    let cards = redeal::<P>(&mut state, rules, seats, set, events);
    (state, cards)
}

/// Deals a round of this set in the place of another round.
#[inline(always)]
pub fn redeal<P: FeatureSet>(
    state: &mut RoundState,
    rules: &Rules,
    seats: usize,
    set: u64,
    events: &mut impl EventSink,
) -> Rng {
    let key = SetKey::of(SEED, set);
    let dealer = first_dealer_on::<P::Isa>(rules, seats, &mut key.stream(Purpose::Dealer));
    let mut cards = key.stream(Purpose::Cards { round: 0 });
    state.redeal_for::<P>(rules, SeatSet::first(seats), dealer, &mut cards, events);
    cards
}

/// Creates the agents of a game, each with the random stream of its seat.
///
/// # Panics
/// If there is no spec.
#[inline(always)]
pub fn seat_agents(agents: &mut Vec<Player>, rules: &Rules, specs: &[AgentSpec], seats: usize, seed: u64, set: u64) {
    let key = SetKey::of(seed, set);
    agents.clear();
    let mut in_turn = (set..).map(|at| &specs[usize::try_from(at % specs.len() as u64).expect("an index")]);
    agents.extend(Seat::first(seats).map(|seat| {
        let spec = in_turn.next().expect("every seat has an agent");
        spec.make(rules, seat, key.stream(Purpose::Agent(seat)))
    }));
}
