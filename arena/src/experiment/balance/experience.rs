//! The experience of players in a game: waiting times, turns without a play, drawn cards, and choices.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, MAX_KINDS};
use unolab_engine::event::Event;
use unolab_engine::rules::{CardDef, CardKind, Rules};
use unolab_engine::seat::{MAX_SEATS, Seat};
use unolab_engine::state::{Phase, RoundState};

use super::cards::Group;
use super::metric::{MetricKind, Parts};

/// The name of a card whose effect on the victim (its sting) is measured: its group, or the code of a custom card.
#[must_use]
pub fn card_name(def: &CardDef) -> String {
    match def.kind {
        CardKind::Custom(_) => def.code.clone(),
        _ => Group::of(def).to_string(),
    }
}

/// A card that was played in a turn.
#[derive(Debug, Clone, Copy)]
pub struct PlayedCard {
    /// The number of the turn in the game, as in the observer's sights.
    pub turn: usize,
    /// The player.
    pub player: Seat,
    /// The number of the card's name in the layout.
    pub card: usize,
}

/// The counts of one game.
#[derive(Debug)]
pub struct Experience {
    hand_size: u32,
    /// The number of the name of each kind.
    card_of: [Option<u8>; MAX_KINDS],
    turns: i64,
    waiting_turns: i64,
    waits: i64,
    turns_lost: i64,
    idle_turns: i64,
    cards_drawn: i64,
    largest_hands: i64,
    card_choices: i64,
    rounds: i64,
    /// The cards played in turns.
    pub played: Vec<PlayedCard>,
    /// The sizes of all hands at each turn.
    pub hands: Vec<[u8; MAX_SEATS]>,
    round: RoundSoFar,
}

/// The counts of the round in progress.
#[derive(Debug, Default)]
struct RoundSoFar {
    turns: i64,
    last_turn: [Option<i64>; MAX_SEATS],
    previous: Option<Seat>,
    largest_hand: u32,
}

impl Experience {
    /// Counts of games under these rules; the names of the cards are the layout's, which has none in matches.
    ///
    /// # Panics
    /// Never: there are at most as many names as kinds.
    #[must_use]
    pub fn new(rules: &Rules, cards: &[String]) -> Self {
        let mut card_of = [None; MAX_KINDS];
        for (number, kind) in card_of.iter_mut().zip(rules.kinds()) {
            let place = cards.iter().position(|name| *name == card_name(kind));
            *number = place.map(|place| u8::try_from(place).expect("at most as many names as kinds"));
        }
        Self::empty(rules.parameters().hand_size.get(), card_of)
    }

    /// No counts yet.
    fn empty(hand_size: u32, card_of: [Option<u8>; MAX_KINDS]) -> Self {
        Self {
            hand_size,
            card_of,
            turns: 0,
            waiting_turns: 0,
            waits: 0,
            turns_lost: 0,
            idle_turns: 0,
            cards_drawn: 0,
            largest_hands: 0,
            card_choices: 0,
            rounds: 0,
            played: Vec::new(),
            hands: Vec::new(),
            round: RoundSoFar { largest_hand: hand_size, ..RoundSoFar::default() },
        }
    }

    /// Clears the counts of the last game.
    pub fn begin_game(&mut self) {
        let (mut played, mut hands) = (std::mem::take(&mut self.played), std::mem::take(&mut self.hands));
        played.clear();
        hands.clear();
        *self = Self { played, hands, ..Self::empty(self.hand_size, self.card_of) };
    }

    /// Counts a drawn or moved card.
    pub fn see_event(&mut self, state: &RoundState, event: Event) {
        let grown = match event {
            Event::Drew { seat, .. } => {
                self.cards_drawn += 1;
                seat
            }
            Event::Moved { to, .. } => to,
            _ => return,
        };
        self.round.largest_hand = self.round.largest_hand.max(state.hand(grown).len());
    }

    /// Records a play out of turn, after which the next turn is after that seat.
    pub fn see_jump_in(&mut self, seat: Seat) {
        self.round.previous = Some(seat);
    }

    /// Counts an action of a seat in its turn; `state` is the state before it, with these legal actions.
    pub fn see_decision(&mut self, state: &RoundState, seat: Seat, action: Action, legal: &[Action]) {
        let played = card_of(action);
        match state.phase() {
            Phase::Turn => {
                self.begin_turn(state, seat);
                self.card_choices += i64::from(has_two_cards(legal));
                self.idle_turns += i64::from(played.is_none());
                if let Some(card) = played.and_then(|card| self.card_of[card.index()]) {
                    self.played.push(PlayedCard { turn: self.hands.len(), player: seat, card: usize::from(card) });
                }
                self.hands.push(std::array::from_fn(|index| hand_size(state, index)));
            }
            Phase::Drawn(_) if played.is_some() => self.idle_turns -= 1,
            // A player who answers a draw card has a turn; a player who takes the cards loses it.
            Phase::Stack(_) if played.is_some() => self.begin_turn(state, seat),
            _ => {}
        }
    }

