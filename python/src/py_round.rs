//! `unolab._native.Round`: one round, with the interface of an OpenSpiel game.

use std::sync::{Arc, OnceLock};

use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use unolab_agents::agent::Observer;
use unolab_engine::card::CardSet;
use unolab_engine::encoding::{EncodedDecision, VoluntaryDraw};
use unolab_engine::event::Event;
use unolab_engine::implication::{Conclusion, Implication};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::{Purpose, Rng, SetKey};
use unolab_engine::round::{self, Deal};
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::{EventSink, Phase, RoundState};
use unolab_engine::{Action, Cards, Rules};

use crate::game::{RowDeal, asked};
use crate::information_state_text::{Choice, InformationStateText, Stories, ViewingSeat};
use crate::table::{ArgumentError, Table, voluntary};

/// The origin and the actions of a round, from which it can be replayed.
#[derive(Debug, Clone)]
enum Root {
    /// Dealt by a seed.
    Deal { seed: u64 },
    /// Dealt in a row of a batch.
    Row(RowDeal),
    /// Sampled from another round, as one of its seats sees it.
    Sample { of: Box<RoundReplay>, seat: Seat, seed: u64 },
}

#[derive(Debug, Clone)]
struct RoundReplay {
    root: Root,
    actions: Vec<u16>,
}

/// One round, with the interface of an OpenSpiel game. `unolab.Round` wraps it and documents it.
#[pyclass(module = "unolab._native", subclass)]
#[derive(Debug, Clone)]
pub(crate) struct Round {
    table: Arc<Table>,
    round: round::Round<Arc<Rules>>,
    recipe: RoundReplay,
    choices: Vec<Choice>,
    /// The offered actions, computed when they are first needed.
    offered: OnceLock<Vec<Action>>,
    /// In a sampled round, the text of each seat: the events before the sampling and since.
    stories: Option<Vec<String>>,
}

/// Passes on the events that a seat sees.
struct ObserverSink<'a> {
    rules: &'a Rules,
    scores: &'a BySeat<u32>,
    seat: Seat,
    knowledge: &'a mut Knowledge,
    observer: &'a mut dyn Observer,
}

impl EventSink for ObserverSink<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        let observation = Observation::of(self.rules, state, self.knowledge, self.scores, self.seat);
        self.observer.receive(event, &observation);
    }
}

impl Round {
    /// The round of a row, from its deal.
    pub(crate) fn of_row(table: Arc<Table>, deal: RowDeal, actions: &[u16]) -> Result<Self, ArgumentError> {
        if deal.seats != SeatSet::first(table.seats) {
            return Err(ArgumentError(
                "round: players have been eliminated from this match, and a Round needs all seats".into(),
            ));
        }
        let chance = SetKey::of(deal.seed, deal.set).stream(Purpose::Cards { round: deal.round });
        let at = Deal { seats: deal.seats, dealer: deal.dealer, scores: deal.scores };
        let round = round::Round::deal_at(Arc::clone(&table.rules), at, chance);
        let recipe = RoundReplay { root: Root::Row(deal), actions: Vec::new() };
        let mut round = Self { table, round, recipe, choices: Vec::new(), offered: OnceLock::new(), stories: None };
        for &id in actions {
            let action = round.table.encoding.actions().action(id.into());
            round.play(action.ok_or_else(|| ArgumentError(format!("action: {id} is not an action of this table")))?)?;
        }
        Ok(round)
    }

    pub(crate) const fn inner(&self) -> &round::Round<Arc<Rules>> {
        &self.round
    }

