//! Plays and counts the sets of one arm.

use std::collections::BTreeMap;
use std::ops::Range;

use unolab_engine::seat::{BySeat, Seat};

use super::case::{Case, Lengths, ReadyArm, Tables};
use super::fitted_model::FittedModel;
use super::metric::{MetricKind, Parts};
use super::observer::Observer;
use super::scope::{Detail, TableGroup};
use super::spec::MetricSet;
use crate::count::faults::{FaultBook, FaultInGame};
use crate::count::luck::against_the_table;
use crate::play::Dealer;
use crate::play::guarded::Guard;
use crate::play::record::{GameRecord, Status};
use crate::schedule::patience::{Patience, TimeoutStreak};
use crate::schedule::seating::{EntrantId, Seating};
use crate::spec::Unit;
use crate::spec::luck::NUM_CARD_CONTROLS;

/// A block of sets in one arm.
pub(super) struct ArmJob<'a> {
    pub(super) case: &'a Case,
    pub(super) ready: &'a ReadyArm,
    pub(super) sets: Range<u64>,
    /// The number in the run of the first game of the arm.
    pub(super) first_game: u64,
    pub(super) guard: Guard,
    pub(super) points: &'a mut BTreeMap<u32, u64>,
    /// The lengths of the games, if they are counted.
    pub(super) lengths: Option<&'a mut Lengths>,
    pub(super) faults: &'a mut Vec<FaultBook>,
    /// Receives the number of rounds.
    pub(super) rounds: &'a mut u64,
    /// The patience with its entrants before the first set.
    pub(super) patience: Patience,
    /// Receives their streaks of timeouts.
    pub(super) streaks: &'a mut Vec<TimeoutStreak>,
}

impl<'a> ArmJob<'a> {
    pub(super) fn play(mut self) -> Vec<Parts<'a>> {
        let ReadyArm { contest, tables, .. } = self.ready;
        self.faults.resize(1 + tables.dealt.len(), FaultBook::default());
        let (layout, scope) = (&self.case.layout, self.case.scope);
        let mut observer = Observer::new(contest.rules(&tables.field), contest.spec().unit);
        observer.follow_choices(layout.decisive_permille);
        let mut arm_player = ArmPlayer {
            dealer: Dealer::new(contest, &tables.field).with(self.guard).with_patience(self.patience),
            observer: match layout.set {
                MetricSet::Core => observer,
                MetricSet::All => observer.with_experience(&layout.cards),
            },
            lengths: &layout.lengths,
            unit: contest.spec().unit,
            tables,
            agent_of: &self.case.agent_of,
            fitted: &self.case.fitted,
            detail: scope.detail,
            index: 0,
            faults: self.faults,
            rounds: self.rounds,
        };
        let games_per_set = self.case.games_per_set();
        let play_set = |set| {
            let mut parts = Parts::new(&self.case.layout);
            arm_player.index = self.first_game + set * games_per_set;
            let plays_field = scope.plays(TableGroup::Field);
            let ordinary = plays_field.then(|| arm_player.play_field(set, &mut parts, self.points, &mut self.lengths));
            if tables.plays_weak(scope) {
                arm_player.play_skill(set, &mut parts);
            }
            if scope.plays(TableGroup::Panel) {
                arm_player.play_panel(set, &mut parts);
            }
            if let Some(ordinary) = ordinary {
                arm_player.play_ladder(set, &mut parts);
                arm_player.play_dealt(set, &ordinary, &mut parts);
            }
            parts
        };
        let parts = self.sets.map(play_set).collect();
        *self.streaks = arm_player.dealer.streaks();
        parts
    }
}

/// Plays the sets of one arm.
struct ArmPlayer<'a> {
    dealer: Dealer<'a>,
    observer: Observer<'a>,
    unit: Unit,
    tables: &'a Tables,
    /// By entrant.
    agent_of: &'a [usize],
    fitted: &'a FittedModel,
    detail: Detail,
    /// Lengths in turns; longer games are counted.
    lengths: &'a [u32],
    /// The number in the run of the next game.
    index: u64,
    faults: &'a mut [FaultBook],
    rounds: &'a mut u64,
}

/// The game to compare with a game with a dealt card.
struct BaselineGame {
    record: GameRecord,
    points_left: BySeat<u32>,
    seating: Seating,
}

