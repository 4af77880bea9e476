use std::sync::atomic::AtomicBool;

use unolab_agents::goal::Goal;
use unolab_agents::net::player::NetSettings;
use unolab_agents::search::policy::Policy;
use unolab_agents::search::valuation::Valuation;
use unolab_arena::analyze::{DecisionEvaluator, analyze};
use unolab_engine::action::{Action, Call};
use unolab_engine::event::Event;
use unolab_engine::match_play::MatchState;
use unolab_engine::record::{Header, RecordWriter, ReplayEvent, Status, Unit, replay};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{Override, PresetsOnly, Rules, TableSize, load, presets};
use unolab_engine::seat::Seat;
use unolab_engine::state::RoundState;

use super::*;

/// A game of players who choose any legal action, but play rather than draw.
fn record(variant: &str, settings: &[&str], seats: usize, unit: Unit, seed: u64) -> (Rules, String) {
    let overrides: Vec<Override> = settings.iter().map(|text| text.parse().unwrap()).collect();
    let rules = load(variant, &overrides, TableSize::Seats(seats), &PresetsOnly).unwrap().rules;
    let agents = (0..seats).map(|seat| format!("agent {seat}")).collect();
    let header =
        Header { unit, seed, set: 0, dealer: Seat::new(0), agents, names: Vec::new(), extra_cards: Vec::new() };
    let mut rng = Rng::from_seed(seed);
    let mut table = MatchState::new(seats, header.dealer);
    let mut writer = RecordWriter::new(&rules, &header);
    loop {
        let plan = table.plan(&rules);
        let mut state = RoundState::deal(&rules, plan.seats, plan.dealer, &mut rng, &mut writer);
        while let Some(seat) = state.current_seat() {
            let legal = state.legal_actions(&rules);
            let plays: Vec<Action> = legal.iter().copied().filter(|action| action.card().is_some()).collect();
            let from = if plays.is_empty() || rng.below(8) == 0 { &legal } else { &plays };
            let action = from[rng.below(u32::try_from(from.len()).unwrap()) as usize];
            let call = if rng.below(2) == 0 && state.is_legal(&rules, seat, action, Call::Uno) {
                Call::Uno
            } else {
                Call::Silent
            };
            state.apply_action(&rules, seat, action, call, &mut rng, &mut writer).unwrap();
            let window = state.uncalled().iter().next();
            if let Some(holder) = window.filter(|_| !state.is_terminal() && rng.below(2) == 0) {
                let catcher = state.next_seat(holder);
                state
                    .apply_action(&rules, catcher, Action::Catch(holder), Call::Silent, &mut rng, &mut writer)
                    .unwrap();
            }
        }
        writer.end_round(&state);
        table.count_round(&rules, &plan, &state);
        if unit == Unit::Round || table.winners().is_some() {
            let text = writer.finish();
            return (rules.clone(), text);
        }
    }
}

/// Every edition, and every house rule.
fn tables() -> Vec<(&'static str, Vec<&'static str>)> {
    let plain = presets::NAMES.into_iter().map(|name| (name, Vec::new()));
    let house = vec![
        "house.stacking=any_draw",
        "house.seven_zero=true",
        "house.jump_in=true",
        "turn.draw_count=until_playable",
        "uno.calls=explicit",
    ];
    plain.chain([("classic", house), ("disney", vec!["uno.calls=explicit"])]).collect()
}

/// `unolab analyze` prints commands with these numbers.
#[test]
fn analyzed_choice_is_the_move_of_its_number() {
    let (_, text) = record("classic", &["uno.calls=explicit"], 3, Unit::Match, 5);
    let game = game("g", &text, View::Open, None).unwrap();
    let evaluator = DecisionEvaluator::Net(NetSettings::published(), Goal::Win.try_into().unwrap());
    let rows = analyze("g", &text, &evaluator, &AtomicBool::new(false)).unwrap();
    assert!(rows.len() > 50 && rows.iter().any(|row| row.round > 1));
    for row in rows {
        let frame = &game.frames[row.move_number];
        let by = frame.by.as_ref().expect("a move");
        assert_eq!((frame.line, by.seat), (row.line, row.seat));
    }
}

