//! A balance run checked against known values.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::Balance;
use unolab_arena::experiment::balance::counts::BalanceCounts;
use unolab_arena::experiment::balance::results::Tables;
use unolab_arena::experiment::balance::spec::{BalanceSpec, CommandWord, MetricSet, VariantComparison};
use unolab_arena::run::checkpoint::Sharded;
use unolab_arena::run::driver::{self, Progress, RunOptions};
use unolab_arena::run::experiment::Experiment;
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::{Entrant, SeatingPlan, Variant};
use unolab_arena::tables::balance::{MetricsRow, SweepRow};
use unolab_engine::rules::Rules;

use super::illegal::registry_of_cheats;
use super::panics::registry_of_those_who_panic;

pub(super) fn spec(agents: &[&str], preset: &str, seats: usize, sets: u64) -> BalanceSpec {
    BalanceSpec {
        command: CommandWord::Balance,
        field: Entrant::name_all(agents.iter().copied()),
        variants: vec![Variant::of(&Rules::preset(preset))],
        seats: vec![seats],
        sets,
        matches: 0,
        seed: 5,
        seating: SeatingPlan::Rotate,
        sweep: Vec::new(),
        arms: Vec::new(),
        worth: Vec::new(),
        good: "greedy".into(),
        weak: "random".into(),
        ladder: Vec::new(),
        margin_permille: 20,
        metrics: MetricSet::All,
        panel: Vec::new(),
        turn_ms: Some(6_000),
        lengths: vec![40],
        decisive_permille: None,
        rivals: Vec::new(),
        comparison: VariantComparison::Separate,
        seal: None,
    }
}

fn play(spec: &BalanceSpec, threads: usize) -> Tables {
    play_with(&Registry::default(), spec, threads)
}

fn prepared(registry: &Registry, spec: &BalanceSpec) -> Balance {
    Balance::prepare(spec, registry).unwrap()
}

fn play_with(registry: &Registry, spec: &BalanceSpec, threads: usize) -> Tables {
    let stop = AtomicBool::new(false);
    let balance = prepared(registry, spec);
    let part = driver::run(&balance, balance.empty(Shard::WHOLE), RunOptions::new(threads, &stop)).unwrap();
    assert!(balance.horizon(&part).unwrap().is_empty());
    let tables = balance.tables(&part);
    let (metrics, compared) = (balance.metrics(), balance.compared());
    tables.metrics.iter().for_each(|row| assert!(metrics.contains(&row.metric), "{}", row.metric));
    tables.sweep.iter().for_each(|row| assert!(compared.contains(&row.metric), "{}", row.metric));
    tables
}

fn metric<'a>(tables: &'a Tables, name: &str) -> &'a MetricsRow {
    tables.metrics.iter().find(|row| row.metric == name).unwrap_or_else(|| panic!("no {name}"))
}

fn value(tables: &Tables, name: &str) -> f64 {
    metric(tables, name).value.unwrap()
}

fn sweep<'a>(tables: &'a Tables, arm: &str, name: &str) -> &'a SweepRow {
    let found = tables.sweep.iter().find(|row| row.arm == arm && row.metric == name);
    found.unwrap_or_else(|| panic!("no {name} of {arm}"))
}

#[test]
fn shares_sum_to_one_and_points_match_cards() {
    let tables = play(&spec(&["random", "greedy"], "wimpy-kid", 4, 200), 2);
    let sum = |start: &str| -> f64 {
        let rows = tables.metrics.iter().filter(|row| row.metric.starts_with(start));
        rows.map(|row| row.value.unwrap()).sum()
    };
    assert!((sum("seat_share(") - 1.0).abs() < 1e-12);
    assert!((sum("seat_share_adjusted(") - 1.0).abs() < 1e-9, "luck is relative to the table: it sums to zero");
    assert!((sum("points_from(") - 1.0).abs() < 1e-12);
    // Two seats of each of two agents.
    assert!((2.0 * sum("win_share(") - 1.0).abs() < 1e-12);
    let (points, each) = (value(&tables, "points_a_round"), sum("points_mean("));
    assert!((points - 2.0 * each).abs() < 1e-9, "{points} {each}");
    let (chi_squared, p) = (value(&tables, "seat_chi_squared"), value(&tables, "seat_chi_squared_p"));
    // The middle of the distribution with three degrees of freedom is 2.37.
    assert!(chi_squared >= 0.0 && (chi_squared > 2.37) == (p < 0.5), "{chi_squared} {p}");
    // Most turns have a choice, among a few of a hand of seven.
    let (actions, choices) = (value(&tables, "legal_actions"), value(&tables, "choice_share"));
    assert!((1.5..6.0).contains(&actions) && (0.3..0.95).contains(&choices), "{actions} {choices}");
    let (scaled, share) = (value(&tables, "skill"), value(&tables, "good_share"));
    assert!((scaled - (share - 0.25) / 0.75).abs() < 1e-12);
    assert!(tables.sweep.is_empty());
}

