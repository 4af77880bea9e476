//! [`Returns`]: the value of a finished round to a seat.

use unolab_engine::match_play::{MatchState, RoundPlan};
use unolab_engine::observation::Observation;
use unolab_engine::rules::{Rules, Scoring, Teams};
use unolab_engine::scoring::{RoundResult, are_partners};
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::{Outcome, RoundState};

use crate::goal::Goal;

/// Values finished rounds for any seat, with its partner.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Returns<'a> {
    goal: Goal,
    rules: &'a Rules,
    scores: &'a BySeat<u32>,
    seats: SeatSet,
    /// The approximate points of a losing hand.
    points_of_a_hand: f64,
}

/// The approximate number of cards in a losing hand.
const CARDS_LEFT: f64 = 5.0;

/// With 1.1, the weights below give odds of 3 : 1 for a player who needs one round against two, 2.2 : 1 for two against
/// three, and 1.4 : 1 for nine against ten, like a race of even rounds.
const LEAD: f64 = 1.1;

impl<'a> Returns<'a> {
    pub(crate) fn new(goal: Goal, observation: &Observation<'a>) -> Self {
        let rules = observation.rules();
        let deck = rules.deck();
        let points_of_a_hand = CARDS_LEFT * f64::from(rules.points_of(deck)) / f64::from(deck.len().max(1));
        let (scores, seats) = (observation.scores(), observation.dealt_seats());
        Self { goal, rules, scores, seats, points_of_a_hand: points_of_a_hand.max(1.0) }
    }

    /// Whether the values are probabilities of winning the round.
    pub(crate) fn are_chances(&self) -> bool {
        self.goal == Goal::Win
    }

    fn are_partners(&self, a: Seat, b: Seat) -> bool {
        are_partners(self.rules.parameters().teams, a, b)
    }

    /// The value of a round without a winner, or of an unfinished one.
    fn fair_share(&self, of: Seat) -> f64 {
        let own = self.seats.iter().filter(|&seat| self.are_partners(seat, of)).count();
        own as f64 / self.seats.len() as f64
    }

    /// The value of a round for this seat; a round without a winner counts as even.
    pub(crate) fn of(&self, round: &RoundState, seat: Seat) -> f64 {
        match (self.goal, round.outcome()) {
            (Goal::Win, Some(Outcome::WentOut(winner))) => f64::from(u8::from(self.are_partners(winner, seat))),
            (Goal::Win, _) => self.fair_share(seat),
            (Goal::Points, _) => self.points(round, seat),
            (Goal::Match, _) => self.chance_of_match(round, seat),
        }
    }

    /// Points in units of a typical hand, so that a usual round is of the order of 1.
    fn points(&self, round: &RoundState, seat: Seat) -> f64 {
        let points = f64::from(RoundResult::of(self.rules, round).points[seat]) / self.points_of_a_hand;
        if self.rules.parameters().scoring == Scoring::WinnerTakes { points } else { -points }
    }

    fn chance_of_match(&self, round: &RoundState, seat: Seat) -> f64 {
        let rules = self.rules;
        let players = 1 + self.seats.iter().last().map_or(0, Seat::index);
        let mut table = MatchState::with_scores(rules, players, round.dealer(), *self.scores);
        let plan = RoundPlan {
            seats: self.seats,
            player_at: BySeat::from_fn(|seat| seat),
            dealer: round.dealer(),
            extra_cards: BySeat::default(),
        };
        table.count_round(rules, &plan, round);
        if let Some(winners) = table.winners() {
            let share = 1.0 / winners.len() as f64;
            let own = |winner: Seat| match rules.parameters().teams {
                Teams::Fixed => self.are_partners(winner, seat),
                _ => winner == seat, // partners change, and each player has a separate score
            };
            return winners.iter().filter(|&winner| own(winner)).count() as f64 * share;
        }
        self.chance_from(&table, seat)
    }

