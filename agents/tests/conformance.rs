//! Every agent answers every decision of every variant legally; the same seed gives the same game; and hidden cards do not
//! affect the answers of a seat.
#![allow(missing_docs)]

use crate::common::{agent, agents_by_pace, rules};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::player::Player;
use unolab_agents::table::{Ending, Table};
use unolab_engine::action::{Action, Call};
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{DrawCount, Override, Rules, TableSize, VariantFiles, VariantText, load, presets};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::RoundState;

/// House rules with decisions that no edition has.
const HOUSE_RULES: [&[&str]; 9] = [
    &[],
    &["uno.calls=explicit"],
    &["house.stacking=any_draw", "draw_two.target=next", "uno.calls=explicit"],
    &["house.stacking=same_kind", "draw_two.target=next", "challenge.who=any_other", "draw_four.enforcement=bluff"],
    &["house.seven_zero=true", "house.jump_in=true", "uno.calls=explicit", "uno.window=while_one_card"],
    &["turn.draw=no_playable", "turn.drawn_card=must", "turn.draw_count=until_playable"],
    &["draw_four.legality=no_other_playable", "swap_hands.optional=false", "cheese_touch.may_refuse=false"],
    &["two_player.reverse=literal", "start.wild=return", "discard_all.choice=all", "villain_draw_four.last_card=full"],
    &["match.scoring=running_lowest", "deal.hand_size=2"],
];

/// Custom cards with every effect.
const BLANKS: &str = r#"
base = "custom"
[[custom]]
code = "rX"
color = "red"
copies = 4
match = "color"
start = "plain"
effects = [{ draw = { who = "chosen", count = 2 } }, { skip = 2 }]
[[custom]]
code = "gX"
color = "green"
copies = 3
match = "7"
effects = [{ task = { p = 0.5, fail = [{ draw = { who = "all", count = 1 } }] } }, "reverse", "name_color"]
[[custom]]
code = "WX"
color = "wild"
copies = 4
match = "any"
effects = ["name_color", { discard = { who = "others", cards = "named_color" } }, "swap_hands"]
[[custom]]
code = "bX"
color = "blue"
copies = 4
match = "any"
effects = [{ discard = { who = "chosen", cards = "wilds" } }, "rotate_hands", { skip = "all" }]
"#;

struct Blanks;

impl VariantFiles for Blanks {
    fn read(&self, name: &str, _from: &str) -> Result<VariantText, String> {
        Ok(VariantText { name: name.into(), text: BLANKS.into() })
    }
}

/// Every variant with every set of house rules at these numbers of seats, if they are compatible.
fn tables(seats: &[usize]) -> Vec<(Rules, usize)> {
    let mut tables = Vec::new();
    for name in presets::NAMES.into_iter().chain(["blanks.toml"]) {
        for (&seats, settings) in seats.iter().flat_map(|seats| HOUSE_RULES.map(|settings| (seats, settings))) {
            let overrides: Vec<Override> = settings.iter().map(|text| text.parse().expect("key=value")).collect();
            let loaded = load(name, &overrides, TableSize::Seats(seats), &Blanks);
            tables.extend(loaded.ok().map(|loaded| (loaded.rules, seats)));
        }
    }
    for name in ["classic", "cars", "swap-hands"] {
        tables.push((rules(name, 4, &["match.teams=fixed"]), 4));
    }
    tables
}

/// Plays a round.
fn play(rules: &Rules, agents: &[&str], seed: u64) -> RoundState {
    let (mut state, mut chance, mut players) = begin(rules, agents, seed);
    Table { rules, agents: &mut players, scores: &NO_SCORES, state: &mut state, chance: &mut chance }
        .play_without_events();
    state
}

/// Plays a round on the general path; `wrap` wraps each agent.
fn play_wrapped<A: Agent>(
    rules: &Rules,
    agents: &[&str],
    seed: u64,
    wrap: impl Fn(Player, Seat) -> A,
) -> (RoundState, Ending) {
    let (mut state, mut chance, players) = begin(rules, agents, seed);
    let mut wrapped: Vec<A> =
        players.into_iter().zip(Seat::first(agents.len())).map(|(player, seat)| wrap(player, seat)).collect();
    let mut agents: Vec<&mut dyn Agent> = wrapped.iter_mut().map(|agent| agent as _).collect();
    let mut table = Table { rules, agents: &mut agents, scores: &NO_SCORES, state: &mut state, chance: &mut chance };
    let ending = table.play_with_any(u32::MAX);
    (state, ending.unwrap_or(Ending::Truncated))
}

