//! Records: every round that was played replays to the same end, and every altered record is rejected at a line.

use crate::random_play;
use serde_json::Value;
use unolab_engine::cards::Cards;
use unolab_engine::match_play::{MatchState, first_dealer};
use unolab_engine::record::{
    Fault, FaultKind, Header, RecordWriter, ReplayError, ReplayEvent, ReplayedRecord, Status, Unit, replay,
};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{Rules, presets};
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::RoundState;

/// Plays a random game and records it.
fn record(rules: &Rules, players: usize, unit: Unit, seed: u64) -> (String, MatchState) {
    let dealer = first_dealer(rules, players, &mut Rng::keyed(seed, 0, Purpose::Dealer));
    let header = Header {
        unit,
        seed,
        set: 0,
        dealer,
        agents: vec!["random".into(); players],
        names: Vec::new(),
        extra_cards: Vec::new(),
    };
    let mut writer = RecordWriter::new(rules, &header);
    let mut table = MatchState::new(players, dealer);
    let mut choices = Rng::keyed(seed, 0, Purpose::Other(0));
    for round in 0.. {
        let plan = table.plan(rules);
        let rngs = [&mut Rng::keyed(seed, 0, Purpose::Cards { round }), &mut choices];
        let state = random_play::play_round(rules, plan.seats, plan.dealer, rngs, &mut writer, |_| {});
        writer.end_round(&state);
        if state.is_terminal() {
            table.count_round(rules, &plan, &state);
        }
        if unit == Unit::Round || !state.is_terminal() || table.winners().is_some() || round > 100 {
            break;
        }
    }
    (writer.finish(), table)
}

fn replayed(text: &str) -> Result<ReplayedRecord, ReplayError> {
    replay(text, &mut |_| {})
}

#[test]
fn rounds_under_all_rules_replay_to_same_checksum() {
    for (rules, seats) in random_play::all_rules().into_iter().chain(random_play::random_rules(150)) {
        for seed in 0..3 {
            let (text, _) = record(&rules, seats, Unit::Round, seed);
            match replayed(&text) {
                Ok(replayed) => assert!(text.lines().last().expect("lines").contains(&replayed.checksum)),
                Err(error) => panic!("{}, {seats} seats, seed {seed}: {error}\n{text}", rules.name()),
            }
        }
    }
}

#[test]
fn matches_of_every_format_replay_to_same_scores() {
    let forms: [(&str, usize, &[&str]); 9] = [
        ("classic", 2, &["match.target=200"]),
        ("classic", 4, &["match.teams=fixed", "match.target=100"]),
        ("classic", 4, &["match.teams=rotating", "match.hands_per_partnership=1"]),
        ("swap-hands", 8, &["match.teams=rotating_tables", "match.hands_per_partnership_tables=1"]),
        ("classic", 6, &["match.scoring=elimination", "match.target=150"]),
        ("disney", 3, &["match.scoring=elimination", "match.target=100", "uno.calls=explicit"]),
        ("cars", 3, &["match.scoring=running_lowest", "match.target=200"]),
        // With few cards to draw, rounds are blocked and dealt again.
        ("classic", 10, &["deal.hand_size=10", "match.target=100"]),
        ("custom", 5, &["match.target=100", "uno.calls=explicit", "uno.window=while_one_card"]),
    ];
    for (variant, players, overrides) in forms {
        let rules = random_play::rules(variant, players, overrides);
        for seed in 0..3 {
            let (text, table) = record(&rules, players, Unit::Match, seed);
            let replayed =
                replayed(&text).unwrap_or_else(|error| panic!("{variant} {overrides:?}, seed {seed}: {error}"));
            assert_eq!(replayed.status, Status::Finished, "{variant} {overrides:?}, seed {seed}");
            assert_eq!(replayed.points, table.scores().first(players));
            let winners = table.winners().expect("the match is over");
            for player in Seat::first(players) {
                assert_eq!(replayed.places[player.index()] == 1, winners.contains(player), "{:?}", replayed.places);
            }
        }
    }
}

