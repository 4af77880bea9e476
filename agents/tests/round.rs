//! [`Round`] asks in the same order as [`Table`], and plays the same rounds, move by move, including calls, catches, and
//! jump-ins; without them, also the fast path.
#![allow(missing_docs)]

use unolab_agents::registry::Registry;
use unolab_agents::table::{Counts, Table};
use unolab_agents::{Agent, EventSubscription, Player};
use unolab_engine::action::{Action, Call};
use unolab_engine::cpu::dispatch;
use unolab_engine::event::Event;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::round::{Deal, DecisionKind, Round};
use unolab_engine::rules::{
    AllFeatures, FeatureSet, Features, Override, PresetsOnly, Rules, RulesKernel, TableSize, load, presets,
};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

use crate::common::{Log, Pause, Played, play_round};

/// Answers every decision with a random legal answer.
struct Anything(Rng);

impl Anything {
    fn one_of(&mut self, options: &[Action]) -> Action {
        *self.0.pick(options).expect("something is legal")
    }
}

impl Agent for Anything {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let actions = observation.legal_actions();
        // Cards half of the time, so that rounds end.
        let plays: Vec<Action> = actions.iter().copied().filter(|action| action.card().is_some()).collect();
        if !plays.is_empty() && self.0.chance(0.5) { self.one_of(&plays) } else { self.one_of(&actions) }
    }
    fn call(&mut self, _observation: &Observation<'_>, _action: Action) -> Call {
        if self.0.chance(0.5) { Call::Uno } else { Call::Silent }
    }
    fn interrupt(&mut self, _observation: &Observation<'_>, options: &[Action]) -> Action {
        let chosen = self.one_of(options);
        if self.0.chance(0.5) { chosen } else { Action::Silent }
    }
    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Anything,
    Random,
    Greedy,
}

impl Kind {
    fn player(self, rules: &Rules, set: u64, seat: Seat) -> Player {
        let rng = Rng::keyed(7, set, Purpose::Agent(seat));
        let built_in = match self {
            Self::Anything => return Player::of(Box::new(Anything(rng.clone())), seat, rng),
            Self::Random => "random",
            Self::Greedy => "greedy",
        };
        Registry::default().configure(built_in).expect("it is built in").make(rules, seat, rng)
    }
}

#[derive(Clone, Copy)]
struct Rounds<'a> {
    rules: &'a Rules,
    seats: usize,
    kind: Kind,
    number: u64,
}

impl Rounds<'_> {
    fn agents(&self, set: u64) -> Vec<Player> {
        Seat::first(self.seats).map(|seat| self.kind.player(self.rules, set, seat)).collect()
    }

    fn chance(set: u64) -> Rng {
        Rng::keyed(7, set, Purpose::Cards { round: 0 })
    }

    fn at_table<P: FeatureSet>(self) -> Vec<Played> {
        (0..self.number).map(|set| play_round::<P, _>(self.rules, set, &mut self.agents(set))).collect()
    }

    /// The same rounds with [`Round`].
    fn as_rounds(self) -> Vec<Played> {
        (0..self.number)
            .map(|set| {
                let mut agents = self.agents(set);
                let deal = Deal::first(self.seats, Seat::new(0));
                let mut round = Round::deal_at(self.rules, deal, Self::chance(set));
                while let Some(decision) = round.decision() {
                    let observation = round.observation(decision.seat);
                    let agent = &mut agents[decision.seat.index()];
                    let action = match decision.kind {
                        DecisionKind::Call { with } => match agent.call(&observation, with) {
                            Call::Uno => Action::Uno,
                            Call::Silent => Action::Silent,
                        },
                        DecisionKind::Window { .. } | DecisionKind::JumpIn => {
                            let (silent, options) = decision.actions.split_last().expect("options");
                            assert_eq!(*silent, Action::Silent);
                            agent.interrupt(&observation, options)
                        }
                        _ => agent.choose(&observation),
                    };
                    round.apply(action).expect("agents choose legal actions");
                }
                let mut log = Log::default();
                round.replay_events(&mut log).expect("the round began with a deal");
                let counts = Counts { turns: round.turns(), decisions: round.decisions() };
                (*round.state(), counts, log)
            })
            .collect()
    }
}

