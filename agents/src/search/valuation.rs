//! [`Valuation`]: the value of each legal action of a decision, for the analysis of play.

use unolab_engine::action::Action;
use unolab_engine::cpu::dispatch;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{FeatureSet, Rules, RulesKernel};
use unolab_engine::seat::{MAX_SEATS, SeatSet};
use unolab_engine::state::RoundState;

use super::policy::{Policies, Policy};
use super::returns::Returns;
use super::rollout::{RolloutSettings, Rollouts};
use crate::goal::Goal;
use crate::stop;

/// The valuation of actions: each action is played out once in each world. A world is a deal of the unseen cards that the
/// observation allows. All actions are tried in the same worlds with the same future cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Valuation {
    /// The number of worlds.
    pub worlds: u32,
    /// The policy of all seats in rollouts.
    pub policy: Policy,
    /// The goal that values a finished round.
    pub goal: Goal,
}

/// An action and its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActionValue {
    /// The action.
    pub action: Action,
    /// The mean of the returns over the worlds.
    pub value: f64,
    /// The difference from the best action's value; 0 for the best.
    pub regret: f64,
    /// The standard error of the regret, from paired differences by world.
    pub regret_se: f64,
    /// The value of the action that is best in one half of the worlds less the value of this action, both estimated in the
    /// other half, averaged over both ways. Noise biases the value of the best of many actions upward, and so inflates the
    /// ordinary regret, but not this one. It can be below 0.
    pub fair_regret: f64,
    /// The standard error of the fair regret, from paired differences by world.
    pub fair_regret_se: f64,
}

/// The valuation of a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgment {
    /// The values of all legal actions, in the order of the engine.
    pub values: Vec<ActionValue>,
    /// The regret of the valuation itself: the regret, in one half of the worlds, of the action that is best in the other
    /// half. Regret of this size is noise.
    pub noise_floor: f64,
}

impl Valuation {
    /// The values of all legal actions, in the order of the engine.
    #[must_use]
    pub fn of(self, observation: &Observation<'_>, rng: &mut Rng) -> Vec<ActionValue> {
        self.judge(observation, rng).values
    }

    /// The values of all legal actions, with their noise floor.
    #[must_use]
    pub fn judge(self, observation: &Observation<'_>, rng: &mut Rng) -> Judgment {
        let actions = observation.legal_actions();
        let playing = RolloutSettings { others: Policies::one(self.policy), own: self.policy, playouts: 1, laps: 0 };
        let rollouts = Rollouts::new(playing, Returns::new(self.goal, observation), observation, rng);
        let returns = dispatch(PlayOut { worlds: self.worlds, observation, actions: &actions, rollouts, rng });
        compare(&actions, &returns)
    }
}

/// The position whose chances are estimated by rollouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The true state, including hidden cards.
    Known,
    /// Deals of the unseen cards that the observation allows. The decision must be a turn, because other decisions can
    /// contain information that a seat does not have.
    AsSeen,
}

impl Valuation {
    /// The mean return of each seat from this state over the worlds; with [`Goal::Win`], its probability of winning the
    /// round.
    #[must_use]
    pub fn odds(
        self,
        observation: &Observation<'_>,
        state: &RoundState,
        position: Position,
        rng: &mut Rng,
    ) -> [f64; MAX_SEATS] {
        let playing = RolloutSettings { others: Policies::one(self.policy), own: self.policy, playouts: 1, laps: 0 };
        let rollouts = Rollouts::new(playing, Returns::new(self.goal, observation), observation, rng);
        dispatch(PlayOn { worlds: self.worlds, observation, state, position, rollouts, rng })
    }
}

/// The mean returns of all seats over the worlds.
struct PlayOn<'s, 'a> {
    worlds: u32,
    observation: &'s Observation<'a>,
    state: &'s RoundState,
    position: Position,
    rollouts: Rollouts<'a>,
    rng: &'s mut Rng,
}

impl RulesKernel for PlayOn<'_, '_> {
    type Output = [f64; MAX_SEATS];

