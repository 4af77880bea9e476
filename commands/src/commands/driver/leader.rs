//! The leader of a run in progress.

use std::collections::BTreeSet;

use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::tables::{PlayedSection, summary};

/// `; heuristic leads at 4 seats: 33.81% [33.72, 33.89]`, of the section in progress, with the anytime-valid interval.
/// Empty before there is an interval.
pub(super) fn line(contest: &Contest, part: &TournamentCounts) -> String {
    let with_parts = contest.schedule().sections.iter().zip(&part.sections);
    let mut begun = with_parts.filter(|(_, part)| part.next > part.sets.start);
    let Some((section, part)) = begun.next_back() else { return String::new() };
    leader_of(PlayedSection { spec: contest.spec(), section, tally: &part.tally }, &contest.unrated())
}

/// The leader of a section in progress, without the entrants of these names.
pub(in crate::commands) fn leader_of(played: PlayedSection<'_>, unrated: &BTreeSet<String>) -> String {
    let rows = summary::rows(played).into_iter().filter(|row| !unrated.contains(&row.entrant));
    let leader = rows.max_by(|a, b| a.win_share.unwrap_or(0.0).total_cmp(&b.win_share.unwrap_or(0.0)));
    leader.map_or_else(String::new, |row| match (row.win_share, row.anytime_low, row.anytime_high) {
        (Some(share), Some(low), Some(high)) => {
            let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
            format!("; {} leads at {} seats: {share:.2}% [{low:.2}, {high:.2}]", row.entrant, row.seats)
        }
        _ => String::new(),
    })
}
