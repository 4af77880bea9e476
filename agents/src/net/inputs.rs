//! [`Inputs`]: the net's inputs for each action of a decision, from the acting seat's view of the action's result.
//!
//! All inputs are computed from the [`Observation`] and the events that the seat has seen. Most inputs are the same for all
//! actions with the same next color in force and the same next seat. They are in a [`Shared`] list, which is summed once; an
//! action adds its own inputs, and removes the card that it plays.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::observation::{Decision, Observation};

use super::afterstate::{ActionCategory, Afterstate, Turns};
use super::decision_view::DecisionView;
use super::feature_tracker::FeatureTracker;
use super::layout::{
    ACTION, BLUFF, CHOSEN, CHOSEN_SIZE, COARSE, COLORS, FACES, FEW, FOLLOWERS, HELD, HINT, KNOWN, KindSlot, LACKS,
    LACKS_LATER, LEN, LEVELS, NAMED, OF_SLOT, PLACES, PLAYED, SEATS, SIZE, SLOTS, STUCK, STUCK_LATER, SUM, TOP, UNSEEN,
    UNSEEN_WILDS, WAIT, WILD, WILDS,
};

/// The inputs that several actions of a decision share.
#[derive(Debug, Clone, Default)]
pub struct Shared {
    key: Key,
    /// The active inputs.
    pub on: Vec<u16>,
}

/// The properties that actions must have in common to share inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Key {
    color: Option<Color>,
    turns: Turns,
    hand: Hand,
}

/// Whether the hand is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Hand {
    /// The hand before the action is shared.
    #[default]
    AsItIs,
    /// Each action adds its remaining hand.
    Changed,
}

/// The net's inputs for one action.
#[derive(Debug, Clone, Copy)]
pub struct ActionInputs {
    /// The number of its [`Shared`] list.
    pub shared: usize,
    added: (usize, usize),
    removed: (usize, usize),
}

/// The inputs for all actions of a decision. It is reused for its allocations.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    shared: Vec<Shared>,
    used: usize,
    own: Vec<ActionInputs>,
    lists: Vec<u16>,
    hint: Option<usize>,
}

impl Inputs {
    /// The inputs that several actions share.
    #[must_use]
    pub fn shared(&self) -> &[Shared] {
        &self.shared[..self.used]
    }

    /// The inputs of each action, in the order of the actions.
    #[must_use]
    pub fn own(&self) -> &[ActionInputs] {
        &self.own
    }

    /// The number of the action that `heuristic` would take, if it is one of them.
    #[must_use]
    pub const fn hint(&self) -> Option<usize> {
        self.hint
    }

    /// The inputs that an action adds.
    #[must_use]
    pub fn added(&self, own: ActionInputs) -> &[u16] {
        &self.lists[own.added.0..own.added.1]
    }

    /// The shared inputs that an action removes.
    #[must_use]
    pub fn removed(&self, own: ActionInputs) -> &[u16] {
        &self.lists[own.removed.0..own.removed.1]
    }

    /// Encodes the result of each of these actions.
    pub fn encode(&mut self, tracker: &mut FeatureTracker, observation: &Observation<'_>, actions: &[Action]) {
        let hint = tracker.hint(observation);
        let view = DecisionView::new(tracker, observation, hint);
        self.used = 0;
        self.own.clear();
        self.lists.clear();
        self.hint = None;
        for &action in actions {
            view.add(action, self);
        }
    }

    /// All active inputs for the action with this number.
    pub fn on(&self, action: usize, into: &mut Vec<u16>) {
        let own = self.own[action];
        let removed = self.removed(own);
        into.extend(self.shared[own.shared].on.iter().filter(|input| !removed.contains(input)));
        into.extend(self.added(own));
    }
}

