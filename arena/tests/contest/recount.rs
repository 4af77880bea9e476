//! `summary.csv`, `seats.csv` and `pairs.csv` computed again from `games.csv`: slowly, in floats, and without any code of
//! the crate but the reading of names.

use std::collections::BTreeMap;

use unolab_arena::spec::{Spec, Unit, Variant};
use unolab_arena::tables::distributions::DistributionsRow;
use unolab_arena::tables::games::Game;
use unolab_arena::tables::pairs::PairsRow;
use unolab_arena::tables::summary::SummaryRow;
use unolab_arena::tables::{PlayedSection, distributions, header, pairs, seats, summary};
use unolab_engine::rules::{Override, PresetsOnly, Rules, TableSize, load};

use super::{played, spec};

/// A row of games.csv.
struct GameRow {
    seats: usize,
    variant: String,
    set: u64,
    entrants: Vec<usize>,
    winners: Vec<usize>,
    points: Vec<f64>,
    places: Vec<f64>,
    rounds: u64,
    turns: u64,
    decisions: u64,
}

fn read(csv: &[u8]) -> Vec<GameRow> {
    let row = |cells: csv::StringRecord| {
        let list = |column: usize| -> Vec<usize> {
            cells[column].split_whitespace().map(|number| number.parse().unwrap()).collect()
        };
        let floats = |column: usize| list(column).into_iter().map(|number| number as f64).collect();
        let (has_winner, places) = (!cells[7].is_empty(), list(10));
        GameRow {
            variant: cells[4].into(),
            seats: cells[5].parse().unwrap(),
            set: cells[2].parse().unwrap(),
            entrants: list(6),
            winners: (0..places.len()).filter(|&seat| has_winner && places[seat] == 1).collect(),
            points: floats(9),
            places: floats(10),
            rounds: cells[11].parse().unwrap(),
            turns: cells[12].parse().unwrap(),
            decisions: cells[13].parse().unwrap(),
        }
    };
    csv::Reader::from_reader(csv).into_records().map(|cells| row(cells.unwrap())).collect()
}

impl GameRow {
    fn seats_of(&self, entrant: usize) -> impl Iterator<Item = usize> {
        (0..self.seats).filter(move |&seat| self.entrants[seat] == entrant)
    }

    /// `partners` seats win together.
    fn win_share(&self, seat: usize, partners: f64) -> f64 {
        if self.winners.is_empty() {
            partners / self.seats as f64
        } else if self.winners.contains(&seat) {
            partners / self.winners.len() as f64
        } else {
            0.0
        }
    }
}

/// Values of seat-games, by set.
#[derive(Default)]
struct Sample(BTreeMap<u64, Vec<f64>>);

impl Sample {
    fn add(&mut self, set: u64, value: f64) {
        self.0.entry(set).or_default().push(value);
    }

    fn all(&self) -> Vec<f64> {
        self.0.values().flatten().copied().collect()
    }

    fn mean(&self) -> f64 {
        mean(&self.all())
    }

    /// SE² = Σ(x_s − x̄)² / (S(S − 1)).
    fn standard_error(&self) -> f64 {
        let means: Vec<f64> = self.0.values().map(|values| mean(values)).collect();
        (squared_deviations(&means) / (means.len() * (means.len() - 1)) as f64).sqrt()
    }

