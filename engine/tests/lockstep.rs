//! The engine and the naive reference model play the same rounds.
//!
//! At every step the two must agree on all visible data: the decision, its seat, legal and rejected actions, hands, piles,
//! color, direction, windows, knowledge, and points. The engine determines chance: each outcome is recorded and passed to the
//! model. A difference ends the test with the variant, the seed, and all actions.
//!
//! `UNOLAB_TURNS` sets the number of turns in each preset, a million by default.

#![allow(missing_docs, unreachable_pub)]

mod both;
mod chance;
mod round;

use crate::common::{self, Sheet, below, one_of};
use crate::reference::{Code, MatchModel, cut_winners};
use both::Both;
use round::{Manners, Round};
use unolab_engine::card::Card;
use unolab_engine::match_play::{MatchState, highest_cut};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{KEYS, presets};
use unolab_engine::seat::{Seat, SeatSet};

// ---- many rounds ----

/// Longer rounds are abandoned, because random players can take very long.
const LONG: usize = 3_000;

fn turns_wanted() -> u64 {
    std::env::var("UNOLAB_TURNS").map_or(1_000_000, |text| text.parse().expect("UNOLAB_TURNS is a number"))
}

/// Plays a few rounds of a sheet, if it is valid for this number of seats.
fn play_sheet(sheet: &Sheet, seats: usize, seed: u64, turns: &mut u64) -> Result<(), String> {
    let both = Both::load(sheet, seats)?;
    let seats = if both.variant.teams == "rotating_tables" { 4 } else { seats };
    let mut rng = Rng::from_seed(seed);
    for round in 0..4 {
        let mut in_round = SeatSet::first(seats);
        // As late in a Challenge UNO: some seats are out. With partners, all seats take part.
        if round % 2 == 1 && both.variant.teams == "none" {
            for seat in Seat::first(seats) {
                if in_round.len() > 2 && below(&mut rng, 4) == 0 {
                    in_round = in_round.without(seat);
                }
            }
        }
        let dealer = one_of(&mut rng, &in_round.iter().collect::<Vec<_>>());
        let mut game = if round == 3 {
            Round::position(&both, seats, in_round, &mut rng)
        } else {
            Round::deal(&both, seats, in_round, dealer, &mut rng)
        };
        let manners = one_of(&mut rng, &[Manners::Uniform, Manners::RathersPlay]);
        let of = format!("{sheet:?}, {seats} seats, seed {seed}, round {round}");
        game.play_alike(&of, manners, LONG, turns, &mut rng);
    }
    Ok(())
}

/// The sequence of sheets: an unchanged preset, a preset with explicit calls, with each single setting, with several
/// settings, with the project's custom cards, with random custom cards.
struct Sheets {
    singles: Vec<Vec<String>>,
    variants: Vec<Sheet>,
}

/// The number of sheets in eight with the unchanged preset: those with the lowest remainders.
const PLAIN_IN_EIGHT: usize = 3;

impl Sheets {
    fn new() -> Self {
        Self { singles: common::all_settings(), variants: common::custom_variants() }
    }

    fn sheet(&self, preset: &str, number: usize, rng: &mut Rng) -> Sheet {
        let mut sheet = Sheet::plain(preset);
        match number % 8 {
            0..PLAIN_IN_EIGHT => {}
            PLAIN_IN_EIGHT => {
                // Calls and catches, sometimes with cards out of turn.
                let window = one_of(rng, &["next_begins", "next_draws", "next_plays", "while_one_card"]);
                sheet.set = vec!["uno.calls=explicit".into(), format!("uno.window={window}")];
                sheet.set.extend((below(rng, 3) == 0).then(|| "house.jump_in=true".into()));
            }
            4 => sheet.set.clone_from(&self.singles[number / 8 % self.singles.len()]),
            5 => sheet.set = common::random_settings(rng),
            6 => {
                sheet.custom.clone_from(&self.variants[number / 8 % self.variants.len()].custom);
                sheet.set = common::random_settings(rng);
            }
            _ => {
                sheet.custom = common::random_custom_cards(rng);
                sheet.set = common::random_settings(rng);
            }
        }
        sheet
    }
}