#[test]
fn viewer_has_frame_per_move_and_valid_clauses() {
    for (variant, settings) in tables() {
        for seed in 1..=3 {
            let (_, text) = record(variant, &settings, 4, Unit::Round, seed);
            let game = game("g", &text, View::Open, None).unwrap();
            let acts = text.lines().filter(|line| line.contains("\"do\":")).count();
            assert_eq!(game.frames.len(), acts + 1, "{variant}");
            assert!(game.frames.last().unwrap().over.is_some());
            for frame in &game.frames {
                for clause in &frame.clauses {
                    assert!(clauses::TEXTS.contains_key(clause), "{variant}: RULES.md has no clause {clause}");
                }
                let count = |table: &Table| {
                    let held: usize = table.hands.iter().flatten().map(Hand::len).sum();
                    held + (table.draw + table.pile) as usize
                };
                assert_eq!(count(&frame.table), count(&game.frames[0].table), "{variant}: cards are conserved");
            }
            let story = TextTranscript::new(&game.players, &game.frames, ColorMode::Plain);
            assert!((0..game.frames.len()).all(|number| story.frame(number).contains("· draw pile ")));
        }
    }
}

/// In these games no player acts out of turn.
#[test]
fn unused_jump_in_has_no_frame() {
    for settings in [&["house.jump_in=true"][..], &[]] {
        let game = game("g", &record("classic", settings, 4, Unit::Round, 1).1, View::Open, None).unwrap();
        assert!(game.frames.iter().all(|frame| !frame.clauses.contains(&"21.9")));
    }
}

#[test]
fn seat_view_shows_only_its_hand_in_every_frame() {
    let (_, text) = record("classic", &[], 4, Unit::Round, 2);
    let game = game("g", &text, View::Player(Seat::new(1)), None).unwrap();
    for frame in &game.frames {
        for (seat, hand) in frame.table.hands.iter().enumerate() {
            let hand = hand.as_ref().unwrap();
            assert_eq!(matches!(hand, Hand::Open(_)), seat == 1, "{seat}: {hand:?}");
        }
    }
}

/// At a table no player sees whether another player's drawn card could have been played.
#[test]
fn seat_view_hides_cards_kept_by_others() {
    let is_keep = |frame: &Frame| frame.by.as_ref().is_some_and(|by| by.text == "keep");
    let mut hidden = 0;
    for seed in 1..=40 {
        let (_, text) = record("classic", &[], 3, Unit::Round, seed);
        let open = game("g", &text, View::Open, None).unwrap();
        for player in [0, 1, 2] {
            let seen = game("g", &text, View::Player(Seat::new(player)), None).unwrap();
            let kept = |frame: &&Frame| is_keep(frame) && frame.by.as_ref().unwrap().seat != player;
            assert_eq!(seen.frames.iter().filter(kept).count(), 0);
            let of_others = open.frames.iter().filter(kept).count();
            hidden += of_others;
            assert_eq!(seen.frames.len() + of_others, open.frames.len());
            // The numbers of lines do not show where a line is hidden.
            let mut unnoticed = 0;
            let expected: Vec<usize> = open
                .frames
                .iter()
                .filter_map(|frame| {
                    unnoticed += usize::from(kept(&frame));
                    (!kept(&frame)).then(|| frame.line - unnoticed)
                })
                .collect();
            assert_eq!(seen.frames.iter().map(|frame| frame.line).collect::<Vec<_>>(), expected);
        }
    }
    assert!(hidden >= 5, "{hidden}");
}

#[test]
fn round_result_names_winner_and_next_dealer() {
    let players = ["greedy", "heuristic", "random", "random"].map(str::to_owned);
    let result =
        |unit, points: [u32; 4], places: [u8; 4]| words::result(unit, Status::Finished, &players, &points, &places);
    assert_eq!(result(Unit::Match, [339, 152, 507, 400], [2, 1, 4, 3]), "heuristic won, 152 to 339");
    assert_eq!(result(Unit::Match, [500, 0, 500, 0], [1, 3, 1, 3]), "greedy and random · 2 won, 500 to 0");
    assert_eq!(result(Unit::Round, [0, 0, 34, 0], [2, 3, 1, 4]), "random · 2 won, 34 points");
    assert_eq!(result(Unit::Round, [12, 0, 20, 5], [3, 1, 4, 2]), "heuristic won", "points count against their owner");
    let cut = words::result(Unit::Round, Status::Truncated, &players, &[0; 4], &[1; 4]);
    assert_eq!(cut, "the round is truncated");
}

