//! The points of four hands at a time: [`Rules::points_of`] of each.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_popcnt_epi64, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_sllv_epi64,
};

use crate::card::CardSet;
use crate::cards::Cards;
use crate::fast::isa::{Avx512, call_avx512, for_avx512};
use crate::rules::Rules;
use crate::seat::MAX_SEATS;

/// How many hands two registers hold: a word for each plane.
const HANDS: usize = 4;

/// Point values of `hands[..count]`, with AVX-512 where the processor has it. Large hands with many
/// copies, which take the longest one by one, take no longer here.
#[inline(always)]
pub(crate) fn points_of_hands(rules: &Rules, hands: &[Cards; MAX_SEATS], count: usize) -> [u32; MAX_SEATS] {
    let mut points = [0; MAX_SEATS];
    let Some(has_avx512) = Avx512::detect() else {
        points.iter_mut().zip(&hands[..count]).for_each(|(points, &hand)| *points = rules.points_of(hand));
        return points;
    };
    let points_of = |four: &[Cards; HANDS]| call_avx512!(has_avx512, points_of_four(&rules.tables.point_bits, four));
    let (fours, &[ninth, tenth]) = hands.as_chunks::<HANDS>() else { unreachable!("ten seats") };
    let (points_of_fours, points_of_last) = points.as_chunks_mut::<HANDS>();
    for (points, four) in points_of_fours.iter_mut().zip(fours).take(count.div_ceil(HANDS)) {
        *points = points_of(four);
    }
    if count > 2 * HANDS {
        points_of_last.copy_from_slice(&points_of(&[ninth, tenth, Cards::EMPTY, Cards::EMPTY])[..2]);
    }
    points
}

for_avx512! {
    /// Bit by bit of the points, from the highest: twice what it was, and one for each copy of the kinds that have the bit.
    fn points_of_four(point_bits: &[CardSet], hands: &[Cards; HANDS]) -> [u32; HANDS] {
        // Word by word, so that the sums stay in registers even where the compiler unrolls nothing.
        let [first, second, third, fourth] = hands;
        let planes = [first.planes(), second.planes(), third.planes(), fourth.planes()];
        let [of_two, of_others]: [__m512i; 2] = bytemuck::must_cast(planes);
        let (mut sum, mut sum_of_others) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for with_bit in point_bits.iter().rev() {
            let with_bit = _mm512_set1_epi64(with_bit.0.cast_signed());
            let copies = _mm512_popcnt_epi64(_mm512_and_si512(of_two, with_bit));
            sum = _mm512_add_epi64(_mm512_add_epi64(sum, sum), copies);
            let copies = _mm512_popcnt_epi64(_mm512_and_si512(of_others, with_bit));
            sum_of_others = _mm512_add_epi64(_mm512_add_epi64(sum_of_others, sum_of_others), copies);
        }
        // A card of the second plane counts as two, and so on.
        let by_plane: __m512i = bytemuck::must_cast([0_u64, 1, 2, 3, 0, 1, 2, 3]);
        let of_hands: [[u64; 4]; HANDS] = bytemuck::must_cast([
            _mm512_sllv_epi64(sum, by_plane),
            _mm512_sllv_epi64(sum_of_others, by_plane),
        ]);
        #[expect(clippy::cast_possible_truncation, reason = "what a hand counts fits 32 bits")]
        let points = of_hands.map(|[ones, twos, fours, eights]| (ones + twos + fours + eights) as u32);
        points
    }
}
