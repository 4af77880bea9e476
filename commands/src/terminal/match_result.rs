//! A match of two on a terminal: one result for both, and the opponents of a gauntlet.

use unolab_agents::printable::printable;
use unolab_agents::registry::Registry;
use unolab_arena::spec::Entrant;
use unolab_arena::tables::match_result::MatchResult;
use unolab_arena::tables::pairs::PairsRow;
use unolab_arena::tables::ratings::unrated;
use unolab_arena::words::{counted, grouped, sets_that_differ};
use unolab_stats::elo::{elo, elo_bounds};
use unolab_stats::interval::Interval;

use super::InterimLooks;
use super::plain::{plain_table, with_bounds};
use super::section::UNRATED;
use crate::output::wrapped;

/// `greedy against random, classic, 2 seats, 100 sets, fair share 50.00%`, in as many lines as needed.
#[must_use]
pub fn match_title(result: &MatchResult, width: u16) -> String {
    let MatchResult { a, b, variant, seats, sets, fair_share, .. } = result;
    let [a, b, variant] = [a, b, variant].map(|name| printable(name));
    let (sets, fair) = (counted(*sets, "set"), 100.0 * fair_share);
    wrapped("", &format!("{a} against {b}, {variant}, {seats} seats, {sets}, fair share {fair:.2}%"), width)
}

/// The result of a match of two, one line for each figure, each about the entrant named first.
#[must_use]
pub fn match_lines(result: &MatchResult, looks: InterimLooks, width: u16) -> String {
    let MatchResult { sets, games, wins, losses, unfinished, sets_won, sets_lost, .. } = result;
    let level = match looks {
        InterimLooks::One => "95%",
        InterimLooks::Any => "95% at any time",
    };
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let [share, low, high] = result.win_share;
    let mut lines = vec![(format!("win share % [{level}]"), with_bounds(share, low, high, percent))];
    lines.extend(elo_difference(result.elo, "Elo difference", level));
    lines.extend(elo_difference(result.nelo, "normalized Elo", level));
    // The likelihood of superiority is valid only for a single look.
    if let (Some(los), InterimLooks::One) = (result.los, looks) {
        lines.push(("likelihood of superiority".into(), format!("{}%", percent(los))));
    }
    let without_winner = match unfinished {
        0 => String::new(),
        unfinished => format!(", {} without a winner", grouped(*unfinished)),
    };
    lines.push((
        counted(*games, "game"),
        format!("{} won, {} lost{without_winner}", wins_in_words(*wins), wins_in_words(*losses)),
    ));
    let unequal = sets_won + sets_lost;
    lines.push((
        counted(*sets, "set"),
        format!(
            "{} won, {} tied, {} lost: {}",
            grouped(*sets_won),
            grouped(sets - unequal),
            grouped(*sets_lost),
            sets_that_differ(unequal, *sets)
        ),
    ));
    let by_wins = result.sets_by_wins.iter().map(|&(wins, sets)| format!("{}: {}", wins_in_words(wins), grouped(sets)));
    lines.push(("sets by number of wins".into(), by_wins.collect::<Vec<_>>().join(", ")));
    if let [Some(of_a), Some(of_b)] = result.points {
        lines.push(("points per game".into(), format!("{of_a:.2} against {of_b:.2}")));
    }
    let longest = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    lines.iter().map(|(name, value)| wrapped(&format!("  {name:<longest$}  "), value, width)).collect()
}

/// A line for each of these entrants that is not rated, with the reason.
#[must_use]
pub fn unrated_lines(entrants: &[Entrant], width: u16) -> String {
    let names = unrated(entrants, &Registry::default());
    names.iter().map(|name| wrapped("° ", &format!("{} is {UNRATED}", printable(name)), width)).collect()
}

/// An interval beyond this is uninformative: an agent that wins 9,999 of 10,000 games is 1,600 points ahead.
const LARGEST_BOUND: f64 = 5_000.0;

/// `("Elo difference [95%]", "+81 [+38, +128]")`. A difference without a finite value has a bound only.
fn elo_difference([value, low, high]: [Option<f64>; 3], name: &str, level: &str) -> Option<(String, String)> {
    if [low, high].into_iter().flatten().any(|bound| bound.abs() > LARGEST_BOUND) {
        return None;
    }
    let text = match (value, low, high) {
        (None, Some(low), None) => format!("above {}", signed(low)),
        (None, None, Some(high)) => format!("below {}", signed(high)),
        (None, ..) => return None,
        (Some(_), ..) => with_bounds(value, low, high, signed),
    };
    Some((format!("{name} [{level}]"), text))
}

/// Integer Elo points. A zero has no sign, even for a small negative number.
fn signed(elo: f64) -> String {
    match elo.round() {
        0.0 => "0".to_owned(),
        whole => format!("{whole:+.0}"),
    }
}

/// `1,234`, or `1.5` if wins are shared.
fn wins_in_words(wins: f64) -> String {
    let rounded = (100.0 * wins).round() / 100.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of games")]
    let whole = rounded.trunc().max(0.0) as u64;
    let fraction = format!("{:.2}", rounded.fract().abs());
    let digits = fraction.trim_start_matches('0').trim_end_matches('0').trim_end_matches('.');
    grouped(whole) + digits
}

