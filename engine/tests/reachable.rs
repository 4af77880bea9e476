//! Samples are rounds that could have happened: from the start of a sample, the public actions can be played again, each is legal,
//! and the seat sees what it has seen.

use crate::random_play;
use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::event::{Event, Source, VisibleEvent};
use unolab_engine::implication::{Conclusion, Implication};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{Amount, CardKind, DrawCount, DrawnCard, Effect, Rules, Special};
use unolab_engine::script::{Outcome, Script};
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::{EventSink, Phase, RoundState};

/// Rules that imply something, and what others imply.
fn tables() -> Vec<(Rules, usize)> {
    let implying: [(&str, usize, &[&str]); 14] = [
        ("classic", 2, &["turn.draw=no_playable"]),
        ("classic", 3, &["turn.draw=no_playable", "turn.drawn_card=must"]),
        ("classic", 4, &["turn.draw=no_match", "turn.drawn_card=must"]),
        ("classic", 3, &["turn.drawn_card=must"]),
        ("classic", 2, &["turn.draw=no_playable", "turn.draw_count=until_playable"]),
        ("classic", 3, &["turn.draw_count=until_playable", "turn.drawn_card=must"]),
        ("classic", 3, &["turn.draw_count=until_playable"]),
        ("classic", 4, &["house.stacking=any_draw", "turn.draw=no_playable"]),
        ("classic", 4, &["house.jump_in=true", "uno.calls=explicit", "turn.draw=no_playable"]),
        ("classic", 4, &["house.seven_zero=true", "turn.draw=no_playable"]),
        ("cars", 3, &["turn.draw=no_playable"]),
        ("disney", 4, &["turn.draw=no_playable"]),
        ("wimpy-kid", 3, &["cheese_touch.may_refuse=false"]),
        ("swap-hands", 3, &["turn.draw=no_playable"]),
    ];
    let named = implying.map(|(name, seats, overrides)| (random_play::rules(name, seats, overrides), seats));
    named.into_iter().chain(random_play::all_rules()).chain(random_play::random_rules(150)).collect()
}

#[derive(Debug, Clone, Copy)]
enum Entry {
    Event(Event),
    Implied(Implication),
}

/// All that happens in a round.
struct Log {
    dealt: Option<BySeat<Cards>>,
    entries: Vec<Entry>,
    knowledge: Knowledge,
}

impl EventSink for Log {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.dealt.get_or_insert_with(|| BySeat::from_fn(|seat| state.hand(seat)));
        self.entries.push(Entry::Event(event));
        self.knowledge.on_event(state, event);
    }

    fn receives_implications(&self) -> bool {
        true
    }

    fn on_implication(&mut self, state: &RoundState, implied: Implication) {
        self.entries.push(Entry::Implied(implied));
        self.knowledge.imply(state, implied);
    }
}

impl Log {
    fn new() -> Self {
        Self { dealt: None, entries: Vec::new(), knowledge: Knowledge::with_implications() }
    }

    fn events(&self) -> impl DoubleEndedIterator<Item = Event> + '_ {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Event(event) => Some(*event),
            Entry::Implied(_) => None,
        })
    }

    fn seen_by(&self, seat: Seat) -> Vec<VisibleEvent> {
        self.events().filter_map(|event| event.as_seen_by(seat)).collect()
    }

    fn has_reshuffled(&self) -> bool {
        self.events().any(|event| event == Event::Reshuffled)
    }

    /// Whether UNO was called with a Discard All. Such a call is legal only if all other cards but one have one color, which samples
    /// ignore.
    fn has_call_with_discard_all(&self, rules: &Rules) -> bool {
        let is_discard_all =
            |card: Card| matches!(rules.kinds()[card.index()].kind, CardKind::Special(Special::DiscardAll));
        let discards_all = |action: Action| action.card().is_some_and(is_discard_all);
        self.events().any(|event| matches!(event, Event::Acted { action, call: Call::Uno, .. } if discards_all(action)))
    }

    /// Has this seat ever seen a card of another's hand?
    fn was_shown_cards(&self, seat: Seat) -> bool {
        self.events().any(|event| match event {
            Event::Showed { to, .. } => to == seat,
            Event::Swapped(a, b) => a == seat || b == seat,
            Event::Moved { from, to, .. } => from == seat || to == seat,
            Event::Rotated { .. } | Event::Redealt { .. } => true,
            _ => false,
        })
    }

    /// The place in the log after which a card of this kind must have entered the hand that a seat holds at this place.
    fn excluded_until(&self, place: usize, mut seat: Seat, card: Card) -> Option<usize> {
        for (earlier, entry) in self.entries[..place].iter().enumerate().rev() {
            match *entry {
                Entry::Implied(Implication { seat: of, conclusion: Conclusion::Lacks { .. }, kinds })
                    if of == seat && kinds.contains(card) =>
                {
                    return Some(earlier);
                }
                Entry::Event(Event::Swapped(a, b)) if a == seat => seat = b,
                Entry::Event(Event::Swapped(a, b)) if b == seat => seat = a,
                _ => {}
            }
        }
        None
    }
}

