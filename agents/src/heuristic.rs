//! `heuristic`: our own rule-based player, for every decision of every variant.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, Face};
use unolab_engine::color::Color;
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{Rules, Special};
use unolab_engine::scoring::are_partners;
use unolab_engine::seat::Seat;

use crate::agent::{Agent, Memory};
use crate::greedy::{draw_or_what_is_left, keep_dishonest, most_frequent_color, play_naming};

/// Plays by rules of thumb; see [`choose`].
#[derive(Debug, Clone)]
pub struct Heuristic {
    rng: Rng,
}

impl Heuristic {
    /// An agent with its own stream, for ties.
    #[must_use]
    pub const fn new(rng: Rng) -> Self {
        Self { rng }
    }
}

impl Agent for Heuristic {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        choose(observation, &mut self.rng)
    }

    fn memory(&self) -> Memory {
        Memory::Shown
    }
}

/// A sensible answer to any decision. Other agents use it where their own definition is silent.
#[must_use]
pub fn choose(observation: &Observation<'_>, rng: &mut Rng) -> Action {
    match observation.decision() {
        Decision::Turn => choose_turn(observation, rng),
        Decision::Drawn(Some(card)) => match keep_dishonest(observation, card) {
            Some(keep) => keep,
            None => play(observation, card, rng),
        },
        Decision::NameColor(_) => Action::NameColor(most_frequent_color(observation.rules(), observation.hand(), rng)),
        Decision::Challenge { by, color_before, sum } => answer_draw_four(observation, by, color_before, sum, rng),
        Decision::Cheese | Decision::Stack(_) => best_play_or(observation, rng),
        Decision::Swap => choose_swap(observation),
        Decision::Lap(_) => choose_lap(observation),
        Decision::Target => choose_target(observation),
        Decision::Discard(_) => discard(observation),
        Decision::Protect(_) => highest(observation),
        Decision::Drawn(None) | Decision::Over => draw_or_what_is_left(observation),
    }
}

fn choose_turn(observation: &Observation<'_>, rng: &mut Rng) -> Action {
    let playable = observation.honestly_playable();
    let best = best_of(observation, playable.iter());
    match best {
        None => draw_or_what_is_left(observation),
        Some(card) => play(observation, card, rng),
    }
}

fn play(observation: &Observation<'_>, card: Card, rng: &mut Rng) -> Action {
    play_naming(observation, card, rng, most_frequent_color)
}

/// The card of highest value; the first of equals.
fn best_of(observation: &Observation<'_>, cards: impl Iterator<Item = Card>) -> Option<Card> {
    let mut best = None;
    for card in cards {
        let value = value_of_play(observation, card);
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, card));
        }
    }
    best.map(|(_, card)| card)
}

/// How good it is to play this card now, in arbitrary units: the rest of the hand should follow it well, cards that hit
/// are for a dangerous next player, and wilds are kept while anything else will do.
fn value_of_play(observation: &Observation<'_>, card: Card) -> i32 {
    let rules = observation.rules();
    let mut rest = observation.hand();
    rest.remove(card);
    let next = observation.next_seat(observation.seat());
    let next_is_partner = are_partners(rules.parameters().teams, observation.seat(), next);
    let next_len = observation.hand_len(next).min(20) as i32;
    let danger = if next_is_partner { -4 } else { (4 - next_len).max(0) * 6 };
    let acts_again = observation.is_two_seats();
    let kind = rules.kind(card);
    let attack = match (kind.as_special(), kind.face()) {
        (_, Some(Face::DrawTwo)) => 14 + danger + if acts_again { 6 } else { 0 },
        (_, Some(Face::Skip)) => 8 + danger + if acts_again { 8 } else { 0 },
        (_, Some(Face::Reverse)) => {
            if acts_again {
                16 + danger
            } else {
                4 + danger / 2
            }
        }
        (Some(Special::WildDrawFour | Special::VillainDrawFour), _) => 2 + 2 * danger,
        (Some(Special::CheeseTouch), _) => 10 + danger,
        _ => 0,
    };
    let points = rules.points(card) as i32;
    match rules.color_of(card) {
        Some(color) => {
            let followers = rest.only(rules.of_color(color)).len() as i32;
            20 + attack + 3 * followers + points / 4
        }
        // A wild is worth keeping, unless the hand is nearly done or somebody else is.
        None => {
            let least = observation.others().map(|seat| observation.hand_len(seat)).min().unwrap_or(7);
            let urgency = if least <= 2 { 12 } else { 0 };
            attack + urgency - 10 + if rest.len() <= 2 { 8 } else { 0 }
        }
    }
}

