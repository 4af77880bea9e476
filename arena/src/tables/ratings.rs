//! `ratings.csv`: the strength of each entrant, by several methods.

use std::collections::BTreeSet;

use unolab_agents::registry::Registry;
use unolab_stats::ratings::Ratings;
use unolab_stats::ratings::matches::Evidence;

use super::{PlayedSection, row};
use crate::count::evidence::{rate, run_evidence};
use crate::spec::Entrant;

row! {
    /// One entrant rated by one method.
    pub struct RatingsRow in "ratings.csv", "one entrant by one method" {
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// its name; agents that see all cards are not rated
        entrant: String,
        /// `bradley-terry` (two sides at a table) or `plackett-luce` (more): strength by maximum likelihood of the wins, with
        /// a term for the turn order; `(weak prior)` if wins do not connect all entrants, in which case each gets one tied
        /// game against an average opponent. `total-score`: share of wins. From the wins of `pairs.csv`, if every pair has
        /// played: `nash-average`, the gain against the maximum-entropy Nash equilibrium, and `nash-share`, the entrant's
        /// share in it; `alpha-rank`, the share of time that an evolution of strategies spends with it; `instant-run-off`,
        /// the mean share against the remaining entrants when the last entrant is dropped repeatedly
        method: String,
        /// Elo points for the strengths (mean 0) and for `nash-average` (0 is the equilibrium); otherwise a share from 0 to 1
        rating: f64,
        /// lower bound, from a bootstrap over sets: expanded percentiles
        low: Option<f64>,
        /// upper bound
        high: Option<f64>,
        /// 1 for the best by this method; tied ratings share the better place
        place: usize,
        /// the best place in a 95% confidence set for the places of all entrants together: 1 plus the number of entrants that
        /// are significantly above it (Mogstad and others 2024, by the same bootstrap)
        place_low: Option<usize>,
        /// the worst place in this confidence set
        place_high: Option<usize>,
    }
}

/// The ratings of a played section without the entrants of these names; none for a single entrant or without sets.
#[must_use]
pub fn ratings(played: PlayedSection<'_>, unrated: &BTreeSet<String>) -> Option<(Evidence, Ratings)> {
    let any_set = played.tally.groups().iter().next().is_some();
    (played.spec.entrants.len() > 1 && any_set).then(|| {
        let evidence = Evidence {
            variant: played.variant().name.clone(),
            seats: played.section.seats,
            entrants: played.spec.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            runs: vec![run_evidence(played.section, played.tally, &played.spec.entrants)],
            coverage: played.spec.allocation.coverage(),
        };
        let ratings = rate(&evidence, &|name| !unrated.contains(name), None);
        (evidence, ratings)
    })
}

/// The names of the entrants that are not part of the field, by this registry.
#[must_use]
pub fn unrated(entrants: &[Entrant], registry: &Registry) -> BTreeSet<String> {
    let unrated = entrants.iter().filter(|entrant| is_bound(&entrant.agent, registry));
    unrated.map(|entrant| entrant.name.clone()).collect()
}

/// Whether this agent is outside the field: an agent that sees all cards, or is tailored to one agent, is a
/// bound to compare with; an agent unknown to this registry is the user's own player.
#[must_use]
pub fn is_bound(agent: &str, registry: &Registry) -> bool {
    // Tables never start programs.
    registry.clone().without("cmd").configure(agent).is_ok_and(|agent| !agent.is_contender())
}

/// The rows of ratings.
#[must_use]
pub fn rows_of(evidence: &Evidence, ratings: &Ratings) -> Vec<RatingsRow> {
    let row = |rating: &unolab_stats::ratings::Rating| RatingsRow {
        variant: evidence.variant.clone(),
        seats: evidence.seats,
        entrant: evidence.entrants[rating.entrant].clone(),
        method: rating.method.name().into(),
        rating: rating.value,
        low: rating.interval.map(|interval| interval.low),
        high: rating.interval.map(|interval| interval.high),
        place: rating.place,
        place_low: rating.places.map(|places| places.best),
        place_high: rating.places.map(|places| places.worst),
    };
    ratings.ratings.iter().map(row).collect()
}

/// The rows of a section, whose agents are built-in.
#[must_use]
pub fn rows(played: PlayedSection<'_>) -> Vec<RatingsRow> {
    rows_without(played, &unrated(&played.spec.entrants, &Registry::default()))
}

/// The rows of a section without the entrants of these names.
#[must_use]
pub fn rows_without(played: PlayedSection<'_>, unrated: &BTreeSet<String>) -> Vec<RatingsRow> {
    ratings(played, unrated).map_or_else(Vec::new, |(evidence, ratings)| rows_of(&evidence, &ratings))
}

#[cfg(test)]
mod tests {
    use super::super::tests::Played;
    use super::*;

    #[test]
    fn entrants_are_rated_by_every_method() {
        let played = Played::new(&["random", "greedy", "clairvoyant"], &[2, 3]);
        let rows: Vec<RatingsRow> = played.sections().flat_map(rows).collect();
        assert_eq!(rows.len(), 2 * 2 * 6);
        assert!(rows.iter().all(|row| row.low.unwrap() <= row.high.unwrap() && row.entrant != "clairvoyant"));
        for row in &rows {
            assert!((row.place_low.unwrap()..=row.place_high.unwrap()).contains(&row.place), "{row:?}");
        }
        assert_eq!([&*rows[0].method, &*rows[12].method], ["bradley-terry", "plackett-luce"]);
    }

    #[test]
    fn renamed_oracle_is_recognized_by_agent() {
        let agents =
            ["x=clairvoyant", "clairvoyant=greedy", "clairvoyant:iterations=8", "unknown", "y=exploiter:of=mixbot"];
        let found = unrated(&Entrant::name_all(agents), &Registry::default());
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["clairvoyant:iterations=8", "x", "y"]);
    }

    #[test]
    fn single_entrant_has_no_rating() {
        assert!(Played::new(&["random"], &[2]).sections().flat_map(rows).next().is_none());
    }
}
