//! The inputs and the outputs of the net.
#![allow(missing_docs)]

use std::collections::BTreeSet;

use crate::common::{self, rules};
use unolab_agents::agent::Agent;
use unolab_agents::net::INPUTS;
use unolab_agents::net::feature_tracker::FeatureTracker;
use unolab_agents::net::hidden_layers::HiddenLayers;
use unolab_agents::net::inputs::Inputs;
use unolab_agents::net::network::{ACTIVATION_ONE, Network, Value, WEIGHT_MAX, WEIGHT_ONE};
use unolab_agents::net::player::files_of;
use unolab_agents::net::published::{PUBLISHED_FILES, Size, published_for};
use unolab_agents::net::weights::{Cards, MeanError, Weights};
use unolab_agents::player::TablePlayer;
use unolab_agents::random::{Random, Uniform};
use unolab_agents::registry::Registry;
use unolab_agents::table::Table;
use unolab_engine::action::Action;
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{AllFeatures, presets};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::RoundState;

/// A net of random weights.
fn some_network(hidden: HiddenLayers, seed: u64) -> Network {
    let mut rng = Rng::from_seed(seed);
    let mut weight = |size: i16| {
        let number = rng.below(2 * u32::from(size.unsigned_abs()) + 1);
        i16::try_from(number).expect("a small number") - size
    };
    let mut network = Network::zero(hidden);
    network.first.iter_mut().for_each(|own| *own = weight(500));
    let size = i16::try_from(64_000 / network.first_bias.len()).expect("at most 1,000");
    network.second.iter_mut().for_each(|own| *own = weight(size));
    network.third.iter_mut().for_each(|own| *own = weight(2_000));
    network.first_bias.iter_mut().for_each(|own| *own = weight(300).into());
    network.second_bias.iter_mut().for_each(|own| *own = weight(300).into());
    network
}

/// The same in floating point, from all inputs individually.
fn in_floats(network: &Network, on: &[u16]) -> [f64; 2] {
    let one = f64::from(WEIGHT_ONE);
    let cut = |sum: f64| sum.clamp(0.0, 16.0 - 1.0 / f64::from(ACTIVATION_ONE));
    let [first, width] = network.hidden().widths();
    let hidden: Vec<f64> = (0..first)
        .map(|i| {
            let inputs: i32 = on.iter().map(|&input| i32::from(network.first[usize::from(input) * first + i])).sum();
            cut(f64::from(network.first_bias[i] + inputs) / one)
        })
        .collect();
    let second: Vec<f64> = (network.second.chunks_exact(first).zip(&network.second_bias))
        .map(|(weights, &bias)| {
            let sum: f64 = weights.iter().zip(&hidden).map(|(&weight, number)| f64::from(weight) / one * number).sum();
            cut(f64::from(bias) / one + sum)
        })
        .collect();
    [0, 1].map(|value| {
        let weights = network.third[value * width..][..width].iter();
        let sum: f64 = weights.zip(&second).map(|(&weight, number)| f64::from(weight) / one * number).sum();
        f64::from(network.third_bias[value]) / one + sum
    })
}

/// Plays at random, and encodes every decision for the net.
struct Looking<'a> {
    player: Random,
    tracker: FeatureTracker,
    network: &'a Network,
    inputs: Inputs,
    seen: BTreeSet<u16>,
    decisions: u32,
}

impl Agent for Looking<'_> {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let actions = observation.legal_actions();
        self.inputs.encode(&mut self.tracker, observation, &actions);
        let (mut sums, mut values) = (Vec::new(), Vec::<Value>::new());
        self.network.values(&self.inputs, &mut sums, &mut values);
        assert_eq!(values.len(), actions.len());
        for (number, value) in values.iter().enumerate() {
            let mut on = Vec::new();
            self.inputs.on(number, &mut on);
            let distinct: BTreeSet<u16> = on.iter().copied().collect();
            assert_eq!(distinct.len(), on.len(), "an input is on twice: {observation:?} {:?}", actions[number]);
            assert!(on.iter().all(|&input| usize::from(input) < INPUTS));
            // Inputs that an action removes are present.
            let own = self.inputs.own()[number];
            let shared = &self.inputs.shared()[own.shared].on;
            assert!(self.inputs.removed(own).iter().all(|input| shared.contains(input)), "{observation:?}");
            // Encoded separately, the inputs are the same.
            let mut alone = Inputs::default();
            alone.encode(&mut self.tracker, observation, &actions[number..=number]);
            let mut again = Vec::new();
            alone.on(0, &mut again);
            assert_eq!(on, again);
            for (whole, exact) in [value.win, value.points].into_iter().zip(in_floats(self.network, &on)) {
                let whole = f64::from(whole) / f64::from(WEIGHT_ONE * ACTIVATION_ONE);
                assert!((whole - exact).abs() < 0.2, "{whole} {exact}");
            }
            self.seen.extend(on);
        }
        self.decisions += 1;
        self.player.choose(observation)
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.tracker.begin_round(observation);
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.tracker.observe(seen, observation);
    }
}

