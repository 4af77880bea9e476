//! [`Game`]: a record as plain data for a page or a terminal, with a frame for every move.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;
use unolab_agents::goal::Goal;
use unolab_agents::printable::printable;
use unolab_agents::search::valuation::{Position, Valuation};
use unolab_engine::action::{Action, Call};
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::notation::ActionWithCall;
use unolab_engine::observation::Observation;
use unolab_engine::record::{ReplayError, ReplayEvent, ReplayedRecord, Status, Unit, replay};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::{EventSink, Phase, RoundState};

use super::clauses;
use super::scenario_head::ScenarioHead;
use super::table::{Perspective, Table};
use super::words::{self, Consequences};

/// The point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// All hands are open.
    #[default]
    Open,
    /// As the player who began in this seat saw it.
    Player(Seat),
}

/// A game to look at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Game {
    /// The name of the record.
    pub name: String,
    /// The name of the variant.
    pub variant: String,
    /// The entrant of each player.
    pub players: Vec<String>,
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
    /// A frame for each deal and each move.
    pub frames: Vec<Frame>,
}

/// The table after a move, or after a deal, and what led to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frame {
    /// The line of the record.
    pub line: usize,
    /// A round begins here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deal: Option<RoundStart>,
    /// The action.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub by: Option<Move>,
    /// The consequences, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Cards laid on the discard pile, in order; at a deal those turned up, of which the last one stays.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub put: String,
    /// Cards drawn, in order, each with its seat; without a code if it was not seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub got: Vec<(usize, Option<String>)>,
    /// Outcomes of chance, as a scenario scripts them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<String>,
    /// Clauses of RULES.md that applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<&'static str>,
    /// Marks for finding it: `reshuffle`, `uno`, `challenge`, `swap`, `fault`, `out`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<&'static str>,
    /// The table.
    pub table: Table,
    /// The chance of each seat to win the round from here, in permille.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odds: Option<Vec<u16>>,
    /// At a deal of a match: the chance of each seat to win the match, in permille.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_odds: Option<Vec<u16>>,
    /// The fault of an agent here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<ShownFault>,
    /// The round ends here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<RoundEnd>,
}

/// An agent that crashed, ran out of time or answered illegally.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownFault {
    /// Its seat.
    pub seat: usize,
    /// The description.
    pub what: String,
    /// The agent that plays in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A round that begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundStart {
    /// Its number, from 1.
    pub round: u32,
    /// The seat that deals.
    pub dealer: usize,
    /// The player in each seat.
    pub players: Vec<usize>,
    /// Match scores by player.
    pub scores: Vec<u32>,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    /// The seat.
    pub seat: usize,
    /// The action in the notation.
    pub text: String,
    /// The action in words.
    pub words: String,
    /// The alternatives, if they may be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// The bot's note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// The hand it was made with.
    pub hand: String,
    /// Every legal action in the notation, in the order of the engine.
    pub legal: Vec<String>,
    /// The chosen action, by its number among them.
    pub chosen: usize,
    /// The value of each action; the best has rank 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<ShownValue>>,
    /// The unbiased regret of the chosen action with its standard error. Only sums of it have a meaning: a single one can be
    /// below 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fair_regret: Option<(f64, f64)>,
}

/// The value of an action, its regret (0 for the best action), and the standard error of the regret.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ShownValue(pub f64, pub f64, pub f64);

/// A round that ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundEnd {
    /// The end of the round, in words.
    pub words: String,
    /// Points by seat.
    pub points: Vec<u32>,
    /// Match scores by player, including this round.
    pub scores: Vec<u32>,
}

/// The analysis of the decisions of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Analysis {
    /// How actions are valued.
    pub valuation: Valuation,
    /// The seed.
    pub seed: u64,
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
        players,
        points,
        places,
        frames,
    })
}

/// Odds are shown until they are computed again; a finished round has a winner.
fn record_changes(frames: &mut [Frame]) {
    let mut last = None;
    for frame in frames {
        if frame.deal.is_some() {
            last = None;
        }
        if frame.odds.is_none() {
            frame.odds.clone_from(&last);
        }
        last.clone_from(&frame.odds);
    }
}

/// A deal or a move, before the table after it is known.
#[derive(Debug)]
struct Step {
    line: usize,
    eyes: Perspective,
    deal: Option<RoundStart>,
    act: Option<(Seat, Action, Call)>,
    note: Option<String>,
    fault: Option<ShownFault>,
    /// Whether its agent has lost the game by a fault before.
    is_by_another: bool,
    /// Before a move; after a deal, with nothing turned up yet.
    before: RoundState,
    knowledge: Knowledge,
    scores: BySeat<u32>,
    events: Vec<(Event, RoundState)>,
    /// The state at the end of the round, and its outcome.
    over: Option<(RoundState, Knowledge, RoundEnd)>,
}

