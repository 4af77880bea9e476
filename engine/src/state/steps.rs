//! Cards with several effects, one step after the other, and the effects of a last card.

use std::cmp::Reverse;

use super::event_sink::EventSink;
use super::phase::{AfterColor, Cursor, Ending, Outcome, Phase, SkipCount, SwapFor, TargetFor};
use super::play::Table;
use crate::card::{Card, CardSet};
use crate::cards::Cards;
use crate::chance::{Chance, TaskResult};
use crate::color::Color;
use crate::event::{Event, HandView, Source};
use crate::implication::Conclusion;
use crate::rules::{
    Amount, CardKind, DiscardedCards, DrawCount, FeatureSet, Features, LastCard, Special, Step, Until, VillainLastCard,
    Who,
};
use crate::seat::{DirectionChange, Seat, SeatSet};

impl<P: FeatureSet, C: Chance, E: EventSink> Table<'_, P, C, E> {
    /// The round ends with this card: only effects that make a player draw still happen (rulings, SW-18).
    pub(super) fn play_last_card(&mut self, seat: Seat, card: Card, owed: u8) {
        let full_villain = self.has(Features::STEPS)
            && self.rules.card_def(card).as_special() == Some(Special::VillainDrawFour)
            && self.rules.parameters().villain_last_card == VillainLastCard::Full;
        if full_villain {
            self.state.uncalled = SeatSet::EMPTY;
            return self.villain_strikes(seat, None);
        }
        self.end_round(Outcome::WentOut(seat));
        let drawn = self.rules.tables.last_card_draws[card.index()];
        if drawn > 0 {
            self.draw(self.state.next_seat(seat), u32::from(drawn) + u32::from(owed));
        }
        // no color is chosen.
        self.state.color = self.rules.color_of(card);
        let may_be_custom = drawn == 0 && !self.rules.steps_of(card).is_empty() && self.has(Features::STEPS);
        if may_be_custom && matches!(self.rules.card_def(card).kind, CardKind::Custom(_)) {
            self.run_steps(Self::cursor(seat, card, Ending::GoesOut));
        }
    }

    /// Executes the steps from the cursor on; returns at the next decision.
    pub(super) fn run_steps(&mut self, mut cursor: Cursor) {
        let player = cursor.player;
        if cursor.ending == Ending::GoesOut {
            self.end_round(Outcome::WentOut(player));
        }
        let rules = self.rules;
        let steps = rules.steps_of(cursor.card);
        while let Some(&step) = steps.get(usize::from(cursor.next)) {
            if cursor.ending == Ending::GoesOut && !runs_as_last_card(&steps[usize::from(cursor.next)..]) {
                cursor.next += 1;
                continue;
            }
            if step.needs_target() && cursor.target.is_none() {
                self.state.phase = Phase::Target(TargetFor::Effect(cursor));
                self.state.to_act = player;
                return;
            }
            cursor.next += 1;
            match step {
                Step::Draw { who, amount } => {
                    for seat in self.concerned(who, cursor) {
                        self.draw_amount(seat, amount);
                    }
                }
                Step::Skip(count) => {
                    if let SkipCount::Next(skips) = &mut cursor.skips {
                        *skips += count;
                    }
                }
                Step::SkipAll => cursor.skips = SkipCount::All,
                Step::Reverse => {
                    if self.reverse(player) != player
                        && let SkipCount::Next(skips) = &mut cursor.skips
                    {
                        *skips += 1;
                    }
                }
                Step::TurnDirection => self.state.direction = self.state.direction.turned(DirectionChange::Reverses),
                Step::ChooseColor { who } => {
                    if let Some(&seat) = self.concerned(who, cursor).first() {
                        self.state.phase = Phase::NameColor(AfterColor::Effect(cursor));
                        self.state.to_act = seat;
                        return;
                    }
                }
                Step::Choice { who, .. } => {
                    // A player who has gone out may still choose what the others draw.
                    let chooser =
                        if who == Who::Player { Some(player) } else { self.concerned(who, cursor).first().copied() };
                    if let Some(seat) = chooser {
                        self.state.phase = Phase::Choice(Cursor { chooser: None, ..cursor });
                        self.state.to_act = seat;
                        return;
                    }
                }
                Step::Option { steps } => cursor.next += steps, // another option was chosen
                Step::Discard { who, cards } => {
                    for seat in self.concerned(who, cursor) {
                        let cards_before = self.state.hand(seat).len();
                        self.discard_under_top(seat, cards);
                        if seat != player {
                            self.hand_was_reduced(seat, cards_before);
                        }
                    }
                }
                Step::SwapHands(_) => {
                    self.state.phase = Phase::Swap(SwapFor::Effect(cursor));
                    self.state.to_act = player;
                    return;
                }
                Step::TradeHands { who } => {
                    for seat in self.concerned(who, cursor) {
                        self.state.hands.swap(player.index(), seat.index());
                        self.emit(Event::Swapped(player, seat));
                        self.hand_was_exchanged(seat, player); // SW-11
                    }
                }
                Step::RotateHands => {
                    self.rotate_hands(player, HandView::EverySeat);
                    self.state.seats().for_each(|seat| self.hand_was_exchanged(seat, player));
                }
                Step::ShuffleHands => self.shuffle_hands(player),
                Step::Look { who } => {
                    for hand_of in self.other_seats_concerned(who, cursor) {
                        self.emit(Event::Showed { hand_of, to: player });
                    }
                }
                Step::Take { who, count } => {
                    for seat in self.other_seats_concerned(who, cursor) {
                        let cards_before = self.state.hand(seat).len();
                        self.move_cards(seat, player, count);
                        self.hand_was_reduced(seat, cards_before);
                    }
                }
                Step::Give { who, count } => {
                    for seat in self.other_seats_concerned(who, cursor) {
                        self.move_cards(player, seat, count);
                    }
                }
                Step::Task { success, penalty_steps } => {
                    let result = self.chance.task(success);
                    self.emit(Event::Task(result));
                    if result == TaskResult::Done {
                        cursor.next += penalty_steps;
                    }
                }
                Step::ButtonDrawTwo => return self.press_button_for_draw_two(player),
                Step::CheeseTouch => return self.touch_with_cheese(player),
                Step::VictoryLap => return self.begin_lap(player),
                Step::DiscardAll => return self.press_button_to_discard(player),
                Step::StackDraw(_) | Step::DrawFour | Step::VillainDrawFour => return, // handled by `Play`
            }
        }
        self.finish_play(cursor);
    }

    /// All steps are done: a player may have gone out; otherwise play continues.
    fn finish_play(&mut self, cursor: Cursor) {
        let player = cursor.player;
        if cursor.ending == Ending::GoesOut {
            return;
        }
        if let Some(winner) = self.first_empty_hand(player) {
            return self.end_round(Outcome::WentOut(winner)); // SW-18
        }
        if self.rules.tables.changes_own_hand.contains(cursor.card) {
            self.settle_call(player);
        }
        if self.has(Features::EXPLICIT_CALLS) {
            // Later effects may have given cards to a player whom an earlier effect left with one card.
            self.state.uncalled = self.state.seats().filter(|&seat| self.owes_call(seat)).collect();
        }
        match cursor.skips {
            SkipCount::All => self.begin_turn(player),
            SkipCount::Next(skips) => {
                // A card makes no player lose more than one turn.
                let others = self.state.others(player).count();
                let last = (0..others.min(usize::from(skips))).fold(player, |seat, _| self.state.next_seat(seat));
                self.begin_turn_after(last);
            }
        }
    }

    /// The seats that an effect concerns, in order of play.
    fn concerned(&mut self, who: Who, cursor: Cursor) -> Vec<Seat> {
        let player = cursor.player;
        match who {
            // A player who has gone out no longer draws.
            Who::Player if cursor.ending == Ending::GoesOut => Vec::new(),
            Who::Player => vec![player],
            Who::Next => vec![self.state.next_seat(player)],
            Who::Previous => self.state.others(player).last().into_iter().collect(),
            // Partners sit across from each other, at tables of four.
            Who::Partner => self.state.others(player).nth(1).into_iter().collect(),
            Who::Others => self.state.others(player).collect(),
            Who::All if cursor.ending == Ending::GoesOut => self.state.others(player).collect(),
            Who::All => std::iter::once(player).chain(self.state.others(player)).collect(),
            Who::Chosen => cursor.target.into_iter().collect(),
            Who::Chooser => cursor.chooser.into_iter().collect(),
            Who::RandomOther => {
                let others: SeatSet = self.state.others(player).collect();
                let seat = self.chance.seat(others);
                self.emit(Event::Chosen(seat));
                vec![seat]
            }
            // For equal hands, `min_by_key` returns the first.
            Who::SmallestHand => {
                self.state.others(player).min_by_key(|&seat| self.state.hand(seat).len()).into_iter().collect()
            }
            Who::LargestHand => {
                let len = |&seat: &Seat| Reverse(self.state.hand(seat).len());
                self.state.others(player).min_by_key(len).into_iter().collect()
            }
        }
    }

    /// A seat draws a number of cards, or as many as there are.
    fn draw_amount(&mut self, seat: Seat, amount: Amount) {
        match amount {
            Amount::Exactly(count) => self.draw(seat, u32::from(count)),
            Amount::Between(from, to) => {
                // Each of the n remaining numbers is equally likely, including the lowest.
                let mut count = from;
                while count < to && self.is_more(f64::from(to - count) / f64::from(to - count + 1)) {
                    count += 1;
                }
                self.draw(seat, u32::from(count));
            }
            Amount::Turns(turns) => (0..turns).for_each(|_| self.draw_as_on_turn(seat)),
            Amount::Until(Until::Any) => {
                let before = self.state.hand(seat).len();
                while self.state.hand(seat).len() == before && self.state.can_draw() && !self.has_too_many_cards(seat) {
                    self.draw_as_on_turn(seat);
                }
            }
            Amount::Until(until) => {
                let color = self.state.color;
                if until == Until::NamedColor && color.is_none() {
                    return; // a last card names no color
                }
                while !self.has_too_many_cards(seat)
                    && let Some(card) = self.draw_one(seat)
                {
                    if self.has(Features::DRAW_CONSEQUENCES) {
                        self.close_window_of_player_before(seat);
                    }
                    let ends = match until {
                        Until::NamedColor => self.rules.color_of(card) == color,
                        Until::Playable | Until::Any => {
                            self.state.playable_among::<P>(self.rules, seat, CardSet::of(card)).any()
                        }
                    };
                    let can_draw = self.state.can_draw() && !self.has_too_many_cards(seat);
                    if self.events.receives_implications() && can_draw {
                        self.imply_drawn_until(seat, until, ends); // all players see whether the seat draws on
                    }
                    if ends {
                        break;
                    }
                }
            }
        }
    }

    /// The card that a seat has just drawn ends its drawing, or does not.
    fn imply_drawn_until(&mut self, seat: Seat, until: Until, ends: bool) {
        let kinds = match (until, self.state.color) {
            (Until::NamedColor, Some(color)) => self.rules.of_color(color),
            (Until::NamedColor, None) => return,
            // Whether a draw four is playable may depend on the rest of the hand: it is left out.
            (Until::Playable | Until::Any, _) if ends && self.has(Features::HONEST_DRAW_FOURS_ONLY) => {
                self.state.can_follow(self.rules) - self.rules.draw_fours()
            }
            (Until::Playable | Until::Any, _) => self.state.can_follow(self.rules),
        };
        self.imply(seat, if ends { Conclusion::NewestIs } else { Conclusion::NewestIsNot }, |_| kinds);
    }

    /// A seat draws as a player who draws instead of playing (`turn.draw_count`).
    pub(super) fn draw_as_on_turn(&mut self, seat: Seat) {
        match self.rules.parameters().draw_count {
            DrawCount::One => self.draw(seat, 1),
            DrawCount::UntilPlayable => self.draw_amount(seat, Amount::Until(Until::Playable)),
            DrawCount::Random(odds) => {
                let (mut count, mut left) = (0, 1.0);
                for &probability in odds.probabilities().split_last().map_or(&[][..], |(_, others)| others) {
                    let is_more = probability <= 0.0 || self.is_more((left - probability) / left);
                    if !is_more {
                        break;
                    }
                    (count, left) = (count + 1, left - probability);
                }
                self.draw(seat, count);
            }
        }
    }

    /// Whether a random number is larger than the lowest remaining value.
    fn is_more(&mut self, probability: f64) -> bool {
        let result = self.chance.task(probability);
        self.emit(Event::Task(result));
        result == TaskResult::Done
    }

    /// The other seats that an effect of this player concerns, in order of play.
    fn other_seats_concerned(&mut self, who: Who, cursor: Cursor) -> Vec<Seat> {
        let mut seats = self.concerned(who, cursor);
        seats.retain(|&seat| seat != cursor.player);
        seats
    }

    /// Moves random cards from one hand to another, at most the whole hand; only the two seats see them.
    fn move_cards(&mut self, from: Seat, to: Seat, count: u8) {
        for _ in 0..u32::from(count).min(self.state.hand(from).len()) {
            let hand = self.state.hand(from);
            let card = self.chance.card_of_hand(hand, hand.len());
            self.state.hands[from.index()].remove(card);
            self.state.hands[to.index()].add(card);
            self.emit(Event::Moved { from, to, card });
        }
    }

    /// All hands are shuffled together and dealt again evenly; remaining cards go to the first players, beginning with the next.
    fn shuffle_hands(&mut self, player: Seat) {
        let seats: Vec<Seat> = self.state.others(player).chain([player]).collect();
        let mut pool = Cards::EMPTY;
        for seat in &seats {
            pool = pool.plus(std::mem::take(&mut self.state.hands[seat.index()]));
        }
        let total = pool.len() as usize;
        let mut dealt = Vec::with_capacity(total);
        for (place, &seat) in seats.iter().enumerate() {
            for _ in (place..total).step_by(seats.len()) {
                let card = self.chance.card_of_hand(pool, pool.len());
                pool.remove(card);
                self.state.hands[seat.index()].add(card);
                dealt.push(Event::Redealt { seat, card });
            }
        }
        dealt.into_iter().for_each(|event| self.emit(event));
        seats.into_iter().for_each(|seat| self.hand_was_exchanged(seat, player)); // SW-11
    }

    /// Discarded cards go under the top card.
    fn discard_under_top(&mut self, seat: Seat, cards: DiscardedCards) {
        let kinds = match (cards, self.state.color) {
            (DiscardedCards::Wilds, _) => self.rules.deck().distinct() - self.rules.colored(),
            (DiscardedCards::NamedColor, Some(color)) => self.rules.of_color(color),
            (DiscardedCards::NamedColor, None) => return,
        };
        let discarded = self.state.hand(seat).only(kinds);
        for card in discarded.iter() {
            self.state.hands[seat.index()].remove(card);
            self.emit(Event::Discarded { seat, card, from: Source::Hand });
        }
        self.imply(seat, Conclusion::Lacks { since: 0 }, |_| kinds);
    }

    /// DI-03, DI-04: on a match the player chooses the victim, otherwise it is the next player.
    pub(super) fn press_button_for_draw_two(&mut self, player: Seat) {
        let color = self.press_button();
        if Some(color) == self.rules.color_of(self.state.top) {
            self.state.phase = Phase::Target(TargetFor::ButtonDrawTwo);
            self.state.to_act = player;
        } else {
            self.draw_and_skip(self.state.next_seat(player), 2);
        }
    }

    fn touch_with_cheese(&mut self, player: Seat) {
        let victim = self.state.next_seat(player);
        self.draw(victim, 2);
        if self.has_too_many_cards(victim) {
            return self.begin_turn_after(victim);
        }
        self.state.phase = Phase::Cheese;
        self.state.to_act = victim;
    }

    pub(super) fn press_button_to_discard(&mut self, player: Seat) {
        let color: Color = self.press_button();
        self.state.color = Some(color); // DI-20
        if (self.state.hand(player).distinct() & self.rules.of_color(color)).is_empty() {
            self.imply(player, Conclusion::Lacks { since: 0 }, |table| table.rules.of_color(color));
            self.settle_call(player);
            self.begin_turn_after(player);
        } else {
            self.state.phase = Phase::Discard(color);
            self.state.to_act = player;
        }
    }
}

/// Whether the first of these steps, or a step of its penalty or of its options, is executed for a last card.
fn runs_as_last_card(steps: &[Step]) -> bool {
    let runs = |step: &Step| step.traits().last_card == LastCard::Runs;
    match steps {
        [Step::Choice { options, .. }, rest @ ..] => options_after(*options, rest).any(runs),
        [Step::Option { .. }, ..] => true, // it is passed over
        [Step::Task { penalty_steps, .. }, rest @ ..] => rest.iter().take(usize::from(*penalty_steps)).any(runs),
        [first, ..] => runs(first),
        [] => false,
    }
}

/// The steps of all options of a choice, which is followed by these steps.
fn options_after(options: u8, mut rest: &[Step]) -> impl Iterator<Item = &Step> {
    (0..options).flat_map(move |_| match rest {
        [Step::Option { steps }, after @ ..] => {
            let (option, after) = after.split_at(usize::from(*steps));
            rest = after;
            option
        }
        _ => &[],
    })
}
