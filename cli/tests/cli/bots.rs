//! The tools for authors of programs: a first bot, standard error, a log, the debugger, the ladder.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::{Home, names_in, rows};

/// A program that plays the first action, and writes to standard error.
const TALKS: &str = r#"
import json, sys
print("ready", file=sys.stderr)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["type"] == "decide":
        print("decision", message["decision"], file=sys.stderr)
        print(json.dumps({"decision": message["decision"], "action": 0}), flush=True)
    elif message["type"] == "game_over":
        print("over", json.dumps([message["points"], message["places"], message["win_share"]]), file=sys.stderr, flush=True)
print("bye", file=sys.stderr)
"#;

/// The program, with an exception of several lines at its tenth decision of a game.
const FALLS: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["type"] == "new_game":
        asked = 0
    elif message["type"] == "decide":
        asked += 1
        if asked == 5:
            print(message["hands"])
        print(json.dumps({"decision": message["decision"], "action": 0}), flush=True)
"#;

fn run(home: &Home, arguments: &[&str], status: i32) -> (String, String) {
    let output = home.unolab("").args(arguments).assert().code(status).get_output().clone();
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr))
}

#[test]
fn program_stderr_is_kept_and_game_over_is_sent() {
    let home = Home::new();
    home.write("talks.py", TALKS);
    let agents = "mine=cmd:\"python3 talks.py\",decision_ms=20000";
    let arguments =
        ["match", "--agents", agents, "--agents", "random", "--seats", "2", "--sets", "3", "--threads", "1"];
    run(&home, &[&arguments[..], &["--out", "run", "--quiet", "--bot-log", "log"]].concat(), 0);
    let said = home.read("run/bots/mine.stderr");
    assert!(said.starts_with("ready\ndecision 1\n") && said.ends_with("bye\n"), "{said}");
    let overs: Vec<(Vec<u32>, Vec<u8>, f64)> = said
        .lines()
        .filter_map(|line| line.strip_prefix("over "))
        .map(|line| serde_json::from_str(line).expect("points, places and a share"))
        .collect();
    assert_eq!(overs.len(), 6, "{said}");
    let summary = rows(&home.read("run/summary.csv"));
    let won: f64 = overs.iter().map(|(_, _, share)| share).sum::<f64>() / 6.0;
    let of_summary: f64 = summary.iter().find(|row| row["entrant"] == "mine").unwrap()["win_share"].parse().unwrap();
    assert!((won - of_summary).abs() < 1e-9, "{won} {of_summary}");
    assert!(overs.iter().all(|(points, places, _)| points.len() == 2 && places.iter().min() == Some(&1)));
    let run_json: serde_json::Value = serde_json::from_str(&home.read("run/run.json")).unwrap();
    assert!(run_json["files"].as_array().unwrap().iter().any(|file| file == "bots/mine.stderr"));
    let log = home.read("log/mine.1.log");
    for part in
        ["<- {\"type\":\"hello\"", "-> {\"protocol\": 1}", "!! decision 1", "<- {\"type\":\"game_over\",\"points\":["]
    {
        assert!(log.contains(part), "{part} is missing in:\n{log}");
    }
    // A repetition replaces it; the user's files stay.
    fs::write(home.path("run/bots/own.txt"), "own").unwrap();
    fs::write(home.path("run/bots/mine.stderr"), "of the run before").unwrap();
    run(&home, &[&arguments[..], &["--out", "run", "--quiet"]].concat(), 0);
    assert_eq!((home.read("run/bots/mine.stderr"), home.read("run/bots/own.txt")), (said, "own".into()));
    home.output("verify run --trust-bots");
}

/// Which games a process has played before, and so the numbers of its decisions, depends on the threads.
#[test]
fn faults_do_not_depend_on_threads() {
    let home = Home::new();
    let bot = r#"import json, sys
WRONG = ['{"decision": %d, "action": -1}', '{"decision": %d, "action":', '{"decision": "%d"}', '{"decision": 1%d, "action": 0}']
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"protocol":1}', flush=True)
    if message["type"] == "new_game":
        kind = message["seed"] % 5
    if message["type"] == "decide":
        print((WRONG + ['{"decision": %d, "action": 0}'])[kind] % message["decision"], flush=True)
