//! The upper bounds that `mixbot` uses for counting, event by event.
#![allow(missing_docs)]

use std::sync::{Arc, Mutex};

use crate::common::{rules, turn_of};
use unolab_agents::player::TablePlayer;
use unolab_agents::possible::{Bounds, PossibleCards};
use unolab_agents::random::{Random, Uniform};
use unolab_agents::table::Table;
use unolab_agents::{Agent, EventSubscription};
use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, CardSet};
use unolab_engine::event::{Event, Source, VisibleEvent};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{Decision, NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{AllFeatures, Rules};
use unolab_engine::script::Script;
use unolab_engine::seat::{MAX_SEATS, Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

struct Watch<'a> {
    rules: &'a Rules,
    state: RoundState,
    possible: PossibleCards,
}

struct Listener<'a>(&'a Rules, &'a mut PossibleCards);

impl EventSink for Listener<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        let knowledge = Knowledge::default();
        let observation = Observation::of(self.0, state, &knowledge, &NO_SCORES, Seat::new(0));
        if let Some(seen) = observation.sees(event) {
            self.1.observe(seen, &observation);
        }
    }
}

impl Watch<'_> {
    fn act(&mut self, action: &str, draws: &str) {
        let seat = self.state.current_seat().unwrap();
        let action = self.rules.parse_action(action).unwrap().action;
        assert!(self.state.is_legal(self.rules, seat, action, Call::Silent));
        let mut chance = Script::new(self.rules.parse_card_list(draws).unwrap(), [], 0);
        let mut listener = Listener(self.rules, &mut self.possible);
        self.state.apply_action_unchecked(self.rules, seat, action, Call::Silent, &mut chance, &mut listener);
        assert_eq!((chance.mismatch(), chance.unused_cards()), (None, 0));
    }

    /// The number of cards of each of these kinds that seat 1 can hold.
    fn counts(&mut self, codes: &str) -> Vec<u32> {
        let knowledge = Knowledge::default();
        let observation = Observation::of(self.rules, &self.state, &knowledge, &NO_SCORES, Seat::new(0));
        self.possible.settle(&observation);
        let bounds: Bounds = self.possible.for_seat(&observation).of(Seat::new(1));
        self.rules.parse_card_list(codes).unwrap().into_iter().map(|card| bounds.count(card)).collect()
    }
}

/// Seat 0 holds b1 b1 b2 W W; r9 is on top of g9.
fn watch(rules: &Rules) -> Watch<'_> {
    let state = turn_of(rules, 1, &["b1 b1 b2 W W", "r5 g6 y7 b8", "g1 g2 g3 rD"], "r9", "g9");
    Watch { rules, state, possible: PossibleCards::new() }
}

#[test]
fn initial_belief_is_all_unseen_cards() {
    let rules = rules("classic", 3, &[]);
    assert_eq!(watch(&rules).counts("b1 b2 b3 r0 r9 g9 W W4"), [0, 1, 2, 1, 1, 1, 2, 4]);
}

#[test]
fn played_card_reduces_belief_by_one() {
    let rules = rules("classic", 3, &[]);
    let mut watch = watch(&rules);
    watch.act("play r5", "");
    assert_eq!(watch.counts("r5 g5 r9"), [1, 2, 1]);
}

#[test]
fn player_drawing_without_play_shifts_belief_to_unplayable_cards() {
    let rules = rules("classic", 3, &[]);
    let mut watch = watch(&rules);
    watch.act("draw", "b3");
    // Red cards, nines, and wilds could have followed; others rise by one, at most to the number of unseen cards.
    assert_eq!(watch.counts("r5 b9 W W4 b1 b2 b3 g6"), [0, 0, 0, 0, 0, 1, 2, 2]);
}

#[test]
fn drawn_cards_raise_belief_bounds() {
    let rules = rules("classic", 3, &[]);
    let state = turn_of(&rules, 1, &["b1 b2 g7 W", "g6 y7 b8", "g1 g2 y3"], "r9", "");
    let mut watch = Watch { rules: &rules, state, possible: PossibleCards::new() };
    watch.act("draw", "y4"); // no red
    assert_eq!(watch.counts("r5 g5"), [0, 2]);
    watch.act("draw", "g8"); // seat 2
    watch.act("play W g", ""); // seat 0
    watch.act("draw", "r1"); // seat 1 has no green card, and possibly one red card
    assert_eq!(watch.counts("r5 r0 g5"), [1, 1, 0]);
}

