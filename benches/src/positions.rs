//! The corpus: rounds of `random` agents, stopped before a given turn.

use unolab_agents::player::Player;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rules::{AllFeatures, Rules};
use unolab_engine::seat::Seat;
use unolab_engine::state::RoundState;

use crate::rounds::{deal, seat_agents};
use crate::step_by_step::{Until, play_on};
use crate::{SEED, agent};

/// A round at the beginning of a turn.
#[derive(Debug, Clone)]
pub struct Position {
    /// The round.
    pub state: RoundState,
    /// The cards that seats have been shown.
    pub knowledge: Knowledge,
    /// The seat whose turn it is.
    pub seat: Seat,
}

impl Position {
    /// The observation of the seat whose turn it is.
    #[must_use]
    #[inline]
    pub fn observation<'a>(&'a self, rules: &'a Rules) -> Observation<'a> {
        Observation::of(rules, &self.state, &self.knowledge, &NO_SCORES, self.seat)
    }
}

/// Positions from all parts of a round, from full hands to a few cards: 256 each after 0, 8, 24 and 48 turns.
#[must_use]
pub fn spread(rules: &Rules, seats: usize) -> Vec<Position> {
    [0, 8, 24, 48].into_iter().flat_map(|turns| after_turns(rules, seats, turns, 256)).collect()
}

/// Positions in the middle of a round, typical of a search: 1,024 after 24 turns.
#[must_use]
pub fn middle(rules: &Rules, seats: usize) -> Vec<Position> {
    after_turns(rules, seats, 24, 1024)
}

/// The first `count` rounds by seed that last longer than `turns`, stopped at that turn.
#[must_use]
pub fn after_turns(rules: &Rules, seats: usize, turns: u32, count: usize) -> Vec<Position> {
    (0..).filter_map(|set| after_turns_of_set(rules, seats, turns, set)).take(count).collect()
}

fn after_turns_of_set(rules: &Rules, seats: usize, turns: u32, set: u64) -> Option<Position> {
    let mut knowledge = Knowledge::default();
    let (mut state, mut cards) = deal::<AllFeatures>(rules, seats, set, &mut knowledge);
    let mut agents: Vec<Player> = Vec::new();
    seat_agents(&mut agents, rules, &[agent("random")], seats, SEED, set);
    play_on(rules, &mut state, &mut agents, &mut cards, &mut knowledge, Until::Turns(turns));
    state.current_seat().map(|seat| Position { state, knowledge, seat })
}
