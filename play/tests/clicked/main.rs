//! The table on a page, played to its end by clicks, and what is refused.

mod browser;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use browser::Browser;
use tempfile::TempDir;
use unolab::record::{Status, replay};
use unolab::rules::presets;

/// A running game and its addresses.
struct Server {
    process: Child,
    addresses: Vec<String>,
}

impl Server {
    fn start(home: &Path, arguments: &[&str]) -> Self {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin!("unolab-play"))
            .current_dir(home)
            .env("XDG_DATA_HOME", home)
            .args(["--no-open"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let mut addresses = Vec::new();
        for line in lines.by_ref().map_while(Result::ok) {
            match line.split_once(": http") {
                Some((_, rest)) => addresses.push(format!("http{rest}")),
                None => break,
            }
        }
        assert!(!addresses.is_empty(), "no address");
        Self { process, addresses }
    }

    fn host(&self) -> &str {
        self.addresses[0].trim_start_matches("http://").split('/').next().expect("a host")
    }

    fn token(&self) -> &str {
        self.addresses[0].trim_end_matches('/').rsplit('/').next().expect("a token")
    }

    /// The status and the text of an answer.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.host()).expect("the server listens");
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        )
        .expect("a request");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Clicks whatever can be clicked until the game is over; looks at every message for what should not be there.
const CLICK_ON: &str = r##"(async () => {
  const pause = () => new Promise((go) => setTimeout(go, 10));
  let clicks = 0;
  let hidden = 0;
  for (let turns = 0; turns < 60000; turns += 1) {
    if (document.body.dataset.idle === "true" && now) {
      for (const frame of now.frames) {
        frame.table.hands.forEach((hand, seat) => { if (seat !== now.seat && typeof hand === "string") hidden += 1; });
        if (frame.move && frame.move.seat !== now.seat && frame.move.choice) hidden += 1;
        for (const [seat, code] of frame.got ?? []) if (seat !== now.seat && code) hidden += 1;
      }
      if (document.querySelector('[data-action="new-game"]')) return { clicks, hidden, stored: localStorage.length + sessionStorage.length, prompt: document.getElementById("prompt").textContent };
      const color = document.querySelector("#actions button.color");
      const cards = document.querySelectorAll("button.in-hand:not(:disabled)");
      const target = color ?? cards[clicks % Math.max(1, cards.length)] ?? document.querySelector("#actions button");
      if (target) { clicks += 1; document.body.dataset.idle = color || !target.classList.contains("in-hand") ? "false" : "true"; target.click(); }
    }
    await pause();
  }
  return { stuck: document.getElementById("prompt").textContent };
})()"##;

