//! `summary.csv`, `seats.csv` and `pairs.csv` computed again from `games.csv`: slowly, in floats, and without code of the crate
//! except for reading names.

use std::collections::{BTreeMap, BTreeSet};

use unolab_arena::spec::{Spec, Unit, Variant};
use unolab_arena::tables::distributions::DistributionsRow;
use unolab_arena::tables::games;
use unolab_arena::tables::pairs::PairsRow;
use unolab_arena::tables::seats::SeatsRow;
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
    first_seat: usize,
    is_backwards: bool,
    status: String,
    winners: Vec<usize>,
    points: Vec<f64>,
    places: Vec<f64>,
    rounds: u64,
    turns: u64,
    decisions: u64,
}

fn read(csv: &[u8]) -> Vec<GameRow> {
    let row = |cells: BTreeMap<String, String>| {
        let list = |column: &str| -> Vec<usize> {
            cells[column].split_whitespace().map(|number| number.parse().unwrap()).collect()
        };
        let floats = |column: &str| list(column).into_iter().map(|number| number as f64).collect();
        let number = |column: &str| cells[column].parse().unwrap();
        let (has_winner, places) = (!cells["winner"].is_empty(), list("places"));
        GameRow {
            variant: cells["variant"].clone(),
            seats: cells["seats"].parse().unwrap(),
            set: number("set"),
            entrants: list("entrants"),
            first_seat: cells["first_seat"].parse().unwrap(),
            is_backwards: cells["direction"] == "-1",
            status: cells["status"].clone(),
            winners: (0..places.len()).filter(|&seat| has_winner && places[seat] == 1).collect(),
            points: floats("points"),
            places: floats("places"),
            rounds: number("rounds"),
            turns: number("turns"),
            decisions: number("decisions"),
        }
    };
    let rows: Vec<BTreeMap<String, String>> =
        csv::Reader::from_reader(csv).into_deserialize().map(Result::unwrap).collect();
    let hashes: BTreeSet<&String> = rows.iter().map(|cells| &cells["hash"]).collect();
    assert!(hashes.len() > rows.len() / 3, "few games end alike, those of equal agents on the same deal");
    rows.into_iter().map(row).collect()
}

impl GameRow {
    fn seats_of(&self, entrant: usize) -> impl Iterator<Item = usize> {
        (0..self.seats).filter(move |&seat| self.entrants[seat] == entrant)
    }

