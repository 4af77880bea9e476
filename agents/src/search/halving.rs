//! Sequential halving: finds the best of a few actions within a budget (Karnin, Koren and Somekh, 2013). Together with trees
//! below the root it is a hybrid search (Pepels, Cazenave, Winands, and Lanctot, 2014).

use unolab_engine::action::Action;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{FeatureSet, Rules, RulesKernel};

use super::budget::{Budget, Meter};
use super::determinizer::Determinizer;
use super::tree::Forest;

/// The prior of each action: the sum of the values of a number of trials.
#[derive(Debug, Clone)]
pub(crate) struct Prior {
    pub(crate) trials: f64,
    pub(crate) sums: Vec<f64>,
}

impl Prior {
    /// No prior.
    pub(crate) fn none(actions: usize) -> Self {
        Self { trials: 0.0, sums: vec![0.0; actions] }
    }
}

/// An action with the results of its trials.
#[derive(Debug, Clone)]
struct ActionStats {
    action: Action,
    /// The sum of the values, including the prior trials.
    sum: f64,
    /// The values by world.
    values: Vec<f32>,
}

impl ActionStats {
    /// Whether this action is behind the other by more than this number of standard errors. The trials of both use the
    /// same worlds, and prior trials are assumed to vary as much.
    fn is_behind(&self, other: &Self, prior: &Prior, errors: f64) -> bool {
        let (mut sum, mut squares) = (0.0, 0.0);
        for (&own, &others) in self.values.iter().zip(&other.values) {
            let difference = f64::from(others - own);
            sum += difference;
            squares += difference * difference;
        }
        let number = self.values.len() as f64;
        let variance = (squares / number - (sum / number).powi(2)).max(LEAST_VARIANCE);
        other.sum - self.sum > errors * (variance * (number + prior.trials)).sqrt()
    }
}

/// A lower bound on the variance, so that a few equal results do not count as certain.
const LEAST_VARIANCE: f64 = 0.01;
/// After this many worlds each, actions that are too far behind are dropped.
const LOOK_EVERY: usize = 16;

/// A choice between actions: the remaining actions are tried in the same worlds, and the worse half is dropped after each
/// equal part of the budget. Actions that are certainly behind are dropped earlier. The search ends when one action is left,
/// which is chosen.
#[derive(Debug)]
pub(crate) struct Halving<'s, 'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) actions: &'s [Action],
    pub(crate) worlds: Determinizer<'s>,
    pub(crate) forest: Forest<'a>,
    pub(crate) budget: Budget,
    pub(crate) prior: &'s Prior,
    /// The number of standard errors that count as certain; 0: never.
    pub(crate) sure: f64,
    pub(crate) rng: &'s mut Rng,
}

impl RulesKernel for Halving<'_, '_> {
    type Output = Action;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(mut self) -> Action {
        let begin = |(&action, &sum): (&Action, &f64)| ActionStats { action, sum, values: Vec::new() };
        let mut left: Vec<ActionStats> = self.actions.iter().zip(&self.prior.sums).map(begin).collect();
        let mut meter = Meter::new(self.budget);
        let mut begun = 0;
        let halvings = left.len().next_power_of_two().trailing_zeros();
        while left.len() > 1 {
            let world = self.worlds.next(self.rng);
            self.forest.begin_world(&world);
            for tried in &mut left {
                let value = self.forest.try_action::<P>(&world, tried.action);
                tried.sum += value;
                #[expect(clippy::cast_possible_truncation, reason = "a difference of values needs no more")]
                tried.values.push(value as f32);
            }
            meter.spend_world(u32::try_from(left.len()).expect("a few actions"));
            if !meter.is_below(f64::from(begun + 1) / f64::from(halvings)) {
                retain_better_half(&mut left);
                begun += 1;
            } else if self.sure > 0.0 && left[0].values.len().is_multiple_of(LOOK_EVERY) {
                let best = left.iter().reduce(|a, b| if b.sum > a.sum { b } else { a }).expect("some are left").clone();
                left.retain(|tried| !tried.is_behind(&best, self.prior, self.sure));
            }
        }
        left[0].action
    }
}

fn retain_better_half(left: &mut Vec<ActionStats>) {
    // A stable sort: of equal actions the earlier one stays.
    left.sort_by(|a, b| b.sum.total_cmp(&a.sum));
    left.truncate(left.len().div_ceil(2));
}

#[cfg(test)]
mod tests {
    use unolab_engine::cards::Cards;
    use unolab_engine::knowledge::Knowledge;
    use unolab_engine::observation::{NO_SCORES, Observation};
    use unolab_engine::rules::{AllFeatures, PresetsOnly, TableSize, load};
    use unolab_engine::seat::{BySeat, Direction, Seat, SeatSet};
    use unolab_engine::state::{RoundSetup, RoundState};

