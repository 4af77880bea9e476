//! One environment: a game in progress, and the opponents of the learner.

use std::collections::VecDeque;
use std::sync::Arc;

use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::player::Player;
use unolab_agents::registry::AgentSpec;
use unolab_engine::action::{Action, Call};
use unolab_engine::cpu::Isa;
use unolab_engine::encoding::{Asked, DiscardPile, Encoding, LegalActionIds};
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::match_play::{MatchState, first_dealer};
use unolab_engine::observation::Observation;
use unolab_engine::record::match_places;
use unolab_engine::rng::{Purpose, Rng, SetKey};
use unolab_engine::round::{DecisionKind, DecisionOrder, Move, Question};
use unolab_engine::rules::{FeatureSet, Rules, Teams};
use unolab_engine::scoring::RoundResult;
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::{EventSink, RoundState};

use crate::table::{Table, Wrong};

/// The unit of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// One round.
    Round,
    /// Rounds until a player has won the match; each player keeps one seat throughout.
    Match,
}

impl Unit {
    pub(crate) fn named(name: &str, rules: &Rules) -> Result<Self, Wrong> {
        match name {
            "round" => Ok(Self::Round),
            "match" if matches!(rules.parameters().teams, Teams::None | Teams::Fixed) => Ok(Self::Match),
            "match" => Err(Wrong("unit: `match` is not available, because partners change; allowed: `round`".into())),
            _ => Err(Wrong(format!("unit: \"{name}\" is not known; allowed: round, match"))),
        }
    }
}

/// The settings that all games share.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) unit: Unit,
    pub(crate) table: Arc<Table>,
    pub(crate) opponents: Vec<AgentSpec>,
    pub(crate) max_decisions: u32,
    pub(crate) seed: u64,
    /// Whether the rules have decisions out of turn.
    pub(crate) has_interruptions: bool,
}

impl Setting {
    pub(crate) fn new(unit: Unit, table: Arc<Table>, opponents: Vec<AgentSpec>, max_decisions: u32, seed: u64) -> Self {
        let has_interruptions = DecisionOrder::has_interruptions(&table.rules);
        Self { unit, table, opponents, max_decisions, seed, has_interruptions }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.table.rules
    }
}

/// A game in progress.
#[derive(Debug)]
pub(crate) struct Game {
    /// The number of the environment.
    number: u64,
    episode: u64,
    /// The random streams of the game.
    key: SetKey,
    course: Course,
    state: RoundState,
    seen: SeenEvents,
    chance: Rng,
    order: DecisionOrder,
    asked: Option<Question>,
    /// The legal actions, if the rules have decisions out of turn; otherwise computing them from the state is faster.
    options: Vec<Action>,
    decisions: u32,
    learner: Seat,
    /// By seat, if there are opponents; the entry of the learner's seat is never used.
    players: Vec<Player>,
}

/// The history before the current round; empty if a game is one round.
#[derive(Debug)]
struct Course {
    table: MatchState,
    /// Finished rounds, including void ones.
    rounds: u32,
    /// The number of rounds in which each seat was still in the match.
    rounds_in: BySeat<u32>,
}

impl Course {
    fn new(seats: usize, dealer: Seat) -> Self {
        Self { table: MatchState::new(seats, dealer), rounds: 0, rounds_in: BySeat::default() }
    }
}

/// The status of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameStatus {
    Open,
    Terminated,
    Truncated,
}

/// The information so far: the cards shown to seats, the discard pile, and the last events.
#[derive(Debug)]
struct SeenEvents {
    knowledge: Knowledge,
    discard_pile: DiscardPile,
    last: VecDeque<Event>,
    most: usize,
}

impl EventSink for SeenEvents {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        let shows =
            matches!(event, Event::Showed { .. } | Event::Moved { .. } | Event::Swapped(..) | Event::Rotated { .. });
        if shows || !self.knowledge.is_empty() {
            self.knowledge.on_event(state, event);
        }
        self.discard_pile.on_event(state, event);
        if self.most > 0 {
            self.last.truncate(self.most - 1);
            self.last.push_front(event);
        }
    }
}

