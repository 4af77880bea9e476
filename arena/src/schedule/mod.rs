//! The schedule: turns a [`Spec`] into numbered games without playing any.
//!
//! Games are ordered by variant, number of seats, set, table, and seating, so the games of a set are contiguous, and a batch
//! is a range of whole sets.

mod combinations;
pub mod contest;
pub mod patience;
pub mod seating;

use std::borrow::Cow;

use thiserror::Error;
use unolab_engine::rng::Purpose;
use unolab_engine::rules::{Rules, Teams};
use unolab_stats::unequal::Stake;

use crate::schedule::seating::{EntrantId, Seating, all_rotations, has_several_orders, num_seatings, seatings};
use crate::spec::seal::SetStreams;
use crate::spec::{Command, Entrant, Format, SeatingPlan, Spec};
use combinations::{binomial, choices, multisets_with_everyone};

/// The maximum number of games in a set: a larger set would take minutes, and its seatings gigabytes.
pub const MAX_GAMES_PER_SET: u64 = 5_000_000;

/// The maximum number of games in a run: more would take a century, and exceed the exact counts.
pub const MAX_GAMES: u64 = 100_000_000_000_000;

/// The reason why a spec cannot be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// No agents.
    #[error("no agents: name at least one with --agents")]
    NoEntrants,
    /// A match of one agent.
    #[error("a match needs at least two agents, --agents names {found}")]
    MatchOfOne {
        /// The number found.
        found: usize,
    },
    /// A match of several entrants at a table of another size.
    #[error("a match of {entrants} agents needs exactly {entrants} seats, --seats is {seats}")]
    MatchOfOtherSize {
        /// The number of names.
        entrants: usize,
        /// The requested number of seats.
        seats: usize,
    },
    /// A match of more names than there are teams.
    #[error("match.teams = \"fixed\" needs two agents, each in both seats of a team; --agents names {found}")]
    MatchOfTeams {
        /// The number of names.
        found: usize,
    },
    /// A gauntlet without an opponent.
    #[error("a gauntlet needs at least two agents: the first meets each of the others")]
    GauntletOfOne,
    /// A league, whose tables are not known in advance.
    #[error("the tables of a league depend on its results; they have no schedule")]
    League,
    /// A schedule that is too large for memory.
    #[error(
        "{entrants} agents at {seats} seats make more than {MAX_GAMES_PER_SET} games per set: \
         name fewer agents, or choose --format gauntlet or another --seating"
    )]
    TooManyGames {
        /// The number of entrants.
        entrants: usize,
        /// The number of seats.
        seats: usize,
    },
    /// A run that would take too long.
    #[error("{sets} sets make more than {MAX_GAMES} games; choose fewer --sets or --games")]
    TooManySets {
        /// The number found.
        sets: u64,
    },
}

/// Entrants at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The entrants of the table; an entrant with several seats appears several times.
    pub entrants: Vec<EntrantId>,
    /// The seatings at which they play a deal: the same for each deal, or the rotations of one order around the table,
    /// which each deal draws.
    seatings: Vec<Seating>,
    order: TableOrder,
}

/// The order of the entrants around a table.
///
/// A single order for all deals would fix the neighbors of each entrant. With three or more seats this shifts win shares by
/// several percentage points, which errors over deals do not include.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableOrder {
    /// All seatings, or a balanced subset.
    Kept,
    /// Each deal draws an order, with equal probabilities.
    DrawnEachSet {
        /// The number of seats before the order repeats: one of each team.
        teams: usize,
    },
}

impl Table {
    /// The table of these teams, each with as many seats, at all seatings of the plan.
    #[must_use]
    pub fn of(teams: &[EntrantId], team_size: usize, plan: SeatingPlan) -> Self {
        // Partners sit across from each other, so the order of the teams is repeated.
        let seatings = seatings(teams, plan).iter().map(|seating| seating.repeat(team_size)).collect();
        let order = match plan {
            SeatingPlan::Rotate if has_several_orders(teams) => TableOrder::DrawnEachSet { teams: teams.len() },
            SeatingPlan::Rotate | SeatingPlan::All | SeatingPlan::Neighbor => TableOrder::Kept,
        };
        Self { entrants: teams.repeat(team_size), seatings, order }
    }

