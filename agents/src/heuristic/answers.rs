//! All decisions other than the turn.
#![expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a few cards; values need no more")]

use unolab_engine::action::Action;
use unolab_engine::card::CardSet;
use unolab_engine::color::Color;
use unolab_engine::cpu::Isa;
use unolab_engine::observation::Decision;
use unolab_engine::rules::{DrawTwoTarget, Features, Group, Special, TinkerResume};
use unolab_engine::seat::Seat;
use unolab_engine::state::AfterColor;

use super::remaining_hand::RemainingHand;
use super::stateless::DrawFourCounts;
use super::{Choice, HandSource, Memory, Other, View, Weights};
use crate::possible::Draws;

/// The number of cards that a seat draws for the Villain if it plays no protection.
const DRAWN_WITHOUT_PROTECTION: f32 = 4.0;

impl Choice<'_> {
    /// The cards with which the decision can be answered by a play. If there are any, no other answer is better.
    ///
    /// A Cheese Touch is answered with a card if possible. If no card is left to draw, taking costs nothing where it is
    /// allowed, and answers could pass the same cards around the table forever.
    pub(super) fn answering_cards(&self) -> CardSet {
        let observation = self.observation;
        let is_stacked = observation.rules().features().contains(Features::STACKING);
        match observation.decision() {
            Decision::Challenge { .. } if is_stacked => self.legal_plays(),
            Decision::Stack(_) => self.legal_plays(),
            Decision::Cheese if observation.can_draw() || !observation.may(Action::Take) => self.legal_plays(),
            Decision::Cheese => self.legal_plays() - CardSet::of(observation.top()),
            _ => CardSet::EMPTY,
        }
    }

    fn legal_plays(&self) -> CardSet {
        let legal = self.observation.legal_actions();
        let plays = legal.iter().filter(|action| matches!(action, Action::Play(_) | Action::PlayNaming(..)));
        plays.filter_map(|action| action.card()).collect()
    }
}