#[test]
fn card_points_do_not_affect_players_that_ignore_them() {
    let base = spec(&["random"], "classic", 2, 300);
    let sweep_points = vec!["points.wild_draw_four=25,50,75".parse().unwrap()];
    let tables = play(&BalanceSpec { sweep: sweep_points, matches: 10, ..base }, 2);
    for arm in ["points.wild_draw_four=25", "points.wild_draw_four=75"] {
        for name in ["turns", "seat_share(0)", "excitement", "last_lead_change", "lead_changes", "legal_actions"] {
            let row = sweep(&tables, arm, name);
            assert_eq!((row.difference, row.se, row.p), (0.0, Some(0.0), None), "{arm} {name}");
        }
    }
    // Points are linear in a card's value: 25 less and 25 more.
    let difference = |arm: &str| sweep(&tables, arm, "points_a_round").difference;
    let (less, more) = (difference("points.wild_draw_four=25"), difference("points.wild_draw_four=75"));
    assert!(less < 0.0 && (less + more).abs() < 1e-9, "{less} {more}");
    assert!(sweep(&tables, "points.wild_draw_four=25", "match_rounds").difference >= 0.0);
    // The control arm differs only by noise: the same deals, other choices.
    let null = sweep(&tables, "control", "turns");
    assert!(null.difference != 0.0 && null.difference.abs() < 5.0 * null.se.unwrap() && null.p_holm.is_none());
}

/// Each seed fits another model, so the errors explain the differences between seeds only if they contain the fit.
#[test]
fn errors_of_fitted_metrics_explain_differences_between_seeds() {
    let runs: Vec<Tables> =
        (0..10).map(|seed| play(&BalanceSpec { seed, ..spec(&["heuristic"], "classic", 2, 60) }, 2)).collect();
    for name in ["sting(number)", "sting(wild)", "excitement"] {
        let mean = |of: &dyn Fn(&MetricsRow) -> f64| runs.iter().map(|run| of(metric(run, name))).sum::<f64>() / 10.0;
        let center = mean(&|row| row.value.unwrap());
        let deviation = (mean(&|row| (row.value.unwrap() - center).powi(2)) * 10.0 / 9.0).sqrt();
        let ratio = deviation / mean(&|row| row.se.unwrap());
        assert!((0.4..2.0).contains(&ratio), "{name}: {ratio}");
    }
}

#[test]
fn luck_has_zero_mean_and_adjustment_is_unbiased() {
    let tables = play(&BalanceSpec { good: "heuristic".into(), ..spec(&["greedy", "random"], "disney", 4, 3_000) }, 2);
    let controls = tables.metrics.iter().filter(|row| row.metric.starts_with("control_mean"));
    assert_eq!(controls.clone().count(), 7);
    for row in controls {
        assert!(row.value.unwrap().abs() < 4.0 * row.se.unwrap(), "{row:?}");
    }
    for agent in ["greedy", "random"] {
        let raw = metric(&tables, &format!("win_share({agent})"));
        let adjusted = metric(&tables, &format!("win_share_adjusted({agent})"));
        let shift = (raw.value.unwrap() - adjusted.value.unwrap()).abs();
        assert!(shift < 4.0 * raw.se.unwrap(), "{raw:?} {adjusted:?}");
    }
    assert!(value(&tables, "seat_share_gain(0)") > 1.03, "luck explains something");
    assert!(value(&tables, "model_calibration_error") < 0.03);
}

