//! [`Session`]: one game of people against agents, independent of pages and terminals.
//!
//! A session stores the dealt rounds and the answers given in them. Taking back a move replays the same cards with fewer
//! answers, and the record is written from the rounds on request.

use std::sync::Arc;

use unolab::agents::agent::{Agent, Observer as _};
use unolab::agents::player::Player;
use unolab::agents::registry::AgentSpec;
use unolab::event::Event;
use unolab::knowledge::Knowledge;
use unolab::match_play::{MatchState, RoundPlan, first_dealer};
use unolab::record::{Unit, match_places, places_after_forfeit};
use unolab::rng::Purpose;
use unolab::round::Deal;
use unolab::rules::EffectOption;
use unolab::seat::{BySeat, Seat, SeatSet};
use unolab::state::{EventSink, RoundState};
use unolab::watch::{Frame, Perspective, RoundEnd, RoundStart, Watcher, words};
use unolab::{Action, Call, DecisionKind, Observation, Rng, Round, Rules};

use super::mark::Mark;

/// The player of a seat.
#[derive(Debug, Clone)]
pub enum Participant {
    /// A person, by name.
    Person(String),
    /// An agent.
    Agent(AgentSpec),
}

impl Participant {
    /// The name to show.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Person(name) => name,
            Self::Agent(agent) => agent.text(),
        }
    }
}

/// The game and its players.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The players, by the seat where they begin.
    pub participants: Vec<Participant>,
    /// A round or a match.
    pub unit: Unit,
    /// The seed of cards and agents.
    pub seed: u64,
    /// The number of deals of the unseen cards for a hint.
    pub worlds: u32,
}

/// A game in progress.
pub struct Session {
    pub(super) setup: Setup,
    /// The state of the match before the current round.
    table: MatchState,
    pub(super) first_dealer: Seat,
    plan: RoundPlan,
    /// Every round so far; the last one is in progress or just over.
    pub(super) rounds: Vec<Round<Arc<Rules>>>,
    /// The agents of the current round, by seat.
    pub(super) agents: Vec<Option<Player>>,
    /// The answers in the current round.
    pub(super) answers: Vec<Answer>,
    rounds_in: BySeat<u32>,
    /// The scores after each earlier round of the match.
    past_scores: Vec<Vec<u32>>,
    /// The notes and faults of agents, in order.
    pub(super) marks: Vec<Mark>,
    /// The number of actions in the current round.
    pub(super) actions: usize,
    /// The answers of each player in earlier rounds.
    pub(super) past_answers: BySeat<u32>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) seat: Seat,
    kind: DecisionKind,
    pub(super) action: Action,
}

