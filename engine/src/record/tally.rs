//! The counts in a record, shared by the writer and the replay.

use std::cmp::Reverse;

use super::fault::places_after_forfeit;
use super::header::{Header, Status, Unit};
use super::line::{Deal, Last, Line, RoundOver};
use crate::hash::{digest, mix};
use crate::match_play::{MatchState, RoundPlan};
use crate::rules::{Rules, Scoring, Teams};
use crate::scoring::{are_partners, round_places, round_points};
use crate::seat::{BySeat, MAX_SEATS, Seat, SeatSet};
use crate::state::{Outcome, RoundState};

/// The recorded part of a game.
#[derive(Debug, Clone)]
pub(super) struct Tally<'a> {
    rules: &'a Rules,
    unit: Unit,
    players: usize,
    table: MatchState,
    plan: RoundPlan,
    rounds: u32,
    /// The number of rounds in which each player was still in the match.
    rounds_in: BySeat<u32>,
    status: Status,
    points: BySeat<u32>,
    places: BySeat<u8>,
    checksums: String,
    lines: u64,
    /// The players who have lost the game by a fault.
    faulty: SeatSet,
}

impl<'a> Tally<'a> {
    pub(super) fn new(rules: &'a Rules, header: &Header) -> Self {
        let players = header.agents.len();
        let extra_cards = BySeat::from_fn(|player| header.extra_cards.get(player.index()).copied().unwrap_or(0));
        let table = MatchState::new(players, header.dealer).with_extra_cards(extra_cards);
        Self {
            rules,
            unit: header.unit,
            players,
            plan: table.plan(rules),
            table,
            rounds: 0,
            rounds_in: BySeat::default(),
            status: Status::Truncated,
            points: BySeat::default(),
            places: all_in_first_place(players),
            checksums: String::new(),
            lines: 0,
            faulty: SeatSet::EMPTY,
        }
    }

    /// The seats of the current or next round.
    pub(super) const fn plan(&self) -> &RoundPlan {
        &self.plan
    }

    pub(super) const fn scores(&self) -> &BySeat<u32> {
        self.table.scores()
    }

    /// Whether another round follows.
    pub(super) const fn has_next_round(&self) -> bool {
        match self.unit {
            Unit::Round => self.rounds == 0,
            Unit::Match => self.table.winners().is_none(),
        }
    }

    /// Counts a line into the checksum of the lines.
    pub(super) fn count_line(&mut self, line: &Line) {
        self.lines = mix(self.lines ^ digest(&line.text()));
    }

    /// The line of the next deal, with these hands.
    pub(super) fn deal(&self, hand: impl Fn(Seat) -> String) -> Deal {
        let seats = self.num_table_seats();
        Deal {
            round: self.rounds + 1,
            dealer: self.plan.dealer.index(),
            players: Seat::first(seats).map(|seat| self.plan.player_at[seat].index()).collect(),
            deal: Seat::first(seats).map(hand).collect(),
        }
    }

    /// Counts a round that is over or truncated.
    pub(super) fn end_round(&mut self, state: &RoundState) -> RoundOver {
        let (status, went_out) = match state.outcome() {
            Some(Outcome::WentOut(seat)) => (Status::Finished, Some(seat.index())),
            Some(Outcome::Void) => (Status::Void, None),
            None => (Status::Truncated, None),
        };
        for player in self.table.still_in().iter() {
            self.rounds_in[player] += 1;
        }
        let points = round_points(self.rules, state);
        if state.is_terminal() {
            self.table.count_round(self.rules, &self.plan, state);
        }
        let checksum = format!("{:016x}", state.checksum(self.rules));
        self.checksums.push_str(&checksum);
        self.rounds += 1;
        self.count_result(status, state, &points);
        self.plan = self.table.plan(self.rules);
        RoundOver {
            round_over: status,
            went_out,
            points: points.first(self.num_table_seats()).to_vec(),
            scores: self.scores().first(self.players).to_vec(),
            checksum,
        }
    }

