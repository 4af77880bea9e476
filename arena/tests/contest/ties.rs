//! Identical agents tie exactly: the cards depend on the set, and an agent's stream on its seat.

use unolab_arena::spec::{Command, SeatingPlan, Spec, Unit, Variant};
use unolab_arena::tables::{PlayedSection, pairs, summary};
use unolab_engine::rules::Rules;

use super::{played, spec};

fn assert_tie(spec: Spec) {
    // In rotation each entrant always has the same neighbors, so three entrants are compared fairly only with all seatings.
    let pairs_tie = spec.entrants.len() == 2 || spec.seating == SeatingPlan::All;
    let (contest, counted, _) = played(spec);
    for section in PlayedSection::all(contest.spec(), contest.schedule(), &counted.tallies) {
        let fair = section.section.fair_share();
        for row in summary::rows(section) {
            let bounds = [row.win_share, row.ci_low, row.ci_high].map(|share| share.expect("a share"));
            assert!(bounds.iter().all(|share| (share - fair).abs() < 1e-15), "{row:?}");
            assert_eq!((row.se, row.n_eff), (Some(0.0), None));
        }
        for row in pairs::rows(section).into_iter().filter(|_| pairs_tie) {
            assert_eq!((row.share, row.se, row.los), (Some(0.5), Some(0.0), None), "{row:?}");
        }
    }
}

#[test]
fn identical_agents_tie_with_zero_error() {
    assert_tie(spec(&["greedy", "greedy"], &[2, 4], 50));
    assert_tie(spec(&["random", "random", "random"], &[3], 50));
    assert_tie(Spec { command: Command::Match, ..spec(&["random", "random"], &[2, 5], 50) });
    assert_tie(Spec { seating: SeatingPlan::All, ..spec(&["random", "random", "random"], &[4], 20) });
}

#[test]
fn identical_agents_tie_in_matches_of_every_edition() {
    for preset in unolab_engine::rules::presets::NAMES {
        let variants = vec![Variant::of(&Rules::preset(preset))];
        assert_tie(Spec { unit: Unit::Match, variants, ..spec(&["random", "random"], &[2, 4], 10) });
    }
}
