//! Every path plays the same rounds, move by move: the fast and the general path, each instruction set, each feature set.
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::marker::PhantomData;

use unolab_agents::fault::{Fault, FaultCause};
use unolab_agents::random::{Random, Uniform};
use unolab_agents::registry::{AgentFactory, AgentRegistration, Registry};
use unolab_agents::simd_batch::{self, Exhausted, RoundBatch};
use unolab_agents::table::{Counts, Ending, Table};
use unolab_agents::turn_player::TurnAgent;
use unolab_agents::{Agent, EventSubscription, Player, TablePlayer};
use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::cpu::{Generic, Isa, dispatch};
use unolab_engine::fast::{BatchRound, Bluffs, TurnPolicy};
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::round::MAX_DECISIONS;
use unolab_engine::rules::{
    AllFeatures, FeatureSet, Override, PresetsOnly, Rules, RulesKernel, TableSize, load, presets,
};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::RoundState;

use crate::common::{Log, Played, play_round};

/// An agent that is only asked on the general path.
struct LongWay<A>(A);

impl<A: Agent> Agent for LongWay<A> {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.0.choose(observation)
    }
    fn subscription(&self) -> EventSubscription {
        self.0.subscription()
    }
    fn fault(&self) -> Option<&Fault> {
        self.0.fault()
    }
}

impl<A: Agent> TablePlayer for LongWay<A> {}

struct Rounds<'a> {
    rules: &'a Rules,
    seats: usize,
    agent: &'a str,
}

/// Plays any of its cards and names any color.
struct AnyCard<const BLUFFS: bool>(Rng);

impl<const BLUFFS: bool> TurnPolicy for AnyCard<BLUFFS> {
    const BLUFFS: Bluffs = if BLUFFS { Bluffs::Freely } else { Bluffs::Never };

    fn pick<M: Isa>(&mut self, _: &Rules, hand: Cards, playable: CardSet) -> Card {
        assert!(playable.iter().all(|card| hand.contains(card)));
        playable.nth(self.0.choice(playable.len()))
    }

    fn name(&mut self, _: &Rules, _: Cards) -> Color {
        Color::from_index(self.0.below(4) as usize)
    }
}

impl<const BLUFFS: bool> TurnAgent for AnyCard<BLUFFS> {}

/// Picks a card that it may not play, once in a while.
struct Cheat(AnyCard<true>);

impl TurnPolicy for Cheat {
    const BLUFFS: Bluffs = Bluffs::Freely;

    fn pick<M: Isa>(&mut self, rules: &Rules, hand: Cards, playable: CardSet) -> Card {
        let others = rules.deck().distinct() - playable;
        if self.0.0.below(12) == 0 { others.nth(0) } else { self.0.pick::<M>(rules, hand, playable) }
    }

    fn name(&mut self, rules: &Rules, rest: Cards) -> Color {
        self.0.name(rules, rest)
    }
}

impl TurnAgent for Cheat {
    fn answer(&mut self, observation: &Observation<'_>) -> Action {
        observation.legal_actions()[0]
    }
}

/// The built-in agents, and the policies of this test.
fn registry() -> Registry {
    let entry = |name, configure| AgentRegistration { name, summary: "", options: &[], configure };
    Registry::default()
        .with(entry("any-card", |_, _| Ok(AgentFactory::turns(|_, _, rng| AnyCard::<false>(rng)))))
        .with(entry("any-card-bluffing", |_, _| Ok(AgentFactory::turns(|_, _, rng| AnyCard::<true>(rng)))))
        .with(entry("cheat", |_, _| Ok(AgentFactory::turns(|_, _, rng| Cheat(AnyCard(rng))))))
}

impl Rounds<'_> {
    const NUMBER: usize = 70; // more than are interleaved

    fn play<P: FeatureSet, A: TablePlayer>(&self, wrap: impl Fn(Player) -> A) -> Vec<Played> {
        let agent = registry().configure(self.agent).unwrap();
        let make = |set, seat| wrap(agent.make(self.rules, seat, Rng::keyed(7, set, Purpose::Agent(seat))));
        let agents_of = |set| Seat::first(self.seats).map(|seat| make(set, seat)).collect::<Vec<A>>();
        (0..Self::NUMBER as u64).map(|set| play_round::<P, _>(self.rules, set, &mut agents_of(set))).collect()
    }
}

