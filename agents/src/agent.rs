//! [`Agent`]: a player that decides for a seat. [`PerfectInformationAgent`]: one that sees every card, for upper bounds only.

use unolab_engine::action::{Action, Call};
use unolab_engine::event::Seen;
use unolab_engine::observation::Observation;
use unolab_engine::state::RoundState;

use crate::fault::Fault;

/// The events that an agent needs besides the observations at its decisions. Games of agents that need none are played
/// faster, and are the same games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventSubscription {
    /// Only the hand of the seat and the open cards.
    Nothing,
    /// Also what the seat has been shown of other hands.
    Shown,
    /// Also every event as the seat sees it.
    Events,
}

/// Decides for one seat in one game. It is made anew for each game and knows only what it is given here: two equal
/// sequences of observations and events, with equal random streams, give equal actions.
pub trait Agent: Send {
    /// The answer to the decision that is the seat's own: one of the observation's legal actions. Anything else, here or
    /// out of turn, costs the game: see [`Player`](crate::player::Player).
    fn choose(&mut self, observation: &Observation<'_>) -> Action;

    /// The agent as one that is shown the true state. An agent that is none cannot be shown it by mistake: nothing else
    /// that it is asked carries more than the observation.
    fn perfect_information(&mut self) -> Option<&mut dyn PerfectInformationAgent> {
        None
    }

    /// Whether to call UNO with this action, which leaves, or may leave, one card (`uno.calls = "explicit"`).
    fn call(&mut self, _observation: &Observation<'_>, _action: Action) -> Call {
        Call::Uno
    }

    /// The answer out of turn: one of the options, or [`Action::Silent`] for none. By default an agent never misses a
    /// late call, a catch or a jump-in.
    fn interrupt(&mut self, _observation: &Observation<'_>, options: &[Action]) -> Action {
        options.first().copied().unwrap_or(Action::Silent)
    }

    /// A round begins, or goes on from here: nothing that was remembered of an earlier one holds. Told only to agents
    /// whose subscription is [`EventSubscription::Events`].
    fn begin_round(&mut self, _observation: &Observation<'_>) {}

    /// Receives an event as this seat sees it; only called for agents whose subscription is
    /// [`EventSubscription::Events`].
    fn observe(&mut self, _seen: Seen, _observation: &Observation<'_>) {}

    /// The events that the agent needs.
    fn subscription(&self) -> EventSubscription {
        EventSubscription::Events
    }

    /// The note that belongs to the last answer, if there is one, for the record of the game. It is given out once.
    fn take_note(&mut self) -> Option<String> {
        None
    }

    /// The agent's fault in this game, if any: it loses the game.
    fn fault(&self) -> Option<&Fault> {
        None
    }

    /// Receives the result at the end of the game. Not every table calls it.
    fn game_over(&mut self, _result: &GameResult) {}
}

/// How a game has ended, by the seats in which its players began.
#[derive(Debug, Clone, PartialEq)]
pub struct GameResult {
    /// Points credited.
    pub points: Vec<u32>,
    /// Places: 1 for the first; equal seats share the better place.
    pub places: Vec<u8>,
    /// Shares of the win, which sum to 1, or to 2 with partners.
    pub win_shares: Vec<f64>,
}

/// Decides with the true state before it: every hand, and what is left to draw. What will be drawn is not in the state,
/// so not even this agent knows it.
///
/// The true state comes in by this trait alone. Asked as a plain [`Agent`], it answers by the observation, as others do. It is no subject of the information law, and [`AgentSpec::sees_everything`]
/// marks it wherever results are shown.
///
/// [`AgentSpec::sees_everything`]: crate::registry::AgentSpec::sees_everything
pub trait PerfectInformationAgent: Agent {
    /// The answer to the decision of the observation's seat, in this very state.
    fn choose_with_perfect_information(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action;
}

// Whatever wraps an agent forwards every method: one that is left to its default changes how the agent within plays.
#[deny(clippy::missing_trait_methods)]
impl<A: Agent + ?Sized> Agent for Box<A> {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        (**self).choose(observation)
    }
    fn perfect_information(&mut self) -> Option<&mut dyn PerfectInformationAgent> {
        (**self).perfect_information()
    }
    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        (**self).call(observation, action)
    }
    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        (**self).interrupt(observation, options)
    }
    fn begin_round(&mut self, observation: &Observation<'_>) {
        (**self).begin_round(observation);
    }
    fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        (**self).observe(seen, observation);
    }
    fn subscription(&self) -> EventSubscription {
        (**self).subscription()
    }
    fn take_note(&mut self) -> Option<String> {
        (**self).take_note()
    }
    fn fault(&self) -> Option<&Fault> {
        (**self).fault()
    }
    fn game_over(&mut self, result: &GameResult) {
        (**self).game_over(result);
    }
}
