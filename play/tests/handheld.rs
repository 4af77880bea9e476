//! The handheld on a clock that the test controls: the rule sheet's description of the machine, and the rulings HH-07 to HH-22.

use std::path::PathBuf;

use tempfile::TempDir;
use unolab::seat::Seat;
use unolab::watch::Hand;
use unolab::{Action, Card};
use unolab_play::handheld::{
    Button, DRAWN_CARD_MS, FALSE_PRESS_MS, Handheld, HiScoreFile, IDLE_MS, Level, OFF_MS, Screen, THINKING_MS,
};

/// The interval at which a test reads the screen.
const TICK: u64 = 150;

/// When the people call UNO for their own last card.
#[derive(Clone, Copy, PartialEq)]
enum Calls {
    Early,
    AtOnce,
    Never,
}

struct Play {
    machine: Handheld,
    now: u64,
    calls: Calls,
    file: PathBuf,
    _home: TempDir,
}

impl Play {
    fn new(seed: u64, calls: Calls) -> Self {
        Self::of(&["you"], seed, calls)
    }

    fn of(people: &[&str], seed: u64, calls: Calls) -> Self {
        let home = TempDir::new().expect("a directory");
        let file = home.path().join("hi-score");
        let people: Vec<String> = people.iter().map(|&name| name.to_owned()).collect();
        let machine = Handheld::new(&people, seed, HiScoreFile::at(file.clone()));
        Self { machine, now: 0, calls, file, _home: home }
    }

    fn press(&mut self, button: Button) -> Screen {
        self.machine.press(button, self.now);
        self.machine.screen()
    }

    fn wait(&mut self, milliseconds: u64) -> Screen {
        self.now += milliseconds;
        self.machine.tick(self.now);
        self.machine.screen()
    }

    /// Leaves the demo and begins a game of this many players.
    fn begin(&mut self, players: usize, level: Level) -> Screen {
        let mut screen = self.press(Button::Reset);
        while screen.players < players {
            screen = self.press(Button::Right);
        }
        screen = self.press(Button::Enter);
        if screen.mode == "level" {
            if level == Level::Hard {
                self.press(Button::Right);
            }
            screen = self.press(Button::Enter);
        }
        assert!(["play", "hand_over"].contains(&screen.mode), "{screen:?}");
        screen
    }

    fn cards(&self, seat: usize) -> u32 {
        self.machine.session().round().state().hand(Seat::new(seat)).len()
    }

    fn can_be_caught(&self, seat: usize) -> bool {
        self.machine.session().round().state().uncalled().contains(Seat::new(seat)) && self.cards(seat) == 1
    }

    fn legal(&self) -> Vec<Action> {
        let session = self.machine.session();
        session.round().state().legal_actions(&session.setup().rules)
    }

    /// The position of the first playable card in the holder's hand.
    fn playable(&mut self) -> Option<usize> {
        let legal = self.legal();
        let holder = Seat::new(self.machine.screen().holder?);
        let hand: Vec<Card> = self.machine.session().round().state().hand(holder).iter().collect();
        hand.iter().position(|&card| legal.iter().any(|action| action.card() == Some(card)))
    }

    fn scroll_to(&mut self, index: usize) {
        while self.machine.screen().highlight != Some(index) {
            let from = self.machine.screen().highlight;
            assert_ne!(self.press(Button::Right).highlight, from, "scrolling moves");
        }
    }

    /// Plays the first card that fits for each person, until `until` holds.
    fn go_on(&mut self, until: impl Fn(&Self, &Screen) -> bool) -> Screen {
        for _ in 0..400_000 {
            let screen = self.wait(TICK);
            if until(self, &screen) {
                return screen;
            }
            for person in 0..screen.people.len() {
                if screen.races.contains(&person) && self.calls == Calls::AtOnce {
                    self.machine.press_uno(Seat::new(person), self.now);
                }
            }
            match screen.mode {
                "color" | "round_over" | "hand_over" => {
                    self.press(Button::Enter);
                }
                "play" if screen.is_asked => self.take_turn(),
                _ => {}
            }
        }
        panic!("the condition is never met: {:?}", self.machine.screen());
    }

