//! The handheld in a browser, on a clock that the test controls.

use serde_json::{Value, json};
use tempfile::TempDir;
use unolab::record::{Status, replay};

use crate::Server;
use crate::browser::Browser;

const HELPERS: &str = include_str!("handheld.js");

/// Opens the machine.
fn open(browser: &mut Browser, server: &Server) {
    browser.open(&server.addresses[0]);
    browser.run(&format!("{HELPERS}; quiet()"));
}

/// The value of the body of an asynchronous function.
fn run(browser: &mut Browser, body: &str) -> Value {
    let found = browser.run(&format!("(async () => {{ {body} }})()"));
    assert_eq!(browser.run("wrong"), json!([]), "after {body}");
    found
}

#[test]
fn demo_race_and_hi_score_are_clicked() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
    let arguments = ["--handheld", "--clock", "script", "--seed", "2", "--record", "game.jsonl"];
    let server = Server::start(home.path(), &arguments);
    open(&mut browser, &server);
    // The demo.
    assert_eq!(run(&mut browser, "await quiet(); return screen().mode"), "demo");
    let frames = run(
        &mut browser,
        "const before = screen().frames; await turn(20000); await press('enter'); await press('draw'); \
         return [before, screen().frames, screen().mode, screen().holder]",
    );
    assert!(frames[1].as_u64() > frames[0].as_u64(), "{frames}");
    assert_eq!((&frames[2], &frames[3]), (&json!("demo"), &Value::Null));
    // The machine turns itself off, and ENTER turns it on.
    let off = run(
        &mut browser,
        "await turn(1800000); await turn(1800000); const off = [screen().mode, document.body.dataset.mode, screen().line]; \
         await press('draw'); off.push(screen().mode); await press('enter'); off.push(screen().mode); return off",
    );
    assert_eq!(off, json!(["off", "off", "", "off", "players"]));
    // A race that is lost to the clock, and one that is won.
    let lost = run(
        &mut browser,
        "await choose(2); \
         const open = (now) => now.races.includes(0); \
         await goOn((now) => open(now) && !now.is_asked, { calls: false }); \
         const line = document.getElementById('line').textContent; \
         while (open(screen())) await turn(100); \
         const cards = screen().frame.table.hands[0].split(' ').length; \
         return [line, document.getElementById('line').textContent, cards]",
    );
    assert!(lost[0].as_str().is_some_and(|line| line.contains("press UNO")), "{lost}");
    assert!(lost[1].as_str().is_some_and(|line| line.contains("Two cards for you")) && lost[2] == 3, "{lost}");
    let won = run(
        &mut browser,
        "await goOn((now) => now.races.includes(0), { calls: false }); await press('uno'); \
         return [screen().races, screen().frame.table.hands[0]]",
    );
    assert!(won[0] == json!([]) && won[1].as_str().is_some_and(|hand| !hand.contains(' ')), "{won}");
    // The hi-score.
    let ended = run(
        &mut browser,
        "const now = await goOn((now) => now.mode === 'match_over'); return [now.scores, now.hi_score]",
    );
    assert_eq!(ended[0][0], ended[1], "{ended}");
    let kept = std::fs::read_to_string(home.path().join("unolab").join("hi-score")).unwrap_or_default();
    assert_eq!(kept.trim(), ended[1].to_string());
    let text = std::fs::read_to_string(home.path().join("game.jsonl")).expect("the record");
    assert_eq!(replay(&text, &mut |_| ()).expect("it fits").status, Status::Finished);
    let held = |browser: &mut Browser| {
        run(
            browser,
            "const button = document.querySelector('[data-button=\"draw\"]'); \
             button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })); \
             while (screen().hi_score === null) await new Promise((go) => setTimeout(go, 20)); \
             button.dispatchEvent(new PointerEvent('pointerup', { bubbles: true })); button.click(); await quiet(); \
             return [screen().hi_score, screen().mode, document.getElementById('line').textContent]",
        )
    };
    run(&mut browser, "await press('enter')");
    let shown = held(&mut browser);
    assert_eq!((&shown[0], &shown[1]), (&ended[1], &json!("players")));
    assert!(shown[2].as_str().is_some_and(|line| line.contains("Hi-score")), "{shown}");
    run(&mut browser, "await turn(4000); await press('reset')");
    assert_eq!(held(&mut browser)[0], 0, "RESET clears it");
    browser.open("about:blank");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn shared_handheld_has_uno_button_per_player() {
    let Some(mut browser) = Browser::start() else { return };
    for (people, players) in [("Ada,Ben", 2), ("Ada,Ben,Cy", 4)] {
        let home = TempDir::new().expect("a directory");
        let server =
            Server::start(home.path(), &["--handheld", "--clock", "script", "--seed", "4", "--people", people]);
        open(&mut browser, &server);
        let body = format!(
            "await quiet(); await choose({players}); \
             const now = await goOn((now) => now.mode === 'round_over' || now.mode === 'match_over'); \
             return [now.names, [...document.querySelectorAll('.uno')].map((button) => button.textContent)]"
        );
        let found = run(&mut browser, &body);
        let names: Vec<&str> = people.split(',').collect();
        assert_eq!(found[0].as_array().map(Vec::len), Some(players), "{found}");
        let buttons: Vec<String> = names.iter().map(|name| format!("UNO{name}")).collect();
        assert_eq!(found[1], json!(buttons));
        browser.open("about:blank");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn running_clock_cannot_be_set() {
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--handheld"]);
    let own = format!("Host: {0}\r\nOrigin: http://{0}\r\nContent-Type: application/json\r\n", server.host());
    let path = format!("/{}/clock", server.token());
    assert_eq!(server.ask("POST", &path, &own, r#"{"milliseconds":5}"#).0, 409);
}
