//! The winning probability of each seat in a round, with all hands open.

use std::array;

use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, MAX_SEATS, Seat};
use unolab_engine::state::{Outcome, Phase, RoundState};
use unolab_stats::logit::{Features, Model, Position};

use super::Classes;

/// The number of features of a seat.
const NUM_FEATURES: usize = 9;

/// An observed position, and the winner.
pub type OpenPosition = Position<NUM_FEATURES>;

/// Hands of at least this number of cards count as the same size.
const LARGEST_HAND: usize = 12;
const COLORS: usize = Color::ALL.len();

/// The next action of a seat, which affects the value of a card.
#[derive(Debug, Clone, Copy)]
enum Role {
    /// It acts now.
    Acts,
    /// It has drawn a card that it may play.
    HasDrawn,
    /// It acts next.
    Follows,
    /// It acts later.
    Waits,
}

const ROLES: usize = 4;
/// Hands are small, middling or large.
const SIZES: usize = 3;
/// Zero, one, two, or more of a kind of card.
const UP_TO_THREE: usize = 4;

/// The first weight of each feature.
const FIRST_WEIGHT: [usize; NUM_FEATURES + 1] = {
    let lengths = [
        ROLES * LARGEST_HAND,        // cards in hand
        MAX_SEATS,                   // seats until it acts
        ROLES * SIZES * UP_TO_THREE, // cards that can follow
        SIZES * UP_TO_THREE,         // wilds
        SIZES * UP_TO_THREE,         // draw fours
        SIZES * UP_TO_THREE,         // other cards except numbers
        SIZES * (COLORS + 1),        // colors held
        LARGEST_HAND + 1,            // cards of the color of which it has most
        SIZES * (COLORS + 1),        // colors held that the next seat lacks
    ];
    let mut first = [0; NUM_FEATURES + 1];
    let mut i = 0;
    while i < NUM_FEATURES {
        first[i + 1] = first[i] + lengths[i];
        i += 1;
    }
    first
};

/// The number of weights of the model.
pub const NUM_WEIGHTS: usize = FIRST_WEIGHT[NUM_FEATURES];

/// The features of a round with all hands open.
#[derive(Debug, Clone, Copy)]
pub struct OpenHands<'r> {
    rules: &'r Rules,
    classes: Classes,
}

impl<'r> OpenHands<'r> {
    /// The features under these rules.
    #[must_use]
    pub fn new(rules: &'r Rules) -> Self {
        Self { rules, classes: Classes::of(rules) }
    }

    /// The seats in the order in which they act, with the features of each; `None` once the round is over.
    pub fn sight(&self, state: &RoundState) -> impl Iterator<Item = (Seat, Features<NUM_FEATURES>)> {
        let can_follow = self.rules.can_follow(state.top(), state.color());
        let has_drawn = matches!(state.phase(), Phase::Drawn(_));
        let order =
            state.current_seat().into_iter().flat_map(|acting| std::iter::once(acting).chain(state.others(acting)));
        order.enumerate().map(move |(distance, seat)| {
            let role = match distance {
                0 if has_drawn => Role::HasDrawn,
                0 => Role::Acts,
                1 => Role::Follows,
                _ => Role::Waits,
            };
            let (hand, next) = (state.hand(seat), state.hand(state.next_seat(seat)));
            let levels = self.levels(hand, next, hand.len_of(can_follow), role, distance);
            (seat, array::from_fn(|i| (FIRST_WEIGHT[i] + levels[i], 1.0)))
        })
    }

