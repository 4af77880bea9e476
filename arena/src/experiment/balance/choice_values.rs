//! The value of choices between cards, by the published net: the chance to win the round with each card.

use unolab_agents::agent::Observer as _;
use unolab_agents::net::judge::Judge;
use unolab_agents::net::published::{Size, published_for};
use unolab_engine::action::Action;
use unolab_engine::card::Card;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::{EventSink as _, RoundState};

/// Follows the rounds of a game as each seat sees them, and counts the turns in which the choice of the card matters.
#[derive(Debug)]
pub struct ChoiceValues<'r> {
    rules: &'r Rules,
    /// A choice matters if the chances to win with the best and the second-best card differ by more than this.
    least_difference: f64,
    judges: BySeat<Option<Judge>>,
    knowledge: Knowledge,
    has_begun_round: bool,
    /// Turns in which the choice of the card matters.
    pub decisive: i64,
    /// Turns.
    pub turns: i64,
}

impl<'r> ChoiceValues<'r> {
    /// Counts of games under these rules; differences are in thousandths.
    #[must_use]
    pub fn new(rules: &'r Rules, least_permille: u32) -> Self {
        Self {
            rules,
            least_difference: f64::from(least_permille) / 1_000.0,
            judges: BySeat::from_fn(|_| None),
            knowledge: Knowledge::default(),
            has_begun_round: false,
            decisive: 0,
            turns: 0,
        }
    }

    /// Clears the counts of the last game. Its first round may be dealt already.
    pub const fn begin_game(&mut self) {
        (self.decisive, self.turns) = (0, 0);
        self.has_begun_round = false;
    }

    /// Prepares for the next round.
    pub const fn begin_round(&mut self) {
        self.has_begun_round = false;
    }

    /// Begins to follow the round at its first action, after the start card was turned up.
    fn follow_from(&mut self, state: &RoundState) {
        self.has_begun_round = true;
        self.knowledge = Knowledge::default();
        for seat in state.seats() {
            let net = published_for(self.rules, state.seats().count(), Size::Small);
            let judge = self.judges[seat].insert(Judge::new(net, self.rules));
            judge.begin(&Observation::of(self.rules, state, &self.knowledge, &NO_SCORES, seat));
        }
    }

    /// Follows an event, with the state after it; an action comes before its consequences.
    pub fn see_event(&mut self, state: &RoundState, event: Event) {
        if !self.has_begun_round {
            if !matches!(event, Event::Acted { .. }) {
                return; // the start card is turned up
            }
            self.follow_from(state);
        }
        for seat in state.seats() {
            if let Some(judge) = &mut self.judges[seat] {
                judge.receive(event, &Observation::of(self.rules, state, &self.knowledge, &NO_SCORES, seat));
            }
        }
        self.knowledge.on_event(state, event);
    }

    /// Counts a turn of a seat, with its legal actions, before its action is seen.
    pub fn see_turn(&mut self, state: &RoundState, seat: Seat, legal: &[Action]) {
        self.turns += 1;
        if !self.has_begun_round {
            self.follow_from(state);
        }
        let plays: Vec<Action> = legal.iter().copied().filter(|action| action.card().is_some()).collect();
        if plays.iter().all(|play| play.card() == plays[0].card()) {
            return;
        }
        let Some(judge) = &mut self.judges[seat] else { return };
        judge.values(&Observation::of(self.rules, state, &self.knowledge, &NO_SCORES, seat), &plays);
        let mut chances: Vec<(Card, f64)> = Vec::new();
        for (number, card) in plays.iter().map(|play| play.card()).enumerate() {
            let (Some(card), Some(value)) = (card, judge.estimate(number)) else { return };
            let chance = value.chance_to_win();
            match chances.iter_mut().find(|(other, _)| *other == card) {
                Some((_, best)) => *best = best.max(chance),
                None => chances.push((card, chance)),
            }
        }
        chances.sort_by(|a, b| b.1.total_cmp(&a.1));
        if let [(_, best), (_, second), ..] = chances[..] {
            self.decisive += i64::from(best - second > self.least_difference);
        }
    }
}
