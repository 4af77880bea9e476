//! The choice between the options of a card's effect.
#![expect(clippy::cast_precision_loss, reason = "a few cards; values need no more")]

use unolab_engine::action::{Action, OptionNumber};
use unolab_engine::observation::Observation;
use unolab_engine::rules::{DiscardedCards, Draw, Effect, Skip, Who};
use unolab_engine::scoring::side_of;
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::Cursor;

/// The value of a turn, in cards.
const TURN: f32 = 1.0;

/// The share of wild cards in a hand that is not seen.
const WILD_SHARE: f32 = 0.1;

/// Chooses the option after which the hands of the agent's side are smallest, compared with the others; a turn counts as a card.
pub(super) fn choose_option(observation: &Observation<'_>, cursor: Cursor) -> Action {
    let mut best: Option<(f32, usize)> = None;
    for (number, option) in cursor.options(observation.rules()).iter().enumerate() {
        let mut forecast = Forecast::of(observation, cursor);
        option.effects.iter().for_each(|effect| forecast.apply(effect, 1.0));
        let value = forecast.value();
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, number));
        }
    }
    let number = best.map_or(0, |(_, number)| number);
    Action::Choose(OptionNumber::try_new(number).expect("as many as a choice can have"))
}

/// The expected numbers of cards after some effects, and the turns lost.
struct Forecast<'a> {
    observation: &'a Observation<'a>,
    cursor: Cursor,
    hands: BySeat<f32>,
    turns_lost: BySeat<f32>,
}

impl<'a> Forecast<'a> {
    fn of(observation: &'a Observation<'a>, cursor: Cursor) -> Self {
        let mut hands = BySeat::default();
        observation.seats().iter().for_each(|seat| hands[seat] = observation.hand_len(seat) as f32);
        Self { observation, cursor, hands, turns_lost: BySeat::default() }
    }

    /// The advantage of the agent's side; going out is better than anything else.
    fn value(&self) -> f32 {
        const OUT: f32 = 100.0;
        let side = side_of(self.observation.rules().parameters().teams, self.observation.seat());
        let opponents = self.observation.seats().iter().filter(|&seat| !side.contains(seat)).count();
        let cost = |seat: Seat| {
            let cards = self.hands[seat];
            cards + TURN * self.turns_lost[seat] - if cards < 0.5 { OUT } else { 0.0 }
        };
        let seats = self.observation.seats().iter();
        seats.map(|seat| if side.contains(seat) { -cost(seat) } else { cost(seat) / opponents as f32 }).sum()
    }

    /// Applies an effect that happens with this probability.
    fn apply(&mut self, effect: &Effect, probability: f32) {
        let player = self.cursor.player;
        match effect {
            Effect::Draw(Draw { who, amount }) => {
                self.each(*who, |hands, seat, share| hands[seat] += probability * share * amount.mean());
            }
            Effect::Discard { who, cards } => {
                let observation = self.observation;
                self.each(*who, |hands, seat, share| {
                    hands[seat] -= probability * share * discarded(observation, seat, *cards);
                });
            }
            Effect::Take { who, count } => self.each_other(*who, |hands, seat, share| {
                let moved = probability * share * f32::from(*count).min(hands[seat]);
                hands[seat] -= moved;
                hands[player] += moved;
            }),
            Effect::Give { who, count } => self.each_other(*who, |hands, seat, share| {
                let moved = probability * share * f32::from(*count).min(hands[player]);
                hands[player] -= moved;
                hands[seat] += moved;
            }),
            Effect::TradeHands { who } => self.each_other(*who, |hands, seat, share| {
                let moved = probability * share * (hands[player] - hands[seat]);
                hands[player] -= moved;
                hands[seat] += moved;
            }),
            Effect::SwapHands => self.apply(&Effect::TradeHands { who: Who::SmallestHand }, probability),
            Effect::RotateHands => {
                let before = self.hands;
                for seat in self.observation.seats().iter() {
                    let received = before[self.observation.previous_seat(seat)];
                    self.hands[seat] += probability * (received - before[seat]);
                }
            }
            Effect::ShuffleHands => {
                let seats = self.observation.seats();
                let mean = seats.iter().map(|seat| self.hands[seat]).sum::<f32>() / seats.len() as f32;
                seats.iter().for_each(|seat| self.hands[seat] += probability * (mean - self.hands[seat]));
            }
            Effect::Skip(skip) => {
                let others = self.observation.seats().len() - 1;
                let count = match skip {
                    Skip::Next(count) => others.min(usize::from(*count)),
                    Skip::All(_) => others,
                };
                let mut seat = player;
                for _ in 0..count {
                    seat = self.observation.next_seat(seat);
                    self.turns_lost[seat] += probability;
                }
            }
            Effect::Task { p, fail, .. } => {
                #[expect(clippy::cast_possible_truncation, reason = "a probability")]
                let fails = probability * (1.0 - *p) as f32;
                fail.iter().for_each(|effect| self.apply(effect, fails));
            }
            Effect::Reverse
            | Effect::NameColor
            | Effect::ChooseColor { .. }
            | Effect::Look { .. }
            | Effect::Choice { .. } => {}
        }
    }