    use super::*;
    use crate::goal::Goal;
    use crate::search::policy::{Policies, Policy};
    use crate::search::returns::Returns;
    use crate::search::rollout::{RolloutSettings, Rollouts};
    use crate::search::tree::Growth;

    fn tried(values: &[f32], advance: f64) -> ActionStats {
        let sum = advance + values.iter().copied().map(f64::from).sum::<f64>();
        ActionStats { action: Action::Draw, sum, values: values.to_vec() }
    }

    #[test]
    fn action_losing_in_same_worlds_is_behind() {
        let nothing = Prior::none(2);
        let (wins, loses) = (tried(&[1.0; 32], 0.0), tried(&[0.5; 32], 0.0));
        assert!(loses.is_behind(&wins, &nothing, 3.0) && !wins.is_behind(&loses, &nothing, 3.0));
        // Alternately better and worse.
        let alternating: Vec<f32> = (0..32).map(|i| if i % 2 == 0 { 1.0 } else { 0.0 }).collect();
        let other_way: Vec<f32> = alternating.iter().map(|value| 1.0 - value).collect();
        assert!(!tried(&other_way, 0.0).is_behind(&tried(&alternating, 0.0), &nothing, 3.0));
        // A small prior is not certain after one world.
        assert!(!tried(&[0.5], 0.0).is_behind(&tried(&[0.5], 0.2), &nothing, 3.0));
    }

    #[test]
    fn strong_prior_needs_many_trials_to_overturn() {
        let (wins, loses) = (tried(&[0.8; 16], 30.0), tried(&[0.5; 16], 30.0));
        assert!(loses.is_behind(&wins, &Prior::none(2), 3.0));
        let doubtful = Prior { trials: 2_000.0, sums: vec![30.0; 2] };
        assert!(!loses.is_behind(&wins, &doubtful, 3.0));
    }

    /// Differences of 1, 0, 1, 0 have the variance 1/4, so the standard error of the sum of four worlds is 1, and the lead is
    /// 2. With twelve prior trials the standard error is 2.
    #[test]
    fn standard_errors_match_hand_computation() {
        let (ahead, behind) = (tried(&[1.0, 0.5, 1.0, 0.5], 0.0), tried(&[0.0, 0.5, 0.0, 0.5], 0.0));
        let is_behind = |prior: &Prior, errors: f64| behind.is_behind(&ahead, prior, errors);
        let (nothing, twelve) = (Prior::none(2), Prior { trials: 12.0, ..Prior::none(2) });
        assert!(is_behind(&nothing, 1.99) && !is_behind(&nothing, 2.01));
        assert!(is_behind(&twelve, 0.99) && !is_behind(&twelve, 1.01));
    }

    /// The seat wins the round by playing its only card; if it draws instead, the round continues.
    #[test]
    fn action_best_in_every_world_is_chosen() {
        let rules = load("classic", &[], TableSize::Seats(2), &PresetsOnly).unwrap().rules;
        let cards = |text: &str| rules.parse_cards(text).unwrap();
        let hands: BySeat<Cards> = [cards("r5"), cards("r1 r2")].into_iter().collect();
        let top = rules.parse_card("r0").unwrap();
        let mut draw_pile = rules.deck().minus(hands[Seat::new(0)]).minus(hands[Seat::new(1)]);
        draw_pile.remove(top);
        let (seats, dealer, under_top) = (SeatSet::first(2), Seat::new(0), Cards::EMPTY);
        let (to_act, direction, color) = (dealer, Direction::Left, None);
        let setup = RoundSetup { seats, dealer, direction, to_act, hands, top, under_top, color, draw_pile };
        let state = RoundState::from_setup(&setup, &rules).unwrap();
        let knowledge = Knowledge::default();
        let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, dealer);
        let play = Action::Play(rules.parse_card("r5").unwrap());
        const NO_END: Budget = Budget::Worlds(100_000_000);
        for (budget, sure) in [(Budget::Trials(40), 0.0), (Budget::Worlds(20), 0.0), (NO_END, 3.0), (NO_END, 0.5)] {
            for actions in [[play, Action::Draw], [Action::Draw, play]] {
                let mut rng = Rng::from_seed(1);
                let playing = RolloutSettings {
                    others: Policies::one(Policy::Random),
                    own: Policy::Random,
                    playouts: 1,
                    laps: 0,
                };
                let rollouts = Rollouts::new(playing, Returns::new(Goal::Win, &observation), &observation, &mut rng);
                let growth = Growth { trees: 0, explore: 0.0, bias: 0.0 };
                let halving = Halving {
                    rules: &rules,
                    actions: &actions,
                    worlds: Determinizer::Uniform(&observation),
                    forest: Forest::new(growth, &rules, dealer, rollouts),
                    budget,
                    prior: &Prior::none(2),
                    sure,
                    rng: &mut rng,
                };
                assert_eq!(halving.run_by::<AllFeatures>(), play, "{budget:?} {sure}");
            }
        }
    }
}