    fn take_turn(&mut self) {
        let legal = self.legal();
        if matches!(legal[0], Action::NameColor(_)) {
            self.press(Button::Enter);
            return;
        }
        match self.playable() {
            None => {
                self.press(Button::Draw);
            }
            Some(index) => {
                if !legal.contains(&Action::Keep) {
                    self.scroll_to(index);
                }
                let holder = self.machine.screen().holder.expect("a person holds the machine");
                if self.cards(holder) == 2 && self.calls == Calls::Early {
                    self.press(Button::Uno);
                }
                self.press(Button::Enter);
            }
        }
    }
}

/// A game in which the person has one card without having called, and no machine has pressed; `None` if the round ends first.
fn race(seed: u64, level: Level) -> Option<Play> {
    let mut play = Play::new(seed, Calls::Never);
    play.begin(3, level);
    let screen = play.go_on(|play, screen| play.can_be_caught(0) || screen.mode.ends_with("over"));
    (screen.mode == "play").then_some(play)
}

/// The time until a machine presses; `None` if the race ends otherwise.
fn time_of_machine(mut play: Play) -> Option<u64> {
    let begin = play.now;
    while play.can_be_caught(0) {
        play.now += 1;
        play.machine.tick(play.now);
    }
    play.machine.screen().line.ends_with("UNO! Two cards for you").then_some(play.now - begin)
}

fn is_closed(hand: Option<&Hand>) -> bool {
    matches!(hand, Some(Hand::Closed(_)))
}

#[test]
fn demo_plays_until_reset() {
    let mut play = Play::new(1, Calls::Never);
    for button in [Button::Enter, Button::Draw, Button::Uno, Button::Left, Button::Right, Button::Sound] {
        let before = play.machine.screen();
        assert_eq!(before.mode, "demo");
        assert_eq!(play.press(button), before, "HH-15: {button:?}");
        play.machine.hold(button, play.now);
        assert_eq!(play.machine.screen(), before, "HH-15: {button:?}, held");
    }
    let first = play.machine.session().setup().seed;
    let screen = play.wait(10_000);
    assert!(screen.frames > 5 && screen.holder.is_none() && screen.people == ["you"]);
    let table = &screen.frame.table;
    assert!(table.hands.iter().all(|hand| is_closed(hand.as_ref())), "no person holds the machine: {table:?}");
    play.wait(600_000);
    assert_ne!(play.machine.session().setup().seed, first, "another round follows");
    assert!(!play.file.exists(), "HH-15: no hi-score");
    assert_eq!(play.press(Button::Reset).mode, "players");
}

/// HH-22.
#[test]
fn idle_machine_is_off_until_enter_or_uno_is_pressed() {
    for button in [Button::Enter, Button::Uno, Button::Reset] {
        let mut play = Play::new(1, Calls::Never);
        assert_eq!(play.wait(OFF_MS).mode, "demo", "the round is not over");
        let screen = play.wait(OFF_MS);
        assert_eq!((screen.mode, screen.line.as_str()), ("off", ""));
        for ignored in [Button::Draw, Button::Left, Button::Right, Button::Sound] {
            assert_eq!(play.press(ignored).mode, "off", "{ignored:?}");
        }
        assert_eq!(play.wait(IDLE_MS).mode, "off");
        assert_eq!(play.press(button).mode, "players", "{button:?}");
    }
}