/// The opponents of the first entrant of a gauntlet, the strongest first.
#[must_use]
pub fn opponents_table(hero: &str, rows: &[PairsRow], looks: InterimLooks, width: u16) -> String {
    let mut strongest_first: Vec<&PairsRow> = rows.iter().filter(|row| row.a == hero).collect();
    strongest_first.sort_by(|x, y| x.share.unwrap_or(1.0).total_cmp(&y.share.unwrap_or(1.0)));
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let cells = |row: &&PairsRow| {
        let (low, high) = match looks {
            InterimLooks::One => (row.ci_low, row.ci_high),
            InterimLooks::Any => (row.anytime_low, row.anytime_high),
        };
        let bounds = low.zip(high).map_or((None, None), |(low, high)| elo_bounds(Interval { low, high }, 2));
        vec![
            row.b.clone(),
            with_bounds(row.share, low, high, percent),
            with_bounds(row.share.and_then(|share| elo(share, 2)), bounds.0, bounds.1, signed),
            wins_in_words(row.a_wins),
            wins_in_words(row.b_wins),
        ]
    };
    let [share, elo] = match looks {
        InterimLooks::One => ["win share % [95%]", "Elo difference [95%]"],
        InterimLooks::Any => ["win share % [95% at any time]", "Elo difference [95% at any time]"],
    };
    let header = vec!["opponent", share, elo, "won", "lost"];
    let title = format!(
        "{} against each opponent (the opponents did not meet, so their win shares are not comparable)",
        printable(hero)
    );
    let table = plain_table(header, strongest_first.iter().map(cells), width, 1);
    format!("{}{table}\n", wrapped("", &title, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result() -> MatchResult {
        MatchResult {
            variant: "classic".into(),
            seats: 2,
            a: "greedy".into(),
            b: "random".into(),
            sets: 1_000,
            games: 2_000,
            fair_share: 0.5,
            wins: 1_230.5,
            losses: 767.5,
            unfinished: 2,
            win_share: [0.615, 0.582, 0.648].map(Some),
            elo: [81.4, 57.5, 106.0].map(Some),
            nelo: [120.4, 82.2, 158.6].map(Some),
            los: Some(0.99999),
            sets_won: 390,
            sets_lost: 160,
            sets_by_wins: vec![(0.0, 160), (1.0, 450), (1.5, 1), (2.0, 389)],
            points: [Some(30.88), Some(12.77)],
        }
    }

    #[test]
    fn match_of_two_has_one_line_for_each_figure() {
        let text = match_title(&result(), 100) + &match_lines(&result(), InterimLooks::One, 100);
        insta::assert_snapshot!(text, @"
        greedy against random, classic, 2 seats, 1,000 sets, fair share 50.00%
          win share % [95%]          61.50 [58.20, 64.80]
          Elo difference [95%]       +81 [+58, +106]
          normalized Elo [95%]       +120 [+82, +159]
          likelihood of superiority  100.00%
          2,000 games                1,230.5 won, 767.5 lost, 2 without a winner
          1,000 sets                 390 won, 450 tied, 160 lost: 550 of 1,000 sets differ
          sets by number of wins     0: 160, 1: 450, 1.5: 1, 2: 389
          points per game            30.88 against 12.77
        ");
    }

    #[test]
    fn lines_fit_the_width() {
        for width in [60, 80, 100] {
            let text = match_title(&result(), width) + &match_lines(&result(), InterimLooks::Any, width);
            assert!(text.lines().all(|line| line.chars().count() <= usize::from(width)), "{width}:\n{text}");
            assert!(text.contains("at any time") && !text.contains("superiority"), "{text}");
        }
    }

    #[test]
    fn difference_without_a_finite_value_has_a_bound() {
        let text = |elo| match_lines(&MatchResult { elo, ..result() }, InterimLooks::One, 100);
        assert!(text([None, Some(300.0), None]).contains("Elo difference [95%]       above +300\n"));
        assert!(text([None, None, Some(-300.0)]).contains("Elo difference [95%]       below -300\n"));
        assert!(!text([None, None, None]).contains("Elo difference"));
        assert!(text([Some(-0.2), Some(-1.6), Some(1.2)]).contains("Elo difference [95%]       0 [-2, +1]\n"));
    }

    #[test]
    fn opponents_are_listed_strongest_first() {
        let row = |b: &str, share: f64| PairsRow {
            a: "mine".into(),
            b: b.into(),
            a_wins: 100.0 * share,
            b_wins: 100.0 - 100.0 * share,
            share: Some(share),
            ci_low: Some(share - 0.05),
            ci_high: Some(share + 0.05),
            ..PairsRow::default()
        };
        let text = opponents_table("mine", &[row("random", 0.64), row("net", 0.4)], InterimLooks::One, 80);
        assert!(text.starts_with("mine against each opponent (the opponents did not meet"), "{text}");
        let rows: Vec<&str> = text.lines().filter(|line| line.contains('[') && !line.contains("95%")).collect();
        let row = |name, cells: [&str; 4]| [name, cells[0], cells[1], cells[2], cells[3]].map(str::to_owned);
        let expected = [
            row("net", ["40.00 [35.00, 45.00]", "-70 [-108, -35]", "40", "60"]),
            row("random", ["64.00 [59.00, 69.00]", "+100 [+63, +139]", "64", "36"]),
        ];
        for (found, cells) in rows.iter().zip(&expected) {
            assert!(cells.iter().all(|cell| found.contains(cell)), "{found}: {cells:?}");
        }
        assert_eq!(rows.len(), 2, "{text}");
    }
}
