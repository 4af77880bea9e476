//! The table on a page: played to its end by clicks, and the requests that the server rejects.

mod boxes;
mod browser;
mod handheld;
mod screen_reader;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use browser::Browser;
use serde_json::Value;
use tempfile::TempDir;
use unolab::record::{Status, replay};
use unolab::rules::presets;

/// A running game and its addresses.
struct Server {
    process: Child,
    addresses: Vec<String>,
    /// All that the program prints at its start.
    printed: String,
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
        let (mut addresses, mut printed) = (Vec::new(), String::new());
        for line in lines.by_ref().map_while(Result::ok).take_while(|line| !line.starts_with("Ctrl-C")) {
            addresses.extend(line.split_once(": http").map(|(_, rest)| format!("http{rest}")));
            printed += &format!("{line}\n");
        }
        assert!(!addresses.is_empty(), "no address");
        Self { process, addresses, printed }
    }

    fn host(&self) -> &str {
        self.addresses[0].trim_start_matches("http://").split('/').next().expect("a host")
    }

    fn token(&self) -> &str {
        self.token_of(0)
    }

    fn token_of(&self, address: usize) -> &str {
        self.addresses[address].trim_end_matches('/').rsplit('/').next().expect("a token")
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

/// Clicks through the game to its end, and checks that no message and no page has hidden information. Several people
/// hand the machine on.
const CLICK_ON: &str = include_str!("round.js");

/// A function that clicks everything that is enabled.
const CLICK_EVERYTHING: &str = include_str!("everything.js");

/// Clicks on to the end of a match.
fn click_on_to_the_end_of_the_match() -> String {
    CLICK_ON.replace("document.querySelector('[data-action=\"new-game\"]')", "now.over")
}

/// Options of `unolab play`, with any number of seats, people, and house rules.
const SETTINGS: [&str; 14] = [
    "--variant classic --against greedy",
    "--variant classic --against greedy,heuristic,greedy,heuristic,greedy,heuristic,greedy,heuristic,greedy",
    "--variant wimpy-kid --against greedy,heuristic",
    "--variant swap-hands --against greedy,heuristic",
    "--variant custom --against greedy,heuristic",
    "--variant handheld --against greedy,heuristic",
    "--variant cars --against heuristic",
    "--variant cars --against greedy,heuristic,random",
    "--variant disney --against greedy,heuristic,random",
    "--variant disney --against greedy,heuristic,greedy,heuristic,greedy,heuristic,greedy,heuristic,greedy",
    "--people Ada,Ben --against greedy",
    "--against greedy,heuristic --set house.jump_in=true --set house.seven_zero=true --set house.stacking=any_draw",
    "--against greedy,heuristic --unit match --set match.target=150",
    "--against greedy,heuristic,random --unit match --set house.hand_limit={cards=9,points=250} --set match.target=1500",
];

#[test]
fn every_setting_is_playable_to_its_end_by_clicks() {
    let Some(mut browser) = Browser::start() else { return };
    for setting in SETTINGS {
        let home = TempDir::new().expect("a directory");
        let arguments: Vec<&str> = setting.split(' ').chain(["--seed", "11", "--record", "game.jsonl"]).collect();
        let server = Server::start(home.path(), &arguments);
        browser.open(&server.addresses[0]);
        let is_match = setting.contains("match");
        let found = browser.run(&if is_match { click_on_to_the_end_of_the_match() } else { CLICK_ON.to_owned() });
        assert!(found["stuck"].is_null(), "{setting}: {found}");
        assert!(found["clicks"].as_u64() > Some(2), "{setting}: {found}");
        assert_eq!((found["hidden"].as_u64(), found["stored"].as_u64()), (Some(0), Some(0)), "{setting}: {found}");
        assert_eq!(found["handed"].as_u64() > Some(0), setting.contains("--people"), "{setting}: {found}");
        let text = std::fs::read_to_string(home.path().join("game.jsonl")).expect("the record");
        let replayed = replay(&text, &mut |_| ()).unwrap_or_else(|error| panic!("{setting}: {error}"));
        assert_eq!(replayed.status, Status::Finished, "{setting}");
        let (status, answer) =
            server.ask("GET", &format!("/{}/record", server.token()), &format!("Host: {}\r\n", server.host()), "");
        assert!(status == 200 && answer.contains(text.lines().last().expect("a last line")), "{setting}: {answer}");
        // A page that outlives its server reports an error, as it should.
        browser.open("about:blank");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
    let editions = presets::NAMES.into_iter().filter(|&name| name != "classic");
    assert!(editions.into_iter().all(|name| SETTINGS.iter().any(|setting| setting.contains(name))));
}

#[test]
fn calls_catches_jump_ins_and_house_rules_are_clickable() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
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
    let found = browser.run(&click_on_to_the_end_of_the_match());
    assert!(found["stuck"].is_null() && found["hidden"] == 0, "{found}");
    browser.open("about:blank");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn clicking_everything_causes_no_error() {
    let Some(mut browser) = Browser::start() else { return };
    for (seed, settings) in [
        (11, &["--variant", "disney", "--unit", "match", "--set", "match.target=60"][..]),
        (12, &["--variant", "cars", "--set", "house.jump_in=true"]),
        (13, &["--people", "Ada,Ben", "--unit", "match"]),
    ] {
        let home = TempDir::new().expect("a directory");
        let arguments = ["--against", "greedy,random", "--worlds", "4", "--seed", &seed.to_string()].map(str::to_owned);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(settings.iter().copied()).collect();
        let server = Server::start(home.path(), &arguments);
        browser.open(&format!("{}#pace=20", server.addresses[0]));
        let found = browser.run(&format!("{}({seed}, 150)", CLICK_EVERYTHING.trim_end()));
        assert_eq!(found["wrong"], serde_json::json!([]), "{found}");
        let kinds = found["clicked"].as_object().map_or(0, serde_json::Map::len);
        assert!(kinds >= 8, "{found}");
        browser.open("about:blank");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn request_without_token_or_from_other_origin_is_rejected() {
    let home = TempDir::new().expect("a directory");
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
    // No person may act for an agent's seat, and an invalid request is rejected.
    assert_eq!(server.ask("POST", &act, &own, r#"{"do":"back","player":1}"#).0, 403);
    let (status, answer) =
        server.ask("POST", &act, &own, r#"{"do":"answer","player":0,"number":0,"action":"play q9"}"#);
    assert!(status == 400 || status == 409, "{answer}");
    let (_, page) = server.ask("GET", &format!("/{token}/"), &format!("Host: {host}\r\n"), "");
    let headers = page.to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
    ] {
        assert!(headers.contains(header), "{header}: {page}");
    }
}

#[test]
fn record_is_withheld_while_hands_are_hidden() {
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--seed", "3"]);
    let path = format!("/{}/record", server.token());
    assert_eq!(server.ask("GET", &path, &format!("Host: {}\r\n", server.host()), "").0, 409);
}

#[test]
fn lan_addresses_have_qr_codes() {
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--lan", "--people", "Ada,Ben", "--against", "none", "--seed", "3"]);
    for name in ["Ada", "Ben"] {
        let caption = format!("Address of {name} for the camera of a phone:\n");
        let (_, code) = server.printed.split_once(&caption).expect("a code for each person");
        let rows: Vec<&str> = code.lines().take_while(|line| !line.is_empty()).collect();
        // A code of more than 32 bytes has at least 29 by 29 modules and a margin of 4; a character is two modules high.
        assert!(rows.len() >= 18 && rows.iter().all(|row| row.chars().count() == rows[0].chars().count()), "{code}");
    }
    let alone = Server::start(home.path(), &["--seed", "3"]);
    assert!(!alone.printed.contains("camera"), "{}", alone.printed);
}

#[test]
fn undo_and_new_deal_are_announced_with_player() {
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--lan", "--people", "Ada,Ben", "--against", "none", "--seed", "3"]);
    let state = state_of(&server, 0, 0, 0);
    let asked = state["asks"].as_u64().map_or(1, |_| 0);
    let state = state_of(&server, asked, asked, 0);
    let question = &state["question"];
    let action = question["actions"][0].as_str().expect("an action");
    let headers = format!("Host: {0}\r\nOrigin: http://{0}\r\nContent-Type: application/json\r\n", server.host());
    let act = |address: usize, body: &str| {
        let path = format!("/{}/do", server.token_of(address));
        assert_eq!(server.ask("POST", &path, &headers, body).0, 200, "{body}");
    };
    let number = &question["number"];
    act(asked, &format!(r#"{{"do":"answer","player":{asked},"number":{number},"action":"{action}"}}"#));
    let name = ["Ada", "Ben"][asked];
    for (wish, said) in [("back", "took back a move"), ("new", "started a new game")] {
        act(asked, &format!(r#"{{"do":"{wish}","player":{asked}}}"#));
        let notice = state_of(&server, 1 - asked, 1 - asked, 0)["notice"].clone();
        assert_eq!(notice, format!("{name} {said}."));
    }
}

#[test]
fn address_without_last_slash_leads_to_page() {
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--seed", "3"]);
    let path = format!("/{}", server.token());
    let (status, answer) = server.ask("GET", &path, &format!("Host: {}\r\n", server.host()), "");
    assert!(status == 308 && answer.contains(&format!("location: {path}/")), "{answer}");
}

/// A press on UNO before the second-last card calls; each loss is asked for first; the end of a round opens the hands.
#[test]
fn uno_is_called_by_its_button_and_round_end_opens_hands() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--seed", "11", "--against", "greedy,heuristic", "--unit", "match"]);
    browser.open(&server.addresses[0]);
    let found = browser.run(include_str!("uno.js"));
    assert_eq!(found, serde_json::json!([]), "what is wrong");
    browser.open("about:blank");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// The state that the page of a player receives.
fn state_of(server: &Server, address: usize, player: usize, since: u64) -> Value {
    let path = format!("/{}/state?player={player}&since={since}", server.token_of(address));
    let (status, answer) = server.ask("GET", &path, &format!("Host: {}\r\n", server.host()), "");
    assert_eq!(status, 200, "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(&body[body.find('{').expect("JSON")..=body.rfind('}').expect("JSON")]).expect("JSON")
}

#[test]
fn play_rereads_saved_variant_file_and_base() {
    let home = TempDir::new().expect("a directory");
    let save = |name: &str, text: &str| std::fs::write(home.path().join(name), text).expect("a file");
    save("mine.toml", "base = \"house/ours.toml\"\n");
    std::fs::create_dir(home.path().join("house")).expect("a directory");
    save("house/ours.toml", "base = \"classic\"\n");
    let server = Server::start(home.path(), &["--variant", "mine.toml", "--seed", "3"]);
    // The start card may let one of the two draw.
    let cards = |state: &Value| {
        let hands = &state["frames"][0]["table"]["hands"];
        let own = hands[0].as_str().map_or(0, |hand| hand.split(' ').count() as u64);
        hands[1].as_u64().map(|other| own.min(other))
    };
    let mut state = state_of(&server, 0, 0, 0);
    assert_eq!(cards(&state), Some(7));
    for (name, text, expected, notice) in [
        ("mine.toml", "base = \"house/ours.toml\"\n# as before\n", 7, "saved: dealt again"),
        ("house/ours.toml", "base = \"classic\"\ndeal.hand_size = 5\n", 5, "saved: dealt again"),
        ("mine.toml", "base = \"house/ours.toml\"\ndeal.hand_size = 4\n", 4, "saved: dealt again"),
        ("house/ours.toml", "base = \"nothing.toml\"\n", 4, "nothing.toml"),
        ("house/nothing.toml", "base = \"cars\"\n", 4, "saved: dealt again"),
        ("mine.toml", "deal.hand_size = 99\n", 4, "hand_size"),
    ] {
        save(name, text);
        state = state_of(&server, 0, 0, state["version"].as_u64().expect("a version"));
        assert!(state["notice"].as_str().is_some_and(|said| said.contains(notice)), "{name}: {state}");
        assert_eq!(cards(&state), Some(expected), "{name}");
    }
}

#[test]
fn hints_review_undo_and_new_deal_are_clickable() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--seed", "3", "--worlds", "20", "--against", "greedy"]);
    browser.open(&server.addresses[0]);
    let found = browser.run(include_str!("tools.js"));
    assert_eq!(found, serde_json::json!([]), "what is wrong");
    browser.open("about:blank");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// A browser opens six connections to a server.
#[test]
fn eight_visible_pages_follow_one_game() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--seed", "3", "--against", "greedy"]);
    let pages: Vec<String> = (0..8).map(|_| browser.open_another(&server.addresses[0])).collect();
    let first = browser.run(
        "new Promise((go) => {
            const isAsked = () =>
                typeof now === 'object' && now?.question && document.querySelector('#actions button');
            const look = () => (isAsked() ? go(now.version) : setTimeout(look, 50));
            look();
        })",
    );
    browser.run("document.querySelector('#actions button').click()");
    for page in &pages {
        browser.select(page);
        // A page that has just received news asks again at once, so for a moment no page may be waiting.
        let waiting = browser.run(&format!(
            "new Promise((go) => {{
                const look = async () => {{
                    const isUpToDate =
                        document.visibilityState === 'visible' && typeof now === 'object' && now?.version > {first};
                    const waiting = isUpToDate ? (await navigator.locks.query()).held.length : 0;
                    waiting ? go(waiting) : setTimeout(look, 50);
                }};
                look();
            }})"
        ));
        assert!(waiting.as_u64().expect("a number") <= 3, "{waiting}");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn players_at_one_machine_see_only_own_hand() {
    let Some(mut browser) = Browser::start() else { return };
    for arguments in [
        "--people Ada,Ben,Cy --against none",
        "--people Ada,Ben --against greedy,random --set match.teams=fixed --variant classic",
        "--people a,b,c,d,e,f,g,h,i,j --against none --variant cars --set deal.hand_size=3",
    ] {
        let home = TempDir::new().expect("a directory");
        let arguments: Vec<_> = arguments.split(' ').chain(["--seed", "8"]).collect();
        let server = Server::start(home.path(), &arguments);
        browser.open(&server.addresses[0]);
        let found = browser.run(CLICK_ON);
        assert!(found["stuck"].is_null() && found["hidden"] == 0, "{arguments:?}: {found}");
        assert!(found["handed"].as_u64() > Some(2), "{arguments:?}: {found}");
        browser.open("about:blank");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn match_continues_without_eliminated_human() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
    let arguments = ["--against", "heuristic,heuristic", "--unit", "match", "--seed", "6", "--record", "game.jsonl"];
    let settings = ["--set", "match.scoring=elimination", "--set", "match.target=40"];
    let server = Server::start(home.path(), &[&arguments[..], &settings[..]].concat());
    browser.open(&server.addresses[0]);
    let found = browser.run(&click_on_to_the_end_of_the_match());
    assert!(found["stuck"].is_null() && found["hidden"] == 0, "{found}");
    let text = std::fs::read_to_string(home.path().join("game.jsonl")).expect("the record");
    assert_eq!(replay(&text, &mut |_| ()).expect("it fits").status, Status::Finished);
    browser.open("about:blank");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn each_lan_address_shows_one_hand() {
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--lan", "--people", "Ada,Ben", "--against", "greedy", "--seed", "3"]);
    assert_eq!(server.addresses.len(), 2);
    for own in 0..2 {
        let state = state_of(&server, own, own, 0);
        for (seat, hand) in state["frames"][0]["table"]["hands"].as_array().expect("hands").iter().enumerate() {
            assert_eq!(hand.is_string(), seat == own, "{state}");
        }
        assert!(state["seed"].is_null(), "the cards follow from the seed: {state}");
        let other = state_of(&server, own, 1 - own, 0);
        assert!(other["frames"].is_null() && other["people"].as_array().map(Vec::len) == Some(1), "{other}");
        let headers = format!("Host: {0}\r\nOrigin: http://{0}\r\nContent-Type: application/json\r\n", server.host());
        let path = format!("/{}/do", server.token_of(own));
        for wish in ["hint", "back", "new"] {
            let body = format!("{{\"do\":\"{wish}\",\"player\":{}}}", 1 - own);
            assert_eq!(server.ask("POST", &path, &headers, &body).0, 403, "{wish}");
        }
        let foreign = headers.replace("Origin: http://", "Origin: http://evil.");
        assert_eq!(server.ask("POST", &path, &foreign, "{\"do\":\"new\",\"player\":0}").0, 403);
    }
}
