//! Tests ratings on small tables with known answers.

use super::matches::{RunEvidence, Sample};
use super::*;
use crate::bootstrap::GroupSums;
use crate::random::tests::Pcg;
use crate::unequal::Stake;

/// Parts of a win.
const WIN: u64 = 2520;

/// Two entrants at two seats; `a` wins this many of the two games of each set.
fn duel(wins_of_a: &[u64]) -> Evidence {
    let group = |&wins: &u64| GroupSums {
        sets: 1,
        wins: vec![wins * WIN, (2 - wins) * WIN],
        won: vec![[wins * WIN, (2 - wins) * WIN]],
    };
    let run = RunEvidence {
        entrants: vec![0, 1],
        lineups: vec![vec![0, 1], vec![1, 0]],
        win: WIN,
        stake: Stake::WIN,
        wins_by_place: vec![1, 1],
        win_of_pair: WIN,
        meetings_per_set: vec![2],
        sample: Sample::Groups(wins_of_a.iter().map(group).collect()),
    };
    Evidence {
        variant: "classic".into(),
        seats: 2,
        entrants: vec!["a".into(), "b".into()],
        runs: vec![run],
        coverage: Coverage::Pointwise,
    }
}

fn rate(evidence: &Evidence) -> Ratings {
    super::rate(evidence, &|_| true, None, &mut Pcg::numbered(1))
}

/// The other strength is the difference of the two, and its interval is twice as wide as around the mean.
#[test]
fn anchor_fixes_one_strength_and_others_are_relative_to_it() {
    let wins: Vec<u64> = (0..96).map(|set| [2, 1, 2, 1][set % 4]).collect();
    let (evidence, anchor) = (duel(&wins), Some(Anchor { entrant: 1, elo: 1500.0 }));
    let anchored = super::rate(&evidence, &|_| true, anchor, &mut Pcg::numbered(1));
    let free = rate(&evidence);
    let strengths = |ratings: &Ratings| of_method(ratings, "bradley-terry");
    let (anchored_strengths, free_strengths) = (strengths(&anchored), strengths(&free));
    let ([a, b], [free_a, _]) = (&anchored_strengths[..], &free_strengths[..]) else { panic!("two entrants") };
    assert!((b.value - 1500.0).abs() < 1e-9 && b.interval.is_none());
    assert!((a.value - 1500.0 - 2.0 * free_a.value).abs() < 1e-6);
    let width = |rating: &Rating| rating.interval.map(|interval| interval.high - interval.low).unwrap();
    assert!((width(a) - 2.0 * width(free_a)).abs() < 1e-6);
    assert_eq!((a.place, b.place), (1, 2));
    for method in ["total-score", "nash-average", "nash-share"] {
        assert_eq!(of_method(&anchored, method), of_method(&free, method));
    }
}

fn of_method(ratings: &Ratings, name: &str) -> Vec<Rating> {
    ratings.ratings.iter().filter(|rating| rating.method.name() == name).cloned().collect()
}

/// Share 3/4: 400 log10 3 = 190.85 apart. The error of the share over sets is known, so the rating's error follows by
/// the delta method: dElo/ds = (400 / ln 10) / (s (1 − s)), half of it for one of two.
#[test]
fn duel_rating_matches_hand_computation() {
    let wins: Vec<u64> = (0..96).map(|set| [2, 1, 2, 1][set % 4]).collect();
    let ratings = rate(&duel(&wins));
    let [a, b] = &of_method(&ratings, "bradley-terry")[..] else { panic!("two entrants") };
    assert!((a.value - 190.848_501_9 / 2.0).abs() < 1e-6 && (a.value + b.value).abs() < 1e-9);
    assert_eq!((a.place, b.place), (1, 2));
    let standard_error = (96.0 * 0.25_f64.powi(2) / (96.0 * 95.0)).sqrt();
    let reach = 1.985 * standard_error * 400.0 / std::f64::consts::LN_10 / (0.75 * 0.25) / 2.0;
    let found = a.interval.unwrap();
    assert!(((found.high - found.low) / 2.0 / reach - 1.0).abs() < 0.1, "{found:?}, reach {reach}");
    assert!((of_method(&ratings, "total-score")[0].value - 0.75).abs() < 1e-12);
    assert!((of_method(&ratings, "nash-share")[0].value - 1.0).abs() < 1e-6);
    let places: Vec<usize> = ratings.ratings.iter().map(|rating| rating.place).collect();
    assert_eq!(places, [1, 2].repeat(places.len() / 2), "in any way");
}

