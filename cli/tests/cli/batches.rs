//! Programs that play many games at once: the tables do not depend on it, and a fault costs only the program's own games.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{Home, interruptible, names_in, rows, send_signal};

/// Plays `GAMES` games at once, or one after the other if `GAMES` is 0. An action depends on all messages of its game.
/// Kinds other than "plays" behave differently at the third decision of every fourth game.
const SCRIPT: &str = r#"
import json, os, random, sys, time

GAMES, KIND, NAP = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
games, rules = {}, None
largest = most_games = overs = 0


def say(message):
    print(json.dumps(message), flush=True)


class Game:
    def __init__(self, message):
        self.seed, self.random = message["seed"], random.Random(message["seed"])
        self.asked = self.events = 0

    def turns_bad(self):
        return KIND != "plays" and self.seed % 4 == 0 and self.asked == 3

    def answer(self, question):
        self.asked += 1
        self.events += len(question.get("events", []))
        view = question["observation"]
        number = self.random.randrange(1 << 20) + self.events + sum(map(ord, "".join(view["hand"]))) + len(rules["cards"])
        action = number % len(question["actions"])
        if self.turns_bad() and KIND == "lies":
            action += len(question["actions"])
        return {"decision": question["decision"], "action": action, "note": f"{number} after {self.events} events"}


def think():
    open("thinks", "w").close()
    time.sleep(NAP)


for line in sys.stdin:
    message = json.loads(line)
    kind, game = message["type"], message.get("game")
    if kind == "hello":
        say({"protocol": 1, "events": True} | ({"games": GAMES} if GAMES else {}))
    elif kind == "rules":
        assert not games, "other rules while games are played"
        rules = message
    elif kind == "new_game":
        assert game not in games and (game is None) == (GAMES == 0), message
        games[game] = Game(message)
        most_games = max(most_games, len(games))
    elif kind == "game_over":
        del games[game]
        overs += 1
    elif KIND == "thinks" and kind in ("decide", "batch"):
        think()
    elif kind == "decide":
        assert GAMES == 0
        say(games[None].answer(message))
    elif kind == "batch":
        questions = message["questions"]
        played = [games[question["game"]] for question in questions]
        assert questions and len(set(map(id, played))) == len(questions), "two questions of a game"
        largest = max(largest, len(questions))
        if KIND == "waits" and largest == 1:
            time.sleep(0.05)
        answers = [game.answer(question) for game, question in zip(played, questions)]
        answers.reverse()
        bad = [game.turns_bad() for game in played]
        if KIND == "skips":
            answers = [answer for answer, is_bad in zip(answers, reversed(bad)) if not is_bad]
        elif not any(bad):
            pass
        elif KIND == "answers-others":
            answers.append({"decision": questions[0]["decision"] + 100_000, "action": 0})
        elif KIND == "answers-twice":
            answers.append(answers[0])
        elif KIND == "answers-alone":
            answers = answers[0]
        elif KIND == "is-no-list":
            say(answers)
            continue
        elif KIND == "crashes":
            os.write(1, b'{"answers":[')
            sys.exit("no such card")
        elif KIND == "floods":
            while True:
                os.write(1, b"to be or not to be\n" * 100)
        say({"answers": answers})
print(json.dumps({"largest": largest, "most_games": most_games, "overs": overs, "left": len(games)}), file=sys.stderr)
"#;

fn home() -> Home {
    let home = Home::new();
    home.write("bot.py", SCRIPT);
    home
}

/// The program, named `mine`.
fn mine(home: &Home, games: usize, kind: &str, options: &str) -> String {
    format!("mine=cmd:\"python3 {} {games} {kind} {}\"{options}", home.path("bot.py").display(), nap(home))
}

const PATIENT: &str = ",decision_ms=60000,game_ms=600000";

/// A number of seconds that identifies this test's processes.
fn nap(home: &Home) -> String {
    let letters = home.0.path().display().to_string();
    let sum = letters.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("7{:08}", sum % 100_000_000)
}

fn unolab(home: &Home, arguments: &str, agents: &[&str]) -> Command {
    let mut command = interruptible();
    command.current_dir(home.0.path()).args(arguments.split_whitespace());
    for agent in agents {
        command.args(["--agents", agent]);
    }
    command
}

