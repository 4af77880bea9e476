//! The fast path through a turn, for players that always play if possible.
//!
//! Most games are played by such players: random, greedy, and rollout policies. In a turn they play a card if one is
//! playable, and otherwise draw one and play it if possible. The fast path creates neither actions nor lists of actions. It
//! has exactly the same result as these actions applied with [`RoundState::apply_action_unchecked`]; a test checks this.

use std::fmt;
use std::hint::select_unpredictable;
use std::marker::PhantomData;

use crate::action::{Action, Call};
use crate::card::{Card, CardSet};
use crate::cards::{Cards, LowPlanes};
use crate::chance::Chance;
use crate::color::Color;
use crate::cpu::isa::Isa;
use crate::event::{Event, Source};
use crate::rules::{FeatureSet, Features, Play, Rules};
use crate::seat::{Seat, SeatSet};
use crate::state::{EventSink, Phase, RoundState, Table, is_legitimate};

/// Whether a player bluffs with draw fours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bluffs {
    /// Every legal card counts as playable.
    Freely,
    /// A draw four counts as playable only if it would be honest.
    Never,
}

/// A policy that draws only if no card can be played, and always plays a playable card that it drew.
pub trait TurnPolicy {
    /// Whether it bluffs.
    const BLUFFS: Bluffs;

    /// Chooses one of these playable cards of the hand; there is at least one.
    fn pick<M: Isa>(&mut self, rules: &Rules, hand: Cards, playable: CardSet) -> Card;

    /// Chooses the color for the wild just chosen, given the rest of the hand.
    fn name(&mut self, rules: &Rules, rest: Cards) -> Color;
}

/// A policy that answers without looking at the table.
pub trait AnswerPolicy {
    /// Whether it challenges or accepts a draw four; `None` if it needs more information.
    fn answer_draw_four(&mut self, rules: &Rules) -> Option<Action>;

    /// The card that it plays as protection, one of these in its hand; `None` if it needs more information.
    fn protect<M: Isa>(&mut self, shields: CardSet) -> Option<Card>;

    /// Whether it keeps its hand on a lap or passes all hands on; `None` if it needs more information.
    fn answer_lap(&mut self) -> Option<Action>;

    /// The color that it names separately from a play; `None` if it needs more information.
    fn name_color(&mut self) -> Option<Color>;
}

/// The actions of a turn or an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FastTurn {
    /// The fast path does not support this case and did nothing. Ask for an action instead.
    Refused,
    /// One decision: a play, a draw that ended the turn, or an answer.
    OneDecision,
    /// Two decisions: a draw and the play of the drawn card.
    TwoDecisions,
}

impl FastTurn {
    /// The features that the fast path supports. It does not handle calls, jump-ins, or draws of several cards.
    const SUPPORTED: Features = Features::CHALLENGES
        .with(Features::HONEST_DRAW_FOURS_ONLY)
        .with(Features::LIMITED_DRAWING)
        .with(Features::DRAWN_MUST_BE_PLAYED)
        .with(Features::STEPS)
        .with(Features::STACKING)
        .with(Features::MISSED_TURNS);

    /// Whether the fast path supports turns under these rules.
    #[must_use]
    #[inline]
    pub fn supports(rules: &Rules) -> bool {
        Self::SUPPORTED.contains(rules.features())
    }

    /// The number of its decisions.
    #[must_use]
    #[inline]
    pub const fn decisions(self) -> u32 {
        self as u32
    }
}

/// Consecutive turns by the fast path; only if [the rules are supported](FastTurn::supports). The data for a turn is prepared
/// once for all turns.
pub struct FastTurns<'a, P, C, E>(Table<'a, P, C, E>);

impl<'a, P: FeatureSet, C: Chance, E: EventSink> FastTurns<'a, P, C, E> {
    /// Starts from this state.
    #[inline(always)]
    pub fn from(state: &'a mut RoundState, rules: &'a Rules, chance: &'a mut C, events: &'a mut E) -> Self {
        debug_assert!(FastTurn::supports(rules));
        Self(Table { state, rules, chance, events, features: PhantomData })
    }

