//! Every fast path plays the same rounds as the general path, move by move: turns by policy, each instruction set, each
//! feature set, and thirty-two rounds in parallel.

use crate::blank::blank;
use crate::random_play;
use crate::user_bytes::{FILE, OneFile};
use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::cpu::{Generic, Isa, dispatch};
use unolab_engine::event::Event;
use unolab_engine::fast::{
    AnswerPolicy, BatchRound, Bluffs, FastTurn, FastTurns, MOST_DECISIONS, SimdBatch, TurnPolicy, Vectors,
};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{
    AllFeatures, FeatureSet, Features, Override, PresetsOnly, Rules, RulesKernel, TableSize, load, presets,
};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{EventSink, Phase, RoundState};

/// All events, in order.
#[derive(Debug, Default, PartialEq)]
struct Log(Vec<Event>);

impl EventSink for Log {
    fn on_event(&mut self, _state: &RoundState, event: Event) {
        self.0.push(event);
    }
}

/// A player for both paths.
trait Player: TurnPolicy + AnswerPolicy {
    fn new(rng: Rng) -> Self;
    fn choose(&mut self, rules: &Rules, state: &RoundState) -> Action;
}

/// Every card that can be played is equally likely, then its color.
struct Uniform {
    rng: Rng,
    color: Color,
}

impl TurnPolicy for Uniform {
    const BLUFFS: Bluffs = Bluffs::Freely;
    fn pick<I: Isa>(&mut self, _rules: &Rules, _hand: Cards, playable: CardSet) -> Card {
        let choice = self.rng.below(4 * playable.len());
        self.color = Color::from_index(choice as usize);
        playable.nth_on::<I>(choice / 4)
    }
    fn name(&mut self, _rules: &Rules, _rest: Cards) -> Color {
        self.color
    }
}

impl AnswerPolicy for Uniform {
    fn answer_draw_four(&mut self, rules: &Rules) -> Option<Action> {
        let may_stack = rules.features().contains(Features::STACKING);
        (!may_stack).then(|| if self.rng.below(2) == 0 { Action::Challenge } else { Action::Accept })
    }
    fn protect<I: Isa>(&mut self, shields: CardSet) -> Option<Card> {
        Some(shields.nth_on::<I>(self.rng.choice(shields.len())))
    }
    fn answer_lap(&mut self) -> Option<Action> {
        Some(if self.rng.choice(2) == 0 { Action::KeepHand } else { Action::Rotate })
    }
    fn name_color(&mut self) -> Option<Color> {
        Some(Color::from_index(self.rng.below(4) as usize))
    }
}

impl Player for Uniform {
    fn new(rng: Rng) -> Self {
        Self { rng, color: Color::Red }
    }
    fn choose(&mut self, rules: &Rules, state: &RoundState) -> Action {
        let seat = state.current_seat().expect("the round continues");
        let mut actions = state.legal_actions(rules);
        match state.phase() {
            Phase::Turn => {
                let playable = state.playable(rules, seat);
                if playable.is_empty() {
                    return if state.can_draw() { Action::Draw } else { Action::Pass };
                }
                return play_one_of(self, rules, state, playable);
            }
            Phase::Drawn(card) => return play_one_of(self, rules, state, CardSet::of(card)),
            Phase::NameColor(_) => return Action::NameColor(Color::from_index(self.rng.below(4) as usize)),
            Phase::Challenge(_) => {
                if let Some(action) = self.answer_draw_four(rules) {
                    return action;
                }
            }
            _ => {}
        }
        // A play counts once, regardless of the color it names.
        actions.dedup_by(|a, b| a.card().is_some() && a.card() == b.card());
        match actions[self.rng.choice(u32::try_from(actions.len()).expect("few actions")) as usize] {
            Action::Play(card) | Action::PlayNaming(card, _) => play_one_of(self, rules, state, CardSet::of(card)),
            other => other,
        }
    }
}

/// Plays the highest card that is not a bluff, and accepts everything.
struct Careful(Rng);

impl TurnPolicy for Careful {
    const BLUFFS: Bluffs = Bluffs::Never;
    fn pick<I: Isa>(&mut self, rules: &Rules, _hand: Cards, playable: CardSet) -> Card {
        playable.iter().max_by_key(|&card| rules.points(card)).expect("something can be played")
    }
    fn name(&mut self, rules: &Rules, rest: Cards) -> Color {
        Color::ALL.into_iter().max_by_key(|&color| rest.len_of(rules.of_color(color))).expect("four colors")
    }
}