/// Two games that differ only in cards that one seat never saw are the same game from its view, byte for byte.
#[test]
fn page_for_seat_hides_unknown_facts() {
    let analysis = Analysis { valuation: Valuation { worlds: 4, policy: Policy::Greedy, goal: Goal::Win }, seed: 1 };
    let mut compared = 0;
    for (variant, settings) in tables() {
        for seed in 1..=8 {
            let (rules, text) = record(variant, &settings, 4, Unit::Round, seed);
            let Some(other) = with_unseen_cards_exchanged(&rules, &text) else { continue };
            let seen = |text: &str, view| page(&[game("g", text, view, Some(analysis)).unwrap()]);
            let view = View::Player(Seat::new(0));
            assert_eq!(seen(&text, view), seen(&other, view), "{variant}, seed {seed}");
            assert_ne!(seen(&text, View::Open), seen(&other, View::Open));
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared} games compared");
}

/// The record with a card that seat 1 was dealt and held to the end exchanged for one that was never drawn. Seat 0 has
/// seen neither; both have the same points, so everything else stays. `None` if no two cards qualify.
fn with_unseen_cards_exchanged(rules: &Rules, text: &str) -> Option<String> {
    let (mut dealt, mut last, mut is_shown) = (None, None, false);
    replay(text, &mut |step| match step.what {
        ReplayEvent::Dealt { state, .. } => dealt = Some(state.hand(Seat::new(1))),
        ReplayEvent::Event { event, .. } => {
            is_shown |= matches!(event, Event::Swapped(..) | Event::Rotated { .. } | Event::Showed { .. });
        }
        ReplayEvent::RoundOver { state, .. } => last = Some(*state),
        _ => {}
    })
    .unwrap();
    let (dealt, last) = (dealt?, last.filter(|_| !is_shown)?);
    let held = last.hand(Seat::new(1));
    let kept = rules.cards().filter(|&card| dealt.count(card) > 0 && held.count(card) > 0);
    let pairs = kept.flat_map(|a| {
        let undrawn = last.draw_pile().distinct().iter();
        undrawn.filter(move |&b| b != a && rules.points(b) == rules.points(a)).map(move |b| (a, b))
    });
    pairs.into_iter().find_map(|(a, b)| exchanged(text, rules.code(a), rules.code(b)))
}

/// The record with one card of the hand dealt to seat 1 exchanged and its checksums made right, if it still holds.
fn exchanged(text: &str, a: &str, b: &str) -> Option<String> {
    let deal = text.lines().nth(1)?;
    let hand = serde_json::from_str::<serde_json::Value>(deal).unwrap()["deal"][1].as_str().unwrap().to_owned();
    let mut cards: Vec<&str> = hand.split(' ').collect();
    *cards.iter_mut().find(|card| **card == a)? = b;
    let changed = deal.replacen(&format!("\"{hand}\""), &format!("\"{}\"", cards.join(" ")), 1);
    with_right_sums(text.replacen(deal, &changed, 1))
}

/// The record with its checksums made right, if it holds apart from them.
fn with_right_sums(mut text: String) -> Option<String> {
    for _ in 0..4 {
        let Err(error) = replay(&text, &mut |_| ()) else { return Some(text) };
        let reason = error.reason.split(';').next()?.replace("the checksum of the lines before is ", "the rules give ");
        let (_, wanted) = reason.split_once("the rules give ")?;
        let (wanted, found) = wanted.split_once(", not ")?;
        let (wanted, found) = (wanted.trim_matches('"'), found.trim_matches('"'));
        if wanted.len() != 16 || found.len() != 16 {
            return None;
        }
        text = text.replace(found, wanted);
    }
    None
}

#[test]
fn page_values_match_analysis() {
    let (_, text) = record("disney", &[], 3, Unit::Round, 5);
    let valuation = Valuation { worlds: 6, policy: Policy::MixBot, goal: Goal::Win };
    let game = game("g", &text, View::Open, Some(Analysis { valuation, seed: 3 })).unwrap();
    let rows = analyze("g", &text, &DecisionEvaluator::Rollouts(valuation, 3), &AtomicBool::new(false)).unwrap();
    let valued: Vec<_> = game
        .frames
        .iter()
        .filter_map(|frame| {
            let choice = frame.by.as_ref()?.choice.as_ref()?;
            let values = choice.values.as_ref()?;
            let best = values.iter().map(|it| it.0).fold(f64::NEG_INFINITY, f64::max);
            let is_behind_the_best = |it: &ShownValue| it.1 >= 0.0 && (best - it.0 - it.1).abs() < 2e-4;
            assert!(values.iter().all(is_behind_the_best), "the best action has regret 0: {values:?}");
            let ((regret, error), ShownValue(value, ..)) = (choice.fair_regret?, values[choice.chosen]);
            Some((frame.line, value, regret, error))
        })
        .collect();
    assert_eq!(valued.len(), rows.len());
    for ((line, value, regret, error), row) in valued.into_iter().zip(rows) {
        assert!(
            line == row.line
                && (value - row.value).abs() < 1e-4
                && (regret - row.unbiased_regret).abs() < 1e-4
                && (error - row.unbiased_regret_se).abs() < 1e-4,
            "line {line}"
        );
    }
}

#[test]
fn match_page_has_match_win_probability_at_each_deal() {
    let (_, text) = record("classic", &["match.target=100"], 3, Unit::Match, 2);
    let analysis = Analysis { valuation: Valuation { worlds: 4, policy: Policy::Greedy, goal: Goal::Win }, seed: 1 };
    let game = game("g", &text, View::Open, Some(analysis)).unwrap();
    let mut deals = 0;
    for frame in &game.frames {
        assert_eq!(frame.match_odds.is_some(), frame.deal.is_some());
        let Some(odds) = &frame.match_odds else { continue };
        assert!(odds.len() == 3 && odds.iter().map(|&it| i32::from(it)).sum::<i32>().abs_diff(1000) <= 2, "{odds:?}");
        deals += 1;
    }
    assert!(deals > 1);
}

#[test]
fn page_size_is_bounded() {
    let (_, text) = record("classic", &[], 4, Unit::Match, 1);
    let analysis = Analysis { valuation: Valuation { worlds: 2, policy: Policy::Random, goal: Goal::Win }, seed: 1 };
    let game = game("g", &text, View::Open, Some(analysis)).unwrap();
    let size = page(std::slice::from_ref(&game)).len();
    // A round of 200 decisions has to be below 1 MB and a match of 20 rounds below 5 MB.
    let a_frame = size / game.frames.len();
    assert!(a_frame < 4_000, "{a_frame} bytes a frame");
}

/// Terminal control characters and characters that change the text direction are shown as a mark.
#[test]
fn control_characters_in_names_and_notes_are_escaped() {
    let (_, text) = record("classic", &[], 2, Unit::Round, 1);
    let nasty = r"\u001b[2J\u202eevil\u0007\u061c";
    let text = text.replacen("agent 0", nasty, 1);
    let first = text.lines().position(|line| line.contains("\"do\":")).unwrap();
    let lines: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let noted = format!("{},\"note\":\"{nasty}\\nsecond line\"}}", line.strip_suffix('}').unwrap());
            if at == first { noted } else { line.to_owned() }
        })
        .collect();
    let text = with_right_sums(lines.join("\n") + "\n").unwrap();
    let game = game("g\u{1b}[1m", &text, View::Open, None).unwrap();
    let story = TextTranscript::new(&game.players, &game.frames, ColorMode::Plain);
    let told: String = (0..game.frames.len()).map(|number| story.frame(number)).collect();
    let all = told + &story.title(&game.variant) + &page(std::slice::from_ref(&game));
    assert!(all.contains("evil") && all.contains("second line"), "{all}");
    assert!(!all.contains(['\u{1b}', '\u{202e}', '\u{7}', '\u{61c}']));
}

#[test]
fn player_names_are_escaped_in_page() {
    let (_, text) = record("classic", &[], 2, Unit::Round, 1);
    let mut game = game("g", &text, View::Open, None).unwrap();
    game.players[0] = "</script><script>alert(1)</script>{{script}}<s1>".into();
    let page = page(&[game]);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<script>alert"));
}
