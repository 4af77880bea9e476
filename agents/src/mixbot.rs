//! `mixbot`: the best published rule-based player. It uses ranks, limits for wilds, preferred colours, and card counting as the
//! last tie-break. Comments quote the sentences of its definition.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::color::Color;
use unolab_engine::event::Seen;
use unolab_engine::fast::{Isa, Kernel, dispatch};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;

use crate::agent::{Agent, EventSubscription};
use crate::choices::{color_counts, draw_or_what_is_left, highest_ranked, may_keep, most_frequent_color, play_naming};
use crate::heuristic;
use crate::kinds::Group::{self, DrawFour, DrawTwo, Number, Reverse, Skip, Wild};
use crate::kinds::KindTable;
use crate::possible::{PossibleCards, PossibleHand};

/// "Draw two 6, skip 5 (and reverse with two players), number 4, reverse 3, draw four 2, wild 1."
const RANKING: [&[Group]; 6] = [&[DrawTwo], &[Skip], &[Number], &[Reverse], &[DrawFour], &[Wild]];
const RANKING_OF_TWO: [&[Group]; 5] = [&[DrawTwo], &[Skip, Reverse], &[Number], &[DrawFour], &[Wild]];
/// "Draw two 6, draw four 5, skip 4, reverse 3, number 2, wild 1."
const ENDGAME_RANKING: [&[Group]; 6] = [&[DrawTwo], &[DrawFour], &[Skip], &[Reverse], &[Number], &[Wild]];

/// The groups of cards, those to be played first at the beginning.
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
    /// It does.
    On,
    /// It is left out.
    Off,
}

/// Plays by rank within limits; see the module.
#[derive(Debug)]
pub struct MixBot {
    counting: Counting,
    kinds: KindTable,
    rng: Rng,
    /// Its own bounds, if it receives the events and does not read those of a table.
    possible: Option<Box<PossibleCards>>,
    /// Room for the candidates of a turn.
    candidates: Vec<Candidate>,
}

/// "Distinct playable cards within limits, each wild once for every colour."
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    card: Card,
    /// The colour it names with the play, if it names one.
    names: Option<Color>,
}

impl Clone for MixBot {
    fn clone(&self) -> Self {
        let Self { counting, kinds, rng, possible, candidates: _ } = self;
        let (kinds, rng, possible) = (kinds.clone(), rng.clone(), possible.clone());
        Self { counting: *counting, kinds, rng, possible, candidates: Vec::new() }
    }

    /// Rollouts do this all the time; the room for candidates is kept.
    fn clone_from(&mut self, source: &Self) {
        self.counting = source.counting;
        self.kinds.clone_from(&source.kinds);
        self.rng.clone_from(&source.rng);
        self.possible.clone_from(&source.possible);
    }
}

impl MixBot {
    /// An agent with its own stream.
    #[must_use]
    pub fn new(counting: Counting, rules: &Rules, rng: Rng) -> Self {
        Self { counting, kinds: KindTable::of(rules), rng, possible: None, candidates: Vec::new() }
    }

    /// Does it count cards?
    pub(crate) const fn counts(&self) -> bool {
        matches!(self.counting, Counting::On)
    }

    /// The same choice by bounds that somebody else keeps; none, if it does not count.
    pub(crate) fn choose_by(&mut self, observation: &Observation<'_>, possible: Option<&PossibleCards>) -> Action {
        dispatch(self.choice(observation, possible))
    }

    /// The same in a turn, perhaps with the card just drawn, within code that is compiled for this processor.
    #[inline(always)]
    pub(crate) fn choose_in_turn<M: Isa>(
        &mut self,
        observation: &Observation<'_>,
        drawn: Option<Card>,
        possible: &PossibleCards,
    ) -> Action {
        let mut choice = self.choice(observation, Some(possible));
        match drawn {
            Some(drawn) => choice.choose_drawn(drawn),
            None => M::outline(|| choice.choose_turn()),
        }
    }

    #[inline(always)]
    fn choice<'a>(
        &'a mut self,
        observation: &'a Observation<'a>,
        possible: Option<&'a PossibleCards>,
    ) -> Choice<'a> {
        let Self { kinds, rng, candidates, .. } = self;
        Choice { observation, rules: observation.rules(), kinds, rng, possible, candidates }
    }
}

/// To choose, by the code for this machine: cards are counted.
struct Choice<'a> {
    observation: &'a Observation<'a>,
    rules: &'a Rules,
    kinds: &'a KindTable,
    rng: &'a mut Rng,
    possible: Option<&'a PossibleCards>,
    candidates: &'a mut Vec<Candidate>,
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
            Decision::Turn => self.choose_turn(),
            _ => heuristic::choose(self.observation),
        }
    }
}

