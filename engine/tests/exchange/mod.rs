//! Two worlds that a seat cannot distinguish, made without the engine's samples: unseen cards are exchanged in the text of
//! the state, together with dependent data (a drawn card, the honesty of a draw four).

#![allow(dead_code, unreachable_pub, reason = "each test crate uses its part")]

use toml::{Table, Value};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{MAX_SEATS, Seat};
use unolab_engine::state::{Phase, RoundState};

/// The state with one to four pairs of cards exchanged between hands that `seat` does not see and the draw pile; `None` if no
/// cards can be exchanged, or if a few attempts all make the decision impossible. Cards that some seat has been shown stay in
/// place, so that the same knowledge fits both states.
pub fn exchanged(
    rules: &Rules,
    state: &RoundState,
    knowledge: &Knowledge,
    seat: Seat,
    rng: &mut Rng,
) -> Option<RoundState> {
    (0..8).find_map(|_| attempt(rules, state, knowledge, seat, rng)).filter(|other| other != state)
}

/// A place that the seat cannot see, its cards, and the cards that no seat was shown.
struct Place {
    of: Option<Seat>,
    cards: Cards,
    movable: Cards,
}

fn attempt(rules: &Rules, state: &RoundState, knowledge: &Knowledge, seat: Seat, rng: &mut Rng) -> Option<RoundState> {
    let mut places = vec![Place { of: None, cards: state.draw_pile(), movable: state.draw_pile() }];
    // During a lap only the seat to act sees its hand (CA-16).
    let sees_its_hand = !matches!(state.phase(), Phase::Lap(_)) || state.current_seat() == Some(seat);
    for other in state.seats().filter(|&other| other != seat || !sees_its_hand) {
        let cards = state.hand(other);
        let shown = (0..MAX_SEATS).map(Seat::new).fold(cards, |left, by| left.minus(knowledge.of(by, other)));
        places.push(Place { of: Some(other), cards, movable: shown });
    }
    for _ in 0..=rng.below(4) {
        exchange_a_pair(&mut places, rng)?;
    }
    let mut table: Table = state.to_text(rules).parse().expect("a state is written as TOML");
    for place in &places {
        let text = Value::String(rules.write_cards(place.cards));
        match place.of {
            None => table.insert("draw_pile".into(), text),
            Some(other) => table["hands"].as_table_mut().expect("hands").insert(other.to_string(), text),
        };
    }
    let to_act = state.current_seat();
    let decision = table["decision"].as_table_mut().expect("a decision");
    match state.phase() {
        Phase::Drawn(_) if to_act != Some(seat) => {
            let drawn = any_of(places.iter().find(|place| place.of == to_act)?.movable, rng)?;
            decision.insert("card".into(), Value::String(rules.code(drawn).into()));
        }
        // The seat knows whether its own draw four was honest. Impossible cases are rejected below; if both are possible, the
        // other one is used.
        Phase::Challenge(played) if played.by != seat => {
            let honest = decision["honest"].as_bool().expect("a truth");
            decision.insert("honest".into(), Value::Boolean(!honest));
            if let Ok(other) = RoundState::from_text(&table.to_string(), rules) {
                return Some(other);
            }
            table["decision"].as_table_mut().expect("a decision").insert("honest".into(), Value::Boolean(honest));
        }
        _ => {}
    }
    RoundState::from_text(&table.to_string(), rules).ok()
}

/// Exchanges two cards of different kinds in different places.
fn exchange_a_pair(places: &mut [Place], rng: &mut Rng) -> Option<()> {
    let open: Vec<usize> = (0..places.len()).filter(|&place| !places[place].movable.is_empty()).collect();
    let one = *open.get(rng.below(u32::try_from(open.len()).ok()?.max(1)) as usize)?;
    let given = any_of(places[one].movable, rng)?;
    let others: Vec<usize> = open.into_iter().filter(|&place| place != one).collect();
    let other = *others.get(rng.below(u32::try_from(others.len()).ok()?.max(1)) as usize)?;
    let got = any_of(places[other].movable, rng)?;
    for (place, out, into) in [(one, given, got), (other, got, given)] {
        for cards in [&mut places[place].cards, &mut places[place].movable] {
            cards.remove(out);
            cards.add(into);
        }
    }
    Some(())
}

fn any_of(cards: Cards, rng: &mut Rng) -> Option<Card> {
    (!cards.is_empty()).then(|| cards.nth(rng.below(cards.len())))
}
