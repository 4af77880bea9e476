//! One environment: a game in progress, and the opponents of the learner.

use unolab_agents::agent::Agent;
use unolab_agents::first_legal::FirstLegal;
use unolab_agents::player::Player;
use unolab_engine::action::{Action, Call};
use unolab_engine::cpu::Isa;
use unolab_engine::encoding::{EncodedDecision, Encoding, LegalActionIds};
use unolab_engine::match_play::{MatchState, first_dealer};
use unolab_engine::observation::Observation;
use unolab_engine::record::match_places;
use unolab_engine::rng::{Purpose, Rng, SetKey};
use unolab_engine::round::{DecisionKind, DecisionOrder, Move, Question};
use unolab_engine::rules::{FeatureSet, Rules};
use unolab_engine::scoring::RoundResult;
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::RoundState;

use crate::seen_events::{EventForwarder, SeenEvents};
use crate::setting::{LEARNER, Opponent, Setting, Unit};
use crate::table::ArgumentError;

/// The games of one environment: a seed, and a number that distinguishes the environments with this seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stream {
    pub(crate) seed: u64,
    pub(crate) number: u64,
}

/// The data to replay a game: its number, and the ids of its actions so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameReplay {
    pub(crate) episode: u64,
    pub(crate) actions: Vec<u16>,
}

/// How the current round of a game was dealt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowDeal {
    pub(crate) seed: u64,
    /// The number of the game among the sets of this seed.
    pub(crate) set: u64,
    /// The number of the round in its match.
    pub(crate) round: u32,
    pub(crate) seats: SeatSet,
    pub(crate) dealer: Seat,
    pub(crate) scores: BySeat<u32>,
}

/// A game in progress.
#[derive(Debug)]
pub(crate) struct Game {
    stream: Stream,
    episode: u64,
    /// The ids of all actions of the game.
    actions: Vec<u16>,
    /// The number of actions before the current round.
    actions_before_round: usize,
    /// The remaining actions of a replay, in reverse order.
    repeated: Vec<u16>,
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
    learner_has_decided: bool,
    /// By seat, if there are opponents: the number of the caller's policy, or [`LEARNER`].
    policies: BySeat<Option<i16>>,
    /// By seat, if there are opponents; the entries of seats with a policy are never used.
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

impl GameStatus {
    /// In one word.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Terminated => "terminated",
            Self::Truncated => "truncated",
        }
    }

    /// The status of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Open, Self::Terminated, Self::Truncated].into_iter().find(|status| status.name() == name)
    }
}

impl Game {
    /// The first game of an environment.
    pub(crate) fn new<P: FeatureSet>(setting: &Setting, stream: Stream) -> Self {
        let mut game = Self::undealt(setting, stream);
        game.deal::<P>(setting);
        game
    }

    /// Replays a game from its beginning.
    pub(crate) fn replayed<P: FeatureSet>(
        setting: &Setting,
        stream: Stream,
        replay: &GameReplay,
    ) -> Result<Self, ArgumentError> {
        let mut game = Self::undealt(setting, stream);
        game.episode = replay.episode;
        game.repeated = replay.actions.iter().rev().copied().collect();
        game.deal_once::<P>(setting);
        while let Some(id) = game.repeated.pop() {
            let mut ids = vec![-1; setting.table.encoding.num_actions()];
            let offered = game.write_legal(setting, game.seat(setting), &mut [], &mut ids);
            let action = setting.table.encoding.actions().action(id.into());
            match action.filter(|_| game.asked.is_some() && offered.contains(id.into())) {
                Some(action) => {
                    game.learner_has_decided |= game.waits_for() == LEARNER;
                    game.play::<P>(setting, id, action);
                }
                None => {
                    return Err(ArgumentError(
                        "state: an action is not legal in its game; the state is not of this environment".into(),
                    ));
                }
            }
        }
        Ok(game)
    }

