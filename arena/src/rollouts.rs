//! Rollouts, as in a search: a position is copied, its unseen cards are dealt anew, and random agents play the round to its
//! end.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use unolab_agents::agent::Agent;
use unolab_agents::random::{Random, Uniform};
use unolab_agents::simd_batch::{NoMore, RoundBatch, Rounds};
use unolab_agents::table::Ending;
use unolab_engine::action::Call;
use unolab_engine::fast::{BatchRound, FeatureSet, RulesKernel, dispatch};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::match_play::first_dealer;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{Phase, RoundState};

/// The number of positions, which are gone through again and again.
const POSITIONS: usize = 1024;

/// The number of turns of a round before each position.
const TURNS: u32 = 24;

/// Rollouts between two looks at the clock.
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
    // Where hardly any round does, few positions must do.
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

/// Rolls out for about this long, with every thread of the pool; gives the rollouts in a second.
#[must_use]
pub fn rate(rules: &Rules, positions: &[Position], pool: &ThreadPool, time: Duration) -> f64 {
    let begin = Instant::now();
    let seats = positions.first().map_or(2, |position| position.state.seat_set().len());
    let counts = pool.broadcast(|thread| {
        let rng = Rng::from_seed(thread.index() as u64);
        dispatch(Rollouts { rules, seats, positions, rng, begin, time })
    });
    counts.iter().sum::<u64>() as f64 / begin.elapsed().as_secs_f64()
}

/// The rollouts of one thread; what comes of it is how many there were.
struct Rollouts<'a> {
    rules: &'a Rules,
    seats: usize,
    positions: &'a [Position],
    rng: Rng,
    begin: Instant,
    time: Duration,
}

impl RulesKernel for Rollouts<'_> {
    type Output = u64;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> u64 {
        let mut simd_batch = RoundBatch::new(self.rules, self.seats);
        let mut course = Course::<P> { rollouts: self, done: 0, profile: PhantomData };
        simd_batch.play_all::<P>(&mut course);
        course.done
    }
}

struct Course<'a, P> {
    rollouts: Rollouts<'a>,
    done: u64,
    profile: PhantomData<P>,
}

impl<P: FeatureSet> Rounds for Course<'_, P> {
    #[inline(always)]
    fn begin(&mut self, number: usize, round: &mut BatchRound) -> Result<(), NoMore> {
        let Rollouts { rules, positions, rng, begin, time, .. } = &mut self.rollouts;
        if number.is_multiple_of(AT_A_TIME) && begin.elapsed() >= *time {
            return Err(NoMore);
        }
        let Position { state, knowledge, to_act } = &positions[number % positions.len()];
        let seen = Observation::of(rules, state, knowledge, &NO_SCORES, *to_act);
        round.state = seen.sample_state_on::<P::Isa>(rng);
        let chance = rng.fork();
        round.begin(chance, |_| rng.fork());
        Ok(())
    }

    #[inline(always)]
    fn finish(&mut self, _number: usize, round: &BatchRound, ending: Ending) {
        std::hint::black_box((ending, round));
        self.done += 1;
    }
}
