//! The exact meaning of a seed: the dealt cards and the end of the game.
//!
//! A change in `stability.txt` changes every seeded result, including published studies. It must be intended, and needs a
//! line under "Changed results" in the changelog. The file is rewritten by `UNOLAB_BLESS=1 cargo test -p unolab-engine --test
//! all stability`.

use crate::{golden, random_play};
use unolab_engine::match_play::first_dealer;
use unolab_engine::record::{Header, RecordWriter, Unit};
use unolab_engine::rng::{GENERATOR_ID, Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::Outcome;

const MASTER_SEED: u64 = 1;

#[test]
fn seeded_rounds_match_golden_file() {
    let mut text = format!("generator {GENERATOR_ID}, master seed {MASTER_SEED}\n");
    for (name, seats) in [("classic", 4), ("disney", 3)] {
        let rules = Rules::preset(name);
        text += &format!("\n{name}, {seats} seats, rules {}\n", rules.hash());
        text.extend((0..3).map(|set| deal(&rules, seats, set)));
        text.extend((0..8).map(|set| end_of_round(&rules, seats, set)));
    }
    golden::check("stability.txt", &text);
}

/// The hands and the start card, as a record writes them.
fn deal(rules: &Rules, seats: usize, set: u64) -> String {
    let (dealer, mut cards, _) = streams(rules, seats, set);
    let header = Header {
        unit: Unit::Round,
        seed: MASTER_SEED,
        set,
        dealer,
        agents: vec![String::new(); seats],
        names: Vec::new(),
        extra_cards: Vec::new(),
    };
    let mut writer = RecordWriter::new(rules, &header);
    random_play::deal(rules, SeatSet::first(seats), dealer, &mut cards, &mut writer);
    let record = writer.finish();
    let lines = record.lines().filter(|line| line.contains("\"deal\"") || line.contains("\"start\""));
    lines.fold(format!("set {set}\n"), |text, line| text + line + "\n")
}

/// The end of a round of random legal play.
fn end_of_round(rules: &Rules, seats: usize, set: u64) -> String {
    let (dealer, mut cards, mut choices) = streams(rules, seats, set);
    let mut states = 0;
    let rngs = [&mut cards, &mut choices];
    let end = random_play::play_round(rules, SeatSet::first(seats), dealer, rngs, &mut (), |_| states += 1);
    let winner = match end.outcome() {
        Some(Outcome::WentOut(seat)) => seat.to_string(),
        _ => "no seat".into(),
    };
    format!("set {set}: {states} states, {winner} went out, checksum {:016x}\n", end.checksum(rules))
}

/// The dealer, the card stream, and the choice stream.
fn streams(rules: &Rules, seats: usize, set: u64) -> (Seat, Rng, Rng) {
    let stream = |purpose| Rng::keyed(MASTER_SEED, set, purpose);
    let dealer = first_dealer(rules, seats, &mut stream(Purpose::Dealer));
    (dealer, stream(Purpose::Cards { round: 0 }), stream(Purpose::Other(0)))
}