impl RulesKernel for Rounds<'_> {
    type Output = Vec<Played>;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Vec<Played> {
        self.play::<P, _>(|player| player)
    }
}

/// The same rounds of `random` as [`Rounds`], all at once.
struct InBatch<'a> {
    rules: &'a Rules,
    seats: usize,
    number: usize,
    batch: MakeBatch<'a>,
}

impl InBatch<'_> {
    fn begin<P: FeatureSet>(&self, set: u64, round: &mut BatchRound) {
        let mut chance = Rng::keyed(7, set, Purpose::Cards { round: 0 });
        let seats = SeatSet::first(self.seats);
        round.state.redeal_for::<P>(self.rules, seats, Seat::new(0), &mut chance, &mut ());
        round.begin(chance, |seat| Rng::keyed(7, set, Purpose::Agent(seat)));
    }
}

/// Makes a batch for a number of seats.
type MakeBatch<'a> = fn(&'a Rules, usize) -> RoundBatch<'a>;

/// Both kinds of batches.
fn batches<'a>() -> [(MakeBatch<'a>, &'static str); 2] {
    [(RoundBatch::new, "in a SIMD batch"), (RoundBatch::without_vectors, "interleaved")]
}

struct AllAtOnce<'r, 'a, P> {
    rounds: &'r InBatch<'a>,
    played: BTreeMap<usize, (RoundState, Counts)>,
    profile: PhantomData<P>,
}

impl<P: FeatureSet> simd_batch::Rounds for AllAtOnce<'_, '_, P> {
    fn begin(&mut self, number: usize, round: &mut BatchRound) -> Result<(), Exhausted> {
        if number == self.rounds.number {
            return Err(Exhausted);
        }
        self.rounds.begin::<P>(number as u64, round);
        Ok(())
    }

    fn finish(&mut self, number: usize, round: &BatchRound, _ending: Ending) {
        let counts = Counts { turns: round.turns, decisions: round.decisions };
        let before = self.played.insert(number, (round.state, counts));
        assert!(before.is_none(), "round {number} ends once");
    }
}

impl RulesKernel for InBatch<'_> {
    type Output = Vec<(RoundState, Counts)>;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Vec<(RoundState, Counts)> {
        let mut played = AllAtOnce::<P> { rounds: &self, played: BTreeMap::new(), profile: PhantomData };
        (self.batch)(self.rules, self.seats).play_all::<P>(&mut played);
        assert!(played.played.keys().copied().eq(0..self.number), "every round ends");
        played.played.into_values().collect()
    }
}

/// Ten thousand rounds of the plain game with each number of players, one by one on the general path.
#[test]
fn batch_plays_same_rounds_as_single_table() {
    let rules = load("classic", &[], TableSize::Any, &PresetsOnly).expect("a preset loads").rules;
    for seats in [2, 3, 4, 7, 10] {
        let in_batch = |batch| InBatch { rules: &rules, seats, number: 10_000, batch };
        let played = dispatch(in_batch(RoundBatch::new));
        assert!(played == dispatch(in_batch(RoundBatch::without_vectors)), "{seats} seats, without vectors");
        let one = in_batch(RoundBatch::new);
        for (set, (state, counts)) in (0..).zip(played) {
            let mut round = BatchRound::vacant(&rules);
            one.begin::<AllFeatures>(set, &mut round);
            let BatchRound { state: mut expected, mut chance, streams, .. } = round;
            let mut agents = streams.map(|stream| Random::new(Uniform::Cards, stream));
            let mut table = Table {
                rules: &rules,
                agents: &mut agents[..seats],
                scores: &NO_SCORES,
                state: &mut expected,
                chance: &mut chance,
            };
            let (expected_counts, _) = table.play_round::<AllFeatures>(());
            assert_eq!((state, counts), (expected, expected_counts), "{seats} seats, set {set}");
        }
    }
}

