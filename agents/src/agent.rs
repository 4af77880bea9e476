//! [`Agent`]: a player that decides for a seat. [`PerfectInformationAgent`]: one that sees every card, for upper bounds only.

use unolab_engine::action::{Action, Call};
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::observation::Observation;
use unolab_engine::seat::Seat;
use unolab_engine::state::RoundState;

use crate::fault::Fault;

/// The events that an agent needs in addition to the observations at its decisions. If no agent in a game needs events,
/// the game is played faster, with the same result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventSubscription {
    /// Only the hand of the seat and the open cards.
    Nothing,
    /// Also what the seat has been shown of other hands.
    Shown,
    /// Also every event as the seat sees it.
    Events,
    /// Also that another player kept a drawn card that could have been played, which no seat sees. Only for the search agents of the
    /// [published studies](crate::belief::published).
    EventsWithKeptCards,
}

impl EventSubscription {
    /// Whether the agent receives the events of a round.
    #[must_use]
    #[inline]
    pub const fn has_events(self) -> bool {
        matches!(self, Self::Events | Self::EventsWithKeptCards)
    }

    /// The event as an agent at this seat receives it; `None` if it does not.
    #[must_use]
    #[inline]
    pub fn received(self, event: Event, by: Seat) -> Option<VisibleEvent> {
        match self {
            Self::Nothing | Self::Shown => None,
            Self::Events => event.as_seen_by(by),
            Self::EventsWithKeptCards => event.as_seen_by(by).or(Some(VisibleEvent::Open(event))),
        }
    }
}

