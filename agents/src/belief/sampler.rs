//! [`BeliefSampler`]: draws worlds from a belief by a Markov chain (Metropolis et al., 1953).
//!
//! A step proposes to exchange two cards: between two hands, between a hand and the draw pile, or between two arrival times
//! in one hand. If the exchange makes the actions of others more likely, it is accepted; otherwise it is accepted with the
//! ratio of both likelihoods as its probability. In the long run, the sampler visits every world with its probability.

use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::cpu::{Generic, Isa};
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::seat::{MAX_SEATS, Seat};
use unolab_engine::state::{Dealing, RoundState};

use super::hand_history::{Arrival, HandHistory};
use super::model::{Choice, Model};

/// The number of proposed changes before the first world, for each card that is or was in another hand. Between two worlds,
/// it is one for each such card.
const AT_FIRST: usize = 20;
/// The maximum number of changes before the first world and between two worlds. Few rounds of the editions reach a quarter of
/// it.
const MOST_CHANGES: usize = 20_000;

/// A source of worlds.
#[derive(Debug)]
pub struct BeliefSampler<'a> {
    observation: &'a Observation<'a>,
    model: Model<'a>,
    hands: Vec<ClosedHistory<'a>>,
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

/// A complete history.
#[derive(Debug)]
struct ClosedHistory<'a> {
    seat: Seat,
    story: &'a HandHistory,
    /// The card of each arrival.
    cards: Vec<HeldCard>,
    /// The hand at each choice.
    moments: Vec<ChoicePoint>,
    /// The moments that the proposed change revises, with their numbers.
    revised: Vec<(usize, ChoicePoint)>,
}

/// A card that is or was in a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct HeldCard {
    card: Card,
    /// The number of the first choice that was made without it.
    until: usize,
    stays: CardMobility,
}

/// Whether a card can be elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CardMobility {
    Certainly,
    Perhaps,
}

/// The hand at a choice, and the likelihood of the choice with this hand.
#[derive(Debug, Clone, Copy)]
struct ChoicePoint {
    hand: Cards,
    likelihood: f32,
}

const STILL_HELD: usize = usize::MAX;

impl HeldCard {
    const fn is_there(&self, arrival: &Arrival, choice: usize) -> bool {
        arrival.at <= choice && choice < self.until
    }

    /// The same with another card.
    const fn replaced(self, card: Card) -> Self {
        Self { card, ..self }
    }
}