#[test]
fn playing_drawn_card_implies_no_earlier_playable_card() {
    let rules = rules("classic", 3, &[]);
    let mut watch = watch(&rules);
    watch.act("draw", "r4");
    watch.act("play r4", "");
    // Nothing else changes: no green card was drawn or played.
    assert_eq!(watch.counts("r5 r4 W g9 g6 b2"), [0, 0, 0, 0, 2, 1]);
}

#[test]
fn keeping_drawn_card_implies_unplayable_belief() {
    let rules = rules("classic", 3, &[]);
    let mut watch = watch(&rules);
    watch.act("draw", "r4");
    watch.act("keep", "");
    assert_eq!(watch.counts("r4 r5 g6"), [0, 0, 2]);
}

#[test]
fn penalty_cards_are_unconstrained() {
    let rules = rules("classic", 3, &[]);
    let state = turn_of(&rules, 1, &["rD b1 b2 W", "g6 y7 b8", "g1 g2 y3"], "r9", "");
    let mut watch = Watch { rules: &rules, state, possible: PossibleCards::new() };
    watch.act("draw", "y4");
    watch.act("draw", "y5");
    watch.act("play rD", "b3 b4"); // two for seat 1
    // Two of each excluded kind, except the single zero; others stay at the number of unseen cards.
    assert_eq!(watch.counts("r5 r0 rD W W4 y6 b1"), [2, 1, 1, 2, 2, 2, 1]);
}

#[test]
fn belief_is_capped_by_unseen_cards() {
    let rules = rules("classic", 3, &[]);
    let mut watch = watch(&rules);
    watch.act("play r5", "");
    watch.act("play rD", "b2 b3"); // seat 0 draws the other b2
    assert_eq!(watch.counts("b2 b3 rD"), [0, 1, 1]);
}

#[test]
fn probability_of_no_playable_card_matches_hand_computation() {
    let rules = rules("classic", 2, &[]);
    // All cards except eight are visible: seat 1 holds two, six are in the pile.
    let unseen = "r1 r2 r3 g1 g2 g3 g4 b5";
    let mine = rules.deck().minus(rules.parse_cards(&format!("{unseen} y0")).unwrap());
    let state = turn_of(&rules, 1, &[&rules.write_cards(mine), "r1 g1"], "y0", "");
    let knowledge = Knowledge::default();
    let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, Seat::new(0));
    let mut possible = PossibleCards::new();
    possible.settle(&observation);
    let chance = |codes: &str, len: u32| {
        let followers: CardSet = rules.parse_card_list(codes).unwrap().into_iter().collect();
        possible.for_seat(&observation).hand_of(Seat::new(1), len).chance_to_follow_nothing(followers)
    };
    let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    is(chance("r1 r2 r3", 2), 5.0 / 8.0 * 4.0 / 7.0);
    is(chance("y1", 2), 1.0); // M = 0
    is(chance("r1 r2 r3 g1 g2 g3 g4", 2), 0.0); // T - M < d
    is(chance("r1", 20), 0.0); // d = min(hand, T)
    is(chance("y1", 20), 1.0);
    let nothing_seen = PossibleCards::new();
    is(nothing_seen.for_seat(&observation).hand_of(Seat::new(1), 3).chance_to_follow_nothing(CardSet::EMPTY), 0.0); // T = 0
}

/// The same bounds as plain numbers by kind, capped at every event.
struct Naive {
    of_seat: [[u32; 64]; MAX_SEATS],
    drawing: Option<(Seat, CardSet, u32)>,
}

impl Naive {
    const NOTHING_KNOWN: Self = Self { of_seat: [[u32::MAX; 64]; MAX_SEATS], drawing: None };

    fn begin(&mut self, observation: &Observation<'_>) {
        *self = Self::NOTHING_KNOWN;
        self.cap(observation);
    }

    fn cap(&mut self, observation: &Observation<'_>) {
        let unseen = observation.unseen();
        for bounds in &mut self.of_seat {
            bounds.iter_mut().enumerate().for_each(|(i, bound)| *bound = (*bound).min(unseen.count(Card::new(i))));
        }
    }

