//! An observer that counts the luck of each player while a game is played.

use unolab_agents::registry::AgentSpec;
use unolab_engine::action::Action;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::match_play::RoundPlan;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::{EventSink, RoundState};

use super::resampling::Redraws;
use super::{Classes, is_ordinary};
use crate::play::GameObserver;
use crate::spec::luck::{CHANCES, Luck};

/// Counts the luck of one game.
#[derive(Debug)]
pub struct LuckObserver<'r> {
    rules: &'r Rules,
    classes: Classes,
    /// Repeats actions, if a model evaluates the chance outcomes.
    redraws: Option<Redraws<'r>>,
    is_dealt: bool,
    drawer: Option<Seat>,
    player_at: BySeat<Seat>,
    /// The luck of each player.
    pub by_player: BySeat<Luck>,
}

impl<'r> LuckObserver<'r> {
    /// An observer of games under these rules.
    #[must_use]
    pub fn new(rules: &'r Rules) -> Self {
        Self {
            rules,
            classes: Classes::of(rules),
            redraws: None,
            is_dealt: false,
            drawer: None,
            player_at: BySeat::from_fn(|seat| seat),
            by_player: BySeat::<Luck>::default(),
        }
    }

    /// The observer, also counting the luck of each action.
    #[must_use]
    pub fn with(self, redraws: Redraws<'r>) -> Self {
        Self { redraws: Some(redraws), ..self }
    }

    /// The players of the next game, and the random numbers for repeating its actions.
    pub fn seat(&mut self, players: impl Iterator<Item = &'r AgentSpec>, rng: Rng) {
        if let Some(redraws) = &mut self.redraws {
            redraws.begin_game(players, rng);
        }
    }

    fn add_chances(&mut self, worth: Option<BySeat<i64>>) {
        for (&player, worth) in self.player_at.iter().zip(worth.iter().flatten()) {
            self.by_player[player][CHANCES] += worth;
        }
    }

    /// Clears the counts of the last game.
    pub fn begin_game(&mut self) {
        self.is_dealt = false;
        self.drawer = None;
        self.by_player = BySeat::<Luck>::default();
    }
}

impl EventSink for LuckObserver<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        if let Some(redraws) = &mut self.redraws {
            match event {
                Event::Acted { seat, action, call } => {
                    let worth = redraws.take(state, seat, action, call, &self.player_at);
                    self.add_chances(worth);
                }
                Event::Drew { .. } | Event::Button(_) | Event::Task(_) | Event::Chosen(_) => redraws.on_chance(),
                _ => {}
            }
        }
        match event {
            Event::TurnedUp(_) if !self.is_dealt => {
                self.is_dealt = true;
                for seat in state.seats() {
                    let luck = &mut self.by_player[self.player_at[seat]];
                    self.classes.count_dealt(luck, state.hand(seat), self.rules.deck());
                }
            }
            Event::Acted { seat, action, .. } if is_ordinary(state, seat, action) => {
                self.drawer = (action == Action::Draw).then_some(seat);
            }
            Event::Drew { seat, card } => {
                let mut pile = state.draw_pile();
                pile.add(card);
                let may_play = self.drawer == Some(seat);
                let knowledge = Knowledge::default();
                let can_follow =
                    may_play.then(|| Observation::of(self.rules, state, &knowledge, &NO_SCORES, seat).can_follow());
                let luck = &mut self.by_player[self.player_at[seat]];
                self.classes.count_drawn(luck, card, pile, can_follow);
            }
            _ => {}
        }
    }
}

impl GameObserver for LuckObserver<'_> {
    fn begin_round(&mut self, plan: &RoundPlan) {
        self.player_at = plan.player_at;
    }

    fn end_round(&mut self, state: &RoundState) {
        if let Some(redraws) = &mut self.redraws {
            let worth = redraws.settle(state, &self.player_at);
            self.add_chances(worth);
        }
        self.is_dealt = false;
        self.drawer = None;
    }
}
