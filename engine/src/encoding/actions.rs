//! [`ActionTable`]: the possible actions of a variant, numbered without gaps.

use crate::action::{Action, ActionId};
use crate::card::{Card, CardSet, Face, MAX_KINDS};
use crate::notation::ActionWithCall;
use crate::rules::{Features, Rules, Special, StartDrawTwo, Step};
use crate::seat::Seat;

/// The actions that can be legal in a variant with a given number of players, in the order of their [`ActionId`]s. Their
/// positions are the ids of an [`Encoding`](super::Encoding).
#[derive(Debug, Clone)]
pub struct ActionTable {
    actions: Vec<Action>,
    /// By [`ActionId`]: the position, or [`NOWHERE`].
    places: Box<[i16; ActionId::COUNT]>,
    /// By kind: the position of its play. If it names a color, the four plays with a color follow.
    pub(super) plays: [i16; MAX_KINDS],
    pub(super) names_color: CardSet,
    pub(super) draw: i16,
}

/// The action is not in the table.
const NOWHERE: i16 = -1;

impl ActionTable {
    /// The actions of these rules.
    pub(super) fn new(rules: &Rules, seats: usize) -> Self {
        let possible = PossibleActions::of(rules, seats);
        let actions: Vec<Action> = ActionId::all().map(ActionId::action).filter(|&it| possible.action(it)).collect();
        let mut places = Box::new([NOWHERE; ActionId::COUNT]);
        for (place, action) in (0..).zip(&actions) {
            places[action.id().index()] = place;
        }
        let place = |action: Action| places[action.id().index()];
        let mut plays = [NOWHERE; MAX_KINDS];
        rules.cards().for_each(|card| plays[card.index()] = place(Action::Play(card)));
        let draw = place(Action::Draw);
        Self { actions, places, plays, names_color: rules.names_color(), draw }
    }

    /// The number of actions.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.actions.len()
    }

    /// Always false: drawing is always among the actions.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// The action with this id, if there is one.
    #[must_use]
    #[inline]
    pub fn action(&self, id: usize) -> Option<Action> {
        self.actions.get(id).copied()
    }

    /// The actions, in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Action> + '_ {
        self.actions.iter().copied()
    }

    /// The id of this action; `None` if it cannot be legal in this variant.
    #[must_use]
    #[inline]
    pub fn id(&self, action: Action) -> Option<usize> {
        usize::try_from(self.places[action.id().index()]).ok()
    }

    /// Every action in the notation, by its id.
    #[must_use]
    pub fn names(&self, rules: &Rules) -> Vec<String> {
        self.actions.iter().map(|&action| rules.write_action(ActionWithCall::from(action))).collect()
    }
}

/// The possible actions under these rules.
struct PossibleActions<'a> {
    rules: &'a Rules,
    seats: usize,
    challenge: bool,
    cheese: bool,
    swap: bool,
    lap: bool,
    target: bool,
    discard_all: bool,
    protect: bool,
    /// The most options of a choice.
    options: usize,
}

impl<'a> PossibleActions<'a> {
    fn of(rules: &'a Rules, seats: usize) -> Self {
        let has = |special| rules.of_special(special).any();
        let any_step = |is_it: fn(Step) -> bool| rules.tables.steps.iter().any(|&step| is_it(step));
        Self {
            rules,
            seats,
            challenge: rules.features().contains(Features::CHALLENGES),
            cheese: has(Special::CheeseTouch),
            swap: has(Special::SwapHands) || any_step(|step| matches!(step, Step::SwapHands(_))),
            lap: has(Special::VictoryLap),
            target: any_step(|step| step == Step::ButtonDrawTwo || step.needs_target())
                || (rules.parameters().start_draw_two == StartDrawTwo::Tinker && rules.of_face(Face::DrawTwo).any()),
            discard_all: has(Special::DiscardAll),
            protect: has(Special::VillainDrawFour),
            options: rules.most_options(),
        }
    }

    fn action(&self, action: Action) -> bool {
        let is_kind = |card: Card| card.index() < self.rules.kinds().len();
        let is_colored = |card: Card| is_kind(card) && self.rules.colored().contains(card);
        let is_seat = |seat: Seat| seat.index() < self.seats;
        let may_call = self.rules.features().contains(Features::EXPLICIT_CALLS);
        match action {
            Action::Play(card) => is_kind(card),
            Action::PlayNaming(card, _) => is_kind(card) && self.rules.names_color().contains(card),
            Action::Draw | Action::Keep | Action::Pass | Action::NameColor(_) => true,
            Action::Challenge | Action::Accept => self.challenge,
            Action::Take => self.cheese,
            Action::Swap(seat) => self.swap && is_seat(seat),
            Action::NoSwap => self.swap,
            Action::KeepHand | Action::Rotate => self.lap,
            Action::Target(seat) => self.target && is_seat(seat),
            Action::DiscardAll(card) => self.discard_all && is_colored(card),
            Action::DiscardNone => self.discard_all,
            Action::Protect(card) => self.protect && is_colored(card),
            Action::Choose(option) => option.index() < self.options,
            Action::Uno => may_call,
            Action::Catch(seat) => may_call && is_seat(seat),
            Action::Silent => may_call || self.rules.features().contains(Features::JUMP_IN),
        }
    }
}