    fn settle_drawing(&mut self, played: u32) {
        let Some((seat, could_follow, cards)) = self.drawing.take() else { return };
        for (i, bound) in self.of_seat[seat.index()].iter_mut().enumerate() {
            *bound = if could_follow.contains(Card::new(i)) { 0 } else { *bound + cards - played };
        }
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        match seen {
            VisibleEvent::Open(Event::Acted { seat, action, .. }) => {
                if !matches!(observation.decision(), Decision::Drawn(_)) || action == Action::Keep {
                    self.settle_drawing(0);
                }
                let draws = observation.decision() == Decision::Turn && action == Action::Draw;
                if draws && seat != observation.seat() {
                    self.drawing = Some((seat, observation.can_follow(), 0));
                }
            }
            VisibleEvent::HiddenDraw { seat } => match &mut self.drawing {
                Some((drawing, _, cards)) if *drawing == seat => *cards += 1,
                _ => self.of_seat[seat.index()].iter_mut().for_each(|bound| *bound += 1),
            },
            VisibleEvent::Open(Event::Discarded { from: Source::JustDrawn, seat, .. })
                if seat != observation.seat() =>
            {
                self.settle_drawing(1);
            }
            VisibleEvent::Open(Event::Discarded { from: Source::Hand, seat, card }) if seat != observation.seat() => {
                let bound = &mut self.of_seat[seat.index()][card.index()];
                *bound = bound.saturating_sub(1);
            }
            VisibleEvent::HiddenMove { .. }
            | VisibleEvent::HiddenRedeal { .. }
            | VisibleEvent::Open(
                Event::Moved { .. } | Event::Swapped(..) | Event::Rotated { .. } | Event::Redealt { .. },
            ) => {
                self.begin(observation);
            }
            VisibleEvent::Open(_) => {}
        }
        self.cap(observation);
    }
}

/// The number of events of each kind on which the bounds depend.
#[derive(Debug, Clone, Copy, Default)]
struct Sights {
    compared: u32,
    reshuffled: u32,
    exchanged: u32,
    showed: u32,
    jumped_in: u32,
}

/// Plays at random, and compares the bounds with the naive ones at each of its decisions.
struct Comparing {
    random: Random,
    possible: PossibleCards,
    naive: Naive,
    sights: Sights,
}

impl TablePlayer for Comparing {}

impl Agent for Comparing {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.possible.settle(observation);
        self.naive.settle_drawing(0);
        self.naive.cap(observation);
        for seat in observation.others() {
            let bounds = self.possible.for_seat(observation).of(seat);
            for card in observation.rules().cards() {
                let naive = self.naive.of_seat[seat.index()][card.index()];
                assert_eq!(bounds.count(card), naive, "{seat} {} {observation:?}", observation.rules().code(card));
            }
        }
        self.sights.compared += 1;
        self.random.choose(observation)
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let action = self.random.interrupt(observation, options);
        self.sights.jumped_in += u32::from(matches!(action, Action::Play(_) | Action::PlayNaming(..)));
        action
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.possible.begin(observation);
        self.naive.begin(observation);
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.possible.observe(seen, observation);
        self.naive.observe(seen, observation);
        match seen {
            VisibleEvent::Open(Event::Reshuffled) => self.sights.reshuffled += 1,
            VisibleEvent::Open(Event::Swapped(..) | Event::Rotated { .. } | Event::Redealt { .. }) => {
                self.sights.exchanged += 1;
            }
            VisibleEvent::Open(Event::Showed { .. }) => self.sights.showed += 1,
            _ => {}
        }
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Events
    }
}

/// Tables with every kind of event on which the bounds depend.
const TABLES: [(&str, usize, &[&str]); 10] = [
    ("classic", 2, &[]),
    ("classic", 4, &["uno.calls=explicit"]),
    ("classic", 3, &["house.seven_zero=true", "house.jump_in=true"]),
    ("classic", 10, &["house.stacking=any_draw"]),
    ("classic", 4, &["turn.draw_count=until_playable"]),
    ("swap-hands", 4, &[]),
    ("cars", 5, &[]),
    ("wimpy-kid", 3, &[]),
    ("disney", 2, &[]),
    ("disney", 6, &[]),
];