/// Every card except draw fours makes the next player draw two, so that hands hardly get smaller.
#[test]
fn truncated_rounds_are_same_in_batch() {
    let overrides =
        ["deck.numbers=0", "deck.wild=0", "deck.skip=0", "deck.reverse=0", "deck.draw_two=8", "seats.max=3"];
    let overrides = overrides.map(|text| text.parse().expect("key=value"));
    let rules = load("classic", &overrides, TableSize::Any, &PresetsOnly).expect("a variant loads").rules;
    let one_by_one = Rounds { rules: &rules, seats: 3, agent: "random" }.play::<AllFeatures, _>(LongWay);
    let one_by_one: Vec<_> = one_by_one.iter().map(|&(state, counts, _)| (state, counts)).collect();
    let truncated = one_by_one.iter().filter(|(_, counts)| counts.decisions == MAX_DECISIONS).count();
    assert!((1..Rounds::NUMBER).contains(&truncated), "{truncated}");
    for (batch, how) in batches() {
        let job = InBatch { rules: &rules, seats: 3, number: Rounds::NUMBER, batch };
        assert!(one_by_one == dispatch(job), "{how}");
    }
}

/// A round of three, with the faults of its agents.
fn round_with_faults<A: TablePlayer>(set: u64, wrap: impl Fn(Player) -> A) -> (RoundState, Log, Vec<Option<Fault>>) {
    let rules = Rules::preset("classic");
    let agents = ["cheat", "greedy", "any-card"].map(|agent| registry().configure(agent).unwrap());
    let mut players: Vec<A> = Seat::first(3)
        .zip(agents)
        .map(|(seat, agent)| wrap(agent.make(&rules, seat, Rng::keyed(7, set, Purpose::Agent(seat)))))
        .collect();
    let (state, _, log) = play_round::<AllFeatures, _>(&rules, set, &mut players);
    (state, log, players.iter().map(|player| player.fault().cloned()).collect())
}

#[test]
fn illegal_pick_of_turn_agent_is_same_fault_on_every_path() {
    let mut faults = 0;
    for set in 0..200 {
        let played = round_with_faults(set, |player| player);
        assert!(played == round_with_faults(set, LongWay), "set {set}");
        let [of_cheat, None, None] = &played.2[..] else { panic!("set {set}: {:?}", played.2) };
        faults += usize::from(of_cheat.as_ref().is_some_and(|fault| fault.kind == FaultCause::Illegal));
    }
    assert!((50..200).contains(&faults), "{faults}");
}

#[test]
fn every_path_plays_same_rounds() {
    let changes = [
        None,
        Some("house.stacking=any_draw"),
        Some("house.seven_zero=true"),
        Some("turn.draw_count=until_playable"),
        Some("turn.draw=no_playable"),
        Some("tinker.resume=after_player"),
        Some("deal.hand_size=1"),
        Some("deal.hand_size=10"), // ten seats: few cards are left to draw
        Some("draw_four.legality=any"),
        Some("draw_four.legality=no_other_playable"),
        Some("challenge.winner_turn=loses"),
        Some("challenge.who=any_other"),
        Some("two_player.reverse=literal"),
        Some("tinker.weights=[0.1,0.2,0.3,0.4]"),
    ];
    for name in presets::NAMES {
        for change in changes {
            let overrides: Vec<Override> = change.iter().map(|text| text.parse().expect("key=value")).collect();
            let Ok(loaded) = load(name, &overrides, TableSize::Any, &PresetsOnly) else { continue };
            let rules = loaded.rules;
            for seats in [2, 3, 4, 10].into_iter().filter(|seats| rules.seats().contains(seats)) {
                for agent in ["random", "random:copies=true", "greedy", "any-card", "any-card-bluffing"] {
                    let rounds = || Rounds { rules: &rules, seats, agent };
                    let long = rounds().play::<AllFeatures, _>(LongWay);
                    assert!(long == dispatch(rounds()), "{name} {change:?} {seats} {agent}, best machine");
                    assert!(long == rounds().run_fitting::<Generic>(), "{name} {change:?} {seats} {agent}, baseline");
                    if agent == "random" {
                        let long: Vec<_> = long.iter().map(|&(state, counts, _)| (state, counts)).collect();
                        for (batch, how) in batches() {
                            let job = || InBatch { rules: &rules, seats, number: Rounds::NUMBER, batch };
                            assert!(long == dispatch(job()), "{name} {change:?} {seats}, {how}");
                            assert!(
                                long == job().run_fitting::<Generic>(),
                                "{name} {change:?} {seats}, {how}, baseline"
                            );
                        }
                    }
                }
            }
        }
    }
}