impl TablePlayer for Looking<'_> {}

/// In every edition and with every number of players: an input is active at most once, shared sums equal separate sums, and
/// integer results equal floating-point results.
#[test]
fn shared_sums_match_single_actions_and_integers_match_floats() {
    let networks = HiddenLayers::ALL.map(|hidden| some_network(hidden, 1));
    let (mut seen, mut decisions) = (BTreeSet::new(), 0);
    for name in presets::NAMES {
        for (seats, network) in [2, 3, 4, 7, 10].into_iter().zip(&networks) {
            let Ok(loaded) = unolab_engine::rules::load(
                name,
                &[],
                unolab_engine::rules::TableSize::Seats(seats),
                &unolab_engine::rules::PresetsOnly,
            ) else {
                continue;
            };
            let rules = loaded.rules;
            let looking = |seat: Seat| Looking {
                player: Random::new(Uniform::Actions, Rng::from_seed(seat.index() as u64)),
                tracker: FeatureTracker::new(&rules),
                network,
                inputs: Inputs::default(),
                seen: BTreeSet::new(),
                decisions: 0,
            };
            let mut agents: Vec<Looking<'_>> = Seat::first(seats).map(looking).collect();
            let mut chance = Rng::from_seed(seats as u64);
            let mut state = RoundState::deal(&rules, SeatSet::first(seats), Seat::new(0), &mut chance, &mut ());
            let mut table = Table {
                rules: &rules,
                agents: &mut agents,
                scores: &NO_SCORES,
                state: &mut state,
                chance: &mut chance,
            };
            let mut counts = Default::default();
            table.play_until::<AllFeatures>((), &mut counts, |_, now| now.decisions > 400);
            for agent in agents {
                seen.extend(agent.seen);
                decisions += agent.decisions;
            }
        }
    }
    assert!(decisions > 2_000, "{decisions}");
    assert!(seen.len() > INPUTS / 2, "{} of {INPUTS} inputs", seen.len());
}

#[test]
fn published_nets_accept_every_edition_and_player_count() {
    let published: Vec<Weights> = PUBLISHED_FILES
        .iter()
        .map(|file| Weights::from_bytes(file.bytes).unwrap_or_else(|error| panic!("{} {error}", file.name)))
        .collect();
    for name in presets::NAMES {
        for seats in 2..=10 {
            let size = unolab_engine::rules::TableSize::Seats(seats);
            if let Ok(loaded) = unolab_engine::rules::load(name, &[], size, &unolab_engine::rules::PresetsOnly) {
                let [small, large] = [Size::Small, Size::Large].map(|size| published_for(&loaded.rules, seats, size));
                assert!(small.is_some() && large.is_some(), "{name} at {seats} seats");
                let has_large = seats == 2 && Cards::of(&loaded.rules) == Cards::Plain;
                assert_eq!(small != large, has_large, "{name} at {seats} seats");
            }
        }
    }
    for (cards, size, most) in [
        (Cards::Plain, Size::Small, 150_000),
        (Cards::Plain, Size::Large, 600_000),
        (Cards::Special, Size::Small, 150_000),
    ] {
        let files = PUBLISHED_FILES.iter().zip(&published);
        let of_family = files.filter(|(file, weights)| file.size == size && weights.cards == cards);
        let bytes: usize = of_family.map(|(file, _)| file.bytes.len()).sum();
        assert!(bytes > 0 && bytes <= most, "{cards}, {size:?}: {bytes} bytes");
    }
}