    /// The weight that applies to each feature.
    fn levels(&self, hand: Cards, next: Cards, can_follow: u32, role: Role, distance: usize) -> [usize; NUM_FEATURES] {
        let cards = (hand.len() as usize).clamp(1, LARGEST_HAND);
        let size = match cards {
            1 | 2 => 0,
            3 | 4 => 1,
            _ => 2,
        };
        let up_to_three = |cards: u32| (cards as usize).min(UP_TO_THREE - 1);
        let by_size = |level: usize, levels: usize| size * levels + level;
        let [wilds, draw_fours, actions] =
            self.classes.0.map(|class| by_size(up_to_three(hand.len_of(class)), UP_TO_THREE));
        let of_colors = Color::ALL.map(|color| {
            let color = self.rules.of_color(color);
            (hand.len_of(color), next.len_of(color))
        });
        let held = of_colors.iter().filter(|(mine, _)| *mine > 0).count();
        let cut = of_colors.iter().filter(|(mine, theirs)| *mine > 0 && *theirs == 0).count();
        let most = of_colors.iter().map(|(mine, _)| *mine as usize).max().unwrap_or(0).min(LARGEST_HAND);
        [
            role as usize * LARGEST_HAND + cards - 1,
            distance,
            role as usize * SIZES * UP_TO_THREE + by_size(up_to_three(can_follow), UP_TO_THREE),
            wilds,
            draw_fours,
            actions,
            by_size(held, COLORS + 1),
            most,
            by_size(cut, COLORS + 1),
        ]
    }

    /// The features of a position that this seat won; `None` once the round is over.
    #[must_use]
    pub fn position(&self, state: &RoundState, winner: Seat) -> Option<OpenPosition> {
        let (seats, features): (Vec<Seat>, Vec<_>) = self.sight(state).unzip();
        Some(Position { winner: seats.iter().position(|&seat| seat == winner)?, seats: features })
    }