/// If the results determined the end, each interval is wider by the same factor as a confidence sequence after this many
/// sets.
#[test]
fn anytime_intervals_are_wider_by_number_of_sets() {
    let once = duel(&[2, 1, 2, 1].repeat(24));
    let at_any_time = Evidence { coverage: Coverage::Anytime, ..once.clone() };
    let times = Coverage::Anytime.times_as_wide(96);
    for (one, other) in rate(&once).ratings.iter().zip(&rate(&at_any_time).ratings) {
        let width = |rating: &Rating| rating.interval.map(|interval| interval.high - interval.low).unwrap();
        assert!((width(other) - times * width(one)).abs() < 1e-9 * width(one).max(1.0), "{one:?} {other:?}");
    }
}

/// The number of sampled sets equals the number of sets.
#[test]
fn simulated_run_has_same_sets_and_games() {
    let evidence = duel(&[2, 1, 2, 0, 1]);
    let (all, drawn) = (evidence.totals(), evidence.drawn(&mut Pcg::numbered(1)));
    assert_eq!((&drawn.sets, &drawn.meetings), (&all.sets, &all.meetings));
    assert!((drawn.wins.iter().sum::<f64>() - all.wins.iter().sum::<f64>()).abs() < 1e-9);
}

#[test]
fn expensive_tables_have_fewer_replicates() {
    let of = |num_entrants, lineups: usize| {
        let lineups = vec![vec![vec![0, 1]; lineups]];
        replicates(&Design { num_entrants, num_places: 2, lineups })
    };
    assert_eq!(of(2, 2), REPLICATES);
    assert!((FEWEST_REPLICATES + 1..REPLICATES).contains(&of(2, 15_000)), "many lineups");
    assert!((FEWEST_REPLICATES + 1..REPLICATES).contains(&of(30, 2)), "many entrants");
    assert_eq!(of(2, 1_000_000), FEWEST_REPLICATES);
}

/// The same if its sets tie by construction, except for errors.
fn of_twins(evidence: &Evidence) -> Evidence {
    let mut evidence = evidence.clone();
    evidence.runs[0].stake = Stake::NONE;
    evidence
}

#[test]
fn identical_entrants_are_equal_without_error() {
    let ratings = rate(&of_twins(&duel(&[1; 50])));
    for rating in &ratings.ratings {
        let fair = if rating.method.is_in_elo() { 0.0 } else { 0.5 };
        assert!((rating.value - fair).abs() < 1e-12, "{rating:?}");
        assert_eq!((rating.interval, rating.place), (Some(Interval { low: rating.value, high: rating.value }), 1));
    }
    assert_eq!(ratings.intransitive_share, None);
}

/// None of fifty sets is unequal, so at most 50 (1 − 0.05^(1/50)) = 2.909 are expected: 52.909 won games of 100 at most, 400
/// log10(52.909 / 47.091) = 20.24 Elo apart, half of it for one of two.
#[test]
fn sets_tied_by_chance_have_rule_of_three_interval() {
    let by_groups = duel(&[1; 50]);
    let mut by_errors = by_groups.clone();
    let totals = GroupSums { sets: 50, wins: vec![50 * WIN; 2], won: vec![[50 * WIN; 2]] };
    by_errors.runs[0].sample = Sample::Errors { totals, wins: vec![0.0; 2], won: vec![0.0] };
    for ratings in [rate(&by_groups), rate(&by_errors)] {
        for rating in of_method(&ratings, "bradley-terry") {
            let Interval { low, high } = rating.interval.unwrap();
            assert!((high - 10.12).abs() < 0.02 && (low + high).abs() < 1e-9, "{rating:?}");
        }
        for rating in of_method(&ratings, "total-score") {
            assert!((rating.interval.unwrap().high - 0.529_09).abs() < 1e-4, "{rating:?}");
        }
        assert!(ratings.ratings.iter().all(|rating| rating.places.is_some_and(|places| places.worst == 2)));
    }
}