/// Challenges when the expected cards are fewer than those to draw: the chance of a bluff is judged by the size of the
/// hand it was played from.
fn answer_draw_four(observation: &Observation<'_>, by: Seat, color_before: Color, sum: u8, rng: &mut Rng) -> Action {
    let answers = best_play_or(observation, rng);
    if matches!(answers, Action::Play(_) | Action::PlayNaming(..)) {
        return answers;
    }
    let rules = observation.rules();
    let known = observation.known(by);
    if !known.only(rules.of_color(color_before)).is_empty() {
        return Action::Challenge;
    }
    // A player who plays honestly has none of the colour. Rule-based players always do; of a random hand, the chance to
    // hold the colour grows with its size, and one in three draw fours that could be bluffs is.
    let unseen = observation.unseen();
    let of_color = f64::from(unseen.only(rules.of_color(color_before)).len());
    let share = of_color / f64::from(unseen.len().max(1));
    let holds_color = 1.0 - (1.0 - share).powi(i32::try_from(observation.hand_len(by)).unwrap_or(0));
    let bluff = holds_color / 3.0 / (holds_color / 3.0 + (1.0 - holds_color));
    let parameters = rules.parameters();
    let accept_cost = f64::from(sum) + 2.0; // and the turn
    let challenge_cost = (1.0 - bluff) * (f64::from(parameters.wrong_draw.get()) + 2.0);
    let gain = bluff * f64::from(parameters.guilty_draw.get());
    if challenge_cost - gain < accept_cost { Action::Challenge } else { Action::Accept }
}

/// The best play among the legal actions; without one, the last of them.
fn best_play_or(observation: &Observation<'_>, rng: &mut Rng) -> Action {
    let legal = observation.legal_actions();
    let plays = legal.iter().filter(|action| matches!(action, Action::Play(_) | Action::PlayNaming(..)));
    match best_of(observation, plays.filter_map(|action| action.card())) {
        Some(card) => play(observation, card, rng),
        None => *legal.last().expect("there is always a legal action"),
    }
}

/// Swaps with whom holds fewest cards, if that is fewer than one's own.
fn choose_swap(observation: &Observation<'_>) -> Action {
    let fewest = observation.others().min_by_key(|&seat| observation.hand_len(seat)).expect("another seat");
    let worth_it = observation.hand_len(fewest) < observation.hand().len();
    if !worth_it && observation.legal_actions().contains(&Action::NoSwap) {
        Action::NoSwap
    } else {
        Action::Swap(fewest)
    }
}

/// Keeps the hand in front if no hand still to come is shorter.
fn choose_lap(observation: &Observation<'_>) -> Action {
    let mine = observation.hand().len();
    let shorter_to_come = observation.others().any(|seat| observation.hand_len(seat) < mine);
    if shorter_to_come { Action::Rotate } else { Action::KeepHand }
}

/// Hits the opponent with fewest cards.
fn choose_target(observation: &Observation<'_>) -> Action {
    let teams = observation.rules().parameters().teams;
    let opponents = observation.others().filter(|&seat| !are_partners(teams, observation.seat(), seat));
    let victim = opponents.min_by_key(|&seat| observation.hand_len(seat)).expect("an opponent");
    Action::Target(victim)
}

/// Discards everything, and leaves the top card that the rest of the hand can follow.
fn discard(observation: &Observation<'_>) -> Action {
    highest(observation)
}

/// The legal action whose card counts most.
fn highest(observation: &Observation<'_>) -> Action {
    let rules: &Rules = observation.rules();
    let legal = observation.legal_actions();
    let by_points = |action: &&Action| action.card().map(|card| rules.points(card));
    *legal.iter().max_by_key(by_points).expect("there is always a legal action")
}
