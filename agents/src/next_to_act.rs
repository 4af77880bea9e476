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
    let seat = observation.seat();
    let CardKind::Custom(CustomCard { effects, .. }) = &observation.rules().card_def(card).kind else {
        return observation.next_seat(seat);
    };
    let (mut reverses, mut skips) = (0, 0);
    for effect in effects {
        match effect {
            Effect::Reverse => reverses += 1,
            Effect::Skip(Skip::Next(count)) => skips += usize::from(*count),
            Effect::Skip(Skip::All(_)) => return seat,
            _ => {} // the turn does not change
        }
    }
    if (reverses, skips) == (1, 0) {
        return after_reverse(observation);
    }
    let after = |from| if reverses % 2 == 1 { observation.previous_seat(from) } else { observation.next_seat(from) };
    let others = observation.seats().len() - 1;
    (0..=skips.min(others)).fold(seat, |from, _| after(from))
}