impl ArmPlayer<'_> {
    fn play(&mut self, set: u64, seating: &[EntrantId], parts: &mut Parts<'_>) -> GameRecord {
        let record = match self.detail {
            Detail::Result => {
                let deal = self.dealer.deal(set);
                self.dealer.play(&deal, seating)
            }
            Detail::Turns | Detail::Models => {
                self.observer.begin_game();
                self.dealer.play_observed(set, seating, &mut self.observer)
            }
        };
        self.count_faults(set, &record, seating, 0, parts);
        record
    }

    /// The faults of the last game, which are stored in this book.
    fn count_faults(
        &mut self,
        set: u64,
        record: &GameRecord,
        seating: &[EntrantId],
        book: usize,
        parts: &mut Parts<'_>,
    ) {
        let agent_in = |seat: Seat| self.agent_of[seating[seat.index()].index()];
        for seat in record.seats() {
            let has_offended = record.result(seat).fault.is_some();
            parts.add(MetricKind::Faults.of(agent_in(seat)), i64::from(has_offended), 1);
        }
        for fault in self.dealer.faults() {
            let agent = EntrantId::new(agent_in(fault.seat));
            self.faults[book].add(agent, FaultInGame::of(fault, self.index, set));
        }
        self.index += 1;
        *self.rounds += u64::from(record.rounds);
    }

    /// Plays the field; games with a card dealt on purpose are compared with its first game.
    fn play_field(
        &mut self,
        set: u64,
        parts: &mut Parts<'_>,
        points: &mut BTreeMap<u32, u64>,
        lengths: &mut Option<&mut Lengths>,
    ) -> BaselineGame {
        let tables = self.tables;
        let mut first = None;
        for (_, seating) in tables.field.games(self.dealer.streams_of(set)) {
            let record = self.play(set, &seating, parts);
            let points_left = self.observer.points_left;
            first.get_or_insert_with(|| BaselineGame { record, points_left, seating: seating.to_vec() });
            self.count_lengths(&record, parts);
            if let Some(lengths) = lengths {
                lengths.add(&record);
            }
            if self.detail != Detail::Result {
                self.count_turns(&record, parts, points);
            }
            let luck = against_the_table(&self.observer.luck.by_player, record.num_seats, 1);
            luck[0][..NUM_CARD_CONTROLS]
                .iter()
                .enumerate()
                .for_each(|(i, &luck)| parts.add(MetricKind::Control.of(i), luck, 1));
            for (seat, entrant) in record.seats().zip(&*seating) {
                let (place, entrant) = (record.order_of_play(seat), entrant.index());
                let win = record.win_of(seat);
                let adjusted = self.fitted.coefficients.adjust(win, &luck[seat.index()]);
                parts.add(MetricKind::Seat.of(place), win, 1);
                parts.add(MetricKind::SeatAdjusted.of(place), adjusted, 1);
                parts.add(MetricKind::Win.of(entrant), win, 1);
                parts.add(MetricKind::WinAdjusted.of(entrant), adjusted, 1);
                parts.add(MetricKind::Points.of(entrant), i64::from(record.result(seat).points), 1);
            }
        }
        first.expect("a field has a table")
    }

    fn count_lengths(&self, record: &GameRecord, parts: &mut Parts<'_>) {
        parts.add(MetricKind::Turns, i64::from(record.turns), 1);
        parts.add(MetricKind::Decisions, i64::from(record.decisions), 1);
        parts.add(MetricKind::Rounds, i64::from(record.rounds), 1);
        parts.add(MetricKind::Reshuffles, i64::from(record.reshuffles), 1);
        parts.add(MetricKind::Void, i64::from(record.status == Status::Void), 1);
        parts.add(MetricKind::Truncated, i64::from(record.status == Status::Truncated), 1);
        for (number, &length) in self.lengths.iter().enumerate() {
            parts.add(MetricKind::Longer.of(number), i64::from(record.turns > length), 1);
        }
    }

    /// Counts the observations in the turns of the last game.
    fn count_turns(&self, record: &GameRecord, parts: &mut Parts<'_>, points: &mut BTreeMap<u32, u64>) {
        let seen = &self.observer;
        parts.add(MetricKind::LegalActions, seen.legal_actions, seen.decisions);
        parts.add(MetricKind::Choices, seen.choices, seen.decisions);
        if let Some(experience) = &seen.experience {
            experience.count(record.num_seats, parts);
        }
        if let Some(values) = &seen.choice_values {
            parts.add(MetricKind::DecisiveChoices, values.decisive, values.turns);
        }
        self.count_points(parts, points);
        self.fitted.count_course(record, &seen.sights, self.unit, parts);
        if self.unit == Unit::Round {
            self.fitted.count_sting(seen, record.num_seats, parts);
        }
    }

    fn count_points(&self, parts: &mut Parts<'_>, points: &mut BTreeMap<u32, u64>) {
        let seen = &self.observer;
        for &taken in &seen.points_taken {
            *points.entry(taken).or_default() += 1;
            parts.add(MetricKind::PointsTaken, i64::from(taken), 1);
            parts.add(MetricKind::PointsSquared, i64::from(taken) * i64::from(taken), 1);
        }
        let all: i64 = seen.points_from.iter().sum();
        seen.points_from.iter().enumerate().for_each(|(i, &from)| parts.add(MetricKind::PointsFrom.of(i), from, all));
    }

    fn play_skill(&mut self, set: u64, parts: &mut Parts<'_>) {
        let tables = self.tables;
        let good = tables.skill.tables[0].entrants[0];
        for (_, seating) in tables.skill.games(self.dealer.streams_of(set)) {
            let record = self.play(set, &seating, parts);
            let luck = against_the_table(&self.observer.luck.by_player, record.num_seats, 1);
            for (seat, _) in record.seats().zip(&*seating).filter(|&(_, &entrant)| entrant == good) {
                let win = record.win_of(seat);
                parts.add(MetricKind::GoodShare, win, 1);
                if let Some(member) = tables.weak_in_panel {
                    parts.add(MetricKind::PanelShare.of(member), win, 1);
                }
                let adjusted = self.fitted.coefficients.adjust(win, &luck[seat.index()]);
                parts.add(MetricKind::GoodShareAdjusted, adjusted, 1);
            }
        }
    }

    /// The good player meets copies of each other member of the panel.
    fn play_panel(&mut self, set: u64, parts: &mut Parts<'_>) {
        let tables = self.tables;
        let good = tables.skill.tables[0].entrants[0];
        for (member, section) in &tables.panel {
            for (_, seating) in section.games(self.dealer.streams_of(set)) {
                let record = self.play(set, &seating, parts);
                let seats = record.seats().zip(&*seating).filter(|&(_, &entrant)| entrant == good);
                seats.for_each(|(seat, _)| parts.add(MetricKind::PanelShare.of(*member), record.win_of(seat), 1));
            }
        }
    }

    fn play_ladder(&mut self, set: u64, parts: &mut Parts<'_>) {
        let tables = self.tables;
        for (rung, section) in tables.rungs.iter().enumerate() {
            let upper = section.tables[0].entrants[0];
            for (_, seating) in section.games(self.dealer.streams_of(set)) {
                let record = self.play(set, &seating, parts);
                let seats = record.seats().zip(&*seating).filter(|&(_, &entrant)| entrant == upper);
                seats.for_each(|(seat, _)| parts.add(MetricKind::Rung.of(rung), record.win_of(seat), 1));
            }
        }
    }

    /// Each seat in turn gets each card, at the first seating of the field.
    fn play_dealt(&mut self, set: u64, ordinary: &BaselineGame, parts: &mut Parts<'_>) {
        let tables = self.tables;
        let seating = &ordinary.seating;
        for (number, &card) in tables.dealt.iter().enumerate() {
            for seat in ordinary.record.seats() {
                let deal = self.dealer.deal_with_card(set, seat, card);
                self.observer.begin_game();
                let record = self.dealer.play_before(&deal, seating, &mut self.observer);
                self.count_faults(set, &record, seating, 1 + number, parts);
                let [points, before] = [&record, &ordinary.record].map(|record| i64::from(record.result(seat).points));
                let [left, left_before] =
                    [&self.observer.points_left, &ordinary.points_left].map(|left| i64::from(left[seat]));
                parts.add(MetricKind::DealtWin.of(number), record.win_of(seat) - ordinary.record.win_of(seat), 1);
                parts.add(MetricKind::DealtPoints.of(number), points - before, 1);
                parts.add(MetricKind::DealtLeft.of(number), left - left_before, 1);
                parts.add(MetricKind::DealtNet.of(number), points - before - (left - left_before), 1);
            }
        }
    }
}