impl Log {
    /// The sets of kinds of which the hand that a seat holds at this place had a card at earlier times.
    fn held_before(&self, place: usize, mut seat: Seat) -> Vec<(usize, CardSet)> {
        let mut held = Vec::new();
        for (earlier, entry) in self.entries[..place].iter().enumerate().rev() {
            match *entry {
                Entry::Implied(Implication { seat: of, conclusion: Conclusion::Holds { .. }, kinds }) if of == seat => {
                    held.push((earlier, kinds));
                }
                Entry::Event(Event::Swapped(a, b)) if a == seat => seat = b,
                Entry::Event(Event::Swapped(a, b)) if b == seat => seat = a,
                _ => {}
            }
        }
        held
    }
}

/// What the round began with, and each card that was drawn or moved, in order.
struct Start {
    hands: BySeat<Cards>,
    drawn: Vec<Card>,
    moved: Vec<Card>,
}

/// Why a sample does not go back to a start, and the seat whose choices were wrong, if it is known.
struct Misfit {
    seat: Option<Seat>,
    reason: String,
}

impl Misfit {
    fn of(seat: Seat, reason: &str, place: usize) -> Self {
        Self { seat: Some(seat), reason: format!("seat {seat} {reason}, entry {place}") }
    }
}

/// Goes back from a sample to a start: of each hand, the card that must have come last came last; of several, any. The seeds
/// choose, separately for each seat.
fn start_of(log: &Log, sample: &RoundState, reader: Seat, seeds: &BySeat<u64>) -> Result<Start, Misfit> {
    let mut rngs = BySeat::from_fn(|seat| Rng::from_seed(seeds[seat]));
    let ways = BySeat::from_fn(|seat| {
        let rng = &mut rngs[seat];
        (rng.chance(0.5), *rng.pick(&[0.0, 0.1, 0.3]).expect("three numbers"))
    });
    let mut hands = BySeat::from_fn(|seat| sample.hand(seat));
    let (mut drawn, mut moved) = (Vec::new(), Vec::new());
    let mut just_drawn: BySeat<Option<Card>> = BySeat::default();
    if let (Phase::Drawn(card), Some(seat)) = (sample.phase(), sample.current_seat()) {
        just_drawn[seat] = Some(card);
    }
    let mut newest: BySeat<CardSet> = BySeat::from_fn(|_| CardSet::EMPTY);
    for (place, entry) in log.entries.iter().enumerate().rev() {
        match *entry {
            Entry::Event(Event::Discarded { seat, card, from }) => {
                hands[seat].add(card);
                if from == Source::JustDrawn {
                    just_drawn[seat] = Some(card);
                }
            }
            Entry::Event(Event::Drew { seat, card: truth }) => {
                let excluded = std::mem::take(&mut newest[seat]);
                let card = match just_drawn[seat].take() {
                    _ if seat == reader => truth,
                    Some(card) => card,
                    None => {
                        let ((keeps, strays), rng) = (ways[seat], &mut rngs[seat]);
                        // The only card of kinds that the hand must have held is kept, at times.
                        // The card must not be excluded in between.
                        let mut stays = CardSet::EMPTY;
                        for (earlier, kinds) in log.held_before(place, seat) {
                            let held = hands[seat].only(kinds);
                            let until = |card| log.excluded_until(place, seat, card);
                            if keeps && held.is_single() && until(held.nth(0)).is_none_or(|until| until < earlier) {
                                stays |= held.distinct();
                            }
                        }
                        let kinds = hands[seat].distinct() - excluded;
                        let kinds = if (kinds - stays).any() { kinds - stays } else { kinds };
                        let ranked: Vec<_> =
                            kinds.iter().map(|card| (log.excluded_until(place, seat, card), card)).collect();
                        let misfit = || Misfit::of(seat, "has no card that can have come last", place);
                        let last = ranked.iter().map(|(until, _)| *until).max().ok_or_else(misfit)?;
                        let any = rng.chance(strays);
                        let open = ranked.iter().filter(|(until, _)| any || *until == last);
                        *rng.pick(&open.map(|(_, card)| *card).collect::<Vec<_>>()).expect("one at least")
                    }
                };
                hands[seat].remove(card);
                drawn.push(card);
            }
            Entry::Event(Event::Moved { from, to, .. }) => {
                let card = hands[to].nth(rngs[from].below(hands[to].len()));
                hands[to].remove(card);
                hands[from].add(card);
                moved.push(card);
            }
            Entry::Event(Event::Swapped(a, b)) => (hands[a], hands[b]) = (hands[b], hands[a]),
            Entry::Event(_) => {}
            Entry::Implied(Implication { seat, conclusion, kinds }) => match conclusion {
                Conclusion::NewestIsNot => newest[seat] |= kinds,
                Conclusion::NewestIs => newest[seat] |= CardSet(u64::MAX) - kinds,
                Conclusion::Lacks { since: 0 } if !hands[seat].only(kinds).is_empty() => {
                    return Err(Misfit::of(seat, "held a card that is excluded", place));
                }
                Conclusion::Holds { since: 0 } if hands[seat].only(kinds).is_empty() => {
                    return Err(Misfit::of(seat, "held no card that it must have held", place));
                }
                Conclusion::Lacks { .. } | Conclusion::Holds { .. } => {}
            },
        }
    }
    drawn.reverse();
    moved.reverse();
    Ok(Start { hands, drawn, moved })
}

