//! The pages with only a keyboard, and as a screen reader finds them: in the browser's accessibility tree.

use tempfile::TempDir;

use crate::Server;
use crate::browser::{AccessibleNode, Browser};

const IDLE: &str = "new Promise((go) => { const look = () => (document.body.dataset.idle === 'true' && now?.question \
                    || now?.over ? go(true) : setTimeout(look, 5)); look(); })";

/// Checks that every control and every picture has a name, and that no name reveals a hidden card.
fn check_names(tree: &[AccessibleNode]) {
    for node in tree {
        let needs_name = ["button", "image", "link", "combobox", "slider", "region", "heading", "group"];
        // A closed explanation is a group without a name.
        let is_named = !node.name.trim().is_empty() || node.role == "group";
        assert!(!needs_name.contains(&&*node.role) || is_named, "no name: {node:?}");
        assert!(!node.name.contains("undefined") && !node.name.contains("NaN"), "{node:?}");
    }
}

fn named<'a>(tree: &'a [AccessibleNode], role: &str, part: &str) -> Vec<&'a AccessibleNode> {
    tree.iter().filter(|node| node.role == role && node.name.contains(part)).collect()
}

fn texts(tree: &[AccessibleNode]) -> Vec<&str> {
    tree.iter().filter(|node| node.role == "StaticText").map(|node| &*node.name).collect()
}

