//! The search agents: their options, their beliefs, and the wins that they must find.
#![allow(missing_docs)]

use std::time::{Duration, Instant};

use crate::common::{Told, rules, turn};
use unolab_agents::agent::Agent;
use unolab_agents::belief::{Belief, published};
use unolab_agents::goal::Goal;
use unolab_agents::player::TablePlayer;
use unolab_agents::registry::Registry;
use unolab_agents::search::policy::Policy;
use unolab_agents::search::valuation::Valuation;
use unolab_agents::table::Table;
use unolab_engine::action::{Action, Call};
use unolab_engine::card::CardSet;
use unolab_engine::color::Color;
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{AllFeatures, Rules, presets};
use unolab_engine::script::Script;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

#[test]
fn invalid_options_are_rejected_with_allowed_values() {
    for (text, allowed) in [
        ("monte-carlo:rollouts=0", "a whole number from 1"),
        ("monte-carlo:rollouts=10,time=5", "without a number of trials"),
        ("monte-carlo:policy=clairvoyant", "random, greedy, card-ranking, mixbot, heuristic or net"),
        ("monte-carlo:goal=fun", "win, points or match"),
        ("monte-carlo:trees=2", "unknown option `trees`"),
        ("ismcts:trees=0", "a whole number from 1"),
        ("ismcts:playouts=0", "a whole number from 1"),
        ("ismcts:playouts=1001", "a whole number from 1 to 1000"),
        ("ismcts:trees=1001", "a whole number from 1 to 1000"),
        ("ismcts:belief=firm", "uniform or inferred"),
        ("ismcts:explore=-1", "a number from 0"),
        ("ismcts:bias=nan", "a number from 0"),
        ("ismcts:size=huge", "small or large"),
        ("clairvoyant:belief=uniform", "unknown option `belief`"),
    ] {
        let error = Registry::default().configure(text).unwrap_err();
        assert!(error.reason.contains(allowed), "{error}");
    }
}

/// Skip, skip, and out: no other seat moves in between.
#[test]
fn winning_line_is_found() {
    let classic = rules("classic", 2, &[]);
    let state = turn(&classic, &["rS gS g1", "y1 y2"], "r5");
    for agent in
        ["monte-carlo:rollouts=200,bias=0", "ismcts:iterations=200,bias=0", "ismcts:iterations=200,bias=0,trees=3"]
    {
        for seed in 0..5 {
            let mut told = Told::new(&classic, state, agent, seed);
            assert_eq!(classic.write_action(told.answer().into()), "play rS", "{agent}");
        }
    }
}

/// With almost all weight on the net's values, a search nearly always plays as the net of the same size.
#[test]
fn size_determines_net_of_prior() {
    let classic = rules("classic", 2, &[]);
    let answer = |state, agent: &str| {
        let mut told = Told::new(&classic, state, agent, 1);
        told.begin_round();
        told.answer()
    };
    let (mut differences, mut followed) = (0, 0);
    for seed in 0..100 {
        let mut rng = Rng::from_seed(seed);
        let state = RoundState::deal_without_events(&classic, SeatSet::first(2), Seat::new(1), &mut rng);
        if state.current_seat() != Some(Seat::new(0)) {
            continue; // the first card of the discard pile has skipped it
        }
        let nets = ["small", "large"].map(|size| answer(state, &format!("net:size={size}")));
        if nets[0] != nets[1] {
            let search = |size| answer(state, &format!("ismcts:iterations=1,net=1000000,size={size}"));
            differences += 1;
            followed += u32::from(["small", "large"].map(search) == nets);
        }
    }
    assert!(differences >= 10 && followed * 10 >= differences * 8, "{followed} of {differences}");
}

/// The whole time, if no other limit ends the search.
#[test]
fn time_budget_is_respected() {
    let classic = rules("classic", 4, &[]);
    let state = turn(&classic, &["r1 r2 g3 b4 W", "y1 y2 y3", "g1 g2", "b1 b2 b3"], "r5");
    for agent in ["monte-carlo:time=20,sure=0", "ismcts:time=20,sure=0"] {
        let mut told = Told::new(&classic, state, agent, 1);
        let begin = Instant::now();
        told.answer();
        let elapsed = begin.elapsed();
        assert!(elapsed >= Duration::from_millis(15) && elapsed < Duration::from_secs(5), "{agent}: {elapsed:?}");
    }
}