    /// The number of seatings of each deal.
    #[must_use]
    pub const fn num_seatings(&self) -> usize {
        self.seatings.len()
    }

    /// The seatings of the deal with these streams; `number` is the table's within its section.
    #[must_use]
    fn seatings_of(&self, streams: SetStreams, number: usize) -> Cow<'_, [Seating]> {
        let TableOrder::DrawnEachSet { teams } = self.order else { return Cow::Borrowed(&self.seatings) };
        let table = u32::try_from(number).expect("a section has fewer tables than games");
        let mut order = self.entrants[..teams].to_vec();
        streams.stream(Purpose::Seating { table }).shuffle_front(&mut order, teams);
        let team_size = self.entrants.len() / teams;
        Cow::Owned(all_rotations(&order).map(|seating| seating.repeat(team_size)).collect())
    }
}

/// All tables of one variant at one number of seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The variant, by its place in the spec.
    pub variant: usize,
    /// The number of seats.
    pub seats: usize,
    /// The number of seats that win and lose together: 2 for fixed partners, otherwise 1.
    pub team_size: usize,
    /// Its tables, each of which plays every deal.
    pub tables: Vec<Table>,
}

/// The number of one game within its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameInSet {
    /// The table, by its place in the section.
    pub table: usize,
    /// The seating, by its place in the table.
    pub seating: usize,
}

/// One game of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledGame {
    /// The section, by its place in the schedule.
    pub section: usize,
    /// The set, which is its deal.
    pub set: u64,
    /// Table and seating.
    pub game: GameInSet,
}

impl Section {
    /// Games in one set: every table at all its seatings.
    #[must_use]
    pub fn games_per_set(&self) -> u64 {
        self.tables.iter().map(|table| table.num_seatings() as u64).sum()
    }

    /// The win share of an average entrant: a win of one seat, or of one team.
    #[must_use]
    pub fn fair_share(&self) -> f64 {
        1.0 / self.num_teams() as f64
    }

    /// The number of sides that can win: seats, or teams of partners.
    #[must_use]
    pub const fn num_teams(&self) -> usize {
        self.seats / self.team_size
    }

    /// The entrants that have one side of the only table against copies of one other entrant; with two sides, both entrants.
    #[must_use]
    pub fn alone_against_copies(&self) -> Vec<EntrantId> {
        let [table] = &self.tables[..] else { return Vec::new() };
        let sides = &table.entrants[..self.num_teams()];
        let mut entrants = sides.to_vec();
        entrants.sort_unstable();
        entrants.dedup();
        let sides_of = |entrant: EntrantId| sides.iter().filter(|&&side| side == entrant).count();
        if entrants.len() == 2 {
            entrants.into_iter().filter(|&entrant| sides_of(entrant) == 1).collect()
        } else {
            Vec::new()
        }
    }

    /// The wins at stake for an entrant in one game: a team's, or none if all entrants are twins, so that sets tie.
    #[must_use]
    pub fn stake(&self, entrants: &[Entrant]) -> Stake {
        match entrants.iter().all(|entrant| entrant.is_twin_of(&entrants[0])) {
            true => Stake::NONE,
            false => Stake::wins(self.team_size as f64),
        }
    }

    /// The comparisons at stake between two entrants in one game: the change if a seat of one wins instead of a seat of the
    /// other. None if they are twins without other entrants at the table.
    #[must_use]
    pub fn stake_of_pair(&self, entrants: &[Entrant], a: EntrantId, b: EntrantId) -> Stake {
        let are_twins = entrants[a.index()].is_twin_of(&entrants[b.index()]);
        if are_twins && (self.num_teams() == 2 || entrants.len() == 2) {
            return Stake::NONE;
        }
        let seats = |table: &Table| [a, b].map(|of| table.entrants.iter().filter(|&&entrant| entrant == of).count());
        let both = self.tables.iter().map(seats).filter(|seats| !seats.contains(&0));
        let most = both.map(|[of_a, of_b]| of_a + of_b).max().unwrap_or(0);
        Stake::wins(most as f64 / 2.0 * self.team_size as f64)
    }

