//! The assumed policy of others: mostly `mixbot`, the best published rule-based player, and sometimes a random player.
#![expect(clippy::cast_precision_loss, reason = "a few cards; likelihoods need no more")]

use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;

use crate::choices::{color_counts, highest_ranked};
use crate::kinds::{Group, KindTable};
use crate::mixbot;

/// The choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chosen {
    /// A card from the hand, with the colour that is named with it.
    Play(Card, Option<Color>),
    /// To draw instead of playing.
    Draw,
    /// A colour, where the card is no question.
    Color(Color),
}

/// A choice, and what everybody could see of the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    chosen: Chosen,
    can_follow: CardSet,
    /// Cards that make a draw four dishonest.
    in_color: CardSet,
    /// Has the next player one card left?
    is_endgame: bool,
    is_two_seats: bool,
}

impl Choice {
    pub(super) fn of(observation: &Observation<'_>, seat: Seat, chosen: Chosen) -> Self {
        let rules = observation.rules();
        Self {
            chosen,
            can_follow: observation.can_follow(),
            in_color: observation.color().map_or(CardSet::EMPTY, |color| rules.of_color(color)),
            is_endgame: observation.hand_len(observation.next_seat(seat)) == 1,
            is_two_seats: observation.is_two_seats(),
        }
    }
}

/// How often others choose at random. Half of it would fit `mixbot` as well, but other players worse.
const LIKE_ANYBODY: f32 = 0.1;
/// How often a random player draws although a coloured card could follow, or although only a wild could.
const DRAWS_WITH_COLORED: f32 = 0.05;
const DRAWS_WITH_WILD: f32 = 0.5;
/// How often a random player plays a wild, relative to any one coloured card.
const PLAYS_WILD: f32 = 0.2;

/// The model under these rules.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model<'a> {
    pub(super) rules: &'a Rules,
    pub(super) kinds: &'a KindTable,
}

impl Model<'_> {
    /// How likely this choice is with this hand; never 0.
    pub(super) fn likelihood(self, choice: &Choice, hand: Cards) -> f32 {
        (1.0 - LIKE_ANYBODY) * self.by_mixbot(choice, hand) + LIKE_ANYBODY * self.by_anybody(choice, hand)
    }

    fn by_anybody(self, choice: &Choice, hand: Cards) -> f32 {
        let playable = hand.distinct() & choice.can_follow;
        let colored = playable & self.rules.colored();
        let named = |color: Color| {
            let of_color = hand.only(self.rules.of_color(color)).len() as f32;
            (of_color + 0.5) / (hand.only(self.rules.colored()).len() as f32 + 2.0)
        };
        match choice.chosen {
            Chosen::Play(card, names) => {
                let weight = if self.rules.colored().contains(card) { 1.0 } else { PLAYS_WILD };
                let all = colored.len() as f32 + PLAYS_WILD * (playable - colored).len() as f32;
                weight / all.max(weight) * names.map_or(1.0, named)
            }
            Chosen::Draw if colored.any() => DRAWS_WITH_COLORED,
            Chosen::Draw if playable.any() => DRAWS_WITH_WILD,
            Chosen::Draw => 1.0,
            Chosen::Color(color) => named(color),
        }
    }

    /// Without its last tie-break, which hangs on what it has counted.
    fn by_mixbot(self, choice: &Choice, hand: Cards) -> f32 {
        match choice.chosen {
            Chosen::Draw => f32::from(u8::from(self.within_limits(choice, hand).is_empty())),
            Chosen::Color(color) => {
                let (counts, most) = self.colors(hand);
                share(counts[color.index()] == most, counts.into_iter().filter(|&count| count == most).count())
            }
            Chosen::Play(card, names) => {
                let ranking = mixbot::ranking(choice.is_endgame, choice.is_two_seats);
                let highest = highest_ranked(self.kinds, ranking, self.within_limits(choice, hand));
                if highest.contains(card) { self.of_rank(highest, hand, card, names) } else { 0.0 }
            }
        }
    }

    /// The cards that it would consider playing.
    fn within_limits(self, choice: &Choice, hand: Cards) -> CardSet {
        let held = hand.distinct();
        let mut within = held & choice.can_follow;
        if (within - self.rules.colored()).is_empty() {
            return within;
        }
        if (held & choice.in_color).any() {
            within = within - self.rules.draw_fours();
        }
        let colored = hand.only(self.rules.colored()).len();
        if !choice.is_endgame && colored > 2 {
            within = within - self.kinds.group(Group::Wild);
        }
        if !choice.is_endgame && colored > 4 {
            within = within - self.kinds.group(Group::DrawFour);
        }
        within
    }

    /// Among cards of equal rank, those of a preferred colour.
    fn of_rank(self, cards: CardSet, hand: Cards, card: Card, names: Option<Color>) -> f32 {
        let (counts, most) = self.colors(hand);
        if let Some(color) = names {
            let is_good = |count: u32| most == 0 || count >= 1 && count + 1 >= most;
            let good = counts.into_iter().filter(|&count| is_good(count)).count();
            return share(is_good(counts[color.index()]), good * cards.len() as usize);
        }
        let in_most = Color::ALL.into_iter().filter(|color| counts[color.index()] == most);
        let preferred = in_most.fold(CardSet::EMPTY, |set, color| set | self.rules.of_color(color)) & cards;
        let among = if preferred.any() { preferred } else { cards };
        share(among.contains(card), among.len() as usize)
    }

    /// The number of cards of each colour, and the largest of these.
    fn colors(self, hand: Cards) -> ([u32; 4], u32) {
        let counts = color_counts(self.rules, hand);
        (counts, counts.into_iter().max().unwrap_or(0))
    }
}

/// The probability of one of `of` equally likely cases, if it is one of them.
fn share(is_one: bool, of: usize) -> f32 {
    if is_one { 1.0 / of as f32 } else { 0.0 }
}