/// A million turns in a preset.
fn play_preset(preset: &str) {
    let started = std::time::Instant::now();
    let mut rng = Rng::from_seed(preset.bytes().map(u64::from).sum());
    let all = Sheets::new();
    let wanted = turns_wanted();
    let (mut turns, mut plain_turns, mut sheets) = (0, 0, 0_usize);
    while turns < wanted {
        let sheet = all.sheet(preset, sheets, &mut rng);
        let seats = 2 + below(&mut rng, 9);
        let seed = u64::from(rng.bits());
        let before = turns;
        // A sheet that is invalid at this table is skipped.
        let played = play_sheet(&sheet, seats, seed, &mut turns);
        if sheets % 8 < PLAIN_IN_EIGHT && played.is_ok() {
            plain_turns += turns - before;
        }
        sheets += 1;
    }
    let seconds = started.elapsed().as_secs();
    println!("{preset}: {turns} turns, {plain_turns} of them by the plain preset, {sheets} sheets, {seconds} s");
}

/// The study `results/differential`: numbered sheets, each generated from its own seed, so that it can be run in any parts.
/// `UNOLAB_SHEETS=0..100000` selects them.
#[test]
#[ignore = "a study, which takes as long as it is given"]
fn sheets_by_number_match_reference() {
    let range = std::env::var("UNOLAB_SHEETS").expect("UNOLAB_SHEETS=FIRST..END");
    let (first, end) = range.split_once("..").expect("FIRST..END");
    let [first, end] = [first, end].map(|number| number.parse::<usize>().expect("a number"));
    let all = Sheets::new();
    let (mut turns, mut played, mut counted) = (0, 0, 0);
    for number in first..end {
        let mut rng = Rng::from_seed(number as u64);
        let preset = presets::NAMES[number / 8 % presets::NAMES.len()];
        let sheet = all.sheet(preset, number, &mut rng);
        let seats = 2 + below(&mut rng, 9);
        played += u64::from(play_sheet(&sheet, seats, u64::from(rng.bits()), &mut turns).is_ok());
        if (number + 1) % 10_000 == 0 || number + 1 == end {
            println!("sheets {}..{}: {} turns", number - number % 10_000, number + 1, turns - counted);
            counted = turns;
        }
    }
    println!("sheets {first}..{end}: {played} that make sense, {turns} turns, no difference");
}

#[test]
fn every_preset_matches_reference() {
    std::thread::scope(|scope| {
        for edition in presets::NAMES {
            scope.spawn(move || play_preset(edition));
        }
    });
}

/// Each single value, in every preset for which it is valid.
#[test]
fn every_value_of_every_key_matches_reference() {
    for key in KEYS {
        assert!(common::VALUES.iter().any(|(known, _)| known == key), "{key} is missing in common::VALUES");
    }
    let mut turns = 0;
    for (place, set) in common::all_settings().into_iter().enumerate() {
        let mut played = 0;
        for (other, preset) in presets::NAMES.into_iter().enumerate() {
            let sheet = Sheet { set: set.clone(), ..Sheet::plain(preset) };
            // Once in each preset, at the first of these numbers of seats that allows it.
            let any = 2 + (place + other) % 9;
            let seats = [any, 4, 8, 2].into_iter().find(|seats| play_sheet(&sheet, *seats, 7, &mut turns).is_ok());
            played += u32::from(seats.is_some());
        }
        assert!(played > 0, "{set:?} fits no preset");
    }
    println!("{turns} turns");
}

// ---- matches ----

