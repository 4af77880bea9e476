//! [`Belief`]: which cards others are likely to hold, by what they did.
//!
//! A hand is a row of cards that came into it one after the other, and each of them is followed on its own: for every
//! kind there is a factor by which it is more or less likely than a card dealt fairly. What its owner does changes the
//! factors:
//!
//! - who draws instead of playing holds nothing coloured that could have followed, and probably no wild, unless the hand
//!   is large: good players save them;
//! - a card that was drawn and not played could not be played, or was a wild worth keeping;
//! - who plays a card probably holds none that players rank above it and that could have been played too;
//! - who plays a draw four, or any wild, probably has nothing coloured that could have followed;
//! - who names a colour, or goes over to it, probably holds more of it.
//!
//! A sampled world gives every card of a hand its own draw from what is unseen, weighted by its factors: an importance
//! sampling with one step for each card. What is certain needs no belief, and is in every world.

use unolab_engine::action::Action;
use unolab_engine::card::{Card, CardSet, MAX_KINDS};
use unolab_engine::cards::Cards;
use unolab_engine::event::{Event, Seen, Source};
use unolab_engine::machine::{Baseline, Machine};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{MAX_SEATS, Seat};
use unolab_engine::state::{Dealing, RoundState};

use crate::kinds::{Group, KindTable};

/// How much more or less likely a card becomes by what its owner did. They allow for players of all sorts: with 0, one
/// surprise would make the true world impossible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// A coloured card that could have been played, and something was drawn instead.
    pub could_follow: f32,
    /// A wild of which the same is true, in a small hand.
    pub wild_of_few: f32,
    /// The same in a larger hand.
    pub wild_of_many: f32,
    /// A card that ranks above the one that was played.
    pub ranks_higher: f32,
    /// A coloured card that could have followed when a wild was played.
    pub wild_was_played: f32,
    /// A card of the colour that was named.
    pub color_was_named: f32,
    /// A card of the colour that was played, where it could have been another.
    pub color_was_played: f32,
    /// A card of the colour that was left for another.
    pub color_was_left: f32,
}

impl Factors {
    /// Those that tell best what `mixbot` and `heuristic` hold, by the log-likelihood of which colours, wilds and action
    /// cards, and followers of the top card, their hands have.
    pub const STANDARD: Self = Self {
        could_follow: 0.01,
        wild_of_few: 0.1,
        wild_of_many: 0.9,
        ranks_higher: 0.4,
        wild_was_played: 0.15,
        color_was_named: 1.9,
        color_was_played: 1.1,
        color_was_left: 0.75,
    };
}

/// Hands up to this size would have played a wild, and up to that a draw four.
const PLAYS_WILD: u32 = 3;
const PLAYS_DRAW_FOUR: u32 = 5;

/// How likely a card is of each kind, against one dealt fairly.
#[derive(Debug, Clone)]
struct Slot {
    factors: [f32; MAX_KINDS],
}

impl Slot {
    const FAIR: Self = Self { factors: [1.0; MAX_KINDS] };

    fn scale(&mut self, kinds: CardSet, factor: f32) {
        kinds.iter().for_each(|card| self.factors[card.index()] *= factor);
    }

    /// Takes the evidence for all that the slot could be together.
    fn weight(&self, unseen: Cards) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "a few cards")]
        unseen.distinct().iter().map(|card| self.factors[card.index()] * unseen.count(card) as f32).sum()
    }
}

/// A seat has drawn instead of playing, and it is not settled yet whether it plays what it drew.
#[derive(Debug, Clone, Copy)]
struct Drawing {
    seat: Seat,
    could_follow: CardSet,
    cards: usize,
}

/// What a seat believes of the hands of the others, followed through the events of a round.
#[derive(Debug, Clone)]
pub struct Belief {
    factors: Factors,
    kinds: KindTable,
    hands: [Vec<Slot>; MAX_SEATS],
    drawing: Option<Drawing>,
}

impl Belief {
    /// Nothing has been seen yet.
    #[must_use]
    pub fn new(factors: Factors, rules: &Rules) -> Self {
        Self { factors, kinds: KindTable::of(rules), hands: std::array::from_fn(|_| Vec::new()), drawing: None }
    }

