//! The places of all boxes at every number of seats, in several windows and at 200% zoom.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Server;
use crate::browser::Browser;

/// Width and height in CSS pixels; the last window is 1280x800 at 200% zoom.
const WINDOWS: [(u32, u32); 5] = [(1024, 768), (1280, 800), (1920, 1080), (390, 844), (640, 400)];

/// Draws a card and counts the cards that travel.
const TRAVELING: &str = "(async () => {
  let count = 0;
  new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((one) => {
    if (one.className === 'ghost') count += 1;
  }))).observe(document.body, { childList: true });
  document.getElementById('speed').value = '650';
  document.body.dataset.idle = 'false';
  document.querySelector('[data-action=\"draw\"]').click();
  while (document.body.dataset.idle !== 'true') await new Promise((go) => setTimeout(go, 5));
  return count;
})()";

#[test]
fn cards_travel_unless_reduced_motion_is_preferred() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
    for (preference, travels) in [("no-preference", true), ("reduce", false)] {
        let server = Server::start(home.path(), &["--against", "greedy", "--seed", "3"]);
        let features = json!([{ "name": "prefers-reduced-motion", "value": preference }]);
        browser.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        browser.open(&server.addresses[0]);
        browser.run(IDLE);
        let count = browser.run(TRAVELING).as_u64().expect("a number");
        assert_eq!(count > 0, travels, "{preference}: {count} cards");
        browser.open("about:blank");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

const IDLE: &str = "(async () => { while (!(window.document.body.dataset.idle === 'true' && now)) { await new \
                    Promise((go) => setTimeout(go, 5)); } })()";

#[test]
fn boxes_do_not_overlap_at_any_number_of_seats() {
    let Some(mut browser) = Browser::start() else { return };
    for seats in 2..=10 {
        let home = TempDir::new().expect("a directory");
        let against = vec!["greedy"; seats - 1].join(",");
        let server = Server::start(home.path(), &["--against", &against, "--seed", "3", "--unit", "match"]);
        for (width, height) in WINDOWS {
            let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            browser.call("Emulation.setDeviceMetricsOverride", metrics);
            browser.open(&server.addresses[0]);
            browser.run(IDLE);
            let found = browser.run(include_str!("boxes.js"));
            assert_eq!(found, Value::Array(Vec::new()), "{seats} seats, {width}x{height}");
        }
        browser.open("about:blank");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}