/// The output of a successful run, after which no process may be left.
fn play(home: &Home, arguments: &str, agents: &[&str]) -> String {
    let output = unolab(home, arguments, agents).output().expect("unolab starts");
    let [out, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert_eq!(output.status.code(), Some(0), "{arguments}: {errors}{out}");
    assert_nothing_is_left(home);
    out
}

fn left_over(home: &Home) -> Vec<String> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let commands = all.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok());
    commands.filter(|command| command.contains(&nap(home))).collect()
}

fn assert_nothing_is_left(home: &Home) {
    let until = Instant::now() + Duration::from_secs(20);
    while !left_over(home).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(left_over(home), Vec::<String>::new());
}

/// All tables of a run, by name, without the program's arguments.
fn tables(home: &Home, directory: &str) -> BTreeMap<String, String> {
    let without_arguments = |text: &str| {
        let (first, rest) = text.split_once("bot.py ").unwrap_or((text, ""));
        let rest = rest.split("bot.py ").filter_map(|part| part.split_once('"'));
        rest.fold(first.to_owned(), |sum, (_, rest)| sum + rest)
    };
    let names = names_in(&home.path(directory)).into_iter().filter(|name| name.ends_with(".csv"));
    names.map(|name| (name.clone(), without_arguments(&home.read(&format!("{directory}/{name}"))))).collect()
}

