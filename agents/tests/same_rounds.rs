//! Every path plays the same rounds, move for move: the short way and the long one, each machine, each profile.
#![allow(missing_docs)]

use unolab_agents::greedy::Greedy;
use unolab_agents::random::{Random, Uniform};
use unolab_agents::table::{Counts, Table};
use unolab_agents::{Agent, Memory, Player};
use unolab_engine::action::Action;
use unolab_engine::event::{Event, Events};
use unolab_engine::machine::{Baseline, Job, Machine, on_best_machine};
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{Override, PresetsOnly, Rules, TableSize, load, presets};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{Everything, Plain, Profile, RoundState};

/// Everything that happened, in order.
#[derive(Debug, Default, PartialEq)]
struct Log(Vec<Event>);

impl Events for Log {
    fn tell(&mut self, _state: &RoundState, event: Event) {
        self.0.push(event);
    }
}

type Played = (RoundState, Counts, Log);

#[derive(Debug, Clone, Copy)]
enum Kind {
    Random(Uniform),
    Greedy,
}

/// An agent that is only ever asked the long way.
struct LongWay<A>(A);

impl<A: Agent> Agent for LongWay<A> {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.0.choose(observation)
    }
    fn memory(&self) -> Memory {
        self.0.memory()
    }
}

struct Rounds<'a> {
    rules: &'a Rules,
    seats: usize,
    kind: Kind,
}

impl Rounds<'_> {
    const NUMBER: u64 = 60;

    fn play<P: Profile, A: Agent>(&self, wrap: impl Fn(Player) -> A) -> Vec<Played> {
        (0..Self::NUMBER)
            .map(|set| {
                let mut chance = Rng::keyed(7, set, Purpose::Cards { round: 0 });
                let mut log = Log::default();
                let mut agents: Vec<A> = Seat::first(self.seats)
                    .map(|seat| {
                        let rng = Rng::keyed(7, set, Purpose::Agent(seat));
                        wrap(match self.kind {
                            Kind::Random(uniform) => Player::Random(Random::new(uniform, rng)),
                            Kind::Greedy => Player::Greedy(Greedy::new(rng)),
                        })
                    })
                    .collect();
                let seats = SeatSet::first(self.seats);
                let mut state = RoundState::deal::<P>(self.rules, seats, Seat::new(0), &mut chance, &mut log);
                let mut table = Table { rules: self.rules, agents: &mut agents, scores: &NO_SCORES };
                let (counts, _) = table.play_round::<P>(&mut state, &mut chance, &mut log);
                (state, counts, log)
            })
            .collect()
    }
}

impl Job for Rounds<'_> {
    type Output = Vec<Played>;
    #[inline(always)]
    fn run<M: Machine>(self) -> Vec<Played> {
        if Plain::<M>::fits(self.rules) {
            self.play::<Plain<M>, _>(|player| player)
        } else {
            self.play::<Everything<M>, _>(|player| player)
        }
    }
}

#[test]
fn every_path_plays_the_same_rounds() {
    let changes = [
        None,
        Some("house.stacking=any_draw"),
        Some("house.seven_zero=true"),
        Some("turn.draw_count=until_playable"),
        Some("turn.draw=no_playable"),
        Some("tinker.resume=after_player"),
        Some("deal.hand_size=1"),
    ];
    for name in presets::NAMES {
        for change in changes {
            let overrides: Vec<Override> = change.iter().map(|text| text.parse().expect("key=value")).collect();
            let Ok(loaded) = load(name, &overrides, TableSize::Any, &PresetsOnly) else { continue };
            let rules = loaded.rules;
            for seats in [2, 3, 4, 10].into_iter().filter(|seats| rules.seats().contains(seats)) {
                for kind in [Kind::Random(Uniform::Cards), Kind::Random(Uniform::Copies), Kind::Greedy] {
                    let rounds = || Rounds { rules: &rules, seats, kind };
                    let long = rounds().play::<Everything, _>(LongWay);
                    assert!(long == on_best_machine(rounds()), "{name} {change:?} {seats} {kind:?}, best machine");
                    assert!(long == rounds().run::<Baseline>(), "{name} {change:?} {seats} {kind:?}, baseline");
                }
            }
        }
    }
}
