//! A shuffle that computes many numbers of one generator at a time. The result equals [`Rng::shuffle_front`].

use super::vector::{Vector, WIDTH, add, below_unless_unfair, multiply, words};
use super::{Instructions, call_compiled, for_instructions};
use crate::rng::{Rng, leaps};

/// [`Rng::shuffle_front`], compiled for these instructions.
///
/// # Panics
/// If `count` is larger than the number of items.
#[inline]
pub(crate) fn shuffle_front<T: Copy>(instructions: Instructions, rng: &mut Rng, items: &mut [T], count: usize) {
    assert!(count <= items.len());
    let mut done = 0;
    while done < count {
        let (rest, now) = (&mut items[done..], WIDTH.min(count - done));
        match call_compiled!(instructions, next_numbers(rng, rest.len(), now)) {
            Some(numbers) => {
                for (place, &number) in words(&numbers).iter().enumerate().take(now) {
                    #[expect(clippy::cast_possible_truncation, reason = "below the length of the list")]
                    rest.swap(place, place + number as usize);
                }
            }
            None => rng.shuffle_front(rest, now),
        }
        done += now;
    }
}

for_instructions! {
    /// The next `count` numbers of the generator, at most one for each lane: below `bound`, below one less, and so on.
    /// `None`, with the generator unchanged, if a number may have to be rejected.
    fn next_numbers(rng: &mut Rng, bound: usize, count: usize) -> Option<Vector> {
        let states = states_from(rng.state());
        let bounds: [u64; WIDTH] = std::array::from_fn(|place| bound.saturating_sub(place).max(1) as u64);
        let numbers = below_unless_unfair(states, bytemuck::must_cast(bounds))?;
        *rng = if count == WIDTH { after_all(rng.state()) } else { Rng::from_state(words(&states)[count]) };
        Some(numbers)
    }

    /// This state of a generator and the following states.
    fn states_from(state: u64) -> Vector {
        add(multiply(super::vector::all(state), bytemuck::must_cast(FIRST_LEAPS.0)), bytemuck::must_cast(FIRST_LEAPS.1))
    }
}

/// The state after as many numbers as there are lanes.
fn after_all(state: u64) -> Rng {
    Rng::from_state(state.wrapping_mul(LEAPS.0[WIDTH]).wrapping_add(LEAPS.1[WIDTH]))
}

const LEAPS: ([u64; WIDTH + 1], [u64; WIDTH + 1]) = leaps();
const FIRST_LEAPS: ([u64; WIDTH], [u64; WIDTH]) = leaps();

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::simd::assert_matches_generator;

    #[test]
    fn shuffle_matches_generator() {
        let Some(instructions) = Instructions::detect() else {
            return eprintln!("SKIPPED: this processor has no AVX-512");
        };
        assert_matches_generator(|rng, items, count| shuffle_front(instructions, rng, items, count));
    }
}