    fn rules(&self) -> &Rules {
        self.observation.rules()
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(mut self) -> [f64; MAX_SEATS] {
        let mut sums = [0.0; MAX_SEATS];
        for _ in 0..self.worlds {
            let world = match self.position {
                Position::Known => *self.state,
                Position::AsSeen => self.observation.sample_state(self.rng),
            };
            self.rollouts.begin_world(&world);
            self.rollouts.begin_trial();
            let returns = self.rollouts.play_out::<P>(&world, world.seat_set());
            sums.iter_mut().zip(returns).for_each(|(sum, value)| *sum += value);
        }
        sums.map(|sum| sum / f64::from(self.worlds))
    }
}

/// The returns of every action in every world, in that order.
struct PlayOut<'s, 'a> {
    worlds: u32,
    observation: &'s Observation<'a>,
    actions: &'s [Action],
    rollouts: Rollouts<'a>,
    rng: &'s mut Rng,
}

impl RulesKernel for PlayOut<'_, '_> {
    type Output = Vec<Vec<f64>>;

    fn rules(&self) -> &Rules {
        self.observation.rules()
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(mut self) -> Vec<Vec<f64>> {
        let seat = self.observation.seat();
        let mut returns = vec![Vec::with_capacity(self.worlds as usize); self.actions.len()];
        for _ in 0..self.worlds {
            let world = self.observation.sample_state(self.rng);
            self.rollouts.begin_world(&world);
            for (returns, &action) in returns.iter_mut().zip(self.actions) {
                stop::check();
                let mut state = world;
                self.rollouts.begin_trial();
                self.rollouts.act::<P>(&mut state, seat, action);
                returns.push(self.rollouts.play_out::<P>(&state, SeatSet::of(seat))[seat.index()]);
            }
        }
        returns
    }
}

/// The means, and their differences from the best.
fn compare(actions: &[Action], returns: &[Vec<f64>]) -> Judgment {
    let best = best_of(returns, |_| true);
    // A single world cannot be split into halves.
    let has_halves = returns.first().is_some_and(|returns| returns.len() > 1);
    let best_in = if has_halves { [0, 1].map(|half| best_of(returns, |world| world % 2 == half)) } else { [best; 2] };
    let behind = |leader: &dyn Fn(usize) -> usize, own: &[f64]| {
        let differences = own.iter().enumerate().map(|(world, own)| returns[leader(world)][world] - own);
        mean_and_error(&differences.collect::<Vec<_>>())
    };
    let values = actions.iter().zip(returns).map(|(&action, own)| {
        let (regret, regret_se) = behind(&|_| best, own);
        let (fair_regret, fair_regret_se) = behind(&|world| best_in[1 - world % 2], own);
        ActionValue { action, value: mean_and_error(own).0, regret, regret_se, fair_regret, fair_regret_se }
    });
    let values = values.collect();
    let worlds = returns.first().map_or(0, Vec::len);
    let own_loss = (0..worlds).map(|world| returns[best_in[world % 2]][world] - returns[best_in[1 - world % 2]][world]);
    Judgment { values, noise_floor: mean_and_error(&own_loss.collect::<Vec<_>>()).0 }
}

/// The index of the action with the highest mean over these worlds.
fn best_of(returns: &[Vec<f64>], is_used: impl Fn(usize) -> bool) -> usize {
    let sum = |returns: &Vec<f64>| {
        returns.iter().enumerate().filter(|(world, _)| is_used(*world)).map(|(_, value)| value).sum::<f64>()
    };
    (0..returns.len()).max_by(|&a, &b| sum(&returns[a]).total_cmp(&sum(&returns[b]))).unwrap_or_default()
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count * (count - 1.0).max(1.0))).sqrt())
}

#[cfg(test)]
mod tests {
    use unolab_engine::knowledge::Knowledge;
    use unolab_engine::observation::NO_SCORES;
    use unolab_engine::rules::Rules;
    use unolab_engine::seat::Seat;

    use super::*;

    #[test]
    fn regret_is_distance_to_best_mean() {
        let actions = [Action::Draw, Action::Keep];
        let values = compare(&actions, &[vec![0.0, 1.0, 0.0, 1.0], vec![1.0, 1.0, 0.0, 1.0]]).values;
        assert_eq!((values[1].value, values[1].regret, values[1].regret_se), (0.75, 0.0, 0.0));
        assert_eq!((values[0].value, values[0].regret), (0.5, 0.25));
        assert!((values[0].regret_se - 0.25).abs() < 1e-12);
    }