    fn undealt(setting: &Setting, stream: Stream) -> Self {
        let rules = setting.rules();
        let course = Course::new(setting.table.seats, Seat::new(0));
        let seats = course.table.plan(rules).seats;
        let most = setting.table.encoding.layout().num_events();
        Self {
            stream,
            episode: 0,
            actions: Vec::new(),
            actions_before_round: 0,
            repeated: Vec::new(),
            key: SetKey::of(stream.seed, stream.number << 32),
            course,
            state: RoundState::deal(rules, seats, Seat::new(0), &mut Rng::from_seed(0), &mut ()),
            seen: SeenEvents::new(most),
            chance: Rng::from_seed(0),
            order: DecisionOrder::default(),
            asked: None,
            options: Vec::new(),
            decisions: 0,
            learner: Seat::new(0),
            learner_has_decided: false,
            policies: BySeat::default(),
            players: Vec::new(),
        }
    }

    /// The random stream of the environment.
    pub(crate) const fn stream(&self) -> Stream {
        self.stream
    }

    /// The seats in order of play, from this one on.
    pub(crate) fn in_order_from(&self, seat: Seat) -> impl Iterator<Item = Seat> {
        std::iter::once(seat).chain(self.state.others(seat))
    }

    /// The game so far.
    pub(crate) fn replay(&self) -> GameReplay {
        GameReplay { episode: self.episode, actions: self.actions.clone() }
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
        self.key = SetKey::of(self.stream.seed, self.stream.number << 32 | self.episode);
        self.actions.clear();
        self.learner_has_decided = false;
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
        self.seen.begin_round();
        self.state.redeal_for::<P>(rules, plan.seats, plan.dealer, &mut self.chance, &mut self.seen);
        self.order = DecisionOrder::default();
        self.actions_before_round = self.actions.len();
        if !setting.opponents.is_empty() {
            self.forward_deal(rules);
        }
    }