impl<M: Isa> View<'_, M> {
    /// The color named separately from a play: on this seat's turn the color with the most playable cards, otherwise as after
    /// a wild.
    #[inline(always)]
    pub(super) fn best_color(&self, then: AfterColor) -> Color {
        let situation = self.situation(self.observation.hand());
        let hand = &situation.hand;
        let value = |color: Color| match then {
            AfterColor::OwnTurn | AfterColor::OwnSwap => hand.counts(self.rules, Some(color)).of_color as f32,
            AfterColor::NextTurn | AfterColor::Effect(_) => {
                let followers = self.rules.can_follow(self.observation.top(), Some(color));
                self.worth_of_rest(hand, followers, Some(color))
                    + self.worth_of_holding(situation.next, &situation.hand_of_next, followers)
            }
        };
        best_by(Color::ALL, value).expect("four colors")
    }

    /// Challenges if this costs fewer cards on average than accepting.
    #[inline(always)]
    pub(super) fn answer_draw_four(&self, by: Seat, color_before: Color, sum: u8) -> Action {
        self.challenge_or_accept(by, sum, self.chance_of_bluff(by, color_before))
    }

    /// The same without knowledge of any hand, if no card can be an answer.
    #[inline(always)]
    pub(super) fn answer_by_counts(&self, by: Seat, sum: u8, counted: &DrawFourCounts) -> Action {
        if counted.is_unchallenged || self.cards_drawn(by, sum).0 <= counted.all_accept {
            return Action::Accept;
        }
        let hand = self.observation.hand();
        let bluff = self.bluff_by_counts(by, counted, hand.len(), hand.len_of(counted.of_color));
        self.challenge_or_accept(by, sum, bluff)
    }

    /// A number of cards that every player prefers to draw rather than challenge this draw four, regardless of their hands.
    #[inline(always)]
    pub(super) fn all_accept(&self, by: Seat, counted: &DrawFourCounts, most_held: u32) -> f32 {
        const FOR_ROUNDING: f32 = 0.01; // cards: the exact value is rounded in another order
        // The more cards a seat holds itself, and the fewer of the color, the more likely the player of the draw four has one
        // of the color.
        let bluff = self.bluff_by_counts(by, counted, most_held, 0);
        let wrong = self.rules.parameters().wrong_draw.get() as f32;
        wrong - bluff * (wrong + self.cards_for_the_guilty()) - FOR_ROUNDING
    }

    /// Whether every player accepts, if all prefer drawing this number of cards to a challenge. With the Villain no player
    /// draws more than the players without protection.
    #[inline(always)]
    pub(super) fn is_accepted_by_all(&self, all_accept: f32) -> bool {
        self.top_is_villain() && DRAWN_WITHOUT_PROTECTION <= all_accept
    }

    /// The probability of a bluff, for a seat that holds this number of the cards that are not discarded, some of them of the
    /// color that was in force.
    #[inline(always)]
    fn bluff_by_counts(&self, by: Seat, counted: &DrawFourCounts, held: u32, held_of_color: u32) -> f32 {
        let unseen = counted.cards - held;
        let of_color = (counted.cards_of_color - held_of_color).min(unseen);
        let honest = Draws::new(self.observation.hand_len(by), unseen).chance_of_none(of_color);
        self.share_of_bluffs(honest as f32)
    }

    #[inline(always)]
    fn challenge_or_accept(&self, by: Seat, sum: u8, bluff: f32) -> Action {
        // The cost of accepting, and the number of cards that a wrong challenger draws.
        let (accepted, wrong) = self.cards_drawn(by, sum);
        let gain_by_right = accepted + self.cards_for_the_guilty();
        let loss_by_wrong = wrong - accepted;
        let forgets = matches!(self.remembers, Memory::Nothing);
        let look = if forgets || self.top_is_villain() { 0.0 } else { self.weights.look };
        let expected = bluff * gain_by_right - (1.0 - bluff) * loss_by_wrong + look;
        if expected > 0.0 && !self.side().contains(by) { Action::Challenge } else { Action::Accept }
    }

    /// The value to each opponent of a bluffing player's draw.
    #[inline(always)]
    fn cards_for_the_guilty(&self) -> f32 {
        let opponents = (self.observation.seats() - self.side()).len() as f32;
        self.rules.parameters().guilty_draw.get() as f32 / opponents.max(1.0)
    }

    /// The number of cards that this seat draws if it accepts the draw four, and if its challenge fails; a lost turn counts
    /// as cards.
    #[inline(always)]
    fn cards_drawn(&self, by: Seat, sum: u8) -> (f32, f32) {
        let wrong_draw = self.rules.parameters().wrong_draw.get() as f32;
        let turn = self.weights.turn / self.weights.card;
        if self.top_is_villain() {
            // Every player plays a card of the button's color or draws four; no player loses a turn.
            let held = self.observation.hand().distinct();
            let mut shields = 0;
            for color in Color::ALL {
                shields += u8::from((held & self.rules.of_color(color)).any());
            }
            let share = f32::from(shields) / 4.0;
            (DRAWN_WITHOUT_PROTECTION * (1.0 - share) - share, wrong_draw)
        } else if self.observation.next_seat(by) == self.observation.seat() {
            (f32::from(sum) + turn, wrong_draw + turn)
        } else {
            (0.0, wrong_draw) // the victim may challenge
        }
    }

    #[inline(always)]
    fn top_is_villain(&self) -> bool {
        self.rules.of_special(Special::VillainDrawFour).contains(self.observation.top())
    }

    /// By Bayes' theorem: an honest player holds no card of the color, and some of the players who could bluff do so.
    #[inline(always)]
    fn chance_of_bluff(&self, by: Seat, color: Color) -> f32 {
        let of_color = self.rules.of_color(color);
        let player = self.hidden_hand(&self.sight(self.observation.hand()), self.other(by));
        if (player.known & of_color).any() {
            return 1.0;
        }
        self.share_of_bluffs(player.unknown.chance_to_follow_nothing(of_color) as f32)
    }

    #[inline(always)]
    fn share_of_bluffs(&self, honest: f32) -> f32 {
        let bluffing = (1.0 - honest) * self.weights.suspicion;
        bluffing / (bluffing + honest).max(f32::MIN_POSITIVE)
    }

    /// Takes the shortest hand, if that is shorter than this seat's hand or must be.
    #[inline(always)]
    pub(super) fn choose_swap(&self) -> Action {
        let len = |seat: Seat| self.observation.hand_len(seat);
        let shortest = self.observation.others().min_by_key(|&seat| len(seat)).expect("another seat");
        let is_worth_it = len(shortest) < self.observation.hand().len();
        if !is_worth_it && self.observation.legal_actions().contains(&Action::NoSwap) {
            Action::NoSwap
        } else {
            Action::Swap(shortest)
        }
    }

    /// Keeps the hand in front if no later hand is shorter. The hands of the previous seats come first, this seat's own hand
    /// last.
    #[inline(always)]
    pub(super) fn choose_lap(&self, passes: u8) -> Action {
        let own = self.observation.hand().len();
        let mut before = self.observation.seat();
        for _ in usize::from(passes)..self.observation.seats().len() {
            before = self.observation.previous_seat(before);
            if self.observation.hand_len(before) < own {
                return Action::Rotate;
            }
        }
        Action::KeepHand
    }

    /// Chooses an opponent with few cards, or the opponent after whom the turn returns soonest.
    #[inline(always)]
    pub(super) fn choose_target(&self) -> Action {
        let parameters = self.rules.parameters();
        let sight = &self.sight(self.observation.hand());
        let turn_moves = parameters.draw_two_target == DrawTwoTarget::Tinker
            && parameters.tinker_resume == TinkerResume::AfterVictim;
        let (mut best, mut highest) = (None, f32::NEG_INFINITY);
        let first = self.other_after(self.observation.seat());
        let mut victim = first;
        while let Some(other) = victim {
            let after_it = self.other_after(other.seat);
            let hit = match other.hand_len {
                1 => self.weights.hit_one,
                2 => self.weights.hit_two,
                _ => self.weights.hit,
            };
            let then = self.worth_of_next_turn(sight, if turn_moves { after_it } else { first });
            let value = other.side * (hit + self.weights.card) + then;
            if best.is_none() || value > highest {
                (best, highest) = (Some(other.seat), value);
            }
            victim = after_it;
        }
        Action::Target(best.expect("another seat"))
    }

    /// The seat after this one; `None` if that is the agent itself.
    #[inline(always)]
    fn other_after(&self, seat: Seat) -> Option<Other> {
        let after = self.observation.next_seat(seat);
        if after == self.observation.seat() { None } else { Some(self.other(after)) }
    }

    /// The value to the agent if `to_act` is the next to act; `None` is the agent itself.
    #[inline(always)]
    fn worth_of_next_turn(&self, sight: &HandSource<'_>, to_act: Option<Other>) -> f32 {
        match to_act {
            None => self.weights.turn,
            Some(other) => self.worth_of_holding(other, &self.hidden_hand(sight, other), self.observation.can_follow()),
        }
    }

    /// Discards everything, and leaves the top card that suits the rest of the hand best.
    #[inline(always)]
    pub(super) fn choose_discard(&self, color: Color) -> Action {
        let of_color = self.rules.of_color(color);
        let tops = self.observation.hand().distinct() & of_color;
        let Some(mut best) = tops.first() else { return Action::DiscardNone };
        let mut highest = f32::NEG_INFINITY;
        if tops == CardSet::of(best) {
            return Action::DiscardAll(best);
        }
        let situation = &self.situation(self.observation.hand());
        let rest = &RemainingHand::of(self.rules, situation.hand.cards.only(self.rules.every_kind() - of_color));
        for top in tops {
            let followers = self.rules.can_follow(top, Some(color));
            let value = self.worth_of_rest(rest, followers, Some(color))
                + self.worth_of_holding(situation.next, &situation.hand_of_next, followers);
            if value > highest {
                (best, highest) = (top, value);
            }
        }
        Action::DiscardAll(best)
    }

    /// Whether an action card is worth more in hand than a number, for any length of the round.
    #[inline(always)]
    fn always_misses_actions(&self) -> bool {
        let Weights { keep_action, patience_one, patience_two, .. } = self.weights;
        *keep_action > 0.0 && *patience_one > 0.0 && *patience_two > 0.0
    }

    /// Plays the card that the rest of the hand needs least.
    #[inline(always)]
    pub(super) fn choose_protection(&self, color: Color) -> Action {
        let of_color = self.rules.of_color(color);
        let hand = self.observation.hand();
        let shields = hand.distinct() & of_color;
        let first = shields.first().expect("a card of the color");
        if shields == CardSet::of(first) {
            return Action::Protect(first);
        }
        // All number cards are equally useful, and so are all action cards: only their points differ.
        let numbers = self.kinds.group(Group::Number);
        let point = self.point();
        if let Some(number) = (shields & numbers).first()
            && point == 0.0
            && self.always_misses_actions()
        {
            return Action::Protect(number);
        }
        let choices = if point == 0.0 { (shields & numbers).lowest() | (shields - numbers).lowest() } else { shields };
        if choices == CardSet::of(first) {
            return Action::Protect(first);
        }
        // One card fewer of a color that remains in hand: the rest of the hand has the same value for every choice.
        let rest = &RemainingHand::of(self.rules, hand).without(self.rules, first);
        let worth_of_rest = self.worth_of_rest(rest, of_color, Some(color));
        let (mut best, mut highest) = (first, None);
        for card in choices {
            let value = worth_of_rest - self.worth_in_hand(numbers, card, rest) + self.worth_of_points(point, card);
            if highest.is_none_or(|highest| value > highest) {
                (best, highest) = (card, Some(value));
            }
        }
        Action::Protect(best)
    }
}

/// The item of highest value, the first of equals.
#[inline(always)]
fn best_by<T: Copy>(items: impl IntoIterator<Item = T>, value: impl Fn(T) -> f32) -> Option<T> {
    let mut best: Option<(f32, T)> = None;
    for item in items {
        let value = value(item);
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, item));
        }
    }
    best.map(|(_, item)| item)
}
