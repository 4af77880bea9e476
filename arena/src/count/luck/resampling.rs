//! The luck of each action, by repeating the action with other outcomes and continuing play.
//!
//! When an action involves chance, its outcome is compared with other outcomes drawn from the same state in the same way.
//! From each, play continues for a few turns, and then a model estimates the winning probability of each seat. The amount by
//! which the true outcome is better than the others is the luck. The true outcome is drawn like the others, so the expected
//! luck is 0, for any play and even if the model is wrong, and subtracting it does not add bias. The same holds for the
//! choices of agents that choose at random (`random`), whose policy is known.
//!
//! This is AIVAT (N. Burch, M. Schmid, M. Moravčík, D. Morrill and M. Bowling, "AIVAT: A New Variance Reduction Technique for
//! Agent Evaluation in Imperfect Information Games", 2018), with sampled outcomes if there are too many to enumerate, and
//! with a value function that looks some turns ahead. `heuristic` plays the continuation, or the entrants themselves if they
//! are fast.

use std::sync::LazyLock;

use unolab_agents::agent::Agent as _;
use unolab_agents::player::Player;
use unolab_agents::registry::{AgentSpec, Registry};
use unolab_agents::table::Table;
use unolab_engine::action::{Action, Call};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::round::DecisionOrder;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, MAX_SEATS, Seat};
use unolab_engine::state::RoundState;
use unolab_stats::logit::Model;

use super::is_ordinary;
use super::win_model::OpenHands;
use crate::spec::luck::CARD;

/// The number of other outcomes for each comparison.
const OUTCOMES: u32 = 32;

/// The number of turns of the continuation. More turns show more of the consequences of an outcome, and add more of the
/// later luck.
const TURNS: u32 = 12;

/// The agent that plays the continuation for a seat with a slow agent.
static STAND_IN: LazyLock<AgentSpec> =
    LazyLock::new(|| Registry::default().configure("heuristic").expect("a built-in agent"));

/// Repeats the actions of games.
#[derive(Debug)]
pub struct Redraws<'a> {
    open: OpenHands<'a>,
    rules: &'a Rules,
    model: &'a Model,
    /// The agents, by player.
    specs: BySeat<&'a AgentSpec>,
    rng: Rng,
    /// The last action, until the next one shows its outcome.
    taken: Option<SampledAction>,
    players: Vec<Player>,
}

/// An action.
#[derive(Debug, Clone)]
struct SampledAction {
    before: RoundState,
    seat: Seat,
    action: Action,
    call: Call,
    /// Whether chance decided after it.
    is_chance: bool,
}

impl<'a> Redraws<'a> {
    /// Repeats actions of games under these rules, evaluated by this model.
    #[must_use]
    pub fn new(rules: &'a Rules, model: &'a Model) -> Self {
        Self {
            open: OpenHands::new(rules),
            rules,
            model,
            specs: BySeat::from_fn(|_| &*STAND_IN),
            rng: Rng::from_seed(0),
            taken: None,
            players: Vec::with_capacity(MAX_SEATS),
        }
    }

    /// A game of these players begins, with these random numbers.
    pub fn begin_game(&mut self, players: impl Iterator<Item = &'a AgentSpec>, rng: Rng) {
        self.specs.iter_mut().zip(players).for_each(|(spec, player)| *spec = player);
        self.rng = rng;
        self.taken = None;
    }

    /// Records that chance decided after the last action.
    pub const fn on_chance(&mut self) {
        if let Some(taken) = &mut self.taken {
            taken.is_chance = true;
        }
    }

    /// Must be called before an action, with the players in these seats. Returns the luck of the previous action.
    pub fn take(
        &mut self,
        state: &RoundState,
        seat: Seat,
        action: Action,
        call: Call,
        player_at: &BySeat<Seat>,
    ) -> Option<BySeat<i64>> {
        let worth = self.settle(state, player_at);
        let spec = self.specs[player_at[seat]];
        // If seats may call in between, an agent makes several choices here.
        let throws_dice =
            spec.is_random() && is_ordinary(state, seat, action) && !DecisionOrder::has_interruptions(self.rules);
        self.taken = Some(SampledAction { before: *state, seat, action, call, is_chance: throws_dice });
        worth
    }