#[test]
fn mean_of_nets_has_mean_values() {
    let nets = [(HiddenLayers::Of64And32, 1), (HiddenLayers::Of64And32, 2)];
    let nets = nets.map(|(hidden, seed)| some_network(hidden, seed));
    let mean = Network::mean(&[&nets[0], &nets[1]]).unwrap();
    assert_eq!(mean.hidden(), HiddenLayers::Of128And64);
    let mut rng = Rng::from_seed(3);
    for _ in 0..100 {
        let on: Vec<u16> = (0..60).map(|_| u16::try_from(rng.below(u32::try_from(INPUTS).unwrap())).unwrap()).collect();
        let [first, second] = [&nets[0], &nets[1]].map(|net| in_floats(net, &on));
        for (value, number) in in_floats(&mean, &on).into_iter().enumerate() {
            assert!((number - (first[value] + second[value]) / 2.0).abs() < 0.2, "{number}: {first:?} {second:?}");
        }
    }
}

#[test]
fn nets_without_mean_are_rejected() {
    let net = |seats_max, hidden| {
        let network = some_network(hidden, 1);
        Weights { seats_min: 2, seats_max, cards: Cards::Plain, caution: 0, network }
    };
    let (two, more) = (net(2, HiddenLayers::Of64And32), net(4, HiddenLayers::Of64And32));
    assert_eq!(Weights::mean(std::slice::from_ref(&two)).as_ref(), Ok(&two));
    assert_eq!(Weights::mean(&[two.clone(), more]), Err(MeanError::Tables));
    let wide = net(2, HiddenLayers::Of512And32);
    assert!(matches!(Weights::mean(&[two, wide]), Err(MeanError::Widths(_))));
    assert_eq!(Weights::mean(&[]), Err(MeanError::Tables));
}

#[test]
fn weights_files_are_hashed_by_content() {
    assert_eq!(files_of("heuristic"), []);
    let published = files_of("net:goal=points");
    assert_eq!(files_of("net:size=large").len(), PUBLISHED_FILES.len());
    assert_eq!(published.len(), PUBLISHED_FILES.iter().filter(|file| file.size == Size::Small).count());
    assert!(published.iter().all(|(_, sha256)| sha256.len() == 64));
    assert_eq!(files_of("forgetful:agent=(net)"), published);
}

#[test]
fn option_error_is_named() {
    let error = |text: &str| Registry::default().configure(text).unwrap_err().to_string();
    assert!(error("net:goal=fun").contains("win, points or match"));
    assert!(error("net:size=huge").contains("small or large"));
    assert!(error("net:weights=/no/such/file").contains("can be read"));
    assert!(error(&format!("net:weights={}", file!().replace("agents/", ""))).contains("UNOLABN1"));
}

/// A net that values hands with few cards plays cards.
#[test]
fn highest_value_action_is_played() {
    let rules = rules("classic", 2, &[]);
    let state = common::turn(&rules, &["r1 r2 W", "b1 b2"], "r5");
    let mut network = Network::zero(HiddenLayers::default());
    // The one input that distinguishes a play from a draw: two cards are left instead of three.
    network.first[LEN_TWO * 64] = i16::MAX;
    network.second[0] = WEIGHT_MAX;
    network.third[0] = WEIGHT_MAX;
    let weights = Weights { seats_min: 2, seats_max: 2, cards: Cards::Plain, caution: 0, network };
    let path = std::env::temp_dir().join(format!("unolab-net-{}", std::process::id()));
    std::fs::write(&path, weights.to_bytes()).expect("a file of the test");
    let answers = common::answers(&rules, state, &format!("net:weights={}", path.display()));
    let mut other = weights;
    other.network.third[0] = -WEIGHT_MAX;
    std::fs::write(&path, other.to_bytes()).expect("a file of the test");
    let unwilling = common::answers(&rules, state, &format!("net:weights={}", path.display()));
    std::fs::remove_file(&path).expect("a file of the test");
    assert_eq!((answers, unwilling), (common::set(&["play r1"]), common::set(&["draw"])));
}

/// The input "two cards are left": the third of its block, which follows the blocks of the cards themselves.
const LEN_TWO: usize = 4 * 15 * 2 + 8 * 3 + 2;