/// Why a person's request is rejected, as a sentence.
pub type Refusal = String;

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("setup", &self.setup)
            .field("rounds", &self.rounds.len())
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Deals the first round. Equal setups give equal cards.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let players = setup.participants.len();
        let first_dealer = first_dealer(&setup.rules, players, &mut Rng::keyed(setup.seed, 0, Purpose::Dealer));
        let table = MatchState::new(players, first_dealer);
        let plan = table.plan(&setup.rules);
        let mut session = Self {
            setup,
            table,
            first_dealer,
            plan,
            rounds: Vec::new(),
            agents: Vec::new(),
            answers: Vec::new(),
            rounds_in: BySeat::default(),
            past_scores: Vec::new(),
            marks: Vec::new(),
            actions: 0,
            past_answers: BySeat::default(),
        };
        session.deal();
        session
    }

    /// The game of this setup after these moves, round by round, with these notes and faults; `None` if the moves are not legal
    /// in it.
    #[must_use]
    pub fn resumed(setup: Setup, rounds: &[Vec<(Seat, Action, Call)>], marks: Vec<Mark>) -> Option<Self> {
        let mut session = Self::new(setup);
        session.marks = marks;
        for (number, moves) in rounds.iter().enumerate() {
            if number > 0 {
                session.next_round().ok()?;
            }
            for &(seat, action, call) in moves {
                session.replay_move(seat, action, call)?;
            }
        }
        session.seat_substitutes();
        Some(session)
    }

    /// Applies a recorded move. A record does not contain silence: a seat that does not use a window makes no move.
    fn replay_move(&mut self, seat: Seat, action: Action, call: Call) -> Option<()> {
        loop {
            let decision = self.round().decision()?;
            if decision.seat == seat && decision.actions.contains(&action) {
                break;
            }
            if !decision.kind.is_interruption() {
                return None;
            }
            self.apply(Action::Silent);
        }
        self.apply(action);
        if self.round().decision().is_some_and(|next| matches!(next.kind, DecisionKind::Call { .. })) {
            self.apply(if call == Call::Uno { Action::Uno } else { Action::Silent });
        }
        Some(())
    }

    /// The setup.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The round in progress, or just over.
    ///
    /// # Panics
    /// Never: a session begins with a deal.
    #[must_use]
    pub fn round(&self) -> &Round<Arc<Rules>> {
        self.rounds.last().expect("a session begins with a deal")
    }

    /// The player in a seat of this round.
    #[must_use]
    pub fn player_at(&self, seat: Seat) -> Seat {
        self.plan.player_at[seat]
    }

    /// The seat of a player in this round, if the player takes part.
    #[must_use]
    pub fn seat_of(&self, player: Seat) -> Option<Seat> {
        self.plan.seats.iter().find(|&seat| self.player_at(seat) == player)
    }

    /// Whether this player is a person.
    #[must_use]
    pub fn is_person(&self, player: Seat) -> bool {
        matches!(self.setup.participants.get(player.index()), Some(Participant::Person(_)))
    }

    fn deal(&mut self) {
        self.plan = self.table.plan(&self.setup.rules);
        let number = u32::try_from(self.rounds.len()).expect("fewer rounds than that");
        self.rounds.push(self.dealt(number));
        self.answers.clear();
        self.actions = 0;
        self.seat_agents();
        self.seat_substitutes();
    }

    /// The number of rounds dealt so far.
    #[must_use]
    pub const fn rounds_dealt(&self) -> usize {
        self.rounds.len()
    }

    pub(super) fn dealt(&self, number: u32) -> Round<Arc<Rules>> {
        let rng = Rng::keyed(self.setup.seed, 0, Purpose::Cards { round: number });
        Round::deal_at(Arc::clone(&self.setup.rules), Deal::of_match(&self.plan, &self.table), rng)
    }

    /// Creates new agents, in their state before the first decision of the round.
    fn seat_agents(&mut self) {
        let mut agents: Vec<Option<Player>> = (0..self.plan.seats.end()).map(|_| None).collect();
        for seat in self.plan.seats.iter() {
            let player = self.player_at(seat);
            if let Some(Participant::Agent(agent)) = self.setup.participants.get(player.index()) {
                let rng = Rng::keyed(self.setup.seed, self.rounds.len() as u64, Purpose::Agent(seat));
                let mut agent = agent.make(&self.setup.rules, seat, rng);
                if agent.subscription().has_events() {
                    agent.begin_round(&self.round().observation(seat));
                }
                agents[seat.index()] = Some(agent);
            }
        }
        self.agents = agents;
    }

    /// Plays the agents' decisions until a person has to decide or the round is over.
    pub fn advance(&mut self) {
        while let Some(seat) = self.round().current_seat() {
            if self.is_person(self.player_at(seat)) {
                return;
            }
            self.request_agent_decision(seat);
        }
    }

    /// Plays one decision, if it is an agent's. Returns whether it was.
    pub fn step(&mut self) -> bool {
        match self.round().current_seat() {
            Some(seat) if !self.is_person(self.player_at(seat)) => {
                self.request_agent_decision(seat);
                true
            }
            _ => false,
        }
    }

    fn request_agent_decision(&mut self, seat: Seat) {
        let action = {
            let round = self.rounds.last().expect("a session begins with a deal");
            let (Some(decision), Some(agent)) = (round.decision(), self.agents[seat.index()].as_mut()) else { return };
            let observation = round.observation(seat);
            match decision.kind {
                DecisionKind::Call { with } => match agent.call(&observation, with) {
                    unolab::Call::Uno => Action::Uno,
                    unolab::Call::Silent => Action::Silent,
                },
                kind if kind.is_interruption() => {
                    let options: Vec<Action> =
                        decision.actions.iter().copied().filter(|&action| action != Action::Silent).collect();
                    agent.interrupt(&observation, &options)
                }
                _ => agent.choose(&observation),
            }
        };
        let legal = self.round().legal_actions();
        // A custom agent may answer with an illegal action; the first legal action replaces it.
        let action = if legal.contains(&action) { action } else { legal[0] };
        self.mark_decision(seat, action);
        self.apply(action);
    }

    fn apply(&mut self, action: Action) {
        let Some(decision) = self.round().decision() else { return };
        let answer = Answer { seat: decision.seat, kind: decision.kind, action };
        let rules = Arc::clone(&self.setup.rules);
        let round = self.rounds.last_mut().expect("a session begins with a deal");
        let mut events = EventsToAgents {
            rules: &rules,
            knowledge: round.knowledge().clone(),
            scores: *round.scores(),
            agents: &mut self.agents,
            actions: &mut self.actions,
        };
        round.apply_with_events(action, &mut events).expect("a legal action");
        self.answers.push(answer);
    }

    /// The pending decision, if it is a person's.
    #[must_use]
    pub fn asked(&self) -> Option<(Seat, DecisionKind)> {
        let decision = self.round().decision()?;
        self.is_person(self.player_at(decision.seat)).then_some((decision.seat, decision.kind))
    }

    /// The number of answers in the round, which identifies a decision.
    #[must_use]
    pub fn number(&self) -> usize {
        self.answers.len()
    }

    /// Applies a person's answer. Agents do not continue automatically: see [`Session::advance`].
    ///
    /// # Errors
    /// It is another player's decision, or the action is not legal here.
    pub fn answer(&mut self, player: Seat, text: &str) -> Result<(), Refusal> {
        let Some(decision) = self.round().decision() else { return Err("the round is over".into()) };
        if self.player_at(decision.seat) != player {
            return Err("it is another player's decision".into());
        }
        let rules = &self.setup.rules;
        let spoken = rules.parse_action(text).map_err(|error| error.to_string())?;
        let allowed = || decision.actions.iter().map(|&action| rules.display(action).to_string()).collect::<Vec<_>>();
        if !decision.actions.contains(&spoken.action) {
            return Err(format!("`{text}` is not allowed here; allowed: {}", allowed().join(", ")));
        }
        self.apply(spoken.action);
        // `play r5 uno` also answers the question for the call.
        if spoken.call == unolab::Call::Uno && matches!(self.asked(), Some((_, DecisionKind::Call { .. }))) {
            self.apply(Action::Uno);
        }
        Ok(())
    }

    /// Offers the open windows for UNO calls to all seats again, for games with a clock. After that, moves cannot be taken
    /// back.
    ///
    /// # Panics
    /// Never: a session begins with a deal.
    pub fn ask_windows_again(&mut self) {
        self.rounds.last_mut().expect("a session begins with a deal").ask_windows_again();
    }

    /// The legal actions of the decision before the round, in the notation.
    #[must_use]
    pub fn legal(&self) -> Vec<String> {
        self.round().legal_actions().iter().map(|&action| self.setup.rules.display(action).to_string()).collect()
    }

    /// The options of the decision, if it is about options.
    #[must_use]
    pub fn options(&self) -> &[EffectOption] {
        self.round().state().phase().options(&self.setup.rules)
    }

    /// The last decision of a player, except calls, catches, and jump-ins.
    pub(super) fn last_own(&self, player: Seat) -> Option<usize> {
        self.answers.iter().rposition(|answer| {
            self.player_at(answer.seat) == player
                && !answer.kind.is_interruption()
                && !matches!(answer.kind, DecisionKind::Call { .. })
        })
    }

    /// Whether this player can take back a move of this round.
    #[must_use]
    pub fn can_take_back(&self, player: Seat) -> bool {
        self.last_own(player).is_some()
    }

    /// Goes back to this player's last decision, with the same cards.
    ///
    /// # Errors
    /// The player has made no decision in this round.
    pub fn take_back(&mut self, player: Seat) -> Result<(), Refusal> {
        let to = self.last_own(player).ok_or("there is no move of yours in this round to take back")?;
        self.play_again(to);
        Ok(())
    }

    /// Replays the same cards with only the first answers. New agents receive the events.
    fn play_again(&mut self, answers: usize) {
        let kept: Vec<Answer> = self.answers[..answers].to_vec();
        self.rounds.pop();
        let round = self.rounds.len();
        let later = self.marks.iter().position(|mark| mark.round >= round).unwrap_or(self.marks.len());
        let marks = self.marks.split_off(later);
        self.deal();
        kept.into_iter().for_each(|answer| self.apply(answer.action));
        self.marks.extend(marks.into_iter().filter(|mark| mark.action < self.actions));
        self.seat_substitutes();
    }

    /// Restarts the round from its deal, with the same cards.
    pub fn deal_again(&mut self) {
        self.play_again(0);
    }

    /// Starts a new game with other cards, by these rules.
    pub fn new_game(&mut self, rules: Arc<Rules>, seed: u64) {
        let setup = Setup { rules, seed, ..self.setup.clone() };
        *self = Self::new(setup);
    }

    /// Whether the round is over.
    #[must_use]
    pub fn round_is_over(&self) -> bool {
        self.round().is_terminal()
    }

    /// The state of the match, including this round if it is over.
    fn table_now(&self) -> MatchState {
        let mut table = self.table.clone();
        if self.round().state().is_terminal() {
            table.count_round(&self.setup.rules, &self.plan, self.round().state());
        }
        table
    }

    /// Whether the whole game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.round_is_over()
            && match self.setup.unit {
                Unit::Round => true,
                Unit::Match => self.table_now().winners().is_some() || self.round().is_truncated(),
            }
    }

    /// Deals the next round of the match.
    ///
    /// # Errors
    /// The round is not over, or the game is.
    pub fn next_round(&mut self) -> Result<(), Refusal> {
        if !self.round_is_over() {
            return Err("the round is not over".into());
        }
        if self.is_over() {
            return Err("the game is over".into());
        }
        for player in self.table.still_in().iter() {
            self.rounds_in[player] += 1;
        }
        for answer in &self.answers {
            self.past_answers[self.plan.player_at[answer.seat]] += 1;
        }
        self.past_scores.push(self.scores());
        self.table = self.table_now();
        self.deal();
        Ok(())
    }

    /// The match scores by player, including the current round once it is over.
    #[must_use]
    pub fn scores(&self) -> Vec<u32> {
        self.table_now().scores().first(self.setup.participants.len()).to_vec()
    }

    /// The match scores by player after each finished round.
    #[must_use]
    pub fn standings(&self) -> Vec<Vec<u32>> {
        let current = self.round_is_over().then(|| self.scores());
        self.past_scores.iter().cloned().chain(current).collect()
    }

    /// The place of each player once the game is over.
    #[must_use]
    pub fn places(&self) -> Option<Vec<u8>> {
        if !self.is_over() {
            return None;
        }
        let players = self.setup.participants.len();
        let mut places = match self.setup.unit {
            Unit::Round => {
                let places = self.round().result().places;
                BySeat::from_fn(|player| self.seat_of(player).map_or(0, |seat| places[seat]))
            }
            Unit::Match => {
                let mut rounds_in = self.rounds_in;
                self.table.still_in().iter().for_each(|player| rounds_in[player] += 1);
                match_places(&self.setup.rules, &self.table_now(), players, &rounds_in)
            }
        };
        if self.faults().next().is_some() {
            places = places_after_forfeit(&places, players, |player| self.has_fault(player));
        }
        Some(places.first(players).to_vec())
    }

    /// The frames of the current round, limited to the information that this viewer may see.
    ///
    /// # Panics
    /// Never: every round began with a deal.
    #[must_use]
    pub fn frames(&self, eyes: Perspective) -> Vec<Frame> {
        let round = self.round();
        let rules = &self.setup.rules;
        let start = RoundStart {
            round: u32::try_from(self.rounds.len()).expect("fewer rounds than that"),
            dealer: self.plan.dealer.index(),
            players: Seat::first(self.plan.seats.end()).map(|seat| self.plan.player_at[seat].index()).collect(),
            scores: self.table.scores().first(self.setup.participants.len()).to_vec(),
        };
        let mut watcher = Watcher::new(start, *round.scores(), eyes);
        round.replay_events(&mut watcher).expect("the round began with a deal");
        let end = round.is_terminal().then(|| {
            let points = round.points();
            let outcome = if round.is_truncated() { None } else { round.state().outcome() };
            RoundEnd { words: words::over(outcome, &points), points, scores: self.scores() }
        });
        watcher.frames(rules, round.state(), end)
    }

    /// Answers the current decision for an agent or a person; an illegal action is ignored.
    pub fn answer_for_current_seat(&mut self, action: Action) {
        if self.round().legal_actions().contains(&action) {
            self.apply(action);
        }
    }

    /// The players that are people.
    #[must_use]
    pub fn people(&self) -> SeatSet {
        Seat::first(self.setup.participants.len()).filter(|&player| self.is_person(player)).collect()
    }
}

/// Passes the events of a round to its agents, each as its seat sees it.
struct EventsToAgents<'a> {
    rules: &'a Rules,
    knowledge: Knowledge,
    scores: BySeat<u32>,
    agents: &'a mut [Option<Player>],
    /// Counts the actions.
    actions: &'a mut usize,
}

impl EventSink for EventsToAgents<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        *self.actions += usize::from(matches!(event, Event::Acted { .. }));
        for (seat, agent) in Seat::first(self.agents.len()).zip(self.agents.iter_mut()) {
            if let Some(agent) = agent.as_mut().filter(|agent| agent.subscription().has_events()) {
                let observation = Observation::of(self.rules, state, &self.knowledge, &self.scores, seat);
                agent.receive(event, &observation);
            }
        }
    }
}