    /// Worlds 0 and 2 favor the first action, 1 and 3 the second: each half's best loses 1 in the other half.
    #[test]
    fn best_action_is_chosen_and_valued_in_separate_worlds() {
        let actions = [Action::Draw, Action::Keep];
        let judgment = compare(&actions, &[vec![1.0, 0.0, 1.0, 0.0], vec![0.0, 1.0, 0.0, 1.0]]);
        assert_eq!(judgment.values.iter().map(|value| value.fair_regret).collect::<Vec<_>>(), [-0.5, -0.5]);
        assert!((judgment.noise_floor - 1.0).abs() < 1e-12);
        let sure = compare(&actions, &[vec![1.0; 3], vec![0.5; 3]]);
        assert_eq!((sure.values[0].fair_regret, sure.values[1].fair_regret, sure.noise_floor), (0.0, 0.5, 0.0));
        let of_two = compare(&actions, &[vec![1.0, 0.0], vec![0.0, 1.0]]);
        assert_eq!(of_two.values.iter().map(|value| value.fair_regret).collect::<Vec<_>>(), [-0.5, -0.5]);
        let single = compare(&actions, &[vec![1.0], vec![0.0]]);
        assert_eq!(
            (single.values[1].fair_regret, single.values[1].fair_regret_se, single.noise_floor),
            (1.0, 0.0, 0.0)
        );
    }

    /// Equal actions with noise: the best of eight seems better than each, and the mean fair regret is 0.
    #[test]
    fn fair_regret_of_pure_noise_is_zero() {
        let mut rng = Rng::from_seed(1);
        let actions = [Action::Draw; 8];
        let (mut naive, mut fair, mut floor) = (0.0, 0.0, 0.0);
        for _ in 0..500 {
            let returns: Vec<Vec<f64>> = (0..8).map(|_| (0..20).map(|_| f64::from(rng.below(2))).collect()).collect();
            let judgment = compare(&actions, &returns);
            naive += judgment.values[0].regret / 500.0;
            fair += judgment.values[0].fair_regret / 500.0;
            floor += judgment.noise_floor / 500.0;
        }
        // The standard deviation of a mean of 20 is 0.11, so the standard deviation of a mean of 500 differences is about
        // 0.007.
        assert!(naive > 0.1 && fair.abs() < 0.03 && floor > 0.1, "{naive} {fair} {floor}");
    }

    #[test]
    fn round_ending_card_is_played() {
        let rules = Rules::preset("classic");
        let mut rng = Rng::from_seed(5);
        let mut state = RoundState::deal(&rules, SeatSet::first(2), Seat::new(0), &mut Rng::from_seed(9), &mut ());
        // Continue until a seat holds one card that it can play.
        while let Some(seat) = state.current_seat() {
            let knowledge = Knowledge::default();
            let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, seat);
            let legal = observation.legal_actions();
            if observation.hand().len() == 1 && observation.legitimately_playable().any() {
                let valuation = Valuation { worlds: 50, policy: Policy::Random, goal: Goal::Win };
                let values = valuation.of(&observation, &mut rng);
                let best = values.iter().find(|value| value.regret <= 0.0).unwrap();
                assert!(best.value >= 1.0);
                assert!(best.action.card().is_some());
                assert!(values.iter().any(|value| value.action == Action::Draw && value.regret > 0.2));
                return;
            }
            let action = legal[rng.below(u32::try_from(legal.len()).unwrap()) as usize];
            state.apply_action_unchecked(&rules, seat, action, Default::default(), &mut rng, &mut ());
        }
        panic!("the round should reach such a decision");
    }

    /// Each world is played out once, to its end: the winner has 1, and all others 0.
    #[test]
    fn values_are_integer_win_counts() {
        let rules = Rules::preset("classic");
        let mut rng = Rng::from_seed(7);
        let state = RoundState::deal(&rules, SeatSet::first(3), Seat::new(0), &mut rng, &mut ());
        let knowledge = Knowledge::default();
        let seat = state.current_seat().unwrap();
        let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, seat);
        let valuation = Valuation { worlds: 16, policy: Policy::Greedy, goal: Goal::Win };
        for position in [Position::Known, Position::AsSeen] {
            let wins = valuation.odds(&observation, &state, position, &mut rng).map(|chance| chance * 16.0);
            assert!(wins.iter().all(|wins| wins.fract().abs() < 1e-9), "{wins:?}");
            assert!((wins.iter().sum::<f64>() - 16.0).abs() < 1e-9 && wins[0] < 16.0, "{wins:?}");
        }
        for value in valuation.of(&observation, &mut rng) {
            assert!((value.value * 16.0).fract().abs() < 1e-9, "{value:?}");
        }
        let flag = std::sync::atomic::AtomicBool::new(true);
        assert_eq!(stop::unless_stopped(&flag, || valuation.of(&observation, &mut rng)), Err(stop::Stopped));
    }
}
