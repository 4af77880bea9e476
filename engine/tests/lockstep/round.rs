//! [`Round`]: one round played in both, compared after every action.

use std::fmt::Write as _;

use unolab_engine::action::{Action, ActionId, Call};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::chance::Chance;
use unolab_engine::color::Color;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::notation::ActionWithCall;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{BasicFeatures, Features};
use unolab_engine::scoring::RoundResult;
use unolab_engine::seat::{BySeat, Direction, MAX_SEATS, Seat, SeatSet};
use unolab_engine::state::{EventSink, Outcome, Phase, RoundSetup, RoundState};

use super::both::Both;
use super::chance::{Noted, Retold};
use crate::common::{below, one_of};
use crate::reference::{Code, Deal, Model, Move, Position};

/// A round in both implementations.
pub struct Round<'a> {
    both: &'a Both,
    seats: usize,
    pub state: RoundState,
    knowledge: Knowledge,
    pub model: Model,
    done: Vec<(Seat, ActionWithCall)>,
    /// The legal actions of the seat to act, and of every seat out of turn.
    legal: Vec<Action>,
    interruptions: Vec<(Seat, Action)>,
}

/// A difference between the two, such as an action that only one allows.
pub struct Difference(String);

/// Fails unless both are equal.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, engine: &T, model: &T) -> Result<(), Difference> {
    if engine == model {
        return Ok(());
    }
    Err(Difference(format!("{what}: the engine has {engine:?}, the model {model:?}")))
}

fn decision_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Turn => "turn",
        Phase::Drawn(_) => "drawn",
        Phase::NameColor(_) => "color",
        Phase::Challenge(_) => "challenge",
        Phase::Cheese => "cheese",
        Phase::Swap(_) => "swap",
        Phase::Lap(_) => "lap",
        Phase::Target(_) => "target",
        Phase::Discard(_) => "discard",
        Phase::Protect(_) => "protect",
        Phase::Stack(_) => "stack",
        Phase::Choice(_) => "choice",
        Phase::Over(_) => "none",
    }
}

/// Records the cards that were dealt or turned up.
#[derive(Default)]
struct Dealt {
    hands: [Cards; MAX_SEATS],
    turned_up: Vec<Card>,
}

impl EventSink for Dealt {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        if let Event::TurnedUp(card) = event {
            self.hands = std::array::from_fn(|seat| state.hand(Seat::new(seat)));
            self.turned_up.push(card);
        }
    }
}

/// Chance and the receiver of events, of any type, so that the rules are compiled once for all of them.
type ChanceAndEvents<'a> = (&'a mut dyn Chance, &'a mut dyn EventSink);

impl<'a> Round<'a> {
    /// Deals, and begins with the card turned up.
    pub fn deal(both: &'a Both, seats: usize, in_round: SeatSet, dealer: Seat, rng: &mut Rng) -> Self {
        let (mut deal, mut rest) = (rng.fork(), rng.fork());
        let mut chance = Noted::new(&mut rest);
        let (mut dealt, mut knowledge) = (Dealt::default(), Knowledge::default());
        let mut told = (&mut dealt, &mut knowledge);
        let (rules, variant) = (&both.rules, &both.variant);
        let state = if both.plain_fits && below(rng, 2) == 0 {
            let (mut chance, mut told): ChanceAndEvents<'_> = (&mut chance, &mut told);
            RoundState::deal_with_for::<BasicFeatures>(rules, in_round, dealer, &mut deal, &mut chance, &mut told)
        } else {
            RoundState::deal_with(rules, in_round, dealer, &mut deal, &mut chance, &mut told)
        };
        // The model receives the cards that were dealt and turned up; it must agree which of them stays.
        let mut draw = variant.deck.clone();
        let mut take = |card: Code| {
            let place = draw.iter().position(|c| *c == card).expect("the deck has the card");
            draw.swap_remove(place);
        };
        let mut hands = vec![Vec::new(); seats];
        for seat in in_round.iter() {
            let hand = both.codes(dealt.hands[seat.index()]);
            assert_eq!(hand.len(), variant.hand_size, "cards for seat {seat}");
            hand.iter().copied().for_each(&mut take);
            hands[seat.index()] = hand;
        }
        let turned_up: Vec<Code> = dealt.turned_up.iter().map(|card| both.codes[card.index()]).collect();
        let (up, returned) = turned_up.split_last().expect("a card is turned up");
        assert!(returned.iter().all(|card| !variant.startable(card)), "a start card was returned");
        take(up);
        let seats_in = in_round.iter().map(Seat::index).collect();
        let deal = Deal { seats, seats_in, dealer: dealer.index(), hands, draw };
        let mut fate = Retold { codes: &both.codes, log: chance.log.into_iter() };
        let model = Model::from_start(variant, deal, up, &mut fate);
        assert!(fate.log.next().is_none(), "the start card does more in the engine than in the model");
        Self::begin(both, seats, state, knowledge, model)
    }

