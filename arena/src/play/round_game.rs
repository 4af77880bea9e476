//! A game of one round.

use unolab_agents::table::{Counts, Ending};
use unolab_engine::observation::NO_SCORES;
use unolab_engine::scoring::{RoundResult, are_partners};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{Outcome, RoundState};

use super::{Deal, Dealer, Observer};
use crate::play::record::{GameRecord, Status};

impl Dealer<'_> {
    pub(super) fn play_round_game(&mut self, deal: &Deal, observer: Observer<'_, '_>) -> GameRecord {
        let mut round = deal.first_round.clone();
        let (counts, ending) = self.play_round(&mut round, &NO_SCORES, observer);
        self.record_of_round(&round.state, counts, ending)
    }

    pub(super) fn record_of_round(&self, state: &RoundState, counts: Counts, ending: Ending) -> GameRecord {
        let mut record = GameRecord::without_winner(self.num_players, self.team_size, Status::Truncated);
        match (ending, state.outcome()) {
            (Ending::Truncated, _) | (_, None) => {}
            (Ending::Finished, Some(Outcome::Void)) => record.status = Status::Void,
            (Ending::Finished, Some(Outcome::WentOut(winner))) => {
                let RoundResult { points, places } = RoundResult::counted(self.rules, state);
                record.finish(self.with_partner(winner, state.seat_set()), &points, &places);
            }
        }
        let mut fingerprint = self.fingerprint;
        fingerprint.add_round(state);
        record.first_seat = state.first_seat();
        record.direction = state.first_direction();
        record.rounds = 1;
        (record.turns, record.decisions) = (counts.turns, counts.decisions);
        record.reshuffles = state.reshuffles();
        record.hash = fingerprint.value();
        record
    }

    fn with_partner(&self, winner: Seat, seats: SeatSet) -> SeatSet {
        let teams = self.rules.parameters().teams;
        seats.iter().filter(|&seat| are_partners(teams, seat, winner)).collect()
    }
}
