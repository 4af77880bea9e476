//! [`Policy`]: the probability of each answer of a seat; [`AgentPolicy`]: an agent's policy.

use std::collections::HashMap;
use std::rc::Rc;

use unolab_engine::action::{Action, Call};
use unolab_engine::event::Event;
use unolab_engine::hash::mix;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::round::DecisionKind;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;
use unolab_engine::state::{EventSink, RoundState};

use super::information_set::InformationSet;
use super::tree::TreeRound;
use crate::agent::{Agent as _, Observer as _};
use crate::fault::Fault;
use crate::player::Player;
use crate::registry::AgentSpec;

/// Answers, each with its probability; they sum to 1.
pub type Mixture = Rc<[(Action, f64)]>;

/// The probability of each answer of a seat.
pub trait Policy {
    /// The mixture at the pending decision of this round, for the seat to act with this history. It may depend only on the
    /// seat's knowledge.
    fn mixture(&mut self, round: &TreeRound<'_>, story: InformationSet) -> Mixture;
}

/// The treatment of an agent's random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Randomness {
    /// They are enumerated. The agent's answer probabilities are exact if a decision uses at most two random numbers: the
    /// first with at most six equally likely cases (or 8, 10, 12, 15, 16, 20, or 24), the second with one, two, or four.
    Mixed,
    /// One stream for each information set, determined by its hash: a pure strategy. For agents that use many random numbers.
    Pure,
}

/// The policy of an agent: at each information set, a new agent of this kind receives everything that its seat has seen, and
/// decides.
#[derive(Debug)]
pub struct AgentPolicy {
    agent: AgentSpec,
    randomness: Randomness,
    /// The streams of a mixed policy.
    streams: Streams,
    by_story: HashMap<InformationSet, Mixture>,
    /// The answers of agents without memory, by the current observation.
    by_sight: HashMap<Vec<u8>, Mixture>,
    fault: Option<Fault>,
    is_exact: bool,
}

impl AgentPolicy {
    /// The policy of this agent. An agent with perfect information is asked as a plain agent.
    #[must_use]
    pub fn new(agent: AgentSpec, randomness: Randomness) -> Self {
        let (by_story, by_sight) = (HashMap::new(), HashMap::new());
        Self { agent, randomness, streams: Streams::new(), by_story, by_sight, fault: None, is_exact: true }
    }

    /// The first fault of the agent, if any; the values are then meaningless.
    #[must_use]
    pub const fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// Whether the random numbers of every agent that answered [can be enumerated](Randomness::Mixed). Some of its answers
    /// are requested twice, with random numbers that should not change them.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.is_exact
    }

    fn compute_mixture(&mut self, round: &TreeRound<'_>, seat: Seat, story: InformationSet) -> Mixture {
        if self.randomness == Randomness::Pure {
            let action = self.answer(round, seat, Rng::from_seed(mix(story.seed())));
            return Rc::new([(action, 1.0)]);
        }
        let probes = Streams::PROBES.map(|(first, second)| self.streams.of(first, second));
        let mut answers = probes.map(|stream| self.answer(round, seat, stream)).to_vec();
        for (&(first, second), answer) in Streams::PROBES.iter().zip(&answers).step_by(6) {
            let again = self.answer(round, seat, self.streams.of_twin(first, second));
            self.is_exact &= again == *answer;
        }
        if answers.iter().any(|answer| *answer != answers[0]) {
            answers = self.streams.all().into_iter().map(|stream| self.answer(round, seat, stream)).collect();
        }
        let share = |action: Action| {
            let times = answers.iter().filter(|answer| **answer == action).count();
            (action, times as f64 / answers.len() as f64)
        };
        let mixture = round.legal_actions().iter().map(|&action| share(action));
        mixture.filter(|&(_, probability)| probability > 0.0).collect()
    }

    fn answer(&mut self, round: &TreeRound<'_>, seat: Seat, stream: Rng) -> Action {
        let mut player = self.agent.make(round.rules(), seat, stream);
        let action = answer_of(&mut player, round, seat);
        if self.fault.is_none() {
            self.fault = player.fault().cloned();
        }
        action
    }
}

impl Policy for AgentPolicy {
    fn mixture(&mut self, round: &TreeRound<'_>, story: InformationSet) -> Mixture {
        let Some(seat) = round.current_seat() else { return Rc::new([]) };
        if let [only] = round.legal_actions() {
            return Rc::new([(*only, 1.0)]);
        }
        if let Some(mixture) = self.by_story.get(&story) {
            return Rc::clone(mixture);
        }
        let remembers = || {
            let stream = Rng::from_seed(0);
            self.agent.make(round.rules(), seat, stream).subscription().has_events()
        };
        let mixture = if self.randomness == Randomness::Pure || remembers() {
            self.compute_mixture(round, seat, story)
        } else {
            let mut sight = Vec::new();
            round.observation(seat).write_into(&mut sight);
            sight.extend(format!("{:?}", round.decision().map(|decision| decision.kind)).into_bytes());
            match self.by_sight.get(&sight) {
                Some(mixture) => Rc::clone(mixture),
                None => {
                    let mixture = self.compute_mixture(round, seat, story);
                    self.by_sight.insert(sight, Rc::clone(&mixture));
                    mixture
                }
            }
        };
        self.by_story.insert(story, Rc::clone(&mixture));
        mixture
    }
}

