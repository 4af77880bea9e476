//! Intervals of the tables of a match.

use unolab_agents::registry::Registry;
use unolab_arena::count::tally::Tally;
use unolab_arena::experiment::luck_pilot::with_luck_adjustment;
use unolab_arena::experiment::tournament::tally_sets;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::Spec;
use unolab_arena::tables::{PlayedSection, luck, pairs, ratings, summary};
use unolab_stats::interval::Interval;

use super::{Estimate, Estimates, SimulatedRuns, each_run, spec_of};

/// The number of looks at a run, for anytime intervals.
const LOOKS: u64 = 10;

/// Everything in the tables of a section that has an interval; ratings take long.
fn estimates(played: PlayedSection<'_>, with_ratings: bool) -> Estimates {
    let mut all = Estimates::new();
    let mut put = |quantity: &str, of: String, estimate| {
        all.insert((quantity.to_owned(), of), estimate);
    };
    for row in summary::rows(played) {
        let intervals = vec![
            ("ci", row.ci_low, row.ci_high),
            ("simultaneous", row.simultaneous_low, row.simultaneous_high),
            ("anytime", row.anytime_low, row.anytime_high),
        ];
        put("win_share", row.entrant.clone(), Estimate { value: row.win_share, intervals });
        let points = row.points_mean.zip(row.points_se);
        let points = points.and_then(|(mean, error)| Interval::student(mean, error, row.sets));
        let (low, high) = (points.map(|points| points.low), points.map(|points| points.high));
        put("points_mean", row.entrant, Estimate::pointwise(row.points_mean, low, high));
    }
    for row in pairs::rows(played) {
        let intervals = vec![
            ("ci", row.ci_low, row.ci_high),
            ("simultaneous", row.simultaneous_low, row.simultaneous_high),
            ("anytime", row.anytime_low, row.anytime_high),
        ];
        put("share", format!("{} {}", row.a, row.b), Estimate { value: row.share, intervals });
    }
    for row in if with_ratings { ratings::rows(played) } else { Vec::new() } {
        put(&row.method, row.entrant, Estimate::pointwise(Some(row.rating), row.low, row.high));
    }
    for row in luck::rows(played) {
        let intervals = vec![
            ("ci", row.ci_low_adjusted, row.ci_high_adjusted),
            ("anytime", row.anytime_low_adjusted, row.anytime_high_adjusted),
        ];
        put("win_share_adjusted", row.entrant, Estimate { value: row.win_share_adjusted, intervals });
    }
    all
}

/// Plays this number of runs of a match, luck-adjusted or not.
pub(super) fn simulated(spec: &Spec, runs: u64, with_luck: bool, registry: &Registry) -> anyhow::Result<SimulatedRuns> {
    let contest_of = |run: u64| Contest::of(spec_of(spec, run), registry);
    // The luck adjustment is fitted once: fitting it on other seeds causes no bias.
    let worth = if with_luck {
        with_luck_adjustment(Contest::of(spec.clone(), registry)?)?.luck_model(0).cloned()
    } else {
        None
    };
    let played = each_run(runs, |run| {
        let contest = contest_of(run)?;
        let contest = match &worth {
            Some(worth) => contest.with_luck_model(vec![worth.clone()])?,
            None => contest,
        };
        let section = &contest.schedule().sections[0];
        let mut tally = Tally::new(spec.entrants.len(), section.seats);
        let mut looks = Vec::new();
        for look in 0..LOOKS {
            let sets = look * spec.sets / LOOKS..(look + 1) * spec.sets / LOOKS;
            tally.merge(&tally_sets(&contest, 0, sets)?);
            let played = PlayedSection { spec: contest.spec(), section, tally: &tally };
            looks.push(estimates(played, look + 1 == LOOKS));
        }
        Ok((tally, looks))
    })?;
    let contest = contest_of(0)?;
    let section = &contest.schedule().sections[0];
    let mut together = Tally::new(spec.entrants.len(), section.seats);
    played.iter().for_each(|(tally, _)| together.merge(tally));
    let truths = estimates(PlayedSection { spec, section, tally: &together }, true);
    Ok(SimulatedRuns { runs: played.into_iter().map(|(_, looks)| looks).collect(), truths })
}