impl DecisionView<'_> {
    fn add(&self, action: Action, into: &mut Inputs) {
        let after = self.after(action);
        let hand = self.observation.hand();
        let played = if after.what == ActionCategory::DiscardAll { None } else { action.card() };
        let is_hand_kept = match played {
            Some(card) => hand.minus(after.rest) == [card].into_iter().collect(),
            None => hand == after.rest,
        };
        let is = if is_hand_kept { Hand::AsItIs } else { Hand::Changed };
        let key = Key { color: after.color, turns: after.turns, hand: is };
        let slots = self.slots(after.color);
        let shared = into.shared[..into.used].iter().position(|shared| shared.key == key).unwrap_or_else(|| {
            if into.used == into.shared.len() {
                into.shared.push(Shared::default());
            }
            let shared = &mut into.shared[into.used];
            shared.key = key;
            shared.on.clear();
            self.look_around(key, slots, &mut shared.on);
            into.used += 1;
            into.used - 1
        });
        let begin = into.lists.len();
        if action == self.hint {
            into.lists.push(HINT.input(0));
            into.hint = Some(into.own.len());
        }
        self.own(&after, slots, &mut into.lists);
        if !is_hand_kept {
            self.held(after.rest, slots, &mut into.lists);
        }
        let end = into.lists.len();
        if is_hand_kept && let Some(card) = played {
            into.lists.extend(self.input_of_last_copy(card, slots));
        }
        into.own.push(ActionInputs { shared, added: (begin, end), removed: (end, into.lists.len()) });
    }

    /// The input that becomes inactive when one copy of a card is played; `None` if more copies remain than inputs count.
    fn input_of_last_copy(&self, card: Card, slots: [Color; 4]) -> Option<u16> {
        // Several custom cards may share one place.
        let slot = self.tracker.kind_slots.of_card(card);
        let among = self.rules.color_of(card).map_or(self.wilds(), |color| self.rules.of_color(color));
        let hand = self.observation.hand();
        let kinds = (hand.distinct() & among).iter().filter(|&kind| self.tracker.kind_slots.of_card(kind) == slot);
        let copy = (kinds.map(|kind| hand.count(kind)).sum::<u32>() as usize).checked_sub(1)?;
        match (slot, self.rules.color_of(card)) {
            (KindSlot::Face(face), Some(color)) if copy < 2 => {
                let slot = slots.iter().position(|&other| other == color)?;
                Some(HELD.input((slot * FACES + face) * 2 + copy))
            }
            (KindSlot::Wild(wild), _) if copy < 3 => Some(WILD.input(wild * 3 + copy)),
            _ => None,
        }
    }

    fn wilds(&self) -> CardSet {
        self.rules.every_kind() - self.rules.colored()
    }

    /// The cards of a hand.
    fn held(&self, hand: Cards, slots: [Color; 4], on: &mut Vec<u16>) {
        for (slot, color) in slots.into_iter().enumerate() {
            let mut others = 0;
            for card in hand.distinct() & self.rules.of_color(color) {
                let KindSlot::Face(face) = self.tracker.kind_slots.of_card(card) else { continue };
                let copies = hand.count(card) as usize;
                if face == FACES - 1 {
                    others += copies;
                    continue;
                }
                on.extend((0..copies.min(2)).map(|copy| HELD.input((slot * FACES + face) * 2 + copy)));
            }
            on.extend((0..others.min(2)).map(|copy| HELD.input((slot * FACES + FACES - 1) * 2 + copy)));
        }
        let mut numbers = [0; WILDS];
        for card in hand.distinct() & self.wilds() {
            if let KindSlot::Wild(wild) = self.tracker.kind_slots.of_card(card) {
                numbers[wild] += hand.count(card) as usize;
            }
        }
        for (wild, number) in numbers.into_iter().enumerate() {
            on.extend((0..number.min(3)).map(|copy| WILD.input(wild * 3 + copy)));
        }
    }

    /// The shared inputs.
    fn look_around(&self, key: Key, slots: [Color; 4], on: &mut Vec<u16>) {
        if key.hand == Hand::AsItIs {
            self.held(self.observation.hand(), slots, on);
        }
        on.push(WAIT.capped(key.turns.wait.into()));
        on.push(SEATS.capped(usize::from(key.turns.len) - 1));
        for (slot, color) in slots.into_iter().enumerate() {
            let of_color = self.rules.of_color(color);
            let unseen = self.unseen.len_of(of_color) as usize;
            on.push(UNSEEN.input(slot * 6 + (unseen / 4).min(5)));
            for (place, seat) in key.turns.placed() {
                let lacks = self.lacks(seat, of_color);
                match place {
                    0 => on.push(LACKS.input(slot * LEVELS + level(lacks))),
                    _ => on.push(LACKS_LATER.input(((place - 1) * SLOTS + slot) * COARSE + coarse_level(lacks))),
                }
            }
        }
        let wilds = self.unseen.len() - self.unseen.len_of(self.rules.colored());
        on.push(UNSEEN_WILDS.capped(wilds as usize));
        let mut few = [0; 2];
        let placed = key.turns.placed().count();
        for seat in key.turns.seats().skip(PLACES - 1).take(usize::from(key.turns.len) - placed) {
            if let len @ 1..=2 = self.observation.hand_len(seat) {
                few[len as usize - 1] += 1;
            }
        }
        for (which, number) in few.into_iter().enumerate() {
            on.push(FEW.input(which * 4 + number.min(3)));
        }
        let Some(next) = key.turns.seats().next() else { return };
        let seat_history = self.tracker.history.of(next);
        let named = slots.iter().position(|&color| Some(color) == seat_history.named).unwrap_or(SLOTS);
        on.push(NAMED.input(named));
        for (slot, color) in slots.into_iter().enumerate() {
            if let number @ 1.. = seat_history.played[color.index()] {
                on.push(PLAYED.input(slot * 3 + usize::from(number.min(3)) - 1));
            }
        }
        on.push(KNOWN.capped(self.observation.known_by(next).len() as usize));
    }

    /// The inputs of only this action.
    fn own(&self, after: &Afterstate, slots: [Color; 4], on: &mut Vec<u16>) {
        let rules = self.rules;
        let few = (after.len.clamp(1, 4) - 1) as usize;
        on.push(ACTION.input(after.what as usize));
        on.push(LEN.capped(after.len as usize));
        let mut colors = 0;
        for (slot, color) in slots.into_iter().enumerate() {
            let number = after.rest.len_of(rules.of_color(color)) as usize;
            colors += usize::from(number > 0);
            on.push(OF_SLOT.input(slot * 6 + number.min(5)));
        }
        on.push(COLORS.input(few * 5 + colors));
        let following = (after.rest.distinct() & after.followers).len() as usize;
        on.push(FOLLOWERS.input(few * 4 + following.min(3)));
        on.push(TOP.input(match self.tracker.kind_slots.of_card(after.top) {
            KindSlot::Face(face) => face,
            KindSlot::Wild(wild) => FACES + wild,
        }));
        for (place, seat) in after.turns.placed() {
            let hit = after.hit.filter(|&(victim, _)| victim == seat).map_or(0, |(_, cards)| cards);
            let len = self.observation.hand_len(seat) + hit;
            on.push(SIZE.input(place * 10 + size(len)));
            let stuck = level(self.lacks(seat, after.followers));
            match place {
                0 => on.push(STUCK.input((len.clamp(1, 4) as usize - 1) * LEVELS + stuck)),
                _ => on.push(STUCK_LATER.input((place - 1) * LEVELS + stuck)),
            }
        }
        if let Some(chosen) = after.chosen {
            let place = after.turns.seats().position(|seat| seat == chosen).unwrap_or(4);
            on.push(CHOSEN.capped(place));
            on.push(CHOSEN_SIZE.input(size(self.observation.hand_len(chosen))));
        }
        match self.decision {
            Decision::Challenge { by, color_before, sum } => {
                let honest = self.lacks(by, rules.of_color(color_before));
                let answer = match after.what {
                    ActionCategory::Challenge => 0,
                    ActionCategory::Accept => 1,
                    _ => 2,
                };
                on.push(BLUFF.input(answer * LEVELS + level(honest)));
                on.push(SUM.capped(usize::from(sum) / 4));
            }
            Decision::Stack(sum) => on.push(SUM.capped(usize::from(sum) / 4)),
            _ => {}
        }
    }
}

/// A probability as one of [`LEVELS`].
#[inline(always)]
fn level(chance: f64) -> usize {
    const BOUNDS: [f64; LEVELS - 1] = [0.02, 0.08, 0.18, 0.32, 0.5, 0.7, 0.9];
    BOUNDS.iter().map(|&bound| usize::from(chance >= bound)).sum()
}

#[inline(always)]
fn coarse_level(chance: f64) -> usize {
    usize::from(chance >= 0.3) + usize::from(chance >= 0.75)
}

/// The number of cards of another seat as one of ten values.
#[inline(always)]
fn size(len: u32) -> usize {
    match len {
        0..=7 => (len.max(1) - 1) as usize,
        8..=9 => 7,
        10..=13 => 8,
        _ => 9,
    }
}
