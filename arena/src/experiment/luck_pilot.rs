//! Fits the luck adjustment on games of other seeds.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use unolab_agents::registry::Registry;
use unolab_engine::event::Event;
use unolab_engine::rng::mix;
use unolab_engine::state::{EventSink, Outcome, RoundState};
use unolab_stats::logit::Model;

use crate::count::luck::is_ordinary;
use crate::count::luck::tally::LuckCounter;
use crate::count::luck::win_model::{NUM_WEIGHTS, OpenHands, OpenPosition};
use crate::play::record::WIN;
use crate::play::{Dealer, GameObserver};
use crate::schedule::Section;
use crate::schedule::contest::{Contest, ContestError};
use crate::spec::luck::{Coefficients, Luck, LuckModel, Regression};
use crate::spec::{Allocation, Command, Entrant, Format, SeatingPlan, Spec, Unit};

/// The agent in every seat of the pilot. Any coefficients leave a result unbiased, so the entrants, which may take
/// seconds per decision, are not needed.
const PILOT_AGENT: &str = "heuristic";

/// The seed of the games for the fit.
#[must_use]
pub const fn pilot_seed(seed: u64) -> u64 {
    mix(mix(seed) ^ 2)
}

/// The number of games for fitting the model. A match has about ten rounds.
const fn games_for_model(unit: Unit) -> u64 {
    match unit {
        Unit::Round => 1_500,
        Unit::Match => 100,
    }
}

/// One in this number of decisions of a round is used for the fit, because adjacent positions are similar.
const EVERY: usize = 3;

/// The number of games for fitting the coefficients. Each takes a millisecond or two: every chance outcome is drawn
/// again and continued.
const fn games_for_coefficients(unit: Unit) -> u64 {
    match unit {
        Unit::Round => 300,
        Unit::Match => 30,
    }
}

/// The number of games for the fit, of each variant at each number of seats: one per deal, because all seats have the
/// same agent.
#[must_use]
pub const fn pilot_games(unit: Unit) -> u64 {
    games_for_model(unit) + games_for_coefficients(unit)
}

/// The contest with luck-adjusted results in addition to the raw results.
///
/// # Errors
/// If there are too many games for exact sums.
pub fn with_luck_adjustment(contest: Contest) -> Result<Contest, ContestError> {
    contest.check_luck_room()?;
    let sections = contest.schedule().sections.iter();
    let worth = sections.map(|section| luck_model(contest.spec(), section)).collect::<Result<_, _>>()?;
    contest.with_luck_model(worth)
}

/// Fits the luck adjustment for the games of a section of this spec.
///
/// # Errors
/// If rules and seats are incompatible.
pub fn luck_model(spec: &Spec, section: &Section) -> Result<LuckModel, ContestError> {
    let pilot_of = |unit: Unit, sets: u64, seed: u64| {
        let rounds = Spec {
            command: Command::Tournament { format: Format::RoundRobin },
            entrants: Entrant::name_all([PILOT_AGENT]),
            variants: vec![spec.variants[section.variant].clone()],
            seats: vec![section.seats],
            sets,
            allocation: Allocation::Even,
            seed,
            seating: SeatingPlan::Rotate,
            unit,
            seal: spec.seal.clone(),
        };
        Contest::of(rounds, &Registry::default())
    };
    let model = model_of(&pilot_of(spec.unit, games_for_model(spec.unit), pilot_seed(pilot_seed(spec.seed)))?);
    let worth = LuckModel { model, coefficients: Coefficients::default() };
    let pilot = pilot_of(spec.unit, games_for_coefficients(spec.unit), pilot_seed(spec.seed))?;
    let seen = in_blocks(&pilot, |sets| pilot_wins_and_luck(&pilot, &worth, sets));
    let mut regression = Regression::new(WIN as f64 * section.fair_share());
    seen.iter().for_each(|(win, luck)| regression.add(*win, luck));
    Ok(LuckModel { coefficients: regression.coefficients(), ..worth })
}

/// Plays all sets of a pilot on the current thread pool, and returns the observations, in order.
fn in_blocks<T: Send>(pilot: &Contest, play: impl Fn(Range<u64>) -> Vec<T> + Send + Sync) -> Vec<T> {
    const BLOCK: u64 = 10;
    let sets = pilot.spec().sets;
    let blocks = (0..sets.div_ceil(BLOCK)).into_par_iter().map(|block| block * BLOCK..((block + 1) * BLOCK).min(sets));
    let seen: Vec<Vec<T>> = blocks.map(play).collect();
    seen.into_iter().flatten().collect()
}

/// The model of the winner of a round, fitted on a pilot. `None` if no round was won.
fn model_of(pilot: &Contest) -> Option<Model> {
    let positions = in_blocks(pilot, |sets| positions_in(pilot, sets));
    Model::fit(&positions, NUM_WEIGHTS)
}

/// Positions of the games of some sets.
fn positions_in(pilot: &Contest, sets: Range<u64>) -> Vec<OpenPosition> {
    let section = &pilot.schedule().sections[0];
    let mut dealer = Dealer::new(pilot, section);
    let mut observer = PositionObserver {
        open: OpenHands::new(pilot.rules(section)),
        number: 0,
        seen: Vec::new(),
        positions: Vec::new(),
    };
    for set in sets {
        for (_, seating) in section.games(pilot.streams_of(set)) {
            dealer.play_observed(set, &seating, &mut observer);
        }
    }
    observer.positions
}

/// Stores positions and their winners.
struct PositionObserver<'r> {
    open: OpenHands<'r>,
    /// The number of the next decision.
    number: usize,
    /// The states in the round in progress.
    seen: Vec<RoundState>,
    positions: Vec<OpenPosition>,
}

impl EventSink for PositionObserver<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        if let Event::Acted { seat, action, .. } = event
            && is_ordinary(state, seat, action)
        {
            self.number += 1;
            if self.number.is_multiple_of(EVERY) {
                self.seen.push(*state);
            }
        }
    }
}

impl GameObserver for PositionObserver<'_> {
    fn end_round(&mut self, state: &RoundState) {
        if let Some(Outcome::WentOut(winner)) = state.outcome() {
            self.positions.extend(self.seen.iter().filter_map(|state| self.open.position(state, winner)));
        }
        self.seen.clear();
    }
}

/// The win and the luck of a seat in a game of the pilot.
type SeatSeen = (i64, Luck);

/// Every seat of the games of some sets.
fn pilot_wins_and_luck(pilot: &Contest, worth: &LuckModel, sets: Range<u64>) -> Vec<SeatSeen> {
    let section = &pilot.schedule().sections[0];
    let mut dealer = Dealer::new(pilot, section);
    let mut counter = LuckCounter::new(pilot, section, worth);
    let mut seen = Vec::new();
    for set in sets {
        for (_, seating) in section.games(pilot.streams_of(set)) {
            let record = dealer.play_observed(set, &seating, counter.begin_game(set, &seating));
            seen.extend(record.seats().zip(counter.luck(&record)).map(|(seat, luck)| (record.win_of(seat), luck)));
        }
    }
    seen
}
