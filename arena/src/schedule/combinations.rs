//! Combinations of entrants that can sit at a table together.

use crate::schedule::seating::EntrantId;

/// Every choice of `size` different entrants, in lexicographic order.
pub(super) fn choices(num_entrants: usize, size: usize) -> Vec<Vec<EntrantId>> {
    fn extend(
        chosen: &mut Vec<EntrantId>,
        from: usize,
        num_entrants: usize,
        size: usize,
        all: &mut Vec<Vec<EntrantId>>,
    ) {
        if chosen.len() == size {
            all.push(chosen.clone());
            return;
        }
        for next in from..=num_entrants - (size - chosen.len()) {
            chosen.push(EntrantId::new(next));
            extend(chosen, next + 1, num_entrants, size, all);
            chosen.pop();
        }
    }
    let mut all = Vec::new();
    extend(&mut Vec::with_capacity(size), 0, num_entrants, size, &mut all);
    all
}

/// Every multiset of `size` entrants in which each occurs: one of each, and every choice of copies for the other seats.
pub(super) fn multisets_with_everyone(num_entrants: usize, size: usize) -> Vec<Vec<EntrantId>> {
    // Stars and bars: the seats in a row, and a choice of gaps at which the next entrant begins.
    let beginnings = choices(size - 1, num_entrants - 1);
    let table = |beginnings: Vec<EntrantId>| -> Vec<EntrantId> {
        let entrant_in = |place: usize| beginnings.iter().filter(|beginning| beginning.index() < place).count();
        (0..size).map(|place| EntrantId::new(entrant_in(place))).collect()
    };
    let mut all: Vec<_> = beginnings.into_iter().map(table).collect();
    all.sort_unstable();
    all
}

/// The binomial coefficient of `n` and `k`, or the largest number if it overflows.
pub(super) fn binomial(n: u64, k: u64) -> u64 {
    (0..k.min(n - k)).try_fold(1_u64, |product, i| Some(product.checked_mul(n - i)? / (i + 1))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_match_pascals_triangle_or_overflow() {
        assert_eq!([(5, 0), (5, 2), (5, 4), (30, 4)].map(|(n, k)| binomial(n, k)), [1, 10, 5, 27_405]);
        assert_eq!(binomial(200, 100), u64::MAX);
    }
}
