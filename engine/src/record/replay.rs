//! Plays a record again through the engine and checks every line.
//!
//! The recorded chance outcomes are scripted, the recorded actions are applied, and every event of the engine must be the next
//! line of the record.

use super::fault::Fault;
use super::header::{Header, Status};
use super::line::{self, Deal, Last, Line, ParsedLine};
use super::step::{ReplayError, ReplayEvent, ReplayStep};
use super::tally::Tally;
use super::{first, outcomes};
use crate::cards::Cards;
use crate::event::Event;
use crate::implication::Implication;
use crate::knowledge::Knowledge;
use crate::notation::ActionWithCall;
use crate::rules::Rules;
use crate::seat::{BySeat, Seat};
use crate::state::{EventSink, RoundState};

/// A record that was replayed without a difference.
#[derive(Debug, Clone)]
pub struct ReplayedRecord {
    /// Its rules.
    pub rules: Rules,
    /// The header.
    pub header: Header,
    /// How it ended.
    pub status: Status,
    /// Rounds dealt.
    pub rounds: u32,
    /// Points by player.
    pub points: Vec<u32>,
    /// Places by player.
    pub places: Vec<u8>,
    /// Points and places by player as counted, if a fault changed them.
    pub counted: Option<(Vec<u32>, Vec<u8>)>,
    /// The checksum of the final states.
    pub checksum: String,
}

/// Replays a record and passes every step to `on_step`.
///
/// # Errors
/// The first line that is malformed or does not follow from the rules.
pub fn replay(text: &str, on_step: &mut dyn FnMut(ReplayStep<'_>)) -> Result<ReplayedRecord, ReplayError> {
    let lines: Vec<ParsedLine> = text.lines().map(Line::parse).collect();
    let at_first = |reason: String| ReplayError { line: 1, reason };
    first::check_version(text).map_err(at_first)?;
    let (header, rules) = match lines.first() {
        Some(Ok(Line::First(line))) => first::read(line).map_err(at_first)?,
        Some(Err(reason)) => return Err(at_first(format!("is not a line of a game record: {reason}"))),
        _ => return Err(at_first("a record begins with a line that has the key `record`".into())),
    };
    let mut replay = Replay {
        rules: &rules,
        lines: &lines,
        next: 1,
        tally: Tally::new(&rules, &header),
        knowledge: Knowledge::default(),
        is_dealt: false,
        failure: None,
        on_step,
    };
    replay.show(0, ReplayEvent::Began(&header));
    if let Some(Ok(line)) = lines.first() {
        replay.tally.count_line(line);
    }
    loop {
        replay.play_round()?;
        if !replay.tally.has_next_round() || !matches!(lines.get(replay.next), Some(Ok(Line::Deal(_)) | Err(_))) {
            break;
        }
    }
    let last = replay.end()?;
    Ok(ReplayedRecord {
        status: last.ended,
        rounds: last.rounds,
        points: last.points,
        places: last.places,
        counted: last.counted_points.zip(last.counted_places),
        checksum: last.checksum,
        rules,
        header,
    })
}

/// A replay under way.
struct Replay<'a> {
    rules: &'a Rules,
    lines: &'a [ParsedLine],
    /// The line that comes next, from 0.
    next: usize,
    tally: Tally<'a>,
    knowledge: Knowledge,
    is_dealt: bool,
    failure: Option<ReplayError>,
    on_step: &'a mut dyn FnMut(ReplayStep<'_>),
}

