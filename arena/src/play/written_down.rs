//! Games written down while they are played: what each agent did and said, and what cost it the game.

use std::sync::{Arc, Mutex, PoisonError};

use unolab_agents::agent::{Agent, Memory, Player};
use unolab_agents::offence::{Offence, OffenceKind};
use unolab_agents::oracle::Oracle;
use unolab_engine::action::{Action, Call};
use unolab_engine::event::{Event, Events, Seen};
use unolab_engine::fast::FeatureSet;
use unolab_engine::match_play::RoundPlan;
use unolab_engine::observation::Observation;
use unolab_engine::record::{self, Fault, FaultKind, RecordWriter};
use unolab_engine::seat::{MAX_SEATS, Seat};
use unolab_engine::state::RoundState;

use super::{Croupier, Deal, Witness};
use crate::count::luck::witness::LuckWitness;
use crate::play::record::GameRecord;
use crate::schedule::seating::EntrantId;
use crate::spec::Unit;

/// Who plays on where an agent has lost its game.
const SUBSTITUTE: &str = "greedy";

/// Whether a game is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writing {
    /// Every line of it.
    Down,
    /// Not at all.
    Nothing,
}

impl<P: FeatureSet> Croupier<'_, P> {
    /// Plays one game of a set, told to a witness of its luck if there is one; if it is written down, with its record as
    /// JSON Lines. Its agents are guarded: where one panics, the record has what its substitute did from then on.
    #[must_use]
    pub(crate) fn play_and_write(
        &mut self,
        set: u64,
        seating: &[EntrantId],
        writing: Writing,
        luck: Option<&mut LuckWitness<'_>>,
    ) -> (GameRecord, Option<String>) {
        self.guard = super::Guard::On;
        let (table, plan) = self.first_plan(set);
        let said = SaidByAll::default();
        let writer = (writing == Writing::Down).then(|| {
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
                agents: of_each(&|entrant| self.blueprints[entrant.index()].text().to_owned()),
                names: of_each(&|entrant| self.entrants[entrant.index()].name.clone()),
            };
            RecordWriter::new(self.rules, &header)
        });
        let mut scribe = Scribe { writer, luck, said, player_at: std::array::from_fn(Seat::new) };
        let first_round = self.deal_round(set, 0, &plan, &mut scribe);
        let record = self.play_before(&Deal { set, table, plan, first_round }, seating, &mut scribe);
        self.listener = None;
        (record, scribe.writer.map(RecordWriter::finish))
    }

    /// The record of one game of a set, as JSON Lines.
    ///
    /// # Panics
    /// If a game does, and not in an agent.
    #[must_use]
    pub fn write_down(&mut self, set: u64, seating: &[EntrantId]) -> String {
        let (_, text) = self.play_and_write(set, seating, Writing::Down, None);
        text.expect("it is written down")
    }
}

/// What the agents of a game have done beside their actions since it was last written down.
#[derive(Debug, Clone, Default)]
pub(super) struct SaidByAll(Arc<Mutex<Said>>);

#[derive(Debug, Default)]
struct Said {
    offences: Vec<Offence>,
    /// To the answer given last.
    note: Option<String>,
}

impl SaidByAll {
    fn with<R>(&self, work: impl FnOnce(&mut Said) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same agent, listened to.
    pub(super) fn listening_to(&self, agent: Player) -> Player {
        let is_oracle = matches!(agent, Player::Oracle(_));
        let heard = Heard { agent, said: self.clone(), has_lost: false };
        if is_oracle { Player::Oracle(Box::new(heard)) } else { Player::Boxed(Box::new(heard)) }
    }
}

/// Writes a game down, and tells whoever watches its luck.
struct Scribe<'a, 'l, 'r> {
    writer: Option<RecordWriter<'a>>,
    luck: Option<&'l mut LuckWitness<'r>>,
    said: SaidByAll,
    player_at: [Seat; MAX_SEATS],
}