impl RulesKernel for Rounds<'_> {
    type Output = Vec<Played>;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Vec<Played> {
        self.at_table::<P>()
    }
}

#[test]
fn round_asks_in_table_order() {
    let changes: [&[&str]; 9] = [
        &[],
        &["uno.calls=explicit"],
        &["house.jump_in=true"],
        &["uno.calls=explicit", "house.jump_in=true"],
        &["uno.calls=explicit", "house.jump_in=true", "uno.window=while_one_card"],
        &["uno.calls=explicit", "uno.window=next_plays", "house.seven_zero=true", "house.jump_in=true"],
        &["uno.calls=explicit", "uno.self_catch=false", "house.stacking=any_draw"],
        &["uno.calls=explicit", "house.jump_in=true", "deal.hand_size=2"],
        &["uno.calls=explicit", "uno.penalty=0", "turn.draw_count=until_playable", "house.jump_in=true"],
    ];
    let mut tried = 0;
    let (mut catches, mut calls, mut jumps) = (0, 0, 0);
    for name in presets::NAMES {
        for change in changes {
            let overrides: Vec<Override> = change.iter().map(|text| text.parse().expect("key=value")).collect();
            // Some house rules are incompatible with some cards.
            let Ok(loaded) = load(name, &overrides, TableSize::Any, &PresetsOnly) else { continue };
            let rules = loaded.rules;
            tried += 1;
            for seats in [2, 3, 4, 10].into_iter().filter(|seats| rules.seats().contains(seats)) {
                for kind in [Kind::Anything, Kind::Random, Kind::Greedy] {
                    let rounds = Rounds { rules: &rules, seats, kind, number: 20 };
                    let asked = rounds.as_rounds();
                    assert!(asked == rounds.at_table::<AllFeatures>(), "{name} {change:?}, {seats} seats, {kind:?}");
                    assert!(asked == dispatch(rounds), "{name} {change:?}, {seats} seats, {kind:?}, fast path");
                    for event in asked.iter().flat_map(|(_, _, log)| &log.0) {
                        let Event::Acted { action, call, .. } = event else { continue };
                        catches += u32::from(matches!(action, Action::Catch(_)));
                        calls += u32::from(*call == Call::Uno);
                        jumps += u32::from(rules.features().contains(Features::JUMP_IN) && action.card().is_some());
                    }
                }
            }
        }
    }
    assert!(tried > presets::NAMES.len() * changes.len() * 3 / 4, "{tried} variants");
    assert!(catches > 1_000 && calls > 1_000 && jumps > 1_000, "{catches} {calls} {jumps}");
}

/// A turn has at most two decisions: a draw, and the play of the drawn card.
#[test]
fn paused_table_resumes_without_difference() {
    for name in presets::NAMES {
        let rules = load(name, &[], TableSize::Seats(4), &PresetsOnly).unwrap().rules;
        for kind in [Kind::Random, Kind::Greedy] {
            let rounds = Rounds { rules: &rules, seats: 4, kind, number: 5 };
            for (set, (whole, all, log)) in (0..).zip(rounds.at_table::<AllFeatures>()) {
                let (mut chance, mut heard, mut agents) = (Rounds::chance(set), Log::default(), rounds.agents(set));
                let (seats, dealer) = (SeatSet::first(4), Seat::new(0));
                let mut state = RoundState::deal(&rules, seats, dealer, &mut chance, &mut heard);
                let mut table = Table {
                    rules: &rules,
                    agents: &mut agents,
                    scores: &NO_SCORES,
                    state: &mut state,
                    chance: &mut chance,
                };
                let mut counts = Counts::default();
                loop {
                    let enough = counts.decisions + 3;
                    let is_enough: Pause<'_> = &|_, counts| counts.decisions >= enough;
                    let listener: &mut dyn EventSink = &mut heard;
                    let ending = table.play_until::<AllFeatures>(listener, &mut counts, is_enough);
                    if ending.is_some() {
                        break;
                    }
                    assert!(
                        (enough..enough + 2).contains(&counts.decisions),
                        "{name}, {kind:?}: {counts:?}, not {enough}"
                    );
                }
                assert!((whole, all, log) == (state, counts, heard), "{name}, {kind:?}, round {set}");
            }
        }
    }
}
