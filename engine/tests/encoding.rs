//! Observations as bytes: their meaning, that they depend only on the seat's information, and that they are stable.

#![allow(missing_docs)]

use std::fmt::Write as _;

use crate::{golden, plain_row, random_play};
use unolab_engine::action::{Action, Call};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::chance::TaskResult;
use unolab_engine::color::Color;
use unolab_engine::cpu::{Generic, Isa, Kernel, dispatch};
use unolab_engine::encoding::{Block, DiscardPile, EncodedDecision, Encoding, VoluntaryDraw};
use unolab_engine::event::{Event, HandView, Source, VisibleEvent};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{Decision, NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{PresetsOnly, Rules, TableSize, load, presets};
use unolab_engine::seat::{Direction, Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

const EVENTS: usize = 12;

/// Plays rounds at random and shows each position with the events seen.
fn positions(tables: &[(Rules, usize)], seed: u64, mut look: impl FnMut(&Table<'_>, &RoundState, &mut Rng)) {
    for (number, (rules, seats)) in (0_u64..).zip(tables) {
        let mut rngs = [2 * number, 2 * number + 1].map(|stream| Rng::from_seed(seed * 1_000 + stream));
        let mut look_rng = rngs[0].fork();
        let mut table = Table::new(rules, *seats);
        let [chance, choices] = &mut rngs;
        let mut state = random_play::deal(rules, SeatSet::first(*seats), Seat::new(0), chance, &mut table);
        for _ in 0..300 {
            look(&table, &state, &mut look_rng);
            if state.is_terminal() {
                break;
            }
            let chosen = random_play::choose(rules, &state, choices);
            random_play::apply(rules, &mut state, chosen, chance, &mut table);
        }
    }
}

struct Table<'a> {
    rules: &'a Rules,
    seats: usize,
    encoding: Encoding,
    knowledge: Knowledge,
    events: Vec<Event>,
}

impl<'a> Table<'a> {
    fn new(rules: &'a Rules, seats: usize) -> Self {
        let encoding = Encoding::new(rules, seats, EVENTS);
        Self { rules, seats, encoding, knowledge: Knowledge::default(), events: Vec::new() }
    }

    fn observation<'o>(&'o self, state: &'o RoundState, seat: Seat) -> Observation<'o> {
        Observation::of(self.rules, state, &self.knowledge, &NO_SCORES, seat)
    }

    fn row(&self, state: &RoundState, seat: Seat) -> Vec<u8> {
        let observation = self.observation(state, seat);
        let mut row = vec![7; self.encoding.obs_size()];
        self.encoding.write_row(&observation, EncodedDecision::Ordinary, &mut row);
        let seen = self.events.iter().rev().filter_map(|event| event.as_seen_by(seat));
        self.encoding.write_history(&observation, seen, &mut row);
        row
    }

    fn offers(&self, state: &RoundState, seat: Seat, draw: VoluntaryDraw) -> (Vec<u8>, Vec<i16>) {
        let (mut mask, mut ids) = (vec![7; self.encoding.num_actions()], vec![7; self.encoding.num_actions()]);
        let offered = self.encoding.write_legal(&self.observation(state, seat), draw, &mut mask, &mut ids);
        let len = offered.len();
        assert!((0..mask.len()).all(|id| offered.contains(id) == (mask[id] == 1)));
        assert!(!offered.contains(mask.len()) && offered.is_empty() == (len == 0));
        let mut alone = vec![7; ids.len()];
        assert_eq!(self.encoding.write_legal(&self.observation(state, seat), draw, &mut [], &mut alone), offered);
        assert_eq!(alone, ids, "the mask may be left out");
        assert!(ids[len..].iter().all(|&id| id == -1));
        ids.truncate(len);
        (mask, ids)
    }

    fn part<'r>(&self, row: &'r [u8], name: &str) -> &'r [u8] {
        let blocks = self.encoding.layout().blocks();
        let &Block { offset, len, .. } = blocks.iter().find(|block| block.name == name).expect("a part of the row");
        &row[offset..offset + len]
    }
}

impl EventSink for Table<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        self.events.push(event);
    }
}

fn all_tables() -> Vec<(Rules, usize)> {
    let mut tables = random_play::all_rules();
    tables.extend(random_play::random_rules(150));
    tables
}

fn actions(table: &Table<'_>, ids: &[i16]) -> Vec<Action> {
    let action = |&id: &i16| table.encoding.actions().action(usize::try_from(id).expect("an id")).expect("an action");
    ids.iter().map(action).collect()
}