fn begin(rules: &Rules, agents: &[&str], seed: u64) -> (RoundState, Rng, Vec<Player>) {
    let player = |(seat, text): (Seat, &&str)| agent(text, rules, seat, seed * 10 + seat.index() as u64);
    let players = Seat::first(agents.len()).zip(agents).map(player).collect();
    let mut chance = Rng::keyed(seed, 0, Purpose::Cards { round: 0 });
    let dealer = Seat::new(usize::from(seed % 2 == 1));
    let state = RoundState::deal(rules, SeatSet::first(agents.len()), dealer, &mut chance, &mut ());
    (state, chance, players)
}

/// Checks that the wrapped agent chooses only legal actions.
struct Checked(Player);

impl Agent for Checked {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let action = self.0.choose(observation);
        let legal = observation.legal_actions();
        assert!(legal.contains(&action), "{:?} answers {action:?} to {observation:?}; legal: {legal:?}", self.0);
        assert_eq!(self.0.fault(), None, "{observation:?}; legal: {legal:?}");
        action
    }
    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        self.0.call(observation, action)
    }
    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let action = self.0.interrupt(observation, options);
        assert!(action == Action::Silent || options.contains(&action));
        action
    }
    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.0.begin_round(observation);
    }
    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.0.observe(seen, observation);
    }
    fn subscription(&self) -> EventSubscription {
        self.0.subscription()
    }
}

#[test]
fn agents_answer_legally_and_deterministically() {
    let all: Vec<String> = agents_by_pace().into_iter().map(|(text, _)| text).collect();
    let unfinished_of = |(table, (rules, seats)): (usize, &(Rules, usize))| {
        let mut unfinished = 0;
        for (number, text) in all.iter().enumerate() {
            // Some play among copies, some among other agents.
            let among_others = (0..*seats).map(|seat| all[(number + 5 * seat) % all.len()].as_str()).collect();
            for (seed, agents) in [(1, vec![text.as_str(); *seats]), (2, among_others)] {
                let (state, ending) = play_wrapped(rules, &agents, seed, |player, _| Checked(player));
                // A player who draws until a card is playable may need more decisions than the limit.
                let is_patient = !text.starts_with("first-legal")
                    && !text.contains("uniform")
                    && rules.parameters().draw_count == DrawCount::One;
                unfinished += usize::from(ending != Ending::Finished && is_patient);
                if (table + number).is_multiple_of(7) {
                    let is_repeated = play(rules, &agents, seed) == state;
                    let (name, seats) = (rules.name(), agents.len());
                    assert!(is_repeated, "{agents:?} in {name}, {seats} seats, seed {seed}: a repeated round differs");
                }
            }
        }
        unfinished
    };
    let tables = tables(&[2, 3, 4, 6, 10]);
    let rounds = 2 * tables.len() * all.len();
    assert!(rounds > 8_000, "{rounds}");
    let unfinished: usize = tables.par_iter().enumerate().map(unfinished_of).sum();
    // Two different agents that hold the whole deck may play forever.
    assert!(unfinished < rounds / 2_000, "{unfinished} of {rounds} rounds had no end");
}

/// Two equal agents, the second of which plays in worlds that its seat cannot distinguish from the first: all hidden cards
/// are redealt for each action and each decision.
struct Twins<'a> {
    name: &'a str,
    agents: [Player; 2],
    rng: Rng,
}

impl Twins<'_> {
    fn in_other_world(&mut self, observation: &Observation<'_>, then: impl FnOnce(&mut Player, &Observation<'_>)) {
        let (rules, seat) = (observation.rules(), observation.seat());
        let state = observation.sample_state(&mut self.rng);
        let knowledge = observation.knowledge();
        let other = Observation::of(rules, &state, &knowledge, observation.scores(), seat);
        let [mut here, mut there] = [Vec::new(), Vec::new()];
        observation.write_into(&mut here);
        other.write_into(&mut there);
        assert_eq!(here, there, "{observation:?} and {other:?}");
        let seed = u64::from(self.rng.bits());
        let samples = [observation, &other].map(|view| view.sample_state(&mut Rng::from_seed(seed)));
        assert_eq!(samples[0], samples[1], "{observation:?}");
        then(&mut self.agents[1], &other);
    }
}