/// Plays the public actions again. What does not fit, in words.
fn replay(rules: &Rules, log: &Log, start: &Start, sample: &RoundState, reader: Seat) -> Result<(), String> {
    let (mut turned_up, mut outcomes, mut moved) = (Vec::new(), Vec::new(), start.moved.iter());
    for event in log.events() {
        match event {
            Event::TurnedUp(card) => turned_up.push(card),
            Event::Button(color) => outcomes.push(Outcome::Button(color)),
            Event::Task(result) => outcomes.push(Outcome::Task(result)),
            Event::Chosen(seat) => outcomes.push(Outcome::Chosen(seat)),
            Event::Moved { .. } => outcomes.push(Outcome::CardOfHand(*moved.next().expect("as many"))),
            _ => {}
        }
    }
    let mut script = Script::new(start.drawn.iter().copied(), outcomes, 0);
    let (seats, mut again) = (sample.dealt_seats(), Log::new());
    let mut state = RoundState::begin(rules, seats, sample.dealer(), start.hands, &turned_up, &mut script, &mut again)
        .map_err(|error| error.to_string())?;
    for event in log.events() {
        let Event::Acted { seat, action, call } = event else { continue };
        // The drawn card that was kept could be played, or not: others do not know.
        if action == Action::Keep && seat != reader && !matches!(state.phase(), Phase::Drawn(_)) {
            continue;
        }
        if let (Phase::Drawn(_), Some(keeper)) = (state.phase(), state.current_seat())
            && keeper != reader
            && seat != keeper
            && !matches!(action, Action::Uno | Action::Catch(_) | Action::Silent)
        {
            state
                .apply_action(rules, keeper, Action::Keep, Call::Silent, &mut script, &mut again)
                .map_err(|error| error.to_string())?;
        }
        state.apply_action(rules, seat, action, call, &mut script, &mut again).map_err(|error| error.to_string())?;
    }
    if let (Phase::Drawn(_), Some(keeper)) = (state.phase(), state.current_seat())
        && keeper != reader
        && state.phase() != sample.phase()
    {
        state
            .apply_action(rules, keeper, Action::Keep, Call::Silent, &mut script, &mut again)
            .map_err(|error| error.to_string())?;
    }
    if let Some(mismatch) = script.mismatch() {
        return Err(format!("{mismatch:?}"));
    }
    if again.seen_by(reader) != log.seen_by(reader) {
        return Err(format!("seat {reader} sees\n{:?}\nafter\n{:?}", again.seen_by(reader), log.seen_by(reader)));
    }
    let hands = |state: &RoundState| state.seats().map(|seat| state.hand(seat)).collect::<Vec<_>>();
    if (hands(&state), state.draw_pile()) != (hands(sample), sample.draw_pile()) {
        return Err("other hands".into());
    }
    Ok(())
}

/// Plays at random up to the first reshuffle, and shows the states on the way.
fn in_rounds(rounds: u64, every: usize, mut see: impl FnMut(&Rules, &RoundState, &Log, &mut Rng)) {
    for (rules, seats) in tables() {
        for seed in 0..rounds {
            let (mut chance, mut choices) = (Rng::from_seed(seed), Rng::from_seed(seed + 100));
            let mut looks = Rng::from_seed(seed + 200);
            let mut log = Log::new();
            let mut state = RoundState::deal(&rules, SeatSet::first(seats), Seat::new(0), &mut chance, &mut log);
            for number in 0..100 {
                // A card that was turned up and went back, or was reshuffled, may be in any hand.
                let has_returned = log.events().filter(|event| matches!(event, Event::TurnedUp(_))).count() > 1;
                if state.is_terminal() || has_returned || log.has_reshuffled() {
                    break;
                }
                let is_rare = !matches!(state.phase(), Phase::Turn);
                if number % every == 0 || is_rare {
                    see(&rules, &state, &log, &mut looks);
                }
                let chosen = random_play::choose(&rules, &state, &mut choices);
                random_play::apply(&rules, &mut state, chosen, &mut chance, &mut log);
            }
        }
    }
}