    /// The games of the set with these streams, in order, each with its seating.
    pub fn games(&self, streams: SetStreams) -> impl Iterator<Item = (GameInSet, Cow<'_, Seating>)> {
        self.tables.iter().enumerate().flat_map(move |(table, at_table)| {
            let seatings = at_table.seatings_of(streams, table);
            (0..at_table.num_seatings()).map(move |seating| {
                let seats = match &seatings {
                    Cow::Borrowed(kept) => Cow::Borrowed(&kept[seating]),
                    Cow::Owned(drawn) => Cow::Owned(drawn[seating].clone()),
                };
                (GameInSet { table, seating }, seats)
            })
        })
    }

    /// The possible tables, in one order and all its rotations. Tables that draw their order in each set also have other
    /// orders, but callers need only each entrant in each seat, which every order provides.
    pub fn lineups(&self) -> impl Iterator<Item = &Seating> {
        self.tables.iter().flat_map(|table| &table.seatings)
    }

    /// The game at this place of a set, if it exists.
    fn game_at(&self, place: u64) -> Option<GameInSet> {
        let mut left = usize::try_from(place).ok()?;
        for (table, at_table) in self.tables.iter().enumerate() {
            if left < at_table.num_seatings() {
                return Some(GameInSet { table, seating: left });
            }
            left -= at_table.num_seatings();
        }
        None
    }
}

/// Every game of a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Variant by variant, each with every number of seats.
    pub sections: Vec<Section>,
    /// Deals in each section.
    pub sets: u64,
}

impl Schedule {
    /// The schedule of a spec, whose variants have these rules.
    ///
    /// # Errors
    /// If the entrants cannot sit at a table of some size, or need too many tables.
    pub fn of(spec: &Spec, rules: &[Rules]) -> Result<Self, ScheduleError> {
        let mut sections = Vec::new();
        for (variant, rules) in rules.iter().enumerate() {
            for &seats in &spec.seats {
                let team_size = team_size(rules);
                sections.push(Section {
                    variant,
                    seats,
                    team_size,
                    tables: tables_with_seatings(spec, seats, team_size)?,
                });
            }
        }
        Self { sections, sets: 0 }.with_sets(spec.sets)
    }

    /// The same tables with this number of deals.
    ///
    /// # Errors
    /// If they give too many games.
    pub fn with_sets(self, sets: u64) -> Result<Self, ScheduleError> {
        match sets.checked_mul(self.games_per_deal()) {
            Some(games) if games <= MAX_GAMES => Ok(Self { sets, ..self }),
            _ => Err(ScheduleError::TooManySets { sets }),
        }
    }

    /// All games of all sections.
    #[must_use]
    pub fn num_games(&self) -> u64 {
        self.sets * self.games_per_deal()
    }

    /// The smallest number of deals that gives at least this number of games in whole sets.
    #[must_use]
    pub fn sets_for_games(&self, games: u64) -> u64 {
        games.div_ceil(self.games_per_deal())
    }

    /// The running number of a game, from 0.
    #[must_use]
    pub fn index(&self, game: ScheduledGame) -> u64 {
        let ScheduledGame { section, set, game: GameInSet { table, seating } } = game;
        let earlier_sections: u64 = self.sections[..section].iter().map(Section::games_per_set).sum();
        let tables = &self.sections[section].tables;
        let earlier_tables: u64 = tables[..table].iter().map(|table| table.num_seatings() as u64).sum();
        earlier_sections * self.sets + set * self.sections[section].games_per_set() + earlier_tables + seating as u64
    }

