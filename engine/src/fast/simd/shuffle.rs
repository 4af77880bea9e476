//! A shuffle in vectors, where the processor has them.

use super::avx512::batch::shuffle;
use crate::fast::isa::Avx512;
use crate::rng::Rng;

/// [`Rng::shuffle_front`], with the best code for this processor.
///
/// # Panics
/// If `count` is larger than the number of items.
#[inline]
pub(crate) fn shuffle_front<T: Copy>(rng: &mut Rng, items: &mut [T], count: usize) {
    match Avx512::detect() {
        Some(has_avx512) => shuffle::shuffle_front(has_avx512, rng, items, count),
        None => rng.shuffle_front(items, count),
    }
}
