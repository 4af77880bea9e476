//! The tables of a run, as rows and as CSV bytes (RFC 4180). Nothing here touches a file.
//!
//! Each file has one schema, and each schema has one source file. Floating-point numbers have enough digits to read back the
//! same number; an undefined number is an empty cell.

use serde::Serialize;
use unolab_stats::interval::Interval;
use unolab_stats::sums::SetSums;

use crate::count::tally::Tally;
use crate::play::record::WIN;
use crate::schedule::seating::EntrantId;
use crate::schedule::{Schedule, Section};
use crate::spec::{Entrant, Spec, Variant};

pub mod balance;
pub mod compare;
pub mod curve;
pub mod decisions;
pub mod distributions;
pub mod faults;
pub mod games;
pub mod json;
pub mod league;
pub mod luck;
pub mod match_result;
pub mod pairs;
pub mod parquet;
pub mod quality;
pub mod ratings;
pub mod read;
pub mod row;
pub mod seats;
pub mod sprt;
pub mod sprt_errors;
pub mod summary;
pub mod table;
pub mod tune;
pub mod weaknesses;
pub mod weights;

pub use row::{Row, row};

/// The rows as CSV, with a header row even if there are none.
///
/// # Panics
/// Never: rows are flat and are written to memory.
#[must_use]
pub fn to_csv<R: Row + Serialize>(rows: &[R]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(header::<R>());
    rows.iter().for_each(|row| writer.serialize(row).expect("memory takes a flat row"));
    writer.into_inner().expect("memory takes everything")
}

/// The header row of a table.
#[must_use]
pub fn header<R: Row>() -> Vec<u8> {
    let names: Vec<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
    (names.join(",") + "\n").into_bytes()
}

/// The meaning of the columns of a table in Markdown, for the README of a run directory.
#[must_use]
pub fn describe<R: Row>() -> String {
    let heading = format!("## {}\nA row is {}.\n\n| column | holds |\n|---|---|\n", R::FILE, R::ROW);
    let line = |column: &row::Column| format!("| `{}` | {} |\n", column.name, column.meaning);
    heading + &R::COLUMNS.iter().map(line).collect::<String>()
}

/// The README of a run directory.
#[must_use]
pub fn readme() -> String {
    [
        include_str!("readme.md").to_owned(),
        describe::<summary::SummaryRow>(),
        describe::<seats::SeatsRow>(),
        describe::<pairs::PairsRow>(),
        describe::<ratings::RatingsRow>(),
        describe::<distributions::DistributionsRow>(),
        describe::<luck::LuckRow>(),
        describe::<games::GameRow>(),
        describe::<faults::FaultRow>(),
    ]
    .join("\n")
}

/// The two cells of an interval.
fn bounds(interval: Option<Interval>) -> (Option<f64>, Option<f64>) {
    (interval.map(|interval| interval.low), interval.map(|interval| interval.high))
}

/// One played section of a run, from which its rows are computed.
#[derive(Debug, Clone, Copy)]
pub struct PlayedSection<'a> {
    /// The spec of the run.
    pub spec: &'a Spec,
    /// The section.
    pub section: &'a Section,
    /// The counts of its games.
    pub tally: &'a Tally,
}

impl<'a> PlayedSection<'a> {
    /// The sections of a schedule with their tallies, in order.
    pub fn all(spec: &'a Spec, schedule: &'a Schedule, tallies: &'a [Tally]) -> impl Iterator<Item = Self> + Clone {
        schedule.sections.iter().zip(tallies).map(move |(section, tally)| Self { spec, section, tally })
    }

