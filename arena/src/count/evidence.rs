//! The data of ratings from the counts of a section, and the ratings themselves.

use unolab_engine::rng::{Purpose, Rng, digest};
use unolab_stats::bootstrap::GroupSums;
use unolab_stats::ratings::matches::{Evidence, RunEvidence, Sample};
use unolab_stats::ratings::{self, Anchor, Ratings};
use unolab_stats::sprt::SetUnit;
use unolab_stats::unequal::Stake;

use crate::count::tally::Tally;
use crate::play::record::WIN;
use crate::random::Stream;
use crate::schedule::Section;
use crate::schedule::seating::Seating;
use crate::spec::Entrant;

/// The data of ratings from the counts of a section.
#[must_use]
pub fn run_evidence(section: &Section, tally: &Tally, entrants: &[Entrant]) -> RunEvidence {
    let teams = section.num_teams();
    let mut wins_by_place = vec![0; teams];
    for entrant in tally.by_entrant() {
        for (place, results) in entrant.by_order_of_play.iter().enumerate() {
            wins_by_place[place % teams] += results.wins.total;
        }
    }
    let groups: Vec<GroupSums> = tally.groups().iter().cloned().collect();
    let sets: u64 = groups.iter().map(|group| group.sets).sum();
    RunEvidence {
        entrants: (0..tally.by_entrant().len()).collect(),
        lineups: lineups(section),
        win: WIN * section.team_size as u64,
        stake: stake(section, entrants),
        wins_by_place,
        win_of_pair: WIN,
        meetings_per_set: tally.by_pair().map(|(_, _, pair)| pair.comparisons / sets.max(1)).collect(),
        sample: Sample::Groups(groups),
    }
}

/// The wins at stake in a game.
#[must_use]
pub fn stake(section: &Section, entrants: &[Entrant]) -> Stake {
    if section.stake(entrants) == Stake::NONE { Stake::NONE } else { Stake::WIN }
}

/// A set of a section as the unit of a test between two entrants: a win counts once for each seat of a team.
#[must_use]
pub fn set_unit(section: &Section, entrants: &[Entrant]) -> SetUnit {
    SetUnit {
        win: WIN * section.team_size as u64,
        games: section.games_per_set(),
        fair_share: section.fair_share(),
        stake: stake(section, entrants),
    }
}

/// The sides at each table of a section, as if the first seat began.
#[must_use]
pub fn lineups(section: &Section) -> Vec<Vec<usize>> {
    let side = |seating: &Seating| seating[..section.num_teams()].iter().map(|entrant| entrant.index()).collect();
    section.lineups().map(side).collect()
}

/// Rates the entrants that `is_rated` accepts (see [`ratings::rate`]). The random numbers of the bootstrap depend only
/// on the rated counts.
#[must_use]
pub fn rate(evidence: &Evidence, is_rated: &dyn Fn(&str) -> bool, anchor: Option<Anchor>) -> Ratings {
    const BOOTSTRAP: Purpose = Purpose::Other(1);
    let rng = Rng::keyed(evidence.seats as u64, digest(&evidence.variant), BOOTSTRAP);
    ratings::rate(evidence, is_rated, anchor, &mut Stream(rng))
}

#[cfg(test)]
mod tests {
    use unolab_stats::interval::Coverage;

    use super::*;
    use crate::tables::tests::Played;

    /// Three agents at tables of two, with each table played in both orders in each set.
    #[test]
    fn two_entrants_meet_twice_in_a_set() {
        let played = Played::new(&["random", "oracle", "greedy"], &[2]);
        let section = played.sections().next().unwrap();
        let evidence = run_evidence(section.section, section.tally, &played.spec.entrants);
        assert_eq!(evidence.meetings_per_set, [2, 2, 2]);
        assert_eq!(evidence.wins_by_place.iter().sum::<u64>(), 6 * evidence.win * played.spec.sets);
        assert_eq!(evidence.lineups, [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        let nothing = run_evidence(section.section, &Tally::new(3, 2), &played.spec.entrants);
        assert_eq!(nothing.meetings_per_set, [0, 0, 0]);
    }

    #[test]
    fn oracle_is_excluded_from_places() {
        let played = Played::new(&["random", "oracle", "greedy"], &[2]);
        let section = played.sections().next().unwrap();
        let evidence = Evidence {
            variant: "classic".into(),
            seats: 2,
            entrants: ["random", "oracle", "greedy"].map(String::from).to_vec(),
            runs: vec![run_evidence(section.section, section.tally, &played.spec.entrants)],
            coverage: Coverage::Pointwise,
        };
        let ratings = rate(&evidence, &|name| name != "oracle", None).ratings;
        assert!(!ratings.is_empty() && ratings.iter().all(|rating| rating.entrant != 1 && rating.place <= 2));
    }
}