/// A round whose events a belief in seat 0 receives.
struct Watched<'a> {
    rules: &'a Rules,
    state: RoundState,
    knowledge: Knowledge,
    belief: Belief,
}

impl EventSink for Watched<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        let observation = Observation::of(self.rules, state, &self.knowledge, &NO_SCORES, Seat::new(0));
        if let Some(seen) = published::SUBSCRIPTION.received(event, Seat::new(0)) {
            self.belief.observe(seen, &observation);
        }
    }
}

impl<'a> Watched<'a> {
    fn new(rules: &'a Rules, state: RoundState) -> Self {
        let mut belief = Belief::default();
        belief.begin_round(&Observation::of(rules, &state, &Knowledge::default(), &NO_SCORES, Seat::new(0)));
        Self { rules, state, knowledge: Knowledge::default(), belief }
    }

    fn act(&mut self, action: &str, draws: &str) {
        let action = self.rules.parse_action(action).unwrap().action;
        let (mut state, seat) = (self.state, self.state.current_seat().unwrap());
        let mut chance = Script::new(self.rules.parse_card_list(draws).unwrap(), [], 0);
        state.apply_action_unchecked(self.rules, seat, action, Call::Silent, &mut chance, self);
        self.state = state;
    }

    /// The mean number of cards of these kinds in a seat's hand, over samples with and without belief.
    fn expected(&mut self, kinds: CardSet, seat: usize) -> [f64; 2] {
        const SAMPLES: u32 = 2_000;
        let mut rng = Rng::from_seed(1);
        let observation = Observation::of(self.rules, &self.state, &self.knowledge, &NO_SCORES, Seat::new(0));
        self.belief.settle(&observation);
        let mut counts = [0; 2];
        let mut deals = self.belief.deals(&observation, &mut rng);
        for _ in 0..SAMPLES {
            let inferred = deals.next_state(&mut rng);
            let uniform = observation.sample_state(&mut rng);
            for (count, state) in counts.iter_mut().zip([inferred, uniform]) {
                let hand = state.hand(Seat::new(seat));
                assert_eq!(hand.len(), self.state.hand(Seat::new(seat)).len());
                *count += hand.only(kinds).len();
            }
        }
        counts.map(|count| f64::from(count) / f64::from(SAMPLES))
    }
}

#[test]
fn drawing_player_is_believed_to_hold_few_playable_cards() {
    let classic = rules("classic", 2, &[]);
    let mut watched = Watched::new(&classic, turn(&classic, &["r1 b2 g3", "y1 y2 y3 y4 y5"], "r0"));
    watched.act("play r1", "");
    watched.act("draw", "g5");
    let [inferred, uniform] = watched.expected(classic.of_color(Color::Red), 1);
    assert!(inferred < 0.1 * uniform, "{inferred} {uniform}");
    // A card that it draws later can be any card.
    watched.act("draw", "g6");
    watched.act("draw", "g7");
    watched.act("draw", "g8");
    let [inferred, _] = watched.expected(classic.of_color(Color::Red), 1);
    assert!(inferred < 0.1 * uniform, "{inferred} {uniform}");
}

#[test]
fn playing_previously_missing_card_implies_draw() {
    let classic = rules("classic", 2, &[]);
    let mut watched = Watched::new(&classic, turn(&classic, &["r1 b2 g3", "y1 y2 y3 y4 y5"], "r0"));
    watched.act("play r1", "");
    watched.act("draw", "r7");
    watched.act("play r7", "");
    // The five cards that it could not play are still there, and the red one has gone.
    let [inferred, uniform] = watched.expected(classic.of_color(Color::Red), 1);
    assert!(inferred < 0.1 * uniform, "{inferred} {uniform}");
}

/// The seat is unlikely to have kept a colored card.
#[test]
fn kept_playable_card_is_likely_wild() {
    let classic = rules("classic", 2, &[]);
    let mut watched = Watched::new(&classic, turn(&classic, &["r1 b2 g3", "y1 y2 y3 y4 y5"], "r0"));
    watched.act("play r1", "");
    watched.act("draw", "W");
    watched.act("keep", "");
    let wilds = classic.every_kind() - classic.colored();
    let [inferred, uniform] = watched.expected(wilds, 1);
    assert!(inferred > uniform + 0.5, "{inferred} {uniform}");
}