    pub(crate) const fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Replays the round from its deal for an observer in this seat. If it was sampled for another seat, replays it from the sampling.
    pub(crate) fn replay_before(&self, seat: Seat, observer: &mut dyn Observer) -> Result<(), ArgumentError> {
        let table = Arc::clone(&self.table);
        let (root, before) = match &self.recipe.root {
            Root::Deal { seed } => (Self::deal(table, *seed), None),
            Root::Row(deal) => (Self::of_row(table, deal.clone(), &[])?, None),
            Root::Sample { of, seat: sampled_for, seed } => {
                let original = Self::from_recipe(table, &of.text())?;
                let sample = original.sampled(*sampled_for, *seed);
                (sample, (*sampled_for == seat).then_some(original))
            }
        };
        let (rules, mut round) = (&self.table.rules, root.round);
        let (mut knowledge, scores) = (round.knowledge().clone(), *round.scores());
        match before {
            Some(original) => original.replay_before(seat, observer)?,
            None => observer.begin(&round.observation(seat)),
        }
        for &id in &self.recipe.actions {
            let action = self.table.encoding.actions().action(id.into()).expect("an action of this round");
            let mut sink = ObserverSink { rules, scores: &scores, seat, knowledge: &mut knowledge, observer };
            round.apply_with_events(action, &mut sink).map_err(|error| ArgumentError(error.to_string()))?;
        }
        Ok(())
    }

    fn deal(table: Arc<Table>, seed: u64) -> Self {
        let round = round::Round::deal(Arc::clone(&table.rules), seed);
        let recipe = RoundReplay { root: Root::Deal { seed }, actions: Vec::new() };
        Self { table, round, recipe, choices: Vec::new(), offered: OnceLock::new(), stories: None }
    }

    /// The offered actions, without drawing if it is hidden.
    pub(crate) fn offered(&self) -> &[Action] {
        self.offered.get_or_init(|| {
            let Some(decision) = self.round.decision() else { return Vec::new() };
            if asked(decision.kind) != EncodedDecision::Ordinary {
                return decision.actions.to_vec();
            }
            let observation = self.round.observation(decision.seat);
            let (encoding, draw) = (&self.table.encoding, self.table.draw);
            decision.actions.iter().copied().filter(|&action| encoding.offers(&observation, draw, action)).collect()
        })
    }

    pub(crate) fn id(&self, action: Action) -> usize {
        self.table.encoding.actions().id(action).expect("every legal action is in the table")
    }

    fn play(&mut self, action: Action) -> Result<(), ArgumentError> {
        let events_before = self.round.num_events();
        let Some(seat) = self.round.current_seat() else {
            return Err(ArgumentError("the round is over".into()));
        };
        let choice = Choice { seat, action, events_before };
        let could_follow = self.imply_may_draw(seat, action);
        let wrong = |error: round::ApplyError| ArgumentError(error.to_string());
        match &mut self.stories {
            None => self.round.apply(action).map_err(wrong)?,
            Some(stories) => {
                let rules = Arc::clone(&self.table.rules);
                let seats = Seat::first(self.table.seats);
                let mut tellers = Stories(seats.map(|seat| InformationStateText::going_on(&rules, seat)).collect());
                tellers.0[seat.index()].write_choice(action);
                self.round.apply_with_events(action, &mut tellers).map_err(wrong)?;
                for (story, teller) in stories.iter_mut().zip(tellers.0) {
                    story.push_str(&teller.text);
                }
            }
        }
        if let Some(kinds) = could_follow {
            self.imply_drawn_stays(seat, kinds);
        }
        self.offered = OnceLock::new();
        self.choices.push(choice);
        self.recipe.actions.push(u16::try_from(self.id(action)).expect("494 actions at most"));
        Ok(())
    }

    /// Where drawing is hidden while a card can be played, a seat that draws holds no card that can. Returns these kinds.
    fn imply_may_draw(&mut self, seat: Seat, action: Action) -> Option<CardSet> {
        if action != Action::Draw || self.table.draw == VoluntaryDraw::Offered {
            return None;
        }
        let observation = self.round.observation(seat);
        if observation.decision() != Decision::Turn {
            return None;
        }
        let kinds = observation.can_follow();
        self.round.imply(Implication { seat, conclusion: Conclusion::Lacks { since: 0 }, kinds });
        Some(kinds)
    }