#[test]
fn table_is_announced_and_playable_by_keyboard() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--seed", "3", "--against", "heuristic,greedy"]);
    browser.open(&server.addresses[0]);
    browser.run(IDLE);
    let tree = browser.tree();
    check_names(&tree);
    let [table] = named(&tree, "region", "The table.")[..] else { panic!("one table: {tree:#?}") };
    for part in ["Top card ", "color ", "play goes to the ", " cards to draw"] {
        assert!(table.name.contains(part), "{table:?}");
    }
    assert_eq!(named(&tree, "group", "Seat ").len(), 3);
    assert_eq!(named(&tree, "group", ", to act").len(), 1);
    // Every card of the player's hand is a named button, and no card of another hand is in the tree.
    let hand =
        browser.run("now.frames.at(-1).table.hands[now.seat].split(' ').map((code) => cardName(code, now.cards))");
    let hand: Vec<String> = serde_json::from_value(hand).expect("names");
    let cards: Vec<&AccessibleNode> = tree
        .iter()
        .filter(|node| node.role == "button" && hand.contains(&node.name.replace(", can be played", "")))
        .collect();
    assert_eq!(cards.len(), hand.len(), "{tree:#?}");
    assert!(cards.iter().all(|card| card.is_disabled != card.name.ends_with(", can be played")), "{cards:#?}");
    let counts = texts(&tree)
        .iter()
        .filter(|text| text.ends_with(" cards") && text.starts_with(|c: char| c.is_ascii_digit()))
        .count();
    assert_eq!(counts, 2, "the others' cards are counted, once each: {:?}", texts(&tree));
    // Questions interrupt the screen reader; events do not.
    let live = |wanted: &str| tree.iter().filter(|node| node.live == wanted).count();
    assert!(live("assertive") == 1 && live("polite") >= 1, "{tree:#?}");
    assert!(texts(&tree).iter().any(|text| text.starts_with("Your turn")), "{:?}", texts(&tree));

    // Tab and Enter reach the end of the round; after each answer the next one has the focus.
    let mut answers = 0;
    while browser.run("now.over || now.round_over") != true {
        let is_at_hand = "document.activeElement.matches('button.in-hand, #actions button')";
        for _ in 0..40 {
            if browser.run(is_at_hand) == true {
                break;
            }
            assert_eq!(answers, 0, "the focus is lost after an answer");
            browser.press("Tab");
        }
        assert_eq!(browser.run(is_at_hand), true, "Tab never reaches a card");
        let before = browser.run("JSON.stringify([now.version, document.getElementById('actions').textContent])");
        browser.press("Enter");
        browser.run(&format!(
            "new Promise((go) => {{ const look = () => (JSON.stringify([now.version, \
             document.getElementById('actions').textContent]) !== {before} && document.body.dataset.idle === 'true' \
             && (now.question || now.over) ? go(true) : setTimeout(look, 5)); look(); }})"
        ));
        answers += 1;
        assert!(answers < 500, "the round never ends");
    }
    assert!(answers > 3, "{answers}");
    let tree = browser.tree();
    check_names(&tree);
    assert!(texts(&tree).iter().any(|text| text.ends_with("won!") || text.ends_with("won.")), "{:?}", texts(&tree));
    browser.open("about:blank");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn handheld_announces_line_and_highlighted_card() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
    let server = Server::start(home.path(), &["--handheld", "--clock", "script", "--seed", "4"]);
    browser.open(&server.addresses[0]);
    browser.run(&format!(
        "{}; (async () => {{ await quiet(); await choose(2); await goOn((now) => now.is_asked); }})()",
        include_str!("handheld.js")
    ));
    let tree = browser.tree();
    check_names(&tree);
    for name in ["Scroll left", "Scroll right", "Enter", "Draw", "UNO", "Sound on", "Reset"] {
        assert_eq!(named(&tree, "button", name).len(), 1, "{name}: {tree:#?}");
    }
    let [line] = &tree.iter().filter(|node| node.role == "status").collect::<Vec<_>>()[..] else { panic!("{tree:#?}") };
    assert_eq!(line.live, "polite");
    assert!(texts(&tree).iter().any(|text| text.starts_with("Your turn")), "{:?}", texts(&tree));
    let highlighted = |browser: &mut Browser| {
        let tree = browser.tree();
        let texts = texts(&tree);
        let at = texts.iter().position(|text| text.trim() == "Highlighted:").expect("it is said");
        texts[at + 1].to_owned()
    };
    let first = highlighted(&mut browser);
    let named_now = "cardName(screen().frame.table.hands[screen().holder].split(' ')[screen().highlight], {})";
    assert_eq!(browser.run(named_now), first);
    browser.press("ArrowRight");
    browser.run("quiet()");
    let second = highlighted(&mut browser);
    assert_eq!(browser.run(named_now), second);
    assert_eq!(browser.run("screen().highlight"), 1);
    browser.open("about:blank");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn replay_prints_recorded_game_move_by_move() {
    let Some(mut browser) = Browser::start() else { return };
    let home = TempDir::new().expect("a directory");
    let at = |name: &str| home.path().join(name).display().to_string();
    let run = |words: &[&str]| {
        let words = std::iter::once("unolab").chain(words.iter().copied()).map(Into::into);
        assert_eq!(unolab::run_with(words, unolab::agents::registry::Registry::default()), 0);
    };
    let (records, directory, page) = (at("records"), at("run"), at("page.html"));
    run(&[
        "match",
        "--agents",
        "heuristic,greedy",
        "--seats",
        "4",
        "--sets",
        "1",
        "--quiet",
        "--record",
        &records,
        "--out",
        &directory,
    ]);
    run(&["replay", &format!("{records}/game-0.jsonl"), "--html", &page, "--worlds", "2", "--policy", "random"]);
    browser.open(&format!("file://{page}"));
    let tree = browser.tree();
    check_names(&tree);
    assert_eq!(named(&tree, "region", "The table.").len(), 1);
    for name in ["First", "Back", "Play", "Forward", "Last"] {
        assert!(tree.iter().any(|node| node.role == "button" && node.name == name), "{name}: {tree:#?}");
    }
    assert_eq!(named(&tree, "slider", "Move").len(), 1);
    let said = "document.getElementById('said').textContent";
    let mut told = Vec::new();
    for _ in 0..8 {
        browser.press("ArrowRight");
        told.push(browser.run(said));
        let tree = browser.tree();
        check_names(&tree);
        // Four open hands, each described in words next to the pictures.
        let hands = texts(&tree).iter().filter(|text| text.contains(" card") && text.contains(": ")).count();
        assert_eq!(hands, 4, "{:?}", texts(&tree));
        assert!(tree.iter().any(|node| node.live == "polite"));
    }
    told.dedup();
    assert!(told.len() > 4, "{told:?}");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}
