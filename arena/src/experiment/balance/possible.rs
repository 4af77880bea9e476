//! Checks whether counts are possible for certain sets of a case. Counts from another machine may be wrong.

use std::collections::BTreeMap;
use std::ops::Range;

use super::case::{ArmCounts, Case, ReadyArm};
use super::metric::{Metric, MetricKind};
use crate::play::record::WIN;

impl Case {
    /// Whether these are possible counts of these sets, by arm.
    pub(super) fn can_be_of(&self, counted: &[ArmCounts], sets: &Range<u64>) -> bool {
        let mut arms = self.arms.iter().zip(counted);
        counted.len() == self.arms.len() && arms.all(|(ready, counted)| self.arm_can_be_of(ready, counted, sets))
    }

    /// Whether these are possible counts of a batch of these sets, by arm, with its streaks of timeouts. Saved counts have none.
    pub(super) fn can_be_batch_of(&self, counted: &[ArmCounts], sets: &Range<u64>) -> bool {
        let mut arms = self.arms.iter().zip(counted);
        self.can_be_of(counted, sets)
            && arms.all(|(ready, counted)| self.streaks_can_be(ready, counted, sets.end - sets.start))
    }

    fn arm_can_be_of(&self, ready: &ReadyArm, counted: &ArmCounts, sets: &Range<u64>) -> bool {
        let (layout, tables) = (&self.layout, &ready.tables);
        let number = sets.end - sets.start;
        counted.moments.len() == layout.len()
            && counted.moments.iter().all(|moments| moments.can_be_of(number))
            && self.games_add_up(ready, counted, number)
            && counted.faults.len() == 1 + tables.dealt.len()
            && counted.faults.iter().all(|book| book.is_of(layout.agents.len()) && book.is_of_games(sets, self.seats))
    }

    /// Whether the entrants of programs, and no others, have streaks of timeouts that this number of sets can have.
    fn streaks_can_be(&self, ready: &ReadyArm, counted: &ArmCounts, sets: u64) -> bool {
        let games = sets * ready.tables.games_per_set(self.scope, self.seats as u64);
        let num_streaks = if ready.contest.has_programs() { ready.contest.specs().len() } else { 0 };
        counted.streaks.len() == num_streaks && counted.streaks.iter().all(|streak| streak.can_be_of(games))
    }

    /// Whether there are as many games, seats and wins as this number of sets has.
    fn games_add_up(&self, ready: &ReadyArm, counted: &ArmCounts, sets: u64) -> bool {
        let (layout, tables, seats) = (&self.layout, &ready.tables, self.seats as u64);
        let of = |metric: Metric| &counted.moments[layout.place(metric)];
        let number_of_games =
            |lengths: &BTreeMap<u32, u64>| lengths.values().try_fold(0_u64, |sum, &times| sum.checked_add(times));
        let below = |kind: MetricKind, number: usize| {
            (0..number).map(|one| of(kind.of(one)).denominator()).fold(0, i128::saturating_add)
        };
        let above = |kind: MetricKind, number: usize| {
            (0..number).map(|one| of(kind.of(one)).numerator()).fold(0, i128::saturating_add)
        };
        let (agents, entrants) = (layout.agents.len(), layout.entrants.len());
        let of_field = i128::from(sets * tables.field.games_per_set());
        let wins = of_field * i128::from(WIN);
        let rounds_won = counted.points.values().try_fold(0_u64, |sum, &times| sum.checked_add(times));
        let has_lengths = !counted.lengths.turns.is_empty();
        let lengths = [&counted.lengths.turns, &counted.lengths.rounds].map(number_of_games);
        let lengths_add_up = lengths.iter().all(|games| games.map(i128::from) == Some(of_field));
        of(MetricKind::Turns.into()).denominator() == of_field
            && (!has_lengths || lengths_add_up)
            && below(MetricKind::Faults, agents) == i128::from(sets * tables.games_per_set(self.scope, seats) * seats)
            && below(MetricKind::Win, entrants) == of_field * i128::from(seats)
            && above(MetricKind::Win, entrants) == wins
            && above(MetricKind::Seat, self.seats) == wins
            && rounds_won.map(i128::from) == Some(of(MetricKind::PointsTaken.into()).denominator())
    }
}
