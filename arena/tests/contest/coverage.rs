//! An A/A run: two equal agents with separate random numbers. 95% intervals must contain the fair share 95 times of 100.

use unolab_agents::random::{Random, Uniform};
use unolab_agents::registry::{AgentFactory, AgentRegistration, Registry};
use unolab_arena::experiment::tournament::tally_sets;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::Spec;
use unolab_arena::tables::{PlayedSection, pairs, ratings, summary};
use unolab_engine::rng::{Rng, mix};

use super::spec;

const RUNS: u64 = 400;

/// `random` with another stream: against `random` it does not tie, and has the same strength.
fn registry() -> Registry {
    Registry::default().with(AgentRegistration {
        name: "reseeded",
        summary: "random, with a separate stream",
        options: &[],
        configure: |_, _| {
            Ok(AgentFactory::Boxed(std::sync::Arc::new(|_, _, mut rng: Rng| {
                let other = Rng::from_seed(mix(u64::from(rng.bits())));
                Box::new(Random::new(Uniform::Cards, other))
            })))
        },
    })
}

/// The number of [`RUNS`] runs whose intervals contain the true win share, share of comparisons and rating of the first
/// entrant.
fn covered(seats: usize, sets: u64) -> [u64; 3] {
    let mut covered = [0; 3];
    for seed in 0..RUNS {
        let spec = Spec { seed, ..spec(&["random", "reseeded"], &[seats], sets) };
        let contest = Contest::of(spec, &registry()).expect("a spec that can be played");
        let tally = tally_sets(&contest, 0, 0..sets).expect("no agent panics");
        let section = PlayedSection { spec: contest.spec(), section: &contest.schedule().sections[0], tally: &tally };
        let share = &summary::rows(section)[0];
        assert!(share.se.is_some_and(|error| error > 0.0), "separate streams do not tie");
        let (pair, rating) = (&pairs::rows(section)[0], &ratings::rows(section)[0]);
        let bounds = [
            (share.ci_low, share.ci_high, 1.0 / seats as f64),
            (pair.ci_low, pair.ci_high, 0.5),
            (rating.low, rating.high, 0.0),
        ];
        for (covered, (low, high, truth)) in covered.iter_mut().zip(bounds) {
            *covered += u64::from(low.expect("a bound") <= truth && truth <= high.expect("a bound"));
        }
    }
    covered
}

/// The number of 400 95% intervals that contain the true value is binomial: mean 380, standard deviation 4.36. The
/// bounds leave out less than one in a thousand on either side.
#[test]
fn intervals_cover_true_value_in_95_percent() {
    for (seats, sets) in [(2, 60), (4, 25)] {
        let covered = covered(seats, sets);
        println!("{seats} seats: of {RUNS} intervals of win share, comparisons and rating {covered:?} cover the truth");
        assert!(covered.iter().all(|count| (366..=393).contains(count)), "{seats} seats: {covered:?} of {RUNS}");
    }
}