/// Plays a match in both to the end and compares the results after each round.
fn play_match(sheet: &Sheet, seats: usize, seed: u64) -> Result<u32, String> {
    let both = Both::load(sheet, seats)?;
    let mut rng = Rng::from_seed(seed);
    let two_tables = both.variant.teams == "rotating_tables";
    let dealer = below(&mut rng, if two_tables { 4 } else { seats });
    let mut engine = MatchState::new(seats, Seat::new(dealer));
    let mut model = MatchModel::new(&both.variant, seats, dealer, vec![0; seats]);
    let (mut turns, mut rounds) = (0, 0);
    while engine.winners().is_none() {
        let of = format!("a match: {sheet:?}, {seats} seats, seed {seed}, round {rounds}");
        let plan = engine.plan(&both.rules);
        let table = usize::from(two_tables && engine.rounds() % 2 == 1);
        let seating = if two_tables { model.table(table) } else { model.seating() };
        let engine_seating: Vec<usize> = plan.player_at.first(seating.len()).iter().map(|seat| seat.index()).collect();
        let players_in: Vec<usize> = plan.seats.iter().map(Seat::index).collect();
        let model_in = if two_tables { vec![0, 1, 2, 3] } else { model.seats_in() };
        assert_eq!((engine_seating, players_in), (seating, model_in), "who sits where in {of}");
        assert_eq!(plan.dealer.index(), model.dealer_seat(), "who deals in {of}");

        let at_table = if two_tables { 4 } else { seats };
        let mut round = if below(&mut rng, 8) == 0 && both.variant.teams == "none" {
            Round::position(&both, at_table, plan.seats, &mut rng) // sometimes blocked rounds
        } else {
            Round::deal(&both, at_table, plan.seats, plan.dealer, &mut rng)
        };
        round.play_alike(&of, Manners::RathersPlay, LONG, &mut turns, &mut rng);
        if !round.state.is_terminal() {
            continue; // dealt again: with few cards, none of which is playable, a round may never end
        }
        engine.count_round(&both.rules, &plan, &round.state);
        if two_tables {
            model.finish_table(table, &round.model);
        } else {
            model.finish_round(&round.model);
        }
        let scores: Vec<i64> = engine.scores().first(seats).iter().map(|score| i64::from(*score)).collect();
        assert_eq!(scores, model.scores(), "scores after {of}");
        let winners = engine.winners().map(|seats| seats.iter().map(Seat::index).collect());
        let model_winners = model.is_over().then(|| model.winners().to_vec());
        assert_eq!(winners, model_winners, "winners after {of}");
        rounds += 1;
    }
    Ok(rounds)
}

#[test]
fn match_scores_match_reference() {
    let mut matches = 0;
    for preset in presets::NAMES {
        for scoring in ["winner_takes", "running_lowest", "elimination"] {
            for teams in ["none", "fixed", "rotating", "rotating_tables"] {
                for (seats, target) in [(2, 150), (3, 1), (4, 300), (4, 60), (6, 400), (8, 250), (10, 500)] {
                    let mut sheet = Sheet::plain(preset);
                    for (key, value) in [("scoring", scoring), ("teams", teams)] {
                        sheet.set.push(format!("match.{key}={value}"));
                    }
                    sheet.set.push(format!("match.target={target}"));
                    sheet.set.push(format!("match.hands_per_partnership={}", 1 + target % 2));
                    sheet.set.push("match.hands_per_partnership_tables=1".into());
                    matches += u32::from(play_match(&sheet, seats, target + 1).is_ok());
                }
            }
        }
    }
    println!("{matches} matches");
    assert!(matches > 150, "only {matches} matches made sense");
}

#[test]
fn cut_for_dealer_matches_reference() {
    let mut rng = Rng::from_seed(1);
    for preset in presets::NAMES {
        for values in ["number", "points"] {
            let sheet = Sheet { set: vec![format!("deal.cut_values={values}")], ..Sheet::plain(preset) };
            let both = Both::load(&sheet, 2).expect("two can play");
            for _ in 0..2_000 {
                let contenders = 2 + below(&mut rng, 9);
                let cut: Vec<(Seat, Card)> = Seat::first(contenders)
                    .map(|seat| (seat, both.rules.deck().nth(rng.below(both.rules.deck().len()))))
                    .collect();
                let told: Vec<(usize, Code)> =
                    cut.iter().map(|(seat, card)| (seat.index(), both.codes[card.index()])).collect();
                let highest: Vec<usize> = highest_cut(&both.rules, &cut).iter().map(Seat::index).collect();
                assert_eq!(highest, cut_winners(&both.variant, &told), "{preset}, {cut:?}");
            }
        }
    }
}