#[test]
fn a_round_is_clicked_to_its_end_in_every_edition() {
    let Some(mut browser) = Browser::start() else { return };
    for variant in presets::NAMES {
        let home = TempDir::new().expect("a folder");
        let arguments =
            ["--variant", variant, "--against", "greedy,heuristic", "--seed", "11", "--record", "game.jsonl"];
        let server = Server::start(home.path(), &arguments);
        browser.open(&server.addresses[0]);
        let found = browser.run(CLICK_ON);
        assert!(found["stuck"].is_null(), "{variant}: {found}");
        assert!(found["clicks"].as_u64() > Some(2), "{variant}: {found}");
        assert_eq!((found["hidden"].as_u64(), found["stored"].as_u64()), (Some(0), Some(0)), "{variant}: {found}");
        let text = std::fs::read_to_string(home.path().join("game.jsonl")).expect("the record");
        let replayed = replay(&text, &mut |_| ()).unwrap_or_else(|error| panic!("{variant}: {error}"));
        assert_eq!(replayed.status, Status::Finished, "{variant}");
        let (status, answer) =
            server.ask("GET", &format!("/{}/record", server.token()), &format!("Host: {}\r\n", server.host()), "");
        assert!(status == 200 && answer.contains(text.lines().last().expect("a last line")), "{variant}: {answer}");
        // A page that outlives its server complains, rightly.
        browser.open("about:blank");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn calls_catches_jump_ins_and_house_rules_can_be_clicked_too() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a folder");
    let mut arguments = vec!["--against", "random,random,greedy", "--seed", "5", "--unit", "match"];
    for set in [
        "uno.calls=explicit",
        "house.jump_in=true",
        "house.seven_zero=true",
        "house.stacking=any_draw",
        "match.target=100",
    ] {
        arguments.extend(["--set", set]);
    }
    let server = Server::start(home.path(), &arguments);
    browser.open(&server.addresses[0]);
    let click_on = CLICK_ON.replace("document.querySelector('[data-action=\"new-game\"]')", "now.over");
    let found = browser.run(&click_on);
    assert!(found["stuck"].is_null() && found["hidden"] == 0, "{found}");
    browser.open("about:blank");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn whoever_has_no_token_or_comes_from_elsewhere_is_refused() {
    let home = TempDir::new().expect("a folder");
    let server = Server::start(home.path(), &["--seed", "3"]);
    let (host, token) = (server.host().to_owned(), server.token().to_owned());
    let own = format!("Host: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n");
    let state = format!("/{token}/state?player=0");
    let wish = r#"{"do":"again","player":0}"#;
    let act = format!("/{token}/do");
    assert_eq!(server.ask("GET", &state, &format!("Host: {host}\r\n"), "").0, 200);
    assert_eq!(server.ask("POST", &act, &own, wish).0, 200);
    let elsewhere = own.replace(&format!("Origin: http://{host}"), "Origin: http://example.com");
    let other_name = own.replace(&format!("Host: {host}"), "Host: example.com");
    let no_origin = own.replace(&format!("Origin: http://{host}\r\n"), "");
    let null_origin = own.replace(&format!("http://{host}"), "null");
    let wrong_token = format!("/{}/state?player=0", "0".repeat(token.len()));
    for (method, path, headers, body) in [
        ("POST", act.as_str(), &elsewhere, wish),
        ("POST", act.as_str(), &other_name, wish),
        ("POST", act.as_str(), &no_origin, wish),
        ("POST", act.as_str(), &null_origin, wish),
        ("GET", state.as_str(), &elsewhere, ""),
        ("GET", state.as_str(), &other_name, ""),
        ("GET", wrong_token.as_str(), &own, ""),
        ("GET", "/state?player=0", &own, ""),
        ("GET", "/", &own, ""),
        ("GET", &format!("/{token}x/"), &own, ""),
    ] {
        let (status, answer) = server.ask(method, path, headers, body);
        assert_eq!(status, 403, "{method} {path} {headers}: {answer}");
        assert!(!answer.contains("hands"), "{answer}");
    }
    // A seat of an agent is nobody's, and what is no wish is refused.
    assert_eq!(server.ask("POST", &act, &own, r#"{"do":"back","player":1}"#).0, 403);
    let (status, answer) =
        server.ask("POST", &act, &own, r#"{"do":"answer","player":0,"number":0,"action":"play q9"}"#);
    assert!(status == 400 || status == 409, "{answer}");
    let (_, page) = server.ask("GET", &format!("/{token}/"), &format!("Host: {host}\r\n"), "");
    assert!(page.to_lowercase().contains("content-security-policy: default-src 'none'"), "{page}");
}

#[test]
fn a_record_is_not_handed_out_while_hands_are_hidden() {
    let home = TempDir::new().expect("a folder");
    let server = Server::start(home.path(), &["--seed", "3"]);
    let path = format!("/{}/record", server.token());
    assert_eq!(server.ask("GET", &path, &format!("Host: {}\r\n", server.host()), "").0, 409);
}

#[test]
fn a_variant_file_is_dealt_by_as_it_is_saved() {
    let home = TempDir::new().expect("a folder");
    let file = home.path().join("mine.toml");
    std::fs::write(&file, "base = \"classic\"\n").expect("a file");
    let server = Server::start(home.path(), &["--variant", "mine.toml", "--seed", "3"]);
    let state = |since: u64| {
        let path = format!("/{}/state?player=0&since={since}", server.token());
        let (_, answer) = server.ask("GET", &path, &format!("Host: {}\r\n", server.host()), "");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        let json = &body[body.find('{').expect("JSON")..=body.rfind('}').expect("JSON")];
        serde_json::from_str::<serde_json::Value>(json).expect("JSON")
    };
    // The start card may let one of the two draw.
    let cards = |state: &serde_json::Value| {
        let hands = &state["frames"][0]["table"]["hands"];
        let own = hands[0].as_str().map_or(0, |hand| hand.split(' ').count() as u64);
        hands[1].as_u64().map(|other| own.min(other))
    };
    let first = state(0);
    assert_eq!(cards(&first), Some(7));
    std::fs::write(&file, "base = \"classic\"\ndeal.hand_size = 5\n").expect("a file");
    let second = state(first["version"].as_u64().expect("a version"));
    assert_eq!(cards(&second), Some(5), "{second}");
    std::fs::write(&file, "deal.hand_size = 99\n").expect("a file");
    let third = state(second["version"].as_u64().expect("a version"));
    assert!(third["notice"].as_str().is_some_and(|notice| notice.contains("hand_size")), "{third}");
    assert_eq!(cards(&third), Some(5));
}
