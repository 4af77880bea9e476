//! Rollouts as in a search: a position is copied, its unseen cards are dealt again, and random agents play the round to its
//! end.

use std::time::{Duration, Instant};

use rayon::ThreadPool;
use unolab_agents::agent::Agent;
use unolab_agents::random::{Random, Uniform};
use unolab_agents::simd_batch::{Exhausted, RoundBatch, Rounds};
use unolab_agents::table::Ending;
use unolab_engine::action::Call;
use unolab_engine::cpu::{Isa, Kernel, dispatch};
use unolab_engine::fast::BatchRound;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::match_play::first_dealer;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{Phase, RoundState};

/// The number of positions, which are used in rotation.
const POSITIONS: usize = 1024;

/// The number of turns of a round before each position.
const TURNS: u32 = 24;

/// The number of rollouts between two readings of the clock.
const AT_A_TIME: usize = 64;

/// A round in the middle, before a turn.
#[derive(Debug, Clone)]
pub struct Position {
    state: RoundState,
    knowledge: Knowledge,
    to_act: Seat,
}

/// The positions of a variant: the first rounds by seed that last long enough.
#[must_use]
pub fn positions(rules: &Rules, seats: usize) -> Vec<Position> {
    // If few rounds last that long, fewer positions are used.
    const MOST_ROUNDS: u64 = 200_000;
    (0..MOST_ROUNDS).filter_map(|set| position(rules, seats, set)).take(POSITIONS).collect()
}

fn position(rules: &Rules, seats: usize, set: u64) -> Option<Position> {
    let keyed = |purpose| Rng::keyed(1, set, purpose);
    let dealer = first_dealer(rules, seats, &mut keyed(Purpose::Dealer));
    let (mut cards, mut knowledge) = (keyed(Purpose::Cards { round: 0 }), Knowledge::default());
    let mut state = RoundState::deal(rules, SeatSet::first(seats), dealer, &mut cards, &mut knowledge);
    let mut agents: Vec<Random> =
        Seat::first(seats).map(|seat| Random::new(Uniform::Cards, keyed(Purpose::Agent(seat)))).collect();
    let mut turns = 0;
    while let Some(to_act) = state.current_seat() {
        if state.phase() == Phase::Turn {
            if turns == TURNS {
                return Some(Position { state, knowledge, to_act });
            }
            turns += 1;
        }
        let action = agents[to_act.index()].choose(&Observation::of(rules, &state, &knowledge, &NO_SCORES, to_act));
        state.apply_action_unchecked(rules, to_act, action, Call::Silent, &mut cards, &mut knowledge);
    }
    None
}

/// Performs rollouts for about this time, on every thread of the pool; returns the rollouts per second.
#[must_use]
pub fn rate(rules: &Rules, positions: &[Position], pool: &ThreadPool, time: Duration) -> f64 {
    let begin = Instant::now();
    let seats = positions.first().map_or(2, |position| position.state.seat_set().len());
    let counts = pool.broadcast(|thread| {
        let rng = Rng::from_seed(thread.index() as u64);
        let mut rollouts = Rollouts { rules, positions, rng, begin, time, done: 0 };
        RoundBatch::new(rules, seats).play(&mut rollouts);
        rollouts.done
    });
    counts.iter().sum::<u64>() as f64 / begin.elapsed().as_secs_f64()
}

/// The rollouts of one thread.
struct Rollouts<'a> {
    rules: &'a Rules,
    positions: &'a [Position],
    rng: Rng,
    begin: Instant,
    time: Duration,
    /// The number of rollouts.
    done: u64,
}

impl Rounds for Rollouts<'_> {
    fn begin(&mut self, number: usize, round: &mut BatchRound) -> Result<(), Exhausted> {
        let Self { rules, positions, rng, begin, time, .. } = self;
        if number.is_multiple_of(AT_A_TIME) && begin.elapsed() >= *time {
            return Err(Exhausted);
        }
        let Position { state, knowledge, to_act } = &positions[number % positions.len()];
        let seen = Observation::of(rules, state, knowledge, &NO_SCORES, *to_act);
        round.state = dispatch(Sample { seen, rng });
        let chance = rng.fork();
        round.begin(chance, |_| rng.fork());
        Ok(())
    }

    fn finish(&mut self, _number: usize, round: &BatchRound, ending: Ending) {
        std::hint::black_box((ending, round));
        self.done += 1;
    }
}

/// The view of a seat, with the unseen cards dealt at random.
struct Sample<'a> {
    seen: Observation<'a>,
    rng: &'a mut Rng,
}

impl Kernel for Sample<'_> {
    type Output = RoundState;

    #[inline(always)]
    fn run<M: Isa>(self) -> RoundState {
        self.seen.sample_state_on::<M>(self.rng)
    }
}
