//! `unolab._native.Adviser`: the action that an agent chooses in a described turn.

use pyo3::prelude::*;
use unolab_agents::agent::Agent;
use unolab_agents::registry::{AgentSpec, Registry};
use unolab_engine::cards::Cards;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::notation::parse_color;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::seat::{BySeat, Direction, Seat, SeatSet};
use unolab_engine::state::{RoundSetup, RoundState};

use crate::builtin::{interruptible, searches};
use crate::table::{ArgumentError, Table, voluntary};

/// An agent that chooses actions for single turns of games that another program plays.
#[pyclass(module = "unolab._native")]
#[derive(Debug)]
pub(crate) struct Adviser {
    table: Table,
    agent: AgentSpec,
    rng: Rng,
}

impl Adviser {
    fn cards(&self, name: &str, text: &str) -> Result<Cards, ArgumentError> {
        self.table.rules.parse_cards(text).map_err(|error| ArgumentError(format!("{name}: {error}")))
    }

    /// The seats' hands, of which only one is known, and the draw pile. Unseen cards may be anywhere.
    fn dealt(
        &self,
        seat: Seat,
        hand: Cards,
        sizes: &[u32],
        open: Cards,
    ) -> Result<(BySeat<Cards>, Cards), ArgumentError> {
        let deck = self.table.rules.deck();
        let known = hand.iter().chain(open.iter());
        let mut unseen = deck;
        for card in known {
            if !unseen.contains(card) {
                let (code, copies) = (self.table.rules.code(card), deck.count(card));
                return Err(ArgumentError(format!("more copies of {code} than the {copies} of the deck")));
            }
            unseen.remove(card);
        }
        let mut hands = BySeat::<Cards>::from_iter([]);
        for (other, &size) in Seat::first(sizes.len()).zip(sizes) {
            if other == seat {
                hands[other] = hand;
                continue;
            }
            for _ in 0..size {
                let card = unseen.iter().next();
                let card =
                    card.ok_or_else(|| ArgumentError("hand_sizes: more cards than are left of the deck".into()))?;
                unseen.remove(card);
                hands[other].add(card);
            }
        }
        Ok((hands, unseen))
    }
}

#[pymethods]
impl Adviser {
    #[new]
    fn new(agent: &str, variant: &str, seats: usize, overrides: Vec<String>, seed: u64) -> PyResult<Self> {
        let table = Table::new(variant, seats, &overrides, voluntary(true), 0)?;
        let agent = Registry::default().configure(agent).map_err(|error| ArgumentError(format!("agent: {error}")))?;
        if agent.sees_everything() {
            return Err(
                ArgumentError(format!("agent: {} is shown all hands, which are unknown here", agent.text())).into()
            );
        }
        Ok(Self { table, agent, rng: Rng::from_seed(seed) })
    }

    /// The agent's spec.
    #[getter]
    fn agent(&self) -> &str {
        self.agent.text()
    }

    /// The action in this turn, in the notation. Other threads of Python can run meanwhile, and a signal stops a search.
    #[expect(clippy::too_many_arguments, reason = "the parts of a turn, by name in Python")]
    fn choose(
        &mut self,
        py: Python<'_>,
        seat: i64,
        hand: &str,
        hand_sizes: Vec<u32>,
        discard: &str,
        color: Option<&str>,
        direction: &str,
    ) -> PyResult<String> {
        let seats = self.table.seats;
        let to_act = self.table.seat(seat)?;
        let hand = self.cards("hand", hand)?;
        if hand_sizes.len() != seats || hand_sizes[to_act.index()] != hand.len() {
            let found: Vec<String> = hand_sizes.iter().map(u32::to_string).collect();
            return Err(ArgumentError(format!(
                "hand_sizes: [{}]; allowed: {seats} numbers, that of seat {to_act} the size of its hand, {}",
                found.join(", "),
                hand.len()
            ))
            .into());
        }
        let direction = match direction {
            "left" => Direction::Left,
            "right" => Direction::Right,
            other => return Err(ArgumentError(format!("direction: {other:?}; allowed: \"left\", \"right\"")).into()),
        };
        let color = color.map(parse_color).transpose().map_err(|error| ArgumentError(format!("color: {error}")))?;
        let top = discard.split_whitespace().next_back();
        let top = top.ok_or_else(|| ArgumentError("discard: no card; the top card comes last".into()))?;
        let top = self.table.rules.parse_card(top).map_err(|error| ArgumentError(format!("discard: {error}")))?;
        let open = self.cards("discard", discard)?;
        let (hands, draw_pile) = self.dealt(to_act, hand, &hand_sizes, open)?;
        let mut under_top = open;
        under_top.remove(top);
        let (seats, dealer) = (SeatSet::first(seats), Seat::new(0));
        let setup = RoundSetup { seats, dealer, direction, to_act, hands, top, under_top, color, draw_pile };
        let rules = &self.table.rules;
        let state = RoundState::from_setup(&setup, rules).map_err(|errors| {
            let told: Vec<String> = errors.iter().map(|error| error.describe(rules)).collect();
            ArgumentError(told.join("; "))
        })?;
        let knowledge = Knowledge::default();
        let observation = Observation::of(rules, &state, &knowledge, &NO_SCORES, to_act);
        let mut player = self.agent.make(rules, to_act, self.rng.fork());
        player.begin_round(&observation);
        let is_search = searches(self.agent.text());
        let action = py.detach(|| {
            let mut choose = || player.choose(&observation);
            if is_search { interruptible(choose) } else { Ok(choose()) }
        })?;
        if let Some(fault) = player.fault() {
            return Err(ArgumentError(format!("agent: {}", fault.what)).into());
        }
        Ok(rules.write_action(action.into()))
    }
}