impl AnswerPolicy for Careful {
    fn answer_draw_four(&mut self, _rules: &Rules) -> Option<Action> {
        Some(Action::Accept)
    }
    fn protect<I: Isa>(&mut self, _shields: CardSet) -> Option<Card> {
        None // looks at more first, so this goes the ordinary way
    }
    fn answer_lap(&mut self) -> Option<Action> {
        None
    }
    fn name_color(&mut self) -> Option<Color> {
        None
    }
}

impl Player for Careful {
    fn new(rng: Rng) -> Self {
        Self(rng)
    }
    fn choose(&mut self, rules: &Rules, state: &RoundState) -> Action {
        let seat = state.current_seat().expect("the round continues");
        let actions = state.legal_actions(rules);
        let honest = state.legitimately_playable(rules, seat);
        match state.phase() {
            Phase::Turn if honest.any() => play_one_of(self, rules, state, honest),
            Phase::Turn if state.can_draw() => Action::Draw,
            Phase::Turn => Action::Pass,
            Phase::Drawn(card) if honest.contains(card) => play_one_of(self, rules, state, CardSet::of(card)),
            Phase::Drawn(_) => Action::Keep,
            Phase::Challenge(_) => Action::Accept,
            _ => *self.0.pick(&actions).expect("something is legal"),
        }
    }
}

fn play_one_of(player: &mut impl TurnPolicy, rules: &Rules, state: &RoundState, playable: CardSet) -> Action {
    let mut rest = state.hand(state.current_seat().expect("the round continues"));
    let card = player.pick::<Generic>(rules, rest, playable);
    rest.remove(card);
    if rules.names_color().contains(card) && !rest.is_empty() {
        // The color of a card is chosen in the order of the fast path: after the pick, for the rest of the hand.
        Action::PlayNaming(card, player.name(rules, rest))
    } else {
        Action::Play(card)
    }
}

/// The number of decisions after which a round is abandoned, because some rounds never end.
const LIMIT: u32 = 5_000;

fn chance(set: u64) -> Rng {
    Rng::keyed(7, set, Purpose::Cards { round: 0 })
}

fn stream(set: u64, seat: Seat) -> Rng {
    Rng::keyed(7, set, Purpose::Agent(seat))
}

#[derive(Debug, Clone, Copy)]
struct Rounds<'a> {
    rules: &'a Rules,
    seats: usize,
    number: u64,
}

#[derive(Debug, PartialEq)]
struct Played {
    state: RoundState,
    turns: u32,
    decisions: u32,
    log: Log,
}

impl Rounds<'_> {
    fn deal<F: FeatureSet>(self, set: u64) -> (Rng, Played) {
        let (mut chance, mut log) = (chance(set), Log::default());
        let state =
            RoundState::deal_for::<F>(self.rules, SeatSet::first(self.seats), Seat::new(0), &mut chance, &mut log);
        (chance, Played { state, turns: 0, decisions: 0, log })
    }

    fn players<A: Player>(self, set: u64) -> Vec<A> {
        Seat::first(self.seats).map(|seat| A::new(stream(set, seat))).collect()
    }

    /// Plays one action after the other, each from the list of legal actions.
    fn ordinary<A: Player>(self) -> Vec<Played> {
        (0..self.number)
            .map(|set| {
                let ((mut chance, mut played), mut players) = (self.deal::<AllFeatures>(set), self.players::<A>(set));
                while played.decisions < LIMIT && !played.state.is_terminal() {
                    step(self.rules, &mut players, &mut played, &mut chance);
                }
                played
            })
            .collect()
    }

    /// Plays on the fast path if it supports the case: every other round by policies, the others by chosen actions.
    fn fast<F: FeatureSet, A: Player>(self) -> Vec<Played> {
        (0..self.number)
            .map(|set| {
                let ((mut chance, mut played), mut players) = (self.deal::<F>(set), self.players::<A>(set));
                while played.decisions < LIMIT
                    && let Some(seat) = played.state.current_seat()
                {
                    let Played { state, log, .. } = &mut played;
                    let phase = state.phase();
                    let is_turn = phase == Phase::Turn;
                    let mut turns = FastTurns::<F, _, _>::from(state, self.rules, &mut chance, log);
                    let player = &mut players[seat.index()];
                    let done = match phase {
                        Phase::Turn | Phase::Drawn(_) if set % 2 == 1 => {
                            turns.play_as(|state, _| Some(player.choose(self.rules, state)))
                        }
                        Phase::Turn => turns.play(player),
                        _ => turns.answer(player),
                    };
                    if done == FastTurn::Refused {
                        step(self.rules, &mut players, &mut played, &mut chance);
                    } else {
                        played.decisions += done.decisions();
                        played.turns += u32::from(is_turn);
                    }
                }
                played
            })
            .collect()
    }
}

