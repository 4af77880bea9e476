//! [`StateEvaluator`]: each seat's probability of winning an unfinished round, estimated from the hands.
//!
//! A multinomial logistic regression: each seat gets a number from features of its hand, and the probabilities of the seats
//! are proportional to the exponentials. The weights were fitted to positions of rounds between `mixbot`s on classic, 150,000
//! with two players and 200,000 with four; the terms apply to any variant. The estimate is much less exact than a rollout,
//! but has very little variance: a rollout that is truncated after a few turns and evaluated in this way is worth several
//! complete rollouts.

use unolab_engine::card::CardSet;
use unolab_engine::color::Color;
use unolab_engine::rules::{CardKind, CustomCard, Effect, Group, Rules, Special};
use unolab_engine::scoring::are_partners;
use unolab_engine::seat::{MAX_SEATS, Seat, SeatSet};
use unolab_engine::state::RoundState;

/// The weights of a hand's features; rows are by number of cards, the last row for that number and more.
#[derive(Debug, Clone, Copy)]
struct Weights {
    /// One to nine cards, of which none, one, or more are wilds.
    wilds: [[f32; 3]; 9],
    /// One to four cards, held by the seat to act, the next seat, a later seat, and the last seat.
    waits: [[f32; 4]; 4],
    /// One to four cards, including a colored card that could follow now: for the seat to act, the next seat, and any other.
    follows: [[f32; 3]; 4],
    /// Two to four cards, with zero to four colors.
    colors: [[f32; 5]; 3],
    /// For each Draw Two, and for each Skip or Reverse.
    actions: [f32; 2],
}

const OF_TWO: Weights = Weights {
    wilds: [
        [-0.275, 2.76, 0.0],
        [-0.559, 1.212, 1.482],
        [-0.67, 0.56, 1.539],
        [-0.242, 0.779, 1.883],
        [-0.445, 0.481, 1.457],
        [-0.641, 0.213, 1.108],
        [-0.854, 0.064, 0.857],
        [-1.04, -0.147, 0.631],
        [-1.38, -0.571, 0.181],
    ],
    waits: [[0.503, 0.667, 0.0, 0.0], [0.308, 0.353, 0.0, 0.0], [0.156, 0.147, 0.0, 0.0], [-0.428, -0.37, 0.0, 0.0]],
    follows: [[5.627, 1.289, 0.0], [0.923, 0.584, 0.0], [0.598, 0.404, 0.0], [0.38, 0.209, 0.0]],
    colors: [[1.482, 0.387, -0.248, 0.0, 0.0], [1.389, 0.398, 0.01, -0.397, 0.0], [0.043, 0.236, 0.027, -0.22, -0.441]],
    actions: [0.494, 0.198],
};

const OF_MORE: Weights = Weights {
    wilds: [
        [-0.113, 2.7, 0.0],
        [-0.449, 1.048, 1.2],
        [-0.692, 0.411, 1.598],
        [-0.028, 0.931, 1.925],
        [-0.397, 0.463, 1.322],
        [-0.75, 0.096, 0.855],
        [-1.06, -0.262, 0.465],
        [-1.35, -0.502, 0.245],
        [-1.747, -1.062, -0.375],
    ],
    waits: [
        [0.541, 0.675, 0.799, 0.768],
        [0.127, 0.237, 0.297, 0.274],
        [-0.038, 0.08, 0.148, 0.092],
        [-0.618, -0.458, -0.43, -0.466],
    ],
    follows: [[6.251, 1.311, 0.682], [1.081, 0.562, 0.306], [0.76, 0.326, 0.19], [0.501, 0.161, 0.091]],
    colors: [[1.2, 0.179, 0.028, 0.0, 0.0], [0.99, 0.052, 0.043, -0.039, 0.0], [-0.3, -0.45, -0.396, -0.366, -0.338]],
    actions: [0.246, 0.046],
};

/// Evaluates positions under these rules.
#[derive(Debug)]
pub(crate) struct StateEvaluator<'a> {
    rules: &'a Rules,
    draw_twos: CardSet,
    skips: CardSet,
}

impl<'a> StateEvaluator<'a> {
    pub(crate) fn new(rules: &'a Rules) -> Self {
        let kinds = rules.kind_table();
        let skips = kinds.group(Group::Skip) | kinds.group(Group::Reverse);
        Self { rules, draw_twos: kinds.group(Group::DrawTwo), skips }
    }