/// Tells the opponents what their seats see, too.
struct EventForwarder<'a> {
    seen: &'a mut SeenEvents,
    players: &'a mut [Player],
    rules: &'a Rules,
    scores: &'a BySeat<u32>,
}

impl EventSink for EventForwarder<'_> {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.seen.on_event(state, event);
        for seat in state.seats() {
            let player = &mut self.players[seat.index()];
            if player.subscription() == EventSubscription::Events {
                let observation = Observation::of(self.rules, state, &self.seen.knowledge, self.scores, seat);
                player.observe(observation.sees(event), &observation);
            }
        }
    }
}

impl Game {
    /// The first game of an environment.
    pub(crate) fn new<P: FeatureSet>(setting: &Setting, number: u64) -> Self {
        let rules = setting.rules();
        let course = Course::new(setting.table.seats, Seat::new(0));
        let seats = course.table.plan(rules).seats;
        let most = setting.table.encoding.layout().num_events();
        let mut game = Self {
            number,
            episode: 0,
            key: SetKey::of(setting.seed, number << 32),
            course,
            state: RoundState::deal(rules, seats, Seat::new(0), &mut Rng::from_seed(0), &mut ()),
            seen: SeenEvents {
                knowledge: Knowledge::default(),
                discard_pile: DiscardPile::default(),
                last: VecDeque::with_capacity(most),
                most,
            },
            chance: Rng::from_seed(0),
            order: DecisionOrder::default(),
            asked: None,
            options: Vec::new(),
            decisions: 0,
            learner: Seat::new(0),
            players: Vec::new(),
        };
        game.deal::<P>(setting);
        game
    }

    /// Deals the next game. Games that end before the learner's first decision are skipped.
    #[inline(always)]
    pub(crate) fn deal_next<P: FeatureSet>(&mut self, setting: &Setting) {
        self.episode += 1;
        self.deal::<P>(setting);
    }

    #[inline(always)]
    fn deal<P: FeatureSet>(&mut self, setting: &Setting) {
        self.deal_once::<P>(setting);
        while !setting.opponents.is_empty() && self.standing(setting) != GameStatus::Open {
            self.episode += 1;
            self.deal_once::<P>(setting);
        }
    }

    #[inline(always)]
    fn deal_once<P: FeatureSet>(&mut self, setting: &Setting) {
        let (rules, seats) = (setting.rules(), setting.table.seats);
        self.key = SetKey::of(setting.seed, self.number << 32 | self.episode);
        self.course = Course::new(seats, first_dealer(rules, seats, &mut self.key.stream(Purpose::Dealer)));
        self.decisions = 0;
        if !setting.opponents.is_empty() {
            self.seat_players(setting);
        }
        self.deal_round::<P>(setting);
        self.find_question(setting);
        self.play_opponents::<P>(setting);
    }

    #[inline(always)]
    fn deal_round<P: FeatureSet>(&mut self, setting: &Setting) {
        let rules = setting.rules();
        let plan = self.course.table.plan(rules);
        self.chance = self.key.stream(Purpose::Cards { round: self.course.rounds });
        self.seen.knowledge = Knowledge::default();
        self.seen.last.clear();
        self.state.deal_anew_for::<P>(rules, plan.seats, plan.dealer, &mut self.chance, &mut self.seen);
        self.order = DecisionOrder::default();
        if !setting.opponents.is_empty() {
            self.forward_deal(rules);
        }
    }

    #[cold]
    fn forward_deal(&mut self, rules: &Rules) {
        for seat in self.state.seats() {
            let player = &mut self.players[seat.index()];
            if player.subscription() == EventSubscription::Events {
                let (known, scores) = (&self.seen.knowledge, self.course.table.scores());
                player.begin_round(&Observation::of(rules, &self.state, known, scores, seat));
            }
        }
    }

