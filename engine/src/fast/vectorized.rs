//! Work on a single round that takes vectors where the processor has them: the points of its hands, and the shuffle of its
//! deck.

#[cfg(native_x86_64)]
pub(crate) use super::simd::points::points_of_hands;
#[cfg(native_x86_64)]
pub(crate) use super::simd::shuffle::shuffle_front;
#[cfg(not(native_x86_64))]
pub(crate) use without_vectors::{points_of_hands, shuffle_front};

/// The same on other processors.
#[cfg(not(native_x86_64))]
mod without_vectors {
    use crate::cards::Cards;
    use crate::rng::Rng;
    use crate::rules::Rules;
    use crate::seat::MAX_SEATS;

    #[inline(always)]
    pub(crate) fn points_of_hands(rules: &Rules, hands: &[Cards; MAX_SEATS], count: usize) -> [u32; MAX_SEATS] {
        let mut points = [0; MAX_SEATS];
        points.iter_mut().zip(&hands[..count]).for_each(|(points, &hand)| *points = rules.points_of(hand));
        points
    }

    pub(crate) fn shuffle_front<T: Copy>(rng: &mut Rng, items: &mut [T], count: usize) {
        rng.shuffle_front(items, count);
    }
}