    /// The luck of each seat at the last action, in millionths of a win, given the state after it.
    pub fn settle(&mut self, after: &RoundState, player_at: &BySeat<Seat>) -> Option<BySeat<i64>> {
        let taken = self.taken.take().filter(|taken| taken.is_chance)?;
        let mut sum = BySeat::<f64>::default();
        for _ in 0..OUTCOMES {
            let (mut chance, to_come) = (self.rng.fork(), self.rng.fork());
            let other = self.take_again(&taken, player_at, &mut chance);
            let [true_one, other] = [*after, other].map(|state| self.played_on(state, player_at, to_come.clone()));
            sum.iter_mut().zip(true_one).zip(other).for_each(|((sum, true_one), other)| *sum += true_one - other);
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most one win")]
        Some(sum.map(|sum| (sum / f64::from(OUTCOMES) * CARD as f64).round() as i64))
    }

    /// The other outcomes of an action.
    fn take_again(&self, taken: &SampledAction, player_at: &BySeat<Seat>, chance: &mut Rng) -> RoundState {
        let SampledAction { before, seat, action, call, .. } = taken;
        let spec = self.specs[player_at[*seat]];
        let mut state = *before;
        let mut action = *action;
        if spec.is_random() && is_ordinary(before, *seat, action) && !DecisionOrder::has_interruptions(self.rules) {
            let knowledge = Knowledge::default();
            let observation = Observation::of(self.rules, before, &knowledge, &NO_SCORES, *seat);
            action = spec.make(self.rules, *seat, chance.fork()).choose(&observation);
        }
        state.apply_action_unchecked(self.rules, *seat, action, *call, chance, &mut ());
        state
    }

    /// Each seat's winning probability some turns later.
    fn played_on(&mut self, mut state: RoundState, player_at: &BySeat<Seat>, mut rng: Rng) -> BySeat<f64> {
        if !state.is_terminal() {
            let num_seats = state.seats().map(|seat| seat.index() + 1).max().unwrap_or(0);
            self.players.clear();
            for seat in Seat::first(num_seats) {
                let spec = self.specs[player_at[seat]];
                let spec = if spec.is_quick() { spec } else { &STAND_IN };
                self.players.push(spec.make(self.rules, seat, rng.fork()));
            }
            let mut table = Table {
                rules: self.rules,
                agents: &mut self.players,
                scores: &NO_SCORES,
                state: &mut state,
                chance: &mut rng,
            };
            table.play_turns(TURNS);
        }
        self.open.chances(&state, self.model)
    }
}

#[cfg(test)]
mod tests {
    use unolab_engine::cards::Cards;
    use unolab_engine::seat::Direction;
    use unolab_engine::state::RoundSetup;

    use super::super::win_model::NUM_WEIGHTS;
    use super::*;

    /// A seat with one unplayable card draws from a pile of useless cards with one wild in it.
    #[test]
    fn drawing_best_card_is_luck_and_useless_card_bad_luck() {
        let rules = Rules::preset("classic");
        let cards = |codes: &[&str]| -> Cards { codes.iter().map(|code| rules.card(code).unwrap()).collect() };
        let (me, other) = (Seat::new(0), Seat::new(1));
        let mut hands = BySeat::<Cards>::default();
        (hands[me], hands[other]) = (cards(&["r7"]), cards(&["g1", "g2", "g3", "g4", "y9", "y8"]));
        let setup = RoundSetup {
            seats: Seat::first(2).collect(),
            dealer: other,
            direction: Direction::Left,
            to_act: me,
            hands,
            top: rules.card("b5").unwrap(),
            under_top: Cards::default(),
            color: None,
            draw_pile: cards(&["W", "y0", "y1", "y2", "y3", "y4", "y6", "g6", "g7", "g8"]),
        };
        let before = RoundState::from_setup(&setup, &rules).unwrap();
        let position = OpenHands::new(&rules).position(&before, me).unwrap();
        let model = Model::fit(&[position], NUM_WEIGHTS).unwrap();
        let player_at = BySeat::from_fn(|seat| seat);
        let luck_of_drawing = |code: &str| {
            let after_draw = (0..).map(|seed| {
                let mut after = before;
                after.apply_action_unchecked(
                    &rules,
                    me,
                    Action::Draw,
                    Call::Silent,
                    &mut Rng::from_seed(seed),
                    &mut (),
                );
                after
            });
            let after =
                after_draw.into_iter().find(|after| after.hand(me).contains(rules.card(code).unwrap())).unwrap();
            let mut redraws = Redraws::new(&rules, &model);
            redraws.begin_game([&*STAND_IN; 2].into_iter(), Rng::from_seed(3));
            assert_eq!(redraws.take(&before, me, Action::Draw, Call::Silent, &player_at), None);
            redraws.on_chance();
            let luck = redraws.settle(&after, &player_at).unwrap();
            assert!((luck[me] + luck[other]).abs() <= 1, "one seat's gain is the other's loss");
            luck[me]
        };
        assert!(luck_of_drawing("W") > CARD / 10);
        assert!(luck_of_drawing("y3") < 0);
    }
}
