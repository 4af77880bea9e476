//! A shuffle that computes many numbers in a loop, for which the compiler uses vectors. The result equals [`Rng::shuffle_front`].

use crate::cpu::isa::Isa;
use crate::rng::{Rng, leaps};

/// The most numbers that are computed at a time.
const NUMBERS: usize = 32;

/// [`Rng::shuffle_front`], with the fastest code for this instruction set.
///
/// # Panics
/// If `count` is larger than the number of items.
#[inline(always)]
pub(crate) fn shuffle_front<T: Copy, M: Isa>(rng: &mut Rng, items: &mut [T], count: usize) {
    if !M::IS_COMMON {
        return rng.shuffle_front(items, count);
    }
    assert!(count <= items.len());
    let (mut done, mut numbers) = (0, [0; NUMBERS]);
    while done < count {
        let (rest, now) = (&mut items[done..], NUMBERS.min(count - done));
        if compute_numbers(rng, rest.len() as u64, now, &mut numbers) == Fairness::Certain {
            assert!(now <= rest.len()); // not checked for each number
            for (place, &number) in numbers[..now].iter().enumerate() {
                #[expect(clippy::cast_possible_truncation, reason = "below the length of the list")]
                rest.swap(place, place + number as usize);
            }
        } else {
            rng.shuffle_front(rest, now);
        }
        done += now;
    }
}

/// Whether numbers may have to be rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fairness {
    Certain,
    Doubtful,
}

/// Computes the next `count` numbers: below `bound`, below one less, and so on. If one may have to be rejected, the generator does not
/// change.
#[inline(always)]
fn compute_numbers(rng: &mut Rng, bound: u64, count: usize, numbers: &mut [u64; NUMBERS]) -> Fairness {
    const LOW_HALF: u64 = u32::MAX as u64;
    let (first, mut are_fair) = (rng.state(), true);
    // Two whole vectors at a time, so that no numbers are left for a loop of single ones.
    let whole_vectors = count.next_multiple_of(8).min(NUMBERS);
    for (place, (number, (factor, term))) in
        (0..).zip(numbers[..whole_vectors].iter_mut().zip(LEAPS.0.iter().zip(&LEAPS.1)))
    {
        // The output function of Pcg32, in lanes of 64 bits.
        let state = first.wrapping_mul(*factor).wrapping_add(*term);
        let bits = ((state >> 18) ^ state) >> 27 & LOW_HALF;
        let rotated = (bits | bits << 32) >> (state >> 59) & LOW_HALF;
        let bound = bound.wrapping_sub(place) & LOW_HALF;
        let product = rotated * bound;
        are_fair &= product & LOW_HALF >= bound;
        *number = product >> 32;
    }
    if !are_fair {
        return Fairness::Doubtful;
    }
    *rng = Rng::from_state(first.wrapping_mul(LEAPS.0[count]).wrapping_add(LEAPS.1[count]));
    Fairness::Certain
}

const LEAPS: ([u64; NUMBERS + 1], [u64; NUMBERS + 1]) = leaps();

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::isa::{Generic, Kernel, dispatch};

    struct Shuffle<'a> {
        rng: &'a mut Rng,
        items: &'a mut [u32],
        count: usize,
    }

    impl Kernel for Shuffle<'_> {
        type Output = ();
        #[inline(always)]
        fn run<M: Isa>(self) {
            shuffle_front::<_, M>(self.rng, self.items, self.count);
        }
    }

    /// Compares a shuffle with [`Rng::shuffle_front`].
    fn assert_matches_generator(mut shuffle: impl FnMut(&mut Rng, &mut [u32], usize)) {
        for seed in 0..2_000 {
            // Long lists cause more rejections than decks do.
            for (len, count) in [(108, 28), (108, 32), (108, 70), (7, 7), (40, 39), (1, 1), (5, 0), (3_000_000, 20)] {
                if len > 1000 && seed > 40 {
                    continue;
                }
                let (mut ours, mut theirs): (Vec<u32>, Vec<u32>) = ((0..len).collect(), (0..len).collect());
                let (mut rng, mut same) = (Rng::from_seed(seed), Rng::from_seed(seed));
                shuffle(&mut rng, &mut ours, count);
                same.shuffle_front(&mut theirs, count);
                assert_eq!((ours, rng), (theirs, same), "{len} {count}");
            }
        }
    }

    #[test]
    fn shuffle_matches_generator() {
        assert_matches_generator(|rng, items, count| Shuffle { rng, items, count }.run::<Generic>());
        assert_matches_generator(|rng, items, count| dispatch(Shuffle { rng, items, count }));
    }
}
