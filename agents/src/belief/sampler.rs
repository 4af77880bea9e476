//! [`BeliefSampler`]: draws worlds from a belief, each from the one before (Metropolis and others, 1953).
//!
//! Two cards change places: between two hands, between a hand and the draw pile, or in one hand between two times of arrival.
//! The exchange is kept if it makes the actions of others more likely; otherwise it is kept with the ratio of both likelihoods
//! as its probability. In the long run, the sampler visits every world with its probability.

use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::fast::{Generic, Isa};
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::seat::{MAX_SEATS, Seat};
use unolab_engine::state::{Dealing, RoundState};

use super::model::{Choice, Model};
use super::story::{Arrival, Story};

/// Changes tried before the first world, for each card that is or was in another hand; one between two worlds.
const AT_FIRST: usize = 20;
/// No more than this many, at first and between two worlds: few rounds of the editions have a quarter as many cards.
const MOST_CHANGES: usize = 20_000;

/// A source of worlds.
#[derive(Debug)]
pub struct BeliefSampler<'a> {
    observation: &'a Observation<'a>,
    model: Model<'a>,
    hands: Vec<Account<'a>>,
    /// Every card that is or was in one of the hands.
    places: Vec<Place>,
    pile: Vec<Card>,
}

/// The number of a hand, and of one of its arrivals.
#[derive(Debug, Clone, Copy)]
struct Place {
    hand: usize,
    arrival: usize,
}

/// A story with nothing left open.
#[derive(Debug)]
struct Account<'a> {
    seat: Seat,
    story: &'a Story,
    /// The card of each arrival.
    cards: Vec<Held>,
    /// How things were at each choice.
    moments: Vec<Moment>,
    /// The revised moments after the proposed change.
    revised: Vec<Moment>,
}

/// A card that is or was in a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Held {
    card: Card,
    /// The number of the first choice that was made without it.
    until: usize,
    stays: Stays,
}

/// Can a card be somewhere else?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stays {
    Certainly,
    Perhaps,
}

/// The hand with which a choice was made, and how likely the choice is with it.
#[derive(Debug, Clone, Copy)]
struct Moment {
    hand: Cards,
    likelihood: f32,
}

const STILL_HELD: usize = usize::MAX;

impl Held {
    const fn is_there(&self, arrival: &Arrival, choice: usize) -> bool {
        arrival.at <= choice && choice < self.until
    }

    /// With another card in its place.
    const fn replaced(self, card: Card) -> Self {
        Self { card, ..self }
    }
}

impl<'a> BeliefSampler<'a> {
    pub(super) fn new(
        stories: &'a [Story; MAX_SEATS],
        model: Model<'a>,
        observation: &'a Observation<'a>,
        rng: &mut Rng,
    ) -> Self {
        let hidden = observation.others().fold(observation.unseen(), |all, seat| all.minus(observation.known(seat)));
        let mut pile: Vec<Card> = hidden.iter().collect();
        let number = pile.len();
        rng.shuffle_front(&mut pile, number);
        let accounts =
            observation.others().map(|seat| Account::new(&stories[seat.index()], model, observation, seat, &mut pile));
        let hands: Vec<Account<'_>> = accounts.collect();
        let places_of = |(hand, account): (usize, &Account<'_>)| {
            (0..account.cards.len()).map(move |arrival| Place { hand, arrival }).collect::<Vec<_>>()
        };
        let places = hands.iter().enumerate().flat_map(places_of).collect();
        let mut deals = Self { observation, model, hands, places, pile };
        deals.try_changes(AT_FIRST * deals.places.len(), rng);
        deals
    }

    /// The next world.
    pub fn next_state(&mut self, rng: &mut Rng) -> RoundState {
        self.try_changes(self.places.len(), rng);
        let mut dealing = AsBelieved { hands: &self.hands, next: [0; MAX_SEATS] };
        self.observation.sample_state_dealt::<Generic>(&mut dealing, rng)
    }

    fn try_changes(&mut self, times: usize, rng: &mut Rng) {
        for _ in 0..times.min(MOST_CHANGES) {
            let a = self.places[below(self.places.len(), rng)];
            if !self.pile.is_empty() && rng.bits().is_multiple_of(2) {
                self.try_with_pile(a, below(self.pile.len(), rng), rng);
                continue;
            }
            let b = self.places[below(self.places.len(), rng)];
            if a.hand == b.hand { self.try_times(a, b, rng) } else { self.try_hands(a, b, rng) }
        }
    }

    fn held(&self, place: Place) -> Held {
        self.hands[place.hand].cards[place.arrival]
    }

    fn try_with_pile(&mut self, a: Place, in_pile: usize, rng: &mut Rng) {
        let (held, card) = (self.held(a), self.pile[in_pile]);
        if held.stays == Stays::Certainly || held.card == card {
            return;
        }
        let change = [(a.arrival, held.replaced(card))];
        let hand = &mut self.hands[a.hand];
        if stands(hand.revise(self.model, &change), rng) {
            hand.accept(&change);
            self.pile[in_pile] = held.card;
        }
    }

