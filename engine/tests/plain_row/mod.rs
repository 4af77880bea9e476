//! A row according to the table of parts in `unolab_engine::encoding`, byte by byte, without optimization.

use std::collections::BTreeMap;

use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::encoding::{DECISIONS, EncodedDecision, Encoding};
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rules::Teams;
use unolab_engine::scoring::are_partners;
use unolab_engine::seat::{Direction, Seat};

/// The row of an observation; its part for events stays empty.
pub(crate) fn write(encoding: &Encoding, observation: &Observation<'_>, asked: EncodedDecision) -> Vec<u8> {
    let offsets = encoding.layout().blocks().into_iter().map(|block| (block.name, block.offset)).collect();
    let mut row = Row { bytes: vec![0; encoding.obs_size()], offsets };
    let mut order: Vec<Seat> = std::iter::once(observation.seat()).chain(observation.others()).collect();
    let out = observation.out().iter().filter(|&seat| seat != observation.seat());
    order.extend(out);
    let place = |seat: Seat| order.iter().position(|&other| other == seat).expect("it sits at the table");
    let rules = observation.rules();

    let put_cards = |row: &mut Row, part, at: usize, cards: Cards| {
        rules.cards().for_each(|card| row.put(part, at + card.index(), cards.count(card)));
    };
    put_cards(&mut row, "hand", 0, observation.hand());
    put_cards(&mut row, "discard", 0, observation.discard_pile());
    for (at, &seat) in order[1..].iter().enumerate() {
        put_cards(&mut row, "known", at * rules.kinds().len(), observation.known(seat));
    }
    row.put("top", observation.top().index(), 1);
    row.put("color", observation.color().map_or(4, |color| color.index()), 1);
    if let Some(seat) = observation.current_seat() {
        row.put("to_act", place(seat), 1);
    }
    row.put("own_seat", observation.seat().index(), 1);
    row.put("direction", 0, u32::from(observation.direction() == Direction::Right));
    row.put("draw_pile", 0, observation.draw_pile_len());
    row.put("reshuffles", 0, observation.reshuffles());
    row.put("dead_word", 0, u32::from(observation.is_top_symbol_inactive()));

    let put_card = |row: &mut Row, card: Option<Card>| {
        if let Some(card) = card {
            row.put("card", card.index(), 1);
        }
    };
    let ordinary = match observation.decision() {
        Decision::Turn => "turn",
        Decision::Drawn(card) => {
            put_card(&mut row, card);
            "drawn"
        }
        Decision::NameColor(_) => "color",
        Decision::Choice(cursor) => {
            row.put("played_by", place(cursor.player), 1);
            row.put("sum", 0, u32::try_from(cursor.choice_number(rules)).expect("few choices"));
            "choice"
        }
        Decision::Challenge { by, color_before, sum } => {
            row.put("played_by", place(by), 1);
            row.put("decision_color", color_before.index(), 1);
            row.put("sum", 0, u32::from(sum));
            "challenge"
        }
        Decision::Cheese => "cheese",
        Decision::Swap => "swap",
        Decision::Lap(passes) => {
            row.put("passes", 0, u32::from(passes));
            "lap"
        }
        Decision::Target => "target",
        Decision::Discard(color) => {
            row.put("decision_color", color.index(), 1);
            "discard"
        }
        Decision::Protect(color) => {
            row.put("decision_color", color.index(), 1);
            "protect"
        }
        Decision::Stack(sum) => {
            row.put("sum", 0, u32::from(sum));
            "stack"
        }
        Decision::Over => "over",
    };
    let decision = match asked {
        EncodedDecision::Ordinary => ordinary,
        EncodedDecision::Call(action) => {
            put_card(&mut row, action.card());
            "call"
        }
        EncodedDecision::Window => "window",
        EncodedDecision::JumpIn => "jump-in",
    };
    row.put("decision", DECISIONS.iter().position(|&known| known == decision).expect("a decision"), 1);

    let teams = rules.parameters().teams;
    let is_partner = |seat: Seat| teams != Teams::None && are_partners(teams, observation.seat(), seat);
    for (at, &seat) in order.iter().enumerate() {
        row.put("hand_len", at, observation.hand_len(seat));
        row.put("uncalled", at, u32::from(observation.uncalled().contains(seat)));
        row.put("dealer", at, u32::from(observation.dealer() == seat));
        row.put("partner", at, u32::from(at > 0 && is_partner(seat)));
        row.put("passed", at, u32::from(observation.passed().contains(seat)));
        row.put("missed_turns", at, u32::from(observation.missed_turns(seat)));
        let share = 255 * u64::from(observation.scores()[seat]) / u64::from(rules.parameters().target.get());
        row.put("score", at, u32::try_from(share).unwrap_or(u32::MAX));
    }
    row.bytes
}

struct Row {
    bytes: Vec<u8>,
    offsets: BTreeMap<&'static str, usize>,
}

impl Row {
    /// Writes a number into a part, at most 255.
    fn put(&mut self, part: &str, at: usize, number: u32) {
        self.bytes[self.offsets[part] + at] = u8::try_from(number).unwrap_or(u8::MAX);
    }
}