#[test]
fn offered_actions_are_legal_actions() {
    positions(&all_tables(), 1, |table, state, _| {
        for seat in state.seats() {
            let observation = table.observation(state, seat);
            let (mask, ids) = table.offers(state, seat, VoluntaryDraw::Offered);
            assert_eq!(actions(table, &ids), observation.legal_actions());
            let marked: Vec<i16> = (0..).zip(&mask).filter(|(_, is_set)| **is_set == 1).map(|(id, _)| id).collect();
            let mut sorted = ids.clone();
            sorted.sort_unstable();
            assert_eq!(marked, sorted);
            assert!(mask.iter().all(|&byte| byte <= 1));

            let (_, ids) = table.offers(state, seat, VoluntaryDraw::Hidden);
            let mut expected = observation.legal_actions();
            let can_play = expected.iter().any(|action| action.card().is_some());
            if can_play && matches!(observation.decision(), Decision::Turn | Decision::Drawn(_)) {
                expected.retain(|action| !matches!(action, Action::Draw | Action::Keep | Action::Pass));
            }
            assert_eq!(actions(table, &ids), expected);

            for (id, action) in table.encoding.actions().iter().enumerate() {
                let (id, legal) = (i16::try_from(id).unwrap(), observation.legal_actions());
                let offers = |draw| table.encoding.offers(&observation, draw, action);
                assert_eq!(offers(VoluntaryDraw::Offered), legal.contains(&action));
                assert_eq!(offers(VoluntaryDraw::Hidden), ids.contains(&id));
            }
        }
    });
}

#[test]
fn legal_action_has_id() {
    positions(&all_tables(), 2, |table, state, _| {
        for seat in state.seats() {
            for action in state.legal_interruptions(table.rules, seat) {
                let id = table.encoding.actions().id(action).expect("an id");
                assert_eq!(table.encoding.actions().action(id), Some(action));
            }
        }
    });
}

/// A target may be chosen only for the start card.
#[test]
fn start_card_by_button_has_targets() {
    let settings = ["start.draw_two=\"tinker\"", "draw_two.target=\"next\""].map(|text| text.parse().expect("a key"));
    let rules = load("classic", &settings, TableSize::Seats(3), &PresetsOnly).expect("good rules").rules;
    let encoding = Encoding::new(&rules, 3, 0);
    assert!(encoding.actions().id(Action::Target(Seat::new(1))).is_some());
}

#[test]
fn row_has_card_counts_and_decision() {
    let is_counted = |part: &[u8], cards: Cards| {
        part.iter().enumerate().all(|(kind, &count)| u32::from(count) == cards.count(Card::new(kind)))
    };
    positions(&all_tables(), 3, |table, state, _| {
        for seat in state.seats() {
            let (observation, row) = (table.observation(state, seat), table.row(state, seat));
            assert_eq!(table.encoding.layout().num_events(), EVENTS);
            let part = |name| table.part(&row, name);
            assert!(is_counted(part("hand"), observation.hand()));
            assert!(is_counted(part("discard"), observation.discard_pile()));
            let known = part("known").chunks_exact(table.rules.kinds().len());
            for (other, part) in observation.others().zip(known) {
                assert!(is_counted(part, observation.known(other)));
            }
            let lens: Vec<u32> =
                std::iter::once(seat).chain(observation.others()).map(|s| observation.hand_len(s)).collect();
            let expected = lens.iter().map(|&len| u8::try_from(len).unwrap_or(u8::MAX)).chain(std::iter::repeat(0));
            assert!(part("hand_len").iter().copied().eq(expected.take(table.seats)));
            let one_hots = ["top", "color", "decision", "dealer", "own_seat"];
            assert!(one_hots.iter().all(|name| part(name).iter().map(|&byte| u32::from(byte)).sum::<u32>() == 1));
            assert_eq!(part("top")[observation.top().index()], 1);
            assert_eq!(part("own_seat")[seat.index()], 1);
            let drawn = usize::from(matches!(observation.decision(), Decision::Drawn(Some(_))));
            assert_eq!(part("card").iter().filter(|&&byte| byte == 1).count(), drawn);
        }
    });
}

/// Writes a row with the code for the machine.
struct Write<'a>(&'a Table<'a>, &'a Observation<'a>, EncodedDecision);

impl Kernel for Write<'_> {
    type Output = Vec<u8>;
    #[inline(always)]
    fn run<I: Isa>(self) -> Vec<u8> {
        let Self(table, observation, asked) = self;
        let mut row = vec![0; table.encoding.obs_size()];
        table.encoding.write_cleared_row_on::<I>(observation, observation.discard_pile(), asked, &mut row);
        row
    }
}