#[test]
fn match_of_every_preset_replays() {
    for name in presets::NAMES {
        let rules = random_play::rules(name, 4, &["match.target=50"]);
        let (text, _) = record(&rules, 4, Unit::Match, 9);
        assert_eq!(replayed(&text).map(|replayed| replayed.status), Ok(Status::Finished), "{name}");
    }
}

#[test]
fn truncated_game_is_recorded() {
    let rules = Rules::preset("classic");
    let seats = unolab_engine::seat::SeatSet::first(3);
    let header = Header {
        unit: Unit::Match,
        seed: 5,
        set: 2,
        dealer: Seat::new(1),
        agents: vec!["random".into(); 3],
        names: Vec::new(),
        extra_cards: Vec::new(),
    };
    let mut writer = RecordWriter::new(&rules, &header);
    let mut chance = Rng::from_seed(5);
    let mut state = random_play::deal(&rules, seats, Seat::new(1), &mut chance, &mut writer);
    for _ in 0..5 {
        let chosen = random_play::choose(&rules, &state, &mut Rng::from_seed(6));
        random_play::apply(&rules, &mut state, chosen, &mut chance, &mut writer);
    }
    writer.end_round(&state);
    let replayed = replayed(&writer.finish()).expect("a record");
    assert_eq!((replayed.status, replayed.rounds), (Status::Truncated, 1));
    assert_eq!((replayed.points, replayed.places), (vec![0; 3], vec![1; 3]));
    assert_eq!(replayed.header, header);
}

#[test]
fn replay_describes_every_step() {
    let rules = Rules::preset("classic");
    let (text, _) = record(&rules, 2, Unit::Round, 1);
    let (mut story, mut decisions) = (Vec::new(), 0);
    replay(&text, &mut |step| {
        story.extend(step.describe());
        if let ReplayEvent::Event { event: unolab_engine::event::Event::Acted { seat, action, call }, state, .. } =
            step.what
        {
            assert!(state.is_legal(step.rules, seat, action, call), "an action is shown before it is done");
            decisions += 1;
        }
    })
    .expect("a record");
    assert_eq!(decisions, text.lines().filter(|line| line.contains("\"do\"")).count());
    assert!(story[0].starts_with("classic, seed 1, set 0: 0 random, 1 random"), "{}", story[0]);
    let story = story.join("\n");
    for words in
        [" deals\n  seat 0: ", "is turned up", " plays ", "[holds ", "has gone out: points", "finished: points"]
    {
        assert!(story.contains(words), "`{words}` is not in\n{story}");
    }
}

// --- altered records ------------------------------------------------------------------------------------------------

/// Records with every kind of line: chance of all sorts, several rounds, explicit calls.
fn records_to_alter() -> Vec<String> {
    let disney = random_play::rules("disney", 3, &["match.target=30", "uno.calls=explicit"]);
    let classic = random_play::rules("classic", 10, &[]);
    let custom = random_play::random_rules(0).swap_remove(0).0;
    vec![
        record(&disney, 3, Unit::Match, 3).0,
        record(&classic, 10, Unit::Round, 4).0,
        record(&custom, 3, Unit::Round, 5).0,
    ]
}

/// The text must be rejected, not before line `from` (counted from 1).
#[track_caller]
fn refused(text: &str, from: usize, what: &str) -> ReplayError {
    let error = replayed(text).expect_err(what);
    assert!((from..=text.lines().count() + 1).contains(&error.line), "{what}, altered at line {from}: {error}");
    error
}

/// Some lines of each kind, distinguished by their keys, because not every line of a long record needs a test.
fn sample(lines: &[&str]) -> Vec<usize> {
    let keys = |line: &str| -> Vec<String> {
        let object: serde_json::Map<String, Value> = serde_json::from_str(line).expect("a line");
        object.keys().cloned().collect()
    };
    (0..lines.len())
        .filter(|&at| {
            lines[..at].iter().filter(|earlier| keys(earlier) == keys(lines[at])).count() < 4 || at + 3 > lines.len()
        })
        .collect()
}

