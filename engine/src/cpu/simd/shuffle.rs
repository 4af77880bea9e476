//! A shuffle that computes many numbers of one generator at a time. The result equals [`Rng::shuffle_front`].

use super::vector::{Vector, WIDTH, add, below_unless_unfair, multiply, words};
use super::{Instructions, call_compiled, for_instructions};
use crate::rng::{Rng, leap};

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
        add(multiply(super::vector::all(state), bytemuck::must_cast(LEAPS.0)), bytemuck::must_cast(LEAPS.1))
    }
}

/// The state after as many numbers as there are lanes.
fn after_all(state: u64) -> Rng {
    let (factor, term) = leap(WIDTH);
    Rng::from_state(state.wrapping_mul(factor).wrapping_add(term))
}

/// By the number of steps: the factor and the term of a [`leap`].
const LEAPS: ([u64; WIDTH], [u64; WIDTH]) = {
    let (mut factors, mut terms) = ([0; WIDTH], [0; WIDTH]);
    let mut numbers = 0;
    while numbers < WIDTH {
        (factors[numbers], terms[numbers]) = leap(numbers);
        numbers += 1;
    }
    (factors, terms)
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffle_matches_generator() {
        let Some(instructions) = Instructions::detect() else {
            return eprintln!("SKIPPED: this processor has no AVX-512");
        };
        for seed in 0..2_000 {
            // Long lists cause more rejections than decks do.
            for (len, count) in [(108, 28), (108, 32), (108, 70), (7, 7), (40, 39), (1, 1), (5, 0), (3_000_000, 20)] {
                if len > 1000 && seed > 40 {
                    continue;
                }
                let (mut ours, mut theirs): (Vec<u32>, Vec<u32>) = ((0..len).collect(), (0..len).collect());
                let (mut rng, mut same) = (Rng::from_seed(seed), Rng::from_seed(seed));
                shuffle_front(instructions, &mut rng, &mut ours, count);
                same.shuffle_front(&mut theirs, count);
                assert_eq!((ours, rng), (theirs, same), "{len} {count}");
            }
        }
    }
}