#[test]
fn idle_demo_restarts_only_between_games() {
    let mut play = Play::new(1, Calls::Never);
    play.press(Button::Reset);
    assert_eq!(play.wait(IDLE_MS - 1).mode, "players");
    assert_eq!(play.press(Button::Right).mode, "players");
    assert_eq!(play.wait(IDLE_MS).mode, "demo");
    play.begin(2, Level::Easy);
    play.go_on(|_, screen| screen.is_asked);
    let asked = play.machine.screen();
    assert_eq!(play.wait(100 * IDLE_MS), Screen { sounds: Vec::new(), ..asked }, "HH-16: other decisions wait");
}

#[test]
fn scrolling_selects_players_then_level() {
    let mut play = Play::new(1, Calls::Never);
    play.press(Button::Reset);
    let players: Vec<usize> = (0..4).map(|_| play.press(Button::Right).players).collect();
    assert_eq!(players, [3, 4, 2, 3], "HH-17");
    assert_eq!(play.press(Button::Left).players, 2);
    assert_eq!(play.press(Button::Left).players, 4);
    assert_eq!(play.press(Button::Enter).mode, "level");
    assert_eq!(play.press(Button::Left).level, Level::Hard);
    assert_eq!(play.press(Button::Right).level, Level::Easy);
    assert!(play.machine.screen().line.contains("Level I "), "HH-12");
    let screen = play.press(Button::Enter);
    assert_eq!((screen.mode, screen.holder), ("play", Some(0)));
    assert_eq!(screen.names, ["you", "player 2", "player 3", "player 4"]);
}

/// HH-11: a level changes the agent, and how soon it presses.
#[test]
fn both_levels_have_same_rules() {
    let game = |level| {
        let mut play = Play::new(1, Calls::Never);
        play.begin(2, level);
        let setup = play.machine.session().setup().clone();
        let start = *play.machine.session().round().state();
        (setup.rules.to_toml(), setup.participants[1].name().to_owned(), start)
    };
    let (easy, hard) = (game(Level::Easy), game(Level::Hard));
    assert_eq!(easy.0, hard.0);
    assert_eq!((easy.1.as_str(), hard.1.as_str()), ("greedy", "heuristic"));
    assert_eq!(easy.2, hard.2, "the same cards");
}

/// HH-17 and the contract of the machine: one to four people, and machines in the remaining seats.
#[test]
fn any_mix_of_humans_and_machines_is_seated() {
    for (people, players) in [(1, 4), (2, 2), (2, 3), (3, 4), (4, 4)] {
        let names = &["Ada", "Ben", "Cy", "Dora"][..people];
        let mut play = Play::of(names, 7, Calls::AtOnce);
        let screen = play.press(Button::Reset);
        assert_eq!(screen.players, people.max(2));
        assert_eq!(play.press(Button::Left).players, 4, "it goes round");
        play.begin(players, Level::Hard);
        let screen = play.go_on(|_, screen| screen.mode == "match_over");
        assert_eq!(screen.names.len(), players);
        assert_eq!(screen.names[..people], *names);
        let best = screen.scores[..people].iter().max().copied();
        assert!(screen.scores.iter().any(|&score| score >= 500));
        assert_eq!(screen.hi_score, best, "HH-13: the best of the people");
    }
}

/// While the machine is handed on, it shows no hand.
#[test]
fn hand_is_visible_only_to_device_holder() {
    let mut play = Play::of(&["Ada", "Ben"], 5, Calls::AtOnce);
    play.begin(3, Level::Easy);
    let (mut handed_over, mut seen) = (0, [0, 0]);
    for _ in 0..2_000 {
        let screen = play.wait(TICK);
        let hands = &screen.frame.table.hands;
        for (seat, hand) in hands.iter().enumerate() {
            assert_eq!(is_closed(hand.as_ref()), screen.holder != Some(seat), "{screen:?}");
        }
        match (screen.mode, screen.holder) {
            ("hand_over", None) => {
                handed_over += 1;
                assert!(screen.line.contains("take the machine"), "{}", screen.line);
                for button in [Button::Draw, Button::Left, Button::Right, Button::Uno] {
                    assert_eq!(play.press(button).mode, "hand_over");
                }
                let next = play.press(Button::Enter);
                let acting = play.machine.session().round().state().current_seat();
                assert_eq!(next.holder.map(Seat::new), acting);
            }
            ("play", Some(person)) => {
                seen[person] += 1;
                if screen.is_asked {
                    play.take_turn();
                }
            }
            ("round_over" | "color", _) => {
                play.press(Button::Enter);
            }
            _ => {}
        }
    }
    assert!(handed_over > 10 && seen[0] > 10 && seen[1] > 10, "{handed_over} {seen:?}");
}

