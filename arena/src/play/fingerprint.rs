//! A checksum of the final states of rounds, which distinguishes games and is cheap enough for every game.

use unolab_engine::cards::Cards;
use unolab_engine::rng::mix;
use unolab_engine::state::RoundState;

/// The checksum of a game of rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fingerprint {
    /// The checksum is not needed.
    LeftOut,
    /// The checksum of the rounds so far.
    Taken(u64),
}

impl Fingerprint {
    /// The checksum of no rounds.
    pub(crate) const BLANK: Self = Self::Taken(0);

    /// Counts the final state of one more round: all hands, the draw pile, the top card, color and direction.
    #[inline]
    pub(super) fn add_round(&mut self, state: &RoundState) {
        if let Self::Taken(rounds) = self {
            *rounds = followed_by(*rounds, state);
        }
    }

    /// The checksum; 0 if it is not computed.
    pub(super) const fn value(self) -> u64 {
        match self {
            Self::LeftOut => 0,
            Self::Taken(rounds) => rounds,
        }
    }
}

fn followed_by(rounds: u64, state: &RoundState) -> u64 {
    let mut words = WordHash(rounds);
    for seat in state.seats() {
        words.add(folded(state.hand(seat)));
    }
    words.add(folded(state.draw_pile()));
    let color = state.color().map_or(4, |color| color.index() as u64);
    words.add((state.top().index() as u64) << 8 | color << 4 | state.direction() as u64);
    words.add(u64::from(state.reshuffles()));
    mix(words.0)
}

/// The planes of a multiset of cards in one word. Each has a different factor, so that the products are independent.
fn folded(cards: Cards) -> u64 {
    /// Odd numbers with well-distributed bits: the fractions of the square roots of 2 (made odd), 3, 5 and 7.
    const SPREAD: [u64; 4] =
        [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];
    let products = cards.planes().into_iter().zip(SPREAD).map(|(plane, spread)| plane.wrapping_mul(spread));
    products.fold(0, |folded, product| folded.rotate_left(17) ^ product)
}

/// Words combined into one; [`mix`] at the end spreads the high bits of the products.
struct WordHash(u64);

impl WordHash {
    const fn add(&mut self, word: u64) {
        /// An odd number with well-distributed bits, from the golden ratio.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(SPREAD);
    }
}