    /// Whether hands stay with their seats. Otherwise, a hand is a poor predictor of the winner.
    pub(crate) fn can_judge(rules: &Rules) -> bool {
        let moves_hands = |kind: &CardKind| match kind {
            CardKind::Special(Special::SwapHands | Special::VictoryLap) => true,
            CardKind::Custom(CustomCard { effects, .. }) => {
                // Swaps after a failed task are rare enough to be ignored; most of a hand stays in place if a few cards are
                // taken or given.
                effects.iter().any(Effect::moves_whole_hands)
            }
            _ => false,
        };
        !rules.parameters().seven_zero && !rules.kinds().iter().any(|def| moves_hands(&def.kind))
    }

    /// The probability that the side of each of these seats wins, at the beginning of a turn.
    pub(crate) fn chances(&self, state: &RoundState, seats: SeatSet) -> [f64; MAX_SEATS] {
        let mut strengths = [0.0_f32; MAX_SEATS];
        let Some(to_act) = state.current_seat() else { return [0.0; MAX_SEATS] };
        let weights = if state.ring().is_two_seats() { &OF_TWO } else { &OF_MORE };
        let last = state.seat_set().len() - 1;
        let followers = self.rules.can_follow(state.top(), Some(state.color().unwrap_or(Color::Red)));
        let mut total = 0.0;
        for (distance, seat) in [to_act].into_iter().chain(state.others(to_act)).enumerate() {
            let strength = self.strength(weights, state, seat, followers, Place { distance, last }).exp();
            strengths[seat.index()] = strength;
            total += strength;
        }
        let teams = self.rules.parameters().teams;
        std::array::from_fn(|i| {
            let own = Seat::new(i);
            if !seats.contains(own) {
                return 0.0;
            }
            let side = state.seats().filter(|&seat| are_partners(teams, seat, own));
            f64::from(side.map(|seat| strengths[seat.index()]).sum::<f32>() / total)
        })
    }

    fn strength(&self, weights: &Weights, state: &RoundState, seat: Seat, followers: CardSet, place: Place) -> f32 {
        let hand = state.hand(seat);
        let colored = hand.only(self.rules.colored());
        let held = colored.distinct();
        let len = (hand.len() as usize).max(1);
        let (row, few) = (len.min(9) - 1, len.min(4) - 1);
        let wilds = (hand.len() - colored.len()).min(2) as usize;
        let mut sum = weights.wilds[row][wilds] + weights.waits[few][place.column()];
        if (held & followers).any() {
            sum += weights.follows[few][place.distance.min(2)];
        }
        if len >= 2 {
            let colors = Color::ALL.into_iter().filter(|&color| (held & self.rules.of_color(color)).any()).count();
            sum += weights.colors[few - 1][colors];
        }
        let count = |kinds: CardSet| hand.only(kinds).len().min(4) as f32;
        sum + weights.actions[0] * count(self.draw_twos) + weights.actions[1] * count(self.skips)
    }
}

/// The position of a seat in the turn order.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// 0 for the seat to act.
    distance: usize,
    /// The position of the last seat.
    last: usize,
}

