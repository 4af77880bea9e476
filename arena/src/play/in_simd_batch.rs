//! Single rounds with `random` in every seat: all games of many sets in one SIMD batch.

use std::ops::Range;

use unolab_agents::simd_batch::{Exhausted, RoundBatch, Rounds};
use unolab_agents::table::{Counts, Ending};
use unolab_engine::fast::BatchRound;
use unolab_engine::rng::Purpose;
use unolab_engine::seat::BySeat;

use super::Dealer;
use crate::play::record::GameRecord;
use crate::schedule::Section;
use crate::schedule::seating::EntrantId;
use crate::spec::{AgentSeed, Entrant, Unit};

impl Dealer<'_> {
    /// Whether the games of this section can be played in a SIMD batch. They must be rounds with only `random` players without
    /// odds that use the random numbers of their seats, so that the seating is irrelevant.
    #[must_use]
    pub fn plays_in_simd_batch(&self, section: &Section) -> bool {
        let mut entrants = section.tables.iter().flat_map(|table| &table.entrants);
        let fits = |entrant: &EntrantId| {
            let number = entrant.index();
            let Entrant { stream, extra_cards, .. } = self.entrants[number];
            self.specs[number].is_plain_random() && stream == AgentSeed::PerSeat && extra_cards == 0
        };
        self.unit == Unit::Round && entrants.all(fits)
    }

    /// Plays all games of these sets; `count` receives the records in the order of the games.
    pub fn play_in_simd_batch(&mut self, sets: Range<u64>, games_per_set: u64, count: impl FnMut(&GameRecord)) {
        let in_order = InOrder::new(count);
        let deal = BatchRound::vacant(self.rules);
        let mut games = Games { dealer: self, sets, games_per_set, deal, in_order };
        RoundBatch::new(games.dealer.rules, games.dealer.num_players).play(&mut games);
    }

    fn begin_round(&self, set: u64, round: &mut BatchRound) {
        let (_, plan) = self.first_plan(set, BySeat::default());
        let streams = self.streams.of_set(set);
        let mut cards = streams.stream(Purpose::Cards { round: 0 });
        round.state.redeal(self.rules, plan.seats, plan.dealer, &mut cards);
        round.begin(cards, |seat| streams.stream(Purpose::Agent(seat)));
    }
}

/// The games of some sets.
struct Games<'a, 'c, F> {
    dealer: &'a Dealer<'c>,
    /// The sets that have not been dealt.
    sets: Range<u64>,
    games_per_set: u64,
    /// The deal of the set whose games are being started.
    deal: BatchRound,
    in_order: InOrder<F>,
}

impl<F: FnMut(&GameRecord)> Rounds for Games<'_, '_, F> {
    fn begin(&mut self, number: usize, round: &mut BatchRound) -> Result<(), Exhausted> {
        if self.games_per_set == 1 {
            self.dealer.begin_round(self.sets.next().ok_or(Exhausted)?, round);
            return Ok(());
        }
        if (number as u64).is_multiple_of(self.games_per_set) {
            self.dealer.begin_round(self.sets.next().ok_or(Exhausted)?, &mut self.deal);
        }
        round.clone_from(&self.deal);
        Ok(())
    }

    fn finish(&mut self, number: usize, round: &BatchRound, ending: Ending) {
        let counts = Counts { turns: round.turns, decisions: round.decisions };
        self.in_order.take(number, self.dealer.record_of_round(&round.state, counts, ending));
    }
}

/// Passes records on in the order of their numbers, regardless of the order in which they arrive.
struct InOrder<F> {
    /// The number of the first record that has not been passed on.
    next: usize,
    /// A ring of this record and the next ones, if they have arrived; its length is a power of two. It grows if a batch
    /// has more rounds in progress.
    ring: Vec<Option<GameRecord>>,
    count: F,
}

impl<F: FnMut(&GameRecord)> InOrder<F> {
    fn new(count: F) -> Self {
        Self { next: 0, ring: vec![None; 32], count }
    }

    fn take(&mut self, number: usize, record: GameRecord) {
        if number - self.next >= self.ring.len() {
            self.grow();
        }
        let last = self.ring.len() - 1;
        self.ring[number & last] = Some(record);
        while let Some(record) = &self.ring[self.next & last] {
            (self.count)(record);
            self.ring[self.next & last] = None;
            self.next += 1;
        }
    }

    /// Called rarely, if a long round delays many others.
    #[cold]
    fn grow(&mut self) {
        let mut ring = vec![None; 2 * self.ring.len()];
        let (last, new_last) = (self.ring.len() - 1, ring.len() - 1);
        for number in self.next..self.next + self.ring.len() {
            ring[number & new_last] = self.ring[number & last].take();
        }
        self.ring = ring;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::record::Status;

    #[test]
    fn records_are_counted_in_number_order() {
        let mut counted = Vec::new();
        let mut in_order = InOrder::new(|record: &GameRecord| counted.push(record.turns));
        let late = in_order.ring.len() + 3;
        for number in [2, 0, 5, 1, 3].into_iter().chain(6..=late).chain([4]) {
            let turns = u32::try_from(number).unwrap();
            in_order.take(number, GameRecord { turns, ..GameRecord::without_winner(2, 1, Status::Void) });
        }
        assert!(in_order.ring.iter().all(Option::is_none));
        assert!(counted.into_iter().eq(0..=u32::try_from(late).unwrap()));
    }
}