    #[cold]
    fn forward_deal(&mut self, rules: &Rules) {
        for seat in self.state.seats() {
            let player = &mut self.players[seat.index()];
            if player.subscription().has_events() {
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

    /// Moves the learner one seat further in each game; the opponents follow in order.
    #[cold]
    fn seat_players(&mut self, setting: &Setting) {
        let (rules, seats) = (setting.rules(), setting.table.seats);
        let place = usize::try_from((self.stream.number + self.episode) % seats as u64).expect("below the seats");
        self.learner = Seat::new(place);
        self.players.clear();
        let mut draws = self.key.stream(Purpose::Other(0));
        for seat in Seat::first(seats) {
            let after_learner = (seat.index() + seats - place) % seats;
            let candidates = &setting.opponents[after_learner.max(1) - 1];
            let drawn = draws.choice(u32::try_from(candidates.len()).expect("a short list"));
            let stream = self.key.stream(Purpose::Agent(seat));
            let (policy, player) = match &candidates[drawn as usize] {
                Opponent::Agent(agent) if seat != self.learner => (None, agent.make(rules, seat, stream)),
                Opponent::Policy(number) if seat != self.learner => (Some(*number), unasked(seat, stream)),
                _ => (Some(LEARNER), unasked(seat, stream)),
            };
            self.policies[seat] = policy;
            self.players.push(player);
        }
    }

    /// The policy of the caller that decides, or [`LEARNER`].
    pub(crate) fn waits_for(&self) -> i16 {
        let policy = self.asked.and_then(|question| self.policies[question.seat]);
        policy.unwrap_or(LEARNER)
    }

    /// The current round, from its deal.
    pub(crate) fn row_deal(&self, setting: &Setting) -> RowDeal {
        let table = &self.course.table;
        let plan = table.plan(setting.rules());
        RowDeal {
            seed: self.stream.seed,
            set: self.stream.number << 32 | self.episode,
            round: self.course.rounds,
            seats: plan.seats,
            dealer: plan.dealer,
            scores: *table.scores(),
        }
    }

    /// The ids of the actions of the current round.
    pub(crate) fn actions_of_round(&self) -> &[u16] {
        &self.actions[self.actions_before_round..]
    }

    /// Records that the learner decides.
    #[inline(always)]
    pub(crate) const fn note_learner(&mut self) {
        self.learner_has_decided = true;
    }

    /// Whether the learner has decided in this game.
    pub(crate) const fn learner_has_decided(&self) -> bool {
        self.learner_has_decided
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
            Some(question) if self.is_policy(question.seat) && self.decisions < setting.max_decisions => question.seat,
            _ if setting.unit == Unit::Match => self.looking_on(),
            _ => self.learner,
        }
    }

    /// Whether a policy of the caller other than the learner plays this seat.
    fn is_policy(&self, seat: Seat) -> bool {
        self.policies[seat].is_some_and(|number| number != LEARNER)
    }

    #[cold]
    fn looking_on(&self) -> Seat {
        let is_in = |seat: &Seat| self.state.dealt_seats().contains(*seat);
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

    /// Plays an offered action of the learner, with its id, and then the opponents until the learner decides again.
    #[inline(always)]
    pub(crate) fn play<P: FeatureSet>(&mut self, setting: &Setting, id: u16, action: Action) {
        self.apply::<P>(setting, id, action);
        self.play_opponents::<P>(setting);
    }

    #[inline(always)]
    fn apply<P: FeatureSet>(&mut self, setting: &Setting, id: u16, action: Action) {
        let Some(question) = self.asked else { return };
        let rules = setting.rules();
        self.decisions += 1;
        self.actions.push(id);
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
            && self.policies[question.seat].is_none()
            && self.decisions < setting.max_decisions
        {
            let action = self.ask_opponent(setting, question);
            let action = self.repeated_or(setting, action);
            #[expect(clippy::cast_possible_truncation, reason = "494 actions at most")]
            let id = setting.table.encoding.actions().id(action).unwrap_or(0) as u16;
            self.apply::<P>(setting, id, action);
        }
    }

    /// The recorded action in a replay, because an agent with a time limit might choose another one.
    #[inline(always)]
    fn repeated_or(&mut self, setting: &Setting, action: Action) -> Action {
        let repeated = self.repeated.pop().and_then(|id| setting.table.encoding.actions().action(id.into()));
        repeated.unwrap_or(action)
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
            _ => EncodedDecision::Ordinary,
        };
        let observation = self.observation(setting, seat);
        setting.table.encoding.write_cleared_row_on::<M>(&observation, self.seen.discard_pile.cards(), asked, row);
        if !self.seen.last().is_empty() {
            let newest_first = self.seen.last().iter().filter_map(|event| event.as_seen_by(seat));
            setting.table.encoding.write_history(&observation, newest_first, row);
        }
    }

    /// Writes the actions that are offered to the seat that decides into a mask of zeros and ids of -1.
    #[inline(always)]
    pub(crate) fn write_legal(
        &self,
        setting: &Setting,
        seat: Seat,
        mask: &mut [u8],
        ids: &mut [i16],
    ) -> LegalActionIds {
        let encoding: &Encoding = &setting.table.encoding;
        match self.asked {
            Some(question) if setting.has_interruptions && !is_ordinary(question.kind) => {
                encoding.write_offered(&self.options, mask, ids)
            }
            _ => encoding.write_cleared_legal(&self.observation(setting, seat), setting.table.draw, mask, ids),
        }
    }
}

/// A placeholder for a seat that another player plays.
fn unasked(seat: Seat, stream: Rng) -> Player {
    Player::of(Box::new(FirstLegal), seat, stream)
}

/// Its name in the encoding.
pub(crate) const fn asked(kind: DecisionKind) -> EncodedDecision {
    match kind {
        DecisionKind::Call { with } => EncodedDecision::Call(with),
        DecisionKind::Window { .. } => EncodedDecision::Window,
        DecisionKind::JumpIn => EncodedDecision::JumpIn,
        _ => EncodedDecision::Ordinary,
    }
}

const fn is_ordinary(kind: DecisionKind) -> bool {
    !kind.is_interruption() && !matches!(kind, DecisionKind::Call { .. })
}