/// The steps of a game so far.
#[derive(Debug, Default)]
struct Steps {
    /// The unit of the record, if there is one.
    unit: Option<Unit>,
    list: Vec<Step>,
    eyes: Perspective,
    knowledge: Knowledge,
    scores: BySeat<u32>,
}

impl Steps {
    /// A round is dealt; `scores` are the match scores, by seat.
    fn deal(&mut self, line: usize, start: RoundStart, eyes: Perspective, scores: BySeat<u32>, state: &RoundState) {
        (self.eyes, self.knowledge, self.scores) = (eyes, Knowledge::default(), scores);
        let step = Step { deal: Some(start), ..self.step(line, state) };
        self.list.push(step);
    }

    fn event(&mut self, line: usize, event: Event, state: &RoundState) {
        if let Event::Acted { seat, action, call } = event {
            let step = Step { act: Some((seat, action, call)), ..self.step(line, state) };
            self.list.push(step);
        } else if let Some(step) = self.list.last_mut() {
            step.events.push((event, *state));
        }
        self.knowledge.on_event(state, event);
    }

    fn over(&mut self, state: &RoundState, end: RoundEnd) {
        let knowledge = self.knowledge.clone();
        if let Some(step) = self.list.last_mut() {
            step.over = Some((*state, knowledge, end));
        }
    }

    fn step(&self, line: usize, before: &RoundState) -> Step {
        Step {
            line,
            eyes: self.eyes,
            deal: None,
            act: None,
            note: None,
            fault: None,
            is_by_another: false,
            before: *before,
            knowledge: self.knowledge.clone(),
            scores: self.scores,
            events: Vec::new(),
            over: None,
        }
    }

