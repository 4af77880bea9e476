//! [`ReshuffleBounds`]: the bounds of every reader for every hand, recorded at a reshuffle.

use unolab_engine::cards::Cards;
use unolab_engine::cpu::{Isa, Kernel};
use unolab_engine::seat::{MAX_SEATS, Seat};

use super::bounds::Bounds;

/// The bounds at the last reshuffle, by the seat that reads them.
#[derive(Debug, Clone)]
pub(super) struct ReshuffleBounds(Box<[Row; MAX_SEATS]>);

impl ReshuffleBounds {
    /// Each hand may contain any cards.
    pub(super) fn everything(deck: Bounds) -> Self {
        Self(Box::new([Row::of(&[deck; MAX_SEATS]); MAX_SEATS]))
    }

    /// This reader's bounds of a hand.
    #[inline(always)]
    pub(super) fn of(&self, reader: Seat, seat: Seat) -> Bounds {
        self.0[reader.index()].get(seat.index())
    }
}

/// The bounds of all hands, plane by plane: so one vector processes several hands.
#[derive(Debug, Clone, Copy)]
struct Row([[u64; Self::LEN]; 4]);

impl Row {
    /// Full vectors of four hands.
    const LEN: usize = MAX_SEATS.next_multiple_of(4);

    #[inline(always)]
    fn of(bounds: &[Bounds; MAX_SEATS]) -> Self {
        let mut row = Self([[0; Self::LEN]; 4]);
        for (place, &bounds) in bounds.iter().enumerate() {
            row.set(place, bounds);
        }
        row
    }

    #[inline(always)]
    fn get(&self, place: usize) -> Bounds {
        let Self([ones, twos, fours, eights]) = self;
        Bounds([ones[place], twos[place], fours[place], eights[place]])
    }

    #[inline(always)]
    fn set(&mut self, place: usize, Bounds(planes): Bounds) {
        let Self([ones, twos, fours, eights]) = self;
        [ones[place], twos[place], fours[place], eights[place]] = planes;
    }
}

/// Records the current bounds of readers with these hands; compiled for this instruction set.
pub(super) struct PutDown<'a, R> {
    pub(super) rows: &'a mut ReshuffleBounds,
    /// All copies of each kind.
    pub(super) deck: Bounds,
    /// The current value of all copies at the last reshuffle.
    pub(super) most: &'a [Bounds; MAX_SEATS],
    /// The current value of no copies at the last reshuffle.
    pub(super) least: &'a [Bounds; MAX_SEATS],
    /// All cards outside the discard pile.
    pub(super) hidden: Cards,
    pub(super) readers: R,
}

impl<R: Iterator<Item = (Seat, Cards)>> Kernel for PutDown<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<M: Isa>(self) {
        let (most, least) = (Row::of(self.most), Row::of(self.least));
        for (reader, hand) in self.readers {
            let cap = Bounds::of(self.hidden.minus(hand));
            let row = &mut self.rows.0[reader.index()];
            for place in 0..Row::LEN {
                let now = row.get(place).changed(self.deck, most.get(place), least.get(place));
                row.set(place, now.capped_by(cap));
            }
        }
    }
}