#[test]
fn sample_at_any_time_replays_to_what_the_seat_has_seen() {
    let (mut samples, mut implied) = (0, 0);
    in_rounds(2, 5, |rules, state, log, rng| {
        if log.has_call_with_discard_all(rules) {
            return;
        }
        for reader in state.seats().filter(|&seat| !log.was_shown_cards(seat)) {
            let view = Observation::of(rules, state, &log.knowledge, &NO_SCORES, reader);
            let sample = view.sample_state(rng);
            samples += 1;
            implied += u32::from(state.others(reader).any(|other| !log.knowledge.excluded(reader, other).is_empty()));
            let mut wrong = std::collections::BTreeSet::new();
            let mut seeds = BySeat::from_fn(|_| u64::from(rng.below(1 << 30)));
            let hands_stay = !log.events().any(|event| matches!(event, Event::Moved { .. } | Event::Swapped(..)));
            let is_reachable = (0..5_000).any(|_| {
                let replayed = start_of(log, &sample, reader, &seeds).and_then(|start| {
                    let replayed = replay(rules, log, &start, &sample, reader);
                    replayed.map_err(|reason| Misfit { seat: None, reason })
                });
                let Err(Misfit { seat, reason }) = replayed else { return true };
                wrong.insert(reason);
                // Other choices of the seat whose choices were wrong; of all, where hands have changed places.
                state
                    .seats()
                    .filter(|&of| !hands_stay || seat.is_none_or(|seat| seat == of))
                    .for_each(|of| seeds[of] += 1);
                false
            });
            assert!(
                is_reachable,
                "seat {reader}: {wrong:#?}\n{}\nsampled from\n{}\nlog {:#?}\nexcluded {:?}\n{}",
                sample.to_text(rules),
                state.to_text(rules),
                log.entries,
                state.seats().map(|seat| log.knowledge.excluded(reader, seat).to_vec()).collect::<Vec<_>>(),
                rules.to_toml(),
            );
        }
    });
    println!("{samples} samples, {implied} of them with implications");
    assert!(implied > 5_000, "{samples}, {implied}");
}

/// May something be concluded about one card of a hand apart from the older ones? Then samples leave out some of what is possible.
fn judges_single_cards(rules: &Rules) -> bool {
    let parameters = rules.parameters();
    let draws_until = rules.kinds().iter().any(|def| match &def.kind {
        CardKind::Custom(card) => card.effects.iter().any(draws_until),
        _ => false,
    });
    draws_until || parameters.drawn_card == DrawnCard::Must || parameters.draw_count == DrawCount::UntilPlayable
}

/// Whether a player draws cards up to one that all players know something about.
fn draws_until(effect: &Effect) -> bool {
    matches!(effect, Effect::Draw(draw) if matches!(draw.amount, Amount::Until(_))) || effect.within().any(draws_until)
}

/// Nothing is excluded that is so: the true hand fits what is implied about it.
#[test]
fn true_hand_fits_what_is_implied_about_it() {
    let mut hands = 0;
    in_rounds(3, 1, |rules, state, log, _| {
        let has_moved = log.events().any(|event| matches!(event, Event::Moved { .. }));
        if judges_single_cards(rules) || has_moved {
            return;
        }
        for seat in state.seats() {
            let other = state.next_seat(seat);
            let excluded = log.knowledge.excluded(other, seat);
            let cards: Vec<Card> = state.hand(seat).iter().collect();
            if excluded.is_empty() {
                continue;
            }
            hands += 1;
            assert_eq!(excluded.len(), cards.len());
            let mut held = vec![None; cards.len()];
            for card in 0..cards.len() {
                let mut is_tried = vec![false; cards.len()];
                assert!(
                    find_place(card, &cards, excluded, &mut held, &mut is_tried),
                    "{seat} {excluded:?}\n{}\n{:#?}\n{}",
                    state.to_text(rules),
                    log.entries,
                    rules.to_toml()
                );
            }
        }
    });
    println!("{hands} hands");
    assert!(hands > 10_000, "{hands}");
}

fn find_place(
    card: usize,
    cards: &[Card],
    excluded: &[CardSet],
    held: &mut [Option<usize>],
    is_tried: &mut [bool],
) -> bool {
    for place in 0..cards.len() {
        if is_tried[place] || excluded[place].contains(cards[card]) {
            continue;
        }
        is_tried[place] = true;
        let is_free = match held[place] {
            None => true,
            Some(other) => find_place(other, cards, excluded, held, is_tried),
        };
        if is_free {
            held[place] = Some(card);
            return true;
        }
    }
    false
}