    /// The game with this running number, if there is one.
    #[must_use]
    pub fn game(&self, index: u64) -> Option<ScheduledGame> {
        let mut left = index;
        for (section, of_section) in self.sections.iter().enumerate() {
            let per_set = of_section.games_per_set();
            if left >= per_set * self.sets {
                left -= per_set * self.sets;
                continue;
            }
            let game = of_section.game_at(left % per_set)?;
            return Some(ScheduledGame { section, set: left / per_set, game });
        }
        None
    }

    fn games_per_deal(&self) -> u64 {
        self.sections.iter().map(Section::games_per_set).sum()
    }
}

/// The number of seats that win and lose together under these rules.
fn team_size(rules: &Rules) -> usize {
    match rules.parameters().teams {
        Teams::Fixed => 2,
        Teams::None | Teams::Rotating | Teams::RotatingTables => 1,
    }
}

fn tables_with_seatings(spec: &Spec, seats: usize, team_size: usize) -> Result<Vec<Table>, ScheduleError> {
    let num_entrants = spec.entrants.len();
    let too_many = ScheduleError::TooManyGames { entrants: num_entrants, seats };
    if num_entrants > EntrantId::COUNT {
        return Err(too_many);
    }
    if team_size > 1 && !matches!(spec.command, Command::Tournament { .. }) && num_entrants > seats / team_size {
        return Err(ScheduleError::MatchOfTeams { found: num_entrants });
    }
    let tables = tables(spec.command, num_entrants, seats / team_size)?;
    let games = tables.iter().try_fold(0_u64, |sum, table| sum.checked_add(num_seatings(table, spec.seating)?));
    if games.is_none_or(|games| games > MAX_GAMES_PER_SET) {
        return Err(too_many);
    }
    Ok(tables.iter().map(|teams| Table::of(teams, team_size, spec.seating)).collect())
}

