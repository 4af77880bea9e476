//! The assumed policy of others: a mixture of `mixbot` and a random player.
#![expect(clippy::cast_precision_loss, reason = "a few cards; likelihoods need no more")]

use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::observation::Observation;
use unolab_engine::rules::{Group, Rules};
use unolab_engine::seat::Seat;

use crate::choices::{color_counts, highest_ranked};
use crate::mixbot;

/// The choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChosenAction {
    /// A card from the hand is played, naming this color.
    Play(Card, Option<Color>),
    /// A card is drawn instead of playing.
    Draw,
    /// A color is named separately from a play.
    Color(Color),
}

/// A choice, and the public part of the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    chosen: ChosenAction,
    can_follow: CardSet,
    /// Cards that make a draw four dishonest.
    in_color: CardSet,
    /// Whether the next player holds one card.
    is_endgame: bool,
    is_two_seats: bool,
}

impl Choice {
    pub(super) fn of(observation: &Observation<'_>, seat: Seat, chosen: ChosenAction) -> Self {
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

/// The probability that others choose at random. Half of it would fit `mixbot` equally well, but other players worse.
const RANDOM_CHOICE_RATE: f32 = 0.1;
/// The probability that a random player draws although a colored card is playable, or although only a wild is.
const DRAWS_WITH_COLORED: f32 = 0.05;
const DRAWS_WITH_WILD: f32 = 0.5;
/// The probability that a random player plays a wild, relative to one colored card.
const PLAYS_WILD: f32 = 0.2;

/// The model under these rules.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model<'a> {
    pub(super) rules: &'a Rules,
}

impl Model<'_> {
    /// The likelihood of this choice with this hand; never 0.
    pub(super) fn likelihood(self, choice: &Choice, hand: Cards) -> f32 {
        (1.0 - RANDOM_CHOICE_RATE) * self.probability_by_mixbot(choice, hand)
            + RANDOM_CHOICE_RATE * self.probability_by_random_player(choice, hand)
    }

    fn probability_by_random_player(self, choice: &Choice, hand: Cards) -> f32 {
        let playable = hand.distinct() & choice.can_follow;
        let colored = playable & self.rules.colored();
        let named = |color: Color| {
            let of_color = hand.only(self.rules.of_color(color)).len() as f32;
            (of_color + 0.5) / (hand.only(self.rules.colored()).len() as f32 + 2.0)
        };
        match choice.chosen {
            ChosenAction::Play(card, names) => {
                let weight = if self.rules.colored().contains(card) { 1.0 } else { PLAYS_WILD };
                let all = colored.len() as f32 + PLAYS_WILD * (playable - colored).len() as f32;
                weight / all.max(weight) * names.map_or(1.0, named)
            }
            ChosenAction::Draw if colored.any() => DRAWS_WITH_COLORED,
            ChosenAction::Draw if playable.any() => DRAWS_WITH_WILD,
            ChosenAction::Draw => 1.0,
            ChosenAction::Color(color) => named(color),
        }
    }

    /// The probability of the choice by `mixbot` without its last tie-break, which depends on its card counting.
    fn probability_by_mixbot(self, choice: &Choice, hand: Cards) -> f32 {
        match choice.chosen {
            ChosenAction::Draw => f32::from(u8::from(self.within_limits(choice, hand).is_empty())),
            ChosenAction::Color(color) => {
                let (counts, most) = self.colors(hand);
                share(counts[color.index()] == most, counts.into_iter().filter(|&count| count == most).count())
            }
            ChosenAction::Play(card, names) => {
                let ranking = mixbot::ranking(choice.is_endgame, choice.is_two_seats);
                let highest = highest_ranked(self.rules, ranking, self.within_limits(choice, hand));
                if highest.contains(card) { self.of_rank(highest, hand, card, names) } else { 0.0 }
            }
        }
    }

