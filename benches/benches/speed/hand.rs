//! Operations on a hand: adding, removing, finding by number, and counting cards.
//!
//! Measured over the hands of all seats in the positions of the corpus, with the code for any processor and, where it
//! differs (`nth`), with the code for this processor. One element is one card; for `len`, one hand.
//!
//! Before and after a change:
//! `cargo bench -p unolab-benches --bench speed -- ^hand --save-baseline before`, then `--baseline before`.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::cpu::{Isa, Kernel, dispatch};

use unolab_benches::positions::spread;
use unolab_benches::preset;

/// A hand, and its cards as a plain list, lowest kind first.
struct Hand {
    cards: Cards,
    list: Vec<Card>,
}

fn hands() -> Vec<Hand> {
    let rules = preset("classic");
    let hands = spread(&rules, 4)
        .into_iter()
        .flat_map(|position| position.state.seats().map(|seat| position.state.hand(seat)).collect::<Vec<Cards>>());
    hands.map(|cards| Hand { cards, list: cards.iter().collect() }).collect()
}

/// Finds every card of every hand by its number, and returns the sum of the kinds' numbers.
struct FindAll<'a>(&'a [Hand]);

impl Kernel for FindAll<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Isa>(self) -> usize {
        let numbers = |hand: &Hand| {
            let cards = black_box(hand.cards);
            (0..cards.len()).map(|number| cards.nth_on::<M>(black_box(number)).index()).sum::<usize>()
        };
        self.0.iter().map(numbers).sum()
    }
}

pub(super) fn benches(criterion: &mut Criterion) {
    let hands = hands();
    let num_cards: usize = hands.iter().map(|hand| hand.list.len()).sum();
    let sum_of_kinds: usize = hands.iter().flat_map(|hand| &hand.list).map(|card| card.index()).sum();

    let mut group = criterion.benchmark_group("hand");
    group.throughput(Throughput::Elements(num_cards as u64));
    group.bench_function("add", |bencher| {
        bencher.iter(|| {
            for hand in &hands {
                let mut cards = Cards::EMPTY;
                black_box(&hand.list).iter().for_each(|&card| cards.add(card));
                assert_eq!(cards, hand.cards);
            }
        });
    });
    group.bench_function("remove", |bencher| {
        bencher.iter(|| {
            for hand in &hands {
                let mut cards = hand.cards;
                black_box(&hand.list).iter().for_each(|&card| cards.remove(card));
                assert!(cards.is_empty());
            }
        });
    });
    group.bench_function("nth", |bencher| {
        bencher.iter(|| assert_eq!(FindAll(&hands).run::<unolab_engine::cpu::Generic>(), sum_of_kinds));
    });
    group.bench_function("nth on this machine", |bencher| {
        bencher.iter(|| assert_eq!(dispatch(FindAll(&hands)), sum_of_kinds));
    });
    group.throughput(Throughput::Elements(hands.len() as u64));
    group.bench_function("len", |bencher| {
        let count = || hands.iter().map(|hand| black_box(hand.cards).len() as usize).sum::<usize>();
        bencher.iter(|| assert_eq!(count(), num_cards));
    });
}