/// Each of a hundred sets is unequal with a probability of 1%, and three of four such sets are won: the true share is 0.5025.
/// Of 60 simulated runs at least 57 less two standard deviations of 1.7 contain it; the bootstrap alone does in far fewer.
#[test]
fn rating_intervals_cover_rare_differences() {
    use crate::random::Random as _;
    let truth = [200.0 * (0.502_5_f64 / 0.497_5).log10(), 0.5025];
    let (mut held, mut held_by_bootstrap) = ([0; 2], [0; 2]);
    for run in 0..60 {
        let mut rng = Pcg::numbered(run);
        let mut set = |_| match rng.chance(0.01) {
            true if rng.chance(0.75) => 2,
            true => 0,
            false => 1,
        };
        let evidence = duel(&(0..100).map(&mut set).collect::<Vec<_>>());
        for (held, evidence) in [(&mut held, evidence.clone()), (&mut held_by_bootstrap, of_twins(&evidence))] {
            let ratings = rate(&evidence);
            for (held, (name, truth)) in held.iter_mut().zip(["bradley-terry", "total-score"].into_iter().zip(truth)) {
                let Interval { low, high } = of_method(&ratings, name)[0].interval.unwrap();
                *held += u32::from((low..=high).contains(&truth));
            }
        }
    }
    assert!(held.iter().all(|&held| held >= 54), "{held:?}");
    assert!(held_by_bootstrap.iter().all(|&held| held <= 45), "{held_by_bootstrap:?}");
}

/// Four sets won and none lost are not a significant lead; eight are.
#[test]
fn few_unequal_sets_leave_place_undecided() {
    let worst = |won: usize| {
        let mut wins = vec![2; won];
        wins.resize(100, 1);
        of_method(&rate(&duel(&wins)), "bradley-terry")[0].places.unwrap().worst
    };
    assert_eq!((worst(5), worst(8)), (2, 1));
}

/// The share has Wilson's interval for forty games, 40 / (40 + 1.96²) = 0.9124 to 1; only a prior bounds the other ratings.
#[test]
fn certain_winner_has_interval_only_of_share() {
    let ratings = rate(&duel(&[2; 40]));
    for rating in &ratings.ratings {
        let bounds = rating.interval.map(|Interval { low, high }| [low, high]);
        match (rating.method, rating.entrant) {
            (Method::TotalScore | Method::InstantRunOff, 0) => {
                assert!(bounds.is_some_and(|[low, high]| (low - 0.912_4).abs() < 1e-4 && high >= 1.0), "{rating:?}");
            }
            (Method::TotalScore | Method::InstantRunOff, _) => {
                assert!(bounds.is_some_and(|[low, high]| low <= 0.0 && (high - 0.087_6).abs() < 1e-4), "{rating:?}");
            }
            (method, _) if method.is_in_elo() => assert_eq!(bounds, None, "{rating:?}"),
            _ => {}
        }
    }
}

/// One lost game of 60: a third of the replicates have no loss, so no number bounds the winner's strength from above.
#[test]
fn near_certain_winner_has_share_within_range_and_no_bounded_strength() {
    let mut wins = vec![2; 29];
    wins.push(1);
    for rating in rate(&duel(&wins)).ratings {
        let value = rating.value;
        match rating.interval {
            Some(Interval { low, high }) => {
                assert!(!rating.method.is_in_elo() && low <= value && value <= high, "{rating:?}");
                assert!(low >= 0.0 && high <= 1.0, "{rating:?}");
            }
            None => assert!(rating.method.is_in_elo(), "{rating:?}"),
        }
    }
}

#[test]
fn one_set_has_no_interval() {
    assert!(rate(&duel(&[2])).ratings.iter().all(|rating| rating.interval.is_none()));
}