impl<'a> Replay<'a> {
    fn play_round(&mut self) -> Result<(), ReplayError> {
        (self.knowledge, self.is_dealt) = (Knowledge::with_implications(), false);
        let hands = match self.line()? {
            Line::Deal(deal) => self.read_deal(deal).map_err(|reason| self.error(reason))?,
            other => return Err(self.unexpected(other, "a round is dealt")),
        };
        self.count();
        let turned_up = outcomes::turned_up(self.rules, self.lines, self.next, &hands)?;
        let mut chance = outcomes::script(self.rules, self.lines, self.next + turned_up.len())?;
        let plan = self.tally.plan().clone();
        let mut state = RoundState::begin(self.rules, plan.seats, plan.dealer, hands, &turned_up, &mut chance, self)
            .map_err(|error| self.error(error.describe(self.rules)))?;
        self.take_failure()?;
        loop {
            match self.line()? {
                Line::Act(act) if !state.is_terminal() => {
                    let spoken =
                        self.rules.parse_action(&act.r#do).map_err(|error| self.error(format!("do: {error}")))?;
                    let seat = Seat::try_new(act.seat)
                        .ok_or_else(|| self.error(format!("seat: there is no seat {}", act.seat)))?;
                    let mut chance = outcomes::script(self.rules, self.lines, self.next + 1)?;
                    let ActionWithCall { action, call } = spoken;
                    state
                        .apply_action(self.rules, seat, action, call, &mut chance, self)
                        .map_err(|_| self.error(illegal(self.rules, &state, seat, &act.r#do)))?;
                    self.take_failure()?;
                }
                Line::Fault(fault) => self.fault(fault)?,
                Line::RoundOver(found) if state.is_terminal() || found.round_over == Status::Truncated => {
                    let expected = Line::RoundOver(self.tally.end_round(&state));
                    let found = Line::RoundOver(found.clone());
                    if expected != found {
                        return Err(self.error(expected.difference(&found)));
                    }
                    let Line::RoundOver(over) = &found else { return Ok(()) };
                    let (status, points, scores) = (over.round_over, &over.points, &over.scores);
                    self.show(self.next, ReplayEvent::RoundOver { status, state: &state, points, scores });
                    self.count();
                    return Ok(());
                }
                other => {
                    let wanted = state
                        .current_seat()
                        .map_or_else(|| "the round is over".into(), |seat| format!("seat {seat} is to act"));
                    return Err(self.unexpected(other, &wanted));
                }
            }
        }
    }

    /// An agent has lost the game. The state only determines whether this is possible.
    fn fault(&mut self, line: &line::Fault) -> Result<(), ReplayError> {
        let seat = Seat::try_new(line.seat).filter(|&seat| self.tally.may_have_fault(seat));
        let reason = || format!("seat: there is no seat {} whose agent has not lost the game yet", line.seat);
        let seat = seat.ok_or_else(|| self.error(reason()))?;
        if line.decision == 0 {
            return Err(self.error("decision: counted from 1, not 0".into()));
        }
        let fault = Fault { seat, kind: line.fault, decision: line.decision, by: line.by.clone() };
        self.tally.count_fault(seat);
        let player = self.tally.plan().player_at[seat];
        self.show(self.next, ReplayEvent::Fault { fault: &fault, player });
        self.count();
        Ok(())
    }

    fn end(&mut self) -> Result<Last, ReplayError> {
        let expected = self.tally.last();
        match self.line()? {
            Line::Last(found) if *found == expected => {}
            found @ Line::Last(_) => return Err(self.error(Line::Last(expected).difference(found))),
            other if self.tally.has_next_round() => {
                return Err(self.unexpected(other, "the next round is dealt or the record ends"));
            }
            other => return Err(self.unexpected(other, "the game is over")),
        }
        let (status, points, places) = (expected.ended, &expected.points, &expected.places);
        let counted = expected.counted_points.as_deref().zip(expected.counted_places.as_deref());
        self.show(self.next, ReplayEvent::Ended { status, points, places, counted });
        self.next += 1;
        if self.lines.len() > self.next {
            return Err(self.error("the record has ended".into()));
        }
        Ok(expected)
    }

    /// The hands of a deal, if it is the expected deal and the deck contains its cards.
    fn read_deal(&self, found: &Deal) -> Result<BySeat<Cards>, String> {
        let (rules, plan) = (self.rules, self.tally.plan());
        let expected = self.tally.deal(|seat| found.deal.get(seat.index()).cloned().unwrap_or_default());
        if expected != *found {
            return Err(Line::Deal(expected).difference(&Line::Deal(found.clone())));
        }
        let mut left = rules.deck();
        let mut hands = BySeat::<Cards>::default();
        for (seat, text) in Seat::first(found.deal.len()).zip(&found.deal) {
            let hand = rules.parse_card_list(text).map_err(|error| format!("deal: {error}"))?;
            let dealt = rules.parameters().hand_size.get() + u32::from(plan.extra_cards[seat]);
            let wanted = if plan.seats.contains(seat) { dealt } else { 0 };
            if hand.len() != wanted as usize {
                return Err(format!("deal: seat {seat} has {} cards, not {wanted}", hand.len()));
            }
            for card in hand {
                if !left.contains(card) {
                    return Err(format!(
                        "deal: one {} too many: the deck has {}",
                        rules.code(card),
                        rules.deck().count(card)
                    ));
                }
                left.remove(card);
                hands[seat].add(card);
            }
        }
        Ok(hands)
    }

    /// The next line.
    fn line(&self) -> Result<&'a Line, ReplayError> {
        match self.lines.get(self.next) {
            Some(Ok(line)) => Ok(line),
            Some(Err(reason)) => Err(self.error(reason.clone())),
            None => Err(self.error("the record breaks off before this line".into())),
        }
    }

    /// Accepts the next line.
    fn count(&mut self) {
        if let Some(Ok(line)) = self.lines.get(self.next) {
            self.tally.count_line(line);
        }
        self.next += 1;
    }

    fn show(&mut self, line: usize, what: ReplayEvent<'_>) {
        (self.on_step)(ReplayStep { line: line + 1, rules: self.rules, what });
    }

    fn error(&self, reason: String) -> ReplayError {
        ReplayError { line: self.next + 1, reason }
    }

    fn unexpected(&self, found: &Line, wanted: &str) -> ReplayError {
        self.error(format!("{wanted} here, but the record has {}", found.text()))
    }

    fn take_failure(&mut self) -> Result<(), ReplayError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The error that the next line is not `expected`.
    fn mismatch(&self, expected: &Line, event: Event) -> ReplayError {
        let wanted = match event {
            Event::Drew { seat, .. } => format!("seat {seat} draws a card"),
            Event::Button(_) => "the button is pressed".into(),
            Event::Task(_) => "a task is set".into(),
            Event::Chosen(_) => "chance selects a seat".into(),
            Event::Moved { from, to, .. } => format!("a card goes from seat {from} to seat {to}"),
            Event::Reshuffled => "the discard pile becomes the draw pile".into(),
            Event::Redealt { seat, .. } => format!("seat {seat} is dealt a card of the shuffled hands"),
            _ => "something else happens".into(),
        };
        match (self.line(), expected) {
            (Err(error), _) => error,
            (Ok(Line::Draw(found)), Line::Draw(drawn)) if found.seat == drawn.seat => {
                self.error(format!("draws: {} is not in the draw pile", found.draws))
            }
            (Ok(Line::Move(found)), Line::Move(moved)) if (found.from, found.to) == (moved.from, moved.to) => {
                self.error(format!("moves: {} is not in the hand of seat {}", found.moves, found.from))
            }
            (Ok(Line::Redeal(found)), Line::Redeal(dealt)) if found.to == dealt.to => {
                self.error(format!("deals: {} is not among the shuffled cards", found.deals))
            }
            (Ok(found @ Line::Draw(_)), Line::Draw(_)) | (Ok(found @ Line::Reshuffle(_)), Line::Reshuffle(_)) => {
                self.error(expected.difference(found))
            }
            (Ok(found), _) => self.unexpected(found, &wanted),
        }
    }
}

impl EventSink for Replay<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        if self.failure.is_some() {
            return;
        }
        if !self.is_dealt {
            self.is_dealt = true;
            let plan = self.tally.plan().clone();
            self.show(self.next - 1, ReplayEvent::Dealt { plan: &plan, state });
        }
        let mut at = self.next - 1; // an event without a separate line belongs to the line before
        let found = self.lines.get(self.next).and_then(|line| line.as_ref().ok());
        let mut note = None;
        if let Some(expected) = Line::of(event, state, self.rules) {
            note = found.and_then(Line::note);
            let expected = expected.with_note(note.map(str::to_owned));
            if found != Some(&expected) {
                self.failure = Some(self.mismatch(&expected, event));
                return;
            }
            at = self.next;
            self.count();
        }
        let (knowledge, scores) = (&self.knowledge, self.tally.scores());
        (self.on_step)(ReplayStep {
            line: at + 1,
            rules: self.rules,
            what: ReplayEvent::Event { event, state, knowledge, scores, note },
        });
        self.knowledge.on_event(state, event);
    }

    fn receives_implications(&self) -> bool {
        true
    }

    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        if self.failure.is_none() && self.is_dealt {
            self.knowledge.imply(state, implication);
        }
    }
}

fn illegal(rules: &Rules, state: &RoundState, seat: Seat, text: &str) -> String {
    let legal: Vec<String> =
        state.legal_actions(rules).into_iter().map(|action| rules.write_action(ActionWithCall::from(action))).collect();
    let to_act = state.current_seat().map_or_else(|| "no seat".into(), |seat| format!("seat {seat}"));
    format!("seat {seat} may not `{text}` here; {to_act} is to act and may: {}", legal.join(", "))
}
