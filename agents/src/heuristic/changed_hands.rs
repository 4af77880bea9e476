//! The value of special cards that change how many cards players hold.
#![expect(clippy::cast_precision_loss, reason = "a few cards; values need no more")]

use unolab_engine::card::{Card, Face};
use unolab_engine::observation::Observation;
use unolab_engine::rules::{CardKind, Draw, Effect, Special, Who};

use super::Weights;
use super::remaining_hand::RemainingHand;

impl Weights {
    /// The value of changes to the number of cards in hands by special cards.
    #[inline(always)]
    pub(super) fn worth_of_changing_hands(
        &self,
        observation: &Observation<'_>,
        card: Card,
        rest: &RemainingHand,
    ) -> f32 {
        let own = rest.len as f32;
        let rules = observation.rules();
        let others = observation.seats().len() - 1;
        let fewer_cards = match &rules.card_def(card).kind {
            // A swap that can be declined is never a loss; a Victory Lap cannot be declined, but passes every hand by.
            CardKind::Special(Special::SwapHands) if !rules.parameters().swap_optional => {
                own - shortest_hand(observation)
            }
            CardKind::Special(Special::SwapHands | Special::VictoryLap) => (own - shortest_hand(observation)).max(0.0),
            // The victim draws two, and two more without a yellow card.
            CardKind::Special(Special::CheeseTouch) => 2.5 / others as f32,
            // The button lights one of four colors.
            CardKind::Special(Special::DiscardAll) => {
                let expected = rest.colored(rules) as f32 / 4.0;
                return self.discarded * expected;
            }
            CardKind::Ordinary(_, Face::Number(7)) if rules.parameters().seven_zero => own - shortest_hand(observation),
            CardKind::Ordinary(_, Face::Number(0)) if rules.parameters().seven_zero => own - previous_hand(observation),
            CardKind::Custom(custom) => {
                let mut fewer_cards = 0.0;
                for effect in &custom.effects {
                    fewer_cards += fewer_cards_by(effect, observation, own);
                }
                fewer_cards
            }
            _ => 0.0,
        };
        self.card * fewer_cards
    }
}

/// The number of cards in the smallest other hand.
#[inline(always)]
fn shortest_hand(observation: &Observation<'_>) -> f32 {
    let mut shortest = u32::MAX;
    for seat in observation.seats().without(observation.seat()).iter() {
        shortest = shortest.min(observation.hand_len(seat));
    }
    shortest as f32
}

/// The number of cards in all other hands.
fn sum_of_other_hands(observation: &Observation<'_>) -> f32 {
    let others = observation.seats().without(observation.seat());
    others.iter().map(|other| observation.hand_len(other)).sum::<u32>() as f32
}

/// The number of cards of the seat before.
#[inline(always)]
fn previous_hand(observation: &Observation<'_>) -> f32 {
    observation.hand_len(observation.previous_seat(observation.seat())) as f32
}

/// The number of cards by which a custom effect makes the hand smaller, compared with the others.
fn fewer_cards_by(effect: &Effect, observation: &Observation<'_>, own: f32) -> f32 {
    let others = (observation.seats().len() - 1) as f32;
    match effect {
        Effect::Draw(Draw { who: Who::Others, amount }) => amount.mean(),
        Effect::Draw(Draw { who: Who::Player, amount }) => -amount.mean(),
        Effect::Draw(Draw { who, amount }) if *who != Who::All => amount.mean() / others,
        Effect::Take { who, count } => -f32::from(*count) * cards_moved(*who, others),
        Effect::Give { who, count } => (f32::from(*count) * cards_moved(*who, others)).min(own),
        Effect::SwapHands => own - shortest_hand(observation),
        Effect::TradeHands { who } => own - hand_of(*who, observation),
        Effect::RotateHands => own - previous_hand(observation),
        // The player is dealt to last, the same number of cards as each other player or one card less.
        Effect::ShuffleHands => own - (own + sum_of_other_hands(observation)) / (others + 1.0),
        Effect::Choice { who, options } => {
            let values = options.iter().map(|option| {
                option.effects.iter().map(|effect| fewer_cards_by(effect, observation, own)).sum::<f32>()
            });
            // Another player chooses the option that is worse for the player of the card.
            if *who == Who::Player {
                values.fold(f32::NEG_INFINITY, f32::max)
            } else {
                values.fold(f32::INFINITY, f32::min)
            }
        }
        Effect::Draw(_) // all draw alike
        | Effect::Skip(_)
        | Effect::Reverse
        | Effect::NameColor
        | Effect::ChooseColor { .. }
        | Effect::Discard { .. }
        | Effect::Look { .. }
        | Effect::Task { .. } => 0.0,
    }
}

/// The number of cards of this player; of a random player, the mean of the others.
fn hand_of(who: Who, observation: &Observation<'_>) -> f32 {
    let (seat, seats) = (observation.seat(), observation.seats());
    let others = || seats.without(seat).iter().map(|other| observation.hand_len(other));
    match who {
        Who::Next => observation.hand_len(observation.next_seat(seat)) as f32,
        Who::Previous => previous_hand(observation),
        Who::Partner => observation.hand_len(observation.next_seat(observation.next_seat(seat))) as f32,
        Who::Chosen | Who::SmallestHand => shortest_hand(observation),
        Who::LargestHand => others().max().unwrap_or(0) as f32,
        Who::RandomOther | Who::Player | Who::Others | Who::All | Who::Chooser => {
            sum_of_other_hands(observation) / (seats.len() - 1) as f32
        }
    }
}

/// The change of the hand size, relative to the others' average, for one card to or from each of these players.
fn cards_moved(who: Who, others: f32) -> f32 {
    if matches!(who, Who::Others | Who::All) { others + 1.0 } else { 1.0 + 1.0 / others }
}
