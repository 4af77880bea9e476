//! Events in words, for people who read a replay.

use super::fault::Fault;
use super::header::Status;
use super::step::{ReplayEvent, ReplayStep};
use crate::action::{Action, Call};
use crate::chance::TaskResult;
use crate::event::Event;
use crate::rules::Rules;
use crate::seat::Seat;
use crate::state::RoundState;

/// An event in words, with the `state` after it; nothing for the discard of an ordinary play.
#[must_use]
pub fn describe(rules: &Rules, state: &RoundState, event: Event) -> Option<String> {
    Some(match event {
        Event::Acted { seat, action, call } => {
            let call = if call == Call::Uno { " and calls UNO" } else { "" };
            format!("seat {seat} {}{call}", describe_action(rules, state, action))
        }
        Event::Drew { seat, card } => format!("seat {seat} gets {}", rules.code(card)),
        Event::Discarded { card, .. } if card == state.top() => return None,
        Event::Discarded { seat, card, .. } => format!("seat {seat} puts {} under the top card", rules.code(card)),
        Event::TurnedUp(card) if rules.can_start(card) => format!("{} is turned up", rules.code(card)),
        Event::TurnedUp(card) => format!("{} is turned up and returned to the deck", rules.code(card)),
        Event::Button(color) => format!("the button lights {color}"),
        Event::Task(TaskResult::Done) => "the task is done".into(),
        Event::Task(TaskResult::Failed) => "the task is not done".into(),
        Event::Chosen(seat) => format!("chance selects seat {seat}"),
        Event::Reshuffled => format!("the discard pile becomes a draw pile of {} cards", state.draw_pile_len()),
        Event::Showed { hand_of, to } => {
            format!("seat {hand_of} shows seat {to} the hand {}", rules.write_cards(state.hand(hand_of)))
        }
        Event::Moved { from, to, card } => format!("{} goes from seat {from} to seat {to}", rules.code(card)),
        Event::Swapped(a, b) => format!("seats {a} and {b} swap hands"),
        Event::Rotated { direction, .. } => format!("all hands move one seat to the {}", direction.name()),
        Event::Redealt { seat, card } => format!("seat {seat} is dealt {} of the shuffled hands", rules.code(card)),
    })
}

/// The action in words, with the `state` before it.
fn describe_action(rules: &Rules, state: &RoundState, action: Action) -> String {
    match action {
        Action::Play(card) => format!("plays {}", rules.code(card)),
        Action::PlayNaming(card, color) => format!("plays {} and chooses {color}", rules.code(card)),
        Action::Draw => "draws".into(),
        Action::Keep => "keeps the card".into(),
        Action::Pass => "passes".into(),
        Action::NameColor(color) => format!("chooses {color}"),
        Action::Challenge => "challenges".into(),
        Action::Accept => "accepts".into(),
        Action::Take => "takes two more".into(),
        Action::Swap(seat) => format!("swaps hands with seat {seat}"),
        Action::NoSwap => "keeps the hand".into(),
        Action::KeepHand => "keeps this hand".into(),
        Action::Rotate => "passes all hands on".into(),
        Action::Target(seat) => format!("chooses seat {seat}"),
        Action::DiscardAll(card) => format!("discards the whole color, {} on top", rules.code(card)),
        Action::Choose(option) => match state.phase().options(rules).get(option.index()).map(|option| &option.name) {
            Some(name) => format!("chooses option {option}, \"{name}\""),
            None => format!("chooses option {option}"),
        },
        Action::DiscardNone => "discards nothing".into(),
        Action::Protect(card) => format!("plays {} as protection", rules.code(card)),
        Action::Uno => "calls UNO late".into(),
        Action::Catch(seat) => format!("catches seat {seat}"),
        Action::Silent => "stays silent".into(),
    }
}

impl ReplayStep<'_> {
    /// The step in words; `None` if another step already describes it.
    #[must_use]
    pub fn describe(&self) -> Option<String> {
        describe_event(self.rules, self.what)
    }
}

fn describe_event(rules: &Rules, what: ReplayEvent<'_>) -> Option<String> {
    Some(match what {
        ReplayEvent::Began(header) => {
            let names = if header.names.is_empty() { &header.agents } else { &header.names };
            let agents: Vec<String> =
                names.iter().enumerate().map(|(player, agent)| format!("{player} {agent}")).collect();
            format!("{}, seed {}, set {}: {}", rules.name(), header.seed, header.set, agents.join(", "))
        }
        ReplayEvent::Dealt { plan, state } => {
            let hands: Vec<String> = state
                .seats()
                .map(|seat| {
                    let player = plan.player_at[seat];
                    let who = if player == seat { String::new() } else { format!(" (player {player})") };
                    format!("\n  seat {seat}{who}: {}", rules.write_cards(state.hand(seat)))
                })
                .collect();
            format!("seat {} deals{}", plan.dealer, hands.concat())
        }
        // An action is described when it is taken: with the hand and the top card at that moment.
        ReplayEvent::Event { event: event @ Event::Acted { seat, .. }, state, note, .. } => {
            let note = note.map(|note| format!(" and says: {note}")).unwrap_or_default();
            format!("{}{note}   [{}]", describe(rules, state, event)?, situation(rules, state, seat))
        }
        ReplayEvent::Fault { fault: Fault { seat, kind, decision, by }, player } => {
            let who = if player == *seat { String::new() } else { format!(" (player {player})") };
            format!("seat {seat}{who} has lost the game: {} in its decision {decision}; {by} plays on", kind.name())
        }
        ReplayEvent::Event { event, state, .. } => format!("  {}", describe(rules, state, event)?),
        ReplayEvent::RoundOver { status, points, scores, state } => {
            let how = match (status, state.outcome()) {
                (Status::Finished, Some(crate::state::Outcome::WentOut(seat))) => format!("seat {seat} has gone out"),
                (Status::Truncated, _) => "the round is truncated".into(),
                _ => "the round is blocked".into(),
            };
            format!("{how}: points {}, scores {}", numbers(points), numbers(scores))
        }
        ReplayEvent::Ended { status, points, places, counted } => {
            let how = match status {
                Status::Finished => "finished",
                Status::Void => "void",
                Status::Truncated => "truncated",
            };
            let counted = counted.map_or_else(String::new, |(points, places)| {
                format!("; as it counts: points {}, places {}", numbers(points), numbers(places))
            });
            format!("{how}: points {}, places {}{counted}", numbers(points), numbers(places))
        }
    })
}

fn situation(rules: &Rules, state: &RoundState, seat: Seat) -> String {
    let color = state.color().map_or("no color", crate::color::Color::name);
    format!("holds {}; on {}, {color}", rules.write_cards(state.hand(seat)), rules.code(state.top()))
}

fn numbers<T: ToString>(list: &[T]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