    fn begin_turn(&mut self, state: &RoundState, seat: Seat) {
        let round = &mut self.round;
        if let Some(previous) = round.previous {
            let passed_over = state.others(previous).position(|other| other == seat);
            self.turns_lost += passed_over.unwrap_or_else(|| state.others(previous).count()) as i64;
        }
        if let Some(last) = round.last_turn[seat.index()] {
            self.waiting_turns += round.turns - last - 1;
            self.waits += 1;
        }
        round.last_turn[seat.index()] = Some(round.turns);
        round.previous = Some(seat);
        round.turns += 1;
        self.turns += 1;
    }

    /// Counts the end of a round.
    pub fn end_round(&mut self) {
        self.rounds += 1;
        self.largest_hands += i64::from(self.round.largest_hand);
        self.round = RoundSoFar { largest_hand: self.hand_size, ..RoundSoFar::default() };
    }

    /// Counts the game.
    pub fn count(&self, seats: usize, parts: &mut Parts<'_>) {
        let players = self.rounds * seats as i64;
        parts.add(MetricKind::WaitingTurns, self.waiting_turns, self.waits);
        parts.add(MetricKind::TurnsLost, self.turns_lost, players);
        parts.add(MetricKind::IdleTurns, self.idle_turns, self.turns);
        parts.add(MetricKind::CardsDrawn, self.cards_drawn, players);
        parts.add(MetricKind::LargestHand, self.largest_hands, self.rounds);
        parts.add(MetricKind::CardChoices, self.card_choices, self.turns);
    }

    /// The victim of a card: the other player whose hand grew most until the next turn, or the next player if no hand grew.
    /// `None` if the round ended with the card.
    #[must_use]
    pub fn victim_of(&self, played: PlayedCard, next: usize, num_seats: usize) -> Option<usize> {
        let (before, after) = (self.hands.get(played.turn)?, self.hands.get(played.turn + 1)?);
        let growth = |seat: usize| i32::from(after[seat]) - i32::from(before[seat]);
        let others = (0..num_seats).filter(|&seat| seat != played.player.index());
        let most = others.max_by_key(|&seat| growth(seat)).filter(|&seat| growth(seat) > 0);
        Some(most.unwrap_or(next))
    }
}

fn hand_size(state: &RoundState, index: usize) -> u8 {
    let seat = state.dealt_seats().iter().nth(index);
    seat.map_or(0, |seat| u8::try_from(state.hand(seat).len()).unwrap_or(u8::MAX))
}

const fn card_of(action: Action) -> Option<Card> {
    match action {
        Action::Play(card) | Action::PlayNaming(card, _) => Some(card),
        _ => None,
    }
}

fn has_two_cards(legal: &[Action]) -> bool {
    let mut cards = legal.iter().filter_map(|&action| card_of(action));
    cards.next().is_some_and(|first| cards.any(|card| card != first))
}

#[cfg(test)]
mod tests {
    use unolab_engine::seat::BySeat;

    use super::*;

    #[test]
    fn victim_is_other_player_whose_hand_grew_most() {
        let rules = Rules::preset("classic");
        let mut seen = Experience::new(&rules, &["number".into()]);
        let hands = |sizes: [u8; 3]| std::array::from_fn(|seat| sizes.get(seat).copied().unwrap_or(0));
        seen.hands = vec![hands([7, 7, 7]), hands([6, 7, 9]), hands([6, 6, 9])];
        let player = |index: usize| BySeat::from_fn(|seat| seat)[Seat::new(index)];
        let played = |turn, index| PlayedCard { turn, player: player(index), card: 0 };
        assert_eq!(seen.victim_of(played(0, 0), 1, 3), Some(2));
        assert_eq!(seen.victim_of(played(1, 1), 2, 3), Some(2));
        assert_eq!(seen.victim_of(played(2, 2), 0, 3), None);
    }

    #[test]
    fn choice_needs_two_different_cards() {
        let rules = Rules::preset("classic");
        let [wild, seven] = ["W", "r7"].map(|code| rules.card(code).expect("a card"));
        let named = unolab_engine::color::Color::ALL.map(|color| Action::PlayNaming(wild, color));
        assert!(!has_two_cards(&named));
        assert!(!has_two_cards(&[Action::Play(seven), Action::Draw]));
        assert!(has_two_cards(&[named[0], Action::Play(seven)]));
    }
}