/// The tables of this size, for the command.
fn tables(command: Command, num_entrants: usize, seats: usize) -> Result<Vec<Vec<EntrantId>>, ScheduleError> {
    let everyone = || (0..num_entrants).map(EntrantId::new);
    let one_against_copies = |one: usize, other: usize| -> Vec<EntrantId> {
        std::iter::once(one).chain(std::iter::repeat_n(other, seats - 1)).map(EntrantId::new).collect()
    };
    match (command, num_entrants) {
        (_, 0) => Err(ScheduleError::NoEntrants),
        (Command::Match | Command::Sprt(_), 1) => Err(ScheduleError::MatchOfOne { found: 1 }),
        (Command::Match | Command::Sprt(_), 2) => Ok(vec![one_against_copies(0, 1)]),
        (Command::Match, _) if num_entrants == seats => Ok(vec![everyone().collect()]),
        (Command::Match | Command::Sprt(_), _) => {
            Err(ScheduleError::MatchOfOtherSize { entrants: num_entrants, seats })
        }
        (Command::Tournament { format: Format::Gauntlet }, 1) => Err(ScheduleError::GauntletOfOne),
        (Command::Tournament { format: Format::Gauntlet }, _) => {
            Ok((1..num_entrants).map(|other| one_against_copies(0, other)).collect())
        }
        (Command::Tournament { format: Format::League }, _) => Err(ScheduleError::League),
        (Command::Tournament { format: Format::RoundRobin }, _) => {
            let num_tables = if num_entrants >= seats {
                binomial(num_entrants as u64, seats as u64)
            } else {
                binomial(seats as u64 - 1, num_entrants as u64 - 1)
            };
            if num_tables > MAX_GAMES_PER_SET {
                return Err(ScheduleError::TooManyGames { entrants: num_entrants, seats });
            }
            Ok(if num_entrants >= seats {
                choices(num_entrants, seats)
            } else {
                multisets_with_everyone(num_entrants, seats)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use unolab_engine::rules::{Override, PresetsOnly, TableSize, load};

    use super::*;
    use crate::spec::seal::Streams;
    use crate::spec::tests::round_robin;

    fn open_streams(seed: u64, set: u64) -> SetStreams {
        Streams::new(seed, None).of_set(set)
    }

    const ROUND_ROBIN: Command = Command::Tournament { format: Format::RoundRobin };
    const GAUNTLET: Command = Command::Tournament { format: Format::Gauntlet };

    fn schedule(spec: &Spec) -> Result<Schedule, ScheduleError> {
        Schedule::of(spec, &[Rules::preset("classic")])
    }

    fn written(command: Command, num_entrants: usize, seats: usize) -> Vec<String> {
        let letter = |entrant: &EntrantId| char::from(b'A' + u8::try_from(entrant.index()).unwrap());
        tables(command, num_entrants, seats).unwrap().iter().map(|table| table.iter().map(letter).collect()).collect()
    }

    #[test]
    fn opponents_match_schedule() {
        assert_eq!(written(ROUND_ROBIN, 3, 2), ["AB", "AC", "BC"]);
        assert_eq!(written(ROUND_ROBIN, 4, 3), ["ABC", "ABD", "ACD", "BCD"]);
        assert_eq!(written(ROUND_ROBIN, 3, 4), ["AABC", "ABBC", "ABCC"]);
        assert_eq!(written(ROUND_ROBIN, 2, 4), ["AAAB", "AABB", "ABBB"]);
        assert_eq!(written(ROUND_ROBIN, 1, 3), ["AAA"]);
        assert_eq!(written(ROUND_ROBIN, 12, 10).len(), 66);
        assert_eq!(written(GAUNTLET, 3, 4), ["ABBB", "ACCC"]);
        assert_eq!(written(Command::Match, 2, 4), ["ABBB"]);
        assert_eq!(written(Command::Match, 3, 3), ["ABC"]);
    }

    #[test]
    fn invalid_table_size_is_rejected() {
        let refused = |command, entrants, seats| tables(command, entrants, seats).unwrap_err().to_string();
        assert!(refused(ROUND_ROBIN, 0, 4).contains("--agents"));
        assert!(refused(Command::Match, 1, 4).contains("at least two agents"));
        assert_eq!(refused(Command::Match, 3, 4), "a match of 3 agents needs exactly 3 seats, --seats is 4");
        assert!(refused(GAUNTLET, 1, 4).contains("each of the others"));
        assert!(refused(ROUND_ROBIN, 1000, 10).contains("5000000 games per set"));
        let all_of_ten = Spec { seating: SeatingPlan::All, ..round_robin(&["a"; 12], &[10]) };
        assert_eq!(schedule(&all_of_ten), Err(ScheduleError::TooManyGames { entrants: 12, seats: 10 }));
    }

    #[test]
    fn endless_run_is_rejected() {
        let spec = Spec { sets: 1_000_000_000_000, ..round_robin(&["a", "b", "c"], &[2, 10]) };
        assert_eq!(schedule(&spec), Err(ScheduleError::TooManySets { sets: spec.sets }));
        assert!(schedule(&Spec { sets: 1_000_000_000, ..spec }).is_ok());
    }

    #[test]
    fn games_are_numbered_without_gaps() {
        let schedule = schedule(&round_robin(&["a", "b", "c"], &[2, 4])).unwrap();
        // Two seats: 3 tables of 2 seatings; four seats: 3 tables of 4 seatings; 10 sets each.
        assert_eq!(schedule.num_games(), 10 * (6 + 12));
        let mut index = 0;
        for (section, of_section) in schedule.sections.iter().enumerate() {
            for set in 0..schedule.sets {
                for (game, _) in of_section.games(open_streams(1, set)) {
                    let scheduled = ScheduledGame { section, set, game };
                    assert_eq!(schedule.index(scheduled), index);
                    assert_eq!(schedule.game(index), Some(scheduled));
                    index += 1;
                }
            }
        }
        assert_eq!(index, schedule.num_games());
        assert_eq!(schedule.game(index), None);
    }

    #[test]
    fn games_are_rounded_up_to_whole_sets() {
        let schedule = schedule(&round_robin(&["a", "b", "c"], &[2, 4])).unwrap();
        assert_eq!([1, 18, 19, 36, 1_000_000].map(|games| schedule.sets_for_games(games)), [1, 1, 2, 2, 55_556]);
    }

    #[test]
    fn entrant_plays_both_seats_of_team() {
        let spec = round_robin(&["a", "b", "c"], &[4]);
        let overrides = [Override { key: "match.teams".into(), value: "fixed".into() }];
        let rules = load("classic", &overrides, TableSize::Seats(4), &PresetsOnly).unwrap().rules;
        let schedule = Schedule::of(&spec, &[rules]).unwrap();
        let section = &schedule.sections[0];
        assert_eq!((section.tables.len(), section.games_per_set(), section.num_teams()), (3, 6, 2));
        let written: Vec<Vec<usize>> = section
            .games(open_streams(1, 0))
            .map(|(_, seating)| seating.iter().map(|entrant| entrant.index()).collect())
            .collect();
        assert_eq!(written[..2], [[0, 1, 0, 1], [1, 0, 1, 0]]);
    }

    /// The neighbors at tables of these entrants, over many deals.
    fn followers(entrants: &[&str], seats: usize) -> BTreeMap<(usize, usize), u32> {
        let schedule = schedule(&round_robin(entrants, &[seats])).unwrap();
        let section = &schedule.sections[0];
        let mut follows = BTreeMap::new();
        for set in 0..6_000 {
            for (_, seating) in section.games(open_streams(1, set)) {
                for (seat, entrant) in seating.iter().enumerate() {
                    let next = seating[(seat + 1) % seats];
                    *follows.entry((entrant.index(), next.index())).or_default() += 1;
                }
            }
        }
        follows
    }

    #[test]
    fn each_deal_draws_its_seating_order() {
        let follows = followers(&["a", "b", "c", "d"], 4);
        assert_eq!(follows.len(), 12);
        // 6,000 deals of 4 games, each entrant before one of three others: five standard deviations are 730.
        assert!(follows.values().all(|&count| count.abs_diff(8_000) < 730), "{follows:?}");
    }

    #[test]
    fn every_entrant_plays_each_deal_in_every_seat() {
        for (entrants, seats) in [(&["a", "b", "c"][..], 3), (&["a", "b", "c"], 4), (&["a", "b"], 4)] {
            let schedule = schedule(&round_robin(entrants, &[seats])).unwrap();
            let section = &schedule.sections[0];
            for set in 0..20 {
                let mut seen = BTreeMap::new();
                for (game, seating) in section.games(open_streams(7, set)) {
                    for (seat, entrant) in seating.iter().enumerate() {
                        *seen.entry((game.table, seat, entrant.index())).or_insert(0) += 1;
                    }
                }
                for (number, table) in section.tables.iter().enumerate() {
                    for entrant in &table.entrants {
                        let copies = table.entrants.iter().filter(|other| *other == entrant).count();
                        let times = copies * table.num_seatings() / seats;
                        assert!((0..seats).all(|seat| seen[&(number, seat, entrant.index())] == times));
                    }
                }
            }
        }
    }

    /// One entrant among copies of another has a single order around the table, so that no order is drawn and the order of
    /// games is unchanged.
    #[test]
    fn single_order_needs_no_random_draw() {
        for (entrants, seats) in [(&["a", "b", "c"][..], 2), (&["a"], 4)] {
            let section = &schedule(&round_robin(entrants, &[seats])).unwrap().sections[0];
            assert!(section.tables.iter().all(|table| table.order == TableOrder::Kept));
        }
        let spec = Spec { command: Command::Match, ..round_robin(&["a", "b"], &[6]) };
        assert_eq!(schedule(&spec).unwrap().sections[0].tables[0].order, TableOrder::Kept);
    }
}