    fn design_effect(&self) -> f64 {
        let games = self.all();
        let by_games = squared_deviations(&games) / (games.len() * (games.len() - 1)) as f64;
        self.standard_error().powi(2) / by_games
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn squared_deviations(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

#[track_caller]
fn assert_close(found: Option<f64>, expected: f64) {
    let found = found.expect("a number");
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "found {found}, expected {expected}");
}

fn check_summary(row: &SummaryRow, entrant: usize, games: &[&GameRow], partners: f64) {
    let (mut wins, mut points) = (Sample::default(), Sample::default());
    let (mut rounds, mut turns, mut decisions) = (0, 0, 0);
    for game in games {
        for seat in game.seats_of(entrant) {
            wins.add(game.set, game.win_share(seat, partners));
            points.add(game.set, game.points[seat]);
            (rounds, turns, decisions) = (rounds + game.rounds, turns + game.turns, decisions + game.decisions);
        }
    }
    let seat_games = wins.all().len() as u64;
    assert_eq!((row.sets, row.games), (wins.0.len() as u64, seat_games));
    assert_eq!((row.rounds, row.decisions), (rounds, decisions));
    assert_close(Some(row.wins), wins.all().iter().sum());
    assert_close(row.win_share, wins.mean());
    assert_close(row.se, wins.standard_error());
    assert_close(row.design_effect, wins.design_effect());
    assert_close(row.n_eff, seat_games as f64 / wins.design_effect());
    assert_close(row.points_mean, points.mean());
    assert_close(row.points_se, points.standard_error());
    assert_close(row.turns_mean, turns as f64 / seat_games as f64);
    let (share, teams) = (wins.mean(), row.seats as f64 / partners);
    assert_close(row.elo, 400.0 * (share * (teams - 1.0) / (1.0 - share)).log10());
    let (low, high) = interval(share, &wins);
    assert_close(row.ci_low, low.max(0.0));
    assert_close(row.ci_high, high.min(1.0));
}

/// Student's with 29 degrees of freedom; Wilson's for a share that is nearly 0 or 1.
fn interval(share: f64, wins: &Sample) -> (f64, f64) {
    if (0.05..=0.95).contains(&share) {
        let reach = 2.045_229_642_132_7 * wins.standard_error();
        return (share - reach, share + reach);
    }
    let n = if wins.standard_error() > 0.0 { wins.all().len() as f64 / wins.design_effect() } else { 30.0 };
    let z2 = 1.959_963_984_540_054_f64.powi(2);
    let (center, reach) = (share + z2 / (2.0 * n), (z2 * (share * (1.0 - share) / n + z2 / (4.0 * n * n))).sqrt());
    ((center - reach) / (1.0 + z2 / n), (center + reach) / (1.0 + z2 / n))
}

fn check_pair(row: &PairsRow, [a, b]: [usize; 2], games: &[&GameRow]) {
    let mut ahead = Sample::default();
    let (mut a_ahead, mut b_ahead) = (0, 0);
    for game in games {
        for (seat, other) in game.seats_of(a).flat_map(|seat| game.seats_of(b).map(move |other| (seat, other))) {
            let (mine, theirs) = (game.places[seat], game.places[other]);
            a_ahead += u64::from(mine < theirs);
            b_ahead += u64::from(theirs < mine);
            ahead.add(
                game.set,
                if mine < theirs {
                    1.0
                } else if mine > theirs {
                    0.0
                } else {
                    0.5
                },
            );
        }
    }
    assert_eq!((row.games, row.a_ahead, row.b_ahead), (ahead.all().len() as u64, a_ahead, b_ahead));
    assert_close(row.share, ahead.mean());
    assert_close(row.se, ahead.standard_error());
}

/// Every game is in the bin of its size, and in no other.
fn check_distributions(rows: &[DistributionsRow], games: &[&GameRow]) {
    let winner_points = |game: &GameRow| game.winners.first().map(|&seat| game.points[seat]);
    let all = |size: fn(&GameRow) -> u64| games.iter().map(|game| size(game) as f64).collect();
    let sizes: [(&str, Vec<f64>); 4] = [
        ("turns", all(|game| game.turns)),
        ("decisions", all(|game| game.decisions)),
        ("rounds", all(|game| game.rounds)),
        ("winner_points", games.iter().filter_map(|game| winner_points(game)).collect()),
    ];
    for (what, sizes) in sizes {
        let bins: Vec<&DistributionsRow> = rows.iter().filter(|row| row.what == what).collect();
        for bin in &bins {
            let within = f64::from(bin.bin_low)..=f64::from(bin.bin_high);
            assert_eq!(bin.count, sizes.iter().filter(|size| within.contains(size)).count() as u64, "{bin:?}");
        }
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), sizes.len() as u64, "{what}");
    }
}

fn recount(spec: Spec, partners: f64) {
    let agents: Vec<String> = spec.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let (contest, counted, rows) = played(spec);
    let games = read(&[header::<Game>(), rows].concat());
    assert_eq!(games.len() as u64, contest.schedule().num_games());
    for section in PlayedSection::all(contest.spec(), contest.schedule(), &counted.tallies) {
        let here = |game: &&GameRow| game.seats == section.section.seats && game.variant == section.variant().name;
        let games: Vec<&GameRow> = games.iter().filter(here).collect();
        for (entrant, row) in summary::rows(section).iter().enumerate() {
            assert_eq!(row.entrant, agents[entrant]);
            check_summary(row, entrant, &games, partners);
        }
        for row in pairs::rows(section) {
            let number = |name: &str| agents.iter().position(|agent| agent == name).unwrap();
            check_pair(&row, [number(&row.a), number(&row.b)], &games);
        }
        check_distributions(&distributions::rows(section), &games);
        let by_seat: f64 = seats::rows(section).iter().map(|row| row.wins).sum();
        assert_close(Some(by_seat), summary::rows(section).iter().map(|row| row.wins).sum());
    }
}

const AGENTS: [&str; 3] = ["random", "greedy", "heuristic"];

#[test]
fn rounds_at_two_and_four_seats() {
    recount(spec(&AGENTS, &[2, 4], 30), 1.0);
}

#[test]
fn more_entrants_than_seats_in_every_arrangement() {
    let all = unolab_arena::spec::SeatingPlan::All;
    recount(Spec { seating: all, ..spec(&["random", "greedy", "random", "first-legal"], &[3], 30) }, 1.0);
}

#[test]
fn matches_of_an_edition() {
    let variants = vec![Variant::of(&Rules::preset("disney"))];
    recount(Spec { unit: Unit::Match, variants, ..spec(&AGENTS, &[3], 30) }, 1.0);
}

#[test]
fn fixed_partners() {
    let teams = Override { key: "match.teams".into(), value: "fixed".into() };
    let rules = load("classic", &[teams], TableSize::Seats(4), &PresetsOnly).unwrap().rules;
    recount(Spec { variants: vec![Variant::of(&rules)], ..spec(&AGENTS, &[4], 30) }, 2.0);
}
