//! What chance gave to each seat, measured against what it gives on average: control variates.
//!
//! A dealt hand is compared with the same number of average cards of the deck, a drawn card with the average card of the
//! pile it came from. Both differences have the exact expectation 0 whatever anybody plays, because the cards that come
//! are chosen evenly out of a known set: so any multiple of them may be taken off a result without a bias. The
//! coefficients are fitted on other seeds and then frozen (Lavenberg and Welch, "A perspective on the use of control
//! variables", 1981; for card games: Zinkevich et al., "Optimal unbiased estimators for evaluating agent performance",
//! 2006).

pub mod tally;
pub mod witness;
pub mod worth;

use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::rules::{Design, Rules};
use unolab_engine::seat::MAX_SEATS;

use crate::linear::solve;

/// What is told apart: three classes of cards dealt, the same three drawn, and whether a drawn card can be played.
pub const NUM_CONTROLS: usize = 7;

/// Names of the controls.
pub const NAMES: [&str; NUM_CONTROLS] = [
    "dealt_wilds",
    "dealt_draw_fours",
    "dealt_actions",
    "drawn_wilds",
    "drawn_draw_fours",
    "drawn_actions",
    "drawn_playable",
];

/// Luck is counted in millionths of a card.
pub const CARD: i64 = 1_000_000;

/// A result is counted in so many parts of a [`crate::record::WIN`] when luck has been taken off.
pub const FINE: i64 = 1_000;

const PLAYABLE: usize = 6;

/// What one seat got beyond the average, in millionths of a card.
pub type Luck = [i64; NUM_CONTROLS];

/// The classes of cards that are told apart.
#[derive(Debug, Clone, Copy)]
pub struct Classes([CardSet; 3]);