/// Plays one decision on the general path.
fn step<A: Player>(rules: &Rules, players: &mut [A], played: &mut Played, chance: &mut Rng) {
    let seat = played.state.current_seat().expect("the round continues");
    let action = players[seat.index()].choose(rules, &played.state);
    played.decisions += 1;
    played.turns += u32::from(played.state.phase() == Phase::Turn);
    played
        .state
        .apply_action(rules, seat, action, Call::Silent, chance, &mut played.log)
        .unwrap_or_else(|error| panic!("{error}"));
}

struct Fast<'a, A>(Rounds<'a>, std::marker::PhantomData<A>);

impl<A: Player> RulesKernel for Fast<'_, A> {
    type Output = Vec<Played>;

    fn rules(&self) -> &Rules {
        self.0.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Vec<Played> {
        self.0.fast::<P, A>()
    }
}

/// All vectors in which this processor can play rounds in parallel.
fn all_vectors() -> impl Iterator<Item = Vectors> {
    Vectors::fast().into_iter().chain(Vectors::of_words())
}

/// The rounds of [`Uniform`] in parallel; rounds that the batch returns continue on the general path. `None` if the batch
/// does not support these rules.
fn side_by_side(vectors: Vectors, rounds: Rounds<'_>) -> Option<Vec<(RoundState, u32, u32)>> {
    let rules = rounds.rules;
    let mut batch = SimdBatch::with(vectors, rules, rounds.seats)?;
    let mut done = vec![None; usize::try_from(rounds.number).expect("few rounds")];
    let mut begun = 0..rounds.number;
    let mut places = vec![(0, BatchRound::vacant(rules)); batch.size()];
    // Continues until the batch can take over, with the next round if one is over; `false` when there is none.
    let mut refill = |batch: &SimdBatch, (set, round): &mut (u64, BatchRound), mut is_new: bool| loop {
        if is_new {
            let Some(next) = begun.next() else { return false };
            let mut cards = chance(next);
            let seats = SeatSet::first(rounds.seats);
            round.state.redeal_for::<AllFeatures>(rules, seats, Seat::new(0), &mut cards, &mut ());
            round.begin(cards, |seat| stream(next, seat));
            *set = next;
        }
        let mut players: Vec<Uniform> = round.streams[..rounds.seats].iter().cloned().map(Uniform::new).collect();
        let BatchRound { state, chance, streams, turns, decisions } = &mut *round;
        let mut played = Played { state: *state, turns: *turns, decisions: *decisions, log: Log::default() };
        while played.decisions < LIMIT && !played.state.is_terminal() {
            if (is_new || played.decisions > *decisions) && batch.can_take_over(&played.state, played.decisions) {
                break;
            }
            step(rules, &mut players, &mut played, chance);
        }
        (*state, *turns, *decisions) = (played.state, played.turns, played.decisions);
        players.into_iter().zip(streams).for_each(|(player, stream)| *stream = player.rng);
        if played.decisions < LIMIT && !state.is_terminal() {
            return true;
        }
        let before = done[usize::try_from(*set).expect("few rounds")].replace((*state, *turns, *decisions));
        assert!(before.is_none(), "round {set} ends once");
        is_new = true;
    };
    for (lane, place) in places.iter_mut().enumerate() {
        if refill(&batch, place, true) {
            batch.put(lane, &place.1);
        }
    }
    while let Some(waiting) = batch.play() {
        for lane in waiting {
            batch.take(lane, &mut places[lane].1);
            if refill(&batch, &mut places[lane], false) {
                batch.put(lane, &places[lane].1);
            }
        }
    }
    Some(done.into_iter().map(|round| round.expect("every round ends")).collect())
}

fn agree<A: Player>(rounds: Rounds<'_>, what: &str) -> Vec<Played> {
    let expected = rounds.ordinary::<A>();
    if FastTurn::supports(rounds.rules) {
        let fast = || Fast(rounds, std::marker::PhantomData::<A>);
        assert!(expected == dispatch(fast()), "{what}: best instruction set");
        assert!(expected == fast().run_fitting::<Generic>(), "{what}: baseline");
    }
    expected
}

