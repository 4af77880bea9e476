//! `mixbot`: the best published rule player. Ranks, limits for wilds, preferred colours, and counted cards as the last
//! tie-break; the sentences of its definition are quoted where they are played.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet};
use unolab_engine::color::Color;
use unolab_engine::event::Seen;
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;

use crate::agent::{Agent, Memory};
use crate::choices::{color_counts, draw_or_what_is_left, highest_ranked, may_keep, most_frequent_color, play_naming};
use crate::heuristic;
use crate::kinds::Group::{self, DrawFour, DrawTwo, Number, Reverse, Skip, Wild};
use crate::kinds::KindTable;
use crate::possible::PossibleCards;

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
#[derive(Debug, Clone)]
pub struct MixBot {
    /// What others can hold, where it is counted.
    possible: Option<PossibleCards>,
    kinds: KindTable,
    rng: Rng,
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

fn candidates_among(observation: &Observation<'_>, cards: CardSet) -> impl Iterator<Item = Candidate> {
    const NOTHING: [Option<Color>; 1] = [None];
    const EVERY_COLOR: [Option<Color>; 4] =
        [Some(Color::ALL[0]), Some(Color::ALL[1]), Some(Color::ALL[2]), Some(Color::ALL[3])];
    let naming = if observation.hand().is_single() { CardSet::EMPTY } else { observation.rules().names_color() };
    cards.iter().flat_map(move |card| {
        let names: &[Option<Color>] = if naming.contains(card) { &EVERY_COLOR } else { &NOTHING };
        names.iter().map(move |&names| Candidate { card, names })
    })
}

impl MixBot {
    /// An agent with its own stream.
    #[must_use]
    pub fn new(counting: Counting, rules: &Rules, rng: Rng) -> Self {
        let possible = (counting == Counting::On).then(PossibleCards::new);
        Self { possible, kinds: KindTable::of(rules), rng, candidates: Vec::new() }
    }

    fn choose_turn(&mut self, observation: &Observation<'_>) -> Action {
        let playable = observation.honestly_playable();
        if playable.is_empty() {
            return draw_or_what_is_left(observation);
        }
        if let Some(possible) = &mut self.possible {
            possible.settle(observation);
        }
        let is_endgame = observation.hand_len(observation.next_seat(observation.seat())) == 1;
        // "Limits, outside the endgame"; and where drawing is not allowed, they do not apply.
        let within_limits =
            if is_endgame || !observation.may_draw() { playable } else { self.within_limits(observation, playable) };
        if within_limits.is_empty() {
            return Action::Draw; // "even though something could be played"
        }
        let ranking = ranking(is_endgame, observation.is_two_seats());
        let highest = highest_ranked(&self.kinds, ranking, within_limits);
        let Candidate { card, names } = self.best_of_rank(observation, highest);
        match names {
            Some(color) => Action::PlayNaming(card, color),
            None => Action::Play(card),
        }
    }

    /// "A wild may be played only with at most 2 coloured cards in hand, a draw four with at most 4."
    fn within_limits(&self, observation: &Observation<'_>, playable: CardSet) -> CardSet {
        let colored = observation.hand().only(observation.rules().colored()).len();
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
    fn best_of_rank(&mut self, observation: &Observation<'_>, cards: CardSet) -> Candidate {
        let rules = observation.rules();
        let counts = color_counts(rules, observation.hand());
        let most = counts.into_iter().max().unwrap_or(0);
        // "A colour held at least (most frequent count − 1) times and at least once (any, if no coloured card is held)."
        let is_good_to_name = |color: Color| {
            let count = counts[color.index()];
            most == 0 || count >= 1 && count + 1 >= most
        };
        let is_preferred = |&Candidate { card, names }: &Candidate| match (rules.color_of(card), names) {
            (Some(color), _) => counts[color.index()] == most, // "all that tie"
            (None, Some(color)) => is_good_to_name(color),
            (None, None) => true, // it names no colour with the play
        };
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        candidates.extend(candidates_among(observation, cards));
        if candidates.iter().any(is_preferred) {
            candidates.retain(is_preferred);
        }
        if candidates.len() > 1 && self.possible.is_some() {
            let mut highest = 0.0;
            let mut tied = 0;
            for i in 0..candidates.len() {
                let score = self.score(observation, candidates[i]);
                if score > highest {
                    (highest, tied) = (score, 0);
                }
                if score >= highest {
                    candidates.swap(tied, i); // what is overwritten has lost
                    tied += 1;
                }
            }
            candidates.truncate(tied);
        }
        let number = u32::try_from(candidates.len()).expect("a few");
        let chosen = candidates[self.rng.choice(number) as usize];
        self.candidates = candidates;
        chosen
    }

    /// The counting score.
    fn score(&self, observation: &Observation<'_>, Candidate { card, names }: Candidate) -> f64 {
        let rules = observation.rules();
        let Some(possible) = &self.possible else { return 0.0 };
        let color = names.or(rules.color_of(card)).or(observation.color());
        let followers = rules.can_follow(card, color);
        let next = self.kinds.next_to_act(observation, card);
        if next == observation.seat() {
            let mut rest = observation.hand();
            rest.remove(card);
            return if (rest.distinct() & followers).any() { 0.0 } else { 1.0 };
        }
        possible.hand_of(next, observation.hand_len(next)).chance_to_follow_nothing(followers)
    }

    /// "A drawn playable card is played, a drawn wild or draw four only if the hand with it holds at most 2 cards."
    fn choose_drawn(&mut self, observation: &Observation<'_>, drawn: Card) -> Action {
        let limited = self.kinds.group(Wild) | self.kinds.group(DrawFour);
        let is_over_limit = limited.contains(drawn) && observation.hand().len() > 2;
        let is_bluff = !observation.honestly_playable().contains(drawn);
        if (is_over_limit || is_bluff) && may_keep(observation, drawn) {
            return Action::Keep;
        }
        play_naming(observation, drawn, |rest| most_frequent_color(observation.rules(), rest, &mut self.rng))
    }
}

impl Agent for MixBot {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        match observation.decision() {
            Decision::Turn => self.choose_turn(observation),
            Decision::Drawn(Some(drawn)) => self.choose_drawn(observation, drawn),
            Decision::NameColor(_) => {
                Action::NameColor(most_frequent_color(observation.rules(), observation.hand(), &mut self.rng))
            }
            _ => heuristic::choose(observation),
        }
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        if let Some(possible) = &mut self.possible {
            possible.begin(observation);
        }
    }

    fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        if let Some(possible) = &mut self.possible {
            possible.observe(seen, observation);
        }
    }

    fn memory(&self) -> Memory {
        if self.possible.is_some() { Memory::Events } else { Memory::Nothing }
    }
}
