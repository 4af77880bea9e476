//! Records games while they are played: actions, notes, and faults.

use unolab_agents::fault::SUBSTITUTE;
use unolab_engine::event::Event;
use unolab_engine::match_play::RoundPlan;
use unolab_engine::record::{self, Fault, RecordWriter};
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::{EventSink, RoundState};

use super::agent_log::SharedAgentLog;
use super::{Deal, Dealer, GameObserver};
use crate::play::record::GameRecord;
use crate::schedule::seating::EntrantId;
use crate::spec::Unit;

/// Whether a game is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordingMode {
    /// The game is recorded.
    Down,
    /// The game is not recorded.
    Nothing,
}

impl Dealer<'_> {
    /// Plays one game of a set, with an observer if there is one; if the game is recorded, with its record as JSON Lines.
    /// Its agents are guarded: after a panic, the record has the actions of the substitute.
    #[must_use]
    pub(crate) fn play_recorded(
        &mut self,
        set: u64,
        seating: &[EntrantId],
        writing: RecordingMode,
        watcher: Option<&mut dyn GameObserver>,
    ) -> (GameRecord, Option<String>) {
        self.guard = super::Guard::On;
        let extra_cards = self.extra_cards(seating);
        let (table, plan) = self.first_plan(set, extra_cards);
        let said = SharedAgentLog::default();
        let writer = (writing == RecordingMode::Down).then(|| {
            self.listener = Some(said.clone());
            let of_each = |text: &dyn Fn(EntrantId) -> String| seating.iter().map(|&entrant| text(entrant)).collect();
            let header = record::Header {
                unit: match self.unit {
                    Unit::Round => record::Unit::Round,
                    Unit::Match => record::Unit::Match,
                },
                seed: self.streams.seed(),
                set,
                dealer: table.dealer(),
                agents: of_each(&|entrant| self.specs[entrant.index()].text().to_owned()),
                names: of_each(&|entrant| self.entrants[entrant.index()].name.clone()),
                extra_cards: if self.has_odds() { extra_cards.first(seating.len()).to_vec() } else { Vec::new() },
            };
            RecordWriter::new(self.rules, &header)
        });
        let mut scribe = GameRecorder { writer, watcher, said, player_at: BySeat::from_fn(|seat| seat) };
        let first_round = self.deal_round(set, 0, &plan, &mut Some(&mut scribe));
        let record = self.play_before(&Deal { set, table, plan, first_round }, seating, &mut scribe);
        self.listener = None;
        (record, scribe.writer.map(RecordWriter::finish))
    }

    /// The record of one game of a set, as JSON Lines.
    ///
    /// # Panics
    /// If a game panics outside an agent.
    #[must_use]
    pub fn write_down(&mut self, set: u64, seating: &[EntrantId]) -> String {
        let (_, text) = self.play_recorded(set, seating, RecordingMode::Down, None);
        text.expect("it is written down")
    }
}

/// Records a game, and passes its events on to an observer.
struct GameRecorder<'a, 'w> {
    writer: Option<RecordWriter<'a>>,
    watcher: Option<&'w mut dyn GameObserver>,
    said: SharedAgentLog,
    player_at: BySeat<Seat>,
}

impl GameRecorder<'_, '_> {
    /// Writes the faults since the last action before the next events.
    fn write_faults(&mut self) {
        let Some(writer) = &mut self.writer else { return };
        for fault in self.said.with(|said| std::mem::take(&mut said.faults)) {
            // A player who sits out has no seat in this round.
            let seat = self.player_at.iter().position(|&player| player == fault.seat);
            let Some(seat) = seat.and_then(Seat::try_new) else { continue };
            let (kind, decision) = (fault.kind.recorded_kind(), fault.decision);
            writer.record_fault(&Fault { seat, kind, decision, by: SUBSTITUTE.into() });
        }
    }
}

impl EventSink for GameRecorder<'_, '_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        if matches!(event, Event::Acted { .. }) {
            self.write_faults();
        }
        if let Some(writer) = &mut self.writer {
            if matches!(event, Event::Acted { .. })
                && let Some(note) = self.said.with(|said| said.note.take())
            {
                writer.note_next_action(note);
            }
            writer.on_event(state, event);
        }
        if let Some(watcher) = &mut self.watcher {
            watcher.on_event(state, event);
        }
    }
}

impl GameObserver for GameRecorder<'_, '_> {
    fn begin_round(&mut self, plan: &RoundPlan) {
        self.player_at = plan.player_at;
        if let Some(watcher) = &mut self.watcher {
            watcher.begin_round(plan);
        }
    }

    fn end_round(&mut self, state: &RoundState) {
        self.write_faults();
        if let Some(writer) = &mut self.writer {
            writer.end_round(state);
        }
        if let Some(watcher) = &mut self.watcher {
            watcher.end_round(state);
        }
    }
}