    /// The probability of winning an unfinished match, as in a race to a number of even rounds.
    fn chance_from(&self, table: &MatchState, seat: Seat) -> f64 {
        let parameters = self.rules.parameters();
        // Partners share one score: one seat represents the side.
        let sides = table.still_in().iter().filter(|seat| parameters.teams != Teams::Fixed || seat.index() < 2);
        let opponents = (self.seats.len() - 1).max(1) as f64;
        let (per_round, sign) = match parameters.scoring {
            Scoring::WinnerTakes => (self.points_of_a_hand * opponents, -1.0),
            Scoring::RunningLowest | Scoring::Elimination => (self.points_of_a_hand, 1.0),
        };
        let target = f64::from(parameters.target.get());
        let rounds_to_go = |seat: Seat| (target - f64::from(table.scores()[seat])).max(1.0) / per_round;
        let soonest = sides.clone().map(rounds_to_go).fold(f64::INFINITY, f64::min).max(1.0);
        let weight = |seat: Seat| (sign * LEAD * rounds_to_go(seat) / soonest.sqrt()).exp();
        let own = if parameters.teams == Teams::Fixed { Seat::new(seat.index() % 2) } else { seat };
        if !table.still_in().contains(own) {
            return 0.0;
        }
        weight(own) / sides.map(weight).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use unolab_engine::knowledge::Knowledge;
    use unolab_engine::rng::Rng;
    use unolab_engine::rules::{Override, PresetsOnly, TableSize, load};

    use super::*;

    /// The probabilities of the seats before a round that has no winner yet.
    fn chances(settings: &[&str], scores: &[u32]) -> Vec<f64> {
        let seats = scores.len();
        let overrides: Vec<Override> = settings.iter().map(|text| text.parse().unwrap()).collect();
        let rules = load("classic", &overrides, TableSize::Seats(seats), &PresetsOnly).unwrap().rules;
        let by_seat: BySeat<u32> = scores.iter().copied().collect();
        let mut rng = Rng::from_seed(1);
        let state = RoundState::deal(&rules, SeatSet::first(seats), Seat::new(0), &mut rng, &mut ());
        let knowledge = Knowledge::default();
        let observation = Observation::of(&rules, &state, &knowledge, &by_seat, Seat::new(0));
        let returns = Returns::new(Goal::Match, &observation);
        let table = MatchState::with_scores(&rules, seats, Seat::new(0), by_seat);
        Seat::first(seats).map(|seat| returns.chance_from(&table, seat)).collect()
    }

    /// The value of a round to each seat by this goal: after the deal, and after random players have finished it.
    fn values(goal: Goal, settings: &[&str], seats: usize) -> (Vec<f64>, Vec<f64>, RoundState) {
        let overrides: Vec<Override> = settings.iter().map(|text| text.parse().unwrap()).collect();
        let rules = load("classic", &overrides, TableSize::Seats(seats), &PresetsOnly).unwrap().rules;
        let mut rng = Rng::from_seed(4);
        let mut state = RoundState::deal(&rules, SeatSet::first(seats), Seat::new(0), &mut rng, &mut ());
        let (knowledge, scores, dealt) = (Knowledge::default(), BySeat::default(), state);
        let observation = Observation::of(&rules, &dealt, &knowledge, &scores, Seat::new(0));
        let returns = Returns::new(goal, &observation);
        while let Some(seat) = state.current_seat() {
            let actions = state.legal_actions(&rules);
            let plays: Vec<_> = actions.iter().filter(|action| action.card().is_some()).copied().collect();
            let action = *rng.pick(if plays.is_empty() { &actions } else { &plays }).unwrap();
            state.apply_action_unchecked(&rules, seat, action, Default::default(), &mut rng, &mut ());
        }
        let of = |state: &RoundState| Seat::first(seats).map(|seat| returns.of(state, seat)).collect();
        (of(&dealt), of(&state), state)
    }

    #[test]
    fn round_without_winner_counts_as_even() {
        assert_eq!(values(Goal::Win, &[], 2).0, [0.5; 2]);
        assert_eq!(values(Goal::Win, &[], 5).0, [0.2; 5]);
        assert_eq!(values(Goal::Win, &["match.teams=fixed"], 4).0, [0.5; 4]);
        let (_, won, state) = values(Goal::Win, &[], 3);
        let Some(Outcome::WentOut(winner)) = state.outcome() else { panic!("some seat goes out") };
        let expected: Vec<f64> = (0..3).map(|seat| f64::from(u8::from(seat == winner.index()))).collect();
        assert_eq!(won, expected);
    }

    #[test]
    fn points_go_to_winner_or_are_charged_to_others() {
        for (scoring, winner_takes) in [("winner_takes", true), ("running_lowest", false), ("elimination", false)] {
            let (_, values, state) = values(Goal::Points, &[&format!("match.scoring={scoring}")], 3);
            let Some(Outcome::WentOut(winner)) = state.outcome() else { panic!("some seat goes out") };
            for (seat, &value) in values.iter().enumerate() {
                let has_won = seat == winner.index();
                assert!(if winner_takes { has_won == (value > 0.0) } else { has_won == (value >= 0.0) }, "{values:?}");
                assert!(has_won || if winner_takes { value == 0.0 } else { value < 0.0 }, "{values:?}");
            }
        }
    }

    #[test]
    fn match_win_chances_match_race_model() {
        let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        for (settings, ahead) in
            [(&[][..], 1), (&["match.scoring=running_lowest"], 0), (&["match.scoring=elimination"], 0)]
        {
            let even = chances(settings, &[100, 100, 100]);
            even.iter().for_each(|&chance| is(chance, 1.0 / 3.0));
            let two = chances(settings, &[100, 300]);
            is(two.iter().sum(), 1.0);
            assert!(two[ahead] > 0.6 && two[ahead] < 1.0, "{two:?}");
        }
        // A player with 500 points is out.
        let out = chances(&["match.scoring=elimination"], &[500, 100, 100]);
        is(out[0], 0.0);
        is(out[1], 0.5);
        let partners = chances(&["match.teams=fixed"], &[100, 300, 100, 300]);
        is(partners[0], partners[2]);
        is(partners[0] + partners[1], 1.0);
    }

    /// A losing hand is worth 5 · 1240/108 = 57.4 points in classic, so that 57 and 115 points are one round and two: 3 : 1 (see
    /// [`LEAD`]). With four players the winner takes three hands a round.
    #[test]
    fn odds_one_round_ahead_are_three_to_one() {
        for (settings, scores, ahead) in [
            (&[][..], &[443, 385][..], 0),
            (&[], &[328, 156, 156, 156], 0),
            (&["match.scoring=running_lowest"], &[443, 385], 1),
            (&["match.scoring=elimination"], &[443, 385, 443], 1),
        ] {
            let chances = chances(settings, scores);
            let (best, other) = (chances[ahead], chances[1 - ahead]);
            assert!((best / other - 3.0).abs() < 0.1, "{settings:?} {scores:?}: {chances:?}");
        }
    }
}