    /// The result of the game if it ends now. A void or truncated game has no points and no order.
    fn count_result(&mut self, status: Status, state: &RoundState, points: &BySeat<u32>) {
        self.status = match self.unit {
            Unit::Round => status,
            Unit::Match if self.table.winners().is_some() => Status::Finished,
            Unit::Match => Status::Truncated,
        };
        match (self.unit, self.status) {
            (_, Status::Void | Status::Truncated) => {}
            (Unit::Round, Status::Finished) => {
                (self.points, self.places) = (BySeat::default(), BySeat::default());
                let places = round_places(self.rules, state);
                for seat in self.plan.seats.iter() {
                    let player = self.plan.player_at[seat];
                    (self.points[player], self.places[player]) = (points[seat], places[seat]);
                }
            }
            (Unit::Match, Status::Finished) => {
                self.points = *self.table.scores();
                self.places = match_places(self.rules, &self.table, self.players, &self.rounds_in);
            }
        }
    }

    /// The player in this seat has lost the game by a fault.
    pub(super) fn count_fault(&mut self, seat: Seat) {
        self.faulty = self.faulty.with(self.plan.player_at[seat]);
    }

    /// Whether this seat takes part in the round and its player has not lost the game yet.
    pub(super) fn may_have_fault(&self, seat: Seat) -> bool {
        self.plan.seats.contains(seat) && !self.faulty.contains(self.plan.player_at[seat])
    }

    /// Points and places by player as counted: a player that lost by a fault comes last without points, and so does a
    /// partner in all rounds of the match.
    fn counted(&self) -> Option<(Vec<u32>, Vec<u8>)> {
        let teams = self.rules.parameters().teams;
        let lose_together = |one, other| one == other || (teams == Teams::Fixed && are_partners(teams, one, other));
        let has_lost = |player| self.faulty.iter().any(|faulty| lose_together(faulty, player));
        let points = |player: Seat| if has_lost(player) { 0 } else { self.points[player] };
        let points: Vec<u32> = Seat::first(self.players).map(points).collect();
        let places = places_after_forfeit(&self.places, self.players, has_lost);
        (!self.faulty.is_empty()).then(|| (points, places.first(self.players).to_vec()))
    }

    /// The last line.
    pub(super) fn last(&self) -> Last {
        let (counted_points, counted_places) = self.counted().unzip();
        Last {
            ended: self.status,
            rounds: self.rounds,
            points: self.points.first(self.players).to_vec(),
            places: self.places.first(self.players).to_vec(),
            counted_points,
            counted_places,
            checksum: format!("{:016x}", digest(&self.checksums)),
            lines: format!("{:016x}", self.lines),
        }
    }

    /// The number of seats at one table, including those of players who are out.
    fn num_table_seats(&self) -> usize {
        self.plan.player_at.first(self.players).len().min(match self.rules.parameters().teams {
            Teams::RotatingTables => 4,
            _ => MAX_SEATS,
        })
    }
}

fn all_in_first_place(players: usize) -> BySeat<u8> {
    BySeat::from_fn(|player| u8::from(player.index() < players))
}

/// The place of each player in a finished match, from 1: the winners first, then by the number of rounds in the match, then
/// by score. Equal players share the better place. `rounds_in` is the number of rounds in which each player was in the match.
///
/// # Panics
/// If there are more than ten players.
#[must_use]
pub fn match_places(rules: &Rules, table: &MatchState, players: usize, rounds_in: &BySeat<u32>) -> BySeat<u8> {
    let key = |player: Seat| {
        let score = i64::from(table.scores()[player]);
        let lost = table.winners().is_some_and(|winners| !winners.contains(player));
        let by_score = match rules.parameters().scoring {
            Scoring::WinnerTakes => -score,
            Scoring::RunningLowest | Scoring::Elimination => score,
        };
        (lost, Reverse(rounds_in[player]), by_score)
    };
    let mut places = BySeat::default();
    for player in Seat::first(players) {
        let better = Seat::first(players).filter(|&other| key(other) < key(player)).count();
        places[player] = u8::try_from(better + 1).expect("at most ten players");
    }
    places
}
