//! Writes a record during a game.

use super::fault::Fault;
use super::header::{Header, VERSION};
use super::line::{self, First, Line};
use super::tally::Tally;
use crate::event::Event;
use crate::rules::Rules;
use crate::seat::MAX_SEATS;
use crate::state::{EventSink, RoundState};

/// Writes the record of one game from its events, the end of every round and the end of the game.
///
/// It tracks the match, so the rounds must be dealt according to [`crate::match_play::MatchState::plan`].
#[derive(Debug, Clone)]
pub struct RecordWriter<'a> {
    rules: &'a Rules,
    tally: Tally<'a>,
    text: String,
    is_dealt: bool,
    note: Option<String>,
}

impl<'a> RecordWriter<'a> {
    /// A record with its first line.
    ///
    /// # Panics
    /// If there are fewer than two agents or more than ten.
    #[must_use]
    pub fn new(rules: &'a Rules, header: &Header) -> Self {
        let seats = header.agents.len();
        assert!((2..=MAX_SEATS).contains(&seats), "{seats} agents; a game has 2 to 10");
        let mut writer =
            Self { rules, tally: Tally::new(rules, header), text: String::new(), is_dealt: false, note: None };
        writer.write(&Line::First(First {
            record: VERSION,
            unit: header.unit,
            variant: rules.name().into(),
            rules_hash: rules.hash(),
            seed: header.seed,
            set: header.set,
            seats,
            dealer: header.dealer.index(),
            agents: header.agents.clone(),
            names: header.names.clone(),
            extra_cards: header.extra_cards.clone(),
            rules: rules.to_toml(),
        }));
        writer
    }

    /// An agent has lost the game here. Call this between actions, at most once per player.
    pub fn record_fault(&mut self, fault: &Fault) {
        self.tally.count_fault(fault.seat);
        self.write(&Line::Fault(line::Fault {
            seat: fault.seat.index(),
            fault: fault.kind,
            decision: fault.decision,
            by: fault.by.clone(),
        }));
    }

    /// The agent's note on the next action.
    pub fn note_next_action(&mut self, note: String) {
        self.note = Some(note);
    }

    /// The round is over or is truncated here.
    pub fn end_round(&mut self, state: &RoundState) {
        self.is_dealt = false;
        let line = self.tally.end_round(state);
        self.write(&Line::RoundOver(line));
    }

    /// The whole record, with its last line. A match without a winner counts as truncated.
    #[must_use]
    pub fn finish(mut self) -> String {
        let line = self.tally.last();
        self.write(&Line::Last(line));
        self.text
    }

    fn write(&mut self, line: &Line) {
        self.tally.count_line(line);
        self.text.push_str(&line.text());
        self.text.push('\n');
    }
}

impl EventSink for RecordWriter<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        // The first card turned up marks the end of the deal.
        if !self.is_dealt && matches!(event, Event::TurnedUp(_)) {
            debug_assert_eq!((state.dealer(), state.seat_set()), (self.tally.plan().dealer, self.tally.plan().seats));
            self.is_dealt = true;
            let line = self.tally.deal(|seat| self.rules.write_cards(state.hand(seat)));
            self.write(&Line::Deal(line));
        }
        if let Some(line) = Line::of(event, state, self.rules) {
            let note = if matches!(event, Event::Acted { .. }) { self.note.take() } else { None };
            self.write(&line.with_note(note));
        }
    }
}