    /// All frames; `now` is the current state, for the last one.
    fn frames(&self, rules: &Rules, now: &RoundState, analysis: Option<Analysis>) -> Vec<Frame> {
        let frame = |index: usize| {
            let step = &self.list[index];
            let (after, knowledge) = match (&step.over, self.list.get(index + 1)) {
                (Some((state, knowledge, _)), _) => (state, knowledge),
                (None, Some(next)) => (&next.before, &next.knowledge),
                (None, None) => (now, &self.knowledge),
            };
            step.frame(rules, self.unit, after, knowledge, analysis)
        };
        let mut frames: Vec<Frame> = (0..self.list.len()).into_par_iter().map(frame).collect();
        record_changes(&mut frames);
        frames
    }
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
    /// Recorded with the action that another agent then took.
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
                let seats = 1 + state.seats().last().map_or(0, Seat::index);
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
            ReplayEvent::Event { event, state, note, .. } => {
                self.steps.event(line, event, state);
                if let (Event::Acted { .. }, Some(step)) = (event, self.steps.list.last_mut()) {
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
    /// For this point of view; `scores` are the match scores before the round, by seat.
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
}

impl Step {
    /// The frame of this step, with the table as it stands after it.
    fn frame(
        &self,
        rules: &Rules,
        unit: Option<Unit>,
        after: &RoundState,
        knowledge: &Knowledge,
        analysis: Option<Analysis>,
    ) -> Frame {
        let odds = |goal| {
            let analysis = analysis.map(|it| Analysis { valuation: Valuation { goal, ..it.valuation }, ..it })?;
            self.odds(rules, after, knowledge, analysis)
        };
        let mut following = Consequences::default();
        let mut frame = Frame {
            line: self.line,
            deal: self.deal.clone(),
            by: self.act.map(|act| self.shown_move(rules, act, analysis)),
            words: Vec::new(),
            put: String::new(),
            got: Vec::new(),
            chance: Vec::new(),
            clauses: Vec::new(),
            marks: Vec::new(),
            table: Table::of(rules, after, knowledge, self.eyes),
            odds: odds(Goal::Win),
            match_odds: (unit == Some(Unit::Match) && self.deal.is_some()).then(|| odds(Goal::Match)).flatten(),
            fault: self.fault.clone(),
            over: self.over.as_ref().map(|(_, _, end)| end.clone()),
        };
        let mut put: Vec<&str> = Vec::new();
        let mut turned_up = None;
        for (event, state) in &self.events {
            following.on_event(rules, state, *event, self.eyes);
            match *event {
                Event::Drew { seat, card } => {
                    let seen = self.eyes.see_hand(seat).then(|| rules.code(card).to_owned());
                    frame.got.push((seat.index(), seen));
                }
                Event::Discarded { card, .. } => put.push(rules.code(card)),
                Event::TurnedUp(card) => {
                    put.push(rules.code(card));
                    turned_up = Some(card);
                }
                Event::Button(color) => frame.chance.push(format!("tinker {}", color.letter())),
                Event::Task(unolab_engine::chance::TaskResult::Done) => frame.chance.push("task yes".into()),
                Event::Task(unolab_engine::chance::TaskResult::Failed) => frame.chance.push("task no".into()),
                Event::Moved { from, to, card } if self.eyes.see_hand(from) || self.eyes.see_hand(to) => {
                    frame.chance.push(format!("card {}", rules.code(card)));
                }
                Event::Reshuffled => frame.marks.push("reshuffle"),
                Event::Swapped(..) | Event::Rotated { .. } => frame.marks.push("swap"),
                _ => {}
            }
        }
        frame.put = put.join(" ");
        frame.words = following.finish(rules);
        match self.act {
            None => frame.clauses = turned_up.map_or_else(Vec::new, |card| clauses::of_start(rules, card)),
            Some(act) => {
                let events: Vec<Event> = self.events.iter().map(|(event, _)| *event).collect();
                frame.clauses = clauses::of_action(rules, &self.before, act, &events, after);
                self.mark(act, after, &mut frame.marks);
            }
        }
        frame
    }

    fn mark(&self, (seat, action, call): (Seat, Action, Call), after: &RoundState, marks: &mut Vec<&'static str>) {
        let came_to_one = after.hand(seat).len() == 1 && self.before.hand(seat).len() != 1;
        if call == Call::Uno || came_to_one || matches!(action, Action::Uno | Action::Catch(_)) {
            marks.push("uno");
        }
        if action == Action::Challenge {
            marks.push("challenge");
        }
        if self.over.is_some() {
            marks.push("out");
        }
    }

    fn shown_move(
        &self,
        rules: &Rules,
        (seat, action, call): (Seat, Action, Call),
        analysis: Option<Analysis>,
    ) -> Move {
        Move {
            seat: seat.index(),
            text: rules.write_action(ActionWithCall { action, call }),
            words: words::acted(rules, seat, action, call),
            choice: self.choice(rules, seat, action, analysis),
            note: self.note.clone().filter(|_| self.eyes.see_hand(seat)),
        }
    }

    /// The choice, if this point of view may see the hand.
    fn choice(&self, rules: &Rules, seat: Seat, chosen: Action, analysis: Option<Analysis>) -> Option<Choice> {
        if !self.eyes.see_hand(seat) {
            return None;
        }
        let is_own_decision = self.before.current_seat() == Some(seat);
        let observation = Observation::of(rules, &self.before, &self.knowledge, &self.scores, seat);
        let mut legal = if is_own_decision { self.before.legal_actions(rules) } else { Vec::new() };
        if !legal.contains(&chosen) {
            legal = observation.legal_interruptions();
        }
        let values = analysis.filter(|_| {
            !self.is_by_another && is_own_decision && legal.len() > 1 && observation.legal_actions() == legal
        });
        let values = values.map(|Analysis { valuation, seed }| {
            // The same random stream as in `unolab analyze`, so that both compute the same values.
            let mut rng = Rng::keyed(seed, self.line as u64, Purpose::Agent(seat));
            valuation.of(&observation, &mut rng)
        });
        let spoken: Vec<String> =
            legal.iter().map(|&action| rules.write_action(ActionWithCall::from(action))).collect();
        let chosen = legal.iter().position(|&action| action == chosen)?;
        let fair_regret = values.as_ref().map(|values| {
            let chosen = &values[chosen];
            (rounded(chosen.fair_regret), rounded(chosen.fair_regret_se))
        });
        let values = values.map(|values| {
            let valued = values.iter();
            valued.map(|it| ShownValue(rounded(it.value), rounded(it.regret), rounded(it.regret_se))).collect()
        });
        Some(Choice { hand: rules.write_cards(self.before.hand(seat)), legal: spoken, chosen, values, fair_regret })
    }

    /// The chances of all seats from this table: played out from the actual state if all hands are open, otherwise from
    /// deals of the unseen cards that are consistent with the point of view.
    fn odds(&self, rules: &Rules, state: &RoundState, knowledge: &Knowledge, analysis: Analysis) -> Option<Vec<u16>> {
        let position = match self.eyes {
            Perspective::All => Position::Known,
            Perspective::Seat(_) => Position::AsSeen,
            Perspective::Bystander => return None,
        };
        let seat = match self.eyes {
            Perspective::Seat(seat) => seat,
            _ => state.dealer(),
        };
        // A decision in the middle of a turn may contain information that this point of view does not have.
        let can_be_dealt_anew = position == Position::Known || matches!(state.phase(), Phase::Turn | Phase::Over(_));
        if !can_be_dealt_anew {
            return None;
        }
        let observation = Observation::of(rules, state, knowledge, &self.scores, seat);
        let mut rng = Rng::keyed(analysis.seed, self.line as u64, Purpose::Other(0));
        let odds = analysis.valuation.odds(&observation, state, position, &mut rng);
        let seats = 1 + state.seats().last().map_or(0, Seat::index);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 1000")]
        Some(odds[..seats].iter().map(|odds| (odds * 1000.0).round() as u16).collect())
    }
}

/// Four digits are enough, and keep the page small.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