"#;
    home.write("bot.py", bot);
    let agents = ["--agents", "mine=cmd:\"python3 bot.py\",decision_ms=20000", "--agents", "random"];
    let faults = ["1", "3"].map(|threads| {
        let sets = ["--sets", "20", "--threads", threads, "--out", threads];
        run(&home, &[&["match", "--seats", "2"], &agents[..], &sets[..]].concat(), 0);
        home.read(&format!("{threads}/faults.csv"))
    });
    assert_eq!(faults[0], faults[1]);
    assert!(
        ["action -1", "\"\"decision\"\": n", "was not asked"].iter().all(|part| faults[0].contains(part)),
        "{}",
        faults[0]
    );
}

#[test]
fn debug_replays_recorded_game_to_program() {
    let home = Home::new();
    home.write("falls.py", FALLS);
    home.write("talks.py", TALKS);
    for (variant, seats) in [("classic", "2"), ("custom", "3"), ("disney", "4")] {
        let directory = format!("games-{variant}");
        let agents = ["--agents", "mine=cmd:\"python3 falls.py\",decision_ms=20000", "--agents", "random"];
        let rest = ["--variant", variant, "--seats", seats, "--set", "uno.calls=explicit", "--sets", "1", "--quiet"];
        let kept = ["--record", &directory, "--out", variant, "--record-sets", "1"];
        run(&home, &[&["match"][..], &agents, &rest, &kept].concat(), 0);
        let record = format!("{directory}/game-0.jsonl");
        assert!(home.read(&record).contains("\"fault\":\"crash\""));

        let (text, errors) = run(&home, &["debug", &record, "--", "python3", "falls.py"], 1);
        assert!(
            text.contains("of seat 0, played by mine") && text.contains(": crash: ended with exit status 1"),
            "{text}"
        );
        assert!(text.contains("decision 5 (") && text.contains("holds ") && text.contains("; may: "), "{text}");
        assert!(errors.contains("line 12, in <module>") && errors.contains("KeyError: 'hands'"), "{errors}");

        // It repeats its own decisions; the other seat was played by another agent.
        let (text, _) = run(&home, &["debug", &record, "--all", "--", "python3", "talks.py"], 0);
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("decision ")).collect();
        assert!(lines[..4].iter().all(|line| line.contains(" as recorded ")), "{text}");
        // After the fault another agent played: its answers do not count against the program.
        assert!(text.contains("0 otherwise, 0 faults, ") && text.contains(" after it had lost the game; "), "{text}");
        assert!(text.contains("its stand-in played `"), "{text}");
        assert!(text.contains("recorded: crash in decision 5; the bot answers now. If it has not changed"), "{text}");
        assert!(!text.contains("has changed since this game"), "{text}");
        // The bot after a fix.
        home.write("fixed.py", TALKS);
        let of_record = fs::metadata(home.path(&record)).unwrap().modified().unwrap();
        let fixed = fs::File::options().append(true).open(home.path("fixed.py")).unwrap();
        fixed.set_modified(of_record + Duration::from_secs(1)).unwrap();
        let (text, _) = run(&home, &["debug", &record, "--", "python3", "fixed.py"], 0);
        let changed = "the bot answers now\nthe bot has changed since this game: fixed.py was modified later\n";
        assert!(text.contains(changed), "{text}");
        let (text, _) = run(&home, &["debug", &record, "--seat", "1", "--", "random"], 0);
        assert!(text.contains(" answered as recorded, 0 otherwise, 0 faults"), "{text}");
    }
    home.output("match --agents greedy,random --seats 2 --sets 1 --record calm --quiet --out calm-run");
    let (text, _) = run(&home, &["debug", "calm/game-0.jsonl", "--seat", "greedy", "--", "greedy"], 0);
    assert!(
        text.contains("of seat 0, played by greedy") && text.contains(" answered as recorded, 0 otherwise"),
        "{text}"
    );
    home.refuses(
        "debug calm/game-0.jsonl",
        &[
            ("-- mixbot", "--seat 0 is greedy, --seat 1 is random"),
            ("--seat 5 -- mixbot", "--seat 5: unknown player; --seat 0 is greedy, --seat 1 is random"),
            ("--seat gredy -- mixbot", "--seat gredy: unknown player; --seat 0 is greedy"),
            ("--seat 0", "PROGRAM"),
            ("--seat 0 -- sh -c true", "before it answered hello"),
        ],
    );
    home.refuses("debug calm-run/summary.csv", &[("-- mixbot", "line 1")]);
}