#[test]
fn card_effects_match_expectation() {
    let worth = ["wild_draw_four", "skip", "y0"].map(String::from).to_vec();
    let tables = play(&BalanceSpec { worth, matches: 300, ..spec(&["greedy"], "classic", 2, 1_500) }, 2);
    // In a match the card is dealt in the first round, so points in the last hand do not measure it.
    let in_match = sweep(&tables, "dealt:wild_draw_four", "match_win_share");
    assert!(in_match.ci_high.unwrap() > 0.0 && in_match.se.unwrap() < 0.05, "{in_match:?}");
    assert!(tables.sweep.iter().all(|row| !row.metric.starts_with("match_points_left")));
    // A draw four in the hand helps to win; without its effect, rounds bring fewer points.
    assert!(sweep(&tables, "dealt:wild_draw_four", "win_share").ci_low.unwrap() > 0.0);
    assert!(sweep(&tables, "void:wild_draw_four", "points_a_round").ci_high.unwrap() < 0.0);
    assert!(sweep(&tables, "void:skip", "seat_share(0)").se.unwrap() > 0.0);
    assert!(sweep(&tables, "points.skip=0", "points_a_round").ci_high.unwrap() < 0.0);
    assert_eq!(sweep(&tables, "void:skip", "points_from(skip)").value, Some(0.0));
    assert!(sweep(&tables, "dealt:y0", "win_share").difference.abs() < 0.1);
}

/// Each rung of a ladder is the win share of a stronger agent among copies of the next weaker one.
#[test]
fn ladder_budget_beats_smaller_budget() {
    let ladder = ["heuristic", "random", "greedy", "greedy"].map(String::from).to_vec();
    let tables = play(&BalanceSpec { ladder, ..spec(&["mixbot"], "classic", 3, 200) }, 2);
    let rungs: Vec<_> = tables.metrics.iter().filter(|row| row.metric.starts_with("ladder(")).collect();
    let names: Vec<_> = rungs.iter().map(|row| &*row.metric).collect();
    assert_eq!(names, ["ladder(random)", "ladder(greedy)", "ladder(greedy)"]);
    let values: Vec<f64> = rungs.iter().map(|row| row.value.unwrap()).collect();
    assert!(values[0] < 0.25 && values[1] > 0.4, "{values:?}");
    assert!((values[2] - 1.0 / 3.0).abs() < 1e-12, "{values:?}");
    assert!(rungs.iter().all(|row| row.n == Some(600)), "three seats in each of 200 sets");
}

#[test]
fn every_edition_is_measured_independently_of_threads() {
    for preset in unolab_engine::rules::presets::NAMES {
        let sweep = vec!["deal.hand_size=5".parse().unwrap()];
        let spec = BalanceSpec { sweep, matches: 4, ..spec(&["heuristic", "random"], preset, 3, 20) };
        assert_eq!(play(&spec, 1), play(&spec, 3), "{preset}");
    }
}