    fn begin(both: &'a Both, seats: usize, state: RoundState, knowledge: Knowledge, model: Model) -> Self {
        let (done, legal, interruptions) = (Vec::new(), Vec::new(), Vec::new());
        Self { both, seats, state, knowledge, model, done, legal, interruptions }
    }

    /// A position with few cards: short rounds, blocked rounds, and reshuffles during effects.
    pub fn position(both: &'a Both, seats: usize, in_round: SeatSet, rng: &mut Rng) -> Self {
        let rules = &both.rules;
        let mut deck = rules.deck();
        let mut take = |rng: &mut Rng, count: usize| -> Cards {
            (0..count)
                .filter_map(|_| {
                    let card = (!deck.is_empty()).then(|| deck.nth(rng.below(deck.len())))?;
                    deck.remove(card);
                    Some(card)
                })
                .collect()
        };
        let top = take(rng, 1).iter().next().expect("a deck has cards");
        let mut hands = BySeat::<Cards>::default();
        for seat in in_round.iter() {
            let count = 1 + below(rng, 4);
            hands[seat] = take(rng, count);
        }
        let under = below(rng, 6);
        let under_top = take(rng, under);
        let left = below(rng, 9);
        let draw_pile = take(rng, left);
        let seats_in: Vec<Seat> = in_round.iter().collect();
        let setup = RoundSetup {
            seats: in_round,
            dealer: one_of(rng, &seats_in),
            direction: one_of(rng, &[Direction::Left, Direction::Right]),
            to_act: one_of(rng, &seats_in),
            hands,
            top,
            under_top,
            color: rules.color_of(top).or(Some(one_of(rng, &Color::ALL))),
            draw_pile,
        };
        let state = RoundState::from_setup(&setup, rules).expect("a possible position");
        let mut discard = both.codes(under_top);
        discard.push(both.codes[top.index()]);
        let position = Position {
            seats,
            seats_in: in_round.iter().map(Seat::index).collect(),
            dealer: setup.dealer.index(),
            direction: setup.direction.name().into(),
            to_act: setup.to_act.index(),
            hands: hands.first(seats).iter().map(|hand| both.codes(*hand)).collect(),
            discard,
            color: setup.color.map(Color::letter),
            draw: both.codes(draw_pile),
        };
        let model = Model::from_position(&both.variant, position);
        Self::begin(both, seats, state, Knowledge::default(), model)
    }

    /// Whether this is legal, if both agree.
    fn is_allowed(&self, seat: Seat, spoken: ActionWithCall) -> Result<bool, Difference> {
        let rules = &self.both.rules;
        let allowed = self.state.is_legal(rules, seat, spoken.action, spoken.call);
        let told = self.both.told(spoken.action);
        let model_allows = self.model.may(seat.index(), told, spoken.call == Call::Uno).is_ok();
        if allowed != model_allows {
            same(&format!("may seat {seat} `{}`", rules.write_action(spoken)), &allowed, &model_allows)?;
        }
        Ok(allowed)
    }

    /// Applies an action to both.
    fn act(&mut self, seat: Seat, spoken: ActionWithCall, rng: &mut Rng) -> Result<(), Difference> {
        self.done.push((seat, spoken));
        let ActionWithCall { action, call } = spoken;
        let (rules, both) = (&self.both.rules, self.both);
        let plain = both.plain_fits && below(rng, 2) == 0;
        let mut chance = Noted::new(rng);
        if plain {
            let (mut chance, mut told): ChanceAndEvents<'_> = (&mut chance, &mut self.knowledge);
            self.state.apply_action_for::<BasicFeatures>(rules, seat, action, call, &mut chance, &mut told);
        } else {
            let result = self.state.apply_action(rules, seat, action, call, &mut chance, &mut self.knowledge);
            result.map_err(|error| Difference(format!("the engine refuses its own: {error}")))?;
        }
        let mut fate = Retold { codes: &both.codes, log: chance.log.into_iter() };
        let told = both.told(action);
        if call == Call::Uno {
            same("the words", &Move::read(&rules.write_action(spoken)), &Ok((told, true)))?;
        }
        let result = self.model.act(seat.index(), told, call == Call::Uno, &mut fate);
        result.map_err(|error| Difference(format!("the model refuses: {error}")))?;
        match fate.log.next() {
            None => Ok(()),
            Some(more) => Err(Difference(format!("the engine asked chance for more: {more:?}"))),
        }
    }