#[test]
fn generated_bot_plays_immediately() {
    let home = Home::new();
    for (language, command) in [("python", "python3 bot.py"), ("javascript", "node bot.js")] {
        let text = home.output(&format!("bot new {language} my-{language}"));
        assert!(text.contains(&format!("my-{language}/bot.")) && text.contains("README.md"), "{text}");
        let mut check = home.unolab("check --rounds 1 --seats 2,5 --agents");
        check.current_dir(home.path(&format!("my-{language}")));
        let output =
            check.arg(format!("mine=cmd:\"{command}\",decision_ms=20000")).assert().success().get_output().clone();
        assert!(String::from_utf8(output.stdout).unwrap().contains("passed"));
        let readme = home.read(&format!("my-{language}/README.md"));
        assert!(readme.contains(&format!("-- {command} ")), "{readme}");
    }
    assert!(home.output("bot protocol") == home.read("my-python/PROTOCOL.md"));
    home.refuses(
        "bot new",
        &[
            ("python my-python", "my-python: is not empty"),
            ("cobol x", "python, javascript, rust"),
            ("rust 7up", "7up: cannot be the name of a crate"),
            ("rust my!bot", "my!bot: cannot be the name of a crate"),
            ("rust mybot --source nowhere", "--source nowhere: holds no Cargo.toml"),
        ],
    );
    home.output("bot new rust mybot");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-bot/src/main.rs");
    let example = fs::read_to_string(example).unwrap();
    // The example is a member of the workspace: it is compiled and tested.
    assert_eq!(home.read("mybot/src/main.rs"), example.replace("-p own-bot ", ""));
    let manifest: toml::Table = home.read("mybot/Cargo.toml").parse().unwrap();
    let path = manifest["dependencies"]["unolab"]["path"].as_str().unwrap();
    assert!(Path::new(path).join("src/lib.rs").exists() && manifest["package"]["name"].as_str() == Some("mybot"));
}

#[test]
fn ladder_preserves_foreign_tables() {
    let home = Home::new();
    std::fs::create_dir(home.path("mine")).unwrap();
    home.write("mine/versions.csv", "my,precious,data\n");
    let (message, _) = home.failure("ladder --directory mine --agents greedy,random --sets 2", 2);
    assert!(message.contains("its first line must be version,agent,sha256"), "{message}");
    assert_eq!(home.read("mine/versions.csv"), "my,precious,data\n");
}

/// A pair is the same in any order of its names and with any number of sets.
#[test]
fn ladder_pair_is_played_once() {
    let home = Home::new();
    let ladder = |agents: &str| format!("ladder --agents {agents} --threads 1 --seats 2");
    let played = |arguments: &str, told: &str| {
        let (message, _) = home.failure(arguments, 0);
        assert!(message.contains(told), "{arguments}: {message}");
    };
    played(&format!("{} --sets 4", ladder("greedy,random")), "1 pair played now, 1 result in ladder");
    played(&format!("{} --sets 4", ladder("random,greedy")), "0 pairs played now, 1 result in ladder");
    played(&format!("{} --sets 4", ladder("random,mixbot,greedy")), "2 pairs played now, 3 results in ladder");
    let before = names_in(&home.path("ladder"));
    let versions = home.read("ladder/versions.csv");
    // Heuristic is new, but no game is played.
    let (message, _) = home.failure(&format!("{} --sets 5", ladder("heuristic,random,greedy")), 2);
    assert!(message.contains("--sets 5: random and greedy have 4 sets in ladder/match-"), "{message}");
    assert!(message.contains("choose --sets 4, another --seed"), "{message}");
    assert_eq!((names_in(&home.path("ladder")), home.read("ladder/versions.csv")), (before, versions));
    played(&format!("{} --sets 5 --seed 2", ladder("random,greedy")), "1 pair played now, 4 results in ladder");
}

