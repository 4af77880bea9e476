//! All decisions other than the turn.
#![expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a few cards; values need no more")]

use unolab_engine::action::Action;
use unolab_engine::card::CardSet;
use unolab_engine::color::Color;
use unolab_engine::fast::Isa;
use unolab_engine::rules::{DrawTwoTarget, Features, Group, Special, TinkerResume};
use unolab_engine::seat::Seat;
use unolab_engine::state::AfterColor;

use super::rest::Rest;
use super::{NotDiscarded, Remembers, Sight, View};
use crate::possible::Draws;

impl<M: Isa> View<'_, M> {
    /// The colour named apart from a play: for one's own turn the one with most to play, otherwise as after a wild.
    #[inline(always)]
    pub(super) fn best_color(&self, then: AfterColor) -> Color {
        let situation = self.situation(self.observation.hand());
        let hand = &situation.hand;
        let value = |color: Color| match then {
            AfterColor::OwnTurn | AfterColor::OwnSwap => hand.counts(self.rules, Some(color)).of_color as f32,
            AfterColor::NextTurn => {
                let followers = self.rules.can_follow(self.observation.top(), Some(color));
                self.worth_of_rest(hand, followers, Some(color))
                    + self.worth_of_holding(situation.next, &situation.hand_of_next, followers)
            }
        };
        best_by(Color::ALL, value).expect("four colours")
    }

    /// Challenges where that costs fewer cards on average than to accept.
    #[inline(always)]
    pub(super) fn answer_draw_four(&self, by: Seat, color_before: Color, sum: u8) -> Action {
        if self.rules.features().contains(Features::STACKING)
            && let Some(answer) = self.best_legal_play()
        {
            return answer;
        }
        self.challenge_or_accept(by, sum, self.chance_of_bluff(by, color_before))
    }

    /// The same without knowledge of any hand, where no card can answer.
    #[inline(always)]
    pub(super) fn answer_by_counts(&self, by: Seat, sum: u8, counted: NotDiscarded) -> Action {
        let hand = self.observation.hand();
        let draws = Draws::new(self.observation.hand_len(by), counted.cards - hand.len());
        let honest = draws.chance_of_none(counted.cards_of_color - hand.len_of(counted.of_color));
        self.challenge_or_accept(by, sum, self.share_of_bluffs(honest as f32))
    }

    #[inline(always)]
    fn challenge_or_accept(&self, by: Seat, sum: u8, bluff: f32) -> Action {
        let parameters = self.rules.parameters();
        let opponents = (self.observation.seats() - self.side()).len() as f32;
        let guilty_draw = parameters.guilty_draw.get() as f32 / opponents.max(1.0);
        // What it costs to accept, and what a wrong challenger draws.
        let (accepted, wrong) = self.cards_drawn(by, sum);
        let gain_by_right = accepted + guilty_draw;
        let loss_by_wrong = wrong - accepted;
        let forgets = matches!(self.remembers, Remembers::Nothing);
        let look = if forgets || self.top_is_villain() { 0.0 } else { self.weights.look };
        let expected = bluff * gain_by_right - (1.0 - bluff) * loss_by_wrong + look;
        if expected > 0.0 && !self.side().contains(by) { Action::Challenge } else { Action::Accept }
    }

    /// The cards that this seat draws if the draw four is let be, and if it challenges in vain; a lost turn counts as
    /// cards.
    #[inline(always)]
    fn cards_drawn(&self, by: Seat, sum: u8) -> (f32, f32) {
        let wrong_draw = self.rules.parameters().wrong_draw.get() as f32;
        let turn = self.weights.turn / self.weights.card;
        if self.top_is_villain() {
            // Everybody lays a card of the button's colour or draws four, and loses no turn.
            let held = self.observation.hand().distinct();
            let mut shields = 0;
            for color in Color::ALL {
                shields += u8::from((held & self.rules.of_color(color)).any());
            }
            let share = f32::from(shields) / 4.0;
            (4.0 * (1.0 - share) - share, wrong_draw)
        } else if self.observation.next_seat(by) == self.observation.seat() {
            (f32::from(sum) + turn, wrong_draw + turn)
        } else {
            (0.0, wrong_draw) // the victim may challenge himself
        }
    }

    #[inline(always)]
    fn top_is_villain(&self) -> bool {
        self.rules.of_special(Special::VillainDrawFour).contains(self.observation.top())
    }

    /// By Bayes: an honest player holds nothing of the colour; of those who could bluff, a few do.
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

    /// A card on the touch, if there is one. With nothing left to draw, taking is free if it is allowed, and one touch on
    /// another would send the same cards round the table for ever.
    #[inline(always)]
    pub(super) fn answer_cheese(&self) -> Action {
        let answers = self.legal_plays();
        let touch = CardSet::of(self.observation.top());
        let may_take = self.observation.may(Action::Take);
        let sensible = if self.observation.can_draw() || !may_take { answers } else { answers - touch };
        self.best_play(&self.situation(self.observation.hand()), sensible).map_or(Action::Take, |best| best.action)
    }

    /// The best of the plays that are legal, where not every card is.
    #[inline(always)]
    pub(super) fn best_legal_play(&self) -> Option<Action> {
        self.best_play(&self.situation(self.observation.hand()), self.legal_plays()).map(|best| best.action)
    }

    fn legal_plays(&self) -> CardSet {
        let legal = self.observation.legal_actions();
        let plays = legal.iter().filter(|action| matches!(action, Action::Play(_) | Action::PlayNaming(..)));
        plays.filter_map(|action| action.card()).collect()
    }

    /// Takes the shortest hand, if that is shorter than one's own or must be.
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

    /// Keeps the hand in front if none that is still to come is shorter: those of the seats before, the own one last.
    #[inline(always)]
    pub(super) fn choose_lap(&self, passes: u8) -> Action {
        let mut before: Vec<Seat> = self.observation.others().collect();
        before.reverse();
        let to_come = before.len() + 1 - usize::from(passes);
        let own = self.observation.hand().len();
        let shorter_comes = before.iter().take(to_come).any(|&seat| self.observation.hand_len(seat) < own);
        if shorter_comes { Action::Rotate } else { Action::KeepHand }
    }

    /// Chooses an opponent with few cards, or the one after which the turn comes back soonest.
    #[inline(always)]
    pub(super) fn choose_target(&self) -> Action {
        let parameters = self.rules.parameters();
        let sight = self.sight(self.observation.hand());
        let turn_moves = parameters.draw_two_target == DrawTwoTarget::Tinker
            && parameters.tinker_resume == TinkerResume::AfterVictim;
        let unmoved = self.worth_of_next_turn(&sight, self.observation.next_seat(self.observation.seat()));
        let value = |victim: Seat| {
            let hit = match self.observation.hand_len(victim) {
                1 => self.weights.hit_one,
                2 => self.weights.hit_two,
                _ => self.weights.hit,
            };
            let then =
                if turn_moves { self.worth_of_next_turn(&sight, self.observation.next_seat(victim)) } else { unmoved };
            self.other(victim).side * (hit + self.weights.card) + then
        };
        Action::Target(best_by(self.observation.others(), value).expect("another seat"))
    }

    /// How good it is that this seat is the next to act.
    #[inline(always)]
    fn worth_of_next_turn(&self, sight: &Sight<'_>, to_act: Seat) -> f32 {
        if to_act == self.observation.seat() {
            return self.weights.turn;
        }
        let to_act = self.other(to_act);
        self.worth_of_holding(to_act, &self.hidden_hand(sight, to_act), self.observation.can_follow())
    }

    /// Discards everything, and leaves the top card that suits the rest of the hand best.
    #[inline(always)]
    pub(super) fn choose_discard(&self, color: Color) -> Action {
        let of_color = self.rules.of_color(color);
        let situation = self.situation(self.observation.hand());
        let rest = Rest::of(self.rules, situation.hand.cards.only(self.rules.every_kind() - of_color));
        let value = |top| {
            let followers = self.rules.can_follow(top, Some(color));
            self.worth_of_rest(&rest, followers, Some(color))
                + self.worth_of_holding(situation.next, &situation.hand_of_next, followers)
        };
        best_by(situation.hand.cards.distinct() & of_color, value).map_or(Action::DiscardNone, Action::DiscardAll)
    }

    /// Lays the card that the rest of the hand misses least.
    #[inline(always)]
    pub(super) fn choose_protection(&self, color: Color) -> Action {
        let of_color = self.rules.of_color(color);
        let shields = self.observation.hand().distinct() & of_color;
        let first = shields.first().expect("a card of the colour");
        if shields == CardSet::of(first) {
            return Action::Protect(first);
        }
        let (hand, point) = (Rest::of(self.rules, self.observation.hand()), self.point());
        let numbers = self.kinds.group(Group::Number);
        let (mut best, mut highest) = (first, None);
        for card in shields {
            let rest = &hand.without(self.rules, card);
            let value = self.worth_of_rest(rest, of_color, Some(color)) - self.worth_in_hand(numbers, card, rest)
                + self.worth_of_points(point, card);
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
