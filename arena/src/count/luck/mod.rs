//! The luck of each seat compared with its expectation: control variates.
//!
//! There are two kinds: by the cards, here, and by changes of the winning probabilities ([`resampling`]).
//!
//! A dealt hand is compared with the same number of average cards of the deck, and a drawn card with the average card of its
//! pile. Both differences have the exact expectation 0, for any play, because the cards are drawn uniformly from a
//! known set. So subtracting any multiple of them adds no bias. The coefficients are fitted on other seeds and then fixed
//! (Lavenberg and Welch, "A perspective on the use of control variables", 1981; for card games: Zinkevich et al., "Optimal
//! unbiased estimators for evaluating agent performance", 2006).

pub mod observer;
pub mod resampling;
pub mod tally;
pub mod win_model;

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::rules::{CardKind, Rules};
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::RoundState;

use crate::spec::luck::{CARD, Luck};

const PLAYABLE: usize = 6;

/// The classes of cards.
#[derive(Debug, Clone, Copy)]
pub struct Classes([CardSet; 3]);

impl Classes {
    /// The classes of these rules: wilds without a draw four, draw fours, colored cards except numbers.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        let mut classes = [CardSet::EMPTY; 3];
        for card in rules.cards() {
            let def = rules.card_def(card);
            let is_number = matches!(def.kind, CardKind::Ordinary(_, unolab_engine::card::Face::Number(_)));
            let class = match def.color {
                None if rules.draw_fours().contains(card) => 1,
                None => 0,
                Some(_) if !is_number => 2,
                Some(_) => continue,
            };
            classes[class] |= CardSet::of(card);
        }
        Self(classes)
    }

    /// Counts a dealt hand.
    pub fn count_dealt(&self, luck: &mut Luck, hand: Cards, deck: Cards) {
        let (dealt, all) = (i64::from(hand.len()), i64::from(deck.len()));
        for (luck, &class) in luck.iter_mut().zip(&self.0) {
            let (here, there) = (i64::from(hand.only(class).len()), i64::from(deck.only(class).len()));
            *luck += here * CARD - rounded(dealt * there * CARD, all);
        }
    }

    /// Counts a card drawn from a pile, which still has it. `can_follow` are the cards that could be played, if the
    /// seat may play the drawn card.
    pub fn count_drawn(&self, luck: &mut Luck, card: Card, pile: Cards, can_follow: Option<CardSet>) {
        let all = i64::from(pile.len());
        let beyond_average = |class: CardSet| {
            let here = if class.contains(card) { CARD } else { 0 };
            here - rounded(i64::from(pile.only(class).len()) * CARD, all)
        };
        for (luck, &class) in luck[3..].iter_mut().zip(&self.0) {
            *luck += beyond_average(class);
        }
        if let Some(class) = can_follow {
            luck[PLAYABLE] += beyond_average(class);
        }
    }
}

/// Whether it is a choice in the seat's turn. Calls, catches, and jump-ins are not.
pub(crate) fn is_ordinary(state: &RoundState, seat: Seat, action: Action) -> bool {
    state.current_seat() == Some(seat) && !matches!(action, Action::Uno | Action::Catch(_) | Action::Silent)
}

fn rounded(number: i64, by: i64) -> i64 {
    (2 * number + by) / (2 * by)
}

/// The luck of each player's side minus the luck of the whole table, times the number of sides: the expectation is 0 for
/// every player. Partners are one side.
#[must_use]
pub fn against_the_table(luck: &BySeat<Luck>, players: usize, team_size: usize) -> Vec<Luck> {
    let (sides, luck) = (players / team_size, luck.first(players));
    let total: Luck = std::array::from_fn(|i| luck.iter().map(|luck| luck[i]).sum());
    let of_side = |side: usize, i: usize| luck.iter().skip(side).step_by(sides).map(|luck| luck[i]).sum::<i64>();
    (0..players).map(|player| std::array::from_fn(|i| of_side(player % sides, i) * sides as i64 - total[i])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::luck::NUM_CONTROLS;

    #[test]
    fn luck_is_difference_from_average() {
        let rules = Rules::preset("classic");
        let classes = Classes::of(&rules);
        let card = |code: &str| rules.card(code).unwrap();
        let mut luck = Luck::default();
        // Seven of 108 cards: 7·4/108 wilds, as many draw fours, 7·24/108 actions on average.
        let hand: Cards = ["W", "W", "r7", "r5", "gS", "b1", "b2"].map(card).into_iter().collect();
        classes.count_dealt(&mut luck, hand, rules.deck());
        assert_eq!(luck[..3], [2 * CARD - 259_259, -259_259, CARD - 1_555_556]);
        // One wild of two cards, both playable: half a wild beyond the average.
        let pile: Cards = ["W", "r7"].map(card).into_iter().collect();
        classes.count_drawn(&mut luck, card("W"), pile, Some(pile.distinct()));
        assert_eq!(luck[3..], [CARD / 2, 0, 0, 0, 0], "the value of the draw is not counted here");
        // Of four cards the wild and the red one are playable, and one of these is drawn: half a playable card beyond the average.
        let pile: Cards = ["W", "r7", "b1", "b2"].map(card).into_iter().collect();
        classes.count_drawn(&mut luck, card("r7"), pile, Some([card("W"), card("r7")].into_iter().collect()));
        assert_eq!(luck[3..], [CARD / 4, 0, 0, CARD / 2, 0]);
    }

    #[test]
    fn luck_relative_to_table_sums_to_zero() {
        let mut luck = BySeat::<Luck>::default();
        luck[Seat::new(0)][0] = 5;
        luck[Seat::new(1)][0] = -2;
        luck[Seat::new(2)][6] = 9;
        let against = against_the_table(&luck, 3, 1);
        assert_eq!(against.iter().map(|luck| luck[0]).collect::<Vec<_>>(), [12, -9, -3]);
        assert!((0..NUM_CONTROLS).all(|i| against.iter().map(|luck| luck[i]).sum::<i64>() == 0));
        luck[Seat::new(3)][0] = 1;
        let partners = against_the_table(&luck, 4, 2);
        assert_eq!(partners.iter().map(|luck| luck[0]).collect::<Vec<_>>(), [6, -6, 6, -6]);
    }
}