/// An unfinished match is resumed, although the other agent is named first now.
#[test]
fn unfinished_ladder_pair_is_resumed() {
    let home = Home::new();
    let ladder = "ladder --sets 3000 --threads 1 --seats 2";
    let mut unolab = home.unolab(&format!("{ladder} --agents greedy,random"));
    unolab.env("UNOLAB_STOP_AFTER_CHECKPOINTS", "1").output().unwrap();
    let begun = names_in(&home.path("ladder"));
    let directory = begun.iter().find(|name| name.starts_with("match-")).expect("a pair that was begun");
    assert!(home.path("ladder").join(directory).join("checkpoint.json").exists());
    let (message, _) = home.failure(&format!("{ladder} --agents random,greedy"), 0);
    assert!(message.contains("greedy against random\n"), "{message}");
    assert!(begun.iter().all(|name| names_in(&home.path("ladder")).contains(name)), "{begun:?}");
    assert!(!home.path("ladder").join(directory).join("checkpoint.json").exists(), "the pair is finished");
}

#[test]
fn ladder_plays_new_pairs_and_keeps_old() {
    let home = Home::new();
    home.write("bot.py", TALKS);
    let arguments = [
        "ladder",
        "--agents",
        "mine=cmd:\"python3 bot.py\",decision_ms=20000,greedy,random",
        "--sets",
        "4",
        "--threads",
        "1",
    ];
    let (text, told) = run(&home, &arguments, 0);
    assert!(told.contains("3 pairs played now, 3 results in ladder"), "{told}");
    assert!(
        text.contains("mine@") && text.contains("strongest first") && text.contains("Holm-corrected over the pairs"),
        "{text}"
    );
    assert_eq!(text.matches(" yes\n").count(), 3, "{text}");
    let (again, told) = run(&home, &arguments, 0);
    assert_eq!(again, text);
    assert!(told.contains("0 pairs played now, 3 results in ladder"), "{told}");
    home.write("bot.py", &TALKS.replace("\"action\": 0", "\"action\": len(message[\"actions\"]) - 1"));
    let (text, told) = run(&home, &arguments, 0);
    assert!(told.contains("3 pairs played now, 6 results in ladder"), "{told}");
    let versions = rows(&home.read("ladder/versions.csv"));
    let mine: Vec<&str> =
        versions.iter().map(|row| &*row["version"]).filter(|name| name.starts_with("mine@")).collect();
    assert_eq!(text.matches(" yes\n").count(), 3, "the earlier version is not marked: {text}");
    assert!(mine.len() == 2 && mine.iter().all(|name| text.contains(name)), "{text}");
    // The earlier version plays from its copy, also once more.
    assert_eq!(home.read(&format!("ladder/files/{}/bot.py", mine[0])), TALKS);
    let sentence = format!("{} against the version before, {}: ", mine[1], mine[0]);
    assert!(text.contains(&sentence) && text.contains("it changes ") && text.contains("row wins % against"), "{text}");
    let page = home.read("ladder/ladder.html");
    for part in [&*sentence, "Cross table", "Strongest first", mine[0], "classic, 2 seats"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let anchored = [&arguments[..], &["--anchor", "greedy=1500"]].concat();
    let (anchored, _) = run(&home, &anchored, 0);
    assert!(anchored.contains("Elo relative to greedy = 1500"), "{anchored}");
    let (again, told) = run(&home, &arguments, 0);
    assert_eq!(again, text);
    assert!(told.contains("0 pairs played now, 6 results in ladder"), "{told}");
    home.refuses(
        "ladder",
        &[
            ("--agents stranger", "unknown agent `stranger`"),
            ("--directory empty --agents greedy", "at least two agents"),
        ],
    );
}

#[test]
fn ladder_does_not_count_choices_after_a_fault() {
    let home = Home::new();
    home.write("bot.py", TALKS);
    let arguments =
        ["ladder", "--agents", "mine=cmd:\"python3 bot.py\",decision_ms=20000,greedy", "--sets", "2", "--threads", "1"];
    run(&home, &arguments, 0);
    home.write("bot.py", &TALKS.replace("\"action\": 0", "\"action\": 99"));
    let (text, _) = run(&home, &arguments, 0);
    let expected = "it makes the same choices in 0 recorded choices of the version before; it has a fault in 4 of 4 recorded games";
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains(expected), "{text}");
}

