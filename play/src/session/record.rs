//! The record of a session, including the notes and the faults of its agents.

use std::iter::Peekable;

use unolab::agents::agent::Agent as _;
use unolab::agents::fault::SUBSTITUTE;
use unolab::agents::greedy::Greedy;
use unolab::agents::player::Player;
use unolab::event::Event;
use unolab::implication::Implication;
use unolab::record::{Fault, Header, RecordWriter};
use unolab::rng::Purpose;
use unolab::seat::Seat;
use unolab::state::{EventSink, RoundState};
use unolab::{Action, Rng};

use super::game::{Participant, Session};
use super::mark::{Mark, MarkKind};

impl Session {
    /// Keeps the note on this decision, and the fault that it was, if any.
    pub(super) fn mark_decision(&mut self, seat: Seat, action: Action) {
        let player = self.player_at(seat);
        let (round, at) = (self.rounds.len() - 1, self.actions);
        let has_fault = self.has_fault(player);
        let Some(agent) = self.agents[seat.index()].as_mut() else { return };
        let note = agent.take_note();
        if let (Some(fault), false) = (agent.fault(), has_fault) {
            let in_round = self.answers.iter().filter(|answer| answer.seat == seat).count();
            let decision = self.past_answers[player] + u32::try_from(in_round).expect("a round is limited") + 1;
            let recorded = Fault { seat, kind: fault.kind.recorded_kind(), decision, by: SUBSTITUTE.into() };
            let what = MarkKind::Fault { player, fault: recorded, reason: fault.what.clone() };
            self.marks.push(Mark { round, action: at, what });
        }
        // A record has no line for silence, and one line for a play and its call.
        if let Some(note) = note.filter(|_| !matches!(action, Action::Silent | Action::Uno)) {
            self.marks.push(Mark::note(round, at, &note));
        }
    }

    /// The players whose agents had a fault, each with its description. `greedy` plays in their place, and they lose the game.
    pub fn faults(&self) -> impl Iterator<Item = (Seat, &str)> {
        self.marks.iter().filter_map(|mark| match &mark.what {
            MarkKind::Fault { player, reason, .. } => Some((*player, &**reason)),
            MarkKind::Note(_) => None,
        })
    }

    /// Whether the agent of this player had a fault in this game.
    #[must_use]
    pub fn has_fault(&self, player: Seat) -> bool {
        self.faults().any(|(faulty, _)| faulty == player)
    }

    /// Describes the faults after the first `known` ones for people; `None` if there are none.
    #[must_use]
    pub fn describe_faults_after(&self, known: usize) -> Option<String> {
        let name = |player: Seat| self.setup().participants[player.index()].name();
        let told: Vec<String> = self
            .faults()
            .skip(known)
            .map(|(player, reason)| {
                format!(
                    "{} has a fault ({reason}): {SUBSTITUTE} plays in its place, and it loses the game.",
                    name(player)
                )
            })
            .collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// Seats `greedy` in the place of each agent with a fault.
    pub(super) fn seat_substitutes(&mut self) {
        for seat in self.round().state().seats() {
            let player = self.player_at(seat);
            if self.has_fault(player) && matches!(self.setup.participants[player.index()], Participant::Agent(_)) {
                let rng = Rng::keyed(self.setup.seed, self.rounds.len() as u64, Purpose::Agent(seat));
                self.agents[seat.index()] = Some(Player::of(Box::new(Greedy::new(rng.clone())), seat, rng));
            }
        }
    }

    /// The game so far as a record. An unfinished game is recorded as truncated.
    ///
    /// # Panics
    /// Never: every round began with a deal.
    #[must_use]
    pub fn record(&self) -> String {
        let header = Header {
            unit: self.setup.unit,
            seed: self.setup.seed,
            set: 0,
            dealer: self.first_dealer,
            agents: self.setup.participants.iter().map(|participant| participant.name().to_owned()).collect(),
            names: Vec::new(),
            extra_cards: Vec::new(),
        };
        let mut writer = RecordWriter::new(&self.setup.rules, &header);
        for (number, round) in self.rounds.iter().enumerate() {
            let marks = self.marks.iter().filter(|mark| mark.round == number).peekable();
            let mut marked = MarkedRecord { writer: &mut writer, marks, actions: 0 };
            round.replay_events(&mut marked).expect("every round began with a deal");
            marked.write_marks();
            writer.end_round(round.state());
        }
        writer.finish()
    }
}

/// Writes the marks of a round between its events.
struct MarkedRecord<'w, 'r, M: Iterator> {
    writer: &'w mut RecordWriter<'r>,
    marks: Peekable<M>,
    actions: usize,
}

impl<'m, M: Iterator<Item = &'m Mark>> MarkedRecord<'_, '_, M> {
    /// Writes the marks before the next action.
    fn write_marks(&mut self) {
        while let Some(mark) = self.marks.next_if(|mark| mark.action <= self.actions) {
            match &mark.what {
                MarkKind::Note(note) => self.writer.note_next_action(note.clone()),
                MarkKind::Fault { fault, .. } => self.writer.record_fault(fault),
            }
        }
    }
}

impl<'m, M: Iterator<Item = &'m Mark>> EventSink for MarkedRecord<'_, '_, M> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        if matches!(event, Event::Acted { .. }) {
            self.write_marks();
            self.actions += 1;
        }
        self.writer.on_event(state, event);
    }

    fn receives_implications(&self) -> bool {
        self.writer.receives_implications()
    }

    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        self.writer.on_implication(state, implication);
    }
}