    /// Changes the hands of these players, each with its probability to be one of them.
    fn each(&mut self, who: Who, mut change: impl FnMut(&mut BySeat<f32>, Seat, f32)) {
        let (player, observation) = (self.cursor.player, self.observation);
        let others: Vec<Seat> = observation.seats().without(player).iter().collect();
        let by_size = |seat: &&Seat| observation.hand_len(**seat);
        let one = match who {
            Who::Player => Some(player),
            Who::Chooser => Some(observation.seat()),
            Who::Next => Some(observation.next_seat(player)),
            Who::Previous => Some(observation.previous_seat(player)),
            Who::Partner => Some(observation.next_seat(observation.next_seat(player))),
            Who::Chosen => self.cursor.target().or_else(|| others.iter().min_by_key(by_size).copied()),
            Who::SmallestHand => others.iter().min_by_key(by_size).copied(),
            Who::LargestHand => others.iter().max_by_key(by_size).copied(),
            Who::Others | Who::All | Who::RandomOther => None,
        };
        match (one, who) {
            (Some(seat), _) => change(&mut self.hands, seat, 1.0),
            (None, Who::RandomOther) => {
                let share = 1.0 / others.len().max(1) as f32;
                others.into_iter().for_each(|seat| change(&mut self.hands, seat, share));
            }
            (None, _) => {
                let own = (who == Who::All).then_some(player);
                others.into_iter().chain(own).for_each(|seat| change(&mut self.hands, seat, 1.0));
            }
        }
    }

    /// The same without the player of the card.
    fn each_other(&mut self, who: Who, mut change: impl FnMut(&mut BySeat<f32>, Seat, f32)) {
        let player = self.cursor.player;
        self.each(who, |hands, seat, share| {
            if seat != player {
                change(hands, seat, share);
            }
        });
    }
}

/// The number of cards that this seat discards: its own are seen, others are estimated.
fn discarded(observation: &Observation<'_>, seat: Seat, cards: DiscardedCards) -> f32 {
    let rules = observation.rules();
    if seat != observation.seat() {
        let len = observation.hand_len(seat) as f32;
        return match cards {
            DiscardedCards::Wilds => WILD_SHARE * len,
            DiscardedCards::NamedColor => (1.0 - WILD_SHARE) / 4.0 * len,
        };
    }
    let kinds = match cards {
        DiscardedCards::Wilds => observation.hand().distinct() - rules.colored(),
        DiscardedCards::NamedColor => match observation.color() {
            Some(color) => rules.of_color(color),
            None => return 0.0,
        },
    };
    observation.hand().len_of(kinds) as f32
}