/// The answer of a player that joins this round: it receives everything that its seat has seen, and then decides.
///
/// # Panics
/// If the round did not begin with a deal.
pub fn answer_of(player: &mut Player, round: &TreeRound<'_>, seat: Seat) -> Action {
    let observation = round.observation(seat);
    if player.subscription().has_events() {
        let (knowledge, has_begun) = (Knowledge::default(), false);
        let mut sink = PlayerSink { player, rules: round.rules(), seat, knowledge, has_begun };
        round.replay_events(&mut sink).expect("it began with a deal");
        if !sink.has_begun {
            player.begin_round(&observation);
        }
    }
    match round.decision().map(|decision| decision.kind) {
        Some(DecisionKind::Call { with }) => match player.call(&observation, with) {
            Call::Uno => Action::Uno,
            Call::Silent => Action::Silent,
        },
        Some(kind) if kind.is_interruption() => {
            let options = round.legal_actions();
            player.interrupt(&observation, &options[..options.len() - 1]) // `Silent` is the last
        }
        _ => player.choose(&observation),
    }
}

/// Sends a player the events that its seat has seen since the deal, as a table does.
struct PlayerSink<'a> {
    player: &'a mut Player,
    rules: &'a Rules,
    seat: Seat,
    knowledge: Knowledge,
    has_begun: bool,
}

impl EventSink for PlayerSink<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        // For a player, the round begins after the deal and its start card. An action comes before its effects.
        if !self.has_begun && matches!(event, Event::Acted { .. }) {
            let observation = Observation::of(self.rules, state, &self.knowledge, &NO_SCORES, self.seat);
            self.player.begin_round(&observation);
            self.has_begun = true;
        }
        if self.has_begun {
            self.knowledge.on_event(state, event);
            let observation = Observation::of(self.rules, state, &self.knowledge, &NO_SCORES, self.seat);
            self.player.receive(event, &observation);
        }
    }
}

/// Streams whose first two numbers form a grid of subranges: each pair of subranges occurs once. So equally likely cases
/// occur equally often if their number divides the number of subranges.
#[derive(Debug)]
struct Streams {
    /// Two streams for each cell, with different numbers within the cell and from the third number on.
    seeds: Vec<[u64; 2]>,
}

impl Streams {
    /// The number of subranges of the first number: cards and colors of `random` are up to 20 equally likely cases.
    const FIRST: usize = 240;
    /// The number of subranges of the second number.
    const SECOND: usize = 4;
    /// Cells that are checked first: if they agree, all cells agree that depend on cases as in [`Randomness::Mixed`].
    const PROBES: [(usize, usize); 24] = {
        let mut probes = [(0, 0); 24];
        let mut probe = 0;
        while probe < probes.len() {
            probes[probe] = (probe * (Self::FIRST / probes.len()), probe % Self::SECOND);
            probe += 1;
        }
        probes
    };

    fn new() -> Self {
        let mut seeds = vec![Vec::new(); Self::FIRST * Self::SECOND];
        let mut missing = 2 * seeds.len();
        let mut seed = 0;
        while missing > 0 {
            let mut stream = Rng::from_seed(seed);
            if let (Some(first), Some(second)) = (part(stream.bits(), Self::FIRST), part(stream.bits(), Self::SECOND)) {
                let cell = &mut seeds[first * Self::SECOND + second];
                if cell.len() < 2 {
                    cell.push(seed);
                    missing -= 1;
                }
            }
            seed += 1;
        }
        Self { seeds: seeds.into_iter().map(|cell| [cell[0], cell[1]]).collect() }
    }

    fn of(&self, first: usize, second: usize) -> Rng {
        let [seed, _] = self.seeds[first * Self::SECOND + second];
        Rng::from_seed(seed)
    }

    /// Another stream of the same cell.
    fn of_twin(&self, first: usize, second: usize) -> Rng {
        let [_, seed] = self.seeds[first * Self::SECOND + second];
        Rng::from_seed(seed)
    }

    fn all(&self) -> Vec<Rng> {
        self.seeds.iter().map(|&[seed, _]| Rng::from_seed(seed)).collect()
    }
}

/// The subrange of these bits, of `parts` equal subranges; `None` near the edge of a subrange, where a bounded draw may
/// reject them.
fn part(bits: u32, parts: usize) -> Option<usize> {
    let place = f64::from(bits) / 4_294_967_296.0 * parts as f64;
    let within = place.fract();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number of parts")]
    (0.25..0.75).contains(&within).then_some(place as usize)
}
