//! [`Policy`]: the player of each seat in rollouts.

use std::str::FromStr;

use unolab_engine::action::{Action, Call};
use unolab_engine::chance::Chance;
use unolab_engine::fast::{FastTurn, FastTurns};
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{FeatureSet, Rules};
use unolab_engine::seat::{BySeat, Seat};

use crate::agent::{Agent, EventSubscription};
use crate::card_ranking::{CardRanking, Ranking};
use crate::goal::Goal;
use crate::greedy::Greedy;
use crate::heuristic::{self, stateless::DrawFourCounts};
use crate::mixbot::{Counting, MixBot};
use crate::net::judge::Judge;
use crate::net::published::{Size, published_for};
use crate::player::TablePlayer;
use crate::random::{Random, Uniform};
use crate::table_sink::TableSink;

/// A player that is fast enough to play a thousand rounds for one decision; `net` takes about ten times as long as the
/// others. None has a memory: each decides by its hand and the open cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// `random`
    Random,
    /// `greedy`
    Greedy,
    /// `card-ranking`
    CardRanking,
    /// `mixbot` without card counting
    MixBot,
    /// `heuristic`, which starts fresh at each decision
    Heuristic,
    /// `net`, which starts fresh at each decision; `heuristic` if no net fits the table
    Net,
}

impl Policy {
    const ALL: [Self; 6] = [Self::Random, Self::Greedy, Self::CardRanking, Self::MixBot, Self::Heuristic, Self::Net];

    /// The names, for messages.
    pub const NAMES: &str = "random, greedy, card-ranking, mixbot, heuristic or net";

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::CardRanking => "card-ranking",
            Self::MixBot => "mixbot",
            Self::Heuristic => "heuristic",
            Self::Net => "net",
        }
    }

    pub(crate) fn make(self, rules: &Rules, seats: usize, rng: Rng) -> PolicyPlayer {
        match self {
            Self::Random => PolicyPlayer::Random(Random::new(Uniform::Cards, rng)),
            Self::Greedy => PolicyPlayer::Greedy(Greedy::new(rng)),
            Self::CardRanking => PolicyPlayer::CardRanking(CardRanking::new(Ranking::Win, rng)),
            Self::MixBot => PolicyPlayer::MixBot(MixBot::new(Counting::Off, rng)),
            Self::Heuristic => PolicyPlayer::Heuristic(MemorylessHeuristic),
            Self::Net => match published_for(rules, seats, Size::Small) {
                Some(weights) => PolicyPlayer::Net(Box::new(MemorylessNet { judge: Judge::new(Some(weights), rules) })),
                None => Self::Heuristic.make(rules, seats, rng),
            },
        }
    }
}

impl FromStr for Policy {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|policy| policy.name() == text).ok_or(())
    }
}

/// The policies of the other seats: in each world every seat gets one of these, with equal probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policies(u8);

impl Policies {
    /// The names in a text.
    pub const NAMES: &str = "random, greedy, card-ranking, mixbot, heuristic or net, or several of them joined by +";

    /// The same policy for all seats.
    #[must_use]
    pub const fn one(policy: Policy) -> Self {
        Self(1 << policy as u8)
    }

    /// The first of them.
    pub(crate) fn first(self) -> Policy {
        self.iter().next().unwrap_or(Policy::MixBot)
    }

    /// All policies, in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = Policy> {
        Policy::ALL.into_iter().filter(move |&policy| self.0 & Self::one(policy).0 != 0)
    }
}

impl FromStr for Policies {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        text.split('+').try_fold(Self(0), |all, name| Ok(Self(all.0 | Self::one(name.parse()?).0)))
    }
}

/// A player of rollouts; a copy continues like the original.
#[derive(Debug)]
pub(crate) enum PolicyPlayer {
    Random(Random),
    Greedy(Greedy),
    CardRanking(CardRanking),
    MixBot(MixBot),
    Heuristic(MemorylessHeuristic),
    Net(Box<MemorylessNet>),
}

impl Clone for PolicyPlayer {
    fn clone(&self) -> Self {
        match self {
            Self::Random(agent) => Self::Random(agent.clone()),
            Self::Greedy(agent) => Self::Greedy(agent.clone()),
            Self::CardRanking(agent) => Self::CardRanking(agent.clone()),
            Self::MixBot(agent) => Self::MixBot(agent.clone()),
            Self::Heuristic(agent) => Self::Heuristic(agent.clone()),
            Self::Net(agent) => Self::Net(agent.clone()),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::MixBot(agent), Self::MixBot(source)) => agent.clone_from(source),
            (Self::Net(_), Self::Net(_)) => {} // all players of a table are alike
            (agent, source) => *agent = source.clone(),
        }
    }
}

/// `heuristic` without a memory.
#[derive(Debug, Clone)]
pub(crate) struct MemorylessHeuristic;

impl Agent for MemorylessHeuristic {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        heuristic::choose_without_history(observation)
    }
    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}

/// `net` without a memory.
#[derive(Debug, Clone)]
pub(crate) struct MemorylessNet {
    judge: Judge,
}

impl Agent for MemorylessNet {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let mut actions = observation.legal_actions();
        if actions.len() == 1 {
            return actions.remove(0);
        }
        self.judge.tracker().begin_round(observation);
        actions[self.judge.best(observation, &actions, Goal::Win)]
    }
    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}

impl Agent for PolicyPlayer {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        match self {
            Self::Random(agent) => agent.choose(observation),
            Self::Greedy(agent) => agent.choose(observation),
            Self::CardRanking(agent) => agent.choose(observation),
            Self::MixBot(agent) => agent.choose(observation),
            Self::Heuristic(agent) => agent.choose(observation),
            Self::Net(agent) => agent.choose(observation),
        }
    }
    // No policy forgets a call or a catch.
    fn call(&mut self, _observation: &Observation<'_>, _action: Action) -> Call {
        Call::Uno
    }
    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}

impl TablePlayer for PolicyPlayer {
    #[inline(always)]
    fn has_fast_path(&self) -> bool {
        matches!(self, Self::Random(_) | Self::Greedy(_))
    }

    #[inline(always)]
    fn play_turn<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        turns: &mut FastTurns<'_, P, C, S>,
        scores: &BySeat<u32>,
    ) -> FastTurn {
        match self {
            Self::Random(agent) => agent.play_turn(turns, scores),
            Self::Greedy(agent) => agent.play_turn(turns, scores),
            _ => FastTurn::Refused,
        }
    }

    #[inline(always)]
    fn answer<P: FeatureSet, C: Chance, S: TableSink>(
        &mut self,
        seat: Seat,
        answers: &mut FastTurns<'_, P, C, S>,
        scores: &BySeat<u32>,
        counted: &mut Option<DrawFourCounts>,
    ) -> FastTurn {
        match self {
            Self::Random(agent) => agent.answer(seat, answers, scores, counted),
            Self::Greedy(agent) => agent.answer(seat, answers, scores, counted),
            _ => FastTurn::Refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_list_is_parsed() {
        let both: Policies = "heuristic+mixbot".parse().unwrap();
        assert_eq!(both.iter().collect::<Vec<_>>(), [Policy::MixBot, Policy::Heuristic]);
        assert_eq!("greedy".parse(), Ok(Policies::one(Policy::Greedy)));
        assert!(["", "greedy+", "greedy+stranger"].iter().all(|text| text.parse::<Policies>().is_err()));
    }
}