    /// The rules in force.
    #[must_use]
    #[inline(always)]
    pub fn rules(&self) -> &'a Rules {
        self.0.rules
    }

    /// The state of the round.
    #[must_use]
    #[inline(always)]
    pub fn state(&self) -> &RoundState {
        self.0.state
    }

    /// Plays the turn of the seat to act. The round must be at the beginning of a turn.
    #[inline(always)]
    pub fn play(&mut self, player: &mut impl TurnPolicy) -> FastTurn {
        debug_assert!(self.0.state.phase == Phase::Turn);
        self.0.fast_turn(player)
    }

    /// Applies the action that `choose` returns for the seat to act, in its turn or with the card just drawn; refused if it
    /// returns none. The action must be legal.
    #[inline(always)]
    pub fn play_as(&mut self, choose: impl FnOnce(&RoundState, &mut E) -> Option<Action>) -> FastTurn {
        match choose(self.0.state, self.0.events) {
            Some(action) => {
                self.apply(action);
                FastTurn::OneDecision
            }
            None => FastTurn::Refused,
        }
    }

    /// Applies a legal action of the seat to act, in its turn or with the card just drawn.
    #[inline(always)]
    pub fn apply(&mut self, action: Action) {
        self.0.fast_action(action);
    }

    /// Answers for the seat to act in decisions that are not a turn: to a draw four, to the Villain with a card, or on a lap.
    #[inline(always)]
    pub fn answer(&mut self, player: &mut impl AnswerPolicy) -> FastTurn {
        let answer = self.0.answer_of(player);
        self.answer_as(|_, _| answer)
    }

    /// Answers with the action that `choose` returns, also to the button and on a lap; refused if it returns none. The action
    /// must be legal.
    #[inline(always)]
    pub fn answer_as(&mut self, choose: impl FnOnce(&RoundState, &mut E) -> Option<Action>) -> FastTurn {
        match choose(self.0.state, self.0.events) {
            Some(action) => {
                self.0.fast_answer(action);
                FastTurn::OneDecision
            }
            None => FastTurn::Refused,
        }
    }
}

/// The result of [`FastTurns::draw`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawResult {
    /// Whether the drawn card is playable. Otherwise, the next turn begins.
    pub is_playable: bool,
    /// The cards that the seat to act can now play: the drawn card, or the playable cards of the next seat.
    pub playable: CardSet,
}

/// A turn in steps, for code that takes one step in many rounds before the next. No seat may have passed since the last draw or play.
impl<P: FeatureSet, C: Chance> FastTurns<'_, P, C, ()> {
    /// The seat to act.
    #[must_use]
    #[inline(always)]
    pub fn seat(&self) -> Seat {
        self.0.state.to_act
    }

    /// The hand of the seat to act.
    #[must_use]
    #[inline(always)]
    pub fn hand(&self) -> Cards {
        self.0.state.hands[self.seat().index()]
    }

    /// Returns the cards that the seat to act can play: the first step.
    #[must_use]
    #[inline(always)]
    pub fn playable<A: TurnPolicy>(&self) -> CardSet {
        self.hand().distinct() & self.allowed::<A>()
    }

    /// Draws a card, if no card is playable: the second step. `None` if it did nothing, because this needs [`FastTurns::draw_any`].
    #[inline(always)]
    pub fn draw<A: TurnPolicy>(&mut self) -> Option<DrawResult> {
        let cards = self.0.state.draw_pile_len;
        (cards > 1).then(|| self.draw_by::<A>(|table, seat| Some(table.draw_from_pile(seat, cards - 1))))
    }

    /// [`FastTurns::draw`], also of the last card of the pile. `None` if the fast path does not support this case and did nothing.
    #[inline(always)]
    pub fn draw_any<A: TurnPolicy>(&mut self) -> Option<DrawResult> {
        // From an empty pile: a pass, or a reshuffle before the draw.
        (self.0.state.draw_pile_len > 0).then(|| self.draw_by::<A>(|table, seat| table.draw_one(seat)))
    }

    #[inline(always)]
    fn draw_by<A: TurnPolicy>(
        &mut self,
        draw: impl FnOnce(&mut Table<'_, P, C, ()>, Seat) -> Option<Card>,
    ) -> DrawResult {
        const { assert!(matches!(A::BLUFFS, Bluffs::Freely), "the decision not to bluff would have to be counted") };
        let seat = self.seat();
        let allowed = self.allowed::<A>();
        let drawn = draw(&mut self.0.reborrow(), seat).map_or(CardSet::EMPTY, CardSet::of) & allowed;
        let is_playable = drawn.any();
        // Without a branch, because the card is unpredictable.
        if !self.0.has(Features::MISSED_TURNS) {
            self.0.state.to_act = select_unpredictable(is_playable, seat, self.0.state.next_seat(seat));
        } else if !is_playable {
            self.0.keep(seat);
        }
        if self.0.has(Features::HONEST_DRAW_FOURS_ONLY) {
            // Whether a draw four is allowed depends on the hand.
            return DrawResult {
                is_playable,
                playable: select_unpredictable(is_playable, drawn, self.playable::<A>()),
            };
        }
        // The only playable card of the seat is the drawn one. For the next seat, the same cards are allowed.
        DrawResult { is_playable, playable: self.hand().distinct() & allowed }
    }

    /// Plays this card of the seat to act, the last step, if that leads to the next turn at once. A wild names this color. Refused
    /// if the card needs [`FastTurns::play_any`].
    #[inline(always)]
    pub fn play_plain(&mut self, card: Card, color: Color) -> FastTurn {
        debug_assert!(self.0.state.passed.is_empty());
        let (seat, tables) = (self.seat(), &self.0.rules.tables);
        match self.0.state.hands[seat.index()].low_planes_without(card) {
            Some(rest) => {
                // One lookup for wilds and other cards, because the processor mispredicts a branch.
                let color = tables.color_naming[card.index()][color.index()];
                self.0.apply_plain(seat, rest, card, color, Source::Hand);
                FastTurn::OneDecision
            }
            None => FastTurn::Refused,
        }
    }

    /// [`FastTurns::play_plain`] for any card.
    #[inline(always)]
    pub fn play_any(&mut self, card: Card, color: Color) {
        let (seat, hand, rules) = (self.seat(), self.hand(), self.0.rules);
        let named = (rules.names_color().contains(card) && !hand.is_single()).then_some(color);
        match (&rules.tables.plays[card.index()], hand.low_planes_without(card)) {
            (Play::Row(row), Some(rest)) => {
                let color = self.0.color_after(card, named);
                self.0.discard(seat, rest, card, color, Source::Hand);
                self.0.take_row_effect(seat, row);
            }
            _ => self.0.reborrow().play(seat, card, named),
        }
    }

    #[inline(always)]
    fn allowed<A: TurnPolicy>(&self) -> CardSet {
        self.0.allowed::<A>(self.hand(), self.0.state.can_follow(self.0.rules))
    }
}