#[test]
fn row_matches_plain_writer() {
    let mut scores = NO_SCORES;
    positions(&all_tables(), 6, |table, state, rng| {
        for seat in state.seats() {
            // Sometimes in a match, and sometimes beyond its target.
            if rng.below(4) == 0 {
                scores.iter_mut().for_each(|score| *score = rng.below(600));
            } else {
                scores = NO_SCORES;
            }
            let observation = Observation::of(table.rules, state, &table.knowledge, &scores, seat);
            let mut asked = vec![EncodedDecision::Ordinary, EncodedDecision::Window, EncodedDecision::JumpIn];
            asked.extend(observation.legal_actions().first().map(|&action| EncodedDecision::Call(action)));
            for asked in asked {
                let plain = plain_row::write(&table.encoding, &observation, asked);
                for row in
                    [Write(table, &observation, asked).run::<Generic>(), dispatch(Write(table, &observation, asked))]
                {
                    assert_eq!(row, plain, "{observation:?}, {asked:?}");
                }
            }
        }
    });
}

#[test]
fn rows_and_legal_ids_are_equal_in_indistinguishable_states() {
    positions(&all_tables(), 4, |table, state, rng| {
        for seat in state.seats() {
            let other = table.observation(state, seat).sample_state(rng);
            assert_eq!(table.row(state, seat), table.row(&other, seat));
            for draw in [VoluntaryDraw::Offered, VoluntaryDraw::Hidden] {
                assert_eq!(table.offers(state, seat, draw), table.offers(&other, seat, draw));
            }
        }
    });
}

#[test]
fn history_hides_cards_drawn_by_others() {
    positions(&random_play::all_rules(), 5, |table, state, _| {
        for seat in state.seats() {
            let row = table.row(state, seat);
            let events = table.part(&row, "history").chunks_exact(6);
            for (bytes, seen) in events.zip(table.events.iter().rev().filter_map(|event| event.as_seen_by(seat))) {
                match seen {
                    VisibleEvent::HiddenDraw { .. } => assert_eq!((bytes[0], bytes[2]), (21, 0)),
                    VisibleEvent::Open(Event::Drew { card, .. }) => {
                        assert_eq!((bytes[0], bytes[1], usize::from(bytes[2])), (21, 1, card.index() + 1));
                    }
                    VisibleEvent::HiddenMove { .. } => assert_eq!((bytes[0], bytes[2]), (31, 0)),
                    VisibleEvent::Open(Event::Moved { card, .. }) => {
                        assert_eq!((bytes[0], usize::from(bytes[2])), (31, card.index() + 1));
                    }
                    VisibleEvent::HiddenRedeal { .. } => assert_eq!((bytes[0], bytes[2]), (32, 0)),
                    VisibleEvent::Open(Event::Redealt { card, .. }) => {
                        assert_eq!((bytes[0], bytes[1], usize::from(bytes[2])), (32, 1, card.index() + 1));
                    }
                    VisibleEvent::Open(_) => assert!((1..=30).contains(&bytes[0])),
                }
            }
        }
    });
}

