//! [`Afterstate`]: the foreseeable result of an action for its seat.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet, Face};
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::observation::Decision;
use unolab_engine::rules::{DrawTwoTarget, Group, Special};
use unolab_engine::seat::{MAX_SEATS, Seat};
use unolab_engine::state::AfterColor;

use super::decision_view::DecisionView;
use super::layout::PLACES;
use crate::next_to_act::next_to_act;

/// The seats that act after the action, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Turns {
    pub(super) others: [u8; MAX_SEATS],
    pub(super) len: u8,
    /// The number of other players who act before this seat's next turn.
    pub(super) wait: u8,
}

impl Turns {
    pub(super) fn seats(&self) -> impl ExactSizeIterator<Item = Seat> + Clone + '_ {
        self.others[..usize::from(self.len)].iter().map(|&seat| Seat::new(usize::from(seat)))
    }

    /// The seats with a separate place, by place.
    pub(super) fn placed(&self) -> impl Iterator<Item = (usize, Seat)> + '_ {
        let last = usize::from(self.len) - 1;
        self.seats().enumerate().filter_map(move |(i, seat)| match i {
            _ if i < PLACES - 1 => Some((i, seat)),
            _ if i == last => Some((PLACES - 1, seat)),
            _ => None,
        })
    }
}

/// The foreseeable result of an action.
pub(super) struct Afterstate {
    pub(super) what: ActionCategory,
    pub(super) color: Option<Color>,
    pub(super) top: Card,
    pub(super) rest: Cards,
    /// The number of cards in hand, including cards that will certainly be drawn.
    pub(super) len: u32,
    pub(super) turns: Turns,
    /// The next other seat to act, and the number of cards that it draws immediately.
    pub(super) hit: Option<(Seat, u32)>,
    pub(super) followers: CardSet,
    pub(super) chosen: Option<Seat>,
}

/// The kind of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ActionCategory {
    Play,
    PlayDrawn,
    Bluff,
    DrawThoughPlayable,
    Draw,
    KeepPlayable,
    Keep,
    Pass,
    NameColor,
    Challenge,
    Accept,
    Take,
    Swap,
    NoSwap,
    KeepHand,
    Rotate,
    Target,
    DiscardAll,
    DiscardNone,
    Protect,
    TakeStack,
    AnswerStack,
    AnswerCheese,
    AnswerDrawFour,
}