#[test]
fn early_or_immediate_call_is_safe() {
    for (calls, seed) in
        [Calls::Early, Calls::AtOnce].into_iter().flat_map(|calls| (1..=6).map(move |seed| (calls, seed)))
    {
        let mut play = Play::new(seed, calls);
        play.begin(3, Level::Hard);
        let screen = play.go_on(|play, screen| play.cards(0) == 1 || screen.mode.ends_with("over"));
        if screen.mode != "play" {
            continue;
        }
        if calls == Calls::AtOnce {
            assert!(screen.line.contains("One card left"), "{}", screen.line);
            let screen = play.press(Button::Uno);
            assert!(screen.line.contains("you: UNO!") && !screen.races.contains(&0), "{screen:?}");
        }
        if calls == Calls::Early {
            assert!(!play.can_be_caught(0), "the call counts");
        }
        let hand = play.cards(0);
        let (_, longest) = Level::Hard.reaction_ms();
        let screen = play.wait(longest);
        assert!(play.cards(0) <= hand || !screen.line.contains("for you"), "{screen:?}");
    }
}

/// HH-08: the first press wins; in the same millisecond it is the person's. The time of a machine is drawn for each race,
/// between the bounds of its level.
#[test]
fn race_is_decided_by_clock() {
    for level in [Level::Easy, Level::Hard] {
        let (shortest, longest) = level.reaction_ms();
        let mut times = Vec::new();
        for seed in 1..=12 {
            let Some(time) = race(seed, level).and_then(time_of_machine) else { continue };
            // The card was played at the last tick, or since the tick before.
            assert!((shortest..=longest + TICK).contains(&(time + TICK)), "{time}");
            for (late, cards) in [(0, 1), (1, 3)] {
                let mut play = race(seed, level).expect("the same game");
                let now = play.now + time + late;
                play.machine.press(Button::Uno, now);
                assert_eq!(play.cards(0), cards, "{late} late, seed {seed}: {:?}", play.machine.screen());
            }
            times.push(time);
        }
        times.sort_unstable();
        times.dedup();
        assert!(times.len() > 2, "{times:?}");
    }
}

/// HH-07: play continues, and the catch stays possible, as long as the seat has one card and has not called.
#[test]
fn open_window_persists_while_others_play() {
    let mut stayed_open = 0;
    for seed in 1..=30 {
        let mut play = Play::of(&["Ada", "Ben"], seed, Calls::Never);
        play.begin(2, Level::Easy);
        let screen = play.go_on(|play, screen| {
            play.can_be_caught(0) && screen.holder == Some(1) && screen.is_asked || screen.mode == "round_over"
        });
        if screen.mode != "play" || play.can_be_caught(1) {
            continue;
        }
        assert!(screen.races == [0] && screen.line.contains("Ada has one card"), "{screen:?}");
        assert_eq!(play.wait(60_000).races, [0], "without a machine no press comes from the clock");
        play.press(Button::Draw);
        if play.machine.screen().is_asked && play.legal().contains(&Action::Keep) {
            play.wait(DRAWN_CARD_MS);
        }
        let screen = play.machine.screen();
        assert!(screen.races == [0] && play.cards(0) == 1, "{screen:?}");
        play.machine.press_uno(Seat::new(1), play.now);
        assert_eq!(play.cards(0), 3);
        let screen = play.machine.screen();
        assert!(screen.races.is_empty() && !play.can_be_caught(0), "{screen:?}");
        // A false call costs nothing.
        let before = (play.cards(0), play.cards(1));
        play.machine.press_uno(Seat::new(1), play.now);
        assert_eq!((play.cards(0), play.cards(1)), before);
        stayed_open += 1;
    }
    assert!(stayed_open >= 3, "{stayed_open}");
}