impl Choice<'_> {
    #[inline(always)]
    fn choose_turn(&mut self) -> Action {
        let observation = self.observation;
        let playable = observation.honestly_playable();
        if playable.is_empty() {
            return draw_or_what_is_left(observation);
        }
        let is_endgame = observation.hand_len(observation.next_seat(observation.seat())) == 1;
        // "Limits, outside the endgame"; and where drawing is not allowed, they do not apply.
        let within_limits = if is_endgame || !observation.may_draw() { playable } else { self.within_limits(playable) };
        if within_limits.is_empty() {
            return Action::Draw; // "even though something could be played"
        }
        let ranking = ranking(is_endgame, observation.is_two_seats());
        let highest = highest_ranked(self.kinds, ranking, within_limits);
        let Candidate { card, names } = self.best_of_rank(highest);
        match names {
            Some(color) => Action::PlayNaming(card, color),
            None => Action::Play(card),
        }
    }

    /// "A wild may be played only with at most 2 coloured cards in hand, a draw four with at most 4."
    #[inline(always)]
    fn within_limits(&self, playable: CardSet) -> CardSet {
        let colored = self.observation.hand().len_of(self.rules.colored());
        let mut within = playable;
        if colored > 2 {
            within = within - self.kinds.group(Wild);
        }
        if colored > 4 {
            within = within - self.kinds.group(DrawFour);
        }
        within
    }

    /// Among cards of equal rank: preferred colour, then counting score, then chance.
    #[inline(always)]
    fn best_of_rank(&mut self, cards: CardSet) -> Candidate {
        let naming = if self.observation.hand().is_single() { CardSet::EMPTY } else { self.rules.names_color() };
        if let Some(card) = cards.first()
            && cards == CardSet::of(card)
            && !naming.contains(card)
        {
            return Candidate { card, names: None };
        }
        self.list_candidates(cards, naming);
        if let Some(possible) = self.possible
            && self.candidates.len() > 1
        {
            self.keep_the_highest(possible);
        }
        let number = u32::try_from(self.candidates.len()).expect("a few");
        self.candidates[self.rng.choice(number) as usize]
    }

    /// Those of a preferred colour, or with one; all, if there are none.
    #[inline(always)]
    fn list_candidates(&mut self, cards: CardSet, naming: CardSet) {
        let counts = color_counts(self.rules, self.observation.hand());
        let most = counts.into_iter().fold(0, u32::max);
        // "A colour held at least (most frequent count − 1) times and at least once (any, if no coloured card is held)."
        let is_good_to_name = |color: Color| {
            let count = counts[color.index()];
            most == 0 || count >= 1 && count + 1 >= most
        };
        let is_preferred = |&Candidate { card, names }: &Candidate| match (self.rules.color_of(card), names) {
            (Some(color), _) => counts[color.index()] == most, // "all that tie"
            (None, Some(color)) => is_good_to_name(color),
            (None, None) => true, // it names no colour with the play
        };
        self.candidates.clear();
        for card in cards {
            if naming.contains(card) {
                self.candidates.extend(Color::ALL.map(|color| Candidate { card, names: Some(color) }));
            } else {
                self.candidates.push(Candidate { card, names: None });
            }
        }
        let mut preferred = 0;
        for i in 0..self.candidates.len() {
            if is_preferred(&self.candidates[i]) {
                self.candidates.swap(preferred, i);
                preferred += 1;
            }
        }
        if preferred > 0 {
            self.candidates.truncate(preferred);
        }
    }

    /// "The counting score": of equals, all stay.
    #[inline(always)]
    fn keep_the_highest(&mut self, possible: &PossibleCards) {
        let mut next = None;
        let mut highest = 0.0;
        let mut tied = 0;
        for i in 0..self.candidates.len() {
            let score = self.score(possible, self.candidates[i], &mut next);
            if score > highest {
                (highest, tied) = (score, 0);
            }
            if score >= highest {
                self.candidates.swap(tied, i); // what is overwritten has lost
                tied += 1;
            }
        }
        self.candidates.truncate(tied);
    }

    /// The counting score. Who is next is looked at once.
    #[inline(always)]
    fn score(
        &self,
        possible: &PossibleCards,
        Candidate { card, names }: Candidate,
        looked_at: &mut Option<(Seat, PossibleHand)>,
    ) -> f64 {
        let (observation, rules) = (self.observation, self.rules);
        let color = names.or(rules.color_of(card)).or(observation.color());
        let followers = rules.can_follow(card, color);
        let next = self.kinds.next_to_act(observation, card);
        if next == observation.seat() {
            let mut rest = observation.hand();
            rest.remove(card);
            return if (rest.distinct() & followers).any() { 0.0 } else { 1.0 };
        }
        let hand = match looked_at {
            Some((seat, hand)) if *seat == next => hand,
            _ => {
                let hand = possible.for_seat(observation).hand_of(next, observation.hand_len(next));
                &mut looked_at.insert((next, hand)).1
            }
        };
        hand.chance_to_follow_nothing(followers)
    }

    /// "A drawn playable card is played, a drawn wild or draw four only if the hand with it holds at most 2 cards."
    #[inline(always)]
    fn choose_drawn(&mut self, drawn: Card) -> Action {
        let observation = self.observation;
        let limited = self.kinds.group(Wild) | self.kinds.group(DrawFour);
        let is_over_limit = limited.contains(drawn) && observation.hand().len() > 2;
        let is_bluff = !observation.honestly_playable().contains(drawn);
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
        let Self { kinds, rng, candidates, possible, .. } = self;
        let possible = possible.get_or_insert_default();
        possible.settle(observation);
        let possible = Some(&**possible);
        dispatch(Choice { observation, rules: observation.rules(), kinds, rng, possible, candidates })
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        if self.counts() {
            self.possible.get_or_insert_default().begin(observation);
        }
    }

    fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        if self.counts() {
            self.possible.get_or_insert_default().observe(seen, observation);
        }
    }

    fn subscription(&self) -> EventSubscription {
        if self.counts() { EventSubscription::Events } else { EventSubscription::Nothing }
    }
}