    /// The card that it has drawn cannot be played either, unless it has to decide about it.
    fn imply_drawn_stays(&mut self, seat: Seat, kinds: CardSet) {
        if !matches!(self.round.state().phase(), Phase::Drawn(_) | Phase::Over(_)) {
            self.round.imply(Implication { seat, conclusion: Conclusion::NewestIsNot, kinds });
        }
    }

    fn story(&self, looker: ViewingSeat) -> String {
        if let Some(stories) = &self.stories {
            return match looker {
                ViewingSeat::Seat(seat) => stories[seat.index()].clone(),
                ViewingSeat::Spectator => String::new(),
            };
        }
        let mut story = InformationStateText::new(&self.table.rules, looker, &self.choices);
        self.round.replay_events(&mut story).expect("a round that was dealt can be told again");
        story.write_choices();
        story.text
    }

    fn sampled(&self, seat: Seat, seed: u64) -> Self {
        let round = self.round.sample(seat, &mut Rng::from_seed(seed));
        let tell = |other: Seat| {
            if other == seat {
                return self.story(ViewingSeat::Seat(seat));
            }
            // Another seat may have seen the open cards, and the hand that it holds here.
            let hand = self.table.rules.write_cards(round.state().hand(other));
            format!("{}hand of {other}: {hand}\n", self.story(ViewingSeat::Spectator))
        };
        let stories = Seat::first(self.table.seats).map(tell).collect();
        let root = Root::Sample { of: Box::new(self.recipe.clone()), seat, seed };
        Self {
            table: Arc::clone(&self.table),
            round,
            recipe: RoundReplay { root, actions: Vec::new() },
            choices: Vec::new(),
            offered: OnceLock::new(),
            stories: Some(stories),
        }
    }

    /// Plays a recipe, written as text: `deal SEED`, `row SEED SET ROUND DEALER SCORES`, `sample SEAT SEED`, or the id of an action, one after the other.
    fn from_recipe(table: Arc<Table>, recipe: &str) -> Result<Self, ArgumentError> {
        let bad = || ArgumentError("this is not the state of a round".into());
        let mut words = recipe.split_ascii_whitespace();
        let number = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok()).ok_or_else(bad);
        let mut round: Option<Self> = None;
        while let Some(word) = words.next() {
            round = Some(match (word, round) {
                ("deal", None) => Self::deal(Arc::clone(&table), number(words.next())?),
                ("row", None) => {
                    let (seed, set, round) = (number(words.next())?, number(words.next())?, number(words.next())?);
                    let dealer = table.seat(i64::try_from(number(words.next())?).map_err(|_| bad())?)?;
                    let mut scores = BySeat::default();
                    for seat in Seat::first(table.seats) {
                        scores[seat] = u32::try_from(number(words.next())?).map_err(|_| bad())?;
                    }
                    let (seats, round) = (SeatSet::first(table.seats), u32::try_from(round).map_err(|_| bad())?);
                    let deal = RowDeal { seed, set, round, seats, dealer, scores };
                    Self::of_row(Arc::clone(&table), deal, &[])?
                }
                ("sample", Some(of)) => {
                    let seat = of.table.seat(i64::try_from(number(words.next())?).map_err(|_| bad())?)?;
                    of.sampled(seat, number(words.next())?)
                }
                (id, Some(mut round)) => {
                    let id = usize::try_from(number(Some(id))?).map_err(|_| bad())?;
                    let action = table.encoding.actions().action(id).ok_or_else(bad)?;
                    round.play(action)?;
                    round
                }
                (_, None) => return Err(bad()),
            });
        }
        round.ok_or_else(bad)
    }

    /// The observation of a seat, as bytes.
    fn row(&self, seat: Seat) -> Vec<u8> {
        let asked = match self.round.decision() {
            Some(decision) if decision.seat == seat => asked(decision.kind),
            _ => EncodedDecision::Ordinary,
        };
        let mut row = vec![0; self.obs_size()];
        self.table.encoding.write_row(&self.round.observation(seat), asked, &mut row);
        row
    }

    /// The ids of the legal actions of a seat; none if it does not decide.
    fn legal_actions_of(&self, seat: Seat) -> Vec<usize> {
        if self.round.current_seat() == Some(seat) { self.legal_actions() } else { Vec::new() }
    }

    fn codes(&self, cards: Cards) -> Vec<&str> {
        cards.iter().map(|card| self.table.rules.code(card)).collect()
    }
}