#[test]
fn every_path_plays_same_rounds() {
    const { assert!(LIMIT < MOST_DECISIONS) };
    let changes = [
        None,
        Some("house.stacking=any_draw"),
        Some("house.seven_zero=true"),
        Some("house.jump_in=true"),
        Some("uno.calls=explicit"),
        Some("turn.draw_count=until_playable"),
        Some("turn.draw=no_playable"),
        Some("turn.drawn_card=must"),
        Some("tinker.resume=after_player"),
        Some("deal.hand_size=1"),
        Some("deal.hand_size=10"), // ten seats: few cards are left to draw
        Some("draw_four.legality=any"),
        Some("draw_four.enforcement=engine"),
        Some("draw_four.legality=no_other_playable"),
        Some("challenge.winner_turn=loses"),
        Some("challenge.who=any_other"),
        Some("two_player.reverse=literal"),
        Some("tinker.weights=[0.1,0.2,0.3,0.4]"),
    ];
    let (mut fast, mut batches) = (0, 0);
    for name in presets::NAMES {
        for change in changes {
            let overrides: Vec<Override> = change.iter().map(|text| text.parse().expect("key=value")).collect();
            let Ok(loaded) = load(name, &overrides, TableSize::Any, &PresetsOnly) else { continue };
            let rules = loaded.rules;
            fast += u32::from(FastTurn::supports(&rules));
            for seats in [2, 3, 4, 10].into_iter().filter(|seats| rules.seats().contains(seats)) {
                let (what, rounds) =
                    (format!("{name} {change:?}, {seats} seats"), Rounds { rules: &rules, seats, number: 60 });
                agree::<Careful>(rounds, &what);
                let expected = agree::<Uniform>(rounds, &what);
                let expected: Vec<_> =
                    expected.iter().map(|round| (round.state, round.turns, round.decisions)).collect();
                for vectors in all_vectors() {
                    let Some(played) = side_by_side(vectors, rounds) else { continue };
                    batches += 1;
                    assert!(expected == played, "{what}: side by side with {}", vectors.name());
                }
            }
        }
    }
    assert!(fast > 60, "{fast} variants by the fast path");
    let names: Vec<_> = all_vectors().map(Vectors::name).collect();
    assert!(batches >= 100 * names.len(), "{batches} tables side by side, in {names:?}");
    if Vectors::fast().is_none() {
        eprintln!("this processor has no AVX-512: rounds side by side are tested on plain words");
    }
}

/// Custom cards of every color and wild, which name a color or not.
#[test]
fn every_path_plays_custom_cards() {
    let cards = [
        blank("WA", "wild", "{ skip = 1 }"),
        blank("WB", "wild", "\"name_color\", \"reverse\""),
        blank("WC", "wild", "{ draw = { who = \"next\", count = 2 } }, { skip = 1 }"),
        blank("gX", "green", "\"reverse\", { skip = 1 }"),
        blank("rX", "red", "{ draw = { who = \"next\", count = 1 } }"),
    ];
    let text = format!("base = \"classic\"\n{}", cards.concat());
    let rules = load(FILE, &[], TableSize::Any, &OneFile(&text)).expect("good rules").rules;
    assert!(FastTurn::supports(&rules));
    for seats in [2, 3, 4, 10] {
        let rounds = Rounds { rules: &rules, seats, number: 300 };
        agree::<Careful>(rounds, "custom cards");
        let expected = agree::<Uniform>(rounds, "custom cards");
        let expected: Vec<_> = expected.iter().map(|round| (round.state, round.turns, round.decisions)).collect();
        for vectors in all_vectors() {
            let played = side_by_side(vectors, rounds).expect("these rules are supported");
            assert!(expected == played, "{seats} seats: side by side with {}", vectors.name());
        }
    }
}

/// Ten thousand rounds of the plain game with each number of players.
#[test]
fn parallel_rounds_equal_sequential_rounds() {
    let rules = random_play::rules("classic", 2, &[]);
    for seats in [2, 3, 4, 7, 10] {
        let rounds = Rounds { rules: &rules, seats, number: 4_000 };
        let expected = rounds.ordinary::<Uniform>();
        for vectors in all_vectors() {
            let played = side_by_side(vectors, rounds).expect("the plain game is supported");
            for (set, (round, played)) in expected.iter().zip(played).enumerate() {
                let played_on = (round.state, round.turns, round.decisions);
                assert_eq!(played_on, played, "{seats} seats, set {set}, {}", vectors.name());
            }
        }
    }
}

/// A feature is unsupported until it is declared supported: the general code plays new features.
#[test]
fn decision_outside_fast_path_uses_general_path() {
    for (change, is_fast, is_side_by_side) in [
        ("uno.calls=explicit", false, false),
        ("house.jump_in=true", false, false),
        ("turn.draw_count=until_playable", false, false),
        ("house.stacking=any_draw", true, false),
        ("turn.draw=no_playable", true, true),
    ] {
        let rules = random_play::rules("classic", 4, &[change]);
        assert_eq!(FastTurn::supports(&rules), is_fast, "{change}");
        let expected = is_side_by_side && Vectors::fast().is_some();
        assert_eq!(SimdBatch::new(&rules, 4).is_some(), expected, "{change}");
    }
}