    fn try_hands(&mut self, a: Place, b: Place, rng: &mut Rng) {
        let (held, other) = (self.held(a), self.held(b));
        if [held.stays, other.stays].contains(&Stays::Certainly) || held.card == other.card {
            return;
        }
        let changes = [[(a.arrival, held.replaced(other.card))], [(b.arrival, other.replaced(held.card))]];
        let ratio =
            self.hands[a.hand].revise(self.model, &changes[0]) * self.hands[b.hand].revise(self.model, &changes[1]);
        if stands(ratio, rng) {
            self.hands[a.hand].accept(&changes[0]);
            self.hands[b.hand].accept(&changes[1]);
        }
    }

    fn try_times(&mut self, a: Place, b: Place, rng: &mut Rng) {
        let (held, other) = (self.held(a), self.held(b));
        let hand = &mut self.hands[a.hand];
        let came = |place: Place| hand.story.arrivals[place.arrival].at;
        // What has left must have come before that.
        if held == other || came(a) >= other.until || came(b) >= held.until {
            return;
        }
        let change = [(a.arrival, other), (b.arrival, held)];
        if stands(hand.revise(self.model, &change), rng) {
            hand.accept(&change);
        }
    }
}

fn below(number: usize, rng: &mut Rng) -> usize {
    rng.below(u32::try_from(number).expect("a number of cards")) as usize
}

fn stands(ratio: f32, rng: &mut Rng) -> bool {
    ratio >= 1.0 || rng.unit() < f64::from(ratio)
}

impl<'a> Account<'a> {
    /// Cards that have left and certain cards came first; hidden cards are drawn from the pile.
    fn new(
        story: &'a Story,
        model: Model<'_>,
        observation: &Observation<'_>,
        seat: Seat,
        pile: &mut Vec<Card>,
    ) -> Self {
        let stays = Stays::Certainly;
        let gone = story.departures.iter().map(|gone| Held { card: gone.card, until: gone.at, stays });
        let certain = observation.known(seat).iter().map(|card| Held { card, until: STILL_HELD, stays });
        let hidden = std::iter::from_fn(|| pile.pop());
        let hidden = hidden.map(|card| Held { card, until: STILL_HELD, stays: Stays::Perhaps });
        let cards: Vec<Held> = gone.chain(certain).chain(hidden).take(story.arrivals.len()).collect();
        let moment = |(number, choice): (usize, &Choice)| {
            let there = story.arrivals.iter().zip(&cards).filter(|(arrival, held)| held.is_there(arrival, number));
            let hand = there.map(|(_, held)| held.card).collect();
            Moment { hand, likelihood: model.likelihood(choice, hand) }
        };
        let moments = story.choices.iter().enumerate().map(moment).collect();
        Self { seat, story, cards, moments, revised: Vec::new() }
    }

    /// The change of the likelihood of all choices if other cards had come with these arrivals.
    fn revise(&mut self, model: Model<'_>, change: &[(usize, Held)]) -> f32 {
        let mut ratio = 1.0;
        for &(number, held) in change {
            let arrival = &self.story.arrivals[number];
            ratio *= arrival.likelihood(held.card) / arrival.likelihood(self.cards[number].card);
        }
        self.revised.clone_from(&self.moments);
        for (number, (choice, moment)) in self.story.choices.iter().zip(&mut self.revised).enumerate() {
            let mut hand = moment.hand;
            for &(place, held) in change {
                let (arrival, before) = (&self.story.arrivals[place], self.cards[place]);
                if before.is_there(arrival, number) {
                    hand.remove(before.card);
                }
                if held.is_there(arrival, number) {
                    hand.add(held.card);
                }
            }
            if hand != moment.hand {
                let likelihood = model.likelihood(choice, hand);
                ratio *= likelihood / moment.likelihood;
                *moment = Moment { hand, likelihood };
            }
        }
        ratio
    }

    /// Accepts the change just considered.
    fn accept(&mut self, change: &[(usize, Held)]) {
        change.iter().for_each(|&(place, held)| self.cards[place] = held);
        std::mem::swap(&mut self.moments, &mut self.revised);
    }
}

/// Deals the hidden cards of each hand.
struct AsBelieved<'d, 'a> {
    hands: &'d [Account<'a>],
    /// By seat, the number of the arrival to go on from.
    next: [usize; MAX_SEATS],
}

impl Dealing for AsBelieved<'_, '_> {
    fn next_card<M: Isa>(&mut self, seat: Seat, heap: Cards, len: u32, rng: &mut Rng) -> Card {
        let next = &mut self.next[seat.index()];
        let hand = self.hands.iter().find(|hand| hand.seat == seat);
        for held in hand.into_iter().flat_map(|hand| &hand.cards).skip(*next) {
            *next += 1;
            // It may be gone already, where a decision that another seat has before it needs a card of certain kinds.
            if held.stays == Stays::Perhaps && heap.contains(held.card) {
                return held.card;
            }
        }
        heap.nth(rng.below(len))
    }
}