    /// The winning probability of each seat from here, by this model; 1 and 0 at the end, and equal if no player wins.
    #[must_use]
    pub fn chances(&self, state: &RoundState, model: &Model) -> BySeat<f64> {
        let mut chances = BySeat::<f64>::default();
        match state.outcome() {
            Some(Outcome::WentOut(winner)) => chances[winner] = 1.0,
            Some(_) => {
                let seats = state.dealt_seats();
                seats.iter().for_each(|seat| chances[seat] = 1.0 / seats.len() as f64);
            }
            None => {
                self.sight(state).for_each(|(seat, features)| chances[seat] = model.strength(&features));
                let all: f64 = chances.iter().sum();
                chances.iter_mut().for_each(|chance| *chance /= all);
            }
        }
        chances
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use unolab_engine::action::Call;
    use unolab_engine::rng::Rng;
    use unolab_engine::seat::{Direction, SeatSet};
    use unolab_engine::state::RoundSetup;

    use super::*;

    #[test]
    fn different_arms_use_different_weights() {
        let rules = Rules::preset("classic");
        let open = OpenHands::new(&rules);
        let cards = |count: usize| -> Cards {
            Color::ALL.iter().flat_map(|&color| rules.of_color(color)).take(count).collect()
        };
        let roles = [Role::Acts, Role::HasDrawn, Role::Follows, Role::Waits];
        let sizes = roles.into_iter().flat_map(|role| (1..=LARGEST_HAND).map(move |size| (role, size)));
        let sizes: Vec<usize> = sizes.map(|(role, size)| open.levels(cards(size), cards(1), 0, role, 0)[0]).collect();
        assert_eq!(
            (sizes.len(), sizes.into_iter().collect()),
            (ROLES * LARGEST_HAND, (0..ROLES * LARGEST_HAND).collect::<BTreeSet<_>>())
        );
        let mut met = BTreeSet::new();
        for role in roles {
            for (hand, playable) in [2, 4, 7].into_iter().flat_map(|hand| (0..4).map(move |playable| (hand, playable)))
            {
                met.insert(open.levels(cards(hand), cards(1), playable, role, 0)[2]);
            }
        }
        assert_eq!(met, (0..ROLES * SIZES * UP_TO_THREE).collect());
    }

    /// Small, middle and large hands in which a kind of card occurs more or less often, as one feature counts it.
    #[test]
    fn holding_frequency_is_weighted_by_hand_size() {
        let rules = Rules::preset("classic");
        let open = OpenHands::new(&rules);
        let hand = |codes: &str| rules.parse_cards(codes).unwrap();
        let levels = |codes: &str, next: &str| open.levels(hand(codes), hand(next), 0, Role::Waits, 2);
        let per_size = |feature: usize, hands: [&[&str]; SIZES]| -> [Vec<usize>; SIZES] {
            hands.map(|hands| hands.iter().map(|codes| levels(codes, "r1")[feature]).collect())
        };
        let wilds = [
            &["r1 g2", "r1 W"][..],
            &["r1 g2 g3", "r1 g2 W", "r1 W W"],
            &["r1 g2 g3 b4 b5", "r1 g2 W W W", "r1 W W W W"],
        ];
        assert_eq!(per_size(3, wilds), [vec![0, 1], vec![4, 5, 6], vec![8, 11, 11]]);
        let held = [&["r1 r2", "r1 g2", "W W"][..], &["r1 g2 b3", "r1 g2 b3 y4"], &["r1 r2 r3 r4 r5", "r1 g2 b3 y4 W"]];
        assert_eq!(per_size(6, held), [vec![1, 2, 0], vec![8, 9], vec![11, 14]]);
        let cut = [&["r2 r3", "g1 g2", "g1 b1"][..], &["r2 g3 b4", "y1 g3 b4"], &["r1 r2 r3 r4 r5", "r1 g2 b3 y4 W"]];
        assert_eq!(per_size(8, cut), [vec![0, 1, 2], vec![7, 8], vec![10, 13]]);
        let most = ["W", "r1 g1", "r1 r2 g1", "g1 g2 g3 W"].map(|codes| levels(codes, "r1")[7]);
        assert_eq!(most, [0, 1, 2, 3]);
        assert_eq!(levels("r1", "r1")[1], 2);
    }

    #[test]
    fn round_without_winner_is_even() {
        let rules = Rules::preset("classic");
        let card = |code: &str| rules.card(code).unwrap();
        let mut hands = BySeat::<Cards>::default();
        (hands[Seat::new(0)], hands[Seat::new(1)]) =
            ([card("r7")].into_iter().collect(), [card("g2")].into_iter().collect());
        let setup = RoundSetup {
            seats: Seat::first(2).collect(),
            dealer: Seat::new(1),
            direction: Direction::Left,
            to_act: Seat::new(0),
            hands,
            top: card("b5"),
            under_top: Cards::default(),
            color: None,
            draw_pile: Cards::default(),
        };
        let before = RoundState::from_setup(&setup, &rules).unwrap();
        let mut state = before;
        while let Some(seat) = state.current_seat() {
            let action = state.legal_actions(&rules)[0];
            state.apply_action_unchecked(&rules, seat, action, Call::Silent, &mut Rng::from_seed(1), &mut ());
        }
        let open = OpenHands::new(&rules);
        let model = Model::fit(&[open.position(&before, Seat::new(0)).unwrap()], NUM_WEIGHTS).unwrap();
        let chances = open.chances(&state, &model);
        assert!(state.outcome().is_some_and(|outcome| !matches!(outcome, Outcome::WentOut(_))));
        let expected = BySeat::from_fn(|seat: Seat| if seat.index() < 2 { 0.5 } else { 0.0_f64 });
        assert!(
            chances.iter().zip(&expected).all(|(chance, expected)| (chance - expected).abs() < 1e-12),
            "{chances:?}"
        );
    }

    #[test]
    fn each_feature_has_separate_weights_in_every_edition() {
        for preset in ["classic", "disney", "swap-hands", "cars"] {
            let rules = Rules::preset(preset);
            let open = OpenHands::new(&rules);
            let seats: SeatSet = Seat::first(4).collect();
            for seed in 0..50 {
                let state = RoundState::deal(&rules, seats, Seat::new(0), &mut Rng::from_seed(seed), &mut ());
                for (_, features) in open.sight(&state) {
                    let within = |(i, &(weight, _)): (usize, &(usize, f64))| {
                        (FIRST_WEIGHT[i]..FIRST_WEIGHT[i + 1]).contains(&weight)
                    };
                    assert!(features.iter().enumerate().all(within), "{preset}: {features:?}");
                }
            }
        }
    }
}