impl DecisionView<'_> {
    pub(super) fn after(&self, action: Action) -> Afterstate {
        let (observation, rules) = (self.observation, self.rules);
        let hand = observation.hand();
        let next = observation.next_seat(observation.seat());
        let mut after = Afterstate {
            what: ActionCategory::Pass,
            color: observation.color(),
            top: observation.top(),
            rest: hand,
            len: hand.len(),
            turns: self.turns_from(next, false),
            hit: None,
            followers: observation.can_follow(),
            chosen: None,
        };
        match action {
            Action::Play(card) | Action::PlayNaming(card, _) => self.play(card, action, &mut after),
            Action::DiscardAll(card) => {
                after.what = ActionCategory::DiscardAll;
                let color = rules.color_of(card);
                let discarded = color.map_or(CardSet::EMPTY, |color| rules.of_color(color));
                self.play_card(card, hand.only(rules.every_kind() - discarded), color, &mut after);
            }
            Action::Protect(card) => {
                after.what = ActionCategory::Protect;
                self.play_card(card, without(hand, card), rules.color_of(card), &mut after);
            }
            Action::Draw if matches!(self.decision, Decision::Stack(_)) => {
                after.what = ActionCategory::TakeStack;
                if let Decision::Stack(sum) = self.decision {
                    after.len += u32::from(sum);
                }
            }
            Action::Draw => {
                after.what = if self.honest.any() { ActionCategory::DrawThoughPlayable } else { ActionCategory::Draw };
                after.len += 1;
            }
            Action::Keep => {
                let is_playable = matches!(self.decision, Decision::Drawn(Some(drawn)) if self.honest.contains(drawn));
                after.what = if is_playable { ActionCategory::KeepPlayable } else { ActionCategory::Keep };
            }
            Action::NameColor(color) => {
                after.what = ActionCategory::NameColor;
                after.color = Some(color);
                after.followers = rules.can_follow(after.top, Some(color));
                if matches!(self.decision, Decision::NameColor(AfterColor::OwnTurn | AfterColor::OwnSwap)) {
                    after.turns.wait = 0;
                }
            }
            Action::Challenge => after.what = ActionCategory::Challenge,
            Action::Accept => {
                after.what = ActionCategory::Accept;
                if let Decision::Challenge { sum, .. } = self.decision {
                    after.len += u32::from(sum);
                }
            }
            Action::Take => {
                after.what = ActionCategory::Take;
                after.len += 2;
            }
            Action::Swap(seat) => {
                after.what = ActionCategory::Swap;
                after.chosen = Some(seat);
                after.rest = observation.known(seat);
                after.len = observation.hand_len(seat);
            }
            Action::NoSwap => after.what = ActionCategory::NoSwap,
            Action::KeepHand => after.what = ActionCategory::KeepHand,
            Action::Rotate => after.what = ActionCategory::Rotate,
            Action::Target(seat) => {
                after.what = ActionCategory::Target;
                after.chosen = Some(seat);
            }
            Action::DiscardNone => after.what = ActionCategory::DiscardNone,
            // The net has no input for an option; `net` answers such a choice as `heuristic` does.
            Action::Choose(_) | Action::Pass | Action::Uno | Action::Catch(_) | Action::Silent => {}
        }
        after
    }

    fn play(&self, card: Card, action: Action, after: &mut Afterstate) {
        let rules = self.rules;
        after.what = match self.decision {
            Decision::Turn | Decision::Drawn(_) if !self.honest.contains(card) => ActionCategory::Bluff,
            Decision::Drawn(_) => ActionCategory::PlayDrawn,
            Decision::Stack(_) => ActionCategory::AnswerStack,
            Decision::Cheese => ActionCategory::AnswerCheese,
            Decision::Challenge { .. } => ActionCategory::AnswerDrawFour,
            _ => ActionCategory::Play,
        };
        let color = match action {
            Action::PlayNaming(_, color) => Some(color),
            _ => rules.color_of(card).or(after.color),
        };
        self.play_card(card, without(self.observation.hand(), card), color, after);
        let next = self.observation.next_seat(self.observation.seat());
        let is_reverse = self.observation.rules().kind_table().group(Group::Reverse).contains(card);
        after.turns = self.turns_from(next_to_act(self.observation, card), is_reverse);
        let draws_two =
            rules.of_face(Face::DrawTwo).contains(card) && rules.parameters().draw_two_target == DrawTwoTarget::Next;
        if draws_two || rules.of_special(Special::CheeseTouch).contains(card) {
            after.hit = Some((next, 2));
        } else if rules.of_special(Special::WildDrawFour).contains(card) {
            after.hit = Some((next, 4));
        }
    }

    /// Puts a card on top.
    fn play_card(&self, card: Card, rest: Cards, color: Option<Color>, after: &mut Afterstate) {
        after.top = card;
        after.color = color;
        after.rest = rest;
        after.len = rest.len();
        after.followers = self.rules.can_follow(card, color);
    }

    /// The order of play from this seat on, in the direction of play or, with more than two players, in the opposite
    /// direction.
    fn turns_from(&self, first: Seat, is_reversed: bool) -> Turns {
        let mut turns = Turns::default();
        for (other, seat) in turns.others.iter_mut().zip(self.observation.others()) {
            *other = u8::try_from(seat.index()).expect("at most ten seats");
            turns.len += 1;
        }
        let others = &mut turns.others[..usize::from(turns.len)];
        if is_reversed && others.len() > 1 {
            others.reverse();
        }
        turns.wait = match others.iter().position(|&seat| usize::from(seat) == first.index()) {
            None => 0,
            Some(passed_over) => {
                others.rotate_left(passed_over);
                turns.len - u8::try_from(passed_over).expect("at most ten seats")
            }
        };
        turns
    }
}

fn without(mut hand: Cards, card: Card) -> Cards {
    hand.remove(card);
    hand
}
