//! What luck is worth: fitted on games of other seeds, and then frozen.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use unolab_agents::registry::Registry;
use unolab_engine::fast::{AllFeatures, BasicFeatures, FeatureSet};
use unolab_engine::fast::{Isa, Kernel, dispatch};
use unolab_engine::rng::mix;

use crate::count::luck::against_the_table;
use crate::count::luck::witness::LuckWitness;
use crate::play::Dealer;
use crate::play::record::WIN;
use crate::schedule::Section;
use crate::schedule::contest::{Contest, ContestError};
use crate::spec::luck::{Coefficients, Luck, Regression};
use crate::spec::{Command, Entrant, Format, SeatingPlan, Spec, Unit};

/// Who sits in every seat of the pilot. Any coefficients leave a result without bias, so there is no need to ask the
/// entrants themselves, who may think for seconds.
const PILOT_AGENT: &str = "heuristic";

/// The seed of the games that are fitted on.
#[must_use]
pub const fn pilot_seed(seed: u64) -> u64 {
    mix(mix(seed) ^ 2)
}

/// How many games are fitted on, of each variant at each number of seats: one of each deal, for the seats are all the same.
#[must_use]
pub const fn pilot_games(unit: Unit) -> u64 {
    match unit {
        Unit::Round => 6_000,
        Unit::Match => 1_500,
    }
}

/// The same contest, with the luck of deal and draw taken off the results beside the results as they are.
///
/// # Errors
/// If there are too many games for exact sums.
pub fn with_luck_taken_off(contest: Contest) -> Result<Contest, ContestError> {
    contest.make_sure_luck_can_be_counted()?;
    let sections = contest.schedule().sections.iter();
    let worth = sections.map(|section| worth_of_luck(contest.spec(), section)).collect::<Result<_, _>>()?;
    contest.with_luck_worth(worth)
}

/// What luck is worth in the games of a section of this spec.
///
/// # Errors
/// If rules and seats do not go together.
pub fn worth_of_luck(spec: &Spec, section: &Section) -> Result<Coefficients, ContestError> {
    let pilot = Spec {
        command: Command::Tournament { format: Format::RoundRobin },
        entrants: Entrant::name_all([PILOT_AGENT]),
        variants: vec![spec.variants[section.variant].clone()],
        seats: vec![section.seats],
        sets: pilot_games(spec.unit),
        seed: pilot_seed(spec.seed),
        seating: SeatingPlan::Rotate,
        unit: spec.unit,
        seal: spec.seal.clone(),
    };
    let pilot = Contest::of(pilot, &Registry::default())?;
    debug_assert_eq!(pilot.schedule().num_games(), pilot_games(spec.unit));
    const BLOCK: u64 = 50;
    let blocks = (0..pilot.spec().sets / BLOCK).into_par_iter().map(|block| block * BLOCK..(block + 1) * BLOCK);
    let seen: Vec<Vec<SeatSeen>> = blocks.map(|sets| dispatch(PilotJob { contest: &pilot, sets })).collect();
    let mut regression = Regression::new(WIN as f64 * section.fair_share());
    seen.iter().flatten().for_each(|(win, luck)| regression.add(*win, luck));
    Ok(regression.coefficients())
}

/// What a seat got in a game of the pilot: its win, and its luck.
type SeatSeen = (i64, Luck);

/// Sets of the pilot.
struct PilotJob<'a> {
    contest: &'a Contest,
    sets: Range<u64>,
}

impl Kernel for PilotJob<'_> {
    type Output = Vec<SeatSeen>;

    fn run<M: Isa>(self) -> Vec<SeatSeen> {
        let rules = self.contest.rules(&self.contest.schedule().sections[0]);
        if BasicFeatures::<M>::fits(rules) { self.play::<BasicFeatures<M>>() } else { self.play::<AllFeatures<M>>() }
    }
}

impl PilotJob<'_> {
    fn play<P: FeatureSet>(self) -> Vec<SeatSeen> {
        let section = &self.contest.schedule().sections[0];
        let mut dealer: Dealer<'_, P> = Dealer::new(self.contest, section);
        let mut witness = LuckWitness::new(self.contest.rules(section));
        let mut seen = Vec::new();
        for set in self.sets {
            for (_, seating) in section.games(self.contest.streams_of(set)) {
                witness.begin_game();
                let record = dealer.play_witnessed(set, &seating, &mut witness);
                let luck = against_the_table(&witness.by_player, section.seats, section.team_size);
                seen.extend(record.seats().zip(luck).map(|(seat, luck)| (record.win_of(seat), luck)));
            }
        }
        seen
    }
}
