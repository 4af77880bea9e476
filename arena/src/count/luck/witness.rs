//! Looks on while a game is played and counts what chance gives to each player.

use unolab_engine::action::Action;
use unolab_engine::event::{Event, EventSink};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::match_play::RoundPlan;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{MAX_SEATS, Seat};
use unolab_engine::state::RoundState;

use super::Classes;
use crate::play::Witness;
use crate::spec::luck::Luck;

/// Counts the luck of one game.
#[derive(Debug, Clone)]
pub struct LuckWitness<'r> {
    rules: &'r Rules,
    classes: Classes,
    is_dealt: bool,
    drawer: Option<Seat>,
    player_at: [Seat; MAX_SEATS],
    /// What chance gave to each player.
    pub by_player: [Luck; MAX_SEATS],
}

impl<'r> LuckWitness<'r> {
    /// For games under these rules.
    #[must_use]
    pub fn new(rules: &'r Rules) -> Self {
        Self {
            rules,
            classes: Classes::of(rules),
            is_dealt: false,
            drawer: None,
            player_at: std::array::from_fn(Seat::new),
            by_player: [Luck::default(); MAX_SEATS],
        }
    }

    /// Forgets the last game.
    pub fn begin_game(&mut self) {
        self.is_dealt = false;
        self.drawer = None;
        self.by_player = [Luck::default(); MAX_SEATS];
    }
}

/// Is it a choice of the seat's own turn? Calls, catches and jump-ins are not.
pub(crate) fn is_ordinary(state: &RoundState, seat: Seat, action: Action) -> bool {
    state.current_seat() == Some(seat) && !matches!(action, Action::Uno | Action::Catch(_) | Action::Silent)
}

impl EventSink for LuckWitness<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        match event {
            Event::TurnedUp(_) if !self.is_dealt => {
                self.is_dealt = true;
                for seat in state.seats() {
                    let luck = &mut self.by_player[self.player_at[seat.index()].index()];
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
                let luck = &mut self.by_player[self.player_at[seat.index()].index()];
                self.classes.count_drawn(luck, card, pile, can_follow);
            }
            _ => {}
        }
    }
}

impl Witness for LuckWitness<'_> {
    fn begin_round(&mut self, plan: &RoundPlan) {
        self.player_at = plan.player_at;
    }

    fn end_round(&mut self, _state: &RoundState) {
        self.is_dealt = false;
        self.drawer = None;
    }
}
