//! `card-ranking`: plays cards by a fixed rank.

use unolab_engine::action::Action;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::rules::Group::{self, DrawFour, DrawTwo, Number, Reverse, Skip, Wild};

use crate::agent::{Agent, EventSubscription};
use crate::choices::{any_of, highest_ranked, play_whenever_possible};
use crate::heuristic;

/// The goal of the ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranking {
    /// Winning rounds.
    Win,
    /// Scoring many points, and losing few.
    Points,
}

impl Ranking {
    /// The groups of cards, highest rank first. With two players a Reverse counts as a Skip.
    const fn groups(self, is_two_seats: bool) -> &'static [&'static [Group]] {
        match (self, is_two_seats) {
            (Self::Win, false) => &[&[DrawTwo], &[Skip], &[Number], &[Reverse], &[DrawFour], &[Wild]],
            (Self::Win, true) => &[&[DrawTwo], &[Skip, Reverse], &[Number], &[DrawFour], &[Wild]],
            (Self::Points, false) => &[&[Skip], &[Number], &[DrawTwo], &[Reverse], &[Wild], &[DrawFour]],
            (Self::Points, true) => &[&[Skip, Reverse], &[Number], &[DrawTwo], &[Wild], &[DrawFour]],
        }
    }
}

/// Plays the card of highest rank.
#[derive(Debug, Clone)]
pub struct CardRanking {
    ranking: Ranking,
    rng: Rng,
}

impl CardRanking {
    /// An agent with its own stream.
    #[must_use]
    pub const fn new(ranking: Ranking, rng: Rng) -> Self {
        Self { ranking, rng }
    }
}

impl Agent for CardRanking {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let ranking = self.ranking.groups(observation.is_two_seats());
        let answer = play_whenever_possible(observation, &mut self.rng, |playable, rng| {
            any_of(highest_ranked(observation.rules(), ranking, playable), rng)
        });
        answer.unwrap_or_else(|| heuristic::choose(observation))
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}