/// HH-08: the first press wins at once, even if another race of the same moment has already been decided.
#[test]
fn simultaneous_races_are_decided_separately() {
    let mut decided = 0;
    for seed in 1..=80 {
        let mut play = Play::of(&["Ada", "Ben", "Cy"], seed, Calls::Never);
        play.begin(3, Level::Easy);
        let screen = play.go_on(|_, screen| screen.races.len() == 2 || screen.mode == "round_over");
        let [first, second] = screen.races[..] else { continue };
        let third = 3 - first - second;
        // The oldest race comes first, except for a person's own.
        play.machine.press_uno(Seat::new(second), play.now);
        let screen = play.machine.screen();
        assert_eq!((play.cards(first), play.cards(second), screen.races), (1, 1, vec![first]), "seed {seed}");
        play.machine.press_uno(Seat::new(third), play.now);
        let screen = play.machine.screen();
        assert_eq!((play.cards(first), play.cards(second)), (3, 1), "seed {seed}: {screen:?}");
        assert!(screen.races.is_empty() && !play.can_be_caught(first), "seed {seed}: {screen:?}");
        let text = play.machine.session().record();
        unolab::record::replay(&text, &mut |_| ()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        decided += 1;
    }
    assert!(decided >= 3, "{decided}");
}

/// Plays a match with two players; the person presses UNO this long after a race has begun, or without it all the time.
fn person_wins(seed: u64, level: Level, reaction: Option<u64>) -> bool {
    let mut play = Play::new(seed, Calls::Never);
    play.begin(2, level);
    let mut begun = None;
    for _ in 0..400_000 {
        let screen = play.wait(TICK);
        match screen.mode {
            "match_over" => return screen.scores[0] > screen.scores[1],
            "color" | "round_over" => {
                play.press(Button::Enter);
            }
            "play" if screen.is_asked => play.take_turn(),
            _ => {}
        }
        begun = if screen.races.is_empty() { None } else { begun.or(Some(play.now)) };
        let is_time = reaction.is_none_or(|reaction| begun.is_some_and(|begun| play.now >= begun + reaction));
        if is_time && screen.mode == "play" {
            play.machine.press_uno(Seat::new(0), play.now);
        }
    }
    panic!("the match does not end");
}

fn wins_of_person(level: Level, reaction: Option<u64>, matches: u64) -> usize {
    (1..=matches).filter(|&seed| person_wins(seed, level, reaction)).count()
}

/// Cards rather than the button decide a match between an attentive person and the machine.
#[test]
fn attentive_person_wins_about_half_of_matches() {
    let (easy, hard) = (wins_of_person(Level::Easy, Some(600), 12), wins_of_person(Level::Hard, Some(600), 12));
    assert!((4..=8).contains(&hard), "level II: {hard} of 12");
    assert!(easy > hard, "level I: {easy} of 12, level II: {hard}");
}

#[test]
fn constant_uno_presses_win_no_race() {
    let mashing = wins_of_person(Level::Hard, None, 10);
    assert!(mashing <= 5, "{mashing} of 10");
}

/// HH-21.
#[test]
fn false_press_blocks_uno_button_for_a_second() {
    for (pause, cards) in [(FALSE_PRESS_MS - 1, 1), (FALSE_PRESS_MS, 3)] {
        let mut tried = 0;
        for seed in 1..=30 {
            let mut play = Play::of(&["Ada", "Ben"], seed, Calls::Never);
            play.begin(2, Level::Easy);
            let screen = play.go_on(|play, screen| {
                screen.mode == "round_over"
                    || (play.cards(0) == 2 && screen.holder == Some(0) && screen.is_asked && screen.races.is_empty())
            });
            if screen.mode == "round_over" {
                continue;
            }
            // Ben presses too early: no player has one card yet.
            play.machine.press_uno(Seat::new(1), play.now);
            play.take_turn();
            play.press(Button::Enter);
            if !play.can_be_caught(0) || play.machine.screen().races != [0] {
                continue;
            }
            play.machine.press_uno(Seat::new(1), play.now + pause);
            assert_eq!(play.cards(0), cards, "seed {seed}, {pause} ms later");
            tried += 1;
        }
        assert!(tried >= 2, "{tried}");
    }
}

#[test]
fn machine_without_call_can_be_caught() {
    let mut caught = 0;
    for seed in 1..=30 {
        let mut play = Play::new(seed, Calls::AtOnce);
        play.begin(2, Level::Easy);
        let screen = play.go_on(|play, screen| play.can_be_caught(1) || screen.mode == "round_over");
        if screen.mode == "play" && screen.races == [1] {
            assert!(screen.line.contains("player 2 has one card"), "{}", screen.line);
            play.press(Button::Uno);
            assert_eq!(play.cards(1), 3);
            caught += 1;
        }
    }
    assert!(caught >= 3, "{caught}");
}

/// HH-09: an early call holds for the card in the highlight, with two cards in hand, and lapses with the next draw.
#[test]
fn early_call_lapses_on_other_card() {
    let mut tried = [0, 0, 0];
    for seed in 1..=60 {
        let mut play = Play::new(seed, Calls::Never);
        play.begin(2, Level::Easy);
        let screen = play.go_on(|play, screen| {
            (play.cards(0) == 2 && screen.is_asked && screen.races.is_empty()) || screen.mode.ends_with("over")
        });
        let Some(index) = play.playable().filter(|_| screen.mode == "play") else { continue };
        if play.legal().contains(&Action::Keep) || !play.legal().contains(&Action::Draw) {
            continue;
        }
        play.scroll_to(index);
        let said = play.press(Button::Uno).line;
        assert!(said.contains("UNO!"), "{said}");
        let what = usize::try_from(seed % 3).expect("small");
        match what {
            0 => {
                play.press(Button::Right);
                play.press(Button::Left);
            }
            1 => {
                play.press(Button::Draw);
            }
            _ => {}
        }
        if what != 1 {
            if play.press(Button::Enter).mode == "color" {
                play.press(Button::Enter);
            }
            if play.machine.screen().mode == "play" {
                assert_eq!(play.can_be_caught(0), what == 0, "HH-09");
                tried[what] += 1;
            }
        } else if play.cards(0) == 3 {
            assert!(!play.can_be_caught(0));
            tried[1] += 1;
        }
    }
    assert!(tried.iter().all(|&tried| tried >= 2), "{tried:?}");
}

#[test]
fn early_call_requires_two_cards_and_playable_one() {
    let mut play = Play::new(1, Calls::Never);
    play.begin(2, Level::Easy);
    play.go_on(|_, screen| screen.is_asked);
    let line = play.machine.screen().line;
    assert_eq!(play.press(Button::Uno).line, line, "seven cards are in the hand");
    assert!(!play.can_be_caught(0));
}

/// HH-16.
#[test]
fn drawn_card_is_kept_after_timeout() {
    let mut play = Play::new(3, Calls::AtOnce);
    play.begin(2, Level::Easy);
    for _ in 0..400 {
        let screen = play.wait(TICK);
        if screen.is_asked && play.legal().contains(&Action::Keep) {
            let asked = play.machine.session().number();
            let highlight = screen.highlight;
            assert_eq!(play.press(Button::Right).highlight, highlight, "only the drawn card may be played");
            play.wait(DRAWN_CARD_MS - 2 * TICK);
            assert_eq!(play.machine.session().number(), asked, "there is time left");
            play.wait(4 * TICK);
            assert!(play.machine.session().number() > asked, "the time is over");
            return;
        }
        if screen.is_asked {
            play.press(Button::Draw);
        } else if screen.mode == "round_over" {
            play.press(Button::Enter);
        }
    }
    panic!("no drawn card could be played");
}

/// HH-13 and HH-14.
#[test]
fn best_human_match_score_is_kept_until_reset() {
    let mut play = Play::new(2, Calls::Early);
    play.begin(2, Level::Easy);
    let screen = play.go_on(|_, screen| screen.mode == "match_over");
    assert!(screen.scores.iter().any(|&score| score >= 500), "{:?}", screen.scores);
    let score = screen.scores[0];
    assert!(score > 0 && screen.hi_score == Some(score));
    let kept =
        |play: &Play| std::fs::read_to_string(&play.file).expect("a file").trim().parse::<u32>().expect("a number");
    assert_eq!(kept(&play), score);
    assert_eq!(play.press(Button::Enter).mode, "players");
    // A new game keeps it, and so does switching the machine off.
    play.begin_again(2);
    play.machine.hold(Button::Draw, play.now);
    assert_eq!(play.machine.screen().hi_score, Some(score));
    assert_eq!(play.wait(10_000).hi_score, None, "it is shown for a while");
    play.machine.hold(Button::Sound, play.now);
    assert_eq!(play.machine.screen().mode, "players", "a new game");
    play.machine = Handheld::new(&["you".to_owned()], 9, HiScoreFile::at(play.file.clone()));
    play.now = 0;
    play.press(Button::Reset);
    play.machine.hold(Button::Draw, play.now);
    assert_eq!(play.machine.screen().hi_score, Some(score));
    play.press(Button::Reset);
    play.machine.hold(Button::Draw, play.now);
    assert_eq!((play.machine.screen().hi_score, kept(&play)), (Some(0), 0));
}

impl Play {
    /// Begins another game at the choice of players.
    fn begin_again(&mut self, players: usize) {
        assert_eq!(self.machine.screen().players, players);
        self.press(Button::Enter);
        assert_eq!(self.press(Button::Enter).mode, "play");
    }
}

#[test]
fn lower_score_does_not_replace_hi_score() {
    let mut play = Play::new(2, Calls::Early);
    std::fs::write(&play.file, "100000\n").expect("a file");
    play.begin(2, Level::Easy);
    // RESET in the demo keeps it: otherwise it would be lost whenever the machine is switched off.
    let screen = play.go_on(|_, screen| screen.mode == "match_over");
    assert_eq!(screen.hi_score, Some(100_000));
}

#[test]
fn sounds_can_be_disabled() {
    let mut play = Play::new(1, Calls::Never);
    play.press(Button::Reset);
    assert!(!play.press(Button::Right).sounds.is_empty());
    assert!(!play.press(Button::Sound).sound);
    assert!(play.press(Button::Right).sounds.is_empty());
    assert!(play.press(Button::Sound).sound);
}

/// Nothing depends on how often the screen is read.
#[test]
fn equal_buttons_and_times_give_equal_games() {
    let told = |tick: u64| {
        let mut play = Play::new(4, Calls::Never);
        play.begin(4, Level::Hard);
        let mut lines = Vec::new();
        for step in 0..60_u64 {
            let end = play.now + 2 * THINKING_MS + 77 * (step % 5);
            while play.now < end {
                play.wait(tick.min(end - play.now));
            }
            let button = [Button::Enter, Button::Draw, Button::Right, Button::Enter, Button::Uno]
                [usize::try_from(step % 5).expect("small")];
            let screen = play.press(button);
            lines.push((screen.mode, screen.frame, screen.scores));
        }
        (lines, play.machine.session().record())
    };
    assert_eq!(told(10), told(3_600_000));
}
