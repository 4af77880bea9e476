//! [`Game`]: a record as plain data for a page or a terminal, with a frame for every move.

use std::collections::BTreeMap;

use serde::Serialize;
use unolab_agents::printable::printable;
use unolab_engine::event::Event;
use unolab_engine::implication::Implication;
use unolab_engine::record::{ReplayError, ReplayEvent, ReplayedRecord, Status, Unit, replay};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

use super::frame::{Frame, RoundEnd, RoundStart, ShownFault};
use super::scenario_head::ScenarioHead;
use super::step::{Analysis, Steps};
use super::table::Perspective;
use super::words;

/// The point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// All hands are open.
    #[default]
    Open,
    /// As the player who began in this seat saw it.
    Player(Seat),
}

/// A game for display.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Game {
    /// The name of the record.
    pub name: String,
    /// The name of the variant.
    pub variant: String,
    /// The entrant of each player.
    pub players: Vec<String>,
    /// The number of extra cards of each player; empty without odds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra_cards: Vec<u8>,
    /// A round or a match.
    pub unit: Unit,
    /// The player from whose point of view it is seen; `None` if all hands are open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<usize>,
    /// The rules, as a scenario names them.
    pub rules: ScenarioHead,
    /// The names of Blank cards, by code.
    pub cards: BTreeMap<String, String>,
    /// The end of the game.
    pub status: Status,
    /// Points by player, as they count after faults.
    pub points: Vec<u32>,
    /// Places by player, as they count after faults.
    pub places: Vec<u8>,
    /// The winner and the margin, in words.
    pub result: String,
    /// The goal of the values, if the decisions are evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<&'static str>,
    /// A frame for each deal and each move.
    pub frames: Vec<Frame>,
}

/// The game of a record. Equal records and seeds give equal games.
///
/// # Errors
/// If the rules do not give the same result as the record: the first line that differs.
pub fn game(name: &str, text: &str, view: View, analysis: Option<Analysis>) -> Result<Game, ReplayError> {
    let mut collected = Collector { view, ..Collector::default() };
    let replayed = replay(text, &mut |step| collected.take(step.line, step.what))?;
    let ReplayedRecord { rules, header, status, points, places, counted, .. } = replayed;
    let all_lost = counted.as_ref().is_some_and(|(_, places)| places.iter().all(|&place| place == 1));
    let (points, places) = counted.unwrap_or((points, places));
    let players: Vec<String> = if header.names.is_empty() { &header.agents } else { &header.names }
        .iter()
        .map(|name| printable(name))
        .collect();
    let frames = collected.last.map_or_else(Vec::new, |last| collected.steps.frames(&rules, &last, analysis));
    Ok(Game {
        name: printable(name),
        variant: rules.name().to_owned(),
        unit: header.unit,
        view: match view {
            View::Open => None,
            View::Player(player) => Some(player.index()),
        },
        rules: ScenarioHead::of(&rules),
        cards: words::names_of_blanks(&rules),
        status,
        result: match all_lost {
            true => "no winner: all players have lost by faults".into(),
            false => words::result(header.unit, status, &players, &points, &places),
        },
        goal: analysis.map(|analysis| analysis.valuation.goal.name()),
        players,
        extra_cards: header.extra_cards,
        points,
        places,
        frames,
    })
}

/// Collects the steps of a record.
#[derive(Default)]
struct Collector {
    view: View,
    steps: Steps,
    round: u32,
    player_at: Vec<Seat>,
    scores: Vec<u32>,
    last: Option<RoundState>,
    /// The last fault, to be shown with the next action.
    fault: Option<ShownFault>,
    /// Players whose hands another agent plays.
    faulty: SeatSet,
}

impl Collector {
    fn take(&mut self, line: usize, what: ReplayEvent<'_>) {
        match what {
            ReplayEvent::Began(header) => {
                self.scores = vec![0; header.agents.len()];
                self.steps.unit = Some(header.unit);
            }
            ReplayEvent::Dealt { plan, state } => {
                self.round += 1;
                let seats = state.dealt_seats().end();
                self.player_at = plan.player_at.first(seats).to_vec();
                let eyes = match self.view {
                    View::Open => Perspective::All,
                    View::Player(player) => Seat::first(seats)
                        .find(|seat| plan.seats.contains(*seat) && plan.player_at[*seat] == player)
                        .map_or(Perspective::Bystander, Perspective::Seat),
                };
                let start = RoundStart {
                    round: self.round,
                    dealer: plan.dealer.index(),
                    players: self.player_at.iter().map(|player| player.index()).collect(),
                    scores: self.scores.clone(),
                };
                let scores = self.player_at.iter().map(|player| self.scores[player.index()]).collect();
                self.steps.deal(line, start, eyes, scores, state);
            }
            ReplayEvent::Event { event, state, note, knowledge, .. } => {
                self.steps.knowledge.clone_from(knowledge);
                let is_noticed = self.steps.event(line, event, state);
                if let (Event::Acted { .. }, true, Some(step)) = (event, is_noticed, self.steps.list.last_mut()) {
                    step.note = note.map(|note| note.lines().map(printable).collect::<Vec<_>>().join("\n"));
                    step.fault = self.fault.take();
                    let player = step.act.map(|(seat, ..)| self.player_at[seat.index()]);
                    step.is_by_another = player.is_some_and(|player| self.faulty.contains(player));
                }
            }
            ReplayEvent::Fault { fault, player } => {
                self.faulty = self.faulty.with(player);
                self.fault = Some(ShownFault {
                    seat: fault.seat.index(),
                    what: format!("has lost the game: {} at its decision {}", fault.kind.name(), fault.decision),
                    by: Some(printable(&fault.by)),
                });
            }
            ReplayEvent::RoundOver { status, state, points, scores } => {
                self.scores = scores.to_vec();
                let outcome = if status == Status::Truncated { None } else { state.outcome() };
                let end =
                    RoundEnd { words: words::over(outcome, points), points: points.to_vec(), scores: scores.to_vec() };
                self.steps.over(state, end);
                self.last = Some(*state);
            }
            ReplayEvent::Ended { .. } => {}
        }
    }
}

/// Observes one round in progress, and stores its frames for one point of view.
#[derive(Debug)]
pub struct Watcher {
    start: RoundStart,
    scores: BySeat<u32>,
    eyes: Perspective,
    is_dealt: bool,
    steps: Steps,
}

impl Watcher {
    /// A watcher with this point of view; `scores` are the match scores before the round, by seat.
    #[must_use]
    pub fn new(start: RoundStart, scores: BySeat<u32>, eyes: Perspective) -> Self {
        Self { start, scores, eyes, is_dealt: false, steps: Steps::default() }
    }

    /// The frames so far. `now` is the current state; `end` is given when the round is over.
    #[must_use]
    pub fn frames(mut self, rules: &Rules, now: &RoundState, end: Option<RoundEnd>) -> Vec<Frame> {
        if let Some(end) = end {
            self.steps.over(now, end);
        }
        self.steps.frames(rules, now, None)
    }
}

impl EventSink for Watcher {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        if !self.is_dealt {
            self.is_dealt = true;
            self.steps.deal(0, self.start.clone(), self.eyes, self.scores, state);
        }
        self.steps.event(0, event, state);
    }

    fn receives_implications(&self) -> bool {
        true
    }

    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        self.steps.knowledge.imply(state, implication);
    }
}
