//! `mixbot`: the strongest published bot that we found. It uses ranks, limits for wilds, preferred colors, and card counting as the
//! last tie-break. Comments quote the sentences of its definition.

mod candidates;

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::color::Color;
use unolab_engine::cpu::{Isa, Kernel, dispatch};
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Group::{self, DrawFour, DrawTwo, Number, Reverse, Skip, Wild};
use unolab_engine::rules::{KindTable, Rules};
use unolab_engine::seat::Seat;

use crate::agent::{Agent, EventSubscription};
use crate::choices::{color_counts, draw_or_what_is_left, highest_ranked, may_keep, most_frequent_color, play_naming};
use crate::heuristic;
use crate::in_turn::TurnDecision;
use crate::next_to_act::next_to_act;
use crate::possible::{PossibleCards, PossibleHand};
use candidates::{ANY, Candidate, Candidates, NAMELESS, NAMES_OF_PLAYS};

/// "Draw two 6, skip 5 (and reverse with two players), number 4, reverse 3, draw four 2, wild 1."
const RANKING: [&[Group]; 6] = [&[DrawTwo], &[Skip], &[Number], &[Reverse], &[DrawFour], &[Wild]];
const RANKING_OF_TWO: [&[Group]; 5] = [&[DrawTwo], &[Skip, Reverse], &[Number], &[DrawFour], &[Wild]];
/// "Draw two 6, draw four 5, skip 4, reverse 3, number 2, wild 1."
const ENDGAME_RANKING: [&[Group]; 6] = [&[DrawTwo], &[DrawFour], &[Skip], &[Reverse], &[Number], &[Wild]];

/// The groups of cards, highest rank first.
pub(crate) const fn ranking(is_endgame: bool, is_two_seats: bool) -> &'static [&'static [Group]] {
    match (is_endgame, is_two_seats) {
        (true, _) => &ENDGAME_RANKING,
        (false, true) => &RANKING_OF_TWO,
        (false, false) => &RANKING,
    }
}

/// Whether the last tie-break counts cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// They do.
    On,
    /// They do not.
    Off,
}

/// Plays by rank within limits; see the module.
#[derive(Debug, Clone)]
pub struct MixBot {
    counting: Counting,
    rng: Rng,
    /// Its own bounds, if it receives the events and does not read the table's bounds.
    possible: Option<Box<PossibleCards>>,
}

impl MixBot {
    /// An agent with its own stream.
    #[must_use]
    pub const fn new(counting: Counting, rng: Rng) -> Self {
        Self { counting, rng, possible: None }
    }

    /// Whether it counts cards.
    pub(crate) const fn counts(&self) -> bool {
        matches!(self.counting, Counting::On)
    }

    /// The same choice by bounds that the caller maintains; `None` if it does not count cards.
    pub(crate) fn choose_by(&mut self, observation: &Observation<'_>, possible: Option<&PossibleCards>) -> Action {
        dispatch(self.choice(observation, possible))
    }

    /// The same in a turn, also with the card just drawn; compiled for this instruction set.
    #[inline(always)]
    pub(crate) fn choose_in_turn<M: Isa>(&mut self, turn: &TurnDecision<'_>, possible: &PossibleCards) -> Action {
        if let Some(drawn) = turn.drawn {
            return self.choice(turn.observation, Some(possible)).choose_drawn(drawn);
        }
        let playable = turn.observation.legitimate_among(turn.plays);
        if playable.is_empty() {
            return turn.draw_or_what_is_left();
        }
        let obvious = self.choice(turn.observation, Some(possible)).obvious_play(playable);
        obvious.unwrap_or_else(|| M::outline(|| self.choice(turn.observation, Some(possible)).choose_play(playable)))
    }

    #[inline(always)]
    fn choice<'a>(&'a mut self, observation: &'a Observation<'a>, possible: Option<&'a PossibleCards>) -> Choice<'a> {
        let rules = observation.rules();
        Choice { observation, rules, kinds: rules.kind_table(), rng: &mut self.rng, possible }
    }
}

/// A choice, compiled for this instruction set because it counts bits.
struct Choice<'a> {
    observation: &'a Observation<'a>,
    rules: &'a Rules,
    kinds: &'a KindTable,
    rng: &'a mut Rng,
    possible: Option<&'a PossibleCards>,
}