#[test]
fn ladder_rejects_an_unknown_anchor_before_it_plays() {
    let home = Home::new();
    let ladder = "ladder --agents greedy,random --sets 2 --anchor";
    for (anchor, expected) in
        [("gredy", "unknown entrant; entrants: greedy, random"), ("greedy=high", "is not a rating")]
    {
        let (message, _) = home.failure(&format!("{ladder} {anchor}"), 2);
        assert!(message.contains(expected) && !home.path("ladder").exists(), "{message}");
    }
}

/// Answers like a language model over HTTP: nonsense at every fifth question, then the last number on the list. Records
/// two simultaneous questions; until then an answer is delayed.
const MODEL: &str = r#"
import http.server, json, os, re, threading, time

class Model(http.server.BaseHTTPRequestHandler):
    asked = 0
    lock = threading.Lock()
    def do_POST(self):
        is_alone = Model.lock.acquire(blocking=False)
        if not is_alone:
            open("together", "w").close()
            Model.lock.acquire()
        try:
            if os.path.exists("slow") and not os.path.exists("together"):
                time.sleep(0.05)
            self.answer()
        finally:
            Model.lock.release()
    def answer(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.path == "/v1/chat/completions" and body["model"] == "small", (self.path, body)
        assert self.headers["Authorization"] == "Bearer secret"
        Model.asked += 1
        told = body["messages"][1]["content"]
        assert "Your hand: " in told and "What you may do:\n1. " in told, told
        numbers = re.findall(r"(?m)^(\d+)\. ", told)
        answer = "I would rather not." if Model.asked % 5 == 0 else f"Let me think. I choose {numbers[-1]}"
        reply = json.dumps({"choices": [{"message": {"role": "assistant", "content": answer}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)
    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(server.server_port, flush=True)
server.serve_forever()
"#;

#[test]
fn language_model_plays_and_illegal_answers_are_counted() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    let home = Home::new();
    home.write("model.py", MODEL);
    home.write("key", "secret\n");
    let mut server = Command::new("python3");
    server.current_dir(home.path("")).arg("model.py").stdout(Stdio::piped());
    let mut server = server.spawn().expect("the server starts");
    let mut port = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots/llm.py");
    let agent = format!(
        "model=cmd:\"python3 {} --url http://127.0.0.1:{}/v1 --model small --key-file key\",decision_ms=60000,game_ms=600000",
        bot.display(),
        port.trim()
    );
    let game = ["--seats", "2", "--variant", "disney", "--sets", "1", "--threads", "1", "--quiet"];
    let kept = ["--record", "games", "--record-sets", "1", "--out", "run"];
    run(&home, &[&["match", "--agents", &agent, "--agents", "random"][..], &game, &kept].concat(), 0);
    let said = home.read("run/bots/model.stderr");
    let counts: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).expect("counts");
    let count = |name: &str| counts[name].as_u64().unwrap();
    assert!(count("decisions") > 4 && count("asked") > 4, "{counts}");
    assert_eq!((count("failed requests"), count("given up")), (0, 0), "{said}");
    assert_eq!(count("illegal answers"), count("asked") / 5, "{counts}");
    assert!(home.read("games/game-0.jsonl").contains("\"note\":\"Let me think. I choose "));
    let summary = rows(&home.read("run/summary.csv"));
    assert!(summary.iter().all(|row| row["crashes"] == "0" && row["timeouts"] == "0" && row["illegal"] == "0"));
    let analysis = home.output("analyze games/game-0.jsonl --worlds 10");
    assert!(analysis.contains("model gives away"), "{analysis}");
    // With several games at once it receives several questions at once.
    home.write("slow", "");
    let games = ["--seats", "2", "--sets", "4", "--threads", "4", "--quiet", "--out", "at-once"];
    run(&home, &[&["match", "--agents", &agent, "--agents", "random"][..], &games].concat(), 0);
    assert!(home.path("together").exists());
    let summary = rows(&home.read("at-once/summary.csv"));
    assert!(summary.iter().all(|row| row["crashes"] == "0" && row["timeouts"] == "0" && row["illegal"] == "0"));
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn spsa_without_effect_proposes_no_test() {
    let home = Home::new();
    let spsa = "spsa --agent heuristic:keep_wild={draw} --vary draw=-0.01..0.01 --steps 1 --sets 1";
    let told = home.output(spsa);
    assert!(told.contains("no option has changed") && !told.contains("sprt"), "{told}");
}

#[test]
fn spsa_tunes_numbers_and_continues_its_directory() {
    let home = Home::new();
    let spsa = "spsa --agent heuristic:keep_wild={draw} --vary draw=-2..30 --steps 4 --sets 5";
    let (text, _) = run(&home, &format!("{spsa} --threads 1").split(' ').collect::<Vec<_>>(), 0);
    assert!(text.contains(" draw ") && text.contains("-2 to 30") && text.contains("4 steps of 5 deals"), "{text}");
    assert!(text.contains("unolab sprt --agents 'tuned=heuristic:keep_wild="), "{text}");
    let steps = rows(&home.read("spsa/steps.csv"));
    assert_eq!(steps.len(), 4);
    // Neither the threads nor an interruption changes a step.
    let state: serde_json::Value = serde_json::from_str(&home.read("spsa/spsa.json")).unwrap();
    let mut begun = state.clone();
    begun["steps"].as_array_mut().unwrap().truncate(2);
    fs::create_dir(home.path("other")).unwrap();
    home.write("other/spsa.json", &begun.to_string());
    let (again, _) = run(&home, &format!("{spsa} --threads 2 --directory other").split(' ').collect::<Vec<_>>(), 0);
    assert_eq!(again, text);
    assert_eq!(home.read("other/steps.csv"), home.read("spsa/steps.csv"));
    home.refuses(
        "spsa --agent heuristic:keep_wild={draw}",
        &[
            ("--vary draw=2..-2", "allowed: LOW below HIGH"),
            ("--vary other=0..1", "--vary other: --agent has no {other}"),
            ("--vary draw=0..1 --start drow=1", "--start drow: unknown number; allowed: draw"),
            ("--vary draw=0..1 --start draw=3", "--start draw=3: allowed: 0 to 1"),
            ("--vary draw=0..1", "--directory spsa: was begun with other options"),
            ("--vary draw=0..2000000 --directory new", "a number from -1000000 to 1000000"),
        ],
    );
    home.refuses(
        "spsa --agent heuristic:keep_wild={draw},drawing={x} --directory new",
        &[("--vary draw=0..1", "--agent: {x} is not tuned; add --vary x=LOW..HIGH, or write its value")],
    );
    // Another agent has other programs, too: they are not the cause to name.
    begun["work"]["agent"] = "cmd:./bot,decision_ms={draw}".into();
    begun["work"]["programs"]["programs"] = serde_json::json!([{ "file": "bot", "sha256": "0" }]);
    fs::create_dir(home.path("of-bot")).unwrap();
    home.write("of-bot/spsa.json", &begun.to_string());
    home.refuses(spsa, &[("--directory of-bot", "--directory of-bot: was begun with other options")]);
    assert!(!home.path("new").exists());
}