impl RoundReplay {
    fn text(&self) -> String {
        let mut text = match &self.root {
            Root::Deal { seed } => format!("deal {seed}"),
            Root::Row(RowDeal { seed, set, round, seats, dealer, scores }) => {
                let scores: String = seats.iter().map(|seat| format!(" {}", scores[seat])).collect();
                format!("row {seed} {set} {round} {dealer}{scores}")
            }
            Root::Sample { of, seat, seed } => format!("{} sample {seat} {seed}", of.text()),
        };
        for id in &self.actions {
            text.push_str(&format!(" {id}"));
        }
        text
    }
}

#[pymethods]
impl Round {
    #[new]
    #[pyo3(signature = (variant, seats, seed, overrides, voluntary_draw))]
    fn new(variant: &str, seats: usize, seed: u64, overrides: Vec<String>, voluntary_draw: bool) -> PyResult<Self> {
        Ok(Self::deal(Table::shared(variant, seats, overrides, voluntary(voluntary_draw))?, seed))
    }

    /// A round at the same table, dealt by another seed.
    fn dealt_anew(&self, seed: u64) -> Self {
        Self::deal(Arc::clone(&self.table), seed)
    }

    /// The state from which [`Round::restore`] restores the round.
    fn state(&self) -> (String, String, usize, bool, String) {
        let table = &self.table;
        let offered = table.draw == voluntary(true);
        (table.rules.name().into(), table.rules_text(), table.seats, offered, self.recipe.text())
    }

    /// The round that [`Round::state`] was taken of.
    #[staticmethod]
    fn restore(name: &str, rules: &str, seats: usize, voluntary_draw: bool, recipe: &str) -> PyResult<Self> {
        let table = Table::from_rules_text(name, rules, seats, voluntary(voluntary_draw))?;
        Ok(Self::from_recipe(Arc::new(table), recipe)?)
    }

    /// The round of this recipe at the same table.
    fn again(&self, recipe: &str) -> PyResult<Self> {
        Ok(Self::from_recipe(Arc::clone(&self.table), recipe)?)
    }

