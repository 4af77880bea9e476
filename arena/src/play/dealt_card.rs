//! The same deal with one card exchanged, to measure the value of that card in a hand.

use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::chance::Chance;
use unolab_engine::rng::Purpose;
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::RoundState;

use super::{Deal, Dealer, DealtRound};

impl Dealer<'_> {
    /// The deal of a set, but the first card of this seat is exchanged for a copy of this kind, from any other place.
    ///
    /// The copy is chosen before the shuffle, so the other cards are dealt as from a deck without it: the deal is conditioned
    /// on the kind of the seat's first card. Only for rules without teams.
    ///
    /// # Panics
    /// If the deck has no such card. The deck must have another card that can start.
    #[must_use]
    pub fn deal_with_card(&self, set: u64, seat: Seat, card: Card) -> Deal {
        let rules = self.rules;
        let (table, plan) = self.first_plan(set, BySeat::default());
        let mut chance = self.streams.of_set(set).stream(Purpose::Cards { round: 0 });
        let deck: Vec<Card> = rules.deck().iter().collect();
        let hand_size = rules.parameters().hand_size.get() as usize;
        let copy = deck.iter().position(|&other| other == card).expect("the deck has such a card");
        let (hands, pile) = loop {
            let mut shuffled: Vec<usize> = (0..deck.len()).collect();
            chance.shuffle_front(&mut shuffled, plan.seats.len() * hand_size);
            let place = shuffled.iter().position(|&at| at == copy).expect("every card has a place");
            shuffled.swap(seat.index() * hand_size, place);

            let mut hands = BySeat::<Cards>::default();
            for (seat, dealt) in plan.seats.iter().zip(shuffled.chunks_exact(hand_size)) {
                hands[seat] = dealt.iter().map(|&at| deck[at]).collect();
            }
            let pile = hands.iter().fold(rules.deck(), |pile, &hand| pile.minus(hand));
            if rules.has_start_card(pile) {
                break (hands, pile);
            }
        };
        let mut turned_up = Vec::new();
        while turned_up.last().is_none_or(|&card| !rules.can_start(card)) {
            turned_up.push(chance.draw(pile, pile.len()));
        }
        let state = RoundState::begin(rules, plan.seats, plan.dealer, hands, &turned_up, &mut chance, &mut ())
            .expect("hands and start card were drawn from the deck");
        Deal { set, table, plan, first_round: DealtRound { state, cards: chance } }
    }
}