    /// The variant played.
    #[must_use]
    pub fn variant(&self) -> &'a Variant {
        &self.spec.variants[self.section.variant]
    }

    /// With two entrants, the sets that do not tie: in which the first has not won exactly its fair share. None for a league.
    #[must_use]
    pub fn unequal_sets(&self) -> Option<u64> {
        let [first, _] = self.tally.by_entrant() else { return None };
        let totals = Some(self.tally.set_totals()).filter(|totals| !totals.is_empty())?;
        let SetSums { sets, games, .. } = first.results.wins.by_sets;
        let fair = u128::from(games) * u128::from(WIN);
        let ties = |total: u64| u128::from(total) * u128::from(sets) * self.section.num_teams() as u128 == fair;
        Some(totals.iter().filter(|&(total, _)| !ties(total)).map(|(_, sets)| sets).sum())
    }

    /// The entrant of this number.
    #[must_use]
    pub fn entrant(&self, id: EntrantId) -> &'a Entrant {
        &self.spec.entrants[id.index()]
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use unolab_engine::rules::Rules;
    use unolab_engine::seat::Seat;

    use super::*;
    use crate::count::counter::SetCounter;
    use crate::play::record::GameRecord;
    use crate::play::record::tests::finished;
    use crate::spec::tests::round_robin;

    /// A spec with its schedule, and tallies of games in which a fixed pattern determines the places.
    pub(crate) struct Played {
        pub(crate) spec: Spec,
        pub(crate) schedule: Schedule,
        pub(crate) tallies: Vec<Tally>,
    }

    impl Played {
        pub(crate) fn new(agents: &[&str], seats: &[usize]) -> Self {
            let spec = round_robin(agents, seats);
            let schedule = Schedule::of(&spec, &[Rules::preset("classic")]).unwrap();
            let tallies = schedule
                .sections
                .iter()
                .map(|section| {
                    let mut tally = Tally::new(spec.entrants.len(), section.seats);
                    let mut counter = SetCounter::new(spec.entrants.len(), section.seats);
                    for set in 0..usize::try_from(spec.sets).unwrap() {
                        let streams = spec.streams().of_set(set as u64);
                        for (number, (_, seating)) in section.games(streams).enumerate() {
                            counter.add_game(&pattern(section.seats, set, number), &seating);
                        }
                        counter.finish_set(set as u64, &mut tally);
                    }
                    tally
                })
                .collect();
            Self { spec, schedule, tallies }
        }

        /// The same agents, whose sets all tie: the same seat wins at every seating of a deal.
        pub(crate) fn tied(self) -> Self {
            let tallies = self.schedule.sections.iter().map(|section| {
                let mut tally = Tally::new(self.spec.entrants.len(), section.seats);
                let mut counter = SetCounter::new(self.spec.entrants.len(), section.seats);
                for set in 0..self.spec.sets {
                    let streams = self.spec.streams().of_set(set);
                    let game = pattern(section.seats, usize::try_from(set).unwrap(), 0);
                    section.games(streams).for_each(|(_, seating)| counter.add_game(&game, &seating));
                    counter.finish_set(set, &mut tally);
                }
                tally
            });
            let tallies = tallies.collect();
            Self { tallies, ..self }
        }

        /// The same agents, of which only the first two have met, in one game.
        pub(crate) fn only_one_game(self) -> Self {
            let tallies = self.schedule.sections.iter().map(|section| {
                let mut tally = Tally::new(self.spec.entrants.len(), section.seats);
                let mut counter = SetCounter::new(self.spec.entrants.len(), section.seats);
                counter.add_game(&finished(&[7, 0], &[1, 2]), &[0, 1].map(EntrantId::new));
                counter.finish_set(0, &mut tally);
                tally
            });
            let tallies = tallies.collect();
            Self { tallies, ..self }
        }

        pub(crate) fn sections(&self) -> impl Iterator<Item = PlayedSection<'_>> + Clone {
            PlayedSection::all(&self.spec, &self.schedule, &self.tallies)
        }
    }

    fn pattern(seats: usize, set: usize, number: usize) -> GameRecord {
        let winner = set * set * (1 + number) / 3 % seats;
        let places: Vec<u8> =
            (0..seats).map(|seat| u8::try_from((seat + seats - winner) % seats + 1).unwrap()).collect();
        let points: Vec<u32> =
            places.iter().map(|&place| if place == 1 { 20 + 7 * u32::try_from(set).unwrap() } else { 0 }).collect();
        GameRecord { first_seat: Seat::new(set % seats), ..finished(&points, &places) }
    }

    /// The widths of all intervals of a section.
    fn widths(played: PlayedSection<'_>) -> Vec<f64> {
        let summary = summary::rows(played).into_iter().flat_map(|row| {
            [
                (row.ci_low, row.ci_high),
                (row.simultaneous_low, row.simultaneous_high),
                (row.anytime_low, row.anytime_high),
                (row.share_elo_low, row.share_elo_high),
            ]
        });
        let pairs = pairs::rows(played).into_iter().flat_map(|row| {
            [
                (row.ci_low, row.ci_high),
                (row.simultaneous_low, row.simultaneous_high),
                (row.anytime_low, row.anytime_high),
            ]
        });
        let ratings = ratings::rows(played).into_iter().filter(|row| row.method == "bradley-terry");
        let ratings = ratings.map(|row| (row.low, row.high));
        summary.chain(pairs).chain(ratings).map(|(low, high)| high.unwrap() - low.unwrap()).collect()
    }

    #[test]
    fn tied_different_entrants_have_nonzero_intervals() {
        let played = Played::new(&["heuristic", "heuristic:hit_one=2"], &[2]).tied();
        let section = played.sections().next().unwrap();
        let widths = widths(section);
        assert_eq!((widths.len(), section.unequal_sets()), (2 * 4 + 3 + 2, Some(0)));
        assert!(widths.iter().all(|&width| width > 0.01), "{widths:?}");
    }

    #[test]
    fn identical_agents_in_duel_tie_exactly() {
        let played = Played::new(&["heuristic", "heuristic"], &[2]).tied();
        let widths = widths(played.sections().next().unwrap());
        assert!(widths.iter().all(|&width| width == 0.0), "{widths:?}");
        let program = Played::new(&["cmd:bot", "cmd:bot"], &[2]).tied();
        let rows = summary::rows(program.sections().next().unwrap());
        assert!(rows.iter().all(|row| row.ci_low < row.ci_high), "a program may play otherwise each time");
    }

    #[test]
    fn identical_agents_with_third_entrant_tie_exactly() {
        let played = Played::new(&["heuristic", "heuristic:hit_one=2", "heuristic"], &[2]).tied();
        let rows = pairs::rows(played.sections().next().unwrap());
        let is_exact = |row: &pairs::PairsRow| row.ci_low == row.ci_high;
        assert_eq!(rows.iter().map(is_exact).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(played.sections().next().unwrap().unequal_sets(), None);
    }

    #[test]
    fn unequal_sets_are_counted() {
        let played = Played::new(&["random", "greedy"], &[2]);
        let section = played.sections().next().unwrap();
        let wins = |set: usize| {
            (0..2).filter(|&number| (set * set * (1 + number) / 3).is_multiple_of(2) == (number == 0)).count()
        };
        let expected = (0..usize::try_from(played.spec.sets).unwrap()).filter(|&set| wins(set) != 1).count() as u64;
        assert_eq!(section.unequal_sets(), Some(expected));
        assert!(expected > 0);
    }

    #[test]
    fn empty_table_has_header() {
        let csv = String::from_utf8(to_csv::<pairs::PairsRow>(&[])).unwrap();
        assert_eq!(
            csv,
            "variant,seats,a,b,sets,games,a_wins,b_wins,share,se,ci_low,ci_high,simultaneous_low,simultaneous_high,\
             anytime_low,anytime_high,los,a_ahead,b_ahead,share_ahead\n"
        );
    }

    #[test]
    fn directory_readme_names_every_file() {
        for file in [
            "summary.csv",
            "seats.csv",
            "pairs.csv",
            "ratings.csv",
            "distributions.csv",
            "luck.csv",
            "games.csv",
            "faults.csv",
            "run.json",
        ] {
            assert!(readme().contains(file), "{file}");
        }
    }
}