/// Decides for one seat in one game. A new one is created for each game, and it has access only to its arguments: two
/// equal sequences of observations and events, with equal random streams, give equal actions.
pub trait Agent: Send {
    /// The answer to the seat's own decision: one of the observation's legal actions. Any other answer, here or out of turn,
    /// loses the game: see [`Player`](crate::player::Player).
    fn choose(&mut self, observation: &Observation<'_>) -> Action;

    /// The agent as an agent with perfect information, if it is one. Other agents cannot receive the true state, because all
    /// other methods receive only the observation.
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

    /// A round begins, or continues from here: anything stored about an earlier round is invalid. Called only for
    /// agents whose subscription [has events](EventSubscription::has_events).
    fn begin_round(&mut self, _observation: &Observation<'_>) {}

    /// Receives an event as this seat sees it; only called for agents whose subscription
    /// [has events](EventSubscription::has_events).
    fn observe(&mut self, _seen: VisibleEvent, _observation: &Observation<'_>) {}

    /// The events that the agent needs.
    fn subscription(&self) -> EventSubscription {
        EventSubscription::Events
    }

    /// The note on the last answer, if there is one, for the record of the game. Returns each note only once.
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

/// Receives the events of a round at one seat. Every [`Agent`] is an observer.
pub trait Observer {
    /// A round begins, or continues from here.
    fn begin(&mut self, observation: &Observation<'_>);

    /// An event, of which the observer reads what the seat of the observation receives.
    fn receive(&mut self, event: Event, observation: &Observation<'_>);
}

impl<A: Agent + ?Sized> Observer for A {
    #[inline]
    fn begin(&mut self, observation: &Observation<'_>) {
        self.begin_round(observation);
    }

    #[inline]
    fn receive(&mut self, event: Event, observation: &Observation<'_>) {
        if let Some(seen) = self.subscription().received(event, observation.seat()) {
            self.observe(seen, observation);
        }
    }
}

/// The result of a game, by the initial seats of its players.
#[derive(Debug, Clone, PartialEq)]
pub struct GameResult {
    /// Points credited.
    pub points: Vec<u32>,
    /// Places: 1 for the first; equal seats share the better place.
    pub places: Vec<u8>,
    /// Shares of the win, which sum to 1, or to 2 with partners.
    pub win_shares: Vec<f64>,
}

/// Decides with the true state: every hand and the draw pile. The state does not contain the order of the draw pile, so not
/// even this agent knows the next cards.
///
/// The true state reaches the agent only through this trait. Called as a plain [`Agent`], it decides by the observation. It
/// is the only exception to the rule that agents use only their observations, and [`AgentSpec::sees_everything`] marks it in
/// all results.
///
/// [`AgentSpec::sees_everything`]: crate::registry::AgentSpec::sees_everything
pub trait PerfectInformationAgent: Agent {
    /// The answer to the decision of the observation's seat in this state.
    fn choose_with_perfect_information(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action;
}

/// Forwards all methods of a pointer to the agent.
macro_rules! agent_behind {
    ($pointer:ty) => {
        // Every wrapper must forward every method: a method left to its default changes how the wrapped agent plays.
        #[deny(clippy::missing_trait_methods)]
        impl<A: Agent + ?Sized> Agent for $pointer {
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
            fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
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
    };
}

agent_behind!(Box<A>);
agent_behind!(&mut A);

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use unolab_engine::knowledge::Knowledge;
    use unolab_engine::observation::NO_SCORES;
    use unolab_engine::rng::Rng;
    use unolab_engine::rules::Rules;
    use unolab_engine::seat::{Seat, SeatSet};

    use super::*;
    use crate::fault::FaultCause;
    use crate::forgetful::{Forgetful, Forgetfulness};
    use crate::player::Player;

    /// Records all calls, and returns answers that differ from the defaults.
    struct Probe {
        asked: Arc<Mutex<Vec<&'static str>>>,
        fault: Fault,
    }

    impl Probe {
        fn write(&self, what: &'static str) {
            self.asked.lock().expect("no thread panics").push(what);
        }
    }

    impl Agent for Probe {
        fn choose(&mut self, observation: &Observation<'_>) -> Action {
            self.write("choose");
            *observation.legal_actions().last().expect("something is legal")
        }
        fn perfect_information(&mut self) -> Option<&mut dyn PerfectInformationAgent> {
            self.write("perfect information");
            None
        }
        fn call(&mut self, _: &Observation<'_>, _: Action) -> Call {
            self.write("call");
            Call::Silent
        }
        fn interrupt(&mut self, _: &Observation<'_>, _: &[Action]) -> Action {
            self.write("interrupt");
            Action::Silent
        }
        fn begin_round(&mut self, _: &Observation<'_>) {
            self.write("begin round");
        }
        fn observe(&mut self, _: VisibleEvent, _: &Observation<'_>) {
            self.write("observe");
        }
        fn subscription(&self) -> EventSubscription {
            self.write("subscription");
            EventSubscription::Nothing
        }
        fn take_note(&mut self) -> Option<String> {
            self.write("take note");
            Some("a note".into())
        }
        fn fault(&self) -> Option<&Fault> {
            // The fault arrives with the last answer, because the agent is not called again after a fault.
            let has_answered = self.asked.lock().expect("no thread panics").contains(&"take note");
            self.write("fault");
            has_answered.then_some(&self.fault)
        }
        fn game_over(&mut self, _: &GameResult) {
            self.write("game over");
        }
    }

    #[test]
    fn wrappers_forward_every_method() {
        let rules = Rules::preset("classic");
        let seat = Seat::new(0);
        let state = RoundState::deal(&rules, SeatSet::first(2), Seat::new(1), &mut Rng::from_seed(1), &mut ());
        let knowledge = Knowledge::default();
        let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, seat);
        let asked = Arc::new(Mutex::new(Vec::new()));
        let fault = Fault { seat, decision: 1, kind: FaultCause::Stale, what: "late".into() };
        let probe = || Box::new(Probe { asked: Arc::clone(&asked), fault: fault.clone() });
        let never = Forgetfulness { call: 0.0, catch: 0.0 };
        let player = Player::of(probe(), seat, Rng::from_seed(1));
        let wrapped: [Box<dyn Agent>; 3] = [
            probe(),
            Box::new(Box::new(probe() as Box<dyn Agent>)),
            Box::new(Forgetful::new(player, never, Rng::from_seed(2))),
        ];
        let mut wrapped = wrapped.into_iter().map(|mut agent| {
            asked.lock().expect("no thread panics").clear();
            let legal = observation.legal_actions();
            assert_eq!(agent.subscription(), EventSubscription::Nothing);
            agent.begin_round(&observation);
            agent.observe(VisibleEvent::HiddenDraw { seat }, &observation);
            assert_eq!(agent.choose(&observation), legal[legal.len() - 1]);
            assert_eq!(agent.call(&observation, legal[0]), Call::Silent);
            assert_eq!(agent.interrupt(&observation, &[Action::Uno]), Action::Silent);
            assert_eq!(agent.take_note().as_deref(), Some("a note"));
            assert!(agent.perfect_information().is_none());
            assert_eq!(agent.fault(), Some(&fault));
            agent.game_over(&GameResult { points: vec![0, 0], places: vec![1, 2], win_shares: vec![1.0, 0.0] });
            std::mem::take(&mut *asked.lock().expect("no thread panics"))
        });
        let plain = wrapped.next().expect("the probe alone");
        assert_eq!(plain.len(), 10);
        for asked in wrapped {
            // `Player` decides itself whether its agent sees the true state.
            let missing =
                plain.iter().find(|question| !asked.contains(question) && **question != "perfect information");
            assert_eq!(missing, None, "{asked:?}");
        }
    }
}