    /// The cards that `mixbot` would consider playing.
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
            within = within - self.rules.kind_table().group(Group::Wild);
        }
        if !choice.is_endgame && colored > 4 {
            within = within - self.rules.kind_table().group(Group::DrawFour);
        }
        within
    }

    /// Among cards of equal rank, prefers a card of a preferred color.
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

    /// The number of cards of each color, and the largest of these.
    fn colors(self, hand: Cards) -> ([u32; 4], u32) {
        let counts = color_counts(self.rules, hand);
        (counts, counts.into_iter().max().unwrap_or(0))
    }
}

/// The probability of one of `of` equally likely cases, if it is one of them.
fn share(is_one: bool, of: usize) -> f32 {
    if is_one { 1.0 / of as f32 } else { 0.0 }
}

#[cfg(test)]
impl Choice {
    /// A choice on this colored top card, at a table of several players, where the next player holds more than one card.
    pub(super) fn on(rules: &Rules, top: &str, chosen: ChosenAction) -> Self {
        let color = top.chars().next().and_then(Color::from_letter).expect("a colored card");
        let can_follow = rules.can_follow(rules.parse_card(top).unwrap(), Some(color));
        Self { chosen, can_follow, in_color: rules.of_color(color), is_endgame: false, is_two_seats: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The likelihoods of choices with this hand on this top card, in the middle of a round of several players, by part of
    /// the model.
    struct Fixture {
        rules: Rules,
        hand: Cards,
        choice: Choice,
    }

    impl Fixture {
        fn new(hand: &str, top: &str) -> Self {
            let rules = Rules::preset("classic");
            let hand = rules.parse_cards(hand).unwrap();
            Self { hand, choice: Choice::on(&rules, top, ChosenAction::Draw), rules }
        }

        fn likelihood_of(&self, chosen: ChosenAction) -> f32 {
            let model = Model { rules: &self.rules };
            model.likelihood(&Choice { chosen, ..self.choice }, self.hand)
        }

        /// All plays: each card, a wild with each color.
        fn plays(&self) -> Vec<ChosenAction> {
            let named = |card: Card| Color::ALL.map(move |color| ChosenAction::Play(card, Some(color)));
            let playable = self.hand.distinct() & self.choice.can_follow;
            let (colored, wild) = (playable & self.rules.colored(), playable - self.rules.colored());
            colored.iter().map(|card| ChosenAction::Play(card, None)).chain(wild.iter().flat_map(named)).collect()
        }

        fn play(&self, card: &str, color: Option<Color>) -> f32 {
            self.likelihood_of(ChosenAction::Play(self.rules.parse_card(card).unwrap(), color))
        }
    }

    fn assert_close(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-5, "found {found}, expected {expected}");
    }

    /// The probabilities of all playable cards sum to 1 for both kinds of players, and so do the probabilities of the named
    /// colors.
    #[test]
    fn play_and_color_probabilities_sum_to_one() {
        for (hand, top) in [("r1 r1 r2 b7 W", "r0"), ("W W4 y1 y2 y3", "r0"), ("r5 y5 y1 g5", "b5"), ("W", "g2")] {
            let mut asked = Fixture::new(hand, top);
            // In the endgame both kinds of players play wilds.
            asked.choice.is_endgame = true;
            asked.choice.in_color = CardSet::EMPTY;
            assert_close(asked.plays().into_iter().map(|play| asked.likelihood_of(play)).sum(), 1.0);
            assert_close(
                Color::ALL.into_iter().map(|color| asked.likelihood_of(ChosenAction::Color(color))).sum(),
                1.0,
            );
        }
    }

    /// A player without a playable card always draws; a player with a playable colored card rarely draws.
    #[test]
    fn drawing_player_likely_has_no_playable_card() {
        assert_close(Fixture::new("y1 g2 b3", "r0").likelihood_of(ChosenAction::Draw), 1.0);
        let with_colored = Fixture::new("y1 g2 r3", "r0").likelihood_of(ChosenAction::Draw);
        let with_wild = Fixture::new("y1 g2 W", "r0").likelihood_of(ChosenAction::Draw);
        assert!(with_colored < 0.01 && with_colored < with_wild && with_wild < 0.1, "{with_colored} {with_wild}");
    }

    /// Random players hold back wilds, which have a fifth of the weight of a colored card: 1 of 2.2, and 0.2 of 2.2 divided
    /// among four colors.
    #[test]
    fn colored_card_is_likelier_than_wild() {
        let asked = Fixture::new("r1 r2 W", "r0");
        let model = Model { rules: &asked.rules };
        let probability_by_random_player =
            |chosen| model.probability_by_random_player(&Choice { chosen, ..asked.choice }, asked.hand);
        let [of_one, of_other, of_wild @ ..] = &asked.plays()[..] else { panic!("three cards") };
        assert_close(probability_by_random_player(*of_one), 1.0 / 2.2);
        assert_close(probability_by_random_player(*of_other), 1.0 / 2.2);
        assert_close(of_wild.iter().map(|&play| probability_by_random_player(play)).sum(), 0.2 / 2.2);
    }

    /// Like `mixbot`: with many colored cards it prefers drawing to playing a wild, except if the next player holds one card,
    /// and never plays a dishonest draw four.
    #[test]
    fn wild_is_unlikely_with_many_colored_cards() {
        for (hand, wild, is_kept) in [
            ("y1 y2 W", "W", false),
            ("y1 y2 y3 W", "W", true),
            ("y1 y2 y3 y4 W4", "W4", false),
            ("y1 y2 y3 y4 y5 W4", "W4", true),
        ] {
            let mut asked = Fixture::new(hand, "r0");
            let play = asked.play(wild, Some(Color::Yellow));
            let draw = asked.likelihood_of(ChosenAction::Draw);
            assert_eq!(is_kept, draw > 0.9, "{hand}");
            assert_eq!(is_kept, play < 0.1, "{hand}");
            asked.choice.is_endgame = true;
            assert!(
                asked.play(wild, Some(Color::Yellow)) > 0.8 && asked.likelihood_of(ChosenAction::Draw) < 0.1,
                "{hand}"
            );
        }
        let honest = Fixture::new("y1 W4", "r0").play("W4", Some(Color::Yellow));
        let dishonest = Fixture::new("r1 W4", "r0").play("W4", Some(Color::Yellow));
        assert!(honest > 0.8 && dishonest < 0.1, "{honest} {dishonest}");
    }

    /// A named color has the highest count in hand, or one card fewer.
    #[test]
    fn frequent_colors_are_likely_choices() {
        let mut asked = Fixture::new("y1 y2 y3 g1 g2 b1 W", "r0");
        asked.choice.is_endgame = true;
        let [red, yellow, green, blue] = Color::ALL.map(|color| asked.play("W", Some(color)));
        assert!(yellow > 0.4 && green > 0.4 && red < 0.1 && blue < 0.1, "{red} {yellow} {green} {blue}");
        // Without a card to choose, the color with the most cards.
        let [red, yellow, green, blue] = Color::ALL.map(|color| asked.likelihood_of(ChosenAction::Color(color)));
        assert!(yellow > 0.9 && green < 0.1 && red < 0.1 && blue < 0.1, "{red} {yellow} {green} {blue}");
        // Without colored cards, every color is equally likely.
        let none = Fixture::new("W", "r0");
        Color::ALL.into_iter().for_each(|color| assert_close(none.play("W", Some(color)), 0.25));
    }

    /// Of two playable fives, the five of the most frequent color is more likely.
    #[test]
    fn equal_cards_are_ordered_by_most_frequent_color() {
        let asked = Fixture::new("r5 y5 y1", "b5");
        let (red, yellow) = (asked.play("r5", None), asked.play("y5", None));
        assert!(red < 0.1 && yellow > 0.9, "{red} {yellow}");
    }
}