/// A player who draws until a card is playable has drawn cards that were not.
#[test]
fn cards_drawn_before_playable_one_are_unplayable() {
    let classic = rules("classic", 2, &["turn.draw_count=until_playable"]);
    let mut watched = Watched::new(&classic, turn(&classic, &["r1 b2 g3", "y1 y2"], "r0"));
    watched.act("play r1", "");
    watched.act("draw", "g5 g6 y9 r7");
    watched.act("play r7", "");
    let [inferred, uniform] = watched.expected(classic.of_color(Color::Red), 1);
    assert!(inferred < 0.05 * uniform, "{inferred} {uniform}");
}

#[test]
fn chosen_color_is_believed_held() {
    let classic = rules("classic", 2, &[]);
    let mut watched = Watched::new(&classic, turn(&classic, &["r1 b2 g3", "W y2 y3 y4 y5"], "r0"));
    watched.act("play r1", "");
    watched.act("play W y", "");
    let [inferred, uniform] = watched.expected(classic.of_color(Color::Yellow), 1);
    assert!(inferred > 1.2 * uniform, "{inferred} {uniform}");
    let [inferred, uniform] = watched.expected(classic.of_color(Color::Red), 1);
    assert!(inferred < 0.5 * uniform, "{inferred} {uniform}");
}

#[test]
fn beliefs_move_with_swapped_hand() {
    let rules = rules("swap-hands", 4, &[]);
    let hands = ["r1 b2 g3", "y1 y2 y3 y4 y5", "WS g5 g6", "b1 b3 b4"];
    let mut watched = Watched::new(&rules, turn(&rules, &hands, "r0"));
    watched.act("play r1", "");
    watched.act("draw", "g5");
    watched.act("play WS r", "");
    watched.act("swap 1", "");
    let [inferred, uniform] = watched.expected(rules.of_color(Color::Red), 2);
    assert!(inferred < 0.1 * uniform, "{inferred} {uniform}");
}

/// Samples at every call, also in the middle of actions.
struct Curious {
    rng: Rng,
}

impl Agent for Curious {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let actions = observation.legal_actions();
        actions[self.rng.below(u32::try_from(actions.len()).unwrap()) as usize]
    }

    fn observe(&mut self, _seen: VisibleEvent, observation: &Observation<'_>) {
        let sample = observation.sample_state(&mut self.rng);
        let own = sample.hand(observation.seat());
        // During a lap, a seat may know only some cards of a hand (CA-16).
        assert!(own.len() == observation.hand_len(observation.seat()) && own.contains_all(observation.hand()));
        for seat in observation.others() {
            assert_eq!(sample.hand(seat).len(), observation.hand_len(seat));
            assert!(sample.hand(seat).contains_all(observation.known(seat)));
        }
    }
}

impl TablePlayer for Curious {}

#[test]
fn sample_during_action_is_possible() {
    for name in presets::NAMES {
        for settings in [&[][..], &["house.seven_zero=true"], &["house.stacking=any_draw", "draw_two.target=next"]] {
            let rules = rules(name, 4, settings);
            for seed in 0..5 {
                let mut agents: Vec<Curious> =
                    (0..4).map(|seat| Curious { rng: Rng::from_seed(10 * seed + seat) }).collect();
                let mut cards = Rng::keyed(seed, 0, Purpose::Cards { round: 0 });
                let (seats, dealer) = (SeatSet::first(4), Seat::new(0));
                let mut state = RoundState::deal(&rules, seats, dealer, &mut cards, &mut ());
                let mut table = Table {
                    rules: &rules,
                    agents: &mut agents,
                    scores: &NO_SCORES,
                    state: &mut state,
                    chance: &mut cards,
                };
                table.play_round::<AllFeatures>(());
            }
        }
    }
}

/// The seven swaps ten cards for the other seat's single card.
#[test]
fn valuation_follows_table_rules() {
    let rules = rules("classic", 2, &["house.seven_zero=true"]);
    let state = turn(&rules, &["r7 r1 b1 b2 b3 b4 b5 b6 y1 y2", "g1"], "r5");
    let knowledge = Knowledge::default();
    let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, Seat::new(0));
    let valuation = Valuation { worlds: 100, policy: Policy::Greedy, goal: Goal::Win };
    let values = valuation.of(&observation, &mut Rng::from_seed(1));
    let worth = |card: &str| {
        let of_card = values.iter().find(|value| value.action.card() == Some(rules.parse_card(card).unwrap()));
        of_card.expect("it can be played").value
    };
    assert!(worth("r7") > worth("r1") + 0.2, "{} {}", worth("r7"), worth("r1"));
}