impl Classes {
    /// The classes of these rules: wilds that make nobody draw four, draw fours, coloured cards that are no numbers.
    #[must_use]
    pub fn of(rules: &Rules) -> Self {
        let mut classes = [CardSet::EMPTY; 3];
        for card in rules.cards() {
            let kind = rules.kind(card);
            let is_number = matches!(kind.design, Design::Ordinary(_, unolab_engine::card::Face::Number(_)));
            let class = match kind.color {
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

    /// Counts a card drawn out of a pile, which still has it. `can_follow` are the cards that could be played, where the
    /// seat may play what it draws.
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

fn rounded(number: i64, by: i64) -> i64 {
    (2 * number + by) / (2 * by)
}

/// The luck of each player's side beyond that of the whole table, times the number of sides: expectation 0 for
/// everybody. Partners, who face each other, are a side.
#[must_use]
pub fn against_the_table(luck: &[Luck; MAX_SEATS], players: usize, team_size: usize) -> Vec<Luck> {
    let (sides, luck) = (players / team_size, &luck[..players]);
    let total: Luck = std::array::from_fn(|i| luck.iter().map(|luck| luck[i]).sum());
    let of_side = |side: usize, i: usize| luck.iter().skip(side).step_by(sides).map(|luck| luck[i]).sum::<i64>();
    (0..players).map(|player| std::array::from_fn(|i| of_side(player % sides, i) * sides as i64 - total[i])).collect()
}

/// How much of a win a millionth of a card is worth, frozen: in [`FINE`] parts of a win's unit a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coefficients([i64; NUM_CONTROLS]);

impl Coefficients {
    /// A result in units of [`crate::record::WIN`] with the luck taken off, in units of 1/([`FINE`] · [`CARD`]) of those.
    #[must_use]
    pub fn take_off(&self, win: i64, luck: &Luck) -> i64 {
        let worth: i64 = self.0.iter().zip(luck).map(|(worth, luck)| worth * luck).sum();
        win * FINE * CARD - worth
    }
}

/// Collects results with the luck in them, and finds the coefficients of least squares.
#[derive(Debug, Clone)]
pub struct Regression {
    products: [[f64; NUM_CONTROLS]; NUM_CONTROLS],
    with_result: [f64; NUM_CONTROLS],
    squares: f64,
    count: f64,
    fair: f64,
}

impl Regression {
    /// For results whose mean is near `fair`.
    #[must_use]
    pub const fn new(fair: f64) -> Self {
        Self {
            products: [[0.0; NUM_CONTROLS]; NUM_CONTROLS],
            with_result: [0.0; NUM_CONTROLS],
            squares: 0.0,
            count: 0.0,
            fair,
        }
    }

    /// One seat's result and luck.
    pub fn add(&mut self, win: i64, luck: &Luck) {
        let luck = luck.map(|luck| luck as f64 / CARD as f64);
        let result = win as f64 - self.fair;
        for (i, row) in self.products.iter_mut().enumerate() {
            self.with_result[i] += luck[i] * result;
            row.iter_mut().zip(luck).for_each(|(product, other)| *product += luck[i] * other);
        }
        self.squares += result * result;
        self.count += 1.0;
    }

    /// The coefficients; 0 for luck that never came.
    ///
    /// They are drawn towards 0 by as much of what they explain as chance would explain, so that a small pilot does no
    /// harm (James and Stein, 1961).
    #[must_use]
    pub fn coefficients(&self) -> Coefficients {
        let mut matrix: Vec<Vec<f64>> = self.products.iter().map(|row| row.to_vec()).collect();
        (0..NUM_CONTROLS).for_each(|i| matrix[i][i] += 1.0);
        let solution = solve(matrix, self.with_result.to_vec()).unwrap_or_else(|| vec![0.0; NUM_CONTROLS]);
        let explained: f64 = solution.iter().zip(&self.with_result).map(|(worth, with)| worth * with).sum();
        let left = (self.squares - explained).max(0.0) / self.count.max(1.0);
        let kept = if explained > 0.0 { (1.0 - NUM_CONTROLS as f64 * left / explained).max(0.0) } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "a win has 2520 units: far below the limit")]
        let whole = |worth: f64| (kept * worth * FINE as f64).round() as i64;
        Coefficients(std::array::from_fn(|i| whole(solution[i])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luck_is_what_is_beyond_the_average() {
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
        assert_eq!(luck[3..], [CARD / 2, 0, 0, 0]);
    }

    #[test]
    fn luck_against_the_table_sums_to_nothing() {
        let mut luck = [Luck::default(); MAX_SEATS];
        luck[0][0] = 5;
        luck[1][0] = -2;
        luck[2][6] = 9;
        let against = against_the_table(&luck, 3, 1);
        assert_eq!(against.iter().map(|luck| luck[0]).collect::<Vec<_>>(), [12, -9, -3]);
        assert!((0..NUM_CONTROLS).all(|i| against.iter().map(|luck| luck[i]).sum::<i64>() == 0));
        luck[3][0] = 1;
        let partners = against_the_table(&luck, 4, 2);
        assert_eq!(partners.iter().map(|luck| luck[0]).collect::<Vec<_>>(), [6, -6, 6, -6]);
    }

    #[test]
    fn coefficients_that_made_the_results_are_found() {
        let mut regression = Regression::new(0.0);
        for i in 0..1000_i64 {
            let luck: Luck = std::array::from_fn(|control| (i * (control as i64 + 3) * 7919 % 1000 - 500) * 10_000);
            regression.add((3 * luck[0] - 2 * luck[5]) / 1_000, &luck);
        }
        let Coefficients(found) = regression.coefficients();
        // A card is a million: three thousand and minus two thousand for a card.
        let is_near = |found: i64, expected: i64| (found - expected).abs() * 50 < expected.abs();
        assert!(is_near(found[0], 3_000 * FINE) && is_near(found[5], -2_000 * FINE), "{found:?}");
        assert_eq!(Coefficients([FINE, 0, 0, 0, 0, 0, 0]).take_off(2, &[CARD, 7, 7, 7, 7, 7, 7]), FINE * CARD);
    }
}