impl Scribe<'_, '_, '_> {
    /// What has cost agents the game since the last action comes before what follows.
    fn write_faults(&mut self) {
        let Some(writer) = &mut self.writer else { return };
        for offence in self.said.with(|said| std::mem::take(&mut said.offences)) {
            // A player who sits out is in no seat of this round.
            let seat = self.player_at.iter().position(|&player| player == offence.seat);
            let Some(seat) = seat.and_then(Seat::try_new) else { continue };
            let (kind, decision) = (kind_of(offence.kind), offence.decision);
            writer.tell_fault(&Fault { seat, kind, decision, by: SUBSTITUTE.into() });
        }
    }
}

/// The kind of a fault as it is counted.
const fn kind_of(offence: OffenceKind) -> FaultKind {
    match offence {
        OffenceKind::Crash => FaultKind::Crash,
        OffenceKind::DecisionTime | OffenceKind::GameTime => FaultKind::Timeout,
        OffenceKind::Malformed | OffenceKind::Stale | OffenceKind::Illegal | OffenceKind::Flood => FaultKind::Illegal,
    }
}

impl Events for Scribe<'_, '_, '_> {
    fn tell(&mut self, state: &RoundState, event: Event) {
        if matches!(event, Event::Acted { .. }) {
            self.write_faults();
        }
        if let Some(writer) = &mut self.writer {
            if matches!(event, Event::Acted { .. })
                && let Some(note) = self.said.with(|said| said.note.take())
            {
                writer.note_next_action(note);
            }
            writer.tell(state, event);
        }
        if let Some(luck) = &mut self.luck {
            luck.tell(state, event);
        }
    }
}

impl Witness for Scribe<'_, '_, '_> {
    fn begin_round(&mut self, plan: &RoundPlan) {
        self.player_at = plan.player_at;
        if let Some(luck) = &mut self.luck {
            luck.begin_round(plan);
        }
    }

    fn end_round(&mut self, state: &RoundState) {
        self.write_faults();
        if let Some(writer) = &mut self.writer {
            writer.end_round(state);
        }
        if let Some(luck) = &mut self.luck {
            luck.end_round(state);
        }
    }
}

/// An agent that is listened to.
struct Heard {
    agent: Player,
    said: SaidByAll,
    has_lost: bool,
}

impl Heard {
    /// Asks for an answer: what it says to it belongs to no earlier one.
    fn answer<R>(&mut self, ask: impl FnOnce(&mut Player) -> R) -> R {
        let answer = self.told(ask);
        let note = self.agent.take_note();
        self.said.with(|said| said.note = note);
        answer
    }

    fn told<R>(&mut self, tell: impl FnOnce(&mut Player) -> R) -> R {
        let told = tell(&mut self.agent);
        if !self.has_lost
            && let Some(offence) = self.agent.offence()
        {
            self.has_lost = true;
            self.said.with(|said| said.offences.push(offence.clone()));
        }
        told
    }
}

impl Agent for Heard {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.answer(|agent| agent.choose(observation))
    }

    /// Asked after the choice, of the same action: what was said to the choice stays.
    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        let call = self.told(|agent| agent.call(observation, action));
        if let Some(note) = self.agent.take_note() {
            self.said.with(|said| said.note = Some(note));
        }
        call
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let answer = self.answer(|agent| agent.interrupt(observation, options));
        if answer == Action::Silent {
            self.said.with(|said| said.note = None);
        }
        answer
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.told(|agent| agent.begin_round(observation));
    }

    fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        self.told(|agent| agent.observe(seen, observation));
    }

    fn memory(&self) -> Memory {
        self.agent.memory()
    }

    fn offence(&self) -> Option<&Offence> {
        self.agent.offence()
    }
}

impl Oracle for Heard {
    fn choose_seeing(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action {
        self.answer(|agent| match agent.oracle() {
            Some(oracle) => oracle.choose_seeing(truth, observation),
            None => agent.choose(observation),
        })
    }
}