impl Kernel for Choice<'_> {
    type Output = Action;
    #[inline(always)]
    fn run<M: Isa>(mut self) -> Action {
        match self.observation.decision() {
            Decision::Drawn(Some(drawn)) => self.choose_drawn(drawn),
            Decision::NameColor(_) => {
                Action::NameColor(most_frequent_color(self.rules, self.observation.hand(), self.rng))
            }
            Decision::Turn => {
                let playable = self.observation.legitimately_playable();
                match self.obvious_play(playable) {
                    Some(action) => action,
                    None => self.choose_play(playable),
                }
            }
            _ => heuristic::choose(self.observation),
        }
    }
}

impl Choice<'_> {
    /// The action, if neither limits nor ranks matter.
    #[inline(always)]
    fn obvious_play(&self, playable: CardSet) -> Option<Action> {
        let Some(first) = playable.first() else { return Some(draw_or_what_is_left(self.observation)) };
        let with_limits = self.kinds.group(Wild) | self.kinds.group(DrawFour) | self.rules.names_color();
        (playable == CardSet::of(first) && !with_limits.contains(first)).then_some(Action::Play(first))
    }

    #[inline(always)]
    fn choose_play(&mut self, playable: CardSet) -> Action {
        let observation = self.observation;
        let is_endgame = observation.holds_one_card(observation.next_seat(observation.seat()));
        // "Limits, outside the endgame"; they do not apply if drawing is not allowed.
        let mut within_limits = if is_endgame { playable } else { self.within_limits(playable) };
        if within_limits != playable && !observation.may_draw() {
            within_limits = playable;
        }
        if within_limits.is_empty() {
            return Action::Draw; // "even though something could be played"
        }
        // Each ranking on a separate line, so that it is known at compile time.
        let highest = match (is_endgame, observation.is_two_seats()) {
            (true, _) => highest_ranked(self.rules, &ENDGAME_RANKING, within_limits),
            (false, true) => highest_ranked(self.rules, &RANKING_OF_TWO, within_limits),
            (false, false) => highest_ranked(self.rules, &RANKING, within_limits),
        };
        let Candidate { card, names } = self.best_of_rank(highest);
        match names {
            Some(color) => Action::PlayNaming(card, color),
            None => Action::Play(card),
        }
    }

    /// "A wild may be played only with at most 2 colored cards in hand, a draw four with at most 4."
    #[inline(always)]
    fn within_limits(&self, playable: CardSet) -> CardSet {
        let (wilds, draw_fours) = (self.kinds.group(Wild), self.kinds.group(DrawFour));
        if (playable & (wilds | draw_fours)).is_empty() {
            return playable;
        }
        match self.observation.hand_in_turn().len_of(self.rules.colored()) {
            0..=2 => playable,
            3 | 4 => playable - wilds,
            _ => playable - wilds - draw_fours,
        }
    }

    /// Among cards of equal rank: preferred color, then counting score, then chance.
    #[inline(always)]
    fn best_of_rank(&mut self, cards: CardSet) -> Candidate {
        let naming =
            if self.observation.hand_in_turn().is_single() { CardSet::EMPTY } else { self.rules.names_color() };
        let nameless = cards - naming;
        if cards == nameless {
            return match cards.first() {
                Some(card) if cards == CardSet::of(card) => Candidate { card, names: None },
                _ => self.best_of(Candidates::<NAMELESS>::of(cards, naming), nameless),
            };
        }
        self.best_of(Candidates::<ANY>::of(cards, naming), nameless)
    }

    /// The best of these candidates, some of which do not name a color.
    #[inline(always)]
    fn best_of<const NAMES: usize>(&mut self, mut candidates: Candidates<NAMES>, nameless: CardSet) -> Candidate {
        if !self.are_of_one_color(nameless, candidates.cards()) {
            candidates = self.preferred(candidates);
        }
        if let Some(possible) = self.possible
            && candidates.len() > 1
        {
            candidates = self.highest(candidates, possible);
        }
        candidates.nth(self.rng.choice(candidates.len()))
    }

    /// Whether none of these cards names a color and all have the same color. The preferred colors are then irrelevant.
    #[inline(always)]
    fn are_of_one_color(&self, nameless: CardSet, cards: CardSet) -> bool {
        let color = nameless.first().and_then(|first| self.rules.color_of(first));
        color.is_some_and(|color| (cards - (nameless & self.rules.of_color(color))).is_empty())
    }

    /// The candidates that have or name a preferred color; all candidates if there are none.
    #[inline(always)]
    fn preferred<const NAMES: usize>(&self, candidates: Candidates<NAMES>) -> Candidates<NAMES> {
        let counts = color_counts(self.rules, self.observation.hand_in_turn());
        let most = counts[0].max(counts[1]).max(counts[2]).max(counts[3]);
        let (mut are_most_frequent, mut are_good_to_name) = ([false; 4], [false; 4]);
        for color in Color::ALL {
            let count = counts[color.index()];
            are_most_frequent[color.index()] = count == most; // "all that tie"
            // "A color held at least (most frequent count − 1) times and at least once (any, if no colored card is held)."
            are_good_to_name[color.index()] = most == 0 || count >= 1 && count + 1 >= most;
        }
        candidates.preferred(self.rules, are_most_frequent, are_good_to_name)
    }

    /// "The counting score": all candidates with the highest score.
    #[inline(always)]
    fn highest<const NAMES: usize>(
        &self,
        candidates: Candidates<NAMES>,
        possible: &PossibleCards,
    ) -> Candidates<NAMES> {
        let first = candidates.cards().first().expect("a candidate");
        let to_act = next_to_act(self.observation, first);
        let hand = self.possible_hand(possible, to_act);
        let (mut tied, mut highest) = (Candidates::NONE, 0.0);
        for (i, names) in NAMES_OF_PLAYS.into_iter().take(NAMES).enumerate() {
            for card in candidates.0[i] {
                let followers = self.followers(card, names);
                let score = match next_to_act(self.observation, card) {
                    seat if seat == self.observation.seat() => self.score_of_own_turn(card, followers),
                    seat if seat == to_act => hand.chance_to_follow_nothing(followers),
                    seat => self.possible_hand(possible, seat).chance_to_follow_nothing(followers),
                };
                if score > highest {
                    (tied, highest) = (Candidates::NONE, score);
                }
                if score >= highest {
                    tied.0[i] |= CardSet::of(card);
                }
            }
        }
        tied
    }

    #[inline(always)]
    fn possible_hand(&self, possible: &PossibleCards, seat: Seat) -> PossibleHand {
        possible
            .for_hand(self.observation.seat(), self.observation.hand_in_turn())
            .hand_of(seat, self.observation.hand_len(seat))
    }

    /// The cards that can follow this play.
    #[inline(always)]
    fn followers(&self, card: Card, names: Option<Color>) -> CardSet {
        let color = names.or(self.rules.color_of(card)).or(self.observation.color());
        self.rules.can_follow(card, color)
    }

    /// The counting score of a play that keeps the turn.
    #[inline(always)]
    fn score_of_own_turn(&self, card: Card, followers: CardSet) -> f64 {
        let mut rest = self.observation.hand_in_turn();
        rest.take(card);
        if (rest.distinct() & followers).any() { 0.0 } else { 1.0 }
    }

    /// "A drawn playable card is played, a drawn wild or draw four only if the hand with it holds at most 2 cards."
    #[inline(always)]
    fn choose_drawn(&mut self, drawn: Card) -> Action {
        let observation = self.observation;
        let limited = self.kinds.group(Wild) | self.kinds.group(DrawFour);
        let is_over_limit = limited.contains(drawn) && observation.hand_in_turn().len() > 2;
        let is_bluff = !observation.legitimately_playable().contains(drawn);
        if (is_over_limit || is_bluff) && may_keep(observation, drawn) {
            return Action::Keep;
        }
        play_naming(observation, drawn, |rest| most_frequent_color(self.rules, rest, self.rng))
    }
}

impl Agent for MixBot {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        if !self.counts() {
            return self.choose_by(observation, None);
        }
        let mut possible = self.possible.take().unwrap_or_default();
        possible.settle(observation);
        let action = self.choose_by(observation, Some(&possible));
        self.possible = Some(possible);
        action
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        if self.counts() {
            self.possible.get_or_insert_default().begin(observation);
        }
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        if self.counts() {
            self.possible.get_or_insert_default().observe(seen, observation);
        }
    }

    fn subscription(&self) -> EventSubscription {
        if self.counts() { EventSubscription::Events } else { EventSubscription::Nothing }
    }
}
