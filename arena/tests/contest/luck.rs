//! Luck adjustment does not change the expected values.

use std::sync::atomic::AtomicBool;

use unolab_agents::registry::Registry;
use unolab_arena::count::luck::tally::LuckCounter;
use unolab_arena::count::tally::Tally;
use unolab_arena::experiment::luck_pilot::with_luck_adjustment;
use unolab_arena::experiment::tournament;
use unolab_arena::play::Dealer;
use unolab_arena::play::record::WIN;
use unolab_arena::run::driver::RunOptions;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::luck::{CARD, CHANCES};
use unolab_arena::spec::{Command, Spec, Unit, Variant};
use unolab_engine::rules::{Override, PresetsOnly, TableSize, load};
use unolab_stats::share::Mean;

use super::spec;

fn tally(spec: Spec) -> Tally {
    let contest = with_luck_adjustment(Contest::of(spec, &Registry::default()).unwrap()).unwrap();
    tournament::play(&contest, RunOptions::new(2, &AtomicBool::new(false))).unwrap().tallies().remove(0)
}

/// The mean luck of games in which one seat plays better than the others is zero, for every seat.
#[test]
fn luck_averages_to_zero_for_every_entrant() {
    for (preset, seats, setting) in
        [("classic", 2, ""), ("disney", 4, ""), ("swap-hands", 3, ""), ("classic", 3, "uno.calls=explicit")]
    {
        let overrides: Vec<Override> = setting.split_terminator(';').map(|set| set.parse().unwrap()).collect();
        let rules = load(preset, &overrides, TableSize::Seats(seats), &PresetsOnly).unwrap().rules;
        let spec = Spec {
            command: Command::Match,
            variants: vec![Variant::of(&rules)],
            ..spec(&["heuristic", "random"], &[seats], 60)
        };
        let contest = with_luck_adjustment(Contest::of(spec, &Registry::default()).unwrap()).unwrap();
        let section = &contest.schedule().sections[0];
        let mut counter = LuckCounter::new(&contest, section, contest.luck_model(0).unwrap());
        let mut dealer = Dealer::new(&contest, section);
        let (mut sum, mut squares, mut games) = (0.0, 0.0, 0.0);
        for set in 0..contest.spec().sets {
            for (_, seating) in section.games(contest.streams_of(set)) {
                let record = dealer.play_observed(set, &seating, counter.begin_game(set, &seating));
                let luck = counter.luck(&record);
                assert_eq!(
                    luck.iter().map(|luck| luck[CHANCES]).sum::<i64>(),
                    0,
                    "{preset}: one player's gain is another's loss"
                );
                let better = seating.iter().position(|entrant| entrant.index() == 0).unwrap();
                let of_better = luck[better][CHANCES] as f64 / CARD as f64;
                (sum, squares, games) = (sum + of_better, squares + of_better * of_better, games + 1.0);
            }
        }
        let (mean, error) = (sum / games, (squares / games).sqrt() / f64::sqrt(games));
        assert!(error > 0.01 && mean.abs() < 3.5 * error, "{preset}, {seats} seats: {mean} ± {error}");
    }
}

#[test]
fn adjusted_estimate_is_unbiased_with_smaller_error() {
    let tally = tally(spec(&["greedy", "heuristic", "mixbot"], &[2], 150));
    for (entrant, adjusted) in tally.by_entrant().iter().zip(tally.luck().shares()) {
        let (raw, adjusted) = (Mean::of(&entrant.results.wins, WIN), adjusted.unwrap());
        let (raw_error, error) = (raw.standard_error.unwrap(), adjusted.standard_error.unwrap());
        assert!((raw.value.unwrap() - adjusted.value).abs() < 3.0 * (raw_error.powi(2) - error.powi(2)).sqrt());
        assert!(error < 0.85 * raw_error, "{error} {raw_error}");
    }
}

#[test]
fn identical_agents_tie_exactly_after_adjustment() {
    let tally = tally(spec(&["greedy", "greedy"], &[4], 10));
    for adjusted in tally.luck().shares().map(Option::unwrap) {
        assert_eq!((adjusted.value, adjusted.standard_error), (0.25, Some(0.0)));
    }
}

/// Also if players change seats or win together, all shares add up to the total.
#[test]
fn shares_sum_to_one_in_every_match_format() {
    for (preset, seats, setting) in [
        ("classic", 4, "match.teams=fixed"),
        ("cars", 4, "match.teams=rotating"),
        ("swap-hands", 8, "match.teams=rotating_tables"),
        ("disney", 4, "match.scoring=elimination"),
    ] {
        let overrides: [Override; 1] = [setting.parse().unwrap()];
        let rules = load(preset, &overrides, TableSize::Seats(seats), &PresetsOnly).unwrap().rules;
        let agents = if setting.ends_with("fixed") { &["random", "greedy"][..] } else { &["random"; 1] };
        let of_matches = Spec { variants: vec![Variant::of(&rules)], unit: Unit::Match, ..spec(agents, &[seats], 1) };
        let tally = tally(of_matches);
        let sum: f64 = tally.luck().shares().map(|adjusted| adjusted.unwrap().value).sum();
        let raw = Mean::of(&tally.by_entrant()[0].results.wins, WIN).value.unwrap();
        let expected = if agents.len() == 2 { 1.0 } else { raw };
        assert!((sum - expected).abs() < 1e-9, "{setting}: {sum}");
    }
}
