//! The seat that acts after a play.

use unolab_engine::card::Card;
use unolab_engine::observation::Observation;
use unolab_engine::rules::{CardKind, CustomCard, Effect, Skip, TwoPlayerReverse};
use unolab_engine::seat::Seat;

/// The next seat after a play of this card in the ordinary case: no player answers or challenges a draw card, and the
/// button does not match.
#[inline(always)]
pub(crate) fn next_to_act(observation: &Observation<'_>, card: Card) -> Seat {
    let rules = observation.rules();
    let kinds = rules.kind_table();
    let next = observation.next_seat(observation.seat());
    if !kinds.moves_turn().contains(card) {
        next
    } else if kinds.skip_next().contains(card) {
        observation.next_seat(next)
    } else if rules.custom().contains(card) {
        after_custom_card(observation, card)
    } else {
        after_reverse(observation)
    }
}

#[inline]
fn after_reverse(observation: &Observation<'_>) -> Seat {
    let works_as_skip = observation.rules().parameters().two_player_reverse == TwoPlayerReverse::Skip;
    if observation.is_two_seats() && works_as_skip {
        observation.seat()
    } else {
        observation.previous_seat(observation.seat())
    }
}

fn after_custom_card(observation: &Observation<'_>, card: Card) -> Seat {
    let next = observation.next_seat(observation.seat());
    let CardKind::Custom(CustomCard { effects, .. }) = &observation.rules().card_def(card).kind else { return next };
    if effects.contains(&Effect::Reverse) {
        return after_reverse(observation);
    }
    effects.iter().fold(next, |seat, effect| match effect {
        Effect::Skip(Skip::Next(count)) => (0..*count).fold(seat, |seat, _| observation.next_seat(seat)),
        Effect::Skip(Skip::All(_)) => observation.seat(),
        Effect::Draw { .. }
        | Effect::Reverse
        | Effect::NameColor
        | Effect::Discard { .. }
        | Effect::SwapHands
        | Effect::RotateHands
        | Effect::Look { .. }
        | Effect::Take { .. }
        | Effect::Give { .. }
        | Effect::Task { .. } => seat,
    })
}