    /// Counts a finished round of a match, and deals the next one if no player has won.
    #[cold]
    fn count_round<P: FeatureSet>(&mut self, setting: &Setting) {
        while self.state.is_terminal() {
            let Course { table, rounds, rounds_in } = &mut self.course;
            let plan = table.plan(setting.rules());
            plan.seats.iter().for_each(|seat| rounds_in[seat] += 1);
            *rounds += 1;
            table.count_round(setting.rules(), &plan, &self.state);
            if table.winners().is_some() {
                return;
            }
            self.deal_round::<P>(setting);
        }
    }

    /// The learner moves one seat further in each game; the opponents follow in order.
    #[cold]
    fn seat_players(&mut self, setting: &Setting) {
        let (rules, seats) = (setting.rules(), setting.table.seats);
        let place = usize::try_from((self.number + self.episode) % seats as u64).expect("below the seats");
        self.learner = Seat::new(place);
        self.players.clear();
        for seat in Seat::first(seats) {
            let after_learner = (seat.index() + seats - place) % seats;
            let opponent = &setting.opponents[after_learner.max(1) - 1];
            self.players.push(opponent.make(rules, seat, self.key.stream(Purpose::Agent(seat))));
        }
    }

    /// The status of the game.
    #[inline(always)]
    pub(crate) fn standing(&self, setting: &Setting) -> GameStatus {
        if self.state.is_terminal() {
            GameStatus::Terminated
        } else if self.decisions >= setting.max_decisions {
            GameStatus::Truncated
        } else {
            GameStatus::Open
        }
    }

    /// The seat that decides; at the end the learner's seat, or the seat that would have decided, or seat 0. A learner who is
    /// out of a match observes from the first seat that is still in it.
    #[inline(always)]
    pub(crate) fn seat(&self, setting: &Setting) -> Seat {
        match self.asked {
            Some(question) if setting.opponents.is_empty() => question.seat,
            _ if setting.unit == Unit::Match => self.looking_on(),
            _ => self.learner,
        }
    }

    #[cold]
    fn looking_on(&self) -> Seat {
        let is_in = |seat: &Seat| self.state.seats().any(|other| other == *seat);
        Some(self.learner).filter(is_in).or(self.state.seats().next()).unwrap_or(self.learner)
    }

    /// The learner's seat; seat 0 if the learner plays every seat.
    pub(crate) const fn learner(&self) -> Seat {
        self.learner
    }

    /// Points and places of the round, or of the match; zeros if no player has won.
    pub(crate) fn result(&self, setting: &Setting) -> RoundResult {
        let Course { table, rounds_in, .. } = &self.course;
        match setting.unit {
            Unit::Round => RoundResult::of(setting.rules(), &self.state),
            Unit::Match => RoundResult {
                points: *table.scores(),
                places: match_places(setting.rules(), table, setting.table.seats, rounds_in),
            },
        }
    }

    #[inline(always)]
    fn observation<'o>(&'o self, setting: &'o Setting, seat: Seat) -> Observation<'o> {
        Observation::of(setting.rules(), &self.state, &self.seen.knowledge, self.course.table.scores(), seat)
    }

    /// Plays an offered action of the learner, and then the opponents until the learner decides again.
    #[inline(always)]
    pub(crate) fn play<P: FeatureSet>(&mut self, setting: &Setting, action: Action) {
        self.apply::<P>(setting, action);
        self.play_opponents::<P>(setting);
    }

    #[inline(always)]
    fn apply<P: FeatureSet>(&mut self, setting: &Setting, action: Action) {
        let Some(question) = self.asked else { return };
        let rules = setting.rules();
        self.decisions += 1;
        let Some(Move { seat, action, call }) = (if setting.has_interruptions {
            self.order.answer(rules, &self.state, question, action)
        } else {
            Some(Move { seat: question.seat, action, call: Call::Silent })
        }) else {
            return self.find_question(setting);
        };
        if setting.opponents.is_empty() {
            self.state.apply_action_for::<P>(rules, seat, action, call, &mut self.chance, &mut self.seen);
        } else {
            let scores = self.course.table.scores();
            let mut told = EventForwarder { seen: &mut self.seen, players: &mut self.players, rules, scores };
            self.state.apply_action_for::<P>(rules, seat, action, call, &mut self.chance, &mut told);
        }
        if setting.unit == Unit::Match && self.state.is_terminal() {
            self.count_round::<P>(setting);
        }
        self.find_question(setting);
    }

