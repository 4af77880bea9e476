//! Snapshots of the tables, with made-up rows.

use unolab_arena::tables::decisions::DecisionRow;
use unolab_arena::tables::league::LeagueRow;
use unolab_arena::tables::luck::LuckRow;

use super::InterimLooks;
use super::coverage::{CoverageRow, coverage_table};
use super::decisions::decisions_table;
use super::exploit::{ExploitRow, exploit_table};
use super::league::league_table;
use super::luck::luck_table;
use super::power::power_table;

#[test]
fn tables_match_snapshot() {
    let decision = DecisionRow {
        agent: "greedy".into(),
        actions: 3,
        chosen: "r7".into(),
        value: 0.5,
        rank: 1,
        best: "r7".into(),
        best_value: 0.5,
        ..DecisionRow::default()
    };
    let better = DecisionRow { best: "W red".into(), best_value: 0.75, rank: 2, regret: 0.25, ..decision.clone() };
    let luck = |entrant: &str, share: f64| LuckRow {
        entrant: entrant.into(),
        win_share: Some(share),
        ci_low: Some(share - 0.01),
        ci_high: Some(share + 0.01),
        win_share_adjusted: Some(share),
        anytime_low_adjusted: Some(share - 0.02),
        anytime_high_adjusted: Some(share + 0.02),
        relative_efficiency: Some(2.5),
        ..LuckRow::default()
    };
    let luck =
        [luck("random", 0.25), luck("heuristic", 0.75), LuckRow { entrant: "stranger".into(), ..LuckRow::default() }];
    let exploit = ExploitRow {
        variant: "mini".into(),
        turns: 12,
        agent: "greedy".into(),
        own_dealer: 0.5,
        best_dealer: 0.625,
        own_other: 0.5,
        best_other: 0.75,
        exploitability: 0.1875,
        unfinished: 0.01,
        ..ExploitRow::default()
    };
    let coverage = |seats| CoverageRow {
        variant: "classic".into(),
        seats,
        quantity: "win_share".into(),
        of: "greedy".into(),
        interval: "ci".into(),
        runs: 400,
        sets: 60,
        coverage: 0.955,
        half_width: 0.0625,
        ..CoverageRow::default()
    };
    let coverage = [coverage(2), coverage(2), coverage(4)];
    let league = |season, tier, next_tier, entrant: &str| LeagueRow {
        variant: "classic".into(),
        seats: 2,
        season,
        tier,
        next_tier,
        entrant: entrant.into(),
        rating: 12.34,
        ..LeagueRow::default()
    };
    let league = [league(1, 1, 1, "greedy"), league(1, 1, 2, "random"), league(1, 2, 1, "mixbot")];
    let power = [["greedy", "0.42", "1,234", "1,652", "14,808"].map(String::from)].to_vec();
    let tables = [
        decisions_table(&[decision, better], 80),
        luck_table(&luck, InterimLooks::One, 80),
        luck_table(&luck, InterimLooks::Any, 80),
        exploit_table(&[exploit], 80),
        coverage_table(&coverage, 78),
        coverage_table(&coverage, 77),
        league_table(&league, 80),
        power_table(power, 80),
    ];
    insta::assert_snapshot!(tables.join("\n"));
}
