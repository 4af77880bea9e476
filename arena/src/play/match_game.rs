//! A game of a whole match: rounds until the match is won.

use unolab_agents::table::{Counts, Ending};
use unolab_engine::match_play::{MatchState, RoundPlan};
use unolab_engine::record::match_places;
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::RoundState;

use super::fingerprint::Fingerprint;
use super::{Deal, Dealer, Observer};
use crate::play::record::{GameRecord, Status};

/// The maximum number of rounds; a longer match is truncated.
const MAX_ROUNDS: u32 = 1_000;

/// The player in each seat, by the number of the seat.
type Sitting = BySeat<Seat>;

/// The counts of a match.
struct Course {
    table: MatchState,
    rounds: u32,
    /// The number of rounds in which each player was still in the match.
    rounds_in: BySeat<u32>,
    counts: Counts,
    reshuffles: u32,
    fingerprint: Fingerprint,
    ending: Ending,
}

impl Dealer<'_> {
    pub(super) fn play_match_game(&mut self, deal: &Deal, observer: Observer<'_, '_>) -> GameRecord {
        let first = &deal.first_round.state;
        let mut sitting: Sitting = BySeat::from_fn(|seat| seat);
        let mut course = Course::new(deal.table.clone(), self.fingerprint);
        let (mut plan, mut round) = (deal.plan.clone(), deal.first_round.clone());
        loop {
            self.seat_players_by_plan(&plan, &mut sitting);
            let scores = scores_by_seat(&course.table, &plan);
            let (counts, ending) = self.play_round(&mut round, &scores, observer);
            course.count(&plan, &round.state, counts, ending);
            if ending == Ending::Finished {
                course.table.count_round(self.rules, &plan, &round.state);
            }
            if course.is_over() {
                break;
            }
            plan = course.table.plan(self.rules);
            round = self.deal_round(deal.set, course.rounds, &plan, observer);
        }
        GameRecord {
            // At two tables: of the first table.
            first_seat: deal.plan.player_at[first.first_seat()],
            direction: first.first_direction(),
            ..self.record_of_match(&course)
        }
    }

    /// Moves the agents to the seats of their players in this round. Agents without a seat get the remaining ones.
    fn seat_players_by_plan(&mut self, plan: &RoundPlan, sitting: &mut Sitting) {
        for seat in plan.seats.iter() {
            let wanted = plan.player_at[seat];
            let now = Seat::first(self.num_players).skip(seat.index()).find(|&other| sitting[other] == wanted);
            if let Some(now) = now {
                (sitting[seat], sitting[now]) = (sitting[now], sitting[seat]);
                self.seated.swap(seat.index(), now.index());
            }
        }
    }

    fn record_of_match(&self, course: &Course) -> GameRecord {
        let mut record = GameRecord::without_winner(self.num_players, self.team_size, Status::Truncated);
        if let Some(winners) = course.table.winners() {
            let places = match_places(self.rules, &course.table, self.num_players, &course.rounds_in);
            record.finish(winners, course.table.scores(), &places);
        }
        GameRecord {
            rounds: course.rounds,
            turns: course.counts.turns,
            decisions: course.counts.decisions,
            reshuffles: course.reshuffles,
            hash: course.fingerprint.value(),
            ..record
        }
    }
}

impl Course {
    fn new(table: MatchState, fingerprint: Fingerprint) -> Self {
        Self {
            table,
            rounds: 0,
            rounds_in: BySeat::default(),
            counts: Counts::default(),
            reshuffles: 0,
            fingerprint,
            ending: Ending::Finished,
        }
    }

    fn count(&mut self, plan: &RoundPlan, state: &RoundState, counts: Counts, ending: Ending) {
        self.rounds += 1;
        for seat in plan.seats.iter() {
            self.rounds_in[plan.player_at[seat]] += 1;
        }
        self.counts.turns += counts.turns;
        self.counts.decisions += counts.decisions;
        self.reshuffles += state.reshuffles();
        self.fingerprint.add_round(state);
        self.ending = ending;
    }

    fn is_over(&self) -> bool {
        self.table.winners().is_some() || self.ending == Ending::Truncated || self.rounds >= MAX_ROUNDS
    }
}

/// The match scores by the seats of this round.
fn scores_by_seat(table: &MatchState, plan: &RoundPlan) -> BySeat<u32> {
    plan.player_at.map(|player| table.scores()[player])
}