    /// Compares all visible data.
    fn compare(&mut self) -> Result<(), Difference> {
        self.compare_table()?;
        self.compare_legal()?;
        self.compare_knowledge()?;
        self.compare_outcome()
    }

    fn compare_table(&self) -> Result<(), Difference> {
        let (both, state, model) = (self.both, &self.state, &self.model);
        let found = state.current_seat().map(|seat| (seat.index(), decision_name(state.phase())));
        same("decision", &found, &model.decision())?;
        for seat in 0..self.seats {
            same("hand", &state.hand(Seat::new(seat)), &both.cards(&model.hands()[seat]))?;
        }
        same("top", &both.codes[state.top().index()], &model.top())?;
        if !state.is_terminal() {
            same("color", &state.color().map(Color::letter), &model.color())?; // no color after a last wild
        }
        same("direction", &state.direction().name(), &model.direction())?;
        same("dealer", &state.dealer().index(), &model.dealer())?;
        same("draw pile", &state.draw_pile(), &both.cards(model.draw_pile()))?;
        same("its length", &(state.draw_pile_len() as usize), &model.draw_pile().len())?;
        same("discard pile", &state.discard_pile(), &both.cards(model.discard_pile()))?;
        same("its length", &(state.discard_pile_len() as usize), &model.discard_pile().len())
    }

    fn compare_outcome(&self) -> Result<(), Difference> {
        let (state, model) = (&self.state, &self.model);
        match state.outcome() {
            None => same("over", &false, &model.is_over()),
            Some(outcome) => {
                let winner = if let Outcome::WentOut(seat) = outcome { Some(seat.index()) } else { None };
                same("went out", &winner, &model.went_out())?;
                same("void", &(outcome == Outcome::Void), &model.void())?;
                let result = RoundResult::of(&self.both.rules, state);
                let points = result.points.first(self.seats).iter().map(|p| i64::from(*p)).collect();
                same("points", &points, &model.points())?;
                let places = result.places.first(self.seats).iter().map(|p| usize::from(*p)).collect();
                same("places", &places, &model.places())
            }
        }
    }

    /// Also records the actions that the engine allows, for the choice of the next action.
    fn compare_legal(&mut self) -> Result<(), Difference> {
        let (both, state) = (self.both, &self.state);
        state.legal_actions_into(&both.rules, &mut self.legal);
        // The model lists a playable card once, without the colors to name.
        let without_color = |action: Action| match both.told(action) {
            Move::Play(card, _) => Move::Play(card, None),
            other => other,
        };
        let mut legal: Vec<Move> = self.legal.iter().map(|action| without_color(*action)).collect();
        legal.sort_unstable();
        legal.dedup();
        same("legal", &legal, &self.model.legal())?;

        let of =
            |seat: Seat| state.legal_interruptions(&both.rules, seat).into_iter().map(move |action| (seat, action));
        self.interruptions.clear();
        self.interruptions.extend(Seat::first(self.seats).flat_map(of));
        let mut interruptions: Vec<(usize, Move)> =
            self.interruptions.iter().map(|(seat, action)| (seat.index(), without_color(*action))).collect();
        interruptions.sort_unstable();
        interruptions.dedup();
        let of = |seat: usize| self.model.interrupts(seat).into_iter().map(move |action| (seat, action));
        same("interruptions", &interruptions, &(0..self.seats).flat_map(of).collect())
    }

    fn compare_knowledge(&self) -> Result<(), Difference> {
        let seats_in = self.model.seats_in();
        for &by in &seats_in {
            for &of in &seats_in {
                if by != of {
                    let known = self.knowledge.of(Seat::new(by), Seat::new(of));
                    same("knowledge", &known, &self.both.cards(self.model.known(by, of)))?;
                }
            }
        }
        Ok(())
    }

