//! [`Session`]: one game of people against agents, independent of pages and terminals.
//!
//! A session stores the dealt rounds and the answers given in them. Taking back a move replays the same cards with fewer
//! answers, and the record is written from the rounds on request.

use std::sync::Arc;

use unolab::agents::agent::{Agent, Observer as _};
use unolab::agents::goal::Goal;
use unolab::agents::player::Player;
use unolab::agents::registry::AgentSpec;
use unolab::agents::search::policy::Policy;
use unolab::agents::search::valuation::{ActionValue, Valuation};
use unolab::event::Event;
use unolab::knowledge::Knowledge;
use unolab::match_play::{MatchState, RoundPlan, first_dealer};
use unolab::record::{Header, RecordWriter, Unit, match_places};
use unolab::rng::Purpose;
use unolab::round::Deal;
use unolab::rules::EffectOption;
use unolab::seat::{BySeat, Seat, SeatSet};
use unolab::state::{EventSink, RoundState};
use unolab::watch::{Frame, Perspective, RoundEnd, RoundStart, Watcher, words};
use unolab::{Action, Call, DecisionKind, Observation, Rng, Round, Rules};

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
    setup: Setup,
    /// The state of the match before the current round.
    table: MatchState,
    first_dealer: Seat,
    plan: RoundPlan,
    /// Every round so far; the last one is in progress or just over.
    rounds: Vec<Round<Arc<Rules>>>,
    /// The agents of the current round, by seat.
    agents: Vec<Option<Player>>,
    /// The answers in the current round.
    answers: Vec<Answer>,
    rounds_in: BySeat<u32>,
    /// The scores after each earlier round of the match.
    past_scores: Vec<Vec<u32>>,
}

#[derive(Debug, Clone, Copy)]
struct Answer {
    seat: Seat,
    kind: DecisionKind,
    action: Action,
}

/// Why a person's request is rejected, as a sentence.
pub type Refusal = String;

/// An evaluated decision.
#[derive(Debug, Clone)]
pub struct Judgment {
    /// Every legal action with its value, best first.
    pub values: Vec<(String, ActionValue)>,
    /// The chosen action, if a move was evaluated.
    pub chosen: Option<String>,
}

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
        };
        session.deal();
        session
    }

    /// The game of this setup after these moves, round by round; `None` if the moves are not legal in it.
    #[must_use]
    pub fn resumed(setup: Setup, rounds: &[Vec<(Seat, Action, Call)>]) -> Option<Self> {
        let mut session = Self::new(setup);
        for (number, moves) in rounds.iter().enumerate() {
            if number > 0 {
                session.next_round().ok()?;
            }
            for &(seat, action, call) in moves {
                session.replay_move(seat, action, call)?;
            }
        }
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
        self.seat_agents();
    }

    fn dealt(&self, number: u32) -> Round<Arc<Rules>> {
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
    fn last_own(&self, player: Seat) -> Option<usize> {
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
        self.deal();
        kept.into_iter().for_each(|answer| self.apply(answer.action));
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
        let places = match self.setup.unit {
            Unit::Round => {
                let places = self.round().result().places;
                Seat::first(players).map(|player| self.seat_of(player).map_or(0, |seat| places[seat])).collect()
            }
            Unit::Match => {
                let mut rounds_in = self.rounds_in;
                self.table.still_in().iter().for_each(|player| rounds_in[player] += 1);
                match_places(&self.setup.rules, &self.table_now(), players, &rounds_in).first(players).to_vec()
            }
        };
        Some(places)
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

    /// The value of each legal action of the current decision for the person who decides.
    ///
    /// # Errors
    /// No person has to decide, or a search cannot evaluate the decision.
    pub fn hint(&self) -> Result<Judgment, Refusal> {
        let Some((seat, kind)) = self.asked() else { return Err("no decision is pending".into()) };
        if kind.is_interruption() || matches!(kind, DecisionKind::Call { .. }) {
            return Err("there is no hint for calls, catches and jump-ins".into());
        }
        Ok(self.judged(self.round(), seat, None))
    }

    /// A hint for this player only.
    ///
    /// # Errors
    /// As [`Session::hint`], or it is another player's decision.
    pub fn hint_for(&self, player: Seat) -> Result<Judgment, Refusal> {
        match self.asked() {
            Some((seat, _)) if self.player_at(seat) == player => self.hint(),
            _ => Err("it is another player's decision".into()),
        }
    }

    /// Answers the current decision for an agent or a person; an illegal action is ignored.
    pub fn answer_for_current_seat(&mut self, action: Action) {
        if self.round().legal_actions().contains(&action) {
            self.apply(action);
        }
    }

    /// Evaluates the last decision of this player with the information available at that time.
    ///
    /// # Errors
    /// The player has made no decision in this round.
    ///
    /// # Panics
    /// After more rounds than a match can have.
    pub fn judge_last(&self, player: Seat) -> Result<Judgment, Refusal> {
        let at = self.last_own(player).ok_or("there is no move of yours in this round to judge")?;
        let number = u32::try_from(self.rounds.len() - 1).expect("fewer rounds than that");
        let mut round = self.dealt(number);
        for answer in &self.answers[..at] {
            round.apply(answer.action).map_err(|error| error.to_string())?;
        }
        Ok(self.judged(&round, self.answers[at].seat, Some(self.answers[at].action)))
    }

    fn judged(&self, round: &Round<Arc<Rules>>, seat: Seat, chosen: Option<Action>) -> Judgment {
        let valuation = Valuation { worlds: self.setup.worlds, policy: Policy::MixBot, goal: Goal::Win };
        let mut rng = Rng::keyed(self.setup.seed, u64::from(round.decisions()), Purpose::Other(1));
        let knowledge = round.implied_knowledge();
        let observation = Observation::of(round.rules(), round.state(), &knowledge, round.scores(), seat);
        let mut values: Vec<(String, ActionValue)> = valuation
            .of(&observation, &mut rng)
            .into_iter()
            .map(|value| (self.setup.rules.display(value.action).to_string(), value))
            .collect();
        values.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
        Judgment { values, chosen: chosen.map(|action| self.setup.rules.display(action).to_string()) }
    }

    /// The game so far as a record. An unfinished game is recorded as truncated.
    ///
    /// # Panics
    /// Never: every round began with a deal.
    #[must_use]
    pub fn record(&self) -> String {
        let header = Header {
            unit: self.setup.unit,
            seed: self.setup.seed,
            set: 0,
            dealer: self.first_dealer,
            agents: self.setup.participants.iter().map(|participant| participant.name().to_owned()).collect(),
            names: Vec::new(),
            extra_cards: Vec::new(),
        };
        let mut writer = RecordWriter::new(&self.setup.rules, &header);
        for round in &self.rounds {
            round.replay_events(&mut writer).expect("every round began with a deal");
            writer.end_round(round.state());
        }
        writer.finish()
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
}

impl EventSink for EventsToAgents<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        for (seat, agent) in Seat::first(self.agents.len()).zip(self.agents.iter_mut()) {
            if let Some(agent) = agent.as_mut().filter(|agent| agent.subscription().has_events()) {
                let observation = Observation::of(self.rules, state, &self.knowledge, &self.scores, seat);
                agent.receive(event, &observation);
            }
        }
    }
}