/// The standard error of its processes, if any.
fn last_words(home: &Home, directory: &str) -> Vec<BTreeMap<String, u64>> {
    let said = home.read(&format!("{directory}/bots/mine.stderr"));
    said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The number of its faults of each kind, and of its games.
fn faults(home: &Home, directory: &str) -> ([u64; 3], u64) {
    let summary = rows(&home.read(&format!("{directory}/summary.csv")));
    let number = |column: &str| {
        let rows = summary.iter().filter(|row| row["entrant"] == "mine");
        rows.map(|row| row[column].parse::<u64>().expect("a number")).sum::<u64>()
    };
    (["crashes", "timeouts", "illegal"].map(number), number("games"))
}

#[test]
fn tables_are_independent_of_batch_size() {
    let home = home();
    let run = |games: usize, kind: &str, threads: &str, out: &str| {
        let arguments = format!(
            "tournament --variant classic,disney --seats 2,4 --sets 3 --set uno.calls=explicit --games-csv --quiet \
             --out {out} {threads}"
        );
        play(&home, &arguments, &[&mine(&home, games, kind, PATIENT), "random", "greedy"]);
        tables(&home, out)
    };
    let one_by_one = run(0, "plays", "", "one-by-one");
    assert_eq!(faults(&home, "one-by-one").0, [0; 3]);
    assert!(one_by_one.contains_key("games.csv") && one_by_one.contains_key("summary.csv"));
    for (games, threads) in [(1, ""), (8, ""), (8, "--threads 1"), (8, "--threads 3"), (64, "")] {
        let out = format!("{games}-{}", threads.replace(' ', ""));
        assert!(run(games, "plays", threads, &out) == one_by_one, "{games} games, {threads}");
        let (words, (_, num_games)) = (last_words(&home, &out), faults(&home, &out));
        let total = |name: &str| words.iter().map(|words| words[name]).sum::<u64>();
        assert!(
            total("overs") >= num_games && total("left") == 0,
            "each is notified of the end of its games: {words:?}"
        );
        // With several games per thread, several seats would be of one game: the program would see several hands.
        let most = words.iter().map(|words| words["most_games"]).max();
        let num_threads = if threads == "--threads 1" || games == 1 { 1 } else { games as u64 };
        assert!(most <= Some(num_threads), "{words:?}");
    }
    // The faults of single games are the same, too.
    let lies = run(0, "lies", "", "lies");
    assert!(lies["faults.csv"].contains(",illegal,"), "{}", lies["faults.csv"]);
    assert!(run(8, "lies", "", "lies-8") == lies);
}

/// Where partners and tables change, players of one match sit in the same seat of different rounds.
#[test]
fn process_plays_one_seat_of_match_with_changing_tables() {
    let home = home();
    let arguments = "match --variant swap-hands --unit match --set match.teams=rotating_tables --set match.hands_per_partnership_tables=1 \
                     --seats 8 --sets 1 --threads 1 --quiet --out run";
    play(&home, arguments, &["greedy", &mine(&home, 8, "plays", PATIENT)]);
    let words = last_words(&home, "run");
    assert!(words.len() > 1 && words.iter().all(|words| words["most_games"] <= 1), "{words:?}");
}

#[test]
fn questions_arrive_in_batches() {
    let home = home();
    // Until two requests have arrived it waits; in this time the other threads send theirs.
    let agents = [&*mine(&home, 4, "waits", PATIENT), "random"];
    play(&home, "match --seats 2 --sets 40 --threads 4 --quiet --out run", &agents);
    let words = last_words(&home, "run");
    assert!(words.iter().any(|words| words["largest"] > 1), "{words:?}");
}

#[test]
fn two_batched_programs_play_each_other() {
    let home = home();
    let run = |games: [usize; 2], out: &str| {
        let other = mine(&home, games[1], "plays", PATIENT).replacen("mine", "other", 1);
        let arguments =
            format!("tournament --variant classic,disney --seats 2,4 --sets 2 --games-csv --quiet --out {out}");
        play(&home, &arguments, &[&mine(&home, games[0], "plays", PATIENT), &other]);
        tables(&home, out)
    };
    assert!(run([16, 5], "batches") == run([0, 0], "one-by-one"));
}

#[test]
fn batch_fault_is_counted_without_affecting_other_games() {
    let home = home();
    let run = |games: usize, kind: &str, options: &str, threads: usize, out: &str| {
        let arguments = format!("tournament --seats 2 --sets 5 --games-csv --quiet --threads {threads} --out {out}");
        play(&home, &arguments, &["greedy", "random", &mine(&home, games, kind, options)]);
        rows(&home.read(&format!("{out}/pairs.csv"))).remove(0)
    };
    let others = run(8, "plays", PATIENT, 4, "plays");
    assert_eq!((&*others["a"], &*others["b"]), ("greedy", "random"));
    let one_game_each = rows(&home.read("plays/games.csv")).len();
    for (kind, column, fault, what, is_of_all) in [
        ("lies", 2, "illegal", "allowed: 0", false),
        ("skips", 2, "malformed", "gave no answer to its question of the batch", false),
        ("answers-others", 2, "stale", "answered a decision that is not of the batch", true),
        ("answers-twice", 2, "stale", "twice", true),
        ("answers-alone", 2, "malformed", "expected a list", true),
        ("is-no-list", 2, "malformed", "not an object", true),
        ("crashes", 0, "crash", "ended with exit status 1: no such card", true),
        ("floods", 2, "flood", "", true),
    ] {
        let mut lost = Vec::new();
        for threads in [1, 4] {
            let out = format!("{kind}-{threads}");
            assert_eq!(run(8, kind, PATIENT, threads, &out), others, "{kind}: the others");
            let (counts, num_games) = faults(&home, &out);
            assert_eq!(counts.iter().sum::<u64>(), counts[column], "{kind}: {counts:?}");
            let most = if threads == 1 { num_games - 1 } else { num_games };
            assert!((1..=most).contains(&counts[column]), "{kind}: {counts:?} of {num_games}");
            assert_eq!(rows(&home.read(&format!("{out}/games.csv"))).len(), one_game_each, "{kind}");
            for row in rows(&home.read(&format!("{out}/faults.csv"))) {
                assert!(row["kind"] == fault && row["what"].contains(what), "{kind}: {row:?}");
            }
            lost.push(counts[column]);
        }
        // A process that ends loses all its games in progress. Any other fault affects only its game.
        assert!(if is_of_all { lost[0] <= lost[1] } else { lost[0] == lost[1] }, "{kind}: {lost:?}");
        if !is_of_all {
            assert!(tables(&home, &format!("{kind}-1")) == tables(&home, &format!("{kind}-4")), "{kind}");
        }
    }
    assert_eq!(run(8, "thinks", ",decision_ms=100", 4, "slow"), others);
    let (counts, num_games) = faults(&home, "slow");
    assert_eq!(counts, [0, num_games, 0]);
    let faults = rows(&home.read("slow/faults.csv"));
    assert!(faults.iter().any(|row| row["what"].starts_with("no answer to a batch of ")), "{faults:?}");
    assert!(faults.iter().all(|row| row["kind"] == "decision-time"), "{faults:?}");
}

#[test]
fn impossible_request_is_rejected_before_play() {
    let home = home();
    for (games, options, reason) in [
        (8, ",fresh=true", "plays games at once, so fresh must be false"),
        (5000, "", "wants to play 5000 games at once; allowed: 1 to 1024"),
    ] {
        let agent = mine(&home, games, "plays", options);
        let output = unolab(&home, "match --sets 1", &[&agent, "random"]).output().expect("unolab starts");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(reason), "{message}");
    }
    for (games, reason) in [
        ("0", "wants to play 0 games at once; allowed: 1 to 1024"),
        ("-1", "answered hello with `{\"protocol\":1,\"games\":-1}`"),
        ("\"8\"", "answered hello with `{\"protocol\":1,\"games\":\"8\"}`"),
    ] {
        home.write("greets", &format!("read -r line; echo '{{\"protocol\":1,\"games\":{games}}}'; cat"));
        let output = unolab(&home, "match --sets 1", &["cmd:sh greets", "random"]).output().expect("unolab starts");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(reason), "{message}");
    }
    assert_nothing_is_left(&home);
    assert_eq!(home.names(), ["bot.py", "greets"]);
}