impl Agent for Twins<'_> {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let action = self.agents[0].choose(observation);
        let name = self.name;
        self.in_other_world(observation, |agent, other| assert_eq!(agent.choose(other), action, "{name} {other:?}"));
        action
    }
    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        let call = self.agents[0].call(observation, action);
        let name = self.name;
        self.in_other_world(observation, |agent, other| {
            assert_eq!(agent.call(other, action), call, "{name} {other:?}");
        });
        call
    }
    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let action = self.agents[0].interrupt(observation, options);
        let name = self.name;
        self.in_other_world(observation, |agent, other| {
            assert_eq!(agent.interrupt(other, options), action, "{name} {other:?}");
        });
        action
    }
    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.agents.iter_mut().for_each(|agent| agent.begin_round(observation));
    }
    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.agents[0].observe(seen, observation);
        if matches!(seen, VisibleEvent::Open(Event::Acted { .. })) {
            self.in_other_world(observation, |agent, other| agent.observe(seen, other));
        } else {
            self.agents[1].observe(seen, observation); // in the middle of an action no state can be redealt
        }
    }
}

#[test]
fn hidden_cards_do_not_change_agent_actions() {
    let all: Vec<String> = agents_by_pace().into_iter().map(|(text, _)| text).collect();
    let mut in_turn = all.iter().map(String::as_str).cycle();
    for (rules, seats) in tables(&[2, 3, 4, 10]) {
        for seed in [0, 1] {
            let agents: Vec<&str> = in_turn.by_ref().take(seats).collect();
            play_wrapped(&rules, &agents, seed, |player, seat| {
                let twin = agent(agents[seat.index()], &rules, seat, seed * 10 + seat.index() as u64);
                Twins { name: agents[seat.index()], agents: [player, twin], rng: Rng::from_seed(seed + 99) }
            });
        }
    }
}

#[test]
fn agent_that_never_forgets_plays_like_inner_agent() {
    for settings in [&["uno.calls=explicit"][..], &[]] {
        let rules = rules("classic", 3, settings);
        for seed in 0..20 {
            let plain = play(&rules, &["mixbot", "random", "greedy"], seed);
            let wrapped = ["forgetful:p=0,q=0,agent=mixbot", "forgetful:p=0,q=0,agent=random", "greedy"];
            assert_eq!(play(&rules, &wrapped, seed), plain);
        }
    }
}

/// A seat's memory of one round has no effect on the next. The search takes the action that `heuristic` would take.
#[test]
fn round_is_independent_of_earlier_rounds() {
    let rules = rules("classic", 2, &[]);
    let round = |players: &mut [Player], seed: u64| {
        let mut chance = Rng::keyed(seed, 1, Purpose::Cards { round: 0 });
        let mut state = RoundState::deal(&rules, SeatSet::first(2), Seat::new(0), &mut chance, &mut ());
        let mut table =
            Table { rules: &rules, agents: players, scores: &NO_SCORES, state: &mut state, chance: &mut chance };
        table.play_without_events();
        state
    };
    for name in ["heuristic", "net", "monte-carlo:rollouts=1,net=0,bias=1000000,policy=random"] {
        let player = || agent(name, &rules, Seat::new(0), 1);
        let other = |seed| agent("random", &rules, Seat::new(1), seed);
        for seed in 0..60 {
            let mut experienced = [player(), other(seed)];
            round(&mut experienced, seed);
            experienced[1] = other(seed + 1_000);
            let mut fresh = [player(), other(seed + 1_000)];
            assert_eq!(round(&mut experienced, seed + 1_000), round(&mut fresh, seed + 1_000), "{name} {seed}");
        }
    }
}

#[test]
fn fully_forgetful_agent_never_calls_or_catches() {
    struct Silent(Player);
    impl Agent for Silent {
        fn choose(&mut self, observation: &Observation<'_>) -> Action {
            self.0.choose(observation)
        }
        fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
            let call = self.0.call(observation, action);
            assert_eq!(call, Call::Silent);
            call
        }
        fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
            let action = self.0.interrupt(observation, options);
            assert_eq!(action, Action::Silent);
            action
        }
    }
    let rules = rules("classic", 3, &["uno.calls=explicit"]);
    for seed in 0..50 {
        play_wrapped(&rules, &["forgetful:p=1,q=1,agent=greedy"; 3], seed, |player, _| Silent(player));
    }
}