fn joined(lines: &[&str]) -> String {
    lines.join("\n") + "\n"
}

#[test]
fn removed_repeated_or_swapped_line_is_rejected() {
    for text in records_to_alter() {
        let lines: Vec<&str> = text.lines().collect();
        for at in sample(&lines) {
            let mut removed = lines.clone();
            removed.remove(at);
            refused(&joined(&removed), at + 1, "a line is removed");
            let mut repeated = lines.clone();
            repeated.insert(at, lines[at]);
            refused(&joined(&repeated), at + 1, "a line is repeated");
            let mut swapped = lines.clone();
            swapped.swap(at, (at + 1).min(lines.len() - 1));
            if swapped != lines {
                refused(&joined(&swapped), at + 1, "two lines are swapped");
            }
            refused(&joined(&lines[..at]), at + 1, "the record breaks off");
        }
    }
}

#[test]
fn broken_json_and_unknown_key_are_rejected_with_line() {
    for text in records_to_alter() {
        let lines: Vec<&str> = text.lines().collect();
        for at in sample(&lines) {
            let whole = lines[at];
            let unknown = whole.replacen('{', "{\"unknown\":1,", 1);
            for broken in [&whole[..whole.len() / 2], &whole[..whole.len() - 1], "", "{}", "[]", unknown.as_str()] {
                let mut altered = lines.clone();
                altered[at] = broken;
                let error = refused(&joined(&altered), at + 1, broken);
                assert_eq!(error.line, at + 1, "{error}");
            }
        }
    }
}

#[test]
fn changed_value_is_rejected() {
    for text in records_to_alter() {
        let lines: Vec<&str> = text.lines().collect();
        for at in sample(&lines) {
            for altered_line in alterations(lines[at]) {
                let mut altered = lines.clone();
                altered[at] = &altered_line;
                refused(&joined(&altered), at + 1, &altered_line);
            }
        }
    }
}

/// The line with one of its values changed, in every way that keeps its type.
fn alterations(line: &str) -> Vec<String> {
    let object: serde_json::Map<String, Value> = serde_json::from_str(line).expect("a line");
    let mut altered = Vec::new();
    for (key, value) in &object {
        for other in other_values(value) {
            let mut copy = object.clone();
            copy.insert(key.clone(), other);
            altered.push(Value::Object(copy).to_string());
        }
    }
    altered
}

fn other_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => vec![(number.as_u64().expect("whole") + 1).into(), 99.into()],
        Value::String(text) => {
            let colors_turned: String =
                text.chars().map(|c| "rygb".find(c).map_or(c, |i| ['y', 'g', 'b', 'r'][i])).collect();
            let mut others = vec![Value::from(format!("{text}x")), Value::from("")];
            if colors_turned != *text {
                others.push(colors_turned.into());
            }
            others
        }
        Value::Array(items) => {
            let mut others = vec![Value::from(&items[1..])];
            for (at, item) in items.iter().enumerate() {
                others.extend(other_values(item).into_iter().map(|other| {
                    let mut copy = items.clone();
                    copy[at] = other;
                    Value::from(copy)
                }));
            }
            others
        }
        other => panic!("no line has {other}"),
    }
}