#[test]
fn belief_bounds_hold_across_rounds() {
    let mut sights = Sights::default();
    for (variant, seats, settings) in TABLES {
        let rules = rules(variant, seats, settings);
        let new_agent = |seat| Comparing {
            random: Random::new(Uniform::Actions, Rng::keyed(5, 0, Purpose::Agent(seat))),
            possible: PossibleCards::new(),
            naive: Naive::NOTHING_KNOWN,
            sights: Sights::default(),
        };
        let mut agents: Vec<Comparing> = Seat::first(seats).map(new_agent).collect();
        for round in 0..6 {
            let mut chance = Rng::keyed(5, 0, Purpose::Cards { round });
            let dealer = Seat::new(round as usize % seats);
            let mut state = RoundState::deal(&rules, SeatSet::first(seats), dealer, &mut chance, &mut ());
            let mut table = Table {
                rules: &rules,
                agents: &mut agents,
                scores: &NO_SCORES,
                state: &mut state,
                chance: &mut chance,
            };
            table.play_round::<AllFeatures>(());
            agents.rotate_left(1); // as partners change seats
        }
        for Comparing { sights: of_agent, .. } in agents {
            sights.compared += of_agent.compared;
            sights.reshuffled += of_agent.reshuffled;
            sights.exchanged += of_agent.exchanged;
            sights.showed += of_agent.showed;
            sights.jumped_in += of_agent.jumped_in;
        }
    }
    let Sights { compared, reshuffled, exchanged, showed, jumped_in } = sights;
    assert!(compared > 5_000 && reshuffled > 50 && exchanged > 50 && showed > 50 && jumped_in > 20, "{sights:?}");
}

/// The bounds of each seat that receives every event, and the number of comparisons before and after a reshuffle.
struct Own {
    rules: Rules,
    of_seat: [PossibleCards; MAX_SEATS],
    compared: [u32; 2],
}

struct TellOwn(Arc<Mutex<Own>>);

impl EventSink for TellOwn {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        let Own { rules, of_seat, .. } = &mut *self.0.lock().unwrap();
        for seat in state.seats() {
            let knowledge = Knowledge::default();
            let observation = Observation::of(rules, state, &knowledge, &NO_SCORES, seat);
            if let Some(seen) = observation.sees(event) {
                of_seat[seat.index()].observe(seen, &observation);
            }
        }
    }
}

/// Plays at random by the table's bounds, and compares them with the bounds that the seat maintains itself.
struct Reader {
    random: Random,
    own: Arc<Mutex<Own>>,
}

impl Agent for Reader {
    fn choose(&mut self, _observation: &Observation<'_>) -> Action {
        unreachable!("the table keeps what it reads")
    }

    fn observe(&mut self, _seen: VisibleEvent, _observation: &Observation<'_>) {
        unreachable!("it is told nothing");
    }
}

impl TablePlayer for Reader {
    fn reads_possible_cards(&self) -> bool {
        true
    }

    fn choose_by(&mut self, observation: &Observation<'_>, possible: &PossibleCards) -> Action {
        let Own { of_seat, compared, .. } = &mut *self.own.lock().unwrap();
        let own = &mut of_seat[observation.seat().index()];
        own.settle(observation);
        for seat in observation.others() {
            let (expected, found) = (own.for_seat(observation).of(seat), possible.for_seat(observation).of(seat));
            assert_eq!(found, expected, "{seat} {observation:?}");
        }
        compared[usize::from(observation.reshuffles() > 0)] += 1;
        self.random.choose(observation)
    }
}

#[test]
fn table_state_matches_state_of_each_seat() {
    let mut compared = [0; 2];
    for (variant, seats, settings) in TABLES {
        let rules = rules(variant, seats, settings);
        for round in 0..20 {
            let mut chance = Rng::keyed(6, 0, Purpose::Cards { round });
            let mut state = RoundState::deal(&rules, SeatSet::first(seats), Seat::new(0), &mut chance, &mut ());
            let mut of_seat = [const { PossibleCards::new() }; MAX_SEATS];
            for seat in state.seats() {
                let knowledge = Knowledge::default();
                of_seat[seat.index()].begin(&Observation::of(&rules, &state, &knowledge, &NO_SCORES, seat));
            }
            let own = Arc::new(Mutex::new(Own { rules: rules.clone(), of_seat, compared: [0; 2] }));
            let mut agents: Vec<Reader> = Seat::first(seats)
                .map(|seat| Reader {
                    random: Random::new(Uniform::Actions, Rng::keyed(6, u64::from(round), Purpose::Agent(seat))),
                    own: Arc::clone(&own),
                })
                .collect();
            let mut table = Table {
                rules: &rules,
                agents: &mut agents,
                scores: &NO_SCORES,
                state: &mut state,
                chance: &mut chance,
            };
            let listener: &mut dyn EventSink = &mut TellOwn(Arc::clone(&own));
            table.play_round::<AllFeatures>(listener);
            let of_round = own.lock().unwrap().compared;
            compared = [compared[0] + of_round[0], compared[1] + of_round[1]];
        }
    }
    assert!(compared.into_iter().all(|times| times > 3_000), "{compared:?}");
}