/// The six bytes of an event as the observing seat sees it, with seats counted from this seat.
#[test]
fn every_event_has_distinct_bytes() {
    let rules = Rules::preset("classic");
    let [zero, one, two] = [0, 1, 2].map(Seat::new);
    let card = rules.parse_card("r7").expect("a card");
    let number = u8::try_from(card.index()).expect("a small one") + 1;
    let blue = u8::try_from(Color::Blue.index()).expect("a small one") + 1;
    let mut table = Table::new(&rules, 3);
    let state = RoundState::deal(&rules, SeatSet::first(3), zero, &mut Rng::from_seed(1), &mut ());
    for (event, bytes) in [
        (Event::Acted { seat: one, action: Action::Play(card), call: Call::Uno }, [1, 1, number, 0, 0, 1]),
        (
            Event::Acted { seat: two, action: Action::PlayNaming(card, Color::Blue), call: Call::Silent },
            [2, 2, number, blue, 0, 0],
        ),
        (Event::Acted { seat: zero, action: Action::Swap(two), call: Call::Silent }, [10, 3, 0, 0, 2, 0]),
        (Event::Acted { seat: one, action: Action::Catch(zero), call: Call::Silent }, [19, 1, 0, 0, 3, 0]),
        (Event::Drew { seat: one, card }, [21, 1, number, 0, 0, 0]),
        (Event::Drew { seat: two, card }, [21, 2, 0, 0, 0, 0]),
        (Event::Discarded { seat: two, card, from: Source::Hand }, [22, 2, number, 0, 0, 0]),
        (Event::Discarded { seat: two, card, from: Source::JustDrawn }, [22, 2, number, 0, 0, 1]),
        (Event::TurnedUp(card), [23, 0, number, 0, 0, 0]),
        (Event::Button(Color::Blue), [24, 0, 0, blue, 0, 0]),
        (Event::Task(TaskResult::Done), [25, 0, 0, 0, 0, 1]),
        (Event::Task(TaskResult::Failed), [25, 0, 0, 0, 0, 0]),
        (Event::Chosen(two), [26, 0, 0, 0, 2, 0]),
        (Event::Reshuffled, [27, 0, 0, 0, 0, 0]),
        (Event::Showed { hand_of: zero, to: two }, [28, 3, 0, 0, 2, 0]),
        (Event::Swapped(one, two), [29, 1, 0, 0, 2, 0]),
        (Event::Rotated { direction: Direction::Right, looked: HandView::EverySeat }, [30, 0, 0, 0, 0, 1]),
        (Event::Rotated { direction: Direction::Left, looked: HandView::Only(two) }, [30, 2, 0, 0, 0, 0]),
        (Event::Redealt { seat: one, card }, [32, 1, number, 0, 0, 0]),
        (Event::Redealt { seat: two, card }, [32, 2, 0, 0, 0, 0]),
        (Event::Moved { from: one, to: two, card }, [31, 1, number, 0, 2, 0]),
        (Event::Moved { from: zero, to: two, card }, [31, 3, 0, 0, 2, 0]),
    ] {
        table.events = vec![event];
        let row = table.row(&state, one);
        let (newest, others) = table.part(&row, "history").split_at(6);
        assert_eq!(newest, bytes, "{event:?}");
        assert!(others.iter().all(|&byte| byte == 0));
    }
}

/// A pile tracked from event to event has all cards outside the hands and the draw pile.
#[test]
fn discard_pile_contains_played_cards() {
    for (number, (rules, seats)) in (0..).zip(all_tables()) {
        let mut rngs = [2 * number, 2 * number + 1].map(|stream| Rng::from_seed(7_000 + stream));
        let mut pile = DiscardPile::default();
        let [chance, choices] = &mut rngs;
        let mut state = random_play::deal(&rules, SeatSet::first(seats), Seat::new(0), chance, &mut pile);
        for _ in 0..200 {
            let elsewhere = state.seats().fold(state.draw_pile(), |cards, seat| cards.plus(state.hand(seat)));
            assert_eq!(pile.cards().plus(elsewhere), rules.deck());
            if state.is_terminal() {
                break;
            }
            let chosen = random_play::choose(&rules, &state, choices);
            random_play::apply(&rules, &mut state, chosen, chance, &mut pile);
        }
    }
}

/// Silence is an action only if a call, a catch, or a jump-in is possible.
#[test]
fn silence_has_id_if_interruption_is_legal() {
    for (settings, expected) in [
        (&[][..], false),
        (&["uno.calls=explicit"], true),
        (&["house.jump_in=true"], true),
        (&["uno.calls=explicit", "house.jump_in=true"], true),
    ] {
        let encoding = Encoding::new(&random_play::rules("classic", 3, settings), 3, 0);
        assert_eq!(encoding.actions().id(Action::Silent).is_some(), expected, "{settings:?}");
    }
}

#[test]
fn layout_of_every_edition_is_stable() {
    for name in presets::NAMES {
        let mut text = String::new();
        for seats in [2, 4, 10].into_iter().filter(|seats| Rules::preset(name).seats().contains(seats)) {
            let rules = random_play::rules(name, seats, &[]);
            let encoding = Encoding::new(&rules, seats, 0);
            let sizes = (encoding.obs_size(), encoding.num_actions());
            writeln!(text, "{seats} seats: {} bytes, {} actions", sizes.0, sizes.1).unwrap();
            for Block { name, offset, len, .. } in encoding.layout().blocks() {
                writeln!(text, "  {offset:>4} {len:>4} {name}").unwrap();
            }
            for (id, action) in encoding.actions().names(&rules).iter().enumerate() {
                writeln!(text, "  {id:>4} {action}").unwrap();
            }
        }
        golden::check(&format!("encoding/{name}.txt"), &text);
    }
}