    /// A random action, which may be illegal, is allowed by both or rejected by both, and then changes nothing.
    fn try_anything(&mut self, rng: &mut Rng) -> Result<(), Difference> {
        let rules = &self.both.rules;
        let seat = Seat::new(below(rng, (self.seats + 1).min(MAX_SEATS)));
        let hand = self.state.hand(seat);
        let action = match below(rng, 3) {
            0 if !self.legal.is_empty() => one_of(rng, &self.legal),
            1 if !hand.is_empty() => {
                let card = one_of(rng, &hand.iter().collect::<Vec<Card>>());
                let color = one_of(rng, &Color::ALL);
                let naming = Action::PlayNaming(card, color);
                one_of(rng, &[Action::Play(card), naming, Action::Protect(card), Action::DiscardAll(card)])
            }
            _ => ActionId::new(below(rng, ActionId::COUNT)).expect("below the count").action(),
        };
        let in_deck = action.card().is_none_or(|card| card.index() < rules.kinds().len());
        // The seats that an engine asks for `silent` are not part of the comparison (notation: "only when the engine asks").
        if !in_deck || action == Action::Silent {
            return Ok(());
        }
        let spoken = ActionWithCall { action, call: one_of(rng, &[Call::Silent, Call::Uno]) };
        if !self.is_allowed(seat, spoken)? {
            let mut tried = self.state;
            let refused = tried.apply_action(rules, seat, action, spoken.call, rng, &mut ()).is_err();
            same("refused, and nothing changed", &(refused, tried), &(true, self.state))?;
        }
        Ok(())
    }

    /// The next action: sometimes out of turn, otherwise one of the legal actions.
    fn choose(&self, manners: Manners, rng: &mut Rng) -> (Seat, ActionWithCall) {
        if below(rng, 4) == 0 && !self.interruptions.is_empty() {
            let (seat, action) = one_of(rng, &self.interruptions);
            return (seat, self.perhaps_called(seat, action, rng));
        }
        let seat = self.state.current_seat().expect("the round continues");
        let is_card = |action: &Action| action.card().is_some();
        let action = if manners == Manners::RathersPlay && below(rng, 8) > 0 && self.legal.iter().any(is_card) {
            one_of(rng, &self.legal.iter().copied().filter(is_card).collect::<Vec<_>>())
        } else {
            one_of(rng, &self.legal)
        };
        (seat, self.perhaps_called(seat, action, rng))
    }

    fn perhaps_called(&self, seat: Seat, action: Action, rng: &mut Rng) -> ActionWithCall {
        let may_call = self.state.is_legal(&self.both.rules, seat, action, Call::Uno);
        ActionWithCall { action, call: if may_call && below(rng, 2) == 0 { Call::Uno } else { Call::Silent } }
    }

    /// Plays to the end, or to `most` actions. Counts turns into `turns`.
    fn play(&mut self, manners: Manners, most: usize, turns: &mut u64, rng: &mut Rng) -> Result<(), Difference> {
        self.compare()?;
        let explicit = self.both.rules.features().contains(Features::EXPLICIT_CALLS);
        while !self.state.is_terminal() && self.done.len() < most {
            if below(rng, 4) == 0 {
                self.try_anything(rng)?;
            }
            let (seat, spoken) = self.choose(manners, rng);
            if explicit && below(rng, 4) == 0 {
                self.is_allowed(seat, ActionWithCall { call: Call::Uno, ..spoken })?;
            }
            *turns += u64::from(self.state.phase() == Phase::Turn);
            self.act(seat, spoken, rng)?;
            self.compare()?;
        }
        Ok(())
    }

    /// [`Round::play`], which must find no difference; `of` names the round.
    #[track_caller]
    pub fn play_alike(&mut self, of: &str, manners: Manners, most: usize, turns: &mut u64, rng: &mut Rng) {
        let start = self.model.clone();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.play(manners, most, turns, rng)));
        let difference = match outcome {
            Ok(Ok(())) => return,
            Ok(Err(Difference(text))) => text,
            Err(_) => "a panic, printed above".into(),
        };
        let mut history = String::new();
        for (seat, spoken) in &self.done {
            let _ = writeln!(history, "  seat {seat}: {}", self.both.rules.write_action(*spoken));
        }
        panic!("{difference}\nin {of}\nbegun as {}\ndone:\n{history}now {}", describe(&start), describe(&self.model));
    }
}

fn describe(model: &Model) -> String {
    format!(
        "{:?}, play to the {}, hands {:?}, discard {:?}, color {:?}, draw {:?}",
        model.decision(),
        model.direction(),
        model.hands(),
        model.discard_pile(),
        model.color(),
        model.draw_pile(),
    )
}

/// How the players choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manners {
    /// Any legal action, each equally likely: hands grow large, piles small, rounds long.
    Uniform,
    /// Mostly a card, if one can be played: rounds end.
    RathersPlay,
}