    /// The position of a seat in the order of play.
    fn order_of_play(&self, seat: usize) -> usize {
        let (from, to) = if self.is_backwards { (seat, self.first_seat) } else { (self.first_seat, seat) };
        (to + self.seats - from) % self.seats
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
    let unfinished = games.iter().filter(|game| game.status != "finished").map(|game| game.seats_of(entrant).count());
    assert_eq!(row.unfinished, unfinished.sum::<usize>() as u64);
    let share = wins.mean();
    assert_eq!((row.share_elo, row.share_elo_low, row.share_elo_high), (None, None, None), "a mixed field");
    let (low, high) = interval(share, &wins);
    assert_close(row.ci_low, low.max(0.0));
    assert_close(row.ci_high, high.min(1.0));
}

/// The entrant at each position in the order of play, from `first_seat` and `direction`.
fn check_seats(rows: &[SeatsRow], entrant: usize, games: &[&GameRow], partners: f64) {
    for row in rows {
        let seats = || {
            let seats_of = |game: &&GameRow| game.seats_of(entrant).collect::<Vec<_>>();
            games.iter().flat_map(move |game| seats_of(game).into_iter().map(move |seat| (game, seat)))
        };
        let here: Vec<_> = seats().filter(|(game, seat)| game.order_of_play(*seat) == row.seat).collect();
        assert_eq!(row.games, here.len() as u64);
        let wins: f64 = here.iter().map(|(game, seat)| game.win_share(*seat, partners)).sum();
        assert_close(Some(row.wins), wins);
        let points: f64 = here.iter().map(|(game, seat)| game.points[*seat]).sum();
        assert_close(row.points_mean, points / here.len() as f64);
    }
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

fn check_pair(row: &PairsRow, [a, b]: [usize; 2], games: &[&GameRow], partners: f64) {
    let mut ahead = Sample::default();
    // By set, the wins of a and of b.
    let mut won: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    let (mut a_ahead, mut b_ahead) = (0, 0);
    for game in games {
        for (seat, other) in game.seats_of(a).flat_map(|seat| game.seats_of(b).map(move |other| (seat, other))) {
            let of_set = won.entry(game.set).or_default();
            if !game.winners.is_empty() {
                of_set[0] += game.win_share(seat, partners);
                of_set[1] += game.win_share(other, partners);
            }
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
    assert_close(row.share_ahead, ahead.mean());
    let (sets, [of_a, of_b]) = (won.len() as f64, [0, 1].map(|side| won.values().map(|won| won[side]).sum::<f64>()));
    let (share, decided) = (of_a / (of_a + of_b), of_a + of_b);
    let squares: f64 = won.values().map(|[of_a, of_b]| (of_a - share * (of_a + of_b)).powi(2)).sum();
    let error = (squares * sets / (sets - 1.0)).sqrt() / decided;
    assert_close(Some(row.a_wins), of_a);
    assert_close(Some(row.b_wins), of_b);
    assert_close(row.share, share);
    assert_close(row.se, error);
    // Entrants whose sets all tie have the bound of rare differences instead.
    if (0.05..=0.95).contains(&share) && error > 0.0 {
        assert_close(row.ci_high, (share + 2.045_229_642_132_7 * error).min(1.0));
    }
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
    let games = read(&[header::<games::GameRow>(), rows].concat());
    assert_eq!(games.len() as u64, contest.schedule().num_games());
    for section in PlayedSection::all(contest.spec(), contest.schedule(), &counted.tallies) {
        let here = |game: &&GameRow| game.seats == section.section.seats && game.variant == section.variant().name;
        let games: Vec<&GameRow> = games.iter().filter(here).collect();
        for (entrant, row) in summary::rows(section).iter().enumerate() {
            assert_eq!(row.entrant, agents[entrant]);
            check_summary(row, entrant, &games, partners);
            let of_entrant: Vec<SeatsRow> =
                seats::rows(section).into_iter().filter(|seat| seat.entrant == row.entrant).collect();
            check_seats(&of_entrant, entrant, &games, partners);
        }
        for row in pairs::rows(section) {
            let number = |name: &str| agents.iter().position(|agent| agent == name).unwrap();
            check_pair(&row, [number(&row.a), number(&row.b)], &games, partners);
        }
        check_distributions(&distributions::rows(section), &games);
        let by_seat: f64 = seats::rows(section).iter().map(|row| row.wins).sum();
        assert_close(Some(by_seat), summary::rows(section).iter().map(|row| row.wins).sum());
    }
}

const AGENTS: [&str; 3] = ["random", "greedy", "heuristic"];

#[test]
fn recount_of_rounds_at_two_and_four_seats_agrees() {
    recount(spec(&AGENTS, &[2, 4], 30), 1.0);
}

#[test]
fn recount_of_more_entrants_than_seats_agrees() {
    let all = unolab_arena::spec::SeatingPlan::All;
    recount(Spec { seating: all, ..spec(&["random", "greedy", "random", "first-legal"], &[3], 30) }, 1.0);
}

#[test]
fn recount_of_edition_matches_agrees() {
    let variants = vec![Variant::of(&Rules::preset("disney"))];
    recount(Spec { unit: Unit::Match, variants, ..spec(&AGENTS, &[3], 30) }, 1.0);
}

#[test]
fn recount_of_fixed_partners_agrees() {
    let teams = Override { key: "match.teams".into(), value: "fixed".into() };
    let rules = load("classic", &[teams], TableSize::Seats(4), &PresetsOnly).unwrap().rules;
    recount(Spec { variants: vec![Variant::of(&rules)], ..spec(&AGENTS, &[4], 30) }, 2.0);
}