impl Place {
    const fn column(self) -> usize {
        match self.distance {
            0 => 0,
            1 => 1,
            distance if distance == self.last => 3,
            _ => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use unolab_engine::cards::Cards;
    use unolab_engine::rng::Rng;
    use unolab_engine::rules::{Override, PresetsOnly, TableSize, load};
    use unolab_engine::seat::{BySeat, Direction};
    use unolab_engine::state::RoundSetup;

    use super::*;

    fn rules(variant: &str, seats: usize, settings: &[&str]) -> Rules {
        let overrides: Vec<Override> = settings.iter().map(|text| text.parse().unwrap()).collect();
        load(variant, &overrides, TableSize::Seats(seats), &PresetsOnly).unwrap().rules
    }

    #[test]
    fn win_chances_are_divided_between_sides() {
        for (seats, settings, sides) in [(2, &[][..], 2), (4, &[], 4), (10, &[], 10), (4, &["match.teams=fixed"], 2)] {
            let rules = rules("classic", seats, settings);
            let (all, mut rng) = (SeatSet::first(seats), Rng::from_seed(3));
            let state = RoundState::deal(&rules, all, Seat::new(0), &mut rng, &mut ());
            let chances = StateEvaluator::new(&rules).chances(&state, all);
            let sum: f64 = chances[..sides].iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "{seats} {settings:?}: {chances:?}");
        }
    }

    /// A player with the turn and one playable card is likely to win; a player with many cards is not.
    #[test]
    fn seat_able_to_go_out_leads() {
        let rules = rules("classic", 3, &[]);
        let (all, mut rng) = (SeatSet::first(3), Rng::from_seed(3));
        let mut seen = 0;
        for _ in 0..100 {
            let mut state = RoundState::deal(&rules, all, Seat::new(0), &mut rng, &mut ());
            while let Some(seat) = state.current_seat() {
                let chances = StateEvaluator::new(&rules).chances(&state, all);
                let lens = state.seats().map(|other| state.hand(other).len()).collect::<Vec<_>>();
                let others_are_far = state.others(seat).all(|other| state.hand(other).len() > 3);
                let is_turn = state.phase() == unolab_engine::state::Phase::Turn;
                if is_turn && state.hand(seat).is_single() && others_are_far {
                    let can_go_out = state.legitimately_playable(&rules, seat).any();
                    assert!(!can_go_out || chances[seat.index()] > 0.9, "{lens:?} {chances:?}");
                    seen += u32::from(can_go_out);
                }
                let actions = state.legal_actions(&rules);
                let plays: Vec<_> = actions.iter().filter(|action| action.card().is_some()).copied().collect();
                let action = *rng.pick(if plays.is_empty() { &actions } else { &plays }).unwrap();
                state.apply_action_unchecked(&rules, seat, action, Default::default(), &mut rng, &mut ());
            }
        }
        assert!(seen > 3, "{seen}");
    }

    #[test]
    fn swapped_hands_are_not_evaluated() {
        for (variant, settings, can) in [
            ("classic", &[][..], true),
            ("classic", &["house.seven_zero=true"], false),
            ("disney", &[], true),
            ("swap-hands", &[], false),
            ("cars", &[], false),
        ] {
            assert_eq!(StateEvaluator::can_judge(&rules(variant, 4, settings)), can, "{variant} {settings:?}");
        }
    }

    /// A turn of the first seat; all other cards are in the draw pile.
    fn turn(rules: &Rules, hands: &[&str], top: &str) -> RoundState {
        let hands: BySeat<Cards> = hands.iter().map(|hand| rules.parse_cards(hand).unwrap()).collect();
        let top = rules.parse_card(top).unwrap();
        let mut draw_pile = hands.iter().fold(rules.deck(), |pile, &hand| pile.minus(hand));
        draw_pile.remove(top);
        let setup = RoundSetup {
            seats: SeatSet::first(hands.iter().filter(|hand| !hand.is_empty()).count()),
            dealer: Seat::new(0),
            direction: Direction::Left,
            to_act: Seat::new(0),
            hands,
            top,
            under_top: Cards::EMPTY,
            color: None,
            draw_pile,
        };
        RoundState::from_setup(&setup, rules).unwrap()
    }

    /// The probabilities are proportional to the exponentials of these sums of weights.
    fn check(hands: &[&str], top: &str, sums: &[f32]) {
        let rules = rules("classic", hands.len(), &[]);
        let chances = StateEvaluator::new(&rules).chances(&turn(&rules, hands, top), SeatSet::first(hands.len()));
        let all: f64 = sums.iter().map(|&sum| f64::from(sum).exp()).sum();
        for (seat, &sum) in sums.iter().enumerate() {
            let expected = f64::from(sum).exp() / all;
            assert!((chances[seat] - expected).abs() < 1e-4 * expected, "{seat}: {chances:?}, {expected}");
        }
    }

    /// Each hand has the weights that the descriptions of the tables assign.
    #[test]
    fn hand_features_match_hand_computation() {
        let w = OF_MORE;
        check(
            &["r5", "W b2 gD", "y1 y2 y3 y4 yS", "W W4 W"],
            "r0",
            &[
                // One playable card, with the turn.
                w.wilds[0][0] + w.waits[0][0] + w.follows[0][0],
                // Three cards, one of them wild, a Draw Two; two colors.
                w.wilds[2][1] + w.waits[2][1] + w.colors[1][2] + w.actions[0],
                // Five cards of one color, one of them a Skip.
                w.wilds[4][0] + w.waits[3][2] + w.colors[2][1] + w.actions[1],
                // Three wilds, in the last seat.
                w.wilds[2][2] + w.waits[2][3] + w.colors[1][0],
            ],
        );
        let w = OF_TWO;
        check(
            &["r5 r6", "y1 y2 y3 y4 y5 y6 y7 y8 y9 b0"],
            "r0",
            &[
                w.wilds[1][0] + w.waits[1][0] + w.follows[1][0] + w.colors[0][1],
                w.wilds[8][0] + w.waits[3][1] + w.follows[3][1] + w.colors[2][2],
            ],
        );
    }

    /// Probabilities are computed only for the requested seats.
    #[test]
    fn only_requested_seats_have_chances() {
        let rules = rules("classic", 3, &[]);
        let state = turn(&rules, &["r5 b1", "y1 y2", "g1 g2 g3"], "r0");
        let evaluator = StateEvaluator::new(&rules);
        let (all, one) =
            (evaluator.chances(&state, SeatSet::first(3)), evaluator.chances(&state, SeatSet::of(Seat::new(1))));
        assert_eq!((one[0], one[1], one[2]), (0.0, all[1], 0.0));
    }
}