/// With only totals and errors, the intervals are about as wide as from the sets.
#[test]
fn totals_with_errors_suffice_without_sets() {
    let wins: Vec<u64> = (0..96).map(|set| [2, 1, 2, 1][set % 4]).collect();
    let by_sets = duel(&wins);
    let mut by_errors = by_sets.clone();
    let error = (96.0 * 0.25_f64.powi(2) / (96.0 * 95.0)).sqrt() * 192.0;
    let totals = GroupSums { sets: 96, wins: vec![144 * WIN, 48 * WIN], won: vec![[144 * WIN, 48 * WIN]] };
    by_errors.runs[0].sample = Sample::Errors { totals, wins: vec![error; 2], won: vec![error] };
    let (by_sets, by_errors) = (rate(&by_sets), rate(&by_errors));
    for (one, other) in by_sets.ratings.iter().zip(&by_errors.ratings) {
        assert!((one.value - other.value).abs() < 1e-6);
        let width = |rating: &Rating| rating.interval.map(|interval| interval.high - interval.low).unwrap();
        assert!((width(one) - width(other)).abs() < 0.15 * width(one).max(0.05), "{one:?} {other:?}");
    }
}

/// Two runs with the same entrants in another order are one larger run.
#[test]
fn joint_rating_is_independent_of_entrant_order() {
    let (one, other) = (duel(&[2, 1, 2, 0, 1, 1]), duel(&[1, 1, 2, 2, 2, 1]));
    let mut swapped = other.runs[0].clone();
    swapped.entrants = vec![1, 0];
    let Sample::Groups(groups) = &mut swapped.sample else { panic!("groups") };
    for group in groups {
        group.wins.reverse();
        group.won[0].reverse();
    }
    let together = Evidence { runs: vec![one.runs[0].clone(), swapped], ..one.clone() };
    let straight = Evidence { runs: vec![one.runs[0].clone(), other.runs[0].clone()], ..one };
    assert_eq!(rate(&together), rate(&straight));
    assert!((straight.totals().share(0, 1).unwrap() - 16.0 / 24.0).abs() < 1e-12);
}

/// Three entrants at two seats, in 60 sets of two games for each pair. The first of (0, 1), (1, 2), and (0, 2) wins with these
/// probabilities.
fn triangle(chances: [f64; 3], rng: &mut Pcg) -> Evidence {
    let mut won = || chances.map(|chance| (0..2).map(|_| u64::from(rng.chance(chance))).sum());
    let group = |[ab, bc, ac]: [u64; 3]| GroupSums {
        sets: 1,
        wins: [ab + ac, 2 - ab + bc, 4 - bc - ac].map(|wins| wins * WIN).to_vec(),
        won: [ab, ac, bc].map(|wins| [wins * WIN, (2 - wins) * WIN]).to_vec(),
    };
    let run = RunEvidence {
        entrants: vec![0, 1, 2],
        lineups: [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]].map(Vec::from).to_vec(),
        win: WIN,
        stake: Stake::WIN,
        wins_by_place: vec![3, 3],
        win_of_pair: WIN,
        meetings_per_set: vec![2; 3],
        sample: Sample::Groups((0..60).map(|_| group(won())).collect()),
    };
    let entrants = ["a", "b", "c"].map(String::from).to_vec();
    Evidence { variant: "classic".into(), seats: 2, entrants, runs: vec![run], coverage: Coverage::Pointwise }
}

/// The strengths of the first field are 0, 1/2, and 1 in log odds; the second is a cycle.
#[test]
fn interval_of_intransitive_share_includes_estimate_and_truth() {
    let transitive = [0.5, 0.5, 1.0].map(|odds: f64| 1.0 / (1.0 + (-odds).exp()));
    for (chances, truth) in [(transitive, 0.0), ([0.6, 0.6, 0.4], 1.0)] {
        let mut covered = 0;
        for number in 0..20 {
            let evidence = triangle(chances, &mut Pcg::numbered(number));
            let (share, interval) = rate(&evidence).intransitive_share.expect("pairs that are not even");
            let Interval { low, high } = interval.expect("many sets");
            assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{share}: {low}, {high}");
            covered += u32::from(low <= truth && truth <= high);
        }
        assert!(covered >= 17, "{covered} of 20 intervals include {truth}");
    }
}