#[test]
fn every_command_accepts_batched_program() {
    let home = home();
    let agent = mine(&home, 8, "plays", PATIENT);
    let checked = play(&home, "check --variant disney --set uno.calls=explicit --seats 2,4 --rounds 2", &[&agent]);
    assert!(checked.contains("passed"), "{checked}");
    let kept = "--games-csv --quiet --record games --record-sets 1";
    play(&home, &format!("match --seats 2 --sets 4 {kept} --out open"), &[&agent, "random"]);
    assert!(home.read("games/game-0.jsonl").contains(" events\""), "its notes are kept");
    let program = ["debug", "games/game-0.jsonl", "--seat", "mine", "--", "python3", "bot.py", "8", "plays", "0"];
    let text = String::from_utf8(home.unolab("").args(program).assert().success().get_output().stdout.clone()).unwrap();
    assert!(text.contains(" answered as recorded, 0 otherwise, 0 faults"), "{text}");
    let sealed = "match --seats 2,4 --sets 2 --games-csv --quiet --sandbox auto --key-file key --sealed --out sealed";
    let one_by_one = mine(&home, 0, "plays", PATIENT);
    play(&home, sealed, &[&agent, "random"]);
    play(&home, &sealed.replace("--sealed --out sealed", "--out again"), &[&one_by_one, "random"]);
    assert!(tables(&home, "sealed") == tables(&home, "again"));
    assert_eq!(faults(&home, "sealed").0, [0; 3]);
    play(&home, "tournament --format league --seats 2 --sets 8 --quiet --out league", &[&agent, "random"]);
    assert_eq!(faults(&home, "league").0, [0; 3]);
}

/// Waits for its end; a process that does not end is an error.
fn status_within(mut child: Child, time: Duration) -> Option<i32> {
    let until = Instant::now() + time;
    while Instant::now() < until {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("it is there");
    child.wait().expect("it ends");
    panic!("it has not ended within {time:?}");
}

#[test]
fn ctrl_c_does_not_wait_for_thinking_program() {
    for games in [0, 8] {
        let home = home();
        let agent = mine(&home, games, "thinks", ",decision_ms=600000,game_ms=6000000");
        let mut command = unolab(&home, "match --seats 2 --sets 1000 --quiet --out run", &[&agent, "random"]);
        let child = command.stderr(Stdio::null()).spawn().expect("unolab starts");
        let until = Instant::now() + Duration::from_secs(60);
        while !home.path("thinks").exists() {
            assert!(Instant::now() < until, "it was never asked");
            std::thread::sleep(Duration::from_millis(5));
        }
        send_signal("INT", &child);
        assert_eq!(status_within(child, Duration::from_secs(30)), Some(130), "{games} games at once");
        assert_nothing_is_left(&home);
    }
}