#[test]
fn loading_error_states_reason() {
    let rules = random_play::rules("classic", 2, &[]);
    let (text, _) = record(&rules, 2, Unit::Round, 1);
    let hash = rules.hash();
    for (from, to, line, reason) in [
        ("{\"record\":1", "{\"record\":2", 1, "format version 2 is not known; allowed: 1"),
        (hash.as_str(), "0000000000000000", 1, "rules_hash: these rules have the hash"),
        ("target = 500", "target = 400", 1, "rules_hash: these rules have the hash"),
        ("target = 500", "target = 0", 1, "match.target: 0 is not allowed; allowed: a whole number from 1 to 1000000"),
        ("\"variant\":\"classic\"", "\"variant\":\"../x\"", 1, "variant: `../x` is not the name of a variant"),
        ("\"seats\":2", "\"seats\":11", 1, "agents: 2 agents for 11 seats"),
        ("\"dealer\":", "\"dealer\":7", 1, "dealer: 7"),
        ("\"deal\":[\"", "\"deal\":[\"r5 ", 2, "deal: seat 0 has 8 cards, not 7"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = refused(&text.replacen(from, to, 1), line, reason);
        assert_eq!(error.line, line);
        assert!(error.reason.contains(reason), "expected `{reason}`, found `{error}`");
    }
    assert_eq!(replayed("").expect_err("nothing").line, 1);
}

/// A listener that records a note with each action of seat 1, and its fault before the fifth.
struct Faulty<'a> {
    writer: RecordWriter<'a>,
    actions: u32,
}

impl unolab_engine::state::EventSink for Faulty<'_> {
    fn on_event(&mut self, state: &unolab_engine::state::RoundState, event: unolab_engine::event::Event) {
        if let unolab_engine::event::Event::Acted { seat, .. } = event {
            self.actions += 1;
            if self.actions == 5 {
                let (seat, by) = (Seat::new(1), "greedy".to_owned());
                self.writer.record_fault(&Fault { seat, kind: FaultKind::Crash, decision: 3, by });
            }
            if seat == Seat::new(1) && self.actions < 5 {
                self.writer.note_next_action("a \"note\"".to_owned());
            }
        }
        self.writer.on_event(state, event);
    }
}