impl<'a> BeliefSampler<'a> {
    pub(super) fn new(
        stories: &'a [HandHistory; MAX_SEATS],
        model: Model<'a>,
        observation: &'a Observation<'a>,
        rng: &mut Rng,
    ) -> Self {
        let hidden = observation.others().fold(observation.unseen(), |all, seat| all.minus(observation.known(seat)));
        let mut pile: Vec<Card> = hidden.iter().collect();
        let number = pile.len();
        rng.shuffle_front(&mut pile, number);
        let accounts = observation
            .others()
            .map(|seat| ClosedHistory::new(&stories[seat.index()], model, observation, seat, &mut pile));
        let hands: Vec<ClosedHistory<'_>> = accounts.collect();
        let places_of = |(hand, account): (usize, &ClosedHistory<'_>)| {
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
        let mut dealing = BeliefDealing { hands: &self.hands, next: [0; MAX_SEATS] };
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

    fn held(&self, place: Place) -> HeldCard {
        self.hands[place.hand].cards[place.arrival]
    }

    fn try_with_pile(&mut self, a: Place, in_pile: usize, rng: &mut Rng) {
        let (held, card) = (self.held(a), self.pile[in_pile]);
        if held.stays == CardMobility::Certainly || held.card == card {
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
        if [held.stays, other.stays].contains(&CardMobility::Certainly) || held.card == other.card {
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
        // A card must arrive before it leaves.
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

impl<'a> ClosedHistory<'a> {
    /// Cards that have left and certain cards are assigned first; hidden cards are drawn from the pile.
    fn new(
        story: &'a HandHistory,
        model: Model<'_>,
        observation: &Observation<'_>,
        seat: Seat,
        pile: &mut Vec<Card>,
    ) -> Self {
        let stays = CardMobility::Certainly;
        let gone = story.departures.iter().map(|gone| HeldCard { card: gone.card, until: gone.at, stays });
        let certain = observation.known(seat).iter().map(|card| HeldCard { card, until: STILL_HELD, stays });
        let hidden = std::iter::from_fn(|| pile.pop());
        let hidden = hidden.map(|card| HeldCard { card, until: STILL_HELD, stays: CardMobility::Perhaps });
        let cards: Vec<HeldCard> = gone.chain(certain).chain(hidden).take(story.arrivals.len()).collect();
        let moment = |(number, choice): (usize, &Choice)| {
            let there = story.arrivals.iter().zip(&cards).filter(|(arrival, held)| held.is_there(arrival, number));
            let hand = there.map(|(_, held)| held.card).collect();
            ChoicePoint { hand, likelihood: model.likelihood(choice, hand) }
        };
        let moments = story.choices.iter().enumerate().map(moment).collect();
        Self { seat, story, cards, moments, revised: Vec::new() }
    }

    /// The change of the likelihood of all choices if these arrivals had other cards.
    fn revise<const N: usize>(&mut self, model: Model<'_>, change: &[(usize, HeldCard); N]) -> f32 {
        let replaced = change.map(|(place, held)| (&self.story.arrivals[place], self.cards[place], held));
        let mut ratio = 1.0;
        for (arrival, before, held) in replaced {
            ratio *= arrival.likelihood(held.card) / arrival.likelihood(before.card);
        }
        // Before and after these choices, the hand stays the same.
        let first = replaced.map(|(arrival, ..)| arrival.at).into_iter().min().unwrap_or(0);
        let end = replaced.map(|(_, before, held)| before.until.max(held.until)).into_iter().max().unwrap_or(0);
        let choices = self.story.choices.iter().zip(&self.moments).enumerate();
        self.revised.clear();
        for (number, (choice, moment)) in choices.take(end).skip(first) {
            let mut hand = moment.hand;
            for (arrival, before, held) in replaced {
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
                self.revised.push((number, ChoicePoint { hand, likelihood }));
            }
        }
        ratio
    }

    /// Accepts the change just considered.
    fn accept(&mut self, change: &[(usize, HeldCard)]) {
        change.iter().for_each(|&(place, held)| self.cards[place] = held);
        self.revised.drain(..).for_each(|(number, revised)| self.moments[number] = revised);
    }
}

/// Deals the hidden cards of each hand.
struct BeliefDealing<'d, 'a> {
    hands: &'d [ClosedHistory<'a>],
    /// By seat, the number of the arrival to continue from.
    next: [usize; MAX_SEATS],
}

impl Dealing for BeliefDealing<'_, '_> {
    fn next_card<M: Isa>(&mut self, seat: Seat, heap: Cards, len: u32, rng: &mut Rng) -> Card {
        let next = &mut self.next[seat.index()];
        let hand = self.hands.iter().find(|hand| hand.seat == seat);
        for held in hand.into_iter().flat_map(|hand| &hand.cards).skip(*next) {
            *next += 1;
            // The card may be gone already, if another seat's pending decision requires a card of certain kinds.
            if held.stays == CardMobility::Perhaps && heap.contains(held.card) {
                return held.card;
            }
        }
        heap.nth(rng.below(len))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use unolab_engine::color::Color;
    use unolab_engine::knowledge::Knowledge;
    use unolab_engine::observation::NO_SCORES;
    use unolab_engine::rules::{PresetsOnly, Rules, TableSize, load};
    use unolab_engine::seat::{Direction, SeatSet};
    use unolab_engine::state::RoundSetup;

    use super::super::hand_history::Departure;
    use super::super::model::ChosenAction;
    use super::*;

    /// Eight cards are hidden: three of the next seat, two of the last seat, and three in the pile. One has the kind of the
    /// played card.
    const HIDDEN: [&str; 3] = ["r1 y5 g4", "b1 b2", "g6 W y3"];

    fn position(rules: &Rules) -> RoundState {
        let cards = |text: &str| rules.parse_cards(text).unwrap();
        let [next, last, pile] = HIDDEN.map(cards);
        let top = rules.parse_card("y3").unwrap();
        let mut under_top = rules.deck().minus(cards("g9")).minus(next).minus(last).minus(pile);
        under_top.remove(top);
        let setup = RoundSetup {
            seats: SeatSet::first(3),
            dealer: Seat::new(0),
            direction: Direction::Left,
            to_act: Seat::new(0),
            hands: [cards("g9"), next, last].into_iter().collect(),
            top,
            under_top,
            color: None,
            draw_pile: pile,
        };
        RoundState::from_setup(&setup, rules).unwrap()
    }

    /// The next seat has drawn a card that is not blue on a yellow zero, and then played a yellow three on a green three,
    /// which it is unlikely to have held before. The last seat has named blue with cards that it still holds, and then drawn
    /// and kept one of them.
    fn stories(rules: &Rules) -> [HandHistory; MAX_SEATS] {
        let never = rules.of_color(Color::Blue);
        let three = rules.parse_card("y3").unwrap();
        let kept = rules.of_color(Color::Yellow);
        let mut stories: [HandHistory; MAX_SEATS] = Default::default();
        stories[1] = HandHistory {
            arrivals: vec![
                Arrival::before(0),
                Arrival::before(0),
                Arrival::before(0),
                Arrival { never, ..Arrival::before(1) },
            ],
            departures: vec![Departure { card: three, at: 2 }],
            choices: vec![
                Choice::on(rules, "y0", ChosenAction::Draw),
                Choice::on(rules, "g3", ChosenAction::Play(three, None)),
            ],
        };
        stories[2] = HandHistory {
            arrivals: vec![Arrival::before(0), Arrival { hardly: kept, ..Arrival::before(1) }],
            departures: Vec::new(),
            choices: vec![Choice::on(rules, "b0", ChosenAction::Color(Color::Blue))],
        };
        stories
    }

    /// The hands of the next seat and of the last seat.
    type Hands = [Cards; 2];

    /// Every possible history of arrivals with its probability, which is the likelihood of all choices.
    fn exactly(rules: &Rules, model: Model<'_>, stories: &[HandHistory; MAX_SEATS]) -> BTreeMap<String, f64> {
        let hidden: Vec<Card> = rules.parse_card_list(&HIDDEN.join(" ")).unwrap();
        let gone = stories[1].departures[0];
        let likelihood = |story: &HandHistory, cards: &[(Card, usize)]| -> f64 {
            let came = story.arrivals.iter().zip(cards);
            let arrived: f64 = came.clone().map(|(arrival, &(card, _))| f64::from(arrival.likelihood(card))).product();
            let chosen = story.choices.iter().enumerate().map(|(number, choice)| {
                let there = came.clone().filter(|(arrival, (_, until))| arrival.at <= number && number < *until);
                f64::from(model.likelihood(choice, there.map(|(_, &(card, _))| card).collect()))
            });
            arrived * chosen.product::<f64>()
        };
        let mut weights = BTreeMap::new();
        for place_of_gone in 0..4 {
            for_each_choice(&hidden, 5, &mut Vec::new(), &mut |dealt| {
                let mut next: Vec<_> = dealt[..3].iter().map(|&card| (card, STILL_HELD)).collect();
                next.insert(place_of_gone, (gone.card, gone.at));
                let last: Vec<_> = dealt[3..].iter().map(|&card| (card, STILL_HELD)).collect();
                let hands = [&dealt[..3], &dealt[3..]].map(|cards| cards.iter().copied().collect());
                *weights.entry(written(rules, hands)).or_insert(0.0) +=
                    likelihood(&stories[1], &next) * likelihood(&stories[2], &last);
            });
        }
        let sum: f64 = weights.values().sum();
        weights.into_iter().map(|(hands, weight)| (hands, weight / sum)).collect()
    }

    /// Every way to draw `number` of these cards one after the other.
    fn for_each_choice(cards: &[Card], number: usize, chosen: &mut Vec<Card>, visit: &mut dyn FnMut(&[Card])) {
        if chosen.len() == number {
            return visit(chosen);
        }
        for (i, &card) in cards.iter().enumerate() {
            let rest = [&cards[..i], &cards[i + 1..]].concat();
            chosen.push(card);
            for_each_choice(&rest, number, chosen, visit);
            chosen.pop();
        }
    }

    fn written(rules: &Rules, hands: Hands) -> String {
        hands.map(|hand| hand.iter().map(|card| rules.code(card).to_string()).collect::<Vec<_>>().join(" ")).join(" | ")
    }

    /// The frequency of worlds equals their probability: for each hand of the next seat and for each hand of the last seat,
    /// averaged over the other.
    #[test]
    fn sampled_world_has_correct_probability() {
        const WORLDS: u32 = 40_000;
        let rules = load("classic", &[], TableSize::Seats(3), &PresetsOnly).unwrap().rules;
        let (state, knowledge) = (position(&rules), Knowledge::default());
        let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, Seat::new(0));
        let stories = stories(&rules);
        let model = Model { rules: &rules };
        let mut rng = Rng::from_seed(1);
        let mut sampler = BeliefSampler::new(&stories, model, &observation, &mut rng);
        let mut found = BTreeMap::new();
        for _ in 0..WORLDS {
            let world = sampler.next_state(&mut rng);
            let hands = [1, 2].map(|seat| world.hand(Seat::new(seat)));
            *found.entry(written(&rules, hands)).or_insert(0.0) += 1.0 / f64::from(WORLDS);
        }
        let exact = exactly(&rules, model, &stories);
        assert_eq!(exact.len(), 560);
        for seat in [0, 1] {
            let of_hand = |probabilities: &BTreeMap<String, f64>| {
                let mut sums = BTreeMap::new();
                for (hands, probability) in probabilities {
                    *sums.entry(hands.split(" | ").nth(seat).unwrap().to_owned()).or_insert(0.0) += probability;
                }
                sums
            };
            let (found, exact) = (of_hand(&found), of_hand(&exact));
            let apart: f64 = exact.iter().map(|(hand, p)| (p - found.get(hand).unwrap_or(&0.0)).abs()).sum();
            assert!(apart / 2.0 < 0.03, "seat {}: {apart}, {exact:?} {found:?}", seat + 1);
        }
    }

    /// Before the first world there are enough exchanges: in a uniformly random deal the frequency would be 3 of 8.
    #[test]
    fn first_world_probability_is_nearly_exact() {
        let rules = load("classic", &[], TableSize::Seats(3), &PresetsOnly).unwrap().rules;
        let (state, knowledge) = (position(&rules), Knowledge::default());
        let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, Seat::new(0));
        let stories = stories(&rules);
        let model = Model { rules: &rules };
        let exact = exactly(&rules, model, &stories);
        let red = |hands: &str| hands.split(" | ").next().unwrap().contains("r1");
        let expected: f64 = exact.iter().filter(|(hands, _)| red(hands)).map(|(_, p)| p).sum();
        let mut rng = Rng::from_seed(2);
        let firsts = (0..2_000).filter(|_| {
            let mut sampler = BeliefSampler::new(&stories, model, &observation, &mut rng);
            let world = sampler.next_state(&mut rng);
            red(&written(&rules, [1, 2].map(|seat| world.hand(Seat::new(seat)))))
        });
        let found = firsts.count() as f64 / 2_000.0;
        assert!((found - expected).abs() < 0.1 && expected > 0.7, "{found} {expected}");
    }
}