    #[inline(always)]
    fn find_question(&mut self, setting: &Setting) {
        if setting.has_interruptions {
            self.find_question_in_order(setting);
        } else {
            let kind = DecisionKind::Turn; // a placeholder: the state determines the kind
            self.asked = self.state.current_seat().map(|seat| Question { seat, kind });
        }
    }

    #[cold]
    fn find_question_in_order(&mut self, setting: &Setting) {
        self.asked = self.order.question(setting.rules(), &self.state);
        self.options.clear();
        if let Some(question) = self.asked {
            DecisionOrder::options_into(setting.rules(), &self.state, question, &mut self.options);
        }
    }

    #[inline(always)]
    fn play_opponents<P: FeatureSet>(&mut self, setting: &Setting) {
        if setting.opponents.is_empty() {
            return;
        }
        while let Some(question) = self.asked
            && question.seat != self.learner
            && self.decisions < setting.max_decisions
        {
            let action = self.ask_opponent(setting, question);
            self.apply::<P>(setting, action);
        }
    }

    fn ask_opponent(&mut self, setting: &Setting, Question { seat, kind }: Question) -> Action {
        let (known, scores) = (&self.seen.knowledge, self.course.table.scores());
        let observation = Observation::of(setting.rules(), &self.state, known, scores, seat);
        let player = &mut self.players[seat.index()];
        match kind {
            DecisionKind::Call { with } => match player.call(&observation, with) {
                Call::Uno => Action::Uno,
                Call::Silent => Action::Silent,
            },
            DecisionKind::Window { .. } | DecisionKind::JumpIn => {
                let (silent, options) = self.options.split_last().expect("silence is an option");
                debug_assert_eq!(*silent, Action::Silent);
                player.interrupt(&observation, options)
            }
            _ => match player.perfect_information() {
                Some(seeing) => seeing.choose_with_perfect_information(&self.state, &observation),
                None => player.choose(&observation),
            },
        }
    }

    /// Writes the observation of a seat into a row of zeros.
    #[inline(always)]
    pub(crate) fn write_row<M: Isa>(&self, setting: &Setting, seat: Seat, row: &mut [u8]) {
        let asked = match self.asked {
            Some(question) if question.seat == seat && setting.has_interruptions => asked(question.kind),
            _ => Asked::Ordinary,
        };
        let observation = self.observation(setting, seat);
        setting.table.encoding.write_cleared_row_on::<M>(&observation, self.seen.discard_pile.cards(), asked, row);
        if !self.seen.last.is_empty() {
            let newest_first = self.seen.last.iter().map(|event| event.as_seen_by(seat));
            setting.table.encoding.write_history(&observation, newest_first, row);
        }
    }

    /// Writes the offered actions into a mask of zeros and ids of -1.
    #[inline(always)]
    pub(crate) fn write_legal(&self, setting: &Setting, mask: &mut [u8], ids: &mut [i16]) -> LegalActionIds {
        let encoding: &Encoding = &setting.table.encoding;
        match self.asked {
            Some(question) if setting.has_interruptions && !is_ordinary(question.kind) => {
                encoding.write_offered(&self.options, mask, ids)
            }
            _ => encoding.write_cleared_legal(
                &self.observation(setting, self.seat(setting)),
                setting.table.draw,
                mask,
                ids,
            ),
        }
    }
}

/// Its name in the encoding.
pub(crate) const fn asked(kind: DecisionKind) -> Asked {
    match kind {
        DecisionKind::Call { with } => Asked::Call(with),
        DecisionKind::Window { .. } => Asked::Window,
        DecisionKind::JumpIn => Asked::JumpIn,
        _ => Asked::Ordinary,
    }
}

const fn is_ordinary(kind: DecisionKind) -> bool {
    !kind.is_interruption() && !matches!(kind, DecisionKind::Call { .. })
}
