//! The short way through a turn, for players who play whenever something can be played.
//!
//! The bulk of all games is played by such players: random ones, greedy ones, the policies of rollouts. Their turn is
//! one straight line: draw if nothing fits, play if something does now. No action is made only to be taken apart again,
//! and no list of them. It does exactly what the same actions do one by one through [`RoundState::apply_action`]; a test
//! holds that.

use std::fmt;
use std::marker::PhantomData;

use super::Profile;
use super::play::Table;
use super::{Phase, RoundState};
use crate::action::{Action, Call};
use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::chance::Chance;
use crate::color::Color;
use crate::event::{Event, Events, Source};
use crate::machine::Machine;
use crate::rules::{Features, Play, Rules};
use crate::seat::SeatSet;

/// Whether a player bluffs with draw fours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bluffs {
    /// Whatever is legal counts as playable.
    Freely,
    /// A draw four counts as playable only where it may honestly be played.
    Never,
}

/// Draws only if nothing can be played, and always plays a drawn card that can be.
pub trait EagerPlayer {
    /// Whether it bluffs.
    const BLUFFS: Bluffs;

    /// Which of these cards of the hand it plays; there is at least one.
    fn pick<M: Machine>(&mut self, rules: &Rules, hand: Cards, playable: CardSet) -> Card;

    /// Which colour it names with the wild that it has just picked, for the rest of its hand.
    fn name(&mut self, rules: &Rules, rest: Cards) -> Color;
}

/// What a turn consisted of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EagerTurn {
    /// One decision: a play, or a draw that ended the turn.
    OneDecision,
    /// Two: a draw and the play of the drawn card.
    TwoDecisions,
    /// Not possible here; nothing was done. Ask for an action instead.
    Refused,
}

impl RoundState {
    /// Can turns under these rules be played the short way at all?
    #[must_use]
    pub fn allows_eager_turns(rules: &Rules) -> bool {
        let asks_more = [Features::EXPLICIT_CALLS, Features::JUMP_IN, Features::DRAWS_UNTIL_PLAYABLE];
        !asks_more.into_iter().any(|feature| rules.features().contains(feature))
    }
}

/// Turns in a row by the short way; only where [`RoundState::allows_eager_turns`]. What a turn needs is put together once
/// for all of them.
pub struct EagerTurns<'a, P, C, E>(Table<'a, P, C, E>);

impl<'a, P: Profile, C: Chance, E: Events> EagerTurns<'a, P, C, E> {
    /// From this state on.
    #[inline(always)]
    pub fn from(state: &'a mut RoundState, rules: &'a Rules, chance: &'a mut C, events: &'a mut E) -> Self {
        debug_assert!(RoundState::allows_eager_turns(rules));
        Self(Table { state, rules, chance, events, profile: PhantomData })
    }

    /// How the round stands.
    #[must_use]
    #[inline(always)]
    pub fn state(&self) -> &RoundState {
        self.0.state
    }

    /// Plays the turn of the seat to act. Only in the phase of a turn.
    #[inline(always)]
    pub fn play(&mut self, player: &mut impl EagerPlayer) -> EagerTurn {
        debug_assert!(self.0.state.phase == Phase::Turn);
        self.0.eager_turn(player)
    }
}

impl<P, C, E> fmt::Debug for EagerTurns<'_, P, C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EagerTurns").field(self.0.state).finish()
    }
}

impl<P: Profile, C: Chance, E: Events> Table<'_, P, C, E> {
    #[inline(always)]
    fn eager_turn<A: EagerPlayer>(&mut self, player: &mut A) -> EagerTurn {
        let seat = self.state.to_act;
        let mut hand = self.state.hands[seat.index()];
        let can_follow = self.eager_can_follow::<A>(hand);
        let mut playable = hand.distinct() & can_follow;
        let mut turn = EagerTurn::OneDecision;
        let mut from = Source::Hand;
        if playable.is_empty() {
            if self.state.draw_pile_len == 0 {
                return EagerTurn::Refused; // a pass, or a reshuffle first
            }
            self.state.passed = SeatSet::EMPTY;
            self.tell(Event::Acted { seat, action: Action::Draw, call: Call::Silent });
            let drawn = self.draw_one(seat).unwrap_or(Card::new(0)); // the pile is not empty
            playable = CardSet::of(drawn) & can_follow;
            if playable.is_empty() {
                let may_bluff = A::BLUFFS == Bluffs::Never
                    && self.state.playable_among::<P>(self.rules, seat, CardSet::of(drawn)).any();
                if may_bluff {
                    self.state.phase = Phase::Drawn(drawn);
                    self.tell(Event::Acted { seat, action: Action::Keep, call: Call::Silent });
                    turn = EagerTurn::TwoDecisions;
                }
                self.begin_turn_after(seat);
                return turn;
            }
            self.state.phase = Phase::Drawn(drawn);
            turn = EagerTurn::TwoDecisions;
            from = Source::JustDrawn;
            hand = self.state.hands[seat.index()];
        }

        let card = player.pick::<P::Machine>(self.rules, hand, playable);
        hand.take(card);
        let is_last = hand.is_empty();
        let names_color = self.rules.names_color().contains(card) && !is_last;
        let named = if names_color { Some(player.name(self.rules, hand)) } else { None };
        let action = named.map_or(Action::Play(card), |color| Action::PlayNaming(card, color));
        self.tell(Event::Acted { seat, action, call: Call::Silent });
        let is_row = matches!(self.rules.tables.plays[card.index()], Play::Row { .. });
        if is_row && !is_last {
            self.state.passed = SeatSet::EMPTY;
            self.state.hands[seat.index()] = hand;
            self.lay(card, named);
            self.tell(Event::Discarded { seat, card, from });
            self.take_row_effect(seat, card);
        } else {
            self.play(seat, card, named);
        }
        turn
    }

    /// What this player would play from this hand, were it there.
    #[inline(always)]
    fn eager_can_follow<A: EagerPlayer>(&self, hand: Cards) -> CardSet {
        let can_follow = self.state.can_follow(self.rules);
        let honest_only = A::BLUFFS == Bluffs::Never || self.has(Features::HONEST_DRAW_FOURS_ONLY);
        if !honest_only {
            return can_follow;
        }
        let color = self.state.color.unwrap_or(Color::Red);
        let honest = super::legal::is_honest(self.rules, hand.distinct(), usize::from(self.state.followed), color);
        if honest { can_follow } else { can_follow - self.rules.draw_fours() }
    }
}