    /// A round begins: every hand was dealt fairly.
    pub fn begin_round(&mut self, observation: &Observation<'_>) {
        self.drawing = None;
        self.hands.iter_mut().for_each(Vec::clear);
        self.keep_in_step(observation);
    }

    /// Had a seat played what it drew, we would know by now.
    pub fn settle(&mut self, observation: &Observation<'_>) {
        self.settle_drawing();
        self.keep_in_step(observation);
    }

    /// Something happened.
    pub fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        match seen {
            Seen::Open(Event::Acted { seat, action, .. }) => self.note_action(seat, action, observation),
            Seen::Open(Event::Discarded { seat, card, from }) if seat != observation.seat() => {
                self.take_out(seat, card, from, observation);
            }
            Seen::HiddenDraw { seat } => {
                self.hands[seat.index()].push(Slot::FAIR);
                if let Some(drawing) = &mut self.drawing
                    && drawing.seat == seat
                {
                    drawing.cards += 1;
                }
            }
            Seen::Open(Event::Swapped(a, b)) => {
                self.drawing = None;
                self.hands.swap(a.index(), b.index());
            }
            Seen::Open(Event::Rotated { direction, .. }) => {
                self.drawing = None;
                let before = std::mem::replace(&mut self.hands, std::array::from_fn(|_| Vec::new()));
                let ring = unolab_engine::seat::Ring::of(observation.seats());
                for (from, hand) in before.into_iter().enumerate().filter(|(_, hand)| !hand.is_empty()) {
                    self.hands[ring.after(Seat::new(from), direction).index()] = hand;
                }
            }
            Seen::Open(_) => {}
        }
    }

    /// A world that fits the observation, drawn by this belief.
    #[must_use]
    pub fn sample_state(&self, observation: &Observation<'_>, rng: &mut Rng) -> RoundState {
        observation.sample_state_dealt::<Baseline>(&mut ByBelief { hands: &self.hands, dealt: [0; MAX_SEATS] }, rng)
    }

    /// Told before anything comes of the action.
    fn note_action(&mut self, seat: Seat, action: Action, observation: &Observation<'_>) {
        let decision = observation.decision();
        let goes_on =
            self.drawing.is_some_and(|drawing| drawing.seat == seat && matches!(decision, Decision::Drawn(_)));
        if !goes_on {
            self.settle_drawing();
        }
        if seat == observation.seat() || observation.current_seat() != Some(seat) {
            return;
        }
        let can_follow = observation.can_follow();
        match (decision, action) {
            (Decision::Turn, Action::Draw) => {
                self.note_draw(seat, can_follow, observation);
                self.drawing = Some(Drawing { seat, could_follow: can_follow, cards: 0 });
            }
            (Decision::Turn, Action::Play(card) | Action::PlayNaming(card, _)) => {
                self.note_play(seat, card, can_follow, observation);
            }
            (Decision::Drawn(_), Action::Keep) => self.note_keep(seat, can_follow, observation),
            _ => {}
        }
        if let Action::PlayNaming(_, color) | Action::NameColor(color) = action {
            self.scale_hand(seat, observation.rules().of_color(color), self.factors.color_was_named);
        }
    }

    fn note_draw(&mut self, seat: Seat, could_follow: CardSet, observation: &Observation<'_>) {
        let colored = observation.rules().colored();
        self.scale_hand(seat, could_follow & colored, self.factors.could_follow);
        let hand_len = observation.hand_len(seat);
        for (group, plays_up_to) in [(Group::Wild, PLAYS_WILD), (Group::DrawFour, PLAYS_DRAW_FOUR)] {
            let wilds = (self.kinds.group(group) & could_follow) - colored;
            let is_few = hand_len <= plays_up_to;
            let factor = if is_few { self.factors.wild_of_few } else { self.factors.wild_of_many };
            self.scale_hand(seat, wilds, factor);
        }
    }

    /// The order in which players lay their cards, as the published bots do.
    fn note_play(&mut self, seat: Seat, card: Card, could_follow: CardSet, observation: &Observation<'_>) {
        const RANKING: [Group; 4] = [Group::DrawTwo, Group::Skip, Group::Number, Group::Reverse];
        let colored = observation.rules().colored();
        if !colored.contains(card) {
            self.scale_hand(seat, could_follow & colored, self.factors.wild_was_played);
            return;
        }
        for group in RANKING.map(|group| self.kinds.group(group)).into_iter().take_while(|group| !group.contains(card))
        {
            self.scale_hand(seat, group & could_follow & colored, self.factors.ranks_higher);
        }
        let rules = observation.rules();
        if let (Some(played), Some(before)) = (rules.color_of(card), observation.color())
            && played != before
        {
            self.scale_hand(seat, rules.of_color(played), self.factors.color_was_played);
            self.scale_hand(seat, rules.of_color(before), self.factors.color_was_left);
        }
    }

    /// The card just drawn could have been played, and was kept.
    fn note_keep(&mut self, seat: Seat, could_follow: CardSet, observation: &Observation<'_>) {
        self.drawing = None;
        if let Some(drawn) = self.hands[seat.index()].last_mut() {
            drawn.scale(CardSet(u64::MAX) - could_follow, 0.0);
            drawn.scale(could_follow & observation.rules().colored(), self.factors.could_follow);
        }
    }

    /// The cards drawn could not be played.
    fn settle_drawing(&mut self) {
        let Some(Drawing { seat, could_follow, cards }) = self.drawing.take() else { return };
        let hand = &mut self.hands[seat.index()];
        let first = hand.len().saturating_sub(cards);
        hand[first..].iter_mut().for_each(|drawn| drawn.scale(could_follow, 0.0));
    }

    /// A card leaves the hand: the one just drawn, or the one that it most likely was.
    fn take_out(&mut self, seat: Seat, card: Card, from: Source, observation: &Observation<'_>) {
        let mut unseen = observation.unseen();
        unseen.add(card);
        let hand = &mut self.hands[seat.index()];
        match from {
            Source::JustDrawn => {
                hand.pop();
                // Under rules by which one draws until something fits, the cards before did not.
                if let Some(drawing) = &mut self.drawing {
                    drawing.cards = drawing.cards.saturating_sub(1);
                }
                self.settle_drawing();
            }
            Source::Hand => {
                let likelihood = |slot: &Slot| slot.factors[card.index()] / slot.weight(unseen).max(f32::MIN_POSITIVE);
                let most_likely =
                    (0..hand.len()).rev().max_by(|&a, &b| likelihood(&hand[a]).total_cmp(&likelihood(&hand[b])));
                if let Some(i) = most_likely {
                    hand.remove(i);
                }
            }
        }
    }

    fn scale_hand(&mut self, seat: Seat, kinds: CardSet, factor: f32) {
        self.hands[seat.index()].iter_mut().for_each(|slot| slot.scale(kinds, factor));
    }

    /// Where cards have come or gone in a way that was not followed, the rest is fair.
    fn keep_in_step(&mut self, observation: &Observation<'_>) {
        for seat in observation.seats().iter() {
            self.hands[seat.index()].resize(observation.hand_len(seat) as usize, Slot::FAIR);
        }
    }
}

/// Deals by belief: the cards of a hand one after the other.
struct ByBelief<'a> {
    hands: &'a [Vec<Slot>; MAX_SEATS],
    dealt: [usize; MAX_SEATS],
}

impl Dealing for ByBelief<'_> {
    fn next_card<M: Machine>(&mut self, seat: Seat, heap: Cards, len: u32, rng: &mut Rng) -> Card {
        let number = self.dealt[seat.index()];
        self.dealt[seat.index()] += 1;
        let Some(slot) = self.hands[seat.index()].get(number) else { return heap.nth(rng.below(len)) };
        #[expect(clippy::cast_possible_truncation, reason = "a weight needs no more")]
        let mut left = rng.unit() as f32 * slot.weight(heap);
        let mut last = None;
        for card in heap.distinct() {
            #[expect(clippy::cast_precision_loss, reason = "a few cards")]
            let weight = slot.factors[card.index()] * heap.count(card) as f32;
            if weight > 0.0 {
                last = Some(card);
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        // Nothing on the heap that it could be: what was believed was wrong.
        last.unwrap_or_else(|| heap.nth(rng.below(len)))
    }
}