    /// The recipe of the round; see `again`.
    fn recipe(&self) -> String {
        self.recipe.text()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("restore")?, self.state().into_pyobject(py)?))
    }

    /// A copy of this round that can be played on separately, with the same random stream.
    fn clone(&self) -> Self {
        Clone::clone(self)
    }

    fn __copy__(&self) -> Self {
        Clone::clone(self)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        Clone::clone(self)
    }

    /// The variant's name.
    #[getter]
    fn variant(&self) -> &str {
        self.table.rules.name()
    }

    /// The number of seats.
    #[getter]
    fn seats(&self) -> usize {
        self.table.seats
    }

    /// The number of actions.
    #[getter]
    fn num_actions(&self) -> usize {
        self.table.encoding.num_actions()
    }

    /// Every action in the notation, by its id.
    #[getter]
    fn action_names(&self) -> Vec<String> {
        self.table.action_names()
    }

    /// Bytes of an observation.
    #[getter]
    fn obs_size(&self) -> usize {
        self.table.encoding.obs_size()
    }

    /// Everything that determines the meaning of the tensor and of the ids, as canonical JSON.
    #[getter]
    fn spec_json(&self) -> String {
        self.table.spec(serde_json::Map::new(), self.table.encoding.obs_size())
    }

    /// The seat that decides; None when the round is over.
    #[getter]
    fn current_seat(&self) -> Option<usize> {
        self.round.current_seat().map(Seat::index)
    }

    /// The kind of the decision, in one word; None when the round is over.
    #[getter]
    fn decision(&self) -> Option<&'static str> {
        self.round.decision().map(|decision| decision.kind.word())
    }

    /// Decisions so far.
    #[getter]
    fn decisions(&self) -> u32 {
        self.round.decisions()
    }

    /// Turns so far.
    #[getter]
    fn turns(&self) -> u32 {
        self.round.turns()
    }

    /// Whether the round is over, or cut off after 10,000 decisions.
    #[getter]
    fn is_terminal(&self) -> bool {
        self.round.is_terminal()
    }

    /// Whether the round was cut off.
    #[getter]
    fn is_truncated(&self) -> bool {
        self.round.is_truncated()
    }

    /// The ids of the legal actions of the decision; none when the round is over.
    fn legal_actions(&self) -> Vec<usize> {
        self.offered().iter().map(|&action| self.id(action)).collect()
    }

    /// The mask of legal actions: 1 for each legal action.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let mut mask = vec![0_u8; self.num_actions()];
        self.legal_actions().into_iter().for_each(|id| mask[id] = 1);
        mask.to_pyarray(py)
    }

    /// The action in the notation.
    fn action_name(&self, id: i64) -> PyResult<String> {
        let action = usize::try_from(id).ok().and_then(|id| self.table.encoding.actions().action(id));
        match action {
            Some(action) => Ok(self.table.rules.write_action(action.into())),
            None => Err(ArgumentError(format!("action: {id}; allowed: 0 to {}", self.num_actions() - 1)).into()),
        }
    }

    /// The id of an action in the notation.
    fn action_id(&self, name: &str) -> PyResult<usize> {
        let spoken = self.table.rules.parse_action(name).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let id = self.table.encoding.actions().id(spoken.action);
        id.ok_or_else(|| ArgumentError(format!("action: unknown action `{name}`")).into())
    }

    /// Plays the action with this id. Returns the seat that decides next, or -1 if the round is over. Returns None, and plays
    /// nothing, if the id is not a legal action.
    fn advance(&mut self, id: &Bound<'_, PyAny>) -> PyResult<Option<i8>> {
        let action = id.extract().ok().and_then(|id| self.table.encoding.actions().action(id));
        let Some(action) = action.filter(|action| self.offered().contains(action)) else { return Ok(None) };
        self.play(action)?;
        let next = self.round.current_seat().map_or(-1, |seat| i8::try_from(seat.index()).expect("at most ten seats"));
        Ok(Some(next))
    }

    /// The share of the win of each seat: zeros before the end.
    fn returns(&self) -> Vec<f64> {
        self.round.returns()
    }

    /// The points credited to each seat: zeros before the end.
    fn points(&self) -> Vec<u32> {
        self.round.points()
    }

    /// The cards in a seat's hand, in the order of kinds.
    fn hand(&self, seat: i64) -> PyResult<Vec<&str>> {
        Ok(self.codes(self.round.observation(self.table.seat(seat)?).hand()))
    }

    /// The observation of a seat, as text.
    fn observation<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyDict>> {
        let seat = self.table.seat(seat)?;
        let observation = self.round.observation(seat);
        let rules = &self.table.rules;
        let is_asked = self.round.current_seat() == Some(seat);
        let decision = match self.round.decision() {
            Some(decision) if is_asked => Some(decision.kind.word()),
            _ => observation.decision_word(),
        };
        let drawn = match observation.decision() {
            Decision::Drawn(Some(card)) => Some(rules.code(card)),
            _ => None,
        };
        let dict = PyDict::new(py);
        dict.set_item("seat", seat.index())?;
        dict.set_item("hand", self.codes(observation.hand()))?;
        dict.set_item("top", rules.code(observation.top()))?;
        dict.set_item("color", observation.color().map(|color| color.name()))?;
        dict.set_item("direction", observation.direction().name())?;
        dict.set_item("to_act", observation.current_seat().map(Seat::index))?;
        dict.set_item("decision", decision)?;
        dict.set_item("drawn", drawn)?;
        dict.set_item("legal", self.legal_actions_of(seat))?;
        let seats = || Seat::first(self.table.seats);
        dict.set_item("hand_sizes", seats().map(|seat| observation.hand_len(seat)).collect::<Vec<_>>())?;
        let known: Vec<Vec<&str>> = seats()
            .map(|other| if other == seat { Vec::new() } else { self.codes(observation.known(other)) })
            .collect();
        dict.set_item("known", known)?;
        dict.set_item("discard_pile", self.codes(observation.discard_pile()))?;
        dict.set_item("draw_pile", observation.draw_pile_len())?;
        dict.set_item("dealer", observation.dealer().index())?;
        dict.set_item("uncalled", observation.uncalled().iter().map(Seat::index).collect::<Vec<_>>())?;
        Ok(dict)
    }

    /// The observation of a seat, as bytes.
    fn tensor<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(self.row(self.table.seat(seat)?).to_pyarray(py))
    }

    /// The observation of a seat and the mask of its legal actions, as a dict of PettingZoo. The mask of a seat that does not
    /// decide is all zeros.
    fn observe<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyDict>> {
        let seat = self.table.seat(seat)?;
        let mut mask = vec![0_i8; self.num_actions()];
        if self.round.current_seat() == Some(seat) {
            self.offered().iter().for_each(|&action| mask[self.id(action)] = 1);
        }
        let dict = PyDict::new(py);
        dict.set_item(intern!(py, "observation"), self.row(seat).to_pyarray(py))?;
        dict.set_item(intern!(py, "action_mask"), mask.to_pyarray(py))?;
        Ok(dict)
    }

    /// The observation of a seat, and a dict from the id of each legal action to None: an empty one for a seat that does not
    /// decide.
    fn row_and_ids<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<(Bound<'py, PyArray1<u8>>, Bound<'py, PyDict>)> {
        let seat = self.table.seat(seat)?;
        let ids = PyDict::new(py);
        for id in self.legal_actions_of(seat) {
            ids.set_item(id, py.None())?;
        }
        Ok((self.row(seat).to_pyarray(py), ids))
    }

    /// Everything that a seat has seen and chosen, in order.
    fn information_state(&self, seat: i64) -> PyResult<String> {
        let seat = self.table.seat(seat)?;
        let rules = &self.table.rules;
        let observation = self.round.observation(seat);
        let decision = match self.round.decision() {
            None => "over".into(),
            Some(decision) if decision.seat == seat => format!("{seat}: {}", decision.kind.word()),
            Some(_) => match (observation.current_seat(), observation.decision_word()) {
                (Some(to_act), Some(word)) => format!("{to_act}: {word}"),
                _ => "over".into(),
            },
        };
        let seats = self.table.seats;
        let story = self.story(ViewingSeat::Seat(seat));
        let dealer = observation.dealer();
        Ok(format!("{} {} seat {seat} of {seats} dealer {dealer}\n{story}{decision}\n", rules.name(), rules.hash()))
    }

    /// A round that the seat cannot distinguish from this one.
    fn sample_state(&self, seat: i64, seed: u64) -> PyResult<Self> {
        Ok(self.sampled(self.table.seat(seat)?, seed))
    }

    /// The record so far, as JSON Lines.
    fn record(&self) -> PyResult<String> {
        self.round.record().map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __str__(&self) -> String {
        self.round.to_string()
    }
}