impl<P, C, E> fmt::Debug for FastTurns<'_, P, C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FastTurns").field(self.0.state).finish()
    }
}

impl<P: FeatureSet, C: Chance, E: EventSink> Table<'_, P, C, E> {
    #[inline(always)]
    fn fast_turn<A: TurnPolicy>(&mut self, player: &mut A) -> FastTurn {
        let seat = self.state.to_act;
        let hand = self.state.hands[seat.index()];
        let can_follow = self.state.can_follow(self.rules);
        let allowed = self.allowed::<A>(hand, can_follow);
        let playable = hand.distinct() & allowed;
        if playable.any() {
            self.play_one_of(seat, hand, playable, Source::Hand, player);
            return FastTurn::OneDecision;
        }
        if self.state.draw_pile_len == 0 {
            return FastTurn::Refused; // a pass, or a reshuffle before the draw
        }
        self.state.passed = SeatSet::EMPTY;
        self.emit(Event::Acted { seat, action: Action::Draw, call: Call::Silent });
        self.imply_may_draw(seat);
        let drawn = self.draw_one(seat).unwrap_or(Card::new(0)); // the pile is not empty
        if allowed.contains(drawn) {
            self.state.phase = Phase::Drawn(drawn);
            let hand = self.state.hands[seat.index()];
            self.play_one_of(seat, hand, CardSet::of(drawn), Source::JustDrawn, player);
            return FastTurn::TwoDecisions;
        }
        let could_bluff =
            A::BLUFFS == Bluffs::Never && can_follow.contains(drawn) && !self.has(Features::HONEST_DRAW_FOURS_ONLY);
        if could_bluff {
            self.state.phase = Phase::Drawn(drawn);
            self.emit(Event::Acted { seat, action: Action::Keep, call: Call::Silent });
        }
        self.keep(seat);
        if could_bluff { FastTurn::TwoDecisions } else { FastTurn::OneDecision }
    }

    /// Applies a legal action of the seat to act, in its turn or with the card just drawn.
    #[inline(always)]
    fn fast_action(&mut self, action: Action) {
        let seat = self.state.to_act;
        debug_assert!(self.state.is_legal(self.rules, seat, action, Call::Silent), "seat {seat}: {action:?}");
        let (card, named) = match action {
            Action::Play(card) => (card, None),
            Action::PlayNaming(card, color) => (card, Some(color)),
            _ => {
                self.emit(Event::Acted { seat, action, call: Call::Silent });
                return match action {
                    Action::Draw => self.draw_instead_of_playing(seat),
                    Action::Keep => self.keep(seat),
                    _ => self.pass(seat),
                };
            }
        };
        let from = if self.state.phase == Phase::Turn { Source::Hand } else { Source::JustDrawn };
        self.play_from(seat, self.state.hands[seat.index()], card, named, from);
    }

    /// Plays the card of the hand that the player chooses among these.
    #[inline(always)]
    fn play_one_of<A: TurnPolicy>(&mut self, seat: Seat, hand: Cards, playable: CardSet, from: Source, player: &mut A) {
        let card = player.pick::<P::Isa>(self.rules, hand, playable);
        let may_name = self.rules.tables.sets_color[card.index()].is_none();
        let names_color = may_name && self.rules.names_color().contains(card) && !hand.is_single();
        let named = names_color.then(|| {
            let mut rest = hand;
            rest.take(card);
            player.name(self.rules, rest)
        });
        self.play_from(seat, hand, card, named, from);
    }

    /// Plays this card of the hand.
    #[inline(always)]
    fn play_from(&mut self, seat: Seat, hand: Cards, card: Card, named: Option<Color>, from: Source) {
        let action = named.map_or(Action::Play(card), |color| Action::PlayNaming(card, color));
        self.emit(Event::Acted { seat, action, call: Call::Silent });
        match hand.low_planes_without(card) {
            Some(rest) if self.rules.tables.plain.contains(card) => {
                self.state.passed = SeatSet::EMPTY;
                let color = self.rules.tables.sets_color[card.index()].or(named);
                self.apply_plain(seat, rest, card, color, from);
            }
            _ => self.reborrow().play(seat, card, named),
        }
    }

    /// Plays a plain card of the hand, of which `rest` remains. This color is then in force.
    #[inline(always)]
    fn apply_plain(&mut self, seat: Seat, rest: LowPlanes, card: Card, color: Option<Color>, from: Source) {
        let change = self.rules.tables.plain_changes[card.index() + self.state.ring.seats() as usize];
        self.discard(seat, rest, card, color, from);
        let (next, direction) = self.state.ring.turn_after(seat, self.state.direction, change);
        self.state.direction = direction;
        self.state.to_act = if self.has(Features::MISSED_TURNS) { self.pass_over_missed_turns(next) } else { next };
        if from == Source::JustDrawn {
            self.state.phase = Phase::Turn;
        }
    }

    #[inline(always)]
    fn discard(&mut self, seat: Seat, rest: LowPlanes, card: Card, color: Option<Color>, from: Source) {
        self.state.hands[seat.index()].set_low_planes(rest);
        self.place_on_top(card, color);
        self.emit(Event::Discarded { seat, card, from });
    }

    #[inline(always)]
    fn answer_of<A: AnswerPolicy>(&self, player: &mut A) -> Option<Action> {
        match self.state.phase {
            Phase::Challenge(_) => player.answer_draw_four(self.rules),
            Phase::Protect(protection) => {
                let hand = self.state.hands[self.state.to_act.index()];
                let shields = hand.distinct() & self.rules.of_color(protection.color);
                player.protect::<P::Isa>(shields).map(Action::Protect)
            }
            Phase::Lap(_) => player.answer_lap(),
            Phase::NameColor(_) => player.name_color().map(Action::NameColor),
            _ => None,
        }
    }

    /// Applies a legal answer of the seat to act: to a draw four, to the Villain, to the button, or on a lap.
    #[inline(always)]
    fn fast_answer(&mut self, action: Action) {
        let seat = self.state.to_act;
        debug_assert!(self.state.is_legal(self.rules, seat, action, Call::Silent), "seat {seat}: {action:?}");
        self.emit(Event::Acted { seat, action, call: Call::Silent });
        match action {
            Action::Protect(card) => self.reborrow().protect(seat, card),
            Action::Challenge => self.reborrow().challenge(seat),
            Action::Target(victim) => self.reborrow().target(seat, victim),
            Action::DiscardAll(top) => self.reborrow().discard_all(seat, top),
            Action::Rotate => self.reborrow().rotate_lap(seat),
            Action::KeepHand => self.reborrow().end_lap(seat),
            Action::NameColor(color) => self.reborrow().name_color(seat, color),
            Action::DiscardNone => self.reborrow().discard_none(seat),
            _ => self.reborrow().accept(seat),
        }
    }

    /// The cards that this player would play from this hand if it held all cards that can follow.
    #[inline(always)]
    fn allowed<A: TurnPolicy>(&self, hand: Cards, can_follow: CardSet) -> CardSet {
        // Without a branch, because a hand is unpredictable.
        select_unpredictable(self.may_play_draw_fours::<A>(hand), can_follow, can_follow - self.rules.draw_fours())
    }

    /// Whether this player would play draw fours from this hand, if it had any.
    #[inline(always)]
    fn may_play_draw_fours<A: TurnPolicy>(&self, hand: Cards) -> bool {
        let honest_only = A::BLUFFS == Bluffs::Never || self.has(Features::HONEST_DRAW_FOURS_ONLY);
        !honest_only || is_legitimate(self.rules, hand.distinct(), self.state.match_row, self.state.color)
    }
}