#[test]
fn fault_is_counted_separately_and_note_is_ignored() {
    let rules = Rules::preset("classic");
    let names = vec!["mine".into(), "other".into(), "third".into()];
    let header = Header {
        unit: Unit::Round,
        seed: 3,
        set: 0,
        dealer: Seat::new(0),
        agents: vec!["random".into(); 3],
        names,
        extra_cards: Vec::new(),
    };
    let mut listener = Faulty { writer: RecordWriter::new(&rules, &header), actions: 0 };
    let rngs = [&mut Rng::from_seed(3), &mut Rng::from_seed(4)];
    let seats = unolab_engine::seat::SeatSet::first(3);
    let state = random_play::play_round(&rules, seats, Seat::new(0), rngs, &mut listener, |_| {});
    listener.writer.end_round(&state);
    let text = listener.writer.finish();
    let (mut notes, mut faults) = (0, Vec::new());
    let again = replay(&text, &mut |step| match step.what {
        ReplayEvent::Event { note: Some(note), .. } => {
            assert_eq!(note, "a \"note\"");
            notes += 1;
        }
        ReplayEvent::Fault { fault, player } => faults.push((fault.clone(), player)),
        _ => {}
    })
    .expect("a record");
    assert!(notes > 0 && again.header == header);
    let fault = Fault { seat: Seat::new(1), kind: FaultKind::Crash, decision: 3, by: "greedy".into() };
    assert_eq!(faults, [(fault, Seat::new(1))]);
    let (points, places) = again.counted.clone().expect("a fault");
    assert_eq!((points[1], places[1]), (0, 3));
    let mut first_two = [places[0], places[2]];
    first_two.sort_unstable();
    assert_eq!(first_two, [1, 2], "cards: {:?}", again.places);
    // A fault occurs at most once, for a seat in the game, and with a known kind.
    let line = text.lines().find(|line| line.contains("\"fault\"")).expect("a fault").to_owned();
    assert_eq!(line, r#"{"seat":1,"fault":"crash","decision":3,"by":"greedy"}"#);
    for (altered, part) in [
        (text.replace(&line, &format!("{line}\n{line}")), "whose agent has not lost the game yet"),
        (text.replace(&line, &line.replace("\"seat\":1", "\"seat\":3")), "there is no seat 3"),
        (text.replace(&line, &line.replace("crash", "sleep")), "unknown variant `sleep`"),
        (text.replace(&line, &line.replace(":3,", ":0,")), "counted from 1"),
        (text.replace(&line, &line.replace(":3,", ":4,")), "lines: the checksum of the lines before is"),
        (text.replace(&format!("{line}\n"), ""), "a line was changed after the game"),
    ] {
        let error = replayed(&altered).map(drop).expect_err("an altered record").to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// A random round that begins with extra cards for some seats.
fn record_with_odds(rules: &Rules, extra_cards: &[u8], seed: u64) -> String {
    let seats = extra_cards.len();
    let header = Header {
        unit: Unit::Round,
        seed,
        set: 0,
        dealer: Seat::new(1),
        agents: vec!["random".into(); seats],
        names: Vec::new(),
        extra_cards: extra_cards.to_vec(),
    };
    let mut writer = RecordWriter::new(rules, &header);
    let (mut chance, mut choices) = (Rng::from_seed(seed), Rng::from_seed(!seed));
    let extra_cards = BySeat::from_fn(|seat| extra_cards.get(seat.index()).copied().unwrap_or(0));
    let (at, dealer) = (SeatSet::first(seats), header.dealer);
    let mut state = RoundState::deal_with_extra_cards(rules, at, dealer, &extra_cards, &mut chance, &mut writer);
    while !state.is_terminal() {
        let chosen = random_play::choose(rules, &state, &mut choices);
        random_play::apply(rules, &mut state, chosen, &mut chance, &mut writer);
    }
    writer.end_round(&state);
    writer.finish()
}

/// The dealt hands of the first round.
fn dealt_hands(rules: &Rules, record: &str) -> Vec<Cards> {
    let deal: Value = serde_json::from_str(record.lines().nth(1).expect("a deal")).expect("a line");
    let hands = deal["deal"].as_array().expect("hands").iter();
    hands.map(|hand| rules.parse_cards(hand.as_str().expect("cards")).expect("cards")).collect()
}

#[test]
fn extra_cards_are_dealt_after_usual_hands() {
    for (name, overrides) in [("classic", &[][..]), ("disney", &[]), ("classic", &["deal.hand_size=1"])] {
        let rules = random_play::rules(name, 3, overrides);
        let size = rules.parameters().hand_size.get();
        for seed in 0..20 {
            let [usual, of_first, of_last, of_two] =
                [[0; 3], [2, 0, 0], [0, 0, 2], [1, 1, 0]].map(|extra| record_with_odds(&rules, &extra, seed));
            for record in [&usual, &of_first, &of_last, &of_two] {
                replayed(record).unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}\n{record}"));
            }
            let [usual, of_first, of_last, of_two] =
                [usual, of_first, of_last, of_two].map(|record| dealt_hands(&rules, &record));
            assert!(usual.iter().all(|hand| hand.len() == size));
            assert_eq!((of_first[1], of_first[2], of_last[0], of_last[1]), (usual[1], usual[2], usual[0], usual[1]));
            let extra = of_first[0].minus(usual[0]);
            assert_eq!((extra.len(), of_last[2]), (2, usual[2].plus(extra)), "{name}, seed {seed}");
            let of_each = [of_two[0].minus(usual[0]), of_two[1].minus(usual[1])];
            assert_eq!((of_each.map(Cards::len), of_each[0].plus(of_each[1])), ([1, 1], extra));
        }
    }
}

#[test]
fn record_with_other_extra_cards_is_rejected() {
    let rules = random_play::rules("classic", 2, &[]);
    let record = record_with_odds(&rules, &[2, 0], 7);
    for (changed, reason) in [
        ("\"extra_cards\":[1,0],", "deal: seat 0 has 9 cards, not 8"),
        ("", "deal: seat 0 has 9 cards, not 7"),
        ("\"extra_cards\":[2],", "extra_cards: 1 numbers for 2 seats"),
    ] {
        let error = replayed(&record.replace("\"extra_cards\":[2,0],", changed)).unwrap_err();
        assert!(error.to_string().contains(reason), "{changed}: {error}");
    }
}
