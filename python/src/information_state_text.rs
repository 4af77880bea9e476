//! Everything that a seat has seen, in order, as text with one line per event.

use unolab_engine::action::Action;
use unolab_engine::chance::TaskResult;
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::notation::ActionWithCall;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;
use unolab_engine::state::{EventSink, RoundState};

/// A choice of a seat, and the number of events before it: not every choice causes an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) seat: Seat,
    pub(crate) action: Action,
    pub(crate) events_before: usize,
}

/// The viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ViewingSeat {
    /// A seat at the table.
    Seat(Seat),
    /// A viewer who sees only open cards.
    Spectator,
}

/// Writes the events that a viewer sees.
#[derive(Debug)]
pub(crate) struct InformationStateText<'a> {
    rules: &'a Rules,
    looker: ViewingSeat,
    choices: &'a [Choice],
    num_events: usize,
    pub(crate) text: String,
}

impl<'a> InformationStateText<'a> {
    pub(crate) fn new(rules: &'a Rules, looker: ViewingSeat, choices: &'a [Choice]) -> Self {
        Self { rules, looker, choices, num_events: 0, text: String::new() }
    }

    /// Continues the text of a seat from the current position.
    pub(crate) fn going_on(rules: &'a Rules, seat: Seat) -> Self {
        Self { rules, looker: ViewingSeat::Seat(seat), choices: &[], num_events: 1, text: String::new() }
    }

    /// Writes the seat's own choice.
    pub(crate) fn write_choice(&mut self, action: Action) {
        let action = self.rules.write_action(ActionWithCall::from(action));
        self.line(&format!("chose: {action}"));
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn hand(&mut self, of: Seat, state: &RoundState) {
        let cards = self.rules.write_cards(state.hand(of));
        self.line(&format!("hand of {of}: {cards}"));
    }

    /// Writes the seat's own choices up to this event.
    pub(crate) fn write_choices(&mut self) {
        while let Some((choice, rest)) = self.choices.split_first()
            && choice.events_before <= self.num_events
        {
            self.choices = rest;
            if self.looker == ViewingSeat::Seat(choice.seat) {
                self.write_choice(choice.action);
            }
        }
    }
}

impl EventSink for InformationStateText<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        let rules = self.rules;
        if self.num_events == 0
            && let ViewingSeat::Seat(seat) = self.looker
        {
            self.hand(seat, state);
        }
        self.write_choices();
        self.num_events += 1;
        let seen = match (event, self.looker) {
            (event, ViewingSeat::Seat(seat)) => event.as_seen_by(seat),
            (Event::Acted { action: Action::Keep, .. }, ViewingSeat::Spectator) => None,
            (Event::Drew { seat, .. }, ViewingSeat::Spectator) => Some(VisibleEvent::HiddenDraw { seat }),
            (Event::Moved { from, to, .. }, ViewingSeat::Spectator) => Some(VisibleEvent::HiddenMove { from, to }),
            (Event::Redealt { seat, .. }, ViewingSeat::Spectator) => Some(VisibleEvent::HiddenRedeal { seat }),
            (event, ViewingSeat::Spectator) => Some(VisibleEvent::Open(event)),
        };
        let Some(seen) = seen else { return };
        let event = match seen {
            VisibleEvent::HiddenDraw { seat } => return self.line(&format!("{seat} draws")),
            VisibleEvent::HiddenMove { from, to } => return self.line(&format!("a card goes from {from} to {to}")),
            VisibleEvent::HiddenRedeal { seat } => return self.line(&format!("{seat} is dealt a card")),
            VisibleEvent::Open(event) => event,
        };
        let line = match event {
            Event::Acted { seat, action, call } => {
                format!("{seat}: {}", rules.write_action(ActionWithCall { action, call }))
            }
            Event::Drew { seat, card } => format!("{seat} draws {}", rules.code(card)),
            Event::Discarded { seat, card, .. } => format!("{seat} lays {}", rules.code(card)),
            Event::TurnedUp(card) => format!("start {}", rules.code(card)),
            Event::Button(color) => format!("button {color}"),
            Event::Task(TaskResult::Done) => "task done".into(),
            Event::Task(TaskResult::Failed) => "task failed".into(),
            Event::Chosen(seat) => format!("chance names {seat}"),
            Event::Reshuffled => format!("reshuffled: {} cards", state.draw_pile_len()),
            Event::Showed { hand_of, to } => format!("{hand_of} shows {to} the hand"),
            Event::Moved { from, to, card } => format!("{} goes from {from} to {to}", rules.code(card)),
            Event::Swapped(a, b) => format!("{a} and {b} swap hands"),
            Event::Rotated { direction, .. } => format!("hands move {}", direction.name()),
            Event::Redealt { seat, card } => format!("{seat} is dealt {}", rules.code(card)),
        };
        self.line(&line);
        // The hands that the event showed to the seat.
        if let ViewingSeat::Seat(me) = self.looker {
            match event {
                Event::Showed { hand_of, to } if to == me => self.hand(hand_of, state),
                Event::Swapped(a, b) if a == me || b == me => self.hand(me, state),
                Event::Rotated { .. } => self.hand(me, state),
                _ => {}
            }
        }
    }
}

/// The texts of all seats at once.
#[derive(Debug)]
pub(crate) struct Stories<'a>(pub(crate) Vec<InformationStateText<'a>>);

impl EventSink for Stories<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.0.iter_mut().for_each(|story| story.on_event(state, event));
    }
}
