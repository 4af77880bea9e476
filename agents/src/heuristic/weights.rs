//! [`Weights`]: the weight of each term in the value of a play.

use unolab_engine::observation::Observation;

/// Generates [`Weights`] and its options from one table.
macro_rules! weights {
    ($($(#[doc = $reason:literal])+ $name:ident = $two:literal, $more:literal;)+) => {
        /// The weight of each term in the value of a play, in hundredths of a won round.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Weights { $($(#[doc = $reason])+ pub $name: f32),+ }

        impl Weights {
            const OF_TWO: Self = Self { $($name: $two),+ };
            const OF_MORE: Self = Self { $($name: $more),+ };

            /// Every weight by name, with its meaning.
            pub const NAMES: &[(&'static str, &'static str)] = &[$((stringify!($name), concat!($($reason),+, " Default: ", $two, " at two seats, ", $more, " at more."))),+];

            fn by_name(&mut self, name: &str) -> Option<&mut f32> {
                match name { $(stringify!($name) => Some(&mut self.$name),)+ _ => None }
            }
        }
    };
}

// The initial values come from a regression of the results of seven million rollouts on these terms, with two and with four
// players. Then each weight in turn was adjusted until matches against `mixbot` stopped improving.
weights! {
    /// The last card can follow: the player goes out next unless something intervenes.
    follow_last = 20.0, 18.5;
    /// One of the two remaining cards can follow.
    follow_two = 3.5, 4.5;
    /// Both remaining cards can follow.
    follow_both = 12.0, 1.5;
    /// One of the three remaining cards can follow.
    follow_three = 5.5, 3.5;
    /// One of more than three remaining cards can follow.
    follow_many = 9.0, 1.5;
    /// For each remaining card of the current color.
    in_color = 0.0, 0.5;
    /// For each color left in hand: with two players, many cards of few colors are better.
    cover = 0.0, 0.8;
    /// For another turn at once, with a card that can follow.
    run = 0.0, 2.0;
    /// The value of an action card in hand.
    keep_action = 0.2, 0.2;
    /// The value of a wild in hand: it can always end a round, and saves a draw.
    keep_wild = 15.0, 14.0;
    /// The value of a draw four in hand.
    keep_draw_four = 18.0, 13.0;
    /// The value of any other wild in hand: its effect is more valuable early.
    keep_special = 14.0, 14.0;
    /// The value of a Villain Draw 4 in hand.
    keep_villain = 6.0, 6.0;
    /// For drawing instead of playing a wild.
    drawing = 5.5, 9.0;
    /// For keeping a wild just drawn instead of playing it.
    keeping = 4.0, 3.5;
    /// The additional value of a wild, for each colored card by which the hand falls short of four.
    lag = 1.8, 7.0;
    /// The additional cost of playing nothing, for each of these cards.
    lag_drawing = 5.4, 8.5;
    /// The factor for the value of kept cards if another seat has one card: it may be too late to play them.
    patience_one = 1.0, 0.3;
    /// The same if another seat has two cards.
    patience_two = 0.85, 1.2;
    /// For skipping a seat with one card.
    skip_one = 4.0, 2.5;
    /// For skipping a seat with two cards.
    skip_two = 1.5, 0.6;
    /// For making a seat with one card draw.
    hit_one = 13.0, 7.0;
    /// For making a seat with two cards draw.
    hit_two = 6.0, 1.5;
    /// For making another seat draw: such cards are better kept for a seat that is close to going out.
    hit = -1.0, 0.0;
    /// If the next player has no card that can follow, and draws.
    hold = 2.0, 2.2;
    /// The same if it has two cards.
    hold_two = 4.0, 3.8;
    /// The same if it has one card.
    hold_one = 50.0, 21.0;
    /// For each card less in hand.
    card = 4.0, 3.0;
    /// For each card less in hand by a Discard All.
    discarded = 2.0, 4.0;
    /// For an additional turn.
    turn = 6.0, 5.0;
    /// For each point less in hand, if points matter.
    point = 0.01, 0.015;
    /// For each point less in hand, if all players are charged with their own hands.
    charge = 0.12, 0.12;
    /// The assumed probability that a bluff is challenged, for each card left in hand.
    caught = 0.2, 0.2;
    /// The value, in cards, of seeing the challenged hand: with two players, more than the two cards of a wrong
    /// challenge.
    look = 2.5, 0.0;
    /// The assumed probability that another player who could bluff does.
    suspicion = 0.1, 0.1;
}

/// The weights at a table of two, and those at larger ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableWeights {
    of_two: Weights,
    of_more: Weights,
}

impl TableWeights {
    /// The weights that `heuristic` plays with.
    pub const STANDARD: Self = Self { of_two: Weights::OF_TWO, of_more: Weights::OF_MORE };

    /// The weights for the table of this observation.
    #[must_use]
    #[inline]
    pub const fn of(&self, observation: &Observation<'_>) -> &Weights {
        if observation.is_two_seats() { &self.of_two } else { &self.of_more }
    }

    /// Changes the weight of one of [`Weights::NAMES`] at every table, for experiments. Values are sums of products of
    /// weights, so weights should be from -1,000,000 to 1,000,000.
    pub fn set(&mut self, name: &str, value: f32) {
        for weights in [&mut self.of_two, &mut self.of_more] {
            if let Some(weight) = weights.by_name(name) {
                *weight = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_weight_is_changed_at_every_table() {
        let mut weights = TableWeights::STANDARD;
        weights.set("hold_one", 7.5);
        let expected = |standard: Weights| Weights { hold_one: 7.5, ..standard };
        assert_eq!((weights.of_two, weights.of_more), (expected(Weights::OF_TWO), expected(Weights::OF_MORE)));
        weights.set("no weight", 1.0);
        assert_eq!(weights.of_two, expected(Weights::OF_TWO));
    }
}