/// An agent that panics loses the game, and is named; the other agents' games are measured.
#[test]
fn balance_with_panicking_agents_continues() {
    let registry = registry_of_those_who_panic();
    let base = spec(&["greedy", "fragile"], "classic", 2, 40);
    let with_more = BalanceSpec {
        good: "greedy".into(),
        weak: "stillborn".into(),
        sweep: vec!["deal.hand_size=5".parse().unwrap()],
        worth: vec!["skip".into()],
        ..base
    };
    let tables = play_with(&registry, &with_more, 2);
    assert_eq!(tables, play_with(&registry, &with_more, 1), "the same with any threads");
    assert_eq!((value(&tables, "win_share(greedy)"), value(&tables, "win_share(fragile)")), (1.0, 0.0));
    assert_eq!((value(&tables, "good_share"), value(&tables, "fault_share(stillborn)")), (1.0, 1.0));
    // Every game lost by a fault is listed once, with its arm.
    let named = |arms: &[&str], agent: &str| {
        tables.faults.iter().filter(|row| row.entrant == agent && arms.contains(&&*row.arm)).count() as f64
    };
    for (agent, games) in [("fragile", 80 + 80), ("stillborn", 80)] {
        let share = metric(&tables, &format!("fault_share({agent})"));
        assert_eq!(share.n, Some(games), "two seatings of each deal; a skip for either seat");
        let games = named(&["base", "dealt:skip"], agent);
        assert!((share.value.unwrap() * share.n.unwrap() as f64 - games).abs() < 1e-9, "{share:?} {games}");
        let share = sweep(&tables, "deal.hand_size=5", &format!("fault_share({agent})"));
        assert!((share.value.unwrap() * 80.0 - named(&["deal.hand_size=5"], agent)).abs() < 1e-9, "{share:?}");
    }
    let games: BTreeSet<u64> = tables.faults.iter().map(|row| row.index).collect();
    assert_eq!(games.len(), tables.faults.len(), "one of two players in each game");
    let per_set = prepared(&registry, &with_more).cases()[0].games_per_set();
    assert!(tables.faults.iter().all(|row| row.index / per_set == row.set && row.unit == "round"));
    let fragile = value(&tables, "fault_share(fragile)");
    assert!(fragile > 0.5 && fragile < 1.0, "it loses games in time, too: {fragile}");
    assert!(tables.metrics.iter().all(|row| row.metric != "fault_share(greedy)"));
    assert!(sweep(&tables, "deal.hand_size=5", "fault_share(fragile)").value.unwrap() > 0.5);
    // Without panics there is no report of them.
    let calm = play(&spec(&["greedy"], "classic", 2, 4), 1);
    assert!(calm.metrics.iter().all(|row| !row.metric.contains("fault")) && calm.faults.is_empty());
}

/// The first hundred of each agent and arm, for any batches merged in any order.
#[test]
fn faults_are_equal_in_parts_and_after_interruption() {
    let registry = registry_of_those_who_panic();
    let spec = BalanceSpec {
        weak: "fragile".into(),
        sweep: vec!["uno.penalty=4".parse().unwrap()],
        worth: vec!["skip".into()],
        matches: 5,
        ..spec(&["greedy", "stillborn"], "classic", 3, 60)
    };
    let whole = play_with(&registry, &spec, 2);
    let of = |arm: &str, unit: &str| -> Vec<u64> {
        let rows = whole.faults.iter().filter(|row| (&*row.arm, &*row.unit) == (arm, unit));
        rows.filter(|row| row.entrant == "stillborn").map(|row| row.index).collect()
    };
    for arm in ["base", "uno.penalty=4", "dealt:skip", "control"] {
        assert!(of(arm, "round").len() == 100 && of(arm, "round").is_sorted(), "{arm}: {:?}", of(arm, "round"));
    }
    assert!(of("base", "match").iter().all(|index| index > of("control", "round").last().unwrap()));

    let balance = prepared(&registry, &spec);
    let mut joined = BalanceCounts::new(&spec, Shard::WHOLE);
    for shard in ["3/3", "1/3", "2/3"] {
        let mut part = BalanceCounts::new(&spec, shard.parse().unwrap());
        // Stopped, saved, and resumed.
        while !balance.horizon(&part).unwrap().is_empty() {
            let (stop, before) = (AtomicBool::new(false), balance.games(&part));
            let on_progress = |progress: Progress| stop.store(progress.games > before + 100, Ordering::Relaxed);
            let options = RunOptions { on_progress: &on_progress, ..RunOptions::new(2, &stop) };
            part = driver::run(&balance, part, options).unwrap();
            part = serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap();
            assert!(balance.accepts(&part, shard.parse().unwrap()));
        }
        joined.join(&part);
    }
    assert_eq!(balance.tables(&joined), whole);
    // A checkpoint with an unknown agent is invalid.
    let kept = serde_json::to_string(&joined).unwrap().replacen(r#""faults":[{"1""#, r#""faults":[{"3""#, 1);
    assert!(!balance.accepts(&serde_json::from_str(&kept).unwrap(), Shard::WHOLE));
}

#[test]
fn balance_with_illegal_answers_names_the_agent() {
    let tables = play_with(&registry_of_cheats(), &spec(&["greedy", "takes"], "classic", 2, 40), 2);
    assert_eq!((value(&tables, "win_share(greedy)"), value(&tables, "win_share(takes)")), (1.0, 0.0));
    assert!(value(&tables, "fault_share(takes)") > 0.3);
}
