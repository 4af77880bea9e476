//! Shared parts of the rule-based players: honest playability, ranks, and the choice of a color.
//!
//! The agent's own stream breaks ties uniformly; a choice of one action uses no random number.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{DrawnCard, Group, Rules};

/// The answer of a player that plays the card that `pick` chooses from the honestly playable cards, draws only if there is
/// none, plays a playable drawn card, and names the most frequent color in hand. `None` at other decisions.
pub(crate) fn play_whenever_possible(
    observation: &Observation<'_>,
    rng: &mut Rng,
    pick: impl FnOnce(CardSet, &mut Rng) -> Card,
) -> Option<Action> {
    let card = match observation.decision() {
        Decision::Turn => {
            let playable = observation.legitimately_playable();
            if playable.is_empty() {
                return Some(draw_or_what_is_left(observation));
            }
            pick(playable, rng)
        }
        Decision::Drawn(Some(drawn)) if !observation.legitimately_playable().contains(drawn) => {
            return Some(Action::Keep);
        }
        Decision::Drawn(Some(drawn)) => drawn,
        Decision::NameColor(_) => {
            return Some(Action::NameColor(most_frequent_color(observation.rules(), observation.hand(), rng)));
        }
        _ => return None,
    };
    Some(play_naming(observation, card, |rest| most_frequent_color(observation.rules(), rest, rng)))
}

/// One of these cards, each equally likely.
pub(crate) fn any_of(cards: CardSet, rng: &mut Rng) -> Card {
    cards.nth(rng.choice(cards.len()))
}

/// The cards in the first group that contains any of these; a group has cards of equal rank.
#[inline(always)]
pub(crate) fn highest_ranked(rules: &Rules, ranking: &[&[Group]], cards: CardSet) -> CardSet {
    for equal in ranking {
        let mut highest = CardSet::EMPTY;
        for &group in *equal {
            highest |= rules.kind_table().group(group) & cards;
        }
        if highest.any() {
            return highest;
        }
    }
    CardSet::EMPTY
}

/// The answer if no card is honestly playable: a draw; if no card can be drawn, any remaining action, with a pass preferred
/// to a bluff.
pub(crate) fn draw_or_what_is_left(observation: &Observation<'_>) -> Action {
    if observation.may_draw() {
        return Action::Draw;
    }
    *observation.legal_actions().last().expect("there is always a legal action")
}

/// Whether the card just drawn may be kept. A card that could only be played as a bluff may always be kept.
pub(crate) fn may_keep(observation: &Observation<'_>, drawn: Card) -> bool {
    observation.rules().parameters().drawn_card == DrawnCard::May
        || !observation.legitimately_playable().contains(drawn)
}

/// Plays the card; if it names a color, the color that `choose_color` returns for the hand without it.
pub(crate) fn play_naming(
    observation: &Observation<'_>,
    card: Card,
    choose_color: impl FnOnce(Cards) -> Color,
) -> Action {
    let mut rest = observation.hand();
    rest.remove(card);
    if observation.rules().names_color().contains(card) && !rest.is_empty() {
        Action::PlayNaming(card, choose_color(rest))
    } else {
        Action::Play(card)
    }
}

/// The number of cards of each color, including copies.
#[inline(always)]
pub(crate) fn color_counts(rules: &Rules, hand: Cards) -> [u32; 4] {
    let mut counts = [0; 4];
    for color in Color::ALL {
        counts[color.index()] = hand.len_of(rules.of_color(color));
    }
    counts
}

/// The most frequent color in hand; any color if there are no colored cards.
#[inline(always)]
pub(crate) fn most_frequent_color(rules: &Rules, hand: Cards, rng: &mut Rng) -> Color {
    let counts = color_counts(rules, hand);
    let most = counts.into_iter().max().unwrap_or(0);
    let mut tied = Color::ALL;
    let mut number = 0;
    for color in Color::ALL {
        tied[number] = color;
        number += usize::from(counts[color.index()] == most);
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most four")]
    let chosen = rng.choice(number as u32);
    tied[chosen as usize]
}
